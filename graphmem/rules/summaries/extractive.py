"""Summaries without a model: of what was learned from a session, and of many messages in a few of their own sentences.
They are deterministic."""

import heapq
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graphmem.model.printed import ToolReading
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.sentences import sentences, without_code
from graphmem.rules.language.text import content_words, count_tokens, fit_tokens
from graphmem.rules.reading.statements import is_decision
from graphmem.rules.summaries.directives import as_told, without_directives
from graphmem.rules.turns.pasted import results_in, without_pasted
from graphmem.rules.turns.standing import Point, SpokenTurn, Standing

EXTRACT_SUMMARISER = "extractive-4"
"""Names these rules for messages. Raise the number when their output changes."""
MAX_SENTENCE_TOKENS = 80
"""Longer sentences, such as code and logs, are used only where there are no others, and cut."""
_MAX_CHARS = 24_000
"""Longest passage read whole; of a longer one beginning and end."""
_MAX_SENTENCES = 300
_TOPICS = 6
_LINE_CHARS = (240, 120, 60, 30, 0)
"""Characters of a quotation in a line about a tool result, from the most to the least."""
_BULLET = re.compile(r"^(?:[-*•+]|#{1,6}|>)[ \t]+(?:\[[ xX]\][ \t]+)?")
_REPEATED = 0.15
"""The remaining value of a word that the summary has already."""
_DAY_TOKENS = 7
"""Of the line with a day."""
_DATED_FROM = 80
"""Tokens from which on a summary has room for days and roles."""
ROLES = ("user", "assistant")
_FEW_WORDS = 4
"""Content words of a sentence that says something by itself."""
_LEAST_WORTH = 0.05
"""What a sentence is worth that no reader would miss: it still says what was spoken of."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was read in a tool result. `source` names its message; `newest`: no later result judges the same."""

    reading: ToolReading
    source: str
    newest: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the source: the words of one speaker, or one line of a summary.

    `speaker` is named before each sentence, `day` above the first of a day; `own`: a user's words. `weight` 0–1 is its
    importance; `first`: its sentences are kept before others, such as those of a paradigm shift; `printed`: a tool or a
    system wrote it, so it comes after what people said, and its orders are never kept. Of a tool result the lines of
    `result` are used instead of its text.
    """

    text: str
    speaker: str | None = None
    weight: float = 0.5
    first: bool = False
    printed: bool = False
    result: Result | None = None
    whole: bool = False
    """It is a line of its own, not to be cut into sentences."""
    own: bool = True
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Extract:
    """`kept` are the lines that stay longest: decisions, rules and shifts; `topics` are the main topics."""

    text: str
    kept: tuple[str, ...]
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    words: frozenset[str]
    place: tuple[int, int]
    rank: int
    worth: float
    day: date | None = None


def extract(passages: Sequence[Passage], source_tokens: int, max_tokens: int) -> Extract | None:
    """What matters most of a source, in its own sentences, within `max_tokens` and half of the source; None where it
    cannot be made shorter.

    *Shape*: a line for each sentence, with its speaker, in the order they were said, under the day where that is known.
    Decisions, rules, open points and shifts have room first. What a later sentence of the source replaced is left out;
    the later one says what the number was. The verdict of the newest test run, what failed and the first error are
    always among them, as the newest ones of builds and traces are where they take less than half of the budget.
    Sentences that give orders to their reader are left out, and so is what tools only acknowledge.

    >>> said = [Passage("Good morning! We decided to use Redis."), Passage("The cache is slow when it is cold.")]
    >>> extract(said, 60, 14).text
    '- We decided to use Redis.'
    """
    budget = min(max_tokens, source_tokens // 2)
    if budget < 1:
        return None
    if budget < _DATED_FROM:
        passages = [replace(one, day=None, speaker=None if one.speaker in ROLES else one.speaker) for one in passages]
    said = _sentences(passages)
    heard = Counter(word for sentence in said for word in sentence.words)
    topics = tuple(word for word, _ in sorted(heard.items(), key=lambda one: (-one[1], one[0]))[:_TOPICS])
    days = {one.day for one in passages if one.result and one.result.newest}
    left = budget - _DAY_TOKENS * len(days - {None})
    judged = _judged(passages, left)
    left -= sum(count_tokens(f"- {sentence.text}\n") for sentence in judged)
    picked = sorted([*judged, *_pick(said, heard, left, days)], key=lambda sentence: sentence.place)
    if not picked:
        return Extract(fit_tokens(f"{len(passages)} messages{_on(topics)}", budget), (), topics)
    return Extract("\n".join(_dated(picked)), tuple(s.text for s in picked if s.rank == 0), topics)


def _dated(sentences: Sequence[_Sentence]) -> Iterator[str]:
    """The lines, each day above its first."""
    day = None
    for sentence in sentences:
        if sentence.day not in (None, day):
            day = sentence.day
            yield f"{day:%Y-%m-%d}:"
        yield f"- {sentence.text}"


def must_keep(passages: Sequence[Passage], max_tokens: int) -> tuple[str, ...]:
    """The sentences that a summary must keep, in the order they were said: decisions, rules and shifts, as many as
    fit.

    >>> must_keep([Passage("It rains. Never push to main.")], 100)
    ('Never push to main.',)
    """
    passages = [replace(one, speaker=None if one.speaker in ROLES else one.speaker) for one in passages]
    said = [sentence for sentence in _sentences(passages) if sentence.rank == 0]
    heard = Counter(word for sentence in said for word in sentence.words)
    return tuple(sentence.text for sentence in sorted(_pick(said, heard, max_tokens), key=lambda one: one.place))


def _sentences(passages: Sequence[Passage]) -> list[_Sentence]:
    """All candidate sentences that hold, each once. Their places are those of their passages, and then of
    themselves."""
    texts = [_texts(passage) for passage in passages]
    standing = Standing(
        [
            SpokenTurn(
                "tool" if one.printed else "user" if one.own else "assistant", told, round(10 * one.weight), one.first
            )
            for one, told in zip(passages, texts, strict=True)
        ]
    )
    points = {(point.place, point.text): point for point in standing.points}
    found: list[_Sentence] = []
    seen: set[str] = set()
    for number, (passage, told) in enumerate(zip(passages, texts, strict=True)):
        for at, text in enumerate(told):
            point = points.get((number, text))
            key = normalised(text)
            words = frozenset(content_words(text))
            if not words or key in seen or (point and point.over) or (point is None and not passage.printed):
                continue
            seen.add(key)
            line = standing.told(point) if point and not passage.whole else text
            line = f"{passage.speaker}: {line}" if passage.speaker else line
            worth = point.worth if point else 0.0
            found.append(_Sentence(line, words, (number, at), _rank(passage, text, point), worth, passage.day))
    return found


def _texts(passage: Passage) -> list[str]:
    """The sentences of a passage that may be told."""
    if passage.result:
        return [] if passage.result.newest else _older(passage.result)
    told = [passage.text] if passage.whole else _read(passage.text)
    return without_directives(told, strictly=passage.printed)


def _older(result: Result) -> list[str]:
    """What is worth saying of a tool result that does not judge, or was followed by another: of the former its lines,
    of the latter the verdict."""
    reading = result.reading
    if reading.routine:
        return []
    lines = [told for line in reading.lines if (told := as_told(line))]
    if reading.kind == "other" and lines and reading.lines[0].label:
        lines[0] += f" [{result.source}]"
    return lines[:1] if reading.verdict else lines


def _judged(passages: Sequence[Passage], budget: int) -> list[_Sentence]:
    """The newest results that judge, the test run first: whole where they fit, and shortened where they do not."""
    newest = [(number, one.result.reading) for number, one in enumerate(passages) if one.result and one.result.newest]
    newest.sort(key=lambda one: (one[1].kind != "tests", one[1].verdict != "failed", -one[0]))
    found: list[_Sentence] = []
    left = budget
    for number, reading in newest:
        room = left if reading.kind == "tests" else min(left, budget // 2 - (budget - left))
        for own, text in enumerate(_shortened(reading, room)):
            left -= count_tokens(f"- {text}\n")
            found.append(_Sentence(text, frozenset(content_words(text)), (number, own), 1, 1.0, passages[number].day))
    return found


def _shortened(reading: ToolReading, room: int) -> list[str]:
    """The lines of a reading within a number of tokens, each shortened by as much as all of them must be; as many as
    fit, the verdict first, where even their places are too long."""
    for chars in _LINE_CHARS:
        lines = [told for line in reading.lines if (told := as_told(line, chars))]
        if sum(count_tokens(f"- {line}\n") for line in lines) <= room:
            return lines
    kept: list[str] = []
    for line in lines:
        room -= count_tokens(f"- {line}\n")
        if room < 0:
            break
        kept.append(line)
    return kept


def _on(topics: Sequence[str]) -> str:
    return f" on {', '.join(topics)}" if topics else ""


def _read(text: str) -> list[str]:
    if len(text) > _MAX_CHARS:
        text = f"{text[: _MAX_CHARS * 2 // 3]}\n{text[-_MAX_CHARS // 3 :]}"
    failed = [reading for reading in results_in(text) if reading.verdict == "failed"]
    pasted = [as_told(line) for reading in failed for line in reading.lines]
    # A line of a summary is a sentence with a mark before it.
    return [*filter(None, pasted), *_prose(without_pasted(without_code(text))[0])]


def _prose(text: str) -> list[str]:
    return [" ".join(_BULLET.sub("", sentence).split()) for sentence in sentences(text)][:_MAX_SENTENCES]


def _rank(passage: Passage, text: str, point: Point | None) -> int:
    """The rank of a sentence: 0 has room first, 2 only when there is room."""
    if passage.printed or point is None:
        return 2
    binds = is_decision(text) or (point.constraint and passage.own)
    if passage.first or (len(point.words) > 1 and binds):
        return 0
    return 1 if len(point.words) >= _FEW_WORDS else 2


def _pick(
    said: Sequence[_Sentence], heard: Counter[str], budget: int, days: Collection[date | None] = ()
) -> list[_Sentence]:
    """The best sentences within the budget, each for what it adds to those before it. `days` stand above others
    already."""
    shown = {None, *days}
    covered: set[str] = set()

    def worth(sentence: _Sentence) -> float:
        gain = sum(math.log1p(heard[word]) * (_REPEATED if word in covered else 1.0) for word in sentence.words)
        return gain * (_LEAST_WORTH + sentence.worth) / math.sqrt(6 + len(sentence.words))

    # The gain of a sentence only decreases as others are chosen: one that stays on top of the heap is the best.
    heap = [(sentence.rank, -worth(sentence), sentence.place) for sentence in said]
    heapq.heapify(heap)
    by_place = {sentence.place: sentence for sentence in said}
    picked: list[_Sentence] = []
    used = 0
    while heap and used < budget:
        rank, _, place = heapq.heappop(heap)
        sentence = by_place[place]
        now = -worth(sentence)
        if heap and (rank, now, place) > heap[0]:
            heapq.heappush(heap, (rank, now, place))
            continue
        cost = count_tokens(f"- {sentence.text}\n")
        whole = cost + (0 if sentence.day in shown else _DAY_TOKENS)
        if cost > MAX_SENTENCE_TOKENS or used + whole > budget:
            continue
        shown.add(sentence.day)
        picked.append(sentence)
        covered |= sentence.words
        used += whole
    return picked


DIGEST_SUMMARISER = "digest-2"
"""Names these rules for sessions. Raise the number when their output changes."""
SESSION_SUMMARY_TOKENS = 400
"""Most tokens of a session summary made without a model."""

_FIRST = {"decision": 0, "constraint": 0, "preference": 1, "fact": 2, "event": 3}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the session: its words, kind, importance (0–1) and place in the conversation."""

    id: str
    content: str
    type: str
    importance: float
    ordinal: int


