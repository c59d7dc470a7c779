"""`graphmem ingest` when the service goes away in between, or takes its time."""

import contextlib
import io
import json
import os
import pty
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner

from api.cli import app
from graphmem.errors import DatabaseUnavailable, NotFound


class Memory:
    """A service that stores `room` messages and is gone then. The next one goes on with what is stored."""

    stored: ClassVar[set[str]] = set()
    room: ClassVar[int] = 10**9
    pipeline: ClassVar[str] = "done"
    read: ClassVar[Callable[[], object]] = lambda: None
    ignored_word: ClassVar[str] = "nothing is ignored"

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def open_session(self, **session: Any) -> Any:
        return SimpleNamespace(session_id=session["sessionId"])

    def add_messages(self, session_id: str, messages: Sequence[Mapping[str, Any]], *, on_changed: str) -> Any:
        assert on_changed == "skip"
        kept = [message for message in messages if self.ignored_word not in message["content"]]
        new = {f"{session_id}/{message['messageId']}" for message in kept} - self.stored
        if len(self.stored) + len(new) > self.room:
            raise DatabaseUnavailable("No graphmem answers.")
        self.stored.update(new)
        ignored = len(messages) - len(kept)
        return SimpleNamespace(stored=len(new), duplicates=len(kept) - len(new), ignored=ignored, messages=[])

    def end_session(self, session_id: str, *, wait: bool = False) -> Any:
        if not self.stored:
            raise NotFound(f"There is no session {session_id!r}.")
        if wait:
            Memory.read()
        return SimpleNamespace(session_id=session_id, pipeline=self.pipeline)


@pytest.fixture
def chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("api.cli_ingest.GraphmemClient", Memory)
    monkeypatch.setattr(Memory, "stored", set())
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": f"word {number}"} for number in range(250)]))
    return file


def test_a_service_that_goes_away_says_what_is_stored_and_the_same_command_goes_on(
    chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Memory, "room", 120)
    broken = CliRunner().invoke(app, ["ingest", str(chat)])
    assert broken.exit_code == 6
    assert broken.stdout.strip() == "100 messages stored, 0 were there already, in 1 sessions."
    assert "the same command goes on from there" in broken.stderr
    monkeypatch.setattr(Memory, "room", 10**9)
    whole = CliRunner().invoke(app, ["ingest", str(chat)])
    assert whole.exit_code == 0
    assert whole.stdout.strip() == "150 messages stored, 100 were there already, in 1 sessions."


def test_sessions_that_were_not_read_in_time_are_counted(chat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "pipeline", "queued")
    assert json.loads(CliRunner().invoke(app, ["ingest", str(chat), "--json"]).stdout)["unread"] == 1
    assert json.loads(CliRunner().invoke(app, ["ingest", str(chat), "--json", "--no-wait"]).stdout)["unread"] == 0


@pytest.mark.parametrize(("word", "stored", "ignored"), [("word 24", 239, 11), ("word", 0, 250)])
def test_what_the_service_ignores_is_counted_and_no_failure(
    chat: Path, monkeypatch: pytest.MonkeyPatch, word: str, stored: int, ignored: int
) -> None:
    monkeypatch.setattr(Memory, "ignored_word", word)
    done = CliRunner().invoke(app, ["ingest", str(chat), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["stored"], told["leftOut"]) == (stored, {"messages that the service ignores": ignored})


def test_a_message_that_no_request_can_carry_is_told(chat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.transcripts.sending.MOST_BYTES", 200)
    rows = [{"role": "user", "content": "short"}, {"role": "user", "content": "long " * 100}]
    chat.write_text(json.dumps(rows))
    done = CliRunner().invoke(app, ["ingest", str(chat), "--json"])
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert (told["messages"], told["stored"]) == (2, 1)
    assert "1 messages are longer than" in told["problems"][0]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"type": "summary", "summary": "s", "leafUuid": "u"}, "1 summary lines"),
        ([{"conversation_id": "c", "mapping": {}}], "1 conversations without messages"),
        ([{"role": "user", "content": ""}], "1 messages without words"),
        ({"messages": []}, "1 conversations without messages"),
        ({"what": "else"}, "--format"),
    ],
)
@pytest.mark.parametrize("dry", [True, False])
def test_a_file_that_gives_no_message_is_a_failure_that_says_why(
    chat: Path, content: object, why: str, dry: bool
) -> None:
    chat.write_text(json.dumps(content))
    done = CliRunner().invoke(app, ["ingest", str(chat), *(["--dry-run"] if dry else [])])
    assert done.exit_code == 2
    assert why in done.stderr
    other = chat.with_name("more.json")
    other.write_text(json.dumps([{"role": "user", "content": "a word"}]))
    assert CliRunner().invoke(app, ["ingest", str(chat.parent)]).exit_code == 0, "a folder may hold other files too"


