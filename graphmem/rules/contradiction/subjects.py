"""Whether two statements that begin alike are about two subjects: the tablet edition, the desktop edition; Greta,
Greta's rival."""

import re

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.alike import ROLES
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.begun import (
    LITTLE,
    OURS,
    WORD,
    Begun,
    as_key,
    begin,
    is_same,
    says_little,
    without_determiners,
)
from graphmem.rules.language.stems import stems, word_set
from graphmem.rules.language.text import fold, words


def begin_apart(old: str, new: str) -> bool:
    """Whether their subjects begin or end with the same words, have others beside these, and go on with the same verb.

    Not where both say the same of it: that is what changed hands.

    >>> begin_apart("The near gate is open.", "The far gate is closed.")
    True
    >>> begin_apart("Ana Berg is the treasurer.", "Ole Berg is the treasurer.")
    False
    """
    one, other = begin(old), begin(new)
    if one is None or other is None or not _go_on_alike(one, other) or _changes_hands(one, other):
        return False
    mine, yours = _without_shared(one.head, other.head)
    if not mine or not yours or _say_the_same(mine, yours) or _is_told(mine, other) or _is_told(yours, one):
        return False
    alone = len(one.head) == len(other.head) == 1 and "has" not in (one.verb, other.verb)
    if not alone and not {*one.head} - {*mine} - LITTLE:
        return False
    numbered = any(word[0].isdigit() for word in (*mine, *yours))
    labelled = len(mine) == len(yours) == 1 and one.head[0] not in mine and one.head[-1] in mine
    return not {*mine[:1], *yours[:1]} & LITTLE and (labelled or not numbered)


def _changes_hands(one: Begun, other: Begun) -> bool:
    """Whether both affirm the same, one perhaps since when."""
    denied = any(_DENIED.search(f"{side.verb} {side.rest}") for side in (one, other))
    rests = f" {one.rest} ", f" {other.rest} "
    return not denied and (rests[0] in rests[1] or rests[1] in rests[0])


def _is_told(words_: tuple[str, ...], of: Begun) -> bool:
    """Whether what one begins with stands behind the verb of the other: Ole is married to Ana, Ana is single."""
    return {*words_} - LITTLE <= {word.removesuffix("'s") for word in WORD.findall(of.rest)}


def _without_shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left of both without what they begin and end with alike."""
    start = 0
    while start < min(len(one), len(other)) and is_same(one[start], other[start]):
        start += 1
    one, other = one[start:], other[start:]
    while one and other and is_same(one[-1], other[-1]):
        one, other = one[:-1], other[:-1]
    return one, other


def _say_the_same(mine: tuple[str, ...], yours: tuple[str, ...]) -> bool:
    """Whether they differ in how they are written, in their order, or in what kind of thing it is said to be."""
    bare = [[word.removesuffix("'s") for word in side] for side in (mine, yours)]
    plain = [[word for word in side if word not in table.EMPTY and key(word) not in table.TYPE_WORDS] for side in bare]
    plain = [some or side for some, side in zip(plain, bare, strict=True)]
    if {*map(as_key, plain[0])} == {*map(as_key, plain[1])} or "".join(bare[0]) == "".join(bare[1]):
        return True
    initials = ["".join(word[0] for word in side) if len(side) > 1 else None for side in plain]
    return plain[0] == [initials[1]] or plain[1] == [initials[0]] or ("of" in mine) != ("of" in yours)


def of_theirs(old: str, new: str) -> bool:
    """Whether one says it of somebody or something, and the other of what is theirs.

    Not of what tells something of the whole: its name, its length, by whom it is owned.

    >>> of_theirs("Greta's rival is the treasurer.", "Greta is no longer the treasurer.")
    True
    >>> of_theirs("The length of the rope is 60 feet.", "The rope is 30 metres long.")
    False
    """
    one, other = begin(old), begin(new)
    if one is None or other is None:
        return False
    alike = _go_on_alike(one, other)
    return any(_is_theirs(*sides, alike) or _has_owner(*sides) for sides in ((one, other), (other, one)))


def _has_owner(theirs: Begun, ours: Begun) -> bool:
    """Whether one speaks of our cat, and the other of the neighbour's cat."""
    owned = _OWNED.fullmatch(" ".join(without_determiners(theirs.head)))
    return owned is not None and ours.head[0] in OURS and owned["what"].split() == without_determiners(ours.head)


