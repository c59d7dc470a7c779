"""Erasing: the one true deletion. Find what a subject names, erase it with all that rests on it alone, rebuild what
told of it, search everything for what was said, and sign what was done.

What is erased is gone at once, batch by batch, each in one transaction. An erasure that was interrupted is carried out
again from its record, which holds ids only, and so is one that a restored backup knows nothing of.
"""

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from graphmem.errors import GraphmemError, LegalHold, NotFound
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.condensing import CONDENSE
from graphmem.model.erasing import (
    Erase,
    EraseBatch,
    Erased,
    EraseStep,
    EraseSubject,
    Erasure,
    ErasureReceipt,
    FileSearch,
    HeldText,
    OlderCopy,
    Signature,
    StaleText,
    SubjectKind,
)
from graphmem.rules.keeping.history import ERASED, ids_digest
from graphmem.rules.language.keys import agent_key, canonical_json, sha256_hex
from graphmem.rules.privacy.erasing import Canaries, as_written, canaries_of, canaries_of_names, folded, met
from graphmem.rules.privacy.globs import glob_match
from graphmem.services.continuity.recapping import Recapping
from graphmem.services.knowledge.learning import Learning
from graphmem.services.ports import Clock, CompactionData, Jobs, NewId, PayloadBytes, Sessions, Upkeep
from graphmem.services.ports.operation import ErasureData

log = logging.getLogger(__name__)

BATCH = 500
"""Messages that one transaction erases."""
GOES_ON_S = 300.0
"""How long an erasure that makes no progress keeps its agent's jobs waiting; then the chore carries it out."""
WORK_ENDS_WITHIN_S, LOOK_S = 60.0, 0.1
ROUNDS = 3
"""How often what still holds words is cleared before that is told as it is."""
WORDS = 200
"""Most words that files are searched for."""
SAMPLE = 40
"""Most canaries that the indexes are asked for."""
COLD_ADVICE = (
    "Neo4j keeps the bytes of what is deleted in its files and transaction logs until they are written over. Stop what "
    "uses the database, then `graphmem db compact` writes the files anew without them."
)
OTHERS_ADVICE = (
    "This Neo4j is not graphmem's, which neither searches nor writes its files. Bytes of what was deleted stay in "
    "store files, indexes and transaction logs until they are written over, and in its backups. Its operator removes "
    "them: a checkpoint, pruned logs and a store that is written anew, by `neo4j-admin database copy` or by "
    "`graphmem backup` and `graphmem restore` into a new database."
)
NAMELESS = frozenset({"Entity", "ColdEntity", "MergedEntity", "Name", "Aspect"})
"""Labels whose texts may not be missing: they get a name that says nothing."""
DERIVED = frozenset({"Memory", "ColdMemory", "Attribute", "Entity", "ColdEntity", "MergedEntity", "Name", "Aspect"})
"""Labels of what is told in words of its own: only a telling word proves that they hold what was erased."""
_QUOTED = re.compile(r'"([^"\s]{1,300})"')
_CODES = """
    id sha256 fingerprint hash prevHash activeKey coldKey contentKey dagKey pairKey sessionKey bodyHash openId
    project source kind type status role by method extractor analyser aspect mediaType where level class receipt
    idleSince holder actor contentKind
"""
CODES = frozenset(_CODES.split())
"""Properties that hold ids, hashes, codes and what a caller calls its own projects: no words of a conversation."""


class ErasureRecords(Protocol):
    """What is kept of erasures outside of the database."""

    def add(self, erasure: Erasure) -> None: ...
    def all(self) -> list[Erasure]: ...
    def copies(self) -> tuple[OlderCopy, ...]: ...
    def sign(self, text: str) -> Signature: ...


@dataclass(frozen=True)
class _Target:
    """What a subject names. `names` are looked for in everything that is said."""

    session_id: str | None = None
    message_ids: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    payloads: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass
class _Outcome:
    """What an erasure has done so far."""

    step: EraseStep
    event_ids: list[str] = field(default_factory=list)
    cleared: Counter[str] = field(default_factory=Counter)
    rebuilt: Counter[str] = field(default_factory=Counter)
    job_ids: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    searched: Counter[str] = field(default_factory=Counter)
    canaries: Canaries = field(default_factory=Canaries)
    said_elsewhere: int = 0


