"""Feedback moves a weight in steps, within bounds, and back by the opposite score."""

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.feedback import MovedRow, Standing
from graphmem.rules.feedback import CEILING, FLOOR, moved, moves

unit = st.floats(min_value=0, max_value=1).map(lambda value: round(value, 6))
scores = st.lists(st.floats(min_value=-1, max_value=1), max_size=12)


def aspect(weight: float, asked: str = "a", kind: Literal["aspect", "dependency"] = "aspect") -> Standing:
    return Standing(asked, "a", kind, weight, None, 0.0)


def after(row: MovedRow) -> Standing:
    return Standing(row.id, row.id, row.kind, row.after, row.own, row.feedback)


@given(unit, scores)
def test_a_weight_stays_within_its_bounds(weight: float, given_scores: list[float]) -> None:
    standing = aspect(weight)
    for score in given_scores:
        standing = after(moved(standing, score))
        assert standing.weight is not None
        assert min(FLOOR, weight) <= standing.weight <= CEILING
        assert -1 <= standing.feedback <= 1


@given(unit, st.floats(min_value=-1, max_value=1).map(lambda value: round(value, 6)))
def test_the_opposite_score_takes_back_what_was_given(weight: float, score: float) -> None:
    there = moved(aspect(weight), score)
    back = moved(after(there), -score)
    assert (back.after, back.feedback) == (weight, 0.0)


@given(unit, st.floats(min_value=0, max_value=1))
def test_good_never_lowers_and_bad_never_raises(weight: float, score: float) -> None:
    assert moved(aspect(weight), score).after >= weight >= moved(aspect(weight), -score).after


def test_a_weight_that_somebody_else_gave_is_where_it_goes_on_from() -> None:
    first = moved(aspect(0.5), 1.0)
    assert first.after == 0.6
    changed = Standing("a", "a", "aspect", 0.8, first.own, first.feedback)
    second = moved(changed, 0.0)
    assert second.own == 0.8


def test_a_hit_without_a_weight_moves_its_standing() -> None:
    row = moved(Standing("m", "m", "message", None, None, 0.9), 1.0)
    assert (row.before, row.after, row.own) == (0.9, 1.0, None)


def test_what_is_said_of_a_fact_counts_half_for_its_aspect() -> None:
    fact = Standing("t", "t", "attribute", None, None, 0.0)
    by_fact = moves([fact, aspect(0.5, asked="t")], {"t": 1.0})
    assert [(row.id, row.after) for row in by_fact] == [("a", 0.55), ("t", 0.25)]


def test_a_thing_that_is_named_twice_over_moves_once_and_no_further_than_one_score() -> None:
    fact = Standing("t", "t", "attribute", None, None, 0.0)
    rows = moves([aspect(0.5), fact, aspect(0.5, asked="t")], {"a": 1.0, "t": 1.0})
    assert [(row.id, row.score, row.after) for row in rows] == [("a", 1.0, 0.6), ("t", 1.0, 0.25)]
