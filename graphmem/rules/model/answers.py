"""From a language model's answer to an extraction: only what the messages support, within limits.

A model may answer anything. Each piece is checked separately; unused pieces are counted, by reason. Only what the
messages say is accepted: an item whose quote is not in them, or that has a name or number which occurs nowhere in them,
is left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar, cast, get_args

from pydantic import ValidationError

from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    SourceMessage,
    SourceSpan,
    Statement,
)
from graphmem.model.knowledge import OF_REPOSITORIES, AttributeKind, DependencyType, EntityType, MemoryType
from graphmem.model.questions import Claimed, ClaimedDependency, ClaimedEntity, ClaimedFact, ClaimedStatement
from graphmem.rules.extraction import REASONS
from graphmem.rules.language.gazetteer import lookup, type_of_thing
from graphmem.rules.language.keys import normalised
from graphmem.rules.language.text import canonical_name
from graphmem.rules.model.loose_json import MAX_CHARS, read_object
from graphmem.rules.model.prompts import ANSWER_KEYS
from graphmem.rules.model.talk import Talk

MAX_PIECES = 1_000
"""Most pieces of each kind that are checked; the rest is counted as too many."""
_MAX_CHARS = 1_000
_MAX_ASPECT_CHARS = 60
_CONFIDENCE = REASONS[1][0]
"""Highest confidence from a model: it has read this only once."""
_STRENGTH = 0.5
_KINDS = get_args(AttributeKind)
_IMPORTANCE = 0.5
_YEARS = range(1900, 2201)
_ENTITY_TYPES = [one.value for one in EntityType if one not in OF_REPOSITORIES]
_DEPENDENCY_TYPES = [one.value for one in DependencyType]
Piece = TypeVar("Piece", bound=Claimed)


class Nonsense(ValueError):
    """An answer that is unusable, which is not the same as an empty one. Says why, without quoting the answer."""


@dataclass(frozen=True, slots=True)
class ModelReading:
    """The part of an answer that the messages support, at level 1 and not bounded yet; `refused` counts, by reason,
    what was left out."""

    extraction: Extraction
    refused: Mapping[str, int]


def read_answer(text: str, messages: Sequence[SourceMessage], project: str | None) -> ModelReading:
    """The extraction from a model's answer to `model_prompts.question`. Errors: Nonsense."""
    answer = read_object(text, ANSWER_KEYS)
    if answer is None:
        raise Nonsense("it is no JSON object of the shape asked for")
    reader = _Reader(messages, project)
    reader.refused["cut_off"] += len(text) > MAX_CHARS
    for entity in reader.pieces(answer.get("entities"), ClaimedEntity, MAX_PIECES):
        reader.take_entity(entity)
    claims = answer.get("statements")
    for statement in reader.pieces(claims, ClaimedStatement, MAX_PIECES):
        reader.take_statement(statement)
    extraction = reader.finish()
    if claims and not extraction.statements:
        raise Nonsense("nothing of it stands in the messages")
    return ModelReading(extraction, {why: number for why, number in sorted(reader.refused.items()) if number})


