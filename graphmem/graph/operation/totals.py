"""Totals over all agents."""

from typing import get_args

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.model.knowledge import SupersessionStatus
from graphmem.model.stored import Totals


class TotalsStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def totals(self) -> Totals:
        async def all_of_it(tx: ReadTransaction) -> Totals:
            nodes, unembedded, unsealed = await store_totals(tx)
            chunks, dropped, fallbacks = await extraction_totals(tx)
            by_status, precision = await supersession_totals(tx)
            return Totals(
                nodes, unembedded, unsealed, await job_totals(tx), chunks, dropped, fallbacks, by_status, precision
            )

        return await self._database.read(all_of_it)


async def store_totals(tx: ReadTransaction) -> tuple[dict[str, int], int, int]:
    row = await tx.row("upkeep/store_totals")
    return (row["nodes"], row["unembedded"], row["unsealed"]) if row else ({}, 0, 0)


async def job_totals(tx: ReadTransaction) -> dict[str, int]:
    return {row["status"]: max(row["number"], 0) for row in await tx.rows("upkeep/job_totals")}


async def supersession_totals(tx: ReadTransaction) -> tuple[dict[str, int], float | None]:
    rows = await tx.rows("upkeep/supersessions[all]")
    accepted = sum(row["accepted"] for row in rows)
    judged = accepted + sum(row["refuted"] for row in rows)
    number = dict.fromkeys(get_args(SupersessionStatus), 0) | {row["status"]: row["number"] for row in rows}
    return number, accepted / judged if judged else None


async def extraction_totals(tx: ReadTransaction) -> tuple[dict[str, int], int, int]:
    row = await tx.row("upkeep/extraction[all]")
    if row is None:
        return {}, 0, 0
    return {str(level): row[f"level{level}"] for level in (1, 2, 3)}, row["dropped"], row["fallbacks"]
