"""Linear scorers that `scripts/train_extractor.py` has trained: features as strings in, a class and how sure out."""

import gzip
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import repeat

_UNIT = 1_000
"""Weights are whole thousandths: shorter, and a sum of them is the same in whatever order, on every machine."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A trained model. One weight for each class and feature, in thousandths of a logit; a feature that it has never
    seen weighs nothing.

    With one class it says yes or no: `pick` answers that class or ''.
    """

    classes: tuple[str, ...]
    biases: tuple[int, ...]
    weights: Mapping[str, tuple[int, ...]]
    _lone: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """The weights where there is one class; far quicker to add up than those in tuples."""

    def __post_init__(self) -> None:
        lone = {feature: one[0] for feature, one in self.weights.items()} if len(self.classes) == 1 else {}
        object.__setattr__(self, "_lone", lone)

    def pick(self, features: Iterable[str]) -> tuple[str, float]:
        """The likeliest class, and its probability; with one class, the probability of that, and '' below one half.

        >>> Scorer(("keep",), (-1_000,), {"capital": (3_000,)}).pick(["capital", "unheard of"])
        ('keep', 0.8807970779778823)
        """
        if len(self.classes) == 1:
            total = sum(map(self._lone.get, features, repeat(0)), self.biases[0])
            return (self.classes[0] if total >= 0 else ""), _logistic(total / _UNIT)
        known = filter(None, map(self.weights.get, features))
        totals = [*map(sum, zip(self.biases, *known, strict=True))]
        top = max(totals)
        return self.classes[totals.index(top)], 1 / sum(math.exp((total - top) / _UNIT) for total in totals)


def whole(weight: float) -> int:
    """A weight in whole thousandths."""
    return round(weight * _UNIT)


def _logistic(total: float) -> float:
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))


@dataclass(frozen=True, slots=True)
class Scoring:
    """The scorers by name: those given, and else those that come with the package."""

    given: Mapping[str, Scorer] = field(default_factory=dict)

    def judge(self, model: str, case: object, features: Sequence[str]) -> tuple[str, float]:  # noqa: ARG002
        """What a model says of a case by its features. `case` is what a trainer labels; here the features are all."""
        return (self.given.get(model) or shipped(model)).pick(features)


@cache
def shipped(name: str) -> Scorer:
    """The scorer of this name that comes with the package, read once."""
    return unpacked(files("graphmem.rules").joinpath("weights", f"{name}.json.gz").read_bytes())


def packed(scorer: Scorer) -> bytes:
    """A scorer as a file: the same bytes for the same weights; what weighs nothing is left out."""
    content = {
        "classes": scorer.classes,
        "biases": scorer.biases,
        "weights": {
            feature: scorer.weights[feature] for feature in sorted(scorer.weights) if any(scorer.weights[feature])
        },
    }
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0)


def unpacked(data: bytes) -> Scorer:
    """The scorer in a file that `packed` made."""
    content = json.loads(gzip.decompress(data))
    weights = {feature: tuple(one) for feature, one in content["weights"].items()}
    return Scorer(tuple(content["classes"]), tuple(content["biases"]), weights)
