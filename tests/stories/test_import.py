"""Databases of other memories, through the installed command line and a real service."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest

from tests import foreign_databases as foreign
from tests.service import Cli, Service, free_port

Import = Callable[..., Any]


@pytest.fixture
def agent() -> str:
    return f"import-{uuid4().hex}"


@pytest.fixture
def import_(cli: Cli, agent: str) -> Import:
    async def call(*arguments: object, code: int = 0) -> Any:
        done = await asyncio.to_thread(cli, "import", *map(str, arguments), "--agent", agent, "--json")
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) | {"stderr": done.stderr} if done.stdout else done.stderr

    return call


@pytest.fixture
async def http(service: Service, agent: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=service.url, headers={"X-Agent-Id": agent}, timeout=30) as client:
        yield client


async def messages_of(http: httpx.AsyncClient, session_id: str) -> list[dict[str, Any]]:
    found = await http.get(f"/api/sessions/{quote(session_id, safe='')}/messages")
    assert found.status_code == 200, found.text
    items: list[dict[str, Any]] = found.json()["items"]
    return items


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_lossless_claw_is_looked_at_then_imported_once(
    import_: Import, http: httpx.AsyncClient, agent: str, tmp_path: Path
) -> None:
    file = tmp_path / "lcm.db"
    foreign.lossless_claw(file).close()
    before = contents(tmp_path)
    planned = await import_("lossless-claw", file)
    assert (planned["scanned"], planned["eligible"], planned["sessions"]) == (7, 6, 3)
    assert (planned["wouldImport"], planned["alreadyThere"]) == (6, 0)
    assert planned["skipped"] == {"messages without words": 1}
    assert planned["loss"] == {"rows of summaries": 1, "rows of large_files": 1}
    assert (await http.get("/api/sessions")).json()["items"] == []

    done = await import_("lossless-claw", file, "--apply", "--no-backup", "--wait")
    assert (done["imported"], done["alreadyThere"], done["problems"]) == (6, 0, [])
    assert contents(tmp_path) == before, "nothing beside it either"
    sessions = {one["sessionId"]: one for one in (await http.get("/api/sessions")).json()["items"]}
    first = f"lossless-claw:{agent}:run-1"
    assert sessions.keys() == {first, f"lossless-claw:{agent}:run-2", f"lossless-claw:{agent}:a%2Fb%23c%3F"}
    assert sessions[first]["source"] == first
    assert sessions[first]["metadata"]["importedBy"].startswith("graphmem ")
    asked, called, answered, last = await messages_of(http, first)
    assert (asked["content"], asked["createdAt"]) == ("Who owns lamp-service?", "2026-03-02T10:00:00Z")
    assert asked["messageId"] == f"{done['importId']}:1"
    assert asked["metadata"]["importedFrom"] == "lossless-claw"
    assert called["content"] == "Let me see."
    assert called["toolCalls"][0]["function"] == {"name": "read", "arguments": '{"path":"owners"}'}
    assert (answered["role"], answered["toolCallId"], answered["content"]) == ("tool", "t1", "lamp-service: Ada")
    assert last["createdAt"] == "2026-03-02T11:00:00Z"
    found = await http.post("/api/memory/recall", json={"query": "Who owns lamp-service?", "limit": 3})
    assert "Ada" in " ".join(hit["text"] for hit in found.json()["hits"])

    kept = tmp_path / "before.graphmem"
    kept.write_bytes(b"an older backup")
    again = await import_("lossless-claw", file, "--apply", "--no-backup")
    assert (again["imported"], again["alreadyThere"]) == (0, 6)
    assert "is there already" in (await import_("lossless-claw", file, "--apply", "--backup", kept, code=5))["stderr"]
    assert (await import_("lossless-claw", file))["wouldImport"] == 0
    moved = await import_("lossless-claw", file.rename(tmp_path / "moved.db"))
    assert (moved["wouldImport"], moved["otherImports"]) == (6, [done["importId"]])
    assert (await import_("lossless-claw", tmp_path / "moved.db", "--import-id", done["importId"]))["wouldImport"] == 0


async def test_a_file_that_has_grown_and_is_open_brings_only_what_is_new(
    import_: Import, http: httpx.AsyncClient, agent: str, tmp_path: Path
) -> None:
    file = tmp_path / "lcm.db"
    database = foreign.lossless_claw(file)
    apply = ("lossless-claw", file, "--apply", "--no-backup", "--session-identity", "session_key")
    assert (await import_(*apply))["sessions"] == 2
    foreign.add_message(database, 8, "assistant", "You are welcome.", conversation_id=2)
    database.execute("UPDATE messages SET content = 'Something else.' WHERE message_id = 5")
    assert (tmp_path / "lcm.db-wal").stat().st_size > 0, "the new row stands in the log"
    more = await import_(*apply)
    assert (more["imported"], more["alreadyThere"], more["problems"]) == (1, 5, [])
    ((reason, count),) = ((reason, count) for reason, count in more["skipped"].items() if "changed" in reason)
    assert count == 1, reason
    told = [one["content"] for one in await messages_of(http, f"lossless-claw:{agent}:agent:main")]
    assert told[-3:] == ["Ada owns lamp-service.", "Thanks.", "You are welcome."]
    database.close()


async def test_hermes_lcm_gets_its_payloads_back_where_their_folder_is_given(
    import_: Import, http: httpx.AsyncClient, agent: str, tmp_path: Path
) -> None:
    file = tmp_path / "lcm.db"
    foreign.hermes_lcm(file).close()
    without = await import_("hermes-lcm", file, "--import-id", "laptop")
    assert (without["scanned"], without["eligible"], without["sessions"], without["payloadsPutBack"]) == (6, 5, 2, 0)
    assert [count for what, count in without["loss"].items() if "placeholder" in what] == [2]
    assert without["loss"]["rows of summary_nodes"] == 1
    assert [count for what, count in without["loss"].items() if "pins" in what] == [1]

    kept = foreign.payload_files(tmp_path / "payloads")
    options = ("--payloads", kept, "--import-id", "laptop", "--namespace", "old", "--apply", "--no-backup")
    done = await import_("hermes-lcm", file, *options)
    assert (done["imported"], done["payloadsPutBack"], done["problems"]) == (5, 2, [])
    seen, called, answered, said = await messages_of(http, f"old:{agent}:chat-1")
    assert [part["type"] for part in seen["parts"]] == ["text", "image_url"]
    assert seen["parts"][1]["image_url"]["url"] == "data:image/png;base64,iVBORw0K"
    assert (seen["messageId"], seen["createdAt"]) == ("laptop:1", "2026-03-02T10:00:00Z")
    assert (seen["metadata"]["platform"], seen["metadata"]["pinned"]) == ("telegram", True)
    assert called["toolCalls"][0]["function"]["arguments"] == '{"path": "log"}'
    assert (answered["content"], answered["toolCallId"]) == ('a "log"\nline', "t1")
    assert said["content"] == "lamp-service runs on port 9090."
    (other,) = await messages_of(http, f"old:{agent}:chat-2")
    assert other["content"] == '[{"no": "part"}]'
    assert (await import_("hermes-lcm", file, *options))["alreadyThere"] == 5


async def test_hostile_rows_are_stored_or_named_and_hold_up_nothing(
    import_: Import, http: httpx.AsyncClient, agent: str, tmp_path: Path
) -> None:
    file = tmp_path / "lcm.db"
    database = foreign.made(file, foreign.HERMES_LCM)
    deep = "[" * 5000 + "]" * 5000
    hostile: list[dict[str, Any]] = [
        {"content": "nul \0 and 'quotes'; DROP TABLE messages; --"},
        {"content": "words", "role": "wizard"},
        {"content": sqlite3.Binary(b"\xff\xfe")},
        {"content": "all is well", "tool_calls": deep},
        {"content": "ref=../../secret.json", "timestamp": float("inf")},
        {"content": "[Externalized tool output: tool_call_id=x; ref=../../etc/passwd]"},
        {"content": "x" * 300_000},
        {"content": "𝔘𝔫𝔦 \u202e\ufeff", "timestamp": "soon"},
    ]
    for row in hostile:
        foreign.add(database, "messages", **{"session_id": "s" * 400, "role": "user", "timestamp": foreign.T0} | row)
    # The bytes of a text that is no UTF-8.
    database.execute("UPDATE messages SET content = CAST(x'6162ff' AS TEXT) WHERE store_id = 1")
    database.close()
    done = await import_("hermes-lcm", file, "--apply", "--no-backup", "--payloads", tmp_path, code=2)
    assert len(done["problems"]) == 2
    assert "message 2: role" in done["stderr"]
    assert "message 3: its content is bytes" in done["stderr"]
    assert done["imported"] == len(hostile) - 2
    (session,) = (await http.get("/api/sessions")).json()["items"]
    assert len(session["sessionId"]) == 256
    stored = await messages_of(http, session["sessionId"])
    assert stored[0]["content"] == "ab�"
    assert [one["content"] for one in stored[3:]] == [
        hostile[5]["content"],
        hostile[6]["content"],
        hostile[7]["content"],
    ]
    assert stored[1]["metadata"]["toolCalls"] == deep


async def test_a_file_that_is_none_says_what_is_wrong(import_: Import, tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("SQLite is nice.")
    assert "is no SQLite database" in (await import_("lossless-claw", wrong, code=2))["stderr"]
    assert "cannot be read" in (await import_("lossless-claw", tmp_path / "gone.db", code=2))["stderr"]
    foreign.hermes_lcm(tmp_path / "hermes.db").close()
    said = (await import_("lossless-claw", tmp_path / "hermes.db", code=2))["stderr"]
    assert "the table conversations" in said
    assert "the column message_id of messages" in said
    assert "graphmem import hermes-lcm" in said


async def test_a_service_that_is_away_is_told(import_: Import, tmp_path: Path) -> None:
    foreign.lossless_claw(tmp_path / "lcm.db").close()
    done = await import_("lossless-claw", tmp_path / "lcm.db", "--url", f"http://127.0.0.1:{free_port()}", code=6)
    assert done["wouldImport"] == 0
    assert done["loss"]["rows of summaries"] == 1
