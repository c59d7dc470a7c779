"""The lines of a tool result as a terminal shows them, each with its place in the result."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from graphmem.model.printed import ResultLine

MOST_CHARS = 4_000_000
"""Longest result that is read; of a longer one the end, where verdicts stand."""
LINE_CHARS = 2_000
"""Longest line that is read; of a longer one the beginning."""
SHOWN_CHARS = 240
"""Most characters of a quoted line."""
_ANSI = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_=>])|\x08")
_STAMP = re.compile(r"(?:[\w.-]{1,40}[ \t]{1,4}\|[ \t]|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z[ \t]?)")
"""What runners of jobs and containers put before each line of a program."""
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """The visible text of a line, and its place in the result without the line end."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Printed:
    """A tool result by its lines."""

    lines: tuple[PrintedLine, ...]
    tool: str = ""
    known: dict[str, list[Any]] = field(default_factory=dict, compare=False, repr=False)
    """What was found in it already, by table of formats."""

    @cached_property
    def text(self) -> str:
        """All lines as they are seen, joined by line ends."""
        return "\n".join(line.text for line in self.lines)

    @cached_property
    def filled(self) -> list[PrintedLine]:
        """The lines that are not blank."""
        return [line for line in self.lines if line.text.strip()]

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for line in self.lines:
            starts.append(at)
            at += len(line.text) + 1
        return starts

    def number_at(self, at: int) -> int:
        """The number of the line at a place of `text`."""
        return max(bisect_right(self._starts, at) - 1, 0)

    def line_at(self, at: int) -> PrintedLine:
        return self.lines[self.number_at(at)]

    def has(self, cue: str) -> bool:
        return cue in self.text


def read_lines(result: str, tool: str = "") -> Printed:
    """The lines of a result without colours, without what later output of the same line replaced, and without what a
    runner put before each.

    >>> [line.text for line in read_lines("\\x1b[31mFAILED\\x1b[0m a\\r\\n10 %\\r100 %").lines]
    ['FAILED a', '100 %']
    """
    found = list(_lines(result))
    stamped = [line for line in found if _STAMP.match(line.text)]
    if len(stamped) > 2 and len(stamped) >= _MOSTLY * sum(bool(line.text.strip()) for line in found):
        found = [PrintedLine(_STAMP.sub("", line.text, count=1), line.start, line.end) for line in found]
    return Printed(tuple(found), tool)


def _lines(result: str) -> Iterator[PrintedLine]:
    at = max(0, len(result) - MOST_CHARS)
    coloured = "\x1b" in result or "\x08" in result
    while at <= len(result):
        stop = result.find("\n", at)
        stop = len(result) if stop < 0 else stop
        # The end of a line that a carriage return wrote over and over is what is seen.
        first = max(at, stop - 8 * LINE_CHARS) if "\r" in result[at : min(stop, at + 8 * LINE_CHARS)] else at
        text = result[first : min(stop, first + 8 * LINE_CHARS)]
        if coloured:
            text = _ANSI.sub("", text)
        if "\r" in text:
            text = text.rstrip("\r").rpartition("\r")[2]
        yield PrintedLine(text[:LINE_CHARS].rstrip(), at, stop)
        at = stop + 1


def quoted(text: str) -> str:
    """A quotation on one line, its beginning where it is long.

    >>> quoted("a\\n  b")
    'a b'
    """
    said = " ".join(text.split())
    if len(said) <= SHOWN_CHARS:
        return said
    return f"{said[:SHOWN_CHARS].rpartition(' ')[0] or said[:SHOWN_CHARS]} [...]"


def about(label: str, text: str, lines: Iterable[PrintedLine], place: str = "") -> ResultLine:
    """A line about these lines of the result, of which there is at least one."""
    told = list(lines)
    return ResultLine(label, quoted(text), min(one.start for one in told), max(one.end for one in told), place)


def counted(number: int, one: str, many: str = "") -> str:
    """
    >>> counted(1, "error"), counted(2, "error"), counted(2, "match", "matches")
    ('1 error', '2 errors', '2 matches')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str], most: int) -> str:
    """The first names, and how many more there are.

    >>> listed(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    known = list(dict.fromkeys(names))
    shown = ", ".join(known[:most])
    return shown if len(known) <= most else f"{shown} and {len(known) - most} more"
