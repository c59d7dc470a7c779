"""How the signals of a search become one order, with each signal's share said.

A message is weighed with what was said around it: an answer stands behind its question, and what it is about was named
a turn earlier. Any other text is its own surroundings.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.rules.questions import Asked, named, stems

Signal = Literal["words", "meaning", "neighbours", "session", "speaker", "time", "form", "entities", "feedback"]

FEATURES: Mapping[str, tuple[Signal, float]] = {
    "rare_words": ("words", 5.0),
    "rare_words_nearby": ("neighbours", 5.0),
    "covered": ("words", 4.6),
    "covered_nearby": ("neighbours", 3.6),
    "in_a_row": ("words", 0.3),
    "near": ("meaning", 3.2),
    "near_previous": ("neighbours", 0.9),
    "nearest_by": ("neighbours", 4.9),
    "session_words": ("session", 0.2),
    "session_near": ("session", 4.7),
    "speaker": ("speaker", 2.8),
    "date": ("time", 6.8),
    "tells_when": ("form", 2.6),
    "tells_how_many": ("form", 0.8),
    "tells_where": ("form", 1.7),
    "answers": ("form", 0.3),
    "states": ("form", 0.3),
    "long": ("form", 4.8),
    "entities": ("entities", 0.6),
    "feedback": ("feedback", 1.0),
}
"""The signal of each feature, and its weight; what stands nearby counts as much as what stands right here, or less:
docs/decisions/0040-recall-signals.md says how they were found."""
_MOST = sum(weight for name, (_, weight) in FEATURES.items() if not name.endswith("_nearby"))

_SATURATION, _LENGTH = 1.2, 0.75
"""k1 and b of BM25."""
_WINDOW = (-2, -1, 0, 1)
"""The turns whose words count as those of a turn: rare words are met in what it answers."""
_BEST_OF_SESSION = 3
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|morning|recently|since"
    r"|summer|winter|spring|fall|autumn|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|few|several|first|second|third|once|twice)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|to|from|near) (?:the )?[A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that is compared with a question.

    `nearness` is the cosine to the question, None without a vector; `session_id` and `ordinal` are a message's place,
    `speaker` who said it; `at` when it was said, or holds from. `eligible`: it may be answered, and not only tell what
    was said around others. `entities`: how much it hangs on entities of the question, 0..1. `feedback`: -1..1.
    `share`: how much of its score it is given.
    """

    id: str
    text: str
    nearness: float | None = None
    session_id: str | None = None
    ordinal: int | None = None
    speaker: str | None = None
    at: datetime | None = None
    eligible: bool = True
    entities: float = 0.0
    feedback: float = 0.0
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score in 0..1; the values of `why` sum to it."""

    id: str
    score: float
    why: Mapping[str, float]


@dataclass(slots=True)
class _Read:
    """A passage as it is weighed: the words of the question in it, and how many it has in all."""

    passage: Passage
    met: Counter[str]
    in_order: list[str]
    near: float
    around: dict[int, "_Read"] = field(default_factory=dict)

    @property
    def length(self) -> int:
        return len(self.in_order)


def rank(asked: Asked, passages: Sequence[Passage], weights: Mapping[str, float] | None = None) -> list[Ranked]:
    """The eligible passages, best first, ties by id. Scores are in 0..1 and compare across questions: 1 would be a
    passage that is the best there can be by every signal.

    `weights`: of single features, in place of those in `FEATURES`.
    """
    features = weigh(asked, passages)
    chosen = {name: weight for name, (_, weight) in FEATURES.items()} | dict(weights or {})
    ranked = []
    for passage in passages:
        if not passage.eligible:
            continue
        why: dict[str, float] = defaultdict(float)
        for name, value in features[passage.id].items():
            if value and chosen[name]:
                why[FEATURES[name][0]] += value * chosen[name] * passage.share / _MOST
        score = sum(why.values())
        if score < 0:
            why, score = defaultdict(float), 0.0
        ranked.append(Ranked(passage.id, min(1.0, score), dict(why)))
    return sorted(ranked, key=lambda one: (-one.score, one.id))


def weigh(asked: Asked, passages: Sequence[Passage]) -> dict[str, dict[str, float]]:
    """The features of each passage, by its id: each in 0..1, `feedback` in -1..1."""
    speaker = named({passage.speaker for passage in passages if passage.speaker}, asked.text)
    of_speaker = set(stems(speaker)) if speaker else set()
    terms = [term for term in asked.stems if term not in of_speaker] or list(asked.stems)
    wanted = frozenset(terms)
    read = [_read(passage, wanted) for passage in passages]
    _place(read)
    rarity = _rarity(terms, read)
    most = sum(rarity.values()) or 1.0
    usual = sum(one.length for one in read) / len(read) if read else 1.0
    pairs = {pair for pair in zip(asked.stems, asked.stems[1:], strict=False) if not of_speaker.intersection(pair)}
    sessions = _sessions(read, rarity, most)
    found = {}
    for one in read:
        window = [one.around[step] for step in _WINDOW if step in one.around]
        previous, behind = one.around.get(-1), one.around.get(1)
        passage = one.passage
        text = passage.text
        covered, nearby = _covered([one], rarity) / most, _covered(one.around.values(), rarity) / most
        own = covered / nearby if nearby else 0.0  # of the words met around here, those that are met right here
        rare = _bm25(window, rarity, usual) / most
        in_session = passage.ordinal is not None
        session_words, session_near = sessions[passage.session_id or ""] if in_session else (covered, one.near)
        found[passage.id] = {
            "rare_words": rare * own,
            "rare_words_nearby": rare * (1 - own),
            "covered": covered,
            "covered_nearby": nearby - covered,
            "in_a_row": float(bool(pairs and not pairs.isdisjoint(zip(one.in_order, one.in_order[1:], strict=False)))),
            "near": one.near,
            "near_previous": previous.near if previous else 0.0,
            "nearest_by": max(one.near, previous.near if previous else 0.0, behind.near if behind else 0.0),
            "session_words": session_words,
            "session_near": session_near,
            "speaker": float(speaker is not None and _said_by(passage, speaker, of_speaker)),
            "date": _dated(asked, passage.at),
            "tells_when": float(asked.when and bool(_TIME.search(text))),
            "tells_how_many": float(asked.how_many and bool(_NUMBER.search(text))),
            "tells_where": float(asked.where and bool(_PLACE.search(text))),
            "answers": float(previous is not None and previous.passage.text.rstrip().endswith("?")),
            "states": float(not text.rstrip().endswith("?")),
            "long": min(1.0, math.log1p(one.length) / 4),
            "entities": min(1.0, passage.entities),
            "feedback": max(-1.0, min(1.0, passage.feedback)),
        }
    return found


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


def _read(passage: Passage, wanted: frozenset[str]) -> _Read:
    in_order = stems(passage.text)
    met = Counter(stem for stem in in_order if stem in wanted)
    return _Read(passage, met, in_order, max(0.0, passage.nearness or 0.0))


def _place(read: Sequence[_Read]) -> None:
    """Tell each message what was said up to three turns before and two behind it, as far as it was read."""
    placed = {(one.passage.session_id, one.passage.ordinal): one for one in read if one.passage.ordinal is not None}
    for one in read:
        ordinal = one.passage.ordinal
        one.around = {0: one}
        if ordinal is not None:
            for step in (-3, -2, -1, 1, 2):
                if there := placed.get((one.passage.session_id, ordinal + step)):
                    one.around[step] = there


def _rarity(terms: Collection[str], read: Sequence[_Read]) -> dict[str, float]:
    """How much each word tells: BM25's weight, counted over twice the passages that were read. Those are the likeliest
    of all texts, so that a word few of them have is rare everywhere."""
    total = 2 * len(read)
    counts = {term: sum(term in one.met for one in read) for term in terms}
    return {term: math.log(1 + (total - count + 0.5) / (count + 0.5)) for term, count in counts.items()}


def _bm25(window: Sequence[_Read], rarity: Mapping[str, float], usual: float) -> float:
    length = sum(one.length for one in window)
    damping = _SATURATION * (1 - _LENGTH + _LENGTH * length / (usual * len(_WINDOW) or 1.0))
    score = 0.0
    for term, weight in rarity.items():
        if count := sum(one.met[term] for one in window):
            score += weight * count / (count + damping)
    return score


def _covered(read: Collection[_Read], rarity: Mapping[str, float]) -> float:
    return sum(weight for term, weight in rarity.items() if any(term in one.met for one in read))


def _sessions(read: Sequence[_Read], rarity: Mapping[str, float], most: float) -> dict[str, tuple[float, float]]:
    """How much of the question each session takes up, and how near its nearest messages are on average."""
    by_session: dict[str, list[_Read]] = defaultdict(list)
    for one in read:
        if one.passage.ordinal is not None:
            by_session[one.passage.session_id or ""].append(one)
    told = {}
    for session, of in by_session.items():
        nearest = sorted((one.near for one in of), reverse=True)[:_BEST_OF_SESSION]
        told[session] = (_covered(of, rarity) / most, sum(nearest) / len(nearest))
    return told


def _said_by(passage: Passage, speaker: str, of_speaker: Collection[str]) -> bool:
    """Whether the speaker said it, or, of what nobody in particular said, whether it names them."""
    if passage.speaker is not None or passage.ordinal is not None:
        return passage.speaker == speaker
    return not set(of_speaker).isdisjoint(stems(passage.text))


def _dated(asked: Asked, at: datetime | None) -> float:
    """How well a day fits those that a question names; 0 where it names none."""
    if at is None:
        return 0.0
    if asked.months:
        if at.month not in asked.months or (asked.years and at.year not in asked.years):
            return 0.0
        return 1.0 if any(abs(at.day - day) <= 1 for day in asked.days) else 2 / 3
    if asked.stretches:
        return 2 / 3 if any(stretch.holds(at.date()) for stretch in asked.stretches) else 0.0
    return 0.2 if at.year in asked.years else 0.0
