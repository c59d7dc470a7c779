"""Which messages without an id a client sends again: lists are compared, not single messages.

People repeat themselves, so equal words alone prove nothing, and what is doubtful is stored: better twice than not at
all. Of a batch of several messages without ids these are known:

1. its beginning, where that is the whole session, or where n ≥ 2 messages are the last n of the session;
2. its beginning, as far as the session began with the same, as in an old list: three different messages or more, or
   any number that begins with a system message, because nobody says that twice;
3. where the last n ≥ 2 messages of the session stand further on in the batch, as in a list that its host compacted:
   these, and of what stands before them all that the session holds. Three of the n must be different; where the batch
   begins as the session did, three of all that are known, or any number behind a system message.

Of several readings the one that knows most messages counts. What stands behind the known ones is new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from graphmem.model.stored import KnownMessage, StoredTail

FEWEST = 2
"""Messages at the end of a session that show a list to be one that was sent before."""
TELLING = 3
"""Different messages of any other stretch of a session that show the same."""
LOOKED_AT = 64
"""Messages at the end of a session that are compared beside twice as many as the batch has: a host's own notes may
stand between them."""

Known = list[KnownMessage | None]
"""For each message of the beginning of a batch the stored one, or None for a new one."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message of a batch. `brought`: the client gave its id; otherwise the id is ours. `also` are other fingerprints
    under which the same message may be stored."""

    message_id: str
    brought: bool
    fingerprint: str
    also: frozenset[str] = frozenset()
    role: str = "user"

    @property
    def fingerprints(self) -> frozenset[str]:
        return self.also | {self.fingerprint}

    def is_(self, held: KnownMessage) -> bool:
        """Whether it is stored already. An erased message has no fingerprint: whatever comes in its place is not stored
        again."""
        return held.fingerprint is None or held.fingerprint == self.fingerprint or held.fingerprint in self.also


def unnamed(batch: Sequence[Incoming]) -> int:
    """How many messages at the beginning of a batch may be a replay: those without an id, unless one comes alone."""
    if len(batch) < FEWEST:
        return 0
    return next((index for index, message in enumerate(batch) if message.brought), len(batch))


def wanted(batch: Sequence[Incoming]) -> tuple[int, int]:
    """With how many of the first and of the last messages of the session the batch has to be compared."""
    count = unnamed(batch)
    return count, count if count < TELLING else 2 * count + LOOKED_AT


def replayed(batch: Sequence[Incoming], stored: StoredTail) -> Known:
    """The stored messages that messages of a batch's beginning repeat; [] for none. The list ends with the last one."""
    sent = batch[: unnamed(batch)]
    tail = stored.tail
    first = tail[0].ordinal if tail else stored.next_ordinal
    seen = [*(held for held in stored.head if held.ordinal < first), *tail]
    if not sent or not any(held.fingerprint for held in seen):
        return []
    if len(seen) == stored.next_ordinal <= len(sent) and all(map(Incoming.is_, sent, seen)):
        return list(seen)
    return max(_at_the_end(sent, tail), _at_the_beginning(sent, seen), _anchored(sent, seen), key=_known)


def _at_the_end(sent: Sequence[Incoming], tail: Sequence[KnownMessage]) -> Known:
    for length in range(min(len(sent), len(tail)), FEWEST - 1, -1):
        last = tail[-length:]
        if _different(last) and all(map(Incoming.is_, sent, last)):
            return list(last)
    return []


def _at_the_beginning(sent: Sequence[Incoming], seen: Sequence[KnownMessage]) -> Known:
    places = zip(sent, seen, range(len(sent)), strict=False)
    known: Known = [held for _, held, _ in takewhile(lambda at: at[1].ordinal == at[2] and at[0].is_(at[1]), places)]
    told = _as_it_began(sent, seen) and sent[0].role == "system"
    return known if told or _different(known) >= TELLING else []


def _anchored(sent: Sequence[Incoming], seen: Sequence[KnownMessage]) -> Known:
    """The reading that knows most of those in which the session ends somewhere in the batch; of equal ones that with
    most behind it."""
    earliest: dict[str, int] = {}
    for index, message in enumerate(sent):
        for print_ in message.fingerprints:
            earliest.setdefault(print_, index)
    began = _as_it_began(sent, seen)
    fewest = FEWEST if began else TELLING
    best: Known = []
    for end in range(len(sent) - 1, FEWEST - 1, -1):
        if end + 1 < _known(best):
            break
        known = _run_up_to(end, sent, seen, earliest)
        if _different(known) >= fewest:
            _know_the_rest(sent, seen, known)
            told = _different(known) >= TELLING or (began and sent[0].role == "system")
            best = known if told and _known(known) >= _known(best) else best
    return best


def _run_up_to(end: int, sent: Sequence[Incoming], seen: Sequence[KnownMessage], earliest: Mapping[str, int]) -> Known:
    """What is known up to a place in the batch if the session ends there.

    Of the messages at the session's end those are passed over that stand earlier in the batch: a host puts its notes
    first, and they were stored behind what was said before. `earliest`: where each fingerprint first stands.
    """
    known: Known = [None] * (end + 1)
    at = end
    for held in reversed(seen):
        if at >= 0 and sent[at].is_(held):
            known[at] = held
            at -= 1
        elif at == end or earliest.get(held.fingerprint or "", at) >= at:
            break
    return known


def _know_the_rest(sent: Sequence[Incoming], seen: Sequence[KnownMessage], known: Known) -> None:
    """Find the messages before the known ones wherever the session holds them, each once."""
    used = {held.ordinal for held in known if held}
    left: dict[str, list[KnownMessage]] = {}
    for held in reversed(seen):
        if held.ordinal not in used and held.fingerprint is not None:
            left.setdefault(held.fingerprint, []).append(held)
    for index, message in enumerate(sent[: len(known)]):
        if known[index] is None:
            found = next((left[print_] for print_ in message.fingerprints if left.get(print_)), None)
            known[index] = found.pop() if found else None


def _as_it_began(sent: Sequence[Incoming], seen: Sequence[KnownMessage]) -> bool:
    """Whether the batch begins with the message that the session begins with."""
    return seen[0].ordinal == 0 and seen[0].fingerprint is not None and sent[0].is_(seen[0])


def _known(known: Known) -> int:
    return sum(held is not None for held in known)


def _different(known: Sequence[KnownMessage | None]) -> int:
    return len({held.fingerprint for held in known if held} - {None})
