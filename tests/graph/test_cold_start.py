"""The embedding model is loaded at the start and in the background: no request loads it, and none waits for it."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

import graphmem.app
from api.app import create_app
from graphmem.adapters.embedding import LocalEmbedder
from graphmem.adapters.minilm import TextEncoder
from graphmem.settings import Settings

ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/memory/recall", {"query": "Which port does lamp-service listen on?"}),
    ("/api/memory/expand", {"entity": "lamp-service", "question": "Which port?"}),
    ("/api/memory/expand-query", {"question": "Which port does lamp-service listen on?"}),
    ("/api/sessions/s/context", {"contextWindow": 32000, "query": "Which port does lamp-service listen on?"}),
)


class SlowEmbedder(LocalEmbedder):
    """Takes as long to open its model as a test wants; counts what is asked of it."""

    def __init__(self, cache_dir: Path) -> None:
        super().__init__(cache_dir)
        self.begun, self.may_open = threading.Event(), threading.Event()
        self.opened = self.asked = 0

    def _open(self) -> TextEncoder:
        self.opened += 1
        self.begun.set()
        assert self.may_open.wait(60)
        return super()._open()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += 1
        return await super().embed(texts)


async def test_requests_are_answered_from_words_while_the_model_loads(
    settings: Settings, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = SlowEmbedder(settings.cache_dir)
    monkeypatch.setattr(graphmem.app, "make_embedder", lambda *_: embedder)
    app: Any = create_app(settings)
    try:
        async with app.router.lifespan_context(app):
            assert await asyncio.to_thread(embedder.begun.wait, 30), "nobody asked yet, and it loads"
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=30) as http:
                http.headers["X-Agent-Id"] = agent_id
                await _asks(http)
                assert (embedder.state, embedder.opened, embedder.asked) == ("loading", 1, 0)
                embedder.may_open.set()
                await app.state.graphmem.models_loaded()
                await _asks(http)
                assert (embedder.state, embedder.opened) == ("ready", 1)
                assert embedder.asked >= 1, "now meaning counts too"
    finally:
        embedder.may_open.set()


async def _asks(http: httpx.AsyncClient) -> None:
    message = {"messageId": "m", "role": "user", "content": "lamp-service listens on port 8080."}
    assert (await http.post("/api/sessions/s/messages", json={"messages": [message]})).is_success
    kept = await http.post("/api/memory/remember", json={"content": "lamp-service listens on port 8080."})
    assert kept.is_success, kept.text
    await http.get("/api/status")  # words are searchable when it answers
    for path, body in ASKED:
        answered = await http.post(path, json=body)
        assert answered.status_code == 200, answered.text
        assert "8080" in answered.text, path
