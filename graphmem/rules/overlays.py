"""What a turn is about: a score from 0 to 10 for each of the seven overlays, with the evidence for it.

Words (`overlay_words.py`), the shape of code and commands, nearness to sentences that stand for an overlay and to what
the agent knows (Meet), and what is inherited from earlier turns. Each part stands alone: without vectors the words
decide.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt

import numpy as np

from graphmem.model.turns import OVERLAYS, Evidence, KnownNear, Overlay, Scores, Via
from graphmem.rules.anchors import ANCHORS, NEUTRAL, anchor_id
from graphmem.rules.antonyms import stem
from graphmem.rules.overlay_words import DECISIVE, PLAIN, WEAK, WORDS
from graphmem.rules.text import words
from graphmem.rules.vectors import Vectors, cosines, unit

READ_CHARS = 20_000
MOST_ITEMS = 3
SATURATION = 0.62
"""What each point of weight leaves open of the way to 10: one plain word makes 3.8, two 6.2, three 7.6."""
LONG_WORDS = 120
"""Words of a turn beyond which a single one says less of what it is about."""
CODE_SHARE = 0.5
"""What a word weighs in code, next to one that was said."""
INHERITED, PER_STEP, ALIKE = 0.5, 0.6, 0.5
"""Of the score of an earlier turn: the share that is passed on, what each step of distance leaves of it, and how much
alike the turns must be."""
LEAST = 1.0
"""Below this, a reason is not worth keeping."""
KINDS: Mapping[str, Mapping[Overlay, float]] = {
    "constraint": {"O4": 6.0},
    "decision": {"O4": 7.0},
    "preference": {"O4": 3.0},
}
"""What a fact is about by its kind alone. What its words say comes on top: a rule about passwords is security too."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_SHELL = frozenset({"bash", "sh", "shell", "zsh", "console", "powershell", "cmd"})
_CONFIG = frozenset(
    {"json", "yaml", "yml", "toml", "ini", "env", "xml", "html", "css", "text", "txt", "diff", "markdown", "md"}
)
_PROMPT = re.compile(r"^\s*(?:\$|>|#)\s+[a-z./]", re.MULTILINE)
_LOGIC = re.compile(
    r"^\s*(?:for|while|if|elif|else if|return|yield|def|fn|func|function|match|switch|case|loop|let|const|var|try)\b"
    r"|[-+*/%&|^]=|=>|\+\+|--|\blambda\b"
)
_LOOP = re.compile(r"^\s*(?:for|while|loop)\b|\.(?:map|reduce|filter|fold)\(|\bfor \w+(?:, \w+)* in\b")
_ARITHMETIC = re.compile(r"[\w)\]] ?(?:\*\*|//|<<|>>|[*%^]) ?[\w(]|[\w)\]] [-+/] [\w(]")
_SUM = re.compile(r"(?<![\w.:/-])\d[\d.,]*\s*(?:[*×·÷^%]|\s[-+/]\s|\*\*)\s*\d")
_EQUATION = re.compile(r"\b[A-Za-z_]\w*(?:\([\w, ]*\))? = [^=\n]{0,60}?(?:[\w)\]] ?[*/^×·÷] ?[\w(]|[\w)\]] [-+] [\w(])")
_ORDER = re.compile(
    r"(?<!\w)O\((?:1|n|m|k|v|e|log|sqrt|2\^)[^()\n]{0,20}(?:\([^()\n]{0,10}\))?[^()\n]{0,10}\)", re.IGNORECASE
)
_SYMBOL = re.compile(r"[∑∏∫√≤≥≈∈∀∃∂∇∞]|\\(?:frac|sum|int|sqrt|log|alpha|beta|lambda)\b")


@dataclass(frozen=True, slots=True)
class Part:
    """What one kind of reason says of each overlay: a score, the items it comes from, the nearest one's cosine."""

    via: Via
    scores: Scores
    items: tuple[tuple[str, ...], ...]
    cosines: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Nearness:
    """The similarity to an anchor or a fact that counts as nothing (`lo`) and as the same (`hi`)."""

    lo: float
    hi: float


