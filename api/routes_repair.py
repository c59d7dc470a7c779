"""Routes of repair: the cold tier, retention, the supersession sweep, and roll-backs."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Id, Limit
from graphmem.model.answers import ColdStats, Page, RetentionReport, Rollback, SweepReport
from graphmem.model.inputs import Name, RollBack, StartRetention, StartSweep, WithReason

router = APIRouter(prefix="/api/repair", tags=["repair"], responses=PROBLEMS, route_class=Guarded)


@router.get("/cold-stats", response_model=ColdStats)
async def cold_stats(agent: Agent, graphmem: Services) -> Response:
    """How much the agent has in the cold tier, since when, and why."""
    return reply(await graphmem.knowledge.memories.cold_stats(agent))


@router.post("/retention", response_model=RetentionReport)
async def retention(write: Writing, graphmem: Services, given: StartRetention = StartRetention()) -> Response:  # noqa: B008
    """Send old, light memories on which nothing rests to the cold tier, or, with `dryRun`, say which would go."""
    return await write(
        lambda caller: graphmem.knowledge.memories.retention(caller, dry_run=given.dry_run, limit=given.limit)
    )


@router.post("/supersession-sweep", response_model=SweepReport)
async def supersession_sweep(write: Writing, graphmem: Services, given: StartSweep = StartSweep()) -> Response:  # noqa: B008
    """Have a worker retire what newer facts contradict among those kept already, or, with `dryRun`, say what it would
    do."""
    return await write(lambda caller: graphmem.knowledge.sweeping.start(caller, given))


@router.post("/rollback", response_model=Rollback)
async def roll_back(write: Writing, graphmem: Services, given: RollBack) -> Response:
    """Say what taking an entity back to what was believed of it at a time would change; with `dryRun` false, do it."""
    return await write(lambda caller: graphmem.knowledge.rolling_back.roll_back(caller, given))


@router.get("/rollbacks", response_model=Page[Rollback])
async def list_rollbacks(
    agent: Agent,
    graphmem: Services,
    entity: Annotated[Name | None, Query(description="Only those of this entity, by id or name")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Which entities were rolled back, newest first."""
    return reply(await graphmem.knowledge.rolling_back.page(agent, entity, limit, cursor))


@router.post("/rollbacks/{id}/undo", response_model=Rollback)
async def undo_rollback(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Have all that a roll-back touched as it was before; refused where it changed since."""
    return await write(lambda caller: graphmem.knowledge.rolling_back.undo(caller, id_, given.reason))
