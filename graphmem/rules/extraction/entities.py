"""Which of the names that a chunk holds become entities: what the rules saw, and what else stands where names stand."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.extraction import ExtractedEntity, Extraction, SourceMessage, SourceSpan
from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.extraction.scoring import Scoring
from graphmem.rules.language.gazetteer import HEAD_NOUNS, LONE_HEADS, TEAM_HEADS
from graphmem.rules.language.text import MAX_NAME_CHARS, canonical_name
from graphmem.rules.reading.frames import VERBS
from graphmem.rules.reading.name_spans import name_spans
from graphmem.rules.reading.naming import SILENT_ROLES
from graphmem.rules.reading.statements import MAX_READ_CHARS, noise

_RULED_LEAST = 0.25
"""What the rules keep goes only where the scorer is this sure that it is nothing."""
_LINKED_LEAST = 0.2
"""The same of what the rules link to another thing."""
_UNTOLD_LEAST = 0.75
"""Where nothing is said that is worth keeping, a name has to be this sure."""
_GUESSED = frozenset({"name", "phrase"})
"""How rules see a name without knowing what it names: the parser's model says so, or words around it."""
_GUESSES = frozenset(
    {EntityType.PERSON, EntityType.ORGANISATION, EntityType.PLACE, EntityType.CONCEPT, EntityType.UNKNOWN}
)
"""What such a name is then taken for; where a template has made more of it ("Atlas runs on Kubernetes"), it is that."""


@dataclass(frozen=True, slots=True)
class Sighted:
    """What the rules saw named. `found` counts by which of them; `kept`: they keep it."""

    entity: ExtractedEntity
    found: Mapping[str, int]
    kept: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of a chunk, their parses, and the canonical names that the graph has."""

    messages: Sequence[SourceMessage]
    parsed: Sequence[ParsedText]
    known: Collection[str]


@dataclass(slots=True)
class Candidate:
    """What may be an entity: how it is written, where it stands, and what speaks for it and against it."""

    name: str
    sighted: Sighted | None = None
    spans: dict[tuple[int, int, int], None] = field(default_factory=dict)
    features: dict[str, None] = field(default_factory=dict)
    forms: set[str] = field(default_factory=set)
    longer: set[str] = field(default_factory=set)
    bare: int = 0
    rare: bool = False
    settled: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.sighted.entity.name, *self.sighted.entity.aliases) if self.sighted else (self.name,)


def settle_entities(
    found: Extraction,
    sighted: Sequence[Sighted],
    talk: Talk,
    scoring: Scoring,
) -> Extraction:
    """What the rules found, with the entities that the scorer keeps, and only what is said of those."""
    candidates = _candidates(found, sighted, talk)
    counts = _Counts.of(talk)
    used = Counter(one.entity for one in found.attributes)
    needed = Counter(name for one in found.dependencies for name in (one.source, one.target))
    software = min(sum("software" in one.found for one in sighted), 4)
    kept: list[Candidate] = []
    types: dict[str, EntityType] = {}
    for canonical, candidate in candidates.items():
        features = (
            *candidate.features,
            *_whole_features(candidate, used, needed, candidates),
            *_talk_features(candidate, canonical, talk.known, counts),
        )
        verdict, share = scoring.judge("entities", candidate, features)
        if not found.statements and (share < _UNTOLD_LEAST or not candidate.settled):
            continue
        if verdict or share > _least(candidate, used, needed):
            kept.append(candidate)
            about = (*features, *_type_features(candidate, talk, software))
            types[candidate.name] = _type(candidate, about, needed, scoring)
    names = {canonical_name(candidate.name) for candidate in kept}
    entities = tuple(_entity(one, types[one.name]) for one in kept if one.bare or not names & one.longer)
    return _without_strangers(found.model_copy(update={"entities": entities}))


def _least(candidate: Candidate, used: Mapping[str, int], needed: Mapping[str, int]) -> float:
    """How unlikely a candidate may be that is kept all the same; who says something of themselves always is."""
    sighted = candidate.sighted
    if sighted is None or not sighted.kept:
        return 1.0
    name = sighted.entity.name
    if "speaker" in sighted.found and used[name]:
        return 0.0
    return _LINKED_LEAST if needed[name] else _RULED_LEAST


def _candidates(
    found: Extraction,
    sighted: Sequence[Sighted],
    talk: Talk,
) -> dict[str, Candidate]:
    candidates: dict[str, Candidate] = {}
    owners: dict[str, Candidate] = {}
    spans: dict[int, dict[tuple[int, int], Candidate]] = {}
    for one in sighted:
        candidate = candidates[canonical_name(one.entity.name)] = Candidate(one.entity.name, one)
        for name in candidate.names:
            owners.setdefault(canonical_name(name), candidate)
        for place in one.entity.mentions:
            spans.setdefault(place.message, {})[(place.start, place.end)] = candidate
    told = _told(found)
    small = {token.text for text in talk.parsed for token in text.tokens if token.text.islower()}
    for index, (message, text) in enumerate(zip(talk.messages, talk.parsed, strict=True)):
        if text.text != message.text or message.role in SILENT_ROLES:
            continue
        here = spans.get(index, {})
        for sentence in text.sentences:
            words = text.tokens[sentence.first : sentence.last]
            around = _Around(words, text.tokens, _sentence_features(message, words, told.get(index, ())))
            settled = not found.statements and not noise(text.text[words[0].start : words[-1].end])
            seen: list[tuple[int, int, Candidate]] = []
            for (start, end), (first, last) in _ranges(words, here).items():
                name = " ".join(text.text[start:end].split())
                canonical = canonical_name(name)
                owner = here.get((start, end)) or owners.get(canonical)
                if (
                    first == 0
                    and name[:1].isupper()
                    and name.lower() in small
                    and not (owner and owner.sighted and owner.sighted.kept)
                ):
                    continue  # "Branch off there": the word has its capital from the sentence alone
                if owner is None:
                    if not canonical or len(name) > MAX_NAME_CHARS:
                        continue
                    owner = owners[canonical] = candidates[canonical] = Candidate(name)
                owner.spans[(index, start, end)] = None
                owner.settled = owner.settled or settled
                owner.rare = owner.rare or words[last - 1].rare
                owner.forms.add(text.text[start:end])
                owner.features.update(dict.fromkeys(_features(around, first, last, _status(owner))))
                seen.append((first, last, owner))
            _note_overlaps(seen)
    return candidates


def _ranges(words: Sequence[Token], places: Collection[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Where names may stand in a sentence, by characters and by words: where the rules saw some, and elsewhere."""
    ranges = {(words[first].start, words[last - 1].end): (first, last) for first, last in name_spans(words)}
    starts = {word.start: at for at, word in enumerate(words)}
    ends = {word.end: at + 1 for at, word in enumerate(words)}
    for start, end in places:
        if start in starts and end in ends:
            ranges[(start, end)] = (starts[start], ends[end])
    return ranges


