"""Finds of a grep, page by page: what was found, where it ended, and the cursor to continue."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, cast, get_args

from graphmem.errors import InvalidCursor
from graphmem.model.stored import GrepPlace
from graphmem.rules.keeping.paging import decode_cursor, encode_cursor
from graphmem.rules.recall.grep import Met

Level = Literal["all", "content", "most"]
"""How much of a pattern is required: all its terms, all but stop words, or as many as possible."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
END_OF_TIME: GrepPlace = ((datetime.max.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1), "\U0010ffff")


@dataclass(frozen=True, slots=True)
class Found:
    """A text that matches the pattern."""

    place: GrepPlace
    met: Met
    text: str | None
    """None for a text too long to hold."""

    @property
    def by_score(self) -> tuple[float, int, str]:
        return (self.met.score, *self.place)


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in candidates. `stopped`: the last one before the time ran out; `passed_over`: a single one took
    too long."""

    found: list[Found]
    stopped: GrepPlace | None = None
    passed_over: bool = False

    @property
    def late(self) -> bool:
        return self.passed_over or self.stopped is not None

    def and_then(self, more: "Looked") -> "Looked":
        return Looked([*self.found, *more.found], more.stopped, self.passed_over or more.passed_over)

    def but(self, found: list[Found]) -> "Looked":
        """The same, with only these finds."""
        return replace(self, found=found)


@dataclass(frozen=True, slots=True)
class After:
    """Where a cursor continues: after this score, or, where it is None, after this place in time."""

    level: Level
    score: float | None
    place: GrepPlace


@dataclass(frozen=True, slots=True)
class Stretch:
    """A page of finds. `goes_on`: there are more after the last of them, or after `stopped`, where time ran out."""

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
    """The place where a cursor continues. Errors: InvalidCursor."""
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
