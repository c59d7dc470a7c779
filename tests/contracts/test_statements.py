"""Every statement in cypher/ keeps what its header promises, has one caller, and is held to its agent."""

import ast
import logging
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import neo4j
import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase

import graphmem.graph
from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import SetupFailed
from graphmem.graph.continuity.compaction import CompactionStore
from graphmem.graph.continuity.condensing import CondensingStore
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.graph.knowledge.rereading import RereadingStore
from graphmem.graph.operation.backup import BackupStore
from graphmem.graph.schema import FIRST_OF_0_1
from graphmem.graph.statements import Statement, all_statement_names, parse_statement, statement
from graphmem.model.caller import Caller, Once
from graphmem.model.change import Change, ReadMark
from graphmem.model.compaction import Compact
from graphmem.model.extraction import Limits
from graphmem.model.feedback import FeedbackItem, GiveFeedback
from graphmem.model.inputs import (
    EndSession,
    EntityChange,
    MergeInto,
    NewDependencies,
    NewDependency,
    NewMessage,
    NewMessages,
    NewSession,
    Remember,
    RollBack,
    Supersede,
    UndoSupersession,
)
from graphmem.model.rereading import Found, Going
from graphmem.model.stored import ChoreRun
from graphmem.rules.keeping.history import chain
from graphmem.rules.keeping.paging import LAST_ID
from graphmem.rules.language.grams import MADE_BY, MADE_OTHERWISE
from graphmem.rules.language.keys import agent_key, content_key, sha256_hex
from graphmem.rules.summaries.compaction import CompactionBounds
from graphmem.services.continuity.condensing import Condensing, CondensingSettings
from graphmem.services.continuity.summarising import Summarising
from graphmem.services.knowledge.learning import Learning, LearningSettings
from graphmem.settings import Settings
from tests import seeded_code
from tests.agents import carried_out, embed, nodes_of
from tests.waiting import worked_until

NAMES = all_statement_names()
SCHEMA = [name for name in NAMES if name.startswith("schema/")]
OURS = [name for name in NAMES if not name.startswith("schema/")]
READS = [name for name in OURS if statement(name).mode == "read"]
WRITES = [name for name in OURS if statement(name).mode == "write"]

SYSTEM = {
    "upkeep/lease_note[backed_up]",
    "upkeep/lease_note[erased]",
    "upkeep/lease_note[frozen]",
    "erasing/erasures[all]",
    "erasing/erasures[unfinished]",
    "upkeep/lease_read[frozen]",
    "backup/holds_anything",
    "upkeep/lease_read[backed_up]",
    "backup/last_commit",
    "backup/restore[nodes]",
    "backup/everything[nodes]",
    "backup/restore[relationships]",
    "backup/everything[relationships]",
    "backup/some[restored]",
    "backup/size",
    "backup/some[wiped]",
    "backup/writers",
    "upkeep/agent_after[memories]",
    "compaction/uncompacted",
    "upkeep/agent_after[feedback]",
    "upkeep/agent_after[summaries]",
    "upkeep/texts_store[grams]",
    "upkeep/texts_waiting[grams]",
    "keys/keys[hash]",
    "keys/key_note[revoked]",
    "keys/key_store",
    "keys/key_note[used]",
    "keys/keys[all]",
    "repair/drop[constraint]",
    "repair/drop[index]",
    "sessions/sessions_idle",
    "analysis/sessions_label",
    "analysis/sessions_waiting",
    "upkeep/events_waiting[agents]",
    "sealing/agents",
    "sealing/waiting[facts]",
    "sealing/waiting[memories]",
    "sealing/waiting[messages]",
    "upkeep/lease_release[chore]",
    "upkeep/lease_read[mark]",
    "upkeep/lease_note[mark]",
    "upkeep/lease_read[chores]",
    "upkeep/lease_take[chore]",
    "upkeep/lease_note[want]",
    "upkeep/job_create",  # whose turn it is depends on all agents
    "upkeep/job_held[back]",
    "upkeep/job_held[spare]",
    "upkeep/embedder[noted]",
    "upkeep/embedder[first]",
    "upkeep/texts_store[vectors]",
    "upkeep/agent_after[unembedded]",
    "upkeep/embedder[changed]",
    "reindex/means_drop",
    "reindex/vectors_drop",
    "upkeep/indexes",
    "upkeep/indexes_await",
    "upkeep/job_lease",
    "upkeep/job_totals",
    "upkeep/lease_release[lease]",
    "upkeep/lease_take[lease]",
    "upkeep/migrations_record",
    "upkeep/migrations",
    "upkeep/requests_forget",
    "upkeep/extraction[all]",
    "upkeep/server",
    "upkeep/store_totals",
    "upkeep/supersessions[all]",
    "upkeep/text_refresh",
    "upkeep/texts_waiting[vectors]",
}
"""Statements that serve all agents at once: what a client sends reaches none of them but as the hash of a key."""

WHOLE_GRAPH = {
    "backup/holds_anything": "it ends with the first node found",
    "backup/everything[nodes]": "a backup holds everything",
    "backup/everything[relationships]": "a backup holds everything",
    "backup/some[wiped]": "all of it is to go",
    "erasing/texts[nodes]": "a search for what was erased leaves nothing out",
    "erasing/texts[relationships]": "a search for what was erased leaves nothing out",
}
"""Statements that may go over everything there is, and why."""

LABEL_SCANS = {
    "analysis/sessions_label": "sessions are far fewer than what is said in them, and looked at every five minutes",
    "analysis/sessions_waiting": "Unanalysed holds only sessions with something to analyse",
    "upkeep/waiting[analysis]": "Unanalysed holds only sessions with something to analyse",
    **{f"erasing/erasure_store[{step}]": "an erasure is a rare thing" for step in ("begin", "renew", "finish")},
    "erasing/erasures[agent]": "an erasure is a rare thing",
    "erasing/erasures[all]": "an erasure is a rare thing",
    "erasing/erasures[unfinished]": "Erasing holds only those that go on",
    "upkeep/job_lease": "Erasing holds only what is being erased",
    "backup/some[restored]": "Restoring holds only what is being restored",
    "compaction/uncompacted": "Uncompacted holds only what waits for its compaction",
    "upkeep/events_waiting[overdue]": "Unsealed holds only what waits to be chained",
    "upkeep/texts_waiting[grams]": "a look over all texts, every five minutes",
    **{
        f"sealing/waiting[{kind}]": "a look over all of them, every five minutes"
        for kind in ("messages", "memories", "facts")
    },
    "sealing/agents": "what follows reads everything that they have",
    "upkeep/agent_counts": "Quarantined holds only what was altered",
    "keys/keys[all]": "some dozens of nodes, all wanted",
    "upkeep/agent_after[unembedded]": "Unembedded holds only what waits for a vector",
    "reindex/means_drop": "once, where the embedder is another one",
    "reindex/vectors_drop": "once, where the embedder is another one",
    "upkeep/events_waiting[agents]": "Unsealed holds only what waits to be chained",
    "upkeep/events_unsealed": "Unsealed holds only what waits to be chained",
    "upkeep/supersessions[all]": "few next to what is said, and counted once a scrape",
    "upkeep/extraction[all]": "sessions are far fewer than what is said in them, and counted once a scrape",
    "upkeep/migrations": "some dozens of nodes, all wanted",
    "upkeep/texts_waiting[vectors]": "Unembedded holds only what waits for a vector",
    "upkeep/waiting[agent]": "Unembedded holds only what waits for a vector",
    "upkeep/waiting[session]": "Unembedded holds only what waits for a vector",
}
"""Statements that may read a whole label, and why that is little."""

ADMINISTRATION = {
    "backup/last_commit",
    "backup/writers",
    "repair/drop[constraint]",
    "repair/drop[index]",
    "upkeep/indexes",
    "upkeep/server",
}
"""Statements that the server may class as its own affair (`s`)."""

MISTAKES = {
    "01N50": "unknown label",
    "01N51": "unknown relationship type",
    "01N52": "unknown property",
    "01N60": "missing parameter",
}
QUIET = {"00000", "00001", "02000"}


PICTURE = "data:image/png;base64," + "QUJD" * 64
"""What a message does not keep in itself."""


@dataclass(frozen=True)
class Seeded:
    """An agent that has some of everything, and for each parameter name a value that means something for it."""

    agent_id: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Held:
    """All that the seeded agent holds, and the query that tells it."""

    query: str
    before: list[Any]


# --- the files themselves -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_header_is_complete_and_names_the_parameters_of_the_text(name: str) -> None:
    found = statement(name)
    assert found.purpose
    assert found.params == tuple(dict.fromkeys(found.params)), "a parameter is named twice"
    assert set(found.params) == set(re.findall(r"\$(\w+)", found.text))
    assert found.scope == "system" if name in SYSTEM or name in SCHEMA else found.scope == "agent"
    assert (found.mode == "schema") == (name in SCHEMA)
    assert ("/*" in found.text) == (found.literal is not None)
    assert ";" not in found.text or name in SCHEMA, "one statement per file"


