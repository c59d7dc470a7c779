"""What came of what was under way, planned or there."""

import pytest

from graphmem.rules.contradiction.outcomes import comes_of, has_course

CAME = [
    ("Ana is preparing for the bar exam.", "Ana passed the bar exam."),
    ("We are going to sell the boat.", "We've decided to keep the boat after all."),
    ("My parents are coming for Easter.", "My parents are staying at home after all."),
    ("There is a bench at the gate.", "The bench at the gate was taken away."),
    ("The library is being renovated.", "The renovation of the library is finished."),
    ("The baby is due in July.", "The baby was born on 3 July."),
    ("The cinema shows silent films.", "The cinema closed down in 2019."),
]
DID_NOT = [
    ("Ana is preparing for the bar exam.", "Ana passed the swimming test."),
    ("Ana is preparing for the bar exam.", "Ana has not passed the bar exam."),
    ("We are going to sell the boat.", "We keep the boat in the barn."),
    ("My parents are coming for Easter.", "My parents are staying with us until Tuesday."),
    ("There is a bench at the gate.", "The bench in the yard was taken away."),
    ("The cinema shows silent films.", "The theatre closed down in 2019."),
]


@pytest.mark.parametrize(("old", "new"), CAME)
def test_what_came_of_it_ends_it(old: str, new: str) -> None:
    assert comes_of(old, new)


@pytest.mark.parametrize(("old", "new"), DID_NOT)
def test_what_came_of_something_else_does_not(old: str, new: str) -> None:
    assert comes_of(old, new) is None


def test_nothing_comes_of_what_somebody_likes() -> None:
    assert has_course("There is a bench at the gate.")
    assert not has_course("Ana likes tea.")
