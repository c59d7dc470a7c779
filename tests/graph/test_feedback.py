"""Feedback moves what it is given to, is kept line by line, and is all applied or not at all."""

from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

Json = dict[str, Any]


async def kept(http: httpx.AsyncClient) -> Json:
    """A fact with its aspect and a dependency."""
    body = {"content": "wick-service runs on port 8080", "entity": "wick-service", "aspect": "network"}
    remembered: Json = (await http.post("/api/memory/remember", json=body)).json()
    edge = {"source": "wick-service", "target": "oil-store", "strength": 0.5}
    drawn = (await http.put("/api/graph/dependencies", json={"dependencies": [edge]})).json()
    return {
        "fact": remembered["attributes"][0]["id"],
        "memory": remembered["memory"]["id"],
        "entity": remembered["entities"][0]["id"],
        "edge": (drawn["items"] if "items" in drawn else drawn["dependencies"])[0]["id"],
    }


async def give(http: httpx.AsyncClient, scores: dict[str, float], **more: Any) -> httpx.Response:
    items = [{"id": id_, "score": score} for id_, score in scores.items()]
    return await http.post("/api/memory/feedback", json={"items": items} | more)


async def recorded(bolt: AsyncDriver, ids: list[str]) -> list[Json]:
    async with bolt.session() as session:
        result = await session.run(
            "MATCH (f:Feedback) WHERE f.targetId IN $ids "
            "RETURN f.targetId AS id, f.score AS score, f.sessionId AS session, f.before AS before, f.after AS after "
            "ORDER BY f.at, id",
            ids=ids,
        )
        return await result.data()


async def test_feedback_on_a_fact_moves_it_and_its_aspect(http: httpx.AsyncClient) -> None:
    there = await kept(http)
    answer = (await give(http, {there["fact"]: 1.0})).json()
    assert answer["applied"] == 1
    moved = {change["id"]: (change["before"], change["after"]) for change in answer["changed"]}
    assert moved.pop(there["fact"]) == (0.0, 0.25)
    assert list(moved.values()) == [(0.5, 0.55)]
    (aspect,) = moved
    assert (await give(http, {aspect: -1.0})).json()["changed"] == [{"id": aspect, "before": 0.55, "after": 0.45}]


async def test_feedback_on_a_dependency_moves_its_strength_and_the_opposite_takes_it_back(
    http: httpx.AsyncClient,
) -> None:
    edge = (await kept(http))["edge"]
    assert (await give(http, {edge: -1.0})).json()["changed"] == [{"id": edge, "before": 0.5, "after": 0.4}]
    assert (await give(http, {edge: 1.0})).json()["changed"] == [{"id": edge, "before": 0.4, "after": 0.5}]


async def test_feedback_is_kept_for_each_hit_and_told_in_its_history(
    http: httpx.AsyncClient, bolt: AsyncDriver
) -> None:
    memory = (await kept(http))["memory"]
    for score in (1.0, -0.5):
        assert (await give(http, {memory: score}, sessionId="s1")).status_code == 200
    lines = await recorded(bolt, [memory])
    assert [(line["score"], line["session"], line["before"], line["after"]) for line in lines] == [
        (1.0, "s1", 0.0, 0.25),
        (-0.5, "s1", 0.25, 0.125),
    ]
    history = (await http.get(f"/api/memory/{memory}/history")).json()["items"]
    told = [item for item in history if item["kind"] == "feedback"]
    assert [(item["before"]["weight"], item["after"]["weight"]) for item in told] == [(0.0, 0.25), (0.25, 0.125)]


async def test_an_unknown_id_is_404_and_nothing_is_written(http: httpx.AsyncClient, bolt: AsyncDriver) -> None:
    there = await kept(http)
    refused = await give(http, {there["memory"]: 1.0, "0199aaaa-0000-7000-8000-000000000000": 1.0})
    assert refused.status_code == 404
    assert await recorded(bolt, [there["memory"]]) == []
    again = (await give(http, {there["memory"]: 1.0})).json()
    assert again["changed"] == [{"id": there["memory"], "before": 0.0, "after": 0.25}]


async def test_another_agents_thing_is_unknown(http: httpx.AsyncClient) -> None:
    there = await kept(http)
    body = {"items": [{"id": there["memory"], "score": 1}]}
    headers = {"X-Agent-Id": "somebody-else"}
    assert (await http.post("/api/memory/feedback", json=body, headers=headers)).status_code == 404


async def test_a_repeat_with_the_same_key_moves_nothing_twice(http: httpx.AsyncClient, bolt: AsyncDriver) -> None:
    there = await kept(http)
    body, headers = {"items": [{"id": there["entity"], "score": 1}]}, {"Idempotency-Key": "k"}
    first = await http.post("/api/memory/feedback", json=body, headers=headers)
    again = await http.post("/api/memory/feedback", json=body, headers=headers)
    assert (again.status_code, again.text) == (200, first.text)
    assert len(await recorded(bolt, [there["entity"]])) == 1


