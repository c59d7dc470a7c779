"""Moves everything attached to an entity to another, and back: one function per statement, in the order they need."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict, NotFound
from graphmem.graph.connection import ReadTransaction, WriteTransaction
from graphmem.model.merging import (
    EdgeMove,
    Ends,
    FactMove,
    HeldAspect,
    HeldEdge,
    HeldFact,
    Holdings,
    Journal,
    MergePlan,
    Parting,
    Reweighed,
    Union,
    United,
)
from graphmem.rules.keeping.merging import plan_parting
from graphmem.rules.language.keys import derived_id

Row = dict[str, Any]


async def move_holdings(tx: WriteTransaction, agent_id: str, ends: Ends, plan: MergePlan, now: datetime) -> Journal:
    """Carry out a plan, and return what was done. A united item releases its key before another takes it."""
    from_id, into_id, id_ = ends.from_id, ends.into_id, ends.merge_id
    twins = await facts_unite(tx, agent_id, plan.twins, id_, now)
    parallel = await edges_unite(tx, agent_id, plan.parallel, id_, now)
    await aspects_move(tx, agent_id, plan.aspects, into_id)
    await aspects_weigh(tx, agent_id, plan.weights)
    await facts_move(tx, agent_id, plan.facts, into_id)
    await edges_move(tx, agent_id, plan.edges)
    await mentions_copy(tx, agent_id, from_id, into_id, id_)
    await names_move(tx, agent_id, plan.names, from_id, into_id)
    before, after = await entity_merge(tx, agent_id, ends, now)
    return Journal(
        names=plan.names,
        aspects=plan.aspects,
        weights=plan.weights,
        facts=plan.places,
        twins=tuple(twins),
        edges=plan.ends,
        parallel=tuple(parallel),
        before=before,
        after=after,
    )


async def part_holdings(
    tx: WriteTransaction, agent_id: str, ends: Ends, journal: Journal, own: str, now: datetime
) -> None:
    """Undo a merge, in the order in which keys and names become free. Errors: Conflict where the merged entity's own
    name refers to another entity: `own` is its canonical form."""
    from_id, into_id, id_ = ends.from_id, ends.into_id, ends.merge_id
    plan = plan_parting(from_id, await holdings(tx, agent_id, into_id), journal)
    back = await names_move(tx, agent_id, journal.names, into_id, from_id)
    if own not in back:
        raise Conflict(f"The name {own!r} leads to another entity by now: merge or rename that one first.")
    await entity_part(tx, agent_id, from_id, into_id, journal)
    await aspects_move(tx, agent_id, journal.aspects, from_id)
    await facts_part(tx, agent_id, plan.twins, id_, now)
    await facts_move(tx, agent_id, plan.facts, from_id)
    splits = [(aspect, derived_id(id_, f"{aspect} {now.isoformat()}")) for aspect in journal.aspects]
    await aspects_split(tx, agent_id, splits, list(journal.facts), into_id, now)
    await aspects_weigh(tx, agent_id, plan.weights)
    await edges_move(tx, agent_id, plan.edges)
    await edges_part(tx, agent_id, plan.parallel, id_, now)
    await mentions_drop(tx, agent_id, into_id, id_)


async def holdings(tx: ReadTransaction, agent_id: str, id_: str) -> Holdings:
    row = await tx.row("merging/holdings", agent_id=agent_id, id=id_)
    if row is None:
        raise NotFound(f"There is no entity with the id {id_!r}.")
    return Holdings(
        names=tuple(row["names"]),
        aspects=tuple(HeldAspect(one["id"], one["canonicalName"], one["weight"]) for one in row["aspects"]),
        facts=tuple(
            HeldFact(one["id"], tuple(one["aspectIds"]), one["content"], one["active"]) for one in row["facts"]
        ),
        edges=tuple(
            HeldEdge(
                id=one["id"],
                source_id=one["sourceId"],
                target_id=one["targetId"],
                type=one["type"],
                confidence=one["confidence"],
                strength=one["strength"],
                active=one["active"],
            )
            for one in row["edges"]
        ),
    )


async def facts_unite(
    tx: WriteTransaction, agent_id: str, unions: Sequence[Union], merge_id: str, now: datetime
) -> list[United]:
    rows = await tx.rows("merging/facts_unite", agent_id=agent_id, rows=_unions(unions), merge_id=merge_id, now=now)
    return _united(rows)


async def edges_unite(
    tx: WriteTransaction, agent_id: str, unions: Sequence[Union], merge_id: str, now: datetime
) -> list[United]:
    rows = await tx.rows("merging/edges_unite", agent_id=agent_id, rows=_unions(unions), merge_id=merge_id, now=now)
    return _united(rows)


async def facts_part(
    tx: WriteTransaction, agent_id: str, partings: Sequence[Parting], merge_id: str, now: datetime
) -> None:
    await tx.rows("merging/facts_part", agent_id=agent_id, rows=_partings(partings), merge_id=merge_id, now=now)


async def edges_part(
    tx: WriteTransaction, agent_id: str, partings: Sequence[Parting], merge_id: str, now: datetime
) -> None:
    await tx.rows("merging/edges_part", agent_id=agent_id, rows=_partings(partings), merge_id=merge_id, now=now)


async def aspects_move(tx: WriteTransaction, agent_id: str, ids: Sequence[str], entity_id: str) -> None:
    await tx.rows("merging/aspects_move", agent_id=agent_id, ids=list(ids), entity_id=entity_id)


async def aspects_weigh(tx: WriteTransaction, agent_id: str, rows: Sequence[Reweighed]) -> None:
    await tx.rows("merging/aspects_weigh", agent_id=agent_id, rows=[asdict(row) for row in rows])


async def aspects_split(
    tx: WriteTransaction,
    agent_id: str,
    splits: Sequence[tuple[str, str]],
    fact_ids: Sequence[str],
    entity_id: str,
    now: datetime,
) -> None:
    await tx.rows(
        "merging/aspects_split",
        agent_id=agent_id,
        rows=[{"id": aspect, "newId": new} for aspect, new in splits],
        fact_ids=list(fact_ids),
        entity_id=entity_id,
        now=now,
    )


async def facts_move(tx: WriteTransaction, agent_id: str, moves: Sequence[FactMove], entity_id: str) -> None:
    await tx.rows(
        "merging/facts_move",
        agent_id=agent_id,
        rows=[{"id": one.id, "aspectIds": list(one.aspect_ids), "key": one.key} for one in moves],
        entity_id=entity_id,
    )


async def edges_move(tx: WriteTransaction, agent_id: str, moves: Sequence[EdgeMove]) -> None:
    await tx.rows(
        "merging/edges_move",
        agent_id=agent_id,
        rows=[{"id": one.id, "sourceId": one.source_id, "targetId": one.target_id, "key": one.key} for one in moves],
    )


async def mentions_copy(tx: WriteTransaction, agent_id: str, from_id: str, into_id: str, merge_id: str) -> None:
    await tx.rows("merging/mentions_copy", agent_id=agent_id, from_id=from_id, into_id=into_id, merge_id=merge_id)


async def mentions_drop(tx: WriteTransaction, agent_id: str, into_id: str, merge_id: str) -> None:
    await tx.rows("merging/mentions_drop", agent_id=agent_id, into_id=into_id, merge_id=merge_id)


async def names_move(tx: WriteTransaction, agent_id: str, names: Sequence[str], from_id: str, to_id: str) -> list[str]:
    """The names that refer to `to_id` now: those that referred to `from_id` or to nothing."""
    rows = await tx.rows(
        "entities/names_link[moved]", agent_id=agent_id, names=list(names), from_id=from_id, to_id=to_id
    )
    return [row["canonical"] for row in rows]


async def entity_merge(tx: WriteTransaction, agent_id: str, ends: Ends, now: datetime) -> tuple[Row, Row]:
    """The survivor before and after."""
    from_id, into_id, id_ = ends.from_id, ends.into_id, ends.merge_id
    row = await tx.row(
        "merging/entity_merge", agent_id=agent_id, from_id=from_id, into_id=into_id, merge_id=id_, now=now
    )
    return (row["before"], row["after"]) if row else ({}, {})


async def entity_part(tx: WriteTransaction, agent_id: str, from_id: str, into_id: str, journal: Journal) -> None:
    await tx.rows(
        "merging/entity_part",
        agent_id=agent_id,
        from_id=from_id,
        into_id=into_id,
        before=journal.before,
        after=journal.after,
    )


def _unions(unions: Sequence[Union]) -> list[Row]:
    return [{"id": one.id, "keptId": one.kept_id} for one in unions]


def _united(rows: Sequence[Row]) -> list[United]:
    return [United(row["id"], row["keptId"], row["before"], row["after"]) for row in rows]


def _partings(partings: Sequence[Parting]) -> list[Row]:
    return [
        {
            "id": one.union.id,
            "keptId": one.union.kept_id,
            "before": one.union.before,
            "after": one.union.after,
            "key": one.key,
        }
        for one in partings
    ]
