"""People decide on supersessions: accept, reject, undo and ask for them; and the store keeps what it believed when."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from api.app import create_app
from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem
from graphmem.errors import PlanOutdated
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.model.caller import Caller
from graphmem.model.inputs import Remember
from graphmem.rules.keeping.history import chain
from graphmem.services.knowledge.extracting import Asked
from graphmem.settings import Settings
from tests.agents import snapshot

Json = dict[str, Any]
MARCH, APRIL, MAY = (f"2026-0{month}-01T00:00:00Z" for month in (3, 4, 5))


async def ok(response: httpx.Response, *statuses: int) -> Json:
    assert response.status_code in (statuses or (200,)), response.text
    body: Json = response.json()
    return body


async def conflict(response: httpx.Response) -> str:
    assert (response.status_code, response.json()["code"]) == (409, "conflict"), response.text
    return str(response.json()["detail"])


async def keep(http: httpx.AsyncClient, content: str, valid_from: str = MARCH, **more: Any) -> Json:
    given = {"content": content, "entity": "wick-service", "aspect": "hosting", "validFrom": valid_from} | more
    return await ok(await http.post("/api/memory/remember", json=given), 200, 201)


async def fact_of(http: httpx.AsyncClient, content: str, valid_from: str = MARCH, **more: Any) -> str:
    return str((await keep(http, content, valid_from, **more))["attributes"][0]["id"])


async def get(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.get(f"/api/memory/{id_}"))


async def supersede(http: httpx.AsyncClient, old: str, new: str, reason: str = "the team says so") -> Json:
    body = {"oldId": old, "newId": new, "reason": reason}
    return await ok(await http.post("/api/memory/supersede", json=body))


async def decide(http: httpx.AsyncClient, id_: str, step: str, **more: Any) -> httpx.Response:
    return await http.post(f"/api/memory/supersessions/{id_}/{step}", json=more)


async def listed(http: httpx.AsyncClient, **how: Any) -> list[Json]:
    items: list[Json] = (await ok(await http.get("/api/memory/supersessions", params=how)))["items"]
    return items


async def history(http: httpx.AsyncClient, id_: str) -> list[Json]:
    items: list[Json] = (await ok(await http.get(f"/api/memory/{id_}/history")))["items"]
    return items


async def faults(http: httpx.AsyncClient) -> list[Json]:
    findings: list[Json] = (await ok(await http.get("/api/doctor")))["findings"]
    return [one for one in findings if one["severity"] == "error"]


async def counts(http: httpx.AsyncClient) -> Json:
    found: Json = (await ok(await http.get("/api/status")))["supersession"]
    return found


async def links(bolt: AsyncDriver, agent_id: str) -> list[tuple[str, str, bool]]:
    """(words of the older fact, words of the newer, whether the link is open), oldest link first."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (a:Attribute {agent_id: $a})-[l:SUPERSEDED_BY]->(b) "
        "RETURN a.content AS old, b.content AS new, l.undoneAt IS NULL AS open ORDER BY l.at, l.id",
        a=agent_id,
    )
    return [(row["old"], row["new"], row["open"]) for row in rows]


@pytest.fixture(scope="module")
async def in_shadow(settings: Settings) -> AsyncIterator[httpx.ASGITransport]:
    """The service over the same store in shadow mode."""
    app = create_app(settings.model_copy(update={"shadow_mode": True}))
    async with app.router.lifespan_context(app):
        yield httpx.ASGITransport(app, raise_app_exceptions=False)


