"""The input of a recap, and its storage."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.recall.retrieval import said_of
from graphmem.graph.requests import once_only
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.recap import DrawnFact, Recap, RecapRow, ToldTurn
from graphmem.model.stored import StatementSpan

PAGE = 2_000
CHARS = 20_000
CALLS_CHARS = 4_000
"""Most characters read of a message and of its tool calls."""


class RecapStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def turns(self, agent_id: str, session_id: str) -> list[ToldTurn]:
        """All messages of a session, in order."""
        found: list[ToldTurn] = []
        while True:
            after = found[-1].ordinal if found else -1
            page = await self._database.read(lambda tx, after=after: turns(tx, agent_id, session_id, after))  # type: ignore[misc]
            found += page
            if len(page) < PAGE:
                return found

    async def facts(self, agent_id: str, session_id: str, now: datetime) -> list[DrawnFact]:
        """What was extracted from a session, in the order it was said, with what holds now."""
        return await self._database.read(lambda tx: facts(tx, agent_id, session_id, now))

    async def said(self, agent_id: str, session_id: str, now: datetime) -> tuple[StatementSpan, ...]:
        """The statements of a session, by their words."""
        return await self._database.read(lambda tx: said(tx, agent_id, session_id, now))

    async def store(self, caller: Caller, session_id: str, row: RecapRow, recap: Recap, event: EventRow) -> Recap:
        """The recap with the id of its node, which is created or updated."""

        async def work(tx: WriteTransaction) -> Recap:
            summary_id, created = await store(tx, caller.agent_id, session_id, row, event)
            if created:
                await events_write(tx, caller.agent_id, [event])
            return recap.model_copy(update={"summary_id": summary_id})

        return await self._database.write(once_only(caller, event.at, work))


async def turns(tx: ReadTransaction, agent_id: str, session_id: str, after: int) -> list[ToldTurn]:
    row = await tx.row(
        "recap/turns",
        agent_id=agent_id,
        session_id=session_id,
        after=after,
        limit=PAGE,
        chars=CHARS,
        calls_chars=CALLS_CHARS,
    )
    return [_told(*told) for told in (row["turns"] if row else [])]


def _told(*told: Any) -> ToldTurn:
    id_, message_id, ordinal, role, tokens, text, calls, importance, shift, scores, name, at = told
    return ToldTurn(
        id_,
        message_id,
        ordinal,
        role,
        tokens,
        text or "",
        calls,
        importance,
        shift,
        scores and tuple(scores),
        name,
        datetime.fromisoformat(at),
    )


async def said(tx: ReadTransaction, agent_id: str, session_id: str, now: datetime) -> tuple[StatementSpan, ...]:
    row = await tx.row("sessions/said[session]", agent_id=agent_id, session_id=session_id, now=now)
    return tuple(said_of(*one) for one in row["said"]) if row else ()


async def facts(tx: ReadTransaction, agent_id: str, session_id: str, now: datetime) -> list[DrawnFact]:
    rows = await tx.rows("recap/facts", agent_id=agent_id, session_id=session_id, now=now)
    return sorted((_fact(row) for row in rows), key=lambda fact: (fact.ordinal, fact.content))


def _fact(row: Row) -> DrawnFact:
    told = row["told"]
    current, session_id, ordinal = row["current"][0] if row["current"] else (None, None, None)
    return DrawnFact(
        content=told["content"],
        type=told["type"],
        kind=row["kind"],
        importance=told["importance"],
        ordinal=told["ordinal"],
        superseded=row["status"] == "superseded",
        current=current,
        current_session_id=session_id,
        current_ordinal=ordinal,
    )


async def store(
    tx: WriteTransaction, agent_id: str, session_id: str, row: RecapRow, event: EventRow
) -> tuple[str, bool]:
    stored = await tx.row(
        "recap/store",
        agent_id=agent_id,
        session_id=session_id,
        now=event.at,
        **(asdict(row) | {"message_ids": list(row.message_ids)}),
    )
    return (str(stored["id"]), bool(stored["created"])) if stored else (row.id, False)
