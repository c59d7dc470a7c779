"""The next step of a walk to rarely used things."""

import math
from collections.abc import Sequence
from itertools import accumulate

from graphmem.model.exploring import Neighbour

COLD = 2.0
"""How much likelier a neighbour in the cold tier is chosen: nothing else surfaces it."""


def reasons(neighbour: Neighbour) -> dict[str, float]:
    """The reasons for a neighbour, each in 0..1: `rarelyUsed` is 1 for one that was never mentioned and falls with the
    logarithm of its mentions.

    >>> from graphmem.model.knowledge import EntityType
    >>> reasons(Neighbour("a", "a", EntityType.TOOL, True, 0, 0.9, "d"))
    {'rarelyUsed': 1.0, 'confidence': 0.9, 'cold': 1.0}
    """
    told = {"rarelyUsed": 1 / (1 + math.log1p(neighbour.mentions)), "confidence": neighbour.confidence}
    return told | ({"cold": 1.0} if neighbour.cold else {})


def chosen(neighbours: Sequence[Neighbour], drawn: float) -> Neighbour | None:
    """The neighbour chosen by a random number in 0..1: rarely used, confident and cold ones are more likely. None where
    there is none."""
    if not neighbours:
        return None
    ends = list(accumulate(_weight(neighbour) for neighbour in neighbours))
    falls = next((place for place, end in enumerate(ends) if drawn * ends[-1] < end), len(ends) - 1)
    return neighbours[falls]


def _weight(neighbour: Neighbour) -> float:
    told = reasons(neighbour)
    return told["rarelyUsed"] * max(told["confidence"], 0.01) * (COLD if neighbour.cold else 1.0)
