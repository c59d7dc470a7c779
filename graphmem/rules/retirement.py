"""Which older facts the new ones of a change retire, and whether that still holds when it is written."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from graphmem.model.change import AttributeRow, Change, Judged, SupersessionRow
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.identity import normalised
from graphmem.rules.learning import NewId
from graphmem.rules.supersession import Fact, Retirement, decide
from graphmem.rules.text import canonical_name


def with_supersessions(
    change: Change,
    known: Sequence[KnownEntity],
    active: Sequence[ActiveFact],
    *,
    min_confidence: float,
    shadow: bool,
    new_id: NewId,
    now: datetime,
) -> Change:
    """The change with the retirements its facts bring about among `active`: the active facts of its entities, and those
    that were superseded after the oldest of the new ones began (`late_since`).

    A new fact is compared with its siblings: the facts of the same entity that share its aspect or its slot.
    """
    entity_ids = {entity.canonical: entity.id for entity in known}
    siblings: dict[str, list[ActiveFact]] = defaultdict(list)
    for fact in active:
        siblings[fact.entity_id].append(fact)
    groups: dict[tuple[str, str], list[AttributeRow]] = defaultdict(list)
    for row in change.attributes:
        groups[entity_ids.get(row.entity, row.entity), canonical_name(row.aspect)].append(row)
    retirements: dict[str, Retirement] = {}
    for (entity, aspect), group in sorted(groups.items()):
        held = {normalised(fact.content) for fact in siblings[entity] if fact.superseded_by is None}
        fresh = [row for row in group if normalised(row.content) not in held]
        slots = {row.claim_key for row in fresh if row.claim_key}
        rivals = [f for f in siblings[entity] if canonical_name(f.aspect) == aspect or f.claim_key in slots]
        for retirement in decide(
            [_fact(row, now) for row in fresh],
            [_known_fact(fact) for fact in rivals],
            min_confidence=min_confidence,
            shadow=shadow,
            now=now,
        ):
            retirements.setdefault(retirement.old_id, retirement)
    rows = {
        status: tuple(
            SupersessionRow(
                id=new_id(),
                old=r.old_id,
                new=r.new_id,
                signals=r.signals,
                confidence=r.confidence,
                method=r.method,
                reason=r.reason,
                valid_to=r.valid_to,
                instead_of=r.instead_of,
            )
            for r in retirements.values()
            if status == ("moved" if r.instead_of else r.status)
        )
        for status in ("applied", "proposed", "moved")
    }
    seen = Judged(frozenset(fact.id for fact in active), min_confidence, shadow)
    return replace(change, applied=rows["applied"], proposed=rows["proposed"], moved=rows["moved"], seen=seen)


def late_since(change: Change, active: Sequence[ActiveFact]) -> datetime | None:
    """When the oldest of the new facts began, if one that is active began later: then what was superseded since
    matters too. None where all new facts are news."""
    oldest = min((row.valid_from for row in change.attributes), default=None)
    return oldest if oldest and any(fact.valid_from > oldest for fact in active) else None


def rivals_missed(change: Change, entity_ids: Mapping[str, str], active: Sequence[ActiveFact], now: datetime) -> bool:
    """Whether the change would retire one of `active` that was not there yet when it was decided on, or be retired by
    it.

    Facts that came in meanwhile and say something else do not matter: writers on one entity do not disturb each other.
    """
    if change.seen is None:
        return False
    unseen = [fact for fact in active if fact.id not in change.seen.facts]
    if not unseen:
        return False
    entities = [
        KnownEntity(e.canonical, e.canonical, entity_ids[e.canonical], e.name, e.type, False) for e in change.entities
    ]
    anew = with_supersessions(
        change,
        entities,
        unseen,
        min_confidence=change.seen.min_confidence,
        shadow=change.seen.shadow,
        new_id=str,
        # What is committed before us is the older of the two, whatever the clocks say.
        now=max(now, *(fact.created_at + timedelta(microseconds=1) for fact in unseen)),
    )
    ids = {fact.id for fact in unseen}
    return any({row.old, row.new} & ids for row in (*anew.applied, *anew.proposed, *anew.moved))


def _fact(row: AttributeRow, now: datetime) -> Fact:
    return Fact(
        id=row.ref,
        content=row.content,
        kind=row.kind,
        claim_key=row.claim_key,
        confidence=row.confidence,
        explicit=row.explicit,
        pinned=row.pinned,
        valid_from=row.valid_from,
        created_at=now,
    )


def _known_fact(fact: ActiveFact) -> Fact:
    return Fact(
        id=fact.id,
        content=fact.content,
        kind=fact.kind,
        claim_key=fact.claim_key,
        confidence=fact.confidence,
        explicit=fact.explicit,
        pinned=fact.pinned,
        valid_from=fact.valid_from,
        created_at=fact.created_at,
        superseded_by=fact.superseded_by,
        valid_to=fact.valid_to,
    )
