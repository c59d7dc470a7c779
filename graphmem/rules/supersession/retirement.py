"""Which older facts the new ones of a change retire, and whether that is still right when it is written."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from graphmem.model.change import AttributeRow, Change, Judged, SupersessionRow
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.claims import slot_key, unpacked
from graphmem.rules.contradiction import pack, unpack
from graphmem.rules.keeping.drafts import NewId
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.text import canonical_name
from graphmem.rules.supersession.decision import DETECTOR, Fact, Judgements, Likely, Retirement, decide
from graphmem.rules.supersession.likeness import Compared, worth_comparing
from graphmem.rules.supersession.model_verdicts import Pair, worth_asking


def with_supersessions(
    change: Change,
    known: Sequence[KnownEntity],
    active: Sequence[ActiveFact],
    *,
    min_confidence: float,
    shadow: bool,
    new_id: NewId,
    now: datetime,
    judged: Judgements | None = None,
    judge: str = "",
    rules: str = "",
    likely: Likely = MappingProxyType({}),
) -> Change:
    """The change with the retirements its facts cause among `active`: the active facts of its entities, and those that
    were superseded after the oldest of the new ones began (`late_since`).

    A new fact is compared with its siblings: the facts of the same entity that share its aspect or its slot.
    `judged`: a model's verdicts where the rules do not decide; `judge` names it. `rules` names the code that computes
    traits: those of new facts are stored with them, those of others are used if the same code computed them. '' for
    neither. `likely`: what a scorer says of pairs of facts.
    """
    retirements: dict[str, Retirement] = {}
    compared: set[str] = set()
    for fresh, rivals in _new_groups(change, known, active, now, rules):
        compared.update(fact.content for fact in fresh if fact.kind != "constraint")
        for retirement in decide(fresh, rivals, min_confidence=min_confidence, shadow=shadow, judged=judged):
            retirements.setdefault(retirement.old_id, retirement)
    fresh, held = _claiming(change, known, active, now)
    for retirement in decide(fresh, held, min_confidence=min_confidence, shadow=shadow, by_claims=True, likely=likely):
        retirements.setdefault(retirement.old_id, retirement)
    rows = {
        status: tuple(
            row_of(r, new_id(), judge)
            for r in retirements.values()
            if status == ("moved" if r.instead_of else r.status)
        )
        for status in ("applied", "proposed", "moved")
    }
    late = late_since(change, active) is not None
    # Of an entity that was not known yet, only claims were compared: what else its facts say is not judged.
    ids = {entity.id for entity in known}
    examined = frozenset(fact.id for fact in active if fact.entity_id in ids)
    seen = Judged(examined, min_confidence, shadow, late)
    attributes = tuple(
        replace(row, traits=pack(row.content, rules)) if rules and row.content in compared else row
        for row in change.attributes
    )
    return replace(
        change,
        attributes=attributes,
        applied=rows["applied"],
        proposed=rows["proposed"],
        moved=rows["moved"],
        seen=seen,
    )


def pairs_to_compare(
    change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime, least: float
) -> list[Compared]:
    """The pairs of facts that a scorer is asked about: see `worth_comparing`."""
    fresh, held = _claiming(change, known, active, now)
    return worth_comparing(fresh, held, least)


def _claiming(
    change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime
) -> tuple[list[Fact], list[Fact]]:
    """The new facts with claims, and all such facts that were read, whoever they are about."""
    ids = {entity.canonical: entity.id for entity in known}
    there = {(fact.entity_id, normalised(fact.content)) for fact in active if fact.superseded_by is None}
    new = [row for row in change.attributes if (ids.get(row.entity), normalised(row.content)) not in there]
    fresh = [fact_of(row, now) for row in new if row.claims]
    return fresh, [known_fact(fact, "") for fact in active if fact.claims] if fresh else []


def pairs_to_ask(
    change: Change,
    known: Sequence[KnownEntity],
    active: Sequence[ActiveFact],
    told: Collection[Pair],
    now: datetime,
) -> list[tuple[int, Pair]]:
    """The pairs of facts of a change decided by rules that a model may be asked about (`worth_asking`)."""
    retired = {row.old for row in (*change.applied, *change.proposed, *change.moved)}
    return [
        pair
        for fresh, rivals in _new_groups(change, known, active, now)
        for pair in worth_asking(fresh, rivals, retired=retired, told=told)
    ]


def _new_groups(
    change: Change, known: Sequence[KnownEntity], active: Sequence[ActiveFact], now: datetime, rules: str = ""
) -> Iterator[tuple[list[Fact], list[Fact]]]:
    """The new facts of each entity and aspect, and their siblings."""
    entity_ids = {entity.canonical: entity.id for entity in known}
    siblings = _by_entity(active)
    groups: dict[tuple[str, str], list[AttributeRow]] = defaultdict(list)
    for row in change.attributes:
        groups[entity_ids.get(row.entity, row.entity), canonical_name(row.aspect)].append(row)
    for (entity, aspect), group in sorted(groups.items()):
        held = {normalised(fact.content) for fact in siblings.get(entity, ()) if fact.superseded_by is None}
        fresh = [row for row in group if normalised(row.content) not in held]
        new = [fact_of(row, now) for row in fresh]
        slots = {one.slot for fact in new for one in fact.fillings}
        given = any(fact.claim_key and fact.explicit for fact in new)
        beside = [fact for fact in siblings.get(entity, ()) if canonical_name(fact.aspect) == aspect]
        named = (f for f in siblings.get(entity, ()) if (f.claim_key or given) and canonical_name(f.aspect) != aspect)
        elsewhere = (fact for one in named if _fills(fact := known_fact(one, rules), slots))
        yield new, [*(known_fact(fact, rules) for fact in beside), *elsewhere]


def _fills(fact: Fact, slots: Collection[str]) -> bool:
    return any(one.slot in slots for one in fact.fillings)


@dataclass(frozen=True, slots=True)
class Swept:
    """`traits`: those computed meanwhile, by the ids of facts that had none or those of other code."""

    retirements: tuple[Retirement, ...]
    traits: Mapping[str, bytes]


def swept(
    facts: Sequence[ActiveFact],
    *,
    min_confidence: float,
    shadow: bool,
    settled: Set[tuple[str, str]],
    judged: Judgements | None = None,
    rules: str = "",
) -> Swept:
    """The retirements among stored facts: the active ones, and those that were superseded.

    Siblings are those that share an aspect or a slot, as for new facts; `settled` are pairs that people decided,
    `judged` are a model's verdicts where the rules do not decide; `rules` names the code that computes traits, '' to
    store none. Each fact is retired at most once.
    """
    found: dict[str, Retirement] = {}
    traits: dict[str, bytes] = {}
    for looked_at, rivals in _kept_groups(facts, rules):
        for fact in rivals if rules else ():
            if fact.traits is None and fact.kind != "constraint" and fact.id not in traits:
                traits[fact.id] = pack(fact.content, rules)
        for retirement in decide(
            looked_at,
            rivals,
            min_confidence=min_confidence,
            shadow=shadow,
            settled=settled,
            judged=judged,
        ):
            found.setdefault(retirement.old_id, retirement)
    return Swept(tuple(found.values()), traits)


def kept_pairs_to_ask(
    facts: Sequence[ActiveFact],
    *,
    retired: Collection[str],
    settled: Collection[tuple[str, str]],
    told: Collection[Pair],
) -> list[tuple[int, Pair]]:
    """The active pairs of stored facts that a model may be asked about (`worth_asking`)."""
    return [
        pair
        for looked_at, _ in _kept_groups(facts)
        for pair in worth_asking(looked_at, (), retired=retired, settled=settled, told=told)
    ]


def _kept_groups(facts: Sequence[ActiveFact], rules: str = "") -> Iterator[tuple[list[Fact], list[Fact]]]:
    """The active facts of each entity and aspect, and their siblings."""
    for held in _by_entity(facts).values():
        names = {fact.aspect: canonical_name(fact.aspect) for fact in held}
        by_aspect: dict[str, list[tuple[ActiveFact, Fact]]] = defaultdict(list)
        for fact in held:
            by_aspect[names[fact.aspect]].append((fact, known_fact(fact, rules)))
        for aspect, beside in sorted(by_aspect.items()):
            looked_at = [known for fact, known in beside if fact.superseded_by is None]
            slots = {slot_key(fact.claim_key) for fact in looked_at if fact.claim_key}
            elsewhere = [
                known_fact(fact, rules)
                for fact in held
                if fact.claim_key and slot_key(fact.claim_key) in slots and names[fact.aspect] != aspect
            ]
            rivals = [known for _, known in beside] + elsewhere
            if looked_at and len(rivals) > 1:
                yield looked_at, rivals


def row_of(retirement: Retirement, id_: str, judge: str = "") -> SupersessionRow:
    """`judge` names the model, if the verdict is a model's."""
    by = (DETECTOR, retirement.method, judge if retirement.method == "semantic" else "")
    return SupersessionRow(
        id=id_,
        old=retirement.old_id,
        new=retirement.new_id,
        signals=retirement.signals,
        confidence=retirement.confidence,
        method=retirement.method,
        by=" ".join(filter(None, by)),
        reason=retirement.reason,
        valid_to=retirement.valid_to,
        instead_of=retirement.instead_of,
    )


