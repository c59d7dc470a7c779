"""What the store hands to the services: rows as plain values, before they become an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.model.conversation import Session
from graphmem.model.inputs import HitKind
from graphmem.model.knowledge import AttributeKind, EntityType


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity found by a name: `canonical` is that name, `own` the one it is kept under."""

    canonical: str
    own: str
    id: str
    name: str
    type: EntityType
    pinned: bool


@dataclass(frozen=True, slots=True)
class ChoreRun:
    """What is known of a chore. `runs` counts them; `wanted_at` is when somebody asked for it, until it is done."""

    name: str
    runs: int = 0
    last_run: datetime | None = None
    wanted_at: datetime | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ActiveFact:
    id: str
    entity_id: str
    aspect: str
    content: str
    kind: AttributeKind
    claim_key: str | None
    confidence: float
    explicit: bool
    pinned: bool
    valid_from: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class KnownMessage:
    """A message the session holds."""

    id: str
    message_id: str
    ordinal: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class StoredTail:
    """What a locked session holds, as far as a new batch can touch it: the next ordinal, the messages whose ids the
    batch brings, and the last messages, oldest first."""

    next_ordinal: int
    known: Mapping[str, KnownMessage]
    tail: Sequence[KnownMessage]


@dataclass(frozen=True, slots=True)
class SessionState:
    session: Session
    next_ordinal: int
    extracted_through: int


@dataclass(frozen=True, slots=True)
class UnreadMessage:
    """A message as extraction reads it; `created_at` keeps the client's zone."""

    id: str
    message_id: str
    ordinal: int
    role: str
    name: str | None
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LearnedMemory:
    id: str
    content: str
    type: str
    importance: float
    ordinal: int


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is limited to; None does not limit. `superseded` lets retired knowledge in."""

    now: datetime
    project: str | None = None
    session_id: str | None = None
    source: str | None = None
    role: str | None = None
    from_: datetime | None = None
    to: datetime | None = None
    superseded: bool = False

    @property
    def any(self) -> bool:
        return any((self.project, self.session_id, self.source, self.role, self.from_, self.to))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that a search met. `words` is its full-text score, None where words did not find it; `nearness` the
    cosine to the question, scaled to 0..1, None without a vector; `session_id` and `ordinal` are a message's place.
    """

    id: str
    session_id: str | None
    ordinal: int | None
    words: float | None
    nearness: float | None
    opening: str = ""
    """The first words of a text that words found."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text as a hit shows it.

    `superseded_by` is the active fact that replaced a superseded text, and `successors` the ids of all that now says
    what it said: facts, memories and messages.
    """

    id: str
    kind: HitKind
    text: str
    session_id: str | None
    message_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]
    status: str
    superseded_by: str | None
    successors: frozenset[str]
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OnEntity:
    """What hangs on an entity named in a question: ids, the most important and newest first."""

    entity_id: str
    attribute_ids: tuple[str, ...]
    memory_ids: tuple[str, ...]
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WalkedNode:
    """An entity met on a walk, with the edges that lead on from it."""

    entity: str
    others: tuple[str, ...]
    edges: tuple[str, ...]
    confidences: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """All that a bounded walk met. `capped` when a bound cut it: what it met is right, but there may be more."""

    nodes: tuple[WalkedNode, ...]
    capped: bool


@dataclass(frozen=True, slots=True)
class NamedEntity:
    id: str
    name: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class WaitingText:
    """A text without a vector. `node` is the database's own handle, valid for a moment."""

    node: str
    text: str


@dataclass(frozen=True, slots=True)
class UnsealedEvents:
    last_hash: str
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is of all agents together: nodes by label, what waits, jobs by status."""

    nodes: dict[str, int]
    unembedded: int
    unsealed: int
    jobs: dict[str, int]


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job that is ours until its lease ends. `input` is what it was created with."""

    id: str
    agent_id: str
    kind: str
    subject_id: str
    input: str
    attempts: int


@dataclass(frozen=True, slots=True)
class OpenJob:
    id: str
    kind: str
    status: str
    error: str | None


@dataclass(frozen=True, slots=True)
class FoundIds:
    """How many of a kind were found, and the first of them."""

    kind: str
    number: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SealedEvent:
    """An event of the chain: what it tells, the hash before it, and its own."""

    event: Mapping[str, Any]
    previous: str
    hash: str
