"""Turn analysis in order: the overlays of each turn, its novelty, its importance, and its references."""

from collections import Counter, deque
from collections.abc import Sequence

import numpy as np

from graphmem.errors import InvalidInput
from graphmem.model.turns import AnalysedTurn, EarlierTurn, Link, Scores, TurnSettings, WaitingTurn
from graphmem.rules.language.stems import stem, word_set
from graphmem.rules.language.text import content_words
from graphmem.rules.language.vectors import DECIMALS, Vectors, cosines, unit
from graphmem.rules.printed import read_tool_result
from graphmem.rules.turns.importance import SHIFT_WORDS, class_of, importance_of, is_shift, of_result, of_words
from graphmem.rules.turns.novelty import FIRST, UNCALIBRATED, Calibration, Novelty, lexical_novelty, weighed
from graphmem.rules.turns.overlay_keywords import Part, keyword_part
from graphmem.rules.turns.overlay_probe import Finding, Probe, Signals, Surface, terms_of
from graphmem.rules.turns.overlays import (
    ALIKE,
    NOTHING,
    SEVERAL,
    Anchors,
    Inheritance,
    Said,
    agreed,
    evidence_of,
    highest,
    in_small_talk,
    inherited_part,
    meet_part,
    probed,
    surface_of,
    united,
)
from graphmem.rules.turns.references import cue, named_ids, tags
from graphmem.rules.turns.sentences import said as told
from graphmem.rules.turns.shifts import learnt_shifts, shifts
from graphmem.rules.turns.significance import beyond_courtesy
from graphmem.rules.turns.standing import worth_of

ANALYSER = "turns-7"
"""Version of the rules and their thresholds, stored with their results: raise it when these change."""
READ_CHARS = 20_000
NEAR_TURNS = 3
"""The turns directly before a turn, which pass on overlays without a reference."""
MOST_MEANT = 3
MEANT_WITHIN = 0.15
"""A cue refers to the most similar turns: those within this distance of the best."""
BACK_ALIKE = 0.35
"""Least similarity of the targets of a turn that refers back according to the probe."""
MOST_SIMILAR = 3
QUIET_WORDS = 3
QUIET_NOVELTY = 0.2
"""A turn with fewer content words says hardly anything, and hardly anything new."""
APART = -2.0
"""Replaces the similarity to a turn without a vector."""
COURTESIES = word_set("""
    thanks thank thx ok okay yes yeah yep sure no nope great cool nice good fine perfect hello hi hey bye welcome
    please sorry lol haha got noted done agreed sounds right exactly alright morning evening night cheers awesome
""")


