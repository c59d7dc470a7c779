"""What extraction finds in messages, before anything is compared with the graph."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.model.claims import Claim
from graphmem.model.knowledge import AttributeKind, Confidence, DependencyType, EntityType, MemoryType
from graphmem.model.value import Value


class SourceSpan(Value):
    """Where something was said: the index of the message in the input, and code points [start, end) of its text."""

    message: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """In code points."""
        return self.end - self.start


class ExtractedEntity(Value):
    """A named thing. `name` is the best surface form; `mentions` lists every place that names it. `aliases` are its
    other names, of which somebody said `stated` ones to be so."""

    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    mentions: tuple[SourceSpan, ...]


class Statement(Value):
    """A sentence worth keeping, made absolute: names for I and my, dates for yesterday. It becomes a memory.

    `again`: where an assistant says the same in acknowledging it.
    """

    content: str
    type: MemoryType
    importance: Confidence
    source: SourceSpan
    again: tuple[SourceSpan, ...] = ()
    valid_from: datetime | None = None


class ExtractedAttribute(Value):
    """A fact or rule about `entity` (a name in `Extraction.entities`), said in `statement` (an index).

    `claim_key` names the slot the fact fills when it fills one, such as `lives_in` or `uses:primary database`. `claims`
    are those of the clause that says it, which is at `clause` in the message and at `worded` in the statement; None for
    all of it. `still`: it is said to hold since `valid_from`, when it is said.
    """

    entity: str
    aspect: str
    content: str
    kind: AttributeKind
    confidence: Confidence
    importance: Confidence
    statement: int
    claim_key: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    still: bool = False
    claims: tuple[Claim, ...] = ()
    basis: str = ""
    clause: tuple[int, int] | None = None
    worded: tuple[int, int] | None = None


class ExtractedDependency(Value):
    """`source` needs `target` (both names in `Extraction.entities`), said in `statement` (an index) and in those of
    `also`. `basis`: what its confidence rests on, in words; of facts too."""

    source: str
    target: str
    type: DependencyType
    confidence: Confidence
    strength: Confidence
    reason: str
    statement: int
    also: tuple[int, ...] = ()
    valid_from: datetime | None = None
    basis: str = ""


class Extraction(Value):
    """Everything extracted from a chunk of messages. `level` is the level of the escalation ladder (1 to 3); `dropped`
    counts the items it cut. `claims` are those of all clauses, whether or not a fact is kept of them."""

    entities: tuple[ExtractedEntity, ...] = ()
    statements: tuple[Statement, ...] = ()
    attributes: tuple[ExtractedAttribute, ...] = ()
    dependencies: tuple[ExtractedDependency, ...] = ()
    claims: tuple[Claim, ...] = ()
    level: int = 1
    dropped: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return not (self.entities or self.statements or self.attributes or self.dependencies)


class SourceMessage(Value):
    """A message to extract from. `name` is the speaker's, if known; `created_at` carries the time zone of its dates."""

    role: str
    text: str
    name: str | None = None
    created_at: datetime | None = None


class Limits(Value):
    """How many new items one chunk may yield before extraction gets stricter.

    `max_strict_entities` applies from level 2 on; `max_new_constraints` is for all entities together. `by_type`
    replaces `max_new_attributes_per_entity` for entities of a type. `max_items` bounds statements, attributes and
    dependencies, each, at any level, known or not; also the entities that these do not name, and the mentions listed
    for one entity.
    """

    max_new_entities: int = Field(default=10, ge=0)
    max_new_attributes_per_entity: int = Field(default=20, ge=0)
    max_strict_entities: int = Field(default=5, ge=0)
    max_new_constraints: int = Field(default=20, ge=0)
    by_type: Mapping[EntityType, Annotated[int, Field(ge=0)]] = {}
    max_items: int = Field(default=200, ge=0)
