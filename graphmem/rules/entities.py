"""Which of the names that a chunk holds become entities: what the rules saw, and what else stands where names stand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.extraction import ExtractedEntity, Extraction
from graphmem.rules.scoring import Scoring
from graphmem.rules.text import canonical_name


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be an entity. `found` counts by which rules it was found; `kept`: the rules keep it."""

    entity: ExtractedEntity
    found: Mapping[str, int]
    kept: bool


def settle_entities(
    found: Extraction,
    candidates: Sequence[Candidate],
    scoring: Scoring,
) -> Extraction:
    """What the rules found, with the entities that the scorer keeps, and only what is said of those."""
    used = Counter(name for one in found.attributes for name in (one.entity,))
    needed = Counter(name for one in found.dependencies for name in (one.source, one.target))
    kept = []
    for candidate in candidates:
        verdict, _ = scoring.judge("entities", candidate, tuple(_features(candidate, used, needed)))
        if verdict:
            kept.append(candidate.entity)
    names = {canonical_name(one.name) for one in kept}
    return _without_strangers(found.model_copy(update={"entities": tuple(kept)}), names)


def _without_strangers(found: Extraction, names: set[str]) -> Extraction:
    """What was found, without facts and dependencies of what is no entity, and statements that then say nothing."""
    attributes = [one for one in found.attributes if canonical_name(one.entity) in names]
    dependencies = [
        one for one in found.dependencies if {canonical_name(one.source), canonical_name(one.target)} <= names
    ]
    used = sorted({one.statement for one in attributes} | {one.statement for one in dependencies})
    places = {old: new for new, old in enumerate(used)}
    return found.model_copy(
        update={
            "statements": tuple(found.statements[old] for old in used),
            "attributes": tuple(one.model_copy(update={"statement": places[one.statement]}) for one in attributes),
            "dependencies": tuple(one.model_copy(update={"statement": places[one.statement]}) for one in dependencies),
        }
    )


def _features(candidate: Candidate, used: Counter[str], needed: Counter[str]) -> Iterable[str]:
    entity = candidate.entity
    kept = "kept" if candidate.kept else "seen"
    yield kept
    yield f"type {entity.type}"
    yield f"{kept} {entity.type}"
    for how in candidate.found:
        yield f"found {how}"
        yield f"found {how} {entity.type} {kept}"
    if used[entity.name]:
        yield "has facts"
        yield f"has facts {entity.type}"
    if needed[entity.name]:
        yield "has needs"
    yield f"places {min(len(entity.mentions), 3)}"
