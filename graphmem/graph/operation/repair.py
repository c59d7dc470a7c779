"""Repairs of what the doctor finds: each is one transaction, with its line of history."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime

from pydantic.alias_generators import to_camel

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.schema import make_index
from graphmem.model.change import EventRow, HungFact
from graphmem.model.sealing import LookedAtFact, LookedAtMemory
from graphmem.model.stored import AstrayFact, BrokenRetirement
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import content_key, fact_key

LONG_S = 300.0
"""Seconds one repair may take: a session of 100,000 messages is numbered in one transaction."""
Changing = Callable[[WriteTransaction], Awaitable[list[str]]]


class RepairStore:
    """Each method returns the ids of what it changed, none where nothing was wrong."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make_index(self, name: str, *, anew: bool) -> None:
        """Errors: SchemaMismatch for an index that is not ours."""
        await make_index(self._database, name, anew=anew)

    async def note(self, agent_id: str, event: EventRow) -> None:
        """Record what was done outside of our transactions."""
        await self._database.write(lambda tx: events_write(tx, agent_id, [event]))

    async def want_vectors(self, agent_id: str, limit: int, event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: vectors_wanted(tx, agent_id, limit))

    async def hang_messages(self, agent_id: str, limit: int, event: EventRow) -> list[str]:
        """Link messages to their sessions again, which are recreated where they are missing; the messages are
        counted."""

        async def work(tx: WriteTransaction) -> list[str]:
            hung = await messages_hang(tx, agent_id, limit, event.at)
            for session_id in dict.fromkeys(session_id for _, session_id in hung):
                await session_count(tx, agent_id, session_id)
            return [id_ for id_, _ in hung]

        return await self._change(agent_id, event, work)

    async def astray(self, agent_id: str, limit: int) -> list[AstrayFact]:
        return await self._database.read(lambda tx: attributes_astray(tx, agent_id, limit), timeout_s=LONG_S)

    async def hang_facts(self, agent_id: str, facts: Sequence[HungFact], event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: attributes_hang(tx, agent_id, facts, event.at))

    async def name_entities(self, agent_id: str, limit: int, event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: entities_name(tx, agent_id, limit))

    async def hang_summaries(self, agent_id: str, limit: int, event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: summaries_hang(tx, agent_id, limit))

    async def hang_compactions(self, agent_id: str, limit: int, event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: compactions_hang(tx, agent_id, limit))

    async def renumber(self, agent_id: str, session_id: str, event: EventRow) -> list[int]:
        """The former ordinals of the session's messages; they are 0, 1, 2 … now, and counted."""

        async def work(tx: WriteTransaction) -> list[int]:
            before = await ordinals_renumber(tx, agent_id, session_id)
            await chain_mend(tx, agent_id, session_id)
            after = json.dumps({"messages": len(before), "missing": missing(before)})
            await events_write(tx, agent_id, [replace(event, after=after)])
            return before

        return await self._database.write(work, timeout_s=LONG_S)

    async def mend_chain(self, agent_id: str, session_id: str, event: EventRow) -> int:
        """How many links were made."""

        async def work(tx: WriteTransaction) -> int:
            linked = await chain_mend(tx, agent_id, session_id)
            if linked:
                await events_write(tx, agent_id, [replace(event, after=json.dumps({"linked": linked}))])
            return linked

        return await self._database.write(work, timeout_s=LONG_S)

    async def mend_lineage(self, agent_id: str, session_id: str, limit: int, event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: lineage_mend(tx, agent_id, session_id, limit))

    async def link_successors(self, agent_id: str, found: Sequence[tuple[str, str]], event: EventRow) -> list[str]:
        """Link facts, each with an id for its record, to the named successors."""
        return await self._change(agent_id, event, lambda tx: successors_link(tx, agent_id, found, event.at))

    async def undo_links(self, agent_id: str, found: Sequence[BrokenRetirement], event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: links_undo(tx, agent_id, found, event.at))

    async def renew_records(self, agent_id: str, found: Sequence[BrokenRetirement], event: EventRow) -> list[str]:
        return await self._change(agent_id, event, lambda tx: records_renew(tx, agent_id, found, event.at))

    async def open_circle(self, agent_id: str, id_: str, event: EventRow) -> str | None:
        """The fact that is active again because the circle of a fact was opened; None where there is no circle."""

        async def work(tx: WriteTransaction) -> list[str]:
            found = await circle(tx, agent_id, id_)
            if found is None:
                return []
            youngest, key = found
            await links_undo(tx, agent_id, [youngest], event.at)
            await fact_revive(tx, agent_id, youngest.id, key)
            return [youngest.id]

        changed = await self._change(agent_id, event, work)
        return changed[0] if changed else None

    async def key_facts(self, agent_id: str, facts: Sequence[LookedAtFact], event: EventRow) -> list[str]:
        """Give each fact its key, where no other fact has it."""
        return await self._change(agent_id, event, lambda tx: fact_keys(tx, agent_id, facts))

    async def restore_facts(self, agent_id: str, facts: Sequence[LookedAtFact], event: EventRow) -> list[str]:
        """Let altered facts be again as they are given, where no other fact has their key."""
        return await self._change(agent_id, event, lambda tx: facts_original(tx, agent_id, facts))

    async def restore_memories(self, agent_id: str, memories: Sequence[LookedAtMemory], event: EventRow) -> list[str]:
        """Let altered memories be again as they are given, where no other memory has their key."""
        return await self._change(agent_id, event, lambda tx: memories_original(tx, agent_id, memories))

    async def quarantine(self, agent_id: str, facts: Sequence[LookedAtFact], event: EventRow) -> list[str]:
        """Put altered facts away, out of every answer, until a person restores them."""

        async def work(tx: WriteTransaction) -> list[str]:
            lines = await facts_quarantine(tx, agent_id, facts, event.at)
            rows = told([Line("repaired", event.subject_id), *lines], event.actor, event.at, [event.id])[1:]
            await events_write(tx, agent_id, rows)
            return [line.subject_id for line in lines if line.kind == "attribute_quarantined"]

        return await self._change(agent_id, event, work)

    async def job_again(self, agent_id: str, job_id: str, event: EventRow) -> bool:
        """Queue a parked job again; False if it is not one."""

        async def work(tx: WriteTransaction) -> list[str]:
            return [job_id] if await job_again(tx, agent_id, job_id, event.at) else []

        return bool(await self._change(agent_id, event, work))

    async def _change(self, agent_id: str, event: EventRow, change: Changing) -> list[str]:
        async def work(tx: WriteTransaction) -> list[str]:
            ids = await change(tx)
            if ids:
                await events_write(tx, agent_id, [replace(event, after=json.dumps({"ids": ids}))])
            return ids

        return await self._database.write(work, timeout_s=LONG_S)


