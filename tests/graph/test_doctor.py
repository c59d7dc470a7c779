"""The doctor: finds each kind of damage that somebody could do to a database, names it, and quotes nobody."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.errors import InvalidInput, NotRepairable
from graphmem.model.answers import Examination
from graphmem.model.caller import Caller
from graphmem.model.inputs import NewMessage, NewMessages
from graphmem.roots.world import payload_folder
from graphmem.rules.keeping.findings import FINDINGS
from graphmem.rules.privacy.payloads import put_back
from graphmem.settings import Settings
from tests.agents import after_a_life


@pytest.fixture
async def lived(graphmem: Graphmem, agent_id: str) -> str:
    """An agent that has some of everything."""
    return await after_a_life(graphmem, agent_id)


@pytest.fixture(scope="module")
async def mended(graphmem: Graphmem) -> str:
    """An agent that has some of everything; each test leaves it healthy, or those that follow fail too."""
    return await after_a_life(graphmem, f"test-{uuid4().hex}")


async def examined(graphmem: Graphmem, agent_id: str) -> Examination:
    """What is found about the agent itself; what others' tests do to the shared store aside."""
    found = await graphmem.operation.doctor.examine(agent_id)
    own = tuple(one for one in found.findings if one.code not in {"index_populating", "chore_failed"})
    return Examination(healthy=not own, findings=own)


async def test_a_memory_that_was_left_alone_is_healthy(graphmem: Graphmem, lived: str) -> None:
    assert await examined(graphmem, lived) == Examination(healthy=True, findings=())


async def test_an_empty_memory_is_not_healthy(graphmem: Graphmem, agent_id: str) -> None:
    found = await examined(graphmem, agent_id)
    assert not found.healthy
    assert [finding.code for finding in found.findings] == ["memory_empty"]


