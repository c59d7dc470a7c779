"""The four signals on pairs of statements: the seed's own, and what looks like a contradiction but is none."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.knowledge import Claim, Contradiction
from graphmem.rules.contradiction.detector import CONFIDENCE, MARKERS, check

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)

CONTRADICTIONS = """
uses Redis | doesn't use Redis
billing-service uses Redis | billing-service doesn’t use Redis
Alice lives in NYC | Alice lives in LA
auth is enabled | auth is disabled
The API allows anonymous access | The API denies anonymous access
The repo is public | The repo is private
The issue is open | The issue is closed
apartment hunting with Amari | broke up with Amari
runs on port 8080 | runs on port 9090
version is 1.5 | version is 1.9
version is 1.5 | is 1.9
uses PostgreSQL as primary database | uses MongoDB as primary database
uses PostgreSQL as the primary database | billing-service uses MySQL as the primary database
uses PostgreSQL | migrated from PostgreSQL to MongoDB
Alice works at Google | Alice moved from Google to Meta
Alice works at Google | Alice no longer works at Google
Alice works at Google | Alice joined Meta
Alice uses Redis | Alice stopped using Redis
uses MySQL | uses PostgreSQL, not MySQL
uses npm | uses pnpm instead of npm
Alice lives in Berlin | Alice moved to Paris
lives in Berlin | actually lives in Paris
Alice is married to Bob | Alice is divorced
Dark mode is on | Dark mode is off
The server is up | The server is down
The server is online | The server is offline
notifications are turned on | turned off notifications
The importer accepts XML | The importer rejects XML
Signup is required | Signup is optional
The team deploys on Fridays | The team never deploys on Fridays
Alice likes coffee | Alice does not like coffee anymore
Alice can drive a truck | Alice cannot drive a truck
Bob is vegetarian food fan | Bob is not a vegetarian food fan
Alice's favorite color is blue | Alice's favorite color is green
The primary database is PostgreSQL | The primary database is MongoDB
The database is PostgreSQL | The database is MongoDB
The timeout is 30 seconds | The timeout is 60 seconds
The timeout is 30s | changed the timeout to 60s
The rate limit is 100 | The rate limit was raised to 200
The laptop has 8 GB of RAM | The laptop has 16 GB of RAM
requires Python 3.10 | requires Python 3.12
The CLI is written in Python | The CLI is written in Rust
The site is hosted on AWS | The site is hosted on GCP
The meeting is on Thursday | The meeting moved to Friday
The standup is at 9am | The standup is at 10am
Alice is based in London | Alice is based in Madrid
Alice lives in NYC | Alice used to live in NYC
lives in Rome | used to live in Rome, now lives in Milan
The service is written in C++ | The service is written in C#
The license costs $5 | The license costs $9
他住在北京 | 他住在上海
Мария lives in Берлин | Мария lives in Париж
prefers tabs over spaces | prefers spaces over tabs
prefers light mode | prefers dark mode
The plan includes support | The plan excludes support
Tests are passing | Tests are failing
Alice quit smoking cigars | Alice smokes cigars
is owned by Alice | is owned by Bob
Alice reports to Carol | Alice reports to Dan
Backups are encrypted | Backups are unencrypted
uses Redis for cache | no longer uses Redis
Email alerts are active | Email alerts are inactive
The payments API is deprecated and still supported | The payments API is unsupported
Caroline is single | Caroline is married
Melanie works at a hospital | Melanie now works at a school
Melanie's daughter is 7 years old | Melanie's daughter is 8 years old
The deadline is March 5 | The deadline is April 12
checkout-service depends on Kafka | checkout-service no longer depends on Kafka
checkout-service runs on Node 18 | checkout-service was upgraded to Node 20
The default branch is master | The default branch is main
CI runs on GitHub Actions | CI moved from GitHub Actions to GitLab
The team uses Slack for chat | The team switched from Slack to Teams
Dan doesn't eat meat | Dan eats meat again
Dan has a dog | Dan doesn't have a dog
Feature flags are disabled | Feature flags have been enabled
We use Terraform | We don't use Terraform anymore
We deploy with Jenkins | We replaced Jenkins with ArgoCD
The office is in Berlin | The office is in Munich
Anna's email is anna@old.example | Anna's email is anna@new.example
The CEO of Acme is Bob Smith | The CEO of Acme is Jane Doe
Carla studies at MIT | Carla studies at Stanford
Max retries is 3 | Max retries is 5
max_connections is set to 100 | max_connections is set to 200
Logging is on | Logging has been turned off
Caching is turned on | Caching is turned off
The door is locked | The door is unlocked
The gateway blocks anonymous traffic | The gateway does not block anonymous traffic
Jon is dating Mia | Jon broke up with Mia
Jon lives with Mia | Jon split up with Mia
Sam drives a Tesla | Sam sold the Tesla
I live in Boston | I moved to Seattle last month
Her job title is analyst | Her job title is director
The cluster has 3 nodes | The cluster has 5 nodes
The workers are paused | The workers are resumed
The service listens on port 443 | The service listens on port 8443
The config file is stored in S3 | The config file is stored in GCS
Retries are allowed | Retries are forbidden
The cron job starts at 2am | The cron job starts at 4am
The maintainer of the parser is Alice | The maintainer of the parser is Bob
Tom is a member of the gym | Tom is not a member of the gym
Redis version is 6.2 | Redis version is 7.0
The build passes | The build fails
Melanie takes pottery classes on Tuesdays | Melanie stopped taking pottery classes
Caroline wants to become a counselor | Caroline no longer wants to become a counselor
Rate limiting is enabled for all tenants | Rate limiting has been disabled
The project uses MIT license | The project switched from MIT license to Apache license
Nina is allergic to peanuts | Nina isn’t allergic to peanuts
Python version is pinned to 3.10 | Python version is pinned to 3.12
The search index is rebuilt nightly | The search index is never rebuilt nightly
The billing team is led by Omar | The billing team is led by Priya
My phone number is 555-1234 | My phone number is 555-9876
Deploys require approval | Deploys no longer require approval
The frontend framework is React | The frontend framework is Svelte
Backup retention is 30 days | Backup retention is 90 days
Telemetry is opt-in, it is disabled by default | Telemetry is enabled by default
Leo works as a teacher | Leo now works as a principal
The wedding is on Saturday | The wedding was postponed to Sunday
Ana has 2 children | Ana has 3 children
The bot can delete channels | The bot can't delete channels
worker uses RabbitMQ as the message broker | worker uses Kafka as the message broker
The legacy API is supported | The legacy API is no longer supported
Dev server port is 3000 | Dev server port is 5173
"""
"""Older | newer, 40 days apart: the newer one retires the older one."""

COMPATIBLE = """
uses Redis | uses Redis for cache
uses Redis | uses PostgreSQL
uses PostgreSQL | migrated to MongoDB
8 GB | 8GB
has 8 GB of RAM | has 8GB RAM
The timeout is 60 minutes | The timeout is 1 hour
The meeting is at 3pm | The meeting is at 15:00
auth is enabled | plans to disable auth
auth is enabled | Is auth disabled?
auth is enabled | Bob said auth is disabled
used to use Redis | uses PostgreSQL
Alice lived in Paris | Alice lives in Berlin
The rate limit is 100 on the free plan | The rate limit is 500 on the enterprise plan
auth is enabled in staging | auth is disabled in production
uses Redis for cache | does not use Redis for storage
Alice lives in NYC | Bob lives in LA
Alice likes tea | Alice likes coffee
knows Python | knows Go
depends on numpy | depends on pandas
allows guests | denies bots
feature X is enabled | feature Y is disabled
supports Linux | doesn't support Windows
The shop opens at 9 | The shop closes at 17
runs on port 8080 | deployed on Mondays
Alice is a doctor | Alice is tall
The database is PostgreSQL | The database is slow
Alice lives in Berlin | Alice lives in Berlin, Germany
Alice's brother lives in Berlin | Alice lives in Paris
auth is not enabled | auth is disabled
uses PostgreSQL | uses PostgreSQL, not MySQL
not only fast but also cheap | fast and cheap
is enabled | is enabled and was disabled before
supports Python 3.11 | supports Python 3.12
uses Redis as a cache | uses PostgreSQL as the primary database
has 8 GB of RAM | has 500 GB of disk
has 2 cats | has 3 dogs
Alice works as a nurse | Alice works at Acme
Alice lives in NYC | Alice lives in New York City
uses Postgres | uses PostgreSQL
Alice lives in NYC | Alice might move to LA
Alice lives in NYC | Alice wants to move to LA
always validates input | never skips validation
is 31 | is 180 cm tall
Alice works at Acme | Alice works with Bob
Alice is in Paris | Alice is in meetings
uses open source tools | uses closed tools
runs in staging | runs in production
Alice plays tennis on Mondays | Alice now plays chess on Mondays
uses Redis | now uses pytest
costs $5 per month | costs $50 per year
no later than 5 pm on Friday | 5 pm on Friday
prefers tea | prefers dark mode
works with Amari | broke up with Amari
runs on Linux | runs on port 80
Caroline has a dog | Caroline has a cat
The API returns JSON | The API returns errors
Alice is afraid of dogs | Alice is not afraid of cats
Melanie went camping in June | Melanie went camping in July
Alice speaks French | Alice speaks German
The service writes to Kafka | The service reads from Kafka
Bob is a designer | Bob is in London
The team uses Python for ML | The team uses Go for services
Sam visited Rome in 2019 | Sam visited Paris in 2021
The retry limit is 3 | The timeout is 5
The CI pipeline runs tests | The CI pipeline runs linters
Alice doesn't like rain | Alice likes snow
The endpoint is public | The admin endpoint is private
The API accepts JSON | The API rejects invalid tokens
Dan has two kids | Dan has a house
We use Kafka | We use Kafka for events and RabbitMQ for jobs
Alice thinks Redis is slow | Redis is not slow
The service is written in Go | The docs are written in Markdown
Alice works from home on Mondays | Alice works from the office on Tuesdays
Carla studied at MIT | Carla studies at Stanford
The release includes bug fixes | The release excludes docs
The owner is Alice | The database is PostgreSQL
Alice enjoys hiking | Alice recently started painting
The cluster has 3 nodes | The cluster has 64 GB of memory
Max lives in Berlin | Max lives in Kreuzberg, Berlin
started at Google in 2019 | works at Google
Alice owns a bike | Alice sold the car
requires Node 18 | requires 2 GB of memory
The limit is 10 MB per file | The limit is 100 requests per minute
The parser handles UTF-8 | The parser does not handle UTF-16
The build passed on Linux | The build failed on Windows
Could we disable auth? | auth is enabled
We should consider moving to Postgres | We use MySQL
uses Python 3 | uses Python 3.11
Alice is not a morning person | Alice is a night person
The app opens the door | The app closes the connection
Alice started a company | The company stopped hiring
Reads are enabled, writes are disabled | Reads are enabled
The on-call is Bob this week | The on-call phone is off
Bob moved to the platform team | Bob lives in Berlin
The user adds items to the cart | The admin removes items from the catalog
Alice manages the payments team | Alice manages the search team
Alice was born in Oslo | Alice lives in Bergen
The dashboard shows errors | The dashboard hides test users
The app is free for students | The app is paid for companies
Alice's sister is married | Alice is single
Melanie painted a sunrise in 2022 | Melanie painted a lake in 2023
Caroline attended a support group | Caroline did not attend the parade
orders-api calls payments-api | orders-api calls shipping-api
Nina is allergic to peanuts | Nina isn't allergic to cats
John has a red car | John has a blue bike
The team meets on Monday for planning | The team meets on Friday for retro
The CLI supports JSON output | The CLI supports YAML output
Leo taught math at Lincoln High | Leo works at the museum
The cache stores sessions | The cache stores tokens
Kim ran a marathon in May | Kim is running a charity race
The queue is full | The queue is empty on weekends
Ana's mother lives in Lisbon | Ana lives in Porto
The API key is stored in Vault | The API key is rotated weekly
If load is high, caching is disabled | Caching is enabled
Omar recommended disabling telemetry | Telemetry is enabled
The wedding is on Saturday | The wedding is in Florence
Deploys happen at 9am | Standup happens at 10am
The tests pass locally | The tests fail in CI
The model has 7 layers | The model has 512 hidden units
The service is fast | The service is written in Rust
Tom started running | Tom likes swimming
I think we should use GraphQL | The API uses REST
Memory limit is 512 MB | Memory limit is 0.5 GB
The docs are public | The docs are written in English
The release is not blocked by QA | The release is blocked by legal
Use spaces for indentation | Use tabs in Makefiles
Sara recently visited Japan | Sara visited Korea
uses AWS Lambda | uses AWS S3
"""
"""Older | newer, 40 days apart: both may be true, or the newer one claims nothing that holds now."""


def table(text: str) -> list[tuple[str, str]]:
    pairs = (line.split(" | ") for line in text.strip().splitlines())
    return [(old, new) for old, new in pairs]


def compare(old: str, new: str, days: float = 0, constraint: str = "") -> Contradiction:
    later = JANUARY + timedelta(days=days)
    return check(
        Claim(content=old, created_at=JANUARY, kind="constraint" if constraint == "old" else "attribute"),
        Claim(content=new, created_at=later, kind="constraint" if constraint == "new" else "attribute"),
    )


def names(verdict: Contradiction) -> list[str]:
    return [signal.name for signal in verdict.signals]


@pytest.mark.parametrize(("old", "new"), table(CONTRADICTIONS))
def test_a_contradiction_is_found(old: str, new: str) -> None:
    verdict = compare(old, new, days=40)
    assert verdict.conflict, verdict
    assert verdict.confidence == max(signal.confidence for signal in verdict.signals)
    assert all(signal.evidence for signal in verdict.signals)


@pytest.mark.parametrize(("old", "new"), table(COMPATIBLE))
def test_compatible_statements_stay_side_by_side(old: str, new: str) -> None:
    verdict = compare(old, new, days=40)
    assert not verdict.conflict, verdict


@pytest.mark.parametrize(("old", "new"), table(CONTRADICTIONS) + table(COMPATIBLE))
def test_a_statement_never_contradicts_itself(old: str, new: str) -> None:
    assert not compare(old, old, days=40).signals
    assert not compare(new, new, days=40).signals


def test_there_are_about_as_many_negatives_as_positives() -> None:
    positives, negatives = len(table(CONTRADICTIONS)), len(table(COMPATIBLE))
    assert positives + negatives >= 60
    assert 0.4 <= negatives / (positives + negatives) <= 0.6


# The pairs that the seed names.


def test_seed_breaking_up_ends_apartment_hunting() -> None:
    verdict = compare("apartment hunting with Amari", "broke up with Amari")
    assert verdict.conflict
    assert names(verdict) == ["negation"]


def test_seed_lives_in_nyc_against_la() -> None:
    verdict = compare("lives in NYC", "lives in LA")
    assert verdict.conflict
    assert names(verdict) == ["value_conflict"]
    assert verdict.signals[0].evidence == "'lives in nyc' against 'lives in la'"


def test_seed_uses_postgresql_against_migrated_to_mongodb_is_left_to_the_slow_path() -> None:
    assert not compare("uses PostgreSQL", "migrated to MongoDB").signals


@pytest.mark.parametrize(
    "negated",
    [
        "is not", "is no longer", "isn't", "isn’t", "isnt", "never is", "wasn't ever", "is neither", "cannot be",
        "can't be", "won't be", "shouldn't be", "couldn't be", "wouldn't be", "hasn't been", "haven't been",
    ],
)  # fmt: skip
def test_every_negation_is_met(negated: str) -> None:
    verdict = compare("audit logging is mandatory here", f"audit logging {negated} mandatory here")
    assert "negation" in names(verdict)


def test_negation_needs_two_shared_words() -> None:
    assert not compare("is vegetarian", "is not vegetarian").signals
    assert compare("Bob is vegetarian", "Bob is not vegetarian").conflict


def test_two_negations_agree() -> None:
    assert not compare("Alice does not eat meat", "Alice never eats meat").signals


# Every negation of the seed, as it is written, with a curly apostrophe and with none.

NEGATED = """
not | The gate opens on Sundays | The gate does not open on Sundays
no | The chapel has an organ loft | The chapel has no organ loft
never | The ferry sails at night | The ferry never sails at night
don't | The twins eat red meat | The twins don't eat red meat
doesn't | The kiosk sells stamps | The kiosk doesn't sell stamps
won't | The landlord will repair the roof | The landlord won't repair the roof
can't | The crane can lift the hull | The crane can't lift the hull
isn't | The chapel is heated in winter | The chapel isn't heated in winter
aren't | The paths are lit at night | The paths aren't lit at night
wasn't | The bridge was painted in spring | The bridge wasn't painted in spring
weren't | The sails were mended by hand | The sails weren't mended by hand
haven't | The guards have checked the vault | The guards haven't checked the vault
hasn't | The baker has paid the rent | The baker hasn't paid the rent
hadn't | The crew had packed the tents | The crew hadn't packed the tents
couldn't | The choir could rehearse indoors | The choir couldn't rehearse indoors
shouldn't | The valve should stay shut | The valve shouldn't stay shut
wouldn't | The museum would lend the vase | The museum wouldn't lend the vase
nor | The hut has heating and light | The hut has no heating nor light
neither | The hut has heating and light | The hut has neither heating nor light
cannot | The mill can grind the rye | The mill cannot grind the rye
didn't | The tailor hemmed the coat | The tailor didn't hem the coat
"""


@pytest.mark.parametrize("apostrophe", ["'", "’", ""], ids=["straight", "curly", "none"])
@pytest.mark.parametrize("line", NEGATED.strip().splitlines(), ids=lambda line: str(line).split(" | ", maxsplit=1)[0])
def test_each_negation_contradicts_what_it_denies_and_the_other_way_round(line: str, apostrophe: str) -> None:
    _, said, denied = line.split(" | ")
    denied = denied.replace("'", apostrophe)
    for old, new in ((said, denied), (denied, said)):
        verdict = compare(old, new, days=40)
        assert verdict.conflict, verdict
        assert "negation" in names(verdict)
    assert not compare(denied, denied.replace("The ", "the "), days=40).signals, "both negate"


# Digits and versions are values.


@pytest.mark.parametrize(
    ("old", "new"),
    table("""
