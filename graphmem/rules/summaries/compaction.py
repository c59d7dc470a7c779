"""What is compacted of a session: everything before its fresh tail, in leaves, and leaves by their fan-in."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from graphmem.model.compaction import BacklogMessage, CompactionDue, CompactionNode, CompactionState, Level
from graphmem.model.printed import ToolReading
from graphmem.rules.keeping.rotation import fresh_from
from graphmem.rules.printed import read_tool_result
from graphmem.rules.summaries.extractive import Passage, Result

MIN_LEAF_TOKENS = 32
"""Least tokens worth a summary: less stays until more has been said."""
FLOOR_SHARE = 0.1
"""Share of the context window that must be waiting before a session compacts automatically, or the leaf size where that
is less: otherwise each message after a full window would become its own leaf."""
THRESHOLD = 0.75
RESULT_HEAD, RESULT_TAIL = 16_000, 8_000
"""Characters of a long tool result that are kept once it was read: what a model is shown is less."""
_LEVELS: tuple[Level, ...] = ("detailed", "bullets", "truncated")
_SUMMARY_SHARE = 0.2
_SUMMARY_TOKENS = (2000, 4000)
_CONDENSED_SHARE = 0.4
_DAY = re.compile(r"(\d{4}-\d\d-\d\d):")
_WHO = re.compile(r"(user|assistant|[A-Z][\w.-]{0,30}(?: [A-Z][\w.-]{0,30})?): ")
_CONDENSED_LEAST = 1000


@dataclass(frozen=True, slots=True)
class CompactionBounds:
    """`threshold` is a share of the context window; `leaf_tokens` is the size of a leaf's source, and with `dynamic` it
    doubles up to `leaf_max_tokens` while more than twice as much is waiting. `fan_in` nodes of one depth make one of
    the next. `bullet_ratio` is the share of a detailed summary that bullets may take, `cut_tokens` what is left at the
    last level.

    *Source*: hermes-lcm 0.14, LCM_CONTEXT_THRESHOLD and its neighbours.
    """

    threshold: float = THRESHOLD
    fresh_tail: int = 64
    leaf_tokens: int = 20_000
    leaf_max_tokens: int = 40_000
    dynamic: bool = False
    fan_in: int = 4
    bullet_ratio: float = 0.5
    cut_tokens: int = 512


def due(tokens: int, context_window: int, share: float) -> CompactionDue:
    """Whether the tokens are strictly more than a share of the context window.

    >>> due(751, 1000, 0.75).due, due(750, 1000, 0.75).due
    (True, False)
    """
    threshold = int(share * context_window)
    return CompactionDue(due=tokens > threshold, tokens=tokens, threshold=threshold)


def backlog_end(state: CompactionState, fresh_tail: int) -> int:
    """The first ordinal that stays unchanged: the start of the fresh tail, moved back to the beginning of a turn and so
    that no tool result is separated from its call.

    A turn longer than a quarter of the tail is cut, otherwise an endless one would prevent all compaction.
    """
    start = fresh_from(state.next_ordinal, fresh_tail)
    roles = {edge.ordinal: edge.role for edge in state.edge}
    end = start
    while roles.get(end) == "tool" and end > state.compacted_through:
        end -= 1
    if roles.get(end) in (None, "tool"):  # only tool results within reach
        end = start
    turn = end
    while roles.get(turn) not in (None, "user") and end - turn < fresh_tail // 4:
        turn -= 1
    return max(turn if roles.get(turn) == "user" else end, state.compacted_through)


def floor_tokens(context_window: int, bounds: CompactionBounds) -> int:
    """How many tokens must be waiting before a session compacts automatically."""
    return max(MIN_LEAF_TOKENS, min(bounds.leaf_tokens, int(FLOOR_SHARE * context_window)))


def leaf_target(waiting_tokens: int, bounds: CompactionBounds) -> int:
    """The size of the next leaf's source, for the waiting tokens.

    >>> [leaf_target(tokens, CompactionBounds(dynamic=True)) for tokens in (30_000, 50_000, 500_000)]
    [20000, 40000, 40000]
    """
    target = bounds.leaf_tokens
    while bounds.dynamic and waiting_tokens > 2 * target and target < bounds.leaf_max_tokens:
        target = min(2 * target, bounds.leaf_max_tokens)
    return target


def leaf_length(backlog: Sequence[BacklogMessage], target: int) -> int:
    """How many messages, from the first on, the next leaf covers: as many as fit, cut where a turn begins if that
    leaves half of them, never between a call and its results; 0 where all of them are too little for a summary.

    A message longer than the target is a leaf with what belongs to it. A rest that is too little for its own leaf is
    included.
    """
    tokens = 0
    cuts: list[tuple[int, int]] = []
    turns: list[int] = []
    total = sum(message.tokens for message in backlog)
    if total < MIN_LEAF_TOKENS:
        return 0
    for place, message in enumerate(backlog):
        if place and message.role != "tool" and tokens >= MIN_LEAF_TOKENS and total - tokens >= MIN_LEAF_TOKENS:
            cuts.append((place, tokens))
            if message.role == "user" and tokens >= target // 2:
                turns.append(place)
        if cuts and tokens + message.tokens > target:
            return turns[-1] if turns else cuts[-1][0]
        tokens += message.tokens
    return len(backlog)


def to_condense(tops: Sequence[CompactionNode], fan_in: int) -> tuple[CompactionNode, ...]:
    """The oldest nodes of the least depth that has enough of them; empty where none has.

    The nodes of one depth cover consecutive messages without gaps, so the oldest are neighbours.
    """
    for depth in sorted({node.depth for node in tops}):
        alike = sorted((node for node in tops if node.depth == depth), key=lambda node: node.first)
        if len(alike) >= fan_in:
            return tuple(alike[:fan_in])
    return ()


def summary_tokens(source_tokens: int, depth: int) -> int:
    """How long a detailed summary should be.

    *Source*: hermes-lcm, 20 % of a leaf's source within bounds, 40 % of what is condensed; ours have at most 4,000
    tokens, which every model can write in one answer.
    """
    least, most = _SUMMARY_TOKENS if depth == 0 else (_CONDENSED_LEAST, _SUMMARY_TOKENS[1])
    share = _SUMMARY_SHARE if depth == 0 else _CONDENSED_SHARE
    wanted = min(max(int(share * source_tokens), least), most)
    return max(min(wanted, source_tokens // 2), 1)


def worst(levels: Sequence[Level]) -> Level | None:
    """The lowest level of the ladder; None for an empty list.

    >>> worst(["detailed", "truncated", "bullets"]), worst([])
    ('truncated', None)
    """
    return max(levels, key=_LEVELS.index, default=None)


def as_read(message: BacklogMessage) -> BacklogMessage:
    """A message with what its tool result says; of the result itself beginning and end."""
    if message.role != "tool":
        return message
    text = message.text
    if len(text) > RESULT_HEAD + RESULT_TAIL:
        text = f"{text[:RESULT_HEAD]}\n{text[-RESULT_TAIL:]}"
    return replace(message, text=text, reading=read_tool_result(message.text, message.name))


def passages(backlog: Sequence[BacklogMessage]) -> list[Passage]:
    """Messages as input of the extractive summary: system instructions are left out where there is other text, and of
    tool results that judge, the newest of each kind comes first."""
    talk = [message for message in backlog if message.role not in ("system", "developer") and message.text.strip()]
    readings = {message.ordinal: reading for message in talk if (reading := _reading(message))}
    newest = {reading.kind: ordinal for ordinal, reading in readings.items() if reading.verdict and not reading.routine}
    return [
        Passage(
            message.text,
            message.name or message.role if message.role in ("user", "assistant") else None,
            own=message.role == "user",
            day=message.created_at.date(),
            weight=(message.importance or 5) / 10,
            first=message.shift,
            printed=message.role not in ("user", "assistant"),
            result=(
                Result(reading, f"#{message.ordinal}", newest=newest.get(reading.kind) == message.ordinal)
                if (reading := readings.get(message.ordinal))
                else None
            ),
        )
        for message in talk or backlog
    ]


def _reading(message: BacklogMessage) -> ToolReading | None:
    if message.role != "tool":
        return None
    return message.reading or read_tool_result(message.text, message.name)


def lines(nodes: Sequence[CompactionNode]) -> list[Passage]:
    """Summaries as input of the extractive summary, line by line, with their speakers and days; those that were kept
    are kept again."""
    found = []
    for node in nodes:
        told = node.content.splitlines()
        elsewhere = [line for kept in node.kept if (line := f"- {kept}") not in told]  # a model writes other words
        day = None
        for line in dict.fromkeys(filter(str.strip, [*elsewhere, *told])):
            if heading := _DAY.fullmatch(line):
                day = date.fromisoformat(heading[1])
                continue
            said = line.removeprefix("- ")
            who = _WHO.match(said) if line != said else None
            found.append(
                Passage(
                    said[who.end() :] if who else said,
                    who[1] if who else None,
                    first=said in node.kept,
                    whole=line != said,
                    own=who is not None and who[1] != "assistant",
                    day=day,
                )
            )
    return found


def call_names(tool_calls: str | None) -> list[str]:
    """The tool calls of a message with their arguments, as far as they have the usual shape.

    >>> call_names('[{"id": "1", "function": {"name": "grep", "arguments": "{}"}}]')
    ['grep({})']
    """
    try:
        given = json.loads(tool_calls) if tool_calls else []
    except ValueError:
        return []
    called = []
    for one in given if isinstance(given, list) else []:
        function = one.get("function", one) if isinstance(one, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments", function.get("input", ""))
            told = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            called.append(f"{function['name']}({_short(told)})")
    return called


def _short(text: str, most: int = 500, kept: int = 400) -> str:
    return text if len(text) <= most else f"{text[:kept]}…"