UNDO = "MATCH (t:Attribute {agent_id: $a})-[r:SUPERSEDED_BY]->() WHERE r.undoneAt IS NULL WITH t, r LIMIT 1 "
"""A fact that was retired, and the link that says so."""
FACT = "MATCH (t:Attribute {agent_id: $a, status: 'active'}) WITH t LIMIT 1 "
BASE64 = "'see data:image/png;base64,' + reduce(s = '', _ IN range(1, 100) | s + 'QUJD')"
DAMAGE = {
    "ordinals_with_gaps: counted wrong": "MATCH (s:Session {agent_id: $a, id: 's'}) SET s.nextOrdinal = 7",
    "chain_broken": "MATCH (:Message {agent_id: $a, ordinal: 1})-[r:NEXT]->() DELETE r",
    "source_lineage": "MATCH (m:Message {agent_id: $a, ordinal: 1}) SET m.source = 'elsewhere', m.project = 'other'",
    "source_lineage: none": "MATCH (s:Session {agent_id: $a, id: 's'}) SET s.source = ' '",
    "orphans: fact": "MATCH (:Aspect)-[r:HAS_ATTRIBUTE]->(t:Attribute {agent_id: $a}) WITH r LIMIT 1 DELETE r",
    "orphans: message": "MATCH (:Session)-[r:HAS_MESSAGE]->(:Message {agent_id: $a, ordinal: 2}) DELETE r",
    "orphans: session": "MATCH (s:Session {agent_id: $a, id: 's'}) DETACH DELETE s",
    "orphans: entity": "MATCH (n:Name {agent_id: $a})-[:NAMES]->(:Entity) WITH n LIMIT 1 DETACH DELETE n",
    "orphans: summary": "MATCH (:Summary {agent_id: $a})-[r:COVERS]->() DELETE r",
    "supersession_broken: link gone": UNDO + "DELETE r",
    "supersession_broken: record": "MATCH (s:Supersession {agent_id: $a, status: 'applied'}) SET s.status = 'proposed'",
    "supersession_broken: record gone": "MATCH (s:Supersession {agent_id: $a, status: 'applied'}) DELETE s",
    "supersession_broken: circle": UNDO + "MATCH (t)-[r]->(n) "
    "CREATE (n)-[:SUPERSEDED_BY {agent_id: $a, id: 'back', at: r.at + duration('PT1S'), validTo: r.validTo}]->(t) "
    "SET n.status = 'superseded', n.supersededBy = t.id, n.activeKey = null",
    "fact_key_wrong: none": FACT + "SET t.activeKey = null",
    "fact_key_wrong: other": FACT + "SET t.activeKey = 'x'",
    "fact_key_wrong: kept": UNDO + "SET t.activeKey = 'x'",
    "supersession_broken: active": UNDO + "SET t.status = 'active', t.supersededBy = null, t.retiredAt = null",
    "text_without_vector": "MATCH (m:Message {agent_id: $a, ordinal: 0}) REMOVE m.embedding",
    "text_without_grams": "MATCH (m:Message {agent_id: $a, ordinal: 0}) REMOVE m.grams",
    "text_without_grams: summary": "MATCH (y:Summary {agent_id: $a}) REMOVE y.grams",
    "message_oversized": "MATCH (m:Message {agent_id: $a, ordinal: 0}) "
    "SET m.content = reduce(s = 'a ', _ IN range(1, 19) | s + s), m.searchText = m.content, m.contentChars = 1048576",
    "message_inline_base64": f"MATCH (m:Message {{agent_id: $a, ordinal: 0}}) SET m.content = {BASE64}, "
    "m.searchText = m.content",
    "message_inline_base64: tool": f"MATCH (m:Message {{agent_id: $a, ordinal: 0}}) "
    f"SET m.toolCalls = '[{{\"in\":\"' + {BASE64} + '\"}}]'",
    "archive_incomplete: restored": "MATCH (m:Message {agent_id: $a, ordinal: 1}) SET m.archivedAt = datetime()",
    "events_unsealed": "MATCH (e:Event {agent_id: $a}) WITH e ORDER BY e.at DESC LIMIT 1 "
    "CREATE (u:Event:Unsealed {agent_id: $a, id: 'late', at: datetime() - duration('PT5M'), kind: 'x'})",
    "jobs_failed": "MATCH (j:Job {agent_id: $a}) WITH j LIMIT 1 SET j.status = 'failed', j.error = 'boom'",
}


TOLD_AS = {
    "message_oversized": "message_lightened",
    "message_inline_base64": "message_lightened",
}
"""Repairs that the history tells by another kind of event."""


@pytest.mark.parametrize("planted", DAMAGE)
async def test_each_damage_is_found_named_and_put_right_without_a_word_of_anybody(
    graphmem: Graphmem, bolt: AsyncDriver, mended: str, planted: str
) -> None:
    code = planted.split(":")[0]
    await bolt.execute_query(DAMAGE[planted], a=mended)
    found = await examined(graphmem, mended)
    assert not found.healthy
    assert code in {finding.code for finding in found.findings}
    for finding in found.findings:
        assert finding.fix
        assert "heron" not in finding.detail + finding.fix

    done = await graphmem.operation.repairs.repair(mended, code)
    assert done.changed
    assert not done.left
    after = {finding.code for finding in (await examined(graphmem, mended)).findings}
    assert code not in after
    assert after <= {"events_unsealed"}, "nobody chains here what the repairs before this one told"
    again = await graphmem.operation.repairs.repair(mended, code)
    assert not again.changed or code == "events_unsealed", "by then there are younger events to chain"
    told, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: $kind}) WHERE $kind <> 'repaired' OR e.reason = $code "
        "RETURN e.after AS after ORDER BY e.at DESC LIMIT 1",
        a=mended,
        kind=TOLD_AS.get(code, "repaired"),
        code=code,
    )
    assert told or code == "events_unsealed"
    assert "heron" not in f"{told}"


