"""Descriptions of things, without reading them whole."""

import asyncio
from typing import Any

from graphmem.errors import NotFound
from graphmem.model.conversation import Session
from graphmem.model.reading import Description, Kind, ReadBy, SessionDetail
from graphmem.model.stored import Described
from graphmem.rules.keeping.presets import suggested
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Descriptions, PayloadBytes, PayloadRecords, Sessions

PREVIEW_CHARS = 500
CHILDREN_SHOWN = 20
READ_BY: dict[Kind, tuple[str, str | None]] = {
    "session": ("GET /api/sessions/{id}/messages", "load_session"),
    "summary": ("POST /api/sessions/summaries/{id}/expand", "expand"),
    "message": ("GET /api/messages/{id}", "expand"),
    "payload": ("GET /api/payloads/{id}", "expand"),
    "entity": ("GET /api/graph/entities/{id}", "expand"),
    "aspect": ("GET /api/graph/entities/{entityId}", "expand"),
    "attribute": ("GET /api/memory/{id}", "expand"),
    "memory": ("GET /api/memory/{id}", "expand"),
    "dependency": ("GET /api/graph/entities/{sourceId}", "expand"),
    "supersession": ("GET /api/memory/supersessions", None),
}
"""The route and the tool that read the rest of each kind."""


class Describing:
    def __init__(
        self,
        descriptions: Descriptions,
        sessions: Sessions,
        guards: Guards,
        payloads: PayloadRecords,
        files: PayloadBytes,
    ) -> None:
        self._descriptions = descriptions
        self._sessions = sessions
        self._guards = guards
        self._payloads = payloads
        self._files = files

    async def find(self, agent_id: str, id_: str, kind: Kind | None = None) -> tuple[Kind, str]:
        """What an id refers to, and its own id: the store's ids first, then messages by the client's id, then the names
        of entities. Errors: NotFound."""
        found = await self._descriptions.find(agent_id, id_, kind)
        if found is None:
            raise NotFound(f"There is no {kind or 'thing'} with the id {id_!r}.")
        return found

    async def describe(self, agent_id: str, id_: str, kind: Kind | None = None) -> Description:
        """The first characters of anything that has an id, its properties, and counts of what is linked to it.

        Errors: NotFound; PayloadDamaged for a payload whose file is gone.
        """
        kind, own = await self.find(agent_id, id_, kind)
        found = await self._descriptions.describe(agent_id, kind, own, PREVIEW_CHARS, CHILDREN_SHOWN)
        if found is None:
            raise NotFound(f"There is no {kind} with the id {id_!r} any more.")
        preview, cut = await self._beginning(agent_id, kind, own, found)
        route, tool = READ_BY[kind]
        return Description(
            id=own,
            kind=kind,
            preview=preview,
            preview_truncated=cut,
            chars=found.chars,
            metadata=dict(found.metadata),
            counts=dict(found.counts),
            depths=dict(found.depths),
            children=found.children,
            child_count=found.child_count,
            read_by=ReadBy(route=route.format(id=own, **_ids(found.metadata)), tool=tool),
        )

    async def session(self, agent_id: str, session_id: str) -> SessionDetail:
        """A session with everything known about it. Errors: NotFound."""
        session = await self._sessions.find(agent_id, session_id)
        counted = await self._descriptions.figures(agent_id, session_id)
        if session is None or counted is None:
            raise NotFound(f"There is no session {session_id!r}.")
        figures, lineage = counted
        closed = await self._guards.closed(agent_id, session_id, session.source)
        analysed = figures.analysed > 0
        return SessionDetail(
            **dict(session),
            frontier=figures.frontier,
            rotated_at=figures.rotated_at,
            active_tokens=figures.active_tokens,
            pressure=_pressure(session, figures.active_tokens),
            compactions=figures.compactions,
            summaries=dict(figures.summaries),
            summary_tokens=figures.summary_tokens,
            roles=dict(figures.roles),
            payloads=figures.payloads,
            payload_bytes=figures.payload_bytes,
            memories=figures.memories,
            unread=figures.unread,
            parked=figures.parked,
            unembedded=figures.unembedded,
            last_message_at=figures.last_message_at,
            analysed=figures.analysed,
            shifts=figures.shifts if analysed else None,
            routine_turns=figures.routine_turns if analysed else None,
            mean_novelty=figures.mean_novelty,
            mean_importance=figures.mean_importance,
            ignored=closed is not None and closed.kind == "ignored",
            stateless=closed is not None and closed.kind == "stateless",
            closed_by=closed.pattern if closed else None,
            end=await self._sessions.end_result(agent_id, session_id),
            lineage=lineage,
            former_ids=figures.former_ids,
            starts_with=figures.starts_with,
            suggested_preset=suggested(session.context_window).name if session.context_window else None,
            token_counter=TOKEN_COUNTER,
        )

    async def _beginning(self, agent_id: str, kind: Kind, id_: str, found: Described) -> tuple[str, bool]:
        """The first characters, and whether there are more. A payload that is not text has none."""
        if kind != "payload":
            return found.preview, (found.chars or 0) > len(found.preview)
        record = await self._payloads.find(agent_id, id_)
        if record is None:
            raise NotFound(f"There is no payload {id_!r}.")
        head = await asyncio.to_thread(self._files.head, record.where, record.sha256, 4 * PREVIEW_CHARS)
        text = _as_text(head)[:PREVIEW_CHARS]
        return text, len(text.encode()) < record.bytes


def _pressure(session: Session, active_tokens: int) -> float | None:
    return active_tokens / session.context_window if session.context_window else None


def _as_text(head: bytes) -> str:
    """The beginning of a text; its last character may have been cut. Empty for what is not text."""
    for cut in range(4):
        try:
            return head[: len(head) - cut].decode()
        except UnicodeDecodeError:
            continue
    return ""


def _ids(metadata: Any) -> dict[str, str]:
    return {key: value for key, value in metadata.items() if key in ("entityId", "sourceId")}
