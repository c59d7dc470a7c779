"""`graphmem eval truth`: stories told to a service, and whether what it shows afterwards still holds.

Each story has an agent of its own. Nothing is asked before all of its backlogs are empty.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from pydantic import TypeAdapter, ValidationError
from rich.console import Console

from api.own_service import running_service
from graphmem.errors import DatabaseUnavailable, InvalidInput
from graphmem.model.labels_truth import TruthAsk, TruthSession, TruthStory
from graphmem.rules.evaluation import AskSeen, Figure, Shown, StoryScore, StorySeen, figures, score

STORIES = TypeAdapter(tuple[TruthStory, ...])
HITS = 6
CONTEXT_WINDOW = 16_000
FACT_TOKENS = 8_000
"""For the facts of one entity."""
STORIES_AT_ONCE = 2
PATIENCE_S = 600.0
"""How long a backlog, or a service that is busy, is waited for."""
PAUSE_S = 0.2
LABELS: Mapping[str, str] = {
    "asks, changed": "first hit right, value changed",
    "answers, changed": "answer right, value changed",
    "context, changed": "context right, value changed",
    "asks": "first hit right",
    "answers": "answer right",
    "context": "context right",
    "stale": "stale shown unmarked (lower is better)",
    "false": "stories with a false fact (lower is better)",
    "kept": "kept what must stay",
    "edges": "dependencies right",
}


def tell_truth(path: Path, misses: str | None, url: str | None, out: Console) -> None:
    """Print the table, and the misses of one of the files. Errors: InvalidInput for a file that holds no stories;
    GraphmemError as a service returns it, or where it does not start."""
    evaluated = evaluate_truth(stories(path), url)
    for line in truth_table(evaluated):
        out.print(line)
    for name, scored in evaluated.items():
        if name == misses:
            for one in scored:
                for miss in one.misses:
                    out.print(f"{one.id} {miss}")


def stories(path: Path) -> dict[str, tuple[TruthStory, ...]]:
    """The stories of a file, or of each file of a folder, by its name without the ending. Errors: InvalidInput."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise InvalidInput(f"{path} holds no stories (*.json)")
    found = {}
    for file in files:
        try:
            found[file.stem] = STORIES.validate_json(file.read_bytes())
        except OSError as error:
            raise InvalidInput(f"{file} cannot be read: {error}") from error
        except ValidationError as error:
            first = error.errors()[0]
            raise InvalidInput(f"{file}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return found


def evaluate_truth(read: Mapping[str, Sequence[TruthStory]], url: str | None = None) -> dict[str, list[StoryScore]]:
    """The scores of the stories, by file, on the service at `url`, else on one that is started for them. Errors:
    GraphmemError."""
    with ExitStack() as stack:
        address = url or stack.enter_context(running_service()).url
        pool = stack.enter_context(ThreadPoolExecutor(STORIES_AT_ONCE))
        waiting = {name: [(story, pool.submit(told, story, address)) for story in some] for name, some in read.items()}
        return {name: [score(story, one.result()) for story, one in some] for name, some in waiting.items()}


def truth_table(evaluated: Mapping[str, Sequence[StoryScore]]) -> list[str]:
    """Lines of a Markdown table."""
    lines = ["| stories | what | share | met | of |", "|---|---|---:|---:|---:|"]
    for name, scored in evaluated.items():
        doors = sorted({one.door for one in scored})
        among = {"all": scored} | {door: [one for one in scored if one.door == door] for door in doors}
        for door, some in among.items():
            title = f"{name} ({len(some)})" if door == "all" else f"{name}, {door} ({len(some)})"
            lines += [_row(title, figure) for figure in figures(some) if door == "all" or figure.name in _BY_DOOR]
    return lines


_BY_DOOR = frozenset({"asks, changed", "asks", "answers", "context"})


def _row(title: str, figure: Figure) -> str:
    share = "—" if figure.value is None else f"{figure.value:.2f}"
    return f"| {title} | {LABELS[figure.name]} | {share} | {figure.met} | {figure.total} |"


def told(story: TruthStory, url: str) -> StorySeen:
    """Tells a story to the service for a new agent, and reads what it shows then. Errors: DatabaseUnavailable where
    nothing answers."""
    with httpx.Client(
        base_url=url, headers={"X-Agent-Id": f"truth-{uuid4().hex[:8]}-{story.id}"}, timeout=60, trust_env=False
    ) as http:
        service = _Service(http)
        for statement in story.remember:
            service.post("/api/memory/remember", {"content": statement} if isinstance(statement, str) else statement)
        for number, session in enumerate(story.sessions):
            _tell_session(service, f"{story.id}-{number}", session)
        service.settle()
        asks = [_ask(service, f"{story.id}-ask{number}", ask) for number, ask in enumerate(story.asks)]
        facts, edges = _graph(service)
        retired = list(_retired(service)) if story.keep else []
        return StorySeen(asks, facts, retired, edges, tuple(service.trouble))


@dataclass
class _Service:
    """One agent's calls; what is refused is noted in `trouble` and answered by an empty object."""

    http: httpx.Client
    trouble: list[str] = field(default_factory=list)

    def get(self, path: str, **params: str | int) -> dict[str, Any]:
        return self._call("GET", path, params=params)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._call("POST", path, json=body)

    def settle(self) -> None:
        """Returns when nothing waits or runs any more; two empty answers in a row, since a job may queue the next."""
        give_up, empty = time.monotonic() + PATIENCE_S, 0
        while empty < 2:
            status = self.get("/api/status")
            jobs = status.get("jobs", {})
            busy = sum(status.get("backlog", {}).values()) + jobs.get("queued", 0) + jobs.get("running", 0)
            empty = 0 if busy else empty + 1
            if time.monotonic() > give_up:
                self.trouble.append("the backlog does not become empty")
                return
            time.sleep(PAUSE_S)

    def _call(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        give_up = time.monotonic() + PATIENCE_S
        while True:
            try:
                response = self.http.request(method, path, **content)
            except httpx.HTTPError as error:
                raise DatabaseUnavailable(f"no graphmem answers at {self.http.base_url}: {error!r}") from error
            if response.status_code not in (429, 503) or time.monotonic() > give_up:
                break
            time.sleep(1.0)
        if response.is_error:
            self.trouble.append(f"{method} {path} answered {response.status_code}: {response.text[:200]}")
            return {}
        answer: dict[str, Any] = response.json()
        return answer


def _tell_session(service: _Service, session_id: str, session: TruthSession) -> None:
    """Stores a session, ends it and waits until everything is learned from it."""
    opened = {"sessionId": session_id, "startedAt": session.start.isoformat()}
    service.post("/api/sessions", opened | ({"project": session.project} if session.project else {}))
    messages = [
        message.model_dump(exclude_none=True)
        | {"messageId": f"{session_id}-{place}", "createdAt": (session.start + timedelta(minutes=place)).isoformat()}
        | ({"toolCallId": f"call-{place}"} if message.role == "tool" else {})
        for place, message in enumerate(session.messages)
    ]
    service.post(f"/api/sessions/{session_id}/messages", {"messages": messages})
    service.post(f"/api/sessions/{session_id}/end", {"force": True})
    service.settle()


def _ask(service: _Service, session_id: str, ask: TruthAsk) -> AskSeen:
    recalled = service.post("/api/memory/recall", {"query": ask.q, "limit": HITS})
    answered = service.post("/api/memory/expand-query", {"question": ask.q})
    service.post("/api/sessions", {"sessionId": session_id})
    context = service.post(f"/api/sessions/{session_id}/context", {"contextWindow": CONTEXT_WINDOW, "query": ask.q})
    return AskSeen(
        hits=[_shown(hit) for hit in recalled.get("hits", ())],
        answer=Shown(answered.get("answer", ""), None, _places(answered)),
        found=bool(answered.get("found")),
        context=[_shown(item) for item in context.get("items", ())],
    )


def _shown(given: Mapping[str, Any]) -> Shown:
    return Shown(given.get("text", ""), given.get("status"), _places(given))


def _places(given: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    return tuple((one["start"], one["end"]) for one in given.get("outdated") or ())


def _graph(service: _Service) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The active facts of all entities, with the entity's name, and the active dependencies."""
    facts, edges = [], []
    for entity in _pages(service, "/api/graph/entities"):
        page = service.post("/api/memory/expand", {"entity": entity["id"], "maxTokens": FACT_TOKENS})
        found = [*page.get("constraints", ()), *(one for part in page.get("aspects", ()) for one in part["attributes"])]
        facts += [(entity["name"], one["content"]) for one in found if one["status"] == "active"]
        edges += [(one["source"]["name"], one["target"]["name"]) for one in page.get("dependencies", ())]
    return facts, edges


def _retired(service: _Service) -> Iterator[str]:
    for record in _pages(service, "/api/memory/supersessions", status="applied"):
        yield service.get(f"/api/memory/{record['oldId']}").get("content", "")


def _pages(service: _Service, path: str, **params: str) -> Iterator[dict[str, Any]]:
    cursor: str | None = None
    while True:
        page = service.get(path, limit=100, **params, **({"cursor": cursor} if cursor else {}))
        yield from page.get("items", ())
        cursor = page.get("nextCursor")
        if cursor is None:
            return
