"""Each predicate of a clause is a fact of its own, which has its own claims, times and place, and no bare pronoun."""

from datetime import UTC, datetime

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction import extract

PARSER = SpacyParser()
SAID = datetime(2026, 2, 10, tzinfo=UTC)


def read(*texts: str) -> Extraction:
    said = [SourceMessage(role="user", name="Mara", text=text, created_at=SAID) for text in texts]
    return extract(said, PARSER.parse(list(texts)))


def facts(*texts: str) -> list[str]:
    return [one.content for one in read(*texts).attributes]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "My sister Beate lives in Leeds and works as a nurse.",
            {"Beate lives in Leeds": 1, "Beate works as a nurse": 1, "Mara's sister is Beate": 0},
        ),
        ("The bakery opens at 7 and closes at 18.", {"The bakery opens at 7": 1, "The bakery closes at 18": 1}),
        (
            "I live in Porto, work at Globex and drive a Fiat.",
            {"Mara lives in Porto": 1, "Mara works at Globex": 1, "Mara drives a Fiat": 1},
        ),
        (
            "I will move to Bergen and start at Globex.",
            {"Mara will move to Bergen": 1, "Mara will start at Globex": 1},
        ),
        ("The kiln was sold for 900 euros.", {"The kiln was sold for 900 euros": 1}),
    ],
)
def test_a_predicate_is_a_fact_with_claims_of_its_own(text: str, told: dict[str, int]) -> None:
    assert {one.content: len(one.claims) for one in read(text).attributes} == told


def test_a_joined_verb_shares_what_helps_and_denies_the_one_before() -> None:
    claims = {one.content: one.claims[0] for one in read("Lena can't lift 30 kg or climb 3 flights.").attributes}
    assert {content: claim.negative for content, claim in claims.items()} == {
        "Lena can't lift 30 kg": True,
        "Lena can't climb 3 flights": True,
    }
    planned = read("I will move to Bergen and start at Globex.").attributes
    assert [claim.mood for one in planned for claim in one.claims] == ["planned", "planned"]


def test_a_predicate_holds_since_its_own_day() -> None:
    found = read("I moved from Lyon to Porto in May and started at Globex in June.").attributes
    assert [(one.valid_from.month, one.content) for one in found if one.valid_from] == [
        (5, "Mara moved from Lyon to Porto in May 2025"),
        (6, "Mara started at Globex in June 2025"),
    ]


def test_a_fact_tells_which_words_say_it_in_the_message_and_in_its_statement() -> None:
    text = "By the way: my sister Beate lives in Leeds and works as a nurse."
    found = read(text)
    (statement,) = found.statements
    placed = {one.content: one for one in found.attributes}
    said = {content: text[slice(*one.clause)] for content, one in placed.items() if one.clause}
    worded = {content: statement.content[slice(*one.worded)] for content, one in placed.items() if one.worded}
    assert said == {
        "Beate lives in Leeds": "my sister Beate lives in Leeds",
        "Beate works as a nurse": "works as a nurse.",
        "Mara's sister is Beate": "my sister Beate",
    }
    assert worded["Beate works as a nurse"] == "works as a nurse"
    assert worded["Mara's sister is Beate"].casefold() == "mara's sister beate"


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["Our rent is 640 euros. It's 690 euros now."], "Mara's rent is 690 euros now"),
        (["I put the workshop rent up, it is 690 euros now."], "The workshop rent is 690 euros now"),
        (["The society put the rent up, it is 75 euros now."], "The rent is 75 euros now"),
        (["We have a new kiln.", "It weighs 300 kg."], "The new kiln weighs 300 kg"),
        (["The tickets are for Friday. They cost 40 euros each."], "The tickets cost 40 euros each"),
        (["The review is on Tuesday. It is Wednesday now."], "The review is"),
    ],
)
def test_it_and_they_are_named_as_what_was_spoken_of(texts: list[str], told: str) -> None:
    assert any(content.startswith(told) for content in facts(*texts))


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["The gate opens at 7. They cost 40 euros each."], "They cost 40 euros each"),
        (["The gates open at 7. It costs 40 euros."], "It costs 40 euros"),
    ],
)
def test_one_thing_is_not_several(texts: list[str], told: str) -> None:
    assert told in facts(*texts)


def test_what_day_it_is_is_told_of_nothing() -> None:
    assert facts("We have a new kiln.", "It's Monday.") == []
