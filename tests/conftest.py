"""A real Neo4j for the whole run, and a separate agent for each test. Nothing here skips.

The server: `GRAPHMEM_TEST_NEO4J_URI` if it is set (with GRAPHMEM_TEST_NEO4J_PASSWORD, without login otherwise; nothing
of an agent may be in it), else a container where a Docker engine answers, else our managed server on a folder of its
own.
"""

import asyncio
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import neo4j
import pytest
from hypothesis import HealthCheck, is_hypothesis_test
from hypothesis import settings as hypothesis_settings
from xdist.scheduler import LoadScopeScheduling

from api.app import create_app
from graphmem.adapters.neo4j_jars import Neo4jJars
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.app import Graphmem
from graphmem.graph.connection import Database
from graphmem.graph.statements import all_statement_names, statement
from graphmem.model.caller import Caller
from graphmem.model.inputs import NewMessage, NewMessages
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings, load_settings
from tests.agents import embed

OF_THEMSELVES = {
    "test_aot_cache.py",
    "test_backup.py",
    "test_crash.py",
    "test_docker.py",
    "test_dump_and_load.py",
    "test_errors.py",
    "test_managed_server.py",
    "test_plans.py",
    "test_schema.py",
    "test_token_counter.py",
}
"""Modules outside of `unit` that need no server, or have one of their own."""

