"""Limits of requests, and what a key may see of what it shares with others."""

import io
import json
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import networkx as nx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.app import create_app
from graphmem.app import Graphmem
from graphmem.model.inputs import MAX_QUESTION_CHARS
from graphmem.settings import Settings
from tests.contracts.test_api_contract import filled

Json = dict[str, Any]
QUESTIONS = {
    "/api/memory/recall": {"query": "QUESTION"},
    "/api/memory/expand-query": {"question": "QUESTION"},
    "/api/memory/expand": {"entity": "wick", "question": "QUESTION"},
    "/api/sessions/s/context": {"contextWindow": 8_000, "query": "QUESTION"},
}


@pytest.mark.parametrize("path", sorted(QUESTIONS))
async def test_a_question_has_at_most_8000_characters(http: httpx.AsyncClient, path: str) -> None:
    await http.post("/api/sessions", json={"sessionId": "s"})
    await http.post("/api/graph/entities", json={"name": "wick"})
    (field,) = (name for name, value in QUESTIONS[path].items() if value == "QUESTION")
    fits = await http.post(path, json=QUESTIONS[path] | {field: "wick " * (MAX_QUESTION_CHARS // 5)})
    assert fits.status_code == 200, fits.text
    refused = await http.post(path, json=QUESTIONS[path] | {field: "w" * (MAX_QUESTION_CHARS + 1)})
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert error["loc"] == [field]
    assert "8000 characters" in error["msg"]


async def test_numbers_as_large_as_may_be_are_answered(http: httpx.AsyncClient) -> None:
    """Each number of each body and each query, alone and with the others of its body, over a session that is there."""
    document = create_app(Settings()).openapi()
    await http.post("/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "The wick burns."}]})
    sent = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            schema, example = body_of(document, operation)
            largest = {name: most for name, one in schema.items() if (most := maximum(one)) is not None}
            bodies = [example | largest, *(example | {name: most} for name, most in largest.items())] if largest else []
            in_query = {
                one["name"]: maximum(one["schema"]) for one in operation.get("parameters", ()) if one["in"] == "query"
            }
            queries = [{name: most} for name, most in in_query.items() if most is not None]
            for body, query in [*((body, None) for body in bodies), *((None, query) for query in queries)]:
                answer = await http.request(method, filled(path), json=body, params=query)
                assert answer.status_code < 500, f"{method} {path} {body or query}: {answer.text}"
                sent += 1
    assert sent > 60


def body_of(document: Json, operation: Json) -> tuple[Json, Json]:
    """The fields of the body of a route, and its example."""
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    named = document["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return named.get("properties", {}), (named.get("examples") or [{}])[0]


def maximum(schema: Json) -> int | None:
    kinds = [one for one in (schema, *schema.get("anyOf", ())) if one.get("type") == "integer"]
    return int(kinds[0].get("maximum", 2**53)) if kinds else None


async def test_mcp_takes_json_and_refuses_the_rest_as_a_problem(http: httpx.AsyncClient) -> None:
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    for sent in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {"Content-Type": sent} if sent else {}
        refused = await http.post("/mcp", content=message, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (415, "unsupported_media_type")
        assert refused.headers["content-type"] == "application/problem+json"


async def test_graphml_is_well_formed_whatever_the_names_hold(http: httpx.AsyncClient) -> None:
    names = ["a\x01b", "c<&>\"'\x1f", "\U0001f600 e\ufffe", "f\u0085g]]>"]
    edges = [{"source": one, "target": other, "reason": f"\x02 {one}"} for one, other in pairwise(names)]
    assert (await http.put("/api/graph/dependencies", json={"dependencies": edges})).status_code == 200
    fact = {"content": "\x03 \x0b stands", "entity": names[0], "aspect": "\x04x"}
    assert (await http.post("/api/memory/remember", json=fact)).status_code == 201
    text = (await http.get("/api/graph/export", params={"format": "graphml"})).text
    told = {data.get("name") for _, data in nx.read_graphml(io.StringIO(text)).nodes(data=True)}
    assert {"a\\u0001b", "c<&>\"'\\u001f", "\U0001f600 e\\ufffe"} <= told
    radius = await http.post("/api/graph/impact", json={"entityId": names[-1]}, params={"format": "graphml"})
    assert radius.status_code == 200, radius.text
    assert len(nx.read_graphml(io.StringIO(radius.text))) == len(names)


@pytest.fixture
async def limited(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(settings.model_copy(update={"requests_per_minute": 2}))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client,
    ):
        yield client


async def test_a_key_that_asks_too_often_is_told_when_to_come_back(
    limited: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    _, key = await graphmem.operation.keys.create(agent_id, "read")
    mine, other = {"Authorization": f"Bearer {key}"}, {"X-Agent-Id": f"{agent_id}-2"}
    got = [await limited.get("/api/sessions", headers=mine) for _ in range(3)]
    assert [one.status_code for one in got] == [200, 200, 429]
    assert got[-1].json()["code"] == "rate_limited"
    assert 1 <= int(got[-1].headers["retry-after"]) <= 30
    assert (await limited.get("/api/sessions", headers=other)).status_code == 200
    for _ in range(3):
        assert (await limited.get("/healthz", headers=mine)).status_code == 200


def figures(text: str) -> dict[str, float]:
    return {
        f"{sample.name} {sample.labels.get('label', '')}".strip(): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_key_of_one_agent_sees_its_figures_and_no_path(http: httpx.AsyncClient, graphmem: Graphmem) -> None:
    ours, theirs = (f"test-{uuid4().hex}" for _ in range(2))
    for agent, many in ((ours, 2), (theirs, 5)):
        said = [{"role": "user", "content": f"The wick burns for the {n}th time."} for n in range(many)]
        await http.post("/api/sessions/s/messages", json={"messages": said}, headers={"X-Agent-Id": agent})
    keys = graphmem.operation.keys
    made = {scope: (await keys.create(ours, scope))[1] for scope in ("read", "admin")}
    bound = {scope: {"Authorization": f"Bearer {key}"} for scope, key in made.items()}
    own = figures((await http.get("/metrics", headers=bound["read"])).text)
    assert own["graphmem_nodes Message"] == 2
    assert own["graphmem_nodes Session"] == 1
    assert own["graphmem_database_up"] == 1
    assert not [name for name in own if "http" in name or "process" in name or "upkeep" in name]
    everybody = (await keys.create(ours, "read", all_agents=True))[1]
    all_of_it = figures((await http.get("/metrics", headers={"Authorization": f"Bearer {everybody}"})).text)
    assert all_of_it["graphmem_nodes Message"] >= 7

    async def shown(headers: dict[str, str]) -> Json:
        settings: Json = (await http.get("/api/status", headers=headers)).json()["settings"]
        return settings

    assert not [value for value in (await shown(bound["read"])).values() if isinstance(value, str) and value[:1] == "/"]
    assert Path((await shown(bound["admin"]))["data_dir"]).is_absolute()
    assert (await shown({}))["data_dir"]
