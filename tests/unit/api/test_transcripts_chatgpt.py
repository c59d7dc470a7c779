"""The data export of ChatGPT: the branch that was seen last, every kind of content, and what is told of the rest."""

import json
from typing import Any

import pytest

from api.transcripts.files import read_lines
from api.transcripts.shape import EMPTY, Reading


def node(id_: str, parent: str | None, role: str, content: object, at: float | None = None, **more: Any) -> Any:
    told = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {"id": id_, "author": {"role": role}, "create_time": at, "content": told, "recipient": "all", **more}
    return id_, {"id": id_, "parent": parent, "children": [], "message": message}


def conversation(*nodes: Any, current: str | None = None, **more: Any) -> dict[str, Any]:
    root = ("root", {"id": "root", "parent": None, "children": [], "message": None})
    return {
        "title": "Lamps",
        "create_time": 1772445600.25,
        "conversation_id": "c-1",
        "current_node": current or nodes[-1][0],
        "default_model_slug": "gpt-x",
        "mapping": dict([root, *nodes]),
        **more,
    }


def read(*conversations: Any, indent: int | None = None) -> Reading:
    lines = json.dumps(list(conversations), indent=indent).splitlines(keepends=True)
    found, reading = read_lines(lines, "conversations.json")
    assert found == "chatgpt"
    return reading


def words(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


IMAGE = {"content_type": "image_asset_pointer", "asset_pointer": "file-1"}
ASKED = node("a", "root", "user", "Which port?", 1772445601.5)
ANSWERED = node("b", "a", "assistant", "8080.", 1772445602.0, metadata={"model_slug": "gpt-y"})


@pytest.mark.parametrize("indent", [None, 1])
def test_a_conversation_is_a_session_with_its_times_and_ids(indent: int | None) -> None:
    reading = read(conversation(ASKED, ANSWERED), conversation(ASKED, conversation_id="c-2"), indent=indent)
    first, second = reading.sessions
    assert (first.opening.session_id, second.opening.session_id) == ("c-1", "c-2")
    assert first.opening.metadata == {"title": "Lamps", "model": "gpt-x"}
    assert str(first.opening.started_at) == "2026-03-02 10:00:00.250000+00:00"
    assert [(m.message_id, m.role, m.content) for m in first.messages] == [
        ("a", "user", "Which port?"),
        ("b", "assistant", "8080."),
    ]
    assert str(first.messages[0].created_at) == "2026-03-02 10:00:01.500000+00:00"
    assert first.messages[1].metadata == {"model": "gpt-y"}
    assert (reading.left_out, reading.problems) == ({}, [])


def test_only_the_branch_seen_last_is_taken_and_the_others_are_counted() -> None:
    other = node("b2", "a", "assistant", "9090.")
    reading = read(conversation(ASKED, ANSWERED, other, current="b2"))
    assert [m.message_id for m in reading.sessions[0].messages] == ["a", "b2"]
    assert reading.left_out == {"messages of other branches": 1}


def test_without_a_current_node_the_latest_message_ends_the_branch() -> None:
    late = node("b2", "a", "assistant", "9090.", 1772445999.0)
    found = read(conversation(ASKED, late, ANSWERED, current="gone"))
    assert [m.message_id for m in found.sessions[0].messages] == ["a", "b2"]


@pytest.mark.parametrize("current", [None, "root", "gone"])
def test_without_times_too_the_longest_branch_is_taken(current: str | None) -> None:
    bare = [node("a", "root", "user", "One"), node("b", "a", "assistant", "Two"), node("x", "root", "user", "Other")]
    exported = conversation(*bare) | {"current_node": current}
    (session,) = read(exported).sessions
    assert [m.content for m in session.messages] == ["One", "Two"]
    for id_, _ in bare:  # a tree that is told from above only
        exported["mapping"][id_]["parent"] = None
    exported["mapping"]["root"]["children"], exported["mapping"]["a"]["children"] = ["a", "x"], ["b"]
    (session,) = read(exported).sessions
    assert [m.content for m in session.messages] == ["One", "Two"]


def test_a_circle_of_parents_ends() -> None:
    reading = read(conversation(node("a", "b", "user", "One"), node("b", "a", "user", "Two")))
    assert [m.content for m in reading.sessions[0].messages] == ["One", "Two"]


@pytest.mark.parametrize(
    ("content", "told", "facts"),
    [
        ({"content_type": "code", "language": "python", "text": "1 + 1"}, "1 + 1", {"contentType": "code"}),
        ({"content_type": "execution_output", "text": "2"}, "2", {"contentType": "execution_output"}),
        ({"content_type": "text", "parts": ["one", "two"]}, (words("one"), words("two")), None),
        (
            {"content_type": "multimodal_text", "parts": [IMAGE, "See?"]},
            ({"type": "image_asset_pointer", **IMAGE}, words("See?")),
            {"contentType": "multimodal_text"},
        ),
        (
            {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]},
            ({"type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]},),
            {"contentType": "thoughts"},
        ),
        (
            {"content_type": "tether_quote", "url": "u", "text": "quoted"},
            ({"type": "tether_quote", "url": "u", "text": "quoted"},),
            {"contentType": "tether_quote"},
        ),
    ],
)
def test_every_kind_of_content_is_kept(content: object, told: object, facts: object) -> None:
    reading = read(conversation(node("a", "root", "assistant", content)))
    (message,) = reading.sessions[0].messages
    assert (message.content, message.metadata) == (told, facts)


def test_what_the_person_never_saw_is_the_systems_and_what_is_empty_is_counted() -> None:
    hidden = node("h", "root", "user", "Be brief.", metadata={"is_visually_hidden_from_conversation": True})
    reading = read(conversation(hidden, node("e", "h", "system", ""), node("a", "e", "user", "Hi")))
    first, second = reading.sessions[0].messages
    assert (first.role, first.metadata) == ("system", {"hidden": True})
    assert second.role == "user"
    assert reading.left_out == {EMPTY: 1}


def test_a_conversation_of_another_shape_is_told_and_the_rest_is_taken() -> None:
    reading = read(conversation(ASKED), {"title": "no tree"}, conversation(node("x", "root", "robot", "Hi")))
    assert len(reading.sessions) == 1
    assert [problem.split(":")[0] for problem in reading.problems] == ["item 2", "item 3 message x"]


def test_an_export_that_was_cut_off_is_read_as_far_as_it_goes() -> None:
    text = json.dumps([conversation(ASKED, ANSWERED), conversation(ASKED, conversation_id="c-2")], indent=2)
    _, reading = read_lines(text[:-200].splitlines(keepends=True), "conversations.json")
    assert [session.opening.session_id for session in reading.sessions] == ["c-1"]
    (problem,) = reading.problems
    assert problem.startswith("item 2 (line ")
    assert "cut off" in problem
