"""A session told in few words, without a model: the statements that matter most, in the order they were said."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.rules.identity import normalised
from graphmem.rules.text import count_tokens, fit_tokens

SUMMARISER = "digest-1"
"""Names what these rules make of a session. Raise the number when they make something else of the same."""
SESSION_SUMMARY_TOKENS = 400
"""Most tokens of a session summary made without a model."""

_FIRST = {"decision": 0, "constraint": 0, "preference": 1, "fact": 2, "event": 3}


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of the session: its words, kind, importance (0–1) and place in the conversation."""

    id: str
    content: str
    type: str
    importance: float
    ordinal: int


@dataclass(frozen=True, slots=True)
class Digest:
    """The text of a summary and the ids of the statements in it, in the order of the text."""

    text: str
    memory_ids: tuple[str, ...]


def digest(said: Sequence[Said], opening: str, max_tokens: int = SESSION_SUMMARY_TOKENS) -> Digest:
    """Decisions and constraints first, then by importance, as many as fit; read in the order they were said.

    A session from which nothing was learned is told by `opening`, its first words.

    >>> digest([Said("1", "We use Redis.", "fact", 0.5, 4), Said("2", "We chose Kafka.", "decision", 0.8, 9)], "").text
    '- We use Redis.\\n- We chose Kafka.'
    """
    kept: list[Said] = []
    seen: set[str] = set()
    tokens = 0
    for statement in sorted(said, key=lambda s: (_FIRST.get(s.type, 2), -s.importance, s.ordinal, s.id)):
        cost = count_tokens(f"- {statement.content}\n")
        key = normalised(statement.content)
        if key in seen or tokens + cost > max_tokens:
            continue
        seen.add(key)
        kept.append(statement)
        tokens += cost
    if not kept:
        return Digest(fit_tokens(opening, max_tokens), ())
    kept.sort(key=lambda s: (s.ordinal, s.id))
    return Digest("\n".join(f"- {statement.content}" for statement in kept), tuple(s.id for s in kept))
