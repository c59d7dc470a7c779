"""Whom a message is addressed to, and pictures before it, are not read; the places of the rest stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.extracting import draw
from graphmem.adapters.parsing import SpacyParser
from graphmem.model.inputs import NewMessage
from graphmem.rules.reading.as_read import as_read
from graphmem.settings import load_settings

SAID = "The mail service uses RabbitMQ and lives on port 2525."


@pytest.mark.parametrize(
    "lead", ["@nadia ", "@nadia, ", "[Nadia] ", "[mail team] ", "🚀 ", "✅ @nadia @omar: ", ":tada: ", "- 🔥 "]
)
def test_a_leading_address_changes_nothing(lead: str) -> None:
    text = lead + SAID
    read = as_read(text).text
    assert len(read) == len(text)
    assert read.endswith(SAID)
    facts = [
        draw([NewMessage(role="user", content=one)], None, SpacyParser(), load_settings().extraction_limits)
        for one in (SAID, text)
    ]
    assert [one.content for one in facts[1].attributes] == [one.content for one in facts[0].attributes] != []
    (source,) = {text[one.source.start : one.source.end] for one in facts[1].statements}
    assert source == SAID


@pytest.mark.parametrize(
    "text",
    [
        "@app.get('/health') def health(): ...",
        "@media print {",
        "[INFO] the worker uses port 5",
        "[worker-1] the queue is empty",
        "[x] the docs are written",
        "[the docs](https://example.org) say so",
        "user@example.org is the address of Omar",
        "The build is green 🚀",
    ],
)
def test_code_logs_links_and_what_stands_behind_stay(text: str) -> None:
    assert as_read(text).text == text


@given(st.text(alphabet="ab @[]🚀✅:\n.-íñ", max_size=80))
def test_places_stay_what_they_are(text: str) -> None:
    read = as_read(text).text
    assert len(read) == len(text)
    assert all(now == before or now.isspace() for now, before in zip(read, text, strict=True))


def test_what_is_blanked_at_the_beginning_makes_no_code_of_the_rest() -> None:
    text = f"Vivimos en una casa grande. {SAID}"
    found = draw([NewMessage(role="user", content=text)], None, SpacyParser(), load_settings().extraction_limits)
    assert {text[one.source.start : one.source.end] for one in found.statements} == {SAID}
