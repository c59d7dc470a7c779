"""`graphmem import`: databases of other memory systems, read unchanged and sent to a running service."""

import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console

from api.cli_backup import backup as make_backup
from api.cli_backup import make_folder, slot
from api.cli_import_graph import import_graph
from api.imports import hermes_lcm, lossless_claw
from api.imports.database import Needed, missing, opened
from api.imports.origin import Origin
from api.imports.payloads import Payloads
from api.progress import progress_bar
from api.transcripts.sending import MOST_BYTES, batches, wait_until_read
from api.transcripts.shape import EMPTY, REPEATED, WORDLESS, Gathered, TranscriptSession
from graphmem.client import GraphmemClient
from graphmem.errors import Conflict, GraphmemError, InvalidInput, NotFound, SessionStateless
from graphmem.settings import load_settings

import_app = typer.Typer(help="Take over the memories of other programs.", no_args_is_help=True)
import_app.command(name="graph")(import_graph)
SHOWN = 20
"""Most problems that are printed."""
PAGE = 1000
CHANGED = "messages that changed in the file since they were imported; what is stored stays"
IGNORED = "messages that the guards of the service ignore"
TOO_BIG = f"messages longer than {MOST_BYTES} bytes"
_NO_MESSAGE = frozenset({EMPTY, REPEATED, WORDLESS})
NEEDED: Mapping[str, Needed] = {lossless_claw.KIND: lossless_claw.NEEDED, hermes_lcm.KIND: hermes_lcm.NEEDED}
out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, soft_wrap=True, highlight=False)


@dataclass
class Report:
    """What an import found and did, in messages. `scanned` rows make `eligible` messages; these are imported, stored
    already, or named in `skipped`. `loss` is not imported."""

    kind: str
    import_id: str
    applied: bool
    scanned: int = 0
    eligible: int = 0
    sessions: int = 0
    imported: int = 0
    already_there: int = 0
    payloads_put_back: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    loss: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    other_imports: set[str] = field(default_factory=set)
    """Import ids of other messages in the same sessions, as far as a dry run found them."""
    unread: int = 0
    exit_code: int = 0

    def failed(self, said: str, error: GraphmemError) -> None:
        from api.problems import exit_code_of

        self.problems.append(said)
        self.exit_code = self.exit_code or exit_code_of(error)

    def as_json(self) -> str:
        told = {
            "kind": self.kind,
            "importId": self.import_id,
            "applied": self.applied,
            "scanned": self.scanned,
            "eligible": self.eligible,
            "sessions": self.sessions,
            "imported" if self.applied else "wouldImport": self.imported,
            "alreadyThere": self.already_there,
            "payloadsPutBack": self.payloads_put_back,
            "otherImports": sorted(self.other_imports),
            "unread": self.unread,
            "skipped": dict(self.skipped),
            "loss": dict(self.loss),
            "problems": self.problems,
        }
        return json.dumps(told, ensure_ascii=False)

    def in_words(self) -> str:
        done = "imported" if self.applied else "would be imported"
        lines = [
            f"{self.scanned} rows of {self.kind} hold {self.eligible} messages in {self.sessions} sessions.",
            f"{self.imported} messages {done}, {self.already_there} are there already (import id {self.import_id}).",
        ]
        lines += [f"{self.payloads_put_back} payloads put back."] if self.payloads_put_back else []
        lines += [f"Skipped: {count} {reason}." for reason, count in sorted(self.skipped.items())]
        lines += [f"Loss: {count} {what}." for what, count in sorted(self.loss.items())]
        lines += [
            f"The sessions hold messages of import id {other}: if it was this file, from another place, say "
            f"--import-id {other}, or they come twice."
            for other in sorted(self.other_imports)
        ]
        lines += [f"{self.unread} sessions are still being read; `recall` finds their messages."] if self.unread else []
        return "\n".join(lines if self.applied else [*lines, "Nothing was written; --apply imports."])


