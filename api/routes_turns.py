"""Routes of turn analysis."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.calls import Agent, Guarded, Services, reply
from api.routes_sessions import SessionId
from api.schemas import PROBLEMS, Cursor, Limit
from graphmem.model.answers import Page
from graphmem.model.turns import Turn

router = APIRouter(prefix="/api", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)


@router.get("/sessions/{sessionId}/turns", response_model=Page[Turn])
async def list_turns(
    agent: Agent,
    graphmem: Services,
    session_id: SessionId,
    explain: Annotated[bool, Query(description="With evidence, references and edges")] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """What analysis found in the messages of a session, in order. Messages that wait for it are not listed yet;
    `backlog.analysis` of the status counts them."""
    return reply(await graphmem.continuity.analysing.turns(agent, session_id, limit, cursor, explain=explain))
