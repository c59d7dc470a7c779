"""Routes of the conversation: sessions, messages and summaries, and what any id refers to."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Limit, also
from graphmem.app import Graphmem
from graphmem.model.answers import EndReceipt, ExpandedSummary, IngestReceipt, OpenedSession, Page
from graphmem.model.conversation import Session, StoredMessage, Summary, SummaryKind
from graphmem.model.inputs import (
    MAX_COUNT,
    EndSession,
    ExpandId,
    ExpandSummary,
    LoadSession,
    Name,
    NewMessages,
    NewSession,
    OpaqueId,
    TokenBudget,
)
from graphmem.model.reading import Description, Kind, LoadedSession, SessionDetail
from graphmem.model.stored import MessageRef, SummaryFilter
from graphmem.services.recall.expanding import Expanded

router = APIRouter(prefix="/api", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)
SessionId = Annotated[OpaqueId, Path(alias="sessionId")]
MaxChars = Annotated[int | None, Query(alias="maxContentChars", ge=1, description="Cut each content to this length")]
AnyId = Annotated[str, Path(alias="id")]
POLL_S = 0.05


@router.post("/sessions", response_model=OpenedSession, status_code=201, responses=also(200, OpenedSession))
async def open_session(write: Writing, graphmem: Services, given: NewSession = NewSession()) -> Response:  # noqa: B008
    """The session, made if it is new (201; 200 if it exists)."""
    return await write(
        lambda caller: graphmem.conversation.intake.open(caller, given), lambda session: 201 if session.created else 200
    )


@router.get("/sessions", response_model=Page[Session])
async def list_sessions(
    agent: Agent,
    graphmem: Services,
    project: Annotated[Name | None, Query()] = None,
    source: Annotated[Name | None, Query()] = None,
    archived: Annotated[bool, Query(description="The archived ones, instead of those in use")] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Sessions in use, or archived ones, newest first."""
    return reply(await graphmem.conversation.intake.sessions(agent, project, source, limit, cursor, archived=archived))


