"""Care for sessions: what is put away is in no answer and comes back whole; a rotated session loses nothing."""

import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import InvalidInput, NotFound, SessionStateless
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, Grep, NewMessage, NewMessages, NewSession, Recall
from graphmem.model.stored import MessageRef
from graphmem.rules.privacy.guards import GuardRules
from graphmem.rules.privacy.payloads import put_back
from graphmem.services.conversation.guards import Guards
from graphmem.services.conversation.intake import Intake
from graphmem.services.conversation.session_care import SessionCare
from tests.agents import embed
from tests.waiting import worked_until

PICTURE = "data:image/png;base64," + "iVBORw0KGgo" * 60


async def talked(graphmem: Graphmem, agent_id: str, session_id: str, said: Sequence[str], **opening: Any) -> None:
    """A session that was read, summarised and embedded."""
    caller = Caller(agent_id)
    await graphmem.conversation.intake.open(caller, NewSession(session_id=session_id, **opening))
    batch = NewMessages(messages=tuple(NewMessage(role="user", content=text) for text in said))
    await graphmem.conversation.intake.add_messages(caller, session_id, batch)
    await ended(graphmem, agent_id, session_id)


async def ended(graphmem: Graphmem, agent_id: str, session_id: str) -> None:
    await graphmem.conversation.intake.end(Caller(agent_id), session_id, EndSession())
    worker = graphmem.worker()

    async def done() -> bool:
        found = await graphmem.conversation.intake.end_result(agent_id, session_id)
        return found is not None and found.pipeline == "done"

    await worked_until(worker, done)
    await embedded(graphmem, agent_id)


async def embedded(graphmem: Graphmem, agent_id: str) -> None:
    await embed(graphmem, agent_id)
    await graphmem.operation.upkeep.refresh_text()


async def recalled(graphmem: Graphmem, agent_id: str, query: str) -> set[str | None]:
    found = await graphmem.recall.recalling.recall(agent_id, Recall(query=query, limit=50))
    return {hit.session_id for hit in found.hits}


async def codes(graphmem: Graphmem, agent_id: str) -> set[str]:
    found = {finding.code for finding in (await graphmem.operation.doctor.examine(agent_id)).findings}
    return found - {"events_unsealed", "chore_failed", "index_populating"}


async def own_properties(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    """Labels and properties of an agent's sessions, messages and summaries, but for what counts as a lock."""
    found, _, _ = await bolt.execute_query(
        "MATCH (n:Session|Message|Summary {agent_id: $a}) RETURN labels(n) AS labels, properties(n) AS p "
        "ORDER BY n.sessionId, n.id",
        a=agent_id,
    )
    return [(sorted(row["labels"]), {k: v for k, v in row["p"].items() if k != "lock"}) for row in found]


async def test_archived_noise_is_in_no_answer_and_one_call_brings_it_back(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str
) -> None:
    care = graphmem.conversation.care
    await talked(graphmem, agent_id, "work:1", ["The heron service is owned by Mara."], project="P")
    await talked(
        graphmem, agent_id, "cron:tick", ["The heron service printed a heartbeat."], project="P", source="cron"
    )
    await talked(graphmem, agent_id, "work:2", ["The heron service uses Redis."], project="P")
    before = await own_properties(bolt, agent_id)

    preview = await care.archive(agent_id, ["cron:*"], apply=False)
    assert ([line.id for line in preview.sessions], preview.messages) == (["cron:tick"], 1)
    assert await own_properties(bolt, agent_id) == before, "a preview changes nothing"

    assert (await care.archive(agent_id, ["cron:*"], apply=True)).messages == 1
    await graphmem.operation.upkeep.refresh_text()
    assert "cron:tick" not in await recalled(graphmem, agent_id, "heron service heartbeat")
    listed = (await http.get("/api/sessions")).json()["items"]
    assert {one["sessionId"] for one in listed} == {"work:1", "work:2"}
    away = (await http.get("/api/sessions", params={"archived": "true"})).json()["items"]
    assert [one["sessionId"] for one in away] == ["cron:tick"]
    assert away[0]["archivedAt"]
    dag = (await http.get("/api/sessions/summaries", params={"project": "P"})).json()["items"]
    assert [one["sessionId"] for one in dag] == ["work:2", "work:1"]
    assert dag[0]["predecessorId"] == dag[1]["id"], "the walk goes past what is put away"
    (kept,) = (await graphmem.conversation.reading.messages(agent_id, "cron:tick", -1, 10, None)).items
    assert "heartbeat" in kept.content
    assert (await graphmem.conversation.reading.message(agent_id, MessageRef(kept.id), None)).content == kept.content
    assert await codes(graphmem, agent_id) == set(), "the doctor knows what is put away"
    assert not (await care.archive(agent_id, ["cron:*"], apply=True)).sessions, "a second call has nothing to do"

    assert [line.id for line in (await care.restore(agent_id, ["cron:tick"])).sessions] == ["cron:tick"]
    await graphmem.operation.upkeep.refresh_text()
    assert "cron:tick" in await recalled(graphmem, agent_id, "heron service heartbeat")
    assert await own_properties(bolt, agent_id) == before
    told, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, subjectId: 'cron:tick'}) RETURN e.kind AS kind ORDER BY e.at", a=agent_id
    )
    assert [row["kind"] for row in told][-2:] == ["session_archived", "session_restored"]


