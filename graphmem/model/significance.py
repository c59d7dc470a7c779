"""The input of the significance gate, and its verdict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.answers import Gate
from graphmem.model.change import EventRow

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message as the gate reads it: the speaker and the first words."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session that ended before. `mean` is its mean vector where that is stored, else `vectors` are those of messages
    spread over it; `ready`: none of its messages waits for one. `through`: the ordinal after its last message."""

    id: str
    through: int
    mean: Vector | None
    vectors: Sequence[Vector]
    ready: bool


@dataclass(frozen=True, slots=True)
class GateFigures:
    """Everything the gate examines, as read by one statement. `important` holds the canonical names of each entity that
    is pinned or often mentioned; `ready`: no message of the session waits for its vector."""

    said: Sequence[Spoken]
    important: Sequence[Sequence[str]]
    ready: bool
    vectors: Sequence[Vector]
    ended: Sequence[EndedSession]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`mean` is the session's own mean vector, None while vectors are missing; `means` holds those of other sessions
    that were computed on the way, with the ordinals after their last messages."""

    gate: Gate
    mean: Vector | None = None
    means: Mapping[str, tuple[int, Vector]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ending:
    """A session about to end. `decide` is the gate; `event` records the end, `skipped` a verdict against reading it."""

    job_id: str
    decide: Callable[[GateFigures], Verdict]
    event: EventRow
    skipped: EventRow


@dataclass(frozen=True, slots=True)
class SkippedSession:
    """A session that the gate kept from being read."""

    id: str
    gate: Gate
