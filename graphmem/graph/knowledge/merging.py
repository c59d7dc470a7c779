"""Merges two entities in one transaction, and separates them again: nothing is deleted, and what moved is recorded."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.holdings import holdings, move_holdings, part_holdings
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.caller import Caller
from graphmem.model.change import LikenessRow
from graphmem.model.knowledge import Merge, MergeMethod
from graphmem.model.merging import Ends, Journal
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.keeping.merging import edges_touched, journal_text, pair_key, plan_merge, read_journal

Row = dict[str, Any]


class MergeStore:
    """Each call is one transaction that includes its history, and runs once for an idempotency key. The two entities,
    their names and neighbours are locked before anything is read: concurrent writers wait for each other."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def merge(
        self, caller: Caller, from_id: str, into_id: str, reason: str | None, new_id: str, event_id: str, now: datetime
    ) -> Merge:
        """Merge an entity into another; if they are merged already, return the existing merge.

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
            return await _apply(tx, caller.agent_id, Ends(from_id, into_id, id_), "user", reason, event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def accept(self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime) -> Merge:
        """Apply a proposal; repeated, it answers the same. Errors: as `merge`."""

        async def work(tx: WriteTransaction) -> Merge:
            found, _ = await _locked(tx, caller.agent_id, id_)
            if found.status == "applied":
                return found
            ends = Ends(found.from_id, found.into_id, id_)
            said = reason or found.reason
            return await _apply(tx, caller.agent_id, ends, found.method, said, event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def reject(self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime) -> Merge:
        """Reject a proposal: the pair is never proposed again. Errors: NotFound; Conflict unless it is proposed."""

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
        """Undo a merge: each entity has what it had; what came meanwhile stays with the survivor.

        Errors: NotFound; Conflict unless it is applied, where a later merge depends on it, or where a name now refers
        to another entity.
        """

        async def work(tx: WriteTransaction) -> Merge:
            found, text = await _locked(tx, caller.agent_id, id_)
            if found.status == "undone":
                return found
            if found.status != "applied" or text is None:
                raise Conflict(f"The merge {id_} is {found.status}: there is nothing to undo.")
            own = await _require_undoable(tx, caller.agent_id, found)
            ends = Ends(found.from_id, found.into_id, id_)
            await part_holdings(tx, caller.agent_id, ends, read_journal(text), own, now)
            lines = [
                Line("entity_parted", found.from_id, {"status": "merged", "merge": id_}, {"status": "active"}, reason),
                Line("entity_parted", found.into_id, {"merge": id_}, {"from": found.from_id}, reason),
            ]
            return await _decide(tx, caller.agent_id, id_, "undone", lines, event_id, now)

        return await self._database.write(once_only(caller, now, work))

    async def page(self, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int) -> list[Merge]:
        """Merges newest first, after (createdAt, id)."""
        return await self._database.read(lambda tx: merge_page(tx, agent_id, status, before, limit))


async def lock_pair(tx: WriteTransaction, agent_id: str, one: str, other: str) -> None:
    """Lock two entities with everything linked to them, including what is added while this waits."""
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
    ends: Ends,
    method: MergeMethod,
    reason: str | None,
    event_id: str,
    now: datetime,
) -> Merge:
    from_id, into_id, id_ = ends.from_id, ends.into_id, ends.merge_id
    _require_mergeable(await pair(tx, agent_id, [from_id, into_id]), from_id, into_id)
    plan = plan_merge(from_id, into_id, await holdings(tx, agent_id, from_id), await holdings(tx, agent_id, into_id))
    journal = await move_holdings(tx, agent_id, ends, plan, now)
    await merge_store(tx, agent_id, ends, journal, method, reason, now)
    await events_write(tx, agent_id, told(_merged(ends, journal, reason), "api", now, [event_id]))
    return await _read(tx, agent_id, id_)


async def _require_undoable(tx: ReadTransaction, agent_id: str, found: Merge) -> str:
    """The merged entity's own canonical name. Errors: Conflict unless both exist and nothing depends on it."""
    now = {row["id"]: row for row in await pair(tx, agent_id, [found.from_id, found.into_id])}
    into = now.get(found.into_id)
    if into is None or found.from_id not in now:
        raise Conflict(f"The entities of the merge {found.id} are not there any more.")
    if later := await merged_later(tx, agent_id, found.id):
        raise Conflict(f"A later merge has to be undone first: POST /api/graph/merges/{later}/undo.")
    if into["cold"]:
        raise Conflict(f"{found.into_id} is in the cold tier: restore it first, then undo the merge.")
    return str(now[found.from_id]["canonical"])


def _require_mergeable(rows: Sequence[Row], from_id: str, into_id: str) -> None:
    """Errors: NotFound; Conflict, with what to do instead."""
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


def _merged(ends: Ends, journal: Journal, reason: str | None) -> list[Line]:
    from_id, into_id, id_ = ends.from_id, ends.into_id, ends.merge_id
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


async def find_merge(
    tx: ReadTransaction, agent_id: str, id_: str = "", *, pair: tuple[str, str] | None = None
) -> tuple[Merge, str | None] | None:
    """A merge by its id or its pair, and its journal while it is applied."""
    row = await tx.row("merging/merges[one]", agent_id=agent_id, id=id_, pair_key=pair_key(*pair) if pair else "")
    return (Merge.model_validate(row["merge"]), row["journal"]) if row else None


async def merge_page(
    tx: ReadTransaction, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int
) -> list[Merge]:
    rows = await tx.rows(
        "merging/merges[page]", agent_id=agent_id, status=status, before=before[0], before_id=before[1], limit=limit
    )
    return [Merge.model_validate(row["merge"]) for row in rows]


async def merges_propose(
    tx: WriteTransaction, agent_id: str, rows: Sequence[LikenessRow], entity_ids: Mapping[str, str], now: datetime
) -> list[Line]:
    """The history lines of the proposed merges: none for a pair that was considered before."""
    if not rows:
        return []
    proposed = await tx.rows(
        "merging/merges_propose",
        agent_id=agent_id,
        now=now,
        rows=[
            {
                "id": row.id,
                "fromId": entity_ids[row.canonical],
                "near": row.near,
                "reason": row.reason,
                "method": "stated" if row.stated else "similar_name",
            }
            for row in rows
        ],
    )
    return [
        Line("merge_proposal", one["fromId"], None, {"into": one["intoId"], "merge": one["id"]}, one["reason"])
        for one in proposed
    ]


async def merge_store(
    tx: WriteTransaction,
    agent_id: str,
    ends: Ends,
    journal: Journal,
    method: MergeMethod,
    reason: str | None,
    now: datetime,
) -> None:
    from_id, into_id, id_ = ends.from_id, ends.into_id, ends.merge_id
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
