"""What of a message may be stored: nothing if a pattern matches, else the message without secrets and payloads.

The order is fixed: patterns see the original text, and secrets are removed before payloads, so that no payload contains
one.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import regex

from graphmem.model.inputs import NewMessage
from graphmem.model.stored import RawMessage
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.language.text import parts_text
from graphmem.rules.privacy.globs import glob_match
from graphmem.rules.privacy.payloads import Outgoing, Payload
from graphmem.rules.privacy.redaction import PatternName, redact_text, redact_value

PATTERN_TIMEOUT_S = 0.05
"""Longest time of one pattern for one message. *Source*: hermes-lcm, ignored messages."""


@dataclass(frozen=True, slots=True)
class GuardRules:
    """The operator's configuration. Regular expressions are those of the `regex` library, used with `search`."""

    ignore_sessions: tuple[str, ...] = ()
    stateless_sessions: tuple[str, ...] = ()
    ignore_messages: tuple[str, ...] = ()
    redact: tuple[PatternName, ...] = ()
    payload_threshold_chars: int = 0


@dataclass(frozen=True, slots=True)
class Closed:
    """Why nothing is written for a session."""

    kind: Literal["ignored", "stateless"]
    pattern: str


@dataclass(frozen=True, slots=True)
class Screened:
    """A message after the guards.

    `stored` is what is stored, None for an ignored message; `inline` is the same with its payloads still in it, for a
    store that cannot hold them. `hidden_text` is the searchable text of the payloads.
    """

    stored: NewMessage | None
    inline: NewMessage | None
    payloads: tuple[Payload, ...] = ()
    redactions: int = 0
    timeouts: int = 0

    @property
    def hidden_text(self) -> str:
        return "\n".join(payload.text for payload in self.payloads if payload.text)


def session_closed(rules: GuardRules, session_id: str | None, source: str | None) -> Closed | None:
    """Whether nothing is written for a session; ignored takes precedence over stateless."""
    kinds: tuple[tuple[Literal["ignored", "stateless"], tuple[str, ...]], ...] = (
        ("ignored", rules.ignore_sessions),
        ("stateless", rules.stateless_sessions),
    )
    for kind, patterns in kinds:
        if session_id is None:
            found = glob_match(patterns, source) if source else None
        else:
            found = glob_match(patterns, session_id, source)
        if found is not None:
            return Closed(kind, found)
    return None


def screen(message: NewMessage, rules: GuardRules) -> Screened:
    """The message as it may be stored, and what was changed."""
    ignored, timeouts = _ignored(message, rules.ignore_messages)
    if ignored:
        return Screened(None, None, timeouts=timeouts)
    clean, redactions = _redacted(message, rules.redact)
    out = Outgoing(rules.payload_threshold_chars, rules.redact)
    content = clean.content
    changes = {
        "content": out.text(content) if isinstance(content, str) else _tuple(out.value(content, out.text)),
        "tool_calls": _tuple(out.value(clean.tool_calls)),
        "metadata": out.value(clean.metadata),
    }
    stored = clean.model_copy(update=changes) if out.payloads else clean
    return Screened(stored, clean, tuple(out.payloads), redactions + out.redactions, timeouts)


def _ignored(message: NewMessage, patterns: Sequence[str]) -> tuple[bool, int]:
    """Whether a pattern is found in the message, and how many timed out: those do not match."""
    if not patterns or message.content is None:
        return False, 0
    text = message.content if isinstance(message.content, str) else parts_text(message.content)
    if not text and not isinstance(message.content, str):
        text = canonical_json(message.content)
    timeouts = 0
    for pattern in patterns:
        try:
            if regex.compile(pattern).search(text, timeout=PATTERN_TIMEOUT_S):
                return True, timeouts
        except TimeoutError:
            timeouts += 1
    return False, timeouts


def _redacted(message: NewMessage, patterns: Sequence[PatternName]) -> tuple[NewMessage, int]:
    """The message without secrets, and how many there were.

    Tool results are data like tool arguments: JSON in them is checked by its names too.
    """
    if not patterns:
        return message, 0
    count = 0

    def clean(value: Any) -> Any:
        nonlocal count
        plain = isinstance(value, str) and message.role != "tool"
        kept, found = redact_text(value, patterns) if plain else redact_value(value, patterns)
        count += len(found)
        return kept

    content = message.content
    changes = {
        "content": clean(content) if isinstance(content, str | None) else tuple(clean(list(content))),
        "name": clean(message.name) if message.name else None,
        "tool_calls": _tuple(clean(list(message.tool_calls))) if message.tool_calls is not None else None,
        "metadata": clean(message.metadata),
    }
    return (message.model_copy(update=changes), count) if count else (message, 0)


def holds_secret(stored: RawMessage, role: str, patterns: Sequence[PatternName]) -> bool:
    """Whether something of a stored message would be replaced if it came today, including its payloads that are still
    searchable."""
    whole = _read(stored.content) if stored.content_kind == "parts" else stored.content
    text = parts_text(whole) if isinstance(whole, list) else stored.content
    name = f"{stored.name}: " if stored.name else ""
    hidden = stored.search_text.removeprefix(name).removeprefix(text).lstrip("\n")
    data = [_read(given) for given in (stored.tool_calls, stored.metadata) if given]
    return any(
        redact_text(value, patterns)[1]
        if isinstance(value, str) and role != "tool"
        else redact_value(value, patterns)[1]
        for value in (whole, hidden, stored.name or "", *data)
    )


def _read(given: str) -> Any:
    """Stored JSON; damaged JSON is treated as text."""
    try:
        return json.loads(given)
    except ValueError:
        return given


def _tuple(value: Any) -> tuple[Any, ...] | None:
    return None if value is None else tuple(value)
