"""The slots that claims fill, as callers name them or as they are read, and how two values of one slot compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.claims import Claim
from graphmem.model.inputs import SlotClaim
from graphmem.rules.claims import (
    ClaimReader,
    Filling,
    claim_of,
    exclusion,
    fillings,
    in_one_slot,
    main_topic,
    packed,
    shown,
    slot_key,
    unpacked,
)
from graphmem.rules.claims.slots import slot_of, value_said

PARSER = SpacyParser()


def read(text: str) -> tuple[Claim, ...]:
    (parsed,) = PARSER.parse([text])
    reader = ClaimReader()
    found = (reader.read(text, parsed.tokens, one.first, one.last, "user", "") for one in parsed.sentences)
    return tuple(one.claim for claims in found for one in claims)


def said(slot: str = "port", value: str | None = None, entity: str = "gull-service", **more: object) -> Claim:
    claim = claim_of(SlotClaim.model_validate({"slot": slot, "value": value} | more), None, entity)
    assert claim is not None
    return claim


def filled(*claims: Claim, content: str = "x", key: str | None = "port") -> tuple[Filling, ...]:
    return fillings(key, claims, content, explicit=True)


def told(text: str) -> tuple[Filling, ...]:
    return fillings(None, read(text), text, explicit=False)


def outcome(old: tuple[Filling, ...], new: tuple[Filling, ...]) -> tuple[str, str] | None:
    verdict = in_one_slot(old, new)
    return (verdict.outcome, verdict.why) if verdict else None


EXCLUDES, SAME, OTHER_SCOPE = ("excludes", ""), ("same", ""), ("apart", "another scope")


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("The landlord of the mill is Anouk.", "landlord", "Anouk"),
        ("Gull-service runs on port 7000.", "port", "port 7000"),
        ("We are on the Harbour tariff.", "tariff", "Harbour tariff"),
        ("Ottilie lives in Tartu.", "lives_in", "Tartu"),
        ("Ottilie works as a glazier.", "works_as", "glazier"),
        ("The annual premium is 40 euros.", "premium", "40 euros"),
        ("Gull-service is maintained by Anouk.", "maintainer", "Anouk"),
        ("Gull-service depends on Kafka.", "depends_on", "Kafka"),
        ("The kiln runs at 1240 degrees.", "run_at", "1240 degrees"),
        ("We moved from MySQL to PostgreSQL.", "move_to", "PostgreSQL"),
    ],
)
def test_slot_and_value_are_read_from_the_grammar(text: str, slot: str, value: str) -> None:
    claim = shown(read(text), None, text)
    assert (claim.slot, claim.value) == (slot, value)


@pytest.mark.parametrize(("verb", "agent"), [("own", "owner"), ("manage", "manager"), ("supply", "supplier")])
def test_who_does_it_is_named_by_the_verb(verb: str, agent: str) -> None:
    value = value_said("Anouk").model_copy(update={"role": "subject"})
    assert slot_of(Claim(verb=verb, values=(value,)), value, "") == agent


def test_denied_and_planned_claims_are_shown_as_such() -> None:
    denied, planned = "Ottilie does not live in Tartu.", "Ottilie plans to live in Tartu."
    assert shown(read(denied), None, denied).polarity == "negative"
    assert {claim.mood for claim in read(planned) if claim.values} == {"planned"}
    assert shown((), None, "x").slot is None
    assert shown((), "port", "x").slot == "port"


@pytest.mark.parametrize(
    ("one", "other"),
    [("60 s", "1 minute"), ("3 May", "May 3rd"), ("port 80", "80"), ("the Old Mill", "Old Mill"), ("tom", "Tom")],
)
def test_equal_values_in_other_words_are_the_same(one: str, other: str) -> None:
    assert outcome(filled(said(value=one)), filled(said(value=other))) == SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [("20 $", "20 €"), ("Tartu", "Tartu, Estonia"), ("7000", "7001"), ("v1.2.3", "v1.2.4"), ("a", "b")],
)
def test_other_values_exclude_each_other(one: str, other: str) -> None:
    assert outcome(filled(said(value=one)), filled(said(value=other))) == EXCLUDES


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ([], ["staging"], OTHER_SCOPE),
        (["staging"], [], EXCLUDES),
        (["in staging"], ["the staging"], EXCLUDES),
        (["staging", "at night"], ["staging"], EXCLUDES),
        (["staging"], ["production"], OTHER_SCOPE),
    ],
)
def test_only_an_equal_or_wider_scope_retires(was: list[str], now: list[str], expected: tuple[str, str]) -> None:
    old, new = said(value="1", scope=was), said(value="2", scope=now)
    assert outcome(filled(old), filled(new)) == expected


def test_equal_values_of_different_scopes_both_stay() -> None:
    assert outcome(filled(said(value="1", scope=["staging"])), filled(said(value="1"))) == OTHER_SCOPE


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (("1", "positive"), ("1", "negative"), EXCLUDES),
        (("1", "positive"), ("2", "negative"), ("apart", "another value denied")),
        (("1", "positive"), (None, "negative"), EXCLUDES),
        (("1", "negative"), ("1", "positive"), EXCLUDES),
        (("1", "negative"), ("2", "positive"), ("apart", "another value denied")),
        ((None, "negative"), ("1", "positive"), EXCLUDES),
        ((None, "negative"), (None, "negative"), SAME),
        (("1", "negative"), ("2", "negative"), ("apart", "another value denied")),
    ],
)
def test_denials_concern_the_value_they_name_or_any(
    was: tuple[str | None, str], now: tuple[str | None, str], expected: tuple[str, str]
) -> None:
    old, new = (said(value=value, polarity=polarity) for value, polarity in (was, now))
    assert outcome(filled(old), filled(new)) == expected


def test_slot_alone_has_the_value_of_its_words() -> None:
    texts = ("gull-service runs on port 7000", "the port of gull-service is 7000", "gull-service runs on port 7100")
    first, same, other = (filled(said(), *read(text), content=text) for text in texts)
    assert outcome(first, same) == SAME
    assert outcome(first, other) == EXCLUDES
    owners = (filled(said("owner"), *read(text), content=text, key="owner") for text in ("It is Q.", "It is R."))
    assert outcome(*owners) == EXCLUDES
    unread = (filled(said(), content=text) for text in ("it hums", "It hums!"))
    assert outcome(*unread) == SAME


def test_read_claim_meets_a_given_one_of_its_slot_only() -> None:
    owner = fillings("owner", (said("owner", "Anouk", "the mill"),), "x", explicit=True)
    assert outcome(owner, told("The owner of the mill is Bruno.")) == EXCLUDES
    assert outcome(owner, told("The owner of the mill is Anouk.")) == SAME
    assert outcome(owner, told("The mill is owned by Bruno.")) == EXCLUDES
    assert outcome(owner, told("Bruno owns the mill.")) == EXCLUDES
    assert outcome(owner, told("The landlord of the mill is Bruno.")) is None
    assert outcome(told("The owner of the mill is Anouk."), told("The owner of the mill is Bruno.")) is None


def test_what_something_of_it_does_is_not_of_the_entity() -> None:
    lives = fillings("lives in", (said("lives in", "Tartu", "user"),), "x", explicit=True)
    assert outcome(lives, told("I live in Narva.")) == EXCLUDES
    assert outcome(told("Our invoices live in Paperdeck."), lives) is None
    fee = fillings("fee", (said("fee", "4 euros", "club"),), "x", explicit=True)
    assert outcome(told("The fee of the club is 5 euros."), fee) == EXCLUDES
    assert outcome(told("The late fee of the club is 5 euros."), fee) is None


def test_given_relation_gives_way_to_a_move_that_is_read() -> None:
    found = [exclusion(said("lives_in", "Tartu", "user"), now) for now in read("I moved to Narva in May.")]
    assert [one.name for one in found if one] == ["value_conflict"]


def test_given_claim_leaves_what_may_have_several_values() -> None:
    speaks = fillings("speak", (said("speak", "Latvian", "Ottilie"),), "x", explicit=True)
    assert outcome(told("Ottilie speaks Estonian."), speaks) == ("apart", "many-valued")
    verdict = in_one_slot(speaks, told("Ottilie speaks Estonian."))
    assert verdict
    assert (verdict.outcome, verdict.sure) == ("excludes", False)


def test_given_claim_is_compared_like_one_that_was_read() -> None:
    found = [exclusion(said("owner", "Anouk", "the mill"), now) for now in read("The owner of the mill is Bruno now.")]
    assert [one.name for one in found if one] == ["value_conflict"]
    assert main_topic([said("owner", "Anouk", "the depot")]) == "depot"


@given(
    st.text(min_size=1).filter(str.strip),
    st.text(min_size=1, max_size=30).filter(str.strip),
    st.lists(st.text(min_size=1, max_size=20).filter(str.strip), max_size=3),
)
def test_given_claim_survives_storing_and_equals_itself(slot: str, value: str, scope: list[str]) -> None:
    claim = said(slot[:200], value, scope=scope) if slot[:200].strip() else said()
    assert unpacked(packed([claim])) == (claim,)
    own = fillings(claim.slot, (claim,), "x", explicit=True)
    assert outcome(own, own) == SAME
    assert slot_key(claim.slot) == slot_key(claim.slot.upper()) or not claim.slot.isascii()
