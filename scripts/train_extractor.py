"""Trains the scorers of the deterministic extractor on labelled conversations, and says how well they do on others.

python scripts/train_extractor.py                                     train on the labelled set, write the weights
python scripts/train_extractor.py --also DIR                          train on more conversations
python scripts/train_extractor.py --also DIR --folds 5                cross-validate on DIR, write nothing
python scripts/train_extractor.py --also DIR --check DIR              train without writing, measure on another DIR
"""

import argparse
import asyncio
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from training.entities import label_entity  # noqa: E402
from training.facts import label_claim, label_subject  # noqa: E402

from api.cli_eval import conversations  # noqa: E402
from api.extracting import draw_chunks  # noqa: E402
from graphmem.adapters.parsing import SpacyParser  # noqa: E402
from graphmem.model.labels import LabelledConversation  # noqa: E402
from graphmem.model.parsed import ParsedText  # noqa: E402
from graphmem.rules.chunks import ChunkBounds  # noqa: E402
from graphmem.rules.evaluation import KINDS, Kind, Tally, compare  # noqa: E402
from graphmem.rules.scoring import Scorer, Scoring, packed  # noqa: E402
from graphmem.settings import load_settings  # noqa: E402

WEIGHTS = ROOT / "graphmem" / "rules" / "weights"
EXAMPLES = ROOT / "tests" / "data" / "extraction"
UNSEEN = "reported"
"""The half that is only reported: nothing is trained on it."""


@dataclass(frozen=True)
class Model:
    """What is trained: `label` says the right class of a case that extraction asks this model about, '' for no, None
    for a case that teaches nothing (an optional label). `classes`: one for yes or no, else all of them.

    `caution` is taken from the bias of yes: a wrong find costs more than a missed one. `least` is how many
    conversations a feature has to be in.
    """

    name: str
    label: Callable[[LabelledConversation, object], str | None]
    classes: tuple[str, ...]
    strength: float = 1.0
    caution: float = 0.0
    least: int = 2


MODELS: tuple[Model, ...] = (
    Model("entities", label_entity, ("keep",), strength=0.3),
    Model("claims", label_claim, ("", "attribute", "constraint"), strength=0.1),
    Model("subjects", label_subject, ("keep",), strength=0.1),
)
"""In the order they are trained: each is asked about what the ones before it let pass."""


@dataclass(frozen=True)
class Example:
    conversation: str
    features: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Recording(Scoring):
    """Scorers that note what they are asked. The model that is trained, and those before it, answer what is right, so
    that what is asked next follows from that; those behind it say no."""

    labelled: LabelledConversation | None = None
    cases: list[tuple[str, object, tuple[str, ...]]] = field(default_factory=list)

    def judge(self, model: str, case: object, features: Sequence[str]) -> tuple[str, float]:
        self.cases.append((model, case, tuple(features)))
        right = next((one.label(self.labelled, case) for one in MODELS if one.name == model), None)
        if right is None:
            trained = self.given.get(model)
            return trained.pick(features) if trained else ("", 0.0)
        return right or "", float(bool(right))


class Remembering:
    """A parser that parses every text once."""

    def __init__(self, parser: SpacyParser) -> None:
        self._parser = parser
        self._parsed: dict[str, ParsedText] = {}

    def parse(self, texts: Sequence[str]) -> list[ParsedText]:
        if new := [text for text in dict.fromkeys(texts) if text not in self._parsed]:
            self._parsed.update(zip(new, self._parser.parse(new), strict=True))
        return [self._parsed[text] for text in texts]


def read(one: LabelledConversation, parser: Remembering, scoring: Scoring):
    settings = load_settings()
    bounds = ChunkBounds(settings.extraction_chunk_messages, settings.extraction_chunk_tokens)
    drawn = draw_chunks(one.messages, one.project, parser, settings.extraction_limits, bounds, scoring=scoring)
    return asyncio.run(drawn).extraction


def train(labelled: Sequence[LabelledConversation], parser: Remembering) -> dict[str, Scorer]:
    """Every model, on these conversations."""
    trained: dict[str, Scorer] = {}
    for model in MODELS:
        examples = [example for one in labelled for example in examples_of(model, one, parser, trained)]
        trained[model.name] = fit(model, examples)
    return trained


def examples_of(
    model: Model, one: LabelledConversation, parser: Remembering, trained: Mapping[str, Scorer]
) -> Iterable[Example]:
    recording = Recording(trained, one)
    read(one, parser, recording)
    for name, case, features in recording.cases:
        answer = model.label(one, case) if name == model.name else None
        if answer is not None:
            yield Example(one.id, features, answer)


