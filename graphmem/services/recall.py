"""Recall: the texts that answer a question best, and why."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.errors import ModelUnavailable, NotBuiltYet
from graphmem.model.answers import Hit, Recalled
from graphmem.model.inputs import HitKind, Recall
from graphmem.model.stored import Filters, FoundText, OnEntity
from graphmem.rules.context import fit
from graphmem.rules.identity import agent_key
from graphmem.rules.ranking import Ranked, fuse, newest_first
from graphmem.rules.search import any_of, name_candidates
from graphmem.rules.text import TOKEN_COUNTER, count_tokens
from graphmem.services.ports import Clock, Embedder, Retrieval

CANDIDATES = 100
"""Texts of each kind that each signal brings to the comparison."""
ON_ENTITY = 50


class Recalling:
    def __init__(self, retrieval: Retrieval, embedder: Embedder, clock: Clock) -> None:
        self._retrieval = retrieval
        self._embedder = embedder
        self._clock = clock

    async def recall(self, agent_id: str, asked: Recall) -> Recalled:
        """The best hits, best first; none is fine. Texts without a vector yet are found by their words.

        Errors: NotBuiltYet for asOf, knownAt and includeCold.
        """
        refuse_time_travel(asked.as_of, asked.known_at)
        if asked.include_cold:
            raise NotBuiltYet("includeCold is not built yet: nothing goes to the cold tier so far.")
        filters = Filters(
            now=self._clock(),
            project=asked.project,
            session_id=asked.session_id,
            source=asked.source,
            role=asked.role,
            from_=asked.from_,
            to=asked.to,
            superseded=asked.include_superseded,
        )
        kinds = tuple(dict.fromkeys(asked.kinds))
        if asked.source or asked.role or asked.from_ or asked.to:
            # Only messages have these; knowledge drawn from them would widen the filter.
            kinds = tuple(kind for kind in kinds if kind == "message")
        query = any_of(asked.query, agent_key(agent_id))
        vector, named = await asyncio.gather(self._vector(asked.query), self._named(agent_id, asked.query))
        found = await asyncio.gather(
            *(
                self._search(agent_id, kind, query, vector, named, filters, max(asked.limit, CANDIDATES))
                for kind in kinds
            )
        )
        texts = {text.id: text for texts, _ in found for text in texts}
        signals: dict[str, dict[str, float]] = defaultdict(dict)
        for _, scores in found:
            for signal, by_id in scores.items():
                signals[signal] |= by_id
        ranked = [candidate for candidate in fuse(signals) if candidate.id in texts]
        successors = {id_: text.successors for id_, text in texts.items() if text.successors}
        return _answer(newest_first(ranked, successors)[: asked.limit], texts, asked.max_tokens)

    async def _vector(self, query: str) -> list[float] | None:
        if self._embedder.state != "ready":
            return None
        try:
            return (await self._embedder.embed([query]))[0]
        except ModelUnavailable:
            return None  # words still find

    async def _named(self, agent_id: str, query: str) -> list[OnEntity]:
        names = name_candidates(query[:1000])
        return await self._retrieval.on_entities(agent_id, names, ON_ENTITY) if names else []

    async def _search(
        self,
        agent_id: str,
        kind: HitKind,
        query: str,
        vector: Sequence[float] | None,
        named: Sequence[OnEntity],
        filters: Filters,
        limit: int,
    ) -> tuple[list[FoundText], dict[str, dict[str, float]]]:
        """The candidates of one kind, and each signal's scores on them."""
        by_words = await self._retrieval.by_words(agent_id, kind, query, filters, limit) if query else {}
        near = await self._retrieval.by_meaning(agent_id, kind, vector, filters, limit) if vector else {}
        linked = {} if filters.any else _linked(kind, named)
        ids = list(dict.fromkeys([*by_words, *near, *linked]))
        if not ids:
            return [], {}
        texts = await self._retrieval.found(agent_id, kind, ids, vector)
        allowed = [text for text in texts if _holds(text, filters)]
        kept = {text.id for text in allowed}
        return allowed, {
            "words": {id_: score for id_, score in by_words.items() if id_ in kept},
            "meaning": {text.id: text.nearness for text in allowed if text.nearness is not None},
            "entities": {id_: score for id_, score in linked.items() if id_ in kept},
        }


def refuse_time_travel(as_of: datetime | None, known_at: datetime | None) -> None:
    """Errors: NotBuiltYet; an answer for now must not pass for one about then."""
    if as_of is not None or known_at is not None:
        raise NotBuiltYet("asOf and knownAt are not built yet: leave them out to read what holds now.")


def _linked(kind: HitKind, named: Sequence[OnEntity]) -> dict[str, float]:
    """How many of the entities in the question each text hangs on."""
    counts: dict[str, float] = defaultdict(float)
    for entity in named:
        ids = {"attribute": entity.attribute_ids, "memory": entity.memory_ids, "message": entity.message_ids}
        for id_ in ids.get(kind, ()):
            counts[id_] += 1
    return counts


def _holds(text: FoundText, filters: Filters) -> bool:
    """Whether a text may be shown: what came by a link passed no filter yet."""
    if text.kind in ("message", "summary"):
        return True
    begun = text.valid_from is None or text.valid_from <= filters.now
    if text.status == "superseded":
        return filters.superseded and begun
    return begun and (text.valid_to is None or filters.now < text.valid_to)


def _answer(ranked: Sequence[Ranked], texts: Mapping[str, FoundText], max_tokens: int | None) -> Recalled:
    shown = [texts[candidate.id].text for candidate in ranked]
    truncated = False
    if max_tokens is not None:
        fitted = fit(shown, max_tokens)
        shown, truncated = list(fitted.texts), fitted.truncated
    hits = tuple(
        Hit(
            id=found.id,
            kind=found.kind,
            text=text,
            score=candidate.score,
            why=dict(candidate.why),
            session_id=found.session_id,
            message_ids=found.message_ids,
            entity_ids=found.entity_ids,
            status="superseded" if found.status == "superseded" else "active",
            superseded_by=found.superseded_by,
            valid_from=found.valid_from,
            valid_to=found.valid_to,
            created_at=found.created_at,
        )
        for candidate, text in zip(ranked, shown, strict=False)
        for found in (texts[candidate.id],)
    )
    used = sum(count_tokens(hit.text) for hit in hits)
    return Recalled(hits=hits, used_tokens=used, truncated=truncated, token_counter=TOKEN_COUNTER)
