"""Foreign SQLite files: opened without changing them, and checked before anything is read."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphmem.errors import InvalidInput

Row = dict[str, Any]
Needed = Mapping[str, frozenset[str]]
"""Tables with their required columns. Columns of newer or older versions are read where they exist."""

_MAGIC = b"SQLite format 3\0"
_WAL = 2
LOCK_WAIT_S = 5.0


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """The database, for reading only.

    No transaction spans two statements, so that a program that keeps writing is not blocked. Text that is not UTF-8 is
    returned with lone surrogates.

    Errors: InvalidInput for a file that is missing, not SQLite, locked or damaged, also when that shows only while
    reading.
    """
    try:
        with file.open("rb") as opening:
            header = opening.read(20)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from None
    if not header.startswith(_MAGIC):
        raise InvalidInput(f"{file} is no SQLite database.")
    try:
        # Closed explicitly: the context manager of a connection is a transaction.
        connection = sqlite3.connect(_address(file, header), uri=True, timeout=LOCK_WAIT_S, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            # The schema comes from the file: none of its functions may have side effects.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise InvalidInput(_said(file, error)) from error


def _address(file: Path, header: bytes) -> str:
    """A database in WAL mode that nobody has open is declared immutable: otherwise SQLite creates files beside it,
    which fails in a read-only folder. The newest rows of an open one may be in the log, which must be read."""
    found = file.resolve()
    log, index = (found.with_name(found.name + end) for end in ("-wal", "-shm"))
    in_use = index.exists() or (log.exists() and log.stat().st_size > 0)
    at_rest = header[18:19] == bytes([_WAL]) and not in_use
    return f"{found.as_uri()}?mode=ro{'&immutable=1' if at_rest else ''}"


def _said(file: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{file} is locked by a program that writes it: stop that program, or import a copy made with `.backup`."
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
        return (
            f"{file} cannot be opened without changing it: a program that wrote it did not end cleanly. Copy it to a "
            "folder you can write to, with the files beside it that end in -wal or -journal, and import the copy."
        )
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return f"{file} is damaged: {error}. Copy what can be saved with `sqlite3 … .recover`, and import the copy."
    return f"{file} cannot be read: {error}."


def missing(connection: sqlite3.Connection, needed: Needed) -> list[str]:
    """What the database lacks, in words; empty when it can be imported."""
    have = set(_tables(connection))
    lacks = [f"the table {table}" for table in needed if table not in have]
    for table in have & needed.keys():
        lacks += [f"the column {column} of {table}" for column in sorted(needed[table] - columns_of(connection, table))]
    return lacks


def columns_of(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table, none for one that is not there."""
    return frozenset(row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def rows(connection: sqlite3.Connection, statement: str, *given: object) -> list[Row]:
    """All rows at once, so that no lock is held while they are sent."""
    return [dict(row) for row in connection.execute(statement, given).fetchall()]


def unread_rows(connection: sqlite3.Connection, read: frozenset[str]) -> Counter[str]:
    """The number of rows of each table that no importer reads. Search indexes are left out: they repeat the rest."""
    found: Counter[str] = Counter()
    for table in _tables(connection):
        if table not in read:
            name = table.replace('"', '""')
            count = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - quoted
            found.update({f"rows of {table}": count} if count else {})
    return found


def _tables(connection: sqlite3.Connection) -> list[str]:
    """The plain tables: without views, virtual tables and the tables that store their data."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    virtual = tuple(f"{name}_" for name, sql in found if (sql or "").upper().startswith("CREATE VIRTUAL"))
    return [name for name, sql in found if not name.startswith(("sqlite_", *virtual)) and f"{name}_" not in virtual]
