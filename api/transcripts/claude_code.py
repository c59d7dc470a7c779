"""Sessions of Claude Code: JSON lines, as it writes them below `~/.claude/projects`.

Lines of type user, assistant or system are messages; all others are bookkeeping. A line's blocks are split like our
messages: a tool result is a `tool` message, the assistant's calls are its `toolCalls`, and everything else stays a part
of the content, word for word. There is no published schema; the formats are those of versions up to 2.1.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import PureWindowsPath
from typing import Any

from api.transcripts.shape import Gathered, Reading, Values, fitting_id, fitting_name, instant, short_hash, table, text

SOURCE = "claude-code"
SAID = frozenset({"user", "assistant", "system"})
_TOOL_USES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_FLAGS = ("isMeta", "isCompactSummary", "isApiErrorMessage", "isSidechain")
_FACTS = ("parentUuid", "agentId", "subtype", "requestId")
Made = tuple[str, Any, dict[str, Any]]
"""Role, content and further fields of a message."""


def read_claude_code(values: Values, gathered: Gathered, name: str) -> Reading:
    """The sessions of a file; `name` is the file's, without its folder.

    A subagent's lines are a separate session, `<sessionId>.<agent>`: they were not said in the conversation.
    """
    roots: dict[str, str] = {}
    session_id = fitting_id(name.removesuffix(".jsonl")) or SOURCE
    for place, value in values:
        if not isinstance(value, dict):
            gathered.problems.append(f"{place}: is no object; it was left out")
            continue
        kind = text(value.get("type"))
        if kind not in SAID:
            gathered.left_out[f"{kind} lines" if kind else "lines without a type"] += 1
            continue
        session_id = fitting_id(value.get("sessionId")) or session_id
        _add_line(_session_of(value, session_id, roots), value, place, gathered)
    return gathered.reading()


def _session_of(line: Mapping[str, Any], session_id: str, roots: dict[str, str]) -> str:
    """The id of the session a line belongs to. A subagent without an id is identified by its first line."""
    uuid, parent = str(line.get("uuid")), str(line.get("parentUuid"))
    if not line.get("isSidechain"):
        return session_id
    roots[uuid] = text(line.get("agentId")) or roots.get(parent, uuid)
    return fitting_id(f"{session_id}.{roots[uuid]}") or session_id


def _add_line(session_id: str, line: Mapping[str, Any], place: str, gathered: Gathered) -> None:
    facts = {key: line[key] for key in ("cwd", "gitBranch", "version") if isinstance(line.get(key), str) and line[key]}
    if line.get("isSidechain"):
        facts["parentSessionId"] = str(line.get("sessionId"))
    # Windows paths may have both kinds of slash.
    project = fitting_name(PureWindowsPath(facts.get("cwd", "")).name)
    gathered.open(session_id, source=SOURCE, project=project, metadata=facts or None)
    if "toolUseResult" in line:
        gathered.left_out["`toolUseResult` fields, which say a tool's answer again"] += 1
    about = _about(line)
    uuid = fitting_id(line.get("uuid")) or short_hash(json.dumps(line, sort_keys=True))
    for index, (role, content, more) in enumerate(_messages(line)):
        gathered.add(
            session_id,
            place,
            message_id=f"{uuid}.{index}" if index else uuid,
            role=role,
            content=content,
            created_at=instant(line.get("timestamp")),
            metadata=about | more.pop("metadata", {}),
            **more,
        )


def _about(line: Mapping[str, Any]) -> dict[str, Any]:
    message = table(line.get("message"))
    found = {key: True for key in _FLAGS if line.get(key)} | {key: line[key] for key in _FACTS if line.get(key)}
    return found | {key: message[key] for key in ("model", "id") if isinstance(message.get(key), str)}


def _messages(line: Mapping[str, Any]) -> Iterator[Made]:
    if line["type"] == "system":
        yield "system", text(line.get("content")) or text(table(line.get("message")).get("content")), {}
        return
    # What Claude Code inserts as the user was not said by the user.
    role = "system" if line.get("isMeta") or line.get("isCompactSummary") else line["type"]
    content = table(line.get("message")).get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
    blocks = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    answers = [block for block in blocks if _kind(block) == "tool_result"]
    calls = [_tool_call(block) for block in blocks if _kind(block) in _TOOL_USES]
    said = [block for block in blocks if _kind(block) not in _TOOL_USES | {"tool_result"}]
    for answer in answers:
        yield "tool", _tool_answer(answer), _about_answer(answer)
    if said or calls or not answers:
        yield role, _plain(said) or "", {"tool_calls": calls or None}


def _kind(block: object) -> str | None:
    return text(table(block).get("type"))


def _tool_call(block: Mapping[str, Any]) -> dict[str, Any]:
    arguments = json.dumps(block.get("input", {}), ensure_ascii=False)
    return {"id": block.get("id"), "type": "function", "function": {"name": block.get("name"), "arguments": arguments}}


def _tool_answer(block: Mapping[str, Any]) -> Any:
    content = block.get("content")
    if isinstance(content, list) and content:
        return _plain([{"type": "text", "text": part} if isinstance(part, str) else part for part in content])
    return content if isinstance(content, str) else ""


def _about_answer(block: Mapping[str, Any]) -> dict[str, Any]:
    failed = {"isError": True} if block.get("is_error") else {}
    return {"tool_call_id": text(block.get("tool_use_id")), "metadata": failed}


def _plain(blocks: list[Any]) -> Any:
    """One text as a text, anything else as parts."""
    if len(blocks) == 1 and table(blocks[0]).keys() == {"type", "text"}:
        return blocks[0]["text"]
    return blocks
