"""What a noun may mean by itself: "the tracker", where the sample tracker is an entity."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphmem.model.parsed import Token
from graphmem.rules.language.text import canonical_name

_COMMON = frozenset({"NN", "NNS"})


class Echoes:
    """The nouns that names are made of; `names` are all names of each entity, names of one word are left out."""

    def __init__(self, names: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._heads: dict[str, dict[str, None]] = defaultdict(dict)
        self._others: dict[str, dict[str, None]] = defaultdict(dict)
        for entity, forms in names:
            for form in forms:
                *before, last = canonical_name(form).split() or [""]
                if before:
                    self._heads[last][entity] = None
                for word in before:
                    self._others[word][entity] = None

    def headed(self, token: Token) -> Sequence[str]:
        """The entities whose name ends with a common noun.

        >>> tracker = Token("tracker", "tracker", "NOUN", "NN", "nsubj", 1, 0, 7, "", False)
        >>> Echoes([("Sample Tracker", ["Sample Tracker"])]).headed(tracker)
        ('Sample Tracker',)
        """
        return tuple(self._heads.get(token.lemma.lower(), ())) if token.tag in _COMMON else ()

    def named_with(self, token: Token) -> Sequence[str]:
        """Those that have it elsewhere in their name."""
        return tuple(self._others.get(token.lemma.lower(), ())) if token.tag in _COMMON else ()
