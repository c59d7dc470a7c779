"""One real thing, one node: entities are made and changed by hand, merged, proposed to be, and parted again as they
were."""

import asyncio
import random
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from tests.agents import learn, snapshot

Json = dict[str, Any]


async def ok(response: httpx.Response, *statuses: int) -> Json:
    assert response.status_code in (statuses or (200,)), response.text
    body: Json = response.json()
    return body


async def conflict(response: httpx.Response, code: str = "conflict") -> str:
    assert (response.status_code, response.json()["code"]) == (409, code), response.text
    return str(response.json()["detail"])


async def make(http: httpx.AsyncClient, name: str, **more: Any) -> Json:
    return await ok(await http.post("/api/graph/entities", json={"name": name} | more), 200, 201)


async def remember(http: httpx.AsyncClient, content: str, **more: Any) -> Json:
    return await ok(await http.post("/api/memory/remember", json={"content": content} | more), 200, 201)


async def page(http: httpx.AsyncClient, id_or_name: str) -> Json:
    return await ok(await http.get(f"/api/graph/entities/{id_or_name}"))


async def id_of(http: httpx.AsyncClient, name: str) -> str:
    return str((await page(http, name))["entity"]["id"])


async def merge(http: httpx.AsyncClient, one: str, other: str, **why: str) -> Json:
    return await ok(await http.post(f"/api/graph/entities/{one}/merge", json={"intoId": other} | why))


async def undo(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.post(f"/api/graph/merges/{id_}/undo"))


async def merges(http: httpx.AsyncClient, **how: Any) -> list[Json]:
    items: list[Json] = (await ok(await http.get("/api/graph/merges", params=how)))["items"]
    return items


async def draw(http: httpx.AsyncClient, *edges: Json) -> list[Json]:
    items: list[Json] = (await ok(await http.put("/api/graph/dependencies", json={"dependencies": edges})))["items"]
    return items


async def history(http: httpx.AsyncClient, id_: str) -> list[Json]:
    items: list[Json] = (await ok(await http.get(f"/api/memory/{id_}/history")))["items"]
    return items


async def faults(http: httpx.AsyncClient) -> list[Json]:
    """What the doctor calls an error."""
    findings: list[Json] = (await ok(await http.get("/api/doctor")))["findings"]
    return [one for one in findings if one["severity"] == "error"]


def facts(found: Json) -> dict[str, Json]:
    return {fact["content"]: fact for aspect in found["aspects"] for fact in aspect["attributes"]}


# --- made and changed by hand -----------------------------------------------------------------------------


async def test_an_entity_is_made_once_and_completed_by_any_of_its_names(http: httpx.AsyncClient) -> None:
    given = {"name": "wick-service", "type": "system", "aliases": ["wicks", "The Wicker"]}
    made = await http.post("/api/graph/entities", json=given)
    first = await ok(made, 201)
    assert (first["created"], first["type"], first["aliases"]) == (True, "system", ["The Wicker", "wicks"])
    again = await http.post("/api/graph/entities", json={"name": "Wicker", "aliases": ["wickery"], "pinned": True})
    second = await ok(again, 200)
    assert (second["id"], second["created"], second["pinned"], second["type"]) == (first["id"], False, True, "system")
    assert second["aliases"] == ["The Wicker", "wickery", "wicks"]
    third = await make(http, "unheard-of", aliases=["Wick_Service"], type="tool")
    assert (third["id"], third["type"]) == (first["id"], "system"), "an alias that is known leads to it, its type stays"
    assert (await page(http, "unheard of"))["entity"]["id"] == first["id"]
    assert [one["kind"] for one in await history(http, first["id"])] == [
        "entity_created",
        "entity_changed",
        "entity_changed",
    ]
    await http.get("/api/status")
    found = (await ok(await http.get("/api/graph/entities", params={"q": "wickery"})))["items"]
    assert [one["id"] for one in found] == [first["id"]]


