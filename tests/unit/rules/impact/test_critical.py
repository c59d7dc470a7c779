"""Single points of failure and critical paths, against taking each entity out."""

import random

import pytest

from graphmem.rules.impact.critical import critical, critical_paths
from graphmem.rules.impact.radius import Edge, radiate


def grown(seed: int) -> list[Edge]:
    chance = random.Random(seed)
    nodes = "abcdefghijkl"[: chance.randint(2, 12)]
    return [
        Edge(f"e{n:02}", chance.choice(nodes), chance.choice(nodes), chance.choice([0.6, 0.8, 1.0]))
        for n in range(chance.randint(1, 20))
    ]


def reachable(edges: list[Edge], without: str | None = None) -> set[str]:
    found, waiting = {"a"}, ["a"]
    while waiting:
        place = waiting.pop()
        for edge in edges:
            if edge.near == place and edge.far not in found and edge.far != without:
                found.add(edge.far)
                waiting.append(edge.far)
    return found


def falls_apart(edges: list[Edge], everything: set[str], without: str) -> bool:
    """Whether what is left hangs together no more, whichever way the arrows point."""
    both = [*edges, *(Edge(edge.id, edge.far, edge.near, edge.confidence) for edge in edges)]
    inside = [edge for edge in both if {edge.near, edge.far} <= everything]
    return reachable(inside, without=without) != everything - {without}


@pytest.mark.parametrize("seed", range(60))
def test_an_entity_dominates_those_that_are_lost_when_it_is_taken_out(seed: int) -> None:
    edges = grown(seed)
    reached = radiate("a", edges, 30)
    told = {one.id: one for one in critical("a", edges, reached)}
    everything = reachable(edges)
    for one in reached:
        lost = everything - reachable(edges, without=one.id) - {one.id}
        assert (told[one.id].dominates if one.id in told else 0) == len(lost)
        passed = sum(one.id in {edge.far for edge in edges if edge.id in other.path[:-1]} for other in reached)
        assert (told[one.id].carries if one.id in told else 0) == passed
        assert one.id not in told or told[one.id].articulation == falls_apart(edges, everything, one.id)
    order = [(-one.dominates, -one.carries) for one in critical("a", edges, reached)]
    assert order == sorted(order)


def test_betweenness_of_many_entities_is_the_same_each_time() -> None:
    edges = [Edge(f"e{n:04}", "a" if n < 5 else f"n{n // 3}", f"n{n}", 0.9) for n in range(1200)]
    reached = radiate("a", edges, 30)
    assert len(reached) > 300
    assert critical("a", edges, reached) == critical("a", list(reversed(edges)), reached)


def test_critical_paths_are_the_longest_and_no_part_of_another() -> None:
    chain = [Edge("e1", "a", "b", 0.9), Edge("e2", "b", "c", 0.9), Edge("e3", "a", "d", 1.0), Edge("e4", "b", "e", 0.8)]
    assert [one.id for one in critical_paths(radiate("a", chain, 5))] == ["c", "e", "d"]
    assert [one.id for one in critical_paths(radiate("a", chain, 5), most=1)] == ["c"]
    assert critical_paths([]) == []
