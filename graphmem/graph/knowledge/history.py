"""The history of one thing, from the events and links of the graph."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, Row, utc
from graphmem.model.answers import HistoryItem, TelemetryEvent
from graphmem.rules.keeping.history import counted


class HistoryStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, agent_id: str, ids: Sequence[str], after: tuple[datetime, str], limit: int) -> list[HistoryItem]:
        """What happened to these things after (at, id), oldest first."""
        return await self._database.read(lambda tx: history(tx, agent_id, ids, after, limit))

    async def events(
        self, agent_id: str, names: Sequence[str], since: datetime, before: tuple[datetime, str], limit: int
    ) -> list[TelemetryEvent]:
        """The events of an agent since a time and after (at, id), newest first; `names`: only those, if any."""
        return await self._database.read(lambda tx: events(tx, agent_id, names, since, before, limit))


async def events(
    tx: ReadTransaction, agent_id: str, names: Sequence[str], since: datetime, before: tuple[datetime, str], limit: int
) -> list[TelemetryEvent]:
    place: dict[str, Any] = {
        "agent_id": agent_id,
        "since": since,
        "before": before[0],
        "before_id": before[1],
        "limit": limit,
    }
    if names:
        rows = await tx.rows("upkeep/events[named]", names=list(names), **place)
    else:
        rows = await tx.rows("upkeep/events[all]", **place)
    return [_event(row) for row in rows]


def _event(row: Row) -> TelemetryEvent:
    after = json.loads(row["after"]) if row["after"] else {}
    return TelemetryEvent(
        id=row["id"],
        name=row["kind"],
        at=utc(row["at"]),
        subject_id=row["subjectId"],
        actor=row["actor"],
        reason=row["reason"],
        extraction_level=after.get("level"),
        counts=counted(after),
    )


async def history(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], after: tuple[datetime, str], limit: int
) -> list[HistoryItem]:
    rows = await tx.rows(
        "upkeep/history", agent_id=agent_id, ids=list(ids), after=after[0], after_id=after[1], limit=limit
    )
    return [
        HistoryItem.model_validate(
            row | {field: json.loads(row[field]) if row[field] else None for field in ("before", "after")}
        )
        for row in rows
    ]
