"""A graph to import: lines as an export writes them, or written by hand."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints

from graphmem.model.claims import Claim, Polarity
from graphmem.model.inputs import Aliases, Instant, Name, Slot, Text
from graphmem.model.knowledge import AttributeKind, Confidence, DependencyType, EntityType
from graphmem.model.value import Value

Id = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Level = Annotated[int, Field(ge=1, le=3)]


def _named(end: object) -> object:
    """The name of an endpoint that is given with its id."""
    return end.get("name") if isinstance(end, dict) else end


End = Annotated[Name, BeforeValidator(_named)]


class Line(Value):
    """A line of a graph. Fields that a later version may add are ignored."""

    model_config = ConfigDict(extra="ignore")


class EntityLine(Line):
    record: Literal["entity"]
    name: Name
    id: Id | None = None
    type: EntityType = EntityType.UNKNOWN
    aliases: Aliases = ()
    pinned: bool = False


class FactLine(Line):
    """`entity`: the name of its entity; an export refers to it by the id of an earlier entity line. `claims` are those
    of an export; without them `slot`, `value`, `scope` and `polarity` are a claim as `remember` takes it."""

    record: Literal["attribute"]
    content: Annotated[Text, StringConstraints(max_length=10_000_000)]
    aspect: Name = "general"
    id: Id | None = None
    entity: Name | None = None
    entity_id: Id | None = None
    kind: AttributeKind = "attribute"
    status: str = "active"
    claim_key: Name | None = None
    confidence: Confidence = 1.0
    importance: Confidence = 0.5
    pinned: bool = False
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    extraction_level: Level = 1
    memory_ids: tuple[Id, ...] = ()
    slot: Slot | None = None
    value: Text | None = None
    scope: tuple[Name, ...] = ()
    polarity: Polarity = "positive"
    claims: tuple[Claim, ...] = ()
    said_at: Instant | None = None


class EdgeLine(Line):
    """`source` needs `target`."""

    record: Literal["dependency"] = "dependency"
    source: End
    target: End
    id: Id | None = None
    type: DependencyType = DependencyType.DEPENDS_ON
    confidence: Confidence | None = None
    strength: Confidence | None = None
    reason: Annotated[str, StringConstraints(max_length=10_000_000)] | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    extraction_level: Level = 1


GraphLine = EntityLine | FactLine | EdgeLine


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """An edge to create, between canonical names; `id` is used only if there is none of its type yet."""

    id: str
    source: str
    target: str
    type: str
    confidence: float | None
    strength: float | None
    reason: str | None
    valid_from: datetime | None
    extraction_level: int


class LineError(Value):
    """What is wrong with a line; lines count from 1."""

    line: int
    message: str


class Counted(Value):
    created: int = 0
    there: int = 0
    """Those that existed before; dependencies are updated with what the file gives."""


class ImportReport(Value):
    """What became of the lines. A batch with an error in it is left out as a whole, and all its lines are
    `not_written`; `skipped` counts facts and dependencies that no longer hold. `errors` are the first hundred of
    `errors_total`."""

    lines: int
    entities: Counted
    attributes: Counted
    dependencies: Counted
    skipped: int
    not_written: int
    errors: tuple[LineError, ...]
    errors_total: int
