"""How long `remember`, `recall` and a message take for one client over HTTP, how long the API takes to start, and how
much memory the processes hold.

The sample story is loaded first, where it is not there yet. Every call stands beside `GET /healthz` in the same run:
what HTTP costs with nothing behind it. Without `--url` a service is started and measured, and the plain Neo4j driver
beside it.
"""

import argparse
import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import groupby, product
from typing import Any, NamedTuple

import psutil

from benchmarks.plain import Message, PlainWriter, driver_of, neo4j_of, plain_process
from benchmarks.service import (
    PAGE,
    ROOT,
    Answer,
    Api,
    BenchmarkFailed,
    asked_anew,
    named_processes,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    wait_until_searchable,
    write_section,
)
from graphmem.adapters.neo4j_server import RunningServer

STORY = ROOT / "examples" / "atlas-shop.jsonl"
STORY_AGENT = "latency-story"
"""Fixed, so that a second run against the same service finds the story loaded."""
WARM_UP = 100
"""Calls before the first that counts: connections, caches and plans are there in daily use."""
GROWN = 4
"""Times that as many statements again are remembered before those that count: while a graph doubles the database plans
each statement anew."""
YOUNG = "remember, young graph"
STARTS = 3
SEARCHABLE = "vector searchable after"
SEARCHED = 20
SEARCHABLE_WITHIN_S = 30.0
GOALS_MS = {"remember": 100, "recall": 100, SEARCHABLE: 1000}
GOALS_MB = {"API": 700, "worker": 700, "Neo4j": 900}

_SERVICES = (
    "ledger",
    "voucher",
    "courier",
    "returns",
    "loyalty",
    "pricing",
    "catalogue",
    "address",
    "tax",
    "picking",
)
_FACTS = (
    "{0}-service depends on {1}-service for every order that leaves the house.",
    "{0}-service is owned by {2} since the teams were cut anew.",
    "We decided to run {0}-service on port {3}, so that the probes need no exception.",
    "{0}-service uses {4} for everything it must not lose.",
    "{0}-service moved from {4} to {5} in week {6} of the migration.",
    "The deadline for the {0} clean-up is {6} September.",
    "{0}-service must answer within {3} milliseconds, even during a sale.",
    "{2} prefers a short call about {0}-service to a long thread.",
    "{0}-service must never write addresses to its log.",
    "The nightly job of {0}-service takes {6} minutes, and {1}-service waits for it.",
)
_REASONS = (
    "The change was discussed at length, and nobody found a reason against it that held until lunch.",
    "If the numbers look odd on the first of the month, check the clock of the batch machine before you ask.",
    "An older note says otherwise; it was written before the second warehouse opened and no longer applies.",
    "Support has been told, the runbook has a new page, and the alert goes to the team that can act on it.",
    "Two weeks of measurements on the test stand showed no difference beyond the usual scatter.",
    "Whoever wants to go back finds the former settings in the archive, together with the reasons for them.",
    "Finance looked at the sample, counted twice and sent it back with one remark about rounding.",
    "Nothing in the warehouse changes: the scanners keep their addresses and the labels keep their size.",
    "The first attempt failed on a Tuesday, for a reason that turned out to be a full disk.",
    "It is slower by a hair in the small hours and faster by far when it counts.",
)
_PEOPLE = ("Nora", "Tomasz", "Ines", "Karim", "Ruth")
_STORES = ("MariaDB", "Valkey", "NATS", "OpenSearch", "SQLite")

_SUBJECTS = (
    "billing-service",
    "checkout-api",
    "cart-service",
    "notification-worker",
    "search-service",
    "auth-service",
    "inventory-service",
    "the storefront",
    "PostgreSQL",
    "Redis",
)
_FORMS = (
    "Who owns {}?",
    "What does {} depend on?",
    "What breaks if {} changes?",
    "Which port does {} run on?",
    "What was decided about {} in April?",
    "Which rules hold for {}?",
    "What changed for {} since March, and why?",
    "{} deadline",
    "Did anybody report trouble with {}?",
    "What did Priya say about {}?",
)


class Timing(NamedTuple):
    name: str
    seconds: list[float]


