"""Finds of a grep, page by page: what was found, where it ended, and the cursor that goes on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, cast, get_args

from graphmem.errors import InvalidCursor
from graphmem.model.stored import GrepPlace
from graphmem.rules.keeping.paging import decode_cursor, encode_cursor
from graphmem.rules.recall.grep import Met

Level = Literal["all", "content", "most"]
"""How much of a pattern is asked for: all its terms, all but stop words, or as many as there are."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
END_OF_TIME: GrepPlace = ((datetime.max.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1), "\U0010ffff")


@dataclass(frozen=True, slots=True)
class Found:
    """A text that meets the pattern."""

    place: GrepPlace
    met: Met
    text: str | None
    """None for a text too long to be kept."""

    @property
    def by_score(self) -> tuple[float, int, str]:
        return (self.met.score, *self.place)


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in candidates. `stopped`: the last that there was time for, where it was not enough for all;
    `passed_over`: one alone took too long."""

    found: list[Found]
    stopped: GrepPlace | None = None
    passed_over: bool = False

    @property
    def late(self) -> bool:
        return self.passed_over or self.stopped is not None

    def and_then(self, more: "Looked") -> "Looked":
        return Looked([*self.found, *more.found], more.stopped, self.passed_over or more.passed_over)

    def but(self, found: list[Found]) -> "Looked":
        """The same, of which only these count."""
        return replace(self, found=found)


@dataclass(frozen=True, slots=True)
class After:
    """Where a cursor goes on: behind this score, or, where it is None, behind this place in time."""

    level: Level
    score: float | None
    place: GrepPlace


@dataclass(frozen=True, slots=True)
class Stretch:
    """A page of finds. `goes_on`: there are more behind the last of them, or behind `stopped`, where time ran out."""

    found: Sequence[Found] = ()
    by_score: bool = False
    goes_on: bool = False
    stopped: GrepPlace | None = None
    late: bool = False


def cursor_of(level: Level, page: Stretch) -> str | None:
    """Where the next page begins; None where this is the last."""
    place, score = page.stopped, ""
    if page.goes_on:
        place, score = page.found[-1].place, repr(page.found[-1].met.score) if page.by_score else ""
    return encode_cursor(level, score, str(place[0]), place[1]) if place else None


def after(cursor: str | None) -> After | None:
    """Where a cursor goes on. Errors: InvalidCursor."""
    if cursor is None:
        return None
    level, score, at_us, id_ = decode_cursor(cursor, 4)
    try:
        place = After(cast(Level, level), float(score) if score else None, (int(at_us), id_))
        EPOCH + timedelta(microseconds=place.place[0])
    except (ValueError, OverflowError):
        place = None
    if place is None or level not in get_args(Level):
        raise InvalidCursor("The cursor is damaged. Use nextCursor as it was given, or leave it out.")
    return place
