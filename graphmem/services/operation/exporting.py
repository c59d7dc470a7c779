"""Export: an agent's entities, facts and dependencies as text, at one moment."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.stored import Moment
from graphmem.rules.keeping.exporting import ExportFormat, Item, as_cypher, as_graphml, as_jsonl
from graphmem.services.ports import Clock, ExportReads

PAGE = 200
"""Entities that are read together."""


@dataclass(frozen=True)
class Exporting:
    """Writes during an export are not in it: it reads what was known when it began."""

    reads: ExportReads
    clock: Clock

    async def export(
        self,
        agent_id: str,
        format_: ExportFormat,
        *,
        superseded: bool = False,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> AsyncIterator[str]:
        """The text, piece by piece: all entities first, then their facts and dependencies. GraphML is built in
        memory."""
        now = self.clock()
        when = Moment(as_of or now, min(known_at or now, now), is_now=False)
        if format_ == "graphml":
            items = [item async for page in self._pages(agent_id, when, superseded=superseded) for item in page]
            yield await asyncio.to_thread(lambda: "".join(as_graphml(items)))
            return
        write = as_jsonl if format_ == "jsonl" else as_cypher
        async for page in self._pages(agent_id, when, superseded=superseded):
            yield "".join(write(page))

    async def _pages(self, agent_id: str, when: Moment, *, superseded: bool) -> AsyncIterator[list[Item]]:
        ids: list[str] = []
        after = ""
        while entities := await self.reads.entities(agent_id, after, PAGE, when):
            ids += [entity.id for entity, _ in entities]
            after = entities[-1][1]
            yield [entity for entity, _ in entities]
        for start in range(0, len(ids), PAGE):
            some = ids[start : start + PAGE]
            yield [*await self.reads.facts(agent_id, some, when, superseded=superseded)]
            yield [*await self.reads.edges(agent_id, some, when)]
