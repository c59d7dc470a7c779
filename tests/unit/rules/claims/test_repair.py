"""Slips of the parser that grammar alone shows are put right; what is read well stays the same."""

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.parsed import Token
from graphmem.rules.claims.repair import repaired

PARSER = SpacyParser()


def token(text: str, pos: str, tag: str, dep: str, head: int) -> Token:
    return Token(text, text.lower(), pos, tag, dep, head, 0, len(text))


def test_a_verb_behind_an_article_in_the_place_of_a_noun_is_one() -> None:
    slip = [
        token("delayed", "VERB", "VBD", "ROOT", 0),
        token("the", "DET", "DT", "det", 2),
        token("survey", "VERB", "VB", "dobj", 0),
    ]
    assert [one.pos for one in repaired(slip, 0, 3)] == ["VERB", "DET", "NOUN"]


def test_a_noun_before_its_number_is_one_and_what_stands_before_it_a_preposition() -> None:
    slip = [
        token("upgraded", "VERB", "VBD", "ROOT", 0),
        token("to", "PART", "TO", "aux", 2),
        token("version", "VERB", "VB", "advcl", 0),
        token("12.1", "NUM", "CD", "dobj", 2),
    ]
    _, to, version, number = repaired(slip, 0, 4)
    assert (to.dep, to.head) == ("prep", 0)
    assert (version.pos, version.dep, version.head) == ("NOUN", "pobj", 1)
    assert (number.dep, number.head) == ("nummod", 2)


def test_the_one_verb_of_a_sentence_is_its_root() -> None:
    slip = [
        token("price", "NOUN", "NN", "ROOT", 0),
        token("changed", "VERB", "VBN", "acl", 0),
        token("recently", "ADV", "RB", "advmod", 1),
        token(".", "PUNCT", ".", "punct", 0),
    ]
    assert [(one.dep, one.head) for one in repaired(slip, 0, 4)] == [
        ("nsubj", 1),
        ("ROOT", 1),
        ("advmod", 1),
        ("punct", 1),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The kiln runs at 1200 degrees.",
        "Ada wants to pay 20 euros.",
        "The gate that Ada painted is green.",
        "A good run",
    ],
)
def test_what_has_no_slip_is_left_as_it_is(text: str) -> None:
    (parsed,) = PARSER.parse([text])
    assert repaired(parsed.tokens, 0, len(parsed.tokens)) is parsed.tokens
