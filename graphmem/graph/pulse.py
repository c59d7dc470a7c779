"""The end of calls that wait for a database that does not answer."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

LOOK_AFTER_S = 1.0
"""How long a call waits before the database is asked for a sign of life."""
TICK_S = 0.25
SILENT_TICKS = 12
"""How long a question may be without an answer, in ticks: a process that was too busy to read the answer has missed one
tick, however long that took."""


class Pulse:
    """Watches over calls, and asks the database for a sign of life while some of them wait.

    A call has a time limit of its own, of seconds to an hour. Where the database gives no sign of life it ends much
    earlier. `ask` returns when the database has answered, and raises when it does not.
    """

    def __init__(self, ask: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._ask = ask
        self._open: dict[asyncio.Timeout, float] = {}
        self._watching: asyncio.Task[None] | None = None
        self._question: asyncio.Task[None] | None = None
        """It may outlast the calls: to break it off would close its connection, and a busy server would have to make
        another one."""
        self._due: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def over(self, limit_s: float) -> AsyncIterator[None]:
        """Watch over one call. Errors: TimeoutError after `limit_s`, or when the database is silent."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(limit_s) as limit:
            self._open[limit] = loop.time()
            if self._due is None and self._watching is None:
                self._due = loop.call_later(LOOK_AFTER_S, self._wake)
            try:
                yield
            finally:
                del self._open[limit]

    async def close(self) -> None:
        """Watch no longer."""
        if self._due:
            self._due.cancel()
        for task in filter(None, (self._watching, self._question)):
            task.cancel()
            await asyncio.wait([task])

    def _wake(self) -> None:
        """Most calls are over by now; where one is not, the database is watched."""
        loop = asyncio.get_running_loop()
        self._due = None
        if not self._open:
            return
        waits_until = min(self._open.values()) + LOOK_AFTER_S
        if waits_until > loop.time():
            self._due = loop.call_at(waits_until, self._wake)
        else:
            self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        silent = 0
        try:
            while self._open:
                self._question = self._question or asyncio.create_task(self._ask())
                await asyncio.sleep(TICK_S)
                silent += 1
                if self._question.done():
                    silent = 0 if self._question.exception() is None else silent
                    self._question = None
                if silent >= SILENT_TICKS:
                    self._end_calls()
        finally:
            self._watching = None

    def _end_calls(self) -> None:
        now = asyncio.get_running_loop().time()
        for limit, began in self._open.items():
            if now - began >= SILENT_TICKS * TICK_S:
                with suppress(RuntimeError):  # it is ending already
                    limit.reschedule(now)
