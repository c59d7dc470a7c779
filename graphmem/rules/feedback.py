"""How far feedback moves what it is given to: in steps, within bounds, and back again by the opposite score."""

from collections.abc import Mapping, Sequence

from graphmem.model.feedback import MovedRow, Standing

STEP = 0.25
"""How much of its range one whole score moves a standing: four good ones lead to the end of it."""
REACH = 0.4
"""How far a weight is from its own where the standing is at an end."""
FLOOR, CEILING = 0.1, 1.0
"""Bounds of weights, those of signet's aspect feedback. A weight that is lower by itself is not lowered."""
ASPECT_SHARE = 0.5
"""What is said of a fact counts so much for its aspect."""
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
    feedback = round(min(1.0, max(-1.0, standing.feedback + STEP * score)), DIGITS)
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
