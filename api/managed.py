"""The managed Neo4j of the current settings."""

from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.settings import Settings


def managed_server(settings: Settings) -> ManagedServer:
    """The Neo4j that graphmem runs itself, with its data under `data_dir`. Making it starts nothing."""
    return ManagedServer(
        settings.data_dir, settings.cache_dir, heap_mb=settings.neo4j_heap_mb, maven_url=settings.maven_url
    )
