"""Recall: the texts that answer a question best, and why."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.errors import ModelUnavailable
from graphmem.model.answers import FilterName, Hit, PassageSpan, Recalled, Unmatched
from graphmem.model.inputs import HitKind, Recall
from graphmem.model.knowledge import OutdatedPart
from graphmem.model.stored import Filters, FoundText, Moment, OnEntity, ReadText
from graphmem.rules.keeping.time import moment
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import TOKEN_COUNTER, count_tokens
from graphmem.rules.recall import candidates
from graphmem.rules.recall.distinct import distinct
from graphmem.rules.recall.filling import ENOUGH, GATHERED, fill
from graphmem.rules.recall.freshness import freshest_first
from graphmem.rules.recall.outdated import marked
from graphmem.rules.recall.passages import shown
from graphmem.rules.recall.questions import Asked, read_question, topic
from graphmem.rules.recall.ranking import WORDS_ALONE, Passage, Ranked, newest_first, rank, unmet
from graphmem.rules.recall.search import any_of, name_candidates, plain_terms, with_parts
from graphmem.services.ports import Clock, Embedder, Retrieval
from graphmem.services.recall.reranking import Reranking


class Recalling:
    def __init__(
        self, retrieval: Retrieval, embedder: Embedder, clock: Clock, reranking: Reranking | None = None
    ) -> None:
        self._retrieval = retrieval
        self._embedder = embedder
        self._clock = clock
        self._reranking = reranking

    async def recall(
        self,
        agent_id: str,
        asked: Recall,
        *,
        meaning: Awaitable[Sequence[float] | None] | None = None,
        floor: float = 0.0,
        at_any_score: str | None = None,
        beside: str | None = None,
        quick: bool = False,
    ) -> Recalled:
        """The best hits, best first; an empty result is valid. Texts without a vector yet are found by their words.

        `meaning`: the vector that answers are near to, if the caller has it already. `floor`: the least score of a hit,
        by our own signals: then no reranker is used; where nothing has a vector, the share of it that words alone can
        reach; parts of words are not searched. `at_any_score`: a session whose texts need no score. `beside`: a session
        whose messages are left out. `quick`: no more texts are compared than for the usual number of hits.
        """
        now = self._clock()
        when = moment(asked.as_of, asked.known_at, now)
        question = read_question(asked.query, now)
        limit, enough = asked.limit, 0.0
        if asked.max_tokens is not None and "limit" not in asked.model_fields_set:
            limit = candidates.in_budget(gathers=question.gathers)
            enough = GATHERED if question.gathers else ENOUGH
        filters = _filters(asked, when, beside)
        kinds = wanted_kinds = tuple(dict.fromkeys(asked.kinds))
        if asked.source or asked.role or asked.from_ or asked.to:
            # Only messages have these; knowledge extracted from them would widen the filter.
            kinds = tuple(kind for kind in kinds if kind == "message")
        breadth = candidates.USUAL if quick else limit
        limits = {kind: candidates.most(kind, breadth, gathers=question.gathers) for kind in kinds}
        (vector, near), matching, named, unread = await asyncio.gather(
            self._near(agent_id, meaning or question_vector(self._embedder, asked.query), filters, limits),
            self._matching(agent_id, any_of(asked.query, agent_key(agent_id)), filters, limits),
            self._named(agent_id, asked.query, filters),
            _nothing() if quick else self._retrieval.unread_sessions(agent_id),
        )
        linked = {kind: candidates.linked(kind, named) for kind in kinds}
        found = {
            kind: list(dict.fromkeys([*near.get(kind, ()), *matching.get(kind, ()), *linked[kind]])) for kind in kinds
        }
        kind_of: dict[str, HitKind] = {}
        passages: list[Passage] = []
        for kind, text, share in await self._texts(
            agent_id, found, asked, question, vector, filters, parts=not (floor or quick)
        ):
            kind_of[text.id] = kind
            eligible = text.eligible and (beside is None or text.session_id != beside)
            passages.append(candidates.passage_of(text, linked[kind].get(text.id, 0.0), share, eligible=eligible))
        wanted = limit + candidates.SPARE
        least = floor if vector is not None else WORDS_ALONE * floor
        while True:
            ranked = await asyncio.to_thread(rank, question, passages, wanted)
            read = [one for one in ranked if one.score >= least or at_any_score]
            scores = {one.id: one.score for one in read}
            texts = {
                id_: text
                for id_, text in (await self._read(agent_id, read, kind_of, when)).items()
                if scores[id_] >= least or text.session_id == at_any_score
            }
            if not asked.include_cold:  # it may have been archived since it was found
                texts = {id_: text for id_, text in texts.items() if text.status not in ("cold", "deleted")}
            successors = {id_: text.successors | text.until for id_, text in texts.items()}
            compared = [candidate for candidate in ranked if candidate.id in texts]
            kept = distinct(newest_first(compared, successors), texts)
            if len(ranked) < wanted or len(kept) >= limit or ranked[-1].score < least:
                break
            wanted = len(passages) + 1  # many of them say the same
        reranked = None
        if self._reranking and not floor:
            compared, reranked = await self._reranking.order(asked.query, compared, texts)
            kept = distinct(newest_first(compared, successors), texts)
        first, older = freshest_first(question, kept[:limit], texts)
        return _answer(first, texts, older, asked, enough).model_copy(
            update={
                "reranked": reranked,
                "unread": tuple(unread),
                "kinds_omitted": tuple(kind for kind in wanted_kinds if kind not in kinds),
                "unmatched": () if first else await self._unmatched(agent_id, asked),
            }
        )

    async def _unmatched(self, agent_id: str, asked: Recall) -> tuple[Unmatched, ...]:
        """The filters that match no session of the agent, one by one."""
        filters: dict[FilterName, str | None] = {
            "sessionId": asked.session_id,
            "project": asked.project,
            "source": asked.source,
        }
        given = {field: value for field, value in filters.items() if value is not None}
        known = await self._retrieval.known_filters(agent_id, given) if given else set()
        return tuple(Unmatched(field=field, value=value) for field, value in given.items() if field not in known)

    async def _near(
        self,
        agent_id: str,
        meaning: Awaitable[Sequence[float] | None],
        filters: Filters,
        limits: Mapping[HitKind, int],
    ) -> tuple[Sequence[float] | None, Mapping[HitKind, Sequence[str]]]:
        """The vector of the question, and the texts near to it; none without a vector."""
        vector = await meaning
        if vector is None:
            return None, {}
        # An index search uses one core; nearly all vectors are those of messages and facts.
        halves = [{kind: limits[kind] for kind in limits if (kind == "message") is said} for said in (True, False)]
        found = await asyncio.gather(
            *(self._retrieval.near(agent_id, vector, filters, half) for half in halves if half)
        )
        return vector, {kind: ids for some in found for kind, ids in some.items()}

    async def _matching(
        self, agent_id: str, query: str, filters: Filters, limits: Mapping[HitKind, int]
    ) -> Mapping[HitKind, Sequence[str]]:
        return await self._retrieval.matching(agent_id, query, filters, limits) if query else {}

    async def _texts(
        self,
        agent_id: str,
        found: Mapping[HitKind, Sequence[str]],
        asked: Recall,
        question: Asked,
        vector: Sequence[float] | None,
        filters: Filters,
        *,
        parts: bool,
    ) -> list[tuple[HitKind, ReadText, float]]:
        """The candidates, each once, with the share of its score that counts: what was found; archived texts, if
        requested; and texts that contain a part of a word, if `parts` are searched."""
        kinds = tuple(found)
        read, cold = await asyncio.gather(
            self._retrieval.read_texts(agent_id, found, vector, filters, candidates.READ_CHARS),
            self._cold(agent_id, kinds, asked.query, vector, filters) if asked.include_cold else _nothing(),
        )
        if parts:
            read += await self._with_parts(agent_id, kinds, question, vector, filters, read)
        texts = {text.id: (kind, text, 1.0) for kind, text in read}
        return list(({text.id: (kind, text, candidates.COLD_SHARE) for kind, text in cold} | texts).values())

    async def _with_parts(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        question: Asked,
        vector: Sequence[float] | None,
        filters: Filters,
        read: Sequence[tuple[HitKind, ReadText]],
    ) -> list[tuple[HitKind, ReadText]]:
        """Texts with a word of the question inside one of theirs, if none of the texts read so far has the word."""
        query = with_parts(unmet(question, (text.text for _, text in read)), agent_key(agent_id))
        found = await self._matching(agent_id, query, filters, dict.fromkeys(kinds, candidates.PARTS))
        return (
            await self._retrieval.read_texts(agent_id, found, vector, filters, candidates.READ_CHARS)
            if any(found.values())
            else []
        )

    async def _cold(
        self, agent_id: str, kinds: Sequence[HitKind], query: str, vector: Sequence[float] | None, filters: Filters
    ) -> list[tuple[HitKind, ReadText]]:
        """Texts in the cold tier that contain words of the question."""
        found = await self._retrieval.cold(
            agent_id, kinds, plain_terms(query), any_of(query, agent_key(agent_id)), vector, filters, candidates.COLD
        )
        return [(kind, text) for kind, archived in found.items() for text in archived]

    async def _named(self, agent_id: str, query: str, filters: Filters) -> list[OnEntity]:
        names = [] if filters.any else name_candidates(query[:1000])
        return await self._retrieval.on_entities(agent_id, names, candidates.ON_ENTITY, filters.when) if names else []

    async def _read(
        self, agent_id: str, ranked: Sequence[Ranked], kind_of: Mapping[str, HitKind], when: Moment
    ) -> dict[str, FoundText]:
        by_kind: dict[HitKind, list[str]] = defaultdict(list)
        for candidate in ranked:
            by_kind[kind_of[candidate.id]].append(candidate.id)
        read = map(marked, await self._retrieval.found(agent_id, by_kind, when))
        return {text.id: text for text in read if text is not None}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of a question, and the one that its answers are near to: that of its topic plus half its own."""

    question: Sequence[float]
    answers: Sequence[float]


