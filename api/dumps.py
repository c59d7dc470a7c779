"""Checks of a dump before it replaces the current graph."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

from graphmem.adapters.neo4j_dump import load
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.connection import Database
from graphmem.graph.operation.totals import store_totals
from graphmem.graph.schema import schema_state
from graphmem.opening import connect_database
from graphmem.settings import Settings

_COLD_S = 60.0
"""A server that has just started is slow with its first statement."""


def load_graph(
    settings: Settings, server: ManagedServer, file: Path, *, force: bool, notice: Callable[[str], None]
) -> None:
    """Replace the graph by that of the file; when this raises, the previous graph is in place.

    Errors: Conflict when the previous graph is not empty and `force` is not set; SchemaMismatch for a file of a newer
    graphmem; InvalidInput for one that is not from graphmem; as `neo4j_dump.load`.
    """

    def on(running: RunningServer, look: Callable[[Database], Coroutine[None, None, None]]) -> None:
        async def looked() -> None:
            database = await connect_database(settings, running)
            try:
                await look(database)
            finally:
                await database.close()

        asyncio.run(looked())

    async def require_empty(database: Database) -> None:
        nodes, _, _ = await database.read(store_totals, timeout_s=_COLD_S)
        held = sum(nodes.values())
        if held and not force:
            raise Conflict(
                f"The graph in {server.data_dir} holds {held} nodes, which would be lost. Keep them with "
                "`graphmem db dump`, or say --force."
            )

    async def require_ours(database: Database) -> None:
        if not (await schema_state(database)).applied:
            raise InvalidInput(f"{file} is a dump of a graph that is not graphmem's; nothing was changed.")

    load(
        server,
        file,
        admit=lambda running: on(running, require_empty),
        check=lambda running: on(running, require_ours),
        notice=notice,
    )
