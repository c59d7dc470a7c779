"""The route of the one true deletion."""

from fastapi import APIRouter, Response

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.erasing import Erase, Erased

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=PROBLEMS, route_class=Guarded)


@router.post("/erase", response_model=Erased)
async def erase(write: Writing, graphmem: Services, given: Erase) -> Response:
    """Erase the words of an entity, a person, a session, a message, a payload or a memory from everything, for good;
    without `confirm` only tell how much would go."""
    return await write(lambda caller: graphmem.operation.erasing.erase(caller, given))
