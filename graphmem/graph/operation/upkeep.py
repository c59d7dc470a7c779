"""Maintenance of the whole store: missing vectors, unsealed history, and totals."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graphmem.graph.connection import Database, Numbers, ReadTransaction, WriteTransaction
from graphmem.graph.requests import request_answer, requests_forget
from graphmem.graph.schema import indexes_await, lease_release, lease_take
from graphmem.model.answers import (
    Counts,
    ExtractionChunks,
    ExtractionCounts,
    ExtractionFallback,
    SupersessionCounts,
)
from graphmem.model.stored import ChoreRun, SessionTotals, UnsealedEvents, WaitingText

SOURCES_SHOWN = 50


class UpkeepStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting_texts(self, limit: int) -> list[WaitingText]:
        return await self._database.read(lambda tx: unembedded(tx, limit))

    async def store_vectors(self, texts: Sequence[WaitingText], vectors: Sequence[Sequence[float]]) -> int:
        """How many vectors were stored; a text that changed meanwhile keeps waiting."""
        return await self._database.write(lambda tx: embeddings_store(tx, texts, vectors))

    async def refresh_text(self) -> None:
        """Returns when full-text search finds everything committed before."""
        await self._database.read(text_refresh)

    async def take_lease(self, name: str, holder: str, now: datetime, seconds: float) -> bool:
        return await self._database.write(lambda tx: lease_take(tx, name, holder, now, seconds))

    async def release_lease(self, name: str, holder: str) -> None:
        await self._database.write(lambda tx: lease_release(tx, name, holder))

    async def agents_unsealed(self) -> list[str]:
        return await self._database.read(agents_unsealed)

    async def unsealed_events(self, agent_id: str, before: datetime, limit: int) -> UnsealedEvents:
        return await self._database.read(lambda tx: events_unsealed(tx, agent_id, before, limit))

    async def seal_events(self, agent_id: str, expected: str, sealed: Sequence[tuple[str, str, str]]) -> int:
        """Write (id, previous hash, hash) of events; 0 when the chain moved meanwhile."""
        return await self._database.write(lambda tx: events_seal(tx, agent_id, expected, sealed))

    async def forget_requests(self, now: datetime) -> int:
        return await self._database.write(lambda tx: requests_forget(tx, now, 1000))

    async def keep_answer(self, agent_id: str, key: str, status: int, body: str) -> None:
        """Update the answer for a repeat of an idempotency key, once the first request knows more."""
        await self._database.write(lambda tx: request_answer(tx, agent_id, key, status, body))

    async def chore_runs(self, names: Sequence[str]) -> dict[str, ChoreRun]:
        """The state of each chore, including those that never ran."""
        known = await self._database.read(lambda tx: chore_runs(tx, names))
        return {name: known.get(name, ChoreRun(name)) for name in names}

    async def take_chore(self, run: ChoreRun, holder: str, now: datetime, seconds: float) -> bool:
        """Lease the chore for `seconds`; False if another has it, or did it since `run` was read."""
        return await self._database.write(lambda tx: chore_take(tx, run, holder, now, now + timedelta(seconds=seconds)))

    async def chore_done(self, name: str, holder: str, started: datetime, now: datetime, error: str | None) -> None:
        await self._database.write(lambda tx: chore_done(tx, name, holder, started, now, error))

    async def want_chore(self, name: str, now: datetime) -> None:
        await self._database.write(lambda tx: chore_want(tx, name, now))

    async def idle_sessions(self, before: datetime, limit: int) -> list[tuple[str, str]]:
        """(agent, session) of open sessions without a message since `before`, longest idle first."""
        return await self._database.read(lambda tx: sessions_idle(tx, before, limit))

    async def await_indexes(self, seconds: int) -> None:
        await self._database.read(lambda tx: indexes_await(tx, seconds), timeout_s=seconds + 5)

    async def waiting_vectors(self, agent_id: str) -> int:
        return await self._database.read(lambda tx: unembedded_of_agent(tx, agent_id))

    async def waiting_in_session(self, agent_id: str, session_id: str) -> int:
        return await self._database.read(lambda tx: unembedded_of_session(tx, agent_id, session_id))

    async def counts(self, agent_id: str) -> Counts:
        return await self._database.read(lambda tx: agent_counts(tx, agent_id))

    async def session_totals(self, agent_id: str) -> SessionTotals:
        return await self._database.read(lambda tx: agent_sessions(tx, agent_id))

    async def last_backup(self) -> datetime | None:
        return await self._database.read(backup_last)

    async def supersession_counts(self, agent_id: str) -> SupersessionCounts:
        return await self._database.read(lambda tx: agent_supersessions(tx, agent_id))

    async def extraction_counts(self, agent_id: str) -> ExtractionCounts:
        async def both(tx: ReadTransaction) -> ExtractionCounts:
            facts = await agent_extraction_levels(tx, agent_id)
            read = await agent_extraction(tx, agent_id)
            return ExtractionCounts(
                level1=facts.get(1, 0),
                level2=facts.get(2, 0),
                level3=facts.get(3, 0),
                dropped=read["dropped"],
                other_languages=read["otherLanguages"],
                chunks=ExtractionChunks(level1=read["level1"], level2=read["level2"], level3=read["level3"]),
                fallbacks=read["fallbacks"],
                last_fallback=ExtractionFallback.model_validate(read["last"]) if read["last"] else None,
            )

        return await self._database.read(both)


async def unembedded(tx: ReadTransaction, limit: int) -> list[WaitingText]:
    return [
        WaitingText(row["node"], row["text"]) for row in await tx.rows("upkeep/texts_waiting[vectors]", limit=limit)
    ]


async def embeddings_store(
    tx: WriteTransaction, texts: Sequence[WaitingText], vectors: Sequence[Sequence[float]]
) -> int:
    row = await tx.row(
        "upkeep/texts_store[vectors]",
        rows=[{"node": w.node, "text": w.text, "vector": Numbers(v)} for w, v in zip(texts, vectors, strict=True)],
    )
    return int(row["stored"]) if row else 0


async def text_refresh(tx: ReadTransaction) -> None:
    await tx.rows("upkeep/text_refresh")


async def agents_unsealed(tx: ReadTransaction) -> list[str]:
    return [row["agent_id"] for row in await tx.rows("upkeep/events_waiting[agents]")]


async def events_unsealed(tx: ReadTransaction, agent_id: str, before: datetime, limit: int) -> UnsealedEvents:
    row = await tx.row("upkeep/events_unsealed", agent_id=agent_id, before=before, limit=limit)
    return UnsealedEvents(row["lastHash"] or "", tuple(row["events"])) if row else UnsealedEvents("", ())


async def events_seal(
    tx: WriteTransaction, agent_id: str, expected: str, sealed: Sequence[tuple[str, str, str]]
) -> int:
    row = await tx.row(
        "upkeep/events_seal",
        agent_id=agent_id,
        expected=expected,
        last=sealed[-1][2],
        rows=[{"id": id_, "prevHash": previous, "hash": hash_} for id_, previous, hash_ in sealed],
    )
    return int(row["sealed"]) if row else 0


async def chore_runs(tx: ReadTransaction, names: Sequence[str]) -> dict[str, ChoreRun]:
    rows = await tx.rows("upkeep/lease_read[chores]", names=list(names))
    return {
        row["name"]: ChoreRun(row["name"], row["runs"], row["lastRun"], row["wantedAt"], row["error"]) for row in rows
    }


async def chore_take(tx: WriteTransaction, run: ChoreRun, holder: str, now: datetime, until: datetime) -> bool:
    row = await tx.row("upkeep/lease_take[chore]", name=run.name, runs=run.runs, holder=holder, now=now, until=until)
    return bool(row and row["taken"])


async def chore_done(
    tx: WriteTransaction, name: str, holder: str, started: datetime, now: datetime, error: str | None
) -> None:
    await tx.rows("upkeep/lease_release[chore]", name=name, holder=holder, started=started, now=now, error=error)


async def chore_want(tx: WriteTransaction, name: str, now: datetime) -> None:
    await tx.rows("upkeep/lease_note[want]", name=name, now=now)


async def sessions_idle(tx: ReadTransaction, before: datetime, limit: int) -> list[tuple[str, str]]:
    rows = await tx.rows("sessions/sessions_idle", before=before, limit=limit)
    return [(row["agent_id"], row["id"]) for row in rows]


async def unembedded_of_agent(tx: ReadTransaction, agent_id: str) -> int:
    row = await tx.row("upkeep/waiting[agent]", agent_id=agent_id)
    return int(row["waiting"]) if row else 0


async def unembedded_of_session(tx: ReadTransaction, agent_id: str, session_id: str) -> int:
    row = await tx.row("upkeep/waiting[session]", agent_id=agent_id, session_id=session_id)
    return int(row["waiting"]) if row else 0


async def agent_counts(tx: ReadTransaction, agent_id: str) -> Counts:
    return Counts.model_validate(await tx.row("upkeep/agent_counts", agent_id=agent_id))


async def agent_sessions(tx: ReadTransaction, agent_id: str) -> SessionTotals:
    row = await tx.row("upkeep/agent_sessions", agent_id=agent_id, limit=SOURCES_SHOWN)
    if row is None:
        return SessionTotals(0, {}, 0, 0, 0, None, None)
    return SessionTotals(
        sources=row["sources"],
        by_source=dict(row["bySource"]),
        messages=row["messages"],
        unknown=row["unknown"],
        tokens=row["tokens"],
        rotated_at=row["rotatedAt"],
        context_window=row["contextWindow"],
    )


async def backup_last(tx: ReadTransaction) -> datetime | None:
    row = await tx.row("upkeep/lease_read[backed_up]")
    return row["at"] if row else None


async def agent_supersessions(tx: ReadTransaction, agent_id: str) -> SupersessionCounts:
    rows = await tx.rows("upkeep/supersessions[agent]", agent_id=agent_id)
    number = {row["status"]: row["number"] for row in rows}
    accepted = sum(row["accepted"] for row in rows)
    judged = accepted + sum(row["refuted"] for row in rows)
    return SupersessionCounts(
        proposed=number.get("proposed", 0),
        applied=number.get("applied", 0),
        accepted=accepted,
        rejected=number.get("rejected", 0),
        undone=number.get("undone", 0),
        precision=accepted / judged if judged else None,
        model_asked=0,
        model_failed=0,
    )


async def agent_extraction_levels(tx: ReadTransaction, agent_id: str) -> dict[int, int]:
    rows = await tx.rows("upkeep/agent_extraction_levels", agent_id=agent_id)
    return {row["level"]: row["number"] for row in rows}


async def agent_extraction(tx: ReadTransaction, agent_id: str) -> Mapping[str, Any]:
    return await tx.row("upkeep/extraction[agent]", agent_id=agent_id) or {}
