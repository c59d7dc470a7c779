"""`graphmem sessions`: list, rotate, archive, restore, clean and extract again. These commands use the database, not
the service, which may keep running."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from api.cli_keys import print_table, shown_time
from api.managed import on_database
from api.progress import bars
from graphmem.errors import InvalidInput
from graphmem.model.care import Moved, SessionLine
from graphmem.settings import load_settings

if TYPE_CHECKING:
    from graphmem.app import Graphmem
    from graphmem.model.rereading import Reread
    from graphmem.services.conversation.session_care import SessionCare
    from graphmem.services.knowledge.rereading import Rereading
    from graphmem.services.ports import Tell

sessions_app = typer.Typer(
    help="Sessions: list, rotate, archive, restore, clean, extract again. Nothing is removed.", no_args_is_help=True
)
Result = TypeVar("Result")
SHOWN = 20
"""Most sessions, facts and entities that a preview names."""
UNCHANGED = "nothing to do: this extractor has read it"

Agent = Annotated[str | None, typer.Option("--agent", help="Whose memory; else the one of the settings.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The session's id, as `list` shows it.")]
Matching = Annotated[
    list[str],
    typer.Option(
        "--matching",
        metavar="GLOB",
        help="Session ids, sources or source:id; `*` stays within a colon segment, `**` crosses them. May be repeated.",
    ),
]
Apply = Annotated[bool, typer.Option("--apply", help="Do it; else only say what would be done.")]


@sessions_app.command(name="list")
def list_sessions(
    matching: Annotated[
        list[str] | None,
        typer.Option("--matching", metavar="GLOB", help="Only sessions that it fits; may be repeated."),
    ] = None,
    agent: Agent = None,
) -> None:
    """All sessions by id: project, source, messages, when they ended and were archived."""
    lines = _with_care(lambda care, who: care.sessions(who, matching or ()), agent)
    rows: list[tuple[str, ...]] = [("id", "project", "source", "messages", "started", "ended", "archived")]
    rows += [
        (
            line.id,
            line.project or "-",
            line.source,
            str(line.messages),
            *map(shown_time, (line.started_at, line.ended_at, line.archived_at)),
        )
        for line in lines
    ]
    print_table(rows)


@sessions_app.command()
def rotate(id_: Id, apply: Apply = False, agent: Agent = None) -> None:
    """Let `context` no longer replay a session's messages before its fresh tail; they are found and read as before."""
    done = _with_care(lambda care, who: care.rotate(who, id_, apply=apply), agent)
    if done.reason:
        typer.echo(f"Nothing to rotate in {id_}: {done.reason}.")
        return
    told = "moves" if apply else "would move"
    typer.echo(f"The frontier of {id_} {told} from message {done.before} to {done.frontier}, of {done.messages}.")
    if done.uncovered:
        typer.echo(
            f"{done.uncovered} of the messages before it are in no summary: they are searched and read, not replayed."
        )
    _hint(apply)


@sessions_app.command()
def archive(matching: Matching, apply: Apply = False, agent: Agent = None) -> None:
    """Take noise sessions out of recall, grep and the DAG. They are kept, read by id, and brought back by `restore`."""
    with bars() as tell:
        moved = _with_care(lambda care, who: care.archive(who, matching, apply=apply, tell=tell), agent)
    _tell(moved, "archived", apply=apply)
    if moved.memories:
        told = "went" if apply else "would go"
        typer.echo(f"{moved.memories} memories that nothing else says {told} to the cold tier.")
    _hint(apply)


@sessions_app.command()
def restore(matching: Matching, agent: Agent = None) -> None:
    """Bring archived sessions back into recall, grep and the DAG, at once."""
    with bars() as tell:
        moved = _with_care(lambda care, who: care.restore(who, matching, tell), agent)
    _tell(moved, "restored", apply=True)


