"""Conversations in a real graph: kept word for word, once, in an order without gaps, and for their agent alone."""

import asyncio
import hashlib
import json
import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import httpx
import neo4j
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from neo4j import AsyncGraphDatabase
from pydantic import ValidationError

from graphmem.adapters.identity import new_uuid7
from graphmem.app import Graphmem
from graphmem.errors import DatabaseUnavailable, MessageChanged, NotFound
from graphmem.graph.connection import WriteTransaction
from graphmem.graph.conversation.appending import messages_append
from graphmem.graph.conversation.reading import message_page
from graphmem.model.answers import IngestReceipt
from graphmem.model.caller import Caller, Once
from graphmem.model.change import MessageRow
from graphmem.model.conversation import StoredMessage
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, NewSession
from graphmem.model.stored import Bounds, MessageRef
from graphmem.settings import Settings
from tests.waiting import worked_until

in_the_graph = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
"""For properties that go to the database: fewer examples, and the fixtures are the same for all of them."""

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=300) | st.sampled_from(
    [
        "",
        " \t\r\n ",
        "\x00\x01\x1b[31m\x7f",
        "a\r\nb\rc\u2028d\u2029e\x85",
        "👩‍👩‍👧‍👦🏳️‍🌈\U0010ffff\ufeff",
        "北京大学の漢字テスト 한국어",
        "e\u0301 is not é \ufb01",
        "\u202eright to left\u202c",
        "'; MATCH (n) DETACH DELETE n //",
        "\ufffd\ufffe\uffff\U0001ffff",
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *messages: dict[str, Any]) -> IngestReceipt:
    """Store messages; each is a user's where nothing else is said."""
    batch = NewMessages(messages=tuple(NewMessage.model_validate({"role": "user"} | message) for message in messages))
    return await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)


async def heard(graphmem: Graphmem, agent_id: str, session_id: str) -> list[StoredMessage]:
    page = await graphmem.conversation.reading.messages(agent_id, session_id, -1, 1000, None)
    assert page.next_cursor is None
    return list(page.items)


async def words(graphmem: Graphmem, agent_id: str, session_id: str) -> list[str]:
    return [message.content for message in await heard(graphmem, agent_id, session_id)]


def texts(*contents: str) -> list[dict[str, Any]]:
    return [{"content": content} for content in contents]


async def asked(settings: Settings, query: str, **params: Any) -> list[dict[str, Any]]:
    """Rows straight from the server, past all of our code."""
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
    auth = (settings.neo4j_user, password) if password else None
    async with AsyncGraphDatabase.driver(str(settings.neo4j_uri), auth=auth) as driver:
        records, _, _ = await driver.execute_query(neo4j.Query(query), params)
        return [record.data() for record in records]


# --- word for word ----------------------------------------------------------------------------------------


@in_the_graph
@given(contents=st.lists(text, min_size=1, max_size=5))
async def test_text_comes_back_as_it_was_sent(graphmem: Graphmem, agent_id: str, contents: list[str]) -> None:
    session_id = new_uuid7()
    receipt = await say(graphmem, agent_id, session_id, *texts(*contents))
    stored = await heard(graphmem, agent_id, session_id)
    assert [message.content for message in stored] == contents
    assert [message.sha256 for message in stored] == [hashlib.sha256(c.encode()).hexdigest() for c in contents]
    assert [message.content_chars for message in stored] == [len(content) for content in contents]
    assert [message.id for message in stored] == [line.id for line in receipt.messages]
    one = await graphmem.conversation.reading.message(agent_id, MessageRef(receipt.messages[0].id), None)
    assert one.content == contents[0]


