"""What is known of a dependency when its confidence is looked at, and what becomes of it."""

from dataclasses import dataclass
from datetime import datetime

CONFIRMATION = 0.5
"""The share of the doubt left that each source beyond the second takes."""
CONTRADICTION = 0.3
"""The share of the confidence that each contradiction takes."""


@dataclass(frozen=True, slots=True)
class Vitality:
    """How much confidences move, by `CONFIRMATION` and `CONTRADICTION` unless said otherwise. `half_life_days`: in
    which what nobody confirms or uses loses half, 0: never. Not `enabled`, every confidence is the one that was
    given."""

    enabled: bool = True
    confirmation: float = CONFIRMATION
    contradiction: float = CONTRADICTION
    half_life_days: float = 730.0


@dataclass(frozen=True, slots=True)
class EdgeStanding:
    """A dependency that holds. `given` and `living`: what was noted when its confidence was last moved, the confidence
    it had been given and the one it got; both None where it was not. `sources`: how many sessions say it, and
    statements of no session. `contradictions` came after `said_at`, when it was last said. `used_at`: when it was last
    found good."""

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


@dataclass(frozen=True, slots=True)
class SettledEdge:
    """A dependency as its confidence is left. `given` is None where it has the one it was given."""

    id: str
    before: float
    after: float
    given: float | None
    reason: str
