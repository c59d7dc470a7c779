"""What stands for a message that is too large for its context: what it was, how large, its id, what matters in it."""

from collections.abc import Mapping
from dataclasses import replace

from graphmem.model.context import SaidMessage
from graphmem.rules.language.text import count_tokens, fit_tokens
from graphmem.rules.printed import read_tool_result

STUB_TOKENS = 160
"""Most tokens of a stub."""


def stub(message: SaidMessage, tokens: int) -> SaidMessage:
    """The stub of a message of so many tokens: of a tool result its verdict and what failed, of anything else its
    beginning. It carries neither parts nor calls; the message stays one call away, by its id.

    >>> said = SaidMessage("i", "m7", "s", 7, "tool", "bash", "1 failed, 9 passed in 0.1s")
    >>> print(stub(said, 2048).text)
    [Shortened: the result of bash, 2,048 tokens; expand m7 for all of it.]
    Tests failed: 1 failed, 9 passed
    """
    lead = f"[Shortened: {_what(message)}, {tokens:,} tokens; expand {message.message_id} for all of it.]"
    lines = [lead]
    left = STUB_TOKENS - count_tokens(lead)
    for line in _lines(message, left):
        cost = count_tokens(f"\n{line}")
        if cost > left:
            break
        lines.append(line)
        left -= cost
    return replace(message, text="\n".join(lines), parts=None, tool_calls=None)


def _what(message: SaidMessage) -> str:
    if message.role == "tool":
        return f"the result of {message.name}" if message.name else "a tool result"
    called = list(dict.fromkeys(filter(None, map(_name, message.tool_calls or ()))))
    of = f"the {message.role}'s message"
    return f"{of} with a call of {', '.join(called)}" if called else of


def _name(call: object) -> str | None:
    if not isinstance(call, Mapping):
        return None
    inner = call.get("function")
    name = (inner if isinstance(inner, Mapping) else call).get("name")
    return name if isinstance(name, str) else None


def _lines(message: SaidMessage, most: int) -> list[str]:
    if message.role == "tool":
        return [line.told for line in read_tool_result(message.text, message.name).lines]
    return [fit_tokens(message.text, max(0, most - 1))] if message.text.strip() else []
