"""A backup as one file: a zip of JSON lines and payload files; a manifest of checksums is written last."""

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from graphmem.errors import InvalidInput

MANIFEST = "manifest.json"
PAYLOADS = "payloads/"
CHUNK = 1 << 20


class ArchiveWriter:
    """Use as a context manager: the file is in place when the context succeeds, and nothing is left when it fails.

    Errors: OSError when the disk is full or the folder cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.part")
        self._sums: dict[str, str] = {}

    def __enter__(self) -> Self:
        handle = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(handle, "wb")
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        return self

    def __exit__(self, kind: object, error: object, at: object) -> None:
        if kind is None:
            self._zip.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._part.replace(self._path)
            return
        with contextlib.suppress(OSError, ValueError):
            self._zip.close()
        with contextlib.suppress(OSError):
            self._file.close()
        self._part.unlink(missing_ok=True)

    @contextlib.contextmanager
    def lines(self, name: str) -> Iterator["LineWriter"]:
        """Write JSON lines under a name, one page after the other."""
        with self._zip.open(name, "w", force_zip64=True) as entry:
            writer = LineWriter(entry)
            yield writer
        self._sums[name] = writer.sha256()

    def files(self, folder: Path, tell: Callable[[int, int], None] = lambda _done, _of: None) -> int:
        """Add every file below a folder and return their number. `tell` is called with the progress."""
        # A name with a leading dot is a file that is being written.
        found = sorted(path for path in folder.rglob("[!.]*") if path.is_file()) if folder.is_dir() else []
        for done, path in enumerate(found, 1):
            name = PAYLOADS + path.relative_to(folder).as_posix()
            digest = hashlib.sha256()
            with path.open("rb") as source, self._zip.open(name, "w", force_zip64=True) as entry:
                while chunk := source.read(CHUNK):
                    digest.update(chunk)
                    entry.write(chunk)
            self._sums[name] = digest.hexdigest()
            tell(done, len(found))
        return len(found)

    def finish(self, about: dict[str, Any]) -> None:
        """Write the description of the backup, with the checksum of every part."""
        self._zip.writestr(MANIFEST, json.dumps(about | {"sha256": self._sums}, indent=1, sort_keys=True))


class LineWriter:
    def __init__(self, entry: Any) -> None:
        self._entry = entry
        self._digest = hashlib.sha256()

    def write(self, values: Sequence[Any]) -> None:
        data = "".join(f"{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n" for value in values).encode()
        self._digest.update(data)
        self._entry.write(data)

    def sha256(self) -> str:
        return self._digest.hexdigest()


class ArchiveReader:
    """A backup to read from, verified when it is opened. Use as a context manager.

    Errors: InvalidInput for a file that is not a backup, is cut short, or was changed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        try:
            self._zip = zipfile.ZipFile(self._path)
            self.about: dict[str, Any] = json.loads(self._zip.read(MANIFEST))
            sums: dict[str, str] = self.about["sha256"]
            for name, expected in sums.items():
                with self._zip.open(name) as entry:
                    if hashlib.file_digest(entry, "sha256").hexdigest() != expected:  # type: ignore[arg-type]
                        raise InvalidInput(f"{self._path}: {name} was changed. Take another backup.")
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError, OSError) as error:
            said = f"{self._path} is no whole backup of graphmem ({type(error).__name__}). Take another one."
            raise InvalidInput(said) from error
        return self

    def __exit__(self, kind: object, error: object, at: object) -> None:
        self._zip.close()

    def pages(self, name: str, size: int) -> Iterator[list[Any]]:
        """JSON lines, in batches of this size."""
        page: list[Any] = []
        with self._zip.open(name) as entry:
            for line in entry:
                page.append(json.loads(line))
                if len(page) == size:
                    yield page
                    page = []
        if page:
            yield page

    def extract_files(self, folder: Path) -> int:
        """Extract payload files below a folder and return their number. An existing one stays: its name is its hash."""
        names: Iterable[str] = [name for name in self.about["sha256"] if name.startswith(PAYLOADS)]
        count = 0
        for name in names:
            target = (folder / name.removeprefix(PAYLOADS)).resolve()
            if not target.is_relative_to(folder.resolve()):
                raise InvalidInput(f"{self._path}: {name} leads out of the folder of payloads.")
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                part = target.with_name(f".{target.name}.part")
                with self._zip.open(name) as entry, part.open("wb") as out:
                    while chunk := entry.read(CHUNK):
                        out.write(chunk)
                part.chmod(0o600)
                part.replace(target)
            count += 1
        return count
