"""The chores of the store: history is chained, old idempotency keys go, sessions nobody ended are ended."""

from dataclasses import dataclass
from datetime import timedelta

from graphmem.errors import NotFound
from graphmem.rules.history import chain
from graphmem.services.conversations import Conversations
from graphmem.services.ports import Clock, Upkeep

SEAL_BATCH = 500
SEAL_AGE_S = 2.0
"""Events younger than this may still be joined by earlier ones of a transaction that commits late."""
IDLE_BATCH = 100


@dataclass(frozen=True)
class Care:
    """Each method does a bounded part of one chore and says whether there is more."""

    upkeep: Upkeep
    conversations: Conversations
    session_idle_s: float
    clock: Clock

    async def seal_events(self) -> bool:
        """Chain new events by their hashes."""
        more = False
        for agent_id in await self.upkeep.agents_unsealed():
            before = self.clock() - timedelta(seconds=SEAL_AGE_S)
            waiting = await self.upkeep.unsealed_events(agent_id, before, SEAL_BATCH)
            if waiting.events:
                await self.upkeep.seal_events(agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events))
                more = more or len(waiting.events) == SEAL_BATCH
        return more

    async def forget_requests(self) -> bool:
        """Drop idempotency keys past their day."""
        return await self.upkeep.forget_requests(self.clock()) > 0

    async def end_idle_sessions(self) -> bool:
        """End sessions to which nothing was said for `session_idle_s` seconds, so that they are read and summarised.
        A message reopens an ended session: an end too early costs a little work, and nothing else."""
        idle = await self.upkeep.idle_sessions(self.clock() - timedelta(seconds=self.session_idle_s), IDLE_BATCH)
        for agent_id, session_id in idle:
            try:
                await self.conversations.end_idle(agent_id, session_id)
            except NotFound:
                continue  # it was erased meanwhile
        return len(idle) == IDLE_BATCH
