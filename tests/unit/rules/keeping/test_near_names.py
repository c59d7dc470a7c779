"""Which names are proposed to mean the same thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.keeping.near_names import MAX_PROPOSED, forms, likenesses, misspelt
from graphmem.rules.language.text import canonical_name

NAMES = st.text(alphabet="abcs 12", min_size=1, max_size=20).map(canonical_name).filter(bool)


def proposed(new: list[str], there: list[str], spelled: list[str] | None = None) -> set[tuple[str, str]]:
    rows = likenesses(new, there, dict.fromkeys(new, spelled or []), lambda: "id")
    return {(row.canonical, row.near) for row in rows}


@pytest.mark.parametrize(
    ("new", "there"),
    [
        ("billing service", "billing"),
        ("billing", "billing service"),
        ("billing", "billing api"),
        ("invoices", "invoice"),
        ("invoice", "invoices"),
        ("retry policies", "retry policy"),
        ("batches", "batch"),
        ("batch", "batches"),
    ],
)
def test_plurals_and_type_words_are_proposed(new: str, there: str) -> None:
    assert proposed([new], [there]) == {(new, there)}


@pytest.mark.parametrize(
    ("new", "there"),
    [
        ("acme", "acme inc"),
        ("acme gmbh", "acme"),
        ("acme gmbh", "acme inc"),
        ("acme, inc", "acme"),
        ("ibx ag", "ibx"),
        ("acme gmbh & co. kg", "acme"),
    ],
)
def test_legal_forms_are_proposed(new: str, there: str) -> None:
    assert proposed([new], [there]) == {(new, there)}


@pytest.mark.parametrize(
    ("new", "there"),
    [("db", "dbs"), ("apis", "api"), ("auth service", "auth api"), ("k8s", "kubernetes"), ("pg", "postgresql")],
)
def test_short_names_other_kinds_and_abbreviations_are_not(new: str, there: str) -> None:
    assert proposed([new], [there], [there]) == set()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("payment gateway", "payments gatway", True),
        ("checkout", "chekcout", True),
        ("checkout", "check out", True),
        ("scheduler", "schedular", True),
        ("marta", "maria", False),
        ("leader service", "reader service", False),
        ("node 1 of atlas", "node 2 of atlas", False),
        ("production", "prediction", False),
    ],
)
def test_slips_of_the_pen_are_told_from_other_words(one: str, other: str, same: bool) -> None:
    assert misspelt(one, other) is same
    assert bool(proposed([one], [], [other])) is same


def test_a_pair_is_proposed_once_and_a_stretch_of_talk_brings_few() -> None:
    assert len(proposed(["billing", "billing service"], ["billing", "billing service"])) == 1
    new = [f"{letter}{letter}{letter}{letter}" for letter in "abcdefghijklmnop"]
    assert len(proposed(new, [f"{name}s" for name in new])) == MAX_PROPOSED


@given(NAMES, NAMES)
def test_misspelling_is_mutual_and_no_name_is_its_own_form(one: str, other: str) -> None:
    assert misspelt(one, other) == misspelt(other, one)
    assert one not in forms(one)
    assert all(canonical_name(form) == form for form in forms(one))
