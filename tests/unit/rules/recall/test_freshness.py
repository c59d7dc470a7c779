"""The newest first, among hits that fit a question about as well."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.stored import FoundText
from graphmem.rules.recall.freshness import freshest_first
from graphmem.rules.recall.questions import read_question
from graphmem.rules.recall.ranking import Ranked

START = datetime(2026, 1, 1, tzinfo=UTC)
QUESTION = "Where does Ana live?"


def text(id_: str, day: int, content: str = "Ana lives there.") -> FoundText:
    at = START + timedelta(days=day)
    return FoundText(id_, "message", content, "s", (), (), "active", None, frozenset(), None, None, at)


def order(texts: list[FoundText], scores: list[float], question: str = QUESTION) -> tuple[list[str], dict[str, str]]:
    ranked = [Ranked(one.id, score, {"words": score}) for one, score in zip(texts, scores, strict=True)]
    found, older = freshest_first(read_question(question, START), ranked, {one.id: one for one in texts})
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    return [one.id for one in found], older


def test_of_hits_that_fit_as_well_the_newest_comes_first_and_older_ones_say_so() -> None:
    assert order([text("old", 0), text("new", 9), text("far", 20)], [0.5, 0.43, 0.2]) == (
        ["new", "old", "far"],
        {"old": "new"},
    )


def test_a_newer_hit_that_fits_less_stays_where_it_is() -> None:
    assert order([text("old", 0), text("new", 9)], [0.5, 0.42]) == (["old", "new"], {})


def test_a_newer_hit_with_fewer_words_of_the_question_stays_where_it_is() -> None:
    assert order([text("old", 0), text("new", 9, "Ana rides there.")], [0.5, 0.49]) == (["old", "new"], {})


@pytest.mark.parametrize(
    "newer",
    [
        text("new", 9, "Where does Ana live?"),
        replace(text("new", 9), kind="summary"),
        replace(text("new", 9), status="superseded"),
        text("new", 9, "Ana lives there. " * 30),
    ],
    ids=["question", "summary", "superseded", "long"],
)
def test_only_short_statements_that_hold_count(newer: FoundText) -> None:
    assert order([text("old", 0), newer], [0.5, 0.49]) == (["old", "new"], {})


@pytest.mark.parametrize(
    "asked", ["Where did Ana live before?", "Where have all who live with Ana been?", "When did Ana live there?"]
)
def test_what_no_newer_text_outdates_keeps_its_order(asked: str) -> None:
    assert order([text("old", 0), text("new", 9)], [0.5, 0.49], asked) == (["old", "new"], {})


def test_what_a_fact_says_is_as_old_as_it_holds() -> None:
    fact = replace(text("fact", 9), kind="attribute", valid_from=START - timedelta(days=90))
    assert order([text("said", 0), fact], [0.5, 0.49]) == (["said", "fact"], {"fact": "said"})
    assert order([], []) == ([], {})


def test_a_time_that_may_have_changed_is_told_by_the_newest() -> None:
    texts = [text("old", 0, "The review is on Monday."), text("new", 9, "The review is on Friday.")]
    assert order(texts, [0.5, 0.49], "When is the review?") == (["new", "old"], {"old": "new"})
