"""Changes about to be written: rows with ids and times assigned, so that writing them again has no effect."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.model.answers import IngestReceipt, RelatedFact
from graphmem.model.claims import Claim
from graphmem.model.inputs import Verdict
from graphmem.model.knowledge import (
    AttributeKind,
    DependencyType,
    EntityType,
    MemoryType,
    Signal,
    SupersessionMethod,
)
from graphmem.model.stored import StoredTail


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of history. `before` and `after` are JSON texts or None."""

    id: str
    kind: str
    subject_id: str
    actor: str
    at: datetime
    before: str | None = None
    after: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message ready to be stored; its fields are the node's properties. JSON texts where a client's JSON is kept."""

    id: str
    message_id: str
    ordinal: int
    role: str
    content: str
    content_kind: Literal["text", "parts", "null"]
    name: str | None
    tool_calls: str | None
    tool_call_id: str | None
    metadata: str | None
    sha256: str
    fingerprint: str
    content_chars: int
    tokens: int
    created_at: datetime
    ingested_at: datetime
    search_text: str
    agent_key: str
    grams: str


@dataclass(frozen=True, slots=True)
class PayloadRow:
    """Bytes that were taken out of a message, and `where` the payload store keeps them."""

    sha256: str
    bytes: int
    media_type: str
    where: str


@dataclass(frozen=True, slots=True)
class SpanRow:
    """Where in a stored message something was said: the store's message id and code points [start, end)."""

    message_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity by canonical name; `id` is used only if no entity has that name yet, `aliases` where they are free.
    `stated` are those of them that somebody told."""

    canonical: str
    id: str
    name: str
    type: EntityType
    mentions: int
    aliases: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryRow:
    ref: str
    id: str
    content: str
    content_key: str
    type: MemoryType
    importance: float
    pinned: bool
    explicit: bool
    source: str | None
    project: str | None
    session_id: str | None
    valid_from: datetime
    valid_to: datetime | None
    created_at: datetime
    spans: tuple[SpanRow, ...] = ()
    about: tuple[str, ...] = ()
    """Canonical names of the entities it is about."""


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """A fact to keep. `entity` is a canonical name; `memory_ref` the statement that says it; `traits` are for
    `rules.contradiction.traits`. `said_at`: until when it is said to hold, where that is after `valid_from`.
    `basis`: what its confidence rests on, in words. `places`: which part of the statement says it, as (start, end,
    length of the text): in the words of a message, and in its own."""

    ref: str
    id: str
    entity: str
    aspect: str
    aspect_id: str
    content: str
    kind: AttributeKind
    claim_key: str | None
    confidence: float
    importance: float
    pinned: bool
    explicit: bool
    valid_from: datetime
    valid_to: datetime | None
    extraction_level: int
    memory_ref: str
    session_ids: tuple[str, ...]
    project: str | None
    session_id: str | None
    traits: bytes | None = None
    claims: tuple[Claim, ...] = ()
    said_at: datetime | None = None
    basis: str = ""
    places: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """An edge to create. `source` and `target` are canonical names; `attribute_refs` the facts that state it."""

    id: str
    source: str
    target: str
    type: DependencyType
    confidence: float | None
    strength: float | None
    reason: str | None
    explicit: bool
    valid_from: datetime
    memory_refs: tuple[str, ...] = ()
    attribute_refs: tuple[str, ...] = ()
    session_ids: tuple[str, ...] = ()
    extraction_level: int = 1
    basis: str = ""


@dataclass(frozen=True, slots=True)
class MentionRow:
    message_id: str
    entity: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SupersessionRow:
    """A retirement to carry out or to propose. Ids are attribute ids, or refs of attributes of the same change.

    `instead_of`: the fact that superseded the old one until now, when the old one moves within its chain.
    `by`: who found it, with its version; None keeps what is recorded.
    `asked`: a person requested it, and may retire anything; `accepted`: by accepting what rules found. `even_away`: the
    newer one may be cold or deleted, as it was when it retired the older one before.
    """

    id: str
    old: str
    new: str
    signals: tuple[Signal, ...]
    confidence: float
    method: SupersessionMethod
    by: str | None
    reason: str | None
    valid_to: datetime
    instead_of: str | None = None
    asked: bool = False
    accepted: bool = False
    even_away: bool = False


@dataclass(frozen=True, slots=True)
class Deciding:
    """A person's decision: why, when, and the ids of what is written for it."""

    reason: str | None
    new_id: str
    event_id: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Settling:
    """A verdict on two facts; `other` may be None for one that is wrong."""

    id: str
    other: str | None
    verdict: Verdict

    @property
    def pair(self) -> tuple[str, str]:
        """Both, for a verdict on two."""
        return self.id, self.other or self.id


