"""The chores of the store: chain history, delete old idempotency keys, end idle sessions."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.errors import NotFound
from graphmem.model.stored import Said
from graphmem.rules.keeping.history import chain
from graphmem.rules.language.grams import grams, spoken
from graphmem.services.conversation.intake import Intake
from graphmem.services.ports import Clock, GrepTexts, Upkeep

SEAL_BATCH = 500
SEAL_AGE_S = 2.0
"""Events younger than this wait: a transaction that commits late may still add earlier ones."""
IDLE_BATCH = 100
GRAMS_READ, GRAMS_WRITTEN = 2_000, 200
"""Texts without grams that are found at a time, and whose grams are written at a time: finding them scans all texts,
and some are long."""


@dataclass(frozen=True)
class Housekeeping:
    """Each method does a bounded part of one chore and returns whether there is more."""

    upkeep: Upkeep
    conversations: Intake
    texts: GrepTexts
    session_idle_s: float
    clock: Clock

    async def seal_events(self) -> bool:
        """Chain new events by their hashes."""
        more = False
        for agent_id in await self.upkeep.agents_unsealed():
            sealed = await seal(self.upkeep, agent_id, self.clock() - timedelta(seconds=SEAL_AGE_S))
            more = more or sealed == SEAL_BATCH
        return more

    async def forget_requests(self) -> bool:
        """Delete expired idempotency keys."""
        return await self.upkeep.forget_requests(self.clock()) > 0

    async def fill_grams(self) -> bool:
        """Make the grams of texts that have none or older ones: of older stores and backups, and rewritten ones."""
        waiting = await self.texts.without_grams(GRAMS_READ)
        for start in range(0, len(waiting), GRAMS_WRITTEN):
            batch = waiting[start : start + GRAMS_WRITTEN]
            made = await asyncio.to_thread(lambda batch=batch: {one.node: _grams(one.said) for one in batch})  # type: ignore[misc]
            await self.texts.store_grams(made)
        return len(waiting) == GRAMS_READ

    async def end_idle_sessions(self) -> bool:
        """End sessions without a message for `session_idle_s` seconds, so that they reach the gate. A message reopens
        an ended session: an early end costs only a little work."""
        idle = await self.upkeep.idle_sessions(self.clock() - timedelta(seconds=self.session_idle_s), IDLE_BATCH)
        for agent_id, session_id in idle:
            try:
                await self.conversations.end_idle(agent_id, session_id)
            except NotFound:
                continue  # deleted meanwhile
        return len(idle) == IDLE_BATCH


def _grams(said: Said) -> str:
    return grams(spoken(said.search_text, said.tool_calls, said.parts))


async def seal(upkeep: Upkeep, agent_id: str, before: datetime) -> int:
    """Chain an agent's oldest unchained events; returns how many, a batch at most."""
    waiting = await upkeep.unsealed_events(agent_id, before, SEAL_BATCH)
    if waiting.events:
        await upkeep.seal_events(agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events))
    return len(waiting.events)
