"""Whether a newer statement speaks of another thing of that kind: of the youth choir, where the older one speaks of the
choir."""

from collections.abc import Collection

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import MOVERS, ROLES
from graphmem.rules.contradiction.gists import Gist, shared_key
from graphmem.rules.contradiction.laying import key_of
from graphmem.rules.contradiction.single_valued import HOLDERS
from graphmem.rules.language.stems import stem, stems, word_set
from graphmem.rules.language.text import words

_INSTEAD = stems("instead rather besides place")


def is_narrowed(old: Gist, new: Gist) -> bool:
    """Whether the newer statement speaks of another one of the kind: of the Christmas market, of Ana's."""
    heads = old.subject & new.subject
    if not heads:
        shared = old.subject & new.behind
        return bool(
            shared and (new.owners & new.behind) - old.full - old.behind and old.subject - old.names and new.left
        )
    if heads <= old.names:
        return False
    extra = new.subject - old.full - MOVERS - table.TYPE_WORDS - _INSTEAD
    return bool({word for word in extra if not word[0].isdigit()})


_DETERMINERS = word_set("the our my his her its their your this that an a")
_NO_SORT = word_set(
    """new old current present whole entire full own same good other main former latest next last first second annual
    yearly monthly weekly daily planned upcoming final big great little dear beloved small large long busy poor famous
    joint office role post position job duties seat place"""
)
"""Words beside a noun that make it no other thing."""


_HANDED_ON = (
    ROLES
    | HOLDERS
    | stems(
        """leadership lead running management care charge responsibility role post position job task
    rest whole all half part
    chairmanship captaincy direction coordination supervision upkeep maintenance lease ownership possession control
    rights duties work coaching training teaching editing editorship presidency one"""
    )
)
"""Nouns that tell no other thing than the one that they are of: the running of the shop."""


def _is_thing(word: str, old: Gist) -> bool:
    """Whether a noun before "of the choir" names something else than the choir."""
    return stem(word) not in _HANDED_ON and shared_key(key_of(word)) not in old.full and word not in table.EMPTY


def narrows(old: Gist, new: Gist, topic: Collection[str]) -> bool:
    """Whether the newer statement speaks of another thing by a noun that both have: of the youth choir, of the choir's
    accounts, where the older one speaks of the choir.

    >>> from graphmem.rules.contradiction.gists import gist
    >>> choir = gist("Ana leads the choir.")
    >>> [narrows(choir, gist(f"Bo took over {one}."), {"choir"}) for one in ("the youth choir", "the choir")]
    [True, False]
    """
    said = words(new.said)
    for index, word in enumerate(said):
        if shared_key(key_of(word.removesuffix("'s"))) not in topic or word.removesuffix("'s") not in old.said:
            continue
        if word.endswith("'s"):
            owned = said[index + 1] if index + 1 < len(said) else ""
            if owned and owned not in _NO_SORT and shared_key(key_of(owned)) not in old.full:
                return True
        elif (
            index > 2
            and said[index - 2] == "of"
            and said[index - 1] in _DETERMINERS
            and _is_thing(said[index - 3], old)
        ):
            return True
        elif index > 1 and said[index - 2] in _DETERMINERS:
            sort = said[index - 1]
            named = shared_key(key_of(sort)) in new.names and shared_key(key_of(word)) in new.subject
            if (
                not named
                and sort not in _NO_SORT | _DETERMINERS | table.EMPTY | table.PREPOSITIONS
                and shared_key(key_of(sort)) not in old.full
            ):
                return True
    return False
