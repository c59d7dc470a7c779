"""Chunks: how many messages extraction reads in one go."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.rules.language.text import count_tokens


@dataclass(frozen=True, slots=True)
class ChunkBounds:
    """The most messages and tokens of one chunk; a single message that is longer still goes."""

    messages: int
    tokens: int


def first_chunk(texts: Sequence[str], bounds: ChunkBounds) -> int:
    """How many of the texts, from the first on, are read together: at least one of some.

    >>> first_chunk(["one", "two", "three"], ChunkBounds(messages=2, tokens=100))
    2
    """
    tokens = 0
    for number, text in enumerate(texts[: bounds.messages]):
        tokens += count_tokens(text)
        if number and tokens > bounds.tokens:
            return number
    return min(len(texts), bounds.messages)
