"""The ladder that keeps extraction bounded: when a chunk yields too much, stricter rules take over.

Source: docs/LCM-PATTERNS.md of Signet, pattern 2. We differ in two ways: what the graph already has is not counted as
new, and the last step truly cuts at the caps.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    Limits,
    Statement,
)
from graphmem.rules.text import canonical_name, words

REASONS = {1: (0.7, "single-memory"), 2: (0.5, "pattern-matched"), 3: (0.3, "llm-uncertain")}
"""Confidence and reason of a dependency found at each level."""

_LASTING_ASPECTS = frozenset(
    {"architecture", "ownership", "dependencies", "location", "work", "configuration", "rules", "decisions"}
)


def climb(found: Extraction, known: Collection[str], limits: Limits) -> Extraction:
    """The extraction within its limits: as it is, or strict classes only, or cut.

    *Shape*: `level` says how far it went and `dropped` counts the statements, attributes, dependencies and entities
    left out. Entities in `known` (canonical names) are never counted as new and never cut for being many.
    """
    if not _is_over(found, known, limits, limits.max_new_entities):
        return found
    strict = _at_level(_strict(found), 2)
    if _is_over(strict, known, limits, limits.max_strict_entities):
        strict = _at_level(_cut(strict, known, limits), 3)
    return strict.model_copy(update={"dropped": found.dropped + _size(found) - _size(strict)})


def _is_over(found: Extraction, known: Collection[str], limits: Limits, max_new: int) -> bool:
    new = sum(canonical_name(entity.name) not in known for entity in found.entities)
    most = max(Counter(attribute.entity for attribute in found.attributes).values(), default=0)
    longest = max(len(found.statements), len(found.attributes), len(found.dependencies))
    return new > max_new or most > limits.max_new_attributes_per_entity or longest > limits.max_items


def _size(found: Extraction) -> int:
    return len(found.entities) + len(found.statements) + len(found.attributes) + len(found.dependencies)


def _strict(found: Extraction) -> Extraction:
    """Decisions, constraints and persistent facts only."""

    def lasts(attribute: ExtractedAttribute) -> bool:
        said = found.statements[attribute.statement].type
        if attribute.kind == "constraint" or said in ("constraint", "decision"):
            return True
        return said == "fact" and (attribute.claim_key is not None or attribute.aspect in _LASTING_ASPECTS)

    return _with(found, [a for a in found.attributes if lasts(a)], found.dependencies)


def _cut(found: Extraction, known: Collection[str], limits: Limits) -> Extraction:
    """Constraints and what is new, in that order, within the caps."""
    new_names = {entity.name for entity in found.entities if canonical_name(entity.name) not in known}
    ranked = sorted(
        {(a.entity, *words(a.content)): a for a in reversed(found.attributes)}.values(),
        key=lambda a: (a.kind != "constraint", a.entity not in new_names, -a.confidence, -a.importance, a.statement),
    )
    needs: dict[int, list[str]] = defaultdict(list)
    for dependency in found.dependencies:
        needs[dependency.statement] += [dependency.source, dependency.target]
    # An entity comes in with those that it needs by the same statement: a link with one end is none.
    order = [name for a in ranked for name in (a.entity, *needs[a.statement])]
    order += [name for names in needs.values() for name in names]
    admitted = set(list(dict.fromkeys(name for name in order if name in new_names))[: limits.max_strict_entities])
    refused = new_names - admitted
    per_entity: Counter[str] = Counter()
    attributes: list[ExtractedAttribute] = []
    for attribute in ranked:
        full = per_entity[attribute.entity] >= limits.max_new_attributes_per_entity
        if attribute.entity not in refused and not full and len(attributes) < limits.max_items:
            per_entity[attribute.entity] += 1
            attributes.append(attribute)
    dependencies = [d for d in found.dependencies if d.source not in refused and d.target not in refused]
    kept = _with(found, sorted(attributes, key=found.attributes.index), dependencies[: limits.max_items])
    statements = len(kept.statements)
    return kept if statements <= limits.max_items else _first_statements(kept, limits.max_items)


def _first_statements(found: Extraction, count: int) -> Extraction:
    attributes = [a for a in found.attributes if a.statement < count]
    return _with(found, attributes, [d for d in found.dependencies if d.statement < count])


def _with(
    found: Extraction, attributes: Sequence[ExtractedAttribute], dependencies: Sequence[ExtractedDependency]
) -> Extraction:
    """The extraction with these items, and only the statements and entities that they need."""
    needed = sorted({a.statement for a in attributes} | {d.statement for d in dependencies})
    place = {old: new for new, old in enumerate(needed)}
    names = {a.entity for a in attributes} | {name for d in dependencies for name in (d.source, d.target)}
    entities: tuple[ExtractedEntity, ...] = tuple(entity for entity in found.entities if entity.name in names)
    statements: tuple[Statement, ...] = tuple(found.statements[index] for index in needed)
    return Extraction(
        entities=entities,
        statements=statements,
        attributes=tuple(a.model_copy(update={"statement": place[a.statement]}) for a in attributes),
        dependencies=tuple(d.model_copy(update={"statement": place[d.statement]}) for d in dependencies),
        level=found.level,
        dropped=found.dropped,
    )


def _at_level(found: Extraction, level: int) -> Extraction:
    confidence, reason = REASONS[level]
    dependencies = tuple(d.model_copy(update={"confidence": confidence, "reason": reason}) for d in found.dependencies)
    return found.model_copy(update={"dependencies": dependencies, "level": level})
