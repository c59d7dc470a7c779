"""Pure functions that keep a processor busy, carried out in processes of their own: the threads of one process take
turns."""

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

import psutil

T = TypeVar("T")
MOST = 4
"""Processes at a time, however many processors there are: each takes about 130 MB."""
IDLE_S = 30
"""How long they wait for more before they end."""
log = logging.getLogger(__name__)


class Processes:
    """Carries out functions at the same time, one for each processor and `MOST` at most. Cheap to make: the processes,
    shared by all who ask in this one, start with the first call, in about half a second, and end by themselves when
    idle, or once this one is gone."""

    def __init__(self) -> None:
        self._count = min(MOST, os.cpu_count() or 1)

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises. *Shape*: it, and what it returns, can be pickled, and done twice it does no
        harm: where the system starts no process or kills it, for its memory say, it is done in a thread."""
        from loky import get_reusable_executor  # not before it is asked for: most services never do

        try:
            executor = get_reusable_executor(self._count, timeout=IDLE_S, initializer=_begin, initargs=(os.getpid(),))
            return await asyncio.get_running_loop().run_in_executor(executor, work)
        except (BrokenProcessPool, OSError) as error:
            log.warning("no process for computing, it is done in a thread", extra={"why": str(error)})
            return await asyncio.to_thread(work)


def _begin(parent: int) -> None:
    """Ctrl-C reaches all processes of a terminal; only the one that asked these ends them, also where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(parent).wait()
    os._exit(1)
