"""Half an hour of writing and reading with a fault a minute: what is lost, what is answered, what is left of memory.

Eight writers send numbered messages to sessions of their own and repeat what was not answered; sixteen readers recall
and turn pages. Each minute something happens to the service or its Neo4j (`FAULTS`). At the end every acknowledged
message is there once, at the place that was answered, and the doctor finds no error. Written to docs/reliability.md.

A fault has a window: from its beginning until the service is ready again and has taken a write. An error outside of all
windows counts. Memory is compared between the minute after the warm-up and the end.
"""

import argparse
import itertools
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psutil

from api.managed import managed_server
from benchmarks.service import BenchmarkFailed, paragraph, percentile, say, table, write_section
from graphmem import __version__
from graphmem.settings import load_settings

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
MINUTES, WRITERS, READERS = 30.0, 8, 16
WRITE_EVERY_S, READ_EVERY_S, SESSION = 1.0, 1.5, 60
FAULT_EVERY_S, FAULT_S, AFTER_S = 60.0, 10.0, 5.0
"""Seconds between the beginnings of faults, how long one lasts that ends by itself, and what belongs to a window behind
its end."""
RECOVERED_WITHIN_S = 300.0
WARM_UP = 0.2
"""Share of the time before memory is looked at."""
CLOCK_STEP_S = 7200
FAKETIME = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1")
SLEEP = """import select, time
time.sleep = lambda seconds: select.select([], [], [], max(0.0, seconds)) and None
"""
"""Where the monotonic clock goes on as it is, libfaketime refuses the system call that Python sleeps by."""
SAID = (
    "The {thing} of {who} runs on port {n}.",
    "{who} moved the {thing} to hall {n}.",
    "Please look at the {thing} again, {who} said it was late {n} times.",
    "{who} owns the {thing}, and it costs {n} euros a month.",
)
THINGS = ("ledger", "kiln", "gateway", "mill", "archive", "ferry")
PEOPLE = ("Ada", "Bo", "Cleo", "Dag", "Edda", "Finn", "Gro", "Hal")


@dataclass
class Stage:
    """A service with its Neo4j on a folder of its own, to be troubled."""

    folder: Path
    faketime: str | None
    port: int = field(default_factory=lambda: free_port())
    service: "subprocess.Popen[bytes] | None" = None
    second: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "serve.log"

    @property
    def clock(self) -> Path:
        return self.folder / "clock"

    def environment(self, port: int, workers: int) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
        ours = {
            "GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir),
            "GRAPHMEM_DATA_DIR": str(self.folder / "data"),
            "GRAPHMEM_PORT": str(port),
            "GRAPHMEM_WORKERS": str(workers),
            "GRAPHMEM_AOT_CACHE": "use",
            "GRAPHMEM_LOG_LEVEL": "warning",
        }
        stepped = {
            "LD_PRELOAD": self.faketime or "",
            "FAKETIME_TIMESTAMP_FILE": str(self.clock),
            "FAKETIME_CACHE_DURATION": "1",  # to read the file at each call takes more time than all the work
            "DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": os.pathsep.join([str(self.folder / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]),
        }
        return kept | ours | (stepped if self.faketime else {})

    def set_up(self) -> None:
        (self.folder / "data").mkdir()
        (self.folder / "python").mkdir()
        (self.folder / "python" / "sitecustomize.py").write_text(SLEEP, encoding="utf-8")
        self.clock.write_text("+0s\n", encoding="utf-8")

    def start(self) -> None:
        """The service, anew."""
        self.service = self._serve(self.port, 1)

    def start_second(self) -> None:
        self.second = self._serve(free_port(), 0)

    def end_second(self, *, kill: bool) -> None:
        if self.second:
            self.second.kill() if kill else self.second.terminate()
            self.second.wait(120)
        self.second = None

    def _serve(self, port: int, workers: int) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-P", "-m", "api.cli", "serve"]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, cwd=self.folder, env=self.environment(port, workers), stderr=log)

    def neo4j(self) -> psutil.Process:
        """The database's process; one that is being started again is waited for."""
        settings = load_settings().model_copy(update={"data_dir": self.folder / "data"})
        ends = time.monotonic() + RECOVERED_WITHIN_S
        while (pid := managed_server(settings).status().pid) is None:
            if time.monotonic() > ends:
                raise BenchmarkFailed(f"Neo4j does not run:\n{last_lines(self.log)}")
            time.sleep(0.5)
        return psutil.Process(pid)

    def workers(self) -> list[psutil.Process]:
        if self.service is None:
            return []
        with suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.service.pid).children(recursive=True)
            return [child for child in children if "work" in child.cmdline()]
        return []

    def is_well(self, client: httpx.Client) -> bool:
        """Ready, and it takes a write."""
        with suppress(httpx.TransportError):
            if client.get(f"{self.url}/readyz").is_success:
                said = {"messages": [{"role": "user", "content": "Are you well?"}]}
                return client.post(f"{self.url}/api/sessions/health/messages", json=said).is_success
        return False

    def wait_until_well(self) -> float:
        """Seconds until it is."""
        began = time.monotonic()
        with httpx.Client(timeout=30) as client:
            while time.monotonic() - began < RECOVERED_WITHIN_S:
                if self.is_well(client):
                    return time.monotonic() - began
                time.sleep(0.2)
        raise BenchmarkFailed(f"it did not recover within {RECOVERED_WITHIN_S:.0f} s:\n{last_lines(self.log)}")

    def end(self) -> None:
        self.end_second(kill=True)
        if self.service and self.service.poll() is None:
            self.service.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.service.wait(60)
            self.service.kill()
            self.service.wait()
        managed_server(load_settings().model_copy(update={"data_dir": self.folder / "data"})).stop()


