"""Chunks: bounded by messages and tokens, and never empty."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.extraction.chunks import ChunkBounds, first_chunk
from graphmem.rules.language.text import count_tokens


def test_a_chunk_ends_before_the_message_that_is_too_much() -> None:
    texts = ["word " * 40] * 3
    assert first_chunk(texts, ChunkBounds(messages=8, tokens=2 * count_tokens(texts[0]))) == 2
    assert first_chunk(texts, ChunkBounds(messages=1, tokens=1000)) == 1
    assert first_chunk(texts, ChunkBounds(messages=8, tokens=1)) == 1, "a longer message still goes"


@given(st.lists(st.text(max_size=200), max_size=30), st.integers(1, 9), st.integers(1, 100))
def test_a_chunk_stays_within_its_bounds_and_goes_on_as_long_as_it_may(
    texts: list[str], most: int, tokens: int
) -> None:
    size = first_chunk(texts, ChunkBounds(most, tokens))
    assert min(1, len(texts)) <= size <= most
    assert size <= 1 or sum(map(count_tokens, texts[:size])) <= tokens
    assert size in (len(texts), most) or sum(map(count_tokens, texts[: size + 1])) > tokens
