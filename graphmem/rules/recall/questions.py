"""What a question asks for: its words, topic and people, and whether it asks when, where, how many or for
everything."""

import calendar
import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import chain
from typing import Literal

from graphmem.rules.language.gazetteer import lookup
from graphmem.rules.language.text import STOP_WORDS, fold, pieces, words

_BEGINNING = 6
"""Letters of a word that are compared: most endings come after them."""
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ies|ied|ing|ed|es|s|ly|e|y)$")
_DIGIT = re.compile(r"\d")
_MONTHS = [name.lower() for name in calendar.month_name[1:]]
_MONTH = re.compile(rf"\b({'|'.join(month.title() for month in _MONTHS)})\b")
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_DAY = re.compile(r"\b([12]?\d|3[01])(?:st|nd|rd|th)?\b(?!\s*(?:years?|months?|weeks?|days?|hours?))")
_AGO = re.compile(r"\b(today|yesterday|(?:this|last|past) (?:week|weekend|month|year))\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\s*(?:since )?(?:when\b|how long\b|(?:in |on )?(?:what|which) (?:date|day|week|month|year|time)\b)", re.IGNORECASE
)
_BESIDE = re.compile(r"\b(before|prior to|after|following)\b([^?.!,;]+)", re.IGNORECASE)
_PHRASE = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")
LONGEST_PHRASE = 12
"""Words."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NAME = re.compile(r"[A-Z][a-z]")
_ASKING = STOP_WORDS | {"may", "might", "must", "shall", "whose"}
_FEWEST = 2
"""Least words of a topic: one alone may mean anything."""
_SEVERAL = re.compile(
    r"\b(?:has|have|all|both|in common|how many|(?:kind|type|sort)s? of|in (?:what|which) (?:ways|order)"
    r"|summari[sz]e)\b"
    r"|^\s*(?:what (?:are|were)|(?:please |can you )?list)\b",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"^\s*(?:\w+ )?(?:what|which) (?:[\w'-]+ ){0,2}?(?![\w'-]*(?:ss|us|is)\b)[\w'-]+s"
    r" (?:do|does|did|is|are|was|were|had|can|could|will|would|should|might)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Days:
    """A time span that a question names: `first` up to, not including, `end`."""

    first: date
    end: date

    def holds(self, day: date) -> bool:
        return self.first <= day < self.end


@dataclass(frozen=True, slots=True)
class Asked:
    """A question prepared for comparison with texts.

    `stems` are its content words, in order. `months`, `years` and `days` (of a month) are numbers it names, `stretches`
    time spans relative to today. `when`: it asks for a time. `gathers`: the answer probably has several parts, said at
    different times. `event` has the stems of the event before or after which
    the answer was: `side` says which; `phrases` are texts in quotes, folded.
    """

    text: str
    stems: tuple[str, ...]
    months: frozenset[int] = frozenset()
    years: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    stretches: tuple[Days, ...] = ()
    when: bool = False
    gathers: bool = False
    side: Literal["before", "after"] | None = None
    event: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()


def read_question(text: str, now: datetime) -> Asked:
    """The parsed question; relative days are relative to `now`.

    >>> from datetime import UTC
    >>> asked = read_question("When did Ada move to Lisbon in May 2023?", datetime(2026, 1, 1, tzinfo=UTC))
    >>> asked.when, sorted(asked.months), sorted(asked.years), asked.stems
    (True, [5], [2023], ('ada', 'mov', 'lisbon', 'may', '2023'))
    """
    months = frozenset(_MONTHS.index(name.lower()) + 1 for name in _MONTH.findall(text))
    when = bool(_WHEN.match(text))
    side, event = _event(text)
    return Asked(
        text=text,
        stems=meant(text),
        months=months,
        years=frozenset(map(int, _YEAR.findall(text))),
        days=frozenset(map(int, _DAY.findall(text))) if months else frozenset(),
        stretches=tuple(_stretch(named.lower(), now.date()) for named in _AGO.findall(text)),
        when=when,
        gathers=not when and bool(_SEVERAL.search(text) or _THINGS.match(text)),
        side=side,
        event=event,
        phrases=phrases(text),
    )


def phrases(text: str) -> tuple[str, ...]:
    """Texts in double quotes with several words, not too many, folded, with single spaces."""
    quoted = (" ".join(fold(phrase).split()) for phrase in _PHRASE.findall(text))
    return tuple(dict.fromkeys(phrase for phrase in quoted if 1 < len(words(phrase)) <= LONGEST_PHRASE))


def day_of(text: str, said_at: datetime) -> date:
    """The day a text refers to: the one it names ("on 3 May", "yesterday"), else the one on which it was said."""
    months = {_MONTHS.index(name.lower()) + 1 for name in _MONTH.findall(text)}
    days = set(map(int, _DAY.findall(_YEAR.sub("", text))))
    years = set(map(int, _YEAR.findall(text))) or {said_at.year}
    if len(months) == len(days) == len(years) == 1:
        with suppress(ValueError):  # 31 April
            return date(years.pop(), months.pop(), days.pop())
    stretches = [_stretch(named.lower(), said_at.date()) for named in _AGO.findall(text)]
    return stretches[0].first if len(stretches) == 1 and not months else said_at.date()


def topic(question: str) -> str:
    """The topic of a question, without question words and names of people or other entities: their vectors are near to
    everything said by or to the bearer of the name. The question itself where hardly a word is left.

    >>> topic("What instruments does Ada play?"), topic("How does Ada use Kafka in Lisbon?"), topic("Who is Ada?")
    ('instruments play', 'use Kafka', 'Who is Ada?')
    """
    kept = [
        word
        for place, word in enumerate(_WORD.findall(question))
        if word.lower().removesuffix("'s").removesuffix("’s") not in _ASKING
        and (place == 0 or not _NAME.match(word) or lookup(word) is not None)
    ]
    return " ".join(kept) if len(kept) >= _FEWEST else question


def meant(text: str) -> tuple[str, ...]:
    """The stems of the content words of a question, each once; of all words where there are none."""
    found = [word.removesuffix("'s") for word in dict.fromkeys(words(text))]
    kept = [word for word in found if word not in STOP_WORDS] or found
    return tuple(dict.fromkeys(map(stem, chain.from_iterable(map(pieces, kept)))))


@lru_cache(maxsize=8_192)  # questions of one conversation are compared with the same texts again
def stems(text: str) -> tuple[str, ...]:
    """The stems of the content words of a text, in order, with repeats."""
    found = [word for word in words(text) if word not in STOP_WORDS]
    if not text.isascii():
        found = list(chain.from_iterable(map(pieces, found)))
    return tuple(map(stem, found))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The beginning of a word without the commonest English endings; numbers, versions and names with digits are whole.

    Cutting endings by a full stemmer found no more evidence (docs/decisions/0040-rank-recall-by-fitted-signals.md).

    >>> stem("moving"), stem("moved"), stem("planned"), stem("deployments"), stem("8080")
    ('mov', 'mov', 'plan', 'deploy', '8080')
    """
    word = word.removesuffix("'s")
    if _DIGIT.search(word):
        return word
    short = _ENDING.sub("", word)
    if short != word and len(short) > 3 and short[-1] == short[-2] and short[-1] not in "aeiouls":
        short = short[:-1]
    return short[:_BEGINNING]


