"""The novelty of a turn compared with the ones before it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from graphmem.rules.language.vectors import cosines, unit

WINDOW = 10
FIRST = 0.5
"""The novelty of the first turn."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The distances between turns that count as not new (`lo`) and as completely new (`hi`)."""

    lo: float
    hi: float


UNCALIBRATED = Calibration(0.0, 1.0)
CALIBRATIONS: Mapping[str, Calibration] = {"all-MiniLM-L6-v2": Calibration(0.72, 1.0)}
"""By embedder."""
LEXICAL = Calibration(0.60, 0.99)
"""For distances between the words of turns, where there are no vectors."""


@dataclass(frozen=True, slots=True)
class Novelty:
    """`raw` by the formula; `value` calibrated, 0 to 1."""

    raw: float
    value: float


def novelty_of(
    current: Sequence[float], previous: Sequence[Sequence[float]], calibration: Calibration = UNCALIBRATED
) -> Novelty:
    """The novelty of a vector after others, oldest first, of which the last ten count.

    Errors: InvalidInput where the vectors differ in length, or contain what is not a number.

    Source: cogx sigma/analyzer-with-embeddings.ts: 0.7·mean + 0.3·max of 1 - cosine. Clamping and calibration are ours:
    two English texts are rarely further apart than 0.95, and turns of one conversation are never close to 0.

    >>> novelty_of([1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]])
    Novelty(raw=0.65, value=0.65)
    >>> novelty_of([1.0, 0.0], [])
    Novelty(raw=0.5, value=0.5)
    """
    rows = unit([*previous, current])
    return weighed([float(1 - cosine) for cosine in cosines(rows[:-1][-WINDOW:], rows[-1])], calibration)


def lexical_novelty(current: Counter[str], previous: Sequence[Counter[str]]) -> Novelty:
    """The novelty of a turn's words after those of others, for use without an embedder."""
    return weighed([1 - _overlap(current, one) for one in previous[-WINDOW:]], LEXICAL)


def weighed(distances: Sequence[float], calibration: Calibration) -> Novelty:
    """The novelty from distances to earlier turns."""
    if not distances:
        return Novelty(FIRST, FIRST)
    raw = 0.7 * sum(distances) / len(distances) + 0.3 * max(distances)
    value = (raw - calibration.lo) / max(calibration.hi - calibration.lo, 1e-9)
    return Novelty(round(raw, 4), round(min(max(value, 0.0), 1.0), 4))


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """The cosine of two counts of words."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    dot = sum(count * large[word] for word, count in small.items())
    lengths = sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return dot / lengths if lengths else 0.0
