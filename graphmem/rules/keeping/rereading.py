"""The differences when a session is read again: what is newly found, and what is no longer found."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from graphmem.model.change import AttributeRow, Change, DependencyRow, MemoryRow
from graphmem.model.rereading import (
    REEXTRACTION,
    Again,
    DrawnBefore,
    DrawnFact,
    EdgeIs,
    FactIs,
    Found,
    Going,
    Note,
    Notes,
    SessionGave,
)
from graphmem.rules.language.keys import content_key, normalised

Is = TypeVar("Is", str, FactIs, EdgeIs)


def read_again(change: Change, entity_ids: Mapping[str, str], before: DrawnBefore) -> Again:
    """The new extraction of a chunk, compared with what was extracted from the same messages `before`.

    *Shape*: `entity_ids` maps canonical names to existing entities. What was found before and again is not in the
    change; nor is what a person archived or what was superseded since: it stays unchanged. What an extractor in between
    did not find is restored.

    >>> nothing = DrawnBefore((), (), (), frozenset(), {})
    >>> read_again(Change(), {}, nothing).brings_news
    False
    """
    return _Comparison(change, entity_ids, before).again()


def no_longer(gave: SessionGave, found: Found) -> Going:
    """What was not found again, among what may be removed."""

    def gone(held: Mapping[str, Is], said: frozenset[Is]) -> tuple[str, ...]:
        return tuple(sorted(id_ for id_, one in held.items() if one not in said and id_ in gave.free))

    return Going(gone(gave.memories, found.memories), gone(gave.facts, found.facts), gone(gave.edges, found.edges))


def notes(gave: SessionGave, found: Found) -> Notes:
    """The marks on what stays: the session no longer says it, or says it again."""

    def changed(held: Mapping[str, Is], said: frozenset[Is]) -> tuple[Note, ...]:
        return tuple(
            sorted(
                (id_, one not in said)
                for id_, one in held.items()
                if (one not in said) != (id_ in gave.lost) and (one in said or id_ not in gave.free)
            )
        )

    return Notes(
        memories=changed(gave.memories, found.memories),
        facts=changed(gave.facts, found.facts),
        edges=changed(gave.edges, found.edges),
        entities=changed(gave.entities, found.entities),
    )


def with_ids(found: Found, entity_ids: Mapping[str, str]) -> Found:
    """What was found, with ids for entities that had none yet."""

    def named(name: str) -> str:
        return entity_ids.get(name, name)

    return Found(
        found.memories,
        frozenset((named(entity), words) for entity, words in found.facts),
        frozenset((named(source), named(target), type_) for source, target, type_ in found.edges),
        frozenset(map(named, found.entities)),
    )


class _Comparison:
    def __init__(self, change: Change, entity_ids: Mapping[str, str], before: DrawnBefore) -> None:
        self._change = change
        self._ids = entity_ids
        self._before = before
        self._away = {id_ for id_, reason in before.away.items() if reason != REEXTRACTION}
        held = sorted(before.memories, key=lambda one: one.status != "cold")  # active ones take precedence
        self._memories = {content_key(one.content): one for one in held}
        self._facts: dict[FactIs, list[DrawnFact]] = defaultdict(list)
        for fact in before.facts:
            self._facts[fact.entity_id, normalised(fact.content)].append(fact)
        self._edges = {(one.source_id, one.target_id, one.type): one for one in before.edges}

    def again(self) -> Again:
        memories, back = self._held_memories()
        facts: list[AttributeRow] = []
        facts_back: set[str] = set()
        for row in self._change.attributes:
            same = self._facts.get(self._fact(row), [])
            facts_back |= {one.id for one in same if one.status == "cold" and one.cold_reason == REEXTRACTION}
            if self._speaks_of_gone(row.entity, row.memory_ref) or self._has_place(same, memories.get(row.memory_ref)):
                continue
            facts.append(row)
        edges = [row for row in self._change.dependencies if self._is_new_edge(row, memories)]
        rows = self._wanted_memories(memories, facts, edges)
        mentions = [
            row
            for row in self._change.mentions
            if self._id(row.entity) not in self._away
            and (row.message_id, self._id(row.entity), row.start, row.end) not in self._before.mentions
        ]
        named = {row.entity for row in facts} | {row.entity for row in mentions}
        named |= {name for row in rows for name in row.about}
        named |= {name for row in edges for name in (row.source, row.target)}
        named |= {name for name in self._names() if self._before.away.get(self._id(name)) == REEXTRACTION}
        counted = [sum(one.entity == row.canonical for one in mentions) for row in self._change.entities]
        entities = tuple(
            replace(row, mentions=number)
            for row, number in zip(self._change.entities, counted, strict=True)
            if row.canonical in named
        )
        change = replace(
            self._change,
            entities=entities,
            memories=tuple(rows),
            attributes=tuple(facts),
            dependencies=tuple(edges),
            mentions=tuple(mentions),
        )
        return Again(self._found(), change, tuple(sorted(back)), tuple(sorted(facts_back)))

    def _found(self) -> Found:
        change = self._change
        return Found(
            frozenset(row.content_key for row in change.memories),
            frozenset(self._fact(row) for row in change.attributes),
            frozenset(self._edge(row) for row in change.dependencies),
            frozenset(self._id(name) for name in self._names()),
        )

    def _held_memories(self) -> tuple[dict[str, str], set[str]]:
        """The ids of the existing memories, by ref; and of those that are restored."""
        held: dict[str, str] = {}
        back: set[str] = set()
        for row in self._change.memories:
            memory = self._memories.get(row.content_key)
            if memory is None:
                continue
            held[row.ref] = memory.id
            if memory.status == "cold" and memory.cold_reason == REEXTRACTION:
                back.add(memory.id)
        return held, back

    def _gone(self, ref: str) -> bool:
        """Whether a person corrected the statement, or it was archived for another reason than a reading."""
        row = next((row for row in self._change.memories if row.ref == ref), None)
        memory = self._memories.get(row.content_key) if row else None
        if memory is None:
            return False
        return memory.corrected or (memory.status == "cold" and memory.cold_reason != REEXTRACTION)

    def _speaks_of_gone(self, entity: str, ref: str) -> bool:
        return self._id(entity) in self._away or self._gone(ref)

    def _has_place(self, same: list[DrawnFact], memory_id: str | None) -> bool:
        """Whether a fact exists as extracted from this statement, or in a state that must stay unchanged."""
        active = [one for one in same if one.status == "active"]
        if not active:
            return bool(same)
        return any(memory_id in one.memory_ids for one in active)

    def _is_new_edge(self, row: DependencyRow, memories: Mapping[str, str]) -> bool:
        if self._away & {self._id(row.source), self._id(row.target)} or any(map(self._gone, row.memory_refs)):
            return False
        held = self._edges.get(self._edge(row))
        if held is None:
            return True
        return held.status == "active" and not {memories.get(ref) for ref in row.memory_refs} <= held.memory_ids

    def _wanted_memories(
        self, held: Mapping[str, str], facts: list[AttributeRow], edges: list[DependencyRow]
    ) -> list[MemoryRow]:
        """New statements, except those whose whole content is stored already; and those that new facts need."""
        change = self._change
        said = {row.memory_ref for row in change.attributes} | {
            r for row in change.dependencies for r in row.memory_refs
        }
        needed = {row.memory_ref for row in facts} | {ref for row in edges for ref in row.memory_refs}
        return [
            replace(row, about=tuple(name for name in row.about if self._id(name) not in self._away))
            for row in change.memories
            if row.ref in needed or (row.ref not in held and row.ref not in said)
        ]

    def _names(self) -> list[str]:
        return [row.canonical for row in self._change.entities]

    def _id(self, name: str) -> str:
        return self._ids.get(name, name)

    def _fact(self, row: AttributeRow) -> FactIs:
        return self._id(row.entity), normalised(row.content)

    def _edge(self, row: DependencyRow) -> EdgeIs:
        return self._id(row.source), self._id(row.target), row.type
