"""How much of a conversation fits a budget: whole messages in order, the first cut if necessary.

A message is more than its text: tool arguments are counted too, and are left out, by name, where they do not fit.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from graphmem.model.conversation import Extra, Part, StoredMessage, Summary
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.language.text import LONGEST_PIECE, count_tokens, fit_tokens

Said = TypeVar("Said", bound=StoredMessage | Summary)
EXTRAS: tuple[Extra, ...] = ("parts", "toolCalls", "metadata")
_FIELD = {"parts": "parts", "toolCalls": "tool_calls", "metadata": "metadata"}


MOST_CHARS = 1_000_000_000
"""More than a message holds."""


def most_chars(max_tokens: int) -> int:
    """Most characters of a text that can fit the budget, at most what Cypher takes for the length of a part of a text.

    >>> most_chars(100) < most_chars(2**53) < 2**31
    True
    """
    return min(LONGEST_PIECE * max_tokens, MOST_CHARS) + 1


def planned(tokens: Sequence[int], max_tokens: int) -> int:
    """How many texts, from the first on, to read for a budget, by their stored sizes: those that fit, and the one that
    is cut.

    >>> planned([40, 30, 20], 64), planned([900, 1], 64), planned([0, 0], 64)
    (2, 1, 2)
    """
    used = 0
    for count, size in enumerate(tokens, start=1):
        used += size
        if used > max_tokens:
            return count
    return len(tokens)


def fit_said(said: Sequence[Said], max_tokens: int) -> tuple[list[Said], int]:
    """What fits, in order, and its tokens. The first is always included, as much of it as fits: so paging reaches
    everything."""
    shown: list[Said] = []
    used = 0
    for one in said:
        lean = _without_repetition(one)
        cost = _tokens(lean)
        if used + cost > max_tokens:
            if not shown:
                lean = _cut(lean, max_tokens)
                shown, used = [lean], _tokens(lean)
            break
        shown.append(lean)
        used += cost
    return shown, used


def _without_repetition(one: Said) -> Said:
    """A message without parts that only repeat its content."""
    if isinstance(one, Summary) or one.parts is None:
        return one
    return one.model_copy(update={"parts": None}) if plain_parts(one.parts) else one


def plain_parts(parts: Sequence[Part]) -> bool:
    """Whether parts are only texts, which the content has too."""
    return bool(parts) and all(part.keys() == {"type", "text"} and part["type"] == "text" for part in parts)


def _tokens(one: StoredMessage | Summary) -> int:
    carried: list[Any] = [] if isinstance(one, Summary) else [getattr(one, _FIELD[extra]) for extra in EXTRAS]
    return count_tokens(one.content or "") + sum(
        count_tokens(canonical_json(value)) for value in carried if value is not None
    )


def _cut(one: Said, max_tokens: int) -> Said:
    """As much of the content as fits, without other fields: these can be read by the message's id."""
    content = fit_tokens(one.content, max_tokens) if one.content else one.content
    if isinstance(one, Summary):
        return one.model_copy(update={"content": content})
    dropped = [extra for extra in EXTRAS if extra in one.omitted or getattr(one, _FIELD[extra]) is not None]
    return one.model_copy(
        update={
            "content": content,
            "content_truncated": one.content_truncated or len(content or "") < len(one.content or ""),
            "omitted": tuple(dropped),
            **dict.fromkeys(_FIELD.values()),
        }
    )
