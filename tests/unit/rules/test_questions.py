"""What a question asks for."""

from datetime import UTC, date, datetime

import pytest

from graphmem.rules.questions import Asked, Days, named, read_question, stem, stems

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)  # a Wednesday


def asked(text: str) -> Asked:
    return read_question(text, NOW)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did Ada move?", "when"),
        ("In which year did Ada move?", "when"),
        ("How long has Ada lived there?", "when"),
        ("How many kites has Ada?", "how_many"),
        ("how old is Ben", "how_many"),
        ("Where does Ada live?", "where"),
        ("Which country did Ada visit?", "where"),
        ("Who saw Ada when she left?", None),
        ("What does Ada like?", None),
    ],
)
def test_the_kind_of_answer_is_read_from_how_a_question_begins(text: str, kind: str | None) -> None:
    read = asked(text)
    assert [name for name in ("when", "how_many", "where") if getattr(read, name)] == ([kind] if kind else [])


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