def last_lines(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def kill_service(stage: Stage) -> None:
    assert stage.service is not None
    stage.service.kill()
    stage.service.wait()
    stage.start()


def kill_neo4j(stage: Stage) -> None:
    stage.neo4j().kill()


def kill_worker(stage: Stage) -> None:
    for worker in stage.workers():
        worker.kill()


def stop_neo4j(stage: Stage) -> None:
    """As a machine that swaps, or whose disk hangs."""
    process = stage.neo4j()
    process.suspend()
    time.sleep(FAULT_S)
    process.resume()


def fill_disk(stage: Stage) -> None:
    """For Neo4j alone: none of its files may become longer, until it has panicked or for a while."""
    process = stage.neo4j()
    process.rlimit(psutil.RLIMIT_FSIZE, (1 << 10, -1))
    with httpx.Client(timeout=30) as client, suppress(httpx.TransportError):
        ends = time.monotonic() + 2 * FAULT_S
        while time.monotonic() < ends and client.get(f"{stage.url}/readyz").is_success:
            time.sleep(0.2)
    with suppress(psutil.NoSuchProcess):
        process.rlimit(psutil.RLIMIT_FSIZE, (-1, -1))


def slow_disk(stage: Stage) -> None:
    """Others write, and have each piece brought to the disk."""
    ends = time.monotonic() + FAULT_S

    def write(number: int) -> None:
        file = stage.folder / f"busy-{number}"
        with file.open("wb", buffering=0) as sink:
            while time.monotonic() < ends:
                sink.seek(0)
                sink.write(b"x" * (4 << 20))
                os.fsync(sink.fileno())
        file.unlink()

    writing = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    for one in writing:
        one.start()
    for one in writing:
        one.join()


def step_clock(stage: Stage) -> None:
    """Two hours ahead, and back."""
    for offset in (CLOCK_STEP_S, 0):
        stage.clock.write_text(f"+{offset}s\n", encoding="utf-8")
        time.sleep(FAULT_S / 2)


def second_service(stage: Stage) -> None:
    """Another API process on the same data comes, and goes."""
    stage.start_second()
    time.sleep(2 * FAULT_S)
    stage.end_second(kill=random.random() < 0.5)


FAULTS: dict[str, Callable[[Stage], None]] = {
    "service killed": kill_service,
    "Neo4j killed": kill_neo4j,
    "worker killed": kill_worker,
    "Neo4j stopped for 10 s": stop_neo4j,
    "disk full": fill_disk,
    "disk slow": slow_disk,
    "clock two hours ahead and back": step_clock,
    "second service": second_service,
}


@dataclass
class Told:
    """What happened: calls, their errors with the moment, the windows of faults, memory by process."""

    began: float = field(default_factory=time.monotonic)
    calls: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"write": [], "read": []})
    errors: list[tuple[float, str]] = field(default_factory=list)
    windows: list[tuple[float, float]] = field(default_factory=list)
    recovered: dict[str, list[float]] = field(default_factory=dict)
    memory: list[tuple[float, dict[str, int]]] = field(default_factory=list)

    def outside(self) -> list[str]:
        return [what for at, what in self.errors if not any(first <= at <= last for first, last in self.windows)]


