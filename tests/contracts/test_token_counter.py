"""Every answer that says how many tokens it used says by which counter."""

from collections.abc import Iterator
from typing import Any

import pytest

import graphmem.model.answers
from api.app import create_app
from graphmem.model.value import Value
from graphmem.settings import Settings


def answers() -> Iterator[type[Value]]:
    waiting = list(Value.__subclasses__())
    while waiting:
        kind = waiting.pop()
        waiting.extend(kind.__subclasses__())
        if kind.__module__ == graphmem.model.answers.__name__:
            yield kind


def schemas() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = create_app(Settings()).openapi()["components"]["schemas"]
    return found


def test_every_answer_with_used_tokens_names_the_counter() -> None:
    budgeted = [kind for kind in answers() if "used_tokens" in kind.model_fields]
    assert len(budgeted) >= 3
    assert [kind.__name__ for kind in budgeted if "token_counter" not in kind.model_fields] == []


def test_so_does_every_schema_of_the_service() -> None:
    budgeted = {name: schema for name, schema in schemas().items() if "usedTokens" in schema.get("properties", {})}
    assert len(budgeted) >= 3
    assert [name for name, schema in budgeted.items() if "tokenCounter" not in schema["required"]] == []


def test_every_answer_to_a_budget_says_what_it_used() -> None:
    """A route that takes `maxTokens` answers with `usedTokens`."""
    described = create_app(Settings()).openapi()
    silent = []
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            asked = _properties(described, route.get("requestBody", {}))
            answered = _properties(described, route["responses"].get("200", {}))
            if "maxTokens" in asked and "usedTokens" not in answered:
                silent.append(f"{method.upper()} {path}")
    assert silent == []


def _properties(described: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    for choice in (schema, *schema.get("anyOf", ()), *schema.get("allOf", ())):
        if "$ref" in choice:
            found: dict[str, Any] = described["components"]["schemas"][choice["$ref"].rsplit("/", 1)[1]]["properties"]
            return found
    return {}


@pytest.mark.parametrize("name", ["Recalled", "Expansion", "ExpandedSummary"])
def test_the_patterns_of_this_file_find_what_is_there(name: str) -> None:
    assert {"usedTokens", "tokenCounter"} <= set(schemas()[name]["required"])