@dataclass(frozen=True)
class Erasing:
    """`hold` are patterns of sessions under a legal hold, as those of ignored sessions; `**` holds everything.
    `managed`: the database is the managed one. `forget` empties the caches of this process."""

    data: ErasureData
    records: ErasureRecords
    jobs: Jobs
    upkeep: Upkeep
    sessions: Sessions
    compactions: CompactionData
    learning: Learning
    recapping: Recapping
    payload_files: PayloadBytes
    forget: Callable[[], None]
    hold: Sequence[str]
    managed: bool
    recap_tokens: int
    clock: Clock
    new_id: NewId

    async def erase(self, caller: Caller, given: Erase) -> Erased:
        """What was erased, signed; without `confirm` what would be.

        Errors: NotFound; LegalHold.
        """
        return (await self.erase_telling(caller, given))[0]

    async def erase_telling(self, caller: Caller, given: Erase) -> tuple[Erased, list[str]]:
        """As `erase`, and with what files can be searched for: words as they were written, which the caller forgets
        then."""
        agent_id = caller.agent_id
        target = await self._target(agent_id, given.subject)
        if not given.confirm:
            return Erased(receipt=await self._preview(agent_id, given.subject, target), signature=None), []
        if self.hold and (held := await self._held(agent_id, target)):
            raise LegalHold(f"Nothing was erased: GRAPHMEM_LEGAL_HOLD holds {', '.join(held)}.")
        erasure = Erasure(
            agent_id=agent_id,
            id=self.new_id(),
            kind=given.subject.kind,
            created_at=self.clock(),
            session_key=session_key(agent_id, target.session_id) if target.session_id else None,
            message_ids=target.message_ids,
            memory_ids=target.memory_ids,
            fact_ids=target.fact_ids,
            entity_ids=target.entity_ids,
            payloads=target.payloads,
        )
        return await self._carried_out(erasure, target, _subject_hash(agent_id, given.subject))

    async def with_files(self, erased: Erased, searched: int, found: int) -> Erased:
        """The receipt with what a search of the files found, signed anew."""
        files = FileSearch(
            state="found" if found else "clean", searched=searched, found=found, advice=COLD_ADVICE if found else None
        )
        return await self._signed(erased.receipt.model_copy(update={"files": files}))

    async def _signed(self, receipt: ErasureReceipt) -> Erased:
        return Erased(receipt=receipt, signature=await asyncio.to_thread(self.records.sign, signed_text(receipt)))

    async def again(self, known: Iterable[Erasure] = ()) -> int:
        """Erase again what the list holds, and what else is known: a backup from before has it. How many found
        something."""
        wanted = {one.id: one for one in (*known, *await asyncio.to_thread(self.records.all))}
        found = 0
        for erasure in sorted(wanted.values(), key=lambda one: one.created_at):
            target = await self._known(erasure)
            step = await self._looked_at(erasure.agent_id, target)
            if any(step.deleted.values()):
                await self._carried_out(erasure, target, "")
                found += 1
        return found

    async def finish_interrupted(self) -> bool:
        """The chore: carry out what was begun and not ended."""
        for erasure in await self.data.unfinished(self.clock()):
            await self._carried_out(erasure, await self._known(erasure), "")
        return False

    async def _known(self, erasure: Erasure) -> _Target:
        """What an erasure named, from its record."""
        agent_id, session_id = erasure.agent_id, None
        if erasure.session_key:
            session_id = await self._session_of(agent_id, erasure.session_key)
        names: list[str] = []
        for id_ in erasure.entity_ids:
            if named := await self.data.entity(agent_id, id_):
                names += () if named.user else named.names
        return _Target(
            session_id=session_id,
            message_ids=erasure.message_ids,
            memory_ids=erasure.memory_ids,
            fact_ids=erasure.fact_ids,
            entity_ids=erasure.entity_ids,
            payloads=erasure.payloads,
            names=tuple(names),
        )

    async def _session_of(self, agent_id: str, key: str) -> str | None:
        after = ""
        while page := await self.data.session_ids(agent_id, after):
            for id_ in page:
                if session_key(agent_id, id_) == key:
                    return id_
            after = page[-1]
        return None

    async def _target(self, agent_id: str, subject: EraseSubject) -> _Target:
        """Errors: NotFound."""
        if subject.message_id:
            found = await self.data.messages(agent_id, subject.message_id, subject.session_id)
            if len(found) > 1:
                raise NotFound(f"{len(found)} sessions have a message {subject.message_id!r}: name its sessionId too.")
            target = _Target(message_ids=tuple(found))
        elif subject.session_id:
            if await self.sessions.find(agent_id, subject.session_id) is None:
                raise NotFound(f"There is no session {subject.session_id!r}.")
            ids = await self.data.session_messages(agent_id, subject.session_id)
            return _Target(session_id=subject.session_id, message_ids=tuple(ids))
        elif subject.payload:
            sha256 = subject.payload.lower()
            target = _Target(message_ids=tuple(await self.data.payload_messages(agent_id, sha256)), payloads=(sha256,))
        elif subject.memory_id:
            target = await self._memory(agent_id, subject.memory_id)
        else:
            return await self._named(agent_id, subject)
        if not (target.message_ids or target.memory_ids or target.fact_ids):
            raise NotFound(f"There is nothing to erase: no {subject.kind} is called so.")
        return target

    async def _memory(self, agent_id: str, id_: str) -> _Target:
        found = await self.data.memory(agent_id, id_)
        if found is None:
            raise NotFound(f"There is no memory or attribute {id_!r}.")
        memory_ids, fact_id = found
        return _Target(
            message_ids=tuple(await self.data.said_by(agent_id, memory_ids, ())),
            memory_ids=tuple(memory_ids),
            fact_ids=(fact_id,) if fact_id else (),
        )

    async def _named(self, agent_id: str, subject: EraseSubject) -> _Target:
        """An entity or a person: what mentions it, and everything that says one of its names."""
        wanted = subject.entity or subject.person or ""
        named = await self.data.entity(agent_id, wanted)
        if named is None and not subject.person:
            raise NotFound(f"There is no entity {wanted!r}.")
        entity_ids = named.ids if named else ()
        names = named.names if named else (wanted,)
        if named and named.user:
            names = ()
        messages = dict.fromkeys(await self.data.said_by(agent_id, (), entity_ids))
        memories: list[str] = []
        if sought := canaries_of_names(names):
            async for page in self.data.texts(agent_id):
                for held in await asyncio.to_thread(_holding, page, sought):
                    if "Message" in held.labels:
                        messages.setdefault(held.id)
                    elif held.labels & {"Memory", "ColdMemory"}:
                        memories.append(held.id)
        if not (entity_ids or messages or memories):
            raise NotFound(f"Nobody and nothing is called {wanted!r} here.")
        return _Target(
            message_ids=tuple(messages), memory_ids=tuple(memories), entity_ids=tuple(entity_ids), names=tuple(names)
        )

    async def _held(self, agent_id: str, target: _Target) -> list[str]:
        """The patterns that hold something of this."""
        step = await self._looked_at(agent_id, target)
        found: dict[str, None] = {}
        for session_id in step.sessions:
            session = await self.sessions.find(agent_id, session_id)
            if pattern := glob_match(self.hold, session_id, session.source if session else None):
                found.setdefault(pattern)
        if pattern := glob_match(self.hold, ""):
            found.setdefault(pattern)
        return list(found)

    async def _preview(self, agent_id: str, subject: EraseSubject, target: _Target) -> ErasureReceipt:
        step = await self._looked_at(agent_id, target)
        return self._receipt(
            None,
            agent_id,
            subject.kind,
            _subject_hash(agent_id, subject),
            _Outcome(step),
            held=await self._held(agent_id, target) if self.hold else [],
            exact=len(target.message_ids) <= BATCH,
        )

    async def _looked_at(self, agent_id: str, target: _Target) -> EraseStep:
        """What erasing would do. Each batch is tried by itself: what rests on two is not counted."""
        step = EraseStep({})
        for batch in _batches(target, self.new_id()):
            step += await self.data.preview(agent_id, batch, self.clock())
        return step

    async def _carried_out(self, erasure: Erasure, target: _Target, subject: str) -> tuple[Erased, list[str]]:
        agent_id = erasure.agent_id
        await self.data.begin(erasure, self._until())
        await self._work_ends(agent_id)
        outcome = _Outcome(EraseStep({}))
        for batch in _batches(target, erasure.id):
            await self._step(agent_id, batch, outcome)
        await self._scrub(erasure, target, outcome)
        erasure = erasure.model_copy(
            update={
                name: tuple(dict.fromkeys((*getattr(erasure, name), *getattr(outcome.step, name))))
                for name in ("message_ids", "memory_ids", "fact_ids", "entity_ids")
            }
            | {"payloads": tuple(dict.fromkeys((*erasure.payloads, *(sha256 for sha256, _ in outcome.step.files))))}
        )
        await asyncio.to_thread(self.records.add, erasure)
        receipt = self._receipt(erasure.id, agent_id, erasure.kind, subject, outcome)
        erased, said = await self._signed(receipt), signed_text(receipt)
        after = {
            "erasure": erasure.id,
            "deleted": sum(outcome.step.deleted.values()),
            "events": len(outcome.event_ids),
            "eventsSha256": ids_digest(outcome.event_ids),
            "contentSha256": ids_digest((*erasure.message_ids, *erasure.memory_ids, *erasure.fact_ids)),
            "receiptSha256": sha256_hex(said),
        }
        event = EventRow(self.new_id(), ERASED, erasure.id, "api", self.clock(), after=json.dumps(after))
        await self.data.finish(erasure, outcome.event_ids, said, event)
        await self.data.note(self.clock())
        self.forget()
        log.info("content erased", extra={"agent": agent_id, "erasure": erasure.id, "verified": receipt.verified})
        return erased, as_written((*outcome.step.texts, *target.names), outcome.canaries, WORDS)

    async def _step(self, agent_id: str, batch: EraseBatch, outcome: _Outcome) -> None:
        step = await self.data.erase(agent_id, batch, self.clock())
        for _, where in step.files:
            outcome.cleared["payloadFiles"] += await asyncio.to_thread(self.payload_files.remove, where)
        outcome.event_ids += await self.data.clear_events(agent_id, step.ids, (), batch.erasure_id)
        outcome.step += step
        await self.data.renew(agent_id, batch.erasure_id, self._until())

    async def _scrub(self, erasure: Erasure, target: _Target, outcome: _Outcome) -> None:
        """Search everything for what was said, and clear it, until nothing is found; rebuild once in between."""
        agent_id = erasure.agent_id
        said = await asyncio.to_thread(canaries_of, outcome.step.texts)
        said |= (await asyncio.to_thread(canaries_of, outcome.step.told)).alone()
        names = canaries_of_names(target.names)
        said, outcome.said_elsewhere = await self._unsaid(agent_id, said)
        gone = await asyncio.to_thread(canaries_of_names, outcome.step.names)
        told, _ = await self._unsaid(agent_id, gone)
        outcome.canaries = said | names | told
        for turn in range(ROUNDS + 1):
            found = await self._found(erasure, outcome, target)
            if turn == ROUNDS:
                outcome.left += [f"{'/'.join(sorted(held.labels)) or 'relationship'} {held.id}" for held, _ in found]
                break
            for batch in await self._cleared(erasure, found, outcome):
                await self._step(agent_id, batch, outcome)
            if not turn:
                await self._rebuild(agent_id, target, outcome)
            elif not found:
                break
        outcome.left += await self._in_indexes(agent_id, outcome)
        outcome.cleared["Event"] = len(outcome.event_ids)

    async def _unsaid(self, agent_id: str, said: Canaries) -> tuple[Canaries, int]:
        """The canaries that nothing else says by itself, and how many texts say some of the others."""
        elsewhere, texts = Canaries(), 0
        async for page in self.data.texts(agent_id):
            for held in page:
                if held.source and (here := await asyncio.to_thread(met, _words(held), said)):
                    elsewhere |= here
                    texts += 1
        return said - elsewhere, texts

    async def _found(
        self, erasure: Erasure, outcome: _Outcome, target: _Target
    ) -> list[tuple[HeldText, tuple[str, ...]]]:
        """What still holds one of the canaries, with the properties that do, or a stored answer with an erased id."""
        ids = {*outcome.step.ids, *target.message_ids, *target.memory_ids, *target.fact_ids, *target.entity_ids}
        outcome.searched.clear()
        found: list[tuple[HeldText, tuple[str, ...]]] = []
        async for page in self.data.texts(erasure.agent_id):
            outcome.searched["nodes"] += sum(bool(held.labels) for held in page)
            outcome.searched["relationships"] += sum(not held.labels for held in page)
            found += await asyncio.to_thread(_stale, page, outcome.canaries, ids)
            await self.data.renew(erasure.agent_id, erasure.id, self._until())
        return found

    async def _cleared(
        self, erasure: Erasure, found: Sequence[tuple[HeldText, tuple[str, ...]]], outcome: _Outcome
    ) -> list[EraseBatch]:
        """Clear single properties; what is to be erased as a whole is returned."""
        batch, stale, events = EraseBatch(erasure.id), [], []
        for held, keys in found:
            label = next(iter(held.labels & (DERIVED | {"Message", "Summary", "Event"})), None)
            if label == "Message":
                batch = replace(batch, message_ids=(*batch.message_ids, held.id))
            elif label in ("Memory", "ColdMemory"):
                batch = replace(batch, memory_ids=(*batch.memory_ids, held.id))
            elif label == "Attribute":
                batch = replace(batch, fact_ids=(*batch.fact_ids, held.id))
            elif label == "Summary":
                batch = replace(batch, summary_ids=(*batch.summary_ids, held.id))
            elif label == "Event":
                events.append(held.id)
            else:
                if "key" in keys:  # of a stored answer: the caller chose it
                    stale.append(StaleText(held.node, False, ("key",), f"erased {self.new_id()}"))
                if rest := tuple(key for key in keys if key != "key"):
                    stale.append(StaleText(held.node, not held.labels, rest, self._instead(held, rest)))
                outcome.cleared["/".join(sorted(held.labels)) or "relationship"] += 1
        if stale:
            await self.data.clear(erasure.agent_id, stale)
        if events:
            outcome.event_ids += await self.data.clear_events(erasure.agent_id, (), events, erasure.id)
        whole = batch.message_ids or batch.memory_ids or batch.fact_ids or batch.summary_ids
        return [batch] if whole else []

    def _instead(self, held: HeldText, keys: Sequence[str]) -> str | None:
        if held.labels & NAMELESS:
            return f"erased {self.new_id()}"
        if "Job" in held.labels and "input" in keys:
            return "{}"
        return '{"erased":true}' if "Request" in held.labels else None

    async def _rebuild(self, agent_id: str, target: _Target, outcome: _Outcome) -> None:
        """Summaries without what was erased: those of sessions and recaps at once, the others by jobs."""
        step = outcome.step
        for session_id in step.summed:
            if session_id != target.session_id and await self.learning.summarise_session(agent_id, session_id):
                outcome.rebuilt["session"] += 1
        for session_id in step.recapped:
            if session_id == target.session_id:
                continue
            try:
                await self.recapping.keep(Caller(agent_id), session_id, "auto", self.recap_tokens)
                outcome.rebuilt["recap"] += 1
            except GraphmemError as error:  # the session is gone, or a pattern keeps it from being written
                log.info("no recap was made again", extra={"agent": agent_id, "error": error.code})
        for session_id in step.compacted:
            outcome.job_ids.append(await self.compactions.enqueue(agent_id, session_id, self.new_id(), self.clock()))
        for project in step.condensed:
            outcome.job_ids.append(await self.jobs.want(agent_id, CONDENSE, project, {}, self.new_id(), self.clock()))

    async def _in_indexes(self, agent_id: str, outcome: _Outcome) -> list[str]:
        """The full-text indexes that still lead to a canary, though no text there explains it."""
        await self.upkeep.refresh_text()
        sample = sorted(outcome.canaries.telling, key=lambda phrase: (-len(phrase), phrase))[:SAMPLE]
        outcome.searched["indexed"] = len(sample)
        if not sample:
            return []
        sought = " ".join(f'"{phrase}"' for phrase in sample)
        hits = await self.data.index_hits(agent_id, f"+agentKey:{agent_key(agent_id)} +searchText:({sought})")
        begins = {word[:4] for phrase in sample for word in phrase.split()}
        return sorted({f"index {name}" for name, text in hits if not any(begin in folded(text) for begin in begins)})

    async def _work_ends(self, agent_id: str) -> None:
        """Returns when no job of the agent runs: what a job has read it may still write. None begins meanwhile."""
        for _ in range(round(WORK_ENDS_WITHIN_S / LOOK_S)):
            if not any(job.status == "running" for job in await self.jobs.open_jobs(agent_id)):
                return
            await asyncio.sleep(LOOK_S)
        log.warning("an erasure did not wait longer for jobs", extra={"agent": agent_id})

    def _until(self) -> datetime:
        return self.clock() + timedelta(seconds=GOES_ON_S)

    def _receipt(
        self,
        id_: str | None,
        agent_id: str,
        kind: SubjectKind,
        subject: str,
        outcome: _Outcome,
        *,
        held: Sequence[str] = (),
        exact: bool = True,
    ) -> ErasureReceipt:
        canaries = outcome.canaries
        return ErasureReceipt(
            erasure_id=id_,
            agent_id=agent_id,
            kind=kind,
            subject_sha256=subject,
            preview=id_ is None,
            exact=exact,
            at=self.clock(),
            deleted=outcome.step.deleted,
            cleared=dict(+outcome.cleared),
            rebuilt=dict(outcome.rebuilt),
            job_ids=tuple(outcome.job_ids),
            held_by=tuple(held),
            verified=id_ is not None and not outcome.left,
            canaries=len(canaries.phrases) + len(canaries.parts),
            said_elsewhere=outcome.said_elsewhere,
            searched=dict(outcome.searched),
            left=tuple(dict.fromkeys(outcome.left)),
            files=FileSearch(
                state="notSearched" if self.managed else "notOurs",
                searched=0,
                found=0,
                advice=COLD_ADVICE if self.managed else OTHERS_ADVICE,
            ),
            older_copies=self.records.copies(),
        )


