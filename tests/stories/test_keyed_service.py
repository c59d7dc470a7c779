"""A service beyond loopback, as processes: a key is made, used, listed and revoked."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from graphmem.client import GraphmemClient
from graphmem.errors import ScopeMissing, Unauthenticated
from graphmem.settings import Settings
from tests.commands import run_command
from tests.service import Cli, free_port, outside_environment, serving
from tests.waiting import until_it_holds


@pytest.fixture(scope="module")
def environ(server_settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outside_environment(
        server_settings,
        tmp_path_factory.mktemp("keyed"),
        GRAPHMEM_HOST="0.0.0.0",  # noqa: S104
        GRAPHMEM_REQUIRE_KEY="true",
        GRAPHMEM_WORKERS="0",
    )


@pytest.fixture(scope="module")
def run(environ: dict[str, str], folder: Path) -> Cli:
    def call(*arguments: str, stdin: str = "", **changes: str) -> "subprocess.CompletedProcess[str]":
        done = run_command(arguments, environ=environ | changes, folder=folder, stdin=stdin.encode())
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return call


@pytest.fixture(scope="module")
def agent(settings: Settings) -> str:
    return f"keyed-{uuid4().hex}"


@pytest.fixture(scope="module")
def made(run: Cli, agent: str) -> tuple[str, str]:
    """The id and the text of a key that was made before the service ran."""
    done = run("keys", "create", "--agent", agent, "--name", "laptop", "--expires-days", "7")
    assert done.returncode == 0, done.stderr
    text = done.stdout.strip()
    assert re.fullmatch(r"gm_[\w-]{43}", text), "nothing else is printed: KEY=$(graphmem keys create …) works"
    found = re.search(r"Id (\S+)\.", done.stderr)
    assert found
    return found[1], text


@pytest.fixture(scope="module")
def url(environ: dict[str, str], made: tuple[str, str], folder: Path) -> Iterator[str]:
    running = serving(environ, folder, free_port())
    service = next(running)
    yield service.url
    running.close()
    assert made[1].removeprefix("gm_") not in service.log.read_text()


def test_a_client_and_the_command_line_get_in_with_a_key_and_not_without(
    run: Cli, made: tuple[str, str], url: str, agent: str
) -> None:
    line = json.dumps({"sessionId": "s1", "role": "user", "content": "lamp-service uses PostgreSQL."})
    without = run("ingest", "-", "--no-wait", "--url", url, stdin=line)
    assert without.returncode == 3
    assert "key" in without.stderr
    done = run("ingest", "-", "--no-wait", "--url", url, stdin=line, GRAPHMEM_API_KEY=made[1])
    assert done.returncode == 0, done.stderr
    with GraphmemClient(url, key=made[1], agent_id="somebody-else") as client:
        assert client.status().agent_id == agent
        assert client.status().counts.messages == 1
    with GraphmemClient(url) as client, pytest.raises(Unauthenticated):
        client.status()


def test_a_key_that_only_reads_writes_nothing(run: Cli, url: str, agent: str) -> None:
    reading = run("keys", "create", "--agent", agent, "--scope", "read").stdout.strip()
    with GraphmemClient(url, key=reading) as client:
        assert client.status().agent_id == agent
        with pytest.raises(ScopeMissing):
            client.remember(content="lamp-service uses Redis")


def test_keys_are_listed_without_their_text_and_a_revoked_one_stops(
    run: Cli, made: tuple[str, str], url: str, agent: str
) -> None:
    id_, text = made
    headers = {"Authorization": f"Bearer {text}"}
    assert httpx.get(f"{url}/api/status", headers=headers).status_code == 200
    listed = run("keys", "list", "--agent", agent)
    assert listed.returncode == 0, listed.stderr
    head, *rows = listed.stdout.splitlines()
    assert re.split(r"  +", head) == ["id", "agent", "scope", "name", "created", "expires", "last used", "revoked"]
    (row,) = [re.split(r"  +", row) for row in rows if id_ in row]
    assert row[:4] == [id_, agent, "write", "laptop"]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ", time) for time in row[4:7])
    assert row[7] == "-"
    assert text not in listed.stdout
    assert id_ in run("keys", "list").stdout, "those of all agents"

    revoked = run("keys", "revoke", id_)
    assert revoked.returncode == 0, revoked.stderr
    until_it_holds(lambda: httpx.get(f"{url}/api/status", headers=headers).status_code == 401)
    again = run("keys", "list", "--agent", agent).stdout
    assert not [row for row in again.splitlines() if id_ in row and row.endswith("-")]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("create",), 2, "--agent"),
        (("create", "--agent", "no agent"), 2, "must be 1 to 128"),
        (("create", "--agent", "a", "--scope", "root"), 2, "root"),
        (("create", "--agent", "a", "--expires-days", "0"), 2, "--expires-days"),
        (("revoke", "nobody"), 4, "nobody"),
    ],
)
def test_what_cannot_be_done_is_said_with_an_exit_code(
    run: Cli, settings: Settings, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = run("keys", *arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert done.stdout == ""
