"""Extraction without a service: what the rules draw from some messages, as in an empty graph."""

from collections.abc import Sequence

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import Extraction, Limits, SourceMessage
from graphmem.model.inputs import NewMessage
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.extraction import extract
from graphmem.rules.text import parts_text
from graphmem.services.drawing import Asked, Chunk, Drawing, Drawn
from graphmem.services.ports import LanguageModel


def draw(messages: Sequence[NewMessage], project: str | None, parser: SpacyParser, limits: Limits) -> Extraction:
    """What the messages say, read as one chunk."""
    sources = _sources(messages)
    return extract(sources, parser.parse([source.text for source in sources]), limits=limits, project=project)


async def draw_with(
    model: LanguageModel, messages: Sequence[NewMessage], project: str | None, parser: SpacyParser, limits: Limits
) -> Drawn:
    """As `draw`, by a model; `fallback` says why where the rules had to."""
    chunk = Chunk(tuple(_sources(messages)), project)
    return await Drawing(_EmptyGraph(), parser, limits, model).draw("nobody", chunk, Asked())


class _EmptyGraph:
    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:  # noqa: ARG002
        return []

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:  # noqa: ARG002
        return []


def _sources(messages: Sequence[NewMessage]) -> list[SourceMessage]:
    return [
        SourceMessage(
            role=message.role,
            text=message.content if isinstance(message.content, str) else parts_text(message.content),
            name=message.name,
            created_at=message.created_at,
        )
        for message in messages
    ]
