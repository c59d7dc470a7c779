"""The AOT cache of the managed Neo4j (JEP 483, 514, 515): its classes loaded, linked and profiled by a training run,
which later starts map into memory. It saves a third of the processor time of a start.

One file below the cache folder, named after everything it depends on: when that changes the file no longer counts, and
Java passes over one that does not fit or is damaged.
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
"""Where Java says whether it uses the cache; below the home folder, which is its working directory."""
IN_USE = "Using AOT-linked classes: true"
LARGEST_HEAP_MB = 31 << 10
"""Java writes addresses otherwise in larger heaps; the cache would not fit."""

QUIET_LOAD = 0.25
"""Load of the last minute, per processor, up to which a machine counts as idle."""
MEMORY_MB = 2048
"""Two Javas at once at the end of a training run: 1.2 GiB, and some for everybody else."""
DISK_MB = 1024
"""The cache (190 MB), the recording it is made of (140 MB), a store, and some for everybody else."""


@dataclass(frozen=True)
class Machine:
    """What training looks at before it begins. `load`: of the last minute, per processor."""

    load: float
    memory_mb: int
    disk_mb: int


class AotCache:
    """The caches in one cache folder; `file` is the one that fits now. Making this touches nothing."""

    def __init__(self, cache_dir: Path, jars: Neo4jJars) -> None:
        self.folder = cache_dir / "neo4j-aot"
        self._jars = jars

    def file(self, java: str) -> Path:
        """Where the cache for these jars, this Java and our flags lies, or will lie. The jars must be there."""
        parts = (self._jars.fingerprint(), java_identity(java), *JAVA_FLAGS)
        return self.folder / f"{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:16]}.aot"

    def arguments(self, java: str, heap_mb: int) -> list[str]:
        """What Java is told so that it uses the cache; empty without one. Nothing that is wrong with it matters."""
        if heap_mb > LARGEST_HEAP_MB:
            return []
        try:
            file = self.file(java)
        except OSError:  # a Java of another make: it starts all the same
            return []
        return using_arguments(file) if file.exists() else []

    def install(self, made: Path, java: str) -> Path:
        """The new cache in its place; those of other jars and Javas are gone."""
        file = self.file(java)
        made.replace(file)
        for old in self.folder.glob("*.aot"):
            if old != file:
                discard(old)
        return file


def using_arguments(file: Path) -> list[str]:
    return [
        f"-XX:AOTCache={file}",
        # Else damage within the file brings the server down, or makes it hang. It costs 0.05 s.
        "-XX:+VerifySharedSpaces",
        *_log_aside(),
    ]


def recording_arguments(made: Path) -> list[str]:
    """What Java is told so that it writes a cache when it ends.

    Without the compiled stubs: they depend on the processor, which may be another one tomorrow, and save nothing.
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
    """The file is gone; on Windows only once no server uses it any more."""
    try:
        file.unlink(missing_ok=True)
    except PermissionError:
        return


def machine_now(folder: Path) -> Machine:
    """This machine; of its disks the one with `folder`, which need not exist yet."""
    place = next(place for place in (folder, *folder.parents) if place.exists())
    return Machine(
        load=psutil.getloadavg()[0] / (psutil.cpu_count() or 1),
        memory_mb=psutil.virtual_memory().available >> 20,
        disk_mb=shutil.disk_usage(place).free >> 20,
    )


def why_no_room(machine: Machine) -> str | None:
    """Why a training run would hurt this machine; None if it would not."""
    if machine.memory_mb < MEMORY_MB:
        return f"only {machine.memory_mb} MiB of memory are free; it takes {MEMORY_MB}"
    if machine.disk_mb < DISK_MB:
        return f"only {machine.disk_mb} MiB are free on the disk of the cache; it takes {DISK_MB}"
    return None


def why_not_now(machine: Machine) -> str | None:
    """Why nobody should train unasked at this moment; None: now is a good one."""
    if machine.load > QUIET_LOAD:
        return f"the machine is at work: load {machine.load:.2f} per processor"
    return why_no_room(machine)
