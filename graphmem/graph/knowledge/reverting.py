"""The order of writes in a roll-back and its undoing: a retired item releases its key before another takes it."""

from collections.abc import Sequence
from typing import Any

from graphmem.errors import Conflict
from graphmem.graph.connection import ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.beliefs import (
    edges,
    edges_retire,
    edges_revive,
    facts_rest,
    facts_send,
    facts_wake,
    links_close,
    links_open,
    retirements_close,
    retirements_open,
)
from graphmem.graph.knowledge.cold import attribute_restore
from graphmem.graph.knowledge.learning import memories_reach, memories_restate
from graphmem.graph.knowledge.superseding import equal_fact, memories_revive
from graphmem.model.change import Deciding
from graphmem.model.rollback import RollbackJournal, RollbackPlan, RolledEdge, RolledFact, Successor
from graphmem.rules.keeping.history import Line
from graphmem.rules.language.keys import derived_id

Row = dict[str, Any]


async def carry_out(
    tx: WriteTransaction, agent_id: str, id_: str, journal: RollbackJournal, deciding: Deciding
) -> tuple[list[Line], list[str]]:
    """Roll back; returns the history lines, and the facts whose statements were restored. Keys are released first."""
    plan, now = journal.plan, deciding.now
    before = {fact.id: fact for fact in journal.facts}
    await links_close(tx, agent_id, [_link_row(fact_id, one, id_) for fact_id, one in plan.closed], now)
    await retirements_close(
        tx, agent_id, [{"factId": fact_id, "rollbackId": one.rollback_id} for fact_id, one in plan.released], now
    )
    await retirements_open(tx, agent_id, [_retirement_row(fact_id, id_, id_) for fact_id in plan.retired], now)
    opened = [_link_row(fact_id, one, None) | {"id": derived_id(id_, one.link_id)} for fact_id, one in plan.renewed]
    await links_open(tx, agent_id, opened, now)
    down = [one for one in plan.touched if one not in plan.woken]
    await facts_rest(tx, agent_id, down, now)
    await memories_reach(tx, agent_id, down)
    for fact_id in plan.restored:
        await attribute_restore(tx, agent_id, fact_id, True)
    await _wake(tx, agent_id, [before[fact_id] for fact_id in plan.woken])
    edges_before = {edge.id: edge for edge in journal.edges}
    gone = await edges_retire(
        tx,
        agent_id,
        [
            {"id": one, "status": "superseded", "validTo": edges_before[one].valid_from or now, "rollbackId": id_}
            | {"deletedAt": None, "note": None}
            for one in plan.edges_retired
        ],
        now,
    )
    back = await edges_revive(tx, agent_id, [_edge_row(edges_before[one], None) for one in plan.edges_revived], now)
    restated = await memories_restate(tx, agent_id, list(plan.rested), True)
    revived = {fact_id: await memories_revive(tx, agent_id, fact_id) for fact_id in plan.woken}
    after = {"rollback": id_}
    lines = [
        *(
            _fact_line("attribute_rolled_back", before[one], "superseded", after, deciding.reason)
            for one in plan.retired
        ),
        *(
            _fact_line("attribute_rolled_back", before[one], "superseded", after | {"by": to.new_id}, deciding.reason)
            for one, to in plan.renewed
        ),
        *(_fact_line("attribute_revived", before[one], "active", after, deciding.reason) for one in plan.woken),
        *_others(restated, [one for ids in revived.values() for one in ids], gone, back, after, deciding.reason),
    ]
    return lines, [fact_id for fact_id, ids in revived.items() if ids]


async def take_back(
    tx: WriteTransaction,
    agent_id: str,
    id_: str,
    journal: RollbackJournal,
    current: dict[str, RolledFact],
    deciding: Deciding,
) -> list[Line]:
    """Undo a roll-back; returns the history lines. Errors: Conflict where something cannot be restored."""
    plan, now = journal.plan, deciding.now
    before = {fact.id: fact for fact in journal.facts}
    await _require_free(tx, agent_id, plan, current)
    # The link may not be the roll-back's own: a later roll-back that was undone created it again.
    renewed = [
        _link_row(fact_id, one, was.rolled_back_by)
        for fact_id, was in plan.renewed
        for one in current[fact_id].successors
        if one.undone_at is None
    ]
    await links_close(tx, agent_id, renewed, now)
    await retirements_close(tx, agent_id, [{"factId": one, "rollbackId": id_} for one in plan.retired], now)
    await retirements_open(
        tx,
        agent_id,
        [_retirement_row(fact_id, one.rollback_id, deciding.new_id) for fact_id, one in plan.released],
        now,
    )
    opened = [
        _link_row(fact_id, one, None) | {"id": derived_id(deciding.new_id, one.link_id), "closedId": one.link_id}
        for fact_id, one in plan.closed
    ]
    done = await links_open(tx, agent_id, opened, now)
    for row in opened:
        if row["id"] not in done:  # archived since
            raise Conflict(f"{row['newId']}, to which {row['oldId']} gave way, is away: restore it first.")
    restored = [before[one] for one in plan.restored]
    sent = [fact for fact in restored if fact.away and fact.away.before == "active"]
    edges_before = {edge.id: edge for edge in journal.edges}
    await facts_send(tx, agent_id, [_away_row(fact, journal.edges) for fact in sent], now)
    woken = [one for one in plan.touched if before[one].status == "active"]
    down = [one for one in plan.touched if one not in woken and before[one] not in sent]
    await facts_rest(tx, agent_id, down, now)
    await memories_reach(tx, agent_id, down)
    await facts_send(tx, agent_id, [_away_row(fact, journal.edges) for fact in restored if fact not in sent], now)
    await _wake(tx, agent_id, [current[one] for one in woken])
    gone = await edges_retire(tx, agent_id, [_edge_row(edges_before[one], None) for one in plan.edges_revived], now)
    rows = [_edge_row(edges_before[one], await _edge_key(tx, agent_id, one)) for one in plan.edges_retired]
    back = await edges_revive(tx, agent_id, rows, now)
    if missing := sorted(set(plan.edges_retired) - set(back)):
        raise Conflict(f"The dependency {missing[0]} was drawn anew since: retire that one first.")
    restated = await memories_restate(tx, agent_id, list(journal.spoken), True)
    revived = [one for fact_id in woken for one in await memories_revive(tx, agent_id, fact_id)]
    after = {"undone": id_}
    facts_back = [
        _fact_line(
            "attribute_revived" if fact.status == "active" else "attribute_rolled_back",
            current[fact.id],
            fact.status,
            after | ({"by": fact.superseded_by} if fact.superseded_by else {}),
            deciding.reason,
        )
        for fact in journal.facts
    ]
    return [*facts_back, *_others(restated, revived, gone, back, after, deciding.reason)]


