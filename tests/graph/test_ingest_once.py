"""What is sent twice is stored once: by its ids, by its words where it has none, and anyhow by its idempotency key."""

from typing import Any
from uuid import uuid4

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Json = dict[str, Any]
in_the_graph = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
# Few words, so that messages are often alike, as replays and people are.
words = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": st.text("ab", max_size=2)})
unnamed = st.lists(words, min_size=2, max_size=5)
mixed = st.lists(st.tuples(words, st.booleans()), min_size=1, max_size=5).map(
    lambda pairs: [
        one | ({"messageId": f"m{place}"} if is_named else {}) for place, (one, is_named) in enumerate(pairs)
    ]
)
named = st.lists(words, min_size=1, max_size=5).map(
    lambda batch: [one | {"messageId": f"m{place}"} for place, one in enumerate(batch)]
)


async def send(http: httpx.AsyncClient, session: str, batch: list[Json], **headers: str) -> httpx.Response:
    sent = await http.post(f"/api/sessions/{session}/messages", json={"messages": batch}, headers=headers)
    assert sent.is_success, sent.text
    return sent


async def stored(http: httpx.AsyncClient, session: str) -> list[Json]:
    items: list[Json] = (await http.get(f"/api/sessions/{session}/messages", params={"limit": 1000})).json()["items"]
    assert [item["ordinal"] for item in items] == list(range(len(items)))
    return items


@in_the_graph
@given(before=st.lists(words, max_size=4), batch=unnamed | named)
async def test_a_batch_twice_is_a_batch_once(http: httpx.AsyncClient, before: list[Json], batch: list[Json]) -> None:
    session = uuid4().hex
    if before:
        await send(http, session, before)
    first = (await send(http, session, batch)).json()
    once = await stored(http, session)
    assert [item["content"] for item in once[-len(batch) :]] == [message["content"] for message in batch]
    again = (await send(http, session, batch)).json()
    assert await stored(http, session) == once
    assert (again["stored"], again["duplicates"]) == (0, len(batch))
    places = [[line["ordinal"] for line in receipt["messages"]] for receipt in (first, again)]
    assert places[0] == places[1]


@in_the_graph
@given(before=st.lists(words, max_size=4), batch=mixed)
async def test_a_request_twice_under_its_key_is_a_request_once(
    http: httpx.AsyncClient, before: list[Json], batch: list[Json]
) -> None:
    session, key = uuid4().hex, uuid4().hex
    if before:
        await send(http, session, before)
    first = await send(http, session, batch, **{"Idempotency-Key": key})
    once = await stored(http, session)
    again = await send(http, session, batch, **{"Idempotency-Key": key})
    assert await stored(http, session) == once
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
