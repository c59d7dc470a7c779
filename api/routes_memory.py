"""Routes of the memory: remember, recall, expand, and supersession."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Id, Limit, Reason, also
from graphmem.model.answers import (
    ArchiveReceipt,
    Expansion,
    Grepped,
    HistoryItem,
    Page,
    Recalled,
    RememberReceipt,
    Resolved,
)
from graphmem.model.inputs import (
    ContradictionQuestion,
    Correction,
    Expand,
    Grep,
    Recall,
    Remember,
    Resolve,
    Supersede,
    UndoSupersession,
    WithReason,
)
from graphmem.model.knowledge import Attribute, Contradiction, Memory, Supersession, SupersessionStatus
from graphmem.rules.contradiction import check

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=PROBLEMS, route_class=Guarded)


@router.post("/remember", response_model=RememberReceipt, status_code=201, responses=also(200, RememberReceipt))
async def remember(write: Writing, graphmem: Services, given: Remember) -> Response:
    """Keep one statement and what it says (201; 200 for one that is kept already)."""
    return await write(
        lambda caller: graphmem.knowledge.learning.remember(caller, given),
        lambda receipt: 200 if receipt.duplicate_of else 201,
    )


@router.post("/resolve", response_model=Resolved)
async def resolve(write: Writing, graphmem: Services, given: Resolve) -> Response:
    """Settle how facts stand to each other: the same, one supersedes the other, both hold, or one is wrong. All
    verdicts take effect, or none."""
    return await write(lambda caller: graphmem.knowledge.superseding.resolve(caller, given))


@router.post("/recall", response_model=Recalled)
async def recall(agent: Agent, graphmem: Services, asked: Recall) -> Response:
    """The texts that answer a question best, and why."""
    return reply(await graphmem.recall.recalling.recall(agent, asked))


@router.post("/grep", response_model=Grepped)
async def grep(agent: Agent, graphmem: Services, asked: Grep) -> Response:
    """The messages and summaries that hold the words of a pattern, or that a regular expression matches."""
    return reply(await graphmem.recall.grepping.grep(agent, asked))


@router.post("/expand", response_model=Expansion)
async def expand(agent: Agent, graphmem: Services, asked: Expand) -> Response:
    """All that is known of an entity, as much as fits: constraints, facts, dependencies, summaries."""
    return reply(await graphmem.recall.expanding.entities.expand(agent, asked))


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
    return reply(await graphmem.knowledge.entities.supersessions(agent, status, limit, cursor))


@router.post("/supersede", response_model=Supersession)
async def supersede(write: Writing, graphmem: Services, given: Supersede) -> Response:
    """Let one fact take the place of another, whatever either is: of a person's word nothing is protected."""
    return await write(lambda caller: graphmem.knowledge.superseding.supersede(caller, given))


@router.post("/supersessions/{id}/accept", response_model=Supersession)
async def accept_supersession(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Apply a proposed supersession, or one that was rejected or undone."""
    return await write(lambda caller: graphmem.knowledge.superseding.accept(caller, id_, given.reason))


@router.post("/supersessions/{id}/reject", response_model=Supersession)
async def reject_supersession(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Turn a proposed supersession down: the pair is never proposed again."""
    return await write(lambda caller: graphmem.knowledge.superseding.reject(caller, id_, given.reason))


@router.post("/supersessions/{id}/undo", response_model=Supersession)
async def undo_supersession(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: UndoSupersession = UndoSupersession(),  # noqa: B008
) -> Response:
    """Let the older fact hold again; the newer one stays, unless `retireNew` says that it was wrong."""
    return await write(lambda caller: graphmem.knowledge.superseding.undo(caller, id_, given))


@router.get("/{id}", response_model=Memory | Attribute)
async def get_memory(agent: Agent, graphmem: Services, id_: Id) -> Response:
    """A memory or an attribute, also one in the cold tier."""
    return reply(await graphmem.knowledge.entities.memory(agent, id_))


@router.patch("/{id}", response_model=Memory | Attribute)
async def correct_memory(write: Writing, graphmem: Services, id_: Id, given: Correction) -> Response:
    """Change the weight of a memory or an attribute, pin or unpin it, or correct it: new words make a new statement,
    which supersedes the old and is answered."""
    return await write(lambda caller: graphmem.knowledge.memories.correct(caller, id_, given))


@router.delete("/{id}", response_model=ArchiveReceipt)
async def archive_memory(write: Writing, graphmem: Services, id_: Id, reason: Reason = None) -> Response:
    """Send a memory to the cold tier with what only it supports, or delete an attribute; nothing is lost."""
    return await write(lambda caller: graphmem.knowledge.memories.archive(caller, id_, reason))


@router.post("/{id}/restore", response_model=Memory | Attribute)
async def restore_memory(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Bring back what was sent away, with what went with it."""
    return await write(lambda caller: graphmem.knowledge.memories.restore(caller, id_, given.reason))


@router.get("/{id}/history", response_model=Page[HistoryItem])
async def get_history(agent: Agent, graphmem: Services, id_: Id, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """What happened to a memory and its facts, or to anything else by its id, oldest first."""
    return reply(await graphmem.knowledge.memories.history(agent, id_, limit, cursor))