NEARNESS: Mapping[str, Nearness] = {"all-MiniLM-L6-v2-int8": Nearness(0.25, 0.75)}
"""By embedder. Others are taken to put unrelated texts further apart than most do, so that they score too little."""
UNKNOWN_NEARNESS = Nearness(0.5, 0.95)
FACT_NEARNESS = Nearness(0.4, 0.85)


@dataclass(frozen=True, slots=True)
class Anchors:
    """The anchors with their vectors, as rows: those of the overlays in their order, then the neutral ones."""

    rows: Vectors
    nearness: Nearness


@dataclass(frozen=True, slots=True)
class Inheritance:
    """An earlier turn that may pass something on."""

    id: str
    scores: Scores
    distance: int
    cosine: float


def anchor_texts() -> list[str]:
    """The sentences to embed, in the order of `Anchors.rows`."""
    return [*(sentence for overlay in OVERLAYS for sentence in ANCHORS[overlay]), *NEUTRAL]


def anchors_of(vectors: Sequence[Sequence[float]], embedder: str) -> Anchors:
    """Anchors with the vectors of `anchor_texts`."""
    return Anchors(unit(vectors), NEARNESS.get(embedder, UNKNOWN_NEARNESS))


# --- words and shape ----------------------------------------------------------------------------------------


def keyword_part(text: str, calls: str | None = None) -> Part:
    """What the words of a turn and the shape of its code say; `calls` is the JSON of its tool calls.

    >>> part = keyword_part("The author claims that the latest prune is fine.")
    >>> part.scores
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """
    text = text[:READ_CHARS]
    fenced = _FENCE.findall(text)
    prose = _FENCE.sub("\n", text) if fenced else text
    found: list[dict[str, tuple[float, str]]] = [{} for _ in OVERLAYS]
    said = _read(prose, found, 1.0)
    _read("\n".join(code for _, code in fenced), found, CODE_SHARE)
    thin = 1 / sqrt(max(1.0, said / LONG_WORDS))
    weights = [sum(weight for weight, _ in by_key.values()) * thin for by_key in found]
    items = [[item for _, item in sorted(by_key.values(), key=lambda one: -one[0])] for by_key in found]
    for overlay, (weight, item) in _shapes(prose, fenced, calls).items():
        place = OVERLAYS.index(overlay)
        weights[place] += weight
        items[place].insert(0, item)
    return Part(
        "keyword",
        _scores([10 * (1 - SATURATION**weight) for weight in weights]),
        tuple(tuple(one[:MOST_ITEMS]) for one in items),
        (None,) * len(OVERLAYS),
    )


def _read(text: str, found: list[dict[str, tuple[float, str]]], share: float) -> int:
    """Note what the words of a text stand for: for each overlay the entries met, each with its weight and the words
    found. How many words there were."""
    said = words(_CAMEL.sub(" ", text)) if text else []
    stems = [stem(word) for word in said]
    taken: set[tuple[int, int]] = set()
    for start, first in enumerate(stems):
        for place, phrase, weight in _PHRASES.get(first, ()):
            if tuple(stems[start : start + len(phrase)]) == phrase:
                taken |= {(place, start + step) for step in range(len(phrase))}
                _note(found[place], " ".join(phrase), weight * share, " ".join(said[start : start + len(phrase)]))
    for at, word in enumerate(said):
        for place, key, weight in _meanings(word):
            if (place, at) not in taken:
                _note(found[place], key, weight * share, word)
    return len(said)


def _note(found: dict[str, tuple[float, str]], key: str, weight: float, item: str) -> None:
    if key not in found or found[key][0] < weight:
        found[key] = (weight, item)


