"""The two ways to rewrite a stored message, each reversible from its payloads alone.

Nothing of a message is ever lost: what leaves it becomes a payload, a placeholder says which, and the message's
`sha256` still identifies the original.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.change import RewriteRow
from graphmem.model.stored import RawMessage
from graphmem.rules.language.grams import grams, spoken
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.language.text import count_tokens, parts_text
from graphmem.rules.privacy.payloads import PLACEHOLDER, Outgoing, Payload, whole
from graphmem.rules.privacy.redaction import PatternName

SHORT_CHARS = 300
"""Texts up to this length stay: a placeholder is hardly shorter."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A message's new texts and what left it."""

    row: RewriteRow
    payloads: tuple[Payload, ...]


def lightened(stored: RawMessage, threshold_chars: int = 0, redact: Sequence[PatternName] = ()) -> Rewriting | None:
    """The message as the guards would store it today: without files in base64 and, with a threshold, without longer
    texts. None: there is nothing to move out, or base64 in it hides a secret, which only its original may contain.
    """
    out = Outgoing(threshold_chars, redact)
    if stored.content_kind == "text":
        content = text = out.text(stored.content)
    else:
        parts = out.value(json.loads(stored.content), out.text)
        content, text = canonical_json(parts), parts_text(parts)
    tool_calls, metadata = (
        given and canonical_json(out.value(json.loads(given))) for given in (stored.tool_calls, stored.metadata)
    )
    if not out.payloads or out.redactions:
        return None
    hidden = "\n".join(payload.text for payload in out.payloads if payload.text)
    search_text = _search_text(stored, text, hidden)
    row = RewriteRow(
        id=stored.id,
        before=stored.content,
        content=content,
        tool_calls=tool_calls,
        metadata=metadata,
        search_text=search_text,
        grams=grams(spoken(search_text, tool_calls, content if stored.content_kind == "parts" else None)),
        content_chars=len(text),
        tokens=count_tokens(text),
        cleaned=False,
    )
    return Rewriting(row, tuple(out.payloads))


def emptied(stored: RawMessage) -> Rewriting | None:
    """The message with a placeholder for its whole content, whose hash is the message's own `sha256`; search finds its
    words as before. None: it has hardly more than placeholders.

    *Source*: hermes-lcm, transcript GC, where search no longer finds the removed words.
    """
    if len(PLACEHOLDER.sub("", stored.content)) <= SHORT_CHARS:
        return None
    parts = stored.content if stored.content_kind == "parts" else None
    payload, placeholder = whole(stored.content, "application/json" if parts else "text/plain")
    name = f"{stored.name}: " if stored.name else ""
    search_text = f"{name}{placeholder}\n{spoken(stored.search_text.removeprefix(name), None, parts)}"
    row = RewriteRow(
        id=stored.id,
        before=stored.content,
        content=canonical_json([{"type": "text", "text": placeholder}]) if parts else placeholder,
        tool_calls=stored.tool_calls,
        metadata=stored.metadata,
        search_text=search_text,
        grams=grams(spoken(search_text, stored.tool_calls)),
        content_chars=len(placeholder),
        tokens=count_tokens(placeholder),
        cleaned=True,
    )
    return Rewriting(row, (payload,))


def text_of(stored: RawMessage) -> str:
    """A message's text, the joined text parts where it has parts."""
    return stored.content if stored.content_kind == "text" else parts_text(json.loads(stored.content))


def _search_text(stored: RawMessage, text: str, hidden: str) -> str:
    """The searchable text of the message: its new text, the text of new payloads, and that of earlier ones."""
    before = text_of(stored)
    name = f"{stored.name}: " if stored.name else ""
    rest = stored.search_text.removeprefix(f"{name}{before}")
    kept = rest if len(rest) < len(stored.search_text) else ""
    return f"{name}{text}" + (f"\n{hidden}" if hidden else "") + kept
