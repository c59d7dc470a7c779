"""Where feedback is kept."""

from datetime import datetime
from typing import Protocol

from graphmem.model.caller import Caller
from graphmem.model.feedback import FeedbackReceipt, GiveFeedback
from graphmem.services.ports.world import NewId


class FeedbackRecords(Protocol):
    async def give(self, caller: Caller, given: GiveFeedback, new_id: NewId, now: datetime) -> FeedbackReceipt: ...
