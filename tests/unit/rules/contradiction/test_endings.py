"""What a statement says is over: the marks that are looked for before the patterns."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.contradiction.endings import GONE


@pytest.mark.parametrize(("marks", "pattern"), GONE)
@given(data=st.data())
def test_no_text_matches_without_one_of_its_marks(
    marks: tuple[str, ...], pattern: re.Pattern[str], data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(pattern))
    assert any(mark in text for mark in marks)
