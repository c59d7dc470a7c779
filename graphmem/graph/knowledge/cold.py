"""The cold tier: archived things leave every search, keep their relationships, and are restored on request."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from graphmem.errors import Conflict, NotFound
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.lookups import attributes, entities, memories
from graphmem.graph.knowledge.revival import revive
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.answers import ArchiveReceipt, ColdStats, RetentionReport
from graphmem.model.caller import Caller
from graphmem.model.knowledge import Attribute, Entity, Memory
from graphmem.model.stored import Retention
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.keeping.seals import ALTERED

Row = dict[str, Any]
ColdKind = Literal["entity", "memory", "attribute"]


class ColdStore:
    """Memories and facts that a person archives and restores, and those that retention takes.

    Ids may be of memories or of attributes. Each call is one transaction that includes its history, and runs once for
    an idempotency key.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def archive(self, caller: Caller, id_: str, note: str | None, event_id: str, now: datetime) -> ArchiveReceipt:
        """Move a memory to the cold tier, or delete a fact; repeated, it returns the first receipt.

        Errors: NotFound.
        """

        async def work(tx: WriteTransaction) -> ArchiveReceipt:
            agent_id = caller.agent_id
            if found := await locked(tx, agent_id, [id_]):
                if found[0]["status"] == "cold":
                    return _receipt(found[0], "memory")
                sent = await memories_archive(tx, agent_id, found, Sending("deleted", note, None), now)
                await events_write(tx, agent_id, told(_sent(sent, "memory"), "api", now, [event_id]))
                return _receipt(sent[0], "memory")
            fact = await attribute_lock(tx, agent_id, id_)
            if fact["status"] in ("cold", "deleted"):
                return _attribute_receipt(fact)
            gone = await attribute_delete(tx, agent_id, id_, note, now)
            lines = [
                Line("attribute_deleted", id_, {"status": fact["status"]}, {"status": "deleted"}, note),
                *_edges("archived", gone["coldDependencyIds"]),
            ]
            await events_write(tx, agent_id, told(lines, "api", now, [event_id]))
            return _attribute_receipt(gone)

        return await self._database.write(once_only(caller, now, work))

    async def restore(
        self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime
    ) -> Memory | Attribute:
        """Restore a memory with what went with it, or a deleted fact; an active one stays unchanged.

        Errors: NotFound; Conflict where a fact went with its memory, is superseded, or was learned again.
        """

        async def work(tx: WriteTransaction) -> Memory | Attribute:
            agent_id = caller.agent_id
            if found := await locked(tx, agent_id, [id_]):
                if found[0]["status"] == "cold":
                    lines = _restored(id_, await memory_restore(tx, agent_id, id_, by_person=True), reason)
                    await events_write(tx, agent_id, told(lines, "api", now, [event_id]))
                return (await memories(tx, agent_id, [id_]))[0]
            fact = await attribute_lock(tx, agent_id, id_)
            if fact["status"] != "active":
                _require_restorable(fact)
                lines = await restore_fact(tx, agent_id, fact, reason, by_person=True)
                await events_write(tx, agent_id, told(lines, "api", now, [event_id]))
            return (await attributes(tx, agent_id, [id_]))[0]

        return await self._database.write(once_only(caller, now, work))

    async def archive_entity(
        self, caller: Caller, id_: str, note: str | None, event_id: str, now: datetime
    ) -> ArchiveReceipt:
        """Move an entity to the cold tier; repeated, it returns the first receipt. Errors: NotFound."""

        async def work(tx: WriteTransaction) -> ArchiveReceipt:
            found = await entity_lock(tx, caller.agent_id, id_)
            if not found["cold"]:
                found, lines = await send_entity(tx, caller.agent_id, found, "deleted", note, now)
                await events_write(tx, caller.agent_id, told(lines, "api", now, [event_id]))
            return _receipt(found, "entity")

        return await self._database.write(once_only(caller, now, work))

    async def restore_entity(
        self, caller: Caller, id_: str, reason: str | None, event_id: str, now: datetime
    ) -> Entity:
        """Restore an entity with what went with it; an active one stays unchanged. Errors: NotFound."""

        async def work(tx: WriteTransaction) -> Entity:
            found = await entity_lock(tx, caller.agent_id, id_)
            lines = await revive(tx, caller.agent_id, [id_] if found["cold"] else [], reason, by_person=True)
            await events_write(tx, caller.agent_id, told(lines, "api", now, [event_id]))
            return (await entities(tx, caller.agent_id, [id_]))[0]

        return await self._database.write(once_only(caller, now, work))

    async def candidates(self, agent_id: str, retention: Retention, limit: int) -> list[Memory]:
        """What retention would take next, oldest first."""

        async def work(tx: ReadTransaction) -> list[Memory]:
            return await memories(tx, agent_id, await retention_candidates(tx, agent_id, retention, limit))

        return await self._database.read(work)

    async def retain(
        self, caller: Caller, retention: Retention, limit: int, event_id: str, now: datetime
    ) -> RetentionReport:
        """Move what retention may take to the cold tier, oldest first, and return it."""

        async def work(tx: WriteTransaction) -> RetentionReport:
            agent_id = caller.agent_id
            found = await locked(tx, agent_id, sorted(await retention_candidates(tx, agent_id, retention, limit)))
            sent = await memories_archive(tx, agent_id, found, Sending("retention", None, retention), now)
            await events_write(tx, agent_id, told(_sent(sent, "memory"), "retention", now, [event_id]))
            items = await memories(tx, agent_id, [row["id"] for row in sent])
            return RetentionReport(
                job_id=None, affected=len(items), limit_reached=len(items) == limit, items=tuple(items)
            )

        return await self._database.write(once_only(caller, now, work))

    async def stats(self, agent_id: str) -> ColdStats:
        return await self._database.read(lambda tx: cold_stats(tx, agent_id))

    async def agent_after(self, agent_id: str) -> str | None:
        """The next agent that has memories, by name; None after the last."""
        return await self._database.read(lambda tx: agent_after(tx, agent_id))


