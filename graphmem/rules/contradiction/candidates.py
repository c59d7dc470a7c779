"""Which statements can contradict each other at all: found by what they share, so that not all pairs are compared."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from graphmem.rules.contradiction.traits import Traits


class Candidates:
    """Statements by their traits, found by their places in the sequence.

    `asked`: the places of those that matter, None for all; two others are never laid beside each other, so that a new
    statement beside a thousand costs a look at each and not at each pair.
    """

    def __init__(self, traits: Sequence[Traits], asked: Collection[int] | None = None) -> None:
        self._traits = traits
        self._asked = frozenset(range(len(traits)) if asked is None else asked)
        self._showing: dict[int, list[int]] = defaultdict(list)
        self._seeking: dict[int, list[int]] = defaultdict(list)
        matters = [traits[place] for place in self._asked]
        sought = frozenset[int]().union(*(one.seeks for one in matters))
        shown = frozenset[int]().union(*(one.shows for one in matters))
        for place, one in enumerate(traits):
            for trait in one.shows & sought:
                self._showing[trait].append(place)
            for trait in one.seeks & shown:
                self._seeking[trait].append(place)
        self._sought = frozenset(self._seeking)  # most of what a statement shows nobody seeks
        self._beside: dict[int, set[int]] = defaultdict(set)
        if len(self._asked) < len(traits):
            for place in self._asked:
                for other in self._met_by(place) - self._asked:
                    self._beside[other].add(place)

    def of(self, place: int) -> set[int]:
        """The places of all statements that may contradict this one, or be contradicted by it; of one that was not
        asked about, of those that were."""
        return self._met_by(place) if place in self._asked else set(self._beside.get(place, ()))

    def _met_by(self, place: int) -> set[int]:
        traits, found = self._traits[place], set[int]()
        for trait in traits.seeks:
            found.update(self._showing.get(trait, ()))
        for trait in traits.shows & self._sought:
            found.update(self._seeking[trait])
        return found - {place}