def _note_overlaps(seen: Sequence[tuple[int, int, Candidate]]) -> None:
    for first, last, candidate in seen:
        wider = [
            other
            for start, end, other in seen
            if other is not candidate and start <= first and last <= end and end - start > last - first
        ]
        if wider:
            candidate.longer.update(canonical_name(other.name) for other in wider)
        else:
            candidate.bare += 1


def _told(found: Extraction) -> dict[int, list[tuple[int, int]]]:
    told: dict[int, list[tuple[int, int]]] = {}
    for one in found.statements:
        told.setdefault(one.source.message, []).append((one.source.start, one.source.end))
    return told


@dataclass(frozen=True, slots=True)
class _Around:
    words: Sequence[Token]
    tokens: Sequence[Token]
    sentence: Sequence[str]


def _sentence_features(message: SourceMessage, words: Sequence[Token], told: Sequence[tuple[int, int]]) -> list[str]:
    if not words:
        return []
    start, end = words[0].start, words[-1].end
    said = any(first < end and start < last for first, last in told)
    lower = {word.text.lower() for word in words}
    features = ["in statement" if said else "in no statement", f"role {message.role}"]
    if told:
        features.append("in telling message")
    if words[-1].text == "?":
        features.append("in question")
    features.append(f"in words {min(len(words) // 6, 4)}")
    return [*features, *(f"in {mark}" for mark in _MARKS if mark in lower)]


_MARKS = (
    "must",
    "never",
    "always",
    "only",
    "not",
    "n't",
    "if",
    "maybe",
    "think",
    "we",
    "i",
    "you",
    "will",
    "was",
    "no",
    "owns",
    "uses",
    "called",
)


def _status(candidate: Candidate) -> str:
    sighted = candidate.sighted
    if sighted is None:
        return "new"
    how = min(sighted.found) if sighted.found else "unseen"
    return f"{'kept' if sighted.kept else 'seen'} {how}"


