"""Reading conversations back: messages, whole or in pieces, and the summaries over them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, Row, utc
from graphmem.graph.recall.retrieval import said_of
from graphmem.model.conversation import StoredMessage, Summary
from graphmem.model.stored import Bounds, ChildRef, MessageRef, StatementSpan, SummaryFilter
from graphmem.rules.keeping.paging import FAR_FUTURE, LAST_ID
from graphmem.rules.summaries.excerpts import EXTRAS


class ReadingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, agent_id: str, session_id: str, after: int, limit: int, bounds: Bounds) -> list[StoredMessage]:
        """Messages after an ordinal, in order."""
        return await self._database.read(lambda tx: message_page(tx, agent_id, session_id, after, limit, bounds))

    async def message(self, agent_id: str, wanted: MessageRef, bounds: Bounds) -> StoredMessage | None:
        return await self._database.read(lambda tx: message(tx, agent_id, wanted, bounds))

    async def messages(
        self, agent_id: str, places: Sequence[tuple[str, int]], bounds: Bounds
    ) -> dict[str, StoredMessage]:
        """Messages by (id, offset of the wanted content)."""
        return await self._database.read(lambda tx: messages(tx, agent_id, places, bounds))

    async def summary_page(
        self, agent_id: str, wanted: SummaryFilter, before: tuple[datetime, str] | None, back: int, limit: int
    ) -> list[Summary]:
        """Summaries newest first, after (latestAt, id), without the first `back` of them."""
        return await self._database.read(
            lambda tx: summary_page(tx, agent_id, wanted, before or (FAR_FUTURE, LAST_ID), back, limit)
        )

    async def predecessors(
        self, agent_id: str, summary_id: str, wanted: SummaryFilter, back: int, limit: int
    ) -> list[Summary]:
        """The summaries before one, nearest first, without the first `back` of them."""
        return await self._database.read(lambda tx: summary_predecessors(tx, agent_id, summary_id, wanted, back, limit))

    async def summaries(self, agent_id: str, ids: Sequence[str]) -> dict[str, Summary]:
        return await self._database.read(lambda tx: summaries(tx, agent_id, ids))

    async def said(self, agent_id: str, ids: Sequence[str], now: datetime) -> dict[str, tuple[StatementSpan, ...]]:
        """The statements in these messages and summaries."""
        return await self._database.read(lambda tx: said(tx, agent_id, ids, now))

    async def children(self, agent_id: str, summary_id: str, skip: int, limit: int) -> list[ChildRef]:
        """The sources of a summary, in order, without the first `skip`."""
        return await self._database.read(lambda tx: summary_children(tx, agent_id, summary_id, skip, limit))


async def message_page(
    tx: ReadTransaction, agent_id: str, session_id: str, after: int, limit: int, bounds: Bounds
) -> list[StoredMessage]:
    rows = await tx.rows(
        "sessions/messages[page]",
        agent_id=agent_id,
        session_id=session_id,
        after=after,
        limit=limit,
        chars=bounds.chars,
        extras=bounds.extras,
    )
    return [_message(row["message"], 0) for row in rows]


async def message(tx: ReadTransaction, agent_id: str, wanted: MessageRef, bounds: Bounds) -> StoredMessage | None:
    row = await tx.row(
        "sessions/message", agent_id=agent_id, **asdict(wanted), chars=bounds.chars, extras=bounds.extras
    )
    return _message(row["message"], wanted.offset) if row else None


async def messages(
    tx: ReadTransaction, agent_id: str, places: Sequence[tuple[str, int]], bounds: Bounds
) -> dict[str, StoredMessage]:
    offsets = dict(places)
    rows = await tx.rows(
        "sessions/messages[ids]",
        agent_id=agent_id,
        rows=[{"id": id_, "offset": offset} for id_, offset in places],
        chars=bounds.chars,
        extras=bounds.extras,
    )
    return {row["message"]["id"]: _message(row["message"], offsets[row["message"]["id"]]) for row in rows}


async def summary_page(
    tx: ReadTransaction, agent_id: str, wanted: SummaryFilter, before: tuple[datetime, str], back: int, limit: int
) -> list[Summary]:
    rows = await tx.rows(
        "sessions/summaries[page]",
        agent_id=agent_id,
        **asdict(wanted),
        before=before[0],
        before_id=before[1],
        back=back,
        limit=limit,
    )
    return [Summary.model_validate(row["summary"]) for row in rows]


async def summary_predecessors(
    tx: ReadTransaction, agent_id: str, summary_id: str, wanted: SummaryFilter, back: int, limit: int
) -> list[Summary]:
    rows = await tx.rows(
        "sessions/summaries[before]", agent_id=agent_id, id=summary_id, **asdict(wanted), back=back, limit=limit
    )
    return [Summary.model_validate(row["summary"]) for row in rows]


async def summaries(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, Summary]:
    rows = await tx.rows("sessions/summaries[ids]", agent_id=agent_id, ids=list(ids))
    return {row["summary"]["id"]: Summary.model_validate(row["summary"]) for row in rows}


async def said(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], now: datetime
) -> dict[str, tuple[StatementSpan, ...]]:
    rows = await tx.rows("sessions/said[ids]", agent_id=agent_id, ids=list(ids), now=now)
    return {row["id"]: tuple(said_of(*one) for one in row["said"]) for row in rows}


async def summary_children(
    tx: ReadTransaction, agent_id: str, summary_id: str, skip: int, limit: int
) -> list[ChildRef]:
    rows = await tx.rows("sessions/summary_children", agent_id=agent_id, id=summary_id, skip=skip, limit=limit)
    return [ChildRef(row["kind"], row["id"], row["tokens"]) for row in rows]


def _message(row: Row, offset: int) -> StoredMessage:
    given = {extra: _json(row[extra]) for extra in EXTRAS}
    omitted = [extra for extra, held in zip(EXTRAS, row["held"], strict=True) if held and given[extra] is None]
    kept = {key: value for key, value in row.items() if key != "held"}
    times = {name: utc(row[name]) for name in ("createdAt", "ingestedAt")}
    return StoredMessage.model_validate(
        kept
        | given
        | times
        | {"contentTruncated": offset + len(row["content"] or "") < row["contentChars"], "omitted": tuple(omitted)}
    )


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)
