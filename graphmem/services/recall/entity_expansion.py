"""Everything known about an entity, as much as fits, within a time limit."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from graphmem.errors import DatabaseBusy, ModelUnavailable
from graphmem.model.answers import AspectFacts, Expansion, ExpansionPart, SummaryLine
from graphmem.model.inputs import Expand
from graphmem.model.knowledge import Attribute, Dependency, Entity
from graphmem.model.stored import Moment
from graphmem.rules.keeping.time import moment
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.rules.recall import expansion
from graphmem.rules.recall.expansion import FactInShort
from graphmem.services.knowledge.finding import find_entity
from graphmem.services.ports import Clock, Embedder, ExpansionReads, Knowledge

MOST_FACTS = 2000
"""Most facts of an entity that are sorted, constraints and those nearest to the question first."""
EDGES_SHOWN = 100
SUMMARIES_SHOWN = 10
MEANING_SHARE = 0.5
"""The share of the time limit that the question's vector may take."""
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that may be shown, in order, and how many more there are. `by_meaning` is false where the question's
    vector took too long."""

    shown: list[tuple[FactInShort, Attribute]]
    left_out: int
    by_meaning: bool
    known_aspects: tuple[str, ...] | None = None


class EntityExpansion:
    def __init__(
        self, knowledge: Knowledge, reads: ExpansionReads, embedder: Embedder, timeout_s: float, clock: Clock
    ) -> None:
        self._knowledge = knowledge
        self._reads = reads
        self._embedder = embedder
        self._timeout_s = timeout_s
        self._clock = clock

    async def expand(self, agent_id: str, asked: Expand) -> Expansion:
        """Constraints first, then facts by how well they match the question and by importance, then dependencies by
        strength, then summaries, coarse ones first.

        What is not ready in time is missing, and `partial` reports it. Facts are never missing, since constraints are
        binding. Errors: EntityNotFound with near names; DatabaseBusy where the facts were not ready in time.
        """
        ends = asyncio.get_running_loop().time() + self._timeout_s
        when = moment(asked.as_of, asked.known_at, self._clock())
        entity = await _in_time(find_entity(self._knowledge, agent_id, asked.entity, when), ends)
        if entity is None:
            raise _late(asked.entity, self._timeout_s)
        edges_that_fit = min(EDGES_SHOWN, asked.max_tokens // expansion.EDGE_TOKENS + 1)
        facts, edges, summaries = await asyncio.gather(
            _in_time(self._facts(agent_id, entity.id, asked, when, ends), ends),
            _in_time(self._knowledge.edges(agent_id, entity.id, edges_that_fit, when), ends),
            _in_time(self._knowledge.summaries_about(agent_id, entity.id, SUMMARIES_SHOWN, when), ends),
        )
        if facts is None:
            raise _late(asked.entity, self._timeout_s)
        parts: tuple[tuple[ExpansionPart, bool], ...] = (
            ("meaning", facts.by_meaning),
            ("dependencies", edges is not None),
            ("summaries", summaries is not None),
        )
        missing = tuple(name for name, is_there in parts if not is_there)
        incoming, outgoing = edges or ([], [])
        return _told(entity, facts, [*outgoing, *incoming], summaries or [], missing, asked.max_tokens)

    async def _facts(self, agent_id: str, id_: str, asked: Expand, when: Moment, ends: float) -> _Facts:
        vector, in_time = await self._vector(asked.question, ends)
        listed = await self._reads.facts_in_short(
            agent_id, id_, asked.aspect, vector, MOST_FACTS, when, superseded=asked.include_superseded
        )
        ordered = await asyncio.to_thread(expansion.constraints_first, listed, asked.question)
        wanted = expansion.worth_reading(ordered, asked.max_tokens)
        whole = await self._reads.facts_whole(
            agent_id, id_, [fact.id for fact in wanted], when, superseded=asked.include_superseded
        )
        by_id = {fact.id: fact for fact in whole}
        shown = [(fact, by_id[fact.id]) for fact in wanted if fact.id in by_id]
        left_out = len(listed) - len(wanted) + (len(listed) == MOST_FACTS)
        aspects = await self._aspects(agent_id, id_, asked, when) if asked.aspect and not listed else None
        return _Facts(shown, left_out, by_meaning=in_time, known_aspects=aspects)

    async def _aspects(self, agent_id: str, id_: str, asked: Expand, when: Moment) -> tuple[str, ...]:
        """The aspects of an entity that have facts."""
        facts = await self._reads.facts_in_short(
            agent_id, id_, None, None, MOST_FACTS, when, superseded=asked.include_superseded
        )
        return tuple(sorted({fact.aspect for fact in facts}))

    async def _vector(self, question: str | None, ends: float) -> tuple[list[float] | None, bool]:
        """The question's vector, None without a question or an embedder, and whether it was ready in time."""
        if not question or self._embedder.state != "ready":
            return None, True
        left = ends - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(MEANING_SHARE * left):
                return (await self._embedder.embed([question]))[0], True
        except ModelUnavailable:
            return None, True
        except TimeoutError:
            return None, False


async def _in_time(reading: Awaitable[Read], ends: float) -> Read | None:
    """The result, or None where the time is over first."""
    try:
        async with asyncio.timeout_at(ends):
            return await reading
    except (TimeoutError, DatabaseBusy):
        return None


def _late(entity: str, timeout_s: float) -> DatabaseBusy:
    return DatabaseBusy(f"The facts of {entity!r} were not read within {timeout_s:g} s. Try again.")


def _told(
    entity: Entity,
    facts: _Facts,
    edges: Sequence[Dependency],
    summaries: Sequence[SummaryLine],
    missing: tuple[ExpansionPart, ...],
    max_tokens: int,
) -> Expansion:
    ranked = expansion.strongest(edges, entity.id)
    lines = [
        *(expansion.fact_line(fact, short.aspect_id) for short, fact in facts.shown),
        *map(expansion.edge_line, ranked),
        *map(expansion.summary_line, summaries),
    ]
    composed = expansion.compose(f"{entity.name} ({entity.type.value})", lines, max_tokens)
    kept = [(short, fact) for short, fact in facts.shown if fact.id in composed.shown]
    aspects: dict[str, list[Attribute]] = {}
    for short, fact in kept:
        aspects.setdefault(short.aspect_id, []).append(fact)
    heads = {short.aspect_id: short for short, _ in kept}
    heaviest = sorted(heads.values(), key=lambda short: (-short.weight, short.aspect))
    return Expansion(
        entity=entity,
        constraints=tuple(fact for _, fact in kept if fact.kind == "constraint"),
        aspects=tuple(
            AspectFacts(id=one.aspect_id, name=one.aspect, weight=one.weight, attributes=tuple(aspects[one.aspect_id]))
            for one in heaviest
        ),
        dependencies=tuple(edge for edge in ranked if edge.id in composed.shown),
        summaries=tuple(summary for summary in summaries if summary.id in composed.shown),
        text=composed.text,
        used_tokens=composed.used_tokens,
        truncated=composed.truncated or facts.left_out > 0,
        partial=bool(missing),
        missing=missing,
        known_aspects=facts.known_aspects,
        token_counter=TOKEN_COUNTER,
    )
