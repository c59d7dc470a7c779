"""How a conversation stands: its sentences, which of them later ones took the place of, and how much each is worth to
somebody who comes back.

Three grounds show that a sentence no longer holds: the graph knows that its fact was superseded; a later one gives
another number for the same thing; a later one drops what it names. Rules are never taken to be dropped by words alone.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from operator import mul

from graphmem.rules.claims import UNITS
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import content_words
from graphmem.rules.reading.statements import is_constraint
from graphmem.rules.turns.sentences import Cue, cue, cues_in, is_courtesy, is_done, is_open, is_question, names_in

FEATURES = (
    "bias",
    "user",
    "decision",
    "user_rule",
    "other_rule",
    "constraint",
    "goal",
    "open",
    "intent",
    "reversal",
    "supposed",
    "done",
    "question",
    "measure",
    "measures",
    "names",
    "capital",
    "negation",
    "length",
    "long",
    "short",
    "importance",
    "shift",
    "recency",
    "echoes",
    "accepted",
    "answers",
    "drawn",
    "themes",
    "lasting",
    "turn_size",
    "first",
)
"""What the worth of a point is judged by."""
TOGETHER = (
    "user",
    "decision",
    "user_rule",
    "open",
    "reversal",
    "measure",
    "names",
    "echoes",
    "importance",
    "recency",
    "length",
    "question",
)
"""Features that also count two by two: a number in a decision tells more than both alone."""
_TOGETHER = tuple(map(FEATURES.index, TOGETHER))
PAIRS = tuple(combinations(_TOGETHER, 2))
WEIGHTED = (*FEATURES, *(f"{FEATURES[one]} and {FEATURES[other]}" for one, other in PAIRS))
"""What has a weight: each of `FEATURES`, and each pair of those in `TOGETHER`."""
WEIGHTS_FILE = "standing.json"
_MEASURE = re.compile(r"(?<![\w.,:/-])([€$£]?\d+(?:[.,:]\d+)*)(?:\s?([%€$£]|°\s?[CF]?|[^\W\d_]{2,}))?")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\W{0,3}$")
_BREAK = re.compile(
    r"[,;:.!?()—–]\s|[.!?]$| - |\s(?:to|auf|zu[mr]?|nach)\s|\s(?:i|we|you|they|he|she|it|ich|wir|ihr|sie|er|man)\s",
    re.IGNORECASE,
)
"""Where the name of what is dropped ends: at a mark, at what it goes to, or at the next subject."""
_BARE = re.compile(r"(?<![\w.,:/-])(\d+(?:[.,]\d+)*)(?![\w:/-]|[.,]\d)")
_LABEL = re.compile(r"\b[^\W\d_]+[-_]?\d+\b")
_ORDINAL = re.compile(r"^(\d{1,2})(?:st|nd|rd|th|\.)?$")
_DATE = re.compile(r"(?<![\w.])(\d{1,2})\.(\d{1,2})\.(?!\d{1,2}\.)(?:\d{2,4})?")
DATE, CLOCK = "date", "clock"
_KNOWN = frozenset({DATE, CLOCK, *(unit for unit, _ in UNITS.values())})
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?")
AMENDED_TURNS, AMENDED_WORDS = 4, 2
"""How many turns ago, at most, a number was told that "make it 12" replaces, and the most other words around that."""
_PARTS = re.compile(
    r"[;()|\[\]—–]|[,:]\s|\s-\s|\b(?:and|but|so|because|then|und|aber|weil|damit|dann)\b", re.IGNORECASE
)
_MARKUP = re.compile(r"[*_`]+")
_CAPITAL = re.compile(r"(?<=[^\W\d] )[A-ZÄÖÜ]\w")
_NEGATION = re.compile(r"(?i)\b(?:no|not|never|none|nobody|nothing|without|nor|kein\w*|nicht|nie\w*|ohne)\b|n['’]t\b")
HEADING_WORDS = 4
JOINED_CHARS = 240
"""Most characters of two sentences in one line."""
EARLY, THEMES, MANY, LONG, SHORT = 0.1, 5, 12, 25, 4
"""The share of a conversation in which goals are told; words of a sentence that show its themes; turns from which on a
word stands too often to be said for the last time; words of a long sentence, and of one that is not short."""
RARE = 0.02
"""The largest share of the sentences that a telling word stands in, from `FEW` on."""
FEW = 6
RIVAL, RIVAL_OF_LONGER, RESTATED = 0.5, 0.34, 0.45
"""Least share of the weight of their words, of the shorter and of the longer one, that rivals have in common; of the
shorter one where a rule is laid down anew."""
ECHO, SAME = 0.5, 0.7
"""Least share at which another speaker says it again, and at which a line would repeat another."""
MOST_ALIKE = 40
"""Sentences that share a word and are compared; a word in more of them tells nothing."""
DROPPED_WORDS = 5
"""Content words behind a word of dropping that name what is dropped."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with what it counts, and the words around it."""

    value: str
    unit: str
    words: frozenset[str]
    text: str


