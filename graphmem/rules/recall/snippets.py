"""Snippets: the part of a text around a find, as written."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import regex

from graphmem.rules.language.folding import fold_marks

AROUND = 100
"""Most characters shown before and after a find."""
MAX_SHOWN = 200
"""Characters shown of a find that is longer."""
CUT = "…"
_WINDOW, _OVERLAP = 8_192, 1_024
_CLUSTER = regex.compile(r"\X")


class Sought(Protocol):
    """Something to find in a folded text."""

    def span(self, folded: str) -> tuple[int, int] | None: ...


def snippet(text: str, wanted: Sequence[Sought]) -> str:
    """The part that shows most of what is wanted, on one line for each of the text's; `…` marks cuts.

    >>> class Word(str):
    ...     def span(self, folded): return (at := folded.find(self), at + len(self)) if self in folded else None
    >>> snippet("x " * 200 + "the Port is 8443", [Word("port")])[-20:]
    'x x the Port is 8443'
    """
    spans = sorted(span for one in wanted if (span := place(text, one)))
    if not spans:
        return around(text, 0, 0)
    best = max(range(len(spans)), key=lambda first: (len(_within(spans, first)), -first))
    shown = _within(spans, best)
    return around(text, shown[0][0], max(end for _, end in shown))


def around(text: str, start: int, end: int) -> str:
    """The text at [start, end) with some words before and after it."""
    end = min(end, start + MAX_SHOWN)
    left, right = max(0, start - AROUND), min(len(text), end + AROUND)
    if left > 0:  # begin and end with a whole word, where there is one
        left = text.find(" ", left, start) + 1 or left
    if right < len(text):
        right = max(text.rfind(" ", end, right), end) if " " in text[end:right] else right
    return f"{CUT if left > 0 else ''}{text[left:right]}{CUT if right < len(text) else ''}"


def place(text: str, wanted: Sought) -> tuple[int, int] | None:
    """The place in the original text of something found in its folded form."""
    if text.isascii():
        return wanted.span(text.lower())
    for start in range(0, len(text), _WINDOW - _OVERLAP):
        window = text[start : start + _WINDOW]
        found = wanted.span(fold_marks(window))
        if found:
            first, last = _origin(window, found)
            return start + first, start + last
    return None


def _within(spans: Sequence[tuple[int, int]], first: int) -> list[tuple[int, int]]:
    """The spans that a snippet beginning with one of them has room for."""
    begin = spans[first][0]
    return [spans[first], *(span for span in spans[first + 1 :] if span[1] - begin <= MAX_SHOWN)]


def _origin(window: str, found: tuple[int, int]) -> tuple[int, int]:
    """The characters of a text that became a part of its folded form."""
    starts = ends = None
    for at, end, folded_end in _clusters(window):
        if starts is None and folded_end > found[0]:
            starts = at
        if folded_end >= found[1]:
            ends = end
            break
    return starts or 0, len(window) if ends is None else ends


def _clusters(window: str) -> Iterator[tuple[int, int, int]]:
    """Start and end of each character with its marks, and where its folded form ends."""
    folded_end = 0
    for cluster in _CLUSTER.finditer(window):
        folded_end += len(fold_marks(cluster[0]))
        yield cluster.start(), cluster.end(), folded_end
