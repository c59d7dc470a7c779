"""Fading of feedback: the chore that halves its effect as sessions end."""

from dataclasses import dataclass

from graphmem.rules.keeping.feedback import HALVINGS, faded
from graphmem.services.ports import Clock, FadingStandings, Marks, NewId

CHORE = "fade_feedback"
PAGE = 500
"""Things that one step checks."""


@dataclass(frozen=True)
class Fading:
    """`half_life`: the sessions of an agent after which feedback counts half; 0: it always counts fully."""

    standings: FadingStandings
    marks: Marks
    half_life: int
    clock: Clock
    new_id: NewId

    async def step(self) -> bool:
        """Check the next page, of one agent; whether there is more. The progress is stored. Until more sessions end a
        repeat changes nothing."""
        mark = await self.marks.mark(CHORE) if self.half_life else None
        agent_id, after = mark or (await self.standings.agent_after(""), "")
        if agent_id is None or not self.half_life:
            return False
        ends = await self.standings.session_ends(agent_id, HALVINGS * self.half_life)
        last, found = await self.standings.standings(agent_id, after, PAGE)
        rows = [row for one in found if (row := faded(one, ends, self.half_life))]
        await self.standings.fade(agent_id, rows, self.new_id, self.clock())
        if last is None:
            agent_id = await self.standings.agent_after(agent_id)
        await self.marks.note_mark(CHORE, (agent_id, last or "") if agent_id else None)
        return agent_id is not None
