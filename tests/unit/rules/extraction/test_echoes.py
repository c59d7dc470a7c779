"""A noun that names nothing may mean what has it in its name, and a question what its answer is about."""

import pytest

from api.extracting import draw
from graphmem.adapters.parsing import SpacyParser
from graphmem.model.inputs import NewMessage
from graphmem.model.parsed import Token
from graphmem.rules.extraction.echoes import Echoes
from graphmem.settings import load_settings


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    return SpacyParser()


def facts(parser: SpacyParser, *said: str) -> set[tuple[str, str]]:
    messages = [NewMessage(role="user", name="Maya", content=words) for words in said]
    found = draw(messages, None, parser, load_settings().extraction_limits)
    return {(one.entity, one.content) for one in found.attributes}


def noun(text: str, lemma: str = "", tag: str = "NN") -> Token:
    return Token(text, lemma or text, "NOUN", tag, "nsubj", 0, 0, len(text))


def test_names_are_heard_by_their_last_word_and_by_others() -> None:
    echoes = Echoes([("Sample Tracker", ("Sample Tracker", "the bug-tracker")), ("Redis", ("Redis",))])
    assert echoes.headed(noun("trackers", "tracker", "NNS")) == ("Sample Tracker",)
    assert echoes.named_with(noun("sample")) == echoes.named_with(noun("bug")) == ("Sample Tracker",)
    assert echoes.headed(noun("redis")) == (), "a name of one word is a name, and no echo"
    assert echoes.headed(noun("Tracker", "tracker", "NNP")) == ()
    assert Echoes([("!", ("!", ""))]).headed(noun("")) == ()


def test_a_fact_is_kept_of_what_a_noun_means(parser: SpacyParser) -> None:
    said = "The Sample Tracker is written in Go.", "Nadia looks after it.", "The tracker keeps its rows in Postgres."
    assert ("Sample Tracker", "The tracker keeps its rows in PostgreSQL") in facts(parser, *said)


def test_an_answer_is_about_what_was_asked_about(parser: SpacyParser) -> None:
    told = "Brightloom Gateway is our payment service.", "Pickwall is our scheduler."
    answer = "It is hosted in Frankfurt."
    found = facts(parser, *told, "Where does Brightloom Gateway run?", answer)
    assert ("Brightloom Gateway", "It is hosted in Frankfurt") in found
    found = facts(parser, *told, "Where does Pickwall run?", answer)
    assert ("Brightloom Gateway", "It is hosted in Frankfurt") not in found
