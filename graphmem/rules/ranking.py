"""How the signals of a search become one order, with each signal's share said."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

WEIGHTS: Mapping[str, float] = {"words": 0.5, "meaning": 0.4, "entities": 0.1}
"""Weight of each signal on normalised scores. Equal-weight reciprocal ranks were measured worse than words alone on
LoCoMo (evidence recall@10 .569 against .613), a sum of normalised scores better (.684 on its development half)."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score in 0..1; the values of `why` sum to it."""

    id: str
    score: float
    why: Mapping[str, float]


def fuse(signals: Mapping[str, Mapping[str, float]], weights: Mapping[str, float] = WEIGHTS) -> list[Ranked]:
    """Candidates best first, ties by id.

    `signals` gives each signal's raw scores by candidate; a candidate that a signal does not know has that signal's
    lowest score (0 for words and entities, which are never negative). Each signal is taken in units of its own spread
    (a z-score moved to start at 0), weighed, and the sum is scaled so that a candidate that leads in every signal has
    1.

    >>> [(r.id, round(r.score, 2)) for r in fuse({"words": {"a": 2.0, "b": 1.0}, "meaning": {"a": 0.9, "b": 0.9}})]
    [('a', 1.0), ('b', 0.5)]
    """
    ids = sorted({id_ for scores in signals.values() for id_ in scores})
    shares: dict[str, dict[str, float]] = {id_: {} for id_ in ids}
    best = 0.0
    for name, scores in signals.items():
        known = scores.values()
        # Any two texts are a little alike: meaning tells candidates apart by what they have above the least of them.
        apart = name == "meaning" and len(ids) > 1
        floor = min(known, default=0.0) if apart else min(0.0, *known, 0.0)
        raw = [scores.get(id_, floor) - floor for id_ in ids]
        spread = pstdev(raw) if raw and max(raw) > 0 else 0.0
        if not raw or max(raw) <= 0:
            continue
        unit = spread or fmean(raw)
        best += weights[name] * max(raw) / unit
        for id_, value in zip(ids, raw, strict=True):
            if value > 0:
                shares[id_][name] = weights[name] * value / unit
    if best <= 0:
        return [Ranked(id_, 0.0, {}) for id_ in ids]
    ranked = [
        Ranked(id_, min(1.0, sum(parts.values()) / best), {name: part / best for name, part in parts.items()})
        for id_, parts in shares.items()
    ]
    return sorted(ranked, key=lambda candidate: (-candidate.score, candidate.id))


FROM_PREVIOUS, FROM_NEXT = 0.25, 0.1
"""Share of its neighbours' scores that a message is given: an answer often stands right behind its question. Measured
on LoCoMo's development half: evidence recall@10 .684 to .729."""


def with_neighbours(ranked: Sequence[Ranked], previous: Mapping[str, str], spoken: Collection[str]) -> list[Ranked]:
    """The order when each message is also given a share of the scores of those said right before and right after it.

    `previous` leads from a message to the one said before it, where both were found; `spoken` holds all messages. What
    stands in no conversation keeps its score. Scores stay in 0..1, and `why` sums to them.

    >>> found = [Ranked("q", 1.0, {"words": 1.0}), Ranked("a", 0.2, {"words": 0.2})]
    >>> [(one.id, round(one.score, 2)) for one in with_neighbours(found, {"a": "q"}, {"q", "a"})]
    [('q', 0.76), ('a', 0.33)]
    """
    scores = {candidate.id: candidate.score for candidate in ranked}
    nearby: dict[str, float] = dict.fromkeys(scores, 0.0)
    for later, earlier in previous.items():
        if later in scores and earlier in scores:
            nearby[later] += FROM_PREVIOUS * scores[earlier]
            nearby[earlier] += FROM_NEXT * scores[later]
    moved = [_shared(one, nearby[one.id]) if one.id in spoken else one for one in ranked]
    return sorted(moved, key=lambda candidate: (-candidate.score, candidate.id))


def _shared(candidate: Ranked, nearby: float) -> Ranked:
    most = 1 + FROM_PREVIOUS + FROM_NEXT
    why = {name: part / most for name, part in candidate.why.items()} | (
        {"neighbours": nearby / most} if nearby else {}
    )
    return Ranked(candidate.id, (candidate.score + nearby) / most, why)


def newest_first(ranked: Sequence[Ranked], successors: Mapping[str, Collection[str]]) -> list[Ranked]:
    """The order in which nothing superseded stands above what replaced it.

    `successors` leads from superseded candidates to what now says what they said; such a candidate goes right behind
    the last of them that was found, with no more than its score, so that scores never rise along the list.

    >>> new, old = Ranked("new", 0.5, {"words": 0.5}), Ranked("old", 0.8, {"words": 0.8})
    >>> [(r.id, r.score) for r in newest_first([old, new], {"old": ["new"]})]
    [('new', 0.5), ('old', 0.5)]
    """
    scores = {candidate.id: candidate.score for candidate in ranked}
    settled: list[tuple[float, int, str, Ranked]] = []
    for candidate in ranked:
        ahead = [scores[id_] for id_ in successors.get(candidate.id, ()) if id_ in scores and id_ != candidate.id]
        ceiling = min(ahead, default=1.0)
        lowered = _lowered(candidate, ceiling)
        settled.append((-lowered.score, 1 if ahead else 0, candidate.id, lowered))
    return [candidate for _, _, _, candidate in sorted(settled, key=lambda row: row[:3])]


def _lowered(candidate: Ranked, ceiling: float) -> Ranked:
    if candidate.score <= ceiling:
        return candidate
    share = ceiling / candidate.score
    return Ranked(candidate.id, ceiling, {name: part * share for name, part in candidate.why.items()})
