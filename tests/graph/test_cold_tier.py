"""The cold tier: what is sent away steps out of sight with what only it supports, and comes back as it was."""

from datetime import timedelta
from typing import Any

import httpx
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.knowledge.cold import ColdStore
from graphmem.model.stored import Retention
from graphmem.rules.language.keys import fact_key
from tests.agents import learn, snapshot

Json = dict[str, Any]
EDGE = {"source": "lamp-service", "target": "wick-service"}


async def ok(response: httpx.Response, status: int = 200) -> Json:
    assert response.status_code == status, response.text
    body: Json = response.json()
    return body


async def remember(http: httpx.AsyncClient, content: str, **more: Any) -> Json:
    response = await http.post("/api/memory/remember", json={"content": content} | more)
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def get(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.get(f"/api/memory/{id_}"))


async def archive(http: httpx.AsyncClient, id_: str, **why: str) -> Json:
    return await ok(await http.delete(f"/api/memory/{id_}", params=why))


async def restore(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.post(f"/api/memory/{id_}/restore"))


async def correct(http: httpx.AsyncClient, id_: str, **change: Any) -> Json:
    return await ok(await http.patch(f"/api/memory/{id_}", json={"reason": "it is so"} | change))


async def found(http: httpx.AsyncClient, query: str, **how: Any) -> dict[str, Json]:
    await http.get("/api/status")  # texts are found by words when this returns
    body = {"query": query, "kinds": ["memory", "attribute"]} | how
    return {hit["id"]: hit for hit in (await ok(await http.post("/api/memory/recall", json=body)))["hits"]}


async def events(http: httpx.AsyncClient, id_: str) -> list[tuple[str, str]]:
    items = (await ok(await http.get(f"/api/memory/{id_}/history")))["items"]
    return [(item["kind"], item["subjectId"]) for item in items]


