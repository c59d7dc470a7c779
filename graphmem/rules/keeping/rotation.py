"""Where the replay of a long session begins: at its fresh tail."""

from graphmem.model.care import Frontier, Rotation


def rotated(session_id: str, at: Frontier, fresh_tail: int) -> Rotation:
    """The frontier moved to the first of the last `fresh_tail` messages; it never moves back.

    *Source*: hermes-lcm, `rotate`; ours counts ordinals within the session.

    >>> from graphmem.model.care import Frontier
    >>> rotated("s", Frontier("unknown", 100, frontier=0, extracted_through=100, archived_at=None), 64).frontier
    36
    >>> rotated("s", Frontier("unknown", 10, frontier=0, extracted_through=10, archived_at=None), 64).reason
    'all of its messages belong to the fresh tail'
    """
    start = fresh_from(at.next_ordinal, fresh_tail)
    reason = None
    if at.archived_at is not None:
        reason = "it is archived"
    elif not at.next_ordinal:
        reason = "it has no messages"
    elif not start:
        reason = "all of its messages belong to the fresh tail"
    elif start <= at.frontier:
        reason = "its frontier is there already, or beyond"
    frontier = at.frontier if reason else start
    return Rotation(session_id, at.frontier, frontier, at.next_ordinal, reason=reason)


def fresh_from(next_ordinal: int, fresh_tail: int) -> int:
    """The ordinal of the first message of the fresh tail.

    >>> fresh_from(100, 64), fresh_from(10, 64)
    (36, 0)
    """
    return max(0, next_ordinal - fresh_tail)
