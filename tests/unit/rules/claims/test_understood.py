"""The promise of docs/what-is-understood.md: each row, with names and values that nobody has met.

Every way to say, change, end and ask is taken once here; `-m long` crosses them, with many values.
"""

from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random

import pytest

from graphmem.model.stored import ActiveFact
from graphmem.rules.claims import given, unpacked
from graphmem.rules.claims.same_slot import holder_of
from graphmem.rules.claims.understood import UnderstoodSlot, understood
from graphmem.rules.claims.words import name_words
from graphmem.rules.language.text import canonical_name, words
from tests.ledger import Ledger, parsed_at_once
from tests.understood import Filled, filled, not_said

SLOTS = [pytest.param(slot, id=slot.name) for slot in understood()]


def giving(facts: list[ActiveFact], value: str, subject: str) -> list[ActiveFact]:
    """The facts that say that it is so: of the subject, with the value."""
    wanted, about = set(words(value)), name_words(subject.lower()) - {"the"}
    return [
        fact
        for fact in facts
        for claim in unpacked(fact.claims)
        for one in given(claim)
        if claim.mood == "stated"
        and not claim.negative
        and not claim.past
        and wanted <= {*words(one.words), one.key}
        and about <= holder_of(claim, one) | set(claim.subject)
    ]


def entities(row: Filled, value: str) -> set[str]:
    """What a fact may hang on: what it is of, its value, or who says it."""
    return {canonical_name(row.subject), canonical_name(value), "user"}


def lives(row: Filled, say: str, again: str, then: str, *, remembered: bool) -> Iterator[str]:
    """What goes wrong when a value is said twice, one of something else once, and then something of the first."""
    ledger = Ledger()
    ledger.say(row.say(say, row.old), remembered=remembered)
    told = giving(ledger.active, row.old, row.subject)
    if not told or not {fact.entity_id for fact in told} <= entities(row, row.old):
        yield f"not understood: {row.say(say, row.old)}"
    ledger.say(row.say(say, row.third, row.other), remembered=remembered)
    if again != say:
        ledger.say(row.say(again, row.old), remembered=remembered)
        if len(ledger.active) < len(ledger.facts):
            yield f"the same, and retired: {row.say(say, row.old)} / {row.say(again, row.old)}"
    ledger.say(row.say(then), remembered=remembered)
    if giving(ledger.active, row.old, row.subject):
        yield f"still there: {row.say(say, row.old)} / {row.say(again, row.old)} / {row.say(then)}"
    if "{value}" in then and not giving(ledger.active, row.value, row.subject):
        yield f"lost: {row.say(then)}"
    if not giving(ledger.active, row.third, row.other):
        yield f"of another: {row.say(say, row.third, row.other)} / {row.say(then)}"


def stays(row: Filled, say: str, *, remembered: bool) -> Iterator[str]:
    """What goes wrong when a value is denied, asked, supposed or quoted after another one was said."""
    for text in (*not_said(row.say(say, row.old)), *(row.say(ask) for ask in row.slot.ask)):
        ledger = Ledger()
        ledger.say(row.say(say), remembered=remembered)
        ledger.say(text, remembered=remembered)
        if giving(ledger.active, row.old, row.subject) or not giving(ledger.active, row.value, row.subject):
            yield text


def taken_once(slot: UnderstoodSlot) -> list[tuple[str, str, str]]:
    """Each way once: one to say it, another one, and what ends or changes it."""
    after = [*slot.change, *slot.end]
    most = max(len(slot.say), len(after))
    ways = zip(cycle(slot.say), cycle([*slot.say[1:], slot.say[0]]), cycle(after), strict=False)
    return list(islice(ways, most))


def parse_all(row: Filled) -> None:
    slot = row.slot
    parsed_at_once(
        [
            *(row.say(way, value) for way in slot.say for value in (row.old, row.value)),
            *(row.say(way, row.third, row.other) for way in slot.say),
            *(row.say(way) for way in (*slot.change, *slot.end, *slot.ask)),
        ]
    )


@pytest.mark.parametrize("slot", SLOTS)
def test_what_is_said_in_the_listed_ways_is_understood_and_changed(slot: UnderstoodSlot) -> None:
    row = filled(slot, Random(slot.name))
    parse_all(row)
    wrong = [
        one for number, ways in enumerate(taken_once(slot)) for one in lives(row, *ways, remembered=bool(number % 2))
    ]
    assert not wrong


@pytest.mark.parametrize("slot", SLOTS)
def test_what_is_denied_asked_supposed_or_quoted_says_nothing(slot: UnderstoodSlot) -> None:
    row = filled(slot, Random(slot.name))
    say = Random(slot.name).choice(slot.say)
    assert not list(stays(row, say, remembered=len(slot.name) % 2 > 0))


@pytest.mark.parametrize("slot", [pytest.param(slot, id=slot.name) for slot in understood() if slot.many])
def test_a_slot_of_many_values_keeps_them(slot: UnderstoodSlot) -> None:
    row = filled(slot, Random(slot.name))
    for say, remembered in product(slot.say, (False, True)):
        ledger = Ledger()
        ledger.say(row.say(say, row.old), remembered=remembered)
        ledger.say(row.say(say), remembered=remembered)
        assert giving(ledger.active, row.old, row.subject), say
        assert giving(ledger.active, row.value, row.subject), say


def test_there_are_slots_of_work_of_private_life_and_of_any_noun() -> None:
    assert len(understood()) >= 25
    assert any("made_up" in slot.noun for slot in understood())
    assert all(slot.say and slot.ask and (slot.change or slot.end) for slot in understood())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slot", SLOTS)
def test_every_crossing_of_the_ways_is_understood(slot: UnderstoodSlot, seed: int) -> None:
    row = filled(slot, Random(f"{slot.name} {seed}"))
    parse_all(row)
    wrong = []
    for remembered in (False, True):
        for number, (say, then) in enumerate(product(slot.say, (*slot.change, *slot.end))):
            again = slot.say[number % len(slot.say)]
            wrong += lives(row, say, again, then, remembered=remembered)
        wrong += [text for say in slot.say for text in stays(row, say, remembered=remembered)]
    assert not wrong
