"""Trains the probe that scores the overlays of turns on labelled conversations, and says how well it does on those that
it is not trained on, leaving out one conversation after the other.

python scripts/train_overlays.py           train, write the weights, print the table
python scripts/train_overlays.py --dry     print the table, write nothing
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from api.eval_continuity import continuous
from graphmem.model.labels_continuity import ContinuousConversation
from graphmem.model.turns import OVERLAYS, Overlay
from graphmem.opening import make_embedder
from graphmem.rules.anchors import ANCHORS, NEUTRAL
from graphmem.rules.identity import canonical_json
from graphmem.rules.overlay_keywords import keyword_part
from graphmem.rules.overlay_probe import FILE, Numbers, Probe, Signals, packed
from graphmem.rules.overlays import Anchors, Said, anchor_texts, anchors_of, signals_of
from graphmem.rules.vectors import Vectors, unit
from graphmem.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "graphmem" / "rules" / "weights" / FILE
EXAMPLES = ROOT / "tests" / "data" / "continuity"
TRAINED_ON = ("tuned", "practice")
"""`held` is only reported: nothing is trained on it."""
STRENGTH = 0.25
ANCHOR_WORTH = 0.5
"""What one of the built-in sentences counts beside a turn of a conversation: nothing is said before it."""
FALSE_HIGHS = 0.045
"""The share of the lows that may be taken for high. The goal allows 0.05."""


@dataclass(frozen=True)
class Example:
    """One turn; `labels` are 1 for high, 0 for low, -1 for what teaches nothing."""

    conversation: str
    features: Numbers
    labels: tuple[int, ...]
    worth: float
    near: Sequence[float] | None


class Reader:
    """The service's own embedder."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._embedder = make_embedder(load_settings(), threads=2)
        self._runner.run(self._embedder.load())
        self.id, self.dimensions = self._embedder.id, self._embedder.dimensions
        self.anchors: Anchors = anchors_of(self.vectors(anchor_texts()), self.id)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        return self._runner.run(self._embedder.embed(texts))


def turns_of(one: ContinuousConversation, reader: Reader) -> Iterator[Example]:
    """The turns of a conversation as analysis meets them, each behind the two before it."""
    texts = [message.content or "" for message in one.messages]
    rows = unit(reader.vectors(texts))
    held: list[Vectors | None] = [row if text.strip() else None for row, text in zip(rows, texts, strict=True)]
    for place, (message, label) in enumerate(zip(one.messages, one.turns, strict=True)):
        calls = None if message.tool_calls is None else canonical_json(message.tool_calls)
        said = Said(texts[place], calls, message.role)
        before = (held[place - 1] if place else None, held[place - 2] if place > 1 else None)
        by_words = keyword_part(said.text, calls, said.role)
        signals = signals_of(said, by_words, held[place], before, reader.anchors)
        labels = tuple(1 if overlay in label.high else 0 if overlay in label.low else -1 for overlay in OVERLAYS)
        yield Example(one.id, np.concatenate(signals.groups(reader.dimensions)), labels, 1.0, signals.near)


def built_in(reader: Reader, near: Sequence[float]) -> Iterator[Example]:
    """The anchors, each high in its overlay, and the neutral sentences, low in all. Their nearness is that of a
    middling turn: their own would be that to themselves."""
    about: list[Overlay | None] = [overlay for overlay in OVERLAYS for _ in ANCHORS[overlay]]
    about += [None] * len(NEUTRAL)
    for text, row, own in zip(anchor_texts(), reader.anchors.rows, about, strict=True):
        said = Said(text, None, "user")
        alone = signals_of(said, keyword_part(text), row, (None, None), reader.anchors)
        signals = Signals(row, (None, None), alone.words, (0.0,) * len(OVERLAYS), near, alone.cues)
        labels = tuple(0 if own is None else 1 if own == overlay else -1 for overlay in OVERLAYS)
        yield Example("", np.concatenate(signals.groups(reader.dimensions)), labels, ANCHOR_WORTH, near)


def fit(examples: Sequence[Example]) -> tuple[Numbers, Numbers]:
    """Weights and biases, by logistic regression, one overlay after the other."""
    features = np.array([one.features for one in examples])
    worth = np.array([one.worth for one in examples])
    weights, biases = [], []
    for place in range(len(OVERLAYS)):
        labels = np.array([one.labels[place] for one in examples])
        told = labels >= 0
        regression = LogisticRegression(C=STRENGTH, max_iter=2_000, tol=1e-5)
        regression.fit(features[told], labels[told], sample_weight=worth[told])
        weights.append(regression.coef_[0])
        biases.append(regression.intercept_[0])
    return np.array(weights), np.array(biases)


def left_out(examples: Sequence[Example], also: Sequence[Example]) -> Numbers:
    """The total of each turn and overlay by a probe that was trained without the turn's conversation."""
    totals = np.zeros((len(examples), len(OVERLAYS)))
    for name in sorted({one.conversation for one in examples}):
        weights, biases = fit([*(one for one in examples if one.conversation != name), *also])
        for place, one in enumerate(examples):
            if one.conversation == name:
                totals[place] = weights @ one.features + biases
    return totals


def bar(totals: Numbers, labels: Numbers) -> float:
    """The total from which a turn is high, the same for all overlays: few of the lows reach it."""
    return float(np.quantile(totals[labels == 0], 1 - FALSE_HIGHS))


def tell(examples: Sequence[Example], totals: Numbers, labels: Numbers) -> None:
    """The share of the highs and lows that are met, where the bar of a conversation follows from the others alone."""
    names = np.array([one.conversation for one in examples])
    bars = {name: bar(totals[names != name], labels[names != name]) for name in sorted(set(names))}
    high = totals >= np.array([[bars[name]] for name in names])
    for place, overlay in enumerate([*OVERLAYS, "all"]):
        of = slice(None) if overlay == "all" else slice(place, place + 1)
        highs, lows = labels[:, of] == 1, labels[:, of] == 0
        met, kept = int(high[:, of][highs].sum()), int((~high[:, of][lows]).sum())
        told = f"highs {met / highs.sum():.3f} of {highs.sum():4}  lows {kept / lows.sum():.3f} of {lows.sum():4}"
        print(f"{overlay:4} {told}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dry", action="store_true", help="writes nothing")
    given = options.parse_args()
    reader = Reader()
    labelled = [one for name in TRAINED_ON for one in continuous(EXAMPLES / name)]
    examples = [example for one in labelled for example in turns_of(one, reader)]
    also = list(built_in(reader, np.mean([one.near for one in examples if one.near], axis=0).tolist()))
    labels = np.array([one.labels for one in examples])
    totals = left_out(examples, also)
    tell(examples, totals, labels)
    if given.dry:
        return
    weights, biases = fit([*examples, *also])
    data = packed(Probe(reader.id, reader.dimensions, weights, biases - bar(totals, labels)))
    WEIGHTS.write_bytes(data)
    print(f"{weights.shape[1]} features, {len(data) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
