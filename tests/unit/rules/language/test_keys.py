"""Keys: the same for same, different for other."""

import json

from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.language.keys import (
    agent_key,
    canonical_json,
    content_key,
    dependency_key,
    fact_key,
    normalised,
    sha256_hex,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)


@given(TEXT)
def test_an_agent_key_is_one_word_whatever_the_id(agent_id: str) -> None:
    key = agent_key(agent_id)
    assert key.startswith("k")
    assert len(key) == 33
    assert key.isalnum()
    assert key == key.lower()


def test_the_agent_key_is_the_documented_one() -> None:
    assert agent_key("default") == "k" + sha256_hex("default")[:32]


@given(JSON)
def test_canonical_json_is_json_and_blind_to_the_order_of_keys(value: object) -> None:
    text = canonical_json(value)
    assert json.loads(text) == value
    if isinstance(value, dict):
        assert canonical_json(dict(reversed(value.items()))) == text


def test_canonical_json_has_sorted_keys_and_no_spaces() -> None:
    assert canonical_json({"b": [1, 2], "a": "ü"}) == '{"a":"ü","b":[1,2]}'


@given(TEXT)
def test_normalising_twice_is_normalising_once(content: str) -> None:
    assert normalised(normalised(content)) == normalised(content)
    assert content_key(normalised(content)) == content_key(content)


def test_case_spaces_and_the_final_mark_do_not_make_another_statement() -> None:
    assert content_key("Billing uses Redis.") == content_key("  billing  USES redis")
    assert content_key("Billing uses Redis.") != content_key("Billing uses Redis 7.")


@given(TEXT, TEXT, TEXT)
def test_keys_tell_their_parts_apart(one: str, two: str, three: str) -> None:
    assert (fact_key(one, three) == fact_key(two, three)) == (one == two)
    assert len(dependency_key(one, two, three)) == len(fact_key(one, two)) == 40


def test_an_edge_has_a_direction_and_a_type() -> None:
    keys = {dependency_key("a", "b", "uses"), dependency_key("b", "a", "uses"), dependency_key("a", "b", "requires")}
    assert len(keys) == 3
