"""An agent's history: the events of a change, and the chain in which each event's hash covers the one before, so that
no change goes unnoticed."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.model.change import EventRow
from graphmem.rules.language.keys import canonical_json, derived_id, sha256_hex


@dataclass(frozen=True, slots=True)
class Line:
    """What happened to one thing; `before` and `after` are what changed."""

    kind: str
    subject_id: str
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    reason: str | None = None


def told(lines: Sequence[Line], actor: str, now: datetime, event_ids: Sequence[str]) -> list[EventRow]:
    """The lines as events of one moment. Those beyond the given ids have ids derived from the first, so that a repeated
    change is recorded once."""
    return [
        EventRow(
            id=event_ids[place] if place < len(event_ids) else derived_id(event_ids[0], str(place)),
            kind=line.kind,
            subject_id=line.subject_id,
            actor=actor,
            at=now,
            before=json.dumps(line.before) if line.before else None,
            after=json.dumps(line.after) if line.after else None,
            reason=line.reason,
        )
        for place, line in enumerate(lines)
    ]


def counted(after: Mapping[str, Any]) -> dict[str, int]:
    """The integers in an event, those of a part with its name and a dot; the level is not a count.

    >>> counted({"level": 2, "cut": {"entities": 3}, "significant": False})
    {'cut.entities': 3}
    """
    found: dict[str, int] = {}
    for name, value in after.items():
        if isinstance(value, Mapping):
            found |= {f"{name}.{part}": number for part, number in counted(value).items()}
        elif isinstance(value, int) and not isinstance(value, bool) and name != "level":
            found[name] = value
    return found


def chain(last_hash: str, events: Sequence[Mapping[str, object]]) -> list[tuple[str, str, str]]:
    """(id, previous hash, hash) of events in (at, id) order, continuing from `last_hash` ('' for the first)."""
    sealed: list[tuple[str, str, str]] = []
    for event in events:
        hashed = event_hash(last_hash, event)
        sealed.append((str(event["id"]), last_hash, hashed))
        last_hash = hashed
    return sealed


def event_hash(previous: str, event: Mapping[str, object]) -> str:
    body = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in event.items()}
    return sha256_hex(f"{previous}\n{canonical_json(body)}")


ERASED = "content_erased"
"""The kind of the event that tells of an erasure: its subject is the erasure, and `eventsSha256` names the events that
lost their words by it, `contentSha256` the messages, memories and facts that are gone by it."""


def ids_digest(ids: Iterable[str]) -> str:
    """The hash by which an event of an erasure names other events, or things."""
    return sha256_hex("\n".join(sorted(ids)))


class ChainCheck:
    """Follows a chain whose links come in any order: an event that commits late is chained after a later one."""

    def __init__(self) -> None:
        self._next: dict[bytes, bytes] = {}
        self._blank: set[str] = set()
        self._erasures: dict[str, str] = {}
        self.altered: list[str] = []

    def add(self, event: Mapping[str, object], previous: str, hashed: str) -> None:
        """Add a link; one whose hash does not match its content is `altered`, and so is one of two at the same
        place."""
        if event_hash(previous, event) != hashed or _key(previous) in self._next:
            self.altered.append(str(event["id"]))
            if event["before"] is None and event["after"] is None and event["reason"] is None:
                self._blank.add(str(event["id"]))
        else:
            self.note(event)
        self._next.setdefault(_key(previous), _key(hashed))

    def note(self, event: Mapping[str, object]) -> None:
        """Take in what an event, chained or about to be, tells of an erasure."""
        if event["kind"] == ERASED and event["after"]:
            self._erasures[str(event["subjectId"])] = json.loads(str(event["after"]))["eventsSha256"]

    def erased(self, erasures: Mapping[str, Collection[str]]) -> None:
        """Excuse the events that lost their words by erasures, each given with the ids of its events, where the history
        itself tells of exactly these."""
        named = [ids for id_, ids in erasures.items() if self._erasures.get(id_) == ids_digest(ids)]
        excused = self._blank & {id_ for ids in named for id_ in ids}
        self.altered = [id_ for id_ in self.altered if id_ not in excused]

    def whole(self, last_hash: str) -> bool:
        """Whether the links form a chain from the beginning to `last_hash`, and none is left over."""
        at, steps, met = _key(""), 0, not last_hash and not self._next
        while at in self._next and steps < len(self._next):
            at, steps = self._next[at], steps + 1
            met = met or at == _key(last_hash)
        return met and not self.altered and steps == len(self._next)


def _key(hashed: str) -> bytes:
    return bytes.fromhex(hashed) if len(hashed) == 64 else hashed.encode()
