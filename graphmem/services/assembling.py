"""The context of a session: what a model is given of it, within a budget."""

import asyncio

from graphmem.errors import InvalidInput, ModelUnavailable, NotFound
from graphmem.model.context import AssembleContext, Context, Injection, RecallState
from graphmem.rules import assembly
from graphmem.services.ports import Clock, ContextReads, Embedder


class Assembling:
    def __init__(self, contexts: ContextReads, embedder: Embedder, injection: Injection, clock: Clock) -> None:
        self._contexts = contexts
        self._embedder = embedder
        self._injection = injection
        self._clock = clock

    async def assemble(self, agent_id: str, session_id: str, asked: AssembleContext) -> Context:
        """A context that fits. Without a loaded embedder it holds no older turns, and says so.

        Errors: NotFound; InvalidInput where neither the request nor the session has a context window.
        """
        embedding = asyncio.create_task(self._vector(asked.query)) if asked.query else None
        try:
            frame = await self._contexts.frame(agent_id, session_id, self._clock())
            if frame is None:
                raise NotFound(f"There is no session {session_id!r}.")
            window = asked.context_window or frame.context_window
            if window is None:
                raise InvalidInput.at("contextWindow", msg="is needed: the session has none of its own")
            question = asked.query or (frame.newest.beginning if frame.newest else "")
            vector = await (embedding or self._vector(question))
        finally:
            if embedding:
                embedding.cancel()
        injection = self._injected(asked)
        most = assembly.budget(window, asked.max_tokens)
        head = assembly.head(frame, assembly.head_room(frame, most))
        wanted = assembly.wanted(frame, head.tokens, most, injection)
        tail, older = await self._contexts.said(agent_id, session_id, wanted, vector, injection)
        recall: RecallState = "done" if vector else "no_embedder" if question.strip() else "no_question"
        return assembly.assemble(
            frame, head, tail, older, question, most, window, injection, recall, as_text=asked.format == "text"
        )

    def _injected(self, asked: AssembleContext) -> Injection:
        usual = self._injection
        return Injection(
            window=usual.window if asked.window is None else asked.window,
            top=usual.top if asked.top is None else asked.top,
            minimum=usual.minimum if asked.minimum is None else asked.minimum,
            snippet_chars=usual.snippet_chars if asked.snippet_chars is None else asked.snippet_chars,
            nearness=usual.nearness if asked.minimum is None else -1.0,
        )

    async def _vector(self, question: str) -> list[float] | None:
        if self._embedder.state != "ready" or not question.strip():
            return None
        try:
            return (await self._embedder.embed([question]))[0]
        except ModelUnavailable:
            return None  # everything else is as good without