def people(speakers: Collection[str], question: str) -> list[str]:
    """The speakers that a question names.

    >>> people(["Ada Byron", "Bob", "Cy"], "What did Ada cook for Bob?")
    ['Ada Byron', 'Bob']
    """
    said = set(words(question)) | {word.removesuffix("'s") for word in words(question)}
    return [speaker for speaker in speakers if (parts := words(fold(speaker))) and parts[0] in said]


def named(speakers: Collection[str], question: str) -> str | None:
    """The only speaker that a question names, or None where it names several or none.

    >>> named({"Ada Byron", "Bob"}, "What did Ada cook?")
    'Ada Byron'
    """
    met = people(speakers, question)
    return met[0] if len(met) == 1 else None


def _event(text: str) -> tuple[Literal["before", "after"] | None, tuple[str, ...]]:
    """The event in "before …" or "after …" of a question; a date is not one."""
    found = _BESIDE.search(text)
    if found is None or _MONTH.search(found[2]) or _DIGIT.search(found[2]) or _AGO.search(found[2]):
        return None, ()
    event = stems(found[2])
    if not event:
        return None, ()
    return ("before" if found[1].lower() in ("before", "prior to") else "after"), event


def _stretch(named: str, today: date) -> Days:
    week = today - timedelta(days=today.weekday())
    if named == "today":
        return Days(today, today + timedelta(days=1))
    if named == "yesterday":
        return Days(today - timedelta(days=1), today)
    before, unit = named.split()
    this = before == "this"
    if unit in ("week", "weekend"):
        first = week if this else week - timedelta(days=7)
        return (
            Days(first + timedelta(days=5), first + timedelta(days=7))
            if unit == "weekend"
            else Days(first, first + timedelta(days=7))
        )
    if unit == "month":
        end = today.replace(day=1)
        return Days(end, today + timedelta(days=1)) if this else Days((end - timedelta(days=1)).replace(day=1), end)
    end = today.replace(month=1, day=1)
    return Days(end, today + timedelta(days=1)) if this else Days(end.replace(year=end.year - 1), end)
