"""Recall: the texts that answer a question best, and why."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphmem.errors import ModelUnavailable
from graphmem.model.answers import Hit, Recalled
from graphmem.model.inputs import HitKind, Recall
from graphmem.model.stored import Filters, FoundText, Moment, OnEntity, ReadText
from graphmem.rules.keeping.time import moment
from graphmem.rules.language.budget import fit
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import TOKEN_COUNTER, count_tokens
from graphmem.rules.recall.questions import Asked, read_question, stems, topic
from graphmem.rules.recall.ranking import WORDS_ALONE, Passage, Ranked, newest_first, rank, unmet
from graphmem.rules.recall.search import any_of, name_candidates, plain_terms, with_parts
from graphmem.services.ports import Clock, Embedder, Retrieval
from graphmem.services.recall.reranking import Reranking

CANDIDATES: Mapping[HitKind, int] = {"message": 40, "memory": 20, "attribute": 20, "summary": 20}
"""Texts that words, and vectors, bring to the comparison where ten hits are asked for; more brought no more evidence
among ten. Messages bring what was said around them."""
USUAL = 10
"""Hits that are asked for unless somebody says otherwise; for more of them, more texts are compared."""
FURTHER = 3
"""How many times as many messages are compared, at least, for more hits than usual: among twenty of them that finds
.003 more of the evidence on LoCoMo, and among ten nothing."""
PARTS = 20
"""Texts of each kind that hold a word of the question inside of a longer one."""
COLD = 60
"""Archived texts of each kind that are compared, where they are asked for."""
READ_CHARS = 1000
"""Characters of a text that are compared with a question."""
ON_ENTITY = 20
COLD_SHARE = 0.8
"""What an archived text counts beside one that is not."""
TOPIC_AND_QUESTION = (1.0, 0.5)
"""Weights of their vectors."""
SPARE = 25
"""Texts read beyond the limit, so that what replaced a superseded one is met too, and what says the same can go."""
ALIKE = 0.9
"""Share of their words in common from which texts of two kinds are one hit."""
TELLING = 3
"""Words that mean something, its speaker among them, which a message has at least to be left out beside its like."""


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
        beside: str | None = None,
    ) -> Recalled:
        """The best hits, best first; none is fine. Texts without a vector yet are found by their words.

        `meaning`: the vector that answers are near to, where somebody has it already. `floor`: the least score of a
        hit, by our own signals: no reranker is asked then; where nothing has a vector, the part of it that words alone
        can reach; texts are not looked for by a part of a word. `beside`: a session whose messages are not answered.
        """
        now = self._clock()
        when = moment(asked.as_of, asked.known_at, now)
        filters = _filters(asked, when, beside)
        kinds = tuple(dict.fromkeys(asked.kinds))
        if asked.source or asked.role or asked.from_ or asked.to:
            # Only messages have these; knowledge drawn from them would widen the filter.
            kinds = tuple(kind for kind in kinds if kind == "message")
        limits = {kind: _candidates(kind, asked.limit) for kind in kinds}
        (vector, near), matching, named = await asyncio.gather(
            self._near(agent_id, meaning or question_vector(self._embedder, asked.query), filters, limits),
            self._matching(agent_id, any_of(asked.query, agent_key(agent_id)), filters, limits),
            self._named(agent_id, asked.query, filters),
        )
        linked = {kind: _linked(kind, named) for kind in kinds}
        found = {
            kind: list(dict.fromkeys([*near.get(kind, ()), *matching.get(kind, ()), *linked[kind]])) for kind in kinds
        }
        question = read_question(asked.query, now)
        kind_of: dict[str, HitKind] = {}
        passages: list[Passage] = []
        for kind, text, share in await self._texts(agent_id, found, asked, question, vector, filters, parts=not floor):
            kind_of[text.id] = kind
            eligible = text.eligible and (beside is None or text.session_id != beside)
            passages.append(_passage(text, linked[kind].get(text.id, 0.0), share, eligible=eligible))
        wanted = asked.limit + SPARE
        least = floor if vector is not None else WORDS_ALONE * floor
        while True:
            ranked = await asyncio.to_thread(rank, question, passages, wanted)
            texts = await self._read(agent_id, [one for one in ranked if one.score >= least], kind_of, when)
            if not asked.include_cold:  # it may have gone since it was found
                texts = {id_: text for id_, text in texts.items() if text.status not in ("cold", "deleted")}
            successors = {id_: text.successors for id_, text in texts.items() if text.successors}
            candidates = [candidate for candidate in ranked if candidate.id in texts]
            shown = _distinct(newest_first(candidates, successors), texts)
            if len(ranked) < wanted or len(shown) >= asked.limit or ranked[-1].score < least:
                break
            wanted = len(passages) + 1  # much of it said the same
        reranked = None
        if self._reranking and not floor:
            candidates, reranked = await self._reranking.order(asked.query, candidates, texts)
            shown = _distinct(newest_first(candidates, successors), texts)
        return _answer(shown[: asked.limit], texts, asked.max_tokens).model_copy(update={"reranked": reranked})

    async def _near(
        self,
        agent_id: str,
        meaning: Awaitable[Sequence[float] | None],
        filters: Filters,
        limits: Mapping[HitKind, int],
    ) -> tuple[Sequence[float] | None, Mapping[HitKind, Sequence[str]]]:
        """The vector of what is asked, and the texts near to it; none without a vector."""
        vector = await meaning
        if vector is None:
            return None, {}
        # An index is searched on one core; nearly all vectors are those of messages and facts.
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
        """What may answer, each once, with the share of its score that it is given: what was found; what is archived,
        where that is asked for; and what holds a part of a word, where `parts` are looked for."""
        kinds = tuple(found)
        read, cold = await asyncio.gather(
            self._retrieval.read_texts(agent_id, found, vector, filters, READ_CHARS),
            self._cold(agent_id, kinds, asked.query, vector, filters) if asked.include_cold else _nothing(),
        )
        if parts:
            read += await self._with_parts(agent_id, kinds, question, vector, filters, read)
        texts = {text.id: (kind, text, 1.0) for kind, text in read}
        return list(({text.id: (kind, text, COLD_SHARE) for kind, text in cold} | texts).values())

    async def _with_parts(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        question: Asked,
        vector: Sequence[float] | None,
        filters: Filters,
        read: Sequence[tuple[HitKind, ReadText]],
    ) -> list[tuple[HitKind, ReadText]]:
        """Texts with a word of the question inside of one of theirs, where nothing that was read has the word."""
        query = with_parts(unmet(question, (text.text for _, text in read)), agent_key(agent_id))
        found = await self._matching(agent_id, query, filters, dict.fromkeys(kinds, PARTS))
        return (
            await self._retrieval.read_texts(agent_id, found, vector, filters, READ_CHARS)
            if any(found.values())
            else []
        )

    async def _cold(
        self, agent_id: str, kinds: Sequence[HitKind], query: str, vector: Sequence[float] | None, filters: Filters
    ) -> list[tuple[HitKind, ReadText]]:
        """What is in the cold tier and holds words of the question."""
        found = await self._retrieval.cold(
            agent_id, kinds, plain_terms(query), any_of(query, agent_key(agent_id)), vector, filters, COLD
        )
        return [(kind, text) for kind, archived in found.items() for text in archived]

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


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of a question, and the one that texts which answer it are near to: that of its topic, and half as much
    its own."""

    question: Sequence[float]
    answers: Sequence[float]


