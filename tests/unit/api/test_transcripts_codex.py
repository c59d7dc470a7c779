"""Sessions of Codex: items become messages, and what repeats them or was put in by the program is told apart."""

import json
from typing import Any

from api.transcripts.files import read_lines
from api.transcripts.shape import Reading

AT = "2026-03-02T10:00:00.000Z"


def row(type_: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": type_, "payload": payload}


def item(type_: str, **more: Any) -> dict[str, Any]:
    return row("response_item", **({"type": type_} | more))


def said(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def read(*lines: Any, name: str = "rollout-x.jsonl") -> Reading:
    found, reading = read_lines([json.dumps(one) + "\n" for one in lines], name)
    assert found == "codex"
    assert reading.problems == []
    return reading


def test_a_session_is_read_with_its_calls_and_their_outputs() -> None:
    reading = read(
        row("session_meta", id="s-1", timestamp=AT, cwd="/x/lamp-shop", cli_version="0.50.0", git={"branch": "main"}),
        row("response_item", **said("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>")),
        row("response_item", **said("user", "# AGENTS.md instructions for /x\nNever use tabs.")),
        row("response_item", **said("developer", "Be brief.")),
        row("response_item", **said("user", "Fix the parser.")),
        row("event_msg", type="user_message", message="Fix the parser."),
        item("reasoning", summary=[{"type": "summary_text", "text": "Look."}], encrypted_content="x"),
        item("reasoning", summary=[], encrypted_content="x"),
        item("function_call", name="shell", arguments='{"command":["ls"]}', call_id="c1"),
        item("function_call_output", call_id="c1", output="parser.py"),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2"),
        item("custom_tool_call_output", call_id="c2", output=[{"type": "input_text", "text": "Done"}]),
        item("local_shell_call", action={"type": "exec", "command": ["pwd"]}, call_id="c3"),
        row("response_item", **said("assistant", "Fixed.")),
        row("turn_context", cwd="/x"),
    )
    (session,) = reading.sessions
    opening = session.opening
    assert (opening.session_id, opening.source, opening.project) == ("s-1", "codex", "lamp-shop")
    assert opening.metadata == {"cwd": "/x/lamp-shop", "version": "0.50.0", "gitBranch": "main"}
    told = [(message.role, message.content) for message in session.messages]
    assert [role for role, _ in told[:3]] == ["system", "system", "developer"]
    assert told[3] == ("user", "Fix the parser.")
    assert told[4] == ("assistant", ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look."}]},))
    assert [(m.role, m.tool_call_id, m.content) for m in session.messages if m.role == "tool"] == [
        ("tool", "c1", "parser.py"),
        ("tool", "c2", "Done"),
    ]
    calls = [message.tool_calls[0] for message in session.messages if message.tool_calls]
    functions = [call["function"] for call in calls if isinstance(call, dict)]
    assert functions == [
        {"name": "shell", "arguments": '{"command":["ls"]}'},
        {"name": "apply_patch", "arguments": "*** Begin Patch"},
        {"name": "local_shell", "arguments": '{"type": "exec", "command": ["pwd"]}'},
    ]
    assert told[-1] == ("assistant", "Fixed.")
    assert len({message.message_id for message in session.messages}) == len(told)
    assert reading.left_out == {"event_msg lines": 1, "turn_context lines": 1, "encrypted thoughts": 1}


def test_an_older_file_has_its_items_without_an_envelope() -> None:
    reading = read(
        {"id": "s-2", "timestamp": AT, "instructions": None, "git": {}},
        {"record_type": "state"},
        said("user", "Fix it."),
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": {"content": "ok", "success": True}},
        said("assistant", "Done."),
    )
    (session,) = reading.sessions
    assert session.opening.session_id == "s-2"
    assert [(m.role, m.content) for m in session.messages] == [
        ("user", "Fix it."),
        ("assistant", None),
        ("tool", "ok"),
        ("assistant", "Done."),
    ]
    (nameless,) = read(said("user", "Hi"), name="rollout-7.jsonl").sessions
    assert nameless.opening.session_id == "rollout-7"
