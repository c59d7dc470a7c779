"""Summaries without a model: of what was learned from a session, and of many messages in a few of their own sentences.
They are deterministic."""

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.model.printed import ResultLine, ToolReading
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.sentences import code_blocks, sentences, without_code
from graphmem.rules.language.text import content_words, count_tokens, fit_tokens
from graphmem.rules.printed import read_tool_result
from graphmem.rules.reading.statements import is_constraint, is_decision
from graphmem.rules.summaries.directives import as_told, without_directives

EXTRACT_SUMMARISER = "extractive-2"
"""Names these rules for messages. Raise the number when their output changes."""
MAX_SENTENCE_TOKENS = 80
"""Longer sentences, such as code and logs, are used only where there are no others, and cut."""
_MAX_CHARS = 24_000
"""Longest passage read whole; of a longer one beginning and end."""
_MAX_SENTENCES = 300
_MAX_BLOCKS = 5
"""Fenced blocks of a passage that are read: the first ones."""
_TOPICS = 6
_LINE_CHARS = (240, 120, 60, 30, 0)
"""Characters of a quotation in a line about a tool result, from the most to the least."""
_BULLET = re.compile(r"^(?:[-*•+]|#{1,6}|>)[ \t]+(?:\[[ xX]\][ \t]+)?")
_REPEATED = 0.15
"""The remaining value of a word that the summary has already."""
_SPECIFIC = re.compile(r"\d|[A-Za-z]_[A-Za-z]|\w\.\w|[a-z][A-Z]|(?<=[a-z,] )[A-Z]\w")
_SMALL_TALK = re.compile(
    r"(?i)^\W*(?:hi|hello|hey|thanks|thank you|great|ok|okay|sure|cool|nice|perfect|sounds good|got it|good (?:morning|"
    r"evening|night)|bye|see you|you're welcome|no problem)\b[^.!?]{0,30}[.!?\W]*$"
)


