"""Backfill: sessions that the significance gate skipped are read after all."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.answers import Backfill, BackfillItem
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.significance import SkippedSession
from graphmem.rules.turns.significance import passed_by_force
from graphmem.services.knowledge.learning import Learning
from graphmem.services.ports import Clock, NewId, SkippedSessions


@dataclass(frozen=True)
class Backfilling:
    """The verdict on a backfilled session is forced to significant: the gate does not check it again until it gets a
    new message."""

    data: SkippedSessions
    learning: Learning
    clock: Clock
    new_id: NewId

    async def start(self, caller: Caller, *, dry_run: bool, limit: int) -> Backfill:
        """Have a worker read skipped sessions, `limit` at most, or only report which."""
        if dry_run:
            return _told(None, await self.data.skipped(caller.agent_id, limit))
        job_id = self.new_id()
        event = EventRow(self.new_id(), "backfill_asked", job_id, "api", self.clock())
        return _told(*await self.data.bypass(caller, passed_by_force, limit, job_id, event))

    async def carry_out(self, agent_id: str, _subject_id: str) -> object:
        """The job: read and summarise each session that passed. After an interruption it continues with the rest."""
        sessions = memories = 0
        session_id = await self.data.to_read(agent_id, "")
        while session_id is not None:
            read = await self.learning.read_whole(agent_id, session_id)
            await self.learning.summarise_session(agent_id, session_id)
            await self.data.read_done(agent_id, session_id)
            sessions, memories = sessions + 1, memories + read.memories
            session_id = await self.data.to_read(agent_id, session_id)
        return {"sessions": sessions, "memories": memories}


def _told(job_id: str | None, found: Sequence[SkippedSession]) -> Backfill:
    items = tuple(BackfillItem(session_id=one.id, gate=one.gate) for one in found)
    return Backfill(job_id=job_id, affected=len(items), items=items)
