"""Sessions that the significance gate skipped."""

from collections.abc import Callable
from typing import Protocol

from graphmem.model.answers import Gate
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.significance import SkippedSession


class SkippedSessions(Protocol):
    async def skipped(self, agent_id: str, limit: int) -> list[SkippedSession]: ...
    async def bypass(
        self, caller: Caller, passed: Callable[[Gate], Gate], limit: int, job_id: str, event: EventRow
    ) -> tuple[str | None, list[SkippedSession]]: ...
    async def to_read(self, agent_id: str, after: str) -> str | None: ...
    async def read_done(self, agent_id: str, session_id: str) -> None: ...
