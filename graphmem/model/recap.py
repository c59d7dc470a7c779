"""Recaps: the gist of a conversation, with its sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from graphmem.model.inputs import MAX_TOKENS, MIN_TOKENS
from graphmem.model.knowledge import OutdatedPart
from graphmem.model.value import Value

Mode = Literal["quest", "chat"]
AskedMode = Literal["auto", "quest", "chat"]


class KeepRecap(Value):
    """Which recap of a session is kept: `mode` auto is what the conversation looks like; no `max_tokens`, the
    settings'."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"mode": "quest", "maxTokens": 2000}]})

    mode: AskedMode = "auto"
    max_tokens: Annotated[int, Field(ge=MIN_TOKENS, le=MAX_TOKENS)] | None = None


class Citation(Value):
    """What `ref` stands for behind a line: a message of the session."""

    ref: str
    message_id: str
    id: str
    session_id: str
    ordinal: int


class Recap(Value):
    """`mode_score` and `mode_parts` are the points by which quest and chat are told apart, `mode_counts` what was
    counted for them. `unanalysed`: turns that could not be weighed yet. `used_tokens` are `tokens_after`, as in every
    answer to a budget; `ratio`: the tokens of the messages to those of the text. `summary_id` is the node that holds
    it, None where it is not stored. `outdated` are the places in `text` that no longer hold."""

    session_id: str
    mode: Mode
    mode_score: int
    mode_parts: dict[str, int]
    mode_counts: dict[str, float]
    text: str
    outdated: tuple[OutdatedPart, ...] = ()
    citations: tuple[Citation, ...]
    tokens_before: int
    tokens_after: int
    used_tokens: int
    ratio: float
    unanalysed: int
    truncated: bool
    token_counter: str
    summary_id: str | None


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A message as the input of a recap."""

    id: str
    message_id: str
    ordinal: int
    role: str
    tokens: int
    text: str
    calls: str | None
    importance: int | None
    shift: bool
    scores: tuple[float, ...] | None
    name: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DrawnFact:
    """A fact extracted from a session, and its current successor where it was superseded."""

    content: str
    type: str
    kind: str
    importance: float
    ordinal: int
    superseded: bool
    current: str | None
    current_session_id: str | None
    current_ordinal: int | None


@dataclass(frozen=True, slots=True)
class RecapRow:
    """A recap to be stored; `message_ids` are those it cites, and it covers all before the ordinal `told_through`."""

    id: str
    dag_key: str
    content: str
    tokens: int
    sha256: str
    by: str
    search_text: str
    agent_key: str
    grams: str
    message_ids: Sequence[str]
    told_through: int
