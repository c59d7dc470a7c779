"""Queries of the graph: entities, their facts, and dependencies."""

from datetime import UTC, datetime
from uuid import UUID

from graphmem.errors import InvalidCursor, NotFound
from graphmem.model.answers import (
    DependenciesReceipt,
    DependencyEnds,
    EntityPage,
    Page,
)
from graphmem.model.caller import Caller
from graphmem.model.change import Change, DependencyRow, EntityRow
from graphmem.model.inputs import NewDependencies
from graphmem.model.knowledge import (
    Attribute,
    Entity,
    EntityCounts,
    EntityType,
    Memory,
    Supersession,
    SupersessionStatus,
)
from graphmem.model.stored import Moment
from graphmem.rules.keeping.drafts import with_event_ids
from graphmem.rules.keeping.paging import decode_cursor, encode_cursor
from graphmem.rules.keeping.time import moment
from graphmem.rules.language.gazetteer import type_of_thing
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import canonical_name
from graphmem.rules.recall.search import any_of, plain_terms
from graphmem.services.conversation.guards import Guards
from graphmem.services.knowledge.finding import find_entity
from graphmem.services.ports import Clock, Knowledge, NewId

EDGES_SHOWN = 100


class Entities:
    """Reads the graph, and creates dependencies on request."""

    def __init__(self, knowledge: Knowledge, guards: Guards, clock: Clock, new_id: NewId) -> None:
        self._knowledge = knowledge
        self._guards = guards
        self._clock = clock
        self._new_id = new_id

    async def entities(
        self,
        agent_id: str,
        query: str | None,
        type_: EntityType | None,
        limit: int,
        cursor: str | None,
        *,
        include_cold: bool = False,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Page[EntityCounts]:
        """Entities by name, or, with a query, those whose names match it best (one page). `include_cold`: also those of
        the cold tier, which follow the others where there is a query. Counts cover what was valid at `as_of`; what was
        not known at `known_at` is left out."""
        when = moment(as_of, known_at, self._clock())
        kind = type_.value if type_ else None
        if query:
            return Page[EntityCounts](
                items=tuple(await self._named(agent_id, query, kind, limit, when, include_cold=include_cold)),
                next_cursor=None,
            )
        after = decode_cursor(cursor, 1)[0] if cursor else ""
        page = await self._knowledge.entity_page(agent_id, kind, after, limit + 1, when)
        if include_cold:
            cold = await self._knowledge.cold_entity_page(agent_id, kind, after, limit + 1)
            page = sorted([*page, *cold], key=lambda found: found[1])
        return Page[EntityCounts](
            items=tuple(entity for entity, _ in page[:limit]),
            next_cursor=encode_cursor(page[limit - 1][1]) if len(page) > limit else None,
        )

    async def _named(
        self, agent_id: str, query: str, kind: str | None, limit: int, when: Moment, *, include_cold: bool
    ) -> list[EntityCounts]:
        text = any_of(query, agent_key(agent_id))
        found = await self._knowledge.entities_named(agent_id, text, kind, limit, when) if text else []
        if include_cold and len(found) < limit:
            found += await self._knowledge.cold_entities_named(agent_id, plain_terms(query), kind, limit - len(found))
        return found

    async def entity_page(
        self, agent_id: str, id_or_name: str, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> EntityPage:
        """Errors: EntityNotFound with near names."""
        when = moment(as_of, known_at, self._clock())
        entity = await self.entity(agent_id, id_or_name, when)
        aspects = await self._knowledge.aspects(agent_id, entity.id, superseded=False, when=when)
        incoming, outgoing = await self._knowledge.edges(agent_id, entity.id, EDGES_SHOWN, when)
        return EntityPage(
            entity=entity,
            aspects=tuple(aspects),
            dependencies=DependencyEnds(incoming=tuple(incoming), outgoing=tuple(outgoing)),
        )

    async def put_dependencies(self, caller: Caller, given: NewDependencies) -> DependenciesReceipt:
        """Create or update dependencies; missing entities are created.

        Errors: NotFound for a UUID that is not an entity of the agent; PlanOutdated.
        """
        now = self._clock()
        given = self._guards.dependencies(caller.agent_id, given)
        ends = dict.fromkeys(end for edge in given.dependencies for end in (edge.source, edge.target))
        canonical = {end: await self._canonical(caller.agent_id, end) for end in ends}
        change = Change(
            entities=tuple(
                {
                    name: EntityRow(name, self._new_id(), end, type_of_thing(end), mentions=0)
                    for end, name in reversed(canonical.items())
                }.values()
            ),
            dependencies=tuple(
                DependencyRow(
                    id=self._new_id(),
                    source=canonical[edge.source],
                    target=canonical[edge.target],
                    type=edge.type,
                    confidence=edge.confidence,
                    strength=edge.strength,
                    reason=edge.reason,
                    explicit=True,
                    valid_from=edge.valid_from or now,
                )
                for edge in given.dependencies
            ),
            actor="api",
        )
        return await self._knowledge.put_dependencies(caller, with_event_ids(change, self._new_id), now)

    async def memory(self, agent_id: str, id_: str) -> Memory | Attribute:
        """A memory or an attribute. Errors: NotFound."""
        found = await self._knowledge.memory(agent_id, id_) or await self._knowledge.attribute(agent_id, id_)
        if found is None:
            raise NotFound(f"There is no memory or attribute {id_!r}.")
        return found

    async def supersessions(
        self, agent_id: str, status: SupersessionStatus | None, limit: int, cursor: str | None
    ) -> Page[Supersession]:
        """Supersessions, newest first."""
        found = await self._knowledge.supersessions(agent_id, status, _before(cursor), limit + 1)
        last = found[limit - 1] if len(found) > limit else None
        return Page[Supersession](
            items=tuple(found[:limit]),
            next_cursor=encode_cursor(last.created_at.isoformat(), last.id) if last else None,
        )

    async def entity(self, agent_id: str, id_or_name: str, when: Moment) -> Entity:
        """The entity with this id or name. Errors: EntityNotFound with near names."""
        return await find_entity(self._knowledge, agent_id, id_or_name, when)

    async def _canonical(self, agent_id: str, id_or_name: str) -> str:
        """The canonical name under which an end of an edge is found or created."""
        if not _is_uuid(id_or_name):
            return canonical_name(id_or_name) or id_or_name.strip()
        found = await self._knowledge.find_entity(agent_id, id_or_name)
        if found is None:
            raise NotFound(f"There is no entity with the id {id_or_name}. Give a name to make a new one.")
        return found.canonical


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _before(cursor: str | None) -> tuple[datetime, str]:
    if cursor is None:
        return datetime(9999, 12, 31, tzinfo=UTC), "\U0010ffff"
    when, id_ = decode_cursor(cursor, 2)
    try:
        return datetime.fromisoformat(when), id_
    except ValueError:
        raise InvalidCursor("The cursor is damaged. Use nextCursor as it was given, or leave it out.") from None
