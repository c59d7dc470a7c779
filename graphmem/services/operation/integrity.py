"""Is what is stored what was stored? Seals it in history, and holds it against what history sealed."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass

from graphmem.errors import PayloadDamaged
from graphmem.model.change import EventRow
from graphmem.model.provenance import KeptMessage
from graphmem.model.sealing import (
    FactFaults,
    FactSources,
    LookedAtFact,
    LookedAtMemory,
    MemoryFaults,
    MessageFaults,
    PastEvent,
    Seal,
    SealSubject,
)
from graphmem.rules.keeping.canonical import message_fingerprint
from graphmem.rules.keeping.history import ERASED, ids_digest
from graphmem.rules.keeping.seals import (
    MERGED,
    SEALED,
    FactFault,
    Seals,
    confirmed,
    fault_of,
    keeps_key,
    original_memory,
    original_of,
    sealed_fact,
    sealed_memory,
    sealed_message,
)
from graphmem.rules.language.keys import exact_fingerprint, sha256_hex
from graphmem.rules.privacy.payloads import as_it_came
from graphmem.services.ports import Clock, NewId, PayloadBytes, ProvenanceReads, SealData

PAGE = 500
SOURCES_PAGE = 50
"""Facts whose sources are read at a time: messages are read whole for them."""
EVENTS_PAGE = 500
SEALED_AT_ONCE, SEALED_TOGETHER = 2000, 200
"""Things that are looked for at a time, and sealed by one event: some 15 kB of it."""


@dataclass(frozen=True)
class Integrity:
    """`new_salt` makes 128 random bits or more, as text."""

    data: SealData
    texts: ProvenanceReads
    payload_files: PayloadBytes
    clock: Clock
    new_id: NewId
    new_salt: Callable[[], str]

    async def seal(self) -> bool:
        """The chore: seal messages, memories and facts of all agents that are not sealed; returns whether there may be
        more."""
        messages = await self.data.messages_waiting(SEALED_AT_ONCE)
        await self._keep("messages", ((agent, sealed_message(said, self.new_salt())) for agent, said in messages))
        memories = await self.data.memories_waiting(SEALED_AT_ONCE)
        await self._keep("memories", ((agent, sealed_memory(one, self.new_salt())) for agent, one in memories))
        facts = await self.data.facts_waiting(SEALED_AT_ONCE)
        await self._keep("facts", ((agent, sealed_fact(fact, self.new_salt())) for agent, fact in facts))
        return SEALED_AT_ONCE in (len(messages), len(memories), len(facts))

    async def _keep(self, subject: SealSubject, made: Iterable[tuple[str, Seal]]) -> None:
        by_agent: dict[str, list[Seal]] = defaultdict(list)
        for agent_id, one in made:
            by_agent[agent_id].append(one)
        for agent_id, seals in by_agent.items():
            for start in range(0, len(seals), SEALED_TOGETHER):
                event = EventRow(self.new_id(), SEALED, subject, "upkeep", self.clock())
                await self.data.keep(agent_id, subject, seals[start : start + SEALED_TOGETHER], event)

    async def agents(self) -> list[str]:
        """Every agent that has stored anything, by name."""
        return await self.data.agents()

    async def messages(self, agent_id: str) -> MessageFaults:
        """What is wrong with an agent's messages: their text does not match the hash of their arrival, or that hash not
        the seal."""
        seals, erased = await self.seals(agent_id, "messages"), await self._erased(agent_id)
        altered: list[str] = []
        number = unsealed = 0
        page = await self.texts.messages(agent_id, "", PAGE)
        while page:
            altered += await asyncio.to_thread(self._altered, [one for one in page if one.said.id not in erased], seals)
            number += len(page)
            unsealed += sum(one.salt is None and not one.erased for one in page)
            page = await self.texts.messages(agent_id, page[-1].said.id, PAGE)
        return MessageFaults(tuple(altered), tuple(seals.gone(erased)), number, unsealed)

    def _altered(self, page: Sequence[KeptMessage], seals: Seals) -> list[str]:
        return [
            one.said.id
            for one in page
            if seals.of_message(one.said, one.salt) == "altered" or not (one.erased or self._says_what_it_said(one))
        ]

    def _says_what_it_said(self, one: KeptMessage) -> bool:
        """Of one whose payload files are damaged, which is told elsewhere, this says yes."""
        said = one.said
        if sha256_hex(one.content) == said.sha256:
            return bool(one.payloads) or said.fingerprint in (None, *fingerprints_of(one))
        try:
            payloads = {sha256: self.payload_files.read(where, sha256) for sha256, where in one.payloads}
        except PayloadDamaged:
            return True
        return as_it_came(one.content, one.content_kind, payloads, said.sha256)

    async def memories(self, agent_id: str) -> MemoryFaults:
        """What is wrong with an agent's memories: they say something else than their seals, or keys, tell."""
        seals = await self.seals(agent_id, "memories")
        altered: list[LookedAtMemory] = []
        for cold in (False, True):
            page = await self.data.memories(agent_id, "", PAGE, cold=cold)
            while page:
                standing = [(one, seals.of_memory(one)) for one in page]
                altered += [
                    one for one, how in standing if how == "altered" or (how == "unsealed" and not keeps_key(one))
                ]
                page = await self.data.memories(agent_id, page[-1].id, PAGE, cold=cold)
        return MemoryFaults(tuple(altered), tuple(seals.gone(await self._erased(agent_id))))

    async def original_memories(self, agent_id: str, altered: Sequence[LookedAtMemory]) -> list[LookedAtMemory]:
        """Those of these memories of which it is known what they said, as they were."""
        seals = await self.seals(agent_id, "memories")
        known: list[LookedAtMemory] = []
        for start in range(0, len(altered), SOURCES_PAGE):
            part = altered[start : start + SOURCES_PAGE]
            texts = await self.data.memory_texts(agent_id, [one.id for one in part])
            found = (original_memory(one, texts.get(one.id, ()), seals) for one in part)
            known += [one for one in found if one]
        return known

    async def facts(self, agent_id: str) -> FactFaults:
        """What is wrong with an agent's facts. A wrong key may be made anew only where the seal, or else a source that
        is as it was, says that the fact says what it said."""
        seals = await self.seals(agent_id, "facts")
        found: dict[FactFault, list[LookedAtFact]] = defaultdict(list)
        quarantined: list[str] = []
        page = await self.data.facts(agent_id, "", PAGE)
        while page:
            for fact in page:
                if fault := fault_of(fact, seals.of_fact(fact)):
                    found[fault].append(fact)
            quarantined += [fact.id for fact in page if fact.quarantined]
            page = await self.data.facts(agent_id, page[-1].id, PAGE)
        for fact, sources in [one async for one in self._with_sources(agent_id, found["unsure"])]:
            found["key" if confirmed(fact, sources) else "altered"].append(fact)
        gone = tuple(seals.gone(await self._erased(agent_id)))
        return FactFaults(tuple(found["key"]), tuple(found["altered"]), gone, tuple(quarantined))

    async def originals(self, agent_id: str, altered: Sequence[LookedAtFact]) -> list[LookedAtFact]:
        """Those of these facts of which it is known what they said, as they were, each with its key."""
        seals = await self.seals(agent_id, "facts")
        known: list[LookedAtFact] = []
        async for fact, sources in self._with_sources(agent_id, altered):
            if original := original_of(fact, sources, seals):
                known.append(original)
        return known

    async def seals(self, agent_id: str, subject: SealSubject) -> Seals:
        """What history seals of an agent's messages, memories or facts."""
        seals = Seals()
        async for event in self._events(agent_id, SEALED, subject):
            if event.after:
                seals.add(json.loads(event.after))
        if subject == "facts":
            async for event in self._events(agent_id, MERGED):
                if into := json.loads(event.after or "{}").get("into"):
                    seals.merge(event.subject_id, into)
        return seals

    async def _erased(self, agent_id: str) -> frozenset[str]:
        """The messages, memories and facts that history says were erased."""
        told: dict[str, str] = {}
        async for event in self._events(agent_id, ERASED):
            told[event.subject_id] = json.loads(event.after or "{}").get("contentSha256", "")
        named = await self.data.erased(agent_id)
        return frozenset(one for id_, ids in named.items() if told.get(id_) == ids_digest(ids) for one in ids)

    async def _events(self, agent_id: str, kind: str, subject_id: str | None = None) -> AsyncIterator[PastEvent]:
        page = await self.data.events(agent_id, kind, subject_id, None, EVENTS_PAGE)
        while page:
            for event in page:
                yield event
            page = await self.data.events(agent_id, kind, subject_id, page[-1], EVENTS_PAGE)

    async def _with_sources(
        self, agent_id: str, facts: Sequence[LookedAtFact]
    ) -> AsyncIterator[tuple[LookedAtFact, FactSources]]:
        for start in range(0, len(facts), SOURCES_PAGE):
            part = facts[start : start + SOURCES_PAGE]
            sources = await self.data.sources(agent_id, [fact.id for fact in part])
            for fact in part:
                if fact.id in sources:
                    yield fact, sources[fact.id]


def fingerprints_of(one: KeptMessage) -> tuple[str, str]:
    """The fingerprints that a message as it is stored may have: that of now, and that of version 0.1.0."""
    content = one.content if one.content_kind == "text" else json.loads(one.content)
    said = (one.said.role, one.said.name, content, one.tool_calls and json.loads(one.tool_calls), one.tool_call_id)
    return message_fingerprint(*said), exact_fingerprint(*said)
