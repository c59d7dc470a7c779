"""The data export of ChatGPT, `conversations.json`: a list of conversations, each a tree of messages.

Only the branch of a tree that ends at `current_node` is read: what the person saw last. There is no published schema;
the formats are those of exports up to 2026.
"""

from collections.abc import Mapping
from typing import Any

from api.transcripts.shape import (
    BRANCHES,
    Gathered,
    Reading,
    Values,
    fitting_id,
    fitting_name,
    instant,
    short_hash,
    table,
    text,
)

SOURCE = "chatgpt"
ROLES = frozenset({"user", "assistant", "system", "tool"})
_PLAIN = {
    "text": {"content_type", "parts"},
    "code": {"content_type", "text", "language", "response_format_name"},
    "execution_output": {"content_type", "text"},
}
"""Contents that are only a text, with the fields they may have."""


def read_chatgpt(values: Values, gathered: Gathered) -> Reading:
    """The conversations of an export."""
    for place, value in values:
        mapping = table(value).get("mapping")
        if not isinstance(mapping, dict):
            gathered.problems.append(f"{place}: needs a `mapping` of messages; it was left out")
            continue
        _read(table(value), mapping, place, gathered)
    return gathered.reading()


def _read(conversation: Mapping[str, Any], mapping: Mapping[str, Any], place: str, gathered: Gathered) -> None:
    branch = _branch(mapping, conversation.get("current_node"))
    others = sum(bool(table(mapping[id_]).get("message")) for id_ in mapping.keys() - set(branch))
    if others:
        gathered.left_out[BRANCHES] += others
    brought = fitting_id(conversation.get("conversation_id")) or fitting_id(conversation.get("id"))
    facts = {"title": conversation.get("title"), "model": conversation.get("default_model_slug")}
    session_id = gathered.open(
        brought or f"{SOURCE}-{short_hash(*branch[:2])}",
        source=SOURCE,
        started_at=instant(conversation.get("create_time")),
        metadata={key: value for key, value in facts.items() if isinstance(value, str)} or None,
    )
    for id_ in branch:
        message = table(mapping[id_]).get("message")
        if isinstance(message, dict):
            _add(session_id, id_, message, f"{place} message {id_}", gathered)


def _branch(mapping: Mapping[str, Any], current: object) -> list[str]:
    """The ids from the root to the current node. Where that leads to no message, to the newest one that ends a branch,
    of equally new ones to the one that most messages lead to."""
    parents = {
        child: id_ for id_, node in mapping.items() for child in table(node).get("children") or () if text(child)
    }
    parents |= {id_: parent for id_, node in mapping.items() if (parent := text(table(node).get("parent")))}
    told = [id_ for id_, node in mapping.items() if table(node).get("message")]
    chosen = _way_to(current, mapping, parents) if isinstance(current, str) else []
    if not set(told).isdisjoint(chosen):
        return chosen
    gone_on_from = set(parents.values())
    ways = [_way_to(id_, mapping, parents) for id_ in told if id_ not in gone_on_from] or [told]
    return max(ways, key=lambda way: (_made(mapping[way[-1]]), len(way)), default=[]) if told else []


def _way_to(id_: str, mapping: Mapping[str, Any], parents: Mapping[str, str]) -> list[str]:
    found: dict[str, None] = {}
    at: str | None = id_
    while at is not None and at in mapping and at not in found:
        found[at] = None
        at = parents.get(at)
    return list(found)[::-1]


def _made(node: object) -> float:
    when = table(table(node).get("message")).get("create_time")
    return float(when) if isinstance(when, int | float) else 0.0


def _add(session_id: str, node_id: str, message: Mapping[str, Any], place: str, gathered: Gathered) -> None:
    author, about = table(message.get("author")), table(message.get("metadata"))
    role = text(author.get("role"))
    if role not in ROLES:
        gathered.problems.append(f"{place}: needs an author with a role of {', '.join(sorted(ROLES))}; it was left out")
        return
    content, kind = _content(table(message.get("content")))
    hidden = bool(about.get("is_visually_hidden_from_conversation"))
    facts = {
        "model": about.get("model_slug"),
        "contentType": kind,
        "recipient": None if message.get("recipient") == "all" else message.get("recipient"),
        "hidden": hidden or None,
        "attachments": about.get("attachments") or None,
    }
    gathered.add(
        session_id,
        place,
        message_id=fitting_id(message.get("id")) or fitting_id(node_id),
        # Hidden messages, such as custom instructions, were not said in the conversation.
        role="system" if hidden and role == "user" else role,
        content=content,
        name=fitting_name(author.get("name")),
        created_at=instant(message.get("create_time")),
        metadata={key: value for key, value in facts.items() if value is not None},
    )


def _content(content: Mapping[str, Any]) -> tuple[str | list[Any], str | None]:
    """The content, and its type where it is not plain text."""
    kind = text(content.get("content_type")) or "text"
    parts = content.get("parts")
    if isinstance(parts, list):
        made = [_part(part) for part in parts if part]
        plain = len(made) == 1 and made[0].keys() == {"type", "text"} and kind == "text"
        return (made[0]["text"] if plain else made), (None if kind == "text" else kind)
    if kind in _PLAIN and content.keys() <= _PLAIN[kind] and isinstance(content.get("text"), str):
        return content["text"], kind
    rest = {key: value for key, value in content.items() if key != "content_type" and value not in (None, "", [])}
    return ([{"type": kind, **rest}] if rest else ""), kind


def _part(part: object) -> dict[str, Any]:
    if isinstance(part, dict):
        return {"type": str(part.get("content_type", "unknown")), **part}
    return {"type": "text", "text": part if isinstance(part, str) else str(part)}
