"""Maintenance of sessions by an operator: rotate a long one, archive noise and restore it, clean tool results.

Nothing here deletes anything: an archived session can be read by id, and one call restores it.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import InvalidInput, NotFound, PlanOutdated, SessionStateless
from graphmem.model.care import Cleaning, Frontier, Moved, Rotation, SessionLine
from graphmem.model.change import EventRow, PayloadRow
from graphmem.rules.keeping.rotation import fresh_from, rotated
from graphmem.rules.privacy.globs import glob_match, is_glob
from graphmem.rules.privacy.guards import GuardRules, session_closed
from graphmem.rules.privacy.rewriting import Rewriting, emptied
from graphmem.services.conversation.payloads import put
from graphmem.services.ports import Clock, NewId, PayloadBytes, SessionCareData, Tell, silent

log = logging.getLogger(__name__)

PAGE = 500
BATCH = 1000
"""Messages in one transaction."""
CLEAN_BATCH = 50
"""Messages that are cleaned at a time: each may be big."""


@dataclass(frozen=True)
class SessionCare:
    """`fresh_tail`: how many of a session's last messages are always replayed as they are."""

    data: SessionCareData
    payload_files: PayloadBytes
    guards: GuardRules
    fresh_tail: int
    clock: Clock
    new_id: NewId

    async def sessions(self, agent_id: str, matching: Sequence[str] = ()) -> list[SessionLine]:
        """An agent's sessions by id, only those that match a pattern where patterns are given.

        Errors: InvalidInput for an invalid pattern.
        """
        wrong = next((pattern for pattern in matching if not is_glob(pattern)), None)
        if wrong is not None:
            raise InvalidInput(
                f"{wrong!r} is no pattern for sessions: `*` stays within a colon segment, `**` crosses them."
            )
        return [
            line
            async for line in self._lines(agent_id)
            if not matching or glob_match(matching, line.id, line.source) is not None
        ]

    async def rotate(self, agent_id: str, session_id: str, *, apply: bool) -> Rotation:
        """The session's frontier moved to the start of its fresh tail, or, without `apply`, where it would move.

        Errors: NotFound; SessionStateless where nothing is written for the session; PlanOutdated when it was moved
        meanwhile.
        """
        at = await self._written(agent_id, session_id)
        plan = rotated(session_id, at, self.fresh_tail)
        if plan.reason:
            return plan
        plan = replace(plan, uncovered=await self.data.uncovered(agent_id, session_id, plan.before, plan.frontier))
        if apply:
            event = self._event(
                "session_rotated",
                session_id,
                before=json.dumps({"frontier": plan.before}),
                after=json.dumps({"frontier": plan.frontier}),
            )
            if not await self.data.rotate(agent_id, plan, event):
                raise PlanOutdated(f"The frontier of {session_id!r} was moved meanwhile. Try again.")
        return plan

    async def archive(self, agent_id: str, matching: Sequence[str], *, apply: bool, tell: Tell = silent) -> Moved:
        """Archive sessions, with what depends on them: out of recall, grep and the DAG. An interrupted archiving is
        completed.

        Errors: InvalidInput.
        """
        lines = [line for line in await self.sessions(agent_id, matching) if line.archived_at is None]
        ids = [line.id for line in lines]
        memories = await self.data.memories_only_from(agent_id, ids) if ids else []
        if apply:
            for done, line in enumerate(lines):
                tell("sessions", done, len(lines))
                await self.put_away(agent_id, line.id)
        return Moved(tuple(lines), sum(line.messages for line in lines), len(memories))

    async def restore(self, agent_id: str, matching: Sequence[str], tell: Tell = silent) -> Moved:
        """Restore archived sessions into recall, grep and the DAG.

        Errors: InvalidInput.
        """
        lines = [line for line in await self.sessions(agent_id, matching) if line.archived_at is not None]
        for done, line in enumerate(lines):
            tell("sessions", done, len(lines))
            await self.bring_back(agent_id, line.id)
        return Moved(tuple(lines), sum(line.messages for line in lines), 0)

    async def put_away(self, agent_id: str, session_id: str) -> None:
        """Archive one session, and what was learned from it alone. Its mark comes first: interrupted, it is partly
        archived, which the doctor reports."""
        event = self._event("session_archived", session_id)
        messages = await self.data.mark_archived(agent_id, session_id, event)
        while await self.data.archive_knowledge(agent_id, session_id, self._event("session_archived", session_id)):
            pass
        for start in range(0, messages, BATCH):
            ordinals = range(start, min(start + BATCH, messages))
            await self.data.archive_messages(agent_id, session_id, ordinals, event.at)

    async def bring_back(self, agent_id: str, session_id: str) -> None:
        """Restore one session. Its mark goes last: interrupted, it is still archived, and a second call restores it."""
        messages = (await self._at(agent_id, session_id)).next_ordinal
        while await self.data.restore_knowledge(agent_id, session_id, self._event("session_restored", session_id)):
            pass
        for start in range(0, messages, BATCH):
            await self.data.restore_messages(agent_id, session_id, range(start, min(start + BATCH, messages)))
        await self.data.mark_restored(agent_id, session_id, self._event("session_restored", session_id))

    async def clean(self, agent_id: str, session_id: str, *, apply: bool) -> Cleaning:
        """Move tool results whose payloads are in files to files as a whole: a placeholder stays, and search still
        finds their words.

        Only those that a summary covers and extraction has read, before the fresh tail, and that nobody pinned.
        `sha256` of the message still identifies the original; `GET /api/payloads/{sha256}` returns it.

        Errors: NotFound; SessionStateless.
        """
        at = await self._written(agent_id, session_id)
        end = min(fresh_from(at.next_ordinal, self.fresh_tail), at.extracted_through)
        start = messages = chars = failed = 0
        while batch := await self.data.to_clean(agent_id, session_id, range(start, end), CLEAN_BATCH):
            rewritings: Sequence[Rewriting] = await asyncio.to_thread(
                lambda given: [made for _, message in given if (made := emptied(message))], batch
            )
            if apply:
                kept, unkept = await self.rewrite(agent_id, rewritings, "message_cleaned")
                messages, failed = messages + kept, failed + unkept
            else:
                messages += len(rewritings)
            chars += sum(len(one.row.before) - len(one.row.content) for one in rewritings)
            start = batch[-1][0] + 1
        return Cleaning(session_id, messages, chars, failed)

    async def rewrite(self, agent_id: str, rewritings: Sequence[Rewriting], kind: str) -> tuple[int, int]:
        """How many messages were rewritten, and how many were not because a file could not be written. Files are on
        disk before the graph changes."""
        kept: dict[str, Sequence[PayloadRow]] = {}
        failed = 0
        for one in rewritings:
            try:
                kept[one.row.id] = await asyncio.to_thread(put, self.payload_files, agent_id, one.payloads)
            except OSError as error:  # a full disk must not lose any text
                failed += 1
                log.error("a payload cannot be written; the message keeps it", extra={"error": error.strerror})
        rows = [one.row for one in rewritings if one.row.id in kept]
        done = await self.data.rewrite(agent_id, rows, kept, self._event(kind, "messages")) if rows else []
        return len(done), failed

    async def _written(self, agent_id: str, session_id: str) -> Frontier:
        """As `_at`; SessionStateless where nothing is written for the session."""
        at = await self._at(agent_id, session_id)
        if found := session_closed(self.guards, session_id, at.source):
            raise SessionStateless(
                f"{session_id!r} is {found.kind} by the pattern {found.pattern!r}: nothing is written for it."
            )
        return at

    async def _at(self, agent_id: str, session_id: str) -> Frontier:
        found = await self.data.frontier(agent_id, session_id)
        if found is None:
            raise NotFound(f"There is no session {session_id!r}. `graphmem sessions list` shows those there are.")
        return found

    async def _lines(self, agent_id: str) -> AsyncIterator[SessionLine]:
        page = await self.data.lines(agent_id, "", PAGE)
        while page:
            for line in page:
                yield line
            page = await self.data.lines(agent_id, page[-1].id, PAGE)

    def _event(self, kind: str, subject_id: str, before: str | None = None, after: str | None = None) -> EventRow:
        return EventRow(self.new_id(), kind, subject_id, "operator", self.clock(), before=before, after=after)
