"""`graphmem reindex`: the store moves to another embedder. It uses the database, with the service stopped."""

from typing import TYPE_CHECKING, Annotated

import typer

from api.managed import on_database
from graphmem.settings import Settings

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from graphmem.adapters.neo4j_server import RunningServer
    from graphmem.app import Graphmem


def reindex(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether the service is stopped.")] = False,
) -> None:
    """Move the store to the embedder of the settings: all vectors are removed, and workers embed every text again.
    Until then texts are found by their words. Does nothing if the vectors are from that embedder."""
    if not yes:
        typer.confirm("Every vector in the store is made again. Is the service stopped?", abort=True)

    def opening(
        settings: Settings, server: "RunningServer | None"
    ) -> "AbstractAsyncContextManager[tuple[Graphmem, bool]]":
        from graphmem.app import open_adopted

        return open_adopted(settings, server, lambda lost: typer.echo(f"{lost} vectors taken away", err=True))

    async def work(opened: "tuple[Graphmem, bool]") -> dict[str, int] | None:
        graphmem, changed = opened
        return await graphmem.operation.reindexing.start_waiting() if changed else None

    told = on_database(opening, work)
    if told is None:
        typer.echo("The vectors are of this embedder already. POST /api/repair/reindex makes those of an agent anew.")
        return
    for agent_id, texts in sorted(told.items()):
        typer.echo(f"{agent_id}: {texts} texts wait for a vector")
    typer.echo("Start the service: its workers embed them; GET /api/status tells how many are left.", err=True)
