"""Linear scorers that `scripts/train_extractor.py` has trained: features as strings in, a class and how sure out."""

import gzip
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

_UNIT = 1_000
"""Weights are written as whole thousandths: shorter, and the same on every machine that trains them."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A trained model. One weight for each class and feature; a feature that it has never seen weighs nothing.

    With one class it says yes or no: `pick` answers that class or ''.
    """

    classes: tuple[str, ...]
    biases: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def pick(self, features: Iterable[str]) -> tuple[str, float]:
        """The likeliest class, and its probability; with one class, the probability of that, and '' below one half.

        >>> Scorer(("keep",), (-1.0,), {"capital": (3.0,)}).pick(["capital", "unheard of"])
        ('keep', 0.8807970779778823)
        """
        totals = list(self.biases)
        weights = self.weights
        if len(totals) == 1:
            total = totals[0]
            for feature in features:
                if (found := weights.get(feature)) is not None:
                    total += found[0]
            return (self.classes[0] if total > 0 else ""), _logistic(total)
        for feature in features:
            if (found := weights.get(feature)) is not None:
                for place, weight in enumerate(found):
                    totals[place] += weight
        top = max(totals)
        return self.classes[totals.index(top)], 1 / sum(math.exp(total - top) for total in totals)


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
    whole = {feature: [round(one * _UNIT) for one in scorer.weights[feature]] for feature in sorted(scorer.weights)}
    content = {
        "classes": scorer.classes,
        "biases": [round(bias * _UNIT) for bias in scorer.biases],
        "weights": {feature: weights for feature, weights in whole.items() if any(weights)},
    }
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0)


def unpacked(data: bytes) -> Scorer:
    """The scorer in a file that `packed` made."""
    content = json.loads(gzip.decompress(data))
    return Scorer(
        classes=tuple(content["classes"]),
        biases=tuple(bias / _UNIT for bias in content["biases"]),
        weights={feature: tuple(one / _UNIT for one in weights) for feature, weights in content["weights"].items()},
    )