def _features(around: _Around, first: int, last: int, status: str) -> Iterator[str]:
    words = around.words
    head = words[last - 1]
    start = words[first]
    written = "I" if head.tag in ("PRP", "PRP$") else "".join(_shape(word.text) for word in words[first:last])
    if head.rare and start.rare:
        written += " rare"
    before = words[first - 1].text.lower() if first else "^"
    after = words[last].text.lower() if last < len(words) else "$"
    entity = start.entity or head.entity
    yield from around.sentence
    near = before if before in _BEFORE else "else"
    then = after if after in _AFTER else "else"
    governor = around.tokens[head.head] if head.head < len(around.tokens) else head
    over = governor
    if head.dep == "pobj" and governor.head < len(around.tokens):
        over = around.tokens[governor.head]
    systems = "links" if over.text.lower() in VERBS else "verb" if over.tag[:1] == "V" else "none"
    core = (
        status,
        written,
        f"<{near}",
        f">{then}",
        f"={head.dep}",
        head.tag,
        f"e{entity}",
        around.sentence[0],
        f"v{systems}",
    )
    for index, one in enumerate(core):
        for other in core[:index]:
            yield f"{other}|{one}"
    place = "first" if first == 0 else "inside"
    yield f"shape {written} {place}"
    yield f"shape {written} {around.sentence[0]}"
    yield f"shape {written} before {before if before in _BEFORE else 'else'}"
    yield f"entity {entity}"
    yield f"entity {entity} shape {written}"
    yield f"tag {head.tag} {written}"
    yield f"before {before}"
    yield f"after {after}"
    yield f"dep {head.dep} {head.tag}"
    governor = around.tokens[head.head] if head.head < len(around.tokens) else head
    if head.dep == "pobj":
        over = around.tokens[governor.head]
        yield f"behind {governor.text.lower()} {written}"
        yield f"behind {over.lemma} {governor.text.lower()}"
        yield f"under {over.lemma}"
    else:
        yield f"{head.dep} of {governor.lemma}"
        yield f"{head.dep} of {governor.tag} {written}"
    for word in words[first:last]:
        yield f"word {word.text.lower()}"
    kind = head.text.lower()
    yield f"head {head.lemma.lower()} {last - first}"
    if kind in HEAD_NOUNS:
        yield f"head noun {before if before in _BEFORE else 'else'}"
    if kind in LONE_HEADS:
        yield "lone head"
    if kind in TEAM_HEADS:
        yield "team head"
    yield f"suffix {kind[-3:]} {written}"
    yield f"size {last - first}"


_BEFORE = frozenset(
    {
        "the",
        "our",
        "a",
        "an",
        "my",
        "your",
        "his",
        "her",
        "their",
        "on",
        "in",
        "to",
        "with",
        "by",
        "from",
        "for",
        "and",
        ",",
        "^",
        "(",
        ":",
        "of",
        "is",
        "uses",
        "called",
    }
)


_AFTER = frozenset(
    {"$", ",", ".", "'s", "is", "was", "has", ")", "and", "for", ":", "to", "on", "-", "(", "in", "does", "can"}
)


def _shape(word: str) -> str:
    if word.islower():
        return "x" if word.isalpha() else "x-"
    if word.isupper():
        return "X" if word.isalpha() else "X9"
    if word.istitle():
        return "Xx"
    return "xX" if word.isalpha() else "9" if word[0].isdigit() else "?"


def _whole_features(
    candidate: Candidate, used: Counter[str], needed: Counter[str], candidates: Mapping[str, Candidate]
) -> Iterable[str]:
    places = min(len(candidate.spans), 4)
    shapes = "".join(sorted({_shape(form.split()[0]) for form in candidate.forms})) or "-"
    yield f"places {places}"
    yield f"places {places} {shapes}"
    yield f"messages {min(len({message for message, _, _ in candidate.spans}), 3)} {shapes}"
    yield f"bare {min(candidate.bare, 3)} of {places}"
    if not candidate.bare:
        yield "always in a longer name"
    longer = [candidates[name] for name in candidate.longer if name in candidates]
    if any(one.sighted and one.sighted.kept for one in longer):
        yield f"in a kept name {min(candidate.bare, 2)}"
    elif any(one.sighted for one in longer):
        yield f"in a seen name {min(candidate.bare, 2)}"
    sighted = candidate.sighted
    if sighted is None:
        yield "new"
        yield f"new {shapes}"
        return
    entity = sighted.entity
    kept = "kept" if sighted.kept else "seen"
    yield kept
    yield f"type {entity.type}"
    yield f"{kept} {entity.type}"
    for how in sighted.found:
        yield f"found {how}"
        yield f"found {how} {entity.type} {kept}"
    if used[entity.name]:
        yield "has facts"
        yield f"has facts {entity.type}"
    if needed[entity.name]:
        yield "has needs"


