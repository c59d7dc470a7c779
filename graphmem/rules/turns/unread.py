"""Messages that wait for their analysis, weighed by their words alone, for somebody who cannot wait for it."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.compaction import BacklogMessage
from graphmem.model.turns import EarlierTurn, TurnSettings, WaitingTurn
from graphmem.rules.turns.analysis import Past, analyse, as_earlier
from graphmem.rules.turns.cues import turned

UNKNOWN = (0.0,) * 7
"""Stands for the overlays of an analysed turn: without vectors no turn inherits any."""


def weighed(
    backlog: Sequence[BacklogMessage], before: Sequence[BacklogMessage], settings: TurnSettings
) -> list[BacklogMessage]:
    """The backlog, in which every message has its importance and says whether it is a shift; `before` are the messages
    it follows. What analysis found stands; the rest is what it finds where there is no embedder, but that a shift has
    to say that it is one: words alone call much new that is not (of the labelled turns that nobody measures by, 81 that
    are none and 20 that are, instead of 3 and 16).
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
