"""The step that comes next in a conversation: what was asked for and not yet done, or else what somebody announced."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.rules.language.text import count_tokens
from graphmem.rules.reading.statements import noise
from graphmem.rules.summaries.recap_lines import Line
from graphmem.rules.summaries.recap_turns import Conversation
from graphmem.rules.turns.sentences import LINE_TOKENS, cue, cues_in, is_build, is_done
from graphmem.rules.turns.standing import Point

BACK = 8
"""Turns at the end in which the next step is looked for."""
SETTLES = 0.35
"""Least share of the words of what is open that something said later has which settles it."""
BRIEF = 10
"""Content words of an answer that can at most take note of a request."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The line of the next step, and the numbers of the points that it tells."""

    line: Line
    told: frozenset[int]


def next_step(talk: Conversation) -> Pending | None:
    """What comes next, from the last turn on backwards: a proposal that was taken, a request of the user that got no
    more than a note of it, or what somebody means to do. None where the end says nothing of the kind."""
    places = [place for place, told in enumerate(talk.sentences) if told][-BACK:]
    for at in range(len(places) - 1, -1, -1):
        found = _taken(talk, places, at) or _asked(talk, places, at) or _meant(talk, places, at)
        if found:
            return found
    last = [point for place in places[-1:] for point in talk.standing.at(place) if point.role == "user"]
    return _line("Said last", last)


def _is_asked(text: str) -> bool:
    """Whether a sentence wants something of the other side."""
    return "request" in cues_in(text) or is_build(text) or noise(text) in ("request", "question")


def _asked(talk: Conversation, places: Sequence[int], at: int) -> Pending | None:
    """What the user wants, where all that follows is brief and says of nothing that it is done; with the step that the
    answer announces. A question is answered by anything else that the other side says."""
    if talk.turns[places[at]].role != "user" or not all(_is_brief(talk, place) for place in places[at + 1 :]):
        return None
    after = [point for place in places[at + 1 :] for point in talk.standing.at(place)]
    if any(is_done(point.text) for point in after):
        return None
    steps = [point for point in after if _is_step(point)]
    answered = any(point.role == "assistant" and point not in steps for point in after)
    wants = [
        point
        for point in talk.standing.at(places[at])
        if not point.is_rule and (not answered if point.question else point.open or _is_asked(point.text))
    ]
    return _line("Asked last", [*wants, *steps]) if wants else None


def _meant(talk: Conversation, places: Sequence[int], at: int) -> Pending | None:
    """The last step that somebody means to do and nothing shows to be done, before what is only said to come at some
    time; with the request that it answers."""
    place, after = places[at], places[at + 1 :]
    steps = [point for point in talk.standing.at(place) if _is_step(point) and not _is_carried_out(talk, point, after)]
    steps = [point for point in steps if "intent" in point.cues] or steps
    if talk.turns[place].role != "assistant":
        return _line("Next", steps)
    answers = bool(steps) and at > 0 and _is_brief(talk, place)
    return (_asked(talk, places, at - 1) if answers else None) or _line("Announced last", steps[-1:])


def _is_carried_out(talk: Conversation, step: Point, after: Sequence[int]) -> bool:
    """Whether something that follows says that a step is done, or is what the assistant said it would do at once."""
    later = [point for place in after for point in talk.standing.at(place)]
    if any(is_done(point.text) and talk.standing.shared(step, point) >= SETTLES for point in later):
        return True
    same = (place for place in after if talk.turns[place].role == step.role == "assistant")
    return "ahead" not in step.cues and any(not _is_brief(talk, place) for place in same)


def _taken(talk: Conversation, places: Sequence[int], at: int) -> Pending | None:
    """A proposal of the assistant, told as a question, with the user's brief consent."""
    place = places[at]
    if not at or talk.turns[place].role != "user" or not _is_brief(talk, place):
        return None
    proposed = [point for point in talk.standing.at(places[at - 1]) if point.question and point.role == "assistant"]
    agrees = cue("accepted").match(talk.turns[place].text.lstrip(" \"'("))
    if not proposed or not agrees or not all(_is_brief(talk, later) for later in places[at + 1 :]):
        return None
    said = proposed[-1]
    text = f"Agreed last: “{said.text}” – {' '.join(talk.sentences[place])}"
    return Pending(Line(text, (said.place, place)), frozenset({said.number}))


def _is_brief(talk: Conversation, place: int) -> bool:
    return sum(len(point.words) for point in talk.standing.at(place)) <= BRIEF


def _is_step(point: Point) -> bool:
    ahead = bool(point.cues & {"intent", "ahead"})
    lasting = point.is_rule and "ahead" not in point.cues
    return ahead and not point.question and not lasting and not is_done(point.text)


def _line(said: str, points: Sequence[Point]) -> Pending | None:
    if not points:
        return None
    kept: list[Point] = []
    used = 0
    for point in points:
        used += count_tokens(point.text)
        if used <= LINE_TOKENS or not kept:
            kept.append(point)
    places = tuple(dict.fromkeys(point.place for point in kept))
    text = " ".join(point.text for point in kept)
    return Pending(Line(f"{said}: {text}", places), frozenset(point.number for point in kept))
