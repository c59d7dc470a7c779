"""How feedback changes weights: in steps, within bounds, and reversible by the opposite score."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.model.feedback import FadedRow, GivenStanding, MovedRow, Standing

STEP = 0.25
"""How far one full score moves a standing: four good ones reach the end of its range."""
REACH = 0.4
"""The largest change of a weight, at either end of the standing."""
FLOOR, CEILING = 0.1, 1.0
"""Bounds of weights, those of signet's aspect feedback. A weight that is lower by itself is not lowered."""
ASPECT_SHARE = 0.5
"""The share of a fact's feedback that counts for its aspect."""
FAINT = 0.01
"""A standing that faded below this becomes 0."""
HALVINGS = 10
"""After this many halvings nothing is left of any standing."""
BAD_IN_A_ROW = 3
"""Feedbacks that were all bad before the doctor names an entity: one may be a slip and two the same annoyance, but by
three the standing is near its end, and nothing good came in between."""
DIGITS = 9
"""Decimal places of standings, so that a reversed score leaves exactly 0."""


def weighed(own: float, feedback: float) -> float:
    """The weight of a thing whose own weight is `own`, at a standing from -1 to 1.

    >>> weighed(0.5, 0.25), weighed(0.5, 0.0), weighed(0.9, 1.0), weighed(0.2, -1.0)
    (0.6, 0.5, 1.0, 0.1)
    """
    return own if feedback == 0 else round(min(CEILING, max(min(FLOOR, own), own + REACH * feedback)), DIGITS)


def moved(standing: Standing, score: float) -> MovedRow:
    """A thing after a score from -1 to 1. A weight that was set meanwhile is its new own weight."""
    return _standing_at(standing, round(min(1.0, max(-1.0, standing.feedback + STEP * score)), DIGITS), score)


def faded(given: GivenStanding, ends: Sequence[datetime], half_life: int) -> FadedRow | None:
    """A thing after the sessions that ended since its feedback, by the ends of the last ones: its standing is halved
    for each complete `half_life` of them. None where there are fewer."""
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
    """What the scores change, each thing once, by id: the rated things, and the aspects of facts by their share."""
    total: dict[str, float] = {}
    by_id: dict[str, Standing] = {}
    for standing in standings:
        share = 1.0 if standing.asked == standing.id else ASPECT_SHARE
        total[standing.id] = total.get(standing.id, 0.0) + share * scores[standing.asked]
        by_id[standing.id] = standing
    return [moved(by_id[id_], min(1.0, max(-1.0, total[id_]))) for id_ in sorted(by_id)]