def sentences() -> list[str]:
    """100 statements, no two alike, from one short sentence to almost 1 KB."""
    out = []
    for number, (service, fact) in enumerate(product(range(len(_SERVICES)), range(len(_FACTS)))):
        head = _FACTS[fact].format(
            _SERVICES[service],
            _SERVICES[(service + fact % 9 + 1) % len(_SERVICES)],
            _PEOPLE[(service + fact) % len(_PEOPLE)],
            8100 + number if fact == 2 else 50 + number,
            _STORES[(service + fact) % len(_STORES)],
            _STORES[(service + fact + 1 + service % 4) % len(_STORES)],
            2 + number % 28,
        )
        reasons = (_REASONS[(fact + place) % len(_REASONS)] for place in range((service * 7 + fact) % 10))
        out.append(" ".join((head, *reasons)))
    return out


def questions() -> list[str]:
    """100 questions about the sample story, no two alike; some have no answer in it, as in life."""
    return [form.format(subject) for subject, form in product(_SUBJECTS, _FORMS)]


def load_story(api: Api) -> bool:
    """Sends the sample story and waits until it is searchable; False when it was there already."""
    with STORY.open(encoding="utf-8") as story:
        lines = [json.loads(line) for line in story]
    listed = api.get("/api/sessions", agent=STORY_AGENT, project=lines[0]["project"], limit="1000").body
    known = {session["sessionId"] for session in listed["items"]}
    missing = [line for line in lines if line["sessionId"] not in known]
    for session_id, group in groupby(missing, key=lambda line: line["sessionId"]):
        _send_session(api, session_id, list(group))
    if missing:
        wait_until_searchable(api, [STORY_AGENT])
    return bool(missing)


def _send_session(api: Api, session_id: str, lines: Sequence[Mapping[str, Any]]) -> None:
    first = lines[0]
    opening = {"project": first["project"], "source": first["source"], "startedAt": first["createdAt"]}
    api.post("/api/sessions", {"sessionId": session_id, **opening}, agent=STORY_AGENT)
    of_session = {"sessionId", "project", "source"}
    messages = [{name: line[name] for name in line if name not in of_session} for line in lines]
    api.post(f"/api/sessions/{session_id}/messages", {"messages": messages}, agent=STORY_AGENT)
    api.post(f"/api/sessions/{session_id}/end", {"force": True}, agent=STORY_AGENT)


