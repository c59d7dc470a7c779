"""What a question asks for."""

from datetime import UTC, date, datetime

import pytest

from graphmem.rules.recall.questions import Asked, Days, day_of, named, phrases, read_question, stem, stems, topic

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)  # a Wednesday


def asked(text: str) -> Asked:
    return read_question(text, NOW)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("When did Ada move?", True),
        ("In which year did Ada move?", True),
        ("How long has Ada lived there?", True),
        ("How many kites has Ada?", False),
        ("Who saw Ada when she left?", False),
        ("What does Ada like?", False),
    ],
)
def test_whether_a_time_is_asked_for_is_read_from_how_a_question_begins(text: str, when: bool) -> None:
    assert asked(text).when == when


def test_months_years_and_days_are_read_and_other_numbers_are_not() -> None:
    read = asked("What did Ada do on 8 May, 2023?")
    assert (read.months, read.years, read.days) == ({5}, {2023}, {8})
    assert asked("May Ada stay for 3 weeks in June?").days == set()
    assert asked("may it be so?").months == set()
    assert asked("Which 3 kites has Ada?").days == set()


@pytest.mark.parametrize(
    ("words", "first", "end"),
    [
        ("today", date(2026, 3, 4), date(2026, 3, 5)),
        ("yesterday", date(2026, 3, 3), date(2026, 3, 4)),
        ("this week", date(2026, 3, 2), date(2026, 3, 9)),
        ("last week", date(2026, 2, 23), date(2026, 3, 2)),
        ("last weekend", date(2026, 2, 28), date(2026, 3, 2)),
        ("last month", date(2026, 2, 1), date(2026, 3, 1)),
        ("this year", date(2026, 1, 1), date(2026, 3, 5)),
        ("past year", date(2025, 1, 1), date(2026, 1, 1)),
    ],
)
def test_words_for_days_are_those_of_now(words: str, first: date, end: date) -> None:
    assert asked(f"What happened {words}?").stretches == (Days(first, end),)


def test_only_words_that_mean_something_are_compared_unless_there_are_no_others() -> None:
    assert asked("What is the port of billing's API?").stems == ("port", "bill", "api")
    assert asked("who was it").stems == ("who", "was", "it")
    assert asked("?").stems == ()


def test_forms_of_a_word_share_a_stem_and_numbers_are_whole() -> None:
    assert stem("deploys") == stem("deployment") == stem("deployed")
    assert stem("10.0.0.12") != stem("10.0.0.13")
    assert stem("err77315x") != stem("err77316x")
    assert stems("The kites, and a kite") == ("kit", "kit")


def test_one_speaker_is_named_by_first_name_or_by_none() -> None:
    speakers = {"Ada Byron", "Ben"}
    assert named(speakers, "What did Ada's kite cost?") == "Ada Byron"
    assert named(speakers, "What did Ada and Ben cook?") is None
    assert named(speakers, "What did Adam cook?") is None
    assert named({"日本"}, "日本 は") == "日本"


@pytest.mark.parametrize(
    "text",
    [
        "What kites has Ada flown?",
        "Which countries did Ada visit?",
        "What are the things Ada collects?",
        "What do Ada and Ben have in common?",
        "In what ways does Ada save water?",
        "How many times did Ada fly?",
        "Did they both fly?",
    ],
)
def test_a_question_that_gathers_is_told_by_how_it_asks(text: str) -> None:
    assert asked(text).gathers


@pytest.mark.parametrize(
    "text",
    [
        "What did Ada fly?",
        "When has Ada flown?",
        "How long have they flown?",
        "Which bus did Ada take?",
        "What class does Ada attend?",
        "Where is the kite?",
    ],
)
def test_other_questions_gather_nothing(text: str) -> None:
    assert not asked(text).gathers


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What did Ada’s brother cook for Ben?", "brother cook"),
        ("Which cache does billing-service use?", "cache billing-service use"),
        ("how does Redis evict keys", "Redis evict keys"),
        ("Why must the API stay on HTTP?", "API stay HTTP"),
        ("Who is Ada?", "Who is Ada?"),
        ("", ""),
    ],
)
def test_the_topic_of_a_question_is_what_it_asks_about(text: str, about: str) -> None:
    assert topic(text) == about


@pytest.mark.parametrize(
    ("text", "side", "event"),
    [
        ("Who did we hire before the launch?", "before", ("launch",)),
        ("What did Ada do after moving to Lisbon, and why?", "after", ("mov", "lisbon")),
        ("What was said prior to that?", None, ()),
        ("What happened before May?", None, ()),
        ("What did she do after 5 pm?", None, ()),
        ("What happened after last week?", None, ()),
        ("What did Ada fly?", None, ()),
    ],
)
def test_an_event_is_what_a_question_looks_to_from_before_or_after(
    text: str, side: str | None, event: tuple[str, ...]
) -> None:
    assert (asked(text).side, asked(text).event) == (side, event)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The launch was on 3 May.", date(2026, 5, 3)),
        ("It was on May 3, 2024.", date(2024, 5, 3)),
        ("We launched yesterday!", date(2026, 3, 3)),
        ("We launched.", date(2026, 3, 4)),
        ("It was on 31 April.", date(2026, 3, 4)),
        ("From 3 May to 5 June.", date(2026, 3, 4)),
    ],
)
def test_the_day_of_a_text_is_the_one_it_names_or_that_of_saying_it(text: str, day: date) -> None:
    assert day_of(text, NOW) == day


def test_a_phrase_is_what_stands_in_quotes() -> None:
    assert phrases('who said "Freeze  the trains" or “two days”?') == ("freeze the trains", "two days")
    assert phrases('say "hi" and "' + "word " * 20 + '" and "open') == ()
