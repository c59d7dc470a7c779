"""Repairs of what the doctor finds and a program can fix, by the code of the finding."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from graphmem.errors import InvalidInput, NotFound, NotRepairable
from graphmem.model.care import Repaired
from graphmem.model.change import EventRow, HungFact
from graphmem.model.sealing import LookedAtFact
from graphmem.model.stored import BrokenRetirement, OpenJob
from graphmem.rules.keeping.findings import FINDINGS
from graphmem.rules.keeping.seals import wanted_key
from graphmem.rules.language.text import canonical_name
from graphmem.rules.privacy.payloads import MIN_RUN_CHARS
from graphmem.rules.privacy.rewriting import Rewriting, lightened, text_of
from graphmem.services.conversation.session_care import SessionCare
from graphmem.services.operation.chores import Chores
from graphmem.services.operation.doctor import HEAVY_PAGE, MOST, OVERSIZED_CHARS, PAGE, Doctor
from graphmem.services.operation.housekeeping import SEAL_AGE_S, seal
from graphmem.services.ports import NewId, RepairWrites

log = logging.getLogger(__name__)

BATCH = 1000
"""Most nodes that one transaction changes."""
BIG_TEXT_CHARS = 12_000
"""Texts longer than this go to files in a message that is oversized as a whole. *Source*: hermes-lcm."""
POPULATED_S = 600


def require_repairable(code: str) -> None:
    """Errors: InvalidInput lists the codes; NotRepairable says what a person can do instead."""
    kind = FINDINGS.get(code)
    if kind is None:
        known = ", ".join(sorted(name for name, one in FINDINGS.items() if one.repairable))
        raise InvalidInput(f"The doctor finds no {code!r}. What can be repaired: {known}.")
    if not kind.repairable:
        raise NotRepairable(f"No program can repair {code}. {kind.fix}")


@dataclass(frozen=True)
class Repairs:
    """Each repair changes what the doctor finds wrong at that moment, in bounded transactions, each with its line of
    history. Repeated, it changes nothing."""

    doctor: Doctor
    writes: RepairWrites
    sessions: SessionCare
    chores: Chores
    new_id: NewId
    holder: str

    async def repair(self, agent_id: str, code: str) -> Repaired:
        """Repair one finding for one agent.

        Errors: as `require_repairable`.
        """
        require_repairable(code)
        steps: dict[str, Callable[[str], Awaitable[Repaired]]] = {
            "schema_behind": self._schema,
            "index_missing": self._indexes,
            "index_failed": self._indexes,
            "index_out_of_sync": self._indexes,
            "index_populating": self._populating,
            "ordinals_with_gaps": self._ordinals,
            "chain_broken": self._chains,
            "source_lineage": self._lineage,
            "message_oversized": self._oversized,
            "message_inline_base64": self._base64,
            "archive_incomplete": self._archives,
            "orphans": self._orphans,
            "text_without_vector": self._vectors,
            "text_without_grams": self._grams,
            "memory_altered": self._memories,
            "fact_altered": self._altered,
            "fact_key_wrong": self._keys,
            "supersession_broken": self._supersessions,
            "events_unsealed": self._events,
            "jobs_failed": self._jobs,
            "chore_failed": self._chores,
        }
        done = await steps[code](agent_id)
        log.info(
            "repaired", extra={"finding": code, "agent": agent_id, "changed": done.changed, "left": len(done.left)}
        )
        return replace(done, code=code)

    # --- the underlying store

    async def _schema(self, _: str) -> Repaired:
        """Opening the database brings its schema up to date, so it is by now."""
        return Repaired("", 0)

    async def _indexes(self, agent_id: str) -> Repaired:
        reads = self.doctor.reads
        states = await reads.index_states()
        todo = dict.fromkeys(sorted(await reads.indexes_wanted() - states.keys()), False)
        todo |= dict.fromkeys(sorted(name for name, state in states.items() if state == "FAILED"), True)
        if not todo:
            await self.doctor.upkeep.refresh_text()
            counted = await reads.texts_in_index(agent_id)
            todo = dict.fromkeys([name for name, _, _ in counted], True)
        for name, anew in todo.items():
            await self.writes.make_index(name, anew=anew)
            await self.writes.note(agent_id, self._event("index", name))
        return Repaired("", len(todo))

    async def _populating(self, _: str) -> Repaired:
        await self.doctor.upkeep.await_indexes(POPULATED_S)
        return Repaired("", 0)

    # --- sessions and messages

    async def _ordinals(self, agent_id: str) -> Repaired:
        gone = 0
        sessions = await self.doctor.reads.sessions_with_gaps(agent_id, MOST)
        for session_id, _ in sessions:
            before = await self.writes.renumber(agent_id, session_id, self._event("ordinals_with_gaps", session_id))
            gone += max(before, default=-1) + 1 - len(before)
        left = (f"{gone} messages are gone: only a backup that holds them brings them back.",) if gone else ()
        return Repaired("", len(sessions), left)

    async def _chains(self, agent_id: str) -> Repaired:
        broken = await self.doctor.reads.chains_broken(agent_id, MOST)
        linked = [
            await self.writes.mend_chain(agent_id, session_id, self._event("chain_broken", session_id))
            for session_id, _ in broken
        ]
        left = ("Where a number is missing there is no next message: repair ordinals_with_gaps.",)
        return Repaired("", sum(linked), left if await self.doctor.reads.chains_broken(agent_id, 1) else ())

    async def _lineage(self, agent_id: str) -> Repaired:
        changed = 0
        strange = await self.doctor.reads.lineage_broken(agent_id, MOST)
        for session_id, _ in strange:
            changed += await self._all(
                lambda event, id_=session_id: self.writes.mend_lineage(agent_id, id_, BATCH, event),  # type: ignore[misc]
                "source_lineage",
                session_id,
            )
        return Repaired("", max(changed, len(strange)))

    async def _oversized(self, agent_id: str) -> Repaired:
        return await self._lighten(agent_id, OVERSIZED_CHARS, BIG_TEXT_CHARS)

    async def _base64(self, agent_id: str) -> Repaired:
        return await self._lighten(agent_id, MIN_RUN_CHARS, 0)

    async def _lighten(self, agent_id: str, from_chars: int, threshold_chars: int) -> Repaired:
        """Move large parts of messages to payload files; with a threshold, in oversized messages only."""
        changed = failed = 0
        redact = self.doctor.redact
        page = await self.doctor.reads.messages_heavy(agent_id, "", from_chars, HEAVY_PAGE)
        while page:
            chosen = [one for one in page if not threshold_chars or len(text_of(one)) > from_chars]
            found: Sequence[Rewriting] = await asyncio.to_thread(
                lambda given: [made for one in given if (made := lightened(one, threshold_chars, redact))], chosen
            )
            kept, unkept = await self.sessions.rewrite(agent_id, found, "message_lightened")
            changed, failed = changed + kept, failed + unkept
            page = await self.doctor.reads.messages_heavy(agent_id, page[-1].id, from_chars, HEAVY_PAGE)
        left = (f"The payloads of {failed} messages cannot be written; they keep them. See the log.",) if failed else ()
        return Repaired("", changed, left)

    async def _archives(self, agent_id: str) -> Repaired:
        halves = await self.doctor.reads.archives_incomplete(agent_id, MOST)
        for session_id, away in halves:
            await (self.sessions.put_away if away else self.sessions.bring_back)(agent_id, session_id)
            await self.writes.note(agent_id, self._event("archive_incomplete", session_id))
        return Repaired("", len(halves))

    # --- the graph

    async def _orphans(self, agent_id: str) -> Repaired:
        writes = self.writes
        changed = await self._all(lambda event: writes.hang_messages(agent_id, BATCH, event), "orphans", "Message")
        changed += await self._all(lambda event: writes.name_entities(agent_id, BATCH, event), "orphans", "Entity")
        changed += await self._all(lambda event: writes.hang_summaries(agent_id, BATCH, event), "orphans", "Summary")
        changed += await self._all(lambda event: writes.hang_compactions(agent_id, BATCH, event), "orphans", "Summary")
        changed += await self._hang_facts(agent_id, "orphans")
        left = tuple(
            f"{found.number} {found.kind} nodes: what they hung on is gone; only a backup brings it back."
            for found in await self.doctor.reads.orphans(agent_id)
        )
        return Repaired("", changed, left)

    async def _hang_facts(self, agent_id: str, code: str) -> int:
        """Hang facts on the aspects that they name, and return how many."""
        changed = 0
        astray = [fact for fact in await self.writes.astray(agent_id, BATCH) if fact.entity]
        while astray:
            hung = [
                HungFact(fact.id, fact.entity_id, fact.aspect, canonical_name(fact.aspect), self.new_id())
                for fact in astray
            ]
            done = await self.writes.hang_facts(agent_id, hung, self._event(code, "Attribute"))
            changed += len(done)
            astray = [fact for fact in await self.writes.astray(agent_id, BATCH) if fact.entity] if done else []
        return changed

    async def _vectors(self, agent_id: str) -> Repaired:
        changed = await self._all(
            lambda event: self.writes.want_vectors(agent_id, BATCH, event), "text_without_vector", "texts"
        )
        return Repaired("", changed)

    async def _grams(self, agent_id: str) -> Repaired:
        """The chore adds them for all agents, unless another process is doing it."""
        before = await self._gramless(agent_id)
        if not before:
            return Repaired("", 0)
        await self.chores.carry_out("fill_grams", self.holder, asyncio.Event())
        rest = await self._gramless(agent_id)
        await self.writes.note(agent_id, self._event("text_without_grams", "texts"))
        left = (f"{rest} texts have none yet: another process makes them, or the status tells its error.",)
        return Repaired("", before - rest, left if rest else ())

    async def _gramless(self, agent_id: str) -> int:
        return sum(kind.number for kind in await self.doctor.reads.texts_without_grams(agent_id))

    async def _keys(self, agent_id: str, code: str = "fact_key_wrong") -> Repaired:
        changed = 0
        faults = await self.doctor.integrity.facts(agent_id)
        wrong = [replace(fact, active_key=wanted_key(fact)) for fact in faults.keys]
        for batch in _batches(wrong):
            # Two facts of one key in one statement would not see each other: the second is skipped, and named.
            once = {fact.active_key or fact.id: fact for fact in reversed(batch)}
            changed += len(await self.writes.key_facts(agent_id, list(once.values()), self._event(code, "Attribute")))
        equal = len(wrong) - changed
        left = (f"{equal} facts are equal to one that is active: retire one of each pair by hand.",) if equal else ()
        return Repaired("", changed, left)

    async def _altered(self, agent_id: str) -> Repaired:
        """What a fact said is restored where something still proves it; else the fact is put away."""
        code = "fact_altered"
        faults = await self.doctor.integrity.facts(agent_id)
        known = await self.doctor.integrity.originals(agent_id, faults.altered)
        restored: set[str] = set()
        for batch in _batches([replace(fact, active_key=wanted_key(fact)) for fact in known]):
            once = {fact.active_key or fact.id: fact for fact in reversed(batch)}
            event = self._event(code, "Attribute")
            restored |= set(await self.writes.restore_facts(agent_id, list(once.values()), event))
        away = 0
        for batch in _batches([fact for fact in faults.altered if fact.id not in restored]):
            away += len(await self.writes.quarantine(agent_id, batch, self._event(code, "Attribute")))
        await self._hang_facts(agent_id, code)
        gone = len(faults.gone)
        left = (f"{gone} facts are gone: only a backup that holds them brings them back.",) if gone else ()
        return Repaired("", len(restored) + away, left)

    async def _memories(self, agent_id: str) -> Repaired:
        """What a memory said is restored where something still proves it. Without it, it stays: the facts that it
        supports may be as they were."""
        faults = await self.doctor.integrity.memories(agent_id)
        known = await self.doctor.integrity.original_memories(agent_id, faults.altered)
        changed = 0
        for start in range(0, len(known), PAGE):
            event = self._event("memory_altered", "Memory")
            changed += len(await self.writes.restore_memories(agent_id, known[start : start + PAGE], event))
        lost = len(faults.altered) - changed + len(faults.gone)
        left = (f"What {lost} memories said is known to a backup at most: look at them, and delete what is wrong.",)
        return Repaired("", changed, left if lost else ())

    async def _supersessions(self, agent_id: str) -> Repaired:
        changed = 0
        broken = await self.doctor.reads.supersessions_broken(agent_id, MOST)
        while circle := next((one for one in broken if one.fault == "in a circle"), None):
            if not await self.writes.open_circle(agent_id, circle.id, self._event("supersession_broken", circle.id)):
                break
            changed += 1
            broken = await self.doctor.reads.supersessions_broken(agent_id, MOST)
        by_fault: dict[str, list[BrokenRetirement]] = {}
        for one in broken:
            by_fault.setdefault(one.fault, []).append(one)
        lost = [(one.id, self.new_id()) for one in by_fault.get("no successor", ())]
        if lost:
            changed += len(
                await self.writes.link_successors(agent_id, lost, self._event("supersession_broken", "links"))
            )
        if active := by_fault.get("active"):
            changed += len(await self.writes.undo_links(agent_id, active, self._event("supersession_broken", "links")))
        if apart := by_fault.get("record"):
            event = self._event("supersession_broken", "records")
            changed += len(await self.writes.renew_records(agent_id, apart, event))
        changed += (await self._keys(agent_id, "supersession_broken")).changed  # a reactivated fact needs its key again
        rest = len(await self.doctor.reads.supersessions_broken(agent_id, MOST))
        left = (f"{rest} facts name no successor that is there: only a backup brings it back.",) if rest else ()
        return Repaired("", changed, left)

    # --- history and work

    async def _events(self, agent_id: str) -> Repaired:
        before = self.doctor.clock() - timedelta(seconds=SEAL_AGE_S)
        changed = 0
        while sealed := await seal(self.doctor.upkeep, agent_id, before):
            changed += sealed
        return Repaired("", changed)

    async def jobs(self, agent_id: str) -> list[OpenJob]:
        """An agent's queued, running and parked jobs, oldest first."""
        return await self.doctor.jobs.open_jobs(agent_id)

    async def retry(self, agent_id: str, job_ids: Sequence[str] | None = None) -> list[str]:
        """Queue parked jobs again, these or all, and return them.

        Errors: NotFound for an id that is not a parked job; then nothing is queued.
        """
        parked = [job.id for job in await self.jobs(agent_id) if job.status == "failed"]
        strange = sorted(set(job_ids or ()) - set(parked))
        if strange:
            raise NotFound(f"There is no parked job {', '.join(strange)}. `graphmem jobs list` shows those there are.")
        wanted = parked if job_ids is None else list(dict.fromkeys(job_ids))
        return [id_ for id_ in wanted if await self.writes.job_again(agent_id, id_, self._event("jobs_failed", id_))]

    async def _jobs(self, agent_id: str) -> Repaired:
        return Repaired("", len(await self.retry(agent_id)))

    async def _chores(self, _: str) -> Repaired:
        failed = [run.name for run in await self.chores.runs() if run.error]
        for name in failed:
            await self.chores.carry_out(name, self.holder, asyncio.Event())
        errors = [f"{run.name} failed again: {run.error}" for run in await self.chores.runs() if run.error]
        return Repaired("", len(failed) - len(errors), tuple(errors))

    async def _all(self, change: Callable[[EventRow], Awaitable[Sequence[str]]], code: str, subject_id: str) -> int:
        """How many nodes were changed, a batch at a time, until nothing is wrong."""
        total = 0
        while changed := await change(self._event(code, subject_id)):
            total += len(changed)
        return total

    def _event(self, code: str, subject_id: str) -> EventRow:
        return EventRow(self.new_id(), "repaired", subject_id, "doctor", self.doctor.clock(), reason=code)


def _batches(facts: Sequence[LookedAtFact]) -> Iterator[Sequence[LookedAtFact]]:
    return (facts[start : start + PAGE] for start in range(0, len(facts), PAGE))
