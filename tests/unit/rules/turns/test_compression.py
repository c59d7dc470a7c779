"""What a budget leaves of turns."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.turns.compression import Compression, Weighed
from graphmem.rules.turns.compression import compress as compressed_at

TURNS = st.lists(
    st.builds(Weighed, st.uuids().map(str), st.integers(0, 500), st.integers(1, 10), st.booleans()),
    max_size=30,
)


def compress(turns: list[Weighed], budget: int) -> Compression:
    return compressed_at(turns, budget, preserve=7, routine=3)


def test_preserved_turns_are_never_dropped_whatever_the_budget() -> None:
    found = compress([Weighed("a", 100, 7), Weighed("b", 50, 6, paradigm_shift=True), Weighed("c", 10, 6)], 0)
    assert found.preserved == ("a", "b")
    assert found.left == ("c",)
    assert found.used == 150


def test_the_middle_is_summarized_else_compressed_else_left_out() -> None:
    assert compress([Weighed("a", 100, 3)], 30).summarized == ("a",)
    assert compress([Weighed("a", 100, 3)], 29).compressed == ("a",)
    assert compress([Weighed("a", 100, 3)], 9).left == ("a",)


def test_routine_turns_are_compressed_or_left_out_and_costs_are_rounded_up() -> None:
    assert compress([Weighed("a", 101, 2)], 1000).compressed == ("a",)
    assert compress([Weighed("a", 101, 2)], 10).left == ("a",)
    assert compress([Weighed("a", 101, 2)], 11).used == 11


def test_the_more_important_choose_first_and_of_equals_the_earlier() -> None:
    turns = [Weighed("a", 100, 4), Weighed("b", 100, 6), Weighed("c", 100, 4)]
    found = compress(turns, 60)
    assert found.summarized == ("b", "a")
    assert found.left == ("c",)


def test_what_is_preserved_and_what_is_routine_are_said_by_the_caller() -> None:
    turns = [Weighed("a", 100, 5), Weighed("b", 100, 4)]
    assert compressed_at(turns, 1000, preserve=5, routine=5).preserved == ("a",)
    assert compressed_at(turns, 1000, preserve=5, routine=5).compressed == ("b",)


@given(TURNS, st.integers(0, 3000))
def test_each_turn_is_told_once_and_the_rest_keeps_to_the_budget(turns: list[Weighed], budget: int) -> None:
    found = compress(turns, budget)
    told = [*found.preserved, *found.summarized, *found.compressed, *found.left]
    assert sorted(told) == sorted(turn.id for turn in turns)
    kept_whole = sum(turn.tokens for turn in turns if turn.id in found.preserved)
    assert found.used - kept_whole <= budget
