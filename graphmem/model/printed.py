"""What was read in the output of a tool."""

from dataclasses import dataclass, field
from typing import Literal

ResultKind = Literal["tests", "build", "trace", "diff", "search", "listing", "json", "log", "done", "other"]
"""The kinds of tool results; `done` only acknowledges, `other` is everything that has no form that is known."""
ResultVerdict = Literal["passed", "failed"]


FAILED_TESTS = "Failed tests"
"""The label of the names of tests that failed."""


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A line about a tool result. `label` is ours; `text` is quoted or counted from the place [start, end) of the
    result, in code points; `place` is a file with its line, '' where there is none."""

    label: str
    text: str
    start: int
    end: int
    place: str = ""

    @property
    def told(self) -> str:
        """The line as it is shown: its label, its text and its place."""
        return self.cut(len(self.text))

    def cut(self, most_chars: int) -> str:
        """The line with at most so many characters of its text; its label and its place stay.

        >>> ResultLine("First error", "KeyError: 'mast'", 0, 16, "ship.py:4").cut(9)
        'First error: KeyError: [...] (ship.py:4)'
        """
        text = self.text
        if len(text) > most_chars:
            text = f"{text[: most_chars + 1].rpartition(' ')[0]} [...]".strip() if most_chars else ""
        said = ": ".join(part for part in (self.label, text) if part)
        return f"{said} ({self.place})" if self.place else said


@dataclass(frozen=True, slots=True)
class ToolReading:
    """A tool result by its kind. `verdict` is None for one that judges nothing. `lines` are the most important first,
    the verdict before all others. A `routine` result says nothing that anybody who returns must know."""

    kind: ResultKind
    verdict: ResultVerdict | None
    lines: tuple[ResultLine, ...] = field(default=())
    routine: bool = False
