"""What the store returns to the services: rows as plain values, before they become an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from graphmem.model.conversation import Session
from graphmem.model.inputs import HitKind
from graphmem.model.knowledge import AttributeKind, AttributeStatus, EntityType, OutdatedPart
from graphmem.model.reading import Child


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity found by a name: `canonical` is that name, `own` the one it is stored under."""

    canonical: str
    own: str
    id: str
    name: str
    type: EntityType
    pinned: bool


@dataclass(frozen=True, slots=True)
class ChoreRun:
    """What is known of a chore. `runs` counts them; `wanted_at` is when it was requested, until it is done."""

    name: str
    runs: int = 0
    last_run: datetime | None = None
    wanted_at: datetime | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ActiveFact:
    """A fact as the rule of supersession compares it. `superseded_by`, `valid_to`: by what and when it was retired;
    None while it is active. `traits`: what `rules.contradiction.traits` stores with it, by any version of the code.
    `claims`: what its words claim, as `rules.claims.packed` writes it. `said_at`: until when it is said to hold at
    least, where that is after `valid_from`."""

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
    superseded_by: str | None = None
    valid_to: datetime | None = None
    traits: bytes | None = None
    claims: str | None = None
    said_at: datetime | None = None
    session_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retention:
    """What retention may take: memories stored before a time that are superseded, or less important than this."""

    before: datetime
    lighter_than: float


@dataclass(frozen=True, slots=True)
class KnownMessage:
    """A message the session holds."""

    id: str
    message_id: str
    ordinal: int
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class StoredTail:
    """The state of a locked session that matters for a new batch: the next ordinal, the messages whose ids the batch
    uses, and the last and first messages, oldest first; the first ones may be among the last ones too."""

    next_ordinal: int
    known: Mapping[str, KnownMessage]
    tail: Sequence[KnownMessage]
    head: Sequence[KnownMessage] = ()


@dataclass(frozen=True, slots=True)
class SessionState:
    session: Session
    next_ordinal: int
    extracted_through: int


@dataclass(frozen=True, slots=True)
class HeldSession:
    """A session that is locked; `open_id` is of the call that made it. `replay_tokens` are those of its summaries and
    of the messages that none of them covers."""

    open_id: str
    state: SessionState
    stored: StoredTail
    replay_tokens: int


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
class MessageRef:
    """A message by the store's id or the client's, in the session if one is named. The wanted content begins at
    `offset`; `raw` requests it as stored: parts as canonical JSON."""

    id: str
    session_id: str | None = None
    offset: int = 0
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """Most characters of a message's content, and of each other field, which is returned whole or not at all."""

    chars: int
    extras: int


@dataclass(frozen=True, slots=True)
class SummaryFilter:
    """What summaries are limited to; None does not limit."""

    project: str | None = None
    kind: str | None = None
    session_id: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class ChildRef:
    """A part of a summary by its id, with its size."""

    kind: Literal["message", "summary"]
    id: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Described:
    """What is known of a thing without reading it; `chars` is None where it is not a text."""

    preview: str
    chars: int | None
    metadata: Mapping[str, Any]
    counts: Mapping[str, int]
    depths: Mapping[str, int]
    children: tuple[Child, ...]
    child_count: int


@dataclass(frozen=True, slots=True)
class SessionTotals:
    """Totals over an agent's sessions. `by_source` holds the sources with most messages, `sources` counts all."""

    sources: int
    by_source: Mapping[str, int]
    messages: int
    unknown: int
    tokens: int
    rotated_at: datetime | None
    context_window: int | None


@dataclass(frozen=True, slots=True)
class SessionFigures:
    """Counts of a session; those from `analysed` to the means cover the messages that turn analysis has read.
    `starts_with` are the summaries of the sessions before it, `former_ids` those sessions, oldest first."""

    frontier: int
    rotated_at: datetime | None
    active_tokens: int
    compactions: int
    summaries: Mapping[str, int]
    summary_tokens: int
    roles: Mapping[str, int]
    payloads: int
    payload_bytes: int
    memories: int
    unread: int
    parked: str | None
    unembedded: int
    last_message_at: datetime | None
    analysed: int
    shifts: int
    routine_turns: int
    mean_novelty: float | None
    mean_importance: float | None
    starts_with: tuple[str, ...]
    former_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LearnedMemory:
    id: str
    content: str
    type: str
    importance: float
    ordinal: int


@dataclass(frozen=True, slots=True)
class NamedNode:
    """An entity that a name or id resolves to."""

    id: str
    canonical: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Moment:
    """What held at `as_of`, as the store knew at `known_at`; `is_now`: neither was given."""

    as_of: datetime
    known_at: datetime
    is_now: bool = True


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a search; None does not limit. `superseded` includes retired knowledge; `beside` is a session
    whose messages are left out of what the indexes return, without asking them for more."""

    when: Moment
    project: str | None = None
    session_id: str | None = None
    source: str | None = None
    role: str | None = None
    from_: datetime | None = None
    to: datetime | None = None
    superseded: bool = False
    beside: str | None = None

    @property
    def any(self) -> bool:
        return any((self.project, self.session_id, self.source, self.role, self.from_, self.to))


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text to compare with a question: its beginning, the number of `chars` of all of it, and `nearness`, the cosine
    to the question, None without a vector. `session_id`, `ordinal` and `speaker` are those of a message. `eligible`: it
    passes the filters; others are read only as the surroundings of one that does."""

    id: str
    text: str
    chars: int
    nearness: float | None
    at: datetime | None
    feedback: float = 0.0
    session_id: str | None = None
    ordinal: int | None = None
    speaker: str | None = None
    eligible: bool = True