async def test_an_archiving_that_was_cut_short_is_told_and_carried_to_its_end(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await talked(graphmem, agent_id, "cron:1", ["tick one", "tick two"])
    event = graphmem.conversation.care._event("session_archived", "cron:1")
    await graphmem.conversation.care.data.mark_archived(agent_id, "cron:1", event)
    assert await codes(graphmem, agent_id) == {"archive_incomplete"}
    assert (await graphmem.operation.repairs.repair(agent_id, "archive_incomplete")).changed == 1
    assert await codes(graphmem, agent_id) == set()
    await graphmem.operation.upkeep.refresh_text()
    assert await recalled(graphmem, agent_id, "tick") == set()


async def test_what_is_said_in_an_archived_session_is_kept_and_stays_archived(
    graphmem: Graphmem, agent_id: str
) -> None:
    await talked(graphmem, agent_id, "cron:tick", ["The heron service printed a heartbeat."])
    await graphmem.conversation.care.archive(agent_id, ["cron:*"], apply=True)
    batch = NewMessages(messages=(NewMessage(role="user", content="The heron service printed another heartbeat."),))
    receipt = await graphmem.conversation.intake.add_messages(Caller(agent_id), "cron:tick", batch)
    assert receipt.messages[0].ordinal == 1
    await graphmem.operation.upkeep.refresh_text()
    assert await recalled(graphmem, agent_id, "another heartbeat") == set()
    assert await codes(graphmem, agent_id) == set()
    assert not await graphmem.operation.upkeep.waiting_vectors(agent_id)

    await graphmem.conversation.care.restore(agent_id, ["cron:tick"])
    await graphmem.operation.upkeep.refresh_text()
    assert "cron:tick" in await recalled(graphmem, agent_id, "another heartbeat")


async def test_a_session_without_vectors_waits_for_them_again_when_it_is_back(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    batch = NewMessages(messages=(NewMessage(role="user", content="tick"),))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "cron:1", batch)
    await graphmem.conversation.care.archive(agent_id, ["cron:1"], apply=True)
    assert await graphmem.operation.upkeep.waiting_vectors(agent_id) == 0
    # A worker of another test may have been quicker than this one.
    await bolt.execute_query("MATCH (m:Message {agent_id: $a}) SET m.archivedEmbedding = null", a=agent_id)
    idle = "MATCH (s:Session {agent_id: $a}) RETURN s.idleSince AS idle"
    assert (await bolt.execute_query(idle, a=agent_id)).records[0]["idle"] is None
    await graphmem.conversation.care.restore(agent_id, ["cron:1"])
    waits = "MATCH (m:Message {agent_id: $a}) RETURN m:Unembedded OR m.embedding IS NOT NULL AS waits"
    assert (await bolt.execute_query(waits, a=agent_id)).records[0]["waits"]
    assert (await bolt.execute_query(idle, a=agent_id)).records[0]["idle"] is not None


async def test_what_only_noise_says_goes_cold_with_it_and_comes_back(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    for session_id in ("cron:1", "work:1"):
        batch = NewMessages(messages=(NewMessage(role="user", content="tick"),))
        await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)
    await bolt.execute_query(
        "UNWIND [['noise', ['cron:1'], false], ['pinned', ['cron:1'], true], "
        "['shared', ['cron:1', 'work:1'], false]] AS row "
        "CREATE (k:Memory {agent_id: $a, id: row[0], content: row[0], searchText: row[0], contentKey: row[0], "
        "type: 'fact', status: 'active', importance: 0.5, pinned: row[2], explicit: false, "
        "validFrom: datetime(), createdAt: datetime()}) "
        "WITH k, row MATCH (m:Message {agent_id: $a}) WHERE m.sessionId IN row[1] "
        "CREATE (k)-[:DERIVED_FROM {start: 0, end: 1}]->(m)",
        a=agent_id,
    )
    cold = "MATCH (k:ColdMemory {agent_id: $a}) RETURN collect(k.id + ' ' + k.coldReason) AS ids"
    assert (await graphmem.conversation.care.archive(agent_id, ["cron:1"], apply=False)).memories == 1
    assert (await graphmem.conversation.care.archive(agent_id, ["cron:1"], apply=True)).memories == 1
    assert (await bolt.execute_query(cold, a=agent_id)).records[0]["ids"] == ["noise session"]
    await graphmem.conversation.care.restore(agent_id, ["cron:1"])
    assert (await bolt.execute_query(cold, a=agent_id)).records[0]["ids"] == []
    kept = "MATCH (k:Memory {agent_id: $a, id: 'noise'}) RETURN k.status AS status"
    assert (await bolt.execute_query(kept, a=agent_id)).records[0]["status"] == "active"


async def test_a_pattern_that_is_none_is_refused(graphmem: Graphmem, agent_id: str) -> None:
    with pytest.raises(InvalidInput, match="segment"):
        await graphmem.conversation.care.archive(agent_id, ["cron:***"], apply=False)


async def test_a_rotated_session_begins_its_replay_at_its_fresh_tail_and_loses_nothing(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    care = with_tail(graphmem, 2)
    said = tuple(NewMessage(role="user", content=f"word {number}") for number in range(5))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "long", NewMessages(messages=said))
    await embedded(graphmem, agent_id)
    before = await own_properties(bolt, agent_id)
    planned = await care.rotate(agent_id, "long", apply=False)
    assert (planned.before, planned.frontier, planned.uncovered, planned.reason) == (0, 3, 3, None)
    assert await own_properties(bolt, agent_id) == before
    assert (await care.rotate(agent_id, "long", apply=True)).frontier == 3
    again = await care.rotate(agent_id, "long", apply=True)
    assert (again.frontier, again.reason) == (3, "its frontier is there already, or beyond")
    rest = [
        (labels, {k: v for k, v in p.items() if k not in ("frontier", "rotatedAt")})
        for labels, p in await own_properties(bolt, agent_id)
    ]
    assert rest == before, "nothing but the frontier is changed"
    told, _, _ = await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, kind: 'session_rotated'}) RETURN e.after AS to", a=agent_id
    )
    assert [json.loads(row["to"]) for row in told] == [{"frontier": 3}]


