"""Repositories: reading their files, and keeping what was read."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.changes import Saying, Touched, TouchedOwner, TouchedPart
from graphmem.model.code import CodeDelta, KeptFile, KeptOutline, Outline


class CodeData(Protocol):
    async def files(self, agent_id: str, repository: str) -> list[KeptFile]: ...
    async def outlines(self, agent_id: str, repository: str) -> list[KeptOutline]: ...
    async def pend(
        self, agent_id: str, repository: str, outlines: Mapping[str, Outline | None], gone: Sequence[str]
    ) -> None: ...
    async def settle(
        self, agent_id: str, repository: str, hashes: Mapping[str, str], reader: str, gone: Sequence[str]
    ) -> None: ...
    async def draw(self, agent_id: str, repository: str, given: CodeDelta, now: datetime) -> None: ...
    async def tell(
        self, agent_id: str, repository: str, done: Mapping[str, int], event_id: str, now: datetime
    ) -> None: ...


class CodeReads(Protocol):
    async def touched(self, agent_id: str, repository: str, parts: Sequence[TouchedPart]) -> list[Touched]: ...
    async def about(self, agent_id: str, ids: Sequence[str], limit: int) -> list[Saying]: ...
    async def owners(self, agent_id: str, ids: Sequence[str]) -> list[TouchedOwner]: ...


class CodeReader(Protocol):
    def __call__(self, path: str, text: str) -> Outline | None:
        """What a file says; None where it says nothing that is read. Errors: Unreadable."""
        ...


class Leases(Protocol):
    async def take_lease(self, name: str, holder: str, now: datetime, seconds: float) -> bool: ...
    async def release_lease(self, name: str, holder: str) -> None: ...
