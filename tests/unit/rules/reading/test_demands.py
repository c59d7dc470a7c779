"""Which clauses demand something though they use none of the phrases of written rules."""

from time import perf_counter

import pytest

from graphmem.rules.reading.demands import demand_of
from graphmem.rules.reading.statements import is_constraint


@pytest.mark.parametrize(
    ("clause", "demand"),
    [
        ("Visitors have to sign the book", "obliged"),
        ("the lids are to be kept shut", "obliged"),
        ("apprentices aren't to open the kiln", "obliged"),
        ("nobody's to feed the horses", "obliged"),
        ("a guest may not bring a dog", "permitted"),
        ("none of the interns may sign", "permitted"),
        ("each crew may carry two crates at most", "permitted"),
        ("only the night shift may unlock it", "permitted"),
        ("Glass is strictly forbidden at the pool", "forbidden"),
        ("my doctor has forbidden me salt", "forbidden"),
        ("the landlord doesn't allow pets", "forbidden"),
        ("nobody rides without a helmet", "nobody"),
        ("during lambing nothing leaves the barn before dawn", "nobody"),
        ("so no drilling after ten", "none"),
        ("On Sundays no deliveries get accepted", "none"),
        ("please don't prune the roses", "leave"),
        ("never feed the swans", "leave"),
        ("we pay by card, never in cash", "leave"),
        ("the archive opens only with two keys", "only"),
        ("each invoice needs the treasurer's approval", "granted"),
    ],
)
def test_a_demand_is_known_by_its_modality(clause: str, demand: str) -> None:
    assert demand_of(clause) == demand
    assert is_constraint(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "I have to buy milk",
        "We have to leave now",
        "that has to do with the weather",
        "the goal is not to win",
        "she may not know it",
        "nobody noticed the noise",
        "nobody in the choir sings bass",
        "nothing works",
        "no idea before noon",
        "no problems with the boiler so far",
        "never mind the gap",
        "don't worry about it",
        "I was told only by chance",
        "errors show up only with old cables",
        "the shed needs paint",
        "The bakery opens at six",
        "",
    ],
)
def test_what_only_tells_demands_nothing(clause: str) -> None:
    assert demand_of(clause) == ""


@pytest.mark.parametrize("clause", ["does nobody ride without a helmet?", "no drilling after ten?"])
def test_a_question_lays_nothing_down(clause: str) -> None:
    assert not is_constraint(clause)


@pytest.mark.parametrize(
    "unit",
    ["a ", "no ", "nobody ", "nobody in ", "so no x ", "need a ", "only ", "is ", "may a ", "a-", "'", ", no a-", "x"],
)
def test_a_hostile_text_takes_little_time(unit: str) -> None:
    started = perf_counter()
    for first in ("", "no ", "nobody may ", "on x "):
        demand_of((first + unit * 20_000)[:20_000])
    assert perf_counter() - started < 1


def test_only_the_beginning_of_a_long_clause_is_looked_at() -> None:
    assert demand_of("x" * 400 + ", no drilling after ten") == ""
