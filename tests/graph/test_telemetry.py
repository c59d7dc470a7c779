"""Telemetry: what happened to an agent's memory, with levels and counts, page by page and for nobody else."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.inputs import NewMessage, NewMessages, NewSession, Remember

TOO_MUCH = " ".join(f"{one}lamp-service uses {one}oil-store." for one in "abcdefghijklmn")


async def told(http: httpx.AsyncClient, agent_id: str, **asked: str | list[str]) -> dict[str, Any]:
    answer = await http.get("/api/telemetry/events", params=asked, headers={"X-Agent-Id": agent_id})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *texts: str) -> None:
    said = [NewMessage(role="user", content=text, message_id=f"m{number}") for number, text in enumerate(texts)]
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id=session_id))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, NewMessages(messages=tuple(said)))


async def test_what_was_cut_is_told_with_its_level_and_counts(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    kept = await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content=TOO_MUCH))
    (cut,) = (await told(http, agent_id, name="extraction_cut"))["items"]
    assert (cut["subjectId"], cut["actor"], cut["extractionLevel"]) == (kept.memory.id, "remember", 3)
    assert cut["counts"]["cut.entities"] == 28 - len(kept.entities)
    (made,) = (await told(http, agent_id, name="memory_created"))["items"]
    assert (made["subjectId"], made["extractionLevel"], made["counts"]) == (kept.memory.id, 3, {})


async def test_each_reading_of_a_session_is_told(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    await say(graphmem, agent_id, "work", "lamp-service uses Redis.", "Hi!", "door-service depends on lamp-service.")
    read = await graphmem.knowledge.learning.read_whole(agent_id, "work")
    (one,) = (await told(http, agent_id, name="session_read"))["items"]
    assert (one["subjectId"], one["extractionLevel"]) == ("work", 1)
    assert one["counts"] == {"messages": 3, "memories": read.memories}


async def test_events_come_newest_first_page_by_page_by_name_and_time_and_for_nobody_else(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    for number in range(5):
        await graphmem.knowledge.learning.remember(Caller(agent_id), Remember(content=f"lamp {number} is lit"))
    whole = (await told(http, agent_id, limit="1000"))["items"]
    assert [one["at"] for one in whole] == sorted((one["at"] for one in whole), reverse=True)
    for asked in ({}, {"name": ["memory_created", "attribute_created"]}, {"name": "memory_created"}):
        wanted = [one for one in whole if not asked or one["name"] in asked["name"]]
        paged, cursor = [], None
        while True:
            page = await told(http, agent_id, limit="2", **asked, **({"cursor": cursor} if cursor else {}))
            paged += page["items"]
            cursor = page["nextCursor"]
            assert len(page["items"]) == 2 or cursor is None
            if cursor is None:
                break
        assert paged == wanted
    made = [one for one in whole if one["name"] == "memory_created"]
    assert len(made) == 5
    between = {"from": made[3]["at"], "to": made[1]["at"], "name": "memory_created"}
    assert (await told(http, agent_id, **between))["items"] == made[2:4]
    assert (await told(http, agent_id, name="nothing_of_this_name"))["items"] == []
    assert (await told(http, f"other-{uuid4().hex}"))["items"] == []


@pytest.mark.parametrize(("asked", "code"), [({"cursor": "x"}, "invalid_cursor"), ({"from": "noon"}, "invalid_input")])
async def test_what_cannot_be_meant_is_refused(
    http: httpx.AsyncClient, agent_id: str, asked: dict[str, str], code: str
) -> None:
    answer = await http.get("/api/telemetry/events", params=asked, headers={"X-Agent-Id": agent_id})
    assert answer.json()["code"] == code
