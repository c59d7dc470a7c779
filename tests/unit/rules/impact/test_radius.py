"""Blast radius, against a walk that tries every path, and against networkx."""

import itertools
import math
import random
from collections.abc import Iterator

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.impact.radius import Edge, Reached, label, merge, nearest, radiate, sound


def edges(text: str) -> list[Edge]:
    """`"a>b .9, b>c .8"`: walked from a to b with confidence .9, and so on; ids by place."""
    found = []
    for n, part in enumerate(text.split(",")):
        way, confidence = part.split()
        near, far = way.split(">")
        found.append(Edge(f"e{n}", near, far, float(confidence)))
    return found


def shown(reached: list[Reached]) -> dict[str, tuple[int, float]]:
    return {one.id: (one.depth, round(one.confidence, 6)) for one in reached}


def test_labels_follow_the_depth() -> None:
    assert [label(depth) for depth in (1, 2, 3, 4, 10)] == [
        "WILL BREAK",
        "LIKELY AFFECTED",
        "MAY NEED TESTING",
        "MAY NEED TESTING",
        "MAY NEED TESTING",
    ]


def test_confidence_is_of_the_best_path_and_depth_of_the_shortest() -> None:
    walked = radiate("a", edges("a>c .5, a>b .9, b>c .9"), 3)
    assert shown(walked) == {"b": (1, 0.9), "c": (1, 0.81)}
    assert walked[1].path == ("e1", "e2")


def test_a_path_longer_than_the_depth_does_not_count() -> None:
    assert shown(radiate("a", edges("a>b .9, b>c .9, c>d .9"), 2)) == {"b": (1, 0.9), "c": (2, 0.81)}
    assert shown(radiate("a", edges("a>c .5, a>b .9, b>c .9"), 1)) == {"c": (1, 0.5), "b": (1, 0.9)}


def test_the_start_self_loops_and_the_weaker_of_parallel_edges_never_count() -> None:
    walked = radiate("a", edges("a>a 1, a>b .6, a>b .8, b>b 1, b>a 1"), 5)
    assert shown(walked) == {"b": (1, 0.8)}
    assert walked[0].path == ("e2",)


def test_a_bound_on_the_path_is_inclusive() -> None:
    chain = edges("a>b .5, b>c .5")
    assert shown(radiate("a", chain, 3, 0.25)) == {"b": (1, 0.5), "c": (2, 0.25)}
    assert shown(radiate("a", chain, 3, 0.26)) == {"b": (1, 0.5)}


def test_of_equal_paths_the_shorter_then_the_smaller_ids_win() -> None:
    walked = {one.id: one for one in radiate("a", edges("a>b 1, b>d 1, a>c 1, c>d 1, a>d 1"), 3)}
    assert walked["d"].path == ("e4",)
    walked = {one.id: one for one in radiate("a", edges("a>c 1, c>d 1, a>b 1, b>d 1"), 3)}
    assert walked["d"].path == ("e0", "e1")


def test_two_walks_merge_into_the_nearest_and_the_surest() -> None:
    up, down = Reached("x", 3, 0.9, ("a", "b", "c")), Reached("x", 1, 0.5, ("d",))
    only = Reached("y", 1, 0.4, ("e",))
    union = merge([{"x": up}, {"x": down, "y": only}])
    assert union == {"x": Reached("x", 1, 0.9, ("a", "b", "c")), "y": only}
    assert merge([{"x": down, "y": only}, {"x": up}]) == union


NODES = "abcde"
GRAPHS = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(NODES), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])), max_size=9
).map(lambda rows: [Edge(f"e{n}", *row) for n, row in enumerate(rows)])


def every_walk(start: str, graph: list[Edge], most: int) -> Iterator[tuple[Edge, ...]]:
    for length in range(1, most + 1):
        for walk in itertools.product(graph, repeat=length):
            joined = all(one.far == after.near for one, after in itertools.pairwise(walk))
            if joined and walk[0].near == start and start not in [edge.far for edge in walk]:
                yield walk


@given(GRAPHS.filter(lambda graph: len(graph) <= 6), st.integers(1, 4), st.sampled_from([0.0, 0.25, 0.5]))
def test_it_finds_what_trying_every_path_finds(graph: list[Edge], most: int, least: float) -> None:
    depth: dict[str, int] = {}
    best: dict[str, tuple[float, int, tuple[str, ...]]] = {}
    for walk in every_walk("a", graph, most):
        confidence = 1.0
        for edge in walk:
            confidence *= edge.confidence
        if confidence < least or any(edge.near == edge.far for edge in walk):
            continue
        end = walk[-1].far
        depth[end] = min(depth.get(end, most), len(walk))
        found = (-confidence, len(walk), tuple(edge.id for edge in walk))
        best[end] = min(best.get(end, found), found)
    walked = radiate("a", graph, most, least)
    assert {one.id: one.depth for one in walked} == depth
    assert {one.id: one.confidence for one in walked} == pytest.approx({end: -one[0] for end, one in best.items()})
    assert {one.id: len(one.path) for one in walked} == {end: one[1] for end, one in best.items()}


