"""Routes of continuity: sessions that were skipped are read after all, and sessions condensed into arcs and epochs."""

from fastapi import APIRouter, Response

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.answers import Backfill, Condensation
from graphmem.model.inputs import StartRepair

router = APIRouter(prefix="/api/repair", tags=["repair"], responses=PROBLEMS, route_class=Guarded)


@router.post("/backfill-skipped", response_model=Backfill)
async def backfill_skipped(write: Writing, graphmem: Services, given: StartRepair = StartRepair()) -> Response:  # noqa: B008
    """Have a worker read sessions that the significance gate skipped, or, with `dryRun`, say which it would read."""
    return await write(
        lambda caller: graphmem.knowledge.backfilling.start(caller, dry_run=given.dry_run, limit=given.limit)
    )


@router.post("/condense", response_model=Condensation)
async def condense(write: Writing, graphmem: Services, given: StartRepair = StartRepair()) -> Response:  # noqa: B008
    """Have a worker build the arcs and epochs that are missing or stale, or, with `dryRun`, say which these are."""
    return await write(
        lambda caller: graphmem.continuity.condensing.start(caller, dry_run=given.dry_run, limit=given.limit)
    )
