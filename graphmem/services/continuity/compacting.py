"""Compacting: what precedes the fresh tail of a session is summarised, and the summaries are condensed.

Read, decide, write: each summary is written separately, if what it covers is still uncovered, so that one of two
concurrent compactions writes it, and the next one continues a killed one. No transaction is open while a model answers.
At the end the session's recap is updated, once for each state of compaction.
"""

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any

from graphmem.errors import Conflict, ModelUnavailable, NotFound, SessionStateless
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.compaction import (
    BacklogMessage,
    Compact,
    Compacted,
    CompactionKind,
    CompactionState,
    CondensedRow,
    Draft,
    LeafRow,
    MadeSummary,
)
from graphmem.model.stored import JobStep
from graphmem.model.turns import TurnSettings
from graphmem.rules.language.grams import grams
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.rules.privacy.redaction import without_secrets
from graphmem.rules.summaries.compaction import (
    MIN_LEAF_TOKENS,
    CompactionBounds,
    as_read,
    backlog_end,
    due,
    floor_tokens,
    leaf_length,
    leaf_target,
    lines,
    passages,
    to_condense,
    worst,
)
from graphmem.rules.summaries.compaction_prompts import condensed_question, leaf_question
from graphmem.rules.turns.unread import weighed
from graphmem.services.continuity.recapping import Recapping
from graphmem.services.continuity.summarising import Patience, Source, Summarising
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, CompactionData, NewId