@pytest.fixture
async def shadow(in_shadow: httpx.ASGITransport, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"X-Agent-Id": agent_id}
    async with httpx.AsyncClient(
        transport=in_shadow, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as client:
        yield client


PAST = {"retiredFrom", "retiredUntil", "retiredEnd"}
OLD, NEW = "wick-service runs on Fly", "wick-service runs on Hetzner"


async def proposed(shadow: httpx.AsyncClient) -> tuple[str, str, Json]:
    """Two facts of one slot and the proposal between them."""
    old = await fact_of(shadow, OLD, claimKey="host")
    kept = await keep(shadow, NEW, APRIL, claimKey="host")
    (proposal,) = kept["proposals"]
    assert (proposal["status"], proposal["oldId"], proposal["method"]) == ("proposed", old, "claim")
    return old, kept["attributes"][0]["id"], proposal


# --- accept and reject ------------------------------------------------------------------------------------


async def test_shadow_mode_proposes_once_and_changes_nothing(shadow: httpx.AsyncClient) -> None:
    old, new, proposal = await proposed(shadow)
    assert [(await get(shadow, id_))["status"] for id_ in (old, new)] == ["active", "active"]
    again = await keep(shadow, NEW, APRIL, claimKey="host")
    assert again["duplicateOf"]
    assert [one["id"] for one in await listed(shadow)] == [proposal["id"]]
    (told,) = [one for one in await history(shadow, old) if one["kind"] == "supersession_proposal"]
    assert (told["after"]["by"], told["after"]["method"], told["after"]["confidence"]) == (new, "claim", 1.0)


async def test_an_accepted_proposal_retires_the_older_fact_even_in_shadow_mode(shadow: httpx.AsyncClient) -> None:
    old, new, proposal = await proposed(shadow)
    done = await ok(await decide(shadow, proposal["id"], "accept", reason="seen on the bill"))
    assert (done["status"], done["method"], done["reason"]) == ("applied", "claim", "seen on the bill")
    assert done["decidedAt"]
    retired = await get(shadow, old)
    assert (retired["status"], retired["supersededBy"], retired["validTo"]) == ("superseded", new, APRIL)
    assert (await get(shadow, new))["status"] == "active"
    assert await ok(await decide(shadow, proposal["id"], "accept", reason="once more")) == done
    (told,) = [one for one in await history(shadow, old) if one["kind"] == "superseded"]
    assert (told["actor"], told["reason"], told["before"]["status"]) == ("api", "seen on the bill", "active")
    assert (told["after"]["method"], told["after"]["confidence"]) == ("claim", 1.0)
    assert "supersedes" in [one["kind"] for one in await history(shadow, new)]
    assert await conflict(await decide(shadow, proposal["id"], "reject"))
    assert await faults(shadow) == []


async def test_a_rejected_pair_is_never_proposed_again_but_may_be_accepted(
    shadow: httpx.AsyncClient, http: httpx.AsyncClient
) -> None:
    old, new, proposal = await proposed(shadow)
    done = await ok(await decide(shadow, proposal["id"], "reject", reason="both are in use"))
    assert done["status"] == "rejected"
    assert await ok(await decide(shadow, proposal["id"], "reject")) == done
    (told,) = [one for one in await history(shadow, old) if one["kind"] == "supersession_rejected"]
    assert (told["reason"], told["after"]["by"]) == ("both are in use", new)
    await keep(shadow, NEW, APRIL, claimKey="host")
    assert (await listed(shadow, status="rejected"))[0]["id"] == proposal["id"]
    assert await conflict(await decide(shadow, proposal["id"], "undo")), "there is nothing to undo"
    assert (await get(shadow, old))["status"] == "active"
    assert (await ok(await decide(http, proposal["id"], "accept")))["status"] == "applied"


async def test_a_fact_that_is_gone_is_not_accepted_for(http: httpx.AsyncClient, shadow: httpx.AsyncClient) -> None:
    old, new, proposal = await proposed(shadow)
    await ok(await http.delete(f"/api/memory/{new}"))
    assert "restore" in await conflict(await decide(http, proposal["id"], "accept"))
    await ok(await http.post(f"/api/memory/{new}/restore"))
    third = await fact_of(http, "wick-service runs on Mars", MAY)
    await supersede(http, old, third)
    assert third in await conflict(await decide(http, proposal["id"], "accept"))
    assert (await listed(http, status="proposed"))[0]["id"] == proposal["id"]


async def test_what_is_decided_is_counted_as_precision(shadow: httpx.AsyncClient) -> None:
    assert (await counts(shadow))["precision"] is None
    _, _, proposal = await proposed(shadow)
    await ok(await decide(shadow, proposal["id"], "accept"))
    assert await counts(shadow) == {
        "proposed": 0,
        "applied": 1,
        "accepted": 1,
        "rejected": 0,
        "undone": 0,
        "precision": 1.0,
        "modelAsked": 0,
        "modelFailed": 0,
    }
    other = (await keep(shadow, "wick-service listens on port 8080", MARCH, claimKey="port"))["attributes"][0]["id"]
    kept = await keep(shadow, "wick-service listens on port 9090", APRIL, claimKey="port")
    await ok(await decide(shadow, kept["proposals"][0]["id"], "reject"))
    assert (await counts(shadow))["precision"] == 0.5
    await supersede(shadow, other, kept["attributes"][0]["id"])
    assert (await counts(shadow))["precision"] == 1.0, "whoever asks for it in the end agrees"
    await ok(await decide(shadow, proposal["id"], "undo"))
    found = await counts(shadow)
    assert (found["accepted"], found["undone"], found["precision"]) == (1, 1, 0.5)


# --- frozen -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
async def when_frozen(settings: Settings) -> AsyncIterator[httpx.ASGITransport]:
    """The service over the same store while no fact may change by itself."""
    app = create_app(settings.model_copy(update={"mutations_frozen": True}))
    async with app.router.lifespan_context(app):
        yield httpx.ASGITransport(app, raise_app_exceptions=False)


@pytest.fixture
async def frozen(when_frozen: httpx.ASGITransport, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"X-Agent-Id": agent_id}
    async with httpx.AsyncClient(
        transport=when_frozen, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as client:
        yield client


async def test_frozen_facts_are_only_proposed_against_and_each_pair_once(
    frozen: httpx.AsyncClient, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    old = await fact_of(frozen, OLD, claimKey="host")
    kept = await keep(frozen, NEW, APRIL, claimKey="host")
    new = kept["attributes"][0]["id"]
    assert kept["superseded"] == []
    (proposal,) = kept["proposals"]
    assert (proposal["status"], proposal["oldId"], proposal["newId"]) == ("proposed", old, new)
    assert "frozen" in proposal["reason"]
    assert [(await get(frozen, id_))["status"] for id_ in (old, new)] == ["active", "active"]
    assert [(await get(frozen, id_))["validTo"] for id_ in (old, new)] == [None, None]
    assert await links(bolt, agent_id) == []
    for content, day in ((NEW, APRIL), (OLD, MARCH)):
        await keep(frozen, content, day, claimKey="host")
    assert [one["id"] for one in await listed(frozen)] == [proposal["id"]]
    told = [one for one in await history(frozen, old) if one["kind"] == "supersession_proposal"]
    assert [one["id"] for one in await listed(http, status="proposed")] == [proposal["id"]]
    assert len(told) == 1
    assert await faults(frozen) == []


# --- what is kept of a change -------------------------------------------------------------------------------


async def test_the_history_says_in_words_why_a_fact_was_retired(http: httpx.AsyncClient) -> None:
    old = await fact_of(http, "wick-service listens on port 8080")
    new = await fact_of(http, "wick-service listens on port 9090", APRIL)
    (told,) = [one for one in await history(http, old) if one["kind"] == "superseded"]
    assert told["reason"].endswith(".")
    for word in ("contradicts", "different values", "8080", "9090"):
        assert word in told["reason"]
    assert told["actor"]
    assert told["at"]
    assert (told["before"]["status"], told["after"]["status"], told["after"]["by"]) == ("active", "superseded", new)
    assert told["after"]["confidence"] == max(told["after"]["signals"].values())
    assert "value_conflict" in told["after"]["signals"]
    (record,) = await listed(http)
    assert record["reason"] == told["reason"]


async def test_the_doctor_verifies_the_chain_of_what_was_retired_and_undone(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    record = await supersede(http, old, new)
    await ok(await decide(http, record["id"], "undo"))
    waiting = await graphmem.operation.upkeep.unsealed_events(agent_id, utc_now() + timedelta(days=1), 500)
    await graphmem.operation.upkeep.seal_events(agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events))
    assert await faults(http) == []
    for kind in ("superseded", "supersession_undone"):
        event = "MATCH (e:Event {agent_id: $a, kind: $kind}) "
        rows, _, _ = await bolt.execute_query(event + "RETURN e.reason AS reason", a=agent_id, kind=kind)
        await bolt.execute_query(event + "SET e.reason = 'nobody said so'", a=agent_id, kind=kind)
        assert [one["code"] for one in await faults(http)] == ["history_broken"]
        await bolt.execute_query(event + "SET e.reason = $was", a=agent_id, kind=kind, was=rows[0]["reason"])
        assert await faults(http) == []


# --- undo -------------------------------------------------------------------------------------------------


async def test_undoing_leaves_the_graph_as_it_was(http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str) -> None:
    old = await keep(http, "wick-service depends on Kafka", validTo="2027-01-01T00:00:00Z")
    old_id = old["attributes"][0]["id"]
    new = await fact_of(http, "wick-service has no queue", APRIL)
    before = await snapshot(bolt, agent_id)
    record = await supersede(http, old_id, new)
    assert (await get(http, old["memory"]["id"]))["status"] == "superseded"
    impact = {"entityId": "kafka", "direction": "upstream"}
    assert (await ok(await http.post("/api/graph/impact", json=impact)))["total"] == 0
    done = await ok(await decide(http, record["id"], "undo", reason="it has one after all"))
    assert done["status"] == "undone"
    assert await ok(await decide(http, record["id"], "undo")) == done
    after = await snapshot(bolt, agent_id)
    assert [_without_links(row) for row in after if "Supersession" not in row[1]] == [_without_links(r) for r in before]
    assert (await ok(await http.post("/api/graph/impact", json=impact)))["total"] == 1
    (told,) = [one for one in await history(http, old_id) if one["kind"] == "supersession_undone"]
    assert (told["reason"], told["after"]["status"], told["actor"]) == ("it has one after all", "active", "api")
    kinds = [one["kind"] for one in await history(http, new)]
    assert kinds[-2:] == ["supersedes", "supersedes_no_more"]
    assert await faults(http) == []


def _without_links(row: Any) -> Any:
    """A row without what is kept of links and edges for those who ask what was believed meanwhile."""
    id_, labels, held, there = row
    kept = [[*link[:-1], _without_past(link[-1])] for link in there if link[0] != "SUPERSEDED_BY"]
    return id_, labels, held, kept


def _without_past(properties: Json) -> Json:
    return {name: value for name, value in properties.items() if name not in PAST}


async def test_a_link_that_was_undone_stays_and_the_next_one_is_another(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    record = await supersede(http, old, new)
    for _ in range(2):
        await ok(await decide(http, record["id"], "undo"))
        assert (await ok(await decide(http, record["id"], "accept")))["status"] == "applied"
    found = await links(bolt, agent_id)
    assert [open_ for _, _, open_ in found] == [False, False, True]
    assert [one["status"] for one in await listed(http)] == ["applied"]
    assert await faults(http) == []
    kinds = [one["kind"] for one in await history(http, new)]
    assert kinds.count("supersedes") == 3
    assert kinds.count("supersedes_no_more") == 2


async def test_undoing_may_retire_the_newer_fact_and_that_can_be_undone(http: httpx.AsyncClient) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    record = await supersede(http, old, new)
    await ok(await decide(http, record["id"], "undo", retireNew=True, reason="misheard"))
    assert (await get(http, old))["status"] == "active"
    gone = await get(http, new)
    assert (gone["status"], gone["supersededBy"], gone["validTo"]) == ("superseded", old, gone["validFrom"])
    assert await conflict(await decide(http, record["id"], "accept")), "it would be a circle"
    (back,) = [one for one in await listed(http, status="applied") if one["oldId"] == new]
    assert back["reason"] == "misheard"
    await ok(await decide(http, back["id"], "undo"))
    assert [(await get(http, id_))["status"] for id_ in (old, new)] == ["active", "active"]
    assert (await get(http, new))["validTo"] is None
    await ok(await decide(http, record["id"], "accept"))
    assert await faults(http) == []


async def test_an_equal_fact_stands_in_the_way_of_undoing(http: httpx.AsyncClient) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    record = await supersede(http, old, new)
    again = await fact_of(http, OLD, MAY)
    assert again != old
    assert again in await conflict(await decide(http, record["id"], "undo"))
    assert (await get(http, old))["status"] == "superseded"


async def test_a_fact_whose_statement_is_away_comes_back_after_it(http: httpx.AsyncClient) -> None:
    kept = await keep(http, OLD)
    new = await fact_of(http, "wick-service has two regions", APRIL)
    record = await supersede(http, kept["attributes"][0]["id"], new)
    memory = kept["memory"]["id"]
    await ok(await http.delete(f"/api/memory/{memory}"))
    assert memory in await conflict(await decide(http, record["id"], "undo"))
    await ok(await http.post(f"/api/memory/{memory}/restore"))
    await ok(await decide(http, record["id"], "undo"))
    assert (await get(http, memory))["status"] == "active"
    assert await faults(http) == []


async def test_a_superseded_fact_that_was_deleted_comes_back_without_its_statement(http: httpx.AsyncClient) -> None:
    kept = await keep(http, OLD)
    old, memory = kept["attributes"][0]["id"], kept["memory"]["id"]
    await supersede(http, old, await fact_of(http, "wick-service has two regions", APRIL))
    for id_ in (memory, old):
        await ok(await http.delete(f"/api/memory/{id_}"))
    await ok(await http.post(f"/api/memory/{old}/restore"))
    assert (await get(http, old))["status"] == "superseded"
    assert await faults(http) == []


async def test_what_patch_replaced_comes_back_too(http: httpx.AsyncClient) -> None:
    kept = await keep(http, OLD)
    memory = kept["memory"]["id"]
    await ok(await http.patch(f"/api/memory/{memory}", json={"content": NEW, "reason": "wrong host"}))
    assert (await get(http, memory))["supersededBy"]
    (record,) = await listed(http)
    await ok(await decide(http, record["id"], "undo"))
    back = await get(http, memory)
    assert (back["status"], back["supersededBy"], back["validTo"]) == ("active", None, None)


# --- a person's own word ----------------------------------------------------------------------------------


async def test_a_person_may_retire_anything(http: httpx.AsyncClient) -> None:
    rule = await keep(http, "wick-service must never be stopped", MAY, kind="constraint", pinned=True)
    new = await fact_of(http, OLD)
    record = await supersede(http, rule["attributes"][0]["id"], new, "the rule was dropped")
    assert (record["status"], record["method"], record["confidence"]) == ("applied", "user", 1.0)
    assert (record["signals"], record["reason"]) == ([], "the rule was dropped")
    gone = await get(http, rule["attributes"][0]["id"])
    assert (gone["status"], gone["validTo"]) == ("superseded", MAY), "it never held after the newer one began"
    assert (await get(http, rule["memory"]["id"]))["status"] == "superseded"
    assert await supersede(http, rule["attributes"][0]["id"], new, "again") == record


async def test_a_memory_with_one_fact_stands_for_it(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD), await keep(http, "wick-service has two regions", APRIL)
    record = await supersede(http, old["memory"]["id"], new["memory"]["id"])
    assert (record["oldId"], record["newId"]) == (old["attributes"][0]["id"], new["attributes"][0]["id"])
    lone = await ok(await http.post("/api/memory/remember", json={"content": "Lunch was fine."}), 201)
    body = {"oldId": lone["memory"]["id"], "newId": record["newId"], "reason": "r"}
    refused = await http.post("/api/memory/supersede", json=body)
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["oldId"])
    body = {"oldId": record["newId"], "newId": record["newId"], "reason": "r"}
    assert (await http.post("/api/memory/supersede", json=body)).status_code == 422


async def test_no_agent_reaches_the_facts_of_another(http: httpx.AsyncClient) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    record = await supersede(http, old, new)
    other = {"X-Agent-Id": "somebody-else"}
    body = {"oldId": old, "newId": new, "reason": "mine"}
    assert (await http.post("/api/memory/supersede", json=body, headers=other)).status_code == 404
    for step in ("accept", "reject", "undo"):
        path = f"/api/memory/supersessions/{record['id']}/{step}"
        assert (await http.post(path, headers=other)).status_code == 404
    assert (await get(http, old))["status"] == "superseded"


async def test_of_many_who_decide_at_once_one_does_and_all_hear_it(http: httpx.AsyncClient) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    body = {"oldId": old, "newId": new, "reason": "all say so"}
    answers = await asyncio.gather(*(http.post("/api/memory/supersede", json=body) for _ in range(6)))
    assert {(await ok(one))["id"] for one in answers} == {(await listed(http))[0]["id"]}
    id_ = answers[0].json()["id"]
    undone = await asyncio.gather(*(decide(http, id_, "undo") for _ in range(6)))
    assert {(await ok(one))["status"] for one in undone} == {"undone"}
    kinds = [one["kind"] for one in await history(http, old)]
    assert (kinds.count("superseded"), kinds.count("supersession_undone")) == (1, 1)


async def test_a_repeat_of_a_key_is_answered_as_before(http: httpx.AsyncClient) -> None:
    old, new = await fact_of(http, OLD), await fact_of(http, "wick-service has two regions", APRIL)
    key = {"Idempotency-Key": "once"}
    body = {"oldId": old, "newId": new, "reason": "r"}
    first = await ok(await http.post("/api/memory/supersede", json=body, headers=key))
    await ok(await decide(http, first["id"], "undo"))
    again = await http.post("/api/memory/supersede", json=body, headers=key)
    assert (again.json(), again.headers["Idempotency-Replayed"]) == (first, "true")
    assert (await get(http, old))["status"] == "active"


# --- what is told late ------------------------------------------------------------------------------------

FLY, HETZNER, RENDER = (f"wick-service runs on {host}" for host in ("Fly", "Hetzner", "Render"))


async def places(http: httpx.AsyncClient) -> list[tuple[str, str, str | None]]:
    """(words, status, until when) of the facts about the host, in the order in which they held."""
    found = await ok(await http.post("/api/memory/expand", json={"entity": "wick-service", "includeSuperseded": True}))
    facts = [fact for aspect in found["aspects"] for fact in aspect["attributes"] if fact["claimKey"] == "host"]
    return [(one["content"], one["status"], one["validTo"]) for one in sorted(facts, key=lambda one: one["validFrom"])]


async def test_history_that_is_told_late_lands_superseded(http: httpx.AsyncClient) -> None:
    new = await fact_of(http, HETZNER, APRIL, claimKey="host")
    kept = await keep(http, FLY, MARCH, claimKey="host")
    assert [(one["newId"], one["status"]) for one in kept["superseded"]] == [(new, "applied")]
    late = await get(http, kept["attributes"][0]["id"])
    assert (late["status"], late["supersededBy"], late["validTo"]) == ("superseded", new, APRIL)
    assert (await get(http, new))["status"] == "active"
    assert (await get(http, kept["memory"]["id"]))["status"] == "superseded"
    assert "superseded" in [one["kind"] for one in await history(http, late["id"])]
    assert await faults(http) == []


async def test_a_fact_between_two_takes_its_place_in_one_transaction(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    first = await fact_of(http, FLY, MARCH, claimKey="host")
    last = await fact_of(http, RENDER, MAY, claimKey="host")
    assert await links(bolt, agent_id) == [(FLY, RENDER, True)]
    middle = await fact_of(http, HETZNER, APRIL, claimKey="host")
    assert await places(http) == [
        (FLY, "superseded", APRIL),
        (HETZNER, "superseded", MAY),
        (RENDER, "active", None),
    ]
    assert sorted(await links(bolt, agent_id)) == [
        (FLY, HETZNER, True),
        (FLY, RENDER, False),
        (HETZNER, RENDER, True),
    ]
    rows, _, _ = await bolt.execute_query(
        "MATCH (:Attribute {agent_id: $a, id: $id})-[l:SUPERSEDED_BY]->() RETURN l.at AS at, l.undoneAt AS undone, "
        "l.reason AS reason ORDER BY at",
        a=agent_id,
        id=first,
    )
    assert (rows[0]["undone"], rows[0]["reason"]) == (rows[1]["at"], "refined")
    (told,) = [one for one in await history(http, first) if one["kind"] == "supersession_refined"]
    assert (told["before"]["by"], told["after"]["by"]) == (last, middle)
    assert "supersedes_no_more" in [one["kind"] for one in await history(http, last)]
    assert (await counts(http))["precision"] is None, "what gave way to a closer fact was no mistake"
    assert await faults(http) == []


async def test_a_statement_ends_when_its_fact_does_also_after_something_came_in_between(
    http: httpx.AsyncClient,
) -> None:
    fact = await fact_of(http, FLY, MARCH, claimKey="host")
    (statement,) = (await get(http, fact))["memoryIds"]
    await fact_of(http, RENDER, MAY, claimKey="host")
    then = utc_now().isoformat()
    ends = []

    async def both() -> None:
        ends.append(((await get(http, fact))["validTo"], (await get(http, statement))["validTo"]))

    await fact_of(http, HETZNER, APRIL, claimKey="host")
    await both()
    asked = {"entityId": "wick-service", "to": then, "dryRun": False}
    done = await ok(await http.post("/api/repair/rollback", json=asked))
    await both()
    await ok(await http.post(f"/api/repair/rollbacks/{done['id']}/undo"))
    await both()
    assert ends == [(APRIL, APRIL), (MAY, MAY), (APRIL, APRIL)]


async def test_undoing_what_came_in_between_gives_back_what_was_before(http: httpx.AsyncClient) -> None:
    first = await fact_of(http, FLY, MARCH, claimKey="host")
    last = await fact_of(http, RENDER, MAY, claimKey="host")
    await keep(http, HETZNER, APRIL, claimKey="host")
    (record,) = [one for one in await listed(http, status="applied") if one["oldId"] == first]
    await ok(await decide(http, record["id"], "undo"))
    back = await get(http, first)
    assert (back["status"], back["supersededBy"], back["validTo"]) == ("superseded", last, MAY)
    assert await faults(http) == []


async def test_what_was_away_before_something_came_in_between_is_what_it_gave_way_to_again(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    first = await fact_of(http, FLY, MARCH, claimKey="host")
    last = await fact_of(http, RENDER, MAY, claimKey="host")
    await ok(await http.delete(f"/api/memory/{last}"))
    await keep(http, "wick-service has two doors", MAY)  # beside which April is late
    between = await keep(http, HETZNER, APRIL, claimKey="host")
    (record,) = [one for one in await listed(http, status="applied") if one["oldId"] == first]
    assert record["newId"] == between["attributes"][0]["id"]
    await ok(await decide(http, record["id"], "undo"))
    back = await get(http, first)
    assert (back["status"], back["supersededBy"], back["validTo"]) == ("superseded", last, MAY)
    assert (FLY, RENDER, True) in await links(bolt, agent_id)
    assert await faults(http) == []


async def test_what_went_since_something_came_in_between_supersedes_nothing_again(http: httpx.AsyncClient) -> None:
    first = await fact_of(http, FLY, MARCH, claimKey="host")
    last = await fact_of(http, RENDER, MAY, claimKey="host")
    await keep(http, HETZNER, APRIL, claimKey="host")
    await ok(await http.delete(f"/api/memory/{last}"))
    (record,) = [one for one in await listed(http, status="applied") if one["oldId"] == first]
    await ok(await decide(http, record["id"], "undo"))
    assert (await get(http, first))["status"] == "active"


async def test_what_gave_way_to_two_in_turns_comes_back_after_either(http: httpx.AsyncClient) -> None:
    first = await fact_of(http, FLY, MARCH, claimKey="host")
    last = await fact_of(http, RENDER, MAY, claimKey="host")
    records = []
    for content, at in ((HETZNER, "2026-04-10T00:00:00Z"), ("wick-service runs on Scaleway", "2026-04-20T00:00:00Z")):
        between = await fact_of(http, content, at, claimKey="host")
        (record,) = [one for one in await listed(http) if (one["oldId"], one["newId"]) == (first, between)]
        await ok(await decide(http, record["id"], "undo"))
        records.append(record["id"])
    (farthest,) = [one["id"] for one in await listed(http) if (one["oldId"], one["newId"]) == (first, last)]
    await ok(await decide(http, farthest, "undo"))
    await ok(await decide(http, records[0], "accept"))
    await ok(await decide(http, records[0], "undo"))
    back = await get(http, first)
    assert (back["status"], back["supersededBy"]) == ("superseded", last)


async def test_in_any_order_and_by_many_at_once_one_chain_comes_of_it(http: httpx.AsyncClient) -> None:
    days = [3, 1, 5, 2, 6, 4]
    told = [
        keep(http, f"wick-service runs on host {day}", f"2026-03-0{day}T00:00:00Z", claimKey="host") for day in days
    ]
    await asyncio.gather(*told)
    assert await places(http) == [
        *((f"wick-service runs on host {day}", "superseded", f"2026-03-0{day + 1}T00:00:00Z") for day in range(1, 6)),
        ("wick-service runs on host 6", "active", None),
    ]
    assert await faults(http) == []


async def test_what_was_merely_read_never_moves_what_was_given(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    first = await fact_of(http, FLY, MARCH, claimKey="host")
    last = await fact_of(http, RENDER, MAY, claimKey="host")
    learning, caller = graphmem.knowledge.learning, Caller(agent_id)
    given = Remember.model_validate(
        {"content": HETZNER, "entity": "wick-service", "aspect": "hosting", "claimKey": "host", "validFrom": APRIL}
    )
    change, level = await learning.decide(agent_id, given, learning.parse(given), Asked())
    read = replace(change, attributes=tuple(replace(row, explicit=False) for row in change.attributes))
    with pytest.raises(PlanOutdated):
        await KnowledgeStore(graphmem.database).remember(caller, read, level, utc_now())
    assert (await get(http, first))["supersededBy"] == last


async def test_in_shadow_mode_a_late_fact_is_proposed_to_be_superseded(shadow: httpx.AsyncClient) -> None:
    new = await fact_of(shadow, HETZNER, APRIL, claimKey="host")
    kept = await keep(shadow, FLY, MARCH, claimKey="host")
    assert [(one["newId"], one["status"]) for one in kept["proposals"]] == [(new, "proposed")]
    assert (await get(shadow, kept["attributes"][0]["id"]))["status"] == "active"