def _by_entity(facts: Sequence[ActiveFact]) -> dict[str, list[ActiveFact]]:
    found: dict[str, list[ActiveFact]] = defaultdict(list)
    for fact in facts:
        found[fact.entity_id].append(fact)
    return found


def late_since(change: Change, active: Sequence[ActiveFact]) -> datetime | None:
    """When the oldest of the new facts began, if an active one began later: then what was superseded since matters too.
    None where all new facts are newer than the active ones."""
    oldest = min((row.said_at or row.valid_from for row in change.attributes), default=None)
    late = oldest is not None and any((fact.said_at or fact.valid_from) > oldest for fact in active)
    return oldest if late else None


def rivals_missed(change: Change, entity_ids: Mapping[str, str], active: Sequence[ActiveFact], now: datetime) -> bool:
    """Whether the change would retire one of `active` that did not exist yet at the decision, or be retired by it.

    Other facts that were added meanwhile do not matter: concurrent writers on one entity do not disturb each other.
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
        # A fact committed before ours is the older of the two, regardless of clocks.
        now=max(now, *(fact.created_at + timedelta(microseconds=1) for fact in unseen)),
    )
    ids = {fact.id for fact in unseen}
    return any({row.old, row.new} & ids for row in (*anew.applied, *anew.proposed, *anew.moved))


def fact_of(row: AttributeRow, now: datetime) -> Fact:
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
        claims=row.claims,
        said_at=row.said_at,
        sessions=frozenset(row.session_ids),
        statement=row.memory_ref,
    )


def known_fact(fact: ActiveFact, rules: str) -> Fact:
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
        traits=unpack(fact.traits, fact.content, rules),
        claims=unpacked(fact.claims),
        said_at=fact.said_at,
        sessions=frozenset(fact.session_ids),
    )
