"""What is drawn from conversations, and within which bounds. Sentences by the hundred: `reading/test_wording.py`."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import ExtractedEntity, Extraction, Limits, SourceMessage
from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.extraction.extraction import extract
from graphmem.rules.language.text import canonical_name

PARSER = SpacyParser()
READINGS = Path(__file__).parents[3] / "data" / "wording" / "readings.jsonl"
WEDNESDAY = datetime(2024, 5, 8, 10, tzinfo=UTC)


def say(*texts: str, name: str | None = "Alice", role: str = "user") -> list[SourceMessage]:
    return [SourceMessage(role=role, name=name, text=text, created_at=WEDNESDAY) for text in texts]


def read(
    messages: Sequence[SourceMessage],
    *,
    known: Sequence[str] = (),
    limits: Limits | None = None,
    project: str | None = None,
) -> Extraction:
    parsed = PARSER.parse([message.text for message in messages])
    return extract(messages, parsed, known=known, limits=limits, project=project)


def arrows(found: Extraction) -> set[str]:
    return {f"{d.source} {d.type.value} {d.target}" for d in found.dependencies}


def types(found: Extraction) -> dict[str, EntityType]:
    return {entity.name: entity.type for entity in found.entities}


def test_dependency_is_explained() -> None:
    (dependency,) = read(say("billing-service uses Redis since last Friday.")).dependencies
    assert (dependency.strength, dependency.reason) == (0.5, "single-memory")
    assert 0.7 < dependency.confidence <= 0.8
    assert dependency.basis.startswith("read by a rule, clarity 0.")
    assert dependency.valid_from == datetime(2024, 5, 3, tzinfo=UTC)
    assert dependency.statement == 0


def test_places_are_exact() -> None:
    text = "Hi Bob, `billing-service` uses Postgres.\nIt is owned by Carol! 🙂 I prefer tabs."
    found = read(say(text))
    spans = [text[s.source.start : s.source.end] for s in found.statements]
    assert spans == ["`billing-service` uses Postgres.", "It is owned by Carol!", "🙂 I prefer tabs."]
    places = {e.name: [text[m.start : m.end] for m in e.mentions] for e in found.entities}
    assert places == {
        "billing-service": ["billing-service"],
        "PostgreSQL": ["Postgres"],
        "Carol": ["Carol"],
        "Alice": ["I"],
    }


def test_one_thing_is_one_entity_with_its_other_spellings() -> None:
    found = read(say("billing-service uses Postgres.", "The billing service needs PostgreSQL 16."))
    assert sorted(types(found)) == ["PostgreSQL", "billing-service"]
    postgres = next(entity for entity in found.entities if entity.name == "PostgreSQL")
    assert postgres.aliases == ("Postgres",)
    assert [mention.message for mention in postgres.mentions] == [0, 1]


def test_entities_have_the_type_that_the_sentence_shows() -> None:
    found = read(
        say("Carol works at Siemens and lives in Porto. Atlas runs on Kubernetes. src/db.py imports SQLAlchemy.")
    )
    assert types(found) == {
        "Carol": EntityType.PERSON,
        "Siemens": EntityType.ORGANISATION,
        "Porto": EntityType.PLACE,
        "Atlas": EntityType.SYSTEM,
        "Kubernetes": EntityType.TOOL,
        "src/db.py": EntityType.FILE,
        "SQLAlchemy": EntityType.TOOL,
    }


def test_a_team_is_an_organisation_and_no_part_of_its_name_is_something_else() -> None:
    found = read(say("checkout-api is owned by the Data team.", "We asked the Data team about it."), project="mill")
    assert types(found)["Data team"] is EntityType.ORGANISATION
    assert "Data" not in types(found)


@pytest.mark.parametrize(
    "name", ["feed-reader", "routing-table", "tally-oak", "morning-star", "thanks-bot", "red-panda"]
)
def test_what_acts_without_an_article_is_a_name_whatever_its_parts_are(name: str) -> None:
    found = read(say(f"{name} uses Redis."), project="mill")
    assert arrows(found) == {f"{name} uses Redis"}
    assert [one.entity for one in found.attributes] == [name]


def test_speaker_is_named_by_name_else_by_role() -> None:
    assert read(say("I prefer tabs.", name=None)).attributes[0].content == "the user prefers tabs"
    assert read(say("I prefer tabs.", name=None)).statements[0].content == "The user prefers tabs"
    assert read(say("I prefer tabs.", name=None, role="assistant")).is_empty
    assert read(say("I prefer tabs.", name="Bot", role="assistant")).attributes[0].entity == "Bot"
    assert read(say("billing-service uses Redis.", role="tool")).is_empty
    for words in ("Look into billing-service, which uses Redis.", "DO NOT respond to these messages."):
        assert read(say(words, role="system")).is_empty, "what a program says in somebody's name"


def test_we_is_the_project_where_one_is_given() -> None:
    found = read(say("We use Postgres as our primary database.", "The default branch is develop."), project="graphmem")
    assert arrows(found) == {"graphmem uses PostgreSQL"}
    assert {(a.entity, a.claim_key) for a in found.attributes} == {
        ("graphmem", "uses:primary database"),
        ("graphmem", "default_branch"),
    }


def test_migration_fills_the_slot_of_the_database() -> None:
    before = read(say("billing-service uses MySQL as its database."))
    after = read(say("billing-service switched from MySQL to PostgreSQL."))
    assert before.attributes[0].claim_key == after.attributes[0].claim_key == "uses:primary database"


def test_she_is_the_only_person_named_before() -> None:
    found = read(say("Erin joined Netflix last month. She owns payments-api.", name="Bob"))
    assert "payments-api owned_by Erin" in arrows(found)
    unclear = read(say("Erin lives in Porto. Carol lives in Rome. She owns payments-api.", name="Bob"))
    assert not unclear.dependencies


def test_statement_is_absolute_and_typed() -> None:
    (statement,) = read(say("We decided yesterday to use Kafka for event streaming.")).statements
    assert statement.content == "Alice's team decided on 2024-05-07 to use Kafka for event streaming"
    assert (statement.type, statement.importance) == ("decision", 0.8)
    assert statement.valid_from == datetime(2024, 5, 7, tzinfo=UTC)


def test_constraint_is_kept_as_one() -> None:
    (attribute,) = read(say("All services must expose /healthz."), project="shop").attributes
    assert (attribute.kind, attribute.aspect, attribute.entity, attribute.importance) == (
        "constraint",
        "rules",
        "shop",
        0.9,
    )


def test_same_in_same_out() -> None:
    lines = READINGS.read_text(encoding="utf-8").splitlines()
    messages = say(*(row["text"] for row in map(json.loads, lines) if row["class"] in ("needs", "anything")))
    assert len(messages) > 80
    assert read(messages) == read(messages)


MANY = [f"svc{n}-service uses Redis." for n in range(30)]


def new_names(found: Extraction, known: Sequence[str]) -> list[ExtractedEntity]:
    return [entity for entity in found.entities if canonical_name(entity.name) not in known]


def test_within_the_limits_is_level_one() -> None:
    found = read(say(*MANY[:9]))
    assert (found.level, found.dropped, len(found.entities)) == (1, 0, 10)


def test_too_many_entities_climb_the_ladder() -> None:
    found = read(say(*MANY))
    assert found.level == 3
    assert found.dropped > 0
    assert len(found.entities) <= 5
    assert {d.reason for d in found.dependencies} == {"llm-uncertain"}
    assert all(0.2 <= d.confidence < 0.4 for d in found.dependencies)


def test_strict_classes_alone_may_be_enough() -> None:
    people = ("Bob Miller", "Carol Jones", "Dave Smith", "Erin Brown", "Frank White", "Grace Hill", "Henry Ford")
    places = ("Paris", "London", "Madrid", "Rome", "Vienna")
    chatter = [
        f"{person} visited {place} last week." for person, place in zip(people, (*places, *places), strict=False)
    ]
    found = read(say(*chatter, "billing-service uses Redis.", "Never push to main."), limits=Limits(max_new_entities=8))
    assert found.level == 2
    assert {d.reason for d in found.dependencies} == {"pattern-matched"}
    assert all(0.4 <= d.confidence < 0.6 for d in found.dependencies)
    assert [s.type for s in found.statements] == ["fact", "constraint"]


def test_what_the_graph_knows_is_not_new() -> None:
    known = [canonical_name(f"svc{n}-service") for n in range(30)]
    found = read(say(*MANY), known=known)
    assert (found.level, len(found.dependencies)) == (1, 30)


def test_constraints_survive_the_ladder() -> None:
    found = read(say(*MANY, "orders-service must never log passwords."))
    assert found.level == 3
    assert [a.entity for a in found.attributes if a.kind == "constraint"] == ["orders-service"]


def test_attributes_of_one_entity_are_capped() -> None:
    found = read(say(*(f"billing-service must never log field {n}." for n in range(40))))
    assert found.level == 3
    assert len(found.attributes) == len(found.statements) == 20


WORDS = st.sampled_from(
    [
        *(
            "billing-service",
            "auth-api",
            "src/app.py",
            "Postgres",
            "Redis",
            "Kafka",
            "Alice",
            "Berlin",
            "I",
            "we",
            "it",
        ),
        *("they", "uses", "depends on", "moved", "from", "to", "must", "never", "is", "owned by", "and", ",", ".", "?"),
        *("which", "no longer", "yesterday", "port 8080", "version 2.1", "the", "our", "my", "default branch of"),
        *("decided to use", "prefer", "live in", "a", "!", "if", "`", "- ", "\n", "will", "as its database"),
    ]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=40).map(" ".join), st.text(max_size=200))
TAGS = st.sampled_from(["NN", "NNP", "VBZ", "VBP", "VBD", "PRP", "PRP$", "IN", "DT", "", "XX"])


@st.composite
def parsed_texts(draw: st.DrawFn) -> ParsedText:
    """A text with tokens of any labels: what another parser might say."""
    text = draw(TEXTS)
    tokens, position = [], 0
    for word in text.split():
        start = text.index(word, position)
        position = start + len(word)
        entity = draw(st.sampled_from(["", "PERSON", "ORG", "GPE", "DATE", "PRODUCT"]))
        tokens.append(Token(word, word, "X", draw(TAGS), "dep", 0, start, position, entity))
    return ParsedText(text, tuple(tokens), (), (), ())


@given(
    st.lists(parsed_texts(), max_size=12),
    st.integers(0, 12),
    st.integers(0, 5),
    st.integers(0, 30),
    st.sampled_from([None, "shop"]),
)
def test_whatever_is_parsed_stays_within_the_caps(
    parsed: list[ParsedText], max_new: int, per_entity: int, max_items: int, project: str | None
) -> None:
    messages = say(*(text.text for text in parsed))
    limits = Limits(
        max_new_entities=max_new,
        max_new_attributes_per_entity=per_entity,
        max_strict_entities=min(5, max_new),
        max_items=max_items,
    )
    found = extract(messages, parsed, known=["redis"], limits=limits, project=project)
    assert len(new_names(found, ["redis"])) <= max_new
    assert max(Counter(a.entity for a in found.attributes).values(), default=0) <= per_entity
    assert max(len(found.statements), len(found.attributes), len(found.dependencies)) <= max_items
    names = {entity.name for entity in found.entities}
    assert {a.entity for a in found.attributes} | {n for d in found.dependencies for n in (d.source, d.target)} <= names
    assert all(item.statement < len(found.statements) for item in (*found.attributes, *found.dependencies))
    assert len({canonical_name(name) for name in names}) == len(names)
    assert found == extract(messages, parsed, known=["redis"], limits=limits, project=project)
    for statement in found.statements:
        source = statement.source
        assert 0 <= source.start < source.end <= len(messages[source.message].text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The primary database of ledger-api is MySQL.", "ledger-api moved from MySQL to PostgreSQL."),
        ("The message broker of ledger-api is RabbitMQ.", "ledger-api switched from RabbitMQ to Kafka."),
        ("The default branch of ledger-api is master.", "trunk is the default branch of ledger-api."),
        ("The deadline of the tax export is 3 May.", "The deadline of the tax export moved to 17 May."),
        ("Rosa lives in Lisbon.", "Rosa has moved from Lisbon to Porto."),
        ("ledger-api is owned by Tom.", "The owner of ledger-api is Nadia."),
    ],
)
def test_newer_value_fills_the_same_slot(before: str, after: str) -> None:
    (old,), (new,) = read(say(before)).attributes, read(say(after)).attributes
    assert (old.entity, old.claim_key) == (new.entity, new.claim_key)
    assert old.claim_key is not None


@pytest.mark.parametrize(
    "text", ["ledger-api moved from Redis to PostgreSQL.", "ledger-api moved from Excel to PostgreSQL."]
)
def test_moving_away_from_something_else_fills_no_slot_of_the_database(text: str) -> None:
    found = read(say(text))
    assert "uses:primary database" not in {attribute.claim_key for attribute in found.attributes}
    assert arrows(found) == {"ledger-api uses PostgreSQL"}


def test_slot_filled_twice_with_the_same_is_one_fact() -> None:
    found = read(
        say("We moved ledger-api from MySQL to Postgres.", "The primary database of ledger-api is PostgreSQL now.")
    )
    assert len(found.statements) == 2
    assert [attribute.claim_key for attribute in found.attributes] == ["uses:primary database"]


def test_slot_of_the_project_needs_no_name() -> None:
    found = read(say("The message broker is Kafka."), project="ledger")
    assert [(a.entity, a.claim_key) for a in found.attributes] == [("ledger", "uses:message broker")]
    unclear = read(
        say("The primary database of quote-api is MySQL, and the message broker is Kafka."), project="ledger"
    )
    assert {a.entity for a in unclear.attributes} == {"quote-api"}


def test_project_is_known_by_its_name() -> None:
    found = read(say("green-shop uses Kafka.", "Green Shop uses Redis."), project="green-shop")
    assert arrows(found) == {"green-shop uses Kafka", "green-shop uses Redis"}
    assert {entity.name for entity in read(say("The shop opens at nine."), project="shop").entities} == {"Alice"}


def test_assistant_without_a_name_lays_down_no_rules() -> None:
    text = "A slow report must not block an order."
    assert read(say(text, name=None, role="assistant"), project="shop").is_empty
    assert read(say(text), project="shop").attributes[0].kind == "constraint"


def test_friends_have_habits_rather_than_rules() -> None:
    assert not read(say("We always keep the window open at night.")).attributes


def test_weekday_that_somebody_likes_is_no_date() -> None:
    (attribute,) = read(say("I prefer one long call on Monday to many short ones.")).attributes
    assert (attribute.content, attribute.valid_from) == (
        "Alice prefers one long call on Monday to many short ones",
        None,
    )


def test_date_belongs_to_its_clause() -> None:
    found = read(say("quote-api is owned by Nadia, and billing-service moved from MySQL to Postgres yesterday."))
    assert [a.valid_from for a in found.attributes] == [None, datetime(2024, 5, 7, tzinfo=UTC)]
    headed = read(say("From today quote-api is owned by Nadia, and Tom owns mail-worker."))
    assert {a.valid_from for a in headed.attributes} == {datetime(2024, 5, 8, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("texts", "told", "untold"),
    [
        (["My brother Goran is with her this week. She lives alone in Zemun."], "She lives alone", "Goran lives"),
        (["My sister Dora is in town. He lives in Oslo with his dog."], "He lives in Oslo", "Dora lives"),
        (["My sister Dora is in town. She lives in Oslo with her dog."], "Dora lives in Oslo", "She lives"),
        (
            ["I moved the blog from Jekyll to Astro. It is hosted in Frankfurt now."],
            "The blog is hosted",
            "Jekyll is hosted",
        ),
        (["Redis keeps the sessions. It runs on port 6379."], "Redis runs on port 6379", "It runs"),
        (["What does billing-service use?", "It uses Redis."], "billing-service uses Redis", "It uses"),
    ],
)
def test_a_pronoun_stays_where_it_is_not_clear_what_it_means(texts: list[str], told: str, untold: str):
    contents = [one.content for one in read(say(*texts)).attributes]
    assert any(content.startswith(told) for content in contents)
    assert not any(content.startswith(untold) for content in contents)
