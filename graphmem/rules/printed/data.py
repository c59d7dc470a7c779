"""JSON: what it has, and what in it says that something failed."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap

from graphmem.model.printed import ResultLine, ToolReading
from graphmem.rules.printed.lines import Printed, PrintedLine, about, counted, listed

MOST_KEYS = 12
MOST_FAILURES = 4
_MOST_DEPTH = 6
_MOST_VALUES = 20_000
_ERROR_KEYS = frozenset(
    {"error", "errors", "err", "exception", "failure", "failures", "fault", "stderr", "errormessage"}
)
_MESSAGE_KEYS = ("message", "msg", "detail", "reason", "description", "title", "error", "code", "type")
_STATE_KEYS = frozenset(
    {"status", "state", "result", "outcome", "conclusion", "action", "verdict", "level", "severity"}
)
_FAILED = frozenset(
    {"failed", "failure", "fail", "error", "errored", "fatal", "critical", "crashed", "timeout", "denied"}
)
_TRUTH_KEYS = frozenset({"ok", "success", "succeeded", "passed", "valid"})
_NAME_KEYS = ("name", "title", "id", "test", "path", "file", "key")
_KEY = re.compile(r'"((?:[^"\\\n]|\\.){1,80})"\s*:')
_FINE = frozenset({"ok", "success", "successful", "succeeded", "done", "completed", "complete", "accepted", "created"})


def read_json(result: str, printed: Printed) -> ToolReading | None:
    """A JSON value, JSON in lines, or the beginning of one that was cut; None for anything else."""
    said = result.strip()
    if said[:1] not in ("{", "[") or not printed.filled:
        return None
    value = _loaded(said)
    rows = [] if value is not None else _rows(printed)
    if value is None and not rows:
        return _cut(printed)
    whole = rows if value is None else value
    if value is not None and _acknowledges(value):
        return ToolReading("done", "passed", (about("Done", said, printed.filled),), routine=True)
    failures = list(_failures(whole, ""))
    lines = [about("JSON", _shape(whole, in_lines=value is None), printed.filled)]
    lines += [_failure(printed, path, message) for path, message in failures[:MOST_FAILURES]]
    if len(failures) > MOST_FAILURES:
        lines.append(about("More failures", str(len(failures) - MOST_FAILURES), printed.filled))
    return ToolReading("json", "failed" if failures else None, tuple(lines))


def _loaded(text: str) -> object | None:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _rows(printed: Printed) -> list[object]:
    """The values of JSON in lines; empty where a line is none."""
    found: list[object] = []
    for line in printed.filled:
        value = _loaded(line.text) if len(printed.filled) > 1 else None
        if value is None:
            return []
        found.append(value)
    return found


def _cut(printed: Printed) -> ToolReading | None:
    keys = _KEY.findall(printed.text)
    if len(keys) < 3 or len(keys) < len(printed.filled) / 4:
        return None
    text = f"cut off; {counted(len(keys), 'value')}, keys {listed(keys, MOST_KEYS)}"
    return ToolReading("json", None, (about("JSON", text, printed.filled),))


def _shape(value: object, *, in_lines: bool) -> str:
    if isinstance(value, Mapping):
        return f"object with {counted(len(value), 'key')}: {listed(starmap(_sized, value.items()), MOST_KEYS)}"
    rows = value if isinstance(value, Sequence) else ()
    what = "lines" if in_lines else "array"
    keys = Counter(key for row in rows if isinstance(row, Mapping) for key in row)
    told = f"{what} of {counted(len(rows), 'value')}"
    return f"{told} with the keys {listed((key for key, _ in keys.most_common()), MOST_KEYS)}" if keys else told


def _sized(key: object, value: object) -> str:
    return f"{key} ({len(value)})" if isinstance(value, Mapping | list) else str(key)


def _failures(value: object, path: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """What in a value says that something failed: its path and its message."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, Mapping):
        if (own := _own_failure(value)) is not None:
            name = next((str(value[key]) for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
            yield name or path or "failed", own
            return
        for key, inner in value.items():
            yield from _failures(inner, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list):
        for place, inner in enumerate(value[:_MOST_VALUES]):
            yield from _failures(inner, f"{path}[{place}]", depth + 1)


def _own_failure(value: Mapping[object, object]) -> str | None:
    for key, inner in value.items():
        name = str(key).replace("_", "").lower()
        if name in _ERROR_KEYS and inner and not isinstance(inner, bool | int | float):
            return _message(inner)
        if name in _STATE_KEYS and isinstance(inner, str) and inner.lower() in _FAILED:
            return f"{key} {inner}{_beside(value)}"
        if name in _TRUTH_KEYS and inner is False:
            return f"{key} false{_beside(value)}"
    return None


def _beside(value: Mapping[object, object]) -> str:
    told = next((value[key] for key in _MESSAGE_KEYS[:6] if isinstance(value.get(key), str) and value[key]), "")
    return f": {told}" if told else ""


def _message(value: object) -> str:
    if isinstance(value, Mapping):
        told = [str(value[key]) for key in _MESSAGE_KEYS if isinstance(value.get(key), str | int)]
        return ", ".join(told[:2]) or json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return _message(value[0]) if value else ""
    return str(value)


def _failure(printed: Printed, path: str, message: str) -> ResultLine:
    """A failure with the line of its message, where that is found as it is written, else of the whole."""
    written = json.dumps(message.partition("\n")[0][:40], ensure_ascii=False).strip('"')
    at = printed.text.find(written) if written else -1
    where: Sequence[PrintedLine] = [printed.line_at(at)] if at >= 0 else printed.filled
    return about("Failure", f"{path}: {message}", where)


def _acknowledges(value: object) -> bool:
    """Whether a value says no more than that it went well."""
    if not isinstance(value, Mapping):
        return value == []
    return all(
        inner is None or inner is True or (isinstance(inner, str) and inner.strip(" .!").lower() in _FINE)
        for inner in value.values()
    )
