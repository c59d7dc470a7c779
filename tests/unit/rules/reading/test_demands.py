"""Which clauses demand something though they use none of the phrases of written rules."""

import pytest

from graphmem.rules.reading.demands import demand_of
from tests.effort import little_work


@pytest.mark.parametrize(
    "unit",
    ["a ", "no ", "nobody ", "nobody in ", "so no x ", "need a ", "only ", "is ", "may a ", "a-", "'", ", no a-", "x"],
)
def test_a_hostile_text_takes_little_time(unit: str) -> None:
    with little_work():
        for first in ("", "no ", "nobody may ", "on x "):
            demand_of((first + unit * 20_000)[:20_000])


def test_only_the_beginning_of_a_long_clause_is_looked_at() -> None:
    assert demand_of("x" * 400 + ", no drilling after ten") == ""
