"""Cursors: opaque, and never an error of ours."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidCursor
from graphmem.rules.keeping.paging import decode_cursor, encode_cursor

PARTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), min_size=1, max_size=4)


@given(PARTS)
def test_a_cursor_comes_back_as_its_parts(parts: list[str]) -> None:
    cursor = encode_cursor(*parts)
    assert decode_cursor(cursor, len(parts)) == parts
    assert cursor.isascii()
    assert not set(cursor) & set("+/=&?# ")


@given(PARTS)
def test_a_cursor_of_another_list_is_refused(parts: list[str]) -> None:
    with pytest.raises(InvalidCursor):
        decode_cursor(encode_cursor(*parts), len(parts) + 1)


@given(st.text(max_size=60), st.integers(1, 3))
def test_garbage_is_refused_and_never_crashes(cursor: str, count: int) -> None:
    try:
        parts = decode_cursor(cursor, count)
    except InvalidCursor:
        return
    assert len(parts) == count


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists), st.integers(1, 3))
def test_json_that_is_no_list_of_texts_is_refused(value: object, count: int) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    if isinstance(value, list) and len(value) == count and all(isinstance(one, str) for one in value):
        assert decode_cursor(cursor, count) == value
    else:
        with pytest.raises(InvalidCursor):
            decode_cursor(cursor, count)


@pytest.mark.parametrize(
    "value",
    [b"[" * 100_000, b'["\\ud800"]', b"\xff\xfe", b"[" + b"9" * 5000 + b"]", b'{"a": 1}', b""],
    ids=["deep", "surrogate", "no utf-8", "long number", "object", "empty"],
)
def test_what_a_crafted_cursor_holds_is_refused(value: bytes) -> None:
    with pytest.raises(InvalidCursor):
        decode_cursor(base64.urlsafe_b64encode(value).decode().rstrip("="), 1)
