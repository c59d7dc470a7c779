"""A conversation as the input of recaps: turns with their sentences, and what the graph knows about them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphmem.errors import InvalidInput
from graphmem.model.knowledge import Claim, Contradiction
from graphmem.model.printed import ToolReading
from graphmem.rules.language.text import content_words
from graphmem.rules.printed import read_tool_result
from graphmem.rules.summaries.recap_lines import Line
from graphmem.rules.turns.mode import Spoken
from graphmem.rules.turns.sentences import (
    Sentence,
    is_courtesy,
    is_decision,
    is_intent,
    is_reversal,
    said,
    weight,
)

READ_RESULTS = 30
"""The last tool results of a session that are read."""
SAME = 0.7
"""Least share of common words at which two sentences say the same."""
LEAST_WEIGHT = 0.25
"""A decision with less information is not worth a line."""
LEAST_TELLING = 0.12
MOST_DECISIONS = 60
"""Most decisions that are compared with each other."""


@dataclass(frozen=True, slots=True)
class RecapTurn:
    """A turn. `importance` and `scores` are None where it is not analysed yet."""

    role: str
    text: str
    calls: bool = False
    called: str = ""
    scores: tuple[float, ...] | None = None
    importance: int | None = None
    shift: bool = False

    @property
    def spoken(self) -> Spoken:
        return Spoken(self.role, self.text, self.calls, self.called, self.scores)


@dataclass(frozen=True, slots=True)
class RecapFact:
    """What extraction found in a turn. `current` is its current successor, where it was superseded, and `current_place`
    the turn that states it; a superseded fact without an active successor has neither."""

    text: str
    place: int
    settled: bool
    importance: float
    superseded: bool = False
    current: str | None = None
    current_place: int | None = None


@dataclass(frozen=True)
class Conversation:
    """All turns of a session in order, with what the graph knows about them. `contradicts` judges an older and a newer
    statement, and may raise InvalidInput for one that is too long."""

    turns: Sequence[RecapTurn]
    facts: Sequence[RecapFact]
    contradicts: Callable[[Claim, Claim], Contradiction]

    @cached_property
    def sentences(self) -> list[Sentence]:
        """What people and assistants said, in order; tool results have no sentences."""
        return [
            Sentence(one, place)
            for place, turn in enumerate(self.turns)
            if turn.role in ("user", "assistant")
            for one in said(turn.text)
        ]

    @cached_property
    def document_frequency(self) -> Counter[str]:
        """The number of sentences with each word."""
        return Counter(word for one in self.sentences for word in set(content_words(one.text)))

    @cached_property
    def spoken_places(self) -> list[int]:
        """The turns with sentences."""
        return list(dict.fromkeys(one.place for one in self.sentences if not is_courtesy(one.text)))

    @cached_property
    def results(self) -> dict[int, ToolReading]:
        """The last tool results that say something, by their turns."""
        places = [place for place, turn in enumerate(self.turns) if turn.role == "tool"][-READ_RESULTS:]
        read = {place: read_tool_result(self.turns[place].text) for place in places}
        return {place: reading for place, reading in read.items() if not reading.routine}

    def of(self, place: int) -> list[str]:
        return [one.text for one in self.sentences if one.place == place]

    def best(self, place: int) -> str | None:
        """The most informative sentence of a turn; None where it has none."""
        return max(self.of(place), key=weight, default=None)

    def rank(self, one: Sentence) -> float:
        """The importance of a sentence: its information, and the importance of its turn."""
        turn = self.turns[one.place]
        importance = 5 if turn.importance is None else turn.importance
        return weight(one.text) * (0.5 + importance / 10) + 0.3 * turn.shift

    @cached_property
    def stale(self) -> list[set[str]]:
        """The words of superseded facts."""
        return [set(content_words(fact.text)) for fact in self.facts if fact.superseded]

    def is_stale(self, sentence: str) -> bool:
        """Whether a sentence states something superseded."""
        words = set(content_words(sentence))
        return any(old and len(old & words) >= SAME * len(old) for old in self.stale)


def line_of(one: Sentence) -> Line:
    return Line(one.text, (one.place,))


def decisions(talk: Conversation) -> list[Line]:
    """Decisions that are still valid: those in the graph, then those in sentences, the most important first.

    For a superseded decision the current value is given, with both sources.
    """
    lines: list[Line] = []
    for fact in talk.facts:
        if not fact.superseded and fact.settled:
            lines.append(Line(fact.text, (fact.place,)))
        elif fact.superseded and fact.current:
            places = dict.fromkeys(place for place in (fact.current_place, fact.place) if place is not None)
            lines.append(Line(f"{fact.current} (before: {fact.text})", tuple(places)))
    found = [
        one
        for one in talk.sentences
        if is_decision(one.text) and not is_intent(one.text) and weight(one.text) > LEAST_WEIGHT
    ]
    best = sorted(found, key=lambda one: -talk.rank(one))[:MOST_DECISIONS]
    holding = _holding(talk, sorted(best, key=lambda one: one.place))
    lines.extend(line_of(one) for one in sorted(holding, key=lambda one: -talk.rank(one)))
    return _unlike(lines)


def current_facts(talk: Conversation) -> list[Line]:
    """The valid decisions in the graph, the most important first."""
    held = sorted((fact for fact in talk.facts if not fact.superseded), key=lambda fact: -fact.importance)
    return _unlike([Line(fact.text, (fact.place,)) for fact in held])


def telling(talk: Conversation) -> list[Line]:
    """Decisions in other sentences, the most informative first."""
    found = sorted(talk.sentences, key=lambda one: -talk.rank(one))
    return [line_of(one) for one in found if weight(one.text) > LEAST_TELLING and not talk.is_stale(one.text)]


def _holding(talk: Conversation, found: Sequence[Sentence]) -> list[Sentence]:
    """The decisions that no later one contradicts."""
    words = [set(content_words(one.text)) for one in found]
    kept = []
    for number, one in enumerate(found):
        if talk.is_stale(one.text):
            continue
        later = [
            found[other].text
            for other in range(number + 1, len(found))
            if found[other].place > one.place and len(words[other] & words[number]) >= 2
        ]
        if not any(_takes_back(talk, one.text, newer) for newer in later):
            kept.append(one)
    return kept


def _takes_back(talk: Conversation, older: str, newer: str) -> bool:
    try:
        verdict = talk.contradicts(Claim(content=older), Claim(content=newer))
    except InvalidInput:
        return False
    return verdict.conflict or (is_reversal(newer) and bool(verdict.signals))


def _unlike(lines: Iterable[Line]) -> list[Line]:
    """The lines that do not repeat an earlier line."""
    kept: list[tuple[Line, set[str]]] = []
    for line in lines:
        words = set(content_words(line.text))
        if not any(len(words & other) >= SAME * min(len(words), len(other)) for _, other in kept if other and words):
            kept.append((line, words))
    return [line for line, _ in kept]
