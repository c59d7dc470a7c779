"""Conversations are stored word for word, and ended. They are read back in reading.py."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.errors import NotFound
from graphmem.model.answers import EndReceipt, IngestReceipt, MessageReceipt, OpenedSession, Page
from graphmem.model.caller import Caller
from graphmem.model.change import Appending, EventRow, MessageRow, OpeningSession
from graphmem.model.conversation import Session
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, NewSession
from graphmem.model.significance import Ending
from graphmem.model.stored import KnownMessage, StoredTail
from graphmem.rules.keeping.ingest import reconcile
from graphmem.rules.keeping.paging import encode_cursor, moment
from graphmem.rules.keeping.replay import Incoming, wanted
from graphmem.rules.language.grams import grams, spoken
from graphmem.rules.language.keys import agent_key, canonical_json, sha256_hex
from graphmem.rules.language.text import count_tokens, parts_text
from graphmem.rules.turns.significance import Calibration, Thresholds, verdict
from graphmem.services.conversation.guards import Guarded, Guards, size
from graphmem.services.ports import Clock, NewId, Sessions

RETAIN_DEPTH = 2
"""*Source*: hermes-lcm, LCM_NEW_SESSION_RETAIN_DEPTH."""


@dataclass(frozen=True)
class GateSettings:
    """What a session needs to be read, and the calibration of the embedder's distances."""

    thresholds: Thresholds = field(default_factory=Thresholds)
    calibration: Calibration = field(default_factory=Calibration)


