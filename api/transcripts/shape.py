"""The result of every transcript reader: sessions of messages, what it left out and why, and what it could not read.

Readers are pure: values in, a `Reading` out. They read what they can and count the rest; only our own JSONL is refused
as a whole for one wrong line, since the order of its messages would change when the line is fixed.
"""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PureWindowsPath
from typing import Any

from pydantic import JsonValue, TypeAdapter, ValidationError

from graphmem.model.inputs import Name, NewMessage, NewSession, OpaqueId

Values = Iterator[tuple[str, JsonValue]]
"""The JSON values of a file, each with its place: `line 3`, or `item 3` of an array."""

MENDED = "values JSON cannot carry, stored as null or U+FFFD"
EMPTY = "messages without words"
REPEATED = "messages whose id came before in the session"
BRANCHES = "messages of other branches"
WORDLESS = "conversations without messages"

_SUSPECT = re.compile(r"\\u[dD][89a-fA-F]|NaN|Infinity|\d[eE]\+?\d{3}")
_NAME: TypeAdapter[str] = TypeAdapter(Name)
_ID: TypeAdapter[str] = TypeAdapter(OpaqueId)


@dataclass
class TranscriptSession:
    """One session of a transcript, its messages in the order of the file."""

    opening: NewSession
    messages: list[NewMessage] = field(default_factory=list)


@dataclass
class Reading:
    """The contents of a file. `left_out`: reason → how many. `problems`: what could not be read, where, and what to
    do."""

    sessions: list[TranscriptSession]
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


class Gathered:
    """Builds a `Reading`."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()
        self.problems: list[str] = []
        self._sessions: dict[str, TranscriptSession] = {}
        self._ids: dict[str, set[str]] = {}

    def reading(self) -> Reading:
        told = [session for session in self._sessions.values() if session.messages]
        empty = len(self._sessions) - len(told)
        return Reading(told, self.left_out + Counter({WORDLESS: empty}), self.problems)

    def open(self, session_id: str, **opening: Any) -> str:
        """The session with that id, created if it is new; it starts with its first message."""
        if session_id not in self._sessions:
            given = {key: value for key, value in opening.items() if value is not None}
            self._sessions[session_id] = TranscriptSession(NewSession(session_id=session_id, **given))
            self._ids[session_id] = set()
        return session_id

    def add(self, session_id: str, place: str, **fields: Any) -> None:
        """Add a message, or report why not."""
        given = {key: value for key, value in fields.items() if value is not None and value != {}}
        if not given.get("tool_calls"):
            given["content"] = given.get("content") or ""
        # A tool may return nothing, and that is a result too.
        if not (given.get("tool_calls") or given["content"] or given.get("tool_call_id")):
            self.left_out[EMPTY] += 1
            return
        try:
            message = NewMessage.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            self.problems.append(f"{place}: {'.'.join(map(str, first['loc']))}: {first['msg']}; it was left out")
            return
        if message.message_id in self._ids[session_id]:
            self.left_out[REPEATED] += 1
            return
        self._ids[session_id].add(message.message_id or "")
        session = self._sessions[session_id]
        if not session.messages and message.created_at and session.opening.started_at is None:
            session.opening = session.opening.model_copy(update={"started_at": message.created_at})
        session.messages.append(message)

    def decode(self, place: str, text: str) -> Iterator[tuple[str, JsonValue]]:
        """The value of a text, or None and a problem."""
        try:
            value, mended = decoded(text)
        except (ValueError, RecursionError) as error:
            self.problems.append(f"{place}: {_said(error)}; it was left out")
            return
        if mended:
            self.left_out[MENDED] += mended
        yield place, value


def decoded(text: str) -> tuple[JsonValue, int]:
    """The JSON value of a text, and how many values in it had to be replaced: NaN, infinite numbers, lone surrogates.
    They can be neither stored nor returned.

    Errors: ValueError for invalid JSON or UTF-8; RecursionError.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it is not UTF-8") from None
    value = json.loads(text)
    return mended(value) if _SUSPECT.search(text) else (value, 0)


def mended(value: JsonValue) -> tuple[Any, int]:
    """The value with null and U+FFFD for what JSON cannot represent, and how often that was."""
    count = 0

    def mend(one: Any) -> Any:
        nonlocal count
        if isinstance(one, dict):
            return {mend(key): mend(inner) for key, inner in one.items()}
        if isinstance(one, list):
            return [mend(inner) for inner in one]
        if isinstance(one, float) and not math.isfinite(one):
            count += 1
            return None
        if isinstance(one, str) and any("\ud800" <= char <= "\udfff" for char in one):
            count += 1
            return one.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return one

    return mend(value), count


def _said(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON: {error.msg} at character {error.pos + 1}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def instant(value: object) -> str | None:
    """A time in the format of our inputs, from seconds since 1970 or RFC 3339 with a zone; None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC).isoformat()
        if isinstance(value, str) and (found := datetime.fromisoformat(value)).tzinfo:
            found.astimezone(UTC)
            return found.isoformat()
    except (ValueError, OverflowError, OSError):
        pass
    return None


def project_of(folder: str | None) -> str | None:
    """The project whose folder this is. Paths of Windows may have both kinds of slash."""
    return fitting_name(PureWindowsPath(folder or "").name)


def fitting_name(value: object) -> str | None:
    """The value if it is a valid name, else None."""
    return _fitting(_NAME, value)


def fitting_id(value: object) -> str | None:
    """The value if it is a valid id, else None."""
    return _fitting(_ID, value)


def _fitting(kind: TypeAdapter[str], value: object) -> str | None:
    try:
        return kind.validate_python(value, strict=True)
    except ValidationError:
        return None


def short_hash(*parts: str) -> str:
    """The same 24 characters for the same parts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def table(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
