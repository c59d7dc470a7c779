"""Finding in a real graph: the right texts, each with its reasons, for one agent only; and how far a change reaches."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.graph.impact.impact import ImpactStore
from graphmem.graph.recall.retrieval import RetrievalStore
from graphmem.model.answers import Hit, ImpactReport, Recalled
from graphmem.model.caller import Caller
from graphmem.model.inputs import (
    EndSession,
    ImpactQuestion,
    NewDependencies,
    NewDependency,
    NewMessage,
    NewMessages,
    NewSession,
    Recall,
    Remember,
)
from graphmem.model.knowledge import DependencyType
from graphmem.model.stored import Filters, Moment, Walk
from graphmem.rules.impact.radius import Edge, radiate
from graphmem.rules.language.keys import agent_key
from graphmem.rules.recall.questions import read_question
from graphmem.rules.recall.ranking import Passage, rank
from graphmem.services.operation.work import Worker
from graphmem.services.recall.recall import question_vector
from tests.waiting import job_done, until

START = datetime(2026, 4, 1, tzinfo=UTC)


async def say(graphmem: Graphmem, agent_id: str, session_id: str, *contents: str, **fields: Any) -> list[str]:
    """Store one message for each content, a minute apart; their ids."""
    batch = NewMessages(
        messages=tuple(
            NewMessage.model_validate(
                {"role": "user", "content": content, "createdAt": START + timedelta(minutes=n)} | fields
            )
            for n, content in enumerate(contents)
        )
    )
    receipt = await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)
    return [line.id for line in receipt.messages]


async def settle(graphmem: Graphmem, agent_id: str) -> None:
    """Returns when all texts of an agent have vectors and are found by words."""

    async def embedded() -> bool:
        return not await graphmem.operation.upkeep.waiting_vectors(agent_id)

    await until(embedded)
    await graphmem.operation.upkeep.refresh_text()


async def recall(graphmem: Graphmem, agent_id: str, query: str, **asked: Any) -> Recalled:
    return await graphmem.recall.recalling.recall(agent_id, Recall.model_validate({"query": query} | asked))


def ids(found: Recalled) -> list[str]:
    return [hit.id for hit in found.hits]


def is_sound(hits: Sequence[Hit]) -> None:
    """Scores lie in 0..1 and fall, ties are by id unless a newer one goes first, reasons sum to scores, nothing
    is listed twice."""
    assert all(0 <= hit.score <= 1 + 1e-12 for hit in hits)
    assert [(-hit.score, hit.id) for hit in hits] == sorted((-hit.score, hit.id) for hit in hits) or any(
        hit.superseded_by or hit.older_than for hit in hits
    )
    assert all(one.score >= two.score for one, two in pairwise(hits))
    for hit in hits:
        assert math.isclose(sum(hit.why.values()), hit.score, abs_tol=1e-9)
        assert all(part >= 0 for part in hit.why.values())
    assert len({hit.id for hit in hits}) == len(hits)


# --- recall -----------------------------------------------------------------------------------------------


async def test_words_meaning_and_entities_all_speak(graphmem: Graphmem, worker: Worker, agent_id: str) -> None:
    caller = Caller(agent_id)
    same_words, same_meaning, other = await say(
        graphmem,
        agent_id,
        "s",
        "The zanzibar deployment window opens at noon.",
        "Rollouts of the release happen around midday.",
        "My cat prefers tuna to chicken.",
    )
    kept = await graphmem.knowledge.learning.remember(
        caller, Remember(content="It opens on Tuesdays only.", entity="zanzibar")
    )
    await settle(graphmem, agent_id)
    found = await recall(graphmem, agent_id, "when does the zanzibar deployment window open?")
    is_sound(found.hits)
    by_id = {hit.id: hit for hit in found.hits}
    assert found.hits[0].id == same_words
    assert by_id[same_words].why.keys() >= {"words", "meaning"}
    assert "meaning" in by_id[same_meaning].why
    assert "words" not in by_id[same_meaning].why
    fact = by_id[kept.attributes[0].id]
    assert "entities" in fact.why
    assert by_id[same_meaning].score > by_id[other].score if other in by_id else True


async def test_a_statement_is_found_by_meaning_soon_after_it_is_kept(
    graphmem: Graphmem, worker: Worker, agent_id: str
) -> None:
    """Nobody waits for a vector but this one; how soon is measured by `make bench-latency`."""
    kept = await graphmem.knowledge.learning.remember(
        Caller(agent_id), Remember(content="Rollouts of the release happen around midday.")
    )
    ids = {kept.memory.id, *(fact.id for fact in kept.attributes)}

    async def found_by_meaning() -> bool:
        found = await recall(graphmem, agent_id, "when are new versions shipped?")
        return any(hit.id in ids and "meaning" in hit.why and "words" not in hit.why for hit in found.hits)

    await until(found_by_meaning)


async def test_answer_is_the_same_each_time(graphmem: Graphmem, worker: Worker, agent_id: str) -> None:
    for n in range(3):
        await say(
            graphmem, agent_id, f"s{n}", *(f"Build {n} of service {m % 5} failed on step {m}." for m in range(12))
        )
    await settle(graphmem, agent_id)
    first = await recall(graphmem, agent_id, "which build failed on step 7?", limit=30)
    is_sound(first.hits)
    assert len(first.hits) == 30
    for _ in range(3):
        assert await recall(graphmem, agent_id, "which build failed on step 7?", limit=30) == first
    shorter = await recall(graphmem, agent_id, "which build failed on step 7?", limit=5)
    assert ids(shorter) == ids(first)[:5]


async def test_the_same_words_are_one_hit_and_like_ones_are_two(graphmem: Graphmem, agent_id: str) -> None:
    first, _, other = await say(
        graphmem,
        agent_id,
        "s",
        "The quokka gate closes at six.",
        "The quokka gate closes at 6:30.",
        "At six the quokka gate closes.",
        name="Ada",
    )
    (again,) = await say(graphmem, agent_id, "t", "the quokka gate is closing, at six!", name="Ada")
    (yes,) = await say(graphmem, agent_id, "u", "Quokka, yes.")
    (same,) = await say(graphmem, agent_id, "v", "Quokka, yes.")
    await graphmem.operation.upkeep.refresh_text()
    found = ids(await recall(graphmem, agent_id, "when does the quokka gate close?", kinds=["message"]))
    assert len({first, again} & {*found}) == 1
    assert other in found
    assert {yes, same} <= {*found}, "a word or two may each answer something else"


async def test_a_phrase_in_quotes_stands_above_its_words(graphmem: Graphmem, worker: Worker, agent_id: str) -> None:
    scattered, phrase = await say(
        graphmem,
        agent_id,
        "s",
        "A freeze: we deploy no trains, trains deploy us.",
        "He spoke of the freeze deploy trains.",
    )
    await settle(graphmem, agent_id)
    found = await recall(graphmem, agent_id, 'who named the "freeze deploy trains"?', kinds=["message"])
    assert ids(found)[:2] == [phrase, scattered]


async def test_what_was_before_an_event_is_told_by_when_that_was(
    graphmem: Graphmem, worker: Worker, agent_id: str
) -> None:
    hired = "We hired {} for the voucher portal."
    for session, name, month in (("a", "Tomasz", 4), ("b", "Ines", 6)):
        at = datetime(2026, month, 10, tzinfo=UTC)
        await say(graphmem, agent_id, session, hired.format(name), createdAt=at)
    await say(
        graphmem,
        agent_id,
        "c",
        "The launch of the voucher portal was on 3 May.",
        createdAt=datetime(2026, 7, 1, tzinfo=UTC),
    )
    await settle(graphmem, agent_id)
    for side, first in (("before", "Tomasz"), ("after", "Ines")):
        found = await recall(graphmem, agent_id, f"Who did we hire for the voucher portal {side} the launch?")
        told = [hit for hit in found.hits if "hired" in hit.text]
        assert first in told[0].text
        assert "time" in told[0].why
        assert "time" not in told[1].why


async def test_text_without_a_vector_is_found_by_words(
    graphmem: Graphmem, worker: Worker, bolt: AsyncDriver, agent_id: str
) -> None:
    bare, full = await say(graphmem, agent_id, "s", "The quokka gate closes at six.", "A wombat sleeps all day.")
    await settle(graphmem, agent_id)
    await bolt.execute_query("MATCH (m:Message {agent_id: $a, id: $id}) REMOVE m.embedding", a=agent_id, id=bare)
    found = await recall(graphmem, agent_id, "quokka gate")
    is_sound(found.hits)
    assert found.hits[0].id == bare
    assert "meaning" not in found.hits[0].why or found.hits[0].why["meaning"] <= found.hits[0].why["words"]
    assert {hit.id for hit in found.hits} <= {bare, full}


@pytest.mark.parametrize(
    "query",
    [
        "???",
        "👩‍🚀",
        '"unbalanced',
        "a AND OR NOT",
        "field:value~2 +x -y *",
        "\\",
        "(",
        "/re/",
        "x" * 8_000,
        "\x00",
        "the of and",
    ],
)
async def test_no_question_is_an_error(graphmem: Graphmem, agent_id: str, query: str) -> None:
    await say(graphmem, agent_id, "s", "Something was said here.")
    is_sound((await recall(graphmem, agent_id, query)).hits)


async def test_small_agent_finds_its_text_beside_a_big_one(graphmem: Graphmem, worker: Worker, agent_id: str) -> None:
    """1,000 texts of another agent match better, by words and by meaning: a limit before the filter would starve."""
    big, question = f"big-{agent_id}", "Where is the staging database hosted?"
    for n in range(2):
        same = (f"Where is the staging database hosted? It is hosted in zone {m}." for m in range(500))
        await say(graphmem, big, f"s{n}", *same)
    (mine,) = await say(graphmem, agent_id, "s", "Our staging things live with Hetzner.")
    await settle(graphmem, agent_id)
    await settle(graphmem, big)
    found = await recall(graphmem, agent_id, question)
    assert ids(found) == [mine]
    assert "words" in found.hits[0].why
    assert ids(await recall(graphmem, agent_id, "which company do we rent servers from?")) == [mine], "by meaning alone"
    crowd = await recall(graphmem, big, question, limit=200)
    assert len(crowd.hits) == 200
    assert mine not in ids(crowd)


TOLD = (
    "The staging database lives with Hetzner.",
    "Nora owns the pricing service since March.",
    "Invoices are sent on the first Monday of a month.",
    "The search cluster has three nodes in Helsinki.",
    "Karim moved the courier job to Tuesday nights.",
    "Backups are kept for ninety days.",
    "The loyalty points expire after two years.",
    "Ines prefers short calls to long threads.",
    "Returns are checked by hand in Porto.",
    "Tax tables come from the ministry each spring.",
)
QUESTIONS = (
    "Where is the staging database?",
    "Who owns pricing?",
    "When are invoices sent?",
    "How many nodes has the search cluster?",
    "What does Ines prefer?",
    "Which city checks the returns?",
    "what happens to points in the end",
)


@pytest.mark.parametrize("times", [100, pytest.param(1000, marks=pytest.mark.long)])
async def test_an_agent_with_few_of_the_messages_finds_what_an_exact_scan_does(
    graphmem: Graphmem, worker: Worker, bolt: AsyncDriver, agent_id: str, times: int
) -> None:
    """The others' messages say the same, and lie right beside its own in the index of vectors."""
    mine = await say(graphmem, agent_id, "s", *TOLD)
    await settle(graphmem, agent_id)
    for n, id_ in enumerate(mine):
        await bolt.execute_query(
            "MATCH (m:Message {agent_id: $a, id: $id}) UNWIND range(1, $times - 1) AS i "
            "CREATE (:Message {agent_id: $big, id: randomUUID(), messageId: randomUUID(), sessionId: 'copies', "
            "ordinal: $n * 1000 + i, role: m.role, content: m.content, searchText: m.searchText, agentKey: $key, "
            "createdAt: m.createdAt, ingestedAt: m.ingestedAt, "
            "embedding: [x IN m.embedding | x + 0.04 * (rand() - 0.5)]})",
            a=agent_id,
            id=id_,
            n=n,
            times=times,
            big=f"big-{agent_id}",
            key=agent_key(f"big-{agent_id}"),
        )
    await graphmem.operation.upkeep.refresh_text()
    for question in QUESTIONS:
        vector = await question_vector(graphmem.embedder, question)
        filters = Filters(Moment(utc_now(), utc_now(), is_now=True))
        store = RetrievalStore(graphmem.database)
        every = [text for _, text in await store.read_texts(agent_id, {"message": mine}, vector, filters, 1000)]
        assert len(every) == len(TOLD)
        exact = rank(
            read_question(question, utc_now()),
            [
                Passage(one.id, one.text, one.nearness, one.session_id, one.ordinal, one.speaker, one.at)
                for one in every
            ],
        )
        found = await recall(graphmem, agent_id, question, kinds=["message"], limit=10)
        assert ids(found) == [one.id for one in exact]


