"""The installed command line, as processes: what it prints, how it ends, and that it leaves nothing behind."""

import asyncio
import json
import re
import signal
import subprocess
from pathlib import Path
from uuid import uuid4

import httpx
import psutil
import pytest

from graphmem import __version__
from graphmem.settings import Settings
from tests.service import GRAPHMEM, Cli, Service, free_port, ready, serving
from tests.waiting import until_it_holds

LINE = {"sessionId": "s1", "role": "user", "content": "lamp-service uses PostgreSQL."}


def test_the_version_is_that_of_the_package(environ: dict[str, str], folder: Path) -> None:
    done = subprocess.run([GRAPHMEM, "version"], cwd=folder, env=environ, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, __version__)


def test_every_setting_is_shown_with_its_source_and_no_secret(cli: Cli) -> None:
    done = cli("settings", "--expert", GRAPHMEM_NEO4J_URI="bolt://127.0.0.1:1", GRAPHMEM_NEO4J_PASSWORD="hush-hush")
    assert done.returncode == 0
    lines = dict(re.findall(r"^GRAPHMEM_(\w+) = (.+)$", done.stdout, re.MULTILINE))
    assert set(lines) == {name.upper() for name in Settings.model_fields}
    assert lines["NEO4J_URI"] == '"bolt://127.0.0.1:1"  [environment; default null]'
    assert lines["NEO4J_PASSWORD"] == "(secret)  [environment; default (unset)]"
    assert lines["NEO4J_TOKEN"] == "(unset)  [default]"
    assert lines["HOST"] == '"127.0.0.1"  [default]'
    assert "hush-hush" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("command", "name", "value", "said"),
    [
        (["settings"], "GRAPHMEM_PORT", "70000", "65535"),
        (["serve"], "GRAPHMEM_PROT", "8000", "Did you mean GRAPHMEM_PORT?"),
        (["migrate", "--check"], "GRAPHMEM_NEO4J_URI", "http://127.0.0.1", "bolt://"),
        (["ingest", "-"], "GRAPHMEM_CONFIG", "nowhere.toml", "does not exist"),
    ],
)
def test_a_bad_setting_ends_every_command_with_2_and_its_name(
    cli: Cli, command: list[str], name: str, value: str, said: str
) -> None:
    done = cli(*command, **{name: value})
    assert done.returncode == 2
    assert name in done.stderr
    assert said in done.stderr
    assert done.stdout == ""


def test_an_unknown_command_or_option_ends_with_2(cli: Cli) -> None:
    assert cli("fly").returncode == 2
    assert cli("serve", "--fast").returncode == 2


@pytest.mark.usefixtures("graphmem")
def test_the_schema_is_current_and_nothing_is_to_do(cli: Cli) -> None:
    checked = cli("migrate", "--check")
    assert (checked.returncode, checked.stdout.strip()) == (0, "The schema is current.")
    planned = cli("migrate", "--dry-run")
    assert (planned.returncode, planned.stdout.strip()) == (0, "The schema is current.")


def test_a_database_that_is_away_ends_with_6(cli: Cli) -> None:
    done = cli("migrate", "--check", GRAPHMEM_NEO4J_URI=f"bolt://127.0.0.1:{free_port()}")
    assert done.returncode == 6
    assert "does not answer" in done.stderr


def test_a_host_beyond_loopback_without_keys_is_refused_with_2(cli: Cli) -> None:
    done = cli("serve", GRAPHMEM_HOST="0.0.0.0")  # noqa: S104
    assert done.returncode == 2
    assert "GRAPHMEM_HOST" in done.stderr
    assert "GRAPHMEM_REQUIRE_KEY=true" in done.stderr


def test_ingest_without_a_service_ends_with_6(cli: Cli) -> None:
    done = cli("ingest", "-", "--url", f"http://127.0.0.1:{free_port()}", stdin=json.dumps(LINE))
    assert done.returncode == 6
    assert "graphmem serve" in done.stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([json.dumps(LINE), "{broken", json.dumps(LINE)], "line.2"),
        ([json.dumps(LINE), "", json.dumps(LINE | {"role": "robot"})], "line.3.role"),
    ],
)
def test_a_broken_transcript_ends_with_2_and_the_line(cli: Cli, service: Service, lines: list[str], said: str) -> None:
    agent = f"cli-{uuid4().hex}"
    done = cli("ingest", "-", "--agent", agent, stdin="\n".join(lines))
    assert done.returncode == 2
    assert said in done.stderr
    stored = httpx.get(f"{service.url}/api/sessions", headers={"X-Agent-Id": agent}).json()
    assert stored["items"] == [], "a transcript with a wrong line is not begun"


def test_a_file_that_cannot_be_read_ends_with_2_and_its_name(cli: Cli, folder: Path) -> None:
    done = cli("ingest", "nowhere.jsonl")
    assert done.returncode == 2
    assert "nowhere.jsonl" in done.stderr
    (folder / "latin.jsonl").write_bytes(json.dumps(LINE, ensure_ascii=False).replace("lamp", "lämp").encode("latin-1"))
    done = cli("ingest", "latin.jsonl")
    assert done.returncode == 2
    assert "UTF-8" in done.stderr


