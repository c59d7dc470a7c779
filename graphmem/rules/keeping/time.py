"""When: the two times that a read of knowledge is about."""

from datetime import datetime

from graphmem.model.stored import Moment


def moment(as_of: datetime | None, known_at: datetime | None, now: datetime) -> Moment:
    """What held at `as_of`, as the store knew at `known_at`; each is now where it is left out."""
    return Moment(as_of or now, known_at or now, is_now=as_of is None and known_at is None)
