"""A conversation as the input of recaps: turns with their sentences, and what the graph knows about them."""

from collections import defaultdict
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
from graphmem.rules.turns.pasted import results_in
from graphmem.rules.turns.sentences import READ_CHARS, is_courtesy, is_reversal, said
from graphmem.rules.turns.standing import Point, SpokenTurn, Standing

READ_RESULTS = 30
"""The last tool results of a session that are read."""
SAME = 0.7
"""Least share of common words at which two sentences say the same."""
MOST_DECISIONS = 60
"""Most decisions that are compared with each other."""
SHORT = 6
"""Words below which an answer is told with its question."""


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
    def sentences(self) -> list[list[str]]:
        """What people and assistants said, turn by turn; tool results have no sentences."""
        return [said(turn.text) if turn.role in ("user", "assistant") else [] for turn in self.turns]

    @cached_property
    def standing(self) -> Standing:
        turns = [
            SpokenTurn(turn.role, told, turn.importance, turn.shift)
            for turn, told in zip(self.turns, self.sentences, strict=True)
        ]
        drawn = {(fact.place, sentence) for fact in self.facts for sentence in self._stating(fact)}
        return Standing(turns, self._stale(), frozenset(drawn))

    def _stating(self, fact: RecapFact) -> list[str]:
        """The sentences of its turn that a fact was drawn from."""
        words = set(content_words(fact.text))
        return [
            sentence
            for sentence in self.sentences[fact.place]
            if len(words & set(content_words(sentence))) >= SAME * len(words)
        ]

    def _stale(self) -> frozenset[tuple[int, str]]:
        """The sentences that state something superseded, and not also what took its place."""
        gone = [
            (words, set(content_words(fact.current or "")) - words)
            for fact in self.facts
            if fact.superseded and (words := set(content_words(fact.text)))
        ]
        if not gone:
            return frozenset()
        return frozenset(
            (place, sentence)
            for place, told in enumerate(self.sentences)
            for sentence in told
            if (words := set(content_words(sentence)))
            and any(len(old & words) >= SAME * len(old) and not (new and new <= words) for old, new in gone)
        )

    @cached_property
    def spoken_places(self) -> list[int]:
        """The turns in which something was said."""
        return [place for place, told in enumerate(self.sentences) if any(not is_courtesy(one) for one in told)]

    @cached_property
    def results(self) -> dict[int, ToolReading]:
        """The last tool results that say something, by their turns, and the last that a user pasted into a turn."""
        places = [place for place, turn in enumerate(self.turns) if turn.role == "tool"][-READ_RESULTS:]
        read = {place: read_tool_result(self.turns[place].text) for place in places}
        found = {place: reading for place, reading in read.items() if not reading.routine}
        for place, turn in enumerate(self.turns):
            if turn.role == "user" and (pasted := results_in(turn.text[:READ_CHARS])):
                found[place] = pasted[-1]
        return dict(sorted(found.items()))

    @cached_property
    def holding(self) -> list[Point]:
        """The points that hold, in order; of decisions those that no later one takes back."""
        points = [point for point in self.standing.points if not point.over]
        best = sorted((one for one in points if one.is_decision), key=lambda one: -one.worth)[:MOST_DECISIONS]
        taken = self._taken_back(sorted(best, key=lambda one: one.number))
        return [point for point in points if point.number not in taken]

    def _taken_back(self, found: Sequence[Point]) -> set[int]:
        taken: set[int] = set()
        for at, one in enumerate(found):
            later = (
                other.text for other in found[at + 1 :] if other.place > one.place and len(one.words & other.words) > 1
            )
            if any(self._takes_back(one.text, newer) for newer in later):
                taken.add(one.number)
        return taken

    def _takes_back(self, older: str, newer: str) -> bool:
        try:
            verdict = self.contradicts(Claim(content=older), Claim(content=newer))
        except InvalidInput:
            return False
        return verdict.conflict or (is_reversal(newer) and bool(verdict.signals))

    def of(self, place: int) -> list[str]:
        return self.sentences[place]

    def best(self, place: int) -> Point | None:
        """The point of a turn that is worth most; None where it has none."""
        return max(self.standing.at(place), key=lambda one: one.worth, default=None)

    def saying(self, fact: str, place: int | None) -> Point | None:
        """The point that says a fact, of a turn or of all: it has most words of the shorter one. None where there is
        none."""
        words = set(content_words(fact))

        def share(point: Point) -> float:
            own = set(content_words(point.text))
            return len(own & words) / (min(len(own), len(words)) or 1)

        best = max(self.standing.points if place is None else self.standing.at(place), key=share, default=None)
        return best if best and share(best) >= SAME else None

    def line(self, point: Point, *, alone: bool = False) -> Line:
        """A point as a line; a short answer with its question. `alone`: the sentence before it is told already."""
        text = self.standing.told(point, alone=alone)
        places: tuple[int, ...] = (point.place,)
        if point.answers and len(point.words) < SHORT and (asked := self._question_before(point)):
            text, places = f"“{asked.text}” – {text}", (asked.place, point.place)
        return Line(text, places, worth=point.worth)

    def _question_before(self, point: Point) -> Point | None:
        earlier = self.standing.points[: point.number]
        return next((one for one in reversed(earlier) if one.place < point.place and one.question), None)

    def unlike(self, points: Iterable[Point]) -> list[Point]:
        """The points that do not repeat an earlier one of them; of what is said twice the later words."""
        kept: list[Point] = []
        of_word: dict[str, list[int]] = defaultdict(list)  # places in `kept`; a few too many, after an exchange
        for point in points:
            alike = sorted({at for word in point.words for at in of_word[word]})
            same = next((at for at in alike if self.standing.repeats(kept[at], point)), None)
            if same is None:
                same = len(kept)
                kept.append(point)
            elif point.number > kept[same].number and len(point.words) >= len(kept[same].words):
                kept[same] = point
            else:
                continue
            for word in point.words:
                of_word[word].append(same)
        return kept
