"""What the benchmarks share: a service of their own, a patient client, and the page that keeps the figures.

`python -m benchmarks.service benchmarks.recall DATA` starts a service on empty data, runs the module with
`--url` set to it, and stops it. `--data FOLDER` before the module: data to go on with, and to keep.
"""

import http.client
import itertools
import os
import select
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psutil

from api import own_service
from api.own_service import Service
from graphmem.errors import ServerFailed

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
PATIENCE_S = 300.0
"""How long one request is repeated while the service answers that it is busy."""


class BenchmarkFailed(Exception):
    """The measurement can't go on; the message says where it stopped."""


class Answer(NamedTuple):
    """A JSON answer, and the seconds of the attempt that brought it, without earlier attempts and pauses."""

    body: dict[str, Any]
    seconds: float


class Wire(httpx.BaseTransport):
    """One connection to the service. With httpx's own transport a request costs the client about as much processor
    time as the service, and both share the machine."""

    def __init__(self) -> None:
        self._connection: http.client.HTTPConnection | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        connection = self._connected(request.url)
        try:
            path = request.url.raw_path.decode("ascii")
            connection.request(request.method, path, request.read(), dict(request.headers))
            response = connection.getresponse()
            return httpx.Response(response.status, headers=response.getheaders(), content=response.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise httpx.ReadError(repr(error), request=request) from error

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _connected(self, url: httpx.URL) -> http.client.HTTPConnection:
        if self._connection and self._connection.sock and select.select([self._connection.sock], [], [], 0)[0]:
            self.close()  # the service hung up meanwhile
        if self._connection is None:
            fresh = http.client.HTTPConnection(url.host, url.port or 80, timeout=PATIENCE_S)
            try:
                fresh.connect()
            except OSError as error:
                raise httpx.ConnectError(repr(error)) from error
            self._connection = fresh
        return self._connection


class Api:
    """One client, one connection. 429 and 503 are waited out as `Retry-After` says, else with growing pauses.

    Repeating is safe: such an answer means that nothing was written. `retries` counts the repeats, since a
    table of latencies that hides them would lie.
    """

    def __init__(self, url: str, *, transport: httpx.BaseTransport | None = None) -> None:
        self.retries = 0
        self._url = url
        self._transport = transport or Wire()

    def __enter__(self) -> "Api":
        return self

    def __exit__(self, *_: object) -> None:
        self._transport.close()

    def get(self, path: str, *, agent: str, **params: str) -> Answer:
        return self._call("GET", path, agent, params=params)

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, agent: str) -> Answer:
        return self._call("POST", path, agent, json=dict(body or {}))

    def _call(self, method: str, path: str, agent: str, **content: Any) -> Answer:
        give_up_at = time.monotonic() + PATIENCE_S
        pause_s = 0.2
        while True:
            started = time.perf_counter()
            try:
                request = httpx.Request(method, self._url + path, headers={"X-Agent-Id": agent}, **content)
                response = self._transport.handle_request(request)
                response.read()
            except httpx.ConnectError as error:  # nothing was sent; other losses may have been carried out
                wait_s, problem = pause_s, str(error)
            except httpx.TransportError as error:
                raise BenchmarkFailed(f"{method} {path}: {error!r}") from error
            else:
                seconds = time.perf_counter() - started
                if response.is_success:
                    return Answer(response.json(), seconds)
                problem = f"{response.status_code} {response.text[:500]}"
                if response.status_code not in (429, 503):
                    raise BenchmarkFailed(f"{method} {path} answered {problem}")
                wait_s = _retry_after_s(response, pause_s)
            if time.monotonic() + wait_s > give_up_at:
                raise BenchmarkFailed(f"{method} {path}: no answer within {PATIENCE_S:.0f} s, last {problem}")
            self.retries += 1
            time.sleep(wait_s)
            pause_s = min(pause_s * 2, 5.0)


def _retry_after_s(response: httpx.Response, otherwise_s: float) -> float:
    try:
        return min(max(float(response.headers.get("Retry-After", "")), 0.0), 30.0)
    except ValueError:
        return otherwise_s


