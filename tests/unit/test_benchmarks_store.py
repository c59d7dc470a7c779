"""The store benchmark without a database: the talk, the questions, SQLite beside it, what is counted and told."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import httpx
import pytest

from benchmarks import store, store_page
from benchmarks.chatter import COMMON, SMALL, Question, Turn, questions, turns, vocabulary
from benchmarks.service import Api, BenchmarkFailed, Service, write_section
from benchmarks.sqlite_store import SqliteStore, match_of
from benchmarks.store_page import GOALS_MS, WAYS, Measured, Timed, Way, Written

TALK = turns(1500)


@pytest.fixture
def sqlite(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "store.db")


# --- the talk --------------------------------------------------------------------------------------------------


def test_a_talk_is_the_same_each_time_and_begins_alike_at_any_length() -> None:
    assert turns(200) == TALK[:200]
    assert turns(200, seed=9) != TALK[:200]
    assert len({turn.text for turn in TALK}) == len(TALK)


def test_texts_are_as_long_as_turns_and_their_words_follow_zipf() -> None:
    assert 120 < mean(len(turn.text) for turn in TALK) < 200
    words = [word.strip(".?!").lower() for turn in TALK for word in turn.text.split()]
    first, tenth = vocabulary()[0], vocabulary()[9]
    assert 7 < words.count(first) / words.count(tenth) < 14
    assert not set(SMALL) & set(COMMON)
    said = " ".join(turn.text for turn in TALK)
    for form in (r"svc-[a-z]+-\d{3}", r"ERR-\d{4}", r"https://wiki\.example/", r"\d May 2026"):
        assert re.search(form, said, re.IGNORECASE), form


def test_no_two_words_of_the_vocabulary_are_alike() -> None:
    assert len(set(vocabulary())) == len(vocabulary()) == 20_000


# --- the questions and SQLite ----------------------------------------------------------------------------------


def test_questions_are_different_and_have_answers(sqlite: SqliteStore) -> None:
    sqlite.write("s", TALK)
    asked = questions(TALK, 20)
    assert set(asked) == GOALS_MS.keys() - {"a page of a session"}
    for kind, of_kind in asked.items():
        assert len(set(of_kind)) == len(of_kind) > 10, kind
        for one in of_kind:
            if one.mode == "regex":
                re.compile(one.pattern)
            else:
                assert sqlite.search(one, 10), one
    assert questions(TALK, 20) == asked
    letters = asked["a regex with 3 letters in it"]
    assert all(re.fullmatch(r"\\b[a-z]{3}\[.*", one.pattern) for one in letters)
    assert not any(re.search(r"[a-z]{3}", re.sub(r"\[.*?\]", "", one.pattern)) for one in asked["a regex without any"])


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("kettle", "kettle"),
        ('red "roof. top" x.', 'red "roof. top" x '),
        ("svc-billing-042", None),
        ("https://wiki.example/a", None),
        ('an "open quote', None),
        ("(a) *b^ {c}:", " a   b   c  "),
    ],
)
def test_operators_become_blanks_and_joined_words_no_match(text: str, match: str | None) -> None:
    assert match_of(text) == match


def test_sqlite_finds_by_words_and_where_it_cannot_by_looking_at_every_row(sqlite: SqliteStore) -> None:
    for text in ("a red kettle", "svc-billing-042 fell", "100% of kettles", "the kettle is red, isn't it?"):
        sqlite.write("s", [Turn("Nora", text)])
    assert sqlite.search(Question("kettle"), 10) == [1, 4]
    assert sqlite.search(Question("kettle", sort="recency"), 1) == [4]
    assert sqlite.search(Question("svc-billing-042"), 10) == [2]
    assert sqlite.search(Question("100%"), 10) == [3]
    assert sqlite.search(Question("red, isn't it?"), 1) == [4]
    assert (sqlite.page("s", 0, 2), sqlite.page("s", 2, 2), sqlite.page("other", 0, 2)) == (2, 1, 0)


# --- writing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1000, 2000, 10_000, 100_000, 123_457])
def test_every_message_comes_in_one_way(size: int) -> None:
    counts = store.shares(size, WAYS)
    assert sum(counts) == size
    assert min(counts) > 0
    assert max(counts) == counts[1] or counts[0] == counts[1]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_clients_share_the_messages_and_never_a_session(way: Way) -> None:
    talk = TALK[:1337]
    sending = store.batches(way, 7, talk)
    assert len(sending) == way.clients
    sent = [turn for of_client in sending for _, batch in of_client for turn in batch]
    assert sorted(sent) == sorted(talk)
    owners: dict[str, set[int]] = {}
    for client, of_client in enumerate(sending):
        for session_id, batch in of_client:
            owners.setdefault(session_id, set()).add(client)
            assert len(batch) <= way.batch
    assert all(len(clients) == 1 for clients in owners.values())


class Shelf:
    """A service that keeps messages; `lost` of each batch it does not."""

    def __init__(self, lost: int = 0) -> None:
        self.kept: list[tuple[str, str]] = []
        self.lost = lost

    def __call__(self, request: httpx.Request) -> httpx.Response:
        sent = json.loads(request.content)["messages"]
        self.kept += [(request.url.path, message["messageId"]) for message in sent]
        return httpx.Response(200, json={"stored": len(sent) - self.lost})


@pytest.fixture
def answered_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Shelf], Service]:
    def service(shelf: Shelf) -> Service:
        monkeypatch.setattr(store, "Api", lambda url: Api(url, transport=httpx.MockTransport(shelf)))
        return Service("http://benchmark.test", 0, Path())

    return service


def test_all_messages_are_sent_once_under_ids_of_their_own(answered_by: Callable[[Shelf], Service]) -> None:
    shelf, measured = Shelf(), Measured(1500)
    sessions = store.write(answered_by(shelf), WAYS[2], 2, TALK[:160], measured)
    assert len(set(shelf.kept)) == 160
    assert {path for path, _ in shelf.kept} == {f"/api/sessions/{name}/messages" for name in sessions}
    written = measured.written[WAYS[2].name]
    assert (written.messages, len(written.seconds)) == (160, 160)


def test_a_message_that_was_not_stored_ends_the_run(answered_by: Callable[[Shelf], Service]) -> None:
    with pytest.raises(BenchmarkFailed, match="5 sent, 4 stored"):
        store.write(answered_by(Shelf(lost=1)), Way("", 1, 5, 1.0, 5), 0, TALK[:5], Measured(5))


def test_a_question_counts_as_found_and_as_cut_by_its_answer() -> None:
    bodies = iter([{"items": [{}], "truncated": False}, {"items": []}, {"items": [], "truncated": True}])
    asked: list[dict[str, object]] = []

    def grep(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        return httpx.Response(200, json=next(bodies))

    timed = Timed()
    with Api("http://benchmark.test", transport=httpx.MockTransport(grep)) as api:
        for _ in range(3):
            store.ask(api, Question("a+", "regex"), timed)
    assert (len(timed.seconds), timed.found, timed.truncated) == (3, 1, 1)
    assert asked[0] == {"pattern": "a+", "mode": "regex", "sort": "relevance", "scope": "all", "limit": 10}


# --- what is told ----------------------------------------------------------------------------------------------


def test_the_section_has_every_figure_of_every_size(tmp_path: Path) -> None:
    measured = Measured(
        1000,
        written={way.name: Written(100, 0.5, [0.01, 0.03]) for way in WAYS},
        sqlite_written={"500 messages a transaction": Written(1000, 0.1, [0.05])},
        embedding_per_s=81.0,
        embedded=777,
        ours={kind: Timed([0.010, 0.020], 1, 1) for kind in GOALS_MS},
        theirs={kind: Timed() for kind in GOALS_MS},
        memory_mb=[("Neo4j", 800.4)],
        warm_up=500,
        disk={"store": 4_500_000, "logs": 750_000, "sqlite": 400_000},
    )
    text = store_page.report([measured], 0.5, 60.0)
    rows = {
        cells[1].strip(): [cell.strip() for cell in cells[2:-1]]
        for line in text.splitlines()
        if (cells := line.split("|"))[1:]
    }
    assert rows["graphmem: 8 clients, 1 message"] == ["100", "200", "20.0", "29.0", "≥ 300"]
    assert rows["a question"] == ["15.0", "19.5", "1/2", "—", "—", "—", "≤ 150"]
    said = " ".join(text.split())
    for part in (
        "81 texts/s",
        "777 of 1,000 messages",
        "3000 bytes a message",
        "500 more",
        "Neo4j 800 MB",
        "1 of a word",
    ):
        assert part in said, part
    write_section(tmp_path / "page.md", "store", text)
    assert "<!-- store:end -->" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_disk_is_counted_by_what_it_is_for_and_a_layout_we_do_not_know_is_told(tmp_path: Path) -> None:
    for name, size in (("databases/neo4j/a", 10), ("databases/neo4j/index/b", 5), ("transactions/neo4j/c", 3)):
        file = tmp_path / "neo4j" / "data" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * size)
    for name in ("s.db", "s.db-wal"):
        (tmp_path / name).write_bytes(b"xx")
    assert store.disk(tmp_path, tmp_path / "s.db") == {"store": 15, "logs": 3, "sqlite": 4}
    with pytest.raises(BenchmarkFailed, match="layout"):
        store.disk(tmp_path / "elsewhere", tmp_path / "s.db")


@pytest.mark.parametrize("wrong", ["", "ten", "10000,", "10000,x", "999", "-5000"])
def test_sizes_that_are_none_are_refused(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        store.main(["--sizes", wrong])
    assert "such as 10000,100000" in capsys.readouterr().err
