"""`graphmem ingest`: transcripts are read, sent to a running service, and counted."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console

from api.progress import progress_bar
from api.transcripts.files import Format, NoTranscript, Transcript, read_file, transcript_files
from api.transcripts.sending import MOST_BYTES, Sent, send, wait_until_read
from api.transcripts.shape import TranscriptSession, fitting_name
from graphmem.client import GraphmemClient
from graphmem.errors import Conflict, GraphmemError, InvalidInput, MessageChanged
from graphmem.settings import load_settings

SHOWN = 20
"""Most problems that are printed."""
out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, soft_wrap=True, highlight=False)


@dataclass
class Report:
    """What was ingested, what was left out and why. `files` counts them by format; `unread` sessions are stored, but
    were not read in time; `exit_code` is that of the first error."""

    files: Counter[str] = field(default_factory=Counter)
    sessions: int = 0
    messages: int = 0
    sent: Sent = field(default_factory=Sent)
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    unread: int = 0
    exit_code: int = 0

    def failed(self, said: str, error: GraphmemError) -> None:
        from api.problems import exit_code_of

        self.problems.append(said)
        self.exit_code = self.exit_code or exit_code_of(error)

    def all_left_out(self) -> Counter[str]:
        """Including what the guards of the service ignored; without reasons that did not occur."""
        return +(self.left_out + Counter({"messages that the service ignores": self.sent.ignored}))

    def as_json(self, *, dry_run: bool) -> str:
        told = {
            "dryRun": dry_run,
            "files": dict(self.files),
            "sessions": self.sessions,
            "messages": self.messages,
            "stored": self.sent.stored,
            "duplicates": self.sent.duplicates,
            "unread": self.unread,
            "leftOut": dict(self.all_left_out()),
            "problems": self.problems,
        }
        return json.dumps(told, ensure_ascii=False)

    def in_words(self, *, dry_run: bool) -> str:
        many = self.files.total() > 1
        where = f"in {self.sessions} sessions" + (f" of {self.files.total()} files" if many else "")
        if dry_run:
            formats = ", ".join(self.files) or "no format"
            first = f"{self.messages} messages {where} would be sent ({formats})."
        else:
            first = f"{self.sent.stored} messages stored, {self.sent.duplicates} were there already, {where}."
        left = [f"Left out: {count} {reason}." for reason, count in sorted(self.all_left_out().items())]
        unread = [f"{self.unread} sessions are still being read; `recall` finds their messages."] if self.unread else []
        return "\n".join([first, *unread, *left])


def ingest(
    files: Annotated[
        list[str], typer.Argument(help="Transcripts, or folders and zip archives of them; - for standard input.")
    ],
    url: Annotated[str | None, typer.Option("--url", help="Service to talk to; else the one of the settings.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")] = None,
    wait: Annotated[bool, typer.Option(help="Return when everything can be recalled.")] = True,
    format_: Annotated[
        Format | None, typer.Option("--format", help="The format of the files; by default detected from their content.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", help="Project of the sessions.")] = None,
    source: Annotated[str | None, typer.Option("--source", help="Where the sessions come from.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and count; send nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Send transcripts to a running service and end their sessions; what is stored already is left as it is."""
    settings = load_settings()
    given = {key: _name(key, value) for key, value in (("project", project), ("source", source)) if value is not None}
    report = Report()
    with GraphmemClient(url or settings.url, agent_id=agent or settings.agent_id, key=settings.key_text) as client:
        try:
            ended = _take(client, files, format_, given, report, dry_run=dry_run)
            report.unread = wait_until_read(client, ended if wait else [])
        except GraphmemError as error:
            report.failed(f"{error} What is counted as stored is stored; the same command goes on from there.", error)
    _tell(report, dry_run=dry_run, as_json=as_json)
    raise typer.Exit(report.exit_code)


def _name(option: str, value: str) -> str:
    if fitting_name(value) is None:
        raise InvalidInput.at(f"--{option}", msg="must have 1 to 300 characters")
    return value


