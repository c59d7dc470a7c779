"""Which hits fill a budget of tokens: those that add most for their length, as long as they are worth reading."""

from collections.abc import Sequence

import numpy as np

from graphmem.rules.language.text import LONGEST_PIECE, count_tokens, fit_tokens
from graphmem.rules.recall.questions import stems
from graphmem.rules.recall.ranking import Floats
from graphmem.rules.turns.sentences import answers_nothing

ENOUGH, GATHERED = 0.6, 0.4
"""Least share of the best score of a hit that a budget is filled with; less where an answer has several parts."""
REPEATED = 0.2
"""The share of the best score that a hit loses when a chosen one has the same words."""
DEAR, SHORT = 0.1, 25
"""The power of its tokens that a hit's worth is divided by, and the tokens below which shorter is not cheaper.

All are chosen by the evidence within 500, 1,500 and 3,000 words of two benchmarks:
docs/decisions/0082-fill-a-budget-by-what-each-hit-adds.md."""


def fill(
    texts: Sequence[str], scores: Sequence[float], max_tokens: int, *, least: float = 0.0
) -> tuple[dict[int, str], bool]:
    """The texts that fill a budget, by their places, in order, and whether any worth having did not fit.

    `scores`: of the texts, best first. The best goes first, then whichever adds most, less for each word that a chosen
    one has too; one that has no room makes way for others. If none has room, the beginning of the best. `least`: the
    share of the best score below which a text is not worth having; with one, neither is a mere courtesy.

    >>> fill(["Ada owns it.", "Ada owns it now.", "Thanks!"], [0.5, 0.45, 0.1], 12, least=0.6)
    ({0: 'Ada owns it.', 1: 'Ada owns it now.'}, False)
    >>> fill(["Ada owns the kiln.", "Ada owns the big kiln.", "Bo has a key."], [0.5, 0.45, 0.44], 10)
    ({0: 'Ada owns the kiln.', 2: 'Bo has a key.'}, True)
    """
    worth = [
        place
        for place, score in enumerate(scores)
        if not least or (score >= least * scores[0] and not answers_nothing(texts[place]))
    ]
    # A long text is counted only far enough to show that it does not fit.
    costs = [count_tokens(texts[place][: LONGEST_PIECE * max_tokens + 1]) for place in worth]
    if sum(costs) <= max_tokens:
        return {place: texts[place] for place in worth}, False
    chosen = _chosen([texts[place] for place in worth], [scores[place] for place in worth], costs, max_tokens)
    if chosen:
        return {worth[row]: texts[worth[row]] for row in sorted(chosen)}, True
    head = fit_tokens(texts[worth[0]], max_tokens)
    return ({worth[0]: head} if head else {}), True


def _chosen(texts: Sequence[str], scores: Sequence[float], costs: Sequence[int], room: int) -> list[int]:
    alike = _alike(texts)
    value, cost = np.array(scores), np.array(costs)
    price = np.maximum(cost, SHORT) ** DEAR
    repeated = np.zeros(len(texts))
    left = np.ones(len(texts), dtype=bool)
    chosen: list[int] = []
    while (open_ := left & (cost <= room)).any():
        worth = (value - REPEATED * value[0] * repeated) / price
        row = 0 if open_[0] else int(np.where(open_, worth, -np.inf).argmax())
        chosen.append(row)
        room -= int(cost[row])
        left[row] = False
        repeated = np.maximum(repeated, alike[row])
    return chosen


def _alike(texts: Sequence[str]) -> Floats:
    """The share of common content words of each pair of texts, 0..1."""
    said = [frozenset(stems(text)) for text in texts]
    column = {word: place for place, word in enumerate(dict.fromkeys(word for words in said for word in words))}
    has = np.zeros((len(texts), max(len(column), 1)))
    for row, words in enumerate(said):
        has[row, [column[word] for word in words]] = 1.0
    common, counts = has @ has.T, has.sum(axis=1)
    shares: Floats = common / np.maximum(counts[:, None] + counts - common, 1.0)
    return shares