@dataclass(frozen=True, slots=True)
class Digest:
    """The text of a summary and the ids of the statements in it, in the order of the text."""

    text: str
    memory_ids: tuple[str, ...]


def digest(said: Sequence[Statement], opening: str, max_tokens: int = SESSION_SUMMARY_TOKENS) -> Digest:
    """Decisions and constraints first, then by importance, as many as fit; read in the order they were said.

    A session from which nothing was learned is summarised by `opening`, its first words.

    >>> said = [Statement("1", "We use Redis.", "fact", 0.5, 4), Statement("2", "We chose Kafka.", "decision", 0.8, 9)]
    >>> digest(said, "").text
    '- We use Redis.\\n- We chose Kafka.'
    """
    kept: list[Statement] = []
    seen: set[str] = set()
    tokens = 0
    for statement in sorted(said, key=lambda s: (_FIRST.get(s.type, 2), -s.importance, s.ordinal, s.id)):
        cost = count_tokens(f"- {statement.content}\n")
        key = normalised(statement.content)
        if key in seen or tokens + cost > max_tokens:
            continue
        seen.add(key)
        kept.append(statement)
        tokens += cost
    if not kept:
        return Digest(fit_tokens(opening, max_tokens), ())
    kept.sort(key=lambda s: (s.ordinal, s.id))
    return Digest("\n".join(f"- {statement.content}" for statement in kept), tuple(s.id for s in kept))
