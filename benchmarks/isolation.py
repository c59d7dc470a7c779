"""What a stranger with a key learns of another agent's memory: nothing. Written to docs/reliability.md.

A service that requires keys. An owner has words that nobody else knows in sessions, messages, payloads, entities,
facts, constraints, summaries, recaps, merges, roll-backs, jobs and telemetry, some of them superseded or erased. A
stranger with keys of another agent names the owner's ids, names, names with a slip, hashes, cursors, jobs and
idempotency keys in every place of every route and MCP tool that takes a text, with `X-Agent-Id: owner` and without.

No answer may hold a word or an id of the owner that the request did not hold, or that the stranger had written itself
before. The owner's memory is the same afterwards, byte by byte. Ends with 1 where that fails. Times are told, and fail
only beyond a wide bound: what a machine is busy with besides decides more than what it finds.
"""

import argparse
import base64
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlencode

from api.mcp_tools import OFFERS
from api.scopes import NEEDED
from benchmarks.fuzz import PAGE, Wire
from benchmarks.hostile import JSON, Description, Known, Step, filled, learn, names_of, put
from benchmarks.service import BenchmarkFailed, Service, paragraph, running_service, say, table, write_section
from graphmem import __version__
from graphmem.adapters.identity import utc_now

Json = dict[str, Any]
REQUESTS, SEED, TIMED = 6_000, 1, 60
OWNER, STRANGER = "owner", "stranger"
WIDE, WIDE_MS = 2.0, 5.0
"""A route tells by its time whether an id exists where the medians differ by this factor and these milliseconds."""
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b")
NOBODY = "0199aaaa-0000-7000-8000-000000000000"
NAME = "quorlaxim"
ALIAS = "brenthovar"
HIDDEN = "zelmiquod"
HIDDEN_ALIAS = "vastrobelk"
MESSAGE = "jorvindale"
SPEAKER = "merquathis"
PAYLOAD = "ploxandrew"
META = "kelvorrith"
FACT = "snargamond"
OLD = "wobrathine"
RULE = "trazzlefen"
REASON = "glomivarst"
PROJECT = "hexquorine"
SOURCE = "dravolmint"
ERASED = "fusquibald"
MERGED = "yonderkrax"
NOTE = "bilmothane"
SECOND = "corvaxitor"
QUESTION = "nimblorquen"
TOOL = "stravogelt"
BLOB = "data:image/png;base64," + base64.b64encode(f"{PAYLOAD} ".encode() * 2_000).decode()
SESSION, KEY = "session-eladnivroj", "key-sihtauqrem"
SENT = frozenset({NAME, ALIAS, PROJECT, SOURCE, SESSION, KEY})
"""What the stranger has heard of; the other words only the owner knows."""
SECRET = frozenset(
    (
        *(HIDDEN, HIDDEN_ALIAS, MESSAGE, SPEAKER, PAYLOAD, META, FACT, OLD, RULE, REASON),
        *(ERASED, MERGED, NOTE, SECOND, QUESTION, TOOL),
    )
)
OWNERS = (
    Step("POST", "/api/sessions", {"sessionId": SESSION, "project": PROJECT, "source": SOURCE}),
    Step(
        "POST",
        f"/api/sessions/{SESSION}/messages",
        {
            "messages": [
                {
                    "messageId": "first",
                    "role": "user",
                    "name": SPEAKER,
                    "content": f"{NAME} uses {MESSAGE} for billing.",
                },
                {"role": "assistant", "content": f"Noted: {NAME} depends on {HIDDEN}.", "metadata": {"note": META}},
                {"role": "tool", "toolCallId": TOOL, "content": BLOB},
                {"messageId": "gone", "role": "user", "content": f"The safe opens with {ERASED}."},
            ]
        },
        {"messageId": "messages.0.id", "goneId": "messages.3.id"},
    ),
    Step("GET", f"/api/sessions/{SESSION}/messages", None, {"sha256": "items.2.payloads.0.sha256"}),
    Step("POST", f"/api/sessions/{SESSION}/end", {"wait": True, "force": True}, {"jobId": "jobId"}),
    Step("POST", f"/api/sessions/{SESSION}/recap", {}),
    Step("GET", "/api/sessions/summaries", None, {"summaryId": "items.0.id"}),
    Step(
        "POST",
        "/api/memory/remember",
        {"content": f"{NAME} runs on {OLD}", "entity": NAME, "aspect": NOTE, "claimKey": "host"},
        {"oldId": "attributes.0.id", "entityId": "entities.0.id", "at": "memory.createdAt"},
    ),
    Step(
        "POST",
        "/api/memory/remember",
        {"content": f"{NAME} runs on {FACT}", "entity": NAME, "aspect": NOTE, "claimKey": "host"},
        {"memoryId": "memory.id", "newId": "attributes.0.id"},
    ),
    Step(
        "POST",
        "/api/memory/remember",
        {"content": f"{NAME} must never meet {RULE}", "entity": NAME, "kind": "constraint"},
    ),
    Step("GET", "/api/memory/supersessions", None, {"supersessionId": "items.0.id"}),
    Step("PATCH", "/api/memory/{memoryId}", {"importance": 0.9, "reason": REASON}),
    Step("POST", "/api/graph/entities", {"name": HIDDEN, "aliases": [HIDDEN_ALIAS]}, {"hiddenId": "id"}),
    Step("PATCH", "/api/graph/entities/{entityId}", {"aliases": [ALIAS]}),
    Step("POST", "/api/graph/entities", {"name": MERGED}, {"mergedId": "id"}),
    Step("POST", "/api/graph/entities", {"name": SECOND}, {"secondId": "id"}),
    Step("POST", "/api/graph/entities/{mergedId}/merge", {"intoId": "{secondId}"}, {"mergeId": "id"}),
    Step(
        "PUT",
        "/api/graph/dependencies",
        {"dependencies": [{"source": NAME, "target": SECOND, "confidence": 0.9, "reason": QUESTION}]},
        {"dependencyId": "items.0.id"},
    ),
    Step("POST", "/api/memory/feedback", {"items": [{"id": "{newId}", "score": 1}]}),
    Step("POST", "/api/repair/rollback", {"entityId": NAME, "to": "{at}", "dryRun": False}, {"rollbackId": "id"}),
    Step("POST", "/api/memory/erase", {"subject": {"messageId": "{goneId}"}, "confirm": True}),
    Step("POST", "/api/repair/condense", {"dryRun": False}),
    Step("GET", "/api/graph/entities", None, {}),
    Step("GET", "/api/graph/entities?limit=1", None, {"entitiesCursor": "nextCursor"}),
    Step("GET", "/api/memory/{newId}/history?limit=1", None, {"historyCursor": "nextCursor"}),
    Step("GET", "/api/telemetry/events?limit=1", None, {"eventsCursor": "nextCursor"}),
    Step("GET", "/api/provenance/{newId}", None, {}),
)
BY_ID = {
    "/api/messages/{}": "messageId",
    "/api/memory/{}": "memoryId",
    "/api/memory/{}/history": "newId",
    "/api/graph/entities/{}": "entityId",
    "/api/describe/{}": "summaryId",
    "/api/expand/{}": "summaryId",
    "/api/provenance/{}": "newId",
    "/api/jobs/{}": "jobId",
    "/api/payloads/{}": "sha256",
    "/api/sessions/{}": "sessionId",
}
"""Routes whose times are compared, with what they are asked for."""

