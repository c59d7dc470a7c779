"""The writing benchmark without a database: what the clients write, what is counted, and what the table says."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import psutil
import pytest
from pydantic.alias_generators import to_camel

from benchmarks import write
from benchmarks.plain import Message, properties
from benchmarks.service import BenchmarkFailed, write_section
from benchmarks.write import Load, Outcome, System
from graphmem.model.change import MessageRow

ALONE = Load("alone", 3, 2, together=False)
TOGETHER = Load("together", 3, 2, together=True, share=0.5)


class Shelf:
    """Keeps what is written, by session. Every call counts as a repeat."""

    def __init__(self) -> None:
        self.sessions: dict[str, list[Message]] = {}
        self.open_clients = 0
        self._lock = threading.Lock()

    @contextmanager
    def client(self) -> Iterator["ShelfWriter"]:
        self.open_clients += 1
        yield ShelfWriter(self)
        self.open_clients -= 1

    def put(self, session_id: str, messages: Sequence[Message]) -> None:
        with self._lock:
            self.sessions.setdefault(session_id, []).extend(messages)


class ShelfWriter:
    def __init__(self, shelf: Shelf) -> None:
        self.retries = 0
        self._shelf = shelf

    def write(self, session_id: str, messages: Sequence[Message]) -> None:
        self.retries += 1
        self._shelf.put(session_id, messages)


def system(shelf: Shelf, name: str = "shelf") -> System:
    return System(name, shelf.client, [("Neo4j", psutil.Process())])


def test_every_client_writes_its_messages_into_a_session_of_its_own() -> None:
    shelf, outcome = Shelf(), Outcome()
    write.carry_out(system(shelf), ALONE, 24, "run", outcome)
    assert {name: len(kept) for name, kept in shelf.sessions.items()} == {"run-0": 8, "run-1": 8, "run-2": 8}
    kept = [message.message_id for messages in shelf.sessions.values() for message in messages]
    assert len(set(kept)) == 24
    assert (outcome.messages, len(outcome.seconds), outcome.retries, shelf.open_clients) == (24, 12, 12, 0)


def test_clients_of_one_session_write_their_share_into_it() -> None:
    shelf, outcome = Shelf(), Outcome()
    write.carry_out(system(shelf), TOGETHER, 24, "run", outcome)
    assert {name: len(kept) for name, kept in shelf.sessions.items()} == {"run-0": 12}
    assert len({message.message_id for message in shelf.sessions["run-0"]}) == outcome.messages == 12


def test_a_client_that_fails_ends_the_run() -> None:
    @contextmanager
    def refusing() -> Iterator[ShelfWriter]:
        raise BenchmarkFailed("no")
        yield

    with pytest.raises(BenchmarkFailed, match="no"):
        write.carry_out(System("closed", refusing, []), ALONE, 6, "run", Outcome())


def test_the_first_round_does_not_count_and_sessions_are_never_used_twice() -> None:
    shelf = Shelf()
    outcomes = write.measure([system(shelf)], [ALONE, TOGETHER], 6, rounds=2)
    assert [outcomes[load]["shelf"].messages for load in (ALONE, TOGETHER)] == [12, 12]
    assert len(outcomes[ALONE]["shelf"].per_s) == 2
    assert len(shelf.sessions) == 3 * (3 + 1)


def test_the_ratio_is_the_median_of_the_rounds_to_the_first_system() -> None:
    plain = Outcome(400, [100.0, 200.0, 400.0], [0.01, 0.03], 0, {"client": 0.4, "Neo4j": 2.0})
    ours = Outcome(400, [50.0, 50.0, 100.0], [0.02, 0.02], 3, {"client": 0.8, "API": 1.2, "Neo4j": 4.0})
    header, _, first, second = write.write_table({ALONE: {"plain": plain, "graphmem": ours}}).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in (header, first, second)]
    assert dict(zip(cells[0], cells[1], strict=True)) == {
        "load": "alone",
        "system": "plain",
        "messages/s": "200",
        "ratio": "1.00",
        "p50 ms": "20.0",
        "p95 ms": "29.0",
        "max ms": "30",
        "repeats": "0",
        "CPU ms a message": "client 1.0 + Neo4j 5.0",
    }
    assert cells[2][:4] == ["", "graphmem", "50", "0.25"]
    assert cells[2][-2:] == ["3", "client 2.0 + API 3.0 + Neo4j 10.0"]


def test_the_plain_driver_writes_the_properties_that_graphmem_keeps() -> None:
    optional = {"toolCalls", "toolCallId", "metadata"}  # null where the message has none, and null is no property
    kept = {to_camel(field.name) for field in fields(MessageRow)}
    written = properties(Message("m1", "Nora", "Hello"), "a")
    assert set(written) == kept - optional - {"ordinal"}
    assert None not in written.values()


def test_the_section_goes_to_its_place_on_the_page(tmp_path: Path) -> None:
    outcome = Outcome(8, [80.0], [0.1] * 8, 0, {"client": 0.1})
    text = write.report({ALONE: {"plain": outcome}}, outcome, 0.5)
    write_section(tmp_path / "page.md", "write", text)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "80 messages/s" in " ".join(page.split())
    assert "<!-- write:end -->" in page
