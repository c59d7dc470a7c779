"""Files of transcripts: their format, their encoding, and what no JSON reader likes."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.transcripts.files import NoTranscript, Transcript, read_file, read_lines, transcript_files
from api.transcripts.sending import BATCH, BATCH_BYTES, batches
from api.transcripts.shape import MENDED, Gathered, Reading
from graphmem.errors import InvalidInput
from graphmem.model.inputs import NewMessage

OURS = {"sessionId": "s1", "role": "user", "content": "hello"}
CODE = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"role": "user", "content": "hello"}}
CHAT = {"messages": [{"role": "user", "content": "hello"}]}
CLAUDE = {"uuid": "c1", "chat_messages": [{"uuid": "m1", "sender": "human", "text": "hello"}]}
ITEM = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}
EXPORT = {"mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["hello"]}}}}}


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        (json.dumps(OURS), "jsonl"),
        ("{broken\n" + json.dumps(CODE), "claude-code"),
        (json.dumps({"type": "summary", "summary": "s", "leafUuid": "u"}) + "\n" + json.dumps(CODE), "claude-code"),
        (json.dumps(CHAT, indent=2), "openai"),
        (json.dumps([CHAT, CHAT], indent=2), "openai"),
        (json.dumps([EXPORT]), "chatgpt"),
        (json.dumps([EXPORT], indent=1), "chatgpt"),
        (json.dumps(EXPORT), "chatgpt"),
        (json.dumps([OURS, OURS], indent=2), "jsonl"),
        (json.dumps([CLAUDE]), "claude-ai"),
        (json.dumps({"type": "response_item", "payload": ITEM}), "codex"),
        (json.dumps({"id": "x", "timestamp": "t", "instructions": None}) + "\n" + json.dumps(ITEM), "codex"),
    ],
)
def test_the_format_is_told_by_the_content(text: str, format_: str) -> None:
    found, reading = read_lines(io.StringIO(text), "x.json")
    assert found == format_
    assert reading.sessions[0].messages[0].content == "hello"


@pytest.mark.parametrize("text", ["", "\n\n", "[]", "{}", "7", "{broken", '[{"id": 1}]', '{"name": "no transcript"}'])
def test_what_is_no_transcript_says_which_formats_there_are(text: str) -> None:
    with pytest.raises(NoTranscript, match="--format"):
        read_lines(io.StringIO(text), "x.json")


def test_a_format_that_is_given_is_taken_at_its_word() -> None:
    _, reading = read_lines([json.dumps(CHAT)], "x", "chatgpt")
    assert reading.sessions == []
    assert "mapping" in reading.problems[0]
    with pytest.raises(InvalidInput, match=r"line\.1"):
        read_lines([json.dumps(CHAT)], "x", "jsonl")


def test_a_mark_in_front_line_ends_of_windows_and_empty_lines_are_nothing(tmp_path: Path) -> None:
    for name, rows in (
        ("ours.jsonl", [OURS, OURS | {"content": "again"}]),
        ("code.jsonl", [CODE, CODE | {"uuid": "u2"}]),
    ):
        file = tmp_path / name
        file.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(map(json.dumps, rows)).encode() + b"\r\n")
        _, reading = read_file(Transcript(str(file)))
        assert (len(reading.sessions[0].messages), reading.problems) == (2, [])


def test_a_line_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    file = tmp_path / "code.jsonl"
    file.write_bytes(
        json.dumps(CODE).encode() + b"\n" + json.dumps(CODE).replace("hello", "l\u00e4mp").encode("latin-1")
    )
    _, reading = read_file(Transcript(str(file)))
    assert [len(session.messages) for session in reading.sessions] == [1]
    assert reading.problems == ["line 2: it is not UTF-8; it was left out"]


def test_values_that_json_cannot_carry_are_mended_and_counted() -> None:
    use = '{"type": "tool_use", "id": "t", "name": "n", "input": {"a": NaN, "b": [1e999, 1.5]}}'
    said = '{"type": "text", "text": "half \\ud83d, whole \\ud83d\\ude00"}'
    row = json.dumps(CODE | {"type": "assistant"}).replace('"hello"', f"[{said}, {use}]")
    _, reading = read_lines([row], "x.jsonl")
    (message,) = reading.sessions[0].messages
    assert message.content == "half \ufffd, whole 😀"
    assert '"a": null' in json.dumps(message.tool_calls, ensure_ascii=False).replace("\\", "")
    assert reading.left_out == {MENDED: 3}


def test_a_folder_is_read_by_name_and_one_without_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/two.jsonl", "one.json", "notes.txt"):
        (tmp_path / name).write_text("{}")
    found = transcript_files(str(tmp_path))
    assert [(str(Path(one.path).relative_to(tmp_path)), one.named) for one in found] == [
        ("b/two.jsonl", False),
        ("one.json", False),
    ]
    assert transcript_files(str(tmp_path / "notes.txt")) == [Transcript(str(tmp_path / "notes.txt"), named=True)]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match=r"empty holds no \.json"):
        transcript_files(str(tmp_path / "empty"))
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_file(Transcript(str(tmp_path / "gone.jsonl")))


def test_an_archive_is_read_like_a_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name, members in (
        (
            "export.zip",
            {"conversations.json": [EXPORT], "user.json": {"id": "u"}, "a/code.jsonl": CODE, "file.png": ""},
        ),
        ("sub/other.ZIP", {"chat.json": CHAT}),
    ):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, json.dumps(content))
    export = transcript_files(str(tmp_path / "export.zip"))
    assert [one.member for one in export] == ["a/code.jsonl", "conversations.json", "user.json"]
    formats = [read_file(one)[0] for one in export[:2]]
    assert formats == ["claude-code", "chatgpt"]
    with pytest.raises(NoTranscript):
        read_file(export[2])
    assert [one.name for one in transcript_files(str(tmp_path))][3:] == ["chat.json"]
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(InvalidInput, match=r"bad\.zip cannot be read as a zip archive"):
        transcript_files(str(tmp_path / "bad.zip"))


KEYS = [
    *("messages", "role", "content", "type", "uuid", "sessionId", "message", "mapping", "a", "author", "parts"),
    *("content_type", "tool_calls", "text", "current_node", "parent", "timestamp", "create_time", "isSidechain"),
    *("id", "name", "tool_use_id", "input", "metadata"),
]
KINDS = ["user", "assistant", "system", "text", "tool_result", "tool_use", "a", "code"]
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from(KINDS),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=25,
)


@given(st.sampled_from(["openai", "chatgpt", "claude-code"]), st.lists(JSON, min_size=1, max_size=3))
@example("claude-code", [{"sessionId": []}])
def test_nonsense_is_told_and_never_crashes(format_: Any, rows: list[object]) -> None:
    for text in ("\n".join(map(json.dumps, rows)), json.dumps(rows, indent=1)):
        _, reading = read_lines(io.StringIO(text), "x.json", format_)
        for session in reading.sessions:
            assert session.messages
            for message in session.messages:
                assert message.model_dump_json(by_alias=True).encode()


@given(st.lists(st.text(max_size=30), max_size=4))
def test_lines_of_anything_are_refused_or_told(rows: list[str]) -> None:
    try:
        _, reading = read_lines(rows, "x")
    except (InvalidInput, NoTranscript):
        return
    assert isinstance(reading, Reading)


def test_batches_are_bounded_in_count_and_bytes_and_leave_out_what_no_request_can_carry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sizes(*lengths: int) -> list[tuple[int, int]]:
        messages = [NewMessage(role="user", content="x" * length) for length in lengths]
        return [(len(batch), count) for batch, count in batches(messages)]

    assert sizes(*[1] * (2 * BATCH + 1)) == [(BATCH, BATCH), (BATCH, BATCH), (1, 1)]
    half = BATCH_BYTES // 2
    assert sizes(half, half, 1) == [(1, 1), (2, 2)]
    assert sizes(1, 2 * BATCH_BYTES, 1) == [(1, 1), (1, 1), (1, 1)]
    monkeypatch.setattr("api.transcripts.sending.MOST_BYTES", BATCH_BYTES)
    assert sizes(1, 2 * BATCH_BYTES, 1) == [(1, 1), (1, 2)]


def test_a_deep_value_is_told() -> None:
    gathered = Gathered()
    assert list(gathered.decode("line 1", "[" * 100_000)) == []
    assert gathered.problems == ["line 1: nested too deeply; it was left out"]
