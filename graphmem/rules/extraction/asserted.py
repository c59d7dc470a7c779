"""What the claims of a sentence make of what was read in it: whether it asserts that, denies it, or leaves it open.

Templates and scorers look for how things are linked; that "it is not true that", "neither … nor" or "which replaced"
stands around it is for the claims to tell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from graphmem.model.claims import Claim
from graphmem.rules.claims import name_words, terms
from graphmem.rules.language.text import canonical_name
from graphmem.rules.reading.clauses import Fact

Standing = Literal["stated", "denied", "open"]
_OPEN = frozenset({"supposed", "asked"})
"""Moods in which nothing is asserted; what somebody else says is, though less surely."""


def standing(told: Iterable[str], of: Iterable[str], claims: Sequence[Claim]) -> Standing:
    """What the claims say of a link or fact: `told` names what it tells, `of` what it tells that of.

    Of the claims those decide that name most of it, first of what is told; `stated` where none names any, or one of
    them asserts it. A claim about something else denies nothing: "X won't start unless Y runs".
    """
    told, of = list(told), list(of)
    ranked = [(sum(_names(one, name) for name in told), sum(_names(one, name) for name in of), one) for one in claims]
    most = max((rank[:2] for rank in ranked), default=(0, 0))
    if not most[0]:
        return "stated"
    both = most[1] == len(of)
    verdicts = [_verdict(one, told, both=both) for *rank, one in ranked if tuple(rank) == most]
    return "stated" if "stated" in verdicts else verdicts[0]


def asserted(fact: Fact, claims: Sequence[Claim], clause: str) -> Fact | None:
    """A fact as its sentence has it: without its links, slot and own words where that denies it, `clause` in their
    place; None where it is left open."""
    if fact.mood != "stated":
        return fact
    kept = tuple(need for need in fact.needs if standing([need[1].name], [need[0].name], claims) == "stated")
    if fact.relation == "linked":  # it says no more than that
        return replace(fact, needs=kept) if kept else None
    stands = standing((one.name for one in fact.others), [fact.about.name], claims)
    if stands == "open":
        return None
    if stands == "denied":
        return replace(fact, content=clause, mood="denied", claim_key=None, needs=())
    return replace(fact, needs=kept)


def _verdict(claim: Claim, told: Sequence[str], *, both: bool) -> Standing:
    if claim.mood == "denied" or (both and claim.mood in _OPEN):
        return "open"
    if not both and not claim.former:
        return "stated"
    left = all(any(name_words(canonical_name(name)) <= name_words(one.key) for one in claim.former) for name in told)
    return "denied" if (both and claim.negative) or left else "stated"


def _names(claim: Claim, name: str) -> bool:
    return name_words(canonical_name(name)) <= terms(claim)
