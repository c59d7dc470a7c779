"""Rolling an entity back to its state of a day, on a person's request."""

from dataclasses import dataclass

from graphmem.errors import EntityNotFound, InvalidInput
from graphmem.model.answers import Page, Rollback
from graphmem.model.caller import Caller
from graphmem.model.change import Deciding
from graphmem.model.inputs import RollBack
from graphmem.rules.keeping.paging import FAR_FUTURE, LAST_ID, encode_cursor, moment
from graphmem.rules.language.keys import agent_key
from graphmem.rules.recall.search import any_of
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, Knowledge, NewId, Rollbacks


@dataclass(frozen=True)
class RollingBack:
    """A person's request is carried out in any mode of the service, also for pinned items."""

    rollbacks: Rollbacks
    knowledge: Knowledge
    guards: Guards
    clock: Clock
    new_id: NewId

    async def roll_back(self, caller: Caller, given: RollBack) -> Rollback:
        """Roll an entity back to a time, or report what that would do.

        Errors: EntityNotFound with near names; InvalidInput for a future time or one when the entity was not known;
        Conflict for an entity in the cold tier.
        """
        deciding = self._deciding(caller, given.reason)
        if given.to > deciding.now:
            raise InvalidInput.at("to", msg=f"is still to come: it is {deciding.now.isoformat()} now")
        entity_id = await self._entity(caller.agent_id, given.entity_id)
        if given.dry_run:
            return await self.rollbacks.preview(caller.agent_id, entity_id, given.to, deciding.reason, deciding.now)
        return await self.rollbacks.roll_back(caller, entity_id, given.to, deciding)

    async def undo(self, caller: Caller, id_: str, reason: str | None) -> Rollback:
        """Undo a roll-back. Errors: NotFound; Conflict, naming what changed since."""
        return await self.rollbacks.undo(caller, id_, self._deciding(caller, reason))

    async def page(self, agent_id: str, entity: str | None, limit: int, cursor: str | None) -> Page[Rollback]:
        """Roll-backs, of one entity or of all, newest first. Errors: EntityNotFound."""
        entity_id = await self._entity(agent_id, entity) if entity else None
        found = await self.rollbacks.page(agent_id, entity_id, moment(cursor) or (FAR_FUTURE, LAST_ID), limit + 1)
        last = found[limit - 1] if len(found) > limit else None
        return Page[Rollback](
            items=tuple(found[:limit]),
            next_cursor=encode_cursor(last.created_at.isoformat(), last.id) if last and last.id else None,
        )

    def _deciding(self, caller: Caller, reason: str | None) -> Deciding:
        reason = self.guards.note(caller.agent_id, reason)
        return Deciding(reason, self.new_id(), self.new_id(), self.clock())

    async def _entity(self, agent_id: str, id_or_name: str) -> str:
        if found := await self.knowledge.find_entity(agent_id, id_or_name):
            return found.id
        query = any_of(id_or_name, agent_key(agent_id))
        near = await self.knowledge.near(agent_id, [query], 5) if query else [[]]
        raise EntityNotFound(id_or_name, near[0])
