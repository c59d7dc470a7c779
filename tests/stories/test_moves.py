"""A person moves three times: one move is reported late, one twice, and one is taken back. What was true when, and what
was believed when, stays known."""

from typing import Any

import httpx
import pytest

from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem

Json = dict[str, Any]

STAGES: dict[str, list[str | None]] = {
    # What is told           2019   2021    2023    mid-2024  mid-2025
    "Rome, since 2020": [None, "Rome", "Rome", "Rome", "Rome"],
    "Oslo, since 2024": [None, "Rome", "Rome", "Oslo", "Oslo"],
    "Bonn, since 2022, late": [None, "Rome", "Bonn", "Oslo", "Oslo"],
    "Oslo, once more": [None, "Rome", "Bonn", "Oslo", "Oslo"],
    "Kyiv, since 2025": [None, "Rome", "Bonn", "Oslo", "Kyiv"],
    "not Kyiv after all": [None, "Rome", "Bonn", "Oslo", "Oslo"],
}
"""Where Maya lives on each of the days, by what was known after each step."""
DAYS = ("2019-01-01", "2021-01-01", "2023-01-01", "2024-07-01T12:00:00+02:00", "2025-07-01")


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def moves(http: httpx.AsyncClient, place: str, since: str) -> Json:
    said = {"content": f"Maya lives in {place}.", "validFrom": since}
    return await ok(await http.post("/api/memory/remember", json=said))


@pytest.fixture
async def told(graphmem: Graphmem, http: httpx.AsyncClient) -> dict[str, str]:
    """When each step was done."""
    at: dict[str, str] = {}

    def done(step: str) -> None:
        at[step] = utc_now().isoformat()

    await moves(http, "Rome", "2020-01-01")
    done("Rome, since 2020")
    assert len((await moves(http, "Oslo", "2024-01-01"))["superseded"]) == 1
    done("Oslo, since 2024")
    assert len((await moves(http, "Bonn", "2022-01-01"))["superseded"]) == 2
    done("Bonn, since 2022, late")
    again = await moves(http, "Oslo", "2024-01-01")
    assert (again["duplicateOf"], again["superseded"]) == (again["memory"]["id"], [])
    done("Oslo, once more")
    (gone,) = (await moves(http, "Kyiv", "2025-01-01"))["superseded"]
    done("Kyiv, since 2025")
    body = {"retireNew": True, "reason": "she only visited"}
    await ok(await http.post(f"/api/memory/supersessions/{gone['id']}/undo", json=body))
    done("not Kyiv after all")
    await graphmem.operation.upkeep.refresh_text()
    return at


async def test_every_question_about_a_day_and_a_belief_is_answered_right(
    http: httpx.AsyncClient, told: dict[str, str]
) -> None:
    for step, places in STAGES.items():
        for day, place in zip(DAYS, places, strict=True):
            for answer in await answers(http, {"asOf": day, "knownAt": told[step]}):
                assert answer == ({place} if place else set()), (step, day)
    for day, place in zip(DAYS, STAGES["not Kyiv after all"], strict=True):
        assert await answers(http, {"asOf": day}) == [{place} if place else set()] * 3, day
    assert await answers(http, {}) == [{"Oslo"}] * 3


async def answers(http: httpx.AsyncClient, when: Json) -> list[set[str]]:
    """Where she lives, by recall, by expand and by the page of the entity."""
    ask = {"query": "Where does Maya live?", "kinds": ["memory", "attribute"], "limit": 50}
    hits = (await ok(await http.post("/api/memory/recall", json=ask | when)))["hits"]
    assert all(hit["status"] == "active" for hit in hits)
    expanded = await ok(await http.post("/api/memory/expand", json={"entity": "Maya"} | when))
    page = await ok(await http.get("/api/graph/entities/Maya", params=when))
    return [
        {_place(hit["text"]) for hit in hits},
        *(
            {_place(fact["content"]) for aspect in found["aspects"] for fact in aspect["attributes"]}
            for found in (expanded, page)
        ),
    ]


def _place(said: str) -> str:
    assert said.startswith("Maya lives in ")
    return said.removeprefix("Maya lives in ").rstrip(".")


async def test_what_no_longer_holds_is_shown_with_what_replaced_it_where_it_is_asked_for(
    http: httpx.AsyncClient, told: dict[str, str]
) -> None:
    ask = {"entity": "Maya", "includeSuperseded": True}
    (aspect,) = (await ok(await http.post("/api/memory/expand", json=ask)))["aspects"]
    place = {fact["id"]: _place(fact["content"]) for fact in aspect["attributes"]}
    replaced = {_place(one["content"]): place.get(one["supersededBy"]) for one in aspect["attributes"]}
    assert replaced == {"Rome": "Bonn", "Bonn": "Oslo", "Oslo": None, "Kyiv": "Oslo"}
    doctor = await ok(await http.get("/api/doctor"))
    assert [one for one in doctor["findings"] if one["severity"] == "error"] == []
