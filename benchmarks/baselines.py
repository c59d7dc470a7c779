"""Full-text search without a service, measured beside graphmem: BM25 in memory, and SQLite's FTS5."""

import re
import sqlite3
from collections.abc import Callable, Sequence

import bm25s
from bm25s.stopwords import STOPWORDS_EN_PLUS

Search = Callable[[str], list[int]]
"""From a question to the places of the texts that match it, best first."""

_STOP_WORDS = frozenset(STOPWORDS_EN_PLUS)
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ies|ied|ing|ed|es|s|ly|e|y)$")


def bm25(texts: Sequence[str], limit: int) -> Search:
    """Lucene's variant over stems without stop words."""
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index([stems(text) for text in texts], show_progress=False)

    def search(question: str) -> list[int]:
        known = [stem for stem in stems(question) if stem in index.vocab_dict]
        if not known:
            return []
        places, scores = index.retrieve([known], k=min(limit, len(texts)), show_progress=False)
        return [int(place) for place, score in zip(places[0], scores[0], strict=True) if score > 0]

    return search


def fts5(texts: Sequence[str], limit: int) -> Search:
    """The Porter tokenizer and bm25(), in memory; a text matches with any word of the question that is no stop word."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='porter unicode61')")
    database.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))

    def search(question: str) -> list[int]:
        words = dict.fromkeys(words_of(question))
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        found = database.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?", (match, limit)
        )
        return [int(place) for (place,) in found]

    return search


def words_of(text: str) -> list[str]:
    """The words in lower case, without stop words."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS]


def stems(text: str) -> list[str]:
    """The words that BM25 sees: common English endings are cut off.

    >>> stems("She runs, and is running by the studies that she studied")
    ['run', 'run', 'stud', 'stud']
    """
    return [_stem(word) for word in words_of(text)]


def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    doubled = stem != word and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls"
    return stem[:-1] if doubled else stem
