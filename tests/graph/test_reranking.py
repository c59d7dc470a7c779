"""A service with a reranker: over HTTP, on a real store, with a server that answers well and then not at all."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from api.app import create_app
from graphmem.settings import Settings
from tests.scripted_model import ScriptedModel, overlap, refusal, scripted_model

Json = dict[str, Any]
SAID = ("The quarterly ledger closes on Friday.", "Ledger closes are announced by Priya.", "Lunch is at noon.")


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with scripted_model() as running:
        running.otherwise = overlap
        yield running


@pytest.fixture
async def http(settings: Settings, agent_id: str, server: ScriptedModel) -> AsyncIterator[httpx.AsyncClient]:
    """A service of its own, whose models rest after one failure."""
    app = create_app(
        settings.model_copy(update={"rerank_url": server.url, "rerank_timeout_s": 30.0, "model_failures": 1})
    )
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client,
    ):
        client.headers["X-Agent-Id"] = agent_id
        yield client


async def recalled(http: httpx.AsyncClient, query: str, **asked: Any) -> Json:
    response = await http.post("/api/memory/recall", json={"query": query} | asked)
    assert response.status_code == 200, response.text
    found: Json = response.json()
    return found


async def test_hits_are_reranked_explained_and_counted_and_survive_its_end(
    http: httpx.AsyncClient, server: ScriptedModel
) -> None:
    messages = [{"role": "user", "content": content} for content in SAID]
    stored = await http.post("/api/sessions/s/messages", json={"messages": messages})
    assert stored.status_code in (200, 201)
    await http.post("/api/sessions/other/messages", json={"messages": [{"role": "user", "content": "ledger secret"}]})
    await http.get("/api/status")  # words are searchable when it answers

    found = await recalled(http, "ledger closes are announced", sessionId="s")
    assert found["reranked"] is True
    assert found["hits"][0]["text"] == SAID[1]
    assert found["hits"][0]["why"]["rerank"] == 0.5
    for hit in found["hits"]:
        assert sum(hit["why"].values()) == pytest.approx(hit["score"])
    (asked,) = server.asked
    assert asked["query"] == "ledger closes are announced"
    assert set(asked["documents"]) <= set(SAID), "no text of another session"

    server.otherwise = refusal(503)
    for _ in range(2):
        failed = await recalled(http, "ledger closes are announced", sessionId="s")
        assert failed["reranked"] is False
        assert {hit["text"] for hit in failed["hits"]} == {hit["text"] for hit in found["hits"]}
        assert not any("rerank" in hit["why"] for hit in failed["hits"])
    assert len(server.asked) == 2, "after a failure it rests"
    figures = (await http.get("/metrics")).text
    assert "graphmem_rerank_questions_total 3.0" in figures
    assert "graphmem_rerank_failures_total 2.0" in figures