def test_header_that_lacks_something_is_refused() -> None:
    whole = "// purpose: p\n// params: none\n// returns: nothing\n// mode: read\nRETURN 1"
    assert parse_statement("knowledge/x", whole).text == "RETURN 1"
    for line in whole.splitlines()[:4]:
        with pytest.raises(SetupFailed, match="knowledge/x"):
            parse_statement("knowledge/x", whole.replace(f"{line}\n", ""))
    with pytest.raises(SetupFailed, match="mode"):
        parse_statement("knowledge/x", whole.replace("mode: read", "mode: red"))


def test_each_statement_is_named_by_exactly_one_place_of_the_graph_package() -> None:
    named = Counter(_names_in(Path(str(graphmem.graph.__file__)).parent))
    named.pop(FIRST_OF_0_1)  # a migration of databases that are refused
    assert {name: count for name, count in named.items() if count != 1} == {}
    assert sorted(named) == OURS


def test_system_statements_are_those_on_the_list() -> None:
    assert {name for name in OURS if statement(name).scope == "system"} == SYSTEM


def test_lists_of_exceptions_name_statements_that_exist() -> None:
    assert set(OURS) >= SYSTEM | WHOLE_GRAPH.keys() | LABEL_SCANS.keys() | ADMINISTRATION


@pytest.mark.parametrize("name", [name for name in OURS if statement(name).scope == "agent"])
def test_every_pattern_of_an_agents_statement_hangs_on_its_agent(name: str) -> None:
    assert list(_loose_patterns(statement(name).text)) == []


def test_a_pattern_that_does_not_hang_on_its_agent_is_seen() -> None:
    """The check above checks something."""
    for loose in (
        "MATCH (e:Entity {id: $id}) RETURN e",
        "MATCH (e:Entity) WHERE e.id = $id RETURN e",
        "MATCH (e:Entity {agent_id: $agent_id}), (o:Entity {id: $id}) RETURN e",
        "MATCH (e:Entity {agent_id: $agent_id}) RETURN EXISTS { (:Name {canonical: $c}) } AS x",
        "MERGE (e:Entity {id: $id}) SET e.agent_id = $agent_id",
        "MATCH (e:Entity {agent_id: $agent_id}) CREATE (e)-[:HAS_ASPECT]->(s:Aspect {id: $id})",
        "CALL db.index.fulltext.queryNodes('entity_text', $q) YIELD node AS e, score RETURN e",
        "MATCH (n) SEARCH n IN (VECTOR INDEX v FOR $vector LIMIT 3) SCORE AS s RETURN n",
    ):
        assert list(_loose_patterns(loose)), loose


# --- asked of the server ------------------------------------------------------------------------------------


MEANT_FOR_NOTHING_HERE = {
    # A graph without damage; tests/graph/test_doctor.py does the damage, test_sessions_care.py puts sessions away.
    "backup/writers",  # none is running
    "care/memories_away_with",
    "care/messages_to_clean",
    "doctor/sessions_broken[archives]",
    "doctor/chains_broken",
    "upkeep/events_waiting[overdue]",
    "doctor/sessions_broken[lineage]",
    "doctor/orphans",
    "doctor/sessions_broken[gaps]",
    "doctor/supersessions_broken",
    "doctor/texts_in_index",
    "doctor/texts_without[grams]",
    "doctor/texts_without[vector]",
    "upkeep/texts_waiting[grams]",
    "provenance/inputs[changed]",
    "provenance/inputs[missing]",
    "repair/attributes_astray",
    "repair/circle",
    "retrieval/unread_sessions",  # all are read; tests/graph/test_jobs.py has one that is not
    "rereading/entities_unnamed",  # both sessions say the same; tests/graph/test_rereading.py has some
    "knowledge/near_names",  # its words are a whole question, which names rarely answer
    "upkeep/events_waiting[agents]",
    "upkeep/indexes_await",
    "upkeep/text_refresh",
    "upkeep/texts_waiting[vectors]",
}


# One test for each statement asks all there is to ask: its text is planned once, and planning is most of the time.


@pytest.mark.parametrize("name", READS)
async def test_a_read_keeps_its_header_finds_what_was_seeded_and_shows_a_stranger_nothing(
    name: str, bolt: AsyncDriver, seeded: Seeded
) -> None:
    found = statement(name)
    values = _plausible(name, found, seeded)
    rows: list[dict[str, Any]] = []
    for text in _texts(found):
        await _agrees_with_the_header(bolt, name, found, text, values)
        rows = await _rows(bolt, text, values)
    if name not in MEANT_FOR_NOTHING_HERE:
        assert rows, "the values given in _values lead to nothing: the run proves little"
    if found.scope == "agent":
        stranger = values | {"agent_id": f"stranger-{new_uuid7()}"}
        seen = await _rows(bolt, _texts(found)[-1], stranger)
        assert [row for row in seen if any(value for value in row.values())] == []


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_keeps_its_header_names_its_agent_and_leaves_others_as_they_are(
    name: str, bolt: AsyncDriver, seeded: Seeded, held: Held
) -> None:
    found = statement(name)
    values = dict.fromkeys(found.params) | _given(name, found, seeded)
    for text in _texts(found):
        await _agrees_with_the_header(bolt, name, found, text, values)
    if found.scope != "agent":
        return
    values = _plausible(name, found, seeded)
    async with bolt.session() as session:
        async with await session.begin_transaction() as transaction:
            nameless = "MATCH (n) WHERE n.agent_id IS NULL RETURN count(n) AS n"
            before = await (await transaction.run(nameless)).single()
            await (await transaction.run(found.text, values)).consume()
            assert await (await transaction.run(nameless)).single() == before
            await transaction.rollback()
        async with await session.begin_transaction() as transaction:
            stranger = values | {"agent_id": f"stranger-{new_uuid7()}"}
            await (await transaction.run(found.text, stranger)).consume()
            assert await _held(transaction, held.query, seeded.agent_id) == held.before
            await transaction.rollback()


async def _agrees_with_the_header(
    bolt: AsyncDriver, name: str, found: Statement, text: str, values: Mapping[str, Any]
) -> None:
    """The server classes the text as the header does, warns of nothing, plans no scan, and returns what is promised."""
    summary, keys = await _explain(bolt, text, values)
    allowed = {"read": {"r"}, "write": {"w", "rw"}}[found.mode] | ({"s"} if name in ADMINISTRATION else set())
    assert summary.query_type in allowed
    warned = [
        f"{status.gql_status} {MISTAKES.get(status.gql_status, '')}: {status.status_description}"
        for status in summary.gql_status_objects
        if status.gql_status not in QUIET
    ]
    assert warned == []
    everything = ("AllNodesScan", "RelationshipTypeScan", "AllRelationshipsScan")
    scans = [step for step in _operators(summary.plan) if step.startswith(everything) and name not in WHOLE_GRAPH]
    scans += [step for step in _operators(summary.plan) if "NodeByLabelScan" in step and name not in LABEL_SCANS]
    assert scans == [], "a scan: bind what an index holds, or list it with the reason why it is little"
    assert keys == list(found.returns)


async def test_the_nodes_that_tests_find_by_constraints_are_all_that_an_agent_has(
    bolt: AsyncDriver, seeded: Seeded
) -> None:
    every = await _rows(bolt, "MATCH (n) WHERE n.agent_id = $a RETURN elementId(n) AS id", {"a": seeded.agent_id})
    found = await _rows(bolt, f"{await nodes_of(bolt)} RETURN elementId(n) AS id", {"a": seeded.agent_id})
    assert {row["id"] for row in found} == {row["id"] for row in every}


async def test_indexes_named_in_the_texts_exist_and_are_online(bolt: AsyncDriver, seeded: Seeded) -> None:
    online = {row["name"]: row["state"] for row in await _rows(bolt, statement("upkeep/indexes").text, {})}
    named = set()
    for name in OURS:
        named |= set(re.findall(r"queryNodes\('(\w+)'", statement(name).text))
        named |= set(re.findall(r"VECTOR INDEX (\w+)", statement(name).text))
    assert len(named) >= 9
    assert {name: online.get(name) for name in named} == dict.fromkeys(named, "ONLINE")


@pytest.mark.parametrize("name", [name for name in OURS if statement(name).literal])
def test_literal_outside_its_range_is_refused(name: str) -> None:
    found = statement(name)
    assert found.literal is not None
    for value in (found.literal.low - 1, found.literal.high + 1):
        with pytest.raises(ValueError, match=re.escape(name)):
            found.with_literal(value)


# --- the seeded graph ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
async def bolt(settings: Settings) -> AsyncIterator[AsyncDriver]:
    """A driver that hears the server's warnings: the service's own one is told to keep them."""
    logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
    async with AsyncGraphDatabase.driver(
        str(settings.neo4j_uri), auth=(settings.neo4j_user, password) if password else None
    ) as driver:
        yield driver


