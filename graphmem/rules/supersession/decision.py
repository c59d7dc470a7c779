"""Which of the active facts of one (entity, aspect) are retired by newer ones: a plan, nothing is written here."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from graphmem.model import knowledge
from graphmem.model.claims import Claim
from graphmem.model.knowledge import AttributeKind, Signal, SupersessionMethod
from graphmem.rules.claims import (
    Filling,
    Verdict,
    exclusion,
    fillings,
    in_one_slot,
    of_one_thing,
    slot_key,
    tells_besides,
    terms,
)
from graphmem.rules.contradiction import Candidates, Traits, check, traits_of
from graphmem.rules.language.text import fold

DETECTOR = "detector-10"
"""Names these rules. Raise the number when they decide differently on the same facts."""
Likely = Mapping[tuple[str, str], Signal]
"""How sure a scorer is that a fact replaces another, with its evidence: by the ids of the older and the newer one."""
Judgements = Mapping[str, Mapping[str, float]]
"""A model's confidence that two statements exclude each other: by the words of the older, then of the newer one."""


@dataclass(frozen=True)
class Fact:
    """An attribute of one (entity, aspect): active, about to be, or superseded by another one so far.

    `explicit`: given by a caller (`remember` with entity or claim key, PATCH), not read by extraction. `claim_key`:
    the single-valued slot it fills, None where it is not known to fill one. `superseded_by`: the fact that replaced it
    at `valid_to`; None for one that is active. `said_at`: until when it is said to hold at least, where that is after
    `valid_from`; of two facts it tells the newer one. `traits`: those of its content, None where they are not computed
    yet. `sessions`: those it was said in. `statement`: of a new one, what it was drawn from. Times have a zone.
    """

    id: str
    content: str
    kind: AttributeKind
    claim_key: str | None
    confidence: float
    explicit: bool
    pinned: bool
    valid_from: datetime
    created_at: datetime
    superseded_by: str | None = None
    valid_to: datetime | None = None
    traits: Traits | None = None
    claims: tuple[Claim, ...] = ()
    said_at: datetime | None = None
    sessions: Set[str] = frozenset()
    statement: str = ""

    @cached_property
    def fillings(self) -> tuple[Filling, ...]:
        """The slots it fills."""
        return fillings(self.claim_key, self.claims, self.content, explicit=self.explicit)

    @property
    def leaves(self) -> bool:
        """Whether it says that a value holds no more, whatever slot that fills."""
        return any(claim.former for claim in self.claims)


@dataclass(frozen=True)
class Retirement:
    """One old fact and the newer one that supersedes it. `valid_to`: when the old one stops being true. `instead_of`:
    the fact that superseded the old one so far; None for one that was active."""

    old_id: str
    new_id: str
    signals: tuple[Signal, ...]
    confidence: float
    method: SupersessionMethod
    status: Literal["applied", "proposed"]
    reason: str
    valid_to: datetime
    instead_of: str | None = None


_WHY = {
    "negation": "one of them denies what the other says",
    "antonym": "they use words that exclude each other",
    "value_conflict": "they give different values",
    "temporal": "the newer one says what holds now",
    "semantic": "a model finds that they exclude each other",
}


