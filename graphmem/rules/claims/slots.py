"""What slot a claim fills, with which value: as a caller says it, or as it is read; and how two of them compare."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from graphmem.model.claims import Claim, ClaimValue, ShownClaim
from graphmem.model.inputs import SlotClaim
from graphmem.model.knowledge import Signal
from graphmem.model.parsed import Token
from graphmem.rules.claims.comparison import given
from graphmem.rules.claims.same_slot import agent_noun, fills_role, relations_of
from graphmem.rules.claims.values import find_values, same_time
from graphmem.rules.claims.words import (
    CHANGE,
    MANY_ROLES,
    MANY_SLOTS,
    NUMBERS,
    ONE_DOES,
    RELATIONS,
    SLOT_NAMES,
    name_words,
)
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.stems import stem, word_set
from graphmem.rules.language.text import canonical_name

_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[^\s,;]+")
_BETWEEN = re.compile(r"[\s_\-:]+")
_AROUND = word_set("a an at by during for in of on the to under when while with within")
"""Words of a scope that narrow nothing by themselves: "in the staging cluster"."""
_HELD = ("subject", "owner")
_NAMED = ("name", "thing", "sort")
_READ = 0.85
_DECLARED = 1.0


def slot_key(slot: str) -> str:
    """A slot in a form in which equal ones are equal, whichever of its names is given.

    >>> slot_key("Lives in") == slot_key("lives_in"), slot_key("owned_by")
    (True, 'owner')
    """
    key = _BETWEEN.sub("_", slot.strip().casefold()).removeprefix("uses_")
    return SLOT_NAMES.get(key, key)


def claim_of(said: SlotClaim | None, claim_key: str | None, entity: str) -> Claim | None:
    """What a caller says of an entity, as a claim that those read in words can be compared with; None without a slot.

    `entity` is its name.
    """
    slot = claim_key or (said.slot if said else None)
    if slot is None:
        return None
    said = said or SlotClaim(slot=slot)
    verb, preposition = _frame(slot_key(slot))
    nouns = [] if preposition else [stem(word) for word in _WORD.findall(slot.casefold())]
    named = sorted(name_words(canonical_name(entity)))
    value = value_said(said.value) if said.value is not None else None
    return Claim(
        verb=verb,
        subject=tuple(dict.fromkeys((*named, *nouns))),
        about=tuple(sorted(scope_words(said.scope))),
        values=(value.model_copy(update={"role": preposition or "attr"}),) if value else (),
        speaker="user" if canonical_name(entity) == "user" else "",
        role=slot.casefold() if len(nouns) == 1 else "",
        negative=said.polarity == "negative",
        slot=slot.strip(),
        scope=tuple(dict.fromkeys(one.strip() for one in said.scope)),
    )


def _frame(slot: str) -> tuple[str, str]:
    """The verb and the preposition of a slot that is a relation, such as lives_in; else "the slot is"."""
    frames = sorted(RELATIONS.get(slot, ()))
    return next((one for one in frames if slot.startswith(one[0]) and slot.endswith(f"_{one[1]}")), ("be", ""))


def value_said(words: str) -> ClaimValue:
    """A value as a caller gives it, without a sentence around it.

    >>> value_said("2 minutes").key, value_said("Tom").kind
    ('120', 'name')
    """
    words = " ".join(words.split())
    tokens = [_token(number, piece) for number, piece in enumerate(_PIECE.finditer(words))]
    found = find_values(tokens, 0, len(tokens), {})
    if len(found) == 1 and (found[0].first, found[0].last) == (0, len(tokens)):
        return ClaimValue(kind=found[0].kind, key=found[0].key, unit=found[0].unit, words=words, role="attr")
    return ClaimValue(kind="thing", key=" ".join(sorted(name_words(words.casefold()))), words=words, role="attr")


def _token(number: int, piece: re.Match[str]) -> Token:
    """A word that no parser has seen: a number, a name by its capital letter, else a noun."""
    word = piece.group()
    pos = "NUM" if word[0].isdigit() or word.lower() in NUMBERS else "PROPN" if word[0].isupper() else "NOUN"
    return Token(word, word.lower(), pos, "", "", number, *piece.span())


def scope_words(scope: Iterable[str]) -> frozenset[str]:
    """The words that narrow a claim: of a wider scope a part of those of a narrower one."""
    said = (word for one in scope for word in _WORD.findall(one.casefold()))
    return frozenset(stem(word) for word in said if word not in _AROUND)


def slot_of(claim: Claim, value: ClaimValue | None, content: str) -> str:
    """The slot that a claim fills with a value: the one a caller named, the noun of "the owner of", who does it
    (owner), the noun of a numbered or sorted value (port, plan), a relation (lives_in), the noun of the subject, else
    the verb with its preposition.

    `content`: the words it was read from, since a claim has only stems of its nouns. '' without a value, and where
    somebody takes over what is not said.
    """
    if claim.slot or claim.role:
        return claim.slot or claim.role
    if value is None:
        return ""
    if claim.takes_over and claim.verb not in ONE_DOES:
        return ""
    if value.role == "subject" or (claim.passive and value.role == "by" and claim.verb in ONE_DOES):
        return agent_noun(claim.verb)
    if noun := (value.unit if value.kind in ("label", "sort") else "") or value.head:
        return _spoken(noun, content)
    preposition = "" if value.role in ("attr", "dobj") else value.role
    if relation := _relation(claim, value):
        return relation
    if value.kind == "version":
        return value.kind
    if claim.verb in ("have", "be") and value.role == "of" and claim.object:
        return _spoken(claim.object[0], content)
    if claim.verb == "be" and claim.head:
        return _spoken(claim.head, content)
    return f"{claim.verb}_{preposition}".rstrip("_")


def _relation(claim: Claim, value: ClaimValue) -> str:
    """The slot that its verb fills with a value, '' for none. Of what moves it is not said
    whether it lived or was kept there."""
    told = list(relations_of(claim, value))
    return told[0] if len(told) == 1 or (told and claim.verb not in CHANGE) else ""


def _given(claim: Claim) -> list[ClaimValue]:
    """The values it gives, each to a slot of its own: of "Ottilie runs the mill at Tartu" the mill's runner too. A
    numbered or sorted one comes first, since its noun names the slot."""
    if claim.slot:
        return list(claim.values)
    told = given(claim)
    does = [one for one in told if one.role == "subject" and not claim.role]
    others = [one for one in told if one not in does]
    role = (one for one in others if fills_role(claim, one))
    main = next(role, next((one for one in others if one.kind in ("label", "sort")), others[0] if others else None))
    return ([main] if main else []) + does


def _spoken(noun: str, content: str) -> str:
    """The word of the content that a stem is of."""
    key = noun.split()[-1] if noun else ""
    words = (word for word in _WORD.findall(content.casefold()) if word == key or stem(word) == key)
    return next(words, noun)


def shown(claims: Sequence[Claim], claim_key: str | None, content: str, entity: str = "") -> ShownClaim:
    """What a fact claims, as it is shown: what a caller said, else the first clause that gives a value, other than the
    `entity` that the fact hangs on.

    A caller who names a slot alone leaves its value to the words.
    """
    named = name_words(canonical_name(entity))
    read = [claim for claim in claims if not claim.slot]
    pairs = [(claim, value) for claim in read for value in _given(claim)]
    told = next((pair for pair in pairs if not _is_named(pair[1], named)), next(iter(pairs), None))
    claim = next((claim for claim in claims if claim.slot), None) or (told[0] if told else next(iter(read), None))
    if claim is None:
        return ShownClaim(slot=claim_key)
    value = next(iter(claim.values), None) if claim.slot else None
    if value is None and told and not (claim.slot and claim.negative):
        value = told[1]
    slot = slot_of(claim, value, content) or claim_key
    return ShownClaim(
        slot=slot,
        value=value.words if value and slot else None,
        scope=claim.scope,
        polarity="negative" if claim.negative else "positive",
        mood=claim.mood,
    )


def _is_named(value: ClaimValue, name: frozenset[str]) -> bool:
    return value.kind == "name" and {word for word in name_words(value.key) if word.isalnum()} <= name


By = Literal["caller", "key", "words"]


@dataclass(frozen=True, slots=True)
class Filling:
    """A slot that a fact fills. `by`: a caller says so, extraction is sure of it (a claim key), or its words are read
    so. `value` None: its `words` as a whole. `scope`: words that narrow it, with those of its entity where they are
    read. `sure`: of the slot the grammar allows one value. `entity`: the words around the value; of a declared one
    those of its entity and its slot. `of`: words for what the slot is of, where they are read.
    """

    slot: str
    by: By
    words: str
    value: ClaimValue | None = None
    scope: frozenset[str] = frozenset()
    negative: bool = False
    sure: bool = True
    entity: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two facts in one slot stand to each other. `why`: what keeps them apart, in one short clause."""

    outcome: Literal["same", "excludes", "apart"]
    slot: str
    why: str = ""
    signal: Signal | None = None
    sure: bool = True