@pytest.fixture(scope="module")
async def seeded(graphmem: Graphmem, bolt: AsyncDriver) -> Seeded:
    """Everything the services write so far, and by hand what only a later version will."""
    agent_id, project = f"seeded-{new_uuid7()}", "Atlas"
    caller = Caller(agent_id)
    await _talk(graphmem, caller, "kick-off", project, datetime(2026, 1, 5, 9, tzinfo=UTC))
    await _talk(graphmem, caller, "retro", project, datetime(2026, 2, 5, 9, tzinfo=UTC))
    await _compact(graphmem, caller)
    dag = CondensingStore(graphmem.database)
    condensing = Condensing(dag, graphmem.operation.jobs, CondensingSettings(2, 2), utc_now, new_uuid7)
    assert await carried_out(condensing.carry_on, agent_id, project) == {"nodes": 1}
    # Nothing is found any more in what the second session says as well: it stays, and that is noted.
    lost = RereadingStore(graphmem.database).settle(agent_id, "retro", "blind", 2, Found(), new_uuid7(), utc_now())
    assert (await lost)[1:] == (Going(), [])
    for day, owner in ((1, "Mara owns billing."), (20, "Noor owns billing.")):
        await graphmem.knowledge.learning.remember(caller, _owner(owner, day, project))
    shadow = Learning(
        SessionStore(graphmem.database),
        KnowledgeStore(graphmem.database),
        graphmem.world.parser,
        LearningSettings(Limits(), True, 0.7, proposals_only=True, chunk_messages=8, chunk_tokens=2000),
        utc_now,
        new_uuid7,
        graphmem.conversation.guards,
    )
    proposed = await shadow.remember(caller, _owner("Ilse owns billing.", 25, project))
    assert proposed.proposals
    once = Caller(agent_id, Once("key-1", "PUT /api/graph/dependencies", "hash", lambda _: (200, "{}")))
    await graphmem.knowledge.entities.put_dependencies(
        once,
        NewDependencies(
            dependencies=(
                NewDependency(source="web", target="billing", reason="checkout"),
                NewDependency(source="billing", target="ledger", confidence=0.9),
                NewDependency(source="ledger", target="postgres"),
            )
        ),
    )
    await _seal(graphmem, agent_id)
    await graphmem.conversation.intake.open(caller, NewSession(session_id="nobody ended it"))
    read = ReadMark("nobody ended it", 0, 0, level=3, dropped=1, fallback="no answer")
    await KnowledgeStore(graphmem.database).learn(caller, Change(), read, utc_now())
    chore = f"lease-{agent_id}"
    await graphmem.operation.upkeep.take_chore(ChoreRun(chore), "somebody", utc_now(), 60)
    await graphmem.operation.upkeep.chore_done(chore, "somebody", utc_now(), utc_now(), "boom")
    await graphmem.operation.upkeep.want_chore(chore, utc_now())
    await graphmem.operation.upkeep.take_lease(chore, "somebody", utc_now(), 1)
    await BackupStore(graphmem.database).freeze(utc_now() - timedelta(days=1))
    await BackupStore(graphmem.database).done(utc_now())
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "kick-off")
    await _write_what_comes_later(bolt, agent_id)
    for label in ("(n:Attribute {agent_id: $agent_id})", "()-[n:DEPENDS_ON {agent_id: $agent_id}]->()"):
        (found,) = await _rows(bolt, f"MATCH {label} RETURN n.id AS id LIMIT 1", {"agent_id": agent_id})
        given = GiveFeedback(items=(FeedbackItem(id=found["id"], score=1.0),))
        await graphmem.recall.feeding_back.give(caller, given)
    await graphmem.knowledge.learning.remember(caller, Remember(content="Ledger needs Kafka.", entity="ledger"))
    await graphmem.knowledge.learning.remember(caller, Remember(content="Lunch was fine."))
    kept = await graphmem.knowledge.learning.remember(caller, Remember(content="Ledger logs to disk.", entity="ledger"))
    await graphmem.knowledge.memories.archive(caller, kept.memory.id, "it moved")
    kept = await graphmem.knowledge.learning.remember(caller, Remember(content="Ledger is slow.", entity="ledger"))
    await graphmem.knowledge.memories.archive(caller, kept.attributes[0].id, "it is not")
    kept = await graphmem.knowledge.learning.remember(caller, Remember(content="Attic is dusty.", entity="attic"))
    await graphmem.knowledge.memories.archive_entity(caller, kept.entities[0].id, "nobody goes there")
    await _merge(graphmem, caller)
    await _supersede(graphmem, bolt, caller)
    await _roll_back(graphmem, caller)
    await seeded_code.read_repository(graphmem, caller)
    await graphmem.operation.upkeep.refresh_text()
    return Seeded(agent_id, await _values(graphmem, bolt, agent_id, project))


@pytest.fixture(scope="module")
async def held(bolt: AsyncDriver, seeded: Seeded) -> Held:
    """All nodes and relationships of the seeded agent, property by property; no test of this module keeps a write."""
    query = (
        f"{await nodes_of(bolt)} RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS held, "
        "COLLECT { MATCH (n)-[r]-() RETURN [elementId(r), type(r), properties(r)] ORDER BY elementId(r) } AS links "
        "ORDER BY id"
    )
    async with bolt.session() as session, await session.begin_transaction() as transaction:
        return Held(query, await _held(transaction, query, seeded.agent_id))


async def _talk(graphmem: Graphmem, caller: Caller, session_id: str, project: str, at: datetime) -> None:
    """A session with everything a message can carry, read to its end."""
    said = [
        ("user", "We decided that the billing service uses PostgreSQL. The ledger depends on Kafka."),
        ("assistant", "Noted: the billing service must never store card numbers."),
    ]
    await graphmem.conversation.intake.open(
        caller,
        NewSession(
            session_id=session_id,
            project=project,
            source="slack",
            context_window=1000,
            continues="before",
            metadata={"a": 1},
        ),
    )
    await graphmem.conversation.intake.add_messages(
        caller,
        session_id,
        NewMessages(
            messages=tuple(
                NewMessage.model_validate(
                    {"role": role, "content": [{"type": "text", "text": text}], "name": "Mara", "createdAt": at}
                    | {"messageId": f"m{n}", "toolCalls": [{"id": "c"}], "toolCallId": "c", "metadata": {"k": PICTURE}}
                )
                for n, (role, text) in enumerate(said)
            )
        ),
    )
    receipt = await graphmem.conversation.intake.end(caller, session_id, EndSession())
    worker = graphmem.worker()

    async def done() -> bool:
        job = await graphmem.operation.reporting.job(caller.agent_id, str(receipt.job_id))
        return job.status == "done"

    await worked_until(worker, done)


async def _compact(graphmem: Graphmem, caller: Caller) -> None:
    """A long session with leaves and what they were condensed into, that has outgrown its window again."""
    await graphmem.conversation.intake.open(caller, NewSession(session_id="long", context_window=100))
    bounds = CompactionBounds(fresh_tail=2, leaf_tokens=40, fan_in=2)
    store = CompactionStore(graphmem.database)
    compacting = replace(graphmem.continuity.compacting, data=store, summarising=Summarising(bounds), bounds=bounds)
    for start in (0, 5):
        heron = "Heron {} sits by the lake and waits. " * 4
        said = tuple(NewMessage(role="user", content=heron.replace("{}", str(start + n))) for n in range(5))
        await graphmem.conversation.intake.add_messages(caller, "long", NewMessages(messages=said))
        done = await compacting.compact(caller, "long", Compact(force=True))
    assert {made.kind for made in done.summaries} == {"leaf", "condensed"}
    await graphmem.conversation.intake.open(caller, NewSession(session_id="later", continues="long", retain_depth=-1))


async def _supersede(graphmem: Graphmem, bolt: AsyncDriver, caller: Caller) -> None:
    """A fact that took an edge with it, and two that hold again: one of them gave way to a closer one."""
    said = ("vault-service depends on Consul", "vault-service has no queue", "vault-service is sealed", "it is loud")
    ids = [
        (await graphmem.knowledge.learning.remember(caller, Remember(content=one, entity="vault-service")))
        .attributes[0]
        .id
        for one in said
    ]
    await graphmem.knowledge.superseding.supersede(
        caller, Supersede(old_id=ids[0], new_id=ids[1], reason="it was rebuilt")
    )
    for old in ids[2:]:
        record = await graphmem.knowledge.superseding.supersede(
            caller, Supersede(old_id=old, new_id=ids[1], reason="it moved")
        )
        await graphmem.knowledge.superseding.undo(caller, record.id, UndoSupersession())
    await _rows(
        bolt,
        "MATCH (s:Supersession {agent_id: $a, id: $id}) SET s.refinedBy = $id",
        {"a": caller.agent_id, "id": record.id},
    )


async def _roll_back(graphmem: Graphmem, caller: Caller) -> None:
    """A fact and an edge that were taken back twice, and a fact and an edge that hold again."""
    loom = Remember(content="Loom runs in Oslo.", entity="loom", claim_key="city")
    await graphmem.knowledge.learning.remember(caller, loom)
    edges = NewDependencies(dependencies=(NewDependency(source="loom", target="reed"),))
    receipt = await graphmem.knowledge.entities.put_dependencies(caller, edges)
    then = utc_now()
    await graphmem.knowledge.learning.remember(caller, loom.model_copy(update={"content": "Loom runs in Bergen."}))
    edges = NewDependencies(dependencies=(NewDependency(source="loom", target="weft"),))
    await graphmem.knowledge.entities.put_dependencies(caller, edges)
    await graphmem.knowledge.editing.delete_dependency(caller, receipt.items[0].id, "sold")
    given = RollBack(entity_id="loom", to=then, dry_run=False, reason="the loom never moved")
    done = await graphmem.knowledge.rolling_back.roll_back(caller, given)
    await graphmem.knowledge.rolling_back.undo(caller, str(done.id), None)
    await graphmem.knowledge.rolling_back.roll_back(caller, given)


