"""Search without a service, measured beside graphmem: BM25 in memory, SQLite's FTS5, vectors alone, and both fused."""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import bm25s
import numpy as np
from bm25s.stopwords import STOPWORDS_EN_PLUS

from graphmem.adapters.embedding import LocalEmbedder


class Match(NamedTuple):
    """The place of a text, and its score: more is better, within one search."""

    place: int
    score: float


Search = Callable[[str], list[Match]]
"""From a question to the texts that match it, best first."""
Build = Callable[[Sequence[str], int], Search]
"""From texts and a limit to a search over them."""

FUSED_DEPTH = 100
"""Texts of each search that are fused."""
_STOP_WORDS = frozenset(STOPWORDS_EN_PLUS)
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ies|ied|ing|ed|es|s|ly|e|y)$")


def bm25(texts: Sequence[str], limit: int) -> Search:
    """Lucene's variant over stems without stop words."""
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index([stems(text) for text in texts], show_progress=False)

    def search(question: str) -> list[Match]:
        known = [stem for stem in stems(question) if stem in index.vocab_dict]
        if not known:
            return []
        places, scores = index.retrieve([known], k=min(limit, len(texts)), show_progress=False)
        return [Match(int(place), float(score)) for place, score in zip(places[0], scores[0], strict=True) if score > 0]

    return search


def fts5(texts: Sequence[str], limit: int) -> Search:
    """The Porter tokenizer and bm25(), in memory; a text matches with any word of the question that is no stop word."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='porter unicode61')")
    database.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))

    def search(question: str) -> list[Match]:
        words = dict.fromkeys(words_of(question))
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        found = database.execute(
            "SELECT rowid, -bm25(texts) FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?",
            (match, limit),
        )
        return [Match(*row) for row in found]

    return search


class Vectors:
    """Texts and questions by the vectors of our own embedder, each text embedded once."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, list[float]] = {}

    def dense(self, texts: Sequence[str], limit: int) -> Search:
        """The texts nearest to the question by cosine, and nothing else."""
        matrix = np.array(self._of(texts))

        def search(question: str) -> list[Match]:
            nearness = matrix @ np.array(self._of([question])[0])
            return [Match(int(place), float(nearness[place])) for place in np.argsort(-nearness, kind="stable")[:limit]]

        return search

    def fused(self, texts: Sequence[str], limit: int) -> Search:
        """BM25 and vectors by reciprocal ranks (constant 60) with equal weights, as most do."""
        searches = [bm25(texts, FUSED_DEPTH), self.dense(texts, FUSED_DEPTH)]

        def search(question: str) -> list[Match]:
            scores: dict[int, float] = {}
            for found in (one(question) for one in searches):
                for rank, (place, _) in enumerate(found, start=1):
                    scores[place] = scores.get(place, 0.0) + 1 / (60 + rank)
            best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
            return [Match(place, scores[place]) for place in best]

        return search

    def _of(self, texts: Sequence[str]) -> list[list[float]]:
        missing = list(dict.fromkeys(text for text in texts if text not in self._kept))
        if missing:
            self._kept |= dict(zip(missing, asyncio.run(self._embedder.embed(missing)), strict=True))
        return [self._kept[text] for text in texts]


def baselines(cache_dir: Path) -> dict[str, Build]:
    """All of them, by their names in the tables."""
    vectors = Vectors(LocalEmbedder(cache_dir))
    return {"BM25": bm25, "FTS5": fts5, "vectors": vectors.dense, "BM25 + vectors (RRF)": vectors.fused}


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
