"""`graphmem entities`: roll an entity back to its state of a day, and undo it. These commands use the database, not the
service, which may keep running."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from pydantic import ValidationError

from api.cli_keys import print_table, shown_time
from api.cli_sessions import Agent, Apply
from api.managed import on_database
from graphmem.errors import InvalidInput
from graphmem.model.answers import Rollback
from graphmem.model.caller import Caller
from graphmem.model.inputs import RollBack
from graphmem.settings import load_settings

if TYPE_CHECKING:
    from graphmem.services.knowledge.rolling_back import RollingBack

entities_app = typer.Typer(
    help="Entities: roll one back to a day, list roll-backs, undo one. Nothing is removed.", no_args_is_help=True
)
Result = TypeVar("Result")
LISTED = 1000

Reason = Annotated[str | None, typer.Option("--reason", help="Why; kept in the history.")]


@entities_app.command()
def rollback(
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="Its name, or its id.")],
    to: Annotated[str, typer.Option("--to", metavar="TIME", help="A day (its 00:00 UTC), or a time with its zone.")],
    apply: Apply = False,
    reason: Reason = None,
    agent: Agent = None,
) -> None:
    """Show what taking an entity back to what was believed of it at a time would change; with --apply, do it."""
    try:
        given = RollBack.model_validate({"entity_id": entity, "to": to, "dry_run": not apply, "reason": reason})
    except ValidationError as error:
        raise InvalidInput("; ".join(f"{one['loc'][0]}: {one['msg']}" for one in error.errors())) from None
    _tell(_with_rollbacks(lambda rolling, who: rolling.roll_back(Caller(who), given), agent))
    if not apply:
        typer.echo("Nothing was changed: --apply does it.", err=True)


@entities_app.command()
def rollbacks(
    entity: Annotated[str | None, typer.Option("--entity", help="Only those of this one, by name or id.")] = None,
    agent: Agent = None,
) -> None:
    """An agent's roll-backs, newest first: entity, to when, status, when it was done and undone."""
    page = _with_rollbacks(lambda rolling, who: rolling.page(who, entity, LISTED, None), agent)
    rows: list[tuple[str, ...]] = [("id", "entity", "to", "status", "done", "undone")]
    rows += [
        (
            str(one.id),
            one.entity.name,
            shown_time(one.to),
            one.status,
            *map(shown_time, (one.created_at, one.undone_at)),
        )
        for one in page.items
    ]
    print_table(rows)


@entities_app.command(name="undo-rollback")
def undo_rollback(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The id of the roll-back, as `rollbacks` shows it.")],
    reason: Reason = None,
    agent: Agent = None,
) -> None:
    """Have all that a roll-back touched as it was before; refused where it changed since."""
    done = _with_rollbacks(lambda rolling, who: rolling.undo(Caller(who), id_, reason), agent)
    typer.echo(f"The roll-back {done.id} of {done.entity.name} is undone.")


def _tell(done: Rollback) -> None:
    """What a roll-back did, or would do."""
    if done.status == "unchanged":
        typer.echo(f"{done.entity.name} is what it was then: nothing to do.")
    for fact in done.retired:
        note = " (pinned or a constraint)" if fact.id in done.protected_ids else ""
        typer.echo(f"- {fact.content}{note}")
    for fact in done.revived:
        typer.echo(f"+ {fact.content}")
    for edge in done.dependencies_retired:
        typer.echo(f"- {edge.source.name} {edge.type.value} {edge.target.name}")
    for edge in done.dependencies_revived:
        typer.echo(f"+ {edge.source.name} {edge.type.value} {edge.target.name}")
    for left in done.left:
        typer.echo(f"left: {left.id} {left.reason}")
    if done.id:
        typer.echo(f"Done as {done.id}; `graphmem entities undo-rollback {done.id}` takes it back.", err=True)


def _with_rollbacks(work: "Callable[[RollingBack, str], Awaitable[Result]]", agent: str | None) -> Result:
    from graphmem.app import open_care

    who = agent or load_settings().agent_id
    return on_database(open_care, lambda graphmem: work(graphmem.knowledge.rolling_back, who))
