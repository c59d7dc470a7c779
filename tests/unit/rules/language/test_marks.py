from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.marks import Marks

PIECES = st.text("abc ", min_size=1, max_size=5)


@given(st.lists(st.lists(PIECES, max_size=3), max_size=6), st.text("abc ", max_size=30))
def test_marks_are_found_as_by_a_look_for_each(groups: list[list[str]], text: str) -> None:
    assert Marks(groups).found(text) == [
        place for place, marks in enumerate(groups) if any(mark in text for mark in marks)
    ]
