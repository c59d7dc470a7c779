"""What is drawn from conversations: one table of examples for facts and dependencies, one of noise, then the bounds."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import ExtractedEntity, Extraction, Limits, SourceMessage
from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.extraction.extraction import extract
from graphmem.rules.language.text import canonical_name

PARSER = SpacyParser()
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


def facts(found: Extraction) -> set[str]:
    return {f"{a.entity} | {a.aspect} | {a.content} | {a.claim_key or '-'}" for a in found.attributes}


def types(found: Extraction) -> dict[str, EntityType]:
    return {entity.name: entity.type for entity in found.entities}


DEPENDENCIES = [
    ("billing-service uses Redis.", {"billing-service uses Redis"}),
    (
        "The auth service depends on Redis and talks to the user service.",
        {"auth service depends_on Redis", "auth service calls user service"},
    ),
    ("order-service requires Python 3.11.", {"order-service requires Python"}),
    ("billing-service runs on Kubernetes.", {"billing-service uses Kubernetes"}),
    ("The gateway blocks billing-service.", {"billing-service blocks gateway"}),
    ("auth-service is blocked by identity-gateway.", {"auth-service blocks identity-gateway"}),
    ("checkout-service informs analytics-worker.", {"analytics-worker informs checkout-service"}),
    ("user-service is part of the identity platform.", {"user-service part_of identity platform"}),
    ("payments-api is owned by Bob and Carol.", {"payments-api owned_by Bob", "payments-api owned_by Carol"}),
    ("Dave owns billing-service.", {"billing-service owned_by Dave"}),
    ("Bob is the owner of payments-api.", {"payments-api owned_by Bob"}),
    ("The platform team maintains the deploy pipeline.", {"deploy pipeline owned_by platform team"}),
    ("Redis is used by billing-service and auth-service.", {"billing-service uses Redis", "auth-service uses Redis"}),
    (
        "auth-service and user-service use Redis and Kafka.",
        {
            "auth-service uses Redis",
            "auth-service uses Kafka",
            "user-service uses Redis",
            "user-service uses Kafka",
        },
    ),
    (
        "billing-service uses Redis and auth-service uses Kafka.",
        {"billing-service uses Redis", "auth-service uses Kafka"},
    ),
    (
        "billing-service, which uses Redis, depends on auth-service.",
        {"billing-service uses Redis", "billing-service depends_on auth-service"},
    ),
    (
        "checkout-service calls payments-api, and it writes to orders_db.",
        {"checkout-service calls payments-api", "checkout-service uses orders_db"},
    ),
    (
        "billing-service depends on auth-service. It also reads from Kafka.",
        {"billing-service depends_on auth-service", "billing-service consumes Kafka"},
    ),
    ("The search-api stores its index in Elasticsearch.", {"search-api uses Elasticsearch"}),
    ("src/app.py imports src/db.py.", {"src/app.py imports src/db.py"}),
    ("OrderStore inherits from BaseStore.", {"OrderStore inherits BaseStore"}),
    ("billing-service moved from MySQL to Postgres yesterday.", {"billing-service uses PostgreSQL"}),
    ("We migrated billing-service from MySQL to CockroachDB.", {"billing-service uses CockroachDB"}),
    ("We replaced RabbitMQ with Kafka in order-service.", {"order-service uses Kafka"}),
    ("We chose Kafka over RabbitMQ for billing-service.", {"billing-service uses Kafka"}),
    (
        "Atlas runs on Kubernetes and is maintained by the infra team.",
        {"Atlas uses Kubernetes", "Atlas owned_by infra team"},
    ),
    ("billing-service publishes events to Kafka.", {"billing-service produces Kafka"}),
    # Denied, planned, or past: something is said, but nothing needs anything.
    ("billing-service no longer uses Redis.", set()),
    ("billing-service does not depend on Kafka.", set()),
    ("billing-service will use Kafka next month.", set()),
    ("We plan to migrate billing-service to Kafka.", set()),
    ("billing-service might use Redis.", set()),
    ("billing-service used Redis.", set()),
    ("We use Redis.", set()),
]

ATTRIBUTES = [
    (
        "billing-service uses Postgres as its primary database.",
        "billing-service | architecture | billing-service uses PostgreSQL as its primary database | "
        "uses:primary database",
    ),
    (
        "billing-service moved from MySQL to Postgres yesterday.",
        "billing-service | architecture | billing-service moved from MySQL to PostgreSQL on 2024-05-07 | "
        "uses:primary database",
    ),
    (
        "billing-service no longer uses Redis.",
        "billing-service | architecture | billing-service no longer uses Redis | -",
    ),
    ("Dave owns billing-service.", "billing-service | ownership | billing-service is owned by Dave | owned_by"),
    ("Carol leads Project Apollo.", "Apollo | ownership | Apollo is led by Carol | led_by"),
    (
        "billing-service runs on port 8080.",
        "billing-service | configuration | billing-service runs on port 8080 | port",
    ),
    ("billing-service's port is 9090.", "billing-service | configuration | billing-service's port is 9090 | port"),
    (
        "billing-service is on version 2.3.1.",
        "billing-service | configuration | billing-service is on version 2.3.1 | version",
    ),
    (
        "The default branch of core-repo is develop.",
        "core-repo | configuration | core-repo's default branch is develop | default_branch",
    ),
    ("billing-service is deprecated.", "billing-service | status | billing-service is deprecated | status"),
    ("The deadline for Apollo is June 1.", "Apollo | status | Apollo's deadline is 2024-06-01 | deadline"),
    ("I live in Lisbon.", "Alice | location | Alice lives in Lisbon | lives_in"),
    ("I moved to Berlin yesterday.", "Alice | location | Alice moved to Berlin on 2024-05-07 | lives_in"),
    ("Bob works at Google.", "Bob | work | Bob works at Google | works_at"),
    ("I work as a nurse.", "Alice | work | Alice works as a nurse | job_title"),
    ("I prefer tabs over spaces.", "Alice | preferences | Alice prefers tabs over spaces | -"),
    ("My favorite color is green.", "Alice | preferences | Alice's favorite color is green | favorite_color"),
    ("I'm allergic to peanuts.", "Alice | preferences | Alice is allergic to peanuts | -"),
    ("I use VS Code as my editor.", "Alice | general | Alice uses VS Code as their editor | uses:editor"),
    ("My sister Anna lives in Boston.", "Alice | relationships | Alice's sister is Anna | -"),
    ("My wife works at a hospital.", "Alice | relationships | Alice's wife works at a hospital | -"),
    ("My birthday is March 3.", "Alice | general | Alice's birthday is March 3 | birthday"),
    (
        "I adopted a dog named Rex last month.",
        "Alice | relationships | Alice adopted a dog named Rex in April 2024 | -",
    ),
    ("Erin approved the budget last week.", "Erin | events | Erin approved the budget in the week of 2024-04-29 | -"),
    (
        "We decided to release the backend every two weeks.",
        "backend | decisions | Alice's team decided to release the backend every two weeks | -",
    ),
    (
        "billing-service must never log card numbers.",
        "billing-service | rules | billing-service must never log card numbers | -",
    ),
    ("Never push to main directly.", "Alice | rules | Never push to main directly | -"),
    (
        "One rule: never deploy billing-service on Fridays.",
        "billing-service | rules | Never deploy billing-service on Fridays | -",
    ),
    (
        "Atlas is our internal deployment tool.",
        "Atlas | general | Atlas is Alice's team's internal deployment tool | -",
    ),
    ("Bob is our SRE lead.", "Bob | work | Bob is Alice's team's SRE lead | -"),
]

NOISE = [
    "Hey Mel! Thanks for the tips.",
    "ok",
    "Sounds great, talk soon!",
    "I'm running the tests now.",
    "The build is red again, looks like a flaky test.",
    "Let me check billing-service.",
    "Could you restart Redis?",
    "Does billing-service use Redis?",
    "I think billing-service uses Redis.",
    "Maybe we need Kafka.",
    "If billing-service used Redis, it would be faster.",
    "```\nbilling-service uses Redis\n```",
    "> billing-service uses Redis",
    '2024-05-08 10:00:00 ERROR billing-service uses Redis\nTraceback (most recent call last):\n  File "a.py", line 1',
    "I'm going to the store.",
    "I love it!",
    "That must be such a relief.",
    "It was a long day and I'm a bit tired.",
    "You should totally try it.",
    "Go ahead, I'll wait.",
    "Moving abroad must be quite an adventure.",
    "I like that you picked teal for the kitchen.",
    "Chess is like a language for me.",
    "I'd love to!",
    "Anna's love keeps us strong.",
    "The parse is done, see the output above.",
]


@pytest.mark.parametrize(("text", "expected"), DEPENDENCIES, ids=[text for text, _ in DEPENDENCIES])
def test_dependencies_of_a_sentence(text: str, expected: set[str]) -> None:
    assert arrows(read(say(text))) == expected


@pytest.mark.parametrize(("text", "expected"), ATTRIBUTES, ids=[text for text, _ in ATTRIBUTES])
def test_attribute_of_a_sentence(text: str, expected: str) -> None:
    assert expected in facts(read(say(text)))


@pytest.mark.parametrize("text", NOISE)
def test_noise_gives_nothing(text: str) -> None:
    assert read(say(text)) == Extraction()


def test_dependency_is_explained() -> None:
    (dependency,) = read(say("billing-service uses Redis since last Friday.")).dependencies
    assert (dependency.confidence, dependency.strength, dependency.reason) == (0.7, 0.5, "single-memory")
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
    assert read(say("I prefer tabs.", name=None, role="assistant")) == Extraction()
    assert read(say("I prefer tabs.", name="Bot", role="assistant")).attributes[0].entity == "Bot"
    assert read(say("billing-service uses Redis.", role="tool")) == Extraction()


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
    messages = say(*(text for text, _ in DEPENDENCIES), *NOISE)
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
    assert {(d.confidence, d.reason) for d in found.dependencies} == {(0.3, "llm-uncertain")}


def test_strict_classes_alone_may_be_enough() -> None:
    people = ("Bob Miller", "Carol Jones", "Dave Smith", "Erin Brown", "Frank White", "Grace Hill", "Henry Ford")
    places = ("Paris", "London", "Madrid", "Rome", "Vienna")
    chatter = [
        f"{person} visited {place} last week." for person, place in zip(people, (*places, *places), strict=False)
    ]
    found = read(say(*chatter, "billing-service uses Redis.", "Never push to main."), limits=Limits(max_new_entities=8))
    assert found.level == 2
    assert {(d.confidence, d.reason) for d in found.dependencies} == {(0.5, "pattern-matched")}
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


@settings(max_examples=150, deadline=None)
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


# Compound sentences: every clause speaks for itself.
CLAUSES = [
    (
        "quote-api depends on fx-service, and the importer depends on quote-api.",
        {"quote-api depends on fx-service", "importer depends on quote-api"},
        {"quote-api depends_on fx-service", "importer depends_on quote-api"},
    ),
    (
        "quote-api is owned by Nadia, and Tom looks after the rota full time.",
        {"quote-api is owned by Nadia", "Tom looks after the rota full time"},
        {"quote-api owned_by Nadia"},
    ),
    (
        "mail-worker is owned by Rosa, mail-worker uses NATS for the digests.",
        {"mail-worker is owned by Rosa", "mail-worker uses NATS for the digests"},
        {"mail-worker owned_by Rosa", "mail-worker uses NATS"},
    ),
    (
        "Good to know: quote-api uses Memcached; fx-service runs on port 7001, so open it.",
        {"quote-api uses Memcached", "fx-service runs on port 7001"},
        {"quote-api uses Memcached"},
    ),
    (
        "I renamed it at night: the default branch of quote-api is trunk.",
        {"quote-api's default branch is trunk"},
        set(),
    ),
    (
        "quote-api requires fx-service for the rates, that is all there is to it.",
        {"quote-api requires fx-service for the rates"},
        {"quote-api requires fx-service"},
    ),
    (
        "mail-worker moved from SendGrid to Mailgun as our last step, by the way.",
        {"mail-worker moved from SendGrid to Mailgun"},
        {"mail-worker uses Mailgun"},
    ),
    ("For the invoices quote-api uses Redis.", {"quote-api uses Redis for the invoices"}, {"quote-api uses Redis"}),
    # What is guessed, conditional or shares its subject is not torn apart.
    ("I think quote-api uses Redis, and mail-worker uses Kafka.", set(), set()),
    ("If fx-service fails, quote-api uses SQLite, and nobody notices.", set(), set()),
    ("Does quote-api use Redis, and who owns mail-worker?", set(), set()),
    (
        "quote-api is owned by Nadia, Tom and Rosa.",
        {"quote-api is owned by Nadia, Tom and Rosa"},
        {f"quote-api owned_by {name}" for name in ("Nadia", "Tom", "Rosa")},
    ),
]


@pytest.mark.parametrize(("text", "contents", "expected"), CLAUSES, ids=[text for text, _, _ in CLAUSES])
def test_clauses_are_read_one_by_one(text: str, contents: set[str], expected: set[str]) -> None:
    found = read(say(text))
    assert {attribute.content for attribute in found.attributes} == contents
    assert arrows(found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The storefront depends on quote-api.", {"storefront depends_on quote-api"}),
        ("Our backoffice reads from quote-api.", {"backoffice consumes quote-api"}),
        ("quote-api calls the ledger.", {"quote-api calls ledger"}),
        (
            "The warehouse relies on fx-service, and the portal calls quote-api.",
            {"warehouse depends_on fx-service", "portal calls quote-api"},
        ),
        ("The meeting depends on Zoom.", set()),
        ("The deploy depends on quote-api.", set()),
        ("The roadmap depends on quote-api, and the decision relies on fx-service.", set()),
        ("The customer relies on quote-api.", set()),
        ("The standup depends on Slack.", set()),
        ("quote-api uses the cache and needs the token.", set()),
        ("The fix requires fx-service to be down.", set()),
        ("The storefront is slow today.", set()),
    ],
)
def test_only_a_system_of_one_word_needs_others(text: str, expected: set[str]) -> None:
    found = read(say(text))
    assert arrows(found) == expected
    ends = {end for d in found.dependencies for end in (d.source, d.target)}
    assert {types(found)[end] for end in ends} <= {EntityType.SYSTEM}


SLOT_STATEMENTS = [
    (
        "The primary database of ledger-api is MySQL, on the old machine.",
        "The primary database of ledger-api is MySQL",
        "uses:primary database",
        {"ledger-api uses MySQL"},
    ),
    (
        "ledger-api's message broker is NATS.",
        "ledger-api's message broker is NATS",
        "uses:message broker",
        {"ledger-api uses NATS"},
    ),
    (
        "NATS is now the message broker of ledger-api.",
        "The message broker of ledger-api is NATS",
        "uses:message broker",
        {"ledger-api uses NATS"},
    ),
    (
        "The database of ledger-api moved from MySQL to MariaDB.",
        "The database of ledger-api moved from MySQL to MariaDB",
        "uses:primary database",
        {"ledger-api uses MariaDB"},
    ),
    ("trunk is the default branch of ledger-api.", "ledger-api's default branch is trunk", "default_branch", set()),
    (
        "The default branch of ledger-api changed from master to trunk.",
        "ledger-api's default branch changed from master to trunk",
        "default_branch",
        set(),
    ),
    ("The deadline of the tax export is 17 May.", "tax export's deadline is 17 May 2024", "deadline", set()),
    ("The deadline of the tax export is now 30 May.", "tax export's deadline is now 30 May 2024", "deadline", set()),
    (
        "The deadline of the tax export has moved from 17 May to 30 May.",
        "tax export's deadline has moved from 17 May 2024 to 30 May 2024",
        "deadline",
        set(),
    ),
    ("30 May is the deadline of the tax export.", "tax export's deadline is 30 May 2024", "deadline", set()),
    (
        "The tax export's deadline was pushed to 30 May.",
        "tax export's deadline was pushed to 30 May 2024",
        "deadline",
        set(),
    ),
    (
        "The owner of ledger-api is Nadia, Tom helps out.",
        "ledger-api's owner is Nadia",
        "owned_by",
        {"ledger-api owned_by Nadia"},
    ),
    (
        "The maintainer of ledger-api is now Rosa.",
        "ledger-api's maintainer is now Rosa",
        "maintained_by",
        {"ledger-api owned_by Rosa"},
    ),
    ("8443 is the port of ledger-api.", "ledger-api's port is 8443", "port", set()),
    ("The version of ledger-api is 2.4.1.", "ledger-api's version is 2.4.1", "version", set()),
    ("The status of ledger-api is frozen.", "ledger-api's status is frozen", "status", set()),
]


@pytest.mark.parametrize(
    ("text", "content", "claim_key", "expected"), SLOT_STATEMENTS, ids=[text for text, *_ in SLOT_STATEMENTS]
)
def test_slot_is_filled(text: str, content: str, claim_key: str, expected: set[str]) -> None:
    found = read(say(text))
    assert (content, claim_key) in {(a.content, a.claim_key) for a in found.attributes}
    assert arrows(found) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The deadline of the tax export is tight.",
        "The owner of ledger-api is on holiday.",
        "The default branch of ledger-api is broken.",
        "The database of ledger-api is slow.",
        "The staging database of ledger-api is SQLite.",
        "The message broker of ledger-api was RabbitMQ.",
        "The message broker of ledger-api will be Kafka.",
        "The message broker of ledger-api is not Kafka.",
        "What is the deadline of the tax export?",
    ],
)
def test_slot_is_not_filled(text: str) -> None:
    found = read(say(text))
    assert not [attribute for attribute in found.attributes if attribute.claim_key]
    assert not found.dependencies


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
    assert not read(say("The shop opens at nine."), project="shop").entities


@pytest.mark.parametrize(
    ("text", "content", "claim_key"),
    [
        ("I have moved from Lisbon to Porto.", "Alice has moved from Lisbon to Porto", "lives_in"),
        ("Rosa lives in Porto now.", "Rosa lives in Porto now", "lives_in"),
        ("I moved last week to Hamburg.", "Alice moved in the week of 2024-04-29 to Hamburg", "lives_in"),
        (
            "News: I moved from Oslo to Hamburg in April, so I cycle now.",
            "Alice moved from Oslo to Hamburg in April 2024",
            "lives_in",
        ),
        ("I'm moving to Vienna next month.", "Alice is moving to Vienna in June 2024", None),
        ("I moved from Google to Apple.", "Alice moved from Google to Apple", None),
        ("I moved from Figma to Sketch.", "Alice moved from Figma to Sketch", None),
    ],
)
def test_where_somebody_lives(text: str, content: str, claim_key: str | None) -> None:
    assert [(a.content, a.claim_key) for a in read(say(text)).attributes] == [(content, claim_key)]


RULES = [
    (
        "One rule for payments-api before we go live: requests must never be sent twice.",
        "payments-api",
        "Requests must never be sent twice",
    ),
    ("House rule: responses are JSON only.", "shop", "Responses are JSON only"),
    ("Third rule: every migration must have an owner.", "shop", "Every migration must have an owner"),
    ("After the outage: we never run migrations by hand.", "shop", "Never run migrations by hand"),
    ("Our policy is simple: no deploys after 4 pm.", "shop", "No deploys after 4 pm"),
    ("We never release on Mondays.", "shop", "Never release on Mondays"),
    ("Nobody may push to trunk without a review.", "shop", "Nobody may push to trunk without a review"),
    ("Logging tokens is not allowed, and mail-worker uses NATS.", "shop", "Logging tokens is not allowed"),
    ("quote-api must answer within 200 ms, and Nadia owns it.", "quote-api", "quote-api must answer within 200 ms"),
    ("Hey, no restarts of mail-worker before noon.", "mail-worker", "No restarts of mail-worker before noon"),
    ("Salaries may not appear in a log.", "shop", "Salaries may not appear in a log"),
    ("Backups have to be kept for a year.", "shop", "Backups have to be kept for a year"),
    (
        "Invoices must be kept for ten years; receipts are exempt.",
        "shop",
        "Invoices must be kept for ten years; receipts are exempt",
    ),
]


@pytest.mark.parametrize(("text", "entity", "content"), RULES, ids=[text for text, _, _ in RULES])
def test_rule_is_kept_without_what_leads_to_it(text: str, entity: str, content: str) -> None:
    found = read(say(text), project="shop")
    assert [(a.entity, a.content) for a in found.attributes if a.kind == "constraint"] == [(entity, content)]


@pytest.mark.parametrize(
    "text",
    [
        "You must be tired.",
        "It must be the cache.",
        "You must really enjoy the new office.",
        "You must have had a great time.",
        "Every guest must have a lovely time.",
        "The queue must be full again.",
        "That service must have a leak.",
        "We must hurry.",
        "Nobody can believe it.",
        "He broke the rule: he deployed on a Friday.",
        "A slow report must not block an order; a cache would help.",
        "Ideally every report must be cached.",
        "Nobody noticed it before noon.",
        'The error text says "no calls before noon" here.',
    ],
)
def test_no_rule_where_none_is_laid_down(text: str) -> None:
    assert not [a for a in read(say(text), project="shop").attributes if a.kind == "constraint"]


def test_assistant_without_a_name_lays_down_no_rules() -> None:
    text = "A slow report must not block an order."
    assert read(say(text, name=None, role="assistant"), project="shop") == Extraction()
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
        (["I moved the blog from Jekyll to Astro. It is hosted in Frankfurt now."], "It is hosted", "Jekyll is hosted"),
        (["Redis keeps the sessions. It runs on port 6379."], "Redis runs on port 6379", "It runs"),
        (["What does billing-service use?", "It uses Redis."], "billing-service uses Redis", "It uses"),
    ],
)
def test_a_pronoun_stays_where_it_is_not_clear_what_it_means(texts: list[str], told: str, untold: str):
    contents = [one.content for one in read(say(*texts)).attributes]
    assert any(content.startswith(told) for content in contents)
    assert not any(content.startswith(untold) for content in contents)
