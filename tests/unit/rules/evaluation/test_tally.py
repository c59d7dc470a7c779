"""Finds and labels are compared thing by thing, and counted so that the shares mean what they say."""

from typing import Any

import pytest

from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    SourceSpan,
    Statement,
)
from graphmem.model.knowledge import AttributeKind, DependencyType, EntityType
from graphmem.model.labels import LabelledConversation
from graphmem.rules.evaluation.tally import KINDS, Kind, Tally, compare

Json = dict[str, Any]
USES = DependencyType.USES


def labelled(**labels: Any) -> LabelledConversation:
    named = [
        {"name": "billing-service", "type": "system"},
        {"name": "PostgreSQL", "type": "tool", "also": ["Postgres"]},
    ]
    whole: Json = {kind: [] for kind in KINDS} | {"entities": named} | labels
    messages = [{"role": "user", "content": "words"}, {"role": "user", "content": "more words"}]
    return LabelledConversation.model_validate(
        {"id": "x", "topic": "ops", "project": None, "messages": messages, **whole}
    )


def extraction(
    *facts: tuple[int, str, str] | tuple[int, str, str, AttributeKind],
    names: tuple[str, ...] = (),
    edges: tuple[tuple[str, DependencyType, str], ...] = (),
) -> Extraction:
    """Facts are (message, entity, content[, kind])."""
    statements = [
        Statement(content=fact[2], type="fact", importance=0.5, source=SourceSpan(message=fact[0], start=0, end=1))
        for fact in facts
    ] or [Statement(content="", type="fact", importance=0.5, source=SourceSpan(message=0, start=0, end=1))]
    return Extraction(
        entities=tuple(ExtractedEntity(name=name, type=EntityType.TOOL, mentions=()) for name in names),
        statements=tuple(statements),
        attributes=tuple(
            ExtractedAttribute(
                entity=fact[1],
                aspect="general",
                content=fact[2],
                kind=fact[3] if len(fact) == 4 else "attribute",
                confidence=0.7,
                importance=0.5,
                statement=index,
            )
            for index, fact in enumerate(facts)
        ),
        dependencies=tuple(
            ExtractedDependency(
                source=source, target=target, type=type_, confidence=0.7, strength=0.5, reason="r", statement=0
            )
            for source, type_, target in edges
        ),
    )


def shares(tally: Tally) -> tuple[int, int, int, int]:
    return tally.right, len(tally.wrong), tally.held, len(tally.missed)


def test_an_entity_is_found_by_any_of_its_names_once() -> None:
    found = compare(extraction(names=("billing service", "postgres", "PostgreSQL", "Kafka")), labelled())
    assert shares(found["entities"]) == (2, 2, 2, 0)
    assert found["entities"].wrong == ("PostgreSQL", "Kafka")


USES_POSTGRES: Json = {"entity": "billing-service", "says": ["uses", "Postgres"], "message": 0}


@pytest.mark.parametrize(
    ("fact", "right"),
    [
        ((0, "billing-service", "billing-service uses PostgreSQL 15"), True),
        ((0, "Billing Service", "The service has been using Postgres"), True),
        ((1, "billing-service", "billing-service uses PostgreSQL 15"), False),  # said elsewhere
        ((0, "PostgreSQL", "billing-service uses PostgreSQL"), False),  # about another entity
        ((0, "billing-service", "billing-service uses MySQL"), False),
        ((0, "billing-service", "billing-service uses PostgreSQL", "constraint"), False),
    ],
)
def test_a_fact_is_right_where_entity_message_kind_and_words_agree(fact: Any, right: bool) -> None:
    found = compare(extraction(fact), labelled(attributes=[USES_POSTGRES]))
    assert shares(found["attributes"])[2:] == ((1, 0) if right else (0, 1))
    assert found["attributes"].right == right


def test_facts_may_be_cut_in_other_places_than_the_labels() -> None:
    both = [USES_POSTGRES, {"entity": "billing-service", "says": ["port", "8080"], "message": 0}]
    one_find = extraction((0, "billing-service", "billing-service uses Postgres and listens on port 8080"))
    assert shares(compare(one_find, labelled(attributes=both))["attributes"]) == (1, 0, 2, 0)
    one_label = [{"entity": "billing-service", "says": ["Postgres", "8080"], "message": 0}]
    finds = extraction(
        (0, "billing-service", "billing-service uses Postgres"), (0, "billing-service", "it listens on port 8080")
    )
    assert shares(compare(finds, labelled(attributes=one_label))["attributes"]) == (2, 0, 1, 0)


def test_words_have_alternatives_and_any_ending() -> None:
    label = {"entity": ["PostgreSQL", "billing-service"], "says": [["own", "run"], "k8s"], "message": 0}
    found = extraction((0, "billing-service", "Ana owned the Kubernetes cluster"))
    assert shares(compare(found, labelled(constraints=[label]))["attributes"]) == (0, 1, 0, 0)
    assert shares(compare(found, labelled(attributes=[label]))["attributes"]) == (1, 0, 1, 0)


def test_a_dependency_needs_both_ends_the_direction_and_a_good_type() -> None:
    label = {"source": "billing-service", "target": "PostgreSQL", "type": ["uses", "requires"]}
    for edge, right in {
        ("billing service", USES, "Postgres"): True,
        ("billing service", DependencyType.REQUIRES, "PostgreSQL"): True,
        ("billing service", DependencyType.OWNED_BY, "PostgreSQL"): False,
        ("PostgreSQL", USES, "billing-service"): False,
    }.items():
        found = compare(extraction(edges=(edge,)), labelled(dependencies=[label]))["dependencies"]
        assert shares(found) == ((1, 0, 1, 0) if right else (0, 1, 0, 1))


@pytest.mark.parametrize("kind", ["entities", "attributes", "dependencies"])
def test_what_is_optional_counts_for_nothing(kind: Kind) -> None:
    optional: dict[Kind, Json] = {
        "entities": {"name": "Kafka", "type": "tool", "optional": True},
        "attributes": USES_POSTGRES | {"optional": True},
        "dependencies": {"source": "billing-service", "target": "PostgreSQL", "type": "uses", "optional": True},
    }
    labels = (
        labelled(**{kind: [*labelled().model_dump(mode="json")["entities"], optional[kind]]})
        if (kind == "entities")
        else labelled(**{kind: [optional[kind]]})
    )
    silent = compare(extraction(), labels)[kind]
    found = compare(
        extraction(
            (0, "billing-service", "billing-service uses Postgres"),
            names=("Kafka",),
            edges=(("billing-service", USES, "PostgreSQL"),),
        ),
        labels,
    )[kind]
    assert silent.right == found.right == 0
    assert not found.wrong
    assert found.missed == silent.missed


def test_shares_are_none_where_there_is_nothing_to_share() -> None:
    assert (Tally().precision, Tally().recall, Tally().f1) == (None, None, None)
    tally = Tally(3, ("a",), 3, ("b", "c", "d")) + Tally()
    assert (tally.precision, tally.recall, tally.f1) == (0.75, 0.5, 0.6)
    assert Tally(0, ("a",), 0, ("b",)).f1 == 0.0


def test_labels_name_what_is_there() -> None:
    with pytest.raises(ValueError, match="no entity is labelled Kafka"):
        labelled(dependencies=[{"source": "Kafka", "target": "PostgreSQL", "type": "uses"}])
    with pytest.raises(ValueError, match="a message that is not there"):
        labelled(attributes=[USES_POSTGRES | {"message": 2}])
