"""The chain of an agent's history: each event's hash covers the one before, so that nothing can be changed unseen."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.rules.identity import canonical_json, sha256_hex


def chain(last_hash: str, events: Sequence[Mapping[str, object]]) -> list[tuple[str, str, str]]:
    """(id, previous hash, hash) of events in (at, id) order, going on from `last_hash` ('' for the first)."""
    sealed: list[tuple[str, str, str]] = []
    for event in events:
        body = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in event.items()}
        hashed = sha256_hex(f"{last_hash}\n{canonical_json(body)}")
        sealed.append((str(event["id"]), last_hash, hashed))
        last_hash = hashed
    return sealed
