"""A statement as the words it begins with, its verb, and what follows: read by word lists alone, as it is written."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.essence import spelt
from graphmem.rules.contradiction.gists import shared_key
from graphmem.rules.contradiction.laying import is_participle
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import fold


class Begun(NamedTuple):
    """A statement in three: the words up to its verb, the verb, and what follows."""

    head: tuple[str, ...]
    verb: str
    rest: str


def begin(text: str) -> Begun | None:
    """The statement in three, None where it begins with its verb, or with where or when, or no verb is seen.

    >>> begin("Dr. Roth's deputy is now in Oslo.")
    Begun(head=('dr', "roth's", 'deputy'), verb='is', rest='in oslo')
    """
    said = _PERIOD.sub(r"\1", text.replace("’", "'")).rstrip(".! ")
    found = _VERB.search(said)
    if found is None:
        return None
    head = tuple(WORD.findall(fold(said[: found.start()])))
    if not head or head[0] in table.PREPOSITIONS or "," in said[: found.start()]:
        return None
    if said[0].islower() and head[0] in table.AUX:
        return None
    return Begun(head, found["verb"], _NOW.sub("", fold(said[found.end() :])).strip())


def without_determiners(head: Sequence[str]) -> list[str]:
    """The words without articles and words for whose it is."""
    return [word for word in head if word not in _DETERMINERS]


def as_key(word: str) -> str:
    """The key that all words share that say the same."""
    return shared_key(key(_IN_FULL.get(word) or fold(spelt(word.capitalize()))))


def is_same(one: str, other: str) -> bool:
    """Whether two words say the same, or are two spellings or forms of one name."""
    return as_key(one) == as_key(other)


def says_little(word: str) -> bool:
    """Whether a word behind a noun makes no other thing of it: the billing service, the gates there."""
    return (
        word in table.EMPTY
        or word[0].isdigit()
        or word.endswith("ly")
        or key(word) in table.TYPE_WORDS
        or is_participle(word)
    )


_IN_FULL = {"st": "saint", "prof": "professor"}
_PERIOD = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St|[A-Z])\.(?= )")
WORD = re.compile(r"[^\s,;:()\"_-]+")
_NOW = re.compile(r"\b(?:now|currently|also|still)\b ?")
_VERB = re.compile(
    r" (?P<verb>isn't|aren't|wasn't|doesn't|don't|hasn't|haven't|won't|can't|cannot|is|are|was|were|has|have|had|does"
    r"|do|did|can|could|will|would|must|may|should|no longer|never|now"
    r"|quit|lost|sold|became|went|got|gave|took|broke|met|won|began|stopped|(?<!\bthe )left"
    r"|[a-z]+ed(?= (?:the|an?|to|from|in|on|at|up|out|over|with|her|his|its|their)\b)"
    r"|(?<!\bthe )(?<!\bour )(?<!\bmy )[a-z]{2,}[a-rt-z]s(?=$| (?!is |was |are |were |has |have |can )"
    r"(?:[a-z]+ly |on |in |at |to |for |with |from |without |by )?[\w'\"$€-]))\b"
)
_DETERMINERS = word_set("the a an our my his her their its")
LITTLE = _DETERMINERS | word_set(
    """this that these those all every each some no nobody many few half most both new current old present former last
    latest first next other another only one two three"""
)
"""Words before a noun that leave it the thing it was, or tell how many there are."""
OURS = word_set("our my his her their")
