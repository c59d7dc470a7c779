"""Transcripts in our JSONL: what a line may be, and which line is wrong."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.transcripts import read_transcript
from graphmem.errors import InvalidInput

LINE = {"sessionId": "s1", "role": "user", "content": "hello"}


def lines(*rows: object) -> list[str]:
    return [json.dumps(row, ensure_ascii=False) for row in rows]


def refusal(*rows: str) -> InvalidInput:
    with pytest.raises(InvalidInput) as wrong:
        read_transcript(rows)
    return wrong.value


def test_the_lines_of_one_id_are_one_session_wherever_they_stand() -> None:
    first, second = read_transcript(
        lines(LINE, LINE | {"sessionId": "s2"}, LINE | {"content": "again", "messageId": "m"})
    )
    assert (first.opening.session_id, second.opening.session_id) == ("s1", "s2")
    assert [message.content for message in first.messages] == ["hello", "again"]
    assert first.messages[1].message_id == "m"


def test_the_first_line_of_a_session_decides_its_project_and_start() -> None:
    later = LINE | {"project": "Other", "createdAt": "2026-03-05"}
    (session,) = read_transcript(
        lines(LINE | {"project": "Lantern", "source": "chat", "createdAt": "2026-03-02"}, later)
    )
    assert (session.opening.project, session.opening.source) == ("Lantern", "chat")
    assert session.opening.started_at == datetime(2026, 3, 2, tzinfo=UTC)


def test_blank_lines_are_nothing() -> None:
    (session,) = read_transcript(["\n", *lines(LINE), "   \n", ""])
    assert len(session.messages) == 1


def test_parts_tool_calls_and_metadata_come_through() -> None:
    row = LINE | {
        "role": "assistant",
        "content": [{"type": "text", "text": "a"}],
        "toolCalls": [{"id": "c"}],
        "metadata": {"a": [1, None]},
    }
    (session,) = read_transcript(lines(row))
    dumped = session.messages[0].model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert dumped == {key: value for key, value in row.items() if key != "sessionId"}


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("{broken", (2,)),
        ("[" * 100_000, (2,)),
        ('{"sessionId": "s", "role": "user", "content": "half \\ud83d"}', (2,)),
        ("[1, 2]", (2,)),
        ("null", (2,)),
        ('"text"', (2,)),
        (json.dumps({"role": "user", "content": "no session"}), (2,)),
        (json.dumps(LINE | {"sessionId": 7}), (2,)),
        (json.dumps(LINE | {"sessionId": "a/b"}), (2, "sessionId")),
        (json.dumps(LINE | {"sessionId": ""}), (2, "sessionId")),
        (json.dumps(LINE | {"role": "robot"}), (2, "role")),
        (json.dumps(LINE | {"contnet": "typo"}), (2, "contnet")),
        (json.dumps(LINE | {"createdAt": "2026-03-02T10:00:00"}), (2, "createdAt")),
        (json.dumps({"sessionId": "s1", "role": "user"}), (2, "content")),
    ],
)
def test_a_wrong_line_is_named_with_its_field(row: str, place: tuple[str | int, ...]) -> None:
    wrong = refusal(*lines(LINE), row)
    assert wrong.problems[0].loc == ("line", *place)
    assert ".".join(map(str, ("line", *place))) in str(wrong)


def test_an_empty_transcript_says_what_one_looks_like() -> None:
    assert "examples/README.md" in str(refusal())
    assert "empty" in str(refusal("", "\n"))


@given(st.lists(st.text(max_size=40), max_size=5))
def test_nonsense_is_refused_and_never_crashes(rows: list[str]) -> None:
    try:
        sessions = read_transcript(rows)
    except InvalidInput:
        return
    assert all(session.messages for session in sessions)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.text(max_size=20)), min_size=1, max_size=12))
def test_no_message_is_lost_and_order_stays(told: list[tuple[str, str]]) -> None:
    sessions = read_transcript(lines(*({"sessionId": id_, "role": "user", "content": text} for id_, text in told)))
    assert [session.opening.session_id for session in sessions] == list(dict.fromkeys(id_ for id_, _ in told))
    for session in sessions:
        mine = [text for id_, text in told if id_ == session.opening.session_id]
        assert [message.content for message in session.messages] == mine
