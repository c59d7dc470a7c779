"""Seals of messages and facts, and what they are held against."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.impact.provenance import said
from graphmem.graph.operation.doctor import BEGINNING, erasures_of_agent
from graphmem.graph.operation.jobs import events_write
from graphmem.model.change import EventRow
from graphmem.model.sealing import (
    FactSources,
    LookedAtFact,
    LookedAtMemory,
    PastEvent,
    SaidMessage,
    Seal,
    SealSubject,
    Statement,
)
from graphmem.rules.keeping.seals import told_of
from graphmem.rules.language.keys import sha256_hex

LONG_S = 120.0
"""Seconds one read may take: it may go over everything there is."""
_SALT: Mapping[SealSubject, str] = {
    "messages": "sealing/salt[messages]",
    "memories": "sealing/salt[memories]",
    "facts": "sealing/salt[facts]",
}


class SealStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def messages_waiting(self, limit: int) -> list[tuple[str, SaidMessage]]:
        """(agent, message) of messages that history does not seal."""
        return await self._database.read(lambda tx: messages_waiting(tx, limit), timeout_s=LONG_S)

    async def memories_waiting(self, limit: int) -> list[tuple[str, LookedAtMemory]]:
        """(agent, memory) of memories that history does not seal."""
        return await self._database.read(lambda tx: memories_waiting(tx, limit), timeout_s=LONG_S)

    async def facts_waiting(self, limit: int) -> list[tuple[str, LookedAtFact]]:
        """(agent, fact) of facts that history does not seal."""
        return await self._database.read(lambda tx: facts_waiting(tx, limit), timeout_s=LONG_S)

    async def keep(self, agent_id: str, subject: SealSubject, seals: Sequence[Seal], event: EventRow) -> int:
        """Seal what still says what was read, by one event; returns how many."""

        async def work(tx: WriteTransaction) -> int:
            salted = await salt(tx, agent_id, subject, seals)
            kept = [one for one in seals if one.id in salted]
            if kept:
                await events_write(tx, agent_id, [replace(event, after=told_of(kept))])
            return len(kept)

        return await self._database.write(work)

    async def events(
        self, agent_id: str, kind: str, subject_id: str | None, after: PastEvent | None, limit: int
    ) -> list[PastEvent]:
        """The history of a kind, of one subject or all, in order, after an event."""
        at, id_ = (after.at, after.id) if after else (BEGINNING, "")
        return await self._database.read(
            lambda tx: past_events(tx, agent_id, kind, subject_id, at, id_, limit), timeout_s=LONG_S
        )

    async def erased(self, agent_id: str) -> dict[str, frozenset[str]]:
        """The ids of the messages, memories and facts that each erasure took."""
        erased = await self._database.read(lambda tx: erasures_of_agent(tx, agent_id))
        return {id_: things for id_, (_, things) in erased.items()}

    async def facts(self, agent_id: str, after: str, limit: int) -> list[LookedAtFact]:
        """Facts after an id."""
        return await self._database.read(lambda tx: facts(tx, agent_id, after, limit), timeout_s=LONG_S)

    async def memories(self, agent_id: str, after: str, limit: int, *, cold: bool) -> list[LookedAtMemory]:
        """Memories after an id, those in the cold tier or the others."""
        return await self._database.read(lambda tx: memories(tx, agent_id, after, limit, cold), timeout_s=LONG_S)

    async def sources(self, agent_id: str, ids: Sequence[str]) -> dict[str, FactSources]:
        """What facts were drawn from, by their ids."""
        return await self._database.read(lambda tx: fact_sources(tx, agent_id, ids), timeout_s=LONG_S)

    async def memory_texts(self, agent_id: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What else says what memories say, by their ids."""
        return await self._database.read(lambda tx: memory_texts(tx, agent_id, ids), timeout_s=LONG_S)

    async def agents(self) -> list[str]:
        """Every agent that has stored anything, by name."""
        return await self._database.read(agents, timeout_s=LONG_S)