async def meaning_of(embedder: Embedder, question: str) -> Meaning | None:
    """None without a model: full-text search still works."""
    if embedder.state != "ready":
        return None
    about = topic(question)
    try:
        vectors = await embedder.embed([about] if about == question else [about, question])
    except ModelUnavailable:
        return None
    return Meaning(vectors[-1], candidates.answer_vector(vectors))


async def question_vector(embedder: Embedder, question: str) -> Sequence[float] | None:
    """The vector that answers to a question are near to."""
    meaning = await meaning_of(embedder, question)
    return meaning.answers if meaning else None


def _filters(asked: Recall, when: Moment, beside: str | None) -> Filters:
    return Filters(
        when=when,
        project=asked.project,
        session_id=asked.session_id,
        source=asked.source,
        role=asked.role,
        from_=asked.from_,
        to=asked.to,
        superseded=asked.include_superseded,
        beside=beside,
    )


async def _nothing() -> list[Any]:
    return []


@dataclass(frozen=True, slots=True)
class _Shown:
    """The part of a text that a hit shows, and where it stands; all of it without `span`."""

    text: str
    outdated: tuple[OutdatedPart, ...]
    span: PassageSpan | None = None


def _shown(found: FoundText, question: str) -> _Shown:
    start, end = shown(found.text, question) if found.kind == "message" else (0, len(found.text))
    if end - start == len(found.text):
        return _Shown(found.text, found.outdated)
    inside = (part for part in found.outdated if start <= part.start and part.end <= end)
    moved = tuple(part.model_copy(update={"start": part.start - start, "end": part.end - start}) for part in inside)
    return _Shown(found.text[start:end], moved, PassageSpan(start=start, end=end))


