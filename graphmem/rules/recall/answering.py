"""An answer from texts: the sentences most relevant to a question, and whether any is relevant enough."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from graphmem.model.inputs import HitKind
from graphmem.model.knowledge import OutdatedPart
from graphmem.rules.claims import verbs_like
from graphmem.rules.language.own_words import others_words
from graphmem.rules.language.relative_dates import find_dates
from graphmem.rules.language.sentences import sentence_spans
from graphmem.rules.language.text import (
    LONGEST_PIECE,
    STOP_WORDS,
    content_words,
    count_tokens,
    fit_tokens,
    words,
)
from graphmem.rules.recall.answer_types import (
    MEASURES,
    answer_type,
    asks_about_now,
    asks_about_past,
    counted_thing,
    holds,
    is_name,
    named_kind,
    points_back,
    speaks_of_self,
    speaks_to,
)
from graphmem.rules.turns.sentences import is_courtesy

MOST_EMBEDDED = 32
"""Sentences, the best by their words, whose meaning is compared with the question's."""
_JOINING = ("and", "but", "so")
_MARKS = " ,;:–—-"
_SAYS = re.compile(rf"\b(?!(?:{'|'.join(_JOINING)})\b)\w(?:.*\S)?", re.DOTALL)
"""What a part of a sentence says, without the word that joins it to another."""
_NAME_WEIGHT = 1.5
"""A name weighs more than another word: the subject of a question matters most."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A gathered text. `text` is as stored; `before` is what another speaker, the `addressee`, said directly before it,
    or ''. `replaced`: newer facts contradict it; `succeeded_by` is one of them. `outdated`: the same, of places.
    `ahead`: it tells of a day still to come, and something else holds until then."""

    id: str
    kind: HitKind
    text: str
    score: float = 0.0
    session_id: str | None = None
    message_ids: tuple[str, ...] = ()
    speaker: str | None = None
    said_at: datetime | None = None
    before: str = ""
    addressee: str | None = None
    replaced: bool = False
    succeeded_by: str | None = None
    outdated: tuple[OutdatedPart, ...] = ()
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, `start` to `end`, and its match with the question: `words`, the weighted share of its
    words, and `fits`, whether it contains the requested kind of thing. `passed_on`: its speaker quotes or pastes it."""

    passage: int
    start: int
    end: int
    text: str
    words: float
    fits: bool
    passed_on: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence with its confidence as an answer, 0 to 1."""

    sentence: Sentence
    confidence: float


def _by_status(passage: Passage) -> list[tuple[int, int]]:
    """The sentences of a passage; of one of which a part no longer holds, that part, and what else it says, without
    the brackets that the part stands in."""
    found = []
    for start, end in sentence_spans(passage.text):
        ended = [(one, _in_brackets(passage.text, start, end, one)) for one in passage.outdated]
        edges = {edge for one, bracketed in ended for edge in (one.start, one.end, *bracketed) if start < edge < end}
        if not edges:
            found.append((start, end))
            continue
        for first, last in pairwise([start, *sorted(edges), end]):
            no_part = not any(one.start <= first and last <= one.end for one, _ in ended)
            around = no_part and any(begin <= first and last <= close for _, (begin, close) in ended)
            if not around and (match := _SAYS.search(passage.text, first, last)):
                said = match[0] if last == end else _without_joint(match[0])
                found.append((match.start(), match.start() + len(said)))
    return found


def _without_joint(said: str) -> str:
    """A part of a sentence without the mark and the word that join the next part to it."""
    said = said.rstrip(_MARKS)
    before, _, last = said.rpartition(" ")
    return before.rstrip(_MARKS) if last.lower() in _JOINING else said


def _in_brackets(text: str, start: int, end: int, part: OutdatedPart) -> tuple[int, int]:
    """Where the brackets around a part of a sentence begin and end; the part itself where there are none."""
    opened = text.rfind("(", start, part.start)
    if opened < start or ")" in text[opened : part.start]:
        return part.start, part.end
    closed = text.find(")", part.end, end)
    return opened, closed + 1 if closed >= 0 else end


