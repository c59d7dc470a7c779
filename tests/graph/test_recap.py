"""Recaps over HTTP: shown without a trace, kept as one node for each session."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from api.eval_continuity import continuous
from graphmem.app import Graphmem
from graphmem.model.labels_continuity import ContinuousConversation
from tests.agents import embed, learn, snapshot

Json = dict[str, Any]
WORK = [
    ("user", "The goal is a booking service that never books a machine twice."),
    ("assistant", "I decided to put the rule into `BookingService`."),
    ("user", "Members who lose a slot must get a free hour."),
    ("assistant", "Noted. The kiln is still open."),
]


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def tell(http: httpx.AsyncClient, session_id: str, said: list[tuple[str, str]]) -> None:
    messages = [{"messageId": f"m{n}", "role": role, "content": text} for n, (role, text) in enumerate(said)]
    await ok(await http.post(f"/api/sessions/{session_id}/messages", json={"messages": messages}))


async def test_every_line_leads_to_its_message(http: httpx.AsyncClient) -> None:
    await tell(http, "s", WORK)
    recap = await ok(await http.get("/api/sessions/s/recap", params={"mode": "quest"}))
    assert recap["mode"] == "quest"
    assert recap["tokensAfter"] <= 4000
    assert recap["unanalysed"] == 4
    assert recap["summaryId"] is None
    cited = {one["ref"]: one for one in recap["citations"]}
    lines = [line for line in recap["text"].splitlines() if not line.startswith("## ")]
    assert lines
    for line in lines:
        for ref in line.rpartition("[")[2].rstrip("]").split():
            message = await ok(await http.get(f"/api/messages/{cited[ref]['id']}"))
            assert (message["messageId"], message["ordinal"]) == (cited[ref]["messageId"], cited[ref]["ordinal"])


async def test_mode_is_chosen_by_points_and_can_be_asked_for(http: httpx.AsyncClient) -> None:
    await tell(http, "s", WORK)
    automatic = await ok(await http.get("/api/sessions/s/recap"))
    assert (automatic["mode"], automatic["modeScore"]) == ("chat", 0)
    assert sum(automatic["modeParts"].values()) == automatic["modeScore"]
    quest = await ok(await http.get("/api/sessions/s/recap", params={"mode": "quest", "maxTokens": 64}))
    assert quest["mode"] == "quest"
    assert quest["tokensAfter"] <= 64
    assert quest["truncated"]


async def test_looking_writes_nothing(http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str) -> None:
    await tell(http, "s", WORK)
    before = await snapshot(bolt, agent_id)
    await ok(await http.get("/api/sessions/s/recap"))
    assert await snapshot(bolt, agent_id) == before


async def test_a_recap_is_kept_as_one_node_and_renewed(http: httpx.AsyncClient) -> None:
    await tell(http, "s", WORK[:2])
    first = await ok(await http.post("/api/sessions/s/recap", json={"mode": "quest"}))
    more = [{"messageId": "late", "role": "user", "content": "We decided to deploy on Friday, never on Monday."}]
    await ok(await http.post("/api/sessions/s/messages", json={"messages": more}))
    second = await ok(await http.post("/api/sessions/s/recap", json={"mode": "quest"}))
    assert first["summaryId"] == second["summaryId"]
    (node,) = (await ok(await http.get("/api/sessions/summaries", params={"kind": "recap", "sessionId": "s"})))["items"]
    assert (node["id"], node["kind"], node["content"]) == (second["summaryId"], "recap", second["text"])
    children = (await ok(await http.post(f"/api/sessions/summaries/{node['id']}/expand")))["children"]
    assert [child["messageId"] for child in children] == [
        one["messageId"] for one in sorted(second["citations"], key=lambda one: one["ordinal"])
    ]
    assert "late" in [child["messageId"] for child in children]


async def test_a_repeat_with_the_same_key_is_kept_once(http: httpx.AsyncClient) -> None:
    await tell(http, "s", WORK)
    key = {"Idempotency-Key": "k"}
    first = await http.post("/api/sessions/s/recap", headers=key)
    again = await http.post("/api/sessions/s/recap", headers=key)
    assert again.json() == first.json()
    assert again.headers["Idempotency-Replayed"] == "true"


async def test_what_was_superseded_gives_way_to_what_holds(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", "We decided that ledger-api listens on port 8080.")
    await learn(graphmem, agent_id, "s", "We decided that ledger-api listens on port 9090.")
    text = (await ok(await http.get("/api/sessions/s/recap", params={"mode": "quest"})))["text"]
    assert [line for line in text.splitlines() if "9090" in line]
    assert not [line for line in text.splitlines() if "8080" in line.partition(" (")[0]]


TUNED = Path(__file__).parents[1] / "data" / "continuity" / "tuned"
QUESTS = [one for one in continuous(TUNED) if one.mode == "quest"]


@pytest.mark.parametrize("talk", QUESTS, ids=[one.id for one in QUESTS])
@pytest.mark.parametrize("kept", [False, True], ids=["shown", "kept"])
async def test_recall_answers_the_questions_that_a_quest_recap_asks(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str, talk: ContinuousConversation, kept: bool
) -> None:
    """Each finds the message it cites, also where the recap itself can be found, which holds the question."""
    said = [message.model_dump(mode="json", by_alias=True) for message in talk.messages]
    await ok(await http.post("/api/sessions/q/messages", json={"messages": said}))
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "q")
    recap = await ok(await http.get("/api/sessions/q/recap", params={"mode": "quest"}))
    if kept:
        assert (await ok(await http.post("/api/sessions/q/recap", json={"mode": "quest"})))["text"] == recap["text"]
        await embed(graphmem, agent_id)
    cited = {one["ref"]: one["messageId"] for one in recap["citations"]}
    _, _, section = recap["text"].partition("## To ask with recall\n")
    asked = [line.removeprefix("- ").rpartition(" [") for line in section.partition("\n## ")[0].splitlines()]
    assert len(asked) == 3
    for question, _, ref in asked:
        found = await ok(await http.post("/api/memory/recall", json={"query": question, "sessionId": "q"}))
        messages = [id_ for hit in found["hits"] if hit["kind"] == "message" for id_ in hit["messageIds"]]
        assert cited[ref.rstrip("]")] in messages, question


async def test_a_session_that_is_not_there_has_no_recap(http: httpx.AsyncClient) -> None:
    for call in (http.get, http.post):
        response = await call("/api/sessions/nowhere/recap")
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


async def test_bounds_are_kept(http: httpx.AsyncClient) -> None:
    await tell(http, "s", WORK)
    for params in ({"maxTokens": 63}, {"maxTokens": 32_001}, {"mode": "verse"}):
        response = await http.get("/api/sessions/s/recap", params=params)
        assert (response.status_code, response.json()["code"]) == (422, "invalid_input")
    for body in ({"maxTokens": 63}, {"mode": "verse"}, {"length": 4}):
        response = await http.post("/api/sessions/s/recap", json=body)
        assert (response.status_code, response.json()["code"]) == (422, "invalid_input")


@pytest.mark.long  # 1,600 messages of 130,000 tokens; recaps of short ones are above
async def test_a_long_session_comes_to_a_thirtieth_and_keeps_what_matters(http: httpx.AsyncClient) -> None:
    facts = {
        10: ("user", "We decided to store sessions in Valkey, with a lifetime of 45 minutes."),
        400: ("user", "Rule: nobody may deploy to production on a Friday."),
        900: ("assistant", "The importer must read at most 512 rows at a time."),
        1500: ("user", "Still open: which region hosts the replica?"),
    }
    filler = "The log says that batch {n} went through the queue without anything worth a word, line {n} of many. " * 5
    said = [facts.get(n, (("user", "assistant")[n % 2], filler.format(n=n))) for n in range(1600)]
    for begin in range(0, len(said), 400):
        messages = [
            {"messageId": f"m{n}", "role": said[n][0], "content": said[n][1]} for n in range(begin, begin + 400)
        ]
        await ok(await http.post("/api/sessions/long/messages", json={"messages": messages}))
    recap = await ok(await http.get("/api/sessions/long/recap", params={"mode": "quest"}))
    assert recap["tokensBefore"] >= 120_000
    assert recap["tokensAfter"] <= 4000
    assert recap["ratio"] >= 30
    for place, (_, text) in facts.items():
        assert f"{text} [m{place}]" in recap["text"]
