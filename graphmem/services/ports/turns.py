"""Turns: what waits for analysis, what was found, and how it is read back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.turns import AnalysedTurn, EarlierTurn, Ready, Turn, WaitingSession, WaitingTurns


class Turns(Protocol):
    """Messages as analysis reads them and writes what it found."""

    async def sessions_waiting(self, ready: Ready, limit: int) -> list[WaitingSession]: ...
    async def waiting(self, agent_id: str, session_id: str, ready: Ready, limit: int) -> WaitingTurns | None: ...
    async def before(self, agent_id: str, session_id: str, ordinals: range, text_from: int) -> list[EarlierTurn]: ...
    async def store(
        self,
        agent_id: str,
        session_id: str,
        batch: WaitingTurns,
        found: Sequence[AnalysedTurn],
        analyser: str,
        now: datetime,
    ) -> bool: ...
    async def page(self, agent_id: str, session_id: str, after: int, limit: int, *, explain: bool) -> list[Turn]: ...
    async def waiting_of_agent(self, agent_id: str) -> int: ...
    async def waiting_of_session(self, agent_id: str, session_id: str) -> bool: ...
    async def label_sessions(self, limit: int) -> int: ...