@lru_cache(maxsize=50_000)
def _meanings(word: str) -> tuple[tuple[int, str, float], ...]:
    """What one word stands for: (overlay, entry, weight), for each overlay the heaviest."""
    best: dict[int, tuple[str, float]] = {}
    met = [(place, key, weight) for place, key, weight in _SINGLES.get(stem(word), ())]
    met += [(place, start, weight) for place, start, weight in _STARTS if word.startswith(start)]
    for place, key, weight in met:
        if place not in best or best[place][1] < weight:
            best[place] = (key, weight)
    return tuple((place, key, weight) for place, (key, weight) in best.items())


def _entries() -> tuple[
    dict[str, list[tuple[int, str, float]]],
    list[tuple[int, str, float]],
    dict[str, list[tuple[int, tuple[str, ...], float]]],
]:
    """The listed words: single ones by stem, beginnings, and phrases by the stem of their first word."""
    singles: dict[str, list[tuple[int, str, float]]] = {}
    starts: list[tuple[int, str, float]] = []
    phrases: dict[str, list[tuple[int, tuple[str, ...], float]]] = {}
    for place, overlay in enumerate(OVERLAYS):
        listed = WORDS[overlay]
        for entries, weight in ((listed.decisive, DECISIVE), (listed.plain, PLAIN), (listed.weak, WEAK)):
            for entry in entries.split(","):
                parts = tuple(stem(word) for word in words(entry.replace("*", "")))
                if len(parts) > 1:
                    phrases.setdefault(parts[0], []).append((place, parts, weight))
                elif entry.strip().endswith("*"):
                    starts.append((place, entry.strip()[:-1], weight))
                else:
                    singles.setdefault(parts[0], []).append((place, parts[0], weight))
    return singles, starts, phrases


_SINGLES, _STARTS, _PHRASES = _entries()


def _shapes(prose: str, fenced: Sequence[tuple[str, str]], calls: str | None) -> dict[Overlay, tuple[float, str]]:
    """What commands, calculations and code are worth, by overlay. A fence alone is worth nothing: configuration is in
    fences too."""
    found: dict[Overlay, tuple[float, str]] = {}
    shell = sum(
        bool(line.strip()) for language, code in fenced if language.lower() in _SHELL for line in code.splitlines()
    )
    shell += len(_PROMPT.findall(prose))
    if shell or calls:
        what = "a tool call" if calls and not shell else f"{shell} lines of shell"
        found["O5"] = (1.5 * bool(calls) + min(1.0 + 0.25 * shell, 2.0) * bool(shell), what)
    logic = loops = sums = 0
    for language, code in fenced:
        if language.lower() in _SHELL | _CONFIG:
            continue
        for line in code.splitlines():
            logic += bool(_LOGIC.search(line))
            loops += bool(_LOOP.search(line))
            sums += bool(_ARITHMETIC.search(line))
    weight = min(0.15 * logic, 1.2) + min(0.3 * loops, 0.9) + min(0.3 * sums, 1.2)
    orders, equations = len(_ORDER.findall(prose)), len(_EQUATION.findall(prose)) + len(_SYMBOL.findall(prose))
    weight += min(DECISIVE * orders, 3.0) + min(1.2 * equations, 2.4) + min(0.8 * len(_SUM.findall(prose)), 1.6)
    if weight:
        what = f"{logic} lines of logic" if logic else "a calculation"
        found["O6"] = (weight, what)
    return found


# --- Meet -------------------------------------------------------------------------------------------------------


