"""Combines the scores of a reranker with our own order, with its share reported."""

import math
from collections.abc import Mapping, Sequence

from graphmem.rules.recall.ranking import Ranked

SENT = 30
"""Most candidates sent to a reranker; those below stay there. Servers accept 32 texts at once."""
SENT_CHARS = 1000
"""Most characters of a text, and of a question, that are sent: as many as our own rule compares."""


def as_shares(scores: Sequence[float]) -> list[float]:
    """The scores of a reranker, in 0..1 and in the same order. Some servers return shares and some logits, which cannot
    be distinguished individually: a single one outside of 0..1 shows that all are logits.

    >>> as_shares([0.9, 0.2]), as_shares([0.0, -50.0, 50.0])
    ([0.9, 0.2], [0.5, 0.0, 1.0])
    """
    if all(0 <= score <= 1 for score in scores):
        return list(scores)
    return [round(0.5 + 0.5 * math.tanh(score / 2), 12) for score in scores]


def blend(ranked: Sequence[Ranked], shares: Mapping[str, float], weight: float) -> list[Ranked]:
    """The candidates, best first, ties by id, each score the weighted mean of its own and its share; `why` has the part
    of either, as `rerank` for the share. Scores stay in 0..1.

    A candidate without a share has 0: a candidate that was sent never ends below a lower one that was not.

    >>> blend([Ranked("a", 0.4, {"words": 0.4}), Ranked("b", 0.2, {"words": 0.2})], {"a": 0.0, "b": 1.0}, 0.5)[0]
    Ranked(id='b', score=0.6, why={'words': 0.1, 'rerank': 0.5})
    """
    return sorted(
        (_blended(candidate, shares.get(candidate.id, 0.0), weight) for candidate in ranked),
        key=lambda candidate: (-candidate.score, candidate.id),
    )


def _blended(candidate: Ranked, share: float, weight: float) -> Ranked:
    why = {signal: part * (1 - weight) for signal, part in candidate.why.items()}
    if weight * share:
        why["rerank"] = weight * share
    return Ranked(candidate.id, min(1.0, sum(why.values())), why)
