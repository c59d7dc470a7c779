"""The significance gate on a real graph: talk that says nothing new is kept and not read, and can be read later."""

import asyncio
from collections.abc import Sequence

import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem
from graphmem.graph.recall.grep import GrepStore
from graphmem.model.answers import EndReceipt
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, EntityChange, NewMessage, NewMessages, NewSession, Remember
from graphmem.model.stored import SummaryFilter
from graphmem.services.operation.housekeeping import Housekeeping
from tests.agents import embed
from tests.waiting import worked_until

SMALL_TALK = ("Hi there!", "Hello! How can I help you today?", "Nothing really, thanks.", "You're welcome!")
ANSWER = "It runs on port 7000 of the second host, behind the proxy that Priya set up for the whole team."
WORK = ("Which port does ledger-api run on now?", ANSWER) * 5


async def say(
    graphmem: Graphmem, agent_id: str, session_id: str, said: Sequence[str], *, project: str | None = "atlas"
) -> None:
    """Turns of a user and an assistant, and their vectors."""
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id=session_id, project=project))
    turns = [NewMessage(role="assistant" if n % 2 else "user", content=text) for n, text in enumerate(said)]
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, NewMessages(messages=tuple(turns)))


async def end(graphmem: Graphmem, agent_id: str, session_id: str, *, force: bool = False) -> EndReceipt:
    return await graphmem.conversation.intake.end(Caller(agent_id), session_id, EndSession(force=force))


async def rehash(
    graphmem: Graphmem, agent_id: str, said: Sequence[str] = SMALL_TALK, project: str | None = "atlas"
) -> None:
    """An ended session `before`, and an open one, `again`, that says the same."""
    for session_id in ("before", "again"):
        await say(graphmem, agent_id, session_id, said, project=project)
    await embed(graphmem, agent_id)
    await end(graphmem, agent_id, "before")


async def work_off(graphmem: Graphmem, agent_id: str, session_id: str) -> EndReceipt:
    """What the session's end answers once no job is left for it."""
    worker = graphmem.worker()

    async def ended() -> EndReceipt | None:
        result = await graphmem.conversation.intake.end_result(agent_id, session_id)
        return result if result and result.pipeline != "queued" else None

    result = await worked_until(worker, ended)
    assert result
    return result


async def events(bolt: AsyncDriver, agent_id: str, kind: str) -> list[str]:
    rows, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: $kind}) RETURN e.subjectId AS id ORDER BY e.at", a=agent_id, kind=kind
    )
    return [row["id"] for row in rows]


async def test_small_talk_that_says_nothing_new_is_kept_and_not_read(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await rehash(graphmem, agent_id)
    receipt = await end(graphmem, agent_id, "again")
    assert (receipt.pipeline, receipt.job_id) == ("skipped", None)
    gate = receipt.gate
    assert (gate.significant, gate.reasons, gate.turn_count, gate.entity_overlap, gate.novelty) == (False, (), 0, 0, 0)
    assert gate.thresholds == {"minTurns": 5, "minEntityOverlap": 1, "noveltyThreshold": 0.15}
    assert await graphmem.conversation.intake.end_result(agent_id, "again") == receipt
    assert await events(bolt, agent_id, "session_skipped") == ["again"]
    assert await events(bolt, agent_id, "session_ended") == ["before", "again"]
    (skipped,) = (await graphmem.operation.telemetry.events(agent_id, ["session_skipped"], None, None, 10, None)).items
    assert (skipped.subject_id, skipped.extraction_level) == ("again", None)
    assert (skipped.counts["turnCount"], skipped.counts["entityOverlap"]) == (0, 0)
    jobs, _, _ = await bolt.execute_query("MATCH (j:Job {agent_id: $a}) RETURN j.subjectId AS id", a=agent_id)
    assert [job["id"] for job in jobs] == ["before"]
    kept = await graphmem.conversation.reading.messages(agent_id, "again", -1, 10, None)
    assert [message.content for message in kept.items] == list(SMALL_TALK)
    assert (await graphmem.conversation.intake.session(agent_id, "again")).ended_at is not None


async def test_ending_a_skipped_session_again_answers_the_same_until_something_is_said(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await rehash(graphmem, agent_id)
    first = await end(graphmem, agent_id, "again")
    assert await end(graphmem, agent_id, "again") == first
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="again"))
    assert await end(graphmem, agent_id, "again") == first
    assert (await graphmem.conversation.intake.session(agent_id, "again")).ended_at is not None
    assert await events(bolt, agent_id, "session_skipped") == ["again"]
    await say(graphmem, agent_id, "again", WORK)
    later = await end(graphmem, agent_id, "again")
    assert later.pipeline == "queued"
    assert "turns" in later.gate.reasons
    assert (await work_off(graphmem, agent_id, "again")).pipeline == "done"
    assert (await graphmem.conversation.describing.session(agent_id, "again")).unread == 0, (
        "what was skipped is read with the rest"
    )


