"""Turns: messages that wait for analysis, what it found in them, and how they are read back."""

import json
from collections.abc import Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction, utc
from graphmem.model.turns import (
    OVERLAYS,
    AnalysedTurn,
    EarlierTurn,
    Evidence,
    KnownNear,
    Link,
    Overlay,
    Overlays,
    Ready,
    Turn,
    TurnEdge,
    TurnReference,
    WaitingSession,
    WaitingTurn,
    WaitingTurns,
)

TEXT_CHARS = 20_000
CALLS_CHARS = 4_000
KNOWN = 3
"""Facts, and as many statements, that a turn is compared with."""
KNOWN_SCAN = 12
"""How many of them the index is asked for: some belong to the session itself."""
BEFORE_PAGE = 1_000
"""Earlier messages read at a time: each brings its vector."""
BESIDE = 0.5
"""The weight of the edge from a turn to the one before it."""


class TurnStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def sessions_waiting(self, ready: Ready, limit: int) -> list[WaitingSession]:
        """Sessions whose next message can be analysed."""
        return await self._database.read(lambda tx: sessions_waiting(tx, ready, limit))

    async def waiting(self, agent_id: str, session_id: str, ready: Ready, limit: int) -> WaitingTurns | None:
        """A session's next messages that can be analysed; None for an archived or deleted session."""
        return await self._database.read(lambda tx: turns_waiting(tx, agent_id, session_id, ready, limit))

    async def before(self, agent_id: str, session_id: str, ordinals: range, text_from: int) -> list[EarlierTurn]:
        """The analysed messages with these ordinals, in order; the words only of those from `text_from` on."""
        found: list[EarlierTurn] = []
        start = ordinals.start
        while True:
            stretch = range(start, ordinals.stop)
            page = await self._database.read(
                lambda tx, stretch=stretch: turns_before(tx, agent_id, session_id, stretch, text_from)  # type: ignore[misc]
            )
            found += page
            if len(page) < BEFORE_PAGE:
                return found
            start = page[-1].ordinal + 1

    async def store(
        self,
        agent_id: str,
        session_id: str,
        batch: WaitingTurns,
        found: Sequence[AnalysedTurn],
        analyser: str,
        now: datetime,
    ) -> bool:
        """Store what was found in a batch, and advance the session's mark; False where it was moved meanwhile."""
        return await self._database.write(lambda tx: turns_store(tx, agent_id, session_id, batch, found, analyser, now))

    async def page(self, agent_id: str, session_id: str, after: int, limit: int, *, explain: bool) -> list[Turn]:
        return await self._database.read(lambda tx: turn_page(tx, agent_id, session_id, after, limit, explain=explain))

    async def waiting_of_agent(self, agent_id: str) -> int:
        return await self._database.read(lambda tx: waiting_of_agent(tx, agent_id))

    async def waiting_of_session(self, agent_id: str, session_id: str) -> bool:
        return await self._database.read(lambda tx: waiting_of_session(tx, agent_id, session_id))

    async def label_sessions(self, limit: int) -> int:
        """Mark sessions that wait for analysis and have no mark; how many there were."""
        return await self._database.write(lambda tx: sessions_label(tx, limit))


async def sessions_waiting(tx: ReadTransaction, ready: Ready, limit: int) -> list[WaitingSession]:
    rows = await tx.rows("analysis/sessions_waiting", vectors=ready.vectors, before=ready.before, limit=limit)
    return [WaitingSession(row["agent_id"], row["sessionId"], row["through"]) for row in rows]


async def turns_waiting(
    tx: ReadTransaction, agent_id: str, session_id: str, ready: Ready, limit: int
) -> WaitingTurns | None:
    row = await tx.row(
        "analysis/turns_waiting",
        agent_id=agent_id,
        session_id=session_id,
        vectors=ready.vectors,
        dimensions=ready.dimensions,
        before=ready.before,
        chars=TEXT_CHARS,
        calls=CALLS_CHARS,
        limit=limit,
        scan=KNOWN_SCAN,
        known=KNOWN,
    )
    if row is None:
        return None
    turns: list[WaitingTurn] = []
    for one in row["turns"]:
        if not one["ready"]:
            break
        turns.append(_waiting(one))
    through = turns[-1].ordinal + 1 if turns else row["through"]
    if len(turns) == len(row["turns"]) < limit:  # all there is; deleted messages are skipped
        through = max(through, row["nextOrdinal"])
    return WaitingTurns(row["through"], through, tuple(turns))


async def turns_before(
    tx: ReadTransaction, agent_id: str, session_id: str, ordinals: range, text_from: int
) -> list[EarlierTurn]:
    rows = await tx.rows(
        "analysis/turns[before]",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=ordinals.start,
        to_ordinal=ordinals.stop,
        text_from=text_from,
        chars=TEXT_CHARS,
        calls=CALLS_CHARS,
        limit=BEFORE_PAGE,
    )
    return [_earlier(row["turn"]) for row in rows]


