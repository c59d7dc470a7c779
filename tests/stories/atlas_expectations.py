"""What a reader of `examples/atlas-shop.jsonl` knows at its end: data for the tests that tell the story.

Names are written as in the story and are meant to be compared canonically; words are meant to be compared
folded, as a part of the content. Everything here is the truth of the story, not what some extractor happens
to find: an answer may hold more (the project itself may use a tool that a service uses), never less.
"""

STORY = "examples/atlas-shop.jsonl"
PROJECT = "atlas-shop"
AGENT_NAMES = ("Maya", "Jonas", "Priya")

KICK_OFF = "atlas-2026-03-02"
BASKETS = "atlas-2026-03-09"
PLATFORM = "atlas-2026-03-17"
SEARCH_AND_STOCK = "atlas-2026-03-26"
NEW_DATABASE = "atlas-2026-04-07"
HANDOVER = "atlas-2026-04-15"
NEW_BROKER = "atlas-2026-04-23"
LOOKING_BACK = "atlas-2026-05-04"

SESSIONS = (
    KICK_OFF,
    BASKETS,
    PLATFORM,
    SEARCH_AND_STOCK,
    NEW_DATABASE,
    HANDOVER,
    NEW_BROKER,
    LOOKING_BACK,
)

# Question -> the messages (sessionId, messageId) that answer it; all of them belong among the first 5 hits of
# a recall of messages.
QUESTIONS: dict[str, frozenset[tuple[str, str]]] = {
    "Who owns billing-service?": frozenset({(HANDOVER, "m057")}),
    "Which database does billing-service use?": frozenset({(NEW_DATABASE, "m049")}),
    "Which port does checkout-api run on?": frozenset({(NEW_DATABASE, "m055")}),
    "What is the message broker of atlas-shop?": frozenset({(NEW_BROKER, "m068")}),
    "What is the default branch of atlas-shop?": frozenset({(HANDOVER, "m065")}),
    "Where does Maya live now?": frozenset({(NEW_BROKER, "m076")}),
    "May we store card numbers?": frozenset({(KICK_OFF, "m009")}),
    "What must every deploy have?": frozenset({(BASKETS, "m021")}),
    "On which day do we never deploy?": frozenset({(PLATFORM, "m035")}),
    "How fast must checkout-api answer?": frozenset({(PLATFORM, "m035")}),
    "What is the deadline of the billing cut-over?": frozenset({(HANDOVER, "m061")}),
    "What is the deadline of the monolith shutdown?": frozenset({(LOOKING_BACK, "m083")}),
    "What does cart-service use for the open baskets?": frozenset({(BASKETS, "m013")}),
    "Which service uses Elasticsearch?": frozenset({(SEARCH_AND_STOCK, "m037")}),
    "Which database does inventory-service use?": frozenset({(SEARCH_AND_STOCK, "m041")}),
    "Who takes the card payments for billing-service?": frozenset({(KICK_OFF, "m006")}),
    "What kind of pull requests does Priya prefer?": frozenset({(BASKETS, "m020")}),
    "When are all ten connections of the pool busy?": frozenset({(PLATFORM, "m027")}),
    "What do we use for clusters and for dashboards?": frozenset({(PLATFORM, "m029"), (PLATFORM, "m031")}),
    "Who must approve refunds?": frozenset({(LOOKING_BACK, "m087")}),
}

# (entity, words of the fact that ended, words of the fact that replaced it)
SUPERSEDED: tuple[tuple[str, str, str], ...] = (
    ("billing-service", "owned by Jonas", "owned by Priya"),
    ("billing-service", "database of billing-service is MySQL", "PostgreSQL"),
    ("checkout-api", "port 8080", "port 9090"),
    ("atlas-shop", "message broker of atlas-shop is RabbitMQ", "Kafka"),
    ("atlas-shop", "default branch is master", "main"),
    ("billing cut-over", "17 April", "30 April"),
    ("Maya", "in Lisbon", "Berlin"),
    ("notification-worker", "uses RabbitMQ", "Kafka"),
)

# (entity, words): still true at the end; nothing in the story may retire these.
STANDING: tuple[tuple[str, str], ...] = (
    ("cart-service", "owned by Priya"),
    ("auth-service", "owned by Priya"),
    ("inventory-service", "owned by Jonas"),
    ("search-service", "owned by Jonas"),
    ("notification-worker", "owned by Maya"),
    ("inventory-service", "port 8082"),
    ("cart-service", "uses Redis"),
    ("auth-service", "uses Redis"),
    ("search-service", "uses Elasticsearch"),
    ("search-service", "uses Kafka"),
    ("inventory-service", "uses PostgreSQL"),
    ("billing-service", "uses Stripe"),
    ("monolith shutdown", "30 June"),
)

# (entity or project, words): rules, active at the end. The automatic passes never retire one.
CONSTRAINTS: tuple[tuple[str, str], ...] = (
    ("atlas-shop", "card numbers must never be stored"),
    ("atlas-shop", "every deploy must have a rollback plan"),
    ("atlas-shop", "never deploy on Fridays"),
    ("checkout-api", "must answer within 300 milliseconds"),
    ("atlas-shop", "refunds must always be approved by two people"),
)

# (person, words)
PREFERENCES: tuple[tuple[str, str], ...] = (
    ("Priya", "small pull requests"),
    ("Jonas", "pairing"),
    ("Maya", "written summary"),
)

# Source needs target, at the end of the story.
DEPENDENCIES: frozenset[tuple[str, str]] = frozenset(
    {
        ("storefront", "checkout-api"),
        ("storefront", "search-service"),
        ("checkout-api", "billing-service"),
        ("checkout-api", "cart-service"),
        ("checkout-api", "auth-service"),
        ("checkout-api", "inventory-service"),
        ("billing-service", "inventory-service"),
        ("billing-service", "PostgreSQL"),
        ("billing-service", "Stripe"),
        ("inventory-service", "PostgreSQL"),
        ("cart-service", "Redis"),
        ("auth-service", "Redis"),
        ("search-service", "Elasticsearch"),
        ("search-service", "Kafka"),
        ("notification-worker", "Kafka"),
    }
)

# Dependencies that held once: they must not count when the present is asked.
ENDED: frozenset[tuple[str, str]] = frozenset(
    {("billing-service", "MySQL"), ("notification-worker", "RabbitMQ")},
)

# Thought about aloud, in questions: never facts.
NOT_FACTS: frozenset[tuple[str, str]] = frozenset({("cart-service", "Kafka"), ("auth-service", "Keycloak")})

# Entity -> depth -> who is affected when it changes: upstream, minConfidence 0.7, maxDepth 3.
BLAST: dict[str, dict[int, frozenset[str]]] = {
    "PostgreSQL": {
        1: frozenset({"billing-service", "inventory-service"}),
        2: frozenset({"checkout-api"}),
        3: frozenset({"storefront"}),
    },
    "Redis": {
        1: frozenset({"cart-service", "auth-service"}),
        2: frozenset({"checkout-api"}),
        3: frozenset({"storefront"}),
    },
    "Stripe": {
        1: frozenset({"billing-service"}),
        2: frozenset({"checkout-api"}),
        3: frozenset({"storefront"}),
    },
    "Kafka": {1: frozenset({"search-service", "notification-worker"}), 2: frozenset({"storefront"})},
    "Elasticsearch": {1: frozenset({"search-service"}), 2: frozenset({"storefront"})},
    "inventory-service": {1: frozenset({"checkout-api", "billing-service"}), 2: frozenset({"storefront"})},
}
