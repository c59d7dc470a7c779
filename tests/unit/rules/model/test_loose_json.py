"""JSON out of what models write around it, and never an error or a long wait."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.model.loose_json import MAX_DEPTH, read_object
from tests.effort import little_work

GOOD = {"facts": [{"a": 'x } " y, ]'}, {"b": [1, 2]}]}
PLAIN = json.dumps(GOOD)


@pytest.mark.parametrize(
    "written",
    [
        PLAIN,
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```\nI hope this helps!",
        f'<think>Maybe {{"facts": [0]}}?</think>\n{PLAIN}',
        f'Maybe {{"facts": [0]}}?</think>{PLAIN}',
        f'{PLAIN}<think>Was {{"facts": [0]}} better?',
        f"Here {{it}} is: {PLAIN} and { {1} }",
        json.dumps(PLAIN),
        json.dumps(json.dumps(PLAIN)),
        f"```json\n{json.dumps(PLAIN)}\n```",
        PLAIN.replace("}]}", "},\n ],\n}"),
        f'{{"name": "extract", "arguments": {json.dumps(PLAIN)}}}',
        f'{{"result": {PLAIN}}}',
        f"[{PLAIN}]",
        f'{{"other": 1}} {PLAIN}',
        PLAIN + "}]}" * 10,
    ],
)
def test_an_object_is_found_in_whatever_is_around_it(written: str) -> None:
    assert read_object(written, {"facts"}) == GOOD


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"facts": [{"a": 1}, {"b": 2', {"facts": [{"a": 1}]}),
        ('{"facts": [{"a": 1}, {"b": "cut i', {"facts": [{"a": 1}]}),
        ('{"facts": [1, 2], "more": [3, 4', {"facts": [1, 2], "more": [3]}),
        ('{"facts": {"a": [1], "b"', {"facts": {"a": [1]}}),
    ],
)
def test_of_an_object_that_is_cut_off_the_whole_parts_are_kept(written: str, read: object) -> None:
    assert read_object(written, {"facts"}) == read


@pytest.mark.parametrize(
    "written", ["", "I can't.", "null", "[]", "{}", '{"other": 1}', '{"facts": "cut', "{'facts': 1}", "<think>" + PLAIN]
)
def test_where_there_is_none_nothing_is_found(written: str) -> None:
    assert read_object(written, {"facts"}) is None


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "[",
        '{"facts":[',
        '"',
        '{ "',
        "\\",
        "{a}",
        '"\\',
        "<think>",
        "</think>",
        "```",
        '{"facts":"',
        "{},",
        "é",
        "9",
    ],
)
def test_no_repetition_takes_long(piece: str) -> None:
    with little_work():
        read_object(piece * (500_000 // len(piece)), {"facts"})


def test_nesting_has_a_bottom() -> None:
    def nested(depth: int) -> str:
        return '{"facts":' + "[" * depth + "]" * depth + "}"

    assert read_object(nested(MAX_DEPTH - 1), {"facts"})
    assert read_object(nested(100_000), {"facts"}) is None


@given(st.text(alphabet='{}[]",:\\ \nab1<think>/`', max_size=300))
def test_no_text_is_an_error(text: str) -> None:
    found = read_object(text, {"a"})
    assert found is None or "a" in found


@given(
    st.dictionaries(st.just("facts"), st.lists(st.dictionaries(st.text(), st.text() | st.integers())), min_size=1),
    st.integers(0, 400),
)
def test_any_beginning_of_an_object_is_read_without_inventing(given: dict[str, object], length: int) -> None:
    found = read_object(json.dumps(given)[:length], {"facts"}) or {"facts": []}
    kept, whole = found["facts"], given["facts"]
    assert isinstance(kept, list)
    assert isinstance(whole, list)
    assert len(kept) <= len(whole)
    assert all(one.items() <= original.items() for one, original in zip(kept, whole, strict=False))
