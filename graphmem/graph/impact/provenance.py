"""Where things come from, and their hashes."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.graph.impact.impact import WALK_TIMEOUT_S, capped
from graphmem.model.provenance import Direction, KeptMessage, KeptSummary, Made, Step, TracedKind
from graphmem.model.sealing import SaidMessage
from graphmem.model.stored import FoundIds, Walk

LONG_S = 120.0
"""Seconds one check may take: it reads everything an agent has."""
_WALKS: Mapping[Direction, str] = {"inputs": "provenance/walk[inputs]", "dependents": "provenance/walk[dependents]"}
_KINDS: Mapping[str, TracedKind] = {
    "Message": "message",
    "Payload": "payload",
    "Memory": "memory",
    "ColdMemory": "memory",
    "Attribute": "attribute",
    "Summary": "summary",
}


class ProvenanceStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def walk(
        self, agent_id: str, id_: str, direction: Direction, *, max_depth: int, node_cap: int, edge_cap: int
    ) -> Walk:
        """The derivations on a walk from a thing, nearest first. Errors: DatabaseBusy when it takes too long."""
        return await self._database.read(
            lambda tx: walk(tx, agent_id, id_, direction, max_depth, node_cap, edge_cap), timeout_s=WALK_TIMEOUT_S
        )

    async def steps(self, agent_id: str, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Step]:
        """Derivations by the ids of their two ends; deleted ones are left out."""
        return await self._database.read(lambda tx: steps(tx, agent_id, pairs))

    async def made(self, agent_id: str, id_: str) -> Made:
        """What is recorded of a thing itself."""
        return await self._database.read(lambda tx: made(tx, agent_id, id_))

    async def messages(self, agent_id: str, after: str, limit: int) -> list[KeptMessage]:
        """Messages after an id."""
        return await self._database.read(lambda tx: messages_kept(tx, agent_id, after, limit), timeout_s=LONG_S)

    async def summaries(self, agent_id: str, after: str, limit: int) -> list[KeptSummary]:
        """Summaries after an id whose content was hashed."""
        return await self._database.read(lambda tx: summaries_kept(tx, agent_id, after, limit), timeout_s=LONG_S)

    async def changed(self, agent_id: str) -> list[FoundIds]:
        """What was made from something that has changed since."""
        return await self._database.read(lambda tx: inputs_changed(tx, agent_id), timeout_s=LONG_S)

    async def missing(self, agent_id: str) -> list[FoundIds]:
        """What was made from something that is deleted."""
        return await self._database.read(lambda tx: inputs_missing(tx, agent_id), timeout_s=LONG_S)


async def walk(
    tx: ReadTransaction,
    agent_id: str,
    id_: str,
    direction: Direction,
    max_depth: int,
    node_cap: int,
    edge_cap: int,
) -> Walk:
    (found,) = await tx.rows(
        _WALKS[direction],
        literal=max_depth - 1,
        agent_id=agent_id,
        id=id_,
        node_cap=node_cap,
        edge_cap=edge_cap,
    )
    ends = list(zip(found["near"], found["far"], strict=True))
    # All have the same confidence, and any edge between two things will do: their ids name it.
    edges, sure = [f"{near} {far}" for near, far in ends], [1.0] * len(ends)
    return Walk(found["near"], found["far"], edges, sure, found["looked"], capped=capped(found, node_cap, edge_cap))


async def steps(tx: ReadTransaction, agent_id: str, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Step]:
    if not pairs:
        return {}
    rows = await tx.rows("provenance/steps", agent_id=agent_id, pairs=[list(pair) for pair in pairs])
    return {
        (row["made"], row["used"]): Step(
            row["made"],
            row["used"],
            row["via"],
            row["by"],
            row["changed"] is True,
            _kind(row["madeLabels"]),
            _kind(row["usedLabels"]),
        )
        for row in rows
    }


async def made(tx: ReadTransaction, agent_id: str, id_: str) -> Made:
    row = await tx.row("provenance/made", agent_id=agent_id, id=id_)
    return Made(row["by"], row["origin"], row["embedded"]) if row else Made(None, None, embedded=False)


async def messages_kept(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[KeptMessage]:
    rows = await tx.rows("provenance/messages_kept", agent_id=agent_id, after=after, limit=limit)
    return [_kept(row["message"]) for row in rows]


async def summaries_kept(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[KeptSummary]:
    rows = await tx.rows("provenance/summaries_kept", agent_id=agent_id, after=after, limit=limit)
    return [KeptSummary(row["id"], row["content"], row["sha256"]) for row in rows]


async def inputs_changed(tx: ReadTransaction, agent_id: str) -> list[FoundIds]:
    rows = await tx.rows("provenance/inputs[changed]", agent_id=agent_id)
    return [FoundIds(row["kind"], row["number"], tuple(row["ids"])) for row in rows]


async def inputs_missing(tx: ReadTransaction, agent_id: str) -> list[FoundIds]:
    rows = await tx.rows("provenance/inputs[missing]", agent_id=agent_id)
    return [FoundIds(row["kind"], row["number"], tuple(row["ids"])) for row in rows]


def _kind(labels: Sequence[str]) -> TracedKind:
    return next(_KINDS[label] for label in labels if label in _KINDS)


def said(row: Mapping[str, Any]) -> SaidMessage:
    """What of a message its seal covers."""
    return SaidMessage(row["id"], row["role"], row["name"], row["createdAt"], row["sha256"], row["fingerprint"])


def _kept(row: Mapping[str, Any]) -> KeptMessage:
    return KeptMessage(
        said(row),
        row["content"],
        row["contentKind"],
        row["toolCalls"],
        row["toolCallId"],
        row["salt"],
        row["erased"],
        tuple((sha256, where) for sha256, where in row["payloads"]),
    )
