"""A person's decisions on supersessions: a proposal is accepted or rejected, an applied one is undone, and one fact
supersedes another on request."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.knowledge import supersessions
from graphmem.graph.knowledge.learning import (
    follow,
    memories_reach,
    moved_line,
    proposed_line,
    retired_line,
    supersessions_apply,
    supersessions_move,
    supersessions_propose,
)
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.caller import Caller
from graphmem.model.change import Deciding, SupersessionRow
from graphmem.model.knowledge import Supersession
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import dependency_key, derived_id, fact_key

Row = dict[str, Any]
Facts = Mapping[str, Row]
_CONFIDENCE = 1.0


class SupersedingStore:
    """Each call is one transaction that includes its history, and runs once for an idempotency key. Both facts and
    their entities are locked before anything is read; a call for the current state changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def supersede(self, caller: Caller, old_id: str, new_id: str, deciding: Deciding) -> Supersession:
        """Let one fact supersede another, of any kind.

        Errors: InvalidInput for a fact with itself; NotFound; Conflict, with what prevents it.
        """

        async def work(tx: WriteTransaction) -> Supersession:
            if old_id == new_id:
                raise InvalidInput.at("newId", msg="is the older fact itself; give another one")
            facts = await locked(tx, caller.agent_id, old_id, new_id)
            there = await of_pair(tx, caller.agent_id, old_id, new_id)
            if there:
                return await _accept(tx, caller.agent_id, await find(tx, caller.agent_id, there), facts, deciding)
            row = SupersessionRow(
                id=deciding.new_id,
                old=old_id,
                new=new_id,
                signals=(),
                confidence=_CONFIDENCE,
                method="user",
                by="user",
                reason=deciding.reason,
                valid_to=facts[new_id]["validFrom"],
                asked=True,
            )
            return await _retire(tx, caller.agent_id, row, facts, deciding)

        return await self._database.write(once_only(caller, deciding.now, work))

    async def accept(self, caller: Caller, id_: str, deciding: Deciding) -> Supersession:
        """Apply a supersession that is proposed, rejected or undone.

        Errors: NotFound; Conflict, with what prevents it.
        """

        async def work(tx: WriteTransaction) -> Supersession:
            record, facts = await _locked_record(tx, caller.agent_id, id_)
            return await _accept(tx, caller.agent_id, record, facts, deciding)

        return await self._database.write(once_only(caller, deciding.now, work))

    async def reject(self, caller: Caller, id_: str, deciding: Deciding) -> Supersession:
        """Reject a proposal: the pair is never proposed again. Errors: NotFound; Conflict unless it is proposed."""

        async def work(tx: WriteTransaction) -> Supersession:
            agent_id = caller.agent_id
            record = await find(tx, agent_id, id_)
            if await reject(tx, agent_id, id_, deciding.now):
                line = Line(
                    "supersession_rejected",
                    record.old_id,
                    {"status": "proposed", "supersession": id_},
                    {"status": "rejected", "by": record.new_id, "supersession": id_},
                    deciding.reason,
                )
                await events_write(tx, agent_id, told([line], "api", deciding.now, [deciding.event_id]))
            record = await find(tx, agent_id, id_)
            if record.status != "rejected":
                raise Conflict(f"The supersession {id_} is {record.status}: only a proposed one can be rejected.")
            return record

        return await self._database.write(once_only(caller, deciding.now, work))

    async def undo(self, caller: Caller, id_: str, retire_new: bool, deciding: Deciding) -> Supersession:
        """Make the older fact active again, with the statements and edges that ended with it. If a closer fact had
        replaced an earlier successor, that one supersedes it again. `retire_new`: the older fact supersedes the newer
        one.

        Errors: NotFound; Conflict unless it is applied, or where the older fact cannot be restored.
        """

        async def work(tx: WriteTransaction) -> Supersession:
            agent_id = caller.agent_id
            record = await find(tx, agent_id, id_)
            before = await _before_it(tx, agent_id, record)
            facts = await locked(tx, agent_id, record.old_id, record.new_id, *([before.new_id] if before else []))
            record = await find(tx, agent_id, id_)
            if record.status == "undone":
                return record
            goes_back = before is not None and await _stands(tx, agent_id, before)
            lines = await undone(tx, agent_id, record, facts, deciding, goes_back=goes_back)
            if before and goes_back:
                row = replace(row_again(before, deciding.new_id, facts, before.reason), even_away=True)
                lines += await retired(tx, agent_id, row, deciding)
            if retire_new and facts[record.new_id]["status"] == "active":
                lines += await _take_back(tx, agent_id, record, facts, deciding)
            await events_write(tx, agent_id, told(lines, "api", deciding.now, [deciding.event_id]))
            return await find(tx, agent_id, id_)

        return await self._database.write(once_only(caller, deciding.now, work))

    async def entities(self, agent_id: str) -> int:
        """How many entities an agent has."""
        return await self._database.read(lambda tx: entity_count(tx, agent_id))

    async def entities_before(self, agent_id: str, before: str, limit: int) -> list[tuple[str, bool]]:
        """Ids of entities after one, newest first, each with whether several of its facts are active."""
        return await self._database.read(lambda tx: entities_before(tx, agent_id, before, limit))

    async def recorded(self, agent_id: str, ids: Sequence[str]) -> dict[tuple[str, str], str]:
        """The pairs of these older facts that wait for a person or that a person rejected, with their status."""
        return await self._database.read(lambda tx: recorded(tx, agent_id, ids))

    async def retire(
        self, agent_id: str, rows: Sequence[SupersessionRow], proposals: Sequence[SupersessionRow], deciding: Deciding
    ) -> tuple[int, int]:
        """How many facts were retired and how many retirements proposed; what changed meanwhile stays unchanged."""

        async def work(tx: WriteTransaction) -> tuple[int, int]:
            await pair_lock(tx, agent_id, sorted({id_ for row in (*rows, *proposals) for id_ in (row.old, row.new)}))
            now = deciding.now
            applied = await supersessions_apply(tx, agent_id, [row for row in rows if not row.instead_of], {}, now)
            moved = await supersessions_move(tx, agent_id, [row for row in rows if row.instead_of], {}, now)
            asked = [one for one in await supersessions_propose(tx, agent_id, proposals, {}, now) if one.created]
            lines = [
                *(retired_line(one) for one in applied),
                *(moved_line(one) for one in moved),
                *(proposed_line(one) for one in asked),
                *await follow(tx, agent_id, [(one.old, False) for one in applied], now),
            ]
            await events_write(tx, agent_id, told(lines, "sweep", now, [deciding.event_id]))
            return len(applied) + len(moved), len(asked)

        return await self._database.write(work)

    async def keep_traits(self, agent_id: str, traits: Mapping[str, bytes]) -> None:
        """Store what was found in the texts of facts, by their ids, as an index does: no change, and no history."""

        async def work(tx: WriteTransaction) -> None:
            rows = [{"id": id_, "traits": traits[id_]} for id_ in sorted(traits)]
            await tx.rows("superseding/traits_keep", agent_id=agent_id, rows=rows)

        await self._database.write(work)


