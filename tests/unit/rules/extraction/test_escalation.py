"""The ladder: what counts as new, what each level keeps, and that nothing ever passes the caps."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    Limits,
    SourceMessage,
    SourceSpan,
    Statement,
)
from graphmem.model.knowledge import AttributeKind, DependencyType, EntityType
from graphmem.rules.extraction.escalation import REASONS, climb, climb_strictly, is_over, lost
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.text import canonical_name
from graphmem.rules.model.answers import Nonsense, read_answer

SPAN = SourceSpan(message=0, start=0, end=5)
SYSTEM, PROJECT, PERSON, UNKNOWN = EntityType.SYSTEM, EntityType.PROJECT, EntityType.PERSON, EntityType.UNKNOWN


def entity(name: str, type_: EntityType = SYSTEM, places: int = 1) -> ExtractedEntity:
    return ExtractedEntity(name=name, type=type_, mentions=(SPAN,) * places)


def fact(
    about: str, number: int, kind: AttributeKind = "attribute", aspect: str = "general", confidence: float = 0.7
) -> ExtractedAttribute:
    return ExtractedAttribute(
        entity=about, aspect=aspect, content=f"{about} is {number}", kind=kind, confidence=confidence,
        importance=0.5, statement=number,
    )  # fmt: skip


def chunk(
    entities: list[ExtractedEntity], facts: list[ExtractedAttribute], edges: list[tuple[str, str]] | None = None
) -> Extraction:
    """The facts, each from a statement of its own; the edges from the first."""
    statements = [Statement(content=f"{n}", type="fact", importance=0.5, source=SPAN) for n in range(len(facts) + 1)]
    dependencies = [
        ExtractedDependency(
            source=a, target=b, type=DependencyType.USES, confidence=0.7, strength=0.5, reason="single-memory",
            statement=0,
        )
        for a, b in edges or []
    ]  # fmt: skip
    numbered = [one.model_copy(update={"statement": place}) for place, one in enumerate(facts)]
    return Extraction(
        entities=tuple(entities), statements=tuple(statements), attributes=tuple(numbered),
        dependencies=tuple(dependencies),
    )  # fmt: skip


BY_TYPE = Limits(by_type={PROJECT: 30, PERSON: 15, UNKNOWN: 5})


@pytest.mark.parametrize(("type_", "cap"), [(PROJECT, 30), (PERSON, 15), (UNKNOWN, 5), (SYSTEM, 20)])
def test_each_type_tolerates_its_own_number_of_facts(type_: EntityType, cap: int) -> None:
    def told(count: int) -> Extraction:
        return chunk([entity("a", type_)], [fact("a", n) for n in range(count)])

    assert not is_over(told(cap), (), BY_TYPE)
    assert is_over(told(cap + 1), (), BY_TYPE)
    lasting = chunk([entity("a", type_)], [fact("a", n, aspect="architecture") for n in range(cap + 7)])
    kept = climb(lasting, (), BY_TYPE)
    strict = kept.model_copy(update={"level": 3})
    assert kept == strict, "facts without a slot are persistent in this aspect, so level 2 is too much as well"
    assert len(kept.attributes) == cap


def test_what_the_graph_has_is_not_new_and_confirms() -> None:
    found = chunk([entity("a")], [fact("a", n) for n in range(30)])
    held = {("a", normalised(one.content)) for one in found.attributes[:12]}
    assert climb(found, {"a"}, Limits(), held) == found
    many = chunk([entity("a")], [fact("a", n) for n in range(60)])
    kept = climb_strictly(many, None, {"a"}, Limits(), held)
    said = {normalised(one.content) for one in kept.attributes}
    assert said >= {content for _, content in held}
    assert len(said) == 12 + 20


def test_level_three_keeps_rules_then_the_new_then_the_sure() -> None:
    facts = [
        fact("old", 0, confidence=0.9),
        fact("new", 1, confidence=0.2),
        fact("old", 2, confidence=0.1),
        fact("old", 3, "constraint", confidence=0.1),
        fact("old", 4, confidence=0.8),
    ]
    found = chunk([entity("old"), entity("new")], facts)
    held = {("old", normalised("old is 0"))}
    orders = [
        [a.content for a in climb_strictly(found, None, {"old"}, Limits(max_items=most), held).attributes]
        for most in range(6)
    ]
    assert orders == [
        [],
        ["old is 3"],
        ["new is 1", "old is 3"],
        ["new is 1", "old is 3", "old is 4"],
        ["new is 1", "old is 2", "old is 3", "old is 4"],
        [f"{one.entity} is {n}" for n, one in enumerate(facts)],
    ]


def test_rules_have_a_cap_of_their_own() -> None:
    entities = [entity(f"e{n}") for n in range(3)]
    rules = [fact(f"e{n % 3}", n, "constraint") for n in range(25)]
    found = chunk(entities, [*rules, *(fact("e0", n) for n in range(25, 30))])
    assert is_over(found, (), Limits())
    kept = climb_strictly(found, None, (), Limits())
    assert Counter(one.kind for one in kept.attributes) == {"constraint": 20, "attribute": 5}
    assert lost(found, kept) == {"statements": 6, "constraints": 5}
    assert kept.dropped == 11


def test_a_stricter_reading_takes_the_place_of_the_first_within_its_own_limits() -> None:
    found = chunk([entity(f"e{n}") for n in range(12)], [])
    strict = chunk([entity("e1"), entity("e2")], [fact("e1", 0)], [("e1", "e2")])
    kept = climb_strictly(found, strict, (), Limits())
    assert (kept.level, len(kept.entities)) == (2, 2)
    assert [(d.confidence, d.reason) for d in kept.dependencies] == [REASONS[2]]
    still = chunk([entity(f"e{n}") for n in range(6)], [fact(f"e{n}", n) for n in range(6)], [("e0", "e1")])
    cut = climb_strictly(found, still, (), Limits())
    assert (cut.level, len(cut.entities)) == (3, 5)
    assert [(d.confidence, d.reason) for d in cut.dependencies] == [REASONS[3]]


def test_entities_of_the_graph_are_confirmed_by_being_named_at_any_level() -> None:
    found = chunk([entity("known"), *(entity(f"e{n}") for n in range(12))], [fact("e1", 0, aspect="architecture")])
    kept = climb(found, {"known"}, Limits())
    assert (kept.level, [one.name for one in kept.entities]) == (2, ["known", "e1"])


def test_places_of_one_entity_are_bounded_and_no_reason_to_climb() -> None:
    found = climb(chunk([entity("a", places=999)], []), (), Limits())
    assert (found.level, len(found.entities[0].mentions)) == (1, 200)


# Whatever a model answers

NAMES = [f"svc{n}" for n in range(40)]
TEXT = " ".join(f"{name} uses thing. We must never stop {name}!" for name in NAMES)
MESSAGES = [SourceMessage(role="user", text=TEXT, name="Ana")]
WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(NAMES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAME = st.sampled_from(NAMES) | st.just("Ana") | WILD
PIECES: dict[str, Any] = {
    "entity": NAME,
    "content": st.sampled_from(NAMES).map(lambda name: f"we must never stop {name}") | st.sampled_from(["thing", TEXT]),
    "kind": st.sampled_from(["constraint", "attribute"]) | WILD,
    "confidence": st.floats(0, 1) | WILD,
}
EDGE = st.fixed_dictionaries({"source": NAME, "target": NAME, "type": st.sampled_from(["uses", "blocks"]) | WILD})
STATEMENT = st.fixed_dictionaries(
    {
        "quote": st.sampled_from(NAMES).map(lambda name: f"{name} uses thing") | WILD,
        "message": WILD,
        "facts": st.lists(st.fixed_dictionaries(PIECES), max_size=12) | WILD,
        "dependencies": st.lists(EDGE, max_size=6) | WILD,
        "type": st.sampled_from(["constraint", "fact"]) | WILD,
    }
)
ENTITY = st.fixed_dictionaries({"name": NAME, "type": st.sampled_from(["person", "system"]) | WILD})
ANSWER = st.fixed_dictionaries(
    {"entities": st.lists(ENTITY, max_size=60) | WILD, "statements": st.lists(STATEMENT, max_size=25) | WILD}
)
ANSWERS = ANSWER.map(lambda said: json.dumps(said, default=str)) | st.text(max_size=200)


def drawn(answered: str) -> Extraction | None:
    try:
        return read_answer(answered, MESSAGES, None).extraction
    except Nonsense:
        return None


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    ANSWERS,
    ANSWERS,
    st.integers(0, 12),
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(0, 20),
    st.sampled_from([None, 0, 3, 30]),
)
def test_whatever_a_model_answers_what_is_kept_is_bounded(
    first: str, second: str, entities: int, per_entity: int, rules: int, items: int, unknown: int | None
) -> None:
    limits = Limits(
        max_new_entities=entities,
        max_new_attributes_per_entity=per_entity,
        max_strict_entities=min(5, entities),
        max_new_constraints=rules,
        max_items=items,
        by_type={} if unknown is None else {UNKNOWN: unknown},
    )
    known = set(NAMES[:10])
    held = {("svc1", normalised("we must never stop svc1"))}
    found = drawn(first)
    if found is None:
        return
    kept = found
    if is_over(found, known, limits, held):
        kept = climb_strictly(found, drawn(second), known, limits, held)
    types = {one.name: one.type for one in kept.entities}
    new = [one for one in kept.entities if canonical_name(one.name) not in known]
    fresh = [a for a in kept.attributes if (canonical_name(a.entity), normalised(a.content)) not in held]
    assert len(new) <= (entities if kept.level == 1 else min(5, entities))
    for name, number in Counter(one.entity for one in fresh).items():
        assert number <= limits.by_type.get(types[name], per_entity)
    assert sum(one.kind == "constraint" for one in fresh) <= rules
    assert max(len(kept.statements), len(kept.attributes), len(kept.dependencies)) <= items
    assert len(kept.entities) <= items * 4 + len(new)
    assert {d.confidence for d in kept.dependencies} <= {REASONS[kept.level][0]}
    for one in (*kept.attributes, *kept.dependencies):
        assert one.statement < len(kept.statements)
    for said in kept.statements:
        assert TEXT[said.source.start : said.source.end]
    assert all(one.name in TEXT or one.name == "Ana" for one in kept.entities)
