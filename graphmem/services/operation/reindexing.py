"""Reindexing: all texts of an agent are embedded again, in batches, while full-text search still finds them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from graphmem.model.caller import Caller
from graphmem.model.inputs import StartReindex
from graphmem.model.reindexing import ReindexItem, ReindexMark, ReindexReport
from graphmem.model.stored import JobStep
from graphmem.services.ports import Clock, Embedder, Jobs, NewId, ReindexData, Upkeep

REINDEX = "reindex"
BATCH = 256
"""Most texts that lack a vector at a time."""


@dataclass(frozen=True)
class Reindexing:
    """A text that is rewritten meanwhile waits for its vector like any new one."""

    data: ReindexData
    upkeep: Upkeep
    embedder: Embedder
    jobs: Jobs
    clock: Clock
    new_id: NewId

    async def start(self, caller: Caller, given: StartReindex) -> ReindexReport:
        """Have a worker embed texts again, `limit` at most, or only report how many there are."""
        counts = await self.data.counts(caller.agent_id)
        there = sum(counts.values())
        affected = there if given.limit is None else min(there, given.limit)
        items = tuple(ReindexItem(kind=kind, texts=texts) for kind, texts in counts.items())
        if given.dry_run or not affected:
            return ReindexReport(job_id=None, affected=affected, items=items)
        mark = asdict(ReindexMark(of=affected, left=given.limit))
        job_id = await self.jobs.want(caller.agent_id, REINDEX, REINDEX, mark, self.new_id(), self.clock())
        return ReindexReport(job_id=job_id, affected=affected, items=items)

    async def start_waiting(self) -> dict[str, int]:
        """A job for each agent with texts that wait for a vector, so that the progress is visible; returns how many
        there are, by agent. Texts that another worker embeds meanwhile are not done twice."""
        told: dict[str, int] = {}
        agent_id = await self.data.agent_after("")
        while agent_id is not None:
            told[agent_id] = await self.upkeep.waiting_vectors(agent_id)
            mark = asdict(ReindexMark(of=told[agent_id], waiting=True))
            await self.jobs.want(agent_id, REINDEX, REINDEX, mark, self.new_id(), self.clock())
            agent_id = await self.data.agent_after(agent_id)
        return told

    async def carry_on(self, agent_id: str, _subject_id: str, given: Mapping[str, Any]) -> JobStep:
        """The job: embed the next texts; asked for meanwhile, it begins again. Errors: ModelUnavailable."""
        mark = ReindexMark(**given) if given else ReindexMark(of=0)
        if step := await self.step(agent_id, mark):
            return JobStep.on(asdict(step), step.done, step.of)
        return JobStep(result={"texts": mark.done}, anew=asdict(ReindexMark(of=mark.of, waiting=mark.waiting)))

    async def step(self, agent_id: str, mark: ReindexMark) -> ReindexMark | None:
        """Embed the next texts again and return the progress; None where there are none left. An interrupted step
        leaves its texts waiting for a vector, which any worker computes.

        Errors: ModelUnavailable.
        """
        size = BATCH if mark.left is None else min(BATCH, mark.left)
        if not size:
            return None
        await self.embedder.load()  # before any vector is removed
        taken = await self.data.take(agent_id, mark.after, size, waiting=mark.waiting)
        if taken is None:
            return None
        if taken.texts:
            vectors = await self.embedder.embed([one.text for one in taken.texts])
            await self.upkeep.store_vectors(taken.texts, vectors)
        count = len(taken.texts)
        left = None if mark.left is None else mark.left - size
        return replace(mark, after=taken.last, left=left, done=mark.done + count)