version is 1.5 | version is 1.9
version is v1.5 | version is v1.9
The press is at version 1.5 | The press is at version 1.9
The loom runs version 2.10 | The loom runs version 2.1
The release is 2.0.0-rc1 | The release is 2.0.0-rc2
runs on port 8080 | runs on port 9090
The pump is on port 80 | The pump is on port 8080
The seal is rated 3 bar | The seal is rated 5 bar
The license key is AB-12 | The license key is AB-13
The chip runs at 2.4 GHz | The chip runs at 3.1 GHz
The tax is 7% | The tax is 19%
The subnet is 10.0.0.0/16 | The subnet is 10.1.0.0/16
The quota is 1,000 | The quota is 10,000
"""),
)
def test_digits_and_versions_are_values(old: str, new: str) -> None:
    for verdict in (compare(old, new), compare(new, old)):
        assert verdict.conflict, verdict
        assert "value_conflict" in names(verdict)


# Each word by which a statement corrects another one.


@pytest.mark.parametrize(
    ("old", "new"),
    table("""
The picnic is on Sunday | Actually, the picnic is on Monday
Iris lives in Cork | Iris actually lives in Sligo
Iris rents the attic | Iris no longer rents the attic
Iris plays the oboe | Iris doesn't play the oboe anymore
Iris plays the oboe | Iris doesn’t play the oboe any longer
Iris bakes rye bread | Iris stopped baking rye bread
Iris plays the oboe | Iris quit playing the oboe
Iris lives in Cork | Iris used to live in Cork
Iris takes the tram to work | Iris takes the train to work instead of the tram
The shop uses Xero | The shop uses Sage instead of Xero
The archive runs on Solaris | The archive migrated from Solaris to Debian
Iris uses Vim | Iris switched from Vim to Emacs
The shop uses Xero | The shop replaced Xero with Sage
Iris is dating Tom | Iris broke up with Tom
The rent is 900 francs | Sorry, the rent is 950 francs
The rent is 900 francs | Correction: the rent is 950 francs
The host is Iris | The host is not Iris but Jonas
The fence is red | The fence is not red but blue
The host is Iris | The host is not Iris, it is Jonas
"""),
)
def test_each_word_of_correction_retires_what_it_corrects(old: str, new: str) -> None:
    verdict = compare(old, new)
    assert verdict.conflict, verdict


def test_a_correction_agrees_with_what_it_puts_right() -> None:
    assert not compare("The host is Jonas", "The host is not Iris but Jonas").conflict
    assert not compare("Iris is tall", "Iris is not only tall but strong").conflict


# Each kind of statement that is no contradiction.

NO_CONFLICT = """
additive | uses Redis for cache | uses Postgres for storage
additive | The shop sells tea | The shop sells honey
roles | Iris is a mother | Iris is a teacher
roles | Jonas is the captain of the team | Jonas is the treasurer of the club
plurals | Iris has a cat | Iris has two dogs
plurals | The choir has sopranos | The choir has tenors
plurals | Iris speaks Irish | Iris speaks Welsh
scopes | The limit is 10 on the free plan | The limit is 90 on the enterprise plan
scopes | Heating is enabled in the attic | Heating is disabled in the cellar
scopes | The kiosk is open on Mondays | The kiosk is closed on Sundays
plans | The alarm is enabled | Jonas plans to disable the alarm
plans | The alarm is enabled | The alarm will be disabled next year
plans | Iris lives in Cork | Iris intends to move to Sligo
plans | Iris lives in Cork | Iris is thinking about moving to Sligo
past | Iris lives in Cork | Iris lived in Sligo as a child
past | Iris works at Xero | Iris worked at Sage before
past | The port is 8080 | The port was 9090 in 2019
questions | The alarm is enabled | Is the alarm disabled?
questions | Iris lives in Cork | Does Iris live in Sligo?
questions | The port is 8080 | Should the port be 9090?
quotations | The alarm is enabled | Jonas said the alarm is disabled
quotations | The alarm is enabled | "The alarm is disabled," Jonas wrote
quotations | The alarm is enabled | According to Jonas, the alarm is disabled
double negation | The alarm is enabled | The alarm is not disabled
double negation | The hall is safe | The hall isn’t unsafe
double negation | Iris likes olives | It is not true that Iris doesn't like olives
double negation | Iris always pays the rent | Iris never fails to pay the rent
supersets | Iris lives in Cork | Iris lives in Cork, Ireland
supersets | The shop sells tea | The shop sells tea and honey
supersets | The loom runs version 3 | The loom runs version 3.11
supersets | runs on port 8080 | runs on port 8080 behind a proxy
paraphrases | Iris lives in Cork | Iris resides in Cork
paraphrases | The shop uses Postgres | The shop uses PostgreSQL
paraphrases | Iris is employed by Xero | Iris works at Xero
paraphrases | The alarm is disabled | The alarm is turned off
units | The wall is 2 m high | The wall is 200 cm high
units | The timeout is 60 minutes | The timeout is 1 hour
units | The disk is 1 TB | The disk is 1000 GB
formats | Lunch is at 3pm | Lunch is at 15:00
formats | The fee is $5 | The fee is 5 dollars
formats | The fair is on March 5 | The fair is on 5 March
formats | The fair is on 2026-03-05 | The fair is on March 5, 2026
formats | The quota is 1000 | The quota is 1,000
formats | version is v1.5 | version is 1.5
conditions | The alarm is enabled | If smoke is seen, the alarm is disabled
"""


@pytest.mark.parametrize("line", NO_CONFLICT.strip().splitlines())
def test_each_kind_of_statement_that_is_no_contradiction_retires_nothing(line: str) -> None:
    _, old, new = line.split(" | ")
    verdict = compare(old, new, days=40)
    assert not verdict.conflict, verdict


# What has one value, and what has many.


@pytest.mark.parametrize(
    ("old", "new"),
    table("""
