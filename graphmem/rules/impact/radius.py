"""Blast radius: from the edges of a bounded walk to the reached entities, with distance, confidence and path.

Source: hop-bounded max-product relaxation. A path of more edges can be more confident, so the best path *within* a
depth is searched level by level; a shortest-path search on logarithms would answer another question.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import groupby
from typing import Literal, NamedTuple

from graphmem.model.answers import AffectedEntity, ImpactGroup, ImpactReport
from graphmem.model.inputs import Direction
from graphmem.model.knowledge import Entity

Label = Literal["WILL BREAK", "LIKELY AFFECTED", "MAY NEED TESTING"]


class Edge(NamedTuple):
    """An edge of the walk: `near` is the end closer to the start, `far` the other one. A walk has up to twenty
    thousand, and tuples are created five times as fast as other values."""

    id: str
    near: str
    far: str
    confidence: float


class Reached(NamedTuple):
    """An entity the walk reaches. `depth` is of the shortest path, `confidence` and `path` (edge ids from the start
    outwards) of the most confident one; of equally confident paths the shorter, then the one with the smaller ids."""

    id: str
    depth: int
    confidence: float
    path: tuple[str, ...]


def label(depth: int) -> Label:
    """What a change means at this distance. Source: GitNexus, by way of the lossless context patterns."""
    return "WILL BREAK" if depth == 1 else "LIKELY AFFECTED" if depth == 2 else "MAY NEED TESTING"


def radiate(start: str, edges: Iterable[Edge], max_depth: int, min_path_confidence: float = 0.0) -> list[Reached]:
    """Everything that some path of at most `max_depth` edges joins to the start, in order of id; the start itself is
    never in it.

    >>> edges = [Edge("e1", "db", "api", 0.9), Edge("e2", "api", "web", 0.8)]
    >>> [(reached.id, reached.depth, round(reached.confidence, 2)) for reached in radiate("db", edges, 3)]
    [('api', 1, 0.9), ('web', 2, 0.72)]
    """
    outward = _strongest(edges, start)
    best: dict[str, Reached] = {}
    surest: dict[str, float] = {}
    level = [Reached(start, 0, 1.0, ())]
    for depth in range(1, max_depth + 1):
        # All candidates of a level have equally many edges, so that among equally confident ones the path so far, then
        # the edge, decides; whole paths are built for the winners only.
        found: dict[str, tuple[float, tuple[str, ...], str]] = {}
        for near, _, so_far, path in level:
            for id_, _, far, sure in outward.get(near, ()):
                confidence = so_far * sure
                # Only improvements propagate: a longer path that is not more confident improves nothing further on.
                if confidence < min_path_confidence or confidence <= surest.get(far, -1.0):
                    continue
                other = found.get(far)
                if (
                    other is None
                    or confidence > other[0]
                    or (confidence == other[0] and (path, id_) < (other[1], other[2]))
                ):
                    found[far] = (confidence, path, id_)
        level = []
        for far, (confidence, path, last) in found.items():
            surest[far] = confidence
            best[far] = Reached(far, best[far].depth if far in best else depth, confidence, (*path, last))
            level.append(best[far])
    return [best[far] for far in sorted(best)]


def sound(start: str, edges: Sequence[Edge], reached: Iterable[Reached]) -> list[Reached]:
    """The entities of a capped walk whose depth is certain.

    It expands the nearest entities first, so that all levels before that of the farthest with an edge were expanded
    completely. An entity at the limit may have been reached by a detour while the direct path is beyond the cut: such a
    depth would be too great.
    """
    outward = _strongest(edges, start)
    levels, level = {start: 0}, [start]
    while level:
        level = [edge.far for near in level for edge in outward.get(near, ()) if edge.far not in levels]
        levels |= dict.fromkeys(level, max(levels.values()) + 1)
    farthest = max((levels.get(edge.near, 0) for edge in edges), default=0)
    return [one for one in reached if one.depth <= farthest + 1]


def merge(walks: Iterable[Mapping[str, Reached]]) -> dict[str, Reached]:
    """The union of several walks: the smallest depth, and the most confident path."""
    union: dict[str, Reached] = {}
    for walk in walks:
        for id_, reached in walk.items():
            other = union.get(id_)
            if other is None:
                union[id_] = reached
                continue
            winner = reached if _better(reached, other) else other
            union[id_] = Reached(id_, min(reached.depth, other.depth), winner.confidence, winner.path)
    return union


def nearest(reached: Iterable[Reached], limit: int) -> list[Reached]:
    """The first ones up to a limit: by depth, then by confidence, the highest first, then by id."""
    return nsmallest(limit, reached, key=lambda one: (one.depth, -one.confidence, one.id))


def report(
    entity: Entity, direction: Direction, listed: Sequence[AffectedEntity], total: int, *, capped: bool
) -> ImpactReport:
    """The listed entities, in order, in a group for each depth; `total` includes those not listed."""
    return ImpactReport(
        entity=entity,
        direction=direction,
        groups=tuple(
            ImpactGroup(depth=depth, label=label(depth), entities=tuple(entities))
            for depth, entities in groupby(listed, key=lambda one: one.depth)
        ),
        total=total,
        total_is_lower_bound=capped,
        truncated=capped or total > len(listed),
    )


def _strongest(edges: Iterable[Edge], start: str) -> dict[str, list[Edge]]:
    """The most confident of parallel edges, without self-loops and edges back to the start, by their near end."""
    kept: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        if edge.far in (edge.near, start):
            continue
        other = kept.get((edge.near, edge.far))
        if other is None or (-edge.confidence, edge.id) < (-other.confidence, other.id):
            kept[edge.near, edge.far] = edge
    outward: dict[str, list[Edge]] = {}
    for edge in kept.values():
        outward.setdefault(edge.near, []).append(edge)
    return outward


def _better(candidate: Reached, other: Reached | None) -> bool:
    return other is None or (-candidate.confidence, len(candidate.path), candidate.path) < (
        -other.confidence,
        len(other.path),
        other.path,
    )