@in_the_graph
@given(
    parts=st.lists(
        st.fixed_dictionaries({"type": st.just("text"), "text": text}) | st.dictionaries(text, json_values, min_size=1),
        max_size=4,
    )
    | st.none(),
    tool_calls=st.none() | st.lists(json_values, max_size=3),
    metadata=st.none() | st.dictionaries(text, json_values, max_size=3),
)
@example(parts=None, tool_calls=[{"id": "c"}], metadata=None)
@example(parts=[], tool_calls=None, metadata=None)
async def test_parts_tool_calls_and_metadata_come_back_as_they_were_sent(
    graphmem: Graphmem,
    agent_id: str,
    parts: list[Any] | None,
    tool_calls: list[Any] | None,
    metadata: dict[str, Any] | None,
) -> None:
    assume(parts is not None or tool_calls)
    session_id = new_uuid7()
    sent = {"content": parts, "toolCalls": tool_calls, "metadata": metadata, "role": "tool", "toolCallId": "call-1"}
    await say(graphmem, agent_id, session_id, sent)
    (stored,) = await heard(graphmem, agent_id, session_id)
    assert (None if stored.parts is None else list(stored.parts)) == parts
    assert (None if stored.tool_calls is None else list(stored.tool_calls)) == tool_calls
    assert stored.metadata == metadata
    said = None if parts is None else [part["text"] for part in parts if isinstance(part.get("text"), str)]
    assert stored.content == (None if said is None else "\n".join(said))
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert stored.sha256 == hashlib.sha256(canonical.encode()).hexdigest()
    assert (await say(graphmem, agent_id, session_id, sent, {"content": "more"})).duplicates == 1


async def test_what_has_no_words_is_read_without_any(graphmem: Graphmem, agent_id: str) -> None:
    call = {"function": {"name": "read", "arguments": '{"path": "billing-service uses Redis"}'}}
    silent = [{"role": "assistant", "toolCalls": [call]}, {"role": "assistant", "content": []}]
    await say(graphmem, agent_id, "s", *silent, {"role": "developer", "content": "billing-service uses Redis."})
    await graphmem.conversation.intake.end(Caller(agent_id), "s", EndSession())
    worker = graphmem.worker()

    async def ended() -> str | None:
        receipt = await graphmem.conversation.intake.end_result(agent_id, "s")
        return receipt.pipeline if receipt and receipt.pipeline != "queued" else None

    assert await worked_until(worker, ended) == "done"
    counts = (await graphmem.operation.reporting.status(agent_id)).counts
    assert (counts.messages, counts.memories) == (3, 0)


async def test_every_field_of_a_message_comes_back(graphmem: Graphmem, agent_id: str) -> None:
    at = datetime(2026, 3, 4, 5, 6, 7, 891234, tzinfo=timezone(timedelta(hours=-7, minutes=-30)))
    sent = {"role": "assistant", "content": "x", "name": "Zoë", "toolCallId": "c9", "createdAt": at, "messageId": "é 1"}
    before = datetime.now(UTC)
    await say(graphmem, agent_id, "s", sent)
    (stored,) = await heard(graphmem, agent_id, "s")
    assert (stored.role, stored.name, stored.tool_call_id, stored.message_id) == ("assistant", "Zoë", "c9", "é 1")
    assert stored.created_at == at
    assert before <= stored.ingested_at <= datetime.now(UTC)
    assert stored.parts is None
    assert not stored.content_truncated
    by_brought_id = await graphmem.conversation.reading.message(agent_id, MessageRef("é 1"), None)
    assert by_brought_id == stored


