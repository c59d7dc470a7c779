"""Work that was promised is done: by one worker at a time, again when that one falls silent, once in its effects."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7
from graphmem.app import Graphmem
from graphmem.errors import DatabaseBusy, ModelUnavailable, NotFound, PlanOutdated
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.graph.operation.jobs import job_create
from graphmem.model.answers import Job
from graphmem.model.caller import Caller
from graphmem.model.extraction import Limits
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, NewSession
from graphmem.model.stored import JobStep, LeasedJob
from graphmem.services.knowledge.learning import Learning, LearningSettings
from graphmem.services.operation.work import ATTEMPTS, PAUSE_S, Worker
from tests.agents import worker_at
from tests.waiting import job_done, until, waits_for_a_lock

THEN = datetime(2100, 1, 1, tzinfo=UTC)
"""When the jobs of these tests are due: no worker of another test will take them."""
LEASE_S = 60.0


@pytest.fixture(autouse=True)
async def no_job_is_left(graphmem: Graphmem, agent_id: str, bolt: AsyncDriver) -> AsyncIterator[None]:
    """What a test leaves open must not be taken by the next one, whose clock stands as far ahead."""
    yield
    await bolt.execute_query(
        "MATCH (j:Job) WHERE j.agent_id STARTS WITH $agent SET j.status = 'done', j.activeKey = null", agent=agent_id
    )


async def ask(graphmem: Graphmem, agent_id: str, subject: str, kind: str = "unknown", now: datetime = THEN) -> str:
    """Put a job into the graph."""
    return await graphmem.database.write(
        lambda tx: job_create(
            tx, agent_id, job_id=new_uuid7(), kind=kind, subject_id=subject, input_json='{"a": 1}', now=now
        )
    )


async def take(graphmem: Graphmem, agent_id: str, holder: str, now: datetime = THEN) -> LeasedJob | None:
    """The next job of this agent; others that are due are left to their lease."""
    while True:
        job = await graphmem.operation.jobs.lease(holder, now, LEASE_S)
        if job is None or job.agent_id == agent_id:
            return job


async def state(graphmem: Graphmem, agent_id: str, job_id: str) -> Job:
    return await graphmem.operation.reporting.job(agent_id, job_id)


# --- leases -----------------------------------------------------------------------------------------------


async def test_of_eight_workers_one_gets_the_job(graphmem: Graphmem, agent_id: str) -> None:
    for round_ in range(15):
        job_id = await ask(graphmem, agent_id, f"subject-{round_}")
        taken = await asyncio.gather(*(take(graphmem, agent_id, f"worker-{n}") for n in range(8)))
        assert [job.id for job in taken if job] == [job_id]


async def test_eight_workers_share_forty_jobs(graphmem: Graphmem, agent_id: str) -> None:
    asked = {await ask(graphmem, agent_id, f"subject-{n}") for n in range(40)}
    met: list[str] = []

    async def work(holder: str) -> None:
        silent = 0
        while silent < 5:  # of two that reach for one job, one goes away empty-handed
            job = await take(graphmem, agent_id, holder)
            silent = 0 if job else silent + 1
            met.extend([job.id] if job else [])

    await asyncio.gather(*(work(f"worker-{n}") for n in range(8)))
    assert sorted(met) == sorted(asked)


async def test_job_says_what_it_is_about(graphmem: Graphmem, agent_id: str) -> None:
    job_id = await ask(graphmem, agent_id, "the-subject", "the-kind")
    job = await take(graphmem, agent_id, "w")
    assert job is not None
    assert (job.id, job.kind, job.subject_id, job.attempts) == (job_id, "the-kind", "the-subject", 1)
    assert json.loads(job.input) == {"a": 1}
    assert (await state(graphmem, agent_id, job_id)).status == "running"


async def test_job_is_not_due_before_its_time_and_the_one_asked_for_first_goes_first(
    graphmem: Graphmem, agent_id: str
) -> None:
    first_asked = await ask(graphmem, agent_id, "first", now=THEN + timedelta(seconds=2))
    then_asked = await ask(graphmem, agent_id, "then", now=THEN + timedelta(seconds=3))
    assert await take(graphmem, agent_id, "w", THEN) is None
    first = await take(graphmem, agent_id, "w", THEN + timedelta(seconds=5))
    second = await take(graphmem, agent_id, "w", THEN + timedelta(seconds=5))
    assert [job.id for job in (first, second) if job] == [first_asked, then_asked]


async def test_silent_workers_job_is_given_away_after_its_lease_and_not_before(
    graphmem: Graphmem, agent_id: str
) -> None:
    await ask(graphmem, agent_id, "s")
    first = await take(graphmem, agent_id, "silent")
    assert first is not None
    assert await take(graphmem, agent_id, "next", THEN + timedelta(seconds=LEASE_S - 1)) is None
    second = await take(graphmem, agent_id, "next", THEN + timedelta(seconds=LEASE_S))
    assert second is not None
    assert (second.id, second.attempts) == (first.id, 2)
    # The silent one comes back to life: the job is no longer its own.
    assert not await graphmem.operation.jobs.extend(first, "silent", THEN + timedelta(days=1))
    await graphmem.operation.jobs.finish(first, "silent", JobStep(result={"from": "silent"}), THEN)
    await graphmem.operation.jobs.fail(first, "silent", "late", parked=True, now=THEN, again_at=THEN)
    assert (await state(graphmem, agent_id, first.id)).status == "running"
    await graphmem.operation.jobs.finish(second, "next", JobStep(result={"from": "next"}), THEN)
    done = await state(graphmem, agent_id, first.id)
    assert (done.status, done.result, done.progress, done.error) == ("done", {"from": "next"}, 1.0, None)


async def test_extended_lease_is_kept(graphmem: Graphmem, agent_id: str) -> None:
    await ask(graphmem, agent_id, "s")
    job = await take(graphmem, agent_id, "busy")
    assert job is not None
    assert await graphmem.operation.jobs.extend(job, "busy", THEN + timedelta(seconds=2 * LEASE_S))
    assert await take(graphmem, agent_id, "next", THEN + timedelta(seconds=LEASE_S + 1)) is None


async def test_busy_worker_renews_its_lease(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    """A job that takes several leases long stays with its worker."""
    lease_s, session_id = 0.2, "long"
    await told(graphmem, agent_id, session_id, 1)
    job_id = await ask(graphmem, agent_id, session_id, "end_session")
    now, done_waiting = [THEN], asyncio.Event()

    def clock() -> datetime:
        return now[0]

    async def renewed() -> bool:
        found = await bolt.execute_query(
            "MATCH (j:Job {agent_id: $a, id: $id}) RETURN j.availableAt", a=agent_id, id=job_id
        )
        return bool(found.records[0][0].to_native() >= now[0] + timedelta(seconds=lease_s))

    class Slow(Learning):
        async def read_session(self, agent_id: str, session_id: str) -> Any:
            await done_waiting.wait()
            return await super().read_session(agent_id, session_id)

    slow = Slow(
        SessionStore(graphmem.database),
        KnowledgeStore(graphmem.database),
        graphmem.world.parser,
        _learning(),
        clock,
        new_uuid7,
        graphmem.conversation.guards,
    )
    busy = worker_at(graphmem, clock, "busy", {"end_session": slow.carry_on}, lease_s=lease_s, slice_s=60.0)
    working = asyncio.create_task(busy.work_once())
    await until(renewed)
    for _ in range(3):
        now[0] += timedelta(seconds=0.9 * lease_s)
        await until(renewed)
        assert await take(graphmem, agent_id, "rival", clock()) is None
    done_waiting.set()
    assert await working
    assert (await state(graphmem, agent_id, job_id)).status == "done"


# --- turns ------------------------------------------------------------------------------------------------


async def test_agents_take_turns_however_much_one_of_them_has_to_do(graphmem: Graphmem, agent_id: str) -> None:
    agents = [agent_id, f"{agent_id}-b", f"{agent_id}-c"]
    for n in range(5):
        await ask(graphmem, agents[0], f"s{n}", now=THEN + timedelta(milliseconds=n))
    for place, agent in enumerate(agents[1:]):
        for n in range(2):
            await ask(graphmem, agent, f"s{n}", now=THEN + timedelta(milliseconds=10 + 2 * place + n))
    due, served = THEN + timedelta(seconds=1), []
    while job := await graphmem.operation.jobs.lease("w", due, LEASE_S):
        served.append("abc"[agents.index(job.agent_id)])
        await graphmem.operation.jobs.finish(job, "w", JobStep(), due)
    assert "".join(served) == "abcabcaaa"


async def test_a_long_job_goes_on_behind_those_that_came_meanwhile_and_tells_how_far_it_is(
    graphmem: Graphmem, agent_id: str
) -> None:
    async def long(agent: str, subject: str, mark: Mapping[str, Any]) -> JobStep:
        done = mark.get("done", 0) + 1
        served.append(subject)
        for name in ("b", "c") if done == 1 else ():
            await ask(graphmem, f"{agent_id}-{name}", name, "short", now[0])
        now[0] += timedelta(seconds=1)
        return JobStep.on({"done": done}, done, 3) if done < 3 else JobStep(result=done)

    async def short(agent: str, subject: str, mark: Mapping[str, Any]) -> JobStep:
        served.append(subject)
        return JobStep(result=subject)

    served: list[str] = []
    job_id = await ask(graphmem, agent_id, "long", "long")
    now = [THEN]
    worker = worker_at(graphmem, lambda: now[0], "w", {"long": long, "short": short})
    assert await worker.work_once()
    assert (await state(graphmem, agent_id, job_id)).progress == pytest.approx(1 / 3)
    while await worker.work_once():
        pass
    assert served == ["long", "b", "c", "long", "long"]
    assert (await state(graphmem, agent_id, job_id)).result == 3


async def test_trouble_that_is_not_its_own_costs_a_job_no_attempt(graphmem: Graphmem, agent_id: str) -> None:
    troubles: list[Exception] = [DatabaseBusy("a deadlock"), PlanOutdated("others wrote"), ModelUnavailable("off")] * 3

    async def troubled(agent: str, subject: str, mark: Mapping[str, Any]) -> JobStep:
        if troubles:
            raise troubles.pop()
        return JobStep(result="done at last")

    job_id = await ask(graphmem, agent_id, "s", "troubled")
    now = [THEN]
    worker = worker_at(graphmem, lambda: now[0], "w", {"troubled": troubled})
    while troubles:
        with contextlib.suppress(DatabaseBusy):
            await worker.work_once()
        now[0] += timedelta(seconds=PAUSE_S)
    while await worker.work_once():
        pass
    job = await state(graphmem, agent_id, job_id)
    assert (job.status, job.result, job.error) == ("done", "done at last", None)


async def test_a_lease_lost_by_slowness_costs_no_attempt(graphmem: Graphmem, agent_id: str) -> None:
    await ask(graphmem, agent_id, "s")
    slow = await take(graphmem, agent_id, "slow")
    assert slow is not None
    later = THEN + timedelta(seconds=LEASE_S)
    quick = await take(graphmem, agent_id, "quick", later)
    assert quick is not None
    await graphmem.operation.jobs.spare(slow, "slow", None, later, later)
    assert (await state(graphmem, agent_id, slow.id)).status == "running", "it stays with who has it"
    third = await take(graphmem, agent_id, "third", later + timedelta(seconds=LEASE_S))
    assert third is not None
    assert third.attempts == 2


# --- failing ----------------------------------------------------------------------------------------------


async def test_failing_job_is_tried_again_with_back_off_and_parked_with_its_reason(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    job_id = await ask(graphmem, agent_id, "s", "a-kind-nobody-knows")
    now = THEN
    waits = []
    for attempt in range(1, ATTEMPTS + 1):
        assert await worker_at(graphmem, partial(datetime.fromisoformat, now.isoformat()), "w").work_once()
        job = await state(graphmem, agent_id, job_id)
        assert "a-kind-nobody-knows" in str(job.error)
        if attempt == ATTEMPTS:
            break
        assert job.status == "queued"
        start = now
        while await take(graphmem, agent_id, "too-soon", now) is None:
            now += timedelta(seconds=1)
        waits.append((now - start).total_seconds())
        # Give back what this look at the clock took, as it was.
        await _undo_take(bolt, agent_id, job_id, now)
    assert job.status == "failed"
    assert waits == [10, 20]
    (parked,) = await graphmem.operation.jobs.open_jobs(agent_id)
    assert (parked.id, parked.status) == (job_id, "failed")
    assert await take(graphmem, agent_id, "w", now + timedelta(days=365)) is None
    shown = await graphmem.operation.reporting.status(agent_id)
    assert shown.jobs.failed == 1
    assert "a-kind-nobody-knows" in str(shown.jobs.items[0].reason)


async def _undo_take(bolt: AsyncDriver, agent_id: str, job_id: str, now: datetime) -> None:
    await bolt.execute_query(
        "MATCH (j:Job {agent_id: $agent, id: $id}) SET j.status = 'queued', j.attempts = j.attempts - 1, "
        "j.availableAt = $now REMOVE j.holder",
        agent=agent_id,
        id=job_id,
        now=now,
    )


async def test_a_job_in_which_every_worker_dies_is_parked(graphmem: Graphmem, agent_id: str) -> None:
    job_id = await ask(graphmem, agent_id, "s")
    now = THEN
    for attempt in range(1, ATTEMPTS + 1):
        job = await take(graphmem, agent_id, f"killed-{attempt}", now)
        assert job is not None
        assert job.attempts == attempt
        now += timedelta(seconds=LEASE_S + 1)
    assert await worker_at(graphmem, partial(datetime.fromisoformat, now.isoformat()), "w").work_once()
    parked = await state(graphmem, agent_id, job_id)
    assert (parked.status, parked.error) == (
        "failed",
        "Each of 3 workers that had this job ended in the midst of it.",
    )
    assert await take(graphmem, agent_id, "w", now + timedelta(days=365)) is None


async def test_parked_jobs_are_retried_by_name_or_all_together(graphmem: Graphmem, agent_id: str) -> None:
    ids = [await ask(graphmem, agent_id, subject) for subject in "abc"]
    for _ in ids[:2]:
        job = await take(graphmem, agent_id, "w")
        assert job is not None
        await graphmem.operation.jobs.fail(job, "w", "boom", parked=True, now=THEN, again_at=THEN)
    parked = [job.id for job in await graphmem.operation.repairs.jobs(agent_id) if job.status == "failed"]
    assert len(parked) == 2
    (waiting,) = set(ids) - set(parked)
    with pytest.raises(NotFound, match=waiting):
        await graphmem.operation.repairs.retry(agent_id, [parked[0], waiting])
    with pytest.raises(NotFound):
        await graphmem.operation.repairs.retry("somebody-else", [parked[0]])
    assert (await state(graphmem, agent_id, parked[0])).status == "failed"
    assert await graphmem.operation.repairs.retry(agent_id, [parked[0], parked[0]]) == [parked[0]]
    retried = await state(graphmem, agent_id, parked[0])
    assert (retried.status, retried.error) == ("queued", None)
    assert await graphmem.operation.repairs.retry(agent_id) == [parked[1]]
    assert await graphmem.operation.repairs.retry(agent_id) == []
    assert {job.status for job in await graphmem.operation.repairs.jobs(agent_id)} == {"queued"}


async def test_parked_work_asked_for_again_is_a_new_job(graphmem: Graphmem, agent_id: str) -> None:
    first = await ask(graphmem, agent_id, "s")
    job = await take(graphmem, agent_id, "w")
    assert job is not None
    await graphmem.operation.jobs.fail(job, "w", "boom", parked=True, now=THEN, again_at=THEN)
    second = await ask(graphmem, agent_id, "s")
    assert second != first
    assert (await state(graphmem, agent_id, first)).status == "failed"
    assert (await state(graphmem, agent_id, second)).status == "queued"


async def test_a_session_whose_reading_failed_says_so_wherever_it_is_met(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await told(graphmem, agent_id, "s")
    await learning_of(graphmem).read_session(agent_id, "s")
    asked = {"query": "Which port does ledger-service run on?"}
    first = await http.post("/api/memory/recall", json=asked)
    assert first.json().get("unread") == [], first.text
    await ask(graphmem, agent_id, "s", "end_session")
    job = await take(graphmem, agent_id, "w")
    assert job is not None
    await graphmem.operation.jobs.fail(job, "w", "boom", parked=True, now=THEN, again_at=THEN)
    left = len(SAID) - 2
    expected = [{"sessionId": "s", "unread": left, "messages": len(SAID), "reason": "boom"}]
    assert (await http.post("/api/memory/recall", json=asked)).json()["unread"] == expected
    detail = (await http.get("/api/sessions/s")).json()
    assert (detail["unread"], detail["parked"]) == (left, "boom")
    while (await learning_of(graphmem).read_session(agent_id, "s")).more:
        pass
    assert (await http.post("/api/memory/recall", json=asked)).json()["unread"] == []
    assert (await http.get("/api/sessions/s")).json()["parked"] is None


async def test_job_of_a_session_that_is_gone_fails_with_our_words(graphmem: Graphmem, agent_id: str) -> None:
    job_id = await ask(graphmem, agent_id, "nowhere", "end_session")
    assert await worker_at(graphmem, lambda: THEN, "w").work_once()
    assert (await state(graphmem, agent_id, job_id)).error == "There is no session 'nowhere'."


# --- asked for again --------------------------------------------------------------------------------------


async def test_work_asked_for_twice_while_it_waits_is_one_job(graphmem: Graphmem, agent_id: str) -> None:
    asked = await asyncio.gather(*(ask(graphmem, agent_id, "s") for _ in range(8)))
    assert len(set(asked)) == 1
    job = await take(graphmem, agent_id, "w")
    assert job is not None
    await graphmem.operation.jobs.finish(job, "w", JobStep(), THEN)
    assert (await state(graphmem, agent_id, job.id)).status == "done"
    assert await take(graphmem, agent_id, "w") is None


async def test_work_asked_for_while_it_runs_is_done_once_more(graphmem: Graphmem, agent_id: str) -> None:
    await ask(graphmem, agent_id, "s")
    job = await take(graphmem, agent_id, "w")
    assert job is not None
    assert await ask(graphmem, agent_id, "s") == job.id
    await graphmem.operation.jobs.finish(job, "w", JobStep(), THEN)
    assert (await state(graphmem, agent_id, job.id)).status == "queued"
    again = await take(graphmem, agent_id, "w")
    assert again is not None
    assert (again.id, again.attempts) == (job.id, 1)
    await graphmem.operation.jobs.finish(again, "w", JobStep(), THEN)
    assert (await state(graphmem, agent_id, job.id)).status == "done"
    assert await ask(graphmem, agent_id, "s") != job.id


async def test_work_asked_for_in_the_moment_it_ends_is_not_lost(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    """The asker holds the job's lock and has not committed when the worker reports that it is done."""
    await ask(graphmem, agent_id, "s")
    job = await take(graphmem, agent_id, "w")
    assert job is not None
    async with bolt.session() as session:
        asker = await session.begin_transaction()
        await asker.run("MATCH (j:Job {agent_id: $agent, id: $id}) SET j.again = true", agent=agent_id, id=job.id)
        finishing = asyncio.create_task(graphmem.operation.jobs.finish(job, "w", JobStep(), THEN))
        await waits_for_a_lock(bolt)
        await asker.commit()
    await finishing
    assert (await state(graphmem, agent_id, job.id)).status == "queued"