def fillings(claim_key: str | None, claims: Sequence[Claim], content: str, *, explicit: bool) -> tuple[Filling, ...]:
    """The slots that a fact fills, at most one by its claim key."""
    said = next((claim for claim in claims if claim.slot), None)
    read = [claim for claim in claims if not claim.slot and claim.mood == "stated" and not claim.past]
    found: list[Filling] = []
    if claim_key is not None:
        found.append(_declared(claim_key, "caller" if explicit else "key", content, said, read))
    taken = {one.slot for one in found}
    found += [one for one in _read(read, content) if one.slot not in taken]
    return tuple(found)


def _declared(claim_key: str, by: By, content: str, said: Claim | None, read: Sequence[Claim]) -> Filling:
    slot = slot_key(claim_key)
    scope = scope_words(said.scope) if said else frozenset()
    entity = frozenset(said.subject) if said else frozenset()
    value, negative = (next(iter(said.values), None), said.negative) if said else (None, False)
    if value is None and not negative:
        claim, value = _read_in(slot, read, content)
        negative = claim.negative if claim else False
    return Filling(slot, by, content, value, scope, negative, entity=entity)


def _read_in(slot: str, claims: Sequence[Claim], content: str) -> tuple[Claim | None, ClaimValue | None]:
    """The claim that gives the value of a slot, where the words name the slot, once."""
    told = ((claim, value) for claim in claims for value in _given(claim))
    named = [(claim, value) for claim, value in told if slot_key(slot_of(claim, value, content)) == slot]
    return named[0] if len(named) == 1 else (None, None)


