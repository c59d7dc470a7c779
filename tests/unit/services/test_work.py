"""The worker: what it does with a job that works, fails, or meets a database that is away."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from graphmem.errors import DatabaseUnavailable, NotFound
from graphmem.model.stored import ChoreRun, LeasedJob, WaitingText
from graphmem.rules.keeping.paging import LAST_ID
from graphmem.services.knowledge.learning import Learning, ReadResult
from graphmem.services.knowledge.sweeping import KIND, Sweeping, SweepMark
from graphmem.services.operation.chores import Chores
from graphmem.services.operation.work import ATTEMPTS, Worker, WorkSettings
from graphmem.services.ports import Embedder, Jobs, Upkeep

NOW = datetime(2026, 5, 1, tzinfo=UTC)


class FakeJobs:
    """Hands out the jobs it was given, once, and records what became of them."""

    def __init__(self, *jobs: LeasedJob, away: int = 0) -> None:
        self.waiting = list(jobs)
        self.away = away
        self.finished: list[tuple[str, object]] = []
        self.failed: list[tuple[str, str, bool, timedelta]] = []
        self.asked = 0
        self.noted: list[object] = []

    async def lease(self, holder: str, now: datetime, lease_s: float, besides: str | None = None) -> LeasedJob | None:
        self.asked += 1
        if self.asked <= self.away:
            raise DatabaseUnavailable("away")
        found = next((one for one in self.waiting if one.kind != besides), None)
        if found:
            self.waiting.remove(found)
        return found

    async def extend(
        self, job: LeasedJob, holder: str, until: datetime, progress: float, input_: object = None
    ) -> bool:
        if input_ is not None:
            self.noted.append(input_)
        return True

    async def finish(self, job: LeasedJob, holder: str, result: object, now: datetime) -> None:
        self.finished.append((job.id, result))

    async def fail(
        self, job: LeasedJob, holder: str, error: str, *, parked: bool, now: datetime, again_at: datetime
    ) -> None:
        self.failed.append((job.id, error, parked, again_at - now))


class FakeSweeping:
    """Four steps, each of which retires one fact."""

    async def step(self, agent_id: str, mark: SweepMark) -> SweepMark | None:
        at = 4 if mark.before == LAST_ID else int(mark.before)
        return SweepMark(str(at - 1), mark.left, mark.retired + 1, mark.proposed) if at else None


class FakeUpkeep:
    """One lease book, and texts that wait for vectors."""

    def __init__(self, texts: Sequence[WaitingText] = ()) -> None:
        self.leases: dict[str, str] = {}
        self.texts = list(texts)

    async def take_lease(self, name: str, holder: str, now: datetime, seconds: float) -> bool:
        return self.leases.setdefault(name, holder) == holder

    async def release_lease(self, name: str, holder: str) -> None:
        if self.leases.get(name) == holder:
            del self.leases[name]

    async def chore_runs(self, names: Sequence[str]) -> dict[str, ChoreRun]:
        return {}

    async def waiting_texts(self, limit: int) -> list[WaitingText]:
        return self.texts[:limit]

    async def store_vectors(self, texts: Sequence[WaitingText], vectors: Sequence[Sequence[float]]) -> int:
        self.texts = [text for text in self.texts if text not in texts]
        return len(vectors)


class FakeLearning:
    """Reads a session in stretches; raises what it is told to."""

    def __init__(self, *stretches: int, error: Exception | None = None) -> None:
        self.stretches = list(stretches)
        self.error = error

    async def read_session(self, agent_id: str, session_id: str) -> ReadResult:
        if self.error:
            raise self.error
        read = self.stretches.pop(0)
        return ReadResult(read, read * 2, more=bool(self.stretches))

    read_whole = Learning.read_whole

    async def summarise_session(self, agent_id: str, session_id: str) -> str | None:
        return "summary-1"


class FakeEmbedder:
    id, dimensions, state = "fake", 2, "ready"

    async def load(self) -> None: ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    async def close(self) -> None: ...


def job(attempts: int = 1, kind: str = "end_session") -> LeasedJob:
    return LeasedJob("job-1", "ada", kind, "s1", "{}", attempts)


def worker(
    jobs: FakeJobs,
    learning: FakeLearning | None = None,
    upkeep: FakeUpkeep | None = None,
    name: str = "w1",
    lease_s: float = 60,
) -> Worker:
    return Worker(
        cast(Jobs, jobs),
        cast(Upkeep, upkeep or FakeUpkeep()),
        cast(Learning, learning or FakeLearning(1)),
        cast(Sweeping, FakeSweeping()),
        cast(Embedder, FakeEmbedder()),
        Chores(cast(Upkeep, upkeep or FakeUpkeep()), [], lambda: NOW, 60),
        WorkSettings(lease_s=lease_s, poll_s=0.01, embedding_batch=2),
        lambda: NOW,
        name,
        bounded={"all of it": bounded},
    )


async def bounded(agent_id: str, limit: int | None) -> object:
    return {"agent": agent_id, "limit": limit}


@pytest.mark.parametrize(("given", "limit"), [('{"limit": 3}', 3), ("{}", None), ("", None)])
async def test_a_job_of_a_whole_agent_is_told_its_limit(given: str, limit: int | None) -> None:
    jobs = FakeJobs(replace(job(kind="all of it"), input=given))
    await worker(jobs).work_once()
    assert jobs.finished == [("job-1", {"agent": "ada", "limit": limit})]


async def test_a_sweep_notes_how_far_it_came_and_goes_on_from_there() -> None:
    jobs = FakeJobs(job(kind=KIND))
    await worker(jobs).work_once()
    assert jobs.finished == [("job-1", {"retired": 4, "proposed": 0})]
    assert [noted.get("before") for noted in jobs.noted if isinstance(noted, dict)] == ["3", "2", "1", "0", None]
    left = FakeJobs(replace(job(kind=KIND), input=json.dumps(jobs.noted[1])))
    await worker(left).work_once()
    assert left.finished == [("job-1", {"retired": 4, "proposed": 0})], "two before, two now"


async def test_between_the_steps_of_a_sweep_other_jobs_go_first() -> None:
    jobs = FakeJobs(job(kind=KIND), replace(job(), id="other-sweep", kind=KIND), replace(job(), id="session"))
    one = worker(jobs)
    await one.work_once()
    assert [id_ for id_, _ in jobs.finished] == ["session", "job-1"]
    await one.work_once()
    assert jobs.finished[2][0] == "other-sweep", "one sweep after the other"


async def test_a_session_is_read_to_its_end_and_summarised() -> None:
    jobs = FakeJobs(job())
    assert await worker(jobs, FakeLearning(8, 8, 3)).work_once()
    assert jobs.finished == [("job-1", {"messages": 19, "memories": 38, "summaryId": "summary-1"})]
    assert not await worker(jobs).work_once()


@pytest.mark.parametrize("attempts", range(1, ATTEMPTS + 1))
async def test_a_job_that_fails_is_tried_again_later_and_parked_at_last(attempts: int) -> None:
    jobs = FakeJobs(job(attempts))
    assert await worker(jobs, FakeLearning(error=NotFound("There is no session 's1'."))).work_once()
    ((id_, reason, parked, pause),) = jobs.failed
    assert (id_, reason) == ("job-1", "There is no session 's1'.")
    assert parked == (attempts >= ATTEMPTS)
    assert timedelta(seconds=5) < pause <= timedelta(seconds=120)
    assert jobs.finished == []


async def test_an_error_nobody_foresaw_does_not_end_the_worker_and_is_named() -> None:
    jobs = FakeJobs(job(), job())
    one = worker(jobs, FakeLearning(error=ValueError("x" * 5000)))
    assert await one.work_once()
    assert jobs.failed[0][1].startswith("ValueError: x")
    assert len(jobs.failed[0][1]) <= 2000


async def test_a_job_of_tomorrow_is_parked_with_its_kind() -> None:
    jobs = FakeJobs(job(ATTEMPTS, kind="dream"))
    await worker(jobs).work_once()
    assert "dream" in jobs.failed[0][1]


async def test_a_database_that_is_away_leaves_the_job_to_its_lease() -> None:
    jobs = FakeJobs(job())
    with pytest.raises(DatabaseUnavailable):
        await worker(jobs, FakeLearning(error=DatabaseUnavailable("away"))).work_once()
    assert (jobs.finished, jobs.failed) == ([], [])


async def test_a_long_jobs_lease_is_renewed_even_after_an_absence_of_the_database() -> None:
    jobs, renewed = FakeJobs(job()), asyncio.Event()
    answers = iter([DatabaseUnavailable("away"), DatabaseUnavailable("away")])

    async def extend(*_: object) -> bool:
        if away := next(answers, None):
            raise away
        renewed.set()
        return True

    class Long(FakeLearning):
        async def summarise_session(self, agent_id: str, session_id: str) -> str | None:
            await asyncio.wait_for(renewed.wait(), 60)
            return None

    jobs.extend = extend  # type: ignore[method-assign]
    assert await worker(jobs, Long(1), lease_s=0.03).work_once()
    assert jobs.finished == [("job-1", {"messages": 1, "memories": 2, "summaryId": None})]


async def run_until(one: Worker, holds: Any) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(one.run(stop))
    async with asyncio.timeout(60):
        while not holds():
            assert not running.done()
            await asyncio.sleep(0.01)
    stop.set()
    async with asyncio.timeout(60):
        await running


async def test_a_running_worker_survives_a_database_that_is_away_for_a_while() -> None:
    jobs = FakeJobs(job(), away=1)
    await run_until(worker(jobs), lambda: jobs.finished)
    assert jobs.asked >= 2


async def test_texts_get_their_vectors_in_batches_until_none_waits() -> None:
    upkeep = FakeUpkeep([WaitingText(str(n), f"text {n}") for n in range(5)])
    await run_until(worker(FakeJobs(), upkeep=upkeep), lambda: not upkeep.texts)


@pytest.mark.parametrize(("waiting", "more"), [(0, False), (1, False), (2, True), (3, True)])
async def test_texts_that_come_one_by_one_gather_before_they_are_embedded(waiting: int, *, more: bool) -> None:
    upkeep = FakeUpkeep([WaitingText(str(n), f"text {n}") for n in range(waiting)])
    assert await worker(FakeJobs(), upkeep=upkeep).embed_once() == more


async def test_only_the_holder_of_the_lease_embeds() -> None:
    upkeep = FakeUpkeep([WaitingText("1", "text")])
    upkeep.leases["embed-texts"] = "somebody else"
    assert not await worker(FakeJobs(), upkeep=upkeep).embed_once()
    assert upkeep.texts


async def test_a_worker_that_stops_gives_its_leases_back() -> None:
    upkeep = FakeUpkeep([WaitingText("1", "text")])
    await run_until(worker(FakeJobs(), upkeep=upkeep), lambda: not upkeep.texts)
    assert upkeep.leases == {}, "else the next worker embeds nothing for as long as the lease runs"
    upkeep.texts = [WaitingText("2", "text")]
    await worker(FakeJobs(), upkeep=upkeep, name="w2").embed_once()
    assert not upkeep.texts
