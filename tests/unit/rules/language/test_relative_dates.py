"""Times in words: whatever a sentence puts together, whenever it is said."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.rules.language.relative_dates import find_dates

WORDS = (
    "yesterday today tomorrow tonight last next this in ago for since until from by the of on at end beginning middle "
    "early late two three 3 10 999999 0 day days week weeks month months quarter year years decade weekend Monday "
    "Friday March 31 29 February 2026 2026-02-30 0001-01-01 9999-12-31 Q3 12/31/9999 1st 31st morning noon to - – , ."
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
