"""Grep: the terms of a pattern, the full-text queries for its candidates, and how well a text matches.

The index holds grams (`rules.language.grams`), so its results are candidates: each text is checked before it is
listed."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from graphmem.rules.language.folding import fold_marks
from graphmem.rules.language.grams import EVERYTHING, SIZE, breaks, loose, needed
from graphmem.rules.language.regex_literals import literals
from graphmem.rules.language.text import STOP_WORDS
from graphmem.rules.recall.snippets import around, snippet

MAX_TERMS = 32
"""Most terms of a pattern that are searched: the rarest ones."""
_MOST_CLAUSES = 768
"""Most grams of a query. *Source*: Lucene refuses a query of more than 1,024 clauses."""
_PHRASE = re.compile(r'(?<!\S)[^\w\s"]*"([^"]+)"[^\w\s"]*(?!\S)')
_EDGE = frozenset(("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk"))
"""Categories of characters around a term that do not belong to it; pictographs do."""
_DENSE_CHARS = 200
"""In a text of this length one occurrence of a term counts half as much as many."""


@dataclass(frozen=True, slots=True)
class Term:
    """A search term: a folded word or, as a phrase, several consecutive ones."""

    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def pieces(self) -> list[str]:
        """The grams of every text with the term."""
        return [*self.words, *breaks(self.words)]

    @property
    def is_stop_word(self) -> bool:
        return self.text in STOP_WORDS

    def bare(self) -> "Term | None":
        """The term without the punctuation at its edges; None where nothing else is left."""
        words = _without_edges(self.words)
        return Term(words) if words else None

    def count(self, folded: str) -> int:
        """How often the term occurs in a folded text."""
        if len(self.words) == 1:
            return folded.count(self.words[0])
        return sum(1 for _ in _spaced(self.words).finditer(folded))

    def span(self, folded: str) -> tuple[int, int] | None:
        """The first place of the term in a folded text."""
        if len(self.words) == 1:
            at = folded.find(self.words[0])
            return (at, at + len(self.words[0])) if at >= 0 else None
        found = _spaced(self.words).search(folded)
        return found.span() if found else None

    def stands_alone(self, folded: str) -> bool:
        """Whether it occurs somewhere as a whole word."""
        return _alone(self.words).search(folded) is not None


@dataclass(frozen=True, slots=True)
class Met:
    """The match of a text with a pattern: the terms it contains, and a score, 0 to 1.

    `span` is where a regular expression matched; terms are searched again when they are shown.
    """

    found: tuple[Term, ...]
    score: float
    span: tuple[int, int] | None = None

    def snippet(self, text: str) -> str:
        """The part of the text that shows what was found."""
        return around(text, *self.span) if self.span else snippet(text, self.found)


def terms(pattern: str) -> list[Term]:
    """The distinct terms of a pattern, in order: its words, and texts in double quotes as phrases. An unbalanced quote
    is a character.

    >>> [term.words for term in terms('C++ "red  fox" "unbalanced')]
    [('c++',), ('red', 'fox'), ('"unbalanced',)]
    """
    folded = fold_marks(pattern)
    found: list[Term] = []
    end = 0
    for phrase in _PHRASE.finditer(folded):
        found += [Term((word,)) for word in folded[end : phrase.start()].split()]
        found += [Term(tuple(words))] if (words := phrase[1].split()) else []
        end = phrase.end()
    found += [Term((word,)) for word in folded[end:].split()]
    return list(dict.fromkeys(found))


def rarity(counts: Sequence[int], bound: int) -> list[float]:
    """A weight for each term from the number of texts that contain it, counted up to a bound: 1 for a common one, 2 for
    a rare one."""
    return [2 - log(1 + min(count, bound)) / log(1 + bound) for count in counts]


def looked_for(text: str, wanted: Sequence[Term], weights: Sequence[float], least: int) -> Met | None:
    """The match of a text with terms; None for one that contains fewer than `least` of them.

    *Score*: the share of the terms it contains, less one, and for that one the quality: rare terms, terms that are
    whole words, terms that are frequent for the length of the text. So a text with more terms always comes before one
    with fewer.

    >>> [term.text for term in looked_for("Ada: the port is 8443.", terms("port 9000"), [1, 1], 1).found]
    ['port']
    """
    folded = fold_marks(text)
    counts = [term.count(folded) for term in wanted]
    held = sum(count > 0 for count in counts)
    if held < max(1, least):
        return None
    well = sum(
        weight * _how_well(term, count, folded)
        for term, count, weight in zip(wanted, counts, weights, strict=True)
        if count
    )
    score = (held - 1 + well / sum(weights)) / len(wanted)
    return Met(tuple(term for term, count in zip(wanted, counts, strict=True) if count), round(score, 6))


def fullest(mets: Sequence[Met], newest_first: bool) -> int:
    """How many terms a text must contain to be among those with most: as many as any, where time decides the order,
    else at least half as many."""
    most = max((len(met.found) for met in mets), default=0)
    return most if newest_first else (most + 1) // 2


# --- queries ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """The filters that the index itself applies, before anything is counted."""

    agent_key: str
    session_id: str | None = None
    role: str | None = None
    source: str | None = None

    def query(self, *, messages: bool) -> str:
        """For texts within these limits; summaries have neither role nor source."""
        parts = [f"+agentKey:{self.agent_key}^0"]
        parts += [f"+sessionId:{_quoted(self.session_id)}^0"] if self.session_id else []
        if messages:
            parts += [f"+role:{_quoted(self.role)}^0"] if self.role else []
            parts += [f"+source:{_quoted(self.source)}^0"] if self.source else []
        return " ".join(parts)


def holding_all(wanted: Sequence[Term]) -> str:
    """A query for texts that may contain all of these terms.

    >>> holding_all(terms("port c+"))
    '+grams:(everything^0 (+por +ort +c\\\\+*))'
    """
    return _any_way([[piece for term in wanted for piece in term.pieces]])


def holding_most(wanted: Sequence[Term], weights: Sequence[float]) -> str:
    """A query for texts that may contain some of these terms, those with most of them first, among equals those with
    the rarest."""
    most = max(1, _MOST_CLAUSES // max(1, len(wanted)))
    ways = []
    for term, weight in zip(wanted, weights, strict=True):
        clauses = _clauses(term.pieces, most, alike=True)
        # Each term counts 1, and a little more the rarer it is: never as much as another term.
        ways.append(f"({' '.join(clauses)})^{(1 + (weight - 1) / (len(wanted) + 1)) / len(clauses):.5f}")
    return f"+grams:({EVERYTHING}^1000 {' '.join(ways)})"


def holding_literals(pattern: str) -> str:
    """A query for all texts in which a regular expression may match; '' where it requires no literals."""
    ways = [[piece for text in way for piece in loose(text).split() if len(piece) > 1] for way in literals(pattern)]
    return _any_way(ways) if ways and all(ways) else ""


def _any_way(ways: Sequence[Sequence[str]]) -> str:
    most = max(1, _MOST_CLAUSES // len(ways))
    groups = (f"({' '.join(_clauses(pieces, most))})" for pieces in ways)
    return f"+grams:({EVERYTHING}^0 {' '.join(groups)})"


def _clauses(pieces: Collection[str], most: int, *, alike: bool = False) -> list[str]:
    """The grams that all these pieces need; `most` of them, evenly from all, where there are more.

    `alike`: each adds the same to the score of any text, as prefixes do, which takes longer.
    """
    wanted = list(dict.fromkeys(gram for piece in pieces for gram in needed(piece)))
    if len(wanted) > most:
        wanted = [wanted[place * len(wanted) // most] for place in range(most)]
    return [f"+{_escaped(gram)}{'*' if alike or len(gram) < SIZE else ''}" for gram in wanted]


def _escaped(gram: str) -> str:
    return "".join(sign if sign.isalnum() else f"\\{sign}" for sign in gram)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


# --- terms in a text ----------------------------------------------------------------------------------------


def _how_well(term: Term, count: int, folded: str) -> float:
    often = count / (count + len(folded) / _DENSE_CHARS)
    return 0.4 + 0.3 * often + (0.3 if term.stands_alone(folded) else 0)


def _without_edges(words: tuple[str, ...]) -> tuple[str, ...]:
    text = " ".join(words)
    start, end = 0, len(text)
    while start < end and _is_edge(text[start]):
        start += 1
    while start < end and _is_edge(text[end - 1]):
        end -= 1
    return tuple(text[start:end].split())


def _is_edge(sign: str) -> bool:
    return sign == " " or unicodedata.category(sign) in _EDGE


@lru_cache(maxsize=256)
def _spaced(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, words)))


@lru_cache(maxsize=256)
def _alone(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_spaced(words).pattern}(?!\w)")
