"""Confirmations raise a confidence, contradictions and age lower it, within bounds, and all of it can go back."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.living import EdgeStanding, SettledEdge, Vitality
from graphmem.rules.impact.confidence import CEILING, FLOOR, confirmed, given_confidence, settled

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SAID = EdgeStanding("d", 0.7, None, None, False, False, 1, 0, NOW, None)
OFF = Vitality(enabled=False)

standings = st.builds(
    EdgeStanding,
    id=st.just("d"),
    confidence=st.floats(min_value=0, max_value=1).map(lambda value: round(value, 4)),
    given=st.none(),
    living=st.none(),
    pinned=st.booleans(),
    by_code=st.booleans(),
    sources=st.integers(min_value=0, max_value=12),
    contradictions=st.integers(min_value=0, max_value=5),
    said_at=st.integers(min_value=0, max_value=5000).map(lambda days: NOW - timedelta(days=days)),
    used_at=st.none() | st.integers(min_value=0, max_value=5000).map(lambda days: NOW - timedelta(days=days)),
)
vitalities = st.builds(
    Vitality,
    enabled=st.just(True),
    confirmation=st.floats(min_value=0, max_value=1),
    contradiction=st.floats(min_value=0, max_value=1),
    half_life_days=st.floats(min_value=0, max_value=4000),
)


def left(standing: EdgeStanding, row: SettledEdge | None) -> EdgeStanding:
    """The edge as the row leaves it."""
    if row is None:
        return standing
    return replace(standing, confidence=row.after, given=row.given, living=None if row.given is None else row.after)


def confidence(standing: EdgeStanding, vitality: Vitality | None = None, now: datetime = NOW) -> float:
    return left(standing, settled(standing, vitality or Vitality(), now)).confidence


@given(standings, vitalities)
def test_a_confidence_stays_within_its_bounds_and_a_repeat_changes_nothing(
    standing: EdgeStanding, vitality: Vitality
) -> None:
    after = left(standing, settled(standing, vitality, NOW))
    assert min(FLOOR, standing.confidence) <= after.confidence <= max(CEILING, standing.confidence)
    assert settled(after, vitality, NOW) is None


@given(standings, vitalities)
def test_switched_off_every_confidence_is_what_was_given(standing: EdgeStanding, vitality: Vitality) -> None:
    after = left(standing, settled(standing, vitality, NOW))
    back = left(after, settled(after, OFF, NOW))
    assert (back.confidence, back.given, back.living) == (standing.confidence, None, None)


@given(standings, vitalities)
def test_what_a_person_says_is_never_moved(standing: EdgeStanding, vitality: Vitality) -> None:
    assert settled(replace(standing, pinned=True), vitality, NOW) is None


@given(st.floats(min_value=0, max_value=1), st.integers(min_value=0, max_value=30), vitalities)
def test_another_source_never_lowers(given_: float, sources: int, vitality: Vitality) -> None:
    assert confirmed(given_, sources, vitality) <= confirmed(given_, sources + 1, vitality) + 1e-4


def test_one_source_is_what_extraction_made_of_it_and_two_are_multi_memory() -> None:
    assert [confidence(replace(SAID, sources=sources)) for sources in (1, 2, 3, 4)] == [0.7, 0.9, 0.95, 0.975]


def test_code_counts_as_a_source_and_does_not_grow_stale() -> None:
    code = replace(SAID, confidence=0.8, by_code=True, sources=0, said_at=NOW - timedelta(days=3000))
    assert settled(code, Vitality(), NOW) is None
    assert confidence(replace(code, sources=1)) == 0.9333


def test_a_contradiction_lowers_until_it_is_said_again() -> None:
    against = left(SAID, settled(replace(SAID, contradictions=1), Vitality(), NOW))
    assert (against.confidence, against.given) == (0.49, 0.7)
    said_again = replace(against, confidence=0.9, single=0.7, sources=2, contradictions=0)  # as extraction writes it
    assert confidence(said_again) == 0.9


def test_of_talk_the_sources_tell_the_confidence_and_fewer_of_them_less() -> None:
    talk = replace(SAID, confidence=0.975, single=0.7, sources=4)
    assert settled(talk, Vitality(), NOW) is None
    assert [confidence(replace(talk, sources=sources)) for sources in (1, 2, 3)] == [0.7, 0.9, 0.95]
    hedged = replace(talk, confidence=0.5, single=0.5, sources=2)
    assert 0.7 < confidence(hedged) < 0.9, "two who are unsure are surer than one, and less than two who are not"


def test_what_nobody_says_fades_in_quarters_and_use_keeps_it() -> None:
    assert [confidence(SAID, now=NOW + timedelta(days=days)) for days in (182, 183, 364, 365, 730)] == [
        0.7,
        0.5886,
        0.5886,
        0.495,
        0.35,
    ]
    used = replace(SAID, used_at=NOW + timedelta(days=700))
    assert confidence(used, now=NOW + timedelta(days=730)) == 0.7
    assert confidence(SAID, Vitality(half_life_days=0), NOW + timedelta(days=7000)) == 0.7


def test_a_number_that_somebody_else_wrote_since_is_where_it_goes_on_from() -> None:
    moved = replace(SAID, confidence=0.49, given=0.8, living=0.49)
    assert given_confidence(moved, Vitality()) == 0.8
    assert given_confidence(replace(moved, confidence=0.7), Vitality()) == 0.8, "a repeat by extraction lowers nothing"
    assert given_confidence(replace(moved, confidence=0.9), Vitality()) == 0.9
    assert given_confidence(replace(moved, confidence=0.7, pinned=True), Vitality()) == 0.7, "a person may lower it"


def test_a_person_who_says_what_was_lowered_gets_back_what_was_given() -> None:
    row = settled(replace(SAID, confidence=0.49, given=0.7, living=0.49, pinned=True), Vitality(), NOW)
    assert row == SettledEdge("d", 0.49, 0.7, None, "It has the confidence it was given.")


def test_the_reason_tells_each_step() -> None:
    row = settled(replace(SAID, sources=3, contradictions=1), Vitality(), NOW + timedelta(days=400))
    assert row
    assert row.reason == (
        "given 0.7; 3 sources make it 0.95; 1 contradiction since: 0.665; "
        "neither said nor found good for 400 days: 0.4702"
    )
