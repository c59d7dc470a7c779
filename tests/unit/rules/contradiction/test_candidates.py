"""No pair that the full rule would find is passed over, and most of the others are."""

import json
import random
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from graphmem.model.knowledge import Claim
from graphmem.rules.contradiction import antonyms
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.antonyms import PAIRS, SPELLINGS
from graphmem.rules.contradiction.candidates import Candidates
from graphmem.rules.contradiction.detector import check
from graphmem.rules.contradiction.laying import FORMS
from graphmem.rules.contradiction.traits import traits_of

TUNED = Path(__file__).parents[3] / "data" / "supersession" / "tuned.jsonl"
JANUARY = datetime(2026, 1, 1, tzinfo=UTC)


def listed(text: str) -> list[str]:
    return text.split("|")


SUBJECTS = listed(
    "Ana|Ana|She|the cache|The port|her manager|Ana and Amari|The default branch|the auth service|Олена|backups|"
    "Ana's office|hall B|the primary database||Only Ana|The app's name"
)
VERBS = listed(
    "is|is|was|lives in|works at|works as|uses|runs on|moved to|doesn't use|is not|has|will be|likes|keeps only|"
    "is named|was renamed to|stopped using|no longer works at|used to live in|switched from|broke up with|heads|"
    "replaced|is located in|has been|is set to|meets on|left|is where|chairs|gave up|living in|живе у|not|never|"
    "is held on|currently uses|is owned by|is called|turned|wakes at|was moved from Rome to|drops|increased to"
)
VALUES = listed(
    "Rome|Oslo|port 8080|9090|3.11|PostgreSQL|Redis as the cache|tea|enabled|disabled|complete|incomplete|on|off|"
    "Monday|Friday|8:30|two cats|a teacher|Amari|the search|harmful|harmless|Києві|Полтаві|in staging|yoga|10 GB|"
    "Mongo instead of Redis|now|for orders|the only owner|owned by Kim|public|private|by Kim|in Rome|what|and ducks"
)
LEADS = ("", "", "", "now ", "Actually, ", "Since May, ", "Below 40 seats ", "Dr. ", "if ")


def sentence(chance: random.Random) -> str:
    """Words that look like a statement, most of them nonsense."""
    pair = chance.choice(PAIRS).replace("/", " ").split()
    values = [chance.choice(VALUES) if chance.random() < 0.8 else chance.choice(pair)]
    values += [chance.choice(VALUES)] if chance.random() < 0.3 else []
    values += [chance.choice(("now", "currently", "too", "; she is off", "until May"))] if chance.random() < 0.2 else []
    return " ".join([chance.choice(LEADS) + chance.choice(SUBJECTS), chance.choice(VERBS), *values]).strip()


def changed(chance: random.Random, said: str) -> str:
    """The statement with a word or two left out, put in or exchanged, so that there is something to find."""
    words = said.split()
    at = chance.randrange(len(words))
    words[at : at + chance.randrange(3)] = chance.choice(
        ([], [chance.choice(VALUES)], [chance.choice(VERBS)], ["not"], ["now", *words[at : at + 1]])
    )
    return " ".join(words) or said


def found_and_missed(statements: list[str], share: float, chance: random.Random) -> tuple[int, list[tuple[str, str]]]:
    """How many contradictions the full rule finds in (a share of) all ordered pairs, and those that are passed over."""
    candidates = Candidates([*map(traits_of, statements)])
    found, missed = 0, []
    for place, old in enumerate(statements):
        near = candidates.of(place)
        for other, new in enumerate(statements):
            if other == place or (other not in near and chance.random() > share):
                continue
            days = chance.choice((0, 3))
            verdict = check(
                Claim(content=old, created_at=JANUARY),
                Claim(content=new, created_at=JANUARY + timedelta(days=days)),
                0.0,
            )
            found += verdict.conflict
            if verdict.conflict and other not in near:
                missed.append((old, new))
    return found, missed