async def test_askers_and_workers_at_once_leave_nothing_undone(graphmem: Graphmem, agent_id: str) -> None:
    """Whatever was asked for is carried out by a run that began after the asking."""
    asked, begun = [0], [0]

    async def asking() -> None:
        for _ in range(20):
            await ask(graphmem, agent_id, "s")
            asked[0] += 1
            await asyncio.sleep(0)

    async def working(holder: str, busy: asyncio.Task[None]) -> None:
        while not busy.done() or begun[0] < asked[0]:
            seen = asked[0]
            job = await take(graphmem, agent_id, holder)
            if job:
                begun[0] = max(begun[0], seen)
                await graphmem.operation.jobs.finish(job, holder, JobStep(), THEN)
            elif busy.done():
                return

    busy = asyncio.create_task(asking())
    await asyncio.gather(busy, working("a", busy), working("b", busy))
    assert await take(graphmem, agent_id, "w") is None
    assert await graphmem.operation.jobs.open_jobs(agent_id) == []


async def test_stranger_finds_no_job(graphmem: Graphmem, agent_id: str) -> None:
    job_id = await ask(graphmem, agent_id, "s")
    with pytest.raises(NotFound):
        await state(graphmem, f"stranger-{agent_id}", job_id)
    assert await graphmem.operation.jobs.open_jobs(f"stranger-{agent_id}") == []


