"""The status of the memory, and of jobs."""

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, get_args

from graphmem import __version__
from graphmem.errors import NotFound
from graphmem.model.answers import (
    Backlog,
    DatabaseInfo,
    EmbedderInfo,
    FailedJob,
    Job,
    JobCounts,
    PresetAdvice,
    SourceLineage,
    Status,
)
from graphmem.model.condensing import CONDENSE, CONDENSE_ALL
from graphmem.model.knowledge import SupersessionStatus
from graphmem.model.stored import Totals
from graphmem.rules.keeping.presets import suggested
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.services.continuity.analysing import Analysing
from graphmem.services.conversation.guards import Guards
from graphmem.services.knowledge.judging import Judging
from graphmem.services.knowledge.sweeping import KIND
from graphmem.services.operation.chores import Chores
from graphmem.services.ports import Embedder, Jobs, Upkeep

CONDENSING = frozenset({CONDENSE, CONDENSE_ALL})
COUNTED = {
    "Session": "sessions",
    "Message": "messages",
    "Memory": "memories",
    "Entity": "entities",
    "Attribute": "attributes",
    "Summary": "summaries",
}
"""Labels of nodes, and what they are called in the counts of an agent."""
APART = CONDENSING | {KIND}
"""Kinds of jobs that do not read sessions."""


@dataclass(frozen=True)
class Reporting:
    """`settings` are the public ones; `database` is the version found at the start."""

    jobs: Jobs
    upkeep: Upkeep
    embedder: Embedder
    chores: Chores
    database: DatabaseInfo
    settings: dict[str, Any]
    guards: Guards
    analysing: Analysing
    judging: Judging | None = None

    async def status(self, agent_id: str, *, paths: bool = False) -> Status:
        """The status of an agent; all backlogs 0 means that everything accepted so far is searchable. `paths`: settings
        that are paths of this machine are shown too."""
        await self.upkeep.refresh_text()
        open_jobs = await self.jobs.open_jobs(agent_id)
        by_status = {
            status: sum(job.status == status for job in open_jobs) for status in ("queued", "running", "failed")
        }
        totals = await self.upkeep.session_totals(agent_id)
        return Status(
            version=__version__,
            agent_id=agent_id,
            database=self.database,
            embedder=EmbedderInfo(id=self.embedder.id, dimensions=self.embedder.dimensions, state=self.embedder.state),
            token_counter=TOKEN_COUNTER,
            backlog=Backlog(
                embedding=await self.upkeep.waiting_vectors(agent_id),
                extraction=sum(job.kind not in APART and job.status != "failed" for job in open_jobs),
                analysis=await self.analysing.waiting_of_agent(agent_id),
                condensation=sum(job.kind in CONDENSING and job.status != "failed" for job in open_jobs),
            ),
            jobs=JobCounts(
                **by_status,
                items=tuple(
                    FailedJob(job_id=j.id, kind=j.kind, reason=j.error) for j in open_jobs if j.status == "failed"
                ),
            ),
            upkeep=await self.chores.runs(),
            counts=await self.upkeep.counts(agent_id),
            supersession=(await self.upkeep.supersession_counts(agent_id)).model_copy(
                update={"model_asked": self.judging.asked, "model_failed": self.judging.failed} if self.judging else {}
            ),
            extraction=await self.upkeep.extraction_counts(agent_id),
            source_lineage=SourceLineage(
                messages=totals.messages,
                attributed=totals.messages - totals.unknown,
                unknown=totals.unknown,
                sources=totals.sources,
                by_source=dict(totals.by_source),
            ),
            tokens=totals.tokens,
            last_rotate=totals.rotated_at,
            last_backup=await self.upkeep.last_backup(),
            preset=PresetAdvice(
                chosen=self.settings.get("preset"),
                suggested=suggested(totals.context_window).name if totals.context_window else None,
                context_window=totals.context_window,
            ),
            filters=self.guards.filters(agent_id),
            settings=self.settings if paths else {n: v for n, v in self.settings.items() if not _is_path(v)},
        )

    async def totals(self, agent_id: str) -> Totals:
        """The figures of one agent that a scrape gets; what waits to be chained is counted of all agents only."""
        counts = await self.upkeep.counts(agent_id)
        extraction = await self.upkeep.extraction_counts(agent_id)
        superseded = await self.upkeep.supersession_counts(agent_id)
        chunks = extraction.chunks
        return Totals(
            nodes={label: getattr(counts, name) for label, name in COUNTED.items()},
            unembedded=await self.upkeep.waiting_vectors(agent_id),
            unsealed=None,
            jobs=dict(Counter(job.status for job in await self.jobs.open_jobs(agent_id))),
            chunks={"1": chunks.level1, "2": chunks.level2, "3": chunks.level3},
            dropped=extraction.dropped,
            fallbacks=extraction.fallbacks,
            supersessions={status: getattr(superseded, status) for status in get_args(SupersessionStatus)},
            precision=superseded.precision,
        )

    async def job(self, agent_id: str, job_id: str) -> Job:
        """Errors: NotFound."""
        found = await self.jobs.find(agent_id, job_id)
        if found is None:
            raise NotFound(f"There is no job {job_id!r}.")
        return found


def _is_path(value: object) -> bool:
    return isinstance(value, str) and PurePath(value).is_absolute()
