"""The guards: what of a request may be stored, for which session, and how often they acted."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from graphmem.errors import SessionStateless
from graphmem.model.change import PayloadRow
from graphmem.model.inputs import Correction, EntityChange, NewDependencies, NewEntity, NewMessage, NewSession, Remember
from graphmem.model.value import Value
from graphmem.rules.keeping.canonical import message_fingerprint
from graphmem.rules.language.keys import canonical_json, exact_fingerprint
from graphmem.rules.privacy.guards import Closed, GuardRules, Screened, screen, session_closed
from graphmem.rules.privacy.redaction import redact_text, redact_value
from graphmem.services.conversation.payloads import put
from graphmem.services.ports import PayloadBytes, Sessions

log = logging.getLogger(__name__)
AT_ONCE_CHARS = 20_000
"""Shorter batches are screened without a thread."""
COUNTED = ("ignored", "patternTimeouts", "redactions", "externalized", "payloadFailures")

Given = TypeVar("Given", bound=Value)
NamesGiven = TypeVar("NamesGiven", NewEntity, EntityChange)


@dataclass(frozen=True)
class Guarded:
    """A message to store, None for one that is ignored.

    `fingerprints` are those under which it may be stored: as it is stored now, with its payloads in it, and as it was
    sent, because the guards may have been different when it first came.
    """

    message: NewMessage | None
    fingerprints: tuple[str, ...] = ()
    payloads: tuple[PayloadRow, ...] = ()
    hidden_text: str = ""
    redactions: int = 0


class Guards:
    """Their actions since the start of the process are counted for each agent."""

    def __init__(self, rules: GuardRules, sessions: Sessions, payloads: PayloadBytes) -> None:
        self._rules = rules
        self._sessions = sessions
        self._payloads = payloads
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)

    async def closed(self, agent_id: str, session_id: str | None, source: str | None = None) -> Closed | None:
        """Why nothing is written for a session; its source is looked up where it is not given."""
        if not (self._rules.ignore_sessions or self._rules.stateless_sessions):
            return None
        if session_id is not None and source is None:
            if found := self.closed_by_name(session_id):
                return found
            session = await self._sessions.find(agent_id, session_id)
            source = session.source if session else "unknown"
        return session_closed(self._rules, session_id, source)

    def closed_by_name(self, session_id: str) -> Closed | None:
        """As `closed`, for any source of the session."""
        return session_closed(self._rules, session_id, None)

    async def require_open(self, agent_id: str, session_id: str | None, source: str | None = None) -> None:
        """Errors: SessionStateless names the pattern."""
        found = await self.closed(agent_id, session_id, source)
        if found:
            raise SessionStateless(
                f"{session_id or source!r} is {found.kind} by the pattern {found.pattern!r}: it is read, "
                "and nothing is written for it."
            )

    async def screen(self, agent_id: str, messages: Sequence[NewMessage]) -> list[Guarded]:
        """Each message as it may be stored; its payloads are on disk."""
        if sum(size(message) for message in messages) < AT_ONCE_CHARS and not self._rules.ignore_messages:
            screened = [screen(message, self._rules) for message in messages]
        else:
            screened = await asyncio.to_thread(lambda: [screen(message, self._rules) for message in messages])
        if any(one.payloads for one in screened):
            return await asyncio.to_thread(self._kept, agent_id, messages, screened)
        return self._kept(agent_id, messages, screened)

    def session(self, agent_id: str, given: NewSession) -> NewSession:
        """A session to be opened, without secrets."""
        return self._without_secrets(agent_id, given, ("project", "source"), ("metadata",))

    def remember(self, agent_id: str, given: Remember) -> Remember:
        """A statement to be kept, without secrets."""
        texts = ("content", "entity", "aspect", "claim_key", "project", "source")
        given = self._without_secrets(agent_id, given, texts)
        if given.claim is None or not self._rules.redact:
            return given
        claim = self._without_secrets(agent_id, given.claim, ("slot", "value"))
        scope = tuple(self.note(agent_id, one) or one for one in claim.scope)
        return given.model_copy(update={"claim": claim.model_copy(update={"scope": scope})})

    def correction(self, agent_id: str, given: Correction) -> Correction:
        """A correction, without secrets."""
        return self._without_secrets(agent_id, given, ("content", "reason"))

    def note(self, agent_id: str, words: str | None) -> str | None:
        """A person's note on something stored, without secrets."""
        if words is None or not self._rules.redact:
            return words
        clean, found = redact_text(words, self._rules.redact)
        self._counts[agent_id]["redactions"] += len(found)
        return clean

    def dependencies(self, agent_id: str, given: NewDependencies) -> NewDependencies:
        """Dependencies to be drawn, without secrets."""
        if not self._rules.redact:
            return given
        clean = [self._without_secrets(agent_id, one, ("source", "target", "reason")) for one in given.dependencies]
        return given.model_copy(update={"dependencies": tuple(clean)})

    def entity(self, agent_id: str, given: NamesGiven) -> NamesGiven:
        """An entity to be made or changed, without secrets."""
        clean = self._without_secrets(agent_id, given, ("name",) if isinstance(given, NewEntity) else ())
        if not clean.aliases:
            return clean
        return clean.model_copy(update={"aliases": tuple(self.note(agent_id, one) for one in clean.aliases)})

    def filters(self, agent_id: str) -> dict[str, Any]:
        """The patterns, and their effects since the start of this process."""
        counts = self._counts.get(agent_id, Counter())
        return {
            "ignoreSessions": list(self._rules.ignore_sessions),
            "statelessSessions": list(self._rules.stateless_sessions),
            "ignoreMessages": list(self._rules.ignore_messages),
            "redact": list(self._rules.redact),
            "payloadThresholdChars": self._rules.payload_threshold_chars,
            "sinceStart": {name: counts[name] for name in COUNTED},
        }

    def refused(self, agent_id: str, messages: int) -> None:
        """Count the messages of a session for which nothing is written."""
        self._counts[agent_id]["ignored"] += messages

    def _kept(self, agent_id: str, sent: Sequence[NewMessage], screened: Sequence[Screened]) -> list[Guarded]:
        return [self._keep(agent_id, message, one) for message, one in zip(sent, screened, strict=True)]

    def _keep(self, agent_id: str, sent: NewMessage, one: Screened) -> Guarded:
        counts = self._counts[agent_id]
        counts["patternTimeouts"] += one.timeouts
        if one.stored is None or one.inline is None:
            counts["ignored"] += 1
            return Guarded(None)
        counts["redactions"] += one.redactions
        forms = {id(form): form for form in (one.stored, one.inline, sent)}
        prints = tuple(found for form in forms.values() for found in fingerprints(form))
        try:
            rows = put(self._payloads, agent_id, one.payloads)
        except OSError as error:  # a full disk must not lose any text
            counts["payloadFailures"] += 1
            log.error("a payload cannot be written; the message keeps it", extra={"error": error.strerror})
            return Guarded(one.inline, (*fingerprints(one.inline), *prints), redactions=one.redactions)
        counts["externalized"] += len(rows)
        return Guarded(one.stored, prints, rows, one.hidden_text, one.redactions)

    def _without_secrets(self, agent_id: str, given: Given, texts: Sequence[str], values: Sequence[str] = ()) -> Given:
        """A copy whose named fields contain no secret: texts by their shape, values also by their names."""
        changes: dict[str, Any] = {}
        if not self._rules.redact:
            return given
        for name in (*texts, *values):
            value = getattr(given, name)
            if value is None:
                continue
            redact = redact_text if name in texts else redact_value
            changes[name], found = redact(value, self._rules.redact)
            self._counts[agent_id]["redactions"] += len(found)
        return given.model_copy(update=changes)


def fingerprints(message: NewMessage) -> tuple[str, str]:
    """That under which the message is stored now, and that under which version 0.1.0 stored it."""
    said = (message.role, message.name, message.content, message.tool_calls, message.tool_call_id)
    return message_fingerprint(*said), exact_fingerprint(*said)


def size(message: NewMessage) -> int:
    """The approximate number of characters of a message."""
    if isinstance(message.content, str) and not message.tool_calls and not message.metadata:
        return len(message.content)
    return len(canonical_json([message.content, message.tool_calls, message.metadata]))
