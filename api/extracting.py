"""Extraction without a service: what the rules draw from some messages, as in an empty graph."""

from collections.abc import Sequence

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, Limits, SourceMessage
from graphmem.model.inputs import NewMessage
from graphmem.rules.extraction import extract
from graphmem.rules.text import parts_text


def draw(messages: Sequence[NewMessage], project: str | None, parser: SpacyParser, limits: Limits) -> Extraction:
    """What the messages say, read as one chunk."""
    sources = [
        SourceMessage(
            role=message.role,
            text=message.content if isinstance(message.content, str) else parts_text(message.content),
            name=message.name,
            created_at=message.created_at,
        )
        for message in messages
    ]
    return extract(sources, parser.parse([source.text for source in sources]), limits=limits, project=project)