def say(line: str, *, over: bool = False) -> None:
    """Progress, on stderr; `over` writes over the same line of a terminal."""
    if over and not sys.stderr.isatty():
        return
    print(f"\r\033[K{line}" if over else line, end="" if over else "\n", file=sys.stderr, flush=True)


def wait_until_searchable(api: Api, agents: Sequence[str], *, within_s: float = 3600.0) -> int:
    """Returns when the embedder is ready and every backlog of these agents is 0, with the number of their failed
    jobs."""
    give_up_at = time.monotonic() + within_s
    failed = 0
    for number, agent in enumerate(agents, start=1):
        while True:
            status = api.get("/api/status", agent=agent).body
            backlog = {name: int(count) for name, count in status["backlog"].items() if count}
            if not backlog and status["embedder"]["state"] != "loading":
                failed += int(status["jobs"]["failed"])
                break
            left = ", ".join(f"{name} {count}" for name, count in sorted(backlog.items()))
            say(f"waiting for the backlog of agent {number} of {len(agents)}: {left}", over=True)
            if time.monotonic() > give_up_at:
                raise BenchmarkFailed(f"agent {agent}: after {within_s:.0f} s there is still a backlog: {left}")
            time.sleep(0.5)
    # Full-text search follows a write within a second.
    time.sleep(1.0)
    say("", over=True)
    return failed


_ASKED = itertools.count()


def asked_anew(question: str) -> str:
    """The question with an end that none before it had: the service knows the vectors of texts that it met lately, and
    is to embed each question that is timed."""
    return question + f"{next(_ASKED):b}".translate({ord("0"): "?", ord("1"): "!"})


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0–1) of the values lie, interpolated linearly; nan for no values.

    >>> percentile([4.0, 1.0, 3.0, 2.0, 5.0], 0.5), percentile([1.0, 2.0], 0.95)
    (3.0, 1.95)
    """
    if not values:
        return float("nan")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that lines up in a terminal, too: first column to the left, figures to the right."""
    widths = [max(3, *(len(row[column]) for row in (header, *rows))) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *others = cells
        padded = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        return "| " + " | ".join((first.ljust(widths[0]), *padded)) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
    return "\n".join((line(header), rule, *(line(row) for row in rows)))


def paragraph(text: str) -> str:
    """The text as one paragraph of the page, its lines filled anew."""
    return textwrap.fill(" ".join(text.split()), width=110, break_long_words=False, break_on_hyphens=False)


def write_section(page: Path, name: str, text: str) -> None:
    """Puts the text between the markers of `name`, where it was or at the end; the rest of the page stays."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    section = f"{begin}\n{text.strip()}\n{end}"
    old = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    before, marker, rest = old.partition(begin)
    if marker:
        _, closing, after = rest.partition(end)
        if not closing:
            raise BenchmarkFailed(f"{page.name} has {begin} without {end}; repair it by hand")
        new = before + section + after
    else:
        new = f"{old.rstrip()}\n\n{section}\n"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(new, encoding="utf-8")


@contextmanager
def running_service(data_dir: Path | None = None, settings: Mapping[str, str] | None = None) -> Iterator[Service]:
    """As `api.own_service.running_service`. *Errors*: `BenchmarkFailed` when it does not become ready."""
    try:
        with own_service.running_service(data_dir, settings) as service:
            yield service
    except ServerFailed as failure:
        raise BenchmarkFailed(str(failure)) from failure


def named_processes(service: Service) -> list[tuple[str, psutil.Process]]:
    """The processes of our own service: the first is the API, Java is Neo4j, other Python is a worker."""
    named = []
    for process in service.processes():
        try:
            program = process.name().lower()
        except psutil.NoSuchProcess:
            continue
        if process.pid == service.pid:
            name = "API"
        elif "java" in program:
            name = "Neo4j"
        else:
            name = "worker" if "python" in program else "other"
        named.append((name, process))
    return named


def main(argv: Sequence[str]) -> int:
    """Runs the named module with the arguments and `--url` of a service started for it; its exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if argv else 2
    data_dir = None
    if argv[0] == "--data":
        data_dir, argv = Path(argv[1]).absolute(), argv[2:]
    try:
        with running_service(data_dir) as service:
            return subprocess.call([sys.executable, "-m", *argv, "--url", service.url], cwd=os.getcwd())
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
