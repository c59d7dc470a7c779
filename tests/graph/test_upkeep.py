"""Chores over a real graph: their runs are told by the status, and sessions nobody ended are ended."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.recall.grep import GrepStore
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, Grep, NewMessage, NewMessages, NewSession
from graphmem.model.stored import SummaryFilter
from graphmem.roots import operation
from graphmem.services.operation.chores import Chore, Chores
from graphmem.services.operation.housekeeping import Housekeeping
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings
from tests.waiting import until


async def say(graphmem: Graphmem, agent_id: str, session_id: str, content: str) -> None:
    batch = NewMessages(messages=(NewMessage(role="user", content=content),))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)


async def open_since_a_day(graphmem: Graphmem, agent_id: str) -> list[str]:
    """The agent's sessions that will count as idle a day from now."""
    idle = await graphmem.operation.upkeep.idle_sessions(utc_now() + timedelta(days=1), 100_000)
    return [session for agent, session in idle if agent == agent_id]


async def test_only_open_sessions_count_as_idle_and_each_message_starts_the_clock_anew(
    graphmem: Graphmem, agent_id: str
) -> None:
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="opened"))
    await say(graphmem, agent_id, "spoken", "Billing uses Redis.")
    assert await open_since_a_day(graphmem, agent_id) == ["opened", "spoken"]
    await say(graphmem, agent_id, "opened", "Billing uses Kafka.")
    assert await open_since_a_day(graphmem, agent_id) == ["spoken", "opened"]
    for session_id in ("opened", "spoken"):
        await graphmem.conversation.intake.end(Caller(agent_id), session_id, EndSession())
    assert await open_since_a_day(graphmem, agent_id) == []
    await say(graphmem, agent_id, "spoken", "And billing uses Postgres.")
    assert await open_since_a_day(graphmem, agent_id) == ["spoken"]
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="opened"))
    assert await open_since_a_day(graphmem, agent_id) == ["spoken", "opened"]


async def test_a_session_nobody_ended_is_ended_read_and_summarised(
    graphmem: Graphmem, worker: Worker, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "left", "ledger-api is owned by Priya.")
    await say(graphmem, agent_id, "alive", "ledger-api runs on port 7000.")
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'left'}) SET s.idleSince = datetime() - duration('P1D')", a=agent_id
    )
    await graphmem.operation.chores.start("end_idle_sessions")

    async def read() -> bool:
        result = await graphmem.conversation.intake.end_result(agent_id, "left")
        return result is not None and result.pipeline == "done"

    await until(read)
    assert (
        len(
            (
                await graphmem.conversation.reading.summaries(
                    agent_id, SummaryFilter(kind="session", session_id="left"), 10
                )
            ).items
        )
        == 1
    )
    assert await graphmem.conversation.intake.end_result(agent_id, "alive") is None
    records, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: 'session_ended'}) RETURN e.subjectId AS id, e.actor AS actor", a=agent_id
    )
    assert [(record["id"], record["actor"]) for record in records] == [("left", "upkeep")]


async def test_the_status_tells_each_chores_last_and_next_run(
    http: httpx.AsyncClient, worker: Worker, settings: Settings
) -> None:
    asked = (await http.post("/api/repair/upkeep", json={"name": "forget_requests"})).json()
    assert asked["nextRun"] is not None

    async def all_ran() -> dict[str, Any]:
        listed = {run["name"]: run for run in (await http.get("/api/status")).json()["upkeep"]}
        return listed if all(run["lastRun"] for run in listed.values() if run["intervalS"]) else {}

    upkeep = await until(all_ran)
    assert {name: run["intervalS"] for name, run in upkeep.items()} == {
        "seal_events": settings.event_seal_interval_s,
        "seal_content": settings.content_seal_interval_s,
        "end_idle_sessions": operation.END_IDLE_SESSIONS_S,
        "forget_requests": operation.FORGET_REQUESTS_S,
        "compact_sessions": operation.COMPACT_SESSIONS_S,
        "condense_stale": operation.CONDENSE_STALE_S,
        "find_unanalysed": settings.find_unanalysed_interval_s,
        "fill_grams": operation.FILL_GRAMS_S,
        "retention": settings.retention_interval_s,
        "supersession_sweep": settings.supersession_sweep_interval_s,
        "living_confidence": operation.LIVING_CONFIDENCE_S,
        "fade_feedback": operation.FADE_FEEDBACK_S,
        "finish_erasures": operation.FINISH_ERASURES_S,
    }
    for run in upkeep.values():
        assert run["error"] is None
        if run["intervalS"]:
            assert run["nextRun"] > run["lastRun"]


