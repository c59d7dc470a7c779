"""Chores: due at their interval or when asked for, one process at a time, each run kept with what it met."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast

import pytest

from graphmem.errors import DatabaseUnavailable, ModelUnavailable, NotFound
from graphmem.model.stored import ChoreRun
from graphmem.services.operation import chores as operation_chores
from graphmem.services.operation.chores import Chore, Chores
from graphmem.services.ports import Upkeep

NOW = datetime(2026, 5, 1, tzinfo=UTC)


class FakeUpkeep:
    """The book of runs, with its leases."""

    def __init__(self, *known: ChoreRun) -> None:
        self.known = {run.name: run for run in known}
        self.held: dict[str, str] = {}
        self.away = False
        self.renewed = asyncio.Event()
        self.refused = asyncio.Event()

    async def chore_runs(self, names: Sequence[str]) -> dict[str, ChoreRun]:
        if self.away:
            raise DatabaseUnavailable("away")
        return {name: self.known.get(name, ChoreRun(name)) for name in names}

    async def take_chore(self, run: ChoreRun, holder: str, now: datetime, seconds: float) -> bool:
        free = run.name not in self.held and self.known.get(run.name, ChoreRun(run.name)).runs == run.runs
        if free:
            self.held[run.name] = holder
        return free

    async def take_lease(self, name: str, holder: str, now: datetime, seconds: float) -> bool:
        if self.away:
            self.refused.set()
            raise DatabaseUnavailable("away")
        self.renewed.set()
        return self.held.get(name) == holder

    async def release_lease(self, name: str, holder: str) -> None:
        if self.held.get(name) == holder:
            del self.held[name]

    async def chore_done(self, name: str, holder: str, started: datetime, now: datetime, error: str | None) -> None:
        known = self.known.get(name, ChoreRun(name))
        self.known[name] = replace(known, runs=known.runs + 1, last_run=now, wanted_at=None, error=error)
        del self.held[name]

    async def want_chore(self, name: str, now: datetime) -> None:
        self.known[name] = replace(self.known.get(name, ChoreRun(name)), wanted_at=now)


class Steps:
    """A chore's step that has so many parts, or fails."""

    def __init__(self, parts: int = 1, error: Exception | None = None) -> None:
        self.parts = parts
        self.error = error
        self.taken = 0

    async def __call__(self) -> bool:
        await asyncio.sleep(0)
        self.taken += 1
        if self.error:
            raise self.error
        return self.taken < self.parts


def chores(
    upkeep: FakeUpkeep, step: Callable[[], Awaitable[bool]], interval_s: float = 60, lease_s: float = 30
) -> Chores:
    return Chores(cast(Upkeep, upkeep), [Chore("sweep", interval_s, step)], lambda: NOW, lease_s)


async def look_once(one: Chores, holder: str = "w1") -> None:
    """One look at what is due, carried out to its end: it is stopped when it waits for the next look, once all that it
    began is over."""
    over: list[asyncio.Event] = []
    carry_out = one.carry_out

    def noted(name: str, holder: str, stop: asyncio.Event) -> Coroutine[Any, Any, None]:
        ended = asyncio.Event()
        over.append(ended)

        async def carried_out() -> None:
            await carry_out(name, holder, stop)
            ended.set()

        return carried_out()

    class Stop(asyncio.Event):
        async def wait(self) -> Literal[True]:
            for ended in over:
                await ended.wait()
            self.set()
            return True

    one.carry_out = noted  # type: ignore[method-assign]
    await one.run(Stop(), holder)


