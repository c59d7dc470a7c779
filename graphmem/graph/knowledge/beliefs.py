"""Facts and edges with all their retirements, and the writes of a roll-back: one function per statement."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.errors import NotFound
from graphmem.graph.connection import ReadTransaction, WriteTransaction
from graphmem.model.rollback import Away, Retirement, RolledEdge, RolledFact, Successor
from graphmem.rules.keeping.seals import ALTERED
from graphmem.rules.language.keys import dependency_key, fact_key

Row = dict[str, Any]


async def holdings(tx: ReadTransaction, agent_id: str, id_: str) -> Row:
    """Errors: NotFound."""
    row = await tx.row("rollback/holdings", agent_id=agent_id, id=id_)
    if row is None:
        raise NotFound(f"There is no entity with the id {id_!r}.")
    return row


async def facts(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[RolledFact]:
    rows = await tx.rows("rollback/facts", agent_id=agent_id, ids=list(ids))
    return [_fact(row["fact"]) for row in rows]


def _fact(row: Row) -> RolledFact:
    return RolledFact(
        id=row["id"],
        key=fact_key(row["entityId"], row["content"]),
        status=row["status"],
        superseded_by=row["supersededBy"],
        protected=row["protected"],
        kept=row["kept"],
        created_at=row["createdAt"],
        valid_from=row["validFrom"],
        retired_at=row["retiredAt"],
        successors=tuple(
            Successor(
                link_id=one["linkId"],
                new_id=one["newId"],
                new_status=one["newStatus"],
                record_id=one["recordId"],
                valid_to=one["validTo"],
                at=one["at"],
                undone_at=one["undoneAt"],
                rolled_back_by=one["rolledBackBy"],
            )
            for one in row["successors"]
        ),
        retirements=tuple(
            Retirement(one["linkId"], one["rollbackId"], one["validTo"], one["at"], one["undoneAt"])
            for one in row["retirements"]
        ),
        memory_away=row["memoryAway"],
        gone_with=row["goneWith"],
        away=_away(row),
    )


def _away(row: Row) -> Away | None:
    if row["status"] not in ("cold", "deleted") or row["coldStatus"] is None or row["coldReason"] == ALTERED:
        return None
    ids = tuple(row["coldDependencyIds"] or ())
    return Away(row["status"], row["coldStatus"], row["coldAt"], row["coldReason"], row["coldNote"], ids)


async def edges(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[RolledEdge]:
    return [_edge(row["edge"]) for row in await tx.rows("rollback/edges", agent_id=agent_id, ids=list(ids))]


def _edge(row: Row) -> RolledEdge:
    return RolledEdge(
        id=row["id"],
        key=dependency_key(row["sourceId"], row["targetId"], row["type"]),
        status=row["status"],
        created_at=row["createdAt"],
        valid_from=row["validFrom"],
        valid_to=row["validTo"],
        retired_at=row["retiredAt"],
        deleted_at=row["deletedAt"],
        note=row["note"],
        gone_with=row["goneWith"],
        cold_reason=row["coldReason"],
        spells=tuple(zip(row["retiredFrom"], row["retiredUntil"], strict=True)),
    )


async def links_close(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows("rollback/release[links]", agent_id=agent_id, rows=list(rows), now=now)


async def links_open(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> frozenset[str]:
    opened = await tx.rows("rollback/links_open", agent_id=agent_id, rows=list(rows), now=now)
    return frozenset(row["id"] for row in opened)


async def retirements_open(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows("rollback/retirements_open", agent_id=agent_id, rows=list(rows), now=now)


async def retirements_close(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows("rollback/release[retirements]", agent_id=agent_id, rows=list(rows), now=now)


async def facts_rest(tx: WriteTransaction, agent_id: str, ids: Sequence[str], now: datetime) -> None:
    await tx.rows("rollback/facts_rest", agent_id=agent_id, ids=list(ids), now=now)


async def facts_wake(tx: WriteTransaction, agent_id: str, rows: Sequence[Row]) -> frozenset[str]:
    woken = await tx.rows("rollback/facts_wake", agent_id=agent_id, rows=list(rows))
    return frozenset(row["id"] for row in woken)


async def facts_send(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows("rollback/facts_send", agent_id=agent_id, rows=list(rows), now=now)


async def edges_retire(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> list[str]:
    return [row["id"] for row in await tx.rows("rollback/edges_retire", agent_id=agent_id, rows=list(rows), now=now)]


async def edges_revive(tx: WriteTransaction, agent_id: str, rows: Sequence[Row], now: datetime) -> list[str]:
    return [row["id"] for row in await tx.rows("rollback/edges_revive", agent_id=agent_id, rows=list(rows), now=now)]
