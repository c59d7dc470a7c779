"""The form in which messages are compared: equal for one message however its client wrote it down.

It is for comparison only; what is stored is what was sent.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.rules.language.keys import sha256_hex

_EMPTY: tuple[Any, ...] = (None, "", [], {})
_OF_TRANSPORT = frozenset({"cache_control", "index"})
"""Fields of parts and calls that say how a request is processed, and nothing of what was said."""
_ARGUMENTS = ("arguments", "input")


def message_fingerprint(
    role: str, name: str | None, content: object, tool_calls: Sequence[object] | None, tool_call_id: str | None
) -> str:
    """The fingerprint of a message: two messages with the same one have the same words in the same role.

    No difference makes: content that is null, empty, or one text as a part; how the arguments of calls are written as
    JSON; empty fields; the name of a tool, which its call gives.

    >>> spaced = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"b": 1.0, "a": "\\u00e9"}'}}]
    >>> parsed = [{"id": "c", "function": {"name": "f", "arguments": {"a": "é", "b": 1}}}]
    >>> one, other = [message_fingerprint("assistant", None, None, calls, None) for calls in (spaced, parsed)]
    >>> one == other
    True
    """
    said = [role, None if role == "tool" else name, _content(content), list(map(_call, tool_calls or ())), tool_call_id]
    # In ASCII: JSON can name halves of characters, which no encoding can carry.
    return sha256_hex(json.dumps(said, sort_keys=True, separators=(",", ":")))


def _content(content: object) -> object:
    if not isinstance(content, Sequence) or isinstance(content, str):
        return content or ""
    parts = [part for given in content if (part := _filled(given)) != {"type": "text"}]
    if not parts:
        return ""
    first = parts[0]
    return first["text"] if len(parts) == 1 and first.keys() == {"type", "text"} and first["type"] == "text" else parts


def _filled(part: Mapping[str, object]) -> dict[str, object]:
    """The fields of a part or a call in which something is."""
    return {key: value for key, value in part.items() if value not in _EMPTY and key not in _OF_TRANSPORT}


def _call(call: object) -> object:
    if not isinstance(call, Mapping):
        return call
    made = _filled(call)
    if made.get("type") == "function":
        del made["type"]
    if isinstance(function := made.get("function"), Mapping):
        made["function"] = _with_arguments(_filled(function))
    return _with_arguments(made)


def _with_arguments(called: dict[str, object]) -> dict[str, object]:
    return _filled({key: _read(value) if key in _ARGUMENTS else value for key, value in called.items()})


def _read(arguments: object) -> object:
    """Arguments as an object or a list, with whole numbers as such; unchanged where they are neither."""
    try:
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        read = json.loads(text, parse_float=_number)
    except (ValueError, RecursionError):
        return arguments
    return read if isinstance(read, dict | list) else arguments


def _number(written: str) -> float | int:
    number = float(written)
    return int(number) if number.is_integer() else number
