"""Random sequences of what happens by itself retire nothing that is protected; archiving and restoring lose nothing."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from unittest import mock
from uuid import uuid4

import hypothesis
from hypothesis import strategies as st
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.knowledge.cold import send_with_session
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.model.caller import Caller
from graphmem.model.change import AttributeRow, Change, DependencyRow, EntityRow, MemoryRow
from graphmem.model.extraction import Extraction
from graphmem.model.inputs import Remember
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules.extraction.extraction import extract
from graphmem.rules.language.keys import content_key
from graphmem.services.knowledge import extracting
from graphmem.services.knowledge.memories import RetentionSettings
from tests.agents import learn, snapshot

in_the_graph = hypothesis.settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)

SAID = [
    "lamp-service runs on port 7000.",
    "lamp-service runs on port 9000.",
    "lamp-service uses Redis.",
    "lamp-service does not use Redis.",
    "lamp-service no longer uses Redis.",
    "lamp-service must never run on port 7000.",
    "Lunch was fine.",
]
GIVEN: list[dict[str, Any]] = [
    {},
    {"pinned": True},
    {"entity": "lamp-service"},
    {"entity": "lamp-service", "claim_key": "port"},
    {"entity": "lamp-service", "pinned": True},
    {"entity": "lamp-service", "kind": "constraint"},
]
talk = st.tuples(st.just("talk"), st.sampled_from(SAID), st.just(0))
give = st.tuples(st.just("give"), st.sampled_from(SAID), st.integers(0, len(GIVEN) - 1))
retain = st.tuples(st.just("retain"), st.just(""), st.just(0))
reread = st.tuples(st.just("reread"), st.sampled_from(["nothing", "everything"]), st.just(0))
by_itself = st.lists(st.one_of(talk, talk, give, give, retain, reread), min_size=2, max_size=6)


@in_the_graph
@hypothesis.example(steps=[("give", SAID[0], 1), ("talk", SAID[1], 0), ("retain", "", 0)])
@hypothesis.example(steps=[("talk", SAID[0], 0), ("give", SAID[0], 1), ("talk", SAID[1], 0), ("give", SAID[1], 0)])
@hypothesis.example(steps=[("give", SAID[0], 3), ("talk", SAID[1], 0), ("give", SAID[1], 3), ("talk", SAID[0], 0)])
@hypothesis.example(steps=[("talk", SAID[0], 0), ("give", SAID[0], 1), ("reread", "nothing", 0)])
@hypothesis.example(steps=[("talk", SAID[5], 0), ("give", SAID[2], 2), ("talk", SAID[2], 0), ("reread", "nothing", 0)])
@hypothesis.example(steps=[("give", SAID[5], 2), ("give", SAID[0], 2)])
@hypothesis.given(steps=by_itself)
async def test_nothing_protected_is_retired_by_what_happens_by_itself(
    graphmem: Graphmem, bolt: AsyncDriver, steps: list[tuple[str, str, int]]
) -> None:
    agent_id = f"test-{uuid4().hex}"
    eager = replace(graphmem.knowledge.memories, settings=RetentionSettings(days=0, importance=1.0))
    protected: set[str] = set()
    explicit: set[str] = set()
    for step, words, how in steps:
        if step == "talk":
            await learn(graphmem, agent_id, new_uuid7(), words)
        elif step == "give":
            await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content=words, **GIVEN[how]))
        elif step == "retain":
            await eager.retention(Caller(agent_id), dry_run=False, limit=1000)
        else:
            await read_all_again(graphmem, agent_id, words)
        held = await kept(bolt, agent_id)
        assert {id_: held[id_]["status"] for id_ in protected} == dict.fromkeys(protected, "active")
        for id_ in explicit:
            one = held[id_]
            assert one["status"] == "active" or (one["status"] == "superseded" and one["outranked"]), one
        protected |= {id_ for id_, one in held.items() if one["status"] == "active" and one["protected"]}
        explicit |= {id_ for id_, one in held.items() if one["explicit"]}


async def read_all_again(graphmem: Graphmem, agent_id: str, finds: str) -> None:
    """By an extractor of a new name, which finds everything there is, or nothing."""
    settings = replace(graphmem.knowledge.rereading.settings, extractor=new_uuid7())
    rereading = replace(graphmem.knowledge.rereading, settings=settings)

    def read(*_: Any, **__: Any) -> Extraction:
        return Extraction()

    with mock.patch.object(extracting, "extract", read if finds == "nothing" else extract):
        for session_id in await rereading.stale(agent_id):
            await rereading.read_again(agent_id, session_id)


async def kept(bolt: AsyncDriver, agent_id: str) -> dict[str, dict[str, Any]]:
    """Every memory and fact: how it stands, what protects it, and whether it was retired by something explicit."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (n:Memory|ColdMemory|Attribute {agent_id: $a}) "
        "RETURN n.id AS id, n.status AS status, n.explicit AS explicit, n.content AS content, "
        "n.pinned OR coalesce(n.kind = 'constraint', n.type = 'constraint') "
        "OR EXISTS { MATCH (n:Attribute)-[:DERIVED_FROM]->(:Memory {pinned: true}) } AS protected, "
        "CASE WHEN n:Attribute THEN EXISTS { MATCH (n)-[:SUPERSEDED_BY]->(o:Attribute) WHERE o.explicit } "
        "ELSE EXISTS { MATCH (n)<-[:DERIVED_FROM]-(:Attribute)-[:SUPERSEDED_BY]->(o:Attribute) WHERE o.explicit } END "
        "AS outranked",
        a=agent_id,
    )
    return {row["id"]: row.data() for row in rows}


