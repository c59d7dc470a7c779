"""Statements laid side by side: what differs is found without knowing the verb, and what is alike is left alone."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.knowledge import Claim, Contradiction
from graphmem.rules.contradiction.antonyms import NEGATIONS, PAIRS, key, opposites, respell
from graphmem.rules.contradiction.detector import check
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.language.stems import word_set
from graphmem.rules.supersession.decision import Fact, decide

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
LISTED = [pair.split("/") for pair in PAIRS]


def judge(old: str, new: str, days: float = 40) -> Contradiction:
    return check(Claim(content=old, created_at=JANUARY), Claim(content=new, created_at=JANUARY + timedelta(days=days)))


def fact(name: str, content: str, day: int) -> Fact:
    at = JANUARY + timedelta(days=day)
    return Fact(name, content, "attribute", None, 1.0, False, False, at, at)


def test_seed_breaking_up_retires_plans_and_activities_with_the_same_person_only() -> None:
    facts = [
        fact("hunting", "apartment hunting with Amari", 0),
        fact("trip", "Jo plans a trip to Rome with Amari", 0),
        fact("work", "Jo works with Amari on the parser", 0),
        fact("alone", "Jo takes dance classes", 0),
        fact("other", "Jo plans a trip to Rome with Sam", 0),
        fact("stranger", "Kim plans a trip to Rome with Amari", 0),
    ]
    plan = decide([fact("end", "Jo broke up with Amari", 9)], facts, min_confidence=0.7, shadow=False)
    assert {one.old_id for one in plan} == {"hunting", "trip"}


# Complaints about others, in words of our own.


def test_graphiti_1728_nothing_is_retired_for_being_similar() -> None:
    facts = [
        fact(name, content, 0)
        for name, content in {
            "a": "The billing service uses PostgreSQL",
            "b": "The billing service runs on port 8080",
            "c": "The orders service is deployed on Fridays",
            "d": "The orders service is owned by Priya",
        }.items()
    ]
    plan = decide([fact("n", "The orders service is deployed on Mondays", 9)], facts, min_confidence=0.7, shadow=False)
    assert {one.old_id for one in plan} == {"c"}


def test_graphiti_1841_another_project_retires_the_last_one() -> None:
    assert judge("Ada is assigned to Project Falcon", "Ada is now assigned to Project Heron").conflict
    assert judge("Ada lives in Rome", "Ada moved to Turin").conflict


def test_graphiti_630_an_update_in_the_middle_is_not_lost() -> None:
    states = ["The port is 8080", "The port is 9090", "The port is 7070"]
    facts = [fact(str(day), content, day) for day, content in enumerate(states)]
    plan = decide([facts[1]], [facts[0]], min_confidence=0.7, shadow=False)
    plan += decide([facts[2]], [facts[1]], min_confidence=0.7, shadow=False)
    assert [(one.old_id, one.new_id) for one in plan] == [("0", "1"), ("1", "2")]


def test_equal_confidence_overwrite_neither_drops_the_new_value_nor_loses_the_old_one() -> None:
    old, new = fact("old", "The limit is 100", 0), fact("new", "The limit is 200", 1)
    (only,) = decide([new], [old], min_confidence=0.7, shadow=False)
    assert (only.old_id, only.new_id, only.status) == ("old", "new", "applied")


# Properties.


def test_there_are_at_least_thirty_antonym_pairs_and_all_negations_of_the_seed() -> None:
    assert len(PAIRS) >= 30
    seed = """not no never don't doesn't won't can't isn't aren't wasn't weren't haven't hasn't hadn't couldn't
    shouldn't wouldn't nor neither"""
    assert set(seed.split()) <= NEGATIONS


@given(pair=st.sampled_from(LISTED), data=st.data())
def test_antonyms_exclude_each_other_in_both_directions(pair: list[str], data: st.DataObject) -> None:
    one, other = (data.draw(st.sampled_from(side.split())) for side in pair)
    there, back = opposites(["it", "is", one], ["it", "is", other]), opposites(["it", "is", other], ["it", "is", one])
    assert (one, other) in there
    assert back == tuple((second, first) for first, second in there)


WORDS = st.sampled_from(
    sorted(
        word_set("Iris Jonas the a sloop is was not no lives in on at port 80 90 4 TB red only and now until used left")
    )
)
TEXTS = st.lists(WORDS, min_size=1, max_size=10).map(" ".join) | st.text(min_size=1, max_size=40)


@given(text=TEXTS)
def test_no_statement_contradicts_itself(text: str) -> None:
    assert not judge(text, text).conflict


@given(old=TEXTS, new=TEXTS, days=st.integers(1, 9))
def test_an_older_statement_never_retires_a_newer_one(old: str, new: str, days: int) -> None:
    assert not judge(old, new, days=-days).conflict


@given(text=st.text(max_size=80))
def test_any_text_can_be_laid_out(text: str) -> None:
    laid = lay(text)
    assert len(laid.said) == len(laid.keys)
    assert respell(text) is not None
    assert all(isinstance(key(word), str) for word in laid.said)
