import asyncio
import contextlib
import operator
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from graphmem.adapters import processes
from graphmem.adapters.processes import MOST, Processes, processors

WITHIN_S = 120


def pid_once_all_are_here(folder: Path, count: int) -> int:
    (folder / str(os.getpid())).touch()
    until = time.monotonic() + WITHIN_S
    while len(list(folder.iterdir())) < count and time.monotonic() < until:
        time.sleep(0.02)
    return os.getpid()


def fatal_elsewhere(here: int) -> str:
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done here"


async def test_functions_run_at_the_same_time_in_processes_of_their_own(tmp_path: Path) -> None:
    count, run = min(MOST, processors()), Processes().run
    pids = await asyncio.gather(*(run(partial(pid_once_all_are_here, tmp_path, count)) for _ in range(count)))
    assert os.getpid() not in pids
    assert len(set(pids)) == count


def is_alive(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


async def test_what_a_function_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await Processes().run(partial(operator.truediv, 1, 0))


async def test_what_a_killed_process_was_to_do_is_done_here() -> None:
    assert await Processes().run(partial(fatal_elsewhere, os.getpid())) == "done here"
    assert await Processes().run(os.getpid) != os.getpid(), "and the next one has processes again"


@pytest.mark.parametrize("error", [ImportError, NotImplementedError])
async def test_where_the_system_has_no_semaphores_a_thread_does_it(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise error("too few semaphores")

    processes._POOL.end()
    monkeypatch.setattr(processes, "ProcessPoolExecutor", refused)
    assert await Processes().run(os.getpid) == os.getpid()


async def test_where_no_process_starts_a_thread_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stays queued that would be waited for."""
    processes._POOL.end()

    def refused(*_: object) -> None:
        raise OSError("no more processes")

    with monkeypatch.context() as patched:
        patched.setattr(processes._Spawned, "start", refused)
        assert await Processes().run(os.getpid) == os.getpid()
    assert await Processes().run(os.getpid) != os.getpid()


@pytest.mark.parametrize("killed", [False, True])
def test_idle_processes_end_also_when_who_started_them_was_killed(killed: bool) -> None:
    script = """
import asyncio, os, sys
from graphmem.adapters import processes
processes.IDLE_S = 1
print(asyncio.run(processes.Processes().run(os.getpid)), flush=True)
sys.stdin.read()
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as starter:
        try:
            assert starter.stdout
            pid = int(starter.stdout.readline())
            if killed:
                starter.kill()
                starter.wait()
            until = time.monotonic() + WITHIN_S
            while is_alive(pid):
                assert time.monotonic() < until, "the process is still there"
                time.sleep(0.1)
        finally:
            starter.kill()


def test_idle_processes_end_and_the_next_work_gets_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "IDLE_S", 0.1)
    first = asyncio.run(Processes().run(os.getpid))
    until = time.monotonic() + WITHIN_S
    while is_alive(first):
        assert time.monotonic() < until, "the process is still there"
        time.sleep(0.02)
    assert asyncio.run(Processes().run(os.getpid)) not in (first, os.getpid())


def test_a_script_without_a_guard_is_run_once(tmp_path: Path) -> None:
    """The standard library's own processes would run it again, and it would open the memory twice."""
    script = tmp_path / "script.py"
    script.write_text(
        """
import asyncio, os
from graphmem.adapters.processes import Processes
print("run")
assert asyncio.run(Processes().run(os.getpid)) != os.getpid()
"""
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=WITHIN_S)
    assert done.stdout == "run\n"


@pytest.mark.parametrize(("quota", "most"), [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 10**6)])
def test_a_container_is_given_no_more_processes_than_processors(
    quota: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(quota)
    monkeypatch.setattr(processes, "CPU_QUOTA", file)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)
    assert processors() == min(8, most)
