"""A correction takes the slot of what it replaces, and retires it because a person said so."""

from datetime import UTC, datetime, timedelta

from graphmem.model.change import Change
from graphmem.model.extraction import Extraction
from graphmem.model.inputs import Correction
from graphmem.model.knowledge import Attribute, Memory
from graphmem.rules.keeping.drafts import Setting, draft_remembered
from graphmem.rules.supersession.correction import instead_of, restated, subject

SINCE = datetime(2026, 3, 1, tzinfo=UTC)
NOW = datetime(2026, 5, 1, tzinfo=UTC)
NAMES = {"wick": "Wick-Service", "oil": "Oil Store"}


def fact(entity_id: str, content: str, **changes: object) -> Attribute:
    held: dict[str, object] = {
        "id": f"{entity_id}-fact",
        "content": content,
        "kind": "attribute",
        "status": "active",
        "entity_id": entity_id,
        "aspect": "storage",
        "claim_key": "uses:cache",
        "confidence": 0.7,
        "importance": 0.6,
        "pinned": False,
        "valid_from": SINCE,
        "valid_to": None,
        "created_at": SINCE,
        "retired_at": None,
        "superseded_by": None,
        "memory_ids": ("m",),
        "message_ids": (),
        "extraction_level": 1,
    }
    return Attribute.model_validate(held | changes)


OLD = Memory(
    id="m",
    content="Wick-Service uses Redis of Oil Store",
    type="decision",
    status="active",
    importance=0.8,
    pinned=True,
    project="Lantern",
    valid_from=SINCE,
    valid_to=None,
    created_at=SINCE,
    attribute_ids=("wick-fact", "oil-fact"),
    message_ids=(),
    entity_ids=("wick", "oil"),
)
GIVEN = Correction(content="Wick-Service uses Memcached.", reason="it was never Redis")


def changed(facts: tuple[Attribute, ...], given: Correction = GIVEN) -> Change:
    at = subject(given.content or "", facts, NAMES)
    anew = restated(OLD, at, NAMES[at.entity_id] if at else None, given, NOW)
    numbers = iter(range(100))
    drafted = draft_remembered(anew, Extraction(), Setting("Lantern", None, NOW), lambda: f"id{next(numbers)}")
    return instead_of(drafted, facts, given.reason, lambda: f"s{next(numbers)}")


def test_it_goes_on_with_the_fact_about_what_the_new_words_name() -> None:
    wick, oil = fact("wick", "Wick-Service uses Redis"), fact("oil", "Oil Store has Redis", importance=0.9)
    assert subject("Wick-Service uses Memcached.", [wick, oil], NAMES) == wick
    assert subject("It uses Memcached.", [wick, oil], NAMES) == oil, "the weightiest where none is named"
    assert subject("anything", [], NAMES) is None


def test_it_keeps_the_slot_the_kind_and_the_weight_unless_they_are_given() -> None:
    rule = fact("wick", "Wick-Service must not use Redis", kind="constraint", valid_from=NOW + timedelta(days=9))
    anew = restated(OLD, rule, "Wick-Service", GIVEN, NOW)
    assert (anew.entity, anew.aspect, anew.kind, anew.claim_key) == (
        "Wick-Service",
        "storage",
        "constraint",
        "uses:cache",
    )
    assert (anew.type, anew.project, anew.importance, anew.pinned) == ("decision", "Lantern", 0.8, True)
    assert anew.valid_from == rule.valid_from, "not before what it replaces"
    lighter = restated(OLD, rule, "Wick-Service", GIVEN.model_copy(update={"importance": 0.1, "pinned": False}), NOW)
    assert (lighter.importance, lighter.pinned) == (0.1, False)
    assert restated(OLD, None, None, GIVEN, NOW).valid_from == NOW


def test_it_keeps_the_scope_of_the_slot_and_leaves_the_value_to_the_words() -> None:
    scoped = fact("wick", "At night Wick-Service uses Redis", slot="uses:cache", value="Redis", scope=("at night",))
    anew = restated(OLD, scoped, "Wick-Service", GIVEN, NOW)
    assert anew.claim
    assert (anew.slot, anew.claim.value, anew.claim.scope) == ("uses:cache", None, ("at night",))


def test_all_facts_of_the_old_statement_are_retired_by_a_person() -> None:
    change = changed((fact("wick", "Wick-Service uses Redis"), fact("oil", "Oil Store has Redis")))
    (new,) = change.attributes
    assert (new.explicit, new.confidence, change.memories[0].explicit, change.actor) == (True, 1.0, True, "api")
    assert [(row.old, row.new, row.method, row.reason) for row in change.applied] == [
        ("oil-fact", new.ref, "user", GIVEN.reason),
        ("wick-fact", new.ref, "user", GIVEN.reason),
    ]


def test_a_fact_that_the_new_words_still_say_stays() -> None:
    given = Correction(content="Wick-Service uses Redis", reason="the rest is wrong")
    assert changed((fact("wick", "Wick-Service uses Redis."),), given).applied == ()


def test_a_statement_without_facts_retires_none() -> None:
    change = changed(())
    assert (change.applied, len(change.memories)) == ((), 1)
