"""From the words of a conversation to entities, statements, facts and dependencies, by rules alone.

The order is: which sentences say something (`statements`), whom they name (`mentions`), what they say (`clauses` and
`facts`, by the tables in `relations` and `slots`), in absolute words (`wording`, `relative_dates`), and never too much
of it (`escalation`).
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

from graphmem.model.claims import Claim
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
from graphmem.model.knowledge import DependencyType, EntityType, MemoryType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.claims import ClaimReader, FoundClaim, given, holding, repaired, tense_of
from graphmem.rules.extraction.asserted import asserted
from graphmem.rules.extraction.certainty import PLAIN
from graphmem.rules.extraction.claims import Saying, Told, settle_facts
from graphmem.rules.extraction.dependencies import settle_dependencies
from graphmem.rules.extraction.entities import Sighted, Talk, settle_entities
from graphmem.rules.extraction.escalation import REASONS, climb
from graphmem.rules.extraction.scoring import Scoring
from graphmem.rules.language.relative_dates import FoundDate, Tense, find_dates
from graphmem.rules.language.text import MAX_NAME_CHARS, canonical_name, words
from graphmem.rules.reading.aliases import Alias, stated_aliases
from graphmem.rules.reading.attribution import is_quoted
from graphmem.rules.reading.bare_names import heard_systems
from graphmem.rules.reading.clauses import Fact, Part, independent, mask
from graphmem.rules.reading.facts import WE_EVER, Sentence, opened, read_decision, read_event, read_facts, read_rule
from graphmem.rules.reading.links import read_links
from graphmem.rules.reading.mentions import THINGS, Mention, Voice, find_mentions
from graphmem.rules.reading.naming import SILENT_ROLES
from graphmem.rules.reading.plain import read_entry, read_plain
from graphmem.rules.reading.predicates import Predicate, predicates
from graphmem.rules.reading.proper_names import full_names, heard_names
from graphmem.rules.reading.statements import (
    MAX_READ_CHARS,
    announces_rule,
    is_advice,
    is_constraint,
    kind_of,
    may_state,
    opening,
    prose_sentences,
    silent,
)
from graphmem.rules.reading.word_order import Around
from graphmem.rules.reading.wording import Wording, is_technical, trimmed, with_pronouns, wording_of

EXTRACTOR = "rules-12"
"""Names what these rules find. Raise the number when they find something else in the same words: sessions that another
one has read can be read again (`graphmem sessions extract`)."""
_IMPORTANCE: dict[MemoryType, float] = {
    "constraint": 0.9,
    "decision": 0.8,
    "preference": 0.6,
    "fact": 0.6,
    "event": 0.5,
}
_STRENGTH = 0.5
_NAMED_ALONG = frozenset(
    {EntityType.PERSON, EntityType.ORGANISATION, EntityType.PLACE, EntityType.CONCEPT, EntityType.UNKNOWN}
)
_PHRASES_ALONG = frozenset({EntityType.ORGANISATION, EntityType.SYSTEM})
_TALKED_ABOUT = THINGS - {EntityType.TOOL, EntityType.PROJECT} | {EntityType.CONCEPT, EntityType.TASK}
_HABIT = re.compile(r"(?i)\b(?:prefers?|likes?|loves?|enjoys?|hates?)\b")
_WEEKDAY = re.compile(
    r"(?i)(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening|night))?"
)
_OF_EVERY = re.compile(r"(?i)s\b| (?:morning|afternoon|evening|night)s\b| (?:of|in) (?:each|every) ")
_ENDS_DOUBT = tuple(":;—–-")
"""What joins a clause to one before whose doubt does not go on in it."""
_BESIDE = frozenset({"relcl", "acl", "advcl"})
"""Verbs of clauses that tell something beside what is said, with a time of their own: "the cellar we built in May"."""
_LISTED = re.compile(r"[,(]\s*$")
"""What a weekday without a preposition stands behind where it is one of several things told: "at 17:00, Monday"."""
_ANY_DAY = re.compile(r"(?i)\b(?:an?|any|every|each|no) $")
_MOVED = re.compile(r"(?i)\b(?:moved|changed|pushed|postponed|shifted|slipped|rescheduled|went|brought)(?: \w+)? $")
_PET_BEFORE = re.compile(r"(?i)\b(?:dog|cat|puppy|kitten|pet)s?,? (?:named |called )?$")
_ARTICLE = re.compile(r"(?:An?|The|an?) ")
_MAX_STATEMENT_CHARS = 1_000
_UNSAID = frozenset({"denied", "asked", "supposed"})
_ACKNOWLEDGED = 2
"""So many messages of a user may be what an assistant says again."""
# A sentence that names more is a list, and lists are slow to read as clauses.
_MAX_MENTIONS = 40


def extract(
    messages: Sequence[SourceMessage],
    parsed: Sequence[ParsedText],
    *,
    known: Collection[str] = (),
    limits: Limits | None = None,
    project: str | None = None,
    scoring: Scoring | None = None,
) -> Extraction:
    """What the messages say that is worth keeping, each piece with the exact place where it is said.

    *Shape*: statements in the order they are said; attributes and dependencies point to them by index; every name they
    use is in `entities`. `parsed` holds one text for each message. `known` holds canonical names that the graph has;
    what is in it is not new. `project` is whom we and our mean; without it they mean the speaker's team, and a link
    that only we have is kept as a fact, not as a dependency. Tool and system messages say nothing; an unnamed
    assistant's "I" neither. `scoring` is in the place of the scorers that come with the package. The same input gives
    the same output.

    *Source*: Signet docs/LCM-PATTERNS.md, pattern 2, for the ladder of levels.
    """
    messages = [_as_parsed(message, text) for message, text in zip(messages, parsed, strict=True)]
    people = frozenset(message.name for message in messages if message.name and message.role not in SILENT_ROLES)
    heard, systems = heard_names(parsed), heard_systems([text.text for text in parsed])
    full = full_names(parsed)
    draft = _Draft(heard)
    for index, (message, text) in enumerate(zip(messages, parsed, strict=True)):
        if message.role in SILENT_ROLES:
            continue
        person = message.name or ("user" if message.role == "user" else "")
        voice = Voice(person, project, people, frozenset(known) | draft.named(), heard, systems, full)
        asked = index > 0 and messages[index - 1].text.rstrip().endswith("?")
        _read_message(draft, index, message, text, voice, asked=asked)
    scoring, sighted, read = scoring or Scoring(), draft.sighted(), draft.finish()
    found = settle_entities(read, sighted, Talk(messages, parsed, frozenset(known)), scoring)
    found = settle_facts(found, read, draft.sayings, project, [one.entity for one in sighted], scoring)
    found = found.model_copy(update={"claims": tuple(draft.claims)})
    found = settle_dependencies(found, draft.sentences, draft.claimed, project, _as_statement, scoring)
    return climb(found, frozenset(known), limits or Limits())


def _as_parsed(message: SourceMessage, parsed: ParsedText) -> SourceMessage:
    """The message with its words in the ordinary spelling that the parser gives words in capitals."""
    same = message.text == parsed.text
    return (
        message if same or len(message.text) != len(parsed.text) else message.model_copy(update={"text": parsed.text})
    )


def _read_message(
    draft: "_Draft", index: int, message: SourceMessage, parsed: ParsedText, voice: Voice, *, asked: bool
) -> None:
    spans = prose_sentences(message.text[:MAX_READ_CHARS])
    if message.text != parsed.text or not spans:
        return
    mentions = with_pronouns(parsed.text, spans, find_mentions(parsed, spans, voice), voice, draft.topic)
    parsed, tokens = _put_right(parsed, spans)
    named_so = [
        stated_aliases(span, parsed.text, there, inside)
        for span, there, (_, inside) in zip(spans, mentions, tokens, strict=True)
    ]
    mentions = draft.under_one_name(mentions, named_so)
    kept = False
    unkept: list[Sentence] = []
    for (start, end), named, (base, inside), aliases in zip(spans, mentions, tokens, named_so, strict=True):
        lead = start + opening(message.text[start:end])
        quiet = end - lead > _MAX_STATEMENT_CHARS or len(named) > _MAX_MENTIONS
        quiet = quiet or not may_state(message.text[start:end])
        dates = _dates(message, parsed.tokens, base, inside, lead, end)
        nouns = {token.start for token in inside if token.pos == "NOUN"}
        said = [m for m in named if m.start >= lead and not (m.found in ("speaker", "pronoun") and m.start in nouns)]
        technical = is_technical(said, message.text[lead:end])
        sentence = Sentence(index, message.text, lead, end, said, inside, dates, technical, base)
        draft.see(sentence)
        claims = draft.claims_of(sentence, parsed, voice)
        announced = announces_rule(message.text[start:lead])
        heard = _heard(draft, sentence, message, claims, draft.told(message), asked=asked, announced=announced)
        told = [] if quiet else _read_sentence(draft, sentence, heard, voice, aliases)
        if end - lead <= _MAX_STATEMENT_CHARS and len(named) <= _MAX_MENTIONS:
            draft.sayings += _sayings(heard, told, voice)
        if any(told):
            kept = True
        elif not quiet:
            unkept.append(sentence)
    draft.hear(message)
    if not kept:
        draft.ask(mention for named in mentions for mention in named)
    if kept:
        draft.also(mention for sentence in unkept for mention in sentence.mentions if mention.found == "software")


def _dates(
    message: SourceMessage, tokens: Sequence[Token], base: int, inside: Sequence[Token], start: int, end: int
) -> tuple[FoundDate, ...]:
    """The dates of a sentence by their place in the message; "I prefer Mondays" and "at 17:00, Monday as before" are no
    dates, and what a date was moved from is none that a fact begins with."""

    def tense_at(place: int) -> Tense | None:
        token = next((base + at for at, token in enumerate(inside) if token.end > start + place), None)
        return tense_of(tokens, token) if token is not None else None

    found = []
    for date in find_dates(message.text[start:end], message.created_at, tense_at):
        first, last = start + date.start, start + date.end
        weekday = _WEEKDAY.fullmatch(message.text, first, last)
        habitual = weekday and (_OF_EVERY.match(message.text, last) or _LISTED.search(message.text, start, first))
        if habitual or (
            weekday and (_HABIT.search(message.text, start, first) or _ANY_DAY.search(message.text, start, first))
        ):
            continue
        found.append(replace(date, start=first, end=last))
        if date.wording.startswith("from ") and _MOVED.search(message.text, start, first):
            found[-1] = replace(found[-1], relation="other", starts_fact=False)
        elif date.is_range and len(found) > 1 and found[-2].relation == "other":
            found[-1] = replace(found[-1], relation="other")
    return tuple(found)


def _put_right(
    parsed: ParsedText, spans: Sequence[tuple[int, int]]
) -> tuple[ParsedText, list[tuple[int, list[Token]]]]:
    """The text without slips of the parser, and the tokens of each span with the index of the first."""
    tokens: Sequence[Token] = parsed.tokens
    for first, inside in _tokens_of(tokens, spans):
        tokens = repaired(tokens, first, first + len(inside))
    return replace(parsed, tokens=tuple(tokens)), _tokens_of(tokens, spans)


def _tokens_of(tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[tuple[int, list[Token]]]:
    """The tokens of each span, and the index of the first."""
    grouped: list[list[Token]] = [[] for _ in spans]
    first = [0] * len(spans)
    current = 0
    for index, token in enumerate(tokens):
        while current < len(spans) and token.start >= spans[current][1]:
            current += 1
        if current < len(spans) and token.start >= spans[current][0]:
            first[current] = first[current] if grouped[current] else index
            grouped[current].append(token)
    return list(zip(first, grouped, strict=True))


@dataclass(frozen=True, slots=True)
class _Heard:
    """A sentence with its clauses, the predicates of each, and the words that it becomes."""

    sentence: Sentence
    parts: Sequence[Part]
    predicates: Sequence[Sequence[Predicate]]
    quiet: Sequence[bool]
    wording: Wording
    content: str
    role: str
    asked: bool
    announced: bool
    claims: Sequence[FoundClaim]
    told: frozenset[str]
    said_at: datetime | None

    def place_of(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the words [start, end) of the message are in `content`."""
        words = self.wording.render(start, end)
        place = self.content.casefold().find(words.casefold())
        return (place, place + len(words)) if words and place >= 0 else None


