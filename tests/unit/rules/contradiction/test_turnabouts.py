"""What holds now, and what became of a plan."""

import pytest

from graphmem.rules.contradiction.gists import gist
from graphmem.rules.contradiction.turnabouts import turned

NOW = [
    ("The dog sleeps in the kitchen.", "The dog now sleeps in the garage."),
    ("The minutes are written by Aisha.", "Ben writes the minutes these days."),
    ("The pears are packed in boxes.", "The pears have been packed in bags since January."),
]
BESIDE = [
    ("The bakery sells bread.", "The bakery now sells cakes."),
    ("The dog sleeps in the kitchen.", "The cat now sleeps in the garage."),
    ("Rosa leaves her laptop at home.", "Nils now leaves his laptop at home."),
    ("The team uses Miro for retrospectives.", "The team now uses Linear for bugs."),
]
OFF = [
    ("We plan to launch the app in May.", "The launch of the app has been put off."),
    ("The band will play on the main stage.", "The band has been moved to the small stage."),
]
STILL_ON = [
    ("We intend to buy a printer.", "The purchase of a scanner has been cancelled."),
    ("Our wedding is planned for June.", "Mirela and Stefan have called off their wedding."),
]


@pytest.mark.parametrize(("old", "new"), NOW)
def test_what_holds_now_takes_the_place_of_what_was(old: str, new: str) -> None:
    assert turned(gist(old), gist(new), planned=False, later=True)


@pytest.mark.parametrize(("old", "new"), NOW)
def test_within_a_day_now_alone_is_not_enough(old: str, new: str) -> None:
    assert turned(gist(old), gist(new), planned=False, later=False) is None


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_others_and_other_things_stay(old: str, new: str) -> None:
    assert turned(gist(old), gist(new), planned=False, later=True) is None


@pytest.mark.parametrize(("old", "new"), OFF)
def test_a_plan_is_off_where_something_is_said_of_it(old: str, new: str) -> None:
    assert turned(gist(old), gist(new), planned=True, later=True)


@pytest.mark.parametrize(("old", "new"), STILL_ON)
def test_a_plan_of_others_or_of_something_else_is_not(old: str, new: str) -> None:
    assert turned(gist(old), gist(new), planned=True, later=True) is None
