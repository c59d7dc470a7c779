"""A newer fact that says the same thing of the same subject with another value, in other words."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.adapters.embedding import LocalEmbedder
from graphmem.adapters.parsing import SpacyParser
from graphmem.rules.claims import ClaimReader
from graphmem.rules.supersession import Compared, Fact, Likely, decide, likely
from graphmem.rules.supersession.likeness import MOST, TRAINED_WITH, worth_comparing
from graphmem.settings import load_settings

PARSER = SpacyParser()
JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
LEAST = 0.7


@pytest.fixture(scope="module")
async def embedder() -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder(load_settings().cache_dir)
    yield embedder
    await embedder.close()


def fact(id: str, content: str, day: int, *, session: str = "") -> Fact:
    (parsed,) = PARSER.parse([content])
    reader = ClaimReader()
    claims = tuple(
        found.claim
        for one in parsed.sentences
        for found in reader.read(content, parsed.tokens, one.first, one.last, "user", "")
    )
    at = JANUARY + timedelta(days=day)
    sessions = frozenset({session} if session else ())
    return Fact(id, content, "attribute", None, 0.7, False, False, at, at, claims=claims, sessions=sessions)


async def verdicts(embedder: LocalEmbedder, compared: list[Compared]) -> Likely:
    frames = sorted({frame for one in compared for pair in one.pairs for frame in (pair.old_frame, pair.new_frame)})
    return likely(compared, dict(zip(frames, await embedder.embed(frames), strict=True)))


async def confidence(embedder: LocalEmbedder, old: str, new: str) -> float:
    found = await verdicts(embedder, worth_comparing([fact("new", new, 9)], [fact("old", old, 0)], 0.0))
    return found["old", "new"].confidence if found else 0.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The hall costs 300 euros for an evening.", "An evening in the hall is 350 euros this year."),
        ("Our newsletter goes out on Tuesdays.", "We send the newsletter on Thursdays these days."),
        ("Search in shop-front is done with Solr.", "shop-front runs its search on Typesense since the relaunch."),
        ("The deposit for a boat is 100 euros.", "People pay a deposit of 150 euros for a boat these days."),
        ("Mail to the board goes to Ottilie.", "Send mail for the board to Casimir from now on."),
        ("My daughter goes to Birkwood kindergarten.", "Our daughter is at Sunnyhill kindergarten since August."),
    ],
)
async def test_another_value_in_other_words_replaces_the_older_one(embedder: LocalEmbedder, old: str, new: str) -> None:
    assert await confidence(embedder, old, new) >= LEAST


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The night guard at the north gate is Halvor.", "The night guard at the south gate is Signe."),
        ("Our newsletter goes out on Tuesdays.", "The digest goes out on Thursdays."),
        ("The greenhouse is kept at 18 degrees.", "The cellar is kept at 12 degrees."),
        ("Lessons with Mr. Ochoa cost 40 euros.", "Lessons with Mrs. Lund cost 45 euros."),
        ("shop-front uses Solr for search.", "shop-front uses Redis for sessions."),
        ("My daughter goes to Birkwood kindergarten.", "My son goes to Sunnyhill kindergarten."),
        ("I paid 30 euros for lunch with Tom.", "I paid 42 euros for dinner with Tom."),
        ("In staging the limit is 100 requests.", "In production the limit is 500 requests."),
        ("The red bike has 21 gears.", "The blue bike has 7 gears."),
        ("The trip to Rome is in May.", "The trip to Oslo is in June now."),
        ("We host the wiki at Nimbus.", "The wiki is read by Stratus people."),
        ("The newsletter goes out on Tuesdays.", "The newsletter goes out on Thursdays, too."),
        ("The newsletter goes out on Tuesdays.", "We may send the newsletter on Thursdays."),
        ("Mail to the board goes to Ottilie.", "Mail to the board does not go to Casimir."),
    ],
)
async def test_another_subject_a_place_more_or_a_mere_thought_replaces_nothing(
    embedder: LocalEmbedder, old: str, new: str
) -> None:
    assert await confidence(embedder, old, new) < LEAST


async def test_the_plan_follows_the_scorer_where_the_rules_are_silent(embedder: LocalEmbedder) -> None:
    old, new = (
        fact("old", "Search in shop-front is done with Solr.", 0),
        fact("new", "shop-front runs its search on Typesense since the relaunch.", 9),
    )
    assert decide([new], [old], min_confidence=LEAST, shadow=False, by_claims=True) == ()
    found = await verdicts(embedder, worth_comparing([new], [old], LEAST))
    (one,) = decide([new], [old], min_confidence=LEAST, shadow=False, by_claims=True, likely=found)
    assert (one.old_id, one.new_id, one.method, one.status) == ("old", "new", "heuristic", "applied")
    assert '"Solr" and "Typesense" in "shop-front runs its search on someone since the relaunch."' in one.reason
    pinned = replace(old, pinned=True)
    assert decide([new], [pinned], min_confidence=LEAST, shadow=False, by_claims=True, likely=found) == ()
    assert worth_comparing([new], [pinned], LEAST) == []


def test_time_decides_which_is_the_newer_one() -> None:
    early, late = (
        fact("a", "The deposit for a boat is 100 euros.", 0),
        fact("b", "People pay a deposit of 150 euros for a boat.", 9),
    )
    (one,) = worth_comparing([early], [late], 0.0)
    assert (one.old, one.new) == ("a", "b")


def test_what_was_said_in_one_session_is_less_sure() -> None:
    old, new = "The deposit for a boat is 100 euros.", "People pay a deposit of 150 euros for a boat."
    (apart,) = worth_comparing([fact("b", new, 9, session="s2")], [fact("a", old, 0, session="s1")], 0.0)
    (together,) = worth_comparing([fact("b", new, 9, session="s1")], [fact("a", old, 0, session="s1")], 0.0)
    assert (together.together, apart.together) == (True, False)
    assert together.best < apart.best


def test_few_pairs_of_many_facts_are_looked_at_the_most_promising_first() -> None:
    held = [fact(f"{n}", f"The deposit for boat {n} is {n + 100} euros.", 0) for n in range(MOST + 8)]
    found = worth_comparing([fact("new", "People pay a deposit of 150 euros for a boat these days.", 9)], held, 0.0)
    assert len(found) == MOST
    assert [one.best for one in found] == sorted((one.best for one in found), reverse=True)


def test_the_scorer_was_trained_with_the_embedder_that_comes_with_the_package() -> None:
    assert LocalEmbedder(load_settings().cache_dir).id == TRAINED_WITH


def test_facts_of_one_statement_hold_at_once() -> None:
    weight, ration = fact("a", "The dog weighs 12.5 kg.", 0), fact("b", "The dog eats 300 g a day.", 1)
    assert worth_comparing([weight, ration], [], 0.0)
    assert not worth_comparing([replace(weight, statement="s"), replace(ration, statement="s")], [], 0.0)