def signed_text(receipt: ErasureReceipt) -> str:
    """What the signature of a receipt is of."""
    return canonical_json(receipt.model_dump(mode="json", by_alias=True))


def session_key(agent_id: str, session_id: str) -> str:
    """The hash by which the list of erasures knows a session."""
    return sha256_hex(canonical_json([agent_id, session_id]))


def _subject_hash(agent_id: str, subject: EraseSubject) -> str:
    return sha256_hex(canonical_json([agent_id, subject.model_dump(mode="json", by_alias=True, exclude_none=True)]))


def _batches(target: _Target, erasure_id: str) -> list[EraseBatch]:
    """The last one has all that is not a message: what rests on several messages is gone with the last of them."""
    ids = target.message_ids
    parts = [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)] or [()]
    batches = [EraseBatch(erasure_id, part) for part in parts]
    batches[-1] = replace(
        batches[-1],
        session_id=target.session_id,
        memory_ids=target.memory_ids,
        fact_ids=target.fact_ids,
        entity_ids=target.entity_ids,
        payloads=target.payloads,
    )
    return batches


def _words(held: HeldText) -> list[str]:
    return [text for key, *texts in held.texts if not _is_code(key) for text in texts]


def _is_code(key: str) -> bool:
    return key in CODES or key.endswith(("Id", "Ids", "At"))


def _holding(page: Sequence[HeldText], sought: Canaries) -> list[HeldText]:
    return [held for held in page if met(_words(held), sought)]


def _stale(page: Sequence[HeldText], canaries: Canaries, ids: set[str]) -> list[tuple[HeldText, tuple[str, ...]]]:
    found = []
    for held in page:
        if "Erasure" in held.labels:
            continue
        sought = canaries.alone() if held.labels & DERIVED else canaries
        spoken = [(key, texts) for key, *texts in held.texts if not _is_code(key)]
        keys = [key for key, texts in spoken if met(texts, sought)]
        if held.labels & {"Request", "Job"}:  # an answer tells what it names by an id
            keys += [key for key, texts in spoken if not ids.isdisjoint(_QUOTED.findall(" ".join(texts)))]
        if keys:
            found.append((held, tuple(dict.fromkeys(keys))))
    return found
