"""The recap of a chat: what was new in it, and its topics, overlay by overlay."""

from collections.abc import Sequence

from graphmem.model.turns import OVERLAY_NAMES, OVERLAYS
from graphmem.rules.summaries.recap_lines import Line, Section
from graphmem.rules.summaries.recap_quest import last_turns, open_questions
from graphmem.rules.summaries.recap_turns import Conversation, current_facts, telling

HIGH = 6.0
"""Least score of a turn to be listed under an overlay."""
OF_OVERLAY = 5
BREAKTHROUGH = 8
BREAKTHROUGHS = 5


def chat_sections(talk: Conversation) -> list[Section]:
    """The sections of a chat in reading order; empty ones have no lines."""
    shown: set[int] = set()
    first = _breakthroughs(talk, shown)
    overlays = [(number, _about(talk, number, shown)) for number in range(len(OVERLAYS))]
    return [
        Section("Key breakthroughs", 0, tuple(first), least=BREAKTHROUGHS),
        *(
            Section(f"{OVERLAYS[number]} {OVERLAY_NAMES[OVERLAYS[number]]}", 2, tuple(lines), least=1)
            for number, lines in overlays
        ),
        *_nothing_on(talk, [number for number, lines in overlays if not lines]),
        Section("Facts that hold", 3, tuple(current_facts(talk)), least=3, most=30, in_time=True),
        Section("What else was said", 5, tuple(telling(talk)), in_time=True),
        Section("Open questions", 4, tuple(open_questions(talk)), least=1, most=4),
        Section("Last turns", 1, tuple(last_turns(talk)), least=3, in_time=True),
    ]


def _breakthroughs(talk: Conversation, shown: set[int]) -> list[Line]:
    places = [place for place, turn in enumerate(talk.turns) if turn.shift or (turn.importance or 0) >= BREAKTHROUGH]
    return _told(talk, places[::-1], BREAKTHROUGHS, shown)


def _about(talk: Conversation, number: int, shown: set[int]) -> list[Line]:
    scored = [
        (turn.scores[number], place)
        for place, turn in enumerate(talk.turns)
        if turn.scores is not None and turn.scores[number] >= HIGH and place not in shown
    ]
    return _told(talk, [place for _, place in sorted(scored, key=lambda one: (-one[0], one[1]))], OF_OVERLAY, shown)


def _told(talk: Conversation, places: Sequence[int], most: int, shown: set[int]) -> list[Line]:
    """The best sentences of these turns; each turn appears once in all sections."""
    lines: list[Line] = []
    for place in places:
        best = talk.best(place)
        if best and len(lines) < most:
            lines.append(Line(best, (place,)))
            shown.add(place)
    return lines


def _nothing_on(talk: Conversation, empty: Sequence[int]) -> list[Section]:
    """The overlays without content, in one line, which cites the last turn that was read."""
    analysed = [place for place, turn in enumerate(talk.turns) if turn.scores is not None]
    if not empty or not analysed:
        return []
    names = ", ".join(OVERLAY_NAMES[OVERLAYS[number]] for number in empty)
    return [Section("Nothing stands out", 6, (Line(f"on {names}", (analysed[-1],)),), least=1)]