FILLER = [f"Note {n}: the shipment of crates {n} went to the harbour, and everybody was paid." for n in range(70)]


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("支付服务的端口是七千一百，由小王负责。", "支付服务用哪个端口？"),
        ("決済サーバーのポートは七千百番です。", "サーバーは何番のポートですか"),
        ("결제서버의 포트번호는 칠천백입니다.", "결제서버 포트는?"),
        ("เซิร์ฟเวอร์ชำระเงินใช้พอร์ตเจ็ดพันหนึ่งร้อย", "พอร์ตของชำระเงิน"),
        ("The ledgerapigateway-v2 answers on port seven.", "What does apigateway answer on?"),
        ("The culprit was ERR_TIMEOUT_7731 again.", "timeout_77"),
    ],
)
async def test_words_of_scripts_without_spaces_and_parts_of_words_are_found(
    graphmem: Graphmem, agent_id: str, said: str, question: str
) -> None:
    """Nothing has a vector yet: what is found is found by its letters."""
    await say(graphmem, agent_id, "s", *FILLER[:35], said, *FILLER[35:])
    kept = await graphmem.knowledge.learning.remember(
        Caller(agent_id), Remember(content=f"{said} (kept)", entity="something")
    )
    await graphmem.operation.upkeep.refresh_text()
    found = await recall(graphmem, agent_id, question, kinds=["message"], limit=3)
    assert said in found.hits[0].text
    assert {"words", "neighbours"} & found.hits[0].why.keys()
    facts = await recall(graphmem, agent_id, question, kinds=["attribute"], limit=3)
    assert [hit.id for hit in facts.hits] == [kept.attributes[0].id]
    assert facts.hits[0].why["words"] > 0


