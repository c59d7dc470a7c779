"""Rolls an entity back to its state of a day, in one transaction, and undoes it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.beliefs import edges, facts, holdings
from graphmem.graph.knowledge.lookups import attributes, dependencies
from graphmem.graph.knowledge.merging import lock_pair
from graphmem.graph.knowledge.reverting import carry_out, take_back
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.answers import LeftAsItIs, Rollback, RollbackStatus
from graphmem.model.caller import Caller
from graphmem.model.change import Deciding
from graphmem.model.knowledge import NamedRef
from graphmem.model.rollback import EntityThen, RollbackJournal, RollbackPlan, RolledFact
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.supersession import plan_rollback

Row = dict[str, Any]
_JOURNAL = TypeAdapter(RollbackJournal)


class RollbackStore:
    """A roll-back and its undoing are one transaction each, with history, once for an idempotency key. The entity and
    its neighbours are locked before anything is read: nobody can add or retire a fact of it meanwhile."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preview(self, agent_id: str, entity_id: str, to: datetime, reason: str | None, now: datetime) -> Rollback:
        """What a roll-back would do. Errors: NotFound; InvalidInput for a day on which the entity was not known;
        Conflict for one in the cold tier."""

        async def work(tx: ReadTransaction) -> Rollback:
            entity, then = await _entity_then(tx, agent_id, entity_id, to)
            plan = plan_rollback(then, to)
            return await _answer(tx, agent_id, entity, _journal(plan, then), "preview", to, reason, now)

        return await self._database.read(work)

    async def roll_back(self, caller: Caller, entity_id: str, to: datetime, deciding: Deciding) -> Rollback:
        """Roll an entity back; without a change nothing is recorded. Errors: as `preview`."""
        agent_id, now, id_ = caller.agent_id, deciding.now, deciding.new_id

        async def work(tx: WriteTransaction) -> Rollback:
            await lock_pair(tx, agent_id, entity_id, entity_id)
            entity, then = await _entity_then(tx, agent_id, entity_id, to)
            plan = plan_rollback(then, to)
            journal = _journal(plan, then)
            if plan.empty:
                return await _answer(tx, agent_id, entity, journal, "unchanged", to, deciding.reason, now)
            await rollback_store(tx, agent_id, id_, entity_id, to, deciding.reason, now)
            lines, spoken = await carry_out(tx, agent_id, id_, journal, deciding)
            told_of = {"rollback": id_, "to": to.isoformat()}
            lines.insert(0, Line("entity_rolled_back", entity_id, None, told_of, deciding.reason))
            await events_write(tx, agent_id, told(lines, "api", now, [deciding.event_id]))
            journal = await _with_after(tx, agent_id, journal, spoken)
            await rollback_note(tx, agent_id, id_, journal)
            return await _find(tx, agent_id, id_)

        return await self._database.write(once_only(caller, now, work))

    async def undo(self, caller: Caller, id_: str, deciding: Deciding) -> Rollback:
        """Undo a roll-back: everything it changed is as before. Repeated, it answers the same.

        Errors: NotFound; Conflict, naming what changed since or prevents it.
        """
        agent_id, now = caller.agent_id, deciding.now

        async def work(tx: WriteTransaction) -> Rollback:
            found = await _record(tx, agent_id, id_)
            await lock_pair(tx, agent_id, found["entityId"], found["entityId"])
            found = await _record(tx, agent_id, id_)
            if found["status"] == "undone":
                return await _find(tx, agent_id, id_)
            if later := found["later"]:
                raise Conflict(f"A later roll-back has to be undone first: POST /api/repair/rollbacks/{later}/undo.")
            journal = _JOURNAL.validate_json(found["journal"])
            current = await _current(tx, agent_id, journal)
            lines = await take_back(tx, agent_id, id_, journal, current, deciding)
            await rollback_undo(tx, agent_id, id_, now)
            told_of = {"rollback": id_, "to": found["to"].isoformat()}
            lines.insert(0, Line("entity_rollback_undone", found["entityId"], told_of, None, deciding.reason))
            await events_write(tx, agent_id, told(lines, "api", now, [deciding.event_id]))
            return await _find(tx, agent_id, id_)

        return await self._database.write(once_only(caller, now, work))

    async def page(
        self, agent_id: str, entity_id: str | None, before: tuple[datetime, str], limit: int
    ) -> list[Rollback]:
        """Roll-backs newest first, after (createdAt, id)."""

        async def work(tx: ReadTransaction) -> list[Rollback]:
            ids = await rollback_page(tx, agent_id, entity_id, before, limit)
            return [await _find(tx, agent_id, id_) for id_ in ids]

        return await self._database.read(work)


async def _entity_then(tx: ReadTransaction, agent_id: str, entity_id: str, to: datetime) -> tuple[NamedRef, EntityThen]:
    """Errors: NotFound; InvalidInput; Conflict."""
    found = await holdings(tx, agent_id, entity_id)
    if found["cold"]:
        raise Conflict(f"{entity_id} is in the cold tier: POST /api/graph/entities/{entity_id}/restore first.")
    if to < found["knownSince"]:
        since = found["knownSince"].isoformat()
        raise InvalidInput.at(
            "to", msg=f"is before {found['name']!r} was first heard of, at {since}: give a later time"
        )
    then = EntityThen(
        tuple(await facts(tx, agent_id, found["factIds"])), tuple(await edges(tx, agent_id, found["edgeIds"]))
    )
    return NamedRef(id=entity_id, name=found["name"]), then