async def _merge(graphmem: Graphmem, caller: Caller) -> None:
    """Two that were merged into one, a proposal, a name that was let go, and an edge that a person retired."""
    for name in ("cupola", "turret", "dome", "domes"):
        await graphmem.knowledge.learning.remember(caller, Remember(content="Rain drips in.", entity=name))
    given = NewDependencies(
        dependencies=tuple(NewDependency(source=name, target="roof") for name in ("cupola", "dome"))
    )
    receipt = await graphmem.knowledge.entities.put_dependencies(caller, given)
    cupola, dome = (edge.source.id for edge in receipt.items)
    turret = (await graphmem.knowledge.entities.entity_page(caller.agent_id, "turret")).entity.id
    for id_ in (cupola, turret):
        await graphmem.knowledge.editing.merge(caller, id_, MergeInto(into_id=dome))
    await graphmem.knowledge.editing.amend(caller, dome, EntityChange(aliases=("cupola", "turret", "bubble")))
    await graphmem.knowledge.editing.amend(caller, dome, EntityChange(aliases=("cupola", "turret")))
    await graphmem.knowledge.editing.delete_dependency(caller, receipt.items[0].id, "mended")


def _owner(content: str, day: int, project: str) -> Remember:
    return Remember(
        content=content,
        entity="billing",
        aspect="ownership",
        claim_key="owner",
        project=project,
        source="wiki",
        valid_from=datetime(2026, 3, day, tzinfo=UTC),
    )


async def _seal(graphmem: Graphmem, agent_id: str) -> None:
    waiting = await graphmem.operation.upkeep.unsealed_events(agent_id, utc_now() + timedelta(days=1), 500)
    if waiting.events:
        await graphmem.operation.upkeep.seal_events(
            agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events)
        )


async def _write_what_comes_later(bolt: AsyncDriver, agent_id: str) -> None:
    """Names that statements read and no service writes here: facts of an epoch, accepted supersessions, open jobs."""
    for text in (
        "MATCH (y:Summary {agent_id: $agent_id, kind: 'arc'}), (t:Attribute {agent_id: $agent_id}) WITH y, t LIMIT 1 "
        "CREATE (y)-[:STATES {line: 0}]->(t)",
        "MATCH ()-[l:SUPERSEDED_BY {agent_id: $agent_id}]->() SET l.undoneAt = datetime(), l.reason = 'x' "
        "SET l.undoneAt = null, l.reason = null",
        "MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id}]->() "
        "SET d.retiredFrom = [datetime()], d.retiredUntil = [datetime()], d.retiredEnd = [datetime()] "
        "SET d.retiredFrom = null, d.retiredUntil = null, d.retiredEnd = null",
        "MATCH (n:Attribute|Memory {agent_id: $agent_id}) SET n.ownValidTo = datetime() SET n.ownValidTo = null",
        "MATCH (s:Supersession {agent_id: $agent_id}) SET s.refinedBy = 'x', s.refinedBefore = ['x'] "
        "SET s.refinedBy = null, s.refinedBefore = null",
        "MATCH (s:Supersession {agent_id: $agent_id, status: 'applied'}) SET s.acceptedAt = datetime()",
        "MERGE (j:Job {agent_id: $agent_id, id: 'failed'}) SET j.status = 'failed', j.error = 'boom', j.kind = 'x', "
        "j.subjectId = 'y', j.again = false, j.holder = 'h', j.availableAt = datetime(), j.createdAt = datetime()",
        "MATCH (m:Message {agent_id: $agent_id, sessionId: 'kick-off'})-[:NEXT]->(n) "
        "MERGE (n)-[r:REFERENCES]->(m) SET r.agent_id = $agent_id, r.weight = 1.0, r.how = 'id' "
        "MERGE (n)-[s:SIMILAR_TO]->(m) SET s.agent_id = $agent_id, s.weight = 0.8",
        "MATCH (m:Message {agent_id: $agent_id}) SET m.novelty = 0.5, m.importance = 5, m.class = 'compressed', "
        "m.paradigmShift = false",
        "MATCH (n:Message|Memory|Attribute|Summary {agent_id: $agent_id}) SET n.feedback = 0.5, "
        "n.fadedThrough = datetime()",
        "MATCH (e:Entity {agent_id: $agent_id}) WITH e LIMIT 1 CREATE (:Feedback {agent_id: $agent_id, id: 'bad', "
        "targetId: e.id, kind: 'entity', score: -1.0, at: datetime() + duration('PT1H')})",
        "MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id}]->() SET d.givenConfidence = 0.5, d.livingConfidence = 0.5 "
        "REMOVE d.givenConfidence, d.livingConfidence",
        "MERGE (l:Lease {name: 'lease'}) SET l.mark = ['x', 'y']",
        "CREATE (x:Erasure:Erasing {agent_id: $agent_id, id: 'begun', kind: 'message', sessionKey: 'k', "
        "messageIds: ['x'], memoryIds: [], factIds: [], entityIds: [], payloads: [], eventIds: [], "
        "createdAt: datetime(), doneAt: datetime(), receipt: '{}', status: 'running', until: datetime('2000-01-01')})",
        "MATCH (m:Message {agent_id: $agent_id}) SET m.erasedAt = datetime(), m.erasing = 'x' "
        "SET m.erasedAt = null, m.erasing = null",
        "MATCH (e:Event {agent_id: $agent_id}) WITH e LIMIT 1 SET e.erasedBy = 'x' SET e.erasedBy = null",
        "MATCH (t:Attribute {agent_id: $agent_id}) SET t:Quarantined REMOVE t:Quarantined",
        "MATCH (t:Attribute {agent_id: $agent_id}) SET t.erasedSuccessor = true SET t.erasedSuccessor = null",
        "MATCH (m:Message {agent_id: $agent_id}) SET m.analysedAt = datetime(), m.tags = ['ledger'], m.o1 = 9.0, "
        "m.o2 = 0.0, m.o3 = 0.0, m.o4 = 0.0, m.o5 = 0.0, m.o6 = 0.0, m.o7 = 0.0",
        "MATCH (s:Session {agent_id: $agent_id, id: 'kick-off'}) SET s.frontier = 1, s.rotatedAt = datetime()",
        "MATCH (s:Session {agent_id: $agent_id, id: 'kick-off'}) SET s.compactedThrough = 1 "
        "CREATE (s)-[:HAS_COMPACTION]->(y:Summary {agent_id: $agent_id, id: 'leaf', dagKey: 'leaf', kind: 'leaf', "
        "depth: 0, content: 'x', tokens: 1, earliestAt: datetime()}) "
        "CREATE (s)-[:STARTS_WITH {agent_id: $agent_id, ordinal: 0}]->(y)",
        "MATCH (n:Session|Summary {agent_id: $agent_id}) SET n.archivedAt = datetime() SET n.archivedAt = null",
        "MATCH (s:Session {agent_id: $agent_id, id: 'retro'}) SET s.skippedAt = datetime(), s.toRead = true, "
        "s.meanVector = [1.0]",
        "MATCH (n:Message {agent_id: $agent_id}) SET n.archivedEmbedding = [1.0], n.cleanedAt = datetime() "
        "SET n.archivedEmbedding = null, n.cleanedAt = null",
        "MERGE (j:Job {agent_id: $agent_id, id: 'running'}) SET j.status = 'running', j.kind = 'x', "
        "j.holder = 'somebody', j.availableAt = datetime('9000-01-01'), j.createdAt = datetime()",
    ):
        async with bolt.session() as session:
            await (await session.run(text, agent_id=agent_id)).consume()


