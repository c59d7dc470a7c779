"""The step that comes next in a conversation: what was asked for and not yet done, or else what somebody announced."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.rules.language.text import fit_tokens
from graphmem.rules.reading.statements import noise
from graphmem.rules.summaries.recap_lines import Line
from graphmem.rules.summaries.recap_turns import Conversation
from graphmem.rules.turns.sentences import LINE_TOKENS, cue, cues_in, is_build, is_done
from graphmem.rules.turns.standing import Point

BACK = 6
"""Turns at the end in which the next step is looked for."""
BRIEF = 10
"""Content words of an answer that can at most take note of a request."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The line of the next step, and the numbers of the points that it tells."""

    line: Line
    told: frozenset[int]


def next_step(talk: Conversation) -> Pending | None:
    """What comes next, from the last turn on backwards: a request of the user that got no more than a note of it, what
    somebody means to do, or a proposal that was taken. None where the end says nothing of the kind."""
    places = talk.spoken_places[-BACK:]
    for at in range(len(places) - 1, -1, -1):
        found = _asked(talk, places, at) or _meant(talk, places, at) or _taken(talk, places, at)
        if found:
            return found
    last = [point for place in places[-1:] for point in _points(talk, place) if point.role == "user"]
    return _line("Said last", last)


def is_asked(text: str) -> bool:
    """Whether a sentence wants something of the other side."""
    return "request" in cues_in(text) or is_build(text) or noise(text) in ("request", "question")


def _points(talk: Conversation, place: int) -> list[Point]:
    return [point for point in talk.standing.points if point.place == place]


def _asked(talk: Conversation, places: Sequence[int], at: int) -> Pending | None:
    """What the user wants, where all that follows is brief; with the step that the answer announces."""
    if talk.turns[places[at]].role != "user" or not all(_is_brief(talk, place) for place in places[at + 1 :]):
        return None
    wants = [
        point
        for point in _points(talk, places[at])
        if not point.is_rule and (point.question or point.open or is_asked(point.text))
    ]
    steps = [point for place in places[at + 1 :] for point in _points(talk, place) if _is_step(point)]
    return _line("Asked last", [*wants, *steps]) if wants else None


def _meant(talk: Conversation, places: Sequence[int], at: int) -> Pending | None:
    """The last step that somebody means to do."""
    steps = [point for point in _points(talk, places[at]) if _is_step(point)]
    said = "Announced last" if talk.turns[places[at]].role == "assistant" else "Next"
    return _line(said, steps if said == "Next" else steps[-1:])


def _taken(talk: Conversation, places: Sequence[int], at: int) -> Pending | None:
    """A proposal of the assistant, told as a question, with the user's brief consent."""
    place = places[at]
    if not at or talk.turns[place].role != "user" or not _is_brief(talk, place):
        return None
    proposed = [point for point in _points(talk, places[at - 1]) if point.question and point.role == "assistant"]
    agrees = cue("accepted").match(talk.turns[place].text.lstrip(" \"'("))
    return _line("Agreed last", [proposed[-1], *_points(talk, place)]) if proposed and agrees else None


def _is_brief(talk: Conversation, place: int) -> bool:
    return sum(len(point.words) for point in _points(talk, place)) <= BRIEF


def _is_step(point: Point) -> bool:
    ahead = bool(point.cues & {"intent", "ahead"})
    return ahead and not point.question and not point.is_rule and not is_done(point.text)


def _line(said: str, points: Sequence[Point]) -> Pending | None:
    if not points:
        return None
    text = fit_tokens(" ".join(point.text for point in points), LINE_TOKENS)
    places = tuple(dict.fromkeys(point.place for point in points))
    return Pending(Line(f"{said}: {text}", places), frozenset(point.number for point in points))