async def test_force_passes_the_gate(graphmem: Graphmem, agent_id: str) -> None:
    await rehash(graphmem, agent_id)
    await end(graphmem, agent_id, "again")
    forced = await end(graphmem, agent_id, "again", force=True)
    assert (forced.pipeline, forced.gate.significant, forced.gate.reasons) == ("queued", True, ("forced",))
    assert await end(graphmem, agent_id, "again") == forced


@pytest.mark.parametrize("other", ["another project", None])
async def test_only_sessions_of_the_same_project_and_agent_make_one_old(
    graphmem: Graphmem, agent_id: str, other: str | None
) -> None:
    await rehash(graphmem, agent_id)
    await say(graphmem, agent_id, "elsewhere", SMALL_TALK, project=other)
    await say(graphmem, f"{agent_id}-b", "elsewhere", SMALL_TALK)
    for agent in (agent_id, f"{agent_id}-b"):
        await embed(graphmem, agent)
        receipt = await end(graphmem, agent, "elsewhere")
        assert (receipt.gate.novelty, receipt.gate.reasons) == (1.0, ("novelty",))


async def test_sessions_without_a_project_are_compared_with_each_other(graphmem: Graphmem, agent_id: str) -> None:
    await rehash(graphmem, agent_id, project=None)
    assert (await end(graphmem, agent_id, "again")).pipeline == "skipped"


async def test_a_session_whose_vectors_are_not_ready_counts_as_new(graphmem: Graphmem, agent_id: str) -> None:
    await rehash(graphmem, agent_id)
    await say(graphmem, agent_id, "again", ["Bye!"])
    receipt = await end(graphmem, agent_id, "again")
    assert (receipt.gate.novelty, receipt.pipeline) == (1.0, "queued")


async def test_the_mean_vector_of_a_session_is_kept_and_used(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "before", SMALL_TALK)
    await end(graphmem, agent_id, "before")  # before its vectors are there
    await embed(graphmem, agent_id)
    await say(graphmem, agent_id, "again", SMALL_TALK)
    await embed(graphmem, agent_id)

    async def kept() -> list[str]:
        rows, _, _ = await bolt.execute_query(
            "MATCH (s:Session {agent_id: $a}) WHERE size(s.meanVector) = 384 RETURN s.id AS id ORDER BY id", a=agent_id
        )
        return [row["id"] for row in rows]

    assert await kept() == []
    assert (await end(graphmem, agent_id, "again")).pipeline == "skipped"
    assert await kept() == ["again", "before"]
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'before'}) SET s.meanVector = [x IN s.meanVector | -x]", a=agent_id
    )
    await say(graphmem, agent_id, "third", SMALL_TALK)
    await embed(graphmem, agent_id)
    assert (await end(graphmem, agent_id, "third")).gate.novelty == 0, "as near to `again` as before"
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a}) WHERE s.id <> 'before' SET s.archivedAt = datetime()", a=agent_id
    )
    await say(graphmem, agent_id, "fourth", SMALL_TALK)
    await embed(graphmem, agent_id)
    assert (await end(graphmem, agent_id, "fourth")).gate.novelty == 1, "archived sessions are not looked at"


