"""Trains the probe that scores the overlays of turns, and finds shifts and what points back, on labelled conversations,
and says how well it does on those that it is not trained on, leaving out one tenth of them after the other.

python scripts/train_overlays.py           train, write the weights, print the table
python scripts/train_overlays.py --dry     print the table, write nothing
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from api.eval_continuity import continuous
from graphmem.model.labels_continuity import OverlayConversation
from graphmem.model.turns import OVERLAYS
from graphmem.opening import make_embedder
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.language.vectors import Vectors, unit
from graphmem.rules.turns.overlay_keywords import keyword_part
from graphmem.rules.turns.overlay_probe import (
    FILE,
    LEARNT,
    Numbers,
    Probe,
    Signals,
    Surface,
    packed,
    term_worth,
    terms_of,
)
from graphmem.rules.turns.overlays import NEARNESS, Anchors, Said, anchor_texts, surface_of
from graphmem.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "graphmem" / "rules" / "weights" / FILE
EXAMPLES = ROOT / "tests" / "data" / "continuity"
TRAINED_ON = ("tuned", "practice")
"""`held` is only reported: nothing is trained on it."""
WRITTEN = "overlays"
FOLDS = 10
STRENGTH = 0.2
"""Of the weights: how far they may go."""
STEPS = 60
LEAST_TURNS = 4
"""Turns that a term must stand in to be learnt."""
FALSE_HIGHS = 0.045
"""The share of the lows that may be taken for high. The goal allows 0.05."""


@dataclass(frozen=True)
class Labelled:
    """A turn, and for each of `LEARNT` whether it is so (1), is not (0), or teaches nothing (-1)."""

    said: Said
    labels: tuple[int, ...]


@dataclass(frozen=True)
class Example:
    """One turn as the probe meets it."""

    folder: str
    conversation: str
    dense: Numbers
    terms: frozenset[str]
    labels: tuple[int, ...]


@dataclass(frozen=True)
class Examples:
    """All turns, as rows: the features that are numbers, the terms that were learnt, and the labels."""

    dense: Numbers
    terms: csr_matrix
    labels: Numbers
    named: list[str]


class Reader:
    """The service's own embedder."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._embedder = make_embedder(load_settings(), threads=2)
        self._runner.run(self._embedder.load())
        self.id, self.dimensions = self._embedder.id, self._embedder.dimensions
        self.anchors = Anchors(unit(self.vectors(anchor_texts())), NEARNESS[self.id])

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        return self._runner.run(self._embedder.embed(texts))


def conversations() -> Iterator[tuple[str, str, list[Labelled]]]:
    """Folder, name and turns of all that may be learnt from."""
    for folder in TRAINED_ON:
        for one in continuous(EXAMPLES / folder):
            turns = []
            for message, label in zip(one.messages, one.turns, strict=True):
                calls = None if message.tool_calls is None else canonical_json(message.tool_calls)
                labels = tuple(1 if name in label.high else 0 if name in label.low else -1 for name in OVERLAYS)
                said = Said(message.content or "", calls, message.role)
                turns.append(Labelled(said, (*labels, *also(said, label.shift, bool(label.references)))))
            yield folder, one.id, turns
    for file in sorted((EXAMPLES / WRITTEN).glob("*.jsonl")):
        written = OverlayConversation.of_lines(file.read_text())
        turns = []
        for turn in written.turns:
            labels = tuple(1 if name in turn.high else -1 if name in turn.either else 0 for name in OVERLAYS)
            said = Said(turn.text, None, turn.role)
            turns.append(Labelled(said, (*labels, *also(said, turn.shift, bool(turn.refs)))))
        yield WRITTEN, written.id, turns


def also(said: Said, shift: bool | None, back: bool) -> tuple[int, int]:
    """What a turn teaches of shifts, where it is the user's, and of pointing back, where it has words."""
    return -1 if shift is None or said.role != "user" else int(shift), int(back) if said.text.strip() else -1


def examples_of(folder: str, name: str, turns: Sequence[Labelled], reader: Reader) -> Iterator[Example]:
    """The turns of a conversation as analysis meets them, each behind those before it."""
    rows = unit(reader.vectors([turn.said.text for turn in turns]))
    held: list[Vectors | None] = [
        row if turn.said.text.strip() else None for row, turn in zip(rows, turns, strict=True)
    ]
    last: Surface | None = None
    for place, turn in enumerate(turns):
        said = turn.said
        own = surface_of(said, keyword_part(said.text, said.calls, said.role), held[place], reader.anchors)
        before = (held[place - 1] if place else None, held[place - 2] if place > 1 else None)
        signals = Signals(held[place], before, own, last, terms_of(said.text, said.role))
        yield Example(folder, name, np.concatenate(signals.groups(reader.dimensions)), signals.terms, turn.labels)
        last = own


def gathered(examples: Sequence[Example]) -> Examples:
    """The examples as rows. A term is learnt where enough turns have it."""
    often = Counter(term for one in examples for term in one.terms)
    named = sorted(term for term, turns in often.items() if turns >= LEAST_TURNS)
    places = {term: place for place, term in enumerate(named)}
    rows = [sorted(places[term] for term in one.terms & places.keys()) for one in examples]
    starts = np.cumsum([0, *map(len, rows)])
    worth = np.concatenate([np.full(len(row), term_worth(len(row))) for row in rows])
    terms = csr_matrix((worth, np.concatenate(rows).astype(int), starts), shape=(len(examples), len(named)))
    dense = np.array([one.dense for one in examples])
    return Examples(dense, terms, np.array([one.labels for one in examples]), named)