def _take(
    client: GraphmemClient,
    files: Sequence[str],
    format_: Format | None,
    given: Mapping[str, str],
    report: Report,
    *,
    dry_run: bool,
) -> list[str]:
    """Read the files and send their sessions, one after the other; returns the ids of those that were ended.

    Errors: those of the service, except for a session that it refuses.
    """
    ended: list[str] = []
    with progress_bar() as bar:
        task = bar.add_task("Reading")
        for path in files:
            before, left_out, problems = report.messages, report.all_left_out(), len(report.problems)
            for file in _found(path, report):
                sessions = _read(file, format_, report)
                messages = sum(len(session.messages) for session in sessions)
                report.messages += messages
                bar.reset(task, total=messages, description=file.name)
                for session in sessions:
                    session.opening = session.opening.model_copy(update=given)
                    report.sessions += 1
                    if not dry_run and _send(client, file, session, report, lambda count: bar.advance(task, count)):
                        ended.append(session.opening.session_id or "")
            if report.messages == before and len(report.problems) == problems:
                why = "; ".join(
                    f"{count} {reason}" for reason, count in sorted((report.all_left_out() - left_out).items())
                )
                said = f"{path}: no messages were found in it" + (f": {why}" if why else "")
                report.failed(said, InvalidInput(said))
    return ended


def _found(path: str, report: Report) -> list[Transcript]:
    """The files to read at a path."""
    try:
        return transcript_files(path)
    except InvalidInput as error:
        report.failed(str(error), error)
        return []


def _read(file: Transcript, format_: Format | None, report: Report) -> list[TranscriptSession]:
    """The sessions of a file; its problems go into the report."""
    try:
        found, reading = read_file(file, format_)
    except NoTranscript as reason:
        if file.named:
            report.failed(f"{file}: {reason}", InvalidInput(str(reason)))
        else:
            report.left_out["files that are no transcript"] += 1
        return []
    except InvalidInput as error:
        report.failed(f"{file}: {error}", error)
        return []
    report.files[found] += 1
    report.left_out.update(reading.left_out)
    for problem in reading.problems:
        report.failed(f"{file}: {problem}", InvalidInput(problem))
    if not (reading.sessions or reading.problems or file.named):
        report.left_out["files without a message"] += 1
    return reading.sessions


def _send(
    client: GraphmemClient, file: Transcript, session: TranscriptSession, report: Report, advance: Callable[[int], None]
) -> bool:
    """Whether the session was sent and ended. A refusal of the service concerns only this session, and a changed
    message only itself."""
    session_id = session.opening.session_id or ""
    before, unchanged = report.sent.too_big, len(report.sent.changed)
    try:
        if not send(client, session, report.sent, advance):
            return False
        client.end_session(session_id)
    except (InvalidInput, Conflict) as error:
        report.failed(f"{file}, session {session_id}: {error}", error)
        return False
    if changed := report.sent.changed[unchanged:]:
        named = ", ".join(map(repr, changed[:SHOWN])) + (" …" if len(changed) > SHOWN else "")
        said = (
            f"{file}, session {session_id}: messages {named} ({len(changed)}) are stored with other content; what is "
            "stored stays, and the rest of the session was sent"
        )
        report.failed(said, MessageChanged(said))
    if too_big := report.sent.too_big - before:
        said = (
            f"{file}, session {session_id}: {too_big} messages are longer than {MOST_BYTES} bytes; they were left out"
        )
        report.failed(said, InvalidInput(said))
    return True


def _tell(report: Report, *, dry_run: bool, as_json: bool) -> None:
    out.print(report.as_json(dry_run=dry_run) if as_json else report.in_words(dry_run=dry_run), markup=False)
    for problem in report.problems[:SHOWN]:
        err.print(problem, style="red", markup=False)
    if len(report.problems) > SHOWN:
        err.print(f"… and {len(report.problems) - SHOWN} more; --json lists them.", style="red", markup=False)
