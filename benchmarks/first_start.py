"""Starts the managed Neo4j on an empty folder, brings the schema into it, and prints as JSON how long that took in
seconds, and Neo4j's processor seconds: from its launch, and for the schema alone.

It is run in processes of its own (`benchmarks.start`), with the code of this version or of an earlier one.
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

import psutil

from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.graph.connection import connect
from graphmem.graph.schema import migrate
from graphmem.settings import load_settings


async def bring_schema(server: RunningServer) -> int:
    database = await connect(server.uri, user=server.user, password=server.password)
    try:
        return await migrate(database, holder="benchmark", dimensions=384)
    finally:
        await database.close()


def first_start(folder: Path) -> dict[str, float]:
    managed = ManagedServer(folder, load_settings().cache_dir, preferred_bolt_port=0, preferred_http_port=0)
    began = time.perf_counter()
    server = managed.start(timeout_s=600)
    try:
        started, neo4j = time.perf_counter(), psutil.Process(server.pid)
        used_s = sum(neo4j.cpu_times()[:2])
        migrations = asyncio.run(bring_schema(server))
        ended, all_used_s = time.perf_counter(), sum(neo4j.cpu_times()[:2])
        return {
            "migrations": migrations,
            "wall_s": ended - began,
            "cpu_s": all_used_s,
            "schema_wall_s": ended - started,
            "schema_cpu_s": all_used_s - used_s,
        }
    finally:
        managed.stop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="graphmem-first-", ignore_cleanup_errors=True) as made:
        json.dump(first_start(Path(made)), sys.stdout)
