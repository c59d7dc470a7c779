"""Databases of other memories: how they are opened, and how their messages are rebuilt."""

import json
import sqlite3
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app
from api.imports import database, hermes_lcm, lossless_claw
from api.imports.origin import Origin, source_time
from api.imports.parts import FILES, HIDDEN, rebuilt
from api.imports.payloads import Payloads
from api.transcripts.shape import Gathered
from graphmem.errors import DatabaseUnavailable, InvalidInput, NotFound, SessionStateless
from graphmem.model.inputs import NewMessage
from tests import foreign_databases as foreign
from tests.foreign_databases import block

ORIGIN = Origin("hermes-lcm", "hermes-lcm", "ada", "laptop")
OWNERS = '{"path": "owners"}'
CALL = {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "owners"}}
FUNCTION_CALL = {"type": "function_call", "call_id": "t1", "name": "read", "arguments": OWNERS}
TOOL_RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Ada"}]}
OF_TOOL = {"originalRole": "toolResult", "toolCallId": "t1"}


def made(role: str, *parts: dict[str, Any], content: str = "") -> list[dict[str, Any]]:
    rows = [part | {"metadata": json.dumps(part.get("metadata")), "ordinal": at} for at, part in enumerate(parts)]
    return list(rebuilt(role, content, rows, Counter()))


def calls_of(message: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]


def test_a_message_without_parts_or_without_words_in_them_has_its_content() -> None:
    assert [message["content"] for message in made("user", content="Hello.")] == ["Hello."]
    (message,) = made("assistant", {"part_type": "tool", "tool_call_id": "t1", "tool_name": "read"}, content="Hm.")
    assert (message["content"], calls_of(message)) == ("Hm.", [("t1", "read", "{}")])


@pytest.mark.parametrize(
    "part",
    [
        block("assistant", CALL, part_type="tool"),
        block("assistant", FUNCTION_CALL, part_type="tool"),
        {"part_type": "tool", "tool_call_id": "t1", "tool_name": "read", "tool_input": OWNERS},
        {"part_type": "tool", "tool_call_id": "t1", "tool_name": "read", "tool_input": json.dumps(OWNERS)},
        block("assistant", CALL, part_type="text", text_content=None),
    ],
)
def test_a_tool_call_is_rebuilt_from_whatever_the_part_holds(part: dict[str, Any]) -> None:
    (message,) = made("assistant", part)
    assert calls_of(message) == [("t1", "read", OWNERS)]


@pytest.mark.parametrize(
    ("part", "answer"),
    [
        (block("toolResult", {"type": "text", "text": "Ada"}, part_type="text", tool_call_id="t1"), "Ada"),
        ({"part_type": "tool", "tool_call_id": "t1", "tool_output": '"Ada"'}, "Ada"),
        ({"part_type": "tool", "tool_call_id": "t1", "tool_output": '{"owner":"Ada"}'}, '{"owner":"Ada"}'),
        ({"part_type": "tool", "tool_call_id": "t1", "tool_error": "gone"}, "gone"),
        (block("toolResult", TOOL_RESULT, part_type="tool"), "Ada"),
        ({"part_type": "text", "text_content": "Ada", "metadata": OF_TOOL}, "Ada"),
        ({"part_type": "tool", "tool_call_id": "t1"}, "as stored"),
    ],
)
def test_an_answer_of_a_tool_names_its_call(part: dict[str, Any], answer: str) -> None:
    (message,) = made("tool", part, content="as stored")
    assert (message["role"], message["content"], message["tool_call_id"]) == ("tool", answer, "t1")


def test_answers_in_the_mouth_of_the_user_become_messages_of_tools() -> None:
    results = [
        block("user", {"type": "tool_result", "tool_use_id": f"t{n}", "content": f"answer {n}"}, part_type="tool")
        for n in (1, 2)
    ]
    first, second, said = made("user", *results, {"part_type": "text", "text_content": "Go on."}, content="Go on.")
    assert [(m["role"], m["content"], m["tool_call_id"]) for m in (first, second)] == [
        ("tool", "answer 1", "t1"),
        ("tool", "answer 2", "t2"),
    ]
    assert (said["role"], said["content"]) == ("user", "Go on.")


def test_thinking_pictures_and_unknown_parts_stay_as_they_are() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    picture = {"type": "image", "source": {"data": "aGk="}}
    reasoned = {
        "part_type": "reasoning",
        "metadata": {"topLevelReasoningContent": "Why?", "topLevelReasoningOnly": True},
    }
    parts = [
        block("assistant", thinking, part_type="reasoning", text_content="Hm."),
        block("assistant", picture, part_type="file"),
        reasoned,
        {"part_type": "patch", "patch_files": '["a.py"]'},
    ]
    (message,) = made("assistant", *parts)
    assert message["content"] == [
        thinking,
        picture,
        {"type": "reasoning", "text": "Why?"},
        {"type": "patch", "patch_files": '["a.py"]'},
    ]


