"""Texts that are to be embedded anew."""

from typing import Protocol

from graphmem.model.inputs import HitKind
from graphmem.model.reindexing import TextsAnew


class ReindexData(Protocol):
    """Counting them, and taking the next ones."""

    async def counts(self, agent_id: str) -> dict[HitKind, int]: ...
    async def take(self, agent_id: str, after: str, limit: int, *, waiting: bool) -> TextsAnew | None: ...
    async def agent_after(self, after: str) -> str | None: ...
