"""A person's correction: the statement that replaces a stored one, and what it retires."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.model.change import Change, SupersessionRow
from graphmem.model.inputs import Correction, Remember, SlotClaim
from graphmem.model.knowledge import Attribute, Memory
from graphmem.rules.keeping.drafts import says_name
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.text import canonical_name

_CONFIDENCE = 1.0


def subject(content: str, facts: Sequence[Attribute], names: Mapping[str, str]) -> Attribute | None:
    """The fact that a correction replaces: one about an entity that the new words name, else the most important.

    `names` maps entity ids to names. None where the old statement has no fact about an entity.
    """
    if not facts:
        return None
    return min(
        facts,
        key=lambda fact: (
            not says_name(content, canonical_name(names[fact.entity_id])),
            -fact.importance,
            fact.valid_from,
            fact.id,
        ),
    )


def restated(
    old: Memory | Attribute, fact: Attribute | None, entity: str | None, given: Correction, now: datetime
) -> Remember:
    """The corrected statement as a new one: with the slot, its scope, the kind and the importance of the old one; the
    new words say the value.

    It is valid from now on, or from the start of the old one where that is in the future.
    """
    start = max(now, old.valid_from, *([fact.valid_from] if fact else []))
    return Remember(
        content=given.content or old.content,
        type=old.type if isinstance(old, Memory) else None,
        entity=entity,
        aspect=fact.aspect if fact else None,
        kind=fact.kind if fact else "attribute",
        claim_key=fact.claim_key if fact else None,
        claim=SlotClaim(slot=fact.claim_key, scope=fact.scope) if fact and fact.claim_key and fact.scope else None,
        project=old.project if isinstance(old, Memory) else None,
        importance=old.importance if given.importance is None else given.importance,
        pinned=old.pinned if given.pinned is None else given.pinned,
        valid_from=start,
        valid_to=old.valid_to if old.valid_to and old.valid_to > start else None,
    )


def instead_of(change: Change, facts: Sequence[Attribute], reason: str, new_id: Callable[[], str]) -> Change:
    """The change that stores the corrected statement and retires these facts on a person's request.

    Everything it states counts as explicit. A fact that the new words still state stays: it is the same one.
    """
    attributes = tuple(replace(row, explicit=True, confidence=_CONFIDENCE) for row in change.attributes)
    said = {normalised(row.content) for row in attributes}
    retired = {fact.id for fact in facts if normalised(fact.content) not in said} if attributes else set()
    by_person = tuple(
        SupersessionRow(
            id=new_id(),
            old=id_,
            new=attributes[0].ref,
            signals=(),
            confidence=_CONFIDENCE,
            method="user",
            by="user",
            reason=reason,
            valid_to=attributes[0].valid_from,
            asked=True,
        )
        for id_ in sorted(retired)
    )
    return replace(
        change,
        memories=tuple(replace(row, explicit=True) for row in change.memories),
        attributes=attributes,
        applied=(*by_person, *(row for row in change.applied if row.old not in retired)),
        proposed=tuple(row for row in change.proposed if row.old not in retired),
        actor="api",
    )
