"""Confidences that live, and how far the chores that look after them came."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.living import EdgeStanding, SettledEdge
from graphmem.services.ports.world import NewId


class LivingEdges(Protocol):
    async def edges(self, agent_id: str, after: str, limit: int) -> tuple[str | None, list[EdgeStanding]]: ...
    async def settle(self, agent_id: str, rows: Sequence[SettledEdge], new_id: NewId, now: datetime) -> list[str]: ...


class Marks(Protocol):
    async def mark(self, chore: str) -> tuple[str, str] | None: ...
    async def note_mark(self, chore: str, mark: tuple[str, str] | None) -> None: ...
