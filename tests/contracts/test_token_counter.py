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
    """A route that takes `maxTokens` answers with `usedTokens`, whichever of its answers it is."""
    assert silent_answers(create_app(Settings()).openapi()) == {
        ("GET /api/expand/{id}", whole) for whole in ("Memory", "Attribute", "Description")
    }, "these are told as they are: no budget cuts them"


def silent_answers(described: dict[str, Any]) -> set[tuple[str, str]]:
    """Each route that takes a budget, with those of its answers that do not say what they used of it."""
    return {
        (f"{method.upper()} {path}", name)
        for path, methods in described["paths"].items()
        for method, route in methods.items()
        if takes_a_budget(described, route)
        for name, schema in alternatives(described, route["responses"].get("200", {}))
        if "usedTokens" not in schema.get("properties", {})
    }


def takes_a_budget(described: dict[str, Any], route: dict[str, Any]) -> bool:
    bodies = alternatives(described, route.get("requestBody", {}))
    return any(given["name"] == "maxTokens" for given in route.get("parameters", ())) or any(
        "maxTokens" in schema.get("properties", {}) for _, schema in bodies
    )


def alternatives(described: dict[str, Any], body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The schemas a body may have, by name; one without a name where none has one."""
    waiting = [body.get("content", {}).get("application/json", {}).get("schema", {})]
    found = []
    while waiting:
        schema = waiting.pop()
        waiting.extend(choice for key in ("anyOf", "oneOf", "allOf") for choice in schema.get(key, ()))
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            found.append((name, described["components"]["schemas"][name]))
    return found or [("", {})]


def test_a_budget_in_the_query_and_the_second_of_two_answers_are_seen() -> None:
    answer = {"anyOf": [{"$ref": "#/components/schemas/Loud"}, {"$ref": "#/components/schemas/Silent"}]}
    route = {"responses": {"200": {"content": {"application/json": {"schema": answer}}}}}
    asked = {"content": {"application/json": {"schema": {"anyOf": [{"$ref": "#/components/schemas/Ask"}, {}]}}}}
    described = {
        "paths": {
            "/query": {"get": route | {"parameters": [{"name": "maxTokens", "in": "query"}]}},
            "/body": {"post": route | {"requestBody": asked}},
            "/bare": {"get": {"responses": {}, "parameters": [{"name": "maxTokens", "in": "query"}]}},
            "/free": {"get": route},
        },
        "components": {
            "schemas": {
                "Loud": {"properties": {"usedTokens": {}}},
                "Silent": {},
                "Ask": {"properties": {"maxTokens": {}}},
            }
        },
    }
    assert silent_answers(described) == {
        ("GET /query", "Silent"),
        ("POST /body", "Silent"),
        ("GET /bare", ""),
    }


@pytest.mark.parametrize("name", ["Recalled", "Expansion", "ExpandedSummary", "Answered"])
def test_the_patterns_of_this_file_find_what_is_there(name: str) -> None:
    assert {"usedTokens", "tokenCounter"} <= set(schemas()[name]["required"])
