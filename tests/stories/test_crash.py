"""kill -9 while clients write: what was answered is there, once, at its place, and the order has no gap.

The service and its Neo4j are processes on a folder of their own. Clients do what clients should: what was not answered,
or answered 503, is sent again as it was.
"""

import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.settings import load_settings

GRAPHMEM = str(Path(sys.executable).with_name("graphmem"))
BATCHES = (1, 1, 1, 5)
"""How many messages each client sends at once. The first sends none with an id: its requests have idempotency keys."""
UNANSWERED_S = 240.0
SESSION = "/api/sessions/crashed/messages"


class Store:
    """A service with its Neo4j, to be killed and started."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        cache_dir = load_settings().cache_dir
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "serve.log"
        self._managed = ManagedServer(
            folder, cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0, quick_start=True
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
        self._environ = kept | {
            "GRAPHMEM_CACHE_DIR": str(cache_dir),
            "GRAPHMEM_DATA_DIR": str(folder),
            "GRAPHMEM_PORT": str(port),
            "GRAPHMEM_WORKERS": "0",
            "GRAPHMEM_AOT_CACHE": "use",
            "GRAPHMEM_LOG_LEVEL": "warning",
            "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",  # of the starts to come, as `quick_start` is of the first
        }
        self._service: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        self._managed.start()
        self._service = self._start()
        self._wait_until_ready()

    def _start(self) -> "subprocess.Popen[bytes]":
        with self.log.open("ab") as log:
            return subprocess.Popen([GRAPHMEM, "serve"], cwd=self.log.parent, env=self._environ, stderr=log)

    def crash(self, what: str) -> None:
        """Ends the `service`, its `neo4j`, or `both`, as a machine without memory would. The service is started again
        here, and has to see to its Neo4j itself, as after a `full` disk. A `stuck` Neo4j goes on after a while."""
        self._wait_until_ready()
        if what in ("full", "stuck"):
            self._trouble(what)
            return
        time.sleep(random.uniform(0, 0.03))  # anywhere within a request
        assert self._service is not None
        if what != "neo4j":
            self._service.kill()
        if what != "service":
            pid = self._managed.status().pid
            assert pid is not None, "Neo4j was to be killed and does not run"
            psutil.Process(pid).kill()
        if what != "neo4j":
            self._service.wait()
            self._service = self._start()

    def _trouble(self, what: str) -> None:
        pid = self._managed.status().pid
        assert pid is not None, "Neo4j was to be troubled and does not run"
        neo4j = psutil.Process(pid)
        if what == "stuck":
            neo4j.suspend()
        else:  # no file may become longer, for this process alone
            neo4j.rlimit(psutil.RLIMIT_FSIZE, (1 << 10, -1))
        self._until(lambda client: client.get(f"{self.url}/readyz").status_code == 503)
        if what == "stuck":
            neo4j.resume()
        else:
            with suppress(psutil.NoSuchProcess):
                neo4j.rlimit(psutil.RLIMIT_FSIZE, (-1, -1))

    def _wait_until_ready(self) -> None:
        self._until(lambda client: client.get(f"{self.url}/readyz").is_success)

    def _until(self, so: Callable[[httpx.Client], bool]) -> None:
        give_up = time.monotonic() + UNANSWERED_S
        with httpx.Client(timeout=10) as client:
            while time.monotonic() < give_up:
                with suppress(httpx.TransportError):
                    if so(client):
                        return
                time.sleep(0.05)
        raise AssertionError(f"not so within {UNANSWERED_S} s:\n{self.log.read_text()[-3000:]}")

    def end(self) -> None:
        try:
            if self._service:
                self._service.terminate()
                self._service.wait(60)
        finally:
            if self._service:
                self._service.kill()
                self._service.wait()
            self._managed.stop()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    try:
        store.begin()
        yield store
    finally:
        store.end()


class Writer:
    """One client: sends its messages in order and keeps the ordinals it was answered."""

    def __init__(self, store: Store, number: int, messages: int, answered: threading.Semaphore) -> None:
        self.messages = [f"message-{place}-of-client-{number}" for place in range(messages)]
        size = BATCHES[number]
        self.batches = [self.messages[first : first + size] for first in range(0, len(self.messages), size)]
        self.ordinals: dict[str, int] = {}
        self._store = store
        self._named = number > 0
        self._answered = answered

    def write(self) -> None:
        with httpx.Client(base_url=self._store.url, timeout=10) as client:
            for batch in self.batches:
                ordinals = [line["ordinal"] for line in self._sent(client, batch)["messages"]]
                self.ordinals |= dict(zip(batch, ordinals, strict=True))
                self._answered.release(len(batch))

    def _sent(self, client: httpx.Client, batch: list[str]) -> dict[str, Any]:
        named = [{"role": "user", "content": text} | ({"messageId": text} if self._named else {}) for text in batch]
        body = {"messages": named}
        headers = {} if self._named else {"Idempotency-Key": batch[0]}
        give_up = time.monotonic() + UNANSWERED_S
        while time.monotonic() < give_up:
            with suppress(httpx.TransportError):
                response = client.post(SESSION, json=body, headers=headers)
                if response.is_success:
                    answer: dict[str, Any] = response.json()
                    return answer
                assert response.status_code == 503, response.text
            time.sleep(0.1)
        raise AssertionError(f"no answer within {UNANSWERED_S} s:\n{self._store.log.read_text()[-3000:]}")


def write_and_crash(store: Store, crashes: list[str], messages: int) -> list[Writer]:
    """So many messages of each client are written and answered when this returns, and the crashes have come between."""
    answered = threading.Semaphore(0)
    writers = [Writer(store, number, messages, answered) for number in range(len(BATCHES))]
    moments = sorted(random.sample(range(10, messages * len(BATCHES) - 50), len(crashes)))
    with ThreadPoolExecutor(len(writers)) as pool:
        writing = [pool.submit(writer.write) for writer in writers]
        written = 0
        for moment, what in zip(moments, crashes, strict=True):
            while written < moment and not _failed(writing):
                written += answered.acquire(timeout=1)
            store.crash(what)
        wait(writing, return_when=FIRST_EXCEPTION)
        for one in writing:
            one.result()
    return writers


def _failed(writing: list[Future[None]]) -> bool:
    return any(one.done() and one.exception() for one in writing)


def read(store: Store, path: str, **params: Any) -> dict[str, Any]:
    """The answer, asked for again while there is none: a server that has just begun may be too slow for the first."""
    give_up = time.monotonic() + UNANSWERED_S
    with httpx.Client(base_url=store.url, timeout=120) as client:
        while (response := client.get(path, params=params)).status_code == 503 and time.monotonic() < give_up:
            time.sleep(1)
    answer: dict[str, Any] = response.raise_for_status().json()
    return answer


def stored(store: Store) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after: Any = -1
    while after is not None:
        page = read(store, SESSION, after=after, limit=300)
        found += page["items"]
        after = page["nextCursor"]
    return found


def check(store: Store, writers: list[Writer]) -> None:
    messages = stored(store)
    sent = [text for writer in writers for text in writer.messages]
    assert sorted(message["content"] for message in messages) == sorted(sent), "each once"
    assert [message["ordinal"] for message in messages] == list(range(len(sent))), "no gap"
    places = {message["content"]: message["ordinal"] for message in messages}
    for writer in writers:
        assert writer.ordinals == {text: places[text] for text in writer.messages}, "where the answer said"
        assert all(places[one] < places[other] for one, other in pairwise(writer.messages)), "in the order sent"
        for batch in writer.batches:
            assert places[batch[-1]] - places[batch[0]] == len(batch) - 1, "a batch as one"
    assert read(store, "/api/sessions/crashed")["messages"] == len(sent)


def check_all(store: Store) -> None:
    """What the doctor sees too, which a server that has just begun takes half a minute to plan."""
    findings = read(store, "/api/doctor")["findings"]
    assert [one for one in findings if one["severity"] == "error"] == []


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_crash_loses_nothing_and_stores_nothing_twice(store: Store) -> None:
    check(store, write_and_crash(store, ["both"], messages=75))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_full_disk_and_a_stuck_database_lose_nothing_and_store_nothing_twice(store: Store) -> None:
    check(store, write_and_crash(store, ["stuck", "full"], messages=75))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_twenty_crashes_lose_nothing_and_store_nothing_twice(store: Store) -> None:
    crashes = random.choices(["service", "neo4j", "both"], k=20)
    check(store, write_and_crash(store, crashes, messages=250))
    check_all(store)
