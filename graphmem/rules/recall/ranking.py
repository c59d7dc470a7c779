"""Combines the signals of a search into one order, with each signal's share reported.

A message is scored with its neighbours: an answer follows its question, and its topic was named a turn earlier. Any
other text is scored alone.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from graphmem.rules.language.text import fold, words
from graphmem.rules.recall.questions import Asked, day_of, named, people, stems

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int_]
Bools: TypeAlias = npt.NDArray[np.bool_]
Signal = Literal[
    "words", "meaning", "neighbours", "session", "speaker", "time", "form", "entities", "feedback", "length"
]

FEATURES: Mapping[str, tuple[Signal, float]] = {
    "rare_words": ("words", 2.2),
    "rare_words_nearby": ("neighbours", 3.1),
    "covered": ("words", 4.3),
    "covered_nearby": ("neighbours", 2.8),
    "identifiers": ("words", 2.0),
    "near": ("meaning", 2.9),
    "nearest_by": ("neighbours", 4.2),
    "session_words": ("session", 0.8),
    "session_near": ("session", 2.3),
    "speaker": ("speaker", 2.8),
    "date": ("time", 4.4),
    "tells_when": ("form", 2.0),
    "news": ("form", 0.5),
    "entities": ("entities", 0.6),
    "feedback": ("feedback", 1.0),
    "length": ("length", 0.9),
}
"""The signal of each feature, and its weight; neighbours count as much as the text itself, or less. How they were
found: docs/decisions/0050-search-by-topic-and-gather-over-sessions.md, and for long texts
docs/decisions/0081-count-the-length-of-a-text-against-it.md."""
_MOST = sum(weight for name, (_, weight) in FEATURES.items() if name != "length" and not name.endswith("_nearby"))
WORDS_ALONE = 1 - sum(FEATURES[name][1] for name in ("near", "nearest_by", "session_near")) / _MOST
"""The share of a score that remains where nothing has a vector."""

BRIEF, LONGEST = 250, 5_000
"""Characters of a text whose length does not count, and of one that gets the whole penalty for it, which grows with its
logarithm. A long text holds words of any topic, and costs a reader more; it gets less of what neighbours say, too."""
ABSENT = 0.6
"""The share of its score that a message keeps where a question names people, and its session neither includes nor
mentions any of them: in an agent's memory of many people, the conversations of others."""
SPREAD = 0.96
"""The share of its score that a message keeps for each better one of its session, where a question gathers its answer
from several texts."""