async def find(tx: ReadTransaction, agent_id: str, id_: str) -> Supersession:
    """Errors: NotFound."""
    found = await supersessions(tx, agent_id, [id_])
    if not found:
        raise NotFound(f"There is no supersession {id_!r}.")
    return found[0]


async def _before_it(tx: ReadTransaction, agent_id: str, record: Supersession) -> Supersession | None:
    """The supersession that this one replaced."""
    id_ = await refined(tx, agent_id, record.old_id, record.id)
    return await find(tx, agent_id, id_) if id_ else None


async def _stands(tx: ReadTransaction, agent_id: str, record: Supersession) -> bool:
    """Whether the former successor may supersede again: it is present, or was already cold or deleted then."""
    row = await tx.row("superseding/stands", agent_id=agent_id, id=record.id)
    return bool(row and row["stands"])


async def locked(tx: WriteTransaction, agent_id: str, *ids: str) -> Facts:
    """Facts by id, locked. Errors: NotFound."""
    facts = {fact["id"]: fact for fact in await pair_lock(tx, agent_id, sorted(set(ids)))}
    for id_ in ids:
        if id_ not in facts:
            raise NotFound(f"There is no attribute {id_!r}.")
    return facts


async def _locked_record(tx: WriteTransaction, agent_id: str, id_: str) -> tuple[Supersession, Facts]:
    """A supersession as it is now, its facts locked. Errors: NotFound."""
    record = await find(tx, agent_id, id_)
    facts = await locked(tx, agent_id, record.old_id, record.new_id)
    return await find(tx, agent_id, id_), facts


