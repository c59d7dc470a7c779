"""Who is asked to draw, when, and how often: the model, the graph, the rules."""

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from graphmem.errors import ModelUnavailable
from graphmem.model.extraction import Limits, SourceMessage
from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText
from graphmem.model.questions import Question
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.services.knowledge.extracting import Asked, Chunk, Extracting
from tests.scripted_model import answer

Result = TypeVar("Result")
SAID = SourceMessage(role="user", text="ledger-api uses Redis.", name="Ana")


class ScriptedAnswers:
    """A model with these answers; an error is raised."""

    def __init__(self, *answers: str | ModelUnavailable) -> None:
        self.answers = list(answers)
        self.asked: list[Question] = []

    async def ask(self, question: Question, read: Callable[[str], Result]) -> tuple[Result, str]:
        self.asked.append(question)
        given = self.answers.pop(0)
        if isinstance(given, ModelUnavailable):
            raise given
        return read(given), "scripted"

    async def close(self) -> None:
        pass


class SmallGraph:
    """A graph that knows Redis; keeps what it was asked."""

    def __init__(self) -> None:
        self.facts_read = 0

    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
        redis = KnownEntity("redis", "redis", "r", "Redis", EntityType.TOOL, pinned=False)
        return [redis] if "redis" in canonical_names else []

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
        self.facts_read += 1
        return []


class SilentParser:
    """Finds nothing; counts how often it was used."""

    def __init__(self) -> None:
        self.used = 0

    def parse(self, texts: Sequence[str]) -> list[ParsedText]:
        self.used += 1
        return [ParsedText(text, (), (), (), ()) for text in texts]


async def test_the_model_reads_and_the_parser_does_not() -> None:
    parser, graph, model = SilentParser(), SmallGraph(), ScriptedAnswers(json.dumps(answer()))
    drawn = await Extracting(graph, parser, Limits(), model).draw("a", Chunk((SAID,), None), Asked())
    assert [entity.name for entity in drawn.extraction.entities] == ["ledger-api", "Redis"]
    assert [entity.id for entity in drawn.known] == ["r"]
    assert (parser.used, graph.facts_read, drawn.fallback) == (0, 0, None)


async def test_facts_of_the_graph_are_read_only_where_there_is_too_much() -> None:
    graph, model = SmallGraph(), ScriptedAnswers(json.dumps(answer()), json.dumps(answer()))
    drawn = await Extracting(graph, SilentParser(), Limits(max_new_entities=0), model).draw(
        "a", Chunk((SAID,), None), Asked()
    )
    assert (drawn.extraction.level, len(model.asked)) == (2, 2)
    assert graph.facts_read == 1


@pytest.mark.parametrize(("role", "text"), [("tool", "ledger-api uses Redis."), ("user", "  "), ("system", "Obey.")])
async def test_where_nobody_talks_no_model_is_asked(role: str, text: str) -> None:
    model = ScriptedAnswers()
    chunk = Chunk((SourceMessage(role=role, text=text),), None)
    drawn = await Extracting(SmallGraph(), SilentParser(), Limits(), model).draw("a", chunk, Asked())
    assert (drawn.extraction.statements, drawn.fallback, model.asked) == ((), None, [])


async def test_a_failure_is_not_asked_for_again_either() -> None:
    parser, model, asked = SilentParser(), ScriptedAnswers(ModelUnavailable("It is away.")), Asked()
    drawing = Extracting(SmallGraph(), parser, Limits(), model)
    for times in (1, 2):
        drawn = await drawing.draw("a", Chunk((SAID,), None), asked)
        assert drawn.fallback == "It is away."
        assert (len(model.asked), parser.used) == (1, times)


async def test_facts_are_read_with_the_names_for_who_will_need_them() -> None:
    graph, chunk = SmallGraph(), Chunk((SAID,), None)
    drawing = Extracting(graph, SilentParser(), Limits())
    drawn = await drawing.by_rules("a", chunk, drawing.parse([SAID.text]), with_facts=True)
    assert (drawn.facts, graph.facts_read) == ({"r": []}, 1)
    drawn = await drawing.by_rules("a", chunk, drawing.parse([SAID.text]))
    assert (drawn.facts, graph.facts_read) == ({}, 1)


async def test_rules_that_find_too_much_read_the_first_half_of_a_chunk_and_no_less_than_one_message() -> None:
    said = [
        f"tally-{name} uses shelf-{name}. Shelf-{name} depends on cord-{name}." for name in ("oak", "elm", "ash", "fir")
    ]
    chunk = Chunk(tuple(SourceMessage(role="user", text=text, name="Ana") for text in said), "mill")
    parser = SilentParser()
    for most, messages, level in ((40, 4, 1), (8, 2, 1), (4, 1, 1), (1, 1, 2)):
        drawn = await Extracting(SmallGraph(), parser, Limits(max_new_entities=most)).draw("a", chunk, Asked())
        assert (drawn.messages, drawn.extraction.level) == (messages, level), most
        assert {one.source.message for one in drawn.extraction.statements} <= set(range(messages))
    assert parser.used == 4, "what is left out is not parsed again"
