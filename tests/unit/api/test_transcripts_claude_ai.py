"""The data export of claude.ai: conversations, their blocks, and the branch that was seen last."""

import json
from typing import Any

from api.transcripts.files import read_lines
from api.transcripts.shape import BRANCHES, Reading


def said(uuid: str, sender: str, *blocks: Any, text: str = "", **more: Any) -> dict[str, Any]:
    at = "2026-03-02T10:00:01.5Z"
    return {"uuid": uuid, "sender": sender, "text": text, "content": list(blocks), "created_at": at, **more}


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": [], "start_timestamp": "2026-03-02T10:00:00Z"}


def read(*messages: dict[str, Any], **more: Any) -> Reading:
    about = {"uuid": "c-1", "name": "Lamps", "created_at": "2026-03-02T10:00:00Z", "account": {"uuid": "a"}}
    found, reading = read_lines([json.dumps([about | {"chat_messages": list(messages)} | more])], "conversations.json")
    assert found == "claude-ai"
    assert reading.problems == []
    return reading


def test_a_conversation_is_a_session_and_its_senders_are_roles() -> None:
    attached = [{"file_name": "a.txt", "extracted_content": "lamps"}]
    reading = read(
        said("m1", "human", words("Which port?"), text="Which port?", attachments=attached, files=[]),
        said("m2", "assistant", words("8080.")),
        said("m3", "human", text="An older export."),
    )
    (session,) = reading.sessions
    opening = session.opening
    assert (opening.session_id, opening.source, opening.metadata) == ("c-1", "claude-ai", {"title": "Lamps"})
    assert [(m.message_id, m.role, m.content) for m in session.messages] == [
        ("m1", "user", "Which port?"),
        ("m2", "assistant", "8080."),
        ("m3", "user", "An older export."),
    ]
    assert session.messages[0].metadata == {"attachments": attached}
    assert str(session.messages[0].created_at) == "2026-03-02 10:00:01.500000+00:00"


def test_calls_and_answers_of_tools_are_taken_apart_and_thoughts_stay_parts() -> None:
    thought = {"type": "thinking", "thinking": "Let me see."}
    use = {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "lamps"}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Found."}]}
    tool, message = read(said("m1", "assistant", thought, use, answer, words("There."))).sessions[0].messages
    assert (tool.message_id, tool.role, tool.content, tool.tool_call_id) == ("m1", "tool", "Found.", "t1")
    assert (message.message_id, message.content) == ("m1.1", (thought, {"type": "text", "text": "There."}))
    assert message.tool_calls is not None


def test_only_the_branch_of_the_current_message_is_taken() -> None:
    tree = [
        said("m1", "human", words("Hi"), parent_message_uuid="0"),
        said("m2", "assistant", words("Old."), parent_message_uuid="m1"),
        said("m3", "assistant", words("New."), parent_message_uuid="m1"),
    ]
    reading = read(*tree)
    assert [m.message_id for m in reading.sessions[0].messages] == ["m1", "m3"]
    assert reading.left_out == {BRANCHES: 1}
    chosen = read(*tree, current_leaf_message_uuid="m2")
    assert [m.message_id for m in chosen.sessions[0].messages] == ["m1", "m2"]
