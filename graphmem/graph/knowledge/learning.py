"""Writing what was learned: a change is written as a whole, in the order its parts need each other."""

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import PlanOutdated
from graphmem.graph.connection import ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.facts import facts_active, facts_past
from graphmem.graph.knowledge.merging import merges_propose
from graphmem.graph.knowledge.revival import revive
from graphmem.graph.operation.jobs import events_write
from graphmem.model.change import (
    AttributeRow,
    Change,
    DependencyRow,
    EntityRow,
    MemoryRow,
    MentionRow,
    SupersessionRow,
    Written,
)
from graphmem.rules.claims import main_topic, main_value, packed, shown
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import agent_key, dependency_key, fact_key
from graphmem.rules.language.text import canonical_name
from graphmem.rules.supersession import confirmation_missed, late_since, rivals_missed


async def write_change(tx: WriteTransaction, agent_id: str, change: Change, now: datetime) -> Written:
    """Write a change in the order its parts need each other."""
    about = {row.entity for row in change.attributes} if change.seen else set()
    entity_ids, made, cold, facts, gained = await entities_merge(tx, agent_id, change.entities, now, about)
    revived = await revive(tx, agent_id, cold)
    # The entities are locked now: nobody can add a fact to them.
    if change.seen and about and (cold or change.seen.late or not facts <= change.seen.facts):
        await _nothing_missed(tx, agent_id, change, entity_ids, now)
    likenesses = [row for row in change.likenesses if row.near not in gained and (row.stated or row.canonical in made)]
    alike = await merges_propose(tx, agent_id, likenesses, entity_ids, now)
    memories = await memories_merge(tx, agent_id, change.memories, entity_ids, change.by)
    memory_ids = {ref: one.id for ref, one in memories.items()}
    await mentions_create(tx, agent_id, change.mentions, entity_ids)
    attributes = await attributes_merge(tx, agent_id, change.attributes, entity_ids, memory_ids, change.by, now)
    attribute_ids = {ref: one.id for ref, one in attributes.items()}
    edges = await dependencies_merge(tx, agent_id, change.dependencies, entity_ids, memory_ids, attribute_ids, now)
    applied = await supersessions_apply(tx, agent_id, change.applied, attribute_ids, now)
    moved = await supersessions_move(tx, agent_id, change.moved, attribute_ids, now)
    asked, done = len(change.applied) + len(change.moved), len(applied) + len(moved)
    if done != asked:
        raise PlanOutdated(f"{asked - done} of {asked} facts changed before they were retired.")
    proposed = await supersessions_propose(tx, agent_id, change.proposed, attribute_ids, now)
    followed = await follow(tx, agent_id, [(one.old, one.row.asked) for one in applied], now)
    lines = [
        *revived,
        *_made_or_confirmed("memory", memories.values(), {"level": change.level} if change.level else {}),
        *_cut(change, memories.values()),
        *_made_or_confirmed("attribute", attributes.values()),
        *(Line("dependency_created", edge.id, None, {"dependency": edge.id}) for edge in edges if edge.created),
        *(retired_line(one) for one in applied),
        *(moved_line(one) for one in moved),
        *(proposed_line(one) for one in proposed if one.created),
        *followed,
        *alike,
        *(
            Line("alias_added", entity_ids[row.canonical], None, {"alias": row.near}, row.reason)
            for row in change.likenesses
            if row.stated and row.near in gained
        ),
    ]
    await events_write(tx, agent_id, told(lines, change.actor, now, change.event_ids) if change.event_ids else [])
    return Written(
        entity_ids=entity_ids,
        memory_ids=memory_ids,
        attribute_ids=attribute_ids,
        dependency_ids=tuple(edge.id for edge in edges),
        created_memories=frozenset(one.id for one in memories.values() if one.created),
        created_attributes=frozenset(one.id for one in attributes.values() if one.created),
        created_dependencies=frozenset(edge.id for edge in edges if edge.created),
        superseded=tuple(one.id for one in (*applied, *moved)),
        proposed=tuple(one.id for one in proposed),
    )


