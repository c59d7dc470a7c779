"""The sections of a recap: where the conversation stands, what holds, what is open, and how to find the rest."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphmem.rules.summaries.asking import questions
from graphmem.rules.summaries.directives import as_told
from graphmem.rules.summaries.pending import SETTLES, next_step
from graphmem.rules.summaries.recap_lines import Line, Section
from graphmem.rules.summaries.recap_turns import Conversation, RecapFact
from graphmem.rules.turns.mode import files_in
from graphmem.rules.turns.pasted import JUDGING
from graphmem.rules.turns.sentences import (
    is_done,
    is_goal,
    is_intent,
    is_named_goal,
)
from graphmem.rules.turns.standing import SHORT, Point

ASKED_FROM, ROOMY, SPACIOUS = 500, 1_500, 2_000
"""Tokens from which on a recap has room for what helps to go on, beside what must be known."""
LAST_TURNS = 3
RECENT = 10
"""The last turns, which show the current work."""
ABOUT = 8
"""The last turns in which something was said, of which one line tells what they are about."""
GOAL_POINTS = 12
"""Sentences of the user, from the first on, among which a goal is told."""
MOST_LINES = 400
"""Points of a section, those that are worth most, that are compared with each other: more than a recap has room for."""
DONE_TURNS = 3
"""More recent turns than this must say so before a quest is complete."""
REPEATED = 0.1
"""What each turn that names a part adds to its worth in the mental map."""
ASKED_LINES = 3
_EDITS = ("write", "edit", "patch", "create", "replace", "append", "insert")


def sections(talk: Conversation, *, quest: bool) -> list[Section]:
    """The sections of a recap of work (`quest`) or of talk, in reading order; empty ones have no lines. Work has a
    status, a map of its parts and its files, too."""
    shown = _Shown(talk)
    subject, pending = shown.subject(), shown.pending()
    open_points, rules, settled, shifts = shown.open(), shown.rules(), shown.decisions(), shown.turning_points()
    last, asked = shown.last_turns(), questions(talk, settled)
    stands = Section("Where it stands", 0, tuple(subject), least=2)
    turned, first_seen = ("Turning points", SPACIOUS) if quest else ("Key breakthroughs", ROOMY)
    work = [
        Section("Mental map", 7, tuple(mental_map(talk)), least=4, most=8, from_tokens=SPACIOUS),
        Section("Files touched", 5, tuple(files_touched(talk)), least=2, most=6, from_tokens=ROOMY),
    ]
    return [
        Section("Current quest", 0, (*subject, *_status(talk, bool(pending))), least=3) if quest else stands,
        Section("Pending task", 0, tuple(pending), least=1),
        Section("Rules", 2, tuple(rules), least=3, most=20, in_time=True),
        Section("Decisions still valid", 2, tuple(settled), least=3, most=60, in_time=True),
        Section("Last results", 1, tuple(last_results(talk)), least=3, most=9),
        Section("Open questions", 3, tuple(open_points), least=2, most=10),
        *(work if quest else ()),
        Section(turned, 6, tuple(shifts), least=2, most=6, in_time=True, from_tokens=first_seen),
        Section("What else was said", 9, tuple(shown.others()), in_time=True, most=200),
        Section("Last turns", 6, tuple(last), least=2, most=LAST_TURNS, in_time=True, from_tokens=ROOMY),
        Section("To ask with recall", 8, tuple(asked), least=3, most=ASKED_LINES, from_tokens=ASKED_FROM),
    ]


def open_points(talk: Conversation) -> list[Point]:
    """What is said to be open and not settled later."""
    return [point for point in talk.holding if point.open and not _is_settled(talk, point)]


def decided_points(talk: Conversation) -> list[Point]:
    """What was decided and holds, each once, what readers would miss most first."""
    return talk.unlike(sorted((point for point in talk.holding if point.is_decision), key=lambda point: -point.worth))


def _is_settled(talk: Conversation, point: Point) -> bool:
    """Whether something that is said later settles an open point."""
    standing = talk.standing
    return any(
        (later.is_decision or later.measures or is_done(later.text))
        and not later.question
        and not later.open
        and standing.shared(point, later) >= SETTLES
        for later in standing.points[point.number + 1 :]
        if later.place > point.place and point.words & later.words
    )


class _Shown:
    """The points of a conversation by what they are, each in one section only, the first that asks for it."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._taken: set[int] = set()

    def subject(self) -> list[Line]:
        """What the conversation is for, and what its last turns are about."""
        goal = self._goal()
        self._taken |= {goal.number} if goal else set()
        now = self._now()
        self._taken |= {now.number} if now else set()
        told = (("Goal", goal), ("Now", now))
        return [Line(f"{what}: {point.text}", (point.place,)) for what, point in told if point]

    def _goal(self) -> Point | None:
        asked = [point for point in self._talk.standing.points if point.role == "user" and not point.over]
        first = asked[: max(GOAL_POINTS, len(asked) // 20)]
        goals = [point for point in first if is_goal(point.text)] or [one for one in first[:1] if not one.is_decision]
        named = [point for point in asked if is_named_goal(point.text)]
        return max(named or goals, key=lambda point: point.worth, default=None)

    def _now(self) -> Point | None:
        """The point of the last turns that has most of what they speak of again and again."""
        last = self._talk.spoken_places[-ABOUT:]
        standing = self._talk.standing
        recent = [point for point in standing.points if point.place in last and not point.over]
        recent = [point for point in recent if point.number not in self._taken and not is_intent(point.text)]
        recent = [point for point in recent if not (point.is_decision or point.is_rule)] or recent
        recent = [point for point in recent if len(point.words) > SHORT] or recent
        turns = Counter(word for place in last for word in {w for p in recent if p.place == place for w in p.words})

        def about(point: Point) -> tuple[float, int]:
            told = sum(standing.idf(word) for word in point.words if turns[word] > 1)
            return told / math.sqrt(len(point.words) + 3), point.number if point.role == "user" else 0

        return max(recent, key=about, default=None)

    def pending(self) -> list[Line]:
        """The next step, if any."""
        step = next_step(self._talk)
        self._taken |= step.told if step else frozenset()
        return [step.line] if step else []

    def rules(self) -> list[Line]:
        return self._lines(point for point in self._talk.holding if point.is_rule)

    def decisions(self) -> list[Line]:
        """What was decided and holds, and what took the place of superseded facts, in the words that say it."""
        changed = [self._changed(fact) for fact in self._talk.facts if fact.superseded and fact.current]
        lines = [line for line in changed if line]
        lines += self._lines(point for point in self._talk.holding if point.is_decision)
        return sorted(lines, key=lambda line: -line.worth)

    def _changed(self, fact: RecapFact) -> Line | None:
        """The current value of a superseded fact with what it was before, both in the words that said it; None where
        it is told already. A value from another session is told in the words of the fact."""
        now, old = self._talk.saying(fact.current or "", fact.current_place), self._talk.saying(fact.text, fact.place)
        if now is None and fact.current_place is None:
            return Line(f"{fact.current} (before: {fact.text})", (fact.place,), worth=1.0)
        if now is None or now.number in self._taken or now.over:
            return None
        self._taken.add(now.number)
        line = self._talk.line(now)
        told = line.text != now.text and line.text.endswith(")")  # the number that it took the place of
        if told or old is None or old.place == now.place or not old.words & now.words:
            return line
        places = dict.fromkeys((*line.places, old.place))
        return replace(line, text=f"{line.text} (before: {old.text})", places=tuple(places))

    def open(self) -> list[Line]:
        """The open points, and what was asked last without an answer; the newest first."""
        last = self._talk.spoken_places[-1:]
        asked = [point for point in self._talk.holding if point.place in last and point.question]
        return self._lines([*open_points(self._talk), *asked], newest=True)

    def turning_points(self) -> list[Line]:
        """The paradigm shifts, each by the sentence that is worth most."""
        shifts = [place for place, turn in enumerate(self._talk.turns) if turn.shift]
        best = (self._talk.best(place) for place in reversed(shifts))
        return self._lines(point for point in best if point is not None and not point.over and not point.question)

    def last_turns(self) -> list[Line]:
        """The last turns in which something was said that is told nowhere else, the newest first."""
        best = [self._talk.best(place) for place in self._talk.spoken_places[: -LAST_TURNS - 1 : -1]]
        shown = [point for point in best if point and point.number not in self._taken and not point.over]
        self._taken |= {point.number for point in shown}
        return [Line(point.text, (point.place,), point.role) for point in shown]

    def others(self) -> list[Line]:
        return self._lines(point for point in self._talk.holding if not point.question)

    def _lines(self, points: "Iterator[Point] | Sequence[Point]", *, newest: bool = False) -> list[Line]:
        found = [point for point in points if point.number not in self._taken]
        found.sort(key=lambda point: -point.number if newest else -point.worth)
        kept = self._talk.unlike(found[:MOST_LINES])
        lines = [self._talk.line(point, alone=point.number - 1 in self._taken) for point in kept]
        self._taken |= {point.number for point in found}
        return lines


def _status(talk: Conversation, pending: bool) -> Iterator[Line]:
    recent = range(max(0, len(talk.turns) - RECENT), len(talk.turns))
    done = [(one.place, one.text) for one in talk.standing.points if one.place in recent and is_done(one.text)]
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
        Line(told, (place,), worth=0.5)
        for place in sorted(newest.values(), reverse=True)
        for line in talk.results[place].lines
        if (told := as_told(line))
    ]


def mental_map(talk: Conversation) -> list[Line]:
    """The parts of the work that have names, each with a state that a statement gives it: open, decided or done."""
    of_name: dict[str, list[Point]] = defaultdict(list)
    for point in talk.holding:
        for name in point.names:
            of_name[name].append(point)
    parts = []
    for name, found in of_name.items():
        states = [(state, point) for point in found if (state := _state(point))]
        if states:
            state, point = states[-1]
            told = len({one.place for one in found})
            parts.append(
                (
                    max(one.worth for one in found) + REPEATED * told,
                    Line(f"{name} ({state}): {point.text}", (point.place,)),
                )
            )
    return [line for _, line in sorted(parts, key=lambda part: -part[0])]


def _state(point: Point) -> str:
    if point.question or point.open:
        return "open"
    if is_done(point.text):
        return "done"
    return "decided" if point.is_decision else ""


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
