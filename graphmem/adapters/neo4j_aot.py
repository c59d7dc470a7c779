"""The AOT cache of the managed Neo4j (JEP 483, 514, 515): its classes loaded, linked and profiled by a training run,
which later starts map into memory. It saves a third of a start's processor time.

One file below the cache folder, named after everything it depends on: when that changes the file is no longer used, and
Java ignores one that does not fit or is damaged.
"""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from graphmem.adapters.neo4j_conf import JAVA_FLAGS
from graphmem.adapters.neo4j_jars import Neo4jJars
from graphmem.adapters.neo4j_java import java_identity

AotState = Literal["ready", "missing", "off"]

LOG = "logs/aot.log"
"""Where Java reports whether it uses the cache; below the home folder, which is its working directory."""
IN_USE = "Using AOT-linked classes: true"
LARGEST_HEAP_MB = 31 << 10
"""Java encodes addresses differently in larger heaps; the cache would not fit."""

QUIET_LOAD = 0.25
"""Highest load of the last minute, per processor, at which a machine counts as idle."""
MEMORY_MB = 2048
"""Two Java processes at the end of a training run: 1.2 GiB, and some for everything else."""
DISK_MB = 1024
"""The cache (190 MB), the recording it is made from (140 MB), a store, and some for everything else."""


@dataclass(frozen=True)
class Machine:
    """What training checks before it begins. `load`: of the last minute, per processor."""

    load: float
    memory_mb: int
    disk_mb: int


class AotCache:
    """The caches in one cache folder; `file` is the one that fits now. Creating this has no side effects."""

    def __init__(self, cache_dir: Path, jars: Neo4jJars) -> None:
        self.folder = cache_dir / "neo4j-aot"
        self._jars = jars

    def file(self, java: str) -> Path:
        """The path of the cache for these jars, this Java and our flags, whether it exists or not. The jars must
        exist."""
        parts = (self._jars.fingerprint(), java_identity(java), *JAVA_FLAGS)
        return self.folder / f"{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:16]}.aot"

    def arguments(self, java: str, heap_mb: int) -> list[str]:
        """The Java options that use the cache; empty without one. A faulty cache does no harm."""
        if heap_mb > LARGEST_HEAP_MB:
            return []
        try:
            file = self.file(java)
        except OSError:  # a Java of another vendor: it starts anyway
            return []
        return using_arguments(file) if file.exists() else []

    def install(self, made: Path, java: str) -> Path:
        """Put the new cache in place; those of other jars and Javas are removed."""
        file = self.file(java)
        made.replace(file)
        for old in self.folder.glob("*.aot"):
            if old != file:
                discard(old)
        return file


def using_arguments(file: Path) -> list[str]:
    return [
        f"-XX:AOTCache={file}",
        # Without it, damage within the file crashes or hangs the server. It costs 0.05 s.
        "-XX:+VerifySharedSpaces",
        *_log_aside(),
    ]


def recording_arguments(made: Path) -> list[str]:
    """The Java options that write a cache when it ends.

    Without the compiled stubs: they depend on the processor, which may change, and save nothing.
    """
    return [
        f"-XX:AOTCacheOutput={made}",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:-AOTStubCaching",
        "-XX:-AOTAdapterCaching",
        *_log_aside(),
    ]


def _log_aside() -> list[str]:
    return ["-Xlog:aot*=off", f"-Xlog:aot:file={LOG}::filecount=0"]


def discard(file: Path) -> None:
    """Remove the file; on Windows only once no server uses it any more."""
    try:
        file.unlink(missing_ok=True)
    except PermissionError:
        return


def machine_now(folder: Path) -> Machine:
    """The state of this machine, with the disk of `folder`, which need not exist yet."""
    place = next(place for place in (folder, *folder.parents) if place.exists())
    return Machine(
        load=psutil.getloadavg()[0] / (psutil.cpu_count() or 1),
        memory_mb=psutil.virtual_memory().available >> 20,
        disk_mb=shutil.disk_usage(place).free >> 20,
    )


def why_no_room(machine: Machine) -> str | None:
    """Why a training run would disturb this machine; None if it would not."""
    if machine.memory_mb < MEMORY_MB:
        return f"only {machine.memory_mb} MiB of memory are free; it takes {MEMORY_MB}"
    if machine.disk_mb < DISK_MB:
        return f"only {machine.disk_mb} MiB are free on the disk of the cache; it takes {DISK_MB}"
    return None


def why_not_now(machine: Machine) -> str | None:
    """Why not to train now without a request; None if it is a good moment."""
    if machine.load > QUIET_LOAD:
        return f"the machine is at work: load {machine.load:.2f} per processor"
    return why_no_room(machine)