async def turns_store(
    tx: WriteTransaction,
    agent_id: str,
    session_id: str,
    batch: WaitingTurns,
    turns: Sequence[AnalysedTurn],
    analyser: str,
    now: datetime,
) -> bool:
    row = await tx.row(
        "analysis/turns_store",
        agent_id=agent_id,
        session_id=session_id,
        expected=batch.expected,
        through=batch.through,
        turns=[{"id": turn.id, "properties": _properties(turn)} for turn in turns],
        references=[_link(link) | {"how": link.how} for turn in turns for link in turn.references],
        similar=[_link(link) for turn in turns for link in turn.similar],
        analyser=analyser,
        now=now,
    )
    return row is not None


async def turn_page(
    tx: ReadTransaction, agent_id: str, session_id: str, after: int, limit: int, *, explain: bool
) -> list[Turn]:
    rows = await tx.rows(
        "analysis/turns[page]", agent_id=agent_id, session_id=session_id, after=after, explain=explain, limit=limit
    )
    return [_stored(row["turn"]) for row in rows]


async def waiting_of_agent(tx: ReadTransaction, agent_id: str) -> int:
    row = await tx.row("upkeep/waiting[analysis]", agent_id=agent_id)
    return int(row["waiting"]) if row else 0


async def waiting_of_session(tx: ReadTransaction, agent_id: str, session_id: str) -> bool:
    row = await tx.row("sessions/session[waiting]", agent_id=agent_id, session_id=session_id)
    return bool(row and row["waiting"])


async def sessions_label(tx: WriteTransaction, limit: int) -> int:
    row = await tx.row("analysis/sessions_label", limit=limit)
    return int(row["marked"]) if row else 0


def _waiting(row: Row) -> WaitingTurn:
    return WaitingTurn(
        id=row["id"],
        message_id=row["messageId"],
        ordinal=row["ordinal"],
        role=row["role"],
        text=row["text"] or "",
        calls=row["calls"],
        vector=row["vector"],
        known=tuple(KnownNear(**one) for one in row["known"]),
    )


def _earlier(row: Row) -> EarlierTurn:
    o1, o2, o3, o4, o5, o6, o7 = (score or 0.0 for score in row["scores"])
    return EarlierTurn(
        id=row["id"],
        message_id=row["messageId"],
        ordinal=row["ordinal"],
        scores=(o1, o2, o3, o4, o5, o6, o7),
        importance=row["importance"] or 1,
        vector=row["vector"],
        text=row["text"],
        role=row["role"],
        calls=row["calls"],
    )


def _properties(turn: AnalysedTurn) -> Row:
    scores = {overlay.lower(): score for overlay, score in zip(OVERLAYS, turn.scores, strict=True)}
    evidence = {overlay: [one.model_dump(mode="json") for one in of] for overlay, of in turn.evidence.items()}
    return scores | {
        "novelty": turn.novelty,
        "noveltyRaw": turn.novelty_raw,
        "importance": turn.importance,
        "paradigmShift": turn.shift,
        "class": turn.class_,
        "tags": list(turn.tags),
        "evidence": json.dumps(evidence, ensure_ascii=False, separators=(",", ":")),
    }


def _link(link: Link) -> Row:
    return {"fromId": link.from_id, "toId": link.to_id, "weight": link.weight}


def _stored(row: Row) -> Turn:
    edges = None
    if row["similar"] is not None:
        edges = (
            *(TurnEdge(type="temporal", weight=BESIDE, **_end(one)) for one in row["before"]),
            *(TurnEdge(type="semantic", weight=one["weight"], **_end(one)) for one in row["similar"]),
        )
    return Turn(
        id=row["id"],
        message_id=row["messageId"],
        session_id=row["sessionId"],
        ordinal=row["ordinal"],
        role=row["role"],
        created_at=utc(row["createdAt"]),
        overlays=Overlays(**dict(zip(OVERLAYS, row["scores"], strict=True))),
        novelty=row["novelty"],
        novelty_raw=row["noveltyRaw"],
        importance=row["importance"],
        paradigm_shift=row["paradigmShift"],
        class_=row["class"],
        tags=tuple(row["tags"]),
        analysed_at=utc(row["analysedAt"]),
        analyser=row["analyser"],
        evidence=None if row["evidence"] is None else _evidence(json.loads(row["evidence"])),
        references=None
        if row["references"] is None
        else tuple(TurnReference(weight=one["weight"], how=one["how"], **_end(one)) for one in row["references"]),
        edges=edges,
    )


def _evidence(held: Row) -> dict[Overlay, tuple[Evidence, ...]]:
    return {overlay: tuple(Evidence(**one) for one in held[overlay]) for overlay in OVERLAYS if overlay in held}


def _end(row: Row) -> Row:
    return {"id": row["id"], "message_id": row["messageId"], "ordinal": row["ordinal"]}
