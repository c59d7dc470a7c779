"""Room on the disk: writes end before the disk is full, since a database on a full disk takes no transaction at all."""

import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from graphmem.adapters.neo4j_home import ServerHome
from graphmem.errors import DiskFull

LEAST_MB = 512
"""Neo4j lengthens a file by up to 128 MiB at a time, and a checkpoint writes a transaction log of 32 MiB."""
STORE_PART = 3
"""Two segments of an index are copied into one before they are removed: a third of the store, at most."""
MEASURED_EVERY_S = 60.0


@dataclass
class DiskRoom:
    """The room that writes have to leave on the disk of a data folder, in MiB; `least_mb` None: 512, or a third of the
    store of the managed Neo4j, whichever is more."""

    data_dir: Path
    least_mb: int | None = None
    _store_mb: int = 0
    _measured_at: float = field(default=-MEASURED_EVERY_S)

    def require(self) -> None:
        """Errors: DiskFull when there is less room."""
        free_mb, least_mb = self._free_mb(), self._least_mb()
        if free_mb < least_mb:
            raise DiskFull(
                f"The disk of {self.data_dir} has {free_mb} MiB left, and writes stop below {least_mb} MiB "
                "(GRAPHMEM_MIN_FREE_DISK_MB). Make room on it; what is stored can be read meanwhile.",
                retry_after_s=30,
            )

    def _free_mb(self) -> int:
        folder = next(path for path in (self.data_dir, *self.data_dir.parents) if path.exists())
        return shutil.disk_usage(folder).free >> 20

    def _least_mb(self) -> int:
        if self.least_mb is not None:
            return self.least_mb
        now = time.monotonic()
        if now - self._measured_at >= MEASURED_EVERY_S:
            self._measured_at = now
            with suppress(OSError):  # a folder of the store may go while it is read
                self._store_mb = ServerHome(self.data_dir / "neo4j").store_size() >> 20
        return max(LEAST_MB, self._store_mb // STORE_PART)
