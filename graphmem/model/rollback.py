"""The current and past states of an entity's facts and edges, and what rolling it back to a day does to them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Successor:
    """A fact was superseded by `new_id` from `at` to `undone_at`, in the supersession `record_id`; `link_id` is the
    link. `new_status` is the current status of the newer fact, `rolled_back_by` the roll-back that undid the record, if
    one did."""

    link_id: str
    new_id: str
    new_status: str
    record_id: str
    valid_to: datetime
    at: datetime
    undone_at: datetime | None
    rolled_back_by: str | None


@dataclass(frozen=True, slots=True)
class Retirement:
    """A fact was retired by a roll-back from `at` to `undone_at`."""

    link_id: str
    rollback_id: str
    valid_to: datetime
    at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Away:
    """How a fact was removed by itself: deleted, or withdrawn because a newer extractor did not find it."""

    status: str
    before: str
    at: datetime
    reason: str
    note: str | None
    dependency_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RolledFact:
    """`memory_away`: an archived statement, where all sources of the fact are archived. `away` is None for a fact that
    is present, or that went with something else, which `gone_with` names if it would come back with that."""

    id: str
    key: str
    status: str
    superseded_by: str | None
    protected: bool
    kept: bool | None
    created_at: datetime
    valid_from: datetime
    retired_at: datetime | None
    successors: tuple[Successor, ...]
    retirements: tuple[Retirement, ...]
    memory_away: str | None = None
    gone_with: str | None = None
    away: Away | None = None

    @property
    def now(self) -> tuple[str, str | None, str | None]:
        """What shows a change: its status, its successor, and the roll-back that retired it."""
        back = [one.rollback_id for one in self.retirements if one.undone_at is None]
        return self.status, self.superseded_by, max(back, default=None)


@dataclass(frozen=True, slots=True)
class RolledEdge:
    """`spells`: the periods in which it was retired before it came back. `gone_with`: what it was archived with, if it
    would come back with that."""

    id: str
    key: str
    status: str
    created_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    retired_at: datetime | None
    deleted_at: datetime | None
    note: str | None
    gone_with: str | None
    cold_reason: str | None
    spells: tuple[tuple[datetime, datetime], ...]


@dataclass(frozen=True, slots=True)
class EntityThen:
    """Everything attached to an entity, in any state."""

    facts: tuple[RolledFact, ...]
    edges: tuple[RolledEdge, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """What stays unchanged although it was different then, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """Retirements and links by the id of their fact.

    `retired`: facts that were not known then. `closed`: supersessions that are undone. `renewed`: supersessions that
    hold again. `released`: earlier roll-backs that no longer retire a fact. `restored`: facts that had been archived or
    deleted. `woken` become active by it, `rested` no longer are.
    """

    retired: tuple[str, ...] = ()
    closed: tuple[tuple[str, Successor], ...] = ()
    renewed: tuple[tuple[str, Successor], ...] = ()
    released: tuple[tuple[str, Retirement], ...] = ()
    restored: tuple[str, ...] = ()
    woken: tuple[str, ...] = ()
    rested: tuple[str, ...] = ()
    edges_retired: tuple[str, ...] = ()
    edges_revived: tuple[str, ...] = ()
    left: tuple[Left, ...] = ()

    @property
    def touched(self) -> tuple[str, ...]:
        """All facts that change in some way."""
        linked = (id_ for id_, _ in (*self.closed, *self.renewed, *self.released))
        return tuple(sorted({*self.retired, *linked, *self.restored}))

    @property
    def empty(self) -> bool:
        return not (self.touched or self.edges_retired or self.edges_revived)


@dataclass(frozen=True, slots=True)
class RollbackJournal:
    """What a roll-back did, as it is stored with it: the plan, and the state of everything it changed, before and
    after. `spoken` are facts whose statements were restored with them."""

    plan: RollbackPlan
    facts: tuple[RolledFact, ...]
    edges: tuple[RolledEdge, ...]
    facts_after: dict[str, tuple[str, str | None, str | None]]
    edges_after: dict[str, str]
    spoken: tuple[str, ...]
