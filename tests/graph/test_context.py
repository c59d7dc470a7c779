"""Contexts on a real graph: what is in force, what summaries tell, what older turns say, what else the agent knows,
within the budget."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase

from api.problems import status_of
from graphmem.adapters.embedding import LocalEmbedder
from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import DatabaseUnavailable
from graphmem.graph.connection import Database
from graphmem.graph.continuity.context import ContextStore
from graphmem.graph.recall.retrieval import RetrievalStore
from graphmem.model.caller import Caller
from graphmem.model.context import AssembleContext, Context, Injection, Wanted
from graphmem.model.inputs import NewMessage, NewMessages, NewSession, Remember
from graphmem.rules.summaries.context_items import FRAME, relevance
from graphmem.services.continuity.assembling import Assembling
from graphmem.services.recall.recall import Recalling
from graphmem.settings import load_settings
from tests.agents import embed

Json = dict[str, Any]
PORT = "Ledger listens on port 7171 in every region."
INJECTION = load_settings({}).injection()
ASKED = "Which port does Ledger listen on?"


@pytest.fixture(autouse=True)
async def nothing_waits(bolt: AsyncDriver, agent_id: str) -> AsyncIterator[None]:
    yield
    await bolt.execute_query("MATCH (n:Unembedded {agent_id: $a}) REMOVE n:Unembedded", a=agent_id)


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *messages: Json, **session: Any) -> None:
    """The messages stored, with their vectors."""
    caller = Caller(agent_id)
    await graphmem.conversation.intake.open(caller, NewSession(session_id=session_id, **session))
    batch = tuple(NewMessage.model_validate({"role": "user"} | message) for message in messages)
    for start in range(0, len(batch), 500):
        await graphmem.conversation.intake.add_messages(
            caller, session_id, NewMessages(messages=batch[start : start + 500])
        )
    await embed(graphmem, agent_id)


async def asked(graphmem: Graphmem, agent_id: str, session_id: str, **more: Any) -> Context:
    given = AssembleContext(**({"context_window": 8_000} | more))
    return await graphmem.continuity.assembling.assemble(agent_id, session_id, given)


def texts(context: Context, kind: str) -> list[str]:
    return [item.text for item in context.items if item.kind == kind]


def filler(number: int) -> list[Json]:
    """Small talk in turns, about nothing that anybody asks about."""
    return [
        {
            "role": "user" if n % 2 == 0 else "assistant",
            "content": f"Chapter {n} of the novel about whales is long. " * 3,
        }
        for n in range(number)
    ]


async def compacted(bolt: AsyncDriver, agent_id: str, session_id: str, through: int, *told: tuple[str, int]) -> None:
    """Summaries over the beginning of a session, as compaction leaves them: (content, depth), the first over the
    second where it is deeper."""
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: $s}) SET s.compactedThrough = $through "
        "WITH s UNWIND range(0, size($told) - 1) AS n "
        "CREATE (s)-[:HAS_COMPACTION]->(y:Summary {agent_id: $a, id: $s + '-' + n, dagKey: $s + '-' + n, "
        "sessionId: $s, kind: CASE $told[n][1] WHEN 0 THEN 'leaf' ELSE 'condensed' END, depth: $told[n][1], "
        "content: $told[n][0], createdAt: datetime(), earliestAt: datetime() + duration({seconds: n}), "
        "status: 'active'})",
        a=agent_id,
        s=session_id,
        through=through,
        told=[list(one) for one in told],
    )


async def test_an_older_turn_that_answers_is_recalled_before_the_question(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", {"content": PORT, "messageId": "port"}, *filler(120), {"content": ASKED})
    context = await asked(graphmem, agent_id, "s", context_window=4_000, window=500)
    (recalled,) = (item for item in context.items if item.kind == "recalled")
    assert recalled.text == PORT
    assert recalled.message_ids == ("port",)
    assert recalled.score is not None
    assert recalled.score >= 0.35
    assert recalled.why is not None
    assert sum(recalled.why.values()) == pytest.approx(recalled.score)
    assert [item.kind for item in context.items][-2:] == ["recalled", "message"]
    assert context.items[-1].text == ASKED
    assert context.recall == "done"
    assert context.used_tokens <= 1_000


async def test_a_shift_is_recalled_however_old_it_is(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", {"content": PORT}, *filler(140), {"content": ASKED})
    assert texts(await asked(graphmem, agent_id, "s", context_window=4_000), "recalled") == [PORT], "it fills the room"
    assert texts(await asked(graphmem, agent_id, "s", context_window=4_000, top=5), "recalled") == []
    await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, sessionId: 's', ordinal: 0}) SET m.paradigmShift = true, m.importance = 9",
        a=agent_id,
    )
    assert texts(await asked(graphmem, agent_id, "s", context_window=4_000, top=5), "recalled") == [PORT]


async def test_the_stub_of_a_test_run_tells_what_failed(graphmem: Graphmem, agent_id: str) -> None:
    passed = "\n".join(f"tests/test_whale.py::test_song_{n} PASSED" for n in range(900))
    failed = "FAILED tests/test_whale.py::test_dive - assert 7 == 3"
    ran = f"{passed}\n==== short test summary info ====\n{failed}\n== 1 failed, 900 passed in 9.31s =="
    called = {"role": "assistant", "content": "Running.", "toolCalls": [{"id": "c", "function": {"name": "bash"}}]}
    result = {"role": "tool", "toolCallId": "c", "name": "bash", "content": ran, "messageId": "ran"}
    await say(graphmem, agent_id, "s", {"content": "Run the tests."}, called, result, {"content": ASKED})
    context = await asked(graphmem, agent_id, "s", context_window=8_000, max_tokens=1_200)
    (stub,) = (item for item in context.items if item.role == "tool")
    assert stub.truncated
    assert "expand ran for all of it" in stub.text
    assert "1 failed, 900 passed" in stub.text
    assert "test_dive" in stub.text


async def test_turns_are_counted_and_not_the_results_of_tools_between_them(graphmem: Graphmem, agent_id: str) -> None:
    results = (
        {"role": "tool", "toolCallId": f"c{n}", "content": "Whale songs, chapter by chapter. " * 6} for n in range(90)
    )
    await say(graphmem, agent_id, "s", {"content": PORT}, *results, {"content": ASKED})
    context = await asked(graphmem, agent_id, "s", context_window=4_000, window=2)
    assert texts(context, "recalled") == [PORT]


async def test_with_nothing_relevant_nothing_is_recalled(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", *filler(140), {"content": ASKED})
    context = await asked(graphmem, agent_id, "s", context_window=4_000, format="text")
    assert texts(context, "recalled") == []
    assert context.text == ""


async def test_the_store_ranks_by_the_rules_relevance(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    """The statement sorts by the same formula, so that nothing the rule would choose is missing."""
    said = [f"Port {n} is what Ledger used in region {n}." for n in range(8)]
    await say(graphmem, agent_id, "s", *({"content": one} for one in said))
    await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a}) WHERE m.ordinal > 0 SET m.importance = 1 + m.ordinal, "
        "m.o1 = 1.5 * m.ordinal, m.o4 = 10.0 - m.ordinal, m.o5 = 3.0",
        a=agent_id,
    )
    vector = (await graphmem.embedder.embed([ASKED]))[0]
    wanted = Wanted(start=8, through=8, newest=-1, chars=100, line=(("s", 8),))
    store = ContextStore(graphmem.database)
    turns = await store.older(agent_id, wanted, vector, Injection(50, 2, -4.0, 500))
    scores = [sum(relevance(turn).values()) for turn in turns]
    assert len(turns) == 8
    assert scores == sorted(scores, reverse=True)
    least = scores[3]
    turns = await store.older(agent_id, wanted, vector, Injection(50, 2, least - 1e-9, 500))
    assert len(turns) == 4


def kinds(context: Context) -> list[str]:
    return [item.kind for item in context.items]


async def test_summaries_stand_deepest_first_and_cover_what_is_not_replayed(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", {"role": "system", "content": "Be brief."}, *filler(40), {"content": ASKED})
    await compacted(bolt, agent_id, "s", 31, ("The whales came first.", 1), ("Then the harpoons.", 0))
    await bolt.execute_query(
        "MATCH (y:Summary {agent_id: $a, id: 's-0'}) CREATE (y)-[:HAS_CHILD {agent_id: $a, ordinal: 0}]->"
        "(:Summary {agent_id: $a, id: 'under', dagKey: 'under', kind: 'leaf', depth: 0, content: 'Beneath.'})"
        "<-[:HAS_COMPACTION]-(:Session {agent_id: $a, id: 'ghost'})",
        a=agent_id,
    )
    context = await asked(graphmem, agent_id, "s")
    assert kinds(context)[:3] == ["system", "summary", "summary"]
    assert texts(context, "summary") == ["The whales came first.", "Then the harpoons."]
    assert [item.message_ids for item in context.items if item.kind == "summary"] == [(), ()]
    assert len(texts(context, "message")) == 11, "from the first that no summary covers to the question"


async def test_a_session_that_goes_on_from_another_begins_with_what_that_one_came_to(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "first", {"content": PORT}, *filler(10))
    await compacted(bolt, agent_id, "first", 11, ("Architecture of Ledger.", 2), ("Details of Ledger.", 0))
    await bolt.execute_query(
        "CREATE (:Summary {agent_id: $a, id: 'r', dagKey: 'r', kind: 'recap', depth: 0, sessionId: 'first', "
        "content: 'The quest is to move Ledger.', createdAt: datetime()})",
        a=agent_id,
    )
    await say(graphmem, agent_id, "next", {"content": ASKED}, continues="first")
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'next'}), (:Session {agent_id: $a, id: 'first'})-[:HAS_COMPACTION]->(y) "
        "CREATE (s)-[:STARTS_WITH {agent_id: $a, ordinal: 0}]->(y)",
        a=agent_id,
    )
    context = await asked(graphmem, agent_id, "next")
    assert texts(context, "recap") == ["The quest is to move Ledger."]
    assert texts(context, "summary") == ["Architecture of Ledger.", "Details of Ledger."]
    assert texts(context, "recalled") == [PORT]


async def test_a_session_without_summaries_to_start_with_begins_with_the_session_summary(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "first", {"content": PORT})
    await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: 'first'}) CREATE (s)-[:HAS_SUMMARY]->(:Summary {agent_id: $a, id: 'y', "
        "dagKey: 'y', kind: 'session', depth: 0, sessionId: 'first', content: 'Ledger was moved.'})",
        a=agent_id,
    )
    await say(graphmem, agent_id, "next", {"content": "Hello."}, continues="first")
    assert texts(await asked(graphmem, agent_id, "next"), "summary") == ["Ledger was moved."]
    await bolt.execute_query("MATCH (y:Summary {agent_id: $a, id: 'y'}) SET y.archivedAt = datetime()", a=agent_id)
    assert texts(await asked(graphmem, agent_id, "next"), "summary") == []


async def test_a_new_session_without_a_question_is_given_constraints_and_pinned_items_only(
    graphmem: Graphmem, agent_id: str
) -> None:
    caller = Caller(agent_id)
    for given in (
        Remember(content="Ledger must never store card numbers.", entity="Ledger", kind="constraint", project="atlas"),
        Remember(content="Answer in French.", pinned=True),
        Remember(content="Borea must stay small.", entity="Borea", kind="constraint", project="borea"),
        Remember(content="Mara likes tea.", entity="Mara"),
    ):
        await graphmem.knowledge.learning.remember(caller, given)
    await graphmem.conversation.intake.open(caller, NewSession(session_id="new", project="atlas"))
    context = await asked(graphmem, agent_id, "new", format="text")
    assert sorted(texts(context, "constraint")) == ["Answer in French.", "Ledger must never store card numbers."]
    assert {item.kind for item in context.items} == {"constraint"}
    assert context.recall == "no_question"
    assert context.text is not None
    opens, *_, closes = context.text.splitlines()
    assert opens.startswith(f"<{FRAME}-")
    assert closes == f"</{opens[1:]}"
    again = await asked(graphmem, agent_id, "new", format="text")
    assert str(again.text).splitlines()[1:-1] == context.text.splitlines()[1:-1]
    assert not str(again.text).startswith(opens), "a fence is used once"


async def test_a_superseded_constraint_is_not_in_force(graphmem: Graphmem, agent_id: str) -> None:
    caller = Caller(agent_id)
    kept = Remember(content="Ledger must run in Oslo.", entity="Ledger", kind="constraint", project="atlas")
    receipt = await graphmem.knowledge.learning.remember(caller, kept)
    await graphmem.conversation.intake.open(caller, NewSession(session_id="new", project="atlas"))
    assert texts(await asked(graphmem, agent_id, "new"), "constraint") == ["Ledger must run in Oslo."]
    await graphmem.knowledge.memories.archive(caller, receipt.attributes[0].id, "it moved")
    assert texts(await asked(graphmem, agent_id, "new"), "constraint") == []


async def test_a_constraint_of_what_the_question_names_is_there(graphmem: Graphmem, agent_id: str) -> None:
    given = Remember(content="must never store card numbers", entity="billing service", kind="constraint")
    await graphmem.knowledge.learning.remember(Caller(agent_id), given)
    await say(graphmem, agent_id, "s", {"content": "Good morning."})
    assert texts(await asked(graphmem, agent_id, "s"), "constraint") == []
    context = await asked(graphmem, agent_id, "s", query="What may the billing service keep?")
    assert texts(context, "constraint") == ["billing service: must never store card numbers"]


async def test_tool_calls_come_with_their_results_and_not_without(graphmem: Graphmem, agent_id: str) -> None:
    call = [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}]
    await say(
        graphmem,
        agent_id,
        "s",
        {"content": "Read the file."},
        {"role": "assistant", "toolCalls": call},
        {"role": "tool", "content": "It says 7171.", "toolCallId": "c1"},
        {"role": "assistant", "content": "Again.", "toolCalls": [{"id": "c2"}]},
        {"content": "And?"},
    )
    items = (await asked(graphmem, agent_id, "s")).items
    assert [(item.role, item.tool_calls, item.tool_call_id) for item in items] == [
        ("user", None, None),
        ("assistant", tuple(call), None),
        ("tool", None, "c1"),
        ("assistant", None, None),
        ("user", None, None),
    ]


async def test_contexts_of_a_growing_session_begin_alike(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", {"role": "system", "content": "Be brief."}, {"content": PORT})
    before: list[str] = []
    for n in range(4):
        more: Sequence[Json] = ({"role": "assistant", "content": f"Answer {n}."}, {"content": f"Question {n}?"})
        await say(graphmem, agent_id, "s", *more)
        items = (await asked(graphmem, agent_id, "s")).items
        assert [item.id for item in items][: len(before)] == before
        before = [item.id for item in items[:-1] if item.kind != "recalled"]


async def test_an_agent_sees_only_its_own(graphmem: Graphmem, agent_id: str, http: httpx.AsyncClient) -> None:
    await say(graphmem, f"{agent_id}-other", "s", {"content": PORT})
    answer = await http.post("/api/sessions/s/context", json={"contextWindow": 1000})
    assert answer.status_code == 404


async def test_the_route_answers_items_budget_and_block(http: httpx.AsyncClient) -> None:
    body = {
        "content": "Ledger must never log card numbers.",
        "entity": "Ledger",
        "kind": "constraint",
        "project": "atlas",
    }
    assert (await http.post("/api/memory/remember", json=body)).status_code == 201
    await http.post("/api/sessions", json={"sessionId": "s", "project": "atlas"})
    await http.post("/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "Hello. " * 300}]})
    answer = (await http.post("/api/sessions/s/context", json={"contextWindow": 400, "format": "text"})).json()
    assert answer["maxTokens"] == 100
    assert answer["usedTokens"] <= 100
    assert answer["items"][-1]["truncated"] is True
    assert answer["truncated"] is True
    answer = (await http.post("/api/sessions/s/context", json={"contextWindow": 8000, "format": "text"})).json()
    assert [item["kind"] for item in answer["items"]] == ["constraint", "message"]
    assert "card numbers" in answer["text"]
    for wrong in ({}, {"contextWindow": 0}, {"contextWindow": 9, "maxTokens": 1}, {"contextWindow": 9, "format": "x"}):
        assert (await http.post("/api/sessions/s/context", json=wrong)).status_code == 422, wrong


async def test_an_unreachable_store_is_a_clear_error(graphmem: Graphmem, agent_id: str) -> None:
    async with AsyncGraphDatabase.driver("bolt://127.0.0.1:1", max_transaction_retry_time=0) as driver:
        database = Database(driver, "neo4j", "bolt://127.0.0.1:1", driver)
        recalling = Recalling(RetrievalStore(database), graphmem.embedder, utc_now)
        nowhere = Assembling(ContextStore(database), recalling, graphmem.embedder, INJECTION, utc_now, new_uuid7)
        with pytest.raises(DatabaseUnavailable, match="does not answer") as raised:
            await nowhere.assemble(agent_id, "s", AssembleContext(context_window=1000, query=ASKED))
    assert status_of(raised.value) == 503


async def test_an_important_turn_about_something_else_is_not_recalled(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    """Importance and overlays multiply a small nearness up to a relevance that is enough: the floor stays."""
    await say(
        graphmem, agent_id, "s", {"content": PORT}, *filler(120), {"content": "Which harbour do ferries leave from?"}
    )
    await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a, ordinal: 0}) SET m.importance = 10, m.o1 = 10.0, m.o4 = 10.0, m.o5 = 10.0",
        a=agent_id,
    )
    (vector,) = await graphmem.embedder.embed(["Which harbour do ferries leave from?"])
    store, wanted = ContextStore(graphmem.database), Wanted(120, 122, 121, 100, (("s", 120),))
    near = await store.older(agent_id, wanted, vector, Injection(500, 5, 0.0, 500, nearness=-1.0))
    assert near, "the turn is there"
    near = await store.older(agent_id, wanted, vector, Injection(500, 5, 0.0, 500, nearness=0.35))
    assert near == []
    assert texts(await asked(graphmem, agent_id, "s", context_window=4_000, window=500), "recalled") == []


# --- what the agent knows from elsewhere --------------------------------------------------------------------


FACT, OWNER = "Bucket zeta-44 keeps the nightly exports for ninety days.", "Nadia owns the invoice printer."
OTHER_TALK = [
    f"{who} {did} {what}."
    for who in ("Mara", "Tomasz", "Ines")
    for did in ("walked to", "painted", "was late for", "dreamed of")
    for what in ("the harbour", "a garden fence", "the choir", "an old lighthouse", "the market")
]


@pytest.fixture(scope="module")
async def knowing(graphmem: Graphmem) -> str:
    """An agent that knows a fact and was told something in another session, amid sixty other sentences."""
    agent_id = f"knowing-{uuid4().hex}"
    caller = Caller(agent_id)
    for given in (
        Remember(content="Bucket zeta-44 keeps the nightly exports for ten days.", entity="zeta-44", claim_key="keeps"),
        Remember(content=FACT, entity="zeta-44", claim_key="keeps"),
    ):
        await graphmem.knowledge.learning.remember(caller, given)
    await say(graphmem, agent_id, "talk", *({"content": text} for text in OTHER_TALK))
    await say(graphmem, agent_id, "work", {"content": OWNER, "messageId": "owner"})
    await graphmem.operation.upkeep.refresh_text()
    return agent_id


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("How long does bucket zeta-44 keep the nightly exports?", FACT),
        ("We need an old export: which bucket keeps the nightly exports?", FACT),
        ("Who owns the invoice printer?", OWNER),
        ("Is somebody the owner of the invoice printer?", OWNER),
        ("Good morning! The slides for Thursday are done. Who owns the invoice printer? Thanks.", OWNER),
        ("How do I reverse a linked list?", None),
        ("Which planet has the most moons?", None),
        ("Can you write a poem about a tax return?", None),
        ("What is 17 times 23?", None),
        ("Thanks, that is all for today.", None),
    ],
)
async def test_a_new_session_is_given_what_bears_on_its_question_and_nothing_else(
    graphmem: Graphmem, knowing: str, question: str, given: str | None
) -> None:
    session_id = f"new-{uuid4().hex}"
    await say(graphmem, knowing, session_id, {"content": question})
    context = await asked(graphmem, knowing, session_id, format="text")
    recalled = [item for item in context.items if item.kind == "recalled"]
    assert [item.text for item in recalled] == ([given] if given else [])
    assert [item.kind for item in context.items] == [*("recalled" for _ in recalled), "message"]
    assert context.recall == "done"
    for item in recalled:
        assert item.score is not None
        assert sum((item.why or {}).values()) == pytest.approx(item.score)
        assert item.message_ids == (("owner",) if given == OWNER else ())
        assert item.text in str(context.text)
    assert bool(context.text) == bool(given)


@pytest.mark.parametrize(
    ("question", "given"), [("Who owns the invoice printer?", [OWNER]), ("How do I reverse a linked list?", [])]
)
async def test_a_question_of_the_request_brings_from_elsewhere_only_what_bears_on_it(
    graphmem: Graphmem, knowing: str, question: str, given: list[str]
) -> None:
    await graphmem.conversation.intake.open(Caller(knowing), NewSession(session_id="asking"))
    context = await asked(graphmem, knowing, "asking", query=question)
    assert texts(context, "recalled") == given


async def test_words_alone_bring_what_the_agent_knows(graphmem: Graphmem, knowing: str) -> None:
    unloaded = LocalEmbedder(Path("nowhere"))
    recalling = Recalling(RetrievalStore(graphmem.database), unloaded, utc_now)
    alone = Assembling(ContextStore(graphmem.database), recalling, unloaded, INJECTION, utc_now, new_uuid7)
    await graphmem.conversation.intake.open(Caller(knowing), NewSession(session_id="words"))
    for question, given in (("Who owns the invoice printer?", [OWNER]), ("Which planet has the most moons?", [])):
        wanted = AssembleContext(context_window=8_000, query=question)
        context = await alone.assemble(knowing, "words", wanted)
        assert texts(context, "recalled") == given
        assert context.recall == "no_embedder"


async def test_what_the_session_says_itself_is_not_given_twice(graphmem: Graphmem, knowing: str) -> None:
    await say(graphmem, knowing, "again", {"content": OWNER}, {"content": "Who owns the invoice printer?"})
    context = await asked(graphmem, knowing, "again")
    assert kinds(context) == ["message", "message"]


async def test_a_floor_of_the_request_stands_in_for_the_setting(graphmem: Graphmem, knowing: str) -> None:
    await graphmem.conversation.intake.open(Caller(knowing), NewSession(session_id="floors"))
    for floor, found in ((0.0, True), (1.0, False)):
        context = await asked(graphmem, knowing, "floors", query="Who owns the printer of invoices?", floor=floor)
        assert bool(texts(context, "recalled")) == found


async def test_recall_that_fails_is_a_clear_error_and_is_not_asked_without_a_question(
    graphmem: Graphmem, agent_id: str
) -> None:
    await graphmem.conversation.intake.open(Caller(agent_id), NewSession(session_id="s"))
    async with AsyncGraphDatabase.driver("bolt://127.0.0.1:1", max_transaction_retry_time=0) as driver:
        gone = RetrievalStore(Database(driver, "neo4j", "bolt://127.0.0.1:1", driver))
        recalling = Recalling(gone, graphmem.embedder, utc_now)
        half = Assembling(ContextStore(graphmem.database), recalling, graphmem.embedder, INJECTION, utc_now, new_uuid7)
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            await half.assemble(agent_id, "s", AssembleContext(context_window=1000, query=ASKED))
        assert (await half.assemble(agent_id, "s", AssembleContext(context_window=1000))).recall == "no_question"
        without = AssembleContext(context_window=1000, query=ASKED, top=0)
        assert (await half.assemble(agent_id, "s", without)).items == ()
