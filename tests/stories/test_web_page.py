"""A page of another origin in a real browser reaches no memory: neither across origins nor by rebinding its name.

Chromium opens a page that tries all that a page can. Its origin is another port, or a name that resolves to loopback.
For DNS rebinding, whoever serves the page answers with the page first and then passes every request on to the service
as the browser sent it: that is what the service sees once the page's name leads to it.
"""

import base64
import http.client
import json
import queue
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.settings import load_settings
from tests.service import Service, free_port, outside_environment, serving

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PAGE = Path(__file__).with_name("web_page.html")
TELLING = {"host", "origin", "sec-fetch-site", "referer"}
"""Headers from which the service learns of the page."""
PLANTED = "planted-by-a-page"

pytestmark = pytest.mark.long


class Attacker(ThreadingHTTPServer):
    """Serves the page, hears what it tells, and passes all other requests on to the service."""

    daemon_threads = True

    def __init__(self, service_port: int) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.service_port = service_port
        self.told: queue.Queue[list[dict[str, Any]]] = queue.Queue()


class Passing(BaseHTTPRequestHandler):
    server: Attacker

    def do_GET(self) -> None:
        if self.path.startswith("/attack"):
            self._say(200, PAGE.read_bytes(), "text/html")
        else:
            self._pass_on()

    def do_POST(self) -> None:
        if self.path == "/told":
            self.server.told.put(json.loads(self._body()))
            self._say(200, b"", "text/plain")
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        hidden = TELLING if self.headers["host"].startswith("hidden.test") else set()
        headers = {name: value for name, value in self.headers.items() if name.lower() not in hidden | {"connection"}}
        asked = http.client.HTTPConnection("127.0.0.1", self.server.service_port, timeout=60)
        asked.request(self.command, self.path, self._body(), headers)
        with asked.getresponse() as answer:
            self._say(answer.status, answer.read(), answer.getheader("content-type", ""))
        asked.close()

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def _say(self, status: int, body: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web page")


@pytest.fixture(scope="module")
def service(data_dir: Path) -> Iterator[Service]:
    """A service with a Neo4j of its own, Browser included, and a session in it."""
    environ = outside_environment({}, data_dir, GRAPHMEM_AOT_CACHE="off", GRAPHMEM_WORKERS="0")
    for running in serving(environ, data_dir, free_port()):
        said = {"messages": [{"role": "user", "content": "The kiln runs at 1200 degrees."}]}
        httpx.post(f"{running.url}/api/sessions/pottery/messages", json=said).raise_for_status()
        yield running


@pytest.fixture(scope="module")
def attacker(service: Service) -> Iterator[Attacker]:
    server = Attacker(int(service.url.rpartition(":")[2]))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@contextmanager
def chromium(url: str, profile: Path) -> Iterator[None]:
    """Chromium with a page open; every name below .test is loopback."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, f"None of {', '.join(PROGRAMS)} is installed. On Debian: apt-get install chromium"
    rules = ("--host-resolver-rules=MAP *.test 127.0.0.1", "--no-proxy-server", "--disable-background-networking")
    # Chromium's own sandbox needs a user who is not root; nothing but our own pages is opened.
    start = [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", *rules, url]
    running = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.terminate()
        running.wait()


def attack(attacker: Attacker, page_host: str, target: str, profile: Path, **more: Any) -> list[dict[str, Any]]:
    """What a page of this host got, one item for each attempt."""
    origin = f"http://{page_host}:{attacker.server_port}"
    query = urlencode({"service": target.format(origin=origin), **more}, doseq=True)
    with chromium(f"{origin}/attack?{query}", profile):
        return attacker.told.get()


def stored(service: Service) -> tuple[set[str], set[str]]:
    """The ids of all sessions, and the names of all entities."""
    sessions = httpx.get(f"{service.url}/api/sessions").json()["items"]
    entities = httpx.get(f"{service.url}/api/graph/entities").json()["items"]
    return {one["sessionId"] for one in sessions}, {one["name"] for one in entities}


@pytest.mark.parametrize("page_host", ["evil.test", "127.0.0.1"])
@pytest.mark.parametrize("target", ["127.0.0.1", "localhost", "rebound.test"])
def test_a_page_of_another_origin_neither_reads_nor_changes_anything(
    service: Service, attacker: Attacker, tmp_path: Path, page_host: str, target: str
) -> None:
    before = stored(service)
    got = attack(attacker, page_host, f"http://{target}:{attacker.service_port}", tmp_path)
    assert len(got) > 10
    assert {one["text"] for one in got} == {""}  # what was answered is not shown to the page
    assert stored(service) == before == ({"pottery"}, set())


def test_a_page_whose_name_was_rebound_to_the_service_gets_no_further(
    service: Service, attacker: Attacker, tmp_path: Path
) -> None:
    got = attack(attacker, "rebound.test", "{origin}", tmp_path)
    assert {one["status"] for one in got if one["status"]} == {421}
    assert "kiln" not in json.dumps(got)
    assert stored(service) == ({"pottery"}, set())


def test_neo4j_shows_a_page_nothing_even_one_that_knows_the_password(
    service: Service, attacker: Attacker, data_dir: Path, tmp_path: Path
) -> None:
    managed = ManagedServer(data_dir, load_settings().cache_dir)
    running = managed.running()
    assert running is not None
    assert running.http_url is not None
    login = "Basic " + base64.b64encode(f"{running.user}:{running.password}".encode()).decode()
    addresses = [running.http_url, running.http_url.replace("127.0.0.1", "rebound.test")]
    got = attack(
        attacker, "evil.test", f"http://127.0.0.1:{attacker.service_port}", tmp_path, neo4j=addresses, login=login
    )
    of_neo4j = [one for one in got if one["name"] == "neo4j"]
    assert len(of_neo4j) == 6
    assert {one["text"] for one in of_neo4j} == {""}


def test_the_page_would_do_all_of_it_if_nothing_told_of_it(
    service: Service, attacker: Attacker, tmp_path: Path
) -> None:
    got = attack(attacker, "hidden.test", "{origin}", tmp_path)
    assert "kiln" in next(one["text"] for one in got if one["name"] == "recall")
    sessions, entities = stored(service)
    assert PLANTED in sessions
    assert PLANTED in entities
