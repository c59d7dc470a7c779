"""A small server with the routes of chat completions and of reranking that answers as it is told: well, badly, late or
never."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

QUOTE = "ledger-api uses Redis."


@dataclass(frozen=True)
class Reply:
    """`after_s`: how long it takes; `endless`: the body is sent over and over until nobody listens;
    `missing`: bytes that were promised and never come."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    endless: bool = False
    missing: int = 0


Script = Reply | str | Callable[[dict[str, Any]], "Reply | str"]


def completion(said: object, tokens: int | None = 100) -> Reply:
    """A completion that says something."""
    body: dict[str, Any] = {"id": "1", "object": "chat.completion", "model": "m", "created": 1}
    body["choices"] = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}]
    if tokens is not None:
        body["usage"] = {"prompt_tokens": tokens, "completion_tokens": 0, "total_tokens": tokens}
    return Reply(body=json.dumps(body).encode())


def reranked(*scores: float, name: str = "relevance_score") -> Reply:
    """What a reranker says of texts: their scores in the order of the texts, told best first."""
    rows = sorted(({"index": n, name: score} for n, score in enumerate(scores)), key=lambda row: -row[name])
    return Reply(body=json.dumps({"results": rows}).encode())


def overlap(asked: dict[str, Any]) -> Reply:
    """A reranker for which the share of the words of a question that are in a text is all that counts."""
    wanted = set(asked["query"].lower().split())
    return reranked(*(len(wanted & set(text.lower().split())) / len(wanted) for text in asked["documents"]))


def refusal(status: int, message: str = "no", **headers: str) -> Reply:
    return Reply(status, json.dumps({"error": {"message": message}}).encode(), headers)


def statement(quote: str = QUOTE, message: int = 0, **said: Any) -> dict[str, Any]:
    """A statement as the prompt asks for it; without more said: that ledger-api uses Redis."""
    needs = [{"source": "ledger-api", "target": "Redis", "type": "uses"}]
    fact = {"entity": "ledger-api", "aspect": "architecture", "content": quote, "kind": "attribute", "confidence": 0.9}
    return {
        "message": message,
        "quote": quote,
        "content": quote,
        "type": "fact",
        "importance": 0.6,
        "since": None,
        "facts": [fact],
        "dependencies": needs,
    } | said


def answer(*statements: dict[str, Any], entities: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    named = [{"name": "ledger-api", "type": "system"}, {"name": "Redis", "type": "tool"}, *entities]
    return {"entities": named, "statements": list(statements or (statement(),))}


def obedient(asked: dict[str, Any]) -> str:
    """A good answer to any conversation: each "A uses B." that stands in it."""
    said: list[dict[str, Any]] = []
    names: set[str] = set()
    for line in asked["messages"][1]["content"].splitlines()[1:-1]:
        message = json.loads(line)
        for match in re.finditer(r"([\w-]+) uses ([\w-]+)\.", message.get("text", "")):
            names |= set(match.groups())
            fact = {"entity": match[1], "aspect": "architecture", "content": match[0], "kind": "attribute"}
            needs = [{"source": match[1], "target": match[2], "type": "uses"}]
            said.append(statement(match[0], message["message"], facts=[fact], dependencies=needs))
    return json.dumps({"entities": [{"name": name, "type": "system"} for name in sorted(names)], "statements": said})


class ScriptedModel(ThreadingHTTPServer):
    """Answers by its script, then by `otherwise`, whatever the path; keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.script: list[Script] = []
        self.otherwise: Script = obedient
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self.closing = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who is late finds nobody there any more."""


class _Answering(BaseHTTPRequestHandler):
    server: ScriptedModel

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.keys.append(self.headers["Authorization"])
        self.server.paths.append(self.path)
        script = self.server.script.pop(0) if self.server.script else self.server.otherwise
        said = script(asked) if callable(script) else script
        reply = completion(said) if isinstance(said, str) else said
        self.server.closing.wait(reply.after_s)
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        for name, value in reply.headers.items():
            self.send_header(name.replace("_", "-"), value)
        if not reply.endless:
            self.send_header("Content-Length", str(len(reply.body) + reply.missing))
        self.end_headers()
        self.wfile.write(reply.body)
        while reply.endless and not self.server.closing.is_set():
            self.wfile.write(reply.body)
            time.sleep(0.001)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield running
        finally:
            running.closing.set()
            running.shutdown()
            thread.join()
