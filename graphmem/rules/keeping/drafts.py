"""From an extraction to what is written: every row with its id."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphmem.model.change import (
    AttributeRow,
    Change,
    DependencyRow,
    EntityRow,
    MemoryRow,
    MentionRow,
    SpanRow,
)
from graphmem.model.claims import Claim, Held
from graphmem.model.extraction import ExtractedAttribute, Extraction, SourceSpan, Statement
from graphmem.model.inputs import Remember
from graphmem.model.knowledge import EntityType, MemoryType
from graphmem.rules.claims import claim_of, tells_value
from graphmem.rules.language.gazetteer import type_of_thing
from graphmem.rules.language.keys import content_key, normalised
from graphmem.rules.language.text import canonical_name

NewId = Callable[[], str]
_EXPLICIT_CONFIDENCE = 1.0
USER = "user"
"""The entity of a caller without a name."""
_KEPT_CONFIDENCE = 0.5
"""Of a statement that is kept whole, for want of a fact in it."""
_PUNCTUATION = re.compile(r"[,;:!?()\"]|\.(?=\s|$)|'s\b")
_EXPLICIT_ASPECT = "general"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the message with an index in the extraction is stored, and the default start of the validity of its
    statements."""

    message_id: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Setting:
    """Values common to everything extracted from one chunk."""

    project: str | None
    session_id: str | None
    now: datetime


@dataclass(frozen=True, slots=True)
class Whole:
    """What the words of a statement as a whole say of it: when it holds, and the share of a confidence that is left,
    with the reason in words."""

    held: Held = field(default_factory=Held)
    share: float = 1.0
    why: str = ""


def names_in(extraction: Extraction) -> list[str]:
    """The canonical names to look up for an extraction, sorted."""
    return sorted({canonical_name(name) for entity in extraction.entities for name in (entity.name, *entity.stated)})


def draft(extraction: Extraction, places: Sequence[Place], setting: Setting, new_id: NewId) -> Change:
    """The rows for what was extracted from messages of a session; `places` by message index."""
    starts = [
        statement.valid_from or places[statement.source.message].created_at for statement in extraction.statements
    ]
    about = _about(extraction)
    said = [places[statement.source.message].created_at for statement in extraction.statements]
    memories = [
        MemoryRow(
            ref=f"statement-{index}",
            id=new_id(),
            content=statement.content,
            content_key=content_key(statement.content),
            type=statement.type,
            importance=statement.importance,
            pinned=False,
            explicit=False,
            source=None,
            project=setting.project,
            session_id=setting.session_id,
            valid_from=starts[index],
            valid_to=_end(extraction, index, said[index]),
            created_at=setting.now,
            spans=tuple(_span(source, places) for source in (statement.source, *statement.again)),
            about=about[index],
        )
        for index, statement in enumerate(extraction.statements)
    ]
    attributes = _attributes(extraction, [memory.ref for memory in memories], starts, said, setting, new_id)
    mentions = tuple(
        MentionRow(places[mention.message].message_id, canonical_name(entity.name), mention.start, mention.end)
        for entity in extraction.entities
        for mention in entity.mentions
    )
    return Change(
        entities=_entities(extraction, new_id),
        memories=tuple(memories),
        attributes=tuple(attributes),
        dependencies=_dependencies(extraction, [m.ref for m in memories], attributes, starts, setting, new_id),
        mentions=mentions,
        actor="extraction",
    )


def draft_remembered(
    given: Remember, extraction: Extraction, setting: Setting, new_id: NewId, whole: Whole | None = None
) -> Change:
    """The rows for one statement given to `remember`: one memory, and what it says.

    With an entity the whole content is one explicit fact of it, which holds when its words say, and as surely
    (`whole`); the text is searched for dependencies and names only. What reads as a constraint is one, with or without
    a named entity. Without one, a statement of a value that extraction draws nothing from, and that is no rule, is kept
    whole, as a fact of its grammatical subject, else of the user.
    """
    subject = given.entity or (given.project if given.kind == "constraint" or given.slot else None)
    said_at = given.begins or given.occurred_at or setting.now
    whole = whole or Whole()
    type_ = given.type or _type_of(given, extraction)
    kept_of = None if subject or extraction.attributes or type_ == "constraint" else _stated_of(extraction.claims)
    held = whole.held if subject or kept_of else Held()
    first = _first((held.since, *(s.valid_from for s in extraction.statements)))
    start = given.begins or given.occurred_at or first or setting.now
    end = given.ends or (held.until if held.until and held.until > start else None)
    entities = {row.canonical: row for row in _entities(extraction, new_id) if row.mentions or not subject}
    if (about := subject or kept_of) and canonical_name(about) not in entities:
        entities[canonical_name(about)] = EntityRow(
            canonical_name(about), new_id(), about, _type_of_subject(about, given.project), mentions=1
        )
    memory = MemoryRow(
        ref="remembered",
        id=new_id(),
        content=given.content,
        content_key=content_key(given.content),
        type=type_,
        importance=given.importance if given.importance is not None else _importance_of(extraction),
        pinned=given.pinned,
        explicit=subject is not None,
        source=given.source,
        project=given.project,
        session_id=None,
        valid_from=start,
        valid_to=end if given.ends or (end and end > said_at) else None,
        created_at=setting.now,
        about=tuple(sorted(entities)),
    )
    refs = [memory.ref] * len(extraction.statements)
    starts = [start] * len(extraction.statements)
    said = [said_at] * len(extraction.statements)
    still = said_at if held.still and start < said_at else None
    attributes = (
        [
            replace(
                _explicit(given, about, memory, extraction.claims, setting.now, new_id),
                explicit=subject is not None,
                valid_to=end,
                said_at=still,
                confidence=round((_EXPLICIT_CONFIDENCE if subject else _KEPT_CONFIDENCE) * whole.share, 2),
                basis=whole.why,
            )
        ]
        if about
        else [
            replace(row, pinned=given.pinned)
            for row in _attributes(
                extraction, refs, starts, said, setting, new_id, valid_to=given.ends, text=given.content
            )
        ]
    )
    edges = _dependencies(extraction, refs, attributes, starts, setting, new_id)
    if subject:  # one fact for all edges that its text states
        edges = tuple(replace(edge, attribute_refs=(attributes[0].ref,)) for edge in edges)
    return Change(
        entities=tuple(entities.values()),
        memories=(memory,),
        attributes=tuple(attributes),
        dependencies=edges,
        actor="remember",
    )


