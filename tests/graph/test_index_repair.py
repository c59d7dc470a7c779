"""Indexes that are gone or wrong are made again. A change of indexes ends all plans, so that this module comes late."""

import pytest
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from tests.agents import after_a_life


@pytest.mark.parametrize(
    ("index", "label"), [("message_grams", "Message"), pytest.param("summary_text", "Summary", marks=pytest.mark.long)]
)
async def test_an_index_that_is_gone_or_finds_too_little_is_made_again(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, index: str, label: str
) -> None:
    await after_a_life(graphmem, agent_id)
    await bolt.execute_query(f"DROP INDEX {index}")
    assert "index_missing" in {finding.code for finding in (await graphmem.operation.doctor.examine(agent_id)).findings}
    assert (await graphmem.operation.repairs.repair(agent_id, "index_missing")).changed == 1
    await bolt.execute_query(f"DROP INDEX {index}")
    await bolt.execute_query(f"CREATE FULLTEXT INDEX {index} FOR (n:{label}) ON EACH [n.kind]")
    await graphmem.operation.upkeep.await_indexes(60)
    assert "index_out_of_sync" in {
        finding.code for finding in (await graphmem.operation.doctor.examine(agent_id)).findings
    }
    assert (await graphmem.operation.repairs.repair(agent_id, "index_out_of_sync")).changed == 1
    codes = {finding.code for finding in (await graphmem.operation.doctor.examine(agent_id)).findings}
    assert not codes & {"index_missing", "index_out_of_sync"}
