"""From the words of a conversation to entities, statements, facts and dependencies, by rules alone.

The order is: which sentences say something (`statements`), whom they name (`mentions`), what they say (`clauses` and
`facts`, by the tables in `relations` and `slots`), in absolute words (`wording`, `relative_dates`), and never too much
of it (`escalation`).
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    Limits,
    SourceMessage,
    SourceSpan,
    Statement,
)
from graphmem.model.knowledge import AttributeKind, DependencyType, EntityType, MemoryType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules import relations
from graphmem.rules.clauses import Fact, mask
from graphmem.rules.escalation import REASONS, climb
from graphmem.rules.facts import read_facts
from graphmem.rules.mentions import THINGS, Mention, Voice, find_mentions
from graphmem.rules.relative_dates import FoundDate, find_dates
from graphmem.rules.statements import (
    MAX_READ_CHARS,
    is_constraint,
    is_decision,
    kind_of,
    noise,
    opening,
    prose_sentences,
)
from graphmem.rules.text import MAX_NAME_CHARS, canonical_name
from graphmem.rules.wording import is_technical, wording_of

_SILENT_ROLES = frozenset({"tool", "system", "developer", "function"})
_IMPORTANCE: dict[MemoryType, float] = {
    "constraint": 0.9,
    "decision": 0.8,
    "preference": 0.6,
    "event": 0.5,
    "fact": 0.6,
}
_STRENGTH = 0.5
_LEAD_IN = re.compile(
    r"(?i)(?:on|in|at|last|yesterday|this|today|earlier)\b[\w ]{0,20}?,? (?:the |our )?(?=[\ue000-\uefff])"
)
_PET_BEFORE = re.compile(r"(?i)\b(?:dog|cat|puppy|kitten|pet)s?,? (?:named |called )?$")
_ATTRIBUTE_CONFIDENCE = 0.7
_MAX_STATEMENT_CHARS = 1_000
# A sentence that names more is a list, and lists are slow to read as clauses.
_MAX_MENTIONS = 40


def extract(
    messages: Sequence[SourceMessage],
    parsed: Sequence[ParsedText],
    *,
    known: Collection[str] = (),
    limits: Limits | None = None,
    project: str | None = None,
) -> Extraction:
    """What the messages say that is worth keeping, each piece with the exact place where it is said.

    *Shape*: statements in the order they are said; attributes and dependencies point to them by index; every name they
    use is in `entities`. `parsed` holds one text for each message. `known` holds canonical names that the graph has;
    what is in it is not new. `project` is whom we and our mean; without it they mean the speaker's team, and a link
    that only we have is kept as a fact, not as a dependency. Tool and system messages say nothing; an unnamed
    assistant's "I" neither. The same input gives the same output.

    *Source*: Signet docs/LCM-PATTERNS.md, pattern 2, for the ladder of levels.
    """
    people = frozenset(message.name for message in messages if message.name and message.role not in _SILENT_ROLES)
    draft = _Draft()
    for index, (message, text) in enumerate(zip(messages, parsed, strict=True)):
        if message.role in _SILENT_ROLES:
            continue
        person = message.name or ("user" if message.role == "user" else "")
        voice = Voice(person, project, people, frozenset(known))
        _read_message(draft, index, message, text, voice)
    return climb(draft.finish(), frozenset(known), limits or Limits())


@dataclass(slots=True)
class _Sentence:
    """One sentence of a message with all that is needed to read it."""

    message: int
    text: str
    start: int
    end: int
    mentions: list[Mention]
    tokens: list[Token]
    dates: tuple[FoundDate, ...]
    technical: bool

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]


def _read_message(draft: "_Draft", index: int, message: SourceMessage, parsed: ParsedText, voice: Voice) -> None:
    spans = prose_sentences(message.text[:MAX_READ_CHARS])
    if message.text != parsed.text or not spans:
        return
    mentions = find_mentions(parsed, spans, voice)
    tokens = _tokens_of(parsed.tokens, spans)
    kept = False
    unkept: list[_Sentence] = []
    for (start, end), named, inside in zip(spans, mentions, tokens, strict=True):
        lead = start + opening(message.text[start:end])
        quiet = end - lead > _MAX_STATEMENT_CHARS or len(named) > _MAX_MENTIONS
        quiet = quiet or noise(message.text[start:end]) is not None
        dates = tuple(
            FoundDate(lead + d.start, lead + d.end, d.wording, d.begins, d.starts_fact)
            for d in find_dates(message.text[lead:end], message.created_at)
        )
        said = [m for m in named if m.start >= lead]
        sentence = _Sentence(
            index, message.text, lead, end, said, inside, dates, is_technical(said, message.text[lead:end])
        )
        draft.see(sentence)
        if not quiet and _read_sentence(draft, sentence, voice):
            kept = True
        elif not quiet:
            unkept.append(sentence)
    if kept:
        draft.also(mention for sentence in unkept for mention in sentence.mentions if mention.found == "software")


def _tokens_of(tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[list[Token]]:
    grouped: list[list[Token]] = [[] for _ in spans]
    current = 0
    for token in tokens:
        while current < len(spans) and token.start >= spans[current][1]:
            current += 1
        if current < len(spans) and token.start >= spans[current][0]:
            grouped[current].append(token)
    return grouped


def _read_sentence(draft: "_Draft", sentence: _Sentence, voice: Voice) -> bool:
    """Take what the sentence says into the draft; False when it says nothing to keep."""
    wording = wording_of(
        sentence.text, sentence.mentions, sentence.dates, sentence.tokens, technical=sentence.technical
    )
    content = wording.render(sentence.start, sentence.end)
    content = content if _opens_with_name(sentence, content) else content[:1].upper() + content[1:]
    if not content:
        return False
    masked = mask(sentence.text, sentence.start, sentence.end, sentence.mentions)
    if is_constraint(sentence.words):
        draft.keep(sentence, "constraint", content, [_constraint(sentence, content, voice)])
        return True
    project = Mention(0, 0, voice.project, EntityType.PROJECT, "speaker") if voice.project else None
    facts = read_facts(masked, wording, technical=sentence.technical, project=project)
    if facts:
        said = kind_of(sentence.words)
        if said == "fact" and any(fact.mood == "planned" for fact in facts):
            said = "decision"
        if said == "fact" and any(fact.aspect == "preferences" for fact in facts):
            said = "preference"
        draft.keep(sentence, said, content, facts)
        return True
    other = _decision(sentence, content) or _event(sentence, content)
    if other is None:
        return False
    draft.keep(sentence, "decision" if other.aspect == "decisions" else "event", content, [other])
    return True


def _opens_with_name(sentence: _Sentence, content: str) -> bool:
    return any(m.type in THINGS and content.startswith(m.name) for m in sentence.mentions[:1])


def _constraint(sentence: _Sentence, content: str, voice: Voice) -> Fact | None:
    """The rule, about the first thing that the sentence names, else the project, else the speaker."""
    about = next((m for m in sentence.mentions if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = about or next((m for m in sentence.mentions if m.found == "phrase"), None)
    if about is None and voice.project:
        about = Mention(0, 0, voice.project, EntityType.PROJECT, "speaker")
    about = about or next((m for m in sentence.mentions if m.type is EntityType.TOOL or _is_team(m)), None)
    if about is None and voice.person:
        about = Mention(0, 0, voice.person, EntityType.PERSON, "speaker")
    return Fact("rule", about, "rules", content, "stated") if about else None


def _is_team(mention: Mention) -> bool:
    return mention.type is EntityType.ORGANISATION and mention.found == "phrase"


def _decision(sentence: _Sentence, content: str) -> Fact | None:
    if not is_decision(sentence.words) or len(content.split()) < 5:
        return None
    about = next((m for m in sentence.mentions if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = about or next(
        (m for m in sentence.mentions if m.found == "speaker" or m.type in THINGS or _is_team(m)), None
    )
    return Fact("decided", about, "decisions", content, "stated") if about else None


def _event(sentence: _Sentence, content: str) -> Fact | None:
    """Something that somebody or something did, where a day is given or it is of a lasting kind."""
    masked = mask(sentence.text, sentence.start, sentence.end, sentence.mentions)
    lead_in = _LEAD_IN.match(masked.text)
    match = relations.EVENT.match(masked.text, lead_in.end() if lead_in else 0)
    if match is None or not match["subj"]:
        return None
    named = [m for m in masked.named_in(match["subj"]) if not m.possessive]
    verb = match["verb"].lower()
    at = masked.at(match.start("verb"))
    past = next((token for token in sentence.tokens if token.start == at), None)
    if not named or past is None or past.tag not in ("VBD", "VBN") or verb in relations.CHORES:
        return None
    if any(word in match["pre"] for word in ("not", "n't", "never", "will", "would", "could")):
        return None
    dated = any(date.starts_fact for date in sentence.dates)
    lasting = verb in relations.LASTING_EVENTS and len(content.split()) >= 4
    if not (dated or (lasting and len(sentence.mentions) > 1)) or len(content.split()) < 4:
        return None
    thing = next((m for m in sentence.mentions if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = thing if thing and named[0].found == "speaker" else named[0]
    return Fact("event", about, "events", content, "stated")


@dataclass(slots=True)
class _Seen:
    """One entity as it is gathered: where it is named, how it is written, and what it seems to be."""

    name: str
    spans: dict[tuple[int, int, int], None] = field(default_factory=dict)
    forms: Counter[str] = field(default_factory=Counter)
    types: Counter[EntityType] = field(default_factory=Counter)
    shown: EntityType | None = None
    speaks: bool = False


class _Draft:
    """Everything gathered so far, over all messages of the chunk."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._needed: dict[str, None] = {}
        self._statements: list[Statement] = []
        self._attributes: list[ExtractedAttribute] = []
        self._dependencies: dict[tuple[str, str, DependencyType], ExtractedDependency] = {}

    def see(self, sentence: _Sentence) -> None:
        """Note where entities are named, whether or not anything is said about them."""
        for mention in sentence.mentions:
            seen = self._entry(mention.name)
            written = sentence.text[mention.start : mention.end]
            if mention.found not in ("speaker", "pronoun"):
                seen.spans[(sentence.message, mention.start, mention.end)] = None
                seen.forms[" ".join(written.split())] += 1
            elif mention.found == "speaker":
                seen.spans[(sentence.message, mention.start, mention.end)] = None
            seen.types[mention.type] += 1
            seen.speaks = (
                seen.speaks or mention.certain or (mention.found == "speaker" and mention.type is EntityType.PERSON)
            )

    def also(self, mentions: Iterable[Mention]) -> None:
        """Keep entities that nothing is said about, from a message that says something."""
        for mention in mentions:
            self._need(mention)

    def keep(self, sentence: _Sentence, said: MemoryType, content: str, facts: Sequence[Fact | None]) -> None:
        """Take a sentence as a statement, with its facts."""
        valid_from = next((date.begins for date in sentence.dates if date.starts_fact), None)
        index = len(self._statements)
        kind: AttributeKind = "constraint" if said == "constraint" else "attribute"
        importance = _IMPORTANCE[said]
        span = SourceSpan(message=sentence.message, start=sentence.start, end=sentence.end)
        statement = Statement(content=content, type=said, importance=importance, source=span, valid_from=valid_from)
        self._statements.append(statement)
        for mention in sentence.mentions:
            named = mention.found == "name" and mention.type is EntityType.PERSON
            named = named and not _PET_BEFORE.search(sentence.text, sentence.start, mention.start)
            if mention.found == "software" or named:
                self._need(mention)
        for fact in facts:
            if fact is not None:
                self._add(fact, kind, importance, index, valid_from)

    def finish(self) -> Extraction:
        """The extraction at level 1."""
        entities = [_entity(self._seen[canonical]) for canonical in self._needed]
        return Extraction(
            entities=tuple(entities),
            statements=tuple(self._statements),
            attributes=tuple(self._attributes),
            dependencies=tuple(self._dependencies.values()),
        )

    def _entry(self, name: str) -> _Seen:
        canonical = canonical_name(name)
        if canonical not in self._seen:
            self._seen[canonical] = _Seen(" ".join(name.split()))
        return self._seen[canonical]

    def _need(self, mention: Mention) -> str:
        """The entity's one name, now certain to be among the entities."""
        seen = self._entry(mention.name)
        if len(seen.name) <= MAX_NAME_CHARS and canonical_name(seen.name):
            self._needed[canonical_name(mention.name)] = None
        if not seen.types:
            seen.types[mention.type] += 1
        return seen.name

    def _add(self, fact: Fact, kind: AttributeKind, importance: float, index: int, valid_from: datetime | None) -> None:
        name = self._need(fact.about)
        for mention in fact.others:
            self._need(mention)
        for shown, entity_type in fact.types:
            self._entry(shown).shown = entity_type
        attribute = ExtractedAttribute(
            entity=name,
            aspect=fact.aspect,
            content=fact.content,
            kind=kind,
            confidence=_ATTRIBUTE_CONFIDENCE,
            importance=importance,
            statement=index,
            claim_key=fact.claim_key,
            valid_from=valid_from,
        )
        same = (attribute.entity, attribute.content)
        if same not in {(known.entity, known.content) for known in self._attributes}:
            self._attributes.append(attribute)
        confidence, reason = REASONS[1]
        for source, target, kind_of_need in fact.needs:
            key = (self._need(source), self._need(target), kind_of_need)
            if key[0] != key[1] and key not in self._dependencies:
                self._dependencies[key] = ExtractedDependency(
                    source=key[0],
                    target=key[1],
                    type=kind_of_need,
                    confidence=confidence,
                    strength=_STRENGTH,
                    reason=reason,
                    statement=index,
                    valid_from=valid_from,
                )


def _entity(seen: _Seen) -> ExtractedEntity:
    told = [(count, kind) for kind, count in seen.types.items() if kind is not EntityType.UNKNOWN]
    voted = max(told, key=lambda item: item[0])[1] if told else EntityType.UNKNOWN
    settled = EntityType.PERSON if seen.speaks else voted if voted in THINGS else seen.shown or voted
    aliases = tuple(form for form in seen.forms if canonical_name(form) != canonical_name(seen.name))
    spans = tuple(SourceSpan(message=m, start=s, end=e) for m, s, e in seen.spans)
    return ExtractedEntity(name=seen.name, type=settled, aliases=aliases, mentions=spans)
