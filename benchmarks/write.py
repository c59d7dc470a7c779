"""How fast messages are stored through the HTTP API, and with the plain Neo4j driver in the same run, in turns.

The driver writes into the service's own database, with all its indexes, and into a bare one. Processor seconds stand
beside the times: they say the same on a busy machine.
"""

import argparse
import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

import psutil

from benchmarks.plain import Message, PlainWriter, bare_neo4j, driver_of, neo4j_of
from benchmarks.service import (
    PAGE,
    Api,
    BenchmarkFailed,
    Service,
    named_processes,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    write_section,
)
from graphmem import __version__

ROUNDS = 3
WARM_UP = 3
"""Rounds as one before the first that counts: Java compiles what runs often."""
GOAL_PER_S = 200
TEXTS = (
    "The checkout team moved the address check in front of the payment, since a wrong address is found cheaper there.",
    "Can you look at the nightly report of the warehouse? The totals of order {} do not match the invoices of May.",
    "Done: the retry of the courier's webhook waits two minutes now, and the queue drained within the hour.",
    "Ines asks whether voucher {} may be used twice. It may not; the rule is in the handbook, page four.",
)


class Writer(Protocol):
    """Stores messages for one client, one request or transaction a call."""

    @property
    def retries(self) -> int: ...

    def write(self, session_id: str, messages: Sequence[Message]) -> None: ...


class Load(NamedTuple):
    """How clients write: `together` means into one session."""

    name: str
    clients: int
    batch: int
    together: bool
    share: float = 1.0
    """Of the messages of a round, for what takes longer."""


LOADS = (
    Load("8 clients, a session each, 1 message", 8, 1, together=False),
    Load("8 clients in one session, 1 message", 8, 1, together=True, share=0.5),
    Load("1 client, 100 messages", 1, 100, together=False, share=5.0),
)


@dataclass(frozen=True)
class System:
    """Something to write with: `client` opens a client of it, `processes` are those that work for it, by name."""

    name: str
    client: Callable[[], AbstractContextManager[Writer]]
    processes: Sequence[tuple[str, psutil.Process]]


@dataclass
class Outcome:
    """What came of one load on one system, over all rounds."""

    messages: int = 0
    per_s: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    retries: int = 0
    cpu_s: dict[str, float] = field(default_factory=dict)


class ApiWriter:
    """A client of the HTTP API."""

    def __init__(self, api: Api) -> None:
        self._api = api

    @property
    def retries(self) -> int:
        return self._api.retries

    def write(self, session_id: str, messages: Sequence[Message]) -> None:
        body = [
            {"messageId": one.message_id, "role": "user", "name": one.name, "content": one.content} for one in messages
        ]
        self._api.post(f"/api/sessions/{session_id}/messages", {"messages": body}, agent="write-http")


def carry_out(system: System, load: Load, messages: int, run: str, outcome: Outcome) -> None:
    """Writes the messages, all clients at once, and adds what came of it to the outcome."""
    calls = max(1, round(messages * load.share / load.clients / load.batch))

    def client(number: int) -> None:
        session_id = f"{run}-{0 if load.together else number}"
        with system.client() as writer:
            for call in range(calls):
                batch = messages_of(f"{run}-{number}-{call}", load.batch)
                began = time.perf_counter()
                writer.write(session_id, batch)
                outcome.seconds.append(time.perf_counter() - began)
            outcome.retries += writer.retries

    watched = [("client", psutil.Process()), *system.processes]
    before = [_cpu_s(process) for _, process in watched]
    began = time.perf_counter()
    with ThreadPoolExecutor(load.clients) as clients:
        list(clients.map(client, range(load.clients)))
    written = calls * load.clients * load.batch
    outcome.per_s.append(written / (time.perf_counter() - began))
    outcome.messages += written
    for (name, process), spent in zip(watched, before, strict=True):
        outcome.cpu_s[name] = outcome.cpu_s.get(name, 0.0) + _cpu_s(process) - spent


def messages_of(name: str, count: int) -> list[Message]:
    """Messages with ids and words of their own."""
    number = abs(hash(name)) % 100_000
    return [
        Message(f"{name}-{place}", "Nora", TEXTS[(number + place) % len(TEXTS)].format(number + place))
        for place in range(count)
    ]


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


Outcomes = Mapping[Load, Mapping[str, Outcome]]


def measure(systems: Sequence[System], loads: Sequence[Load], messages: int, rounds: int) -> Outcomes:
    """Every load on every system in turn, as often as there are rounds, after a long round that does not count."""
    run = uuid.uuid4().hex[:8]
    counted = {load: {system.name: Outcome() for system in systems} for load in loads}
    for number in range(rounds + 1):
        for place, load in enumerate(loads):
            for system in systems:
                say(f"round {number} of {rounds}: {system.name}, {load.name}", over=True)
                outcome = counted[load][system.name] if number else Outcome()
                carry_out(system, load, messages if number else messages * WARM_UP, f"{run}-{number}-{place}", outcome)
    say("", over=True)
    return counted


