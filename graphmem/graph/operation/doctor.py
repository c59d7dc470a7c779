"""What the doctor checks: an agent's part of the graph, and the state of the indexes."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.graph.schema import indexes, made_by_schema, schema_state
from graphmem.model.stored import BrokenRetirement, FoundIds, RawMessage, SealedEvent
from graphmem.rules.language.grams import MADE_BY
from graphmem.rules.language.keys import agent_key

LONG_S = 120.0
"""Seconds one check may take: it reads everything an agent has."""
BEGINNING = datetime(1, 1, 2, tzinfo=UTC)
BASE64_MARK = ";base64,"


class DoctorStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def pending_migrations(self) -> list[str]:
        """Errors: SchemaMismatch."""
        return [migration.name for migration in (await schema_state(self._database)).pending]

    async def index_states(self) -> dict[str, str]:
        return await self._database.read(indexes)

    async def indexes_wanted(self) -> frozenset[str]:
        """The indexes that the applied migrations created."""
        return frozenset(made_by_schema((await schema_state(self._database)).applied))

    async def texts_in_index(self, agent_id: str) -> list[tuple[str, int, int]]:
        """(full-text index, texts of the agent that it finds, texts that exist) where these differ."""
        return await self._database.read(lambda tx: texts_in_index(tx, agent_id), timeout_s=LONG_S)

    async def sessions_with_gaps(self, agent_id: str, limit: int) -> list[tuple[str, int]]:
        """(session, messages held)."""
        return await self._database.read(lambda tx: sessions_with_gaps(tx, agent_id, limit), timeout_s=LONG_S)

    async def chains_broken(self, agent_id: str, limit: int) -> list[tuple[str, int]]:
        """(session, messages that their predecessor does not link to)."""
        return await self._database.read(lambda tx: chains_broken(tx, agent_id, limit), timeout_s=LONG_S)

    async def lineage_broken(self, agent_id: str, limit: int) -> list[tuple[str, int]]:
        """(session, messages with another source or project); 0 messages where the session has no source."""
        return await self._database.read(lambda tx: lineage_broken(tx, agent_id, limit), timeout_s=LONG_S)

    async def archives_incomplete(self, agent_id: str, limit: int) -> list[tuple[str, bool]]:
        """(session, whether it should be archived) of those that are partly archived."""
        return await self._database.read(lambda tx: archives_incomplete(tx, agent_id, limit), timeout_s=LONG_S)

    async def orphans(self, agent_id: str) -> list[FoundIds]:
        return await self._database.read(lambda tx: orphans(tx, agent_id), timeout_s=LONG_S)

    async def supersessions_broken(self, agent_id: str, limit: int) -> list[BrokenRetirement]:
        return await self._database.read(lambda tx: supersessions_broken(tx, agent_id, limit), timeout_s=LONG_S)

    async def entities_disliked(self, agent_id: str, last: int, limit: int) -> list[str]:
        """Entities whose last feedback, this many in a row, was all bad."""
        return await self._database.read(lambda tx: entities_disliked(tx, agent_id, last, limit), timeout_s=LONG_S)

    async def texts_without_vector(self, agent_id: str) -> list[FoundIds]:
        return await self._database.read(lambda tx: texts_without_vector(tx, agent_id), timeout_s=LONG_S)

    async def texts_without_grams(self, agent_id: str) -> list[FoundIds]:
        return await self._database.read(lambda tx: texts_without_grams(tx, agent_id), timeout_s=LONG_S)

    async def messages_oversized(self, agent_id: str, chars: int) -> FoundIds:
        return await self._database.read(lambda tx: messages_oversized(tx, agent_id, chars), timeout_s=LONG_S)

    async def messages_heavy(self, agent_id: str, after: str, chars: int, limit: int) -> list[RawMessage]:
        """Messages after an id that are at least this long, or contain a data URI in base64."""
        return await self._database.read(lambda tx: messages_heavy(tx, agent_id, after, chars, limit), timeout_s=LONG_S)

    async def payloads(self, agent_id: str, after: str, limit: int) -> list[tuple[str, str]]:
        """(sha256, where) after a hash."""
        return await self._database.read(lambda tx: payloads(tx, agent_id, after, limit))

    async def message_texts(self, agent_id: str, after: str, limit: int) -> list[tuple[str, RawMessage]]:
        """(role, message) after an id."""
        return await self._database.read(lambda tx: message_texts(tx, agent_id, after, limit), timeout_s=LONG_S)

    async def events_sealed(self, agent_id: str, after: SealedEvent | None, limit: int) -> list[SealedEvent]:
        """Chained history in the order of its times, after an event."""
        at, id_ = (after.event["at"], after.event["id"]) if after else (BEGINNING, "")
        return await self._database.read(lambda tx: events_sealed(tx, agent_id, at, id_, limit), timeout_s=LONG_S)

    async def events_overdue(self, agent_id: str, before: datetime) -> int:
        return await self._database.read(lambda tx: events_overdue(tx, agent_id, before))

    async def erasures(self, agent_id: str) -> dict[str, frozenset[str]]:
        """The ids of the events that each erasure took the words of."""
        erased = await self._database.read(lambda tx: erasures_of_agent(tx, agent_id))
        return {id_: events for id_, (events, _) in erased.items()}

    async def event_chain(self, agent_id: str) -> str:
        """The hash of the last chained event; empty before the first."""
        return await self._database.read(lambda tx: event_chain(tx, agent_id))


async def texts_in_index(tx: ReadTransaction, agent_id: str) -> list[tuple[str, int, int]]:
    rows = await tx.rows("doctor/texts_in_index", agent_id=agent_id, query=f"agentKey:{agent_key(agent_id)}")
    return [(row["name"], row["found"], row["stored"]) for row in rows]


async def sessions_with_gaps(tx: ReadTransaction, agent_id: str, limit: int) -> list[tuple[str, int]]:
    rows = await tx.rows("doctor/sessions_broken[gaps]", agent_id=agent_id, limit=limit)
    return [(row["id"], row["number"]) for row in rows]


async def chains_broken(tx: ReadTransaction, agent_id: str, limit: int) -> list[tuple[str, int]]:
    rows = await tx.rows("doctor/chains_broken", agent_id=agent_id, limit=limit)
    return [(row["id"], row["number"]) for row in rows]


async def lineage_broken(tx: ReadTransaction, agent_id: str, limit: int) -> list[tuple[str, int]]:
    rows = await tx.rows("doctor/sessions_broken[lineage]", agent_id=agent_id, limit=limit)
    return [(row["id"], row["number"]) for row in rows]


async def archives_incomplete(tx: ReadTransaction, agent_id: str, limit: int) -> list[tuple[str, bool]]:
    rows = await tx.rows("doctor/sessions_broken[archives]", agent_id=agent_id, limit=limit)
    return [(row["id"], row["archived"]) for row in rows]


async def orphans(tx: ReadTransaction, agent_id: str) -> list[FoundIds]:
    return _ids(await tx.rows("doctor/orphans", agent_id=agent_id), "label")


async def supersessions_broken(tx: ReadTransaction, agent_id: str, limit: int) -> list[BrokenRetirement]:
    rows = await tx.rows("doctor/supersessions_broken", agent_id=agent_id, limit=limit)
    return [BrokenRetirement(row["id"], row["fault"], row["linkId"], row["newId"]) for row in rows]


async def entities_disliked(tx: ReadTransaction, agent_id: str, last: int, limit: int) -> list[str]:
    return [row["id"] for row in await tx.rows("doctor/entities_disliked", agent_id=agent_id, last=last, limit=limit)]


async def texts_without_vector(tx: ReadTransaction, agent_id: str) -> list[FoundIds]:
    return _ids(await tx.rows("doctor/texts_without[vector]", agent_id=agent_id), "label")


async def texts_without_grams(tx: ReadTransaction, agent_id: str) -> list[FoundIds]:
    return _ids(await tx.rows("doctor/texts_without[grams]", agent_id=agent_id, made_by=MADE_BY), "label")


async def messages_oversized(tx: ReadTransaction, agent_id: str, chars: int) -> FoundIds:
    row = await tx.row("doctor/messages[oversized]", agent_id=agent_id, chars=chars)
    return FoundIds("Message", row["number"], tuple(row["ids"])) if row else FoundIds("Message", 0, ())


async def messages_heavy(tx: ReadTransaction, agent_id: str, after: str, chars: int, limit: int) -> list[RawMessage]:
    rows = await tx.rows(
        "doctor/messages[heavy]", agent_id=agent_id, after=after, chars=chars, mark=BASE64_MARK, limit=limit
    )
    return [raw_message(row["message"]) for row in rows]


def raw_message(row: Mapping[str, Any]) -> RawMessage:
    return RawMessage(
        id=row["id"],
        name=row["name"],
        content=row["content"],
        content_kind=row["contentKind"],
        tool_calls=row["toolCalls"],
        metadata=row["metadata"],
        search_text=row["searchText"],
        sha256=row["sha256"],
    )


async def payloads(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[tuple[str, str]]:
    rows = await tx.rows("doctor/payloads_known", agent_id=agent_id, after=after, limit=limit)
    return [(row["sha256"], row["where"]) for row in rows]


async def message_texts(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[tuple[str, RawMessage]]:
    rows = await tx.rows("doctor/messages[texts]", agent_id=agent_id, after=after, limit=limit)
    return [(row["role"], raw_message(row["message"])) for row in rows]


async def events_sealed(
    tx: ReadTransaction, agent_id: str, after: datetime, after_id: str, limit: int
) -> list[SealedEvent]:
    rows = await tx.rows("doctor/events_sealed", agent_id=agent_id, after=after, after_id=after_id, limit=limit)
    return [SealedEvent(row["event"], row["prevHash"] or "", row["hash"] or "") for row in rows]


async def events_overdue(tx: ReadTransaction, agent_id: str, before: datetime) -> int:
    row = await tx.row("upkeep/events_waiting[overdue]", agent_id=agent_id, before=before)
    return int(row["number"]) if row else 0


async def erasures_of_agent(tx: ReadTransaction, agent_id: str) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """The ids of the events that each erasure of an agent took the words of, and of the things that it took."""
    rows = await tx.rows("erasing/erasures[agent]", agent_id=agent_id)
    return {row["id"]: (frozenset(row["eventIds"]), frozenset(row["contentIds"])) for row in rows}


async def event_chain(tx: ReadTransaction, agent_id: str) -> str:
    row = await tx.row("doctor/event_chain", agent_id=agent_id)
    return str(row["hash"] or "") if row else ""


def _ids(rows: Sequence[Mapping[str, Any]], kind: str) -> list[FoundIds]:
    return [FoundIds(row[kind], row["number"], tuple(row["ids"])) for row in rows]