async def _values(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, project: str) -> dict[str, Any]:
    """A value for every parameter; `name@statement` where a statement means another thing by the name."""

    async def ids(label: str, where: str = "true") -> list[str]:
        rows = await _rows(
            bolt,
            f"MATCH (n:{label}) WHERE n.agent_id = $agent_id AND {where} RETURN n.id AS id ORDER BY id",
            {"agent_id": agent_id},
        )
        return [row["id"] for row in rows]

    edges = await _rows(
        bolt, "MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id}]->() RETURN d.id AS id", {"agent_id": agent_id}
    )
    handles = await _rows(
        bolt,
        "MATCH (e:Entity {agent_id: $agent_id})-[d:DEPENDS_ON]->() RETURN elementId(e) AS node, elementId(d) AS edge",
        {"agent_id": agent_id},
    )
    (merged,) = await _rows(
        bolt,
        "MATCH (e:MergedEntity {agent_id: $agent_id, canonicalName: 'cupola'})-[l:MERGED_INTO]->(s) "
        "RETURN e.id AS id, s.id AS into, l.mergeId AS merge",
        {"agent_id": agent_id},
    )
    billing = (await ids("Entity", "n.canonicalName = 'billing'"))[0]
    web = (await ids("Entity", "n.canonicalName = 'web'"))[0]
    messages, memories = await ids("Message"), await ids("Memory")
    a_message = {"id": new_uuid7(), "messageId": "m9", "ordinal": 9, "role": "user", "content": "x", "searchText": "x"}
    kinds = ["message", "memory", "attribute", "summary"]
    attributes, summaries = await ids("Attribute"), await ids("Summary", "n.kind = 'session'")
    (arc,) = await ids("Summary", "n.dagKey STARTS WITH 'arc:'")
    old, new = await ids("Attribute", "n.status = 'superseded'"), await ids("Attribute", "n.status = 'active'")
    supersessions = await ids("Supersession")
    key, key_text = await graphmem.operation.keys.create(agent_id, "read", name="seeded", valid_for=timedelta(days=1))
    await graphmem.operation.keys.check(key_text)
    await graphmem.operation.keys.revoke(key.id)
    now, query = utc_now(), f'+agentKey:{agent_key(agent_id)}^0 +searchText:("billing" "ledger" "kafka")'
    memory = (await graphmem.knowledge.entities.memory(agent_id, memories[0])).content
    by_kind = {"message": messages, "memory": memories, "attribute": attributes, "summary": summaries}
    gone = (await ids("Attribute", "n.status = 'deleted'"))[0]
    stating = await ids(
        "Attribute", "EXISTS { ()-[d:DEPENDS_ON]->() WHERE d.activeKey IS NOT NULL AND n.id IN d.attributeIds }"
    )
    hits = {f"ids@{at}/{kind}_hits": found for at in ("retrieval", "time") for kind, found in by_kind.items()}
    hits |= await seeded_code.values(graphmem, agent_id)
    return hits | {
        "agent_id": agent_id,
        "agent_key": agent_key(agent_id),
        "project": project,
        "session_id": "kick-off",
        "id": billing,
        "id@knowledge/dependencies_of[outgoing]": web,
        "id@knowledge/entity_summaries[now]": (await ids("Entity", "EXISTS { (n)<-[:ABOUT]-(:Summary) }"))[0],
        "after@reindex/texts_wait": "",
        "after@upkeep/agent_after[unembedded]": "",
        "waiting": False,
        "ids@answering/around[now]": messages,
        "ids@answering/around[then]": messages,
        "known_at@answering/around[now]": now,
        "known_at@answering/around[then]": now,
        "aspect": None,
        "chars@answering/around[now]": 1000,
        "chars@answering/around[then]": 1000,
        "id@knowledge/entity_summaries[then]": (await ids("Entity", "EXISTS { (n)<-[:ABOUT]-(:Summary) }"))[0],
        "id@knowledge/dependencies_of[outgoing_then]": web,
        "id@impact/walk[down_then]": web,
        "cold": True,
        "dimensions@analysis/turns_waiting": None,
        "id@impact/walk[down]": web,
        "id@impact/fact_edges": stating[0],
        "id@impact/fact_memories": attributes[0],
        "ids@knowledge/by_id[entities_short]": [web],
        "ids@knowledge/by_id[dependencies_short]": [edge["id"] for edge in edges],
        "names@knowledge/names[lists]": ["billing"],
        "ids@importing/ids_taken": [billing],
        "ids@entities/entity_amend[pinned]": [billing],
        "rows@importing/edges_merge": [[billing, web, "key", new_uuid7(), "uses", 0.9, None, "said", None, 1]],
        "id@sessions/message": messages[0],
        "id@sessions/summary_children": summaries[0],
        "id@sessions/summaries[before]": (await ids("Summary", "EXISTS { (n)-[:FOLLOWS]->() }"))[0],
        "id@describe/aspect": (await ids("Aspect"))[0],
        "id@describe/attribute": attributes[0],
        "id@describe/dependency": edges[0]["id"],
        "id@describe/memory": memories[0],
        "id@describe/message": messages[0],
        "id@describe/payload": sha256_hex("ABC" * 64),
        "id@describe/session": "kick-off",
        "id@describe/summary": summaries[0],
        "id@describe/supersession": supersessions[0],
        "id@sessions/summary_store": new_uuid7(),
        "id@compaction/leaf_store": new_uuid7(),
        "id@compaction/condensed_store": new_uuid7(),
        **dict.fromkeys(
            (f"session_id@compaction/{name}" for name in ("session_state", "backlog", "waiting_tokens", "leaf_store")),
            "long",
        ),
        "session_id@compaction/condensed_store": "long",
        "dag_key@compaction/leaf_store": new_uuid7(),
        "dag_key@compaction/condensed_store": new_uuid7(),
        "child_ids": await ids(
            "Summary", "n.kind IN ['leaf', 'condensed'] AND NOT EXISTS { (:Summary)-[:HAS_CHILD]->(n) }"
        ),
        "first@compaction/leaf_store": 8,
        "through@compaction/leaf_store": 10,
        "fresh_tail": 2,
        "continues@compaction/session_carry": "long",
        "retain_depth": -1,
        "most": 100,
        "threshold": 0.75,
        "head": 10,
        "result_head": 10,
        "result_tail": 10,
        "tail@compaction/backlog": 10,
        "depth": 1,
        "source_tokens": 40,
        "level@compaction/leaf_store": "truncated",
        "level@compaction/condensed_store": "truncated",
        "kept": ["said"],
        "hint": "said",
        "id@keys/key_note[revoked]": key.id,
        "id@keys/key_note[used]": key.id,
        "id@upkeep/job": "failed",
        "id@upkeep/job_create": new_uuid7(),
        "id@upkeep/job_held[extend]": "running",
        "id@upkeep/job_held[finish]": "running",
        "id@upkeep/job_held[fail]": "running",
        "id@upkeep/embedder[first]": "some-embedder",
        "ids": [billing, web],
        "ids@sessions/summaries[ids]": summaries,
        "ids@sessions/said[ids]": [*summaries, *messages],
        **{f"kinds@retrieval/found[{name}]": kinds for name in ("agent", "project", "session", "words")},
        **{f"kinds@time/found[{name}]": kinds[1:3] for name in ("words", "near")},
        "ids@retrieval/messages_around": messages,
        "ids@retrieval/passages": memories + attributes + summaries,
        "ids@knowledge/by_id[attributes]": attributes,
        "touched": {
            "memory": memories[0],
            "entities": [billing, web],
            "attributes": attributes,
            "dependencies": [row["id"] for row in edges],
        },
        "ids@knowledge/by_id[memories]": memories,
        "ids@knowledge/supersessions[ids]": supersessions,
        "ids@knowledge/by_id[dependencies]": [row["id"] for row in edges],
        "ids@cold/entities_lock": memories,
        "ids@cold/memories_lock": memories,
        "ids@upkeep/history": new,
        "names@upkeep/events[named]": ["memory_created"],
        "ids@rereading/drawn": messages,
        "ids@rereading/facts_withdraw": new,
        "ids@rereading/edges_withdraw": [row["id"] for row in edges],
        "after@sessions/behind[stale]": "",
        "extractor": "another",
        "id@erasing/found[message]": messages[0],
        "id@erasing/found[payload]": sha256_hex("ABC" * 64),
        "id@erasing/found[memory]": memories[0],
        "id@erasing/found[entity]": billing,
        "id@erasing/session_drop": "kick-off",
        "id@erasing/erasure_store[begin]": new_uuid7(),
        "id@erasing/erasure_store[renew]": "begun",
        "id@erasing/erasure_store[finish]": "begun",
        "after@erasing/found[session]": -1,
        "ids@erasing/said_by": memories,
        "ids@erasing/messages_mark": messages,
        "ids@erasing/messages_blank": messages,
        "ids@erasing/summaries_drop": summaries,
        "ids@erasing/memories_drop": memories,
        "ids@erasing/facts_drop": attributes,
        "ids@erasing/events_clear": [*memories, *attributes],
        "rows@erasing/texts_drop[nodes]": [{"node": row["node"], "keys": ["name"], "instead": "x"} for row in handles],
        "rows@erasing/texts_drop[relationships]": [
            {"edge": row["edge"], "keys": ["reason"], "instead": None} for row in handles
        ],
        "message_ids@erasing/memories_drop": messages,
        "event_ids": [],
        "hashes": [sha256_hex("ABC" * 64)],
        "payloads": [],
        "erasure_id": "erasure",
        "session_key": None,
        "receipt": "{}",
        "memories": [{"id": memories[0], "lost": True}],
        "facts": [{"id": id_, "lost": True} for id_ in attributes],
        "edges": [{"id": row["id"], "lost": False} for row in edges],
        "entities": [{"id": billing, "lost": True}],
        "id@cold/memory_restore": (await ids("ColdMemory"))[0],
        "id@cold/entity_restore": (await ids("ColdEntity"))[0],
        "bytes": 3,
        "id@cold/attribute_lock": new[0],
        "id@cold/attribute_delete[deleted]": new[0],
        "id@cold/attribute_delete[altered]": new[0],
        "id@cold/attribute_restore": gone,
        "id@knowledge/attribute_amend": new[0],
        "id@knowledge/memory_amend": memories[0],
        "id@knowledge/memory_replace": memories[0],
        "new_id": memories[1],
        "after@upkeep/agent_after[memories]": "",
        "after@upkeep/history": datetime(2000, 1, 1, tzinfo=UTC),
        **{
            f"{scope}@cold/found[{what}]": None
            for what in ("memories", "attributes")
            for scope in ("project", "session_id")
        },
        "reason": "deleted",
        "id@knowledge/entity_id": merged["id"],
        "id@merging/holdings": merged["into"],
        "id@merging/merged_later": merged["merge"],
        "id@merging/merge_decide": merged["merge"],
        "id@merging/merge_store": new_uuid7(),
        "id@merging/merges[one]": merged["merge"],
        "id@entities/dependency[deleted]": edges[0]["id"],
        "id@entities/dependency_lock": edges[0]["id"],
        "id@entities/dependency[now]": edges[0]["id"],
        "id@entities/entity_create": new_uuid7(),
        "ids@merging/pair": [merged["id"], merged["into"]],
        "ids@merging/pair_lock": [merged["id"], merged["into"]],
        "ids@merging/aspects_move": (await ids("Aspect"))[:1],
        "entity_id@merging/aspects_move": (await ids("Entity", "n.canonicalName = 'roof'"))[0],
        "canonical@entities/entity_create": "bubble",
        "names@entities/names_keep": [],
        "names@entities/names_link[free]": ["bubble"],
        "names@entities/names_link[moved]": ["billing"],
        "merge_id": merged["merge"],
        "pair_key": "one another",
        "entity_id": web,
        "from_id": billing,
        "from_id@merging/entity_part": merged["id"],
        "into_id": web,
        "into_id@merging/entity_part": merged["into"],
        "into_id@merging/mentions_drop": merged["into"],
        "to_id": web,
        "fact_ids": [],
        "method": "user",
        "journal": "{}",
        "edge_ids": [],
        "status@merging/merge_decide": "undone",
        "before@merging/entity_part": {"type": "system", "pinned": True, "searchText": "dome"},
        "after@merging/entity_part": {"type": "unknown", "pinned": False, "searchText": "dome cupola"},
        "rows@entities/names_lock": [{"canonical": name, "name": name} for name in ("billing", "never said")],
        "rows@merging/aspects_split": [{"id": id_, "newId": new_uuid7()} for id_ in await ids("Aspect")],
        "rows@merging/aspects_weigh": [{"id": id_, "expected": 0.5, "weight": 0.6} for id_ in await ids("Aspect")],
        "rows@merging/edges_move": [{"id": edges[0]["id"], "sourceId": web, "targetId": billing, "key": "k"}],
        "rows@merging/edges_part": [{"id": row["id"], "keptId": None, "key": row["id"]} for row in edges],
        "rows@merging/edges_unite": [{"id": edges[0]["id"], "keptId": edges[1]["id"]}],
        "rows@merging/facts_move": [{"id": new[0], "aspectIds": (await ids("Aspect"))[:1], "key": "k"}],
        "rows@merging/facts_part": [{"id": new[1], "keptId": new[0], "key": "k"}],
        "rows@merging/facts_unite": [{"id": new[0], "keptId": new[1]}],
        "rows@merging/merges_propose": [{"id": new_uuid7(), "fromId": web, "near": "billing", "reason": "alike"}],
        "note": "gone",
        "by_person": True,
        "lighter_than": 0.9,
        "terms": ["ledger"],
        "topics": ["ledg", "ledger"],
        "values": ["kafka"],
        "terms@knowledge/entities_named[cold]": ["attic"],
        "importance": 0.5,
        "pinned": True,
        "rows@cold/memories_archive": [{"id": memories[0], "bytes": 3}],
        "attribute_ids": old,
        "canonical": "billing",
        "names@upkeep/lease_read[chores]": [f"lease-{agent_id}"],
        "runs": 1,
        "until@upkeep/lease_note[frozen]": now,
        "sha256": sha256_hex("ABC" * 64),
        "chars": 1,
        "children": 5,
        "extras": 1000,
        "offset": 0,
        "raw": False,
        "back": 0,
        "skip": 0,
        "mark": ";base64,",
        "after@doctor/events_sealed": datetime(2000, 1, 1, tzinfo=UTC),
        "after_id": "",
        "after@sessions/behind[lines]": "",
        "after@doctor/messages[heavy]": "",
        "after@doctor/payloads_known": "",
        "after@doctor/messages[texts]": "",
        "started": now,
        "names": ["billing", "ledger", "postgresql"],
        "entity_ids": [billing],
        "memory_ids": memories,
        "message_ids": ["m0", "m1"],
        "job_id": "failed",
        "content_key": content_key(memory),
        "type": None,
        "kind": None,
        "kind@upkeep/job_create": "x",
        "status": None,
        "status@upkeep/request_answer": 200,
        "superseded": True,
        "types": None,
        "role": None,
        "source": None,
        "from": None,
        "to": None,
        "query": query,
        "query@grep/messages[matching]": f"+agentKey:{agent_key(agent_id)}",
        "query@grep/summaries_matching": f"+agentKey:{agent_key(agent_id)}",
        "queries": [f"+agentKey:{agent_key(agent_id)}"],
        "from@grep/messages[matching]": datetime(2000, 1, 1, tzinfo=UTC),
        "from@grep/messages[newest]": datetime(2000, 1, 1, tzinfo=UTC),
        "ids@grep/by_id[items]": messages + summaries,
        "ids@grep/by_id[texts]": messages + summaries,
        "grams": "sai aid id d",
        "made_by": MADE_BY,
        "stale": MADE_OTHERWISE,
        "scan": 1000,
        "scan_known": 1000,
        "best": 1000,
        "hash": sha256_hex(key_text),
        "all_agents": False,
        "scope": "read",
        "expires_at": None,
        "limit": 100,
        "vector": (await graphmem.embedder.embed(["who owns billing?"]))[0],
        "now": now + timedelta(minutes=1),
        "as_of": now + timedelta(minutes=1),
        "known_at": now + timedelta(minutes=1),
        "before": now + timedelta(days=1),
        "before_id": "\U0010ffff",
        "after": -1,
        "after@knowledge/entity_page[active]": "",
        "after@knowledge/entity_page[then]": "",
        "after@knowledge/entity_page[exported]": "",
        "ids@knowledge/dependencies_of[exported]": [web, billing],
        "after@knowledge/entity_page[cold]": "",
        "from_ordinal": 0,
        "to_ordinal": 10,
        "frontier": 1,
        "archived": False,
        "beside": "retro",
        "session_ids": ["kick-off", "retro"],
        "query@doctor/texts_in_index": f"agentKey:{agent_key(agent_id)}",
        "id@repair/circle": new[0],
        "id@repair/fact_revive": old[0],
        "id@repair/job_again": "failed",
        "expected@sessions/session_advance[rotated]": 1,
        "rows@care/messages_rewrite": [
            {"id": messages[0], "before": "x", "content": "y", "toolCalls": None, "metadata": None, "searchText": "y"}
            | {"grams": "y", "contentChars": 1, "tokens": 1, "cleaned": True}
        ],
        "rows@repair/attributes_hang": [
            {"id": new[0], "entityId": billing, "aspect": "port", "aspectCanonical": "port", "aspectId": new_uuid7()}
        ],
        "rows@repair/fact_keys": [{"id": new[0], "status": "active", "key": "k"}],
        "rows@repair/facts_original": [
            {"id": new[0], "content": "x", "aspect": "port", "kind": "attribute", "entityId": billing, "key": "k"}
        ],
        "rows@repair/memories_original": [{"id": memories[0], "content": "x", "type": "fact", "key": "k"}],
        **{f"after@sealing/known[{kind}]": "" for kind in ("facts", "memories", "cold")},
        **{
            f"rows@sealing/salt[{kind}]": [{"id": of[0], "salt": "x", "says": "x"}]
            for kind, of in (("messages", messages), ("memories", memories), ("facts", new))
        },
        "ids@sealing/sources[facts]": attributes,
        "ids@sealing/sources[memories]": memories,
        "kind@sealing/events": "attribute_created",
        "subject_id@sealing/events": None,
        "after@sealing/events": datetime(2000, 1, 1, tzinfo=UTC),
        "rows@repair/links_undo": [{"id": old[0], "linkId": supersessions[0]}],
        "rows@repair/records_renew": [{"id": old[0], "linkId": supersessions[0]}],
        "rows@repair/successors_link": [{"id": old[0], "newRecord": new_uuid7()}],
        "after@analysis/turns[page]": -1,
        "explain": True,
        "session_id@analysis/turns_waiting": "retro",
        "vectors": True,
        "calls": 100,
        "known": 3,
        "text_from": 1,
        "analyser": "turns-0",
        "turns": [{"id": messages[0], "properties": {"o1": 1.0, "tags": ["a.py"]}}],
        "references": [{"fromId": messages[1], "toId": messages[0], "weight": 1.0, "how": "id"}],
        "similar": [{"fromId": messages[1], "toId": messages[0], "weight": 0.9}],
        "first": 0,
        "by": "rules 1",
        "id@provenance/walk[dependents]": messages[0],
        "id@provenance/walk[inputs]": attributes[0],
        "after@provenance/messages_kept": "",
        "after@provenance/summaries_kept": "",
        "id@provenance/made": memories[0],
        "pairs@provenance/steps": [[summary, message] for summary in summaries for message in messages],
        "facts@context/frame": 10,
        "mentioning": 10,
        "messages": 10,
        "start": 1,
        "newest": 0,
        "line": [{"id": "retro", "before": 10}],
        "window": 10,
        "minimum": 0.0,
        "nearest": -1.0,
        "spare": 10,
        "opening": 100,
        "tokens": 3,
        "min_confidence": 0.5,
        "node_cap": 100,
        "edge_cap": 100,
        "seconds": 5,
        "valid_to": now,
        "open_id": new_uuid7(),
        "reopen": False,
        "started_at": now,
        "context_window": 1000,
        "continues": None,
        "metadata": None,
        "gate": "{}",
        "mean": [1.0],
        "skipped": True,
        "mentions": 1,
        "entities@significance/figures": 10,
        "vectors@significance/figures": 10,
        "sessions": 20,
        "after@sessions/behind[to_read]": "",
        "after@upkeep/agent_after[summaries]": "",
        "hide": True,
        "number": 0,
        "depth@condensing/group_store": 1,
        "method@condensing/group_store": "extractive",
        "expected_marks": 0,
        "follows_key": "arc:Atlas:000000",
        "child_ids@condensing/group_link": summaries,
        "lines": [{"line": 0, "memoryId": memories[0], "factId": new[0]}],
        "ids@condensing/statements": summaries,
        "ids@condensing/line_mend": summaries,
        "id@condensing/group_store": new_uuid7(),
        "dag_key@condensing/group_store": "arc:Atlas:000001",
        "kind@condensing/group_store": "arc",
        "id@condensing/group_link": arc,
        "id@condensing/group_dissolve": arc,
        "rows@significance/sessions_note[means]": [{"id": "kick-off", "through": 2, "mean": [1.0]}],
        "rows@significance/sessions_note[bypass]": [{"id": "retro", "gate": "{}"}],
        "expected": 2,
        "expected@upkeep/events_seal": "",
        "through": 3,
        "level": 2,
        "dropped": 1,
        "foreign": 1,
        "beginning": "led",
        "fallback": "no answer",
        "dag_key": "session:kick-off",
        "content": "said",
        "search_text": "said",
        "last": "hash",
        "active_key": "x:y",
        "subject_id": "y",
        "input": "{}",
        "holder": "somebody",
        "until": now,
        "progress": 0.5,
        "result": "{}",
        "error": "boom",
        "parked": True,
        "again_at": now,
        "available_at": now,
        "key": "key-1",
        "route": "r",
        "body_hash": "h",
        "body": "{}",
        "oldest": now,
        "oldest@upkeep/request": now - timedelta(days=1),
        "name": "lease",
        "migrations": [{"number": 1, "name": "schema/first", "checksum": "c"}],
        "dimensions": 384,
        "rows": [],
        "rows@sessions/messages[ids]": [{"id": messages[0], "offset": 3}],
        "rows@knowledge/entities_merge": [
            {"canonical": "billing", "id": new_uuid7(), "name": "Billing", "type": "system", "mentions": 1}
            | {"withFacts": True, "aliases": [{"canonical": "billing of ours", "name": "billing of ours"}]},
        ],
        "rows@knowledge/memories_merge": [
            {"ref": "a", "id": new_uuid7(), "content": memory, "contentKey": content_key(memory), "type": "fact"}
            | {
                "importance": 0.5,
                "pinned": False,
                "explicit": False,
                "spans": [{"messageId": messages[0], "start": 0, "end": 2}],
                "about": [web],
                "createdAt": now,
            },
        ],
        "rows@knowledge/attributes_merge": [
            {"ref": "a", "id": new_uuid7(), "entityId": billing, "aspect": "port", "aspectCanonical": "port"}
            | {"aspectId": new_uuid7(), "activeKey": "k", "content": "c", "memoryIds": memories, "sessionIds": ["s"]}
            | {"confidence": 0.7, "explicit": False, "pinned": False},
        ],
        "rows@knowledge/dependencies_merge": [
            {"ref": 0, "id": new_uuid7(), "sourceId": billing, "targetId": web, "activeKey": "k", "type": "uses"}
            | {"explicit": True, "memoryIds": [], "attributeIds": [], "sessionIds": [], "validFrom": now}
            | {"extractionLevel": 1},
        ],
        "rows@knowledge/mentions_create": [{"messageId": messages[0], "entityId": web, "start": 0, "end": 1}],
        "rows@knowledge/supersessions_apply": [{"id": new_uuid7(), "oldId": o, "newId": n} for o, n in pairwise(new)],
        "rows@knowledge/supersessions_propose": [{"id": new_uuid7(), "oldId": o, "newId": n} for o, n in pairwise(new)],
        "appends@sessions/messages_append": [
            {"sessionId": "s", "first": 9, "messageIds": ["m9"], "tokens": 1, "at": now.isoformat()}
            | {"rows": [{"createdAt": now.isoformat(), "ingestedAt": now.isoformat(), "properties": a_message}]}
        ],
        "openings@sessions/sessions_open": [
            {"session_id": "s", "open_id": "o", "message_ids": ["m9"], "tail": 2}
            | {"started_at": now.isoformat(), "now": now.isoformat()}
        ],
        "terms@lattice/turns": [{"bounds": [[0, 5, 10]], "anyOf": [["tag:ledger"]], "noneOf": ["shift"]}],
        "sets": [[{"bounds": [], "anyOf": [], "noneOf": []}]],
        "labelled": True,
        "compared": [True] * 9,
        "after@lattice/turns": datetime(2000, 1, 1, tzinfo=UTC),
        "after_ordinal": -1,
        "calls_chars": 100,
        "after@recap/turns": -1,
        "session_id@recap/facts": "kick-off",
        "id@recap/store": new_uuid7(),
        "dag_key@recap/store": "recap:kick-off",
        "message_ids@recap/store": messages,
        "told_through": 10,
        "ids@lattice/turns_of": messages,
        "ids@lattice/vectors": messages,
        "rows@payloads/payloads_link": [
            {"messageId": messages[0], "sha256": "00", "bytes": 1, "media_type": "text/plain", "where": "x"}
        ],
        **await _superseding(bolt, agent_id),
        **await _rollback(bolt, agent_id),
        "after@living/edges": "",
        "mark@upkeep/lease_note[mark]": [agent_id, ""],
        "rows@living/settle": [{"id": edges[0]["id"], "before": 0.7, "after": 0.9, "given": 0.7}],
        "after@feedback/standings": "",
        "after@upkeep/agent_after[feedback]": "",
        "last@doctor/entities_disliked": 1,
        "rows@feedback/fade": [
            {"id": id_, "stood": 0.5, "feedback": 0.25, "own": None, "before": 0.5, "after": 0.5, "through": now}
            for id_ in [messages[0], attributes[0]]
        ],
        "ids@feedback/cold_targets": [(await ids("ColdMemory"))[0], messages[0]],
        "ids@feedback/targets_lock": messages + memories + attributes + summaries + [billing, edges[0]["id"]],
        "rows@feedback/store": [
            {
                "feedbackId": new_uuid7(),
                "id": id_,
                "kind": "x",
                "score": 1.0,
                "feedback": 0.25,
                "own": 0.5,
                "before": 0.5,
            }
            | {"after": 0.6}
            for id_ in [messages[0], attributes[0], edges[0]["id"], *await ids("Aspect")]
        ],
        "rows@upkeep/events_write": [
            {"id": new_uuid7(), "kind": "x", "subjectId": billing, "actor": "a", "at": now.isoformat()}
        ],
        "rows@upkeep/events_seal": [{"id": row, "prevHash": "", "hash": "x"} for row in await ids("Event")],
    }


