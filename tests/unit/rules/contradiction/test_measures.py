"""Values of one sort, wherever they stand: the same topic with another value cannot be."""

import pytest

from graphmem.rules.contradiction.measures import differ, measured

APART = [
    ("It takes Ida an hour to get to the mill.", "Ida's journey to the mill lasts about twenty minutes."),
    ("Two people work the night shift.", "The night shift is four people."),
    ("Search is enabled for guests.", "Guests have search disabled."),
    ("Delivery within Belgium is free of charge.", "Belgian customers pay 5 euros for delivery."),
]
BESIDE = [
    ("It takes Ida an hour to get to the mill.", "It takes Ida 20 minutes to get to the port."),
    ("The train from Basel arrives at 10:15.", "The train to Basel arrives at 10:40."),
    ("The red car is fast.", "The blue car is fast."),
    ("It takes about an hour to the mill.", "It takes nearly an hour and ten minutes to the mill."),
    ("The seat costs 5 euros a month.", "The seat costs 50 euros a year."),
    ("The hall has no heating.", "The hall is heated to 20 degrees."),
]


@pytest.mark.parametrize(("old", "new"), APART)
def test_another_value_of_a_sort_is_told(old: str, new: str) -> None:
    assert differ(old, new)
    assert differ(new, old)


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_values_of_two_things_stand_beside_each_other(old: str, new: str) -> None:
    assert differ(old, new) is None


def test_two_values_of_one_sort_are_not_told_apart() -> None:
    assert measured("The lesson lasts one hour or 30 minutes.") is None
    assert measured("The gate opens at 9:00 and at 14:00.") is None


def test_what_a_number_names_is_no_release() -> None:
    told = measured("The tool needs Node 18 or later.")
    assert told is not None
    assert told.values == {"release node": "18"}
    named = measured("Node 18 kitchen speaks Greek.")
    assert named is None or not named.values
