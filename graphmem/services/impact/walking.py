"""Walking: what hangs on a thing, within caps. Blast radius and provenance are this walk, over other edges.

The graph gives the edges that a bounded walk meets, nearest first; how far each thing is, and by which path, is worked
out from them. Where a walk takes too long, a shorter one answers, and says so.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from graphmem.errors import DatabaseBusy
from graphmem.model.stored import Walk
from graphmem.rules.impact import radius

CAPS = ((5_000, 20_000), (300, 1_000))
"""Things looked behind and edges met; the second where the first took too long."""
Met = Callable[[int, int], Awaitable[Walk]]
"""The edges met within so many things looked behind and so many edges. Errors: DatabaseBusy when it takes too long."""


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
    """What is reached from the start. Errors: DatabaseBusy where the narrowest caps take too long as well."""
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
