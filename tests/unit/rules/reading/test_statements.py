"""Which sentences state something, of what kind, and when."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from graphmem.rules.language.relative_dates import find_dates
from graphmem.rules.reading import statements
from graphmem.rules.reading.statements import opening, prose_sentences

WEDNESDAY = datetime(2024, 5, 8, 10, tzinfo=UTC)


def test_greeting_is_cut_off_before_the_statement() -> None:
    said = "Hey Bob, billing-service uses Redis."
    assert said[opening(said) :] == "billing-service uses Redis."
    assert opening("billing-service uses Redis.") == 0


def test_dates_resolve_in_the_zone_of_the_message() -> None:
    late = datetime(2024, 5, 8, 0, 30, tzinfo=timezone(timedelta(hours=9)))
    (found,) = find_dates("I moved today", late)
    assert found.begins == datetime(2024, 5, 8, tzinfo=timezone(timedelta(hours=9)))
    assert find_dates("I moved today", None) == ()


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
