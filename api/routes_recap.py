"""Routes of recaps: a session in few words."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.routes_sessions import SessionId
from api.schemas import PROBLEMS
from graphmem.app import Graphmem
from graphmem.model.inputs import MAX_TOKENS, MIN_TOKENS
from graphmem.model.recap import AskedMode, KeepRecap, Recap

router = APIRouter(prefix="/api/sessions", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)

Mode = Annotated[AskedMode, Query(description="A recap of work, of talk, or what the conversation looks like")]
MaxTokens = Annotated[
    int | None,
    Query(alias="maxTokens", ge=MIN_TOKENS, le=MAX_TOKENS, description="Most tokens; else that of the settings"),
]


@router.get("/{sessionId}/recap", response_model=Recap)
async def get_recap(
    agent: Agent, graphmem: Services, session_id: SessionId, mode: Mode = "auto", max_tokens: MaxTokens = None
) -> Response:
    """What somebody who comes back has to know, every line with its source; nothing is stored."""
    return reply(await graphmem.continuity.recapping.recap(agent, session_id, mode, _most(graphmem, max_tokens)))


@router.post("/{sessionId}/recap", response_model=Recap)
async def keep_recap(
    write: Writing,
    graphmem: Services,
    session_id: SessionId,
    given: KeepRecap = KeepRecap(),  # noqa: B008
) -> Response:
    """The same, kept as the session's recap in the DAG: one for each session, renewed each time."""
    most = _most(graphmem, given.max_tokens)
    return await write(lambda caller: graphmem.continuity.recapping.keep(caller, session_id, given.mode, most))


def _most(graphmem: Graphmem, max_tokens: int | None) -> int:
    return graphmem.settings.recap_max_tokens if max_tokens is None else max_tokens
