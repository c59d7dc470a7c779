"""Rules over turns in `graphmem try`: lattice queries."""

from typing import Annotated, Any

from pydantic import Field, FiniteFloat

from graphmem.model.conversation import Role
from graphmem.model.value import Value
from graphmem.rules.lattice.grammar import FIELDS, Projection, parse
from graphmem.rules.lattice.terms import SHIFT, label, normalise
from graphmem.settings import load_settings

Json = dict[str, Any]
Score = Annotated[float, Field(ge=0, le=10)]
SHIFT_NOVELTY, SHIFT_IMPORTANCE = 0.7, 7
"""Least novelty and importance of a turn that counts as a shift unless given: its words are not known here."""


class ScoredTurn(Value):
    """An overlay that is not given is 0; comparisons with a missing novelty or importance are false."""

    id: str
    role: Role | None = None
    o1: Score = Field(0, alias="O1")
    o2: Score = Field(0, alias="O2")
    o3: Score = Field(0, alias="O3")
    o4: Score = Field(0, alias="O4")
    o5: Score = Field(0, alias="O5")
    o6: Score = Field(0, alias="O6")
    o7: Score = Field(0, alias="O7")
    novelty: Annotated[float, Field(ge=0, le=1)] | None = None
    importance: Score | None = None
    paradigm_shift: bool | None = None
    embedding: tuple[FiniteFloat, ...] | None = None
    tags: tuple[str, ...] = ()
    session_id: str | None = None


class LatticeTrial(Value):
    query: str
    turns: tuple[ScoredTurn, ...]


def lattice(given: LatticeTrial) -> Json:
    """The ids of the turns that match a query, in the given order; for `~` its pairs, best first; for `->` both."""
    node = parse(given.query, load_settings().overlay_threshold)
    from graphmem.rules.lattice import answer as answering  # numpy takes a while to load

    for part in answering.plan(node):
        normalise(part)  # as the service does, so that what passes here passes there
    turns = [
        answering.Turn(tuple(getattr(turn, field.lower()) for field in FIELDS), _labels(turn), turn.embedding)
        for turn in given.turns
    ]
    found = answering.ask(node, turns)
    ids = [turn.id for turn in given.turns]
    answer: Json = {}
    if found.pairs is None or isinstance(node, Projection):
        answer["ids"] = [ids[place] for place in found.places]
    if found.pairs is not None:
        answer["pairs"] = [
            {"left": ids[pair.left], "right": ids[pair.right], "similarity": pair.similarity} for pair in found.pairs
        ]
    return answer


def _labels(turn: ScoredTurn) -> frozenset[str]:
    labels = {label("tag", tag) for tag in turn.tags}
    if turn.role is not None:
        labels.add(label("role", turn.role))
    if turn.session_id is not None:
        labels.add(label("session_id", turn.session_id))
    if _is_shift(turn):
        labels.add(SHIFT)
    return frozenset(labels)


def _is_shift(turn: ScoredTurn) -> bool:
    if turn.paradigm_shift is not None:
        return turn.paradigm_shift
    return (turn.novelty or 0) >= SHIFT_NOVELTY and (turn.importance or 0) >= SHIFT_IMPORTANCE