@dataclass(frozen=True, slots=True)
class FactFate:
    """A fact that was drawn from a statement: whether it holds, when it ended, what took its place, and when a person
    deleted it. `places`: which part of the statement says it, as (start, end, length of the text); of a text of another
    length, and without places, all of it does."""

    status: AttributeStatus
    ended: datetime | None
    replaced_by: str | None
    deleted: datetime | None = None
    places: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class StatementSpan:
    """A statement in a text: at `start` to `end`, or wherever its `words` are."""

    words: str | None
    start: int | None
    end: int | None
    facts: tuple[FactFate, ...]


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text as a hit shows it.

    `superseded_by` is the active fact that replaced a superseded text, and `successors` the ids of everything that
    states it now: facts, memories and messages. `about` is the name of the entity of a fact. `said` are the statements
    in a message or a summary; a summary `in_other_words` has them in those of a model. `outdated` are the places in
    `text` that no longer hold. `until`: what holds until what a message says begins, by the ids of all that states it.
    """

    id: str
    kind: HitKind
    text: str
    session_id: str | None
    message_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]
    status: AttributeStatus
    superseded_by: str | None
    successors: frozenset[str]
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime
    about: str | None = None
    said: tuple[StatementSpan, ...] = ()
    in_other_words: bool = False
    outdated: tuple[OutdatedPart, ...] = ()
    until: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OnEntity:
    """What is attached to an entity named in a question: ids, the most important and newest first."""

    entity_id: str
    attribute_ids: tuple[str, ...]
    memory_ids: tuple[str, ...]
    message_ids: tuple[str, ...]
    nearby_attribute_ids: tuple[str, ...] = ()
    """Facts of what it depends on, and of what depends on it."""
    nearby_message_ids: tuple[str, ...] = ()
    """The messages that these were extracted from."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The edges that a bounded walk found, in parallel lists: the end `near` the start, the `far` one, the ids of the
    `edges` and their `confidences`. `looked` is the number of entities it expanded, including those without edges.

    `capped` when a bound cut it: what it found is right, but there may be more.
    """

    near: Sequence[str]
    far: Sequence[str]
    edges: Sequence[str]
    confidences: Sequence[float]
    looked: int
    capped: bool


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
    """Totals over all agents, or of one: nodes by label, what waits, jobs by status, chunks read by level, items that
    extraction dropped, chunks that rules read in place of a model, supersessions by status. `unsealed`: None for one.

    `precision`: the share of right ones among the supersessions that rules found and people judged; None while nobody
    did.
    """

    nodes: dict[str, int]
    unembedded: int
    unsealed: int | None
    jobs: dict[str, int]
    chunks: dict[str, int]
    dropped: int
    fallbacks: int
    supersessions: dict[str, int]
    precision: float | None


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job that this worker holds until its lease ends. `input` is what it was created with, or the mark of its last
    step."""

    id: str
    agent_id: str
    kind: str
    subject_id: str
    input: str
    attempts: int


_UNDONE = 0.99
"""The most progress of a job that is not done."""


@dataclass(frozen=True, slots=True)
class JobStep:
    """What a job came to in one step: `mark` is the input of the next one, None where none is left; then `result` is
    what it did, and `anew` the input with which it begins again if it was asked for meanwhile."""

    mark: Mapping[str, Any] | None = None
    progress: float = 1.0
    result: object = None
    anew: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def on(cls, mark: Mapping[str, Any], done: float, of: float) -> "JobStep":
        """A step behind which work is left: `done` of `of` so far."""
        return cls(mark, min(done / of, _UNDONE) if of else 0.0)


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
    """An event of the chain: its content, the previous hash, and its own."""

    event: Mapping[str, Any]
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class BrokenRetirement:
    """A fact whose retirement is inconsistent.

    `fault`: no successor, in a circle, active (its link is open although it is active), record (it does not agree with
    the link). `link_id` and `new_id` name the link and its target, where there is one.
    """

    id: str
    fault: str
    link_id: str | None
    new_id: str | None


@dataclass(frozen=True, slots=True)
class RawMessage:
    """A message's texts as its node holds them; JSON where `content_kind` is not text, and in tool calls and
    metadata."""

    id: str
    name: str | None
    content: str
    content_kind: str
    tool_calls: str | None
    metadata: str | None
    search_text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class AstrayFact:
    """A fact that is attached to no aspect; `entity`: whether the entity it names exists."""

    id: str
    entity_id: str
    aspect: str
    entity: bool


GrepKind = Literal["message", "summary"]
GrepPlace = tuple[int, str]
"""The place of a text in time: microseconds since 1970, and its id."""


@dataclass(frozen=True, slots=True)
class Said:
    """The content of a message or a summary, as stored; tool calls and parts that are not text are JSON."""

    search_text: str
    name: str | None
    tool_calls: str | None
    parts: str | None


@dataclass(frozen=True, slots=True)
class GrepCandidate:
    """A text in which a pattern may be found, with its time in microseconds. `said` is None where it has too many
    `chars` to be read along."""

    id: str
    at_us: int
    chars: int
    said: Said | None


@dataclass(frozen=True, slots=True)
class GrepFilters:
    """The filters of a search; None does not limit. Times are [from, to)."""

    session_id: str | None = None
    role: str | None = None
    source: str | None = None
    from_: datetime | None = None
    to: datetime | None = None


@dataclass(frozen=True, slots=True)
class WithoutGrams:
    """A text without its grams, or with some made in another way. `node` is the database's own handle, valid for a
    moment."""

    node: str
    said: Said