def decide(
    new_facts: Sequence[Fact],
    held: Sequence[Fact],
    *,
    min_confidence: float,
    shadow: bool,
    settled: Set[tuple[str, str]] = frozenset(),
    judged: Judgements | None = None,
    by_claims: bool = False,
    likely: Likely = MappingProxyType({}),
) -> tuple[Retirement, ...]:
    """The facts that the new ones retire, each at most once, oldest first.

    A fact is retired only by a newer one (`valid_from`, then `created_at`, then id), so chains end; new facts retire
    each other as they retire stored ones, and of several contradicting facts the next one in time wins, first of all
    one that may be applied. A late arrival is retired by the next newer fact that contradicts it, even by a superseded
    one, and is inserted into the chain: an older fact that was superseded only after the late one began is now
    superseded by the late one. Constraints and pinned facts stay, and a new constraint retires nothing. Two facts in
    one slot (`rules.claims.in_one_slot`) contradict where their values differ and the newer one covers the scope of the
    older one (method `claim`, confidence 1.0 where both name the slot); facts with different claim keys never; else
    `contradiction.check` decides.

    *Shape*: independent of the order of both inputs; an id in both counts once, as new. `proposed` instead of `applied`
    where `shadow`, or where an extracted fact would retire an explicit one; moves within a chain are never proposed. A
    fact that begins on a day still to come retires others as of that day: until then they are read as what holds.
    `settled`: (old, new) that people decided, never considered again. `judged`: a model's verdicts on pairs that the
    rules do not decide; they count only for those (method `semantic`). `by_claims`: what their clauses claim decides
    (`rules.claims`), whoever they are about, and where that does not, `likely`.

    *Source*: seed 004, 4 ("constraints are sacred", shadow mode); the order in time is ours, Signet's sweep retires
    rows twice and its inline pass ignores time. Claim keys: Signet's migrations 059 and 060.

    >>> from datetime import UTC
    >>> def fact(id, content, day):
    ...     at = datetime(2026, 1, day, tzinfo=UTC)
    ...     return Fact(id, content, "attribute", "uses:primary database", 1.0, True, False, at, at)
    >>> (plan,) = decide(
    ...     [fact("b", "migrated to MongoDB", 2)], [fact("a", "uses PostgreSQL", 1)], min_confidence=0.7, shadow=False
    ... )
    >>> plan.old_id, plan.new_id, plan.method, plan.status
    ('a', 'b', 'claim', 'applied')
    """
    fresh = {fact.id: fact for fact in sorted(new_facts, key=_age_and_words)}
    known = {fact.id: fact for fact in sorted(held, key=_age_and_words)} | fresh
    by_age = sorted(_within_reach(known.values(), fresh.values()), key=_age)
    judged = judged or {}
    rivals = _Claimed(by_age) if by_claims else _Rivals(by_age, fresh.keys(), judged)
    plan = []
    for place, old in enumerate(by_age):
        newer = (
            new
            for new in rivals.of(place)
            if _may_follow(old, new) and (new.id in fresh or old.id in fresh) and (old.id, new.id) not in settled
        )
        best = _first(
            hit
            for new in newer
            if (
                hit := _by_claims(old, new, min_confidence, shadow, likely)
                if by_claims
                else _retirement(old, new, min_confidence, shadow, judged)
            )
        )
        if best and (best.status == "applied" or old.superseded_by is None):
            plan.append(best)
    return tuple(plan)


def _within_reach(known: Iterable[Fact], fresh: Collection[Fact]) -> Iterator[Fact]:
    """The facts that may be compared with one of the new ones, regardless of their words (`_is_guarded`): the words of
    others are not read."""
    every = any(fact.claim_key is None or fact.leaves for fact in fresh)
    slots = {one.slot for fact in fresh for one in fact.fillings}
    return (
        fact
        for fact in known
        if fact.kind != "constraint"
        and (every or fact.claim_key is None or any(one.slot in slots for one in fact.fillings))
    )


class _Rivals:
    """Facts that may retire each other, at least one of them new: those that fill the same slot, and those whose words
    can contradict, or do so by a model's verdict."""

    def __init__(self, facts: Sequence[Fact], fresh: Collection[str], judged: Judgements) -> None:
        self._facts = facts
        self._judged = judged
        asked = [place for place, fact in enumerate(facts) if fact.id in fresh]
        self._candidates = Candidates([fact.traits or traits_of(fact.content) for fact in facts], asked)
        self._slots = _in_slots(facts)
        self._said: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(facts) if judged else ():
            self._said[fact.content].append(place)

    def of(self, place: int) -> Iterator[Fact]:
        """The rivals after a fact, in the order of the facts."""
        fact = self._facts[place]
        if fact.pinned or fact.kind == "constraint":
            return
        places = self._candidates.of(place)
        for one in fact.fillings:
            places.update(self._slots.get((one.slot, one.by), ()))
        for content in self._judged.get(fact.content, ()):
            places.update(self._said.get(content, ()))
        yield from (self._facts[one] for one in sorted(places) if one > place)


