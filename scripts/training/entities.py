"""Which candidates for an entity a careful reader has kept."""

from graphmem.model.labels import LabelledConversation
from graphmem.rules.entities import Candidate
from graphmem.rules.text import canonical_name


def label_entity(labelled: LabelledConversation, case: object) -> str | None:
    """'keep' where a label has one of its names, '' where none has; None where that label is optional."""
    if not isinstance(case, Candidate):
        raise TypeError(case)
    names = {canonical_name(name) for name in case.names}
    for label in labelled.entities:
        if names & {canonical_name(name) for name in (label.name, *label.also)}:
            return None if label.optional else "keep"
    return ""
