"""Routes of the conversation: sessions, messages and summaries."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Limit
from graphmem.model.answers import EndReceipt, ExpandedSummary, IngestReceipt, OpenedSession, Page
from graphmem.model.conversation import Session, StoredMessage, Summary
from graphmem.model.inputs import EndSession, ExpandSummary, Name, NewMessages, NewSession, OpaqueId

router = APIRouter(prefix="/api", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)
SessionId = Annotated[OpaqueId, Path(alias="sessionId")]
MaxChars = Annotated[int | None, Query(alias="maxContentChars", ge=1, description="Cut each content to this length")]
Kind = Literal["leaf", "condensed", "session", "arc", "epoch", "recap"]
POLL_S = 0.05
MAX_ORDINAL = 2**53


@router.post("/sessions", response_model=OpenedSession, status_code=201)
async def open_session(write: Writing, graphmem: Services, given: NewSession = NewSession()) -> Response:  # noqa: B008
    """The session, made if it is new (201; 200 if it exists)."""
    return await write(
        lambda caller: graphmem.conversations.open(caller, given), lambda session: 201 if session.created else 200
    )


@router.get("/sessions", response_model=Page[Session])
async def list_sessions(
    agent: Agent,
    graphmem: Services,
    project: Annotated[Name | None, Query()] = None,
    source: Annotated[Name | None, Query()] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Sessions, newest first."""
    return reply(await graphmem.conversations.sessions(agent, project, source, limit, cursor))


@router.get("/sessions/summaries", response_model=Page[Summary])
async def list_summaries(
    agent: Agent,
    graphmem: Services,
    project: Annotated[Name | None, Query()] = None,
    kind: Annotated[Kind | None, Query()] = None,
    session_id: Annotated[OpaqueId | None, Query(alias="sessionId")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Nodes of the session DAG, newest first."""
    return reply(await graphmem.conversations.summaries(agent, project, kind, session_id, limit, cursor))


@router.post("/sessions/summaries/{id}/expand", response_model=ExpandedSummary)
async def expand_summary(
    agent: Agent,
    graphmem: Services,
    id_: Annotated[str, Path(alias="id")],
    asked: ExpandSummary = ExpandSummary(),  # noqa: B008
) -> Response:
    """What a summary was made of, in order, as much as fits the budget."""
    return reply(await graphmem.conversations.expand_summary(agent, id_, asked))


@router.get("/sessions/{sessionId}", response_model=Session)
async def get_session(agent: Agent, graphmem: Services, session_id: SessionId) -> Response:
    """One session with its counts."""
    return reply(await graphmem.conversations.session(agent, session_id))


@router.post("/sessions/{sessionId}/messages", response_model=IngestReceipt)
async def add_messages(write: Writing, graphmem: Services, session_id: SessionId, given: NewMessages) -> Response:
    """Store a batch, all of it or nothing; an unknown session is made (201). Messages it holds are not stored again."""
    return await write(
        lambda caller: graphmem.conversations.add_messages(caller, session_id, given),
        lambda receipt: 201 if receipt.created else 200,
    )


@router.get("/sessions/{sessionId}/messages", response_model=Page[StoredMessage])
async def list_messages(
    agent: Agent,
    graphmem: Services,
    session_id: SessionId,
    after: Annotated[int, Query(ge=-1, le=MAX_ORDINAL, description="Ordinal to go on behind")] = -1,
    limit: Limit = 50,
    max_content_chars: MaxChars = None,
) -> Response:
    """The messages of a session, in order; `nextCursor` is the `after` to go on with."""
    return reply(await graphmem.conversations.messages(agent, session_id, after, limit, max_content_chars))


@router.get("/messages/{id}", response_model=StoredMessage)
async def get_message(
    agent: Agent,
    graphmem: Services,
    id_: Annotated[str, Path(alias="id")],
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """One message of any session, by its own id or the one it was brought with; `offset` and `limit` count
    characters."""
    return reply(await graphmem.conversations.message(agent, id_, offset, limit))


@router.post("/sessions/{sessionId}/end", response_model=EndReceipt)
async def end_session(
    write: Writing,
    agent: Agent,
    graphmem: Services,
    session_id: SessionId,
    given: EndSession = EndSession(),  # noqa: B008
) -> Response:
    """End the session; a worker learns from it. With `wait` the answer comes when everything in it can be recalled."""
    answered = await write(lambda caller: graphmem.conversations.end(caller, session_id, given))
    repeated = "Idempotency-Replayed" in answered.headers
    if not given.wait or (repeated and EndReceipt.model_validate_json(bytes(answered.body)).pipeline != "queued"):
        return answered
    give_up = asyncio.get_running_loop().time() + given.wait_timeout_s
    while asyncio.get_running_loop().time() < give_up:
        result = await graphmem.conversations.end_result(agent, session_id)
        waiting = result and result.pipeline == "done" and await graphmem.upkeep.waiting_in_session(agent, session_id)
        if result and result.pipeline != "queued" and not waiting:
            await graphmem.upkeep.refresh_text()
            settled = await write.renew(graphmem, result)
            settled.headers.update({"Idempotency-Replayed": "true"} if repeated else {})
            return settled
        await asyncio.sleep(POLL_S)
    return answered
