"""An entity expanded and questions answered on a real graph: order, citations, budgets, time, deadlines, models."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from neo4j import AsyncDriver

from graphmem.adapters import language_model
from graphmem.adapters.identity import utc_now
from graphmem.adapters.language_model import EndpointModel, ModelSettings
from graphmem.app import Graphmem
from graphmem.errors import DatabaseBusy, EntityNotFound
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.graph.recall.answering import AnsweringStore
from graphmem.graph.recall.expanding import ExpansionStore
from graphmem.model.answering import Answered, ExpandQuery
from graphmem.model.answers import Expansion
from graphmem.model.caller import Caller
from graphmem.model.inputs import (
    Expand,
    NewDependencies,
    NewDependency,
    NewMessage,
    NewMessages,
    NewSession,
    Remember,
    Supersede,
)
from graphmem.model.stored import MessageRef
from graphmem.rules.language.text import count_tokens
from graphmem.services.recall.answering import NOT_FOUND_YET, Answering, AnsweringSettings
from graphmem.services.recall.entity_expansion import EntityExpansion
from tests.agents import embed
from tests.scripted_model import Reply, ScriptedModel, completion, refusal, scripted_model

SAID = [
    ("Ana", "We moved again, to a flat by the harbour."),
    ("Bo", "Where did you go on holiday?"),
    ("Ana", "To Madeira, for ten days. The food was splendid."),
    ("Bo", "lamp-service listens on port 7171 since yesterday."),
    ("Ana", "Never restart lamp-service before 03:00 UTC, the vacuum job holds a lock."),
    ("Bo", "My garden is full of weeds, the fence fell over in the storm, and nobody comes to mend it before autumn."),
]
ASKED = "On which port does lamp-service listen?"
QUOTE = "lamp-service listens on port 7171 since yesterday."


@pytest.fixture(autouse=True)
async def nothing_waits(bolt: AsyncDriver, agent_id: str) -> AsyncIterator[None]:
    yield
    await bolt.execute_query("MATCH (n:Unembedded {agent_id: $a}) REMOVE n:Unembedded", a=agent_id)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    monkeypatch.setattr(language_model, "_FIRST_PAUSE_S", 0.01)
    with scripted_model() as running:
        yield running


async def know(graphmem: Graphmem, agent_id: str, content: str, **other: Any) -> str:
    given = Remember(**({"content": content, "entity": "wick-service", "aspect": "network"} | other))
    (fact,) = (await graphmem.knowledge.learning.remember(Caller(agent_id), given)).attributes
    return fact.id


async def say(graphmem: Graphmem, agent_id: str, session_id: str = "s") -> None:
    caller = Caller(agent_id)
    await graphmem.conversation.intake.open(caller, NewSession(session_id=session_id))
    messages = [
        NewMessage(
            message_id=f"m{number}",
            role="user",
            name=name,
            content=text,
            created_at=datetime(2026, 5, 6, 9, number, tzinfo=UTC),
        )
        for number, (name, text) in enumerate(SAID)
    ]
    await graphmem.conversation.intake.add_messages(caller, session_id, NewMessages(messages=tuple(messages)))
    await embedded(graphmem, agent_id)


async def embedded(graphmem: Graphmem, agent_id: str) -> None:
    await embed(graphmem, agent_id)
    await graphmem.operation.upkeep.refresh_text()


async def expanded(graphmem: Graphmem, agent_id: str, **asked: Any) -> Expansion:
    return await graphmem.recall.expanding.entities.expand(agent_id, Expand(**({"entity": "wick-service"} | asked)))


async def answered(answering: Answering, agent_id: str, question: str = ASKED, **asked: Any) -> Answered:
    found = await answering.answer(agent_id, ExpandQuery(question=question, **asked))
    quotes = sum(count_tokens(one.quote) for one in found.citations)
    assert found.used_tokens == count_tokens(found.answer) + quotes <= asked.get("max_tokens", 1000)
    return found


# An entity


async def test_constraints_then_facts_that_fit_the_question_then_neighbours(graphmem: Graphmem, agent_id: str) -> None:
    colour = await know(graphmem, agent_id, "wick-service is painted blue", aspect="looks")
    port = await know(graphmem, agent_id, "wick-service listens on port 8080")
    rule = await know(graphmem, agent_id, "wick-service must never log tokens", kind="constraint", aspect="rules")
    edges = [
        NewDependency(source="wick-service", target="weak", strength=0.2),
        NewDependency(source="strong", target="wick-service", strength=0.9),
    ]
    await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), NewDependencies(dependencies=tuple(edges)))
    await embedded(graphmem, agent_id)
    found = await expanded(graphmem, agent_id, question="Which port does it listen on?")
    assert [fact.id for fact in found.constraints] == [rule]
    assert [edge.strength for edge in found.dependencies] == [0.9, 0.2]
    places = [found.text.index(what) for what in (rule, port, colour, found.dependencies[0].id)]
    assert places == sorted(places)
    aspects = {fact.id: aspect.id for aspect in found.aspects for fact in aspect.attributes}
    assert set(aspects) == {rule, port, colour}
    for id_, aspect in aspects.items():
        (line,) = (line for line in found.text.splitlines() if id_ in line)
        assert aspect in line
    assert found.used_tokens == count_tokens(found.text)
    assert not found.partial
    assert not found.truncated
    assert found.missing == ()


async def test_only_the_aspect_that_is_asked_for_is_told(graphmem: Graphmem, agent_id: str) -> None:
    await know(graphmem, agent_id, "wick-service is painted blue", aspect="Good Looks")
    await know(graphmem, agent_id, "wick-service listens on port 8080")
    for when in ({}, {"as_of": utc_now() + timedelta(seconds=1), "known_at": utc_now() + timedelta(seconds=1)}):
        found = await expanded(graphmem, agent_id, aspect="good-looks", **when)
        assert [aspect.name for aspect in found.aspects] == ["Good Looks"]


async def test_what_was_superseded_is_there_when_asked_for_and_at_its_time(graphmem: Graphmem, agent_id: str) -> None:
    slot = {"claim_key": "port"}
    old = await know(
        graphmem, agent_id, "wick-service listens on port 80", valid_from=datetime(2026, 1, 1, tzinfo=UTC), **slot
    )
    new = await know(
        graphmem, agent_id, "wick-service listens on port 90", valid_from=datetime(2026, 3, 1, tzinfo=UTC), **slot
    )
    await embedded(graphmem, agent_id)

    async def shown(**asked: Any) -> list[str]:
        found = await expanded(graphmem, agent_id, question="port", **asked)
        return [fact.id for aspect in found.aspects for fact in aspect.attributes]

    assert await shown() == [new]
    assert await shown(include_superseded=True) == [new, old]
    assert await shown(as_of=datetime(2026, 2, 1, tzinfo=UTC)) == [old]
    with pytest.raises(EntityNotFound):
        await shown(known_at=datetime(2020, 1, 1, tzinfo=UTC))


async def test_an_unknown_entity_is_answered_with_near_names(graphmem: Graphmem, agent_id: str) -> None:
    await know(graphmem, agent_id, "wick-service listens on port 8080")
    await embedded(graphmem, agent_id)
    with pytest.raises(EntityNotFound) as unknown:
        await expanded(graphmem, agent_id, entity="wick servis service")
    assert [near.name for near in unknown.value.near] == ["wick-service"]


async def test_of_many_facts_those_that_fit_best_are_shown_in_every_budget(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await know(graphmem, agent_id, "wick-service listens on port 8080")
    await bolt.execute_query(
        "MATCH (e:Entity {agent_id: $a})-[:HAS_ASPECT]->(s:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute) "
        "UNWIND range(1, 500) AS n CREATE (s)-[:HAS_ATTRIBUTE]->(c:Attribute) SET c = t {.*, id: 'copy-' + n, "
        "activeKey: 'copy-' + n, content: 'Shelf ' + n + ' holds old paper.', searchText: 'Shelf ' + n}",
        a=agent_id,
    )
    await embedded(graphmem, agent_id)
    for most in (64, 200, 2000, 32_000):
        found = await expanded(graphmem, agent_id, question="Which port does it listen on?", max_tokens=most)
        assert found.used_tokens == count_tokens(found.text) <= most
        assert "port 8080" in found.text
        assert found.truncated == (most < 32_000)


class Slow:
    """A store of which some reads never end; with `rings` they end as they do when the time is over."""

    def __init__(self, store: Any, *slow: str, rings: bool = False) -> None:
        self._store, self._slow, self._rings = store, slow, rings

    def __getattr__(self, name: str) -> Any:
        async def never(*_: Any, **__: Any) -> None:
            if self._rings:
                raise TimeoutError
            await asyncio.Event().wait()

        return never if name in self._slow else getattr(self._store, name)


def impatient(graphmem: Graphmem, *slow: str, timeout_s: float, rings: bool = False) -> EntityExpansion:
    knowledge: Any = Slow(KnowledgeStore(graphmem.database), *slow, rings=rings)
    reads: Any = Slow(ExpansionStore(graphmem.database), *slow, rings=rings)
    return EntityExpansion(knowledge, reads, graphmem.embedder, timeout_s, utc_now)


async def test_what_is_late_is_missing_and_said_to_be(graphmem: Graphmem, agent_id: str) -> None:
    await know(graphmem, agent_id, "wick-service listens on port 8080")
    asked = Expand(entity="wick-service")
    found = await impatient(graphmem, "edges", "summaries_about", timeout_s=600, rings=True).expand(agent_id, asked)
    assert found.partial
    assert found.missing == ("dependencies", "summaries")
    assert "port 8080" in found.text


@pytest.mark.parametrize("slow", ["find_entity", "facts_in_short", "facts_whole"])
async def test_nothing_in_time_is_an_error_and_no_empty_success(graphmem: Graphmem, agent_id: str, slow: str) -> None:
    await know(graphmem, agent_id, "wick-service listens on port 8080")
    with pytest.raises(DatabaseBusy, match="wick-service"):
        await impatient(graphmem, slow, timeout_s=0.5).expand(agent_id, Expand(entity="wick-service"))


async def test_an_entity_of_which_nothing_is_known_is_no_error(graphmem: Graphmem, agent_id: str) -> None:
    edge = NewDependency(source="wick-service", target="lonely")
    await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), NewDependencies(dependencies=(edge,)))
    found = await expanded(graphmem, agent_id, entity="lonely")
    assert found.aspects == ()
    assert len(found.dependencies) == 1


# A question


async def test_a_question_is_answered_with_the_words_that_say_it(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id)
    found = await answered(graphmem.recall.answering, agent_id)
    assert found.found
    assert found.method == "extractive"
    assert found.fallback is None
    first = found.citations[0]
    assert (first.quote, first.kind, first.message_ids, first.session_id) == (QUOTE, "message", ("m3",), "s")
    assert found.answer.startswith(f"Bo, 2026-05-06: {QUOTE}")
    for citation in found.citations:
        whole = await graphmem.conversation.reading.message(agent_id, MessageRef(citation.id), None)
        assert citation.quote in str(whole.content)


async def test_an_answer_stands_behind_its_question(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id)
    found = await answered(graphmem.recall.answering, agent_id, "Where did Ana go on holiday?")
    assert found.citations[0].quote == "To Madeira, for ten days."


@pytest.mark.parametrize("question", ["What is Ana's blood group?", "How many cats does Bo keep?", "asdf qwer"])
async def test_what_nothing_says_is_not_found(graphmem: Graphmem, agent_id: str, question: str) -> None:
    await say(graphmem, agent_id)
    found = await answered(graphmem.recall.answering, agent_id, question)
    assert not found.found
    assert found.citations == ()
    assert found.answer.startswith("Not found")


async def test_an_empty_memory_finds_nothing(graphmem: Graphmem, agent_id: str) -> None:
    await graphmem.models_loaded()
    found = await answered(graphmem.recall.answering, agent_id)
    assert (found.found, found.confidence, found.context_tokens) == (False, None, 0)


async def test_a_session_that_is_named_is_all_that_is_looked_at(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id)
    assert (await answered(graphmem.recall.answering, agent_id, session_id="s")).found
    assert not (await answered(graphmem.recall.answering, agent_id, session_id="other")).found


async def test_another_agent_finds_nothing(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id)
    assert not (await answered(graphmem.recall.answering, f"{agent_id}-x")).found


async def test_what_was_not_known_then_is_not_quoted(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id)
    assert not (await answered(graphmem.recall.answering, agent_id, known_at=datetime(2026, 1, 1, tzinfo=UTC))).found


async def test_what_has_no_room_is_named(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id)
    whole = await answered(graphmem.recall.answering, agent_id)
    assert whole.not_looked_at == ()
    assert not whole.truncated
    small = await answered(
        graphmem.recall.answering, agent_id, "harbour holiday food port restart", context_max_tokens=64
    )
    assert small.context_tokens <= 64
    assert small.not_looked_at
    assert small.truncated
    for id_ in small.not_looked_at:
        assert (await graphmem.conversation.reading.message(agent_id, MessageRef(id_), None)).id == id_
    nothing = await answered(graphmem.recall.answering, agent_id, "What is Bo's blood group?", context_max_tokens=64)
    assert nothing.answer == NOT_FOUND_YET


async def test_what_holds_now_is_answered_and_what_held_is_marked(graphmem: Graphmem, agent_id: str) -> None:
    old = await know(graphmem, agent_id, "The lamp of wick-service stands in the cellar in Basel", aspect="place")
    new = await know(graphmem, agent_id, "The lamp of wick-service stands on the roof in Bern", aspect="place")
    await graphmem.knowledge.superseding.supersede(Caller(agent_id), Supersede(old_id=old, new_id=new, reason="moved"))
    await embedded(graphmem, agent_id)
    now = await answered(graphmem.recall.answering, agent_id, "Where does the lamp of wick-service stand?")
    assert "Bern" in now.answer
    assert {one.status for one in now.citations} == {"active"}
    before = await answered(
        graphmem.recall.answering, agent_id, "Where did the lamp of wick-service stand previously, in the cellar?"
    )
    assert "superseded" in before.answer
    assert old in {one.id for one in before.citations}


def asking(graphmem: Graphmem, server: ScriptedModel, timeout_s: float = 30) -> Answering:
    model = EndpointModel(
        ModelSettings(
            url=server.url,
            names=("m",),
            key=None,
            timeout_s=30,
            retries=0,
            tokens_per_hour=0,
            tokens_per_day=0,
            failures=100,
            rest_s=1,
        )
    )
    return Answering(
        graphmem.recall.recalling,
        AnsweringStore(graphmem.database),
        KnowledgeStore(graphmem.database),
        graphmem.embedder,
        model,
        AnsweringSettings(32_000, timeout_s),
        utc_now,
    )


def good(asked: dict[str, Any]) -> str:
    """An answer from the first text that names the port."""
    lines = map(json.loads, asked["messages"][1]["content"].splitlines()[1:-1])
    number = next(line["text"] for line in lines if QUOTE in line.get("words", ""))
    cited = [{"text": number, "quote": "port 7171"}]
    return json.dumps({"found": True, "answer": "lamp-service listens on port 7171.", "citations": cited})


async def test_a_model_answers_with_quotes_that_are_checked(
    graphmem: Graphmem, agent_id: str, server: ScriptedModel
) -> None:
    await say(graphmem, agent_id)
    server.script = [good]
    found = await answered(asking(graphmem, server), agent_id, max_tokens=64)
    assert (found.method, found.fallback, found.found) == ("model", None, True)
    assert found.answer == "lamp-service listens on port 7171."
    assert [(one.quote, one.message_ids) for one in found.citations] == [("port 7171", ("m3",))]


async def test_a_model_that_finds_nothing_is_believed(graphmem: Graphmem, agent_id: str, server: ScriptedModel) -> None:
    await say(graphmem, agent_id)
    server.script = ['{"found": false, "answer": "", "citations": []}']
    found = await answered(asking(graphmem, server), agent_id)
    assert (found.method, found.found, found.citations) == ("model", False, ())


BAD: list[tuple[Any, str]] = [
    ("I would rather not say.", "model_unavailable"),
    (completion(None), "model_unavailable"),
    (refusal(500), "model_unavailable"),
    (Reply(body=b"{", missing=100), "model_unavailable"),
    (Reply(after_s=60), "model_late"),
    ('{"found": true, "answer": "Port 9999.", "citations": [{"text": 0, "quote": "port 9999"}]}', "not_grounded"),
    ('{"found": true, "answer": "Port 7171.", "citations": []}', "not_grounded"),
]


@pytest.mark.parametrize(
    ("reply", "why"), BAD, ids=["rubbish", "nothing", "error", "broken off", "late", "invented", "unproven"]
)
async def test_a_model_that_is_no_use_leaves_the_answer_to_the_rules(
    graphmem: Graphmem, agent_id: str, server: ScriptedModel, reply: Any, why: str
) -> None:
    await say(graphmem, agent_id)
    server.otherwise = reply
    timeout_s = 1.0 if why == "model_late" else 30
    found = await answered(asking(graphmem, server, timeout_s), agent_id)
    assert (found.method, found.fallback, found.found) == ("extractive", why, True)
    assert found.citations[0].quote == QUOTE


async def test_words_alone_answer_while_there_are_no_vectors(
    graphmem: Graphmem, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(graphmem, agent_id)
    monkeypatch.setattr(type(graphmem.embedder), "state", "off")
    found = await answered(graphmem.recall.answering, agent_id)
    assert found.citations[0].quote == QUOTE
    assert not (await answered(graphmem.recall.answering, agent_id, "What is Ana's blood group?")).found
