"""What the provenance of things is read from."""

from typing import Protocol

from graphmem.model.provenance import Derivation, Direction, KeptMessage
from graphmem.model.stored import FoundIds


class ProvenanceReads(Protocol):
    """Walks over what was made of what, and the texts whose hashes are looked at again."""

    async def walk(
        self, agent_id: str, id_: str, direction: Direction, max_depth: int, after: tuple[int, str], limit: int
    ) -> list[Derivation]: ...
    async def messages(self, agent_id: str, after: str, limit: int) -> list[KeptMessage]: ...
    async def changed(self, agent_id: str) -> FoundIds: ...
    async def missing(self, agent_id: str) -> list[FoundIds]: ...
