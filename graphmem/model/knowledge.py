"""What is known: entities, the facts about them, the dependencies between them, and the statements they came from."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from graphmem.model.claims import Claim as ClauseClaim
from graphmem.model.claims import Mood, Polarity
from graphmem.model.value import Value

Confidence = Annotated[float, Field(ge=0, le=1)]


class EntityType(StrEnum):
    """The closed list of what an entity can be."""

    PERSON = "person"
    PROJECT = "project"
    SYSTEM = "system"
    TOOL = "tool"
    CONCEPT = "concept"
    SKILL = "skill"
    TASK = "task"
    ORGANISATION = "organisation"
    PLACE = "place"
    FILE = "file"
    MODULE = "module"
    SYMBOL = "symbol"
    PACKAGE = "package"
    CLASS = "class"
    FUNCTION = "function"
    SERVICE = "service"
    ENDPOINT = "endpoint"
    OWNER = "owner"
    UNKNOWN = "unknown"


OF_REPOSITORIES = frozenset(
    {EntityType.CLASS, EntityType.FUNCTION, EntityType.SERVICE, EntityType.ENDPOINT, EntityType.OWNER}
)
"""Types that only the reading of a repository can establish: extraction from conversations never uses them."""


class DependencyType(StrEnum):
    """The closed list of dependency types. The arrow always says: the source needs the target."""

    USES = "uses"
    REQUIRES = "requires"
    DEPENDS_ON = "depends_on"
    OWNED_BY = "owned_by"
    BLOCKS = "blocks"
    INFORMS = "informs"
    PART_OF = "part_of"
    PRODUCES = "produces"
    CONSUMES = "consumes"
    RELATED_TO = "related_to"
    IMPORTS = "imports"
    INHERITS = "inherits"
    CALLS = "calls"


ColdReason = Literal["deleted", "retention", "source", "session", "re-extraction"]
"""Why something is cold or deleted: a person requested it, retention took it, its source went, or a newer extractor no
longer finds it there."""
AttributeKind = Literal["attribute", "constraint"]


class OutdatedPart(Value):
    """A part of a text that no longer holds, code points `start` to `end`: since when, and the fact that took its
    place, where there is one."""

    start: int
    end: int
    since: datetime | None
    replaced_by: str | None


AttributeStatus = Literal["active", "superseded", "deleted", "cold"]
MemoryStatus = Literal["active", "superseded", "cold"]
MemoryType = Literal["fact", "decision", "preference", "constraint", "event"]
SignalName = Literal["negation", "antonym", "value_conflict", "temporal", "semantic"]
SupersessionStatus = Literal["proposed", "applied", "rejected", "undone"]
SupersessionMethod = Literal["heuristic", "claim", "semantic", "user"]
MergeStatus = Literal["proposed", "applied", "rejected", "undone"]
MergeMethod = Literal["user", "similar_name", "stated"]
BlockedBy = Literal["constraint", "older", "different_slot", "plan", "question", "quote", "scope", "pinned", "explicit"]


class Entity(Value):
    id: str
    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    pinned: bool = False
    status: Literal["active", "cold"] = "active"


class EntityCounts(Entity):
    """An entity in a list: how often it is named, and what hangs on it (active items only)."""

    mentions: int
    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int


class NamedRef(Value):
    id: str
    name: str


class Attribute(Value):
    """One fact (`attribute`) or rule (`constraint`) about an entity, with both times it lives in.

    `valid_from`/`valid_to`: true in the world, half-open. `created_at`/`retired_at`: believed by the store.
    `cold_source_id`: the memory with which a cold fact went away, or the fact that lives on in its place. `slot` to
    `mood` are what it claims; `slot` is null where nothing comparable was read in it.
    """

    id: str
    content: str
    kind: AttributeKind
    status: AttributeStatus
    entity_id: str
    aspect: str
    claim_key: str | None
    confidence: Confidence
    importance: Confidence
    pinned: bool
    valid_from: datetime
    valid_to: datetime | None
    created_at: datetime
    retired_at: datetime | None
    superseded_by: str | None
    memory_ids: tuple[str, ...]
    message_ids: tuple[str, ...]
    extraction_level: int
    cold_source_id: str | None = None
    slot: str | None = None
    value: str | None = None
    scope: tuple[str, ...] = ()
    polarity: Polarity = "positive"
    mood: Mood = "stated"


class ExportedFact(Attribute):
    """A fact with all that other facts are compared with: what its clauses claim, and until when it is said to hold at
    least, where that is after `valid_from`."""

    claims: tuple[ClauseClaim, ...] = ()
    said_at: datetime | None = None


class Dependency(Value):
    """`source` needs `target`. `message_ids` name where it was said; empty for a dependency put by hand.
    `extraction_level` is how strictly they had to be read, 1 for one put by hand."""

    id: str
    source: NamedRef
    target: NamedRef
    type: DependencyType
    confidence: Confidence
    strength: Confidence
    reason: str | None
    valid_from: datetime
    valid_to: datetime | None
    message_ids: tuple[str, ...]
    extraction_level: int


class Memory(Value):
    """One statement worth keeping: given to `remember`, a sentence of a message that extraction kept, or a passage in a
    file of a repository.

    `superseded_by`: the statement that corrects it. The `cold_` fields say since when and why it is in the cold tier,
    and which memory took its place.
    """

    id: str
    content: str
    type: MemoryType | Literal["passage"]
    status: MemoryStatus
    importance: Confidence
    pinned: bool
    project: str | None
    valid_from: datetime
    valid_to: datetime | None
    created_at: datetime
    attribute_ids: tuple[str, ...]
    message_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]
    superseded_by: str | None = None
    cold_at: datetime | None = None
    cold_reason: ColdReason | None = None
    cold_source_id: str | None = None


class Signal(Value):
    """One reason to think that two statements contradict each other; `evidence` quotes the words that fired it."""

    name: SignalName
    confidence: Confidence
    evidence: str


class Supersession(Value):
    id: str
    old_id: str
    new_id: str
    signals: tuple[Signal, ...]
    confidence: Confidence
    method: SupersessionMethod
    status: SupersessionStatus
    reason: str | None
    created_at: datetime
    decided_at: datetime | None


class Merge(Value):
    """Two entities that are one, or may be: `from_id` steps back behind `into_id`, which keeps all that both had.

    `reason`: what a person said, or how the names resemble each other; `method` is `stated` where somebody
    said that they are one.
    """

    id: str
    from_id: str
    from_name: str | None
    into_id: str
    into_name: str | None
    status: MergeStatus
    method: MergeMethod
    reason: str | None
    created_at: datetime
    decided_at: datetime | None


class Contradiction(Value):
    """Verdict on two statements. `conflict` is true when the strongest signal reaches the threshold and nothing
    blocks."""

    conflict: bool
    confidence: Confidence
    signals: tuple[Signal, ...]
    blocked_by: BlockedBy | None = None


class Claim(Value):
    """One side of a contradiction check."""

    content: str
    created_at: datetime | None = None
    kind: AttributeKind = "attribute"
