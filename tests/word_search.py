"""A service that benchmarks can send conversations to: it finds messages by shared words."""

import json
from typing import Any

import httpx

from benchmarks.baselines import stems
from benchmarks.service import Api


class WordSearch:
    """A service that keeps messages by agent and finds them by shared words; busy at first."""

    def __init__(self) -> None:
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.requests: list[tuple[str, str]] = []
        self.busy = 2

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if self.busy:
            self.busy -= 1
            return httpx.Response(429 if self.busy else 503, headers={"Retry-After": "0"})
        agent, path = request.headers["X-Agent-Id"], request.url.path
        body = json.loads(request.content or b"{}")
        self.requests.append((agent, path))
        kept = self.messages.setdefault(agent, [])
        if path == "/api/memory/recall":
            return httpx.Response(200, json={"hits": self._find(kept, body)})
        if path == "/api/status":
            backlog = {"embedding": 0, "extraction": 0, "analysis": 0, "condensation": 0}
            status = {"backlog": backlog, "jobs": {"failed": 0}, "version": "0.0", "counts": {"messages": len(kept)}}
            return httpx.Response(200, json=status | {"embedder": {"id": "words", "state": "ready"}})
        if path.endswith("/messages"):
            session_id = path.split("/")[3]
            kept.extend({"sessionId": session_id, **message} for message in body["messages"])
        return httpx.Response(200, json={})

    def _find(self, kept: list[dict[str, Any]], body: dict[str, Any]) -> list[dict[str, Any]]:
        asked = set(stems(body["query"]))

        def shared(message: dict[str, Any]) -> int:
            return len(asked.intersection(stems(f"{message.get('name')} {message['content']}")))

        found = sorted((message for message in kept if shared(message)), key=shared, reverse=True)
        return [
            {
                "sessionId": message["sessionId"],
                "messageIds": [message["messageId"]],
                "text": message["content"],
                "score": shared(message) / len(asked),
                "why": {"words": shared(message) / len(asked)},
            }
            for message in found[: body.get("limit", 50)]
        ]


def api_to(fake: WordSearch) -> Api:
    return Api("http://benchmark.test", transport=httpx.MockTransport(fake))