async def test_only_the_twenty_sessions_that_ended_last_are_looked_at(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await rehash(graphmem, agent_id)
    await bolt.execute_query(
        "UNWIND range(1, 20) AS n CREATE (:Session {agent_id: $a, id: 'other ' + n, project: 'atlas', "
        "startedAt: datetime(), endedAt: datetime(), nextOrdinal: 0, meanVector: [1.0] + [_ IN range(2, 384) | 0.0]})",
        a=agent_id,
    )
    assert (await end(graphmem, agent_id, "again")).gate.novelty > 0.15


async def test_a_known_entity_makes_a_session_worth_reading(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "before", WORK)
    await embed(graphmem, agent_id)
    await end(graphmem, agent_id, "before")
    assert (await work_off(graphmem, agent_id, "before")).pipeline == "done"
    entities = (await graphmem.knowledge.entities.entities(agent_id, None, None, 100, None)).items
    assert [one.mentions >= 3 for one in entities if one.name == "ledger-api"] == [True]
    for session_id, said in (("named", "Is the LEDGER API up?"), ("not named", "Is everything up?")):
        await say(graphmem, agent_id, session_id, [said])
        gate = (await end(graphmem, agent_id, session_id)).gate
        assert gate.entity_overlap == (session_id == "named")
        assert ("entities" in gate.reasons) == (session_id == "named")


async def test_a_pinned_entity_counts_however_rarely_it_was_met(graphmem: Graphmem, agent_id: str) -> None:
    given = Remember(content="It is owned by Tom.", entity="vault-service")
    told = (await graphmem.knowledge.learning.remember(Caller(agent_id), given)).entities
    (known,) = (one for one in told if one.name == "vault-service")
    await say(graphmem, agent_id, "a", ["vault-service?"])
    assert (await end(graphmem, agent_id, "a")).gate.entity_overlap == 0
    await graphmem.knowledge.editing.amend(Caller(agent_id), known.id, EntityChange(pinned=True))
    await say(graphmem, agent_id, "b", ["vault-service?"])
    assert (await end(graphmem, agent_id, "b")).gate.entity_overlap == 1


async def test_only_what_is_new_is_read_when_a_session_goes_on(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", WORK)
    await end(graphmem, agent_id, "s")
    await work_off(graphmem, agent_id, "s")
    await say(graphmem, agent_id, "s", ["And who owns ledger-api from today on?", "Priya owns ledger-api from today."])
    await end(graphmem, agent_id, "s")
    done = await work_off(graphmem, agent_id, "s")
    job = await graphmem.operation.reporting.job(agent_id, str(done.job_id))
    assert isinstance(job.result, dict)
    assert job.result["messages"] == 2


async def test_a_session_nobody_ended_meets_the_gate(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    await rehash(graphmem, agent_id)
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'again'}) SET s.idleSince = datetime() - duration('P1D')", a=agent_id
    )
    care = Housekeeping(
        graphmem.operation.upkeep, graphmem.conversation.intake, GrepStore(graphmem.database), 1800, utc_now
    )
    while await care.end_idle_sessions():
        pass
    result = await graphmem.conversation.intake.end_result(agent_id, "again")
    assert result
    assert result.pipeline == "skipped"


async def test_skipped_sessions_are_read_after_all_and_not_skipped_again(graphmem: Graphmem, agent_id: str) -> None:
    said = ("Who owns vault-api?", "Tom owns vault-api.")
    await rehash(graphmem, agent_id, said)
    await say(graphmem, agent_id, "third", said)
    await embed(graphmem, agent_id)
    skipped = [await end(graphmem, agent_id, session_id) for session_id in ("again", "third")]
    assert [one.pipeline for one in skipped] == ["skipped", "skipped"]
    caller = Caller(agent_id)
    plan = await graphmem.knowledge.backfilling.start(caller, dry_run=True, limit=10)
    assert (plan.job_id, plan.affected) == (None, 2)
    assert [(item.session_id, item.gate) for item in plan.items] == [
        (receipt.session_id, receipt.gate) for receipt in skipped
    ]
    assert (await graphmem.knowledge.backfilling.start(caller, dry_run=True, limit=1)).affected == 1
    started = await graphmem.knowledge.backfilling.start(caller, dry_run=False, limit=1)
    assert [item.session_id for item in started.items] == ["again"]
    assert started.items[0].gate.reasons == ("forced",)
    assert (await end(graphmem, agent_id, "again")).pipeline == "queued"
    done = await work_off(graphmem, agent_id, "again")
    assert (done.pipeline, done.job_id) == ("done", started.job_id)
    assert await end(graphmem, agent_id, "again") == done, "the gate is not asked again"
    summaries = await graphmem.conversation.reading.summaries(agent_id, SummaryFilter(session_id="again"), 10)
    assert [summary.kind for summary in summaries.items] == ["session"]
    job = await graphmem.operation.reporting.job(agent_id, str(started.job_id))
    assert job.result == {"sessions": 1, "memories": 0}, "what it says was known: nothing is kept twice"
    left = await graphmem.knowledge.backfilling.start(caller, dry_run=True, limit=10)
    assert [item.session_id for item in left.items] == ["third"]


async def test_backfill_with_nothing_skipped_makes_no_job(graphmem: Graphmem, agent_id: str) -> None:
    started = await graphmem.knowledge.backfilling.start(Caller(agent_id), dry_run=False, limit=10)
    assert (started.job_id, started.affected, started.items) == (None, 0, ())


async def test_sessions_that_end_at_once_do_not_stop_each_other(graphmem: Graphmem, agent_id: str) -> None:
    names = [f"s{n}" for n in range(8)]
    for name in names:
        await say(graphmem, agent_id, name, SMALL_TALK)
    await embed(graphmem, agent_id)
    receipts = await asyncio.gather(*(end(graphmem, agent_id, name) for name in names))
    assert {receipt.pipeline for receipt in receipts} <= {"queued", "skipped"}
    assert None not in [await graphmem.conversation.intake.end_result(agent_id, name) for name in names]
