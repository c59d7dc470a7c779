"""Provenance on a real graph: what was made of what, and what the hashes say when somebody writes past graphmem."""

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, Remember
from graphmem.model.provenance import Derivation, Direction
from graphmem.rules.extraction import EXTRACTOR


@pytest.fixture
async def lived(graphmem: Graphmem, agent_id: str) -> str:
    """An agent with a session that was read and summed up, and a fact that superseded another."""
    caller = Caller(agent_id)
    said = ("billing is owned by Mara.", "billing uses Redis.")
    batch = tuple(NewMessage(role="user", content=text, message_id=f"m{n}") for n, text in enumerate(said))
    await graphmem.conversations.add_messages(caller, "s", NewMessages(messages=batch))
    await graphmem.conversations.end(caller, "s", EndSession())
    worker = graphmem.worker()
    for _ in range(500):
        ended = await graphmem.conversations.end_result(agent_id, "s")
        if ended and ended.pipeline == "done":
            break
        await worker.work_once()
    for owner in ("Mara", "Ilse"):
        given = Remember(content=f"search is owned by {owner}.", entity="search", claim_key="owner")
        await graphmem.learning.remember(caller, given)
    return agent_id


async def traced(graphmem: Graphmem, agent_id: str, id_: str, direction: Direction) -> list[Derivation]:
    """All of it, page by page."""
    found: list[Derivation] = []
    cursor: str | None = None
    while True:
        page = await graphmem.tracing.trace(agent_id, id_, direction, 6, 1, cursor)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


async def test_what_must_be_made_again_when_a_message_changes(graphmem: Graphmem, lived: str) -> None:
    found = await traced(graphmem, lived, "m0", "dependents")
    assert {"memory", "attribute", "summary"} <= {one.kind for one in found}
    assert [one.depth for one in found] == sorted(one.depth for one in found)
    assert len({one.id for one in found}) == len(found)
    (memory,) = (one for one in found if one.kind == "memory")
    assert (memory.depth, memory.via, memory.by, memory.changed) == (1, "DERIVED_FROM", EXTRACTOR, False)
    (fact,) = (one for one in found if one.kind == "attribute")
    assert (fact.depth, fact.by) == (2, EXTRACTOR)
    whole = await graphmem.tracing.trace(lived, "m0", "dependents", 6, 50, None)
    assert list(whole.items) == found
    near = await graphmem.tracing.trace(lived, "m0", "dependents", 1, 50, None)
    assert {one.depth for one in near.items} == {1}


async def test_what_a_fact_was_made_of_leads_to_the_words(graphmem: Graphmem, bolt: AsyncDriver, lived: str) -> None:
    found = await traced(graphmem, lived, "m0", "dependents")
    fact = next(one.id for one in found if one.kind == "attribute")
    back = await traced(graphmem, lived, fact, "inputs")
    assert [one.kind for one in back] == ["memory", "message"]
    rows, _, _ = await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, messageId: 'm0'})<-[l:DERIVED_FROM]-(:Memory) RETURN m.id AS id, "
        "l.sha256 = m.sha256 AS same",
        a=lived,
    )
    assert [(row["id"], row["same"]) for row in rows] == [(back[1].id, True)]


async def test_a_superseded_fact_hangs_on_the_one_that_superseded_it(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    ((old_id, new_id),), _, _ = await bolt.execute_query(
        "MATCH (o:Attribute {agent_id: $a})-[:SUPERSEDED_BY]->(n) RETURN o.id, n.id", a=lived
    )
    (old,) = [item for item in await traced(graphmem, lived, new_id, "dependents") if item.kind == "attribute"]
    assert (old.id, old.via) == (old_id, "SUPERSEDED_BY")
    given = await traced(graphmem, lived, new_id, "inputs")
    assert [(item.kind, item.by) for item in given] == [("memory", "given")]


async def test_a_memory_that_was_left_alone_verifies(graphmem: Graphmem, lived: str) -> None:
    found = await graphmem.doctor.verify(lived)
    assert found.healthy, found.findings


@pytest.mark.parametrize(
    ("code", "damage"),
    [
        ("message_altered", "MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.content = 'billing is owned by Eve.'"),
        ("input_changed", "MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.content = 'x', m.sha256 = $sha256"),
        ("input_missing", "MATCH (:Attribute {agent_id: $a})-[l:DERIVED_FROM]->() DELETE l"),
        ("input_missing", "CREATE (:Summary {agent_id: $a, id: 'y', dagKey: 'y', kind: 'leaf', depth: 0})"),
        ("input_missing", "MATCH (u:Supersession {agent_id: $a}) SET u.oldId = 'nobody'"),
    ],
)
async def test_damage_is_found_with_what_to_do(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str, code: str, damage: str
) -> None:
    sha256 = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"  # of 'x'
    await bolt.execute_query(damage, a=lived, sha256=sha256)
    found = await graphmem.doctor.verify(lived)
    assert [one.code for one in found.findings] == [code]
    assert found.findings[0].fix
    assert "Eve" not in found.findings[0].detail


async def test_a_changed_input_is_marked_where_it_is_traced(graphmem: Graphmem, bolt: AsyncDriver, lived: str) -> None:
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.sha256 = 'other'", a=lived)
    found = await traced(graphmem, lived, "m0", "dependents")
    assert {one.kind for one in found if one.changed} == {"memory"}


async def test_a_statement_seen_before_derivations_were_recorded_is_no_damage(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    await bolt.execute_query("MATCH (:Memory {agent_id: $a})-[l:DERIVED_FROM]->() REMOVE l.sha256, l.by", a=lived)
    assert (await graphmem.doctor.verify(lived)).healthy
    assert {one.by for one in await traced(graphmem, lived, "m0", "dependents") if one.kind == "memory"} == {None}


async def test_the_routes_answer_and_refuse(http: httpx.AsyncClient) -> None:
    made = (await http.post("/api/memory/remember", json={"content": "Ledger is fast.", "entity": "Ledger"})).json()
    fact, memory = made["attributes"][0]["id"], made["memory"]["id"]
    answer = (await http.get(f"/api/provenance/{memory}")).json()
    assert [(item["id"], item["by"]) for item in answer["items"]] == [(fact, "given")]
    answer = (await http.get(f"/api/provenance/{fact}", params={"direction": "inputs"})).json()
    assert [item["id"] for item in answer["items"]] == [memory]
    for path, status in (
        ("/api/provenance/nobody", 404),
        ("/api/provenance/Ledger", 422),
        (f"/api/provenance/{fact}?maxDepth=11", 422),
        (f"/api/provenance/{fact}?cursor=WyJ4IiwgIngiXQ", 400),
    ):
        assert (await http.get(path)).status_code == status, path
    verified = (await http.get("/api/verify")).json()
    assert verified == {"healthy": True, "findings": []}


async def test_nothing_is_traced_into_another_agents_graph(
    graphmem: Graphmem, lived: str, http: httpx.AsyncClient
) -> None:
    found = await traced(graphmem, lived, "m0", "dependents")
    for agent, status in ((lived, 200), (f"{lived}-other", 404)):
        answer = await http.get(f"/api/provenance/{found[0].id}", headers={"X-Agent-Id": agent})
        assert answer.status_code == status
