"""Whatever is done to what is known, and undone again from the last, leaves the graph as it was."""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.model.caller import Caller
from graphmem.model.inputs import (
    MergeInto,
    NewDependencies,
    NewDependency,
    Remember,
    RollBack,
    Supersede,
    UndoSupersession,
)
from graphmem.model.knowledge import Supersession
from tests.agents import canonical, canonical_lines

Undo = Callable[[], Awaitable[None]]
NAMES = ("anvil", "bellows", "crucible")
CITIES = ("Oslo", "Bergen", "Narvik", "Tromso", "Bodo")
THINGS = ("a fan", "a spare", "a lid", "two doors", "a bell", "a chain", "a hook", "a stand")
REFUSED = (Conflict, InvalidInput, NotFound)
STEPS, AT_ONCE = 7, 10


@dataclass
class World:
    """An agent that knows three things, and what may be done to what it knows. A step that is refused does nothing."""

    graphmem: Graphmem
    caller: Caller
    chance: random.Random
    entities: list[str] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    moments: list[datetime] = field(default_factory=list)
    told: int = 0

    async def begin(self) -> None:
        for name in NAMES:
            for _ in range(2):
                await self.add(name)
            await self.draw()
        self.moments.append(utc_now())

    async def add(self, name: str | None = None) -> Undo:
        """Something is remembered, that may retire what was known; the way back is to undo that, and to forget."""
        self.told += 1
        city = self.chance.random() < 0.6
        given = Remember(
            content=f"it runs in {self.chance.choice(CITIES)}, floor {self.told}"
            if city
            else f"it has {self.chance.choice(THINGS)} number {self.told}",
            entity=name or self.chance.choice(NAMES),
            claim_key="city" if city else None,
            pinned=self.chance.random() < 0.2,
            valid_from=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=self.chance.randint(0, 90)),
        )
        receipt = await self.graphmem.knowledge.learning.remember(self.caller, given)
        self.entities += [one.id for one in receipt.entities if one.id not in self.entities]
        self.memories.append(receipt.memory.id)
        self.facts += [one.id for one in receipt.attributes]
        applied = [one.id for one in receipt.superseded]

        async def back() -> None:
            for id_ in applied:
                await self.graphmem.knowledge.superseding.undo(self.caller, id_, UndoSupersession())
            await self.graphmem.knowledge.memories.archive(self.caller, receipt.memory.id, None)

        return back

    async def draw(self) -> Undo:
        source, target = self.chance.sample(NAMES, 2)
        given = NewDependencies(dependencies=(NewDependency(source=source, target=target),))
        receipt = await self.graphmem.knowledge.entities.put_dependencies(self.caller, given)

        async def back() -> None:
            for edge in receipt.items if receipt.created else ():
                await self.graphmem.knowledge.editing.delete_dependency(self.caller, edge.id, None)

        return back

    async def forget(self) -> Undo:
        id_ = self.chance.choice(self.facts + self.memories)
        status = (await self.graphmem.knowledge.entities.memory(self.caller.agent_id, id_)).status
        if status in ("cold", "deleted"):
            raise Conflict("It is away.")
        await self.graphmem.knowledge.memories.archive(self.caller, id_, None)

        async def back() -> None:
            await self.graphmem.knowledge.memories.restore(self.caller, id_, None)

        return back

    async def supersede(self) -> Undo:
        old, new = self.chance.sample(self.facts, 2)
        given = Supersede(old_id=old, new_id=new, reason="a person says so")
        if (await self.graphmem.knowledge.entities.memory(self.caller.agent_id, old)).status != "active":
            raise Conflict("It gave way already.")
        record = await self.graphmem.knowledge.superseding.supersede(self.caller, given)

        async def back() -> None:
            await self.graphmem.knowledge.superseding.undo(self.caller, record.id, UndoSupersession())

        return back

    async def undo(self) -> Undo:
        """A supersession is undone. Where it had come in between, the one before holds again, until it is back."""
        applied = await self._applied()
        if not applied:
            raise Conflict("Nothing is applied.")
        record = self.chance.choice(applied)
        if (await self.graphmem.knowledge.entities.memory(self.caller.agent_id, record.new_id)).status in (
            "cold",
            "deleted",
        ):
            raise Conflict("What is away supersedes nothing again.")
        await self.graphmem.knowledge.superseding.undo(self.caller, record.id, UndoSupersession())
        there = {one.id for one in applied}

        async def back() -> None:
            # Behind the one that came instead may be another one, and so on.
            while instead := [one for one in await self._applied() if one.id not in there]:
                for one in instead:
                    await self.graphmem.knowledge.superseding.undo(self.caller, one.id, UndoSupersession())
            await self.graphmem.knowledge.superseding.accept(self.caller, record.id, None)

        return back

    async def _applied(self) -> Sequence[Supersession]:
        return (await self.graphmem.knowledge.entities.supersessions(self.caller.agent_id, "applied", 200, None)).items

    async def merge(self) -> Undo:
        from_id, into_id = self.chance.sample(self.entities, 2)
        merged = await self.graphmem.knowledge.editing.merge_page(self.caller.agent_id, "applied", 50, None)
        if {from_id, into_id} in [{one.from_id, one.into_id} for one in merged.items]:
            raise Conflict("They are one already.")
        record = await self.graphmem.knowledge.editing.merge(self.caller, from_id, MergeInto(into_id=into_id))

        async def back() -> None:
            await self.graphmem.knowledge.editing.undo(self.caller, record.id, None)

        return back

    async def roll_back(self) -> Undo:
        given = RollBack(
            entity_id=self.chance.choice(self.entities), to=self.chance.choice(self.moments), dry_run=False
        )
        done = await self.graphmem.knowledge.rolling_back.roll_back(self.caller, given)

        async def back() -> None:
            if done.id:
                await self.graphmem.knowledge.rolling_back.undo(self.caller, done.id, None)

        return back

    async def step(self) -> tuple[str, Undo] | None:
        kind: Callable[[], Awaitable[Undo]] = self.chance.choice(
            [self.add, self.add, self.draw, self.forget, self.supersede, self.undo, self.merge, self.roll_back]
        )
        try:
            undo = await kind()
        except REFUSED:
            return None
        self.moments.append(utc_now())
        return getattr(kind, "__name__", "step"), undo