@given(GRAPHS, st.integers(1, 6))
def test_each_path_leads_from_the_start_to_the_entity_and_multiplies_to_its_confidence(
    graph: list[Edge], most: int
) -> None:
    by_id = {edge.id: edge for edge in graph}
    for one in radiate("a", graph, most):
        path = [by_id[id_] for id_ in one.path]
        assert path[0].near == "a"
        assert path[-1].far == one.id
        assert all(before.far == after.near for before, after in itertools.pairwise(path))
        product = 1.0
        for edge in path:
            product *= edge.confidence
        assert product == pytest.approx(one.confidence)
        assert one.depth <= len(path) <= most


@given(GRAPHS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_the_edges_does_not_matter(graph: list[Edge], most: int, random: object) -> None:
    shuffled = graph[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert radiate("a", shuffled, most) == radiate("a", graph, most)


@given(GRAPHS, st.integers(1, 4))
def test_a_greater_depth_loses_nothing_and_nothing_gets_farther(graph: list[Edge], most: int) -> None:
    near, far = ({one.id: one for one in radiate("a", graph, depth)} for depth in (most, most + 1))
    assert set(near) <= set(far)
    assert all(far[id_].depth == one.depth and far[id_].confidence >= one.confidence for id_, one in near.items())


def grown(chance: random.Random) -> list[Edge]:
    """Up to nine nodes with cycles, self-loops and parallel edges."""
    nodes = "abcdefghi"[: chance.randint(2, 9)]
    weights = [0.0, 0.3, 0.5, 0.7, 0.9, 1.0]
    return [
        Edge(f"e{n:02}", chance.choice(nodes), chance.choice(nodes), chance.choice([*weights, chance.random()]))
        for n in range(chance.randint(1, 22))
    ]


def by_networkx(graph: list[Edge], most: int, least: float) -> tuple[dict[str, int], dict[str, float]]:
    """Depth and confidence of what simple paths of at most so many edges lead to, all of them listed by networkx."""
    listed: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    listed.add_node("a")
    for edge in graph:
        listed.add_edge(edge.near, edge.far, key=edge.id, confidence=edge.confidence)
    depth: dict[str, int] = {}
    best: dict[str, float] = {}
    for end in set(listed) - {"a"}:
        for path in nx.all_simple_edge_paths(listed, "a", end, cutoff=most):
            product = math.prod(listed.edges[step]["confidence"] for step in path)
            if product >= least:
                depth[end] = min(depth.get(end, most), len(path))
                best[end] = max(best.get(end, 0.0), product)
    return depth, best


@pytest.mark.parametrize("block", range(10))
def test_500_random_graphs_are_as_networkx_says(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        chance = random.Random(seed)
        graph, most = grown(chance), chance.randint(1, 10)
        # Both multiply in the order of the path, so that a bound falls on the same side for both.
        least = chance.choice([0.0, 0.0, 0.2, 0.45])
        depth, best = by_networkx(graph, most, least)
        walked = {one.id: one for one in radiate("a", graph, most, least)}
        assert {id_: one.depth for id_, one in walked.items()} == depth, seed
        assert walked.keys() == best.keys()
        assert all(math.isclose(one.confidence, best[id_], abs_tol=1e-9) for id_, one in walked.items()), seed


def test_a_bound_on_the_path_and_a_cut_tell_no_depth_that_may_be_too_great() -> None:
    """The direct way from c to z lies behind the cut, and the way through b is a detour."""
    graph = edges("a>b .9, a>c .9, a>d .5, b>d .9, d>z .9, c>z .9")
    whole = {one.id: one.depth for one in radiate("a", graph, 4, 0.6)}
    assert whole["z"] == 2
    met = [edge for edge in graph if edge.near in ("a", "b", "d")]
    cut = radiate("a", met, 4, 0.6)
    assert {one.id: one.depth for one in cut}["z"] == 3
    kept = {one.id: one.depth for one in sound("a", met, cut)}
    assert "z" not in kept
    assert kept.items() <= whole.items()


def test_the_nearest_come_first_then_the_surest_then_by_id() -> None:
    reached = [
        Reached("0", 2, 1.0, ()),
        Reached("1", 1, 0.5, ()),
        Reached("4", 1, 0.9, ()),
        Reached("2", 1, 0.9, ()),
        Reached("3", 1, 0.9, ()),
    ]
    assert [one.id for one in nearest(reached, 9)] == ["2", "3", "4", "1", "0"]
    assert [one.id for one in nearest(reached, 2)] == ["2", "3"]
