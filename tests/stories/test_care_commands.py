"""Operators at the command line: noise put away and brought back, a long session rotated, damage repaired."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from neo4j import AsyncDriver
from typer.testing import CliRunner

from api.cli import app
from api.cli_keys import shown_time
from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import GraphmemError, InvalidInput, NotFound, NotRepairable
from graphmem.graph.operation.jobs import job_create
from graphmem.model.caller import Caller
from graphmem.model.extraction import Extraction
from graphmem.model.inputs import NewMessage, NewMessages, Remember
from graphmem.roots import knowledge as knowledge_root
from graphmem.services.knowledge import extracting
from graphmem.settings import Settings

Run = Callable[..., "asyncio.Future[str]"]


@pytest.fixture
def run(settings: Settings, server_settings: dict[str, str], monkeypatch: pytest.MonkeyPatch, agent_id: str) -> Run:
    """What a command prints; in a thread, for it runs a loop of its own. Errors are ours, as `main` turns them to
    lines; an exit code other than 0 is printed behind."""
    environ = {"GRAPHMEM_DATA_DIR": str(settings.data_dir), "GRAPHMEM_CACHE_DIR": str(settings.cache_dir)}
    for name, value in (server_settings | environ | {"GRAPHMEM_AGENT_ID": agent_id}).items():
        monkeypatch.setenv(name, value)

    async def invoked(*arguments: str) -> str:
        done = await asyncio.to_thread(CliRunner().invoke, app, list(arguments))
        if isinstance(done.exception, GraphmemError):
            raise done.exception
        return done.output + (f"exit {done.exit_code}" if done.exit_code else "")

    return invoked  # type: ignore[return-value]


async def said(graphmem: Graphmem, agent_id: str, session_id: str, number: int) -> None:
    messages = tuple(NewMessage(role="user", content=f"the heron said {place}") for place in range(number))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, NewMessages(messages=messages))


async def test_noise_is_previewed_put_away_and_brought_back(
    graphmem: Graphmem, agent_id: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await said(graphmem, agent_id, "cron:tick", 2)
    await said(graphmem, agent_id, "work:1", 1)
    preview = await run("sessions", "archive", "--matching", "cron:*")
    assert "cron:tick  unknown  2 messages, not ended" in preview
    assert "1 sessions with 2 messages would be archived." in preview
    assert "--apply" in preview
    with monkeypatch.context() as patched:
        patched.setenv("FORCE_COLOR", "1")
        told = await run("sessions", "archive", "--matching", "cron:*", "--apply")
    assert "2 messages are archived." in told
    assert "Sessions" in told, "a bar, on a terminal"
    lines = [line.split() for line in (await run("sessions", "list")).splitlines()]
    assert lines[0] == ["id", "project", "source", "messages", "started", "ended", "archived"]
    assert [(line[0], line[6] == "-") for line in lines[1:]] == [("cron:tick", False), ("work:1", True)]
    assert "1 sessions with 2 messages are restored." in await run("sessions", "restore", "--matching", "cron:tick")
    assert "0 sessions" in await run("sessions", "restore", "--matching", "cron:tick")
    with pytest.raises(InvalidInput, match="segment"):
        await run("sessions", "archive", "--matching", "***")


async def test_a_long_session_is_rotated_once(graphmem: Graphmem, agent_id: str, run: Run) -> None:
    await said(graphmem, agent_id, "long", 70)
    preview = await run("sessions", "rotate", "long")
    assert "would move from message 0 to 6, of 70." in preview
    assert "6 of the messages before it are in no summary" in preview
    assert "moves from message 0 to 6" in await run("sessions", "rotate", "long", "--apply")
    assert "its frontier is there already" in await run("sessions", "rotate", "long", "--apply")
    assert "0 answers of tools" in await run("sessions", "clean", "long")
    with pytest.raises(NotFound, match="sessions list"):
        await run("sessions", "rotate", "nowhere")


async def test_a_repair_looks_before_and_after_and_says_what_no_program_can_do(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, run: Run
) -> None:
    await said(graphmem, agent_id, "s", 3)
    nothing = await run("doctor", "--repair", "chain_broken", "--no-backup")
    assert nothing.strip() == "There is nothing to repair: the doctor does not find chain_broken."
    await bolt.execute_query("MATCH (:Message {agent_id: $a, ordinal: 0})-[r:NEXT]->() DELETE r", a=agent_id)
    assert (await run("doctor", "--repair", "chain_broken", "--no-backup")).strip() == "chain_broken: 1 changed."
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, ordinal: 1}) DETACH DELETE m", a=agent_id)
    part = await run("doctor", "--repair", "ordinals_with_gaps", "--no-backup")
    assert "1 messages are gone" in part
    assert part.endswith("exit 1"), "what is gone is not back"
    assert "heron" not in nothing + part
    with pytest.raises(NotRepairable, match="from a backup"):
        await run("doctor", "--repair", "payload_damaged")
    with pytest.raises(InvalidInput, match="chain_broken"):
        await run("doctor", "--repair", "headache")
    with pytest.raises(InvalidInput, match="--repair"):
        await run("doctor", "--no-backup")


async def test_jobs_that_were_given_up_are_listed_and_retried(run: Run, graphmem: Graphmem, agent_id: str) -> None:
    assert (await run("jobs", "list")).split() == ["id", "kind", "status", "reason"]
    now = datetime(2100, 1, 1, tzinfo=UTC)  # no worker of another test takes it
    job_id = await graphmem.database.write(
        lambda tx: job_create(tx, agent_id, job_id=new_uuid7(), kind="odd", subject_id="s", input_json="{}", now=now)
    )
    while (job := await graphmem.operation.jobs.lease("w", now, 60)) and job.id != job_id:
        pass
    assert job is not None
    await graphmem.operation.jobs.fail(job, "w", "boom", parked=True, now=now, again_at=now)
    listed = (await run("jobs", "list")).splitlines()[1]
    assert listed.split() == [job_id, "odd", "failed", "boom"]
    with pytest.raises(InvalidInput, match="--all"):
        await run("jobs", "retry")
    with pytest.raises(NotFound, match="graphmem jobs list"):
        await run("jobs", "retry", "no-such-job")
    assert job_id in await run("jobs", "retry", "--all")
    (again,) = await graphmem.operation.jobs.open_jobs(agent_id)
    assert (again.id, again.status) == (job_id, "queued")
    assert "0 jobs" in await run("jobs", "retry", "--all")
    await graphmem.database.write(
        lambda tx: job_create(tx, agent_id, job_id=job_id, kind="odd", subject_id="s", input_json="{}", now=now)
    )


async def test_sessions_are_extracted_again_by_a_newer_extractor_only(
    graphmem: Graphmem, agent_id: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = NewMessages(messages=(NewMessage(role="user", content="lamp-service uses Redis."),))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "s", words)
    while (await graphmem.knowledge.learning.read_session(agent_id, "s")).more:
        pass
    assert "no session that another extractor has read" in await run("sessions", "extract", "--all")
    assert "nothing to do" in await run("sessions", "extract", "s", "--apply")
    monkeypatch.setattr(knowledge_root, "EXTRACTOR", "rules-to-come")
    monkeypatch.setattr(extracting, "extract", lambda *_, **__: Extraction())
    preview = await run("sessions", "extract", "--all")
    assert "would send to the cold tier 1 memories, 1 facts, 1 dependencies, 2 entities" in preview
    assert "  - lamp-service uses Redis\n" in preview
    assert "Nothing was changed" in preview
    told = await run("sessions", "extract", "s", "--apply")
    (job,) = await graphmem.operation.repairs.jobs(agent_id)
    assert f"s  job {job.id}" in told
    assert (job.kind, job.status) == ("reextract_session", "queued")
    with pytest.raises(InvalidInput, match="--all"):
        await run("sessions", "extract")


async def remembered(graphmem: Graphmem, agent_id: str, content: str, day: int, **more: object) -> None:
    given = {"content": content, "entity": "wick", "validFrom": datetime(2026, 3, day, tzinfo=UTC)} | more
    await graphmem.knowledge.learning.remember(Caller(agent_id), Remember.model_validate(given))


async def test_an_entity_is_rolled_back_at_the_command_line_and_that_is_undone(
    graphmem: Graphmem, agent_id: str, run: Run
) -> None:
    await remembered(graphmem, agent_id, "wick runs in Oslo", 1, claimKey="city")
    then = utc_now().isoformat()
    await remembered(graphmem, agent_id, "wick runs in Bergen", 2, claimKey="city")
    await remembered(graphmem, agent_id, "wick must never sleep", 2, kind="constraint")
    assert (await run("entities", "rollbacks")).split() == ["id", "entity", "to", "status", "done", "undone"]

    preview = await run("entities", "rollback", "wick", "--to", then)
    assert sorted(preview.splitlines()) == [
        "+ wick runs in Oslo",
        "- wick must never sleep (pinned or a constraint)",
        "- wick runs in Bergen",
        "Nothing was changed: --apply does it.",
    ]
    assert len((await run("entities", "rollbacks")).splitlines()) == 1

    done = await run("entities", "rollback", "wick", "--to", then, "--apply", "--reason", "a bad import")
    assert done.splitlines()[:-1] == preview.splitlines()[:-1]
    assert "wick is what it was then" in await run("entities", "rollback", "wick", "--to", then, "--apply")
    (listed,) = (await run("entities", "rollbacks", "--entity", "wick")).splitlines()[1:]
    id_, name, to, status, at, undone = listed.split()
    assert (name, status, undone) == ("wick", "applied", "-")
    assert to == shown_time(datetime.fromisoformat(then)) <= at
    assert f"Done as {id_}" in done.splitlines()[-1]

    told = await run("entities", "undo-rollback", id_, "--reason", "it was right")
    assert told.strip() == f"The roll-back {id_} of wick is undone."
    (listed,) = (await run("entities", "rollbacks")).splitlines()[1:]
    assert listed.split()[3] == "undone"
    assert (await run("entities", "rollback", "wick", "--to", then)).splitlines() == preview.splitlines()
    assert len((await run("entities", "rollbacks", "--agent", f"other-{agent_id}")).splitlines()) == 1


async def test_a_rollback_that_cannot_be_is_refused_in_words(graphmem: Graphmem, agent_id: str, run: Run) -> None:
    await remembered(graphmem, agent_id, "wick runs in Oslo", 1)
    with pytest.raises(InvalidInput, match="to: "):
        await run("entities", "rollback", "wick", "--to", "yesterday")
    with pytest.raises(InvalidInput, match="still to come"):
        await run("entities", "rollback", "wick", "--to", "2999-01-01")
    with pytest.raises(InvalidInput, match="first heard of"):
        await run("entities", "rollback", "wick", "--to", "2001-01-01")
    with pytest.raises(NotFound):
        await run("entities", "rollback", "wicks", "--to", utc_now().isoformat())
    with pytest.raises(NotFound):
        await run("entities", "undo-rollback", "no-such-id")