def _heard(
    draft: "_Draft",
    sentence: Sentence,
    message: SourceMessage,
    claims: Sequence[FoundClaim],
    told: frozenset[str],
    *,
    asked: bool,
    announced: bool,
) -> _Heard:
    parts = independent(sentence.text, sentence.start, sentence.end, sentence.tokens, sentence.mentions)
    telling = {one.at for one in claims if given(one.claim) or one.claim.former}
    said = [predicates(_within(sentence, part), telling) for part in parts]
    quiet = silent([(part.joint, sentence.text[part.start : part.end]) for part in parts])
    wording = wording_of(
        sentence.text, sentence.mentions, sentence.dates, sentence.tokens, technical=sentence.technical
    )
    wording = draft.named_again(wording, claims)
    content = trimmed(opened(sentence, wording.render(sentence.start, sentence.end)))
    role, said_at = message.role, message.created_at
    return _Heard(sentence, parts, said, quiet, wording, content, role, asked, announced, claims, told, said_at)


def _read_sentence(
    draft: "_Draft", sentence: Sentence, heard: _Heard, voice: Voice, aliases: Sequence[Alias]
) -> list[list["_Told"]]:
    """Take what the sentence says, clause by clause, into the draft; what each of its clauses says."""
    if not heard.content:
        return []
    announced, parts = heard.announced, heard.parts
    advice = is_advice(sentence.words) or not voice.person
    told: list[list[_Told]] = []
    before = None
    for index, (part, unsaid, inside) in enumerate(zip(parts, heard.quiet, heard.predicates, strict=True)):
        clause = _within(sentence, part)
        rule = announced or (part.joint[:1] == ":" and before is not None and announces_rule(before.words))
        lead = before if part.joint[:1] == ":" else None
        announces = index + 1 < len(parts) and parts[index + 1].joint[:1] == ":" and announces_rule(clause.words)
        said_here: list[_Told] = []
        if (
            (rule or not unsaid)
            and not announces
            and not is_quoted(sentence.text, sentence.start, clause.start, clause.end)
        ):
            # "… of X is MySQL, and the message broker is Kafka" may mean X or the project.
            others = any(
                m.type in THINGS and m.name != voice.project and m.end <= part.start for m in sentence.mentions
            )
            said = [m for m in sentence.mentions if m.end <= part.start and not m.possessive]
            context = _Context(lead, rule, advice, others, said, draft.topic, draft.topic_of == clause.message)
            read = _read_clause(clause, heard.wording, voice, context, [one.end for one in inside[:-1]])
            if _is_unsaid(clause, heard.claims):
                read = [one for one in read if one.said == "constraint"]
            said_here = _asserted(_linked(clause, heard.wording, voice, context, read), clause, heard, part)
        told.append(said_here)
        announced, before = False, clause
    if aliases and not any(told):
        told[0] = [_Told("fact", [Fact("named", aliases[0].thing, "general", heard.content, "stated")])]
    if everything := [one for said_here in told for one in said_here]:
        draft.keep(sentence, heard.content, everything)
    return told