async def _nothing_missed(
    tx: ReadTransaction, agent_id: str, change: Change, entity_ids: Mapping[str, str], now: datetime
) -> None:
    """Errors: PlanOutdated when a fact was added since that the new ones retire, or that retires one of them."""
    about = sorted({entity_ids[row.entity] for row in change.attributes})
    held = await facts_active(tx, agent_id, about)
    if since := late_since(change, held):
        held += await facts_past(tx, agent_id, about, since)
    if await asyncio.to_thread(rivals_missed, change, entity_ids, held, now):
        raise PlanOutdated("A fact came in between that the new ones retire.")
    if await asyncio.to_thread(confirmation_missed, change, entity_ids, held, now):
        raise PlanOutdated("A fact came in between that says the same.")


@dataclass(frozen=True)
class Merged:
    """The item stored under a key: created now, or before. `before` and `after` are its visible states."""

    id: str
    created: bool
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Decided:
    """A supersession as it was written; `row` is the request for it."""

    id: str
    old: str
    new: str
    created: bool
    row: SupersessionRow


def retired_line(one: Decided) -> Line:
    """The history line of a fact that was retired."""
    return Line("superseded", one.old, {"status": "active"}, {"status": "superseded"} | _told_of(one), one.row.reason)


def proposed_line(one: Decided) -> Line:
    """The history line of a proposed supersession, for a person to decide."""
    return Line("supersession_proposal", one.old, None, _told_of(one), one.row.reason)


def moved_line(one: Decided) -> Line:
    """The history line of a superseded fact whose successor is now a closer one."""
    before = {"status": "superseded", "by": one.row.instead_of}
    return Line("supersession_refined", one.old, before, {"status": "superseded"} | _told_of(one), one.row.reason)


def _told_of(one: Decided) -> dict[str, Any]:
    """A supersession in the history of the older fact: its successor, confidence and reasons. The words that caused it
    are in the event's reason."""
    return {
        "by": one.new,
        "supersession": one.id,
        "method": one.row.method,
        "confidence": one.row.confidence,
        "signals": {signal.name: signal.confidence for signal in one.row.signals},
    }


def _made_or_confirmed(what: str, merged: Iterable[Merged], how: Mapping[str, Any] | None = None) -> list[Line]:
    """A line for each new item, with `how` it was created, and for each that changed because it was said again."""
    made = {one.id: {what: one.id, **(how or {})} for one in merged if one.created}
    lines = {id_: Line(f"{what}_created", id_, None, after) for id_, after in made.items()}
    for one in merged:
        if one.id not in lines and one.before != one.after:
            lines[one.id] = Line(f"{what}_confirmed", one.id, one.before, one.after)
    return [lines[id_] for id_ in sorted(lines)]


def _cut(change: Change, memories: Iterable[Merged]) -> list[Line]:
    """What was left out of a new statement."""
    if change.cut is None:
        return []
    after = {"level": change.cut.level, "cut": dict(change.cut.counts)}
    return [Line("extraction_cut", one.id, None, after) for one in memories if one.created]


async def follow(tx: WriteTransaction, agent_id: str, retired: Sequence[tuple[str, bool]], now: datetime) -> list[Line]:
    """Retire what only retired facts supported: edges, and the statements they came from. `retired` says of each
    whether a person retired it."""
    lines: list[Line] = []
    for by_person in (False, True):
        ids = [id_ for id_, asked in retired if asked == by_person]
        if ids:
            lines += [
                Line("memory_superseded", id_, {"status": "active"}, {"status": "superseded"})
                for id_ in await memories_restate(tx, agent_id, ids, by_person)
            ]
            lines += [
                Line("dependency_retired", id_, {"status": "active"}, {"status": "superseded"})
                for id_ in await dependencies_retire(tx, agent_id, ids, now)
            ]
    return lines


