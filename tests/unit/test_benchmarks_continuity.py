"""The continuity benchmark without a service: what it sends, what stands beside it, and what the tables say."""

import json
from typing import Any

import httpx
import numpy as np
import pytest

from benchmarks import continuity, plain_turns
from benchmarks.continuity import QUERIES, Calls, Work, analysed, questions, report, talk, time_queries, vectors_of
from benchmarks.plain_turns import PlainTurn
from benchmarks.service import Api, BenchmarkFailed
from graphmem.model.inputs import NewMessages
from graphmem.model.turns import OVERLAYS
from graphmem.rules.language.text import count_tokens

ZERO = dict.fromkeys(OVERLAYS, 0.0)


def turn(id_: str, text: str = "One. Two.", importance: float = 1, shift: bool = False, **scores: float) -> PlainTurn:
    return PlainTurn(id_, text, ZERO | scores, importance, shift)


def test_the_talk_is_one_a_service_takes_and_a_third_of_it_is_about_something() -> None:
    messages = talk(42)
    NewMessages.model_validate({"messages": messages})
    vectors = vectors_of(1)
    scored = [plain_turns.analyse(one["content"], vectors[0], vectors[:0])[0] for one in messages[::3]]
    assert all(any(score >= 3 for score in scores.values()) for scores in scored)
    assert {overlay for scores in scored for overlay, score in scores.items() if score >= 3} == set(OVERLAYS)
    assert talk(42) == messages
    assert talk(42, seed=2) != messages


def test_plain_novelty_is_the_distance_to_what_came_before() -> None:
    same, other = np.array([1.0, 0.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)
    assert plain_turns.analyse("x", same, np.array([same, other]))[1] == pytest.approx(0.5)
    assert plain_turns.analyse("x", same, np.array([same]))[1] == pytest.approx(0.0)


def test_a_plain_context_has_old_shifts_the_nearest_and_the_tail_within_its_budget() -> None:
    turns = [turn(str(place), f"turn {place}", shift=place == 0) for place in range(200)]
    vectors = np.zeros((200, 2), dtype=np.float32)
    vectors[0] = vectors[199] = (1.0, 0.0)
    vectors[1] = (1.0, 0.0)
    texts = plain_turns.context(turns, vectors, np.array([1.0, 0.0], dtype=np.float32), 60)
    assert {"turn 0", "turn 199"} <= set(texts)
    assert "turn 1" not in texts, "it is old and no shift"
    assert sum(map(count_tokens, texts)) <= 60


def test_a_plain_compaction_keeps_the_most_important_first_sentences_in_order() -> None:
    turns = [turn(str(place), f"Number {place}. More.", importance=place % 50) for place in range(164)]
    kept = plain_turns.compact(turns, 3 * count_tokens("Number 49."))
    assert kept.splitlines() == ["Number 48.", "Number 49.", "Number 99."]


def test_a_plain_meet_pairs_what_is_near_and_never_a_turn_with_itself() -> None:
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], dtype=np.float32)
    assert [pair[:2] for pair in plain_turns.meet(vectors, [0, 1], [1, 2])] == [(0, 1)]
    assert plain_turns.meet(vectors, [0], []) == []


def test_vectors_have_unit_length() -> None:
    assert np.linalg.norm(vectors_of(7), axis=1) == pytest.approx(1.0)


def test_plain_conditions_say_what_the_queries_say() -> None:
    turns = [turn("a", O1=4, O5=4), turn("b", O2=5), turn("c", O1=5), turn("d", importance=6), turn("e", O4=5, O2=5)]
    found = [plain_turns.matching(turns, condition) for _, condition in QUERIES]
    assert found == [["a"], ["b", "e"], ["c"], ["d"], []]


class Service(httpx.BaseTransport):
    def __init__(self, *pages: list[str]) -> None:
        self.pages = pages
        self.queries: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            self.queries.append(json.loads(request.content)["query"])
            return httpx.Response(200, json={"items": []})
        place = int(request.url.params.get("cursor", "0"))
        items: list[dict[str, Any]] = [
            {"messageId": id_, "overlays": ZERO, "importance": 3, "paradigmShift": False} for id_ in self.pages[place]
        ]
        cursor = str(place + 1) if place + 1 < len(self.pages) else None
        return httpx.Response(200, json={"items": items, "nextCursor": cursor})


def test_analysed_turns_come_page_by_page_with_their_texts() -> None:
    with Api("http://service", transport=Service(["a"], ["b"])) as api:
        turns = analysed(api, "s", ["first", "second"])
    assert [(one.id, one.text) for one in turns] == [("a", "first"), ("b", "second")]


def test_turns_that_are_not_analysed_end_the_measurement() -> None:
    with Api("http://service", transport=Service(["a"])) as api, pytest.raises(BenchmarkFailed, match="1 of 2 turns"):
        analysed(api, "s", ["first", "second"])


def test_every_query_is_asked_and_the_warm_up_does_not_count() -> None:
    service = Service()
    with Api("http://service", transport=service) as api:
        sets, meets = time_queries(api, [turn("a")], 10)
    assert (len(sets.ms), len(sets.plain_ms), len(meets.ms)) == (10, 10, 2)
    assert set(service.queries) == {*(query for query, _ in QUERIES), *(query for query, _, _ in continuity.MEETS)}


def test_the_report_has_goals_and_a_dash_where_nothing_was_measured() -> None:
    calls = [Calls("context assembly", [10.0, 20.0], [0.5], 50), Calls("GET /healthz", [1.0], [], None)]
    text = report(300, calls, [Work("analysis of a turn", [4.0, 6.0], [0.02], 10, [3.0])], 31.26, 3_950)
    rows = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in text.splitlines() if line.startswith("|")}
    assert [cell.strip() for cell in rows["context assembly"]] == ["2", "15.0", "19.5", "0.5", "< 50"]
    assert [cell.strip() for cell in rows["GET /healthz"]] == ["1", "1.0", "1.0", "—", "—"]
    assert [cell.strip() for cell in rows["analysis of a turn"]] == ["2", "5.0", "3.0", "0.020", "< 10"]
    assert "31.3" in text
    assert len(questions(5)) == 5
