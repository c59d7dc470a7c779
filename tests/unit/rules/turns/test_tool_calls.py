"""Tool calls of any format, and of none."""

import json

from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.rules.turns.tool_calls import Call, read_calls

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["function", "name", "arguments", "input", "command", "path", "x"]), inner)
    ),
    max_leaves=12,
)


def deep(open_: str, close: str, depth: int) -> str:
    return open_ * depth + close * depth


def call(arguments: str) -> str:
    return json.dumps([{"function": {"name": "bash", "arguments": arguments}}])


@given(st.text(max_size=60) | JSON.map(json.dumps) | st.lists(JSON, max_size=3).map(json.dumps) | st.text().map(call))
@example(call(deep("[", "]", 100_000)))
@example(call(deep("[", "]", 900)))
@example(call(deep('{"a":', "}", 50_000)))
def test_whatever_calls_hold_they_are_read(calls: str) -> None:
    for one in read_calls(calls):
        assert one.kind in ("run", "search", "write", "edit", "other")


def test_arguments_nested_too_deeply_are_words() -> None:
    (one,) = read_calls(call("[" * 100_000))
    assert (one.kind, one.words) == ("run", "[" * 100_000)


def test_texts_come_in_their_order_with_the_nearest_name() -> None:
    arguments = {"command": ["ls", {"a": "pwd"}], "file": "x.py", "rest": [["one"], "two"], "cmd": [["id"]]}
    (one,) = read_calls(json.dumps([{"name": "bash", "input": arguments}]))
    assert one == Call("run", "ls\nid", "x.py", "pwd\none\ntwo")