async def test_two_processes_within_one_chore_do_no_harm(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    """As when one of them lost its lease and does not know it yet."""
    # Two that have nothing in common: the gate lets both pass.
    for session_id, said in (("one", "ledger-api is owned by Priya."), ("other", "The cat slept all winter long.")):
        await say(graphmem, agent_id, session_id, said)
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a}) SET s.idleSince = datetime() - duration('P1D') "
        "WITH s MATCH (s)-[:HAS_MESSAGE]->(m) SET m.grams = null",
        a=agent_id,
    )
    care = Housekeeping(
        graphmem.operation.upkeep,
        graphmem.conversation.intake,
        GrepStore(graphmem.database),
        3600,
        lambda: utc_now() + timedelta(seconds=60),
    )
    for step in (care.end_idle_sessions, care.seal_events, care.fill_grams, care.forget_requests):
        await asyncio.gather(step(), step())
    await graphmem.operation.upkeep.refresh_text()
    events, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a}) WHERE e.hash IS NOT NULL RETURN e.kind AS kind, e.prevHash AS prevHash",
        a=agent_id,
    )
    assert [event["kind"] for event in events].count("session_ended") == 2
    assert len({event["prevHash"] for event in events}) == len(events), "the chain has no fork"
    jobs, _, _ = await bolt.execute_query("MATCH (j:Job {agent_id: $a}) RETURN j.id AS id", a=agent_id)
    assert len(jobs) == 2
    assert (await graphmem.recall.grepping.grep(agent_id, Grep(pattern="edger-api"))).items


async def test_a_chore_that_is_broken_off_stays_asked_for(graphmem: Graphmem) -> None:
    name, now = f"chore-{new_uuid7()}", utc_now()
    stop = asyncio.Event()

    async def endless() -> bool:
        stop.set()
        return True

    chores = Chores(graphmem.operation.upkeep, [Chore(name, 0, endless)], lambda: now, lease_s=60)
    await chores.start(name)
    await chores.carry_out(name, "stopped", stop)
    left = (await graphmem.operation.upkeep.chore_runs([name]))[name]
    assert (left.runs, left.last_run, left.wanted_at) == (0, None, now)
    assert await graphmem.operation.upkeep.take_chore(left, "next", now, 60), "nobody waits for the lease to end"


async def test_an_unknown_chore_is_404_and_names_those_there_are(http: httpx.AsyncClient) -> None:
    answer = await http.post("/api/repair/upkeep", json={"name": "sweeping"})
    assert answer.status_code == 404
    assert "seal_events" in answer.json()["detail"]


async def test_a_chore_is_taken_by_one_process_and_done_once(graphmem: Graphmem) -> None:
    name, now = f"chore-{new_uuid7()}", utc_now()
    seen = (await graphmem.operation.upkeep.chore_runs([name]))[name]
    taken = await asyncio.gather(*(graphmem.operation.upkeep.take_chore(seen, f"w{n}", now, 60) for n in range(8)))
    assert sum(taken) == 1
    holder = f"w{taken.index(True)}"
    await graphmem.operation.upkeep.want_chore(name, now + timedelta(seconds=1))
    await graphmem.operation.upkeep.chore_done(name, holder, now, now + timedelta(seconds=2), "odd")
    done = (await graphmem.operation.upkeep.chore_runs([name]))[name]
    assert (done.runs, done.error, done.last_run) == (1, "odd", now + timedelta(seconds=2))
    assert done.wanted_at == now + timedelta(seconds=1), "asked for while it ran: it is due again"
    assert not await graphmem.operation.upkeep.take_chore(seen, "late", now + timedelta(seconds=3), 60), (
        "it was done meanwhile"
    )
    assert await graphmem.operation.upkeep.take_chore(done, "next", now + timedelta(seconds=3), 60)
    await graphmem.operation.upkeep.chore_done(
        name, "next", now + timedelta(seconds=3), now + timedelta(seconds=4), None
    )
    assert (await graphmem.operation.upkeep.chore_runs([name]))[name].wanted_at is None
    held = (await graphmem.operation.upkeep.chore_runs([name]))[name]
    assert await graphmem.operation.upkeep.take_chore(held, "killed", now, 10)
    assert not await graphmem.operation.upkeep.take_chore(held, "heir", now + timedelta(seconds=9), 10)
    assert await graphmem.operation.upkeep.take_chore(held, "heir", now + timedelta(seconds=11), 10), (
        "its lease ran out"
    )