def stem(word: str) -> str:
    """The common prefix of the forms of a word, approximately.

    >>> [stem(word) for word in ("moved", "moves", "moving", "allergies", "Ana's")]
    ['mov', 'mov', 'mov', 'allerg', 'Ana']
    """
    word = word.removesuffix("'s").removesuffix("'")
    for ending, least in (("ies", 3), ("ing", 3), ("ed", 3), ("es", 3), ("s", 3), ("y", 4), ("e", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:6]


def asked_words(question: str) -> dict[str, float]:
    """The words of a question that an answer may repeat, each with its weight, by their stems."""
    said = words(question)
    kept = [word for word in said if word.removesuffix("'s") not in STOP_WORDS | MEASURES]
    named = {
        stem(part) for place, token in enumerate(question.split()) if place and is_name(token) for part in words(token)
    }
    if kind := named_kind(question):
        named.add(stem(kind))
    return {stem(word): _NAME_WEIGHT if stem(word) in named else 1.0 for word in kept or said}


def sentences(question: str, passages: Sequence[Passage]) -> list[Sentence]:
    """The sentences of the passages, the best by their words first; questions last."""
    asked = asked_words(question)
    kind, counted = answer_type(question), counted_thing(question)
    cut = [(number, span) for number, one in enumerate(passages) for span in _by_status(one)]
    stems = [_stems(passages[number].text[start:end]) for number, (start, end) in cut]
    others = {number: others_words(one.text) for number, one in enumerate(passages) if one.kind == "message"}
    of_passage: dict[int, set[str]] = {}
    for (number, _), own in zip(cut, stems, strict=True):
        of_passage.setdefault(number, set()).update(own)
    alike = {stem(word): {stem(verb) for verb in verbs_like(word)} for word in words(question)}
    found = []
    for place, (number, (start, end)) in enumerate(cut):
        one = passages[number]
        text = one.text[start:end]
        previous = stems[place - 1] if start and place else set()
        held = _held(one, text, stems[place], previous, of_passage[number])
        share = sum(weight * _worth(word, held, alike[word]) for word, weight in asked.items())
        share /= sum(asked.values()) or 1.0
        fits = not text.endswith("?") and holds(kind, text, one.said_at, question)
        if counted and not any(stem(counted) in said for said, worth in held if worth >= NEAR):
            fits = False
        passed_on = any(first < end and start < last for first, last in others.get(number, ()))
        found.append(Sentence(number, start, end, text, share, fits, passed_on))
    return sorted(
        found,
        key=lambda one: (one.text.endswith("?"), -one.words - 0.2 * one.fits, -passages[one.passage].score, one.start),
    )


NEAR = 0.8
"""A word at a place of at least this worth counts as part of the sentence."""


def _worth(word: str, held: Sequence[tuple[set[str], float]], alike: set[str]) -> float:
    """What a word of a question counts for a sentence that has it at these places, or in it another verb for the same
    relation: "where do I live", "I moved to Porto"."""
    said = max((worth for said, worth in held if word in said), default=0.0)
    return max(said, NEAR) if alike & held[0][0] else said


def _held(
    passage: Passage, text: str, own: set[str], previous: set[str], around: set[str]
) -> list[tuple[set[str], float]]:
    """The places where words of a question count for a sentence, and the worth of each place: a sentence with a back
    reference includes what precedes it."""
    back = points_back(text)
    first = text == passage.text[: len(text)]
    answers = first and passage.before.rstrip().endswith("?")
    return [
        (own, 1.0),
        (
            _stems(passage.speaker or "") if speaks_of_self(text) or (answers and speaks_to(passage.before)) else set(),
            0.9,
        ),
        (_stems(passage.addressee or "") if speaks_to(text) or answers else set(), 0.9),
        (previous, 0.9 if back else 0.6),
        (_stems(passage.before), NEAR if answers or (first and back) else 0.4),
        (_stems(passage.speaker or ""), 0.6),
        (around, 0.6),
    ]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text)}


