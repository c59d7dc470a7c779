"""Feedback fades as sessions come and go: what it moved goes back, what was said stays."""

from typing import Any

import httpx
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.recall.fading import FadingStore
from graphmem.services.recall.fading import Fading
from tests.agents import snapshot

Json = dict[str, Any]


class OneAgent(FadingStore):
    """As if there were no agent beside this one."""

    def __init__(self, graphmem: Graphmem, agent_id: str) -> None:
        super().__init__(graphmem.database)
        self._agent_id = agent_id

    async def agent_after(self, agent_id: str) -> str | None:
        return None if agent_id else self._agent_id


class Marked:
    """A mark of this test alone."""

    noted: tuple[str, str] | None = None

    async def mark(self, chore: str) -> tuple[str, str] | None:
        return self.noted

    async def note_mark(self, chore: str, mark: tuple[str, str] | None) -> None:
        self.noted = mark


async def fades(graphmem: Graphmem, agent_id: str, half_life: int = 2) -> None:
    """The chore, to its end."""
    chore = Fading(OneAgent(graphmem, agent_id), Marked(), half_life, utc_now, new_uuid7)
    while await chore.step():
        pass


async def sessions_end(http: httpx.AsyncClient, *names: str) -> None:
    for name in names:
        said = {"messages": [{"role": "user", "content": "hm"}]}
        assert (await http.post(f"/api/sessions/{name}/messages", json=said)).status_code == 201
        assert (await http.post(f"/api/sessions/{name}/end", json={})).status_code == 200


async def liked(http: httpx.AsyncClient) -> dict[str, str]:
    """A fact, its memory and a dependency that were found good."""
    edges = {"dependencies": [{"source": "wick-service", "target": "oil-store", "strength": 0.5}]}
    edge = (await http.put("/api/graph/dependencies", json=edges)).json()["items"][0]["id"]
    body = {"content": "wick-service runs on port 8080", "entity": "wick-service", "aspect": "network"}
    kept = (await http.post("/api/memory/remember", json=body)).json()
    ids = {"fact": kept["attributes"][0]["id"], "memory": kept["memory"]["id"], "edge": edge}
    items = [{"id": id_, "score": 1} for id_ in ids.values()]
    assert (await http.post("/api/memory/feedback", json={"items": items})).status_code == 200
    return ids


async def weights(http: httpx.AsyncClient) -> tuple[float, float]:
    """Of the aspect, and the strength of the dependency."""
    found = (await http.get("/api/graph/entities/wick-service")).json()
    return found["aspects"][0]["weight"], found["dependencies"]["outgoing"][0]["strength"]


async def test_weights_go_back_halfway_for_each_half_life_and_the_history_says_so(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    ids = await liked(http)
    assert await weights(http) == (0.55, 0.6)
    await sessions_end(http, "s1")
    await fades(graphmem, agent_id)
    assert await weights(http) == (0.55, 0.6), "one session is no half-life"
    await sessions_end(http, "s2")
    await fades(graphmem, agent_id)
    assert await weights(http) == (0.525, 0.55)
    items = (await http.get(f"/api/memory/{ids['edge']}/history")).json()["items"]
    (told,) = [one for one in items if one["kind"] == "feedback_faded"]
    assert (told["before"], told["after"], told["reason"]) == (
        {"weight": 0.6},
        {"weight": 0.55},
        "2 sessions ended since.",
    )


async def test_a_repeated_run_changes_nothing_and_the_feedback_stays(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    ids = await liked(http)
    await sessions_end(http, "s1", "s2", "s3")
    await fades(graphmem, agent_id)
    before = await snapshot(bolt, agent_id)
    await fades(graphmem, agent_id)
    assert await snapshot(bolt, agent_id) == before
    rows, _, _ = await bolt.execute_query(
        "MATCH (f:Feedback {agent_id: $a}) WHERE f.targetId IN $ids RETURN f.score AS score",
        a=agent_id,
        ids=list(ids.values()),
    )
    assert [row["score"] for row in rows] == [1.0, 1.0, 1.0]


async def test_new_feedback_starts_the_count_anew(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    ids = await liked(http)
    await sessions_end(http, "s1")
    await http.post("/api/memory/feedback", json={"items": [{"id": ids["edge"], "score": 1}]})
    await sessions_end(http, "s2")
    await fades(graphmem, agent_id)
    assert await weights(http) == (0.525, 0.7), "only the aspect was not spoken of since"


async def test_without_a_half_life_nothing_fades(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await liked(http)
    await sessions_end(http, "s1", "s2", "s3")
    before = await snapshot(bolt, agent_id)
    await fades(graphmem, agent_id, half_life=0)
    assert await snapshot(bolt, agent_id) == before


async def test_agents_that_gave_feedback_come_one_after_the_other(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await liked(http)
    store = FadingStore(graphmem.database)
    met, after = [], await store.agent_after("")
    while after is not None:
        met.append(after)
        after = await store.agent_after(after)
    assert agent_id in met
    assert met == sorted(set(met))
