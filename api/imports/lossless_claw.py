"""The database of lossless-claw: conversations of messages, each in typed parts.

The parts are the original message; its `content` column is the text in them. Source: the schema of versions up to 0.15.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from api.imports.database import Needed, Row, columns_of, rows, unread_rows
from api.imports.origin import Origin, source_time
from api.imports.parts import rebuilt
from api.transcripts.shape import Gathered

KIND = "lossless-claw"
NEEDED: Needed = {
    "conversations": frozenset({"conversation_id", "session_id"}),
    "messages": frozenset({"message_id", "conversation_id", "seq", "role", "content"}),
}
OF_PARTS = frozenset({"message_id", "ordinal", "part_type"})
NO_CONVERSATION = "messages of no conversation"
Identity = Literal["session_id", "session_key"]


def scanned(database: sqlite3.Connection) -> int:
    """How many messages the file holds."""
    count: int = database.execute("SELECT count(*) FROM messages").fetchone()[0]
    return count


def orphans(database: sqlite3.Connection) -> int:
    """How many messages belong to no conversation; they are not imported."""
    lost = "SELECT count(*) FROM messages WHERE conversation_id NOT IN (SELECT conversation_id FROM conversations)"
    count: int = database.execute(lost).fetchone()[0]
    return count


def sessions(database: sqlite3.Connection, origin: Origin, identity: Identity) -> Iterator[Gathered]:
    """The sessions in the order in which they began, each with the outcome of its rows. Conversations with the same id
    or key form one session, one after the other."""
    has_parts = columns_of(database, "message_parts") >= OF_PARTS
    grouped: dict[str, list[Row]] = {}
    for conversation in rows(database, "SELECT * FROM conversations ORDER BY conversation_id"):
        grouped.setdefault(_source_session(conversation, identity), []).append(conversation)
    for source_session, conversations in grouped.items():
        gathered = Gathered()
        first = conversations[0]
        facts = {"title": first.get("title"), "sourceSessionKey": first.get("session_key")}
        session_id = origin.open(gathered, source_session, facts)
        for conversation in conversations:
            number = conversation["conversation_id"]
            messages = rows(database, "SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq", number)
            parts = _parts(database, number) if has_parts else {}
            for row in messages:
                try:
                    _add(row, parts.get(row["message_id"], []), session_id, origin, gathered)
                except RecursionError:
                    gathered.problems.append(f"message {row['message_id']}: nested too deeply; it was left out")
        yield gathered


def loss(database: sqlite3.Connection) -> dict[str, int]:
    """What the file holds and an import does not read."""
    return unread_rows(database, frozenset({"conversations", "messages", "message_parts"}))


def _source_session(conversation: Row, identity: Identity) -> str:
    named = conversation.get("session_key") if identity == "session_key" else None
    return str(named or conversation["session_id"] or "").strip() or f"conversation:{conversation['conversation_id']}"


def _parts(database: sqlite3.Connection, conversation: object) -> Mapping[object, list[Row]]:
    """The parts of a conversation's messages. Read after the messages, so that none of their parts is missed."""
    of_conversation = (
        "SELECT p.* FROM message_parts p JOIN messages m ON m.message_id = p.message_id "
        "WHERE m.conversation_id = ? ORDER BY p.message_id, p.ordinal"
    )
    found: dict[object, list[Row]] = {}
    for part in rows(database, of_conversation, conversation):
        found.setdefault(part["message_id"], []).append(part)
    return found


def _add(row: Row, parts: Sequence[Row], session_id: str, origin: Origin, gathered: Gathered) -> None:
    if isinstance(row["content"], bytes):
        gathered.problems.append(f"message {row['message_id']}: its content is bytes and no text; it was left out")
        return
    created_at = source_time(row.get("created_at"), gathered)
    for index, fields in enumerate(rebuilt(row["role"], row["content"] or "", parts, gathered.left_out)):
        about = {"sourceConversationId": row["conversation_id"]} | fields.pop("metadata", {})
        origin.add(gathered, session_id, row["message_id"], index, created_at=created_at, metadata=about, **fields)
