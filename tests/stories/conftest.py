"""One `graphmem serve` for all stories that need no service of their own, and the command line beside it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.settings import Settings
from tests.commands import run_command
from tests.service import Cli, Service, free_port, outside_environment, serving


@pytest.fixture(scope="package")
def port() -> int:
    return free_port()


@pytest.fixture(scope="package")
def environ(server_settings: dict[str, str], port: int, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outside_environment(
        server_settings, tmp_path_factory.mktemp("cli"), GRAPHMEM_PORT=str(port), GRAPHMEM_JOB_POLL_MS="100"
    )


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory without a graphmem.toml."""
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="package")
def service(settings: Settings, environ: dict[str, str], folder: Path, port: int) -> Iterator[Service]:
    yield from serving(environ, folder, port)


@pytest.fixture
def cli(environ: dict[str, str], folder: Path) -> Cli:
    def call(*arguments: str, stdin: str | bytes = "", **changes: str) -> "subprocess.CompletedProcess[str]":
        sent = stdin.encode() if isinstance(stdin, str) else stdin
        done = run_command(arguments, environ=environ | changes, folder=folder, stdin=sent)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return call