stated = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1)
order = st.permutations(range(4))


@in_the_graph
@hypothesis.given(facts=stated, edges=stated, leave=order, back=order, gone=st.integers(1, 4), together=st.booleans())
async def test_what_was_archived_and_restored_is_what_it_was(
    graphmem: Graphmem,
    bolt: AsyncDriver,
    facts: set[tuple[int, int]],
    edges: set[tuple[int, int]],
    leave: list[int],
    back: list[int],
    gone: int,
    together: bool,
) -> None:
    agent_id = f"test-{uuid4().hex}"
    caller = Caller(agent_id)
    written = await KnowledgeStore(graphmem.database).learn(caller, overlapping(facts, edges), None, utc_now())
    ids = [written.memory_ids[f"m{number}"] for number in range(4)]
    before = await snapshot(bolt, agent_id)
    away = leave[:gone]
    if together:
        going = [ids[number] for number in away]
        await graphmem.database.write(
            lambda tx: send_with_session(tx, agent_id, going, "s", new_uuid7(), utc_now()),
        )
        await rests_on_what_is_there(bolt, agent_id)
    for number in [] if together else away:
        await graphmem.knowledge.memories.archive(caller, ids[number], None)
        await rests_on_what_is_there(bolt, agent_id)
    for number in [number for number in back if number in away]:
        await graphmem.knowledge.memories.restore(caller, ids[number])
        await rests_on_what_is_there(bolt, agent_id)
    assert await snapshot(bolt, agent_id) == before


async def rests_on_what_is_there(bolt: AsyncDriver, agent_id: str) -> None:
    """A fact or an edge is active exactly while a memory that states it is."""
    facts, _, _ = await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $a}) "
        "RETURN t.status AS status, t.activeKey IS NOT NULL AS keyed, "
        "EXISTS { (t)-[:DERIVED_FROM]->(:Memory) } AS stated",
        a=agent_id,
    )
    edges, _, _ = await bolt.execute_query(
        "MATCH (:Entity {agent_id: $a})-[d:DEPENDS_ON]->() "
        "RETURN d.status AS status, d.activeKey IS NOT NULL AS keyed, "
        "EXISTS { UNWIND d.memoryIds AS id MATCH (:Memory {agent_id: $a, id: id}) RETURN 1 } AS stated",
        a=agent_id,
    )
    assert facts
    for row in [*facts, *edges]:
        assert (row["status"], row["keyed"]) == (("active", True) if row["stated"] else ("cold", False))


def overlapping(facts: set[tuple[int, int]], edges: set[tuple[int, int]]) -> Change:
    """Four memories; each pair says which of them states which fact or edge."""
    at = datetime(2026, 3, 1, tzinfo=UTC)
    names = [f"part {number}" for number in range(4)]
    return Change(
        entities=tuple(EntityRow(name, new_uuid7(), name, EntityType.SYSTEM, mentions=1) for name in names),
        memories=tuple(
            MemoryRow(
                ref=f"m{number}",
                id=new_uuid7(),
                content=f"statement {number}",
                content_key=content_key(f"statement {number}"),
                type="fact",
                importance=0.5,
                pinned=False,
                explicit=False,
                source=None,
                project=None,
                session_id=None,
                valid_from=at,
                valid_to=None,
                created_at=at,
                about=tuple(names),
            )
            for number in range(4)
        ),
        attributes=tuple(
            AttributeRow(
                ref=f"{memory}-{fact}",
                id=new_uuid7(),
                entity=names[fact],
                aspect="general",
                aspect_id=new_uuid7(),
                content=f"fact {fact}",
                kind="attribute",
                claim_key=None,
                confidence=0.7,
                importance=0.5,
                pinned=False,
                explicit=False,
                valid_from=at,
                valid_to=None,
                extraction_level=1,
                memory_ref=f"m{memory}",
                session_ids=(),
                project=None,
                session_id=None,
            )
            for memory, fact in sorted(facts)
        ),
        dependencies=tuple(
            DependencyRow(
                id=new_uuid7(),
                source=names[edge],
                target=names[edge + 1],
                type=DependencyType.USES,
                confidence=0.7,
                strength=0.5,
                reason=None,
                explicit=False,
                valid_from=at,
                memory_refs=(f"m{memory}",),
            )
            for memory, edge in sorted(edges)
        ),
        event_ids=tuple(new_uuid7() for _ in range(40)),
    )