def _read(claims: Sequence[Claim], content: str) -> Iterator[Filling]:
    for claim, value in [(one, value) for one in claims for value in _given(one)]:
        slot = slot_key(slot_of(claim, value, content))
        if not slot:
            continue
        others = [one for one in claim.values if one is not value]
        beside = (name_words(one.key) for one in others if one.role not in _HELD and value.role != "subject")
        named = (name_words(one.key) for one in others if one.role in _HELD or value.role == "subject")
        scope = frozenset(claim.about).union(*beside) - name_words(value.key) - {stem(slot)}
        entity = frozenset({*claim.subject, *claim.object}).union(*named)
        of = frozenset(claim.object if value.role == "subject" else claim.subject) - name_words(value.key)
        yield Filling(slot, "words", content, value, scope, claim.negative, _is_sure(claim, value), entity, of)


def _is_sure(claim: Claim, value: ClaimValue) -> bool:
    """Whether what is said of the slot leaves room for one value: not of a friend, a language, a dependency."""
    if claim.adds or claim.role in MANY_ROLES:
        return False
    if claim.role or value.kind in ("label", "sort") or value.role == "subject":
        return True
    if claim.verb in ONE_DOES:
        return claim.passive
    return _relation(claim, value) not in MANY_SLOTS | {""} or (claim.verb == "be" and bool(claim.head))