LINES: tuple[Json, ...] = (
    {"source": "", "target": "kiln"},
    {"target": "", "source": "kiln"},
    {"name": "", "record": "entity"},
    {"id": "", "record": "entity", "name": "kiln"},
    {"entity": "", "record": "attribute", "content": "The kiln is hot."},
    {"id": "", "record": "attribute", "entity": "kiln", "content": "The kiln is hot."},
)
"""Lines of an import; the first field takes the value."""


class Attempt(NamedTuple):
    """One request of the stranger; `writes`: it may store what it holds."""

    route: str
    method: str
    target: str
    body: Json | None
    headers: Mapping[str, str]
    writes: bool

    def text(self) -> str:
        return f"{unquote(self.target)} {json.dumps(self.body, ensure_ascii=False)} {dict(self.headers)}".lower()


@dataclass
class Told:
    requests: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)


class Owned:
    """The memory of the owner: its ids, its known names, and what is watched for."""

    def __init__(self) -> None:
        self.known: Known = {"sessionId": SESSION}
        self.ids: set[str] = set()

    def tell(self, wire: Wire) -> None:
        """Errors: BenchmarkFailed for a step that is refused."""
        for number, step in enumerate(OWNERS):
            method, path, body = filled(step, self.known)
            headers = (JSON if body is not None else {}) | {"Idempotency-Key": f"{KEY}-{number}"}
            status, _, answer = wire.send(method, path, headers, as_bytes(body))
            if status > 299:
                raise BenchmarkFailed(f"{method} {path}: {status} {answer[:300]!r}")
            self.learn(step, answer)
        if missing := names_of(OWNERS) - self.known.keys():
            raise BenchmarkFailed(f"the story gave no {', '.join(sorted(missing))}")

    def learn(self, step: Step, answer: bytes) -> None:
        self.ids |= set(ID.findall(answer.decode("utf-8", "replace")))
        learn(step, json.loads(answer), self.known)

    def memory(self, wire: Wire) -> bytes:
        """All of it, to be compared: the export, sessions, messages, summaries, decisions, events and bytes."""
        paths = (
            "/api/graph/export?includeSuperseded=true",
            "/api/sessions?limit=1000",
            f"/api/sessions/{SESSION}/messages?limit=1000",
            "/api/sessions/summaries?limit=1000",
            "/api/memory/supersessions?limit=1000",
            "/api/graph/merges?limit=1000",
            "/api/repair/rollbacks?limit=1000",
            f"/api/memory/{self.known['newId']}/history?limit=1000",
            f"/api/payloads/{self.known['sha256']}",
        )
        answers = [(path, *wire.send("GET", path, {})) for path in paths]
        if refused := [one for one in answers if one[1] != 200]:
            raise BenchmarkFailed(f"the owner is refused: {refused[0]}")
        return b"\n".join(body for *_, body in answers)

    def values(self) -> list[str]:
        """What the stranger puts into places: ids, names it knows, names with a slip, keys and cursors."""
        slips = [f(name) for name in (NAME, HIDDEN, HIDDEN_ALIAS, SECOND, MERGED, SESSION) for f in SLIPS]
        return [
            *dict.fromkeys([*self.known.values(), *self.ids, *SENT, f"{KEY}-1", f"{KEY}-6", "first", "gone", *slips])
        ]

    def watched(self) -> re.Pattern[str]:
        words = sorted({*SECRET, *SENT, *self.ids, *self.known.values()} - {"first", "gone"}, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, (word.lower() for word in words if len(word) > 5))))