File = Annotated[Path, typer.Argument(metavar="FILE", help="The SQLite file; it is only read.")]
Url = Annotated[str | None, typer.Option("--url", help="Service to talk to; else the one of the settings.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")]
Apply = Annotated[bool, typer.Option("--apply", help="Import; else only count what would be.")]
Backup = Annotated[
    Path | None,
    typer.Option("--backup", metavar="FILE", help="File of the backup made first; else one below the data folder."),
]
NoBackup = Annotated[bool, typer.Option("--no-backup", help="Import without a backup.")]
Namespace = Annotated[str | None, typer.Option("--namespace", help="Begins session ids; else the program's name.")]
ImportId = Annotated[str | None, typer.Option("--import-id", help="Begins message ids; else made of the path.")]
Wait = Annotated[bool, typer.Option(help="Return when everything can be recalled.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


@dataclass(frozen=True)
class _Job:
    """The options."""

    file: Path
    origin: Origin
    url: str | None
    apply: bool
    backup: Path | None
    no_backup: bool
    as_json: bool

    def check(self) -> None:
        """Errors: InvalidInput for options that exclude each other."""
        if self.no_backup and self.backup:
            raise InvalidInput("An import makes a backup first: say where with --backup FILE, or --no-backup.")
        if self.apply and not self.no_backup and self.url not in (None, load_settings().url):
            raise InvalidInput.at(
                "--no-backup",
                msg="is needed, for a backup goes to the database of the settings, and --url names another service: "
                "make one with `graphmem backup` where that one runs",
            )


@import_app.command(name=lossless_claw.KIND)
def import_lossless_claw(
    file: File,
    url: Url = None,
    agent: Agent = None,
    apply: Apply = False,
    backup: Backup = None,
    no_backup: NoBackup = False,
    namespace: Namespace = None,
    import_id: ImportId = None,
    session_identity: Annotated[
        lossless_claw.Identity,
        typer.Option("--session-identity", help="What makes a session: one id, or one key over several ids."),
    ] = "session_id",
    wait: Wait = False,
    as_json: AsJson = False,
) -> None:
    """Import the conversations of lossless-claw (OpenClaw); a dry run unless --apply is given."""
    origin = Origin.of(lossless_claw.KIND, file, agent or load_settings().agent_id, namespace, import_id)
    with _running(_Job(file, origin, url, apply, backup, no_backup, as_json)) as (client, database, report):
        report.scanned = lossless_claw.scanned(database)
        report.loss.update(lossless_claw.loss(database))
        if orphans := lossless_claw.orphans(database):
            report.skipped[lossless_claw.NO_CONVERSATION] = orphans
        found = lossless_claw.sessions(database, origin, session_identity)
        _take(client, found, report, wait=wait)


@import_app.command(name=hermes_lcm.KIND)
def import_hermes_lcm(
    file: File,
    url: Url = None,
    agent: Agent = None,
    apply: Apply = False,
    backup: Backup = None,
    no_backup: NoBackup = False,
    namespace: Namespace = None,
    import_id: ImportId = None,
    payloads: Annotated[
        Path | None,
        typer.Option(
            "--payloads", metavar="DIR", help="Folder of the payload files, to put them back.", file_okay=False
        ),
    ] = None,
    wait: Wait = False,
    as_json: AsJson = False,
) -> None:
    """Import the sessions of hermes-lcm; a dry run unless --apply is given."""
    if payloads and not payloads.is_dir():
        raise InvalidInput.at("--payloads", msg=f"{payloads} is no folder")
    origin = Origin.of(hermes_lcm.KIND, file, agent or load_settings().agent_id, namespace, import_id)
    with _running(_Job(file, origin, url, apply, backup, no_backup, as_json)) as (client, database, report):
        report.scanned = hermes_lcm.scanned(database)
        report.loss.update(hermes_lcm.loss(database))
        kept = Payloads(payloads)
        _take(client, hermes_lcm.sessions(database, origin, kept), report, wait=wait)
        report.payloads_put_back = kept.put_back
        report.loss.update(kept.missing)


@contextmanager
def _running(job: _Job) -> Iterator[tuple[GraphmemClient, sqlite3.Connection, Report]]:
    """The service, the checked database, and a report that is printed at the end, even after an error."""
    job.check()
    report = Report(job.origin.kind, job.origin.import_id, job.apply)
    settings = load_settings()
    try:
        with (
            GraphmemClient(job.url or settings.url, agent_id=job.origin.agent, key=settings.key_text) as client,
            opened(job.file) as database,
        ):
            _check(database, job.file, job.origin.kind)
            if job.apply and not job.no_backup:
                # Standard output is for the report.
                with redirect_stdout(sys.stderr):
                    file = job.backup or slot(settings, f"import-{job.origin.kind}")
                    make_folder(file)
                    make_backup(file)
            yield client, database, report
    except GraphmemError as error:
        more = " What is counted as imported is stored; the same command goes on from there." if report.imported else ""
        report.failed(f"{error}{more}", error)
    out.print(report.as_json() if job.as_json else report.in_words(), markup=False)
    for problem in report.problems[:SHOWN]:
        err.print(problem, style="red", markup=False)
    if len(report.problems) > SHOWN:
        err.print(f"… and {len(report.problems) - SHOWN} more; --json lists them.", style="red", markup=False)
    raise typer.Exit(report.exit_code)


def _check(database: sqlite3.Connection, file: Path, kind: str) -> None:
    if lacks := missing(database, NEEDED[kind]):
        other = next((name for name, needed in NEEDED.items() if not missing(database, needed)), None)
        hint = f" It looks like one of {other}: `graphmem import {other} {file}`." if other else ""
        raise InvalidInput(f"{file} is no database of {kind}: it lacks {'; '.join(lacks)}.{hint}")


def _take(client: GraphmemClient, found: Iterator[Gathered], report: Report, *, wait: bool) -> None:
    """Import session by session, or check which messages are stored. Errors: those of the service, except for a session
    that it refuses."""
    ended: list[str] = []
    with progress_bar() as bar:
        task = bar.add_task("Messages", total=report.scanned)
        for gathered in found:
            reading = gathered.reading()
            for reason, count in reading.left_out.items():
                (report.skipped if reason in _NO_MESSAGE else report.loss)[reason] += count
            for problem in reading.problems:
                report.failed(problem, InvalidInput(problem))
            for session in reading.sessions:
                report.sessions += 1
                report.eligible += len(session.messages)
                if not report.applied:
                    _look(client, session, report)
                    bar.advance(task, len(session.messages))
                elif _send(client, session, report, lambda count: bar.advance(task, count)):
                    ended.append(session.opening.session_id or "")
    if not (report.eligible or report.problems):
        said = f"No messages were found: the file has {report.scanned} rows of messages."
        report.failed(said, InvalidInput(said))
    report.unread = wait_until_read(client, ended if wait else [])


def _look(client: GraphmemClient, session: TranscriptSession, report: Report) -> None:
    """Count which messages of a session are stored already; nothing is written."""
    there: set[str] = set()
    after: str | None = "-1"
    try:
        while after is not None:
            page = client.messages(session.opening.session_id or "", after=after, limit=PAGE, maxContentChars=1)
            there.update(message.message_id for message in page.items)
            after = page.next_cursor
    except NotFound:
        pass
    prefixes = {message_id.rpartition(":")[0] for message_id in there}
    report.other_imports |= prefixes - {"", report.import_id}
    known = sum(message.message_id in there for message in session.messages)
    report.already_there += known
    report.imported += len(session.messages) - known


def _send(client: GraphmemClient, session: TranscriptSession, report: Report, advance: Callable[[int], None]) -> bool:
    """Whether some of the session is stored, and it was ended. A refusal concerns only this session."""
    session_id = session.opening.session_id or ""
    kept = False
    try:
        client.open_session(**session.opening.model_dump(exclude_unset=True))
        for batch, count in batches(session.messages):
            kept = _store(client, session_id, batch, report) or kept
            report.skipped.update({TOO_BIG: count - len(batch)} if count > len(batch) else {})
            advance(count)
        if kept:
            client.end_session(session_id)
    except SessionStateless:
        report.skipped[IGNORED] += len(session.messages)
    except (InvalidInput, Conflict) as error:
        report.failed(f"Session {session_id}: {error}", error)
        return False
    return kept


def _store(client: GraphmemClient, session_id: str, batch: Sequence[dict[str, JsonValue]], report: Report) -> bool:
    """Whether anything of a batch is stored, now or before."""
    if not batch:
        return False
    receipt = client.add_messages(session_id, batch, on_changed="skip")
    report.imported += receipt.stored
    report.already_there += receipt.duplicates
    report.skipped.update({IGNORED: receipt.ignored} if receipt.ignored else {})
    report.skipped.update({CHANGED: receipt.changed} if receipt.changed else {})
    return receipt.received > receipt.ignored
