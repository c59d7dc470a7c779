"""Plain statements are kept outside of every template: about the right thing, only where they last."""

from datetime import UTC, datetime

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction.extraction import extract

PARSER = SpacyParser()


def read(*texts: str, project: str | None = None, name: str | None = "Nadia", role: str = "user") -> Extraction:
    at = datetime(2026, 3, 2, 10, tzinfo=UTC)
    messages = [SourceMessage(role=role, text=text, name=name, created_at=at) for text in texts]
    return extract(messages, PARSER.parse(texts), project=project)


def facts(found: Extraction) -> set[tuple[str, str]]:
    return {(attribute.entity, attribute.content) for attribute in found.attributes}


@pytest.mark.parametrize(
    ("text", "about", "words"),
    [
        ("db-main replicates to db-standby in Porto.", "db-main", "replicates"),
        ("The metrics exporter sits on 9102.", "metrics exporter", "9102"),
        ("The runbook of the session store is runbooks/session-store.md.", "session store", "runbook"),
        ("The raw videos are on the shared drive in room 2.14.", "atlas", "raw videos"),
        ("We keep kestrel-gateway as one service until the pilot is over.", "kestrel-gateway", "one service"),
        ("I take my thyroid pill every morning at 6:30.", "Nadia", "thyroid pill"),
        ("My brother Kaveh is a nurse at Sahlgrenska.", "Nadia", "Kaveh"),
        ("Juma is first author of the paper.", "Juma", "first author"),
        ("The bird count takes two days in June.", "bird count", "two days"),
        ("Tilda presents the budget to the board on 2026-03-23.", "Tilda", "presents"),
        ("quote-api: Nadia", "quote-api", "Nadia"),
        ("`quote-api` — computes prices for the web shop", "quote-api", "computes prices"),
    ],
)
def test_a_plain_statement_is_about_what_its_subject_names(text: str, about: str, words: str) -> None:
    found = facts(read(text, project="atlas"))
    assert any(entity == about and words in content for entity, content in found), found


def test_an_assistant_without_a_name_tells_no_news_of_the_world() -> None:
    assert not read("bioRxiv usually screens a manuscript within two days.", name=None, role="assistant").attributes
    assert not read("PostgreSQL uses MVCC for its isolation.", name=None, role="assistant").attributes
    told = read("orders-api listens on port 8443.", name=None, role="assistant", project="atlas")
    assert facts(told) == {("orders-api", "orders-api listens on port 8443")}


def test_a_head_alone_means_the_name_before_it() -> None:
    found = read("The session store runs on Valkey. Flushing the store is forbidden while users are logged in.")
    (rule,) = (attribute for attribute in found.attributes if attribute.kind == "constraint")
    assert rule.entity == "session store"


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("We decided to ship ledger-api 2.0 on 12 May.", "2026"),
        ("ledger-api is maintained by Gor since January.", "2026"),
    ],
)
def test_a_day_without_a_year_is_the_near_one(text: str, content: str) -> None:
    assert any(content in fact for _, fact in facts(read(text)))


def test_what_is_asked_behind_a_statement_leaves_the_statement() -> None:
    assert facts(read("My sister Odile is vegan and lives in Lyon, any ideas?"))
    assert not facts(read("Which database does ledger-api use?"))