Iris lives in Cork | Iris lives in Sligo
The default branch is trunk | The default branch is stable
The port is 8080 | The port is 9090
The status is draft | The status is final
The owner is Iris | The owner is Jonas
"""),
)
def test_relations_with_one_value_contradict_by_another_value(old: str, new: str) -> None:
    assert compare(old, new).conflict
    assert compare(new, old).conflict


@pytest.mark.parametrize(
    "relation", ["uses", "supports", "depends on", "likes", "speaks", "knows", "visits", "integrates with", "teaches"]
)
def test_relations_with_many_values_never_contradict_by_the_value_alone(relation: str) -> None:
    assert not compare(f"Iris {relation} Xero", f"Iris {relation} Sage", days=40).signals


MARKED = {
    "now": ("Orders reach the depot by fax", "Orders now reach the depot through EDI"),
    "currently": ("Orders reach the depot by fax", "Orders currently reach the depot through EDI"),
    "recently": ("Iris reports to Jonas", "Iris recently reports to Tom"),
    "started": ("Iris works at Xero", "Iris started to work at Sage"),
    "switched": ("The loom runs on port 80", "The loom switched to port 81"),
    "moved": ("The depot is in Cork harbour", "The depot moved to Sligo harbour"),
    "changed": ("The rent is 900 francs", "The rent changed to 950 francs"),
}


@pytest.mark.parametrize("marker", MARKERS)
def test_each_marker_of_time_counts_after_a_day_and_not_before(marker: str) -> None:
    old, new = MARKED[marker]
    (found,) = [signal for signal in compare(old, new, days=2).signals if signal.name == "temporal"]
    assert found.evidence.startswith(f"'{marker}', 2 days later")
    assert "temporal" not in names(compare(old, new, days=1))


# Signals together.


def test_the_confidences_are_the_agreed_ones() -> None:
    assert CONFIDENCE == {"negation": 0.85, "antonym": 0.80, "value_conflict": 0.75, "temporal": 0.70}


def test_all_fired_signals_are_reported_and_the_strongest_counts() -> None:
    verdict = compare("Alice lives in NYC", "Alice now lives in LA", days=40)
    assert names(verdict) == ["value_conflict", "temporal"]
    assert verdict.confidence == 0.75


def test_the_temporal_signal_fires_alone_on_a_shared_topic() -> None:
    old, new = "Orders reach the depot by fax", "Orders now reach the depot through EDI"
    assert names(compare(old, new, days=2)) == ["temporal"]


def test_the_temporal_signal_needs_more_than_a_day() -> None:
    assert "temporal" not in names(compare("Alice lives in NYC", "Alice now lives in LA", days=1))
    assert "temporal" in names(compare("Alice lives in NYC", "Alice now lives in LA", days=1.01))


def test_statements_without_times_are_compared() -> None:
    verdict = check(Claim(content="lives in NYC"), Claim(content="now lives in LA"))
    assert names(verdict) == ["value_conflict"]


def test_the_threshold_is_inclusive() -> None:
    old, new = Claim(content="lives in NYC"), Claim(content="lives in LA")
    assert check(old, new, 0.75).conflict
    assert not check(old, new, 0.76).conflict
    assert check(old, new, 0.76).signals


# What blocks.


@pytest.mark.parametrize("side", ["old", "new"])
def test_a_constraint_blocks_on_either_side_and_the_signals_are_still_told(side: str) -> None:
    verdict = compare("auth is enabled", "auth is disabled", constraint=side)
    assert (verdict.conflict, verdict.blocked_by, names(verdict)) == (False, "constraint", ["antonym"])


def test_an_older_statement_retires_nothing() -> None:
    verdict = compare("auth is enabled", "auth is disabled", days=-1)
    assert (verdict.conflict, verdict.blocked_by) == (False, "older")


@pytest.mark.parametrize(
    ("old", "new", "blocked_by"),
    [
        ("auth is enabled", "plans to disable auth", "plan"),
        ("auth is enabled", "auth will be disabled", "plan"),
        ("auth is enabled", "auth might be disabled soon", "plan"),
        ("auth is enabled", "is auth disabled?", "question"),
        ("auth is enabled", "Bob claims auth is disabled", "quote"),
        ("auth is enabled", "auth is disabled in staging", "scope"),
        ("limit is 100 on the free plan", "limit is 500 on the enterprise plan", "scope"),
        ("uses Redis for cache", "does not use Redis for storage", "scope"),
        ("Alice lives in NYC", "Bob lives in LA", "different_slot"),
        ("uses X as cache", "uses Y as primary database", "different_slot"),
        ("used to use Redis for cache", "uses Memcached for cache", "scope"),
    ],
)
def test_what_blocks_is_named(old: str, new: str, blocked_by: str) -> None:
    verdict = compare(old, new, days=2)
    assert (verdict.conflict, verdict.blocked_by) == (False, blocked_by)


def test_another_subject_fires_nothing() -> None:
    assert not compare("Alice eats red meat", "Bob doesn't eat red meat", days=9).signals


def test_two_plans_can_contradict_each_other() -> None:
    assert compare("Alice plans to adopt a cat", "Alice no longer plans to adopt a cat").conflict


# Any text.

VOCABULARY = """Alice billing-service it uses lives is not never no longer in on as for from to with NYC LA Redis port
8080 1.5 plans said used started stopped enabled disabled , . ; ? ' " isn’t Берлин 北京 हिन्दी C++ $5 8 GB and but now"""
WORDS = st.sampled_from(VOCABULARY.split())
TEXTS = st.text(max_size=60) | st.lists(WORDS, max_size=14).map(" ".join)


@given(old=TEXTS, new=TEXTS, days=st.integers(-3, 3))
def test_any_two_texts_have_a_consistent_verdict(old: str, new: str, days: int) -> None:
    verdict = compare(old, new, days=days)
    assert verdict.confidence == max((signal.confidence for signal in verdict.signals), default=0.0)
    assert verdict.conflict == (bool(verdict.signals) and verdict.blocked_by is None)
    assert len(set(names(verdict))) == len(verdict.signals)
    assert verdict == compare(old, new, days=days)


@given(text=TEXTS)
def test_no_text_contradicts_itself(text: str) -> None:
    assert not compare(text, text, days=2).conflict


@pytest.mark.parametrize("text", ["1" * 200_000, "a" * 200_000, "not " * 50_000, "a, is b, " * 20_000, ". " * 99_999])
def test_a_page_is_read_in_time(text: str) -> None:
    compare(text, "is not " + text, days=2)
