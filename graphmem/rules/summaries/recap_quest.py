"""The recap of a quest: what is being built, its progress, and the decisions made."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from graphmem.rules.language.text import content_words, fit_tokens
from graphmem.rules.summaries.directives import as_told
from graphmem.rules.summaries.recap_lines import Line, Section
from graphmem.rules.summaries.recap_turns import Conversation, current_facts, decisions, line_of, telling
from graphmem.rules.turns.mode import files_in
from graphmem.rules.turns.sentences import (
    LINE_TOKENS,
    Sentence,
    is_build,
    is_courtesy,
    is_done,
    is_goal,
    is_intent,
    is_named_goal,
    is_open,
    is_question,
    names_in,
    weight,
)

LAST_TURNS = 5
RECENT = 10
"""The last turns, which show the current work."""
JUDGING = frozenset({"tests", "build", "trace"})
"""Kinds of tool results that tell whether the work is right."""
DONE_TURNS = 3
"""More recent turns than this must say so before a quest is complete."""
STRUCTURAL = 7.0
"""Least score on O1 of a turn for the mental map."""
_EDITS = ("write", "edit", "patch", "create", "replace", "append", "insert")


def quest_sections(talk: Conversation) -> list[Section]:
    """The sections of a quest in reading order; empty ones have no lines."""
    pending = pending_task(talk)
    settled = decisions(talk)
    return [
        Section("Current quest", 0, tuple(_quest(talk, bool(pending))), least=4),
        Section("Pending task", 1, tuple(pending), least=1),
        Section("Mental map", 7, tuple(mental_map(talk)), least=2, most=8),
        Section("Decisions still valid", 2, tuple(settled), least=5, most=30, in_time=True),
        Section("Last results", 3, tuple(last_results(talk)), least=3, most=9),
        Section("Turning points", 3, tuple(turning_points(talk)), least=2, most=8),
        Section("Open questions", 4, tuple(open_questions(talk)), least=2, most=6),
        Section("Files touched", 5, tuple(files_touched(talk)), least=2, most=6),
        Section("Facts that hold", 9, tuple(current_facts(talk)), most=30, in_time=True),
        Section("What else was said", 10, tuple(telling(talk)), in_time=True),
        Section("Last turns", 6, tuple(last_turns(talk)), least=3, most=LAST_TURNS, in_time=True),
        Section("To ask with recall", 8, tuple(questions(talk, settled)), least=3, most=3),
    ]


def _quest(talk: Conversation, pending: bool) -> Iterator[Line]:
    asked = [one for one in talk.sentences if talk.turns[one.place].role == "user" and not is_courtesy(one.text)]
    goals = [one for one in asked if is_goal(one.text)] or asked[:1]
    named = [one for one in goals if is_named_goal(one.text)]
    for goal in dict.fromkeys([*named[:1], *goals[:1]]):
        yield Line(f"Goal: {goal.text}", (goal.place,))
    shifts = [one for one in asked if talk.turns[one.place].shift and weight(one.text) > 0]
    begun = [one for one in (shifts or asked[1:]) if is_build(one.text)] or shifts
    if begun:
        last = max(begun, key=lambda one: (one.place, weight(one.text)))
        yield Line(f"Now: {last.text}", (last.place,))
    yield from _status(talk, pending)


def _status(talk: Conversation, pending: bool) -> Iterator[Line]:
    recent = range(max(0, len(talk.turns) - RECENT), len(talk.turns))
    done = [(one.place, one.text) for one in talk.sentences if one.place in recent and is_done(one.text)]
    judged = [(place, reading) for place, reading in talk.results.items() if place in recent and reading.verdict]
    if judged and judged[-1][1].verdict == "failed":
        place, reading = judged[-1]
        yield Line(f"Status: in progress; {as_told(reading.lines[0])}", (place,))
        return
    done = sorted(
        [*done, *((place, as_told(reading.lines[0])) for place, reading in judged if reading.verdict == "passed")]
    )
    complete = len({place for place, _ in done}) > DONE_TURNS and not pending
    if done:
        place, text = done[-1]
        yield Line(f"Status: {'complete' if complete else 'in progress'}; last done: {text}", (place,))
    elif talk.spoken_places:
        yield Line("Status: in progress; nothing of the last turns says that it is done", (talk.spoken_places[-1],))


def last_results(talk: Conversation) -> list[Line]:
    """What the newest test run, build and trace say, each result with its failures; the newest first."""
    newest = {
        reading.kind: place for place, reading in talk.results.items() if reading.verdict and reading.kind in JUDGING
    }
    return [
        Line(told, (place,))
        for place in sorted(newest.values(), reverse=True)
        for line in talk.results[place].lines
        if (told := as_told(line))
    ]


def pending_task(talk: Conversation) -> list[Line]:
    """The next step, if any: what the assistant last announced, or was last asked to do."""
    if not talk.spoken_places:
        return []
    place = talk.spoken_places[-1]
    spoken = [text for text in talk.of(place) if not is_courtesy(text)]
    if talk.turns[place].role == "user":
        asked = [text for text in spoken if is_question(text) or is_open(text)] or spoken
        return [Line(f"Asked last: {fit_tokens(' '.join(asked), LINE_TOKENS)}", (place,))]
    meant = [text for text in spoken if is_intent(text) and not is_done(text)]
    return [Line(f"Announced last: {meant[-1]}", (place,))] if meant else []


def turning_points(talk: Conversation) -> list[Line]:
    """The paradigm shifts, the newest first, each by its most informative sentence."""
    found = []
    for place in reversed(range(len(talk.turns))):
        best = talk.best(place) if talk.turns[place].shift else None
        if best:
            found.append(Line(best, (place,)))
    return found


def open_questions(talk: Conversation) -> list[Line]:
    """What is marked as open, and unanswered questions of the last turns, the newest first."""
    said_open = (one for one in talk.sentences if is_open(one.text) and not is_done(one.text))
    found = [one for one in said_open if not _settled_later(talk, one)]
    places = talk.spoken_places
    for place in places[-1:]:
        found.extend(Sentence(text, place) for text in talk.of(place) if is_question(text))
    return [line_of(one) for one in sorted(found, key=lambda one: -one.place)]


def _settled_later(talk: Conversation, one: Sentence) -> bool:
    """Whether a later turn resolves what a sentence leaves open."""
    words = set(content_words(one.text))
    later = (other for other in talk.sentences if other.place > one.place and is_done(other.text))
    return any(len(words & set(content_words(other.text))) >= 2 for other in later)


def mental_map(talk: Conversation) -> list[Line]:
    """The parts of the work, each with its state and the last statement about it."""
    of_name: dict[str, list[Sentence]] = defaultdict(list)
    for one in talk.sentences:
        for name in names_in(one.text):
            of_name[name].append(one)
    structural = {
        place for place, turn in enumerate(talk.turns) if turn.scores is not None and turn.scores[0] >= STRUCTURAL
    }
    drawn = {name: found for name, found in of_name.items() if any(one.place in structural for one in found)}
    parts = drawn or of_name

    def matter(name: str) -> tuple[float, int]:
        found = parts[name]
        return max(talk.rank(one) for one in found) + 0.1 * len({one.place for one in found}), found[-1].place

    return [_part(talk, name, parts[name]) for name in sorted(parts, key=matter, reverse=True)]


def _part(talk: Conversation, name: str, found: Sequence[Sentence]) -> Line:
    last = max(found, key=lambda one: (one.place, weight(one.text)))
    if is_open(last.text):
        state = "pending"
    elif is_done(last.text) or last.place < len(talk.turns) - 2 * RECENT:
        state = "complete"
    else:
        state = "in progress"
    told = max(found, key=talk.rank)
    return Line(f"{name} ({state}): {told.text}", tuple(dict.fromkeys((told.place, last.place))))


def files_touched(talk: Conversation) -> list[Line]:
    """Files in tool calls, changed ones first, four to a line; else files that were named."""
    changed: dict[str, int] = {}
    read: dict[str, int] = {}
    named: dict[str, int] = {}
    for place, turn in enumerate(talk.turns):
        for name in files_in(turn.called[:4000]):
            edits = any(word in turn.called[:400].lower() for word in _EDITS)
            (changed if edits else read)[name] = place
        for name in files_in(turn.text[:4000]) if turn.role in ("user", "assistant") else ():
            named[name] = place
    read = {name: place for name, place in read.items() if name not in changed}
    kinds = [("changed", changed), ("read", read)] if changed or read else [("named", named)]
    return [
        Line(f"{kind}: {', '.join(group)}", tuple(dict.fromkeys(files[name] for name in group)))
        for kind, files in kinds
        for group in _fours(list(reversed(files)))
    ]


def _fours(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[begin : begin + 4] for begin in range(0, len(names), 4))


def last_turns(talk: Conversation) -> list[Line]:
    """The last turns in which something was said, the newest first."""
    found = []
    for place in talk.spoken_places[: -LAST_TURNS - 1 : -1]:
        best = talk.best(place)
        if best:
            found.append(Line(best, (place,), talk.turns[place].role))
    return found


def questions(talk: Conversation, settled: Sequence[Line]) -> list[Line]:
    """Questions with which recall finds the turn they cite: each contains rare names."""
    found: list[Line] = []
    seen: set[str] = set()
    for line in sorted(settled, key=lambda line: -weight(line.text)) + telling(talk):
        place = line.places[0]
        words = [word for word in dict.fromkeys(content_words(line.text)) if word.isalpha() and len(word) > 3]
        rare = sorted(words, key=lambda word: talk.document_frequency[word] or 99)[:3]
        if len(rare) < 3 or seen & set(rare):
            continue
        seen |= set(rare)
        in_order = [word for word in words if word in rare]
        found.append(Line(f"What was said about {in_order[0]}, {in_order[1]} and {in_order[2]}?", (place,)))
    return found
