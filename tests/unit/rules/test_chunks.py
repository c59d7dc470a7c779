"""Chunks: bounded by messages and tokens, and never empty."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.chunks import ChunkBounds, chunks, first_chunk
from graphmem.rules.text import count_tokens


def test_a_chunk_ends_before_the_message_that_is_too_much() -> None:
    texts = ["word " * 40] * 3
    assert first_chunk(texts, ChunkBounds(messages=8, tokens=2 * count_tokens(texts[0]))) == 2
    assert first_chunk(texts, ChunkBounds(messages=1, tokens=1000)) == 1
    assert first_chunk(texts, ChunkBounds(messages=8, tokens=1)) == 1, "a longer message still goes"


@given(st.lists(st.text(max_size=200), max_size=30), st.integers(1, 9), st.integers(1, 100))
def test_chunks_take_every_text_once_and_stay_within_their_bounds(texts: list[str], most: int, tokens: int) -> None:
    sizes = list(chunks(texts, ChunkBounds(most, tokens)))
    assert sum(sizes) == len(texts)
    start = 0
    for size in sizes:
        assert 1 <= size <= most
        assert size == 1 or sum(map(count_tokens, texts[start : start + size])) <= tokens
        start += size
