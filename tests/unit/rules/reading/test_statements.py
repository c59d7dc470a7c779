"""Which sentences state something, of what kind, and when."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphmem.model.knowledge import MemoryType
from graphmem.rules.language.relative_dates import find_dates
from graphmem.rules.reading import statements
from graphmem.rules.reading.statements import is_constraint, kind_of, noise, opening, prose_sentences

WEDNESDAY = datetime(2024, 5, 8, 10, tzinfo=UTC)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in prose_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Redis. It helps!", ["We use Redis.", "It helps!"]),
        ("Version 2.3.1 of app.py works, e.g. here.", ["Version 2.3.1 of app.py works, e.g. here."]),
        ("- first\n* second\n1. third\n- [ ] fourth", ["first", "second", "third", "fourth"]),
        ("a line that\nwraps here", ["a line that\nwraps here"]),
        ("before\n```python\nx = 1\n```\nAfter", ["before", "After"]),
        ("before\n```\nnever closed\nX uses Y", ["before"]),
        ("before\n\n    indented code\n\nAfter", ["before", "After"]),
        ("> X uses Y\nNo longer true.", ["No longer true."]),
        ("# Heading\n| a | b |\n$ make test\nReal words.", ["Real words."]),
        ("2024-01-01 10:00:00 ERROR db down\nINFO started\nReal words.", ["Real words."]),
        ('Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 1', []),
        ("", []),
        ("\n \n", []),
    ],
)
def test_prose_is_cut_into_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Which port does it use?", "question"),
        ("Do we use Redis", "question"),
        ("Thanks for the tips!", "courtesy"),
        ("Sounds good to me.", "courtesy"),
        ("Sounds are all made by my sister.", None),
        ("No worries at all.", "courtesy"),
        ("No instrument leaves the hall unsigned.", None),
        ("No need, we're on the ground floor since we moved to Leipzig.", None),
        ("Yes but we keep it in Obsidian.", None),
        ("Agreed, three stages.", None),
        ("I'm running the tests now.", "transient"),
        ("The build is failing.", "transient"),
        ("I'll check the logs.", "transient"),
        ("Maybe we need Redis.", "guess"),
        ("I think billing-service uses Redis.", "guess"),
        ("If billing-service used Redis, it would be fast.", "guess"),
        ("If it fails we retry it.", "condition"),
        ("Please update the docs.", "request"),
        ("Let me look at the code.", "request"),
        ("ok", "short"),
        ("billing-service uses Redis.", None),
        ("Never push to main.", None),
    ],
)
def test_noise_is_told_from_statements(sentence: str, reason: str | None) -> None:
    assert noise(sentence) == reason


def test_greeting_is_cut_off_before_the_statement() -> None:
    said = "Hey Bob, billing-service uses Redis."
    assert said[opening(said) :] == "billing-service uses Redis."
    assert opening("billing-service uses Redis.") == 0


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Never push to main.", "constraint"),
        ("All services must expose /healthz.", "constraint"),
        ("Do not log card numbers.", "constraint"),
        ("Only Alice may approve releases.", "constraint"),
        ("Two reviews are required.", "constraint"),
        ("Deploys on Friday are not allowed.", "constraint"),
        ("We decided to use Kafka.", "decision"),
        ("We went with Redis.", "decision"),
        ("Alice prefers tabs.", "preference"),
        ("billing-service uses Redis.", "fact"),
    ],
)
def test_kind_of_statement(sentence: str, kind: MemoryType) -> None:
    assert kind_of(sentence) == kind


@pytest.mark.parametrize(
    "sentence",
    [
        "It must be the cache.",
        "I must say it was great.",
        "That must be such a relief.",
        "You must have been tired.",
        "Never mind.",
        "Never give up!",
        "I always forget my keys.",
        "Must we use Redis?",
        "Don't worry about it.",
        "Redis is required by billing-service.",
    ],
)
def test_no_rule_is_seen_where_there_is_none(sentence: str) -> None:
    assert not is_constraint(sentence)


@pytest.mark.parametrize(
    ("text", "wording", "day", "starts"),
    [
        ("I moved yesterday", "on 2024-05-07", "2024-05-07", True),
        ("we shipped on Friday", "on 2024-05-03", "2024-05-03", True),
        ("we'll ship on Friday", "on 2024-05-10", "2024-05-10", False),
        ("it broke last Friday", "on 2024-05-03", "2024-05-03", True),
        ("see you next Friday", "on 2024-05-17", "2024-05-17", False),
        ("it broke last week", "in the week of 2024-04-29", "2024-04-29", True),
        ("we migrate next month", "in June 2024", "2024-06-01", False),
        ("it happened in May", "in May 2024", "2024-05-01", True),
        ("it happened in December", "in December 2023", "2023-12-01", True),
        ("two days ago it broke", "on 2024-05-06", "2024-05-06", True),
        ("since March 2023 it holds", "since March 2023", "2023-03-01", True),
        ("starting next Monday, all must sign", "starting 2024-05-13", "2024-05-13", True),
        ("finish it by next week", "by the week of 2024-05-13", "2024-05-13", False),
        ("it was born in 2019", "in 2019", "2019-01-01", True),
        ("it was on 3 May 2022", "on 2022-05-03", "2022-05-03", True),
        ("the deadline is June 1", "2024-06-01", "2024-06-01", False),
    ],
)
def test_date_words_become_absolute(text: str, wording: str, day: str, starts: bool) -> None:
    (found,) = find_dates(text, WEDNESDAY)
    assert (found.wording, found.begins.date().isoformat(), found.starts_fact) == (wording, day, starts)


@pytest.mark.parametrize("text", ["every Friday", "I may go", "on 2024-02-30", "my birthday is March 3", "on Fridays"])
def test_these_are_no_dates(text: str) -> None:
    assert find_dates(text, WEDNESDAY) == ()


def test_dates_resolve_in_the_zone_of_the_message() -> None:
    late = datetime(2024, 5, 8, 0, 30, tzinfo=timezone(timedelta(hours=9)))
    (found,) = find_dates("I moved today", late)
    assert found.begins == datetime(2024, 5, 8, tzinfo=timezone(timedelta(hours=9)))
    assert find_dates("I moved today", None) == ()


@pytest.mark.parametrize(
    "text",
    [
        "From now on every PR needs a changelog line.",
        "Visitors are never to leave the path.",
        "Plain archives on the share are not acceptable.",
        "The runner is the only process that may open sockets.",
        "Only the platform guild has root on the runner.",
        "Whoever misses two drills may not climb.",
        "The report has to be handed in by 2026-06-30.",
        "Do not touch the map without him.",
        "hey, no drilling after ten",
        "Nobody’s to feed the horses.",
    ],
)
def test_more_ways_to_lay_down_a_rule(text: str) -> None:
    assert is_constraint(text)


@pytest.mark.parametrize("text", ["It may not work.", "The parser may not know the name.", "No worries, please."])
def test_doubt_and_courtesy_lay_nothing_down(text: str) -> None:
    assert not is_constraint(text)


def test_every_rule_that_fits_a_sentence_is_tried_there() -> None:
    texts = [
        text[start:end]
        for file in sorted((Path(__file__).parents[3] / "data" / "extraction").rglob("*.json"))
        for message in json.loads(file.read_text(encoding="utf-8"))["messages"]
        for text in [message["content"]]
        for start, end in prose_sentences(text)
    ]
    fitting = 0
    for text in texts:
        fits = {place for place, pattern in enumerate(statements._CONSTRAINT) if pattern.search(text)}
        assert fits <= statements._rules_sieve().tried(text), text
        fitting += bool(fits)
    assert fitting > 100
