"""Two entities become one in one transaction, and two again: nothing is deleted, and what moved is noted."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.caller import Caller
from graphmem.model.knowledge import Merge, MergeMethod
from graphmem.model.merging import (
    EdgeMove,
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
from graphmem.rules.history import Line, told
from graphmem.rules.identity import derived_id
from graphmem.rules.merging import edges_touched, journal_text, pair_key, plan_merge, plan_parting, read_journal

Row = dict[str, Any]


class MergeStore:
    """Each call is one transaction, its history written with it, carried out once for an idempotency key. The two
    entities, their names and neighbours are locked before anything is read: writers who meet wait for each other."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def merge(
        self, caller: Caller, from_id: str, into_id: str, reason: str | None, new_id: str, event_id: str, now: datetime
    ) -> Merge:
        """Merge an entity into another; of those that are merged already, the merge there is.

        Errors: InvalidInput for one entity with itself; NotFound; Conflict for one that is cold or merged elsewhere.
        """

        async def work(tx: WriteTransaction) -> Merge:
            if from_id == into_id:
                raise InvalidInput.at("intoId", msg="is the entity itself; give another one")
            await lock_pair(tx, caller.agent_id, from_id, into_id)
            there = await find_merge(tx, caller.agent_id, pair=(from_id, into_id))
            if there and there[0].status == "applied":
                return there[0]
            id_ = there[0].id if there else new_id
            return await _apply(tx, caller.agent_id, (from_id, into_id, id_), "user", reason, event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def accept(self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime) -> Merge:
        """Do what is proposed; done before, it answers the same. Errors: as `merge`."""

        async def work(tx: WriteTransaction) -> Merge:
            found, _ = await _locked(tx, caller.agent_id, id_)
            if found.status == "applied":
                return found
            ends = (found.from_id, found.into_id, id_)
            said = reason or found.reason
            return await _apply(tx, caller.agent_id, ends, found.method, said, event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def reject(self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime) -> Merge:
        """Turn a proposal down: the pair is never proposed again. Errors: NotFound; Conflict unless it is proposed."""

        async def work(tx: WriteTransaction) -> Merge:
            found, _ = await _locked(tx, caller.agent_id, id_)
            if found.status == "rejected":
                return found
            if found.status != "proposed":
                raise Conflict(f"The merge {id_} is {found.status}: only a proposed one can be rejected.")
            line = Line("merge_rejected", found.from_id, {"merge": id_}, {"into": found.into_id}, reason)
            return await _decide(tx, caller.agent_id, id_, "rejected", [line], event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def undo(self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime) -> Merge:
        """Make two of one again, each with what it had; what came meanwhile stays with the survivor.

        Errors: NotFound; Conflict unless it is applied, where a later merge built on it, or where a name leads
        elsewhere by now.
        """

        async def work(tx: WriteTransaction) -> Merge:
            found, text = await _locked(tx, caller.agent_id, id_)
            if found.status == "undone":
                return found
            if found.status != "applied" or text is None:
                raise Conflict(f"The merge {id_} is {found.status}: there is nothing to undo.")
            await _require_last(tx, caller.agent_id, found)
            await _part(tx, caller.agent_id, found, read_journal(text), now)
            lines = [
                Line("entity_parted", found.from_id, {"status": "merged", "merge": id_}, {"status": "active"}, reason),
                Line("entity_parted", found.into_id, {"merge": id_}, {"from": found.from_id}, reason),
            ]
            return await _decide(tx, caller.agent_id, id_, "undone", lines, event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def page(self, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int) -> list[Merge]:
        """Merges newest first, behind (createdAt, id)."""
        return await self._database.read(lambda tx: merge_page(tx, agent_id, status, before, limit))


async def lock_pair(tx: WriteTransaction, agent_id: str, one: str, other: str) -> None:
    """Lock two entities with all they are linked to, also what they gain while this waits."""
    held: list[str] | None = None
    while (found := await pair_lock(tx, agent_id, sorted((one, other)))) != held:
        held = found


async def _locked(tx: WriteTransaction, agent_id: str, id_: str) -> tuple[Merge, str | None]:
    """A merge as it is now, with its journal; its entities are locked. Errors: NotFound."""
    found = await find_merge(tx, agent_id, id_)
    if found is None:
        raise NotFound(f"There is no merge {id_!r}.")
    await lock_pair(tx, agent_id, found[0].from_id, found[0].into_id)
    return await find_merge(tx, agent_id, id_) or found


async def _apply(
    tx: WriteTransaction,
    agent_id: str,
    ends: tuple[str, str, str],
    method: MergeMethod,
    reason: str | None,
    event_id: str,
    now: datetime,
) -> Merge:
    from_id, into_id, id_ = ends
    _require_mergeable(await pair(tx, agent_id, [from_id, into_id]), from_id, into_id)
    plan = plan_merge(from_id, into_id, await holdings(tx, agent_id, from_id), await holdings(tx, agent_id, into_id))
    journal = await _move(tx, agent_id, ends, plan, now)
    await merge_store(tx, agent_id, ends, journal, method, reason, now)
    await events_write(tx, agent_id, told(_merged(ends, journal, reason), "api", now, [event_id]))
    return await _read(tx, agent_id, id_)


async def _move(
    tx: WriteTransaction, agent_id: str, ends: tuple[str, str, str], plan: MergePlan, now: datetime
) -> Journal:
    """Carry the plan out. What is united gives up its key before another takes it."""
    from_id, into_id, id_ = ends
    aspects = {fact.id: fact.aspect_ids for fact in (await holdings(tx, agent_id, from_id)).facts}
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
        plan.names, plan.aspects, plan.weights, aspects, tuple(twins), plan.ends, tuple(parallel), before, after
    )


async def _part(tx: WriteTransaction, agent_id: str, found: Merge, journal: Journal, now: datetime) -> None:
    """Carry out the way back, in the order in which keys and names become free."""
    from_id, into_id, id_ = found.from_id, found.into_id, found.id
    plan = plan_parting(from_id, await holdings(tx, agent_id, into_id), journal)
    own = (await pair(tx, agent_id, [from_id]))[0]["canonical"]
    if own not in await names_move(tx, agent_id, journal.names, into_id, from_id):
        raise Conflict(f"The name {own!r} leads to another entity by now: merge or rename that one first.")
    await entity_part(tx, agent_id, from_id, into_id, journal)
    await aspects_move(tx, agent_id, journal.aspects, from_id)
    await facts_part(tx, agent_id, plan.twins, id_)
    await facts_move(tx, agent_id, plan.facts, from_id)
    splits = [(aspect, derived_id(id_, f"{aspect} {now.isoformat()}")) for aspect in journal.aspects]
    await aspects_split(tx, agent_id, splits, list(journal.facts), into_id, now)
    await aspects_weigh(tx, agent_id, plan.weights)
    await edges_move(tx, agent_id, plan.edges)
    await edges_part(tx, agent_id, plan.parallel, id_)
    await mentions_drop(tx, agent_id, into_id, id_)


async def _require_last(tx: ReadTransaction, agent_id: str, found: Merge) -> None:
    """Errors: Conflict unless the survivor is there and this is the last that was merged into it."""
    now = {row["id"]: row for row in await pair(tx, agent_id, [found.from_id, found.into_id])}
    into = now.get(found.into_id)
    if into is None or found.from_id not in now:
        raise Conflict(f"The entities of the merge {found.id} are not there any more.")
    if later := await merged_later(tx, agent_id, found.id):
        raise Conflict(f"A later merge has to be undone first: POST /api/graph/merges/{later}/undo.")
    if into["cold"]:
        raise Conflict(f"{found.into_id} is in the cold tier: restore it first, then undo the merge.")


def _require_mergeable(rows: Sequence[Row], from_id: str, into_id: str) -> None:
    """Errors: NotFound; Conflict, saying what to do instead."""
    found = {row["id"]: row for row in rows}
    for id_ in (from_id, into_id):
        if id_ not in found:
            raise NotFound(f"There is no entity with the id {id_!r}.")
        if found[id_]["cold"]:
            raise Conflict(f"{id_} is in the cold tier: restore it first (POST /api/graph/entities/{id_}/restore).")
        if survivor := found[id_]["survivorId"]:
            raise Conflict(f"{id_} was merged into {survivor}: take that one, or undo the merge first.")


async def _decide(
    tx: WriteTransaction,
    agent_id: str,
    id_: str,
    status: str,
    lines: Sequence[Line],
    event_id: str,
    now: datetime,
) -> Merge:
    await merge_decide(tx, agent_id, id_, status, now)
    await events_write(tx, agent_id, told(lines, "api", now, [event_id]))
    return await _read(tx, agent_id, id_)


async def _read(tx: ReadTransaction, agent_id: str, id_: str) -> Merge:
    found = await find_merge(tx, agent_id, id_)
    if found is None:
        raise NotFound(f"There is no merge {id_!r}.")
    return found[0]


def _merged(ends: tuple[str, str, str], journal: Journal, reason: str | None) -> list[Line]:
    from_id, into_id, id_ = ends
    seen = ("type", "pinned")
    return [
        Line(
            "entity_merged", from_id, {"status": "active"}, {"status": "merged", "into": into_id, "merge": id_}, reason
        ),
        Line(
            "entity_merged",
            into_id,
            {field: journal.before[field] for field in seen},
            {field: journal.after[field] for field in seen} | {"from": from_id, "merge": id_},
            reason,
        ),
        *(
            Line(f"{what}_united", one.id, {"status": "active"}, {"status": "cold", "source": one.kept_id or id_})
            for what, united in (("attribute", journal.twins), ("dependency", journal.parallel))
            for one in united
        ),
    ]


async def pair_lock(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[str]:
    row = await tx.row("merging/pair_lock", agent_id=agent_id, ids=list(ids))
    return list(row["ids"]) if row else []


async def pair(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Row]:
    return await tx.rows("merging/pair", agent_id=agent_id, ids=list(ids))


async def merged_later(tx: ReadTransaction, agent_id: str, id_: str) -> str | None:
    row = await tx.row("merging/merged_later", agent_id=agent_id, id=id_)
    return row["mergeId"] if row else None


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


async def find_merge(
    tx: ReadTransaction, agent_id: str, id_: str = "", *, pair: tuple[str, str] | None = None
) -> tuple[Merge, str | None] | None:
    """A merge by its id or its pair, and its journal while it is applied."""
    row = await tx.row("merging/merges", agent_id=agent_id, id=id_, pair_key=pair_key(*pair) if pair else "")
    return (Merge.model_validate(row["merge"]), row["journal"]) if row else None


async def merge_page(
    tx: ReadTransaction, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int
) -> list[Merge]:
    rows = await tx.rows(
        "merging/merge_page", agent_id=agent_id, status=status, before=before[0], before_id=before[1], limit=limit
    )
    return [Merge.model_validate(row["merge"]) for row in rows]


async def merge_store(
    tx: WriteTransaction,
    agent_id: str,
    ends: tuple[str, str, str],
    journal: Journal,
    method: MergeMethod,
    reason: str | None,
    now: datetime,
) -> None:
    from_id, into_id, id_ = ends
    await tx.rows(
        "merging/merge_store",
        agent_id=agent_id,
        id=id_,
        pair_key=pair_key(from_id, into_id),
        from_id=from_id,
        into_id=into_id,
        method=method,
        reason=reason,
        journal=journal_text(journal),
        edge_ids=edges_touched(journal),
        now=now,
    )


async def merge_decide(tx: WriteTransaction, agent_id: str, id_: str, status: str, now: datetime) -> None:
    await tx.rows("merging/merge_decide", agent_id=agent_id, id=id_, status=status, now=now)


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


async def facts_part(tx: WriteTransaction, agent_id: str, partings: Sequence[Parting], merge_id: str) -> None:
    await tx.rows("merging/facts_part", agent_id=agent_id, rows=_partings(partings), merge_id=merge_id)


async def edges_part(tx: WriteTransaction, agent_id: str, partings: Sequence[Parting], merge_id: str) -> None:
    await tx.rows("merging/edges_part", agent_id=agent_id, rows=_partings(partings), merge_id=merge_id)


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
    """The names that lead to `to_id` now: those that led to `from_id` or nowhere."""
    rows = await tx.rows("merging/names_move", agent_id=agent_id, names=list(names), from_id=from_id, to_id=to_id)
    return [row["canonical"] for row in rows]


async def entity_merge(
    tx: WriteTransaction, agent_id: str, ends: tuple[str, str, str], now: datetime
) -> tuple[Row, Row]:
    """The survivor before and after."""
    from_id, into_id, id_ = ends
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