def _is_theirs(theirs: Begun, whole: Begun, alike: bool) -> bool:
    head = " ".join(theirs.head)
    owned = _OWNED.fullmatch(head) or _OF.fullmatch(head) or _IN.fullmatch(head)
    if owned is None or without_determiners(owned["whose"].split()) != without_determiners(whole.head):
        return False
    what = [key(word) for word in words(owned["what"])]
    if not what or _SOLE.search(head) or what[-1] in _TOLD_OF_IT or what[0] == "part":
        return False
    if not alike and (what[-1] not in _PEOPLE or theirs.verb in _BEING):
        return False
    if (what[-1] in _SPOUSES and _WED.search(whole.rest)) or (what[-1] in ROLES and " by " in whole.rest):
        return False
    told = {word[:4] for word in words(whole.rest)}
    return not any(word[:4] in told for word in words(owned["what"]) if len(word) > 2)


def has_another_head(old: str, new: str) -> bool:
    """Whether the subject of one is that of the other and a noun behind it: the library, the library café."""
    one, other = begin(old), begin(new)
    if one is None or other is None:
        return False
    short, long = sorted((without_determiners(one.head), without_determiners(other.head)), key=len)
    more = long[len(short) :]
    return (
        len(more) == 1
        and bool(short)
        and _go_on_alike(one, other)
        and long[: len(short)] == short
        and not says_little(more[0])
        and more[0].rstrip(".") not in _FIRMS
    )


def has_a_prefix(old: str, new: str) -> bool:
    """Whether one tells of somebody's brother, and the other of a brother-in-law; of the CEO, and of the ex-CEO."""
    sides = [{*_JOINED.findall(fold(text))} for text in (old, new)]
    return any(
        (found["noun"] or found["kin"]) in theirs
        for mine, theirs in ((sides[0] - sides[1], sides[1]), (sides[1] - sides[0], sides[0]))
        for word in mine
        if (found := _PREFIXED.fullmatch(word))
    )


def _go_on_alike(one: Begun, other: Begun) -> bool:
    verbs = {one.verb, other.verb}
    return (
        len({*map(key, verbs)}) == 1
        or any(verbs <= forms for forms in _FORMS)
        or not verbs.isdisjoint(_DENYING)
        or any(side.verb == "has" and _DONE.match(side.rest) for side in (one, other))
    )


_TOLD_OF_IT = (
    (single.VALUED - ROLES)
    | stems(
        """name birthplace birthday length height width depth weight age size speed duration founding language licence
        pressure entry entrance door charge release launch retention period"""
    )
) - stems(f"{single.KIN_NAMES} mentor supervisor")
_JOINED = re.compile(r"[\w]+(?:-[\w]+)*")
_PREFIXED = re.compile(r"(?:(?:ex|step|half|co|vice|sub|pre|great|grand)-(?P<noun>\w+)|(?P<kin>\w+)-in-law)")
_PEOPLE = ROLES | stems(
    f"""{single.KIN_NAMES} deputy assistant trainee intern mentor successor predecessor understudy tenant teacher pupil
    student rival agent publisher trainer guide nanny carer cleaner nurse guest customer client apprentice follower fan
    heir widow godmother godfather stepmother stepfather stepson stepdaughter grandchild nemesis namesake"""
)
_FIRMS = word_set("inc ltd llc corp gmbh ag plc sa se kg bv ab oy spa co")
_BEING = table.BE | {"has"}
_SPOUSES = stems("wife husband spouse partner")
_WED = re.compile(r"\b(?:married|wed|divorced|widowed|single|engaged)\b")
_SOLE = re.compile(r"\b(?:sole|only)\b")
_OWNED = re.compile(r"(?P<whose>.+?)(?:(?<=s)'|'s) (?P<what>.+)")
_OF = re.compile(r"(?:(?:the|an?|our|my) )?(?P<what>[^']+?) of (?P<whose>.+)")
_IN = re.compile(r"(?:(?:the|an?|our|my) )?(?P<what>[^']+?) (?:at|in|for) (?P<whose>.+)")
_FORMS = (
    frozenset({"is", "are", "was", "were", "isn't", "aren't"}),
    frozenset({"can", "can't", "cannot"}),
    frozenset({"has", "have", "hasn't", "haven't"}),
    frozenset({"does", "do", "doesn't", "don't"}),
)
_DONE = re.compile(r"(?:been |just |recently )?[a-z]+(?:ed|en|ne|ft)\b")
_DENIED = re.compile(r"n't\b|\b(?:not|no|never|cannot)\b")
_DENYING = frozenset({"no longer", "never", "doesn't", "don't", "hasn't", "haven't"})
