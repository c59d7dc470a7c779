"""What a claim is about beside one of its values, and whether two claims are about different things."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from graphmem.model.claims import Claim, ClaimValue
from graphmem.rules.claims.words import BYGONE, FADING, name_words
from graphmem.rules.language.stems import stem

_NONE: frozenset[str] = frozenset()
FADING_STEMS = frozenset(map(stem, FADING))
_BYGONE_STEMS = frozenset(map(stem, BYGONE))
HELD = ("subject", "owner")
"""Roles of a value that something is said of."""
NAMED = frozenset({"name", "thing"})
"""Kinds of values that name something."""
_PASSED_ON = frozenset({"asked", "reported"})
_IN_WORDS = NAMED | {"sort"}


@dataclass(frozen=True, slots=True)
class Topic:
    """The words around a value: those of the subject, of the object, all, and what is named or numbered among them."""

    subject: frozenset[str]
    object: frozenset[str]
    words: frozenset[str]
    names: frozenset[str]

    @property
    def core(self) -> frozenset[str]:
        return self.subject | self.object


def topic_of(claim: Claim, value: ClaimValue) -> Topic:
    subject, objects, names = set(claim.subject), set(claim.object), set[str]()
    words = {*claim.subject, *claim.object, *claim.about}
    for other in (*claim.values, *claim.former):
        if other is value or other.kind not in ("name", "label"):
            continue
        if other.role in ("dobj", "attr") and other in claim.values:
            objects |= name_words(other.key) if other.kind == "name" else {other.unit}
        if other.kind == "label":
            words |= {other.unit, f"{other.unit} {other.key}"}
            names.add(f"{other.unit} {other.key}")
            continue
        said = name_words(other.key)
        words |= said
        if other.role in HELD:
            subject |= said
        if other in claim.values:
            names |= said
    if value.kind in _IN_WORDS:
        subject, words = subject - name_words(value.key), words - name_words(value.key)
    objects -= {*name_words(value.key), value.unit}
    return Topic(frozenset(subject), frozenset(objects), frozenset(words), frozenset(names))


def each_says_more(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether each has words that the other has not, such as of a place or a time within which it holds."""
    before, after = topic_of(old, was), topic_of(new, now)
    return bool(before.words - after.words and after.words - before.words)


def apart(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether two claims are about different things: each names what the other does not, the same noun has other
    modifiers (the sales office, the legal office), both subjects or both objects have words of their own, the head of
    somebody's something is missing in the other, or one of them speaks of a former one."""
    before, after = topic_of(old, was), topic_of(new, now)
    for ours, theirs in (
        (before.names - after.words, after.names - before.words),
        (before.subject - after.words, after.subject - before.words),
        (before.object - after.words, after.object - before.words),
        (before.core - after.words, _NONE if new.takes_over else after.core - before.words),
    ):
        if ours and theirs:
            return True
    if any(
        _is_owned(one, value) and one.head not in other.words
        for one, value, other in ((old, was, after), (new, now, before))
    ):
        return True
    told = FADING_STEMS | (name_words(was.key) | name_words(now.key) if was.kind in _IN_WORDS else frozenset())
    for noun in old.modifiers.keys() & new.modifiers.keys():
        was_told, is_told = set(old.modifiers[noun]) - told, set(new.modifiers[noun]) - told
        if was_told - is_told and is_told - was_told:
            return True
    return bool((before.words & _BYGONE_STEMS) ^ (after.words & _BYGONE_STEMS))


def _is_owned(claim: Claim, told: ClaimValue) -> bool:
    """Whether it tells of somebody's something: of Greta's grandmother, but not who that is."""
    if claim.verb == "be" and told.role == "attr":
        return False
    return any(value.role == "owner" and value.head == claim.head for value in claim.values)


def mentions(claim: Claim, word: str) -> bool:
    """Whether a word is among those that a claim is about."""
    return bool(word) and stem(word) in (*claim.subject, *claim.object, *claim.about)


def of_one_thing(old: Sequence[Claim], new: Sequence[Claim]) -> bool:
    """Whether a clause of each may say something of one thing: they have a word in common beside their verbs and
    amounts, or both are about who speaks."""
    return any(_of_one_thing(was, now) for was, now in product(old, new))


def _of_one_thing(was: Claim, now: Claim) -> bool:
    if {was.mood, now.mood} & _PASSED_ON or (was.past and not now.past and was.verb != now.verb):
        return False
    if _spoken_of(was) & _spoken_of(now):
        return True
    return bool(was.speaker) and was.speaker == now.speaker and was.negative == now.negative


def _spoken_of(claim: Claim) -> frozenset[str]:
    values = (*claim.values, *claim.former)
    named = (name_words(one.key) for one in values if one.kind == "name")
    units = (one.unit for one in values if one.kind in ("label", "sort"))
    return frozenset((*claim.subject, *claim.object, *claim.about, *units)).union(*named)