async def test_what_a_filter_refuses_hides_nothing_behind_it(graphmem: Graphmem, agent_id: str) -> None:
    """A thousand better matches of another session stand before the one that is wanted."""
    for first in range(0, 1000, 250):
        await say(graphmem, agent_id, "loud", *(f"gannet gannet gannet {n}" for n in range(first, first + 250)))
    (wanted,) = await say(graphmem, agent_id, "quiet", "A long remark on many birds, among them once the gannet, " * 3)
    await graphmem.operation.upkeep.refresh_text()
    found = await recall(graphmem, agent_id, "gannet", kinds=["message"], sessionId="quiet")
    assert ids(found) == [wanted]


@dataclass(frozen=True)
class Said:
    id: str
    project: str
    session_id: str
    source: str
    role: str
    at: datetime


@pytest.fixture(scope="module")
async def corpus(graphmem: Graphmem, worker: Worker) -> tuple[str, list[Said]]:
    """An agent with 72 messages that all say the same word, over projects, sessions, sources, roles and days."""
    agent_id, said = f"corpus-{new_uuid7()}", []
    for project in ("atlas", "borealis"):
        for source in ("slack", "cli"):
            for session in ("one", "two"):
                session_id = f"{project}-{source}-{session}"
                opening = NewSession(session_id=session_id, project=project, source=source)
                await graphmem.conversation.intake.open(Caller(agent_id), opening)
                for n in range(9):
                    role, at = ("user", "assistant", "tool")[n % 3], START + timedelta(days=n)
                    fields = {"role": role, "createdAt": at}
                    (id_,) = await say(graphmem, agent_id, session_id, f"marker number {n} of {session_id}", **fields)
                    said.append(Said(id_, project, session_id, source, role, at))
    await settle(graphmem, agent_id)
    return agent_id, said


