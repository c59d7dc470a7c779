"""Routes of the graph: entities, dependencies, and what a change would reach."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Id, Limit, Reason
from graphmem.model.answers import ArchiveReceipt, DependenciesReceipt, EntityPage, ImpactReport, Page
from graphmem.model.inputs import ImpactQuestion, Name, NewDependencies, Restore
from graphmem.model.knowledge import Entity, EntityCounts, EntityType

router = APIRouter(prefix="/api/graph", tags=["graph"], responses=PROBLEMS, route_class=Guarded)


@router.get("/entities", response_model=Page[EntityCounts] | EntityPage)
async def list_entities(
    agent: Agent,
    graphmem: Services,
    q: Annotated[str | None, Query(description="Words of a name")] = None,
    type_: Annotated[EntityType | None, Query(alias="type")] = None,
    name: Annotated[Name | None, Query(description="The exact name of one entity: answers its page")] = None,
    include_cold: Annotated[
        bool, Query(alias="includeCold", description="Those that were archived too; `status` says which")
    ] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Entities by name, or the page of the one called `name`."""
    if name is not None:
        return reply(await graphmem.knowing.entity_page(agent, name))
    return reply(await graphmem.knowing.entities(agent, q, type_, limit, cursor, include_cold=include_cold))


@router.get("/entities/{idOrName:path}", response_model=EntityPage)
async def get_entity(agent: Agent, graphmem: Services, id_or_name: Annotated[Name, Path(alias="idOrName")]) -> Response:
    """An entity with its facts by aspect and its dependencies, by id or by any of its names."""
    return reply(await graphmem.knowing.entity_page(agent, id_or_name))


@router.delete("/entities/{id}", response_model=ArchiveReceipt)
async def archive_entity(write: Writing, graphmem: Services, id_: Id, reason: Reason = None) -> Response:
    """Send an entity to the cold tier with its facts and edges; the next mention of it brings it back."""
    return await write(lambda caller: graphmem.tending.archive_entity(caller, id_, reason))


@router.post("/entities/{id}/restore", response_model=Entity)
async def restore_entity(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: Restore = Restore(),  # noqa: B008
) -> Response:
    """Bring an entity back with what went with it."""
    return await write(lambda caller: graphmem.tending.restore_entity(caller, id_, given.reason))


@router.put("/dependencies", response_model=DependenciesReceipt)
async def put_dependencies(write: Writing, graphmem: Services, given: NewDependencies) -> Response:
    """Draw or update dependencies by source, target and type; missing entities are made."""
    return await write(lambda caller: graphmem.knowing.put_dependencies(caller, given))


@router.post("/impact", response_model=ImpactReport)
async def impact(agent: Agent, graphmem: Services, asked: ImpactQuestion) -> Response:
    """What a change of an entity would reach, nearest first, each with its most confident path."""
    return reply(await graphmem.knowing.impact(agent, asked))
