"""Payloads as files, named by their SHA-256, in a folder for each agent."""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from graphmem.errors import PayloadDamaged


class PayloadFiles:
    """Files below one folder, `<agent>/<first two digits>/<sha256>`, for this user only. Data is on disk when the call
    returns, whole or not at all."""

    def __init__(self, folder: Path, require_room: Callable[[], None]) -> None:
        """`require_room`: called before a file is written; raises DiskFull."""
        self._folder = folder
        self._require_room = require_room

    def write(self, agent_key: str, sha256: str, data: bytes) -> str:
        """Store the bytes and return their path relative to the folder; equal bytes are stored once. Errors:
        DiskFull, OSError."""
        where = f"{agent_key}/{sha256[:2]}/{sha256}"
        path = self._folder / where
        if _holds(path, sha256):
            return where
        self._require_room()
        for folder in (self._folder, path.parent.parent, path.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        half = path.with_name(f".{sha256}.{uuid4().hex}")
        try:
            with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                half.unlink()
            raise
        _sync(path.parent)
        return where

    def read(self, where: str, sha256: str) -> bytes:
        """The bytes, with their hash checked. Errors: PayloadDamaged where they are missing or changed."""
        try:
            data = (self._folder / where).read_bytes()
        except OSError as error:
            raise PayloadDamaged(f"The file of payload {sha256} cannot be read: {error.strerror}.") from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise PayloadDamaged(f"The file of payload {sha256} was altered: its bytes have another hash.")
        return data

    def remove(self, where: str) -> bool:
        """Remove the file; False where there is none. Errors: OSError."""
        try:
            (self._folder / where).unlink()
        except FileNotFoundError:
            return False
        _sync((self._folder / where).parent)
        return True

    def head(self, where: str, sha256: str, limit: int) -> bytes:
        """The first bytes, unchecked: the hash is that of the whole. Errors: PayloadDamaged where they are missing."""
        try:
            with (self._folder / where).open("rb") as file:
                return file.read(limit)
        except OSError as error:
            raise PayloadDamaged(f"The file of payload {sha256} cannot be read: {error.strerror}.") from error


def _holds(path: Path, sha256: str) -> bool:
    """Whether the file exists and matches its name; a damaged one is written again."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False


def _sync(folder: Path) -> None:
    """Make the new name survive a power cut; where folders cannot be opened (Windows) the system ensures it."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