@dataclass(frozen=True)
class Sending:
    """Why memories are archived: by a person, or by the conditions of retention."""

    reason: str
    note: str | None
    retention: Retention | None


async def locked(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[Row]:
    """The memories among these ids as they are now. They and all they are about are locked until the transaction
    ends."""
    held: list[str] | None = None
    found: list[Row] = []
    while (about := await entities_lock(tx, agent_id, ids)) != held:
        held, found = about, await memories_lock(tx, agent_id, ids)
    return found


async def send_with_session(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], session_id: str, event_id: str, now: datetime
) -> int:
    """Move memories to the cold tier because the session that states them was archived; returns how many."""
    found = await locked(tx, agent_id, sorted(ids))
    sent = await memories_archive(tx, agent_id, found, Sending("session", session_id, None), now)
    await events_write(tx, agent_id, told(_sent(sent, "memory"), "operator", now, [event_id]))
    return len(sent)


async def restore_with_session(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], event_id: str, now: datetime
) -> int:
    """Restore memories that went with a session; returns how many."""
    found = await locked(tx, agent_id, sorted(ids))
    lines = [line for row in found for line in await restore_memory(tx, agent_id, row["id"])]
    await events_write(tx, agent_id, told(lines, "operator", now, [event_id]))
    return len(found)


async def send_memories(
    tx: WriteTransaction, agent_id: str, found: Sequence[Row], reason: str, note: str, now: datetime
) -> list[Line]:
    """Archive locked memories that nobody asked to keep: the caller has checked that under the lock."""
    return _sent(await memories_archive(tx, agent_id, found, Sending(reason, note, None), now), "memory")


async def send_entity(
    tx: WriteTransaction, agent_id: str, found: Row, reason: str, note: str | None, now: datetime
) -> tuple[Row, list[Line]]:
    """Archive a locked entity."""
    sent = await entity_archive(tx, agent_id, found, reason, note, now)
    return sent, _sent([sent | {"statusBefore": "active"}], "entity")


async def restore_memory(tx: WriteTransaction, agent_id: str, id_: str) -> list[Line]:
    """Restore a locked memory without a person's request."""
    return _restored(id_, await memory_restore(tx, agent_id, id_, by_person=False))