@dataclass(slots=True)
class Point:
    """A sentence of a conversation. `replaced_by`: the later point that took its place; `over`: it no longer holds."""

    number: int
    text: str
    place: int
    role: str
    first: bool
    cues: frozenset[Cue]
    question: bool
    open: bool
    constraint: bool
    words: frozenset[str]
    measures: tuple[Measure, ...]
    drawn: bool = False
    over: bool = False
    replaced_by: int | None = None
    worth: float = 0.0
    names: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    """Names with a number, such as job-0: what is said of two of them is not said of the same."""
    echoes: int = 0
    accepted: bool = False
    answers: bool = False

    @property
    def is_rule(self) -> bool:
        """Whether somebody lays down how things are to be done."""
        told = self.constraint or ("rule" in self.cues and not self.question)
        return told and self.role == "user" and not self.open

    @property
    def is_decision(self) -> bool:
        """Whether it says what was chosen: not what is merely thought of, unless the other side took it."""
        return (
            "decision" in self.cues
            and not self.question
            and not self.open
            and ("supposed" not in self.cues or self.accepted)
        )


@dataclass(frozen=True)
class SpokenTurn:
    """What is needed of a turn: its sentences, in order."""

    role: str
    sentences: Sequence[str]
    importance: int | None = None
    shift: bool = False


