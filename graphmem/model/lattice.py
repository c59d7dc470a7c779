"""Lattice queries: what is asked, and the turns and pairs that are answered."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from graphmem.model.conversation import Role
from graphmem.model.inputs import Limit, OpaqueId
from graphmem.model.value import Value

TurnClass = Literal["preserved", "summarized", "compressed"]


class LatticeQuestion(Value):
    """`query` follows the grammar of docs/lattice.md. Without `session_id` all sessions of the agent are meant that
    are not archived."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "(O1 > 7) AND (O2 > 7)", "limit": 20}]})

    query: str
    session_id: OpaqueId | None = None
    limit: Limit = 50
    cursor: str | None = None


class Overlays(Value):
    """How a turn scores on each overlay, 0 to 10."""

    o1: float = Field(alias="O1")
    o2: float = Field(alias="O2")
    o3: float = Field(alias="O3")
    o4: float = Field(alias="O4")
    o5: float = Field(alias="O5")
    o6: float = Field(alias="O6")
    o7: float = Field(alias="O7")


class FoundTurn(Value):
    id: str
    message_id: str
    session_id: str
    ordinal: int
    role: Role
    overlays: Overlays
    novelty: float
    importance: int
    paradigm_shift: bool
    class_: TurnClass = Field(alias="class")


class TurnPair(Value):
    """Two turns, by the ids they were brought with, that mean something alike; `similarity` is the cosine of their
    vectors."""

    left: str
    right: str
    similarity: float
    left_id: str
    right_id: str
    left_session_id: str
    right_session_id: str


class LatticeAnswer(Value):
    """The turns of a query: sessions by their start, turns in order; or, where it asks for them by `~` or `->`, its
    pairs, best first. Of `->` the turns that are led to come too, with the pairs that lead to them."""

    items: tuple[FoundTurn, ...]
    pairs: tuple[TurnPair, ...] | None
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """Where a turn stands among all of an agent: in which session, and where in it."""

    started_at: datetime
    session_id: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    place: TurnPlace
    turn: FoundTurn


@dataclass(frozen=True, slots=True)
class Member:
    """A turn that is in some of several sets, which are named by their numbers."""

    id: str
    message_id: str
    session_id: str
    sets: tuple[int, ...]
