"""Backfill: sessions that the significance gate skipped are read after all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.model.answers import Backfill, BackfillItem
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.significance import SkippedSession
from graphmem.model.stored import JobStep
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
            return _told(None, await self.data.skipped(caller.agent_id, limit), limit)
        job_id = self.new_id()
        event = EventRow(self.new_id(), "backfill_asked", job_id, "api", self.clock())
        return _told(*await self.data.bypass(caller, passed_by_force, limit, job_id, event), limit)

    async def carry_on(self, agent_id: str, _subject_id: str, mark: Mapping[str, Any]) -> JobStep:
        """The job: read the next part of a session that passed, and summarise it behind the last one."""
        told = {"sessions": mark.get("sessions", 0), "memories": mark.get("memories", 0)}
        session_id, left = await self.data.to_read(agent_id)
        if session_id is None:
            return JobStep(result=told)
        read = await self.learning.read_session(agent_id, session_id)
        told["memories"] += read.memories
        if not read.more:
            await self.learning.summarise_session(agent_id, session_id)
            await self.data.read_done(agent_id, session_id)
            told["sessions"] += 1
        return JobStep.on(told, told["sessions"], mark.get("sessions", 0) + left)


def _told(job_id: str | None, found: Sequence[SkippedSession], limit: int) -> Backfill:
    items = tuple(BackfillItem(session_id=one.id, gate=one.gate) for one in found)
    return Backfill(job_id=job_id, affected=len(items), limit_reached=len(items) == limit, items=items)
