"""The input of a context: first everything but the texts of a session's messages, then the wanted messages."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.graph.connection import Database, Numbers, ReadTransaction, Row
from graphmem.graph.recall.retrieval import said_of
from graphmem.model.context import (
    ContextFrame,
    InForce,
    Injection,
    NewestTurn,
    OlderTurn,
    SaidMessage,
    Size,
    ToldNode,
    Wanted,
)
from graphmem.rules.summaries.excerpts import plain_parts

MOST_FACTS = 200
"""Most constraints and pinned items read, the pinned and most important first."""
MENTIONING = 500
"""Last messages of a session whose entities count as named in it."""
MOST_MESSAGES = 512
"""Most messages of a tail."""
BEGINNING_CHARS = 4_000
"""Characters of the newest user message that are embedded: models read fewer."""
RESULT_HEAD, RESULT_TAIL = 60_000, 140_000
"""Characters at the beginning and the end of a tool result that does not fit: its stub tells what it says."""
OPENING_CHARS = 20_000
"""Characters of an older turn in which the passage to show is searched."""
SPARE = 4
"""Turns read for each that is wanted: some repeat what others say."""
CHARS_PER_CARRIED_TOKEN = 2
"""Characters per token, fewer than JSON nearly always has: tool arguments are overestimated until they are read."""


class ContextStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def frame(self, agent_id: str, session_id: str, now: datetime) -> ContextFrame | None:
        """Everything but the texts of messages; None for an unknown session."""
        return await self._database.read(lambda tx: frame(tx, agent_id, session_id, now))

    async def said(self, agent_id: str, session_id: str, wanted: Wanted) -> list[SaidMessage]:
        """The wanted messages, in order."""
        return await self._database.read(lambda tx: said(tx, agent_id, session_id, wanted))

    async def older(
        self, agent_id: str, wanted: Wanted, vector: Sequence[float], injection: Injection
    ) -> list[OlderTurn]:
        """Turns before the wanted messages that are relevant to the vector, the most relevant first."""
        return await self._database.read(lambda tx: older(tx, agent_id, wanted, vector, injection))


async def frame(tx: ReadTransaction, agent_id: str, session_id: str, now: datetime) -> ContextFrame | None:
    row = await tx.row(
        "context/frame",
        agent_id=agent_id,
        session_id=session_id,
        now=now,
        facts=MOST_FACTS,
        mentioning=MENTIONING,
        messages=MOST_MESSAGES,
        chars=BEGINNING_CHARS,
    )
    if row is None:
        return None
    session, newest = row["session"], next(iter(row["newest"]), None)
    (sizes,) = row["sizes"]
    system = next((_message(one | {"sessionId": session_id, "ordinal": 0}) for one in row["system"]), None)
    return ContextFrame(
        session_id=session_id,
        project=session["project"],
        context_window=session["contextWindow"],
        next_ordinal=session["nextOrdinal"],
        tail_from=session["tailFrom"],
        line=tuple((one["id"], one["nextOrdinal"]) for one in row["earlier"]),
        system=system,
        in_force=(*map(_fact, row["facts"]), *map(_memory, row["memories"])),
        recap=next((_node(one) for one in row["recaps"]), None),
        summaries=tuple(_node(one) for one in row["summaries"]),
        sizes=tuple(
            Size(ordinal, tokens + -(-carried // CHARS_PER_CARRIED_TOKEN))
            for ordinal, tokens, carried in zip(*(sizes[key] for key in ("ordinals", "tokens", "carried")), strict=True)
            if system is None or ordinal > 0
        ),
        newest=NewestTurn(newest["ordinal"], newest["tokens"], newest["text"]) if newest else None,
    )


async def said(tx: ReadTransaction, agent_id: str, session_id: str, wanted: Wanted) -> list[SaidMessage]:
    (row,) = await tx.rows(
        "context/said",
        agent_id=agent_id,
        session_id=session_id,
        start=wanted.start,
        through=wanted.through,
        newest=wanted.newest,
        chars=wanted.chars,
        result_head=RESULT_HEAD,
        result_tail=RESULT_TAIL,
    )
    return [_message(one) for one in row["tail"]]


async def older(
    tx: ReadTransaction, agent_id: str, wanted: Wanted, vector: Sequence[float], injection: Injection
) -> list[OlderTurn]:
    (row,) = await tx.rows(
        "context/older",
        agent_id=agent_id,
        newest=wanted.newest,
        line=[{"id": id_, "before": before} for id_, before in wanted.line],
        vector=Numbers(vector),
        window=injection.window,
        minimum=injection.minimum,
        nearest=injection.nearness,
        spare=SPARE * injection.top,
        opening=OPENING_CHARS,
    )
    return [_older(one) for one in row["older"]]


def _message(row: Row) -> SaidMessage:
    parts = json.loads(row["parts"]) if row.get("parts") else None
    calls = json.loads(row["toolCalls"]) if row.get("toolCalls") else None
    return SaidMessage(
        id=row["id"],
        message_id=row["messageId"],
        session_id=row["sessionId"],
        ordinal=row["ordinal"],
        role=row["role"],
        name=row["name"],
        text=row["text"],
        parts=tuple(parts) if parts and not plain_parts(parts) else None,
        tool_calls=tuple(calls) if calls else None,
        tool_call_id=row.get("toolCallId"),
    )


def _older(row: Row) -> OlderTurn:
    return OlderTurn(
        id=row["id"],
        message_id=row["messageId"],
        session_id=row["sessionId"],
        ordinal=row["ordinal"],
        back=row["back"],
        role=row["role"],
        name=row["name"],
        text=row["text"],
        nearness=row["nearness"],
        importance=row["importance"],
        structural=row["o1"],
        mission=row["o4"],
        operational=row["o5"],
        shift=row["shift"],
    )


def _fact(row: Row) -> InForce:
    return InForce(
        id=row["id"],
        content=row["content"],
        constraint=row["kind"] == "constraint",
        pinned=bool(row["pinned"]),
        project=row["project"],
        entity=row["entity"],
        names=tuple(row["names"]),
        mentioned=row["mentioned"],
        message_ids=tuple(row["messageIds"]),
    )


def _memory(row: Row) -> InForce:
    return InForce(
        id=row["id"],
        content=row["content"],
        constraint=False,
        pinned=True,
        project=row["project"],
        entity=None,
        names=(),
        mentioned=False,
        message_ids=tuple(row["messageIds"]),
    )


def _node(row: dict[str, Any]) -> ToldNode:
    return ToldNode(
        id=row["id"],
        kind=row["kind"],
        depth=row["depth"] or 0,
        content=row["content"] or "",
        back=row["back"],
        said=tuple(said_of(*one) for one in row["said"]),
        in_other_words=row["inOtherWords"],
    )
