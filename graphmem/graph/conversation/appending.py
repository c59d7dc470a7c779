"""Messages are appended to their sessions, several batches in one transaction."""

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime

from pydantic.alias_generators import to_camel

from graphmem.errors import MessageChanged, PlanOutdated
from graphmem.graph.connection import Database, Row, WriteTransaction, utc
from graphmem.graph.conversation.payloads import payloads_link
from graphmem.graph.operation.jobs import events_write
from graphmem.model.answers import IngestReceipt
from graphmem.model.change import Appending, MessageRow, OpeningSession, PayloadRow
from graphmem.model.compaction import CompactionDue
from graphmem.model.conversation import Session
from graphmem.model.stored import HeldSession, KnownMessage, SessionState, StoredTail
from graphmem.rules.summaries.compaction import due

APPEND = "sessions/messages_append"
MOST_ENDS = 10_000
"""Sessions whose ends are cached."""
# Times are sent as text: the driver takes 0.1 ms to pack or unpack a time, a third of the cost of a message.
TIMES = ("created_at", "ingested_at")
PROPERTIES = tuple((field.name, to_camel(field.name)) for field in fields(MessageRow) if field.name not in TIMES)


@dataclass(frozen=True, slots=True)
class Filled:
    """How full a session is after a batch: the tokens of its replay, and its context window."""

    tokens: int
    context_window: int | None

    def due(self, said: int | None, threshold: float) -> CompactionDue | None:
        """Whether it is to be compacted; `said`: the tokens the client counts itself."""
        if self.context_window is None:
            return None
        return due(self.tokens if said is None else said, self.context_window, threshold)


async def append_all(
    tx: WriteTransaction, agent_id: str, batches: Sequence[Appending], threshold: float
) -> list[IngestReceipt]:
    """Store batches, in order, and return the answer to each. One that may not be stored raises for all. `threshold`:
    the share of its context window above which a session waits for compaction."""
    held = await sessions_open(tx, agent_id, _openings(batches), reopen=False)
    stored = {session_id: one.stored for session_id, one in held.items()}
    rows: dict[str, list[MessageRow]] = {}
    payloads: dict[str, Sequence[PayloadRow]] = {}
    receipts = []
    for batch in batches:
        session_id = batch.opening.session_id
        decided, receipt = batch.decide(stored[session_id])
        if decided:
            stored[session_id] = _grown(stored[session_id], decided)
            rows.setdefault(session_id, []).extend(decided)
            payloads |= batch.payloads
        receipts.append(receipt.model_copy(update={"created": held[session_id].open_id == batch.opening.open_id}))
    filled = {
        session_id: Filled(one.replay_tokens, one.state.session.context_window) for session_id, one in held.items()
    }
    if rows:
        grown = await messages_append(tx, agent_id, rows, _said(batches), threshold)
        if len(grown) < len(rows):
            raise PlanOutdated("A session grew although it was locked.")
        filled |= grown
        await payloads_link(tx, agent_id, [row.id for of in rows.values() for row in of], payloads)
    if events := [batch.event for batch, receipt in zip(batches, receipts, strict=True) if receipt.created]:
        await events_write(tx, agent_id, events)
    return [
        _with_compaction(receipt, filled[batch.opening.session_id], batch, threshold)
        for batch, receipt in zip(batches, receipts, strict=True)
    ]


async def sessions_open(
    tx: WriteTransaction, agent_id: str, openings: Sequence[Row], *, reopen: bool
) -> Mapping[str, HeldSession]:
    """Sessions by id, each created if it is new and locked until the transaction ends; see `wanted_session`."""
    # In one order for all writers, so that they cannot deadlock.
    openings = sorted(openings, key=lambda opening: str(opening["session_id"]))
    rows = await tx.rows("sessions/sessions_open", agent_id=agent_id, openings=openings, reopen=reopen)
    return {row["session"]["id"]: _held(row) for row in rows}


def wanted_session(
    session: OpeningSession, now: datetime, message_ids: Sequence[str] = (), head: int = 0, tail: int = 0
) -> Row:
    """The parameters for locking a session: its properties, the messages to look up, and how many of the first and the
    last to return."""
    return asdict(session) | {
        "started_at": session.started_at.isoformat(),
        "now": now.isoformat(),
        "message_ids": list(message_ids),
        "head": head,
        "tail": tail,
    }


async def messages_append(
    tx: WriteTransaction,
    agent_id: str,
    rows: Mapping[str, Sequence[MessageRow]],
    said: Mapping[str, int],
    threshold: float,
) -> dict[str, Filled]:
    """Append messages to sessions, which are locked, and return how full these are now. `said`: the token counts that
    clients report for sessions."""
    appends = _appends(rows, {}, said)
    return _grown_full(await tx.rows(APPEND, agent_id=agent_id, appends=appends, threshold=threshold))


