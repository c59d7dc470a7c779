"""Idempotency keys: a write and its answer are stored together, so that a repeat is answered but not executed."""

from datetime import datetime, timedelta
from typing import NoReturn

from graphmem.errors import IdempotencyKeyReused
from graphmem.graph.connection import Database, Result, WriteTransaction, WriteWork
from graphmem.model.caller import Caller, Once, Replayed

KEEP = timedelta(hours=24)


async def request_claim(tx: WriteTransaction, agent_id: str, once: Once, now: datetime) -> None:
    """Claim the key for this transaction; its unique index makes another request with the same key wait.

    Errors: Replayed with the first answer; IdempotencyKeyReused when the key came with another route or body.
    """
    row = await tx.row(
        "upkeep/request_claim",
        agent_id=agent_id,
        key=once.key,
        route=once.route,
        body_hash=once.body_hash,
        now=now,
        oldest=now - KEEP,
    )
    if row is None or not row["used"]:
        return
    if (row["route"], row["bodyHash"]) != (once.route, once.body_hash):
        raise IdempotencyKeyReused(
            f"The Idempotency-Key {once.key!r} was used for another request. Use a new key for a new request."
        )
    raise Replayed(row["status"], row["body"])


async def request_answer(tx: WriteTransaction, agent_id: str, key: str, status: int, body: str) -> None:
    await tx.rows("upkeep/request_answer", agent_id=agent_id, key=key, status=status, body=body)


async def requests_forget(tx: WriteTransaction, now: datetime, limit: int) -> int:
    """Delete expired keys; how many there were, at most `limit`."""
    row = await tx.row("upkeep/requests_forget", oldest=now - KEEP, limit=limit)
    return int(row["dropped"]) if row else 0


def once_only(caller: Caller, now: datetime, work: WriteWork[Result]) -> WriteWork[Result]:
    """`work`, to run once for the caller's idempotency key, if there is one."""

    async def guarded(tx: WriteTransaction) -> Result:
        if caller.once is None:
            return await work(tx)
        await request_claim(tx, caller.agent_id, caller.once, now)
        result = await work(tx)
        status, body = caller.once.encode(result)
        await request_answer(tx, caller.agent_id, caller.once.key, status, body)
        return result

    return guarded


class _NotYet(Exception):
    """The idempotency key was not used: release the claim."""


async def require_new(database: Database, caller: Caller, now: datetime) -> None:
    """For work that takes several transactions: refuse a key that was used. Errors: Replayed, IdempotencyKeyReused."""
    once = caller.once
    if once is None:
        return

    async def work(tx: WriteTransaction) -> NoReturn:
        await request_claim(tx, caller.agent_id, once, now)
        raise _NotYet

    try:
        await database.write(work)
    except _NotYet:
        return


async def keep_answer(database: Database, caller: Caller, answer: Result, now: datetime) -> Result:
    """Store the answer of such work for a repeat. Errors: Replayed where a repeat was faster."""
    if caller.once is None:
        return answer

    async def work(_: WriteTransaction) -> Result:
        return answer

    return await database.write(once_only(caller, now, work))
