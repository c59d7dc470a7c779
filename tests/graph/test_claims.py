"""What newer words retire by what they claim: in talk and by `remember`, whichever entity the facts hang on."""

from typing import Any

import httpx
import pytest

from graphmem.services.operation.work import Worker
from tests.waiting import until

Json = dict[str, Any]


async def post(http: httpx.AsyncClient, path: str, body: Json) -> Json:
    response = await http.post(path, json=body)
    assert response.status_code in (200, 201), response.text
    answer: Json = response.json()
    return answer


async def talk(http: httpx.AsyncClient, session: str, day: str, *said: tuple[str, str]) -> None:
    """A session that is stored, ended and read."""
    await post(http, "/api/sessions", {"sessionId": session, "startedAt": f"{day}T09:00:00Z"})
    messages = [
        {"role": role, "content": content, "createdAt": f"{day}T09:{minute:02}:00Z"}
        for minute, (role, content) in enumerate(said)
    ]
    await post(http, f"/api/sessions/{session}/messages", {"messages": messages})
    await post(http, f"/api/sessions/{session}/end", {"force": True, "wait": True})

    async def settled() -> bool:
        return not any((await http.get("/api/status")).json()["backlog"].values())

    await until(settled)


async def facts(http: httpx.AsyncClient, status: str) -> list[str]:
    """What is said of all entities, with this status."""
    found = []
    for entity in (await http.get("/api/graph/entities")).json()["items"]:
        page = await post(
            http, "/api/memory/expand", {"entity": entity["id"], "includeSuperseded": True, "maxTokens": 20_000}
        )
        found += [one["content"] for part in page["aspects"] for one in part["attributes"] if one["status"] == status]
    return sorted(set(found))


async def marked(http: httpx.AsyncClient, query: str) -> dict[str, list[str]]:
    """The messages that are found, each with the words in it that are marked as outdated."""
    hits = (await post(http, "/api/memory/recall", {"query": query, "kinds": ["message"]}))["hits"]
    return {hit["text"]: [hit["text"][one["start"] : one["end"]] for one in hit["outdated"]] for hit in hits}


async def test_talk_retires_what_it_replaces_on_whichever_entity(http: httpx.AsyncClient, worker: Worker) -> None:
    await talk(http, "a", "2026-01-05", ("user", "The kiln is a Rohde. It runs at 1240 degrees."))
    await talk(http, "b", "2026-03-05", ("user", "By the way, the kiln runs at 1200 degrees now."))
    assert any("1240" in one for one in await facts(http, "superseded"))
    assert any("1200" in one for one in await facts(http, "active"))
    assert any("Rohde" in one for one in await facts(http, "active"))


async def test_acknowledgement_is_marked_with_what_it_acknowledges(http: httpx.AsyncClient, worker: Worker) -> None:
    told = "Our invoices live in Paperdeck."
    noted = "Noted: invoices in Paperdeck."
    await talk(http, "a", "2026-01-05", ("user", told), ("assistant", noted))
    assert len(await facts(http, "active")) == 1
    await talk(http, "b", "2026-03-05", ("user", "Our invoices have moved to Filebox."))
    found = await marked(http, "Where do our invoices live?")
    assert found.get(told, [told]) == [told]
    assert found.get(noted, [noted]) == [noted]


async def test_statement_since_a_day_is_newer_than_one_that_was_made_before_it(http: httpx.AsyncClient) -> None:
    old = {"content": "harbour-app uses Envoy 1.28.", "occurredAt": "2026-03-04T10:00:00Z"}
    new = {"content": "harbour-app is on Envoy 1.30 since Monday.", "occurredAt": "2026-03-05T10:00:00Z"}
    await post(http, "/api/memory/remember", old)
    receipt = await post(http, "/api/memory/remember", new)
    assert await facts(http, "superseded") == ["harbour-app uses Envoy 1.28"]
    assert receipt["attributes"][0]["validFrom"].startswith("2026-03-02")


async def test_later_arrival_of_an_older_claim_retires_nothing(http: httpx.AsyncClient) -> None:
    new = {"content": "The greenhouse is heated to 21 degrees now.", "occurredAt": "2026-03-05T10:00:00Z"}
    old = {"content": "The greenhouse is heated to 18 degrees.", "occurredAt": "2026-01-05T10:00:00Z"}
    await post(http, "/api/memory/remember", new)
    await post(http, "/api/memory/remember", old)
    assert any("21" in one for one in await facts(http, "active"))
    assert any("18" in one for one in await facts(http, "superseded"))


async def test_retirement_by_a_claim_is_explained_and_undone(http: httpx.AsyncClient) -> None:
    await post(http, "/api/memory/remember", {"content": "The annual fee is 40 euros."})
    receipt = await post(http, "/api/memory/remember", {"content": "The annual fee is 45 euros now."})
    (retired,) = receipt["superseded"]
    assert retired["signals"][0]["name"] == "value_conflict"
    assert "40 euros" in retired["reason"]
    await post(http, f"/api/memory/supersessions/{retired['id']}/undo", {"reason": "misread"})
    assert "The annual fee is 40 euros" in await facts(http, "active")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The south greenhouse is heated to 18 degrees.", "The north greenhouse is heated to 21 degrees now."),
        ("The greenhouse is heated to 18 degrees.", "The greenhouse might be heated to 21 degrees soon."),
        ("Ulla speaks Estonian.", "Ulla speaks Latvian now."),
    ],
)
async def test_what_may_hold_beside_it_stays(http: httpx.AsyncClient, old: str, new: str) -> None:
    await post(http, "/api/memory/remember", {"content": old})
    assert not (await post(http, "/api/memory/remember", {"content": new}))["superseded"]
    assert old.rstrip(".") in await facts(http, "active")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Search in shop-front is done with Solr.", "shop-front runs its search on Typesense since the relaunch."),
        ("The hall costs 300 euros for an evening.", "An evening in the hall is 350 euros this year."),
    ],
)
async def test_another_value_in_other_words_retires_the_older_one(http: httpx.AsyncClient, old: str, new: str) -> None:
    await post(http, "/api/memory/remember", {"content": old})
    receipt = await post(http, "/api/memory/remember", {"content": new})
    (retired,) = receipt["superseded"]
    assert retired["signals"][0]["name"] == "value_conflict"
    assert [one.rstrip(".") for one in await facts(http, "superseded")] == [old.rstrip(".")]


async def test_a_stated_value_is_a_fact_though_extraction_draws_none(http: httpx.AsyncClient) -> None:
    receipt = await post(http, "/api/memory/remember", {"content": "Tickets for the museum cost 12 pounds."})
    (fact,) = receipt["attributes"]
    assert (fact["content"].rstrip("."), fact["value"]) == ("Tickets for the museum cost 12 pounds", "12 pounds")
    receipt = await post(http, "/api/memory/remember", {"content": "Tickets for the museum cost 14 pounds now."})
    assert [one["oldId"] for one in receipt["superseded"]] == [fact["id"]]
    for asked in ("Do tickets for the museum cost 12 pounds?", "Tickets might cost 15 pounds.", "Thanks a lot!"):
        assert (await post(http, "/api/memory/remember", {"content": asked}))["attributes"] == []
