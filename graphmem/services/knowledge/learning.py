"""Learning: text becomes entities, facts and dependencies, and newer facts retire what they contradict."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

from graphmem.errors import Conflict, ModelUnavailable, PlanOutdated
from graphmem.model.answers import RememberReceipt
from graphmem.model.caller import Caller
from graphmem.model.change import Change, Cut, EventRow, LikenessRow, ReadMark, SummaryRow
from graphmem.model.extraction import Limits, SourceMessage
from graphmem.model.inputs import Remember
from graphmem.model.stored import ActiveFact, JobStep, KnownEntity, UnreadMessage
from graphmem.rules.claims import holding, left, topics
from graphmem.rules.extraction import EXTRACTOR, ChunkBounds, certainty_of, first_chunk
from graphmem.rules.keeping.drafts import (
    Place,
    Setting,
    Whole,
    draft,
    draft_remembered,
    with_event_ids,
)
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.keeping.near_names import MAX_PROPOSED, forms, likenesses, stated, worth_spelling
from graphmem.rules.language.grams import grams
from graphmem.rules.language.keys import agent_key, sha256_hex
from graphmem.rules.language.text import canonical_name, count_tokens
from graphmem.rules.privacy.redaction import without_secrets
from graphmem.rules.recall.search import spelled_like
from graphmem.rules.summaries.extractive import (
    DIGEST_SUMMARISER,
    SESSION_SUMMARY_TOKENS,
    Passage,
    Statement,
    digest,
    extract,
)
from graphmem.rules.supersession import (
    MAX_ASKED,
    Likely,
    judgements,
    late_since,
    likely,
    most_alike,
    pairs_to_ask,
    pairs_to_compare,
    said_otherwise,
    with_confirmations,
    with_related,
    with_supersessions,
)
from graphmem.services.conversation.guards import Guards
from graphmem.services.knowledge.extracting import Asked, Chunk, Drawn, Extracting, Parsing
from graphmem.services.knowledge.judging import CALLER_WAITS_S, Judging
from graphmem.services.ports import Clock, Embedder, Knowledge, LanguageModel, NewId, Parser, Sessions

Result = TypeVar("Result")
log = logging.getLogger(__name__)
CENTRAL_MESSAGES = 1_000
"""Messages of a session that are read for a summary where nothing was learned from it."""
ATTEMPTS = 12
"""How often a change is decided again when the graph changed meanwhile."""
ALIKE = 5
"""Names that are compared with each possibly misspelt one."""
MOST_TOPICS = 200
"""Words by which facts are looked up that the new ones may retire."""
PAUSE_S = 0.02
"""Longest pause before the second attempt, twice that before the third and so on: so losers of a race spread out."""


@dataclass(frozen=True)
class LearningSettings:
    """`chunk_messages` and `chunk_tokens` bound what extraction reads at once; `proposals_only` changes no fact.
    `extractor` names the reader, `rules` the code that compares; '' stores none of its findings."""

    limits: Limits
    supersede: bool
    min_confidence: float
    proposals_only: bool
    chunk_messages: int
    chunk_tokens: int
    extractor: str = EXTRACTOR
    rules: str = ""


@dataclass(frozen=True)
class ReadResult:
    """The result of reading a part of a session; `more` when there are messages left. `through`: how many of all `of`
    are read by now."""

    messages: int
    memories: int
    more: bool
    through: int = 0
    of: int = 0


class Learning:
    def __init__(
        self,
        sessions: Sessions,
        knowledge: Knowledge,
        parser: Parser,
        settings: LearningSettings,
        clock: Clock,
        new_id: NewId,
        guards: Guards,
        model: LanguageModel | None = None,
        judging: Judging | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        """`judging` is None where no model judges facts, `embedder` where none says how near statements are."""
        self._sessions = sessions
        self._knowledge = knowledge
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._guards = guards
        self._judging = judging
        self._embedder = embedder
        self.levels = Counter[int]()
        """How many statements `remember` read at each level, since the start of the process."""
        self._drawing = Extracting(knowledge, parser, settings.limits, model)

    async def remember(self, caller: Caller, given: Remember) -> RememberReceipt:
        """Store one statement and what it says, in one transaction; a statement that is stored already adds nothing
        new.

        Errors: PlanOutdated when the graph kept changing meanwhile; SessionStateless where nothing is written for its
        session or source; Conflict for words that are stored with another claim.
        """
        await self._guards.require_open(caller.agent_id, given.session_id, given.source)
        given = self._guards.remember(caller.agent_id, given)
        parsing, asked = self.parse(given), Asked(CALLER_WAITS_S)

        async def attempt() -> RememberReceipt:
            change, level = await self.decide(caller.agent_id, given, parsing, asked)
            return await self._knowledge.remember(caller, change, level, self._clock())

        receipt = await until_settled(attempt)
        self.levels[receipt.extraction_level] += 1
        return receipt

    def parse(self, given: Remember) -> Parsing:
        """Begin to parse a statement, once for all attempts."""
        return self._drawing.parse([given.content])

    async def decide(
        self, agent_id: str, given: Remember, parsing: Parsing, asked: Asked, *, confirming: bool = True
    ) -> tuple[Change, int]:
        """The change that storing a statement makes in the current graph, and its extraction level. `confirming`: what
        is there in other words is confirmed, not stored again."""
        source = SourceMessage(role="user", text=given.content, created_at=given.occurred_at or self._clock())
        drawn = await self._drawing.by_rules(
            agent_id, Chunk((source,), given.project), parsing, with_facts=self._settings.supersede
        )
        extraction, known = drawn.extraction, drawn.known
        sure = certainty_of(given.content, (), source.role)
        whole = Whole(holding(extraction.claims, source.created_at), sure.share, sure.why)
        setting = Setting(given.project, None, self._clock())
        change = draft_remembered(given, extraction, setting, self._new_id, whole)
        if not change.memories[0].explicit:
            change = replace(change, by=self._settings.extractor)
        change = replace(change, level=extraction.level)
        if drawn.cut:
            change = replace(change, cut=Cut(extraction.level, drawn.cut))
        names = {row.canonical for row in change.entities}
        known = [entity for entity in known if entity.canonical in names]
        if unasked := names - {entity.canonical for entity in known} - set(drawn.strange):
            known += await self._knowledge.known(agent_id, sorted(unasked))
        change = await self.with_retirements(agent_id, change, known, asked, drawn.facts, confirming=confirming)
        return change, extraction.level

    async def read_session(self, agent_id: str, session_id: str) -> ReadResult:
        """Learn from the next unread part of a session, in one transaction.

        Errors: NotFound; PlanOutdated when the graph kept changing meanwhile.
        """

        asked = Asked()

        async def attempt() -> ReadResult:
            state, unread = await self._sessions.unread(agent_id, session_id, self._settings.chunk_messages + 1)
            if not unread:
                return ReadResult(0, 0, more=False)
            chunk = self._chunk(unread)
            drawn, change = await self._draft(agent_id, chunk, state.session.project, session_id, asked)
            chunk = chunk[: drawn.messages]
            mark = ReadMark(
                session_id,
                state.extracted_through,
                chunk[-1].ordinal + 1,
                level=drawn.extraction.level,
                dropped=drawn.extraction.dropped + sum(drawn.refused.values()),
                foreign=drawn.foreign,
                fallback=drawn.fallback,
                extractor=None if drawn.fallback else self._settings.extractor,
                events=self._told(session_id, drawn, {"messages": len(chunk), "memories": len(change.memories)}),
            )
            written = await self._knowledge.learn(Caller(agent_id), change, mark, self._clock())
            more, through = len(chunk) < len(unread), chunk[-1].ordinal + 1
            return ReadResult(len(chunk), len(written.created_memories), more, through, state.session.messages)

        return await until_settled(attempt)

    async def read_whole(self, agent_id: str, session_id: str) -> ReadResult:
        """Learn from all unread messages of a session, part by part. Errors: as `read_session`."""
        messages = memories = 0
        while True:
            read = await self.read_session(agent_id, session_id)
            messages, memories = messages + read.messages, memories + read.memories
            if not read.more:
                return ReadResult(messages, memories, more=False)

    async def carry_on(self, agent_id: str, session_id: str, mark: Mapping[str, Any]) -> JobStep:
        """The job of a session that ended: read the next part of it, and behind the last one summarise it."""
        read = await self.read_session(agent_id, session_id)
        told = {"messages": read.messages, "memories": read.memories}
        told = {what: count + mark.get(what, 0) for what, count in told.items()}
        if read.more:
            return JobStep.on(told, read.through, read.of)
        return JobStep(result=told | {"summaryId": await self.summarise_session(agent_id, session_id)})

    async def summarise_session(self, agent_id: str, session_id: str) -> str | None:
        """The id of the session's summary, created or updated from what was learned; None for a session without
        messages."""
        memories, entities = await self._sessions.learned(agent_id, session_id)
        opening = await self._sessions.opening(agent_id, session_id, 3)
        if not opening:
            return None
        said = [Statement(m.id, without_secrets(m.content), m.type, m.importance, m.ordinal) for m in memories]
        summed = digest(said, "" if said else await self._central(agent_id, session_id))
        if not summed.text:
            summed = digest((), "\n".join(without_secrets(message.text) for message in opening))
        now = self._clock()
        row = SummaryRow(
            id=self._new_id(),
            dag_key=f"session:{session_id}",
            content=summed.text,
            tokens=count_tokens(summed.text),
            sha256=sha256_hex(summed.text),
            by=DIGEST_SUMMARISER,
            search_text=summed.text,
            agent_key=agent_key(agent_id),
            grams=grams(summed.text),
            memory_ids=summed.memory_ids,
            entity_ids=tuple(id_ for id_, _ in entities),
        )
        event = EventRow(self._new_id(), "summary_created", row.id, "summaries", now)
        return await self._sessions.store_summary(agent_id, session_id, row, event)

    async def _central(self, agent_id: str, session_id: str) -> str:
        """What matters most in a session from which nothing was learned, such as one in a language without a parser; ''
        where that is not shorter than its beginning."""
        spoken = await self._sessions.stretch(agent_id, session_id, 0, CENTRAL_MESSAGES)
        told = [
            Passage(
                without_secrets(one.text),
                one.name or one.role,
                own=one.role == "user",
                day=one.created_at.date(),
            )
            for one in spoken
            if one.role in ("user", "assistant")
        ]
        tokens = sum(count_tokens(one.text) for one in told)
        if tokens < SESSION_SUMMARY_TOKENS:
            return ""
        found = await asyncio.to_thread(extract, told, tokens, SESSION_SUMMARY_TOKENS)
        return found.text if found else ""

    def _chunk(self, unread: Sequence[UnreadMessage]) -> Sequence[UnreadMessage]:
        """The first messages that extraction reads at once: at least one."""
        bounds = ChunkBounds(self._settings.chunk_messages, self._settings.chunk_tokens)
        return unread[: first_chunk([message.text for message in unread], bounds)]

    async def _draft(
        self, agent_id: str, chunk: Sequence[UnreadMessage], project: str | None, session_id: str, asked: Asked
    ) -> tuple[Drawn, Change]:
        sources = (SourceMessage(role=m.role, text=m.text, name=m.name, created_at=m.created_at) for m in chunk)
        drawn = await self._drawing.draw(agent_id, Chunk(tuple(sources), project), asked)
        places = [Place(message.id, message.created_at) for message in chunk[: drawn.messages]]
        change = draft(drawn.extraction, places, Setting(project, session_id, self._clock()), self._new_id)
        by = EXTRACTOR if drawn.fallback else self._settings.extractor
        change = replace(change, by=by, level=drawn.extraction.level)
        return drawn, await self.with_retirements(agent_id, change, drawn.known, asked)

    def _told(self, session_id: str, drawn: Drawn, counts: Mapping[str, int]) -> tuple[EventRow, ...]:
        """The history of a reading, and whether it was incomplete, or not done by the model: counts and reasons, no
        text."""
        level = {"level": drawn.extraction.level}
        lines = [
            Line("session_read", session_id, None, {**level, **counts}),
            Line("extraction_cut", session_id, None, {**level, "cut": drawn.cut}) if drawn.cut else None,
            Line("extraction_refused", session_id, None, {**level, "refused": drawn.refused})
            if drawn.refused
            else None,
            Line("extraction_fallback", session_id, None, level, drawn.fallback) if drawn.fallback else None,
        ]
        said = [line for line in lines if line]
        return tuple(told(said, "extraction", self._clock(), [self._new_id() for _ in said]))

    async def with_retirements(
        self,
        agent_id: str,
        change: Change,
        known: Sequence[KnownEntity],
        asked: Asked,
        facts: Mapping[str, Sequence[ActiveFact]] = MappingProxyType({}),
        *,
        confirming: bool = False,
    ) -> Change:
        """The change with the retirements it causes, and with ids for its history.

        `facts`: active facts that were read already, by entity. Later ones are found in the transaction, which reads
        the locked entities again. `confirming`: facts that say the same as a stored one confirm that, and those near
        them are told.

        Errors: Conflict for words that are stored with another claim.
        """
        if self._settings.supersede and change.attributes:
            entity_ids = sorted({entity.id for entity in known})
            unread = [id_ for id_ in entity_ids if id_ not in facts]
            active = list(chain.from_iterable(facts.get(id_, ()) for id_ in entity_ids))
            active += await self._knowledge.active_facts(agent_id, unread) if unread else []
            told = [claim for row in change.attributes for claim in row.claims]
            about = sorted(frozenset[str]().union(*map(topics, told)))[:MOST_TOPICS]
            gone = sorted(frozenset[str]().union(*map(left, told)))[:MOST_TOPICS]
            if about or gone:
                there = {fact.id for fact in active}
                claimed = await self._knowledge.claimed_facts(agent_id, about, gone)
                active += [fact for fact in claimed if fact.id not in there]
            if since := late_since(change, active):
                active = [*active, *await self._knowledge.past_facts(agent_id, entity_ids, since)]
            now = self._clock()
            if confirming:
                change = await asyncio.to_thread(_confirmed, change, known, active, now)
            replacing = await self._likely(change, known, active, now)
            change = await self._retiring(change, known, active, asked, now, replacing)
            if self._judging and await self._judge(self._judging, change, known, active, asked, now):
                change = await self._retiring(change, known, active, asked, now, replacing)
            if confirming:
                change = await asyncio.to_thread(_with_near, change, known, active, now)
        change = await self._with_likenesses(agent_id, change, known)
        return with_event_ids(change, self._new_id)

    async def _likely(
        self, change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime
    ) -> Likely:
        """What the scorer says of the pairs it is worth asking about; nothing where the embedder fails."""
        if self._embedder is None:
            return {}
        least = self._settings.min_confidence
        compared = await asyncio.to_thread(pairs_to_compare, change, known, active, now, least)
        if not compared:
            return {}
        frames = sorted({frame for one in compared for pair in one.pairs for frame in (pair.old_frame, pair.new_frame)})
        try:
            vectors = await self._embedder.embed(frames)
        except ModelUnavailable as error:
            log.warning("facts are compared by rules alone", extra={"why": str(error)})
            return {}
        return likely(compared, dict(zip(frames, vectors, strict=True)))

    async def _retiring(
        self,
        change: Change,
        known: Sequence[KnownEntity],
        active: Sequence[ActiveFact],
        asked: Asked,
        now: datetime,
        replacing: Likely,
    ) -> Change:
        """In a thread: new words are parsed, and an aspect may hold hundreds of facts."""
        return await asyncio.to_thread(
            with_supersessions,
            change,
            known,
            active,
            min_confidence=self._settings.min_confidence,
            shadow=self._settings.proposals_only,
            new_id=self._new_id,
            now=now,
            judged=judgements(asked.judged),
            judge=self._judging.name if self._judging else "",
            rules=self._settings.rules,
            likely=replacing,
        )

    async def _judge(
        self,
        judging: Judging,
        change: Change,
        known: Sequence[KnownEntity],
        active: Sequence[ActiveFact],
        asked: Asked,
        now: datetime,
    ) -> bool:
        """Ask about facts that the rules do not decide; whether that may retire any. A failure counts as no."""
        left = MAX_ASKED - len(asked.judged)
        if left <= 0:
            return False
        found = await asyncio.to_thread(pairs_to_ask, change, known, active, asked.judged.keys(), now)
        pairs = most_alike(found, left)
        if not pairs:
            return False
        asked.judged |= await judging.ask(pairs, asked.wait_s) or dict.fromkeys(pairs, 0.0)
        return any(asked.judged[pair] for pair in pairs)

    async def _with_likenesses(self, agent_id: str, change: Change, known: Sequence[KnownEntity]) -> Change:
        """The change with its proposals: for each new entity whose name resembles an existing one, and for each that is
        said to have another name."""
        said = stated(change.entities, self._new_id)
        return replace(change, likenesses=(*said, *await self._resembling(agent_id, change, known)))

    async def _resembling(self, agent_id: str, change: Change, known: Sequence[KnownEntity]) -> tuple[LikenessRow, ...]:
        there = {entity.canonical for entity in known}
        new = [row.canonical for row in change.entities if row.canonical not in there]
        wanted = sorted({form for name in new for form in forms(name)})
        if not wanted:
            return ()
        found = {entity.canonical for entity in await self._knowledge.known(agent_id, wanted)}
        key = agent_key(agent_id)
        queries = {
            name: query
            for name in [name for name in new if worth_spelling(name)][:MAX_PROPOSED]
            if (query := spelled_like(name, key))
        }
        alike = await self._knowledge.near(agent_id, list(queries.values()), ALIKE) if queries else []
        spelled = {name: [canonical_name(one.name) for one in near] for name, near in zip(queries, alike, strict=True)}
        return likenesses(new, found, spelled, self._new_id)


def _confirmed(change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime) -> Change:
    if (other := said_otherwise(change, known, active)) is not None:
        raise Conflict(
            f"{other.id} has the same words and another claim. Say in the content what tells the two apart, such as "
            "the scope; or give its claim to confirm it."
        )
    return with_confirmations(change, known, active, now)


def _with_near(change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime) -> Change:
    seen = replace(change.seen, confirming=True) if change.seen else None
    return replace(with_related(change, known, active, {row.old for row in change.proposed}, now), seen=seen)


async def until_settled(attempt: Callable[[], Awaitable[Result]]) -> Result:
    """The answer of the first attempt during which the graph did not change. Errors: PlanOutdated when it kept
    changing."""
    for number in range(ATTEMPTS):
        try:
            return await attempt()
        except PlanOutdated as error:
            outdated = error
            await asyncio.sleep(random.uniform(0, (number + 1) * PAUSE_S))
    raise outdated
