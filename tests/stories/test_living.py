"""A dependency is told in one session, then in others, and a person settles it: what would break follows, and how
surely."""

from typing import Any

import httpx
import pytest

from tests.waiting import until

Json = dict[str, Any]


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def says(http: httpx.AsyncClient, session: str, words: str) -> None:
    """A session with these words, read to its end."""
    said = {"messages": [{"role": "user", "content": words}]}
    await ok(await http.post(f"/api/sessions/{session}/messages", json=said))
    done = await ok(await http.post(f"/api/sessions/{session}/end", json={"force": True, "wait": True}))
    assert done["pipeline"] == "done"


async def runs(http: httpx.AsyncClient) -> Json:
    upkeep = (await ok(await http.get("/api/status")))["upkeep"]
    return next(run for run in upkeep if run["name"] == "living_confidence")


async def looked_at_again(http: httpx.AsyncClient) -> None:
    """The chore is done once more, as a person asks for it."""
    before = (await runs(http))["lastRun"]
    await ok(await http.post("/api/repair/upkeep", json={"name": "living_confidence"}))

    async def ran_again() -> Json | None:
        run = await runs(http)
        return run if run["lastRun"] != before else None

    run = await until(ran_again)
    assert run is not None
    assert run["error"] is None


async def confidence(http: httpx.AsyncClient) -> float:
    asked = {"entityId": "wick-service", "minConfidence": 0.1}
    groups = (await ok(await http.post("/api/graph/impact", json=asked)))["groups"]
    (only,) = groups[0]["entities"]
    assert only["name"] == "lamp-service"
    return float(only["confidence"])


@pytest.mark.usefixtures("worker")
async def test_what_would_break_is_surer_the_more_often_it_is_told(http: httpx.AsyncClient) -> None:
    seen = []
    for session in ("monday", "tuesday", "wednesday"):
        await says(http, session, "lamp-service depends on wick-service.")
        await looked_at_again(http)
        seen.append(await confidence(http))
    assert seen[0] < seen[1] < seen[2] < 1.0
    edge = {"source": "lamp-service", "target": "wick-service", "confidence": 1.0}
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": [edge]}))
    await looked_at_again(http)
    assert await confidence(http) == 1.0, "a person's word is final"