SLIPS = (
    lambda name: name[:-1],
    lambda name: name[1:],
    lambda name: name[:3] + name[4] + name[3] + name[5:],
    lambda name: name[:4] + "x" + name[4:],
    lambda name: name[: len(name) // 2],
)
"""Near names: cut, turned round, with a letter more."""


def as_bytes(body: Json | None) -> bytes | None:
    return None if body is None else json.dumps(body).encode()


def attempts(about: Description, values: Sequence[str]) -> Iterator[Attempt]:
    """Every value in every place of every route and tool that takes a text."""
    nobody: Known = {}
    for method, path, operation in about.operations():
        route = f"{method} {path}"
        writes = NEEDED.get(f"{route.replace('{idOrName}', '{idOrName:path}')}", "admin") != "read"
        media, schema = about.body(operation) or ("", {})
        sample = about.sample(schema, nobody) if media == "application/json" else None
        headers = JSON if sample is not None else {"Content-Type": media} if media else {}
        names = re.findall(r"\{(\w+)\}", path)
        parameters = [one for one in operation.get("parameters", ()) if one["in"] == "query"]
        queries = [one["name"] for one in parameters if takes_text(about, one["schema"])]
        fields = [at for at, below in about.fields(schema) if takes_text(about, below)]
        for value in values:
            plain = about.url(path, nobody)
            for name in names:
                target = about.url(path, nobody, {name: quote(value, safe="")})
                yield Attempt(route, method, target, sample, headers, writes)
                for other in queries:
                    yield Attempt(route, method, f"{target}?{urlencode({other: value})}", sample, headers, writes)
            for name in queries:
                yield Attempt(route, method, f"{plain}?{urlencode({name: value})}", sample, headers, writes)
            for at in fields if sample is not None else ():
                yield Attempt(route, method, plain, put(sample, at, value), headers, writes)
                for name in names:
                    target = about.url(path, nobody, {name: quote(value, safe="")})
                    yield Attempt(route, method, target, put(sample, at, value), headers, writes)
            for line in LINES if media == "application/x-ndjson" else ():
                yield Attempt(route, method, plain, put(line, (next(iter(line)),), value), headers, writes)
            if writes and not names:
                yield Attempt(route, method, plain, sample, {**headers, "Idempotency-Key": value}, writes)
    yield from tools(values)


def takes_text(about: Description, schema: Json) -> bool:
    """Whether a place takes any text: no time, and no word of a list."""
    below = about.resolved(schema)
    return below.get("type") == "string" and not below.keys() & {"enum", "format", "const"}


def tools(values: Sequence[str]) -> Iterator[Attempt]:
    headers = JSON | {"Accept": "application/json, text/event-stream"}
    for name, offer in OFFERS.items():
        schema = offer.takes.model_json_schema()
        local = Description({"components": {"schemas": schema.get("$defs", {})}, "paths": {}})
        sample = local.sample({key: value for key, value in schema.items() if key != "examples"}, {})
        for at, below in local.fields(schema):
            if takes_text(local, below):
                for value in values:
                    call = {"name": name, "arguments": put(sample, at, value)}
                    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
                    yield Attempt(f"MCP {name}", "POST", "/mcp", body, headers, offer.needs != "read")


def chosen(every: Sequence[Attempt], number: int, seed: int) -> list[Attempt]:
    """So many of them, each route about equally often; those that may store something come last."""
    chance = random.Random(seed)
    lines: dict[str, list[Attempt]] = {}
    for one in every:
        lines.setdefault(one.route, []).append(one)
    picked: list[Attempt] = []
    for line in lines.values():
        chance.shuffle(line)
    left = list(lines.values())
    while left and len(picked) < number:
        picked += [line.pop() for line in left]
        left = [line for line in left if line]
    return sorted(picked[:number], key=lambda one: one.writes)


def learned(one: Attempt, answer: str, watched: re.Pattern[str]) -> set[str]:
    """Words and ids of the owner in an answer that its request did not hold."""
    request = one.text()
    return {word for word in watched.findall(answer.lower()) if word not in request}


def ask(wire: Wire, every: Sequence[Attempt], watched: re.Pattern[str], keys: Mapping[str, str]) -> Told:
    told, written = Told(), set()
    for number, one in enumerate(every):
        headers = dict(one.headers) | {"Authorization": f"Bearer {keys['write' if one.writes else 'read']}"}
        if number % 2:
            headers["X-Agent-Id"] = OWNER
        status, kind, body = wire.send(one.method, one.target, headers, as_bytes(one.body))
        told.requests["MCP" if one.target == "/mcp" else "HTTP"] += 1
        told.statuses[f"{status // 100}xx"] += 1
        if leaked := learned(one, f"{kind} {body.decode('utf-8', 'replace')}", watched) - written:
            told.leaks.append(f"{one.method} {one.target[:200]} {one.body} → {status}: {', '.join(sorted(leaked)[:5])}")
            say(told.leaks[-1])
        if status >= 500 and status not in (501, 503, 507):
            told.leaks.append(f"{one.method} {one.target[:200]} {one.body} → {status}")
            say(told.leaks[-1])
        if one.writes:
            written |= set(watched.findall(one.text()))
        if number % 500 == 499:
            say(f"{number + 1:,} requests", over=True)
    return told


class Timing(NamedTuple):
    route: str
    owned_ms: float
    random_ms: float

    @property
    def tells(self) -> bool:
        low, high = sorted((self.owned_ms, self.random_ms))
        return high > WIDE * low and high - low > WIDE_MS


def times(wire: Wire, owned: Owned, key: str, number: int) -> list[Timing]:
    """Medians for ids of the owner and ids of nobody, asked for in turn."""
    told = []
    chance = random.Random(SEED)
    for route, name in BY_ID.items():
        taken: dict[bool, list[float]] = {True: [], False: []}
        existing = owned.known[name]
        for n in range(2 * number):
            id_ = existing if n % 2 else re.sub(r"[0-9a-f]", lambda _: chance.choice("0123456789abcdef"), existing)
            began = time.perf_counter()
            status, *_ = wire.send("GET", route.format(quote(id_)), {"Authorization": f"Bearer {key}"})
            taken[bool(n % 2)].append((time.perf_counter() - began) * 1000)
            if status not in (404, 422):
                raise BenchmarkFailed(f"GET {route} answers a stranger with {status}")
        told.append(Timing(route.format("{id}"), median(taken[True]), median(taken[False])))
    return told


def make_key(service: Service, agent: str, scope: str) -> str:
    command = [sys.executable, "-m", "api.cli", "keys", "create", "--agent", agent, "--scope", scope]
    environ = os.environ | {"GRAPHMEM_DATA_DIR": str(service.data_dir)}
    made = subprocess.run(command, env=environ, cwd=service.data_dir, capture_output=True, text=True)
    if made.returncode:
        raise BenchmarkFailed(f"no key was made: {made.stderr[-500:]}")
    return made.stdout.strip()


def settled(wire: Wire) -> None:
    """Waits until nothing of the owner's memory is still to be done."""
    for _ in range(600):
        status = json.loads(wire.send("GET", "/api/status", {})[2])
        if not any(status["backlog"].values()) and not status["jobs"]["queued"] and not status["jobs"]["running"]:
            return
        time.sleep(0.5)
    raise BenchmarkFailed(f"the owner's backlog stays: {status['backlog']} {status['jobs']}")


def report(told: Told, same: bool, timings: Sequence[Timing], owned: Owned) -> str:
    answered = ", ".join(f"{count:,} with {status}" for status, count in sorted(told.statuses.items()))
    how = paragraph(
        f"Asked {utc_now():%Y-%m-%d} with `make isolation`, graphmem {__version__}. A stranger with keys of another "
        f"agent sent {told.requests['HTTP']:,} requests to the routes and {told.requests['MCP']:,} to the MCP tools, "
        f"with {len(owned.values())} ids, names, names with a slip, hashes, cursors and keys of the owner, half of "
        f"them with `X-Agent-Id: {OWNER}`. Answered were {answered}. Of {len(SECRET)} words and {len(owned.ids)} ids "
        f"that are the owner's, {len(told.leaks)} answers held one that was not asked with. The owner's memory was "
        f"{'the same' if same else 'NOT the same'} afterwards, byte by byte."
    )
    rows = [
        (f"`GET {one.route}`", f"{one.owned_ms:.1f}", f"{one.random_ms:.1f}", f"{one.owned_ms / one.random_ms:.2f}")
        for one in timings
    ]
    header = ["asked by the stranger", "ids of the owner, p50 ms", "ids of nobody, p50 ms", "ratio"]
    leaks = ["\n".join(f"- {leak[:400]}" for leak in told.leaks[:20])] if told.leaks else []
    return "\n\n".join([f"## Isolation\n\n{how}", *leaks, table(header, rows)])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="of the stranger, at most")
    parser.add_argument("--timed", type=int, default=TIMED, help="of each kind at each route whose times are compared")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    given = parser.parse_args(arguments)
    settings = {"GRAPHMEM_REQUIRE_KEY": "true", "GRAPHMEM_LOG_LEVEL": "warning"}
    with running_service(settings=settings) as service:
        owner = Wire(service.url, {"Authorization": f"Bearer {make_key(service, OWNER, 'admin')}"})
        keys = {scope: make_key(service, STRANGER, scope) for scope in ("read", "write")}
        owned = Owned()
        owned.tell(owner)
        settled(owner)
        before = owned.memory(owner)
        if missing := {word for word in SECRET - {ERASED, REASON} if word.encode() not in before}:
            raise BenchmarkFailed(f"the owner's memory does not hold {', '.join(sorted(missing))}")
        stranger = Wire(service.url, {})
        about = Description(json.loads(stranger.send("GET", "/openapi.json", {})[2]))
        every = chosen(list(attempts(about, owned.values())), given.requests, given.seed)
        timings = times(stranger, owned, keys["read"], given.timed)  # before an import brings such ids
        told = ask(stranger, every, owned.watched(), keys)
        same = owned.memory(owner) == before
    text = report(told, same, timings, owned)
    print(text)
    if not given.dry:
        write_section(PAGE, "isolation", text)
    return 0 if same and not told.leaks and not any(one.tells for one in timings) else 1


if __name__ == "__main__":
    sys.exit(main())
