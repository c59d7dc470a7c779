"""Which messages of a batch are new, given what the session already holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import MessageChanged
from graphmem.model.stored import KnownMessage


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message of a batch. `brought`: the client gave its id; otherwise the id is ours. `also` are other fingerprints
    under which the same message may be stored."""

    message_id: str
    brought: bool
    fingerprint: str
    also: frozenset[str] = frozenset()

    def is_(self, held: KnownMessage) -> bool:
        """Whether it is stored already. An erased message has no fingerprint: whatever comes in its place is not stored
        again."""
        return held.fingerprint is None or held.fingerprint == self.fingerprint or held.fingerprint in self.also


def reconcile(
    batch: Sequence[Incoming], known: Mapping[str, KnownMessage], tail: Sequence[KnownMessage], stored: int
) -> list[KnownMessage | None]:
    """For each message of the batch the stored one in the session, or None for a new one.

    A message with an id is identified by it. Messages without an id are a replay only where the batch begins with the
    whole stored session, or where its first n ≥ 2 messages are the last n stored; a single message equal to the last
    one is new, because people repeat themselves. `tail` holds the last messages, oldest first, as many as `wanted_tail`
    says or all; `stored` counts them all.

    Errors: MessageChanged when an id comes back with other content.
    """
    answer: list[KnownMessage | None] = []
    replayed = _replayed(batch, tail, stored)
    for index, message in enumerate(batch):
        held = known.get(message.message_id)
        if held is None and index < len(replayed):
            held = replayed[index]
        if held is not None and not message.is_(held):
            raise MessageChanged(
                f"Message {message.message_id!r} is stored with other content. Messages are never rewritten: "
                "send the changed one under a messageId of its own."
            )
        answer.append(held)
    return answer


def wanted_tail(batch: Sequence[Incoming]) -> int:
    """How many of the session's last messages the batch has to be compared with."""
    return _unnamed(batch) if len(batch) > 1 else 0


def _unnamed(batch: Sequence[Incoming]) -> int:
    """How many messages at the beginning came without an id."""
    return next((index for index, message in enumerate(batch) if message.brought), len(batch))


def _replayed(batch: Sequence[Incoming], tail: Sequence[KnownMessage], stored: int) -> Sequence[KnownMessage]:
    """The stored messages that the beginning of the batch repeats."""
    unnamed = _unnamed(batch)
    if all(held.fingerprint is None for held in tail):
        return []
    if 0 < stored <= unnamed and len(batch) > 1 and len(tail) == stored and all(map(Incoming.is_, batch, tail)):
        return tail
    for length in range(min(unnamed, len(tail)), 1, -1):
        last = tail[-length:]
        if all(map(Incoming.is_, batch, last)) and any(held.fingerprint for held in last):
            return last
    return []
