"""The AOT cache for real: a server is trained, the next start uses what came of it, and no cache is an obstacle."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import neo4j
import psutil
import pytest

from graphmem.adapters import neo4j_aot
from graphmem.adapters.neo4j_java import java_program
from graphmem.adapters.neo4j_server import JAVA_CRASHED, ManagedServer, RunningServer
from graphmem.adapters.neo4j_training import train
from graphmem.settings import load_settings


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of its own with the jars of everyone: what is trained here is seen here only."""
    folder = tmp_path_factory.mktemp("cache")
    common = load_settings().cache_dir
    ManagedServer(folder, common).ensure_jars()
    (folder / "neo4j-jars").symlink_to(common / "neo4j-jars", target_is_directory=True)
    return folder


@pytest.fixture
def server(cache_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedServer]:
    server = ManagedServer(
        tmp_path_factory.mktemp("data"), cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0
    )
    yield server
    server.stop()


def answers(running: RunningServer) -> None:
    with neo4j.GraphDatabase.driver(running.uri, auth=(running.user, running.password)) as driver:
        driver.execute_query("RETURN 1", database_="neo4j")


def leftovers(cache_dir: Path) -> list[psutil.Process]:
    room = str(cache_dir / "neo4j-aot" / "training")
    return [p for p in psutil.process_iter(["cmdline"]) if any(room in word for word in p.info["cmdline"] or [])]


@pytest.mark.long
def test_a_damaged_cache_is_passed_over_in_silence(server: ManagedServer) -> None:
    file = server.aot.file(java_program())
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"no cache at all" * 1000)
    try:
        answers(server.start())
        assert not server.status().aot_in_use
        assert "aot" not in server.console_log.read_text()
    finally:
        file.unlink()


@pytest.mark.long
def test_a_crash_with_the_cache_costs_the_cache_and_not_the_start(
    server: ManagedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = server.aot.file(java_program())
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"the cause, for all we know")
    crash = ["-Xms6m", "-Xmx6m", "-XX:+CrashOnOutOfMemoryError", "-XX:-CreateCoredumpOnCrash"]
    monkeypatch.setattr(neo4j_aot, "using_arguments", lambda _: crash)
    answers(server.start())
    assert JAVA_CRASHED in server.console_log.with_suffix(".log.old").read_text()
    assert not file.exists()


@pytest.mark.long
def test_a_start_after_training_uses_the_cache_unless_it_is_damaged(server: ManagedServer, cache_dir: Path) -> None:
    assert server.aot_state() == "missing"
    file = train(cache_dir, answers)
    assert file is not None
    assert sorted(path.name for path in file.parent.iterdir()) == [".lock", file.name]
    assert not leftovers(cache_dir)
    assert server.aot_state() == "ready"
    running = server.start()
    answers(running)
    assert server.status().aot_in_use
    assert "aot" not in server.console_log.read_text()
    server.stop()

    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1  # one bit, where only a checksum sees it
    file.write_bytes(content)
    answers(server.start())
    assert not server.status().aot_in_use
    assert "aot" not in server.console_log.read_text()


class _Told(Exception):
    pass


@pytest.mark.long
def test_a_training_that_is_broken_off_leaves_nothing(cache_dir: Path) -> None:
    shutil.rmtree(cache_dir / "neo4j-aot", ignore_errors=True)
    others: list[Path | None] = []

    def break_off(running: RunningServer) -> None:
        other = threading.Thread(target=lambda: others.append(train(cache_dir, answers)))
        other.start()
        other.join()
        assert leftovers(cache_dir)
        raise _Told

    with pytest.raises(_Told):
        train(cache_dir, break_off)
    assert others == [None], "one at a time"
    assert not leftovers(cache_dir)
    assert [path.name for path in (cache_dir / "neo4j-aot").iterdir()] == [".lock"]