PAGE = 500
RESCUES = (0.75, 0.5)
"""Shares of a leaf that are tried where the whole was too long for a model. *Source*: hermes-lcm."""
QUEUED_AT_ONCE = 100
ATTEMPTS = 5
"""How often storing a summary may fail although nothing changed."""
SUMMARIES_A_STEP = 2
"""Most summaries that a job makes in one go."""
ANALYSIS_PATIENCE_S = 120.0
"""How long a session beyond its threshold waits while its turn analysis does not advance. Longer than analysis waits
for an embedder that is off."""
EXPAND = "POST /api/sessions/summaries/{id}/expand"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Compacting:
    """`patience_s`: how long one compaction waits for models in total; then rules take over. `recap_tokens`: the
    longest recap."""

    data: CompactionData
    summarising: Summarising
    recapping: Recapping
    guards: Guards
    bounds: CompactionBounds
    turns: TurnSettings
    patience_s: float
    recap_tokens: int
    clock: Clock
    new_id: NewId
    analysis_patience_s: float = ANALYSIS_PATIENCE_S

    async def compact(self, caller: Caller, session_id: str, given: Compact) -> Compacted:
        """Compact a session if it has more tokens than its threshold, or no known context window; `force`: anyway.

        Errors: NotFound; SessionStateless; Conflict where messages that it counts are missing.
        """
        state = await self._state(caller.agent_id, session_id)
        await self.guards.require_open(caller.agent_id, session_id, state.source)
        window = given.context_window or state.context_window
        at = due(state.tokens, window, self.bounds.threshold) if window else None
        if at and not at.due and not given.force:
            reason = f"Its {state.tokens} tokens are not more than the threshold of {at.threshold}."
            return self._answer(state, state, [], None, window, reason)
        return await self._compact(caller.agent_id, state, window, MIN_LEAF_TOKENS)

    async def queue(self) -> bool:
        """Queue a job for each session beyond its threshold; whether there may be more.

        Leaves are never rebuilt, so a session waits until its turns are analysed and its paradigm shifts are known; but
        not for an analysis that does not advance.
        """
        before = self.clock() - timedelta(seconds=self.analysis_patience_s)
        waiting = await self.data.uncompacted(self.bounds.fresh_tail, before, QUEUED_AT_ONCE)
        for agent_id, session_id in waiting:
            await self.data.enqueue(agent_id, session_id, self.new_id(), self.clock())
        return len(waiting) == QUEUED_AT_ONCE

    async def carry_on(self, agent_id: str, session_id: str, mark: Mapping[str, Any]) -> JobStep:
        """The job of a session beyond its threshold: compact it where enough is waiting, a few summaries a step."""
        try:
            state = await self._state(agent_id, session_id)
            await self.guards.require_open(agent_id, session_id, state.source)
        except (NotFound, SessionStateless) as error:
            return JobStep(result={"compacted": False, "reason": str(error)})
        window, earlier = state.context_window, mark.get("summaryIds", [])
        floor = floor_tokens(window, self.bounds) if window and not earlier else MIN_LEAF_TOKENS
        done = await self._compact(agent_id, state, window, floor, most=SUMMARIES_A_STEP)
        made = [*earlier, *done.summary_ids]
        if len(done.summary_ids) == SUMMARIES_A_STEP:
            now = await self._state(agent_id, session_id)
            end = backlog_end(now, self.bounds.fresh_tail)
            return JobStep.on({"summaryIds": made}, now.compacted_through, end)
        told = {"compacted", "level", "recap_id", "reason"}
        result = done.model_dump(mode="json", by_alias=True, include=told)
        return JobStep(result=result | {"compacted": bool(made), "summaryIds": made})

    async def _compact(
        self, agent_id: str, before: CompactionState, window: int | None, floor: int, most: int | None = None
    ) -> Compacted:
        started = time.perf_counter()
        patience = Patience(self.patience_s)
        made: list[MadeSummary] = []
        state, lost = before, 0
        while state.archived_at is None and lost < ATTEMPTS and (most is None or len(made) < most):
            if leaf := await self._leaf(agent_id, state, MIN_LEAF_TOKENS if made else floor, patience):
                stored = await self.data.store_leaf(agent_id, state.session_id, leaf, self._event("leaf", 0, leaf))
                told = self._made("leaf", 0, leaf)
            elif node := await self._condensed(agent_id, state, patience):
                event = self._event("condensed", node.depth, node)
                stored = await self.data.store_condensed(agent_id, state.session_id, node, event)
                told = self._made("condensed", node.depth, node)
            else:
                break
            made += [told] if stored else []
            found = await self._state(agent_id, state.session_id)
            # If another compaction was faster, continue from its state.
            lost = lost + 1 if not stored and _place(found) == _place(state) else 0
            state = found
        if lost == ATTEMPTS:
            raise Conflict(f"{state.session_id!r} has not the messages it counts. `graphmem doctor` says more.")
        recap_id = await self._recap(agent_id, state) if most is None or len(made) < most else None
        log.info(
            "session compacted",
            extra={
                "agent": agent_id,
                "summaries": len(made),
                "duration_ms": round((time.perf_counter() - started) * 1000, 1),
            },
        )
        return self._answer(before, state, made, recap_id, window, None if made else self._idle(state))

    async def _recap(self, agent_id: str, state: CompactionState) -> str | None:
        """Renew the session's recap and return its id; None if it is current, or the session is archived."""
        if state.archived_at is not None or state.recapped_through >= state.compacted_through:
            return None
        kept = await self.recapping.keep(Caller(agent_id), state.session_id, "auto", self.recap_tokens)
        return kept.summary_id

    async def _leaf(self, agent_id: str, state: CompactionState, floor: int, patience: Patience) -> LeafRow | None:
        """The next leaf; None where less than the floor is waiting."""
        end = backlog_end(state, self.bounds.fresh_tail)
        waiting = await self.data.waiting_tokens(agent_id, state.session_id, state.compacted_through, end)
        if waiting < floor:
            return None
        target = leaf_target(waiting, self.bounds)
        backlog = await self._backlog(agent_id, state, end, 2 * target)
        backlog = backlog[: leaf_length(backlog, target)]
        if not backlog:
            return None
        backlog = await self._weighed(agent_id, state.session_id, backlog)
        covered, draft = await self._told(backlog, patience)
        if draft is None:
            return None
        return LeafRow(
            id=self.new_id(),
            draft=draft,
            first=covered[0].ordinal,
            through=covered[-1].ordinal + 1,
            source_tokens=sum(message.tokens for message in covered),
            agent_key=agent_key(agent_id),
            grams=grams(draft.content),
        )

    async def _told(
        self, backlog: Sequence[BacklogMessage], patience: Patience
    ) -> tuple[Sequence[BacklogMessage], Draft | None]:
        """The summary of a leaf, and what it covers: less than possible where that is too long for a model."""
        whole = _leaf_source(backlog)
        part, why = backlog, None
        for share in (*RESCUES, 0):
            try:
                return part, await self.summarising.by_model(_leaf_source(part), patience)
            except ModelUnavailable as error:
                why = why or self.summarising.why(error, whole)
                shorter = leaf_length(backlog, int(share * whole.tokens)) if error.too_much and share else 0
                if not 0 < shorter < len(part):
                    break
                part = backlog[:shorter]
        return backlog, await self.summarising.by_rules(whole, why)

    async def _weighed(self, agent_id: str, session_id: str, backlog: list[BacklogMessage]) -> list[BacklogMessage]:
        """The backlog with shifts and importance: for messages that wait for analysis by their words, which is not
        stored."""
        if all(message.importance is not None for message in backlog):
            return backlog
        window, start = self.turns.novelty_window, backlog[0].ordinal
        before = await self.data.backlog(agent_id, session_id, max(start - window, 0), start, window)
        return await asyncio.to_thread(weighed, backlog, before, self.turns)

    async def _condensed(self, agent_id: str, state: CompactionState, patience: Patience) -> CondensedRow | None:
        """The next node over others; None where there are too few of any depth."""
        nodes = to_condense(state.tops, self.bounds.fan_in)
        if not nodes:
            return None
        # What an older version wrote may hold some.
        nodes = tuple(
            replace(node, content=without_secrets(node.content), kept=tuple(map(without_secrets, node.kept)))
            for node in nodes
        )
        tokens = sum(node.tokens for node in nodes)
        source = Source(lines(nodes), tokens, nodes[0].depth + 1, partial(condensed_question, nodes))
        draft = await self.summarising.told(source, patience)
        if draft is None:
            return None
        return CondensedRow(self.new_id(), draft, nodes, tokens, agent_key(agent_id), grams(draft.content))

    async def _backlog(self, agent_id: str, state: CompactionState, end: int, tokens: int) -> list[BacklogMessage]:
        """The first uncovered messages: up to this many tokens, or all of them."""
        found: list[BacklogMessage] = []
        start = state.compacted_through
        while start < end and sum(message.tokens for message in found) < tokens:
            page = await self.data.backlog(agent_id, state.session_id, start, end, PAGE)
            if not page:
                break
            found += await asyncio.to_thread(
                lambda read: [_without_secrets(as_read(message)) for message in read], page
            )
            start = page[-1].ordinal + 1
        return found

    async def _state(self, agent_id: str, session_id: str) -> CompactionState:
        found = await self.data.state(agent_id, session_id, self.bounds.fresh_tail)
        if found is None:
            raise NotFound(f"There is no session {session_id!r}.")
        return found

    def _idle(self, state: CompactionState) -> str:
        """The reason for doing nothing."""
        if state.archived_at is not None:
            return "It is archived."
        if backlog_end(state, self.bounds.fresh_tail) <= state.compacted_through:
            return "All of its messages belong to the fresh tail, or are compacted."
        return "What was said before its fresh tail is too little for a summary."

    def _answer(
        self,
        before: CompactionState,
        after: CompactionState,
        made: Sequence[MadeSummary],
        recap_id: str | None,
        window: int | None,
        reason: str | None,
    ) -> Compacted:
        return Compacted(
            session_id=after.session_id,
            compacted=bool(made),
            level=worst([summary.level for summary in made]),
            tokens_before=before.tokens,
            tokens_after=after.tokens,
            summary_ids=tuple(summary.id for summary in made),
            summaries=tuple(made),
            recap_id=recap_id,
            frontier=after.compacted_through,
            context_window=window,
            threshold=due(before.tokens, window, self.bounds.threshold).threshold if window else None,
            reason=reason,
            token_counter=TOKEN_COUNTER,
        )

    def _made(self, kind: CompactionKind, depth: int, row: LeafRow | CondensedRow) -> MadeSummary:
        return MadeSummary(
            id=row.id,
            kind=kind,
            depth=depth,
            tokens=row.draft.tokens,
            source_tokens=row.source_tokens,
            level=row.draft.level,
            method=row.draft.method,
            expand_hint=row.draft.hint,
            expand=EXPAND.format(id=row.id),
        )

    def _event(self, kind: CompactionKind, depth: int, row: LeafRow | CondensedRow) -> EventRow:
        how = {"kind": kind, "depth": depth, "level": row.draft.level, "method": row.draft.method}
        return EventRow(
            id=self.new_id(),
            kind="summary_created",
            subject_id=row.id,
            actor="compaction",
            at=self.clock(),
            after=json.dumps(how),
            reason=row.draft.fallback,
        )


def _place(state: CompactionState) -> tuple[int, tuple[str, ...]]:
    """How far a session is compacted, to detect progress."""
    return state.compacted_through, tuple(node.id for node in state.tops)


def _without_secrets(message: BacklogMessage) -> BacklogMessage:
    calls = message.tool_calls and without_secrets(message.tool_calls)
    reading = message.reading and replace(
        message.reading, lines=tuple(replace(line, text=without_secrets(line.text)) for line in message.reading.lines)
    )
    return replace(message, text=without_secrets(message.text), tool_calls=calls, reading=reading)


def _leaf_source(backlog: Sequence[BacklogMessage]) -> Source:
    tokens = sum(message.tokens for message in backlog)
    return Source(passages(backlog), tokens, 0, partial(leaf_question, backlog))
