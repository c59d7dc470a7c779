"""Commands of graphmem, each in a separate process that starts with everything imported: importing the modules takes a
second of processor time, and the tests run some sixty commands."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["api.cli", "graphmem.client"])


def run_command(
    arguments: Sequence[str], *, environ: Mapping[str, str], folder: Path, stdin: bytes = b""
) -> "subprocess.CompletedProcess[str]":
    """What `graphmem` does with these arguments, in this folder: its exit code and what it printed."""
    with tempfile.TemporaryDirectory() as streams:
        Path(streams, "0").write_bytes(stdin)
        process = _PROCESSES.Process(target=_carry_out, args=(list(arguments), dict(environ), str(folder), streams))
        process.start()
        try:
            process.join()
        finally:
            process.kill()
        assert process.exitcode is not None
        out, err = (Path(streams, number).read_text(encoding="utf-8") for number in ("1", "2"))
    return subprocess.CompletedProcess(list(arguments), process.exitcode, out, err)


def _carry_out(arguments: list[str], environ: dict[str, str], folder: str, streams: str) -> None:
    for number in (0, 1, 2):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
        os.dup2(os.open(Path(streams, str(number)), flags, 0o600), number)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - multiprocessing has closed the one there was
    sys.argv = ["graphmem", *arguments]
    from api.cli import main

    main()