def _asserted(told: Sequence["_Told"], clause: Sentence, heard: _Heard, part: Part) -> list["_Told"]:
    """What a clause says, as far as its claims assert it; a rule is laid down whatever it denies."""
    claims = [one.claim for one in heard.claims if part.start <= one.at < part.end]
    words = trimmed(opened(clause, heard.wording.render(clause.start, clause.end)))
    kept = []
    for one in told:
        facts = one.facts if one.said == "constraint" else [asserted(fact, claims, words) for fact in one.facts]
        kept.append(replace(one, facts=[fact for fact in facts if fact is not None]))
    return [one for one in kept if one.facts]


def _is_unsaid(clause: Sentence, claims: Sequence[FoundClaim]) -> bool:
    """Whether all that tells a value in a clause is denied, asked or supposed."""
    told = [one.claim for one in claims if clause.start <= one.at < clause.end]
    moods = {claim.mood for claim in told if given(claim) or claim.former}
    return bool(moods) and moods <= _UNSAID


def _sayings(heard: _Heard, told: Sequence[Sequence["_Told"]], voice: Voice) -> Iterator[Saying]:
    """The clauses of a sentence for those who decide which of them are kept."""
    sentence, hedged = heard.sentence, ""
    for index, (part, quiet) in enumerate(zip(heard.parts, heard.quiet, strict=True)):
        clause = _within(sentence, part)
        hedged = "" if part.joint.strip()[:1] in _ENDS_DOUBT else hedged
        content = trimmed(opened(clause, heard.wording.render(clause.start, clause.end)))
        facts = [
            Told(
                fact.about.name,
                fact.content,
                "constraint" if one.said == "constraint" else "attribute",
                fact.relation,
                fact.relation == "kin" and not any(date.wording in fact.content for date in clause.dates),
                fact.span,
                _claims_in(fact, heard) if fact.relation == "kin" else None,
                heard.place_of(*fact.span) if fact.span else None,
            )
            for one in (told[index] if told else ())
            for fact in one.facts
        ]
        before = heard.parts[index - 1] if index and part.joint[:1] == ":" else None
        inside = [one for one in heard.claims if part.start <= one.at < part.end]
        beside = _beside(clause)
        led = before is not None and announces_rule(sentence.text[before.start : before.end])
        saying = Saying(
            sentence=sentence,
            start=clause.start,
            end=clause.end,
            joint=part.joint,
            content=content,
            whole=heard.content,
            told=tuple(facts),
            quiet=quiet or not told,
            announced=led or (heard.announced and not index),
            person=voice.person,
            role=heard.role,
            asked=heard.asked,
            hedged=hedged,
            held=holding([one.claim for one in inside if one.at not in beside], heard.said_at),
            claims=tuple(one.claim for one in inside),
            heard=heard.told,
            worded=heard.place_of(clause.start, clause.end),
        )
        several = heard.predicates[index]
        ends = [saying.start, *(one.end for one in several)]
        parts = tuple(_said_in(saying, one, end, heard) for one, end in zip(several, ends, strict=False))
        yield replace(saying, parts=parts)
        hedged = f"{hedged}{clause.words} "


