"""The guards at the door, over a real graph: what they refuse or replace is nowhere, and nothing else is lost."""

import asyncio
import base64
import hashlib
import io
import json
import logging
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import hypothesis
import pytest
from hypothesis import strategies as st
from neo4j import AsyncDriver

from api.app import create_app
from api.logs import set_up_logging
from graphmem.adapters.identity import new_uuid7
from graphmem.adapters.payloads import PayloadFiles
from graphmem.app import Graphmem
from graphmem.model.inputs import NewMessage
from graphmem.rules.language.keys import agent_key, canonical_json
from graphmem.rules.privacy.guards import GuardRules, screen
from graphmem.rules.privacy.payloads import put_back
from graphmem.rules.privacy.redaction import CATALOGUE
from graphmem.settings import Settings
from tests.waiting import worked_until

Json = dict[str, Any]
PICTURE = random.Random(1).randbytes(3000)
URI = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
SECRETS = {
    "hunter-7-planted": "DB_PASSWORD={}",
    "ghp_pLaNtEd0pLaNtEd1pLaNtEd2pLaNtEd3": "the key {} leaked",
    "pLaNtEdBeArEr0123456789": "Authorization: Bearer {}",
    "MIIEpLaNtEd": "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
}


@pytest.fixture(scope="module")
async def guarded(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Graphmem]:
    """The services with every guard switched on."""
    opened = await Graphmem.open(with_guards(settings, tmp_path_factory.mktemp("guarded")), None)
    await opened.models_loaded()
    yield opened
    await opened.close()


