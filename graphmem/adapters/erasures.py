"""What is kept of erasures outside of the database: their list, the key that signs receipts, and where copies were put.

All are files of the data folder, for this user only. The list and the places of copies grow by a line at a time, so
that they survive a restore, which replaces the database.
"""

import base64
import contextlib
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from graphmem.model.erasing import Erasure, OlderCopy, Signature

LIST, COPIES, KEY = "erasures.jsonl", "copies.jsonl", "receipt-key"
BACKUPS = "backups"
"""The folder below the data folder for backups that commands make by themselves."""


class ErasureFiles:
    """Errors: OSError where the data folder cannot be written."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    def add(self, erasure: Erasure) -> None:
        """Append to the list of erasures; on disk when this returns."""
        _append(self._data_dir / LIST, erasure.model_dump_json(by_alias=True))

    def all(self) -> list[Erasure]:
        """The list, oldest first; the last entry of an id counts. A line that was cut short is left out."""
        found: dict[str, Erasure] = {}
        for line in _lines(self._data_dir / LIST):
            with contextlib.suppress(ValueError):
                one = Erasure.model_validate_json(line)
                found[one.id] = one
        return list(found.values())

    def note_copy(self, path: Path, kind: Literal["backup", "dump"], now: datetime) -> None:
        """Remember that the memory was copied to this file."""
        _append(self._data_dir / COPIES, json.dumps({"path": str(path.resolve()), "kind": kind, "at": now.isoformat()}))

    def copies(self) -> tuple[OlderCopy, ...]:
        """The backups and dumps that were made with this data folder, oldest first; the newest of a file counts."""
        found: dict[str, OlderCopy] = {}
        for line in _lines(self._data_dir / COPIES):
            with contextlib.suppress(ValueError):
                held = json.loads(line)
                found[held["path"]] = OlderCopy(exists=Path(held["path"]).exists(), **held)
        return tuple(sorted(found.values(), key=lambda copy: copy.at))

    def sign(self, text: str) -> Signature:
        """An Ed25519 signature over the text; the key is made when it is first needed."""
        key = self._key()
        public = key.public_key().public_bytes_raw()
        return Signature(public_key=_base64(public), value=_base64(key.sign(text.encode())))

    def is_signed(self, text: str, signature: Signature) -> bool:
        """Whether the text was signed with the key of this data folder."""
        key = self._key().public_key()
        try:
            given = Ed25519PublicKey.from_public_bytes(base64.b64decode(signature.public_key))
            given.verify(base64.b64decode(signature.value), text.encode())
        except (InvalidSignature, ValueError):
            return False
        return given == key

    def _key(self) -> Ed25519PrivateKey:
        path = self._data_dir / KEY
        if not path.exists():
            self._data_dir.mkdir(parents=True, exist_ok=True)
            new = path.with_name(f".{KEY}.{os.getpid()}")
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(Ed25519PrivateKey.generate().private_bytes_raw())
            with contextlib.suppress(FileExistsError):  # another process was faster
                os.link(new, path)
            new.unlink()
        return Ed25519PrivateKey.from_private_bytes(path.read_bytes())


def files_holding(folders: list[Path], words: list[str]) -> tuple[int, list[Path]]:
    """How many files lie below these folders, and those that hold one of the words, as they are or in small letters, in
    UTF-8 or UTF-16."""
    spellings = {form for word in words for form in (word, word.lower())}
    sought = [form.encode(code) for form in spellings for code in ("utf-8", "utf-16-le")]
    longest = max((len(one) for one in sought), default=0)
    searched, holding = 0, []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file():
                continue
            searched += 1
            if any(any(one in chunk for one in sought) for chunk in _chunks(path, longest)):
                holding.append(path)
    return searched, holding


def _chunks(path: Path, overlap: int, size: int = 1 << 22) -> Iterator[bytes]:
    """The bytes of a file, each chunk with the end of the one before."""
    tail = b""
    with contextlib.suppress(OSError), path.open("rb") as file:
        while chunk := file.read(size):
            yield tail + chunk
            tail = chunk[-overlap:] if overlap else b""


def _append(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