def test_what_is_left_out_or_stands_elsewhere_is_counted() -> None:
    left_out: Counter[str] = Counter()
    rows = [
        {"part_type": "text", "text_content": "seen", "metadata": json.dumps({"externalizedFileId": "file_1"})},
        {"part_type": "text", "text_content": "hidden", "is_synthetic": 1},
    ]
    (message,) = rebuilt("user", "", rows, left_out)
    assert (message["content"], left_out) == ("seen", {HIDDEN: 1, FILES: 1})


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        (foreign.OUTPUT, 'a "log"\nline'),
        (f"see {foreign.PICTURE}, then", "see data:image/png;base64,iVBORw0K, then"),
        (json.dumps({"log": foreign.OUTPUT}), json.dumps({"log": 'a "log"\nline'})),
        ("[GC'd externalized tool output: tool_call_id=t1; chars=12; ref=output.json]", 'a "log"\nline'),
    ],
)
def test_payloads_are_put_back_where_they_stood(text: str, filled: str, tmp_path: Path) -> None:
    kept = Payloads(foreign.payload_files(tmp_path / "p"))
    assert kept.filled([{"arguments": text}]) == [{"arguments": filled}]
    assert (kept.put_back, kept.missing.total()) == (1, 0)


@pytest.mark.parametrize(
    "name", ["gone.json", "../secret.json", "altered.json", "link.json", "deep.json", "..", "C:\\x"]
)
def test_a_payload_that_is_away_altered_or_elsewhere_leaves_its_placeholder(name: str, tmp_path: Path) -> None:
    folder = foreign.payload_files(tmp_path / "p")
    (tmp_path / "secret.json").write_text(json.dumps({"content": "secret"}))
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "altered.json").write_text(json.dumps({"content": "other", "content_chars": 12}))
    (folder / "deep.json").write_text("[" * 100_000)
    kept = Payloads(folder)
    placeholder = f"[Externalized payload: kind=raw_payload; role=user; ref={name}]"
    assert kept.filled(placeholder) == placeholder
    assert (kept.put_back, kept.missing.total()) == (0, 1)


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("2026-03-02 10:00:00", "2026-03-02T10:00:00+00:00"),
        ("2026-03-02T10:00:00.000Z", "2026-03-02T10:00:00+00:00"),
        (foreign.T0, "2026-03-02T10:00:00+00:00"),
        (foreign.T0 * 1000, "2026-03-02T10:00:00+00:00"),
        ("soon", None),
        (float("nan"), None),
        (None, None),
    ],
)
def test_times_are_read_in_utc_and_counted_where_they_are_none(stored: object, read: str | None) -> None:
    gathered = Gathered()
    assert source_time(stored, gathered) == read
    assert gathered.left_out.total() == (read is None)


def test_ids_of_sessions_stay_apart_and_fit() -> None:
    names = ["a/b", "a%2Fb", "a?b", "x" * 300, "x" * 299 + "y", "line\nend", "\udcff"]
    ids = [ORIGIN.session_id(name) for name in names]
    assert len(set(ids)) == len(names)
    assert all(NewMessage(role="user", content="x", message_id=id_) for id_ in ids), "each fits"
    with pytest.raises(InvalidInput, match="--namespace"):
        Origin.of("hermes-lcm", Path("x"), "ada", "a/b", None)


def test_a_database_that_is_locked_or_damaged_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_WAIT_S", 0.05)
    file = tmp_path / "lcm.db"
    writer = foreign.hermes_lcm(file)
    writer.execute("PRAGMA journal_mode = DELETE")
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InvalidInput, match="is locked"), database.opened(file) as found:
        hermes_lcm.scanned(found)
    writer.execute("ROLLBACK")
    writer.close()
    whole = file.read_bytes()
    file.write_bytes(whole[:1000] + b"\xaa" * (len(whole) - 1000))
    with pytest.raises(InvalidInput, match=r"is damaged.*\.recover"), database.opened(file) as found:
        hermes_lcm.scanned(found)


def test_nothing_can_be_written_and_a_view_is_no_table(tmp_path: Path) -> None:
    file = tmp_path / "lcm.db"
    writer = foreign.lossless_claw(file)
    writer.execute("CREATE VIEW v AS SELECT 1 AS x")
    with database.opened(file) as found:
        assert database.missing(found, {"v": frozenset()}) == ["the table v"]
        with pytest.raises(sqlite3.OperationalError, match="attempt to write"):
            found.execute("DELETE FROM messages")
        assert lossless_claw.scanned(found) == 7
    writer.close()


def test_older_schemas_without_parts_and_keys_are_read(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY, session_id TEXT)")
    writer.execute("CREATE TABLE messages (message_id INTEGER PRIMARY KEY, conversation_id, seq, role, content)")
    foreign.add(writer, "conversations", conversation_id=1, session_id="")
    foreign.add(writer, "messages", message_id=1, conversation_id=1, seq=1, role="user", content="Hello.")
    foreign.add(writer, "messages", message_id=2, conversation_id=9, seq=1, role="user", content="Lost.")
    writer.close()
    with database.opened(file) as found:
        assert database.missing(found, lossless_claw.NEEDED) == []
        assert lossless_claw.orphans(found) == 1
        (gathered,) = lossless_claw.sessions(found, ORIGIN, "session_key")
    (session,) = gathered.reading().sessions
    assert session.opening.session_id == "hermes-lcm:ada:conversation:1"
    assert [message.content for message in session.messages] == ["Hello."]


