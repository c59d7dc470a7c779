"""Trains the scorers of the deterministic extractor on labelled conversations, and says how well they do on others.

python scripts/train_extractor.py                                     train on the labelled set, write the weights
python scripts/train_extractor.py --also DIR                          train on more conversations
python scripts/train_extractor.py --also DIR --folds 5                cross-validate on DIR, write nothing
python scripts/train_extractor.py --also DIR --check DIR              train without writing, measure on another DIR
"""

import argparse
import asyncio
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from training.dependencies import label_dependency, label_type
from training.entities import label_entity, label_entity_type
from training.facts import label_claim, label_subject

from api.cli_eval import conversations
from api.extracting import draw_chunks
from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.labels import LabelledConversation
from graphmem.model.parsed import ParsedText
from graphmem.rules.evaluation import KINDS, Kind, Tally, compare
from graphmem.rules.extraction import ChunkBounds
from graphmem.rules.extraction.scoring import Scorer, Scoring, packed, whole
from graphmem.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "graphmem" / "rules" / "weights"
EXAMPLES = ROOT / "tests" / "data" / "extraction"
UNSEEN = ("reported", "held")
"""What is only reported: nothing is trained on it."""
FITTED = ("tuned", "practice")
FITTED_WORTH = 0.3
"""What a conversation of those counts beside another one: the rules were fitted to them, and are right there more often
than elsewhere."""


@dataclass(frozen=True)
class Model:
    """What is trained: `label` says the right class of a case that extraction asks this model about, '' for no, None
    for a case that teaches nothing (an optional label). `classes`: one for yes or no, else all of them.

    `caution` is taken from the bias of yes: how much more a wrong find costs than a missed one. `least` is how many
    conversations a feature has to be in.
    """

    name: str
    label: Callable[[LabelledConversation, object], str | None]
    classes: tuple[str, ...]
    strength: float = 1.0
    caution: float = 0.0
    least: int = 2


_TYPES = "entity-types"
_FOLDS = 4
MODELS: tuple[Model, ...] = (
    Model("entities", label_entity, ("keep",), strength=0.1),
    Model(_TYPES, label_entity_type, tuple(EntityType), strength=0.1),
    Model("claims", label_claim, ("", "attribute", "constraint"), strength=0.1, caution=0.4),
    Model("subjects", label_subject, ("keep",), strength=0.1),
    Model("dependencies", label_dependency, ("link",), strength=0.2, caution=-0.4),
    Model("dependency-types", label_type, tuple(DependencyType), strength=0.3),
)
"""In the order they are trained: each is asked about what the ones before it let pass."""


@dataclass(frozen=True)
class Example:
    conversation: str
    features: tuple[str, ...]
    answer: str
    worth: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording(Scoring):
    """Scorers that note what they are asked, and answer what is right, so that what is asked next follows from that;
    of types what `typing` says, where it is given."""

    labelled: LabelledConversation
    typing: Scorer | None = None
    cases: list[tuple[str, object, tuple[str, ...]]] = field(default_factory=list)

    def judge(self, model: str, case: object, features: Sequence[str]) -> tuple[str, float]:
        self.cases.append((model, case, tuple(features)))
        if model == _TYPES and self.typing is not None:
            return self.typing.pick(features)
        right = next((one.label(self.labelled, case) for one in MODELS if one.name == model), None)
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


def read(one: LabelledConversation, parser: Remembering, scoring: Scoring) -> Extraction:
    settings = load_settings()
    bounds = ChunkBounds(settings.extraction_chunk_messages, settings.extraction_chunk_tokens)
    drawn = draw_chunks(one.messages, one.project, parser, settings.extraction_limits, bounds, scoring=scoring)
    return asyncio.run(drawn).extraction


def train(labelled: Sequence[LabelledConversation], fitted: Collection[str], told: "Told") -> dict[str, Scorer]:
    """Every model, on these conversations; `fitted` are the ids of those that count less."""
    trained = {}
    for model in MODELS:
        examples = [
            replace(example, worth=FITTED_WORTH if one.id in fitted else 1.0)
            for one in labelled
            for example in told.examples(one, model.name)
        ]
        trained[model.name] = fit(model, examples)
    return trained


