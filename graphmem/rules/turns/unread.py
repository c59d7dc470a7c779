"""Messages that wait for analysis, weighed by their words alone, for callers that cannot wait."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.compaction import BacklogMessage
from graphmem.model.turns import EarlierTurn, TurnSettings, WaitingTurn
from graphmem.rules.turns.analysis import Past, analyse, as_earlier
from graphmem.rules.turns.cues import turned

UNKNOWN = (0.0,) * 7
"""Placeholder for the overlays of an analysed turn: without vectors no turn inherits any."""


def weighed(
    backlog: Sequence[BacklogMessage], before: Sequence[BacklogMessage], settings: TurnSettings
) -> list[BacklogMessage]:
    """The backlog with the importance of every message and whether it is a shift; `before` are the messages it follows.
    Results of analysis are kept; the rest is computed as without an embedder, except that a shift must be announced: by
    words alone too much counts as new (of the labelled turns not used for measuring, 81 wrong and 20 right shifts,
    instead of 3 and 16).
    """
    past = Past(settings.novelty_window)
    found = []
    for message in (*before, *backlog):
        name = str(message.ordinal)
        if message.importance is None:
            turn = WaitingTurn(name, name, message.ordinal, message.role, message.text, message.tool_calls, None)
            one = analyse(turn, past, None, settings, None)
            past.add(as_earlier(turn, one))
            shift = one.shift and turned(message.text) is not None
            message = replace(message, shift=shift, importance=one.importance)
        else:
            past.add(EarlierTurn(name, name, message.ordinal, UNKNOWN, message.importance, None, message.text))
        found.append(message)
    return found[len(before) :]
