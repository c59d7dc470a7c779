"""The context of a session: what a model gets of it within a budget, and the candidates for it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from graphmem.model.conversation import Part, Role
from graphmem.model.inputs import MAX_COUNT, MIN_TOKENS, HitKind, Question
from graphmem.model.knowledge import OutdatedPart
from graphmem.model.stored import StatementSpan
from graphmem.model.value import Value

ContextKind = Literal["system", "constraint", "recap", "summary", "recalled", "message"]
RecallState = Literal["done", "no_question", "no_embedder"]


class AssembleContext(Value):
    """What is wanted of a session. `context_window` stands in for the session's own; the budget is `max_tokens`, at
    most the window, else a quarter of the window. `query` stands in for the newest user message.

    The last five are of what is recalled: from how many turns of the session, how many items at most, turns of which
    relevance and hits of which score at least, and how much of each; left out, they are those of the settings."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"contextWindow": 128_000, "query": "Which port does Ledger use?"}]}
    )

    context_window: Annotated[int, Field(ge=1, le=MAX_COUNT)] | None = None
    max_tokens: Annotated[int, Field(ge=MIN_TOKENS, le=MAX_COUNT)] | None = None
    query: Question | None = None
    format: Annotated[Literal["text"] | None, Field(description="Also answer the block to inject")] = None
    window: Annotated[int, Field(ge=0, le=1000)] | None = None
    top: Annotated[int, Field(ge=0, le=100)] | None = None
    minimum: Annotated[float, Field(ge=0, le=4)] | None = None
    floor: Annotated[float, Field(ge=0, le=1)] | None = None
    snippet_chars: Annotated[int, Field(ge=50, le=20_000)] | None = None


class ContextItem(Value):
    """One piece of a context. `tokens` counts its text and what else it carries.

    `why` says, of what is recalled, what each signal adds to `score`; of a constraint, why it is in force here. A
    summary and a recap name no messages: their id expands to them. `hit_kind` says what was recalled: a message, a
    statement (`memory`), a fact (`attribute`) or a summary. `truncated`: only the beginning is there. `outdated`:
    places that no longer hold, as the text says too.
    """

    kind: ContextKind
    id: str
    role: Role | None = None
    name: str | None = None
    text: str
    tokens: int
    outdated: tuple[OutdatedPart, ...] = ()
    score: float | None = None
    why: dict[str, float] | None = None
    hit_kind: HitKind | None = None
    message_ids: tuple[str, ...] = ()
    session_id: str | None = None
    parts: tuple[Part, ...] | None = None
    tool_calls: tuple[JsonValue, ...] | None = None
    tool_call_id: str | None = None
    truncated: bool = False


class Context(Value):
    """A context, in reading order: system message, what is in force, recap, summaries deepest first, the messages that
    no summary covers, what is recalled, and the newest user message with what followed it.

    `left_out` counts what had no room. `recall` says whether older turns were looked for by meaning. `text` is the
    block to inject: all but the session's own messages.
    """

    session_id: str
    items: tuple[ContextItem, ...]
    used_tokens: int
    max_tokens: int
    context_window: int
    truncated: bool
    left_out: int
    recall: RecallState
    text: str | None
    token_counter: str


@dataclass(frozen=True, slots=True)
class Injection:
    """Limits of recalled items: candidates are the last `window` turns, all shifts, and what recall finds for the
    question; at most `top` of them, cut to so many characters each. A turn needs at least this relevance, and at least
    the cosine `nearness`, however important it is. What recall finds needs at least the score `floor`, unless it
    was said in the session itself and that is `own_at_any_score`. `fill`: what was said in the session fills all the
    room there is. `share`: of the budget, kept for recalled items."""

    window: int
    top: int
    minimum: float
    snippet_chars: int
    nearness: float = -1.0
    floor: float = 0.0
    own_at_any_score: bool = False
    fill: bool = False
    share: float = 0.2


@dataclass(frozen=True, slots=True)
class InForce:
    """A constraint, or a pinned fact or memory. `names` are all canonical names of its entity; `mentioned`: messages
    that extraction has read mention it."""

    id: str
    content: str
    constraint: bool
    pinned: bool
    project: str | None
    entity: str | None
    names: tuple[str, ...]
    mentioned: bool
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToldNode:
    """A summary or a recap; `back` sessions back in the chain. `said` are the statements in it, `in_other_words` if in
    those of a model."""

    id: str
    kind: str
    depth: int
    content: str
    back: int
    said: tuple[StatementSpan, ...] = ()
    in_other_words: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """A message by its ordinal, with its approximate number of tokens."""

    ordinal: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """A message as a context carries it. `parts` is None where they contain only the text."""

    id: str
    message_id: str
    session_id: str
    ordinal: int
    role: Role
    name: str | None
    text: str
    parts: tuple[Part, ...] | None = None
    tool_calls: tuple[JsonValue, ...] | None = None
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class OlderTurn:
    """A turn that may be recalled. `nearness` is its cosine to the question, -1 to 1; the rest is None for a turn that
    is not analysed."""

    id: str
    message_id: str
    session_id: str
    ordinal: int
    back: int
    role: Role
    name: str | None
    text: str
    nearness: float
    importance: int | None = None
    structural: float | None = None
    mission: float | None = None
    operational: float | None = None
    shift: bool = False


@dataclass(frozen=True, slots=True)
class NewestTurn:
    """The newest user message that has text: its place and its beginning."""

    ordinal: int
    tokens: int
    beginning: str


@dataclass(frozen=True, slots=True)
class ContextFrame:
    """Everything a context is made from except message texts. `sizes` are those of the last messages that no summary
    covers, oldest first; `line` the sessions that this one continues, nearest first, with where they end."""

    session_id: str
    project: str | None
    context_window: int | None
    next_ordinal: int
    tail_from: int
    line: tuple[tuple[str, int], ...]
    system: SaidMessage | None
    in_force: tuple[InForce, ...]
    recap: ToldNode | None
    summaries: tuple[ToldNode, ...]
    sizes: tuple[Size, ...]
    newest: NewestTurn | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which messages to read: those of [start, through) and the one at `newest`, -1 for none, each up to `chars`
    characters; and for `line`, pairs of a session and an ordinal, the messages before it."""

    start: int
    through: int
    newest: int
    chars: int
    line: tuple[tuple[str, int], ...]
