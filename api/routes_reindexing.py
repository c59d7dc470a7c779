"""The route that has texts embedded again."""

from fastapi import APIRouter, Response

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.inputs import StartReindex
from graphmem.model.reindexing import ReindexReport

router = APIRouter(prefix="/api/repair", tags=["repair"], responses=PROBLEMS, route_class=Guarded)


@router.post("/reindex", response_model=ReindexReport)
async def reindex(write: Writing, graphmem: Services, given: StartReindex = StartReindex()) -> Response:  # noqa: B008
    """Have a worker embed the agent's texts anew, or, with `dryRun`, say how many there are. The job tells how far it
    came; what has no vector meanwhile is found by its words."""
    return await write(lambda caller: graphmem.operation.reindexing.start(caller, given))
