"""Runs CPU-bound pure functions in separate processes: the threads of one process take turns."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import psutil

T = TypeVar("T")
MOST = 4
"""Most processes at a time, regardless of the number of processors: each takes about 130 MB."""
IDLE_S = 30.0
"""How long they stay idle before they end."""
CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_NO_SEMAPHORES = (ImportError, NotImplementedError)
"""What the pool raises where Python was built without semaphores, or the system has too few."""
log = logging.getLogger(__name__)


class Processes:
    """Runs functions in parallel, one for each usable processor and `MOST` at most. Cheap to create: the processes,
    shared by all callers, start with the first call, in about half a second, and end by themselves when idle, or once
    this process is gone."""

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises. *Shape*: it and its result can be pickled and are not part of the program's
        main module, and running it twice does no harm: where the system starts no process it runs in a thread, and so
        does all running work when the system kills a process, for its memory say."""
        try:
            future = _POOL.submit(work)
        except (OSError, BrokenProcessPool, *_NO_SEMAPHORES) as error:
            return await _here(work, error)
        try:
            return await asyncio.wrap_future(future)
        except BrokenProcessPool as error:
            return await _here(work, error)


def processors() -> int:
    """How many processors this process may use: those it is bound to, or the limit of its container."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = CPU_QUOTA.read_text().split()
        return max(1, min(bound, -(-int(quota) // int(period))))
    except (OSError, ValueError, ZeroDivisionError):  # no such file, or "max"
        return bound


class _Spawned(SpawnProcess):
    def start(self) -> None:
        """Hide the program's main module, which the new process would run again: a script that works at the top level
        would do it twice."""
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = main


class _Spawning(SpawnContext):
    Process = _Spawned


class _Pool:
    """The pool of processes for all threads; processes that were idle for `IDLE_S` end."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._executor: ProcessPoolExecutor | None = None
        # A separate lock: the executor calls back while it holds a lock that `submit` may wait for.
        self._counting = threading.Lock()
        self._under_way = 0
        self._ending: threading.Timer | None = None

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Submit work. Errors: OSError, ImportError, NotImplementedError, BrokenProcessPool where no process starts."""
        with self._lock:
            try:
                future = self._submitted(work)
            except BrokenProcessPool:  # one was killed since
                self.end()
                future = self._submitted(work)
            with self._counting:
                self._under_way += 1
                if self._ending:
                    self._ending.cancel()
        future.add_done_callback(self._done)
        return future

    def end(self) -> None:
        """End the processes after their current work; the next work gets new ones."""
        with self._lock:
            executor, self._executor = self._executor, None
            if executor:
                executor.shutdown(wait=False)

    def _submitted(self, work: Callable[[], T]) -> "Future[T]":
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                min(MOST, processors()), mp_context=_Spawning(), initializer=_begin, initargs=(os.getpid(),)
            )
        try:
            return self._executor.submit(work)
        except OSError:
            self.end()  # submitted work stays queued there although no process has started
            raise

    def _done(self, _: "Future[T]") -> None:
        with self._counting:
            self._under_way -= 1
            if not self._under_way:
                self._ending = threading.Timer(IDLE_S, self._end_idle)
                self._ending.daemon = True
                self._ending.start()

    def _end_idle(self) -> None:
        with self._lock:
            with self._counting:
                idle = not self._under_way
            if idle:
                self.end()


_POOL = _Pool()


def end_processes() -> None:
    """End the processes of all callers after their current work; the next work gets new ones."""
    _POOL.end()


async def _here(work: Callable[[], T], error: Exception) -> T:
    log.warning("no process for computing, it is done in a thread", extra={"why": f"{type(error).__name__}: {error}"})
    return await asyncio.to_thread(work)


def _begin(parent: int) -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal; only the parent ends these, also when it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(parent).wait()
    os._exit(1)