@dataclass(frozen=True, slots=True)
class Result:
    """What was read in a tool result. `source` names its message; `newest`: no later result judges the same."""

    reading: ToolReading
    source: str
    newest: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the source: the words of one speaker, or one line of a summary.

    `weight` 0–1 is its importance; `first`: its sentences come before all others, such as those of a paradigm shift;
    `printed`: a tool or a system wrote it, so it comes after what people said, and its orders are never kept. Of a tool
    result the lines of `result` are used instead of its text.
    """

    text: str
    speaker: str | None = None
    weight: float = 0.5
    first: bool = False
    printed: bool = False
    result: Result | None = None
    whole: bool = False
    """It is a line of its own, not to be cut into sentences."""


@dataclass(frozen=True, slots=True)
class Extract:
    """`kept` are the first lines: decisions, constraints and shifts; `topics` are the main topics."""

    text: str
    kept: tuple[str, ...]
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    words: frozenset[str]
    place: tuple[int, int]
    rank: int
    weight: float


def extract(passages: Sequence[Passage], source_tokens: int, max_tokens: int) -> Extract | None:
    """The most important sentences that cover most of the source, within `max_tokens` and half of the source; None
    where it cannot be made shorter.

    *Shape*: a line for each sentence; decisions, constraints and shifts first, then the rest, both in the order they
    were said. The verdict of the newest test run, what failed and the first error are always among them, as the newest
    ones of builds and traces are where they take less than half of the budget. Sentences that give orders to their
    reader are left out, and so is what tools only acknowledge.

    >>> said = [Passage("Good morning! We decided to use Redis."), Passage("The cache is slow when it is cold.")]
    >>> extract(said, 60, 14).text
    '- We decided to use Redis.'
    """
    budget = min(max_tokens, source_tokens // 2)
    if budget < 1:
        return None
    said = list(_sentences(passages))
    heard = Counter(word for sentence in said for word in sentence.words)
    topics = tuple(word for word, _ in sorted(heard.items(), key=lambda one: (-one[1], one[0]))[:_TOPICS])
    judged = _judged(passages, budget)
    left = budget - sum(count_tokens(f"- {sentence.text}\n") for sentence in judged)
    picked = [*judged, *_pick(said, heard, left)]
    if not picked:
        return Extract(fit_tokens(f"{len(passages)} messages{_on(topics)}", budget), (), topics)
    picked.sort(key=lambda sentence: (sentence.rank > 0, sentence.place))
    lines = [f"- {sentence.text}" for sentence in picked]
    return Extract("\n".join(lines), tuple(s.text for s in picked if s.rank == 0), topics)


def must_keep(passages: Sequence[Passage], max_tokens: int) -> tuple[str, ...]:
    """The sentences that a summary must keep, in the order they were said: decisions, constraints and shifts, as many
    as fit.

    >>> must_keep([Passage("It rains. Never push to main.")], 100)
    ('Never push to main.',)
    """
    said = [sentence for sentence in _sentences(passages) if sentence.rank == 0]
    heard = Counter(word for sentence in said for word in sentence.words)
    return tuple(sentence.text for sentence in sorted(_pick(said, heard, max_tokens), key=lambda one: one.place))


def _sentences(passages: Sequence[Passage]) -> Iterator[_Sentence]:
    """All candidate sentences, each once. Their places are those of their passages, and then of themselves."""
    seen: set[str] = set()
    for number, passage in enumerate(passages):
        if passage.result:
            texts = [] if passage.result.newest else _older(passage.result)
        else:
            texts = [passage.text] if passage.whole else _read(passage.text)
            texts = without_directives(texts, strictly=passage.printed)
        for own, text in enumerate(texts):
            line = f"{passage.speaker}: {text}" if passage.speaker else text
            key = normalised(line)
            words = frozenset(content_words(text))
            if not words or key in seen or _SMALL_TALK.match(text):
                continue
            seen.add(key)
            yield _Sentence(line, words, (number, own), _rank(passage, text, words), passage.weight)


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
            found.append(_Sentence(text, frozenset(content_words(text)), (number, own), 1, 1.0))
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
    pasted = [as_told(line) for block in code_blocks(text)[:_MAX_BLOCKS] for line in _failures(block)]
    # A line of a summary is a sentence with a mark before it.
    return [*filter(None, pasted), *_prose(text)]


def _failures(block: str) -> Sequence[ResultLine]:
    """What a block that somebody pasted says, where it is a failure."""
    reading = read_tool_result(block)
    return reading.lines if reading.verdict == "failed" and reading.kind in ("tests", "build", "trace") else ()


def _prose(text: str) -> list[str]:
    return [" ".join(_BULLET.sub("", sentence).split()) for sentence in sentences(without_code(text))][:_MAX_SENTENCES]


def _rank(passage: Passage, text: str, words: frozenset[str]) -> int:
    """The rank of a sentence: 0 comes first, 2 only when there is room."""
    if passage.printed:
        return 2
    if passage.first or (len(words) > 1 and (is_decision(text) or is_constraint(text))):
        return 0
    return 1


def _pick(said: Sequence[_Sentence], heard: Counter[str], budget: int) -> list[_Sentence]:
    """The best sentences within the budget, each for what it adds to those before it."""
    covered: set[str] = set()

    def worth(sentence: _Sentence) -> float:
        gain = sum(math.log1p(heard[word]) * (_REPEATED if word in covered else 1.0) for word in sentence.words)
        specific = 1.3 if _SPECIFIC.search(sentence.text) else 1.0
        asked = 0.6 if sentence.text.endswith("?") else 1.0
        return gain * (0.5 + sentence.weight) * specific * asked / math.sqrt(6 + len(sentence.words))

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
        if cost > MAX_SENTENCE_TOKENS or used + cost > budget:
            continue
        picked.append(sentence)
        covered |= sentence.words
        used += cost
    return picked


DIGEST_SUMMARISER = "digest-1"
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
