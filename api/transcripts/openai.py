"""Conversations in the format of OpenAI's chat API: `messages` with role and content.

A file holds one conversation (an array of messages, or an object with `messages`), several (an array or lines of such),
or one message a line. Source: the Chat Completions reference and the fine-tuning format for chat models.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from api.transcripts.shape import (
    Gathered,
    Reading,
    Values,
    fitting_id,
    fitting_name,
    instant,
    short_hash,
    table,
    text,
)

SOURCE = "openai"
ROLES = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_READ = {"role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "id"}
_TIMES = ("created_at", "createdAt", "create_time", "timestamp")
_IDS = ("conversation_id", "session_id", "id")


def read_openai(values: Values, gathered: Gathered, name: str) -> Reading:
    """The conversations of a file; `name` is the file's, without its folder.

    A conversation without an id is identified by the file's name, its number in the file, and its text up to the first
    user message: so a file that has grown or was moved is recognised, and files of one name stay separate. A message
    without an id is identified by its place.
    """
    loose: list[JsonValue] = []
    number = 0
    for place, value in values:
        messages = value.get("messages") if isinstance(value, dict) else value
        if isinstance(messages, list):
            conversation = table(value)
            _read(conversation, messages, f"{name}\n{number}", place, gathered)
            number += 1
        elif isinstance(value, dict) and "role" in value:
            loose.append(value)
        else:
            gathered.problems.append(f"{place}: needs `messages`, or a role and content; it was left out")
    if loose:
        _read({}, loose, name, "", gathered)
    return gathered.reading()


def _read(
    conversation: Mapping[str, Any], messages: Sequence[JsonValue], origin: str, place: str, gathered: Gathered
) -> None:
    brought = next((found for key in _IDS if (found := fitting_id(conversation.get(key)))), None)
    session_id = gathered.open(
        brought or f"{SOURCE}-{short_hash(origin, _opening_words(messages))}",
        source=SOURCE,
        metadata=_facts(conversation, gathered) or None,
        started_at=next((found for key in ("created", *_TIMES) if (found := instant(conversation.get(key)))), None),
    )
    for index, value in enumerate(messages):
        where, message = f"{place} message {index + 1}".strip(), table(value)
        if text(message.get("role")) not in ROLES:
            known = ", ".join(ROLES)
            gathered.problems.append(f"{where}: needs a role, one of {known}; it was left out")
            continue
        metadata = {key: value for key, value in message.items() if key not in _READ and value is not None}
        speaker = fitting_name(message.get("name"))
        if message.get("name") and not speaker:
            metadata["name"] = message["name"]
        gathered.add(
            session_id,
            where,
            message_id=fitting_id(message.get("id")) or f"m{index:03d}",
            role=ROLES[message["role"]],
            content=_content(message),
            name=speaker,
            tool_calls=_tool_calls(message),
            tool_call_id=text(message.get("tool_call_id")),
            created_at=next((found for key in _TIMES if (found := instant(message.get(key)))), None),
            metadata=metadata,
        )


def _facts(conversation: Mapping[str, Any], gathered: Gathered) -> dict[str, Any]:
    """The metadata of a conversation, as far as it is short; without the tools offered to the model."""
    facts = dict(table(conversation.get("metadata")))
    for key, value in conversation.items():
        if key in ("messages", "metadata") or value is None:
            continue
        if isinstance(value, str | int | float):
            facts[key] = value
        else:
            gathered.left_out[f"`{key}` beside messages"] += 1
    return facts


def _opening_words(messages: Sequence[JsonValue]) -> str:
    words = []
    for message in messages:
        words.append(f"{table(message).get('role')}: {table(message).get('content')}")
        if table(message).get("role") == "user":
            break
    return "\n".join(words)


def _content(message: Mapping[str, Any]) -> str | list[Any] | None:
    """The content unchanged: a text, parts, or nothing; a refusal is a separate part."""
    content, refusal = message.get("content"), message.get("refusal")
    if isinstance(content, str | None) and not refusal:
        return content
    parts = content if isinstance(content, list) else [content] if content else []
    made = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return [*made, {"type": "refusal", "refusal": refusal}] if refusal else made


def _tool_calls(message: Mapping[str, Any]) -> list[Any] | None:
    if isinstance(calls := message.get("tool_calls"), list) and calls:
        return calls
    if called := message.get("function_call"):
        return [{"type": "function", "function": called}]
    return None