@pytest.mark.parametrize("seed", range(12))
async def test_filters_are_exact(graphmem: Graphmem, corpus: tuple[str, list[Said]], seed: int) -> None:
    agent_id, said = corpus
    chance = random.Random(seed)
    picked = chance.choice(said)
    asked: dict[str, Any] = {
        "project": picked.project,
        "sessionId": picked.session_id,
        "source": picked.source,
        "role": picked.role,
        "from": picked.at,
        "to": picked.at + timedelta(days=chance.randint(0, 4)),
    }
    asked = {name: asked[name] for name in chance.sample(sorted(asked), chance.randint(1, 4))}
    kept = {
        one.id
        for one in said
        if asked.get("project", one.project) == one.project
        and asked.get("sessionId", one.session_id) == one.session_id
        and asked.get("source", one.source) == one.source
        and asked.get("role", one.role) == one.role
        and asked.get("from", one.at) <= one.at
        and ("to" not in asked or one.at < asked["to"])
    }
    found = await recall(graphmem, agent_id, "which marker?", kinds=["message"], limit=200, **asked)
    is_sound(found.hits)
    assert set(ids(found)) == kept
    few = await recall(graphmem, agent_id, "which marker?", kinds=["message"], limit=2, **asked)
    assert len(few.hits) == min(2, len(kept))
    assert set(ids(few)) <= kept


@pytest.mark.parametrize("kind", ["message", "memory", "attribute", "summary"])
async def test_only_the_kinds_asked_for_are_listed(
    graphmem: Graphmem, worker: Worker, learned: dict[str, str], kind: str
) -> None:
    found = await recall(graphmem, learned["agent"], "port of ledger-service", kinds=[kind])
    assert found.hits
    assert {hit.kind for hit in found.hits} == {kind}
    assert any(hit.message_ids for hit in found.hits) == (kind != "summary")


