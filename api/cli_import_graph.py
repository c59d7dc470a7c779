"""`graphmem import graph`: a graph as JSON lines, sent to a running service in parts."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from rich.console import Console

from graphmem.client import GraphmemClient
from graphmem.errors import InvalidInput
from graphmem.model.importing import ImportReport
from graphmem.rules.keeping.importing import batches
from graphmem.settings import load_settings

PART_LINES, PART_BYTES = 10_000, 16 * 1024 * 1024
SHOWN = 20
_KINDS = ("entities", "attributes", "dependencies")
out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, soft_wrap=True, highlight=False)


def import_graph(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines as an export has them; - reads them in.")],
    url: Annotated[str | None, typer.Option("--url", help="Service to talk to; else the one of the settings.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Import; else only read the lines.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Import entities, facts and dependencies; the lines are only checked unless --apply is given."""
    settings = load_settings()
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as lines:
        if apply:
            with GraphmemClient(
                url or settings.url, agent_id=agent or settings.agent_id, key=settings.key_text
            ) as client:
                told = _send(client, lines)
        else:
            told = _check(lines)
    if as_json:
        out.print(json.dumps(told, ensure_ascii=False), markup=False)
    else:
        _tell(told, applied=apply)
    if told["errorsTotal"]:
        raise typer.Exit(2)
    if not told["lines"] or told.get("skipped") == told["lines"]:
        raise InvalidInput(f"{file} has no line to import.")


def _send(client: GraphmemClient, lines: BinaryIO) -> dict[str, Any]:
    """The totals of all parts."""
    counts: Counter[str] = Counter()
    errors: list[dict[str, Any]] = []
    for first, part in parts(lines):
        report = client.import_graph(part, first)
        counts.update(_counts(report))
        errors += [error.model_dump() for error in report.errors]
    kinds = {kind: {"created": counts[f"{kind}.created"], "there": counts[f"{kind}.there"]} for kind in _KINDS}
    rest = {name: counts[name] for name in ("lines", "skipped", "notWritten", "errorsTotal")}
    return rest | kinds | {"errors": errors}


def _counts(report: ImportReport) -> dict[str, int]:
    told = report.model_dump(by_alias=True)
    counts = {name: told[name] for name in ("lines", "skipped", "notWritten", "errorsTotal")}
    return counts | {f"{kind}.{what}": told[kind][what] for kind in _KINDS for what in ("created", "there")}


def _check(lines: BinaryIO) -> dict[str, Any]:
    """The lines by kind, and those that cannot be read."""
    counts: Counter[str] = Counter()
    errors: list[dict[str, Any]] = []
    for batch in batches(lines):
        counts["lines"] += batch.count
        counts[batch.kind] += len(batch.lines)
        counts["notWritten"] += batch.count if batch.errors else 0
        errors += [error.model_dump() for error in batch.errors]
    kinds = {"entities": counts["entity"], "attributes": counts["attribute"], "dependencies": counts["dependency"]}
    return {"lines": counts["lines"], "notWritten": counts["notWritten"], "errorsTotal": len(errors)} | {
        "would": kinds,
        "errors": errors,
    }


def parts(lines: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Parts of the file, each with the number of its first line. A fact gets the name of its entity, which may be in an
    earlier part."""
    names: dict[str, str] = {}
    part: list[bytes] = []
    size, first = 0, 1
    for number, line in enumerate(lines, 1):
        told = _with_entity(line, names) if b'"entity' in line or b'"attribute"' in line else line
        if part and (len(part) >= PART_LINES or size + len(told) > PART_BYTES):
            yield first, b"".join(part)
            part, size, first = [], 0, number
        part.append(told)
        size += len(told)
    if part:
        yield first, b"".join(part)


def _with_entity(line: bytes, names: dict[str, str]) -> bytes:
    try:
        told = json.loads(line)
    except ValueError:
        return line  # the service reports what is wrong with it
    if not isinstance(told, dict):
        return line
    if told.get("record") == "entity" and isinstance(told.get("id"), str) and isinstance(told.get("name"), str):
        names[told["id"]] = told["name"]
    elif told.get("record") == "attribute" and not told.get("entity") and told.get("entityId") in names:
        return json.dumps(told | {"entity": names[told["entityId"]]}).encode() + b"\n"
    return line


def _tell(told: dict[str, Any], *, applied: bool) -> None:
    for error in told["errors"][:SHOWN]:
        err.print(f"line {error['line']}: {error['message']}", markup=False)
    if told["errorsTotal"] > SHOWN:
        err.print(f"and {told['errorsTotal'] - SHOWN} more")
    if not applied:
        found = ", ".join(f"{count} {kind}" for kind, count in told["would"].items())
        out.print(f"{told['lines']} lines: {found}. Nothing was written; --apply imports.")
        return
    for kind in _KINDS:
        out.print(f"{told[kind]['created']} {kind} made, {told[kind]['there']} were there.")
    if told["skipped"]:
        out.print(f"{told['skipped']} lines skipped: what they tell no longer holds.")
    if told["notWritten"]:
        out.print(f"{told['notWritten']} lines not written: their batch of up to 1,000 has errors.")
