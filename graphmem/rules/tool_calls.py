"""What an assistant asked its tools to do, whatever shape the calls have."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

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
    """The calls in the JSON of a message's tool calls, which may be cut short: then what can be read of it is one.

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
        except ValueError:
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
    """The texts in the arguments, each with the name it stands under; nested ones with the nearest."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(str(name), inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(key, inner)
