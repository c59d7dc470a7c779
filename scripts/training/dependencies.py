"""Which pairs of entities a careful reader has linked, and how."""

from graphmem.model.extraction import ExtractedEntity
from graphmem.model.labels import LabelledConversation
from graphmem.rules.extraction.dependencies import Pair
from graphmem.rules.language.text import canonical_name

_OFTEN = ("uses", "owned_by", "depends_on", "requires", "consumes", "part_of")
"""Where several types are as good, the one that is learned best."""


def label_dependency(labelled: LabelledConversation, case: object) -> str | None:
    """'link' where a label has both ends, '' where none has; None where that label is optional."""
    kind = label_type(labelled, case)
    return "link" if kind else kind


def label_type(labelled: LabelledConversation, case: object) -> str | None:
    """The type of the label that has both ends, '' where none has; None where that label is optional."""
    if not isinstance(case, Pair):
        raise TypeError(case)
    source, target = _label_of(labelled, case.source), _label_of(labelled, case.target)
    for label in labelled.dependencies:
        ends = [_named(labelled, label.source), _named(labelled, label.target)]
        if source is not None and [source, target] == ends:
            if label.optional:
                return None
            return min(map(str, label.type), key=lambda one: _OFTEN.index(one) if one in _OFTEN else len(_OFTEN))
    return ""


def _label_of(labelled: LabelledConversation, entity: ExtractedEntity) -> int | None:
    return next(
        (place for name in (entity.name, *entity.aliases) if (place := _named(labelled, name)) is not None), None
    )


def _named(labelled: LabelledConversation, name: str) -> int | None:
    mine = canonical_name(name)
    for index, label in enumerate(labelled.entities):
        if mine in (canonical_name(form) for form in (label.name, *label.also)):
            return index
    return None
