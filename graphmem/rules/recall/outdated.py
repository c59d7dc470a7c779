"""Marks which places of a found text no longer hold, and withholds what a person deleted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from graphmem.model.knowledge import OutdatedPart
from graphmem.model.stored import FactFate, FoundText, StatementSpan

WITHHELD = "[deleted]"
"""What stands in place of words that a person deleted."""
SUPERSEDED = " (superseded)"
"""What stands behind words that no longer hold, where a text is all that is shown."""
FEW = 3
"""Fewest words outside of outdated places for a text to say something else."""
_MARK = 1
"""A text may be longer by the mark at its end than one that a place was measured in."""
_APART = 2
"""Fewest words of a place that are outdated though others in it hold."""
_WORD = re.compile(r"\w+")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    fate: Literal["holds", "outdated", "deleted"]
    since: datetime | None = None
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without what a person deleted. `outdated` are the places in it that no longer hold; `alone`: it says
    nothing else; `empty`: nothing is left of it."""

    text: str
    outdated: tuple[OutdatedPart, ...] = ()

    @property
    def alone(self) -> bool:
        return bool(self.outdated) and len(_WORD.findall(_without(self.text, self.outdated))) < FEW

    @property
    def empty(self) -> bool:
        return not _WORD.search(self.text.replace(WITHHELD, ""))


def mark(text: str, said: Sequence[StatementSpan], *, in_other_words: bool = False) -> Marked:
    """A text with its outdated places, by the statements in it. Words that also state something valid are left as they
    are; a text in other words than its statements is outdated as a whole where one of them is."""
    places = list(_places(text, said, in_other_words=in_other_words))
    text, places = _withhold(text, places)
    return Marked(text, tuple(_outdated(text, places)))


def outdated_in(
    text: str, said: Sequence[StatementSpan], *, offset: int = 0, in_other_words: bool = False
) -> tuple[OutdatedPart, ...]:
    """The outdated places in a text that begins at `offset` of the one that its statements are placed in."""
    whole = " " * offset + text
    found = _outdated(whole, list(_places(whole, said, in_other_words=in_other_words)))
    return tuple(_moved(part, -offset) for part in found if part.start >= offset)


def marked(found: FoundText) -> FoundText | None:
    """A found text, marked; superseded as a whole where nothing in it holds. None where all of it was deleted, unless
    what is cold was asked for, and this is."""
    if not found.said or found.status in ("cold", "deleted"):
        return found
    read = mark(found.text, found.said, in_other_words=found.in_other_words)
    if read.empty:
        return None
    if not read.alone:
        status = "active" if found.status == "superseded" else found.status
        return replace(
            found, text=read.text, outdated=read.outdated, status=status, superseded_by=None, successors=frozenset()
        )
    instead = [part.replaced_by for part in read.outdated if part.replaced_by]
    return replace(
        found,
        text=read.text,
        outdated=read.outdated,
        status="superseded",
        superseded_by=found.superseded_by or (instead[-1] if instead else None),
        successors=found.successors or frozenset(instead),
    )


def shown_as_outdated(read: Marked) -> Marked:
    """The same with `SUPERSEDED` behind each outdated place, for a reader who gets the text alone.

    >>> part = OutdatedPart(start=0, end=16, since=None, replaced_by=None)
    >>> shown_as_outdated(Marked("I live in Leeds. I have a cat.", (part,))).text
    'I live in Leeds. (superseded) I have a cat.'
    """
    text, outdated = read.text, list[OutdatedPart]()
    for part in reversed(read.outdated):
        text = text[: part.end] + SUPERSEDED + text[part.end :]
        behind = [_moved(one, len(SUPERSEDED)) for one in outdated]
        outdated = [part.model_copy(update={"end": part.end + len(SUPERSEDED)}), *behind]
    return Marked(text, tuple(outdated))


def _moved(part: OutdatedPart, by: int) -> OutdatedPart:
    return part.model_copy(update={"start": part.start + by, "end": part.end + by})


def without_outdated(text: str, outdated: Sequence[OutdatedPart]) -> str:
    """What of a text still holds, for a reader who sees no marks.

    >>> part = OutdatedPart(start=0, end=16, since=None, replaced_by=None)
    >>> without_outdated("I live in Leeds. I have a cat.", [part])
    'I have a cat.'
    """
    lines = (line.strip() for line in _without(text, outdated).splitlines())
    return "\n".join(line for line in lines if _WORD.search(line))


