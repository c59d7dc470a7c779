"""`graphmem serve` as a process, for the tests that check it from outside."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import httpx
import psutil

from graphmem.settings import load_settings
from tests.waiting import until_it_holds

GRAPHMEM = str(Path(sys.executable).with_name("graphmem"))
Cli = Callable[..., "subprocess.CompletedProcess[str]"]
"""Gives a command and answers how it ended."""


class Service:
    """A `graphmem serve` with its address and its error output."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, log: Path) -> None:
        self.process = process
        self.url = url
        self.log = log

    def workers(self) -> list[psutil.Process]:
        """Its living worker processes."""
        found = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in found if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


def serving(environ: dict[str, str], folder: Path, port: int) -> Iterator[Service]:
    """A service at this port, ready; it is stopped when the test goes on."""
    log = folder / f"serve-{port}.log"
    with log.open("w") as errors:
        given = environ | {"GRAPHMEM_PORT": str(port)}
        process = subprocess.Popen([GRAPHMEM, "serve"], cwd=folder, env=given, stderr=errors, text=True)
        url = f"http://127.0.0.1:{port}"
        try:
            until_it_holds(lambda: process.poll() is not None or ready(url))
            assert process.poll() is None, log.read_text()
            yield Service(process, url, log)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


@cache
def asking() -> httpx.Client:
    """A client for what is asked over and over: each new one reads all certificates."""
    return httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))


def ready(url: str) -> bool:
    try:
        return asking().get(f"{url}/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def outside_environment(server_settings: dict[str, str], data_dir: Path, **more: str) -> dict[str, str]:
    """The environment of a process over the server of this run: nothing of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
    ours = {"GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir), "GRAPHMEM_DATA_DIR": str(data_dir), "NO_COLOR": "1"}
    return kept | server_settings | ours | more
