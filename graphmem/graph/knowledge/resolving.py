"""Verdicts of a caller on pairs of facts: several at once, all of them or none."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict
from graphmem.graph.connection import Database, WriteTransaction
from graphmem.graph.knowledge.cold import attribute_delete, attribute_lock
from graphmem.graph.knowledge.superseding import find, locked, of_pair, reject, require_retirable, retired, undone
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.answers import Resolved, Settled
from graphmem.model.caller import Caller
from graphmem.model.change import Deciding, Settling, SupersessionRow
from graphmem.model.inputs import Verdict
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import derived_id

Row = dict[str, Any]
_CONFIDENCE = 1.0


@dataclass(frozen=True)
class _Done:
    """What a verdict wrote: its history, and the id of its record, if it has one."""

    lines: Sequence[Line]
    record_id: str | None


class ResolvingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def resolve(self, caller: Caller, items: Sequence[Settling], deciding: Deciding) -> Resolved:
        """Carry out the verdicts in their order, in one transaction that includes their history.

        A verdict that holds already changes nothing. Errors: NotFound; Conflict, with what prevents one of them: then
        none is carried out.
        """

        async def work(tx: WriteTransaction) -> Resolved:
            agent_id = caller.agent_id
            await locked(tx, agent_id, *sorted({id_ for one in items for id_ in (one.id, one.other) if id_}))
            lines: list[Line] = []
            settled: list[Settled] = []
            for place, item in enumerate(items):
                own = replace(deciding, new_id=derived_id(deciding.new_id, str(place)))
                done = await _CARRY_OUT[item.verdict](tx, agent_id, item, own)
                lines += done.lines
                record = await find(tx, agent_id, done.record_id) if done.record_id else None
                settled.append(Settled(id=item.id, with_=item.other, verdict=item.verdict, supersession=record))
            await events_write(tx, agent_id, told(lines, "api", deciding.now, [deciding.event_id]))
            return Resolved(settled=tuple(settled))

        return await self._database.write(once_only(caller, deciding.now, work))


async def _supersedes(tx: WriteTransaction, agent_id: str, item: Settling, deciding: Deciding) -> _Done:
    """The first fact retires the other one."""
    old, new = item.pair[1], item.pair[0]
    lines = await _withdrawn(tx, agent_id, new, old, deciding)
    return await _retired(tx, agent_id, old, new, deciding, deciding.reason, lines)


async def _same(tx: WriteTransaction, agent_id: str, item: Settling, deciding: Deciding) -> _Done:
    """The older one gets the sources of the newer one, which is retired as a repeat: it never held by itself."""
    facts = await locked(tx, agent_id, *item.pair)
    first, repeat = sorted(item.pair, key=lambda id_: _age(facts[id_]))
    lines = await _withdrawn(tx, agent_id, first, repeat, deciding)
    if not await _stands(tx, agent_id, repeat, first):
        await confirm(tx, agent_id, first, repeat)
    reason = deciding.reason or "It says the same as the older fact."
    return await _retired(tx, agent_id, repeat, first, deciding, reason, lines)


async def _both(tx: WriteTransaction, agent_id: str, item: Settling, deciding: Deciding) -> _Done:
    """Both hold: what one of them retired is undone, and no pass compares the two again."""
    facts = await locked(tx, agent_id, *item.pair)
    old, new = sorted(item.pair, key=lambda id_: _age(facts[id_]))
    lines = await _withdrawn(tx, agent_id, new, old, deciding)
    if await _stands(tx, agent_id, old, new):
        lines += await _undone(tx, agent_id, old, new, deciding)
    id_, before = await keep_both(tx, agent_id, old, new, deciding)
    if before != "rejected":
        after = {"status": "rejected", "by": new, "supersession": id_}
        lines.append(Line("supersession_rejected", old, {"status": before} if before else None, after, deciding.reason))
    return _Done(lines, id_)


async def _wrong(tx: WriteTransaction, agent_id: str, item: Settling, deciding: Deciding) -> _Done:
    """The fact is deleted. What it retired of the other one holds again."""
    lines: list[Line] = []
    if item.other:
        lines = await _withdrawn(tx, agent_id, item.other, item.id, deciding)
        lines += await _rejected(tx, agent_id, item.id, item.other, deciding)
    fact = await attribute_lock(tx, agent_id, item.id)
    _require_no_constraint((await locked(tx, agent_id, item.id))[item.id])
    if fact["status"] in ("cold", "deleted"):
        return _Done(lines, None)
    gone = await attribute_delete(tx, agent_id, item.id, deciding.reason, deciding.now)
    after = {"status": "deleted"}
    lines.append(Line("attribute_deleted", item.id, {"status": fact["status"]}, after, deciding.reason))
    lines += [Line("dependency_archived", id_) for id_ in gone["coldDependencyIds"]]
    return _Done(lines, None)


_Verdict = Callable[[WriteTransaction, str, Settling, Deciding], Awaitable[_Done]]
_CARRY_OUT: Mapping[Verdict, _Verdict] = {"same": _same, "supersedes": _supersedes, "both": _both, "wrong": _wrong}


def _age(fact: Row) -> tuple[datetime, datetime, str]:
    """As the rules tell the newer of two facts."""
    return fact["saidAt"] or fact["validFrom"], fact["createdAt"], fact["id"]


async def _retired(
    tx: WriteTransaction,
    agent_id: str,
    old: str,
    new: str,
    deciding: Deciding,
    reason: str | None,
    before: Sequence[Line],
) -> _Done:
    """One fact retires the other; `before` happened for that already."""
    facts = await locked(tx, agent_id, old, new)
    _require_no_constraint(facts[old])
    there = await of_pair(tx, agent_id, old, new)
    record = await find(tx, agent_id, there) if there else None
    if record and record.status == "applied":
        return _Done(before, record.id)
    require_retirable(facts[old], facts[new])
    row = SupersessionRow(
        id=deciding.new_id,
        old=old,
        new=new,
        signals=record.signals if record else (),
        confidence=record.confidence if record else _CONFIDENCE,
        method=record.method if record else "user",
        by=None if record else "user",
        reason=reason or (record.reason if record else None),
        valid_to=facts[new]["validFrom"],
        asked=True,
        accepted=record is not None and record.method != "user",
    )
    lines = await retired(tx, agent_id, row, deciding)
    return _Done([*before, *lines], await of_pair(tx, agent_id, old, new))


async def _withdrawn(tx: WriteTransaction, agent_id: str, old: str, new: str, deciding: Deciding) -> list[Line]:
    """The history of a retirement that a verdict takes back: it is undone, or its proposal is rejected."""
    if await _stands(tx, agent_id, old, new):
        return await _undone(tx, agent_id, old, new, deciding)
    return await _rejected(tx, agent_id, old, new, deciding)


async def _stands(tx: WriteTransaction, agent_id: str, old: str, new: str) -> bool:
    """Whether the one is superseded by the other."""
    id_ = await of_pair(tx, agent_id, old, new)
    return id_ is not None and (await find(tx, agent_id, id_)).status == "applied"


async def _undone(tx: WriteTransaction, agent_id: str, old: str, new: str, deciding: Deciding) -> list[Line]:
    id_ = await of_pair(tx, agent_id, old, new)
    if id_ is None:
        return []
    record = await find(tx, agent_id, id_)
    return await undone(tx, agent_id, record, await locked(tx, agent_id, old, new), deciding, goes_back=False)


async def _rejected(tx: WriteTransaction, agent_id: str, old: str, new: str, deciding: Deciding) -> list[Line]:
    id_ = await of_pair(tx, agent_id, old, new)
    if id_ is None or not await reject(tx, agent_id, id_, deciding.now):
        return []
    before = {"status": "proposed", "supersession": id_}
    after = {"status": "rejected", "by": new, "supersession": id_}
    return [Line("supersession_rejected", old, before, after, deciding.reason)]


def _require_no_constraint(fact: Row) -> None:
    """Errors: Conflict for a constraint, with what a person can do."""
    if fact["kind"] == "constraint":
        raise Conflict(
            f"{fact['id']} is a constraint: no verdict retires one. A person can, with a reason: POST "
            f"/api/memory/supersede, or DELETE /api/memory/{fact['id']}."
        )


async def confirm(tx: WriteTransaction, agent_id: str, id_: str, repeat_id: str) -> None:
    await tx.rows("superseding/confirm", agent_id=agent_id, id=id_, repeat_id=repeat_id)


async def keep_both(
    tx: WriteTransaction, agent_id: str, old_id: str, new_id: str, deciding: Deciding
) -> tuple[str, str | None]:
    """The id of the record that both hold, and its status before, None for a new one."""
    (row,) = await tx.rows(
        "superseding/keep_both",
        agent_id=agent_id,
        old_id=old_id,
        new_id=new_id,
        id=deciding.new_id,
        reason=deciding.reason,
        now=deciding.now,
    )
    return row["id"], row["before"]
