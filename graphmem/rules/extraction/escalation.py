"""The ladder that keeps extraction bounded: when a chunk yields too much, stricter rules take over.

Source: docs/LCM-PATTERNS.md of Signet, pattern 2. We differ in three ways: what the graph already has is not counted
as new and may still confirm it, the last step truly cuts at the caps, and constraints have a cap too.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    Limits,
    Statement,
)
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.text import canonical_name, words

REASONS = {1: (0.7, "single-memory"), 2: (0.5, "pattern-matched"), 3: (0.3, "llm-uncertain")}
"""Confidence and reason of what is found at each level; a dependency has its share of that of the first."""

_LASTING_ASPECTS = frozenset(
    {"architecture", "ownership", "dependencies", "location", "work", "configuration", "rules", "decisions"}
)
FactKey = tuple[str, str]
"""The canonical name of an entity, and what is said of it, normalised."""


def climb(found: Extraction, known: Collection[str], limits: Limits, facts: Collection[FactKey] = ()) -> Extraction:
    """The extraction within its limits: as it is, or strict classes only, or cut.

    *Shape*: `level` says how far it went and `dropped` counts the statements, attributes, dependencies and entities
    left out. Entities in `known` (canonical names) and facts in `facts` are in the graph: they are never counted as
    new, and stay as confirmation while there is room.
    """
    if not is_over(found, known, limits, facts):
        return _with_few_places(found, limits.max_items)
    return climb_strictly(found, _strict(found, known), known, limits, facts)


def climb_strictly(
    found: Extraction,
    strict: Extraction | None,
    known: Collection[str],
    limits: Limits,
    facts: Collection[FactKey] = (),
) -> Extraction:
    """What is kept of a chunk that yielded too much, where `strict` is a stricter reading of the same words; None:
    there is none, and what was found is cut. Otherwise as `climb`."""
    over = strict is None or is_over(strict, known, limits, facts, strictly=True)
    if strict is None or over:
        kept = _at_level(_cut(strict or found, _Graph(known, facts), limits), 3)
    else:
        kept = _at_level(strict, 2)
    dropped = found.dropped + sum(lost(found, kept).values())
    return _with_few_places(kept, limits.max_items).model_copy(update={"dropped": dropped})


def is_over(
    found: Extraction,
    known: Collection[str],
    limits: Limits,
    facts: Collection[FactKey] = (),
    *,
    strictly: bool = False,
) -> bool:
    """Whether a chunk yields more than its limits allow; `strictly`: those of level 2."""
    graph = _Graph(known, facts)
    fresh = [attribute for attribute in found.attributes if not graph.has_fact(attribute)]
    caps = _caps(found.entities, limits)
    new = sum(not graph.has_entity(entity.name) for entity in found.entities)
    longest = max(len(found.entities), len(found.statements), len(found.attributes), len(found.dependencies))
    return (
        new > (limits.max_strict_entities if strictly else limits.max_new_entities)
        or any(number > caps[name] for name, number in Counter(one.entity for one in fresh).items())
        or sum(one.kind == "constraint" for one in fresh) > limits.max_new_constraints
        or longest > limits.max_items
    )


def lost(found: Extraction, kept: Extraction) -> dict[str, int]:
    """How many of each kind were found and not kept; kinds of which nothing was lost are left out."""
    before, after = _sizes(found), _sizes(kept)
    return {kind: before[kind] - after[kind] for kind in before if before[kind] > after[kind]}


def _sizes(found: Extraction) -> dict[str, int]:
    constraints = sum(attribute.kind == "constraint" for attribute in found.attributes)
    return {
        "entities": len(found.entities),
        "statements": len(found.statements),
        "attributes": len(found.attributes) - constraints,
        "constraints": constraints,
        "dependencies": len(found.dependencies),
    }


@dataclass(frozen=True, slots=True)
class _Graph:
    """What the graph has already."""

    names: Collection[str]
    facts: Collection[FactKey]

    def has_entity(self, name: str) -> bool:
        return canonical_name(name) in self.names

    def has_fact(self, attribute: ExtractedAttribute) -> bool:
        return bool(self.facts) and (canonical_name(attribute.entity), normalised(attribute.content)) in self.facts


def _caps(entities: Iterable[ExtractedEntity], limits: Limits) -> dict[str, int]:
    """How many new facts each entity may have."""
    return {entity.name: limits.by_type.get(entity.type, limits.max_new_attributes_per_entity) for entity in entities}


def _strict(found: Extraction, known: Collection[str]) -> Extraction:
    """Decisions, constraints and persistent facts only."""

    def lasts(attribute: ExtractedAttribute) -> bool:
        said = found.statements[attribute.statement].type
        if attribute.kind == "constraint" or said in ("constraint", "decision"):
            return True
        return said == "fact" and (attribute.claim_key is not None or attribute.aspect in _LASTING_ASPECTS)

    return _with(found, [a for a in found.attributes if lasts(a)], found.dependencies, known)


def _cut(found: Extraction, graph: _Graph, limits: Limits) -> Extraction:
    """Constraints, then what is new, then the surest, within the caps; what only confirms the graph comes last."""
    new_names = {entity.name for entity in found.entities if not graph.has_entity(entity.name)}
    ranked = sorted(
        {(a.entity, *words(a.content)): a for a in reversed(found.attributes)}.values(),
        key=lambda a: (
            graph.has_fact(a),
            a.kind != "constraint",
            a.entity not in new_names,
            -a.confidence,
            -a.importance,
            a.statement,
        ),
    )
    needs: dict[int, list[str]] = defaultdict(list)
    for dependency in found.dependencies:
        needs[dependency.statement] += [dependency.source, dependency.target]
    # An entity comes in with those that it needs by the same statement: a link with one end is none.
    order = [name for a in ranked for name in (a.entity, *needs[a.statement])]
    order += [name for names in needs.values() for name in names]
    admitted = set(list(dict.fromkeys(name for name in order if name in new_names))[: limits.max_strict_entities])
    refused = new_names - admitted
    attributes = _within_caps([a for a in ranked if a.entity not in refused], found.entities, graph, limits)
    dependencies = [d for d in found.dependencies if d.source not in refused and d.target not in refused]
    place = {id(attribute): index for index, attribute in enumerate(found.attributes)}
    kept = _with(found, sorted(attributes, key=lambda a: place[id(a)]), dependencies[: limits.max_items], graph.names)
    if len(kept.statements) > limits.max_items:
        kept = _first_statements(kept, limits.max_items, graph.names)
    return _bounded_entities(kept, limits.max_items)


def _within_caps(
    ranked: Sequence[ExtractedAttribute], entities: Iterable[ExtractedEntity], graph: _Graph, limits: Limits
) -> list[ExtractedAttribute]:
    caps = _caps(entities, limits)
    constraints_left = limits.max_new_constraints
    taken: list[ExtractedAttribute] = []
    for attribute in ranked:
        if len(taken) >= limits.max_items:
            break
        if not graph.has_fact(attribute):
            rule = attribute.kind == "constraint"
            if not caps[attribute.entity] or (rule and not constraints_left):
                continue
            caps[attribute.entity] -= 1
            constraints_left -= rule
        taken.append(attribute)
    return taken


def _first_statements(found: Extraction, count: int, known: Collection[str]) -> Extraction:
    attributes = [a for a in found.attributes if a.statement < count]
    return _with(found, attributes, [d for d in found.dependencies if d.statement < count], known)


def _bounded_entities(found: Extraction, count: int) -> Extraction:
    """At most so many entities beside those that something is said about."""
    said = {a.entity for a in found.attributes} | {n for d in found.dependencies for n in (d.source, d.target)}
    others = [entity.name for entity in found.entities if entity.name not in said]
    names = said | set(others[: max(0, count - len(said))])
    return found.model_copy(update={"entities": tuple(one for one in found.entities if one.name in names)})


def _with_few_places(found: Extraction, count: int) -> Extraction:
    entities = tuple(
        entity.model_copy(update={"mentions": entity.mentions[:count]}) if len(entity.mentions) > count else entity
        for entity in found.entities
    )
    return found.model_copy(update={"entities": entities})


def _with(
    found: Extraction,
    attributes: Sequence[ExtractedAttribute],
    dependencies: Sequence[ExtractedDependency],
    known: Collection[str],
) -> Extraction:
    """The extraction with these items, and only the statements and new entities that they need; an entity of the graph
    is confirmed by being named."""
    needed = sorted({a.statement for a in attributes} | {d.statement for d in dependencies})
    place = {old: new for new, old in enumerate(needed)}
    names = {a.entity for a in attributes} | {name for d in dependencies for name in (d.source, d.target)}
    entities: tuple[ExtractedEntity, ...] = tuple(
        entity for entity in found.entities if entity.name in names or canonical_name(entity.name) in known
    )
    statements: tuple[Statement, ...] = tuple(found.statements[index] for index in needed)
    return Extraction(
        entities=entities,
        statements=statements,
        attributes=tuple(a.model_copy(update={"statement": place[a.statement]}) for a in attributes),
        dependencies=tuple(
            d.model_copy(
                update={"statement": place[d.statement], "also": tuple(place[at] for at in d.also if at in place)}
            )
            for d in dependencies
        ),
        level=found.level,
        dropped=found.dropped,
    )


def _at_level(found: Extraction, level: int) -> Extraction:
    base, reason = REASONS[level]
    share = base / REASONS[1][0]
    dependencies = tuple(
        one.model_copy(update={"confidence": round(one.confidence * share, 2), "reason": reason})
        for one in found.dependencies
    )
    return found.model_copy(update={"dependencies": dependencies, "level": level})
