"""What begins on a day still to come, what was and what lasts until a day: by the clock, and by `asOf`."""

from datetime import datetime, timedelta
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from graphmem.adapters.identity import utc_now
from graphmem.services.operation.work import Worker

Json = dict[str, Any]
SLOT = {"entity": "harbour pass", "aspect": "price", "claimKey": "price"}
NOW = "The harbour pass costs 18 euros."


async def post(http: httpx.AsyncClient, path: str, body: Json) -> Json:
    response = await http.post(path, json=body)
    assert response.status_code in (200, 201), response.text
    answer: Json = response.json()
    return answer


async def remember(http: httpx.AsyncClient, content: str, **more: Any) -> Json:
    return await post(http, "/api/memory/remember", {"content": content} | more)


async def facts(http: httpx.AsyncClient, entity: str = "harbour pass", **how: Any) -> list[str]:
    """What is told of an entity."""
    page = await post(http, "/api/memory/expand", {"entity": entity, "maxTokens": 20_000} | how)
    return sorted(one["content"] for part in page["aspects"] for one in part["attributes"])


def at_day(transport: httpx.ASGITransport, monkeypatch: pytest.MonkeyPatch, day: datetime) -> None:
    """Let the services that answer take another day for today."""
    recall = cast(FastAPI, transport.app).state.graphmem.recall
    for service in (recall.recalling, recall.answering, recall.expanding.entities):
        monkeypatch.setattr(service, "_clock", lambda: day)


def price_ahead(days: int) -> tuple[str, datetime]:
    begins = (utc_now() + timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0)
    return f"From {begins:%-d %B %Y} the harbour pass costs 20 euros.", begins


async def test_a_value_becomes_current_when_its_day_comes(
    transport: httpx.ASGITransport, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    then, begins = price_ahead(20)
    await remember(http, NOW, **SLOT)
    receipt = await remember(http, then, **SLOT)
    assert receipt["attributes"][0]["validFrom"].startswith(f"{begins:%Y-%m-%d}")
    question = {"query": "What does the harbour pass cost?", "kinds": ["attribute"]}
    answer = {"question": "What does the harbour pass cost?"}

    async def told() -> tuple[list[str], list[str], str]:
        hits = (await post(http, "/api/memory/recall", question))["hits"]
        said = (await post(http, "/api/memory/expand-query", answer))["answer"]
        return [hit["text"] for hit in hits], await facts(http), said

    found, shown, said = await told()
    assert (found, shown) == ([NOW], [NOW])
    assert "18 euros" in said
    assert "20 euros" not in said
    at_day(transport, monkeypatch, begins + timedelta(hours=1))
    found, shown, said = await told()
    assert (found, shown) == ([then], [then])
    assert "20 euros" in said
    at_day(transport, monkeypatch, begins - timedelta(seconds=1))
    assert await facts(http) == [NOW]


async def test_as_of_a_day_tells_what_will_hold_then(http: httpx.AsyncClient) -> None:
    then, begins = price_ahead(20)
    await remember(http, NOW, **SLOT)
    await remember(http, then, **SLOT)
    for hours, expected in ((-1, NOW), (1, then)):
        as_of = (begins + timedelta(hours=hours)).isoformat()
        page = await http.get("/api/graph/entities/harbour pass", params={"asOf": as_of})
        told = [one["content"] for part in page.json()["aspects"] for one in part["attributes"]]
        assert told == [expected]


async def test_what_is_said_meanwhile_holds_until_that_day(
    transport: httpx.ASGITransport, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    then, begins = price_ahead(20)
    await remember(http, NOW, **SLOT)
    await remember(http, then, **SLOT)
    meanwhile = "The harbour pass costs 19 euros."
    await remember(http, meanwhile, **SLOT)
    assert await facts(http) == [meanwhile]
    at_day(transport, monkeypatch, begins + timedelta(hours=1))
    assert await facts(http) == [then]


async def test_message_about_a_day_to_come_stands_below_what_holds_until_then(
    http: httpx.AsyncClient, worker: Worker
) -> None:
    _, begins = price_ahead(20)
    await post(http, "/api/sessions", {"sessionId": "a", "project": "harbour"})
    day = utc_now() - timedelta(days=2)
    said = [
        {"role": "user", "content": "The price of the harbour pass is 18 euros.", "createdAt": day.isoformat()},
        {
            "role": "user",
            "content": f"As of {begins:%-d %B %Y} the price of the harbour pass is 20 euros.",
            "createdAt": (day + timedelta(days=1)).isoformat(),
        },
    ]
    await post(http, "/api/sessions/a/messages", {"messages": said})
    await post(http, "/api/sessions/a/end", {"force": True, "wait": True})
    hits = (await post(http, "/api/memory/recall", {"query": "price of the harbour pass", "kinds": ["message"]}))[
        "hits"
    ]
    assert [(hit["ahead"], "18 euros" in hit["text"]) for hit in hits] == [(False, True), (True, False)]


async def test_a_late_report_fills_the_past_and_leaves_what_holds(http: httpx.AsyncClient) -> None:
    now = utc_now()
    await remember(http, NOW, **SLOT)
    year = now.year - 1
    await remember(http, f"In March {year} the harbour pass cost 15 euros.", **SLOT)
    assert await facts(http) == [NOW]
    page = await http.get("/api/graph/entities/harbour pass", params={"asOf": f"{year}-03-10"})
    told = [one["content"] for part in page.json()["aspects"] for one in part["attributes"]]
    assert told == [f"In March {year} the harbour pass cost 15 euros."]


async def test_what_lasts_until_a_day_ends_with_it(
    transport: httpx.ASGITransport, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = (utc_now() + timedelta(days=5)).replace(hour=0, minute=0, second=0, microsecond=0)
    content = f"The west pier is closed until {last:%-d %B %Y}."
    receipt = await remember(http, content, entity="west pier")
    assert receipt["attributes"][0]["validTo"].startswith(f"{last + timedelta(days=1):%Y-%m-%d}")
    assert await facts(http, "west pier") == [content]
    at_day(transport, monkeypatch, last + timedelta(days=1, hours=1))
    assert await facts(http, "west pier") == []


async def test_hedged_plain_and_confirmed_differ_and_say_why(http: httpx.AsyncClient, worker: Worker) -> None:
    async def told(session: str, *said: tuple[str, str]) -> None:
        await post(http, "/api/sessions", {"sessionId": session})
        messages = [{"role": "user", "name": name, "content": content} for name, content in said]
        await post(http, f"/api/sessions/{session}/messages", {"messages": messages})
        await post(http, f"/api/sessions/{session}/end", {"force": True, "wait": True})

    async def edge() -> Json:
        page = (await http.get("/api/graph/entities/buoy-service")).json()
        assert "dependencies" in page, page
        (found,) = page["dependencies"]["outgoing"]
        return found  # type: ignore[no-any-return]

    said = "buoy-service depends on tide-service."
    await told("a", ("Kim", f"As far as I know {said}"))
    hedged = await edge()
    await told("b", ("Kim", f"As far as I know {said}"), ("Kim", f"As far as I know {said}"))
    twice = await edge()
    await told("c", ("Kim", said), ("Ana", f"Right, {said}"))
    sure = await edge()
    assert hedged["confidence"] < 0.7 < twice["confidence"] < sure["confidence"]
    assert (hedged["reason"], sure["reason"]) == ("single-memory", "multi-memory")
    described = (await http.get(f"/api/describe/{sure['id']}")).json()
    assert described["counts"]["sources"] == 4
    assert "clarity" in described["metadata"]["why"]
