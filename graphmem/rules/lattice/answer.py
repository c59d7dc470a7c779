"""The answer to a lattice query, over given turns or over sets of turns from a store.

A query is cut into parts in which no meaning is compared (`plan`). The owner of the turns finds those that match each
part; the rest, the pairs and the sets above them, is computed here, over places of turns in their order.

>>> from graphmem.rules.lattice.grammar import parse
>>> turns = [Turn(scores=(9, 2, 0, 0, 0, 0, 0, 5, 0.5)), Turn(scores=(6, 8, 0, 0, 0, 0, 0, 5, 0.5))]
>>> ask(parse("O1 - O2"), turns).places
(0,)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graphmem.errors import InvalidInput
from graphmem.rules.lattice.grammar import (
    FIELDS,
    ROUTINE_BELOW,
    Both,
    Compare,
    Either,
    Everything,
    Labelled,
    Meet,
    Minus,
    Node,
    Not,
    Projection,
    has_meet,
    parts_of,
    walk,
)
from graphmem.rules.lattice.terms import SHIFT, label

MEET_SIMILARITY, MEET_EACH = 0.7, 5
"""Least cosine of a similar pair, and how many such pairs one turn may begin. Source: cogx lattice-operations.ts."""
PROJECTION_SIMILARITY, PROJECTION_EACH = 0.6, 10
ROUNDING = 1e-6
"""The error of a cosine in single precision."""
AT_ONCE = 512
"""Turns compared at once: bounds the memory of a comparison."""

Vectors = Mapping[int, Sequence[float]]
Places = frozenset[int]
_IMPORTANCE = FIELDS.index("importance")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as queries see it: its value for each of `FIELDS` (comparisons with None are false), its labels and its
    vector, if it has one."""

    scores: tuple[float | None, ...]
    labels: frozenset[str] = frozenset()
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two turns, by their places, and the cosine of their vectors."""

    left: int
    right: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The turns of a query, by their places in order, and its pairs, best first; None where it compares no meaning.

    For `Meet` the turns are those of both sides of its pairs, for `Projection` those of the right side.
    """

    places: tuple[int, ...]
    pairs: tuple[Pair, ...] | None = None


def ask(node: Node, turns: Sequence[Turn]) -> Answer:
    """The answer over these turns, all of them in scope. Errors: InvalidInput for vectors of several lengths."""
    sets = {part: frozenset(place for place, turn in enumerate(turns) if holds(part, turn)) for part in plan(node)}
    wanted = compared(node, sets)
    return combine(node, sets, {place: vector for place in wanted if (vector := turns[place].vector)})


def plan(node: Node) -> tuple[Node, ...]:
    """The largest parts of a query in which no meaning is compared, and `Everything` where a complement needs it."""
    found: dict[Node, None] = {}
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if not has_meet(one):
            found[one] = None
            continue
        waiting.extend(parts_of(one))
        if isinstance(one, Not):
            found[Everything()] = None
    return tuple(found)


def compared(node: Node, sets: Mapping[Node, Places]) -> Places:
    """All turns whose meaning may be compared: those whose vectors `combine` needs."""
    sides = [side for one in walk(node) if isinstance(one, Meet | Projection) for side in parts_of(one)]
    return frozenset(place for side in sides for part in plan(side) for place in sets[part])


def holds(node: Node, turn: Turn) -> bool:
    """Whether a turn matches a query in which no meaning is compared."""
    match node:
        case Everything():
            return True
        case Compare():
            return _compares(node, turn.scores[FIELDS.index(node.field)])
        case Labelled():
            return _is_labelled(node, turn)
        case Not(part):
            return not holds(part, turn)
        case Either(parts):
            return any(holds(part, turn) for part in parts)
        case Both(parts):
            return all(holds(part, turn) for part in parts)
        case Minus((first, *rest)):
            return holds(first, turn) and not any(holds(part, turn) for part in rest)
    raise ValueError("a comparison of meaning holds for no turn by itself")


def _compares(node: Compare, score: float | None) -> bool:
    if score is None:
        return False
    match node.op:
        case ">":
            return score > node.value
        case ">=":
            return score >= node.value
        case "<":
            return score < node.value
        case "<=":
            return score <= node.value
        case "=":
            return score == node.value
        case "!=":
            return score != node.value


