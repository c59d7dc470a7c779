"""Feedback moves a weight in steps, within bounds, and back by the opposite score."""

from datetime import UTC, datetime, timedelta
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.feedback import GivenStanding, MovedRow, Standing
from graphmem.rules.keeping.feedback import CEILING, FLOOR, faded, moved, moves

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


START = datetime(2026, 1, 1, tzinfo=UTC)


def after_sessions(standing: Standing, sessions: int, half_life: int = 4) -> float:
    """The standing when so many sessions, a day apart, have ended since it was given feedback."""
    ends = [START + timedelta(days=day) for day in range(-3, sessions + 1)]
    row = faded(GivenStanding(standing, START), ends, half_life)
    return row.moved.feedback if row else standing.feedback


@given(unit, scores, st.integers(min_value=0, max_value=60))
def test_fading_leads_back_to_the_weight_there_was_and_never_beyond(
    weight: float, given_scores: list[float], sessions: int
) -> None:
    standing = aspect(weight)
    for score in given_scores:
        standing = after(moved(standing, score))
    ends = [START + timedelta(days=day) for day in range(1, sessions + 1)]
    row = faded(GivenStanding(standing, START), ends, 4)
    assert standing.weight is not None
    if row is None:
        assert sessions < 4
        return
    assert abs(row.moved.after - weight) <= abs(standing.weight - weight) + 1e-9
    assert abs(row.moved.feedback) <= abs(standing.feedback)
    if sessions >= 40:
        assert (row.moved.after, row.moved.feedback) == (weight, 0.0)


def test_a_standing_is_halved_once_for_each_half_life_of_sessions() -> None:
    liked = Standing("m", "m", "message", None, None, 0.5)
    assert [after_sessions(liked, sessions) for sessions in (0, 3, 4, 7, 8)] == [0.5, 0.5, 0.25, 0.25, 0.125]


def test_the_sessions_that_make_no_whole_half_life_count_the_next_time() -> None:
    ends = [START + timedelta(days=day) for day in range(1, 8)]
    row = faded(GivenStanding(Standing("m", "m", "message", None, None, 0.5), START), ends, 4)
    assert row
    assert (row.sessions, row.through, row.stood) == (4, START + timedelta(days=4), 0.5)
    again = GivenStanding(Standing("m", "m", "message", None, None, row.moved.feedback), row.through)
    assert faded(again, ends, 4) is None
