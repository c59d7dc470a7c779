"""The parser against the real English model."""

import threading

import pytest
import spacy
from thinc.api import get_current_ops

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.parsed import ParsedText
from graphmem.rules.statements import MAX_READ_CHARS


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    parser = SpacyParser()
    parser.load()
    return parser


def test_tokens_point_into_the_text(parser: SpacyParser) -> None:
    text = "Hey!  The auth service depends on Postgres\nand talks to `billing-service`."
    (parsed,) = parser.parse([text])
    assert all(text[token.start : token.end] == token.text for token in parsed.tokens)
    assert [t.text for t in parsed.tokens if t.tag == "NNP"] == ["Postgres", "billing-service"]
    assert all(0 <= token.head < len(parsed.tokens) for token in parsed.tokens)


def test_sentences_are_the_ones_of_the_rules(parser: SpacyParser) -> None:
    text = "billing-service uses app.py v1.2. Alice owns it."
    (parsed,) = parser.parse([text])
    spans = [text[parsed.tokens[s.first].start : parsed.tokens[s.last - 1].end] for s in parsed.sentences]
    assert spans == ["billing-service uses app.py v1.2.", "Alice owns it."]


def test_code_questions_and_courtesies_are_not_parsed(parser: SpacyParser) -> None:
    (parsed,) = parser.parse(["Thanks!\n```\nx uses y\n```\nWhat is it?\nAlice lives in Berlin."])
    assert [token.text for token in parsed.tokens] == ["Alice", "lives", "in", "Berlin", "."]


def test_people_and_places_are_named(parser: SpacyParser) -> None:
    (parsed,) = parser.parse(["Bob Miller moved to Berlin."])
    assert {parsed.tokens[n.first].text: n.label for n in parsed.names} == {"Bob": "PERSON", "Berlin": "GPE"}


@pytest.mark.parametrize("text", ["", " \n ", "!!!", "🙂🙂", "\x00", "```\nopen"])
def test_odd_texts_give_a_parsed_text(parser: SpacyParser, text: str) -> None:
    (parsed,) = parser.parse([text])
    assert parsed.text == text


def test_long_text_is_parsed_up_to_the_bound(parser: SpacyParser) -> None:
    text = "Alice lives in Berlin. " * 2_000
    (parsed,) = parser.parse([text])
    assert parsed.text == text
    assert 0 < parsed.tokens[-1].end <= MAX_READ_CHARS


def test_threads_take_turns(parser: SpacyParser) -> None:
    results: list[list[ParsedText]] = []
    threads = [threading.Thread(target=lambda: results.append(parser.parse(["Alice owns Redis."]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] for result in results)


def test_no_texts_give_nothing(parser: SpacyParser) -> None:
    assert parser.parse([]) == []


def test_matrices_are_multiplied_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own library takes three times as long."""
    own: list[bool] = []

    def load(_name: str) -> spacy.language.Language:
        own.append(get_current_ops().use_blis)
        return spacy.blank("en")

    monkeypatch.setattr(spacy, "load", load)
    SpacyParser().load()
    assert own == [False]