def _is_labelled(node: Labelled, turn: Turn) -> bool:
    if node.key == "is_routine":
        score = turn.scores[_IMPORTANCE]
        return score is not None and str(score < ROUTINE_BELOW).lower() in node.values
    if node.key == "is_paradigm_shift":
        return str(SHIFT in turn.labels).lower() in node.values
    return any(label(node.key, value) in turn.labels for value in node.values)


def combine(node: Node, sets: Mapping[Node, Places], vectors: Vectors) -> Answer:
    """The answer to a query from the turns of its planned parts. Turns without a vector are similar to nothing."""
    return _Combination(sets, vectors).answer(node)


class _Combination:
    def __init__(self, sets: Mapping[Node, Places], vectors: Vectors) -> None:
        self._sets = sets
        self._known: dict[Node, tuple[Pair, ...]] = {}
        self._order = sorted(place for place, vector in vectors.items() if any(vector))
        self._row = {place: row for row, place in enumerate(self._order)}
        self._matrix = _unit_rows([vectors[place] for place in self._order])

    def answer(self, node: Node) -> Answer:
        if not isinstance(node, Meet | Projection):
            return Answer(tuple(sorted(self._places(node))))
        pairs = self._pairs(node)
        if isinstance(node, Projection):
            return Answer(tuple(sorted({pair.right for pair in pairs})), pairs)
        return Answer(tuple(sorted(self._places(node))), pairs)

    def _places(self, node: Node) -> Places:
        if node in self._sets:
            return self._sets[node]
        match node:
            case Meet() | Projection():
                return frozenset(place for pair in self._pairs(node) for place in (pair.left, pair.right))
            case Not(part):
                return self._sets[Everything()] - self._places(part)
            case Either(parts):
                return frozenset().union(*map(self._places, parts))
            case Both((first, *rest)):
                return self._places(first).intersection(*map(self._places, rest))
            case Minus((first, *rest)):
                return self._places(first).difference(*map(self._places, rest))
        raise ValueError(f"{node} is not among the planned parts")

    def _pairs(self, node: Meet | Projection) -> tuple[Pair, ...]:
        if node not in self._known:
            left, right = self._places(node.left), self._places(node.right)
            if isinstance(node, Meet):
                found = self._nearest(left, right, MEET_SIMILARITY, MEET_EACH)
                found = list({frozenset((pair.left, pair.right)): pair for pair in reversed(found)}.values())
            else:
                found = self._nearest(left, right, PROJECTION_SIMILARITY, PROJECTION_EACH)
            self._known[node] = tuple(sorted(found, key=lambda pair: (-pair.similarity, pair.left, pair.right)))
        return self._known[node]

    def _nearest(self, left: Places, right: Places, least: float, each: int) -> list[Pair]:
        """For each turn of the left the most similar others of the right, the first among equals."""
        starts = [self._row[place] for place in sorted(left) if place in self._row]
        ends = np.array([self._row[place] for place in sorted(right) if place in self._row], dtype=np.int64)
        found: list[Pair] = []
        if not len(ends):
            return found
        towards = self._matrix[ends].T
        for begin in range(0, len(starts), AT_ONCE):
            rows = starts[begin : begin + AT_ONCE]
            cosines = self._matrix[rows] @ towards
            cosines[np.array(rows)[:, None] == ends[None, :]] = -2  # itself
            for row, near in zip(rows, cosines, strict=True):
                (enough,) = np.nonzero(near >= least - ROUNDING)
                best = enough[np.argsort(-near[enough].round(6), kind="stable")][:each]
                found.extend(
                    Pair(self._order[row], self._order[ends[place]], round(float(near[place]), 6)) for place in best
                )
        return found


def _unit_rows(vectors: Sequence[Sequence[float]]) -> npt.NDArray[np.float32]:
    if len({len(vector) for vector in vectors}) > 1:
        raise InvalidInput("the embeddings of the turns are not of one length")
    if not vectors:
        return np.zeros((0, 0), dtype=np.float32)
    matrix = np.array(vectors, dtype=np.float64)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix.astype(np.float32)
