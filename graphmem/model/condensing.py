"""The session DAG above the sessions: its inputs, and what is to be written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

CONDENSE = "condense"
"""The job that condenses a project; its subject is the project, or '' for sessions without one."""
CONDENSE_ALL = "condense_all"
"""The job that condenses all projects of an agent."""
GroupKind = Literal["arc", "epoch"]
StepAction = Literal["build", "rebuild", "dissolve"]


@dataclass(frozen=True, slots=True)
class LineSession:
    """A session that has a summary, with it; `hidden` while it is archived."""

    session_id: str
    summary_id: str
    started_at: datetime
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class HeldGroup:
    """An arc or epoch as the graph holds it. `stale`: its sources may have changed; `marks` counts how often it was
    marked so; `hidden` while it is dissolved."""

    id: str
    kind: GroupKind
    number: int
    child_ids: tuple[str, ...]
    stale: bool
    marks: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """The sessions of one project, or of none, in the order in which they started, and the nodes above them."""

    sessions: Sequence[LineSession]
    groups: Sequence[HeldGroup]


@dataclass(frozen=True, slots=True)
class Step:
    """One node to rebuild or remove. `sessions` are the ids of the session summaries it covers, in order; `children`
    the numbers of the arcs of an epoch. `held` is the current node, if there is one."""

    action: StepAction
    kind: GroupKind
    number: int
    sessions: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    held: HeldGroup | None = None


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact extracted from a statement. `replaces`: it superseded an older one; `open`: it is not known to have
    ended."""

    id: str
    content: str
    kind: str
    aspect: str
    importance: float
    open: bool
    replaces: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a session: `place` counts the sessions of the node, `ordinal` the messages of a session.
    `replaced_by` are the statements whose facts retired all its facts."""

    id: str
    content: str
    type: str
    importance: float
    place: int
    ordinal: int
    facts: tuple[StatedFact, ...] = ()
    replaced_by: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of an arc or epoch, with the statement it comes from, and the fact where it is one."""

    text: str
    memory_id: str
    fact_id: str | None = None


@dataclass(frozen=True, slots=True)
class GroupRow:
    """An arc or epoch to be written. `by`: who wrote it, with its version; `expected_marks`: how often it was marked
    stale when its sources were read."""

    id: str
    kind: GroupKind
    number: int
    depth: int
    dag_key: str
    project: str | None
    content: str
    tokens: int
    method: Literal["extractive", "model"]
    by: str
    agent_key: str
    grams: str
    child_ids: tuple[str, ...]
    lines: tuple[ToldLine, ...]
    follows_key: str | None
    expected_marks: int
