"""Finding what answers a question, and handing all of it out."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from graphmem.model.inputs import HitKind
from graphmem.model.knowledge import Attribute, Dependency, Entity
from graphmem.model.stored import Filters, FoundText, Moment, OnEntity, ReadText


class Retrieval(Protocol):
    """Finding texts."""

    async def near(
        self, agent_id: str, vector: Sequence[float], filters: Filters, limits: Mapping[HitKind, int]
    ) -> dict[HitKind, list[str]]: ...
    async def matching(
        self, agent_id: str, query: str, filters: Filters, limits: Mapping[HitKind, int]
    ) -> dict[HitKind, list[str]]: ...
    async def read_texts(
        self,
        agent_id: str,
        ids: Mapping[HitKind, Sequence[str]],
        vector: Sequence[float] | None,
        filters: Filters,
        chars: int,
    ) -> list[tuple[HitKind, ReadText]]: ...
    async def cold(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        terms: Sequence[str],
        query: str,
        vector: Sequence[float] | None,
        filters: Filters,
        limit: int,
    ) -> dict[HitKind, list[ReadText]]: ...
    async def found(self, agent_id: str, ids: Mapping[HitKind, Sequence[str]], when: Moment) -> list[FoundText]: ...
    async def on_entities(
        self, agent_id: str, canonical_names: Sequence[str], limit: int, when: Moment
    ) -> list[OnEntity]: ...


class ExportReads(Protocol):
    """Entities, facts and dependencies of one moment, many at a time."""

    async def entities(self, agent_id: str, after: str, limit: int, when: Moment) -> list[tuple[Entity, str]]: ...
    async def facts(self, agent_id: str, ids: Sequence[str], when: Moment, *, superseded: bool) -> list[Attribute]: ...
    async def edges(self, agent_id: str, ids: Sequence[str], when: Moment) -> list[Dependency]: ...
