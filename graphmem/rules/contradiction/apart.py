"""Why two statements speak of different things, though their words are alike: what is Ana's is not Ana, the train from
Ulm is not the train to Ulm, who handles region 1 may handle region 2."""

import re

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.gists import gist
from graphmem.rules.contradiction.laying import Laid, lay
from graphmem.rules.language.stems import entries, stem, stems
from graphmem.rules.language.text import fold, words

_LETTERED = re.compile(r"^(?:The |the )?(?P<noun>\w+) (?P<letter>[A-Z])\b")
_LETTER_BEFORE = re.compile(r"\b[Tt]he (?P<letter>[A-Z]) (?P<noun>[a-z]+)\b")
"""Things that are told apart by a letter."""


def of_another(old: str, new: str) -> bool:
    """Whether one speaks of somebody, and the other of what is theirs: "Ana doesn't ski", "Ana's children ski"."""
    owners = [table.OWNER.match(fold(text)) for text in (old, new)]
    return any(
        mine is not None and yours is None and re.match(rf"{re.escape(mine[1])}\b(?!'s)", fold(text)) is not None
        for mine, yours, text in ((owners[0], owners[1], new), (owners[1], owners[0], old))
    )


def of_kin(old: str, new: str) -> bool:
    """Whether one speaks of somebody, and the other of their kin or pets."""
    kin = [_KIN_OF.match(fold(text)) for text in (old, new)]
    return any(
        mine is not None and yours is None and re.match(rf"{re.escape(mine[1])}\b(?!')", fold(text)) is not None
        for mine, yours, text in ((kin[0], kin[1], new), (kin[1], kin[0], old))
    )


_KIN_OF = re.compile(
    rf"(\S+?)'s? (?:\w+ )?(?:{'|'.join(single.KIN_NAMES.split())})s?\b(?! (?:is|are) (?!in |at |on )[a-z])"
)


def told_apart(old: str, new: str) -> bool:
    """Whether small words tell two subjects apart: his and her, this one and the other, hall A and hall B."""
    starts = [words(text)[:4] for text in (old, new)]
    for one, other in zip(*starts, strict=False):
        if one != other:
            parted = table.TELLING.get(one), table.TELLING.get(other)
            if None not in parted and parted[0] != parted[1]:
                return True
            break
    labels = [_LABEL.match(fold(text)) for text in (old, new)]
    if all(labels) and len({label[1] for label in labels if label}) == 2:
        return True
    for pattern in (_LETTERED, _LETTER_BEFORE):
        one, other = pattern.search(old), pattern.search(new)
        if one and other and one["noun"].lower() == other["noun"].lower() and one["letter"] != other["letter"]:
            return True
    return False


_LABEL = re.compile(
    r"(?:the |its |his |her |our |their |an? )?(id|key|name|title|label|slug|code|index|version|type)s? (?:is|has) "
)
"""What any record has more than one of, though each is a small word."""


def in_another_identifier(old: str, new: str) -> bool:
    """Whether a word of one is in the other only as a part of an identifier: "users" is not `user_settings`."""
    if "_" not in old and "_" not in new:
        return False
    squashed = [_JOINTS.sub("", fold(text)) for text in (old, new)]
    for one, other, whole in ((old, new, squashed[1]), (new, old, squashed[0])):
        strange = [name for name in _IDENTIFIER.findall(fold(one)) if _JOINTS.sub("", name) not in whole]
        parts = {key(part) for name in strange for part in name.split("_") if part}
        rest = {key(word) for word in words(_IDENTIFIER.sub(" ", fold(one)))}
        if (parts - rest) & {key(word) for word in words(_IDENTIFIER.sub(" ", fold(other)))}:
            return True
    return False


_IDENTIFIER = re.compile(r"\b\w+_\w+\b")
_JOINTS = re.compile(r"[\s_-]")


def of_some(old: str, new: str) -> bool:
    """Whether both speak of some of the same things: of those some may be so, and the others not."""
    shares = [_SOME.match(fold(text)) for text in (old, new)]
    return all(shares) and {share[0] for share in shares if share} != {"most"}


_SOME = re.compile(
    r"(?:some|(?:only |quite )?a few|several|many|half|most|not all|not every)\b(?! (?:time|day|night)s?\b)"
)


def of_a_longer_name(old: str, new: str) -> bool:
    """Whether the newer one says it of Acme Labs, and the older one of Acme. The other way round it may be short."""
    known, told = (_NAME_OF.match(text) or _NAMES.match(text) for text in (old, new))
    if known is None or told is None:
        return False
    nouns = [words(side["noun"].removesuffix(" of"))[-1:] for side in (known, told)]
    names = {known["name"], told["name"]}
    return nouns[0] == nouns[1] and (
        told["name"].startswith(f"{known['name']} ")
        or any({name, f"{way} {name}"} == names for name in names for way in _WAYS)
    )


