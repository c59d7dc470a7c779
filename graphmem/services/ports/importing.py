"""What taking a graph over writes."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model.caller import Caller
from graphmem.model.change import Change, EntityRow, EventRow, Written
from graphmem.model.importing import EdgeRow, ImportReport


class GraphImports(Protocol):
    async def taken(self, agent_id: str, ids: Sequence[str]) -> set[str]: ...
    async def entities(
        self, agent_id: str, rows: Sequence[EntityRow], pinned: Sequence[str], event: EventRow, now: datetime
    ) -> tuple[dict[str, str], int]: ...
    async def facts(self, agent_id: str, change: Change, now: datetime) -> Written: ...
    async def edges(
        self,
        agent_id: str,
        rows: Sequence[EdgeRow],
        names: Mapping[str, str],
        unknown: Callable[[str, str], EntityRow],
        event: EventRow,
        now: datetime,
    ) -> tuple[int, int]: ...
    async def finish(self, caller: Caller, report: ImportReport, now: datetime) -> ImportReport: ...
