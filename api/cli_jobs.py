"""`graphmem jobs`: pending and failed jobs. These commands use the database, not the service, which may keep
running."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from api.cli_keys import print_table
from api.cli_sessions import Agent
from api.managed import on_database
from graphmem.errors import InvalidInput
from graphmem.settings import load_settings

if TYPE_CHECKING:
    from graphmem.services.operation.repair import Repairs

jobs_app = typer.Typer(help="Jobs: list what is to do, and retry what was given up.", no_args_is_help=True)
Result = TypeVar("Result")


@jobs_app.command(name="list")
def list_jobs(agent: Agent = None) -> None:
    """An agent's queued, running and failed jobs, oldest first; of the failed ones the reason."""
    jobs = _with_repairs(lambda repairs, who: repairs.jobs(who), agent)
    rows: list[tuple[str, ...]] = [("id", "kind", "status", "reason")]
    rows += [(job.id, job.kind, job.status, job.error or "-") for job in jobs]
    print_table(rows)


@jobs_app.command()
def retry(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Failed jobs, as `list` shows them.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All failed jobs of the agent.")] = False,
    agent: Agent = None,
) -> None:
    """Queue failed jobs again, with three new attempts each."""
    if bool(ids) == every:
        raise InvalidInput("name the jobs to retry, or say --all")
    queued = _with_repairs(lambda repairs, who: repairs.retry(who, ids or None), agent)
    for id_ in queued:
        typer.echo(id_)
    typer.echo(f"{len(queued)} jobs are queued again; a worker takes them (`graphmem serve` runs one).", err=True)


def _with_repairs(work: "Callable[[Repairs, str], Awaitable[Result]]", agent: str | None) -> Result:
    from graphmem.app import open_care

    who = agent or load_settings().agent_id
    return on_database(open_care, lambda graphmem: work(graphmem.operation.repairs, who))
