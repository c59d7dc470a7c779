"""The home folder of a managed Neo4j: configuration, password, state, last output."""

import itertools
import json
import os
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from graphmem.adapters.neo4j_aot import LOG
from graphmem.adapters.neo4j_conf import (
    DATABASE,
    LOOPBACK,
    ServerConf,
    render_conf,
    render_initial_password,
    render_java_arguments,
)
from graphmem.errors import ServerFailed

LAST_LINES = 12
LAST_BYTES = 64 << 10
_RECOVERED = re.compile(r"\b(\d+)% completed")


@dataclass(frozen=True)
class ServerState:
    """The state kept between calls; the ports also between two runs of the server. `passing`: it was started by those
    who use it, and the last of them stops it."""

    bolt_port: int
    http_port: int | None
    pid: int | None = None
    created: float | None = None
    passing: bool = False

    @property
    def uri(self) -> str:
        return f"bolt://{LOOPBACK}:{self.bolt_port}"

    @property
    def http_url(self) -> str | None:
        return None if self.http_port is None else f"http://{LOOPBACK}:{self.http_port}"


class ServerHome:
    """The files below one folder. Each is replaced atomically: a kill never leaves half a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.password_file = folder / "password"
        self.arguments_file = folder / "java.args"
        self.console_log = folder / "console.log"
        self.neo4j_log = folder / "logs" / "neo4j.log"
        self.debug_log = folder / "logs" / "debug.log"
        self.aot_log = folder / LOG
        self.lock = folder / "lock"
        self.users = folder / "users"
        self._data = folder / "data"
        self._unfinished = folder / "unfinished"
        self._replaced = folder / "replaced"
        self._logged_before = 0

    @property
    def has_users(self) -> bool:
        """True once the system database exists: from then on it holds the password."""
        return (self._data / "databases" / "system").exists()

    def password(self) -> str:
        """The password of the first user.

        Errors: ServerFailed before the first start, which creates it, and when its file was lost.
        """
        if password := _read(self.password_file):
            return password
        if self.has_users:
            raise ServerFailed(
                f"{self.password_file} is lost, and the database still wants the password that was in it. "
                "Write it there again, or restore the folder from a backup."
            )
        raise ServerFailed(f"There is no {self.password_file} yet: the first start makes it (`graphmem db start`).")

    def set_unfinished_store_aside(self) -> Path | None:
        """Move away a store whose creation was interrupted and return its new path; None, nearly always, if there is
        none.

        Neo4j cannot recover a store that was killed during its creation: it lacks its first transaction log. Only a
        store that never answered is moved, so it is empty; even so it is kept.
        """
        begun = any((self._data / part).exists() for part in ("databases", "transactions"))
        if not begun or not self._unfinished.exists():
            return None
        return self._set_aside(self._data, "data.unfinished")

    def store_answered(self) -> None:
        """Record that there is a store to keep from now on."""
        self._unfinished.unlink(missing_ok=True)

    def ensure_password(self) -> None:
        """Ensure that the password file exists; a database that is still to be created takes its password from it.

        Errors: ServerFailed when the file of an existing database was lost.
        """
        if self.has_users:
            self.password()
            return
        password = _read(self.password_file)
        if password is None:
            password = secrets.token_urlsafe(24)
            _write(self.password_file, f"{password}\n", secret=True)
        _write(self._unfinished, "Neo4j has not answered yet on the store it is making.\n")
        first = self._data / "dbms" / "auth.ini"
        first.parent.mkdir(parents=True, exist_ok=True)
        _write(first, render_initial_password(password, secrets.token_bytes(32)), secret=True)

    def write_conf(self, conf: ServerConf, class_path: str, more: Sequence[str] = ()) -> None:
        """`more`: further arguments for Java."""
        (self.folder / "conf").mkdir(exist_ok=True)
        self.aot_log.parent.mkdir(exist_ok=True)
        _write(self.folder / "conf" / "neo4j.conf", render_conf(conf))
        _write(self.arguments_file, render_java_arguments(conf, class_path, more))

    def exchange_store(self, other: "ServerHome") -> Path:
        """Move the graph of `other` into this home and return the path of the previous one. Users and passwords stay.

        Only while no server runs on either. If it is interrupted, `take_store_back` undoes it.
        """
        self.take_store_back()
        self._replaced.mkdir()
        for part, mine in self._store_parts().items():
            if mine.exists():
                (self._replaced / part).mkdir()
                os.replace(mine, self._replaced / part / DATABASE)
        for part, mine in self._store_parts().items():
            mine.parent.mkdir(parents=True, exist_ok=True)
            os.replace(other._store_parts()[part], mine)
        return self._set_aside(self._replaced, "previous")

    def store_size(self) -> int:
        """Bytes of the files of the graph and of its transaction logs."""
        return sum(size(path) for path in self.store_files())

    def store_files(self) -> list[Path]:
        """The files of the graph and of its transaction logs."""
        return [path for part in self._store_parts().values() for path in part.rglob("*") if path.is_file()]

    def take_store_back(self, previous: Path | None = None) -> bool:
        """Put the graph that an exchange moved away back in place; False if there is none.

        `previous`: its path; without it, an interrupted exchange is undone. The graph that replaced it is dropped: it
        was a copy.
        """
        place = previous or self._replaced
        if not place.exists():
            return False
        for part, mine in self._store_parts().items():
            if (kept := place / part / DATABASE).exists():
                if mine.exists():
                    os.replace(mine, place / part / "dropped")
                os.replace(kept, mine)
        shutil.rmtree(place)
        return True

    def _store_parts(self) -> dict[str, Path]:
        return {part: self._data / part / DATABASE for part in ("databases", "transactions")}

    def _set_aside(self, what: Path, name: str) -> Path:
        place = next(path for n in itertools.count(1) if not (path := self.folder / f"{name}-{n}").exists())
        os.replace(what, place)
        return place

    def state(self) -> ServerState | None:
        """The stored state; None before the first start, or if the file was damaged."""
        text = _read(self.folder / "state.json")
        try:
            return None if text is None else ServerState(**json.loads(text))
        except (ValueError, TypeError):
            return None

    def remember(self, state: ServerState) -> None:
        _write(self.folder / "state.json", json.dumps(asdict(state)))

    def set_logs_aside(self) -> None:
        """Begin a new console log for the next server; the last one stays for one more run, to show why it ended."""
        self._logged_before = size(self.neo4j_log)
        self.aot_log.unlink(missing_ok=True)
        if self.console_log.exists():
            os.replace(self.console_log, self.console_log.with_suffix(".log.old"))

    def last_words(self) -> str:
        """The lines that say why a server ended: the reason from the console, the details from Neo4j's log."""
        return last_lines(self.console_log) or last_lines(self.neo4j_log, self._logged_before)


