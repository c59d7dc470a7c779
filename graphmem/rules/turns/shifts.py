"""Paradigm shifts: changes of direction that somebody who returns must know."""

from graphmem.rules.turns.cues import turned
from graphmem.rules.turns.importance import is_shift

SAID_LESS = 0.2
"""How much less novelty a turn needs that announces a change of direction."""
SAID_IMPORTANCE = 5
LEARNT_LESS = 0.4
"""How much less novelty a turn needs that is a shift according to the trained probe."""


def learnt_shifts(probed: bool, role: str, novelty: float, threshold: float) -> bool:
    """Whether a turn is a paradigm shift by the probe: a user's turn, with some novelty.

    >>> learnt_shifts(True, "user", 0.4, 0.7), learnt_shifts(True, "user", 0.2, 0.7)
    (True, False)
    """
    return probed and role == "user" and novelty >= threshold - LEARNT_LESS


def shifts(text: str, role: str, novelty: float, importance: int, content_words: int, threshold: float) -> bool:
    """Whether a turn is a paradigm shift where there is no probe: a user's turn that announces it and is fairly new, or
    one that is new and important enough without an announcement.

    *Source*: novelty of at least the threshold, an importance of 7 and eight content words are the seed's rule
    (`is_shift`). Alone it was right in four of 88 turns, since the next answer is new as well: so only the user shifts,
    and without an announcement the novelty must be halfway between the threshold and completely new.

    >>> shifts("Change of plans: no database at all.", "user", 0.6, 8, 4, 0.7)
    True
    >>> shifts("The database has a table for harbours.", "user", 0.75, 8, 9, 0.7)
    False
    """
    if role != "user":
        return False
    if turned(text) and novelty >= threshold - SAID_LESS and importance >= SAID_IMPORTANCE:
        return True
    return is_shift(novelty, importance, content_words, (1 + threshold) / 2)