def _places(text: str, said: Sequence[StatementSpan], *, in_other_words: bool) -> Iterator[_Place]:
    """Where each statement is, or each of its clauses that says a fact of its own, and whether that still holds."""
    for one in said:
        spans = [(one.start, one.end)] if one.start is not None and one.end is not None else []
        if one.words:
            spans = list(_occurrences(one.words, text))
            if not spans and in_other_words and _fate(one.facts)[0] != "holds":
                spans = [(0, len(text))]
        for start, end in spans:
            if 0 <= start < end <= len(text):
                for (first, last), facts in _clauses(one.facts, end - start).items():
                    yield _Place(start + first, min(start + last, end), *_fate(facts))


def _clauses(facts: Iterable[FactFate], length: int) -> dict[Span, list[FactFate]]:
    """The facts of a statement by the part of it that says them, where it stands as a text of this length."""
    found: dict[Span, list[FactFate]] = {(0, length): []}
    for fact in facts:
        there = (place[:2] for place in fact.places if abs(place[2] - length) <= _MARK)
        found.setdefault(next(there, (0, length)), []).append(fact)
    if len(found) > 1 and not found[0, length]:
        del found[0, length]
    return found


def _fate(facts: Sequence[FactFate]) -> tuple[Literal["holds", "outdated", "deleted"], datetime | None, str | None]:
    """Whether words hold: while one of their facts does, and while no fact was drawn from them. What retention put away
    neither ended nor was deleted."""
    statuses = {fact.status for fact in facts}
    if not statuses or statuses & {"active", "cold"}:
        return "holds", None, None
    if "deleted" in statuses:
        return "deleted", max((fact.deleted for fact in facts if fact.deleted), default=None), None
    since = max((fact.ended for fact in facts if fact.ended), default=None)
    return "outdated", since, next((fact.replaced_by for fact in facts if fact.replaced_by), None)


def _occurrences(words: str, text: str) -> Iterator[Span]:
    """Where words stand in a text, apart from case and the mark at their end."""
    wanted = words.strip().rstrip(".!")
    if not wanted:
        return
    for found in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)[.!]?", text, re.IGNORECASE):
        yield found.span()


def _withhold(text: str, places: Sequence[_Place]) -> tuple[str, list[_Place]]:
    """The text without the deleted places, and where the others are in it."""
    holds = [place for place in places if place.fate == "holds"]
    going = _joined((one.start, one.end) for one in places if one.fate == "deleted" and not _overlaps(one, holds))
    kept = [place for place in places if place.fate != "deleted"]
    for start, end in reversed(going):
        text = text[:start] + WITHHELD + text[end:]
        moved = start + len(WITHHELD) - end
        kept = [
            replace(one, start=one.start + moved, end=one.end + moved) if one.start >= end else one
            for one in kept
            if one.end <= start or one.start >= end
        ]
    return text, kept


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _outdated(text: str, places: Sequence[_Place]) -> Iterator[OutdatedPart]:
    """The outdated places in order, those that touch as one, without what states something valid too."""
    holds = [place for place in places if place.fate == "holds"]
    ended = [part for place in places if place.fate == "outdated" for part in _apart(text, place, holds)]
    ended.sort(key=lambda place: (place.start, place.end))
    while ended:
        first = ended.pop(0)
        while ended and ended[0].start < first.end:
            following = ended.pop(0)
            first = replace(
                first, end=max(first.end, following.end), replaced_by=first.replaced_by or following.replaced_by
            )
        yield OutdatedPart(start=first.start, end=first.end, since=first.since, replaced_by=first.replaced_by)


def _apart(text: str, place: _Place, others: Iterable[_Place]) -> Iterator[_Place]:
    """What of a place is in no other one, but for single words between them."""
    near = sorted((one.start, one.end) for one in others if _overlaps(place, [one]))
    if not near:
        yield place
        return
    edges = [place.start, *(at for one in _joined(near) for at in one), place.end]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if len(_WORD.findall(text, start, max(start, end))) >= _APART:
            start += len(text[start:end]) - len(text[start:end].lstrip())
            yield replace(place, start=start, end=start + len(text[start:end].rstrip()))


def _overlaps(place: _Place, others: Iterable[_Place]) -> bool:
    return any(place.start < other.end and other.start < place.end for other in others)


def _without(text: str, outdated: Sequence[OutdatedPart]) -> str:
    for part in sorted(outdated, key=lambda one: -one.start):
        text = text[: part.start] + text[part.end :]
    return text