async def test_the_status_tells_where_messages_came_from_the_last_rotation_and_a_preset(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    nothing = (await http.get("/api/status")).json()
    assert nothing["sourceLineage"] == {"messages": 0, "attributed": 0, "unknown": 0, "sources": 0, "bySource": {}}
    assert (nothing["tokens"], nothing["lastRotate"]) == (0, None)
    assert nothing["preset"] == {"chosen": None, "suggested": None, "contextWindow": None}
    said = tuple(NewMessage(role="user", content=f"word {number}") for number in range(5))
    for session_id, opening in (("old", {"source": "slack", "context_window": 32_000}), ("new", {"source": "slack"})):
        given = NewSession.model_validate({"session_id": session_id, "context_window": 200_000} | opening)
        await graphmem.conversation.intake.open(Caller(agent_id), given)
        await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, NewMessages(messages=said))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "nameless", NewMessages(messages=said[:2]))
    await with_tail(graphmem, 2).rotate(agent_id, "new", apply=True)
    status = (await http.get("/api/status")).json()
    by_source = {"slack": 10, "unknown": 2}
    lineage = {"messages": 12, "attributed": 10, "unknown": 2, "sources": 2, "bySource": by_source}
    assert status["sourceLineage"] == lineage
    assert status["preset"] == {"chosen": None, "suggested": "context_200k", "contextWindow": 200_000}
    new, old, nameless = [(await http.get(f"/api/sessions/{id_}")).json() for id_ in ("new", "old", "nameless")]
    assert status["tokens"] == new["tokens"] + old["tokens"] + nameless["tokens"]
    assert status["lastRotate"] == new["rotatedAt"] is not None
    assert old["rotatedAt"] is None
    presets = [one["suggestedPreset"] for one in (new, old, nameless)]
    assert presets == ["context_200k", "context_32k", None]