async def test_a_history_that_was_changed_is_beyond_repair(graphmem: Graphmem, bolt: AsyncDriver, lived: str) -> None:
    await bolt.execute_query("MATCH (e:Event {agent_id: $a}) WITH e LIMIT 1 SET e.actor = 'mallory'", a=lived)
    assert "history_broken" in {finding.code for finding in (await examined(graphmem, lived)).findings}
    with pytest.raises(NotRepairable, match="backup"):
        await graphmem.operation.repairs.repair(lived, "history_broken")


async def test_a_payload_that_is_gone_or_altered_is_found(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str, settings: Settings
) -> None:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 60
    batch = NewMessages(messages=(NewMessage(role="user", content=f"Look: {picture}"),))
    await graphmem.conversation.intake.add_messages(Caller(lived), "pictures", batch)
    records, _, _ = await bolt.execute_query(
        "MATCH (p:Payload {agent_id: $a}) RETURN p.where AS at, p.sha256 AS id", a=lived
    )
    file = payload_folder(settings) / records[0]["at"]
    assert "payload_damaged" not in {finding.code for finding in (await examined(graphmem, lived)).findings}
    file.write_bytes(b"something else")
    assert "payload_damaged" in {finding.code for finding in (await examined(graphmem, lived)).findings}
    file.unlink()
    (found,) = [one for one in (await examined(graphmem, lived)).findings if one.code == "payload_damaged"]
    assert records[0]["id"] in found.detail


async def test_secrets_from_before_redaction_are_counted_and_not_shown(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    """Wherever they stand: what redaction would replace today in a message that comes in."""
    by_name = {"name": "login", "arguments": {"password": "ab"}}
    said = (
        NewMessage(role="user", content="DB_PASSWORD=correct-horse"),
        NewMessage(role="assistant", content="Logging in.", tool_calls=({"id": "c1", "function": by_name},)),
        NewMessage(role="user", content="Look.", metadata={"login": {"password": "ab"}}),
        NewMessage(role="user", content="Hello.", name="PASSWORD=correct-horse"),
        NewMessage(role="tool", content='{"password": "ab"}'),
        NewMessage(role="tool", content=[{"type": "tool_result", "content": {"password": "ab"}}]),
        NewMessage(role="user", content="What went out.", message_id="out"),
        NewMessage(role="user", content='The form has a field "password", of type string.'),
        NewMessage(role="user", content="Nothing to see.", name="password"),
    )
    await graphmem.conversation.intake.add_messages(Caller(lived), "secrets", NewMessages(messages=said))
    await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, messageId: 'out'}) "
        "SET m.searchText = m.searchText + '\nPASSWORD=correct-horse'",
        a=lived,
    )
    careful = replace(graphmem.operation.doctor, redact=("password_assignment",))
    (found,) = [one for one in (await careful.examine(lived)).findings if one.code == "secrets_stored"]
    assert found.detail.startswith("7 messages")
    assert "horse" not in found.detail + found.fix


@pytest.mark.parametrize(
    "hide",
    [
        "MATCH (e:Event {agent_id: $a}) WITH e ORDER BY e.at LIMIT 1 DELETE e",
        "MATCH (c:EventChain {agent_id: $a}) DELETE c",
    ],
)
async def test_history_cannot_be_taken_away_unseen(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str, hide: str
) -> None:
    await bolt.execute_query(hide, a=lived)
    assert "history_broken" in {finding.code for finding in (await examined(graphmem, lived)).findings}