@pytest.mark.parametrize("unit", ["five million letters ", "漢字かな交じり文", "👩‍🚀"])
async def test_five_megabytes_come_back_whole_and_by_pieces(graphmem: Graphmem, agent_id: str, unit: str) -> None:
    content = unit * (5_000_000 // len(unit.encode()) + 1)
    await say(graphmem, agent_id, "s", {"content": content, "metadata": {"long": content[:100_000]}})
    (stored,) = await heard(graphmem, agent_id, "s")
    assert stored.content == content
    assert stored.sha256 == hashlib.sha256(content.encode()).hexdigest()
    pieces = [
        await graphmem.conversation.reading.message(agent_id, MessageRef(stored.id, offset=start), 1_000_000)
        for start in range(0, len(content), 1_000_000)
    ]
    assert "".join(piece.content for piece in pieces) == content
    assert [piece.content_truncated for piece in pieces] == [True] * (len(pieces) - 1) + [False]


@pytest.mark.parametrize("where", ["content", "name", "toolCallId", "messageId", "toolCalls", "metadata", "parts"])
async def test_lone_surrogate_is_refused_and_nothing_stored(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str, where: str
) -> None:
    lone = "half an emoji: \ud83d"
    value: Any = {"toolCalls": [{"a": [lone]}], "metadata": {"k": {"k": lone}}, "parts": [{"text": lone}]}.get(
        where, lone
    )
    message = {"role": "user", "content": "fine"} | {"content" if where == "parts" else where: value}
    with pytest.raises(ValueError, match=r"surrogates|unicode"):
        await say(graphmem, agent_id, "s", message)
    sent = json.dumps({"messages": [{"role": "user", "content": "first"}, message]}).encode()  # with \ud83d escaped
    answer = await http.post("/api/sessions/s/messages", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"].startswith("application/problem+json")
    with pytest.raises(NotFound):
        await graphmem.conversation.intake.session(agent_id, "s")


@pytest.mark.parametrize("when", ["9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00"])
async def test_time_that_utc_cannot_say_is_refused(graphmem: Graphmem, agent_id: str, when: str) -> None:
    """Stored, it would make every later reading of its session fail."""
    with pytest.raises(ValidationError, match="createdAt"):
        await say(graphmem, agent_id, "s", {"content": "x", "createdAt": when})


@pytest.mark.parametrize("when", ["9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59-11:00"])
async def test_far_time_comes_back(graphmem: Graphmem, agent_id: str, when: str) -> None:
    await graphmem.conversation.intake.open(
        Caller(agent_id), NewSession(session_id="s", started_at=datetime.fromisoformat(when))
    )
    await say(graphmem, agent_id, "s", {"content": "x", "createdAt": when})
    (stored,) = await heard(graphmem, agent_id, "s")
    assert stored.created_at == datetime.fromisoformat(when)
    (session,) = (await graphmem.conversation.intake.sessions(agent_id, None, None, 10, None)).items
    assert session.started_at == datetime.fromisoformat(when)


# --- once -------------------------------------------------------------------------------------------------


async def test_message_with_a_known_id_is_a_duplicate(graphmem: Graphmem, agent_id: str) -> None:
    first = await say(graphmem, agent_id, "s", {"content": "a", "messageId": "1"}, {"content": "b", "messageId": "2"})
    again = await say(graphmem, agent_id, "s", {"content": "c", "messageId": "3"}, {"content": "a", "messageId": "1"})
    assert (again.received, again.stored, again.duplicates) == (2, 1, 1)
    assert [(line.message_id, line.ordinal, line.status) for line in again.messages] == [
        ("3", 2, "stored"),
        ("1", 0, "duplicate"),
    ]
    assert again.messages[1].id == first.messages[0].id
    assert await words(graphmem, agent_id, "s") == ["a", "b", "c"]


async def test_id_is_unique_in_its_session_only(graphmem: Graphmem, agent_id: str) -> None:
    for session_id in ("s", "t"):
        assert (await say(graphmem, agent_id, session_id, {"content": session_id, "messageId": "1"})).stored == 1
    assert await words(graphmem, agent_id, "t") == ["t"]


@pytest.mark.parametrize(
    "change",
    [
        {"content": "other"},
        {"content": [{"type": "text", "text": "said"}, {"type": "image", "url": "u"}]},
        {"role": "assistant"},
        {"name": "Ann"},
        {"toolCalls": [1]},
        {"toolCallId": "c"},
    ],
)
async def test_changed_message_is_refused_and_its_batch_with_it(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str, change: dict[str, Any]
) -> None:
    said = {"role": "user", "content": "said", "messageId": "1"}
    await say(graphmem, agent_id, "s", said)
    with pytest.raises(MessageChanged, match="'1'"):
        await say(graphmem, agent_id, "s", {"content": "new", "messageId": "0"}, said | change, {"content": "newer"})
    answer = await http.post(
        "/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "n"}, said | change]}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "message_changed")
    assert await words(graphmem, agent_id, "s") == ["said"]
    assert (await graphmem.conversation.intake.session(agent_id, "s")).messages == 1


async def test_metadata_and_time_do_not_make_another_message(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", {"content": "a", "messageId": "1"})
    again = await say(
        graphmem, agent_id, "s", {"content": "a", "messageId": "1", "createdAt": "2020-01-01", "metadata": {}}
    )
    assert again.duplicates == 1


async def test_refused_batch_makes_no_session(graphmem: Graphmem, agent_id: str) -> None:
    with pytest.raises(ValidationError):
        await say(graphmem, agent_id, "s", {"content": "a", "messageId": "1"}, {"content": "b", "messageId": "1"})
    with pytest.raises(NotFound):
        await graphmem.conversation.intake.session(agent_id, "s")


@pytest.mark.parametrize(
    ("stored", "batch", "fresh"),
    [
        # the beginning of the batch is the whole stored session
        (["a"], ["a", "b"], ["b"]),
        (["a", "b"], ["a", "b"], []),
        (["a", "b"], ["a", "b", "c"], ["c"]),
        (["a", "b", "c"], ["a", "b", "c", "d", "e"], ["d", "e"]),
        # its first n >= 2 messages are the last n stored
        (["a", "b", "c"], ["b", "c", "d"], ["d"]),
        (["a", "b", "c"], ["b", "c"], []),
        (["a", "b", "b"], ["b", "b", "b"], ["b"]),
        (["x", "a", "b", "a", "b"], ["a", "b", "a", "b", "c"], ["c"]),
        (["x", "a", "b", "a", "b"], ["a", "b", "c"], ["c"]),
        # people repeat themselves
        (["a"], ["a"], ["a"]),
        (["a", "b"], ["b"], ["b"]),
        (["a", "b"], ["b", "c"], ["b", "c"]),
        (["a", "b", "c"], ["a", "b"], ["a", "b"]),
        (["a", "b", "c"], ["c", "b"], ["c", "b"]),
        (["a", "a"], ["a"], ["a"]),
        (["a", "b", "c"], ["a", "b", "d"], ["a", "b", "d"]),
    ],
)
async def test_batch_without_ids_is_a_replay_only_where_it_must_be(
    graphmem: Graphmem, agent_id: str, stored: list[str], batch: list[str], fresh: list[str]
) -> None:
    for content in stored:  # each in a batch of its own, under an id: nothing here is a replay
        await say(graphmem, agent_id, "s", {"content": content, "messageId": new_uuid7()})
    receipt = await say(graphmem, agent_id, "s", *texts(*batch))
    assert (receipt.stored, receipt.duplicates) == (len(fresh), len(batch) - len(fresh))
    assert [line.status for line in receipt.messages] == ["duplicate"] * receipt.duplicates + ["stored"] * len(fresh)
    assert await words(graphmem, agent_id, "s") == stored + fresh


async def test_same_words_in_another_role_are_no_replay(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", *texts("a", "b"))
    swapped = [{"content": "a", "role": "assistant"}, {"content": "b"}]
    assert (await say(graphmem, agent_id, "s", *swapped)).stored == 2


# --- in order ---------------------------------------------------------------------------------------------


async def test_eight_writers_leave_ordinals_without_gap_and_one_chain(
    graphmem: Graphmem, settings: Settings, agent_id: str
) -> None:
    async def write(writer: int) -> None:
        for turn in range(6):
            batch = [{"content": f"{writer}.{turn}.{n}", "messageId": f"{writer}.{turn}.{n}"} for n in range(3)]
            await say(graphmem, agent_id, "s", *batch)

    await asyncio.gather(*(write(writer) for writer in range(8)))
    stored = await heard(graphmem, agent_id, "s")
    assert [message.ordinal for message in stored] == list(range(8 * 6 * 3))
    for start in range(0, len(stored), 3):  # batches stay together
        assert len({message.content.rpartition(".")[0] for message in stored[start : start + 3]}) == 1
    for writer in range(8):  # and each writer's own order is kept
        own = [message.content for message in stored if message.content.startswith(f"{writer}.")]
        assert own == [f"{writer}.{turn}.{n}" for turn in range(6) for n in range(3)]
    await chain_equals_ordinals(settings, agent_id, "s", len(stored))


@pytest.mark.parametrize("together", [True, False])
async def test_eight_writers_of_a_session_wait_for_each_other_and_never_deadlock(
    graphmem: Graphmem, agent_id: str, caplog: pytest.LogCaptureFixture, together: bool
) -> None:
    """What has an idempotency key goes in a transaction of its own."""

    async def write(writer: int) -> None:
        for turn in range(12):
            content = f"{writer}.{turn}"
            once = None if together else Once(content, "r", "h", lambda receipt: (200, str(receipt)))
            batch = NewMessages(messages=(NewMessage(role="user", content=content),))
            await graphmem.conversation.intake.add_messages(Caller(agent_id, once), "s", batch)

    await say(graphmem, agent_id, "s", {"content": "first"})
    with caplog.at_level(logging.WARNING, logger="neo4j"):
        await asyncio.gather(*(write(writer) for writer in range(8)))
    assert [record.getMessage() for record in caplog.records if "retried" in record.getMessage()] == []
    assert len(await heard(graphmem, agent_id, "s")) == 1 + 8 * 12


async def test_messages_of_many_callers_at_once_are_answered_each_for_itself(
    graphmem: Graphmem, settings: Settings, agent_id: str
) -> None:
    """They share transactions; who sends what may not be stored fails alone."""
    await say(graphmem, agent_id, "s", {"content": "first", "messageId": "1"})
    sent = [
        ("s", {"content": "second", "messageId": "2"}),
        ("s", {"content": "first, changed", "messageId": "1"}),
        ("t", {"content": "of another session", "messageId": "1"}),
        ("s", {"content": "second", "messageId": "2"}),
        ("s", {"content": "third"}),
        ("s", {"content": "third"}),
        ("t", {"content": "and its second"}),
    ]
    answers = await asyncio.gather(
        *(say(graphmem, agent_id, session_id, message) for session_id, message in sent), return_exceptions=True
    )
    assert [answer if isinstance(answer, MessageChanged) else None for answer in answers].count(None) == len(sent) - 1
    assert isinstance(answers[1], MessageChanged)
    told = [answer for answer in answers if isinstance(answer, IngestReceipt)]
    assert [(one.session_id, one.created, one.messages[0].ordinal, one.messages[0].status) for one in told] == [
        ("s", False, 1, "stored"),
        ("t", True, 0, "stored"),
        ("s", False, 1, "duplicate"),
        ("s", False, 2, "stored"),
        ("s", False, 3, "stored"),
        ("t", False, 1, "stored"),
    ]
    assert await words(graphmem, agent_id, "s") == ["first", "second", "third", "third"]
    await chain_equals_ordinals(settings, agent_id, "s", 4)
    await chain_equals_ordinals(settings, agent_id, "t", 2)


async def test_session_that_grew_by_another_process_is_filled_in_order(
    graphmem: Graphmem, settings: Settings, agent_id: str
) -> None:
    """Each process remembers where sessions ended when it last wrote to them."""
    other = await Graphmem.open(settings, None)
    try:
        for number, writer in enumerate([graphmem, graphmem, other, graphmem, other, other, graphmem]):
            receipt = await say(writer, agent_id, "s", {"content": f"line {number}", "messageId": str(number)})
            assert [line.ordinal for line in receipt.messages] == [number]
        again = await say(other, agent_id, "s", {"content": "line 3", "messageId": "3"})
        assert (again.duplicates, again.stored, again.messages[0].ordinal) == (1, 0, 3)
        with pytest.raises(MessageChanged):
            await say(graphmem, agent_id, "s", {"content": "changed", "messageId": "3"})
    finally:
        await other.close()
    await chain_equals_ordinals(settings, agent_id, "s", 7)


@pytest.mark.parametrize("carried_out", [True, False])
async def test_message_is_stored_once_where_the_answer_of_the_database_was_lost(
    graphmem: Graphmem, settings: Settings, agent_id: str, monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    await say(graphmem, agent_id, "s", {"content": "first"})
    write_alone, lost = graphmem.database.write_alone, []

    async def losing(name: str, /, **params: Any) -> list[dict[str, Any]]:
        lost.append(name)
        if carried_out:
            await write_alone(name, **params)
        raise DatabaseUnavailable("the connection was lost")

    monkeypatch.setattr(graphmem.database, "write_alone", losing)
    receipt = await say(graphmem, agent_id, "s", {"content": "second"}, {"content": "third", "messageId": "3"})
    assert lost == []  # messages without ids may repeat the last ones: those are looked at first
    receipt = await say(graphmem, agent_id, "s", {"content": "fourth"})
    assert len(lost) == 1
    assert [(line.ordinal, line.status) for line in receipt.messages] == [(3, "stored")]
    assert await words(graphmem, agent_id, "s") == ["first", "second", "third", "fourth"]
    await chain_equals_ordinals(settings, agent_id, "s", 4)


async def test_eight_writers_of_the_same_batch_store_it_once(
    graphmem: Graphmem, settings: Settings, agent_id: str
) -> None:
    batch = [{"content": f"line {n}", "messageId": str(n)} for n in range(20)]
    receipts = await asyncio.gather(*(say(graphmem, agent_id, "s", *batch) for _ in range(8)))
    assert sorted(receipt.stored for receipt in receipts) == [0] * 7 + [20]
    assert sum(receipt.created for receipt in receipts) == 1
    assert len({tuple(line.id for line in receipt.messages) for receipt in receipts}) == 1
    await chain_equals_ordinals(settings, agent_id, "s", 20)


async def chain_equals_ordinals(settings: Settings, agent_id: str, session_id: str, count: int) -> None:
    rows = await asked(
        settings,
        "MATCH (s:Session {agent_id: $agent, id: $session})-[:HAS_MESSAGE]->(m:Message) "
        "RETURN m.ordinal AS ordinal, COLLECT { MATCH (m)-[:NEXT]->(n) RETURN n.ordinal } AS next, "
        "COUNT { (m)<-[:HAS_MESSAGE]-() } AS held, s.messages AS messages, s.tokens AS tokens, "
        "s.nextOrdinal AS following, "
        "m.tokens AS own ORDER BY ordinal",
        agent=agent_id,
        session=session_id,
    )
    assert [row["ordinal"] for row in rows] == list(range(count))
    assert [row["next"] for row in rows] == [[n + 1] for n in range(count - 1)] + [[]]
    assert {row["held"] for row in rows} == {1}
    assert {(row["messages"], row["following"]) for row in rows} == {(count, count)}
    assert {row["tokens"] for row in rows} == {sum(row["own"] for row in rows)}


async def test_transaction_that_fails_late_leaves_nothing(graphmem: Graphmem, agent_id: str) -> None:
    """All or nothing, also when what fails is the very last statement."""
    await say(graphmem, agent_id, "s", *texts("a", "b"))
    seen: list[int] = []

    async def work(tx: WriteTransaction) -> None:
        (last,) = (await message_page(tx, agent_id, "s", 0, 10, Bounds(1000, 1000)))[-1:]
        seen.append(last.ordinal)
        row = _copy(last, ordinal=2)
        assert (await messages_append(tx, agent_id, {"s": [row]}, {}, 0.75)).keys() == {"s"}
        taken = replace(_copy(last, ordinal=3), id=row.id)
        await messages_append(tx, agent_id, {"s": [taken]}, {}, 0.75)

    with pytest.raises(neo4j.exceptions.ConstraintError):
        await graphmem.database.write(work)
    assert set(seen) == {1}, "each try, too, saw nothing of the one before"
    assert await words(graphmem, agent_id, "s") == ["a", "b"]
    assert (await graphmem.conversation.intake.session(agent_id, "s")).messages == 2


def _copy(message: StoredMessage, ordinal: int) -> MessageRow:
    return MessageRow(
        id=new_uuid7(),
        message_id=new_uuid7(),
        ordinal=ordinal,
        role=message.role,
        content=message.content,
        content_kind="text",
        name=None,
        tool_calls=None,
        tool_call_id=None,
        metadata=None,
        sha256=message.sha256,
        fingerprint="f",
        content_chars=1,
        tokens=1,
        created_at=message.created_at,
        ingested_at=message.ingested_at,
        search_text="x",
        agent_key="k",
        grams="x",
    )


@pytest.mark.parametrize("limit", [1, 7, 50, 51, 1000])
async def test_pages_hold_every_message_once(graphmem: Graphmem, agent_id: str, limit: int) -> None:
    said = [f"line {n}" for n in range(51)]
    await say(graphmem, agent_id, "s", *texts(*said))
    met: list[str] = []
    after = -1
    for _ in range(60):
        page = await graphmem.conversation.reading.messages(agent_id, "s", after, limit, None)
        met += [message.content for message in page.items]
        assert len(page.items) <= limit
        if page.next_cursor is None:
            break
        after = int(page.next_cursor)
    assert met == said


@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_pages_hold_every_session_once_newest_first(graphmem: Graphmem, agent_id: str, limit: int) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for n in range(7):  # three of them begin at the same moment
        opening = NewSession(
            session_id=f"s{n}", started_at=at + timedelta(days=max(0, n - 2)), project="p", source="cli"
        )
        await graphmem.conversation.intake.open(Caller(agent_id), opening)
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="other", project="q"))
    met: list[str] = []
    cursor = None
    for _ in range(10):
        page = await graphmem.conversation.intake.sessions(agent_id, "p", "cli", limit, cursor)
        met += [session.session_id for session in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert met == [f"s{n}" for n in reversed(range(7))]


@pytest.mark.parametrize("chars", [0, 1, 5, 100])
async def test_long_content_is_cut_and_says_so(graphmem: Graphmem, agent_id: str, chars: int) -> None:
    await say(graphmem, agent_id, "s", {"content": "👩‍🚀 said it"})
    (cut,) = (await graphmem.conversation.reading.messages(agent_id, "s", -1, 10, chars)).items
    assert cut.content == "👩‍🚀 said it"[:chars]
    assert cut.content_truncated == (chars < len("👩‍🚀 said it"))
    assert cut.content_chars == len("👩‍🚀 said it")


# --- sessions ---------------------------------------------------------------------------------------------


async def test_new_messages_reopen_an_ended_session_and_it_ends_again(graphmem: Graphmem, agent_id: str) -> None:
    caller = Caller(agent_id)
    await say(graphmem, agent_id, "s", *texts("a"))
    first = await graphmem.conversation.intake.end(caller, "s", EndSession())
    ended = await graphmem.conversation.intake.session(agent_id, "s")
    assert ended.ended_at is not None
    assert await graphmem.conversation.intake.end(caller, "s", EndSession()) == first
    await say(graphmem, agent_id, "s", *texts("b"))
    assert (await graphmem.conversation.intake.session(agent_id, "s")).ended_at is None
    again = await graphmem.conversation.intake.end(caller, "s", EndSession())
    assert again.job_id == first.job_id, "its job was still queued: one is enough for both"
    assert await words(graphmem, agent_id, "s") == ["a", "b"]


async def test_opening_reopens_an_ended_session_as_it_was_made(graphmem: Graphmem, agent_id: str) -> None:
    caller = Caller(agent_id)
    made = await graphmem.conversation.intake.open(
        caller, NewSession(session_id="s", project="p", source="cli", metadata={"k": 1})
    )
    assert made.created
    await say(graphmem, agent_id, "s", *texts("a"))
    first = await graphmem.conversation.intake.end(caller, "s", EndSession())
    found = await graphmem.conversation.intake.open(
        caller, NewSession(session_id="s", project="other", metadata={"k": 2})
    )
    assert not found.created
    assert (found.project, found.source, found.metadata, found.messages) == ("p", "cli", {"k": 1}, 1)
    assert found.ended_at is None
    assert await graphmem.conversation.intake.end(caller, "s", EndSession()) == first
    assert (await graphmem.conversation.intake.session(agent_id, "s")).ended_at is not None


async def test_eight_openings_make_one_session(graphmem: Graphmem, settings: Settings, agent_id: str) -> None:
    opening = NewSession(session_id="s")
    made = await asyncio.gather(*(graphmem.conversation.intake.open(Caller(agent_id), opening) for _ in range(8)))
    assert sum(session.created for session in made) == 1
    rows = await asked(
        settings, "MATCH (e:Event {agent_id: $agent, kind: 'session_opened'}) RETURN e.subjectId AS id", agent=agent_id
    )
    assert [row["id"] for row in rows] == ["s"]


async def test_session_nobody_made_cannot_end(graphmem: Graphmem, agent_id: str) -> None:
    with pytest.raises(NotFound, match="'nowhere'"):
        await graphmem.conversation.intake.end(Caller(agent_id), "nowhere", EndSession())


async def test_another_agent_sees_nothing_and_touches_nothing(graphmem: Graphmem, agent_id: str) -> None:
    stranger = f"stranger-{agent_id}"
    receipt = await say(graphmem, agent_id, "s", {"content": "mine", "messageId": "1"})
    await graphmem.conversation.intake.end(Caller(agent_id), "s", EndSession())
    conversations = graphmem.conversation.intake
    for attempt in (
        conversations.session(stranger, "s"),
        graphmem.conversation.reading.messages(stranger, "s", -1, 10, None),
        graphmem.conversation.reading.message(stranger, MessageRef(receipt.messages[0].id), None),
        graphmem.conversation.reading.message(stranger, MessageRef("1"), None),
        conversations.end(Caller(stranger), "s", EndSession()),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert (await conversations.sessions(stranger, None, None, 10, None)).items == ()
    assert await conversations.end_result(stranger, "s") is None
    # The same ids are free for the stranger, and the two sessions stay apart.
    assert (await say(graphmem, stranger, "s", {"content": "theirs", "messageId": "1"})).stored == 1
    assert await words(graphmem, agent_id, "s") == ["mine"]
    assert await words(graphmem, stranger, "s") == ["theirs"]
