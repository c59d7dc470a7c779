"""Chooses between two statements: the one for now, over the indexes of active items, or the one for another time."""

from typing import Any

from graphmem.model.stored import Moment


def at(when: Moment, now: str, then: str) -> tuple[str, dict[str, Any]]:
    """The statement for a time, and its parameters: `now`, or `as_of` and `known_at`."""
    return (now, {"now": when.as_of}) if when.is_now else timeless(when, now, then)


def timeless(when: Moment, now: str, then: str) -> tuple[str, dict[str, Any]]:
    """As `at`, where the statement for now needs no time."""
    return (now, {}) if when.is_now else (then, {"as_of": when.as_of, "known_at": when.known_at})