class Intake:
    def __init__(
        self,
        sessions: Sessions,
        guards: Guards,
        clock: Clock,
        new_id: NewId,
        retain_depth: int = RETAIN_DEPTH,
        gate: GateSettings = GateSettings(),
    ) -> None:
        """`retain_depth`: the default depth from which on a session takes over summaries."""
        self._sessions = sessions
        self._guards = guards
        self._clock = clock
        self._new_id = new_id
        self._retain_depth = retain_depth
        self._gate = gate

    async def open(self, caller: Caller, given: NewSession) -> OpenedSession:
        """The session, created if it is new. An existing one keeps its properties. One that continues another begins
        with the summaries of that one.

        One that the guards close by its name is not created; the answer is what it would be. One that they close by its
        source is created: only its node knows the source when its messages come.
        """
        now = self._clock()
        given = self._guards.session(caller.agent_id, given)
        session_id = given.session_id or self._new_id()
        if self._guards.closed_by_name(session_id):
            return await self._as_it_is(caller.agent_id, session_id, given, now)
        metadata = dict(given.metadata or {})
        if given.reason:
            metadata |= {"reason": given.reason}
        if given.retain_depth is not None:
            metadata |= {"retainDepth": given.retain_depth}
        opening = OpeningSession(
            session_id=session_id,
            open_id=self._new_id(),
            started_at=given.started_at or now,
            project=given.project,
            source=given.source,
            context_window=given.context_window,
            continues=given.continues,
            metadata=json.dumps(metadata) if metadata else None,
            retain_depth=self._retain_depth if given.retain_depth is None else given.retain_depth,
        )
        return await self._sessions.open(caller, opening, self._event("session_opened", session_id, now))

    async def add_messages(self, caller: Caller, session_id: str, given: NewMessages) -> IngestReceipt:
        """Append a batch, all of it or nothing; messages the session holds are not stored again.

        The guards check first: what they refuse is `ignored`, and only the rest is compared and stored.

        Errors: MessageChanged when a known messageId comes with other content, unless that is to be skipped.
        """
        now = self._clock()
        if await self._guards.closed(caller.agent_id, session_id):
            self._guards.refused(caller.agent_id, len(given.messages))
            return _counted(session_id, [_ignored(message) for message in given.messages])
        guarded = await self._guards.screen(caller.agent_id, given.messages)
        if not any(one.message for one in guarded):
            return _counted(session_id, [_ignored(message) for message in given.messages])
        # Ids are assigned before the transaction: repeated after a lost answer, it finds its own messages.
        ids = [self._new_id() for _ in given.messages]
        incoming = [
            Incoming(
                one.message.message_id or id_,
                one.message.message_id is not None,
                one.fingerprints[0],
                frozenset(one.fingerprints[1:]),
                one.message.role,
            )
            for one, id_ in zip(guarded, ids, strict=True)
            if one.message
        ]

        def decide(stored: StoredTail) -> tuple[list[MessageRow], IngestReceipt]:
            known = reconcile(incoming, stored, refuse=given.on_changed == "refuse")
            held = iter(zip(incoming, known, strict=True))
            rows: list[MessageRow] = []
            receipts: list[MessageReceipt] = []
            fresh: list[Guarded] = []
            for sent, one, id_ in zip(given.messages, guarded, ids, strict=True):
                if one.message is None:
                    receipts.append(_ignored(sent))
                    continue
                message, found = next(held)
                if found is None or found.id == id_:
                    ordinal = found.ordinal if found else stored.next_ordinal + len(rows)
                    if found is None:
                        rows.append(_row(one, id_, ordinal, caller.agent_id, now))
                    receipts.append(_receipt(one.message.message_id or id_, id_, ordinal))
                    fresh.append(one)
                else:
                    receipts.append(_held(found, changed=not message.is_(found)))
            return rows, _counted(session_id, receipts, fresh)

        first = next((one.message.created_at for one in guarded if one.message and one.message.created_at), None)
        head, tail = wanted(incoming)
        batch = Appending(
            opening=OpeningSession(session_id=session_id, open_id=self._new_id(), started_at=first or now),
            message_ids=[message.message_id for message in incoming],
            head=head,
            tail=tail,
            decide=decide,
            event=self._event("session_opened", session_id, now),
            payloads={id_: one.payloads for one, id_ in zip(guarded, ids, strict=True) if one.payloads},
            chars=sum(map(size, given.messages)),
            session_tokens=given.session_tokens,
        )
        return await self._sessions.append(caller, batch)

    async def session(self, agent_id: str, session_id: str) -> Session:
        """Errors: NotFound."""
        found = await self._sessions.find(agent_id, session_id)
        if found is None:
            raise NotFound(f"There is no session {session_id!r}.")
        return found

    async def sessions(
        self,
        agent_id: str,
        project: str | None,
        source: str | None,
        limit: int,
        cursor: str | None,
        *,
        archived: bool = False,
    ) -> Page[Session]:
        """Sessions in use, or archived ones, newest first."""
        found = await self._sessions.page(agent_id, project, source, moment(cursor), limit + 1, archived=archived)
        last = found[limit - 1] if len(found) > limit else None
        return Page[Session](
            items=tuple(found[:limit]),
            next_cursor=encode_cursor(last.started_at.isoformat(), last.session_id) if last else None,
        )

    async def end(self, caller: Caller, session_id: str, given: EndSession) -> EndReceipt:
        """End the session and, if the gate lets it pass, queue its reading. Errors: NotFound; SessionStateless."""
        await self._guards.require_open(caller.agent_id, session_id)
        return await self._sessions.end(caller, session_id, self._ending(session_id, given.force), force=given.force)

    async def end_idle(self, agent_id: str, session_id: str) -> EndReceipt:
        """End a session that its client left open. Errors: NotFound."""
        ending = self._ending(session_id, force=False, actor="upkeep")
        return await self._sessions.end(Caller(agent_id), session_id, ending, force=False)

    async def end_result(self, agent_id: str, session_id: str) -> EndReceipt | None:
        return await self._sessions.end_result(agent_id, session_id)

    async def _as_it_is(self, agent_id: str, session_id: str, given: NewSession, now: datetime) -> OpenedSession:
        """A session for which nothing is written, as a client may use it."""
        found = await self._sessions.find(agent_id, session_id)
        if found is None:
            found = Session(
                session_id=session_id,
                project=given.project,
                source=given.source or "unknown",
                started_at=given.started_at or now,
                ended_at=None,
                messages=0,
                tokens=0,
                context_window=given.context_window,
                continues=given.continues,
                metadata=given.metadata,
            )
        return OpenedSession(**dict(found), created=False)

    def _ending(self, session_id: str, force: bool, actor: str = "api") -> Ending:
        now = self._clock()
        thresholds, calibration = self._gate.thresholds, self._gate.calibration
        return Ending(
            job_id=self._new_id(),
            decide=lambda figures: verdict(figures, thresholds, calibration, force=force),
            event=self._event("session_ended", session_id, now, actor),
            skipped=self._event("session_skipped", session_id, now, actor),
        )

    def _event(self, kind: str, session_id: str, now: datetime, actor: str = "api") -> EventRow:
        return EventRow(id=self._new_id(), kind=kind, subject_id=session_id, actor=actor, at=now)


