"""Compaction: the old part of a long session is replaced by summaries that refer to its messages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from graphmem.model.conversation import Role
from graphmem.model.inputs import MAX_COUNT
from graphmem.model.printed import ToolReading
from graphmem.model.value import Value

Level = Literal["detailed", "bullets", "truncated"]
"""The level a summary reached: detailed by a model, bullets by a model, or sentences of the source."""
Method = Literal["model", "extractive"]
CompactionKind = Literal["leaf", "condensed"]


class Compact(Value):
    """`context_window` stands in for the session's own; `force` compacts below the threshold too."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"contextWindow": 128_000, "force": False}]})

    context_window: Annotated[int, Field(ge=1, le=MAX_COUNT)] | None = None
    force: bool = False


class CompactionDue(Value):
    """Whether a session has more tokens than the threshold of its context window. `tokens` counts what a replay of it
    holds: its summaries and the messages that none of them covers, or what the client said that it is."""

    due: bool
    tokens: int
    threshold: int


class MadeSummary(Value):
    """A summary that compaction made. `expand` is the route that leads to what it was made of, and `expand_hint` says
    what can be found there."""

    id: str
    kind: CompactionKind
    depth: int
    tokens: int
    source_tokens: int
    level: Level
    method: Method
    expand_hint: str | None
    expand: str


class Compacted(Value):
    """What a compaction did. `level` is the worst that was used, null where nothing was done, and `reason` says then
    why. `frontier` is the first ordinal that no summary covers. `recap_id` is the session's recap, null where it was
    not renewed."""

    session_id: str
    compacted: bool
    level: Level | None
    tokens_before: int
    tokens_after: int
    summary_ids: tuple[str, ...]
    summaries: tuple[MadeSummary, ...]
    recap_id: str | None
    frontier: int
    context_window: int | None
    threshold: int | None
    reason: str | None
    token_counter: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A message near the fresh tail: what matters for where to cut."""

    ordinal: int
    role: Role


@dataclass(frozen=True, slots=True)
class BacklogMessage:
    """A message that no leaf covers yet. `tool_calls` is JSON; `shift` and `importance` (1–10) are of turn analysis;
    a message that waits for it has no importance. `reading` is what was read in a tool result, where that was done: of
    all of it, while `text` is its beginning and its end."""

    ordinal: int
    role: Role
    name: str | None
    text: str
    tokens: int
    tool_calls: str | None
    created_at: datetime
    shift: bool
    importance: int | None
    reading: ToolReading | None = None


@dataclass(frozen=True, slots=True)
class CompactionNode:
    """A compaction summary over the messages of [first, through). `kept` are its first lines."""

    id: str
    depth: int
    content: str
    tokens: int
    first: int
    through: int
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompactionState:
    """A session as compaction finds it.

    `tokens` are those of its replay: `tops`, the summaries that no other one covers, in order, and the messages from
    `compacted_through` on. `recapped_through` is what `compacted_through` was when its recap was stored, 0 where it has
    none. `edge` are its last messages before the fresh tail and the first one of the tail.
    """

    session_id: str
    source: str
    project: str | None
    context_window: int | None
    next_ordinal: int
    compacted_through: int
    recapped_through: int
    tokens: int
    archived_at: datetime | None
    tops: tuple[CompactionNode, ...]
    edge: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a summary. `by`: who wrote it, with its version. `fallback`: why it has sentences of the source
    instead of a model's."""

    content: str
    tokens: int
    level: Level
    method: Method
    by: str
    kept: tuple[str, ...]
    hint: str | None
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class LeafRow:
    """A leaf over the messages of [first, through), which must still be the first that none covers."""

    id: str
    draft: Draft
    first: int
    through: int
    source_tokens: int
    agent_key: str
    grams: str


@dataclass(frozen=True, slots=True)
class CondensedRow:
    """A node over others of one depth, in order, none of which may be condensed yet."""

    id: str
    draft: Draft
    children: tuple[CompactionNode, ...]
    source_tokens: int
    agent_key: str
    grams: str

    @property
    def depth(self) -> int:
        return self.children[0].depth + 1
