"""Conversations as they were said: sessions, messages, and the summaries over them."""

from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from graphmem.model.knowledge import OutdatedPart
from graphmem.model.value import Value

Role = Literal["user", "assistant", "system", "developer", "tool"]
SummaryKind = Literal["leaf", "condensed", "session", "arc", "epoch", "recap"]
Extra = Literal["parts", "toolCalls", "metadata"]
Source = str
Part = dict[str, JsonValue]
"""One part of a structured content, as the client sent it, such as {"type": "text", "text": "…"}."""


class PayloadRef(Value):
    """Bytes that stand elsewhere: `GET /api/payloads/{sha256}` answers them."""

    sha256: str
    bytes: int
    media_type: str


class StoredMessage(Value):
    """A message as it was stored, never rewritten.

    `content` is the text; for a message sent in parts it is the joined text parts and `parts` is what was sent; for one
    that only calls tools and was sent without content it is None.
    `ordinal` counts from 0 in its session without gaps. `created_at` is the client's time where it brought one, else
    `ingested_at`. `sha256` is of the UTF-8 bytes of the content, or of the canonical JSON of the parts; without content
    of that of None, `null`.
    `payloads` are named in place by `[payload <sha256>, <n> bytes, <form>]`.

    Where a bound was asked for, `content` may be cut, and `omitted` names what was left out for its length. `outdated`
    are the places in the content that no longer hold, where the message was expanded.
    """

    id: str
    message_id: str
    session_id: str
    ordinal: int
    role: Role
    content: str | None
    parts: tuple[Part, ...] | None
    tool_calls: tuple[JsonValue, ...] | None
    tool_call_id: str | None
    name: str | None
    metadata: dict[str, JsonValue] | None
    created_at: datetime
    ingested_at: datetime
    content_chars: int
    content_truncated: bool
    sha256: str
    payloads: tuple[PayloadRef, ...] = ()
    omitted: tuple[Extra, ...] = ()
    outdated: tuple[OutdatedPart, ...] = ()


class Session(Value):
    """`archived_at` is when it was taken out of recall, grep and the DAG, if it was; it is still read by its id."""

    session_id: str
    project: str | None
    source: Source
    started_at: datetime
    ended_at: datetime | None
    messages: int
    tokens: int
    context_window: int | None
    continues: str | None
    metadata: dict[str, JsonValue] | None
    archived_at: datetime | None = None


class Summary(Value):
    """A node of the session DAG. `depth` 0 covers messages; higher ones cover summaries. `stale`: what it tells has
    changed, and a job will build it again. `outdated` are the places in the content that no longer hold, where the
    summary was expanded."""

    id: str
    kind: SummaryKind
    depth: int
    project: str | None
    session_id: str | None
    content: str
    token_count: int
    earliest_at: datetime | None
    latest_at: datetime | None
    child_count: int
    parent_ids: tuple[str, ...]
    predecessor_id: str | None
    memory_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]
    stale: bool = False
    outdated: tuple[OutdatedPart, ...] = ()
