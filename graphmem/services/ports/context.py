"""What a context is assembled from."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.context import ContextFrame, Injection, OlderTurn, SaidMessage, Wanted


class ContextReads(Protocol):
    """All but the words of a session's messages, then those that are wanted."""

    async def frame(self, agent_id: str, session_id: str, now: datetime) -> ContextFrame | None: ...
    async def said(self, agent_id: str, session_id: str, wanted: Wanted) -> list[SaidMessage]: ...
    async def older(
        self, agent_id: str, wanted: Wanted, vector: Sequence[float], injection: Injection
    ) -> list[OlderTurn]: ...
