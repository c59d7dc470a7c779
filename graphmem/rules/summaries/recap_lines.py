"""What somebody who returns to a conversation has to know, within a token budget, every line with its source.

Lines are built first, section by section (`rules/summaries/recap_sections.py`); here they are fitted
into the budget, the most important sections first, and put into reading order."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.rules.language.framing import cited, fit_line, one_line
from graphmem.rules.language.text import count_tokens

RECAPPER = "recap-6"
"""Names these rules. Raise the number when their output changes."""
SHARE = 32
"""The largest share of its source that a recap takes, unless that is less than `FLOOR`."""
FLOOR_TOKENS, LEAST_SHARE = 4_000, 3
LEAST_TOKENS = 400
"""The tokens that even the recap of a short session may take."""
LINE_TOKENS = 8
"""Tokens of a line beside its text."""
LEAST_CUT = 12
"""Least tokens of the beginning of a line: a shorter one is left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line and the places of its source turns, at least one. `role`: who said it, where the line shows that; `worth`:
    how much a reader would miss it, 0 to 1."""

    text: str
    places: tuple[int, ...]
    role: str | None = None
    worth: float = 0.0


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a title, the most important first; shown in the order of their turns if `in_time` is set.

    Sections get their tokens by `rank`, 0 first: each its first `least` lines, where there is room for `from_tokens` in
    all. The rest goes to the lines that are worth most, of any section, up to its `most`.
    """

    title: str
    rank: int
    lines: tuple[Line, ...]
    least: int = 0
    most: int = 100
    in_time: bool = False
    from_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Fitted:
    """The text of a recap and the places of the turns it cites, in the order of the text."""

    text: str
    places: tuple[int, ...]
    left_out: bool
    """Whether there was a line that did not fit."""


def budget(max_tokens: int, tokens_before: int) -> int:
    """The longest recap: never above `max_tokens`, and short compared with its source.

    >>> budget(4000, 120_000), budget(4000, 8_000), budget(4000, 600), budget(64, 8_000)
    (4000, 2666, 400, 64)
    """
    return min(max_tokens, max(LEAST_TOKENS, min(FLOOR_TOKENS, tokens_before // LEAST_SHARE), tokens_before // SHARE))


def fit(sections: Sequence[Section], refs: Mapping[int, str], max_tokens: int) -> Fitted:
    """The lines that fit, under their titles, each followed by its sources in brackets.

    A line appears once, in the first section that has it. The very first line is cut where it alone is too long.

    >>> fit([Section("Now", 0, (Line("We use Redis.", (3,)),))], {3: "m3"}, 64).text
    '## Now\\n- We use Redis. [m3]'
    """
    fitting = _Fitting(refs, max_tokens)
    by_rank = sorted(range(len(sections)), key=lambda number: sections[number].rank)
    for number in by_rank:
        if max_tokens >= sections[number].from_tokens:
            fitting.fill(number, sections[number], sections[number].least)
    rest = [(number, line) for number in by_rank for line in sections[number].lines]
    for number, line in sorted(
        rest, key=lambda one: -one[1].worth / math.sqrt(LINE_TOKENS + count_tokens(one[1].text))
    ):
        fitting.add(number, sections[number], line)
    text, places = _composed(sections, fitting.kept, refs)
    return Fitted(text, places, fitting.left_out)


class _Fitting:
    def __init__(self, refs: Mapping[int, str], max_tokens: int) -> None:
        self.kept: dict[int, list[Line]] = {}
        self.left_out = False
        self._refs = refs
        self._left = max_tokens
        self._told: list[str] = []

    def fill(self, number: int, section: Section, most: int) -> None:
        """Keep lines of a section until the limit is reached, or no more fit."""
        for line in section.lines:
            if len(self.kept.get(number, ())) >= most:
                break
            self.add(number, section, line)

    def add(self, number: int, section: Section, line: Line) -> None:
        """Keep a line of a section unless it is told already, does not fit or its section is full."""
        kept = self.kept.get(number, [])
        if len(kept) >= section.most or any(_repeats(line.text, told) for told in self._told):
            return
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
        self._told.append(line.text)
        kept.append(line)

    def _cost(self, line: Line) -> int:
        """The number of tokens; joined texts never have more than their sum."""
        return count_tokens(f"{_written(line, self._refs)}\n")


def _repeats(text: str, told: str) -> bool:
    """Whether a line stands already, also as one of the two sentences of another."""
    size = len(text)
    if len(told) <= size + 1:
        return told == text
    joined = (told[size] == " " and told.startswith(text)) or (told[-size - 1] == " " and told.endswith(text))
    return joined and not told.startswith("Status: ")


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
    said = f"{line.role}: " if line.role else ""
    return f"- {said}{one_line(line.text)} [{cited((refs[place] for place in line.places), ' ')}]"


def _cut(line: Line, refs: Mapping[int, str], tokens: int) -> Line:
    cut = replace(line, text="", places=line.places[:1])
    room = tokens - count_tokens(_written(cut, refs)) - 2
    return replace(cut, text=fit_line(line.text, room) if room >= LEAST_CUT else "")
