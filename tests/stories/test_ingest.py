"""Transcripts of other places, through the installed command line and a real service: twice is once, growth is added,
and what went wrong is told while the rest is stored."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.service import Cli, Service, free_port


def said(uuid: str, type_: str, content: object, **more: Any) -> str:
    row = {
        "type": type_,
        "uuid": uuid,
        "sessionId": "code-1",
        "cwd": "/x/lamp-shop",
        "timestamp": "2026-03-02T10:00:00Z",
    }
    return json.dumps(row | {"message": {"role": type_, "content": content}} | more)


def told(role: str, text: str) -> dict[str, Any]:
    return {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}}


CODE = [
    json.dumps({"type": "summary", "summary": "Lamps", "leafUuid": "u2"}),
    said("u1", "user", "lamp-service is owned by Ada."),
    said("u2", "assistant", [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "owners"}}]),
    said("u3", "user", [{"type": "tool_result", "tool_use_id": "t1", "content": "lamp-service: Ada"}]),
]
CHAT = {
    "messages": [
        {"role": "user", "content": "lamp-service uses PostgreSQL."},
        {"role": "assistant", "content": "Noted."},
    ]
}
EXPORT = [
    {
        "conversation_id": "gpt-1",
        "title": "Lamps",
        "current_node": "b",
        "mapping": {
            "a": {"parent": None, "message": told("user", "lamp-service runs on port 9090.")},
            "b": {"parent": "a", "message": told("assistant", "Good.")},
        },
    }
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one file of each foreign format, and one that is no transcript."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "code-1.jsonl").write_text("\n".join(CODE) + "\n")
    (tmp_path / "chat.json").write_text(json.dumps(CHAT, indent=2))
    (tmp_path / "conversations.json").write_text(json.dumps(EXPORT))
    (tmp_path / "user.json").write_text('{"email": "ada@example.com"}')
    return tmp_path


@pytest.fixture
def ingest(cli: Cli) -> Callable[..., Any]:
    agent = f"ingest-{uuid4().hex}"

    async def call(*arguments: object, code: int = 0, **more: Any) -> Any:
        # In a thread, so that the worker in this process, which may hold a lease, goes on too.
        done = await asyncio.to_thread(cli, "ingest", "--agent", agent, "--json", *map(str, arguments), **more)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) | {"stderr": done.stderr, "agent": agent}

    return call


async def test_a_folder_of_every_format_is_stored_once_and_can_be_recalled(
    ingest: Callable[..., Any],
    service: Service,
    place: Path,
) -> None:
    planned = await ingest(place, "--dry-run")
    assert (planned["messages"], planned["stored"]) == (7, 0)
    first = await ingest(place)
    assert first["files"] == {"openai": 1, "chatgpt": 1, "claude-code": 1}
    assert (first["sessions"], first["messages"], first["stored"], first["duplicates"]) == (3, 7, 7, 0)
    assert first["leftOut"] == {"files that are no transcript": 1, "summary lines": 1}
    assert (first["problems"], first["stderr"]) == ([], "")
    headers = {"X-Agent-Id": first["agent"]}
    async with httpx.AsyncClient(base_url=service.url, headers=headers, timeout=30) as http:
        for question, answer in (("Who owns lamp-service?", "Ada"), ("Which port does lamp-service run on?", "9090")):
            found = await http.post("/api/memory/recall", json={"query": question, "limit": 3})
            assert answer in " ".join(hit["text"] for hit in found.json()["hits"])
        session = (await http.get("/api/sessions/code-1")).json()
        assert (session["project"], session["source"]) == ("lamp-shop", "claude-code")
        _, called, answered = (await http.get("/api/sessions/code-1/messages")).json()["items"]
        assert called["toolCalls"][0]["function"] == {"name": "Read", "arguments": '{"path": "owners"}'}
        assert (answered["role"], answered["toolCallId"], answered["content"]) == ("tool", "t1", "lamp-service: Ada")
    again = await ingest(place)
    assert (again["stored"], again["duplicates"]) == (0, 7)


async def test_of_a_file_that_has_grown_only_the_new_messages_are_stored(
    ingest: Callable[..., Any], place: Path
) -> None:
    await ingest(place, "--no-wait")
    with (place / "project" / "code-1.jsonl").open("a") as file:
        file.write(said("u4", "assistant", "Ada owns it.") + "\n")
    grown = {"messages": [*CHAT["messages"], {"role": "user", "content": "Thanks."}]}
    (place / "chat.json").write_text(json.dumps(grown, indent=2))
    more = await ingest(place, "--no-wait")
    assert (more["stored"], more["duplicates"], more["problems"]) == (2, 7, [])


async def test_project_and_source_can_be_given(
    ingest: Callable[..., Any],
    service: Service,
    place: Path,
) -> None:
    done = await ingest(place / "chat.json", "--no-wait", "--project", "Lantern", "--source", "desk")
    headers = {"X-Agent-Id": done["agent"]}
    async with httpx.AsyncClient(base_url=service.url, headers=headers) as http:
        (session,) = (await http.get("/api/sessions")).json()["items"]
    assert (session["project"], session["source"]) == ("Lantern", "desk")


async def test_what_cannot_be_read_is_told_by_file_and_line_and_the_rest_is_stored(
    ingest: Callable[..., Any], place: Path
) -> None:
    with (place / "project" / "code-1.jsonl").open("a") as file:
        file.write('{"type": "assistant", "uuid": "u9", "message": {"con')
    (place / "ours.jsonl").write_text('{"sessionId": "s", "role": "user", "content": "one"}\n{"sessionId": "s"}\n')
    done = await ingest(place, place / "gone.json", "--no-wait", code=2)
    assert done["stored"] == 7
    assert len(done["problems"]) == 3
    for name, line in (("code-1.jsonl", "line 5"), ("ours.jsonl", "line.2"), ("gone.json", "cannot be read")):
        assert any(name in problem and line in problem for problem in done["problems"])
        assert name in done["stderr"]
    done = await ingest(place / "user.json", code=2)
    assert "--format" in done["stderr"]


async def test_a_changed_message_does_not_hold_up_the_rest(ingest: Callable[..., Any], place: Path) -> None:
    await ingest(place, "--no-wait")
    changed = [*CODE[:1], said("u1", "user", "Something else."), *CODE[2:], said("u9", "user", "And one more.")]
    (place / "project" / "code-1.jsonl").write_text("\n".join(changed))
    done = await ingest(place, "--no-wait", code=5)
    assert (done["duplicates"], done["stored"]) == (6, 1), "all but the changed one"
    assert "session code-1" in done["stderr"]
    assert "'u1'" in done["stderr"]


async def test_a_service_that_is_away_is_said_with_what_to_do(ingest: Callable[..., Any], place: Path) -> None:
    done = await ingest(place, "--url", f"http://127.0.0.1:{free_port()}", code=6)
    assert done["stored"] == 0
    assert "the same command goes on from there" in done["stderr"]
