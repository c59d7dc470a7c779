"""The route that answers a question from the memory."""

from fastapi import APIRouter, Response

from api.calls import Agent, Guarded, Services, reply
from api.schemas import PROBLEMS
from graphmem.model.answering import Answered, ExpandQuery

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=PROBLEMS, route_class=Guarded)


@router.post("/expand-query", response_model=Answered)
async def expand_query(agent: Agent, graphmem: Services, asked: ExpandQuery) -> Response:
    """An answer with quotes of the texts it comes from, or that none was found. It changes nothing."""
    return reply(await graphmem.continuity.surveying.answer(agent, asked))
