"""The managed Neo4j for real: three starts of it on a data folder of its own, in the order of the tests."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import neo4j
import neo4j.exceptions
import psutil
import pytest

from graphmem.adapters import neo4j_home
from graphmem.adapters.neo4j_conf import is_command_line
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.errors import DatabaseFailed, ServerFailed
from graphmem.graph.connection import ReadTransaction, connect
from graphmem.settings import load_settings
from tests.waiting import until_it_holds

START = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from graphmem.adapters.neo4j_server import ManagedServer
data, cache, bolt, http, how = sys.argv[1:]
server = ManagedServer(
    Path(data), Path(cache), preferred_bolt_port=int(bolt), preferred_http_port=int(http), quick_start=True
)
notices = []
if how == "used":
    with server.used() as running:
        print(json.dumps({"running": asdict(running)}), flush=True)
        sys.stdin.read()
else:
    running = server.start(notice=notices.append)
    print(json.dumps({"running": asdict(running), "notices": notices}))
"""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a data folder")


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[ManagedServer]:
    server = ManagedServer(
        data_dir, load_settings().cache_dir, preferred_bolt_port=0, preferred_http_port=0, quick_start=True
    )
    server.ensure_jars()
    assert server.status().state == "stopped"
    yield server
    server.stop()


@pytest.fixture(scope="module")
def taken_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