@dataclass(frozen=True, slots=True)
class LikenessRow:
    """An entity that may be the same as `near`, both by canonical names: proposed if it is created now, or if that they
    are one is `stated` and both are entities."""

    id: str
    canonical: str
    near: str
    reason: str
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Weight:
    """What a person changes in a memory or a fact without changing its words; None leaves a field unchanged."""

    importance: float | None
    pinned: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The basis of retirement decisions: the ids of the facts that were examined, and how. `late`: one of the new facts
    began before one of them, so that superseded ones matter too. `confirming`: facts that say the same as a stored one
    confirm it."""

    facts: frozenset[str]
    min_confidence: float
    shadow: bool
    late: bool = False
    confirming: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """What the escalation ladder left out of a statement, by kind, and the level it reached."""

    level: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Change:
    """Everything one piece of learning writes, in one transaction."""

    entities: tuple[EntityRow, ...] = ()
    memories: tuple[MemoryRow, ...] = ()
    attributes: tuple[AttributeRow, ...] = ()
    dependencies: tuple[DependencyRow, ...] = ()
    mentions: tuple[MentionRow, ...] = ()
    applied: tuple[SupersessionRow, ...] = ()
    proposed: tuple[SupersessionRow, ...] = ()
    moved: tuple[SupersessionRow, ...] = ()
    likenesses: tuple[LikenessRow, ...] = ()
    actor: str = "extraction"
    by: str = "given"
    """How its statements and facts were extracted: the name and version of the extractor, or `given` as they are."""
    event_ids: tuple[str, ...] = ()
    """Ids for the history lines this change writes, at least as many as there are rows above."""
    seen: Judged | None = None
    """None for a change whose facts retire nothing."""
    cut: Cut | None = None
    """For a change that stores one statement; for a session this is recorded with its progress."""
    level: int | None = None
    """How strictly its statements were read; None where nothing was."""
    related: tuple[RelatedFact, ...] = ()
    """Active facts near its own that it leaves alone; nothing is written for them."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a change did. The maps go from refs (canonical names for entities) to the current ids."""

    entity_ids: Mapping[str, str] = field(default_factory=dict)
    memory_ids: Mapping[str, str] = field(default_factory=dict)
    attribute_ids: Mapping[str, str] = field(default_factory=dict)
    dependency_ids: tuple[str, ...] = ()
    created_memories: frozenset[str] = frozenset()
    created_attributes: frozenset[str] = frozenset()
    created_dependencies: frozenset[str] = frozenset()
    superseded: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()

    @property
    def brought_news(self) -> bool:
        """Whether anything was written that was not there before."""
        return bool(self.created_memories or self.created_attributes or self.created_dependencies)


@dataclass(frozen=True, slots=True)
class OpeningSession:
    """A session to create if it does not exist yet. `open_id` is new for each attempt to create it; `retain_depth` is
    the depth from which on it takes over summaries of the session it continues (-1: all, 0: none)."""

    session_id: str
    open_id: str
    started_at: datetime
    project: str | None = None
    source: str | None = None
    context_window: int | None = None
    continues: str | None = None
    metadata: str | None = None
    retain_depth: int = 0


@dataclass(frozen=True, slots=True)
class Appending:
    """A batch to append to a session. `decide` gets what the session holds and returns what to store; if it raises,
    nothing is stored. It gets those of the `message_ids` that the session holds, and its first `head` and last `tail`
    messages.
    `payloads` are those of the batch's messages, by id; `chars` is the approximate length of its texts, and
    `session_tokens` the client's own token count of its session."""

    opening: OpeningSession
    message_ids: Sequence[str]
    head: int
    tail: int
    decide: Callable[[StoredTail], tuple[Sequence[MessageRow], IngestReceipt]]
    event: EventRow
    payloads: Mapping[str, Sequence[PayloadRow]]
    chars: int
    session_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A session's summary. `dag_key` names its place in the DAG, `by` who wrote it, with its version; ids are of the
    memories it contains and the entities named."""

    id: str
    dag_key: str
    content: str
    tokens: int
    sha256: str
    by: str
    search_text: str
    agent_key: str
    grams: str
    memory_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadMark:
    """How far extraction has read a session: updated from `expected` to `through` together with what was learned.

    `level`, `dropped`, `foreign` (messages with words in other languages that were not read), `fallback` (why rules did
    what a model should have done) and `events` record how it went.
    """

    session_id: str
    expected: int
    through: int
    level: int = 1
    dropped: int = 0
    foreign: int = 0
    fallback: str | None = None
    extractor: str | None = None
    """None where a chunk was not read properly."""
    events: "tuple[EventRow, ...]" = ()


@dataclass(frozen=True, slots=True)
class RewriteRow:
    """A message's new texts, if its content is still `before`; the rest is in payloads. `cleaned`: its whole content
    is."""

    id: str
    before: str
    content: str
    tool_calls: str | None
    metadata: str | None
    search_text: str
    grams: str
    content_chars: int
    tokens: int
    cleaned: bool


@dataclass(frozen=True, slots=True)
class HungFact:
    """A fact to attach to an aspect, by the aspect's canonical name; `aspect_id` is used only if there is none yet."""

    id: str
    entity_id: str
    aspect: str
    aspect_canonical: str
    aspect_id: str
