"""Routes over analysed turns: lattice queries."""

from fastapi import APIRouter, Response

from api.calls import Agent, Guarded, Services, reply
from api.schemas import PROBLEMS
from graphmem.model.lattice import LatticeAnswer, LatticeQuestion

router = APIRouter(tags=["memory"], responses=PROBLEMS, route_class=Guarded)


@router.post("/api/memory/query", response_model=LatticeAnswer)
async def query(agent: Agent, graphmem: Services, asked: LatticeQuestion) -> Response:
    """The turns that a lattice query describes, or pairs of turns that mean something alike."""
    return reply(await graphmem.recall.lattice.query(agent, asked))