class Told:
    """What each conversation teaches each model, found out once.

    A type is wrong more often than what else is trained: models behind it are shown types as a scorer says them that
    has not seen the conversation.
    """

    def __init__(self, parser: Remembering, labelled: Sequence[LabelledConversation]) -> None:
        self._parser = parser
        self._examples: dict[str, list[tuple[str, Example]]] = {}
        self._typing: dict[str, Scorer] = {}
        typed = {one.id: [e for name, e in self._find(one) if name == _TYPES] for one in labelled}
        model = next(one for one in MODELS if one.name == _TYPES)
        for fold in range(_FOLDS):
            rest = [e for place, examples in enumerate(typed.values()) if place % _FOLDS != fold for e in examples]
            self._typing |= dict.fromkeys(list(typed)[fold::_FOLDS], fit(model, rest))

    def examples(self, one: LabelledConversation, model: str) -> list[Example]:
        if one.id not in self._examples:
            self._examples[one.id] = list(self._find(one))
        return [example for name, example in self._examples[one.id] if name == model]

    def _find(self, one: LabelledConversation) -> Iterable[tuple[str, Example]]:
        recording = Recording(labelled=one, typing=self._typing.get(one.id))
        read(one, self._parser, recording)
        labels = {model.name: model.label for model in MODELS}
        for name, case, features in recording.cases:
            answer = labels[name](one, case)
            if answer is not None:
                yield name, Example(one.id, features, answer)


def fit(model: Model, examples: Sequence[Example]) -> Scorer:
    """The weights that tell the examples apart, by logistic regression."""
    seen: Counter[str] = Counter()
    for feature, _ in {(feature, one.conversation) for one in examples for feature in one.features}:
        seen[feature] += 1
    columns = {feature: place for place, feature in enumerate(sorted(f for f in seen if seen[f] >= model.least))}
    places = [sorted({columns[f] for f in one.features if f in columns}) for one in examples]
    indices = np.array([place for row in places for place in row], dtype=np.int32)
    ends = np.cumsum([0, *(len(row) for row in places)])
    matrix = csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(examples), len(columns)))
    regression = LogisticRegression(C=model.strength, max_iter=1_000, tol=1e-4)
    regression.fit(matrix, [one.answer for one in examples], sample_weight=[one.worth for one in examples])
    if len(model.classes) == 1:
        biases, weights = regression.intercept_ - model.caution, regression.coef_
        classes = model.classes
    else:
        classes = tuple(str(one) for one in regression.classes_)
        biases = np.array(
            [b - model.caution * bool(name) for b, name in zip(regression.intercept_, classes, strict=True)]
        )
        weights = regression.coef_
    by_feature = {feature: tuple(whole(one) for one in weights[:, place]) for feature, place in columns.items()}
    return Scorer(classes, tuple(whole(one) for one in biases), by_feature)


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
    folders = [sub for sub in sorted(EXAMPLES.iterdir()) if sub.is_dir() and sub.name not in (*UNSEEN, *FITTED)]
    seen = of_folders(EXAMPLES / name for name in FITTED)
    fitted = {one.id for one in seen}
    own = [*seen, *of_folders(folders)]
    also = of_folders(given.also, given.skip)
    told = Told(parser, [*own, *also])
    if given.folds:
        total: dict[Kind, Tally] = dict.fromkeys(KINDS, Tally())
        for fold in range(given.folds):
            held_out = also[fold :: given.folds]
            rest = [one for place, one in enumerate(also) if place % given.folds != fold]
            tallies = measure(held_out, parser, Scoring(train([*own, *rest], fitted, told)), given.misses)
            total = {kind: total[kind] + tallies[kind] for kind in KINDS}
        tell(total)
        return
    trained = train([*own, *also], fitted, told)
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
