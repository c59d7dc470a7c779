"""Times in words: whatever a sentence puts together, whenever it is said."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.rules.language.relative_dates import find_dates

WORDS = (
    "yesterday today tomorrow tonight last next this in ago for since until from by the of on at end beginning middle "
    "early late two three 3 10 999999 0 day days week weeks month months quarter year years decade weekend Monday "
    "Friday, Sunday March november 31 29 "
    "February 2026 2026-02-30 0001-01-01 9999-12-31 Q3 12/31/9999 1st 31st morning noon to - – , ."
)
SENTENCES = st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join)
ZONES = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
FIRST = datetime(1, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@given(
    SENTENCES | st.text(max_size=60),
    st.datetimes(timezones=ZONES) | st.sampled_from([FIRST, LAST]),
    st.none() | st.sampled_from(["past", "present", "future"]),
)
@example("in two weeks", LAST, None)
@example("999999 years ago, last month", FIRST, None)
@example("since the end of last quarter until next year", LAST, "future")
def test_what_is_found_lies_in_the_text_in_order_and_ends_behind_its_beginning(
    text: str, said_at: datetime, tense: str | None
) -> None:
    behind = 0
    for one in find_dates(text, said_at, (lambda _: tense) if tense else None):  # type: ignore[arg-type, return-value]
        assert behind <= one.start < one.end <= len(text)
        behind = one.end
        assert one.begins < one.ends
        assert one.wording.strip()


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("We go live on Monday 2 November.", "on 2026-11-02"),
        ("The new date is tuesday 17 november.", "2026-11-17"),
        ("She moves in on Sunday, 6 December.", "on 2026-12-06"),
        ("Ready by Friday, October 9th.", "by 2026-10-09"),
        ("We meet on Thursday 2026-10-08.", "on 2026-10-08"),
        ("We talked on Tuesday 6 October.", "on 2026-10-06"),
        ("We talked on Monday 6 October.", "on 2025-10-06"),
        ("Booked for 9 oct.", "for 2025-10-09"),
    ],
)
def test_a_weekday_before_a_date_is_part_of_it_and_tells_its_year(text: str, wording: str) -> None:
    found = find_dates(text, datetime(2026, 10, 7, 9, tzinfo=UTC))
    assert [one.wording for one in found] == [wording]


@pytest.mark.parametrize("text", ["They march 3 miles.", "It may 3 times a day rain.", "the sun sets"])
def test_words_that_are_months_too_are_none_in_small_letters(text: str) -> None:
    assert find_dates(text, datetime(2026, 10, 7, 9, tzinfo=UTC)) == ()
