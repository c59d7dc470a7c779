"""How signals become one order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.recall.questions import read_question
from graphmem.rules.recall.ranking import ABSENT, BRIEF, FEATURES, Passage, Ranked, newest_first, rank, weigh

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
WORDS = st.lists(
    st.sampled_from(["kite", "red", "Ada", "port", "8080", "the", "moved?", "Lisbon", "日本語", "in May", "has"]),
    max_size=8,
).map(" ".join)
PASSAGES = st.lists(
    st.builds(
        Passage,
        id=st.uuids().map(str),
        text=WORDS,
        nearness=st.none() | st.floats(-1, 1),
        session_id=st.sampled_from(["a", "b"]),
        ordinal=st.none() | st.integers(0, 6),
        speaker=st.none() | st.sampled_from(["Ada", "Ben Bo"]),
        at=st.none() | st.integers(0, 2500).map(lambda days: NOW - timedelta(days=days)),
        eligible=st.booleans(),
        entities=st.floats(0, 1),
        feedback=st.floats(-1, 1),
        share=st.sampled_from([1.0, 0.8]),
        chars=st.sampled_from([0, 400, 20_000]),
    ),
    max_size=12,
    unique_by=lambda passage: passage.id,
)
RANKED = st.builds(lambda question, passages: rank(read_question(question, NOW), passages), WORDS, PASSAGES)


def order(question: str, *passages: Passage) -> list[str]:
    return [one.id for one in rank(read_question(question, NOW), passages)]


def turn(place: int, text: str, speaker: str = "Ben", near: float = 0.1, session: str = "s") -> Passage:
    return Passage(f"{session}{place}", f"{speaker}: {text}", near, session, place, speaker, NOW)


def holds(ranked: list[Ranked]) -> None:
    """What is true of every order: scores in 0..1 that never rise, told by `why`, each candidate once."""
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert len({one.id for one in ranked}) == len(ranked)
    for one in ranked:
        assert sum(one.why.values()) == pytest.approx(one.score, abs=1e-9)
        assert all(part >= 0 for signal, part in one.why.items() if signal not in ("feedback", "length"))
        assert one.why.get("length", 0) <= 0


@given(WORDS, PASSAGES)
def test_what_is_eligible_is_ranked_with_scores_in_bounds_that_why_sums_to(
    question: str, passages: list[Passage]
) -> None:
    ranked = rank(read_question(question, NOW), passages)
    holds(ranked)
    assert {one.id for one in ranked} == {passage.id for passage in passages if passage.eligible}


@given(WORDS, PASSAGES, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_that_of_the_input(
    question: str,
    passages: list[Passage],
    random: Random,
) -> None:
    places = {(one.session_id, one.id if one.ordinal is None else one.ordinal): one for one in passages}
    apart = list(places.values())
    shuffled = list(apart)
    random.shuffle(shuffled)
    assert rank(read_question(question, NOW), shuffled) == rank(read_question(question, NOW), apart)


@given(WORDS, PASSAGES)
def test_features_are_in_bounds(question: str, passages: list[Passage]) -> None:
    for features in weigh(read_question(question, NOW), passages).values():
        assert features.keys() == FEATURES.keys()
        assert all(0 <= value <= 1 + 1e-9 for name, value in features.items() if name not in ("feedback", "length"))
        assert -1 <= features["length"] <= 0


def test_ties_are_in_order_of_id() -> None:
    same = [Passage(id_, "nothing of it") for id_ in "bca"]
    assert order("kite", *same) == ["a", "b", "c"]


def test_rare_words_tell_more_than_common_ones() -> None:
    common = [turn(place, "the kite", session=f"s{place}") for place in range(8)]
    rare = turn(0, "the zebra", session="z")
    assert order("zebra kite", *common, rare)[0] == "z0"


def test_an_identifier_ranks_first_whatever_the_meaning() -> None:
    near = [turn(0, f"a service is down {n}", near=0.6, session=f"s{n}") for n in range(5)]
    named = turn(0, "ERR-7731-QX", near=0.0, session="z")
    assert order("ERR-7731-QX", *near, named)[0] == "z0"


def test_an_answer_is_found_by_the_question_before_it_and_says_so() -> None:
    asked, answer = turn(3, "Which colour has the kite?", "Ada", 0.7), turn(4, "Crimson.", near=0.2)
    far = turn(0, "Nothing much, and you?", near=0.2, session="other")
    ranked = rank(read_question("what colour is the kite", NOW), [asked, answer, far])
    assert [one.id for one in ranked] == ["s3", "s4", "other0"]
    assert "neighbours" in ranked[1].why
    assert "words" not in ranked[1].why


def test_news_speaks_for_a_text() -> None:
    news, other = Passage("z", "Guess what, we flew a kite!", 0.2), Passage("a", "Some people, we flew a kite!", 0.2)
    assert order("What about the kite?", other, news)[0] == "z"


def test_the_speaker_who_is_named_counts() -> None:
    ben, ada = turn(0, "I flew a kite", "Ben", session="b"), turn(0, "I flew a kite", "Ada", session="c")
    assert order("What did Ada fly?", ben, ada)[0] == "c0"
    assert order("What did Ben fly?", ben, ada)[0] == "b0"
    both = rank(read_question("What did Ada and Ben fly?", NOW), [ben, ada])
    assert all("speaker" not in one.why for one in both)


def test_a_question_that_gathers_hears_other_sessions_sooner() -> None:
    long = [turn(place, "The kite flew again", near=0.5 - place / 1000, session="long") for place in range(0, 60, 10)]
    short = turn(0, "The kite flew again", near=0.4, session="short")
    gathering = order("Which kites have flown again?", *long, short)
    assert gathering[0] == order("Has the kite flown? Where?", *long, short)[0] == "long0"
    assert gathering.index("short0") < len(long) == order("Where did the kite fly again?", *long, short).index("short0")


def test_of_sessions_in_which_nobody_who_is_asked_about_has_a_part_messages_keep_a_share_of_their_score() -> None:
    def said(speaker: str, text: str = "The kite is up", session: str = "") -> Passage:
        return Passage(speaker, text, 0.1, session or speaker, len(session), speaker, NOW)

    def scores(question: str, *others: Passage) -> dict[str, float]:
        kites = said("Ada"), said("Ben"), said("Cy"), Passage("fact", "The kite is up", 0.1, at=NOW)
        return {one.id: one.score for one in rank(read_question(question, NOW), [*kites, *others])}

    asked = scores("Did Ada or Ben fly the kite?")
    assert asked["Ada"] == asked["Ben"] == asked["fact"] > 0
    assert asked["Cy"] == pytest.approx(ABSENT * asked["Ada"])
    assert len(set(scores("Who flew the kite?").values())) == 1
    spoken_of = scores("Did Ada or Ben fly the kite?", said("Di", "Look, Ada's has come down", session="Cy"))
    assert spoken_of["Cy"] >= spoken_of["Ben"]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What happened in May?", datetime(2025, 5, 3, tzinfo=UTC)),
        ("What happened in May 2025?", datetime(2025, 5, 20, tzinfo=UTC)),
        ("What happened yesterday?", datetime(2026, 6, 9, 23, tzinfo=UTC)),
        ("What happened last week?", datetime(2026, 6, 1, tzinfo=UTC)),
        ("What happened last month?", datetime(2026, 5, 31, tzinfo=UTC)),
        ("What happened this month?", datetime(2026, 6, 2, tzinfo=UTC)),
        ("What happened last year?", datetime(2025, 1, 1, tzinfo=UTC)),
        ("What happened in 2024?", datetime(2024, 8, 1, tzinfo=UTC)),
    ],
)
def test_days_that_a_question_names_count(question: str, day: datetime) -> None:
    there = Passage("z", "It happened.", 0.2, at=day)
    elsewhere = Passage("a", "It happened.", 0.2, at=datetime(2023, 2, 14, tzinfo=UTC))
    ranked = rank(read_question(question, NOW), [elsewhere, there])
    assert [one.id for one in ranked] == ["z", "a"]
    assert "time" in ranked[0].why
    assert "time" not in ranked[1].why


def test_a_text_that_tells_a_time_counts_where_one_is_asked_for() -> None:
    timed, other = Passage("z", "It started yesterday."), Passage("a", "It started slowly.")
    assert order("When did it start?", other, timed)[0] == "z"


def test_of_two_texts_with_the_words_of_a_question_the_brief_one_comes_first() -> None:
    brief = Passage("z", "The kiln runs at 1200 degrees.", 0.5)
    long = Passage("a", "The kiln runs at 1200 degrees. " + "Glazes melt slowly. " * 40, 0.5, chars=9_000)
    (first, second) = rank(read_question("How hot does the kiln run?", NOW), [long, brief])
    assert (first.id, second.id) == ("z", "a")
    assert "length" not in first.why
    assert second.why["length"] < 0


def test_a_long_reply_takes_little_from_the_question_before_it() -> None:
    def taken(chars: int) -> float:
        asks, reply = turn(0, "How hot does the kiln run?", near=0.9), turn(1, "That depends.", near=0.1)
        features = weigh(read_question("How hot is the kiln?", NOW), [asks, replace(reply, chars=chars)])["s1"]
        return features["nearest_by"] - features["near"] + features["covered_nearby"]

    assert taken(10 * BRIEF) == pytest.approx(taken(BRIEF) / 10)


def test_facts_of_named_entities_and_liked_hits_count() -> None:
    plain, linked = Passage("a", "port 80"), Passage("z", "port 80", entities=1.0)
    assert order("port", plain, linked) == ["z", "a"]
    disliked, liked = Passage("a", "port 80", feedback=-1.0), Passage("z", "port 80", feedback=1.0)
    assert order("port", disliked, plain := Passage("m", "port 80"), liked) == ["z", plain.id, "a"]


def test_what_the_filters_refuse_is_read_and_not_answered() -> None:
    asked = Passage("q", "Ada: Which colour has the kite?", 0.8, "s", 0, "Ada", NOW, eligible=False)
    answer = turn(1, "Crimson.")
    ranked = rank(read_question("what colour is the kite", NOW), [asked, answer])
    assert [one.id for one in ranked] == ["s1"]
    assert "neighbours" in ranked[0].why


@given(
    RANKED,
    st.dictionaries(st.sampled_from("abcdefgh"), st.sets(st.sampled_from("ABCD"), max_size=3), max_size=8),
    st.sets(st.sampled_from("ABCD")),
)
def test_nothing_superseded_stands_above_what_replaced_it(
    ranked: list[Ranked], successors: dict[str, set[str]], found: set[str]
) -> None:
    renamed = [Ranked(name, one.score, one.why) for name, one in zip("abcdefgh", ranked, strict=False)]
    current = [Ranked(id_, 0.1 * n, {"words": 0.1 * n}) for n, id_ in enumerate(sorted(found), 1)]
    mixed = sorted([*renamed, *current], key=lambda one: (-one.score, one.id))
    ordered = newest_first(mixed, successors)
    holds(ordered)
    assert {one.id for one in ordered} == {one.id for one in mixed}
    place = {one.id: n for n, one in enumerate(ordered)}
    score = {one.id: one.score for one in ordered}
    for old, replaced_by in successors.items():
        for new in replaced_by & found:
            if old in place:
                assert place[old] > place[new]
                assert score[old] <= score[new]
    untouched = [one for one in mixed if not successors.get(one.id, set()) & found]
    assert [one for one in ordered if one in untouched] == untouched


@given(RANKED)
def test_without_successors_the_order_stays(ranked: list[Ranked]) -> None:
    assert newest_first(ranked, {}) == ranked
    assert newest_first(ranked, {one.id: [one.id] for one in ranked}) == ranked
