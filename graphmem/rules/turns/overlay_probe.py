"""The trained score of each overlay, and whether a turn shifts or refers back: a linear probe over a turn's meaning and
words, the two turns before it, and the signals of the rules (decisions 0046 and 0048).

It works only with the embedder it was trained with. With another one there is no probe, and words and nearness decide.
"""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp, sqrt

import numpy as np
import numpy.typing as npt

from graphmem.model.turns import OVERLAYS, Scores
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import words
from graphmem.rules.language.vectors import Vectors
from graphmem.rules.turns.overlay_keywords import Part, scores_of

Numbers = npt.NDArray[np.float64]
FILE = "overlays.json.gz"
_UNIT = 1_000
"""Weights are stored as integer thousandths: shorter, and the same on every training machine."""
MEANING, BEFORE, LONG_BEFORE, WORDS, NEAR, TERMS = 4.0, 2.0, 1.0, 2.0, 2.0, 5.0
"""Scale factors of the parts before weighting, so that one strength of regularisation suits all of them: a vector has
many small numbers."""
GROUPS = ("meaning", "before", "words", "nearness", "form", "terms")
"""The names of feature groups in evidence, in the order of the features."""
LEARNT = (*OVERLAYS, "shift", "back")
"""What is learnt, row by row: the overlays, whether a user's turn is a shift, whether a turn refers back."""
TERMS_CHARS = 4_000
FEW_TERMS = 8
"""A term weighs the same in all turns with at most this many terms."""
MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class Surface:
    """The features of a turn besides its vector: the scores by words and by nearness to anchors, the mean nearness to
    the anchors of each overlay and to the neutral ones (None without a vector), and its cues."""

    words: Scores
    met: Scores
    near: Sequence[float] | None
    cues: tuple[float, ...]

    def groups(self) -> list[Numbers]:
        """Words, nearness and form, as features."""
        return [
            WORDS * np.asarray(self.words) / 10,
            np.concatenate([np.asarray(self.met) / 10, NEAR * np.asarray(self.near or [0.0] * (len(OVERLAYS) + 1))]),
            np.asarray(self.cues),
        ]


@dataclass(frozen=True, slots=True)
class Signals:
    """The input of the probe: the vector of a turn and those of the last two turns (None: it has none), the features of
    it and of the last turn (None: it is the first), and its terms."""

    vector: Vectors | None
    before: tuple[Vectors | None, Vectors | None]
    own: Surface
    last: Surface | None
    terms: frozenset[str]

    def groups(self, dimensions: int) -> list[Numbers]:
        """The features, group by group, without the terms."""
        first, second = self.before
        own = self.own.groups()
        seen = [np.zeros_like(group) for group in own] if self.last is None else self.last.groups()
        before = [BEFORE * _dense(first, dimensions), LONG_BEFORE * _dense(second, dimensions), *seen]
        return [MEANING * _dense(self.vector, dimensions), np.concatenate(before), *own]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of the probe for a turn."""

    part: Part
    shifts: bool
    points_back: bool


@dataclass(frozen=True, slots=True)
class Probe:
    """One row of weights and one bias for each of `LEARNT`, and weights for each term that was learnt; a total above 0
    means that a turn is about an overlay, shifts, or refers back."""

    embedder: str
    dimensions: int
    weights: Numbers
    biases: Numbers
    terms: Mapping[str, Numbers]

    def find(self, signals: Signals) -> Finding:
        """The scores, and the contribution of each group of features to the total, positive or negative, the largest
        first."""
        shares, start = [], 0
        for group in signals.groups(self.dimensions):
            shares.append(self.weights[:, start : start + len(group)] @ group)
            start += len(group)
        known = sorted(signals.terms & self.terms.keys())
        each = term_worth(len(known)) * np.array([self.terms[term] for term in known] or [np.zeros(len(LEARNT))])
        shares.append(each.sum(axis=0))
        totals = self.biases + np.sum(shares, axis=0)
        told = []
        for place in range(len(OVERLAYS)):
            own = [(float(share[place]), name) for share, name in zip(shares, GROUPS, strict=True)]
            told.append(
                tuple(
                    f"{name} {share:+.1f}" + (_named(known, each[:, place], share) if name == "terms" else "")
                    for share, name in sorted(own, key=lambda one: -abs(one[0]))
                )
            )
        scores = scores_of([10 / (1 + exp(-total)) for total in np.clip(totals[: len(OVERLAYS)], -50, 50).tolist()])
        part = Part("probe", scores, tuple(told), (None,) * len(OVERLAYS))
        return Finding(part, bool(totals[LEARNT.index("shift")] > 0), bool(totals[LEARNT.index("back")] > 0))


def terms_of(text: str, role: str) -> frozenset[str]:
    """The words of a turn by their stems, each pair of adjacent ones, and each word with its role.

    >>> sorted(terms_of("Who reads?", "user"))
    ['read', 'user: read', 'user: who', 'who', 'who read']
    """
    stems = [stem(word) for word in words(text[:TERMS_CHARS])]
    pairs = (" ".join(pair) for pair in pairwise(stems))
    return frozenset((*stems, *pairs, *(f"{role}: {one}" for one in stems)))


def term_worth(known: int) -> float:
    """The factor for each known term of a turn: in a long turn one term counts less."""
    return TERMS / sqrt(max(FEW_TERMS, known))


def packed(probe: Probe) -> bytes:
    """A probe as a file: deterministic. Terms with weight 0 are left out."""
    learnt = {term: _thousandths(row) for term, row in sorted(probe.terms.items())}
    content = {
        "embedder": probe.embedder,
        "dimensions": probe.dimensions,
        "biases": _thousandths(probe.biases),
        "weights": {name: _thousandths(row) for name, row in zip(LEARNT, probe.weights, strict=True)},
        "terms": {term: row for term, row in learnt.items() if any(row)},
    }
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0)


def unpacked(data: bytes) -> Probe:
    """The probe in a file that `packed` made."""
    content: Mapping[str, object] = json.loads(gzip.decompress(data))
    rows, biases, dimensions, terms = (content[key] for key in ("weights", "biases", "dimensions", "terms"))
    if not isinstance(rows, Mapping) or not isinstance(dimensions, int) or not isinstance(terms, Mapping):
        raise TypeError("the file holds no probe")
    weights = np.array([rows[name] for name in LEARNT], dtype=np.float64) / _UNIT
    learnt = dict(zip(terms, np.array([*terms.values()], dtype=np.float64) / _UNIT, strict=True))
    return Probe(str(content["embedder"]), dimensions, weights, np.array(biases, dtype=np.float64) / _UNIT, learnt)


@cache
def shipped_probe() -> Probe:
    """The probe that comes with the package, read once."""
    return unpacked(files("graphmem.rules").joinpath("weights", FILE).read_bytes())


def probe_for(embedder: str) -> Probe | None:
    """The probe for the vectors of an embedder; None where it was trained with another."""
    probe = shipped_probe()
    return probe if probe.embedder == embedder else None


def _named(known: Sequence[str], each: Numbers, share: float) -> str:
    """The terms that contribute most in the direction of their sum."""

    def strongest() -> Iterator[str]:
        for place in np.argsort(-each * np.sign(share), kind="stable")[:MOST_NAMED]:
            if each[place] * share > 0:
                yield known[place]

    named = ", ".join(strongest())
    return f" ({named})" if named else ""


def _thousandths(row: Numbers) -> list[int]:
    return [round(float(one) * _UNIT) for one in row]


def _dense(vector: Vectors | None, dimensions: int) -> Numbers:
    return np.zeros(dimensions) if vector is None else np.asarray(vector, dtype=np.float64)
