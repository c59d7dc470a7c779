"""A row of each slot of docs/what-is-understood.md through HTTP: said, changed, and asked for."""

from random import Random
from typing import Any

import httpx

from graphmem.rules.claims.understood import UnderstoodSlot, understood
from graphmem.services.operation.work import Worker
from tests.understood import Filled, filled
from tests.waiting import until

Json = dict[str, Any]
CHANGED = [slot for slot in understood() if slot.change]


async def post(http: httpx.AsyncClient, path: str, body: Json) -> Json:
    response = await http.post(path, json=body)
    assert response.status_code in (200, 201), response.text
    answer: Json = response.json()
    return answer


def rows(part: int) -> list[tuple[UnderstoodSlot, Filled, str, str]]:
    """Each slot with a way to say it and one to change it, other ones in each part."""
    found = []
    for slot in CHANGED:
        row = filled(slot, Random(f"{slot.name} over http {part}"))
        found.append((slot, row, slot.say[part % len(slot.say)], slot.change[part % len(slot.change)]))
    return found


async def settled(http: httpx.AsyncClient) -> None:
    async def idle() -> bool:
        return not any((await http.get("/api/status")).json()["backlog"].values())

    await until(idle)


async def wrong(http: httpx.AsyncClient, part: int) -> list[str]:
    """The questions whose first hit or answer does not say the new value."""
    found = []
    for slot, row, _, change in rows(part):
        question = row.say(slot.ask[part % len(slot.ask)])
        hits = (await post(http, "/api/memory/recall", {"query": question}))["hits"]
        answer = await post(http, "/api/memory/expand-query", {"question": question})
        if not hits or row.value not in hits[0]["text"]:
            found.append(f"{question} {row.say(change)} first hit: {hits[0]['text'] if hits else None}")
        if row.value not in str(answer.get("answer")):
            found.append(f"{question} {row.say(change)} answer: {answer.get('answer')}")
    return found


async def test_what_is_remembered_and_changed_is_asked_for(http: httpx.AsyncClient, worker: Worker) -> None:
    for _, row, say, change in rows(0):
        await post(http, "/api/memory/remember", {"content": row.say(say, row.old)})
        changed = await post(http, "/api/memory/remember", {"content": row.say(change)})
        assert changed["superseded"], row.say(change)
    await settled(http)
    assert not await wrong(http, 0)
