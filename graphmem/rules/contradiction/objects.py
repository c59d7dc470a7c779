"""Whether two statements say it of two things behind the verb: she likes the far room, she dislikes the near room; she
feeds our cat, she no longer feeds the neighbour's."""

import re

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.begun import LITTLE, OURS, WORD, Begun, as_key, begin, is_same, says_little
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import fold, words


def speak_of_another(old: str, new: str, values: str) -> bool:
    """Whether both name a thing by one noun and by another word before it, which is not what is another one now: she
    likes the far room, she dislikes the near room.

    *Shape*: `values` is what is evident of both, as signals tell it: "'five' against 'six'".

    >>> speak_of_another("The far room has two beds.", "The near room has three beds.", "'two' against 'three'")
    True
    >>> speak_of_another("She moved to the far room.", "She moved to the near room.", "'far room' against 'near room'")
    False
    """
    if values and "' against '" not in values:
        return False
    mine, yours = _described(old), _described(new)
    both = {*WORD.findall(fold(old))}, {*WORD.findall(fold(new))}
    return any(
        noun == other
        and not is_same(one, another)
        and one not in both[1]
        and another not in both[0]
        and not _is_the_value(key(one), key(another), values)
        for one, noun in mine
        for another, other in yours
    )


def _is_the_value(one: str, other: str, values: str) -> bool:
    """Whether what is evident differs in these two words, and in no others."""
    sides = [{key(word) for word in words(side)} for side in values.partition("' against '")[::2]]
    apart = sides[0] - sides[1], sides[1] - sides[0]
    return bool({one, other} & (sides[0] | sides[1])) and not (apart[0] - {one} and apart[1] - {other})


def _described(text: str) -> list[tuple[str, str]]:
    """Each word before a noun, and the noun."""
    return [
        (word.replace("-", ""), as_key(noun))
        for word, noun in _DESCRIBED.findall(fold(text))
        if word not in LITTLE and not word[0].isdigit() and noun not in table.EMPTY | table.AUX | table.BE
    ]


_DESCRIBED = re.compile(r"\b(?:the|our|my|his|her|their|[a-z]+'s) ([\w-]+) (?=([\w-]+))")


def tells_of_theirs(old: str, new: str) -> bool:
    """Whether one tells something of somebody, and the other of what is theirs: she likes Ole, she can't stand Ole's
    boss; she feeds our cat, she no longer feeds the neighbour's cat."""
    one, other = begin(old), begin(new)
    return one is not None and other is not None and (_is_of_more(one, other) or _is_of_more(other, one))


def _is_of_more(more: Begun, plain: Begun) -> bool:
    told = {*words(plain.rest)}
    return any(
        (whose in told and what[:4] not in {word[:4] for word in told} and f"{whose}'" not in plain.rest)
        or any(f"{our} {what}" in plain.rest for our in OURS)
        for whose, what in _WHOSE.findall(more.rest)
    )


_WHOSE = re.compile(
    r"\b([\w-]+)(?:'s|(?<=s)') (?:[\w-]+ (?=[\w-]+(?:$| (?:in|on|at|of|to|for|any|too|now)\b)))?([\w-]+)"
)


def denies_of_more(old: str, new: str, values: str) -> bool:
    """Whether both speak of a thing behind the verb, and one has a word more for it, so that it is another: she works
    for the chairman, she doesn't work for the vice chairman; she reads the manual, she skips the manual pages."""
    one, other = begin(old), begin(new)
    if one is None or other is None:
        return False
    return _names_more(old, new) or any(
        _ranks_apart(plain, full, newer=full is other) or _heads_more(plain.rest, full.rest, values)
        for plain, full in ((one, other), (other, one))
    )


def _ranks_apart(plain: Begun, full: Begun, *, newer: bool) -> bool:
    bare = {as_key(noun) for noun in _BARE.findall(plain.rest)}
    told = {*plain.head, *WORD.findall(plain.rest)}
    return any(
        noun in bare and word not in told and (newer or word in _OTHER_RANKS) for word, noun in _described(full.rest)
    )


def _heads_more(plain: str, full: str, values: str) -> bool:
    bare, evident = {*_LAST_NOUN.findall(plain)}, {key(word) for word in words(values)}
    return any(
        noun in bare and key(more) not in evident and not says_little(more) for noun, more in _TWO_NOUNS.findall(full)
    )


def _names_more(old: str, new: str) -> bool:
    """Whether two names begin with one word and go on otherwise. The newer one may be short for the older one."""
    sides = [[found.split() for found in _NAME_RUN.findall(text)] for text in (old, new)]
    return any(
        one[0] == other[0] and one != other and one[: len(other)] != other for one in sides[0] for other in sides[1]
    )


_NAME_RUN = re.compile(r"(?<=[a-z] )[A-ZÀ-Þ][\w-]+(?: (?:[A-ZÀ-Þ][\w-]*|\d+))*")
_ENDED = r"(?=$| (?:in|on|at|of|to|for|from|with|by|any|too|now|since)\b)"
_LAST_NOUN = re.compile(rf"\b(?:the|our|my|his|her|their) ([\w-]+){_ENDED}")
_TWO_NOUNS = re.compile(rf"\b(?:the|our|my|his|her|their) ([\w-]+) ([\w-]+){_ENDED}")
_BARE = re.compile(r"\b(?:the|our|my|his|her|their) ([\w-]+)")
_OTHER_RANKS = word_set("vice deputy assistant former ex acting junior senior honorary chief second")


def parts_from_another(old: str, new: str) -> bool:
    """Whether the newer one tells that somebody parted from another one than the older one tells of."""
    with_, from_ = _WITH.search(old), _PARTED.search(new)
    if from_ is None:
        return False
    if from_["theirs"] and f"{from_[1]}'s" not in old:
        return True
    if with_ is None:
        return False
    one, other = {*with_[1].split()}, {*from_[1].split()}
    return (
        not one <= other and not other <= one and not one <= {*WORD.findall(new)} and not other <= {*WORD.findall(old)}
    )


_NAME = r"([A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)*)"
_WITH = re.compile(rf"\b(?:(?:married|engaged|wed) to|with) {_NAME}")
_PARTED = re.compile(rf"\b(?:divorced|separated from|split from|broke up with|left) {_NAME}(?P<theirs>'s)?")
