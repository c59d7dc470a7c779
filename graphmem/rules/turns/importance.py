"""The importance of a turn, by its novelty and overlays; and its class in a recap."""

from math import floor

from graphmem.model.printed import ToolReading
from graphmem.model.turns import Formula, Scores, TurnClass

WORTH_KEEPING = 0.2
"""Least worth of a turn that is preserved. *Source*: eight labelled stories: it keeps about a quarter of their tokens
and nine in ten turns with a decision or rule that readers want."""
SHIFT_IMPORTANCE = 7
SHIFT_WORDS = 8
"""Least content words of a paradigm shift: a short turn is new, but says nothing."""


def importance_of(novelty: float, scores: Scores, formula: Formula = "balanced") -> int:
    """The importance of a turn, 1 to 10, rounded half up.

    Source: `balanced` is cogx sigma/analyzer-with-embeddings.ts, min(10, round(5·novelty + 0.5·max overlay)), with a
    lower bound of ours; `additive` is the seed's 10·novelty + mean of the three highest, by which nearly everything is
    important.

    >>> importance_of(0.5, (5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)), importance_of(0.5, (9.0, 6, 0, 0, 0, 0, 0), "additive")
    (5, 10)
    """
    balanced, additive = 5 * novelty + 0.5 * max(scores), 10 * novelty + sum(sorted(scores)[-3:]) / 3
    exact = balanced if formula == "balanced" else additive
    return min(max(floor(round(exact, 9) + 0.5), 1), 10)  # without the first rounding 5.4999999999 is 5


def of_words(importance: int, worth: float, preserve: int) -> int:
    """The importance of what somebody said: what a reader would miss is preserved, such as decisions and rules, and
    nothing else is, however new it sounds.

    >>> of_words(4, 0.3, 7), of_words(9, 0.1, 7), of_words(3, 0.1, 7)
    (7, 6, 3)
    """
    return max(importance, preserve) if worth >= WORTH_KEEPING else min(importance, max(preserve - 1, 1))


def of_result(importance: int, reading: ToolReading, preserve: int, routine: int) -> int:
    """The importance of a tool result: what only acknowledges is routine, and only what failed may be preserved.

    >>> [of_result(9, ToolReading("tests", verdict), 7, 3) for verdict in ("failed", "passed")]
    [9, 6]
    >>> of_result(8, ToolReading("done", "passed", routine=True), 7, 3)
    2
    """
    if reading.routine:
        return min(importance, max(routine - 1, 1))
    return importance if reading.verdict == "failed" else min(importance, max(preserve - 1, 1))


def is_shift(novelty: float, importance: int, content_words: int, threshold: float) -> bool:
    """Whether a turn changes the direction of the conversation: a paradigm shift."""
    return novelty >= threshold and importance >= SHIFT_IMPORTANCE and content_words >= SHIFT_WORDS


def class_of(importance: int, preserve: int, routine: int, *, shift: bool = False) -> TurnClass:
    """What a recap keeps of a turn: all of it, some of it, hardly anything.

    >>> [class_of(importance, 7, 3) for importance in (7, 6, 3, 2)], class_of(5, 7, 3, shift=True)
    (['preserved', 'summarized', 'summarized', 'compressed'], 'preserved')
    """
    if shift or importance >= preserve:
        return "preserved"
    return "summarized" if importance >= routine else "compressed"
