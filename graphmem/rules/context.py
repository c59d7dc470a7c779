"""Fitting lines into a token budget."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.rules.text import count_tokens, fit_tokens


@dataclass(frozen=True, slots=True)
class Fitted:
    """The texts that fit, in order, and their tokens in all. `truncated` when any was cut or left out."""

    texts: tuple[str, ...]
    used_tokens: int
    truncated: bool


def fit(texts: Iterable[str], max_tokens: int) -> Fitted:
    """Whole texts from the first on while they fit; a first one that does not fit is cut at a sentence.

    >>> fit(["one two three", "four"], 4)
    Fitted(texts=('one two three',), used_tokens=4, truncated=True)
    """
    kept: list[str] = []
    used = 0
    truncated = False
    for text in texts:
        cost = count_tokens(text)
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


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an expansion: what it says, and the ids that lead back to where it comes from."""

    section: str
    text: str
    ids: tuple[str, ...]

    def written(self) -> str:
        return f"- {self.text}" + (f" [{', '.join(self.ids)}]" if self.ids else "")


def compose(title: str, lines: Sequence[Line], max_tokens: int) -> tuple[str, int, int]:
    """A block of sections, the number of lines in it, and its tokens, which never exceed the budget. Lines come in
    order of worth."""
    count = 0
    text = title if count_tokens(title) <= max_tokens else ""
    section = ""
    for line in lines:
        heading = f"\n{line.section}" if line.section != section else ""
        longer = f"{text}{heading}\n{line.written()}"
        if count_tokens(longer) > max_tokens:
            break
        text, section = longer, line.section
        count += 1
    return text, count, count_tokens(text)
