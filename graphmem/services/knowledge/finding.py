"""Finding an entity by id or name."""

from graphmem.errors import EntityNotFound
from graphmem.model.knowledge import Entity
from graphmem.model.stored import Moment
from graphmem.rules.language.keys import agent_key
from graphmem.rules.recall.search import any_of
from graphmem.services.ports import Knowledge


async def find_entity(knowledge: Knowledge, agent_id: str, id_or_name: str, when: Moment) -> Entity:
    """The entity with this id, else with this name or alias, known at that time.

    Errors: EntityNotFound with near names.
    """
    found = await knowledge.find_entity(agent_id, id_or_name)
    entity = await knowledge.entity(agent_id, found.id) if found else None
    if found and entity and found.created_at > when.known_at:
        raise EntityNotFound(id_or_name, known_since=found.created_at)
    if entity is None:
        query = any_of(id_or_name, agent_key(agent_id))
        near = await knowledge.near(agent_id, [query], 5) if query else [[]]
        raise EntityNotFound(id_or_name, near[0])
    return entity
