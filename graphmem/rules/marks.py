"""Which of many pieces of words a text has, found in one pass over it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ahocorasick import Automaton


class Marks:
    """Groups of marks, each of which stands for the patterns that can match only where one of its marks is."""

    def __init__(self, groups: Sequence[Iterable[str]]) -> None:
        of: dict[str, list[int]] = defaultdict(list)
        for place, marks in enumerate(groups):
            for mark in marks:
                of[mark].append(place)
        self._automaton = Automaton()
        for mark, places in of.items():
            self._automaton.add_word(mark, places)
        self._automaton.make_automaton()

    def found(self, text: str) -> list[int]:
        """The places of the groups that have a mark which is in the text, in order, each once.

        >>> Marks([["lives in", "home"], ["port "]]).found("Ana lives in Porto.")
        [0]
        """
        if not len(self._automaton):
            return []
        return sorted({place for _, places in self._automaton.iter(text) for place in places})
