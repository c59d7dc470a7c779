"""Messages are compared by what they say, not by how a client wrote them down."""

import doctest
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.keeping import canonical
from graphmem.rules.keeping.canonical import message_fingerprint

Said = dict[str, Any]
TEXT = {"type": "text", "text": "hi"}
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def fingerprint(**said: Any) -> str:
    fields: Said = {"role": "user", "name": None, "content": "hi", "tool_calls": None, "tool_call_id": None} | said
    return message_fingerprint(**fields)


def calling(arguments: object, **more: Any) -> str:
    calls = [{"id": "c", "type": "function", "function": {"name": "read", "arguments": arguments}} | more]
    return fingerprint(role="assistant", content=None, tool_calls=calls)


def test_examples_hold() -> None:
    assert doctest.testmod(canonical).failed == 0


def test_a_message_is_another_when_any_part_of_it_is() -> None:
    said: list[Said] = [
        {},
        {"role": "assistant"},
        {"name": "Ada"},
        {"content": "hi "},
        {"content": ""},
        {"content": [TEXT, TEXT]},
        {"content": [{"type": "image", "url": "u"}]},
        {"tool_calls": [{"id": "c"}]},
        {"tool_call_id": "c"},
        {"tool_calls": [{"function": {"name": "f", "arguments": '{"a": "1"}'}}]},
        {"tool_calls": [{"function": {"name": "f", "arguments": '{"a": 1}'}}]},
        {"tool_calls": [{"function": {"name": "f", "arguments": "a"}}]},
    ]
    assert len({fingerprint(**one) for one in said}) == len(said)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"content": [TEXT]}, {}),
        ({"content": (TEXT | {"cache_control": {"type": "ephemeral"}, "annotations": []},)}, {}),
        ({"content": [{"type": "text", "text": ""}, TEXT]}, {}),
        ({"content": None}, {"content": ""}),
        ({"content": []}, {"content": [{"type": "text", "text": ""}]}),
        ({"role": "tool", "name": "read", "tool_call_id": "c"}, {"role": "tool", "tool_call_id": "c"}),
        ({"tool_calls": []}, {"tool_calls": None}),
    ],
)
def test_how_content_and_names_are_given_makes_no_difference(one: Said, other: Said) -> None:
    assert fingerprint(**one) == fingerprint(**other)


@given(st.dictionaries(st.text(), JSONS, max_size=4))
def test_arguments_are_compared_by_their_values(arguments: dict[str, Any]) -> None:
    turned = dict(reversed(arguments.items()))
    forms = (
        arguments,
        json.dumps(arguments),
        json.dumps(turned, indent=2),
        json.dumps(turned, ensure_ascii=False, separators=(",", ":")),
    )
    assert len({calling(form) for form in forms}) == 1
    assert calling(arguments | {"one": "more"}) != calling(arguments) or arguments.get("one") == "more"


def test_arguments_that_are_no_json_and_empty_ones_are_compared_too() -> None:
    assert calling("") == calling("{}") == calling({}) == calling(None) == calling(" { } ")
    assert calling('{"n": 1.0}') == calling('{"n": 1}')
    assert calling("x", type="custom") != calling("x")
    assert calling("rm -rf") != calling("rm  -rf")
    for odd in ("{" * 9_000, '{"half": "\\ud83d"}', '{"n": 1e999}', "9" * 5_000, '{"n": ' + "9" * 5_000 + "}"):
        assert calling(odd) == calling(odd)
