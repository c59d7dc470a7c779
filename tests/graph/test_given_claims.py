"""Claims that a caller gives: what they retire, confirm and leave alone, and where they are shown."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from graphmem.services.operation.work import Worker

Json = dict[str, Any]


@pytest.fixture
async def stranger(transport: httpx.ASGITransport, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"X-Agent-Id": f"stranger-{agent_id}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as client:
        yield client


async def keep(http: httpx.AsyncClient, content: str, **more: Any) -> Json:
    response = await http.post("/api/memory/remember", json={"content": content, **more})
    assert response.status_code in (200, 201), response.text
    answer: Json = response.json()
    return answer


async def say(http: httpx.AsyncClient, content: str, entity: str = "kite-service", **claim: Any) -> Json:
    return await keep(http, content, entity=entity, claim=claim)


async def facts(http: httpx.AsyncClient, entity: str, status: str = "active") -> list[Json]:
    response = await http.post("/api/memory/expand", json={"entity": entity, "includeSuperseded": True})
    assert response.status_code == 200, response.text
    found = [one for part in response.json()["aspects"] for one in part["attributes"]]
    return [one for one in found if one["status"] == status]


def words(rows: list[Json]) -> list[str]:
    return sorted(row["content"] for row in rows)


async def test_another_value_of_a_slot_retires_the_one_before(http: httpx.AsyncClient) -> None:
    await say(http, "Ursel is in charge of it.", slot="owner", value="Ursel")
    receipt = await say(http, "It is Bodo whom to call.", slot="Owner", value="Bodo")
    (retired,) = receipt["superseded"]
    assert (retired["method"], retired["confidence"], retired["status"]) == ("claim", 1.0, "applied")
    assert words(await facts(http, "kite-service")) == ["It is Bodo whom to call."]


async def test_equal_value_confirms_once_however_often_it_is_said(http: httpx.AsyncClient) -> None:
    first = await say(http, "Requests end after two minutes.", slot="timeout", value="2 minutes")
    again = [await say(http, "It gives up after 120 seconds.", slot="timeout", value="120 s") for _ in range(2)]
    (fact,) = await facts(http, "kite-service")
    assert fact["content"] == "Requests end after two minutes."
    assert len(fact["memoryIds"]) == 2
    assert fact["confidence"] == 1.0
    for receipt in again:
        assert receipt["confirmed"] == [{"id": first["attributes"][0]["id"], "content": fact["content"]}]
        assert receipt["superseded"] == receipt["related"] == []
    assert again[0]["duplicateOf"] is None
    assert again[1]["duplicateOf"] == again[0]["memory"]["id"]


async def test_narrower_scope_lives_beside_and_a_wider_one_replaces_both(http: httpx.AsyncClient) -> None:
    await say(http, "It listens on 7000.", slot="port", value="7000")
    staging = await say(http, "In staging it listens on 7100.", slot="port", value="7100", scope=["staging"])
    assert staging["superseded"] == []
    assert [(one["content"], one["why"]) for one in staging["related"]] == [("It listens on 7000.", "another scope")]
    moved = await say(http, "In staging it is 7200.", slot="port", value="7200", scope=["the staging cluster"])
    assert [one["why"] for one in moved["related"]] == ["another scope", "another scope"]
    everywhere = await say(http, "It is 8000 wherever it runs.", slot="port", value="8000")
    assert len(everywhere["superseded"]) == 3
    assert words(await facts(http, "kite-service")) == ["It is 8000 wherever it runs."]


async def test_denial_closes_its_value_and_only_that(http: httpx.AsyncClient) -> None:
    await say(http, "Ursel is in charge.", slot="owner", value="Ursel")
    other = await say(http, "Bodo has nothing to do with it.", slot="owner", value="Bodo", polarity="negative")
    assert other["superseded"] == []
    gone = await say(http, "Nobody is in charge.", slot="owner", polarity="negative")
    assert [one["signals"][0]["name"] for one in gone["superseded"]] == ["negation"]
    (fact,) = [one for one in await facts(http, "kite-service") if one["content"] == "Nobody is in charge."]
    assert (fact["slot"], fact["value"], fact["polarity"]) == ("owner", None, "negative")


async def test_claim_says_since_when_and_until_when_it_holds(http: httpx.AsyncClient) -> None:
    receipt = await say(
        http, "Bodo leads.", slot="lead", value="Bodo", since="2020-05-01", until="2120-01-01T00:00:00Z"
    )
    (fact,) = receipt["attributes"]
    assert (fact["validFrom"], fact["validTo"]) == ("2020-05-01T00:00:00Z", "2120-01-01T00:00:00Z")


async def test_what_is_merely_read_against_a_given_claim_is_proposed(http: httpx.AsyncClient) -> None:
    given = await say(http, "Ursel is in charge.", slot="owner", value="Ursel")
    read = await keep(http, "The owner of kite-service is Bodo.")
    (proposal,) = read["proposals"]
    assert (proposal["oldId"], proposal["status"]) == (given["attributes"][0]["id"], "proposed")
    assert read["superseded"] == []
    assert {"id": proposal["oldId"], "content": "Ursel is in charge.", "why": "waits for a decision"} in read["related"]


async def test_talk_against_a_given_claim_leaves_a_proposal(http: httpx.AsyncClient, worker: Worker) -> None:
    given = await say(http, "Ursel is in charge.", slot="owner", value="Ursel", since="2026-01-02")
    said = {"role": "user", "content": "The owner of kite-service is Bodo."}
    await http.post("/api/sessions/s/messages", json={"messages": [said]})
    await http.post("/api/sessions/s/end", json={"force": True, "wait": True})
    (proposal,) = (await http.get("/api/memory/supersessions?status=proposed")).json()["items"]
    assert proposal["oldId"] == given["attributes"][0]["id"]
    assert "Ursel is in charge." in words(await facts(http, "kite-service"))


async def test_correction_keeps_the_slot_and_its_scope(http: httpx.AsyncClient) -> None:
    await say(http, "It is 80.", slot="port", value="80")
    old = await say(http, "At home it is 81.", slot="port", value="81", scope=["at home"])
    change = {"content": "At home it is 82.", "reason": "a slip"}
    new = (await http.patch(f"/api/memory/{old['attributes'][0]['id']}", json=change)).json()
    assert (new["slot"], new["scope"], new["status"]) == ("port", ["at home"], "active")
    assert words(await facts(http, "kite-service")) == ["At home it is 82.", "It is 80."]


async def test_given_claim_retires_what_was_read_of_its_slot(http: httpx.AsyncClient) -> None:
    read = await keep(http, "kite-service runs on port 7000.")
    given = await say(http, "It has moved.", slot="port", value="7100")
    assert [one["oldId"] for one in given["superseded"]] == [read["attributes"][0]["id"]]


async def test_claim_key_and_slot_are_one_thing(http: httpx.AsyncClient) -> None:
    old = await keep(http, "kite-service runs on port 7000.", entity="kite-service", claimKey="port")
    same = await say(http, "Its port is 7000.", slot="port", value="7000")
    assert [one["id"] for one in same["confirmed"]] == [old["attributes"][0]["id"]]
    new = await say(http, "Its port is 7100.", slot="port", value="7100")
    assert [one["oldId"] for one in new["superseded"]] == [old["attributes"][0]["id"]]


async def test_words_that_are_there_get_the_claim_and_no_second_one(http: httpx.AsyncClient) -> None:
    await keep(http, "Nights are quiet.", entity="kite-service")
    named = await say(http, "Nights are quiet.", slot="load", value="low", scope=["at night"])
    assert named["attributes"][0]["slot"] == "load"
    again = await http.post(
        "/api/memory/remember",
        json={"content": "Nights are quiet.", "entity": "kite-service", "claim": {"slot": "load", "value": "high"}},
    )
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert "Say in the content" in again.json()["detail"]


async def test_claims_of_other_units_and_many_values_stay_and_are_named(http: httpx.AsyncClient) -> None:
    await keep(http, "Wilma speaks Estonian.", entity="Wilma")
    receipt = await keep(http, "Wilma speaks Latvian.", entity="Wilma")
    assert [(one["content"], one["why"]) for one in receipt["related"]] == [("Wilma speaks Estonian.", "many-valued")]


async def test_claims_are_shown_where_facts_are(http: httpx.AsyncClient) -> None:
    receipt = await say(http, "At night 9 of them run.", slot="workers", value="9", scope=["at night"])
    shown = {"slot": "workers", "value": "9", "scope": ["at night"], "polarity": "positive", "mood": "stated"}
    id_ = receipt["attributes"][0]["id"]
    page = (await http.get("/api/graph/entities/kite-service")).json()
    described = (await http.get(f"/api/describe/{id_}")).json()["metadata"]
    for fact in (
        receipt["attributes"][0],
        (await facts(http, "kite-service"))[0],
        (await http.get(f"/api/memory/{id_}")).json(),
        page["aspects"][0]["attributes"][0],
        described,
    ):
        assert {name: fact[name] for name in shown} == shown


async def test_claims_of_read_facts_are_shown_in_their_words(http: httpx.AsyncClient) -> None:
    receipt = await keep(http, "wick-service runs on port 7000.")
    (fact,) = receipt["attributes"]
    assert (fact["slot"], fact["value"], fact["mood"]) == ("port", "port 7000", "stated")


async def test_export_and_import_keep_claims(http: httpx.AsyncClient, stranger: httpx.AsyncClient) -> None:
    await say(http, "In staging it is 7200.", slot="port", value="7200", scope=["staging"])
    await keep(http, "The kiln runs at 1240 degrees.")
    exported = (await http.get("/api/graph/export")).text
    report = (
        await stranger.post("/api/graph/import", content=exported, headers={"Content-Type": "application/x-ndjson"})
    ).json()
    assert report["errors"] == []
    names = ("content", "slot", "value", "scope", "polarity", "mood", "claimKey")
    for entity in ("kite-service", "user"):
        ours, theirs = [
            [{name: fact[name] for name in names} for fact in await facts(one, entity)] for one in (http, stranger)
        ]
        assert ours == theirs
    moved = await say(stranger, "In staging it is 7300.", slot="port", value="7300", scope=["staging"])
    assert len(moved["superseded"]) == 1
    hotter = await keep(stranger, "The kiln runs at 1200 degrees now.")
    assert [one["status"] for one in (*hotter["superseded"], *hotter["proposals"])] == ["proposed"]


@pytest.mark.parametrize(
    ("claim", "more", "wrong"),
    [
        ({"value": "Bodo"}, {}, "give slot too"),
        ({"scope": ["staging"]}, {}, "give slot too"),
        ({"polarity": "negative"}, {}, "give slot too"),
        ({}, {}, "says nothing"),
        ({"slot": "owner", "since": "2026-02-01", "until": "2026-01-01"}, {}, "until must be later"),
        ({"slot": "owner", "value": "Bodo"}, {"entity": None}, "give entity too"),
        ({"slot": "owner"}, {"claimKey": "lead"}, "give one of them"),
        ({"since": "2026-02-01"}, {"validFrom": "2026-01-01"}, "give one of each"),
        ({"since": "2026-02-01"}, {"validTo": "2026-01-01"}, "validTo must be later"),
        ({"slot": "owner", "value": "Bodo", "mood": "planned"}, {}, "is no field of this request"),
    ],
)
async def test_claim_that_makes_no_sense_is_refused(
    http: httpx.AsyncClient, claim: Json, more: Json, wrong: str
) -> None:
    body = {"content": "Bodo owns it.", "entity": "kite-service", "claim": claim} | more
    response = await http.post("/api/memory/remember", json=body)
    assert response.status_code == 422
    assert any(wrong in one["msg"] for one in response.json()["errors"]), response.text
