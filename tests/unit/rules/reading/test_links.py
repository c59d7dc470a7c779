"""Who needs whom, as whole messages say it."""

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction.extraction import extract

PARSER = SpacyParser()


def read(*texts: str, project: str | None = None) -> Extraction:
    messages = [SourceMessage(role="user", text=text, name="Lena") for text in texts]
    return extract(messages, PARSER.parse(list(texts)), project=project)


def arrows(found: Extraction) -> set[str]:
    return {f"{edge.source} {edge.type} {edge.target}" for edge in found.dependencies}


SAID = [
    ("tax-service keeps its rates in Redis.", {"tax-service uses Redis"}),
    (
        "mail-worker and sms-worker both write to event-store.",
        {"mail-worker uses event-store", "sms-worker uses event-store"},
    ),
    ("quote-api is proxied by HAProxy.", {"quote-api uses HAProxy"}),
    ("quote-api can't start without auth-service.", {"quote-api requires auth-service"}),
    ("quote-api won't come up until auth-service answers.", {"quote-api requires auth-service"}),
    ("quote-api waits for auth-service.", {"quote-api blocks auth-service"}),
    ("auth-service feeds quote-api.", {"quote-api informs auth-service"}),
    (
        "quote-api publishes to event-store and billing-api reads from there.",
        {"quote-api produces event-store", "billing-api consumes event-store"},
    ),
]


@pytest.mark.parametrize(("text", "expected"), SAID, ids=[text for text, _ in SAID])
def test_what_stands_before_and_behind_a_verb_tells_who_needs_whom(text: str, expected: set[str]) -> None:
    assert arrows(read(text)) == expected


UNSAID = [
    "tax-service might keep its rates in Redis.",
    "tax-service no longer keeps its rates in Redis.",
    "tax-service kept its rates in Redis.",
    "tax-service wants to talk to quote-api.",
    "We will find out if tax-service reads from quote-api.",
]


@pytest.mark.parametrize("text", UNSAID)
def test_what_is_unsure_denied_or_over_needs_nothing(text: str) -> None:
    assert arrows(read(text)) == set()


def test_what_a_plural_noun_belongs_to_is_the_project() -> None:
    assert arrows(read("uploads go to MinIO.", project="heron")) == {"heron uses MinIO"}


def test_it_means_what_the_message_before_asked_about() -> None:
    found = read("Where does quote-api keep its sessions?", "For a year now it keeps them in Redis.")
    assert arrows(found) == {"quote-api uses Redis"}


def test_a_list_entry_is_said_of_the_name_that_it_opens_with() -> None:
    assert "quote-api uses Caddy" in arrows(read("`quote-api` — computes prices, served by Caddy"))


def test_what_is_mine_is_owned_by_who_speaks() -> None:
    assert arrows(read("quote-api is mine.")) == {"quote-api owned_by Lena"}