async def _superseding(bolt: AsyncDriver, agent_id: str) -> dict[str, Any]:
    """A pair that supersedes, and edges that could come back."""
    (pair,) = await _rows(
        bolt,
        "MATCH (s:Supersession {agent_id: $agent_id, status: 'applied'}) "
        "RETURN s.id AS id, s.oldId AS old, s.newId AS new LIMIT 1",
        {"agent_id": agent_id},
    )
    edges = await _rows(
        bolt,
        "MATCH (a:Entity {agent_id: $agent_id})-[d:DEPENDS_ON {status: 'superseded'}]->() WHERE d.rollbackId IS NULL "
        "RETURN d.id AS id, a.id AS sourceId, d.attributeIds[0] AS fact",
        {"agent_id": agent_id},
    )
    back, refused = await _rows(
        bolt,
        "MATCH (s:Supersession {agent_id: $agent_id, status: 'undone'}) WHERE s.rolledBackBy IS NULL "
        "RETURN s.id AS id, s.oldId AS old ORDER BY s.refinedBy",
        {"agent_id": agent_id},
    )
    (active,) = await _rows(
        bolt,
        "MATCH (t:Attribute {agent_id: $agent_id, status: 'active'}) RETURN t.activeKey AS key LIMIT 1",
        {"agent_id": agent_id},
    )
    (ended,) = await _rows(
        bolt,
        "MATCH (t:Attribute {agent_id: $agent_id, id: $id}) RETURN t.entityId AS entity, t.supersededBy AS by",
        {"agent_id": agent_id, "id": edges[0]["fact"]},
    )
    return {
        "entity_ids@knowledge/facts[past]": [ended["entity"]],
        "since": datetime(2000, 1, 1, tzinfo=UTC),
        "rows@knowledge/supersessions_move": [
            {"id": new_uuid7(), "oldId": edges[0]["fact"], "newId": back["old"], "insteadOf": ended["by"]}
        ],
        "ids@superseding/pair_lock": [pair["old"], pair["new"]],
        "id@superseding/reject": pair["id"],
        "id@superseding/undo": pair["id"],
        "id@superseding/stands": back["id"],
        "id@superseding/record[refined]": back["id"],
        "old_id@superseding/record[refined]": back["old"],
        "active_key@superseding/equal_fact": active["key"],
        "active_key@superseding/undo": "nobody has it",
        "old_id@superseding/record[pair]": pair["old"],
        "old_id@superseding/keep_both": pair["old"],
        "new_id@superseding/keep_both": pair["new"],
        "id@superseding/keep_both": new_uuid7(),
        "id@superseding/confirm": pair["new"],
        "repeat_id": pair["old"],
        "before@superseding/entities_before": LAST_ID,
        "ids@superseding/recorded": [refused["old"]],
        "new_id@superseding/record[pair]": pair["new"],
        "attribute_id": edges[0]["fact"],
        "rows@superseding/edges_revive": [edge | {"key": "k"} for edge in edges],
    }