async def bring_back(tx: WriteTransaction, agent_id: str, id_: str, kind: ColdKind, reason: str) -> list[Line]:
    """Restore what got good feedback in the cold tier; nothing where it is active, or cannot be restored alone."""
    if kind == "entity":
        found = await entity_lock(tx, agent_id, id_)
        return await revive(tx, agent_id, [id_] if found["cold"] else [], reason, by_person=True)
    if kind == "memory":
        cold = [row for row in await locked(tx, agent_id, [id_]) if row["status"] == "cold"]
        return _restored(id_, await memory_restore(tx, agent_id, id_, by_person=True), reason) if cold else []
    fact = await attribute_lock(tx, agent_id, id_)
    if fact["twinId"] or fact["coldKey"] is None or not fact["active"] or fact["coldReason"] == ALTERED:
        return []
    return await restore_fact(tx, agent_id, fact, reason, by_person=True)


async def restore_fact(
    tx: WriteTransaction, agent_id: str, fact: Row, reason: str | None = None, *, by_person: bool
) -> list[Line]:
    """Restore a locked fact that was deleted by itself."""
    back = await attribute_restore(tx, agent_id, fact["id"], by_person)
    return [
        Line("attribute_restored", fact["id"], {"status": fact["status"]}, {"status": back["statusNow"]}, reason),
        *_edges("restored", back["dependencyIds"]),
    ]


