"""The doctor: finds each kind of damage that somebody could do to a database, names it, and quotes nobody."""

from dataclasses import replace
from datetime import timedelta

import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem, payload_folder
from graphmem.model.answers import Examination
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, Remember
from graphmem.rules.history import chain
from graphmem.settings import Settings

SECRET_WORDS = "the heron sleeps at noon"
"""What somebody said, and no finding may repeat."""


@pytest.fixture
async def lived(graphmem: Graphmem, agent_id: str) -> str:
    """An agent with a session that was read, facts of which one is superseded, vectors, and a chained history."""
    caller = Caller(agent_id)
    said = (f"billing is owned by Mara. {SECRET_WORDS}.", "billing is owned by Noor.", "billing uses Redis.")
    batch = NewMessages(messages=tuple(NewMessage(role="user", content=text) for text in said))
    await graphmem.conversations.add_messages(caller, "s", batch)
    await graphmem.conversations.end(caller, "s", EndSession())
    worker = graphmem.worker()
    for _ in range(500):
        ended = await graphmem.conversations.end_result(agent_id, "s")
        if ended and ended.pipeline == "done":
            break
        await worker.work_once()
    for owner in ("Mara", "Ilse"):
        given = Remember(content=f"search is owned by {owner}.", entity="search", claim_key="owner")
        await graphmem.learning.remember(caller, given)
    while await graphmem.upkeep.waiting_vectors(agent_id):
        texts = await graphmem.upkeep.waiting_texts(200)
        await graphmem.upkeep.store_vectors(texts, await graphmem.embedder.embed([text.text for text in texts]))
    waiting = await graphmem.upkeep.unsealed_events(agent_id, utc_now() + timedelta(days=1), 500)
    if waiting.events:
        await graphmem.upkeep.seal_events(agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events))
    return agent_id


async def examined(graphmem: Graphmem, agent_id: str) -> Examination:
    """What is found about the agent itself; what others' tests do to the shared store aside."""
    found = await graphmem.doctor.examine(agent_id)
    own = tuple(one for one in found.findings if one.code not in {"index_populating", "chore_failed"})
    return Examination(healthy=not own, findings=own)


async def test_a_memory_that_was_left_alone_is_healthy(graphmem: Graphmem, lived: str) -> None:
    assert await examined(graphmem, lived) == Examination(healthy=True, findings=())


async def test_an_empty_memory_is_not_healthy(graphmem: Graphmem, agent_id: str) -> None:
    found = await examined(graphmem, agent_id)
    assert not found.healthy
    assert [finding.code for finding in found.findings] == ["memory_empty"]


DAMAGE = {
    "ordinals_with_gaps": "MATCH (m:Message {agent_id: $a, ordinal: 1}) DETACH DELETE m",
    "orphans": "MATCH (:Aspect)-[r:HAS_ATTRIBUTE]->(t:Attribute {agent_id: $a}) WITH r LIMIT 1 DELETE r",
    "supersession_broken": "MATCH (t:Attribute {agent_id: $a})-[r:SUPERSEDED_BY]->() WITH r LIMIT 1 DELETE r",
    "text_without_vector": "MATCH (m:Message {agent_id: $a, ordinal: 0}) REMOVE m.embedding",
    "message_oversized": "MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.contentChars = 2000000",
    "message_inline_base64": "MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.content = 'data:x/y;base64,AAAA'",
    "history_broken": "MATCH (e:Event {agent_id: $a}) WITH e LIMIT 1 SET e.actor = 'mallory'",
    "events_unsealed": "MATCH (e:Event {agent_id: $a}) WITH e ORDER BY e.at DESC LIMIT 1 "
    "CREATE (u:Event:Unsealed {agent_id: $a, id: 'late', at: datetime() - duration('PT5M'), kind: 'x'})",
    "jobs_failed": "MATCH (j:Job {agent_id: $a}) WITH j LIMIT 1 SET j.status = 'failed', j.error = 'boom'",
}


@pytest.mark.parametrize("code", DAMAGE)
async def test_each_damage_is_found_named_and_comes_with_a_fix(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str, code: str
) -> None:
    await bolt.execute_query(DAMAGE[code], a=lived)
    found = await examined(graphmem, lived)
    assert not found.healthy
    assert code in {finding.code for finding in found.findings}
    for finding in found.findings:
        assert finding.fix
        assert "heron" not in finding.detail + finding.fix
    await bolt.execute_query("MATCH (u:Unsealed {agent_id: $a}) DETACH DELETE u", a=lived)


async def test_a_payload_that_is_gone_or_altered_is_found(
    graphmem: Graphmem, bolt: AsyncDriver, lived: str, settings: Settings
) -> None:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 60
    batch = NewMessages(messages=(NewMessage(role="user", content=f"Look: {picture}"),))
    await graphmem.conversations.add_messages(Caller(lived), "pictures", batch)
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


async def test_secrets_from_before_redaction_are_counted_and_not_shown(graphmem: Graphmem, lived: str) -> None:
    batch = NewMessages(messages=(NewMessage(role="user", content="DB_PASSWORD=correct-horse"),))
    await graphmem.conversations.add_messages(Caller(lived), "secrets", batch)
    careful = replace(graphmem.doctor, redact=("password_assignment",))
    (found,) = [one for one in (await careful.examine(lived)).findings if one.code == "secrets_stored"]
    assert found.detail.startswith("1 messages")
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
