"""Idempotency keys: a write and its answer are stored together, so that a repeat is answered but not executed."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from graphmem.errors import IdempotencyKeyReused
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction, WriteWork
from graphmem.model.caller import Caller, Once, Replayed
from graphmem.model.value import Value

KEEP = timedelta(hours=24)
Answer = TypeVar("Answer", bound=Value)


class RequestStore:
    """The answers of requests that carried an idempotency key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def require_new(self, agent_id: str, once: Once, now: datetime) -> None:
        """Errors: Replayed with the first answer, where there is one; IdempotencyKeyReused."""
        await self._database.read(lambda tx: request_unused(tx, agent_id, once, now))

    async def keep(self, agent_id: str, once: Once, answer: Value, now: datetime) -> None:
        """Store the answer of a write that stored it in no transaction of its own. Errors: as `require_new`, where
        another request with the key was faster."""

        async def work(_: WriteTransaction) -> Value:
            return answer

        await self._database.write(once_only(Caller(agent_id, once), now, work))


async def request_unused(tx: ReadTransaction, agent_id: str, once: Once, now: datetime) -> None:
    row = await tx.row("upkeep/request", agent_id=agent_id, key=once.key, oldest=now - KEEP)
    if row is not None:
        _refuse(once, row)


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
    if row is not None and row["used"]:
        _refuse(once, row)


def _refuse(once: Once, row: Mapping[str, Any]) -> None:
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


def once_only(caller: Caller, now: datetime, work: WriteWork[Answer]) -> WriteWork[Answer]:
    """`work`, to run once for the caller's idempotency key, if there is one; it returns what the service answers."""

    async def guarded(tx: WriteTransaction) -> Answer:
        once = caller.once
        if once is None:
            return await work(tx)
        await request_claim(tx, caller.agent_id, once, now)
        result = await work(tx)
        status, body = once.encode(result)
        await request_answer(tx, caller.agent_id, once.key, status, body)
        once.kept = True
        return result

    return guarded
