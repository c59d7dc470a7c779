"""The benchmark of long talk on a small conversation of our own, in the layout of BEAM's repository."""

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks import asking, baselines, beam, recall_long, recall_tables, service
from benchmarks.asking import Asked, Found
from benchmarks.conversations import Key, Question, exchanges
from tests.word_search import WordSearch, api_to

CHAT: list[dict[str, Any]] = [
    {
        "batch_number": 1,
        "time_anchor": "March-02-2024",
        "turns": [
            [
                {
                    "id": 0,
                    "role": "user",
                    "content": "My greenhouse has nine beds. ->-> 1,4",
                    "time_anchor": "March-01-2024",
                },
                {
                    "id": 1,
                    "role": "assistant",
                    "content": "Nine beds are plenty. Start with beans and water them twice.",
                },
                {"id": 2, "role": "user", "content": "Which soil?"},
                {"id": 3, "role": "assistant", "content": "Loam, with sand below it."},
            ],
            [
                {"id": 4, "role": "user", "content": "I prefer tomatoes.", "time_anchor": "March-05-2024"},
                {"id": 5, "role": "assistant", "content": "Then tie them to canes."},
            ],
        ],
    },
    {
        "batch_number": 2,
        "time_anchor": "April-10-2024",
        "turns": [
            [
                {"id": 6, "role": "user", "content": "The greenhouse has eleven beds now."},
                {"id": 7, "role": "assistant", "content": "Good to know."},
            ]
        ],
    },
]
QUESTIONS = """{
  "abstention": [{"question": "Who built the shed?", "rubric": ["It is not said."]}],
  "knowledge_update": [
    {"question": "How many beds has the greenhouse?", "source_chat_ids": {"original": [0], "updated": [6]}},
  ],
  "event_ordering": [{"question": "Soil or tomatoes first?", "source_chat_ids": [2, [4, 99]]}],
  "preference_following": [{"question": "What to sow?", "source_chat_ids": []}],
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chat, probing = beam.files(tmp_path, 3)
    probing.parent.mkdir(parents=True)
    chat.write_text(json.dumps(CHAT), encoding="utf-8")
    probing.write_text(QUESTIONS, encoding="utf-8")
    return tmp_path


def key(number: int) -> Key:
    return Key(f"beam-3:batch_{1 if number < 6 else 2}", str(number))


def question(*gold: int, answerable: bool = True) -> Question:
    return Question("beam-3", 0, "kind", "?", frozenset(map(key, gold)), answerable)


def found(*numbers: int, words: int = 100, score: float = 0.5) -> tuple[Found, ...]:
    return tuple(Found((key(number),), words, score) for number in numbers)


def asked(item: Question, *numbers: int, words: int = 100, score: float = 0.5) -> Asked:
    hits = found(*numbers, words=words, score=score)
    return Asked(item, hits, 0.0, hits)


def test_batches_become_sessions_at_the_last_day_they_name(folder: Path) -> None:
    sessions = beam.read_conversation(folder, 3).sessions
    assert [session.id for session in sessions] == ["beam-3:batch_1", "beam-3:batch_2"]
    assert [len(session.turns) for session in sessions] == [6, 2]
    assert [session.started_at.date().isoformat() for session in sessions] == ["2024-03-05", "2024-04-10"]
    assert sessions[1].turns[1].created_at == datetime(2024, 4, 10, 0, 0, 7, tzinfo=UTC)


def test_labels_of_the_authors_are_cut_off(folder: Path) -> None:
    first = beam.read_conversation(folder, 3).turns[0]
    assert (first.key, first.role, first.content) == (key(0), "user", "My greenhouse has nine beds.")
    assert first.text == first.content


def test_evidence_is_read_from_numbers_lists_and_objects(folder: Path) -> None:
    conversation = beam.read_conversation(folder, 3)
    gold = {item.kind: sorted(int(one.message_id) for one in item.gold) for item in conversation.questions}
    assert gold == {"abstention": [], "knowledge_update": [0, 6], "event_ordering": [2, 4], "preference_following": []}
    assert conversation.flaws == {"unknown": 1, "missing": 1}
    assert [item.kind for item in conversation.asked] == ["abstention", "knowledge_update", "event_ordering"]


def test_an_exchange_is_a_users_message_with_the_replies_behind_it(folder: Path) -> None:
    first_of = exchanges([beam.read_conversation(folder, 3)])
    assert {int(one.message_id): int(first.message_id) for one, first in first_of.items()} == {
        0: 0, 1: 0, 2: 2, 3: 2, 4: 4, 5: 4, 6: 6, 7: 6,
    }  # fmt: skip


def test_by_exchange_the_reply_to_the_evidence_counts_and_both_count_once(folder: Path) -> None:
    first_of = exchanges([beam.read_conversation(folder, 3)])
    by_message = [asked(question(0, 1, 4), 7, 5, 1)]
    assert recall_tables.score(by_message).recall[5] == pytest.approx(1 / 3)
    by_exchange = recall_tables.by_exchange(by_message, first_of)
    assert recall_tables.score(by_exchange).recall[5] == 1.0
    assert recall_tables.score(by_exchange).mrr == 1 / 2


def test_a_budget_of_words_holds_whole_hits_up_to_the_first_without_room() -> None:
    hits = (*found(7, words=400), *found(0, words=100), *found(6, words=3000), *found(4, words=1))
    item = Asked(question(0, 4), hits, 0.0, hits)
    assert [recall_tables.within([item], budget) for budget in (499, 500, 3000, 3501)] == [0.0, 0.5, 0.5, 1.0]
    assert recall_tables.words_in([item], 2) == 500


def test_a_question_without_evidence_counts_for_abstention_alone() -> None:
    none = asked(question(answerable=False), 1, words=900, score=0.3)
    some = asked(question(0), 0)
    assert recall_tables.score([none, some]) == recall_tables.score([some])
    assert recall_tables.within([none, some], 500) == 1.0
    assert recall_tables.words_in([none, some], 10) == 100


def test_the_separation_is_the_share_of_pairs_in_order() -> None:
    none = [asked(question(answerable=False), 1, score=score) for score in (0.2, 0.6)]
    some = [asked(question(0), 0, score=score) for score in (0.2, 0.5, 0.9)]
    assert recall_tables.separation([*none, *some]) == pytest.approx((0.5 + 1 + 1 + 0 + 0 + 1) / 6)
    silent = Asked(question(answerable=False), (), 0.0)
    assert recall_tables.separation([silent, some[0]]) == 1.0
    assert math.isnan(recall_tables.separation([asked(question(), 0), *some]))  # neither with evidence nor unanswerable


def test_tuned_and_reported_conversations_are_told_apart(folder: Path) -> None:
    chat, probing = beam.files(folder, 14)
    probing.parent.mkdir(parents=True)
    chat.write_text(json.dumps(CHAT), encoding="utf-8")
    probing.write_text(QUESTIONS, encoding="utf-8")
    conversations = [beam.read_conversation(folder, number) for number in (3, 14)]
    answers = {"BM25": asking.ask_baseline(baselines.bm25, [[item] for item in conversations])}
    parts = recall_long.split(conversations, answers)
    assert {title: [item.id for item in theirs] for title, (theirs, _) in parts.items()} == {
        "conversations 3 to 3, tuned on": ["beam-3"],
        "conversations 14 to 14, only reported": ["beam-14"],
    }
    for (one,), of in parts.values():
        assert {item.question.conversation for item in of["BM25"]} == {one.id}


def test_a_run_over_a_service_ends_sessions_and_asks_for_every_kind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.time, "sleep", lambda _: None)
    fake = WordSearch()
    conversations = [beam.read_conversation(folder, 3)]
    with api_to(fake) as api:
        answers, pace = recall_long.measure(api, conversations, {"BM25": baselines.bm25})
        status = api.get("/api/status", agent="beam-3").body
    assert list(answers) == ["graphmem", "graphmem, all kinds", "BM25"]
    assert sum(path.endswith("/end") for _, path in fake.requests) == 2
    assert [message["messageId"] for message in fake.messages["beam-3"]] == [str(number) for number in range(8)]
    (beds,) = [item for item in answers["graphmem"] if item.question.kind == "knowledge_update"]
    assert [(hit.keys, hit.words) for hit in beds.hits[:2]] == [((key(0),), 5), ((key(6),), 6)]
    parts = [recall_long.tables(answers, conversations, "all"), recall_long.goals_table({"all": answers["graphmem"]})]
    written = recall_long.report(folder, conversations, status, [*parts, pace], end=True)
    assert "greenhouse" not in written
    assert "2 questions with evidence and 1 that nothing answers; 1 others" in " ".join(written.split())


def test_unended_sessions_are_asked_for_messages_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.time, "sleep", lambda _: None)
    fake = WordSearch()
    with api_to(fake) as api:
        answers, _ = recall_long.measure(api, [beam.read_conversation(folder, 3)], {}, end=False)
    assert list(answers) == ["graphmem"]
    assert not any(path.endswith("/end") for _, path in fake.requests)
