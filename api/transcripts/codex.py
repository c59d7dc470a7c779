"""Sessions of Codex: JSON lines, as it writes them below `~/.codex/sessions`.

The items of the conversation are its messages: calls are `toolCalls` of an assistant's message, outputs are `tool`
messages. Events repeat the items, so they are counted only. What the program tells the model in the person's name, such
as the environment and the instructions of the project, is a `system` message. Source: the protocol of Codex up to 2026;
older files have the items without an envelope.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from api.transcripts.shape import Gathered, Reading, Values, fitting_id, fitting_name, instant, project_of, table, text

SOURCE = "codex"
ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_ITEMS = frozenset({"message", "reasoning", *_CALLS, *_OUTPUTS})
_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "developer"}
_TEXTS = frozenset({"input_text", "output_text", "text"})
_OF_THE_PROGRAM = re.compile(
    r"\s*(?:<(environment_context|user_instructions|turn_aborted|user_shell_command|subagent_notification|permissions"
    r"[\w ]*|skills?_?\w*|INSTRUCTIONS)\b|# AGENTS\.md instructions\b)",
)


def is_codex(value: Mapping[str, Any]) -> bool:
    """Whether a line is one of Codex."""
    if value.get("type") in ENVELOPES and isinstance(value.get("payload"), dict):
        return True
    content = value.get("content")
    parts = content if isinstance(content, list) else []
    return value.get("type") in _ITEMS and any(
        table(part).get("type") in ("input_text", "output_text") for part in parts
    )


def read_codex(values: Values, gathered: Gathered, name: str) -> Reading:
    """The session of a file; `name` is the file's, without its folder: it identifies a session without an id. An item
    without an id is identified by its place among the items."""
    session_id = fitting_id(name.removesuffix(".jsonl")) or SOURCE
    opened, number = False, 0
    for place, value in values:
        line = table(value)
        envelope = text(line.get("type")) if "payload" in line else None
        item = table(line["payload"]) if envelope else line
        kind = text(item.get("type"))
        if envelope == "session_meta" or (not envelope and kind is None and "instructions" in item):
            if opened:  # a session that goes on in a subagent's file, or was resumed
                gathered.left_out["session_meta lines behind the first"] += 1
                continue
            session_id, opened = _open(item, session_id, gathered), True
        elif envelope in (None, "response_item") and kind in _ITEMS:
            if not opened:
                session_id, opened = _open({}, session_id, gathered), True
            _add(item, line, session_id, number, place, gathered)
            number += 1
        else:
            gathered.left_out[f"{envelope or kind or 'other'} lines"] += 1
    return gathered.reading()


def _open(about: Mapping[str, Any], session_id: str, gathered: Gathered) -> str:
    git = table(about.get("git"))
    facts = {"cwd": about.get("cwd"), "version": about.get("cli_version"), "gitBranch": git.get("branch")}
    return gathered.open(
        fitting_id(about.get("id")) or session_id,
        source=SOURCE,
        project=project_of(text(about.get("cwd"))),
        started_at=instant(about.get("timestamp")),
        metadata={key: value for key, value in facts.items() if isinstance(value, str) and value} or None,
    )


def _add(
    item: Mapping[str, Any], line: Mapping[str, Any], session_id: str, number: int, place: str, gathered: Gathered
) -> None:
    made = _message(item, gathered)
    if made is None:
        return
    gathered.add(
        session_id,
        place,
        message_id=fitting_id(item.get("id")) or f"i{number:04d}",
        created_at=instant(line.get("timestamp")),
        **made,
    )


def _message(item: Mapping[str, Any], gathered: Gathered) -> dict[str, Any] | None:
    kind = item["type"]
    if kind in _CALLS:
        return {"role": "assistant", "tool_calls": [_call(item)]}
    if kind in _OUTPUTS:
        call_id = text(item.get("call_id"))
        return {"role": "tool", "content": _output(item.get("output")), "tool_call_id": call_id}
    if kind == "reasoning":
        thoughts = [*_list(item.get("summary")), *_list(item.get("content"))]
        if not thoughts:
            gathered.left_out["encrypted thoughts"] += 1
            return None
        return {"role": "assistant", "content": [{"type": "reasoning", "summary": thoughts}]}
    content = _plain(item.get("content"))
    said = content if isinstance(content, str) else "".join(text(part.get("text")) or "" for part in content)
    role = _ROLES.get(str(item.get("role")), "system")
    name = fitting_name(item.get("name"))
    return {
        "role": "system" if role == "user" and _OF_THE_PROGRAM.match(said) else role,
        "content": content,
        "name": name,
    }


def _call(item: Mapping[str, Any]) -> dict[str, Any]:
    given: Any = next((item[key] for key in ("arguments", "input", "action") if key in item), {})
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    name = text(item.get("name")) or str(item["type"]).removesuffix("_call")
    return {"id": item.get("call_id"), "type": "function", "function": {"name": name, "arguments": arguments}}


def _output(output: JsonValue) -> Any:
    """A text or parts; older versions wrap a text in an object."""
    if isinstance(output, dict):
        output = output.get("content", output)
    return output if isinstance(output, str) else _plain(output) if isinstance(output, list) else json.dumps(output)


def _plain(content: object) -> Any:
    """One text as a text, anything else as parts; texts are of the type `text`."""
    if isinstance(content, str):
        return content
    parts = [{"type": "text", "text": one} if isinstance(one, str) else dict(table(one)) for one in _list(content)]
    parts = [{"type": "text", "text": one.get("text")} if one.get("type") in _TEXTS else one for one in parts]
    return parts[0]["text"] if len(parts) == 1 and parts[0].get("type") == "text" else parts


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
