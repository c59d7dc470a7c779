"""Merging two entities and undoing it: what moves, what is united, and how it is recorded."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from graphmem.model.merging import (
    EdgeMove,
    End,
    FactMove,
    HeldEdge,
    Holdings,
    Journal,
    MergePlan,
    Parting,
    PartingPlan,
    Reweighed,
    Union,
    United,
)
from graphmem.rules.language.keys import dependency_key, fact_key


def pair_key(one: str, other: str) -> str:
    """The key of a pair of entities, whichever is named first."""
    return " ".join(sorted((one, other)))


def plan_merge(from_id: str, into_id: str, leaving: Holdings, staying: Holdings) -> MergePlan:
    """What moves when `from_id`, which has `leaving`, is merged into `into_id`, which has `staying`.

    Aspects of one canonical name are united, with the higher weight. Of equal active facts the survivor's is kept, of
    parallel active edges the stronger (by confidence, then strength, then the older id).
    """
    there = {aspect.canonical: aspect for aspect in staying.aspects}
    aspect_of = {one.id: there[one.canonical].id if one.canonical in there else one.id for one in leaving.aspects}
    kept = {fact_key(into_id, fact.content): fact.id for fact in staying.facts if fact.active}
    facts = tuple(
        FactMove(one.id, tuple(aspect_of[id_] for id_ in one.aspect_ids), fact_key(into_id, one.content))
        for one in leaving.facts
    )
    active = {fact.id for fact in leaving.facts if fact.active}
    edges = tuple(_with_end(edge, from_id, into_id) for edge in leaving.edges)
    return MergePlan(
        names=leaving.names,
        aspects=tuple(id_ for id_, place in aspect_of.items() if id_ == place),
        weights=tuple(
            Reweighed(there[one.canonical].id, there[one.canonical].weight, one.weight)
            for one in leaving.aspects
            if one.canonical in there and one.weight > there[one.canonical].weight
        ),
        facts=facts,
        places={one.id: one.aspect_ids for one in leaving.facts},
        twins=tuple(Union(one.id, kept[one.key]) for one in facts if one.id in active and one.key in kept),
        edges=edges,
        ends={edge.id: _ends(edge, from_id) for edge in leaving.edges},
        parallel=(*_loops(leaving.edges, edges), *_parallel(leaving.edges, edges, staying.edges)),
    )


def plan_parting(from_id: str, held: Holdings, journal: Journal) -> PartingPlan:
    """The undoing, for what the survivor holds now. What it got after the merge is not in the journal, and stays."""
    contents = {fact.id: fact.content for fact in held.facts}
    edges = {
        edge.id: _with_ends(edge, from_id, journal.edges[edge.id]) if edge.id in journal.edges else _as_it_is(edge)
        for edge in held.edges
    }
    return PartingPlan(
        facts=tuple(
            FactMove(id_, aspect_ids, fact_key(from_id, contents[id_]))
            for id_, aspect_ids in journal.facts.items()
            if id_ in contents
        ),
        twins=tuple(
            Parting(union, fact_key(from_id, contents[union.id])) for union in journal.twins if union.id in contents
        ),
        edges=tuple(edge for edge in edges.values() if edge.id in journal.edges),
        parallel=tuple(Parting(union, edges[union.id].key) for union in journal.parallel if union.id in edges),
        weights=tuple(Reweighed(one.id, one.weight, one.expected) for one in journal.weights),
    )


def edges_touched(journal: Journal) -> list[str]:
    """The ids of all edges a merge moved, retired, or united with others, sorted."""
    united = {id_ for one in journal.parallel for id_ in (one.id, one.kept_id) if id_}
    return sorted(united | set(journal.edges))


def journal_text(journal: Journal) -> str:
    return json.dumps(asdict(journal), separators=(",", ":"))


def read_journal(text: str) -> Journal:
    held = json.loads(text)
    return Journal(
        names=tuple(held["names"]),
        aspects=tuple(held["aspects"]),
        weights=tuple(Reweighed(**one) for one in held["weights"]),
        facts={id_: tuple(aspect_ids) for id_, aspect_ids in held["facts"].items()},
        twins=tuple(United(**one) for one in held["twins"]),
        edges={id_: tuple(ends) for id_, ends in held["edges"].items()},
        parallel=tuple(United(**one) for one in held["parallel"]),
        before=held["before"],
        after=held["after"],
    )


def _ends(edge: HeldEdge, entity_id: str) -> tuple[End, ...]:
    ends: list[tuple[End, str]] = [("source", edge.source_id), ("target", edge.target_id)]
    return tuple(end for end, id_ in ends if id_ == entity_id)


def _with_end(edge: HeldEdge, from_id: str, into_id: str) -> EdgeMove:
    return _with_ends(edge, into_id, _ends(edge, from_id))


def _with_ends(edge: HeldEdge, entity_id: str, ends: Sequence[End]) -> EdgeMove:
    source_id = entity_id if "source" in ends else edge.source_id
    target_id = entity_id if "target" in ends else edge.target_id
    return EdgeMove(edge.id, source_id, target_id, dependency_key(source_id, target_id, edge.type))


def _as_it_is(edge: HeldEdge) -> EdgeMove:
    return _with_ends(edge, "", ())


def _loops(before: Sequence[HeldEdge], moved: Sequence[EdgeMove]) -> Iterable[Union]:
    """The active edges between the two: they would lead from the survivor to itself."""
    for edge, move in zip(before, moved, strict=True):
        if edge.active and _arises(edge, move):
            yield Union(edge.id, None)


def _parallel(before: Sequence[HeldEdge], moved: Sequence[EdgeMove], there: Sequence[HeldEdge]) -> Iterable[Union]:
    same: dict[str, list[HeldEdge]] = defaultdict(list)
    for edge, move in zip(before, moved, strict=True):
        if edge.active and not _arises(edge, move):
            same[move.key].append(edge)
    leaving = {edge.id for edge in before}
    for edge in there:
        if edge.active and edge.id not in leaving:
            same[_as_it_is(edge).key].append(edge)
    for edges in same.values():
        strongest, *others = sorted(edges, key=lambda edge: (-edge.confidence, -edge.strength, edge.id))
        yield from (Union(edge.id, strongest.id) for edge in others)


def _arises(edge: HeldEdge, move: EdgeMove) -> bool:
    return move.source_id == move.target_id and edge.source_id != edge.target_id
