"""Supersession by a person's decision."""

from dataclasses import dataclass

from graphmem.errors import InvalidInput, NotFound
from graphmem.model.answers import Resolved
from graphmem.model.caller import Caller
from graphmem.model.change import Deciding, Settling
from graphmem.model.inputs import Resolve, Supersede, UndoSupersession
from graphmem.model.knowledge import Supersession
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, Knowledge, NewId, Resolutions, Supersessions


@dataclass(frozen=True)
class Superseding:
    """A person's request is carried out in any mode of the service."""

    supersessions: Supersessions
    resolutions: Resolutions
    knowledge: Knowledge
    guards: Guards
    clock: Clock
    new_id: NewId

    async def supersede(self, caller: Caller, given: Supersede) -> Supersession:
        """Let one fact supersede another.

        Errors: NotFound; InvalidInput for a memory without exactly one fact; Conflict, with what prevents it.
        """
        old = await self._fact(caller.agent_id, given.old_id, "oldId")
        new = await self._fact(caller.agent_id, given.new_id, "newId")
        return await self.supersessions.supersede(caller, old, new, self._deciding(caller, given.reason))

    async def accept(self, caller: Caller, id_: str, reason: str | None) -> Supersession:
        """Apply a proposed supersession, or one that was rejected or undone. Errors: NotFound; Conflict."""
        return await self.supersessions.accept(caller, id_, self._deciding(caller, reason))

    async def reject(self, caller: Caller, id_: str, reason: str | None) -> Supersession:
        """Reject a proposal permanently. Errors: NotFound; Conflict unless it is proposed."""
        return await self.supersessions.reject(caller, id_, self._deciding(caller, reason))

    async def undo(self, caller: Caller, id_: str, given: UndoSupersession) -> Supersession:
        """Make the older fact active again. Errors: NotFound; Conflict, with what prevents it."""
        return await self.supersessions.undo(caller, id_, given.retire_new, self._deciding(caller, given.reason))

    async def resolve(self, caller: Caller, given: Resolve) -> Resolved:
        """Carry out verdicts on pairs of facts, all or none.

        Errors: NotFound; InvalidInput for a pair that is named twice, and for a memory without exactly one fact;
        Conflict, with what prevents one of them.
        """
        items: list[Settling] = []
        for place, one in enumerate(given.items):
            id_ = await self._fact(caller.agent_id, one.id, "items", place, "id")
            other = await self._fact(caller.agent_id, one.with_, "items", place, "with") if one.with_ else None
            if id_ == other or any({id_, other} == {item.id, item.other} for item in items):
                raise InvalidInput.at("items", place, msg="names one fact with itself, or a pair once more")
            items.append(Settling(id_, other, one.verdict))
        return await self.resolutions.resolve(caller, items, self._deciding(caller, given.reason))

    def _deciding(self, caller: Caller, reason: str | None) -> Deciding:
        reason = self.guards.note(caller.agent_id, reason)
        return Deciding(reason, self.new_id(), self.new_id(), self.clock())

    async def _fact(self, agent_id: str, id_: str, *field: str | int) -> str:
        """The attribute of an id, which may be a memory's."""
        if await self.knowledge.attribute(agent_id, id_):
            return id_
        memory = await self.knowledge.memory(agent_id, id_)
        if memory is None:
            raise NotFound(f"There is no memory or attribute {id_!r}.")
        if len(memory.attribute_ids) != 1:
            facts = ", ".join(memory.attribute_ids) or "none"
            raise InvalidInput.at(
                *field, msg=f"is a memory with not one attribute: give the attribute's id (of {facts})"
            )
        return memory.attribute_ids[0]