async def test_rotating_a_session_that_is_short_unknown_or_closed_says_why(graphmem: Graphmem, agent_id: str) -> None:
    batch = NewMessages(messages=(NewMessage(role="user", content="tick"),))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "short", batch)
    planned = await graphmem.conversation.care.rotate(agent_id, "short", apply=True)
    assert planned.reason == "all of its messages belong to the fresh tail"
    with pytest.raises(NotFound, match="sessions list"):
        await graphmem.conversation.care.rotate(agent_id, "nowhere", apply=True)
    closed = with_tail(graphmem, 2, GuardRules(stateless_sessions=("sh*",)))
    with pytest.raises(SessionStateless, match="sh\\*"):
        await closed.rotate(agent_id, "short", apply=True)


async def test_cleaned_answers_of_tools_lead_back_to_every_byte(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    long_answer = f"{PICTURE} " + "listing " * 100
    said = (
        NewMessage(role="tool", content=long_answer, tool_call_id="c1", message_id="t1"),
        NewMessage(role="tool", content=[{"type": "text", "text": long_answer}], tool_call_id="c2", message_id="t2"),
        NewMessage(role="tool", content=long_answer, tool_call_id="c3", message_id="pinned"),
        NewMessage(role="tool", content="listing " * 100, tool_call_id="c4", message_id="no payload"),
        NewMessage(role="user", content=long_answer, message_id="no tool"),
        NewMessage(role="tool", content=long_answer, tool_call_id="c5", message_id="fresh"),
        NewMessage(role="user", content="thanks", message_id="last"),
    )
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "s", NewMessages(messages=said))
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, messageId: 'pinned'}) SET m.pinned = true", a=agent_id)
    care = with_tail(graphmem, 2)
    assert (await care.clean(agent_id, "s", apply=True)).messages == 0, "no summary covers it yet"
    await ended(graphmem, agent_id, "s")
    before = {
        one.message_id: one for one in (await graphmem.conversation.reading.messages(agent_id, "s", -1, 50, None)).items
    }
    planned = await care.clean(agent_id, "s", apply=False)
    assert planned.messages == 2
    done = await care.clean(agent_id, "s", apply=True)
    assert (done.messages, done.chars, done.failed) == (2, planned.chars, 0)
    after = {
        one.message_id: one for one in (await graphmem.conversation.reading.messages(agent_id, "s", -1, 50, None)).items
    }
    assert {id_ for id_ in after if after[id_].content != before[id_].content} == {"t1", "t2"}
    for id_ in ("t1", "t2"):
        one = after[id_]
        assert (one.sha256, one.ordinal, one.tool_call_id) == (
            before[id_].sha256,
            before[id_].ordinal,
            before[id_].tool_call_id,
        )
        data = {
            ref.sha256: (await graphmem.conversation.payloads.read(agent_id, ref.sha256, 0, None)).data
            for ref in one.payloads
        }
        assert one.sha256 in data, "the payload's hash is the message's own"
        original = put_back(put_back(one.content, data), data)
        assert long_answer in (original if id_ == "t1" else json.loads(original)[0]["text"])
    assert (await care.clean(agent_id, "s", apply=True)).messages == 0, "a second call has nothing to do"
    assert (await graphmem.operation.doctor.verify(agent_id)).healthy, "put together again, they are what they were"
    repeated = await graphmem.conversation.intake.add_messages(Caller(agent_id), "s", NewMessages(messages=said))
    assert repeated.duplicates == len(said), "what comes again is known by what it was"