# --- reading a session ------------------------------------------------------------------------------------

SAID = (
    "billing-service uses PostgreSQL. checkout-service depends on billing-service.",
    "Mara owns ledger-service. ledger-service runs on port 8443.",
    "checkout-service must never log card numbers.",
    "We decided that ledger-service uses Kafka.",
    "search-service depends on catalogue-service. ledger-service runs on port 8443.",
    "ledger-service now runs on port 9443.",
)


def _learning() -> LearningSettings:
    return LearningSettings(Limits(), True, 0.7, proposals_only=False, chunk_messages=2, chunk_tokens=2000)


def learning_of(graphmem: Graphmem) -> Learning:
    """Learning that takes two messages in one go."""
    return Learning(
        SessionStore(graphmem.database),
        KnowledgeStore(graphmem.database),
        graphmem.world.parser,
        _learning(),
        lambda: datetime(2026, 6, 1, tzinfo=UTC),
        new_uuid7,
        graphmem.conversation.guards,
    )


async def told(graphmem: Graphmem, agent_id: str, session_id: str, copies: int = 1) -> None:
    start = datetime(2026, 5, 1, tzinfo=UTC)
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id=session_id, started_at=start))
    batch = NewMessages(
        messages=tuple(
            NewMessage(role="user", content=content, created_at=start + timedelta(minutes=n))
            for n, content in enumerate(SAID * copies)
        )
    )
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)


