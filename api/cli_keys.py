"""`graphmem keys`: create, list and revoke the keys of the service. The commands use the database, not the service, and
so work before there is a key."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, TypeVar

import typer

from api.managed import on_database
from graphmem.model.keys import Key, KeyScope
from graphmem.services.operation.keys import BELIEVED, Keys

keys_app = typer.Typer(help="The keys of the HTTP service: create, list, revoke.", no_args_is_help=True)
Result = TypeVar("Result")


@keys_app.command()
def create(
    agent: Annotated[str, typer.Option("--agent", help="Whose memory the key opens.")],
    scope: Annotated[
        KeyScope, typer.Option("--scope", help="What it allows; each includes those before it.")
    ] = "write",
    name: Annotated[str | None, typer.Option("--name", help="What it is for.")] = None,
    days: Annotated[
        int | None, typer.Option("--expires-days", help="Days until it ends; else when revoked.", min=1, max=36_500)
    ] = None,
    all_agents: Annotated[
        bool, typer.Option("--all-agents", help="It opens every agent's memory: X-Agent-Id says which.")
    ] = False,
) -> None:
    """Make a key and print it, this once: only its hash is kept."""
    valid_for = timedelta(days=days) if days else None
    key, text = _with_keys(
        lambda keys: keys.create(agent, scope, name=name, all_agents=all_agents, valid_for=valid_for)
    )
    typer.echo(f"Id {key.id}. The key is shown this once:", err=True)
    typer.echo(text)


@keys_app.command(name="list")
def list_keys(
    agent: Annotated[str | None, typer.Option("--agent", help="Only keys of this agent.")] = None,
) -> None:
    """All keys, oldest first; never their text."""
    rows: list[tuple[str, ...]] = [("id", "agent", "scope", "name", "created", "expires", "last used", "revoked")]
    rows += [_row(key) for key in _with_keys(lambda keys: keys.all(agent))]
    print_table(rows)


@keys_app.command()
def revoke(id_: Annotated[str, typer.Argument(metavar="ID", help="The id of the key, as `list` shows it.")]) -> None:
    """End a key."""
    key = _with_keys(lambda keys: keys.revoke(id_))
    typer.echo(
        f"Key {key.id} is revoked since {shown_time(key.revoked_at)}. "
        f"A running service refuses it within {BELIEVED.total_seconds():.0f} s."
    )


def _with_keys(work: Callable[[Keys], Awaitable[Result]]) -> Result:
    from graphmem.opening import open_keys

    return on_database(open_keys, work)


def _row(key: Key) -> tuple[str, ...]:
    agent = f"{key.agent_id} (all)" if key.all_agents else key.agent_id
    times = (key.created_at, key.expires_at, key.last_used_at, key.revoked_at)
    return (key.id, agent, key.scope, key.name or "-", *map(shown_time, times))


def print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows in columns; the first row names them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def shown_time(at: datetime | None) -> str:
    """A time to the minute, `-` where there is none."""
    return f"{at:%Y-%m-%dT%H:%MZ}" if at else "-"
