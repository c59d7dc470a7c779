"""The state of an entity at a time, and the changes that restore it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from graphmem.model.rollback import EntityThen, Left, Retirement, RollbackPlan, RolledEdge, RolledFact, Successor

Link = TypeVar("Link", Successor, Retirement)


def plan_rollback(then: EntityThen, to: datetime) -> RollbackPlan:
    """The changes that restore the state at `to`: a pure difference, so that a second one is empty.

    What was learned later is retired, of any kind; what was superseded or archived later is active again; what was
    superseded then and restored later is superseded again. A fact or an edge that cannot be restored stays unchanged,
    and `left` says why. Merges, weights, pins and the support of a fact are not rolled back.
    """
    # A retired fact releases its key for a restored one, so it goes first.
    order = sorted(then.facts, key=lambda fact: (_holds_at(fact, to), fact.created_at, fact.id))
    taken = {fact.key: fact.id for fact in order if fact.status == "active" and _holds_at(fact, to)}
    steps = [_fact_step(fact, to, taken) for fact in order]
    restored = tuple(id_ for step in steps for id_ in step.restored)
    revived, stay = _edges_back(then.edges, to, frozenset(restored))
    return RollbackPlan(
        retired=tuple(id_ for step in steps for id_ in step.retired),
        closed=tuple(one for step in steps for one in step.closed),
        renewed=tuple(one for step in steps for one in step.renewed),
        released=tuple(one for step in steps for one in step.released),
        restored=restored,
        woken=tuple(id_ for step in steps for id_ in step.woken),
        rested=tuple(id_ for step in steps for id_ in step.rested),
        edges_retired=tuple(edge.id for edge in then.edges if edge.status == "active" and not _edge_holds_at(edge, to)),
        edges_revived=revived,
        left=(*(one for step in steps for one in step.left), *stay),
    )


def _fact_step(fact: RolledFact, to: datetime, taken: dict[str, str]) -> RollbackPlan:
    """The change of one fact; if it is restored, `taken` gets its key."""
    holds = _holds_at(fact, to)
    if fact.status in ("cold", "deleted") and not (fact.away and fact.away.at > to and holds):
        went_since = fact.gone_with and fact.retired_at and fact.retired_at > to
        reason = f"is in the cold tier with {fact.gone_with}: restore that first"
        return RollbackPlan(left=(Left(fact.id, reason),) if went_since and holds else ())
    if _down(fact.retirements, None) is None and not _known_at(fact, to):
        return RollbackPlan(retired=(fact.id,), rested=(fact.id,) if fact.status == "active" else ())
    if fact.created_at > to:
        return RollbackPlan()
    if not holds:
        return _down_again(fact, to, taken)
    if fact.status == "active":
        return RollbackPlan()
    if hindrance := _cannot_wake(fact, taken):
        return RollbackPlan(left=(Left(fact.id, hindrance),))
    taken[fact.key] = fact.id
    return RollbackPlan(
        closed=tuple((fact.id, one) for one in fact.successors if one.undone_at is None),
        released=tuple((fact.id, one) for one in fact.retirements if one.undone_at is None),
        restored=(fact.id,) if fact.away else (),
        woken=(fact.id,),
    )


def _down_again(fact: RolledFact, to: datetime, taken: dict[str, str]) -> RollbackPlan:
    """The changes of a fact that was superseded at that time: by its successor then, and by nothing else."""
    was, is_ = _down(fact.successors, to), _down(fact.successors, None)
    held = _down(fact.retirements, None)
    if was and is_ and (was.new_id, was.valid_to) == (is_.new_id, is_.valid_to):
        was = is_
    if was and was != is_ and was.new_status not in ("active", "superseded"):
        if fact.status == "active":
            taken[fact.key] = fact.id
        return RollbackPlan(left=(Left(fact.id, f"had given way to {was.new_id}, which is {was.new_status} now"),))
    return RollbackPlan(
        closed=((fact.id, is_),) if is_ and is_ != was else (),
        renewed=((fact.id, was),) if was and was != is_ else (),
        released=((fact.id, held),) if held and _down(fact.retirements, to) is None else (),
        rested=(fact.id,) if fact.status == "active" else (),
    )


def _known_at(fact: RolledFact, to: datetime) -> bool:
    return fact.created_at <= to and _down(fact.retirements, to) is None


def _holds_at(fact: RolledFact, to: datetime) -> bool:
    return _known_at(fact, to) and _down(fact.successors, to) is None


def _down(links: Iterable[Link], at: datetime | None) -> Link | None:
    """What keeps a fact retired at a time; None: now."""
    for link in links:
        if link.undone_at is None if at is None else link.at <= at and (link.undone_at is None or link.undone_at > at):
            return link
    return None


def _cannot_wake(fact: RolledFact, taken: dict[str, str]) -> str | None:
    if fact.key in taken:
        return f"says the same as {taken[fact.key]}, which stays active"
    if fact.memory_away:
        return f"was drawn from {fact.memory_away}, which is in the cold tier: restore that first"
    return None


def _edges_back(
    edges: Sequence[RolledEdge], to: datetime, restored: frozenset[str]
) -> tuple[tuple[str, ...], tuple[Left, ...]]:
    """Edges that are restored, and those that cannot be. One that went with a fact is restored with it."""
    taken = {edge.key: edge.id for edge in edges if edge.status == "active" and _edge_holds_at(edge, to)}
    revived: list[str] = []
    left: list[Left] = []
    for edge in edges:
        if edge.status == "active" or edge.gone_with in restored or not _edge_holds_at(edge, to):
            continue
        if edge.status != "superseded" and not edge.deleted_at:
            if edge.gone_with:
                left.append(Left(edge.id, f"went with {edge.gone_with}: restore that first"))
        elif edge.key in taken:
            left.append(Left(edge.id, f"was drawn anew as {taken[edge.key]}, which stays"))
        else:
            taken[edge.key] = edge.id
            revived.append(edge.id)
    return tuple(revived), tuple(left)


def _edge_holds_at(edge: RolledEdge, to: datetime) -> bool:
    retired = edge.status != "active" and edge.retired_at is not None and edge.retired_at <= to
    return edge.created_at <= to and not retired and not any(since <= to < until for since, until in edge.spells)
