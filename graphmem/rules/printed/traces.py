"""Errors and where they happened: traces of programs, in any of the usual languages."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from graphmem.model.printed import ToolReading
from graphmem.rules.printed.formats import group, matches, word_kinds
from graphmem.rules.printed.lines import Printed, about

_NEAR = 60
"""Lines between an error and its place."""
MOST_ERRORS = 50
"""Most errors of a result that are looked at: the first ones."""
_MOST_TOLD = 6
"""Lines after an error in which it says what was expected."""
_EXPECTED = (
    "expected",
    "received",
    "actual",
    "got",
    "want",
    "left",
    "right",
    "+ expected",
    "- actual",
    "value of",
    "which is",
    "error:",
    "but was",
    "to be equal",
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in code. `own`: not of a language, nor of something that was installed."""

    number: int
    place: str
    own: bool


@dataclass(frozen=True, slots=True)
class FoundError:
    """An error: its lines, first to last, its message, and its place, '' where that is not printed."""

    number: int
    last: int
    text: str
    place: str


def frames(printed: Printed) -> list[Frame]:
    """The frames of all traces, in order."""
    found: dict[int, Frame] = {}
    for number, match, _ in matches(printed, "frame"):
        file, name = group(match, "file"), group(match, "name")
        found.setdefault(number, Frame(number, f"{file}:{group(match, 'line')}", is_own(file, name)))
    return [found[number] for number in sorted(found)]


def is_own(file: str, name: str = "") -> bool:
    """Whether a file, or a function in it by its full name, is of the project that is run.

    >>> is_own("src/app.py"), is_own("/venv/site-packages/x.py"), is_own("Assert.java", "org.junit.Assert")
    (True, False, False)
    """
    path = file.replace("\\", "/")
    paths, packages = _vendor()
    return not any(part in f"/{path}" or path.startswith(part) for part in paths) and not name.startswith(packages)


def errors(printed: Printed) -> list[FoundError]:
    """The messages of errors with their places, in order; one for each line."""
    known = frames(printed)
    by_line = {number: match for number, match, _ in reversed(matches(printed, "error"))}
    found = (_error(printed, number, by_line[number], known) for number in sorted(by_line)[:MOST_ERRORS])
    return [one for one in found if one.text]


def _error(printed: Printed, number: int, match: re.Match[str], known: Sequence[Frame]) -> FoundError:
    last = number
    told = list(filter(None, [group(match, "error")]))
    for following in range(number + 1, min(number + 1 + _MOST_TOLD, len(printed.lines))):
        said = printed.lines[following].text.strip().removeprefix("E ").strip()
        if said and (not told or said.lower().startswith(_EXPECTED)):
            told.append(said)
            last = following
        elif said and len(told) > 1:
            break
    return FoundError(number, last, " ".join(told), _place(match) or place_of(number, known))


def _place(match: re.Match[str]) -> str:
    file, line = group(match, "file"), group(match, "line")
    return f"{file}:{line}" if file and line else ""


def place_of(number: int, known: Sequence[Frame]) -> str:
    """The innermost own frame of the error in a line: the first one behind it, else the last one before it."""
    first, here, last = (bisect_left(known, at, key=_number) for at in (number - _NEAR, number, number + _NEAR + 1))
    before, after = known[first:here], known[here:last]
    # Where frames lead to the error, the next frames are of another one.
    leads = bool(before) and before[-1].number >= number - 4 and not (after and after[0].number <= number + 2)
    sides = [before[::-1], after] if leads else [after, before[::-1]]
    choices = [one for side in sides for one in side]
    own = [one for one in choices if one.own]
    return (own or choices)[0].place if choices else ""


def read_trace(printed: Printed) -> ToolReading | None:
    """A result that ends in the trace of an error; None where it has no error with frames."""
    known = frames(printed)
    if not known:
        return None
    error = next(_raised(printed, known), None)
    if error is None:
        return None
    line = about("Error", error.text, printed.lines[error.number : error.last + 1], error.place)
    return ToolReading("trace", "failed", (line,))


def _raised(printed: Printed, known: Sequence[Frame]) -> Iterator[FoundError]:
    """The errors beside frames, the last one first. An error has its frames behind or before it without a gap."""
    numbers = {one.number for one in known}
    blocks = _blocks(printed, known)
    for first, last in reversed(blocks):
        own = known[bisect_left(known, first, key=_number) : bisect_left(known, last + 1, key=_number)]
        header = printed.lines[first - 1].text.strip() if first else ""
        if header.startswith("Traceback (most recent call last)"):
            number = _after(printed, last, numbers)
            text = printed.lines[number].text.strip() if number is not None else ""
            if number is not None and text:
                yield FoundError(number, number, text, _innermost(own[::-1]))
            continue
        number = _before(printed, first)
        if number is not None:
            yield FoundError(number, number, _message(printed, number), _innermost(own))


def _innermost(inner_first: Sequence[Frame]) -> str:
    return next((one for one in inner_first if one.own), inner_first[0]).place if inner_first else ""


def _blocks(printed: Printed, known: Sequence[Frame]) -> list[tuple[int, int]]:
    """The stretches of frames, first and last line: with lines of code, or of functions, between them."""
    blocks: list[tuple[int, int]] = []
    for one in known:
        between = range(blocks[-1][1] + 1, one.number) if blocks else range(0)
        joined = blocks and len(between) <= 3 and all(_is_between(printed.lines[at].text) for at in between)
        if joined:
            blocks[-1] = (blocks[-1][0], one.number)
        else:
            blocks.append((one.number, one.number))
    return blocks


def _is_between(text: str) -> bool:
    """Whether a line stands between frames: indented code, a function of Go, what was left out."""
    said = text.strip()
    return (
        bool(said) and not said.startswith("Caused by") and (text[:1] in " \t" or said.endswith(")") or said == "...")
    )


def _after(printed: Printed, last: int, numbers: set[int]) -> int | None:
    """The line that names the error behind frames: the first that is not indented like them."""
    for number in range(last + 1, min(last + 1 + _NEAR, len(printed.lines))):
        text = printed.lines[number].text
        if number not in numbers and text.strip() and not text.startswith("    ") and text.strip("^~ "):
            return number
    return None


def _before(printed: Printed, first: int) -> int | None:
    """The line that names the error before frames: for Go and Rust some lines before them."""
    named = _messages(printed)
    for number in range(first - 1, max(-1, first - 12), -1):
        if number in named or "Caused by: " in printed.lines[number].text:
            return number
    return None


def _message(printed: Printed, number: int) -> str:
    if told := _messages(printed).get(number):
        return told
    said = printed.lines[number].text.strip().removeprefix("Caused by: ")
    following = printed.lines[number + 1].text.strip() if number + 1 < len(printed.lines) else ""
    return following if "panicked at" in said and following else said


def _messages(printed: Printed) -> dict[int, str]:
    return {number: group(match, "error") for number, match, _ in reversed(matches(printed, "error"))}


def _number(frame: Frame) -> int:
    return frame.number


@cache
def _vendor() -> tuple[tuple[str, ...], tuple[str, ...]]:
    kinds = word_kinds("vendor")
    return (
        tuple(word for word, kind in kinds.items() if kind == "paths"),
        tuple(word for word, kind in kinds.items() if kind == "packages"),
    )
