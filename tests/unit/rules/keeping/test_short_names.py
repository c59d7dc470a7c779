"""A name that is none of an entity's names finds the one entity it can mean."""

import pytest

from graphmem.model.knowledge import EntityType
from graphmem.model.stored import KnownEntity
from graphmem.rules.keeping.short_names import meant, other_names
from graphmem.rules.language.text import canonical_name


def known(name: str) -> KnownEntity:
    return KnownEntity(canonical_name(name), canonical_name(name), f"id of {name}", name, EntityType.UNKNOWN, False)


def looked_up(given: str, there: list[str]) -> str | None:
    """The id that a look-up finds in a graph with these names."""
    wanted = set(other_names(given))
    named = [known(name) for name in there if canonical_name(name) in wanted]
    return meant(given, named, [known(n) for n in there if canonical_name(n).startswith(canonical_name(given))])


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("postgres", "PostgreSQL"),
        ("k8s", "Kubernetes"),
        ("marten", "MartenDB"),
        ("martendb", "Marten"),
        ("tinker", "tinker.js"),
        ("tariff", "tariff service"),
        ("tariff-service", "tariff"),
        ("Globex", "Globex GmbH"),
        ("Globex, Inc.", "Globex"),
        ("Globex Ltd", "Globex Inc."),
    ],
)
def test_the_only_entity_that_is_meant_is_found(given: str, name: str) -> None:
    assert looked_up(given, [name, "Redis"]) == f"id of {name}"


@pytest.mark.parametrize(
    ("given", "there"),
    [
        ("tariff", ["tariff service", "tariff database"]),
        ("marten", ["MartenDB", "MartenSQL"]),
        ("post", ["PostgreSQL"]),
        ("kub", ["Kubernetes"]),
        ("mar", ["MarDB"]),
        ("tariff", ["tariff reform"]),
    ],
)
def test_what_could_mean_two_or_anything_is_not_guessed(given: str, there: list[str]) -> None:
    assert looked_up(given, there) is None
