from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.model.knowledge import EntityType
from graphmem.rules.extraction.extraction import extract
from graphmem.rules.extraction.scoring import Scorer, Scoring

PARSER = SpacyParser()
EVERYTHING = Scorer(("keep",), (9_000,), {})
NOTHING = Scorer(("keep",), (-9_000,), {})


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
    unnamed = read("ledger-api uses Redis.", entities=NOTHING)
    assert not unnamed.dependencies
    assert {one.name for one in unnamed.entities} <= {"Alice", "user"}


def test_where_nothing_is_kept_nothing_is_named():
    assert read("Let me have a look at ledger-api and Redis.", entities=EVERYTHING).is_empty


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


def test_a_name_in_small_letters_may_begin_a_sentence():
    text = "pickwall sends its jobs to the print queue."  # which the parser takes for two nouns
    found = read(text, entities=Scorer(("keep",), (-9_000,), {"word pickwall": (20_000,), "size 2": (-40_000,)}))
    assert "pickwall" in [one.name for one in found.entities]


def test_what_a_name_means_is_judged_where_rules_only_guess():
    text = "I look after Nattlys, and ledger-api uses Redis."
    everybody = {"entities": EVERYTHING, "entity-types": Scorer(("person", "system"), (9_000, 0), {})}
    everything = everybody | {"entity-types": Scorer(("person", "system"), (0, 9_000), {})}
    for scorers, kind in ((everybody, EntityType.PERSON), (everything, EntityType.SYSTEM)):
        messages = [SourceMessage(role="user", text=text, name="Alice")]
        found = extract(messages, PARSER.parse([text]), scoring=Scoring(scorers))
        types = {one.name: one.type for one in found.entities}
        assert (types["Nattlys"], types["Redis"], types["Alice"]) == (kind, EntityType.TOOL, EntityType.PERSON)


def test_a_sentence_needs_what_it_names_by_whom_it_is_about():
    asked: list[tuple[str, str, bool]] = []

    class Noting(Scoring):
        def judge(self, model, case, features):
            if model == "dependencies":
                asked.append((case.source.name, case.target.name, "how about" in features))
            if model == "subjects":
                return "keep", float(case.entity == "tidelog")
            return super().judge(model, case, features)

    texts = [
        "tidelog, our logger, lives in Oslo.",
        "Redis and Kafka are run by Mara.",
        "Its values end up in Metabase each night.",
    ]
    messages = [SourceMessage(role="user", text=text, name="Alice") for text in texts]
    extract(messages, PARSER.parse(texts), scoring=Noting({"entities": EVERYTHING}))
    assert ("tidelog", "Metabase", True) in asked