async def messages_waiting(tx: ReadTransaction, limit: int) -> list[tuple[str, SaidMessage]]:
    rows = await tx.rows("sealing/waiting[messages]", limit=limit)
    return [(row["agent_id"], said(row["item"])) for row in rows]


async def memories_waiting(tx: ReadTransaction, limit: int) -> list[tuple[str, LookedAtMemory]]:
    rows = await tx.rows("sealing/waiting[memories]", limit=limit)
    return [(row["agent_id"], _memory(row["item"])) for row in rows]


async def facts_waiting(tx: ReadTransaction, limit: int) -> list[tuple[str, LookedAtFact]]:
    rows = await tx.rows("sealing/waiting[facts]", limit=limit)
    return [(row["agent_id"], _fact(row["item"])) for row in rows]


async def salt(tx: WriteTransaction, agent_id: str, subject: SealSubject, seals: Sequence[Seal]) -> set[str]:
    given = [{"id": one.id, "salt": one.salt, "says": one.says} for one in seals]
    return {row["id"] for row in await tx.rows(_SALT[subject], agent_id=agent_id, rows=given)}


async def past_events(
    tx: ReadTransaction, agent_id: str, kind: str, subject_id: str | None, after: datetime, after_id: str, limit: int
) -> list[PastEvent]:
    rows = await tx.rows(
        "sealing/events",
        agent_id=agent_id,
        kind=kind,
        subject_id=subject_id,
        after=after,
        after_id=after_id,
        limit=limit,
    )
    return [PastEvent(row["at"], row["id"], row["subjectId"], row["after"]) for row in rows]


async def facts(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[LookedAtFact]:
    rows = await tx.rows("sealing/known[facts]", agent_id=agent_id, after=after, limit=limit)
    return [_fact(row["item"]) for row in rows]


async def memories(tx: ReadTransaction, agent_id: str, after: str, limit: int, cold: bool) -> list[LookedAtMemory]:
    name = "sealing/known[cold]" if cold else "sealing/known[memories]"
    return [_memory(row["item"]) for row in await tx.rows(name, agent_id=agent_id, after=after, limit=limit)]


async def fact_sources(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, FactSources]:
    rows = await tx.rows("sealing/sources[facts]", agent_id=agent_id, ids=list(ids))
    return {
        row["id"]: FactSources(
            _present(row["texts"]),
            tuple(_statement(one) for one in row["statements"]),
            tuple((one["name"], one["entityId"]) for one in row["hung"]),
        )
        for row in rows
    }


async def memory_texts(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    rows = await tx.rows("sealing/sources[memories]", agent_id=agent_id, ids=list(ids))
    return {row["id"]: _present(row["texts"]) for row in rows}


async def agents(tx: ReadTransaction) -> list[str]:
    return [row["agent_id"] for row in await tx.rows("sealing/agents")]


def _fact(row: Mapping[str, Any]) -> LookedAtFact:
    return LookedAtFact(
        id=row["id"],
        entity_id=row["entityId"],
        aspect=row["aspect"] or "",
        kind=row["kind"],
        content=row["content"],
        status=row["status"],
        active_key=row["activeKey"],
        cold_key=row["coldKey"],
        salt=row["salt"],
        quarantined=row["quarantined"],
    )


def _statement(row: Mapping[str, Any]) -> Statement:
    from_messages = row["said"]
    return Statement(
        row["content"],
        row["contentKey"],
        _present(one["text"] for one in from_messages),
        whole=not from_messages or any(sha256_hex(one["content"]) == one["sha256"] for one in from_messages),
    )


def _memory(row: Mapping[str, Any]) -> LookedAtMemory:
    return LookedAtMemory(row["id"], row["type"], row["content"], row["contentKey"], row["salt"])


def _present(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(text for text in texts if text)