class _Reader:
    def __init__(self, messages: Sequence[SourceMessage], project: str | None) -> None:
        self._messages = messages
        self._talk = Talk(messages, project)
        self._project = canonical_name(project or "")
        self._left = MAX_PIECES
        self._met: set[str] = set()
        self._entities: dict[str, ExtractedEntity] = {}
        self._statements: list[Statement] = []
        self._attributes: dict[tuple[str, str], ExtractedAttribute] = {}
        self._dependencies: dict[tuple[str, str, str], ExtractedDependency] = {}
        self.refused: Counter[str] = Counter()

    def pieces(self, given: object, kind: type[Piece], most: int) -> Iterator[Piece]:
        """The pieces of a list that have the right shape."""
        if not isinstance(given, list):
            self.refused["wrong_shape"] += given is not None
            return
        self.refused["too_many"] += max(0, len(given) - most)
        for one in given[:most]:
            try:
                yield kind.model_validate(one)
            except ValidationError:
                self.refused["wrong_shape"] += 1

    def take_entity(self, claimed: ClaimedEntity) -> None:
        self._entity(claimed.name, claimed.type)

    def take_statement(self, claimed: ClaimedStatement) -> None:
        span = self._talk.quoted(claimed.quote[: 2 * _MAX_CHARS], claimed.message)
        if span is None or span.end - span.start > _MAX_CHARS:
            self.refused["quote_not_found"] += 1 + len(claimed.facts) + len(claimed.dependencies)
            return
        content = _clean(claimed.content)
        if not content or self._talk.is_strange(content):
            content = self._talk.words(span)
        since = self._since(claimed.since, span)
        kinds = self._take_facts(claimed, since)
        if not self._take_dependencies(claimed, since) and not kinds:
            self.refused["says_nothing"] += 1
            return
        said = self._one_of(get_args(MemoryType), claimed.type)
        self._statements.append(
            Statement(
                content=content,
                type=cast(MemoryType, said or ("constraint" if "constraint" in kinds else "fact")),
                importance=_IMPORTANCE if claimed.importance is None else claimed.importance,
                source=span,
                valid_from=since,
            )
        )

    def finish(self) -> Extraction:
        """Everything accepted, with the entities it needs and those that its statements name."""
        needed = {a.entity for a in self._attributes.values()}
        needed |= {name for d in self._dependencies.values() for name in (d.source, d.target)}
        return Extraction(
            entities=tuple(
                one
                for one in self._entities.values()
                if one.name in needed or any(_within(p, s.source) for p in one.mentions for s in self._statements)
            ),
            statements=tuple(self._statements),
            attributes=tuple(self._attributes.values()),
            dependencies=tuple(self._dependencies.values()),
        )

    def _take_facts(self, claimed: ClaimedStatement, since: datetime | None) -> set[AttributeKind]:
        """Add the facts of the next statement; returns the kinds of new facts."""
        taken: set[AttributeKind] = set()
        for fact in self.pieces(claimed.facts, ClaimedFact, self._left):
            self._left -= 1
            content = _clean(fact.content)
            entity = self._entity(fact.entity)
            if entity is None:
                continue
            if not content or self._talk.is_strange(content):
                self.refused["name_not_found" if content else "wrong_shape"] += 1
                continue
            kind: AttributeKind = "constraint" if self._one_of(_KINDS, fact.kind) == "constraint" else "attribute"
            if (entity.name, normalised(content)) not in self._attributes:
                taken.add(kind)
                self._attributes[entity.name, normalised(content)] = ExtractedAttribute(
                    entity=entity.name,
                    aspect=_aspect(fact.aspect),
                    content=content,
                    kind=kind,
                    confidence=_CONFIDENCE if fact.confidence is None else min(fact.confidence, _CONFIDENCE),
                    importance=_IMPORTANCE if claimed.importance is None else claimed.importance,
                    statement=len(self._statements),
                    valid_from=since,
                )
        return taken

    def _take_dependencies(self, claimed: ClaimedStatement, since: datetime | None) -> bool:
        """Add the dependencies of the next statement; whether some were new."""
        before = len(self._dependencies)
        for edge in self.pieces(claimed.dependencies, ClaimedDependency, self._left):
            self._left -= 1
            kind = self._one_of(_DEPENDENCY_TYPES, edge.type)
            source, target = self._entity(edge.source), self._entity(edge.target)
            if kind is None or source is None or target is None:
                continue
            if source.name == target.name:
                self.refused["wrong_shape"] += 1
                continue
            self._dependencies.setdefault(
                (source.name, target.name, kind),
                ExtractedDependency(
                    source=source.name,
                    target=target.name,
                    type=DependencyType(kind),
                    confidence=_CONFIDENCE,
                    strength=_STRENGTH,
                    reason=REASONS[1][1],
                    statement=len(self._statements),
                    valid_from=since,
                ),
            )
        return len(self._dependencies) > before

    def _entity(self, given: str, type_: str | None = None) -> ExtractedEntity | None:
        """The entity of a name that was said; a listed one under its listed name."""
        given = _clean(given)
        known = lookup(given)
        name = known.name if known else given
        key = canonical_name(name)
        given = self._talk.spelling(given)
        if canonical_name(given) not in self._met:
            places = self._talk.named(given)
            if places is None:
                self.refused["name_not_found"] += 1
                return None
            said = self._one_of(_ENTITY_TYPES, type_)
            if self._talk.speaks(given):
                kind = EntityType.PERSON
            elif key == self._project:
                kind = EntityType.PROJECT
            else:
                kind = known.type if known else EntityType(said) if said else type_of_thing(name)
            before = self._entities.get(key)
            self._met.add(canonical_name(given))
            self._entities[key] = ExtractedEntity(
                name=before.name if before else name,
                type=before.type if before else kind,
                aliases=(*(before.aliases if before else ()), *((given,) if canonical_name(given) != key else ())),
                mentions=(*(before.mentions if before else ()), *places),
            )
        return self._entities[key]

    def _one_of(self, allowed: Sequence[str], given: str | None) -> str | None:
        """The value, if it is on the list; anything else is counted."""
        if given is None or given in allowed:
            return given
        self.refused["unknown_type"] += 1
        return None

    def _since(self, given: str | None, span: SourceSpan) -> datetime | None:
        if given is None:
            return None
        try:
            since = datetime.fromisoformat(given.strip()[:40])
        except ValueError:
            since = None
        if since is None or since.year not in _YEARS:
            self.refused["bad_date"] += 1
            return None
        said = self._messages[span.message].created_at
        zone = said.tzinfo if said and said.tzinfo else UTC
        return (since if since.tzinfo else since.replace(tzinfo=zone)).astimezone(UTC)


def _clean(text: str | None) -> str:
    """A text that can be stored: one line, no invisible characters, no lone surrogates; empty where too long."""
    if text is None or len(text) > _MAX_CHARS:
        return ""
    line = "".join(char if char.isprintable() else " " for char in text.encode("utf-8", "replace").decode())
    return " ".join(line.split())


def _aspect(given: str | None) -> str:
    aspect = _clean(given)[:_MAX_ASPECT_CHARS].strip()
    return aspect if canonical_name(aspect) else "general"


def _within(place: SourceSpan, span: SourceSpan) -> bool:
    return place.message == span.message and span.start <= place.start and place.end <= span.end
