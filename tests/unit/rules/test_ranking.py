"""How signals become one order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.ranking import WEIGHTS, Ranked, fuse, newest_first, with_neighbours

IDS = st.sampled_from("abcdefgh")
POSITIVE = st.dictionaries(IDS, st.floats(0, 1000, allow_subnormal=False), max_size=8)
SIGNALS = st.fixed_dictionaries(
    {},
    optional={"words": POSITIVE, "meaning": st.dictionaries(IDS, st.floats(-1, 1), max_size=8), "entities": POSITIVE},
)
RANKED = SIGNALS.map(fuse)


def holds(ranked: list[Ranked]) -> None:
    """What is true of every order: scores in 0..1 that never rise, told by `why`, each candidate once."""
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert len({one.id for one in ranked}) == len(ranked)
    for one in ranked:
        assert sum(one.why.values()) == pytest.approx(one.score, abs=1e-9)
        assert all(part >= 0 for part in one.why.values())


@given(SIGNALS)
def test_scores_are_in_bounds_and_why_sums_to_them(signals: dict[str, dict[str, float]]) -> None:
    ranked = fuse(signals)
    holds(ranked)
    assert {one.id for one in ranked} == {id_ for scores in signals.values() for id_ in scores}
    assert all(set(one.why) <= set(WEIGHTS) for one in ranked)


@given(SIGNALS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_that_of_the_input(signals: dict[str, dict[str, float]], random: object) -> None:
    shuffled = {}
    for name in sorted(signals, reverse=True):
        rows = list(signals[name].items())
        random.shuffle(rows)  # type: ignore[attr-defined]
        shuffled[name] = dict(rows)
    again = fuse(shuffled)
    assert [one.id for one in again] == [one.id for one in fuse(signals)] or {
        one.id: round(one.score, 9) for one in again
    } == {one.id: round(one.score, 9) for one in fuse(signals)}
    assert fuse(signals) == fuse(signals)


def test_ties_are_in_order_of_id() -> None:
    assert [one.id for one in fuse({"words": {"b": 1.0, "a": 1.0, "c": 2.0}})] == ["c", "a", "b"]


def test_the_leader_in_every_signal_has_1() -> None:
    first, *_ = fuse({"words": {"a": 9.0, "b": 1.0}, "meaning": {"a": 0.9, "b": 0.1}, "entities": {"a": 2.0}})
    assert (first.id, first.score) == ("a", pytest.approx(1.0))


def test_no_signal_is_no_hit_and_a_flat_one_says_nothing() -> None:
    assert fuse({}) == []
    assert fuse({"words": {}}) == []
    assert fuse({"meaning": {"a": 0.4, "b": 0.4}}) == [Ranked("a", 0.0, {}), Ranked("b", 0.0, {})]


def test_more_of_one_signal_with_the_rest_equal_ranks_higher() -> None:
    ranked = fuse({"words": {"a": 1.0, "b": 2.0}, "meaning": {"a": 0.5, "b": 0.5, "c": 0.1}})
    assert [one.id for one in ranked] == ["b", "a", "c"]


@given(
    RANKED,
    st.dictionaries(IDS, st.sets(st.sampled_from("ABCD"), max_size=3), max_size=8),
    st.sets(st.sampled_from("ABCD")),
)
def test_nothing_superseded_stands_above_what_replaced_it(
    ranked: list[Ranked], successors: dict[str, set[str]], found: set[str]
) -> None:
    current = [Ranked(id_, 0.1 * n, {"words": 0.1 * n}) for n, id_ in enumerate(sorted(found), 1)]
    mixed = sorted([*ranked, *current], key=lambda one: (-one.score, one.id))
    ordered = newest_first(mixed, successors)
    holds(ordered)
    assert {one.id for one in ordered} == {one.id for one in mixed}
    place = {one.id: n for n, one in enumerate(ordered)}
    score = {one.id: one.score for one in ordered}
    for old, replaced_by in successors.items():
        for new in replaced_by & found:
            if old in place:
                assert place[old] > place[new]
                assert score[old] <= score[new]
    untouched = [one for one in mixed if not successors.get(one.id, set()) & found]
    assert [one for one in ordered if one in untouched] == untouched


@given(RANKED)
def test_without_successors_the_order_stays(ranked: list[Ranked]) -> None:
    assert newest_first(ranked, {}) == ranked
    assert newest_first(ranked, {one.id: [one.id] for one in ranked}) == ranked


@given(RANKED, st.dictionaries(IDS, IDS, max_size=8))
def test_neighbours_share_their_scores_within_bounds(ranked: list[Ranked], previous: dict[str, str]) -> None:
    apart = {later: earlier for later, earlier in previous.items() if later != earlier}
    once = dict(zip(apart.values(), apart, strict=True))  # each has one before it and one behind it
    moved = with_neighbours(
        ranked, {later: earlier for earlier, later in once.items()}, {candidate.id for candidate in ranked}
    )
    holds(moved)
    assert {one.id for one in moved} == {one.id for one in ranked}


def test_an_answer_behind_its_question_gets_a_share_and_says_so() -> None:
    question, answer, far = (
        Ranked("q", 1.0, {"words": 1.0}),
        Ranked("a", 0.2, {"words": 0.2}),
        Ranked("f", 0.3, {"words": 0.3}),
    )
    moved = with_neighbours([question, far, answer], {"a": "q"}, {"q", "f", "a"})
    assert [one.id for one in moved] == ["q", "a", "f"]
    assert set(moved[1].why) == {"words", "neighbours"}
    assert set(moved[2].why) == {"words"}


def test_a_sole_find_by_meaning_says_so() -> None:
    (only,) = fuse({"words": {}, "meaning": {"a": 0.4}})
    assert only.score == sum(only.why.values()) == 1.0
