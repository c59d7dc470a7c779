"""Turns of speech in plain words."""

import pytest

from graphmem.rules.contradiction.idioms import _USUAL, in_plain_words


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("From Monday to Friday the gate is open.", "on weekdays the gate is open."),
        ("On Sundays it is Dad who cooks.", "Dad cooks on Sundays"),
        ("Ana is an ex-smoker.", "Ana no longer smokes."),
        ("Ana makes her home in Rome.", "Ana lives in Rome."),
        ("Ana lives in Rome.", "Ana lives in Rome."),
    ],
)
def test_a_turn_of_speech_is_told_plainly(text: str, plain: str) -> None:
    assert in_plain_words(text) == plain


def test_each_turn_has_its_mark() -> None:
    assert all(mark == mark.strip("\n") for mark, _, _ in _USUAL)
