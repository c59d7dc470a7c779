"""Whose words a clause is: reported, quoted, or its own."""

import pytest

from graphmem.rules.reading.attribution import is_quoted, reports
from tests.effort import little_work


@pytest.mark.parametrize(
    ("name", "rest", "expected"),
    [
        ("Olga", " says the door must stay shut", True),
        ("Olga", ", our landlady, says the door must stay shut", True),
        ("Olga", " from the front desk said no dogs", True),
        ("Olga", " has to be called", False),
        ("Olga", " must never say the code", False),
        ("Olga", ": the door must stay shut", False),
    ],
)
def test_who_says_so_is_told_from_who_has_to(name: str, rest: str, expected: bool) -> None:
    text = name + rest
    assert reports(text, len(name), len(text)) is expected


def test_a_saying_behind_the_clause_is_no_part_of_it() -> None:
    assert not reports("Olga says no", 4, 6)


@pytest.mark.parametrize(
    ("text", "clause", "expected"),
    [
        ('the sign reads "no dogs on the lawn" in red', "no dogs on the lawn", True),
        ("the sign reads “no dogs on the lawn” in red", "no dogs on the lawn", True),
        ('"Atlas" must never be stopped', '"Atlas" must never be stopped', False),
        ('after "the flood" no boots are left inside', "no boots are left inside", False),
        ("no dogs on the lawn", "no dogs on the lawn", False),
    ],
)
def test_what_stands_in_quotation_marks_is_not_said(text: str, clause: str, expected: bool) -> None:
    start = text.index(clause)
    assert is_quoted(text, 0, start, start + len(clause)) is expected


def test_a_quotation_of_the_sentence_before_is_over() -> None:
    text = 'He wrote "stop. No dogs on the lawn'
    assert not is_quoted(text, text.index("No"), text.index("No"), len(text))


@pytest.mark.parametrize("unit", ['"', '" ', "a ", ", a", "-"])
def test_a_hostile_text_takes_little_time(unit: str) -> None:
    text = (unit * 20_000)[:20_000]
    with little_work():
        for at in range(0, 20_000, 20):
            reports(text, at, 20_000)
            is_quoted(text, 0, at, min(at + 20, 20_000))
