"""What breaks if: questions about planned changes, and the single points of failure around an entity."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field, model_validator

from graphmem.model.answers import AffectedEntity
from graphmem.model.inputs import Direction, Limit, Name
from graphmem.model.knowledge import Attribute, Confidence, Dependency, DependencyType, Entity, EntityType, NamedRef
from graphmem.model.value import Value

Depth = Annotated[int, Field(ge=1, le=10)]
Types = Annotated[tuple[DependencyType, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Support:
    """Something that a fact supports, and how much else supports it."""

    id: str
    others: int


class WhatIf(Value):
    """What would be, if this fact were superseded or this dependency removed: one of the two."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"dependencyId": "0199aaaa-0000-7000-8000-000000000000", "maxDepth": 3}]}
    )

    attribute_id: Name | None = None
    dependency_id: Name | None = None
    min_confidence: Confidence = 0.7
    max_depth: Depth = 3
    types: Types | None = None
    limit: Limit = 100

    @model_validator(mode="after")
    def _one(self) -> "WhatIf":
        if (self.attribute_id is None) == (self.dependency_id is None):
            raise ValueError("give attributeId or dependencyId, one of the two")
        return self


class CriticalQuestion(Value):
    """`limit`: of the entities that are listed."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entityId": "PostgreSQL", "maxDepth": 5}]})

    entity_id: Name
    direction: Direction = "upstream"
    min_confidence: Confidence = 0.7
    max_depth: Depth = 3
    types: Types | None = None
    limit: Limit = 20


class Weakened(Value):
    """An entity that is reached before and after, but less surely or from farther."""

    id: str
    name: str
    type: EntityType
    depth_before: int
    depth: int
    confidence_before: float
    confidence: float


class Loosened(Value):
    """What no longer hangs on `entity`: `lost` loses its last path to it, of `weakened` a worse one is left."""

    entity: NamedRef
    lost: tuple[AffectedEntity, ...]
    weakened: tuple[Weakened, ...]
    total_lost: int
    total_weakened: int


class StatedMemory(Value):
    id: str
    content: str


class WhatIfReport(Value):
    """What a change would do; nothing is written. `dependencies` would end, for nothing else bears them, `supported`
    would stay; `memories` would state nothing that holds any more. `text` is all of it as Markdown."""

    attribute: Attribute | None
    dependencies: tuple[Dependency, ...]
    supported: tuple[Dependency, ...]
    memories: tuple[StatedMemory, ...]
    changes: tuple[Loosened, ...]
    truncated: bool
    text: str


class CriticalEntity(Value):
    """An entity through which others are reached. `dominates`: so many are reached in no other way; `carries`: on so
    many most confident paths it stands between; `articulation`: without it the radius falls apart, whichever way the
    arrows point; `betweenness`: its share of all shortest paths, 0–1."""

    id: str
    name: str
    type: EntityType
    dominates: int
    carries: int
    articulation: bool
    betweenness: float


class CriticalPath(Value):
    """A most confident path that is no part of a longer one, from the start outwards."""

    confidence: float
    path: tuple[Dependency, ...]


class CriticalReport(Value):
    """`single_points`: entities without which others are not reached, those with most behind them first. `entities`
    and `edges` count the radius that was looked at, of which `truncated` says whether a cap cut it."""

    entity: Entity
    direction: Direction
    entities: int
    edges: int
    single_points: tuple[CriticalEntity, ...]
    critical_paths: tuple[CriticalPath, ...]
    truncated: bool
    text: str