def meaningful(sentence: Sentence, passages: Sequence[Passage]) -> str:
    """The text of a sentence to embed: with its speaker, and after what it answers."""
    one = passages[sentence.passage]
    asked = sentence_spans(one.before)[-1] if one.before.rstrip().endswith("?") else None
    led = f"{one.before[asked[0] : asked[1]]} " if asked and sentence.start == 0 else ""
    return f"{led}{one.speaker}: {sentence.text}" if one.speaker else led + sentence.text


WORDS, MEANING, KIND = 0.35, 0.45, 0.2
"""The weights of the share of words, the nearness and the right kind of thing in the confidence of a sentence."""
WORDS_ALONE, KIND_ALONE = 0.75, 0.25
"""The same where nothing has a vector."""
FLOOR, FLOOR_ALONE = 0.62, 0.72
"""Least confidence of an answer, with vectors and without. *Source*: measured on the tuned half of tests/data/answers,
see docs/quality.md."""
ALIKE = 0.03
"""Among sentences this close in confidence the newest comes first, since later statements are mostly valid."""
ALIKE_NOW = 0.1
"""The same, for a question about the present."""
REPLACED = 0.8
"""The factor for the confidence of a superseded text, unless the question is about the past, of others' words, and of
what holds only later."""
MOST_CITED = 3
BESIDE = 0.06
"""A sentence this close to the best is cited too."""


def weigh(
    question: str,
    found: Sequence[Sentence],
    passages: Sequence[Passage],
    nearness: Sequence[float] | None,
) -> list[Evidence]:
    """The confidence of each sentence, highest first. `nearness`: cosines to the question, for the first ones of
    `found`; None where there are no vectors."""
    past = asks_about_past(question)
    weighed = []
    for place, sentence in enumerate(found if nearness is None else found[: len(nearness)]):
        if sentence.text.endswith("?") or is_courtesy(sentence.text):
            continue
        one = passages[sentence.passage]
        if nearness is None:
            sure = WORDS_ALONE * sentence.words + KIND_ALONE * sentence.fits
        else:
            sure = WORDS * sentence.words + MEANING * max(0.0, nearness[place]) + KIND * sentence.fits
        if sentence.passed_on or one.ahead or (replaced(sentence, one) and not past):
            sure *= REPLACED
        weighed.append(Evidence(sentence, min(sure, 1.0)))
    weighed.sort(key=lambda one: (-one.confidence, -passages[one.sentence.passage].score, one.sentence.start))
    return _newest_of_the_best(question, weighed, passages)


def _newest_of_the_best(question: str, weighed: list[Evidence], passages: Sequence[Passage]) -> list[Evidence]:
    if not weighed or asks_about_past(question):
        return weighed
    apart = ALIKE_NOW if asks_about_now(question) else ALIKE
    close = [one for one in weighed if weighed[0].confidence - one.confidence <= apart and one.sentence.fits]
    close = [one for one in close if not passages[one.sentence.passage].ahead]
    dated = [(at, -place) for place, one in enumerate(close) if (at := passages[one.sentence.passage].said_at)]
    if len(dated) < len(close) or not dated:
        return weighed
    first = close[-max(dated)[1]]
    return [first, *(one for one in weighed if one is not first)]


def chosen(weighed: Sequence[Evidence], passages: Sequence[Passage], floor: float) -> list[Evidence]:
    """The sentences of an answer; none where the best is below the floor.

    *Shape*: the best, those close to it, once each, and the words of the message that a fact was extracted from.
    """
    if not weighed or weighed[0].confidence < floor:
        return []
    best = weighed[0]
    kept = [best]
    source = passages[best.sentence.passage]
    for one in weighed[1:]:
        if len(kept) == MOST_CITED:
            break
        other = passages[one.sentence.passage]
        said_in = (
            source.kind != "message"
            and other.kind == "message"
            and replaced(one.sentence, other) == replaced(best.sentence, source)
            and not set(source.message_ids).isdisjoint(other.message_ids)
            and all(passages[have.sentence.passage].kind != "message" for have in kept)
        )
        close = one.confidence >= max(floor, best.confidence - BESIDE) and one.sentence.fits
        if (close or said_in) and not any(_same(one.sentence, have.sentence) for have in kept):
            kept.append(one)
    return kept