def _stated_of(claims: Sequence[Claim]) -> str | None:
    """Whom or what a statement of a value is about, by name, else the user; None where no clause with a subject states
    a value."""
    for claim in filter(tells_value, claims):
        name = next((one.words for one in claim.values if (one.kind, one.role) == ("name", "subject")), "")
        if name or claim.subject or claim.speaker:
            return name or USER
    return None


def _type_of_subject(name: str, project: str | None) -> EntityType:
    if name == USER:
        return EntityType.PERSON
    return EntityType.PROJECT if name == project else type_of_thing(name)


def _end(extraction: Extraction, index: int, said_at: datetime) -> datetime | None:
    """When a statement ends all of whose facts are said to; what was over when it was said is told all the same."""
    ends = [one.valid_to for one in extraction.attributes if one.statement == index]
    last = max((end for end in ends if end), default=None)
    return last if last and all(ends) and last > said_at else None


def with_event_ids(change: Change, new_id: NewId) -> Change:
    """The change with an id for every line of history it can write."""
    lines = sum(
        map(
            len,
            (
                change.memories,
                change.attributes,
                change.dependencies,
                change.applied,
                change.proposed,
                change.moved,
                change.likenesses,
            ),
        ),
    )
    return replace(change, event_ids=tuple(new_id() for _ in range(lines)))


def _entities(extraction: Extraction, new_id: NewId) -> tuple[EntityRow, ...]:
    rows: dict[str, EntityRow] = {}
    for entity in extraction.entities:
        canonical = canonical_name(entity.name)
        aliases = tuple(dict.fromkeys(a for a in entity.aliases if canonical_name(a) not in ("", canonical)))
        count = len(entity.mentions)
        rows[canonical] = EntityRow(canonical, new_id(), entity.name, entity.type, count, aliases, entity.stated)
    return tuple(rows.values())


def _attributes(
    extraction: Extraction,
    memory_refs: Sequence[str],
    starts: Sequence[datetime],
    said: Sequence[datetime],
    setting: Setting,
    new_id: NewId,
    valid_to: datetime | None = None,
    text: str | None = None,
) -> list[AttributeRow]:
    """The rows of facts; `text`: the one that all of it is drawn from, where that is the statement."""
    rows: dict[tuple[str, str], AttributeRow] = {}
    for drawn in extraction.attributes:
        id_ = new_id()
        key = (canonical_name(drawn.entity), normalised(drawn.content))
        rows.setdefault(
            key,
            AttributeRow(
                ref=id_,
                id=id_,
                entity=key[0],
                aspect=drawn.aspect,
                aspect_id=new_id(),
                content=drawn.content,
                kind=drawn.kind,
                claim_key=drawn.claim_key,
                confidence=drawn.confidence,
                importance=drawn.importance,
                pinned=False,
                explicit=False,
                valid_from=drawn.valid_from or starts[drawn.statement],
                valid_to=valid_to or drawn.valid_to,
                extraction_level=extraction.level,
                memory_ref=memory_refs[drawn.statement],
                session_ids=(setting.session_id,) if setting.session_id else (),
                project=setting.project,
                session_id=setting.session_id,
                claims=drawn.claims,
                said_at=said[drawn.statement] if drawn.still else None,
                basis=drawn.basis,
                places=_places(drawn, extraction.statements[drawn.statement], text),
            ),
        )
    return list(rows.values())


