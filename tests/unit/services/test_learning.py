"""A statement is decided on without holding up others: what computes runs beside the event loop."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from graphmem.adapters.identity import new_uuid7
from graphmem.errors import NearName
from graphmem.model.answers import RememberReceipt
from graphmem.model.caller import Caller
from graphmem.model.change import Change
from graphmem.model.extraction import Limits
from graphmem.model.inputs import Remember
from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.privacy.guards import GuardRules
from graphmem.services.conversation.guards import Guards
from graphmem.services.knowledge import learning
from graphmem.services.knowledge.learning import Learning, LearningSettings
from graphmem.services.ports import Knowledge, PayloadBytes, Sessions

NOW = datetime(2026, 7, 1, tzinfo=UTC)
CELLAR = KnownEntity("wine cellar", "wine cellar", "c", "wine cellar", EntityType.PLACE, pinned=False)


def fact(number: int, content: str, claim_key: str | None = None) -> ActiveFact:
    at = NOW - timedelta(days=400) + timedelta(minutes=number)
    return ActiveFact(str(number), "c", "general", content, "attribute", claim_key, 0.7, False, False, at, at)


class Cellar:
    """A graph with one entity of many facts; keeps the change it is given."""

    def __init__(self, facts: Sequence[ActiveFact]) -> None:
        self.facts = list(facts)
        self.change: Change | None = None

    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
        return [CELLAR] if CELLAR.canonical in canonical_names else []

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
        return self.facts if "c" in entity_ids else []

    async def near(self, agent_id: str, queries: Sequence[str], limit: int) -> list[list[NearName]]:
        return [[] for _ in queries]

    async def remember(self, caller: Caller, change: Change, level: int, now: datetime) -> RememberReceipt:
        self.change = change
        return RememberReceipt.model_construct(extraction_level=level)


class SilentParser:
    def parse(self, texts: Sequence[str]) -> list[ParsedText]:
        return [ParsedText(text, (), (), (), ()) for text in texts]


def learner(graph: Cellar) -> Learning:
    nothing = cast(Any, None)
    settings = LearningSettings(Limits(), True, 0.7, False, 20, 4_000)
    guards = Guards(GuardRules(), cast(Sessions, nothing), cast(PayloadBytes, nothing))
    return Learning(
        cast(Sessions, nothing), cast(Knowledge, graph), SilentParser(), settings, lambda: NOW, new_uuid7, guards
    )


async def test_the_loop_stays_free_while_a_fact_is_held_against_others(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Cellar([fact(n, f"shelf {n} holds {n % 40 + 2} bottles from vineyard {n}") for n in range(30)])
    loop, decide = asyncio.get_running_loop(), learning.with_supersessions
    turned = []

    def watched(*args: Any, **kwargs: Any) -> Change:
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(60)  # only a loop that is free gets there
        turned.append(1)
        return decide(*args, **kwargs)

    monkeypatch.setattr(learning, "with_supersessions", watched)
    given = Remember(content="shelf 7 holds 12 bottles from vineyard 7", entity="wine cellar", aspect="general")
    await learner(graph).remember(Caller("a"), given)
    assert turned == [1]
    assert graph.change is not None
    assert "7" in {row.old for row in graph.change.applied}


@pytest.mark.parametrize("place", [0, 150, 299])
async def test_each_of_300_facts_is_met_wherever_it_stands(place: int) -> None:
    facts = [fact(n, f"shelf {n} holds {n % 40 + 2} bottles from vineyard {n}") for n in range(300)]
    facts[place] = fact(place, "the door code is 4711")
    graph = Cellar(facts)
    await learner(graph).remember(
        Caller("a"), Remember(content="the door code is 9132", entity="wine cellar", aspect="general")
    )
    assert graph.change is not None
    assert [row.old for row in graph.change.applied] == [str(place)]
