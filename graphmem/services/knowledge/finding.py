"""Finding an entity by id or name."""

from graphmem.errors import EntityNotFound, NearName
from graphmem.model.knowledge import Entity
from graphmem.model.stored import KnownEntity, Moment
from graphmem.rules.keeping.short_names import likely, meant, other_names
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import canonical_name
from graphmem.rules.recall.search import any_of
from graphmem.services.ports import Knowledge

MOST_NEAR = 5
SHORTEST = 3
"""Least letters of a name by whose beginning others are looked up."""
MOST_BEGINNING = 20
"""Names looked at that begin as the given one."""


async def find_entity(knowledge: Knowledge, agent_id: str, id_or_name: str, when: Moment) -> Entity:
    """The entity with this id, else with this name or alias, else the only one that the name is another form of
    (`postgres` of PostgreSQL), known at that time.

    Errors: EntityNotFound with near names.
    """
    named = await knowledge.find_entity(agent_id, id_or_name)
    beginning: list[KnownEntity] = []
    if named is None:
        beginning = await _beginning(knowledge, agent_id, canonical_name(id_or_name))
        others = await knowledge.known(agent_id, other_names(id_or_name))
        only = meant(id_or_name, others, beginning)
        named = await knowledge.find_entity(agent_id, only) if only else None
    entity = await knowledge.entity(agent_id, named.id) if named else None
    if named and entity and named.created_at > when.known_at:
        raise EntityNotFound(id_or_name, known_since=named.created_at)
    if entity is None:
        query = any_of(id_or_name, agent_key(agent_id))
        near = await knowledge.near(agent_id, [query], MOST_NEAR) if query else [[]]
        first = [NearName(one.id, one.name) for one in likely(beginning, MOST_NEAR)]
        raise EntityNotFound(id_or_name, list(dict.fromkeys([*near[0], *first]))[:MOST_NEAR])
    return entity


async def _beginning(knowledge: Knowledge, agent_id: str, name: str) -> list[KnownEntity]:
    return await knowledge.beginning(agent_id, name, MOST_BEGINNING) if len(name) >= SHORTEST else []
