"""`graphmem eval supersession`: which labelled pairs the rules judge correctly, without a service or a database."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from graphmem.errors import InvalidInput
from graphmem.model.labels import LabelledPair
from graphmem.rules.evaluation import Tally, tally_pair
from graphmem.settings import load_settings

GOAL = (0.98, 0.90)
"""Precision and recall required of the rules, over all classes of pairs they were never tuned on."""
SUBJECTS = "subjects"
"""The class of pairs with similar words about different subjects."""


@dataclass(frozen=True)
class EvaluatedPairs:
    """The results for one file of pairs. `collateral`: facts retired because of a statement about another subject."""

    name: str
    pairs: dict[str, int]
    tallies: dict[str, Tally]

    @property
    def overall(self) -> Tally:
        return sum(self.tallies.values(), Tally())

    @property
    def collateral(self) -> int:
        return len(self.tallies[SUBJECTS].wrong) if SUBJECTS in self.tallies else 0


def tell_supersession(folder: Path, misses: str | None, out: Console) -> None:
    """Print the table, and what was wrong or missed in one of the files. Errors: InvalidInput."""
    evaluated = evaluate_supersession(folder)
    for line in supersession_table(evaluated):
        out.print(line)
    for one in evaluated:
        for class_, tally in one.tallies.items() if one.name == misses else ():
            for what in tally.wrong:
                out.print(f"{class_}: wrong: {what}")
            for what in tally.missed:
                out.print(f"{class_}: missed: {what}")


def evaluate_supersession(folder: Path) -> list[EvaluatedPairs]:
    """Each file of pairs in it, by name. Errors: InvalidInput for a line that is not a pair, or no file at all."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise InvalidInput(f"no file in {folder} holds labelled pairs (*.jsonl)")
    min_confidence = load_settings().supersession_min_confidence
    return [_evaluate(file.stem, labelled_pairs(file), min_confidence) for file in files]


def _evaluate(name: str, pairs: Sequence[LabelledPair], min_confidence: float) -> EvaluatedPairs:
    counts: dict[str, int] = {}
    tallies: dict[str, Tally] = {}
    for pair in pairs:
        counts[pair.class_] = counts.get(pair.class_, 0) + 1
        tallies[pair.class_] = tallies.get(pair.class_, Tally()) + tally_pair(pair, min_confidence)
    return EvaluatedPairs(name, counts, tallies)


def labelled_pairs(file: Path) -> list[LabelledPair]:
    """The pairs of a file, in order. Errors: InvalidInput names the invalid line."""
    pairs = []
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        try:
            pairs.append(LabelledPair.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise InvalidInput(f"{file}, line {number}, is no labelled pair: {place}: {first['msg']}") from None
    return pairs


def supersession_table(evaluated: Sequence[EvaluatedPairs]) -> list[str]:
    """Lines of a Markdown table."""
    lines = [
        "| pairs | class | precision | recall | F1 | found | labels | goal P / R |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in evaluated:
        for class_, tally in one.tallies.items():
            lines.append(f"| {one.name} ({one.pairs[class_]}) | {class_} | {_shares(tally)} | — |")
        goal = " / ".join(f"{part:.2f}" for part in GOAL)
        lines.append(f"| {one.name} ({sum(one.pairs.values())}) | all | {_shares(one.overall)} | {goal} |")
        lines.append(f"| {one.name} | collateral across subjects | — | — | — | {one.collateral} | 0 | 0 |")
    return lines


def _shares(tally: Tally) -> str:
    shares = " | ".join(share(part) for part in (tally.precision, tally.recall, tally.f1))
    return f"{shares} | {tally.right + len(tally.wrong)} | {tally.held + len(tally.missed)}"


def share(part: float | None) -> str:
    """The format of the tables: three digits, or a dash where there is no value."""
    return "—" if part is None else f"{part:.3f}"
