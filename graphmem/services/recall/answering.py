"""Answering a question from the memory, by a model where there is one, else by the best sentences."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import ModelUnavailable
from graphmem.model.answering import Answered, Citation, ExpandQuery, Fallback, Method, NearMessage
from graphmem.model.answers import Hit, Unmatched
from graphmem.model.inputs import Recall
from graphmem.model.knowledge import Attribute
from graphmem.rules.keeping.time import moment
from graphmem.rules.language.text import TOKEN_COUNTER, count_tokens, fit_tokens
from graphmem.rules.recall import answer_prompts, answering
from graphmem.rules.recall.answer_types import answer_type, asks_about_past
from graphmem.rules.recall.answering import AnswerLine, Evidence, Passage, Written
from graphmem.rules.recall.outdated import mark
from graphmem.services.ports import AnswerReads, Clock, Embedder, Knowledge, LanguageModel
from graphmem.services.recall.recall import Recalling

log = logging.getLogger(__name__)

MOST_HITS = 60
"""Texts that are requested from recall."""
NOT_FOUND = "Not found: nothing that is remembered says it."
NOT_FOUND_YET = "Not found in what was looked at; not all that bears on it was."


@dataclass(frozen=True, slots=True)
class AnsweringSettings:
    """`context_tokens`: the default limit of the context; `timeout_s`: the time limit of a model, with all its
    tries."""

    context_tokens: int
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Gathered:
    """The sources of the answer, best first; `successors` are the facts that superseded others, by id."""

    passages: list[Passage]
    tokens: int
    left_out: list[str]
    successors: Mapping[str, Attribute]
    unmatched: tuple[Unmatched, ...] = ()


class Answering:
    def __init__(
        self,
        recalling: Recalling,
        reads: AnswerReads,
        knowledge: Knowledge,
        embedder: Embedder,
        model: LanguageModel | None,
        settings: AnsweringSettings,
        clock: Clock,
    ) -> None:
        self._recalling = recalling
        self._reads = reads
        self._knowledge = knowledge
        self._embedder = embedder
        self._model = model
        self._settings = settings
        self._clock = clock

    async def answer(self, agent_id: str, asked: ExpandQuery) -> Answered:
        """An answer with its quotes, or the result that none was found. It is never guessed: a text must support it.

        When a model fails, is late, or says what the texts do not support, the rules answer.
        """
        gathered = await self.gather(agent_id, asked)
        weighed, floor = await self._weigh(asked.question, gathered.passages)
        confidence = round(weighed[0].confidence, 4) if weighed else 0.0
        fallback: Fallback | None = None
        if self._model and gathered.passages:
            told = await self._ask(self._model, asked, gathered.passages)
            if isinstance(told, answer_prompts.ModelAnswer):
                return as_answer(_of_model(told, asked.max_tokens), gathered, confidence, "model", None)
            fallback = told
        picked = answering.chosen(weighed, gathered.passages, floor)
        written = _of_rules(picked, asked, gathered) if picked else None
        return as_answer(written, gathered, confidence, "extractive", fallback)

    @property
    def by_model(self) -> bool:
        """Whether a model answers."""
        return self._model is not None

    async def gather(self, agent_id: str, asked: ExpandQuery) -> Gathered:
        """What bears on a question, best first."""
        when = moment(asked.as_of, asked.known_at, self._clock())
        recalled = await self._recalling.recall(
            agent_id,
            Recall(
                query=asked.question,
                limit=MOST_HITS,
                session_id=asked.session_id,
                include_superseded=asks_about_past(asked.question),
                as_of=asked.as_of,
                known_at=asked.known_at,
            ),
        )
        spoken = [hit.id for hit in recalled.hits if hit.kind == "message"]
        said = _marked(await self._reads.around(agent_id, spoken, when)) if spoken else []
        most = asked.context_max_tokens or self._settings.context_tokens
        found = _passages(recalled.hits, said)
        passages, tokens, left_out = await asyncio.to_thread(answering.within, found, most)
        named = [one.succeeded_by for one in passages]
        named += [part.replaced_by for one in passages for part in one.outdated]
        newer = sorted({id_ for id_ in named if id_})
        facts = await self._knowledge.attributes(agent_id, newer) if newer else []
        return Gathered(
            passages, tokens, left_out, {fact.id: fact for fact in facts if fact.status == "active"}, recalled.unmatched
        )

    async def _weigh(self, question: str, passages: Sequence[Passage]) -> tuple[list[Evidence], float]:
        """The confidence of the sentences, and the least that is needed."""
        found = await asyncio.to_thread(answering.sentences, question, passages)
        nearest = found[: answering.MOST_EMBEDDED]
        vectors = await self._vectors([question, *(answering.meaningful(one, passages) for one in nearest)])
        if vectors is None:
            return answering.weigh(question, found, passages, None), answering.FLOOR_ALONE
        near = [sum(mine * theirs for mine, theirs in zip(vectors[0], row, strict=True)) for row in vectors[1:]]
        return answering.weigh(question, found, passages, near), answering.FLOOR

    async def _vectors(self, texts: Sequence[str]) -> list[list[float]] | None:
        if self._embedder.state != "ready" or len(texts) < 2:
            return None
        try:
            return await self._embedder.embed(texts)
        except ModelUnavailable:
            return None

    async def _ask(
        self, model: LanguageModel, asked: ExpandQuery, passages: Sequence[Passage]
    ) -> answer_prompts.ModelAnswer | Fallback:
        """The model's answer if the texts support it; else why the rules must answer."""
        question = await asyncio.to_thread(answer_prompts.question, asked.question, passages, asked.max_tokens // 2)
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                told, _ = await model.ask(
                    question, lambda said: answer_prompts.read_answer(said, asked.question, passages)
                )
        except TimeoutError:
            log.warning("no model answers a question", extra={"why": f"late, {self._settings.timeout_s:g} s"})
            return "model_late"
        except ModelUnavailable as error:
            log.warning("no model answers a question", extra={"why": str(error)})
            return "model_unavailable"
        return told if told.grounded else "not_grounded"


def _marked(said: Sequence[NearMessage]) -> list[NearMessage]:
    """The messages without what a person deleted, and with the places marked that no longer hold."""
    read = [(one, mark(one.text, one.said)) for one in said]
    return [replace(one, text="" if now.empty else now.text, outdated=now.outdated) for one, now in read]


def _passages(hits: Sequence[Hit], said: Sequence[NearMessage]) -> list[Passage]:
    """What was found, best first, then its surroundings. Messages come with their own text, since that of a hit begins
    with its speaker."""
    by_id = {one.id: one for one in said}
    placed = {(one.session_id, one.ordinal): one for one in said}
    found: list[Passage] = []
    for hit in hits:
        if hit.kind == "message":
            if hit.id in by_id:
                found.append(_spoken(by_id[hit.id], placed, hit))
            continue
        found.append(
            Passage(
                id=hit.id,
                kind=hit.kind,
                text=hit.text,
                score=hit.score,
                session_id=hit.session_id,
                message_ids=hit.message_ids,
                said_at=hit.valid_from or hit.created_at,
                replaced=hit.status == "superseded",
                succeeded_by=hit.superseded_by,
                outdated=hit.outdated,
                ahead=hit.ahead,
            )
        )
    known = {one.id for one in found}
    beside = [one for one in said if one.id not in known]
    beside.sort(key=lambda one: (one.session_id, one.ordinal))
    return [*found, *(_spoken(one, placed, None) for one in beside if one.text)]


def _spoken(one: NearMessage, placed: Mapping[tuple[str, int], NearMessage], hit: Hit | None) -> Passage:
    previous = placed.get((one.session_id, one.ordinal - 1))
    answers = previous is not None and (previous.name, previous.role) != (one.name, one.role)
    return Passage(
        id=one.id,
        kind="message",
        text=one.text,
        score=hit.score if hit else 0.0,
        session_id=one.session_id,
        message_ids=(one.message_id,),
        speaker=one.name,
        said_at=one.created_at,
        before=previous.text if previous and answers else "",
        addressee=previous.name if previous and answers else None,
        replaced=hit is not None and hit.status == "superseded",
        succeeded_by=hit.superseded_by if hit else None,
        outdated=one.outdated,
        ahead=hit is not None and hit.ahead,
    )


def _of_rules(picked: Sequence[Evidence], asked: ExpandQuery, gathered: Gathered) -> Written:
    """The chosen sentences; the successor of a superseded one comes before it."""
    timely = answer_type(asked.question) == "time"
    past = asks_about_past(asked.question)
    lines: list[AnswerLine] = []
    shown: set[str] = set()
    for one in picked:
        passage = gathered.passages[one.sentence.passage]
        ended = answering.outdated_at(one.sentence.start, one.sentence.end, passage)
        newer = gathered.successors.get((ended.replaced_by if ended else None) or "")
        if newer and not past and newer.id not in shown:
            shown.add(newer.id)
            told = f"{newer.content} (since {newer.valid_from:%Y-%m-%d})"
            lines.append(AnswerLine(told, _fact(newer), newer.content))
        if passage.id not in shown:
            shown.add(passage.id)
            told = answering.told(one.sentence, passage, timely=timely)
            lines.append(AnswerLine(told, passage, one.sentence.text, ended))
    return answering.write(lines, asked.max_tokens)


def _fact(fact: Attribute) -> Passage:
    return Passage(fact.id, "attribute", fact.content, message_ids=fact.message_ids, said_at=fact.valid_from)


def _of_model(told: answer_prompts.ModelAnswer, max_tokens: int) -> Written | None:
    """The model's answer, with its quotes taking precedence over its words where both do not fit."""
    if not told.found:
        return None
    most = max_tokens // 2
    quotes: list[tuple[Passage, str]] = []
    used = 0
    for passage, quote in told.quotes:
        short = quote if quotes or count_tokens(quote) <= most else fit_tokens(quote, most)
        if used + count_tokens(short) <= most:
            quotes.append((passage, short))
            used += count_tokens(short)
    text = fit_tokens(told.text, max_tokens - used)
    cut = text != told.text or [quote for _, quote in quotes] != [quote for _, quote in told.quotes]
    return Written(text, tuple(quotes), used + count_tokens(text), cut)


def as_answer(
    written: Written | None, gathered: Gathered, confidence: float | None, method: Method, fallback: Fallback | None
) -> Answered:
    if written is None:
        words = NOT_FOUND_YET if gathered.left_out else NOT_FOUND
        written = replace(Written("", (), 0, truncated=False), text=words, used_tokens=count_tokens(words))
    return Answered(
        answer=written.text,
        found=bool(written.quotes),
        outdated=written.outdated,
        citations=tuple(
            Citation(
                id=passage.id,
                kind=passage.kind,
                quote=quote,
                status="superseded" if ended else "active",
                superseded_by=ended.replaced_by if ended else None,
                session_id=passage.session_id,
                message_ids=passage.message_ids,
            )
            for passage, quote in written.quotes
            for place in (max(passage.text.find(quote), 0),)
            for ended in (answering.outdated_at(place, place + len(quote), passage),)
        ),
        confidence=confidence if written.quotes else None,
        used_tokens=written.used_tokens,
        truncated=written.truncated or bool(gathered.left_out),
        context_tokens=gathered.tokens,
        not_looked_at=tuple(gathered.left_out),
        method=method,
        fallback=fallback,
        unmatched=gathered.unmatched,
        token_counter=TOKEN_COUNTER,
    )
