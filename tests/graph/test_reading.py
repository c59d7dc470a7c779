"""Conversations read back: pages that hold everything once, texts in pieces, previews by id, figures of a session."""

import base64
import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7
from graphmem.app import Graphmem
from graphmem.errors import NotFound
from graphmem.model.caller import Caller
from graphmem.model.conversation import StoredMessage
from graphmem.model.inputs import ExpandId, ExpandSummary, LoadSession, NewMessage, NewMessages, NewSession
from graphmem.model.stored import MessageRef, SummaryFilter
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.privacy.guards import GuardRules
from graphmem.services.conversation.describing import Describing
from graphmem.services.conversation.guards import Guards

Json = dict[str, Any]
in_the_graph = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
LONG = "".join(f"Sentence {n} of a long answer, 漢字 and 👩‍🚀. " for n in range(60))
words = st.text(st.sampled_from("ab c.\n漢é👩\u200d"), max_size=120) | st.sampled_from(["", "\n" * 700, LONG])
contents = st.one_of(
    words,
    st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": words}), min_size=1, max_size=3),
    st.just([{"type": "tool_result", "content": [{"inner": LONG}]}]),
)


@pytest.fixture(autouse=True)
async def nothing_waits(bolt: AsyncDriver, agent_id: str) -> AsyncIterator[None]:
    """None of the long texts of a test is left for a worker of later ones to read."""
    yield
    await bolt.execute_query("MATCH (n:Unembedded {agent_id: $a}) REMOVE n:Unembedded", a=agent_id)


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *messages: Json) -> list[str]:
    """The ids of the messages, now stored."""
    batch = NewMessages(messages=tuple(NewMessage.model_validate({"role": "user"} | message) for message in messages))
    receipt = await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)
    return [str(line.id) for line in receipt.messages]


async def summed_up(graphmem: Graphmem, agent_id: str, session_id: str) -> str:
    """The id of the session's summary."""
    summary_id = await graphmem.knowledge.learning.summarise_session(agent_id, session_id)
    assert summary_id
    return summary_id


def text_of(content: Any) -> str:
    return (
        content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content if "text" in part)
    )


def read_as(content: Any) -> str:
    """The words, or, where there are none, the parts."""
    return text_of(content) or ("" if isinstance(content, str) else canonical_json(content))


# --- everything, once -----------------------------------------------------------------------------------------


@in_the_graph
@given(
    said=st.lists(contents, min_size=1, max_size=6),
    limit=st.integers(1, 7),
    tokens=st.sampled_from([64, 90, 500, 32000]),
)
async def test_pages_of_a_session_hold_every_message_once(
    graphmem: Graphmem, agent_id: str, said: list[Any], limit: int, tokens: int
) -> None:
    session_id = new_uuid7()
    await say(graphmem, agent_id, session_id, *({"content": content} for content in said))
    met: list[StoredMessage] = []
    after = -1
    while True:
        asked = LoadSession(session_id=session_id, after=after, limit=limit, max_tokens=tokens)
        page = await graphmem.conversation.reading.load(agent_id, asked)
        assert page.items
        assert len(page.items) <= limit
        assert page.used_tokens <= tokens
        met += page.items
        if page.next_cursor is None:
            break
        after = int(page.next_cursor)
    assert [message.ordinal for message in met] == list(range(len(said)))
    for message, content in zip(met, said, strict=True):
        assert text_of(content).startswith(message.content)
        assert message.content_truncated == (len(message.content) < len(text_of(content)))
        assert await in_pieces(graphmem, agent_id, message.id, tokens) == read_as(content)


async def in_pieces(graphmem: Graphmem, agent_id: str, id_: str, tokens: int) -> str:
    """A message, a stretch at a time."""
    text, cursor = "", None
    while True:
        page = await graphmem.conversation.reading.expand_message(agent_id, id_, tokens, cursor)
        assert page.used_tokens <= tokens
        text += page.message.content
        if page.next_cursor is None:
            return text
        assert page.message.content
        cursor = page.next_cursor