def missing(ordinals: Sequence[int]) -> list[int]:
    """Numbers missing from a list that should be 0, 1, 2 …, at most a thousand of them.

    >>> missing([0, 1, 4])
    [2, 3]
    """
    held = set(ordinals)
    return [number for number in range(max(held, default=-1)) if number not in held][:1000]


async def vectors_wanted(tx: WriteTransaction, agent_id: str, limit: int) -> list[str]:
    return [row["id"] for row in await tx.rows("repair/vectors_wanted", agent_id=agent_id, limit=limit)]


async def messages_hang(tx: WriteTransaction, agent_id: str, limit: int, now: datetime) -> list[tuple[str, str]]:
    rows = await tx.rows("repair/messages_hang", agent_id=agent_id, limit=limit, now=now)
    return [(row["id"], row["sessionId"]) for row in rows]


async def session_count(tx: WriteTransaction, agent_id: str, session_id: str) -> None:
    await tx.rows("repair/session_count", agent_id=agent_id, session_id=session_id)


async def attributes_astray(tx: ReadTransaction, agent_id: str, limit: int) -> list[AstrayFact]:
    rows = await tx.rows("repair/attributes_astray", agent_id=agent_id, limit=limit)
    return [AstrayFact(row["id"], row["entityId"], row["aspect"], row["entity"]) for row in rows]


async def attributes_hang(tx: WriteTransaction, agent_id: str, facts: Sequence[HungFact], now: datetime) -> list[str]:
    given = [{to_camel(key): value for key, value in asdict(fact).items()} for fact in facts]
    return [row["id"] for row in await tx.rows("repair/attributes_hang", agent_id=agent_id, rows=given, now=now)]


async def entities_name(tx: WriteTransaction, agent_id: str, limit: int) -> list[str]:
    return [row["id"] for row in await tx.rows("repair/entities_name", agent_id=agent_id, limit=limit)]


async def compactions_hang(tx: WriteTransaction, agent_id: str, limit: int) -> list[str]:
    return [row["id"] for row in await tx.rows("repair/compactions_hang", agent_id=agent_id, limit=limit)]


