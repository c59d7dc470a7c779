"""From what extraction drew to rows: every row with its id, and what the new facts retire."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from graphmem.model.change import Change
from graphmem.model.claims import Claim, ClaimValue
from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    SourceSpan,
    Statement,
)
from graphmem.model.inputs import Remember
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.contradiction.traits import pack, traits_of, unpack
from graphmem.rules.keeping.drafts import (
    NewId,
    Place,
    Setting,
    draft,
    draft_remembered,
    names_in,
    with_event_ids,
)
from graphmem.rules.supersession.retirement import late_since, swept, with_supersessions

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)
IN_SESSION = Setting("Lantern", "s1", NOW)
ALONE = Setting(None, None, NOW)


def ids() -> NewId:
    numbers = count()
    return lambda: f"id{next(numbers)}"


def drawn(content: str = "Wick-Service uses Redis", level: int = 1) -> Extraction:
    """One sentence that names two things, states a fact of one, and that it needs the other."""
    return Extraction(
        entities=(
            ExtractedEntity(
                name="Wick-Service",
                type=EntityType.SYSTEM,
                aliases=("wick service", "wicky"),
                mentions=(SourceSpan(message=0, start=0, end=12),),
            ),
            ExtractedEntity(name="Redis", type=EntityType.TOOL, mentions=(SourceSpan(message=0, start=18, end=23),)),
            ExtractedEntity(
                name="Elsewhere", type=EntityType.PLACE, mentions=(SourceSpan(message=0, start=90, end=99),)
            ),
        ),
        statements=(
            Statement(content=content, type="fact", importance=0.6, source=SourceSpan(message=0, start=0, end=23)),
        ),
        attributes=(
            ExtractedAttribute(
                entity="Wick-Service",
                aspect="storage",
                content=content,
                kind="attribute",
                confidence=0.7,
                importance=0.6,
                statement=0,
                claim_key="uses:cache",
            ),
        ),
        dependencies=(
            ExtractedDependency(
                source="Wick-Service",
                target="Redis",
                type=DependencyType.USES,
                confidence=0.7,
                strength=0.5,
                reason=content,
                statement=0,
            ),
        ),
        level=level,
    )


def test_names_to_look_up_are_canonical_and_sorted() -> None:
    assert names_in(drawn()) == ["elsewhere", "redis", "wick service"]


def test_a_statement_of_a_session_becomes_rows_that_lead_back_to_its_words() -> None:
    change = draft(drawn(level=2), [Place("message-1", SAID)], IN_SESSION, ids())
    (memory,) = change.memories
    assert (memory.content, memory.project, memory.session_id) == ("Wick-Service uses Redis", "Lantern", "s1")
    assert [(span.message_id, span.start, span.end) for span in memory.spans] == [("message-1", 0, 23)]
    assert memory.valid_from == SAID
    assert memory.created_at == NOW
    assert memory.about == ("redis", "wick service"), "not what is named in another sentence"
    (fact,) = change.attributes
    assert (fact.entity, fact.memory_ref, fact.claim_key, fact.extraction_level) == (
        "wick service",
        memory.ref,
        "uses:cache",
        2,
    )
    assert not fact.explicit
    (edge,) = change.dependencies
    assert edge.extraction_level == 2
    assert (edge.source, edge.target, edge.memory_refs, edge.attribute_refs) == (
        "wick service",
        "redis",
        (memory.ref,),
        (fact.ref,),
    )
    assert {(mention.entity, mention.message_id, mention.start) for mention in change.mentions} == {
        ("wick service", "message-1", 0),
        ("redis", "message-1", 18),
        ("elsewhere", "message-1", 90),
    }


def test_an_alias_that_is_the_name_itself_is_none() -> None:
    entities = {row.canonical: row for row in draft(drawn(), [Place("m", SAID)], IN_SESSION, ids()).entities}
    assert entities["wick service"].aliases == ("wicky",)


def test_every_row_has_an_id_of_its_own() -> None:
    change = with_event_ids(draft(drawn(), [Place("m", SAID)], IN_SESSION, ids()), ids())
    given = [
        row.id for rows in (change.entities, change.memories, change.attributes, change.dependencies) for row in rows
    ]
    assert len(set(given)) == len(given)
    assert len(change.event_ids) >= len(change.memories) + len(change.attributes) + len(change.dependencies)


def test_a_thing_does_not_need_itself() -> None:
    loop = drawn().model_copy(
        update={"dependencies": (drawn().dependencies[0].model_copy(update={"target": "the wick service"}),)}
    )
    assert draft(loop, [Place("m", SAID)], IN_SESSION, ids()).dependencies == ()


def test_what_is_remembered_of_an_entity_is_one_explicit_fact_of_it() -> None:
    given = Remember(
        content="Wick-Service uses Redis", entity="the Wick Service", claim_key="cache", importance=0.9, pinned=True
    )
    change = draft_remembered(given, drawn(), ALONE, ids())
    (fact,) = change.attributes
    assert (fact.entity, fact.aspect, fact.content) == ("wick service", "general", given.content)
    assert (fact.confidence, fact.explicit, fact.pinned, fact.importance, fact.claim_key) == (
        1.0,
        True,
        True,
        0.9,
        "cache",
    )
    (edge,) = change.dependencies
    assert edge.attribute_refs == (fact.ref,)
    assert change.memories[0].explicit


@pytest.mark.parametrize(
    ("said", "kind", "type_"),
    [
        ({}, "constraint", "constraint"),
        ({"kind": "constraint"}, "constraint", "constraint"),
        ({"kind": "attribute"}, "attribute", "fact"),
        ({"claim_key": "port"}, "attribute", "fact"),
        ({"type": "constraint", "claim_key": "port"}, "constraint", "constraint"),
        ({"type": "fact"}, "attribute", "fact"),
    ],
)
def test_a_fact_and_its_statement_are_constraints_together_or_not_at_all(
    said: dict[str, str], kind: str, type_: str
) -> None:
    given = Remember.model_validate({"content": "Wick-Service must use Redis", "entity": "Wick-Service"} | said)
    span = SourceSpan(message=0, start=0, end=len(given.content))
    read = Statement(content=given.content, type="constraint", importance=0.9, source=span)
    alone = Remember(content=given.content, kind="attribute")
    assert draft_remembered(alone, Extraction(statements=(read,)), ALONE, ids()).memories[0].type == "constraint"
    change = draft_remembered(given, Extraction(statements=(read,)), ALONE, ids())
    assert [(fact.kind, memory.type) for fact in change.attributes for memory in change.memories] == [(kind, type_)]


def test_what_is_remembered_without_an_entity_is_what_extraction_finds() -> None:
    change = draft_remembered(Remember(content="Wick-Service uses Redis"), drawn(), ALONE, ids())
    assert [(fact.entity, fact.explicit) for fact in change.attributes] == [("wick service", False)]
    nothing = draft_remembered(Remember(content="hm"), Extraction(), ALONE, ids())
    assert (len(nothing.memories), nothing.attributes, nothing.entities) == (1, (), ())
    assert nothing.memories[0].importance == 0.5


def test_a_stated_value_that_nothing_is_drawn_from_is_kept_whole_of_its_subject_else_of_the_user() -> None:
    price = ClaimValue(kind="amount", key="12", unit="gbp", words="12 pounds", role="dobj")
    fern = ClaimValue(kind="name", key="fern", words="Fern", role="subject")
    for values, entity in (((price,), "user"), ((fern, price), "fern")):
        claim = Claim(verb="cost", subject=("ticket",), values=values)
        change = draft_remembered(Remember(content="It costs 12 pounds"), Extraction(claims=(claim,)), ALONE, ids())
        assert [(row.entity, row.content, row.explicit) for row in change.attributes] == [
            (entity, "It costs 12 pounds", False)
        ]
        assert [row.canonical for row in change.entities] == [entity]
    asked = Claim(verb="cost", subject=("ticket",), values=(price,), mood="asked")
    assert draft_remembered(Remember(content="?"), Extraction(claims=(asked,)), ALONE, ids()).attributes == ()


def test_a_rule_without_an_entity_binds_the_project() -> None:
    given = Remember(content="Never deploy on Fridays", kind="constraint", project="Lantern")
    change = draft_remembered(given, Extraction(), Setting("Lantern", None, NOW), ids())
    (fact,) = change.attributes
    assert (fact.entity, fact.kind) == ("lantern", "constraint")
    assert [(row.name, row.type) for row in change.entities] == [("Lantern", EntityType.PROJECT)]
    assert change.memories[0].type == "constraint"


@pytest.mark.parametrize(
    ("times", "start"),
    [
        ({"valid_from": SAID, "occurred_at": NOW}, SAID),
        ({"occurred_at": SAID}, SAID),
        ({}, NOW),
    ],
)
def test_a_remembered_fact_holds_from_the_time_given_else_when_it_occurred_else_now(
    times: dict[str, datetime], start: datetime
) -> None:
    change = draft_remembered(Remember(content="a", entity="b", **times), Extraction(), ALONE, ids())  # type: ignore[arg-type]
    assert change.memories[0].valid_from == change.attributes[0].valid_from == start


def test_what_a_pinned_statement_says_is_pinned() -> None:
    given = Remember(content="Wick-Service uses Redis", pinned=True)
    change = draft_remembered(given, drawn(), ALONE, ids())
    assert [fact.pinned for fact in change.attributes] == [True]
    assert not any(fact.explicit for fact in change.attributes)


KNOWN = [KnownEntity("wick service", "wick service", "entity-1", "Wick-Service", EntityType.SYSTEM, False)]


def active(content: str, **changes: object) -> ActiveFact:
    at = SAID - timedelta(days=1)
    row: dict[str, object] = {
        "id": "old",
        "entity_id": "entity-1",
        "aspect": "storage",
        "content": content,
        "kind": "attribute",
        "claim_key": "uses:cache",
        "confidence": 0.7,
        "explicit": False,
        "pinned": False,
        "valid_from": at,
        "created_at": at,
    }
    return ActiveFact(**(row | changes))  # type: ignore[arg-type]


def superseding(*facts: ActiveFact, shadow: bool = False) -> Change:
    change = draft(drawn(), [Place("m", SAID)], IN_SESSION, ids())
    return with_supersessions(change, KNOWN, facts, min_confidence=0.7, shadow=shadow, new_id=ids(), now=NOW)


def test_traits_of_new_facts_are_kept_and_those_of_known_facts_read_not_found_again() -> None:
    change = draft(drawn(), [Place("m", SAID)], IN_SESSION, ids())
    said = "Wick-Service is disabled and uses Memcached"
    blank = pack(said, "today")[:8] + bytes(2)
    held = [active(said, id=str(number), claim_key=None, traits=kept) for number, kept in enumerate((None, blank))]
    retired = with_supersessions(
        change, KNOWN, held, min_confidence=0.0, shadow=False, new_id=ids(), now=NOW, rules="today"
    )
    assert [unpack(row.traits, row.content, "today") for row in retired.attributes] == [
        traits_of(row.content) for row in change.attributes
    ]
    found = swept(
        [active("Wick-Service is enabled", id="new", claim_key=None, valid_from=SAID), *held],
        min_confidence=0.0,
        shadow=False,
        settled=frozenset(),
        rules="today",
    )
    assert {one.old_id for one in found.retirements} == {"0"}, "in blank traits there is nothing to meet"
    assert found.traits.keys() == {"new", "0"}
    assert unpack(found.traits["0"], said, "today") == traits_of(said)


def test_a_newer_fact_in_the_same_slot_retires_the_older() -> None:
    change = superseding(active("Wick-Service uses Memcached"))
    (row,) = change.applied
    assert (row.old, row.new, row.method, row.valid_to) == ("old", change.attributes[0].ref, "claim", SAID)
    assert change.proposed == ()


def test_a_slot_is_one_whatever_its_aspect_is_called() -> None:
    assert superseding(active("Wick-Service uses Memcached", aspect="caching")).applied


@pytest.mark.parametrize(
    "changes",
    [
        {"entity_id": "entity-2"},
        {"aspect": "caching", "claim_key": "uses:other"},
        {"pinned": True},
        {"kind": "constraint"},
        {"content": "wick-service  uses redis."},
    ],
    ids=["another entity", "another slot", "pinned", "a rule", "the same words"],
)
def test_what_must_stay_stays(changes: dict[str, object]) -> None:
    change = superseding(active(**({"content": "Wick-Service uses Memcached"} | changes)))  # type: ignore[arg-type]
    assert (change.applied, change.proposed) == ((), ())


def test_what_is_older_than_what_is_known_arrives_superseded() -> None:
    (row,) = superseding(active("Wick-Service uses Memcached", valid_from=NOW)).applied
    assert (row.new, row.valid_to, row.instead_of) == ("old", NOW, None)


def test_a_fact_between_two_takes_its_place_in_the_chain() -> None:
    past = active("Wick-Service uses Memcached", superseded_by="newer", valid_to=NOW)
    newer = active("Wick-Service uses KeyDB", id="newer", valid_from=NOW)
    change = superseding(past, newer)
    ref = change.attributes[0].ref
    assert [(row.old, row.new, row.valid_to) for row in change.applied] == [(ref, "newer", NOW)]
    assert [(row.old, row.new, row.valid_to, row.instead_of) for row in change.moved] == [("old", ref, SAID, "newer")]


def test_only_what_is_older_than_an_active_fact_asks_for_the_past() -> None:
    change = draft(drawn(), [Place("m", SAID)], IN_SESSION, ids())
    assert late_since(change, [active("a", valid_from=NOW)]) == SAID
    assert late_since(change, [active("a")]) is None
    assert late_since(Change(), [active("a")]) is None


def test_what_was_given_explicitly_is_only_proposed_against() -> None:
    change = superseding(active("Wick-Service uses Memcached", explicit=True))
    assert (len(change.applied), len(change.proposed)) == (0, 1)


def test_in_shadow_everything_is_a_proposal() -> None:
    change = superseding(active("Wick-Service uses Memcached"), shadow=True)
    assert (len(change.applied), len(change.proposed)) == (0, 1)