@router.get("/sessions/summaries", response_model=Page[Summary])
async def list_summaries(
    agent: Agent,
    graphmem: Services,
    project: Annotated[Name | None, Query()] = None,
    kind: Annotated[SummaryKind | None, Query()] = None,
    session_id: Annotated[OpaqueId | None, Query(alias="sessionId")] = None,
    source: Annotated[Name | None, Query(description="Above a message that came from there")] = None,
    before: Annotated[str | None, Query(description="Those before this summary, nearest first")] = None,
    back: Annotated[int, Query(ge=0, le=1000, description="Steps back at which the list begins")] = 0,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Nodes of the session DAG, newest first; with `before` its predecessors. The first item is the one `back` steps
    back: from `before`, else from the newest."""
    wanted = SummaryFilter(project, kind, session_id, source)
    return reply(await graphmem.conversation.reading.summaries(agent, wanted, limit, cursor, before, back))


@router.post("/sessions/summaries/{id}/expand", response_model=ExpandedSummary)
async def expand_summary(
    agent: Agent,
    graphmem: Services,
    id_: Annotated[str, Path(alias="id")],
    asked: ExpandSummary = ExpandSummary(),  # noqa: B008
) -> Response:
    """What a summary was made of, in order, as much as fits the budget."""
    return reply(await graphmem.conversation.reading.expand_summary(agent, id_, asked))


@router.post("/sessions/load", response_model=LoadedSession)
async def load_session(agent: Agent, graphmem: Services, asked: LoadSession) -> Response:
    """A page of a session for a model, within a budget: of the one named, of the newest, or of one further back."""
    return reply(await graphmem.conversation.reading.load(agent, asked))


@router.get("/sessions/{sessionId}", response_model=SessionDetail)
async def get_session(agent: Agent, graphmem: Services, session_id: SessionId) -> Response:
    """One session with all that is counted of it, what the guards say of it, and where it stands in a chain."""
    return reply(await graphmem.conversation.describing.session(agent, session_id))


@router.post("/sessions/{sessionId}/messages", response_model=IngestReceipt, responses=also(201, IngestReceipt))
async def add_messages(write: Writing, graphmem: Services, session_id: SessionId, given: NewMessages) -> Response:
    """Store a batch, all of it or nothing; an unknown session is made (201). Messages it holds are not stored again.

    A batch has at most 1000 messages: a longer list without ids, sent in several batches, is stored again when it is
    sent again, so give each message a `messageId`, or send only what is new."""
    return await write(
        lambda caller: graphmem.conversation.intake.add_messages(caller, session_id, given),
        lambda receipt: 201 if receipt.created else 200,
    )


@router.get("/sessions/{sessionId}/messages", response_model=Page[StoredMessage])
async def list_messages(
    agent: Agent,
    graphmem: Services,
    session_id: SessionId,
    after: Annotated[int, Query(ge=-1, le=MAX_COUNT, description="Ordinal to go on behind")] = -1,
    limit: Limit = 50,
    max_content_chars: MaxChars = None,
) -> Response:
    """The messages of a session, in order; `nextCursor` is the `after` to go on with. Of a message that is cut, what
    else it carries comes too unless it is long (`omitted` names it)."""
    return reply(await graphmem.conversation.reading.messages(agent, session_id, after, limit, max_content_chars))


@router.get("/messages/{id}", response_model=StoredMessage)
async def get_message(
    agent: Agent,
    graphmem: Services,
    id_: AnyId,
    offset: Annotated[int, Query(ge=0, le=MAX_COUNT)] = 0,
    limit: Annotated[int | None, Query(ge=1, le=MAX_COUNT)] = None,
    session_id: Annotated[
        OpaqueId | None, Query(alias="sessionId", description="Where a brought id is in several sessions")
    ] = None,
    raw: Annotated[bool, Query(description="The content as it is stored and hashed: parts as JSON")] = False,
) -> Response:
    """One message of any session, by its own id or the one it was brought with; `offset` and `limit` count
    characters of its content."""
    wanted = MessageRef(id_, session_id, offset, raw)
    return reply(await graphmem.conversation.reading.message(agent, wanted, limit))


@router.get("/describe/{id}", response_model=Description)
async def describe(
    agent: Agent,
    graphmem: Services,
    id_: AnyId,
    kind: Annotated[Kind | None, Query(description="Where an id is that of several things")] = None,
) -> Response:
    """What an id stands for, its first 500 characters, and counts of what hangs on it; nothing is loaded whole."""
    return reply(await graphmem.conversation.describing.describe(agent, id_, kind))


@router.get("/expand/{id}", response_model=Expanded)
async def expand_id(
    agent: Agent,
    graphmem: Services,
    id_: AnyId,
    max_tokens: Annotated[TokenBudget, Query(alias="maxTokens")] = 2000,
    cursor: Cursor = None,
) -> Response:
    """What an id stands for, as much of it as fits: the words of a message, a payload or a summary, or all that is
    known of an entity. Memories, facts and what has no text of its own are answered as they are: no budget cuts them,
    and they have no `usedTokens`."""
    return reply(await graphmem.recall.expanding.expand(agent, id_, ExpandId(max_tokens=max_tokens, cursor=cursor)))


@router.post("/sessions/{sessionId}/end", response_model=EndReceipt)
async def end_session(
    write: Writing,
    agent: Agent,
    graphmem: Services,
    session_id: SessionId,
    given: EndSession = EndSession(),  # noqa: B008
) -> Response:
    """End the session; a worker learns from it. With `wait` the answer comes when everything in it can be recalled, or
    with `timedOut` after `waitTimeoutS`."""
    answered = await write(lambda caller: graphmem.conversation.intake.end(caller, session_id, given))
    receipt = EndReceipt.model_validate_json(bytes(answered.body))
    repeated = "Idempotency-Replayed" in answered.headers
    if not given.wait or (repeated and receipt.pipeline != "queued"):
        return answered
    give_up = asyncio.get_running_loop().time() + given.wait_timeout_s
    while asyncio.get_running_loop().time() < give_up:
        result = await graphmem.conversation.intake.end_result(agent, session_id)
        waiting = result and result.pipeline == "done" and await _waiting(graphmem, agent, session_id)
        if result and result.pipeline != "queued" and not waiting:
            await graphmem.operation.upkeep.refresh_text()
            settled = await write.renew(result)
            settled.headers.update({"Idempotency-Replayed": "true"} if repeated else {})
            return settled
        await asyncio.sleep(POLL_S)
    late = reply(receipt.model_copy(update={"timed_out": True}))
    late.headers.update({"Idempotency-Replayed": "true"} if repeated else {})
    return late


async def _waiting(graphmem: Graphmem, agent: str, session_id: str) -> bool:
    """Whether texts of a session have no vector yet, or turns of it are not analysed."""
    if await graphmem.operation.upkeep.waiting_in_session(agent, session_id):
        return True
    return await graphmem.continuity.analysing.waiting_of_session(agent, session_id)