async def learned(bolt: AsyncDriver, agent_id: str) -> dict[str, Any]:
    """What an agent knows, without ids and times of writing."""
    asked = {
        "memories": "MATCH (n:Memory {agent_id: $a}) RETURN n.content AS c, n.status AS s, "
        "COUNT { (n)-[:DERIVED_FROM]->() } AS d, COUNT { (n)-[:MENTIONS]->() } AS m ORDER BY c",
        "entities": "MATCH (n:Entity {agent_id: $a}) RETURN n.canonicalName AS c, n.mentions AS n, n.type AS t "
        "ORDER BY c",
        "attributes": "MATCH (n:Attribute {agent_id: $a}) RETURN n.content AS c, n.status AS s, n.confidence AS f, "
        "COUNT { (n)-[:SUPERSEDED_BY]->() } AS o, COUNT { (n)-[:DERIVED_FROM]->() } AS d ORDER BY c",
        "edges": "MATCH (s)-[d:DEPENDS_ON {agent_id: $a}]->(t) "
        "RETURN s.canonicalName AS s, t.canonicalName AS t, d.type AS y, d.status AS x, d.confidence AS f "
        "ORDER BY s, t, y, x",
        "events": "MATCH (n:Event {agent_id: $a}) RETURN n.kind AS k, count(*) AS n ORDER BY k",
        "sessions": "MATCH (n:Session {agent_id: $a}) RETURN n.extractedThrough AS e, n.dropped AS d",
        "summaries": "MATCH (n:Summary {agent_id: $a}) RETURN n.content AS c, COUNT { (n)-[:COVERS]->() } AS n, "
        "n.earliestAt AS x, n.latestAt AS y",
    }
    return {name: [r.data() for r in (await bolt.execute_query(text, a=agent_id))[0]] for name, text in asked.items()}


