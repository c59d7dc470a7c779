"""Finds which of many word pieces a text contains, in one pass."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ahocorasick import Automaton

from graphmem.rules.language.regex_literals import literals

MOST_WAYS = 256
"""Most alternatives of one pattern, each with its own mark; a pattern with more is tried in every text."""


class Marks:
    """Groups of marks; the patterns of a group can match only where one of its marks occurs."""

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
        """The indexes of the groups with a mark that occurs in the text, in order, each once.

        >>> Marks([["lives in", "home"], ["port "]]).found("Ana lives in Porto.")
        [0]
        """
        met = self._automaton.iter(text) if len(self._automaton) else ()
        return sorted({place for _, places in met for place in places})


class Sieve:
    """Patterns, each tried only where a text contains a piece that it requires, ignoring case."""

    def __init__(self, patterns: Iterable[str]) -> None:
        groups = [[max(way, key=len).lower() for way in literals(one, MOST_WAYS)] for one in patterns]
        self._anywhere = frozenset(place for place, marks in enumerate(groups) if not marks)
        self._marks = Marks(groups)

    def tried(self, text: str) -> frozenset[int]:
        """The indexes of the patterns that may match in a text.

        >>> sorted(Sieve(["uses? redis", "(?i)never", r"\\w+"]).tried("Never on Fridays."))
        [1, 2]
        """
        return self._anywhere.union(self._marks.found(text.lower() if text.isascii() else _as_ascii(text)))


def _as_ascii(text: str) -> str:
    """In lower case, with the letters that match others where case is ignored as those: İ and ı as i, ſ as s."""
    return text.translate(_LETTERS).lower()


_LETTERS = str.maketrans("İıſ", "iis")
