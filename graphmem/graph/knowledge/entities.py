"""Entities and dependencies that a person creates, changes and retires."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.errors import NameTaken, NotFound
from graphmem.graph.connection import Database, WriteTransaction
from graphmem.graph.knowledge.cold import entity_lock
from graphmem.graph.knowledge.lookups import entities
from graphmem.graph.knowledge.revival import revive
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.answers import ArchiveReceipt, MadeEntity
from graphmem.model.caller import Caller
from graphmem.model.inputs import EntityChange, NewEntity
from graphmem.model.knowledge import Entity, EntityType
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import canonical_name

Row = dict[str, Any]


class EntityStore:
    """Each call is one transaction that includes its history, and runs once for an idempotency key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, caller: Caller, given: NewEntity, new_id: str, event_id: str, now: datetime) -> MadeEntity:
        """Create an entity, or add what is given to the one its names refer to; one in the cold tier is restored.

        Errors: NameTaken where the names refer to different entities.
        """
        names = _by_canonical((given.name, *given.aliases))

        async def work(tx: WriteTransaction) -> MadeEntity:
            agent_id = caller.agent_id
            leads = await names_lock(tx, agent_id, names)
            there = {row["id"]: row for row in leads if row["id"]}
            if len(there) > 1:
                raise _taken([row for row in leads if row["id"]])
            lines = await revive(tx, agent_id, [id_ for id_, row in there.items() if row["cold"]])
            if not there:
                await entity_create(tx, agent_id, new_id, given.name, now)
            id_ = next(iter(there), new_id)
            before = (await entities(tx, agent_id, [id_]))[0]
            await names_link(tx, agent_id, id_, list(names))
            type_ = given.type if before.type is EntityType.UNKNOWN else None
            await entity_amend(tx, agent_id, id_, type_, given.pinned or None)
            after = (await entities(tx, agent_id, [id_]))[0]
            lines += _changed(before, after) if there else [Line("entity_created", id_, None, {"entity": id_})]
            await events_write(tx, agent_id, told(lines, "api", now, [event_id]))
            return MadeEntity(**dict(after), created=not there)

        return await self._database.write(once_only(caller, now, work))

    async def amend(self, caller: Caller, id_: str, given: EntityChange, event_id: str, now: datetime) -> Entity:
        """Change an entity. Errors: NotFound; Conflict for one that was merged; NameTaken for another's alias."""

        async def work(tx: WriteTransaction) -> Entity:
            agent_id = caller.agent_id
            await entity_lock(tx, agent_id, id_)
            before = (await entities(tx, agent_id, [id_]))[0]
            if given.aliases is not None:
                names = _by_canonical(given.aliases)
                elsewhere = [row for row in await names_lock(tx, agent_id, names) if row["id"] not in (None, id_)]
                if elsewhere:
                    raise _taken(elsewhere)
                await names_keep(tx, agent_id, id_, list(names))
                await names_link(tx, agent_id, id_, list(names))
            await entity_amend(tx, agent_id, id_, given.type, given.pinned)
            after = (await entities(tx, agent_id, [id_]))[0]
            await events_write(tx, agent_id, told(_changed(before, after), "api", now, [event_id]))
            return after

        return await self._database.write(once_only(caller, now, work))

    async def delete_dependency(
        self, caller: Caller, id_: str, note: str | None, event_id: str, now: datetime
    ) -> ArchiveReceipt:
        """Retire a dependency; repeated, it returns the first receipt. Errors: NotFound."""

        async def work(tx: WriteTransaction) -> ArchiveReceipt:
            held: list[str] | None = None
            while (ends := await dependency_lock(tx, caller.agent_id, id_)) != held:
                held = ends
            found = await dependency_now(tx, caller.agent_id, id_)
            if found["deletedAt"]:
                return _receipt(found)
            gone = await dependency_delete(tx, caller.agent_id, id_, note, now)
            line = Line("dependency_deleted", id_, {"status": found["status"]}, {"status": "deleted"}, note)
            await events_write(tx, caller.agent_id, told([line], "api", now, [event_id]))
            return _receipt(gone)

        return await self._database.write(once_only(caller, now, work))


async def names_lock(tx: WriteTransaction, agent_id: str, names: dict[str, str]) -> list[Row]:
    """The entities to which these canonical names, each with its spelling, refer."""
    rows = [{"canonical": canonical, "name": name} for canonical, name in sorted(names.items())]
    return await tx.rows("entities/names_lock", agent_id=agent_id, rows=rows)


async def entity_create(tx: WriteTransaction, agent_id: str, id_: str, name: str, now: datetime) -> None:
    await tx.rows(
        "entities/entity_create",
        agent_id=agent_id,
        agent_key=agent_key(agent_id),
        id=id_,
        canonical=next(iter(_by_canonical([name]))),
        name=name,
        now=now,
    )


async def names_link(tx: WriteTransaction, agent_id: str, id_: str, names: Sequence[str]) -> None:
    await tx.rows("entities/names_link[free]", agent_id=agent_id, id=id_, names=list(names))


async def names_keep(tx: WriteTransaction, agent_id: str, id_: str, names: Sequence[str]) -> None:
    await tx.rows("entities/names_keep", agent_id=agent_id, id=id_, names=list(names))


async def entity_amend(
    tx: WriteTransaction, agent_id: str, id_: str, type_: EntityType | None, pinned: bool | None
) -> None:
    await tx.rows(
        "entities/entity_amend[one]", agent_id=agent_id, id=id_, type=type_.value if type_ else None, pinned=pinned
    )


async def dependency_lock(tx: WriteTransaction, agent_id: str, id_: str) -> list[str]:
    """The ids of its ends, which are locked now; none for one that does not exist."""
    row = await tx.row("entities/dependency_lock", agent_id=agent_id, id=id_)
    return list(row["ids"]) if row else []


async def dependency_now(tx: WriteTransaction, agent_id: str, id_: str) -> Row:
    """Errors: NotFound."""
    row = await tx.row("entities/dependency[now]", agent_id=agent_id, id=id_)
    if row is None:
        raise NotFound(f"There is no dependency {id_!r}.")
    return dict(row["dependency"])


async def dependency_delete(tx: WriteTransaction, agent_id: str, id_: str, note: str | None, now: datetime) -> Row:
    row = await tx.row("entities/dependency[deleted]", agent_id=agent_id, id=id_, note=note, now=now)
    return dict(row["dependency"]) if row else {}


def _by_canonical(names: Sequence[str]) -> dict[str, str]:
    """The names by their canonical form; of two spellings of one the first."""
    return {canonical_name(name) or name.strip(): name for name in reversed(names)}


def _taken(rows: Sequence[Row]) -> NameTaken:
    led = ", ".join(f"{row['canonical']!r} to {row['name']} ({row['id']})" for row in rows)
    return NameTaken(
        f"A name leads to one entity, and these lead elsewhere: {led}. If they are the same thing, merge them: "
        "POST /api/graph/entities/{id}/merge."
    )


def _changed(before: Entity, after: Entity) -> list[Line]:
    was, is_ = ({"type": one.type.value, "pinned": one.pinned, "aliases": list(one.aliases)} for one in (before, after))
    return [Line("entity_changed", after.id, was, is_)] if was != is_ else []


def _receipt(row: Row) -> ArchiveReceipt:
    return ArchiveReceipt(
        id=row["id"],
        kind="dependency",
        status="deleted",
        reason="deleted",
        note=row["note"],
        at=row["deletedAt"],
        source_id=None,
        attribute_ids=(),
        dependency_ids=(row["id"],),
    )
