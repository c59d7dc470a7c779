"""The doctor: is the store consistent, is its history unchanged, does anything wait that should not?"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from graphmem.errors import PayloadDamaged, SchemaMismatch
from graphmem.model.answers import AgentFinding, Examination, Finding, Verification, VerifiedAgent
from graphmem.model.sealing import MessageFaults
from graphmem.model.stored import FoundIds, RawMessage
from graphmem.rules.keeping.feedback import BAD_IN_A_ROW
from graphmem.rules.keeping.findings import finding
from graphmem.rules.keeping.history import ChainCheck
from graphmem.rules.language.keys import sha256_hex
from graphmem.rules.privacy.guards import holds_secret
from graphmem.rules.privacy.payloads import MIN_RUN_CHARS
from graphmem.rules.privacy.redaction import PatternName
from graphmem.rules.privacy.rewriting import lightened
from graphmem.services.operation.chores import Chores
from graphmem.services.operation.integrity import Integrity
from graphmem.services.ports import (
    Clock,
    DoctorReads,
    Embedder,
    Jobs,
    PayloadBytes,
    ProvenanceReads,
    Tell,
    Upkeep,
    silent,
)

EVENT_PAGE = 2000
PAGE = 500
HEAVY_PAGE = 20
"""Messages that are read whole at a time, where each may be very big."""
TEXTS_PAGE = 100
"""Messages that are read whole at a time, where few are big."""
SHOWN = 5
LISTED = 50
"""Most entities that are named: a person has to check each."""
MOST = 1000
"""How many sessions, or facts, of a kind are listed separately."""
UNSEALED_S = 60.0
OVERSIZED_CHARS = 1_000_000


@dataclass(frozen=True)
class Doctor:
    """Read-only; `services/operation/repair.py` repairs. Its findings contain no stored text.

    `doubts` are settings that make a memory behave unexpectedly, one sentence each.
    """

    reads: DoctorReads
    derivations: ProvenanceReads
    integrity: Integrity
    jobs: Jobs
    upkeep: Upkeep
    chores: Chores
    embedder: Embedder
    payload_files: PayloadBytes
    redact: Sequence[PatternName]
    clock: Clock
    doubts: Sequence[str] = ()

    async def examine(self, agent_id: str, tell: Tell = silent) -> Examination:
        """Everything found about one agent's memory and the underlying store, the most severe first."""
        looks = (
            self._store,
            self._messages,
            self._sessions,
            self._graph,
            self._knowledge,
            self._disliked,
            self._payloads,
            self._secrets,
            self._history,
            self._work,
            self._derivations,
        )
        return await self._examined(agent_id, looks, tell)

    async def verify(self, agent_id: str, tell: Tell = silent) -> Verification:
        """Computes again what can be: hashes of messages, summaries, facts, payloads and history, what history seals of
        messages, memories and facts, and whether derived things still have their sources unchanged. The most severe
        first. It reads all texts."""
        messages = await self.integrity.messages(agent_id)
        said = _messages_told(messages)
        looks = (self._retold, self._knowledge, self._payloads, self._history, self._derivations)
        found = _sorted([*said, *(await self._examined(agent_id, looks, tell)).findings])
        return Verification(
            healthy=not found,
            agents=(
                VerifiedAgent(
                    agent_id=agent_id, healthy=not found, messages=messages.messages, unsealed=messages.unsealed
                ),
            ),
            findings=tuple(AgentFinding(agent_id=agent_id, **dict(one)) for one in found),
        )

    async def verify_all(self, tell: Tell = silent) -> Verification:
        """As `verify`, of every agent that has stored anything, by name."""
        checked = [await self.verify(agent_id, tell) for agent_id in await self.integrity.agents()]
        return Verification(
            healthy=all(one.healthy for one in checked),
            agents=tuple(agent for one in checked for agent in one.agents),
            findings=tuple(found for one in checked for found in one.findings),
        )

    async def _examined(
        self, agent_id: str, looks: Sequence[Callable[[str], Awaitable[Iterable[Finding]]]], tell: Tell
    ) -> Examination:
        findings: list[Finding] = []
        for done, look in enumerate(looks):
            tell("looks", done, len(looks))
            findings += await look(agent_id)
        return Examination(healthy=not findings, findings=tuple(_sorted(findings)))

    async def _store(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        try:
            pending = await self.reads.pending_migrations()
        except SchemaMismatch as error:
            return [finding("schema_mismatch", str(error))]
        if pending:
            found.append(finding("schema_behind", f"{len(pending)} migrations to apply."))
        states = await self.reads.index_states()
        broken = sorted(name for name, state in states.items() if state == "FAILED")
        if broken:
            found.append(finding("index_failed", f"Failed indexes: {', '.join(broken)}."))
        missing = sorted(await self.reads.indexes_wanted() - states.keys())
        if missing:
            found.append(finding("index_missing", f"Missing indexes: {', '.join(missing)}."))
        populating = sorted(name for name, state in states.items() if state == "POPULATING")
        if populating:
            found.append(finding("index_populating", f"Being filled: {', '.join(populating)}."))
        if not (broken or missing or populating):
            found += await self._sync(agent_id)
        if self.embedder.state == "off":
            found.append(finding("embedder_off", "Texts are found by their words only."))
        return found + [finding("setting_doubtful", doubt) for doubt in self.doubts]

    async def _sync(self, agent_id: str) -> list[Finding]:
        """What is written during the count reaches the index later than the store: only a lasting difference counts."""
        apart: dict[str, str] = {}
        for look in range(2):
            await self.upkeep.refresh_text()
            counted = await self.reads.texts_in_index(agent_id)
            now = {name: f"{name} finds {found} of {stored} texts" for name, found, stored in counted}
            apart = now if look == 0 else {name: said for name, said in now.items() if name in apart}
            if not apart:
                return []
        return [finding("index_out_of_sync", f"{'; '.join(apart.values())}.")]

    async def _messages(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        counts = await self.upkeep.counts(agent_id)
        if not counts.messages and not counts.memories:
            found.append(finding("memory_empty", f"Nothing is stored for the agent {agent_id!r}."))
        big = await self.reads.messages_oversized(agent_id, OVERSIZED_CHARS)
        if big.number:
            found.append(finding("message_oversized", _told("messages", big)))
        holding: list[str] = []
        page = await self.reads.messages_heavy(agent_id, "", MIN_RUN_CHARS, HEAVY_PAGE)
        while page:
            holding += await asyncio.to_thread(_with_base64, page, self.redact)
            page = await self.reads.messages_heavy(agent_id, page[-1].id, MIN_RUN_CHARS, HEAVY_PAGE)
        if holding:
            heavy = FoundIds("message", len(holding), tuple(holding[:SHOWN]))
            found.append(finding("message_inline_base64", _told("messages", heavy)))
        return found

    async def _sessions(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        gaps = await self.reads.sessions_with_gaps(agent_id, MOST)
        if gaps:
            found.append(finding("ordinals_with_gaps", _sessions_told(gaps, "messages")))
        broken = await self.reads.chains_broken(agent_id, MOST)
        if broken:
            found.append(finding("chain_broken", _sessions_told(broken, "links")))
        strange = await self.reads.lineage_broken(agent_id, MOST)
        if strange:
            found.append(finding("source_lineage", _sessions_told(strange, "messages")))
        halves = await self.reads.archives_incomplete(agent_id, MOST)
        if halves:
            shown = ", ".join(f"{id_} ({'archived' if away else 'restored'} in part)" for id_, away in halves[:SHOWN])
            found.append(finding("archive_incomplete", f"{len(halves)} sessions: {shown}."))
        return found

    async def _graph(self, agent_id: str) -> list[Finding]:
        found = [finding("orphans", _told(f"{kind.kind} nodes", kind)) for kind in await self.reads.orphans(agent_id)]
        found += [
            finding("text_without_vector", _told(f"{kind.kind} nodes", kind))
            for kind in await self.reads.texts_without_vector(agent_id)
        ]
        found += [
            finding("text_without_grams", _told(f"{kind.kind} nodes", kind))
            for kind in await self.reads.texts_without_grams(agent_id)
        ]
        broken = await self.reads.supersessions_broken(agent_id, MOST)
        if broken:
            shown = ", ".join(f"{one.id} ({_FAULTS[one.fault]})" for one in broken[:SHOWN])
            found.append(finding("supersession_broken", f"{len(broken)} facts: {shown}."))
        return found

    async def _knowledge(self, agent_id: str) -> list[Finding]:
        """Memories and facts that were altered, and facts that have another key than they should."""
        memories, faults = await self.integrity.memories(agent_id), await self.integrity.facts(agent_id)
        found: list[Finding] = []
        if memories.altered or memories.gone:
            ids = [one.id for one in memories.altered]
            found.append(finding("memory_altered", _altered_told("memories", ids, memories.gone)))
        if faults.altered or faults.gone:
            found.append(
                finding("fact_altered", _altered_told("facts", [one.id for one in faults.altered], faults.gone))
            )
        if faults.keys:
            found.append(finding("fact_key_wrong", _told("facts", _ids("fact", [one.id for one in faults.keys]))))
        if faults.quarantined:
            found.append(finding("fact_quarantined", _told("facts", _ids("fact", faults.quarantined))))
        return found

    async def _disliked(self, agent_id: str) -> list[Finding]:
        """Entities that recently got only bad feedback: what is stored about them is wrong, or useless."""
        ids = await self.reads.entities_disliked(agent_id, BAD_IN_A_ROW, MOST)
        if not ids:
            return []
        listed = f"{', '.join(ids[:LISTED])}{' …' if len(ids) > LISTED else ''}"
        return [
            finding("entity_disliked", f"The last {BAD_IN_A_ROW} feedbacks on {len(ids)} entities were bad: {listed}.")
        ]

    async def _payloads(self, agent_id: str) -> list[Finding]:
        damaged: list[str] = []
        page = await self.reads.payloads(agent_id, "", PAGE)
        while page:
            for sha256, where in page:
                try:
                    await asyncio.to_thread(self.payload_files.read, where, sha256)
                except PayloadDamaged:
                    damaged.append(sha256)
            page = await self.reads.payloads(agent_id, page[-1][0], PAGE)
        if not damaged:
            return []
        found = FoundIds("payload", len(damaged), tuple(damaged[:SHOWN]))
        return [finding("payload_damaged", _told("files are gone or altered", found))]

    async def _retold(self, agent_id: str) -> list[Finding]:
        """Summaries whose text does not match the hash of their writing."""
        altered: list[str] = []
        page = await self.derivations.summaries(agent_id, "", PAGE)
        while page:
            altered += [one.id for one in page if sha256_hex(one.content) != one.sha256]
            page = await self.derivations.summaries(agent_id, page[-1].id, PAGE)
        found = FoundIds("summary", len(altered), tuple(altered[:SHOWN]))
        return [finding("summary_altered", _told("summaries", found))] if altered else []

    async def _derivations(self, agent_id: str) -> list[Finding]:
        missing = await self.derivations.missing(agent_id)
        found = [finding("input_missing", _told(f"of kind {one.kind}", one)) for one in missing]
        changed = await self.derivations.changed(agent_id)
        return found + [finding("input_changed", _told(f"of kind {one.kind}", one)) for one in changed]

    async def _secrets(self, agent_id: str) -> list[Finding]:
        """Redaction applies only to new messages: those stored before it was enabled may contain what it would
        replace."""
        holding: list[str] = []
        page = await self.reads.message_texts(agent_id, "", TEXTS_PAGE) if self.redact else []
        while page:
            holding += await asyncio.to_thread(_with_secrets, page, self.redact)
            page = await self.reads.message_texts(agent_id, page[-1][1].id, TEXTS_PAGE)
        if not holding:
            return []
        found = FoundIds("message", len(holding), tuple(holding[:SHOWN]))
        return [finding("secrets_stored", _told("messages", found))]

    async def _history(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        overdue = await self.reads.events_overdue(agent_id, self.clock() - timedelta(seconds=UNSEALED_S))
        if overdue:
            found.append(finding("events_unsealed", f"{overdue} events wait for over a minute."))
        altered = await self._chain_damage(agent_id)
        if altered is not None:  # an event that was chained during the read may have been missed: check again
            altered = await self._chain_damage(agent_id)
        if altered is not None:
            changed = f"; changed: {', '.join(altered[:SHOWN])}" if altered else "; events are missing"
            found.append(finding("history_broken", f"The chain of history is not whole{changed}."))
        return found

    async def _chain_damage(self, agent_id: str) -> list[str] | None:
        """The events that were changed, none where some are missing; None: the chain is complete."""
        last_hash = await self.reads.event_chain(agent_id)
        check = ChainCheck()
        page = await self.reads.events_sealed(agent_id, None, EVENT_PAGE)
        while page:
            for sealed in page:
                check.add(sealed.event, sealed.previous, sealed.hash)
            page = await self.reads.events_sealed(agent_id, page[-1], EVENT_PAGE)
        waiting = await self.upkeep.unsealed_events(agent_id, self.clock() + timedelta(days=1), EVENT_PAGE)
        for event in waiting.events:
            check.note(event)
        check.erased(await self.reads.erasures(agent_id))
        return None if check.whole(last_hash) else check.altered

    async def _work(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        failed = [job for job in await self.jobs.open_jobs(agent_id) if job.status == "failed"]
        if failed:
            shown = ", ".join(f"{job.id} ({job.kind})" for job in failed[:SHOWN])
            found.append(finding("jobs_failed", f"{len(failed)} jobs were given up: {shown}."))
        for run in await self.chores.runs():
            if run.error:
                detail = f"{run.name} failed at {run.last_run}: {run.error.split(':')[0]}."
                found.append(finding("chore_failed", detail))
        return found


_FAULTS = {
    "no successor": "no successor",
    "in a circle": "in a circle",
    "active": "retired by a link, yet active",
    "record": "link and record disagree",
}


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda found: (found.severity != "error", found.code))


def _messages_told(faults: MessageFaults) -> list[Finding]:
    if not (faults.altered or faults.gone):
        return []
    return [finding("message_altered", _altered_told("messages", faults.altered, faults.gone))]


def _altered_told(what: str, altered: Sequence[str], gone: Sequence[str]) -> str:
    told = [_told(what, _ids(what, altered))] if altered else []
    return " ".join([*told, _told(f"{what} that history seals are gone", _ids(what, gone))] if gone else told)


def _ids(kind: str, ids: Sequence[str]) -> FoundIds:
    return FoundIds(kind, len(ids), tuple(ids[:SHOWN]))


def _with_base64(page: Sequence[RawMessage], redact: Sequence[PatternName]) -> list[str]:
    return [message.id for message in page if lightened(message, redact=redact)]


def _with_secrets(page: Sequence[tuple[str, RawMessage]], patterns: Sequence[PatternName]) -> list[str]:
    return [message.id for role, message in page if holds_secret(message, role, patterns)]


def _told(what: str, found: FoundIds) -> str:
    return f"{found.number} {what}: {', '.join(found.ids[:SHOWN])}{' …' if found.number > SHOWN else ''}."


def _sessions_told(found: Sequence[tuple[str, int]], what: str) -> str:
    shown = ", ".join(f"{id_} ({number} {what})" for id_, number in found[:SHOWN])
    return f"{len(found)} sessions: {shown}{' …' if len(found) > SHOWN else ''}."