@pytest.fixture(scope="module")
async def learned(graphmem: Graphmem, worker: Worker) -> dict[str, str]:
    """An agent with a conversation learned from, and a fact that a newer one replaced twice."""
    agent_id = f"learned-{new_uuid7()}"
    caller = Caller(agent_id)
    await say(
        graphmem, agent_id, "s", "ledger-service runs on port 8443.", "ledger-service depends on billing-service."
    )
    receipt = await graphmem.conversation.intake.end(caller, "s", EndSession())
    await job_done(graphmem, agent_id, str(receipt.job_id))
    facts = []
    for day, place in enumerate(("Lisbon", "Porto", "Braga")):
        given = Remember(
            content=f"The office of Mara is in {place}.",
            entity="Mara",
            claim_key="office",
            valid_from=START + timedelta(days=day),
        )
        facts.append((await graphmem.knowledge.learning.remember(caller, given)).attributes[0].id)
    await settle(graphmem, agent_id)
    return {"agent": agent_id, "oldest": facts[0], "older": facts[1], "now": facts[2]}


async def test_superseded_is_left_out_and_never_above_its_successor(
    graphmem: Graphmem, learned: dict[str, str]
) -> None:
    agent_id = learned["agent"]
    for query in ("office of Mara in Lisbon", "Porto office", "where is the office of Mara?", "Braga"):
        found = await recall(graphmem, agent_id, query)
        is_sound(found.hits)
        assert not {learned["oldest"], learned["older"]} & set(ids(found))
        assert all(hit.status == "active" for hit in found.hits if hit.kind in ("attribute", "memory"))
        every = await recall(graphmem, agent_id, query, includeSuperseded=True, limit=50)
        is_sound(every.hits)
        place = {hit.id: n for n, hit in enumerate(every.hits)}
        for old in ("oldest", "older"):
            hit = every.hits[place[learned[old]]]
            assert (hit.status, hit.superseded_by) == ("superseded", learned["now"])
            assert place[learned["now"]] < place[learned[old]]


async def test_fact_that_does_not_hold_yet_or_no_more_is_left_out(graphmem: Graphmem, agent_id: str) -> None:
    now, caller = utc_now(), Caller(agent_id)
    for content, start, end in (
        ("The canteen serves soup.", now - timedelta(days=9), None),
        ("The canteen serves salad.", now + timedelta(days=9), None),
        ("The canteen serves stew.", now - timedelta(days=9), now - timedelta(days=1)),
    ):
        given = Remember(content=content, entity=f"canteen {content[-6:]}", valid_from=start, valid_to=end)
        await graphmem.knowledge.learning.remember(caller, given)
    await graphmem.operation.upkeep.refresh_text()
    found = await recall(graphmem, agent_id, "what does the canteen serve?", kinds=["attribute", "memory"], limit=50)
    assert {hit.text for hit in found.hits} == {"The canteen serves soup."}


async def test_another_agent_recalls_nothing(graphmem: Graphmem, learned: dict[str, str]) -> None:
    assert (await recall(graphmem, learned["agent"], "office of Mara, port of ledger-service")).hits
    assert (await recall(graphmem, "stranger", "office of Mara, port of ledger-service", limit=1000)).hits == ()


async def test_budget_is_kept_and_said(graphmem: Graphmem, corpus: tuple[str, list[Said]]) -> None:
    agent_id, _ = corpus
    found = await recall(graphmem, agent_id, "which marker?", limit=70, maxTokens=64)
    assert 0 < found.used_tokens <= 64
    assert found.truncated
    everything = await recall(graphmem, agent_id, "which marker?", limit=70, maxTokens=32_000)
    assert not everything.truncated


async def test_a_budget_without_a_limit_is_filled_with_what_fits(
    graphmem: Graphmem, corpus: tuple[str, list[Said]]
) -> None:
    agent_id, _ = corpus
    ten = await recall(graphmem, agent_id, "which marker?")
    filled = await recall(graphmem, agent_id, "which marker?", maxTokens=400)
    assert len(ten.hits) < len(filled.hits) <= 50
    assert filled.used_tokens <= 400
    scores = [hit.score for hit in filled.hits]
    assert scores == sorted(scores, reverse=True)


async def test_a_budget_is_not_filled_up_with_small_talk(graphmem: Graphmem, agent_id: str) -> None:
    told = "The bisque kiln is fired at 1045 degrees on Mondays."
    await say(graphmem, agent_id, "kiln", told, "Perfect, thanks!", "Great, thank you.")
    await settle(graphmem, agent_id)
    filled = await recall(graphmem, agent_id, "At how many degrees is the bisque kiln fired?", maxTokens=4000)
    assert [hit.text for hit in filled.hits if hit.kind == "message"] == [told]
    assert not filled.truncated
    asked_for = await recall(graphmem, agent_id, "At how many degrees is the bisque kiln fired?", limit=10)
    assert len([hit for hit in asked_for.hits if hit.kind == "message"]) == 3


