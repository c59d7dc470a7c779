"""What is known of a dependency when its confidence is computed, and the result."""

from dataclasses import dataclass
from datetime import datetime

CONFIRMATION = 0.5
"""The share of the remaining doubt that each source beyond the second removes."""
CONTRADICTION = 0.3
"""The share of the confidence that each contradiction removes."""


@dataclass(frozen=True, slots=True)
class Vitality:
    """How much confidences change, `CONFIRMATION` and `CONTRADICTION` by default. `half_life_days`: the time in which a
    dependency that nobody confirms or uses loses half, 0: never. Without `enabled`, every confidence stays as given."""

    enabled: bool = True
    confirmation: float = CONFIRMATION
    contradiction: float = CONTRADICTION
    half_life_days: float = 730.0


@dataclass(frozen=True, slots=True)
class EdgeStanding:
    """An active dependency. `given` and `living`: the given confidence and the computed one, as recorded at the last
    change; both None where it never changed. `sources`: how many speakers in how many sessions state it, plus
    statements of no session. `single`: the most that one of them gives it, None where it is not from talk.
    `contradictions` came after `said_at`, when it was last stated. `used_at`: when it last got good feedback."""

    id: str
    confidence: float
    given: float | None
    living: float | None
    pinned: bool
    by_code: bool
    sources: int
    contradictions: int
    said_at: datetime
    used_at: datetime | None
    single: float | None = None


@dataclass(frozen=True, slots=True)
class SettledEdge:
    """A dependency with its new confidence. `given` is None where that is the given one."""

    id: str
    before: float
    after: float
    given: float | None
    reason: str
