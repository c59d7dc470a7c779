"""The recall benchmark on tiny conversations of our own: what it reads, what it counts, what it writes."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks import asking, baselines, locomo, recall, recall_tables, service
from benchmarks.asking import Asked, Found
from benchmarks.baselines import Build
from benchmarks.conversations import Key, Question
from benchmarks.locomo import HEADLINE, KINDS
from tests.word_search import WordSearch, api_to

RAW: dict[str, Any] = {
    "sample_id": "talk-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "12:05 am on 3 January, 2024",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "My kite is red."},
            {
                "speaker": "Ben",
                "dia_id": "D1:2",
                "text": "Look at mine!",
                "blip_caption": "a photo of a blue kite",
            },
        ],
        "session_10_date_time": "3:30 pm on 4 February, 2024",
        "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "The kite flew into a tree in Porto."}],
        "session_2_date_time": "1:00 pm on 10 January, 2024",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "I bake bread on Sundays."}],
        "session_3_date_time": "1:00 pm on 11 January, 2024",
    },
    "qa": [
        {"question": "Which colour has the kite of Ada?", "category": 4, "evidence": ["D1:1"]},
        {"question": "Where did the kite end, and what flew?", "category": 1, "evidence": ["D1:2; D10:1"]},
        {"question": "When does Ben bake?", "category": 2, "evidence": ["D:2:1", "D"]},
        {"question": "Who sails?", "category": 5, "evidence": ["D2:9"]},
        {"question": "Would Ada like a windmill?", "category": 3, "evidence": []},
    ],
}

SEARCHES: dict[str, Build] = {"BM25": baselines.bm25, "FTS5": baselines.fts5}


def table_row(text: str, name: str) -> list[str]:
    """The cells behind the name of one row."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    (cells,) = [row[1:] for row in rows if row[0] == name]
    return cells


def question(gold: set[Key], kind: str = KINDS[4]) -> Question:
    return Question("talk-1", 0, kind, "?", frozenset(gold))


def hits(*found: Key) -> tuple[Found, ...]:
    return tuple(Found((key,)) for key in found)


def keys(*message_ids: str) -> tuple[Key, ...]:
    return tuple(Key("s", message_id) for message_id in message_ids)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9, tzinfo=UTC)),
        ("12:30 pm on 1 February, 2024 ", datetime(2024, 2, 1, 12, 30, tzinfo=UTC)),
    ],
)
def test_dates_are_read_as_utc(text: str, expected: datetime) -> None:
    assert locomo.parse_date(text) == expected


@pytest.mark.parametrize(
    ("items", "ids", "flaws"),
    [
        (["D1:3", "D2:4"], ["D1:3", "D2:4"], {}),
        (["D8:6; D9:17"], ["D8:6", "D9:17"], {"normalised": 1}),
        (["D:11:26"], ["D11:26"], {"normalised": 1}),
        (["D30:05"], ["D30:5"], {"normalised": 1}),
        (["D", ""], [], {"malformed": 2}),
        ([], [], {}),
    ],
)
def test_evidence_is_normalised_or_left_out_and_counted(
    items: list[str], ids: list[str], flaws: dict[str, int]
) -> None:
    counted: Counter[str] = Counter()
    assert locomo.parse_evidence(items, counted) == ids
    assert counted == flaws


def test_a_conversation_becomes_sessions_in_order_of_number_without_the_empty_ones() -> None:
    conversation = locomo.read_conversation(RAW)
    assert [session.id for session in conversation.sessions] == [
        "talk-1:session_1",
        "talk-1:session_2",
        "talk-1:session_10",
    ]


def test_a_turn_carries_role_name_caption_and_a_second_for_each_turn_before_it() -> None:
    first, second, *_ = locomo.read_conversation(RAW).turns
    assert (first.key, first.role, first.name) == (Key("talk-1:session_1", "D1:1"), "user", "Ada")
    assert (second.role, second.content) == ("assistant", "Look at mine! a photo of a blue kite")
    assert (first.created_at, second.created_at) == (
        datetime(2024, 1, 3, 0, 5, 0, tzinfo=UTC),
        datetime(2024, 1, 3, 0, 5, 1, tzinfo=UTC),
    )


