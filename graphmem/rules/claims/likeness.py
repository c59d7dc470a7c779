"""Whether two claims give different values to one thing, though their words differ: what a trained scorer is asked.

Each value is cut out of its statement; what is left is its frame. Two frames that mean nearly the same ("the charge
nurse for nights on ward 6 is ___", "___ is charge nurse for ward 6 nights") with different values in them tell of a
change. How near two frames are is for an embedder to say; here are the pairs it is asked about, and what else matters.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from graphmem.model.claims import Claim, ClaimValue, ValueKind
from graphmem.rules.claims.comparison import equal
from graphmem.rules.claims.topic import HELD, NAMED, Topic, apart, each_says_more, mentions, topic_of
from graphmem.rules.claims.words import CHANGE, MANY, ONE_DOES

_CUT: dict[ValueKind, str] = {
    "name": "someone",
    "thing": "something",
    "clock": "a time",
    "weekday": "a day",
    "date": "a date",
    "year": "a year",
}
"""What stands in a frame for a value of a kind; "some" for others."""
_STEP = 0.05
_NEAR, _NEAREST = 0.3, 0.95
_LONGEST_FRAME = 400


@dataclass(frozen=True, slots=True)
class Alike:
    """A value of an older claim and one of a newer one that may have taken its place: the frames of both, and what else
    tells. `features` go to the scorer, with those of `nearness`."""

    old_frame: str
    new_frame: str
    features: tuple[str, ...]
    evidence: str


def alike(old_text: str, old_claims: Sequence[Claim], new_text: str, new_claims: Sequence[Claim]) -> Iterator[Alike]:
    """The pairs of values of two statements that may exclude each other."""
    for old, new in product(old_claims, new_claims):
        if not _comparable(old, new):
            continue
        for was, now in product(old.values, new.values):
            if not _differ(old, was, new, now) or apart(old, was, new, now):
                continue
            frames = frame(old_text, was), frame(new_text, now)
            if frames[0] and frames[1]:
                evidence = f'"{was.words}" and "{now.words}"'
                yield Alike(frames[0], frames[1], tuple(_features(old, was, new, now)), evidence)


def frame(text: str, value: ClaimValue) -> str:
    """A statement without a value in it; '' where its words do not stand there.

    >>> frame("The rent is 840 € a month", ClaimValue(kind="amount", key="840", words="840 €", role="attr"))
    'The rent is some a month'
    """
    pattern = r"\s*".join(re.escape(word) for word in value.words.split())
    place = f"{value.unit} some" if value.kind == "label" else _CUT.get(value.kind, "some")
    cut, times = re.subn(rf"(?<!\w){pattern}(?!\w)", place, text, count=1, flags=re.IGNORECASE)
    return cut[:_LONGEST_FRAME] if times else ""


def circumstances(cosine: float, *, together: bool) -> tuple[str, ...]:
    """What tells beside the words of a pair: how near its frames are, one feature for each step that is reached, and
    whether both were said in one session.

    >>> circumstances(0.41, together=False)
    ('together=False', 'near>=0.30', 'near>=0.35', 'near>=0.40')
    """
    steps = int((min(cosine, _NEAREST) - _NEAR) / _STEP + 1e-9) + 1
    return f"together={together}", *(f"near>={_NEAR + _STEP * step:.2f}" for step in range(max(0, steps)))


def _comparable(old: Claim, new: Claim) -> bool:
    if old.mood != "stated" or new.mood != "stated" or old.negative or new.negative:
        return False
    return not old.past and not new.adds and (new.changes or not new.past)


def _differ(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> bool:
    alike = was.kind == now.kind or {was.kind, now.kind} == NAMED
    in_one_unit = was.unit == now.unit or (was.kind == "amount" and _compatible(was.unit, now.unit))
    repeated = any(equal(was, one) for one in new.values) or any(equal(now, one) for one in old.values)
    return alike and in_one_unit and not repeated


def _compatible(unit: str, other: str) -> bool:
    """Whether the newer unit is left out, or one of them says besides for how much: 40 euros, 45 euros a lesson."""
    (base, _, rate), (other_base, _, other_rate) = unit.partition("/"), other.partition("/")
    return not other or (base == other_base and not (rate and other_rate))


def _features(old: Claim, was: ClaimValue, new: Claim, now: ClaimValue) -> Iterator[str]:
    before, after = topic_of(old, was), topic_of(new, now)
    kind = was.kind if was.kind == now.kind else "named"
    held = f"{was.role in HELD}/{now.role in HELD}"
    each = each_says_more(old, was, new, now)
    verb = "same" if old.verb == new.verb else "be" if "be" in (old.verb, new.verb) else "other"
    many, changes = new.verb in MANY, new.changes
    same_role = was.role == now.role
    yield f"kind={kind}"
    yield f"held={held}"
    yield f"kind={kind} held={held}"
    yield f"kind={kind} changes={changes}"
    yield f"kind={kind} same role={same_role}"
    yield f"verb={verb} changes={changes}"
    yield f"many={many} changes={changes}"
    yield f"each says more={each} changes={changes}"
    yield f"old many={old.verb in MANY}"
    yield f"one does={old.verb in ONE_DOES}"
    yield f"takes over={new.takes_over}"
    yield f"leaves={bool(new.former)}"
    yield f"moves={new.verb in CHANGE}"
    yield f"one head={was.head != '' and was.head == now.head}"
    yield f"role noun={_compared(old.role, new.role)}"
    yield f"said of the role={bool((old.role and mentions(new, old.role)) or (new.role and mentions(old, new.role)))}"
    yield f"head={_compared(old.head, new.head)}"
    yield f"speaker={_compared(old.speaker, new.speaker)}"
    yield f"unit={was.unit == now.unit}"
    yield f"other values repeated={_repeats(old, was, new)}"
    yield from _topics(before, after)


def _topics(before: Topic, after: Topic) -> Iterator[str]:
    yield f"common={_some(len(before.words & after.words))}"
    yield f"old alone={_some(len(before.words - after.words))}"
    yield f"new alone={_some(len(after.words - before.words))}"
    yield f"names common={bool(before.names & after.names)}"
    yield f"subject={_overlap(before.subject, after.subject)}"
    yield f"object={_overlap(before.object, after.object)}"


def _some(count: int) -> str:
    return str(count) if count < 3 else "more"


def _compared(one: str, other: str) -> str:
    return "none" if not (one or other) else "same" if one == other else "one" if not (one and other) else "other"


def _overlap(one: frozenset[str], other: frozenset[str]) -> str:
    return "none" if not (one and other) else "same" if one == other else "some" if one & other else "other"


def _repeats(old: Claim, was: ClaimValue, new: Claim) -> bool:
    return any(equal(one, other) for one in old.values if one is not was for other in new.values)
