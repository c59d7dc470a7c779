"""A write with an idempotency key is carried out once: the one place that all doors go through."""

from asyncio import Lock
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakValueDictionary

from graphmem.model.caller import Caller, Once
from graphmem.model.value import Value
from graphmem.services.ports import Clock, Requests

Answer = TypeVar("Answer", bound=Value)


@dataclass(frozen=True)
class OnceOnly:
    """A service that writes in one transaction stores its answer there, so that both are there or neither. Of any other
    service (it leaves the work to a job, writes in batches, or writes nothing) the answer is stored once it is known.
    """

    requests: Requests
    clock: Clock
    _running: WeakValueDictionary[tuple[str, str], Lock] = field(default_factory=WeakValueDictionary)

    async def carry_out(self, agent_id: str, once: Once | None, work: Callable[[Caller], Awaitable[Answer]]) -> Answer:
        """The answer of `work`; a second request with the key waits for the first one.

        Errors: Replayed with the first answer; IdempotencyKeyReused; those of `work`, which use up no key.
        """
        if once is None:
            return await work(Caller(agent_id))
        async with self._running.setdefault((agent_id, once.key), Lock()):
            await self.requests.require_new(agent_id, once, self.clock())
            answer = await work(Caller(agent_id, once))
            if not once.kept:
                await self.requests.keep(agent_id, once, answer, self.clock())
            return answer