def _journal(plan: RollbackPlan, then: EntityThen) -> RollbackJournal:
    """The plan, with the current state of what it changes."""
    touched, moved = set(plan.touched), {*plan.edges_retired, *plan.edges_revived}
    return RollbackJournal(
        plan=plan,
        facts=tuple(fact for fact in then.facts if fact.id in touched),
        edges=tuple(edge for edge in then.edges if edge.id in moved or edge.gone_with in plan.restored),
        facts_after={},
        edges_after={},
        spoken=(),
    )


async def _current(tx: ReadTransaction, agent_id: str, journal: RollbackJournal) -> dict[str, RolledFact]:
    """The current state of what a roll-back changed. Errors: Conflict, naming what changed since."""
    found = {fact.id: fact for fact in await facts(tx, agent_id, list(journal.facts_after))}
    for id_, after in journal.facts_after.items():
        if id_ not in found:
            raise Conflict(f"{id_}, which the roll-back touched, is there no more: it cannot be undone.")
        if found[id_].now != after:
            raise Conflict(
                f"{id_} changed since: it was {_seen(after)} behind the roll-back, and is {_seen(found[id_].now)}. "
                "Take that back first."
            )
    there = {edge.id: edge.status for edge in await edges(tx, agent_id, list(journal.edges_after))}
    for id_, status in journal.edges_after.items():
        if there.get(id_) != status:
            raise Conflict(
                f"The dependency {id_} changed since: it was {status} behind the roll-back, and is "
                f"{there.get(id_, 'there no more')}. Take that back first."
            )
    return found


def _seen(state: tuple[str, str | None, str | None]) -> str:
    status, by, rollback = state
    return f"{status}{f' by {by}' if by else ''}{f', taken back by {rollback}' if rollback else ''}"


async def _with_after(
    tx: ReadTransaction, agent_id: str, journal: RollbackJournal, spoken: Sequence[str]
) -> RollbackJournal:
    touched = await facts(tx, agent_id, list(journal.plan.touched))
    moved = await edges(tx, agent_id, [edge.id for edge in journal.edges])
    return RollbackJournal(
        plan=journal.plan,
        facts=journal.facts,
        edges=journal.edges,
        facts_after={fact.id: fact.now for fact in touched},
        edges_after={edge.id: edge.status for edge in moved},
        spoken=tuple(spoken),
    )


async def _record(tx: ReadTransaction, agent_id: str, id_: str) -> Row:
    """Errors: NotFound."""
    found = await rollbacks(tx, agent_id, [id_])
    if not found:
        raise NotFound(f"There is no roll-back {id_!r}.")
    return found[0]


async def _find(tx: ReadTransaction, agent_id: str, id_: str) -> Rollback:
    found = await _record(tx, agent_id, id_)
    name = (await holdings(tx, agent_id, found["entityId"]))["name"]
    return await _answer(
        tx,
        agent_id,
        NamedRef(id=found["entityId"], name=name),
        _JOURNAL.validate_json(found["journal"]),
        found["status"],
        found["to"],
        found["reason"],
        found["createdAt"],
        id_,
        found["undoneAt"],
    )


async def _answer(
    tx: ReadTransaction,
    agent_id: str,
    entity: NamedRef,
    journal: RollbackJournal,
    status: RollbackStatus,
    to: datetime,
    reason: str | None,
    created_at: datetime,
    id_: str | None = None,
    undone_at: datetime | None = None,
) -> Rollback:
    plan = journal.plan
    again = [fact_id for fact_id, _ in plan.renewed if fact_id in plan.rested]
    gone = {*plan.retired, *again}
    return Rollback(
        id=id_,
        entity=entity,
        to=to,
        status=status,
        reason=reason,
        created_at=created_at,
        undone_at=undone_at,
        retired=tuple(await attributes(tx, agent_id, [*plan.retired, *again])),
        revived=tuple(await attributes(tx, agent_id, list(plan.woken))),
        protected_ids=tuple(fact.id for fact in journal.facts if fact.protected and fact.id in gone),
        dependencies_retired=tuple(await dependencies(tx, agent_id, list(plan.edges_retired))),
        dependencies_revived=tuple(await dependencies(tx, agent_id, list(plan.edges_revived))),
        supersessions_undone=tuple(one.record_id for _, one in plan.closed),
        supersessions_renewed=tuple(one.record_id for _, one in plan.renewed),
        left=tuple(LeftAsItIs(id=one.id, reason=one.reason) for one in plan.left),
    )


async def rollback_store(
    tx: WriteTransaction, agent_id: str, id_: str, entity_id: str, to: datetime, reason: str | None, now: datetime
) -> None:
    await tx.rows(
        "rollback/rollback_store", agent_id=agent_id, id=id_, entity_id=entity_id, to=to, reason=reason, now=now
    )


async def rollback_note(tx: WriteTransaction, agent_id: str, id_: str, journal: RollbackJournal) -> None:
    text = _JOURNAL.dump_json(journal).decode()
    await tx.rows("rollback/rollback_note[journal]", agent_id=agent_id, id=id_, journal=text)


async def rollback_undo(tx: WriteTransaction, agent_id: str, id_: str, now: datetime) -> None:
    await tx.rows("rollback/rollback_note[undone]", agent_id=agent_id, id=id_, now=now)


async def rollbacks(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Row]:
    return [row["rollback"] for row in await tx.rows("rollback/rollbacks", agent_id=agent_id, ids=list(ids))]


async def rollback_page(
    tx: ReadTransaction, agent_id: str, entity_id: str | None, before: tuple[datetime, str], limit: int
) -> list[str]:
    rows = await tx.rows(
        "rollback/rollback_page",
        agent_id=agent_id,
        entity_id=entity_id,
        before=before[0],
        before_id=before[1],
        limit=limit,
    )
    return [row["id"] for row in rows]
