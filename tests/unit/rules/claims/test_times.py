"""Since when and until when clauses say that something holds."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.claims import Claim, Held
from graphmem.model.extraction import Extraction, SourceMessage
from graphmem.rules.claims import holding
from graphmem.rules.extraction import extract
from graphmem.rules.language.relative_dates import find_dates

PHRASES = Path(__file__).parents[3] / "data" / "times" / "phrases.jsonl"
PARSER = SpacyParser()
TUESDAY = datetime(2026, 2, 10, 9, 30, tzinfo=UTC)
UNREAD = {
    "Last Monday we hired a second cook.",
    "The site was down for maintenance on 1 April.",
    "We will have guests from Thursday until Sunday.",
}
"""What the parser passes over, since nothing in it tells of something that lasts."""


def read(text: str, said: datetime = TUESDAY) -> Extraction:
    return extract([SourceMessage(role="user", name="Kim", text=text, created_at=said)], PARSER.parse([text]))


def short(at: datetime | None) -> str | None:
    return at and f"{at:%Y-%m-%dT%H:%M}".removesuffix("T00:00")


def bounds(found: Extraction) -> list[tuple[str | None, str | None]]:
    """The times of the clauses that have some."""
    return [(short(one.since), short(one.until)) for one in found.claims if one.since or one.until]


def facts(text: str) -> dict[str, tuple[str | None, str | None]]:
    return {one.content: (short(one.valid_from), short(one.valid_to)) for one in read(text).attributes}


def labelled() -> Iterator[dict[str, str | None]]:
    return map(json.loads, PHRASES.read_text(encoding="utf-8").splitlines())


def test_clauses_hold_when_they_are_labelled_to() -> None:
    wrong = []
    for row in labelled():
        found = bounds(read(str(row["text"]), datetime.fromisoformat(str(row["said"]))))
        if found != ([(row["since"], row["until"])] if row["since"] or row["until"] else []):
            wrong.append(row["text"])
    assert set(wrong) == UNREAD


def test_words_name_the_time_they_are_labelled_to() -> None:
    found = [find_dates(str(row["text"]), datetime.fromisoformat(str(row["said"]))) for row in labelled()]
    rows = list(labelled())
    silent = [not dates for dates, row in zip(found, rows, strict=True) if row["phrase"] is None]
    named = [(dates, row) for dates, row in zip(found, rows, strict=True) if row["phrase"]]
    right = [
        row
        for dates, row in named
        if dates and (short(dates[0].begins), short(dates[-1].ends)) == (row["begins"], row["ends"])
    ]
    assert all(silent)
    assert len(named) - len(right) <= 6  # without a parser the tense is guessed


@pytest.mark.parametrize(
    ("text", "dated", "undated"),
    [
        ("Dana works at Norwell and will start at Brisk in June.", "start", "work"),
        ("The rent is 900 euros, and from May on it will be 950 euros.", "be", "be"),
        ("Otto moved to Ghent in 2019 and teaches at the Lyceum.", "move", "teach"),
    ],
)
def test_a_time_is_that_of_its_own_clause(text: str, dated: str, undated: str) -> None:
    claims = read(text).claims
    assert [one.verb for one in claims if one.since] == [dated]
    assert undated in [one.verb for one in claims if not one.since]


def test_a_time_that_opens_a_sentence_is_that_of_all_that_is_joined() -> None:
    assert bounds(read("Since May, Priya owns billing-api and Tom owns search-api.")) == [("2025-05-01", None)] * 2


def test_who_somebody_is_does_not_begin_with_what_they_did() -> None:
    found = facts("My brother Ivo moved to Split today.")
    assert found["Ivo moved to Split on 2026-02-10"] == ("2026-02-10", None)
    assert found["Kim's brother is Ivo"] == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        "The wine from 2015 is in the cellar.",
        "The meeting on Friday is in room 4.",
        "I moved the launch from 3 March to 9 April.",
        "The cellar that we built in 2015 is used by the choir.",
    ],
)
def test_a_time_of_a_thing_or_a_value_is_none_of_the_fact(text: str) -> None:
    assert set(facts(text).values()) <= {(None, None)}


def test_a_plan_holds_from_when_it_is_made_and_a_value_from_its_day() -> None:
    assert list(facts("From 1 March the price of the pass is 20 euros.").values()) == [("2026-03-01", None)]
    assert set(facts("Dana will start at Brisk in June.").values()) <= {(None, None)}
    assert list(facts("The lease of the barn starts on 15 January 2027.").values()) == [(None, None)]


def test_what_ended_before_it_was_said_held_on_its_last_day() -> None:
    ended = Claim(verb="work", until=datetime(2019, 1, 1, tzinfo=UTC))
    assert holding([ended], TUESDAY) == Held(datetime(2018, 12, 31, tzinfo=UTC), ended.until)
    assert holding([Claim(verb="work")], TUESDAY) == Held()
    assert holding([ended], None) == Held()


def test_since_says_that_it_still_holds() -> None:
    assert [one.still for one in read("Mara runs the mill since 2019.").claims] == [True]
    assert [one.still for one in read("Mara ran the mill in 2019.").claims] == [False]
