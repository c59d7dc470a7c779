"""The session DAG on a real graph: arcs and epochs that follow what happens to the sessions beneath them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.adapters.language_model import EndpointModel, ModelSettings
from graphmem.app import Graphmem
from graphmem.graph.continuity.condensing import CondensingStore
from graphmem.graph.conversation.reading import ReadingStore
from graphmem.graph.conversation.session_care import SessionCareStore
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.model.caller import Caller
from graphmem.model.condensing import CONDENSE_ALL, Step
from graphmem.model.conversation import Summary
from graphmem.model.inputs import Expand, ExpandSummary, Grep, NewMessage, NewMessages, NewSession
from graphmem.model.stored import SummaryFilter
from graphmem.roots.knowledge import learning_settings
from graphmem.rules.language.text import count_tokens
from graphmem.services.continuity.condensing import Condensing, CondensingSettings
from graphmem.services.conversation.session_care import SessionCare
from graphmem.services.knowledge.learning import Learning
from graphmem.services.ports import LanguageModel
from tests.agents import carried_out
from tests.scripted_model import ScriptedModel, completion, refusal, scripted_model

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
PROJECT = "atlas"


def condensing(graphmem: Graphmem, arcs: int = 2, epochs: int = 2, model: LanguageModel | None = None) -> Condensing:
    dag = CondensingStore(graphmem.database)
    return Condensing(dag, graphmem.operation.jobs, CondensingSettings(arcs, epochs), utc_now, new_uuid7, model)


async def summed_up(
    graphmem: Graphmem, agent_id: str, day: int, *said: str, project: str | None = PROJECT, arcs: int = 2
) -> str:
    """The id of the summary of a session of this day, in which one thing or more was said."""
    session_id, caller, at = f"day {day:02}", Caller(agent_id), START + timedelta(days=day)
    opening = NewSession(session_id=session_id, project=project, started_at=at)
    await graphmem.conversation.intake.open(caller, opening)
    turns = [NewMessage(role="user", name="Mara", content=text, created_at=at) for text in said or (f"Day {day}.",)]
    await graphmem.conversation.intake.add_messages(caller, session_id, NewMessages(messages=tuple(turns)))
    await graphmem.knowledge.learning.read_whole(agent_id, session_id)
    learning = Learning(
        SessionStore(graphmem.database, arc_sessions=arcs),
        KnowledgeStore(graphmem.database),
        graphmem.world.parser,
        learning_settings(graphmem.settings),
        utc_now,
        new_uuid7,
        graphmem.conversation.guards,
    )
    summary_id = await learning.summarise_session(agent_id, session_id)
    assert summary_id
    return summary_id


async def condense(graphmem: Graphmem, agent_id: str, project: str | None = PROJECT, **how: Any) -> int:
    done = await carried_out(condensing(graphmem, **how).carry_on, agent_id, project or "")
    assert isinstance(done, dict)
    return int(done["nodes"])


async def listed(graphmem: Graphmem, agent_id: str, kind: str, project: str | None = PROJECT) -> list[Summary]:
    """Oldest first."""
    page = await graphmem.conversation.reading.summaries(agent_id, SummaryFilter(kind=kind, project=project), 50)
    return list(reversed(page.items))


async def shape(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    """What the DAG is, without ids and times of writing."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (y:Summary {agent_id: $a}) WHERE y.archivedAt IS NULL "
        "RETURN y.dagKey AS key, y.kind AS kind, y.depth AS depth, y.content AS content, y.tokens AS tokens, "
        "y.earliestAt AS earliest, y.latestAt AS latest, coalesce(y.stale, false) AS stale, "
        "COLLECT { MATCH (y)-[h:HAS_CHILD]->(d) RETURN [h.ordinal, d.dagKey] ORDER BY h.ordinal } AS children, "
        "COLLECT { MATCH (y)-[f:FOLLOWS]->(d) RETURN d.dagKey } AS follows, "
        "COLLECT { MATCH (y)-[d:DERIVED_FROM]->(k) RETURN [d.line, k.content] ORDER BY d.line, k.content } AS lines, "
        "COLLECT { MATCH (y)-[d:STATES]->(t) RETURN [d.line, t.content] ORDER BY d.line, t.content } AS facts, "
        "COLLECT { MATCH (y)-[:ABOUT]->(e) RETURN e.canonicalName ORDER BY e.canonicalName } AS about ORDER BY key",
        a=agent_id,
    )
    return [row.data() for row in rows]


async def open_jobs(graphmem: Graphmem, agent_id: str) -> list[tuple[str, str]]:
    return [(job.kind, job.status) for job in await graphmem.operation.jobs.open_jobs(agent_id)]


