"""Turns of speech in plain words."""

import pytest

from graphmem.rules.contradiction.idioms import _USUAL, as_done, in_plain_words


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("From Monday to Friday the gate is open.", "on weekdays the gate is open."),
        ("Sara was laid off by Fenwick.", "Sara no longer works at Fenwick."),
        ("On Sundays it is Dad who cooks.", "Dad cooks on Sundays"),
        ("Trello was abandoned by the team.", "the team abandoned Trello"),
        ("The family had to sell the inn.", "The family sold the inn."),
        ("Ana lives in Rome.", "Ana lives in Rome."),
    ],
)
def test_a_turn_of_speech_is_told_plainly(text: str, plain: str) -> None:
    assert in_plain_words(text) == plain


def test_what_people_do_is_told_without_them() -> None:
    assert as_done("We will submit the draft to the board.") == "The draft will be submited to the board"
    assert as_done("Ana keeps the samples in the freezer.") is None


def test_each_turn_has_its_mark() -> None:
    assert all(mark == mark.strip("\n") for mark, _, _ in _USUAL)
