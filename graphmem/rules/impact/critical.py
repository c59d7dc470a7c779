"""Single points of failure and critical paths between an entity and those that a change of it affects.

Source: networkx (Lengauer and Tarjan's dominators as Cooper, Harvey and Kennedy compute them; Hopcroft and Tarjan's
articulation points; Brandes' betweenness, of a sample of sources where there are many entities).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import networkx as nx

from graphmem.rules.impact.radius import Edge, Reached

SAMPLED_FROM, SAMPLE, SEED = 300, 60, 1
"""Betweenness is exact up to this many entities; beyond, it uses this many sources, always the same ones."""
PATHS = 10
"""Most critical paths that are listed."""


@dataclass(frozen=True, slots=True)
class Critical:
    """One entity between the start and others; see `CriticalEntity`."""

    id: str
    dominates: int
    carries: int
    articulation: bool
    betweenness: float


def critical(start: str, edges: Iterable[Edge], reached: Sequence[Reached]) -> list[Critical]:
    """The reached entities through which others are reached, those without which most are lost first.

    >>> chain = [Edge("e1", "db", "api", 0.9), Edge("e2", "api", "web", 0.8)]
    >>> walked = [Reached("api", 1, 0.9, ("e1",)), Reached("web", 2, 0.72, ("e1", "e2"))]
    >>> [(one.id, one.dominates, one.carries, one.articulation) for one in critical("db", chain, walked)]
    [('api', 1, 1, True)]
    """
    inside = {start, *(one.id for one in reached)}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(inside))
    # In a fixed order: the sample of sources depends on it.
    kept = sorted(edges, key=lambda edge: edge.id)
    graph.add_edges_from((e.near, e.far) for e in kept if e.near != e.far and {e.near, e.far} <= inside)
    dominated = _dominated(graph, start)
    far_of = {edge.id: edge.far for edge in kept}
    carried = Counter(far_of[edge] for one in reached for edge in one.path[:-1])
    apart = set(nx.articulation_points(graph.to_undirected(as_view=True)))
    sample = SAMPLE if len(inside) > SAMPLED_FROM else None
    between = nx.betweenness_centrality(graph, k=sample, seed=SEED)
    found = [
        Critical(one.id, dominated[one.id], carried[one.id], one.id in apart, round(between[one.id], 6))
        for one in reached
        if dominated[one.id] or carried[one.id]
    ]
    return sorted(found, key=lambda one: (-one.dominates, -one.carries, -one.betweenness, one.id))


def critical_paths(reached: Iterable[Reached], most: int = PATHS) -> list[Reached]:
    """The most confident paths that are not part of a longer one: the longest first, then the most confident.

    >>> walked = [Reached("api", 1, 0.9, ("e1",)), Reached("web", 2, 0.72, ("e1", "e2"))]
    >>> [one.id for one in critical_paths(walked)]
    ['web']
    """
    known = list(reached)
    parts = {one.path[:length] for one in known for length in range(1, len(one.path))}
    whole = [one for one in known if one.path not in parts]
    return sorted(whole, key=lambda one: (-len(one.path), -one.confidence, one.path))[:most]


def _dominated(graph: "nx.DiGraph[str]", start: str) -> Counter[str]:
    """For each entity the number of others that are reached only through it."""
    above = nx.immediate_dominators(graph, start)
    counts: Counter[str] = Counter()
    for node in above:
        over = above[node] if node != start else None
        while over is not None and over != start:
            counts[over] += 1
            over = above[over]
    return counts
