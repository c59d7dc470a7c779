"""What merging two entities moves, and what is recorded so that it can be undone."""

from dataclasses import dataclass
from typing import Any, Literal

End = Literal["source", "target"]


@dataclass(frozen=True, slots=True)
class Ends:
    """A merge by its id, with the entity that is hidden and the survivor."""

    from_id: str
    into_id: str
    merge_id: str


@dataclass(frozen=True, slots=True)
class HeldAspect:
    id: str
    canonical: str
    weight: float


@dataclass(frozen=True, slots=True)
class HeldFact:
    """A fact that was stated for several aspects is attached to each of them."""

    id: str
    aspect_ids: tuple[str, ...]
    content: str
    active: bool


@dataclass(frozen=True, slots=True)
class HeldEdge:
    id: str
    source_id: str
    target_id: str
    type: str
    confidence: float
    strength: float
    active: bool


@dataclass(frozen=True, slots=True)
class Holdings:
    """Everything attached to one entity: canonical names, aspects, facts and edges of any status."""

    names: tuple[str, ...]
    aspects: tuple[HeldAspect, ...]
    facts: tuple[HeldFact, ...]
    edges: tuple[HeldEdge, ...]


@dataclass(frozen=True, slots=True)
class FactMove:
    """A fact that moves to aspects; `key` is the one it has there while it is active."""

    id: str
    aspect_ids: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True)
class EdgeMove:
    """An edge that gets these ends; `key` is the one it has there while it is active."""

    id: str
    source_id: str
    target_id: str
    key: str


@dataclass(frozen=True, slots=True)
class Reweighed:
    """An aspect whose weight becomes `weight` if it is `expected`."""

    id: str
    expected: float
    weight: float


@dataclass(frozen=True, slots=True)
class Union:
    """`id` becomes part of `kept_id`; None for an edge that would lead from an entity to itself."""

    id: str
    kept_id: str | None


@dataclass(frozen=True, slots=True)
class MergePlan:
    """What happens to everything attached to two entities that become one. `places` gives the former aspects of each
    fact, `ends` which endpoints of each edge moved."""

    names: tuple[str, ...]
    aspects: tuple[str, ...]
    weights: tuple[Reweighed, ...]
    facts: tuple[FactMove, ...]
    places: dict[str, tuple[str, ...]]
    twins: tuple[Union, ...]
    edges: tuple[EdgeMove, ...]
    ends: dict[str, tuple[End, ...]]
    parallel: tuple[Union, ...]


@dataclass(frozen=True, slots=True)
class United:
    """What a union did: `kept_id` was `before` and is `after`, as far as the union changed it."""

    id: str
    kept_id: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Parting:
    """A union that is undone; `key` is that of the part that is separate again."""

    union: United
    key: str


@dataclass(frozen=True, slots=True)
class Journal:
    """What a merge did, as it is stored with it. `facts` names the aspects of each fact, `edges` which ends moved;
    `before` and `after` are the survivor's."""

    names: tuple[str, ...]
    aspects: tuple[str, ...]
    weights: tuple[Reweighed, ...]
    facts: dict[str, tuple[str, ...]]
    twins: tuple[United, ...]
    edges: dict[str, tuple[End, ...]]
    parallel: tuple[United, ...]
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PartingPlan:
    """The undoing of a merge: what goes back to the merged entity, and what is separate again."""

    facts: tuple[FactMove, ...]
    twins: tuple[Parting, ...]
    edges: tuple[EdgeMove, ...]
    parallel: tuple[Parting, ...]
    weights: tuple[Reweighed, ...]