async def meaning_of(embedder: Embedder, question: str) -> Meaning | None:
    """None where there is no model to tell: words still find."""
    if embedder.state != "ready":
        return None
    about = topic(question)
    try:
        vectors = np.array(await embedder.embed([about] if about == question else [about, question]))
    except ModelUnavailable:
        return None
    vector = np.array(TOPIC_AND_QUESTION[: len(vectors)]) @ vectors
    return Meaning(vectors[-1].tolist(), (vector / np.linalg.norm(vector)).tolist())


async def question_vector(embedder: Embedder, question: str) -> Sequence[float] | None:
    """The vector that texts which answer a question are near to."""
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


def _candidates(kind: HitKind, limit: int) -> int:
    """How many texts of a kind words, and vectors, bring to the comparison."""
    usual = CANDIDATES[kind]
    if limit <= USUAL:
        return usual
    return max(FURTHER * usual if kind == "message" else usual, usual * (limit + USUAL) // (2 * USUAL))


def _linked(kind: HitKind, named: Sequence[OnEntity]) -> dict[str, float]:
    """How much each text hangs on the entities of the question: 1 on one of them, a half on a neighbour."""
    linked: dict[str, float] = {}
    for entity in named:
        on_it = {"attribute": entity.attribute_ids, "memory": entity.memory_ids, "message": entity.message_ids}
        beside = {"attribute": entity.nearby_attribute_ids, "message": entity.nearby_message_ids}
        for id_ in beside.get(kind, ()):
            linked.setdefault(id_, 0.5)
        linked |= dict.fromkeys(on_it.get(kind, ()), 1.0)
    return linked


async def _nothing() -> list[tuple[HitKind, ReadText]]:
    return []


def _passage(text: ReadText, entities: float, share: float, *, eligible: bool) -> Passage:
    return Passage(
        id=text.id,
        text=text.text,
        nearness=text.nearness,
        session_id=text.session_id,
        ordinal=text.ordinal,
        speaker=text.speaker,
        at=text.at,
        eligible=eligible,
        entities=entities,
        feedback=text.feedback,
        share=share,
    )


def _distinct(ranked: Sequence[Ranked], texts: Mapping[str, FoundText]) -> list[Ranked]:
    """The hits without those that say what a better one says: a statement and the fact drawn from it are one hit, shown
    as the fact, which tells what it is about."""
    said = {candidate.id: stems(texts[candidate.id].text) for candidate in ranked}
    words = {id_: (in_order, frozenset(in_order)) for id_, in_order in said.items()}
    facts = [texts[candidate.id] for candidate in ranked if texts[candidate.id].kind == "attribute"]
    kept: dict[str, Ranked] = {}
    for candidate in ranked:
        text = texts[candidate.id]
        if text.kind == "memory":
            fact = next((fact for fact in facts if _same(text, fact, words)), None)
            if fact is not None:
                text, candidate = fact, replace(candidate, id=fact.id)
        if candidate.id in kept:
            continue
        if not any(_same(text, texts[id_], words) for id_ in kept):
            kept[candidate.id] = candidate
    return list(kept.values())


def _same(text: FoundText, other: FoundText, words: Mapping[str, tuple[Sequence[str], frozenset[str]]]) -> bool:
    """Whether two texts say the same: of one kind the same words in the same order, but for endings and the smallest
    words; of two kinds nearly the same words. A message is somebody's words, and not the same as what was drawn from
    it; two messages of a word or two ("Yes, thanks") may each answer something else."""
    if not text.status == other.status == "active" or (text.kind == "message") != (other.kind == "message"):
        return False
    (in_order, mine), (others_in_order, others) = words[text.id], words[other.id]
    if text.kind == other.kind:
        return in_order == others_in_order and len(in_order) >= (TELLING if text.kind == "message" else 1)
    return bool(mine) and len(mine & others) >= ALIKE * len(mine | others)


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
            about=found.about,
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
