"""Routes of the graph: entities, merges, dependencies, and exports."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import StreamingResponse

from api.calls import Agent, Guarded, Services, Writing, reply
from api.schemas import PROBLEMS, AsOf, Cursor, Id, KnownAt, Limit, Reason, also
from graphmem.errors import InvalidInput
from graphmem.model.answers import ArchiveReceipt, DependenciesReceipt, EntityPage, MadeEntity, Page
from graphmem.model.inputs import EntityChange, MergeInto, Name, NewDependencies, NewEntity, WithReason
from graphmem.model.knowledge import Entity, EntityCounts, EntityType, Merge, MergeStatus
from graphmem.rules.keeping.exporting import ExportFormat

_MEDIA = {"jsonl": "application/x-ndjson", "graphml": "application/graphml+xml", "cypher": "text/x-cypher"}
EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The graph", "content": {media: {} for media in _MEDIA.values()}}
}
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
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Entities by name, or the page of the one called `name`, which goes with `asOf` and `knownAt` only."""
    if name is not None:
        beside = {"q": q, "type": type_, "includeCold": include_cold, "cursor": cursor}
        for field in (field for field, value in beside.items() if value):
            raise InvalidInput.at("query", field, msg="has no meaning with name: that is one entity")
        return reply(await graphmem.knowledge.entities.entity_page(agent, name, as_of, known_at))
    return reply(
        await graphmem.knowledge.entities.entities(
            agent, q, type_, limit, cursor, include_cold=include_cold, as_of=as_of, known_at=known_at
        )
    )


@router.post("/entities", response_model=MadeEntity, status_code=201, responses=also(200, MadeEntity))
async def make_entity(write: Writing, graphmem: Services, given: NewEntity) -> Response:
    """Make an entity (201), or add what is given to the one that its name or an alias leads to (200)."""
    return await write(
        lambda caller: graphmem.knowledge.editing.make(caller, given),
        lambda made: 201 if made.created else 200,
    )


@router.get("/entities/{idOrName:path}", response_model=EntityPage)
async def get_entity(
    agent: Agent,
    graphmem: Services,
    id_or_name: Annotated[Name, Path(alias="idOrName")],
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Response:
    """An entity with its facts by aspect and its dependencies, by id or by any of its names."""
    return reply(await graphmem.knowledge.entities.entity_page(agent, id_or_name, as_of, known_at))


@router.patch("/entities/{id}", response_model=Entity)
async def change_entity(write: Writing, graphmem: Services, id_: Id, given: EntityChange) -> Response:
    """Pin or unpin an entity, say what it is, or by which names besides its own it is known."""
    return await write(lambda caller: graphmem.knowledge.editing.amend(caller, id_, given))


@router.delete("/entities/{id}", response_model=ArchiveReceipt)
async def archive_entity(write: Writing, graphmem: Services, id_: Id, reason: Reason = None) -> Response:
    """Send an entity to the cold tier with its facts and edges; the next mention of it brings it back."""
    return await write(lambda caller: graphmem.knowledge.memories.archive_entity(caller, id_, reason))


@router.post("/entities/{id}/restore", response_model=Entity)
async def restore_entity(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Bring an entity back with what went with it."""
    return await write(lambda caller: graphmem.knowledge.memories.restore_entity(caller, id_, given.reason))


@router.post("/entities/{id}/merge", response_model=Merge)
async def merge_entity(write: Writing, graphmem: Services, id_: Id, given: MergeInto) -> Response:
    """Merge an entity into another, which keeps all that both had; it can be undone."""
    return await write(lambda caller: graphmem.knowledge.editing.merge(caller, id_, given))


@router.get("/merges", response_model=Page[Merge])
async def list_merges(
    agent: Agent,
    graphmem: Services,
    status: Annotated[MergeStatus | None, Query()] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Which entities were merged, or are proposed to be, newest first."""
    return reply(await graphmem.knowledge.editing.merge_page(agent, status, limit, cursor))


@router.post("/merges/{id}/accept", response_model=Merge)
async def accept_merge(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Do a proposed merge."""
    return await write(lambda caller: graphmem.knowledge.editing.accept(caller, id_, given.reason))


@router.post("/merges/{id}/reject", response_model=Merge)
async def reject_merge(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Turn a proposed merge down: the pair is never proposed again."""
    return await write(lambda caller: graphmem.knowledge.editing.reject(caller, id_, given.reason))


@router.post("/merges/{id}/undo", response_model=Merge)
async def undo_merge(
    write: Writing,
    graphmem: Services,
    id_: Id,
    given: WithReason = WithReason(),  # noqa: B008
) -> Response:
    """Make two entities of one again; what came after the merge stays with the survivor."""
    return await write(lambda caller: graphmem.knowledge.editing.undo(caller, id_, given.reason))


@router.put("/dependencies", response_model=DependenciesReceipt)
async def put_dependencies(write: Writing, graphmem: Services, given: NewDependencies) -> Response:
    """Draw or update dependencies by source, target and type; missing entities are made."""
    return await write(lambda caller: graphmem.knowledge.entities.put_dependencies(caller, given))


@router.delete("/dependencies/{id}", response_model=ArchiveReceipt)
async def delete_dependency(write: Writing, graphmem: Services, id_: Id, reason: Reason = None) -> Response:
    """Retire a dependency; it stays in the history."""
    return await write(lambda caller: graphmem.knowledge.editing.delete_dependency(caller, id_, reason))


@router.get("/export", response_class=StreamingResponse, responses=EXPORTED)
async def export(
    agent: Agent,
    graphmem: Services,
    format_: Annotated[ExportFormat, Query(alias="format")] = "jsonl",
    include_superseded: Annotated[
        bool, Query(alias="includeSuperseded", description="Facts that were over by then too, with what replaced them")
    ] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Response:
    """The agent's entities, facts and dependencies as JSON lines, as GraphML or as Cypher."""
    text = graphmem.operation.exporting.export(
        agent, format_, superseded=include_superseded, as_of=as_of, known_at=known_at
    )
    first = await anext(text, "")  # an error before the first piece still gets an error status

    async def whole() -> AsyncIterator[str]:
        yield first
        async for piece in text:
            yield piece

    return StreamingResponse(whole(), media_type=_MEDIA[format_])