@pytest.fixture(scope="module")
async def undisturbed(graphmem: Graphmem, bolt: AsyncDriver) -> dict[str, Any]:
    """What one worker learns that nobody disturbs."""
    agent_id, learning = f"undisturbed-{new_uuid7()}", learning_of(graphmem)
    await told(graphmem, agent_id, "s")
    while (await learning.read_session(agent_id, "s")).more:
        pass
    await learning.summarise_session(agent_id, "s")
    known = await learned(bolt, agent_id)
    assert len(known["memories"]) >= 4
    assert len(known["edges"]) >= 3
    assert any(fact["s"] == "superseded" for fact in known["attributes"])
    assert known["sessions"] == [{"e": len(SAID), "d": 0}]
    assert known["summaries"][0]["n"] == len(SAID)
    assert known["summaries"][0]["x"].to_native() == datetime(2026, 5, 1, tzinfo=UTC)
    assert known["summaries"][0]["y"].to_native() == datetime(2026, 5, 1, 0, len(SAID) - 1, tzinfo=UTC)
    return known


async def test_two_workers_in_one_session_learn_what_one_learns(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, undisturbed: dict[str, Any]
) -> None:
    await told(graphmem, agent_id, "s")

    async def read() -> int:
        learning, total = learning_of(graphmem), 0
        while True:
            read = await learning.read_session(agent_id, "s")
            total += read.messages
            if not read.more:
                await learning.summarise_session(agent_id, "s")
                return total

    totals = await asyncio.gather(*(read() for _ in range(4)))
    assert sum(totals) == len(SAID), "no message is read twice"
    assert await learned(bolt, agent_id) == undisturbed


