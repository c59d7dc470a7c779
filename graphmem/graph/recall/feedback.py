"""Feedback, stored line by line, and the changes it makes, in one transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime

from graphmem.errors import NotFound
from graphmem.graph.connection import Database, WriteTransaction
from graphmem.graph.knowledge.cold import ColdKind, bring_back
from graphmem.graph.operation.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.model.caller import Caller
from graphmem.model.feedback import FeedbackReceipt, GiveFeedback, MovedRow, Standing, WeightChange
from graphmem.rules.keeping.feedback import moves
from graphmem.rules.keeping.history import Line, told


class FeedbackStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(
        self, caller: Caller, given: GiveFeedback, new_id: Callable[[], str], now: datetime
    ) -> FeedbackReceipt:
        """Runs once for an idempotency key. Errors: NotFound names the unknown ids; then nothing is written."""
        scores = {item.id: item.score for item in given.items}

        async def work(tx: WriteTransaction) -> FeedbackReceipt:
            good = sorted(id_ for id_, score in scores.items() if score > 0)
            back = [
                line
                for id_, kind in await cold_targets(tx, caller.agent_id, good)
                for line in await bring_back(tx, caller.agent_id, id_, kind, "It was given good feedback.")
            ]
            standings = await targets_lock(tx, caller.agent_id, sorted(scores))
            unknown = sorted(scores.keys() - {standing.asked for standing in standings})
            if unknown:
                raise NotFound(f"There is nothing with the id {unknown[0]!r} to give feedback to; nothing was applied.")
            rows = moves(standings, scores)
            await store(tx, caller.agent_id, rows, given.session_id, [new_id() for _ in rows], now)
            lines = [
                Line("feedback", row.id, {"weight": row.before}, {"weight": row.after, "score": row.score})
                for row in rows
            ]
            await events_write(tx, caller.agent_id, told([*back, *lines], "user", now, [new_id()]))
            return FeedbackReceipt(
                applied=len(scores),
                changed=tuple(
                    WeightChange(id=row.id, before=row.before, after=row.after)
                    for row in rows
                    if row.before != row.after
                ),
                restored=tuple(line.subject_id for line in back if line.kind.endswith("_restored")),
            )

        return await self._database.write(once_only(caller, now, work))


async def cold_targets(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[tuple[str, ColdKind]]:
    """(id, kind) of what is in the cold tier."""
    rows = await tx.rows("feedback/cold_targets", agent_id=agent_id, ids=list(ids)) if ids else []
    return [(row["id"], row["kind"]) for row in rows]


async def targets_lock(tx: WriteTransaction, agent_id: str, ids: Sequence[str]) -> list[Standing]:
    rows = await tx.rows("feedback/targets_lock", agent_id=agent_id, ids=list(ids))
    return [
        Standing(row["asked"], row["id"], row["kind"], row["weight"], row["own"], row["feedback"] or 0.0)
        for row in rows
    ]


async def store(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[MovedRow],
    session_id: str | None,
    ids: Sequence[str],
    now: datetime,
) -> None:
    await tx.rows(
        "feedback/store",
        agent_id=agent_id,
        session_id=session_id,
        now=now,
        rows=[
            {
                "feedbackId": id_,
                "id": row.id,
                "kind": row.kind,
                "score": row.score,
                "before": row.before,
                "after": row.after,
                "own": row.own,
                "feedback": row.feedback,
            }
            for id_, row in zip(ids, rows, strict=True)
        ],
    )
