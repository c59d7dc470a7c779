"""Provenance on a real graph: what was made of what, and what the hashes say when somebody writes past graphmem."""

from dataclasses import replace
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.errors import DatabaseBusy
from graphmem.graph.impact.provenance import ProvenanceStore
from graphmem.model.caller import Caller
from graphmem.model.compaction import Compact
from graphmem.model.inputs import NewMessage, NewMessages, NewSession
from graphmem.model.provenance import Derivation, Direction
from graphmem.model.stored import Walk
from graphmem.rules.extraction.extraction import EXTRACTOR
from graphmem.rules.summaries.compaction import CompactionBounds
from graphmem.rules.summaries.condensing import SUMMARISER as LINES
from graphmem.rules.summaries.extractive import DIGEST_SUMMARISER, EXTRACT_SUMMARISER
from graphmem.rules.summaries.recap_lines import RECAPPER
from graphmem.rules.supersession.decision import DETECTOR
from graphmem.services.continuity.condensing import CondensingSettings
from graphmem.services.continuity.summarising import Summarising
from graphmem.services.impact.tracing import TRACE_CAPS, Tracing
from tests.agents import carried_out, live


@pytest.fixture
async def lived(graphmem: Graphmem, agent_id: str) -> str:
    """An agent with a session that was read and summed up, and a fact that superseded another."""
    await live(graphmem, agent_id, "billing is owned by Mara.", "billing uses Redis.")
    return agent_id


@pytest.fixture
async def summed(graphmem: Graphmem, agent_id: str) -> str:
    """An agent with a session that was compacted, read, condensed into an arc, and has a recap."""
    caller = Caller(agent_id)
    bounds = CompactionBounds(leaf_tokens=150, fan_in=2, fresh_tail=2)
    for name in ("a", "b"):
        said = [f"The {name} service number {n} stores its rows in table {n} and answers on port {8000 + n}. " * 3
                for n in range(24)]  # fmt: skip
        prefix = "m" if name == "a" else "b"
        batch = tuple(NewMessage(role="user", content=text, message_id=f"{prefix}{n}") for n, text in enumerate(said))
        await graphmem.conversation.intake.add_messages(caller, name, NewMessages(messages=batch))
        await graphmem.knowledge.learning.read_whole(agent_id, name)
        await graphmem.knowledge.learning.summarise_session(agent_id, name)
    small = replace(graphmem.continuity.compacting, bounds=bounds, summarising=Summarising(bounds))
    await small.compact(caller, "a", Compact(force=True))
    await graphmem.continuity.recapping.keep(caller, "a", "auto", 1000)
    arcs = replace(graphmem.continuity.condensing, settings=CondensingSettings(2, 2))
    await carried_out(arcs.carry_on_all, agent_id)
    return agent_id


async def traced(graphmem: Graphmem, agent_id: str, id_: str, direction: Direction) -> list[Derivation]:
    """All of it, page by page."""
    found: list[Derivation] = []
    cursor: str | None = None
    while True:
        page = await graphmem.impact.tracing.trace(agent_id, id_, direction, 6, 1, cursor)
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
    whole = await graphmem.impact.tracing.trace(lived, "m0", "dependents", 6, 50, None)
    assert list(whole.items) == found
    near = await graphmem.impact.tracing.trace(lived, "m0", "dependents", 1, 50, None)
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
    assert old.by == f"{DETECTOR} claim"
    await bolt.execute_query("MATCH (n {agent_id: $a})-[l:SUPERSEDED_BY]->() REMOVE l.by", a=lived)
    (older,) = [item for item in await traced(graphmem, lived, new_id, "dependents") if item.kind == "attribute"]
    assert older.by == "claim", "of one without a version the method is known"