async def test_a_long_message_is_answered_by_its_best_passage(graphmem: Graphmem, agent_id: str) -> None:
    filler = "Glazes melt slowly and cool overnight on the upper shelf. "
    long = filler * 30 + "The bisque firing ends at 1045 degrees. " + filler * 30
    (id_,) = await say(graphmem, agent_id, "kiln", long, role="assistant")
    await settle(graphmem, agent_id)
    (hit,) = (await recall(graphmem, agent_id, "When does the bisque firing end?", kinds=["message"])).hits
    assert hit.id == id_
    assert hit.passage is not None
    assert "1045 degrees" in hit.text
    assert hit.text == long[hit.passage.start : hit.passage.end]
    assert len(hit.text) <= 800


# --- several steps ----------------------------------------------------------------------------------------


OWNED = ("a", "checkout-api depends on ledger-api. checkout-api depends on mail-relay.")
LEDGER, RELAY, APART = (
    "ledger-api is owned by Nadia.",
    "mail-relay is owned by Tomasz.",
    "search-index is owned by Karim.",
)


@pytest.fixture(scope="module")
async def walked(graphmem: Graphmem, worker: Worker) -> str:
    """An agent that read in four sessions what a service rests on and who owns what, amid other talk."""
    agent_id = f"walked-{new_uuid7()}"
    caller = Caller(agent_id)
    await say(graphmem, agent_id, "talk", *(f"Lunch on day {n} was soup, and it rained again." for n in range(60)))
    for session_id, text in (OWNED, ("b", LEDGER), ("c", RELAY), ("d", APART)):
        await say(graphmem, agent_id, session_id, text)
        receipt = await graphmem.conversation.intake.end(caller, session_id, EndSession(force=True))
        await job_done(graphmem, agent_id, str(receipt.job_id))
    await settle(graphmem, agent_id)
    return agent_id


async def test_an_answer_in_three_sessions_is_gathered(graphmem: Graphmem, walked: str) -> None:
    """What it rests on, and who owns the one and the other; nobody says all of it at once."""
    asked = "Who are the people that own what checkout-api depends on?"
    found = await recall(graphmem, walked, asked, kinds=["message"], limit=3)
    is_sound(found.hits)
    assert {hit.session_id for hit in found.hits} == {"a", "b", "c"}
    facts = [hit.text for hit in (await recall(graphmem, walked, asked, kinds=["attribute"], limit=4)).hits]
    assert any("Nadia" in text for text in facts)
    assert any("Tomasz" in text for text in facts)


async def test_what_shares_no_word_is_found_by_walking_entities_only(
    graphmem: Graphmem, bolt: AsyncDriver, walked: str
) -> None:
    """Without vectors, only what the graph says leads from the one service to what was said of the others."""
    await bolt.execute_query("MATCH (n {agent_id: $a}) WHERE n.embedding IS NOT NULL REMOVE n.embedding", a=walked)
    said = await recall(graphmem, walked, "Whom do I call about checkout-api?", kinds=["message"], limit=50)
    is_sound(said.hits)
    by_text = {hit.text: hit for hit in said.hits}
    assert by_text.keys() == {OWNED[1], LEDGER, RELAY}
    direct = by_text[OWNED[1]].why["entities"]
    assert [by_text[text].why["entities"] for text in (LEDGER, RELAY)] == pytest.approx([direct / 2] * 2)
    known = await recall(graphmem, walked, "Whom do I call about checkout-api?", kinds=["attribute"], limit=50)
    told = " ".join(hit.text for hit in known.hits)
    assert "Nadia" in told
    assert "Tomasz" in told
    assert "Karim" not in told
    before = START - timedelta(days=400)
    then = await recall(graphmem, walked, "Whom do I call about checkout-api?", kinds=["message"], knownAt=before)
    assert then.hits == ()


# --- impact -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """One edge of a random graph, by names."""

    source: str
    target: str
    type: DependencyType
    confidence: float


def random_graph(chance: random.Random) -> list[Drawn]:
    """Up to ten nodes with cycles, self-loops, parallel edges of other types, and confidences on the thresholds."""
    nodes = [f"node {letter}" for letter in "abcdefghij"[: chance.randint(2, 10)]]
    types = [DependencyType.DEPENDS_ON, DependencyType.USES, DependencyType.CALLS]
    edges: dict[tuple[str, str, DependencyType], Drawn] = {}
    for _ in range(chance.randint(1, 30)):
        source, target, type_ = chance.choice(nodes), chance.choice(nodes), chance.choice(types)
        confidence = chance.choice([0.0, 0.3, 0.5, 0.7, 0.9, 1.0, round(chance.random(), 3)])
        edges[source, target, type_] = Drawn(source, target, type_, confidence)
    return list(edges.values())


