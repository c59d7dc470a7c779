"""Editing the graph on a person's request: create and change entities, retire dependencies, and merge entities."""

from dataclasses import dataclass

from graphmem.model.answers import ArchiveReceipt, MadeEntity, Page
from graphmem.model.caller import Caller
from graphmem.model.inputs import EntityChange, MergeInto, NewEntity
from graphmem.model.knowledge import Entity, Merge, MergeStatus
from graphmem.rules.keeping.paging import FAR_FUTURE, LAST_ID, encode_cursor, moment
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, EntityWrites, Merges, NewId


@dataclass(frozen=True)
class Editing:
    entities: EntityWrites
    merges: Merges
    guards: Guards
    clock: Clock
    new_id: NewId

    async def make(self, caller: Caller, given: NewEntity) -> MadeEntity:
        """An entity of this name, created or completed. Errors: NameTaken."""
        given = self.guards.entity(caller.agent_id, given)
        return await self.entities.make(caller, given, self.new_id(), self.new_id(), self.clock())

    async def amend(self, caller: Caller, id_: str, given: EntityChange) -> Entity:
        """The entity as it is now. Errors: NotFound; Conflict for one that was merged; NameTaken."""
        given = self.guards.entity(caller.agent_id, given)
        return await self.entities.amend(caller, id_, given, self.new_id(), self.clock())

    async def delete_dependency(self, caller: Caller, id_: str, note: str | None) -> ArchiveReceipt:
        """Retire a dependency; repeated, it answers the same. Errors: NotFound."""
        note = self.guards.note(caller.agent_id, note)
        return await self.entities.delete_dependency(caller, id_, note, self.new_id(), self.clock())

    async def merge(self, caller: Caller, id_: str, given: MergeInto) -> Merge:
        """Merge an entity into another, which keeps all that both had.

        Errors: InvalidInput; NotFound; Conflict for one that is cold or merged elsewhere.
        """
        reason = self.guards.note(caller.agent_id, given.reason)
        return await self.merges.merge(caller, id_, given.into_id, reason, self.new_id(), self.new_id(), self.clock())

    async def accept(self, caller: Caller, id_: str, reason: str | None) -> Merge:
        """Apply a proposed merge. Errors: as `merge`."""
        reason = self.guards.note(caller.agent_id, reason)
        return await self.merges.accept(caller, id_, reason, self.new_id(), self.clock())

    async def reject(self, caller: Caller, id_: str, reason: str | None) -> Merge:
        """Reject a proposed merge permanently. Errors: NotFound; Conflict unless it is proposed."""
        reason = self.guards.note(caller.agent_id, reason)
        return await self.merges.reject(caller, id_, reason, self.new_id(), self.clock())

    async def undo(self, caller: Caller, id_: str, reason: str | None) -> Merge:
        """Undo a merge. Errors: NotFound; Conflict, with what prevents it."""
        reason = self.guards.note(caller.agent_id, reason)
        return await self.merges.undo(caller, id_, reason, self.new_id(), self.clock())

    async def merge_page(
        self, agent_id: str, status: MergeStatus | None, limit: int, cursor: str | None
    ) -> Page[Merge]:
        """Merges and proposals, newest first."""
        found = await self.merges.page(agent_id, status, moment(cursor) or (FAR_FUTURE, LAST_ID), limit + 1)
        last = found[limit - 1] if len(found) > limit else None
        return Page[Merge](
            items=tuple(found[:limit]),
            next_cursor=encode_cursor(last.created_at.isoformat(), last.id) if last else None,
        )
