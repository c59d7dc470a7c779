"""The jars of the managed Neo4j: which ones (the lock file), their source, their folder.

Neo4j Community is GPLv3 software. It is fetched as published, runs as a separate process and is used over Bolt: nothing
of it is in this package, and nothing here links to it.
"""

import hashlib
import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from graphmem.adapters.downloads import PinnedFile, Progress, fetch_all, is_cached
from graphmem.errors import SetupFailed

LOCK_NAME = "neo4j-jars.lock"
SERVER = "org.neo4j:neo4j"
MAVEN_CENTRAL = "https://repo.maven.apache.org/maven2"

ADVICE = (
    "To use a Neo4j of your own set GRAPHMEM_NEO4J_URI, or run `docker compose up`; "
    "for a mirror of Maven Central set GRAPHMEM_MAVEN_URL."
)


@dataclass(frozen=True)
class PinnedJar:
    """One line of the lock: `group:artifact:version[:classifier]`, bytes, SHA-256."""

    coordinate: str
    size: int
    sha256: str

    @property
    def path(self) -> str:
        """Where a Maven repository keeps the jar, relative to its root."""
        return jar_path(self.coordinate)


class Neo4jJars:
    """The pinned jars in one cache folder."""

    def __init__(self, cache_dir: Path, maven_url: str | None = None) -> None:
        self.folder = cache_dir / "neo4j-jars"
        self._maven_url = maven_url
        self._pins = read_lock(files("graphmem").joinpath("locks", LOCK_NAME).read_text(encoding="utf-8"))

    @property
    def version(self) -> str:
        return next(jar.coordinate.split(":")[2] for jar in self._pins if jar.coordinate.startswith(f"{SERVER}:"))

    def ensure(self, progress: Progress | None = None) -> None:
        """All jars are in the cache when this returns; no network if they were there already.

        Errors: DownloadFailed, SetupFailed.
        """
        if self.are_here():
            return
        fetch_all(
            self._files(self._maven_url or MAVEN_CENTRAL),
            self.folder,
            advice=ADVICE,
            progress=progress,
        )

    def are_here(self) -> bool:
        return is_cached(self._files(""), self.folder)

    def class_path(self) -> str:
        """The jars in the order of the lock, as Java's `-cp` expects them.

        Errors: SetupFailed when the folder's name contains the path separator.
        """
        if os.pathsep in str(self.folder):
            raise SetupFailed(
                f"Java cannot load jars from {self.folder}: it contains {os.pathsep!r}. "
                "Set GRAPHMEM_CACHE_DIR to another folder."
            )
        return os.pathsep.join(str(self.folder / jar.path) for jar in self._pins)

    def fingerprint(self) -> str:
        """A fingerprint of the jars as Java compares them: by place, order, size and time. All must exist."""
        digest = hashlib.sha256(self.class_path().encode())
        for jar in self._pins:
            stat = (self.folder / jar.path).stat()
            digest.update(f"\n{stat.st_size} {int(stat.st_mtime)}".encode())
        return digest.hexdigest()

    def _files(self, maven_url: str) -> list[PinnedFile]:
        root = maven_url.rstrip("/")
        return [PinnedFile(f"{root}/{jar.path}", jar.path, jar.size, jar.sha256) for jar in self._pins]


def read_lock(text: str) -> list[PinnedJar]:
    """The jars of a lock, in its order."""
    lines = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return [PinnedJar(coordinate, int(size), sha256) for coordinate, size, sha256 in lines]


def jar_path(coordinate: str) -> str:
    """Where a Maven repository keeps a jar, relative to its root."""
    group, artifact, version, *classifier = coordinate.split(":")
    return "/".join([*group.split("."), artifact, version, f"{'-'.join([artifact, version, *classifier])}.jar"])
