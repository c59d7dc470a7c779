"""`graphmem ingest-repo` and `graphmem impact --diff`: code becomes entities and dependencies, and a change of it is
traced. These commands use the database, not the service, which may keep running."""

import gc
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from pydantic import ValidationError
from rich.console import Console

from api.cli_sessions import Agent
from api.managed import on_database
from graphmem.errors import InvalidInput
from graphmem.model.caller import Caller
from graphmem.settings import load_settings

if TYPE_CHECKING:
    from graphmem.app import Graphmem
    from graphmem.model.changes import ChangeReport
    from graphmem.model.code import RepositoryReceipt
    from graphmem.services.impact.code import Repositories

STDIN = "-"
MOST_NAME = 200
SHOWN = 20
"""Most problems that are printed."""
out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, soft_wrap=True, highlight=False)
Format = Literal["text", "json", "markdown"]
Name = Annotated[str | None, typer.Option("--name", help="What the repository is called; else as the folder it is in.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


def ingest_repo(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of the repository.", exists=True, file_okay=False)
    ],
    name: Name = None,
    agent: Agent = None,
    as_json: AsJson = False,
) -> None:
    """Read a code repository into entities and dependencies; files that did not change are not read again."""
    from graphmem.adapters.code_reader import is_code
    from graphmem.adapters.repository import list_files
    from graphmem.opening import open_repositories

    gc.disable()  # everything read is needed to the end; garbage collection takes a third of the time
    caller = Caller(agent or load_settings().agent_id)
    repository = _repository(name, folder)
    listing = list_files(folder, is_code)

    async def work(repositories: "Repositories") -> "RepositoryReceipt":
        return await repositories.ingest(caller, repository, listing.files, listing.skipped)

    receipt = on_database(open_repositories, work)
    out.print(receipt.model_dump_json() if as_json else _in_words(receipt), markup=False)
    for problem in receipt.problems[:SHOWN]:
        err.print(f"{problem.path}: {problem.problem}", style="red", markup=False)
    if len(receipt.problems) > SHOWN:
        err.print(f"… and {len(receipt.problems) - SHOWN} more; --json lists them.", style="red", markup=False)


def impact(
    diff: Annotated[
        str,
        typer.Option("--diff", metavar="FILE", help="A unified diff; - for standard input, A..B asks git for it."),
    ],
    name: Name = None,
    format_: Annotated[Format, typer.Option("--format", help="How to tell it.")] = "text",
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", help="Of every edge on the way.", min=0, max=1)
    ] = 0.7,
    max_depth: Annotated[int, typer.Option("--max-depth", help="Edges on the way.", min=1, max=10)] = 3,
    limit: Annotated[int, typer.Option("--limit", help="Entities to list, the nearest first.", min=1, max=1000)] = 1000,
    agent: Agent = None,
) -> None:
    """What a change of a repository touches: entities, owners, and what was decided about them. Changes nothing."""
    from graphmem.app import open_care
    from graphmem.model.inputs import ImpactQuestion
    from graphmem.rules.code import as_markdown, as_text, read_diff

    who = agent or load_settings().agent_id
    repository = _repository(name, Path())
    files = read_diff(_diff(diff))
    try:
        asked = ImpactQuestion(entity_id="diff", min_confidence=min_confidence, max_depth=max_depth, limit=limit)
    except ValidationError as error:
        raise InvalidInput("; ".join(f"{one['loc'][0]}: {one['msg']}" for one in error.errors())) from None

    async def work(graphmem: "Graphmem") -> "ChangeReport":
        return await graphmem.impact.changes.impact(who, repository, files, asked)

    report = on_database(open_care, work)
    told = report.model_dump_json() if format_ == "json" else (as_text if format_ == "text" else as_markdown)(report)
    sys.stdout.write(told.rstrip("\n") + "\n")


def _repository(name: str | None, folder: Path) -> str:
    found = (name if name is not None else folder.resolve().name).strip()
    if not 1 <= len(found) <= MOST_NAME or not found.isprintable():
        raise InvalidInput.at("--name", msg=f"must have 1 to {MOST_NAME} printable characters")
    return found


def _diff(given: str) -> str:
    """The text of a diff. Errors: InvalidInput for a missing file, or a range that git does not know."""
    if given == STDIN:
        return sys.stdin.buffer.read().decode(errors="replace")
    if Path(given).is_file():
        return Path(given).read_text(errors="replace")
    if ".." not in given or given.startswith("-"):
        raise InvalidInput.at("--diff", msg=f"{given} is neither a file nor a range such as main..HEAD")
    asked = ["git", "diff", "--no-ext-diff", "--no-color", "--no-textconv", given, "--"]
    try:
        done = subprocess.run(asked, capture_output=True, check=True)
    except (subprocess.CalledProcessError, OSError) as error:
        said = (
            error.stderr.decode(errors="replace").strip() if isinstance(error, subprocess.CalledProcessError) else error
        )
        raise InvalidInput.at("--diff", msg=f"git does not tell {given}: {said}") from None
    return done.stdout.decode(errors="replace")


def _in_words(receipt: "RepositoryReceipt") -> str:
    lines = [
        f"{receipt.repository}: {receipt.read} of {receipt.files} files read, {receipt.unchanged} unchanged, "
        f"{receipt.removed} gone.",
        f"{receipt.entities} entities and {receipt.edges} dependencies drawn, {receipt.retired} retired, "
        f"{receipt.passages} passages.",
    ]
    lines += [f"Left out: {count} {reason}." for reason, count in receipt.skipped.items()]
    if receipt.problems:
        lines.append(f"{len(receipt.problems)} files could not be read; what was known of them stays.")
    return "\n".join(lines)