async def test_a_transcript_from_standard_input_can_be_recalled_when_the_command_ends(
    cli: Cli, service: Service
) -> None:
    # In a thread, so that the worker in this process, which may hold a lease, goes on too.
    await asyncio.to_thread(loaded_once_and_recalled, cli, service)


def loaded_once_and_recalled(cli: Cli, service: Service) -> None:
    agent = f"cli-{uuid4().hex}"
    lines = [
        LINE | {"messageId": "m1", "name": "Ädä", "createdAt": "2026-03-02T10:00:00+01:00"},
        LINE | {"messageId": "m2", "role": "assistant", "content": "Noted: PostgreSQL. 日本 😀"},
        LINE | {"messageId": "m1", "sessionId": "s2", "content": "lamp-service is owned by Ada."},
    ]
    transcript = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    first = cli("ingest", "-", "--agent", agent, stdin=transcript)
    assert first.returncode == 0, first.stderr
    assert first.stdout.strip() == "3 messages stored, 0 were there already, in 2 sessions."
    headers = {"X-Agent-Id": agent}
    with httpx.Client(base_url=service.url, headers=headers, timeout=30) as http:
        hits = http.post("/api/memory/recall", json={"query": "Who owns lamp-service?", "limit": 3}).json()["hits"]
        assert "owned by Ada" in hits[0]["text"]
        kept = http.get("/api/sessions/s1/messages").json()["items"]
        assert [message["content"] for message in kept] == [lines[0]["content"], lines[1]["content"]]
        assert kept[0]["name"] == "Ädä"
        counts = http.get("/api/status").json()["counts"]
    again = cli("ingest", "-", "--agent", agent, stdin=transcript)
    assert again.stdout.strip() == "0 messages stored, 3 were there already, in 2 sessions."
    assert httpx.get(f"{service.url}/api/status", headers=headers).json()["counts"] == counts


async def test_a_refusal_of_the_service_ends_with_its_code(cli: Cli, service: Service) -> None:
    # In a thread, so that the worker in this process, which may hold a lease, goes on too.
    await asyncio.to_thread(a_changed_message_is_refused, cli, service)


def a_changed_message_is_refused(cli: Cli, service: Service) -> None:
    agent = f"cli-{uuid4().hex}"
    assert cli("ingest", "-", "--agent", agent, stdin=json.dumps(LINE | {"messageId": "m"})).returncode == 0
    changed = json.dumps(LINE | {"messageId": "m", "content": "something else"})
    done = cli("ingest", "-", "--agent", agent, stdin=changed)
    assert done.returncode == 5
    assert "'m'" in done.stderr


def test_a_second_service_on_the_same_port_says_so_and_ends(cli: Cli, service: Service) -> None:
    done = cli("serve")
    assert done.returncode != 0
    assert str(httpx.URL(service.url).port) in done.stderr
    assert ready(service.url)


def test_a_killed_worker_is_replaced_and_its_work_is_done(cli: Cli, service: Service) -> None:
    until_it_holds(lambda: len(service.workers()) == 1)
    (worker,) = service.workers()
    worker.kill()
    until_it_holds(lambda: any(found.pid != worker.pid for found in service.workers()))
    assert ready(service.url)
    agent = f"cli-{uuid4().hex}"
    with httpx.Client(base_url=service.url, headers={"X-Agent-Id": agent}, timeout=30) as http:
        http.post("/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "Ada uses Rust."}]})
        job = http.post("/api/sessions/s/end").json()["jobId"]
        until_it_holds(lambda: http.get(f"/api/jobs/{job}").json()["status"] == "done")
    assert service.workers()[0].nice() > psutil.Process().nice(), "it gives way to those who ask"


def test_the_log_of_a_service_is_json_lines(service: Service) -> None:
    lines = [json.loads(line) for line in service.log.read_text().splitlines()]
    assert any(line["message"] == "request" for line in lines)
    assert all({"at", "level", "name", "message"} <= set(line) for line in lines)


def test_a_stopped_service_ends_all_it_started(settings: Settings, environ: dict[str, str], folder: Path) -> None:
    port = free_port()
    running = serving(environ | {"GRAPHMEM_PORT": str(port)}, folder, port)
    service = next(running)
    until_it_holds(lambda: len(service.workers()) == 1)
    family = psutil.Process(service.process.pid).children(recursive=True)
    assert not [one for one in family if "java" in one.name()], "no second Neo4j"
    service.process.send_signal(signal.SIGINT)
    code = service.process.wait()
    assert code in (0, 130), service.log.read_text()[-2000:]
    psutil.wait_procs(family)
    assert "Traceback" not in service.log.read_text()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{service.url}/healthz", timeout=2)
    running.close()


def test_a_service_that_was_killed_takes_its_workers_with_it(
    settings: Settings, environ: dict[str, str], folder: Path
) -> None:
    running = serving(environ, folder, free_port())
    service = next(running)
    until_it_holds(lambda: len(service.workers()) == 1)
    workers = service.workers()
    service.process.kill()
    service.process.wait()
    psutil.wait_procs(workers)
    running.close()
