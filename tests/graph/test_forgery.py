"""Forgery: somebody writes to the database past graphmem, hashes and keys included, and is found; what can be is put
right, and nothing that is forged becomes official."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from neo4j import AsyncDriver

from api.auth import identify
from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem
from graphmem.model.answers import Verification
from graphmem.model.caller import Caller
from graphmem.model.erasing import Erase, EraseSubject
from graphmem.model.inputs import (
    NewMessage,
    NewMessages,
    Remember,
)
from graphmem.rules.keeping.canonical import message_fingerprint
from graphmem.rules.keeping.seals import sealed_fact, told_of
from graphmem.rules.language.keys import fact_key, sha256_hex
from graphmem.services.operation.housekeeping import seal
from tests.agents import live

TRUE, FORGED = "depot closes at nine.", "depot never closes, says Eve."


async def sealed(graphmem: Graphmem, agent_id: str) -> None:
    """Everything is sealed in the history, and the history chained."""
    while await graphmem.operation.doctor.integrity.seal():
        pass
    await chained(graphmem, agent_id)


async def chained(graphmem: Graphmem, agent_id: str) -> None:
    while await seal(graphmem.operation.upkeep, agent_id, utc_now() + timedelta(days=1)):
        pass


async def told(graphmem: Graphmem, agent_id: str) -> str:
    """An agent with a message and two facts that were given; the id of the one about the depot."""
    await say(graphmem, agent_id, "s", "The depot was painted.")
    for content in ("billing uses Redis.", TRUE):
        given = Remember(content=content, entity=content.split()[0])
        made = await graphmem.knowledge.learning.remember(Caller(agent_id), given)
    return made.attributes[0].id


async def lived(graphmem: Graphmem, agent_id: str) -> str:
    """As `told`, with a session that was read, and a superseded fact."""
    await live(graphmem, agent_id, "billing is owned by Mara.", "The vault uses Redis.")
    return await told(graphmem, agent_id)


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *said: str) -> None:
    batch = tuple(NewMessage(role="user", content=text) for text in said)
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, NewMessages(messages=batch))


async def verified(graphmem: Graphmem, agent_id: str) -> Verification:
    return await graphmem.operation.doctor.verify(agent_id)


async def codes(graphmem: Graphmem, agent_id: str) -> set[str]:
    return {one.code for one in (await verified(graphmem, agent_id)).findings}


async def forge(bolt: AsyncDriver, agent_id: str, id_: str, statement: str, **more: Any) -> None:
    """Alter a fact `t`, of the entity it says; `$key` is the key of the forged words."""
    await bolt.execute_query(
        f"MATCH (t:Attribute {{agent_id: $a, id: $id}}) {statement}", a=agent_id, id=id_, forged=FORGED, **more
    )


async def fact(bolt: AsyncDriver, agent_id: str, id_: str) -> dict[str, Any]:
    rows, _, _ = await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $a, id: $id}) RETURN properties(t) AS held", a=agent_id, id=id_
    )
    held: dict[str, Any] = rows[0]["held"]
    return held


ENTIRELY = (
    "MATCH (t)-[:DERIVED_FROM]->(k) SET t.content = $forged, t.searchText = $forged, t.activeKey = $key, "
    "k.content = $forged, k.searchText = $forged, k.contentKey = $key"
)
"""Every place that says it, with all keys: only the history knows better, and that knows no words."""
FORGERIES = {
    "content": "SET t.content = $forged",
    "content and key": "SET t.content = $forged, t.activeKey = $key",
    "content, index and key": "SET t.content = $forged, t.searchText = $forged, t.activeKey = $key",
    "content and no key": "SET t.content = $forged, t.searchText = $forged, t.activeKey = null",
    "kind": "SET t.kind = 'constraint'",
    "aspect": "SET t.aspect = 'rules'",
    "entity": "MATCH (e:Entity {agent_id: $a, canonicalName: 'billing'})-[:HAS_ASPECT]->(s) WITH t, e, s LIMIT 1 "
    "MATCH ()-[h:HAS_ATTRIBUTE]->(t) DELETE h MERGE (s)-[:HAS_ATTRIBUTE]->(t) "
    "SET t.entityId = e.id, t.activeKey = $moved",
}


@pytest.mark.parametrize("how", FORGERIES)
async def test_a_fact_that_is_altered_with_its_keys_is_found_and_says_again_what_it_said(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str, how: str
) -> None:
    id_ = await told(graphmem, agent_id)
    await sealed(graphmem, agent_id)
    assert (await verified(graphmem, agent_id)).healthy
    before = await fact(bolt, agent_id, id_)
    rows, _, _ = await bolt.execute_query(
        "MATCH (e:Entity {agent_id: $a, canonicalName: 'billing'}) RETURN e.id", a=agent_id
    )
    keys = {"key": fact_key(before["entityId"], FORGED), "moved": fact_key(rows[0][0], TRUE)}
    await forge(bolt, agent_id, id_, FORGERIES[how], **keys)
    (found,) = (await verified(graphmem, agent_id)).findings
    assert (found.code, found.agent_id, "Eve" in found.detail, id_ in found.detail) == (
        "fact_altered",
        agent_id,
        False,
        True,
    )
    assert not (await graphmem.operation.repairs.repair(agent_id, "fact_key_wrong")).changed, "made official"
    done = await graphmem.operation.repairs.repair(agent_id, "fact_altered")
    assert (done.changed, done.left) == (1, ())
    assert await fact(bolt, agent_id, id_) == before
    expanded = await http.post("/api/memory/expand", json={"entity": "depot"})
    assert TRUE in expanded.json()["text"]
    assert (await verified(graphmem, agent_id)).healthy
    assert not (await graphmem.operation.repairs.repair(agent_id, "fact_altered")).changed


async def test_a_fact_of_which_nobody_knows_what_it_said_is_out_of_every_answer_until_a_person_restores_it(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str
) -> None:
    id_ = await told(graphmem, agent_id)
    await sealed(graphmem, agent_id)
    before, known = await fact(bolt, agent_id, id_), utc_now()
    await forge(bolt, agent_id, id_, ENTIRELY, key=fact_key(before["entityId"], FORGED))
    assert await codes(graphmem, agent_id) == {"fact_altered", "memory_altered"}
    assert (await graphmem.operation.repairs.repair(agent_id, "fact_altered")).changed == 1
    memory = await graphmem.operation.repairs.repair(agent_id, "memory_altered")
    assert (memory.changed, len(memory.left)) == (0, 1)
    assert await codes(graphmem, agent_id) == {"fact_quarantined", "memory_altered"}
    assert (await http.get("/api/status")).json()["counts"]["quarantined"] == 1
    assert (await http.get(f"/api/memory/{id_}")).json()["status"] == "cold"
    past = (await http.get(f"/api/memory/{id_}/history")).json()["items"]
    assert "attribute_quarantined" in {one["kind"] for one in past}
    for more in ({}, {"includeCold": True}, {"includeSuperseded": True}, {"knownAt": known.isoformat()}):
        asked = {"query": "when does the depot close", "kinds": ["attribute"]} | more
        hits = (await http.post("/api/memory/recall", json=asked)).json()["hits"]
        assert id_ not in {hit["id"] for hit in hits}, more
    assert "Eve" not in (await http.post("/api/memory/expand", json={"entity": "depot"})).text
    assert "Eve" not in (await http.get("/api/graph/export", params={"knownAt": known.isoformat()})).text
    await http.post("/api/memory/feedback", json={"items": [{"id": id_, "score": 1}]})
    back = {"entityId": "depot", "to": known.isoformat(), "dryRun": False, "reason": "as it was"}
    assert (await http.post("/api/repair/rollback", json=back)).status_code == 200
    assert (await fact(bolt, agent_id, id_))["status"] == "cold", "no feedback and no roll-back brings it back"
    assert (await http.post(f"/api/memory/{id_}/restore", json={"reason": "let me see"})).status_code == 200
    assert "Eve" in (await http.post("/api/memory/expand", json={"entity": "depot"})).text
    assert "fact_altered" in await codes(graphmem, agent_id), "restored, it is still not what it was"


@pytest.mark.parametrize(
    ("statement", "repaired"),
    [
        ("SET t.content = $forged", TRUE),
        ("SET t.content = $forged, t.activeKey = null", None),
        ("SET t.content = $forged, t.searchText = $forged, t.activeKey = 'x'", None),
    ],
)
async def test_what_no_history_seals_yet_is_held_to_its_key_and_its_sources(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, statement: str, repaired: str | None
) -> None:
    id_ = await told(graphmem, agent_id)
    await forge(bolt, agent_id, id_, statement)
    assert await codes(graphmem, agent_id) == {"fact_altered"}
    await sealed(graphmem, agent_id)
    assert await codes(graphmem, agent_id) == {"fact_altered"}, "a seal does not make it true"
    assert not (await graphmem.operation.repairs.repair(agent_id, "fact_key_wrong")).changed
    assert (await graphmem.operation.repairs.repair(agent_id, "fact_altered")).changed == 1
    after = await fact(bolt, agent_id, id_)
    assert (after["content"], after["status"]) == ((repaired, "active") if repaired else (FORGED, "cold"))


@pytest.mark.parametrize(
    ("statement", "proved"),
    [
        ("SET k.content = $forged", True),
        ("SET k.content = $forged, k.searchText = $forged, k.contentKey = 'x'", True),
        ("SET k.type = 'decision'", True),
        ("MATCH (t:Attribute)-->(k) SET k.content = $forged, k.searchText = $forged, t.content = $forged, "
         "t.searchText = $forged", False),
        ("DETACH DELETE k", False),
    ],
)  # fmt: skip
async def test_a_memory_that_is_altered_says_again_what_it_said_where_that_is_proved(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, statement: str, proved: bool
) -> None:
    await told(graphmem, agent_id)
    await sealed(graphmem, agent_id)
    await bolt.execute_query(
        f"MATCH (k:Memory {{agent_id: $a, content: $true}}) {statement}", a=agent_id, true=TRUE, forged=FORGED
    )
    assert "memory_altered" in await codes(graphmem, agent_id)
    done = await graphmem.operation.repairs.repair(agent_id, "memory_altered")
    assert (done.changed, len(done.left)) == ((1, 0) if proved else (0, 1))
    found = await codes(graphmem, agent_id)
    assert found == set() if proved else "memory_altered" in found


@pytest.mark.parametrize("with_seals", [True, False])
async def test_a_key_alone_is_made_anew_where_seal_or_source_say_what_the_fact_says(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, with_seals: bool
) -> None:
    await lived(graphmem, agent_id)
    if with_seals:
        await sealed(graphmem, agent_id)
    await bolt.execute_query("MATCH (t:Attribute {agent_id: $a, status: 'active'}) SET t.activeKey = null", a=agent_id)
    assert await codes(graphmem, agent_id) == {"fact_key_wrong"}
    assert (await graphmem.operation.repairs.repair(agent_id, "fact_key_wrong")).changed > 2
    assert (await verified(graphmem, agent_id)).healthy


TEXT = "SET m.content = 'x', m.searchText = 'x', m.sha256 = $sha256, m.fingerprint = $fingerprint"
MESSAGES = {
    "text and hashes": TEXT,
    "text and hashes, as if moved to a file": f"{TEXT}, m.cleanedAt = datetime()",
    "text, as if moved to a file": "SET m.content = 'x', m.cleanedAt = datetime()",
    "text and hashes, without its salt": f"{TEXT} REMOVE m.salt",
    "who says it": "SET m.role = 'system'",
    "what it calls": """SET m.toolCalls = '[{"id":"c"}]'""",
    "when": "SET m.createdAt = m.createdAt - duration('P1Y')",
    "as if erased": "SET m.content = '', m.searchText = '', m.sha256 = $nothing, m.erasedAt = datetime() "
    "REMOVE m.salt, m.fingerprint",
    "gone": "DETACH DELETE m",
}


@pytest.mark.parametrize("how", MESSAGES)
async def test_a_message_that_is_altered_with_its_hash_is_found_by_the_history(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, how: str
) -> None:
    said = (
        NewMessage(role="user", content="The vault opens at noon."),
        NewMessage(role="user", content="Bring a key."),
    )
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "s", NewMessages(messages=said))
    assert [(one.messages, one.unsealed) for one in (await verified(graphmem, agent_id)).agents] == [(2, 2)]
    await sealed(graphmem, agent_id)
    (clean,) = (await verified(graphmem, agent_id)).agents
    assert (clean.healthy, clean.messages, clean.unsealed) == (True, 2, 0)
    rows, _, _ = await bolt.execute_query(
        f"MATCH (m:Message {{agent_id: $a, ordinal: 0}}) WITH m, m.id AS id {MESSAGES[how]} RETURN id",
        a=agent_id,
        sha256=sha256_hex("x"),
        nothing=sha256_hex(""),
        fingerprint=message_fingerprint("user", None, "x", None, None),
    )
    (found,) = [one for one in (await verified(graphmem, agent_id)).findings if one.code == "message_altered"]
    assert rows[0]["id"] in found.detail
    await sealed(graphmem, agent_id)
    assert "message_altered" in await codes(graphmem, agent_id), "sealed again, it is no better"


async def test_a_seal_that_is_added_or_altered_talks_no_other_round(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    id_ = await told(graphmem, agent_id)
    await sealed(graphmem, agent_id)
    integrity, salt = graphmem.operation.doctor.integrity, uuid4().hex
    key = fact_key((await fact(bolt, agent_id, id_))["entityId"], FORGED)
    await forge(bolt, agent_id, id_, ENTIRELY + ", t.salt = $salt", key=key, salt=salt)
    (forged,) = [one for one in await integrity.data.facts(agent_id, "", 100) if one.id == id_]
    await bolt.execute_query(
        "CREATE (:Event:Unsealed {agent_id: $a, id: $id, kind: 'content_sealed', subjectId: 'facts', actor: 'upkeep', "
        "at: datetime() - duration('P1D'), after: $after})",
        a=agent_id,
        id=str(uuid4()),
        after=told_of([sealed_fact(forged, salt)]),
    )
    await chained(graphmem, agent_id)
    assert await codes(graphmem, agent_id) == {"fact_altered", "memory_altered"}
    await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: 'content_sealed', subjectId: 'messages'}) SET e.after = $none",
        a=agent_id,
        none='{"sealed": 0, "digests": {}}',
    )
    assert await codes(graphmem, agent_id) == {"fact_altered", "memory_altered", "history_broken"}


async def test_what_graphmem_itself_changes_is_no_forgery(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str
) -> None:
    """Merges and their undoing, supersessions and theirs, corrections, archiving, messages made lighter."""
    await lived(graphmem, agent_id)
    picture = "data:image/png;base64," + "QUJD" * 200
    said = NewMessages(messages=(NewMessage(role="user", content="Look.", message_id="big"),))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "pictures", said)
    await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, messageId: 'big'}) SET m.content = $c, m.searchText = $c, m.sha256 = $h",
        a=agent_id,
        c=f"Look: {picture}",
        h=sha256_hex(f"Look: {picture}"),
    )
    await sealed(graphmem, agent_id)
    assert (await graphmem.operation.repairs.repair(agent_id, "message_inline_base64")).changed == 1
    entities = {one["name"]: one["id"] for one in (await http.get("/api/graph/entities")).json()["items"]}
    merged = await http.post(f"/api/graph/entities/{entities['depot']}/merge", json={"intoId": entities["billing"]})
    assert (await verified(graphmem, agent_id)).healthy
    made = await http.post("/api/memory/remember", json={"content": "billing runs at night.", "entity": "depot"})
    await sealed(graphmem, agent_id)
    assert (await http.post(f"/api/graph/merges/{merged.json()['id']}/undo", json={})).status_code == 200
    assert (await verified(graphmem, agent_id)).healthy
    new, old = made.json()["attributes"][0]["id"], await newest(bolt, agent_id, TRUE)
    record = await http.post("/api/memory/supersede", json={"oldId": old, "newId": new, "reason": "so it is"})
    assert (await verified(graphmem, agent_id)).healthy
    await http.post(f"/api/memory/supersessions/{record.json()['id']}/undo", json={})
    corrected = await http.patch(f"/api/memory/{old}", json={"content": "depot closes at ten.", "reason": "asked"})
    assert corrected.status_code == 200
    await http.delete(f"/api/memory/{new}")
    await sealed(graphmem, agent_id)
    found = await verified(graphmem, agent_id)
    assert found.healthy, found.findings


async def newest(bolt: AsyncDriver, agent_id: str, content: str) -> str:
    rows, _, _ = await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $a, content: $c}) RETURN t.id ORDER BY t.createdAt DESC", a=agent_id, c=content
    )
    return str(rows[0][0])


async def test_what_was_erased_is_excused_and_nothing_else_and_its_seal_tells_nothing(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    id_ = await lived(graphmem, agent_id)
    said = (NewMessage(role="user", content="Quentin keeps bees.", message_id="bees"),)
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "other", NewMessages(messages=said))
    await sealed(graphmem, agent_id)
    for subject in (EraseSubject(message_id="bees"), EraseSubject(memory_id=id_), EraseSubject(session_id="s")):
        await graphmem.operation.erasing.erase(Caller(agent_id), Erase(subject=subject, confirm=True))
        await chained(graphmem, agent_id)
        found = await verified(graphmem, agent_id)
        assert found.healthy, (subject, found.findings)
    rows, _, _ = await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, messageId: 'bees'}) RETURN m.salt AS salt, m.content AS content", a=agent_id
    )
    assert [(row["salt"], row["content"]) for row in rows] == [(None, "")], "a digest without its salt is no word"
    more = (NewMessage(role="user", content="And wasps.", message_id="wasps"),)
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "other", NewMessages(messages=more))
    await sealed(graphmem, agent_id)
    await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, messageId: 'wasps'}) WITH m, m.id AS id DETACH DELETE m "
        "WITH id MATCH (x:Erasure {agent_id: $a}) SET x.messageIds = x.messageIds + id",
        a=agent_id,
    )
    assert "message_altered" in await codes(graphmem, agent_id), "a record that its event does not name excuses nothing"


async def test_verify_names_its_agents_and_checks_all_that_the_caller_may_see(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str
) -> None:
    other = f"{agent_id}-other"
    for one in (agent_id, other):
        await say(graphmem, one, "s", "Hello there.")
    await bolt.execute_query("MATCH (m:Message {agent_id: $a}) SET m.content = 'Bye.'", a=other)
    own = (await http.get("/api/verify")).json()
    assert own == {
        "healthy": True,
        "agents": [{"agentId": agent_id, "healthy": True, "messages": 1, "unsealed": 1}],
        "findings": [],
    }
    del http.headers["X-Agent-Id"]
    every = (await http.get("/api/verify")).json()
    states = {one["agentId"]: one["healthy"] for one in every["agents"]}
    assert (every["healthy"], states[agent_id], states[other]) == (False, True, False)
    assert ("message_altered", other) in {(one["code"], one["agentId"]) for one in every["findings"]}
    _, bound = await graphmem.operation.keys.create(agent_id, "read")
    door = {"authorization": f"Bearer {bound}"}
    assert (await http.get("/api/verify", headers=door)).json() == own
    assert not (await identify(graphmem, {})).named
    assert (await identify(graphmem, door)).named