_WORD = re.compile(r"\w[\w.+#'-]*\w|\w")
_AFTER_ARTICLE = re.compile(r"\b(the|an?|our|my|your|this|that|any|every|no) (\w[\w-]*)")


@dataclass(frozen=True, slots=True)
class _Counts:
    """How often each word is said in the talk, and how often behind which article."""

    words: Counter[str]
    behind: Counter[tuple[str, str]]

    @classmethod
    def of(cls, talk: Talk) -> "_Counts":
        words: Counter[str] = Counter()
        behind: Counter[tuple[str, str]] = Counter()
        for message in talk.messages:
            lower = message.text[:MAX_READ_CHARS].lower()
            words.update(_WORD.findall(lower))
            behind.update(_AFTER_ARTICLE.findall(lower))
        return cls(words, behind)


def _talk_features(candidate: Candidate, canonical: str, known: Collection[str], counts: _Counts) -> Iterator[str]:
    if canonical in known:
        yield "known"
        yield f"known {bool(candidate.sighted)}"
    if " " in candidate.name:
        return
    word = candidate.name.lower()
    shape = _shape(candidate.name)
    said = min(counts.words[word], 4)
    rare = "rare" if candidate.rare else "met"
    yield f"said {said} {shape} {rare}"
    for article in ("the", "a", "an", "our", "my", "this", "no", "any"):
        if behind := counts.behind[article, word]:
            yield f"said behind {article} {shape}"
            if behind == counts.words[word]:
                yield f"said always behind {article} {shape}"
    if not any(counts.behind[article, word] for article in ("the", "a", "an", "our", "my", "this", "no", "any")):
        yield f"said {said} without article {shape} {rare}"


def _type(candidate: Candidate, features: Sequence[str], needed: Mapping[str, int], scoring: Scoring) -> EntityType:
    """What a candidate names: as the rules have it where they know, or have linked it; else as the scorer does."""
    sighted = candidate.sighted
    guess = sighted.entity.type if sighted else EntityType.UNKNOWN
    if sighted is not None:
        guessed = _GUESSED.issuperset(sighted.found) and guess in _GUESSES
        if not guessed or (needed[sighted.entity.name] and guess is not EntityType.UNKNOWN):
            return guess
    kind, _ = scoring.judge("entity-types", candidate, features)
    return EntityType(kind or guess)


def _type_features(candidate: Candidate, talk: Talk, software: int) -> Iterator[str]:
    """What tells a tool from a person, beside what tells a name: the letters of the name, how it is spoken of, and how
    much software the talk is about."""
    name = candidate.name.lower()
    shape = _shape(candidate.name.split()[-1])
    yield f"starts {name[:3]}"
    yield f"ends {name[-2:]}"
    yield f"ends {name[-4:]}"
    yield f"software {software}"
    yield f"software {software} {shape}"
    for message, _, end in candidate.spans:
        spoken = _SPOKEN_OF.search(talk.messages[message].text, end, end + _NEAR_CHARS)
        word = spoken[0].lower() if spoken else "none"
        yield f"then {word}"
        if spoken:
            yield f"then {word} {min((spoken.start() - end) // 20, 3)}"


_SPOKEN_OF = re.compile(r"(?i)\b(?:he|she|his|hers?|him|its?|they|theirs?|them|whom?|which)\b")
_NEAR_CHARS = 160


def _entity(candidate: Candidate, kind: EntityType) -> ExtractedEntity:
    if candidate.sighted is not None:
        return candidate.sighted.entity.model_copy(update={"type": kind})
    spans = tuple(SourceSpan(message=message, start=start, end=end) for message, start, end in candidate.spans)
    return ExtractedEntity(name=candidate.name, type=kind, mentions=spans)


def _without_strangers(found: Extraction) -> Extraction:
    """What was found, without facts and dependencies of what is no entity, and statements that then say nothing."""
    names = {canonical_name(one.name) for one in found.entities}
    attributes = [one for one in found.attributes if canonical_name(one.entity) in names]
    dependencies = [
        one for one in found.dependencies if {canonical_name(one.source), canonical_name(one.target)} <= names
    ]
    before = {one.statement for one in found.attributes} | {one.statement for one in found.dependencies}
    after = {one.statement for one in attributes} | {one.statement for one in dependencies}
    used = [index for index in range(len(found.statements)) if index in after or index not in before]
    places = {old: new for new, old in enumerate(used)}
    return found.model_copy(
        update={
            "statements": tuple(found.statements[old] for old in used),
            "attributes": tuple(one.model_copy(update={"statement": places[one.statement]}) for one in attributes),
            "dependencies": tuple(one.model_copy(update={"statement": places[one.statement]}) for one in dependencies),
        }
    )
