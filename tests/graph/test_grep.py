"""Grep in a real graph: every word that was said is found by any part of it, by its agent only, page by page."""

import asyncio
import json
import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import InvalidCursor, InvalidInput
from graphmem.graph.recall.grep import GrepStore
from graphmem.model.answers import Grepped
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow, SummaryRow
from graphmem.model.inputs import Grep, NewMessage, NewMessages, NewSession
from graphmem.rules.language.grams import EVERYTHING, MADE_BY, grams
from graphmem.rules.language.keys import agent_key, sha256_hex
from graphmem.rules.privacy.guards import GuardRules
from graphmem.services.conversation.guards import Guards
from graphmem.services.conversation.intake import Intake
from graphmem.services.recall import grep as service
from tests.agents import nodes_of

START = datetime(2026, 4, 1, tzinfo=UTC)
GONE = "SET n.searchText = '', n.grams = '' REMOVE n.agentKey"
"""What erasing leaves of a message, as far as grep is concerned."""


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found must not hang on how busy the machine is."""
    monkeypatch.setattr(service, "TIME_S", {"text": 60.0, "regex": 60.0})


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *contents: Any, **fields: Any) -> list[str]:
    """Store one message for each content, a minute apart, findable; their ids."""
    batch = [
        NewMessage.model_validate(
            {"role": "user", "content": content, "createdAt": START + timedelta(minutes=n)} | fields
        )
        for n, content in enumerate(contents)
    ]
    ids: list[str] = []
    for start in range(0, len(batch), 1000):
        given = NewMessages(messages=tuple(batch[start : start + 1000]))
        receipt = await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, given)
        ids += [str(line.id) for line in receipt.messages]
    await graphmem.operation.upkeep.refresh_text()
    return ids


async def say_with_payload(graphmem: Graphmem, agent_id: str, text: str) -> str:
    """The id of a message whose text went out to a file."""
    talk = graphmem.conversation.intake
    rules = GuardRules(payload_threshold_chars=12_000)
    guards = Guards(rules, talk._sessions, graphmem.conversation.guards._payloads)
    guarded = Intake(talk._sessions, guards, utc_now, new_uuid7)
    batch = NewMessages(messages=(NewMessage(role="tool", content=text),))
    receipt = await guarded.add_messages(Caller(agent_id), "s", batch)
    assert receipt.externalized == 1
    await graphmem.operation.upkeep.refresh_text()
    return str(receipt.messages[0].id)


async def summarise(graphmem: Graphmem, agent_id: str, session_id: str, text: str) -> str:
    row = SummaryRow(
        id=new_uuid7(),
        dag_key=f"session:{session_id}",
        content=text,
        tokens=1,
        sha256=sha256_hex(text),
        by="test-1",
        search_text=text,
        agent_key=agent_key(agent_id),
        grams=grams(text),
        memory_ids=(),
        entity_ids=(),
    )
    event = EventRow(new_uuid7(), "summary_created", row.id, "test", START)
    sessions = graphmem.conversation.intake._sessions
    summary_id = await sessions.store_summary(agent_id, session_id, row, event)
    await graphmem.operation.upkeep.refresh_text()
    return summary_id


async def grep(graphmem: Graphmem, agent_id: str, pattern: str, **asked: Any) -> Grepped:
    return await graphmem.recall.grepping.grep(agent_id, Grep.model_validate({"pattern": pattern} | asked))


async def all_pages(graphmem: Graphmem, agent_id: str, pattern: str, **asked: Any) -> list[str]:
    """The ids of every page in order; each page but the last is full or out of time."""
    found: list[str] = []
    cursor = None
    for _ in range(1000):
        page = await grep(graphmem, agent_id, pattern, cursor=cursor, **asked)
        found += ids(page)
        if page.next_cursor is None:
            return found
        assert page.next_cursor != cursor, "a page that does not move on"
        assert page.truncated or len(page.items) == asked.get("limit", 50)
        cursor = page.next_cursor
    pytest.fail("the pages never end")


def ids(found: Grepped) -> list[str]:
    return [item.id for item in found.items]


def is_sound(found: Grepped) -> None:
    """The order is the one that is said, scores lie in 0..1, nothing is listed twice."""
    assert all(0 < item.score <= 1 for item in found.items)
    newest = [(item.created_at, item.id) for item in found.items]
    keys = newest if found.sort == "recency" else [(i.score, *key) for i, key in zip(found.items, newest, strict=True)]
    assert all(one > two for one, two in pairwise(keys))
    assert all((item.message_id is None) != (item.summary_id is None) for item in found.items)


SAID = {
    "cpp": "We rewrote the parser in C++ last week.",
    "id": "foo-bar failed with req_8f3a2c at src/app.py:42",
    "caching": "Caching is hard, naming too",
    "list": "a, b? or c",
    "quote": 'He said "unbalanced things and left',
    "and": "Bread AND butter OR jam",
    "emoji": "Shipped it 🚀🎉 today",
    "cjk": "昨日は東京で会議がありました",
    "korean": "서울에서 만나요",
    "wide": "The ＡＰＩ key is Ｆｕｌｌ width",
    "fish": "Die Straße nach GIEẞEN ist gesperrt",
    "accents": "Re\u0301sume\u0301 of Zo\u00eb, caf\u00e9",
    "phrase": "the quick   brown\nfox jumps",
    "shuffled": "the brown quick fox sleeps",
    "lucene": r"title:x^2 && (a || b) \ * ~ [to] {x} /re/ +must -not !no",
    "money": "It costs 5€ & 100%",
}


@pytest.fixture(scope="module")
async def told(graphmem: Graphmem) -> tuple[str, dict[str, str]]:
    agent_id = f"grep-{new_uuid7()}"
    stored = await say(graphmem, agent_id, "s", *SAID.values(), name="Ada")
    return agent_id, dict(zip(SAID, stored, strict=True))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("C++", "cpp"),
        ("c++ PARSER", "cpp"),
        ("foo-bar", "id"),
        ("req_8f3", "id"),
        ("app.py:42", "id"),
        ("caching?", "caching"),
        ("“caching”", "caching"),
        ("(naming)", "caching"),
        ("a, b?", "list"),
        ('"unbalanced', "quote"),
        ("AND OR butter", "and"),
        ("🚀", "emoji"),
        ("🎉 shipped", "emoji"),
        ("東京", "cjk"),
        ("京", "cjk"),
        ("会議があ", "cjk"),
        ("만나", "korean"),
        ("api full", "wide"),
        ("strasse giessen", "fish"),
        ("résumé zoë café", "accents"),
        ('"quick brown fox"', "phrase"),
        ('"quick brown" jumps', "phrase"),
        ("quick brown fox", "phrase shuffled"),
        ('"brown quick"', "shuffled"),
        ("title:x^2", "lucene"),
        (r"\ {x} /re/", "lucene"),
        ("+must -not !no", "lucene"),
        ("5€", "money"),
        ("%", "money"),
        ("umps", "phrase"),
        ("rewrot", "cpp"),
        ("ada: die", "fish"),
    ],
)
async def test_what_was_said_is_found_by_any_part_of_it(
    graphmem: Graphmem, told: tuple[str, dict[str, str]], pattern: str, expected: str
) -> None:
    agent_id, said = told
    for sort in ("relevance", "recency"):
        found = await grep(graphmem, agent_id, pattern, sort=sort)
        is_sound(found)
        assert set(ids(found)) == {said[name] for name in expected.split()}
        assert not found.relaxed
        assert found.sort == sort
    assert all(re.sub(r"\s+", " ", item.snippet.strip("…")) for item in found.items)


@pytest.mark.parametrize(
    "pattern",
    [
        *('"', '""', "???", "\\", "\x00", "*", "AND OR NOT", "((((", "~ ^ :", "everything", "' ;DROP"),
        *("a" * 10_000, "х" * 300, "漢" * 10_000, "?a" * 5_000, "the quick " * 1_000, '"the" ' * 50),
        " ".join(f"w{n}" for n in range(3000)),
    ],
)
async def test_no_text_pattern_is_an_error(graphmem: Graphmem, told: tuple[str, dict[str, str]], pattern: str) -> None:
    is_sound(await grep(graphmem, told[0], pattern))


async def test_where_no_text_holds_all_terms_those_with_most_are_listed(graphmem: Graphmem, agent_id: str) -> None:
    three, two, one, other = await say(
        graphmem,
        agent_id,
        "s",
        "The zanzibar deployment window opens on Tuesday.",
        "The zanzibar deployment failed.",
        "A window was broken in zanzibarland.",
        "Nothing of the kind.",
    )
    asked = "When does the zanzibar deployment window open in Zagreb?"
    found = await grep(graphmem, agent_id, asked)
    is_sound(found)
    assert found.relaxed
    assert ids(found)[0] == three
    assert set(found.items[0].terms) == {"zanzibar", "deployment", "window", "open"}
    assert other not in ids(found)
    assert two in ids(found)
    recent = await grep(graphmem, agent_id, asked, sort="recency")
    assert ids(recent) == [three], "by time only those with most, or time would put the others first"
    stopped = await grep(graphmem, agent_id, "does the zanzibar window broken?")
    assert (ids(stopped), stopped.relaxed) == ([one], True)
    pages = await all_pages(graphmem, agent_id, asked, limit=1)
    assert pages == ids(found)
    nothing = await grep(graphmem, agent_id, "xyzzy plugh")
    assert (nothing.items, nothing.relaxed, nothing.truncated, nothing.next_cursor) == ((), False, False, None)


async def test_of_many_terms_the_rarest_are_looked_for(graphmem: Graphmem, agent_id: str) -> None:
    fillers = " ".join(f"filler{n}" for n in range(60))
    await say(graphmem, agent_id, "s", *[fillers] * 3)
    rare = " ".join(f"rare{n}" for n in range(32))
    (wanted,) = await say(graphmem, agent_id, "s", f"{rare} {fillers}"[:-8])
    found = await grep(graphmem, agent_id, f"{fillers} {rare}")
    assert ids(found) == [wanted]
    assert len(found.items[0].terms) == 32


async def test_tool_calls_parts_and_payloads_are_found(graphmem: Graphmem, agent_id: str) -> None:
    call = {
        "id": "c1",
        "function": {"name": "read_file", "arguments": json.dumps({"path": "/etc/h\u00f6sts", "n": [1, "zwei"]})},
    }
    half = {"function": {"arguments": '{"broken": "\\ud83d"}'}}
    (calls,) = await say(graphmem, agent_id, "s", "Looking.", role="assistant", toolCalls=[call, half])
    parts = [
        {"type": "text", "text": "See the result"},
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "127.0.0.1 lokalwirt"}]},
    ]
    (tool,) = await say(graphmem, agent_id, "s", parts, role="tool")
    hidden = await say_with_payload(graphmem, agent_id, "The kraken sleeps in the cellar. " * 1_000)
    assert ids(await grep(graphmem, agent_id, "/etc/hösts")) == [calls]
    assert ids(await grep(graphmem, agent_id, '"path: /etc" zwei read_file')) == [calls]
    assert ids(await grep(graphmem, agent_id, "lokalwirt")) == [tool]
    assert ids(await grep(graphmem, agent_id, '"kraken sleeps"')) == [hidden]
    assert ids(await grep(graphmem, agent_id, r"lokal\w+t\b", mode="regex")) == [tool]


@dataclass(frozen=True)
class Line:
    id: str
    session_id: str
    source: str
    role: str
    at: datetime
    text: str


@pytest.fixture(scope="module")
async def corpus(graphmem: Graphmem) -> tuple[str, list[Line]]:
    """An agent with 72 messages and 4 summaries that all say one word, over sessions, sources, roles and days."""
    agent_id, lines = f"corpus-{new_uuid7()}", []
    for source in ("slack", "cli tool"):
        for session in ("one", "two"):
            session_id = f"{source} {session}"
            await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id=session_id, source=source))
            for n in range(18):
                role, at = ("user", "assistant", "tool")[n % 3], START + timedelta(days=n % 9)
                text = f"marker number {n} of {session_id}"
                (id_,) = await say(graphmem, agent_id, session_id, text, role=role, createdAt=at)
                lines.append(Line(id_, session_id, source, role, at, text))
            id_ = await summarise(graphmem, agent_id, session_id, f"All about the marker of {session_id}")
            lines.append(Line(id_, session_id, source, "", START + timedelta(days=8), "All about the marker"))
    return agent_id, lines


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("few", [0, 2_000], ids=["newest first", "ranked"])
async def test_filters_are_exact_and_pages_cover_every_match_once(
    graphmem: Graphmem, corpus: tuple[str, list[Line]], seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RANKED", few)
    monkeypatch.setattr(service, "WALKED_BATCH", 3)
    monkeypatch.setattr(service, "ASKED_BATCH", {"text": 3, "regex": 3})
    monkeypatch.setattr(service, "MAX_ASKED_BATCH", 7)
    monkeypatch.setattr(service, "WALKED", 10)
    agent_id, lines = corpus
    chance = random.Random(seed)
    picked = chance.choice([line for line in lines if line.role])
    asked: dict[str, Any] = {
        "sessionId": picked.session_id,
        "source": picked.source,
        "role": picked.role,
        "from": picked.at,
        "to": picked.at + timedelta(days=chance.randint(0, 4)),
    }
    asked = {name: asked[name] for name in chance.sample(sorted(asked), chance.randint(0, 3))}
    omitted = bool(asked.keys() & {"role", "from", "to"})
    pattern, mode = chance.choice([("marker", "text"), ("r", "text"), (r"mark\w+", "regex"), (r"\bm.r", "regex")])
    wanted = {
        line.id
        for line in lines
        if asked.get("sessionId", line.session_id) == line.session_id
        and asked.get("source", line.source) == line.source
        and asked.get("role", line.role) == line.role
        and asked.get("from", line.at) <= line.at
        and ("to" not in asked or line.at < asked["to"])
        and (line.role or not omitted)
    }
    asked |= {"mode": mode, "sort": chance.choice(["relevance", "recency"])}
    whole = await grep(graphmem, agent_id, pattern, limit=1000, **asked)
    is_sound(whole)
    assert set(ids(whole)) == wanted
    assert whole.summary_results_omitted == omitted
    assert await all_pages(graphmem, agent_id, pattern, limit=chance.choice([1, 7, 36]), **asked) == ids(whole)


async def test_a_window_of_time_misses_none_of_the_texts_with_most_terms(
    graphmem: Graphmem, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Better candidates outside of it do not take the places of those within, nor newer ones those of better ones."""
    monkeypatch.setattr(service, "RELAXED", 3)
    before = START - timedelta(days=1)
    await say(graphmem, agent_id, "old", *["The quagga herd grazes in Namibia."] * 5, createdAt=before)
    thin = [f"A herd of sheep, {n}." for n in range(5)]
    better, *_ = await say(graphmem, agent_id, "new", "The quagga herd rests.", *thin)
    asked = "quagga herd grazes zanzibar"
    for window in ({"from": START}, {"from": START, "to": START + timedelta(days=1)}):
        found = await grep(graphmem, agent_id, asked, **window)
        assert found.relaxed
        assert ids(found)[0] == better
        recent = await grep(graphmem, agent_id, asked, sort="recency", **window)
        assert ids(recent) == [better]
    assert len((await grep(graphmem, agent_id, asked, to=START)).items) == 3