def fit(examples: Examples, worth: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Weights of the numbers and of the terms, and biases, by logistic regression; a column of `worth` (turns, probes)
    says which turns a probe is trained on. All overlays of a probe stand side by side, as do the probes."""
    dense, terms = examples.dense, examples.terms
    labels = np.tile(examples.labels, worth.shape[1])
    signs = np.where(labels == 1, 1.0, -1.0)
    counts = (labels >= 0) * np.repeat(worth, len(LEARNT), axis=1)
    shape = (dense.shape[1] + terms.shape[1] + 1, labels.shape[1])
    middle = dense.shape[1]

    def cost(flat: Numbers) -> tuple[float, Numbers]:
        all_ = flat.reshape(shape)
        margins = signs * (dense @ all_[:middle] + terms @ all_[middle:-1] + all_[-1])
        pull = -counts * signs / (1 + np.exp(np.clip(margins, -50, 50)))
        slopes = np.vstack([dense.T @ pull, terms.T @ pull]) + all_[:-1] / STRENGTH
        total = (counts * np.logaddexp(0, -margins)).sum() + (all_[:-1] ** 2).sum() / STRENGTH / 2
        return float(total), np.vstack([slopes, pull.sum(axis=0)]).ravel()

    found = minimize(cost, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    weights = found.x.reshape(shape)
    return weights[:middle], weights[middle:-1], weights[-1]


def folds_of(examples: Sequence[Example]) -> Numbers:
    """The tenth in which each turn is left out: that of its conversation, so that each has some of each folder."""
    names = sorted({(one.folder, one.conversation) for one in examples})
    return np.array([names.index((one.folder, one.conversation)) % FOLDS for one in examples])


def left_out(examples: Examples, folds: Numbers) -> Numbers:
    """The total of each turn and overlay by a probe that was trained without the turn's conversation."""
    worth = np.array([folds != fold for fold in range(FOLDS)], dtype=float).T
    dense, terms, biases = fit(examples, worth)
    totals = (examples.dense @ dense + examples.terms @ terms + biases).reshape(len(folds), FOLDS, len(LEARNT))
    return totals[np.arange(len(folds)), folds]


def bar(totals: Numbers, labels: Numbers) -> float:
    """The total from which a turn is high, the same for all overlays: few of the lows reach it."""
    return float(np.quantile(totals[labels == 0], 1 - FALSE_HIGHS))


def as_many(totals: Numbers, labels: Numbers) -> float:
    """The total which as many turns reach as are labelled so."""
    return float(np.sort(totals[labels >= 0])[-int((labels == 1).sum())])


def tell(examples: Sequence[Example], folds: Numbers, totals: Numbers, labels: Numbers) -> None:
    """The share of the highs and lows that are met, where the bar of a conversation follows from other tenths alone;
    and how many of the turns that shift or point back reach their bar."""
    middle = len(OVERLAYS)
    for name, of, label in zip(LEARNT[middle:], totals.T[middle:], labels.T[middle:], strict=True):
        met = of >= as_many(of, label)
        print(f"{name:8} found {int((met & (label == 1)).sum())} of {(label == 1).sum()}")
    totals, labels = totals[:, :middle], labels[:, :middle]
    bars = [bar(totals[folds != fold], labels[folds != fold]) for fold in range(FOLDS)]
    high = totals >= np.array([[bars[fold]] for fold in folds])
    folders = np.array([one.folder for one in examples])
    everything = np.full(labels.shape, True)
    parts = {overlay: everything & (np.arange(len(OVERLAYS)) == place) for place, overlay in enumerate(OVERLAYS)}
    parts |= {folder: everything & (folders == folder)[:, None] for folder in sorted(set(folders))} | {
        "all": everything
    }
    for name, part in parts.items():
        highs, lows = part & (labels == 1), part & (labels == 0)
        met, kept = int(high[highs].sum()), int((~high[lows]).sum())
        told = f"highs {met / highs.sum():.3f} of {highs.sum():4}  lows {kept / lows.sum():.3f} of {lows.sum():5}"
        print(f"{name:8} {told}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dry", action="store_true", help="writes nothing")
    given = options.parse_args()
    reader = Reader()
    met = [one for found in conversations() for one in examples_of(*found, reader)]
    examples, folds = gathered(met), folds_of(met)
    totals = left_out(examples, folds)
    tell(met, folds, totals, examples.labels)
    if given.dry:
        return
    dense, terms, biases = fit(examples, np.ones((len(met), 1)))
    learnt = dict(zip(examples.named, terms, strict=True))
    middle, labels = len(OVERLAYS), examples.labels
    bars = [bar(totals[:, :middle], labels[:, :middle])] * middle
    bars += [as_many(totals[:, row], labels[:, row]) for row in range(middle, len(LEARNT))]
    data = packed(Probe(reader.id, reader.dimensions, dense.T, biases - bars, learnt))
    WEIGHTS.write_bytes(data)
    print(f"{len(dense)} features, {len(learnt)} terms, {len(data) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
