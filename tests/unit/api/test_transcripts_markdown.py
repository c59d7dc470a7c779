"""Conversations in Markdown: every way to name a speaker, and what is no speaker."""

import pytest

from api.transcripts.files import NoTranscript, read_lines
from api.transcripts.markdown import BEFORE
from api.transcripts.shape import MENDED, Reading
from graphmem.model.inputs import NewMessage
from tests.effort import little_work

FRONT = "---\ndate: 2026-03-02\ntitle: Lamps\nsession_id: lamps-1\nproject: lamp-shop\n---\n"


def read(text: str, name: str = "chat.md") -> Reading:
    found, reading = read_lines(text.splitlines(keepends=True), name)
    assert found == "markdown"
    return reading


def told(text: str) -> list[NewMessage]:
    reading = read(text)
    assert reading.problems == []
    (session,) = reading.sessions
    return session.messages


@pytest.mark.parametrize(
    ("asks", "answers"),
    [
        ("## User\n\n", "## Assistant\n\n"),
        ("### 🧑 Human:\n", "### 🤖 ChatGPT:\n"),
        ("## Prompt:\n", "## Response:\n"),
        ("**User:** ", "**Assistant:** "),
        ("**Me**: ", "**GPT-4**: "),
        ("**User**\n\n", "---\n\n**Cursor**\n\n"),
        ("_**User**_\n\n", "---\n\n_**Agent**_\n\n"),
        ("User: ", "Claude: "),
        ("human:\n", "AI:\n"),
    ],
)
def test_headings_bold_and_plain_lines_name_the_speaker(asks: str, answers: str) -> None:
    found = told(f"{asks}Who owns lamp-service?\n\nIt is down.\n\n{answers}Ada does.\n\n{asks}Thanks.\n")
    assert [(m.message_id, m.role, m.content) for m in found] == [
        ("m000", "user", "Who owns lamp-service?\n\nIt is down."),
        ("m001", "assistant", "Ada does."),
        ("m002", "user", "Thanks."),
    ]


def test_code_and_other_kinds_of_speaker_lines_are_part_of_the_words() -> None:
    words = (
        "Like this:\n\n```\n## User\n~~~\n```\n\n**User:** is bold.\nUser: is plain.\n### User\n## Users\n## Summary"
    )
    asked, answered = told(f"## User\nHow?\n\n## Assistant\n{words}\n")
    assert (asked.content, answered.content) == ("How?", words)


def test_in_plain_lines_only_names_that_begin_no_ordinary_line_are_speakers() -> None:
    words = "It is this:\nAnswer: 42\nAI is fun: yes\nuser-defined: no\nNote: x"
    _, answered = told(f"User: What?\nAssistant: {words}\n")
    assert answered.content == words


def test_front_matter_gives_date_id_project_and_what_else_is_known() -> None:
    (session,) = read(
        f"{FRONT}# A chat\n\n## User\nHello?\n\n## Assistant (2026-03-02T10:04:00+01:00)\nYes.\n"
    ).sessions
    assert (session.opening.session_id, session.opening.project) == ("lamps-1", "lamp-shop")
    assert session.opening.metadata is not None
    assert session.opening.metadata["title"] == "Lamps"
    assert [m.created_at and m.created_at.isoformat() for m in session.messages] == [
        "2026-03-02T00:00:00+00:00",
        "2026-03-02T10:04:00+01:00",
    ]


@pytest.mark.parametrize(
    ("line", "name", "at"),
    [
        ("**User (Maya):** ", "Maya", None),
        ("**User (2026-03-02 10:04:05Z):** ", None, "2026-03-02T10:04:05+00:00"),
        ("**User - 2026-03-02 10:04:** ", None, "2026-03-02T10:04:00+00:00"),
        ("**User - 2026-03-02 10:04 +0100:** ", None, "2026-03-02T10:04:00+01:00"),
        ("**User (2026-13-45):** ", "2026-13-45", None),
    ],
)
def test_a_speaker_line_may_hold_a_name_or_a_time(line: str, name: str | None, at: str | None) -> None:
    asked, _ = told(f"{line}Hello?\n**Assistant:** Yes.\n")
    assert (asked.content, asked.name) == ("Hello?", name)
    assert (asked.created_at and asked.created_at.isoformat()) == at


def test_a_grown_or_moved_file_is_the_same_session_and_another_file_is_not() -> None:
    text = "## User\nHello?\n\n## Assistant\nYes.\n"
    (first,), (grown,), (other,) = (
        read(one, name).sessions
        for one, name in ((text, "a.md"), (text + "\n## User\nFine.\n", "a.md"), (text, "b.md"))
    )
    assert first.opening.session_id == grown.opening.session_id != other.opening.session_id
    assert grown.messages[:2] == first.messages


@pytest.mark.parametrize(
    "text",
    ["# Readme\n\nUser: root\n", "## User\nOnly one.\n\n## User\nTwice.\n", "Some words.\n", "## Users\n## Usage\n"],
)
def test_a_text_that_is_no_conversation_is_left_alone_unless_it_is_said_to_be_one(text: str) -> None:
    with pytest.raises(NoTranscript):
        read_lines(text.splitlines(keepends=True), "readme.md")
    _, reading = read_lines(text.splitlines(keepends=True), "readme.md", "markdown")
    assert bool(reading.sessions) != bool(reading.problems)


def test_what_is_not_taken_is_counted() -> None:
    reading = read("Exported by X\n\n## User\nbad \udcff byte\n\n## Assistant\n\n## User\nEnd.\n")
    assert reading.left_out == {BEFORE: 1, MENDED: 1, "messages without words": 1}
    assert reading.sessions[0].messages[0].content == "bad � byte"


@pytest.mark.parametrize(
    "hostile", ["## User" + " " * 100_000 + "x", "**User" + "*" * 100_000, "USER (" * 50_000, "aı: ", "--- " * 50_000]
)
def test_a_hostile_line_is_words_and_takes_no_time(hostile: str) -> None:
    with little_work():
        found = told(f"User: One\n{hostile}\nAssistant: Two\n")
    assert found[0].content == f"One\n{hostile}"