async def test_a_source_misses_no_summary_with_most_terms(
    graphmem: Graphmem, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RELAXED", 3)
    for n in range(5):
        await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id=f"slack {n}", source="slack"))
        await say(graphmem, agent_id, f"slack {n}", "Nothing.")
        await summarise(graphmem, agent_id, f"slack {n}", "The quagga herd grazes in Namibia.")
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="cli", source="cli"))
    await say(graphmem, agent_id, "cli", "Nothing.")
    wanted = await summarise(graphmem, agent_id, "cli", "The quagga herd rests.")
    assert ids(await grep(graphmem, agent_id, "quagga herd grazes zanzibar", source="cli")) == [wanted]


async def test_what_came_without_a_source_is_found_by_unknown(graphmem: Graphmem, agent_id: str) -> None:
    (nameless,) = await say(graphmem, agent_id, "nameless", "marker one")
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="named", source="slack"))
    await say(graphmem, agent_id, "named", "marker two")
    for mode in ("text", "regex"):
        assert ids(await grep(graphmem, agent_id, "marker", mode=mode, source="unknown")) == [nameless]
    sessions = await graphmem.conversation.intake.sessions(agent_id, None, "unknown", 50, None)
    assert [(one.session_id, one.source) for one in sessions.items] == [("nameless", "unknown")]


