"""What the store benchmark measures, and how it is told on the page."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from benchmarks.service import paragraph, percentile, table
from graphmem import __version__

BATCH = 500
LIMIT = 10
PAGE_SIZE = 50
GOALS_MS: Mapping[str, int] = {
    "a word": 150,
    "a rare word": 150,
    "a phrase of 3 words": 150,
    "an identifier": 150,
    "a question": 150,
    "a common word, newest first": 300,
    "a regex with 3 letters in it": 400,
    "a regex without any": 2000,
    "a page of a session": 30,
}


class Way(NamedTuple):
    """How a share of the messages comes in."""

    name: str
    clients: int
    batch: int
    share: float
    most: int
    goal_per_s: int | None = None
    embedding: bool = False


WAYS = (
    Way("1 client, 500 messages", 1, BATCH, 0.4, 40_000, 3000),
    Way("2 clients, 500 messages", 2, BATCH, 1.0, 10**9, 3000),
    Way("8 clients, 1 message", 8, 1, 0.1, 4_000, 300),
    Way("2 clients, 500 messages, while a worker embeds", 2, BATCH, 0.1, 10_000, embedding=True),
)
"""The second takes what the others leave."""


@dataclass
class Timed:
    """What came of a kind of call: seconds of each, how many brought something, how many were cut short."""

    seconds: list[float] = field(default_factory=list)
    found: int = 0
    truncated: int = 0

    def row(self) -> list[str]:
        if not self.seconds:
            return ["—"] * 3
        p50, p95 = (percentile(self.seconds, share) * 1000 for share in (0.5, 0.95))
        return [f"{p50:.1f}", f"{p95:.1f}", f"{self.found}/{len(self.seconds)}"]


@dataclass
class Written:
    """What came of one way to write."""

    messages: int
    wall_s: float
    seconds: list[float]

    @property
    def per_s(self) -> float:
        return self.messages / self.wall_s


@dataclass
class Measured:
    """Everything about one size."""

    size: int
    written: dict[str, Written] = field(default_factory=dict)
    sqlite_written: dict[str, Written] = field(default_factory=dict)
    embedding_per_s: float = 0.0
    embedded: int = 0
    ours: dict[str, Timed] = field(default_factory=dict)
    theirs: dict[str, Timed] = field(default_factory=dict)
    warm_up: int = 0
    memory_mb: list[tuple[str, float]] = field(default_factory=list)
    disk: dict[str, int] = field(default_factory=dict)
    retries: int = 0


def write_table(measured: Measured) -> str:
    goals: Mapping[str, int | None] = {way.name: way.goal_per_s for way in WAYS}
    rows = []
    for system, written in (("graphmem", measured.written), ("SQLite", measured.sqlite_written)):
        for name, one in written.items():
            goal = goals.get(name)
            cells = [f"{percentile(one.seconds, share) * 1000:.1f}" for share in (0.5, 0.95)]
            rows.append(
                [f"{system}: {name}", str(one.messages), f"{one.per_s:.0f}", *cells, f"≥ {goal}" if goal else "—"]
            )
    return table(["writing", "messages", "messages/s", "p50 ms", "p95 ms", "goal messages/s"], rows)


def search_table(measured: Measured) -> str:
    rows = [
        [kind, *timed.row(), *measured.theirs[kind].row(), f"≤ {GOALS_MS[kind]}"]
        for kind, timed in measured.ours.items()
    ]
    header = ["asked for", "p50 ms", "p95 ms", "found", "SQLite p50 ms", "SQLite p95 ms", "SQLite found", "goal p95 ms"]
    return table(header, rows)


def sizes_text(measured: Measured) -> str:
    memory = ", ".join(f"{name} {held:.0f} MB" for name, held in sorted(measured.memory_mb))
    ours = measured.size + measured.warm_up
    a_message = {name: size / (measured.size if name == "sqlite" else ours) for name, size in measured.disk.items()}
    cut = ", ".join(f"{timed.truncated} of {kind}" for kind, timed in measured.ours.items() if timed.truncated)
    return paragraph(f"""
        Embedding follows at {measured.embedding_per_s:.0f} texts/s once nobody writes; {measured.embedded:,} of
        {measured.size:,} messages had their vectors when the questions were asked. Disk after the stop:
        {a_message["store"]:.0f} bytes a message in the store with all its indexes, {a_message["logs"]:.0f} more in
        transaction logs (which Neo4j keeps up to a fixed size, however many messages there are), SQLite
        {a_message["sqlite"]:.0f}. Resident memory after the last question: {memory}. Answers cut short:
        {cut or "none"}. Requests repeated because the service was busy: {measured.retries}.""")


def report(all_measured: Sequence[Measured], load_average: float, embedding_s: float) -> str:
    """The section for the page."""
    warm_up = " and ".join(sorted({f"{measured.warm_up:,}" for measured in all_measured}))
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-store`: graphmem {__version__}, {os.cpu_count()} cores,
        load of the machine before the run {load_average:.1f}. The talk is made up, its words follow Zipf's law, its
        texts are as long as LoCoMo's turns; nearly all questions have an answer in it. Messages come in over HTTP
        with ids, in the ways of the first table one after the other, after those of another agent that do not count
        ({warm_up}: Java compiles what runs often); no worker runs but for the last of the ways. A worker embeds then,
        for {embedding_s:.0f} s at most (all of 100,000 messages take longer), and is stopped before the questions.
        `grep` is asked by one client, {LIMIT} hits a page, over the whole agent; a page of a session has {PAGE_SIZE}
        messages. `found` is how many of the questions asked had a hit.""")
    beside = paragraph("""
        Beside it SQLite with FTS5, in this process, without HTTP, fed and asked in the same run: one file, a
        write-ahead log, an external-content index (unicode61), a MATCH of all words as hermes-lcm documents it, and
        LIKE over all rows where a hyphen, a comma or a question mark would be an operator. It has no regexes. It is
        asked fewer questions of a kind once these took a minute.""")
    parts = ["## The store", how, beside]
    for measured in all_measured:
        parts += [
            f"### {measured.size:,} messages",
            write_table(measured),
            search_table(measured),
            sizes_text(measured),
        ]
    return "\n\n".join(parts)
