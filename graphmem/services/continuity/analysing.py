"""Turn analysis: after turns were stored, in the order of their session, a batch at a time.

It may stop anywhere: the results are written together with the progress in the session, and only if nobody else
advanced it meanwhile. So several workers may try at once, and any of them can continue.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from graphmem.errors import NotFound
from graphmem.model.answers import Page
from graphmem.model.turns import (
    OVERLAYS,
    EarlierTurn,
    Evidence,
    Overlay,
    Ready,
    Turn,
    TurnSettings,
    WaitingSession,
    WaitingTurn,
    WaitingTurns,
)
from graphmem.rules.keeping.paging import encode_cursor, places
from graphmem.rules.turns.analysis import ANALYSER, Past, analyse_all
from graphmem.rules.turns.anchors import anchor_text
from graphmem.rules.turns.novelty import CALIBRATIONS
from graphmem.rules.turns.overlays import Anchors, anchor_texts, anchors_of
from graphmem.services.ports import Clock, Embedder, Sessions, Turns

log = logging.getLogger(__name__)
Given = TypeVar("Given", WaitingTurn, EarlierTurn)

SESSIONS_AT_ONCE = 8
TURNS_AT_ONCE = 64
"""A batch is one read and one write; while it is written, appends to the session wait."""
MOST_KEPT = 40_000
"""Turns of sessions whose past is cached, 1.5 KB each: otherwise it is read again for the next turn."""
PATIENCE_S = 60.0
"""How long a turn waits for its vector while the embedder is off: it may return soon."""
LABELLED = 500
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Analysing:
    def __init__(
        self,
        turns: Turns,
        sessions: Sessions,
        embedder: Embedder,
        settings: TurnSettings,
        clock: Clock,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._turns = turns
        self._sessions = sessions
        self._embedder = embedder
        self._settings = settings
        self._clock = clock
        self._patience_s = patience_s
        self._anchors: Anchors | None = None
        self._pasts: OrderedDict[tuple[str, str], Past] = OrderedDict()

    async def sessions_waiting(self) -> list[WaitingSession]:
        """Some of the sessions with turns to analyse; none while the embedder is being loaded."""
        if self._embedder.state == "loading":
            return []
        return await self._turns.sessions_waiting(self._ready(), SESSIONS_AT_ONCE)

    async def analyse(self, sessions: Sequence[WaitingSession]) -> int:
        """Analyse a batch of each session; returns how many turns were analysed. Errors: ModelUnavailable."""
        anchors = await self._anchors_ready()
        return sum([await self._batch(one.agent_id, one.session_id, anchors) for one in sessions])

    async def analyse_session(self, agent_id: str, session_id: str) -> int:
        """Analyse a session as far as possible; returns how many turns were analysed. Errors: ModelUnavailable."""
        analysed = 0
        while step := await self._batch(agent_id, session_id, await self._anchors_ready()):
            analysed += step
        return analysed

    def forget(self) -> None:
        """Forget the turns that are cached: some were erased, and the next batch reads what is left."""
        self._pasts.clear()

    async def find_older(self) -> bool:
        """Queue sessions for analysis that an older version stored or that came from a backup; whether there are
        more."""
        return await self._turns.label_sessions(LABELLED) == LABELLED

    async def waiting_of_agent(self, agent_id: str) -> int:
        """How many messages wait for analysis."""
        return await self._turns.waiting_of_agent(agent_id)

    async def waiting_of_session(self, agent_id: str, session_id: str) -> bool:
        return await self._turns.waiting_of_session(agent_id, session_id)

    async def turns(
        self, agent_id: str, session_id: str, limit: int, cursor: str | None = None, *, explain: bool = False
    ) -> Page[Turn]:
        """The analysis of the analysed messages of a session, in order. Errors: NotFound; InvalidCursor."""
        (after,) = places(cursor, 1)
        if await self._sessions.find(agent_id, session_id) is None:
            raise NotFound(f"There is no session {session_id!r}.")
        found = await self._turns.page(agent_id, session_id, after - 1, limit + 1, explain=explain)
        return Page[Turn](
            items=tuple(self._shown(turn) for turn in found[:limit]),
            next_cursor=encode_cursor(str(found[limit].ordinal)) if len(found) > limit else None,
        )

    def _shown(self, turn: Turn) -> Turn:
        active = tuple(
            overlay
            for overlay, score in zip(OVERLAYS, turn.overlays.scores, strict=True)
            if score >= self._settings.overlay_threshold
        )
        evidence = turn.evidence and _told(turn.evidence)
        return turn.model_copy(update={"active": active, "evidence": evidence})

    async def _batch(self, agent_id: str, session_id: str, anchors: Anchors | None) -> int:
        batch = await self._turns.waiting(agent_id, session_id, self._ready(), TURNS_AT_ONCE)
        if batch is None or batch.through == batch.expected:
            return 0
        past = await self._past(agent_id, session_id, batch)
        found = await asyncio.to_thread(
            analyse_all,
            [self._comparable(turn) for turn in batch.turns],
            past,
            anchors,
            self._settings,
            CALIBRATIONS.get(self._embedder.id),
        )
        past.through = batch.through
        analyser = f"{ANALYSER} {self._embedder.id if anchors else 'words'}"
        if not await self._turns.store(agent_id, session_id, batch, found, analyser, self._clock()):
            self._pasts.pop((agent_id, session_id), None)
            return 0
        self._keep(agent_id, session_id, past)
        log.debug("turns analysed", extra={"agent": agent_id, "turns": len(found)})
        return len(found)

    async def _past(self, agent_id: str, session_id: str, batch: WaitingTurns) -> Past:
        """The turns before a batch: from the cache, and the rest read. This call owns it until it is cached again."""
        past = self._pasts.pop((agent_id, session_id), None)
        if past is None or past.through > batch.expected:
            past = Past(self._settings.novelty_window)
        if past.through < batch.expected:
            missing = range(past.through, batch.expected)
            recent = batch.expected - self._settings.novelty_window
            for turn in await self._turns.before(agent_id, session_id, missing, recent):
                past.add(self._comparable(turn))
            past.through = batch.expected
        return past

    def _keep(self, agent_id: str, session_id: str, past: Past) -> None:
        self._pasts[agent_id, session_id] = past
        kept = sum(one.size for one in self._pasts.values())
        while kept > MOST_KEPT:
            _, oldest = self._pasts.popitem(last=False)
            kept -= oldest.size

    def _comparable(self, turn: Given) -> Given:
        """The turn, without a vector of another embedder: backups can contain such."""
        if turn.vector is None or len(turn.vector) == self._embedder.dimensions:
            return turn
        return replace(turn, vector=None)

    def _ready(self) -> Ready:
        if self._embedder.state == "off":
            return Ready(False, self._clock() - timedelta(seconds=self._patience_s), self._embedder.dimensions or None)
        return Ready(True, LONG_AGO, self._embedder.dimensions or None)

    async def _anchors_ready(self) -> Anchors | None:
        """The anchors with their vectors, which are computed once; None where there is no embedder."""
        if self._embedder.state == "off":
            return None
        if self._anchors is None:
            vectors = await self._embedder.embed(anchor_texts())
            self._anchors = await asyncio.to_thread(anchors_of, vectors, self._embedder.id)
        return self._anchors


def _told(evidence: Mapping[Overlay, Sequence[Evidence]]) -> dict[Overlay, tuple[Evidence, ...]]:
    """Evidence with the anchors' sentences in place of their ids."""
    return {
        overlay: tuple(one.model_copy(update={"items": tuple(map(_with_text, one.items))}) for one in of)
        for overlay, of in evidence.items()
    }


def _with_text(item: str) -> str:
    text = anchor_text(item)
    return f"{item}: {text}" if text else item