async def test_scope_and_what_an_item_tells(graphmem: Graphmem, corpus: tuple[str, list[Line]]) -> None:
    agent_id, lines = corpus
    everywhere = await grep(graphmem, agent_id, "marker", scope="all", limit=1000)
    assert len(everywhere.items) == len(lines)
    here = await grep(graphmem, agent_id, '"number 4 of" marker', sessionId="slack one")
    (item,) = here.items
    line = next(line for line in lines if line.id == item.id)
    assert (item.session_id, item.role, item.created_at, item.ordinal) == ("slack one", "assistant", line.at, 4)
    assert (item.message_id, item.summary_id) == (item.id, None)
    assert (item.snippet, set(item.terms)) == (line.text, {"number 4 of", "marker"})
    (summary,) = (await grep(graphmem, agent_id, "all about", sessionId="slack one")).items
    assert (summary.summary_id, summary.message_id, summary.ordinal) == (summary.id, None, None)


async def test_another_agent_finds_nothing(graphmem: Graphmem, corpus: tuple[str, list[Line]]) -> None:
    for asked in ({"pattern": "marker"}, {"pattern": "m.rker", "mode": "regex"}):
        found = await graphmem.recall.grepping.grep("stranger", Grep.model_validate(asked))
        assert found.items == ()


