"""Whether a newer claim leaves no room for an older one: one table, read from top to bottom.

Precision comes first. Two claims must be about the same thing (`_topic_in_common`), of one kind of value, and the newer
one must say that something is otherwise; else both may hold.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from graphmem.model.claims import Claim, ClaimValue
from graphmem.model.knowledge import Signal
from graphmem.rules.claims.same_slot import common_slots, fills_role, holder_of, nouns_of, relations_of, slots_of
from graphmem.rules.claims.topic import FADING_STEMS, HELD, NAMED, apart, each_says_more, mentions, topic_of
from graphmem.rules.claims.values import same_time
from graphmem.rules.claims.words import (
    BOUNDS,
    CHANGE,
    MANY,
    MANY_ROLES,
    MANY_SLOTS,
    ONE_DOES,
    SINGLE,
    name_words,
    verbs_like,
)
from graphmem.rules.language.stems import stem

_PLACED = {"in", "at", "on", "to", "into", "with"}
"""Roles of what something moves from where it moves to another one."""
_MEASURED = {"amount", "clock", "date", "version"}
"""Values of which a thing has one where nothing else about it is said."""


def exclusion(old: Claim, new: Claim) -> Signal | None:
    """The signal by which the newer claim excludes the older one, with its evidence; None where both may hold."""
    if old.mood != "stated" or new.mood != "stated" or old.negative or old.past or (new.past and not new.changes):
        return None
    if (left := _left(old, new)) is not None:
        return Signal(name="temporal", confidence=0.9, evidence=f'"{left.words}" is said to hold no more')
    if new.adds:
        return None
    if new.negative:
        return _denied(old, new)
    for was, now in product(old.values, new.values):
        alike = (was.kind == now.kind or {was.kind, now.kind} == NAMED) and _in_one_unit(was, new, now)
        alike = alike or (_are_numbers(was, now) and bool(common_slots(old, was, new, now)))
        if not alike or any(equal(was, one) for one in new.values):
            continue
        if _excludes(old, was, new, now):
            return Signal(name="value_conflict", confidence=0.85, evidence=f'"{was.words}" and "{now.words}"')
    return None


def tells_besides(old: Sequence[Claim], new: Claim) -> bool:
    """Whether statements also give something that a newer one, which says that a value holds no more, does not speak
    of: another name in the same clause, or any value in another."""
    spoken = (*new.former, *new.values)
    ended = [claim for claim in old if any(equal(one, left) for one in claim.values for left in new.former)]
    others = [one for claim in old for one in given(claim) if claim not in ended or one.kind in NAMED]
    return any(not any(equal(one, other) for other in spoken) for one in others)


def tells_value(claim: Claim) -> bool:
    """Whether a clause states a value of something, or that one holds no more."""
    if claim.mood != "stated" or claim.past:
        return False
    about = claim.subject or claim.object or claim.about or claim.speaker
    return bool(claim.former) or bool(about and given(claim))


def given(claim: Claim) -> list[ClaimValue]:
    """The values that a clause gives to what it is about; of one that says who does something, who that is."""
    told = [value for value in claim.values if value.role not in HELD]
    if _tells_who(claim):
        told += [value for value in claim.values if value.role == "subject" and value.kind == "name"]
    return told


def _tells_who(claim: Claim) -> bool:
    """Whether its subject is what it tells of something: who heads it, is its owner, took it over."""
    return bool(claim.role) or claim.takes_over or (claim.verb in ONE_DOES and not claim.passive)


def topics(claim: Claim) -> frozenset[str]:
    """The words by which facts are found that this claim may exclude, or that may exclude it: one of them is the
    `main_topic` of theirs."""
    words = {*claim.subject, *claim.object, *claim.about, claim.speaker}
    for value in claim.values:
        words |= name_words(value.key) if value.kind == "name" else {value.unit}
        words |= nouns_of(slots_of(claim, value))
    return frozenset(words) - {""}


def main_topic(claims: Iterable[Claim]) -> str | None:
    """The word by which a fact is found for its claims: the noun of its first subject or object, else who speaks."""
    for claim in claims:
        if not tells_value(claim):
            continue
        modifying = {word for words in claim.modifiers.values() for word in words}
        held = [word for word in (*claim.object, *claim.about) if word not in modifying]
        subject = [claim.head, *(word for word in claim.subject if word not in modifying)]
        nouns = [*held, *subject] if _tells_who(claim) else [*subject[:1], *held, *subject[1:]]
        if found := next((noun for noun in (*nouns, claim.speaker) if noun), ""):
            return found
    return None


def main_value(claims: Iterable[Claim]) -> str | None:
    """The word by which a fact is found for the first name that it gives: a newer one may say that this is left."""
    return next((_last_word(one) for claim in claims for one in given(claim) if one.kind in ("name", "label")), None)


def left(claim: Claim) -> frozenset[str]:
    """The words by which facts are found that a claim says hold no more: one of them is the `main_value` of theirs."""
    return frozenset(_last_word(value) for value in claim.former)


def _last_word(value: ClaimValue) -> str:
    name = value.unit if value.kind == "label" else value.key
    return name.split()[-1] if name else ""


def terms(claim: Claim) -> frozenset[str]:
    """Words of which two claims share one where one of them excludes the other."""
    words = {*claim.subject, *claim.object, *claim.about}
    for value in (*claim.values, *claim.former):
        words |= {*name_words(value.key), value.unit}
    return frozenset(words | {claim.speaker}) - {""}


def equal(one: ClaimValue, other: ClaimValue) -> bool:
    """Whether two values are the same: names by their words, one of which may be shorter."""
    if one.kind == other.kind == "clock":
        return same_time(one.key, other.key)
    if one.kind == other.kind and one.kind in NAMED:
        words, others = set(one.key.split()), set(other.key.split())
        return words <= others or others <= words
    if {one.kind, other.kind} == {"name", "label"}:
        name, label = (one, other) if one.kind == "name" else (other, one)
        return name.key == label.unit
    if _are_numbers(one, other):
        return one.key == other.key
    return (one.kind, one.key, one.unit) == (other.kind, other.key, other.unit)


def _are_numbers(one: ClaimValue, other: ClaimValue) -> bool:
    """Whether one is the number of something, and the other a number alone: port 7000, 7000."""
    if {one.kind, other.kind} != {"label", "amount"}:
        return False
    return not (one if one.kind == "amount" else other).unit


def _in_one_unit(was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether both are given in one unit, which need not be said again: "turned it down to 19.5"."""
    return was.unit == now.unit or (
        was.kind == "amount" and not now.unit and new.verb in CHANGE and now.role in ("to", "at")
    )


