"""`graphmem mcp` as a client starts it: a process that speaks the protocol, and leaves nothing when it ends."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult

from graphmem.settings import Settings
from tests.service import outside_environment
from tests.waiting import until, until_it_holds

Json = dict[str, Any]
COMMAND = [sys.executable, "-m", "api.cli", "mcp"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def environ(
    settings: Settings, server_settings: dict[str, str], agent_id: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The environment of the process: the server of this run, an agent of its own."""
    return outside_environment(
        server_settings,
        tmp_path_factory.mktemp("mcp"),
        GRAPHMEM_AGENT_ID=agent_id,
        GRAPHMEM_JOB_POLL_MS="100",
        PYTHONPATH=str(Path(__file__).parents[2]),
    )


@asynccontextmanager
async def connected(environ: dict[str, str], folder: Path, era: str = "auto") -> AsyncIterator[Client]:
    """The official client, with a process of its own."""
    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environ, cwd=folder)
    with (folder / "mcp.log").open("a") as log:
        async with Client(stdio_client(parameters, errlog=log), mode=era) as client:
            yield client


class Spoken:
    """A process whose lines are sent and read by hand."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        self.process = process
        self.log = log

    def send(self, message: Json | str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{message if isinstance(message, str) else json.dumps(message)}\n")
        self.process.stdin.flush()

    def ask(self, message: Json | str) -> Json:
        """The next line it writes: if that is no message of the protocol, this fails."""
        self.send(message)
        assert self.process.stdout
        read: Json = json.loads(self.process.stdout.readline())
        assert read["jsonrpc"] == "2.0"
        return read

    def end(self) -> str:
        """What it still wrote before it ended, with all that it had started, because its input was closed."""
        family = psutil.Process(self.process.pid).children(recursive=True)
        rest, _ = self.process.communicate()
        psutil.wait_procs(family)
        return rest


@pytest.fixture
def spoken(environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Spoken]]:
    started = []

    def start(**changes: str | None) -> Spoken:
        log = tmp_path / f"mcp-{len(started)}.log"
        env = {name: value for name, value in (environ | changes).items() if value is not None}
        with log.open("w") as errors:
            process = subprocess.Popen(
                COMMAND, cwd=tmp_path, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        started.append(process)
        return Spoken(process, log)

    yield start
    for process in started:
        with process:  # closes its pipes
            if process.poll() is None:
                process.kill()


def call(id_: int, tool: str, **arguments: Any) -> Json:
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def body(result: Json) -> Json:
    """What a tool answered."""
    (content,) = result["content"]
    read: Json = json.loads(content["text"])
    return read


def told(result: CallToolResult) -> Json:
    return body(result.model_dump(mode="json"))


async def test_what_is_remembered_is_there_for_its_agent_alone_whatever_the_era(
    environ: dict[str, str], tmp_path: Path, agent_id: str
) -> None:
    async with connected(environ, tmp_path) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"remember", "recall"}
        for said in ("The lighthouse keeper feeds two kittens.", "wick-service uses PostgreSQL"):
            kept = await client.call_tool("remember", {"content": said})
            assert not kept.is_error, told(kept)
        known = await client.call_tool("expand", {"entity": "wick-service"})
        assert not known.is_error, told(known)
        assert "wick-service uses PostgreSQL" in told(known)["text"]
        reached = await client.call_tool("impact", {"entityId": "PostgreSQL"})
        assert not reached.is_error, told(reached)
        (group,) = told(reached)["groups"]
        assert [one["name"] for one in group["entities"]] == ["wick-service"]
        checked = await client.call_tool("status", {"doctor": True})
        assert not checked.is_error, told(checked)
        assert told(checked).keys() == {"healthy", "findings"}

        async def embedded() -> bool:
            status = told(await client.call_tool("status", {}))
            assert status["agentId"] == agent_id
            return not status["backlog"]["embedding"]

        await until(embedded)
        await finds_the_kittens(client)
    async with connected(environ | {"GRAPHMEM_AGENT_ID": f"test-{uuid4().hex}"}, tmp_path) as client:
        assert told(await client.call_tool("recall", {"query": "PostgreSQL"}))["hits"] == []
        unknown = await client.call_tool("expand", {"entity": "wick-service"})
        assert unknown.is_error
        assert told(unknown)["code"] == "entity_not_found"
    async with connected(environ, tmp_path, "legacy") as client:
        await finds_the_kittens(client)


async def finds_the_kittens(client: Client) -> None:
    """By their meaning: no word of the question was said."""

    async def found() -> Any:
        answer = await client.call_tool("recall", {"query": "small cats"})
        return answer if told(answer)["hits"] else None  # its model may still be loading

    answer = await until(found)
    hits = told(answer)["hits"]
    assert hits[0]["text"].rstrip(".") == "The lighthouse keeper feeds two kittens"
    assert hits[0]["kind"] == "attribute", "the statement and the fact drawn from it are one hit"


def test_standard_output_holds_nothing_but_the_protocol_and_the_log_no_words(spoken: Callable[..., Spoken]) -> None:
    talk = spoken(GRAPHMEM_LOG_LEVEL="debug")
    assert talk.ask(INITIALIZE)["result"]["serverInfo"]["name"] == "graphmem"
    talk.send(INITIALIZED)
    said = f"zqx{uuid4().hex} uses PostgreSQL"
    assert not talk.ask(call(2, "remember", content=said))["result"].get("isError")
    until_it_holds(lambda: body(talk.ask(call(3, "recall", query=said))["result"])["hits"])
    assert talk.ask(call(4, "recall", query=said, colour="red"))["result"]["isError"]
    assert talk.ask(call(5, "forget", content=said))["error"]["code"] == -32602
    assert talk.ask({"jsonrpc": "2.0", "id": 6, "method": "no/such"})["error"]["code"] == -32601
    assert talk.end() == ""
    assert talk.process.returncode == 0
    assert "Traceback" not in talk.log.read_text()
    lines = [json.loads(line) for line in talk.log.read_text().splitlines()]
    told = [(line["tool"], line["answer"]) for line in lines if line["message"] == "tool called"]
    assert list(dict.fromkeys(told)) == [("remember", "ok"), ("recall", "ok"), ("recall", "invalid_input")]
    assert said.split()[0] not in talk.log.read_text()


def test_the_handshake_waits_for_no_database_and_neither_does_the_end(spoken: Callable[..., Spoken]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        talk = spoken(GRAPHMEM_NEO4J_URI=f"bolt://127.0.0.1:{silent.getsockname()[1]}")
        assert talk.ask(INITIALIZE)["result"]["instructions"]
        talk.send(INITIALIZED)
        assert talk.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})["result"]["tools"]
        talk.send(call(3, "status"))
        talk.end()
    assert "opening the memory failed" not in talk.log.read_text(), "it waited until connecting was given up"


def test_a_database_that_is_away_is_an_error_of_the_tool_and_tried_again(
    spoken: Callable[..., Spoken], server_settings: dict[str, str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        away = f"bolt://127.0.0.1:{taken.getsockname()[1]}"
    talk = spoken(GRAPHMEM_NEO4J_URI=away)
    talk.ask(INITIALIZE)
    talk.send(INITIALIZED)
    for id_ in (2, 3):
        refused = talk.ask(call(id_, "status"))["result"]
        assert refused["isError"]
        assert body(refused)["code"] == "database_unavailable"
    talk.process.send_signal(signal.SIGTERM)
    assert talk.process.wait() == 0
    assert "opening the memory failed" in talk.log.read_text()


def test_a_signal_ends_it_though_its_input_stays_open(spoken: Callable[..., Spoken]) -> None:
    talk = spoken()
    talk.ask(INITIALIZE)
    talk.send(INITIALIZED)
    talk.ask(call(2, "status"))
    talk.process.send_signal(signal.SIGINT)
    assert talk.process.wait() == 0
    assert "Traceback" not in talk.log.read_text()


@pytest.mark.long
def test_a_neo4j_of_its_own_ends_with_it_even_if_it_was_still_starting(spoken: Callable[..., Spoken]) -> None:
    talk = spoken(GRAPHMEM_NEO4J_URI=None, GRAPHMEM_NEO4J_PASSWORD=None)
    talk.ask(INITIALIZE)
    process = psutil.Process(talk.process.pid)
    neo4j = until_it_holds(lambda: [one for one in process.children(recursive=True) if "java" in one.name()])
    talk.end()
    psutil.wait_procs(neo4j)


def test_a_bad_setting_is_said_before_the_protocol_begins(spoken: Callable[..., Spoken]) -> None:
    talk = spoken(GRAPHMEM_PORT="70000")
    output, _ = talk.process.communicate()
    assert (talk.process.returncode, output) == (2, "")
    assert "GRAPHMEM_PORT" in talk.log.read_text()
