"""Questions over sessions: what they ask for, and the lines that answer them, session by session."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from graphmem.model.printed import ResultLine, ToolReading
from graphmem.rules.recall.answering import Passage, asked_words, outdated_at, sentences
from graphmem.rules.summaries.directives import as_told
from graphmem.rules.turns.pasted import without_pasted
from graphmem.rules.turns.sentences import cues_in, is_courtesy, is_done, is_question

SurveyKind = Literal["about", "sessions", "open", "decided", "why", "failed"]
KINDS: tuple[SurveyKind, ...] = ("decided", "open", "sessions", "failed", "why", "about")
"""In the order in which they are tried."""
LEAST_SHARE = 0.7
"""The share of the words of a topic that a sentence about it has, with what stands around it."""
MOST_LINES, OF_SESSION = 12, 4
"""Lines of an answer, and of one session in it."""
FIRST_WORDS = 240
"""Characters of a tool result that are quoted where its words were put in another way."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a question over sessions asks for: `topic` None for everything, `who` whose words."""

    kind: SurveyKind
    topic: str | None = None
    who: str | None = None


@dataclass(frozen=True, slots=True)
class SurveyLine:
    """A line of the answer: a sentence of a passage."""

    passage: Passage
    start: int
    end: int
    worth: float = 0.0
    told: str = ""
    """What the line says instead of its words, where these are a tool's."""

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


def survey_of(question: str) -> Survey | None:
    """What a question over sessions asks for; None for any other question.

    >>> survey_of("What have we discussed about the outbox in all sessions?")
    Survey(kind='about', topic='the outbox', who=None)
    >>> survey_of("What is still open?"), survey_of("Where does Ada live?")
    (Survey(kind='open', topic=None, who=None), None)
    """
    asked = " ".join(question.replace("’", "'").strip().rstrip("?!. ").split())
    asked = re.sub(r"^(?i:(?:so|and|ok|okay|please|hey|remind me),? )+", "", asked)
    bare = _tail().sub("", asked).strip(" ,")
    for kind in KINDS:
        for pattern in _patterns()[kind]:
            if match := pattern.fullmatch(bare):
                found = match.groupdict()
                topic = found.get("topic")
                return Survey(kind, topic.strip() if topic else None, found.get("who"))
    return None


def chosen_lines(survey: Survey, passages: Sequence[Passage]) -> list[SurveyLine]:
    """The sentences that answer a survey with a topic, from what was said in sessions: the best of each, in order of
    time."""
    told = [one for one in passages if one.session_id and one.kind == "message" and _is_by(survey.who, one)]
    topic = survey.topic or ""
    found: list[SurveyLine] = []
    said = [without_pasted(passage.text)[0] for passage in told]
    for sentence in sentences(topic, told):
        passage = told[sentence.passage]
        if sentence.words < LEAST_SHARE or is_question(sentence.text) or is_courtesy(sentence.text):
            continue
        if sentence.text not in said[sentence.passage]:
            continue
        worth = sentence.words + _bonus(survey.kind, sentence.text)
        if worth > sentence.words or survey.kind in ("about", "sessions"):
            found.append(SurveyLine(passage, sentence.start, sentence.end, worth + passage.score / 2))
    if survey.kind == "decided":  # what holds, where something does
        found = [one for one in found if outdated_at(one.start, one.end, one.passage) is None] or found
    return in_sessions(
        _unlike(sorted(found, key=lambda one: -one.worth)), 1 if survey.kind == "sessions" else OF_SESSION
    )


def of_results(passages: Mapping[int, Passage], results: Mapping[int, ToolReading]) -> list[SurveyLine]:
    """What the last failed test run and build say, with what failed, and the verdict of a later one that passed."""
    found: list[SurveyLine] = []
    for kind in ("tests", "build"):
        places = [place for place, reading in results.items() if reading.kind == kind and reading.verdict]
        failed = [place for place in places if results[place].verdict == "failed"]
        for place in failed[-1:]:
            found += [_of_result(passages[place], line) for line in results[place].lines if as_told(line)]
            found += [_of_result(passages[later], results[later].lines[0]) for later in places[-1:] if later > place]
    return found


def _of_result(passage: Passage, line: ResultLine) -> SurveyLine:
    start = max(passage.text.find(line.text), 0)
    end = start + len(line.text) if line.text and line.text in passage.text else min(len(passage.text), FIRST_WORDS)
    return SurveyLine(passage, start, end, told=as_told(line))


def _bonus(kind: SurveyKind, text: str) -> float:
    """What a sentence gains that does what is asked for; 0 where it does not."""
    cues = cues_in(text)
    if kind == "decided":
        return 0.5 * ("decision" in cues and "supposed" not in cues) + 0.3 * ("rule" in cues)
    if kind == "why":
        return 0.4 * bool(_reasons().search(text)) + 0.3 * bool(cues & {"dropped", "gone", "reversal"})
    return 0.1 * ("decision" in cues) + 0.05 * is_done(text)


def in_sessions(lines: Iterable[SurveyLine], of_session: int = OF_SESSION) -> list[SurveyLine]:
    """The first lines, so many of each session at most, in order of time."""
    counts: dict[str | None, int] = {}
    kept: list[SurveyLine] = []
    for one in lines:
        if counts.get(one.passage.session_id, 0) < of_session and len(kept) < MOST_LINES:
            counts[one.passage.session_id] = counts.get(one.passage.session_id, 0) + 1
            kept.append(one)
    return sorted(kept, key=lambda one: (one.passage.said_at.timestamp() if one.passage.said_at else 0.0, one.start))


def _unlike(lines: Sequence[SurveyLine]) -> list[SurveyLine]:
    kept: list[tuple[SurveyLine, frozenset[str]]] = []
    for one in lines:
        words = frozenset(asked_words(one.text))
        if not any(len(words & other) >= 0.8 * max(1, min(len(words), len(other))) for _, other in kept):
            kept.append((one, words))
    return [one for one, _ in kept]


def _is_by(who: str | None, passage: Passage) -> bool:
    if who is None:
        return True
    speaker = (passage.speaker or "").lower()
    return who.lower() in speaker.split() or who.lower() == speaker


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("surveys.toml").read_text(encoding="utf-8"))


@cache
def _patterns() -> Mapping[SurveyKind, tuple[re.Pattern[str], ...]]:
    return {kind: tuple(re.compile(one, re.IGNORECASE) for one in _table()[kind]) for kind in KINDS}


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(rf"(?:\s*{_table()['tail']})+$", re.IGNORECASE)


@cache
def _reasons() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_table()['reasons'])})\b", re.IGNORECASE)