def _in_slots(facts: Sequence[Fact]) -> dict[tuple[str, str], list[int]]:
    """The places of the facts that one is compared with which fills a slot so: a caller's with all that fill it, one
    that is read with those that a caller gave."""
    meets = {"caller": ("caller", "key", "words"), "key": ("caller", "key"), "words": ("caller",)}
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, fact in enumerate(facts):
        for one in fact.fillings:
            for by in meets[one.by]:
                found[one.slot, by].append(place)
    return found


class _Claimed:
    """Facts whose claims share a word, and that may retire each other."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(facts):
            for term in self._terms(fact):
                self._places[term].append(place)

    @staticmethod
    def _terms(fact: Fact) -> Set[str]:
        return frozenset[str]().union(*(terms(claim) for claim in fact.claims))

    def of(self, place: int) -> Iterator[Fact]:
        """The rivals after a fact, in the order of the facts."""
        fact = self._facts[place]
        if fact.pinned or fact.kind == "constraint":
            return
        places = {one for term in self._terms(fact) for one in self._places[term]}
        yield from (self._facts[one] for one in sorted(places) if one > place)


def _first(found: Iterable[Retirement]) -> Retirement | None:
    """The first that may be applied, else the first; lazy, so later ones are not computed."""
    first = None
    for hit in found:
        if hit.status == "applied":
            return hit
        first = first or hit
    return first


def _may_follow(old: Fact, new: Fact) -> bool:
    """Whether the new fact comes after the old one in time, and before the current successor of that."""
    if old.superseded_by is not None and (old.valid_to is None or new.valid_from >= old.valid_to):
        return False
    return _age(new) > _age(old)


def _age(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.said_at or fact.valid_from, fact.created_at, fact.id


def _age_and_words(fact: Fact) -> tuple[object, ...]:
    """A total order, so that of two facts with one id the same one is kept whatever the order of the input."""
    return (
        *_age(fact),
        fact.content,
        fact.kind,
        fact.claim_key or "",
        fact.confidence,
        fact.explicit,
        fact.pinned,
        fact.superseded_by or "",
        str(fact.valid_to),
    )


def is_open(old: Fact, new: Fact) -> bool:
    """Whether the newer fact may retire the older one if it contradicts it: time and guards, not words."""
    return _may_follow(old, new) and not _is_guarded(old, new)


def is_silent(old: Fact, new: Fact) -> bool:
    """Whether the rules find neither a contradiction of the two nor a veto."""
    if in_one_slot(old.fillings, new.fillings) is not None:
        return False
    verdict = check(_claim(old), _claim(new))
    return not verdict.signals and verdict.blocked_by is None and _normal(old.content) != _normal(new.content)


def _is_guarded(old: Fact, new: Fact) -> bool:
    """Whether one of them is a fact that rules must not change, or they are known to fill different slots."""
    slots = {old.claim_key, new.claim_key}
    return _is_protected(old, new) or (len(slots) == 2 and None not in slots)


def _is_of_another(old: Fact, new: Fact) -> bool:
    """Whether both were read and hang on one entity, but their clauses speak of different things."""
    read = old.claims and new.claims and not old.explicit and not new.explicit
    return bool(read) and not of_one_thing(old.claims, new.claims)


def _is_protected(old: Fact, new: Fact) -> bool:
    return old.pinned or "constraint" in (old.kind, new.kind)


def _retirement(old: Fact, new: Fact, min_confidence: float, shadow: bool, judged: Judgements) -> Retirement | None:
    if _is_protected(old, new):
        return None
    if (slot := in_one_slot(old.fillings, new.fillings)) is not None:
        return _in_slot(old, new, slot, shadow=shadow)
    if _is_guarded(old, new):
        return None
    verdict = check(_claim(old), _claim(new), min_confidence)
    signals, confidence = verdict.signals, verdict.confidence
    method: SupersessionMethod = "heuristic"
    if verdict.conflict and _is_of_another(old, new):
        return None
    if not verdict.conflict:
        confidence = judged.get(old.content, {}).get(new.content, 0.0)
        if not confidence or confidence < min_confidence or not is_silent(old, new):
            return None
        signals = (Signal(name="semantic", confidence=confidence, evidence="its verdict alone"),)
        method = "semantic"
    return _retired(old, new, signals, confidence, method, _reason(signals), shadow)


def _in_slot(old: Fact, new: Fact, slot: Verdict, *, shadow: bool) -> Retirement | None:
    """The retirement of a fact by another value of its slot; proposed where its words alone tell the newer one's slot,
    and there could be several values."""
    if slot.signal is None:
        return None
    named = next(key for key in (old.claim_key, new.claim_key) if key and slot_key(key) == slot.slot)
    why = f'both fill the slot "{named}", which has one value'
    signals = check(_claim(old), _claim(new)).signals or (slot.signal,)
    unsure = "" if slot.sure else "it was given no slot, and may hold as well"
    return _retired(old, new, signals, slot.signal.confidence, "claim", why, shadow, unsure)


def _by_claims(old: Fact, new: Fact, min_confidence: float, shadow: bool, likely: Likely) -> Retirement | None:
    if _is_protected(old, new) or _normal(old.content) == _normal(new.content) or _is_settled_by_slot(old, new):
        return None
    found = ((signal, now) for was in old.claims for now in new.claims if (signal := exclusion(was, now)))
    signal, now = next(found, (likely.get((old.id, new.id)), None))
    if signal is None or signal.confidence < min_confidence:
        return None
    more = now is not None and signal.name == "temporal" and tells_besides(old.claims, now)
    unsure = "it also says something that has not ended" if more else ""
    return _retired(old, new, (signal,), signal.confidence, "heuristic", _reason((signal,)), shadow, unsure)


def _is_settled_by_slot(old: Fact, new: Fact) -> bool:
    """Whether their claims need not be compared, since a caller or extraction named the slots of both; where only one
    was named by a caller, they are compared unless they have different scopes or the same value."""
    if old.claim_key is not None and new.claim_key is not None and old.explicit == new.explicit:
        return old.explicit or (slot_key(old.claim_key) != slot_key(new.claim_key) and not new.leaves)
    slot = in_one_slot(old.fillings, new.fillings)
    return slot is not None and slot.signal is None


def _retired(
    old: Fact,
    new: Fact,
    signals: tuple[Signal, ...],
    confidence: float,
    method: SupersessionMethod,
    why: str,
    shadow: bool,
    unsure: str = "",
) -> Retirement:
    """`unsure`: why it is only proposed, '' where nothing speaks against it."""
    outranked = old.explicit and not new.explicit
    if shadow or outranked or unsure:
        why += "; only proposed, because " + (
            "what was given explicitly is not retired by what was merely read"
            if outranked
            else unsure
            if unsure and not shadow
            else "no fact changes by itself now (shadow mode, or mutations are frozen)"
        )
    return Retirement(
        old_id=old.id,
        new_id=new.id,
        signals=signals,
        confidence=confidence,
        method=method,
        status="proposed" if shadow or outranked or unsure else "applied",
        reason=f"The newer fact contradicts the older one: {why}.",
        valid_to=new.valid_from,
        instead_of=old.superseded_by,
    )


def _normal(content: str) -> str:
    return " ".join(fold(content).split()).rstrip(".,!?;: ")


def _claim(fact: Fact) -> knowledge.Claim:
    # When it became true, not when it was stored: a backdated fact is compared by its own time.
    return knowledge.Claim(content=fact.content, created_at=fact.valid_from, kind=fact.kind)


def _reason(signals: Sequence[Signal]) -> str:
    return ", and ".join(f"{_WHY[signal.name]} ({signal.evidence})" for signal in signals)
