"""Routes of the memory: remember, recall, expand, and how facts replace one another."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Limit
from graphmem.model.answers import Expansion, Page, Recalled, RememberReceipt
from graphmem.model.inputs import ContradictionQuestion, Expand, Recall, Remember
from graphmem.model.knowledge import Attribute, Contradiction, Memory, Supersession, SupersessionStatus
from graphmem.rules.contradiction import check

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=PROBLEMS, route_class=Guarded)


@router.post("/remember", response_model=RememberReceipt, status_code=201)
async def remember(write: Writing, graphmem: Services, given: Remember) -> Response:
    """Keep one statement and what it says (201; 200 for one that is kept already)."""
    return await write(
        lambda caller: graphmem.learning.remember(caller, given),
        lambda receipt: 200 if receipt.duplicate_of else 201,
    )


@router.post("/recall", response_model=Recalled)
async def recall(agent: Agent, graphmem: Services, asked: Recall) -> Response:
    """The texts that answer a question best, and why."""
    return reply(await graphmem.recalling.recall(agent, asked))


@router.post("/expand", response_model=Expansion)
async def expand(agent: Agent, graphmem: Services, asked: Expand) -> Response:
    """All that is known of an entity, as much as fits: constraints, facts, dependencies, summaries."""
    return reply(await graphmem.knowing.expand(agent, asked))


@router.post("/contradiction", response_model=Contradiction)
async def contradiction(graphmem: Services, asked: ContradictionQuestion) -> Response:
    """Whether one statement contradicts another: a dry run, nothing is read or written."""
    return reply(check(asked.old, asked.new, graphmem.settings.supersession_min_confidence))


@router.get("/supersessions", response_model=Page[Supersession])
async def list_supersessions(
    agent: Agent,
    graphmem: Services,
    status: Annotated[SupersessionStatus | None, Query()] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """What was superseded, or is proposed to be, newest first."""
    return reply(await graphmem.knowing.supersessions(agent, status, limit, cursor))


@router.get("/{id}", response_model=Memory | Attribute)
async def get_memory(agent: Agent, graphmem: Services, id_: Annotated[str, Path(alias="id")]) -> Response:
    """A memory or an attribute."""
    return reply(await graphmem.knowing.memory(agent, id_))
