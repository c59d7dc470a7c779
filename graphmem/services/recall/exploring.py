"""Exploring: a random walk that surfaces rarely used things. It changes nothing."""

from dataclasses import dataclass
from random import Random

from graphmem.model.exploring import Explore, Explored, ExploredItem, Neighbour
from graphmem.model.stored import Moment
from graphmem.rules.recall.exploring import chosen, reasons
from graphmem.services.knowledge.finding import find_entity
from graphmem.services.ports import Clock, Knowledge, Neighbours


@dataclass(frozen=True)
class Exploring:
    knowledge: Knowledge
    beside: Neighbours
    clock: Clock

    async def explore(self, agent_id: str, asked: Explore) -> Explored:
        """From an entity, step by step, to new ones; out of a dead end it backtracks.

        Errors: EntityNotFound with near names.
        """
        now = self.clock()
        start = await find_entity(self.knowledge, agent_id, asked.entity, Moment(now, now, is_now=True))
        drawn = Random(asked.seed)
        items: list[ExploredItem] = []
        met, way = {start.id}, [start.id]
        while way and len(items) < asked.steps:
            found = await self.beside.neighbours(agent_id, way[-1], now, cold=asked.include_cold)
            onward = chosen([one for one in found if one.id not in met], drawn.random())
            if onward is None:
                way.pop()
                continue
            items.append(_told(onward, way[-1]))
            met.add(onward.id)
            way.append(onward.id)
        return Explored(entity=start, seed=asked.seed, steps=len(items), items=tuple(items))


def _told(one: Neighbour, from_id: str) -> ExploredItem:
    return ExploredItem(
        id=one.id,
        name=one.name,
        type=one.type,
        status="cold" if one.cold else "active",
        from_id=from_id,
        dependency_id=one.dependency_id,
        why={name: round(value, 4) for name, value in reasons(one).items()},
        facts=one.facts,
    )
