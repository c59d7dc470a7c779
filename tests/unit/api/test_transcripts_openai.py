"""Conversations in OpenAI's chat format: every shape of file, role and content, and what is told of the rest."""

import json
from typing import Any

import pytest

from api.transcripts.files import read_lines
from api.transcripts.shape import EMPTY, REPEATED, Reading
from graphmem.model.inputs import NewMessage

HELLO = [{"role": "user", "content": "Who owns lamp-service?"}, {"role": "assistant", "content": "Ada does."}]


def read(value: object, name: str = "chat.json", **dump: Any) -> Reading:
    found, reading = read_lines(json.dumps(value, **dump).splitlines(keepends=True), name)
    assert found == "openai"
    return reading


def only(message: dict[str, Any]) -> NewMessage:
    reading = read([message])
    assert reading.problems == []
    ((told,),) = (session.messages for session in reading.sessions)
    return told


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("shape", [HELLO, {"messages": HELLO}, [{"messages": HELLO}]])
def test_every_shape_of_a_document_is_one_conversation(shape: object, indent: int | None) -> None:
    reading = read(shape, indent=indent)
    (session,) = reading.sessions
    assert [(m.role, m.content) for m in session.messages] == [(m["role"], m["content"]) for m in HELLO]
    assert [m.message_id for m in session.messages] == ["m000", "m001"]
    assert session.opening.source == "openai"
    assert (reading.left_out, reading.problems) == ({}, [])


@pytest.mark.parametrize("line", [{"messages": HELLO}, HELLO])
def test_each_line_of_the_fine_tuning_format_is_a_conversation(line: object) -> None:
    _, reading = read_lines([json.dumps(line) + "\r\n", "\n", json.dumps(line)], "train.jsonl")
    first, second = reading.sessions
    assert first.opening.session_id != second.opening.session_id
    assert len(first.messages) == len(second.messages) == 2


def test_lines_of_one_message_each_are_one_conversation() -> None:
    _, reading = read_lines([json.dumps(message) for message in HELLO], "log.jsonl")
    assert [len(session.messages) for session in reading.sessions] == [2]


def test_a_conversation_is_known_again_when_it_has_grown_and_by_its_id_where_it_has_one() -> None:
    (first,) = read(HELLO).sessions
    (grown,) = read([*HELLO, {"role": "user", "content": "Thanks."}]).sessions
    assert grown.opening.session_id == first.opening.session_id
    assert grown.messages[:2] == first.messages
    (elsewhere,) = read([{"role": "user", "content": "Something else."}]).sessions
    assert elsewhere.opening.session_id != first.opening.session_id, "files of one name are not one conversation"
    (named,) = read({"conversation_id": "c-7", "messages": HELLO}).sessions
    assert named.opening.session_id == "c-7"


def test_developers_speak_for_themselves_and_functions_as_tools() -> None:
    told = only({"role": "developer", "content": "Be brief."})
    assert (told.role, told.metadata) == ("developer", None)
    answer = only({"role": "function", "name": "clock", "content": "10:00"})
    assert (answer.role, answer.name) == ("tool", "clock")


def test_calls_of_tools_and_functions_and_their_answers_are_kept() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "UTC"}'}}
    told = only({"role": "assistant", "content": None, "tool_calls": [call]})
    assert (told.content, told.tool_calls) == (None, (call,))
    for content, kept in (("", ""), ([], ())):
        assert only({"role": "assistant", "content": content, "tool_calls": [call]}).content == kept
    legacy = only({"role": "assistant", "content": None, "function_call": call["function"]})
    assert legacy.tool_calls == ({"type": "function", "function": call["function"]},)
    answer = only({"role": "tool", "tool_call_id": "call_1", "content": ""})
    assert (answer.role, answer.tool_call_id, answer.content) == ("tool", "call_1", "")


def test_parts_are_kept_as_they_came() -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
    ]
    assert only({"role": "user", "content": parts}).content == tuple(parts)
    refused = only({"role": "assistant", "content": None, "refusal": "I won't."})
    assert refused.content == ({"type": "refusal", "refusal": "I won't."},)


def test_times_ids_and_whatever_else_a_message_has_are_kept() -> None:
    told = only({"role": "user", "content": "Hi", "id": "x1", "created_at": 1772445600, "weight": 0, "name": "Ada"})
    assert (told.message_id, told.name, told.metadata) == ("x1", "Ada", {"created_at": 1772445600, "weight": 0})
    assert told.created_at is not None
    assert told.created_at.isoformat() == "2026-03-02T10:00:00+00:00"


def test_what_stands_beside_the_messages_is_kept_where_short_and_counted_where_not() -> None:
    reading = read({"messages": HELLO, "model": "m-1", "tools": [{"type": "function"}], "metadata": {"team": "lamp"}})
    assert reading.sessions[0].opening.metadata == {"team": "lamp", "model": "m-1"}
    assert reading.left_out == {"`tools` beside messages": 1}


def test_what_cannot_be_taken_is_told_with_its_place_and_the_rest_is_taken() -> None:
    reading = read({"messages": [*HELLO, {"role": "robot", "content": "x"}, {"role": "user", "content": ""}, 7]})
    assert [len(session.messages) for session in reading.sessions] == [2]
    assert reading.left_out == {EMPTY: 1}
    assert [problem.split(":")[0] for problem in reading.problems] == ["line 1 message 3", "line 1 message 5"]


def test_an_id_that_comes_twice_is_taken_once() -> None:
    reading = read([HELLO[0] | {"id": "a"}, HELLO[1] | {"id": "a"}])
    assert len(reading.sessions[0].messages) == 1
    assert reading.left_out == {REPEATED: 1}
