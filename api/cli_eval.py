"""`graphmem eval`: how well something is done, on labelled examples, without a service or a database."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from api.extracting import draw
from graphmem.adapters.parsing import SpacyParser
from graphmem.errors import InvalidInput
from graphmem.model.extraction import Limits
from graphmem.model.labels import LabelledConversation
from graphmem.rules.evaluation import KINDS, Kind, Tally, compare
from graphmem.settings import load_settings

out = Console(soft_wrap=True, highlight=False, markup=False)
GOALS: dict[Kind, tuple[float, float]] = {
    "entities": (0.90, 0.85),
    "attributes": (0.85, 0.70),
    "constraints": (0.90, 0.90),
    "dependencies": (0.85, 0.70),
}
"""Precision and recall that the deterministic extractor is held to."""


@dataclass(frozen=True)
class Evaluated:
    """How one folder of conversations was read. `noise` is how many entities were found in those of pure noise."""

    name: str
    conversations: int
    tallies: dict[Kind, Tally]
    by_conversation: dict[str, dict[Kind, Tally]]
    noise: int


def evaluate(part: str, folder: Path, misses: str | None) -> None:
    """Print precision, recall and F1 of the deterministic extractor, by kind, for each folder of labelled
    conversations. Errors: InvalidInput."""
    if part != "extraction":
        raise InvalidInput(f"there is no {part!r} to measure; there is extraction")
    evaluated = evaluate_extraction(folder)
    for line in table(evaluated):
        out.print(line)
    for one in evaluated:
        if one.name == misses:
            _tell_misses(one)


def evaluate_extraction(folder: Path) -> list[Evaluated]:
    """Each folder in it. Errors: InvalidInput for a file that is no labelled conversation, or none at all."""
    folders = sorted(sub for sub in folder.iterdir() if sub.is_dir() and any(sub.glob("*.json")))
    if not folders:
        raise InvalidInput(f"no folder in {folder} holds labelled conversations (*.json)")
    parser, limits = SpacyParser(), load_settings().extraction_limits
    return [_evaluate(sub, parser, limits) for sub in folders]


def _evaluate(folder: Path, parser: SpacyParser, limits: Limits) -> Evaluated:
    labelled = conversations(folder)
    found = {one.id: draw(one.messages, one.project, parser, limits) for one in labelled}
    compared = {one.id: compare(found[one.id], one) for one in labelled}
    return Evaluated(
        name=folder.name,
        conversations=len(labelled),
        tallies={kind: sum((tallies[kind] for tallies in compared.values()), Tally()) for kind in KINDS},
        by_conversation=compared,
        noise=sum(len(found[one.id].entities) for one in labelled if one.topic == "noise"),
    )


def conversations(folder: Path) -> list[LabelledConversation]:
    """Those of a folder, by name. Errors: InvalidInput names a file that is none."""
    return [_read(file) for file in sorted(folder.glob("*.json"))]


def table(evaluated: Sequence[Evaluated]) -> list[str]:
    """Lines of a Markdown table."""
    lines = [
        "| conversations | kind | precision | recall | F1 | found | labels | goal P / R |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in evaluated:
        for kind in KINDS:
            tally = one.tallies[kind]
            goal = " / ".join(f"{share:.2f}" for share in GOALS[kind])
            shares = " | ".join(_share(share) for share in (tally.precision, tally.recall, tally.f1))
            counts = f"{tally.right + len(tally.wrong)} | {tally.held + len(tally.missed)}"
            lines.append(f"| {one.name} ({one.conversations}) | {kind} | {shares} | {counts} | {goal} |")
        lines.append(f"| {one.name} | entities in noise | — | — | — | {one.noise} | 0 | 0 |")
    return lines


def _share(share: float | None) -> str:
    return "—" if share is None else f"{share:.3f}"


def _tell_misses(evaluated: Evaluated) -> None:
    for id_, tallies in evaluated.by_conversation.items():
        for kind, tally in tallies.items():
            for what in tally.wrong:
                out.print(f"{id_}: {kind}: wrong: {what}")
            for what in tally.missed:
                out.print(f"{id_}: {kind}: missed: {what}")


def _read(file: Path) -> LabelledConversation:
    try:
        return LabelledConversation.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidInput(f"{file} is no labelled conversation: {place}: {first['msg']}") from None