async def summaries_hang(tx: WriteTransaction, agent_id: str, limit: int) -> list[str]:
    return [row["id"] for row in await tx.rows("repair/summaries_hang", agent_id=agent_id, limit=limit)]


async def ordinals_renumber(tx: WriteTransaction, agent_id: str, session_id: str) -> list[int]:
    row = await tx.row("repair/ordinals_renumber", agent_id=agent_id, session_id=session_id)
    return list(row["before"]) if row else []


async def chain_mend(tx: WriteTransaction, agent_id: str, session_id: str) -> int:
    row = await tx.row("repair/chain_mend", agent_id=agent_id, session_id=session_id)
    return int(row["linked"]) if row else 0


async def lineage_mend(tx: WriteTransaction, agent_id: str, session_id: str, limit: int) -> list[str]:
    rows = await tx.rows("repair/lineage_mend", agent_id=agent_id, session_id=session_id, limit=limit)
    return [row["id"] for row in rows]


async def successors_link(
    tx: WriteTransaction, agent_id: str, found: Sequence[tuple[str, str]], now: datetime
) -> list[str]:
    given = [{"id": id_, "newRecord": record} for id_, record in found]
    return [row["id"] for row in await tx.rows("repair/successors_link", agent_id=agent_id, rows=given, now=now)]


async def links_undo(
    tx: WriteTransaction, agent_id: str, found: Sequence[BrokenRetirement], now: datetime
) -> list[str]:
    given = [{"id": one.id, "linkId": one.link_id} for one in found]
    return [row["id"] for row in await tx.rows("repair/links_undo", agent_id=agent_id, rows=given, now=now)]


async def records_renew(
    tx: WriteTransaction, agent_id: str, found: Sequence[BrokenRetirement], now: datetime
) -> list[str]:
    given = [{"id": one.id, "linkId": one.link_id} for one in found]
    return [row["id"] for row in await tx.rows("repair/records_renew", agent_id=agent_id, rows=given, now=now)]


async def circle(tx: ReadTransaction, agent_id: str, id_: str) -> tuple[BrokenRetirement, str] | None:
    """The fact that was retired last in a circle with this one, and its former key."""
    row = await tx.row("repair/circle", agent_id=agent_id, id=id_)
    if row is None:
        return None
    found = BrokenRetirement(row["id"], "in a circle", row["linkId"], None)
    return found, fact_key(row["entityId"], row["content"])


async def fact_revive(tx: WriteTransaction, agent_id: str, id_: str, active_key: str) -> None:
    await tx.rows("repair/fact_revive", agent_id=agent_id, id=id_, active_key=active_key)


async def fact_keys(tx: WriteTransaction, agent_id: str, facts: Sequence[LookedAtFact]) -> list[str]:
    given = [{"id": fact.id, "status": fact.status, "key": fact.active_key} for fact in facts]
    return [row["id"] for row in await tx.rows("repair/fact_keys", agent_id=agent_id, rows=given)]


async def facts_original(tx: WriteTransaction, agent_id: str, facts: Sequence[LookedAtFact]) -> list[str]:
    given = [
        {
            "id": fact.id,
            "content": fact.content,
            "aspect": fact.aspect,
            "kind": fact.kind,
            "entityId": fact.entity_id,
            "key": fact.active_key,
            "coldKey": fact_key(fact.entity_id, fact.content),
        }
        for fact in facts
    ]
    return [row["id"] for row in await tx.rows("repair/facts_original", agent_id=agent_id, rows=given)]


async def memories_original(tx: WriteTransaction, agent_id: str, memories: Sequence[LookedAtMemory]) -> list[str]:
    given = [{"id": m.id, "content": m.content, "type": m.type, "key": content_key(m.content)} for m in memories]
    return [row["id"] for row in await tx.rows("repair/memories_original", agent_id=agent_id, rows=given)]


async def facts_quarantine(
    tx: WriteTransaction, agent_id: str, facts: Sequence[LookedAtFact], now: datetime
) -> list[Line]:
    lines: list[Line] = []
    for fact in facts:
        row = await tx.row("cold/attribute_delete[altered]", agent_id=agent_id, id=fact.id, note=None, now=now)
        if row:
            after = {"status": "cold", "reason": row["receipt"]["coldReason"]}
            lines.append(Line("attribute_quarantined", fact.id, {"status": fact.status}, after))
    return lines


async def job_again(tx: WriteTransaction, agent_id: str, job_id: str, now: datetime) -> str | None:
    row = await tx.row("repair/job_again", agent_id=agent_id, id=job_id, now=now)
    return str(row["status"]) if row else None