async def test_session_read_again_adds_nothing(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, undisturbed: dict[str, Any]
) -> None:
    await told(graphmem, agent_id, "s")
    learning = learning_of(graphmem)
    for _ in range(2):
        while (await learning.read_session(agent_id, "s")).more:
            pass
        await learning.summarise_session(agent_id, "s")
    assert await learned(bolt, agent_id) == undisturbed


@pytest.mark.parametrize("turns", [0, 10, 40, 160, 640])
async def test_killed_workers_job_is_resumed_without_duplicates(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, undisturbed: dict[str, Any], turns: int
) -> None:
    """Cancelled wherever it stands, as a kill would: nothing is released, and another one goes on from the mark."""
    await told(graphmem, agent_id, "s")
    job_id = await ask(graphmem, agent_id, "s", "end_session")

    def worker(holder: str, now: datetime) -> Worker:
        return worker_at(graphmem, lambda: now, holder, {"end_session": learning_of(graphmem).carry_on}, slice_s=60.0)

    killed = asyncio.create_task(worker("killed", THEN).work_once())
    for _ in range(turns):
        await asyncio.sleep(0)  # a turn of the event loop: wherever the worker has come by then
    killed.cancel()
    await asyncio.gather(killed, return_exceptions=True)
    later = THEN + timedelta(seconds=LEASE_S)
    for _ in range(5):
        if (await state(graphmem, agent_id, job_id)).status == "done":
            break
        assert await worker("next", later).work_once()
    job = await state(graphmem, agent_id, job_id)
    assert job.status == "done"
    assert await learned(bolt, agent_id) == undisturbed


