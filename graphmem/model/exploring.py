"""A walk through the graph to rarely used things."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from graphmem.model.inputs import Name
from graphmem.model.knowledge import Entity, EntityType
from graphmem.model.value import Value

MAX_STEPS = 50


class Explore(Value):
    """The same seed leads the same way as long as the graph stays as it is."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"entity": "billing-service", "seed": 7, "steps": 5, "includeCold": True}]}
    )

    entity: Name
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    steps: Annotated[int, Field(ge=1, le=MAX_STEPS)] = 10
    include_cold: bool = False


class ExploredFact(Value):
    id: str
    content: str
    status: Literal["active", "cold"]


class ExploredItem(Value):
    """An entity that the walk came to, from `from_id` over a dependency. `why`: what made it likely to be chosen."""

    id: str
    name: str
    type: EntityType
    status: Literal["active", "cold"]
    from_id: str
    dependency_id: str
    why: dict[str, float]
    facts: tuple[ExploredFact, ...]


class Explored(Value):
    """`steps`: how many were taken; fewer than asked for where nothing new was left within reach."""

    entity: Entity
    seed: int
    steps: int
    items: tuple[ExploredItem, ...]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A neighbour of an entity: how often it was mentioned, and the highest confidence of an edge to it."""

    id: str
    name: str
    type: EntityType
    cold: bool
    mentions: int
    confidence: float
    dependency_id: str
    facts: tuple[ExploredFact, ...] = ()
