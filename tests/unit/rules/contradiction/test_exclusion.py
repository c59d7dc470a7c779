"""Statements compared as bags: the same topic with another value excludes, in whatever order and by whatever verb."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.contradiction.alike import GROUPS, PHRASES
from graphmem.rules.contradiction.exclusion import excludes
from graphmem.rules.contradiction.gists import _LEAVES, _OVER, _OVER_MARKS, gist
from graphmem.rules.contradiction.traits import traits_of
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import words


def test_no_word_says_the_same_as_two_that_differ() -> None:
    """Else the later group takes it from the earlier one."""
    heads: dict[str, set[str]] = {}
    for group in (one.split() for one in GROUPS):
        for word in group:
            heads.setdefault(stem(word), set()).add(stem(group[0]))
    assert {word: some for word, some in heads.items() if len(some) > 1} == {}


def test_a_topic_is_told_in_any_order() -> None:
    one = gist("The rota of the north ward is weekly.")
    other = gist("As of this month the north ward has a monthly rota.")
    assert one.words == other.words == {"rota", "north", "ward"}


@pytest.mark.parametrize(
    "text",
    [
        *("the mill was closed until the flood", "ana is back at work", "the lift is out of order", "she quit"),
        *("bo replaced al as captain", "the duty was handed from al to bo", "it is blue, not red", "once sold here"),
    ],
)
def test_what_is_left_out_for_speed_would_match_nothing(text: str) -> None:
    if _OVER.search(text):
        assert _OVER_MARKS & {*text.split()}
    for marks, pattern in _LEAVES:
        if pattern.match(text):
            assert any(mark in text for mark in marks)


@pytest.mark.parametrize(("marks", "pattern"), [(marks, pattern) for marks, pattern, _ in PHRASES])
@given(data=st.data())
def test_no_phrase_matches_without_one_of_its_words(
    marks: frozenset[str], pattern: re.Pattern[str], data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert marks & {*words(text)}


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(old: str, new: str) -> None:
    told = excludes(gist(old), gist(new))
    assert told is None or told[1]
    assert traits_of(old).shows
