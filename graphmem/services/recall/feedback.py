"""Feedback on what the memory returned."""

from dataclasses import dataclass

from graphmem.model.caller import Caller
from graphmem.model.feedback import FeedbackReceipt, GiveFeedback
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, FeedbackRecords, NewId


@dataclass(frozen=True)
class FeedingBack:
    records: FeedbackRecords
    guards: Guards
    clock: Clock
    new_id: NewId

    async def give(self, caller: Caller, given: GiveFeedback) -> FeedbackReceipt:
        """Apply all of it, or nothing. Errors: NotFound for an unknown id; SessionStateless."""
        await self.guards.require_open(caller.agent_id, given.session_id)
        return await self.records.give(caller, given, self.new_id, self.clock())