def test_changed_messages_are_named_and_the_rest_is_sent(chat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = [SimpleNamespace(message_id=f"m{number:03d}", status="changed") for number in (7, 8)]
    receipt = SimpleNamespace(stored=98, duplicates=0, ignored=0, messages=changed)
    monkeypatch.setattr(Memory, "add_messages", lambda *_, **__: receipt)
    monkeypatch.setattr(Memory, "stored", {"one"})
    done = CliRunner().invoke(app, ["ingest", str(chat), "--json"])
    assert done.exit_code == 5
    assert json.loads(done.stdout)["stored"] == 3 * 98
    assert "'m007', 'm008'" in done.stderr


@pytest.mark.parametrize(("option", "value"), [("--project", " "), ("--source", "x" * 301)])
def test_a_name_that_is_none_is_refused_before_anything_is_sent(chat: Path, option: str, value: str) -> None:
    refused = CliRunner().invoke(app, ["ingest", str(chat), option, value])
    assert option in str(refused.exception)
    assert Memory.stored == set()


def on_terminal(*command: str, seen: bytearray) -> tuple[str, str]:
    """What a command writes where standard error is a terminal: there, and on standard output. What came there so far
    is in `seen`."""
    ours, theirs = pty.openpty()

    def read() -> None:
        with contextlib.suppress(OSError):  # that of a terminal nobody writes to any more
            while got := os.read(ours, 4096):
                seen.extend(got)

    reader = threading.Thread(target=read)
    reader.start()
    output = io.StringIO()
    with os.fdopen(theirs, "w") as terminal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        patch.setattr(sys, "stdout", output)
        patch.setenv("TERM", "xterm-256color")
        patch.delenv("NO_COLOR", raising=False)
        app(command, standalone_mode=False)
    reader.join(10)
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode()), output.getvalue()


def test_on_a_terminal_a_bar_shows_what_is_sent_and_how_many_sessions_are_read(
    chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, expected = bytearray(), iter(["0 of 2 sessions read", "1 of 2 sessions read"])

    def once_shown() -> None:
        words, give_up = next(expected).encode(), time.monotonic() + 60
        while words not in seen:
            assert time.monotonic() < give_up, seen
            time.sleep(0.01)

    monkeypatch.setattr(Memory, "read", once_shown)
    other = chat.with_name("other.json")
    other.write_text(chat.read_text())
    shown, told = on_terminal("ingest", str(chat), str(other), seen=seen)
    assert "other.json" in shown
    assert all(f"{read} of 2 sessions read" in shown for read in range(3)), shown
    assert "━" in shown
    assert told.startswith("500 messages stored")
    assert "sessions read" not in told
    unwaited, _ = on_terminal("ingest", str(chat), "--no-wait", seen=bytearray())
    assert "chat.json" in unwaited
    assert "sessions read" not in unwaited


def test_where_standard_error_is_no_terminal_nothing_is_drawn(chat: Path) -> None:
    assert CliRunner().invoke(app, ["ingest", str(chat)]).stderr == ""
