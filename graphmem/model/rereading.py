"""Reading sessions again: what was extracted from messages before, and what is added and removed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.change import Change
from graphmem.model.knowledge import DependencyType

REEXTRACTION = "re-extraction"
"""The cold reason of what a newer extractor no longer finds."""

FactIs = tuple[str, str]
"""A fact by the id of its entity (its canonical name, while it has none) and its words, normalised."""
EdgeIs = tuple[str, str, DependencyType]
"""An edge by its ends, as in `FactIs`, and its type."""


@dataclass(frozen=True, slots=True)
class ReadSession:
    """A session whose messages before `through` were read by an extractor; None: by several, or unknown."""

    project: str | None
    source: str
    through: int
    extractor: str | None
    archived_at: datetime | None


@dataclass(frozen=True, slots=True)
class DrawnMemory:
    id: str
    content: str
    status: str
    cold_reason: str | None
    corrected: bool


@dataclass(frozen=True, slots=True)
class DrawnFact:
    """`memory_ids` are those of the memories extracted from the same messages."""

    id: str
    entity_id: str
    content: str
    status: str
    cold_reason: str | None
    memory_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    id: str
    source_id: str
    target_id: str
    type: DependencyType
    status: str
    memory_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class DrawnBefore:
    """Everything extracted from some messages, in any state. `mentions` are (message, entity, start, end); `away` are
    the cold reasons of the requested entities that are in the cold tier."""

    memories: tuple[DrawnMemory, ...]
    facts: tuple[DrawnFact, ...]
    edges: tuple[DrawnEdge, ...]
    mentions: frozenset[tuple[str, str, int, int]]
    away: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """What an extractor finds: memories by their content keys, entities by id."""

    memories: frozenset[str] = frozenset()
    facts: frozenset[FactIs] = frozenset()
    edges: frozenset[EdgeIs] = frozenset()
    entities: frozenset[str] = frozenset()

    def __or__(self, other: "Found") -> "Found":
        return Found(
            self.memories | other.memories,
            self.facts | other.facts,
            self.edges | other.edges,
            self.entities | other.entities,
        )


@dataclass(frozen=True, slots=True)
class Part:
    """How far a session is read again: its messages before `start`, with all that was found in them, and the words of
    what was added."""

    start: int = 0
    messages: int = 0
    found: Found = field(default_factory=Found)
    memories: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    edges: int = 0


@dataclass(frozen=True, slots=True)
class Again:
    """The result of reading a chunk again: `change` is what is new; `memories` and `facts` are ids of what is restored,
    because only an extractor in between did not find it."""

    found: Found
    change: Change
    memories: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def brings_news(self) -> bool:
        change = self.change
        parts = (change.entities, change.memories, change.attributes, change.dependencies, change.mentions)
        return any(parts) or bool(self.memories or self.facts)


@dataclass(frozen=True, slots=True)
class SessionGave:
    """What was extracted from a session: id to what it is, for `Found`; `texts` are the words by id. Of these ids,
    `free` may be removed, and `lost` are marked as no longer said by the session."""

    memories: Mapping[str, str]
    facts: Mapping[str, FactIs]
    edges: Mapping[str, EdgeIs]
    entities: Mapping[str, str]
    texts: Mapping[str, str]
    free: frozenset[str]
    lost: frozenset[str]


@dataclass(frozen=True, slots=True)
class Going:
    """Ids of what is no longer found."""

    memories: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()


Note = tuple[str, bool]
"""An id, and whether the session no longer says it."""


@dataclass(frozen=True, slots=True)
class Notes:
    """The marks to write on what stays."""

    memories: tuple[Note, ...]
    facts: tuple[Note, ...]
    edges: tuple[Note, ...]
    entities: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Reread:
    """What reading a session again does, or would do: the words of memories and facts added and removed, counts of
    dependencies, names of entities removed. `unchanged`: the extractor has read it already."""

    session_id: str
    messages: int = 0
    unchanged: bool = False
    memories_added: tuple[str, ...] = ()
    facts_added: tuple[str, ...] = ()
    edges_added: int = 0
    memories_gone: tuple[str, ...] = ()
    facts_gone: tuple[str, ...] = ()
    edges_gone: int = 0
    entities_gone: tuple[str, ...] = field(default=())

    @property
    def changes(self) -> bool:
        added = self.memories_added or self.facts_added or self.edges_added
        return bool(added or self.memories_gone or self.facts_gone or self.edges_gone or self.entities_gone)
