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
