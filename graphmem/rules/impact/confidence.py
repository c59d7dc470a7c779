"""The current confidence of a dependency: as given, confirmed, contradicted, and decayed."""

import math
from datetime import datetime

from graphmem.model.living import EdgeStanding, SettledEdge, Vitality

SECOND = 1 / 3
"""The share of the doubt that a second source leaves; `cypher/fragments/sources.cypher` has it too."""
FLOOR, CEILING = 0.1, 0.99
"""Bounds of the computed confidence. One that was given beyond them stays beyond them: only a person, or the code
itself, is certain."""
STEPS = 4
"""Steps of a half-life, so that an edge is not rewritten each day."""
GONE = 10_000
"""Steps after which nothing is left, for any half-life."""
DIGITS = 4
DAY_S = 86_400.0


def given_confidence(standing: EdgeStanding, vitality: Vitality) -> float:
    """The confidence without this rule: of what was said, that which its sources give it.

    A value that differs from the rule's last result was written by another since. Extraction never lowers a confidence,
    so what it writes over a lowered one may be less than the earlier given one.
    """
    if standing.single is not None and not (standing.pinned or standing.by_code):
        return confirmed(standing.single, standing.sources, vitality)
    if standing.given is None or standing.living is None:
        return standing.confidence
    if standing.confidence == standing.living:
        return standing.given
    if standing.pinned or standing.by_code:
        return standing.confidence
    return max(standing.given, standing.confidence)


def confirmed(given: float, sources: int, vitality: Vitality) -> float:
    """The confidence from independent sources, of which one gives it `given`; more never lower it.

    >>> [confirmed(0.7, sources, Vitality()) for sources in (1, 2, 3, 4)], confirmed(0.4, 2, Vitality())
    ([0.7, 0.9, 0.95, 0.975], 0.8)
    """
    if sources < 2:
        return given
    doubt = (1 - given) * SECOND * (1 - vitality.confirmation) ** (sources - 2)
    return round(min(max(given, CEILING), 1 - doubt), DIGITS)


def contradicted(confidence: float, contradictions: int, vitality: Vitality) -> float:
    """The confidence after contradictions since it was last stated.

    >>> contradicted(0.9, 1, Vitality()), contradicted(0.9, 99, Vitality())
    (0.63, 0.1)
    """
    return _lowered(confidence, (1 - vitality.contradiction) ** contradictions)


def stale(confidence: float, idle_days: float, vitality: Vitality) -> float:
    """The confidence after days without a confirmation or use, in steps of a quarter of the half-life.

    >>> [stale(0.8, days, Vitality()) for days in (182, 183, 730)]
    [0.8, 0.6727, 0.4]
    >>> stale(0.8, 1, Vitality(half_life_days=5e-324))
    0.1
    """
    if not vitality.half_life_days:
        return confidence
    steps = math.floor(min(GONE, STEPS * max(0.0, idle_days) / vitality.half_life_days))
    return _lowered(confidence, 2 ** -(steps / STEPS))


def settled(standing: EdgeStanding, vitality: Vitality, now: datetime) -> SettledEdge | None:
    """The new state of a dependency; None where it is unchanged.

    A person's dependency keeps its given confidence. One from code is read again when the code changes, so it does not
    decay, and counts as a source.
    """
    given = given_confidence(standing, vitality)
    after, reason = given, "It has the confidence it was given."
    if vitality.enabled and not standing.pinned:
        after, reason = _lived(standing, given, vitality, now)
    note = None if after == given else given
    noted = standing.given if standing.living == standing.confidence else None
    if after == standing.confidence and note == noted and (note is not None or standing.given is None):
        return None
    return SettledEdge(standing.id, standing.confidence, after, note, reason)


def _lived(standing: EdgeStanding, given: float, vitality: Vitality, now: datetime) -> tuple[float, str]:
    sources = standing.sources + (1 if standing.by_code else 0)
    by_talk = None if standing.by_code else standing.single
    first = given if by_talk is None else by_talk
    told = [f"given {first:g}"]
    level = confirmed(given, sources, vitality) if by_talk is None else given
    if level != first:
        told.append(f"{sources} sources make it {level:g}")
    against = contradicted(level, standing.contradictions, vitality)
    if against != level:
        said = "1 contradiction" if standing.contradictions == 1 else f"{standing.contradictions} contradictions"
        told.append(f"{said} since: {against:g}")
    idle = (now - max(standing.said_at, standing.used_at or standing.said_at)).total_seconds() / DAY_S
    left = against if standing.by_code else stale(against, idle, vitality)
    if left != against:
        told.append(f"neither said nor found good for {idle:.0f} days: {left:g}")
    return left, "; ".join(told)


def _lowered(confidence: float, share: float) -> float:
    """A share of a confidence, not below the floor unless it was below it before."""
    return confidence if share == 1 else round(max(min(FLOOR, confidence), confidence * share), DIGITS)
