"""Dump and load of the managed Neo4j's graph, as `neo4j-admin database dump` and `load` do it.

The graph only: users and passwords are in another database, which stays as it is. A file is unpacked beside the graph,
swapped in as a whole, and checked by the caller on a running server before the previous graph is dropped.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from graphmem.adapters.neo4j_conf import ADMIN_CLASS, DATABASE, clean_environment
from graphmem.adapters.neo4j_home import ServerHome
from graphmem.adapters.neo4j_java import java_program
from graphmem.adapters.neo4j_server import ManagedServer, Notice, RunningServer
from graphmem.errors import Conflict, GraphmemError, InvalidInput, ServerFailed, SetupFailed

MAGIC = (b"DZV1", b"DGV1")
"""The first bytes of a dump: packed by zstd or by gzip."""
DISK_FULL = "No space left on device"
LAST_CHARACTERS = 2000

Check = Callable[[RunningServer], None]
"""Raises an error if the graph of this server is not acceptable."""


def dump(server: ManagedServer, file: Path, *, force: bool = False) -> int:
    """Write the graph to `file`, whole or not at all, readable by its owner only, and return its size in bytes.

    A running server is stopped for it and started again; a stopped one is started first, in case it was killed: only a
    cleanly closed graph can be dumped.
    Errors: Conflict when the file exists and `force` is not set; ServerFailed when there is no graph yet, or others are
    connected to it; SetupFailed when the file cannot be written.
    """
    if file.exists() and not force:
        raise Conflict(f"{file} exists. Say --force to write over it, or name another file.")
    if not server.has_store:
        raise ServerFailed(f"There is no graph in {server.data_dir} yet: nothing was ever started there.")
    ran = server.running() is not None
    server.start()
    new = file.with_name(f"{file.name}.new")
    try:
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as sink:
            with server.stopped() as home:
                admin(server, home, ["dump", DATABASE, "--to-stdout"], stdout=sink)
            os.fsync(sink.fileno())
        os.replace(new, file)
    except OSError as error:
        raise SetupFailed(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        if ran:
            server.start()
        if new.parent.is_dir():
            new.unlink(missing_ok=True)
    return file.stat().st_size


def load(server: ManagedServer, file: Path, *, admit: Check, check: Check, notice: Notice) -> None:
    """Replace the graph by the one in `file`. When this raises, the previous graph is in place, or the message says
    where it is. The server runs afterwards if it did before.

    `admit` checks the previous graph, `check` the new one.
    Errors: what these two raise; InvalidInput for a file that is not a complete dump; ServerFailed when others are
    connected, or Neo4j cannot run on the new graph; SetupFailed when the disk is too small.
    """
    _require_dump(file)
    ran = server.running() is not None
    # The first start creates the users and the folder of the graph.
    running = server.start(notice=notice)
    unpacked = Path(tempfile.mkdtemp(prefix="loading-", dir=server.home_folder))
    try:
        admit(running)
        fresh = ServerHome(unpacked)
        _unpack(server, fresh, file)
        with server.stopped() as home:
            previous = home.exchange_store(fresh)
        try:
            check(server.start(notice=notice))
        except BaseException as error:
            _take_back(server, previous, error)
            raise
        shutil.rmtree(previous)
    except OSError as error:
        raise SetupFailed(f"{server.home_folder} cannot be used: {error}.") from error
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
        if ran:
            server.start()
        else:
            server.stop()


def _take_back(server: ManagedServer, previous: Path, cause: BaseException) -> None:
    try:
        with server.stopped() as home:
            home.take_store_back(previous)
    except GraphmemError as error:
        raise ServerFailed(
            f"{cause} And the graph from before could not be put back: {error} It lies in {previous}: move what is in "
            f"it below {server.home_folder / 'data'}, over what is there, while Neo4j is stopped."
        ) from cause


def _require_dump(file: Path) -> None:
    try:
        with file.open("rb") as source:
            begins = source.read(len(MAGIC[0]))
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from error
    if begins not in MAGIC:
        raise InvalidInput(f"{file} is no dump of a Neo4j database; `graphmem db dump` makes one.")


def _unpack(server: ManagedServer, fresh: ServerHome, file: Path) -> None:
    try:
        with file.open("rb") as source:
            admin(server, fresh, ["load", DATABASE, "--from-stdin"], stdin=source)
    except ServerFailed as error:
        raise InvalidInput(f"{file} cannot be unpacked; nothing was changed. {error}") from error


def admin(
    server: ManagedServer,
    home: ServerHome,
    command: list[str],
    *,
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
) -> None:
    """Run `neo4j-admin database` with this command on a home whose server does not run.

    Errors: SetupFailed when the disk is full, ServerFailed with its last output otherwise.
    """
    server.prepare(home)
    ended = subprocess.run(
        [java_program(), f"@{home.arguments_file}", ADMIN_CLASS, "database", *command],
        cwd=home.folder,
        env=clean_environment() | {"NEO4J_HOME": str(home.folder), "NEO4J_CONF": str(home.folder / "conf")},
        stdin=stdin or subprocess.DEVNULL,
        stdout=stdout or subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if ended.returncode == 0:
        return
    words = ended.stderr.decode("utf-8", "replace").strip()
    if DISK_FULL in words:
        raise SetupFailed(f"The disk is full: the graph needs more room than {home.folder} and the file have.")
    raise ServerFailed(f"Neo4j's own command failed:\n{_without_progress(words)[-LAST_CHARACTERS:]}")


def _without_progress(words: str) -> str:
    return "\n".join(line for line in words.splitlines() if line.strip() and not line.startswith("Files: "))
