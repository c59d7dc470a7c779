"""The database of hermes-lcm: one table of messages, in the order in which it received them.

Its times are kept; they are the times at which hermes-lcm stored a message. Source: schema version 4, and what versions
up to 0.19 add to it.
"""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from api.imports.database import Needed, Row, rows, unread_rows
from api.imports.origin import Origin, source_time
from api.imports.payloads import Payloads
from api.transcripts.shape import Gathered, text

KIND = "hermes-lcm"
NEEDED: Needed = {"messages": frozenset({"store_id", "session_id", "role", "content", "timestamp"})}
PINNED = "pins; a pinned message has `pinned` in its metadata, which protects nothing"
NO_CALLS = "tool calls that are no JSON list; they are in the metadata as text"
ROLES = {"function": "tool", "toolResult": "tool"}
_SOURCES = frozenset({"", "unknown"})


def scanned(database: sqlite3.Connection) -> int:
    """How many messages the file holds."""
    count: int = database.execute("SELECT count(*) FROM messages").fetchone()[0]
    return count


def sessions(database: sqlite3.Connection, origin: Origin, payloads: Payloads) -> Iterator[Gathered]:
    """The sessions in the order in which they began, each with the outcome of its rows."""
    began = "SELECT session_id FROM messages GROUP BY session_id ORDER BY min(store_id)"
    for found in rows(database, began):
        gathered = Gathered()
        source_session = str(found["session_id"] or "").strip() or "unnamed"
        session_id = origin.open(gathered, source_session, {})
        of_session = "SELECT * FROM messages WHERE session_id IS ? ORDER BY store_id"
        for row in rows(database, of_session, found["session_id"]):
            try:
                _add(row, session_id, origin, gathered, payloads)
            except RecursionError:
                gathered.problems.append(f"message {row['store_id']}: nested too deeply; it was left out")
        yield gathered


def loss(database: sqlite3.Connection) -> dict[str, int]:
    """What the file holds and an import does not read."""
    return unread_rows(database, frozenset({"messages", "metadata", "lcm_migration_state"}))


def _add(row: Row, session_id: str, origin: Origin, gathered: Gathered, payloads: Payloads) -> None:
    if isinstance(row["content"], bytes):
        gathered.problems.append(f"message {row['store_id']}: its content is bytes and no text; it was left out")
        return
    source = str(row.get("source") or "").strip()
    about: dict[str, Any] = {"platform": source} if source not in _SOURCES else {}
    about |= {"toolName": row["tool_name"]} if row.get("tool_name") else {}
    if row.get("pinned"):
        about["pinned"] = True
        gathered.left_out[PINNED] += 1
    calls = _tool_calls(row.get("tool_calls"), about, gathered)
    origin.add(
        gathered,
        session_id,
        row["store_id"],
        role=ROLES.get(row["role"], row["role"]),
        content=_content(payloads.filled(row["content"])),
        tool_calls=payloads.filled(calls) or None,
        tool_call_id=text(row.get("tool_call_id")) or None,
        created_at=source_time(row["timestamp"], gathered),
        metadata=about,
    )


def _content(stored: object) -> Any:
    """The text, or the parts where hermes-lcm wrote parts: it writes sorted keys, so a person's own JSON is hardly ever
    mistaken for them, and loses nothing if it is."""
    if not isinstance(stored, str) or not stored.startswith("[{"):
        return stored if stored is None else str(stored)
    try:
        parts = json.loads(stored)
    except (ValueError, RecursionError):
        return stored
    typed = isinstance(parts, list) and all(isinstance(part, dict) and text(part.get("type")) for part in parts)
    return parts if typed and json.dumps(parts, ensure_ascii=False, sort_keys=True) == stored else stored


def _tool_calls(stored: object, about: dict[str, Any], gathered: Gathered) -> list[Any]:
    if not stored:
        return []
    try:
        calls = json.loads(str(stored))
    except (ValueError, RecursionError):
        calls = None
    if isinstance(calls, list):
        return calls
    about["toolCalls"] = str(stored)
    gathered.left_out[NO_CALLS] += 1
    return []
