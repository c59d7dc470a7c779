"""What is said around a statement is left out, and a statement that tells two things is read as two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.contradiction.essence import essence, tellings


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Scratch that: the key is in the drawer.", "the key is in the drawer."),
        ("Sorry, I mixed it up, the soup has no nuts.", "the soup has no nuts."),
        ("I was wrong about the soup, it has no nuts.", "the soup has no nuts."),
        ("Konrad, who joined in 2015, is the chairman.", "Konrad is the chairman."),
        ("The van is parked in the yard because the street is closed.", "The van is parked in the yard"),
        ("Since the move Ana works from home.", "Ana works from home now."),
        ("These days the office chats on Zulip.", "the office chats on Zulip now."),
        ("Until May the depot was heated with oil.", "the depot was heated with oil until May"),
        ("It's Mira who walks the dog.", "Mira walks the dog."),
        ("Not Rita but Ella gives the talk.", "Ella gives the talk, not Rita"),
        ("Tomasz never learned to drive.", "Tomasz cannot drive."),
    ],
)
def test_what_is_said_around_it_is_left_out(said: str, told: str) -> None:
    assert essence(said) == told


@pytest.mark.parametrize("said", ["No room is without a view.", "Ana, Ben and Eva live in Rome.", "is written in Rust"])
def test_the_rest_stays_as_it_is(said: str) -> None:
    assert essence(said) == said


def test_what_is_told_aside_is_told_too() -> None:
    assert "Mrs Oka is the caretaker of the house" in tellings("Mrs Oka, the caretaker of the house, likes tea.")


def test_that_it_is_over_is_told_of_what_stands_before() -> None:
    assert "the library charged fees no longer" in tellings("Once the library charged fees; it doesn't any more.")


@given(st.text(max_size=300))
def test_any_text_tells_something(text: str) -> None:
    told = tellings(text)
    assert 1 <= len(told) <= 4
