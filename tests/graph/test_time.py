"""What held at one time, as the store knew it at another: random histories against plain intervals, and each kind of
read."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.model.caller import Caller
from graphmem.model.change import Change
from graphmem.model.extraction import Extraction
from graphmem.model.inputs import Remember, UndoSupersession
from graphmem.model.knowledge import Supersession
from graphmem.model.stored import Moment
from graphmem.rules.keeping.drafts import Setting, draft_remembered
from graphmem.services.knowledge.extracting import Asked
from tests.histories import Slot, days_to_ask, random_day, random_end

Json = dict[str, Any]
TOGETHER = 100
"""Histories that are told in the same transactions."""


# --- random histories -----------------------------------------------------------------------------------------


async def tell(graphmem: Graphmem, agent_id: str, given: Sequence[Remember]) -> datetime:
    """Keep statements about different entities in one transaction, by the rules and statements that `remember` uses;
    when that was."""
    store, now = KnowledgeStore(graphmem.database), utc_now()
    change = Change(actor="test")
    for one in given:
        drafted = draft_remembered(one, Extraction(), Setting(None, None, now), new_uuid7)
        ref = new_uuid7()
        change = replace(
            change,
            entities=(*change.entities, *drafted.entities),
            memories=(*change.memories, *(replace(row, ref=ref) for row in drafted.memories)),
            attributes=(*change.attributes, *(replace(row, memory_ref=ref) for row in drafted.attributes)),
        )
    known = await store.known(agent_id, [row.canonical for row in change.entities])
    change = await graphmem.knowledge.learning.with_retirements(agent_id, change, known, Asked())
    await store.learn(Caller(agent_id), change, None, now)
    return now


async def play(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, dice: random.Random, count: int) -> int:
    """Tell histories of a slot each, take some of it back, and ask what held when. How many questions were right."""
    names = [f"host of {new_uuid7()[-12:]}" for _ in range(count)]
    slots = {name: Slot() for name in names}
    told: dict[str, list[tuple[datetime, datetime | None, datetime]]] = {name: [] for name in names}
    for number in range(dice.randint(3, 6)):
        given = []
        for name in names:
            begins = random_day(dice)
            given.append(
                Remember(
                    content=f"{name} is number {number}",
                    entity=name,
                    claim_key="host",
                    valid_from=begins,
                    valid_to=random_end(dice, begins),
                )
            )
        at = await tell(graphmem, agent_id, given)
        for name, one in zip(names, given, strict=True):
            assert one.valid_from is not None
            told[name].append((one.valid_from, one.valid_to, at))
    rows, _, _ = await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $a}) RETURN t.content AS content, t.id AS id", a=agent_id
    )
    ids = {row["content"]: row["id"] for row in rows}
    for name, facts in told.items():
        for number, (begins, ends, at) in enumerate(facts):
            slots[name].tell(ids[f"{name} is number {number}"], begins, at, ends)
    store = KnowledgeStore(graphmem.database)
    entity_of = {entity.canonical: entity.id for entity in await store.known(agent_id, names)}
    contents = {id_: content for content, id_ in ids.items()}
    await take_back(graphmem, agent_id, dice, slots.values())
    right = 0
    for name, slot in slots.items():
        moments = [one.known for one in slot.told] + [
            at for since, until, _ in slot.undone.values() for at in (since, until) if at
        ]
        for known_at in dice.sample(moments, 2):
            as_of = dice.choice(days_to_ask(slot, dice))
            aspects = await store.aspects(
                agent_id, entity_of[name], superseded=False, when=Moment(as_of, known_at, is_now=False)
            )
            shown = {fact.content for aspect in aspects for fact in aspect.attributes}
            assert shown == {contents[id_] for id_ in slot.held(as_of, known_at)}, (slot, as_of, known_at)
            right += 1
    return right


async def take_back(graphmem: Graphmem, agent_id: str, dice: random.Random, slots: Iterable[Slot]) -> None:
    """Undo a supersession of some slots, and do some of these again."""
    by_fact = {one.id: slot for slot in slots for one in slot.told}
    caller, page = Caller(agent_id), await graphmem.knowledge.entities.supersessions(agent_id, "applied", 1000, None)
    for one in page.items:
        slot = by_fact.get(one.old_id)
        if slot is None or slot.undone or dice.random() < 0.9:
            continue
        undone = await graphmem.knowledge.superseding.undo(caller, one.id, UndoSupersession())
        slot.undo(one.old_id, one.new_id, _decided(undone))
        if slot.undone[one.old_id][2] is None and dice.random() < 0.5:
            slot.redo(one.old_id, _decided(await graphmem.knowledge.superseding.accept(caller, one.id, None)))


def _decided(one: Supersession) -> datetime:
    assert one.decided_at is not None
    return one.decided_at


async def test_random_histories_are_answered_as_their_intervals_say(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    dice = random.Random(7)
    assert await play(graphmem, bolt, agent_id, dice, TOGETHER) == 2 * TOGETHER


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_a_thousand_random_histories_are_answered_as_their_intervals_say(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    dice = random.Random(11)
    right = [await play(graphmem, bolt, f"{agent_id}-{turn}", dice, TOGETHER) for turn in range(10)]
    assert sum(right) == 2_000


# --- each kind of read ----------------------------------------------------------------------------------------


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def keep(http: httpx.AsyncClient, content: str, valid_from: str, **more: Any) -> Json:
    return await ok(await http.post("/api/memory/remember", json={"content": content, "validFrom": valid_from} | more))


async def lives(http: httpx.AsyncClient, place: str, since: str) -> str:
    """The fact that somebody lives somewhere."""
    more = {"entity": "Ines", "aspect": "home", "claimKey": "lives_in"}
    return str((await keep(http, f"Ines lives in {place}", since, **more))["attributes"][0]["id"])


def shown(aspects: list[Json]) -> list[tuple[str, str, str | None]]:
    return sorted(
        (fact["content"].removeprefix("Ines lives in "), fact["status"], fact["validTo"])
        for aspect in aspects
        for fact in aspect["attributes"]
    )


def day(text: str) -> str:
    return f"{text}T00:00:00Z"


async def test_facts_of_an_entity_on_a_day_have_the_status_and_the_end_of_then(http: httpx.AsyncClient) -> None:
    rome = await lives(http, "Rome", "2020-01-01")
    before = utc_now().isoformat()
    oslo = await lives(http, "Oslo", "2022-01-01")
    ask = {"entity": "Ines", "asOf": "2021-06-01"}
    then = (await ok(await http.post("/api/memory/expand", json=ask)))["aspects"]
    assert shown(then) == [("Rome", "active", day("2022-01-01"))]
    believed = (await ok(await http.post("/api/memory/expand", json=ask | {"knownAt": before})))["aspects"]
    assert shown(believed) == [("Rome", "active", None)]
    still = {"entity": "Ines", "knownAt": before}
    assert shown((await ok(await http.post("/api/memory/expand", json=still)))["aspects"]) == [("Rome", "active", None)]
    later = {"entity": "Ines", "asOf": "2023-01-01", "includeSuperseded": True}
    (aspect,) = (await ok(await http.post("/api/memory/expand", json=later)))["aspects"]
    assert shown([aspect]) == [("Oslo", "active", None), ("Rome", "superseded", day("2022-01-01"))]
    pointers = {fact["id"]: fact["supersededBy"] for fact in aspect["attributes"]}
    assert pointers == {rome: oslo, oslo: None}


@pytest.mark.parametrize(
    ("as_of", "places"),
    [
        ("2019-12-31T23:59:59.999999Z", []),
        ("2020-01-01T00:00:00Z", ["Rome"]),
        ("2020-01-01T02:00:00+02:00", ["Rome"]),
        ("2020-01-01T00:00:00+02:00", []),
        ("2021-12-31T23:59:59.999999Z", ["Rome"]),
        ("2022-01-01", ["Oslo"]),
        ("2100-01-01", ["Oslo"]),
    ],
)
async def test_intervals_are_half_open_in_every_zone(http: httpx.AsyncClient, as_of: str, places: list[str]) -> None:
    await lives(http, "Rome", "2020-01-01")
    await lives(http, "Oslo", "2022-01-01")
    page = await ok(await http.get("/api/graph/entities/Ines", params={"asOf": as_of}))
    assert [place for place, _, _ in shown(page["aspects"])] == places
    page = await ok(await http.get("/api/graph/entities", params={"name": "Ines", "asOf": as_of}))
    assert [place for place, _, _ in shown(page["aspects"])] == places


async def test_of_facts_that_begin_together_only_what_was_told_last_ever_held(http: httpx.AsyncClient) -> None:
    await lives(http, "Oslo", "2023-01-01")
    await lives(http, "Bonn", "2020-01-01")
    await lives(http, "Rome", "2020-01-01")
    page = await ok(await http.get("/api/graph/entities/Ines", params={"asOf": "2021-01-01"}))
    assert shown(page["aspects"]) == [("Rome", "active", day("2023-01-01"))]


async def test_what_was_sent_away_since_was_known_then(http: httpx.AsyncClient) -> None:
    rome = await lives(http, "Rome", "2020-01-01")
    before = utc_now().isoformat()
    await ok(await http.delete(f"/api/memory/{rome}"))
    now = await ok(await http.get("/api/graph/entities/Ines", params={"asOf": "2021-01-01"}))
    assert shown(now["aspects"]) == []
    then = await ok(await http.get("/api/graph/entities/Ines", params={"asOf": "2021-01-01", "knownAt": before}))
    assert [place for place, _, _ in shown(then["aspects"])] == ["Rome"]


async def test_an_entity_is_unknown_before_it_was_met(http: httpx.AsyncClient) -> None:
    before = utc_now().isoformat()
    await lives(http, "Rome", "2020-01-01")
    unknown = await http.get("/api/graph/entities/Ines", params={"knownAt": before})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "entity_not_found")
    assert "knownAt" in unknown.json()["detail"]
    for ask in ({}, {"q": "Ines"}):
        listed = await ok(await http.get("/api/graph/entities", params=ask | {"knownAt": before}))
        assert listed["items"] == []


async def test_counts_in_a_list_are_of_the_day_that_is_asked_for(graphmem: Graphmem, http: httpx.AsyncClient) -> None:
    await lives(http, "Rome", "2020-01-01")
    await keep(http, "Ines must never be called before noon", "2021-01-01", entity="Ines", kind="constraint")
    await graphmem.operation.upkeep.refresh_text()
    for ask in ({}, {"q": "Ines"}):
        counts = []
        for as_of in ("2019-01-01", "2020-06-01", "2022-01-01"):
            items = (await ok(await http.get("/api/graph/entities", params=ask | {"asOf": as_of})))["items"]
            (entity,) = (item for item in items if item["name"] == "Ines")
            counts.append((entity["attributeCount"], entity["constraintCount"]))
        assert counts == [(0, 0), (1, 0), (1, 1)]


async def recalled(http: httpx.AsyncClient, query: str, **how: Any) -> dict[str, Json]:
    ask = {"query": query, "limit": 50} | how
    hits = (await ok(await http.post("/api/memory/recall", json=ask)))["hits"]
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    return {f"{hit['kind']}: {hit['text']}": hit for hit in hits}


async def test_recall_answers_with_what_held_and_was_known(graphmem: Graphmem, http: httpx.AsyncClient) -> None:
    rome = await lives(http, "Rome", "2020-01-01")
    before = utc_now().isoformat()
    oslo = await lives(http, "Oslo", "2022-01-01")
    await graphmem.operation.upkeep.refresh_text()
    knowledge = {"kinds": ["memory", "attribute"]}
    for ask, place, end in (
        ({"asOf": "2021-01-01"}, "Rome", day("2022-01-01")),
        ({"knownAt": before}, "Rome", None),
        ({"asOf": "2023-01-01"}, "Oslo", None),
        ({}, "Oslo", None),
    ):
        for kind in ("memory", "attribute"):
            hits = await recalled(http, "Where does Ines live?", **ask, kinds=[kind])
            assert set(hits) == {f"{kind}: Ines lives in {place}"}
            assert {(hit["status"], hit["validTo"]) for hit in hits.values()} == {("active", end)}
        together = await recalled(http, "Where does Ines live?", **ask, **knowledge)
        assert set(together) == {f"attribute: Ines lives in {place}"}, "a statement and its fact are one hit"
    assert await recalled(http, "Where does Ines live?", asOf="2019-01-01", **knowledge) == {}
    both = await recalled(http, "Where does Ines live?", asOf="2023-01-01", includeSuperseded=True, **knowledge)
    assert [hit["status"] for hit in both.values()] == ["active", "superseded", "superseded"]
    assert {hit["supersededBy"] for hit in both.values() if hit["status"] == "superseded"} == {oslo}
    assert both["attribute: Ines lives in Rome"]["id"] == rome


async def test_messages_are_those_that_were_in_by_then_and_marked_by_what_held(
    graphmem: Graphmem, http: httpx.AsyncClient
) -> None:
    async def say(message_id: str, text: str, when: str) -> None:
        message = {"messageId": message_id, "role": "user", "name": "Ines", "content": text, "createdAt": when}
        await ok(await http.post("/api/sessions/chat/messages", json={"messages": [message]}))
        await ok(await http.post("/api/sessions/chat/end", params={}, json={"wait": False}))
        while (await graphmem.worker().work_once()) or (await graphmem.worker().embed_once()):
            pass

    await say("m1", "I live in Rome.", "2020-01-01T00:00:00Z")
    before = utc_now().isoformat()
    await say("m2", "I moved to Oslo, I live in Oslo now.", "2022-01-01T00:00:00Z")
    await graphmem.operation.upkeep.refresh_text()
    ask = {"query": "Where does Ines live?", "kinds": ["message"]}

    async def statuses(**when: str) -> dict[str, str]:
        hits = (await ok(await http.post("/api/memory/recall", json=ask | when)))["hits"]
        return {hit["messageIds"][0]: hit["status"] for hit in hits}

    assert await statuses() == {"m2": "active", "m1": "superseded"}
    assert list(await statuses()) == ["m2", "m1"], "what no longer holds ranks below what does"
    assert (await statuses(asOf="2021-01-01"))["m1"] == "active"
    assert await statuses(knownAt=before) == {"m1": "active"}


async def test_edges_are_those_of_the_day_also_after_they_came_back(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient
) -> None:
    """An edge that rests on a fact ends with it, and holds again when that is undone; what was believed meanwhile
    stays known."""
    uses = "checkout-api uses PostgreSQL"
    old = await keep(http, uses, "2020-01-01", entity="checkout-api", claimKey="store")
    assert [edge["target"]["name"] for edge in old["dependencies"]] == ["PostgreSQL"]
    made = utc_now().isoformat()
    new = await keep(http, "checkout-api uses MariaDB", "2022-01-01", entity="checkout-api", claimKey="store")
    (record,) = new["superseded"]
    ended = utc_now().isoformat()
    await ok(await http.post(f"/api/memory/supersessions/{record['id']}/undo", json={}))

    async def targets(**when: str) -> tuple[set[str], set[str], set[str]]:
        page = await ok(await http.get("/api/graph/entities/checkout-api", params=when))
        outgoing = {edge["target"]["name"] for edge in page["dependencies"]["outgoing"]}
        ask = {"entityId": "checkout-api", "direction": "downstream", "minConfidence": 0.1} | when
        walked = await ok(await http.post("/api/graph/impact", json=ask))
        reached = {entity["name"] for group in walked["groups"] for entity in group["entities"]}
        expanded = await ok(await http.post("/api/memory/expand", json={"entity": "checkout-api"} | when))
        return outgoing, reached, {edge["target"]["name"] for edge in expanded["dependencies"]}

    for when, expected in (
        ({"knownAt": made}, {"PostgreSQL"}),
        ({"knownAt": ended}, {"MariaDB"}),
        ({"knownAt": ended, "asOf": "2021-01-01"}, {"PostgreSQL"}),
        ({"asOf": "2021-01-01"}, {"PostgreSQL"}),
        ({"asOf": "2023-01-01"}, {"PostgreSQL", "MariaDB"}),
        ({"asOf": "2019-01-01"}, set()),
        ({}, {"PostgreSQL", "MariaDB"}),
    ):
        assert await targets(**when) == (expected, expected, expected), when
    page = await ok(await http.get("/api/graph/entities/PostgreSQL", params={"knownAt": made}))
    assert [edge["source"]["name"] for edge in page["dependencies"]["incoming"]] == ["checkout-api"]
    ask = {"entityId": "PostgreSQL", "minConfidence": 0.1, "knownAt": ended}
    assert (await ok(await http.post("/api/graph/impact", json=ask)))["total"] == 0


@pytest.mark.parametrize("name", ["asOf", "knownAt"])
async def test_a_time_without_a_zone_is_refused_everywhere(http: httpx.AsyncClient, name: str) -> None:
    given = {name: "2026-01-01T10:00:00"}
    answers = [
        await http.post("/api/memory/recall", json={"query": "x"} | given),
        await http.post("/api/memory/expand", json={"entity": "x"} | given),
        await http.post("/api/graph/impact", json={"entityId": "x"} | given),
        await http.get("/api/graph/entities", params=given),
        await http.get("/api/graph/entities/x", params=given),
    ]
    assert [answer.status_code for answer in answers] == [422] * 5
    assert all(answer.json()["errors"][0]["loc"][-1] == name for answer in answers)


async def test_what_a_roll_back_took_away_was_believed_until_then(http: httpx.AsyncClient) -> None:
    await lives(http, "Rome", "2020-01-01")
    known = utc_now().isoformat()
    await lives(http, "Oslo", "2022-01-01")
    before = utc_now().isoformat()
    body = {"entityId": "Ines", "to": known, "dryRun": False}
    rolled = await ok(await http.post("/api/repair/rollback", json=body))
    after = utc_now().isoformat()
    await ok(await http.post(f"/api/repair/rollbacks/{rolled['id']}/undo", json={}))
    for when, place, end in (
        ({"knownAt": before}, "Oslo", None),
        ({"knownAt": before, "asOf": "2021-01-01"}, "Rome", day("2022-01-01")),
        ({"knownAt": after}, "Rome", None),
        ({"knownAt": after, "asOf": "2021-01-01"}, "Rome", None),
        ({}, "Oslo", None),
        ({"asOf": "2021-01-01"}, "Rome", day("2022-01-01")),
    ):
        page = await ok(await http.get("/api/graph/entities/Ines", params=when))
        assert shown(page["aspects"]) == [(place, "active", end)], when