def meet_part(vector: Vectors, anchors: Anchors | None, known: Sequence[KnownNear]) -> Part:
    """What a turn's nearness to the anchors says, and to what the agent knows.

    An anchor says nothing where the turn is as near to what belongs to no overlay. A fact passes on what it is about
    itself: by its words, and by its kind.
    """
    scores = [0.0] * len(OVERLAYS)
    items: list[tuple[str, ...]] = [()] * len(OVERLAYS)
    nearest: list[float | None] = [None] * len(OVERLAYS)
    if anchors is not None:
        near = cosines(anchors.rows, vector)
        neutral = float(near[_BOUNDS[-1] :].max())
        for place, (start, end) in enumerate(pairwise(_BOUNDS)):
            own = near[start:end]
            best = float(own.max())
            score = 10 * _between(best - max(0.0, neutral - anchors.nearness.lo), anchors.nearness)
            if score > 0:
                order = np.argsort(-own, kind="stable")[:MOST_ITEMS]
                scores[place], nearest[place] = score, best
                items[place] = tuple(anchor_id(OVERLAYS[place], int(at)) for at in order)
    for fact in sorted(known, key=lambda one: (-one.cosine, one.id)):
        share = _between(fact.cosine, FACT_NEARNESS)
        for place, own_score in enumerate(fact_scores(fact.text, fact.kind)):
            if share * own_score > scores[place]:
                scores[place], nearest[place] = share * own_score, fact.cosine
                items[place] = (fact.id, *items[place])[:MOST_ITEMS]
    return Part("meet", _scores(scores), tuple(items), tuple(nearest))


@lru_cache(maxsize=5_000)
def fact_scores(text: str, kind: str) -> Scores:
    """What a fact or a statement is about: by its words, and at least by its kind."""
    by_words = keyword_part(text).scores
    by_kind = KINDS.get(kind, {})
    return _scores([max(score, by_kind.get(overlay, 0.0)) for overlay, score in zip(OVERLAYS, by_words, strict=True)])


def _bounds() -> list[int]:
    """Where the anchors of each overlay begin, and the neutral ones."""
    ends = [0]
    for overlay in OVERLAYS:
        ends.append(ends[-1] + len(ANCHORS[overlay]))
    return ends


_BOUNDS = _bounds()


def _between(cosine: float, nearness: Nearness) -> float:
    return min(max((cosine - nearness.lo) / (nearness.hi - nearness.lo), 0.0), 1.0)


# --- together ---------------------------------------------------------------------------------------------------


def united(by_words: Part, met: Part | None) -> Scores:
    """The scores by words and by nearness together: each takes its share of what the other leaves open."""
    if met is None:
        return by_words.scores
    return _scores(
        [10 * (1 - (1 - one / 10) * (1 - other / 10)) for one, other in zip(by_words.scores, met.scores, strict=True)]
    )


def inherited_part(heirs: Sequence[Inheritance]) -> Part:
    """What earlier turns pass on to one that is much like them: at most half of theirs, less with each step."""
    scores = [0.0] * len(OVERLAYS)
    items: list[tuple[str, ...]] = [()] * len(OVERLAYS)
    nearest: list[float | None] = [None] * len(OVERLAYS)
    for heir in heirs:
        if heir.cosine < ALIKE:
            continue
        for place, score in enumerate(heir.scores):
            passed = INHERITED * score * PER_STEP**heir.distance
            if passed > scores[place]:
                scores[place], items[place], nearest[place] = passed, (heir.id,), heir.cosine
    return Part("propagated", _scores(scores), tuple(items), tuple(nearest))


def highest(own: Scores, inherited: Part | None) -> Scores:
    if inherited is None:
        return own
    return _scores([max(pair) for pair in zip(own, inherited.scores, strict=True)])


def evidence_of(parts: Sequence[Part | None]) -> dict[Overlay, tuple[Evidence, ...]]:
    """The reasons for each score that has any, the best first."""
    found: dict[Overlay, tuple[Evidence, ...]] = {}
    for place, overlay in enumerate(OVERLAYS):
        reasons = [
            Evidence(via=part.via, score=part.scores[place], items=part.items[place], cosine=part.cosines[place])
            for part in parts
            if part is not None and part.scores[place] >= LEAST
        ]
        if reasons:
            found[overlay] = tuple(sorted(reasons, key=lambda reason: -reason.score))
    return found


def _scores(values: Sequence[float]) -> Scores:
    """Within 0 and 10, to one decimal: more would pretend to know more."""
    o1, o2, o3, o4, o5, o6, o7 = (min(max(round(value, 1), 0.0), 10.0) for value in values)
    return (o1, o2, o3, o4, o5, o6, o7)