async def _accept(
    tx: WriteTransaction, agent_id: str, record: Supersession, facts: Facts, deciding: Deciding
) -> Supersession:
    if record.status == "applied":
        return record
    row = row_again(record, deciding.new_id, facts, deciding.reason or record.reason, accepted=record.method != "user")
    return await _retire(tx, agent_id, row, facts, deciding)


def row_again(
    record: Supersession, new_id: str, facts: Facts, reason: str | None, *, accepted: bool = False
) -> SupersessionRow:
    return SupersessionRow(
        id=new_id,
        old=record.old_id,
        new=record.new_id,
        signals=record.signals,
        confidence=record.confidence,
        method=record.method,
        by=None,
        reason=reason,
        valid_to=facts[record.new_id]["validFrom"],
        asked=True,
        accepted=accepted,
    )


async def _retire(
    tx: WriteTransaction, agent_id: str, row: SupersessionRow, facts: Facts, deciding: Deciding
) -> Supersession:
    require_retirable(facts[row.old], facts[row.new])
    lines = await retired(tx, agent_id, row, deciding)
    await events_write(tx, agent_id, told(lines, "api", deciding.now, [deciding.event_id]))
    id_ = await of_pair(tx, agent_id, row.old, row.new)
    return await find(tx, agent_id, id_ or row.id)


async def retired(tx: WriteTransaction, agent_id: str, row: SupersessionRow, deciding: Deciding) -> list[Line]:
    """The history lines of it. Errors: Conflict where the statement found that it is not allowed."""
    applied = await supersessions_apply(tx, agent_id, [row], {}, deciding.now)
    if not applied:
        raise Conflict(f"{row.old} cannot be superseded by {row.new} as things are: look at both, and ask again.")
    followed = await follow(tx, agent_id, [(row.old, True)], deciding.now)
    await memories_reach(tx, agent_id, [row.old])
    return [retired_line(applied[0]), *followed]


async def undone(
    tx: WriteTransaction, agent_id: str, record: Supersession, facts: Facts, deciding: Deciding, *, goes_back: bool
) -> list[Line]:
    """The history lines of it. `goes_back`: its former successor supersedes it again."""
    old = facts[record.old_id]
    key = fact_key(old["entityId"], old["content"])
    _require_undoable(record, old, await equal_fact(tx, agent_id, key), goes_back=goes_back)
    if not await undo(tx, agent_id, record.id, key, deciding.now):
        raise Conflict(f"The link of the supersession {record.id} is gone: `graphmem doctor --fix` mends it.")
    edges = [
        {**edge, "key": dependency_key(edge["sourceId"], edge["targetId"], edge["type"])}
        for edge in await edges_retired(tx, agent_id, old["id"])
    ]
    back = {"status": "superseded"}, {"status": "active"}
    revived = await memories_revive(tx, agent_id, old["id"])
    await memories_reach(tx, agent_id, [old["id"]])
    return [
        Line(
            "supersession_undone",
            old["id"],
            {"status": "superseded", "by": record.new_id, "supersession": record.id},
            {"status": "active", "method": record.method, "confidence": record.confidence},
            deciding.reason,
        ),
        *(Line("memory_revived", one, *back) for one in revived),
        *(Line("dependency_revived", one, *back) for one in await edges_revive(tx, agent_id, edges, deciding.now)),
    ]


async def _take_back(
    tx: WriteTransaction, agent_id: str, record: Supersession, facts: Facts, deciding: Deciding
) -> list[Line]:
    """The older fact supersedes the newer one."""
    row = SupersessionRow(
        id=derived_id(deciding.new_id, "retired"),
        old=record.new_id,
        new=record.old_id,
        signals=(),
        confidence=_CONFIDENCE,
        method="user",
        by="user",
        reason=deciding.reason or f"It was wrong: the supersession {record.id} was undone.",
        valid_to=facts[record.old_id]["validFrom"],
        asked=True,
    )
    return await retired(tx, agent_id, row, deciding)


