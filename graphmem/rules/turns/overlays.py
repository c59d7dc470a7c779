"""The overlays of a turn: a score from 0 to 10 for each of the seven, with evidence.

Words (`overlay_words.py`), the form of code and commands, nearness to anchors of an overlay and to what the agent knows
(Meet), and what is inherited from earlier turns. Each part is independent: without vectors the words decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from graphmem.model.turns import OVERLAYS, Evidence, KnownNear, Overlay, Scores
from graphmem.rules.language.vectors import Vectors, cosines, unit
from graphmem.rules.turns.anchors import ANCHORS, NEUTRAL, anchor_id
from graphmem.rules.turns.cues import cues
from graphmem.rules.turns.overlay_keywords import MOST_ITEMS, RESULT_SHARE, Part, keyword_part, scores_of
from graphmem.rules.turns.overlay_probe import Probe, Surface, probe_for

INHERITED, PER_STEP, ALIKE = 0.5, 0.6, 0.5
"""For the score of an earlier turn: the share that is passed on, the factor for each step of distance, and the least
similarity of the turns."""
UNDECIDED, ABOUT, CLEARLY = 4.6, 5.0, 6.0
"""One plain word alone leaves a turn undecided; the rest of the turn decides."""
AGREED = 7.0
"""Least score by words and by nearness, each, that the probe cannot overrule."""
SEVERAL = 2
NOTHING: Scores = scores_of([0.0] * len(OVERLAYS))
LEAST = 1.0
"""Least score of a reason worth storing."""
KINDS: Mapping[str, Mapping[Overlay, float]] = {
    "constraint": {"O4": 6.0},
    "decision": {"O4": 7.0},
    "preference": {"O4": 3.0},
}
"""The overlays of a fact by its kind alone. Its words add more: a rule about passwords is security too."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """The similarity to an anchor or a fact that counts as nothing (`lo`) and as the same (`hi`)."""

    lo: float
    hi: float


LEAST_TRUST, TRUST_SLOPE = 0.5, 5.0
"""The weight of words in plain small talk, and its growth with the distance from it."""
NEAREST = 3
"""Anchors of an overlay whose mean nearness counts: the nearest one alone may be near by a single word."""
NEARNESS: Mapping[str, Nearness] = {"all-MiniLM-L6-v2": Nearness(0.20, 0.44)}
"""By embedder. For others a cautious value is used, so that scores are rather too low."""
UNKNOWN_NEARNESS = Nearness(0.5, 0.95)
FACT_NEARNESS = Nearness(0.4, 0.85)


@dataclass(frozen=True, slots=True)
class Anchors:
    """The anchors with their vectors, as rows: those of the overlays in their order, then the neutral ones."""

    rows: Vectors
    nearness: Nearness
    probe: Probe | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a turn, the JSON of its tool calls, and who says it."""

    text: str
    calls: str | None
    role: str


@dataclass(frozen=True, slots=True)
class Inheritance:
    """An earlier turn that may pass something on."""

    id: str
    scores: Scores
    distance: int
    cosine: float


def anchor_texts() -> list[str]:
    """The anchor sentences to embed, in the order of `Anchors.rows`."""
    return [*(sentence for overlay in OVERLAYS for sentence in ANCHORS[overlay]), *NEUTRAL]


def anchors_of(vectors: Sequence[Sequence[float]], embedder: str) -> Anchors:
    """Anchors with the vectors of `anchor_texts`."""
    return Anchors(unit(vectors), NEARNESS.get(embedder, UNKNOWN_NEARNESS), probe_for(embedder))


# --- Meet -------------------------------------------------------------------------------------------------------


def meet_part(vector: Vectors, anchors: Anchors | None, known: Sequence[KnownNear], role: str = "user") -> Part:
    """The scores by a turn's nearness to the anchors, and to what the agent knows.

    An anchor does not count where the turn is as near to a neutral one. A fact passes on its own overlays: by its
    words, and by its kind.
    """
    share = RESULT_SHARE if role == "tool" else 1.0
    scores = [0.0] * len(OVERLAYS)
    items: list[tuple[str, ...]] = [()] * len(OVERLAYS)
    nearest: list[float | None] = [None] * len(OVERLAYS)
    if anchors is not None:
        near = cosines(anchors.rows, vector)
        neutral = _mean_nearest(near[_BOUNDS[-1] :])
        for place, (start, end) in enumerate(pairwise(_BOUNDS)):
            own = near[start:end]
            order = np.argsort(-own, kind="stable")[:NEAREST]
            best = _mean_nearest(own)
            score = 10 * share * _between(best, anchors.nearness)
            if score > 0 and best > neutral:
                scores[place], nearest[place] = score, float(own[order[0]])
                items[place] = tuple(anchor_id(OVERLAYS[place], int(at)) for at in order)
    for fact in sorted(known, key=lambda one: (-one.cosine, one.id)):
        share = _between(fact.cosine, FACT_NEARNESS)
        for place, own_score in enumerate(fact_scores(fact.text, fact.kind)):
            if share * own_score > scores[place]:
                scores[place], nearest[place] = share * own_score, fact.cosine
                items[place] = (fact.id, *items[place])[:MOST_ITEMS]
    return Part("meet", scores_of(scores), tuple(items), tuple(nearest))


@lru_cache(maxsize=5_000)
def fact_scores(text: str, kind: str) -> Scores:
    """The overlays of a fact or a statement: by its words, and at least by its kind."""
    by_words = keyword_part(text).scores
    by_kind = KINDS.get(kind, {})
    return scores_of([max(score, by_kind.get(overlay, 0.0)) for overlay, score in zip(OVERLAYS, by_words, strict=True)])


