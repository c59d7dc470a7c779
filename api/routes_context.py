"""The route that returns the context of a session for a model."""

from fastapi import APIRouter, Response

from api.calls import Agent, Guarded, Services, reply
from api.routes_sessions import SessionId
from api.schemas import PROBLEMS
from graphmem.model.context import AssembleContext, Context

router = APIRouter(prefix="/api", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)


@router.post("/sessions/{sessionId}/context", response_model=Context)
async def assemble_context(
    agent: Agent,
    graphmem: Services,
    session_id: SessionId,
    asked: AssembleContext = AssembleContext(),  # noqa: B008
) -> Response:
    """What a model is given of a session, within a budget: constraints in force, recap and summaries, the last messages
    word for word, and the older turns that bear on the question. It changes nothing."""
    return reply(await graphmem.continuity.assembling.assemble(agent, session_id, asked))
