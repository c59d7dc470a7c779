"""Erasing in the graph: what a subject names, what goes with it, what still holds words, and the record of it all."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction
from graphmem.graph.conversation.session_care import session_lines
from graphmem.graph.knowledge.knowledge import entity_id
from graphmem.graph.operation.jobs import events_write
from graphmem.model.change import EventRow
from graphmem.model.erasing import EraseBatch, EraseNamed, EraseStep, Erasure, HeldText, StaleText
from graphmem.rules.language.keys import sha256_hex

TIMEOUT_S = 120.0
"""How long a step may take: it erases the messages of one batch with all that was made of them."""
PAGE = 1000
NOTHING = sha256_hex("")


class _Preview(Exception):
    """Rolls everything back: only the counts were wanted."""


class ErasingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, now: datetime) -> None:
        """Have every process forget what it remembers of texts."""
        await self._database.write(lambda tx: erased_note(tx, now))

    async def session_ids(self, agent_id: str, after: str) -> list[str]:
        """Ids of sessions, in order, after one of them."""
        lines = await self._database.read(lambda tx: session_lines(tx, agent_id, after, PAGE))
        return [line.id for line in lines]

    async def session_messages(self, agent_id: str, session_id: str) -> list[str]:
        """The store's ids of a session's messages, in order."""

        async def work(tx: ReadTransaction) -> list[str]:
            ids: list[str] = []
            after = -1
            while page := await session_found(tx, agent_id, session_id, after, PAGE):
                ids += [id_ for id_, _ in page]
                after = page[-1][1]
            return ids

        return await self._database.read(work)

    async def messages(self, agent_id: str, id_: str, session_id: str | None) -> list[str]:
        """The messages with this id, ours or the one that was brought."""
        return await self._database.read(lambda tx: message_found(tx, agent_id, id_, session_id))

    async def payload_messages(self, agent_id: str, sha256: str) -> list[str]:
        return await self._database.read(lambda tx: payload_found(tx, agent_id, sha256))

    async def memory(self, agent_id: str, id_: str) -> tuple[list[str], str | None] | None:
        """A memory, or a fact with the memories it was drawn from: (ids of memories, id of the fact)."""
        return await self._database.read(lambda tx: memory_found(tx, agent_id, id_))

    async def entity(self, agent_id: str, id_or_name: str) -> EraseNamed | None:
        """An entity, with what was merged into it and every name."""

        async def work(tx: ReadTransaction) -> EraseNamed | None:
            found = await entity_id(tx, agent_id, id_or_name)
            return await entity_found(tx, agent_id, found.id) if found else None

        return await self._database.read(work)

    async def said_by(self, agent_id: str, memory_ids: Sequence[str], entity_ids: Sequence[str]) -> list[str]:
        """The messages that say these memories, or speak of these entities."""
        return await self._database.read(
            lambda tx: messages_saying(tx, agent_id, memory_ids, entity_ids), timeout_s=TIMEOUT_S
        )

    async def texts(self, agent_id: str) -> AsyncIterator[list[HeldText]]:
        """Every text that anything of an agent holds."""
        async for page in self._database.stream("erasing/texts[nodes]", PAGE, agent_id=agent_id):
            yield [
                HeldText(row["node"], frozenset(row["labels"]), row["id"] or "", _texts(row), source=row["source"])
                for row in page
            ]
        async for page in self._database.stream("erasing/texts[relationships]", PAGE, agent_id=agent_id):
            yield [HeldText(row["edge"], frozenset(), row["id"] or "", _texts(row), source=False) for row in page]

    async def index_hits(self, agent_id: str, query: str) -> list[tuple[str, str]]:
        """(index, text) of what the full-text indexes lead to."""
        return await self._database.read(lambda tx: index_hits(tx, agent_id, query), timeout_s=TIMEOUT_S)

    async def preview(self, agent_id: str, batch: EraseBatch, now: datetime) -> EraseStep:
        """What erasing would do: it is done, counted and rolled back."""
        done: list[EraseStep] = []

        async def work(tx: WriteTransaction) -> None:
            done[:] = [await _erase(tx, agent_id, batch, now)]
            raise _Preview

        with contextlib.suppress(_Preview):
            await self._database.write(work, timeout_s=TIMEOUT_S)
        return done[0]

    async def erase(self, agent_id: str, batch: EraseBatch, now: datetime) -> EraseStep:
        """Erase a batch with all that was made of it alone, in one transaction."""
        return await self._database.write(lambda tx: _erase(tx, agent_id, batch, now), timeout_s=TIMEOUT_S)

    async def clear(self, agent_id: str, found: Sequence[StaleText]) -> None:
        """Replace properties that still hold words."""

        async def work(tx: WriteTransaction) -> None:
            await node_texts_drop(tx, agent_id, [one for one in found if not one.edge])
            await edge_texts_drop(tx, agent_id, [one for one in found if one.edge])

        await self._database.write(work, timeout_s=TIMEOUT_S)

    async def clear_events(
        self, agent_id: str, ids: Sequence[str], event_ids: Sequence[str], erasure_id: str
    ) -> list[str]:
        """Take the words out of history: of the events of these things, and of single ones. Their ids."""
        return await self._database.write(
            lambda tx: events_clear(tx, agent_id, ids, event_ids, erasure_id), timeout_s=TIMEOUT_S
        )

    async def begin(self, erasure: Erasure, until: datetime) -> None:
        """Record an erasure; until then no job of the agent is given out, unless it is renewed."""
        await self._database.write(lambda tx: erasure_begin(tx, erasure, until))

    async def renew(self, agent_id: str, id_: str, until: datetime) -> None:
        await self._database.write(lambda tx: erasure_renew(tx, agent_id, id_, until))

    async def finish(self, erasure: Erasure, event_ids: Sequence[str], receipt: str, event: EventRow) -> None:
        """Record what was done, and the event that tells of it."""

        async def work(tx: WriteTransaction) -> None:
            await erasure_finish(tx, erasure, event_ids, receipt, event.at)
            await events_write(tx, erasure.agent_id, [event])

        await self._database.write(work)

    async def unfinished(self, now: datetime) -> list[Erasure]:
        """Those that began, did not end and are not going on."""
        return await self._database.read(lambda tx: erasures_unfinished(tx, now))


@dataclass
class _Gone:
    """What a step has erased so far."""

    deleted: Counter[str] = field(default_factory=Counter)
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


async def _erase(tx: WriteTransaction, agent_id: str, batch: EraseBatch, now: datetime) -> EraseStep:
    gone = _Gone()
    marked = await messages_mark(tx, agent_id, batch.message_ids, batch.erasure_id)
    messages = [row["id"] for row in marked]
    sessions = sorted({row["sessionId"] for row in marked} | ({batch.session_id} if batch.session_id else set()))
    gone.texts += [text for row in marked for text in row["texts"]]
    summaries = await summaries_drop(tx, agent_id, sessions, batch.summary_ids)
    _note(gone, "Summary", summaries)
    memories = await memories_drop(tx, agent_id, batch.memory_ids, batch.entity_ids, messages)
    _note(gone, "Memory", memories)
    gone.texts += [row["content"] for row in memories if row["explicit"]]
    gone.told += [row["content"] for row in memories if not row["explicit"]]
    supported = [id_ for row in memories for id_ in row["factIds"]]
    facts = await facts_drop(tx, agent_id, supported, batch.entity_ids, batch.fact_ids)
    _note(gone, "Attribute", facts)
    gone.told += [row["content"] for row in facts]
    blank = await messages_blank(tx, agent_id, messages, batch.erasure_id, now)
    gone.deleted["Message"] += len(blank)
    gone.ids += [row["id"] for row in blank]
    about = sorted(
        {id_ for row in (*memories, *blank) for id_ in row["entityIds"]} | {row["entityId"] for row in facts}
    )
    edges = await edges_settle(
        tx, agent_id, sorted({*about, *batch.entity_ids}), [m["id"] for m in memories], [f["id"] for f in facts]
    )
    ended = [row for row in edges if row["gone"]]
    gone.deleted["DEPENDS_ON"] += len(ended)
    gone.ids += [row["id"] for row in ended]
    gone.told += [row["reason"] for row in ended if row["reason"]]
    hashes = sorted({sha256 for row in blank for sha256 in row["payloads"]} | set(batch.payloads))
    payloads = await payloads_drop(tx, agent_id, hashes)
    gone.deleted["Payload"] += len(payloads)
    if batch.session_id:
        await session_drop(tx, agent_id, batch.session_id, supported)
        gone.deleted["Session"] += 1
        gone.ids.append(batch.session_id)
    settled = await sessions_settle(tx, agent_id, [id_ for id_ in sessions if id_ != batch.session_id])
    for row in await entities_drop(tx, agent_id, about, batch.entity_ids):
        gone.deleted["Entity"] += 1
        gone.deleted["Aspect"] += row["aspects"]
        gone.deleted["DEPENDS_ON"] += row["edges"]
        gone.ids += [row["id"], *row["merged"]]
        gone.names += row["names"]
    for kind, number in await records_drop(tx, agent_id, gone.ids):
        gone.deleted[kind] += number
    kept = [row for row in summaries if row["sessionId"] != batch.session_id]
    return EraseStep(
        deleted=dict(+gone.deleted),
        ids=tuple(gone.ids),
        texts=tuple(gone.texts),
        told=tuple(gone.told),
        names=tuple(gone.names),
        message_ids=tuple(row["id"] for row in blank),
        memory_ids=tuple(row["id"] for row in memories),
        fact_ids=tuple(row["id"] for row in facts),
        entity_ids=tuple(id_ for id_ in gone.ids if id_ in {*about, *batch.entity_ids}),
        files=tuple((row["sha256"], row["where"]) for row in payloads),
        sessions=tuple(sessions),
        summed=tuple(sorted({row["sessionId"] for row in kept if row["kind"] == "session"})),
        recapped=tuple(sorted({row["sessionId"] for row in kept if row["kind"] == "recap"})),
        compacted=tuple(row["id"] for row in settled if row["waits"]),
        condensed=tuple(sorted({row["project"] or "" for row in summaries if row["kind"] in ("arc", "epoch")})),
    )


def _note(gone: _Gone, label: str, rows: Sequence[Row]) -> None:
    gone.deleted[label] += len(rows)
    gone.ids += [row["id"] for row in rows]


def _texts(row: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one) for one in row["texts"])


async def session_found(
    tx: ReadTransaction, agent_id: str, session_id: str, after: int, limit: int
) -> list[tuple[str, int]]:
    rows = await tx.rows("erasing/found[session]", agent_id=agent_id, session_id=session_id, after=after, limit=limit)
    return [(row["id"], row["ordinal"]) for row in rows]


async def message_found(tx: ReadTransaction, agent_id: str, id_: str, session_id: str | None) -> list[str]:
    rows = await tx.rows("erasing/found[message]", agent_id=agent_id, id=id_, session_id=session_id)
    return [row["id"] for row in rows]


async def payload_found(tx: ReadTransaction, agent_id: str, sha256: str) -> list[str]:
    return [row["id"] for row in await tx.rows("erasing/found[payload]", agent_id=agent_id, id=sha256)]


async def memory_found(tx: ReadTransaction, agent_id: str, id_: str) -> tuple[list[str], str | None] | None:
    row = await tx.row("erasing/found[memory]", agent_id=agent_id, id=id_)
    return (row["memoryIds"], row["factId"]) if row else None


async def entity_found(tx: ReadTransaction, agent_id: str, id_: str) -> EraseNamed | None:
    row = await tx.row("erasing/found[entity]", agent_id=agent_id, id=id_)
    return EraseNamed(tuple(row["ids"]), tuple(filter(None, row["names"])), user=row["user"]) if row else None


async def messages_saying(
    tx: ReadTransaction, agent_id: str, memory_ids: Sequence[str], entity_ids: Sequence[str]
) -> list[str]:
    rows = await tx.rows("erasing/said_by", agent_id=agent_id, ids=list(memory_ids), entity_ids=list(entity_ids))
    return [row["id"] for row in rows]


async def index_hits(tx: ReadTransaction, agent_id: str, query: str) -> list[tuple[str, str]]:
    rows = await tx.rows("erasing/index_hits", agent_id=agent_id, query=query)
    return [(row["name"], row["text"] or "") for row in rows]


async def messages_mark(tx: WriteTransaction, agent_id: str, ids: Sequence[str], erasure_id: str) -> list[Row]:
    return await tx.rows("erasing/messages_mark", agent_id=agent_id, ids=list(ids), erasure_id=erasure_id)


async def summaries_drop(
    tx: WriteTransaction, agent_id: str, session_ids: Sequence[str], ids: Sequence[str]
) -> list[Row]:
    return await tx.rows("erasing/summaries_drop", agent_id=agent_id, session_ids=list(session_ids), ids=list(ids))


async def memories_drop(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], entity_ids: Sequence[str], message_ids: Sequence[str]
) -> list[Row]:
    return await tx.rows(
        "erasing/memories_drop",
        agent_id=agent_id,
        ids=list(ids),
        entity_ids=list(entity_ids),
        message_ids=list(message_ids),
    )


async def facts_drop(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], entity_ids: Sequence[str], fact_ids: Sequence[str]
) -> list[Row]:
    """Of `ids` only those that rest on nothing any more."""
    return await tx.rows(
        "erasing/facts_drop", agent_id=agent_id, ids=list(ids), entity_ids=list(entity_ids), fact_ids=list(fact_ids)
    )


async def edges_settle(
    tx: WriteTransaction, agent_id: str, entity_ids: Sequence[str], memory_ids: Sequence[str], fact_ids: Sequence[str]
) -> list[Row]:
    return await tx.rows(
        "erasing/edges_settle",
        agent_id=agent_id,
        entity_ids=list(entity_ids),
        memory_ids=list(memory_ids),
        fact_ids=list(fact_ids),
    )


async def messages_blank(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], erasure_id: str, now: datetime
) -> list[Row]:
    return await tx.rows(
        "erasing/messages_blank", agent_id=agent_id, ids=list(ids), erasure_id=erasure_id, sha256=NOTHING, now=now
    )


async def payloads_drop(tx: WriteTransaction, agent_id: str, hashes: Sequence[str]) -> list[Row]:
    return await tx.rows("erasing/payloads_drop", agent_id=agent_id, hashes=list(hashes))


async def sessions_settle(tx: WriteTransaction, agent_id: str, session_ids: Sequence[str]) -> list[Row]:
    return await tx.rows("erasing/sessions_settle", agent_id=agent_id, session_ids=list(session_ids))


async def session_drop(tx: WriteTransaction, agent_id: str, id_: str, fact_ids: Sequence[str]) -> None:
    await tx.rows("erasing/session_drop", agent_id=agent_id, id=id_, fact_ids=list(fact_ids))


async def entities_drop(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], entity_ids: Sequence[str]
) -> list[Row]:
    """Of `ids` only those of which nothing tells any more."""
    return await tx.rows("erasing/entities_drop", agent_id=agent_id, ids=list(ids), entity_ids=list(entity_ids))


async def records_drop(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[tuple[str, int]]:
    rows = await tx.rows("erasing/records_drop", agent_id=agent_id, ids=list(ids))
    return [(row["kind"], row["number"]) for row in rows]


async def events_clear(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], event_ids: Sequence[str], erasure_id: str
) -> list[str]:
    rows = await tx.rows(
        "erasing/events_clear", agent_id=agent_id, ids=list(ids), event_ids=list(event_ids), erasure_id=erasure_id
    )
    return [row["id"] for row in rows]


async def node_texts_drop(tx: WriteTransaction, agent_id: str, found: Sequence[StaleText]) -> None:
    rows = [{"node": one.node, "keys": list(one.keys), "instead": one.instead} for one in found]
    await tx.rows("erasing/texts_drop[nodes]", agent_id=agent_id, rows=rows)


async def edge_texts_drop(tx: WriteTransaction, agent_id: str, found: Sequence[StaleText]) -> None:
    rows = [{"edge": one.node, "keys": list(one.keys), "instead": one.instead} for one in found]
    await tx.rows("erasing/texts_drop[relationships]", agent_id=agent_id, rows=rows)


async def erased_note(tx: WriteTransaction, now: datetime) -> None:
    await tx.rows("upkeep/lease_note[erased]", now=now)


async def erasure_begin(tx: WriteTransaction, erasure: Erasure, until: datetime) -> None:
    await tx.rows(
        "erasing/erasure_store[begin]",
        agent_id=erasure.agent_id,
        id=erasure.id,
        kind=erasure.kind,
        session_key=erasure.session_key,
        message_ids=list(erasure.message_ids),
        memory_ids=list(erasure.memory_ids),
        fact_ids=list(erasure.fact_ids),
        entity_ids=list(erasure.entity_ids),
        payloads=list(erasure.payloads),
        until=until,
        now=erasure.created_at,
    )


async def erasure_renew(tx: WriteTransaction, agent_id: str, id_: str, until: datetime) -> None:
    await tx.rows("erasing/erasure_store[renew]", agent_id=agent_id, id=id_, until=until)


async def erasure_finish(
    tx: WriteTransaction, erasure: Erasure, event_ids: Sequence[str], receipt: str, now: datetime
) -> None:
    await tx.rows(
        "erasing/erasure_store[finish]",
        agent_id=erasure.agent_id,
        id=erasure.id,
        message_ids=list(erasure.message_ids),
        memory_ids=list(erasure.memory_ids),
        fact_ids=list(erasure.fact_ids),
        entity_ids=list(erasure.entity_ids),
        payloads=list(erasure.payloads),
        event_ids=list(event_ids),
        receipt=receipt,
        now=now,
    )


async def erasures_all(tx: ReadTransaction) -> list[Erasure]:
    return [_erasure(row) for row in await tx.rows("erasing/erasures[all]")]


async def erasures_unfinished(tx: ReadTransaction, now: datetime) -> list[Erasure]:
    return [_erasure(row) for row in await tx.rows("erasing/erasures[unfinished]", now=now)]


def _erasure(row: Row) -> Erasure:
    held = row["erasure"]
    return Erasure(
        agent_id=row["agent_id"],
        id=held["id"],
        kind=held["kind"],
        created_at=held["createdAt"],
        session_key=held.get("sessionKey"),
        message_ids=tuple(held["messageIds"]),
        memory_ids=tuple(held["memoryIds"]),
        fact_ids=tuple(held["factIds"]),
        entity_ids=tuple(held["entityIds"]),
        payloads=tuple(held["payloads"]),
    )
