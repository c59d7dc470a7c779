"""Tool calls of any format: what they request, and which call a result answers."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import JsonValue

from graphmem.model.context import SaidMessage
from graphmem.model.conversation import Part

Kind = Literal["run", "search", "write", "edit", "other"]

_NAMES: Mapping[str, Kind] = {
    **dict.fromkeys(("bash", "shell", "run", "exec", "execute", "terminal", "command", "powershell", "python"), "run"),
    **dict.fromkeys(("grep", "search", "find", "references", "usages", "rg", "callers"), "search"),
    **dict.fromkeys(("write", "create"), "write"),
    **dict.fromkeys(("edit", "replace", "patch", "update", "multiedit", "insert"), "edit"),
}
_COMMANDS = ("command", "cmd", "script", "code")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what kind of tool it is for, the commands it runs, the file it is about, and all other words."""

    kind: Kind
    commands: str
    path: str
    words: str


def read_calls(calls: str | None) -> list[Call]:
    """The calls in the JSON of a message's tool calls; of truncated JSON the readable part is one call.

    >>> read_calls('[{"function": {"name": "Bash", "arguments": "{\\\\"command\\\\": \\\\"ls\\\\"}"}}]')
    [Call(kind='run', commands='ls', path='', words='')]
    """
    if not calls:
        return []
    try:
        found = json.loads(calls)
    except ValueError:
        return [Call("other", "", "", re.sub(r'\\n|\\*"[\w-]*\\*"\s*:?|[{}\[\]\\]', " ", calls))]
    return [_call(one) for one in (found if isinstance(found, list) else [found]) if isinstance(one, Mapping)]


def _call(given: Mapping[str, object]) -> Call:
    inner = given.get("function")
    called = inner if isinstance(inner, Mapping) else given
    name = called.get("name")
    arguments = called.get("arguments", called.get("input", called.get("args")))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = {"": arguments}
    texts = list(_texts("", arguments))
    commands = "\n".join(text for key, text in texts if key in _COMMANDS)
    path = next((text for key, text in texts if "path" in key.lower() or key.lower() in ("file", "filename")), "")
    other = "\n".join(text for key, text in texts if key not in _COMMANDS and text != path)
    kind = _kind(name if isinstance(name, str) else "")
    return Call("run" if kind == "other" and commands else kind, commands, path, other)


def _kind(name: str) -> Kind:
    parts = [part.lower() for part in _WORD.findall(name)]
    return next((_NAMES[part] for part in parts if part in _NAMES), "other")


def _texts(key: str, value: object) -> Iterator[tuple[str, str]]:
    """The texts in the arguments, each with its name; nested ones, however deeply, with the nearest name."""
    waiting = [(key, value)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, Mapping):
            waiting += [(str(name), inner) for name, inner in reversed(list(value.items()))]
        elif isinstance(value, list):
            waiting += [(key, inner) for inner in reversed(value)]


Place = tuple[int, int]
"""A call or a result: the place of its message in the list, and its own place in the message."""


def paired(messages: Sequence[SaidMessage]) -> list[SaidMessage]:
    """The messages, oldest first, without calls that have no later result among them and results without their call.

    A call is in `tool_calls` or a part of the type `tool_use`; a result is a message of the role `tool`, or a part of
    the type `tool_result`. Where an id repeats, a result belongs to the latest call that has none yet. A message that
    becomes empty is left out.
    """
    if not any(message.tool_calls or message.parts or message.role == "tool" for message in messages):
        return list(messages)  # the usual case, with hundreds of messages in a context
    kept = _answered(messages)
    shown = (_without(message, place, kept) for place, message in enumerate(messages))
    return [message for message in shown if message is not None]


def _answered(messages: Sequence[SaidMessage]) -> set[Place]:
    """Calls and results that belong together."""
    waiting: dict[str, list[Place]] = defaultdict(list)
    together: set[Place] = set()
    for place, message in enumerate(messages):
        for own, id_ in _results_of(message).items():
            if waiting[id_]:
                together |= {waiting[id_].pop(), (place, own)}
        for own, id_ in _calls_of(message).items():
            waiting[id_].append((place, own))
    return together


def _without(message: SaidMessage, place: int, kept: set[Place]) -> SaidMessage | None:
    called, resulted = _calls_of(message), _results_of(message)
    loose = {own for own in (*called, *resulted) if (place, own) not in kept}
    if not loose:
        return message
    if _WHOLE in loose:
        return None
    calls = tuple(call for own, call in enumerate(message.tool_calls or ()) if _call_place(own) not in loose)
    parts = tuple(part for own, part in enumerate(message.parts or ()) if own not in loose)
    if not message.text and not calls and not parts:
        return None
    return replace(message, tool_calls=calls or None, parts=parts or None)


_WHOLE = -1
"""The place of a result that is the message itself. Parts count from 0, calls in `tool_calls` down from -2."""


def _call_place(number: int) -> int:
    return -2 - number


def _calls_of(message: SaidMessage) -> dict[int, str]:
    calls = {_call_place(own): _id(call, "id") for own, call in enumerate(message.tool_calls or ())}
    return calls | _of_type(message.parts, "tool_use", "id")


def _results_of(message: SaidMessage) -> dict[int, str]:
    whole = {_WHOLE: message.tool_call_id or ""} if message.role == "tool" else {}
    return whole or _of_type(message.parts, "tool_result", "tool_use_id")


def _of_type(parts: Sequence[Part] | None, kind: str, key: str) -> dict[int, str]:
    return {own: _id(part, key) for own, part in enumerate(parts or ()) if part.get("type") == kind}


def _id(value: JsonValue | Mapping[str, JsonValue], key: str) -> str:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""
