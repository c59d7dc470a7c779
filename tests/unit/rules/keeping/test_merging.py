"""What moves when two entities become one, and back."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.merging import HeldAspect, HeldEdge, HeldFact, Holdings, Journal, MergePlan, United
from graphmem.rules.keeping.merging import journal_text, pair_key, plan_merge, plan_parting, read_journal
from graphmem.rules.language.keys import dependency_key, fact_key

NOTHING = Holdings((), (), (), ())
EDGES = st.lists(
    st.builds(
        HeldEdge,
        id=st.uuids().map(str),
        source_id=st.sampled_from(["from", "into", "x", "y"]),
        target_id=st.sampled_from(["from", "into", "x", "y"]),
        type=st.sampled_from(["uses", "calls"]),
        confidence=st.sampled_from([0.5, 0.9]),
        strength=st.just(0.5),
        active=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda edge: (edge.source_id, edge.target_id, edge.type),
)


def held_by(id_: str, edges: Sequence[HeldEdge]) -> Holdings:
    return replace(NOTHING, edges=tuple(edge for edge in edges if id_ in (edge.source_id, edge.target_id)))


def journal_of(plan: MergePlan) -> Journal:
    return Journal(
        names=plan.names,
        aspects=plan.aspects,
        weights=plan.weights,
        facts=plan.places,
        twins=tuple(United(one.id, one.kept_id, None, None) for one in plan.twins),
        edges=plan.ends,
        parallel=tuple(United(one.id, one.kept_id, None, None) for one in plan.parallel),
        before={"pinned": False},
        after={"pinned": True},
    )


def test_aspects_of_one_name_are_united_and_weigh_what_the_heavier_did() -> None:
    leaving = Holdings(
        ("a",),
        (HeldAspect("a1", "port", 0.9), HeldAspect("a2", "owner", 0.4), HeldAspect("a3", "code", 0.1)),
        (
            HeldFact("f1", ("a1",), "It is.", True),
            HeldFact("f2", ("a2",), "It was.", True),
            HeldFact("f3", ("a1", "a3"), "No", False),
        ),
        (),
    )
    staying = Holdings(
        ("b",),
        (HeldAspect("b1", "port", 0.5), HeldAspect("b2", "owner", 0.5)),
        (HeldFact("g1", ("b2",), "it is", True), HeldFact("g2", ("b2",), "No", True)),
        (),
    )
    plan = plan_merge("from", "into", leaving, staying)
    assert plan.aspects == ("a3",)
    assert [(one.id, one.expected, one.weight) for one in plan.weights] == [("b1", 0.5, 0.9)]
    assert [(one.id, *one.aspect_ids) for one in plan.facts] == [("f1", "b1"), ("f2", "b2"), ("f3", "b1", "a3")]
    assert [(one.id, one.kept_id) for one in plan.twins] == [("f1", "g1")], "what is not active has no twin"
    journal = journal_of(plan)
    now = replace(staying, facts=(*staying.facts, *leaving.facts, HeldFact("h", ("a3",), "Later.", True)))
    back = plan_parting("from", now, journal)
    assert [(one.id, *one.aspect_ids) for one in back.facts] == [("f1", "a1"), ("f2", "a2"), ("f3", "a1", "a3")]
    assert back.facts[0].key == fact_key("from", "It is.")
    assert [(one.id, one.expected, one.weight) for one in back.weights] == [("b1", 0.9, 0.5)]


@given(EDGES)
def test_of_parallel_edges_the_strongest_lives_on_and_every_edge_finds_back(edges: list[HeldEdge]) -> None:
    leaving, staying = held_by("from", edges), held_by("into", edges)
    plan = plan_merge("from", "into", leaving, staying)
    moved = {edge.id: edge for edge in plan.edges}
    assert set(moved) == {edge.id for edge in leaving.edges}
    gone = {one.id for one in plan.parallel}
    known = {edge.id: edge for edge in (*leaving.edges, *staying.edges)}
    now = {
        id_: replace(edge, source_id=moved[id_].source_id, target_id=moved[id_].target_id) if id_ in moved else edge
        for id_, edge in known.items()
    }
    active = [now[id_] for id_, edge in known.items() if edge.active and id_ not in gone]
    assert "from" not in {end for edge in now.values() for end in (edge.source_id, edge.target_id)}
    assert len({(edge.source_id, edge.target_id, edge.type) for edge in active}) == len(active)
    for one in plan.parallel:
        if one.kept_id is None:
            assert now[one.id].source_id == now[one.id].target_id
        else:
            assert one.kept_id not in gone
            assert known[one.kept_id].confidence >= known[one.id].confidence
    back = plan_parting("from", replace(NOTHING, edges=tuple(now.values())), journal_of(plan))
    assert {(e.id, e.source_id, e.target_id) for e in back.edges} == {
        (e.id, e.source_id, e.target_id) for e in leaving.edges
    }
    assert {one.union.id: one.key for one in back.parallel} == {
        id_: dependency_key(known[id_].source_id, known[id_].target_id, known[id_].type) for id_ in gone
    }


@given(EDGES)
def test_a_journal_is_read_as_it_was_written(edges: list[HeldEdge]) -> None:
    leaving = held_by("from", edges)
    journal = journal_of(plan_merge("from", "into", leaving, held_by("into", edges)))
    assert read_journal(journal_text(journal)) == journal


def test_a_pair_has_one_key() -> None:
    assert pair_key("a", "b") == pair_key("b", "a") != pair_key("a", "c")