def _said_in(saying: Saying, predicate: Predicate, after: int, heard: _Heard) -> Saying:
    """What one predicate of a clause says, behind the one that ends at `after`; facts whose words are those of the
    clause, each predicate says."""
    if (predicate.start, predicate.end) == (saying.start, saying.end):
        return saying
    spans = (*predicate.shared, (predicate.start, predicate.end))
    content = " ".join(heard.wording.render(start, end) for start, end in spans)
    first = predicate.start == saying.start
    inside = [one for one in heard.claims if predicate.start <= one.at < predicate.end]
    told = (one for one in saying.told if one.span is None or after <= one.span[0] < predicate.end)
    return replace(
        saying,
        start=predicate.start,
        end=predicate.end,
        content=trimmed(opened(_within(heard.sentence, Part(predicate.start, predicate.end, "")), content)),
        told=tuple(told),
        held=holding([one.claim for one in inside if one.at not in _beside(heard.sentence)], heard.said_at),
        hedged=saying.hedged + ("" if first else saying.sentence.text[saying.start : predicate.start]),
        claims=tuple(one.claim for one in inside),
        partial=True,
        worded=heard.place_of(predicate.start, predicate.end),
    )


def _claims_in(fact: Fact, heard: _Heard) -> tuple[Claim, ...]:
    start, end = fact.span or (heard.sentence.start, heard.sentence.end)
    return tuple(one.claim for one in heard.claims if start <= one.at < end)


