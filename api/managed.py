"""The managed Neo4j of the current settings."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.settings import Settings


def managed_server(settings: Settings) -> ManagedServer:
    """The Neo4j that graphmem runs itself, with its data under `data_dir`. Making it starts nothing."""
    return ManagedServer(
        settings.data_dir,
        settings.cache_dir,
        heap_mb=settings.neo4j_heap_mb,
        maven_url=settings.maven_url,
        use_aot=settings.aot_cache != "off",
    )


@contextmanager
def neo4j(settings: Settings, notice: Callable[[str], None] | None = None) -> Iterator[RunningServer | None]:
    """The managed Neo4j, running; it is stopped at the end if it was started here. None where the settings name
    another."""
    if settings.neo4j_uri is not None:
        yield None
        return
    managed = managed_server(settings)
    running = managed.start(notice=notice)
    try:
        yield running
    finally:
        if running.started_here:
            managed.stop()
