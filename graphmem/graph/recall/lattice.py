"""Turns that match a lattice query. Archived sessions are left out, and turns that are not analysed yet."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, Row, utc
from graphmem.model.lattice import Member, PlacedTurn, TurnPlace
from graphmem.model.turns import Overlays, Turn
from graphmem.rules.lattice.grammar import FIELDS
from graphmem.rules.lattice.terms import Term


class LatticeStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def turns(
        self, agent_id: str, session_id: str | None, terms: Sequence[Term], after: TurnPlace, limit: int
    ) -> list[PlacedTurn]:
        """The turns that match one of the terms, after a place: sessions by their start, turns in order."""
        return await self._database.read(lambda tx: turns(tx, agent_id, session_id, terms, after, limit))

    async def members(
        self, agent_id: str, session_id: str | None, sets: Sequence[Sequence[Term]], limit: int
    ) -> list[Member]:
        """The turns in at least one of the sets, in the same order."""
        return await self._database.read(lambda tx: members(tx, agent_id, session_id, sets, limit))

    async def vectors(self, agent_id: str, ids: Sequence[str]) -> dict[str, list[float]]:
        """The vectors of those that have one."""
        return await self._database.read(lambda tx: vectors(tx, agent_id, ids))

    async def turns_of(self, agent_id: str, ids: Sequence[str]) -> dict[str, Turn]:
        return await self._database.read(lambda tx: turns_of(tx, agent_id, ids))


async def turns(
    tx: ReadTransaction, agent_id: str, session_id: str | None, terms: Sequence[Term], after: TurnPlace, limit: int
) -> list[PlacedTurn]:
    rows = await tx.rows(
        "lattice/turns",
        agent_id=agent_id,
        session_id=session_id,
        terms=[_term(term) for term in terms],
        labelled=_labelled(terms),
        compared=_compared(terms),
        after=after.started_at,
        after_id=after.session_id,
        after_ordinal=after.ordinal,
        limit=limit,
    )
    found = [(utc(row["startedAt"]), _turn(row["turn"])) for row in rows]
    return [PlacedTurn(TurnPlace(at, turn.session_id, turn.ordinal), turn) for at, turn in found]


async def members(
    tx: ReadTransaction, agent_id: str, session_id: str | None, sets: Sequence[Sequence[Term]], limit: int
) -> list[Member]:
    row = await tx.row(
        "lattice/members",
        agent_id=agent_id,
        session_id=session_id,
        sets=[[_term(term) for term in terms] for terms in sets],
        labelled=any(map(_labelled, sets)),
        compared=_compared([term for terms in sets for term in terms]),
        limit=limit,
    )
    found = row["members"] if row else []
    return [Member(id_, message_id, of, tuple(numbers)) for id_, message_id, of, numbers in found]


async def vectors(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, list[float]]:
    row = await tx.row("lattice/vectors", agent_id=agent_id, ids=list(ids))
    return dict(row["vectors"]) if row else {}


async def turns_of(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, Turn]:
    rows = await tx.rows("lattice/turns_of", agent_id=agent_id, ids=list(ids))
    return {row["turn"]["id"]: _turn(row["turn"]) for row in rows}


def _term(term: Term) -> Mapping[str, Any]:
    return {
        "bounds": [list(bound) for bound in term.bounds],
        "anyOf": [sorted(group) for group in term.any_of],
        "noneOf": sorted(term.none_of),
    }


def _labelled(terms: Sequence[Term]) -> bool:
    return any(term.any_of or term.none_of for term in terms)


def _compared(terms: Sequence[Term]) -> list[bool]:
    """Whether a term bounds each of the fields."""
    bounded = {field for term in terms for field, _, _ in term.bounds}
    return [field in bounded for field in range(len(FIELDS))]


def _turn(row: Row) -> Turn:
    told = {key: value for key, value in row.items() if key != "scores"}
    times = {name: utc(row[name]) for name in ("createdAt", "analysedAt")}
    return Turn(**told | times, overlays=Overlays.of(row["scores"]), evidence=None, references=None, edges=None)
