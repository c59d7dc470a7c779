"""How many texts a recall compares for how many hits."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from graphmem.model.inputs import HitKind, Recall
from graphmem.services.ports import Embedder, Retrieval
from graphmem.services.recall.recall import Recalling

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Counting:
    """A store that finds nothing, and keeps how many texts of each kind it was asked for first."""

    limits: Mapping[HitKind, int] | None = None

    async def matching(self, _agent: str, _query: str, _filters: Any, limits: Mapping[HitKind, int]) -> dict[str, Any]:
        self.limits = self.limits or limits
        return {}

    async def read_texts(self, *_: Any) -> list[Any]:
        return []

    async def unread_sessions(self, *_: Any) -> list[str]:
        return []

    async def on_entities(self, *_: Any) -> list[Any]:
        return []

    async def found(self, *_: Any) -> list[Any]:
        return []


class NoEmbedder:
    state = "off"


@pytest.mark.parametrize(
    ("hits", "messages", "facts"), [(1, 40, 20), (10, 40, 20), (11, 120, 21), (20, 120, 30), (100, 220, 110)]
)
async def test_more_than_ten_hits_are_chosen_among_three_times_as_many_messages(
    hits: int, messages: int, facts: int
) -> None:
    store = Counting()
    recalling = Recalling(cast(Retrieval, store), cast(Embedder, NoEmbedder()), lambda: NOW)
    await recalling.recall("me", Recall(query="which port", limit=hits))
    assert store.limits is not None
    assert (store.limits["message"], store.limits["attribute"]) == (messages, facts)
