"""Opposites are met in every form, in both directions, and only where they exclude each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.contradiction.antonyms import NEGATIONS, PAIRS, PARTICLES, key, opposites, respell
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import words

SIDES = [tuple(side.split() for side in pair.split("/")) for pair in PAIRS]


def crossed(old: str, new: str) -> bool:
    return bool(opposites(words(old), words(new)))


def test_there_are_at_least_thirty_pairs() -> None:
    assert len(PAIRS) + len(PARTICLES) >= 30


@pytest.mark.parametrize("pair", SIDES, ids=str)
def test_every_pair_excludes_in_both_directions(pair: tuple[list[str], list[str]]) -> None:
    for one in pair[0]:
        for other in pair[1]:
            assert opposites([one], [other]) == ((one, other),)
            assert opposites([other], [one]) == ((other, one),)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("auth is enabled", "auth is disabled"),
        ("allows guests", "denied guests"),
        ("the job is active", "the job is inactive"),
        ("the ticket is open", "closed the ticket"),
        ("starts the worker", "stopped the worker"),
        ("including tests", "excluded tests"),
        ("accepts XML", "rejecting XML"),
        ("flag is true", "flag is false"),
        ("adding logs", "removes logs"),
        ("the node is online", "the node went offline"),
        ("public repo", "private repo"),
        ("dark mode is on", "dark mode is off"),
        ("turned on alerts", "turns off alerts"),
        ("the server is up", "the server is down again"),
    ],
)
def test_forms_of_a_pair_are_met(old: str, new: str) -> None:
    assert crossed(old, new)
    assert crossed(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("runs on port 80", "turned off"),
        ("moved up north", "the server is down"),
        ("is on the free plan", "is off the hook"),
        ("open source library", "closed the door"),
        ("enabled and disabled by turns", "disabled"),
        ("enabled", "enabled or disabled"),
        ("the cat sat", "the dog ran"),
    ],
)
def test_prepositions_compounds_and_both_sides_fire_nothing(old: str, new: str) -> None:
    assert not crossed(old, new)


@pytest.mark.parametrize(
    "forms",
    [
        "enable enables enabled enabling", "deny denies denied denying", "stop stops stopped stopping",
        "use uses used using", "live lives lived living", "add adds added adding", "write writes wrote written",
        "city cities", "pass passes passed passing", "marry marries married",
    ],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_names_numbers_and_other_scripts_keep_their_letters() -> None:
    for word in ("redis", "1.5", "8gb", "берлин", "bus", "add"):
        assert stem(word) == word
    assert stem("alice's") == stem("alice")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("8 GB", "8GB"),
        ("60 minutes", "1 hour"),
        ("8192 MB", "8 GB"),
        ("3 pm", "15:00"),
        ("12am", "0:00"),
        ("$5", "5 dollars"),
        ("20%", "20 percent"),
        ("v1.5", "1.5"),
        ("1,000", "1000"),
        ("March", "mar"),
        ("three", "3"),
        ("Postgres", "PostgreSQL"),
        ("New York City", "NYC"),
    ],
)
def test_one_value_has_one_key(one: str, other: str) -> None:
    def keys(text: str) -> list[str]:
        return [key(word) for word in words(respell(text.casefold()))]

    assert keys(one) == keys(other)


def test_the_negations_of_the_seed_are_all_there() -> None:
    seed = """not no never don't doesn't won't can't isn't aren't wasn't weren't haven't hasn't hadn't couldn't
    shouldn't wouldn't nor neither"""
    assert set(seed.split()) <= NEGATIONS


@given(old=st.lists(st.text(max_size=8), max_size=8), new=st.lists(st.text(max_size=8), max_size=8))
def test_any_words_are_compared_and_direction_does_not_matter(old: list[str], new: list[str]) -> None:
    assert {(b, a) for a, b in opposites(old, new)} == set(opposites(new, old))
    assert not opposites(old, old)
    for word in old:
        assert stem(word) == stem(word)
        assert isinstance(key(word), str)