async def try_sequence(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, seed: int) -> None:
    chance = random.Random(seed)
    agent_id = f"{agent_id}-{seed}"
    world = World(graphmem, Caller(agent_id), chance)
    await world.begin()
    since = utc_now()
    before, held = await canonical(bolt, agent_id, since), await canonical_lines(bolt, agent_id, since)
    done = [step for step in [await world.step() for _ in range(STEPS)] if step]
    names = [name for name, _ in done]
    for name, undo in reversed(done):
        try:
            await undo()
        except Conflict as refused:
            pytest.fail(f"seed {seed}, {names}: {name} is refused though all behind it is undone: {refused}")
    after: list[Any] = await canonical_lines(bolt, agent_id, since)
    assert sorted(set(held) ^ set(after)) == [], f"seed {seed}: {names}"
    assert await canonical(bolt, agent_id, since) == before


@pytest.mark.parametrize("first", range(0, 10, AT_ONCE))
async def test_what_is_undone_leaves_the_graph_as_it_was(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, first: int
) -> None:
    for seed in range(first, first + AT_ONCE):
        await try_sequence(graphmem, bolt, agent_id, seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(10, 1010, AT_ONCE))
async def test_what_is_undone_leaves_the_graph_as_it_was_a_thousand_times(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, first: int
) -> None:
    for seed in range(first, first + AT_ONCE):
        await try_sequence(graphmem, bolt, agent_id, seed)
