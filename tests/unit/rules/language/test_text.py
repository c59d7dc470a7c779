"""Names, words and sizes."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.rules.language.sentences import sentences
from graphmem.rules.language.text import (
    STOP_WORDS,
    canonical_name,
    content_words,
    count_tokens,
    fit_tokens,
    words,
)

PIECES = [
    "The",
    "a",
    "An",
    "billing-Service’s",
    "_",
    "-",
    "'S",
    ".",
    "...",
    "Ünïcode",
    "İ",
    "ß",
    "ﬁ",
    "北京",
    "😀",
    "1.5",
    "\n",
]
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=10).map(" ".join)


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("The Billing_Service’s", "billing service"),
        ("billing-service", "billing service"),
        ("  Billing   Service ", "billing service"),
        ("James'", "james"),
        ("Ｒｅｄｉｓ", "redis"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("a", "a"),
        ("The The", "the"),
    ],
)
def test_names_are_looked_up_under_one_spelling(name: str, canonical: str) -> None:
    assert canonical_name(name) == canonical


@pytest.mark.parametrize("name", ["Redis", "Kubernetes", "pandas", "billing services"])
def test_plurals_and_type_words_are_not_folded(name: str) -> None:
    assert canonical_name(name) == name.lower()


@given(st.text(alphabet="aThes xan_-./:\"'1", max_size=12))
def test_canonical_name_is_that_of_the_name_in_quotes(name: str) -> None:
    """Quotes are taken off; a name without any takes a shorter way."""
    assume(name.strip(" .,;:!?\"'`()[]{}<>_-"))
    assert canonical_name(name) == canonical_name(f'"{name}"')


@given(TEXTS)
def test_canonical_name_is_a_projection(name: str) -> None:
    once = canonical_name(name)
    assert canonical_name(once) == once


@given(TEXTS)
def test_case_and_joiners_do_not_matter_to_a_name(name: str) -> None:
    assert canonical_name(name.replace(" ", "_")) == canonical_name(name.replace(" ", "-"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Doesn’t run on 1.5, port 8080", ["doesn't", "run", "on", "1.5", "port", "8080"]),
        ("v1.5 and python3.11 at 10:30", ["v1.5", "and", "python3.11", "at", "10:30"]),
        ("1,000 users.", ["1,000", "users"]),
        ("snake_case kebab-case", ["snake", "case", "kebab", "case"]),
        ("Мария живёт в Берлине", ["мария", "живёт", "в", "берлине"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("İstanbul", ["i̇stanbul"]),
        ("北京", ["北京"]),
        ("", []),
        ("?!… 😀", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_a_word_of_another_script_changes_no_other_word(text: str) -> None:
    assert words(f"{text} é") == [*words(text), "é"]


def test_content_words_leave_out_stop_words() -> None:
    assert content_words("The service is not on port 80") == ["service", "not", "port", "80"]


@given(TEXTS)
def test_words_are_folded_words(text: str) -> None:
    for word in words(text):
        assert words(word) == [word]
    assert not STOP_WORDS & set(content_words(text))


@given(TEXTS)
def test_only_white_space_is_lost_between_sentences(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(TEXTS, TEXTS)
def test_tokens_never_shrink_when_a_text_grows(one: str, other: str) -> None:
    assert count_tokens(one) <= count_tokens(one + other) <= count_tokens(one) + count_tokens(other)
    assert (count_tokens(one) == 0) == (one == "")


@given(TEXTS, st.integers(0, 30))
def test_a_fitted_text_is_a_beginning_within_the_budget(text: str, max_tokens: int) -> None:
    fitted = fit_tokens(text, max_tokens)
    assert count_tokens(fitted) <= max_tokens
    assert text.startswith(fitted)


@given(TEXTS)
def test_a_text_that_fits_is_left_alone(text: str) -> None:
    assert fit_tokens(text, count_tokens(text)) == text


def test_a_cut_falls_behind_a_sentence_else_a_word_else_anywhere() -> None:
    assert fit_tokens("One two. Three four five six seven.", 5) == "One two."
    assert fit_tokens("one two three four five", 3) == "one two three"
    assert fit_tokens("one two extraordinarily five", 3) == "one two"
    assert fit_tokens("a" * 100, 3) == "a" * 21
