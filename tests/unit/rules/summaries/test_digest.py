"""A session in few words."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.text import count_tokens
from graphmem.rules.summaries.extractive import Statement, digest

SAID = st.lists(
    st.builds(
        Statement,
        st.uuids().map(str),
        st.text(min_size=1, max_size=60),
        st.sampled_from(["fact", "decision", "preference", "constraint", "event", "other"]),
        st.floats(0, 1),
        st.integers(0, 50),
    ),
    max_size=10,
    unique_by=lambda said: said.id,
)


@given(SAID, st.text(max_size=80), st.integers(1, 80))
def test_a_summary_never_exceeds_its_budget(said: list[Statement], opening: str, most: int) -> None:
    told = digest(said, opening, most)
    assert count_tokens(told.text) <= most
    assert set(told.memory_ids) <= {one.id for one in said}
    assert len(set(told.memory_ids)) == len(told.memory_ids)


@given(SAID, st.integers(1, 80), st.randoms(use_true_random=False))
def test_a_summary_does_not_depend_on_the_order_it_is_given(said: list[Statement], most: int, random: object) -> None:
    shuffled = said[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert digest(shuffled, "", most) == digest(said, "", most)


@given(SAID)
def test_it_is_read_in_the_order_it_was_said(said: list[Statement]) -> None:
    by_id = {one.id: one for one in said}
    told = [by_id[id_] for id_ in digest(said, "", 10_000).memory_ids]
    assert [one.ordinal for one in told] == sorted(one.ordinal for one in told)


def test_decisions_and_rules_go_before_what_is_merely_so() -> None:
    said = [
        Statement("1", "It rained all day in the north.", "event", 1.0, 0),
        Statement("2", "We chose Kafka.", "decision", 0.1, 1),
        Statement("3", "Never deploy on Fridays.", "constraint", 0.1, 2),
    ]
    assert digest(said, "", 14).memory_ids == ("2", "3")


def test_what_is_said_twice_is_told_once() -> None:
    told = digest(
        [Statement("1", "We use Redis.", "fact", 0.5, 0), Statement("2", "we use  redis", "fact", 0.5, 4)], ""
    )
    assert told.text == "- We use Redis."


def test_a_session_that_taught_nothing_is_told_by_its_opening() -> None:
    assert digest([], "Hello there. How are you?").text == "Hello there. How are you?"
    assert digest([], "").text == ""
    assert digest([], "Hello there. " * 400, 20).memory_ids == ()