SAID = (
    ("We decided that billing-service uses RabbitMQ.", "Run `make up` to start billing-service."),
    ("billing-service must never log card numbers.",),
    ("We decided that billing-service uses Kafka instead of RabbitMQ.",),
    ("ledger-api depends on PostgreSQL.",),
    ("Mara lives in Lisbon.",),
    ("ledger-api runs on port 7000.",),
    ("storefront uses Redis.",),
    ("storefront must never call ledger-api.",),
)


async def told(graphmem: Graphmem, agent_id: str, days: Sequence[int] = range(8)) -> None:
    for day in days:
        await summed_up(graphmem, agent_id, day, *SAID[day])


async def test_sessions_become_arcs_and_arcs_an_epoch(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    await told(graphmem, agent_id)
    assert await condense(graphmem, agent_id) == 6
    assert await condense(graphmem, agent_id) == 0, "what is done is done"
    sessions, arcs, epochs = [await listed(graphmem, agent_id, kind) for kind in ("session", "arc", "epoch")]
    assert [summary.session_id for summary in sessions] == [f"day {day:02}" for day in range(8)]
    assert [len(found) for found in (sessions, arcs, epochs)] == [8, 4, 2]
    assert [(arc.depth, arc.child_count, arc.project, arc.stale) for arc in arcs] == [(1, 2, PROJECT, False)] * 4
    assert [(epoch.depth, epoch.child_count) for epoch in epochs] == [(2, 2)] * 2
    for found, above in ((sessions, arcs), (arcs, epochs)):
        assert [one.parent_ids for one in found] == [(above[place // 2].id,) for place in range(len(found))]
    for found in (sessions, arcs, epochs):
        assert [one.predecessor_id for one in found] == [None, *(one.id for one in found[:-1])]
    assert (arcs[1].earliest_at, arcs[1].latest_at) == (sessions[2].earliest_at, sessions[3].latest_at)
    assert set(arcs[0].entity_ids) == {id_ for one in sessions[:2] for id_ in one.entity_ids}
    assert "make up" not in arcs[0].content, "commands stay with the session"
    assert "card numbers" in arcs[0].content
    assert all(arc.token_count == count_tokens(arc.content) for arc in arcs)


async def test_every_line_of_an_arc_leads_back_to_what_was_said(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await told(graphmem, agent_id)
    await condense(graphmem, agent_id)
    above = [*await listed(graphmem, agent_id, "arc"), *await listed(graphmem, agent_id, "epoch")]
    assert len(above) == 6
    for node in above:
        rows, _, _ = await bolt.execute_query(
            "MATCH (y:Summary {agent_id: $a, id: $id})-[d:DERIVED_FROM]->(k:Memory)-[:DERIVED_FROM]->(m:Message) "
            "MATCH (y)-[:HAS_CHILD*1..2]->(:Summary)-[:COVERS]->(m) "
            "OPTIONAL MATCH (y)-[:STATES {line: d.line}]->(t:Attribute) "
            "RETURN d.line AS line, coalesce(t.content, k.content) AS said",
            a=agent_id,
            id=node.id,
        )
        lines = node.content.splitlines()
        assert {row["line"] for row in rows} == set(range(len(lines)))
        assert all(lines[row["line"]].endswith(row["said"]) for row in rows)
        assert set(node.memory_ids) <= {memory.id for memory in (await expanded(graphmem, agent_id, node.id)).memories}


async def expanded(graphmem: Graphmem, agent_id: str, id_: str) -> Any:
    return await graphmem.conversation.reading.expand_summary(agent_id, id_, ExpandSummary(max_tokens=32000))


async def test_an_epoch_is_read_down_to_the_messages(graphmem: Graphmem, agent_id: str) -> None:
    await told(graphmem, agent_id)
    await condense(graphmem, agent_id)
    epoch = (await listed(graphmem, agent_id, "epoch"))[0]
    arcs = (await expanded(graphmem, agent_id, epoch.id)).children
    sessions = [child for arc in arcs for child in (await expanded(graphmem, agent_id, arc.id)).children]
    messages = [child for one in sessions for child in (await expanded(graphmem, agent_id, one.id)).children]
    assert [(arc.kind, one.kind) for arc, one in zip(arcs, sessions[::2], strict=True)] == [("arc", "session")] * 2
    assert [message.content for message in messages] == [text for said in SAID[:4] for text in said]


async def test_an_epoch_tells_only_what_still_holds(graphmem: Graphmem, agent_id: str) -> None:
    await told(graphmem, agent_id, range(4))
    await condense(graphmem, agent_id)
    (epoch,) = await listed(graphmem, agent_id, "epoch")
    lines = epoch.content.splitlines()
    assert lines[0] == "- Constraint: billing-service must never log card numbers"
    assert not [line for line in lines if line.endswith("uses RabbitMQ")]
    assert [line for line in lines if "Kafka" in line]
    held = (await graphmem.recall.expanding.entities.expand(agent_id, Expand(entity="billing-service"))).constraints
    (rule,) = [fact for fact in held if "card numbers" in fact.content]
    await graphmem.knowledge.memories.archive(Caller(agent_id), rule.id, "the law changed")
    (stale,) = await listed(graphmem, agent_id, "epoch")
    assert stale.stale, "it tells a rule that holds no more"
    await condensing(graphmem).queue_stale()
    await condensing(graphmem).queue_stale()
    (job,) = [job for job in await graphmem.operation.jobs.open_jobs(agent_id) if job.kind == CONDENSE_ALL]
    assert job.status == "queued", "nobody ended a session, so nobody else would renew it"
    assert await condense(graphmem, agent_id) == 1
    assert not await CondensingStore(graphmem.database).stale(agent_id, utc_now())
    (renewed,) = await listed(graphmem, agent_id, "epoch")
    assert (renewed.id, renewed.stale) == (epoch.id, False)
    assert "card numbers" not in renewed.content


@pytest.mark.parametrize("order", [(7, 6, 5, 4, 3, 2, 1, 0), (3, 0, 7, 1, 6, 2, 5, 4)])
async def test_sessions_that_come_late_make_the_dag_that_would_be_built_at_once(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, order: Sequence[int]
) -> None:
    days = {day: (f"service-{day} must never call service-{day + 1}.", f"service-{day} uses Redis.") for day in order}
    other = f"{agent_id}-b"
    for day in order:
        await summed_up(graphmem, agent_id, day, *days[day])
        await condense(graphmem, agent_id)
    for day in sorted(order):
        await summed_up(graphmem, other, day, *days[day])
    await condense(graphmem, other)
    assert await shape(bolt, agent_id) == await shape(bolt, other)


async def test_a_late_session_keeps_the_ids_of_what_is_built_again(graphmem: Graphmem, agent_id: str) -> None:
    await told(graphmem, agent_id, (0, 2, 4, 6))
    await condense(graphmem, agent_id)
    before = await listed(graphmem, agent_id, "arc")
    await summed_up(graphmem, agent_id, 3, *SAID[3])
    stale = await listed(graphmem, agent_id, "arc")
    assert [arc.stale for arc in stale] == [False, True]
    assert ("condense", "queued") in await open_jobs(graphmem, agent_id)
    await condense(graphmem, agent_id)
    after = await listed(graphmem, agent_id, "arc")
    assert [arc.id for arc in after] == [arc.id for arc in before]
    assert [arc.stale for arc in after] == [False, False]
    assert after[0].content == before[0].content
    assert after[1].content != before[1].content
    sessions = await listed(graphmem, agent_id, "session")
    assert [one.predecessor_id for one in sessions] == [None, *(one.id for one in sessions[:-1])]
    back = await graphmem.conversation.reading.summaries(
        agent_id, SummaryFilter(kind="session"), 1, None, sessions[-1].id, 3
    )
    assert [one.session_id for one in back.items] == ["day 02"], "three sessions ago"


async def test_projects_and_agents_have_lines_of_their_own(graphmem: Graphmem, agent_id: str) -> None:
    for day, project in enumerate(("a", "b", None) * 2):
        await summed_up(graphmem, agent_id, day, project=project)
    await summed_up(graphmem, f"{agent_id}-b", 9, project="a")
    plan = await condensing(graphmem).start(Caller(agent_id), dry_run=True, limit=10)
    assert [(item.action, item.kind, item.project, item.session_ids) for item in plan.items] == [
        ("build", "arc", "a", ("day 00", "day 03")),
        ("build", "arc", "b", ("day 01", "day 04")),
        ("build", "arc", None, ("day 02", "day 05")),
    ]
    assert await carried_out(condensing(graphmem).carry_on_all, agent_id) == {"nodes": 3}
    for project, days in (("a", ("day 00", "day 03")), ("b", ("day 01", "day 04"))):
        (arc,) = await listed(graphmem, agent_id, "arc", project)
        assert [child.session_id for child in (await expanded(graphmem, agent_id, arc.id)).children] == list(days)
    without = [arc for arc in await listed(graphmem, agent_id, "arc", None) if arc.project is None]
    assert len(without) == 1
    assert not await listed(graphmem, f"{agent_id}-b", "arc", "a")


async def test_a_job_condenses_all_projects_up_to_a_limit(graphmem: Graphmem, agent_id: str) -> None:
    for day, project in enumerate(("a", "b") * 4):
        await summed_up(graphmem, agent_id, day, project=project)
    own = condensing(graphmem)
    started = await own.start(Caller(agent_id), dry_run=False, limit=3)
    assert started.job_id
    assert started.affected == 3
    assert (await own.start(Caller(agent_id), dry_run=False, limit=3)).job_id == started.job_id
    job = await graphmem.operation.jobs.find(agent_id, started.job_id)
    assert job
    assert job.kind == "condense_all"
    assert await carried_out(own.carry_on_all, agent_id, limit=3) == {"nodes": 3}
    assert await carried_out(own.carry_on_all, agent_id) == {"nodes": 3}
    assert (await own.start(Caller(agent_id), dry_run=False, limit=3)).job_id is None


async def test_a_job_is_asked_for_once_there_is_something_to_condense(graphmem: Graphmem, agent_id: str) -> None:
    for day in range(2):
        await summed_up(graphmem, agent_id, day, arcs=3)
    assert await open_jobs(graphmem, agent_id) == []
    await summed_up(graphmem, agent_id, 2, arcs=3)
    assert await open_jobs(graphmem, agent_id) == [("condense", "queued")]
    backlog = (await graphmem.operation.reporting.status(agent_id)).backlog
    assert (backlog.condensation, backlog.extraction) == (1, 0)


async def test_archived_sessions_leave_the_dag_and_come_back_to_the_same_nodes(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await told(graphmem, agent_id, range(5))
    await condense(graphmem, agent_id)
    before = await shape(bolt, agent_id)
    ids = [arc.id for arc in await listed(graphmem, agent_id, "arc")]
    care = SessionCare(
        SessionCareStore(graphmem.database, 2),
        graphmem.conversation.care.payload_files,
        graphmem.conversation.care.guards,
        64,
        utc_now,
        new_uuid7,
    )
    await care.archive(agent_id, ["day 01"], apply=True)
    assert [arc.id for arc in await listed(graphmem, agent_id, "arc")] == ids[1:], "it leaves every list at once"
    assert await listed(graphmem, agent_id, "epoch") == []
    assert ("condense", "queued") in await open_jobs(graphmem, agent_id)
    await condense(graphmem, agent_id)
    arcs = await listed(graphmem, agent_id, "arc")
    assert [arc.id for arc in arcs] == ids
    children = [[c.session_id for c in (await expanded(graphmem, agent_id, arc.id)).children] for arc in arcs]
    assert children == [["day 00", "day 02"], ["day 03", "day 04"]]
    assert not any("card numbers" in arc.content for arc in arcs)
    await care.archive(agent_id, ["day 03"], apply=True)
    await condense(graphmem, agent_id)
    assert [arc.id for arc in await listed(graphmem, agent_id, "arc")] == ids[:1]
    gone = (await ReadingStore(graphmem.database).summaries(agent_id, [ids[1]]))[ids[1]]
    assert (gone.content, gone.child_count) == ("", 0), "an arc of one session is none"
    await graphmem.operation.upkeep.refresh_text()
    found = await graphmem.recall.grepping.grep(agent_id, Grep(pattern="PostgreSQL"))
    assert found.items == ()
    await care.restore(agent_id, ["day 01", "day 03"])
    await condense(graphmem, agent_id)
    assert await shape(bolt, agent_id) == before
    assert [arc.id for arc in await listed(graphmem, agent_id, "arc")] == ids


async def test_an_erased_session_leaves_no_gap(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    for day in range(6):
        await summed_up(graphmem, agent_id, day)
    await condense(graphmem, agent_id)
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'day 02'}) OPTIONAL MATCH (s)-[:HAS_MESSAGE|HAS_SUMMARY]->(n) "
        "DETACH DELETE n, s",
        a=agent_id,
    )
    await condense(graphmem, agent_id)
    arcs = await listed(graphmem, agent_id, "arc")
    children = [[c.session_id for c in (await expanded(graphmem, agent_id, arc.id)).children] for arc in arcs]
    assert children == [["day 00", "day 01"], ["day 03", "day 04"]]
    sessions = await listed(graphmem, agent_id, "session")
    assert [one.predecessor_id for one in sessions] == [None, *(one.id for one in sessions[:-1])]


async def test_a_session_that_goes_on_makes_its_arc_stale(graphmem: Graphmem, agent_id: str) -> None:
    await told(graphmem, agent_id, range(2))
    await condense(graphmem, agent_id)
    await summed_up(graphmem, agent_id, 0, "billing-service must never run as root.")
    (arc,) = await listed(graphmem, agent_id, "arc")
    assert arc.stale
    await condense(graphmem, agent_id)
    (arc,) = await listed(graphmem, agent_id, "arc")
    assert "root" in arc.content


async def test_what_is_marked_while_it_is_built_is_built_again(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await told(graphmem, agent_id, range(2))
    await condense(graphmem, agent_id)
    own = condensing(graphmem)
    line = await own.data.line(agent_id, PROJECT, utc_now())
    await summed_up(graphmem, agent_id, 0, "billing-service must never run as root.")
    (held,) = line.groups
    step = Step("rebuild", "arc", 0, held.child_ids, held=held)
    await own._take(agent_id, PROJECT, line, step)
    (arc,) = await listed(graphmem, agent_id, "arc")
    assert arc.stale, "it was read before the mark"
    assert await condense(graphmem, agent_id) == 1
    assert await condense(graphmem, agent_id) == 0


async def test_compacted_sessions_are_read_by_their_topmost_nodes(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    summary_id = await summed_up(graphmem, agent_id, 0, *(f"Message number {n}." for n in range(6)))
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'day 00'}) SET s.compactedThrough = 4 "
        "CREATE (s)-[:HAS_COMPACTION]->(top:Summary {agent_id: $a, id: $top, dagKey: $top, kind: 'condensed', "
        "depth: 1, content: 'top', tokens: 1, earliestAt: datetime('2026-01-01')}) "
        "CREATE (s)-[:HAS_COMPACTION]->(low:Summary {agent_id: $a, id: $low, dagKey: $low, kind: 'leaf', depth: 0, "
        "content: 'low', tokens: 1, earliestAt: datetime('2026-01-01')}) CREATE (top)-[:HAS_CHILD {ordinal: 0}]->(low) "
        "CREATE (s)-[:HAS_COMPACTION]->(:Summary {agent_id: $a, id: $next, dagKey: $next, kind: 'leaf', depth: 0, "
        "content: 'next', tokens: 1, earliestAt: datetime('2026-01-02')})",
        a=agent_id,
        **{name: f"{agent_id} {name}" for name in ("top", "low", "next")},
    )
    found = await expanded(graphmem, agent_id, summary_id)
    assert [child.content for child in found.children] == ["top", "next", "Message number 4.", "Message number 5."]
    assert found.summary.child_count == 4
    top = (await expanded(graphmem, agent_id, f"{agent_id} top")).summary
    low = (await expanded(graphmem, agent_id, f"{agent_id} low")).summary
    assert (top.parent_ids, low.parent_ids) == ((summary_id,), (top.id,))


# --- a model -----------------------------------------------------------------------------------------------------


def asking(server: ScriptedModel) -> EndpointModel:
    return EndpointModel(
        ModelSettings(
            url=server.url, names=("m",), key=None, timeout_s=5, retries=0, tokens_per_hour=0, tokens_per_day=0
        )
    )


async def test_a_model_may_tell_an_arc_in_fewer_words(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    await told(graphmem, agent_id, range(2))
    with scripted_model() as server:
        server.otherwise = completion(json.dumps({"summary": "- billing: Kafka"}))
        model = asking(server)
        assert await condense(graphmem, agent_id, model=model) == 1
        await model.close()
    (arc,) = await listed(graphmem, agent_id, "arc")
    assert arc.content == "- billing: Kafka"
    assert len(arc.memory_ids) >= 2, "it leads back to all it was made of"
    rows, _, _ = await bolt.execute_query(
        "MATCH (y:Summary {agent_id: $a, id: $id}) RETURN y.method AS m", a=agent_id, id=arc.id
    )
    assert rows[0]["m"] == "model"


@pytest.mark.parametrize(
    "reply", [refusal(500), completion("nonsense"), completion('{"summary": "' + "x y " * 900 + '"}')]
)
async def test_rules_stand_in_for_a_model_that_fails(graphmem: Graphmem, agent_id: str, reply: Any) -> None:
    await told(graphmem, agent_id, range(2))
    with scripted_model() as server:
        server.otherwise = reply
        model = asking(server)
        assert await condense(graphmem, agent_id, model=model) == 1
        await model.close()
    (arc,) = await listed(graphmem, agent_id, "arc")
    assert "card numbers" in arc.content
