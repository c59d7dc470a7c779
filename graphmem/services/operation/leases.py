"""Leases that last as long as the work they are for."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from graphmem.errors import DatabaseUnavailable

log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def kept(renew: Callable[[], Awaitable[bool]], lease_s: float) -> AsyncIterator[asyncio.Event]:
    """Renews the lease in time while the body runs. The event is set once `renew` reports that another process has it;
    the body continues, and what it does then must do no harm."""
    lost = asyncio.Event()
    keeper = asyncio.create_task(_keep(renew, lease_s / 3, lost))
    try:
        yield lost
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)


async def _keep(renew: Callable[[], Awaitable[bool]], every_s: float, lost: asyncio.Event) -> None:
    while not lost.is_set():
        await asyncio.sleep(every_s)
        try:
            if not await renew():
                lost.set()
        except DatabaseUnavailable as error:  # it may be back before the lease is over
            log.warning("lease not renewed", extra={"error": error.code})
