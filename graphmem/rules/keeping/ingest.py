"""Which messages of a batch are new, given what the session already holds."""

from collections.abc import Sequence

from graphmem.errors import MessageChanged
from graphmem.model.stored import KnownMessage, StoredTail
from graphmem.rules.keeping.replay import Incoming, replayed

NAMED = 5
"""Most changed messages that an error names."""


def reconcile(batch: Sequence[Incoming], stored: StoredTail, *, refuse: bool = True) -> list[KnownMessage | None]:
    """For each message of the batch the stored one in the session, or None for a new one.

    A message with an id is identified by it; messages without an id are compared as a list (`replay`).

    Errors: MessageChanged names the ids that come back with other content, unless they are not to `refuse` the batch.
    """
    known = replayed(batch, stored)
    known += [None] * (len(batch) - len(known))
    answer = [stored.known.get(message.message_id) or held for message, held in zip(batch, known, strict=True)]
    changed = [
        message.message_id for message, held in zip(batch, answer, strict=True) if held and not message.is_(held)
    ]
    if changed and refuse:
        named = ", ".join(map(repr, changed[:NAMED]))
        more = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
        raise MessageChanged(
            f"{'Message' if len(changed) == 1 else 'Messages'} {named}{more}: stored with other content, and messages "
            "are never rewritten. Send what changed under a messageId of its own, or onChanged 'skip' to have the rest "
            "stored."
        )
    return answer
