"""The data export of claude.ai, `conversations.json`: a list of conversations with their `chat_messages`.

Where messages name their parents, only the branch of the last one is read. There is no published schema; the formats
are those of exports up to 2026.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from api.transcripts.claude_code import parts_of
from api.transcripts.shape import BRANCHES, Gathered, Reading, Values, fitting_id, instant, short_hash, table, text

SOURCE = "claude-ai"
ROLES = {"human": "user", "assistant": "assistant"}
_OF_MESSAGE = ("attachments", "files")


def read_claude_ai(values: Values, gathered: Gathered) -> Reading:
    """The conversations of an export."""
    for place, value in values:
        messages = table(value).get("chat_messages")
        if not isinstance(messages, list):
            gathered.problems.append(f"{place}: needs `chat_messages`; it was left out")
            continue
        _read(table(value), [table(one) for one in messages], place, gathered)
    return gathered.reading()


def _read(
    conversation: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], place: str, gathered: Gathered
) -> None:
    branch = _branch(conversation, messages)
    gathered.left_out.update({BRANCHES: len(messages) - len(branch)} if len(messages) > len(branch) else {})
    title = conversation.get("name")
    session_id = gathered.open(
        fitting_id(conversation.get("uuid")) or f"{SOURCE}-{short_hash(place, str(title))}",
        source=SOURCE,
        started_at=instant(conversation.get("created_at")),
        metadata={"title": title} if isinstance(title, str) and title else None,
    )
    for number, message in enumerate(branch, 1):
        where = f"{place} message {number}"
        role = ROLES.get(str(message.get("sender")))
        if role is None:
            gathered.problems.append(f"{where}: needs a sender, human or assistant; it was left out")
            continue
        uuid = fitting_id(message.get("uuid")) or f"m{number:03d}"
        about = {key: message[key] for key in _OF_MESSAGE if message.get(key)}
        for index, (said_by, content, more) in enumerate(parts_of(role, _blocks(message))):
            gathered.add(
                session_id,
                where,
                message_id=f"{uuid}.{index}" if index else uuid,
                role=said_by,
                content=content,
                created_at=instant(message.get("created_at")),
                metadata=about | more.pop("metadata", {}),
                **more,
            )


def _branch(conversation: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The messages that lead to the current one, or to the last; all, where they name no parents."""
    by_id = {uuid: message for message in messages if (uuid := text(message.get("uuid")))}
    if not any(text(message.get("parent_message_uuid")) in by_id for message in messages):
        return list(messages)
    at = text(conversation.get("current_leaf_message_uuid"))
    at = at if at in by_id else text(messages[-1].get("uuid"))
    found: dict[str, Mapping[str, Any]] = {}
    while at in by_id and at not in found:
        found[at] = by_id[at]
        at = text(by_id[at].get("parent_message_uuid"))
    return list(found.values())[::-1]


def _blocks(message: Mapping[str, Any]) -> list[Any]:
    """The blocks of a message, and what was extracted from its attachments; older exports have a text only."""
    given = message.get("content")
    blocks = [block for block in given if block] if isinstance(given, list) else []
    blocks = blocks or ([{"type": "text", "text": said}] if (said := text(message.get("text"))) else [])
    made = [{"type": "text", "text": table(block).get("text")} if _is_plain(block) else block for block in blocks]
    return [block for block in made if block != {"type": "text", "text": ""}]


def _is_plain(block: object) -> bool:
    """Whether a block is a text without citations; its times are those of the message."""
    return table(block).get("type") == "text" and not table(block).get("citations")