@dataclass
class Standing:
    """All sentences of a conversation as points. `stale` says whether the graph knows a sentence to be superseded, and
    `drawn` are places and texts of what was extracted."""

    turns: Sequence[SpokenTurn]
    stale: "frozenset[tuple[int, str]]" = frozenset()
    drawn: "frozenset[tuple[int, str]]" = frozenset()
    points: list[Point] = field(init=False)

    def __post_init__(self) -> None:
        self.points = list(self._read())
        self._link()
        self._compare()
        self._restore()
        for point in self.points:
            point.worth = worth(self.features(point))

    def _read(self) -> Iterator[Point]:
        number = 0
        for place, turn in enumerate(self.turns):
            listing, first = False, True
            for text in turn.sentences:
                if heading := _heading(text):
                    listing = is_open(heading)
                if heading or is_courtesy(text):
                    continue
                question = is_question(text)
                yield Point(
                    number=number,
                    text=text,
                    place=place,
                    role=turn.role,
                    first=first,
                    cues=cues_in(text),
                    question=question,
                    open=_asks_openly(text) if question else listing or is_open(text),
                    constraint=not question and is_constraint(text),
                    words=_keys(text),
                    measures=_measures(text),
                    names=tuple(names_in(text)),
                    labels=frozenset(_LABEL.findall(text.lower())),
                    over=(place, text) in self.stale,
                    drawn=(place, text) in self.drawn,
                )
                first = False
                number += 1

    def at(self, place: int) -> Sequence[Point]:
        """The points of a turn, in order."""
        return self._at.get(place, ())

    @cached_property
    def _at(self) -> dict[int, list[Point]]:
        found: dict[int, list[Point]] = defaultdict(list)
        for point in self.points:
            found[point.place].append(point)
        return found

    def _link(self) -> None:
        """Which points were accepted by the other side, which answer a question, and what a number alone counts."""
        spoken = [place for place, turn in enumerate(self.turns) if turn.sentences]
        before = {place: spoken[n - 1] if n else None for n, place in enumerate(spoken)}
        after = {place: spoken[n + 1] if n + 1 < len(spoken) else None for n, place in enumerate(spoken)}
        for point in self.points:
            point.measures = self._counted(point)
            following, previous = after[point.place], before[point.place]
            if following is not None and self.turns[following].role != point.role:
                reply = self.turns[following].sentences[0]
                point.accepted = bool(cue("accepted").match(reply.lstrip(" \"'(")))
            if previous is not None and self.turns[previous].role != point.role and point.first:
                point.answers = any(is_question(text) for text in self.turns[previous].sentences)

    @cached_property
    def _idf(self) -> dict[str, float]:
        counted = Counter(word for point in self.points for word in point.words)
        return {word: math.log(1 + len(self.points) / (1 + times)) for word, times in counted.items()}

    @cached_property
    def _masses(self) -> list[float]:
        return [sum(map(self._idf.__getitem__, point.words)) for point in self.points]

    def idf(self, word: str) -> float:
        """How telling a word is; one that stands nowhere tells most."""
        return self._idf.get(word, math.log(1 + len(self.points)))

    def idf_of(self, word: str) -> float:
        """How telling a word is, as it is written."""
        return self.idf(stem(word))

    @cached_property
    def _least_rare(self) -> float:
        return math.log(1 + len(self.points) / (1 + max(FEW, RARE * len(self.points))))

    def is_rare(self, word: str) -> bool:
        return self.idf(word) >= self._least_rare

    def shared(self, one: Point, other: Point) -> float:
        """The share of the weight of the shorter one's words that both have."""
        mass = min(self._masses[one.number], self._masses[other.number])
        return sum(map(self.idf, one.words & other.words)) / mass if mass else 0.0

    def _compare(self) -> None:
        """Which points took the place of which, and which are said again."""
        holding: dict[str, list[int]] = defaultdict(list)
        for later in self.points:
            shared: dict[int, float] = defaultdict(float)
            for word in later.words:
                alike = holding[word]
                if len(alike) <= MOST_ALIKE:
                    weight = self._idf[word]
                    for number in alike:
                        shared[number] += weight
                alike.append(later.number)
            self._replace(later, shared)

    def _replace(self, later: Point, shared: Mapping[int, float]) -> None:
        """What one point replaces and repeats among those that share words with it, by the weight of these."""
        dropped, amended = self._dropped(later), self._amends(later)
        measures = bool(later.measures) and not later.question
        lays_down = later.role == "user" and (later.is_rule or later.is_decision)
        mass = self._masses[later.number]
        for number, weight in shared.items():
            earlier = self.points[number]
            if earlier.place == later.place or (
                earlier.labels and later.labels and earlier.labels.isdisjoint(later.labels)
            ):
                continue
            if earlier.role != later.role and weight >= ECHO * min(mass, self._masses[number]):
                earlier.echoes += 1
                later.echoes += 1
            if not earlier.over and (
                (measures and earlier.measures and self._rival(earlier, later))
                or (dropped and self._drops(dropped, earlier))
                or (lays_down and self._restates(earlier, later))
            ):
                earlier.over, earlier.replaced_by = True, later.number
        for earlier in amended:
            if not earlier.over:
                earlier.over, earlier.replaced_by = True, later.number

    def _rival(self, earlier: Point, later: Point) -> bool:
        """Whether the later one gives another number for the same thing: in a part of it with words of that part of the
        earlier one in which its number stands."""
        if later.over:
            return False
        if "supposed" in later.cues and not later.accepted:
            return False
        same = {(one.unit, one.value) for one in later.measures}
        return any(
            old.unit == new.unit
            and old.value != new.value
            and (old.unit, old.value) not in same
            and (self._alike(old.words, new.words) or (self._is_own(old) and not old.words))
            for old in earlier.measures
            for new in later.measures
        )

    def _alike(self, one: frozenset[str], other: frozenset[str], least: float = RIVAL) -> bool:
        """Whether two parts of sentences speak of the same: most words of the shorter one, and not few of the other."""
        if not one or not other:
            return False
        masses = sorted((sum(map(self.idf, one)), sum(map(self.idf, other))))
        shared = sum(map(self.idf, one & other))
        return shared > 0 and shared >= least * masses[0] and shared >= RIVAL_OF_LONGER * masses[1]

    def _restates(self, earlier: Point, later: Point) -> bool:
        """Whether the user lays down again, in another way, what was laid down about the same."""
        lays_down = earlier.role == "user" and (earlier.is_rule or earlier.is_decision)
        return lays_down and self._alike(earlier.words, later.words, RESTATED)

    def _is_own(self, one: Measure) -> bool:
        """Whether what a number counts says enough by itself: "24 sensors" where few sentences count any."""
        return one.unit not in _KNOWN and one.unit.isalpha() and len(one.unit) > 3 and self.is_rare(one.unit)

    def _restore(self) -> None:
        """A number that was said again behind the one that replaced it holds."""
        for point in self.points:
            last = point
            while last.replaced_by is not None:
                last = self.points[last.replaced_by]
            if last is not point and point.measures and not last.over and _values(point) & _values(last):
                point.over, point.replaced_by = False, None

    def _dropped(self, later: Point) -> list[frozenset[str]]:
        """What a sentence drops, each thing by its telling words and numbers."""
        if later.question or "supposed" in later.cues or not later.cues & {"dropped", "gone", "denied"}:
            return []
        parts = [
            re.split(_BREAK, later.text[match.end() : match.end() + 60], maxsplit=1)[0]
            for match in cue("dropped").finditer(later.text)
        ]
        parts += [
            re.split(_BREAK, later.text[max(0, match.start() - 60) : match.start()])[-1]
            for match in cue("gone").finditer(later.text)
        ]
        found = (frozenset(map(_plain, content_words(part)[:DROPPED_WORDS])) for part in parts)
        return [words for words in found if words and all(word[0].isdigit() or self.is_rare(word) for word in words)]

    def _drops(self, dropped: Sequence[frozenset[str]], earlier: Point) -> bool:
        if earlier.question or earlier.cues & {"dropped", "gone"}:
            return False
        told = earlier.words | {one.value for one in earlier.measures}
        return any(words <= told and not (earlier.is_rule and len(words) < 2) for words in dropped)

    def _amends(self, later: Point) -> list[Point]:
        """The earlier points whose number a short later one replaces: "make it 03:40 rather"; the last that tells one
        of this kind, and those just before that tell the same."""
        if "reversal" not in later.cues or later.question:
            return []
        for new in later.measures:
            if len(new.words) > AMENDED_WORDS:
                continue
            told = [
                (one, point)
                for point in self._just_before(later)
                if not point.question and point.place < later.place
                for one in point.measures
                if one.unit == new.unit
            ]
            if told:
                old = told[0][0].value
                return [point for one, point in told if one.value == old] if old != new.value else []
        return []

    def _just_before(self, later: Point) -> Iterator[Point]:
        """The points before one that it may speak of without a name, the nearest first."""
        for earlier in reversed(self.points[: later.number]):
            if later.place - earlier.place > AMENDED_TURNS:
                return
            yield earlier

    def _counted(self, later: Point) -> tuple[Measure, ...]:
        """The number of a short "make it 12" as one of what was counted last."""
        bare = _BARE.findall(later.text)
        counts = any(not cues_in(one.unit) for one in later.measures)  # "rather 850" counts nothing
        short = sum(not cues_in(word) for word in content_words(later.text)) <= AMENDED_WORDS
        if counts or len(bare) != 1 or "reversal" not in later.cues or not short:
            return later.measures
        counted = next((one.measures[-1] for one in self._just_before(later) if len(one.measures) == 1), None)
        return (replace(counted, value=bare[0].replace(",", "."), text=bare[0], words=frozenset()),) if counted else ()

    def told(self, point: Point, *, alone: bool = False) -> str:
        """The words of a point, after the sentence directly before it where it is understood with that one, unless it
        is told `alone`; and with the number that it took the place of, in its sentence where the point's own words do
        not tell what it counts."""
        text = point.text
        before = self.points[point.number - 1] if point.number else None
        pointing = cue("back").match(text) or len(point.words) <= AMENDED_WORDS
        if before and before.place == point.place and not (before.over or alone) and pointing:
            joined = f"{before.text} {text}"
            text = joined if len(joined) <= JOINED_CHARS else text
        was = self._was(point)
        if not was:
            return text
        number, of = was[0][0].text, max((earlier for _, earlier in was), key=lambda earlier: earlier.worth)
        unnamed = text == point.text and not point.words & of.words
        return f"{text} (was {number} in “{of.text}”)" if unnamed else f"{text} (was {number})"

    def _was(self, point: Point) -> list[tuple[Measure, Point]]:
        """The last number of which a point's took the place, with the points that told it, the newest first."""
        mine = {one.unit: one.value for one in point.measures}
        found = [
            (one, earlier)
            for earlier in reversed(self._replaced.get(point.number, []))
            for one in earlier.measures
            if one.unit in mine and mine[one.unit] != one.value
        ]
        return [
            (one, earlier) for one, earlier in found if (one.unit, one.value) == (found[0][0].unit, found[0][0].value)
        ]

    @cached_property
    def _replaced(self) -> dict[int, list[Point]]:
        """The points that each later one took the place of, in order."""
        found: dict[int, list[Point]] = defaultdict(list)
        for point in self.points:
            if point.replaced_by is not None:
                found[point.replaced_by].append(point)
        return found

    def repeats(self, one: Point, other: Point) -> bool:
        """Whether two points say the same: they share most words of the shorter one, and give the same numbers."""
        shorter = min(len(one.words), len(other.words))
        if not shorter or len(one.words & other.words) < SAME * shorter:
            return False
        few, many = sorted((_values(one), _values(other)), key=len)
        return few <= many

    @cached_property
    def _spread(self) -> dict[str, tuple[int, int]]:
        """Of each word, in how many turns it stands, and the last of them."""
        turns: dict[str, set[int]] = defaultdict(set)
        for point in self.points:
            for word in point.words:
                turns[word].add(point.place)
        return {word: (len(places), max(places)) for word, places in turns.items()}

    @cached_property
    def _sizes(self) -> Counter[int]:
        return Counter(point.place for point in self.points)

    def features(self, point: Point) -> list[float]:
        """What the worth of a point is judged by, in the order of `FEATURES`."""
        turn = self.turns[point.place]
        user = point.role == "user"
        whole = max(1, len(self.turns))
        spread = sorted((self._spread[word] for word in point.words if not word[0].isdigit()), reverse=True)
        themes = [count for count, _ in spread if count > 1][:THEMES]
        lasting = [last <= point.place + 1 for count, last in spread if 1 < count <= MANY]
        return [
            1.0,
            user,
            point.is_decision,
            point.is_rule,
            "rule" in point.cues and not user,
            user and point.constraint,
            "goal" in point.cues and point.place < EARLY * whole,
            point.open,
            "intent" in point.cues,
            "reversal" in point.cues,
            "supposed" in point.cues,
            is_done(point.text),
            point.question,
            bool(point.measures),
            len(point.measures) > 1,
            bool(point.names),
            bool(_CAPITAL.search(point.text)),
            bool(_NEGATION.search(point.text)),
            math.log1p(len(point.words)),
            len(point.words) > LONG,
            len(point.words) < SHORT,
            (5 if turn.importance is None else turn.importance) / 10,
            turn.shift,
            point.place / whole,
            min(point.echoes, 4) / 4,
            point.accepted,
            point.answers,
            point.drawn,
            sum(map(math.log, themes)) / THEMES,
            sum(lasting) / len(lasting) if lasting else 0.0,
            math.log1p(self._sizes[point.place]),
            point.first,
        ]


