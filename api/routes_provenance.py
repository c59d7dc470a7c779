"""The routes of provenance: what a thing was made from, and what was made from it."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.calls import Agent, Guarded, OneOrAll, Services, reply
from api.schemas import PROBLEMS, Cursor, Id, Limit
from graphmem.model.answers import Verification
from graphmem.model.provenance import Direction, Provenance

router = APIRouter(prefix="/api", tags=["operation"], responses=PROBLEMS, route_class=Guarded)


@router.get("/provenance/{id}", response_model=Provenance)
async def provenance(
    agent: Agent,
    graphmem: Services,
    id_: Id,
    direction: Annotated[Direction, Query(description="What it was made of, or what was made of it")] = "dependents",
    max_depth: Annotated[int, Query(alias="maxDepth", ge=1, le=10, description="Steps away at most")] = 6,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """What must be made again when a message, payload, memory, fact or summary changes (`dependents`), or what it was
    made of (`inputs`), nearest first."""
    return reply(await graphmem.impact.tracing.trace(agent, id_, direction, max_depth, limit, cursor))


@router.get("/verify", response_model=Verification)
async def verify(agent: OneOrAll, graphmem: Services) -> Response:
    """Look at the hashes of all messages, facts, payloads and of history again, and at what was made of what: for the
    agent that is named or that the key belongs to, else for all."""
    doctor = graphmem.operation.doctor
    return reply(await (doctor.verify(agent) if agent else doctor.verify_all()))
