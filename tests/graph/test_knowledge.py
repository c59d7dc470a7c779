"""Knowledge in a real graph: one node for one thing, nothing retired that must stay, every change in its history."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from neo4j import AsyncDriver
from pydantic import ValidationError

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import PlanOutdated
from graphmem.graph.connection import ReadTransaction
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.graph.knowledge.learning import Decided, supersessions_apply, supersessions_move
from graphmem.graph.knowledge.lookups import attributes, dependencies, entities, memories
from graphmem.model.answers import RememberReceipt
from graphmem.model.caller import Caller
from graphmem.model.change import (
    AttributeRow,
    Change,
    DependencyRow,
    EntityRow,
    MemoryRow,
    SupersessionRow,
    Written,
)
from graphmem.model.extraction import Limits
from graphmem.model.inputs import NewDependencies, NewDependency, Remember
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.stored import ActiveFact, Moment
from graphmem.rules.language.keys import content_key
from graphmem.rules.language.text import canonical_name
from graphmem.services.knowledge.learning import Learning, LearningSettings
from graphmem.services.operation.work import Worker
from tests.waiting import until

DAY = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def store(graphmem: Graphmem) -> KnowledgeStore:
    return KnowledgeStore(graphmem.database)


async def rows(bolt: AsyncDriver, query: str, **params: Any) -> list[dict[str, Any]]:
    records, _, _ = await bolt.execute_query(query, params)
    return [record.data() for record in records]


def entity(name: str, **changed: Any) -> EntityRow:
    return replace(EntityRow(canonical_name(name), new_uuid7(), name, EntityType.SYSTEM, mentions=1), **changed)


@dataclass
class Told:
    """What is to be written: each fact says something about one entity, from one statement of its own."""

    session_id: str | None = None
    entities: dict[str, EntityRow] = field(default_factory=dict)
    memories: list[MemoryRow] = field(default_factory=list)
    attributes: list[AttributeRow] = field(default_factory=list)
    dependencies: list[DependencyRow] = field(default_factory=list)

    def fact(self, about: str, content: str, *, confidence: float = 0.7, day: int = 0, **changed: Any) -> AttributeRow:
        row = entity(about)
        self.entities.setdefault(row.canonical, row)
        at, id_ = DAY + timedelta(days=day), new_uuid7()
        self.memories.append(
            MemoryRow(
                ref=f"memory-{id_}",
                id=new_uuid7(),
                content=content,
                content_key=content_key(content),
                type="fact",
                importance=0.5,
                pinned=False,
                explicit=False,
                source=None,
                project=None,
                session_id=self.session_id,
                valid_from=at,
                valid_to=None,
                created_at=utc_now(),
                about=(row.canonical,),
            )
        )
        attribute = AttributeRow(
            ref=id_,
            id=id_,
            entity=row.canonical,
            aspect="general",
            aspect_id=new_uuid7(),
            content=content,
            kind="attribute",
            claim_key=None,
            confidence=confidence,
            importance=0.5,
            pinned=False,
            explicit=False,
            valid_from=at,
            valid_to=None,
            extraction_level=1,
            memory_ref=f"memory-{id_}",
            session_ids=(self.session_id,) if self.session_id else (),
            project=None,
            session_id=self.session_id,
        )
        self.attributes.append(replace(attribute, **changed))
        return self.attributes[-1]

    def needs(self, source: str, target: str, *facts: AttributeRow, confidence: float = 0.7) -> DependencyRow:
        for name in (source, target):
            self.entities.setdefault(canonical_name(name), entity(name))
        row = DependencyRow(
            id=new_uuid7(),
            source=canonical_name(source),
            target=canonical_name(target),
            type=DependencyType.USES,
            confidence=confidence,
            strength=0.5,
            reason="single-memory",
            explicit=False,
            valid_from=DAY,
            memory_refs=tuple(fact.memory_ref for fact in facts),
            attribute_refs=tuple(fact.ref for fact in facts),
            session_ids=(self.session_id,) if self.session_id else (),
        )
        self.dependencies.append(row)
        return row

    def change(self, *applied: SupersessionRow) -> Change:
        return Change(
            entities=tuple(self.entities.values()),
            memories=tuple(self.memories),
            attributes=tuple(self.attributes),
            dependencies=tuple(self.dependencies),
            applied=applied,
            event_ids=tuple(new_uuid7() for _ in range(100)),
        )


def retire(old: str, new: str, day: int = 1) -> SupersessionRow:
    at = DAY + timedelta(days=day)
    return SupersessionRow(new_uuid7(), old, new, (), 0.9, "heuristic", "test-1", "said otherwise", valid_to=at)


async def write(store: KnowledgeStore, agent_id: str, told: Told, *applied: SupersessionRow) -> Written:
    return await store.learn(Caller(agent_id), told.change(*applied), None, utc_now())


async def facts(bolt: AsyncDriver, agent_id: str) -> dict[str, dict[str, Any]]:
    """All facts of an agent by id, with where their supersession links lead."""
    found = await rows(
        bolt,
        "MATCH (t:Attribute {agent_id: $a}) RETURN properties(t) AS held, "
        "COLLECT { MATCH (t)-[:SUPERSEDED_BY]->(n) RETURN n.id } AS newer",
        a=agent_id,
    )
    return {row["held"]["id"]: row["held"] | {"newer": row["newer"]} for row in found}


async def edges(bolt: AsyncDriver, agent_id: str) -> list[dict[str, Any]]:
    found = await rows(
        bolt,
        "MATCH (s)-[d:DEPENDS_ON {agent_id: $a}]->(t) RETURN s.canonicalName AS source, t.canonicalName AS target, "
        "properties(d) AS held ORDER BY d.createdAt, d.id",
        a=agent_id,
    )
    return [row["held"] | {"source": row["source"], "target": row["target"]} for row in found]


async def events(bolt: AsyncDriver, agent_id: str, kind: str) -> list[dict[str, Any]]:
    found = await rows(
        bolt,
        "MATCH (e:Event {agent_id: $a, kind: $kind}) RETURN properties(e) AS held ORDER BY e.at, e.id",
        a=agent_id,
        kind=kind,
    )
    return [row["held"] for row in found]


async def remember(graphmem: Graphmem, agent_id: str, content: str, day: int = 0, **given: Any) -> RememberReceipt:
    asked = Remember.model_validate({"content": content, "validFrom": DAY + timedelta(days=day)} | given)
    return await graphmem.knowledge.learning.remember(Caller(agent_id), asked)


# --- one node for one thing -------------------------------------------------------------------------------


async def test_a_receipt_shows_what_reading_the_same_shows(graphmem: Graphmem, agent_id: str) -> None:
    receipt = await remember(graphmem, agent_id, "checkout-service depends on ledger-api.")
    assert len(receipt.entities) == 2
    assert receipt.attributes
    assert receipt.dependencies

    async def read(tx: ReadTransaction) -> tuple[Sequence[object], ...]:
        return (
            await memories(tx, agent_id, [receipt.memory.id]),
            await entities(tx, agent_id, [one.id for one in receipt.entities]),
            await attributes(tx, agent_id, [one.id for one in receipt.attributes]),
            await dependencies(tx, agent_id, [one.id for one in receipt.dependencies]),
        )

    shown = ([receipt.memory], *map(list, (receipt.entities, receipt.attributes, receipt.dependencies)))
    assert await graphmem.database.read(read) == shown


async def test_thirty_two_writers_of_the_same_five_hundred_names_make_five_hundred_entities(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    names = [f"Service {n}" for n in range(500)]

    async def one(writer: int) -> dict[str, str]:
        spelled = [name.upper() if writer % 2 else name.replace(" ", "-") for name in names]
        shuffled = [spelled[(n * 37 + writer * 11) % 500] for n in range(500)]
        told = Told(entities={canonical_name(name): entity(name, aliases=(f"{name} X",)) for name in shuffled})
        return dict((await write(store, agent_id, told)).entity_ids)

    found = await asyncio.gather(*(one(writer) for writer in range(32)))
    assert all(ids == found[0] for ids in found)
    assert len(set(found[0].values())) == 500
    (counted,) = await rows(
        bolt,
        "MATCH (e:Entity {agent_id: $a}) WITH count(e) AS entities, sum(e.mentions) AS mentions "
        "MATCH (n:Name {agent_id: $a}) RETURN entities, mentions, count(n) AS names, "
        "sum(COUNT { (n)-[:NAMES]->() }) AS links",
        a=agent_id,
    )
    assert counted == {"entities": 500, "mentions": 16000, "names": 1000, "links": 1000}


async def test_thirty_two_services_draw_the_same_edges_and_no_error_is_seen(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    async def one(writer: int) -> int:
        pairs = [(f"node {n}", f"node {(n + 1) % 25}") for n in range(25)]
        given = NewDependencies(
            dependencies=tuple(NewDependency(source=s, target=t) for s, t in (pairs if writer % 2 else pairs[::-1]))
        )
        receipt = await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), given)
        assert receipt.created + receipt.updated == 25
        return receipt.created

    created = await asyncio.gather(*(one(writer) for writer in range(32)))
    assert sum(created) == 25
    assert len(await edges(bolt, agent_id)) == 25
    (counted,) = await rows(bolt, "MATCH (e:Entity {agent_id: $a}) RETURN count(e) AS n", a=agent_id)
    assert counted["n"] == 25
    assert len(await events(bolt, agent_id, "dependency_created")) == 25


async def test_alias_leads_to_its_entity_and_is_never_taken_away(store: KnowledgeStore, agent_id: str) -> None:
    first = await write(store, agent_id, Told(entities={"a": entity("billing service", aliases=("billing",))}))
    second = await write(store, agent_id, Told(entities={"b": entity("invoicing", aliases=("billing",))}))
    by_alias = await store.find_entity(agent_id, "The Billing")
    assert by_alias is not None
    assert by_alias.id == first.entity_ids["billing service"]
    assert second.entity_ids["invoicing"] != by_alias.id
    again = await write(store, agent_id, Told(entities={"c": entity("billing")}))
    assert again.entity_ids["billing"] == by_alias.id


@pytest.mark.parametrize("name", ["ﷺ" * 300, "x" * 301, " ", "\n"])
async def test_name_too_long_for_an_index_is_refused(graphmem: Graphmem, agent_id: str, name: str) -> None:
    """Folding makes eighteen letters of one: what counts is the canonical name."""
    with pytest.raises(ValidationError):
        NewDependency(source=name, target="b")
    with pytest.raises(ValidationError):
        await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content="It is up.", entity=name))


@pytest.mark.parametrize("name", ["漢" * 300, "👩" * 300, "é" * 300])
async def test_longest_names_are_kept(graphmem: Graphmem, agent_id: str, name: str) -> None:
    given = NewDependencies(dependencies=(NewDependency(source=name, target="b"),))
    receipt = await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), given)
    assert receipt.items[0].source.name == name
    assert (await graphmem.knowledge.entities.entity_page(agent_id, name)).entity.name == name


# --- facts seen again -------------------------------------------------------------------------------------


async def test_fact_seen_in_another_session_is_one_fact_confirmed(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    seen = []
    for session_id, confidence in (("s", 0.7), ("s", 0.7), ("t", 0.4), ("u", 0.3), ("u", 0.95), ("v", 0.5)):
        told = Told(session_id)
        told.fact("billing", "Billing uses  Redis.", confidence=confidence)
        await write(store, agent_id, told)
        (fact,) = (await facts(bolt, agent_id)).values()
        seen.append(fact["confidence"])
    assert seen == [0.7, 0.7, 0.9, 0.95, 0.99, 0.99]
    assert fact["sessionIds"] == ["s", "t", "u", "v"]
    assert len(await events(bolt, agent_id, "attribute_created")) == 1
    (memory,) = await rows(
        bolt, "MATCH (k:Memory {agent_id: $a}) RETURN COUNT { (k)<-[:DERIVED_FROM]-() } AS n", a=agent_id
    )
    assert memory["n"] == 1


async def test_edge_seen_in_another_session_is_one_edge_confirmed(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    seen = []
    for session_id, confidence in (("s", 0.7), ("s", 0.7), ("t", 0.4), ("u", 0.95), ("v", 0.3)):
        told = Told(session_id)
        told.needs("billing", "redis", told.fact("billing", "billing uses redis"), confidence=confidence)
        await write(store, agent_id, told)
        (edge,) = await edges(bolt, agent_id)
        seen.append(edge["confidence"])
    assert seen == [0.7, 0.7, 0.9, 0.99, 0.99]


async def test_hand_written_edge_keeps_what_is_not_given(graphmem: Graphmem, agent_id: str) -> None:
    async def put(**given: Any) -> Any:
        edge = NewDependency.model_validate({"source": "web", "target": "api"} | given)
        receipt = await graphmem.knowledge.entities.put_dependencies(
            Caller(agent_id), NewDependencies(dependencies=(edge,))
        )
        return receipt.items[0].confidence, receipt.items[0].strength, receipt.items[0].reason, receipt.created

    assert await put() == (1.0, 0.5, None, 1)
    assert await put(confidence=0.4, reason="tests") == (0.4, 0.5, "tests", 0)
    assert await put(strength=0.9) == (0.4, 0.9, "tests", 0)
    assert await put(type="uses") == (1.0, 0.5, None, 1)


# --- guards of supersession, in the statement itself ------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"kind": "constraint"}, {}),
        ({"pinned": True}, {}),
        ({"kind": "constraint", "pinned": True}, {}),
        ({}, {"kind": "constraint"}),
        ({"day": 5}, {"day": 4}),
        ({"explicit": True}, {}),
    ],
    ids=["a constraint", "a pinned one", "a pinned constraint", "by a constraint", "by an older one", "given by read"],
)
async def test_fact_that_must_stay_stays(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    before, after = Told(), Told()
    kept = before.fact("billing", "It uses Redis.", **old)
    await write(store, agent_id, before)
    rival = after.fact("billing", "It uses Kafka.", **new)
    with pytest.raises(PlanOutdated):
        await write(store, agent_id, after, retire(kept.id, rival.ref))
    held = await facts(bolt, agent_id)
    assert held.keys() == {kept.id}, "nothing of the change is written"
    assert held[kept.id]["status"] == "active"
    assert held[kept.id]["newer"] == []


@pytest.mark.parametrize("asked", [False, True], ids=["by a rule", "by a person"])
@pytest.mark.parametrize(
    ("old", "new", "after_s"),
    [
        ({"kind": "constraint"}, {}, 1),
        ({"pinned": True}, {}, 1),
        ({}, {"kind": "constraint"}, 1),
        ({"explicit": True}, {"explicit": False}, 1),
        ({"day": 5}, {"day": 4}, 1),
        ({}, {}, -1),
    ],
    ids=[
        "a constraint",
        "a pinned one",
        "by a constraint",
        "given by read",
        "newer by older",
        "as old, but told later",
    ],
)
async def test_the_write_alone_refuses_a_row_that_no_rule_would_give(
    graphmem: Graphmem,
    store: KnowledgeStore,
    bolt: AsyncDriver,
    agent_id: str,
    old: dict[str, Any],
    new: dict[str, Any],
    after_s: int,
    asked: bool,
) -> None:
    told, then = Told(), utc_now()
    kept, rival = told.fact("billing", "It uses Redis.", **old), told.fact("billing", "It uses Kafka.", **new)
    await write(store, agent_id, told)
    for id_, at in ((kept.id, then), (rival.id, then + timedelta(seconds=after_s))):
        await rows(bolt, "MATCH (t:Attribute {agent_id: $a, id: $id}) SET t.createdAt = $at", a=agent_id, id=id_, at=at)

    done = await applied(graphmem, agent_id, replace(retire(kept.id, rival.id), asked=asked))

    assert len(done) == asked
    held = (await facts(bolt, agent_id))[kept.id]
    assert held["status"] == ("superseded" if asked else "active")
    assert held["newer"] == ([rival.id] if asked else [])
    records = await rows(bolt, "MATCH (s:Supersession {agent_id: $a}) RETURN s.id AS id", a=agent_id)
    assert len(records) == asked, "nothing is left of what was refused"


async def test_the_write_alone_retires_what_began_and_was_told_at_one_time(
    graphmem: Graphmem, store: KnowledgeStore, agent_id: str
) -> None:
    told = Told()
    a, b = told.fact("billing", "It uses Redis."), told.fact("billing", "It uses Kafka.")
    await write(store, agent_id, told)
    (done,) = await applied(graphmem, agent_id, retire(a.id, b.id, day=0))
    assert (done.old, done.new) == (a.id, b.id)
    assert await applied(graphmem, agent_id, retire(b.id, a.id, day=0)) == [], "that would be a circle"


async def test_the_write_alone_retires_nothing_twice_and_nothing_across_agents(
    graphmem: Graphmem, store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told, stranger = Told(), f"stranger-{agent_id}"
    old, new, third = (told.fact("billing", f"It uses {name}.", day=day) for day, name in enumerate("ABC"))
    await write(store, agent_id, told)
    for asked in (False, True):
        row = replace(retire(old.id, new.id), asked=asked)
        assert await applied(graphmem, stranger, row) == []
    assert len(await applied(graphmem, agent_id, retire(old.id, new.id))) == 1
    before = (await facts(bolt, agent_id))[old.id]
    for again in (retire(old.id, new.id), retire(old.id, third.id, day=2)):
        assert await applied(graphmem, agent_id, again) == []
    assert (await facts(bolt, agent_id))[old.id] == before


async def test_the_write_alone_respects_what_a_person_decided_on_a_pair(
    graphmem: Graphmem, store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    old, new = told.fact("billing", "It uses Redis."), told.fact("billing", "It uses Kafka.", day=2)
    await write(store, agent_id, told)
    for status in ("rejected", "undone"):
        await rows(
            bolt,
            "MERGE (s:Supersession {agent_id: $a, oldId: $old, newId: $new}) SET s.id = $id, s.status = $status",
            a=agent_id,
            old=old.id,
            new=new.id,
            id=new_uuid7(),
            status=status,
        )
        assert await applied(graphmem, agent_id, retire(old.id, new.id, day=2)) == []
        assert (await facts(bolt, agent_id))[old.id]["status"] == "active"


@pytest.mark.parametrize(
    ("old", "new", "after_s", "moves"),
    [
        ({}, {}, 1, True),
        ({"kind": "constraint"}, {}, 1, False),
        ({"pinned": True}, {}, 1, False),
        ({}, {"kind": "constraint"}, 1, False),
        ({"explicit": True}, {}, 1, False),
        ({}, {"day": -1}, 1, False),
        ({}, {"day": 0}, -1, False),
        ({}, {"day": 9}, 1, False),
    ],
    ids=[
        "in between",
        "a constraint",
        "a pinned one",
        "to a constraint",
        "given to read",
        "newer to older",
        "as old, but told later",
        "behind what is there",
    ],
)
async def test_the_write_alone_moves_a_fact_only_to_one_that_lies_in_between(
    graphmem: Graphmem,
    store: KnowledgeStore,
    bolt: AsyncDriver,
    agent_id: str,
    old: dict[str, Any],
    new: dict[str, Any],
    after_s: int,
    moves: bool,
) -> None:
    told, then = Told(), utc_now()
    first, last = told.fact("billing", "It uses A.", **old), told.fact("billing", "It uses C.", day=4)
    middle = told.fact("billing", "It uses B.", **({"day": 2} | new))
    await write(store, agent_id, told)
    for id_, at in ((first.id, then), (middle.id, then + timedelta(seconds=after_s))):
        await rows(bolt, "MATCH (t:Attribute {agent_id: $a, id: $id}) SET t.createdAt = $at", a=agent_id, id=id_, at=at)
    assert await applied(graphmem, agent_id, replace(retire(first.id, last.id, day=4), asked=True))
    row = replace(retire(first.id, middle.id, day=2), instead_of=last.id)

    async def moved(row: SupersessionRow) -> list[Decided]:
        return await graphmem.database.write(lambda tx: supersessions_move(tx, agent_id, [row], {}, utc_now()))

    assert await moved(replace(row, instead_of=middle.id)) == [], "it is not there that the fact leads"
    assert len(await moved(row)) == moves
    assert await moved(replace(row, id=new_uuid7())) == [], "once is enough"
    assert (await facts(bolt, agent_id))[first.id]["supersededBy"] == (middle.id if moves else last.id)


async def applied(graphmem: Graphmem, agent_id: str, row: SupersessionRow) -> list[Decided]:
    """What the statement made of one row, with no plan and no rule before it."""
    return await graphmem.database.write(lambda tx: supersessions_apply(tx, agent_id, [row], {}, utc_now()))


async def test_another_agents_fact_is_never_retired(store: KnowledgeStore, bolt: AsyncDriver, agent_id: str) -> None:
    theirs, stranger = Told(), f"stranger-{agent_id}"
    kept = theirs.fact("billing", "It uses Redis.")
    await write(store, stranger, theirs)
    mine = Told()
    rival = mine.fact("billing", "It uses Kafka.")
    with pytest.raises(PlanOutdated):
        await write(store, agent_id, mine, retire(kept.id, rival.ref))
    own = Told()
    ours = own.fact("billing", "It uses Kafka.")
    await write(store, agent_id, own)
    with pytest.raises(PlanOutdated):
        await write(store, agent_id, Told(), retire(ours.id, kept.id))
    assert (await facts(bolt, stranger))[kept.id]["status"] == "active"
    assert (await facts(bolt, agent_id))[ours.id]["status"] == "active"


@pytest.mark.parametrize(
    "gone", ["t.status = 'deleted'", "t.status = 'cold'", "t.status = 'superseded', t.validTo = t.validFrom"]
)
async def test_fact_does_not_retire_itself_nor_what_is_gone_retires_anything(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str, gone: str
) -> None:
    told = Told()
    a, b = (told.fact("billing", f"It uses {name}.", day=day) for day, name in enumerate(("A", "B")))
    await write(store, agent_id, told)
    with pytest.raises(PlanOutdated):
        await write(store, agent_id, Told(), retire(a.id, a.id))
    await rows(bolt, f"MATCH (t:Attribute {{agent_id: $a, id: '{b.id}'}}) SET {gone} RETURN t", a=agent_id)
    with pytest.raises(PlanOutdated):
        await write(store, agent_id, Told(), retire(a.id, b.id))
    assert (await facts(bolt, agent_id))[a.id]["status"] == "active"


async def test_a_superseded_fact_retires_what_held_before_it(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    a, b, c = (told.fact("billing", f"It uses {name}.", day=day) for day, name in enumerate(("A", "B", "C")))
    await write(store, agent_id, told)
    await write(store, agent_id, Told(), retire(b.id, c.id, day=2))
    await write(store, agent_id, Told(), retire(a.id, b.id))
    found = await facts(bolt, agent_id)
    assert [found[one.id]["newer"] for one in (a, b, c)] == [[b.id], [c.id], []]


async def test_retiring_twice_is_retiring_once(store: KnowledgeStore, bolt: AsyncDriver, agent_id: str) -> None:
    told = Told()
    old, new = told.fact("billing", "It uses Redis."), told.fact("billing", "It uses Kafka.", day=2)
    await write(store, agent_id, told)
    now = utc_now()
    change = Told().change(retire(old.id, new.id, day=2))
    await store.learn(Caller(agent_id), change, None, now)
    with pytest.raises(PlanOutdated):
        await store.learn(Caller(agent_id), change, None, utc_now())
    held = (await facts(bolt, agent_id))[old.id]
    assert (held["status"], held["supersededBy"], held["newer"]) == ("superseded", new.id, [new.id])
    assert held["validTo"].to_native() == DAY + timedelta(days=2)
    assert held["retiredAt"].to_native() == now
    assert "activeKey" not in held
    (supersession,) = await store.supersessions(agent_id, None, (now + timedelta(days=1), ""), 10)
    assert (supersession.old_id, supersession.new_id, supersession.status) == (old.id, new.id, "applied")
    assert len(await events(bolt, agent_id, "superseded")) == 1


async def test_of_two_writers_who_retire_the_same_fact_one_does(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    old = told.fact("billing", "It uses Redis.")
    await write(store, agent_id, told)

    async def one(n: int) -> Written:
        mine = Told(f"session-{n}")
        return await write(store, agent_id, mine, retire(old.id, mine.fact("billing", f"It uses tool {n}.", day=1).ref))

    tried = await asyncio.gather(*(one(n) for n in range(8)), return_exceptions=True)
    assert [type(outcome) for outcome in tried if not isinstance(outcome, Written)] == [PlanOutdated] * 7
    held = await facts(bolt, agent_id)
    assert len(held) == 2
    assert len(held[old.id]["newer"]) == 1
    assert len(await events(bolt, agent_id, "superseded")) == 1
    assert len(await store.supersessions(agent_id, None, (utc_now() + timedelta(days=1), ""), 10)) == 1


async def test_slot_has_one_value_whoever_writes_at_once(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    """Each decides again until its plan fits the graph: a chain, from first to last, with one end."""
    told = [
        remember(graphmem, agent_id, f"The owner is number {n}.", entity="billing", claimKey="owner") for n in range(6)
    ]
    await asyncio.gather(*told)
    held = await facts(bolt, agent_id)
    assert len(held) == 6
    assert [fact["status"] for fact in held.values()].count("active") == 1
    assert all(len(fact["newer"]) == (fact["status"] == "superseded") for fact in held.values())
    assert len(await events(bolt, agent_id, "superseded")) == 5


async def test_writers_of_facts_that_agree_do_not_disturb_each_other(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    people = [
        "Ada",
        "Ben",
        "Cleo",
        "Dov",
        "Eva",
        "Finn",
        "Gia",
        "Hal",
        "Ida",
        "Jon",
        "Kit",
        "Lea",
        "Max",
        "Nia",
        "Oto",
        "Pia",
    ]
    said = [f"{name} {did} billing." for name in people for did in ("reviewed", "documented")]
    told = [remember(graphmem, agent_id, content, entity="billing") for content in said]
    await asyncio.gather(*told)
    held = (await facts(bolt, agent_id)).values()
    assert [fact["status"] for fact in held] == ["active"] * 32


# --- the plan and the graph under it ----------------------------------------------------------------------


class Overtaken(KnowledgeStore):
    """The real store, where another writer gets in between a reading and the writing that follows it."""

    def __init__(self, graphmem: Graphmem, others: Sequence[Any]) -> None:
        super().__init__(graphmem.database)
        self._others = list(others)
        self.read = 0

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
        found = await super().active_facts(agent_id, entity_ids)
        self.read += 1
        if self._others:
            await self._others.pop(0)()
        return found


def learning_over(graphmem: Graphmem, knowledge: KnowledgeStore) -> Learning:
    settings = LearningSettings(Limits(), True, 0.7, proposals_only=False, chunk_messages=8, chunk_tokens=2000)
    sessions = SessionStore(graphmem.database)
    return Learning(
        sessions, knowledge, graphmem.world.parser, settings, utc_now, new_uuid7, graphmem.conversation.guards
    )


async def test_plan_that_was_overtaken_is_made_again(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    """While C decides to retire A, B retires it: C retires B then, and A keeps its own successor."""
    slot = {"entity": "billing", "claimKey": "owner"}
    first = await remember(graphmem, agent_id, "A owns billing.", day=0, **slot)

    async def overtake() -> None:
        await remember(graphmem, agent_id, "B owns billing.", day=1, **slot)

    knowledge = Overtaken(graphmem, [overtake])
    given = Remember.model_validate({"content": "C owns billing.", "validFrom": DAY + timedelta(days=2)} | slot)
    receipt = await learning_over(graphmem, knowledge).remember(Caller(agent_id), given)
    assert knowledge.read == 2
    held = {fact["content"][0]: fact for fact in (await facts(bolt, agent_id)).values()}
    assert held["A"]["id"] == first.attributes[0].id
    assert held["A"]["newer"] == [held["B"]["id"]]
    assert held["B"]["newer"] == [held["C"]["id"]]
    assert held["C"]["status"] == "active"
    assert [(s.old_id, s.new_id) for s in receipt.superseded] == [(held["B"]["id"], held["C"]["id"])]
    memories = await rows(bolt, "MATCH (k:Memory {agent_id: $a}) RETURN k.content AS c ORDER BY c", a=agent_id)
    assert [row["c"][0] for row in memories] == ["A", "B", "C"], "the first attempt left nothing"


async def test_rival_that_came_unseen_is_seen_when_it_is_written(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    """There was nothing to retire when C read; when it wrote there was."""
    slot = {"entity": "billing", "claimKey": "owner"}

    async def overtake() -> None:
        await remember(graphmem, agent_id, "B owns billing.", day=1, **slot)

    await remember(graphmem, agent_id, "billing has tests.", entity="billing", aspect="quality")
    knowledge = Overtaken(graphmem, [overtake])
    given = Remember.model_validate({"content": "C owns billing.", "validFrom": DAY + timedelta(days=2)} | slot)
    await learning_over(graphmem, knowledge).remember(Caller(agent_id), given)
    held = {fact["content"][0]: fact for fact in (await facts(bolt, agent_id)).values()}
    assert held["B"]["newer"] == [held["C"]["id"]]
    assert held["C"]["status"] == "active"


async def test_plan_that_is_overtaken_each_time_is_given_up_with_nothing_written(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    slot = {"entity": "billing", "claimKey": "owner"}
    await remember(graphmem, agent_id, "Number -1 owns billing.", day=-1, **slot)

    def overtaking(n: int) -> Any:
        async def overtake() -> None:
            await remember(graphmem, agent_id, f"Number {n} owns billing.", day=n, **slot)

        return overtake

    knowledge = Overtaken(graphmem, [overtaking(n) for n in range(60)])
    given = Remember.model_validate({"content": "Late owns billing.", "validFrom": DAY + timedelta(days=99)} | slot)
    with pytest.raises(PlanOutdated):
        await learning_over(graphmem, knowledge).remember(Caller(agent_id), given)
    held = (await facts(bolt, agent_id)).values()
    assert not any("Late" in fact["content"] for fact in held)
    assert [fact["status"] for fact in held].count("active") == 1


# --- what hangs on retired facts --------------------------------------------------------------------------


async def test_memory_is_superseded_with_its_last_fact_only(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    one = told.fact("billing", "Billing uses Redis and Kafka.")
    two = replace(one, id=(id_ := new_uuid7()), ref=id_, content="It uses Kafka.")
    told.attributes.append(two)
    new = told.fact("billing", "Billing uses Valkey.", day=1)
    newer = told.fact("billing", "Billing uses Pulsar.", day=1)
    written = await write(store, agent_id, told)
    memory_id = written.memory_ids[one.memory_ref]
    await write(store, agent_id, Told(), retire(one.id, new.id))
    (memory,) = await store.memories(agent_id, [memory_id])
    assert memory.status == "active"
    await write(store, agent_id, Told(), retire(two.id, newer.id))
    (memory,) = await store.memories(agent_id, [memory_id])
    assert memory.status == "superseded"
    assert set(memory.attribute_ids) == {one.id, two.id}


async def test_memory_said_again_after_it_was_superseded_holds_again(graphmem: Graphmem, agent_id: str) -> None:
    """Who moves back says so: the old words are the current ones."""
    slot = {"entity": "Mara", "claimKey": "city"}
    first = await remember(graphmem, agent_id, "Mara lives in Lisbon.", day=0, **slot)
    await remember(graphmem, agent_id, "Mara lives in Porto.", day=1, **slot)
    again = await remember(graphmem, agent_id, "Mara lives in Lisbon.", day=2, **slot)
    assert again.memory.id == first.memory.id
    assert again.attributes[0].id != first.attributes[0].id
    assert again.attributes[0].status == "active"
    memory = await graphmem.knowledge.entities.memory(agent_id, first.memory.id)
    assert memory.status == "active"
    await graphmem.operation.upkeep.refresh_text()


async def test_edge_is_retired_with_its_last_supporting_fact_only(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    one, two = told.fact("billing", "Billing uses Redis."), told.fact("billing", "Billing caches in Redis.")
    new, newer = told.fact("billing", "Billing uses Kafka.", day=1), told.fact("billing", "It caches nothing.", day=3)
    told.needs("billing", "redis", one, two)
    await write(store, agent_id, told)
    await write(store, agent_id, Told(), retire(one.id, new.id, day=1))
    (edge,) = await edges(bolt, agent_id)
    assert edge["status"] == "active"
    assert edge["activeKey"]
    await write(store, agent_id, Told(), retire(two.id, newer.id, day=3))
    (edge,) = await edges(bolt, agent_id)
    assert edge["status"] == "superseded"
    assert "activeKey" not in edge
    assert edge["validTo"].to_native() == DAY + timedelta(days=3)
    now = Moment(utc_now(), utc_now())
    incoming, outgoing = await store.edges(agent_id, (await _id(store, agent_id, "billing")), 10, now)
    assert (incoming, outgoing) == ([], [])


async def test_retired_edge_stays_in_history_and_a_new_one_is_drawn_beside_it(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told("s")
    old, new = told.fact("billing", "Billing uses Redis."), told.fact("billing", "Billing uses Kafka.", day=1)
    first = told.needs("billing", "redis", old)
    await write(store, agent_id, told)
    await write(store, agent_id, Told(), retire(old.id, new.id))
    again = Told("t")
    back = again.fact("billing", "Billing went back to Redis.", day=2)
    second = again.needs("billing", "redis", back)
    await write(store, agent_id, again, retire(new.id, back.ref, day=2))
    assert [(edge["id"], edge["status"]) for edge in await edges(bolt, agent_id)] == [
        (first.id, "superseded"),
        (second.id, "active"),
    ]


async def test_edge_stated_by_a_fact_of_its_target_is_retired_with_it(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    old, new = told.fact("redis", "Redis serves billing."), told.fact("redis", "Redis serves nobody.", day=1)
    told.needs("billing", "redis", old)
    await write(store, agent_id, told)
    await write(store, agent_id, Told(), retire(old.id, new.id))
    (edge,) = await edges(bolt, agent_id)
    assert edge["status"] == "superseded"


async def test_edges_retired_together_end_each_with_its_own_fact(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    one, two = told.fact("billing", "Billing uses Redis."), told.fact("search", "Search uses Solr.")
    new, newer = told.fact("billing", "Billing uses Kafka.", day=1), told.fact("search", "Search uses Vespa.", day=5)
    told.needs("billing", "redis", one)
    told.needs("search", "solr", two)
    await write(store, agent_id, told)
    await write(store, agent_id, Told(), retire(one.id, new.id, day=1), retire(two.id, newer.id, day=5))
    ended = {edge["source"]: edge["validTo"].to_native() for edge in await edges(bolt, agent_id)}
    assert ended == {"billing": DAY + timedelta(days=1), "search": DAY + timedelta(days=5)}


async def test_edge_drawn_by_hand_outlives_the_facts(
    graphmem: Graphmem, store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    old, new = told.fact("billing", "Billing uses Redis."), told.fact("billing", "Billing uses Kafka.", day=1)
    told.needs("billing", "redis", old)
    await write(store, agent_id, told)
    edge = NewDependency(source="billing", target="redis", type=DependencyType.USES)
    await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), NewDependencies(dependencies=(edge,)))
    await write(store, agent_id, Told(), retire(old.id, new.id))
    (kept,) = await edges(bolt, agent_id)
    assert (kept["status"], kept["confidence"]) == ("active", 0.7)


async def _id(store: KnowledgeStore, agent_id: str, name: str) -> str:
    found = await store.find_entity(agent_id, name)
    assert found is not None
    return found.id


# --- history ----------------------------------------------------------------------------------------------


async def test_change_and_its_history_are_written_together_or_not_at_all(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told()
    old, new = told.fact("billing", "Billing uses Redis."), told.fact("billing", "Billing uses Kafka.", day=1)
    edge = told.needs("billing", "redis", old)
    written = await write(store, agent_id, told)
    assert {event["subjectId"] for event in await events(bolt, agent_id, "attribute_created")} == {old.id, new.id}
    assert {event["subjectId"] for event in await events(bolt, agent_id, "memory_created")} == written.created_memories
    assert [event["subjectId"] for event in await events(bolt, agent_id, "dependency_created")] == [edge.id]
    await write(store, agent_id, Told(), retire(old.id, new.id))
    (event,) = await events(bolt, agent_id, "superseded")
    assert (event["subjectId"], event["reason"], event["actor"]) == (old.id, "said otherwise", "extraction")
    assert json.loads(event["before"]) == {"status": "active"}
    assert json.loads(event["after"])["by"] == new.id
    (before,) = await rows(bolt, "MATCH (e:Event {agent_id: $a}) RETURN count(e) AS n", a=agent_id)
    failing = Told()
    rival = failing.fact("billing", "Billing uses Solr.")
    with pytest.raises(PlanOutdated):
        await write(store, agent_id, failing, retire(old.id, rival.ref))
    (after,) = await rows(bolt, "MATCH (e:Event {agent_id: $a}) RETURN count(e) AS n", a=agent_id)
    assert after == before


async def test_repeat_of_a_lost_answer_writes_everything_once(
    store: KnowledgeStore, bolt: AsyncDriver, agent_id: str
) -> None:
    told = Told("s")
    told.needs("billing", "redis", told.fact("billing", "Billing uses Redis."))
    change, now = told.change(), utc_now()
    first = await store.learn(Caller(agent_id), change, None, now)
    second = await store.learn(Caller(agent_id), change, None, now)
    assert first == second
    assert len(await facts(bolt, agent_id)) == 1
    assert len(await edges(bolt, agent_id)) == 1
    (counted,) = await rows(bolt, "MATCH (e:Event {agent_id: $a}) RETURN count(e) AS n", a=agent_id)
    assert counted["n"] == 3


async def test_worker_seals_history_into_a_chain_that_anyone_can_check(
    graphmem: Graphmem, worker: Worker, bolt: AsyncDriver, agent_id: str
) -> None:
    for n, owner in enumerate(("Mara", "Noor", "Ilse")):
        await remember(graphmem, agent_id, f"{owner} owns billing.", day=n, entity="billing", claimKey="owner")

    async def all_sealed() -> list[dict[str, Any]]:
        events = await rows(
            bolt,
            "MATCH (e:Event {agent_id: $a}) RETURN e.id AS id, e.kind AS kind, e.subjectId AS subjectId, "
            "e.actor AS actor, e.at AS at, e.before AS before, e.after AS after, e.reason AS reason, "
            "e.hash AS hash, e.prevHash AS prevHash, e:Unsealed AS unsealed",
            a=agent_id,
        )
        if not any(event["unsealed"] for event in events):
            return events
        await graphmem.operation.chores.start("seal_events")
        return []

    sealed = await until(all_sealed)
    kinds = Counter(event["kind"] for event in sealed)
    assert (kinds["memory_created"], kinds["attribute_created"], kinds["superseded"]) == (3, 3, 2)
    following = {event["prevHash"]: event for event in sealed}
    last, met = "", []
    while last in following:
        event = following[last]
        told = {key: event[key] for key in ("id", "kind", "subjectId", "actor", "before", "after", "reason")}
        told["at"] = event["at"].to_native().astimezone(UTC).isoformat()
        body = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(f"{last}\n{body}".encode()).hexdigest() == event["hash"]
        last = event["hash"]
        met.append((event["at"], event["id"]))
    assert len(met) == len(sealed)
    assert met == sorted(met)
    assert await rows(bolt, "MATCH (c:EventChain {agent_id: $a}) RETURN c.hash AS hash", a=agent_id) == [{"hash": last}]


async def test_two_sealers_at_once_do_not_fork_the_chain(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    upkeep = graphmem.operation.upkeep
    for n in range(5):
        await remember(graphmem, agent_id, f"Fact number {n} is kept.", entity="billing")
    waiting = await upkeep.unsealed_events(agent_id, utc_now() + timedelta(days=1), 500)
    sealed = [(event["id"], "p", f"hash-{n}") for n, event in enumerate(waiting.events)]
    done = await asyncio.gather(*(upkeep.seal_events(agent_id, waiting.last_hash, sealed) for _ in range(4)))
    assert sorted(done) == [0, 0, 0, len(sealed)]


async def test_what_was_cut_of_a_statement_is_told_once_and_its_level_is_on_every_item(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    given = Remember(content=" ".join(f"{one}lamp-service uses {one}oil-store." for one in "abcdefghijklmn"))
    kept = await graphmem.knowledge.learning.remember(Caller(agent_id), given)
    assert kept.extraction_level == 3
    assert {one.extraction_level for one in (*kept.attributes, *kept.dependencies)} == {3}
    await graphmem.knowledge.learning.remember(Caller(agent_id), given)
    rows, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: 'extraction_cut'}) "
        "RETURN e.subjectId AS about, e.after AS after, e.actor AS actor",
        a=agent_id,
    )
    (told,) = rows
    assert (told["about"], told["actor"]) == (kept.memory.id, "remember")
    after = json.loads(told["after"])
    assert after["level"] == 3
    assert after["cut"]["entities"] == 28 - len(kept.entities)
