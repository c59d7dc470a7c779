"""The newest first, among hits that fit a question about as well."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.stored import FoundText
from graphmem.rules.recall.freshness import freshest_first
from graphmem.rules.recall.ranking import Ranked

START = datetime(2026, 1, 1, tzinfo=UTC)
QUESTION = "Where does Ana live?"


def text(id_: str, day: int, content: str = "Ana lives there.") -> FoundText:
    at = START + timedelta(days=day)
    return FoundText(id_, "message", content, "s", (), (), "active", None, frozenset(), None, None, at)


def order(texts: list[FoundText], scores: list[float], question: str = QUESTION) -> tuple[list[str], dict[str, str]]:
    ranked = [Ranked(one.id, score, {"words": score}) for one, score in zip(texts, scores, strict=True)]
    found, older = freshest_first(question, ranked, {one.id: one for one in texts})
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    return [one.id for one in found], older


def test_of_hits_that_fit_as_well_the_newest_comes_first_and_older_ones_say_so() -> None:
    assert order([text("old", 0), text("new", 9), text("far", 20)], [0.5, 0.42, 0.2]) == (
        ["new", "old", "far"],
        {"old": "new"},
    )


def test_a_newer_hit_that_fits_less_stays_where_it_is() -> None:
    assert order([text("old", 0), text("new", 9)], [0.5, 0.39]) == (["old", "new"], {})


def test_a_newer_hit_with_fewer_words_of_the_question_stays_where_it_is() -> None:
    assert order([text("old", 0), text("new", 9, "Ana rides there.")], [0.5, 0.49]) == (["old", "new"], {})


@pytest.mark.parametrize(
    "newer",
    [
        text("new", 9, "Where does Ana live?"),
        replace(text("new", 9), kind="summary"),
        replace(text("new", 9), status="superseded"),
    ],
    ids=["question", "summary", "superseded"],
)
def test_only_statements_that_hold_count(newer: FoundText) -> None:
    assert order([text("old", 0), newer], [0.5, 0.49]) == (["old", "new"], {})


def test_a_question_about_the_past_keeps_its_order() -> None:
    asked = "Where did Ana live before?"
    assert order([text("old", 0), text("new", 9)], [0.5, 0.49], asked) == (["old", "new"], {})


def test_what_a_fact_says_is_as_old_as_it_holds() -> None:
    fact = replace(text("fact", 9), kind="attribute", valid_from=START - timedelta(days=90))
    assert order([text("said", 0), fact], [0.5, 0.49]) == (["said", "fact"], {"fact": "said"})
    assert order([], []) == ([], {})
