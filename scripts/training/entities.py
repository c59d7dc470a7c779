"""Which candidates for an entity a careful reader has kept."""

from graphmem.model.knowledge import EntityType
from graphmem.model.labels import EntityLabel, LabelledConversation
from graphmem.rules.extraction.entities import Candidate
from graphmem.rules.language.text import canonical_name

_COMMON = (EntityType.PERSON, EntityType.TOOL, EntityType.SYSTEM, EntityType.ORGANISATION, EntityType.PLACE)
"""Where several types are as good, the one that is learned best."""


def label_entity(labelled: LabelledConversation, case: object) -> str | None:
    """'keep' where a label has one of its names, '' where none has; None where that label is optional."""
    label = _label_of(labelled, case)
    if label is None:
        return ""
    return None if label.optional else "keep"


def label_entity_type(labelled: LabelledConversation, case: object) -> str | None:
    """The type of the label that has one of its names; None where none has."""
    label = _label_of(labelled, case)
    if label is None:
        return None
    return min(label.type, key=lambda one: _COMMON.index(one) if one in _COMMON else len(_COMMON))


def _label_of(labelled: LabelledConversation, case: object) -> EntityLabel | None:
    if not isinstance(case, Candidate):
        raise TypeError(case)
    names = {canonical_name(name) for name in case.names}
    found = (one for one in labelled.entities if names & {canonical_name(name) for name in (one.name, *one.also)})
    return next(found, None)
