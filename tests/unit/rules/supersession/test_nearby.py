"""What a statement that is kept confirms, and what it leaves alone beside it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.change import AttributeRow, Change
from graphmem.model.claims import Claim
from graphmem.model.inputs import SlotClaim
from graphmem.model.knowledge import EntityType
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.claims import ClaimReader, claim_of, packed
from graphmem.rules.supersession import said_otherwise, with_confirmations, with_related
from graphmem.rules.supersession.nearby import MAX_RELATED

PARSER = SpacyParser()
DAY = datetime(2026, 5, 1, tzinfo=UTC)
NOW = DAY + timedelta(days=9)
KNOWN = [KnownEntity("gull", "gull", "e1", "Gull", EntityType.SYSTEM, False)]


def read(text: str) -> tuple[Claim, ...]:
    (parsed,) = PARSER.parse([text])
    reader = ClaimReader()
    found = (reader.read(text, parsed.tokens, one.first, one.last, "user", "") for one in parsed.sentences)
    return tuple(one.claim for claims in found for one in claims)


def claims(text: str, slot: str | None, value: str | None, scope: tuple[str, ...]) -> tuple[Claim, ...]:
    given = claim_of(SlotClaim(slot=slot, value=value, scope=scope), None, "Gull") if slot else None
    return (given, *read(text)) if given else read(text)


def held(
    id: str, text: str, slot: str | None = None, value: str | None = None, scope: tuple[str, ...] = (), **more: object
) -> ActiveFact:
    told = packed(claims(text, slot, value, scope))
    fact = ActiveFact(id, "e1", "general", text, "attribute", slot, 0.7, slot is not None, False, DAY, DAY, claims=told)
    return replace(fact, **more)  # type: ignore[arg-type]


def change(
    text: str, slot: str | None = None, value: str | None = None, scope: tuple[str, ...] = (), **more: object
) -> Change:
    row = AttributeRow(
        ref="new",
        id="new",
        entity="gull",
        aspect="other",
        aspect_id="a",
        content=text,
        kind="attribute",
        claim_key=slot,
        confidence=1.0,
        importance=0.5,
        pinned=False,
        explicit=slot is not None,
        valid_from=NOW,
        valid_to=None,
        extraction_level=1,
        memory_ref="m",
        session_ids=(),
        project=None,
        session_id=None,
        claims=claims(text, slot, value, scope),
    )
    return Change(attributes=(replace(row, **more),))  # type: ignore[arg-type]


def confirmed(new: Change, *facts: ActiveFact) -> bool:
    (row,) = with_confirmations(new, KNOWN, facts, NOW).attributes
    return row.content in {fact.content for fact in facts}


def test_equal_value_takes_the_words_that_are_there() -> None:
    old = held("old", "Gull listens on port 80.", "port", "80")
    (row,) = with_confirmations(change("Its port is eighty.", "port", "port 80"), KNOWN, [old], NOW).attributes
    assert (row.content, row.aspect) == ("Gull listens on port 80.", "general")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Gull runs at 80 degrees.", "Gull is running at 80 degrees now."),
        ("Gull costs two euros a month.", "Gull costs €2 per month."),
    ],
)
def test_same_clause_in_another_form_confirms(old: str, new: str) -> None:
    assert confirmed(change(new), held("old", old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Gull runs at 80 degrees.", "Gull runs at 90 degrees."),
        ("Gull runs at 80 degrees.", "Gull does not run at 80 degrees."),
        ("Gull runs at 80 degrees.", "Gull would run at 80 degrees."),
        ("Gull runs at 80 degrees.", "Gull runs at 80 degrees and hums."),
        ("Gull runs at 80 degrees.", "The cellar of Gull runs at 80 degrees."),
        ("Gull hums.", "Gull is humming."),
    ],
)
def test_what_says_more_or_something_else_confirms_nothing(old: str, new: str) -> None:
    assert not confirmed(change(new), held("old", old))


@pytest.mark.parametrize("more", [{"valid_to": NOW + timedelta(days=1)}, {"valid_from": NOW + timedelta(days=1)}])
def test_what_ends_or_begins_later_confirms_nothing(more: dict[str, object]) -> None:
    assert not confirmed(change("It is 80.", "port", "80", **more), held("old", "Gull is on 80.", "port", "80"))


def test_same_words_with_another_claim_are_told() -> None:
    old = held("old", "It is busy.", "load", "high")
    assert said_otherwise(change("It is busy!", "load", "low"), KNOWN, [old]) == old
    assert said_otherwise(change("It is busy!", "line", "high"), KNOWN, [old]) == old
    assert said_otherwise(change("It is busy!", "load", "high"), KNOWN, [old]) is None
    assert said_otherwise(change("It is idle.", "load", "low"), KNOWN, [old]) is None


def related(new: Change, *facts: ActiveFact, proposed: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(one.id, one.why) for one in with_related(new, KNOWN, facts, proposed, NOW).related]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Gull runs at 80 degrees.", "Gull runs at 90 percent.", "other unit"),
        ("Gull speaks Estonian.", "Gull speaks Latvian.", "many-valued"),
        ("The premium of Gull is 80 euros.", "The premium of Gull is 90 euros.", "no word of change"),
        ("Gull runs at 80 degrees.", "Gull would run at 90 degrees.", "the new one is only supposed"),
    ],
)
def test_fact_that_stays_says_why(old: str, new: str, why: str) -> None:
    assert related(change(new), held("old", old)) == [("old", why)]


def test_reasons_of_the_fact_itself_come_first() -> None:
    new = change("Gull speaks Latvian.")
    assert related(new, held("a", "Gull speaks Estonian.", pinned=True)) == [("a", "pinned")]
    assert related(new, held("a", "Gull speaks Estonian.", kind="constraint")) == [("a", "a constraint")]
    later = NOW + timedelta(days=1)
    assert related(new, held("a", "Gull speaks Estonian.", valid_from=later)) == [("a", "said of a later time")]


def test_nearest_come_first_and_few_of_them() -> None:
    new = change("In staging it is 81.", "port", "81", ("staging",))
    facts = [held(f"{n}", f"In zone {n} it is 7{n}.", "port", f"7{n}", (f"zone {n}",)) for n in range(9)]
    port = held("port", "It is on 80.", "port", "80")
    newest = replace(port, valid_from=DAY + timedelta(days=1))
    found = related(new, *facts, newest, held("asked", "Gull is on 82.", "port", "82"), proposed=("asked",))
    assert found[:2] == [("asked", "waits for a decision"), ("port", "another scope")]
    assert len(found) == MAX_RELATED


def test_what_is_about_something_else_or_over_is_not_near() -> None:
    new = change("Gull speaks Latvian.")
    other = held("a", "The kettle weighs two kilos.")
    over = held("b", "Gull speaks Estonian.", superseded_by="x")
    assert related(new, other, over, held("c", "Gull speaks Latvian.")) == []