def test_gold_names_the_session_of_each_turn_and_unknown_turns_are_counted() -> None:
    conversation = locomo.read_conversation(RAW)
    assert [sorted(item.gold) for item in conversation.questions] == [
        [("talk-1:session_1", "D1:1")],
        [("talk-1:session_1", "D1:2"), ("talk-1:session_10", "D10:1")],
        [("talk-1:session_2", "D2:1")],
        [],
        [],
    ]
    assert +conversation.flaws == {"normalised": 2, "malformed": 1, "unknown": 1, "missing": 1}


def test_recall_is_the_share_of_the_evidence_and_mrr_looks_at_the_first() -> None:
    ranked = keys(*(f"m{number}" for number in range(20)))
    half = Asked(question({Key("s", "m1"), Key("s", "m7")}), hits(*ranked), 0.0)
    late = Asked(question({Key("s", "m19")}), hits(*ranked), 0.0)
    scores = recall_tables.score([half, late])
    assert scores.questions == 2
    assert scores.recall == {5: 0.25, 10: 0.5, 20: 1.0}
    assert scores.mrr == pytest.approx((1 / 2 + 1 / 20) / 2)


def test_the_same_turn_id_of_another_session_is_no_evidence() -> None:
    asked = Asked(question({Key("a", "D1:1")}), hits(Key("b", "D1:1")), 0.0)
    assert recall_tables.score([asked]) == (1, {5: 0.0, 10: 0.0, 20: 0.0}, 0.0, 0.0)


def test_questions_without_evidence_do_not_count() -> None:
    assert recall_tables.score([Asked(question(set()), hits(*keys("m1")), 0.0)]).questions == 0


def test_a_hit_counts_for_every_message_that_it_leads_back_to() -> None:
    statement, summary = Found(keys("m1", "m2")), Found(())
    scores = recall_tables.score([Asked(question({*keys("m1", "m2", "m3")}), (summary, statement), 0.0)])
    assert scores.recall[5] == pytest.approx(2 / 3)
    assert scores.mrr == 1 / 2


@pytest.mark.parametrize("build", SEARCHES.values(), ids=SEARCHES)
def test_a_baseline_finds_inflected_words_and_speakers(build: Build) -> None:
    conversation = locomo.read_conversation(RAW)
    asked = asking.ask_baseline(build, [[conversation]])
    assert len(asked) == 3
    assert [item.hits[0].keys[0].message_id for item in asked] == ["D1:1", "D10:1", "D2:1"]


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.time, "sleep", lambda _: None)


@pytest.mark.parametrize("question", ["Zebras?", "Who is it?", "", 'a "quoted OR* NEAR( :'])
@pytest.mark.parametrize("build", SEARCHES.values(), ids=SEARCHES)
def test_a_baseline_answers_nothing_when_no_word_is_known(build: Build, question: str) -> None:
    assert build(["My kite is red.", "I bake bread."], 20)(question) == []


@pytest.mark.parametrize("build", SEARCHES.values(), ids=SEARCHES)
def test_a_baseline_ranks_the_better_match_first_and_stops_at_the_limit(build: Build) -> None:
    texts = ["bread", "kites of Porto", "red kites over Porto and over the red roofs of Lisbon", "red kites"]
    search = build(texts, 2)
    found = search("red kite")
    assert [match.place for match in found] == [3, 2]
    assert found[0].score > found[1].score > 0


def test_the_tables_hold_every_system_with_its_own_scores() -> None:
    gold = Key("s", "m1")
    found = Asked(question({gold}, KINDS[1]), hits(gold), 0.004)
    late = Asked(question({gold}, KINDS[1]), hits(*keys(*(f"x{n}" for n in range(11))), gold), 0.002)
    answers = {"graphmem": [found], "BM25": [late]}
    systems = recall_tables.system_table(answers, "categories 1–4")
    assert table_row(systems, "graphmem") == ["1.000", "1.000", "1.000", "1.000", "4.00", "4.00"]
    assert table_row(systems, "BM25") == ["0.000", "0.000", "1.000", "0.083", "2.00", "2.00"]
    kinds = recall_tables.group_table(answers, {kind: recall_tables.by_kind(kind) for kind in HEADLINE}, "by kind")
    assert table_row(kinds, "1 multi-hop") == ["1", "1.000", "0.000"]
    assert table_row(kinds, "2 temporal") == ["0", "0.000", "0.000"]


