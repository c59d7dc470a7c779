"""What a stored text says, whatever JSON it is."""

import pytest

from graphmem.rules.privacy.erasing import spoken


@pytest.mark.parametrize("depth", [500, 5_000, 200_000])
def test_json_that_is_nested_too_deeply_is_a_text_and_breaks_nothing(depth: int) -> None:
    deep = "[" * depth + '"the harbour of Odense"' + "]" * depth
    for text in (deep, '{"a": ' + deep + "}"):
        assert any("the harbour of Odense" in said for said in spoken(text))


def test_the_texts_in_json_are_told_without_keys_and_codes() -> None:
    assert list(spoken('{"status": "active", "told": ["The winch is red.", "{\\"port\\": \\"An old one\\"}"]}')) == [
        "The winch is red.",
        "An old one",
    ]