class SeenEnds:
    """The ends of sessions when this process last wrote to them.

    Mostly they still end there: then one statement checks that and stores the next messages. Where the session has
    changed it stores nothing, and `append_all` does it under lock.
    """

    def __init__(self, database: Database, threshold: float) -> None:
        self._database = database
        self._threshold = threshold
        self._ends: OrderedDict[tuple[str, str], int] = OrderedDict()

    async def append(self, agent_id: str, batches: Sequence[Appending]) -> list[IngestReceipt | None]:
        """The answer to each batch, in order; None where it was not stored. All batches of a session are, or none.

        Errors: what the database raises; it is unknown then what was stored.
        """
        rows: dict[str, list[MessageRow]] = {}
        wanted: dict[str, list[str]] = {}
        receipts: dict[int, IngestReceipt] = {}
        for session_id, of in _by_session(batches).items():
            end = self._ends.get((agent_id, session_id))
            if end is None or any(batch.tail or batch.payloads for _, batch in of):
                continue
            stored = StoredTail(end, {}, [])
            try:
                for place, batch in of:
                    decided, receipts[place] = batch.decide(stored)
                    stored = _grown(stored, decided)
                    rows.setdefault(session_id, []).extend(decided)
            except MessageChanged:
                del rows[session_id]
            else:
                wanted[session_id] = [message_id for _, batch in of for message_id in batch.message_ids]
        if not rows:
            return [None] * len(batches)
        appends = _appends(rows, wanted, _said(batches))
        held = _grown_full(
            await self._database.write_alone(APPEND, agent_id=agent_id, appends=appends, threshold=self._threshold)
        )
        return [
            _with_compaction(receipts[place], held[batch.opening.session_id], batch, self._threshold)
            if batch.opening.session_id in held
            else None
            for place, batch in enumerate(batches)
        ]

    def note(self, agent_id: str, receipts: Iterable[IngestReceipt]) -> None:
        """Record where sessions end after these were stored."""
        for receipt in receipts:
            if receipt.stored:
                key = (agent_id, receipt.session_id)
                last = max(
                    one.ordinal for one in receipt.messages if one.status == "stored" and one.ordinal is not None
                )
                self._ends[key] = last + 1
                self._ends.move_to_end(key)
        while len(self._ends) > MOST_ENDS:
            self._ends.popitem(last=False)


def _by_session(batches: Sequence[Appending]) -> dict[str, list[tuple[int, Appending]]]:
    """The batches of each session, each with its place."""
    by_session: dict[str, list[tuple[int, Appending]]] = {}
    for place, batch in enumerate(batches):
        by_session.setdefault(batch.opening.session_id, []).append((place, batch))
    return by_session


def _appends(
    rows: Mapping[str, Sequence[MessageRow]], wanted: Mapping[str, Sequence[str]], said: Mapping[str, int]
) -> list[Row]:
    """What to append to each session, where none of the `wanted` messageIds may exist already. `said`: the token counts
    that clients report for sessions."""
    return [
        {
            "sessionId": session_id,
            "first": of[0].ordinal,
            "messageIds": wanted.get(session_id, []),
            "tokens": sum(row.tokens for row in of),
            "sessionTokens": said.get(session_id),
            "at": of[-1].ingested_at.isoformat(),
            "rows": [_message(row) for row in of],
        }
        for session_id, of in sorted(rows.items())
    ]


def session_state(row: Row) -> SessionState:
    return SessionState(
        session=Session(
            session_id=row["id"],
            project=row["project"],
            source=row["source"],
            started_at=row["startedAt"],
            ended_at=row["endedAt"],
            messages=row["messages"],
            tokens=row["tokens"],
            context_window=row["contextWindow"],
            continues=row["continues"],
            metadata=json.loads(row["metadata"]) if row["metadata"] is not None else None,
            archived_at=row["archivedAt"],
        ),
        next_ordinal=row["nextOrdinal"],
        extracted_through=row["extractedThrough"],
    )


def _openings(batches: Sequence[Appending]) -> list[Row]:
    return [
        wanted_session(
            of[0][1].opening,
            of[0][1].event.at,
            [message_id for _, batch in of for message_id in batch.message_ids],
            max(batch.head for _, batch in of),
            max(batch.tail for _, batch in of),
        )
        for of in _by_session(batches).values()
    ]


def _held(row: Row) -> HeldSession:
    times = ((name, row["session"][name]) for name in ("startedAt", "endedAt", "archivedAt"))
    state = session_state(row["session"] | {name: at and utc(at) for name, at in times})
    known = {message.message_id: message for message in map(_known, row["known"])}
    return HeldSession(
        row["session"]["openId"],
        state,
        StoredTail(state.next_ordinal, known, [*map(_known, row["tail"])], [*map(_known, row["head"])]),
        state.session.tokens - (row["session"]["savedTokens"] or 0),
    )


def _said(batches: Sequence[Appending]) -> dict[str, int]:
    """The token counts that clients report for their sessions, the last one of each."""
    return {batch.opening.session_id: batch.session_tokens for batch in batches if batch.session_tokens is not None}


def _grown_full(rows: Iterable[Row]) -> dict[str, Filled]:
    return {row["sessionId"]: Filled(row["tokens"], row["contextWindow"]) for row in rows}


def _with_compaction(receipt: IngestReceipt, filled: Filled, batch: Appending, threshold: float) -> IngestReceipt:
    found = filled.due(batch.session_tokens, threshold)
    return receipt if found is None else receipt.model_copy(update={"compaction": found})


def _grown(stored: StoredTail, rows: Sequence[MessageRow]) -> StoredTail:
    """The state of a session once these are appended."""
    new = [KnownMessage(row.id, row.message_id, row.ordinal, row.fingerprint) for row in rows]
    return StoredTail(
        stored.next_ordinal + len(new),
        {**stored.known, **{message.message_id: message for message in new}},
        [*stored.tail, *new],
        stored.head,
    )


def _known(row: Row) -> KnownMessage:
    return KnownMessage(row["id"], row["messageId"], row["ordinal"], row["fingerprint"])


def _message(row: MessageRow) -> Row:
    return {
        "properties": {property_: getattr(row, name) for name, property_ in PROPERTIES},
        "createdAt": row.created_at.isoformat(),
        "ingestedAt": row.ingested_at.isoformat(),
    }
