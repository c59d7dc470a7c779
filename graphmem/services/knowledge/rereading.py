"""Reading sessions again: a newer extractor adds what it finds, and what it no longer finds is withdrawn, with a
reason.

A session is read chunk by chunk, each as if for the first time: with all other knowledge, but without what the session
itself says from there on. New items are written chunk by chunk; what is no longer found is withdrawn at the end, in one
transaction with the mark that names the extractor. After an interruption it starts again, and writes nothing twice.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from graphmem.errors import Conflict, ModelUnavailable, NotFound
from graphmem.model.change import Change, EventRow
from graphmem.model.extraction import SourceMessage
from graphmem.model.rereading import Again, Found, Going, Part, ReadSession, Reread, SessionGave
from graphmem.model.stored import ActiveFact, JobStep, KnownEntity, UnreadMessage
from graphmem.rules.extraction import ChunkBounds, first_chunk
from graphmem.rules.keeping.drafts import Place, Setting, draft
from graphmem.rules.keeping.rereading import read_again, with_ids
from graphmem.services.conversation.guards import Guards
from graphmem.services.knowledge.extracting import Asked, Chunk, Extracting
from graphmem.services.knowledge.learning import Learning, LearningSettings, until_settled
from graphmem.services.ports import Clock, Knowledge, LanguageModel, NewId, Parser, Rereadings, Sessions

log = logging.getLogger(__name__)
PAGE = 500
_PART = TypeAdapter(Part)


@dataclass(frozen=True)
class Rereading:
    sessions: Sessions
    knowledge: Knowledge
    data: Rereadings
    learning: Learning
    parser: Parser
    settings: LearningSettings
    guards: Guards
    clock: Clock
    new_id: NewId
    model: LanguageModel | None = None

    async def stale(self, agent_id: str) -> list[str]:
        """The sessions, by id, that the extractor of the settings has not read completely."""
        found: list[str] = []
        while page := await self.data.stale(agent_id, self.settings.extractor, found[-1] if found else "", PAGE):
            found += page
        return found

    async def preview(self, agent_id: str, session_id: str) -> Reread:
        """What reading the session again would do. Errors: as `read_again`."""
        return await self._read(agent_id, session_id, apply=False)

    async def enqueue(self, agent_id: str, session_id: str) -> str | None:
        """The job that reads the session again; None where the extractor has read it. Errors: NotFound; Conflict."""
        if (await self._session(agent_id, session_id)).extractor == self.settings.extractor:
            return None
        self._require_changes()
        event = EventRow(self.new_id(), "reextraction_asked", session_id, "operator", self.clock())
        return await self.data.enqueue(agent_id, session_id, self.new_id(), event)

    async def carry_on(self, agent_id: str, session_id: str, mark: Mapping[str, Any]) -> JobStep:
        """The job: read the next part of the session again; behind the last one remove what is no longer found, and
        renew the summary where anything changed. Errors: as `read_again`."""
        session = await self._to_read(agent_id, session_id, apply=True)
        part = _PART.validate_python(mark.get("part") or Part())
        if session and (now := await self._read_part(agent_id, session_id, session, part, apply=True)):
            return JobStep.on({"part": _PART.dump_python(now, mode="json")}, now.start, session.through)
        done = Reread(session_id, unchanged=True)
        if session:
            done = await self._done(agent_id, session_id, session, part, apply=True)
        log.info("session read again", extra={"agent": agent_id, "session": session_id, "messages": done.messages})
        if done.changes:
            await self.learning.summarise_session(agent_id, session_id)
        told = {
            "messages": done.messages,
            "unchanged": done.unchanged,
            "memories": {"added": len(done.memories_added), "gone": len(done.memories_gone)},
            "attributes": {"added": len(done.facts_added), "gone": len(done.facts_gone)},
            "dependencies": {"added": done.edges_added, "gone": done.edges_gone},
            "entities": {"gone": len(done.entities_gone)},
        }
        return JobStep(result=told)

    async def read_again(self, agent_id: str, session_id: str) -> Reread:
        """Read a session again that another extractor has read; one that this one has read stays unchanged.

        Errors: NotFound; Conflict for an archived session; ModelUnavailable where the model does not answer: rules
        might miss, and so withdraw, what it found; PlanOutdated when reading of the session advanced meanwhile;
        SessionStateless.
        """
        return await self._read(agent_id, session_id, apply=True)

    async def _read(self, agent_id: str, session_id: str, *, apply: bool) -> Reread:
        session = await self._to_read(agent_id, session_id, apply=apply)
        if session is None:
            return Reread(session_id, unchanged=True)
        part = Part()
        while now := await self._read_part(agent_id, session_id, session, part, apply=apply):
            part = now
        return await self._done(agent_id, session_id, session, part, apply=apply)

    async def _to_read(self, agent_id: str, session_id: str, *, apply: bool) -> ReadSession | None:
        """The session; None where this extractor has read it, or none has."""
        session = await self._session(agent_id, session_id)
        if session.extractor == self.settings.extractor or not session.through:
            return None
        if apply:
            self._require_changes()
        await self.guards.require_open(agent_id, session_id, session.source)
        return session

    async def _read_part(
        self, agent_id: str, session_id: str, session: ReadSession, part: Part, *, apply: bool
    ) -> Part | None:
        """What was found by the end of the next chunk; None where none is left."""
        chunk = await self._chunk(agent_id, session_id, part.start, session.through)
        if not chunk:
            return None
        messages, said, added = await self._read_chunk(agent_id, session_id, session.project, chunk, apply=apply)
        return Part(
            start=chunk[messages - 1].ordinal + 1,
            messages=part.messages + messages,
            found=part.found | said,
            memories=(*part.memories, *(row.content for row in added.memories)),
            facts=(*part.facts, *(row.content for row in added.attributes)),
            edges=part.edges + len(added.dependencies),
        )

    async def _done(self, agent_id: str, session_id: str, session: ReadSession, part: Part, *, apply: bool) -> Reread:
        done = Reread(
            session_id,
            messages=part.messages,
            memories_added=part.memories,
            facts_added=part.facts,
            edges_added=part.edges,
        )
        return _with_gone(done, *await self._settle(agent_id, session_id, session.through, part.found, apply=apply))

    async def _read_chunk(
        self, agent_id: str, session_id: str, project: str | None, chunk: Sequence[UnreadMessage], *, apply: bool
    ) -> tuple[int, Found, Change]:
        """How many messages of the chunk were read, their extraction, and what of it is, or would be, created."""
        asked = Asked()

        async def attempt() -> tuple[int, Found, Change]:
            messages, again = await self._again(agent_id, session_id, project, chunk, asked)
            found, change = await self._made(agent_id, again) if apply else (again.found, again.change)
            return messages, found, change

        return await until_settled(attempt)

    async def _settle(
        self, agent_id: str, session_id: str, through: int, found: Found, *, apply: bool
    ) -> tuple[SessionGave, Going, list[str]]:
        if not apply:
            return await self.data.going(agent_id, session_id, through, found)
        extractor, event_id = self.settings.extractor, self.new_id()
        return await self.data.settle(agent_id, session_id, extractor, through, found, event_id, self.clock())

    async def _again(
        self, agent_id: str, session_id: str, project: str | None, chunk: Sequence[UnreadMessage], asked: Asked
    ) -> tuple[int, Again]:
        sources = (SourceMessage(role=m.role, text=m.text, name=m.name, created_at=m.created_at) for m in chunk)
        things = _Before(self.knowledge, self.data, session_id, chunk[0].ordinal)
        drawing = Extracting(things, self.parser, self.settings.limits, self.model)
        drawn = await drawing.draw(agent_id, Chunk(tuple(sources), project), asked)
        if drawn.fallback:
            raise ModelUnavailable(f"{session_id!r} is not read again: {drawn.fallback}")
        chunk = chunk[: drawn.messages]
        places = [Place(message.id, message.created_at) for message in chunk]
        change = draft(drawn.extraction, places, Setting(project, session_id, self.clock()), self.new_id)
        change = replace(change, by=self.settings.extractor)
        known = await self.knowledge.known(agent_id, [row.canonical for row in change.entities])
        ids = {entity.canonical: entity.id for entity in known}
        before = await self.data.drawn(agent_id, [message.id for message in chunk], sorted(set(ids.values())))
        again = read_again(change, ids, before)
        change = await self.learning.with_retirements(agent_id, again.change, known, asked)
        return drawn.messages, replace(again, change=change)

    async def _made(self, agent_id: str, again: Again) -> tuple[Found, Change]:
        change = again.change
        if not again.brings_news:
            return again.found, change
        written = await self.data.add(agent_id, again, self.new_id(), self.clock())
        made = replace(
            change,
            memories=tuple(row for row in change.memories if row.id in written.created_memories),
            attributes=tuple(row for row in change.attributes if row.id in written.created_attributes),
            dependencies=tuple(row for row in change.dependencies if row.id in written.created_dependencies),
        )
        return with_ids(again.found, written.entity_ids), made

    async def _chunk(self, agent_id: str, session_id: str, start: int, through: int) -> Sequence[UnreadMessage]:
        bounds = ChunkBounds(self.settings.chunk_messages, self.settings.chunk_tokens)
        there = await self.sessions.stretch(agent_id, session_id, start, bounds.messages)
        unread = [message for message in there if message.ordinal < through]
        return unread[: first_chunk([message.text for message in unread], bounds)]

    def _require_changes(self) -> None:
        """Errors: Conflict where no automatic changes are allowed."""
        if self.settings.proposals_only:
            raise Conflict("No fact changes by itself now (shadow_mode or mutations_frozen): only look what would be.")

    async def _session(self, agent_id: str, session_id: str) -> ReadSession:
        found = await self.data.session(agent_id, session_id)
        if found is None:
            raise NotFound(f"There is no session {session_id!r}. `graphmem sessions list` shows those there are.")
        if found.archived_at:
            raise Conflict(f"{session_id!r} is archived: `graphmem sessions restore` brings it back.")
        return found


class _Before:
    """What the graph holds without what a session says from a message on."""

    def __init__(self, knowledge: Knowledge, data: Rereadings, session_id: str, from_ordinal: int) -> None:
        self._knowledge = knowledge
        self._data = data
        self._place = (session_id, from_ordinal)

    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
        found = await self._knowledge.known(agent_id, canonical_names)
        ids = sorted({entity.id for entity in found})
        before = await self._data.entities_before(agent_id, ids, *self._place) if ids else set()
        return [entity for entity in found if entity.id in before]

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
        return await self._data.facts_before(agent_id, entity_ids, *self._place)


def _with_gone(done: Reread, gave: SessionGave, gone: Going, entities: Sequence[str]) -> Reread:
    return replace(
        done,
        memories_gone=tuple(gave.texts[id_] for id_ in gone.memories),
        facts_gone=tuple(gave.texts[id_] for id_ in gone.facts),
        edges_gone=len(gone.edges),
        entities_gone=tuple(entities),
    )