def test_the_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    gold = Key("s", "m1")
    asked = [Asked(question({gold}), hits(gold) if n % 3 else (), 0.0) for n in range(60)]
    low, high = recall_tables.interval(asked)
    assert low < 2 / 3 < high
    assert recall_tables.interval(asked) == (low, high)
    assert recall_tables.interval([]) == (0.0, 0.0)


def test_a_signal_is_worth_what_the_order_loses_without_it() -> None:
    gold = Key("s", "gold")
    others = keys(*(f"x{n}" for n in range(10)))
    signals = ({"words": 0.1, "speaker": 0.9}, *({"words": 0.5} for _ in others))
    more = tuple(Found((key,), why=why) for key, why in zip((gold, *others), signals, strict=True))
    text = recall_tables.ablation_table([Asked(question({gold}), (), 0.0, more)])
    assert table_row(text, "all signals") == ["1.000", "1.000", "1.000", "1.000", "+0.000"]
    assert table_row(text, "without speaker") == ["0.000", "0.000", "1.000", "0.091", "+1.000"]
    assert table_row(text, "without words") == ["1.000", "1.000", "1.000", "1.000", "+0.000"]


def test_conversations_that_were_tuned_on_are_told_apart() -> None:
    gold = Key("s", "m1")
    seen = Question("conv-26", 0, KINDS[4], "?", frozenset({gold}))
    asked = [Asked(seen, hits(gold), 0.0), Asked(question({gold}), (), 0.0)]
    text = recall.split_table(asked)
    assert table_row(text, "tuned on")[1].startswith("1.000")
    assert table_row(text, "never tuned on")[1].startswith("0.000")
    assert recall.figures(asked, "pooled") == {
        "pooled, all, R@10": 0.5,
        "pooled, never tuned on, R@10": 0.0,
    }


def test_a_figure_that_falls_by_more_than_is_tolerated_is_named(tmp_path: Path) -> None:
    file = tmp_path / "goals.json"
    assert recall_tables.kept_figures("abc", file) == {}
    recall_tables.keep_figures("abc", {"R": 0.8}, file)
    recall_tables.keep_figures("abc", {"R": 0.7, "S": 0.5}, file)
    kept = recall_tables.kept_figures("abc", file)
    assert kept == {"R": 0.8, "S": 0.5}
    assert recall_tables.fallen({"R": 0.786, "S": 0.6, "T": 0.1}, kept) == []
    assert recall_tables.fallen({"R": 0.784}, kept) == ["R fell from 0.800 to 0.784"]
    assert recall_tables.kept_figures("other", file) == {}