def write_table(outcomes: Outcomes) -> str:
    """A row for each load and system. The ratio is the median of the rounds', to the first system of the load."""
    rows = []
    for load, of_load in outcomes.items():
        first = next(iter(of_load.values()))
        for name, outcome in of_load.items():
            ratios = [ours / theirs for ours, theirs in zip(outcome.per_s, first.per_s, strict=True)]
            cpu = " + ".join(f"{who} {1000 * spent / outcome.messages:.1f}" for who, spent in outcome.cpu_s.items())
            rows.append(
                [
                    load.name if outcome is first else "",
                    name,
                    f"{percentile(outcome.per_s, 0.5):.0f}",
                    f"{percentile(ratios, 0.5):.2f}",
                    f"{percentile(outcome.seconds, 0.5) * 1000:.1f}",
                    f"{percentile(outcome.seconds, 0.95) * 1000:.1f}",
                    f"{max(outcome.seconds) * 1000:.0f}",
                    str(outcome.retries),
                    cpu,
                ]
            )
    return table(
        ["load", "system", "messages/s", "ratio", "p50 ms", "p95 ms", "max ms", "repeats", "CPU ms a message"], rows
    )


@contextmanager
def api_client(url: str) -> Iterator[ApiWriter]:
    with Api(url) as api:
        yield ApiWriter(api)


def over_http(name: str, service: Service) -> System:
    return System(name, lambda: api_client(service.url), named_processes(service))


@contextmanager
def all_systems(folder: Path) -> Iterator[list[System]]:
    """First the driver on the service's own database: it is what the others are compared with."""
    with ExitStack() as stack:
        bare = stack.enter_context(bare_neo4j(folder / "bare"))
        bare_driver = stack.enter_context(driver_of(bare))
        service = stack.enter_context(running_service(settings={"GRAPHMEM_WORKERS": "0"}))
        driver = stack.enter_context(driver_of(neo4j_of(service)))
        neo4j_processes = [pair for pair in named_processes(service) if pair[0] == "Neo4j"]
        yield [
            System("driver, our schema", lambda: nullcontext(PlainWriter(driver, "write-plain")), neo4j_processes),
            System(
                "driver, bare database",
                lambda: nullcontext(PlainWriter(bare_driver, "write-bare")),
                [("Neo4j", psutil.Process(bare.pid))],
            ),
            over_http("graphmem over HTTP", service),
        ]


def report(outcomes: Outcomes, embedding: Outcome, load_average: float) -> str:
    """The section for the page."""
    rounds = len(embedding.per_s)
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `python -m benchmarks.write`: graphmem {__version__},
        {os.cpu_count()} cores, load of the machine before the run {load_average:.1f}. Clients are threads of one
        process; each has a connection and sends its next messages when the last are stored. The plain driver writes
        the same properties on the same labels, one managed transaction a message (or hundred): a MERGE of the
        session, which it locks, and the messages with the next ordinals; it looks for no duplicates and keeps no
        chain and no history. `bare database` is another Neo4j with two unique ids and no other index. The systems
        take turns, {rounds} rounds after one {WARM_UP} times as long that does not count; messages/s and ratio are
        medians of the rounds. Repeats are transactions the driver carried out again, over HTTP requests answered
        with 429 or 503; what the service's own driver repeats shows in the times only. CPU is that of each process
        for a message.""")
    goal = paragraph(f"""
        Goal: {GOAL_PER_S} messages/s over HTTP from 8 clients with 1 message a request. No worker runs in the
        table. With one that embeds what comes in, as by default, the first load over HTTP makes
        {percentile(embedding.per_s, 0.5):.0f} messages/s (p50
        {percentile(embedding.seconds, 0.5) * 1000:.1f} ms, p95
        {percentile(embedding.seconds, 0.95) * 1000:.1f} ms).""")
    return "\n\n".join(["## Writing messages", how, write_table(outcomes), goal])


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.write", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--messages", type=int, default=800, help="of a round for each system (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds that count (default: %(default)s)")
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    load_average = os.getloadavg()[0]
    try:
        with (
            tempfile.TemporaryDirectory(prefix="graphmem-benchmark-") as folder,
            all_systems(Path(folder)) as systems,
        ):
            outcomes = measure(systems, LOADS, arguments.messages, arguments.rounds)
        with running_service(settings={"GRAPHMEM_WORKERS": "1"}) as service:
            embedding = over_http("with a worker", service)
            of_embedding = measure([embedding], LOADS[:1], arguments.messages, arguments.rounds)
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    text = report(outcomes, of_embedding[LOADS[0]][embedding.name], load_average)
    print(text)
    if not arguments.dry:
        write_section(PAGE, "write", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
