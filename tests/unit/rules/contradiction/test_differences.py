"""Statements laid side by side: what differs is found without knowing the verb, and what is alike is left alone."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.knowledge import Claim, Contradiction
from graphmem.rules.contradiction.antonyms import NEGATIONS, PAIRS, key, opposites, respell
from graphmem.rules.contradiction.detector import check
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.contradiction.traits import traits_of
from graphmem.rules.language.stems import word_set
from graphmem.rules.supersession.decision import Fact, decide

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
LISTED = [pair.split("/") for pair in PAIRS]


def judge(old: str, new: str, days: float = 40) -> Contradiction:
    return check(Claim(content=old, created_at=JANUARY), Claim(content=new, created_at=JANUARY + timedelta(days=days)))


def fact(name: str, content: str, day: int) -> Fact:
    at = JANUARY + timedelta(days=day)
    return Fact(name, content, "attribute", None, 1.0, False, False, at, at)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The parrot whistles at noon", "The parrot doesn't whistle at noon"),
        ("The stove is heated", "The stove is unheated"),
        ("The orchestra rehearses in the barn", "The orchestra rehearses in the chapel"),
        ("The hive holds 40 frames", "The hive holds 55 frames"),
        ("Iris chairs the council", "Jonas chairs the council"),
        ("Iris attends yoga", "Iris gave up yoga"),
        ("The sloop is moored in Cork", "The sloop was moored in Cork until the storm"),
        ("Sonar powers the search", "Radar has taken the place of Sonar in the search"),
        ("The ferry is called Alba", "The ferry was renamed to Brisa"),
        ("Iris keeps only bees", "Iris keeps bees and ducks"),
        ("The kiosk is open until noon", "Sorry, the kiosk is open until 3 pm"),
        ("Олена живе у Києві", "Олена живе у Полтаві"),
        ("Οδός 12", "Οδός 14"),
    ],
)
def test_a_change_is_found_whatever_the_verb(old: str, new: str) -> None:
    verdict = judge(old, new)
    assert verdict.conflict, verdict
    assert verdict.confidence == max(signal.confidence for signal in verdict.signals)
    assert all(signal.evidence for signal in verdict.signals)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Iris collects stamps", "Iris collects coins"),
        ("The hive holds 40 frames", "The shed holds 55 frames"),
        ("Iris attends yoga", "Iris gave up fencing"),
        ("The sloop is moored in Cork", "In 1990 the sloop was moored in Brest"),
        ("The ferry carries cars", "The ferry was renamed to Brisa"),
        ("Iris keeps bees", "Iris keeps bees and ducks"),
        ("Iris doesn't ski", "Iris's children ski"),
        ("Below 20 guests the hall costs 100 francs", "From 20 guests on the hall costs 150 francs"),
        ("Iris is the aunt of Tom", "Iris is the aunt of Lea"),
        ("The plug-in works with PDF 1.6", "The plug-in works with PDF 1.7"),
        ("The lamp is on", "The lamp is not off"),
        ("Building A is locked", "Building B is unlocked"),
        ("His office is in Rome", "Her office is in Bari"),
        ("The other door is locked", "The same door is unlocked"),
        ("The billing service runs on port 80", "The billing app runs on port 81"),
        ("Олена любить каву", "Олена любить чай"),
    ],
)
def test_what_only_looks_like_a_change_is_none(old: str, new: str) -> None:
    verdict = judge(old, new)
    assert not verdict.conflict, verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The quota is 4 TB", "The quota is 4000 GB"),
        ("The cap is 512 MB", "The cap is 0.5 GB"),
        ("The doors open at 7:45 pm", "The doors open at 19:45"),
        ("Lunch is at noon", "Lunch is at 12 pm"),
        ("The share is 0.5 percent", "The share is 0.005"),
        ("The prize is 250,000 francs", "The prize is 250k francs"),
        ("The class has twenty-four pupils", "The class has 24 pupils"),
        ("The stay lasts half a year", "The stay lasts six months"),
        ("The tick is a quarter of a second", "The tick is 250 ms"),
        ("The track is 0.4 km long", "The track is 400 m long"),
        ("The oven is set to 200 degrees Celsius", "The oven is set to 392 degrees Fahrenheit"),
        ("The talk is on the 9th of July", "The talk is on July 9"),
        ("The host is Amazon Web Services", "The host is AWS"),
    ],
)
def test_the_same_value_in_another_unit_or_format_is_no_conflict(one: str, other: str) -> None:
    assert not judge(one, other).conflict
    assert not judge(other, one).conflict


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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Lea finds the drawing class easy.", "Lea finds the fencing class difficult."),
        ("The boiler check cost 90 euros in March.", "The boiler check cost 110 euros in October."),
        ("Only nurses can open the cabinet.", "Nurses can also open the archive."),
        ("Petra's brother is Tobias.", "Petra's brother is Matthias."),
        ("Tobias is Petra's cousin.", "Matthias is Petra's cousin."),
        ("The choir practice begins at half past seven.", "The choir practice begins at 19:30."),
        ("The deploy of the search index went out at 8:15.", "The deploy of the search index went out at 16:05."),
        ("The dog is never not tired.", "The dog is always tired."),
    ],
)
def test_what_can_stand_beside_is_left(old: str, new: str) -> None:
    assert not judge(old, new).conflict


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Only Lea has the key to the shed.", "Tom has a key to the shed too."),
        ("Only nurses can open the cabinet.", "Porters can open the cabinet as well."),
        ("The reader accepts PDF files only.", "The reader also accepts EPUB files."),
        ("The kiosk only sells paper tickets.", "The kiosk also sells plastic tickets."),
    ],
)
def test_another_one_contradicts_what_was_said_to_be_the_only_one(old: str, new: str) -> None:
    assert judge(old, new).conflict
    one, other = traits_of(old), traits_of(new)
    assert one.seeks & other.shows or other.seeks & one.shows
