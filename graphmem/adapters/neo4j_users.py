"""Who uses a managed Neo4j: a file for each, locked for as long as its process uses the server. The system frees the
lock of a process that is killed."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

import filelock


class ServerUsers:
    """The users of the server of one home folder. Joining and leaving is for those who hold the lock of the server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def join(self) -> filelock.FileLock:
        """The mark of a new user; it counts until it is released, or its process ends."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark = filelock.FileLock(self._folder / f"{os.getpid()}-{secrets.token_hex(4)}", thread_local=False)
        mark.acquire()
        return mark

    def leave(self, mark: filelock.FileLock) -> bool:
        """Take a user away; whether it was the last one. What killed users have left is removed."""
        mark.release()
        alive = [file for file in self._folder.iterdir() if _lives(file)]
        return not alive


def _lives(file: Path) -> bool:
    try:
        with filelock.FileLock(file, timeout=0, thread_local=False):
            pass
    except filelock.Timeout:
        return True
    with suppress(OSError):
        file.unlink(missing_ok=True)
    return False
