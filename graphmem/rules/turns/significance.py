"""Whether a session is worth reading: three measures with thresholds, of which passing one is enough."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from graphmem.model.answers import Gate
from graphmem.model.significance import GateFigures, Spoken, Vector, Verdict
from graphmem.rules.language.text import STOP_WORDS, canonical_name, words

USER_CHARS = 20
ASSISTANT_CHARS = 50
"""A message with more characters than this counts. Source: Signet's significance gate."""
IMPORTANT_MENTIONS = 3
"""Least mentions of an important entity. Source: as above."""
ENDED_SESSIONS = 20
"""The number of most recently ended sessions of the project with which a session is compared."""

_READ_CHARS = 1_000
_GREETING_WORDS = """
hi hello hey hiya howdy greetings yo ok okay k kk alright right sure yes yeah yep yup no nope nah fine thanks thank thx
ty cheers bye goodbye gotcha understood roger noted great nice perfect cool awesome excellent wonderful fantastic
brilliant amazing lovely super good welcome sorry please agreed correct indeed exactly absolutely certainly definitely
done got sounds appreciate appreciated pleasure glad happy worries problem anytime
"""
_AROUND_WORDS = """
a again all and anything are as assistance at be been being best by can course day days did do does doing else evening
everyone everybody folks could for from going have help helped helpful hope how i i'd i'll i'm in is it it's its just
later let lot luck makes me morning much my need night now of on question questions really see sense so soon talk team
that that's thats the then there this to today tomorrow tonight too very was we well what will with work works worked
would you you're you've your afternoon time weekend
"""
_GREETINGS = frozenset(_GREETING_WORDS.split())
"""Words that greet or acknowledge."""
_COURTESY = _GREETINGS | frozenset(_AROUND_WORDS.split())
"""These, and words without meaning next to them."""
_NAMED_AFTER = frozenset({"there", "all", "everyone", "again", "team", "folks"})
_PIECES = re.compile(r"[.,!?;:…\n—–-]+(?:\s|$)|\n+")
_EDGES = re.compile(r"[\s/,;:|()\[\]{}<>]+")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A session with fewer substantive turns, fewer important entities and less novelty than these is skipped.

    Defaults: the seed's pipeline.minTurns, minEntityOverlap and noveltyThreshold.
    """

    min_turns: int = 5
    min_entity_overlap: int = 1
    novelty_threshold: float = 0.15

    def named(self) -> dict[str, float]:
        """The values by their names in answers."""
        return {
            "minTurns": self.min_turns,
            "minEntityOverlap": self.min_entity_overlap,
            "noveltyThreshold": self.novelty_threshold,
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """The distance of sessions that say the same (`same` and less: novelty 0) and of unrelated ones (`other` and more:
    1), as 1 − cosine of their mean vectors."""

    same: float = 0.0
    other: float = 1.0

    def novelty(self, distance: float) -> float:
        """
        >>> Calibration(0.0, 0.5).novelty(0.25)
        0.5
        """
        return min(1.0, max(0.0, (distance - self.same) / (self.other - self.same)))


CALIBRATIONS: Mapping[str, Calibration] = {"all-MiniLM-L6-v2": Calibration(0.2, 0.7)}
"""By the id of the embedder; others: raw. Measured in docs/decisions/0035-gate-sessions-before-reading-them.md."""


def beyond_courtesy(text: str) -> str:
    """A text without greetings and acknowledgments, with single spaces.

    >>> beyond_courtesy("Hi there! Thanks so much. Which port does billing use?")
    'Which port does billing use'
    """
    said = (_without_greeting(piece) for piece in _PIECES.split(text[:_READ_CHARS]) if piece)
    return " ".join(piece for piece in said if piece)


def substantive_turns(said: Iterable[Spoken]) -> int:
    """How many long enough user messages have a long enough answer before the next user message.

    >>> substantive_turns([Spoken("user", "Which port does billing use?"), Spoken("assistant", "ok")])
    0
    """
    turns, asked = 0, False
    for message in said:
        if message.role == "user":
            asked = len(beyond_courtesy(message.text)) > USER_CHARS
        elif message.role == "assistant" and asked and len(beyond_courtesy(message.text)) > ASSISTANT_CHARS:
            turns, asked = turns + 1, False
    return turns


def named(said: Iterable[Spoken], important: Sequence[Sequence[str]]) -> int:
    """How many of these entities are named in the messages; each may have several canonical names.

    >>> named([Spoken("user", "Does the Billing-Service know?")], [["billing service"], ["ledger"]])
    1
    """
    sought: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for place, names in enumerate(important):
        for name in names:
            parts = tuple(name.split())
            if parts and name not in STOP_WORDS:
                sought.setdefault(parts[0], []).append((parts, place))
    met: set[int] = set()
    for message in said if sought else ():
        for spoken in _tokens(message.text):
            for start, word in enumerate(spoken):
                for parts, place in sought.get(word, ()):
                    if place not in met and tuple(spoken[start : start + len(parts)]) == parts:
                        met.add(place)
    return len(met)


def mean(vectors: Sequence[Vector]) -> Vector | None:
    """The mean direction of vectors, with length 1; None where it is undefined.

    >>> mean([[1.0, 0.0], [0.0, 1.0]])[0] == mean([[2.0, 2.0]])[0]
    True
    """
    total = [sum(column) for column in zip(*vectors, strict=True)]
    length = sqrt(sum(x * x for x in total))
    return [x / length for x in total] if length > 1e-9 else None


def novelty(own: Vector | None, others: Sequence[Vector], calibration: Calibration) -> float:
    """1 − the highest cosine to any of the others, calibrated, 0..1; 1 without a vector or without others.

    *Source* seed 000, pattern 3; Signet compares words instead of vectors.
    """
    if own is None or not others:
        return 1.0
    nearest = max(sum(x * y for x, y in zip(own, other, strict=True)) for other in others)
    return round(calibration.novelty(1.0 - nearest), 4)


def judge(turn_count: int, entity_overlap: int, novel: float, thresholds: Thresholds, *, force: bool = False) -> Gate:
    """The verdict: significant unless all three are below their thresholds, or by force. `reasons` are the passed
    checks.

    >>> judge(2, 0, 0.9, Thresholds()).reasons, judge(4, 0, 0.1, Thresholds()).significant
    (('novelty',), False)
    """
    passed = {
        "turns": turn_count >= thresholds.min_turns,
        "entities": entity_overlap >= thresholds.min_entity_overlap,
        "novelty": novel >= thresholds.novelty_threshold,
        "forced": force,
    }
    return Gate(
        significant=any(passed.values()),
        reasons=tuple(name for name, held in passed.items() if held),
        turn_count=turn_count,
        entity_overlap=entity_overlap,
        novelty=novel,
        thresholds=thresholds.named(),
    )


def verdict(figures: GateFigures, thresholds: Thresholds, calibration: Calibration, *, force: bool) -> Verdict:
    """The verdict of the gate on a session, with the mean vectors that were computed for it."""
    own = mean(figures.vectors) if figures.ready else None
    others: list[Vector] = []
    made: dict[str, tuple[int, Vector]] = {}
    for one in figures.ended:
        other = one.mean if one.mean is not None else mean(one.vectors)
        if other is None:
            continue
        others.append(other)
        if one.mean is None and one.ready:
            made[one.id] = (one.through, other)
    gate = judge(
        substantive_turns(figures.said),
        named(figures.said, figures.important),
        novelty(own, others, calibration),
        thresholds,
        force=force,
    )
    return Verdict(gate, own, made)


def passed_by_force(gate: Gate) -> Gate:
    """The verdict on a session that is read although it was skipped."""
    return gate.model_copy(update={"significant": True, "reasons": (*gate.reasons, "forced")})


def _without_greeting(piece: str) -> str:
    parts = piece.split()
    folded = ["".join(words(part)) for part in parts]
    said = [word for word in folded if word]
    if said and all(word in _COURTESY for word in said):
        return ""
    first = 0
    while first < len(folded) and (folded[first] in _GREETINGS or (first and folded[first] in _NAMED_AFTER)):
        first += 1
    return " ".join(parts[first:])


def _tokens(text: str) -> Iterator[list[str]]:
    """The words of a text that may form names, with and without inner punctuation: `src/app.py` is one name, and
    `Redis/Kafka` are two."""
    for parts in (text.split(), _EDGES.split(text)):
        yield [word for part in parts if part for word in canonical_name(part).split()]