def _left(old: Claim, new: Claim) -> ClaimValue | None:
    """The older claim's value that the newer one says holds no more."""
    for left, was in product(new.former, old.values):
        does = fills_role(old, was) or (new.takes_over and bool(topic_of(old, was).words & set(new.object)))
        told = equal(was, left) and (does or not (was.role in HELD or new.takes_over))
        if told and (common_slots(old, was, new, left) or not apart(old, was, new, left)):
            return was
    return None


def _denied(old: Claim, new: Claim) -> Signal | None:
    # Of what is listed, all is denied: neither A nor B.
    listed = frozenset[str]().union(*(name_words(one.key) for one in new.values if _is_listed(one, new)))
    for was, now in product(old.values, new.values):
        if equal(was, now) and common_slots(old, was, new, now) and holder_of(new, now) <= holder_of(old, was):
            return Signal(name="negation", confidence=0.9, evidence=f'"{was.words}" is denied')
    for was, now in product(given(old), given(new)) if old.verb == new.verb else ():
        same = _in_one_place(old, was, new, now) and equal(was, now)
        others = [one for one in given(new) if one is not now and not name_words(one.key) <= listed]
        beside = [one for one in others if not any(equal(one, other) for other in old.values)]
        narrower = beside or topic_of(new, now).words - topic_of(old, was).words - listed
        if same and not narrower and _topic_in_common(old, was, new, now, speaker_alone=True):
            return Signal(name="negation", confidence=0.9, evidence=f'"{was.words}" is denied')
    return None


def _is_listed(value: ClaimValue, claim: Claim) -> bool:
    """Whether a value is one of several in a list: the first, or one joined to it."""
    return any(other.role == "conj" for other in claim.values) and (value.role in (*HELD, "dobj", "attr", "conj"))