async def test_ended_session_is_read_by_the_worker_and_again_when_it_goes_on(
    graphmem: Graphmem, worker: Worker, bolt: AsyncDriver, agent_id: str
) -> None:
    """The whole way with a worker that runs beside: end, job, knowledge, summary; then more words, and end again."""
    caller = Caller(agent_id)
    await told(graphmem, agent_id, "s")

    async def ended() -> dict[str, Any]:
        receipt = await graphmem.conversation.intake.end(caller, "s", EndSession())
        await job_done(graphmem, agent_id, str(receipt.job_id))
        result = (await state(graphmem, agent_id, str(receipt.job_id))).result
        assert isinstance(result, dict)
        return result

    first = await ended()
    assert first["messages"] == len(SAID)
    assert first["memories"] > 0
    more = NewMessages(messages=(NewMessage(role="user", content="Noor owns search-service."),))
    await graphmem.conversation.intake.add_messages(caller, "s", more)
    second = await ended()
    assert second["messages"] == 1
    assert second["summaryId"] == first["summaryId"]
    known = await learned(bolt, agent_id)
    assert known["sessions"][0]["e"] == len(SAID) + 1
    assert known["summaries"][0]["n"] == len(SAID) + 1


async def test_worker_gives_its_leases_back_when_it_stops(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    """Else no text gets a vector after a restart until they run out."""
    await told(graphmem, agent_id, "s")
    far, stop = THEN + timedelta(days=1000), asyncio.Event()
    stopped = worker_at(graphmem, lambda: far, f"stopped-{agent_id}", poll_s=0.01, embedding_batch=1)
    running = asyncio.create_task(stopped.run(stop))
    held = "MATCH (l:Lease {holder: $holder}) RETURN count(l) AS n"

    async def leases() -> int:
        return int((await bolt.execute_query(held, holder=f"stopped-{agent_id}"))[0][0]["n"])

    await until(leases)
    stop.set()
    await running
    kept = await leases()
    await bolt.execute_query("MATCH (l:Lease {holder: $holder}) DETACH DELETE l", holder=f"stopped-{agent_id}")
    assert kept == 0