def _places(drawn: ExtractedAttribute, statement: Statement, text: str | None) -> tuple[tuple[int, int, int], ...]:
    """Which part of a statement says a fact: none where all of it does."""
    begins, length = (0, len(text)) if text is not None else (statement.source.start, statement.source.length)
    places = []
    if drawn.clause:
        places.append((drawn.clause[0] - begins, drawn.clause[1] - begins, length))
    if drawn.worded and text is None:
        places.append((*drawn.worded, len(statement.content)))
    return tuple(place for place in places if place[:2] != (0, place[2]))


def _explicit(
    given: Remember, subject: str, memory: MemoryRow, claims: tuple[Claim, ...], now: datetime, new_id: NewId
) -> AttributeRow:
    id_ = new_id()
    said = claim_of(given.claim, given.claim_key, subject)
    said_at = given.occurred_at or now
    # What holds since a day and does not end by now is said to hold now.
    still = given.claim is not None and given.claim.since is not None and not (given.ends and given.ends <= said_at)
    return AttributeRow(
        ref=id_,
        id=id_,
        entity=canonical_name(subject),
        aspect=given.aspect or _EXPLICIT_ASPECT,
        aspect_id=new_id(),
        content=given.content,
        kind="constraint" if memory.type == "constraint" else given.kind,
        claim_key=given.slot,
        confidence=_EXPLICIT_CONFIDENCE,
        importance=memory.importance,
        pinned=given.pinned,
        explicit=True,
        valid_from=memory.valid_from,
        valid_to=given.ends,
        extraction_level=1,
        memory_ref=memory.ref,
        session_ids=(),
        project=given.project,
        session_id=None,
        claims=(said, *claims) if said else claims,
        said_at=said_at if still and said_at > memory.valid_from else None,
    )


def _dependencies(
    extraction: Extraction,
    memory_refs: Sequence[str],
    attributes: Sequence[AttributeRow],
    starts: Sequence[datetime],
    setting: Setting,
    new_id: NewId,
) -> tuple[DependencyRow, ...]:
    rows: dict[tuple[str, str, str], DependencyRow] = {}
    for drawn in extraction.dependencies:
        source, target = canonical_name(drawn.source), canonical_name(drawn.target)
        ref = memory_refs[drawn.statement]
        stating = tuple(a.ref for a in attributes if a.memory_ref == ref and _states(a, source, target))
        rows.setdefault(
            (source, target, drawn.type.value),
            DependencyRow(
                id=new_id(),
                source=source,
                target=target,
                type=drawn.type,
                confidence=drawn.confidence,
                strength=drawn.strength,
                reason=drawn.reason,
                explicit=False,
                valid_from=drawn.valid_from or starts[drawn.statement],
                memory_refs=tuple(dict.fromkeys((ref, *(memory_refs[at] for at in drawn.also)))),
                attribute_refs=stating,
                session_ids=(setting.session_id,) if setting.session_id else (),
                extraction_level=extraction.level,
                basis=drawn.basis,
            ),
        )
    return tuple(row for row in rows.values() if row.source != row.target)


def _states(attribute: AttributeRow, source: str, target: str) -> bool:
    """Whether a fact about one end of an edge names the other end."""
    if attribute.entity not in (source, target):
        return False
    return says_name(attribute.content, target if attribute.entity == source else source)


def says_name(text: str, canonical: str) -> bool:
    """Whether a text holds a name, given by its canonical form.

    >>> says_name("The billing-service, it is said, is slow.", "billing service")
    True
    """
    return f" {_PUNCTUATION.sub(' ', canonical)} " in f" {canonical_name(_PUNCTUATION.sub(' ', text))} "


def _about(extraction: Extraction) -> list[tuple[str, ...]]:
    """The canonical names of the entities each statement is about: named in its words, or an end of its edges."""
    about: list[set[str]] = [set() for _ in extraction.statements]
    for entity in extraction.entities:
        for index, statement in enumerate(extraction.statements):
            source = statement.source
            if any(
                m.message == source.message and source.start <= m.start and m.end <= source.end for m in entity.mentions
            ):
                about[index].add(canonical_name(entity.name))
    for attribute in extraction.attributes:
        about[attribute.statement].add(canonical_name(attribute.entity))
    for dependency in extraction.dependencies:
        about[dependency.statement] |= {canonical_name(dependency.source), canonical_name(dependency.target)}
    return [tuple(sorted(names)) for names in about]


def _span(source: SourceSpan, places: Sequence[Place]) -> SpanRow:
    return SpanRow(places[source.message].message_id, source.start, source.end)


def _type_of(given: Remember, extraction: Extraction) -> MemoryType:
    """The kind by its wording; but a slot of an entity whose values replace each other, or what is declared an
    attribute, is not a constraint."""
    if given.kind == "constraint":
        return "constraint"
    read = extraction.statements[0].type if extraction.statements else "fact"
    may_change = given.slot is not None or "kind" in given.model_fields_set
    return "fact" if read == "constraint" and (given.entity or given.slot) and may_change else read


def _importance_of(extraction: Extraction) -> float:
    return max((statement.importance for statement in extraction.statements), default=0.5)


def _first(times: Iterable[datetime | None]) -> datetime | None:
    return next((time for time in times if time is not None), None)
