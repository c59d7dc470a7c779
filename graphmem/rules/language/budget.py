"""Fitting lines into a token budget."""

from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.rules.language.text import LONGEST_PIECE, count_tokens, fit_tokens


@dataclass(frozen=True, slots=True)
class Fitted:
    """The texts that fit, in order, and their tokens in all. `truncated` when any was cut or left out."""

    texts: tuple[str, ...]
    used_tokens: int
    truncated: bool


def fit(texts: Iterable[str], max_tokens: int) -> Fitted:
    """Whole texts from the first on while they fit; a first one that does not fit is cut at a sentence.

    >>> fit(["one two three", "four"], 3)
    Fitted(texts=('one two three',), used_tokens=3, truncated=True)
    """
    kept: list[str] = []
    used = 0
    truncated = False
    for text in texts:
        # A long text is counted only far enough to show that it does not fit.
        cost = count_tokens(text[: LONGEST_PIECE * (max_tokens - used) + 1])
        if used + cost <= max_tokens:
            kept.append(text)
            used += cost
            continue
        truncated = True
        if not kept and (head := fit_tokens(text, max_tokens)):
            kept.append(head)
            used += count_tokens(head)
        break
    return Fitted(tuple(kept), used, truncated)
