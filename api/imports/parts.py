"""Messages of lossless-claw from their parts: texts, tool calls, tool results, and everything else unchanged."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from api.imports.database import Row
from api.transcripts.shape import table, text

CALLS = frozenset({"tool_use", "toolUse", "tool-use", "toolCall", "tool_call", "functionCall", "function_call"})
RESULTS = frozenset({"tool_result", "toolResult", "function_call_output", "tool_use_result"})
HIDDEN = "parts that lossless-claw marks as ignored or synthetic"
FILES = "contents that stand in files of lossless-claw; the message has their reference"
_IDS = ("toolCallId", "tool_call_id", "toolUseId", "tool_use_id", "call_id", "id")
_PLACE = frozenset({"part_id", "message_id", "session_id", "ordinal", "is_ignored", "is_synthetic", "metadata"})
Made = dict[str, Any]


@dataclass(frozen=True)
class _Part:
    """A row of message_parts with its metadata: `raw` is the block as the client sent it."""

    row: Row
    about: Mapping[str, Any]
    raw: Mapping[str, Any]

    @classmethod
    def of(cls, row: Row) -> "_Part":
        about = table(_value(row.get("metadata")))
        return cls(row, about, table(about.get("raw")))

    @property
    def kind(self) -> str:
        """call, result, or the type of the part."""
        named = text(self.about.get("rawType")) or text(self.raw.get("type")) or ""
        if named in RESULTS or (self.row["part_type"] == "tool" and self.about.get("originalRole") == "toolResult"):
            return "result"
        return "call" if named in CALLS or self.row["part_type"] == "tool" else str(self.row["part_type"])

    @property
    def call_id(self) -> str | None:
        places = (self.row.get("tool_call_id"), *(self.raw.get(key) for key in _IDS), self.about.get("toolCallId"))
        return next((found for found in places if isinstance(found, str) and found), None)

    @property
    def tool(self) -> str | None:
        places = (self.row.get("tool_name"), self.raw.get("name"), self.about.get("toolName"))
        return next((found for found in places if isinstance(found, str) and found), None)


def rebuilt(role: str, content: str, rows: Sequence[Row], left_out: Counter[str]) -> Iterator[Made]:
    """The messages of a row, as fields: each tool result is a message, and all other text and calls are one message.

    `content` is used where the parts hold no text, and where there are none.
    """
    seen = [row for row in rows if not (row.get("is_ignored") or row.get("is_synthetic"))]
    left_out.update({HIDDEN: len(rows) - len(seen)} if len(rows) > len(seen) else {})
    parts = [_Part.of(row) for row in seen]
    left_out.update({FILES: 1} if any(part.about.get("externalizedFileId") for part in parts) else {})
    if any(part.about.get("originalRole") == "toolResult" for part in parts):
        role = "tool"
    # In a tool's message a part without its own type is the result.
    results = [part for part in parts if part.kind == "result" or (role == "tool" and part.kind == "call")]
    calls = [part for part in parts if part.kind == "call" and role != "tool"]
    said = _said([part for part in parts if part.kind not in ("call", "result")])
    for part in results:
        answer = _answer(part) or (content if len(results) == 1 and role == "tool" else "")
        yield {"role": "tool", "content": answer, **_of_tool([part])}
    if said or calls or not results:
        # Text that a tool result contains already is not repeated.
        words = _plain(said) or ("" if results else content)
        made: Made = {"role": role, "content": words, "tool_calls": [_call(part) for part in calls] or None}
        yield made | (_of_tool(parts) if role == "tool" else {})


def _of_tool(parts: Sequence[_Part]) -> Made:
    call_id = next((part.call_id for part in parts if part.call_id), None)
    tool = next((part.tool for part in parts if part.tool), None)
    failed = any(part.about.get("isError") or part.raw.get("is_error") or part.raw.get("isError") for part in parts)
    failed = failed or any(part.row.get("tool_error") for part in parts)
    about = ({"toolName": tool} if tool else {}) | ({"isError": True} if failed else {})
    return {"tool_call_id": call_id, "metadata": about}


def _call(part: _Part) -> Made:
    given = part.row.get("tool_input")
    if given in (None, ""):
        given = next((part.raw[key] for key in ("input", "arguments", "toolInput") if key in part.raw), {})
    elif isinstance(decoded := _value(given), str):
        given = decoded
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {"id": part.call_id, "type": "function", "function": {"name": part.tool, "arguments": arguments}}


def _answer(part: _Part) -> Any:
    """The result of a tool: a text, or parts."""
    stored = part.row.get("tool_output")
    found = _value(stored) if stored not in (None, "") else None
    for key in ("output", "content", "result"):
        found = part.raw.get(key) if found in (None, "", []) else found
    for column in ("tool_error", "text_content"):
        found = part.row.get(column) if found in (None, "", []) else found
    if isinstance(found, list) and all(isinstance(one, str | dict) for one in found):
        return _plain([{"type": "text", "text": one} if isinstance(one, str) else one for one in found])
    if found is None or isinstance(found, str):
        return found or ""
    return stored if isinstance(stored, str) and stored else json.dumps(found, ensure_ascii=False)


def _said(parts: Sequence[_Part]) -> list[Any]:
    blocks = []
    for part in parts:
        if thought := text(part.about.get("topLevelReasoningContent")):
            blocks.append({"type": "reasoning", "text": thought})
        if not part.about.get("topLevelReasoningOnly") and (block := _block(part)):
            blocks.append(block)
    return blocks


def _block(part: _Part) -> Made | None:
    """The original block, else one built from the columns; None for an empty text."""
    if part.raw.get("type"):
        return dict(part.raw)
    words = part.row.get("text_content")
    if part.row["part_type"] == "text":
        return {"type": "text", "text": words} if words else None
    told = {key: value for key, value in part.row.items() if key not in _PLACE and value not in (None, "")}
    kind = told.pop("part_type")
    told |= {"text": told.pop("text_content")} if words else {}
    told |= {"raw": part.about["raw"]} if part.about.get("raw") is not None else {}
    return {"type": kind} | told


def _plain(blocks: Sequence[Any]) -> Any:
    """None for no parts, one text as a text, anything else as parts."""
    if len(blocks) == 1 and table(blocks[0]).keys() == {"type", "text"} and blocks[0]["type"] == "text":
        return blocks[0]["text"]
    return list(blocks)


def _value(stored: object) -> Any:
    """The value of a JSON text; any other text unchanged."""
    if not isinstance(stored, str):
        return stored
    try:
        return json.loads(stored)
    except (ValueError, RecursionError):
        return stored