@pytest.mark.parametrize(
    "items",
    [[], [{"id": "a", "score": 1.1}], [{"id": "a", "score": 1}, {"id": "a", "score": -1}]],
)
async def test_what_cannot_be_meant_is_422(http: httpx.AsyncClient, items: list[Json]) -> None:
    assert (await http.post("/api/memory/feedback", json={"items": items})).status_code == 422


async def test_messages_can_be_given_feedback(http: httpx.AsyncClient) -> None:
    said = {"messages": [{"role": "user", "content": "the lamp is lit"}]}
    stored = (await http.post("/api/sessions/s/messages", json=said)).json()
    message = stored["messages"][0]["id"]
    assert (await give(http, {message: -1.0})).json()["changed"] == [{"id": message, "before": 0.0, "after": -0.25}]


async def cold_lamp(http: httpx.AsyncClient) -> Json:
    """An entity in the cold tier with a fact and an edge, and what exploring says of it."""
    edge = {"source": "lamp-service", "target": "wick-service"}
    await http.put("/api/graph/dependencies", json={"dependencies": [edge]})
    there = await kept(http)
    assert (await http.delete(f"/api/graph/entities/{there['entity']}")).status_code == 200
    assert await status(http, there["entity"]) == "cold"
    return there


async def status(http: httpx.AsyncClient, entity_id: str) -> str:
    """What exploring says of an entity beside lamp-service."""
    asked = {"entity": "lamp-service", "steps": 5, "includeCold": True}
    found = (await http.post("/api/graph/explore", json=asked)).json()["items"]
    (item,) = [one for one in found if one["id"] == entity_id]
    return str(item["status"])


async def kinds(http: httpx.AsyncClient, id_: str) -> list[tuple[str, str | None]]:
    items = (await http.get(f"/api/memory/{id_}/history")).json()["items"]
    return [(item["kind"], item["reason"]) for item in items]


@pytest.mark.parametrize("what", ["entity", "fact"])
async def test_good_feedback_on_a_cold_hit_of_exploring_brings_it_back(http: httpx.AsyncClient, what: str) -> None:
    there = await cold_lamp(http)
    answer = (await give(http, {there[what]: 1.0})).json()
    assert {there["entity"], there["fact"], there["edge"]} <= set(answer["restored"])
    assert await status(http, there["entity"]) == "active"
    assert ("entity_restored", "It was given good feedback.") in await kinds(http, there["entity"])
    assert (await give(http, {there[what]: 1.0})).json()["restored"] == []
    assert (await http.delete(f"/api/graph/entities/{there['entity']}")).status_code == 200
    assert await status(http, there["entity"]) == "cold"


async def test_bad_feedback_leaves_it_in_the_cold_tier(http: httpx.AsyncClient) -> None:
    there = await cold_lamp(http)
    assert (await give(http, {there["entity"]: -1.0})).json()["restored"] == []
    assert await status(http, there["entity"]) == "cold"


async def test_good_feedback_brings_a_cold_memory_back_with_its_fact(http: httpx.AsyncClient) -> None:
    there = await kept(http)
    assert (await http.delete(f"/api/memory/{there['memory']}")).status_code == 200
    assert set((await give(http, {there["memory"]: 0.5})).json()["restored"]) == {there["memory"], there["fact"]}
    assert (await http.get(f"/api/memory/{there['memory']}")).json()["status"] == "active"


async def test_a_fact_that_a_person_deleted_stays_deleted(http: httpx.AsyncClient) -> None:
    there = await kept(http)
    assert (await http.delete(f"/api/memory/{there['fact']}")).status_code == 200
    assert (await give(http, {there["fact"]: 1.0})).json()["restored"] == []
    assert (await http.get(f"/api/memory/{there['fact']}")).json()["status"] == "deleted"


async def disliked(http: httpx.AsyncClient) -> list[str]:
    findings = (await http.get("/api/doctor")).json()["findings"]
    return [found["detail"] for found in findings if found["code"] == "entity_disliked"]


async def test_the_doctor_names_an_entity_whose_last_three_feedbacks_were_bad(http: httpx.AsyncClient) -> None:
    there = await kept(http)
    await give(http, {there["entity"]: 1.0})
    await give(http, {there["fact"]: -1.0, there["entity"]: -0.5})
    await give(http, {there["fact"]: -1.0})
    assert await disliked(http) == [], "two are not enough"
    await give(http, {there["entity"]: -0.1})
    assert await disliked(http) == [f"The last 3 feedbacks on 1 entities were bad: {there['entity']}."]
    await give(http, {there["fact"]: 1.0})
    assert await disliked(http) == [], "something good was said of it"


async def test_one_request_is_one_feedback_and_a_good_word_in_it_counts(http: httpx.AsyncClient) -> None:
    there = await kept(http)
    for _ in range(3):
        await give(http, {there["entity"]: -1.0, there["fact"]: 1.0})
    assert await disliked(http) == []
