"""What an entity is expanded from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from graphmem.model.knowledge import Attribute
from graphmem.model.stored import Moment

if TYPE_CHECKING:  # rules that take long to import, and that no caller of these needs
    from graphmem.rules.expansion import FactInShort


class ExpansionReads(Protocol):
    """Facts of an entity in short, then whole those that are shown."""

    async def facts_in_short(
        self,
        agent_id: str,
        id_: str,
        aspect: str | None,
        vector: Sequence[float] | None,
        limit: int,
        when: Moment,
        *,
        superseded: bool,
    ) -> "list[FactInShort]": ...
    async def facts_whole(
        self, agent_id: str, id_: str, fact_ids: Sequence[str], when: Moment, *, superseded: bool
    ) -> list[Attribute]: ...
