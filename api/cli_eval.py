"""`graphmem eval`: measures quality on labelled examples; truth uses a service, and continuity may."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from api.eval_answers import tell_answers
from api.eval_continuity import tell_continuity
from api.eval_stories import tell_stories
from api.eval_supersession import share, tell_supersession
from api.eval_truth import tell_truth
from api.extracting import Read, draw_chunks
from graphmem.adapters.parsing import SpacyParser
from graphmem.errors import InvalidInput
from graphmem.model.labels import LabelledConversation
from graphmem.roots.world import make_model
from graphmem.rules.evaluation import KINDS, Kind, Tally, compare
from graphmem.rules.extraction import ChunkBounds
from graphmem.settings import Settings, load_settings

out = Console(soft_wrap=True, highlight=False, markup=False)
GOALS: dict[Kind, tuple[float, float]] = {
    "entities": (0.90, 0.85),
    "attributes": (0.85, 0.70),
    "constraints": (0.90, 0.90),
    "dependencies": (0.85, 0.70),
}
"""Precision and recall required of the deterministic extractor."""


@dataclass(frozen=True)
class Evaluated:
    """The result of reading one folder of conversations. `noise` is how many entities were found in pure noise;
    `by_model`: a model should read it; `fallbacks` counts the conversations in which rules replaced it, at least
    partly."""

    name: str
    conversations: int
    tallies: dict[Kind, Tally]
    by_conversation: dict[str, dict[Kind, Tally]]
    noise: int
    by_model: bool = False
    fallbacks: int = 0


EXAMPLES = {
    part: Path("tests/data") / part
    for part in ("truth", "extraction", "supersession", "continuity", "stories", "answers")
}
SERVED = ("truth", "continuity", "stories")
"""Parts that are measured on a service, or may be."""


def evaluate(part: str, folder: Path | None, misses: str | None, url: str | None = None) -> None:
    """Print precision, recall and F1 of a part on labelled examples: of the deterministic extractor, by kind, for each
    folder of conversations, and of the model too, where the settings name one; or of supersession, by class, for each
    file of pairs; or how far turn analysis agrees with the labels of conversations; or which questions are answered.
    Of truth, whether what is shown after stories still holds; of stories, what recaps and contexts of long sessions
    say. `url`: the service that is asked. Errors: InvalidInput; those of `tell_continuity`, `tell_stories` and
    `tell_truth`."""
    if part not in EXAMPLES:
        raise InvalidInput(f"there is no {part!r} to measure; there is {' and '.join(EXAMPLES)}")
    if url and part not in SERVED:
        raise InvalidInput(f"{part} is measured without a service: leave --url out")
    folder = folder or EXAMPLES[part]
    if part == "truth":
        tell_truth(folder, misses, url, out)
        return
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is no folder: name the one that holds the labelled examples")
    if part == "supersession":
        tell_supersession(folder, misses, out)
        return
    if part == "answers":
        tell_answers(folder, misses, out)
        return
    if part == "continuity":
        tell_continuity(folder, misses, url, out)
        return
    if part == "stories":
        tell_stories(folder, misses, url, out)
        return
    evaluated = evaluate_extraction(folder)
    for line in table(evaluated):
        out.print(line)
    for one in evaluated:
        if one.name == misses:
            _tell_misses(one)


def evaluate_extraction(folder: Path, settings: Settings | None = None) -> list[Evaluated]:
    """Each folder in it, as read by the rules and by the model of the settings, if they name one; without settings,
    those of the environment.

    Errors: InvalidInput for a file that is not a labelled conversation, or a folder without files.
    """
    folders = sorted(sub for sub in folder.iterdir() if sub.is_dir() and any(sub.glob("*.json")))
    if not folders:
        raise InvalidInput(f"no folder in {folder} holds labelled conversations (*.json)")
    return asyncio.run(_evaluate_all({sub: conversations(sub) for sub in folders}, settings or load_settings()))


async def _evaluate_all(read: Mapping[Path, Sequence[LabelledConversation]], settings: Settings) -> list[Evaluated]:
    """Each folder as read by the rules, then by the model, where there is one."""
    parser, model = SpacyParser(), make_model(settings)
    bounds = ChunkBounds(settings.extraction_chunk_messages, settings.extraction_chunk_tokens)
    evaluated = []
    try:
        for reader in [None, model] if model else [None]:
            for sub, labelled in read.items():
                drawn = [
                    await draw_chunks(one.messages, one.project, parser, settings.extraction_limits, bounds, reader)
                    for one in labelled
                ]
                evaluated.append(_evaluate(sub.name, labelled, drawn, by_model=reader is not None))
    finally:
        if model:
            await model.close()
    return evaluated


def _evaluate(
    name: str, labelled: Sequence[LabelledConversation], drawn: Sequence[Read], *, by_model: bool
) -> Evaluated:
    found = [(one, read.extraction) for one, read in zip(labelled, drawn, strict=True)]
    compared = {one.id: compare(extraction, one) for one, extraction in found}
    return Evaluated(
        name=name,
        conversations=len(found),
        tallies={kind: sum((tallies[kind] for tallies in compared.values()), Tally()) for kind in KINDS},
        by_conversation=compared,
        noise=sum(len(extraction.entities) for one, extraction in found if one.topic == "noise"),
        by_model=by_model,
        fallbacks=sum(bool(read.fallbacks) for read in drawn),
    )


def conversations(folder: Path) -> list[LabelledConversation]:
    """The conversations of a folder, by name. Errors: InvalidInput names an invalid file."""
    return [_read(file) for file in sorted(folder.glob("*.json"))]


def table(evaluated: Sequence[Evaluated]) -> list[str]:
    """Lines of a Markdown table."""
    lines = [
        "| conversations | kind | precision | recall | F1 | found | labels | goal P / R |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in evaluated:
        name = f"{one.name}, model" if one.by_model else one.name
        for kind in KINDS:
            tally = one.tallies[kind]
            goal = " / ".join(f"{share:.2f}" for share in GOALS[kind])
            shares = " | ".join(share(part) for part in (tally.precision, tally.recall, tally.f1))
            counts = f"{tally.right + len(tally.wrong)} | {tally.held + len(tally.missed)}"
            lines.append(f"| {name} ({one.conversations}) | {kind} | {shares} | {counts} | {goal} |")
        lines.append(f"| {name} | entities in noise | — | — | — | {one.noise} | 0 | 0 |")
        if one.by_model:
            lines.append(f"| {name} | read by rules | — | — | — | {one.fallbacks} | — | 0 |")
    return lines


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