def require_retirable(old: Row, new: Row) -> None:
    """Errors: Conflict, with what to do instead."""
    for fact in (old, new):
        if fact["status"] in ("cold", "deleted"):
            raise Conflict(
                f"{fact['id']} is {fact['status']}: restore it first (POST /api/memory/{fact['id']}/restore)."
            )
        _require_not_rolled_back(fact)
    if old["status"] != "active":
        raise Conflict(f"{old['id']} is superseded by {old['supersededBy']} already: undo that first.")
    if new["circle"]:
        raise Conflict(f"{new['id']} is itself superseded, in the end, by {old['id']}: undo that first.")


def _require_undoable(record: Supersession, old: Row, equal: str | None, *, goes_back: bool) -> None:
    """Errors: Conflict, with what to do instead. A fact that does not stay active needs no active statement."""
    if record.status != "applied":
        raise Conflict(f"The supersession {record.id} is {record.status}: there is nothing to undo.")
    _require_not_rolled_back(old)
    if old["status"] in ("cold", "deleted"):
        raise Conflict(f"{old['id']} is {old['status']}: restore it first (POST /api/memory/{old['id']}/restore).")
    if (away := old["memoryAway"]) and not goes_back:
        raise Conflict(f"{old['id']} was drawn from {away}, which is cold: POST /api/memory/{away}/restore first.")
    if equal:
        raise Conflict(f"{equal} says the same and is active: {old['id']} cannot be active beside it.")


def _require_not_rolled_back(fact: Row) -> None:
    """Errors: Conflict for a fact that a roll-back retired: it was never valid."""
    if by := fact["rollback"]:
        raise Conflict(
            f"{fact['id']} was taken back by a roll-back: undo that first (POST /api/repair/rollbacks/{by}/undo)."
        )


async def pair_lock(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[Row]:
    rows = await tx.rows("superseding/pair_lock", agent_id=agent_id, ids=list(ids))
    return [row["fact"] for row in rows]


async def of_pair(tx: ReadTransaction, agent_id: str, old_id: str, new_id: str) -> str | None:
    row = await tx.row("superseding/record[pair]", agent_id=agent_id, old_id=old_id, new_id=new_id)
    return row["id"] if row else None


async def entity_count(tx: ReadTransaction, agent_id: str) -> int:
    row = await tx.row("superseding/entity_count", agent_id=agent_id)
    return int(row["entities"]) if row else 0


async def entities_before(tx: ReadTransaction, agent_id: str, before: str, limit: int) -> list[tuple[str, bool]]:
    rows = await tx.rows("superseding/entities_before", agent_id=agent_id, before=before, limit=limit)
    return [(row["id"], row["several"]) for row in rows]


async def recorded(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[tuple[str, str], str]:
    rows = await tx.rows("superseding/recorded", agent_id=agent_id, ids=list(ids))
    return {(row["oldId"], row["newId"]): row["status"] for row in rows}


async def refined(tx: ReadTransaction, agent_id: str, old_id: str, id_: str) -> str | None:
    row = await tx.row("superseding/record[refined]", agent_id=agent_id, old_id=old_id, id=id_)
    return row["id"] if row else None


async def reject(tx: WriteTransaction, agent_id: str, id_: str, now: datetime) -> bool:
    return await tx.row("superseding/reject", agent_id=agent_id, id=id_, now=now) is not None


async def undo(tx: WriteTransaction, agent_id: str, id_: str, active_key: str, now: datetime) -> bool:
    row = await tx.row("superseding/undo", agent_id=agent_id, id=id_, active_key=active_key, now=now)
    return row is not None


async def equal_fact(tx: ReadTransaction, agent_id: str, active_key: str) -> str | None:
    row = await tx.row("superseding/equal_fact", agent_id=agent_id, active_key=active_key)
    return row["id"] if row else None


async def memories_revive(tx: WriteTransaction, agent_id: str, attribute_id: str) -> list[str]:
    rows = await tx.rows("superseding/memories_revive", agent_id=agent_id, attribute_id=attribute_id)
    return [row["id"] for row in rows]


async def edges_retired(tx: ReadTransaction, agent_id: str, attribute_id: str) -> list[Row]:
    return await tx.rows("superseding/edges_retired", agent_id=agent_id, attribute_id=attribute_id)


async def edges_revive(tx: WriteTransaction, agent_id: str, edges: Sequence[Row], now: datetime) -> list[str]:
    if not edges:
        return []
    return [
        row["id"] for row in await tx.rows("superseding/edges_revive", agent_id=agent_id, rows=list(edges), now=now)
    ]