async def test_what_leaves_a_message_by_repair_is_put_back_to_the_letter(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    await bolt.execute_query(DAMAGE["message_inline_base64"], a=lived)
    before = (await graphmem.conversation.reading.messages(lived, "s", -1, 1, None)).items[0]
    await graphmem.operation.repairs.repair(lived, "message_inline_base64")
    after = (await graphmem.conversation.reading.messages(lived, "s", -1, 1, None)).items[0]
    assert (after.id, after.ordinal, after.sha256) == (before.id, before.ordinal, before.sha256)
    assert len(after.content) < len(before.content)
    (payload,) = after.payloads
    bytes_ = (await graphmem.conversation.payloads.read(lived, payload.sha256, 0, None)).data
    assert put_back(after.content, {payload.sha256: bytes_}) == before.content


async def test_a_gap_is_closed_in_order_and_the_history_names_what_is_missing(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, ordinal: 1}) DETACH DELETE m", a=lived)
    done = await graphmem.operation.repairs.repair(lived, "ordinals_with_gaps")
    assert done.left == ("1 messages are gone: only a backup that holds them brings them back.",)
    kept = (await graphmem.conversation.reading.messages(lived, "s", -1, 10, None)).items
    assert [(one.ordinal, "Mara" in one.content) for one in kept] == [(0, True), (1, False)]
    told, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: 'repaired', reason: 'ordinals_with_gaps'}) RETURN e.after AS after",
        a=lived,
    )
    assert told[0]["after"] == '{"messages": 2, "missing": [1]}'
    added = NewMessages(messages=(NewMessage(role="user", content="And one more."),))
    assert (await graphmem.conversation.intake.add_messages(Caller(lived), "s", added)).messages[0].ordinal == 2


async def test_a_memory_whose_words_are_gone_is_left_and_said_so(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str
) -> None:
    given = (
        "MATCH (k:Memory {agent_id: $a}) WHERE NOT (k)-[:DERIVED_FROM]->(:Message) WITH k LIMIT 1 SET k.sessionId = 's'"
    )
    await bolt.execute_query(given, a=lived)
    done = await graphmem.operation.repairs.repair(lived, "orphans")
    assert not done.changed
    assert "only a backup brings it back" in done.left[0]
    assert "Memory" in done.left[0]


async def test_a_code_that_is_none_is_refused_with_those_there_are(graphmem: Graphmem, agent_id: str) -> None:
    with pytest.raises(InvalidInput, match="text_without_vector"):
        await graphmem.operation.repairs.repair(agent_id, "headache")


async def test_every_code_that_can_be_repaired_has_a_repair_which_finds_nothing_to_do(
    graphmem: Graphmem, agent_id: str
) -> None:
    codes = {code for code, kind in FINDINGS.items() if kind.repairable} - {"chore_failed"}  # others' tests fail chores
    assert not [code for code in sorted(codes) if (await graphmem.operation.repairs.repair(agent_id, code)).changed]


async def test_a_damaged_payload_is_beyond_repair_and_says_what_to_do(graphmem: Graphmem, agent_id: str) -> None:
    with pytest.raises(NotRepairable, match="from a backup"):
        await graphmem.operation.repairs.repair(agent_id, "payload_damaged")


async def test_a_chore_that_failed_is_done_once_more(graphmem: Graphmem, bolt: AsyncDriver, lived: str) -> None:
    await graphmem.operation.chores.carry_out("forget_requests", "tests", asyncio.Event())
    await bolt.execute_query("MATCH (l:Lease {name: 'forget_requests'}) SET l.error = 'boom: x'")
    assert "chore_failed" in {finding.code for finding in (await graphmem.operation.doctor.examine(lived)).findings}
    assert (await graphmem.operation.repairs.repair(lived, "chore_failed")).changed >= 1
    assert "chore_failed" not in {finding.code for finding in (await graphmem.operation.doctor.examine(lived)).findings}


async def test_settings_that_make_a_memory_useless_are_named(
    graphmem: Graphmem, lived: str, settings: Settings
) -> None:
    careless = settings.model_copy(update={"ignore_sessions": ("cron:*", "**"), "supersession_enabled": False})
    told = [
        one.detail
        for one in (await replace(graphmem.operation.doctor, doubts=careless.doubts()).examine(lived)).findings
    ]
    assert [detail.split(" ")[0] for detail in told] == [
        "GRAPHMEM_IGNORE_SESSIONS",
        "GRAPHMEM_SUPERSESSION_ENABLED",
    ]
