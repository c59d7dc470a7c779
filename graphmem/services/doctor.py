"""The doctor: is the store whole, is its history untouched, does anything wait that should not?"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from graphmem.errors import PayloadDamaged, SchemaMismatch
from graphmem.model.answers import Examination, Finding
from graphmem.model.stored import FoundIds
from graphmem.rules.history import ChainCheck
from graphmem.rules.redaction import PatternName, find_secrets
from graphmem.services.chores import Chores
from graphmem.services.ports import Clock, DoctorReads, Embedder, Jobs, PayloadBytes, Upkeep

EVENT_PAGE = 2000
PAGE = 500
SHOWN = 5
UNSEALED_S = 60.0
OVERSIZED_CHARS = 1_000_000


@dataclass(frozen=True)
class Doctor:
    """Only looks; repairs are commands. Nothing it says holds anybody's words."""

    reads: DoctorReads
    jobs: Jobs
    upkeep: Upkeep
    chores: Chores
    embedder: Embedder
    payload_files: PayloadBytes
    redact: Sequence[PatternName]
    clock: Clock

    async def examine(self, agent_id: str) -> Examination:
        """Everything found about one agent's memory and the store beneath it, the gravest first."""
        looks: Sequence[Callable[[str], Awaitable[Iterable[Finding]]]] = (
            self._store,
            self._messages,
            self._graph,
            self._payloads,
            self._secrets,
            self._history,
            self._work,
        )
        findings = [finding for look in looks for finding in await look(agent_id)]
        findings.sort(key=lambda finding: (finding.severity != "error", finding.code))
        return Examination(healthy=not findings, findings=tuple(findings))

    async def _store(self, _: str) -> list[Finding]:
        found: list[Finding] = []
        try:
            pending = await self.reads.pending_migrations()
        except SchemaMismatch as error:
            return [_error("schema_mismatch", str(error), "Run the version of graphmem that made this schema.")]
        if pending:
            found.append(_error("schema_behind", f"{len(pending)} migrations to apply.", "Run `graphmem migrate`."))
        states = await self.reads.index_states()
        broken = sorted(name for name, state in states.items() if state == "FAILED")
        if broken:
            fix = (
                "Drop them in Neo4j Browser (DROP INDEX name) and run `graphmem migrate`; look into Neo4j's log first."
            )
            found.append(_error("index_failed", f"Failed indexes: {', '.join(broken)}.", fix))
        populating = sorted(name for name, state in states.items() if state == "POPULATING")
        if populating:
            found.append(_warning("index_populating", f"Being filled: {', '.join(populating)}.", "Wait."))
        if self.embedder.state == "off":
            fix = "Set GRAPHMEM_EMBEDDING_URL right, or run `graphmem setup` and start again."
            found.append(_warning("embedder_off", "Texts are found by their words only.", fix))
        return found

    async def _messages(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        counts = await self.upkeep.counts(agent_id)
        if not counts.messages and not counts.memories:
            fix = "Send a session's messages, or check the agent: X-Agent-Id, the key, or GRAPHMEM_AGENT_ID."
            found.append(_warning("memory_empty", f"Nothing is stored for the agent {agent_id!r}.", fix))
        gaps = await self.reads.sessions_with_gaps(agent_id, 1000)
        if gaps:
            shown = ", ".join(f"{id_} ({number} messages)" for id_, number in gaps[:SHOWN])
            found.append(_error("ordinals_with_gaps", f"{len(gaps)} sessions: {shown}.", "Restore a backup."))
        fixes = {
            "size": ("message_oversized", "Send big texts as payloads."),
            "base64": ("message_inline_base64", "Later ones go to payloads by themselves; these stay readable."),
        }
        for kind in await self.reads.messages_oversized(agent_id, OVERSIZED_CHARS):
            code, fix = fixes[kind.kind]
            found.append(_warning(code, _told("messages", kind), fix))
        return found

    async def _graph(self, agent_id: str) -> list[Finding]:
        found = [
            _error("orphans", _told(f"{kind.kind} nodes", kind), "Restore a backup, or look at them in Neo4j Browser.")
            for kind in await self.reads.orphans(agent_id)
        ]
        found += [
            _error("text_without_vector", _told(f"{kind.kind} nodes", kind), "Label them :Unembedded in Neo4j Browser.")
            for kind in await self.reads.texts_without_vector(agent_id)
        ]
        broken = await self.reads.supersessions_broken(agent_id, 1000)
        if broken:
            shown = ", ".join(f"{id_} (in a circle)" if circle else id_ for id_, circle in broken[:SHOWN])
            found.append(_error("supersession_broken", f"{len(broken)} facts: {shown}.", "Restore a backup."))
        return found

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
        fix = "Put the folder of payloads back from a backup, or send these messages' bytes again."
        return [_error("payload_damaged", _told("files are gone or altered", found), fix)]

    async def _secrets(self, agent_id: str) -> list[Finding]:
        """Redaction works forward only: what was stored before it was switched on may hold what it would replace."""
        holding: list[str] = []
        page = await self.reads.message_texts(agent_id, "", PAGE) if self.redact else []
        while page:
            holding += await asyncio.to_thread(_with_secrets, page, self.redact)
            page = await self.reads.message_texts(agent_id, page[-1][0], PAGE)
        if not holding:
            return []
        found = FoundIds("message", len(holding), tuple(holding[:SHOWN]))
        fix = "They came before GRAPHMEM_REDACT was set. Change the secrets they hold."
        return [_warning("secrets_stored", _told("messages", found), fix)]

    async def _history(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        overdue = await self.reads.events_overdue(agent_id, self.clock() - timedelta(seconds=UNSEALED_S))
        if overdue:
            fix = "Run `graphmem serve` or `graphmem work`, with GRAPHMEM_EVENT_SEAL_INTERVAL_S above 0."
            found.append(_warning("events_unsealed", f"{overdue} events wait for over a minute.", fix))
        altered = await self._chain_damage(agent_id)
        if altered is not None:  # an event that was chained while we read may have been passed by: look again
            altered = await self._chain_damage(agent_id)
        if altered is not None:
            changed = f"; changed: {', '.join(altered[:SHOWN])}" if altered else "; events are missing"
            fix = "Somebody wrote to the database past graphmem. Compare with a backup."
            found.append(_error("history_broken", f"The chain of history is not whole{changed}.", fix))
        return found

    async def _chain_damage(self, agent_id: str) -> list[str] | None:
        """The events that were changed, none where some are missing; None: the chain is whole."""
        last_hash = await self.reads.event_chain(agent_id)
        check = ChainCheck()
        page = await self.reads.events_sealed(agent_id, None, EVENT_PAGE)
        while page:
            for sealed in page:
                check.add(sealed.event, sealed.previous, sealed.hash)
            page = await self.reads.events_sealed(agent_id, page[-1], EVENT_PAGE)
        return None if check.whole(last_hash) else check.altered

    async def _work(self, agent_id: str) -> list[Finding]:
        found: list[Finding] = []
        failed = [job for job in await self.jobs.open_jobs(agent_id) if job.status == "failed"]
        if failed:
            shown = ", ".join(f"{job.id} ({job.kind})" for job in failed[:SHOWN])
            fix = "Read its reason in the status; end the session again to try once more."
            found.append(_warning("jobs_failed", f"{len(failed)} jobs were given up: {shown}.", fix))
        for run in await self.chores.runs():
            if run.error:
                detail = f"{run.name} failed at {run.last_run}: {run.error.split(':')[0]}."
                found.append(_warning("chore_failed", detail, "Read its error in the status."))
        return found


def _with_secrets(page: Sequence[tuple[str, str]], patterns: Sequence[PatternName]) -> list[str]:
    return [id_ for id_, text in page if find_secrets(text, patterns)]


def _told(what: str, found: FoundIds) -> str:
    return f"{found.number} {what}: {', '.join(found.ids[:SHOWN])}{' …' if found.number > SHOWN else ''}."


def _error(code: str, detail: str, fix: str) -> Finding:
    return Finding(code=code, severity="error", detail=detail, fix=fix)


def _warning(code: str, detail: str, fix: str) -> Finding:
    return Finding(code=code, severity="warning", detail=detail, fix=fix)