async def test_every_summary_says_who_wrote_it_and_what_its_inputs_said(
    graphmem: Graphmem, bolt: AsyncDriver, summed: str
) -> None:
    rows, _, _ = await bolt.execute_query(
        "MATCH (y:Summary {agent_id: $a}) OPTIONAL MATCH (y)-[l:COVERS|HAS_CHILD]->(d) "
        "RETURN y.id AS id, y.kind AS kind, y.by AS by, count(l) AS inputs, count(l.sha256) AS hashed, "
        "all(one IN collect(l.sha256 = d.sha256) WHERE one) AS same",
        a=summed,
    )
    by = {
        "leaf": EXTRACT_SUMMARISER,
        "condensed": EXTRACT_SUMMARISER,
        "session": DIGEST_SUMMARISER,
        "recap": RECAPPER,
        "arc": LINES,
    }
    assert {row["kind"]: row["by"] for row in rows} == by
    for row in rows:
        assert (row["inputs"], row["same"]) == (row["hashed"], True), row["kind"]
        assert row["inputs"], row["kind"]
        page = await graphmem.impact.tracing.trace(summed, row["id"], "inputs", 1, 5, None)
        assert (page.by, {one.by for one in page.items}) == (row["by"], {row["by"]})
    assert (await graphmem.operation.doctor.verify(summed)).healthy


@pytest.mark.parametrize(
    ("code", "kind", "damage"),
    [
        ("summary_altered", "summaries", "MATCH (y:Summary {agent_id: $a, kind: 'leaf'}) SET y.content = 'Eve.'"),
        ("input_changed", "summary", "MATCH (m:Message {agent_id: $a, ordinal: 3}) "
         "SET m.content = 'x', m.sha256 = $x, m.fingerprint = null"),
        ("input_changed", "summary", "MATCH (y:Summary {agent_id: $a, kind: 'leaf'}) WITH y ORDER BY y.first LIMIT 1 "
         "SET y.content = 'x', y.sha256 = $x"),
        ("input_missing", "summary", "MATCH (m:Message {agent_id: $a, ordinal: 3}) DETACH DELETE m"),
        ("input_missing", "summary", "MATCH (y:Summary {agent_id: $a, kind: 'condensed'})-[l:HAS_CHILD]->() DELETE l"),
        ("fact_altered", "facts", "MATCH (t:Attribute {agent_id: $a, status: 'active'}) SET t.content = 'Eve.'"),
    ],
)  # fmt: skip
async def test_verify_looks_at_the_hashes_of_summaries_and_of_what_they_were_made_of(
    graphmem: Graphmem, bolt: AsyncDriver, summed: str, code: str, kind: str, damage: str
) -> None:
    await bolt.execute_query(damage, a=summed, x="2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")
    found = (await graphmem.operation.doctor.verify(summed)).findings
    assert {one.code for one in found} == {code}
    assert any(kind in one.detail for one in found)
    assert not any("Eve" in one.detail for one in found)


async def test_what_was_summed_up_before_hashes_were_kept_is_read_and_no_damage(
    graphmem: Graphmem, bolt: AsyncDriver, summed: str
) -> None:
    await bolt.execute_query("MATCH (y:Summary {agent_id: $a})-[l]->() REMOVE y.sha256, y.by, l.sha256", a=summed)
    assert (await graphmem.operation.doctor.verify(summed)).healthy
    found = await traced(graphmem, summed, "m3", "dependents")
    assert {one.by for one in found if one.via == "COVERS"} == {"extractive", None}


async def test_a_changed_message_is_marked_at_the_summaries_that_cover_it(
    graphmem: Graphmem, bolt: AsyncDriver, summed: str
) -> None:
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, ordinal: 3}) SET m.sha256 = 'other'", a=summed)
    found = await traced(graphmem, summed, "m3", "dependents")
    covering = [one for one in found if one.via == "COVERS"]
    assert covering
    assert all(one.changed for one in covering)
    assert not any(one.changed for one in found if one.via == "HAS_CHILD")