def _heading(text: str) -> str:
    """The words of a sentence that only says what the next ones are about; '' for any other."""
    bare = text.strip("*_# \t")
    if is_question(bare):
        return ""
    return bare if bare.endswith(":") or (len(bare.split()) <= HEADING_WORDS and is_open(bare)) else ""


def _asks_openly(question: str) -> bool:
    """Whether a question is told as an open one: "Still open: who pays?"."""
    lead, colon, _ = question.partition(":")
    return bool(colon) and is_open(lead)


def weighted(features: Sequence[float]) -> list[float]:
    """The features and their products, in the order of `WEIGHTED`."""
    return [*features, *(features[one] * features[other] for one, other in PAIRS)]


@cache
def _weights() -> tuple[tuple[float, ...], dict[tuple[int, int], float]]:
    """The weights of `FEATURES` and of `PAIRS`; one that the table lacks is 0, so that it can be trained."""
    table = json.loads(files("graphmem.rules").joinpath("weights", WEIGHTS_FILE).read_text(encoding="utf-8"))
    weights = [table.get(name, 0.0) for name in WEIGHTED]
    return tuple(weights[: len(FEATURES)]), dict(zip(PAIRS, weights[len(FEATURES) :], strict=True))


def worth(features: Sequence[float]) -> float:
    """How likely a reader would want a point in a recap, 0 to 1. *Source*: a logistic regression on labelled stories
    (`scripts/train_standing.py`)."""
    single, pairs = _weights()
    there = [place for place in _TOGETHER if features[place]]  # most are 0
    total = sum(map(mul, single, features))
    total += sum(pairs[pair] * features[pair[0]] * features[pair[1]] for pair in combinations(there, 2))
    return 1 / (1 + math.exp(-total))


