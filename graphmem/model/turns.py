"""Turns: messages as analysis sees them, and what it finds in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from graphmem.model.value import Value

Overlay = Literal["O1", "O2", "O3", "O4", "O5", "O6", "O7"]
OVERLAYS: tuple[Overlay, ...] = ("O1", "O2", "O3", "O4", "O5", "O6", "O7")
OVERLAY_NAMES: Mapping[Overlay, str] = {
    "O1": "structural",
    "O2": "security",
    "O3": "lineage",
    "O4": "mission",
    "O5": "operational",
    "O6": "mathematical",
    "O7": "coherence",
}
"""The names of the overlays for people. In answers, in the graph and in code they are O1 to O7."""

Scores = tuple[float, float, float, float, float, float, float]
"""A score from 0 to 10 for each of the overlays, in their order."""
Score = Annotated[float, Field(ge=0, le=10)]
Unit = Annotated[float, Field(ge=0, le=1)]
Via = Literal["meet", "keyword", "propagated", "probe"]
TurnClass = Literal["preserved", "summarized", "compressed"]
Formula = Literal["balanced", "additive"]


class Overlays(Value):
    """How much a turn is about each of the overlays, 0 to 10."""

    o1: Score = Field(0.0, alias="O1")
    o2: Score = Field(0.0, alias="O2")
    o3: Score = Field(0.0, alias="O3")
    o4: Score = Field(0.0, alias="O4")
    o5: Score = Field(0.0, alias="O5")
    o6: Score = Field(0.0, alias="O6")
    o7: Score = Field(0.0, alias="O7")

    @classmethod
    def of(cls, scores: Scores) -> "Overlays":
        return cls.model_validate(dict(zip(OVERLAYS, scores, strict=True)))

    @property
    def scores(self) -> Scores:
        return (self.o1, self.o2, self.o3, self.o4, self.o5, self.o6, self.o7)


class Evidence(Value):
    """One reason for a score. `items` are the words found, the anchors and facts met (by their ids), the turn that it
    was inherited from, or what each kind of feature adds to the probe's total; `cosine` is the raw similarity to the
    first of them, null for words and for the probe."""

    via: Via
    score: Score
    items: tuple[str, ...]
    cosine: float | None = None


class TurnReference(Value):
    """An earlier turn of the session that a turn means. `how`: named by its id, or found after a cue such as "as we
    said earlier"."""

    id: str
    message_id: str
    ordinal: int
    weight: float
    how: Literal["id", "cue"]


class TurnEdge(Value):
    """A turn beside another: the one before it, or an earlier one that says something much alike."""

    type: Literal["temporal", "semantic"]
    id: str
    message_id: str
    ordinal: int
    weight: float


class Turn(Value):
    """What analysis found in a message. `active` are the overlays it is about, by the threshold of the settings.
    `evidence`, `references` and `edges` are null unless they were asked for."""

    id: str
    message_id: str
    session_id: str
    ordinal: int
    role: str
    created_at: datetime
    overlays: Overlays
    active: tuple[Overlay, ...] = ()
    novelty: Unit
    novelty_raw: float
    importance: Annotated[int, Field(ge=1, le=10)]
    paradigm_shift: bool
    class_: TurnClass = Field(alias="class")
    tags: tuple[str, ...]
    analysed_at: datetime
    analyser: str
    evidence: dict[Overlay, tuple[Evidence, ...]] | None
    references: tuple[TurnReference, ...] | None
    edges: tuple[TurnEdge, ...] | None


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """Thresholds of analysis. What each means: graphmem/settings.py."""

    overlay_threshold: float = 5.0
    shift_novelty: float = 0.7
    preserve_threshold: int = 7
    routine_threshold: int = 3
    novelty_window: int = 10
    semantic_edge: float = 0.7
    formula: Formula = "balanced"


@dataclass(frozen=True, slots=True)
class KnownNear:
    """A fact or a statement known to the agent, near to a turn. `kind` is an attribute's, else a memory's type."""

    id: str
    text: str
    kind: str
    cosine: float


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """A message that waits for analysis. `vector` is None where it has none, or no words; `calls` is the JSON of its
    tool calls."""

    id: str
    message_id: str
    ordinal: int
    role: str
    text: str
    calls: str | None
    vector: tuple[float, ...] | None
    known: tuple[KnownNear, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """A message that was analysed before; `text` and `calls` (the JSON of its tool calls) only of the last ones."""

    id: str
    message_id: str
    ordinal: int
    scores: Scores
    importance: int
    vector: tuple[float, ...] | None
    text: str | None
    role: str = "user"
    calls: str | None = None


@dataclass(frozen=True, slots=True)
class WaitingSession:
    """A session some of whose messages wait for analysis, the first of them from `through` on."""

    agent_id: str
    session_id: str
    through: int


@dataclass(frozen=True, slots=True)
class Ready:
    """When a message can be analysed: once it has its vector; where `vectors` is false, once it was stored before a
    time. `dimensions` are those of comparable vectors, None where all are."""

    vectors: bool
    before: datetime
    dimensions: int | None = None


@dataclass(frozen=True, slots=True)
class WaitingTurns:
    """A session's next turns, in order, of those that wait from `expected` on; after them it is analysed up to
    `through`."""

    expected: int
    through: int
    turns: tuple[WaitingTurn, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """From a turn to an earlier one, by the store's own ids."""

    from_id: str
    to_id: str
    weight: float
    how: Literal["id", "cue"] | None = None


@dataclass(frozen=True, slots=True)
class AnalysedTurn:
    """What analysis found in a message; the links lead to earlier ones."""

    id: str
    scores: Scores
    evidence: Mapping[Overlay, tuple[Evidence, ...]]
    novelty: float
    novelty_raw: float
    importance: int
    shift: bool
    class_: TurnClass
    tags: tuple[str, ...]
    references: tuple[Link, ...]
    similar: tuple[Link, ...]
