"""What somebody who comes back to a conversation has to know, in at most so many tokens, every line with its source.

Lines are made first, section by section (`rules/summaries/recap_quest.py`, `rules/summaries/recap_chat.py`); here they
are fitted into the budget, sections in the order of what matters most, and put in the order in which they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.rules.language.text import count_tokens, fit_tokens

RECAPPER = "recap-1"
"""Names what these rules tell of a conversation. Raise the number when they tell something else of the same."""
SHARE = 32
"""A recap takes at most this part of what it tells again, unless that is less than `FLOOR`."""
FLOOR_TOKENS = 1_000
LEAST_TOKENS = 400
"""What even the recap of a short session may take."""
LEAST_CUT = 12
"""Fewer tokens than that say nothing: such a beginning of a line is left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line and the places of the turns it is taken from, of which there is one at least."""

    text: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a title, those that matter most first; read in the order of their turns where `in_time` says so.

    Sections get their tokens by `rank`, 0 first: each its first `least` lines, and then each up to `most`.
    """

    title: str
    rank: int
    lines: tuple[Line, ...]
    least: int = 0
    most: int = 100
    in_time: bool = False


@dataclass(frozen=True, slots=True)
class Fitted:
    """The text of a recap and the places of the turns it cites, in the order of the text."""

    text: str
    places: tuple[int, ...]
    left_out: bool
    """Whether there was a line that did not fit."""


def budget(max_tokens: int, tokens_before: int) -> int:
    """How long a recap may get: never above `max_tokens`, and short beside what it tells again.

    >>> budget(4000, 120_000), budget(4000, 8_000), budget(4000, 600), budget(64, 8_000)
    (3750, 1000, 400, 64)
    """
    return min(max_tokens, max(LEAST_TOKENS, min(FLOOR_TOKENS, tokens_before // 2), tokens_before // SHARE))


def fit(sections: Sequence[Section], refs: Mapping[int, str], max_tokens: int) -> Fitted:
    """The lines that fit, under their titles, each with its sources behind it in brackets.

    A line is told once, in the section that comes first. The very first line is cut where it alone is too long.

    >>> fit([Section("Now", 0, (Line("We use Redis.", (3,)),))], {3: "m3"}, 64).text
    '## Now\\n- We use Redis. [m3]'
    """
    fitting = _Fitting(refs, max_tokens)
    by_rank = sorted(range(len(sections)), key=lambda number: sections[number].rank)
    for number in by_rank:
        fitting.fill(number, sections[number], sections[number].least)
    for number in by_rank:
        fitting.fill(number, sections[number], sections[number].most)
    text, places = _composed(sections, fitting.kept, refs)
    return Fitted(text, places, fitting.left_out)


class _Fitting:
    def __init__(self, refs: Mapping[int, str], max_tokens: int) -> None:
        self.kept: dict[int, list[Line]] = {}
        self.left_out = False
        self._refs = refs
        self._left = max_tokens
        self._told: set[str] = set()

    def fill(self, number: int, section: Section, most: int) -> None:
        """Keep lines of a section until it has so many, or no more fit."""
        kept = self.kept.get(number, [])
        for line in section.lines:
            if len(kept) >= most:
                break
            if line.text not in self._told:
                self._keep(line, section, kept)
        if kept:
            self.kept[number] = kept

    def _keep(self, line: Line, section: Section, kept: list[Line]) -> None:
        title = 0 if kept else count_tokens(f"## {section.title}\n")
        cost = title + self._cost(line)
        if cost > self._left and not self._told:
            line = _cut(line, self._refs, self._left - title)
            cost = title + self._cost(line)
        if cost > self._left or not line.text:
            self.left_out = True
            return
        self._left -= cost
        self._told.add(line.text)
        kept.append(line)

    def _cost(self, line: Line) -> int:
        """Tokens; of texts put together never more than of each by itself."""
        return count_tokens(f"{_written(line, self._refs)}\n")


def _composed(
    sections: Sequence[Section], kept: Mapping[int, Sequence[Line]], refs: Mapping[int, str]
) -> tuple[str, tuple[int, ...]]:
    written: list[str] = []
    places: dict[int, None] = {}
    for number in sorted(kept):
        written.append(f"## {sections[number].title}")
        lines = kept[number]
        for line in sorted(lines, key=lambda line: line.places[0]) if sections[number].in_time else lines:
            written.append(_written(line, refs))
            places |= dict.fromkeys(line.places)
    return "\n".join(written), tuple(places)


def _written(line: Line, refs: Mapping[int, str]) -> str:
    return f"- {line.text} [{' '.join(refs[place] for place in line.places)}]"


def _cut(line: Line, refs: Mapping[int, str], tokens: int) -> Line:
    room = tokens - count_tokens(_written(Line("", line.places[:1]), refs)) - 2
    return Line(fit_tokens(line.text, room) if room >= LEAST_CUT else "", line.places[:1])