async def entities_lock(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[str]:
    row = await tx.row("cold/entities_lock", agent_id=agent_id, ids=list(ids))
    return list(row["entityIds"]) if row else []


async def memories_lock(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[Row]:
    return [row["memory"] for row in await tx.rows("cold/memories_lock", agent_id=agent_id, ids=list(ids))]


async def memories_archive(
    tx: WriteTransaction, agent_id: str, found: Sequence[Row], sending: Sending, now: datetime
) -> list[Row]:
    """Receipts of what was archived, each with the memory's previous state."""
    kept = sending.retention
    rows = await tx.rows(
        "cold/memories_archive",
        agent_id=agent_id,
        rows=[{"id": row["id"], "bytes": len(row["content"].encode())} for row in found],
        reason=sending.reason,
        note=sending.note,
        by_person=kept is None,
        before=kept.before if kept else None,
        lighter_than=kept.lighter_than if kept else None,
        now=now,
    )
    return [row["receipt"] | {"statusBefore": row["statusBefore"]} for row in rows]


async def memory_restore(tx: WriteTransaction, agent_id: str, id_: str, *, by_person: bool) -> Row:
    return await tx.row("cold/memory_restore", agent_id=agent_id, id=id_, by_person=by_person) or {}


async def attribute_lock(tx: WriteTransaction, agent_id: str, id_: str) -> Row:
    """The fact as it is now. Errors: NotFound."""
    row = await tx.row("cold/attribute_lock", agent_id=agent_id, id=id_)
    if row is None:
        raise NotFound(f"There is no memory or attribute {id_!r}.")
    return dict(row["attribute"])


async def attribute_delete(tx: WriteTransaction, agent_id: str, id_: str, note: str | None, now: datetime) -> Row:
    row = await tx.row("cold/attribute_delete[deleted]", agent_id=agent_id, id=id_, note=note, now=now)
    return dict(row["receipt"]) if row else {}


async def attribute_restore(tx: WriteTransaction, agent_id: str, id_: str, by_person: bool) -> Row:
    return await tx.row("cold/attribute_restore", agent_id=agent_id, id=id_, by_person=by_person) or {}


async def entity_lock(tx: WriteTransaction, agent_id: str, id_: str) -> Row:
    """The entity as it is now. Errors: NotFound; Conflict for one that was merged."""
    row = await tx.row("cold/entity_lock", agent_id=agent_id, id=id_)
    if row is None:
        raise NotFound(f"There is no entity with the id {id_!r}.")
    if survivor := row["entity"]["survivorId"]:
        raise Conflict(f"{id_} was merged into {survivor}: take that one, or undo the merge first.")
    return dict(row["entity"])


async def entity_archive(
    tx: WriteTransaction, agent_id: str, found: Row, reason: str, note: str | None, now: datetime
) -> Row:
    size = len(found["name"].encode())
    row = await tx.row(
        "cold/entity_archive", agent_id=agent_id, id=found["id"], reason=reason, note=note, bytes=size, now=now
    )
    return dict(row["receipt"]) if row else {}


async def retention_candidates(tx: ReadTransaction, agent_id: str, retention: Retention, limit: int) -> list[str]:
    rows = await tx.rows(
        "cold/retention_candidates",
        agent_id=agent_id,
        before=retention.before,
        lighter_than=retention.lighter_than,
        limit=limit,
    )
    return [row["id"] for row in rows]


async def cold_stats(tx: ReadTransaction, agent_id: str) -> ColdStats:
    rows = await tx.rows("cold/cold_stats", agent_id=agent_id)
    return ColdStats(
        count=sum(row["number"] for row in rows),
        memories=sum(row["number"] for row in rows if row["kind"] == "memory"),
        entities=sum(row["number"] for row in rows if row["kind"] == "entity"),
        oldest=min((row["oldest"] for row in rows), default=None),
        newest=max((row["newest"] for row in rows), default=None),
        total_bytes=sum(row["bytes"] for row in rows),
        by_reason={
            reason: sum(row["number"] for row in rows if row["reason"] == reason)
            for reason in sorted({row["reason"] for row in rows})
        },
    )


async def agent_after(tx: ReadTransaction, agent_id: str) -> str | None:
    row = await tx.row("upkeep/agent_after[memories]", after=agent_id)
    return str(row["agent_id"]) if row else None


def _require_restorable(fact: Row) -> None:
    id_ = fact["id"]
    if fact["twinId"]:
        raise Conflict(f"What {id_} says was learned again: it is the active fact {fact['twinId']}.")
    withdrawn = fact["status"] == "cold" and fact["coldStatus"]
    if fact["status"] == "cold" and fact["coldKey"] is None and fact["coldReason"] != ALTERED:
        raise Conflict(f"What {id_} says was learned again: it lives on as {fact['coldSourceId']}.")
    if fact["status"] == "cold" and not withdrawn:
        raise Conflict(f"{id_} is in the cold tier with {fact['coldSourceId']}, what it belongs to: restore that.")
    if fact["status"] == "superseded":
        raise Conflict(f"{id_} is superseded by {fact['supersededBy']}, not deleted: there is nothing to restore.")
    if not fact["active"] and fact["coldStatus"] != "superseded":  # an inactive fact needs no statement
        raise Conflict(f"The memories or the entity of {id_} are in the cold tier: restore them first.")


def _receipt(row: Row, kind: Literal["memory", "entity"]) -> ArchiveReceipt:
    return ArchiveReceipt(
        id=row["id"],
        kind=kind,
        status="cold",
        reason=row["coldReason"],
        note=row["coldNote"],
        at=row["coldAt"],
        source_id=row.get("coldSourceId"),
        attribute_ids=row["coldAttributeIds"],
        dependency_ids=row["coldDependencyIds"],
    )


def _attribute_receipt(row: Row) -> ArchiveReceipt:
    return ArchiveReceipt(
        id=row["id"],
        kind="attribute",
        status=row["status"],
        reason=row["coldReason"] or "source",
        note=row["coldNote"],
        at=row["coldAt"] or row["retiredAt"],
        source_id=row["coldSourceId"],
        attribute_ids=(row["id"],),
        dependency_ids=row["coldDependencyIds"] or (),
    )


def _sent(receipts: Sequence[Row], kind: str) -> list[Line]:
    lines: dict[str, Line] = {}
    for row in receipts:
        after = {"status": "cold", "reason": row["coldReason"]}
        lines[row["id"]] = Line(f"{kind}_archived", row["id"], {"status": row["statusBefore"]}, after, row["coldNote"])
        gone = {"status": "cold", "source": row["id"]}
        facts = [Line("attribute_archived", id_, {"status": "active"}, gone) for id_ in row["coldAttributeIds"]]
        lines |= {line.subject_id: line for line in [*facts, *_edges("archived", row["coldDependencyIds"])]}
    return list(lines.values())


def _restored(id_: str, back: Row, reason: str | None = None) -> list[Line]:
    return [
        Line("memory_restored", id_, {"status": "cold"}, {"status": back["statusNow"]}, reason),
        *(Line("attribute_restored", one, {"status": "cold"}, {"status": "active"}) for one in back["attributeIds"]),
        *(Line("attribute_confirmed", one, None, {"memory": id_}) for one in back["confirmedIds"]),
        *_edges("restored", back["dependencyIds"]),
    ]


def _edges(what: str, ids: Sequence[str]) -> list[Line]:
    return [Line(f"dependency_{what}", id_) for id_ in ids]
