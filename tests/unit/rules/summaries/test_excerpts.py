"""Messages in a budget: in order, never empty-handed, and never more than was asked for."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidCursor
from graphmem.model.conversation import StoredMessage
from graphmem.rules.keeping.paging import MAX_PLACE, encode_cursor, moment, places
from graphmem.rules.language.text import count_tokens, fit_tokens
from graphmem.rules.summaries.excerpts import fit_said, planned

NOW = datetime(2026, 3, 4, tzinfo=UTC)
TEXT = st.text(st.sampled_from("ab .\n\t漢é👩\u200d1"), max_size=200) | st.sampled_from(["\n" * 3000, "x" * 3000, ""])


def message(ordinal: int, content: str, **carried: Any) -> StoredMessage:
    return StoredMessage(
        id=str(ordinal),
        message_id=str(ordinal),
        session_id="s",
        ordinal=ordinal,
        role="user",
        content=content,
        parts=carried.get("parts"),
        tool_calls=carried.get("tool_calls"),
        tool_call_id=None,
        name=None,
        metadata=carried.get("metadata"),
        created_at=NOW,
        ingested_at=NOW,
        content_chars=len(content),
        content_truncated=False,
        sha256="",
    )


@given(st.lists(TEXT, min_size=1, max_size=8), st.integers(64, 300))
def test_what_fits_is_a_beginning_of_what_was_said(texts: list[str], max_tokens: int) -> None:
    shown, used = fit_said([message(n, text) for n, text in enumerate(texts)], max_tokens)
    assert used <= max_tokens
    assert used == sum(count_tokens(one.content) for one in shown)
    assert [one.ordinal for one in shown] == list(range(len(shown)))
    assert shown
    for one, text in zip(shown[1:], texts[1:], strict=False):
        assert one.content == text
    first = shown[0]
    assert texts[0].startswith(first.content)
    assert first.content_truncated == (first.content != texts[0])
    assert first.content or not texts[0], "who goes on behind what was shown would stand still"


@given(TEXT.filter(bool), st.integers(2, 100))
def test_a_text_of_white_space_is_cut_to_something(text: str, max_tokens: int) -> None:
    cut = fit_tokens(text, max_tokens)
    assert cut
    assert text.startswith(cut)
    assert count_tokens(cut) <= max_tokens


def test_what_else_a_message_carries_is_counted_and_left_out_by_name() -> None:
    call = [{"function": {"name": "search", "arguments": "many words " * 200}}]
    ((shown,), used) = fit_said([message(0, "short", tool_calls=call, metadata={"k": "v"})], 64)
    assert (shown.content, shown.tool_calls, shown.metadata) == ("short", None, None)
    assert shown.omitted == ("toolCalls", "metadata")
    assert not shown.content_truncated
    assert used == count_tokens("short")
    ((kept,), used) = fit_said([message(0, "short", tool_calls=call)], 5000)
    assert kept.tool_calls == tuple(call)
    assert kept.omitted == ()
    assert used > 400


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ([{"type": "text", "text": "words"}], False),
        ([{"type": "text", "text": "words", "cache_control": {}}], True),
        ([{"type": "text", "text": "words"}, {"type": "image_url", "image_url": {"url": "u"}}], True),
    ],
)
def test_parts_that_only_repeat_the_words_are_not_said_twice(parts: list[Any], kept: bool) -> None:
    ((shown,), _) = fit_said([message(0, "words", parts=parts)], 64)
    assert (shown.parts is not None) == kept
    assert shown.omitted == ()


@given(st.lists(st.integers(0, 100), max_size=30), st.integers(1, 300))
def test_enough_is_read_and_not_much_more(tokens: list[int], max_tokens: int) -> None:
    count = planned(tokens, max_tokens)
    assert count == len(tokens) or sum(tokens[:count]) > max_tokens
    assert sum(tokens[: count - 1]) <= max_tokens


@given(st.lists(st.integers(0, MAX_PLACE - 1), min_size=1, max_size=3))
def test_places_come_back(numbers: list[int]) -> None:
    assert places(encode_cursor(*map(str, numbers)), len(numbers)) == numbers


@pytest.mark.parametrize("value", ["-1", str(MAX_PLACE), "1.5", "", "x", "9" * 5000])
def test_a_place_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(InvalidCursor):
        places(encode_cursor(value), 1)


def test_a_list_begins_at_its_beginning() -> None:
    assert places(None, 2) == [0, 0]
    assert moment(None) is None
    assert moment(encode_cursor(NOW.isoformat(), "a")) == (NOW, "a")