def _bounds() -> list[int]:
    """Where the anchors of each overlay begin, and the neutral ones."""
    ends = [0]
    for overlay in OVERLAYS:
        ends.append(ends[-1] + len(ANCHORS[overlay]))
    return ends


_BOUNDS = _bounds()


def _mean_nearest(near: Vectors) -> float:
    return float(np.sort(near)[-NEAREST:].mean())


def _between(cosine: float, nearness: Nearness) -> float:
    return min(max((cosine - nearness.lo) / (nearness.hi - nearness.lo), 0.0), 1.0)


# --- together ---------------------------------------------------------------------------------------------------


def in_small_talk(by_words: Part, vector: Vectors, anchors: Anchors | None) -> Part:
    """The scores by words, lower where a turn is nearer to small talk than to any overlay: there a class may be one of
    pottery, and a plan one for dinner."""
    if anchors is None:
        return by_words
    near = cosines(anchors.rows, vector)
    best = max(_mean_nearest(near[start:end]) for start, end in pairwise(_BOUNDS))
    trust = min(max(LEAST_TRUST + TRUST_SLOPE * (best - _mean_nearest(near[_BOUNDS[-1] :]) + 0.05), LEAST_TRUST), 1.0)
    return replace(by_words, scores=scores_of([10 * (1 - (1 - score / 10) ** trust) for score in by_words.scores]))


def surface_of(said: Said, by_words: Part, vector: Vectors | None, anchors: Anchors) -> Surface:
    """The probe's features of a turn besides its vector. The agent's knowledge is not among them: the probe was trained
    without any."""
    met, near = (0.0,) * len(OVERLAYS), None
    if vector is not None:
        met = meet_part(vector, anchors, (), said.role).scores
        cosine = cosines(anchors.rows, vector)
        near = [_mean_nearest(cosine[start:end]) for start, end in pairwise([*_BOUNDS, len(cosine)])]
    return Surface(by_words.scores, scores_of(met), near, cues(said.text, said.calls, said.role))


def agreed(by_words: Part, met: Part | None) -> Scores:
    """The high scores that words and nearness both give; 0 for all others. Where they agree on one overlay the words
    are meant as the overlays mean them, so that several words of another one count as well."""
    if met is None:
        return NOTHING
    pairs = list(zip(by_words.scores, met.scores, by_words.items, strict=True))
    if not any(min(words, near) >= AGREED for words, near, _ in pairs):
        return NOTHING
    sure = [words if len(set(items)) >= SEVERAL else min(words, near) for words, near, items in pairs]
    return scores_of([score if score >= AGREED else 0.0 for score in sure])


def probed(part: Part, both: Scores, known: Part | None) -> Scores:
    """The scores of the probe; at least those on which words and nearness agree, and, where the turn is near to the
    agent's knowledge, what that passes on."""
    own = [max(decided(score), sure) for score, sure in zip(part.scores, both, strict=True)]
    return highest(scores_of(own), known)


def united(by_words: Part, met: Part | None) -> Scores:
    """The combined scores by words and by nearness: each takes its share of the distance to 10 that the other
    leaves."""
    others = met.scores if met else NOTHING
    return scores_of(
        [
            decided(10 * (1 - (1 - one / 10) * (1 - other / 10)))
            for one, other in zip(by_words.scores, others, strict=True)
        ]
    )


def decided(score: float) -> float:
    """The score spread around the threshold: from 5 on a turn is about an overlay, and then clearly, with at least 6.

    >>> [round(decided(score), 1) for score in (0, 4.6, 4.8, 5, 7.5, 10)]
    [0, 4.6, 5.3, 6.0, 8.0, 10.0]
    """
    if score <= UNDECIDED:
        return score
    if score < ABOUT:
        return UNDECIDED + (score - UNDECIDED) * (CLEARLY - UNDECIDED) / (ABOUT - UNDECIDED)
    return CLEARLY + (score - ABOUT) * (10 - CLEARLY) / (10 - ABOUT)


def inherited_part(heirs: Sequence[Inheritance]) -> Part:
    """What earlier turns pass on to a similar one: at most half of their scores, less with each step."""
    scores = [0.0] * len(OVERLAYS)
    items: list[tuple[str, ...]] = [()] * len(OVERLAYS)
    nearest: list[float | None] = [None] * len(OVERLAYS)
    for heir in heirs:
        if heir.cosine < ALIKE:
            continue
        for place, score in enumerate(heir.scores):
            passed = INHERITED * score * PER_STEP**heir.distance
            if passed > scores[place]:
                scores[place], items[place], nearest[place] = passed, (heir.id,), heir.cosine
    return Part("propagated", scores_of(scores), tuple(items), tuple(nearest))


def highest(own: Scores, inherited: Part | None) -> Scores:
    if inherited is None:
        return own
    return scores_of([max(pair) for pair in zip(own, inherited.scores, strict=True)])


def evidence_of(parts: Sequence[Part | None]) -> dict[Overlay, tuple[Evidence, ...]]:
    """The reasons for each score, the best first."""
    found: dict[Overlay, tuple[Evidence, ...]] = {}
    for place, overlay in enumerate(OVERLAYS):
        reasons = [
            Evidence(via=part.via, score=part.scores[place], items=part.items[place], cosine=part.cosines[place])
            for part in parts
            if part is not None and part.scores[place] >= LEAST
        ]
        if reasons:
            found[overlay] = tuple(sorted(reasons, key=lambda reason: -reason.score))
    return found
