"""Of what there is one alone, and when another one is told of."""

import pytest

from graphmem.rules.contradiction.soleness import sole, tells_another

ANOTHER = [
    ("The only language Piet speaks is Dutch.", "Piet speaks fluent Portuguese."),
    ("Amina has just one pet, a tortoise.", "Amina has a parrot in addition to her tortoise."),
    ("Judo is the only sport the club offers.", "The club offers fencing in the hall."),
    ("Cleo has no allergies other than peanuts.", "Cleo is allergic to penicillin."),
    ("Nobody but Iris has a key to the barn.", "Dennis was given a key to the barn."),
    ("The leaflet exists in English alone.", "A Korean edition of the leaflet is available as well."),
]
THE_SAME = [
    ("The only language Piet speaks is Dutch.", "Piet speaks at conferences."),
    ("The only instrument Ana plays is the harp.", "Ana plays tennis."),
    ("The shop accepts nothing but cash.", "The shop sells holders for cards."),
    ("Only the treasurer signs contracts.", "The contract with Mirabel is signed."),
    ("The bar serves only beer on Mondays.", "The bar serves cocktails on Fridays."),
    ("Judo is the only sport the club offers.", "Our rowing club has 86 members."),
    ("Ana speaks Dutch.", "Ana speaks French too."),
]


@pytest.mark.parametrize(("old", "new"), ANOTHER)
def test_another_one_ends_that_there_is_one_alone(old: str, new: str) -> None:
    assert tells_another(old, new)


@pytest.mark.parametrize(("old", "new"), THE_SAME)
def test_what_is_of_another_sort_or_of_others_ends_nothing(old: str, new: str) -> None:
    assert tells_another(old, new) is None


def test_a_statement_of_one_among_many_says_nothing_of_the_kind() -> None:
    assert sole("Ana speaks Dutch, French and Thai.") is None
