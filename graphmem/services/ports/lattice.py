"""Turns by what is said of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from graphmem.model.lattice import Member, PlacedTurn, TurnPlace
from graphmem.model.turns import Turn

if TYPE_CHECKING:  # rules that take long to import, and that no caller of these needs
    from graphmem.rules.lattice_terms import Term


class LatticeReads(Protocol):
    async def turns(
        self, agent_id: str, session_id: str | None, terms: "Sequence[Term]", after: TurnPlace, limit: int
    ) -> list[PlacedTurn]: ...
    async def members(
        self, agent_id: str, session_id: str | None, sets: "Sequence[Sequence[Term]]", limit: int
    ) -> list[Member]: ...
    async def vectors(self, agent_id: str, ids: Sequence[str]) -> dict[str, list[float]]: ...
    async def turns_of(self, agent_id: str, ids: Sequence[str]) -> dict[str, Turn]: ...