class Memory:
    """A service whose guards ignore every second message, and that is stateless for chat-2."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def open_session(self, **session: Any) -> Any:
        if session["sessionId"].endswith("chat-2"):
            raise SessionStateless("It is stateless.")

    def add_messages(self, _: str, messages: list[Any], *, on_changed: str) -> Any:
        ignored, received = len(messages) // 2, len(messages)
        return SimpleNamespace(
            received=received,
            stored=received - ignored,
            duplicates=0,
            ignored=ignored,
            changed=int(on_changed != "skip"),
        )

    def end_session(self, *_: Any, **__: Any) -> Any:
        raise DatabaseUnavailable("No graphmem answers.")

    def messages(self, *_: Any, **__: Any) -> Any:
        raise NotFound("No such session.")


def test_what_guards_ignore_is_counted_and_a_service_that_goes_away_says_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.cli_import.GraphmemClient", Memory)
    monkeypatch.chdir(tmp_path)
    foreign.hermes_lcm(tmp_path / "lcm.db").close()
    command = ["import", "hermes-lcm", "lcm.db", "--json", "--apply", "--no-backup"]
    broken = CliRunner().invoke(app, command)
    assert broken.exit_code == 6
    told = json.loads(broken.stdout)
    assert (told["imported"], told["eligible"]) == (2, 4), "the first session is stored, the second was not reached"
    assert "the same command goes on from there" in broken.stderr
    monkeypatch.setattr(Memory, "end_session", lambda *_, **__: None)
    told = json.loads(CliRunner().invoke(app, command).stdout)
    assert (told["imported"], told["problems"]) == (2, [])
    assert [count for reason, count in told["skipped"].items() if "guards" in reason] == [3]


def test_an_import_makes_a_backup_below_the_data_folder_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def make_backup(file: Path) -> None:
        assert file.parent.is_dir()
        made.append(file)

    monkeypatch.setattr("api.cli_import.make_backup", make_backup)
    monkeypatch.setattr("api.cli_import.GraphmemClient", Memory)
    monkeypatch.setattr(Memory, "end_session", lambda *_, **__: SimpleNamespace(pipeline="done"))
    monkeypatch.setenv("GRAPHMEM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    foreign.hermes_lcm(tmp_path / "lcm.db").close()
    command = ["import", "hermes-lcm", "lcm.db"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert made == [], "a dry run writes nothing"
    assert CliRunner().invoke(app, [*command, "--apply"]).exit_code == 0
    assert (made[0].parent, made[0].name[16:]) == (tmp_path / "data" / "backups", "-before-import-hermes-lcm.backup")
    assert CliRunner().invoke(app, [*command, "--apply", "--backup", "mine"]).exit_code == 0
    assert made[1:] == [Path("mine")]
    assert CliRunner().invoke(app, [*command, "--apply", "--no-backup"]).exit_code == 0
    assert len(made) == 2
    for strange in (["--no-backup", "--backup", "mine"], ["--url", "http://127.0.0.1:1"]):
        refused = CliRunner().invoke(app, [*command, "--apply", *strange])
        assert isinstance(refused.exception, InvalidInput)
        assert "--no-backup" in str(refused.exception)
    assert len(made) == 2


@pytest.mark.parametrize("wait", [True, False])
def test_waiting_for_what_was_imported_shows_a_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait: bool) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("api.cli_import.GraphmemClient", Memory)
    monkeypatch.setattr(Memory, "end_session", lambda *_, **__: SimpleNamespace(pipeline="done"))
    foreign.hermes_lcm(tmp_path / "lcm.db").close()
    command = ["import", "hermes-lcm", str(tmp_path / "lcm.db"), "--apply", "--no-backup"]
    done = CliRunner().invoke(app, [*command, "--wait"] if wait else command)
    assert done.exit_code == 0
    assert "Messages" in done.stderr
    assert ("1 of 1 sessions read" in done.stderr) == wait


def test_an_import_without_anything_in_it_is_a_failure_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.cli_import.GraphmemClient", Memory)
    monkeypatch.chdir(tmp_path)
    database = foreign.hermes_lcm(tmp_path / "lcm.db")
    database.execute("UPDATE messages SET content = '', tool_calls = NULL, tool_call_id = NULL")
    database.commit()
    database.close()
    done = CliRunner().invoke(app, ["import", "hermes-lcm", "lcm.db"])
    assert done.exit_code == 2
    assert "No messages were found" in done.stderr
    assert "messages without words" in done.stdout
    (tmp_path / "graph.jsonl").write_text("\n\n")
    refused = CliRunner().invoke(app, ["import", "graph", "graph.jsonl"])
    assert isinstance(refused.exception, InvalidInput)
    assert "no line to import" in str(refused.exception)
