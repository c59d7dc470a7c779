"""Feedback that fades."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.feedback import FadedRow, GivenStanding
from graphmem.services.ports.world import NewId


class FadingStandings(Protocol):
    async def agent_after(self, agent_id: str) -> str | None: ...
    async def session_ends(self, agent_id: str, limit: int) -> list[datetime]: ...
    async def standings(self, agent_id: str, after: str, limit: int) -> tuple[str | None, list[GivenStanding]]: ...
    async def fade(self, agent_id: str, rows: Sequence[FadedRow], new_id: NewId, now: datetime) -> list[str]: ...