@in_the_graph
@given(said=st.lists(contents, min_size=1, max_size=6), tokens=st.sampled_from([64, 70, 400]))
async def test_what_a_summary_was_made_of_is_met_once_to_the_character(
    graphmem: Graphmem, agent_id: str, said: list[Any], tokens: int
) -> None:
    session_id = new_uuid7()
    ids = await say(graphmem, agent_id, session_id, *({"content": content} for content in said))
    summary_id = await summed_up(graphmem, agent_id, session_id)
    texts: dict[str, str] = {}
    cursor = None
    for _ in range(1000):
        page = await graphmem.conversation.reading.expand_summary(
            agent_id, summary_id, ExpandSummary(max_tokens=tokens, cursor=cursor)
        )
        assert page.used_tokens <= tokens
        assert page.children
        for child in page.children:
            texts[child.id] = texts.get(child.id, "") + child.content
        cursor = page.next_cursor
        if cursor is None:
            break
    assert list(texts) == ids
    assert list(texts.values()) == [text_of(content) for content in said]


async def test_a_huge_first_message_is_expanded_in_steps(graphmem: Graphmem, agent_id: str) -> None:
    huge = "one two three. " * 400_000
    await say(graphmem, agent_id, "s", {"content": huge}, {"content": "the end"})
    summary_id = await summed_up(graphmem, agent_id, "s")
    first = await graphmem.conversation.reading.expand_summary(agent_id, summary_id, ExpandSummary(max_tokens=64))
    second = await graphmem.conversation.reading.expand_summary(
        agent_id, summary_id, ExpandSummary(max_tokens=64, cursor=first.next_cursor)
    )
    (one,), (two,) = first.children, second.children
    assert huge.startswith(one.content + two.content)
    assert one.content
    assert two.content


@in_the_graph
@given(content=contents, name=st.none() | st.sampled_from(["Zoë", "a: b"]), step=st.integers(1, 900), raw=st.booleans())
async def test_a_message_is_read_by_offset_to_the_character(
    graphmem: Graphmem, agent_id: str, content: Any, name: str | None, step: int, raw: bool
) -> None:
    (id_,) = await say(graphmem, agent_id, new_uuid7(), {"content": content, "name": name})
    whole = content if isinstance(content, str) else canonical_json(content) if raw else text_of(content)
    step = max(step, len(whole) // 12)
    got = ""
    for _ in range(20):
        piece = await graphmem.conversation.reading.message(agent_id, MessageRef(id_, offset=len(got), raw=raw), step)
        assert piece.content_chars == len(whole)
        assert len(piece.content) <= step
        got += piece.content
        if not piece.content_truncated:
            break
    assert got == whole
    if raw or isinstance(content, str):
        assert piece.sha256 == hashlib.sha256(got.encode()).hexdigest()


async def test_what_is_left_out_of_a_bounded_message_is_named(graphmem: Graphmem, agent_id: str) -> None:
    sent = {"content": [{"type": "text", "text": LONG}], "toolCalls": [{"arguments": LONG * 10}], "metadata": {"k": 1}}
    (id_,) = await say(graphmem, agent_id, "s", sent)
    whole = await graphmem.conversation.reading.message(agent_id, MessageRef(id_), None)
    assert whole.omitted == ()
    assert whole.parts == tuple(sent["content"])
    cut = await graphmem.conversation.reading.message(agent_id, MessageRef(id_), 100)
    assert (cut.parts, cut.tool_calls, cut.metadata) == (None, None, {"k": 1})
    assert cut.omitted == ("parts", "toolCalls")
    (paged,) = (await graphmem.conversation.reading.messages(agent_id, "s", -1, 10, 100)).items
    assert paged == cut


async def test_an_id_brought_to_two_sessions_is_found_in_the_one_named(graphmem: Graphmem, agent_id: str) -> None:
    for session_id in ("s", "t"):
        await say(graphmem, agent_id, session_id, {"content": session_id, "messageId": "m1"})
    for session_id in ("s", "t"):
        found = await graphmem.conversation.reading.message(agent_id, MessageRef("m1", session_id), None)
        assert found.content == session_id
    with pytest.raises(NotFound):
        await graphmem.conversation.reading.message(agent_id, MessageRef("m1", "u"), None)


# --- walking --------------------------------------------------------------------------------------------------


@pytest.fixture
async def chain(graphmem: Graphmem, agent_id: str) -> list[str]:
    """Four sessions of a project, a day apart, summed up; and a newer one of another. The ids of the summaries."""
    summaries = []
    for n in range(4):
        at = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=n)
        opening = NewSession(
            session_id=f"s{n}",
            project="p",
            source="cli" if n % 2 else "web",
            started_at=at,
            context_window=1000,
            continues=f"s{n - 1}" if n else None,
        )
        await graphmem.conversation.intake.open(Caller(agent_id), opening)
        await say(graphmem, agent_id, f"s{n}", {"content": f"day {n}", "createdAt": at.isoformat()})
        summaries.append(await summed_up(graphmem, agent_id, f"s{n}"))
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="other", project="q"))
    return summaries


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"latest": True, "project": "p"}, "s3"),
        ({"latest": True}, "other"),
        ({"back": 2, "project": "p"}, "s1"),
        ({"latest": True, "back": 1, "project": "p"}, "s2"),
        ({"session_id": "s3", "back": 1}, "s2"),
        ({"session_id": "s3", "back": 3}, "s0"),
        ({"session_id": "s0"}, "s0"),
    ],
)
@pytest.mark.usefixtures("chain")
async def test_sessions_are_walked_back(graphmem: Graphmem, agent_id: str, asked: Json, found: str) -> None:
    assert (await graphmem.conversation.reading.load(agent_id, LoadSession(**asked))).session.session_id == found