async def _require_free(tx: ReadTransaction, agent_id: str, plan: RollbackPlan, current: dict[str, RolledFact]) -> None:
    """Errors: Conflict where a fact that was active before cannot be so again."""
    for id_ in plan.rested:
        fact = current[id_]
        equal = await equal_fact(tx, agent_id, fact.key)
        if equal and equal not in plan.woken:
            raise Conflict(f"{equal} says the same and is active: {id_} cannot be active beside it.")
        if fact.memory_away:
            away = fact.memory_away
            raise Conflict(f"{id_} was drawn from {away}, which is cold: POST /api/memory/{away}/restore first.")


async def _wake(tx: WriteTransaction, agent_id: str, woken: Sequence[RolledFact]) -> None:
    done = await facts_wake(tx, agent_id, [{"id": fact.id, "key": fact.key} for fact in woken])
    for fact in woken:
        if fact.id not in done:
            raise Conflict(f"{fact.id} cannot be active again as things are: look at it, and ask again.")


async def _edge_key(tx: ReadTransaction, agent_id: str, id_: str) -> str:
    """The key an edge has between the ends that it has now."""
    return (await edges(tx, agent_id, [id_]))[0].key


def _link_row(fact_id: str, link: Successor, rolled_back_by: str | None) -> Row:
    return {
        "oldId": fact_id,
        "newId": link.new_id,
        "linkId": link.link_id,
        "recordId": link.record_id,
        "validTo": link.valid_to,
        "rolledBackBy": rolled_back_by,
    }


def _retirement_row(fact_id: str, rollback_id: str, new_id: str) -> Row:
    return {"id": derived_id(new_id, fact_id), "factId": fact_id, "rollbackId": rollback_id}


def _away_row(fact: RolledFact, with_it: Sequence[RolledEdge]) -> Row:
    away = fact.away
    if away is None:
        raise TypeError(f"{fact.id} was not away")
    return {
        "id": fact.id,
        "status": away.status,
        "before": away.before,
        "at": away.at,
        "reason": away.reason,
        "note": away.note,
        "kept": fact.kept,
        "dependencyIds": list(away.dependency_ids),
        "edges": [
            {"id": edge.id, "status": edge.status, "reason": edge.cold_reason}
            for edge in with_it
            if edge.gone_with == fact.id
        ],
    }


def _edge_row(edge: RolledEdge, key: str | None) -> Row:
    """An edge as it was before."""
    return {
        "id": edge.id,
        "key": key or edge.key,
        "status": edge.status,
        "validTo": edge.valid_to,
        "deletedAt": edge.deleted_at,
        "note": edge.note,
        "rollbackId": None,
    }


def _fact_line(kind: str, fact: RolledFact, status: str, after: Row, reason: str | None) -> Line:
    before = {"status": fact.status} | ({"by": fact.superseded_by} if fact.superseded_by else {})
    return Line(kind, fact.id, before, {"status": status} | after, reason)


def _others(
    restated: Sequence[str],
    revived: Sequence[str],
    gone: Sequence[str],
    back: Sequence[str],
    after: Row,
    reason: str | None,
) -> list[Line]:
    """The history lines of statements and edges."""
    is_, was = {"status": "active"}, {"status": "superseded"}
    return [
        *(Line("memory_superseded", id_, is_, was | after, reason) for id_ in restated),
        *(Line("memory_revived", id_, was, is_ | after, reason) for id_ in revived),
        *(Line("dependency_retired", id_, is_, was | after, reason) for id_ in gone),
        *(Line("dependency_revived", id_, was, is_ | after, reason) for id_ in back),
    ]
