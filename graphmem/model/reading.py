"""What is returned of a conversation: sessions with everything known about them, pages of them, and previews by id."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from graphmem.model.answers import EndReceipt
from graphmem.model.conversation import PayloadRef, Session, StoredMessage
from graphmem.model.value import Value

Kind = Literal[
    "session",
    "summary",
    "message",
    "payload",
    "entity",
    "aspect",
    "attribute",
    "memory",
    "dependency",
    "supersession",
]


class Lineage(Value):
    """Where a session stands in a chain: the sessions it goes on from, nearest first, and those that go on from it."""

    continues: tuple[str, ...]
    continued_by: tuple[str, ...]


class SessionDetail(Session):
    """A session with all that is known of it.

    `frontier` is the ordinal from which its messages are replayed, behind the summaries that compaction made of those
    before; `active_tokens` counts both, and `pressure` is their share of the context window, null where that is not
    known. `summaries` counts by depth (`d0`, `d1` …).
    `compactions` are the summaries that compaction made. What turn analysis finds (`shifts`, `routine_turns`, the
    means) is null until it has `analysed` a message. `suggested_preset` is the one for its context window.

    `former_ids` are the ids that its conversation had before, oldest first, as they were when it began, and
    `starts_with` the summaries of those sessions that it began with.

    Of `unread` messages no facts are known yet; `parked` says why that waits for a person, null where it does not.

    `ignored` and `stateless` say whether today's patterns keep the session from being written, and `closed_by` which
    one; how many messages were refused is counted for all sessions together, in the status.
    """

    frontier: int
    rotated_at: datetime | None
    active_tokens: int
    pressure: float | None
    compactions: int
    summaries: dict[str, int]
    summary_tokens: int
    roles: dict[str, int]
    payloads: int
    payload_bytes: int
    memories: int
    unread: int
    parked: str | None
    unembedded: int
    last_message_at: datetime | None
    analysed: int
    shifts: int | None
    routine_turns: int | None
    mean_novelty: float | None
    mean_importance: float | None
    ignored: bool
    stateless: bool
    closed_by: str | None
    end: EndReceipt | None
    lineage: Lineage
    former_ids: tuple[str, ...]
    starts_with: tuple[str, ...]
    suggested_preset: str | None
    token_counter: str


class LoadedSession(Value):
    """A page of a session for a model. `next_cursor` is the `after` to go on with; the rest of a message that was cut
    is read by its id."""

    session: Session
    items: tuple[StoredMessage, ...]
    used_tokens: int
    truncated: bool
    next_cursor: str | None
    token_counter: str


class ExpandedMessage(Value):
    """A stretch of one message; where it has no words of its own `content` is the JSON of its parts."""

    message: StoredMessage
    used_tokens: int
    truncated: bool
    next_cursor: str | None
    token_counter: str


class ExpandedPayload(Value):
    """A stretch of a payload: of its text, or, where it is none, of its bytes in base64."""

    payload: PayloadRef
    encoding: Literal["text", "base64"]
    text: str
    used_tokens: int
    truncated: bool
    next_cursor: str | None
    token_counter: str


class Child(Value):
    """A part of what is described, with its beginning."""

    id: str
    kind: str
    preview: str


class ReadBy(Value):
    """How the rest is read: the HTTP route, and the MCP tool where there is one."""

    route: str
    tool: str | None


class Description(Value):
    """What something is, without reading it: its beginning, its properties, and counts of what hangs on it.

    `chars` is how long the whole is where it is a text, `depths` counts the summaries beneath by depth (`d0`, `d1` …),
    `children` are the first parts of `child_count`.
    """

    id: str
    kind: Kind
    preview: str
    preview_truncated: bool
    chars: int | None
    metadata: dict[str, Any]
    counts: dict[str, int]
    depths: dict[str, int] = Field(default_factory=dict)
    children: tuple[Child, ...]
    child_count: int
    read_by: ReadBy