def _same(one: Sentence, other: Sentence) -> bool:
    mine, theirs = set(content_words(one.text)), set(content_words(other.text))
    return one.passage == other.passage or len(mine & theirs) >= 0.8 * max(1, min(len(mine), len(theirs)))


def outdated_at(start: int, end: int, passage: Passage) -> OutdatedPart | None:
    """What of a passage between two places no longer holds; all of it in one that is replaced."""
    if passage.replaced:
        return OutdatedPart(start=0, end=len(passage.text), since=None, replaced_by=passage.succeeded_by)
    return next((part for part in passage.outdated if start < part.end and part.start < end), None)


def replaced(sentence: Sentence, passage: Passage) -> bool:
    """Whether newer facts contradict a sentence."""
    return outdated_at(sentence.start, sentence.end, passage) is not None


def told(sentence: Sentence, passage: Passage, *, timely: bool) -> str:
    """A sentence as a line of an answer: its speaker and time, and, if a time is requested, its words for days as
    dates."""
    if passage.kind != "message":
        return f"{sentence.text} (superseded)" if replaced(sentence, passage) else sentence.text
    day = f"{passage.said_at:%Y-%m-%d}" if passage.said_at else ""
    led = ", ".join(part for part in (passage.speaker, day) if part)
    meant = ""
    if timely:
        found = [date.wording for date in find_dates(sentence.text, passage.said_at)]
        meant = f" [{', '.join(found)}]" if found else ""
    old = " (superseded)" if replaced(sentence, passage) else ""
    return f"{led}: {sentence.text}{meant}{old}" if led else f"{sentence.text}{meant}{old}"


class AnswerLine(NamedTuple):
    """A line of an answer, the passage it comes from, and the words it quotes. `ended`: it no longer holds."""

    text: str
    passage: Passage
    quote: str
    ended: OutdatedPart | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """An answer's text with its quotes, by the passages they come from; together `used_tokens`, within the budget.
    `outdated` are the places in it that no longer hold."""

    text: str
    quotes: tuple[tuple[Passage, str], ...]
    used_tokens: int
    truncated: bool
    outdated: tuple[OutdatedPart, ...] = ()


def write(lines: Sequence[AnswerLine], max_tokens: int) -> Written:
    """As many lines as fit, each with its quote; a first one that does not fit is cut, its quote too."""
    text, used = "", 0
    quotes: list[tuple[Passage, str]] = []
    outdated: list[OutdatedPart] = []
    for line in lines:
        more = f"{text}\n{line.text}" if text else line.text
        cost = count_tokens(more) + sum(count_tokens(said) for _, said in quotes) + count_tokens(line.quote)
        if cost > max_tokens:
            if not quotes:
                more, quote = fit_tokens(line.text, max_tokens // 2), fit_tokens(line.quote, max_tokens // 2)
                ended = _ended(line, 0, len(more))
                return Written(more, ((line.passage, quote),), count_tokens(more) + count_tokens(quote), True, ended)
            return Written(text, tuple(quotes), used, True, tuple(outdated))
        outdated += _ended(line, len(more) - len(line.text), len(more))
        text, used = more, cost
        quotes.append((line.passage, line.quote))
    return Written(text, tuple(quotes), used, False, tuple(outdated))


def _ended(line: AnswerLine, start: int, end: int) -> tuple[OutdatedPart, ...]:
    return (line.ended.model_copy(update={"start": start, "end": end}),) if line.ended else ()


def within(passages: Sequence[Passage], max_tokens: int) -> tuple[list[Passage], int, list[str]]:
    """The passages that fit, their tokens, and the ids of those that did not; one that fits only partly is in both,
    with its beginning."""
    kept: list[Passage] = []
    left_out: list[str] = []
    used = 0
    for one in passages:
        room = max_tokens - used
        text = one.text if count_tokens(one.text[: LONGEST_PIECE * room + 1]) <= room else fit_tokens(one.text, room)
        if text != one.text:
            left_out.append(one.id)
        if text:
            kept.append(one if text == one.text else replace(one, text=text))
            used += count_tokens(text)
    return kept, used, left_out
