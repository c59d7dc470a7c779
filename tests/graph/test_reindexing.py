"""Texts embedded anew: by a job, step by step, and found by their words meanwhile."""

import json
from dataclasses import asdict
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.inputs import NewMessage, NewMessages, NewSession, Recall, Remember
from graphmem.model.reindexing import ReindexMark
from graphmem.services.operation import reindexing as module
from tests.agents import nodes_of
from tests.graph.test_expanding import embedded
from tests.waiting import until


async def told(graphmem: Graphmem, agent_id: str, count: int = 5) -> None:
    caller = Caller(agent_id)
    await graphmem.conversation.intake.open(caller, NewSession(session_id="s"))
    messages = tuple(NewMessage(role="user", content=f"Shelf {number} holds paper.") for number in range(count))
    await graphmem.conversation.intake.add_messages(caller, "s", NewMessages(messages=messages))
    await graphmem.knowledge.learning.remember(caller, Remember(content="wick-service is blue", entity="wick-service"))
    await embedded(graphmem, agent_id)


async def spoil(bolt: AsyncDriver, agent_id: str) -> int:
    """All vectors made wrong; how many."""
    found = await bolt.execute_query(
        f"{await nodes_of(bolt)} WHERE n.embedding IS NOT NULL "
        "SET n.embedding = [x IN n.embedding | -x] RETURN count(n) AS n",
        a=agent_id,
    )
    return int(found.records[0]["n"])


async def vectors(bolt: AsyncDriver, agent_id: str) -> dict[str, list[float]]:
    found = await bolt.execute_query(
        f"{await nodes_of(bolt)} WHERE n.embedding IS NOT NULL RETURN n.id AS id, n.embedding AS v", a=agent_id
    )
    return {row["id"]: list(row["v"]) for row in found.records}


async def test_a_dry_run_counts_and_changes_nothing(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await told(graphmem, agent_id)
    before = await vectors(bolt, agent_id)
    seen = (await http.post("/api/repair/reindex", json={"dryRun": True, "limit": 4})).json()
    assert (seen["jobId"], seen["affected"]) == (None, 4)
    assert {item["kind"]: item["texts"] for item in seen["items"]} == {
        "message": 5,
        "memory": 1,
        "attribute": 1,
        "summary": 0,
    }
    assert await vectors(bolt, agent_id) == before


@pytest.mark.usefixtures("worker")
async def test_a_job_embeds_all_texts_anew_and_tells_how_far_it_came(
    graphmem: Graphmem,
    http: httpx.AsyncClient,
    bolt: AsyncDriver,
    agent_id: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await told(graphmem, agent_id)
    right = await vectors(bolt, agent_id)
    assert await spoil(bolt, agent_id) == 7
    monkeypatch.setattr(module, "BATCH", 3)
    asked = (await http.post("/api/repair/reindex", json={})).json()
    assert asked["affected"] == 7
    job = await finished(http, asked["jobId"])
    assert (job["status"], job["result"]) == ("done", {"texts": 7})
    anew = await vectors(bolt, agent_id)
    assert anew.keys() == right.keys()
    for id_, vector in right.items():
        assert anew[id_] == pytest.approx(vector, abs=1e-3)


async def finished(http: httpx.AsyncClient, job_id: str) -> dict[str, Any]:
    """The job when a worker is done with it."""

    async def done() -> dict[str, Any] | None:
        job: dict[str, Any] = (await http.get(f"/api/jobs/{job_id}")).json()
        assert 0 <= job["progress"] <= 1
        return job if job["status"] == "done" else None

    job = await until(done)
    assert job is not None
    return job


async def test_a_step_goes_on_where_the_last_one_ended(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    await told(graphmem, agent_id)
    await spoil(bolt, agent_id)
    first = await graphmem.operation.reindexing.step(agent_id, ReindexMark(of=7, left=4))
    assert first is not None
    assert (first.left, first.done) == (0, 4)
    assert ReindexMark(**json.loads(json.dumps(asdict(first)))) == first
    assert await graphmem.operation.reindexing.step(agent_id, first) is None
    rest = await graphmem.operation.reindexing.step(agent_id, ReindexMark(of=7, after=first.after))
    assert rest is not None
    assert rest.done == 3
    assert await graphmem.operation.reindexing.step(agent_id, rest) is None


async def test_what_has_no_vector_meanwhile_is_found_by_its_words(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await told(graphmem, agent_id)
    await bolt.execute_query(
        f"{await nodes_of(bolt)} WHERE n.embedding IS NOT NULL SET n:Unembedded REMOVE n.embedding", a=agent_id
    )
    found = await graphmem.recall.recalling.recall(agent_id, Recall(query="Which shelf 3 holds paper?", limit=3))
    assert found.hits
    await embedded(graphmem, agent_id)
    assert len(await vectors(bolt, agent_id)) == 7