def measure(api: Api, run: str, plain: PlainWriter | None = None) -> list[Timing]:
    """One call after the other, by one client, and the plain driver with the same messages, if there is one.

    What writes comes last: its embeddings are made while it runs, as in daily use, and would disturb the others.
    """
    agent = f"latency-{run}"

    def health(_: str) -> Answer:
        return api.get("/healthz", agent=STORY_AGENT)

    def recall(question: str) -> Answer:
        return api.post("/api/memory/recall", {"query": asked_anew(question)}, agent=STORY_AGENT)

    def remember(sentence: str) -> Answer:
        return api.post("/api/memory/remember", {"content": sentence}, agent=agent)

    def message(sentence: str) -> Answer:
        return api.post("/api/sessions/latency/messages", {"messages": [_message(sentence)]}, agent=agent)

    asked, told = questions(), sentences()
    warm_up = [f"Before the measuring: {sentence}" for sentence in told[:WARM_UP]]
    one_message = {"one message": message} | ({"one message, plain driver": _plain_call(plain)} if plain else {})
    return [
        *_time({"GET /healthz": health}, [], [""] * len(asked)),
        *_time({"recall": recall}, asked[:WARM_UP], asked),
        *_time(one_message, warm_up, told),
        *_time({YOUNG: remember}, warm_up, [f"At first: {sentence}" for sentence in told]),
        *_time({"remember": remember}, [f"{place}: {sentence}" for place in range(GROWN) for sentence in told], told),
        Timing(
            SEARCHABLE,
            [_searchable_after(api, agent, f"By the way: {said}") for said in told[:: len(told) // SEARCHED]],
        ),
    ]


def _searchable_after(api: Api, agent: str, sentence: str) -> float:
    """Seconds from the answer to `remember`, given while nothing waits for a vector, until recall finds it by meaning:
    until the question that does is asked."""
    wait_until_searchable(api, [agent])
    kept = api.post("/api/memory/remember", {"content": sentence}, agent=agent).body
    ids = {kept["memory"]["id"], *(fact["id"] for fact in kept["attributes"])}
    began = time.perf_counter()
    while (after := time.perf_counter() - began) < SEARCHABLE_WITHIN_S:
        hits = api.post("/api/memory/recall", {"query": sentence}, agent=agent).body["hits"]
        if any(hit["id"] in ids and "meaning" in hit["why"] for hit in hits):
            return after
        time.sleep(0.02)
    raise BenchmarkFailed(f"a statement was not found by meaning within {SEARCHABLE_WITHIN_S:.0f} s")


def _message(sentence: str) -> dict[str, str]:
    return {"role": "user", "name": "Nora", "content": sentence}


def _plain_call(writer: PlainWriter) -> Callable[[str], Answer]:
    def write(sentence: str) -> Answer:
        began = time.perf_counter()
        writer.write("latency", [Message(uuid.uuid4().hex, "Nora", sentence)])
        return Answer({}, time.perf_counter() - began)

    return write


def _time(calls: Mapping[str, Callable[[str], Answer]], warm_up: Iterable[str], texts: Sequence[str]) -> list[Timing]:
    """The calls with the same texts, in turns."""
    for text in warm_up:
        for call in calls.values():
            call(text)
    timings = [Timing(name, []) for name in calls]
    for number, text in enumerate(texts, start=1):
        for timing, call in zip(timings, calls.values(), strict=True):
            timing.seconds.append(call(text).seconds)
        say(f"{', '.join(calls)}: {number} of {len(texts)}", over=True)
    say("", over=True)
    return timings


def timing_table(timings: Sequence[Timing]) -> str:
    """A row for each kind of call; the first of `timings` is the floor of the ratios."""
    floor = percentile(timings[0].seconds, 0.5)
    rows = []
    for name, seconds in timings:
        p50, p95 = percentile(seconds, 0.5), percentile(seconds, 0.95)
        goal = GOALS_MS.get(name)
        rows.append(
            [
                name,
                str(len(seconds)),
                f"{p50 * 1000:.1f}",
                f"{p95 * 1000:.1f}",
                f"{p50 / floor:.1f}",
                f"≤ {goal}" if goal else "—",
            ]
        )
    return table(["call", "calls", "p50 ms", "p95 ms", "p50 / floor", "goal p95 ms"], rows)


def memory_table(processes: Iterable[tuple[str, psutil.Process]]) -> str:
    """A row for each process with its resident memory now; a process that has ended is left out."""
    rows = []
    for name, process in processes:
        try:
            held_mb = process.memory_info().rss / 1_000_000
        except psutil.NoSuchProcess:
            continue
        goal = GOALS_MB.get(name)
        rows.append([name, f"{held_mb:.0f}", f"≤ {goal}" if goal else "—"])
    return table(["process", "RSS MB", "goal MB"], sorted(rows))


def start_table(server: RunningServer) -> str:
    """A row for the plain driver and for the API: how long a process of it takes to its first answer on a Neo4j that
    runs already, and what it then holds."""
    plain, api = [], []
    for number in range(STARTS + 1):
        say(f"start {number} of {STARTS}", over=True)
        figures = (_start_of_plain(server), _start_of_api(server))
        if number:  # the first one reads the files from the disk
            plain.append(figures[0])
            api.append(figures[1])
    say("", over=True)
    rows = []
    for name, starts in (
        ("plain driver: import, connect, first answer", plain),
        ("API: import, connect, schema, GET /readyz", api),
    ):
        seconds, held = zip(*starts, strict=True)
        rows.append([name, f"{percentile(seconds, 0.5):.1f}", f"{percentile(held, 0.5) / 1_000_000:.0f}"])
    return table(["process", "start s", "RSS MB"], rows)


def _start_of_plain(server: RunningServer) -> tuple[float, int]:
    with plain_process(server) as (pid, seconds):
        return seconds, int(psutil.Process(pid).memory_info().rss)


def _start_of_api(server: RunningServer) -> tuple[float, int]:
    """Its memory is taken when the models are there, its seconds before."""
    settings = {"GRAPHMEM_NEO4J_URI": server.uri, "GRAPHMEM_NEO4J_PASSWORD": server.password, "GRAPHMEM_WORKERS": "0"}
    began = time.perf_counter()
    with running_service(settings=settings) as service, Api(service.url) as api:
        seconds = time.perf_counter() - began
        give_up_at = time.monotonic() + 60
        while api.get("/api/status", agent=STORY_AGENT).body["embedder"]["state"] == "loading":
            if time.monotonic() > give_up_at:
                raise BenchmarkFailed("the embedding model is still loading after 60 s")
            time.sleep(0.1)
        return seconds, int(psutil.Process(service.pid).memory_info().rss)


def parse_pids(text: str) -> list[tuple[str, int]]:
    """Process ids as they are given on the command line.

    >>> parse_pids("API=12,worker=13,Neo4j=14")
    [('API', 12), ('worker', 13), ('Neo4j', 14)]
    """
    pairs = [item.partition("=") for item in text.split(",")]
    if not all(name and sign and pid.isdecimal() for name, sign, pid in pairs):
        raise argparse.ArgumentTypeError("write it as API=12,worker=13,Neo4j=14")
    return [(name, int(pid)) for name, _, pid in pairs]


def report(
    status: Mapping[str, Any], timings: Sequence[Timing], memory: str | None, starts: str | None, retries: int
) -> str:
    """The section for the page."""
    database = status.get("database") or {}
    what = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `python -m benchmarks.latency`: graphmem
        {status.get("version")}, Neo4j {database.get("version")} ({database.get("mode")}),
        {os.cpu_count()} cores. The sample story is loaded; one client calls over HTTP, one call after
        the other. `remember` stores {len(sentences())} different statements of at most 1 KB, `recall`
        asks {len(questions())} different questions about the story, `one message` stores each statement as a
        message; each after {WARM_UP} calls that do not count: the database compiles what it runs often. For `{YOUNG}`
        that is all; before `remember` there are {GROWN} times as many calls again, since the database plans its
        statements anew while a graph is young and doubles.
        `{SEARCHABLE}` is the time from the answer to a `remember`, given while nothing waits for a vector, until
        `recall` finds the statement by meaning. The
        plain driver stores the same messages in one transaction each, without guards and history (see Writing
        messages). The floor is `GET /healthz` in the
        same run. Requests repeated because the service was busy: {retries}.""")
    parts = ["## Latency and memory", what, timing_table(timings)]
    if memory:
        parts += ["Resident memory after the calls:", memory]
    if starts:
        how = paragraph(f"""
            Beside the plain driver, medians of {STARTS} starts on a Neo4j that runs already; the API's memory with
            its models loaded:""")
        parts += [how, starts]
    return "\n\n".join(parts)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--url", help="a running service; without it, one is started on empty data")
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    parser.add_argument(
        "--pids", type=parse_pids, help="processes to weigh when --url is given: API=12,worker=13,Neo4j=14"
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    try:
        with ExitStack() as stack:
            service = None if arguments.url else stack.enter_context(running_service())
            api = stack.enter_context(Api(service.url if service else arguments.url))
            loaded = load_story(api)
            say("the story was loaded" if loaded else "the story was there already")
            server = neo4j_of(service) if service else None
            plain = PlainWriter(stack.enter_context(driver_of(server)), "latency-plain") if server else None
            timings = measure(api, uuid.uuid4().hex[:8], plain)
            memory = None
            if arguments.pids:
                memory = memory_table((name, psutil.Process(pid)) for name, pid in arguments.pids)
            elif service:
                memory = memory_table(named_processes(service))
            status = api.get("/api/status", agent=STORY_AGENT).body
            starts = start_table(server) if server else None
            text = report(status, timings, memory, starts, api.retries)
    except (BenchmarkFailed, psutil.NoSuchProcess) as failure:
        say(str(failure))
        return 1
    print(text)
    if not arguments.dry:
        write_section(PAGE, "latency", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
