"""Questions as full-text queries: whatever is asked, it is a query."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.text import STOP_WORDS, canonical_name
from graphmem.rules.recall.search import MAX_PHRASES, MAX_TERM_CHARS, MAX_TERMS, any_of, name_candidates, with_parts

SPECIAL = [*'+-&|!(){}[]^"~*?:\\/', "AND", "OR", "NOT", "TO", "&&", "||", "’", "'s"]
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from([*SPECIAL, "redis", "the", "北京", "é"]), max_size=12).map(
    " ".join
)
TERM = r'(?:"(?:[^"\\]|\\["\\])*"|\*(?:\w|\\\W)+\*)'
QUERY = re.compile(rf"\+agentKey:k1\^0 \+searchText:\({TERM}(?: {TERM})*\)")


@given(TEXTS)
def test_user_text_is_only_ever_inside_quoted_or_escaped_terms(text: str) -> None:
    query = any_of(text, "k1")
    assert query == "" or QUERY.fullmatch(query), query


@given(TEXTS)
def test_a_query_is_bounded_and_the_same_for_the_same_words(text: str) -> None:
    query = any_of(text, "k1")
    assert query.count('" "') < MAX_TERMS + MAX_PHRASES
    assert any_of(text, "k1") == query
    if text.count('"') % 2 == 0:  # else a phrase begins in one and ends in the other
        assert any_of(f"{text} {text}", "k1") == query


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What's the (port) of billing-service?", ["billing", "port", "service"]),
        ('say "hi" AND NOT bye', ["bye", "hi", "not", "say"]),
        ("*:* || 1=1", ["1"]),
        ("C:\\temp\\*", ["c", "temp"]),
        ("the who", ["the", "who"]),  # stop words count when there is nothing else
        ("version 1.5 of Ü", ["1.5", "version", "ü"]),
        ("北京 北京", ["北京"]),
        (
            'the "Staging  Freeze" of “two days” and "one"',
            ["days", "freeze", "one", "staging", "two", "staging freeze", "two days"],
        ),
    ],
)
def test_the_words_are_searched_for_without_their_marks(text: str, terms: list[str]) -> None:
    assert re.findall(r'"([^"]*)"', any_of(text, "k1")) == terms


@pytest.mark.parametrize("text", ["", "  ", "?!", "…", "😀", "-- ||"])
def test_a_text_without_a_word_is_no_query(text: str) -> None:
    assert any_of(text, "k1") == ""


def test_of_too_many_words_the_longest_are_kept() -> None:
    short, long = [f"w{n}" for n in range(40)], [f"longer{n}" for n in range(MAX_TERMS)]
    terms = re.findall(r'"([^"]*)"', any_of(" ".join([*short, *long]), "k1"))
    assert sorted(terms) == sorted(long)


def test_a_word_that_is_longer_than_any_term_is_looked_for_inside_of_none() -> None:
    assert with_parts(["a" * (MAX_TERM_CHARS + 1), "gate"], "k1") == "+agentKey:k1^0 +searchText:(*gate*)"
    assert with_parts(["a" * 8000], "k1") == ""


def test_another_field_can_be_asked() -> None:
    assert any_of("redis", "k1", field="name") == '+agentKey:k1^0 +name:("redis")'


@given(TEXTS, st.integers(1, 5))
def test_names_are_canonical_runs_of_the_text_each_once(text: str, longest: int) -> None:
    names = name_candidates(text, longest)
    assert len(set(names)) == len(names)
    for name in names:
        assert name == canonical_name(name) != ""
        assert name not in STOP_WORDS
    assert len(names) <= longest * max(1, len(text.split()))


def test_longer_names_come_first() -> None:
    names = name_candidates("Who owns the billing-service?")
    assert "billing service" in names
    assert names.index("owns the billing service") < names.index("billing service")
    assert "the" not in names
