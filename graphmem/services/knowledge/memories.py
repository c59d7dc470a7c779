"""Maintaining memories on a person's request: correct, archive, restore, and show their history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.errors import InvalidInput, NotFound
from graphmem.model.answers import ArchiveReceipt, ColdStats, HistoryItem, Page, RetentionReport
from graphmem.model.caller import Caller
from graphmem.model.change import Change, Weight
from graphmem.model.inputs import Correction
from graphmem.model.knowledge import Attribute, Entity, Memory
from graphmem.model.stored import Retention
from graphmem.rules.keeping.drafts import with_event_ids
from graphmem.rules.keeping.paging import encode_cursor, moment
from graphmem.rules.language.keys import normalised
from graphmem.rules.supersession import instead_of, restated, subject
from graphmem.services.conversation.guards import Guards
from graphmem.services.knowledge.extracting import Asked
from graphmem.services.knowledge.judging import CALLER_WAITS_S
from graphmem.services.knowledge.learning import Learning, until_settled
from graphmem.services.ports import Clock, ColdTier, Corrections, History, Knowledge, NewId

BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
BATCH = 200
"""Memories of one agent in one transaction of the retention chore."""


@dataclass(frozen=True)
class RetentionSettings:
    """Memories older than `days` and less important than `importance` are archived; superseded ones of any
    importance."""

    days: int
    importance: float


@dataclass(frozen=True)
class Memories:
    """Memories and facts by their ids. A person's request may retire anything; automatic retention takes only what
    nothing depends on, and never what is pinned, a constraint, or explicit."""

    cold: ColdTier
    corrections: Corrections
    histories: History
    knowledge: Knowledge
    learning: Learning
    guards: Guards
    settings: RetentionSettings
    clock: Clock
    new_id: NewId

    async def correct(self, caller: Caller, id_: str, given: Correction) -> Memory | Attribute:
        """The memory or fact after the change; with new words, the one that replaces it.

        Errors: NotFound; Conflict unless it is active; InvalidInput for words that say the same.
        """
        given = self.guards.correction(caller.agent_id, given)
        if given.content is None:
            return await self._amend(caller, id_, Weight(given.importance, given.pinned, given.reason))
        asked = Asked(CALLER_WAITS_S)
        return await until_settled(lambda: self._replace(caller, id_, given, asked))

    async def archive(self, caller: Caller, id_: str, note: str | None) -> ArchiveReceipt:
        """Move a memory to the cold tier, or delete a fact; repeated, it answers the same. Errors: NotFound."""
        note = self.guards.note(caller.agent_id, note)
        return await self.cold.archive(caller, id_, note, self.new_id(), self.clock())

    async def restore(self, caller: Caller, id_: str, reason: str | None = None) -> Memory | Attribute:
        """Restore what was archived or deleted. Errors: NotFound; Conflict where it cannot be restored alone."""
        reason = self.guards.note(caller.agent_id, reason)
        return await self.cold.restore(caller, id_, reason, self.new_id(), self.clock())

    async def archive_entity(self, caller: Caller, id_: str, note: str | None) -> ArchiveReceipt:
        """Move an entity to the cold tier with its facts and edges; the next mention restores it.

        Errors: NotFound.
        """
        note = self.guards.note(caller.agent_id, note)
        return await self.cold.archive_entity(caller, id_, note, self.new_id(), self.clock())

    async def restore_entity(self, caller: Caller, id_: str, reason: str | None = None) -> Entity:
        """Restore an archived entity with what went with it. Errors: NotFound."""
        reason = self.guards.note(caller.agent_id, reason)
        return await self.cold.restore_entity(caller, id_, reason, self.new_id(), self.clock())

    async def history(self, agent_id: str, id_: str, limit: int, cursor: str | None) -> Page[HistoryItem]:
        """What happened to a memory and the facts drawn from it, to a fact, an entity, a dependency, or anything else,
        oldest first.

        Errors: NotFound.
        """
        if entity := await self.knowledge.find_entity(agent_id, id_):
            ids = list(dict.fromkeys((id_, entity.id)))  # for a merged one, including the survivor
        else:
            memory = await self.knowledge.memory(agent_id, id_)
            ids = [id_, *memory.attribute_ids] if memory else [id_]
        items = await self.histories.of(agent_id, ids, moment(cursor) or (BEGINNING, ""), limit + 1)
        if not items and cursor is None and not await self._known(agent_id, id_):
            raise NotFound(f"There is nothing with the id {id_!r}, or nothing happened to it.")
        last = items[limit - 1] if len(items) > limit else None
        return Page[HistoryItem](
            items=tuple(items[:limit]), next_cursor=encode_cursor(last.at.isoformat(), last.id) if last else None
        )

    async def cold_stats(self, agent_id: str) -> ColdStats:
        return await self.cold.stats(agent_id)

    async def retention(self, caller: Caller, *, dry_run: bool, limit: int) -> RetentionReport:
        """Move old, unimportant memories to the cold tier, `limit` at most, or only report which."""
        if dry_run:
            found = await self.cold.candidates(caller.agent_id, self._retention(), limit)
            return RetentionReport(
                job_id=None, affected=len(found), limit_reached=len(found) == limit, items=tuple(found)
            )
        return await self.cold.retain(caller, self._retention(), limit, self.new_id(), self.clock())

    async def retain(self) -> bool:
        """The chore: a batch of each agent. Whether there is more."""
        more, agent_id = False, await self.cold.agent_after("")
        while agent_id is not None:
            taken = await self.cold.retain(Caller(agent_id), self._retention(), BATCH, self.new_id(), self.clock())
            more = more or taken.affected == BATCH
            agent_id = await self.cold.agent_after(agent_id)
        return more

    async def _amend(self, caller: Caller, id_: str, weight: Weight) -> Memory | Attribute:
        return await self.corrections.amend(caller, id_, weight, self.new_id(), self.clock())

    async def _replace(self, caller: Caller, id_: str, given: Correction, asked: Asked) -> Memory | Attribute:
        agent_id, content = caller.agent_id, given.content or ""
        old = await self.knowledge.memory(agent_id, id_) or await self.knowledge.attribute(agent_id, id_)
        if old is None or old.status != "active":
            # The store reports what is wrong with it, unless this repeats a request that was carried out.
            return await self._amend(caller, id_, Weight(None, None, given.reason))
        if normalised(content) == normalised(old.content):
            raise InvalidInput.at("content", msg="says what is kept already; give other words, or leave it out")
        change = await self._instead(agent_id, old, given, asked)
        return await self.corrections.correct(caller, id_, change, given.reason, self.clock())

    async def _instead(self, agent_id: str, old: Memory | Attribute, given: Correction, asked: Asked) -> Change:
        facts = await self._facts(agent_id, old)
        entities = await self.knowledge.entities(agent_id, sorted({fact.entity_id for fact in facts}))
        names = {entity.id: entity.name for entity in entities}
        fact = subject(given.content or "", facts, names)
        anew = restated(old, fact, names[fact.entity_id] if fact else None, given, self.clock())
        change, _ = await self.learning.decide(agent_id, anew, self.learning.parse(anew), asked, confirming=False)
        return with_event_ids(instead_of(change, facts, given.reason, self.new_id), self.new_id)

    async def _facts(self, agent_id: str, old: Memory | Attribute) -> Sequence[Attribute]:
        """The active facts that a correction concerns."""
        if isinstance(old, Attribute):
            return [old]
        found = await self.knowledge.attributes(agent_id, old.attribute_ids)
        return [fact for fact in found if fact.status == "active"]

    async def _known(self, agent_id: str, id_: str) -> bool:
        return bool(
            await self.knowledge.find_entity(agent_id, id_)
            or await self.knowledge.memory(agent_id, id_)
            or await self.knowledge.attribute(agent_id, id_)
        )

    def _retention(self) -> Retention:
        return Retention(self.clock() - timedelta(days=self.settings.days), self.settings.importance)
