"""Questions over sessions, over HTTP: dates, sessions and quotes, and nothing where nothing was said."""

from typing import Any

import httpx
import pytest

from graphmem.app import Graphmem
from tests.agents import embed

Json = dict[str, Any]
MONDAY = [
    ("user", "The event bus will be Redpanda, we decided.", "2031-04-07T09:00:00Z"),
    ("assistant", "Redpanda it is. I will write the compose file.", "2031-04-07T09:01:00Z"),
    ("user", "Still open: who pays for the second broker?", "2031-04-07T09:02:00Z"),
]
RUN = "FAILED tests/test_bus.py::test_order - KeyError: 'seq'\n1 failed, 8 passed in 2s"
FRIDAY = [
    ("user", "We drop Redpanda, because it needs more memory than the box has.", "2031-04-11T09:00:00Z"),
    ("user", "We decided to use NATS for the event bus.", "2031-04-11T09:01:00Z"),
    (
        "tool",
        "FAILED tests/test_bus.py::test_order - KeyError: 'seq'\n1 failed, 8 passed in 2s",
        "2031-04-11T09:02:00Z",
    ),
    ("user", "Not decided yet: the name of the topic for refunds.", "2031-04-11T09:03:00Z"),
]


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


@pytest.fixture
async def told(http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str) -> None:
    for session, said in (("monday", MONDAY), ("friday", FRIDAY)):
        messages = [
            {"messageId": f"{session}-{n}", "role": role, "content": text, "createdAt": at}
            for n, (role, text, at) in enumerate(said)
        ]
        await ok(await http.post(f"/api/sessions/{session}/messages", json={"messages": messages}))
    await embed(graphmem, agent_id)


async def asked(http: httpx.AsyncClient, question: str, **given: object) -> Json:
    return await ok(await http.post("/api/memory/expand-query", json={"question": question, **given}))


@pytest.mark.usefixtures("told")
async def test_what_was_discussed_decided_and_why_is_told_with_dates_sessions_and_quotes(
    http: httpx.AsyncClient,
) -> None:
    about = await asked(http, "What have we discussed about Redpanda in all sessions?")
    assert about["found"]
    assert about["confidence"] is None
    lines = about["answer"].splitlines()
    assert lines[0].startswith("2031-04-07, monday")
    assert any(line.startswith("2031-04-11, friday") for line in lines)
    for citation in about["citations"]:
        message = await ok(await http.get(f"/api/messages/{citation['id']}"))
        assert citation["quote"] in message["content"]
    decided = await asked(http, "What did we decide about the event bus?")
    assert "NATS" in decided["answer"]
    why = await asked(http, "Why did we drop Redpanda?")
    assert "more memory than the box has" in why["answer"]
    sessions = await asked(http, "Which sessions were about Redpanda?")
    assert [line.partition(":")[0] for line in sessions["answer"].splitlines()] == [
        "2031-04-07, monday",
        "2031-04-11, friday",
    ]


@pytest.mark.usefixtures("told")
async def test_what_is_open_and_what_failed_is_read_from_the_sessions(http: httpx.AsyncClient) -> None:
    still = await asked(http, "What is still open?")
    assert "who pays for the second broker" in still["answer"]
    assert "topic for refunds" in still["answer"]
    one = await asked(http, "What is still open?", sessionId="friday")
    assert "second broker" not in one["answer"]
    failed = await asked(http, "Which test failed?")
    assert "tests/test_bus.py::test_order" in failed["answer"]
    assert failed["citations"][0]["messageIds"] == ["friday-2"]
    assert "test_order" in (await asked(http, "Which test failed in test_bus.py?"))["answer"]
    assert not (await asked(http, "Which test failed in the zeppelin module?"))["found"]


@pytest.mark.usefixtures("told")
async def test_nothing_said_is_not_found_and_has_no_confidence(http: httpx.AsyncClient) -> None:
    for question in ("What did we decide about the zeppelin?", "Which sessions were about the zeppelin?"):
        found = await asked(http, question)
        assert (found["found"], found["citations"], found["confidence"]) == (False, [], None)
    nowhere = await asked(http, "What is still open?", sessionId="nowhere")
    assert not nowhere["found"]
    assert nowhere["unmatched"]


@pytest.mark.usefixtures("told")
async def test_an_answer_from_the_newest_sessions_says_that_there_are_more(http: httpx.AsyncClient) -> None:
    assert (await asked(http, "What is still open?"))["truncated"] is False
    for n in range(5):
        said = [{"role": "user", "content": f"Still open: who paints the door of shed {n}?"}]
        await ok(await http.post(f"/api/sessions/later-{n}/messages", json={"messages": said}))
    assert (await asked(http, "What is still open?"))["truncated"] is True


async def test_what_a_person_deleted_is_told_by_no_answer(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    said = [{"role": "user", "content": "We decided that the therapist of Runa is Dr. Vinter. The boat is red."}]
    await ok(await http.post("/api/sessions/private/messages", json={"messages": said}))
    await graphmem.knowledge.learning.read_whole(agent_id, "private")
    before = await asked(http, "What did we decide?", sessionId="private")
    assert "Vinter" in before["answer"]
    for memory in (await ok(await http.post("/api/memory/recall", json={"query": "Runa therapist"})))["hits"]:
        if memory["kind"] == "attribute":
            assert (await http.delete(f"/api/memory/{memory['id']}")).is_success
    after = await asked(http, "What did we decide?", sessionId="private")
    assert "Vinter" not in after["answer"]
