"""What stands beside an entity."""

from datetime import datetime
from typing import Protocol

from graphmem.model.exploring import Neighbour


class Neighbours(Protocol):
    async def neighbours(self, agent_id: str, entity_id: str, now: datetime, *, cold: bool) -> list[Neighbour]: ...
