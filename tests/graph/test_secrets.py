"""Secrets that are known by their shape stay in the messages that say them, and nothing that is made of these repeats
them, whatever is set."""

from dataclasses import replace
from datetime import UTC, datetime

import httpx
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.compaction import Compact
from graphmem.model.inputs import NewMessage, NewMessages, NewSession, Remember
from graphmem.rules.summaries.compaction import CompactionBounds
from graphmem.services.continuity.condensing import Condensing, CondensingSettings
from graphmem.services.continuity.summarising import Summarising
from tests.agents import carried_out

SECRETS = ("hunter-2288", "AKIAIOSFODNN7EXAMPLE", "ghp_16C7e42F292c6912E7710c838347Ae178B4a")
SAID = (
    f"Decision: orders-api uses postgres://ada:{SECRETS[0]}@db.example/orders for everything.",
    f"We decided that the backup uses the AWS key {SECRETS[1]} from now on.",
    f"The release job must never print the token {SECRETS[2]} again.",
    *(f"Step {n} of the migration of orders-api went well. " * 3 for n in range(6)),
)


async def test_what_is_made_of_messages_repeats_no_secret_and_the_messages_stay(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    assert graphmem.settings.redact == ()
    caller = Caller(agent_id)
    for day, session_id in enumerate(("one", "two"), 1):
        opening = NewSession(session_id=session_id, project="p", started_at=datetime(2026, 1, day, tzinfo=UTC))
        await graphmem.conversation.intake.open(caller, opening)
        said = tuple(NewMessage(role="user", content=text) for text in SAID)
        await graphmem.conversation.intake.add_messages(caller, session_id, NewMessages(messages=said))
        while (await graphmem.knowledge.learning.read_session(agent_id, session_id)).more:
            pass
        assert await graphmem.knowledge.learning.summarise_session(agent_id, session_id)
        response = await http.post(f"/api/sessions/{session_id}/recap", json={})
        assert response.status_code == 200, response.text
    bounds = CompactionBounds(fresh_tail=2, leaf_tokens=60, fan_in=2)
    compacting = replace(graphmem.continuity.compacting, summarising=Summarising(bounds), bounds=bounds)
    assert (await compacting.compact(caller, "one", Compact(force=True))).compacted
    dag = graphmem.continuity.condensing.data
    condensing = Condensing(dag, graphmem.operation.jobs, CondensingSettings(2, 2), utc_now, new_uuid7)
    assert await carried_out(condensing.carry_on, agent_id, "p") == {"nodes": 1}
    rows, _, _ = await bolt.execute_query(
        "MATCH (y:Summary {agent_id: $a}) RETURN y.kind AS kind, "
        "reduce(all = '', k IN ['content', 'searchText', 'expandHint'] | all + coalesce(y[k], '')) "
        "+ reduce(all = '', line IN coalesce(y.kept, []) | all + line) AS text",
        a=agent_id,
    )
    assert {row["kind"] for row in rows} >= {"session", "recap", "leaf", "arc"}
    assert [row["kind"] for row in rows for secret in SECRETS if secret in row["text"]] == []
    assert any("[redacted " in row["text"] for row in rows)
    page = (await http.get("/api/sessions/one/messages")).json()
    assert [one["content"] for one in page["items"]] == list(SAID)


async def test_telemetry_repeats_no_secret(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    kept = await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content="The shed is dry."))
    why = f"it held {SECRETS[1]}"
    assert (await http.delete(f"/api/memory/{kept.memory.id}", params={"reason": why})).status_code == 200
    answer = await http.get("/api/telemetry/events")
    assert SECRETS[1] not in answer.text
    assert "it held [redacted api_key" in answer.text