async def test_answers_of_tools_are_found_by_their_words_once_cleaned(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    """And those whose whole text is out already are left alone: a second placeholder would only hide the first."""
    whole = "The kraken sleeps in the cellar. " * 400
    result = {"type": "tool_result", "tool_use_id": "c2", "content": f"{PICTURE} The squid swims. " + "Deep. " * 60}
    said = (
        NewMessage(role="tool", content=f"{PICTURE} The whale sings. " + "Loud. " * 60, name="sea", message_id="text"),
        NewMessage(role="tool", content=[{"type": "text", "text": "An answer"}, result], message_id="parts"),
        NewMessage(role="user", content="thanks"),
        NewMessage(role="user", content="bye"),
    )
    caller, talk = Caller(agent_id), graphmem.conversation.intake
    guards = Guards(GuardRules(payload_threshold_chars=12_000), talk._sessions, graphmem.conversation.guards._payloads)
    guarded = Intake(talk._sessions, guards, utc_now, new_uuid7)
    out = NewMessages(messages=(NewMessage(role="tool", content=whole, message_id="whole"),))
    assert (await guarded.add_messages(caller, "s", out)).externalized == 1
    await talk.add_messages(caller, "s", NewMessages(messages=said))
    await ended(graphmem, agent_id, "s")
    text = "MATCH (m:Message {agent_id: $a}) WHERE m.messageId = 'whole' RETURN properties(m) AS p"
    before = (await bolt.execute_query(text, a=agent_id)).records[0]["p"]
    assert (await with_tail(graphmem, 2).clean(agent_id, "s", apply=False)).messages == 2
    assert (await with_tail(graphmem, 2).clean(agent_id, "s", apply=True)).messages == 2
    await graphmem.operation.upkeep.refresh_text()
    assert (await bolt.execute_query(text, a=agent_id)).records[0]["p"] == before
    for words, message_id in (("whale sings", "text"), ("squid swims", "parts"), ("kraken sleeps", "whole")):
        found = await graphmem.recall.grepping.grep(agent_id, Grep(pattern=f'"{words}"'))
        assert [item.message_id for item in found.items if not item.summary_id] == [message_id]
    (item,) = (await graphmem.recall.grepping.grep(agent_id, Grep(pattern="sea: [payload"))).items
    assert item.message_id == "text"
    missing = "MATCH (m:Message {agent_id: $a}) WHERE m.grams IS NULL RETURN count(m) AS number"
    assert (await bolt.execute_query(missing, a=agent_id)).records[0]["number"] == 0


def with_tail(graphmem: Graphmem, messages: int, guards: GuardRules = GuardRules()) -> SessionCare:  # noqa: B008
    own = graphmem.conversation.care
    return SessionCare(own.data, own.payload_files, guards, messages, own.clock, own.new_id)
