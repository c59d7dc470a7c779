from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.extraction import extract
from graphmem.rules.scoring import Scorer, Scoring

PARSER = SpacyParser()
EVERYTHING = Scorer(("keep",), (9.0,), {})
NOTHING = Scorer(("keep",), (-9.0,), {})


def read(*texts: str, entities: Scorer | None = None) -> Extraction:
    messages = [SourceMessage(role="user", text=text, name="Alice") for text in texts]
    scoring = Scoring({"entities": entities} if entities else {})
    return extract(messages, PARSER.parse(texts), scoring=scoring)


def test_a_name_that_no_rule_sees_is_found_where_it_stands():
    text = "ledger-api uses Redis, and marmot pulls the files of the bank at night."
    found = read(text, entities=EVERYTHING)
    marmot = next(one for one in found.entities if one.name == "marmot")
    assert [text[span.start : span.end] for span in marmot.mentions] == ["marmot"]


def test_facts_and_dependencies_go_with_the_entity_they_are_about():
    assert read("ledger-api uses Redis.").dependencies
    assert read("ledger-api uses Redis.", entities=NOTHING) == Extraction()


def test_where_nothing_is_kept_nothing_is_named():
    assert read("Let me have a look at ledger-api and Redis.", entities=EVERYTHING) == Extraction()


def test_somebody_who_says_something_of_themselves_is_kept_whatever_the_score():
    found = read("I live in Lisbon.", entities=NOTHING)
    assert [one.name for one in found.entities] == ["Alice"]
    assert [one.entity for one in found.attributes] == ["Alice"]


def test_tool_messages_offer_no_names():
    messages = [
        SourceMessage(role="user", text="ledger-api uses Redis.", name="Alice"),
        SourceMessage(role="tool", text="The Marmot daemon of Ossining runs well on Tuesdays."),
    ]
    found = extract(messages, PARSER.parse([one.text for one in messages]), scoring=Scoring({"entities": EVERYTHING}))
    assert not any(span.message == 1 for one in found.entities for span in one.mentions)
