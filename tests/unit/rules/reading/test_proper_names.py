"""Names as people write them, and what only looks like one."""

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.knowledge import EntityType
from graphmem.rules.reading.mentions import find_mentions
from graphmem.rules.reading.naming import Mention, Voice
from graphmem.rules.reading.proper_names import full_names, heard_names
from graphmem.rules.reading.statements import prose_sentences

PARSER = SpacyParser()


def mentions(text: str) -> list[Mention]:
    (parsed,) = PARSER.parse([text])
    heard, full = heard_names([parsed]), full_names([parsed])
    voice = Voice("Alice", None, frozenset({"Alice"}), frozenset(), heard, frozenset(), full)
    return [m for named in find_mentions(parsed, prose_sentences(text), voice) for m in named]


def names(text: str) -> list[str]:
    return [mention.name for mention in mentions(text)]


def test_first_name_means_the_person_named_in_full() -> None:
    assert names("I met Marco Rossi in the lab. Since then Marco works on the parser.")[:2] == ["Marco Rossi"] * 2


def test_what_explains_a_name_is_no_name_of_its_own() -> None:
    found = mentions("The depot runs Pebble (the label printer daemon) on every host.")
    assert "label printer daemon" not in [mention.name for mention in found]


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        ("ledger-core writes into the event spool.", "event spool", EntityType.SYSTEM),
        ("The supplier audit blocks the launch of the shop.", "supplier audit", EntityType.CONCEPT),
    ],
)
def test_thing_of_two_nouns_is_named(text: str, expected: str, kind: EntityType) -> None:
    assert [mention.type for mention in mentions(text) if mention.name == expected] == [kind]


@pytest.mark.parametrize(
    "text", ["It is announced in the release notes.", "The weekend trip was fine.", "The product owner is Solveig."]
)
def test_common_things_of_two_nouns_are_none(text: str) -> None:
    assert not [mention for mention in mentions(text) if mention.found == "phrase"]


def test_head_alone_means_the_longer_name_said_before() -> None:
    assert names("The payroll exporter reads from Kafka. The exporter needs Kafka.") == [
        "payroll exporter",
        "Kafka",
        "payroll exporter",
        "Kafka",
    ]


def test_medicines_are_named_and_months_are_not() -> None:
    assert [m.name for m in mentions("Alice takes ramipril since April.") if m.type is EntityType.CONCEPT] == [
        "ramipril"
    ]
