"""What a question asks for: its words, whom it asks about, and when, where or how many."""

import calendar
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import chain

from graphmem.rules.text import STOP_WORDS, fold, pieces, words

_BEGINNING = 6
"""Letters of a word that are compared: most other endings stand behind them."""
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
_HOW_MANY = re.compile(r"\s*how (?:many|much|often|old)\b", re.IGNORECASE)
_WHERE = re.compile(
    r"\s*(?:where\b|(?:in |from |to )?(?:what|which) (?:country|city|town|place|state)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of time that a question names: `first` up to, not including, `end`."""

    first: date
    end: date

    def holds(self, day: date) -> bool:
        return self.first <= day < self.end


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as texts are compared with it.

    `stems` are its words that mean something, in order. `months`, `years` and `days` (of a month) are numbers it names,
    `stretches` what it names by today. At most one of `when`, `where` and `how_many` says what the answer is.
    """

    text: str
    stems: tuple[str, ...]
    months: frozenset[int] = frozenset()
    years: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    stretches: tuple[Days, ...] = ()
    when: bool = False
    where: bool = False
    how_many: bool = False


def read_question(text: str, now: datetime) -> Asked:
    """What a question asks for; relative days are those of `now`.

    >>> from datetime import UTC
    >>> asked = read_question("When did Ada move to Lisbon in May 2023?", datetime(2026, 1, 1, tzinfo=UTC))
    >>> asked.when, sorted(asked.months), sorted(asked.years), asked.stems
    (True, [5], [2023], ('ada', 'mov', 'lisbon', 'may', '2023'))
    """
    months = frozenset(_MONTHS.index(name.lower()) + 1 for name in _MONTH.findall(text))
    when = bool(_WHEN.match(text))
    how_many = not when and bool(_HOW_MANY.match(text))
    return Asked(
        text=text,
        stems=meant(text),
        months=months,
        years=frozenset(map(int, _YEAR.findall(text))),
        days=frozenset(map(int, _DAY.findall(text))) if months else frozenset(),
        stretches=tuple(_stretch(named.lower(), now.date()) for named in _AGO.findall(text)),
        when=when,
        where=not (when or how_many) and bool(_WHERE.match(text)),
        how_many=how_many,
    )


def meant(text: str) -> tuple[str, ...]:
    """The stems of the words of a question that mean something, each once; of all where none does."""
    found = [word.removesuffix("'s") for word in dict.fromkeys(words(text))]
    kept = [word for word in found if word not in STOP_WORDS] or found
    return tuple(dict.fromkeys(map(stem, chain.from_iterable(map(pieces, kept)))))


@lru_cache(maxsize=8_192)  # questions of one conversation meet the same texts again
def stems(text: str) -> tuple[str, ...]:
    """The stems of the words of a text that mean something, in order, with repeats."""
    found = [word for word in words(text) if word not in STOP_WORDS]
    if not text.isascii():
        found = list(chain.from_iterable(map(pieces, found)))
    return tuple(map(stem, found))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The beginning of a word without the commonest English endings; numbers, versions and names with digits are whole.

    Cutting endings by a full stemmer found no more evidence (docs/decisions/0040-recall-signals.md).

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


def named(speakers: Collection[str], question: str) -> str | None:
    """The one of these speakers whom a question names, or None where it names several or none.

    >>> named({"Ada Byron", "Bob"}, "What did Ada cook?")
    'Ada Byron'
    """
    said = set(words(question)) | {word.removesuffix("'s") for word in words(question)}
    met = [speaker for speaker in speakers if (parts := words(fold(speaker))) and parts[0] in said]
    return met[0] if len(met) == 1 else None


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