async def _rollback(bolt: AsyncDriver, agent_id: str) -> dict[str, Any]:
    """A roll-back with what it took back and what it brought back."""
    (row,) = await _rows(
        bolt,
        "MATCH (r:Rollback {agent_id: $agent_id, status: 'applied'})<-[l:RETIRED_BY]-(t) WHERE l.undoneAt IS NULL "
        "MATCH (s:Supersession {agent_id: $agent_id, newId: t.id}) "
        "MATCH (e:Entity {agent_id: $agent_id, id: r.entityId})-[d:DEPENDS_ON]->() WHERE d.status = 'active' "
        "MATCH (e)-[gone:DEPENDS_ON]->() WHERE gone.rollbackId = r.id "
        "RETURN r.id AS id, r.entityId AS entity, t.id AS fact, s.id AS record, s.oldId AS old, d.id AS edge, "
        "gone.id AS gone",
        {"agent_id": agent_id},
    )
    link = {"oldId": row["old"], "newId": row["fact"], "recordId": row["record"], "linkId": row["record"]}
    back = {"id": row["edge"], "status": "superseded", "validTo": None, "deletedAt": None, "note": None}
    return {
        "id@rollback/holdings": row["entity"],
        "id@rollback/rollback_store": new_uuid7(),
        "id@rollback/rollback_note[journal]": row["id"],
        "id@rollback/rollback_note[undone]": row["id"],
        "entity_id@rollback/rollback_store": row["entity"],
        "entity_id@rollback/rollback_page": row["entity"],
        "to@rollback/rollback_store": datetime(2026, 3, 1, tzinfo=UTC),
        "ids@rollback/facts": [row["fact"], row["old"]],
        "ids@rollback/facts_rest": [row["fact"]],
        "ids@rollback/edges": [row["edge"], row["gone"]],
        "ids@rollback/rollbacks": [row["id"]],
        "rows@rollback/links_open": [link | {"id": new_uuid7(), "validTo": datetime(2026, 3, 1, tzinfo=UTC)}],
        "rows@rollback/release[links]": [link | {"rolledBackBy": row["id"]}],
        "rows@rollback/retirements_open": [{"id": new_uuid7(), "factId": row["fact"], "rollbackId": row["id"]}],
        "rows@rollback/release[retirements]": [{"factId": row["fact"], "rollbackId": row["id"]}],
        "rows@rollback/facts_wake": [{"id": row["old"], "key": "nobody has it"}],
        "rows@rollback/facts_send": [
            {"id": row["old"], "status": "deleted", "before": "active", "at": datetime(2026, 3, 1, tzinfo=UTC)}
            | {"reason": "deleted", "note": None, "kept": None, "dependencyIds": [], "edges": []}
        ],
        "rows@rollback/edges_retire": [back | {"rollbackId": row["id"]}],
        "rows@rollback/edges_revive": [{"id": row["gone"], "key": "nobody has it", "validTo": None}],
    }