def _beside(clause: Sentence) -> frozenset[int]:
    """The places of verbs that tell something beside what a clause says."""
    return frozenset(
        token.start for token in clause.tokens if token.dep in _BESIDE and clause.at(token.head) is not None
    )


def _within(sentence: Sentence, part: Part) -> Sentence:
    """A clause as a sentence of its own. A date at the head of the sentence, or before the colon, is its date too."""
    start = part.start + (opening(sentence.text[part.start : part.end]) if part.joint else 0)
    dates = [d for d in sentence.dates if start <= d.start and d.end <= part.end]
    if not dates:
        near = [d for d in sentence.dates if d.end <= part.start]
        dates = [d for d in near if part.joint[:1] == ":" or d.start == sentence.start]
    return replace(
        sentence,
        start=start,
        end=part.end,
        mentions=[m for m in sentence.mentions if start <= m.start and m.end <= part.end],
        tokens=[t for t in sentence.tokens if start <= t.start < part.end],
        dates=tuple(dates),
        base=sentence.base + sum(t.start < start for t in sentence.tokens),
    )


@dataclass(frozen=True, slots=True)
class _Context:
    """What stands around a clause: the clause before its colon, whether that announces a rule, whether all is advice,
    whether other things than the project are named before, and all that is."""

    lead: Sentence | None
    rule: bool
    advice: bool
    others: bool
    said: Sequence[Mention]
    topic: Mention | None
    near: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """What one clause says, and of which kind it is."""

    said: MemoryType
    facts: Sequence[Fact]


def _read_clause(
    clause: Sentence, wording: Wording, voice: Voice, context: _Context, stops: Sequence[int]
) -> list[_Told]:
    laid_down = is_constraint(clause.words) and not _is_habit(clause, voice, context.rule)
    if (laid_down or context.rule) and not context.advice:
        rule = read_rule(clause, context.lead, wording, voice, context.said, context.topic if context.near else None)
        return [_Told("constraint", [rule] if rule else [])]
    if laid_down:
        return []
    masked = mask(clause.text, clause.start, clause.end, clause.mentions, stops)
    project = None
    if voice.project and not context.others:
        project = Mention(0, 0, voice.project, EntityType.PROJECT, "speaker")
    facts = read_facts(masked, wording, technical=clause.technical, project=project)
    if not voice.person:  # what an assistant says of products and of the world is no news
        facts = [f for f in facts if f.about.type is not EntityType.TOOL]
    if facts and all(fact.aspect == "relationships" for fact in facts):
        more = read_event(clause, opened(clause, wording.render(clause.start, clause.end)), masked)
        more = more or read_plain(clause, opened(clause, wording.render(clause.start, clause.end)), voice)
        facts += [more] if more and more.about.name != facts[0].about.name else []
    if facts:
        said = kind_of(clause.words)
        if said in ("fact", "constraint"):
            planned = any(fact.mood == "planned" for fact in facts)
            liked = any(fact.aspect == "preferences" for fact in facts)
            said = "decision" if planned else "preference" if liked else "fact"
        return [_Told(said, facts)]
    content = opened(clause, wording.render(clause.start, clause.end))
    known = context.topic is not None and context.near and not voice.project
    earlier = [*context.said, context.topic] if known and context.topic else context.said
    other = (
        read_decision(clause, content)
        or read_event(clause, content, masked)
        or read_entry(clause, content)
        or read_plain(clause, content, voice, earlier)
    )
    if other is None:
        return []
    kinds: dict[str, MemoryType] = {"decisions": "decision", "events": "event"}
    return [_Told(kinds.get(other.aspect, "fact"), [other])]