_DIGITS = 12
_SATURATION, _LENGTH = 1.2, 0.75
"""k1 and b of BM25."""
_AROUND = (-3, -2, -1, 1, 2)
_WINDOW = (-2, -1, 0, 1)
"""The neighbouring turns whose words count for a turn: rare words occur in what it answers."""
_BEST_OF_SESSION = 3
_PART = 5
"""Least letters of a word that is searched inside others."""
# Searched in lower case: twice as fast as ignoring case.
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|morning|recently|since"
    r"|summer|winter|spring|fall|autumn|(?:19|20)\d\d)\b",
)
_NEWS = re.compile(
    r"\b(?:guess what|just|recently|finally|yesterday|today|tonight|ago|the other day|news|since we"
    r"|last (?:week|weekend|month|year|night|\w+day)|this (?:past|morning|week|weekend|month))\b",
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that is compared with a question.

    `chars` is the length of the whole text, where `text` is its beginning; `nearness` is the cosine to the question,
    None without a vector; `session_id` and `ordinal` are a message's place, `speaker` who said it; `at` when it was
    said, or holds from. `eligible`: it may be a hit, not only a neighbour of others. `entities`: how strongly it is
    linked to entities of the question, 0..1. `feedback`: -1..1. `share`: the share of its score that counts.
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
    chars: int = 0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score in 0..1; the values of `why` sum to it."""

    id: str
    score: float
    why: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Read:
    """The passages in matrix form, a row each: the count of each word of the question, the total number of words, the
    nearness, and the rows of its neighbours."""

    met: Floats
    lengths: Floats
    near: Floats
    around: Mapping[int, Places]

    def has(self) -> Bools:
        return self.met > 0

    def beside(self, values: Floats, step: int) -> Floats:
        """The values of the neighbours at a distance of `step` turns, 0 where nothing was read."""
        places = self.around[step]
        return np.where(_some(places, values.ndim), values[places], 0.0)


def rank(
    asked: Asked,
    passages: Sequence[Passage],
    limit: int | None = None,
    weights: Mapping[str, float] | None = None,
    features: Floats | None = None,
) -> list[Ranked]:
    """The eligible passages, best first, ties by id. Scores are in 0..1 and comparable across questions: 1 would be a
    passage with the maximum of every signal.

    `limit`: how many at most. `weights`: replacements for weights in `FEATURES`. `features`: those of these passages,
    where they are known from before.
    """
    if not passages:
        return []
    chosen = {name: weight for name, (_, weight) in FEATURES.items()} | dict(weights or {})
    if features is None:
        features = features_of(asked, passages)
    parts = features * np.array([chosen[name] for name in FEATURES]) / _MOST
    # Rounded, so that passages of equal score are ordered by their ids and not by the last bit of a sum.
    shares = np.array([passage.share for passage in passages]) * _present(asked, passages)
    parts = np.round(parts * shares[:, None], _DIGITS)
    best = _best_first(passages, parts)
    if asked.gathers:
        parts = np.round(parts * _spread(passages, best)[:, None], _DIGITS)
        best = _best_first(passages, parts)
    return [Ranked(passages[place].id, *_told(parts[place])) for place in best[:limit]]


def _best_first(passages: Sequence[Passage], parts: Floats) -> list[int]:
    """The places of the eligible passages."""
    scores = np.round(np.clip(parts.sum(axis=1), 0.0, 1.0), _DIGITS)
    eligible = [place for place, passage in enumerate(passages) if passage.eligible]
    return sorted(eligible, key=lambda place: (-scores[place], passages[place].id))


def _spread(passages: Sequence[Passage], best: Sequence[int]) -> Floats:
    """The share that each passage keeps given the better ones of its session; all of it where it is no message."""
    shares = np.ones(len(passages))
    better: dict[str | None, int] = defaultdict(int)
    for place in best:
        if passages[place].ordinal is not None:
            shares[place] = SPREAD ** better[passages[place].session_id]
            better[passages[place].session_id] += 1
    return shares


def _present(asked: Asked, passages: Sequence[Passage]) -> Floats:
    """The share that each passage keeps given the people that a question names; all of it where it names no speaker.
    Only messages belong to a session."""
    who = people({one.speaker for one in passages if one.speaker}, asked.text)
    shares = np.ones(len(passages))
    if not who:
        return shares
    names = re.compile(rf"\b(?:{'|'.join(sorted({re.escape(words(one)[0]) for one in who}))})\b")
    messages = [one for one in passages if one.ordinal is not None]
    theirs = {one.session_id for one in messages if one.speaker in who}
    theirs |= {one.session_id for one in messages if one.session_id not in theirs and names.search(fold(one.text))}
    shares[[one.ordinal is not None and one.session_id not in theirs for one in passages]] = ABSENT
    return shares


def _told(parts: Floats) -> tuple[float, dict[str, float]]:
    """The score from all features, and the share of each signal."""
    why: dict[str, float] = defaultdict(float)
    for (signal, _), part in zip(FEATURES.values(), parts.tolist(), strict=True):
        if part:
            why[signal] += part
    score = round(sum(why.values()), _DIGITS)
    return (min(1.0, score), dict(why)) if score > 0 else (0.0, {})


def weigh(asked: Asked, passages: Sequence[Passage]) -> dict[str, dict[str, float]]:
    """The features of each passage, by its id: each in 0..1, `feedback` in -1..1, `length` in -1..0."""
    features = features_of(asked, passages).tolist() if passages else []
    return {passage.id: dict(zip(FEATURES, row, strict=True)) for passage, row in zip(passages, features, strict=True)}


def features_of(asked: Asked, passages: Sequence[Passage]) -> Floats:
    """A row for each passage, of which there is one at least, and a column for each of `FEATURES`."""
    speaker = named({passage.speaker for passage in passages if passage.speaker}, asked.text)
    of_speaker = set(stems(speaker)) if speaker else set()
    terms = [term for term in asked.stems if term not in of_speaker] or list(asked.stems)
    texts = [stems(passage.text) for passage in passages]
    read = _read(passages, texts, terms)
    rarity = _rarity(read)
    most = float(rarity.sum()) or 1.0
    covered = read.has() @ rarity / most
    nearby = np.any([read.beside(read.met, step) > 0 for step in read.around], axis=0) @ rarity / most
    own = np.divide(
        covered, nearby, out=np.zeros_like(covered), where=nearby > 0
    )  # the words of the surroundings, weighted for those here
    rare = _bm25(read, rarity) / most
    previous, behind = read.beside(read.near, -1), read.beside(read.near, 1)
    session_words, session_near = _sessions(passages, read, covered, rarity / most)
    said = [passage.text for passage in passages]
    lowered = [text.lower() for text in said]
    lengths = np.array([max(one.chars, len(one.text), BRIEF) for one in passages], dtype=float)
    share = BRIEF / lengths
    columns: Mapping[str, Floats | list[float]] = {
        "rare_words": rare * own,
        "rare_words_nearby": rare * (1 - own) * share,
        "covered": covered,
        "covered_nearby": (nearby - covered) * share,
        "identifiers": _identifiers(asked, read, terms, said),
        "near": read.near,
        "nearest_by": read.near + np.maximum(0.0, np.maximum(previous, behind) - read.near) * share,
        "session_words": session_words,
        "session_near": session_near,
        "speaker": [float(speaker is not None and _said_by(one, speaker, of_speaker)) for one in passages],
        "date": _dates(asked, passages, texts, covered),
        "tells_when": _tells(asked.when, _TIME, lowered),
        "news": [float(bool(_NEWS.search(text))) for text in lowered],
        "entities": [min(1.0, passage.entities) for passage in passages],
        "feedback": [max(-1.0, min(1.0, passage.feedback)) for passage in passages],
        "length": -np.minimum(1.0, np.log(lengths / BRIEF) / np.log(LONGEST / BRIEF)),
    }
    return np.column_stack([columns[name] for name in FEATURES])


def newest_first(ranked: Sequence[Ranked], successors: Mapping[str, Collection[str]]) -> list[Ranked]:
    """The order in which nothing superseded is above its successor.

    `successors` maps superseded candidates to what states it now; such a candidate moves directly after the last of
    these that was found, with at most its score, so that scores never rise along the list.

    >>> new, old = Ranked("new", 0.5, {"words": 0.5}), Ranked("old", 0.8, {"words": 0.8})
    >>> [(r.id, r.score) for r in newest_first([old, new], {"old": ["new"]})]
    [('new', 0.5), ('old', 0.5)]
    """
    scores = {candidate.id: candidate.score for candidate in ranked}
    settled: list[tuple[float, int, str, Ranked]] = []
    for candidate in ranked:
        ahead = [scores[id_] for id_ in successors.get(candidate.id, ()) if id_ in scores and id_ != candidate.id]
        ceiling = min(ahead, default=1.0)
        capped = lowered(candidate, ceiling)
        settled.append((-capped.score, 1 if ahead else 0, candidate.id, capped))
    return [candidate for _, _, _, candidate in sorted(settled, key=lambda row: row[:3])]


def lowered(candidate: Ranked, ceiling: float) -> Ranked:
    """The candidate with a score of at most `ceiling`, and its parts in proportion."""
    if candidate.score <= ceiling:
        return candidate
    share = ceiling / candidate.score
    return Ranked(candidate.id, ceiling, {name: part * share for name, part in candidate.why.items()})


def _read(passages: Sequence[Passage], texts: Sequence[Sequence[str]], terms: Sequence[str]) -> _Read:
    column = {term: place for place, term in enumerate(terms)}
    met = np.zeros((len(passages), len(terms)))
    for row, text in enumerate(texts):
        for word in text:
            if word in column:
                met[row, column[word]] += 1
    for term in terms:
        if is_part(term) and not met[:, column[term]].any():
            # No text has the word: it may be a part of one, such as an identifier.
            met[:, column[term]] = [float(fold(passage.text).count(term)) for passage in passages]
    return _Read(
        met,
        np.array([float(len(text)) for text in texts]),
        np.array([max(0.0, passage.nearness or 0.0) for passage in passages]),
        _around(passages),
    )


def is_part(term: str) -> bool:
    """Whether a word of a question is searched inside other words if no text has it: long enough to mean the same
    there, with a digit, or of a script without word boundaries."""
    return len(term) >= _PART or not term.isalpha() or not term.isascii()


def unmet(asked: Asked, texts: Iterable[str]) -> list[str]:
    """The words of a question that none of these texts has, and that may be part of words in others."""
    left = {term for term in asked.stems if is_part(term)}
    for text in texts:
        if not left:  # mostly so after a few
            break
        left.difference_update(stems(text))
    return [term for term in asked.stems if term in left]


def _around(passages: Sequence[Passage]) -> dict[int, Places]:
    """For each step, and each message, the row of the message that many turns before or after it, -1 for none; any
    other text has no neighbours."""
    placed = {(one.session_id, one.ordinal): row for row, one in enumerate(passages) if one.ordinal is not None}
    around = {0: np.arange(len(passages))}
    for step in _AROUND:
        around[step] = np.array(
            [-1 if one.ordinal is None else placed.get((one.session_id, one.ordinal + step), -1) for one in passages]
        )
    return around


def _some(places: Places, dimensions: int) -> Bools:
    some: Bools = places >= 0
    return some[:, None] if dimensions == 2 else some


def _rarity(read: _Read) -> Floats:
    """The weight of each word by BM25, counted over twice the number of passages read. These are the best of all texts,
    so a word that is rare among them is rare everywhere."""
    total = 2 * len(read.met)
    counts = read.has().sum(axis=0)
    rarity: Floats = np.log(1 + (total - counts + 0.5) / (counts + 0.5))
    return rarity


def _bm25(read: _Read, rarity: Floats) -> Floats:
    """The score over each passage with its direct neighbours."""
    usual = float(read.lengths.mean())
    length = np.sum([read.beside(read.lengths, step) for step in _WINDOW], axis=0)
    counts = np.sum([read.beside(read.met, step) for step in _WINDOW], axis=0)
    damping = _SATURATION * (1 - _LENGTH + _LENGTH * length / (usual * len(_WINDOW) or 1.0))
    score: Floats = (counts / (counts + damping[:, None])) @ rarity
    return score


def _identifiers(asked: Asked, read: _Read, terms: Sequence[str], texts: Sequence[str]) -> Floats:
    """The share of the phrases, identifiers and numbers of a question, except dates, in each passage itself: an
    identifier in the neighbourhood is of little use."""
    dates = {str(number) for number in asked.years | asked.days}
    columns = [place for place, term in enumerate(terms) if not term.isalpha() and term.isascii() and term not in dates]
    found = [read.has()[:, columns].astype(float)]
    if asked.phrases:
        folded = [" ".join(fold(text).split()) for text in texts]
        found.append(np.array([[phrase in text for phrase in asked.phrases] for text in folded], dtype=float))
    every = np.hstack(found)
    return every.mean(axis=1) if every.shape[1] else np.zeros(len(every))


def _sessions(passages: Sequence[Passage], read: _Read, covered: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """The share of the question in the session of each message, and the mean nearness of its nearest messages; any
    other text is its own session."""
    words, near = covered.copy(), read.near.copy()
    placed = [row for row, passage in enumerate(passages) if passage.ordinal is not None]
    if not placed:
        return words, near
    sessions = np.unique([passages[row].session_id or "" for row in placed], return_inverse=True)[1]
    order = np.lexsort((-read.near[placed], sessions))  # by session, the nearest first
    rows, of = np.array(placed)[order], sessions[order]
    begins = np.flatnonzero(np.diff(of, prepend=-1))
    words[rows] = (np.logical_or.reduceat(read.has()[rows], begins) @ shares)[of]
    best = np.arange(len(rows)) - begins[of] < _BEST_OF_SESSION
    near[rows] = (np.add.reduceat(read.near[rows] * best, begins) / np.add.reduceat(best, begins, dtype=float))[of]
    return words, near


def _tells(asked: bool, form: re.Pattern[str], texts: Sequence[str]) -> list[float]:
    return [float(bool(form.search(text))) for text in texts] if asked else [0.0] * len(texts)


def _said_by(passage: Passage, speaker: str, of_speaker: Collection[str]) -> bool:
    """Whether the named person said it, or, for a text without a speaker, whether it names the person."""
    if passage.speaker is not None or passage.ordinal is not None:
        return passage.speaker == speaker
    return not set(of_speaker).isdisjoint(stems(passage.text))


def _dates(asked: Asked, passages: Sequence[Passage], texts: Sequence[Sequence[str]], covered: Floats) -> list[float]:
    """How well the day of each passage fits the question, by the days it names, or by its event."""
    event = _day_of_event(asked, passages, texts, covered)
    if event is None:
        return [_dated(asked, passage.at) for passage in passages]
    return [
        2 / 3 if at is not None and (at.date() < event if asked.side == "before" else at.date() > event) else 0.0
        for at in (passage.at for passage in passages)
    ]


def _day_of_event(
    asked: Asked, passages: Sequence[Passage], texts: Sequence[Sequence[str]], covered: Floats
) -> date | None:
    """The day of the event, from the passage that mentions it and has most of the other words of the question."""
    telling = [
        (-covered[row], passage.at, passage)
        for row, passage in enumerate(passages)
        if asked.event and passage.at is not None and set(asked.event) <= set(texts[row])
    ]
    if not telling:
        return None
    _, at, passage = min(telling, key=lambda told: told[:2])
    return day_of(passage.text, at)


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