async def entities_merge(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[EntityRow],
    now: datetime,
    with_facts: Collection[str] = (),
) -> tuple[dict[str, str], frozenset[str], list[str], frozenset[str], frozenset[str]]:
    """Canonical name to entity id, the names of those just created, the ids of those in the cold tier, the ids of the
    active facts of `with_facts`, and the canonical aliases that lead to an entity since. The entities are locked, in
    sorted order, until the transaction ends."""
    if not rows:
        return {}, frozenset(), [], frozenset(), frozenset()
    (found,) = await tx.rows(
        "knowledge/entities_merge",
        agent_id=agent_id,
        agent_key=agent_key(agent_id),
        now=now,
        rows=[
            {
                "canonical": row.canonical,
                "id": row.id,
                "name": row.name,
                "type": row.type.value,
                "mentions": row.mentions,
                "withFacts": row.canonical in with_facts,
                "aliases": [{"canonical": canonical_name(alias), "name": alias} for alias in row.aliases],
            }
            for row in sorted(rows, key=lambda row: row.canonical)
        ],
    )
    return (
        {canonical: id_ for canonical, id_, _, _, _ in found["merged"]},
        frozenset(canonical for canonical, _, created, _, _ in found["merged"] if created),
        sorted({id_ for _, id_, _, cold, _ in found["merged"] if cold}),
        frozenset(id_ for ids in found["facts"] for id_ in ids),
        frozenset(alias for _, _, _, _, gained in found["merged"] for alias in gained),
    )


async def memories_merge(
    tx: WriteTransaction, agent_id: str, rows: Sequence[MemoryRow], entity_ids: Mapping[str, str], by: str
) -> dict[str, Merged]:
    """Memories by their refs."""
    if not rows:
        return {}
    merged = await tx.rows(
        "knowledge/memories_merge",
        agent_id=agent_id,
        by=by,
        agent_key=agent_key(agent_id),
        rows=[
            {
                "ref": row.ref,
                "id": row.id,
                "content": row.content,
                "contentKey": row.content_key,
                "type": row.type,
                "importance": row.importance,
                "pinned": row.pinned,
                "explicit": row.explicit,
                "source": row.source,
                "project": row.project,
                "sessionId": row.session_id,
                "validFrom": row.valid_from,
                "validTo": row.valid_to,
                "createdAt": row.created_at,
                "spans": [{"messageId": span.message_id, "start": span.start, "end": span.end} for span in row.spans],
                "about": [entity_ids[name] for name in row.about],
            }
            for row in sorted(rows, key=lambda row: row.content_key)
        ],
    )
    return {r["ref"]: Merged(r["id"], r["created"], r["before"], r["after"]) for r in merged}


async def mentions_create(
    tx: WriteTransaction, agent_id: str, rows: Sequence[MentionRow], entity_ids: Mapping[str, str]
) -> None:
    if rows:
        await tx.rows(
            "knowledge/mentions_create",
            agent_id=agent_id,
            rows=[
                {
                    "messageId": row.message_id,
                    "entityId": entity_ids[row.entity],
                    "start": row.start,
                    "end": row.end,
                }
                for row in rows
            ],
        )


async def attributes_merge(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[AttributeRow],
    entity_ids: Mapping[str, str],
    memory_ids: Mapping[str, str],
    by: str,
    now: datetime,
) -> dict[str, Merged]:
    """Attributes by their refs."""
    if not rows:
        return {}
    merged = await tx.rows(
        "knowledge/attributes_merge",
        agent_id=agent_id,
        by=by,
        agent_key=agent_key(agent_id),
        now=now,
        rows=[
            {
                "ref": row.ref,
                "id": row.id,
                "entityId": entity_ids[row.entity],
                "aspect": row.aspect,
                "aspectCanonical": canonical_name(row.aspect),
                "aspectId": row.aspect_id,
                "activeKey": fact_key(entity_ids[row.entity], row.content),
                "content": row.content,
                "searchText": row.content,
                "kind": row.kind,
                "claimKey": row.claim_key,
                "confidence": row.confidence,
                "importance": row.importance,
                "pinned": row.pinned,
                "explicit": row.explicit,
                "validFrom": row.valid_from,
                "validTo": row.valid_to,
                "extractionLevel": row.extraction_level,
                "memoryIds": [memory_ids[row.memory_ref]],
                "sessionIds": list(row.session_ids),
                "project": row.project,
                "sessionId": row.session_id,
                "traits": row.traits,
                "claims": packed(row.claims),
                "saidAt": row.said_at,
                "places": [at for place in row.places for at in place] or None,
                "basis": row.basis or None,
                "claimTopic": main_topic(row.claims),
                "claimValue": main_value(row.claims),
                "declares": row.explicit and row.claim_key is not None,
                **_shown(row),
            }
            for row in rows
        ],
    )
    return {r["ref"]: Merged(r["id"], r["created"], r["before"], r["after"]) for r in merged}


