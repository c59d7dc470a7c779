"""Which older facts a newer one replaces though no rule sees it: the same thing is said of both, with another value.

A trained scorer (`scripts/train_likeness.py`) decides, by what the claims of both have in common and by how near their
frames are to each other in meaning. It is asked about few pairs: those that it may say yes to at all.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from graphmem.model.knowledge import Signal
from graphmem.rules.claims import Alike, alike, circumstances, terms
from graphmem.rules.extraction import shipped
from graphmem.rules.supersession.decision import Fact, Likely, is_open

TRAINED_WITH = "all-MiniLM-L6-v2"
"""The embedder whose vectors the scorer knows."""
MOST = 12
"""Most pairs of facts that vectors are made for, for one change."""
MOST_CONFIDENT = 0.95
_NEAREST = 1.0


@dataclass(frozen=True, slots=True)
class Compared:
    """An older and a newer fact with the pairs of their values, and the best score that these can reach. `together`:
    both were said in one session, or are new together."""

    old: str
    new: str
    pairs: tuple[Alike, ...]
    together: bool
    best: float


def worth_comparing(fresh: Collection[Fact], held: Iterable[Fact], least: float) -> list[Compared]:
    """The pairs of facts, one of them new, that may reach a score of `least`: those that may reach the highest first,
    `MOST` of them."""
    new = {fact.id: fact for fact in fresh}
    by_term: dict[str, list[Fact]] = defaultdict(list)
    for fact in ({fact.id: fact for fact in held} | new).values():
        for term in _terms(fact):
            by_term[term].append(fact)
    found: dict[tuple[str, str], Compared] = {}
    for fact in new.values():
        beside = {other.id: other for term in _terms(fact) for other in by_term[term] if other.id != fact.id}
        for other in beside.values():
            for old, newer in ((other, fact), (fact, other)):
                at_once = old.statement == newer.statement != ""  # what is said in one breath holds at once
                if (old.id, newer.id) not in found and not at_once and is_open(old, newer):
                    together = {old.id, newer.id} <= new.keys() or bool(old.sessions & newer.sessions)
                    if compared := _compared(old, newer, together=together):
                        found[old.id, newer.id] = compared
    promising = [one for one in found.values() if one.best >= least]
    return sorted(promising, key=lambda one: (-one.best, one.old, one.new))[:MOST]


def likely(compared: Iterable[Compared], vectors: Mapping[str, Sequence[float]]) -> Likely:
    """For each pair of facts how sure the scorer is that the newer one replaces the older one, with its evidence.
    `vectors`: of each frame, of length 1."""
    found: dict[tuple[str, str], Signal] = {}
    for one in compared:
        scored = [(_score(pair, _cosine(vectors, pair), together=one.together), pair) for pair in one.pairs]
        confidence, pair = max(scored, key=lambda both: both[0])
        evidence = f'{pair.evidence} in "{pair.new_frame}"'
        found[one.old, one.new] = Signal(
            name="value_conflict", confidence=min(confidence, MOST_CONFIDENT), evidence=evidence
        )
    return found


def _compared(old: Fact, new: Fact, *, together: bool) -> Compared | None:
    pairs = tuple(alike(old.content, old.claims, new.content, new.claims))
    if not pairs:
        return None
    best = max(_score(pair, _NEAREST, together=together) for pair in pairs)
    return Compared(old.id, new.id, pairs, together, best)


def _score(pair: Alike, cosine: float, *, together: bool) -> float:
    told = (*pair.features, *circumstances(cosine, together=together))
    return shipped("likeness").pick(told)[1]


def _cosine(vectors: Mapping[str, Sequence[float]], pair: Alike) -> float:
    return sum(a * b for a, b in zip(vectors[pair.old_frame], vectors[pair.new_frame], strict=True))


def _terms(fact: Fact) -> Set[str]:
    return frozenset[str]().union(*(terms(claim) for claim in fact.claims))
