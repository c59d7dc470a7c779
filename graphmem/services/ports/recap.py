"""What a recap is made of, and where it is put."""

from typing import Protocol

from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.recap import DrawnFact, Recap, RecapRow, ToldTurn


class Recaps(Protocol):
    async def turns(self, agent_id: str, session_id: str) -> list[ToldTurn]: ...
    async def facts(self, agent_id: str, session_id: str) -> list[DrawnFact]: ...
    async def store(self, caller: Caller, session_id: str, row: RecapRow, recap: Recap, event: EventRow) -> Recap: ...
