"""What graphmem does with turns, done in plain Python over turns in memory: what it is measured beside.

No graph, no isolation, nothing kept, and the simplest rules that do the job: words looked for as substrings, one
dot product, a filter, a sort.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graphmem.rules.language.sentences import sentences
from graphmem.rules.language.text import count_tokens

Vectors = npt.NDArray[np.float32]
Pair = tuple[int, int, float]
DIMENSIONS = 384
WINDOW, TOP, TAIL = 50, 5, 64
"""As the settings of injection and compaction: turns looked at besides shifts, turns recalled, turns left alone."""
_WORDS = {
    "O1": "module interface component refactor class structure",
    "O2": "token credential permission secret leak encrypt",
    "O3": "earlier depends before said origin calls",
    "O4": "goal aim plan promise decide purpose",
    "O5": "run deploy command step server restart",
    "O6": "algorithm formula complexity compute log n",
    "O7": "test verify check review compare prove",
}


@dataclass(frozen=True)
class PlainTurn:
    id: str
    text: str
    overlays: dict[str, float]
    importance: float
    shift: bool


def analyse(text: str, vector: Vectors, earlier: Vectors) -> tuple[dict[str, float], float]:
    """Overlays by substrings, novelty by the mean distance to what came before."""
    lower = text.lower()
    scores = {overlay: min(10.0, 3.0 * sum(w in lower for w in of.split())) for overlay, of in _WORDS.items()}
    return scores, float(1 - (earlier @ vector).mean()) if len(earlier) else 0.5


def context(turns: Sequence[PlainTurn], vectors: Vectors, question: Vectors, budget: int) -> list[str]:
    """The most relevant of the last turns and of all shifts, then the tail as far as it fits."""
    last = len(turns) - WINDOW
    places = [place for place, turn in enumerate(turns) if turn.shift or place >= last]
    near = vectors[places] @ question
    weights = [
        (1 + turns[place].importance / 10) * (1 + sum(turns[place].overlays[o] for o in ("O1", "O4", "O5")) / 30)
        for place in places
    ]
    best = sorted(zip(near * np.array(weights), places, strict=True), reverse=True)[:TOP]
    texts = [turns[place].text for _, place in best]
    left = budget - sum(map(count_tokens, texts))
    for turn in reversed(turns[-TAIL:]):
        left -= count_tokens(turn.text)
        if left < 0:
            break
        texts.append(turn.text)
    return texts


def matching(turns: Sequence[PlainTurn], condition: Callable[[PlainTurn], bool]) -> list[str]:
    return [turn.id for turn in turns if condition(turn)]


def compact(turns: Sequence[PlainTurn], tokens: int) -> str:
    """First sentences of the most important turns, in order, as many as fit."""
    older = list(enumerate(turns[:-TAIL]))
    chosen: dict[int, str] = {}
    for place, turn in sorted(older, key=lambda one: -one[1].importance):
        first = next(iter(sentences(turn.text)), "")
        tokens -= count_tokens(first)
        if tokens < 0:
            break
        chosen[place] = first
    return "\n".join(chosen[place] for place in sorted(chosen))


def meet(vectors: Vectors, left: Sequence[int], right: Sequence[int], least: float = 0.7, each: int = 5) -> list[Pair]:
    """For each turn on the left the nearest on the right, the best pairs first."""
    near = vectors[left] @ vectors[right].T
    best = np.argsort(-near, axis=1)[:, :each] if right else np.empty((0, 0), dtype=int)
    pairs = [
        (left[row], right[column], float(near[row, column]))
        for row, columns in enumerate(best)
        for column in columns
        if near[row, column] >= least and left[row] != right[column]
    ]
    return sorted(pairs, key=lambda pair: -pair[2])
