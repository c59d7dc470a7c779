"""The two times of a read of knowledge."""

from datetime import datetime

from graphmem.model.stored import Moment


def moment(as_of: datetime | None, known_at: datetime | None, now: datetime) -> Moment:
    """What was valid at `as_of`, as the store knew at `known_at`; each defaults to now."""
    return Moment(as_of or now, known_at or now, is_now=as_of is None and known_at is None)