async def test_a_memory_steps_back_with_what_only_it_supports_and_comes_back_as_it_was(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    kept = await remember(http, "wick-service depends on oil-store.", entity="wick-service")
    await remember(http, "wick-service runs on port 8080.", entity="wick-service")
    id_, fact, edge = kept["memory"]["id"], kept["attributes"][0]["id"], kept["dependencies"][0]["id"]
    before, told = await snapshot(bolt, agent_id), await get(http, id_)

    receipt = await archive(http, id_, reason="nobody burns oil any more")
    assert (receipt["kind"], receipt["status"], receipt["reason"]) == ("memory", "cold", "deleted")
    assert (receipt["attributeIds"], receipt["dependencyIds"]) == ([fact], [edge])
    assert receipt["note"] == "nobody burns oil any more"

    cold = await get(http, id_)
    assert (cold["status"], cold["coldReason"], cold["coldAt"]) == ("cold", "deleted", receipt["at"])
    assert {k: v for k, v in cold.items() if k not in ("status", "coldReason", "coldAt")} == {
        k: v for k, v in told.items() if k not in ("status", "coldReason", "coldAt")
    }
    gone = await get(http, fact)
    assert (gone["status"], gone["coldSourceId"], gone["retiredAt"]) == ("cold", id_, receipt["at"])
    assert not {id_, fact} & set(await found(http, "what does wick-service depend on? oil-store"))
    both = await found(http, "what does wick-service depend on? oil-store", includeCold=True)
    assert (both[id_]["status"], both[fact]["status"]) == ("cold", "cold")
    assert all(abs(sum(hit["why"].values()) - hit["score"]) < 1e-9 for hit in both.values())
    seen = await ok(await http.post("/api/memory/expand", json={"entity": "wick-service"}))
    assert ("oil" in seen["text"], "8080" in seen["text"], seen["dependencies"]) == (False, True, [])
    hit = await ok(await http.post("/api/graph/impact", json={"entityId": "oil-store", "minConfidence": 0}))
    assert hit["total"] == 0

    assert await archive(http, id_, reason="again") == receipt
    stats = await ok(await http.get("/api/repair/cold-stats"))
    assert (stats["count"], stats["byReason"], stats["totalBytes"]) == (1, {"deleted": 1}, len(cold["content"]))
    assert stats["oldest"] == stats["newest"] == receipt["at"]
    assert (await ok(await http.get("/api/status")))["counts"]["cold"] == 1

    assert await restore(http, id_) == told
    assert await snapshot(bolt, agent_id) == before
    assert await restore(http, id_) == told, "what is there stays"
    assert (await http.post(f"/api/memory/{id_}/restore", json={"raison": "?"})).status_code == 422
    assert set(await events(http, id_)) == {
        (f"{what}_{done}", about)
        for what, about in (("memory", id_), ("attribute", fact))
        for done in ("created", "archived", "restored")
    }


async def test_a_fact_is_away_only_while_nothing_states_it(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "billing-service uses Redis.")
    (attribute,) = (await expanded(http, "billing-service"))["attributes"]
    first = attribute["memoryIds"][0]
    second = (await remember(http, "billing-service uses Redis, they say.", entity="billing-service"))["memory"]["id"]
    await graphmem.database.write(
        lambda tx: tx.rows(
            "knowledge/attributes_merge",
            agent_id=agent_id,
            agent_key="k",
            now=utc_now(),
            by="given",
            rows=[_again(attribute, second)],
        )
    )
    id_ = attribute["id"]
    assert (await archive(http, first))["attributeIds"] == [], "another statement says it too"
    assert (await get(http, id_))["status"] == "active"
    assert id_ in (await archive(http, second))["attributeIds"]
    assert (await get(http, id_))["status"] == "cold"
    assert (await http.post(f"/api/memory/{id_}/restore")).status_code == 409
    await restore(http, first)
    assert (await get(http, id_))["status"] == "active"
    await restore(http, second)
    assert (await get(http, id_))["memoryIds"] == [first, second]


async def test_what_was_learned_anew_meanwhile_stays_and_gains_the_support(
    http: httpx.AsyncClient, agent_id: str
) -> None:
    old = await remember(http, "wick-service uses oil-store.", entity="wick-service")
    await archive(http, old["memory"]["id"])
    new = await remember(http, "wick-service uses oil-store.", entity="wick-service")
    ids = [one["memory"]["id"] for one in (old, new)]
    assert new["duplicateOf"] is None
    assert len(set(ids)) == 2
    assert (await restore(http, ids[0]))["status"] == "active"
    fact = await get(http, new["attributes"][0]["id"])
    assert (fact["status"], fact["memoryIds"]) == ("active", ids)
    assert (await get(http, old["attributes"][0]["id"]))["status"] == "cold"
    refused = await http.post(f"/api/memory/{old['attributes'][0]['id']}/restore")
    assert refused.status_code == 409
    assert fact["id"] in refused.json()["detail"]
    seen = await ok(await http.post("/api/memory/expand", json={"entity": "wick-service"}))
    assert len(seen["dependencies"]) == 1
    for id_ in ids:
        await archive(http, id_)
    assert (await get(http, fact["id"]))["status"] == "cold"
    for id_ in ids:
        await restore(http, id_)
    assert (await get(http, fact["id"]))["status"] == "active"


async def test_a_fact_is_deleted_with_its_edges_and_comes_back(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    kept = await remember(http, "wick-service depends on oil-store.", entity="wick-service")
    fact, edge = kept["attributes"][0]["id"], kept["dependencies"][0]["id"]
    before = await snapshot(bolt, agent_id)
    receipt = await archive(http, fact, reason="no")
    assert (receipt["kind"], receipt["status"], receipt["dependencyIds"]) == ("attribute", "deleted", [edge])
    assert await archive(http, fact) == receipt
    assert (await get(http, fact))["status"] == "deleted"
    assert (await get(http, kept["memory"]["id"]))["status"] == "active", "the words stay"
    assert fact not in await found(http, "oil-store")
    assert (await found(http, "oil-store", includeCold=True))[fact]["status"] == "deleted"
    assert (await restore(http, fact))["status"] == "active"
    assert await snapshot(bolt, agent_id) == before

    await archive(http, fact)
    await archive(http, kept["memory"]["id"])
    assert (await http.post(f"/api/memory/{fact}/restore")).status_code == 409
    await restore(http, kept["memory"]["id"])
    assert (await get(http, fact))["status"] == "deleted", "a person deleted it"
    assert (await restore(http, fact))["status"] == "active"
    assert await snapshot(bolt, agent_id) == before


async def test_ids_of_nothing_and_of_others_are_not_found(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "wick-service is lit.", entity="wick-service")
    body = {"reason": "r", "pinned": True}
    for id_, headers in ((new_uuid7(), {}), (kept["memory"]["id"], {"X-Agent-Id": f"other-{new_uuid7()}"})):
        for response in (
            await http.delete(f"/api/memory/{id_}", headers=headers),
            await http.post(f"/api/memory/{id_}/restore", headers=headers),
            await http.patch(f"/api/memory/{id_}", json=body, headers=headers),
            await http.patch(f"/api/memory/{id_}", json={"reason": "r", "content": "x"}, headers=headers),
            await http.get(f"/api/memory/{id_}/history", headers=headers),
        ):
            assert response.status_code == 404, response.text


async def test_a_correction_takes_the_place_of_a_statement_whatever_protects_it(http: httpx.AsyncClient) -> None:
    kept = await remember(
        http,
        "wick-service must never burn whale oil.",
        entity="wick-service",
        aspect="rules",
        kind="constraint",
        pinned=True,
        importance=0.9,
    )
    old, fact = kept["memory"]["id"], kept["attributes"][0]
    new = await correct(http, old, content="wick-service must never burn any oil.", reason="all oil smells")
    assert new["id"] != old
    assert (new["status"], new["pinned"], new["importance"], new["type"]) == ("active", True, 0.9, "constraint")
    (successor,) = [await get(http, id_) for id_ in new["attributeIds"]]
    same = ("entityId", "aspect", "kind", "claimKey", "pinned")
    assert [successor[field] for field in same] == [fact[field] for field in same]
    assert successor["confidence"] == 1.0
    was = await get(http, old)
    assert (was["status"], was["supersededBy"], was["validTo"]) == ("superseded", new["id"], new["validFrom"])
    assert (await get(http, fact["id"]))["supersededBy"] == successor["id"]
    (link,) = (await ok(await http.get("/api/memory/supersessions")))["items"]
    assert (link["oldId"], link["newId"], link["method"]) == (fact["id"], successor["id"], "user")
    assert (link["reason"], link["status"]) == ("all oil smells", "applied")
    assert "supersedes" in [kind for kind, _ in await events(http, successor["id"])]
    assert {"superseded", "memory_corrected"} <= {kind for kind, _ in await events(http, old)}
    for change in ({"content": "wick-service burns."}, {"pinned": False}):
        refused = await http.patch(f"/api/memory/{old}", json=change | {"reason": "r"})
        assert refused.status_code == 409
        assert new["id"] in refused.json()["detail"]
    again = await http.patch(
        f"/api/memory/{new['id']}", json={"reason": "r", "content": "Wick-service  MUST never burn any oil"}
    )
    assert again.status_code == 422


async def test_a_fact_is_corrected_by_its_own_id_and_a_bare_statement_by_its_memory(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "wick-service runs on port 8080.", entity="wick-service", claimKey="port")
    new = await correct(http, kept["attributes"][0]["id"], content="wick-service runs on port 9090.")
    assert (new["content"], new["claimKey"], new["status"]) == ("wick-service runs on port 9090.", "port", "active")
    assert (await get(http, kept["memory"]["id"]))["status"] == "superseded"
    bare = await remember(http, "Lunch was fine.")
    assert bare["attributes"] == []
    better = await correct(http, bare["memory"]["id"], content="Lunch was awful.")
    assert (better["content"], better["status"]) == ("Lunch was awful.", "active")
    assert (await get(http, bare["memory"]["id"]))["supersededBy"] == better["id"]
    assert bare["memory"]["id"] not in await found(http, "lunch")


async def test_pins_and_weights_hold_for_a_memory_and_what_it_states(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "wick-service runs on port 8080.", entity="wick-service")
    id_, fact = kept["memory"]["id"], kept["attributes"][0]["id"]
    pinned = await correct(http, id_, pinned=True, importance=0.25)
    assert (pinned["id"], pinned["pinned"], pinned["importance"]) == (id_, True, 0.25)
    stated = await get(http, fact)
    assert (stated["pinned"], stated["importance"]) == (True, 0.25)
    assert not (await correct(http, id_, pinned=False))["pinned"]
    assert not (await get(http, fact))["pinned"]
    assert (await correct(http, fact, pinned=True))["pinned"]
    assert not (await get(http, id_))["pinned"]
    kinds = [kind for kind, _ in await events(http, id_)]
    assert (kinds.count("memory_changed"), kinds.count("attribute_changed")) == (2, 3)
    await correct(http, fact, pinned=True)
    assert len(await events(http, id_)) == len(kinds), "nothing changed"
    for wrong in (
        {},
        {"reason": "r"},
        {"pinned": True},
        {"reason": " ", "pinned": True},
        {"reason": "r", "importance": 2},
    ):
        assert (await http.patch(f"/api/memory/{id_}", json=wrong)).status_code == 422
    await archive(http, id_)
    refused = await http.patch(f"/api/memory/{id_}", json={"reason": "r", "pinned": True})
    assert refused.status_code == 409
    assert "restore" in refused.json()["detail"]


async def test_each_of_these_writes_happens_once_for_its_key(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "wick-service runs on port 8080.", entity="wick-service")
    id_ = kept["memory"]["id"]
    sent = [
        ("PATCH", f"/api/memory/{id_}", {"pinned": True, "reason": "r"}),
        ("DELETE", f"/api/memory/{id_}", None),
        ("POST", f"/api/memory/{id_}/restore", None),
        ("PATCH", f"/api/memory/{id_}", {"content": "wick-service runs on port 9090.", "reason": "r"}),
        ("POST", "/api/repair/retention", {"limit": 5}),
    ]
    first = []
    for place, (method, path, body) in enumerate(sent):
        headers = {"Idempotency-Key": f"key-{place}"}
        first.append(await ok(await http.request(method, path, json=body, headers=headers)))
    counted = (await ok(await http.get("/api/status")))["counts"]
    for place, (method, path, body) in enumerate(sent):
        again = await http.request(method, path, json=body, headers={"Idempotency-Key": f"key-{place}"})
        assert (again.json(), again.headers["Idempotency-Replayed"]) == (first[place], "true")
    assert (await ok(await http.get("/api/status")))["counts"] == counted


async def test_history_is_told_in_pages_oldest_first(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "wick-service runs on port 8080.", entity="wick-service")
    id_ = kept["memory"]["id"]
    for round_ in range(3):
        await correct(http, id_, importance=round_ / 10, reason=f"round {round_}")
    whole = (await ok(await http.get(f"/api/memory/{id_}/history")))["items"]
    assert [item["at"] for item in whole] == sorted(item["at"] for item in whole)
    changed = [item for item in whole if item["kind"] == "memory_changed"]
    assert [item["after"]["importance"] for item in changed] == [0.0, 0.1, 0.2]
    assert {(item["actor"], item["reason"]) for item in changed} == {("api", f"round {n}") for n in range(3)}
    paged: list[Json] = []
    cursor: str | None = None
    while True:
        how: Json = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = await ok(await http.get(f"/api/memory/{id_}/history", params=how))
        paged += page["items"]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert paged == whole


async def test_saying_it_again_is_told_where_a_reader_sees_a_change(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "billing-service uses Redis.")
    (fact,) = (await expanded(http, "billing-service"))["attributes"]
    await learn(graphmem, agent_id, "t", "billing-service uses Redis.")
    items = (await ok(await http.get(f"/api/memory/{fact['id']}/history")))["items"]
    (confirmed,) = [item for item in items if item["kind"] == "attribute_confirmed"]
    assert (confirmed["before"]["confidence"], confirmed["after"]["confidence"]) == (0.7, 0.9)
    told = [kind for kind, _ in await events(http, fact["memoryIds"][0])]
    assert "memory_confirmed" in told


async def test_retention_takes_what_is_old_and_light_and_on_which_nothing_rests(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    light = (await remember(http, "Lunch was fine.", importance=0.1))["memory"]["id"]
    stays = {
        "heavy": await remember(http, "The lease ends in May.", importance=0.9),
        "pinned": await remember(http, "The cat is grey.", importance=0.1, pinned=True),
        "explicit": await remember(http, "wick-service is lit.", entity="wick-service", importance=0.1),
        "young": await remember(http, "It rains.", importance=0.1),
    }
    await learn(graphmem, agent_id, "s", "billing-service runs on port 7000.")
    await learn(graphmem, agent_id, "t", "billing-service runs on port 9000.")
    port = (await expanded(http, "billing-service"))["attributes"]
    assert [fact["content"] for fact in port] == ["billing-service runs on port 9000"]
    rows, _, _ = await bolt.execute_query(
        "MATCH (k:Memory {agent_id: $a}) WHERE k.id <> $young SET k.createdAt = datetime() - duration('P400D') "
        "RETURN k.id AS id, k.status AS status",
        a=agent_id,
        young=stays["young"]["memory"]["id"],
    )
    superseded = [row["id"] for row in rows if row["status"] == "superseded"]
    assert len(superseded) == 1
    preview = await ok(await http.post("/api/repair/retention", json={"dryRun": True}))
    assert {item["id"] for item in preview["items"]} == {light, *superseded}
    assert (preview["affected"], preview["jobId"]) == (2, None)
    assert (await ok(await http.get("/api/repair/cold-stats")))["count"] == 0
    one = await ok(await http.post("/api/repair/retention", json={"limit": 1}))
    assert (one["affected"], one["items"][0]["status"]) == (1, "cold")
    rest = await ok(await http.post("/api/repair/retention", json={}))
    assert rest["affected"] == 1
    assert (await ok(await http.get("/api/repair/cold-stats")))["byReason"] == {"retention": 2}
    gone = await get(http, superseded[0])
    assert (gone["status"], gone["coldReason"], gone["coldSourceId"]) == ("cold", "retention", port[0]["memoryIds"][0])
    for kept in stays.values():
        assert (await get(http, kept["memory"]["id"]))["status"] == "active"
    assert (await restore(http, superseded[0]))["status"] == "superseded"
    said = await found(http, "billing-service runs on port 7000", kinds=["message"])
    assert {hit["text"]: hit["status"] for hit in said.values()}["billing-service runs on port 7000."] == "superseded"


async def test_retention_looks_again_when_it_takes(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    """What was a candidate when the batch was chosen is left where it is if it was pinned since."""
    kept = (await remember(http, "Lunch was fine.", importance=0.1))["memory"]["id"]
    retention = Retention(utc_now() + timedelta(days=1), 0.7)
    store = ColdStore(graphmem.database)
    assert [one.id for one in await store.candidates(agent_id, retention, 10)] == [kept]
    for change in ({"pinned": True}, {"importance": 0.9}):
        await correct(http, kept, **change)
        rows = await graphmem.database.write(
            lambda tx: tx.rows(
                "cold/memories_archive",
                agent_id=agent_id,
                rows=[{"id": kept, "bytes": 1}],
                reason="retention",
                note=None,
                by_person=False,
                before=retention.before,
                lighter_than=retention.lighter_than,
                now=utc_now(),
            )
        )
        assert rows == []
        await correct(http, kept, pinned=False)
    assert (await get(http, kept))["status"] == "active"


async def test_the_chore_takes_from_every_agent(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    kept = (await remember(http, "Lunch was fine.", importance=0.1))["memory"]["id"]
    await bolt.execute_query(
        "MATCH (k:Memory {agent_id: $a}) SET k.createdAt = datetime() - duration('P400D')", a=agent_id
    )
    while await graphmem.knowledge.memories.retain():
        pass
    assert (await get(http, kept))["coldReason"] == "retention"


async def test_what_a_pinned_statement_says_is_not_superseded_by_talk(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    pinned = await remember(http, "billing-service runs on port 7000.", pinned=True)
    (fact,) = pinned["attributes"]
    assert fact["pinned"]
    await learn(graphmem, agent_id, "s", "billing-service runs on port 9000.")
    await remember(http, "billing-service runs on port 9100.")
    assert (await get(http, fact["id"]))["status"] == "active"
    assert (await get(http, pinned["memory"]["id"]))["status"] == "active"


async def test_a_pin_that_comes_with_a_repeat_holds(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    await learn(graphmem, agent_id, "s", "billing-service runs on port 7000.")
    again = await remember(http, "billing-service runs on port 7000.", pinned=True)
    assert again["duplicateOf"] == again["memory"]["id"]
    assert (again["memory"]["pinned"], again["attributes"][0]["pinned"]) == (True, True)
    await learn(graphmem, agent_id, "t", "billing-service runs on port 9000.")
    assert (await get(http, again["attributes"][0]["id"]))["status"] == "active"


async def test_an_entity_steps_back_with_all_that_hangs_on_it_and_comes_back_as_it_was(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    kept = await remember(http, "wick-service depends on oil-store.", entity="wick-service")
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": [EDGE]}))
    ids = {entity["name"]: entity["id"] for entity in kept["entities"]}
    path, fact = f"/api/graph/entities/{ids['wick-service']}", kept["attributes"][0]["id"]
    before = await snapshot(bolt, agent_id)
    receipt = await ok(await http.delete(path, params={"reason": "shut down"}))
    assert (receipt["kind"], receipt["status"], receipt["note"]) == ("entity", "cold", "shut down")
    assert (receipt["attributeIds"], len(receipt["dependencyIds"])) == ([fact], 2)
    assert await ok(await http.delete(path)) == receipt
    await graphmem.operation.upkeep.refresh_text()  # words are found a moment after they were written

    page = await ok(await http.get(path))
    assert (page["entity"]["status"], page["aspects"][0]["attributes"]) == ("cold", [])
    assert page["dependencies"] == {"incoming": [], "outgoing": []}
    listed = (await ok(await http.get("/api/graph/entities")))["items"]
    assert "wick-service" not in [entity["name"] for entity in listed]
    assert {entity["status"] for entity in listed} == {"active"}
    assert await named(http, q="wick") == []
    assert await named(http, q="the wick service", includeCold="true") == [
        ("lamp-service", "active"),
        ("wick-service", "cold"),
    ]
    assert await named(http, q="wick", includeCold="true", type="person") == []
    both = [("lamp-service", "active"), ("oil-store", "active"), ("wick-service", "cold")]
    assert await named(http, includeCold="true") == both
    first = await ok(await http.get("/api/graph/entities", params={"includeCold": "true", "limit": 2}))
    assert await named(http, includeCold="true", cursor=first["nextCursor"]) == both[2:]
    assert fact not in await found(http, "oil-store")
    refused = await http.post(f"/api/memory/{fact}/restore")
    assert refused.status_code == 409
    assert ids["wick-service"] in refused.json()["detail"]
    stats = await ok(await http.get("/api/repair/cold-stats"))
    assert (stats["count"], stats["memories"], stats["entities"]) == (1, 0, 1)
    assert (await ok(await http.get("/api/status")))["counts"]["cold"] == 1

    back = await ok(await http.post(f"{path}/restore"))
    assert (back["name"], back["status"]) == ("wick-service", "active")
    assert await snapshot(bolt, agent_id) == before
    assert await ok(await http.post(f"{path}/restore")) == back
    kinds = [kind for kind, _ in await events(http, fact)]
    assert sorted(kinds) == ["attribute_archived", "attribute_created", "attribute_restored"]


async def test_a_fact_waits_for_both_its_entity_and_its_memory(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    kept = await remember(http, "wick-service depends on oil-store.", entity="wick-service")
    id_, fact = kept["memory"]["id"], kept["attributes"][0]["id"]
    path = f"/api/graph/entities/{kept['attributes'][0]['entityId']}"
    before = await snapshot(bolt, agent_id)
    for first_memory in (True, False):
        await ok(await http.delete(path))
        await archive(http, id_)
        for restores_memory in (first_memory, not first_memory):
            assert (await get(http, fact))["status"] == "cold"
            await ok(await http.post(f"/api/memory/{id_}/restore" if restores_memory else f"{path}/restore"))
        assert await snapshot(bolt, agent_id) == before


async def test_an_entity_that_is_spoken_of_again_comes_back(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "billing-service runs on port 7000.")
    (fact,) = (await expanded(http, "billing-service"))["attributes"]
    await ok(await http.delete(f"/api/graph/entities/{fact['entityId']}"))
    assert (await expanded(http, "billing-service"))["attributes"] == []
    await learn(graphmem, agent_id, "t", "billing-service runs on port 9000.")
    (newer,) = (await expanded(http, "billing-service"))["attributes"]
    assert (newer["content"], newer["entityId"]) == ("billing-service runs on port 9000", fact["entityId"])
    assert (await get(http, fact["id"]))["supersededBy"] == newer["id"]
    assert (await ok(await http.get("/api/repair/cold-stats")))["count"] == 0


async def named(http: httpx.AsyncClient, **asked: str) -> list[tuple[str, str]]:
    items = (await ok(await http.get("/api/graph/entities", params=asked)))["items"]
    return [(entity["name"], entity["status"]) for entity in items]


async def expanded(http: httpx.AsyncClient, entity: str) -> Json:
    """The active facts of an entity."""
    seen = await ok(await http.post("/api/memory/expand", json={"entity": entity, "maxTokens": 8000}))
    return {"attributes": [fact for aspect in seen["aspects"] for fact in aspect["attributes"]]}


def _again(fact: Json, memory_id: str) -> Json:
    """A row that says an active fact again, for another memory."""
    return {
        "ref": "again",
        "id": new_uuid7(),
        "entityId": fact["entityId"],
        "aspect": fact["aspect"],
        "aspectCanonical": fact["aspect"].lower(),
        "aspectId": new_uuid7(),
        "activeKey": fact_key(fact["entityId"], fact["content"]),
        "content": fact["content"],
        "confidence": 0.7,
        "explicit": False,
        "pinned": False,
        "memoryIds": [memory_id],
        "sessionIds": [],
    }