def _shown(row: AttributeRow) -> dict[str, Any]:
    """What a fact claims, as properties that people can read."""
    claim = shown(row.claims, row.claim_key, row.content, row.entity)
    return claim.model_dump() | {"scope": list(claim.scope) or None} if row.claims or claim.slot else {}


async def dependencies_merge(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[DependencyRow],
    entity_ids: Mapping[str, str],
    memory_ids: Mapping[str, str],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[Merged]:
    """One edge for each row, in order; a row whose ends are one entity creates none."""
    if not rows:
        return []
    (found,) = await tx.rows(
        "knowledge/dependencies_merge",
        agent_id=agent_id,
        now=now,
        rows=[
            {
                "ref": ref,
                "id": row.id,
                "sourceId": entity_ids[row.source],
                "targetId": entity_ids[row.target],
                "activeKey": dependency_key(entity_ids[row.source], entity_ids[row.target], row.type.value),
                "type": row.type.value,
                "confidence": row.confidence,
                "strength": row.strength,
                "reason": row.reason,
                "explicit": row.explicit,
                # The driver packs a text a hundred times as fast as a time, and most edges are valid from now on.
                "validFrom": None if row.valid_from == now else row.valid_from,
                "memoryIds": [memory_ids[memory] for memory in row.memory_refs],
                "attributeIds": [attribute_ids[attribute] for attribute in row.attribute_refs],
                "sessionIds": list(row.session_ids),
                "extractionLevel": row.extraction_level,
                "basis": row.basis or None,
            }
            for ref, row in enumerate(rows)
        ],
    )
    return [Merged(id_, created) for _, id_, created in sorted(found["merged"])]


async def supersessions_apply(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[Decided]:
    """What was really retired: fewer than requested when a guard in the statement refused."""
    return await _decide_on(tx, "knowledge/supersessions_apply", agent_id, rows, attribute_ids, now)


async def supersessions_move(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[Decided]:
    """What really got a closer successor."""
    moved = await _decide_on(tx, "knowledge/supersessions_move", agent_id, rows, attribute_ids, now)
    await memories_reach(tx, agent_id, [one.old for one in moved])
    return moved


async def supersessions_propose(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[Decided]:
    return await _decide_on(tx, "knowledge/supersessions_propose", agent_id, rows, attribute_ids, now)


async def _decide_on(
    tx: WriteTransaction,
    name: str,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[Decided]:
    if not rows:
        return []
    asked = {(attribute_ids.get(row.old, row.old), attribute_ids.get(row.new, row.new)): row for row in rows}
    decided = await tx.rows(
        name,
        agent_id=agent_id,
        now=now,
        rows=[
            {
                "id": row.id,
                "oldId": old,
                "newId": new,
                "signals": json.dumps([signal.model_dump() for signal in row.signals]),
                "confidence": row.confidence,
                "method": row.method,
                "by": row.by,
                "reason": row.reason,
                "validTo": row.valid_to,
                "insteadOf": row.instead_of,
                "asked": row.asked,
                "accepted": row.accepted,
                "evenAway": row.even_away,
            }
            for (old, new), row in asked.items()
        ],
    )
    return [Decided(r["id"], r["oldId"], r["newId"], r["created"], asked[r["oldId"], r["newId"]]) for r in decided]


async def memories_restate(
    tx: WriteTransaction, agent_id: str, attribute_ids: Sequence[str], by_person: bool
) -> list[str]:
    rows = await tx.rows(
        "knowledge/memories_end[restated]", agent_id=agent_id, attribute_ids=list(attribute_ids), by_person=by_person
    )
    return [row["memoryId"] for row in rows]


async def memories_reach(tx: WriteTransaction, agent_id: str, attribute_ids: Sequence[str]) -> None:
    if attribute_ids:
        await tx.rows("knowledge/memories_end[reached]", agent_id=agent_id, attribute_ids=list(attribute_ids))


async def dependencies_retire(
    tx: WriteTransaction, agent_id: str, attribute_ids: Sequence[str], now: datetime
) -> list[str]:
    rows = await tx.rows("knowledge/dependencies_retire", agent_id=agent_id, attribute_ids=list(attribute_ids), now=now)
    return [row["id"] for row in rows]