@dataclass
class Writer:
    """Sends numbered messages, again until they are answered, and keeps the places that were answered."""

    number: int
    stage: Stage
    told: Told
    stop: threading.Event
    places: dict[tuple[str, str], int] = field(default_factory=dict)

    def run(self) -> None:
        chance = random.Random(self.number)
        with httpx.Client(base_url=self.stage.url, timeout=30) as client:
            for n in itertools.count():
                if self.stop.is_set():
                    return
                session = f"soak-{self.number}-{n // SESSION}"
                who, thing = PEOPLE[self.number % len(PEOPLE)], chance.choice(THINGS)
                text = chance.choice(SAID).format(who=who, thing=thing, n=n)
                message = {"role": "user", "name": who, "content": text, "messageId": f"{self.number}-{n}"}
                answer = self._send(client, f"/api/sessions/{session}/messages", {"messages": [message]})
                if answer is None:
                    return
                self.places[session, message["messageId"]] = answer["messages"][0]["ordinal"]
                if n % SESSION == SESSION - 1 and self._send(client, f"/api/sessions/{session}/end", {}) is None:
                    return
                self.stop.wait(WRITE_EVERY_S)

    def _send(self, client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """The answer; None where the time is over before there is one."""
        give_up = None
        while True:
            began = time.monotonic()
            with called(self.told, "write", began):
                response = client.post(path, json=body)
                if response.is_success:
                    self.told.seconds["write"].append(time.monotonic() - began)
                    answer: dict[str, Any] = response.json()
                    return answer
                self.told.errors.append((began, f"{path.rsplit('/', 1)[1]}: {response.status_code}"))
            if self.stop.is_set():
                give_up = give_up or time.monotonic() + 60
                if time.monotonic() > give_up:
                    return None
            time.sleep(0.5)


@contextmanager
def called(told: Told, kind: str, began: float) -> Iterator[None]:
    """Counts a call, and notes it where the connection broke."""
    told.calls[kind] += 1
    try:
        yield
    except httpx.TransportError as error:
        told.errors.append((began, f"{kind}: {type(error).__name__}"))


def read(number: int, stage: Stage, told: Told, stop: threading.Event) -> None:
    chance = random.Random(1000 + number)
    with httpx.Client(base_url=stage.url, timeout=30) as client:
        while not stop.wait(READ_EVERY_S):
            began = time.monotonic()
            who, thing = chance.choice(PEOPLE), chance.choice(THINGS)
            with called(told, "read", began):
                if chance.random() < 0.7:
                    question = {"query": f"Where is the {thing} of {who}?"}
                    response = client.post("/api/memory/recall", json=question)
                else:
                    response = client.get("/api/sessions", params={"limit": 20})
                if response.is_success:
                    told.seconds["read"].append(time.monotonic() - began)
                else:
                    told.errors.append((began, f"read: {response.status_code}"))


def watch_memory(stage: Stage, told: Told, stop: threading.Event) -> None:
    while not stop.wait(5):
        with suppress(psutil.Error, BenchmarkFailed):
            assert stage.service is not None
            found = {"API": psutil.Process(stage.service.pid).memory_info().rss}
            found["Neo4j"] = stage.neo4j().memory_info().rss
            for worker in stage.workers():
                found["worker"] = worker.memory_info().rss
            told.memory.append((time.monotonic() - told.began, found))


def trouble(stage: Stage, told: Told, ends: float, faults: Sequence[str]) -> None:
    """A fault a minute, in turn, until it is time."""
    for name in itertools.cycle(faults):
        began = time.monotonic()
        if began + FAULT_EVERY_S / 2 > ends:
            return
        say(f"{began - told.began:5.0f} s: {name}")
        FAULTS[name](stage)
        took = stage.wait_until_well()
        told.windows.append((began - AFTER_S, time.monotonic() + AFTER_S))
        told.recovered.setdefault(name, []).append(took)
        time.sleep(max(0.0, min(began + FAULT_EVERY_S, ends) - time.monotonic()))


def check(stage: Stage, writers: Sequence[Writer]) -> tuple[int, int, int]:
    """How many acknowledged messages there are, how many of them are lost, and how many are doubled or misplaced."""
    acknowledged = lost = wrong = 0
    with httpx.Client(base_url=stage.url, timeout=60) as client:
        for writer in writers:
            for session in {session for session, _ in writer.places}:
                stored = [(one["messageId"], one["ordinal"]) for one in whole(client, session)]
                counts = Counter(id_ for id_, _ in stored)
                places = dict(stored)
                mine = {id_: place for (of, id_), place in writer.places.items() if of == session}
                acknowledged += len(mine)
                lost += sum(id_ not in places for id_ in mine)
                wrong += sum(places.get(id_, place) != place or counts[id_] > 1 for id_, place in mine.items())
                wrong += [place for _, place in stored] != list(range(len(stored)))
        errors = [one for one in _get(client, "/api/doctor")["findings"] if one["severity"] == "error"]
    if errors:
        raise BenchmarkFailed(f"the doctor finds {errors[:3]}")
    return acknowledged, lost, wrong


def whole(client: httpx.Client, session: str) -> Iterator[dict[str, Any]]:
    after: Any = -1
    while after is not None:
        page = _get(client, f"/api/sessions/{session}/messages", after=after, limit=300)
        yield from page["items"]
        after = page["nextCursor"]


def _get(client: httpx.Client, path: str, **params: Any) -> dict[str, Any]:
    for _ in range(60):
        response = client.get(path, params=params)
        if response.status_code != 503:
            answer: dict[str, Any] = response.raise_for_status().json()
            return answer
        time.sleep(1)
    raise BenchmarkFailed(f"{path}: {response.text}")


@dataclass(frozen=True)
class Result:
    minutes: float
    told: Told
    acknowledged: int
    lost: int
    wrong: int

    def growth(self) -> dict[str, tuple[int, int]]:
        """By process, its memory after the warm-up and at the end, in MiB: medians of a tenth of the time."""
        total = self.minutes * 60
        parts = []
        for first in (WARM_UP * total, 0.9 * total):
            some = [found for at, found in self.told.memory if first <= at <= first + 0.1 * total]
            parts.append({name: median([one[name] for one in some if name in one]) for name in some[0]} if some else {})
        before, after = parts
        return {name: (int(before[name]) >> 20, int(after.get(name, 0)) >> 20) for name in before}


def soak(folder: Path, minutes: float, faults: Sequence[str], writers: int = WRITERS, readers: int = READERS) -> Result:
    """Errors: BenchmarkFailed where the service does not recover, or the doctor finds errors in the end."""
    stage = Stage(folder, library() if "clock two hours ahead and back" in faults else None)
    stage.set_up()
    try:
        stage.start()
        stage.wait_until_well()
        told, stop = Told(), threading.Event()
        sending = [Writer(number, stage, told, stop) for number in range(writers)]
        threads = [threading.Thread(target=writer.run) for writer in sending]
        threads += [threading.Thread(target=read, args=(n, stage, told, stop)) for n in range(readers)]
        threads.append(threading.Thread(target=watch_memory, args=(stage, told, stop)))
        for thread in threads:
            thread.start()
        ends = told.began + 60 * minutes
        try:
            time.sleep(min(AFTER_S, 30 * minutes))
            trouble(stage, told, ends, faults)
            time.sleep(max(0.0, ends - time.monotonic()))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        stage.wait_until_well()
        return Result(minutes, told, *check(stage, sending))
    finally:
        stage.end()


def library() -> str | None:
    """libfaketime, where it is installed."""
    for pattern in FAKETIME:
        root, rest = pattern[:1], pattern[1:]
        if found := sorted(Path(root).glob(rest)):
            return str(found[0])
    return None


def report(result: Result) -> str:
    told = result.told
    outside = told.outside()
    windows = sum(last - first for first, last in told.windows)
    rows = [(name, str(len(took)), f"{median(took):.1f}", f"{max(took):.1f}") for name, took in told.recovered.items()]
    memory = [
        (name, str(was), str(now), f"{now / was - 1:+.0%}") for name, (was, now) in result.growth().items() if was
    ]
    speed = [
        (kind, str(len(took)), f"{1000 * percentile(took, 0.5):.0f}", f"{1000 * percentile(took, 0.95):.0f}")
        for kind, took in told.seconds.items()
    ]
    words = paragraph(
        f"Measured {time.strftime('%Y-%m-%d')} with `python -m benchmarks.soak --minutes {result.minutes:g}`: graphmem "
        f"{__version__}, {os.cpu_count()} cores, {WRITERS} writers and {READERS} readers. {result.acknowledged:,} "
        f"messages were acknowledged: {result.lost} lost, {result.wrong} doubled or misplaced. Of "
        f"{sum(told.calls.values()):,} calls {len(told.errors):,} failed, {len(outside)} of them outside the "
        f"{windows:.0f} s in which there was a fault or its recovery"
        + (f" ({', '.join(f'{n} x {what}' for what, n in Counter(outside).most_common(5))})." if outside else ".")
    )
    return "\n\n".join(
        (
            "## Under faults",
            words,
            table(("fault", "times", "well again after, s (median)", "most"), rows),
            table(("process", "MiB after warm-up", "MiB at the end", "change"), memory),
            table(("calls that were answered", "number", "p50 ms", "p95 ms"), speed),
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--dry", action="store_true", help="print, and leave the page alone")
    given = parser.parse_args()
    faults = list(FAULTS)
    if library() is None:
        say("libfaketime is not installed (Debian: apt-get install libfaketime): the clock is not stepped")
        faults.remove("clock two hours ahead and back")
    folder = Path(tempfile.mkdtemp(prefix="graphmem-soak-"))
    try:
        result = soak(folder, given.minutes, faults)
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = report(result)
    print(text)
    if not given.dry:
        write_section(PAGE, "soak", text)
    return int(bool(result.lost or result.wrong or result.told.outside()))


if __name__ == "__main__":
    sys.exit(main())
