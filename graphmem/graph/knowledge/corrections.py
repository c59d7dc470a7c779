"""A person's changes to a memory or a fact: its importance, whether it is pinned, or its text."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict, PlanOutdated
from graphmem.graph.connection import Database, WriteTransaction
from graphmem.graph.knowledge.cold import Row, attribute_lock, locked
from graphmem.graph.knowledge.learning import write_change
from graphmem.graph.knowledge.lookups import attributes, memories
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.caller import Caller
from graphmem.model.change import Change, Weight
from graphmem.model.knowledge import Attribute, Memory
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import derived_id


class CorrectionStore:
    """Ids may be of memories or of attributes. Each call is one transaction, and runs once for an idempotency key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def amend(self, caller: Caller, id_: str, weight: Weight, event_id: str, now: datetime) -> Memory | Attribute:
        """Change the importance of a memory and its facts, or of one fact. Errors: NotFound; Conflict unless active."""

        async def work(tx: WriteTransaction) -> Memory | Attribute:
            agent_id = caller.agent_id
            if found := await locked(tx, agent_id, [id_]):
                require_active(found[0])
                lines = _amended(id_, weight, await memory_amend(tx, agent_id, id_, weight))
                await events_write(tx, agent_id, told(lines, "api", now, [event_id]))
                return (await memories(tx, agent_id, [id_]))[0]
            require_active(await attribute_lock(tx, agent_id, id_))
            changed = await attribute_amend(tx, agent_id, id_, weight)
            if changed["before"] != changed["after"]:
                line = Line("attribute_changed", id_, changed["before"], changed["after"], weight.reason)
                await events_write(tx, agent_id, told([line], "api", now, [event_id]))
            return (await attributes(tx, agent_id, [id_]))[0]

        return await self._database.write(once_only(caller, now, work))

    async def correct(self, caller: Caller, id_: str, change: Change, reason: str, now: datetime) -> Memory | Attribute:
        """Write the change that replaces a memory or a fact, and return the replacement.

        Errors: PlanOutdated when the graph has changed since the decision: read and decide again.
        """

        async def work(tx: WriteTransaction) -> Memory | Attribute:
            agent_id = caller.agent_id
            found = await locked(tx, agent_id, [id_])
            old = found[0] if found else await attribute_lock(tx, agent_id, id_)
            if old["status"] != "active":
                raise PlanOutdated(f"{id_} was changed meanwhile.")
            written = await write_change(tx, agent_id, change, now)
            if not found:
                return (await attributes(tx, agent_id, [written.attribute_ids[change.attributes[0].ref]]))[0]
            new_id = next(iter(written.memory_ids.values()))
            await memory_replace(tx, agent_id, id_, new_id)
            line = Line("memory_corrected", id_, {"status": "active"}, {"status": "superseded", "by": new_id}, reason)
            await events_write(tx, agent_id, told([line], "api", now, [derived_id(change.event_ids[0], "corrected")]))
            return (await memories(tx, agent_id, [new_id]))[0]

        return await self._database.write(once_only(caller, now, work))


async def memory_amend(tx: WriteTransaction, agent_id: str, id_: str, weight: Weight) -> Row:
    row = await tx.row(
        "knowledge/memory_amend", agent_id=agent_id, id=id_, importance=weight.importance, pinned=weight.pinned
    )
    return row or {}


async def attribute_amend(tx: WriteTransaction, agent_id: str, id_: str, weight: Weight) -> Row:
    row = await tx.row(
        "knowledge/attribute_amend", agent_id=agent_id, id=id_, importance=weight.importance, pinned=weight.pinned
    )
    return row or {}


async def memory_replace(tx: WriteTransaction, agent_id: str, id_: str, new_id: str) -> None:
    await tx.rows("knowledge/memory_replace", agent_id=agent_id, id=id_, new_id=new_id)


def require_active(found: Mapping[str, Any]) -> None:
    """Errors: Conflict, with what to do instead."""
    id_, status = found["id"], found["status"]
    if status in ("cold", "deleted"):
        raise Conflict(f"{id_} is {status}: restore it first (POST /api/memory/{id_}/restore), then change it.")
    if status != "active":
        by = found.get("supersededBy")
        raise Conflict(f"{id_} is superseded{f' by {by}' if by else ''}: change what took its place.")


def _amended(id_: str, weight: Weight, changed: Row) -> list[Line]:
    found = [
        ("memory_changed", id_, changed["before"], changed["after"]),
        *(("attribute_changed", fact["id"], fact["before"], fact["after"]) for fact in changed["facts"]),
    ]
    return [Line(*one, weight.reason) for one in found if one[2] != one[3]]
