"""How we talk to Neo4j: what of our reading is repeated, and what is not."""

from collections.abc import Sequence

import neo4j
import pytest

from graphmem.graph.connection import Database, ReadTransaction


async def applied(tx: ReadTransaction) -> Sequence[object]:
    return await tx.rows("upkeep/migrations")


@pytest.mark.parametrize(
    "passing", [neo4j.exceptions.ServiceUnavailable("the server was restarted"), neo4j.exceptions.TransientError()]
)
async def test_reading_begins_anew_where_it_met_what_passes(database: Database, passing: Exception) -> None:
    calls: list[int] = []

    async def work(tx: ReadTransaction) -> Sequence[object]:
        calls.append(len(await applied(tx)))
        if len(calls) == 1:
            raise passing
        return await applied(tx)

    assert len(await database.read(work)) == calls[0] == calls[1]


async def test_reading_is_not_repeated_for_what_does_not_pass(database: Database) -> None:
    calls: list[int] = []

    async def work(tx: ReadTransaction) -> None:
        calls.append(len(await applied(tx)))
        raise neo4j.exceptions.ClientError()

    with pytest.raises(neo4j.exceptions.ClientError):
        await database.read(work)
    assert len(calls) == 1
