"""Walking: what depends on a thing, within caps. Blast radius and provenance are this walk, over different edges.

The graph returns the edges of a bounded walk, nearest first; the distance and path of each thing are computed from
them. Where a walk takes too long, a shorter one is used and reported.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from graphmem.errors import DatabaseBusy
from graphmem.model.stored import Walk
from graphmem.rules.impact import radius

CAPS = ((5_000, 20_000), (300, 1_000))
"""Most things expanded and most edges found; the second pair where the first took too long."""
Met = Callable[[int, int], Awaitable[Walk]]
"""The edges of a walk within these numbers of expanded things and of edges. Errors: DatabaseBusy when it takes too
long."""


@dataclass(frozen=True)
class Walked:
    """`capped`: there may be more than was reached."""

    edges: list[radius.Edge]
    reached: dict[str, radius.Reached]
    capped: bool


async def walked(
    start: str,
    met: Met,
    max_depth: int,
    *,
    min_path_confidence: float = 0.0,
    caps: Sequence[tuple[int, int]] = CAPS,
) -> Walked:
    """What is reached from the start. Errors: DatabaseBusy where even the narrowest caps take too long."""
    walk = await _met(met, caps)
    edges = list(map(radius.Edge, walk.edges, walk.near, walk.far, walk.confidences))
    reached = radius.radiate(start, edges, max_depth, min_path_confidence)
    if walk.capped and min_path_confidence:
        reached = radius.sound(start, edges, reached)
    return Walked(edges, {found.id: found for found in reached}, walk.capped)


async def _met(met: Met, caps: Sequence[tuple[int, int]]) -> Walk:
    for node_cap, edge_cap in caps:
        try:
            return await met(node_cap, edge_cap)
        except DatabaseBusy as error:
            busy = error
    raise busy
