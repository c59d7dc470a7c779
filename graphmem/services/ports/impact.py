"""What impact reads: edges around an entity, and what a fact bears."""

from collections.abc import Sequence
from typing import Protocol

from graphmem.model.impact import Support
from graphmem.model.knowledge import Dependency, EntityType
from graphmem.model.stored import Moment, Walk


class ImpactReads(Protocol):
    async def walk(
        self,
        agent_id: str,
        entity_id: str,
        direction: str,
        *,
        max_depth: int,
        min_confidence: float,
        types: Sequence[str] | None,
        when: Moment,
        node_cap: int = ...,
        edge_cap: int = ...,
    ) -> Walk: ...
    async def edges(self, agent_id: str, ids: Sequence[str], *, active_only: bool = ...) -> dict[str, Dependency]: ...
    async def entities(self, agent_id: str, ids: Sequence[str]) -> dict[str, tuple[str, EntityType]]: ...
    async def fact_edges(self, agent_id: str, attribute_id: str) -> list[Support]: ...
    async def fact_memories(self, agent_id: str, attribute_id: str) -> list[tuple[Support, str]]: ...
