"""What is stored about payloads: their size and kind, where their bytes are, and which messages they came with."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.model.change import PayloadRow


class PayloadStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, agent_id: str, sha256: str) -> PayloadRow | None:
        return await self._database.read(lambda tx: payload(tx, agent_id, sha256))


async def payload(tx: ReadTransaction, agent_id: str, sha256: str) -> PayloadRow | None:
    row = await tx.row("payloads/payload", agent_id=agent_id, sha256=sha256)
    return PayloadRow(row["sha256"], row["bytes"], row["mediaType"], row["where"]) if row else None


async def payloads_link(
    tx: WriteTransaction, agent_id: str, stored: Sequence[str], payloads: Mapping[str, Sequence[PayloadRow]]
) -> None:
    """Link payloads to the messages they were taken from, by message id, only those that were `stored`."""
    rows = [asdict(row) | {"messageId": id_} for id_ in stored for row in payloads.get(id_, ())]
    if rows:
        # In one order for all writers, so that two with the same bytes cannot deadlock.
        rows.sort(key=lambda row: str(row["sha256"]))
        await tx.rows("payloads/payloads_link", agent_id=agent_id, rows=rows)
