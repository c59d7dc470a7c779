"""Periodic maintenance: each chore at its interval, by one process at a time, its runs stored in the graph."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.errors import DatabaseUnavailable, GraphmemError, NotFound
from graphmem.model.answers import UpkeepRun
from graphmem.model.stored import ChoreRun
from graphmem.services.operation.leases import kept
from graphmem.services.ports import Clock, Upkeep

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Seconds between two checks of what is due."""


@dataclass(frozen=True)
class Chore:
    """`step` does a bounded part and returns whether there is more; a part done twice, or by two at once, does no harm.
    An interval of 0 seconds: only on request."""

    name: str
    interval_s: float
    step: Callable[[], Awaitable[bool]]


class Chores:
    """All chores of the service. `lease_s` is how long others wait for a process that was killed during one."""

    def __init__(self, upkeep: Upkeep, chores: Sequence[Chore], clock: Clock, lease_s: float) -> None:
        self._upkeep = upkeep
        self._chores: Mapping[str, Chore] = {chore.name: chore for chore in chores}
        self._clock = clock
        self._lease_s = lease_s

    async def runs(self) -> tuple[UpkeepRun, ...]:
        """The last run of each chore, and when it is next due; null: at once, or, where the interval is 0, on
        request."""
        known = await self._upkeep.chore_runs(list(self._chores))
        return tuple(self._told(chore, known[chore.name]) for chore in self._chores.values())

    def _told(self, chore: Chore, run: ChoreRun) -> UpkeepRun:
        return UpkeepRun(
            name=chore.name,
            interval_s=chore.interval_s,
            last_run=run.last_run,
            next_run=_due_at(chore, run, self._clock()) if run.last_run or run.wanted_at else None,
            error=run.error,
        )

    async def start(self, name: str) -> UpkeepRun:
        """Make a chore due at once; the next worker that checks does it. Errors: NotFound lists the chores."""
        if name not in self._chores:
            raise NotFound(f"There is no chore {name!r}; there are {', '.join(self._chores)}.")
        await self._upkeep.want_chore(name, self._clock())
        return next(run for run in await self.runs() if run.name == name)

    async def run(self, stop: asyncio.Event, holder: str) -> None:
        """Do what is due until `stop` is set. A long chore does not delay others."""
        at_work: dict[str, asyncio.Task[None]] = {}
        try:
            while not stop.is_set():
                with contextlib.suppress(DatabaseUnavailable):
                    for name in await self._due():
                        if name not in at_work or at_work[name].done():
                            at_work[name] = asyncio.create_task(self.carry_out(name, holder, stop))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), LOOK_S)
        finally:
            await asyncio.gather(*at_work.values(), return_exceptions=True)

    async def carry_out(self, name: str, holder: str, stop: asyncio.Event) -> None:
        """Do a chore to its end unless another process does; its error is stored with it. A chore that `stop`
        interrupted stays due."""
        started = self._clock()
        try:
            run = (await self._upkeep.chore_runs([name]))[name]
            if not await self._upkeep.take_chore(run, holder, started, self._lease_s):
                return
        except DatabaseUnavailable:  # it is still due
            return
        error: str | None = None
        ended = False
        async with kept(lambda: self._renew(name, holder), self._lease_s) as lost:
            try:
                ended = await self._to_its_end(name, holder, stop, lost)
            except GraphmemError as met:
                error = f"{met.code}: {met}"
            except Exception as met:  # noqa: BLE001 - after any error of a chore the worker continues and records why
                error = f"{type(met).__name__}: {met}"
        if lost.is_set():
            log.warning("chore lost its lease", extra={"chore": name})
            return  # another process does it, and records the result
        if error:
            log.warning("chore failed", extra={"chore": name, "error": error.split(":")[0]})
        with contextlib.suppress(DatabaseUnavailable):  # the lease expires, and the chore is due again
            if ended or error:
                await self._upkeep.chore_done(name, holder, started, self._clock(), error and error[:2000])
            else:  # stopped: the next process that checks continues
                await self._upkeep.release_lease(name, holder)

    async def _to_its_end(self, name: str, holder: str, stop: asyncio.Event, lost: asyncio.Event) -> bool:
        """Step by step; False where it was stopped, or lost its lease, before the last."""
        while not (stop.is_set() or lost.is_set()):
            if not await self._chores[name].step():
                return True
            if not await self._renew(name, holder):
                lost.set()
        return False

    async def _renew(self, name: str, holder: str) -> bool:
        return await self._upkeep.take_lease(name, holder, self._clock(), self._lease_s)

    async def _due(self) -> list[str]:
        now = self._clock()
        known = await self._upkeep.chore_runs(list(self._chores))
        due_at = {name: _due_at(chore, known[name], now) for name, chore in self._chores.items()}
        return [name for name, at in due_at.items() if at is not None and at <= now]


def _due_at(chore: Chore, run: ChoreRun, now: datetime) -> datetime | None:
    if run.wanted_at is not None:
        return min(run.wanted_at, now)  # the requester's clock may be ahead of ours
    if not chore.interval_s:
        return None
    return now if run.last_run is None else run.last_run + timedelta(seconds=chore.interval_s)