async def test_small_agent_finds_its_text_beside_a_big_one(graphmem: Graphmem, agent_id: str) -> None:
    """Of 2,000 texts that say the same, more than are ever ranked, the index hands over those of the agent."""
    await say(graphmem, f"big-{agent_id}", "s", *(f"staging lives with Hetzner, {n}" for n in range(2_000)))
    (mine,) = await say(graphmem, agent_id, "s", "Our staging things live with Hetzner.")
    for pattern in ("staging", "hetzner live", "i", "st with"):
        assert ids(await grep(graphmem, agent_id, pattern)) == [mine]
    common = await grep(graphmem, f"big-{agent_id}", "staging", limit=1000)
    is_sound(common)
    assert (len(common.items), common.sort) == (1000, "recency")


async def test_text_too_varied_for_grams_is_found_all_the_same(graphmem: Graphmem, agent_id: str) -> None:
    chance = random.Random(7)
    noise = "".join(chance.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(60_000))
    big, small = await say(graphmem, agent_id, "s", f"{noise} needle-in-it {noise[::-1]}", "a needle-in-it too")
    assert grams(noise) == f"{MADE_BY} {EVERYTHING}"
    found = await grep(graphmem, agent_id, "needle-in-it")
    assert set(ids(found)) == {big, small}
    assert all("needle-in-it" in item.snippet for item in found.items)
    assert all(len(item.snippet) < 500 for item in found.items)
    assert set(ids(await grep(graphmem, agent_id, r"needle-\w+-it", mode="regex"))) == {big, small}
    assert ids(await grep(graphmem, agent_id, "needle nowhere")) == ids(await grep(graphmem, agent_id, "needle"))


