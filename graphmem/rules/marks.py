"""Which of many pieces of words a text has, without a look for each: by three letters that the piece has in a row."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

_GRAM = 3


class Marks:
    """Groups of marks, each of which stands for the patterns that can match only where one of its marks is."""

    def __init__(self, groups: Sequence[Iterable[str]]) -> None:
        of: dict[str, list[int]] = defaultdict(list)
        for place, marks in enumerate(groups):
            for mark in marks:
                of[mark].append(place)
        common = Counter(gram for mark in of for gram in _grams(mark))
        self._short = [(mark, of[mark]) for mark in of if len(mark) < _GRAM]
        self._by_gram: dict[str, list[tuple[str, list[int]]]] = defaultdict(list)
        for mark, places in of.items():
            if len(mark) >= _GRAM:
                rarest = min(_grams(mark), key=lambda gram: (common[gram], gram))
                self._by_gram[rarest].append((mark, places))

    def found(self, text: str) -> list[int]:
        """The places of the groups that have a mark which is in the text, in order, each once.

        >>> Marks([["lives in", "home"], ["port "]]).found("Ana lives in Porto.")
        [0]
        """
        places: set[int] = set()
        for mark, its in self._short:
            if mark in text:
                places.update(its)
        for gram in self._by_gram.keys() & _grams(text):
            for mark, its in self._by_gram[gram]:
                if mark in text:
                    places.update(its)
        return sorted(places)


def _grams(text: str) -> set[str]:
    return {text[start : start + _GRAM] for start in range(len(text) - _GRAM + 1)}