def worth_of(role: str, sentences: Sequence[str]) -> float:
    """The worth of a turn that stands alone: of its best sentence; 0 for one without any."""
    return max((point.worth for point in Standing([SpokenTurn(role, sentences)]).points), default=0.0)


def _keys(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))


def _measures(text: str) -> tuple[Measure, ...]:
    """The numbers of a text with what they count, their unit or else the word before them, and the words of their
    part of the sentence."""
    found: list[Measure] = []
    for part in _PARTS.split(_MARKUP.sub("", text)):
        dates = {match.start(): match for match in _DATE.finditer(part)}
        for match in _MEASURE.finditer(part):
            number, unit = match[1], match[2]
            if number[0] in "€$£":
                number, unit = number[1:], number[0]
            if match.start() in dates:
                number, unit = "{}.{}".format(*dates[match.start()].groups()), DATE
            elif _CLOCK.fullmatch(number) and (unit is None or unit.lower() not in UNITS):
                unit = CLOCK
            elif unit and unit.lower() not in UNITS and _is_label(part, match):
                continue
            elif unit is None or (unit.lower() not in UNITS and not content_words(unit)):
                before = _WORD_BEFORE.search(part[: match.start()])
                unit = before[1] if before and content_words(before[1]) else None
            if unit is None:
                continue
            unit = UNITS[unit.lower()][0] if unit.lower() in UNITS else stem(unit.lower())
            around = frozenset(word for word in _keys(part) if word != unit and not word[0].isdigit())
            found.append(Measure(number.replace(",", "."), unit, around, match[0].strip()))
    return tuple(found)


def _is_label(part: str, match: re.Match[str]) -> bool:
    """Whether a number is part of a name, as in "the crane on quay 6 lifted tea": a noun stands before it, and the
    sentence goes on behind the next word."""
    before = _WORD_BEFORE.search(part[: match.start()])
    return bool(before and content_words(before[1]) and content_words(part[match.end() :]))


def _plain(word: str) -> str:
    """A word as it is compared: its stem, of "19th" the number."""
    ordinal = _ORDINAL.match(word)
    return ordinal[1] if ordinal else stem(word)


def _values(point: Point) -> set[tuple[str, str]]:
    return {(one.unit, one.value) for one in point.measures}
