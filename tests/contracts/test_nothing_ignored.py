"""Whatever a route is sent that it does not know is refused by its name, with the name that was probably meant."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.calls import PAGES
from graphmem.settings import Settings
from tests.contracts.test_api_contract import BEYOND, CONTRACT, PROTOCOL, filled

Json = dict[str, Any]
ROUTES = sorted(CONTRACT | BEYOND)
DOCUMENT: Json = create_app(Settings()).openapi()


def bodies() -> Iterator[tuple[str, str, Json]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if schema := operation.get("requestBody", {}).get("content", {}).get("application/json"):
                yield method.upper(), path, schema["schema"]


BODIES = list(bodies())


def refusals(response: httpx.Response) -> dict[tuple[Any, ...], str]:
    assert response.status_code == 422, response.text
    return {tuple(one["loc"]): one["msg"] for one in response.json()["errors"]}


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_no_route_ignores_a_parameter(http: httpx.AsyncClient, method: str, path: str) -> None:
    found = refusals(await http.request(method, filled(path), params={"colour": "red"}))
    assert found[("query", "colour")].startswith("is no parameter of this route; ")


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in BODIES])
async def test_no_route_ignores_a_field(http: httpx.AsyncClient, method: str, path: str) -> None:
    found = refusals(await http.request(method, filled(path), json={"colour": "red"}))
    assert found[("colour",)].startswith("is no field of this request")


@pytest.mark.parametrize(("method", "path"), [route for route in ROUTES if route[0] in ("GET", "DELETE")])
async def test_no_route_ignores_a_body(http: httpx.AsyncClient, method: str, path: str) -> None:
    found = refusals(await http.request(method, filled(path), json={"limit": 5}))
    assert "query parameters" in found[("body",)]


def test_every_route_that_changes_something_reads_a_body() -> None:
    reading = {(method, path) for method, path, _ in BODIES} | PROTOCOL | {("POST", "/api/graph/import")}
    assert {route for route in ROUTES if route[0] in ("POST", "PUT", "PATCH")} <= reading


def test_no_object_in_a_body_takes_fields_it_does_not_know() -> None:
    """However deep it stands; what is free has no fields of its own."""
    open_ = {name for _, _, schema in BODIES for name, one in objects(schema) if one.get("additionalProperties", True)}
    assert open_ == set()
    assert len({name for _, _, schema in BODIES for name, _ in objects(schema)}) > 30


def objects(schema: Json, name: str = "", seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, Json]]:
    if "$ref" in schema:
        named = schema["$ref"].rpartition("/")[2]
        if named not in seen:
            yield from objects(DOCUMENT["components"]["schemas"][named], named, seen | {named})
        return
    if "properties" in schema:
        yield name, schema
    below = [*schema.get("properties", {}).values(), schema.get("items")]
    below += [one for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key, ())]
    for one in below:
        if isinstance(one, dict):
            yield from objects(one, name, seen)


async def test_names_in_snake_case_are_understood_and_near_ones_are_named(http: httpx.AsyncClient) -> None:
    said = {"messages": [{"messageId": "m", "role": "user", "content": "A long story about a lamp."}]}
    await http.post("/api/sessions/s/messages", json=said)
    page = (await http.get("/api/sessions/s/messages", params={"max_content_chars": 6})).json()
    assert page["items"][0]["content"] == "A long"
    near = refusals(await http.get("/api/sessions/s/messages", params={"maxContentCars": 6, "limit": 1}))
    assert near == {
        ("query", "maxContentCars"): "is no parameter of this route; did you mean maxContentChars?",
    }
    twice = refusals(await http.get("/api/sessions/s/messages", params=[("limit", "1"), ("limit", "2")]))
    assert "give it once" in twice[("query", "limit")]
    both = refusals(await http.get("/api/sessions/s/messages?maxContentChars=6&max_content_chars=7"))
    assert "give it once" in both[("query", "maxContentChars")]
    several = await http.get("/api/telemetry/events", params=[("name", "a"), ("name", "b")])
    assert several.status_code == 200
    field = refusals(await http.post("/api/memory/remember", json={"content": "a", "claim": {"slott": "x"}}))
    assert field[("claim", "slott")] == "is no field of this request; did you mean slot?"


async def test_an_empty_answer_says_why(http: httpx.AsyncClient) -> None:
    await http.post("/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "The lamp is lit."}]})
    fact = {"content": "the lamp runs on oil", "entity": "lamp", "aspect": "supply"}
    await http.post("/api/memory/remember", json=fact)

    async def recall(**more: Any) -> Json:
        answer: Json = (await http.post("/api/memory/recall", json={"query": "lamp"} | more)).json()
        return answer

    assert (await recall())["unmatched"] == []
    assert (await recall(sessionId="t", project="Lantrn"))["unmatched"] == [
        {"field": "sessionId", "value": "t"},
        {"field": "project", "value": "Lantrn"},
    ]
    assert (await recall(sessionId="s", role="tool"))["unmatched"] == []
    omitted = await recall(role="user", kinds=["attribute", "message"])
    assert omitted["kindsOmitted"] == ["attribute"]
    asked = {"question": "Who feeds the cat?", "sessionId": "t"}
    answered = (await http.post("/api/memory/expand-query", json=asked)).json()
    assert (answered["found"], [one["value"] for one in answered["unmatched"]]) == (False, ["t"])
    for aspect, known in (("colour", ["supply"]), ("supply", None)):
        expanded = await http.post("/api/memory/expand", json={"entity": "lamp", "aspect": aspect})
        assert expanded.json()["knownAspects"] == known


async def test_what_would_have_no_effect_is_refused(http: httpx.AsyncClient) -> None:
    kept = (await http.post("/api/memory/remember", json={"content": "it runs on oil", "entity": "lamp"})).json()
    found = refusals(await http.get("/api/graph/entities", params={"name": "lamp", "type": "system"}))
    assert set(found) == {("query", "type")}
    behind = await http.get(f"/api/expand/{kept['memory']['id']}", params={"cursor": "MQ=="})
    assert (behind.status_code, behind.json()["code"]) == (400, "invalid_cursor")


async def test_a_limit_that_was_reached_and_a_wait_that_was_too_short_are_told(http: httpx.AsyncClient) -> None:
    for session in ("a", "b"):
        said = {"messages": [{"role": "user", "content": "Hi."}]}
        await http.post(f"/api/sessions/{session}/messages", json=said)
        await http.post(f"/api/sessions/{session}/end")
    few = (await http.post("/api/repair/backfill-skipped", json={"dryRun": True, "limit": 1})).json()
    all_ = (await http.post("/api/repair/backfill-skipped", json={"dryRun": True})).json()
    assert (few["limitReached"], all_["limitReached"]) == (few["affected"] == 1, False)
    asked = {"force": True, "wait": True, "waitTimeoutS": 0}
    late = (await http.post("/api/sessions/a/end", json=asked)).json()
    assert (late["pipeline"], late["timedOut"]) == ("queued", True)
    assert (await http.post("/api/sessions/a/end")).json()["timedOut"] is False


async def test_a_page_for_browsers_takes_any_address(http: httpx.AsyncClient) -> None:
    for page in PAGES:
        assert (await http.get(page, params={"utm": "x"})).status_code == 200