def fit(model: Model, examples: Sequence[Example], worth: Sequence[float] | None = None) -> Scorer:
    """The weights that tell the examples apart, by logistic regression."""
    seen: Counter[str] = Counter()
    for feature, _ in {(feature, one.conversation) for one in examples for feature in one.features}:
        seen[feature] += 1
    columns = {feature: place for place, feature in enumerate(sorted(f for f in seen if seen[f] >= model.least))}
    places = [sorted({columns[f] for f in one.features if f in columns}) for one in examples]
    indices = np.array([place for row in places for place in row], dtype=np.int32)
    ends = np.cumsum([0, *(len(row) for row in places)])
    matrix = csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(examples), len(columns)))
    regression = LogisticRegression(C=model.strength, max_iter=2_000, tol=1e-6)
    regression.fit(matrix, [one.answer for one in examples], sample_weight=worth)
    if len(model.classes) == 1:
        biases, weights = regression.intercept_ - model.caution, regression.coef_
        classes = model.classes
    else:
        classes = tuple(str(one) for one in regression.classes_)
        biases = np.array(
            [b - model.caution * bool(name) for b, name in zip(regression.intercept_, classes, strict=True)]
        )
        weights = regression.coef_
    by_feature = {feature: tuple(float(one) for one in weights[:, place]) for feature, place in columns.items()}
    return Scorer(classes, tuple(float(one) for one in biases), by_feature)


def measure(
    labelled: Sequence[LabelledConversation], parser: Remembering, scoring: Scoring, misses: str
) -> dict[Kind, Tally]:
    """How the conversations are read with these scorers, by kind; of one kind, also what was wrong and missed."""
    total: dict[Kind, Tally] = dict.fromkeys(KINDS, Tally())
    for one in labelled:
        found = read(one, parser, scoring)
        tallies = compare(found, one)
        total = {kind: total[kind] + tallies[kind] for kind in KINDS}
        if one.topic == "noise" and found.entities:
            print(f"{one.id}: noise: {[entity.name for entity in found.entities]}")
        for kind in KINDS:
            if kind == misses:
                for what in tallies[kind].wrong:
                    print(f"{one.id}: wrong: {what}")
                for what in tallies[kind].missed:
                    print(f"{one.id}: missed: {what}")
    return total


def tell(tallies: Mapping[Kind, Tally]) -> None:
    for kind in KINDS:
        one = tallies[kind]
        shares = " ".join("  — " if part is None else f"{part:.3f}" for part in (one.precision, one.recall, one.f1))
        print(f"{kind:13} P R F1 {shares}  found {one.right + len(one.wrong)} of {one.held + len(one.missed)}")


def of_folders(folders: Iterable[Path], skip: str = "") -> list[LabelledConversation]:
    read_ = [one for folder in folders for one in conversations(folder)]
    return [one for one in read_ if not skip or not one.id.endswith(tuple(skip))]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--also", type=Path, action="append", default=[], help="more conversations to train on")
    options.add_argument("--folds", type=int, default=0, help="cross-validate on those of --also")
    options.add_argument("--check", type=Path, help="measure on these, and train on them never")
    options.add_argument("--misses", default="", help="a kind whose mistakes are printed")
    options.add_argument("--skip", default="", help="ends of ids of --also that are left out")
    options.add_argument("--only", default="", help="ends of ids of --check that are measured")
    given = options.parse_args()
    warnings.simplefilter("ignore")
    parser = Remembering(SpacyParser())
    own = of_folders(sub for sub in sorted(EXAMPLES.iterdir()) if sub.is_dir() and sub.name != UNSEEN)
    also = of_folders(given.also, given.skip)
    if given.folds:
        total: dict[Kind, Tally] = dict.fromkeys(KINDS, Tally())
        for fold in range(given.folds):
            held_out = also[fold :: given.folds]
            rest = [one for place, one in enumerate(also) if place % given.folds != fold]
            tallies = measure(held_out, parser, Scoring(train([*own, *rest], parser)), given.misses)
            total = {kind: total[kind] + tallies[kind] for kind in KINDS}
        tell(total)
        return
    trained = train([*own, *also], parser)
    if given.check:
        labelled = [one for one in conversations(given.check) if not given.only or one.id.endswith(tuple(given.only))]
        tell(measure(labelled, parser, Scoring(trained), given.misses))
        return
    WEIGHTS.mkdir(exist_ok=True)
    for name, scorer in trained.items():
        data = packed(scorer)
        (WEIGHTS / f"{name}.json.gz").write_bytes(data)
        print(f"{name}: {len(scorer.weights)} features, {len(data) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
