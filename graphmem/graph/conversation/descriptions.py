"""Descriptions by id: properties, counts and beginnings, cut in the database. And all counts of a session."""

from collections.abc import Sequence

from graphmem.graph.connection import Database, ReadTransaction, Row
from graphmem.model.reading import Child, Kind, Lineage
from graphmem.model.stored import Described, SessionFigures
from graphmem.rules.language.text import canonical_name

MOST_SESSIONS_BACK = 100
"""Most sessions of a chain that are listed: the nearest ones."""

_DESCRIBING: dict[str, str] = {
    "session": "describe/session",
    "summary": "describe/summary",
    "message": "describe/message",
    "payload": "describe/payload",
    "entity": "describe/entity",
    "aspect": "describe/aspect",
    "attribute": "describe/attribute",
    "memory": "describe/memory",
    "dependency": "describe/dependency",
    "supersession": "describe/supersession",
}


class DescriptionStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, agent_id: str, id_: str, kind: Kind | None) -> tuple[Kind, str] | None:
        """What an id or the name of an entity refers to, and its own id."""
        return await self._database.read(lambda tx: kind_of(tx, agent_id, id_, kind))

    async def describe(self, agent_id: str, kind: Kind, id_: str, chars: int, children: int) -> Described | None:
        """`id_` is the thing's own id; `chars` bounds its beginning, `children` its listed parts."""
        return await self._database.read(lambda tx: described(tx, agent_id, kind, id_, chars, children))

    async def figures(self, agent_id: str, session_id: str) -> tuple[SessionFigures, Lineage] | None:
        """All counts of a session, and its place in a chain."""

        async def work(tx: ReadTransaction) -> tuple[SessionFigures, Lineage] | None:
            found = await session_figures(tx, agent_id, session_id)
            return (found, await lineage(tx, agent_id, session_id)) if found else None

        return await self._database.read(work)


async def kind_of(tx: ReadTransaction, agent_id: str, id_: str, kind: Kind | None) -> tuple[Kind, str] | None:
    row = await tx.row(
        "describe/kind", agent_id=agent_id, id=id_, sha256=id_.lower(), canonical=canonical_name(id_), kind=kind
    )
    return (row["kind"], row["id"]) if row else None


async def described(
    tx: ReadTransaction, agent_id: str, kind: Kind, id_: str, chars: int, children: int
) -> Described | None:
    row = await tx.row(_DESCRIBING[kind], agent_id=agent_id, id=id_, chars=chars, children=children)
    if row is None:
        return None
    found = row["found"]
    return Described(
        preview=found["preview"],
        chars=found.get("chars"),
        metadata=found["metadata"],
        counts=found["counts"],
        depths=_by_depth(found["depths"]),
        children=tuple(Child(**child) for child in found["children"][:children]),
        child_count=found["childCount"],
    )


async def session_figures(tx: ReadTransaction, agent_id: str, session_id: str) -> SessionFigures | None:
    row = await tx.row("sessions/session_figures", agent_id=agent_id, session_id=session_id)
    if row is None:
        return None
    figures = row["figures"]
    return SessionFigures(
        frontier=figures["frontier"],
        rotated_at=figures["rotatedAt"],
        active_tokens=figures["activeTokens"],
        compactions=figures["compactions"],
        summaries=_by_depth(figures["summaries"]),
        summary_tokens=sum(one["tokens"] for one in figures["summaries"]),
        roles={role: number for role, number in figures["roles"].items() if number},
        payloads=figures["payloads"],
        payload_bytes=figures["payloadBytes"],
        memories=figures["memories"],
        unread=figures["unread"],
        parked=figures["parked"],
        unembedded=figures["unembedded"],
        last_message_at=figures["lastMessageAt"],
        analysed=figures["analysed"],
        shifts=figures["shifts"],
        routine_turns=figures["routine"],
        mean_novelty=figures["novelty"],
        mean_importance=figures["importance"],
        starts_with=tuple(figures["startsWith"]),
        former_ids=tuple(figures["formerIds"]),
    )


async def lineage(tx: ReadTransaction, agent_id: str, session_id: str) -> Lineage:
    """The chain back, as far as its sessions are stored; of the last one only the id may be known."""
    first = await session_lineage(tx, agent_id, session_id)
    chain: list[str] = []
    before = first[0] if first else None
    while before and before not in (session_id, *chain) and len(chain) < MOST_SESSIONS_BACK:
        chain.append(before)
        earlier = await session_lineage(tx, agent_id, before)
        before = earlier[0] if earlier else None
    return Lineage(continues=tuple(chain), continued_by=first[1] if first else ())


async def session_lineage(
    tx: ReadTransaction, agent_id: str, session_id: str
) -> tuple[str | None, tuple[str, ...]] | None:
    row = await tx.row("sessions/session[lineage]", agent_id=agent_id, session_id=session_id)
    return (row["continues"], tuple(row["continuedBy"])) if row else None


def _by_depth(rows: Sequence[Row]) -> dict[str, int]:
    return {f"d{row['depth']}": row["number"] for row in rows}