def _plausible(name: str, found: Statement, seeded: Seeded) -> dict[str, Any]:
    values = _given(name, found, seeded)
    assert [param for param in found.params if param not in values] == [], "say in _values what a plausible value is"
    return values


def _given(name: str, found: Statement, seeded: Seeded) -> dict[str, Any]:
    """Those of the parameters that _values knows."""
    return {
        param: seeded.values.get(f"{param}@{name}", seeded.values.get(param))
        for param in found.params
        if f"{param}@{name}" in seeded.values or param in seeded.values
    }


# --- how the texts are read ---------------------------------------------------------------------------------


def _names_in(folder: Path) -> Iterator[str]:
    """String literals in a package that have the form of a statement's name."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and re.fullmatch(r"[a-z]+/[a-z_0-9]+(\[[a-z_]+\])?", value):
                yield value


_CLAUSE = re.compile(
    r"\b(OPTIONAL MATCH|MATCH|ON CREATE SET|ON MATCH SET|MERGE|CREATE|WHERE|WITH|RETURN|UNWIND|SET|REMOVE|CALL|YIELD|"
    r"FOREACH|ORDER BY|LIMIT|UNION|SEARCH|DETACH DELETE|DELETE|SHOW)\b"
)
_NODE = re.compile(r"\(\s*(?P<var>\w*)\s*(?P<labels>:[\w|:&]+)?\s*(?P<map>\{[^{}]*\})?\s*\)?")


def _loose_patterns(text: str) -> Iterator[str]:
    """The patterns of a text that neither bind $agent_id nor go on from a node that was found by it."""
    text = re.sub(r"'[^']*'", "''", re.sub(r"/\*.*?\*/", "", text))
    text = re.sub(r"\b(EXISTS|COUNT|COLLECT)\s*\{\s*\(", r"\1 { MATCH (", text)
    parts = _CLAUSE.split(text)[1:]
    clauses = list(zip(parts[::2], parts[1::2], strict=True))
    bound: set[str] = set()
    for place, (keyword, body) in enumerate(clauses):
        following = ""
        for later, more in clauses[place + 1 :]:
            if later not in ("WHERE", "SEARCH"):
                break
            following += more
        if keyword == "YIELD":
            variable = re.search(r"\bnode AS (\w+)", body)
            if variable and f"{variable[1]}.agent_id = $agent_id" not in following:
                yield body.strip()
            bound |= {variable[1]} if variable else set()
        bound |= set(re.findall(r"\bAS (\w+)", body))
        if keyword not in ("MATCH", "OPTIONAL MATCH", "MERGE", "CREATE"):
            continue
        for path in _split(body):
            nodes = list(_NODE.finditer(path))
            variables = {node["var"] for node in nodes if node["var"]}
            by_map = "agent_id: $agent_id" in path
            by_where = any(f"{variable}.agent_id = $agent_id" in following for variable in variables)
            if not (variables & bound or by_map or by_where):
                yield f"{keyword} {path.strip()}"
            if keyword in ("MERGE", "CREATE"):
                for node in nodes:
                    new = node["labels"] and node["var"] not in bound
                    if new and "agent_id: $agent_id" not in (node["map"] or ""):
                        yield f"{keyword} {node[0]}"
            bound |= variables | set(re.findall(r"\[(\w+)", path))


def _split(pattern: str) -> Iterator[str]:
    """The paths of a pattern: what commas outside all brackets part."""
    depth, start = 0, 0
    for place, sign in enumerate(pattern):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            yield pattern[start:place]
            start = place + 1
    yield pattern[start:]


def _texts(found: Statement) -> list[str]:
    """The text; of one with a literal those with the two lowest and the highest value, the others being like them."""
    if found.literal is None:
        return [found.text]
    low, high = found.literal.low, found.literal.high
    return [found.with_literal(value) for value in sorted({low, low + 1, high})]


def _operators(plan: Any) -> Iterator[str]:
    yield f"{plan['operatorType'].split('@')[0]} {plan.get('args', {}).get('Details', '')}"
    for child in plan.get("children", ()):
        yield from _operators(child)


async def _explain(bolt: AsyncDriver, text: str, params: Mapping[str, Any]) -> tuple[neo4j.ResultSummary, list[str]]:
    """With the values that it is run with: a plan is kept for their types, so that it is made once."""
    async with bolt.session() as session:
        result = await session.run(f"EXPLAIN {text}", dict(params))
        keys = list(result.keys())
        return await result.consume(), keys


async def _rows(bolt: AsyncDriver, text: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    async with bolt.session() as session:
        return await (await session.run(text, dict(params))).data()


async def _held(transaction: neo4j.AsyncTransaction, query: str, agent_id: str) -> list[Any]:
    return [record.data() async for record in await transaction.run(query, a=agent_id)]
