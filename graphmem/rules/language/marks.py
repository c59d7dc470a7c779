"""Which of many pieces of words a text has, found in one pass over it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ahocorasick import Automaton

from graphmem.rules.language.regex_literals import literals

MOST_WAYS = 256
"""Ways to meet one pattern, each with a mark of its own; a pattern with more is tried in every text."""


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
        met = self._automaton.iter(text) if len(self._automaton) else ()
        return sorted({place for _, places in met for place in places})


class Sieve:
    """Patterns, each to be tried only where a text has a piece that it cannot match without, case aside."""

    def __init__(self, patterns: Iterable[str]) -> None:
        groups = [[max(way, key=len).lower() for way in literals(one, MOST_WAYS)] for one in patterns]
        self._anywhere = frozenset(place for place, marks in enumerate(groups) if not marks)
        self._marks = Marks(groups)

    def tried(self, text: str) -> frozenset[int]:
        """The places of the patterns that may match in a text.

        >>> sorted(Sieve(["uses? redis", "(?i)never", r"\\w+"]).tried("Never on Fridays."))
        [1, 2]
        """
        return self._anywhere.union(self._marks.found(text.lower()))
