"""Whether two claims fill one slot of one thing, however each says it: who owns it, is its owner, took it over."""

from collections.abc import Iterator

from graphmem.model.claims import Claim, ClaimValue
from graphmem.rules.claims.topic import FADING_STEMS
from graphmem.rules.claims.words import (
    CHANGE,
    KINDS,
    MANY_ROLES,
    MANY_SLOTS,
    ONE_DOES,
    RELATIONS,
    SLOTS_BY_NOUN,
    name_words,
)
from graphmem.rules.language.stems import stem

_VOWELS = "aeiou"
_NONE: frozenset[str] = frozenset()
_MANY = MANY_SLOTS.union(map(stem, MANY_ROLES))


def agent_noun(verb: str) -> str:
    """Who does it.

    >>> [agent_noun(verb) for verb in ("own", "manage", "supply", "run")]
    ['owner', 'manager', 'supplier', 'runner']
    """
    if verb.endswith("e"):
        return f"{verb}r"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ier"
    short = len(verb) == 3 and verb[1] in _VOWELS and verb[0] not in _VOWELS and verb[2] not in f"{_VOWELS}wxy"
    return f"{verb}{verb[-1] if short else ''}er"


def fills_role(claim: Claim, value: ClaimValue) -> bool:
    """Whether a value is who or what is said to be something's owner, vet, price: not what that is of."""
    if claim.role:
        told = any(one.role == "attr" and one.kind != "sort" for one in claim.values)
        return value.role == ("attr" if told else "subject")
    if claim.verb in ONE_DOES:
        return value.role == ("by" if claim.passive else "subject")
    return False


def slots_of(claim: Claim, value: ClaimValue) -> frozenset[str]:
    """The slots that a claim fills with a value, by their names where the table has them, else by the stem of the noun:
    by what it says the value is, by who does it, by the verb with its preposition."""
    nouns = set(_nouns(claim, value))
    listed = {SLOTS_BY_NOUN[noun] for noun in nouns if noun in SLOTS_BY_NOUN}
    return frozenset(nouns | listed | set(relations_of(claim, value)))


def nouns_of(slots: frozenset[str]) -> frozenset[str]:
    """The stems of the nouns that name slots, whichever of them was said."""
    return slots | {noun for noun, slot in SLOTS_BY_NOUN.items() if slot in slots}


def relations_of(claim: Claim, value: ClaimValue) -> Iterator[str]:
    """The slots that a verb fills, with the preposition before the value or with an adjective."""
    preposition = "" if value.role in ("attr", "dobj") else value.role
    told = {(claim.verb, preposition), *((claim.verb, word) for word in claim.object)}
    return (slot for slot, frames in RELATIONS.items() if value.kind in KINDS[slot] and not told.isdisjoint(frames))


def _nouns(claim: Claim, value: ClaimValue) -> Iterator[str]:
    if fills_role(claim, value):
        yield from (stem(one) for one in ((claim.role,) if claim.role else (agent_noun(claim.verb), claim.verb)))
    elif _takes_all(claim, value):
        yield agent_noun("own")
    elif claim.verb == "be" and value.role == "attr" and claim.head:
        yield claim.head
    elif claim.verb == "have" and value.role == "of":
        yield from claim.object
    elif claim.verb in CHANGE and value.role in ("from", "to", "at", "by"):
        yield from (noun for noun in (*claim.subject, *claim.object) if noun in SLOTS_BY_NOUN)
    if value.kind == "version":
        yield value.kind
    if value.kind == "label":
        yield stem(value.unit)


def _takes_all(claim: Claim, value: ClaimValue) -> bool:
    """Whether somebody takes a thing over, it is not said as what."""
    return claim.takes_over and not claim.role and value.role == "subject"


def holder_of(claim: Claim, value: ClaimValue) -> frozenset[str]:
    """The words for what a slot is of: all that a claim is about but for the slot and its values."""
    words = {*claim.subject, *claim.object, *claim.about}
    for one in (*claim.values, *claim.former):
        said = name_words(one.key) if one.kind in ("name", "thing", "sort") else {one.unit}
        held = one is not value and one in claim.values and one.role not in ("attr", "by")
        words = words | said if held else words - said
    slots = nouns_of(slots_of(claim, value))
    verbs = {word for _, word in _frames(claim, value)}
    return frozenset(words - slots - verbs - FADING_STEMS - {""})


def _frames(claim: Claim, value: ClaimValue) -> Iterator[tuple[str, str]]:
    return (frame for slot in relations_of(claim, value) for frame in RELATIONS[slot] if frame[0] == claim.verb)


def common_slots(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> frozenset[str]:
    """The slots of one thing that both fill, none where the newer one tells of another thing, or of a part of it.

    Of a friend or a sister there may be several: only one who is denied fills such a slot.
    """
    common = slots_of(old, was) & slots_of(new, now)
    if _takes_all(new, now) and fills_role(old, was):
        common = slots_of(old, was)
    if not common or (common & _MANY and not new.negative):
        return _NONE
    before, after = holder_of(old, was), holder_of(new, now)
    about_speaker = not before and not after and old.speaker == new.speaker != ""
    beside = before - after <= (set(old.object) | set(old.about)) - names_in(old)
    alike = bool(after) and after <= before and beside
    return common if (alike or about_speaker) and _told(old, was) == _told(new, now) else _NONE


def names_in(claim: Claim) -> frozenset[str]:
    """The words of the names in a claim."""
    return _NONE.union(*(name_words(one.key) for one in claim.values if one.kind == "name"))


def _told(claim: Claim, value: ClaimValue) -> frozenset[str]:
    """What tells the slot's noun from others of its kind: the deputy treasurer."""
    told = [word for noun in _nouns(claim, value) for word in claim.modifiers.get(noun, ())]
    held = holder_of(claim, value) | FADING_STEMS | name_words(value.key)
    return frozenset(word for word in told if word not in held and not name_words(word) <= held)
