"""A service of our own for a measurement: on empty data and a free port, gone afterwards."""

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from graphmem.errors import ServerFailed

READY_WITHIN_S = 600.0
"""A first start fetches the database; a warm one takes seconds."""
STOP_WITHIN_S = 60.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Service:
    """A running service: its address, its first process, and the folder with everything it keeps."""

    url: str
    pid: int
    data_dir: Path

    def processes(self) -> list[psutil.Process]:
        """The first process, its descendants, and whatever else works on its folder (a detached database)."""
        first = psutil.Process(self.pid)
        family = {process.pid: process for process in (first, *first.children(recursive=True))}
        return [*family.values(), *_working_on(self.data_dir, besides=family)]


@contextmanager
def running_service(data_dir: Path | None = None, settings: Mapping[str, str] | None = None) -> Iterator[Service]:
    """A service of our own on a free port and empty data: ready when handed out, stopped by SIGINT.

    `data_dir`: data to go on with instead. `settings`: further ones, as environment variables.
    *Errors*: `ServerFailed` with the last lines of its log when it does not become ready.
    """
    with tempfile.TemporaryDirectory(prefix="graphmem-service-", ignore_cleanup_errors=True) as folder:
        port = _free_port()
        service_log = Path(folder) / "serve.log"
        data_dir = data_dir or Path(folder) / "data"
        data_dir.mkdir(exist_ok=True)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_NEO4J_")},
            "GRAPHMEM_DATA_DIR": str(data_dir),
            "GRAPHMEM_HOST": "127.0.0.1",
            "GRAPHMEM_REQUIRE_KEY": "false",
            "GRAPHMEM_AOT_CACHE": "use",  # nothing is trained meanwhile
            **(settings or {}),
        }
        with service_log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "api.cli", "serve", "--port", str(port)],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that Ctrl-C reaches the service once, from us
            )
        service = Service(f"http://127.0.0.1:{port}", process.pid, data_dir)
        try:
            _wait_until_ready(service, process, service_log)
            yield service
        finally:
            _stop(process, data_dir)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(service: Service, process: "subprocess.Popen[bytes]", output: Path) -> None:
    give_up_at = time.monotonic() + READY_WITHIN_S
    reason = "it was not ready in time"
    with httpx.Client(base_url=service.url, timeout=5.0, trust_env=False) as client:
        while time.monotonic() < give_up_at:
            if process.poll() is not None:
                reason = f"it ended with {process.returncode}"
                break
            try:
                if client.get("/readyz").is_success:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.25)
    tail = output.read_text(encoding="utf-8", errors="replace").splitlines()[-20:]
    raise ServerFailed("\n".join([f"the service did not start: {reason}", *tail]))


def _stop(process: "subprocess.Popen[bytes]", data_dir: Path) -> None:
    """SIGINT as a person would; what is left of it, by its own folder, is ended after that."""
    family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_WITHIN_S)
    except subprocess.TimeoutExpired:
        log.warning("the service did not stop in time and is ended", extra={"within_s": STOP_WITHIN_S})
        process.terminate()
    rest = {child.pid: child for child in (*family, *_working_on(data_dir)) if child.is_running()}
    for child in rest.values():
        _signal(child, signal.SIGTERM)
    _, alive = psutil.wait_procs(list(rest.values()), timeout=20)
    for child in alive:
        _signal(child, signal.SIGKILL)
    if process.poll() is None:
        process.kill()
        process.wait()


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return


def _working_on(data_dir: Path, besides: Mapping[int, object] | None = None) -> list[psutil.Process]:
    """Processes that name the folder on their command line: it is ours alone, so they are too."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        named = any(str(data_dir) in word for word in process.info["cmdline"] or ())
        if named and process.pid not in (besides or {}) and process.pid != os.getpid():
            found.append(process)
    return found
