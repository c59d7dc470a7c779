"""The trained score of each overlay: a linear probe over a turn's meaning, that of the two turns before it, and the
signals of the rules (decision 0046).

It is for the embedder it was trained with. For another one there is none, and words and nearness decide as they are.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

import numpy as np
import numpy.typing as npt

from graphmem.model.turns import OVERLAYS, Scores
from graphmem.rules.overlay_keywords import Part, scores_of
from graphmem.rules.vectors import Vectors

Numbers = npt.NDArray[np.float64]
FILE = "overlays.json.gz"
_UNIT = 1_000
"""Weights are written as whole thousandths: shorter, and the same on every machine that trains them."""
MEANING, BEFORE, LONG_BEFORE, WORDS, NEAR = 4.0, 2.0, 1.0, 2.0, 2.0
"""What the parts are multiplied by before they are weighed, so that one strength of regularisation suits all of them: a
vector has many small numbers, of which it takes many."""
GROUPS = ("meaning", "before", "words", "nearness", "form")
"""Where a share of a score comes from, as evidence tells it, in the order of the features."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a turn before the probe: its vector and those of the last two turns (None: it has none), the
    scores by words and by nearness to anchors, the mean nearness to the anchors of each overlay and to the neutral ones
    (None without a vector), and its cues."""

    vector: Vectors | None
    before: tuple[Vectors | None, Vectors | None]
    words: Scores
    met: Scores
    near: Sequence[float] | None
    cues: tuple[float, ...]

    def groups(self, dimensions: int) -> list[Numbers]:
        """The features, group by group."""
        last, second = self.before
        return [
            MEANING * _dense(self.vector, dimensions),
            np.concatenate([BEFORE * _dense(last, dimensions), LONG_BEFORE * _dense(second, dimensions)]),
            WORDS * np.asarray(self.words) / 10,
            np.concatenate([np.asarray(self.met) / 10, NEAR * np.asarray(self.near or [0.0] * (len(OVERLAYS) + 1))]),
            np.asarray(self.cues),
        ]


@dataclass(frozen=True, slots=True)
class Probe:
    """One row of weights and one bias for each overlay; a total of 0 is where a turn begins to be about it."""

    embedder: str
    dimensions: int
    weights: Numbers
    biases: Numbers

    def part(self, signals: Signals) -> Part:
        """The scores, and what each group of features adds to the total, for or against, the weightiest first."""
        shares, start = [], 0
        for group in signals.groups(self.dimensions):
            shares.append(self.weights[:, start : start + len(group)] @ group)
            start += len(group)
        totals = self.biases + np.sum(shares, axis=0)
        told = []
        for place in range(len(OVERLAYS)):
            own = [(float(share[place]), name) for share, name in zip(shares, GROUPS, strict=True)]
            told.append(tuple(f"{name} {share:+.1f}" for share, name in sorted(own, key=lambda one: -abs(one[0]))))
        scores = scores_of([10 / (1 + exp(-total)) for total in np.clip(totals, -50, 50).tolist()])
        return Part("probe", scores, tuple(told), (None,) * len(OVERLAYS))


def packed(probe: Probe) -> bytes:
    """A probe as a file: the same bytes for the same weights."""
    content = {
        "embedder": probe.embedder,
        "dimensions": probe.dimensions,
        "biases": _thousandths(probe.biases),
        "weights": {overlay: _thousandths(row) for overlay, row in zip(OVERLAYS, probe.weights, strict=True)},
    }
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0)


def unpacked(data: bytes) -> Probe:
    """The probe in a file that `packed` made."""
    content: Mapping[str, object] = json.loads(gzip.decompress(data))
    rows, biases, dimensions = content["weights"], content["biases"], content["dimensions"]
    if not isinstance(rows, Mapping) or not isinstance(dimensions, int):
        raise TypeError("the file holds no probe")
    weights = np.array([rows[overlay] for overlay in OVERLAYS], dtype=np.float64) / _UNIT
    return Probe(str(content["embedder"]), dimensions, weights, np.array(biases, dtype=np.float64) / _UNIT)


@cache
def shipped_probe() -> Probe:
    """The probe that comes with the package, read once."""
    return unpacked(files("graphmem.rules").joinpath("weights", FILE).read_bytes())


def probe_for(embedder: str) -> Probe | None:
    """The probe for the vectors of an embedder; None where it was trained with another."""
    probe = shipped_probe()
    return probe if probe.embedder == embedder else None


def _thousandths(row: Numbers) -> list[int]:
    return [round(float(one) * _UNIT) for one in row]


def _dense(vector: Vectors | None, dimensions: int) -> Numbers:
    return np.zeros(dimensions) if vector is None else np.asarray(vector, dtype=np.float64)
