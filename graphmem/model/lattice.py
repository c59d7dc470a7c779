"""Lattice queries: the question, and the turns and pairs of the answer."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import ConfigDict

from graphmem.model.inputs import Limit, OpaqueId
from graphmem.model.turns import Turn
from graphmem.model.value import Value


class LatticeQuestion(Value):
    """`query` follows the grammar of docs/lattice.md. Without `session_id` all sessions of the agent are meant that
    are not archived."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "(O1 > 7) AND (O2 > 7)", "limit": 20}]})

    query: str
    session_id: OpaqueId | None = None
    limit: Limit = 50
    cursor: str | None = None


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

    items: tuple[Turn, ...]
    pairs: tuple[TurnPair, ...] | None
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """The place of a turn among all turns of an agent: its session, and its place in it."""

    started_at: datetime
    session_id: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    place: TurnPlace
    turn: Turn


@dataclass(frozen=True, slots=True)
class Member:
    """A turn that is in some of several numbered sets."""

    id: str
    message_id: str
    session_id: str
    sets: tuple[int, ...]