@cache
def tuned_statements() -> list[str]:
    pairs = [json.loads(line) for line in TUNED.read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(pair[side]["content"] for pair in pairs for side in ("old", "new")))


def test_no_contradiction_among_some_of_the_tuned_statements_is_passed_over() -> None:
    chance = random.Random(1)
    first = chance.randrange(len(tuned_statements()) - 200)  # neighbours are pairs
    found, missed = found_and_missed(tuned_statements()[first : first + 200], 0.1, chance)
    assert found > 30
    assert not missed


@pytest.mark.long
def test_no_contradiction_in_any_crossing_of_the_tuned_statements_is_passed_over() -> None:
    found, missed = found_and_missed(tuned_statements(), 1.0, random.Random(1))
    assert found > 150
    assert not missed


@pytest.mark.parametrize(
    "rounds", [pytest.param(40, id="some"), pytest.param(2_000, id="many", marks=pytest.mark.long)]
)
def test_no_contradiction_of_random_statements_is_passed_over(rounds: int) -> None:
    chance = random.Random(rounds)
    found = 0
    for _ in range(rounds):
        said = [sentence(chance) for _ in range(3)]
        said += [changed(chance, one) for one in said for _ in range(3)]
        more, missed = found_and_missed(said, 1.0, chance)
        assert not missed
        found += more
    assert found > 3 * rounds, "random statements that never contradict prove nothing"


def test_most_pairs_of_a_person_are_passed_over() -> None:
    said = [
        "Ana lives in Rome",
        "Ana works at Initech",
        "Ana likes tea",
        "Ana plays the cello",
        "Ana has two cats",
        "Ana moved to Oslo",
        "Ana is vegetarian",
        "Ana reads about whales",
        "Ana no longer plays the cello",
        "Ana speaks Greek",
    ]
    candidates = Candidates([*map(traits_of, said)])
    pairs = {(said[one], said[other]) for one in range(len(said)) for other in candidates.of(one) if one < other}
    assert pairs >= {
        ("Ana lives in Rome", "Ana moved to Oslo"),
        ("Ana plays the cello", "Ana no longer plays the cello"),
    }
    assert len(pairs) <= 5


def test_the_marks_of_a_spelling_or_a_form_stand_in_whatever_its_pattern_matches() -> None:
    texts = [text.casefold() for text in tuned_statements()]
    chance = random.Random(3)
    texts += [sentence(chance).lower() for _ in range(500)]
    texts += [
        "born in new york city",
        "it costs $5",
        "at noon",
        "c++ and c#",
        "from 1 may",
        "ana is employed by initech",
    ]
    matched = set()
    for marks, pattern, _ in [*FORMS, *(((mark,), pattern, "") for mark, pattern, _ in SPELLINGS)]:
        for text in texts:
            if pattern.search(text):
                matched.add(pattern)
                assert any(mark in text for mark in marks), (pattern.pattern, text)
    assert len(matched) >= 12


def test_words_for_kinds_of_things_are_no_words_for_values() -> None:
    """What kind of thing a subject is does not count when two subjects are compared: no value may depend on it."""
    assert not (single.ANY_VALUE | single.NAMED_VALUE) & antonyms.TYPE_WORDS


@pytest.mark.parametrize("seed", range(5))
def test_asking_about_a_few_finds_the_pairs_they_are_in_and_no_others(seed: int) -> None:
    chance = random.Random(seed)
    said = chance.sample(tuned_statements(), 80)
    asked = chance.sample(range(len(said)), 3)
    every, few = Candidates([*map(traits_of, said)]), Candidates([*map(traits_of, said)], asked)
    for place in range(len(said)):
        wanted = every.of(place) if place in asked else every.of(place) & set(asked)
        assert few.of(place) == wanted, said[place]


def test_facts_of_a_numbered_thing_are_not_compared_for_its_number() -> None:
    facts = ["Harbour 3 likes tea with cardamom", "Harbour 3 kitchen speaks Greek", "Harbour 3 kitchen reads novels"]
    assert Candidates([*map(traits_of, facts)]).of(1) == set()