def _linked(clause: Sentence, wording: Wording, voice: Voice, context: _Context, told: list[_Told]) -> list[_Told]:
    """What the clause says, with who needs whom by its words; a clause that says nothing else says that."""
    if context.advice or any(each.said == "constraint" for each in told):
        return told
    project = Mention(0, 0, voice.project, EntityType.PROJECT, "speaker") if voice.project else None
    speaker = Mention(0, 0, voice.person, EntityType.PERSON, "speaker") if voice.person else None
    topic = context.topic if context.near or project is None else project
    needs = read_links(clause, Around(context.said, topic, speaker))
    if not voice.person:
        needs = tuple(need for need in needs if need[0].type is not EntityType.TOOL)
    facts = [fact for each in told for fact in each.facts]
    known = {frozenset((source.name, target.name)) for fact in facts for source, target, _ in fact.needs}
    new = tuple(need for need in needs if frozenset((need[0].name, need[1].name)) not in known)
    if not new:
        return told
    if facts:
        first = next(each for each in told if each.facts)
        facts = [replace(first.facts[0], needs=(*first.facts[0].needs, *new)), *first.facts[1:]]
        return [replace(each, facts=facts) if each is first else each for each in told]
    content = opened(clause, trimmed(wording.render(clause.start, clause.end)))
    about = new[0][0]
    fact = Fact("linked", about, "architecture", content, "stated", needs=new, others=tuple(clause.mentions))
    return [_Told("fact", [fact])]


def _is_habit(clause: Sentence, voice: Voice, announced: bool) -> bool:
    """Whether "we always …" tells what friends do rather than what a project lays down."""
    return not (announced or clause.technical or voice.project) and bool(WE_EVER.search(clause.words))


@dataclass(slots=True)
class _Seen:
    """One entity as it is gathered: where it is named, how it is written, and what it seems to be."""

    name: str
    spans: dict[tuple[int, int, int], None] = field(default_factory=dict)
    forms: Counter[str] = field(default_factory=Counter)
    types: Counter[EntityType] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    stated: dict[str, None] = field(default_factory=dict)
    shown: EntityType | None = None
    speaks: bool = False


