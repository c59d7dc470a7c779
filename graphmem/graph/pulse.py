"""The end of calls that wait for a database that does not answer."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

LOOK_EVERY_S = 1.0
"""How long a call waits before the database is asked whether it lives, and the pause between two such questions."""
ANSWERS_WITHIN_S = 1.9
MISSED = 2
"""Questions without an answer, one after the other, after which a database is stuck. One may be missed by a process
that was too busy to read the answer."""
SILENT_S = 2.5
"""How long at least the silence lasts, and a call has waited, before it is ended: a server that was killed refuses
questions at once."""


class Pulse:
    """Watches over calls, and asks the database for a sign of life while some of them wait.

    A call has a time limit of its own, of seconds to an hour. Where the database gives no sign of life it ends much
    earlier. `ask` returns when the database has answered, and raises when it does not.
    """

    def __init__(self, ask: Callable[[], Awaitable[None]]) -> None:
        self._ask = ask
        self._open: dict[asyncio.Timeout, float] = {}
        self._watching: asyncio.Task[None] | None = None
        self._due: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def over(self, limit_s: float) -> AsyncIterator[None]:
        """Watch over one call. Errors: TimeoutError after `limit_s`, or when the database is silent."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(limit_s) as limit:
            self._open[limit] = loop.time()
            if self._due is None and self._watching is None:
                self._due = loop.call_later(LOOK_EVERY_S, self._wake)
            try:
                yield
            finally:
                del self._open[limit]

    async def close(self) -> None:
        """Watch no longer."""
        if self._due:
            self._due.cancel()
        if self._watching:
            self._watching.cancel()
            await asyncio.wait([self._watching])

    def _wake(self) -> None:
        """Most calls are over by now; where one is not, the database is watched."""
        loop = asyncio.get_running_loop()
        self._due = None
        if not self._open:
            return
        waits_until = min(self._open.values()) + LOOK_EVERY_S
        if waits_until > loop.time():
            self._due = loop.call_at(waits_until, self._wake)
        else:
            self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        answered, missed = loop.time(), 0
        try:
            while self._open:
                try:
                    async with asyncio.timeout(ANSWERS_WITHIN_S):
                        await self._ask()
                    answered, missed = loop.time(), 0
                except Exception:  # noqa: BLE001 - whatever it is, there was no sign of life
                    missed += 1
                if missed >= MISSED and loop.time() - answered >= SILENT_S:
                    self._end_calls()
                await asyncio.sleep(LOOK_EVERY_S if not missed else 0.1)
        finally:
            self._watching = None

    def _end_calls(self) -> None:
        now = asyncio.get_running_loop().time()
        for limit, began in self._open.items():
            if now - began >= SILENT_S:
                with suppress(RuntimeError):  # it is ending already
                    limit.reschedule(now)
