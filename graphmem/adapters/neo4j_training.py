"""The training run that creates the AOT cache: a real Neo4j on a throwaway store, exercised and stopped."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import filelock
import psutil

from graphmem.adapters import neo4j_process as processes
from graphmem.adapters.neo4j_aot import AotCache, machine_now, using_arguments, why_no_room
from graphmem.adapters.neo4j_conf import ServerConf
from graphmem.adapters.neo4j_home import ServerHome, last_lines
from graphmem.adapters.neo4j_jars import Neo4jJars
from graphmem.adapters.neo4j_java import java_program
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.errors import ServerFailed, SetupFailed

START_WITHIN_S = 600.0
STOP_WITHIN_S = 1800.0
"""Half a minute on a quiet machine; at the lowest priority on a busy one it may take long."""
CONF = ServerConf(0, None, heap_mb=512, page_cache_mb=32)


def train(cache_dir: Path, exercise: Callable[[RunningServer], None], *, maven_url: str | None = None) -> Path | None:
    """The new cache, in place and accepted by Java; None when another process is creating it now.

    Takes a minute or two of one processor, at the priority of the caller. `exercise` uses the server as graphmem does:
    later starts find ready what it uses. However this ends, nothing is left running.
    Errors: SetupFailed when memory or disk are too small; DownloadFailed, ServerFailed; what `exercise` raises.
    """
    jars = Neo4jJars(cache_dir.resolve(), maven_url)
    aot = AotCache(cache_dir.resolve(), jars)
    if reason := why_no_room(machine_now(aot.folder)):
        raise SetupFailed(f"The AOT cache cannot be made now: {reason}.")
    aot.folder.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(aot.folder / ".lock", timeout=0, thread_local=False):
            return _train_alone(cache_dir, jars, aot, exercise)
    except filelock.Timeout:
        return None


def _train_alone(cache_dir: Path, jars: Neo4jJars, aot: AotCache, exercise: Callable[[RunningServer], None]) -> Path:
    room = aot.folder / "training"
    made = room / "made.aot"
    _clear(room)  # left by a run that was killed
    try:
        room.mkdir()
        jars.ensure()
        server = ManagedServer(
            room,
            cache_dir,
            heap_mb=CONF.heap_mb,
            page_cache_mb=CONF.page_cache_mb,
            preferred_bolt_port=0,
            preferred_http_port=0,
            record_aot=made,
        )
        exercise(server.start(timeout_s=START_WITHIN_S))
        server.stop(timeout_s=STOP_WITHIN_S)
        _require_accepted(made, ServerHome(room / "neo4j"), jars.class_path())
        return aot.install(made, java_program())
    finally:
        _clear(room)


def _require_accepted(made: Path, home: ServerHome, class_path: str) -> None:
    """Errors: ServerFailed when no cache was written, or Java would ignore it."""
    if not made.exists():
        raise ServerFailed("Java ended without writing an AOT cache.")
    home.write_conf(CONF, class_path, ["-XX:AOTMode=on", *using_arguments(made)])
    command = [java_program(), f"@{home.arguments_file}", "-version"]
    tried = subprocess.run(command, cwd=home.folder, capture_output=True, check=False)
    if tried.returncode != 0:
        raise ServerFailed(f"Java does not take the AOT cache it made:\n{last_lines(home.aot_log)}")


def _clear(room: Path) -> None:
    """Stop what runs on the throwaway store, and delete it."""
    ours = [process for process in psutil.process_iter() if processes.is_server(process, room / "neo4j")]
    for process in ours:
        _kill_family(process)
    psutil.wait_procs(ours, timeout=10)
    shutil.rmtree(room, ignore_errors=True)


def _kill_family(process: psutil.Process) -> None:
    """Including the Java that it starts at its end, which builds the cache from the recording."""
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for one in family:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
