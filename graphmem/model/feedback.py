"""Feedback on what the memory returned, and the weights it changed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from graphmem.model.inputs import OpaqueId
from graphmem.model.value import Value

MAX_ITEMS = 100
TargetKind = Literal["message", "memory", "summary", "entity", "attribute", "aspect", "dependency"]


class FeedbackItem(Value):
    id: Annotated[str, StringConstraints(min_length=1, max_length=256)]
    score: Annotated[float, Field(ge=-1, le=1)]


class GiveFeedback(Value):
    """Each id once; an opposite score takes back what was given."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"items": [{"id": "0199aaaa-0000-7000-8000-000000000000", "score": 1}]}]}
    )

    items: Annotated[tuple[FeedbackItem, ...], Field(min_length=1, max_length=MAX_ITEMS)]
    session_id: OpaqueId | None = None

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len({item.id for item in self.items}) < len(self.items):
            raise ValueError("must name each id once")
        return self


class WeightChange(Value):
    """A weight as it was and as it is: of an aspect, the strength of a dependency, else the standing from -1 to 1."""

    id: str
    before: float
    after: float


class FeedbackReceipt(Value):
    """`applied`: how many items there were. `changed` also names the aspects of facts; not what a bound held.
    `restored`: what good feedback brought back from the cold tier, and what came with it."""

    applied: int
    changed: tuple[WeightChange, ...]
    restored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a thing that was requested as `asked`. `weight` is None where only its standing changes; `own`: its
    recorded weight without feedback."""

    asked: str
    id: str
    kind: TargetKind
    weight: float | None
    own: float | None
    feedback: float


@dataclass(frozen=True, slots=True)
class MovedRow:
    """A thing after feedback."""

    id: str
    kind: TargetKind
    score: float
    before: float
    after: float
    own: float | None
    feedback: float


@dataclass(frozen=True, slots=True)
class GivenStanding:
    """The standing of a thing by feedback, and since when: its last feedback, or its last fading."""

    standing: Standing
    since: datetime


@dataclass(frozen=True, slots=True)
class FadedRow:
    """A thing after fading from `stood`: `sessions` had ended since, the last one at `through`."""

    moved: MovedRow
    stood: float
    sessions: int
    through: datetime
