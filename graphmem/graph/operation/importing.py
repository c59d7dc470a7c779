"""Writing an imported graph: a batch is one transaction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.learning import entities_merge, write_change
from graphmem.graph.knowledge.revival import revive
from graphmem.graph.operation.jobs import events_write
from graphmem.model.change import Change, EntityRow, EventRow, Written
from graphmem.model.importing import EdgeRow
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import dependency_key


class ImportStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def taken(self, agent_id: str, ids: Sequence[str]) -> set[str]:
        """Those of the ids that the agent uses already."""
        return await self._database.read(lambda tx: ids_taken(tx, agent_id, ids)) if ids else set()

    async def entities(
        self, agent_id: str, rows: Sequence[EntityRow], pinned: Sequence[str], event: EventRow, now: datetime
    ) -> tuple[dict[str, str], int]:
        """The ids of entities by canonical name, created where there were none, and how many were created."""

        async def work(tx: WriteTransaction) -> tuple[dict[str, str], int]:
            ids, made, cold, _, _ = await entities_merge(tx, agent_id, rows, now)
            await entities_pin(tx, agent_id, [ids[name] for name in pinned])
            await events_write(tx, agent_id, [event, *await _revived(tx, agent_id, cold, event)])
            return ids, len(made)

        return await self._database.write(work)

    async def facts(self, agent_id: str, change: Change, now: datetime) -> Written:
        return await self._database.write(lambda tx: write_change(tx, agent_id, change, now))

    async def edges(
        self,
        agent_id: str,
        rows: Sequence[EdgeRow],
        names: Mapping[str, str],
        unknown: Callable[[str, str], EntityRow],
        event: EventRow,
        now: datetime,
    ) -> tuple[int, int]:
        """How many edges were created and how many existed. `names` holds the spelling of every end by its canonical
        name; `unknown` makes a row of both for an unknown name."""

        async def work(tx: WriteTransaction) -> tuple[int, int]:
            ids = await entities_known(tx, agent_id, sorted(names))
            missing = [unknown(canonical, name) for canonical, name in names.items() if canonical not in ids]
            made, _, cold, _, _ = await entities_merge(tx, agent_id, missing, now)
            await events_write(tx, agent_id, [event, *await _revived(tx, agent_id, cold, event)])
            return await edges_merge(tx, agent_id, rows, ids | made, now)

        return await self._database.write(work)


async def ids_taken(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> set[str]:
    return {row["id"] for row in await tx.rows("importing/ids_taken", agent_id=agent_id, ids=list(ids))}


async def entities_known(tx: ReadTransaction, agent_id: str, names: Sequence[str]) -> dict[str, str]:
    (found,) = await tx.rows("knowledge/names[lists]", agent_id=agent_id, names=list(names))
    return dict(zip(found["names"], found["ids"], strict=True))


async def entities_pin(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> None:
    if ids:
        await tx.rows("entities/entity_amend[pinned]", agent_id=agent_id, ids=list(ids))


async def edges_merge(
    tx: WriteTransaction, agent_id: str, rows: Sequence[EdgeRow], ids: dict[str, str], now: datetime
) -> tuple[int, int]:
    """How many were created, and how many existed."""
    given = []
    for row in rows:
        source, target = ids[row.source], ids[row.target]
        given.append(
            [
                source,
                target,
                dependency_key(source, target, row.type),
                row.id,
                row.type,
                row.confidence,
                row.strength,
                row.reason,
                row.valid_from,
                row.extraction_level,
            ]
        )
    # Concurrent writers lock the same edges in one order.
    given.sort(key=lambda one: (one[0], one[1]))
    (found,) = await tx.rows("importing/edges_merge", agent_id=agent_id, rows=given, now=now)
    return found["created"], found["updated"]


async def _revived(tx: WriteTransaction, agent_id: str, cold: Sequence[str], event: EventRow) -> list[EventRow]:
    lines: list[Line] = await revive(tx, agent_id, cold)
    # The batch's own event has the first of the derived ids.
    return told([Line("graph_imported", event.subject_id), *lines], event.actor, event.at, [event.id])[1:]