@pytest.fixture(scope="module")
def starts(server: ManagedServer, data_dir: Path, taken_port: int) -> list[dict[str, object]]:
    """What two processes got that started the server at the same time, with the preferred Bolt port taken."""
    runs = [starter(data_dir, taken_port) for _ in range(2)]
    outputs = [run.communicate(timeout=120)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    return [json.loads(output) for output in outputs]


@pytest.fixture
def running(server: ManagedServer, starts: object) -> RunningServer:
    found = server.running()
    assert found is not None
    return found


def starter(data_dir: Path, bolt_port: int = 0, how: str = "start") -> subprocess.Popen[str]:
    arguments = [str(data_dir), str(load_settings().cache_dir), str(bolt_port), "0", how]
    return subprocess.Popen(
        [sys.executable, "-c", START, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def servers_of(data_dir: Path) -> list[psutil.Process]:
    home = data_dir / "neo4j"
    return [p for p in psutil.process_iter(["cmdline"]) if is_command_line(p.info["cmdline"] or [], home)]


def query(running: RunningServer, text: str, password: str | None = None) -> list[neo4j.Record]:
    with neo4j.GraphDatabase.driver(running.uri, auth=(running.user, password or running.password)) as driver:
        return driver.execute_query(text, database_="neo4j").records


def test_two_starters_at_once_share_one_server(starts: list[dict[str, dict[str, object]]], data_dir: Path) -> None:
    first, second = (start["running"] for start in starts)
    assert {first.pop("started_here"), second.pop("started_here")} == {True, False}
    assert first == second
    assert [process.pid for process in servers_of(data_dir)] == [first["pid"]]


def test_a_taken_port_is_told_and_passed_over(
    starts: list[dict[str, list[str]]], running: RunningServer, taken_port: int
) -> None:
    notices = [notice for start in starts for notice in start["notices"]]
    port = running.uri.rpartition(":")[2]
    assert notices == [f"Port {taken_port} is taken: Bolt of the managed Neo4j is on port {port}."]


def test_it_survives_its_starters_and_is_found_again(server: ManagedServer, running: RunningServer) -> None:
    assert server.start() == running
    assert server.status().state == "running"
    assert server.status().pid == running.pid


def test_it_is_the_real_neo4j_and_wants_the_password(running: RunningServer) -> None:
    rows = query(
        running,
        "CYPHER 25 CALL dbms.components() YIELD versions, edition RETURN versions[0] AS v, edition AS e",
    )
    assert rows[0]["e"] == "community"
    with pytest.raises(neo4j.exceptions.AuthError):
        query(running, "RETURN 1", password="neo4j")


def test_it_listens_on_loopback_only(running: RunningServer) -> None:
    connections = psutil.Process(running.pid).net_connections("inet")
    listening = [connection for connection in connections if connection.status == psutil.CONN_LISTEN]
    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening} == {"127.0.0.1"}
    assert len(listening) == 2
    assert not [connection for connection in connections if connection.type == socket.SOCK_DGRAM]


def test_browser_is_served_and_nothing_else_over_http(running: RunningServer) -> None:
    foreign = {"Origin": "https://evil.example"}
    with httpx.Client(base_url=str(running.http_url), headers=foreign, timeout=20) as http:
        page = http.get("/browser/")
        assert "Neo4j Browser" in page.text
        assert page.headers.get("access-control-allow-origin") in (None, running.http_url)
        auth, told = (running.user, running.password), {"statement": "RETURN 1"}
        for path in ("/db/neo4j/query/v2", "/db/neo4j/tx/commit", "/db/system/query/v2"):
            assert http.post(path, json=told, auth=auth).status_code == 404
            asked = {"Access-Control-Request-Method": "POST"}
            preflight = http.options(path, headers=asked)
            assert preflight.headers.get("access-control-allow-origin") in (None, running.http_url)


def test_no_other_user_can_read_the_secret(server: ManagedServer, running: RunningServer) -> None:
    assert stat.S_IMODE(server.password_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.password_file.parent.stat().st_mode) == 0o700
    process = psutil.Process(running.pid)
    assert running.password not in f"{process.cmdline()}{process.environ()}"


def test_it_fits_into_900_mib(server: ManagedServer, running: RunningServer) -> None:
    rss_mb = server.status().rss_mb
    assert rss_mb is not None
    assert rss_mb <= 900


def test_after_a_kill_the_next_start_just_works_and_all_is_there(
    server: ManagedServer, running: RunningServer, data_dir: Path
) -> None:
    query(running, "CREATE (:Kept {text: 'before the kill'})")
    assert not server.was_killed()
    os.kill(running.pid, signal.SIGKILL)
    psutil.wait_procs(servers_of(data_dir))
    assert server.was_killed()
    # As if the number of the dead process had been given to another one at once.
    state_file = data_dir / "neo4j" / "state.json"
    state = json.loads(state_file.read_text())
    state_file.write_text(json.dumps(state | {"pid": os.getpid(), "created": psutil.Process().create_time()}))
    again = server.start()
    assert again.started_here
    assert not server.was_killed()
    assert again.uri == running.uri, "the ports are remembered"
    assert query(again, "MATCH (n:Kept) RETURN n.text AS text")[0]["text"] == "before the kill"


def grow(running: RunningServer) -> None:
    for _ in range(100):
        query(running, "UNWIND range(1, 50000) AS n CREATE (:Grown {text: toString(n)})")


async def test_after_a_critical_error_it_is_started_anew_and_all_is_there(server: ManagedServer) -> None:
    """Its files cannot become longer, as on a full disk."""
    running = server.start()
    database = await connect(running.uri, user=running.user, password=running.password)

    async def migrated(tx: ReadTransaction) -> Sequence[object]:
        return await tx.rows("upkeep/migrations")

    psutil.Process(running.pid).rlimit(psutil.RLIMIT_FSIZE, (1 << 20, -1))
    with pytest.raises(neo4j.exceptions.DatabaseError):
        grow(running)
    for refused in (database.read(migrated), database.ping()):
        with pytest.raises(DatabaseFailed, match="critical error"):
            await refused
    again = server.restart()
    assert (again.uri, again.pid == running.pid) == (running.uri, False)
    assert query(again, "MATCH (n:Kept) RETURN n.text AS text")[0]["text"] == "before the kill"
    await database.ping()
    assert await database.read(migrated) == []
    await database.close()


def test_stop_is_idempotent(server: ManagedServer, running: RunningServer, data_dir: Path) -> None:
    assert server.stop()
    assert not servers_of(data_dir)
    assert not server.stop()
    assert not server.was_killed(), "somebody stopped it"
    assert server.running() is None
    assert server.status().state == "stopped"


def test_a_start_whose_starter_was_killed_is_carried_on(server: ManagedServer, data_dir: Path) -> None:
    starting = starter(data_dir)
    launched = until_it_holds(lambda: servers_of(data_dir))
    starting.kill()
    starting.communicate()
    # As if it had been killed before it could write down what it had started.
    state_file = data_dir / "neo4j" / "state.json"
    state_file.write_text(json.dumps(json.loads(state_file.read_text()) | {"pid": None, "created": None}))
    assert server.status().state == "starting"
    running = server.start()
    assert not running.started_here
    assert [running.pid] == [process.pid for process in launched]
    assert query(running, "MATCH (n:Kept) RETURN count(n) AS n")[0]["n"] == 1
    assert server.stop()


def test_the_last_of_those_who_use_it_stops_it(server: ManagedServer, data_dir: Path) -> None:
    server.stop()
    other = ManagedServer(data_dir, load_settings().cache_dir, quick_start=True)
    with server.used() as first:
        with other.used() as second:
            assert second.pid == first.pid
        with starter(data_dir, how="used") as user:
            assert user.stdout
            assert json.loads(user.stdout.readline())["running"]["pid"] == first.pid
            assert len(query(first, "RETURN 1")) == 1, "one of three has left"
            user.kill()
    assert server.running() is None, "two have left, and what was killed uses nothing"
    with server.used():
        server.start()
    assert server.running(), "started to stay"
    assert server.stop()


def test_a_server_that_ends_by_itself_is_told_with_its_last_words(
    server: ManagedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    render = neo4j_home.render_conf
    monkeypatch.setattr(neo4j_home, "render_conf", lambda conf: f"{render(conf)}no.such.setting=1\n")
    with pytest.raises(ServerFailed, match=r"(?s)GRAPHMEM_NEO4J_URI.*No declared setting with name: no\.such\.setting"):
        server.start()
    assert server.status().state == "stopped"
