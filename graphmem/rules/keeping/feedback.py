"""How far feedback moves what it is given to: in steps, within bounds, and back again by the opposite score."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.model.feedback import FadedRow, GivenStanding, MovedRow, Standing

STEP = 0.25
"""How much of its range one whole score moves a standing: four good ones lead to the end of it."""
REACH = 0.4
"""How far a weight is from its own where the standing is at an end."""
FLOOR, CEILING = 0.1, 1.0
"""Bounds of weights, those of signet's aspect feedback. A weight that is lower by itself is not lowered."""
ASPECT_SHARE = 0.5
"""What is said of a fact counts so much for its aspect."""
FAINT = 0.01
"""A standing that faded below this is none."""
HALVINGS = 10
"""So many leave nothing of any standing."""
BAD_IN_A_ROW = 3
"""Feedbacks that were all bad before the doctor names an entity: one may be a slip and two the same annoyance, but by
three the standing is near its end, and nothing good came in between."""
DIGITS = 9
"""Standings are kept to so many places, so that what is taken back leaves nothing."""


def weighed(own: float, feedback: float) -> float:
    """The weight of a thing that weighs `own` by itself, at a standing from -1 to 1.

    >>> weighed(0.5, 0.25), weighed(0.5, 0.0), weighed(0.9, 1.0), weighed(0.2, -1.0)
    (0.6, 0.5, 1.0, 0.1)
    """
    return own if feedback == 0 else round(min(CEILING, max(min(FLOOR, own), own + REACH * feedback)), DIGITS)


def moved(standing: Standing, score: float) -> MovedRow:
    """A thing after a score from -1 to 1. Its weight goes on from what somebody else gave it meanwhile."""
    return _standing_at(standing, round(min(1.0, max(-1.0, standing.feedback + STEP * score)), DIGITS), score)


def faded(given: GivenStanding, ends: Sequence[datetime], half_life: int) -> FadedRow | None:
    """A thing after the sessions that ended since it was given feedback, by the ends of the last ones: its standing is
    halved for each `half_life` of them, whole ones only. None where there are fewer."""
    since = sorted(end for end in ends if end > given.since)
    halvings = len(since) // half_life
    if not halvings:
        return None
    left = round(given.standing.feedback / 2**halvings, DIGITS)
    moved_row = _standing_at(given.standing, left if abs(left) >= FAINT else 0.0, 0.0)
    through = since[halvings * half_life - 1]
    return FadedRow(moved_row, given.standing.feedback, halvings * half_life, through)


def _standing_at(standing: Standing, feedback: float, score: float) -> MovedRow:
    if standing.weight is None:
        return MovedRow(standing.id, standing.kind, score, standing.feedback, feedback, None, feedback)
    own = standing.own
    if own is None or abs(weighed(own, standing.feedback) - standing.weight) > 10**-DIGITS:
        own = standing.weight
    return MovedRow(standing.id, standing.kind, score, standing.weight, weighed(own, feedback), own, feedback)


def moves(standings: Sequence[Standing], scores: Mapping[str, float]) -> list[MovedRow]:
    """What the scores move, each thing once, by id: what was asked for, and the aspects of facts by their share."""
    total: dict[str, float] = {}
    by_id: dict[str, Standing] = {}
    for standing in standings:
        share = 1.0 if standing.asked == standing.id else ASPECT_SHARE
        total[standing.id] = total.get(standing.id, 0.0) + share * scores[standing.asked]
        by_id[standing.id] = standing
    return [moved(by_id[id_], min(1.0, max(-1.0, total[id_]))) for id_ in sorted(by_id)]
