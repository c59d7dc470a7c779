"""Values that differ in words and may both hold."""

import pytest

from graphmem.rules.contradiction.vetoes import may_both_hold

BOTH = [
    ("Ana lives in Germany.", "Ana lives in Berlin."),
    ("The meeting starts at half past two.", "The meeting starts at 14:30."),
    ("The shop closes at six.", "The shop closes at 18:00."),
    ("The board is 30 cm long.", "The board is 12 inches long."),
    ("The repair cost 60 euros in April.", "The repair cost 85 euros in June."),
    ("The engine is written in Rust.", "The engine was originally written in Perl."),
]
NOT_BOTH = [
    ("Ana lives in Germany.", "Ana lives in Rome."),
    ("The meeting starts at half past two.", "The meeting starts at 15:30."),
    ("The board is 30 cm long.", "The board is 20 inches long."),
    ("The tax is due on 31 July.", "The tax is due on 2 September."),
    ("The engine is written in Rust.", "The engine is written in Perl now."),
]


@pytest.mark.parametrize(("old", "new"), BOTH)
def test_both_may_hold(old: str, new: str) -> None:
    assert may_both_hold(old, new)
    assert may_both_hold(old, old) is False


@pytest.mark.parametrize(("old", "new"), NOT_BOTH)
def test_both_cannot_hold(old: str, new: str) -> None:
    assert not may_both_hold(old, new)
