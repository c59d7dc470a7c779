"""Everything in the database, to read and to restore unchanged."""

import base64
from array import array
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from neo4j.spatial import CartesianPoint, Point, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.operation.erasing import erasures_all
from graphmem.model.erasing import Erasure

PAGE = 1000
_BY_ISO: Mapping[str, Any] = {"datetime": DateTime, "date": Date, "time": Time, "duration": Duration}
VECTOR_FROM = 16
"""Lists of at least this many numbers are written as bytes."""


class BackupStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def freeze(self, until: datetime | None) -> None:
        """Make writes of all processes wait until then; None: no longer."""
        await self._database.write(lambda tx: freeze(tx, until), while_frozen=True)

    async def frozen_until(self) -> datetime | None:
        return (await self.signals())[0]

    async def signals(self) -> tuple[datetime | None, datetime | None]:
        """Until when writes wait, and when words were last erased."""
        return await self._database.read(signals)

    def hold_writes(self, until: datetime | None) -> None:
        """Apply `frozen_until` in this process."""
        self._database.hold_writes(until)

    async def done(self, now: datetime) -> None:
        """Record that a backup is complete."""
        await self._database.write(lambda tx: done(tx, now), while_frozen=True)

    async def size(self) -> tuple[int, int]:
        """About how many nodes and relationships there are."""
        return await self._database.read(size)

    async def writers(self) -> int:
        return await self._database.read(writers)

    async def last_commit(self) -> int | None:
        """None where the server does not report it."""
        return await self._database.read(last_commit)

    async def holds_anything(self) -> bool:
        return await self._database.read(holds_anything)

    async def erasures(self) -> list[Erasure]:
        """Every erasure that is recorded, oldest first."""
        return await self._database.read(erasures_all)

    async def nodes(self) -> AsyncIterator[list[dict[str, Any]]]:
        async for page in self._database.stream("backup/everything[nodes]", PAGE):
            yield [row | {"properties": _plain(row["properties"])} for row in page]

    async def relationships(self) -> AsyncIterator[list[dict[str, Any]]]:
        async for page in self._database.stream("backup/everything[relationships]", PAGE):
            yield [row | {"properties": _plain(row["properties"])} for row in page]

    async def restore_nodes(self, rows: Sequence[Mapping[str, Any]]) -> int:
        there = [{**row, "properties": _stored(row["properties"])} for row in rows]
        return await self._database.write(lambda tx: node_restore(tx, there))

    async def restore_relationships(self, rows: Sequence[Mapping[str, Any]]) -> int:
        there = [{**row, "properties": _stored(row["properties"])} for row in rows]
        return await self._database.write(lambda tx: relationship_restore(tx, there))

    async def restored(self) -> int:
        """Process some more nodes; 0: all are done."""
        return await self._database.write(restored)

    async def wipe(self) -> int:
        """Delete some nodes permanently; 0: all are deleted."""
        return await self._database.write(wipe)


async def freeze(tx: WriteTransaction, until: datetime | None) -> None:
    await tx.rows("upkeep/lease_note[frozen]", until=until)


async def done(tx: WriteTransaction, now: datetime) -> None:
    await tx.rows("upkeep/lease_note[backed_up]", now=now)


async def size(tx: ReadTransaction) -> tuple[int, int]:
    row = await tx.row("backup/size")
    return (row["nodes"], row["relationships"]) if row else (0, 0)


async def signals(tx: ReadTransaction) -> tuple[datetime | None, datetime | None]:
    row = await tx.row("upkeep/lease_read[frozen]")
    return (row["until"], row["erasedAt"]) if row else (None, None)


async def writers(tx: ReadTransaction) -> int:
    row = await tx.row("backup/writers")
    return int(row["number"]) if row else 0


async def last_commit(tx: ReadTransaction) -> int | None:
    row = await tx.row("backup/last_commit")
    return row["number"] if row else None


async def holds_anything(tx: ReadTransaction) -> bool:
    row = await tx.row("backup/holds_anything")
    return bool(row and row["found"])


async def node_restore(tx: WriteTransaction, rows: Sequence[Mapping[str, Any]]) -> int:
    row = await tx.row("backup/restore[nodes]", rows=list(rows))
    return int(row["stored"]) if row else 0


async def relationship_restore(tx: WriteTransaction, rows: Sequence[Mapping[str, Any]]) -> int:
    row = await tx.row("backup/restore[relationships]", rows=list(rows))
    return int(row["stored"]) if row else 0


async def restored(tx: WriteTransaction) -> int:
    row = await tx.row("backup/some[restored]", limit=10_000)
    return int(row["number"]) if row else 0


async def wipe(tx: WriteTransaction) -> int:
    row = await tx.row("backup/some[wiped]", limit=2000)
    return int(row["number"]) if row else 0


def _plain(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as JSON, without loss: nanoseconds, zones and every bit."""
    return {key: _told(value) for key, value in properties.items()}


def _told(value: Any) -> Any:
    for kind, type_ in _BY_ISO.items():  # we write DateTime only; other writers may use other types
        if isinstance(value, type_):
            return {kind: value.iso_format()}
    if isinstance(value, Point):
        return {"point": [value.srid, *value]}
    if isinstance(value, bytes | bytearray):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, list):
        if len(value) >= VECTOR_FROM and all(isinstance(item, float) for item in value):
            single = array("f", value)
            kind, numbers = ("f", single) if single.tolist() == value else ("d", array("d", value))
            return {kind: base64.b64encode(numbers.tobytes()).decode()}
        return [_told(item) for item in value]
    return value


def _stored(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _meant(value) for key, value in properties.items()}


def _meant(value: Any) -> Any:
    if isinstance(value, list):
        return [_meant(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, said),) = value.items()
    if kind in _BY_ISO:
        return _BY_ISO[kind].from_iso_format(said)
    if kind == "point":
        return (WGS84Point if said[0] in {4326, 4979} else CartesianPoint)(said[1:])
    if kind == "bytes":
        return base64.b64decode(said)
    numbers = array(kind)
    numbers.frombytes(base64.b64decode(said))
    return numbers.tolist()
