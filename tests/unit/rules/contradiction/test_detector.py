"""The four signals on pairs of statements: the seed's own, what blocks, and any text. Pairs: `test_wording.py`."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.knowledge import Claim, Contradiction
from graphmem.rules.contradiction.detector import CONFIDENCE, MARKERS, check

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)


def compare(old: str, new: str, days: float = 0, constraint: str = "") -> Contradiction:
    later = JANUARY + timedelta(days=days)
    return check(
        Claim(content=old, created_at=JANUARY, kind="constraint" if constraint == "old" else "attribute"),
        Claim(content=new, created_at=later, kind="constraint" if constraint == "new" else "attribute"),
    )


def names(verdict: Contradiction) -> list[str]:
    return [signal.name for signal in verdict.signals]


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


# Each word by which a statement corrects another one.


def test_a_correction_agrees_with_what_it_puts_right() -> None:
    assert not compare("The host is Jonas", "The host is not Iris but Jonas").conflict
    assert not compare("Iris is tall", "Iris is not only tall but strong").conflict


# What has one value, and what has many.


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
