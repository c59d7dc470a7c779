import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from graphmem.adapters import neo4j_process as processes
from graphmem.adapters.neo4j_conf import MAIN_CLASS, home_arguments


@pytest.fixture
def impostor(tmp_path: Path) -> Iterator[psutil.Process]:
    """A process with the command line of a server, without a server."""
    sleep = "import time; time.sleep(600)"
    command = [sys.executable, "-c", sleep, MAIN_CLASS, *home_arguments(tmp_path)]
    process = processes.launch(command, tmp_path, tmp_path / "console.log")
    assert process is not None
    until(lambda: processes.is_server(process, tmp_path))
    yield process
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()
    until(lambda: not processes.is_server(process, tmp_path))


def until(condition: Callable[[], object], timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_remembered_process_is_found(impostor: psutil.Process, tmp_path: Path) -> None:
    assert processes.find_process(tmp_path, impostor.pid, impostor.create_time()) == impostor


def test_a_process_no_one_remembers_is_found(impostor: psutil.Process, tmp_path: Path) -> None:
    assert processes.find_process(tmp_path, None, None) == impostor
    assert processes.find_process(tmp_path, os.getpid(), psutil.Process().create_time()) == impostor


def test_a_number_used_again_is_not_taken_for_the_server(tmp_path: Path) -> None:
    assert processes.find_process(tmp_path, os.getpid(), psutil.Process().create_time()) is None


def test_a_launched_process_is_in_a_session_of_its_own(impostor: psutil.Process) -> None:
    assert os.getsid(impostor.pid) == impostor.pid != os.getsid(0)


def test_a_process_that_ended_leaves_no_zombie(impostor: psutil.Process, tmp_path: Path) -> None:
    impostor.kill()
    until(lambda: not psutil.pid_exists(impostor.pid))
    assert processes.find_process(tmp_path, impostor.pid, impostor.create_time()) is None


def test_a_zombie_is_no_server(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "", MAIN_CLASS, *home_arguments(tmp_path)])
    process = psutil.Process(child.pid)
    until(lambda: process.status() == psutil.STATUS_ZOMBIE)
    assert not processes.is_server(process, tmp_path)
    child.wait()


def listener(address: str = "127.0.0.1") -> socket.socket:
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Neo4j does
    taken.bind((address, 0))
    taken.listen()
    return taken


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])  # noqa: S104
def test_a_taken_port_is_passed_over(address: str) -> None:
    with listener(address) as taken, listener() as other:
        port = taken.getsockname()[1]
        assert not processes.is_free(port)
        assert processes.choose_port(0, port) not in (0, port)
        free = processes.choose_port(None)
        assert processes.choose_port(other.getsockname()[1], free) == free
        assert processes.choose_port(free, but_not=free) != free


def test_a_port_is_free_again_while_its_old_connections_linger() -> None:
    with listener() as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            server.accept()[0].close()
    assert processes.is_free(port)


def test_a_port_about_to_be_released_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with listener() as server:
        port = server.getsockname()[1]
        assert not processes.becomes_free(port, within_s=0)
        monkeypatch.setattr(processes.time, "sleep", lambda _: server.close())
        assert processes.becomes_free(port, within_s=60)


def test_who_listens_is_known_by_process(impostor: psutil.Process) -> None:
    with listener() as mine:
        assert processes.listens(psutil.Process(), mine.getsockname()[1])
        assert not processes.listens(impostor, mine.getsockname()[1])


@pytest.mark.parametrize(
    ("reply", "is_bolt"),
    [(bytes([0, 0, 8, 5]), True), (bytes(4), False), (b"HTTP", False), (b"\0\0", False), (b"", False)],
)
def test_only_a_bolt_answer_counts(reply: bytes, is_bolt: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "ANSWER_S", 60)
    with listener() as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(64)
                connection.sendall(reply)

        thread = threading.Thread(target=answer)
        thread.start()
        assert processes.answers_bolt(server.getsockname()[1]) is is_bolt
        thread.join()


def test_nobody_there_is_no_answer() -> None:
    assert not processes.answers_bolt(processes.choose_port(None))
