"""The context of a session: what a model gets of it, within a budget."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.errors import InvalidInput, NotFound
from graphmem.model.answers import Hit
from graphmem.model.context import AssembleContext, Context, Injection, OlderTurn, RecallState, Wanted
from graphmem.model.inputs import Recall
from graphmem.rules.recall.passages import what_asks
from graphmem.rules.summaries import context_items
from graphmem.services.ports import Clock, ContextReads, Embedder, NewId
from graphmem.services.recall.recall import Meaning, Recalling, meaning_of

QUESTION_CHARS = 1_000
"""Characters of a question that are searched for: an embedder reads about as much."""
FENCE_CHARS = 8
"""Of the random part of an id: nobody can have known them when the words were said."""
SPARE = 2
"""Hits requested for each that is wanted: some are there already, or repeat others."""
FILLING = 50
"""Hits requested where what was said in the session fills the room."""


class Assembling:
    def __init__(
        self,
        contexts: ContextReads,
        recalling: Recalling,
        embedder: Embedder,
        injection: Injection,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._contexts = contexts
        self._recalling = recalling
        self._embedder = embedder
        self._injection = injection
        self._clock = clock
        self._new_id = new_id

    async def assemble(self, agent_id: str, session_id: str, asked: AssembleContext) -> Context:
        """A context that fits the budget. Without a loaded embedder it has no older turns of the session, and reports
        that; other knowledge of the agent is then found by its words.

        Errors: NotFound; InvalidInput where neither the request nor the session has a context window.
        """
        injection = self._injected(asked)
        search = self._search(agent_id, session_id, asked.query, injection) if asked.query else None
        try:
            frame = await self._contexts.frame(agent_id, session_id, self._clock())
            if frame is None:
                raise NotFound(f"There is no session {session_id!r}.")
            window = asked.context_window or frame.context_window
            if window is None:
                raise InvalidInput.at("contextWindow", msg="is needed: the session has none of its own")
            question = asked.query or (frame.newest.beginning if frame.newest else "")
            search = search or self._search(agent_id, session_id, question, injection)
            most = context_items.budget(window, asked.max_tokens)
            head = context_items.head(frame, context_items.head_room(frame, most))
            wanted = context_items.wanted(frame, head.tokens, most, injection)
            tail, older, hits = await asyncio.gather(
                self._contexts.said(agent_id, session_id, wanted),
                self._older(agent_id, wanted, search.meaning, injection),
                search.hits,
            )
        finally:
            if search:
                await search.ended()
        found = context_items.Found(question, tuple(older), tuple(hits))
        recall: RecallState = (
            "done" if search.meaning.result() else "no_embedder" if question.strip() else "no_question"
        )
        fence = self._new_id()[-FENCE_CHARS:] if asked.format == "text" else None
        return context_items.assemble(frame, head, tail, found, most, window, injection, recall, fence)

    def _search(self, agent_id: str, session_id: str, question: str, injection: Injection) -> "_Search":
        """The searches that run while the session is read."""
        sought = what_asks(question.strip())[:QUESTION_CHARS]
        meaning = asyncio.create_task(self._meaning(sought))
        return _Search(meaning, asyncio.create_task(self._hits(agent_id, session_id, sought, meaning, injection)))

    async def _older(
        self, agent_id: str, wanted: Wanted, meaning: "asyncio.Task[Meaning | None]", injection: Injection
    ) -> Sequence[OlderTurn]:
        known = await meaning
        return (
            await self._contexts.older(agent_id, wanted, known.question, injection) if known and injection.top else ()
        )

    async def _meaning(self, question: str) -> Meaning | None:
        return await meaning_of(self._embedder, question) if question else None

    async def _hits(
        self,
        agent_id: str,
        session_id: str,
        question: str,
        meaning: "asyncio.Task[Meaning | None]",
        injection: Injection,
    ) -> Sequence[Hit]:
        if not injection.top or not question:
            return ()
        asked = Recall(query=question, limit=max(SPARE * injection.top, FILLING if injection.fill else 0))
        known = await self._recalling.recall(
            agent_id,
            asked,
            meaning=_answers(meaning),
            floor=injection.floor,
            at_any_score=session_id if injection.own_at_any_score else None,
            beside=None if injection.fill else session_id,
            quick=True,
        )
        return known.hits

    def _injected(self, asked: AssembleContext) -> Injection:
        usual = self._injection
        asks = bool(asked.query) and asked.top is None  # then room that stays empty helps nobody
        return Injection(
            window=usual.window if asked.window is None else asked.window,
            top=usual.top if asked.top is None else asked.top,
            minimum=usual.minimum if asked.minimum is None else asked.minimum,
            snippet_chars=usual.snippet_chars if asked.snippet_chars is None else asked.snippet_chars,
            nearness=usual.nearness if asked.minimum is None else -1.0,
            floor=usual.floor if asked.floor is None else asked.floor,
            own_at_any_score=asks and asked.floor is None,
            fill=asked.top is None,
            share=context_items.ASKED_SHARE if asks else usual.share,
        )


@dataclass(frozen=True, slots=True)
class _Search:
    """Running searches: the vectors of a question, and the agent's knowledge that is relevant to it, from any
    session."""

    meaning: "asyncio.Task[Meaning | None]"
    hits: "asyncio.Task[Sequence[Hit]]"

    async def ended(self) -> None:
        """Returns when both have ended, in any way: cancelled in the middle they would leave connections open."""
        await asyncio.gather(self.meaning, self.hits, return_exceptions=True)


async def _answers(meaning: "asyncio.Task[Meaning | None]") -> Sequence[float] | None:
    known = await meaning
    return known.answers if known else None
