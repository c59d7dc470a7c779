"""Living confidence: the chore that checks every dependency again and updates what was confirmed, contradicted or
unused since."""

from dataclasses import dataclass

from graphmem.model.living import Vitality
from graphmem.rules.impact.confidence import settled
from graphmem.services.ports import Clock, ColdTier, LivingEdges, Marks, NewId

CHORE = "living_confidence"
PAGE = 1000
"""Dependencies that one step checks. Most are unchanged."""


@dataclass(frozen=True)
class LivingConfidence:
    edges: LivingEdges
    marks: Marks
    agents: ColdTier
    vitality: Vitality
    clock: Clock
    new_id: NewId

    async def step(self) -> bool:
        """Check the next page, of one agent; whether there is more. The progress is stored: another worker continues
        from there. On an unchanged graph, at the same time, it changes nothing."""
        mark = await self.marks.mark(CHORE)
        agent_id, after = mark or (await self.agents.agent_after(""), "")
        if agent_id is None:
            return False
        now = self.clock()
        last, standings = await self.edges.edges(agent_id, after, PAGE)
        rows = [row for one in standings if (row := settled(one, self.vitality, now))]
        await self.edges.settle(agent_id, rows, self.new_id, now)
        if last is None:
            agent_id = await self.agents.agent_after(agent_id)
        await self.marks.note_mark(CHORE, (agent_id, last or "") if agent_id else None)
        return agent_id is not None