def in_one_slot(old: Sequence[Filling], new: Sequence[Filling]) -> Verdict | None:
    """How the newer of two facts of one entity stands to the older one, where both fill a slot and a caller, or
    extraction for both, says that it has one value; None where there is no such slot.

    A table, read from top to bottom: a scope that the newer one does not cover; what is denied; equal values; others.
    """
    for was, now in ((was, now) for was in old for now in new if was.slot == now.slot):
        if ("caller" in (was.by, now.by) or (was.by == now.by == "key")) and _of_one_thing(was, now):
            return _compared(was, now)
    return None


def _of_one_thing(was: Filling, now: Filling) -> bool:
    """Whether what was read is of the entity of the other one, not of something of it: "our invoices live in" does not
    say where we live."""
    read, other = (was, now) if was.by == "words" else (now, was)
    return read.by != "words" or {word for word in read.of if word.isalnum()} <= other.entity | {stem(read.slot)}


def _compared(was: Filling, now: Filling) -> Verdict:
    around = was.entity | now.entity
    before, after = was.scope - around, now.scope - around
    if not after <= before:
        return Verdict("apart", was.slot, "another scope")
    sure = was.sure and now.sure
    whole = was.value is None or now.value is None
    alike = normalised(was.words) == normalised(now.words) if whole else _same_value(was.slot, was.value, now.value)
    if was.negative or now.negative:
        return _with_denial(was, now, alike=alike, narrower=before != after, sure=sure)
    if alike:
        return Verdict("apart", was.slot, "another scope") if before != after else Verdict("same", was.slot)
    if now.by != "words" and was.by == "words" and not was.sure:
        return Verdict("apart", was.slot, "many-valued")
    return Verdict("excludes", was.slot, signal=_conflict("value_conflict", was, now), sure=sure)


def _with_denial(was: Filling, now: Filling, *, alike: bool, narrower: bool, sure: bool) -> Verdict:
    """A denial without a value says that the slot has none."""
    none_at_all = (was.negative and was.value is None) or (now.negative and now.value is None)
    if was.negative and now.negative:
        both_empty = was.value is None and now.value is None
        return (
            Verdict("same", was.slot)
            if (alike or both_empty) and not narrower
            else Verdict("apart", was.slot, "another value denied")
        )
    if alike or none_at_all:
        return Verdict("excludes", was.slot, signal=_conflict("negation", was, now), sure=sure)
    return Verdict("apart", was.slot, "another value denied")


def _conflict(name: Literal["value_conflict", "negation"], was: Filling, now: Filling) -> Signal:
    said = [one.value.words if one.value else one.words for one in (was, now)]
    evidence = f'"{said[0]}" is denied' if name == "negation" else f'"{said[0]}" and "{said[1]}"'
    confidence = _READ if "words" in (was.by, now.by) else _DECLARED
    return Signal(name=name, confidence=confidence, evidence=evidence)


def _same_value(slot: str, one: ClaimValue | None, other: ClaimValue | None) -> bool:
    """Whether two values of a slot are the same: equal quantities in any unit, times, days, names. A longer name is
    another one: who gives Rome, Italy in place of Rome says more."""
    if one is None or other is None:
        return False
    if one.kind == other.kind == "clock":
        return same_time(one.key, other.key)
    return _comparable(slot, one) == _comparable(slot, other)


def _comparable(slot: str, value: ClaimValue) -> tuple[str, str, str]:
    if value.kind == "label" and slot_key(value.unit) == slot:
        return "amount", value.key, ""
    if value.kind == "sort":
        return "name", value.key, ""
    if value.kind in _NAMED:
        return "name", canonical_name(value.words), ""
    return value.kind, value.key, value.unit


def other_unit(old: Sequence[Filling], new: Sequence[Filling]) -> bool:
    """Whether both fill a slot with amounts in different units."""
    return any(
        was.slot == now.slot
        and was.value is not None
        and now.value is not None
        and was.value.kind == now.value.kind == "amount"
        and was.value.unit != now.value.unit
        for was in old
        for now in new
    )