@dataclass(frozen=True)
class Best:
    depth: int
    confidence: float


def oracle(
    edges: Iterable[Drawn],
    start: str,
    upstream: bool,
    depth: int,
    least: float,
    path_least: float,
    types: set[str] | None,
) -> dict[str, Best]:
    """Every path listed, one by one: what is reached, over how few edges, how surely at best."""
    steps: dict[str, list[tuple[str, float]]] = {}
    for edge in edges:
        if edge.confidence >= least and (types is None or edge.type.value in types):
            near, far = (edge.target, edge.source) if upstream else (edge.source, edge.target)
            steps.setdefault(near, []).append((far, edge.confidence))
    best: dict[str, Best] = {}

    def walk(place: str, seen: frozenset[str], length: int, product: float) -> None:
        for far, confidence in steps.get(place, ()):
            total = product * confidence
            if far in seen or total < path_least:
                continue
            known = best.get(far, Best(length + 1, total))
            best[far] = Best(min(known.depth, length + 1), max(known.confidence, total))
            if length + 1 < depth:
                walk(far, seen | {far}, length + 1, total)

    walk(start, frozenset({start}), 0, 1.0)
    return best


def is_valid(report: ImpactReport, edges: Sequence[Drawn], asked: ImpactQuestion, start: str) -> None:
    """Paths are made of stored edges, lead from the start to the entity, and have the confidence that is said."""
    stored = {(edge.source, edge.target, edge.type): edge.confidence for edge in edges}
    labels = {1: "WILL BREAK", 2: "LIKELY AFFECTED"}
    listed = []
    for group in report.groups:
        assert group.entities
        assert group.label == labels.get(group.depth, "MAY NEED TESTING")
        assert [(-one.confidence, one.id) for one in group.entities] == sorted(
            (-one.confidence, one.id) for one in group.entities
        )
        for one in group.entities:
            assert one.depth == group.depth
            assert one.depth <= len(one.path) <= asked.max_depth
            place = start
            for edge in one.path:
                assert stored[edge.source.name, edge.target.name, edge.type] == edge.confidence >= asked.min_confidence
                assert place in (edge.source.name, edge.target.name)
                place = edge.target.name if edge.source.name == place else edge.source.name
            assert place == one.name
            assert math.isclose(math.prod(edge.confidence for edge in one.path), one.confidence, abs_tol=1e-9)
            assert one.weakest_edge.confidence == min(edge.confidence for edge in one.path)
            listed.append(one.name)
    assert [group.depth for group in report.groups] == sorted({group.depth for group in report.groups})
    assert start not in listed
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("seed", range(40))
async def test_impact_is_what_listing_every_path_finds(graphmem: Graphmem, agent_id: str, seed: int) -> None:
    chance = random.Random(seed)
    edges = random_graph(chance)
    given = NewDependencies(
        dependencies=tuple(
            NewDependency(source=edge.source, target=edge.target, type=edge.type, confidence=edge.confidence)
            for edge in edges
        )
    )
    receipt = await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), given)
    assert receipt.created == len(edges)
    names = sorted({end for edge in edges for end in (edge.source, edge.target)})
    for _ in range(5):
        start = chance.choice(names)
        types = chance.choice([None, None, {"uses"}, {"uses", "calls"}])
        asked = ImpactQuestion(
            entity_id=start,
            direction=chance.choice(["upstream", "downstream", "both"]),
            min_confidence=chance.choice([0.0, 0.3, 0.7, 1.0]),
            max_depth=chance.randint(1, 5),
            min_path_confidence=chance.choice([None, 0.2, 0.6]),
            types=tuple(DependencyType(type_) for type_ in sorted(types)) if types else None,
        )
        bounds = (asked.max_depth, asked.min_confidence, asked.min_path_confidence or 0.0, types)
        expected: dict[str, Best] = {}
        for way in ("upstream", "downstream"):
            if asked.direction in (way, "both"):
                for name, one in oracle(edges, start, way == "upstream", *bounds).items():
                    other = expected.get(name, one)
                    expected[name] = Best(min(one.depth, other.depth), max(one.confidence, other.confidence))
        report = await graphmem.impact.impacting.impact(agent_id, asked)
        is_valid(report, edges, asked, start)
        met = {one.name: one for group in report.groups for one in group.entities}
        assert met.keys() == expected.keys()
        assert {name: one.depth for name, one in met.items()} == {name: one.depth for name, one in expected.items()}
        assert all(math.isclose(met[n].confidence, expected[n].confidence, abs_tol=1e-9) for n in met)
        assert report.total == len(expected)
        assert not report.truncated
        assert not report.total_is_lower_bound
        if len(met) > 1:
            shorter = await graphmem.impact.impacting.impact(agent_id, asked.model_copy(update={"limit": 1}))
            assert [one.id for group in shorter.groups for one in group.entities] == [report.groups[0].entities[0].id]
            assert shorter.total == len(expected)
            assert shorter.truncated
            assert not shorter.total_is_lower_bound


