"""Extraction without a service: what is found in some messages, as with an empty graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.extraction import ExtractedEntity, Extraction, Limits, SourceMessage, SourceSpan
from graphmem.model.inputs import NewMessage
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.extraction import ChunkBounds, Scoring, extract, first_chunk
from graphmem.rules.language.text import canonical_name, parts_text
from graphmem.rules.reading.as_read import as_read
from graphmem.services.knowledge.extracting import Asked, Chunk, Extracting
from graphmem.services.ports import LanguageModel, Parser


@dataclass(frozen=True, slots=True)
class Read:
    """The extraction of a conversation; `fallbacks` counts the chunks that rules read in place of a model."""

    extraction: Extraction
    fallbacks: int


def draw(messages: Sequence[NewMessage], project: str | None, parser: SpacyParser, limits: Limits) -> Extraction:
    """The extraction of the messages, read as one chunk."""
    sources = [one.model_copy(update={"text": as_read(one.text).text}) for one in _sources(messages)]
    return extract(sources, parser.parse([source.text for source in sources]), limits=limits, project=project)


async def draw_chunks(
    messages: Sequence[NewMessage],
    project: str | None,
    parser: Parser,
    limits: Limits,
    bounds: ChunkBounds,
    model: LanguageModel | None = None,
    scoring: Scoring | None = None,
) -> Read:
    """The extraction of a conversation, read as the service reads a session: chunk by chunk, each with the results of
    the ones before it; by the model where one is given. `scoring` replaces the scorers of the package."""
    sources = _sources(messages)
    graph = _Gathered()
    drawing = Extracting(graph, parser, limits, model, scoring)
    fallbacks = start = 0
    while unread := sources[start : start + bounds.messages]:
        size = first_chunk([source.text for source in unread], bounds)
        drawn = await drawing.draw("nobody", Chunk(tuple(unread[:size]), project), Asked())
        graph.learn(drawn.extraction, start)
        fallbacks += drawn.fallback is not None
        start += drawn.messages
    return Read(graph.extraction(), fallbacks)


class _Gathered:
    """What was read so far, once each, as the graph would store it."""

    def __init__(self) -> None:
        self._entities: dict[str, ExtractedEntity] = {}
        self._names: dict[str, str] = {}
        self._said = Extraction()

    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:  # noqa: ARG002
        return [self._known(name) for name in canonical_names if name in self._names]

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:  # noqa: ARG002
        return [
            ActiveFact(
                id=str(index),
                entity_id=self._names[canonical_name(one.entity)],
                aspect=one.aspect,
                content=one.content,
                kind=one.kind,
                claim_key=one.claim_key,
                confidence=one.confidence,
                explicit=False,
                pinned=False,
                valid_from=_EARLIEST,
                created_at=_EARLIEST,
            )
            for index, one in enumerate(self._said.attributes)
            if self._names[canonical_name(one.entity)] in entity_ids
        ]

    def learn(self, drawn: Extraction, first: int) -> None:
        """Add the extraction of a chunk whose first message has this index in the conversation."""
        for entity in drawn.entities:
            self._meet(entity, first)
        offset = len(self._said.statements)
        statements = [one.model_copy(update={"source": _moved(one.source, first)}) for one in drawn.statements]
        attributes = [one.model_copy(update={"statement": one.statement + offset}) for one in drawn.attributes]
        edges = [one.model_copy(update={"statement": one.statement + offset}) for one in drawn.dependencies]
        said = self._said
        by_fact = {(self._own(one.entity), one.content): one for one in reversed([*said.attributes, *attributes])}
        by_ends = {
            (self._own(one.source), self._own(one.target), one.type): one
            for one in reversed([*said.dependencies, *edges])
        }
        self._said = Extraction(
            statements=(*said.statements, *statements),
            attributes=tuple(reversed(by_fact.values())),
            dependencies=tuple(reversed(by_ends.values())),
            level=max(said.level, drawn.level),
            dropped=said.dropped + drawn.dropped,
        )

    def extraction(self) -> Extraction:
        return self._said.model_copy(update={"entities": tuple(self._entities.values())})

    def _meet(self, entity: ExtractedEntity, first: int) -> None:
        own = self._names.setdefault(canonical_name(entity.name), canonical_name(entity.name))
        for alias in entity.aliases:
            self._names.setdefault(canonical_name(alias), own)
        mentions = tuple(_moved(mention, first) for mention in entity.mentions)
        held = self._entities.get(own)
        kept = held or entity.model_copy(update={"mentions": ()})
        aliases = tuple(dict.fromkeys((*kept.aliases, *entity.aliases)))
        self._entities[own] = kept.model_copy(update={"mentions": (*kept.mentions, *mentions), "aliases": aliases})

    def _known(self, name: str) -> KnownEntity:
        own = self._names[name]
        entity = self._entities[own]
        return KnownEntity(name, own, own, entity.name, entity.type, pinned=False)

    def _own(self, name: str) -> str:
        return self._names[canonical_name(name)]


_EARLIEST = datetime.min.replace(tzinfo=UTC)


def _moved(span: SourceSpan, first: int) -> SourceSpan:
    return span.model_copy(update={"message": span.message + first})


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
