"""Confidences of dependencies move by what was learned since, tell why, and go back."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.knowledge.confidence import LivingStore
from graphmem.graph.statements import statement
from graphmem.model.living import Vitality
from graphmem.rules.impact.confidence import confirmed
from graphmem.services.knowledge.confidence import CHORE, LivingConfidence
from graphmem.services.ports import ColdTier
from tests.agents import learn, snapshot

Json = dict[str, Any]
SAID = "lamp-service depends on wick-service."


class OneAgent:
    """As if there were no agent beside this one."""

    def __init__(self, agent_id: str) -> None:
        self._agent_id = agent_id

    async def agent_after(self, after: str) -> str | None:
        return None if after else self._agent_id


@dataclass
class Marked:
    """Marks of this test alone."""

    marks: dict[str, tuple[str, str] | None] = field(default_factory=dict)

    async def mark(self, chore: str) -> tuple[str, str] | None:
        return self.marks.get(chore)

    async def note_mark(self, chore: str, mark: tuple[str, str] | None) -> None:
        self.marks[chore] = mark


async def lives(graphmem: Graphmem, agent_id: str, days: float = 0, vitality: Vitality | None = None) -> None:
    """The chore, to its end, so many days from now."""

    def clock() -> datetime:
        return utc_now() + timedelta(days=days)

    agents = cast(ColdTier, OneAgent(agent_id))
    chore = LivingConfidence(LivingStore(graphmem.database), Marked(), agents, vitality or Vitality(), clock, new_uuid7)
    while await chore.step():
        pass


async def edge(http: httpx.AsyncClient, source: str, target: str) -> Json:
    answer = await http.get(f"/api/graph/entities/{source}")
    assert answer.status_code == 200, answer.text
    (found,) = [one for one in answer.json()["dependencies"]["outgoing"] if one["target"]["name"] == target]
    return cast(Json, found)


async def moved(http: httpx.AsyncClient, id_: str) -> list[Json]:
    items = (await http.get(f"/api/memory/{id_}/history")).json()["items"]
    return [item for item in items if item["kind"] == "confidence_moved"]


async def test_each_session_makes_surer_at_once_and_the_chore_leaves_it(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    confidences = []
    for day in range(4):
        await learn(graphmem, agent_id, f"s{day}", SAID)
        confidences.append((await edge(http, "lamp-service", "wick-service"))["confidence"])
    assert confidences == [confirmed(confidences[0], sources, Vitality()) for sources in (1, 2, 3, 4)]
    assert 0.7 <= confidences[0] < confidences[1] < confidences[2] < confidences[3] < 1
    before = await snapshot(bolt, agent_id)
    await lives(graphmem, agent_id)
    assert await snapshot(bolt, agent_id) == before
    found = await edge(http, "lamp-service", "wick-service")
    assert await moved(http, found["id"]) == []
    described = (await http.get(f"/api/describe/{found['id']}")).json()
    assert described["counts"]["sources"] == 4
    assert described["metadata"]["why"].startswith("read by a rule, clarity 0.")


async def test_what_nobody_says_fades_and_one_confirmation_brings_it_back(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s1", SAID)
    first = (await edge(http, "lamp-service", "wick-service"))["confidence"]
    await lives(graphmem, agent_id, days=731)
    found = await edge(http, "lamp-service", "wick-service")
    assert found["confidence"] == pytest.approx(first / 2)
    described = (await http.get(f"/api/describe/{found['id']}")).json()
    assert described["metadata"]["givenConfidence"] == first
    await learn(graphmem, agent_id, "s2", SAID)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == confirmed(first, 2, Vitality())
    await lives(graphmem, agent_id)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == confirmed(first, 2, Vitality())


async def test_good_feedback_keeps_it_from_fading(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    await learn(graphmem, agent_id, "s1", SAID)
    id_ = (await edge(http, "lamp-service", "wick-service"))["id"]
    assert (await http.post("/api/memory/feedback", json={"items": [{"id": id_, "score": 1}]})).status_code == 200
    store = LivingStore(graphmem.database)
    _, (standing,) = await store.edges(agent_id, "", 10)
    assert standing.used_at
    assert standing.used_at > standing.said_at


async def test_a_contradiction_of_one_support_lowers_and_its_undoing_raises(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s1", SAID, "lamp-service uses wick-service 3.")
    found = await edge(http, "lamp-service", "wick-service")
    await bolt.execute_query(
        "MATCH ()-[d:DEPENDS_ON {agent_id: $a, id: $id}]->() "
        "CREATE (:Supersession {agent_id: $a, id: 's', oldId: d.attributeIds[0], newId: 'x', status: 'proposed', "
        "createdAt: datetime() + duration('PT1S')})",
        a=agent_id,
        id=found["id"],
    )
    await lives(graphmem, agent_id)
    first, lowered = found["confidence"], round(0.7 * found["confidence"], 4)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == lowered
    assert (await moved(http, found["id"]))[-1]["reason"] == f"given {first:g}; 1 contradiction since: {lowered:g}"
    await bolt.execute_query("MATCH (s:Supersession {agent_id: $a, id: 's'}) SET s.status = 'rejected'", a=agent_id)
    await lives(graphmem, agent_id)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == first


async def test_an_ended_edge_of_the_same_pair_is_a_contradiction(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s1", SAID)
    await bolt.execute_query(
        "MATCH (a)-[d:DEPENDS_ON {agent_id: $a}]->(b) CREATE (a)-[o:DEPENDS_ON {agent_id: $a, id: 'ended', "
        "type: 'uses', status: 'superseded', confidence: 0.7, retiredAt: datetime() + duration('PT1S')}]->(b)",
        a=agent_id,
    )
    first = (await edge(http, "lamp-service", "wick-service"))["confidence"]
    await lives(graphmem, agent_id)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == pytest.approx(0.7 * first)


async def test_what_a_person_says_stays_and_gets_back_what_was_lowered(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    body = {"dependencies": [{"source": "lamp-service", "target": "oil-store"}]}
    await http.put("/api/graph/dependencies", json=body)
    await learn(graphmem, agent_id, "s1", SAID)
    first = (await edge(http, "lamp-service", "wick-service"))["confidence"]
    await lives(graphmem, agent_id, days=3000)
    assert (await edge(http, "lamp-service", "oil-store"))["confidence"] == 1.0
    lowered = await edge(http, "lamp-service", "wick-service")
    assert lowered["confidence"] == 0.1
    body = {"dependencies": [{"source": "lamp-service", "target": "wick-service", "type": lowered["type"]}]}
    await http.put("/api/graph/dependencies", json=body)
    await lives(graphmem, agent_id, days=3000)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == first


async def test_talk_leaves_the_confidence_that_a_person_gave(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    body = {"dependencies": [{"source": "lamp-service", "target": "wick-service", "confidence": 0.5}]}
    await http.put("/api/graph/dependencies", json=body)
    for session in ("s1", "s2"):
        await learn(graphmem, agent_id, session, SAID)
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == 0.5


async def test_switched_off_it_gives_everything_back(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s1", SAID, "lamp-service uses oil-store.")
    before = await snapshot(bolt, agent_id)
    await lives(graphmem, agent_id, days=3000)
    assert await snapshot(bolt, agent_id) != before
    await lives(graphmem, agent_id, days=3000, vitality=Vitality(enabled=False))
    assert await snapshot(bolt, agent_id) == before


async def test_what_was_written_since_it_was_looked_at_is_left_alone(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s1", SAID)
    first = (await edge(http, "lamp-service", "wick-service"))["confidence"]
    store = LivingStore(graphmem.database)

    class Meanwhile(LivingStore):
        async def edges(self, agent_id: str, after: str, limit: int) -> Any:
            seen = await store.edges(agent_id, after, limit)
            if not after:
                await learn(graphmem, agent_id, "s2", SAID)
            return seen

    chore = LivingConfidence(
        Meanwhile(graphmem.database),
        Marked(),
        cast(ColdTier, OneAgent(agent_id)),
        Vitality(),
        lambda: utc_now() + timedelta(days=731),
        new_uuid7,
    )
    assert await chore.step()
    assert (await edge(http, "lamp-service", "wick-service"))["confidence"] == confirmed(first, 2, Vitality())


async def test_a_run_that_was_broken_off_goes_on_where_it_came(graphmem: Graphmem, agent_id: str) -> None:
    store = LivingStore(graphmem.database)
    name = f"{CHORE}-{agent_id}"
    assert await store.mark(name) is None
    await store.note_mark(name, (agent_id, "0199"))
    assert await store.mark(name) == (agent_id, "0199")
    await store.note_mark(name, None)
    assert await store.mark(name) is None


async def test_edges_come_in_pages_and_those_of_people_are_passed_over(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    edges = [{"source": "lamp-service", "target": f"store-{n}"} for n in range(3)]
    await http.put("/api/graph/dependencies", json={"dependencies": edges})
    await learn(graphmem, agent_id, "s1", SAID)
    store = LivingStore(graphmem.database)
    after, met, pages = "", [], 0
    while True:
        last, found = await store.edges(agent_id, after, 2)
        met += [one.id for one in found]
        if last is None:
            break
        after, pages = last, pages + 1
    assert (pages, len(met)) == (2, 1)


async def test_looking_for_edges_reads_an_index(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    _, summary, _ = await bolt.execute_query(
        "EXPLAIN " + statement("living/edges").text, agent_id=agent_id, after="", limit=10
    )
    plan = summary.plan["args"]["string-representation"]
    assert "[d:DEPENDS_ON(agent_id, id)]" in plan
    assert "Top" not in plan, "the page comes in the order of the index"
    assert "[o:DEPENDS_ON(" not in plan, "only edges of the pair are compared"