class OneHot:
    """An embedder of which each word is a direction."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(word in text.split()) for word in ("kite", "bread", "tree")] for text in texts]


def test_vectors_alone_and_fused_with_words() -> None:
    vectors = baselines.Vectors(OneHot())  # type: ignore[arg-type]
    texts = ["bread and butter", "a kite", "tree"]
    assert vectors.dense(texts, 2)("kite tree") == [(1, 1.0), (2, 1.0)]
    assert vectors.fused(texts, 3)("bread")[0].place == 0
    assert len(vectors.fused(texts, 2)("bread")) == 2


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert service.percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.5
    assert service.percentile([7.0], 0.95) == 7.0
    assert service.percentile([float(number) for number in range(101)], 0.95) == pytest.approx(95.0)


def test_a_section_is_rewritten_in_place_and_the_rest_of_the_page_stays(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "benchmarks.md"
    service.write_section(page, "recall", "first")
    service.write_section(page, "latency", "other")
    page.write_text(page.read_text(encoding="utf-8") + "\nA word by hand.\n", encoding="utf-8")
    service.write_section(page, "recall", "second")
    text = page.read_text(encoding="utf-8")
    assert "first" not in text
    assert text.index("second") < text.index("other") < text.index("A word by hand.")
    assert text.count("<!-- recall:begin -->") == text.count("<!-- recall:end -->") == 1


def test_a_section_that_is_never_closed_is_not_guessed_at(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text("<!-- recall:begin -->\nwords\n", encoding="utf-8")
    with pytest.raises(service.BenchmarkFailed, match="without"):
        service.write_section(page, "recall", "new")


def test_a_run_gives_each_conversation_its_agent_and_waits_out_a_busy_service(
    no_pauses: None,
) -> None:
    fake = WordSearch()
    conversation = locomo.read_conversation(RAW)
    with api_to(fake) as api:
        text, lines, _ = recall.measure(api, [conversation], "separate", SEARCHES)
    assert set(fake.messages) == {"locomo-talk-1"}
    assert fake.requests[:2] == [("locomo-talk-1", "/api/status"), ("locomo-talk-1", "/api/sessions")]
    assert sum(path.endswith("/end") for _, path in fake.requests) == 3
    assert [line["recall"][5] for line in lines if line["retriever"] == "graphmem"] == [1.0, 1.0, 1.0]
    assert {line["retriever"] for line in lines} == {"graphmem", "BM25", "FTS5"}
    assert table_row(text, "FTS5")[:4] == table_row(text, "graphmem")[:4] == ["1.000"] * 4
    assert "busy: 2." in text


def test_a_second_run_sends_nothing_to_a_service_that_has_it_all(
    no_pauses: None,
) -> None:
    fake = WordSearch()
    conversation = locomo.read_conversation(RAW)
    with api_to(fake) as api:
        _, first, _ = recall.measure(api, [conversation], "separate", SEARCHES)
        before = len(fake.messages["locomo-talk-1"])
        text, second, _ = recall.measure(api, [conversation], "separate", SEARCHES)
    assert len(fake.messages["locomo-talk-1"]) == before == 4
    assert [line["ranked"] for line in second] == [line["ranked"] for line in first]
    assert "there already" in text


def test_pooled_conversations_share_one_agent_and_keep_their_evidence_apart(
    no_pauses: None,
) -> None:
    fake = WordSearch()
    conversations = [locomo.read_conversation(RAW), locomo.read_conversation({**RAW, "sample_id": "talk-2"})]
    with api_to(fake) as api:
        _, lines, _ = recall.measure(api, conversations, "pooled", SEARCHES)
    assert set(fake.messages) == {"locomo-pooled"}
    assert len(fake.messages["locomo-pooled"]) == 8
    assert {tuple(key) for line in lines if line["conversation"] == "talk-2" for key in line["gold"]} == {
        ("talk-2:session_1", "D1:1"),
        ("talk-2:session_1", "D1:2"),
        ("talk-2:session_10", "D10:1"),
        ("talk-2:session_2", "D2:1"),
    }


def test_a_refused_request_says_what_was_asked_and_what_came_back() -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        return httpx.Response(422, json={"code": "invalid_input"})

    with (
        service.Api("http://benchmark.test", transport=httpx.MockTransport(refuse)) as api,
        pytest.raises(service.BenchmarkFailed, match=r"POST /api/sessions answered 422 .*invalid_input"),
    ):
        api.post("/api/sessions", agent="a")


def test_the_files_it_writes_hold_no_words_of_the_data(no_pauses: None, tmp_path: Path) -> None:
    data = tmp_path / "talks.json"
    data.write_text(json.dumps([RAW]), encoding="utf-8")
    conversation = locomo.read_conversation(RAW)
    with api_to(WordSearch()) as api:
        text, lines, _ = recall.measure(api, [conversation], "separate", SEARCHES)
    written = recall.report(data, [conversation], {"version": "0.0"}, [text]) + json.dumps(lines)
    assert "kite" not in written
    assert "3 of them with usable evidence" in " ".join(written.split())