# Properties: a few examples each time, and many with --hypothesis-profile=long. No example is held to a time.
for profile, examples in (("few", 20), ("long", 500)):
    hypothesis_settings.register_profile(
        profile, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
hypothesis_settings.load_profile("few")


class Tracebacks(logging.Handler):
    """Shows, with a test that failed, where a bug behind an answer of 500 was: the log has it in a field of its own."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(getattr(record, "traceback", ""))


logging.getLogger("api.problems").addHandler(Tracebacks())


class Grouped(LoadScopeScheduling):
    """Workers take the tests group by group, in the order of the groups."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid.partition("::")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Grouped:
    return Grouped(config, log)


@pytest.hookimpl(tryfirst=True)  # before marks are looked at
def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """What talks to the server of the run from this process comes first, then stories told by other processes, each
    over one server: planning a statement takes a fifth of a second, and its plan is kept, so what a server has planned
    is used by as many tests as possible. The module that looks at all plans comes before the others: a
    plan hangs on what a graph holds, and nothing that other modules leave is there yet. The one that changes indexes,
    which ends all plans, comes last.

    Where there are many examples, every property is a long proof.
    """
    if config.getoption("hypothesis_profile", None) == "long":
        for item in items:
            if is_hypothesis_test(getattr(item, "obj", None)):
                item.add_marker("long")
    items.sort(key=lambda item: _turn(item.nodeid.partition("::")[0]))


def group_of(path: str) -> str:
    """The group of a file's tests: those of a group use one server, one after the other."""
    folder, _, name = path.removeprefix("tests/").partition("/")
    if folder in ("graph", "contracts") and name not in OF_THEMSELVES:
        return "server"
    return "stories" if folder == "stories" and name not in OF_THEMSELVES else path


def _turn(path: str) -> tuple[int, int]:
    group = group_of(path)
    place = {"server": 0, "stories": 1}.get(group, 2 if group.rpartition("/")[2] in OF_THEMSELVES else 3)
    return place, {"test_statements.py": 0, "test_index_repair.py": 2}.get(path.rpartition("/")[2], 1)


@pytest.fixture(scope="session", autouse=True)
def clean_environment() -> Iterator[None]:
    """No setting of the person who runs the tests reaches them, but for the cache and which server to use."""
    kept = {"GRAPHMEM_CACHE_DIR", "GRAPHMEM_TEST_NEO4J_URI", "GRAPHMEM_TEST_NEO4J_PASSWORD", "GRAPHMEM_MAVEN_URL"}
    ours = [name for name in os.environ if name.startswith("GRAPHMEM_") and name not in kept]
    removed = {name: os.environ.pop(name) for name in ours}
    yield
    os.environ.update(removed)


SERVER = pytest.StashKey[dict[str, str]]()
FIRST = "first"
"""An agent that is never gone: in a graph without any message all plans cost the same, and a bad one would stay."""
OF_AGENTS = f"WHERE n.agent_id <> '{FIRST}'"
"""Nodes `n` that agents have stored; what else a graph holds is how the service keeps it."""


@pytest.fixture(scope="session")
def server_settings(
    clean_environment: None, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[dict[str, str]]:
    """The settings that lead to the server of this run, as environment variables for processes of its own too."""
    for environ in _server(tmp_path_factory):
        pytestconfig.stash[SERVER] = environ
        _name_all_properties(environ)
        # A worker that starts would sweep the agents of all tests before it does anything else.
        # No chore of one module's worker takes up what other modules left.
        off = ("SUPERSESSION_SWEEP", "FIND_UNANALYSED", "CONTENT_SEAL")
        yield environ | {f"GRAPHMEM_{chore}_INTERVAL_S": "0" for chore in off}
        del pytestconfig.stash[SERVER]


def _name_all_properties(environ: dict[str, str]) -> None:
    """The server knows all properties of all statements: plans are kept, and so is a warning about an unknown one."""
    texts = "\n".join(statement(name).text for name in all_statement_names())
    names = sorted(set(re.findall(r"(?<=\.)[A-Za-z]\w*\b(?!\()|\b[A-Za-z]\w*(?=: )", texts)))
    with _driver(environ) as driver:
        driver.execute_query("UNWIND $names AS name CALL db.createProperty(name)", names=names)


def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    uri = os.environ.get("GRAPHMEM_TEST_NEO4J_URI")
    if uri:
        environ = _own(uri, os.environ.get("GRAPHMEM_TEST_NEO4J_PASSWORD"))
        with _driver(environ) as driver:
            (kept,) = driver.execute_query(f"MATCH (n) {OF_AGENTS} RETURN count(n)").records[0]
        if kept:
            pytest.exit(f"{uri} holds {kept} nodes of agents, and the tests delete such: give them an empty graph.", 2)
        yield environ
    elif _engine_answers():
        yield from _container()
    else:
        yield from _managed(tmp_path_factory.mktemp("neo4j"))


def _own(uri: str, password: str | None) -> dict[str, str]:
    return {"GRAPHMEM_NEO4J_URI": uri} | ({"GRAPHMEM_NEO4J_PASSWORD": password} if password else {})


def _driver(environ: dict[str, str]) -> neo4j.Driver:
    password = environ.get("GRAPHMEM_NEO4J_PASSWORD")
    return neo4j.GraphDatabase.driver(environ["GRAPHMEM_NEO4J_URI"], auth=("neo4j", password) if password else None)


def _engine_answers() -> bool:
    docker = shutil.which("docker")
    if docker is None:
        return False
    asked = subprocess.run([docker, "version", "--format", "{{.Server.Version}}"], capture_output=True, timeout=20)
    return asked.returncode == 0


def _container() -> Iterator[dict[str, str]]:
    from testcontainers.community.neo4j import Neo4jContainer

    version = Neo4jJars(load_settings().cache_dir).version
    with Neo4jContainer(f"neo4j:{version}-community", password="graphmem-tests") as container:
        yield _own(container.get_connection_url(), "graphmem-tests")


PLANS_MUCH = (
    "-XX:TieredStopAtLevel=4",
    "-XX:Tier4InvocationThreshold=25000",
    "-XX:Tier4MinInvocationThreshold=3000",
    "-XX:Tier4CompileThreshold=75000",
    "-XX:Tier4BackEdgeThreshold=200000",
)
"""The server of a run plans a thousand statements, each anew: what all plans need is worth Java's second compiler, and
five times the calls that it waits for by default leave out the rest."""


def _managed(folder: Path) -> Iterator[dict[str, str]]:
    server = ManagedServer(
        folder,
        load_settings().cache_dir,
        http=False,
        preferred_bolt_port=0,
        preferred_http_port=0,
        quick_start=True,
        java_options=PLANS_MUCH,
    )
    running = server.start()
    try:
        yield _own(running.uri, running.password)
    finally:
        server.stop()


@pytest.fixture(scope="session")
def settings(server_settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a service over the test server: its worker is quick, and runs only where a test asks for it."""
    environ = server_settings | {
        "GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir),
        "GRAPHMEM_DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "GRAPHMEM_JOB_POLL_MS": "50",
        "GRAPHMEM_WORKERS": "0",
        "GRAPHMEM_LOG_LEVEL": "error",
    }
    return load_settings(environ)


@pytest.fixture(scope="session")
async def graphmem(settings: Settings) -> AsyncIterator[Graphmem]:
    """All services, in process, with their models loaded."""
    opened = await Graphmem.open(settings, None)
    said = NewMessages(messages=tuple(NewMessage(role="user", content=f"Billing uses Kafka {n}.") for n in range(20)))
    await opened.conversation.intake.add_messages(Caller(FIRST), "s", said)
    await opened.knowledge.learning.read_session(FIRST, "s")
    await embed(opened, FIRST)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def database(graphmem: Graphmem) -> Database:
    return graphmem.database


@pytest.fixture(scope="session")
async def bolt(settings: Settings) -> AsyncIterator[neo4j.AsyncDriver]:
    """A driver past all of our code, for what only somebody else could do or see."""
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
    auth = (settings.neo4j_user, password) if password else None
    async with neo4j.AsyncGraphDatabase.driver(str(settings.neo4j_uri), auth=auth) as driver:
        yield driver


@pytest.fixture
def agent_id() -> str:
    """An agent nobody else has."""
    return f"test-{uuid4().hex}"


@pytest.fixture(scope="module", autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a module stored is gone after it: chores, checks and workers of later ones meet no agents but their own."""
    yield
    if environ := request.config.stash.get(SERVER, None):
        # IN TRANSACTIONS wants a session that commits by itself.
        with _driver(environ) as driver, driver.session() as session:
            session.run(f"MATCH (n)-[r]->() {OF_AGENTS} CALL (r) {{ DELETE r }} IN TRANSACTIONS").consume()
            session.run(f"MATCH (n) {OF_AGENTS} CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS").consume()
            session.run("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()").consume()


@pytest.fixture(scope="module")
async def worker(graphmem: Graphmem) -> AsyncIterator[Worker]:
    """A worker that runs beside the tests of a module that ask for it, and those after them."""
    running, stop = graphmem.worker(), asyncio.Event()
    task = asyncio.create_task(running.run(stop))
    yield running
    stop.set()
    await task


@pytest.fixture(scope="session")
async def transport(settings: Settings) -> AsyncIterator[httpx.ASGITransport]:
    """The HTTP service in process."""
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        await app.state.graphmem.models_loaded()
        yield httpx.ASGITransport(app, raise_app_exceptions=False)


@pytest.fixture
async def http(transport: httpx.ASGITransport, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the HTTP service for an agent of its own."""
    headers = {"X-Agent-Id": agent_id}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as client:
        yield client
