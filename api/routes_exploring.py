"""The route of exploring."""

from fastapi import APIRouter, Response

from api.calls import Agent, Guarded, Services, reply
from api.schemas import PROBLEMS
from graphmem.model.exploring import Explore, Explored

router = APIRouter(prefix="/api/graph", tags=["graph"], responses=PROBLEMS, route_class=Guarded)


@router.post("/explore", response_model=Explored)
async def explore(agent: Agent, graphmem: Services, asked: Explore) -> Response:
    """A walk by chance from an entity to what is seldom used, cold things too; the same seed goes the same way. Changes
    nothing."""
    return reply(await graphmem.recall.exploring.explore(agent, asked))
