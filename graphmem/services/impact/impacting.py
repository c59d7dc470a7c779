"""What a change would affect, what would be lost without a fact or an edge, and single points of failure."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import NotFound
from graphmem.model.answers import AffectedEntity, ImpactReport
from graphmem.model.impact import (
    CriticalEntity,
    CriticalPath,
    CriticalQuestion,
    CriticalReport,
    Loosened,
    StatedMemory,
    Weakened,
    WhatIf,
    WhatIfReport,
)
from graphmem.model.inputs import ImpactQuestion
from graphmem.model.knowledge import Attribute, Dependency, DependencyType, NamedRef
from graphmem.model.stored import Moment, Walk
from graphmem.rules.impact import critical as rule
from graphmem.rules.impact import radius
from graphmem.rules.impact.text import critical_text, what_if_text
from graphmem.rules.keeping.time import moment
from graphmem.services.impact.walking import CAPS, Walked, walked
from graphmem.services.knowledge.entities import Entities
from graphmem.services.ports import Clock, ImpactReads

CRITICAL_CAPS = ((1_000, 5_000), CAPS[1])
"""A smaller limit where every pair of them counts."""


@dataclass(frozen=True)
class _Bounds:
    """The caps of a walk."""

    max_depth: int
    min_confidence: float
    types: tuple[DependencyType, ...] | None
    when: Moment
    min_path_confidence: float = 0.0
    caps: tuple[tuple[int, int], ...] = CAPS


@dataclass(frozen=True)
class Impacting:
    knowing: Entities
    reads: ImpactReads
    clock: Clock

    async def impact(self, agent_id: str, asked: ImpactQuestion) -> ImpactReport:
        """What a change of an entity would affect, nearest first. Where a walk takes too long, a shorter one is used.

        Errors: EntityNotFound with near names; DatabaseBusy.
        """
        when = moment(asked.as_of, asked.known_at, self.clock())
        entity = await self.knowing.entity(agent_id, asked.entity_id, when)
        bounds = _Bounds(asked.max_depth, asked.min_confidence, asked.types, when, asked.min_path_confidence or 0.0)
        walk = await self._walk(agent_id, entity.id, asked.direction, bounds)
        listed = radius.nearest(walk.reached.values(), asked.limit)
        affected = await self._affected(agent_id, listed)
        # What was removed between the two reads is not counted.
        total = len(walk.reached) - (len(listed) - len(affected))
        return radius.report(entity, asked.direction, affected, total, capped=walk.capped)

    async def what_if(self, agent_id: str, asked: WhatIf) -> WhatIfReport:
        """What would lose its last support; nothing is written.

        Errors: NotFound for no active fact or dependency of that id; DatabaseBusy.
        """
        fact: Attribute | None = None
        memories: list[StatedMemory] = []
        if asked.attribute_id is not None:
            fact = await self._fact(agent_id, asked.attribute_id)
            borne = await self.reads.fact_edges(agent_id, fact.id)
            memories = [
                StatedMemory(id=memory.id, content=content)
                for memory, content in await self.reads.fact_memories(agent_id, fact.id)
                if memory.others == 0
            ]
            edges = await self.reads.edges(agent_id, [edge.id for edge in borne])
            ended = [edges[one.id] for one in borne if one.others == 0 and one.id in edges]
            supported = [edges[one.id] for one in borne if one.others and one.id in edges]
        else:
            ended, supported = [await self._dependency(agent_id, str(asked.dependency_id))], []
        loosened = await self._loosened(agent_id, ended, asked)
        changes = tuple(change for change, _ in loosened)
        truncated = any(
            capped or change.total_lost > len(change.lost) or change.total_weakened > len(change.weakened)
            for change, capped in loosened
        )
        return WhatIfReport(
            attribute=fact,
            dependencies=tuple(ended),
            supported=tuple(supported),
            memories=tuple(memories),
            changes=changes,
            truncated=truncated,
            text=what_if_text(fact, ended, supported, memories, changes, truncated=truncated),
        )

    async def critical(self, agent_id: str, asked: CriticalQuestion) -> CriticalReport:
        """Single points of failure and critical paths within a radius. Errors: as `impact`."""
        when = moment(None, None, self.clock())
        entity = await self.knowing.entity(agent_id, asked.entity_id, when)
        bounds = _Bounds(asked.max_depth, asked.min_confidence, asked.types, when, caps=CRITICAL_CAPS)
        walk = await self._walk(agent_id, entity.id, asked.direction, bounds)
        reached = list(walk.reached.values())
        found = await asyncio.to_thread(rule.critical, entity.id, walk.edges, reached)
        paths = rule.critical_paths(reached)
        edges, known = await asyncio.gather(
            self.reads.edges(agent_id, sorted({edge for one in paths for edge in one.path})),
            self.reads.entities(agent_id, [one.id for one in found[: asked.limit]]),
        )
        single_points = tuple(
            CriticalEntity(
                id=one.id,
                name=known[one.id][0],
                type=known[one.id][1],
                dominates=one.dominates,
                carries=one.carries,
                articulation=one.articulation,
                betweenness=one.betweenness,
            )
            for one in found[: asked.limit]
            if one.id in known
        )
        told = tuple(
            CriticalPath(confidence=one.confidence, path=tuple(edges[edge] for edge in one.path))
            for one in paths
            if all(edge in edges for edge in one.path)
        )
        return CriticalReport(
            entity=entity,
            direction=asked.direction,
            entities=len(reached),
            edges=len(walk.edges),
            single_points=single_points,
            critical_paths=told,
            truncated=walk.capped or len(found) > len(single_points),
            text=critical_text(entity, single_points, told, len(reached)),
        )

    async def _loosened(self, agent_id: str, ended: Sequence[Dependency], asked: WhatIf) -> list[tuple[Loosened, bool]]:
        """For each target of an edge that ends: the entities that no longer need it, and whether a cap cut the walk."""
        bounds = _Bounds(asked.max_depth, asked.min_confidence, asked.types, moment(None, None, self.clock()))
        gone = {edge.id for edge in ended}
        changes = []
        for target in {edge.target.id: edge.target for edge in ended}.values():
            walk = await self._walk(agent_id, target.id, "upstream", bounds)
            rest = [edge for edge in walk.edges if edge.id not in gone]
            after = {one.id: one for one in radius.radiate(target.id, rest, asked.max_depth)}
            changes.append((await self._change(agent_id, target, walk, after, asked.limit), walk.capped))
        return changes

    async def _change(
        self, agent_id: str, target: NamedRef, walk: Walked, after: Mapping[str, radius.Reached], limit: int
    ) -> Loosened:
        lost = [one for id_, one in walk.reached.items() if id_ not in after]
        worse = [
            (one, after[id_])
            for id_, one in walk.reached.items()
            if id_ in after and (after[id_].confidence < one.confidence or after[id_].depth > one.depth)
        ]
        worse.sort(key=lambda pair: (pair[1].confidence - pair[0].confidence, pair[0].id))
        known = await self.reads.entities(agent_id, [before.id for before, _ in worse[:limit]])
        return Loosened(
            entity=target,
            lost=tuple(await self._affected(agent_id, radius.nearest(lost, limit))),
            weakened=tuple(
                Weakened(
                    id=before.id,
                    name=known[before.id][0],
                    type=known[before.id][1],
                    depth_before=before.depth,
                    depth=now.depth,
                    confidence_before=before.confidence,
                    confidence=now.confidence,
                )
                for before, now in worse[:limit]
                if before.id in known
            ),
            total_lost=len(lost),
            total_weakened=len(worse),
        )

    async def _affected(self, agent_id: str, listed: Sequence[radius.Reached]) -> list[AffectedEntity]:
        edges, known = await asyncio.gather(
            self.reads.edges(agent_id, list(dict.fromkeys(edge for one in listed for edge in one.path))),
            self.reads.entities(agent_id, [one.id for one in listed]),
        )
        affected = []
        for one in listed:
            path = tuple(edges[edge] for edge in one.path if edge in edges)
            if len(path) < len(one.path) or one.id not in known:
                continue
            name, type_ = known[one.id]
            # Every part is an already validated value; a thousand of them are not validated again.
            affected.append(
                AffectedEntity.model_construct(
                    id=one.id,
                    name=name,
                    type=type_,
                    depth=one.depth,
                    confidence=one.confidence,
                    weakest_edge=min(path, key=lambda edge: edge.confidence),
                    path=path,
                )
            )
        return affected

    async def _walk(self, agent_id: str, entity_id: str, direction: str, bounds: _Bounds) -> Walked:
        """One walk, or the union of both directions, with their `edges` together."""
        ways = ("upstream", "downstream") if direction == "both" else (direction,)
        walks = [await self._one_way(agent_id, entity_id, way, bounds) for way in ways]
        if len(walks) == 1:
            return walks[0]
        return Walked(
            edges=[edge for walk in walks for edge in walk.edges],
            reached=radius.merge(walk.reached for walk in walks),
            capped=any(walk.capped for walk in walks),
        )

    async def _one_way(self, agent_id: str, entity_id: str, way: str, bounds: _Bounds) -> Walked:
        async def met(node_cap: int, edge_cap: int) -> Walk:
            return await self.reads.walk(
                agent_id,
                entity_id,
                way,
                max_depth=bounds.max_depth,
                min_confidence=bounds.min_confidence,
                types=[type_.value for type_ in bounds.types] if bounds.types else None,
                when=bounds.when,
                node_cap=node_cap,
                edge_cap=edge_cap,
            )

        return await walked(
            entity_id, met, bounds.max_depth, min_path_confidence=bounds.min_path_confidence, caps=bounds.caps
        )

    async def _fact(self, agent_id: str, id_: str) -> Attribute:
        found = await self.knowing.memory(agent_id, id_)
        if not isinstance(found, Attribute) or found.status != "active":
            raise NotFound(f"There is no active fact {id_!r}.")
        return found

    async def _dependency(self, agent_id: str, id_: str) -> Dependency:
        found = (await self.reads.edges(agent_id, [id_], active_only=True)).get(id_)
        if found is None:
            raise NotFound(f"There is no active dependency {id_!r}.")
        return found
