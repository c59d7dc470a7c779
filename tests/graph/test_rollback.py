"""An entity goes back to what was believed of it on a day: shown first, done in one transaction, and undone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from tests.agents import canonical

Json = dict[str, Any]
MARCH, APRIL, MAY, JUNE = (f"2026-0{month}-01T00:00:00Z" for month in (3, 4, 5, 6))


async def ok(response: httpx.Response, *statuses: int) -> Json:
    assert response.status_code in (statuses or (200,)), response.text
    body: Json = response.json()
    return body


async def conflict(response: httpx.Response) -> str:
    assert (response.status_code, response.json()["code"]) == (409, "conflict"), response.text
    return str(response.json()["detail"])


async def told(http: httpx.AsyncClient, content: str, valid_from: str = MARCH, **more: Any) -> str:
    """The id of the fact."""
    given = {"content": content, "entity": "wick", "aspect": "hosting", "validFrom": valid_from} | more
    kept = await ok(await http.post("/api/memory/remember", json=given), 200, 201)
    return str(kept["attributes"][0]["id"])


def moment() -> str:
    return datetime.now(UTC).isoformat()


async def roll_back(http: httpx.AsyncClient, to: str, *, dry_run: bool = False, **more: Any) -> Json:
    body = {"entityId": "wick", "to": to, "dryRun": dry_run} | more
    return await ok(await http.post("/api/repair/rollback", json=body))


async def undo(http: httpx.AsyncClient, id_: str) -> httpx.Response:
    return await http.post(f"/api/repair/rollbacks/{id_}/undo", json={"reason": "it was right after all"})


async def shown(http: httpx.AsyncClient, entity: str = "wick") -> list[str]:
    """What an entity's page says of it."""
    page = await ok(await http.get("/api/graph/entities", params={"name": entity}))
    facts = sorted(fact["content"] for aspect in page["aspects"] for fact in aspect["attributes"])
    edges = [*page["dependencies"]["incoming"], *page["dependencies"]["outgoing"]]
    return [*facts, *sorted(f"{edge['source']['name']} > {edge['target']['name']}" for edge in edges)]


async def get(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.get(f"/api/memory/{id_}"))


async def history(http: httpx.AsyncClient, id_: str) -> list[tuple[str, str | None]]:
    items = (await ok(await http.get(f"/api/memory/{id_}/history")))["items"]
    return [(item["kind"], item["reason"]) for item in items]


async def faults(http: httpx.AsyncClient) -> list[Json]:
    findings: list[Json] = (await ok(await http.get("/api/doctor")))["findings"]
    return [one for one in findings if one["severity"] == "error"]


async def draw(http: httpx.AsyncClient, source: str, target: str) -> str:
    body = {"dependencies": [{"source": source, "target": target}]}
    return str((await ok(await http.put("/api/graph/dependencies", json=body)))["items"][0]["id"])


def contents(items: list[Json]) -> list[str]:
    return sorted(item["content"] for item in items)


