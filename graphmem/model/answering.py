"""Question answering from the memory: the question, its sources, and the answer."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from graphmem.model.answers import Unmatched
from graphmem.model.conversation import Role
from graphmem.model.inputs import HitKind, Instant, OpaqueId, Question, TokenBudget
from graphmem.model.knowledge import OutdatedPart
from graphmem.model.stored import StatementSpan
from graphmem.model.value import Value

Method = Literal["extractive", "model"]
Fallback = Literal["model_unavailable", "model_late", "not_grounded"]
MIN_CONTEXT_TOKENS, MAX_CONTEXT_TOKENS = 64, 1_000_000


class ExpandQuery(Value):
    """`max_tokens` bounds the answer with its quotes, `context_max_tokens` what is gathered to answer from; left out,
    it is that of the settings."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "Which database does billing-service use?", "maxTokens": 500}]}
    )

    question: Question
    session_id: OpaqueId | None = None
    max_tokens: TokenBudget = 1000
    context_max_tokens: Annotated[int, Field(ge=MIN_CONTEXT_TOKENS, le=MAX_CONTEXT_TOKENS)] | None = None
    as_of: Instant | None = None
    known_at: Instant | None = None


class Citation(Value):
    """Where an answer comes from. `quote` stands word for word in the text of `id`, which `expand` shows whole.

    `status` superseded: newer facts say otherwise. `message_ids` are the messages it was said in, in `session_id`
    where that is one.
    """

    id: str
    kind: HitKind
    quote: str
    status: Literal["active", "superseded"]
    superseded_by: str | None
    session_id: str | None
    message_ids: tuple[str, ...]


class Answered(Value):
    """An answer, or that there is none: `found` false, and no citation.

    `confidence` is how sure the rules are of the best sentence, also where a model answered; None where nothing was
    found, and for a question over sessions. `not_looked_at` are ids of
    texts that were found and had no room in the context; `truncated`: there are some, or the answer was cut. `fallback`
    says why the rules answered though there is a model. `outdated` are the places in the answer that no longer hold.
    `unmatched` says, where nothing was found, that there is no such session.
    """

    answer: str
    found: bool
    outdated: tuple[OutdatedPart, ...] = ()
    citations: tuple[Citation, ...]
    confidence: float | None
    used_tokens: int
    truncated: bool
    context_tokens: int
    not_looked_at: tuple[str, ...]
    method: Method
    fallback: Fallback | None
    unmatched: tuple[Unmatched, ...] = ()
    token_counter: str


@dataclass(frozen=True, slots=True)
class NearMessage:
    """A message that was found, or a direct neighbour of one. `text` is its content, `said` the statements in it, and
    `outdated` the places that no longer hold."""

    id: str
    message_id: str
    session_id: str
    ordinal: int
    role: Role
    name: str | None
    text: str
    created_at: datetime
    said: tuple[StatementSpan, ...] = ()
    outdated: tuple[OutdatedPart, ...] = ()
