"""Sessions of Claude Code: lines come apart into messages, subagents into sessions, and bookkeeping is counted."""

import json
from typing import Any

from api.transcripts.files import read_lines
from api.transcripts.shape import EMPTY, REPEATED, Reading, TranscriptSession

AT = "2026-03-02T10:00:00.000Z"


def line(type_: str, uuid: str, content: object = None, **more: Any) -> dict[str, Any]:
    about = {"model": "model-x", "id": "msg_1"} if type_ == "assistant" else {}
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/somewhere/lamp-shop",
        "sessionId": "s-1",
        "version": "2.1.0",
        "gitBranch": "main",
        "type": type_,
        "message": {"role": type_, "content": content, **about},
        "uuid": uuid,
        "timestamp": AT,
        **more,
    }


def read(*lines: Any) -> Reading:
    found, reading = read_lines([json.dumps(one) + "\n" for one in lines], "s-1.jsonl")
    assert found == "claude-code"
    return reading


def only_session(*lines: Any) -> TranscriptSession:
    reading = read(*lines)
    assert reading.problems == []
    (session,) = reading.sessions
    return session


def test_a_session_has_its_id_project_and_circumstances() -> None:
    session = only_session(line("user", "u1", "Rename the service."))
    opening = session.opening
    assert (opening.session_id, opening.project, opening.source) == ("s-1", "lamp-shop", "claude-code")
    assert opening.metadata == {"cwd": "/somewhere/lamp-shop", "gitBranch": "main", "version": "2.1.0"}
    (message,) = session.messages
    assert (message.message_id, message.role, message.content) == ("u1", "user", "Rename the service.")
    assert message.created_at == opening.started_at
    windows = only_session(line("user", "u1", "Hi", cwd="C:\\work\\lamp-shop"))
    assert windows.opening.project == "lamp-shop"


def test_thinking_stays_a_part_and_tool_uses_become_tool_calls() -> None:
    thinking = {"type": "thinking", "thinking": "Let me see.", "signature": "abc"}
    said = {"type": "text", "text": "I look."}
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls", "timeout": 5}}
    (message,) = only_session(line("assistant", "a1", [thinking, said, use])).messages
    assert message.content == (thinking, said)
    arguments = '{"command": "ls", "timeout": 5}'
    call = {"id": "t1", "type": "function", "function": {"name": "Bash", "arguments": arguments}}
    assert message.tool_calls == (call,)
    assert message.metadata == {"model": "model-x", "id": "msg_1"}
    (alone,) = only_session(line("assistant", "a1", [use])).messages
    assert (alone.content, alone.tool_calls) == ("", (call,))


def test_answers_of_tools_become_messages_of_their_own_that_name_the_call() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    blocks = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "README.md"},
        {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "no"}], "is_error": True},
        {"type": "tool_result", "tool_use_id": "t3", "content": [image]},
        {"type": "tool_result", "tool_use_id": "t4"},
        {"type": "text", "text": "Go on."},
    ]
    reading = read(line("user", "u1", blocks, toolUseResult={"stdout": "README.md"}))
    first, second, third, fourth, last = reading.sessions[0].messages
    assert (first.message_id, first.role, first.tool_call_id, first.content) == ("u1", "tool", "t1", "README.md")
    assert (second.message_id, second.content) == ("u1.1", "no")
    assert second.metadata == {"isError": True}
    assert third.content == (image,)
    assert (fourth.tool_call_id, fourth.content) == ("t4", "")
    assert (last.message_id, last.role, last.content) == ("u1.4", "user", "Go on.")
    assert list(reading.left_out.values()) == [1]


def test_what_the_program_says_in_the_users_name_is_the_systems() -> None:
    injected = [line("user", "u1", "Caveat: …", isMeta=True), line("user", "u2", "So far: …", isCompactSummary=True)]
    notice = line("system", "u3", content="Conversation compacted", subtype="compact_boundary") | {"message": None}
    notice["content"] = "Conversation compacted"
    session = only_session(*injected, notice)
    assert [message.role for message in session.messages] == ["system"] * 3
    assert [message.metadata for message in session.messages] == [
        {"isMeta": True},
        {"isCompactSummary": True},
        {"subtype": "compact_boundary"},
    ]


def test_subagents_are_sessions_of_their_own() -> None:
    reading = read(
        line("user", "u1", "Find the bug."),
        line("user", "x1", "Look into the parser.", isSidechain=True),
        line("assistant", "x2", "Found it.", isSidechain=True, parentUuid="x1"),
        line("assistant", "u2", "It is in the parser.", parentUuid="u1"),
        line("user", "y1", "Look elsewhere.", isSidechain=True, agentId="7f"),
    )
    assert {s.opening.session_id: [m.message_id for m in s.messages] for s in reading.sessions} == {
        "s-1": ["u1", "u2"],
        "s-1.x1": ["x1", "x2"],
        "s-1.7f": ["y1"],
    }
    assert (reading.sessions[1].opening.metadata or {})["parentSessionId"] == "s-1"


def test_bookkeeping_is_counted_by_its_type() -> None:
    reading = read(
        {"type": "summary", "summary": "Lamps", "leafUuid": "u1"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False},
        {"type": "file-history-snapshot", "messageId": "n", "snapshot": {}, "isSnapshotUpdate": True},
        {"type": "queue-operation", "operation": "enqueue", "timestamp": AT, "sessionId": "s-1"},
        {"no": "type"},
        line("user", "u1", "Hi"),
        line("user", "u1", "Hi"),
        line("user", "u2", ""),
        line("system", "u3", subtype="turn_duration"),
    )
    assert [len(session.messages) for session in reading.sessions] == [1]
    assert reading.left_out == {
        "summary lines": 1,
        "file-history-snapshot lines": 2,
        "queue-operation lines": 1,
        "lines without a type": 1,
        REPEATED: 1,
        EMPTY: 2,
    }


def test_a_line_that_was_being_written_is_told_and_the_rest_is_taken() -> None:
    whole = json.dumps(line("user", "u1", "Hi"))
    _, reading = read_lines([whole + "\n", whole[:60]], "s-1.jsonl")
    assert [len(session.messages) for session in reading.sessions] == [1]
    (problem,) = reading.problems
    assert problem.startswith("line 2: no JSON")