async def test_a_preview_says_what_would_change_and_changes_nothing(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    first = await told(http, "wick runs in Oslo", claimKey="city")
    then = moment()
    await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    await told(http, "wick has a spare")
    before = await canonical(bolt, agent_id)

    for body in ({"entityId": "wick", "to": then}, {"entityId": "wick", "to": then, "dryRun": True}):
        plan = await ok(await http.post("/api/repair/rollback", json=body))

        assert (plan["id"], plan["status"], plan["entity"]["name"]) == (None, "preview", "wick")
        assert contents(plan["retired"]) == ["wick has a spare", "wick runs in Bergen"]
        assert [fact["id"] for fact in plan["revived"]] == [first]
        assert len(plan["supersessionsUndone"]) == 1
    assert await canonical(bolt, agent_id) == before
    assert (await ok(await http.get("/api/repair/rollbacks")))["items"] == []


async def test_an_entity_is_again_what_it_was_and_what_it_became_stays_readable(http: httpx.AsyncClient) -> None:
    first = await told(http, "wick runs in Oslo", claimKey="city")
    old_edge = await draw(http, "wick", "anvil")
    then, looked = moment(), await shown(http)
    second = await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    third = await told(http, "wick runs in Narvik", MAY, claimKey="city")
    await draw(http, "hammer", "wick")
    await ok(await http.delete(f"/api/graph/dependencies/{old_edge}"))

    done = await roll_back(http, then, reason="the import was wrong")

    assert await shown(http) == looked
    assert done["status"] == "applied"
    assert contents(done["retired"]) == ["wick runs in Bergen", "wick runs in Narvik"]
    assert [edge["source"]["name"] for edge in done["dependenciesRetired"]] == ["hammer"]
    assert [edge["target"]["name"] for edge in done["dependenciesRevived"]] == ["anvil"]
    page = await ok(await http.post("/api/memory/expand", json={"entity": "wick", "includeSuperseded": True}))
    facts = {fact["id"]: fact for aspect in page["aspects"] for fact in aspect["attributes"]}
    assert facts[first]["status"] == "active"
    assert {facts[id_]["status"] for id_ in (second, third)} == {"superseded"}
    assert facts[third]["validTo"] == facts[third]["validFrom"]
    assert ("attribute_rolled_back", "the import was wrong") in await history(http, third)
    assert ("attribute_revived", "the import was wrong") in await history(http, first)
    assert ("supersedes_no_more", "the import was wrong") in await history(http, second)
    hits = (await ok(await http.post("/api/memory/recall", json={"query": "where does wick run?"})))["hits"]
    assert not [hit["text"] for hit in hits if "Narvik" in hit["text"] or "Bergen" in hit["text"]]
    assert await faults(http) == []
    assert (await roll_back(http, then))["status"] == "unchanged"


async def test_undoing_a_rollback_leaves_the_graph_as_it_was(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    city = await told(http, "wick runs in Oslo", claimKey="city")
    fan = await told(http, "wick has a fan")
    edge = await draw(http, "wick", "anvil")
    then = moment()
    await told(http, "wick depends on kiln", APRIL)
    await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    await told(http, "wick runs in Narvik", MAY, claimKey="city", pinned=True)
    await told(http, "wick must never sleep", kind="constraint")
    await ok(await http.delete(f"/api/memory/{fan}", params={"reason": "it is gone"}))
    await ok(await http.delete(f"/api/graph/dependencies/{edge}", params={"reason": "sold"}))
    before = await canonical(bolt, agent_id)
    looked = await shown(http)

    done = await roll_back(http, then)
    assert await shown(http) == ["wick has a fan", "wick runs in Oslo", "wick > anvil"]
    assert {(await get(http, id_))["content"] for id_ in done["protectedIds"]} == {
        "wick must never sleep",
        "wick runs in Narvik",
    }
    undone = await ok(await undo(http, done["id"]))

    assert (undone["status"], undone["id"]) == ("undone", done["id"])
    assert await shown(http) == looked
    assert await canonical(bolt, agent_id) == before
    assert await ok(await undo(http, done["id"])) == undone
    assert await faults(http) == []
    assert (await get(http, city))["status"] == "superseded"


async def test_only_what_the_rollback_left_as_it_is_can_be_undone(http: httpx.AsyncClient) -> None:
    first = await told(http, "wick runs in Oslo", claimKey="city")
    then = moment()
    second = await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    done = await roll_back(http, then)

    await told(http, "wick runs in Narvik", JUNE, claimKey="city")
    assert first in await conflict(await undo(http, done["id"]))
    (record,) = (await ok(await http.get("/api/memory/supersessions", params={"status": "applied"})))["items"]
    await ok(await http.post(f"/api/memory/supersessions/{record['id']}/undo"))

    await ok(await undo(http, done["id"]))
    assert (await get(http, second))["status"] == "active"


async def test_what_was_learned_anew_stands_in_the_way_of_undoing(http: httpx.AsyncClient) -> None:
    await told(http, "wick runs in Oslo")
    then = moment()
    spare = await told(http, "wick has a spare")
    edge = await draw(http, "wick", "anvil")
    done = await roll_back(http, then)

    again = await told(http, "wick has a spare")
    detail = await conflict(await undo(http, done["id"]))
    assert again in detail
    assert spare in detail
    await ok(await http.delete(f"/api/memory/{again}"))
    drawn = await draw(http, "wick", "anvil")
    assert edge in await conflict(await undo(http, done["id"]))
    await ok(await http.delete(f"/api/graph/dependencies/{drawn}"))
    await ok(await undo(http, done["id"]))
    assert await shown(http) == ["wick has a spare", "wick runs in Oslo", "wick > anvil"]


async def test_what_a_rollback_took_back_is_no_side_of_a_supersession(http: httpx.AsyncClient) -> None:
    first = await told(http, "wick runs in Oslo", claimKey="city")
    then = moment()
    second = await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    third = await told(http, "wick runs in Narvik", MAY, claimKey="city")
    done = await roll_back(http, then)

    body = {"oldId": first, "newId": third, "reason": "it did move"}
    assert done["id"] in await conflict(await http.post("/api/memory/supersede", json=body))
    (record,) = (await ok(await http.get("/api/memory/supersessions", params={"status": "applied"})))["items"]
    assert record["oldId"] == second
    assert done["id"] in await conflict(await http.post(f"/api/memory/supersessions/{record['id']}/undo"))


async def test_a_rollback_is_no_verdict_on_what_rules_found(http: httpx.AsyncClient) -> None:
    await told(http, "wick runs in Oslo", claimKey="city")
    then = moment()
    await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    await roll_back(http, then)

    counts = (await ok(await http.get("/api/status")))["supersession"]
    assert (counts["undone"], counts["precision"]) == (1, None)


async def test_rollbacks_build_on_one_another_and_are_undone_from_the_last(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await told(http, "wick runs in Oslo", claimKey="city")
    early = moment()
    await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    late = moment()
    await told(http, "wick runs in Narvik", MAY, claimKey="city")
    newest = moment()
    states = [await canonical(bolt, agent_id)]
    ids = []
    for to, there in ((early, "Oslo"), (newest, "Narvik"), (late, "Bergen")):
        ids.append((await roll_back(http, to))["id"])
        assert await shown(http) == [f"wick runs in {there}"]
        states.append(await canonical(bolt, agent_id))
        assert await faults(http) == []

    assert ids[2] in await conflict(await undo(http, ids[0]))
    for id_ in reversed(ids):
        states.pop()
        await ok(await undo(http, id_))
        assert await canonical(bolt, agent_id) == states[-1]
    listed = (await ok(await http.get("/api/repair/rollbacks", params={"entity": "wick"})))["items"]
    assert [one["id"] for one in listed] == ids[::-1]


async def test_what_cannot_come_back_is_named_and_stays(http: httpx.AsyncClient) -> None:
    first = await told(http, "wick runs in Oslo", claimKey="city")
    memory = (await get(http, first))["memoryIds"][0]
    gone = await told(http, "wick has a fan")
    fan = (await get(http, gone))["memoryIds"][0]
    then = moment()
    await told(http, "wick runs in Bergen", APRIL, claimKey="city")
    for id_ in (memory, fan):
        await ok(await http.delete(f"/api/memory/{id_}"))

    done = await roll_back(http, then)

    assert await shown(http) == []
    reasons = {one["id"]: one["reason"] for one in done["left"]}
    assert set(reasons) == {first, gone}
    assert memory in reasons[first]
    assert fan in reasons[gone]


@pytest.mark.parametrize("ahead", [timedelta(days=1), timedelta(days=-4000)])
async def test_a_day_to_come_or_before_the_entity_was_known_is_refused(
    http: httpx.AsyncClient, ahead: timedelta
) -> None:
    await told(http, "wick runs in Oslo")
    for dry_run in (True, False):
        body = {"entityId": "wick", "to": (datetime.now(UTC) + ahead).isoformat(), "dryRun": dry_run}
        response = await http.post("/api/repair/rollback", json=body)
        assert response.status_code == 422
        (error,) = response.json()["errors"]
        assert error["loc"] == ["to"]
        assert ("still to come" if ahead > timedelta() else "first heard of") in error["msg"]


async def test_an_unknown_or_archived_entity_is_not_rolled_back(http: httpx.AsyncClient) -> None:
    await told(http, "wick runs in Oslo")
    body = {"entityId": "wicks", "to": moment()}
    response = await http.post("/api/repair/rollback", json=body)
    assert (response.status_code, response.json()["code"]) == (404, "entity_not_found")
    page = await ok(await http.get("/api/graph/entities", params={"name": "wick"}))
    await ok(await http.delete(f"/api/graph/entities/{page['entity']['id']}"))
    assert "restore" in await conflict(
        await http.post("/api/repair/rollback", json={"entityId": "wick", "to": moment()})
    )


async def test_a_repeat_of_a_key_rolls_back_once(http: httpx.AsyncClient) -> None:
    await told(http, "wick runs in Oslo")
    then = moment()
    await told(http, "wick has a spare")
    body = {"entityId": "wick", "to": then, "dryRun": False}
    answers = [
        await ok(await http.post("/api/repair/rollback", json=body, headers={"Idempotency-Key": "once"}))
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert len((await ok(await http.get("/api/repair/rollbacks")))["items"]) == 1


async def test_what_gave_way_to_something_of_another_entity_that_is_away_is_so_again(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    old = await told(http, "wick has a spare")
    new = await told(http, "anvil has a chain", entity="anvil")
    then = moment()
    await ok(await http.post("/api/memory/supersede", json={"oldId": old, "newId": new, "reason": "a swap"}))
    await ok(await http.delete(f"/api/memory/{new}"))
    before = await canonical(bolt, agent_id)
    done = await roll_back(http, then)
    assert await shown(http) == ["wick has a spare"]

    await ok(await undo(http, done["id"]))

    assert await canonical(bolt, agent_id) == before
    assert (await get(http, old))["supersededBy"] == new


async def test_what_gave_way_to_something_that_went_since_waits_until_that_is_back(http: httpx.AsyncClient) -> None:
    old = await told(http, "wick has a spare")
    new = await told(http, "anvil has a chain", entity="anvil")
    then = moment()
    await ok(await http.post("/api/memory/supersede", json={"oldId": old, "newId": new, "reason": "a swap"}))
    done = await roll_back(http, then)
    await ok(await http.delete(f"/api/memory/{new}"))

    assert f"{new}, to which {old} gave way, is away" in await conflict(await undo(http, done["id"]))

    await ok(await http.post(f"/api/memory/{new}/restore"))
    await ok(await undo(http, done["id"]))
    assert (await get(http, old))["supersededBy"] == new