async def test_a_thing_says_what_its_vector_was_made_by(graphmem: Graphmem, bolt: AsyncDriver, lived: str) -> None:
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, messageId: 'm0'}) SET m.embedding = null", a=lived)
    after = await graphmem.impact.tracing.trace(lived, "m0", "dependents", 1, 1, None)
    assert after.embedded_by is None
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, messageId: 'm0'}) SET m.embedding = [1.0]", a=lived)
    again = await graphmem.impact.tracing.trace(lived, "m0", "dependents", 1, 1, None)
    assert again.embedded_by == graphmem.embedder.id


async def test_an_imported_message_says_what_imported_it(graphmem: Graphmem, agent_id: str) -> None:
    about = {"importedFrom": "hermes-lcm", "importedBy": "graphmem 9.9"}
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="i", metadata=about))
    batch = (NewMessage(role="user", content="hello", message_id="i0"),)
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "i", NewMessages(messages=batch))
    page = await graphmem.impact.tracing.trace(agent_id, "i0", "dependents", 6, 10, None)
    assert (page.by, page.items, page.total) == ("hermes-lcm graphmem 9.9", (), 0)


async def test_a_walk_that_takes_too_long_is_answered_by_a_shorter_one_that_says_so(
    graphmem: Graphmem, lived: str
) -> None:
    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(reads, name)

        async def walk(self, *given: Any, node_cap: int, edge_cap: int, **how: Any) -> Walk:
            if (node_cap, edge_cap) == TRACE_CAPS[0]:
                raise DatabaseBusy("it took too long")
            return await reads.walk(*given, node_cap=1, edge_cap=edge_cap, **how)

    reads = ProvenanceStore(graphmem.database)
    whole = await graphmem.impact.tracing.trace(lived, "m0", "dependents", 6, 50, None)
    assert (whole.total, whole.truncated) == (len(whole.items), False)
    cut = await Tracing(Slow(), graphmem.conversation.describing, graphmem.embedder).trace(
        lived, "m0", "dependents", 6, 50, None
    )
    assert cut.truncated
    assert cut.items == tuple(one for one in whole.items if one.depth == 1)


async def test_a_memory_that_was_left_alone_verifies(graphmem: Graphmem, lived: str) -> None:
    found = await graphmem.operation.doctor.verify(lived)
    assert found.healthy, found.findings


@pytest.mark.parametrize(
    ("code", "damage"),
    [
        ("message_altered", "MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.content = 'billing is owned by Eve.'"),
        (
            "input_changed",
            "MATCH (m:Message {agent_id: $a, ordinal: 0}) "
            "SET m.content = 'x', m.sha256 = $sha256, m.fingerprint = null",
        ),
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
    found = await graphmem.operation.doctor.verify(lived)
    assert {one.code for one in found.findings} == {code}
    assert found.findings[0].fix
    assert "Eve" not in found.findings[0].detail


async def test_a_changed_input_is_marked_where_it_is_traced(graphmem: Graphmem, bolt: AsyncDriver, lived: str) -> None:
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.sha256 = 'other'", a=lived)
    found = await traced(graphmem, lived, "m0", "dependents")
    assert {one.kind for one in found if one.changed} == {"memory", "summary"}


async def test_a_statement_seen_before_derivations_were_recorded_is_no_damage(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    await bolt.execute_query("MATCH (:Memory {agent_id: $a})-[l:DERIVED_FROM]->() REMOVE l.sha256, l.by", a=lived)
    assert (await graphmem.operation.doctor.verify(lived)).healthy
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
    assert (await http.get("/api/verify")).json()["healthy"]


async def test_nothing_is_traced_into_another_agents_graph(
    graphmem: Graphmem, lived: str, http: httpx.AsyncClient
) -> None:
    found = await traced(graphmem, lived, "m0", "dependents")
    for agent, status in ((lived, 200), (f"{lived}-other", 404)):
        answer = await http.get(f"/api/provenance/{found[0].id}", headers={"X-Agent-Id": agent})
        assert answer.status_code == status