@pytest.fixture(autouse=True)
def only_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a test takes, no second look comes."""
    monkeypatch.setattr(operation_chores, "LOOK_S", 3_600)


@pytest.mark.parametrize(
    ("interval_s", "last_run_s", "wanted", "runs"),
    [
        (60, None, False, True),
        (60, 60, False, True),
        (60, 59, False, False),
        (60, 59, True, True),
        (0, None, False, False),
        (0, 9999, False, False),
        (0, None, True, True),
    ],
)
async def test_a_chore_is_due_at_its_interval_or_when_it_is_asked_for(
    interval_s: float, last_run_s: float | None, wanted: bool, runs: bool
) -> None:
    last_run = None if last_run_s is None else NOW - timedelta(seconds=last_run_s)
    upkeep = FakeUpkeep(ChoreRun("sweep", runs=0 if last_run is None else 1, last_run=last_run))
    step = Steps()
    one = chores(upkeep, step, interval_s)
    if wanted:
        await one.start("sweep")
    await look_once(one)
    assert step.taken == runs
    assert upkeep.held == {}


async def test_a_chore_is_done_to_its_end_in_one_run() -> None:
    upkeep, step = FakeUpkeep(), Steps(parts=5)
    await look_once(chores(upkeep, step))
    assert (step.taken, upkeep.known["sweep"].runs) == (5, 1)


async def test_two_processes_that_look_at_once_do_it_once() -> None:
    upkeep, step = FakeUpkeep(), Steps(parts=3)
    one, other = chores(upkeep, step), chores(upkeep, step)
    await asyncio.gather(look_once(one, "w1"), look_once(other, "w2"))
    assert (step.taken, upkeep.known["sweep"].runs) == (3, 1)


@pytest.mark.parametrize(
    ("error", "said"),
    [(ModelUnavailable("The model is away."), "model_unavailable: The model"), (ValueError("odd"), "ValueError: odd")],
)
async def test_an_error_is_kept_with_the_run_and_gone_after_the_next_good_one(error: Exception, said: str) -> None:
    upkeep = FakeUpkeep()
    await look_once(chores(upkeep, Steps(error=error)))
    (run,) = await chores(upkeep, Steps()).runs()
    assert run.error is not None
    assert run.error.startswith(said)
    assert (run.last_run, run.next_run) == (NOW, NOW + timedelta(seconds=60))
    again = chores(upkeep, Steps())
    await again.start("sweep")
    await look_once(again)
    assert (await again.runs())[0].error is None


async def test_one_who_lost_the_lease_stops_and_notes_nothing() -> None:
    upkeep = FakeUpkeep()

    async def slow() -> bool:
        upkeep.held["sweep"] = "w2"
        return True

    await look_once(chores(upkeep, slow))
    assert "sweep" not in upkeep.known


async def test_the_lease_is_renewed_while_a_step_takes_its_time_even_after_an_absence_of_the_database() -> None:
    upkeep = FakeUpkeep()

    async def long() -> bool:
        upkeep.away = True
        await asyncio.wait_for(upkeep.refused.wait(), 60)
        upkeep.away = False
        for _ in range(3):
            upkeep.renewed.clear()
            await asyncio.wait_for(upkeep.renewed.wait(), 60)
        return False

    await chores(upkeep, long, lease_s=0.03).carry_out("sweep", "w1", asyncio.Event())
    assert (upkeep.known["sweep"].runs, upkeep.known["sweep"].error) == (1, None)


@pytest.mark.parametrize("more", [True, False])
async def test_one_who_lost_the_lease_within_a_step_notes_nothing_and_takes_no_further(more: bool) -> None:
    upkeep, taken = FakeUpkeep(), []

    async def overtaken() -> bool:
        upkeep.held["sweep"] = "w2"
        upkeep.renewed.clear()
        await asyncio.wait_for(upkeep.renewed.wait(), 60)
        taken.append(1)
        return more

    await chores(upkeep, overtaken, lease_s=0.03).carry_out("sweep", "w1", asyncio.Event())
    assert (len(taken), upkeep.known, upkeep.held) == (1, {}, {"sweep": "w2"})


async def test_what_a_stop_broke_off_was_not_done_and_the_next_process_goes_on() -> None:
    upkeep, stop = FakeUpkeep(), asyncio.Event()
    step = Steps(parts=3)

    async def stopped_within() -> bool:
        stop.set()
        return await step()

    await chores(upkeep, Steps()).start("sweep")
    await chores(upkeep, stopped_within, interval_s=0).carry_out("sweep", "w1", stop)
    assert upkeep.known["sweep"] == ChoreRun("sweep", wanted_at=NOW), "it was asked for, and is still to be done"
    await look_once(chores(upkeep, step, interval_s=0), "w2")
    assert step.taken == 3
    assert (upkeep.known["sweep"].runs, upkeep.known["sweep"].wanted_at) == (1, None)


async def test_a_stop_within_the_last_part_leaves_nothing_undone() -> None:
    upkeep, stop = FakeUpkeep(), asyncio.Event()

    async def last() -> bool:
        stop.set()
        return False

    await chores(upkeep, last).carry_out("sweep", "w1", stop)
    assert upkeep.known["sweep"].runs == 1


async def test_a_database_that_is_away_is_waited_for() -> None:
    upkeep, step = FakeUpkeep(), Steps()
    upkeep.away = True
    await look_once(chores(upkeep, step))
    upkeep.away = False
    await look_once(chores(upkeep, step))
    assert step.taken == 1


async def test_stopping_waits_for_the_part_that_was_begun() -> None:
    upkeep = FakeUpkeep()
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def endless() -> bool:
        begun.set()
        await may_end.wait()
        return True

    stop = asyncio.Event()
    running = asyncio.create_task(chores(upkeep, endless).run(stop, "w1"))
    await begun.wait()
    stop.set()
    for _ in range(20):  # turns of the loop, in which it would end if it did not wait
        await asyncio.sleep(0)
    assert not running.done()
    may_end.set()
    await asyncio.wait_for(running, 60)
    assert upkeep.held == {}, "else the next process waits for the lease to end"


async def test_an_unknown_chore_is_refused_with_those_there_are() -> None:
    with pytest.raises(NotFound, match="sweep"):
        await chores(FakeUpkeep(), Steps()).start("swep")