@sessions_app.command()
def clean(id_: Id, apply: Apply = False, agent: Agent = None) -> None:
    """Move what tools answered to payload files, where their payloads are there already and a summary covers them."""
    done = _with_care(lambda care, who: care.clean(who, id_, apply=apply), agent)
    told = "moved" if apply else "would be moved"
    typer.echo(f"{done.messages} answers of tools in {id_} {told} to payload files, {done.chars} characters.")
    if done.failed:
        typer.echo(f"{done.failed} were not, because a file could not be written; see the log.", err=True)
        raise typer.Exit(1)
    _hint(apply)


@sessions_app.command()
def extract(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Sessions, as `list` shows them.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All that another extractor has read.")] = False,
    apply: Apply = False,
    agent: Agent = None,
) -> None:
    """Read sessions again that another extractor has read: what is new is added, what is not found goes cold."""
    if bool(ids) == every:
        raise InvalidInput("name the sessions to extract again, or say --all")
    with bars() as tell:
        done = _on_service(
            lambda graphmem, who: _extract(graphmem.knowledge.rereading, who, ids, tell, apply=apply), agent
        )
    for line in [line for told in done for line in told]:
        typer.echo(line)
    if apply and done:
        typer.echo(f"A worker takes {len(done)} sessions (`graphmem serve` runs one).", err=True)
    elif not done:
        typer.echo("There is no session that another extractor has read.", err=True)
    else:
        _hint(apply)


async def _extract(
    rereading: "Rereading", who: str, ids: list[str] | None, tell: "Tell", *, apply: bool
) -> list[list[str]]:
    """Lines for each session: the job that reads it again, or what that would change."""
    wanted = await rereading.stale(who) if ids is None else list(dict.fromkeys(ids))
    done: list[list[str]] = []
    for number, id_ in enumerate(wanted):
        tell("sessions", number, len(wanted))
        if apply:
            job_id = await rereading.enqueue(who, id_)
            done.append([f"{id_}  {f'job {job_id}' if job_id else UNCHANGED}"])
        else:
            done.append(_would(await rereading.preview(who, id_)))
    return done


def _would(read: "Reread") -> list[str]:
    if read.unchanged:
        return [f"{read.session_id}  {UNCHANGED}"]
    added = f"{len(read.memories_added)} memories, {len(read.facts_added)} facts, {read.edges_added} dependencies"
    gone = f"{len(read.memories_gone)} memories, {len(read.facts_gone)} facts, {read.edges_gone} dependencies"
    return [
        f"{read.session_id}  {read.messages} messages: would add {added}; would send to the cold tier {gone}, "
        f"{len(read.entities_gone)} entities",
        *(f"  + {content}" for content in read.facts_added[:SHOWN]),
        *(f"  - {content}" for content in read.facts_gone[:SHOWN]),
        *(f"  - {name}" for name in read.entities_gone[:SHOWN]),
    ]


def _on_service(work: "Callable[[Graphmem, str], Awaitable[Result]]", agent: str | None) -> Result:
    from graphmem.app import open_care

    who = agent or load_settings().agent_id
    return on_database(open_care, lambda graphmem: work(graphmem, who))


def _with_care(work: "Callable[[SessionCare, str], Awaitable[Result]]", agent: str | None) -> Result:
    return _on_service(lambda graphmem, who: work(graphmem.conversation.care, who), agent)


def _tell(moved: Moved, what: str, *, apply: bool) -> None:
    for line in moved.sessions[:SHOWN]:
        typer.echo(f"{line.id}  {line.source}  {line.messages} messages{_open(line)}")
    if len(moved.sessions) > SHOWN:
        typer.echo(f"… and {len(moved.sessions) - SHOWN} more")
    done = "are" if apply else "would be"
    typer.echo(f"{len(moved.sessions)} sessions with {moved.messages} messages {done} {what}.")


def _open(line: SessionLine) -> str:
    return "" if line.ended_at else ", not ended"


def _hint(apply: bool) -> None:
    if not apply:
        typer.echo("Nothing was changed; --apply does it.")
