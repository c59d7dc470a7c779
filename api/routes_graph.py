"""Routes of the graph: entities, dependencies, and what a change would reach."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, Cursor, Limit
from graphmem.model.answers import DependenciesReceipt, EntityPage, ImpactReport, Page
from graphmem.model.inputs import ImpactQuestion, Name, NewDependencies
from graphmem.model.knowledge import EntityCounts, EntityType

router = APIRouter(prefix="/api/graph", tags=["graph"], responses=PROBLEMS, route_class=Guarded)


@router.get("/entities", response_model=Page[EntityCounts] | EntityPage)
async def list_entities(
    agent: Agent,
    graphmem: Services,
    q: Annotated[str | None, Query(description="Words of a name")] = None,
    type_: Annotated[EntityType | None, Query(alias="type")] = None,
    name: Annotated[Name | None, Query(description="The exact name of one entity: answers its page")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Entities by name, or the page of the one called `name`."""
    if name is not None:
        return reply(await graphmem.knowing.entity_page(agent, name))
    return reply(await graphmem.knowing.entities(agent, q, type_, limit, cursor))


@router.get("/entities/{idOrName:path}", response_model=EntityPage)
async def get_entity(agent: Agent, graphmem: Services, id_or_name: Annotated[Name, Path(alias="idOrName")]) -> Response:
    """An entity with its facts by aspect and its dependencies, by id or by any of its names."""
    return reply(await graphmem.knowing.entity_page(agent, id_or_name))


@router.put("/dependencies", response_model=DependenciesReceipt)
async def put_dependencies(write: Writing, graphmem: Services, given: NewDependencies) -> Response:
    """Draw or update dependencies by source, target and type; missing entities are made."""
    return await write(lambda caller: graphmem.knowing.put_dependencies(caller, given))


@router.post("/impact", response_model=ImpactReport)
async def impact(agent: Agent, graphmem: Services, asked: ImpactQuestion) -> Response:
    """What a change of an entity would reach, nearest first, each with its most confident path."""
    return reply(await graphmem.knowing.impact(agent, asked))
