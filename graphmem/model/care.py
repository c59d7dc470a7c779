"""Sessions as operators see them, and what was done to them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session as a list shows it."""

    id: str
    project: str | None
    source: str
    messages: int
    next_ordinal: int
    started_at: datetime
    ended_at: datetime | None
    archived_at: datetime | None


@dataclass(frozen=True, slots=True)
class Frontier:
    """Where the replay of a session begins: at the message of ordinal `frontier`. Its messages were read, and learned
    from, up to `extracted_through`, exclusive."""

    source: str
    next_ordinal: int
    frontier: int
    extracted_through: int
    archived_at: datetime | None


@dataclass(frozen=True, slots=True)
class Rotation:
    """A frontier that moves, or `reason` why it does not. `uncovered` messages before it are in no summary: they are
    found and read, and no longer replayed."""

    session_id: str
    before: int
    frontier: int
    messages: int
    uncovered: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """Sessions that were, or would be, archived or restored, with what depends on them."""

    sessions: tuple[SessionLine, ...]
    messages: int
    memories: int


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Messages whose content was, or would be, moved to payload files, and how many characters leave the session."""

    session_id: str
    messages: int
    chars: int
    failed: int = 0
    """Messages that kept their content because a file could not be written."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair changed, and in `left` what it could not repair, one sentence each."""

    code: str
    changed: int
    left: tuple[str, ...] = ()