def _in_one_place(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether both claims say the same of their value: "my manager is Tom", "Tom is my manager"; "owned by Tom", "Tom
    owns"."""
    if was.role == now.role or "conj" in (was.role, now.role):
        return True
    return old.role == new.role != "" or ({was.role, now.role} == {"by", "subject"} and old.passive != new.passive)


def _excludes(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    named = old.role == new.role != ""
    if (new.changes or new.takes_over or named) and common_slots(old, was, new, now):
        return True
    if was.kind in NAMED:
        if was.role in HELD or now.role in HELD:
            return _changes_hands(old, was, new, now)
        return _is_elsewhere(old, was, new, now)
    if was.role in HELD or now.role in HELD:
        return False
    if not new.changes and not _restates(old, was, new, now):
        return False
    if _do_otherwise(old, new) and (
        topic_of(old, was).object - topic_of(new, now).words or each_says_more(old, was, new, now)
    ):
        return False
    same_place = was.role == now.role and old.verb == new.verb
    return bool(_topic_in_common(old, was, new, now, speaker_alone=same_place))


def _do_otherwise(old: Claim, new: Claim) -> bool:
    """Whether the two tell of different doings, and the newer one not of a change of the older one's value."""
    alike = old.verb == new.verb or new.verb in verbs_like(old.verb) or "be" in (old.verb, new.verb)
    return not alike and new.verb not in CHANGE


def _restates(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether the newer claim is the older one with another amount, time or day, though no word tells of a change."""
    if was.kind not in _MEASURED or old.verb != new.verb or new.verb in MANY or {was.role, now.role} & BOUNDS:
        return False
    before, after = topic_of(old, was), topic_of(new, now)
    if before.words - after.words and after.words - before.words:
        return False
    if (before.subject, before.object, old.speaker) != (after.subject, after.object, new.speaker):
        return False
    others = [one for one in given(old) if one is not was], [one for one in given(new) if one is not now]
    return all(any(equal(one, other) for other in theirs) for ours, theirs in (others, others[::-1]) for one in ours)


def _changes_hands(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether another one now does what one does at a time: heads it, is its owner, took it over."""
    acts = not any(one.passive and value.role == "subject" for one, value in ((old, was), (new, now)))
    if "owner" in (was.role, now.role) or not acts:
        return False
    if any(one.role and not fills_role(one, value) for one, value in ((old, was), (new, now))):
        return False  # "the birthday of Ann is 3 May": Ann is whose it is
    held = old.verb in ONE_DOES or bool(old.role)
    if was.role == now.role == "subject":
        related = (old.verb == new.verb and held) or (old.role and old.role == new.role) or (new.takes_over and held)
    elif now.role == "subject":
        related = (new.takes_over and was.role in ("attr", "by")) or (was.role == "attr" and mentions(old, new.role))
    else:
        related = now.role == "attr" and mentions(new, old.role)
    same_role = old.role == new.role != "" and new.role not in MANY_ROLES
    if not related or not (new.changes or new.takes_over or same_role):
        return False
    if old.role == new.role != "":
        was_told, is_told = (set(one.modifiers.get(stem(one.role), ())) for one in (old, new))
        if (was_told ^ is_told) - FADING_STEMS:
            return False
    if each_says_more(old, was, new, now):
        return False
    return bool(_topic_in_common(old, was, new, now, speaker_alone=True))


def _is_elsewhere(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    """Whether a thing is in, at, on or with another one now than it was."""
    relations = set(relations_of(old, was)) & set(relations_of(new, now)) - MANY_SLOTS
    same = (was.role == now.role and old.verb == new.verb) or (was.head and was.head == now.head)
    goes = new.verb in CHANGE and now.role in ("to", "into") and not new.former
    goes = goes and was.role in _PLACED and was.head == now.head
    if "thing" in (was.kind, now.kind):
        same = goes = False
    if not was.head and _differ_in_amount(old, new):
        return False
    if new.verb in CHANGE and set(new.object) - topic_of(old, was).words:
        return False
    if not new.changes and each_says_more(old, was, new, now):
        return False
    if not (relations or same or goes) or not (new.changes or relations & SINGLE):
        return False
    common = _topic_in_common(old, was, new, now, speaker_alone=bool(relations))
    if new.verb in MANY and not relations & SINGLE:
        common = common - set(old.subject) - set(new.subject)
    if old.verb != new.verb:
        common = common & ((topic_of(old, was).core & topic_of(new, now).core) | {old.speaker})
    return bool(common)


def _differ_in_amount(old: Claim, new: Claim) -> bool:
    """Whether they also give different amounts in one unit, as of two places or two things."""
    return any(
        was.kind == now.kind == "amount" and was.unit == now.unit and was.key != now.key
        for was, now in product(old.values, new.values)
    )


def _topic_in_common(
    old: Claim, was: ClaimValue, new: Claim, now: ClaimValue, *, speaker_alone: bool = False
) -> frozenset[str]:
    """What both claims are about, some of it in the subject or object of one; empty where they are about different
    things. `speaker_alone`: that both are about the speaker is enough."""
    before, after = topic_of(old, was), topic_of(new, now)
    # Keld's barn and Keld's box are two things of one name.
    owners = (before.names | after.names) & (_told_by(old) | _told_by(new))
    common = (before.words & after.words) - owners
    if not common & (before.core | after.core):
        named = (before.names & after.names) - owners and not each_says_more(old, was, new, now)
        of_one_kind = was.head != "" and was.head == now.head and old.speaker == new.speaker != ""
        if not named and not of_one_kind and not (speaker_alone and _about_speaker(old, new)):
            return frozenset()
        common = common | {old.speaker}
    return frozenset() if apart(old, was, new, now) else common


def _told_by(claim: Claim) -> frozenset[str]:
    """The words that only tell which one a thing is: its owner, and what stands before its noun."""
    owners = (name_words(one.key) for one in claim.values if one.role == "owner")
    subjects = (name_words(one.key) for one in claim.values if one.role == "subject" and one.kind == "name")
    words = frozenset(word for words in claim.modifiers.values() for word in words).union(*owners)
    return words.difference(*subjects)


def _about_speaker(old: Claim, new: Claim) -> bool:
    """Whether both are about who speaks, or about one thing of theirs."""
    return bool(old.speaker) and old.speaker == new.speaker and old.head == new.head