async def test_regular_expression_is_looked_for_as_it_is(graphmem: Graphmem, agent_id: str) -> None:
    error, warning, name = await say(
        graphmem, agent_id, "s", "Error 4711 in line 12", "warning: error 12 was seen", "nothing here", name="Ada"
    )
    for pattern, expected in (
        (r"^Error \d+", [error]),
        (r"(?i)error \d{2}\b", [warning]),
        (r"error|Error", [warning, error]),
        (r"^Ada: n", [name]),
        (r"\d{4}(?= in)", [error]),
        (r"(?:errer){e<=1} 12", [warning]),
        (r"xyzzy", []),
    ):
        found = await grep(graphmem, agent_id, pattern, mode="regex", sort="recency")
        assert ids(found) == sorted(expected, reverse=True), pattern
    for pattern in ("(", "a{2,1}", "*a", r"\p{Nope}", "(a{1000}){1000}", "(" * 9_000):
        with pytest.raises(InvalidInput, match="pattern") as refused:
            await grep(graphmem, agent_id, pattern, mode="regex")
        assert refused.value.problems[0].loc == ("pattern",)
    with pytest.raises(InvalidInput, match="position 4"):
        await grep(graphmem, agent_id, "abc(", mode="regex")


async def test_expression_that_takes_too_long_ends_and_its_pages_move_on(
    graphmem: Graphmem, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(service.TIME_S, "regex", 0.3)
    monkeypatch.setattr(service, "TEXT_TIME_S", 0.1)
    texts = [f"{'ab' * 40}{n % 3}" for n in range(12)]
    stored = await say(graphmem, agent_id, "s", *texts, "the end!")
    slow = r"(?:(?:[ab]+[ab]+)+[ab]+)+x|end!"
    first = await grep(graphmem, agent_id, slow, mode="regex")
    assert first.truncated
    assert ids(first) == [stored[-1]]
    assert await all_pages(graphmem, agent_id, slow, mode="regex") == [stored[-1]]


async def test_texts_without_grams_or_with_older_ones_are_given_theirs(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    """As in a store of an older version, or after a message was rewritten."""
    old, accented, erased = await say(
        graphmem, agent_id, "s", "An ancient griffin", "The griffin of the Cafe\u0301", "A griffin that is gone"
    )
    summary = await summarise(graphmem, agent_id, "s", "Of a griffin")
    for change, of in (("REMOVE n.grams", [old, summary]), ("SET n.grams = $grams", [accented]), (GONE, [erased])):
        await bolt.execute_query(
            f"{await nodes_of(bolt)} WHERE n.id IN $ids {change}", a=agent_id, ids=of, grams="gri iff caf afé fé é"
        )
    await graphmem.operation.upkeep.refresh_text()
    assert ids(await grep(graphmem, agent_id, "griffin cafe")) == []
    await graphmem.operation.chores.carry_out("fill_grams", "test", asyncio.Event())
    await graphmem.operation.upkeep.refresh_text()
    assert set(ids(await grep(graphmem, agent_id, "griffin"))) == {old, accented, summary}
    assert ids(await grep(graphmem, agent_id, "griffin CAFÉ")) == [accented]
    assert await GrepStore(graphmem.operation.upkeep._database).without_grams(10) == []


async def test_archived_messages_are_not_found(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    kept, gone = await say(graphmem, agent_id, "s", "a lamp is lit", "a lamp is out")
    await bolt.execute_query("MATCH (n:Message {agent_id: $a, id: $id}) SET n.agentKey = null", a=agent_id, id=gone)
    await graphmem.operation.upkeep.refresh_text()
    for asked in ({"pattern": "lamp"}, {"pattern": "l.mp", "mode": "regex"}, {"pattern": "[a-z]", "mode": "regex"}):
        assert ids(await graphmem.recall.grepping.grep(agent_id, Grep.model_validate(asked))) == [kept]


@pytest.mark.parametrize(
    "cursor", ["garbage", "W10", "WyJhbGwiLCAiIiwgIngiLCAiaSJd", "WyJuZXZlciIsICIiLCAiMSIsICJpIl0"]
)
async def test_damaged_cursor_is_refused(graphmem: Graphmem, agent_id: str, cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        await grep(graphmem, agent_id, "x", cursor=cursor)
