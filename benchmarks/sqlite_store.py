"""Messages in one SQLite file with FTS5, stored and searched as hermes-lcm describes it: what graphmem's store is
measured beside.

A write-ahead log, an external-content index over the texts kept by triggers, unicode61. A text to look for becomes a
MATCH of all its words; where FTS5 would read an operator in it, or refuses it, every row is looked at with LIKE.
"""

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from benchmarks.chatter import Question, Turn

_SCHEMA = """
CREATE TABLE messages (
  store_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, source TEXT NOT NULL, role TEXT NOT NULL,
  content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_estimate INTEGER);
CREATE INDEX by_session ON messages (session_id, store_id);
CREATE INDEX by_session_time ON messages (session_id, timestamp);
CREATE INDEX by_source ON messages (source, session_id, store_id);
CREATE VIRTUAL TABLE found USING fts5(content, content=messages, content_rowid=store_id);
CREATE TRIGGER kept AFTER INSERT ON messages BEGIN
  INSERT INTO found (rowid, content) VALUES (new.store_id, new.content);
END;
"""
_INSERT = """
INSERT INTO messages (session_id, source, role, content, timestamp, token_estimate) VALUES (?, 'bench', 'user', ?, ?, ?)
"""
_MATCH = """
SELECT m.store_id, m.content, bm25(found) AS score FROM found JOIN messages AS m ON m.store_id = found.rowid
WHERE found MATCH ? ORDER BY {order} LIMIT ?
"""
_ORDER = {"relevance": "score", "recency": "m.timestamp DESC"}
_OPERATORS = re.compile(r"[()*^\-:{}.]")
_JOINED = re.compile(r"\w[-:/]\w")
_WILDCARD, _ESCAPED = re.compile(r"[%_\\]"), r"\\\g<0>"
_WORD_OR_PHRASE = re.compile(r'"([^"]+)"|(\S+)')


class SqliteStore:
    """One connection. Close it before the file is measured: that writes the log back."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._database = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(_SCHEMA)
        self._clock = 0.0

    def close(self) -> None:
        self._database.close()

    def write(self, session_id: str, turns: Sequence[Turn]) -> None:
        """Stores them in one transaction."""
        rows = []
        for turn in turns:
            self._clock += 1
            rows.append((session_id, f"{turn.name}: {turn.text}", self._clock, len(turn.text) // 4 + 1))
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany(_INSERT, rows)
        self._database.execute("COMMIT")

    def page(self, session_id: str, after: int, limit: int) -> int:
        """How many messages of a session come behind this place, at most `limit`; `after` counts from its first."""
        rows = self._database.execute(
            "SELECT * FROM messages WHERE session_id = ? AND store_id > "
            "(SELECT min(store_id) FROM messages WHERE session_id = ?) + ? ORDER BY store_id LIMIT ?",
            (session_id, session_id, after, limit),
        )
        return len(rows.fetchall())

    def search(self, asked: Question, limit: int) -> list[int]:
        """The ids of the texts found, best or newest first."""
        candidates = min(max(20 * limit, 500), 5000)
        terms = [phrase or word for phrase, word in _WORD_OR_PHRASE.findall(asked.pattern)]
        match = match_of(asked.pattern)
        rows = None if match is None else self._matching(match, asked.sort, candidates)
        if rows is None:
            rows = self._containing(terms, candidates)
        if asked.sort == "relevance":
            rows.sort(key=lambda row: row[2] - 5 * sum(term.lower() in row[1].lower() for term in terms))
        return [store_id for store_id, _, _ in rows[:limit]]

    def _matching(self, match: str, sort: str, candidates: int) -> list[tuple[int, str, float]] | None:
        """None where FTS5 refuses the text."""
        try:
            return self._database.execute(_MATCH.format(order=_ORDER[sort]), (match, candidates)).fetchall()
        except sqlite3.OperationalError:
            return None

    def _containing(self, terms: Sequence[str], candidates: int) -> list[tuple[int, str, float]]:
        likes = " OR ".join(["content LIKE ? ESCAPE '\\'"] * len(terms))
        wanted = [f"%{_WILDCARD.sub(_ESCAPED, term)}%" for term in terms]
        rows = self._database.execute(
            f"SELECT store_id, content, 0.0 FROM messages WHERE {likes} ORDER BY timestamp DESC LIMIT ?",  # noqa: S608
            (*wanted, candidates),
        )
        return rows.fetchall()


def match_of(text: str) -> str | None:
    """The text as a MATCH expression; None where its words would be taken for operators, so that LIKE is used.

    >>> match_of('kettle "red roof" x.'), match_of("svc-billing-042"), match_of('an "open quote')
    ('kettle "red roof" x ', None, None)
    """
    pieces = text.split('"')
    if len(pieces) % 2 == 0 or any(_JOINED.search(piece) for piece in pieces[::2]):
        return None
    return '"'.join(_OPERATORS.sub(" ", piece) if place % 2 == 0 else piece for place, piece in enumerate(pieces))
