"""The worker: what it does with a job that works, fails, or meets a database that is away."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from graphmem.errors import DatabaseUnavailable, NotFound, PlanOutdated
from graphmem.model.stored import ChoreRun, JobStep, LeasedJob, WaitingText
from graphmem.services.knowledge.learning import Learning, ReadResult
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
        self.noted: list[JobStep] = []
        self.spared: list[tuple[str, str | None]] = []

    async def lease(self, holder: str, now: datetime, lease_s: float) -> LeasedJob | None:
        self.asked += 1
        if self.asked <= self.away:
            raise DatabaseUnavailable("away")
        return self.waiting.pop(0) if self.waiting else None

    async def extend(self, job: LeasedJob, holder: str, until: datetime) -> bool:
        return True

    async def give_back(self, job: LeasedJob, holder: str, step: JobStep, now: datetime) -> None:
        self.noted.append(step)
        self.waiting.append(replace(job, input=json.dumps(step.mark)))

    async def spare(self, job: LeasedJob, holder: str, reason: str | None, now: datetime, again_at: datetime) -> None:
        self.spared.append((job.id, reason))

    async def finish(self, job: LeasedJob, holder: str, step: JobStep, now: datetime) -> None:
        self.finished.append((job.id, step.result))

    async def fail(
        self, job: LeasedJob, holder: str, error: str, *, parked: bool, now: datetime, again_at: datetime
    ) -> None:
        self.failed.append((job.id, error, parked, again_at - now))


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
        self.read = 0

    async def read_session(self, agent_id: str, session_id: str) -> ReadResult:
        if self.error:
            raise self.error
        read = self.stretches.pop(0)
        self.read += read
        return ReadResult(read, read * 2, bool(self.stretches), self.read, self.read + sum(self.stretches))

    carry_on = Learning.carry_on

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
    slice_s: float = 60,
) -> Worker:
    carry = cast(Learning, learning or FakeLearning(1)).carry_on
    return Worker(
        cast(Jobs, jobs),
        cast(Upkeep, upkeep or FakeUpkeep()),
        cast(Embedder, FakeEmbedder()),
        Chores(cast(Upkeep, upkeep or FakeUpkeep()), [], lambda: NOW, 60),
        WorkSettings(lease_s=lease_s, slice_s=slice_s, poll_s=0.01, embedding_batch=2),
        lambda: NOW,
        name,
        {"end_session": carry},
    )


async def test_a_slice_that_is_over_notes_how_far_it_came_and_makes_way_for_others() -> None:
    jobs = FakeJobs(job(), replace(job(), id="job-2"))
    one = worker(jobs, FakeLearning(8, 8, 4), slice_s=0)
    while await one.work_once():
        pass
    assert [(noted.mark, noted.progress) for noted in jobs.noted] == [
        ({"messages": 8, "memories": 16}, 0.4),
        ({"messages": 8, "memories": 16}, 0.8),
    ]
    assert jobs.finished[0] == ("job-1", {"messages": 12, "memories": 24, "summaryId": "summary-1"})


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


async def test_a_database_that_is_away_costs_the_job_no_attempt() -> None:
    jobs = FakeJobs(job())
    one = worker(jobs, FakeLearning(error=DatabaseUnavailable("away")))
    with pytest.raises(DatabaseUnavailable):
        await one.work_once()
    assert (jobs.finished, jobs.failed, jobs.spared) == ([], [], []), "nothing can be written then"
    assert not await one.work_once()
    assert jobs.spared == [("job-1", None)]


async def test_what_others_are_to_blame_for_is_told_and_costs_no_attempt() -> None:
    jobs = FakeJobs(job(ATTEMPTS))
    assert await worker(jobs, FakeLearning(error=PlanOutdated("Others wrote."))).work_once()
    assert (jobs.failed, jobs.spared) == ([], [("job-1", "Others wrote.")])


async def test_a_job_that_another_worker_has_meanwhile_is_left_to_it() -> None:
    jobs, lost = FakeJobs(job()), asyncio.Event()

    async def extend(*_: object) -> bool:
        lost.set()
        return False

    class Long(FakeLearning):
        async def summarise_session(self, agent_id: str, session_id: str) -> str | None:
            await asyncio.wait_for(lost.wait(), 60)
            await asyncio.sleep(0)
            return None

    jobs.extend = extend  # type: ignore[method-assign]
    assert await worker(jobs, Long(1), lease_s=0.03).work_once()
    assert (jobs.finished, jobs.failed, jobs.spared) == ([], [], [("job-1", None)])


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
