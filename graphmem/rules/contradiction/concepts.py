"""What words stand for, whatever form and synonym is said: the measure by which two topics are the same."""

from collections.abc import Collection
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import SAME
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.gists import root
from graphmem.rules.language.text import words

_LONG = 6
"""Letters up to which a word has no root of its own."""
_SMALL = table.EMPTY | table.PREPOSITIONS


def concept(one: str) -> str:
    """What a key stands for: the one of all that say the same, by its root.

    >>> concept("replacement") == concept("replac")
    True
    """
    same = SAME.get(one, one)
    return root(same) if len(same) > _LONG and same.isalpha() else same


@lru_cache(maxsize=4_096)
def concepts(text: str, besides: Collection[str] = frozenset()) -> frozenset[str]:
    """What the words of a text stand for, without articles, prepositions, auxiliaries, and those in `besides`."""
    told = (word for word in words(text) if word not in _SMALL and word not in besides)
    return frozenset(concept(key(word.removesuffix("'s"))) for word in told)