def recovery_of(home: ServerHome) -> str:
    """How far a server has come with its transaction logs, as the end of a sentence; empty where it says nothing."""
    done = _RECOVERED.findall(last_lines(home.debug_log))
    return f" and has applied {done[-1]} % of its transaction logs" if done else ""


def last_lines(log: Path, offset: int = 0) -> str:
    """The last lines after `offset` that are not blank; empty if there are none."""
    try:
        with log.open("rb") as content:
            content.seek(max(offset, os.fstat(content.fileno()).st_size - LAST_BYTES))
            text = content.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join([line for line in text.splitlines() if line.strip()][-LAST_LINES:])


def size(log: Path) -> int:
    """Bytes of a log; 0 if there is none."""
    try:
        return log.stat().st_size
    except FileNotFoundError:
        return 0


def says_since(log: Path, offset: int, words: str) -> bool:
    """True if the log contains these words after `offset`. A log that was rotated meanwhile counts as empty."""
    try:
        with log.open("rb") as content:
            content.seek(offset)
            return words.encode() in content.read()
    except FileNotFoundError:
        return False


def _read(path: Path) -> str | None:
    """The text without white space around it; None if there is no file or nothing in it."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None


def _write(path: Path, text: str, *, secret: bool = False) -> None:
    """Write exactly this text, or leave the file unchanged. A secret is never readable by other users."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if secret else 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as sink:
        sink.write(text)
        sink.flush()
        os.fsync(sink.fileno())
    os.replace(new, path)
