"""The store at 10,000 and 100,000 messages: how fast they come in, are found and are read, and what they take on disk;
through the HTTP API, beside SQLite with FTS5 in the same run.

The talk is made up (`benchmarks.chatter`), in the size and shape of LoCoMo's. Embedding follows in the background: its
rate is measured over a bounded time, and the run goes on.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from benchmarks.chatter import Question, Turn, questions, turns
from benchmarks.service import (
    PAGE,
    ROOT,
    Api,
    BenchmarkFailed,
    Service,
    named_processes,
    running_service,
    say,
    write_section,
)
from benchmarks.sqlite_store import SqliteStore
from benchmarks.store_page import BATCH, LIMIT, PAGE_SIZE, WAYS, Measured, Timed, Way, Written, report

SIZES = (10_000, 100_000)
SESSION = 2_500
"""Messages of a session that comes in batches."""
AGENT, WARM_UP_AGENT = "store", "store-warm-up"
PAGES = 100
EMBEDDING_S = 60.0
WORKER_WITHIN_S = 120.0
WARM_UP = 10
"""Questions of each kind before the first that counts, at most: where there are few, a quarter of them."""
SETTINGS = {"GRAPHMEM_IDLE_END_MINUTES": "1440"}
"""Nobody ends the sessions meanwhile: what is learned from them is measured elsewhere."""


WARM_UP_WAYS = (Way("warm-up, in batches", 2, BATCH, 1.0, 20_000), Way("warm-up, one by one", 8, 1, 1.0, 5_000))
"""What another agent writes before: Java compiles what runs often, for half a minute of it."""
SQLITE_WAYS = (
    Way("500 messages a transaction", 1, BATCH, 1.0, 10**9),
    Way("1 message a transaction", 1, 1, 0.05, 1_000),
)


def shares(size: int, ways: Sequence[Way]) -> list[int]:
    """How many messages come in each way; together they are `size`."""
    wanted = [min(round(size * way.share), way.most) for way in ways]
    rest = max(range(len(ways)), key=lambda place: ways[place].share)
    wanted[rest] = size - sum(count for place, count in enumerate(wanted) if place != rest)
    return wanted


def batches(way: Way, place: int, talk: Sequence[Turn]) -> list[list[tuple[str, Sequence[Turn]]]]:
    """For each client the batches it sends, with their sessions."""
    cut = [talk[first : first + way.batch] for first in range(0, len(talk), way.batch)]
    by_client = [cut[client :: way.clients] for client in range(way.clients)]
    long = max(1, SESSION // way.batch)
    return [
        [(f"way-{place}-{client}-{number // long}", batch) for number, batch in enumerate(of_client)]
        for client, of_client in enumerate(by_client)
    ]


def write(
    service: Service, way: Way, place: int, talk: Sequence[Turn], measured: Measured, agent: str = AGENT
) -> list[str]:
    """The sessions that came about."""
    seconds: list[float] = []
    lock = threading.Lock()

    def client(sending: Sequence[tuple[str, Sequence[Turn]]]) -> None:
        with Api(service.url) as api:
            for number, (session_id, batch) in enumerate(sending):
                answer = api.post(f"/api/sessions/{session_id}/messages", _body(number, batch), agent=agent)
                if answer.body["stored"] != len(batch):
                    raise BenchmarkFailed(f"{session_id}: {len(batch)} sent, {answer.body['stored']} stored")
                seconds.append(answer.seconds)
            with lock:
                measured.retries += api.retries

    sending = batches(way, place, talk)
    began = time.perf_counter()
    with ThreadPoolExecutor(way.clients) as clients:
        list(clients.map(client, sending))
    measured.written[way.name] = Written(len(talk), time.perf_counter() - began, seconds)
    return list(dict.fromkeys(session_id for of_client in sending for session_id, _ in of_client))


def _body(number: int, batch: Sequence[Turn]) -> dict[str, object]:
    """With ids, as clients send messages that they may have to send again."""
    return {
        "messages": [
            {"messageId": f"{number}-{place}", "role": "user", "name": name, "content": text}
            for place, (name, text) in enumerate(batch)
        ]
    }


def write_sqlite(store: SqliteStore, talk: Sequence[Turn], measured: Measured) -> list[str]:
    sessions: dict[str, None] = {}
    first = 0
    for place, (way, count) in enumerate(zip(SQLITE_WAYS, shares(len(talk), SQLITE_WAYS), strict=True)):
        seconds: list[float] = []
        for session_id, batch in batches(way, place, talk[first : first + count])[0]:
            began = time.perf_counter()
            store.write(session_id, batch)
            seconds.append(time.perf_counter() - began)
            sessions[session_id] = None
        first += count
        measured.sqlite_written[way.name] = Written(count, sum(seconds), seconds)
    return list(sessions)


@contextmanager
def worker(service: Service) -> Iterator[None]:
    """A worker beside the service, as `graphmem serve` runs one by default."""
    environment = {**os.environ, **SETTINGS, "GRAPHMEM_DATA_DIR": str(service.data_dir), "GRAPHMEM_AOT_CACHE": "use"}
    process = subprocess.Popen(
        [sys.executable, "-m", "api.cli", "work"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def backlog(api: Api, *agents: str) -> int:
    """Texts that wait for a vector, of everybody or of these agents."""
    statuses = (api.get("/api/status", agent=agent).body for agent in agents or (AGENT, WARM_UP_AGENT))
    return sum(int(status["backlog"]["embedding"]) for status in statuses)


def wait_for_embedding(api: Api) -> None:
    """Returns when the first texts have their vectors: the model is loaded."""
    before = backlog(api)
    give_up_at = time.monotonic() + WORKER_WITHIN_S
    while backlog(api) >= before:
        if time.monotonic() > give_up_at:
            raise BenchmarkFailed(f"the worker embedded nothing within {WORKER_WITHIN_S:.0f} s")
        time.sleep(0.2)


def embed(api: Api, within_s: float, measured: Measured) -> None:
    """The rate at which a running worker catches up, until nothing waits or the time is over."""
    began, first = time.perf_counter(), backlog(api)
    left = first
    while left and time.perf_counter() - began < within_s:
        time.sleep(0.5)
        left = backlog(api)
        say(f"{measured.size}: {left} texts wait for a vector", over=True)
    say("", over=True)
    measured.embedding_per_s = (first - left) / (time.perf_counter() - began)
    measured.embedded = measured.size - backlog(api, AGENT)


def ask(api: Api, asked: Question, timed: Timed) -> None:
    body = {"pattern": asked.pattern, "mode": asked.mode, "sort": asked.sort, "scope": "all", "limit": LIMIT}
    answer = api.post("/api/memory/grep", body, agent=AGENT)
    timed.seconds.append(answer.seconds)
    timed.found += bool(answer.body["items"])
    timed.truncated += bool(answer.body.get("truncated"))


def ask_sqlite(store: SqliteStore, asked: Question, timed: Timed) -> None:
    began = time.perf_counter()
    found = store.search(asked, LIMIT)
    timed.seconds.append(time.perf_counter() - began)
    timed.found += bool(found)


def search(api: Api, store: SqliteStore, talk: Sequence[Turn], count: int, measured: Measured) -> None:
    """Every question to both, in turn. SQLite has no regexes, and is asked fewer questions where each takes seconds."""
    for kind, asked in questions(talk, count + WARM_UP).items():
        ours, theirs = Timed(), Timed()
        warm_up = min(WARM_UP, len(asked) // 4)
        for number, one in enumerate(asked):
            counts = number >= warm_up
            ask(api, one, ours if counts else Timed())
            if one.mode == "text" and sum(theirs.seconds) < 60:
                ask_sqlite(store, one, theirs if counts else Timed())
            say(f"{measured.size}: {kind}, {number + 1} of {len(asked)}", over=True)
        measured.ours[kind], measured.theirs[kind] = ours, theirs
    say("", over=True)


def load(
    api: Api, store: SqliteStore, sessions: Sequence[str], sqlite_sessions: Sequence[str], measured: Measured
) -> None:
    """Pages of sessions at any place, from both in turn. All of the sessions are as long as the first."""
    chance = random.Random(3)
    ours, theirs = Timed(), Timed()
    length = min(SESSION, shares(measured.size, WAYS)[0])
    for number in range(PAGES + WARM_UP):
        after = chance.randrange(length - PAGE_SIZE)
        path = f"/api/sessions/{chance.choice(sessions)}/messages"
        answer = api.get(path, agent=AGENT, after=str(after), limit=str(PAGE_SIZE))
        began = time.perf_counter()
        held = store.page(chance.choice(sqlite_sessions), after, PAGE_SIZE)
        seconds = time.perf_counter() - began
        if number >= WARM_UP:
            ours.seconds.append(answer.seconds)
            ours.found += bool(answer.body["items"])
            theirs.seconds.append(seconds)
            theirs.found += bool(held)
    measured.ours["a page of a session"], measured.theirs["a page of a session"] = ours, theirs


def measure(size: int, count: int, embedding_s: float, folder: Path) -> Measured:
    """Everything about one size, on empty data."""
    measured, talk = Measured(size), turns(size)
    data_dir = folder / "graphmem"
    store = SqliteStore(folder / "store.db")
    with running_service(data_dir, SETTINGS | {"GRAPHMEM_WORKERS": "0"}) as service, Api(service.url) as api:
        say(f"{size}: writing")
        long = _write_all(service, api, talk, embedding_s, measured)
        long_sqlite = write_sqlite(store, talk, measured)
        say(f"{size}: asking")
        search(api, store, talk, count, measured)
        whole = max(1, shares(size, WAYS)[0] // SESSION)
        load(api, store, long[:whole], long_sqlite[:whole], measured)
        measured.memory_mb = [
            (name, process.memory_info().rss / 1_000_000) for name, process in named_processes(service)
        ]
        measured.retries += api.retries
    store.close()
    measured.disk = disk(data_dir, store.file)
    return measured


def _write_all(service: Service, api: Api, talk: Sequence[Turn], embedding_s: float, measured: Measured) -> list[str]:
    """The sessions of the first way. The worker runs only for the last way and the time after it."""
    for place, way in enumerate(WARM_UP_WAYS):
        write(service, way, place, turns(way.most, seed=place + 8), Measured(way.most), agent=WARM_UP_AGENT)
        measured.warm_up += way.most
    first = 0
    long: list[str] = []
    for place, (way, count) in enumerate(zip(WAYS, shares(len(talk), WAYS), strict=True)):
        part = talk[first : first + count]
        first += count
        if not way.embedding:
            sessions = write(service, way, place, part, measured)
            long = long or sessions
            continue
        with worker(service):
            wait_for_embedding(api)
            write(service, way, place, part, measured)
            embed(api, embedding_s, measured)
    time.sleep(2)  # full-text search follows a write within a second
    return long


def disk(data_dir: Path, sqlite_file: Path) -> dict[str, int]:
    """Bytes, after everything has stopped in order."""
    neo4j = data_dir / "neo4j" / "data"
    return {
        "store": _bytes(neo4j / "databases" / "neo4j"),
        "logs": _bytes(neo4j / "transactions" / "neo4j"),
        "sqlite": sum(_bytes(file) for file in sqlite_file.parent.glob(f"{sqlite_file.name}*")),
    }


def _bytes(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    found = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    if not found:
        raise BenchmarkFailed(f"nothing lies in {path}: the layout of Neo4j's folder has changed")
    return found


def parse_sizes(text: str) -> list[int]:
    """Sizes as they are given on the command line.

    >>> parse_sizes("10000,100000")
    [10000, 100000]
    """
    sizes = [int(part) for part in text.split(",") if part.strip().isdecimal()]
    if len(sizes) != text.count(",") + 1 or min(sizes) < 1000:
        raise argparse.ArgumentTypeError("such as 10000,100000; each at least 1000")
    return sizes


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sizes", type=parse_sizes, default=list(SIZES), help="messages (default: 10000,100000)")
    parser.add_argument("--questions", type=int, default=50, help="of each kind (default: %(default)s)")
    parser.add_argument(
        "--embedding-s", type=float, default=EMBEDDING_S, help="seconds of embedding, at most (default: %(default)s)"
    )
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    load_average = os.getloadavg()[0]
    all_measured = []
    try:
        for size in arguments.sizes:
            with tempfile.TemporaryDirectory(prefix="graphmem-store-", ignore_cleanup_errors=True) as folder:
                all_measured.append(measure(size, arguments.questions, arguments.embedding_s, Path(folder)))
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    text = report(all_measured, load_average, arguments.embedding_s)
    print(text)
    if not arguments.dry:
        write_section(PAGE, "store", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
