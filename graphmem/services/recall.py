"""Recall: the texts that answer a question best, and why."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from graphmem.errors import ModelUnavailable
from graphmem.model.answers import Hit, Recalled
from graphmem.model.inputs import HitKind, Recall
from graphmem.model.stored import Candidate, Filters, FoundText, Moment, OnEntity
from graphmem.rules.context import fit
from graphmem.rules.identity import agent_key
from graphmem.rules.ranking import Ranked, fuse, newest_first, with_neighbours
from graphmem.rules.search import any_of, coverage, name_candidates, plain_terms
from graphmem.rules.text import TOKEN_COUNTER, count_tokens
from graphmem.rules.time import moment
from graphmem.services.ports import Clock, Embedder, Retrieval

CANDIDATES = 60
"""Texts of each kind that each signal brings to the comparison."""
ON_ENTITY = 50
COLD_SHARE = 0.8
"""What the words of an archived text count beside those of one that is not."""
SPARE = 25
"""Texts read beyond the limit, so that what replaced a superseded one is met too."""

Scores = dict[str, float]


class Recalling:
    def __init__(self, retrieval: Retrieval, embedder: Embedder, clock: Clock) -> None:
        self._retrieval = retrieval
        self._embedder = embedder
        self._clock = clock

    async def recall(self, agent_id: str, asked: Recall) -> Recalled:
        """The best hits, best first; none is fine. Texts without a vector yet are found by their words."""
        when = moment(asked.as_of, asked.known_at, self._clock())
        filters = _filters(asked, when)
        kinds = tuple(dict.fromkeys(asked.kinds))
        if asked.source or asked.role or asked.from_ or asked.to:
            # Only messages have these; knowledge drawn from them would widen the filter.
            kinds = tuple(kind for kind in kinds if kind == "message")
        vector, named = await asyncio.gather(self._vector(asked.query), self._named(agent_id, asked.query, filters))
        query = any_of(asked.query, agent_key(agent_id))
        limit = max(asked.limit, CANDIDATES)
        found = await self._retrieval.search(agent_id, kinds, query, vector, filters, limit)
        kind_of: dict[str, HitKind] = {}
        candidates: dict[str, Candidate] = {}
        linked: Scores = {}
        for kind, searched in found.items():
            met = {candidate.id: candidate for candidate in searched}
            on_entities = _linked(kind, named)
            linked |= on_entities
            candidates |= met
            kind_of |= dict.fromkeys([*met, *on_entities], kind)
        cold: Scores = {}
        if asked.include_cold:
            for kind, one in await self._cold(agent_id, kinds, asked.query, vector, filters):
                candidates[one.id], kind_of[one.id] = one, kind
                cold[one.id] = COLD_SHARE * coverage(asked.query, one.opening)
        strangers = [id_ for id_ in linked if id_ not in candidates]
        if strangers:
            candidates |= {one.id: one for one in await self._retrieval.nearness(agent_id, strangers, vector)}
        signals = {
            "words": _comparable(asked.query, candidates, kind_of) | cold,
            "meaning": {id_: one.nearness for id_, one in candidates.items() if one.nearness is not None},
            "entities": linked,
        }
        spoken = {id_ for id_, one in candidates.items() if one.ordinal is not None}
        ranked = with_neighbours(fuse(signals), _previous(candidates.values()), spoken)[: asked.limit + SPARE]
        texts = await self._read(agent_id, ranked, kind_of, when)
        if not asked.include_cold:  # it may have gone since it was found
            texts = {id_: text for id_, text in texts.items() if text.status not in ("cold", "deleted")}
        successors = {id_: text.successors for id_, text in texts.items() if text.successors}
        shown = newest_first([candidate for candidate in ranked if candidate.id in texts], successors)
        return _answer(shown[: asked.limit], texts, asked.max_tokens)

    async def _cold(
        self, agent_id: str, kinds: Sequence[HitKind], query: str, vector: Sequence[float] | None, filters: Filters
    ) -> list[tuple[HitKind, Candidate]]:
        """What is in the cold tier and holds words of the question."""
        found = await self._retrieval.cold(
            agent_id, kinds, plain_terms(query), any_of(query, agent_key(agent_id)), vector, filters, CANDIDATES
        )
        return [(kind, candidate) for kind, archived in found.items() for candidate in archived]

    async def _vector(self, query: str) -> list[float] | None:
        if self._embedder.state != "ready":
            return None
        try:
            return (await self._embedder.embed([query]))[0]
        except ModelUnavailable:
            return None  # words still find

    async def _named(self, agent_id: str, query: str, filters: Filters) -> list[OnEntity]:
        names = [] if filters.any else name_candidates(query[:1000])
        return await self._retrieval.on_entities(agent_id, names, ON_ENTITY, filters.when) if names else []

    async def _read(
        self, agent_id: str, ranked: Sequence[Ranked], kind_of: Mapping[str, HitKind], when: Moment
    ) -> dict[str, FoundText]:
        by_kind: dict[HitKind, list[str]] = defaultdict(list)
        for candidate in ranked:
            by_kind[kind_of[candidate.id]].append(candidate.id)
        return {text.id: text for text in await self._retrieval.found(agent_id, by_kind, when)}


def _filters(asked: Recall, when: Moment) -> Filters:
    return Filters(
        when=when,
        project=asked.project,
        session_id=asked.session_id,
        source=asked.source,
        role=asked.role,
        from_=asked.from_,
        to=asked.to,
        superseded=asked.include_superseded,
    )


def _linked(kind: HitKind, named: Sequence[OnEntity]) -> Scores:
    """How many of the entities in the question each text hangs on."""
    counts: Scores = defaultdict(float)
    for entity in named:
        ids = {"attribute": entity.attribute_ids, "memory": entity.memory_ids, "message": entity.message_ids}
        for id_ in ids.get(kind, ()):
            counts[id_] += 1
    return counts


def _comparable(question: str, candidates: Mapping[str, Candidate], kind_of: Mapping[str, HitKind]) -> Scores:
    """Full-text scores on one scale: each kind has an index, and so a scale, of its own.

    The best of a kind counts as much as it takes up of the question's words, the others in proportion to it.
    """
    best: dict[HitKind, Candidate] = {}
    for id_, one in candidates.items():
        if one.words is not None and one.words > (best[kind_of[id_]].words or 0.0 if kind_of[id_] in best else 0.0):
            best[kind_of[id_]] = one
    unit = {kind: coverage(question, one.opening) / (one.words or 1.0) for kind, one in best.items()}
    return {id_: one.words * unit[kind_of[id_]] for id_, one in candidates.items() if one.words}


def _previous(places: Iterable[Candidate]) -> dict[str, str]:
    """From each message to the one said right before it, where both were found."""
    placed = {(place.session_id, place.ordinal): place.id for place in places if place.ordinal is not None}
    return {
        id_: placed[session_id, ordinal - 1]
        for (session_id, ordinal), id_ in placed.items()
        if ordinal is not None and (session_id, ordinal - 1) in placed
    }


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
            status=found.status,
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
