"""Candidates of a grep: texts by their grams, or newest first; and grams for texts that lack them."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction, utc
from graphmem.model.stored import GrepCandidate, GrepFilters, GrepKind, GrepPlace, Said, WithoutGrams
from graphmem.rules.language.grams import MADE_BY, MADE_OTHERWISE

FIRST_TIME, LAST_TIME = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
ALL_TEXTS_S = 600.0
"""Seconds for a scan of all texts."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COUNTS: Mapping[GrepKind, str] = {"message": "grep/counts[messages]", "summary": "grep/counts[summaries]"}


class GrepStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, agent_id: str, queries: Mapping[GrepKind, Sequence[str]], bound: int) -> list[int]:
        """How many texts of all kinds together the n-th queries match; of each kind at most `bound` are counted."""

        async def of_kind(kind: GrepKind) -> list[int]:
            return await self._database.read(lambda tx: counts(tx, agent_id, kind, queries[kind], bound))

        of_kinds = await asyncio.gather(*map(of_kind, queries))
        return [sum(hits) for hits in zip(*of_kinds, strict=True)]

    async def matching(
        self,
        agent_id: str,
        queries: Mapping[GrepKind, str],
        filters: GrepFilters,
        before: GrepPlace,
        *,
        scan: int,
        best: int,
        chars: int,
        limit: int,
    ) -> list[GrepCandidate]:
        """For each kind: of the first `scan` texts of its query the `best` that pass the filters and come after a
        place, newest first, `limit` at most. The content is included for texts of at most `chars` characters."""

        async def of_kind(kind: GrepKind) -> list[GrepCandidate]:
            find = messages_matching if kind == "message" else summaries_matching
            return await self._database.read(
                lambda tx: find(tx, agent_id, queries[kind], filters, before, (scan, best), chars, limit)
            )

        return [found for of_kind in await asyncio.gather(*map(of_kind, queries)) for found in of_kind]

    async def newest(
        self, agent_id: str, from_: datetime | None, before: GrepPlace, *, chars: int, limit: int
    ) -> list[GrepCandidate]:
        """Messages newest first, after a place."""
        return await self._database.read(lambda tx: messages_newest(tx, agent_id, from_, before, chars, limit))

    async def texts(self, agent_id: str, ids: Sequence[str]) -> dict[str, Said]:
        """The content of messages and summaries, of any length."""
        return await self._database.read(lambda tx: texts(tx, agent_id, ids))

    async def items(self, agent_id: str, ids: Sequence[str]) -> dict[str, Row]:
        """The fields of a `GrepItem` that the store knows, by id."""
        return await self._database.read(lambda tx: items(tx, agent_id, ids))

    async def without_grams(self, limit: int) -> list[WithoutGrams]:
        return await self._database.read(lambda tx: without_grams(tx, limit), timeout_s=ALL_TEXTS_S)

    async def store_grams(self, grams: Mapping[str, str]) -> int:
        """Store the grams of texts, by the database's handle of them; returns how many."""
        return await self._database.write(lambda tx: grams_store(tx, grams))


async def counts(tx: ReadTransaction, agent_id: str, kind: GrepKind, queries: Sequence[str], bound: int) -> list[int]:
    rows = await tx.rows(_COUNTS[kind], agent_id=agent_id, queries=list(queries), scan=bound)
    return [int(row["hits"]) for row in rows]


async def messages_matching(
    tx: ReadTransaction,
    agent_id: str,
    query: str,
    filters: GrepFilters,
    before: GrepPlace,
    bounds: tuple[int, int],
    chars: int,
    limit: int,
) -> list[GrepCandidate]:
    named = _stretch(before, chars, limit) | {"from": filters.from_}
    if named["before"] == LAST_TIME:
        named["before"] = None  # avoids comparing it for tens of thousands of rows
    rows = await tx.rows(
        "grep/messages[matching]",
        agent_id=agent_id,
        query=query,
        scan=bounds[0],
        best=bounds[1],
        session_id=filters.session_id,
        role=filters.role,
        source=filters.source,
        **named,
    )
    return _candidates(rows)


async def summaries_matching(
    tx: ReadTransaction,
    agent_id: str,
    query: str,
    filters: GrepFilters,
    before: GrepPlace,
    bounds: tuple[int, int],
    chars: int,
    limit: int,
) -> list[GrepCandidate]:
    rows = await tx.rows(
        "grep/summaries_matching",
        agent_id=agent_id,
        query=query,
        scan=bounds[0],
        best=bounds[1],
        session_id=filters.session_id,
        source=filters.source,
        **_stretch(before, chars, limit),
    )
    return _candidates(rows)


async def messages_newest(
    tx: ReadTransaction,
    agent_id: str,
    from_: datetime | None,
    before: GrepPlace,
    chars: int,
    limit: int,
) -> list[GrepCandidate]:
    named: dict[str, Any] = {"from": from_ or FIRST_TIME}
    rows = await tx.rows(
        "grep/messages[newest]",
        agent_id=agent_id,
        **_stretch(before, chars, limit),
        **named,
    )
    return _candidates(rows)


async def texts(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, Said]:
    rows = await tx.rows("grep/by_id[texts]", agent_id=agent_id, ids=list(ids))
    return {row["id"]: Said(*row["said"]) for row in rows}


async def items(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, Row]:
    rows = await tx.rows("grep/by_id[items]", agent_id=agent_id, ids=list(ids))
    return {row["item"]["id"]: row["item"] | {"createdAt": utc(row["item"]["createdAt"])} for row in rows}


async def without_grams(tx: ReadTransaction, limit: int) -> list[WithoutGrams]:
    rows = await tx.rows("upkeep/texts_waiting[grams]", limit=limit, stale=MADE_OTHERWISE, made_by=MADE_BY)
    return [WithoutGrams(row["node"], Said(*row["said"])) for row in rows]


async def grams_store(tx: WriteTransaction, grams: Mapping[str, str]) -> int:
    rows = [{"node": node, "grams": of_text} for node, of_text in grams.items()]
    row = await tx.row("upkeep/texts_store[grams]", rows=rows, made_by=MADE_BY)
    return int(row["stored"]) if row else 0


def _candidates(rows: Sequence[Row]) -> list[GrepCandidate]:
    return [
        GrepCandidate(id_, at_us, chars, Said(*said) if said else None)
        for row in rows
        for id_, at_us, chars, said in row["hits"]
    ]


def _stretch(before: GrepPlace, chars: int, limit: int) -> dict[str, Any]:
    """The parameters for the wanted range, common to all searches."""
    at_us, id_ = before
    return {"before": EPOCH + timedelta(microseconds=at_us), "before_id": id_, "chars": chars, "limit": limit}
