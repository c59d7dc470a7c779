"""A thing is found under each of its names, and what another language says is left unread."""

import json
from typing import Any

import httpx
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from tests.agents import learn

Json = dict[str, Any]


async def page(http: httpx.AsyncClient, name: str) -> Json:
    response = await http.get(f"/api/graph/entities/{name}")
    assert response.status_code == 200, response.text
    body: Json = response.json()
    return body


async def merges(http: httpx.AsyncClient) -> list[Json]:
    items: list[Json] = (await http.get("/api/graph/merges")).json()["items"]
    return items


def facts(entity: Json) -> set[str]:
    return {fact["content"] for aspect in entity["aspects"] for fact in aspect["attributes"]}


async def events(bolt: AsyncDriver, agent_id: str, kind: str) -> list[tuple[Json, str]]:
    query = "MATCH (e:Event {agent_id: $a, kind: $kind}) RETURN e.after AS after, e.reason AS reason ORDER BY e.after"
    records, _, _ = await bolt.execute_query(query, a=agent_id, kind=kind)
    return [(json.loads(record["after"]), record["reason"]) for record in records]


async def test_a_told_name_leads_to_the_one_entity_from_then_on(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str, bolt: AsyncDriver
) -> None:
    await learn(graphmem, agent_id, "s", "The tariff service uses MySQL.")
    await learn(graphmem, agent_id, "t", "The tariff service, also known as Osprey, runs on port 7001.")
    await learn(graphmem, agent_id, "u", "Osprey depends on RabbitMQ.")
    osprey = await page(http, "osprey")
    assert osprey["entity"] == (await page(http, "tariff service"))["entity"]
    assert osprey["entity"]["aliases"] == ["Osprey"]
    assert {edge["target"]["name"] for edge in osprey["dependencies"]["outgoing"]} == {"MySQL", "RabbitMQ"}
    impact = await http.post("/api/graph/impact", json={"entityId": "Osprey", "direction": "downstream"})
    assert impact.json()["total"] == 2
    expanded = await http.post("/api/memory/expand", json={"entity": "osprey"})
    assert "port 7001" in expanded.text
    ((after, reason),) = await events(bolt, agent_id, "alias_added")
    assert after == {"alias": "osprey"}
    assert "Osprey" in reason
    assert await merges(http) == []


async def test_a_new_name_of_a_known_thing_becomes_its_name(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "quill-api uses Redis.")
    await learn(graphmem, agent_id, "t", "We renamed quill-api to nib-api.")
    await learn(graphmem, agent_id, "u", "nib-api is owned by Omar.")
    nib = await page(http, "nib-api")
    assert nib["entity"]["id"] == (await page(http, "quill-api"))["entity"]["id"]
    assert {edge["target"]["name"] for edge in nib["dependencies"]["outgoing"]} == {"Redis", "Omar"}


async def test_two_entities_told_to_be_one_are_proposed_for_merging(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "quill-api uses Redis. nib-api is owned by Omar.")
    await learn(graphmem, agent_id, "t", "nib-api, formerly known as quill-api, runs on port 8088.")
    (proposed,) = await merges(http)
    assert (proposed["fromName"], proposed["intoName"]) == ("nib-api", "quill-api")
    assert (proposed["status"], proposed["method"]) == ("proposed", "stated")
    await http.post(f"/api/graph/merges/{proposed['id']}/accept")
    assert (await page(http, "nib-api"))["entity"]["id"] == (await page(http, "quill-api"))["entity"]["id"]


async def test_a_name_that_a_person_took_away_is_not_given_again(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    said = "The tariff service, also known as Osprey, runs on port {}."
    await learn(graphmem, agent_id, "s", said.format(7001))
    path = f"/api/graph/entities/{(await page(http, 'osprey'))['entity']['id']}"
    await http.patch(path, json={"aliases": []})
    await learn(graphmem, agent_id, "t", said.format(7002))
    assert (await http.get("/api/graph/entities/osprey")).status_code == 404
    await http.patch(path, json={"aliases": ["Osprey"]})
    assert (await page(http, "osprey"))["entity"]["aliases"] == ["Osprey"]


async def test_short_names_find_the_only_thing_they_can_mean(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "The tariff service uses PostgreSQL. The tariff database uses Redis.")
    postgres = await http.post("/api/graph/impact", json={"entityId": "postgres"})
    assert postgres.json()["entity"]["name"] == "PostgreSQL"
    assert postgres.json()["total"] == 1
    missing = await http.get("/api/graph/entities/tariff")
    assert missing.status_code == 404
    assert {near["name"] for near in missing.json()["near"]} == {"tariff service", "tariff database"}
    assert [near["name"] for near in (await http.get("/api/graph/entities/postg")).json()["near"]] == ["PostgreSQL"]


async def test_legal_forms_of_a_company_are_proposed_for_merging(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    for content, name in (("It sells ink", "Globex Inc."), ("It sells paper", "Globex GmbH")):
        response = await http.post("/api/memory/remember", json={"content": content, "entity": name})
        assert response.status_code == 201
    assert [(one["fromName"], one["intoName"]) for one in await merges(http)] == [("Globex GmbH", "Globex Inc.")]


async def test_capitals_and_addresses_change_no_fact_and_keep_their_places(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str, bolt: AsyncDriver
) -> None:
    await learn(graphmem, agent_id, "s", "MY SISTER LIVES IN OSLO", "@nadia the tariff service uses MySQL.")
    assert facts(await page(http, "user")) == {"the user's sister lives in Oslo"}
    query = (
        "MATCH (:Memory {agent_id: $a})-[d:DERIVED_FROM]->(m:Message) "
        "RETURN substring(m.content, d.start, d.end - d.start) AS said ORDER BY said"
    )
    records, _, _ = await bolt.execute_query(query, a=agent_id)
    assert [record["said"] for record in records] == ["MY SISTER LIVES IN OSLO", "the tariff service uses MySQL."]


async def test_other_languages_are_kept_found_and_left_unread(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    said = ["Me llamo Lucía y vivo en Sevilla.", "Die Rechnungs-API hängt von MySQL ab. The tariff service uses Redis."]
    await learn(graphmem, agent_id, "s", *said)
    names = {one["name"] for one in (await http.get("/api/graph/entities")).json()["items"]}
    assert names == {"tariff service", "Redis"}
    assert (await http.get("/api/status")).json()["extraction"]["otherLanguages"] == 2
    hits = (await http.post("/api/memory/recall", json={"query": "Sevilla", "kinds": ["message"]})).json()["hits"]
    assert said[0] in hits[0]["text"]
    kept = await http.post("/api/memory/remember", json={"content": "我姐姐在深圳工作。"})
    assert kept.status_code == 201
    assert kept.json()["attributes"] == []
    assert kept.json()["entities"] == []
