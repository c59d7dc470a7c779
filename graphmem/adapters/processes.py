"""Pure functions that keep a processor busy, carried out in processes of their own: the threads of one process take
turns."""

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

import psutil

T = TypeVar("T")
MOST = 4
"""Processes at a time, however many processors there are: each takes about 130 MB."""
IDLE_S = 30
"""How long they wait for more before they end."""
_NO_SEMAPHORES = (ImportError, NotImplementedError)
"""What loky raises where Python was built without semaphores, or the system has fewer than it needs."""
log = logging.getLogger(__name__)


class Processes:
    """Carries out functions at the same time, one for each processor it may use and `MOST` at most. Cheap to make: the
    processes, shared by all who ask in one thread, start with the first call, in about half a second, and end by
    themselves when idle, or once this process is gone."""

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises. *Shape*: it, and what it returns, can be pickled, and done twice it does no
        harm: where the system starts no process it is done in a thread, and so is all that was under way when it killed
        one, for its memory say."""
        try:
            future = _submitted(work)
        except (OSError, *_NO_SEMAPHORES) as error:
            return await _here(work, error)
        from loky.process_executor import BrokenProcessPool, ShutdownExecutorError

        try:
            return await asyncio.wrap_future(future)
        except (BrokenProcessPool, ShutdownExecutorError) as error:
            return await _here(work, error)


def _submitted(work: Callable[[], T]) -> "Future[T]":
    from loky import cpu_count, get_reusable_executor  # not before it is asked for: most services never do

    most = min(MOST, cpu_count())
    executor = get_reusable_executor(most, timeout=IDLE_S, initializer=_begin, initargs=(os.getpid(),))
    try:
        future: Future[T] = executor.submit(work)
    except OSError:
        # What was submitted stays queued though no process has started, and would be waited for at exit.
        executor.shutdown(wait=False, kill_workers=True)
        raise
    return future


async def _here(work: Callable[[], T], error: Exception) -> T:
    log.warning("no process for computing, it is done in a thread", extra={"why": f"{type(error).__name__}: {error}"})
    return await asyncio.to_thread(work)


def _begin(parent: int) -> None:
    """Ctrl-C reaches all processes of a terminal; only the one that asked these ends them, also where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(parent).wait()
    os._exit(1)