@pytest.fixture
async def door(guarded: Graphmem, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    """Their HTTP door."""
    async with at_the_door(guarded, agent_id) as client:
        yield client


@asynccontextmanager
async def at_the_door(graphmem: Graphmem, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(graphmem.settings)
    app.state.graphmem = graphmem
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    headers = {"X-Agent-Id": agent_id}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as client:
        yield client


def with_guards(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(
        update={
            "data_dir": folder,
            "redact": CATALOGUE,
            "ignore_sessions": ("cron:*", "noise"),
            "stateless_sessions": ("scratch-**",),
            "ignore_messages": ("^HEARTBEAT",),
            "payload_threshold_chars": 12_000,
        }
    )


async def send(door: httpx.AsyncClient, session: str, *messages: Json, status: int | None = None) -> Json:
    batch = {"messages": [{"role": "user"} | message for message in messages]}
    response = await door.post(f"/api/sessions/{session}/messages", json=batch)
    assert response.status_code == (status or response.status_code), response.text
    body: Json = response.json()
    return body


async def rows(bolt: AsyncDriver, query: str, **params: Any) -> list[Json]:
    found, _, _ = await bolt.execute_query(query, params)
    return [row.data() for row in found]


async def everything_of(bolt: AsyncDriver, agent_id: str) -> str:
    """All that the database holds of an agent, in nodes and relationships."""
    found = await rows(
        bolt,
        "MATCH (n) WHERE n.agent_id = $a OPTIONAL MATCH (n)-[r]-() "
        "RETURN properties(n) AS n, collect(properties(r)) AS r",
        a=agent_id,
    )
    assert found
    return str(found)


def files_below(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- secrets -------------------------------------------------------------------------------------------------


async def test_a_planted_secret_is_nowhere_but_in_the_request(
    guarded: Graphmem, door: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str, log: io.StringIO
) -> None:
    answers: list[str] = []

    async def call(method: str, path: str, body: Json | None = None) -> Json:
        response = await door.request(method, path, json=body, headers={"Idempotency-Key": str(uuid4())})
        assert response.status_code in (200, 201), response.text
        answers.append(response.text)
        answer: Json = response.json()
        return answer

    said = "\n".join(form.format(secret) for secret, form in SECRETS.items())
    hidden = base64.b64encode((said * 3).encode()).decode()
    message = {
        "role": "user",
        "messageId": "m1",
        "name": "Bearer pLaNtEdBeArEr0123456789",
        "content": [
            {"type": "text", "text": f"billing-service uses PostgreSQL.\n{said}"},
            {"type": "text", "text": said + " and more words" * 1000},
            {"type": "image_url", "image_url": {"url": f"data:text/plain;base64,{hidden}"}},
        ],
        "toolCalls": [
            {"function": {"name": "x", "arguments": json.dumps({"note": said, "password": "hunter-7-planted"})}}
        ],
        "metadata": {"said": said, "deep": [{"api_key": "hunter-7-planted"}]},
    }
    await call("POST", "/api/sessions", {"sessionId": "s1", "project": "p", "metadata": {"said": said}})
    receipt = await call("POST", "/api/sessions/s1/messages", {"messages": [message, message | {"messageId": "m2"}]})
    assert receipt["stored"] == 2
    assert receipt["redactions"] > 30
    assert receipt["externalized"] == 4
    await call("POST", "/api/sessions/s1/end", {})
    worker = guarded.worker()

    async def read() -> bool:
        return not (await guarded.operation.reporting.status(agent_id)).backlog.extraction

    await worked_until(worker, read)
    await call(
        "POST", "/api/memory/remember", {"content": f"Atlas runs. {said}", "entity": "Atlas", "source": said[:28]}
    )
    edges = [{"source": "web", "target": "api", "reason": said}]
    await call("PUT", "/api/graph/dependencies", {"dependencies": edges})
    await guarded.operation.upkeep.refresh_text()
    for path in (
        "/api/sessions/s1/messages",
        "/api/messages/m1",
        "/api/status",
        "/api/sessions/summaries",
        "/api/sessions",
    ):
        await call("GET", path)
    await call("POST", "/api/memory/expand", {"entity": "Atlas"})
    await call("POST", "/api/memory/recall", {"query": "billing PostgreSQL redacted password"})
    stored = await everything_of(bolt, agent_id)
    assert "billing-service uses PostgreSQL" in stored
    kept = files_below(guarded.settings.data_dir)
    assert kept
    for secret in SECRETS:
        assert secret not in stored
        assert secret not in "".join(answers)
        assert secret not in log.getvalue()
        assert not [path for path, data in kept.items() if secret.encode() in data]
        found = await rows(
            bolt,
            "CALL db.index.fulltext.queryNodes('message_text', $q) YIELD node RETURN node.id AS id",
            q=f'+agentKey:{agent_key(agent_id)} +searchText:"{secret}"',
        )
        assert found == []
    assert log.getvalue()


FORMS = (
    "DB_PASSWORD={}",
    "api_key = {}",
    "Authorization: Bearer {}",
    "see ghp_{} there",
    "postgres://me:{}@db/x",
    "curl -u me:{} https://x.example",
    "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    "curl -u 'me:a {}' https://x.example",
    "curl https://x.example \\\n -u me:{}",
    f"curl {'-H a:b ' * 70} -u me:{{}} https://x.example",
    "https://me:p@ss/{}@host",
    "mysql://me:pa'{}@h",
    '{{"password":["{}"]}}',
    '{{"password":{{"value":"{}"}}}}',
    '[{{"name":"DB_PASSWORD","value":"{}"}}]',
    "DB_PASSWORD='{}",
    'PGPASSWORD="a {}"',
    "tool --db-password {} --port 1",
    "> -----BEGIN PRIVATE KEY-----\n> {}\n> and so on",
    "1: -----BEGIN PRIVATE KEY-----\n2: {}\n3: ",
)
PLACES: dict[str, Callable[[str], Json]] = {
    "text": lambda said: {"content": said},
    "part": lambda said: {"content": [{"type": "text", "text": said}, {"type": "text", "text": "and so on"}]},
    "payload": lambda said: {"content": f"{'word ' * 1500}{said}{' word' * 1500}"},
    "file": lambda said: {"content": "data:text/plain;base64," + base64.b64encode((said + "\n").encode() * 9).decode()},
    "tool call": lambda said: {"content": "x", "toolCalls": [{"function": {"arguments": json.dumps({"note": said})}}]},
    "tool result": lambda said: {"content": json.dumps({"out": [said]}), "role": "tool", "toolCallId": "c"},
    "metadata": lambda said: {"content": "x", "metadata": {"deep": [{"said": said}]}},
}


@pytest.mark.parametrize("where", sorted(PLACES))
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_found_in_each_place(form: str, where: str) -> None:
    secret = "j7kAbCdEfGhJk23456789aBcDeFgHjK98765"
    message = NewMessage.model_validate({"role": "user"} | PLACES[where](form.format(secret)))
    found = screen(message, GuardRules(redact=CATALOGUE, payload_threshold_chars=12_000))
    assert found.stored
    assert found.redactions
    held = found.stored.model_dump_json() + found.hidden_text + str([payload.data for payload in found.payloads])
    assert secret[4:] not in held


async def test_json_nested_deeply_is_redacted_and_kept(door: httpx.AsyncClient) -> None:
    for levels in (90, 500, 900, 5000):
        nested = "[" * levels + '{"password": "hunter22"}' + "]" * levels
        calls = [{"function": {"arguments": json.dumps({"given": nested})}}]
        answer = {"role": "tool", "content": nested, "toolCalls": calls, "messageId": str(levels)}
        assert (await send(door, "s1", answer, status=201 if levels == 90 else 200))["redactions"] == 2
    for message in (await door.get("/api/sessions/s1/messages")).json()["items"]:
        assert "hunter22" not in str(message)
        assert message["content"].startswith("[" * int(message["messageId"]))


@hypothesis.settings(
    max_examples=8,
    deadline=None,
    phases=[hypothesis.Phase.reuse, hypothesis.Phase.generate],  # an example is small as it is, and each takes a while
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
@hypothesis.given(
    planted=st.lists(st.tuples(st.sampled_from(FORMS), st.sampled_from(sorted(PLACES))), min_size=1, max_size=6),
    secret=st.text("ABCDEFGHJKabcdefghjk23456789", min_size=36, max_size=36),
)
async def test_wherever_secrets_are_planted_they_are_nowhere_afterwards(
    guarded: Graphmem,
    door: httpx.AsyncClient,
    bolt: AsyncDriver,
    agent_id: str,
    log: io.StringIO,
    planted: list[tuple[str, str]],
    secret: str,
) -> None:
    session = str(uuid4())
    messages = [
        {"messageId": str(place)} | PLACES[where](form.format(secret)) for place, (form, where) in enumerate(planted)
    ]
    receipt = await send(door, session, *messages, status=201)
    assert receipt["stored"] == len(planted)
    assert receipt["redactions"] >= len(planted)
    form = planted[0][0]
    remembered = await door.post("/api/memory/remember", json={"content": f"Atlas runs. {form.format(secret)}"})
    answers = [json.dumps(receipt), remembered.text]
    reads = (f"/api/sessions/{session}/messages", f"/api/sessions/{session}", "/api/doctor", "/api/status")
    answers += [(await door.get(path)).text for path in reads]
    asked = {"query": "password key note word", "includeSuperseded": True}
    answers.append((await door.post("/api/memory/recall", json=asked)).text)
    stored = await everything_of(bolt, agent_id)
    assert session in stored
    files = b"".join(files_below(guarded.settings.data_dir).values())
    held = "".join((stored, log.getvalue(), *answers, files.decode("latin-1")))
    assert secret not in held
    for shift in range(3):  # in the middle of base64
        assert base64.b64encode(b"-" * shift + secret.encode())[4:44].decode() not in held


@pytest.fixture
def log(settings: Settings) -> Any:
    """What a service with log level debug writes."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    noisy = {
        name: logging.getLogger(name).level for name in ("neo4j", "httpx", "httpcore", "uvicorn", "asyncio", "mcp")
    }
    stream = io.StringIO()
    set_up_logging(settings.model_copy(update={"log_level": "debug"}))
    (handler,) = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in noisy.items():
        logging.getLogger(name).setLevel(before)


async def test_the_hash_of_a_message_is_of_what_is_stored(door: httpx.AsyncClient) -> None:
    await send(door, "s1", {"content": "password: hunter22"})
    (message,) = (await door.get("/api/sessions/s1/messages")).json()["items"]
    assert message["content"] == "password: [redacted password_assignment, 8 characters]"
    assert message["sha256"] == hashlib.sha256(message["content"].encode()).hexdigest()


# --- what comes again ----------------------------------------------------------------------------------------


async def test_what_was_redacted_or_taken_out_is_known_when_it_comes_again(door: httpx.AsyncClient) -> None:
    batch = [{"messageId": "m1", "content": f"password: hunter22 {URI}"}, {"messageId": "m2", "content": "yes"}]
    assert (await send(door, "s1", *batch))["stored"] == 2
    assert (await send(door, "s1", *batch))["duplicates"] == 2
    unnamed = [{"content": message["content"]} for message in batch]
    assert (await send(door, "s1", *unnamed))["duplicates"] == 2
    other = await send(door, "s1", {"messageId": "m1", "content": "password: hunter22 and more"}, status=409)
    assert other["code"] == "message_changed"


async def test_what_was_stored_before_a_guard_was_switched_on_is_known_too(
    graphmem: Graphmem, guarded: Graphmem, http: httpx.AsyncClient, door: httpx.AsyncClient
) -> None:
    message = {"messageId": "m1", "content": "password: hunter22"}
    assert (await send(http, "s1", message))["redactions"] == 0
    again = await send(door, "s1", message)
    assert (again["duplicates"], again["redactions"]) == (1, 0)


# --- sessions and messages that are not kept -------------------------------------------------------------------


@pytest.mark.parametrize("session", ["cron:tick", "noise", "scratch-1:a"])
async def test_nothing_is_written_for_a_closed_session(
    door: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str, session: str
) -> None:
    opened = await door.post("/api/sessions", json={"sessionId": session, "project": "p"})
    assert (opened.status_code, opened.json()["created"]) == (200, False)
    receipt = await send(door, session, {"content": f"hello {URI}", "messageId": "m1"}, {"content": "b"}, status=200)
    assert (receipt["received"], receipt["ignored"], receipt["stored"]) == (2, 2, 0)
    assert receipt["messages"][0] == {"id": None, "messageId": "m1", "ordinal": None, "status": "ignored"}
    ended = await door.post(f"/api/sessions/{session}/end")
    kept = await door.post("/api/memory/remember", json={"content": "a fact", "sessionId": session})
    for refused in (ended, kept):
        assert (refused.status_code, refused.json()["code"]) == (409, "session_stateless")
        pattern = next(one for one in ("cron:*", "noise", "scratch-**") if one[:4] == session[:4])
        assert pattern in refused.json()["detail"]
    assert (await door.get(f"/api/sessions/{session}")).status_code == 404
    assert await rows(bolt, "MATCH (n) WHERE n.agent_id = $a RETURN labels(n) AS labels", a=agent_id) == []


async def test_a_session_is_closed_by_its_source_too(door: httpx.AsyncClient) -> None:
    await door.post("/api/sessions", json={"sessionId": "s1", "source": "noise"})
    assert (await send(door, "s1", {"content": "hello"}))["ignored"] == 1
    refused = await door.post("/api/memory/remember", json={"content": "a fact", "source": "noise"})
    assert refused.json()["code"] == "session_stateless"
    assert (await door.get("/api/sessions/s1")).json()["messages"] == 0


async def test_a_closed_session_is_read(http: httpx.AsyncClient, door: httpx.AsyncClient) -> None:
    await send(http, "noise", {"content": "from before"})
    assert (await send(door, "noise", {"content": "more"}))["ignored"] == 1
    (message,) = (await door.get("/api/sessions/noise/messages")).json()["items"]
    assert message["content"] == "from before"


async def test_ignored_messages_leave_no_gap_and_no_trace(
    door: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    batch = [{"content": "a"}, {"content": "HEARTBEAT pumpenhaus"}, {"content": [{"type": "text", "text": "b"}]}]
    receipt = await send(door, "s1", *batch, status=201)
    assert [(one["status"], one["ordinal"]) for one in receipt["messages"]] == [
        ("stored", 0),
        ("ignored", None),
        ("stored", 1),
    ]
    assert (receipt["stored"], receipt["ignored"]) == (2, 1)
    assert (await send(door, "s1", *batch))["duplicates"] == 2
    alone = await send(door, "s2", {"content": "HEARTBEAT pumpenhaus"}, status=200)
    assert alone["created"] is False
    assert "pumpenhaus" not in await everything_of(bolt, agent_id)
    assert (await door.get("/api/sessions/s2")).status_code == 404


async def test_the_status_tells_the_patterns_and_what_came_of_them(door: httpx.AsyncClient) -> None:
    await send(door, "s1", {"content": "HEARTBEAT"}, {"content": f"password: hunter22 {URI}"})
    await send(door, "noise", {"content": "a"})
    filters = (await door.get("/api/status")).json()["filters"]
    assert filters == {
        "ignoreSessions": ["cron:*", "noise"],
        "statelessSessions": ["scratch-**"],
        "ignoreMessages": ["^HEARTBEAT"],
        "redact": list(CATALOGUE),
        "payloadThresholdChars": 12_000,
        "sinceStart": {
            "ignored": 2,
            "patternTimeouts": 0,
            "redactions": 1,
            "externalized": 1,
            "payloadFailures": 0,
        },
    }


# --- payloads ------------------------------------------------------------------------------------------------


async def test_what_was_sent_is_rebuilt_from_the_message_and_its_payloads(door: httpx.AsyncClient) -> None:
    long = "It was a dark and stormy night. " * 500
    sent = [{"type": "image_url", "image_url": {"url": URI}}, {"type": "text", "text": long}]
    arguments = json.dumps({"file": json.dumps({"data": URI})})
    receipt = await send(door, "s1", {"content": sent, "toolCalls": [{"function": {"arguments": arguments}}]})
    assert receipt["externalized"] == 3
    (message,) = (await door.get("/api/sessions/s1/messages")).json()["items"]
    assert [one["bytes"] for one in message["payloads"]] in ([3000, len(long)], [len(long), 3000])
    found = {one["sha256"]: (await door.get(f"/api/payloads/{one['sha256']}")).content for one in message["payloads"]}
    assert {hashlib.sha256(data).hexdigest(): data for data in found.values()} == found
    assert put_back(message["parts"][0]["image_url"]["url"], found) == URI
    assert put_back(message["parts"][1]["text"], found) == long
    assert put_back(message["toolCalls"][0]["function"]["arguments"], found) == arguments
    assert (await door.get(f"/api/messages/{message['id']}")).json()["payloads"] == message["payloads"]


plain = st.text(st.sampled_from("ab c\n漢."), max_size=40) | st.just("It was a dark and stormy night. " * 400)
encoded = st.binary(min_size=200, max_size=400).map(lambda data: base64.b64encode(data).decode())
binary = st.sampled_from(["image/png", "text/plain", ""]).flatmap(
    lambda media: encoded.map(lambda data: f"data:{media};base64,{data}")
) | st.integers(1, 3).map(lambda seed: base64.b64encode(random.Random(seed).randbytes(4000)).decode())
texts = st.lists(plain | binary, min_size=1, max_size=4).map(" ".join)
sent_contents = texts | st.lists(
    st.fixed_dictionaries({"type": st.just("text"), "text": texts})
    | st.fixed_dictionaries({"type": st.just("image_url"), "image_url": st.fixed_dictionaries({"url": binary})}),
    min_size=1,
    max_size=3,
)


FACT = "billing-service uses PostgreSQL."


@pytest.fixture(scope="module")
async def guarded_by(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Callable[[bool, int], Awaitable[Graphmem]]]:
    """Services with redaction on or off, and some threshold of payloads; nothing of them needs the vectors."""
    folder = tmp_path_factory.mktemp("guarded-by")
    opened: dict[tuple[bool, int], Graphmem] = {}

    async def services(redacting: bool, threshold: int) -> Graphmem:
        if (redacting, threshold) not in opened:
            chosen = {"redact": CATALOGUE if redacting else (), "payload_threshold_chars": threshold}
            told = with_guards(settings, folder).model_copy(update=chosen)
            opened[redacting, threshold] = await Graphmem.open(told, None, load_models=False)
        return opened[redacting, threshold]

    yield services
    for graphmem in opened.values():
        await graphmem.close()


@hypothesis.settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
@hypothesis.given(
    content=sent_contents,
    arguments=texts,
    note=texts,
    redacting=st.booleans(),
    threshold=st.sampled_from([0, 12_000]),
)
async def test_bytes_come_back_by_hash_from_what_was_derived_of_them(
    guarded_by: Callable[[bool, int], Awaitable[Graphmem]],
    agent_id: str,
    content: Any,
    arguments: str,
    note: str,
    redacting: bool,
    threshold: int,
) -> None:
    """One call leads from a summary, a memory or a fact to the message, one from there to each payload; put back, all
    is as it was sent, whatever guards are on."""
    graphmem = await guarded_by(redacting, threshold)
    agent_id = f"{agent_id}-{new_uuid7()}"  # a fact said before would be the same one
    sent = {
        "content": f"{FACT}\n{content}" if isinstance(content, str) else [{"type": "text", "text": FACT}, *content],
        "toolCalls": [{"arguments": arguments}],
        "metadata": {"note": note},
    }
    async with at_the_door(graphmem, agent_id) as door:
        await send(door, "s", sent)
        await graphmem.knowledge.learning.read_session(agent_id, "s")
        summary_id = await graphmem.knowledge.learning.summarise_session(agent_id, "s")
        expanded = await door.post(f"/api/sessions/summaries/{summary_id}/expand", json={"maxTokens": 32_000})
        (child,) = expanded.json()["children"]
        message = (await door.get(f"/api/messages/{child['id']}")).json()
        assert message["payloads"] == child["payloads"]
        about = (await door.post("/api/memory/expand", json={"entity": "billing-service"})).json()
        facts = [fact for aspect in about.get("aspects", []) for fact in aspect["attributes"]]
        derived = [*expanded.json()["memories"], *facts]
        assert (len(derived) >= 2) == (FACT in message["content"]), "nothing is drawn of a text that went out"
        for node in derived:
            for id_ in node["messageIds"]:
                assert (await door.get(f"/api/messages/{id_}")).json() == message
        stored = canonical_json(message["parts"]) if message["parts"] else message["content"]
        assert message["sha256"] == hashlib.sha256(stored.encode()).hexdigest()
        found: dict[str, bytes] = {}
        for payload in message["payloads"]:
            answer = await door.get(f"/api/payloads/{payload['sha256']}")
            assert hashlib.sha256(answer.content).hexdigest() == payload["sha256"]
            found[payload["sha256"]] = answer.content
    assert rebuilt(message["parts"] or message["content"], found) == sent["content"]
    assert rebuilt(message["toolCalls"], found) == sent["toolCalls"]
    assert rebuilt(message["metadata"], found) == sent["metadata"]


def rebuilt(value: Any, payloads: dict[str, bytes]) -> Any:
    if isinstance(value, str):
        return put_back(value, payloads)
    if isinstance(value, list):
        return [rebuilt(item, payloads) for item in value]
    return {key: rebuilt(item, payloads) for key, item in value.items()} if isinstance(value, dict) else value


async def test_pages_of_a_payload_cover_it_once(door: httpx.AsyncClient) -> None:
    await send(door, "s1", {"content": URI})
    address = f"/api/payloads/{hashlib.sha256(PICTURE).hexdigest()}"
    pages = [await door.get(f"{address}?offset={offset}&limit=700") for offset in range(0, 3000, 700)]
    assert [page.status_code for page in pages] == [206] * 5
    assert b"".join(page.content for page in pages) == PICTURE
    assert (await door.get(f"{address}?offset=3500")).status_code == 416


async def test_words_of_a_text_that_went_out_are_found(guarded: Graphmem, door: httpx.AsyncClient) -> None:
    await send(door, "s1", {"content": "the zeppelin landed. " * 1000, "messageId": "big"})
    await guarded.operation.upkeep.refresh_text()
    hits = (await door.post("/api/memory/recall", json={"query": "zeppelin", "kinds": ["message"]})).json()["hits"]
    assert [hit["messageIds"] for hit in hits] == [["big"]]


async def test_equal_bytes_are_kept_once_for_an_agent_and_apart_from_others(
    guarded: Graphmem, door: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await asyncio.gather(*(send(door, f"s{n}", {"content": f"{n}: {URI}"}) for n in range(6)))
    sha256 = hashlib.sha256(PICTURE).hexdigest()
    found = await rows(
        bolt,
        "MATCH (p:Payload {agent_id: $a})<-[:HAS_PAYLOAD]-(m) RETURN p.sha256 AS sha256, count(m) AS n",
        a=agent_id,
    )
    assert found == [{"sha256": sha256, "n": 6}]
    folder = guarded.settings.data_dir / "payloads" / agent_key(agent_id)
    (path,) = files_below(folder)
    assert path.relative_to(folder).parts == (sha256[:2], sha256)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    stranger = await door.get(f"/api/payloads/{sha256}", headers={"X-Agent-Id": f"other-{agent_id}"})
    assert stranger.status_code == 404


async def test_a_payload_that_was_altered_or_lost_is_not_handed_out_and_comes_back_with_its_message(
    guarded: Graphmem, door: httpx.AsyncClient, agent_id: str
) -> None:
    await send(door, "s1", {"content": URI, "messageId": "m1"})
    (path,) = files_below(guarded.settings.data_dir / "payloads" / agent_key(agent_id))
    for harm in (lambda: path.write_bytes(PICTURE[:-1] + b"x"), path.unlink):
        harm()
        damaged = await door.get(f"/api/payloads/{path.name}")
        assert (damaged.status_code, damaged.json()["code"]) == (500, "payload_damaged")
        assert (await send(door, "s1", {"content": URI, "messageId": "m1"}))["duplicates"] == 1
        assert (await door.get(f"/api/payloads/{path.name}")).content == PICTURE


async def test_a_payload_that_cannot_be_written_stays_in_its_message(
    door: httpx.AsyncClient, guarded: Graphmem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> str:
        raise OSError(28, os.strerror(28))

    message = {"content": f"see {URI} password: hunter22", "messageId": "m1"}
    with monkeypatch.context() as broken:
        broken.setattr(PayloadFiles, "write", full)
        receipt = await send(door, "s1", message, status=201)
    assert (receipt["stored"], receipt["externalized"]) == (1, 0)
    (kept,) = (await door.get("/api/sessions/s1/messages")).json()["items"]
    assert kept["content"] == f"see {URI} password: [redacted password_assignment, 8 characters]"
    assert kept["payloads"] == []
    assert (await door.get("/api/status")).json()["filters"]["sinceStart"]["payloadFailures"] == 1
    assert "a payload cannot be written; the message keeps it" in caplog.messages
    assert (await send(door, "s1", message))["duplicates"] == 1