class _Draft:
    """Everything gathered so far, over all messages of the chunk."""

    def __init__(self, heard: Collection[str]) -> None:
        self._heard = heard
        self._claims = ClaimReader()
        self._said: list[frozenset[str]] = []
        self._speaker = "user"
        """Who spoke last, and whom an assistant's "you" means."""
        self.claims: list[Claim] = []
        self.claimed: dict[tuple[int, int], list[Claim]] = {}
        """The claims of each sentence: by its message, and where it begins there."""
        self._seen: dict[str, _Seen] = {}
        self._needed: dict[str, None] = {}
        self._aliases: dict[str, Mention] = {}
        """The thing of each canonical name that was told to be its other name."""
        self.sentences: list[Sentence] = []
        self._statements: list[Statement] = []
        self._slots: dict[tuple[str, str], str] = {}
        self._attributes: list[ExtractedAttribute] = []
        self._dependencies: dict[tuple[str, str, DependencyType], ExtractedDependency] = {}
        self.sayings: list[Saying] = []
        self.topic: Mention | None = None
        """The thing that was talked about last, and in which message."""
        self.topic_of = -1
        self._spoken_of = ""
        """The words for what "it" means."""

    def see(self, sentence: Sentence) -> None:
        """Note where entities are named, whether or not anything is said about them."""
        self.sentences.append(sentence)
        for mention in sentence.mentions:
            seen = self._entry(mention.name)
            written = sentence.text[mention.start : mention.end]
            if mention.found not in ("speaker", "pronoun"):
                seen.spans[(sentence.message, mention.start, mention.end)] = None
                seen.forms[" ".join(written.split())] += 1
            elif mention.found == "speaker":
                seen.spans[(sentence.message, mention.start, mention.end)] = None
            seen.types[mention.type] += 1
            seen.found[mention.found] += 1
            seen.speaks = (
                seen.speaks or mention.certain or (mention.found == "speaker" and mention.type is EntityType.PERSON)
            )

    def under_one_name(
        self, mentions: Sequence[Sequence[Mention]], aliases: Sequence[Sequence[Alias]]
    ) -> list[list[Mention]]:
        """The mentions of a message with things under the names that they are first told by, here or before."""
        for one in chain.from_iterable(aliases):
            thing = self._aliases.get(canonical_name(one.thing.name), one.thing)
            if canonical_name(thing.name) != canonical_name(one.other.name):
                self._aliases[canonical_name(one.other.name)] = thing
                self._entry(thing.name).stated[one.other.name] = None
        renamed = []
        for named, told in zip(mentions, aliases, strict=True):
            there = {mention.start: mention for mention in named}
            for one in told:
                there.setdefault(one.thing.start, replace(one.thing, found="name"))
                there.setdefault(one.other.start, replace(one.other, found="name"))
            renamed.append([self._under_its_name(there[start]) for start in sorted(there)])
        return renamed

    def _under_its_name(self, mention: Mention) -> Mention:
        thing = self._aliases.get(canonical_name(mention.name))
        return mention if thing is None else replace(mention, name=thing.name, type=thing.type)

    def claims_of(self, sentence: Sentence, parsed: ParsedText, voice: Voice) -> list[FoundClaim]:
        """What the clauses of a sentence claim; none of one that is too long to be read."""
        if len(sentence.mentions) > _MAX_MENTIONS or sentence.end - sentence.start > _MAX_STATEMENT_CHARS:
            return []
        names = [(m.start, m.end, m.name) for m in sentence.mentions if _is_proper(m, parsed.text)]
        first, last = sentence.base, sentence.base + len(sentence.tokens)
        self._speaker = voice.person or self._speaker
        you = "" if voice.person else self._speaker
        found = self._claims.read(parsed.text, parsed.tokens, first, last, voice.person, you, names, sentence.dates)
        self.claims += [one.claim for one in found]
        self.claimed[sentence.message, sentence.start] = [one.claim for one in found]
        return found

    def named_again(self, wording: Wording, claims: Sequence[FoundClaim]) -> Wording:
        """The wording of a sentence with words in place of "it" and "they" where its clauses tell something of what was
        spoken of before."""
        for one in claims:
            if one.pronoun and self._spoken_of and (given(one.claim) or one.claim.former):
                wording = wording.naming(*one.pronoun, self._spoken_of)
            if one.phrase and (spoken := wording.render(*one.phrase)):
                self._spoken_of = _ARTICLE.sub("the ", spoken)
        return wording

    def hear(self, message: SourceMessage) -> None:
        """Note the words of a user, which an assistant may say again."""
        if message.role == "user":
            self._said = [*self._said[1 - _ACKNOWLEDGED :], frozenset(words(message.text))]

    def told(self, message: SourceMessage) -> frozenset[str]:
        """The words that an assistant was told last; none for others."""
        return frozenset[str]().union(*self._said) if message.role == "assistant" else frozenset()

    def named(self) -> frozenset[str]:
        """Canonical names of the things that something was said about."""
        told = (name for name in self._needed if THINGS & self._seen[name].types.keys())
        return frozenset(told) | self._aliases.keys()

    def ask(self, mentions: Iterable[Mention]) -> None:
        """Note the first thing that a message names of which nothing is kept: what is asked about is talked about."""
        things = (m for m in mentions if m.type in _TALKED_ABOUT)
        named = next((m for m in things if m.found not in ("speaker", "pronoun")), None)
        self.topic = replace(named, possessive=False) if named else self.topic

    def also(self, mentions: Iterable[Mention]) -> None:
        """Keep entities that nothing is said about, from a message that says something."""
        for mention in mentions:
            self._need(mention)

    def keep(self, sentence: Sentence, content: str, told: Sequence[_Told]) -> None:
        """Take a sentence as a statement, with what its clauses say."""
        index = len(self._statements)
        said = min((each.said for each in told), key=list(_IMPORTANCE).index)
        span = SourceSpan(message=sentence.message, start=sentence.start, end=sentence.end)
        self._statements.append(Statement(content=content, type=said, importance=_IMPORTANCE[said], source=span))
        for mention in sentence.mentions:
            named = mention.found == "name" and mention.type in _NAMED_ALONG
            # Any word has a capital where a sentence begins.
            sure = mention.start > sentence.start or mention.name in self._heard
            named = named and (mention.type is not EntityType.UNKNOWN or sure)
            named = named and not _PET_BEFORE.search(sentence.text, sentence.start, mention.start)
            named = named or (mention.found == "phrase" and mention.type in _PHRASES_ALONG)
            if mention.found == "software" or named:
                self._need(mention)
        for each in told:
            for fact in each.facts:
                self._add(fact, each.said, index)

    def finish(self) -> Extraction:
        """The extraction at level 1."""
        entities = [_entity(self._seen[canonical]) for canonical in self._needed]
        return Extraction(
            entities=tuple(entities),
            statements=tuple(self._statements),
            attributes=tuple(self._attributes),
            dependencies=tuple(self._dependencies.values()),
        )

    def sighted(self) -> list[Sighted]:
        """Everything that was named, whether or not the rules keep it."""
        return [
            Sighted(_entity(seen), seen.found, canonical in self._needed)
            for canonical, seen in self._seen.items()
            if canonical and len(seen.name) <= MAX_NAME_CHARS
        ]

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

    def _add(self, fact: Fact, said: MemoryType, index: int) -> None:
        name = self._need(fact.about)
        if fact.about.type in _TALKED_ABOUT and not fact.about.group and fact.about.found != "speaker":
            self.topic = replace(fact.about, possessive=False)
            self.topic_of = self._statements[index].source.message
        for mention in fact.others:
            self._need(mention)
        for shown, entity_type in fact.types:
            self._entry(shown).shown = entity_type
        attribute = ExtractedAttribute(
            entity=name,
            aspect=fact.aspect,
            content=fact.content,
            kind="constraint" if said == "constraint" else "attribute",
            confidence=PLAIN,
            importance=_IMPORTANCE[said],
            statement=index,
            claim_key=fact.claim_key,
        )
        if not self._is_repeated(attribute, fact.value):
            self._attributes.append(attribute)
        for source, target, kind_of_need in fact.needs:
            key = (self._need(source), self._need(target), kind_of_need)
            if key in self._dependencies:
                known = self._dependencies[key]
                self._dependencies[key] = known.model_copy(update={"also": (*known.also, index)})
            elif key[0] != key[1]:
                self._dependencies[key] = ExtractedDependency(
                    source=key[0],
                    target=key[1],
                    type=kind_of_need,
                    confidence=PLAIN,
                    strength=_STRENGTH,
                    reason=REASONS[1][1],
                    statement=index,
                )

    def _is_repeated(self, attribute: ExtractedAttribute, value: str) -> bool:
        """Whether it was said before in the same words, or its slot was filled with the same: that is no change."""
        slot = (attribute.entity, attribute.claim_key or "")
        if attribute.claim_key and value:
            known, self._slots[slot] = self._slots.get(slot), value.casefold()
            if known == value.casefold():
                return True
        return any((a.entity, a.content) == (attribute.entity, attribute.content) for a in self._attributes)