@pytest.mark.usefixtures("chain")
async def test_a_walk_that_leads_nowhere_says_how_far_it_goes(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    with pytest.raises(NotFound, match="only 3 sessions of project 'p' before 's3'"):
        await graphmem.conversation.reading.load(agent_id, LoadSession(session_id="s3", back=4))
    for body in ({}, {"sessionId": "s3", "latest": True}):
        refused = await http.post("/api/sessions/load", json=body)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")


async def test_summaries_are_walked_back_and_filtered_by_source(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, chain: list[str]
) -> None:
    async def found(before: str | None = None, back: int = 0, limit: int = 10, **wanted: Any) -> list[str]:
        page = await graphmem.conversation.reading.summaries(
            agent_id, SummaryFilter(**wanted), limit, None, before, back
        )
        return [summary.id for summary in page.items]

    assert await found() == chain[::-1]
    assert await found(back=1) == chain[2::-1]
    assert await found(before=chain[3]) == chain[2::-1]
    assert await found(before=chain[3], back=2) == chain[1::-1]
    assert await found(before=chain[0]) == []
    assert await found(source="web") == [chain[2], chain[0]]
    assert await found(before=chain[3], source="cli") == [chain[1]]
    assert await found(source="nowhere") == []
    with pytest.raises(NotFound):
        await found(before="nothing")
    await bolt.execute_query(  # as a later version will: an arc over two sessions
        "MATCH (y:Summary {agent_id: $a}) WHERE y.id IN $ids WITH y ORDER BY y.latestAt WITH collect(y) AS parts "
        "CREATE (z:Summary {agent_id: $a, id: 'arc', dagKey: 'arc', kind: 'arc', depth: 1, project: 'p', tokens: 2, "
        "content: 'an arc', earliestAt: parts[0].earliestAt, latestAt: parts[1].latestAt}) "
        "FOREACH (i IN [0, 1] | FOREACH (y IN [parts[i]] | CREATE (z)-[:HAS_CHILD {ordinal: i}]->(y)))",
        a=agent_id,
        ids=chain[:2],
    )
    assert await found(kind="arc", source="web") == ["arc"]
    assert await found(kind="arc", source="slack") == []
    expanded = await graphmem.conversation.reading.expand_summary(agent_id, "arc", ExpandSummary())
    assert [child.id for child in expanded.children] == chain[:2]
    described = await graphmem.conversation.describing.describe(agent_id, "arc")
    assert (described.depths, described.counts["messages"], described.child_count) == ({"d0": 2}, 2, 2)


@pytest.mark.parametrize("limit", [1, 2, 3])
async def test_pages_of_predecessors_hold_each_once(
    graphmem: Graphmem, agent_id: str, chain: list[str], limit: int
) -> None:
    met: list[str] = []
    cursor = None
    while True:
        page = await graphmem.conversation.reading.summaries(agent_id, SummaryFilter(), limit, cursor, before=chain[3])
        met += [summary.id for summary in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert met == chain[2::-1]


# --- by id ----------------------------------------------------------------------------------------------------


async def test_anything_with_an_id_is_described_by_its_beginning(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    picture = "data:image/png;base64," + "QUJD" * 500
    sent = {"content": [{"type": "text", "text": LONG}], "name": "Zoë", "messageId": "m 1", "metadata": {"p": picture}}
    (id_,) = await say(graphmem, agent_id, "s", sent)
    summary_id = await summed_up(graphmem, agent_id, "s")
    given = {"content": "lamp-service uses PostgreSQL. " + LONG, "entity": "lamp-service"}
    kept = (await http.post("/api/memory/remember", json=given)).json()
    edges = {"dependencies": [{"source": "lamp-service", "target": "wick-service", "reason": "light"}]}
    edge = (await http.put("/api/graph/dependencies", json=edges)).json()["items"][0]
    sha256 = hashlib.sha256(b"ABC" * 500).hexdigest()
    wanted = {
        "s": ("session", "s"),
        summary_id: ("summary", summary_id),
        id_: ("message", id_),
        "m 1": ("message", id_),
        sha256: ("payload", sha256),
        sha256.upper(): ("payload", sha256),
        kept["memory"]["id"]: ("memory", kept["memory"]["id"]),
        kept["attributes"][0]["id"]: ("attribute", kept["attributes"][0]["id"]),
        "the Lamp-Service": ("entity", kept["entities"][0]["id"]),
        edge["id"]: ("dependency", edge["id"]),
    }
    found = {asked: (await http.get(f"/api/describe/{asked}")).json() for asked in wanted}
    assert {asked: (one["kind"], one["id"]) for asked, one in found.items()} == wanted
    for one in found.values():
        assert len(one["preview"]) <= 500
        assert one["preview"]
        assert one["readBy"]["route"].split("/")[1] == "api"
        for child in one["children"]:
            child_found = await http.get(f"/api/describe/{child['id']}")
            assert child_found.json()["kind"] == child["kind"]
    assert found[id_]["preview"] == LONG[:500]
    assert found[id_]["previewTruncated"]
    assert found[id_]["chars"] == len(LONG)
    assert found[sha256]["preview"] == "ABC" * 166 + "AB"
    assert found[kept["memory"]["id"]]["preview"] == given["content"][:500]
    assert "wick-service" in found[edge["id"]]["preview"]
    for unknown in ("nothing", new_uuid7()):
        refused = await http.get(f"/api/describe/{unknown}")
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    for asked in wanted:
        for route in ("describe", "expand"):
            stranger = await http.get(f"/api/{route}/{asked}", headers={"X-Agent-Id": f"stranger-{agent_id}"})
            assert stranger.status_code == 404


async def test_a_kind_tells_a_session_from_a_message_of_the_same_name(graphmem: Graphmem, agent_id: str) -> None:
    (id_,) = await say(graphmem, agent_id, "m1", {"content": "a", "messageId": "m1"})
    assert (await graphmem.conversation.describing.describe(agent_id, "m1")).kind == "session"
    assert (await graphmem.conversation.describing.describe(agent_id, "m1", "message")).id == id_
    with pytest.raises(NotFound, match="no payload"):
        await graphmem.conversation.describing.describe(agent_id, "m1", "payload")


@pytest.mark.parametrize("data", [LONG.encode() * 3, bytes(range(256)) * 80])
async def test_a_payload_is_expanded_to_the_byte(graphmem: Graphmem, agent_id: str, data: bytes) -> None:
    sent = f"see data:application/x-thing;base64,{base64.b64encode(data).decode()}"
    await say(graphmem, agent_id, "s", {"content": sent})
    sha256 = hashlib.sha256(data).hexdigest()
    got, cursor = b"", None
    for _ in range(500):
        page = await graphmem.recall.expanding.expand(agent_id, sha256, ExpandId(max_tokens=800, cursor=cursor))
        assert page.used_tokens <= 800
        got += page.text.encode() if page.encoding == "text" else base64.b64decode(page.text, validate=True)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert got == data


async def test_a_message_of_a_megabyte_is_described_and_cut_without_its_words(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    (id_,) = await say(graphmem, agent_id, "s", {"content": [{"type": "text", "text": "x" * 1_000_000}]})
    described = await graphmem.conversation.describing.describe(agent_id, id_)
    assert (described.preview, described.chars) == ("x" * 500, 1_000_000)
    page = await graphmem.conversation.reading.load(agent_id, LoadSession(session_id="s", max_tokens=64))
    assert (len(page.items[0].content), page.items[0].omitted) == (64 * 7, ("parts",))


# --- a session's figures --------------------------------------------------------------------------------------


async def test_a_session_tells_all_that_is_counted_of_it(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str, chain: list[str]
) -> None:
    picture = "data:image/png;base64," + "QUJD" * 500
    await say(graphmem, agent_id, "s1", {"content": picture, "role": "tool"}, {"content": "more", "role": "assistant"})
    found = (await http.get("/api/sessions/s1")).json()
    tokens = found["tokens"]
    assert found["messages"] == 3
    assert found["roles"] == {"user": 1, "tool": 1, "assistant": 1}
    assert (found["frontier"], found["activeTokens"], found["pressure"]) == (0, tokens, tokens / 1000)
    assert (found["summaries"], found["compactions"]) == ({"d0": 1}, 0)
    assert found["summaryTokens"] > 0
    assert (found["payloads"], found["payloadBytes"], found["unread"], found["unembedded"]) == (1, 1500, 3, 3)
    assert [found[name] for name in ("shifts", "routineTurns", "meanNovelty", "meanImportance")] == [None] * 4
    assert (found["ignored"], found["stateless"], found["closedBy"], found["end"]) == (False, False, None, None)
    assert found["lineage"] == {"continues": ["s0"], "continuedBy": ["s2"]}
    assert (await http.get("/api/sessions/s3")).json()["lineage"]["continues"] == ["s2", "s1", "s0"]
    assert (await http.get("/api/sessions/other")).json()["pressure"] is None
    await bolt.execute_query(  # what rotation, compaction and turn analysis write
        "MATCH (s:Session {agent_id: $a, id: 's1'}) SET s.frontier = 2 "
        "CREATE (s)-[:HAS_COMPACTION]->"
        "(:Summary {agent_id: $a, id: 'leaf', dagKey: 'leaf', kind: 'leaf', depth: 0, tokens: 7}) "
        "WITH s MATCH (s)-[:HAS_MESSAGE]->(m) WHERE m.ordinal < 2 "
        "SET m.novelty = 0.2 + 0.6 * m.ordinal, m.importance = 2 + 6 * m.ordinal, m.paradigmShift = m.ordinal = 1, "
        "m.class = CASE m.ordinal WHEN 0 THEN 'compressed' ELSE 'preserved' END",
        a=agent_id,
    )
    later = (await http.get("/api/sessions/s1")).json()
    assert (later["frontier"], later["compactions"], later["summaries"]) == (2, 1, {"d0": 2})
    assert 7 < later["activeTokens"] < tokens + 7
    assert later["pressure"] == later["activeTokens"] / 1000
    assert (later["analysed"], later["shifts"], later["routineTurns"]) == (2, 1, 1)
    assert (later["meanNovelty"], later["meanImportance"]) == (pytest.approx(0.5), 5)


async def test_a_circle_of_sessions_ends(graphmem: Graphmem, agent_id: str) -> None:
    for session_id, before in (("a", "b"), ("b", "a")):
        await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id=session_id, continues=before))
    assert (await graphmem.conversation.describing.session(agent_id, "a")).lineage.continues == ("b",)


async def test_a_session_that_is_closed_today_says_so(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "cron:tick", {"content": "from before"})

    def guarded(**rules: Any) -> Describing:
        parts = vars(graphmem.conversation.describing)
        guards = Guards(GuardRules(**rules), parts["_sessions"], parts["_files"])
        return Describing(parts["_descriptions"], parts["_sessions"], guards, parts["_payloads"], parts["_files"])

    ignored = await guarded(ignore_sessions=("cron:*",)).session(agent_id, "cron:tick")
    assert (ignored.ignored, ignored.stateless, ignored.closed_by) == (True, False, "cron:*")
    stateless = await guarded(stateless_sessions=("unknown",)).session(agent_id, "cron:tick")
    assert (stateless.ignored, stateless.stateless, stateless.closed_by) == (False, True, "unknown")
