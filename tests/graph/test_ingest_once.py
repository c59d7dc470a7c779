"""What is sent twice is stored once: by its ids, by its words where it has none, and anyhow by its idempotency key."""

from typing import Any
from uuid import uuid4

import httpx
from hypothesis import HealthCheck, assume, given, settings
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
    statuses = [line["status"] for line in first["messages"]]
    assume(statuses == sorted(statuses))  # duplicates, then what is new: no list that its host compacted
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


def call(arguments: object, content: object) -> Json:
    calls = [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": arguments}}]
    return {"role": "assistant", "content": content, "toolCalls": calls}


async def test_a_live_list_written_in_another_way_or_compacted_stores_only_what_is_new(http: httpx.AsyncClient) -> None:
    session = uuid4().hex
    told = [{"role": "system", "content": "Be brief."}] + [
        {"role": role, "content": f"{role} {n}"} for n in range(3) for role in ("user", "assistant")
    ]
    asked = {"role": "user", "content": "Look it up: é"}
    called = call('{"path": "/\\u00e9", "depth": 2}', None)
    answered = {"role": "tool", "name": "read", "toolCallId": "c1", "content": "yes"}
    first = [*told, asked, called, answered]
    await send(http, session, first)
    once = await stored(http, session)
    assert [item["content"] for item in once[-3:]] == ["Look it up: é", None, "yes"]
    calls = once[-2]["toolCalls"]
    again = [
        told[0],
        {"role": "user", "content": "[Summary of what was said before]"},
        {"role": "user", "content": [{"type": "text", "text": "Look it up: é"}]},
        call({"depth": 2, "path": "/é"}, ""),
        {"role": "tool", "toolCallId": "c1", "content": "yes"},
        {"role": "user", "content": "yes"},
    ]
    receipt = (await send(http, session, again)).json()
    assert [line["status"] for line in receipt["messages"]] == [
        *("duplicate", "stored", "duplicate", "duplicate", "duplicate", "stored")
    ]
    there = await stored(http, session)
    assert there[: len(once)] == once, "what is stored stays, word for word"
    assert (there[len(first) - 2]["toolCalls"], len(there)) == (calls, len(first) + 2)
    for sent, news in (([*again, {"role": "assistant", "content": "Then go."}], 1), (told[:5], 0), (first, 0)):
        receipt = (await send(http, session, sent)).json()
        assert (receipt["stored"], receipt["duplicates"]) == (news, len(sent) - news)
    for yes in (1, 2):
        assert (await send(http, session, [{"role": "user", "content": "yes"}])).json()["stored"] == 1, yes


async def test_the_rest_of_a_batch_is_stored_beside_a_changed_message_where_that_is_wanted(
    http: httpx.AsyncClient,
) -> None:
    session = uuid4().hex
    batch = [{"role": "user", "content": f"word {n}", "messageId": f"m{n}"} for n in range(3)]
    await send(http, session, batch[:2])
    changed = {"messages": [batch[0], batch[1] | {"content": "another word"}, batch[2]]}
    path = f"/api/sessions/{session}/messages"
    refused = await http.post(path, json=changed)
    assert (refused.status_code, refused.json()["code"]) == (409, "message_changed")
    assert "'m1'" in refused.json()["detail"]
    assert "onChanged" in refused.json()["detail"]
    assert len(await stored(http, session)) == 2
    for status in ("stored", "duplicate"):
        receipt = (await http.post(path, json=changed | {"onChanged": "skip"})).json()
        assert [line["status"] for line in receipt["messages"]] == ["duplicate", "changed", status]
        assert receipt["changed"] == 1
    assert [item["content"] for item in await stored(http, session)] == ["word 0", "word 1", "word 2"]
