"""Small SQLite files as lossless-claw and hermes-lcm leave them, with words of our own."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LOSSLESS_CLAW = """
CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    session_key TEXT, active INTEGER NOT NULL DEFAULT 1, archived_at TEXT, title TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE messages (message_id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL, token_count INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')), UNIQUE (conversation_id, seq));
CREATE TABLE message_parts (part_id TEXT PRIMARY KEY, message_id INTEGER NOT NULL, session_id TEXT NOT NULL DEFAULT '',
    part_type TEXT NOT NULL, ordinal INTEGER NOT NULL, text_content TEXT, is_ignored INTEGER, is_synthetic INTEGER,
    tool_call_id TEXT, tool_name TEXT, tool_input TEXT, tool_output TEXT, tool_error TEXT, patch_files TEXT,
    metadata TEXT, UNIQUE (message_id, ordinal));
CREATE TABLE summaries (summary_id TEXT PRIMARY KEY, conversation_id INTEGER NOT NULL, content TEXT NOT NULL);
CREATE TABLE large_files (file_id TEXT PRIMARY KEY, conversation_id INTEGER NOT NULL, storage_uri TEXT NOT NULL);
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
"""
HERMES_LCM = """
CREATE TABLE messages (store_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, source TEXT DEFAULT '',
    role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,
    token_estimate INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0);
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO metadata VALUES ('schema_version', '4');
CREATE TABLE summary_nodes (node_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, summary TEXT NOT NULL);
"""
T0 = 1_772_445_600.0
"""2026-03-02T10:00:00Z"""


def made(file: Path, schema: str) -> sqlite3.Connection:
    """An empty database, in WAL mode as both programs keep theirs."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(schema)
    return database


def add(database: sqlite3.Connection, table: str, **row: Any) -> None:
    columns = ", ".join(row)
    database.execute(f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))  # noqa: S608


def add_message(
    database: sqlite3.Connection,
    message_id: int,
    role: str,
    content: str,
    parts: Iterable[dict[str, Any]] = (),
    **row: Any,
) -> None:
    """A message of lossless-claw; a part is a row of message_parts, its metadata an object."""
    given = {"conversation_id": 1, "seq": message_id, "created_at": "2026-03-02 10:00:00"} | row
    add(database, "messages", message_id=message_id, role=role, content=content, **given)
    for ordinal, part in enumerate(parts):
        about = json.dumps(part["metadata"]) if "metadata" in part else None
        place = {"part_id": f"{message_id}-{ordinal}", "message_id": message_id, "ordinal": ordinal}
        add(database, "message_parts", **(place | part | {"metadata": about}))


def block(originally: str, raw: dict[str, Any], **columns: Any) -> dict[str, Any]:
    """A part as lossless-claw makes it of a block that a client sent."""
    return columns | {"metadata": {"originalRole": originally, "rawType": raw["type"], "raw": raw}}


def lossless_claw(file: Path) -> sqlite3.Connection:
    """Seven messages in three conversations, two of them of one key; one row is empty."""
    database = made(file, LOSSLESS_CLAW)
    for number, session, key in ((1, "run-1", "agent:main"), (2, "run-2", "agent:main"), (3, "a/b#c?", None)):
        add(
            database,
            "conversations",
            conversation_id=number,
            session_id=session,
            session_key=key,
            title=f"Talk {number}",
        )
    call = {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "owners"}}
    add_message(
        database, 1, "user", "Who owns lamp-service?", [{"part_type": "text", "text_content": "Who owns lamp-service?"}]
    )
    add_message(
        database,
        2,
        "assistant",
        "Let me see.",
        [
            block("assistant", {"type": "text", "text": "Let me see."}, part_type="text", text_content="Let me see."),
            block(
                "assistant", call, part_type="tool", tool_call_id="t1", tool_name="read", tool_input='{"path":"owners"}'
            ),
        ],
    )
    result = {"type": "text", "text": "lamp-service: Ada"}
    answer = block(
        "toolResult", result, part_type="text", text_content="lamp-service: Ada", tool_call_id="t1", tool_name="read"
    )
    add_message(database, 3, "tool", "lamp-service: Ada", [answer])
    add_message(database, 4, "assistant", "")
    add_message(database, 5, "assistant", "Ada owns lamp-service.", created_at="2026-03-02T11:00:00.000Z")
    add_message(database, 6, "user", "Thanks.", conversation_id=2)
    add_message(database, 7, "user", "lamp-service uses PostgreSQL.", conversation_id=3)
    add(database, "summaries", summary_id="sum_1", conversation_id=1, content="Ada owns it.")
    add(database, "large_files", file_id="file_1", conversation_id=1, storage_uri="big.txt")
    return database


def hermes_lcm(file: Path) -> sqlite3.Connection:
    """Six messages in two sessions: parts, a tool call, payloads that were moved out, one row without words."""
    database = made(file, HERMES_LCM)
    parts = [{"text": "Look at this.", "type": "text"}, {"image_url": {"url": PICTURE}, "type": "image_url"}]
    calls = [{"id": "t1", "type": "function", "function": {"name": "read", "arguments": '{"path": "log"}'}}]
    said: list[dict[str, Any]] = [
        {
            "role": "user",
            "content": json.dumps(parts, ensure_ascii=False, sort_keys=True),
            "source": "telegram",
            "pinned": 1,
        },
        {"role": "assistant", "content": None, "tool_calls": json.dumps(calls)},
        {"role": "tool", "content": OUTPUT, "tool_call_id": "t1", "tool_name": "read"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "lamp-service runs on port 9090."},
    ]
    for number, row in enumerate(said):
        add(database, "messages", session_id="chat-1", timestamp=T0 + number, **row)
    add(database, "messages", session_id="chat-2", role="user", content='[{"no": "part"}]', timestamp=T0)
    add(database, "summary_nodes", session_id="chat-1", summary="A port.")
    return database


PICTURE = "[Externalized LCM ingest payload: kind=ingest_payload; field=content; chars=30; bytes=30; ref=picture.json]"
OUTPUT = "[Externalized tool output: tool_call_id=t1; chars=12; bytes=12; ref=output.json]"


def payload_files(folder: Path) -> Path:
    """The folder that `hermes_lcm` speaks of."""
    folder.mkdir()
    for name, content in (("picture.json", "data:image/png;base64,iVBORw0K"), ("output.json", 'a "log"\nline')):
        (folder / name).write_text(json.dumps({"content": content, "content_chars": len(content)}), encoding="utf-8")
    return folder