async def test_names_that_lead_to_two_entities_are_refused_and_nothing_is_written(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    one, other = await make(http, "wick-service"), await make(http, "oil-store")
    before = await snapshot(bolt, agent_id)
    refused = await http.post("/api/graph/entities", json={"name": "wick-service", "aliases": ["new", "oil store"]})
    assert other["id"] in await conflict(refused, "name_taken")
    assert "merge" in refused.json()["detail"]
    path = f"/api/graph/entities/{one['id']}"
    await conflict(await http.patch(path, json={"aliases": ["oil-store"]}), "name_taken")
    assert await snapshot(bolt, agent_id) == before


async def test_an_entity_is_changed_and_its_history_tells_it(http: httpx.AsyncClient) -> None:
    made = await make(http, "wick-service", aliases=["wicks", "wicker"])
    path = f"/api/graph/entities/{made['id']}"
    key = {"Idempotency-Key": "once"}
    body = {"aliases": ["wicker", "Wickery", "WICK service"], "pinned": True, "type": "system"}
    changed = await ok(await http.patch(path, json=body, headers=key))
    assert changed == {k: v for k, v in made.items() if k != "created"} | {
        "aliases": ["Wickery", "wicker"],
        "pinned": True,
        "type": "system",
    }
    again = await http.patch(path, json=body, headers=key)
    assert (again.json(), again.headers["Idempotency-Replayed"]) == (changed, "true")
    assert (await page(http, "wickery"))["entity"] == changed
    assert (await http.get("/api/graph/entities/wicks")).status_code == 404
    (told,) = [one for one in await history(http, made["id"]) if one["kind"] == "entity_changed"]
    assert told["before"] == {"type": "unknown", "pinned": False, "aliases": ["wicker", "wicks"]}
    assert told["after"] == {"type": "system", "pinned": True, "aliases": ["Wickery", "wicker"]}
    cleared = await ok(await http.patch(path, json={"aliases": [], "pinned": False}))
    assert (cleared["aliases"], cleared["pinned"], cleared["name"]) == ([], False, "wick-service")
    assert await id_of(http, "wick-service") == made["id"], "its own name stays"
    other = await make(http, "wicker")
    assert other["id"] != made["id"], "a name that was let go is free"
    assert (await http.patch(path, json={})).status_code == 422
    assert (await http.patch("/api/graph/entities/unknown", json={"pinned": True})).status_code == 404


async def test_a_dependency_is_retired_for_good(http: httpx.AsyncClient) -> None:
    (edge,) = await draw(http, {"source": "wick-service", "target": "oil-store"})
    path = f"/api/graph/dependencies/{edge['id']}"
    receipt = await ok(await http.delete(path, params={"reason": "it burns gas now"}))
    assert (receipt["kind"], receipt["status"], receipt["note"]) == ("dependency", "deleted", "it burns gas now")
    assert await ok(await http.delete(path)) == receipt
    assert (await http.delete("/api/graph/dependencies/unknown")).status_code == 404
    assert (await page(http, "wick-service"))["dependencies"] == {"incoming": [], "outgoing": []}
    reached = await ok(await http.post("/api/graph/impact", json={"entityId": "oil-store", "minConfidence": 0}))
    assert reached["total"] == 0
    seen = await ok(await http.post("/api/memory/expand", json={"entity": "wick-service"}))
    assert seen["dependencies"] == []
    (anew,) = await draw(http, {"source": "wick-service", "target": "oil-store"})
    assert anew["id"] != edge["id"], "what is drawn again is another edge"


async def test_a_retired_dependency_does_not_come_back_with_its_memory(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "wick-service depends on oil-store.", entity="wick-service")
    memory, edge = kept["memory"]["id"], kept["dependencies"][0]["id"]
    await ok(await http.delete(f"/api/memory/{memory}"))
    await ok(await http.delete(f"/api/graph/dependencies/{edge}"))
    await ok(await http.post(f"/api/memory/{memory}/restore"))
    assert (await page(http, "wick-service"))["dependencies"]["outgoing"] == []


# --- merged and parted ------------------------------------------------------------------------------------


async def told_of_two(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> tuple[str, str]:
    """Two entities that are one, with everything that can hang on them, some of it the same; the ids of both."""
    await learn(
        graphmem, agent_id, "s", "lamp-service uses Redis.", "lantern uses Redis. lamp-service uses PostgreSQL."
    )
    await graphmem.knowledge.learning.summarise_session(agent_id, "s")
    for name in ("lamp-service", "lantern"):
        await remember(http, f"{name} has an owner", entity=name, aspect="Ownership")
        await remember(http, "It is written in Go", entity=name, aspect="code", pinned=name == "lamp-service")
        await remember(http, f"{name} runs on port {len(name)}080", entity=name, aspect=f"{name} net")
    await remember(http, "lamp-service runs on port 9090", entity="lamp-service", aspect="slot", claimKey="port")
    await remember(http, "lamp-service runs on port 9091", entity="lamp-service", aspect="slot", claimKey="port")
    gone = await remember(http, "lamp-service is slow", entity="lamp-service")
    await ok(await http.delete(f"/api/memory/{gone['memory']['id']}"))
    await draw(
        http,
        {"source": "lamp-service", "target": "oil-store", "confidence": 0.9},
        {"source": "lantern", "target": "oil-store", "confidence": 0.6},
        {"source": "porch", "target": "lamp-service", "confidence": 0.5},
        {"source": "porch", "target": "lantern", "confidence": 0.8},
        {"source": "lamp-service", "target": "lantern"},
        {"source": "lantern", "target": "lamp-service", "type": "informs"},
        {"source": "lamp-service", "target": "wick-service", "type": "calls"},
    )
    await make(http, "lamp-service", aliases=["lamps"], pinned=True, type="system")
    return await id_of(http, "lamp-service"), await id_of(http, "lantern")


async def test_two_that_are_one_have_all_that_both_had(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    lamp, lantern = await told_of_two(graphmem, http, agent_id)
    before = {id_: await page(http, id_) for id_ in (lamp, lantern)}
    done = await merge(http, lamp, lantern, reason="renamed in March")
    assert (done["fromId"], done["intoId"], done["status"], done["method"]) == (lamp, lantern, "applied", "user")
    assert (done["fromName"], done["intoName"], done["reason"]) == ("lamp-service", "lantern", "renamed in March")
    assert done["decidedAt"]
    assert await merge(http, lamp, lantern) == done, "done once"
    assert await merge(http, lantern, lamp) == done, "whichever is named first"

    now = await page(http, lantern)
    for name in (lamp, "lamp-service", "lamps", "Lantern"):
        assert await page(http, name) == now
    assert {"lamp-service", "lamps"} <= set(now["entity"]["aliases"])
    assert now["entity"]["pinned"]
    assert set(facts(now)) == {content for one in before.values() for content in facts(one)}
    assert all(fact["entityId"] == lantern for fact in facts(now).values())
    twins = [facts(before[id_])["It is written in Go"] for id_ in (lamp, lantern)]
    united = facts(now)["It is written in Go"]
    assert united["id"] == twins[1]["id"]
    assert set(united["memoryIds"]) == {id_ for twin in twins for id_ in twin["memoryIds"]}
    assert united["pinned"]
    stays = await ok(await http.get(f"/api/memory/{twins[0]['id']}"))
    assert (stays["status"], stays["coldSourceId"]) == ("cold", united["id"])
    names = [aspect["name"] for aspect in now["aspects"]]
    assert len(names) == len(set(names)), "aspects of one name are one"

    ends = now["dependencies"]
    assert {(e["source"]["name"], e["type"], e["confidence"]) for e in ends["incoming"]} == {
        ("porch", "depends_on", 0.8)
    }
    out = {(e["target"]["name"], e["type"]): e["confidence"] for e in ends["outgoing"]}
    assert out[("oil-store", "depends_on")] == 0.9
    assert ("wick-service", "calls") in out
    assert "lantern" not in {name for name, _ in out}, "nothing needs itself"
    reached = await ok(await http.post("/api/graph/impact", json={"entityId": "oil-store", "minConfidence": 0}))
    assert [[one["name"] for one in group["entities"]] for group in reached["groups"]] == [["lantern"], ["porch"]]
    listed = {one["name"]: one for one in (await ok(await http.get("/api/graph/entities")))["items"]}
    assert "lamp-service" not in listed
    assert listed["lantern"]["mentions"] >= 4
    assert (await ok(await http.get(f"/api/describe/{lamp}")))["id"] == lantern
    assert {one["kind"] for one in await history(http, lamp)} == {"entity_changed", "entity_merged"}
    later = await remember(http, "lamp-service is loud", entity="lamp-service")
    assert [one["id"] for one in later["entities"]] == [lantern], "who speaks of it means the survivor"


async def test_undoing_a_merge_leaves_everything_as_it_was(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    lamp, lantern = await told_of_two(graphmem, http, agent_id)
    before = await snapshot(bolt, agent_id)
    for one, other in ((lamp, lantern), (lantern, lamp), (lamp, lantern)):
        done = await merge(http, one, other)
        assert await snapshot(bolt, agent_id) != before
        back = await undo(http, done["id"])
        assert (back["status"], back["id"]) == ("undone", done["id"])
        assert await snapshot(bolt, agent_id) == before
        assert await undo(http, done["id"]) == back
    assert [one["status"] for one in await merges(http)].count("undone") == 1, "a pair has one record"
    assert [one["kind"] for one in await history(http, lantern)].count("entity_parted") == 3


async def test_what_came_after_the_merge_stays_with_the_survivor(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    lamp, lantern = await told_of_two(graphmem, http, agent_id)
    mine = set(facts(await page(http, lamp)))
    done = await merge(http, lamp, lantern)
    assert await faults(http) == []
    await remember(http, "lamp-service is loud", entity="lamp-service", aspect="lamp-service net")
    await draw(http, {"source": "lamp-service", "target": "attic"})
    await ok(await http.patch(f"/api/graph/entities/{lantern}", json={"aliases": ["lamp-service", "lamps", "glow"]}))
    await undo(http, done["id"])
    left, stayed = await page(http, lamp), await page(http, lantern)
    assert set(facts(left)) == mine
    assert "lamp-service is loud" in facts(stayed)
    assert [e["target"]["name"] for e in stayed["dependencies"]["outgoing"]].count("attic") == 1
    assert "attic" not in [e["target"]["name"] for e in left["dependencies"]["outgoing"]]
    assert (left["entity"]["aliases"], await id_of(http, "glow")) == (["lamps"], lantern)
    assert await faults(http) == []


async def test_what_lost_its_memory_meanwhile_is_cold_when_it_stands_by_itself_again(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    said = "It is dry"
    first = (await remember(http, said, entity="wick-service"))["memory"]["id"]
    await ok(await http.delete(f"/api/memory/{first}"))
    second = (await remember(http, said, entity="lamp-service"))["memory"]["id"]
    await ok(await http.post(f"/api/memory/{first}/restore"))
    drawn = [
        await remember(http, f"{name} depends on oil-store.", entity=name) for name in ("wick-service", "lamp-service")
    ]
    assert [len(one["dependencies"]) for one in drawn] == [1, 1]
    start = await snapshot(bolt, agent_id)
    done = await merge(http, await id_of(http, "wick-service"), await id_of(http, "lamp-service"))
    gone = (second, drawn[0]["memory"]["id"])  # of the fact that lives on, and of the edge
    for id_ in gone:
        await ok(await http.delete(f"/api/memory/{id_}"))
    now = await page(http, "wick-service")
    assert said in facts(now)
    assert [edge["target"]["name"] for edge in now["dependencies"]["outgoing"]] == ["oil-store"]
    await undo(http, done["id"])
    left, stayed = await page(http, "wick-service"), await page(http, "lamp-service")
    assert (said in facts(left), said in facts(stayed)) == (True, False)
    assert (len(left["dependencies"]["outgoing"]), len(stayed["dependencies"]["outgoing"])) == (0, 1)
    for id_ in gone:
        await ok(await http.post(f"/api/memory/{id_}/restore"))
    assert await snapshot(bolt, agent_id) == start


async def test_merges_into_one_are_undone_from_the_last(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    ids = {}
    for name in ("a-store", "b-store", "c-store"):
        kept = await remember(http, "It is dry", entity=name)
        ids[name] = kept["attributes"][0]["entityId"]
        await draw(http, {"source": name, "target": "cellar"}, {"source": "a-store", "target": "b-store"})
    a, b, c = ids.values()
    start = await snapshot(bolt, agent_id)
    first = await merge(http, a, b)
    middle = await snapshot(bolt, agent_id)
    second = await merge(http, b, c)
    assert await id_of(http, a) == c, "what was merged twice leads to the last"
    assert second["id"] in await conflict(await http.post(f"/api/graph/merges/{first['id']}/undo"))
    assert b in await conflict(await http.post(f"/api/graph/entities/{a}/merge", json={"intoId": c}))
    await conflict(await http.patch(f"/api/graph/entities/{b}", json={"pinned": True}))
    await undo(http, second["id"])
    assert await snapshot(bolt, agent_id) == middle
    third = await merge(http, c, b)
    assert third["id"] in await conflict(await http.post(f"/api/graph/merges/{first['id']}/undo"))
    await undo(http, third["id"])
    await undo(http, first["id"])
    assert await snapshot(bolt, agent_id) == start


async def test_merges_of_neighbours_are_undone_from_the_last_and_others_in_any_order(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    ids = {name: (await make(http, name))["id"] for name in ("ash", "birch", "cedar", "dogwood")}
    await draw(
        http,
        {"source": "ash", "target": "cedar", "confidence": 0.9},
        {"source": "birch", "target": "cedar", "confidence": 0.7},
        {"source": "birch", "target": "dogwood", "confidence": 0.8},
        {"source": "dogwood", "target": "ash"},
    )
    start = await snapshot(bolt, agent_id)
    first, second = await merge(http, ids["ash"], ids["birch"]), await merge(http, ids["cedar"], ids["dogwood"])
    edges = (await page(http, "birch"))["dependencies"]
    assert [len(edges["incoming"]), len(edges["outgoing"])] == [1, 1]
    assert second["id"] in await conflict(await http.post(f"/api/graph/merges/{first['id']}/undo"))
    await undo(http, second["id"])
    aside = await merge(http, (await make(http, "elm"))["id"], (await make(http, "fir"))["id"])
    await undo(http, first["id"])
    await undo(http, aside["id"])
    assert [one for one in await snapshot(bolt, agent_id) if one in start] == start


@pytest.mark.parametrize("seed", range(3))
async def test_any_merges_are_undone_to_where_they_began(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str, seed: int
) -> None:
    """Merges of merged ones, of neighbours, and back and forth, undone in any order that is allowed."""
    chance = random.Random(seed)
    names = [f"rook {letter}" for letter in "abcdefg"]
    for n in range(16):
        said = chance.choice(("It is dry", "It is tall", f"It has number {n}"))
        aspect = chance.choice(("roof", "wall"))
        kept = await remember(http, said, entity=chance.choice(names), aspect=aspect, pinned=chance.random() < 0.3)
        if chance.random() < 0.2:
            await ok(await http.delete(f"/api/memory/{kept['memory']['id']}"))
    for _ in range(3):
        ends = [chance.sample(names, 2) for _ in range(8)]
        confidence = chance.choice((0.5, 0.9))
        await draw(http, *({"source": one, "target": other, "confidence": confidence} for one, other in ends))
    ids = [(await make(http, name))["id"] for name in names]
    start, done = await snapshot(bolt, agent_id), []
    for _ in range(5):
        one, other = chance.sample(ids, 2)
        ids.remove(one)
        done.append((await merge(http, one, other))["id"])
    assert await faults(http) == []
    while done:
        id_ = chance.choice(done)
        response = await http.post(f"/api/graph/merges/{id_}/undo")
        if response.status_code == 200:
            done.remove(id_)
        else:
            await conflict(response)
    assert await snapshot(bolt, agent_id) == start


async def test_what_cannot_be_merged_is_said(http: httpx.AsyncClient) -> None:
    one, other = (await make(http, "wick-service"))["id"], (await make(http, "oil-store"))["id"]
    path = f"/api/graph/entities/{one}/merge"
    assert (await http.post(path, json={"intoId": one})).status_code == 422
    assert (await http.post(path, json={"intoId": "unknown"})).status_code == 404
    assert (await http.post("/api/graph/entities/unknown/merge", json={"intoId": one})).status_code == 404
    assert (await http.post("/api/graph/merges/unknown/undo")).status_code == 404
    await ok(await http.delete(f"/api/graph/entities/{other}"))
    assert "restore" in await conflict(await http.post(path, json={"intoId": other}))
    await ok(await http.post(f"/api/graph/entities/{other}/restore"))
    done = await merge(http, one, other)
    await conflict(await http.delete(f"/api/graph/entities/{one}"))
    await ok(await http.delete(f"/api/graph/entities/{other}"))
    assert "restore" in await conflict(await http.post(f"/api/graph/merges/{done['id']}/undo"))
    await ok(await http.patch(f"/api/graph/entities/{other}", json={"aliases": []}))
    await ok(await http.post(f"/api/graph/entities/{other}/restore"))
    await make(http, "wick-service")
    assert "wick service" in await conflict(await http.post(f"/api/graph/merges/{done['id']}/undo"))


async def test_dependencies_are_retired_while_their_ends_are_merged(http: httpx.AsyncClient) -> None:
    ids = [(await make(http, f"shelf {letter}"))["id"] for letter in "abcdef"]
    edges = await draw(http, *({"source": one, "target": f"box {n}"} for one in ids for n in range(3)))
    calls = [
        *(http.post(f"/api/graph/entities/{id_}/merge", json={"intoId": ids[0]}) for id_ in ids[1:]),
        *(http.delete(f"/api/graph/dependencies/{edge['id']}") for edge in edges),
    ]
    assert {response.status_code for response in await asyncio.gather(*calls)} == {200}
    assert (await page(http, ids[5]))["dependencies"]["outgoing"] == []


async def test_merging_and_writing_at_once_lose_nothing(http: httpx.AsyncClient) -> None:
    names = [f"shelf {letter}" for letter in "abcdef"]
    ids = [(await make(http, name))["id"] for name in names]

    async def write(n: int) -> None:
        await remember(http, f"Number {n} is full", entity=names[n % 6])
        await draw(
            http, {"source": names[n % 6], "target": names[(n + 1) % 6]}, {"source": "room", "target": names[n % 6]}
        )

    async def join(n: int) -> None:
        response = await http.post(f"/api/graph/entities/{ids[n]}/merge", json={"intoId": ids[0]})
        assert response.status_code == 200, response.text

    await asyncio.gather(*(write(n) for n in range(24)), *(join(n) for n in range(1, 6)), *(join(n) for n in (2, 4)))
    now = await page(http, "shelf f")
    assert now["entity"]["id"] == ids[0]
    assert {f"Number {n} is full" for n in range(24)} == set(facts(now))
    assert [e["source"]["name"] for e in now["dependencies"]["incoming"]].count("room") == 1
    assert len(await merges(http, status="applied")) == 5


# --- proposed ---------------------------------------------------------------------------------------------


async def test_a_name_near_another_is_proposed_and_never_merged(http: httpx.AsyncClient) -> None:
    for content, name in (
        ("It bills", "billing"),
        ("It bills", "billing-service"),
        ("It bills", "invoices"),
        ("It bills", "invoice"),
        ("It pays", "payments gateway"),
        ("It pays", "payments gatway"),
        ("It is", "db"),
        ("It is", "dbs"),
        ("It is", "node 1"),
        ("It is", "node 2"),
        ("It is", "Redis"),
    ):
        await remember(http, content, entity=name)
        await http.get("/api/status")  # texts are found by words when this returns
    found = await merges(http, status="proposed")
    assert {(one["fromName"], one["intoName"]) for one in found} == {
        ("billing-service", "billing"),
        ("invoice", "invoices"),
        ("payments gatway", "payments gateway"),
    }
    assert all(one["method"] == "similar_name" and one["reason"] and one["decidedAt"] is None for one in found)
    assert await id_of(http, "billing-service") != await id_of(http, "billing")
    await remember(http, "It bills monthly", entity="billing-service")
    assert len(await merges(http)) == 3
    (told,) = [one for one in await history(http, found[0]["fromId"]) if one["kind"] == "merge_proposal"]
    assert told["after"] == {"into": found[0]["intoId"], "merge": found[0]["id"]}
    first = await ok(await http.get("/api/graph/merges", params={"limit": 2}))
    rest = await ok(await http.get("/api/graph/merges", params={"limit": 2, "cursor": first["nextCursor"]}))
    assert [*first["items"], *rest["items"]] == found
    assert rest["nextCursor"] is None


async def test_a_proposal_is_accepted_or_rejected_for_good(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "payments-gateway uses Redis.")
    await graphmem.knowledge.learning.summarise_session(agent_id, "s")
    await http.get("/api/status")  # texts are found by words when this returns
    await learn(graphmem, agent_id, "t", "payment-gateway uses PostgreSQL.")
    await graphmem.knowledge.learning.summarise_session(agent_id, "t")
    (proposed,) = await merges(http)
    path = f"/api/graph/merges/{proposed['id']}"
    await conflict(await http.post(f"{path}/undo"))
    no = await ok(await http.post(f"{path}/reject", json={"reason": "two things"}))
    assert no["status"] == "rejected"
    assert no == await ok(await http.post(f"{path}/reject"))
    await learn(graphmem, agent_id, "u", "payment-gateway uses Kafka. payments-gateway uses Kafka.")
    await graphmem.knowledge.learning.summarise_session(agent_id, "u")
    assert await merges(http, status="proposed") == []
    done = await ok(await http.post(f"{path}/accept"))
    assert (done["status"], done["method"], done["reason"]) == ("applied", "similar_name", proposed["reason"])
    assert await ok(await http.post(f"{path}/accept")) == done
    await conflict(await http.post(f"{path}/reject"))
    assert await id_of(http, "payment-gateway") == await id_of(http, "payments-gateway")
    assert (await undo(http, proposed["id"]))["status"] == "undone"


async def test_another_agents_merges_are_not_found(http: httpx.AsyncClient, graphmem: Graphmem) -> None:
    one, other = (await make(http, "wick-service"))["id"], (await make(http, "oil-store"))["id"]
    done = await merge(http, one, other)
    strange = {"X-Agent-Id": "a-stranger"}
    for path in (f"entities/{one}/merge", f"merges/{done['id']}/undo", f"merges/{done['id']}/accept"):
        body = {"intoId": other} if path.endswith("merge") else {}
        assert (await http.post(f"/api/graph/{path}", json=body, headers=strange)).status_code == 404
    assert (await ok(await http.get("/api/graph/merges", headers=strange)))["items"] == []
    assert await KnowledgeStore(graphmem.database).find_entity("a-stranger", one) is None