def _answer(
    ranked: Sequence[Ranked], texts: Mapping[str, FoundText], older: Mapping[str, str], asked: Recall, enough: float
) -> Recalled:
    """`enough`: the least share of the best score of a hit that a budget is filled with."""
    parts = [_shown(texts[candidate.id], asked.query) for candidate in ranked]
    said, truncated = {place: part.text for place, part in enumerate(parts)}, False
    if ranked and asked.max_tokens is not None:
        scores = [candidate.score for candidate in ranked]
        said, truncated = fill([part.text for part in parts], scores, asked.max_tokens, least=enough)
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
            about=found.about,
            status=found.status,
            superseded_by=found.superseded_by,
            passage=part.span and PassageSpan(start=part.span.start, end=part.span.start + len(text)),
            outdated=tuple(one for one in part.outdated if one.end <= len(text)),
            older_than=older.get(candidate.id),
            ahead=bool(found.until),
            valid_from=found.valid_from,
            valid_to=found.valid_to,
            created_at=found.created_at,
        )
        for place, text in said.items()
        for candidate, part in ((ranked[place], parts[place]),)
        for found in (texts[candidate.id],)
    )
    used = sum(count_tokens(hit.text) for hit in hits)
    return Recalled(hits=hits, used_tokens=used, truncated=truncated, token_counter=TOKEN_COUNTER)
