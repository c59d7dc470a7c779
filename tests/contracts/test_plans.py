"""No statement is planned as a scan that is not on the list: neither in a graph that holds nothing yet, where all plans
cost the same and one that is chosen may stay, nor in one that is full.

To plan a statement takes .3 s, and longer on a busy machine. In every run, test_statements.py looks at the plans on the
little that it seeds.
"""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase

from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.graph.connection import connect
from graphmem.graph.schema import migrate
from graphmem.graph.statements import Statement, all_statement_names, cypher_folder, statement
from graphmem.settings import load_settings
from tests.contracts.test_statements import LABEL_SCANS, WHOLE_GRAPH

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
DIMENSIONS = 384
AGENTS, EACH = 30, 200
VALUES = {
    "STRING": "a",
    "INTEGER": 3,
    "FLOAT": 0.5,
    "BOOLEAN": True,
    "ZONED DATETIME": datetime(2026, 5, 1, tzinfo=UTC),
    "MAP": {},
    "LIST<STRING>": ["a", "b"],
    "LIST<BOOLEAN>": [True],
    "LIST<FLOAT>": [0.1] * DIMENSIONS,
    "LIST<MAP>": [{}],
    "LIST<LIST<STRING>>": [["a"]],
    "LIST<LIST<MAP>>": [[{}]],
    "LIST<LIST<ANY>>": [[1]],
}
"""A value of each type that headers name: a plan is made for types, not for values."""

NODES = {
    "Session": "id: 's' + i, project: 'p' + i % 3, startedAt: datetime(), endedAt: datetime(), "
    "continues: 's' + (i - 1)",
    "Message": "id: 'm' + i, sessionId: 's' + i / 20, ordinal: i % 20, messageId: 'm' + i, createdAt: datetime(), "
    "paradigmShift: CASE i % 10 WHEN 0 THEN true END",
    "Memory": "id: 'k' + i, contentKey: 'k' + i, createdAt: datetime(), pinned: i % 20 = 0, status: 'active'",
    "ColdMemory": "id: 'c' + i",
    "Entity": "id: 'e' + i, canonicalName: 'e' + i, pinned: i % 20 = 0, mentions: i % 9, file: 'f' + i % 5",
    "ColdEntity": "id: 'd' + i, canonicalName: 'd' + i",
    "Name": "canonical: 'e' + i",
    "Aspect": "id: 'a' + i, entityId: 'e' + i, canonicalName: 'general'",
    "Attribute": "id: 't' + i, entityId: 'e' + i / 3, activeKey: CASE WHEN i % 3 > 0 THEN 'k' + i END, "
    "claimKey: 'c' + i / 2, status: CASE WHEN i % 3 > 0 THEN 'active' ELSE 'superseded' END, "
    "kind: CASE WHEN i % 5 = 0 THEN 'constraint' ELSE 'attribute' END, pinned: i % 20 = 0",
    "Summary": "id: 'y' + i, dagKey: 'session:' + i, sessionId: 's' + i, project: 'p' + i % 3, latestAt: datetime(), "
    "kind: ['session', 'arc', 'leaf', 'condensed'][i % 4]",
    "Supersession": "id: 'u' + i, oldId: 't' + i, newId: 't' + (i + 1), status: 'applied', createdAt: datetime()",
    "Merge": "id: 'g' + i, pairKey: 'g' + i, createdAt: datetime()",
    "MergedEntity": "id: 'n' + i",
    "Rollback": "id: 'r' + i, createdAt: datetime()",
    "Feedback": "id: 'f' + i, targetId: 't' + i, at: datetime()",
    "Event": "id: 'v' + i, subjectId: 't' + i, kind: 'k' + i % 5, at: datetime()",
    "Job": "id: 'j' + i, status: 'done', availableAt: datetime()",
    "Request": "key: 'q' + i, createdAt: datetime()",
    "Payload": "sha256: 'h' + i",
    "SourceFile": "repository: 'r', path: 'p' + i",
}
"""What the nodes of the full graph hold, the i-th of each agent: what indexes are about."""

EDGES = """
    Session-HAS_MESSAGE-Message Message-NEXT-Message Session-HAS_SUMMARY-Summary Session-HAS_COMPACTION-Summary
    Session-STARTS_WITH-Summary Summary-COVERS-Message Summary-HAS_CHILD-Summary Summary-FOLLOWS-Summary
    Summary-STATES-Attribute Summary-ABOUT-Entity Summary-DERIVED_FROM-Memory Entity-HAS_ASPECT-Aspect
    Aspect-HAS_ATTRIBUTE-Attribute Attribute-DERIVED_FROM-Memory Memory-DERIVED_FROM-Message Memory-ABOUT-Entity
    Message-MENTIONS-Entity Message-REFERENCES-Message Message-SIMILAR_TO-Message Attribute-SUPERSEDED_BY-Attribute
    Attribute-RETIRED_BY-Rollback Entity-DEPENDS_ON-Entity Name-NAMES-Entity MergedEntity-MERGED_INTO-Entity
"""


