"""How sure what was read once is."""

from datetime import UTC, datetime

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.model.living import Vitality
from graphmem.rules.extraction import extract
from graphmem.rules.extraction.certainty import PLAIN, Certainty, certainty_of, edge_confidence, hedge_of
from graphmem.rules.impact.confidence import confirmed

PARSER = SpacyParser()
SAID = datetime(2026, 2, 10, tzinfo=UTC)


def read(*said: tuple[str, str]) -> Extraction:
    messages = [SourceMessage(role="user", name=name, text=text, created_at=SAID) for name, text in said]
    return extract(messages, PARSER.parse([text for _, text in said]))


def test_hedged_is_less_sure_than_plain_and_that_than_twice_confirmed() -> None:
    (hedged,) = read(("Kim", "As far as I know wick-service depends on lamp-service.")).dependencies
    (plain,) = read(("Kim", "wick-service depends on lamp-service.")).dependencies
    assert hedged.confidence < 0.7 <= plain.confidence < confirmed(plain.confidence, 2, Vitality())
    assert "hedged (as far as i know)" in hedged.basis
    assert "hedged" not in plain.basis


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("The depot uses Odoo", None),
        ("Pretty sure the depot uses Odoo", 0.85),
        ("The depot probably uses Odoo", 0.75),
        ("Perhaps the depot uses Odoo", 0.5),
        ("Not sure, but I think the depot uses Odoo", 0.5),
        ("The unsureness of it all", None),
    ],
)
def test_the_strongest_hedge_of_a_clause_counts(words: str, share: float | None) -> None:
    found = hedge_of(words)
    assert (found and found.share) == share


def test_what_somebody_else_said_or_only_an_assistant_says_is_less_sure() -> None:
    own = certainty_of("the depot uses Odoo", (), "user")
    assert own == Certainty()
    assert certainty_of("the depot uses Odoo", (), "assistant").share < own.share
    (told,) = read(("Kim", "Jonas says wick-service uses Redis.")).attributes
    (said,) = read(("Kim", "wick-service uses Redis.")).attributes
    assert told.confidence < said.confidence == PLAIN
    assert told.basis == "reported"


def test_a_doubt_goes_on_in_what_is_joined_and_ends_with_the_sentence() -> None:
    found = read(
        ("Kim", "Pretty sure wick-service uses Redis, and lamp-service uses Kafka. mail-service uses Postfix.")
    )
    by_entity = {one.entity: one.confidence for one in found.attributes}
    assert by_entity["wick-service"] == by_entity["lamp-service"] < by_entity["mail-service"]


def test_clearer_words_make_surer() -> None:
    sure = [edge_confidence(clarity, Certainty()) for clarity in (0.2, 0.6, 1.0)]
    assert sure == sorted(set(sure))


def test_a_second_speaker_is_kept_as_another_source_of_a_dependency() -> None:
    found = read(("Kim", "wick-service uses Redis."), ("Ana", "Right, wick-service uses Redis for its queue."))
    (edge,) = found.dependencies
    places = {found.statements[at].source.message for at in (edge.statement, *edge.also)}
    assert places == {0, 1}
