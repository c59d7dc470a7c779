"""Nothing positive is drawn from what a sentence denies, supposes or calls false, and nothing is lost beside it."""

from datetime import UTC, datetime

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction import extract

PARSER = SpacyParser()
SAID = datetime(2026, 2, 10, tzinfo=UTC)


def read(text: str) -> Extraction:
    return extract([SourceMessage(role="user", text=text, created_at=SAID)], PARSER.parse([text]))


def edges(found: Extraction) -> list[str]:
    return [f"{one.source} {one.type} {one.target}" for one in found.dependencies]


@pytest.mark.parametrize(
    "text",
    [
        "Neither Mirko nor Hanne owns depot-api.",
        "tide-plots uses neither Redis nor RabbitMQ.",
        "It isn't true that Hanne maintains depot-api.",
        "It is false that tide-plots depends on Redis.",
        "Somebody claims that Mirko owns depot-api, which is wrong.",
        "Nobody claims that tide-plots uses Kafka.",
        "If tide-plots uses Kafka, we are in trouble.",
    ],
)
def test_what_is_denied_or_supposed_links_nothing(text: str) -> None:
    found = read(text)
    assert edges(found) == []
    assert all(text.startswith(one.content[:7]) for one in found.attributes)


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("depot-api can't start without lamp-service.", "depot-api requires lamp-service"),
        ("depot-api won't come up unless lamp-service answers.", "depot-api requires lamp-service"),
        ("depot-api publishes to Kafka and not to RabbitMQ.", "depot-api produces Kafka"),
        ("No, depot-api uses Redis.", "depot-api uses Redis"),
        ("depot-api belongs to Hanne, do not touch it.", "depot-api owned_by Hanne"),
        ("Hanne says that depot-api uses Redis.", "depot-api uses Redis"),
    ],
)
def test_what_is_asserted_beside_a_denial_still_links(text: str, edge: str) -> None:
    assert edge in edges(read(text))


def test_what_gave_way_is_not_needed() -> None:
    found = edges(read("depot-api, which replaced shed-api, depends on MySQL."))
    assert found == ["depot-api depends_on MySQL"]


def test_a_second_definite_noun_is_another_thing() -> None:
    found = read("The kiosk app calls the API, and the API calls the database.")
    assert [one.content for one in found.attributes] == ["The kiosk app calls the API", "The API calls the database"]


def test_a_denial_keeps_its_own_words() -> None:
    (fact,) = read("Neither Mirko nor Hanne owns depot-api.").attributes
    assert (fact.entity, fact.content) == ("depot-api", "Neither Mirko nor Hanne owns depot-api")


def test_who_somebody_is_does_not_hide_their_numbers() -> None:
    told = {(one.entity, one.content) for one in read("My cat Tove is 9 years old and weighs 4.5 kg.").attributes}
    assert ("user", "the user's cat is Tove") in told
    assert ("Tove", "The user's cat Tove weighs 4.5 kg") in told


@pytest.mark.parametrize("name", ["MQ-Gateway", "Kiosk-API", "Order-Hub"])
def test_a_name_with_hyphens_is_one_name(name: str) -> None:
    assert edges(read(f"{name} depends on Kafka.")) == [f"{name} depends_on Kafka"]


def test_what_somebody_begins_with_holds_from_its_day() -> None:
    (begun,) = read("Zita starts at Bluewater on January 15, 2027.").attributes
    (dated,) = read("The lease starts on 15 January 2027.").attributes
    assert begun.valid_from == datetime(2027, 1, 15, tzinfo=UTC)
    assert dated.valid_from is None


def test_an_it_that_means_nothing_stands_for_nothing() -> None:
    found = read("depot-api is slow. It is false that tide-plots depends on Redis.")
    assert not any("depot-api is false" in one.content for one in found.attributes)
