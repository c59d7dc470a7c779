"""The MCP door over HTTP, asked by the official client: small, and in agreement with the routes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import httpx2
import jsonschema
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import INVALID_PARAMS, PARSE_ERROR, CallToolResult

from api.app import MAX_BODY_BYTES, create_app
from api.mcp_answers import shown
from api.mcp_tools import OFFERS, AskStatus, Offer
from graphmem.app import Graphmem
from graphmem.rules.language.text import count_tokens
from graphmem.settings import Settings
from tests.contracts.test_doors_agree import EDGES, SAID, SLOT, steady
from tests.unit.api.test_mcp_answers import tokens as real_tokens

Json = dict[str, Any]
HERE = "http://127.0.0.1:8000"
ERAS = ["legacy", "auto"]
"""How a client opens: with the handshake of all revisions before 2026-07-28, or without one."""
ROUTES = {
    "remember": "/api/memory/remember",
    "recall": "/api/memory/recall",
    "grep": "/api/memory/grep",
    "load_session": "/api/sessions/load",
    "expand": "/api/memory/expand",
    "expand_query": "/api/memory/expand-query",
    "impact": "/api/graph/impact",
    "feedback": "/api/memory/feedback",
}


@asynccontextmanager
async def connected(app: Any, agent: str, era: str = "auto", **headers: str) -> AsyncIterator[Client]:
    """The official client on the service in process."""
    async with (
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), headers={"X-Agent-Id": agent} | headers) as wire,
        Client(streamable_http_client(f"{HERE}/mcp", http_client=wire), mode=era) as client,
    ):
        yield client


def answer(result: CallToolResult) -> Json:
    """What a tool answered, checked to be said once, with nothing in it that says nothing."""
    (content,) = result.content
    assert result.structured_content is None
    body: Json = json.loads(content.text)
    assert silent(body) == []
    return body


def silent(value: Any, path: str = "") -> list[str]:
    """The places in an answer that a model reads for nothing: null, empty, more decimals than anybody needs."""
    if isinstance(value, dict):
        return [found for name, field in value.items() for found in silent(field, f"{path}.{name}")]
    if isinstance(value, list):
        below = [found for one in value for found in silent(one, f"{path}[]")]
        return below or ([] if value or path.count(".") == 1 else [path])
    return [path] if value is None or (isinstance(value, float) and value != round(value, 4)) else []


def problem(result: CallToolResult) -> Json:
    assert result.is_error
    body = answer(result)
    assert {"type", "title", "status", "detail", "code"} <= set(body)
    return body


@pytest.fixture
def app(transport: httpx.ASGITransport) -> Any:
    return transport.app


@pytest.fixture
async def told(http: httpx.AsyncClient) -> None:
    """Something to be asked about, found by words and read."""
    await http.post("/api/sessions/s/messages", json={"messages": SAID})
    for port in (8080, 9090):
        await http.post("/api/memory/remember", json={"content": f"wick-service runs on port {port}", **SLOT})
    await http.put("/api/graph/dependencies", json={"dependencies": EDGES})
    await http.get("/api/status")


async def post(http: httpx.AsyncClient, body: Any, **headers: str) -> httpx.Response:
    """One raw message, without a word about earlier ones."""
    sent = {"Accept": "application/json, text/event-stream", "Host": "127.0.0.1:8000"} | headers
    return await http.post("/mcp", json=body, headers=sent)


def call(tool: str, **arguments: Any) -> Json:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


# The tools


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_are_few_and_small(app: Any, agent_id: str, era: str) -> None:
    async with connected(app, agent_id, era) as client:
        listed = await client.list_tools()
        assert "remember" in (client.instructions or "")
        assert count_tokens(client.instructions or "") <= 150
    assert [tool.name for tool in listed.tools] == [
        "remember",
        "resolve",
        "recall",
        "grep",
        "load_session",
        "expand",
        "expand_query",
        "impact",
        "feedback",
        "status",
    ]
    size = count_tokens(listed.model_dump_json(by_alias=True, exclude_none=True))
    assert size <= 2_000


async def test_a_tool_says_what_it_takes_and_whether_it_writes(app: Any, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name, tool in tools.items():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["type"] == "object"
        assert tool.description
        assert tool.annotations
        assert tool.annotations.read_only_hint == (name not in ("remember", "resolve", "feedback"))
        assert tool.annotations.idempotent_hint == (name != "feedback")
        assert all("type" in field for field in tool.input_schema["properties"].values())
    assert tools["remember"].annotations
    assert tools["remember"].annotations.destructive_hint is False
    assert tools["remember"].input_schema["required"] == ["content"]
    assert tools["expand"].input_schema["properties"]["maxTokens"] == {
        "type": "integer",
        "minimum": 64,
        "maximum": 32_000,
        "default": 2000,
    }
    assert "upstream" in tools["impact"].input_schema["properties"]["direction"]["enum"]
    rated = tools["feedback"].input_schema["properties"]["items"]["items"]
    assert (set(rated["properties"]), rated["required"]) == ({"id", "score"}, ["id", "score"])
    for name, tool in tools.items():
        assert ("idempotencyKey" in OFFERS[name].takes.model_json_schema()["properties"]) != (
            tool.annotations.read_only_hint  # type: ignore[union-attr]
        )


async def test_old_names_are_taken_where_the_settings_say_so_and_never_listed(
    settings: Settings, http: httpx.AsyncClient, agent_id: str
) -> None:
    app = create_app(settings.model_copy(update={"mcp_aliases": True}))
    async with app.router.lifespan_context(app), connected(app, agent_id) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert not [name for name in listed if name.startswith(("lcm_", "signet_", "recall_past"))]
        taken = answer(await client.call_tool("lcm_grep", {"query": "port", "session_scope": "all"}))
    asked = {"pattern": "port", "scope": "all"}
    assert taken == shown("grep", (await http.post("/api/memory/grep", json=asked)).json())


async def test_old_names_are_unknown_without_that_setting(app: Any, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        with pytest.raises(MCPError, match="lcm_grep"):
            await client.call_tool("lcm_grep", {"query": "port"})


# The same answers as over HTTP


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.usefixtures("told")
async def test_reads_are_those_of_the_routes(app: Any, http: httpx.AsyncClient, agent_id: str, era: str) -> None:
    asked: list[tuple[str, Json]] = [
        ("recall", {"query": "port", "limit": 3, "maxTokens": 4000}),
        ("grep", {"pattern": "port", "sort": "recency"}),
        ("load_session", {"latest": True, "maxTokens": 4000}),
        ("load_session", {"sessionId": "s", "after": 0, "limit": 1}),
        ("expand", {"entity": "wick-service", "maxTokens": 4000, "includeSuperseded": True}),
        ("expand_query", {"question": "Which port does wick-service run on?", "maxTokens": 4000}),
        ("impact", {"entityId": "wick-service"}),
    ]
    async with connected(app, agent_id, era) as client:
        for tool, arguments in asked:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error
            assert answer(result) == shown(tool, (await http.post(ROUTES[tool], json=arguments)).json()), tool
        for id_ in (ids := await named(http)):
            expanded = answer(await client.call_tool("expand", {"id": id_, "maxTokens": 2000}))
            assert expanded == shown("expand", (await http.get(f"/api/expand/{id_}?maxTokens=2000")).json()), ids
            described = answer(await client.call_tool("expand", {"id": id_, "preview": True}))
            assert described == shown("expand", (await http.get(f"/api/describe/{id_}")).json()), ids
        by_name = answer(await client.call_tool("expand", {"entity": "Wick-Service", "preview": True}))
        assert by_name == shown("expand", (await http.get("/api/describe/Wick-Service?kind=entity")).json())
        told, seen = await client.call_tool("status", {}), (await http.get("/api/status")).json()
        examined = answer(await client.call_tool("status", {"doctor": True}))
        assert examined == shown("status", (await http.get("/api/doctor")).json())
    assert count_tokens(told.content[0].text) <= 300
    status, wanted = answer(told), shown("status", seen)
    for moving in ("backlog", "jobs"):
        del status[moving], wanted[moving]
    assert status == wanted
    assert status["agentId"] == agent_id


async def test_what_is_remembered_is_answered_as_over_http(app: Any, http: httpx.AsyncClient) -> None:
    async with connected(app, f"test-{uuid4().hex}") as client:
        for port in (8080, 9090):
            given = {"content": f"wick-service runs on port {port}", "validFrom": f"20{port % 100}-01-02", **SLOT}
            kept = answer(await client.call_tool("remember", given))
            over_http = (await http.post(ROUTES["remember"], json=given)).json()
            assert steady(kept) == steady(shown("remember", over_http))
        assert len(kept["superseded"]) == 1
        again = answer(await client.call_tool("remember", given))
        assert again["duplicateOf"] == kept["memory"]["id"]


async def test_facts_are_settled_as_over_http(app: Any, http: httpx.AsyncClient, agent_id: str) -> None:
    claim = {"slot": "port", "value": "8080"}
    async with connected(app, agent_id) as client:
        old = answer(await client.call_tool("remember", {"content": "It is 8080.", "entity": "wick", "claim": claim}))
        beside = {
            "content": "At home it is 9090.",
            "entity": "wick",
            "claim": claim | {"value": "9090", "scope": ["home"]},
        }
        new = answer(await client.call_tool("remember", beside))
        (near,) = new["related"]
        assert near == {"id": old["attributes"][0]["id"], "content": "It is 8080.", "why": "another scope"}
        given = {
            "items": [{"id": new["attributes"][0]["id"], "with": near["id"], "verdict": "supersedes"}],
            "idempotencyKey": "k",
        }
        done = answer(await client.call_tool("resolve", given))
        assert answer(await client.call_tool("resolve", given)) == done
        refused = problem(await client.call_tool("resolve", {"items": [{"id": "a", "verdict": "same"}]}))
        assert "give with too" in refused["errors"][0]["msg"]
    (settled,) = done["settled"]
    record = settled["supersession"]["id"]
    assert [one["id"] for one in (await http.get("/api/memory/supersessions")).json()["items"]] == [record]


async def test_feedback_moves_what_it_moves_over_http(app: Any, http: httpx.AsyncClient) -> None:
    async with connected(app, f"test-{uuid4().hex}") as client:
        kept = answer(await client.call_tool("remember", {"content": "wick-service runs on port 8080", **SLOT}))
        fact = kept["attributes"][0]["id"]
        given = {"items": [{"id": fact, "score": 1}], "idempotencyKey": "k"}
        moved = answer(await client.call_tool("feedback", given))
        assert moved["applied"] == 1
        assert {"id": fact, "before": 0.0, "after": 0.25} in moved["changed"]
        assert answer(await client.call_tool("feedback", given)) == moved
        other = problem(await client.call_tool("feedback", given | {"items": [{"id": fact, "score": -1}]}))
        assert other["code"] == "idempotency_key_reused"
        again = answer(await client.call_tool("feedback", {"items": given["items"]}))
        assert [one["before"] for one in again["changed"] if one["id"] == fact] == [0.25]
        unknown = problem(await client.call_tool("feedback", {"items": [{"id": "nobody", "score": 1}]}))
        assert unknown["status"] == 404


async def named(http: httpx.AsyncClient) -> list[str]:
    """An id of every kind that was told."""
    kept = (await http.get("/api/graph/entities/wick-service")).json()
    fact = kept["aspects"][0]["attributes"][0]
    edge = kept["dependencies"]["incoming"][0]
    message = (await http.get("/api/sessions/s/messages")).json()["items"][0]
    return ["s", "m1", message["id"], kept["entity"]["id"], fact["id"], fact["memoryIds"][0], edge["id"]]


async def test_expand_takes_one_thing(app: Any, http: httpx.AsyncClient, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        for field, arguments in (
            ("question", {"id": "b", "question": "c"}),
            ("cursor", {"entity": "a", "cursor": "MQ=="}),
            ("includeSuperseded", {"id": "b", "preview": True, "includeSuperseded": True}),
        ):
            body = problem(await client.call_tool("expand", arguments))
            assert body["errors"][0]["loc"] == [field]
        for arguments in ({}, {"entity": "a", "id": "b"}, {"preview": True}):
            body = problem(await client.call_tool("expand", arguments))
            assert (body["code"], body["errors"][0]["loc"]) == ("invalid_input", ["entity"])
        for arguments in ({"id": "nothing"}, {"id": "nothing", "preview": True}):
            assert (
                problem(await client.call_tool("expand", arguments)) == (await http.get("/api/describe/nothing")).json()
            )


WRONG: list[tuple[str, Json]] = [
    ("load_session", {}),
    ("load_session", {"sessionId": "nowhere"}),
    ("load_session", {"latest": True, "back": -1}),
    ("recall", {"query": " "}),
    ("recall", {}),
    ("recall", {"query": "a", "tpo": 3, "frm": "2026-01-01"}),
    ("recall", {"query": "a", "limit": 0, "from": "yesterday"}),
    ("recall", {"query": "a", "kinds": ["message", "dream"]}),
    ("recall", {"query": "a", "asOf": "2026-01-01T10:00"}),
    ("expand", {"entity": "a", "maxTokens": 63}),
    ("impact", {"entityId": "a", "agentId": "somebody"}),
    ("expand", {"entity": "nobody knows this"}),
    ("expand_query", {"question": " "}),
    ("expand_query", {"question": "a", "contextMaxTokens": 63}),
    ("impact", {"entityId": "a", "maxDepth": 11}),
    ("impact", {"entityId": "0199aaaa-0000-7000-8000-000000000000"}),
    ("feedback", {"items": [{"id": "a", "score": 2}]}),
    ("feedback", {"items": []}),
    ("remember", {"content": ""}),
    ("remember", {"content": "Never deploy on Fridays", "kind": "constraint"}),
    ("remember", {"content": "a", "entity": ["b"]}),
]


@pytest.mark.parametrize("era", ERAS)
async def test_errors_are_those_of_the_routes(app: Any, http: httpx.AsyncClient, agent_id: str, era: str) -> None:
    async with connected(app, agent_id, era) as client:
        for tool, arguments in WRONG:
            refused = await http.post(ROUTES[tool], json=arguments)
            assert refused.status_code >= 400
            assert problem(await client.call_tool(tool, arguments)) == refused.json(), (tool, arguments)


async def test_unknown_arguments_are_named(app: Any, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        for tool in OFFERS:
            body = problem(await client.call_tool(tool, {"colour": "red"}))
            assert body["code"] == "invalid_input"
            (unknown,) = [one for one in body["errors"] if one["loc"] == ["colour"]]
            assert unknown["msg"].startswith("is no field of this request")
            assert "colour" in body["detail"]


@pytest.mark.usefixtures("told")
async def test_an_unknown_entity_is_answered_with_near_names(app: Any, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        body = problem(await client.call_tool("expand", {"entity": "wick-servise service"}))
    assert body["code"] == "entity_not_found"
    assert "wick-service" in [near["name"] for near in body["near"]]


@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_tool_is_an_error_of_the_protocol_that_names_those_there_are(
    app: Any, agent_id: str, era: str
) -> None:
    async with connected(app, agent_id, era) as client:
        with pytest.raises(
            MCPError, match=r"'forget'.*remember, resolve, recall, grep, load_session, expand, expand_query, impact"
        ) as unknown:
            await client.call_tool("forget", {"content": "everything"})
    assert unknown.value.error.code == INVALID_PARAMS


@pytest.mark.usefixtures("told")
async def test_snake_case_is_accepted(app: Any, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        for tool, snake, camel in (
            ("recall", {"query": "port", "max_tokens": 128}, {"query": "port", "maxTokens": 128}),
            ("expand", {"entity": "wick-service", "max_tokens": 128}, {"entity": "wick-service", "maxTokens": 128}),
            ("impact", {"entity_id": "wick-service"}, {"entityId": "wick-service"}),
        ):
            result = await client.call_tool(tool, snake)
            assert not result.is_error
            assert answer(result) == answer(await client.call_tool(tool, camel))


@pytest.mark.parametrize("number", ["NaN", "1e999", r'"\ud83d"'])
@pytest.mark.parametrize("revision", [None, "2026-07-28"])
async def test_what_python_alone_reads_as_json_is_refused(
    http: httpx.AsyncClient, number: str, revision: str | None
) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": {}}
    message = call("recall", query="a", limit="HERE")
    headers = {"Accept": "application/json", "Content-Type": "application/json", "Host": "127.0.0.1:8000"}
    if revision:
        message["params"]["_meta"] = meta
        headers |= {"Mcp-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "recall"}
    sent = json.dumps(message).replace('"HERE"', number)
    body = (await http.post("/mcp", content=sent, headers=headers)).json()
    code = body["error"]["code"] if "error" in body else json.loads(body["result"]["content"][0]["text"])["code"]
    assert code == (PARSE_ERROR if "ud83d" in number and not revision else "invalid_json")


# Once


async def test_a_key_makes_a_write_happen_once(app: Any, http: httpx.AsyncClient, agent_id: str) -> None:
    async with connected(app, agent_id) as client:
        given = {"content": "wick-service runs on port 8080", "idempotencyKey": "k1"}
        first = await client.call_tool("remember", given)
        again = await client.call_tool("remember", given)
        assert answer(again) == answer(first)
        assert not again.is_error
        assert "duplicateOf" not in answer(first)
        spelt = {"content": given["content"], "idempotency_key": "k1"}
        assert answer(await client.call_tool("remember", spelt)) == answer(first)
        other = problem(await client.call_tool("remember", given | {"content": "wick-service runs on port 9090"}))
        assert other["code"] == "idempotency_key_reused"
        assert problem(await client.call_tool("remember", given | {"idempotencyKey": ""}))["errors"][0]["loc"] == [
            "idempotencyKey"
        ]
    assert (await http.get("/api/status")).json()["counts"]["memories"] == 1


async def test_two_calls_with_one_key_at_once_are_one(app: Any, http: httpx.AsyncClient, agent_id: str) -> None:
    given = {"content": "wick-service runs on port 8080", "idempotencyKey": "k1"}
    async with connected(app, agent_id) as client:
        results = await asyncio.gather(*(client.call_tool("remember", given) for _ in range(4)))
    assert len({json.dumps(answer(one)) for one in results}) == 1
    assert (await http.get("/api/status")).json()["counts"]["memories"] == 1


@pytest.mark.parametrize("budget", [64, 100, 300, 2_000])
@pytest.mark.usefixtures("told")
async def test_all_that_a_model_is_sent_is_within_its_budget(
    app: Any, http: httpx.AsyncClient, agent_id: str, budget: int
) -> None:
    for n in range(24):
        about = f"wick-service writes the log of shift {n} to /var/log/wick-{n}.log and keeps it for {n} days."
        claim = {"slot": f"log of shift {n}", "value": f"/var/log/wick-{n}.log"}
        await http.post("/api/memory/remember", json={"content": about, "entity": "wick-service", "claim": claim})
    await http.get("/api/status")  # found by words when this returns
    asked: list[tuple[str, Json]] = [
        ("recall", {"query": "Where does wick-service write its log?"}),
        ("expand_query", {"question": "Where does wick-service write the log of shift 3?"}),
        ("expand", {"entity": "wick-service", "question": "log"}),
        ("expand", {"id": "m1"}),
        ("load_session", {"sessionId": "s"}),
    ]
    async with connected(app, agent_id) as client:
        for tool, arguments in asked:
            result = await client.call_tool(tool, arguments | {"maxTokens": budget})
            if result.is_error:
                assert "give at least" in problem(result)["detail"]
                assert budget < 150, tool
                continue
            assert real_tokens(result.content[0].text) <= budget, tool
        filled = answer(await client.call_tool("recall", {"query": "log", "kinds": ["attribute"]}))
        assert len(filled["hits"]) > 10, "without a limit the default budget is filled"


# Who may


async def test_agents_see_nothing_of_each_other(app: Any, agent_id: str) -> None:
    async with connected(app, agent_id) as ours, connected(app, f"test-{uuid4().hex}") as theirs:
        kept = answer(await ours.call_tool("remember", {"content": "wick-service uses PostgreSQL"}))
        assert answer(await ours.call_tool("recall", {"query": "wick-service"}))["hits"]
        assert answer(await theirs.call_tool("recall", {"query": "wick-service"}))["hits"] == []
        assert problem(await theirs.call_tool("expand", {"entity": "wick-service"}))["code"] == "entity_not_found"
        by_id = {"entity": kept["entities"][0]["id"]}
        assert not (await ours.call_tool("expand", by_id)).is_error
        assert problem(await theirs.call_tool("expand", by_id))["status"] == 404


async def test_a_key_that_is_not_valid_is_401(app: Any, http: httpx.AsyncClient, agent_id: str) -> None:
    for header in ({"Authorization": "Bearer gm_wrong"}, {"X-Api-Key": "gm_wrong"}):
        for method in ("POST", "GET"):
            refused = await http.request(method, "/mcp", headers=header)
            assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
            assert refused.headers["www-authenticate"].startswith("Bearer")
    with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
        async with connected(app, agent_id, Authorization="Bearer gm_wrong") as client:
            await client.call_tool("status", {})


async def test_a_key_says_whose_memory_and_how_far(app: Any, graphmem: Graphmem, agent_id: str) -> None:
    keys = {scope: (await graphmem.operation.keys.create(agent_id, scope))[1] for scope in ("read", "write")}
    said = {"content": "wick-service uses PostgreSQL"}
    async with connected(app, "somebody-else", Authorization=f"Bearer {keys['read']}") as reader:
        assert answer(await reader.call_tool("status", {}))["agentId"] == agent_id
        refused = problem(await reader.call_tool("remember", said))
        assert (refused["code"], refused["status"]) == ("scope_missing", 403)
        assert answer(await reader.call_tool("status", {}))["counts"]["memories"] == 0
    async with connected(app, "somebody-else", **{"X-Api-Key": keys["write"]}) as writer:
        assert not (await writer.call_tool("remember", said)).is_error
        assert answer(await writer.call_tool("status", {}))["counts"]["memories"] == 1


# The transport


async def test_any_process_answers_any_message(app: Any, settings: Settings, http: httpx.AsyncClient) -> None:
    opened = await post(http, call("status"))
    assert opened.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in opened.headers
    assert opened.headers["x-request-id"]
    second = create_app(settings)
    async with second.router.lifespan_context(second):
        other = httpx.AsyncClient(
            transport=httpx.ASGITransport(second), base_url="http://127.0.0.1", headers=http.headers
        )
        async with other:
            answered = await post(other, call("status"))
    first, second_ = (json.loads(one.json()["result"]["content"][0]["text"]) for one in (opened, answered))
    assert first["counts"] == second_["counts"]


async def test_there_is_no_stream_to_open(http: httpx.AsyncClient) -> None:
    for method in ("GET", "DELETE"):
        refused = await http.request(method, "/mcp", headers={"Accept": "text/event-stream"})
        assert refused.status_code == 405
        assert refused.headers["allow"] == "POST"
        assert refused.json()["code"] == "method_not_allowed"


async def test_a_message_too_big_is_413_however_it_is_sent(http: httpx.AsyncClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 2**20 + 1):
            yield b" " * 2**20

    headers = {"Content-Type": "application/json", "Host": "127.0.0.1"}
    said_so = headers | {"Content-Length": str(MAX_BODY_BYTES + 1)}
    for sent, with_headers in ((b"{}", said_so), (chunks(), headers)):
        refused = await http.post("/mcp", content=sent, headers=with_headers)
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_big")


async def test_a_long_text_may_be_remembered(http: httpx.AsyncClient) -> None:
    kept = await post(http, call("remember", content="wick-service uses PostgreSQL. " + "x" * 5_000_000))
    assert not kept.json()["result"].get("isError"), kept.text[:500]


async def test_a_message_that_cannot_be_read_is_400(http: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Host": "127.0.0.1"}
    for sent in (b"{", b"[]", b"nonsense", b'{"jsonrpc": "1.0"}'):
        assert (await http.post("/mcp", content=sent, headers=headers)).status_code == 400


async def test_a_bug_is_told_as_one_and_says_nothing_else(
    app: Any, agent_id: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said = uuid4().hex

    async def stumble(*_: Any) -> str:
        raise ValueError(said)

    broken = Offer("stumble", "Stumbles.", AskStatus, "read", stumble, {})
    monkeypatch.setitem(OFFERS, "stumble", broken)  # type: ignore[arg-type]
    async with connected(app, agent_id) as client:
        body = problem(await client.call_tool("stumble", {}))
    assert body["code"] == "internal"
    assert said not in str(body)
    (bug,) = [one for one in caplog.records if one.getMessage() == "a bug in graphmem"]
    assert "stumble" in bug.traceback  # type: ignore[attr-defined]
    assert said not in str(vars(bug))
