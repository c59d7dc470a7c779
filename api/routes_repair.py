"""Routes of repair: what is in the cold tier, what may go there, and what newer facts contradict."""

from fastapi import APIRouter, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS
from graphmem.model.answers import ColdStats, RetentionReport, SweepReport
from graphmem.model.inputs import StartRetention, StartSweep

router = APIRouter(prefix="/api/repair", tags=["repair"], responses=PROBLEMS, route_class=Guarded)


@router.get("/cold-stats", response_model=ColdStats)
async def cold_stats(agent: Agent, graphmem: Services) -> Response:
    """How much the agent has in the cold tier, since when, and why."""
    return reply(await graphmem.tending.cold_stats(agent))


@router.post("/retention", response_model=RetentionReport)
async def retention(write: Writing, graphmem: Services, given: StartRetention = StartRetention()) -> Response:  # noqa: B008
    """Send old, light memories on which nothing rests to the cold tier, or, with `dryRun`, say which would go."""
    return await write(lambda caller: graphmem.tending.retention(caller, dry_run=given.dry_run, limit=given.limit))


@router.post("/supersession-sweep", response_model=SweepReport)
async def supersession_sweep(write: Writing, graphmem: Services, given: StartSweep = StartSweep()) -> Response:  # noqa: B008
    """Have a worker retire what newer facts contradict among those kept already, or, with `dryRun`, say what it would
    do."""
    return await write(lambda caller: graphmem.sweeping.start(caller, given))