_WAYS = ("New", "North", "South", "East", "West", "Upper", "Lower", "Great", "Little")
_NAMES = re.compile(
    r"(?P<name>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,3})'s (?P<noun>[\w -]+?) (?=(?:is|are|was|has|have|\w+s) )"
)
_NAME_OF = re.compile(
    r"(?P<noun>[\w' -]+? (?:of|at|for)) (?P<name>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,3})"
    r" (?=(?:is|are|was|has|have|\w+s) )"
)


def described_apart(old: str, new: str) -> bool:
    """Whether two of one name are told apart by what is said of them aside: Eva Roth, the baker, and Eva Roth, the
    judge."""
    sides = [_DESCRIBED.match(text) for text in (old, new)]
    if not all(sides) or _NO_MORE.search(new):
        return False
    names = [fold(side["name"]) for side in sides if side]
    whats = [_WHERE.split(side["what"], maxsplit=1)[0] for side in sides if side]
    told = [{*map(stem, words(what))} - table.EMPTY - _SMALL for what in whats]
    return names[0] == names[1] and all(told) and not told[0] & told[1]


_DESCRIBED = re.compile(
    r"(?P<name>[A-ZÀ-Þ][\w.'-]*(?: [A-ZÀ-Þ][\w'-]+){0,3})"
    r"(?:, (?=(?:the|our|my|his|her|their|an?|who)\b)| \(| (?=the [a-z]))"
    r"(?P<what>(?<=, )[^,;]{2,60}(?=, )|(?<=\()[^)]{2,40}(?=\))|the [\w-]+(?= (?:is|has|was|does|can|[a-z]+s)\b))"
)
_WHERE = re.compile(r" (?:in|on|at|of|from|near|for|with) ")
_NO_MORE = re.compile(r"\b(?:no longer|any ?more|now|instead)\b")
_SMALL = frozenset(map(stem, ("is", "are", "was", "has", "new", "old")))


def go_another_way(old: str, new: str) -> bool:
    """Whether the subject of one leads where that of the other comes from: the bus to and from the airport.

    >>> go_another_way("The train to Ulm is full.", "The train from Ulm is empty.")
    True
    >>> go_another_way("The train to Ulm is full.", "The train to Ulm is empty.")
    False
    """
    one, other = gist(old), gist(new)
    ways = [set(_UP_OR_DOWN.findall(side.said)) for side in (one, other)]
    if all(ways) and not ways[0] & ways[1]:
        return True
    return any(
        frozenset({one.under.get(word, ""), other.under.get(word, "")}) in _OTHER_WAYS
        for word in one.subject & other.subject
    )


_OTHER_WAYS = tuple(
    frozenset(pair.split())
    for pair in entries("to from; into from; before after; above below; inside outside; with without; under over")
)
_UP_OR_DOWN = re.compile(r"^(?:the |a )?[\w -]+? (up|down|there|back|out|in) (?:to|from|into|of)\b")


def numbered_apart(old: str, new: str) -> bool:
    """Whether both do something to a numbered thing of which there are many, and to two of them. What one is, is in or
    runs on has one number at a time; so has a port, a version, a level.

    >>> numbered_apart("handles region 1", "handles region 2"), numbered_apart("uses port 1", "uses port 2")
    (True, False)
    """
    one, other = (_labels(lay(text)) for text in (old, new))
    return len(one) == len(other) == 1 and one.keys() == other.keys() and one != other


def _labels(laid: Laid) -> dict[str, str]:
    """The numbers that name one of many things, by the noun before them."""
    found = {}
    for at in range(2, len(laid.keys) + 1):
        noun, number = laid.keys[at - 2 : at]
        last = at == len(laid.keys) or laid.said[at] in table.PREPOSITIONS
        if number.isdigit() and noun.isalpha() and last and _is_one_of_many(laid, at - 2):
            found[noun] = number
    return found


def _is_one_of_many(laid: Laid, noun: int) -> bool:
    """Whether the verb before a noun may have many such objects."""
    if laid.said[noun] in table.PREPOSITIONS | table.AUX or {laid.keys[noun], stem(laid.said[noun])} & _ONE_EACH:
        return False
    preposition = ""
    for word, key_ in zip(laid.said[noun - 1 :: -1] if noun else (), laid.keys[noun - 1 :: -1], strict=False):
        lemma = stem(word)
        if key_ == "be" or word in table.AUX:
            return False
        if word in table.PREPOSITIONS:
            preposition = word
        elif lemma in _VERBS or (word.endswith("s") and not word.endswith(("ss", "'s"))):
            placed = lemma in single.PLACED | single.DONE or f"{lemma} {preposition}" in single.SINGLE
            return lemma not in _OF_VERSIONS and not (preposition and placed)
    return False


_ONE_EACH = single.ANY_VALUE | stems("port version release number size level rank grade model target")
"""Nouns of which a thing has one, so that the number behind one is its value."""
_VERBS = table.VERBS | single.MANY | single.PLACED | single.HOLDERS
_OF_VERSIONS = stems("use run need require target pin upgrade downgrade install have")
"""Verbs of which the object is a thing and its version: uses Node 18."""