def _row(guarded: Guarded, id_: str, ordinal: int, agent_id: str, now: datetime) -> MessageRow:
    message = guarded.message
    assert message is not None  # noqa: S101 - ignored messages are not converted
    text = message.content if isinstance(message.content, str) else parts_text(message.content)
    kind = _kind(message)
    searched = f"{text}\n{guarded.hidden_text}" if guarded.hidden_text else text
    kept = message.content if isinstance(message.content, str) else canonical_json(message.content)
    search_text = f"{message.name}: {searched}" if message.name else searched
    tool_calls = canonical_json(message.tool_calls) if message.tool_calls is not None else None
    return MessageRow(
        id=id_,
        message_id=message.message_id or id_,
        ordinal=ordinal,
        role=message.role,
        content=kept,
        content_kind=kind,
        name=message.name,
        tool_calls=tool_calls,
        tool_call_id=message.tool_call_id,
        metadata=canonical_json(message.metadata) if message.metadata is not None else None,
        sha256=sha256_hex(kept),
        fingerprint=guarded.fingerprints[0],
        content_chars=len(text),
        tokens=count_tokens(text),
        created_at=message.created_at or now,
        ingested_at=now,
        search_text=search_text,
        agent_key=agent_key(agent_id),
        grams=grams(spoken(search_text, tool_calls, kept if kind == "parts" else None)),
    )


def _kind(message: NewMessage) -> Literal["text", "parts", "null"]:
    if message.content is None:
        return "null"
    return "text" if isinstance(message.content, str) else "parts"


def _receipt(message_id: str, id_: str, ordinal: int) -> MessageReceipt:
    return MessageReceipt(id=id_, message_id=message_id, ordinal=ordinal, status="stored")


def _ignored(message: NewMessage) -> MessageReceipt:
    return MessageReceipt(id=None, message_id=message.message_id, ordinal=None, status="ignored")


def _counted(session_id: str, receipts: Sequence[MessageReceipt], fresh: Sequence[Guarded] = ()) -> IngestReceipt:
    """The receipt of a batch whose `fresh` messages were stored."""
    counts = Counter(receipt.status for receipt in receipts)
    return IngestReceipt(
        session_id=session_id,
        received=len(receipts),
        stored=counts["stored"],
        duplicates=counts["duplicate"],
        ignored=counts["ignored"],
        changed=counts["changed"],
        redactions=sum(one.redactions for one in fresh),
        externalized=sum(len(one.payloads) for one in fresh),
        messages=tuple(receipts),
        created=False,
    )


def _held(held: KnownMessage, *, changed: bool) -> MessageReceipt:
    status: Literal["changed", "duplicate"] = "changed" if changed else "duplicate"
    return MessageReceipt(id=held.id, message_id=held.message_id, ordinal=held.ordinal, status=status)
