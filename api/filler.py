"""Long sessions for measuring: labelled conversations with routine work in between, generated from a seed.

Most of a long session is the output of tools and the words around it. So is the filler: listings, logs and sources of
things that no labelled conversation mentions, with numbers that answer no probe.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pydantic import JsonValue

from graphmem.model.labels_continuity import ContinuousConversation
from graphmem.rules.language.text import count_tokens

Message = dict[str, JsonValue]
_NAMES = """amaranth bramble cinnabar dovetail ember fescue gannet hazel ibex juniper kestrel larkspur marram nettle
oriole plover quillwort rowan sorrel teasel umber vetch willet yarrow zinnia"""
_THINGS = tuple(_NAMES.split())
_PARTS = ("codec", "index", "parser", "queue", "writer", "reader", "cursor", "buffer", "catalog", "mapper", "folder")
_DONE = (
    "{thing}/{part}_{n:03} is through, nothing odd in it.",
    "Read {thing}/{part}_{n:03}; it looks like its neighbours.",
    "That was {thing}/{part}_{n:03}. {left} of the {thing} files are left.",
    "{thing}/{part}_{n:03} had two unused names, both removed.",
)
_NEXT = (
    "carry on with {thing}/{part}_{n:03}",
    "next one, {thing}/{part}_{n:03}",
    "same for {thing}/{part}_{n:03} please",
    "and {thing}/{part}_{n:03}?",
)
OUTPUT_TOKENS = 1500
"""Approximate length of one output: a file of some 100 lines."""


def long_session(conversations: Sequence[ContinuousConversation], tokens: int, seed: int = 1) -> list[Message]:
    """Their messages, one conversation after the other in the order they were held, as clients send them, with filler
    between so that all have at least this many tokens. A call and its result stay together, and the session ends with
    the last conversation. Message ids begin with the conversation's: `own_id`."""
    chance = random.Random(seed)
    ordered = sorted(conversations, key=lambda one: str(one.messages[0].created_at))
    own = [
        _of(one.id, message.model_dump(mode="json", exclude_none=True)) for one in ordered for message in one.messages
    ]
    missing = tokens - sum(map(tokens_of, own))
    gaps = [place for place in range(1, len(own)) if own[place]["role"] != "tool"]
    woven: list[Message] = []
    filled = 0
    for place, message in enumerate(own):
        while place in gaps and filled < missing * (gaps.index(place) + 1) / len(gaps):
            routine = list(_routine(chance, len(woven), own[place - 1].get("createdAt")))
            filled += sum(map(tokens_of, routine))
            woven += routine
        woven.append(message)
    return woven


def own_id(conversation: str, message: str) -> str:
    """The id of a conversation's message, or call, in a long session."""
    return f"{conversation}-{message}"


def _of(conversation: str, message: dict[str, Any]) -> Message:
    """The message with ids that no other conversation has."""
    renamed = {
        key: own_id(conversation, message[key]) for key in ("messageId", "toolCallId") if message.get(key) is not None
    }
    calls = [call | {"id": own_id(conversation, call["id"])} for call in message.get("toolCalls", ())]
    return message | renamed | ({"toolCalls": calls} if calls else {})


def tokens_of(message: Message) -> int:
    """The tokens of its text; calls are not counted."""
    content = message.get("content")
    return count_tokens(content) if isinstance(content, str) else 0


def _routine(chance: random.Random, number: int, at: JsonValue) -> Iterator[Message]:
    """A file or a log is read, with a remark about it, at the given time."""
    names = {"thing": chance.choice(_THINGS), "part": chance.choice(_PARTS), "n": chance.randrange(1000)}
    call: Message = {"id": f"fill_{number}", "type": "function", "function": {"name": "Read", "arguments": "{}"}}
    line = chance.choice((_log_line, _listing_line, _source_line))
    output = _output(chance, str(names["thing"]), line)
    done = chance.choice(_DONE).format(**names, left=chance.randrange(2, 400))
    turns: tuple[Message, ...] = (
        {"role": "user", "content": chance.choice(_NEXT).format(**names)},
        {"role": "assistant", "toolCalls": [call]},
        {"role": "tool", "name": "Read", "content": output, "toolCallId": call["id"]},
        {"role": "assistant", "content": done},
    )
    for place, turn in enumerate(turns):
        yield turn | {"messageId": f"filler-{number + place:05}"} | ({"createdAt": at} if at else {})


def _output(chance: random.Random, thing: str, line: Callable[[random.Random, str], str]) -> str:
    lines: list[str] = []
    left = chance.randint(OUTPUT_TOKENS // 2, OUTPUT_TOKENS * 3 // 2)
    while left > 0:
        lines.append(line(chance, thing))
        left -= count_tokens(lines[-1])
    return "\n".join(lines)


def _log_line(chance: random.Random, thing: str) -> str:
    part, took = chance.choice(_PARTS), chance.randrange(10_000, 90_000)
    return f"[{chance.randrange(10_000, 90_000)}] {thing} {part}_{chance.randrange(1000):03} in {took} ticks"


def _listing_line(chance: random.Random, thing: str) -> str:
    size = chance.randrange(10_000, 90_000)
    return f"-rw-r--r-- 1 work work {size:>6} vendor/{thing}/{chance.choice(_PARTS)}_{chance.randrange(1000):03}.c"


def _source_line(chance: random.Random, thing: str) -> str:
    a, b, c = (chance.randrange(3, 97) for _ in range(3))
    return f"static long {thing}_{chance.choice(_PARTS)}(long x) {{ return (x * {a} + {b}) % {c}; }}"