def _is_proper(mention: Mention, text: str) -> bool:
    """Whether a mention names something, rather than that a noun stands for it: the quail pipeline."""
    if mention.found in ("speaker", "software", "pronoun"):
        return mention.found != "speaker"
    return (
        not text[mention.start : mention.end].replace(" ", "").isalpha()
        or not text[mention.start : mention.end].islower()
    )


def _as_statement(sentence: Sentence) -> Statement:
    wording = wording_of(
        sentence.text, sentence.mentions, sentence.dates, sentence.tokens, technical=sentence.technical
    )
    return Statement(
        content=trimmed(opened(sentence, wording.render(sentence.start, sentence.end))) or sentence.words,
        type="fact",
        importance=_IMPORTANCE["fact"],
        source=SourceSpan(message=sentence.message, start=sentence.start, end=sentence.end),
        valid_from=next((date.begins for date in sentence.dates if date.starts_fact), None),
    )


def _entity(seen: _Seen) -> ExtractedEntity:
    told = [(count, kind) for kind, count in seen.types.items() if kind is not EntityType.UNKNOWN]
    voted = max(told, key=lambda item: item[0])[1] if told else EntityType.UNKNOWN
    settled = EntityType.PERSON if seen.speaks else voted if voted in THINGS else seen.shown or voted
    forms = dict.fromkeys((*seen.forms, *seen.stated))
    aliases = tuple(form for form in forms if canonical_name(form) != canonical_name(seen.name))
    spans = tuple(SourceSpan(message=m, start=s, end=e) for m, s, e in seen.spans)
    return ExtractedEntity(name=seen.name, type=settled, aliases=aliases, stated=tuple(seen.stated), mentions=spans)