class Past:
    """The earlier turns of a session, oldest first, for comparison with the next turn. It grows turn by turn."""

    def __init__(self, window: int) -> None:
        self.through = 0
        """The ordinal from which nothing is known."""
        self.ids: list[str] = []
        self.names: dict[str, int] = {}
        self.scores: list[Scores] = []
        self.importances: list[int] = []
        self.words: deque[Counter[str]] = deque(maxlen=window)
        self._last: Said | None = None
        self._vectors: Vectors = np.zeros((0, 0), dtype=np.float32)
        self._placed: list[int] = []
        self._window = window

    @property
    def size(self) -> int:
        return len(self.ids)

    def add(self, turn: EarlierTurn) -> None:
        """Add an analysed turn. Errors: InvalidInput for a vector of another length than those before."""
        place = len(self.ids)
        self.ids.append(turn.id)
        self.names[turn.id] = self.names[turn.message_id] = place
        self.scores.append(turn.scores)
        self.importances.append(turn.importance)
        self._last = None
        if turn.text is not None:
            self.words.append(counted(turn.text))
            self._last = Said(turn.text[:READ_CHARS], turn.calls, turn.role)
        if turn.vector is not None:
            self._hold(unit([turn.vector])[0], place)
        self.through = turn.ordinal + 1

    def _hold(self, vector: Vectors, place: int) -> None:
        held = len(self._placed)
        if held and vector.shape[0] != self._vectors.shape[1]:
            raise InvalidInput("The session has vectors of different lengths: they come from different embedders.")
        if held == self._vectors.shape[0]:  # grows by half, so that each vector is copied only a few times
            grown = np.zeros((max(64, held + held // 2), vector.shape[0]), dtype=np.float32)
            if held:
                grown[:held] = self._vectors[:held]
            self._vectors = grown
        self._vectors[held] = vector
        self._placed.append(place)

    def alike(self, vector: Vectors) -> Vectors:
        """The similarity of each turn to this one, by its place; `APART` for one without a vector."""
        held = len(self._placed)
        found = np.full(self.size, APART, dtype=np.float32)
        if held:
            if vector.shape[0] != self._vectors.shape[1]:
                raise InvalidInput("The session has vectors of different lengths: they come from different embedders.")
            found[self._placed] = cosines(self._vectors[:held], vector)
        return found

    def last_vectors(self) -> tuple[Vectors | None, Vectors | None]:
        """The vectors of the last turn and of the one before it; None for one that has none."""
        last = dict(zip(self._placed[-2:], range(len(self._placed))[-2:], strict=True))
        one, other = (last.get(self.size - step) for step in (1, 2))
        return (
            None if one is None else self._vectors[one],
            None if other is None else self._vectors[other],
        )

    def last_seen(self, anchors: Anchors) -> Surface | None:
        """The features of the last turn besides its vector; None where there is none."""
        if self._last is None:
            return None
        by_words = keyword_part(self._last.text, self._last.calls, self._last.role)
        return surface_of(self._last, by_words, self.last_vectors()[0], anchors)

    def is_asked_by_another(self, role: str) -> bool:
        """Whether the last turn is a question that a turn of this role answers."""
        last = self._last
        return self.size > 1 and last is not None and last.role != role and last.text.rstrip().endswith("?")

    def last_with_vectors(self, number: int, *, answers: bool = False) -> list[int]:
        """The places of the last turns that have vectors; without the very last for a turn that answers it, and that
        is no less new for speaking of the same."""
        placed = self._placed[:-1] if answers and self._placed[-1:] == [self.size - 1] else self._placed
        return placed[-number:]


def counted(text: str) -> Counter[str]:
    """The content words of a text by their stems, as lexical novelty compares them."""
    return Counter(stem(word) for word in content_words(text[:READ_CHARS]))


def analyse(
    turn: WaitingTurn, past: Past, anchors: Anchors | None, settings: TurnSettings, calibration: Calibration | None
) -> AnalysedTurn:
    """The analysis of a turn, given what was said before. It is deterministic.

    Errors: InvalidInput where its vector has another length than those before.
    """
    text = turn.text[:READ_CHARS]
    said = [word for word in content_words(text) if word not in COURTESIES]
    vector = unit([turn.vector])[0] if turn.vector is not None else None
    alike = past.alike(vector) if vector is not None else np.full(past.size, APART, dtype=np.float32)
    novelty = _novelty(turn, said, alike, past, settings, calibration)
    by_words = keyword_part(text, turn.calls, turn.role)
    met = meet_part(vector, anchors, turn.known, turn.role) if vector is not None else None
    probe = _probe(turn, anchors)
    learnt: Finding | None = None
    both = NOTHING
    if probe is not None and anchors is not None:
        seen = surface_of(Said(text, turn.calls, turn.role), by_words, vector, anchors)
        learnt = probe.find(
            Signals(vector, past.last_vectors(), seen, past.last_seen(anchors), terms_of(text, turn.role))
        )
        known = meet_part(vector, None, turn.known, turn.role) if vector is not None and turn.known else None
        both = agreed(by_words, met)
        own = probed(learnt.part, both, known)
    else:
        by_words = by_words if vector is None else in_small_talk(by_words, vector, anchors)
        own = united(by_words, met)
    references = _references(turn, text, alike, past, back=learnt is not None and learnt.points_back)
    heard: Part | None = None
    if importance_of(novelty.value, own, settings.formula) >= settings.routine_threshold:
        heard = inherited_part(_heirs(references, alike, past, settings))
    scores = highest(own, heard)
    importance = importance_of(novelty.value, scores, settings.formula)
    if turn.role == "tool":
        reading = read_tool_result(text)
        importance = of_result(importance, reading, settings.preserve_threshold, settings.routine_threshold)
    if learnt is not None:
        several = sum(score > 0 for score in both) >= SEVERAL
        shift = learnt_shifts(learnt.shifts, turn.role, novelty.value, settings.shift_novelty) or (
            several and turn.role == "user" and is_shift(novelty.value, importance, SHIFT_WORDS, settings.shift_novelty)
        )
    else:
        shift = shifts(text, turn.role, novelty.value, importance, len(said), settings.shift_novelty)
    if turn.role != "tool" and not shift:
        importance = of_words(importance, worth_of(turn.role, told(text)), settings.preserve_threshold)
    return AnalysedTurn(
        id=turn.id,
        scores=scores,
        evidence=evidence_of([learnt.part if learnt else None, by_words, met, heard]),
        novelty=novelty.value,
        novelty_raw=novelty.raw,
        importance=importance,
        shift=shift,
        class_=class_of(importance, settings.preserve_threshold, settings.routine_threshold, shift=shift),
        tags=tags(text),
        references=references,
        similar=tuple(
            Link(turn.id, past.ids[place], cosine)
            for place, cosine in _nearest(alike, settings.semantic_edge, MOST_SIMILAR)
            if cosine > settings.semantic_edge
        ),
    )


def analyse_all(
    turns: Sequence[WaitingTurn],
    past: Past,
    anchors: Anchors | None,
    settings: TurnSettings,
    calibration: Calibration | None,
) -> list[AnalysedTurn]:
    """Turns in order, each compared with all before it; the past grows by them."""
    found = []
    for turn in turns:
        one = analyse(turn, past, anchors, settings, calibration)
        past.add(as_earlier(turn, one))
        found.append(one)
    return found


def as_earlier(turn: WaitingTurn, found: AnalysedTurn) -> EarlierTurn:
    return EarlierTurn(
        id=turn.id,
        message_id=turn.message_id,
        ordinal=turn.ordinal,
        scores=found.scores,
        importance=found.importance,
        vector=turn.vector,
        text=turn.text,
        role=turn.role,
        calls=turn.calls,
    )


def _probe(turn: WaitingTurn, anchors: Anchors | None) -> Probe | None:
    """The probe, where it applies: words need their vector, courtesies alone do not count, calls do."""
    if anchors is None:
        return None
    heard = turn.vector is not None if beyond_courtesy(turn.text) else bool(turn.calls)
    return anchors.probe if heard else None


def _novelty(
    turn: WaitingTurn,
    said: Sequence[str],
    alike: Vectors,
    past: Past,
    settings: TurnSettings,
    calibration: Calibration | None,
) -> Novelty:
    if not past.size:
        return Novelty(FIRST, FIRST)
    if not turn.text.strip():  # it only calls tools, or is empty
        return Novelty(FIRST, QUIET_NOVELTY)
    answers = past.is_asked_by_another(turn.role)
    near = [float(alike[place]) for place in past.last_with_vectors(settings.novelty_window, answers=answers)]
    if near and near[0] > APART:
        found = weighed([1 - cosine for cosine in near], calibration or UNCALIBRATED)
    else:
        found = lexical_novelty(counted(turn.text), list(past.words)[: -1 if answers else None])
    if len(said) < QUIET_WORDS:
        return Novelty(found.raw, min(found.value, QUIET_NOVELTY))
    return found


def _references(turn: WaitingTurn, text: str, alike: Vectors, past: Past, *, back: bool) -> tuple[Link, ...]:
    """The earlier turns that a turn names by their ids, then those that a cue refers to, or a reference `back` by the
    probe: its target is often mentioned in few words, so it need not be very similar."""
    meant: dict[int, Link] = {}
    for name in named_ids(text):
        place = past.names.get(name)
        if place is not None:
            meant.setdefault(place, Link(turn.id, past.ids[place], 1.0, "id"))
    if back or cue(text):
        near = _nearest(alike, BACK_ALIKE if back else ALIKE, MOST_MEANT)
        for place, cosine in near:
            if cosine >= near[0][1] - MEANT_WITHIN:
                meant.setdefault(place, Link(turn.id, past.ids[place], cosine, "cue"))
    return tuple(meant.values())


def _heirs(references: Sequence[Link], alike: Vectors, past: Past, settings: TurnSettings) -> list[Inheritance]:
    """The last turns and those referred to, which count as near as the last one; routine ones pass nothing on."""
    steps = {past.names[link.to_id]: 1 for link in references}
    for step in range(1, min(NEAR_TURNS, past.size) + 1):
        steps.setdefault(past.size - step, step)
    return [
        Inheritance(past.ids[place], past.scores[place], step, float(alike[place]))
        for place, step in steps.items()
        if past.importances[place] >= settings.routine_threshold
    ]


def _nearest(alike: Vectors, least: float, number: int) -> list[tuple[int, float]]:
    """The most similar places, with similarity, best first; the later one among equals."""
    enough = np.flatnonzero(alike >= np.float32(least))
    best = sorted(((round(float(alike[place]), DECIMALS), int(place)) for place in enough), reverse=True)
    return [(place, cosine) for cosine, place in best[:number]]