@pytest.fixture(scope="module")
async def graph(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncDriver]:
    """A server of this module's own, with the schema and nothing in it: another graph has plans of its own."""
    folder, cache = tmp_path_factory.mktemp("plans"), load_settings().cache_dir
    managed = ManagedServer(folder, cache, http=False, preferred_bolt_port=0, preferred_http_port=0, quick_start=True)
    server = managed.start()
    database = await connect(server.uri, user=server.user, password=server.password)
    await migrate(database, holder="plans", dimensions=DIMENSIONS)
    await database.close()
    async with AsyncGraphDatabase.driver(
        server.uri, auth=(server.user, server.password), notifications_min_severity="OFF"
    ) as driver:
        yield driver
    managed.stop()


async def test_no_statement_scans_a_graph_that_holds_nothing(graph: AsyncDriver) -> None:
    assert await all_scans(graph) == {}


async def test_no_statement_scans_a_full_graph(graph: AsyncDriver) -> None:
    await fill(graph)
    assert await all_scans(graph) == {}


async def test_a_scan_is_seen(graph: AsyncDriver) -> None:
    """The check above checks something."""
    for text in (
        "MATCH (n) RETURN n",
        "MATCH (m:Message) WHERE m.agent_id = $agent_id RETURN m",
        "MATCH (m:Message&!Unembedded) WHERE m.agent_id = $agent_id RETURN m",
        "MATCH (m:Message|Memory) RETURN m",
        "MATCH ()-[l:NEXT]->() RETURN l",
    ):
        assert await scans(graph, text, {"agent_id": "a"}), text


async def all_scans(graph: AsyncDriver) -> dict[str, list[str]]:
    """The scans in each statement's plan, but for what is listed with its reason."""
    found = {}
    for name in all_statement_names():
        wanted = statement(name)
        if wanted.mode != "schema" and name not in WHOLE_GRAPH.keys() | LABEL_SCANS.keys():
            text = wanted.text if wanted.literal is None else wanted.with_literal(wanted.literal.high)
            if seen := await scans(graph, text, values(wanted)):
                found[name] = seen
    return found


async def scans(graph: AsyncDriver, text: str, params: Mapping[str, Any]) -> list[str]:
    """The operators of a plan that read all there is of something, the entries of an index too."""
    _, summary, _ = await graph.execute_query(f"EXPLAIN {text}", dict(params))
    return [step for step in operators(summary.plan) if "Scan" in step]


def values(wanted: Statement) -> dict[str, Any]:
    """A value for each parameter, of the type in the header; a type is said once for those that share it."""
    source = (cypher_folder() / f"{wanted.name.partition('[')[0]}.cypher").read_text(encoding="utf-8")
    types: dict[str, str] = {}
    type_ = ""
    for part in reversed(re.findall(r"^// params: (.*)$", source, re.MULTILINE)[0].split(", ")):
        name, _, said = part.partition(" ")
        type_ = types[name] = said.partition(" (")[0] or type_
    return {name: VALUES[types[name]] for name in wanted.params}


def operators(plan: Any) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


async def fill(graph: AsyncDriver) -> None:
    agents = f"UNWIND range(1, {AGENTS}) AS agent UNWIND range(1, {EACH}) AS i WITH 'agent-' + agent AS agent, i "
    for label, held in NODES.items():
        await graph.execute_query(f"{agents} CREATE (:{label} {{agent_id: agent, {held}}})")
    for edge in EDGES.split():
        source, type_, target = edge.split("-")
        await graph.execute_query(
            f"{agents} MATCH (a:{source} {{agent_id: agent, {_key(source)}}}) "
            f"MATCH (b:{target} {{agent_id: agent, {_key(target)}}}) "
            f"CREATE (a)-[:{type_} {{agent_id: agent, id: 'l' + i, activeKey: 'l' + i}}]->(b)"
        )
    await graph.execute_query("CALL db.awaitIndexes(300)")


def _key(label: str) -> str:
    """What finds the i-th node of a label."""
    return next(part for part in NODES[label].split(", ") if part.startswith(("id:", "canonical:")))
