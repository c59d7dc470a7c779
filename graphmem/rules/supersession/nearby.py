"""What a statement that is kept finds among the active facts: those that say the same, and those near it that stay."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.model.answers import RelatedFact
from graphmem.model.change import Change
from graphmem.model.claims import Claim
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.claims import in_one_slot, other_unit, tells_value, terms
from graphmem.rules.language.keys import normalised
from graphmem.rules.supersession.decision import Fact
from graphmem.rules.supersession.retirement import fact_of, known_fact

MAX_RELATED = 5
"""Most facts near a new one that a receipt names."""


def with_confirmations(
    change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime
) -> Change:
    """The change in which a fact that is there in other words is that fact: it gets one more source.

    A fact with an end of its own, or one that begins later, confirms nothing: it says more.
    """
    siblings = _siblings(change, known, active)
    rows = []
    for row in change.attributes:
        same = None
        if row.kind != "constraint" and row.valid_to is None and row.valid_from <= now:
            new = fact_of(row, now)
            same = next((fact for fact in siblings.get(row.entity, ()) if _says_same(known_fact(fact, ""), new)), None)
        rows.append(row if same is None else replace(row, content=same.content, aspect=same.aspect))
    return replace(change, attributes=tuple(rows))


def confirmation_missed(
    change: Change, entity_ids: Mapping[str, str], active: Sequence[ActiveFact], now: datetime
) -> bool:
    """Whether the change would confirm one of `active` that did not exist yet at the decision."""
    if change.seen is None or not change.seen.confirming:
        return False
    unseen = [fact for fact in active if fact.id not in change.seen.facts]
    known = [
        KnownEntity(e.canonical, e.canonical, entity_ids[e.canonical], e.name, e.type, False) for e in change.entities
    ]
    return bool(unseen) and with_confirmations(change, known, unseen, now) != change


def said_otherwise(change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact]) -> ActiveFact | None:
    """An active fact that has the words of a new one, and of which a caller said another slot, value or scope: a fact
    is known by its words, so both cannot be kept."""
    siblings = _siblings(change, known, active)
    for row in change.attributes:
        given = _given(row.claims)
        if given is None or not (given.values or given.scope or given.negative):
            continue
        for fact in siblings.get(row.entity, ()):
            if normalised(fact.content) != normalised(row.content):
                continue
            held = known_fact(fact, "")
            verdict = in_one_slot(held.fillings, fact_of(row, row.valid_from).fillings)
            if _given(held.claims) and (verdict is None or verdict.outcome != "same"):
                return fact
    return None


def _given(claims: Sequence[Claim]) -> Claim | None:
    return next((claim for claim in claims if claim.slot), None)


def _siblings(
    change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact]
) -> Mapping[str, list[ActiveFact]]:
    """The active facts of each entity, by its canonical name, oldest first."""
    ids = {
        entity.id: entity.canonical for entity in known if any(r.entity == entity.canonical for r in change.attributes)
    }
    found: dict[str, list[ActiveFact]] = {}
    for fact in sorted(active, key=lambda one: (one.created_at, one.id)):
        if fact.entity_id in ids and fact.superseded_by is None and fact.kind != "constraint":
            found.setdefault(ids[fact.entity_id], []).append(fact)
    return found


def _says_same(old: Fact, new: Fact) -> bool:
    """Whether a newer fact says what the older one of its entity says: by the slot that a caller named, else clause by
    clause in the same words, whatever their order and form."""
    verdict = in_one_slot(old.fillings, new.fillings)
    named = any(one.by == "caller" for one in new.fillings)
    if named or (verdict is not None and len(_told(new)) == 1):
        return verdict is not None and verdict.outcome == "same" and verdict.sure
    told = _told(new)
    return any(map(tells_value, told)) and all(any(_alike(was, now) for was in _told(old)) for now in told)


def _told(fact: Fact) -> list[Claim]:
    return [claim for claim in fact.claims if not claim.slot]


def _alike(was: Claim, now: Claim) -> bool:
    """Whether two clauses are the same but for what tells of a change."""
    values = [sorted((one.kind, one.key, one.unit, one.role) for one in claim.values) for claim in (was, now)]
    former = [sorted((one.kind, one.key, one.unit) for one in claim.former) for claim in (was, now)]
    plain = [
        claim.model_copy(update={"values": (), "former": (), "changes": False, "takes_over": False})
        for claim in (was, now)
    ]
    return values[0] == values[1] and former[0] == former[1] and plain[0] == plain[1]


@dataclass(frozen=True)
class _Near:
    fact: ActiveFact
    why: str
    rank: tuple[int, int, int]


def with_related(
    change: Change,
    known: Sequence[KnownEntity],
    active: Sequence[ActiveFact],
    proposed: Collection[str],
    now: datetime,
) -> Change:
    """The change with the active facts near its own that it leaves alone, nearest first: those that wait for a
    decision, then those in the same slot, then those about the same thing with a value of the same kind.

    `proposed`: ids of the facts whose retirement is only proposed.
    """
    retired = {row.old for row in (*change.applied, *change.moved)}
    ids = {entity.canonical: entity.id for entity in known}
    rows = [(row.entity, _Side(fact_of(row, now))) for row in change.attributes if row.claims]
    there = {(ids.get(row.entity), normalised(row.content)) for row in change.attributes}
    found: dict[str, _Near] = {}
    for fact in active:
        if fact.superseded_by or fact.id in retired or (fact.entity_id, normalised(fact.content)) in there:
            continue
        old = _Side(known_fact(fact, ""))
        nears = (_near(old, new, fact, ids.get(entity) == fact.entity_id, fact.id in proposed) for entity, new in rows)
        best = min((near for near in nears if near), key=lambda near: near.rank, default=None)
        if best is not None:
            found[fact.id] = best
    order = sorted(found.values(), key=lambda one: (one.rank, _since(one.fact), one.fact.id))
    near = (RelatedFact(id=one.fact.id, content=one.fact.content, why=one.why) for one in order[:MAX_RELATED])
    return replace(change, related=tuple(near))


def _since(fact: ActiveFact) -> float:
    return -(fact.said_at or fact.valid_from).timestamp()


class _Side:
    """A fact with its slots, what it is about, and the kinds of its values with their units."""

    def __init__(self, fact: Fact) -> None:
        self.fact = fact
        self.slots = {one.slot for one in fact.fillings}
        self.topics = frozenset[str]().union(*(terms(claim) - {claim.speaker} for claim in fact.claims))
        values = (value for claim in fact.claims for value in claim.values)
        self.kinds = {(one.kind, one.unit) for one in values if one.role not in ("subject", "owner")}


def _near(old: _Side, new: _Side, fact: ActiveFact, at_home: bool, proposed: bool) -> _Near | None:
    """How near a stored fact is to a new one, and why it stays; None for one that is about something else. `at_home`:
    both are of one entity."""
    shared, common, kinds = old.slots & new.slots, old.topics & new.topics, old.kinds & new.kinds
    if not (shared and (at_home or common)) and not (common and kinds) and not proposed:
        return None
    why = "waits for a decision" if proposed else _why(old.fact, new.fact, shared)
    return _Near(fact, why, (int(not proposed), int(not (shared and at_home)), -len(common)))


def _why(old: Fact, new: Fact, slots: Collection[str]) -> str:
    """Why both stay, in one short clause. `slots`: those that both fill."""
    verdict = in_one_slot(old.fillings, new.fillings)
    moods = {claim.mood for claim in new.claims if not claim.slot} - {"stated"}
    table: Iterable[tuple[bool, str]] = (
        (old.kind == "constraint", "a constraint"),
        (old.pinned, "pinned"),
        (verdict is not None and verdict.outcome == "apart", verdict.why if verdict else ""),
        ((old.said_at or old.valid_from) > (new.said_at or new.valid_from), "said of a later time"),
        (bool(moods) and not new.fillings, f"the new one is only {' or '.join(sorted(moods))}"),
        (not slots, "another slot"),
        (other_unit(old.fillings, new.fillings), "other unit"),
        (not all(one.sure for fact in (old, new) for one in fact.fillings if one.slot in slots), "many-valued"),
    )
    return next((why for holds, why in table if holds), "no word of change")
