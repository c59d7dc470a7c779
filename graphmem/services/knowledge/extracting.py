"""Extracting: what messages say, by a model where there is one, else by rules, and never more than the limits allow."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import ModelUnavailable
from graphmem.model.extraction import Extraction, Limits, SourceMessage
from graphmem.model.parsed import ParsedText
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.extraction import FactKey, Scoring, climb, climb_strictly, extract, is_over, lost
from graphmem.rules.keeping.drafts import names_in
from graphmem.rules.keeping.near_names import under_known_names
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.own_words import own_words
from graphmem.rules.model.answers import ModelReading, read_answer
from graphmem.rules.model.prompts import READ_ROLES, question
from graphmem.rules.reading.as_read import as_read
from graphmem.rules.recall.search import name_candidates
from graphmem.rules.supersession import Pair
from graphmem.services.ports import KnownThings, LanguageModel, Parser

MAX_LOOKED_UP = 4_000
"""Characters of a message whose words are looked up as names; later names are looked up once they are read."""
UNBOUNDED = Limits(
    max_new_entities=10**9, max_new_attributes_per_entity=10**9, max_new_constraints=10**9, max_items=10**9
)
Parsing = asyncio.Future[list[ParsedText]]
"""The pending parsed texts of a chunk, one for each message; it may be awaited again when a change is decided again."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Messages that are read together; `project` is what "we" and "our" refer to."""

    messages: tuple[SourceMessage, ...]
    project: str | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The extraction of a chunk, and those of its entities that the graph has.

    `messages`: how many of the chunk's messages were read, from the first on. `strange` are names that were looked up
    without a result. `cut` counts by kind what the escalation ladder cut, `refused` by reason the unused pieces of a
    model's answers; `fallback` is why rules did what a model should have done. `foreign` counts the messages with
    words in another language than English, which rules leave unread. `facts`: the active facts of known entities, by
    their ids, where they were requested.
    """

    extraction: Extraction
    known: Sequence[KnownEntity]
    messages: int
    strange: Collection[str] = ()
    cut: Mapping[str, int] = field(default_factory=dict)
    refused: Mapping[str, int] = field(default_factory=dict)
    fallback: str | None = None
    foreign: int = 0
    facts: Mapping[str, Sequence[ActiveFact]] = field(default_factory=dict)


class Asked:
    """The answers of a model about a chunk and its facts, so that a change that is decided again does not ask again.
    `wait_s`: how long to wait for an answer about facts, None for the model's own limit.
    """

    def __init__(self, wait_s: float | None = None) -> None:
        self.wait_s = wait_s
        self.answers: dict[tuple[Chunk, bool], ModelReading | ModelUnavailable] = {}
        self.judged: dict[Pair, float] = {}


class Extracting:
    """`model` is None where none is set; `scoring` is None for the scorers of the package."""

    def __init__(
        self,
        things: KnownThings,
        parser: Parser,
        limits: Limits,
        model: LanguageModel | None = None,
        scoring: Scoring | None = None,
    ) -> None:
        self._things = things
        self._parser = parser
        self._limits = limits
        self._model = model
        self._scoring = scoring

    async def draw(self, agent_id: str, chunk: Chunk, asked: Asked) -> Drawn:
        """The extraction of a chunk of a session. A model that is down, late or returns nonsense never stops it: rules
        take over.

        Rules that find too much in a chunk read only its first half, rather than all of it more strictly. Only a
        speaker's own words are read: what they quote or paste is no evidence.
        """
        fallback = None
        own = (one.model_copy(update={"text": own_words(one.text)}) for one in chunk.messages)
        chunk = replace(chunk, messages=tuple(own))
        if self._model is not None and any(one.role in READ_ROLES and one.text.strip() for one in chunk.messages):
            try:
                return await self._by_model(self._model, agent_id, chunk, asked)
            except ModelUnavailable as error:
                fallback = str(error)
                log.warning("rules read in place of a model", extra={"agent": agent_id, "why": fallback})
        drawn = await self.by_rules(agent_id, chunk, self.parse([one.text for one in chunk.messages]))
        return replace(drawn, fallback=fallback)

    def parse(self, texts: Sequence[str]) -> Parsing:
        """Begin to parse what of the texts is read: the lookup of their names need not wait for it."""
        return asyncio.ensure_future(asyncio.to_thread(self._parser.parse, [as_read(text).text for text in texts]))

    async def by_rules(self, agent_id: str, chunk: Chunk, parsing: Parsing, *, with_facts: bool = False) -> Drawn:
        """The extraction by rules; `with_facts`: also the stored facts of the entities that the words name, looked up
        while the words are parsed.

        Known names are looked up from the words before extraction. Names that extraction changes (Postgres is
        PostgreSQL) are looked up after it.
        """
        read = [as_read(one.text) for one in chunk.messages]
        messages = tuple(
            one.model_copy(update={"text": part.text}) for one, part in zip(chunk.messages, read, strict=True)
        )
        chunk = replace(chunk, messages=messages)
        said = sorted({name for one in chunk.messages for name in name_candidates(one.text[:MAX_LOOKED_UP])})
        (known, active), parsed = await asyncio.gather(
            self._named(agent_id, said, with_facts=with_facts), asyncio.shield(parsing)
        )
        while True:
            names = {entity.canonical for entity in known}
            found = await asyncio.to_thread(
                extract,
                chunk.messages,
                parsed,
                known=names,
                limits=UNBOUNDED,
                project=chunk.project,
                scoring=self._scoring,
            )
            known = await self._all_known(agent_id, found, known, strange=set(said) - names)
            found = under_known_names(found, known)
            names, facts = await self._held(agent_id, found, known)
            if len(parsed) == 1 or not await asyncio.to_thread(is_over, found, names, self._limits, facts):
                break
            chunk, parsed = replace(chunk, messages=chunk.messages[: len(parsed) // 2]), parsed[: len(parsed) // 2]
        kept = await asyncio.to_thread(climb, found, names, self._limits, facts)
        strange = {*said, *names_in(found)} - names
        foreign = sum(part.foreign for part in read[: len(parsed)])
        return Drawn(kept, known, len(parsed), strange, lost(found, kept), facts=active, foreign=foreign)

    async def _by_model(self, model: LanguageModel, agent_id: str, chunk: Chunk, asked: Asked) -> Drawn:
        """Level 1, and where that yields too much, the strict question; where that fails or still yields too much, the
        cut. Errors: ModelUnavailable."""
        first = await self._ask(model, chunk, asked, strictly=False)
        found, refused = first.extraction, first.refused
        known = await self._all_known(agent_id, found, [])
        names, facts = await self._held(agent_id, found, known)
        if not await asyncio.to_thread(is_over, found, names, self._limits, facts):
            kept = await asyncio.to_thread(climb, found, names, self._limits, facts)
            return Drawn(kept, known, len(chunk.messages), refused=refused)
        strict, fallback = None, None
        try:
            second = await self._ask(model, chunk, asked, strictly=True)
        except ModelUnavailable as error:
            fallback = str(error)
            log.warning("rules cut in place of a model", extra={"agent": agent_id, "why": fallback})
        else:
            strict = second.extraction
            refused = {why: refused.get(why, 0) + second.refused.get(why, 0) for why in {**refused, **second.refused}}
            known = await self._all_known(agent_id, strict, known)
            names, facts = await self._held(agent_id, strict, known, strictly=True)
        kept = await asyncio.to_thread(climb_strictly, found, strict, names, self._limits, facts)
        return Drawn(kept, known, len(chunk.messages), cut=lost(found, kept), refused=refused, fallback=fallback)

    async def _ask(self, model: LanguageModel, chunk: Chunk, asked: Asked, *, strictly: bool) -> ModelReading:
        key = (chunk, strictly)
        if key not in asked.answers:
            wanted = question(chunk.messages, chunk.project, self._limits.max_strict_entities if strictly else None)
            try:
                asked.answers[key], _ = await model.ask(
                    wanted, lambda answer: read_answer(answer, chunk.messages, chunk.project)
                )
            except ModelUnavailable as error:
                asked.answers[key] = error
        answer = asked.answers[key]
        if isinstance(answer, ModelUnavailable):
            raise answer
        if answer.refused:
            log.warning("some of a model's answer is not used", extra={"refused": dict(answer.refused)})
        return answer

    async def _all_known(
        self, agent_id: str, found: Extraction, known: Sequence[KnownEntity], strange: Collection[str] = ()
    ) -> list[KnownEntity]:
        """The entities of all names that were found; `strange` ones were looked up before."""
        wanted = sorted(set(names_in(found)) - {entity.canonical for entity in known} - set(strange))
        return [*known, *await self._known(agent_id, wanted)]

    async def _named(
        self, agent_id: str, names: Sequence[str], *, with_facts: bool
    ) -> tuple[Sequence[KnownEntity], dict[str, list[ActiveFact]]]:
        """The entities of these names, and their active facts where they are requested."""
        known = await self._known(agent_id, names)
        facts: dict[str, list[ActiveFact]] = {entity.id: [] for entity in known} if with_facts else {}
        for fact in await self._things.active_facts(agent_id, sorted(facts)) if facts else ():
            facts[fact.entity_id].append(fact)
        return known, facts

    async def _known(self, agent_id: str, names: Sequence[str]) -> Sequence[KnownEntity]:
        return await self._things.known(agent_id, names) if names else []

    async def _held(
        self, agent_id: str, found: Extraction, known: Sequence[KnownEntity], *, strictly: bool = False
    ) -> tuple[set[str], Collection[FactKey]]:
        """The names in the graph, and its facts, which are read only where it matters which ones are new."""
        names = {entity.canonical for entity in known}
        if not known or not is_over(found, names, self._limits, strictly=strictly):
            return names, ()
        active = await self._things.active_facts(agent_id, sorted({entity.id for entity in known}))
        spellings: dict[str, list[str]] = {}
        for entity in known:
            spellings.setdefault(entity.id, []).append(entity.canonical)
        return names, {(name, normalised(fact.content)) for fact in active for name in spellings[fact.entity_id]}