@dataclass(frozen=True)
class Tree:
    agent_id: str
    root: str
    edges: tuple[Edge, ...]


@pytest.fixture(scope="module")
async def tree(graphmem: Graphmem) -> Tree:
    """Root; 8 that need it; 4 leaves on each of those: 41 nodes, 40 edges; and two shortcuts from the root's leaves."""
    agent_id = f"tree-{new_uuid7()}"
    pairs = [(f"branch {b}", "root") for b in range(8)]
    pairs += [(f"leaf {b} {n}", f"branch {b}") for b in range(8) for n in range(4)]
    given = NewDependencies(
        dependencies=tuple(
            NewDependency(source=source, target=target, confidence=round(0.71 + n / 200, 3))
            for n, (source, target) in enumerate(pairs)
        )
    )
    receipt = await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), given)
    edges = tuple(Edge(item.id, item.target.id, item.source.id, item.confidence) for item in receipt.items)
    return Tree(agent_id, receipt.items[0].target.id, edges)


async def walk(graphmem: Graphmem, tree: Tree, **caps: int) -> Walk:
    return await ImpactStore(graphmem.database).walk(
        tree.agent_id,
        tree.root,
        "upstream",
        max_depth=3,
        min_confidence=0.7,
        types=None,
        when=Moment(utc_now(), utc_now()),
        **caps,
    )


def edges_of(walked: Walk) -> list[Edge]:
    return [Edge(*one) for one in zip(walked.edges, walked.near, walked.far, walked.confidences, strict=True)]


async def test_walk_without_a_cut_meets_everything_leaves_too(graphmem: Graphmem, tree: Tree) -> None:
    walked = await walk(graphmem, tree)
    assert not walked.capped
    assert walked.looked == 41
    assert {edge.id for edge in edges_of(walked)} == {edge.id for edge in tree.edges}
    assert len(set(walked.near)) == 9


@pytest.mark.parametrize("node_cap", [1, 2, 5, 9, 10, 40, 41, 42])
@pytest.mark.parametrize("edge_cap", [1, 3, 8, 9, 39, 40, 71, 72, 73])
async def test_cut_walk_says_so_and_what_it_met_is_right(
    graphmem: Graphmem, tree: Tree, node_cap: int, edge_cap: int
) -> None:
    walked = await walk(graphmem, tree, node_cap=node_cap, edge_cap=edge_cap)
    met = edges_of(walked)
    assert walked.looked <= node_cap
    assert len(met) <= edge_cap
    assert set(met) <= set(tree.edges)
    complete = len(met) == len(tree.edges) and walked.looked == 41
    assert walked.capped or complete, "a cut that is not said"
    if node_cap > 41 and edge_cap > 72:  # 40 edges and 32 leaves are 72 rows
        assert not walked.capped
    whole = {one.id: one for one in radiate(tree.root, tree.edges, 3)}
    for one in radiate(tree.root, met, 3):
        assert one.depth >= whole[one.id].depth
        assert one.confidence <= whole[one.id].confidence + 1e-12


async def test_nearest_entities_are_met_first(graphmem: Graphmem, tree: Tree) -> None:
    walked = await walk(graphmem, tree, node_cap=9)
    branches = {edge.far for edge in tree.edges if edge.near == tree.root}
    assert set(walked.near) == {tree.root} | branches


async def test_strangers_walk_meets_nothing(graphmem: Graphmem, tree: Tree) -> None:
    store = ImpactStore(graphmem.database)
    walked = await store.walk(
        "stranger", tree.root, "upstream", max_depth=3, min_confidence=0, types=None, when=Moment(utc_now(), utc_now())
    )
    assert (walked.looked, walked.edges) == (0, [])


async def test_edge_of_the_future_is_not_walked(graphmem: Graphmem, agent_id: str) -> None:
    now = utc_now()
    given = NewDependencies(
        dependencies=(
            NewDependency(source="web", target="api", valid_from=now - timedelta(days=1)),
            NewDependency(source="app", target="api", valid_from=now + timedelta(days=1)),
        )
    )
    await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), given)
    report = await graphmem.impact.impacting.impact(agent_id, ImpactQuestion(entity_id="api"))
    assert [one.name for group in report.groups for one in group.entities] == ["web"]
