"""Which of the active facts of one (entity, aspect) are retired by newer ones: a plan, nothing is written here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from graphmem.model.knowledge import AttributeKind, Claim, Signal, SupersessionMethod
from graphmem.rules.contradiction import check
from graphmem.rules.text import fold


@dataclass(frozen=True)
class Fact:
    """An active attribute of one (entity, aspect), or one about to become active.

    `explicit`: given by a caller (`remember` with entity or claim key, PATCH), not read by extraction. `claim_key`:
    the single-valued slot it fills, None where it is not known to fill one. Times have a zone.
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


@dataclass(frozen=True)
class Retirement:
    """One old fact and the newer one that takes its place. `valid_to`: when the old one stops being true."""

    old_id: str
    new_id: str
    signals: tuple[Signal, ...]
    confidence: float
    method: SupersessionMethod
    status: Literal["applied", "proposed"]
    reason: str
    valid_to: datetime


_WHY = {
    "negation": "one of them denies what the other says",
    "antonym": "they use words that exclude each other",
    "value_conflict": "they give different values",
    "temporal": "the newer one says what holds now",
    "semantic": "a model finds that they exclude each other",
}


def decide(
    new_facts: Sequence[Fact], active: Sequence[Fact], *, min_confidence: float, shadow: bool
) -> tuple[Retirement, ...]:
    """The old facts that the new ones retire, each at most once, oldest first.

    A fact is retired only by a newer one (`valid_from`, then `created_at`, then id), so chains end; new facts retire
    each other as they retire active ones, and of several contradicting facts the next one in time takes over, first
    of all one that may be applied. A late arrival, older than what contradicts it, changes nothing. Constraints and
    pinned facts stay, and a new constraint retires nothing. Two facts with the same claim key and different words
    contradict with confidence 1.0 (method `claim`); with different claim keys never; else `contradiction.check`
    decides.

    *Shape*: independent of the order of both inputs; an id met twice counts once, as new. `proposed` instead of
    `applied` where `shadow`, or where a merely extracted fact would retire one given explicitly.

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
    known = {fact.id: fact for fact in sorted(active, key=_age_and_words)} | fresh
    plan = []
    for old in sorted(known.values(), key=_age):
        newer = sorted((new for new in fresh.values() if _age(new) > _age(old)), key=_age)
        found = [hit for new in newer if (hit := _retirement(old, new, min_confidence, shadow))]
        if found:
            plan.append(next((hit for hit in found if hit.status == "applied"), found[0]))
    return tuple(plan)


def _age(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.created_at, fact.id


def _age_and_words(fact: Fact) -> tuple[datetime, datetime, str, str, str]:
    """A total order, so that of two facts with one id the same one is kept whatever the order of the input."""
    return *_age(fact), fact.content, repr(fact)


def _retirement(old: Fact, new: Fact, min_confidence: float, shadow: bool) -> Retirement | None:
    if old.pinned or "constraint" in (old.kind, new.kind):
        return None
    same_slot = old.claim_key is not None and old.claim_key == new.claim_key
    if not same_slot and None not in (old.claim_key, new.claim_key):
        return None
    verdict = check(_claim(old), _claim(new), min_confidence)
    if same_slot and _normal(old.content) == _normal(new.content):
        return None
    if not same_slot and not verdict.conflict:
        return None
    why = f'both fill the slot "{old.claim_key}", which has one value' if same_slot else _reason(verdict.signals)
    outranked = old.explicit and not new.explicit
    if shadow or outranked:
        why += "; only proposed, because " + (
            "what was given explicitly is not retired by what was merely read" if outranked else "shadow mode is on"
        )
    return Retirement(
        old_id=old.id,
        new_id=new.id,
        signals=verdict.signals,
        confidence=1.0 if same_slot else verdict.confidence,
        method="claim" if same_slot else "heuristic",
        status="proposed" if shadow or outranked else "applied",
        reason=f"The newer fact contradicts the older one: {why}.",
        valid_to=new.valid_from,
    )


def _normal(content: str) -> str:
    return " ".join(fold(content).split()).rstrip(".,!?;: ")


def _claim(fact: Fact) -> Claim:
    # When it became true, not when it was stored: a backdated fact is compared by its own time.
    return Claim(content=fact.content, created_at=fact.valid_from, kind=fact.kind)


def _reason(signals: Sequence[Signal]) -> str:
    return ", and ".join(f"{_WHY[signal.name]} ({signal.evidence})" for signal in signals)
