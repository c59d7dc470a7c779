"""Which turns a token budget keeps whole, as a summary, as a short note, or not at all.

Nothing is removed from the store: what is left out here is only missing from the recap.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SUMMARIZED_PERCENT = 30
COMPRESSED_PERCENT = 10


@dataclass(frozen=True, slots=True)
class Weighed:
    """A turn with its length in tokens."""

    id: str
    tokens: int
    importance: float
    paradigm_shift: bool = False


@dataclass(frozen=True, slots=True)
class Compression:
    """The ids of turns by class, the most important first, and the used tokens."""

    preserved: tuple[str, ...]
    summarized: tuple[str, ...]
    compressed: tuple[str, ...]
    left: tuple[str, ...]
    used: int


def compress(turns: Sequence[Weighed], budget: int, *, preserve: int, routine: int) -> Compression:
    """The class of each turn. The most important ones come first, the earlier among equals.

    From an importance of `preserve` on a turn is preserved, as a paradigm shift is; below `routine` it is routine.

    A preserved turn costs all its tokens, regardless of the budget. Others get the largest share that fits: 30 % of
    their tokens for a summary, which routine turns never get, else 10 %, else nothing.

    Source: cogx sigma/compressor.ts, with the same middle class; there every kept turn is included whole.

    >>> turns = [Weighed("a", 100, 9), Weighed("b", 100, 5), Weighed("c", 100, 4), Weighed("d", 100, 1)]
    >>> compress(turns, 145, preserve=7, routine=3)
    Compression(preserved=('a',), summarized=('b',), compressed=('c',), left=('d',), used=140)
    """
    kept: dict[str, list[str]] = {"preserved": [], "summarized": [], "compressed": [], "left": []}
    used = 0
    for turn in sorted(turns, key=lambda turn: -turn.importance):
        name, cost = _fate(turn, budget - used, preserve, routine)
        kept[name].append(turn.id)
        used += cost
    return Compression(**{name: tuple(ids) for name, ids in kept.items()}, used=used)


def _fate(turn: Weighed, free: int, preserve: int, routine: int) -> tuple[str, int]:
    if turn.paradigm_shift or turn.importance >= preserve:
        return "preserved", turn.tokens
    shares = [("compressed", COMPRESSED_PERCENT)]
    if turn.importance >= routine:
        shares.insert(0, ("summarized", SUMMARIZED_PERCENT))
    for name, percent in shares:
        cost = -(-turn.tokens * percent // 100)  # rounded up
        if cost <= free:
            return name, cost
    return "left", 0
