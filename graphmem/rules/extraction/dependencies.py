"""Who needs whom: every pair of entities that a sentence brings together, judged by how it does."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.claims import Claim
from graphmem.model.extraction import ExtractedDependency, ExtractedEntity, Extraction, SourceSpan, Statement
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.extraction.asserted import standing
from graphmem.rules.extraction.certainty import PLAIN, Certainty, certainty_of, edge_confidence
from graphmem.rules.extraction.echoes import Echoes
from graphmem.rules.extraction.scoring import Scoring
from graphmem.rules.language.text import canonical_name
from graphmem.rules.reading.facts import Sentence
from graphmem.rules.reading.frames import CHANGES, VERBS
from graphmem.rules.reading.statements import noise

_NEEDING_NOTHING = (EntityType.PERSON, EntityType.PLACE)
_RULED_LEAST = 0.2
"""A dependency that the rules read goes only where the scorer is this sure that it is none."""
_RECENT = 2
_BETWEEN = 6
_PATH = 5
_MAX_NAMED = 10
"""A sentence that names more is a list of things, not of pairs."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity where a sentence names it; `at` is the index in the sentence of the last of its words, -1 where it
    is only meant."""

    entity: ExtractedEntity
    at: int
    first: int
    how: str


@dataclass(slots=True)
class Pair:
    """Two entities of which one may need the other: what speaks for it, and where it is said best."""

    source: ExtractedEntity
    target: ExtractedEntity
    ruled: ExtractedDependency | None = None
    features: dict[str, None] = field(default_factory=dict)
    said: list[tuple[int, int]] = field(default_factory=list)
    """How close the two stand in a sentence, and which one."""


def settle_dependencies(
    found: Extraction,
    sentences: Sequence[Sentence],
    claimed: Mapping[tuple[int, int], Sequence[Claim]],
    project: str | None,
    stated: Callable[[Sentence], Statement],
    scoring: Scoring,
) -> Extraction:
    """What was found, with the dependencies between its entities that the scorer keeps, and a statement for each.

    `sentences` are all of the chunk in the order they are said; `stated` makes a statement of one. `claimed`: what each
    claims, by its message and where it begins there.
    """
    statements = list(found.statements)
    places = {(one.source.message, one.source.start): index for index, one in enumerate(statements)}
    linked = {frozenset((one.source, one.target)) for one in found.dependencies}
    served = {(found.statements[one.statement].source, one.target) for one in found.dependencies}
    kept: list[ExtractedDependency] = []
    likely: list[tuple[float, Pair]] = []
    for pair in _pairs(found, sentences, project):
        verdict, share = scoring.judge("dependencies", pair, tuple(pair.features))
        if pair.ruled is not None:
            sure = _sure_of(found, pair.ruled.statement, pair, share)
            kept += [pair.ruled.model_copy(update=sure)] if verdict or share > _RULED_LEAST else []
        elif verdict:
            likely.append((share, pair))
    for share, pair in sorted(likely, key=lambda one: -one[0]):
        ends = frozenset((pair.source.name, pair.target.name))
        if ends in linked:
            continue  # of two that may need each other the likelier one does
        features = tuple(pair.features)
        kind = DependencyType(scoring.judge("dependency-types", pair, features)[0])
        said = (sentences[at] for _, at in sorted(pair.said))
        sentence = next((one for one in said if _asserts(one, pair, served) and _claims(one, pair, claimed)), None)
        if sentence is None:
            continue
        linked.add(ends)
        place = (sentence.message, sentence.start)
        if place not in places:
            places[place] = len(statements)
            statements.append(stated(sentence))
        edge = ExtractedDependency(
            source=pair.source.name,
            target=pair.target.name,
            type=kind,
            confidence=PLAIN,
            strength=0.5,
            reason="single-memory",
            statement=places[place],
            valid_from=statements[places[place]].valid_from,
        )
        kept.append(edge.model_copy(update=_sure_of(found, edge.statement, pair, share, sentence.words)))
    return found.model_copy(update={"statements": tuple(statements), "dependencies": tuple(kept)})


def _sure_of(found: Extraction, statement: int, pair: Pair, clarity: float, words: str = "") -> dict[str, float | str]:
    """The confidence of a dependency, and what it rests on: how clear the words are, and how sure the fact is that
    states it; `words` are those of its sentence where no fact does."""
    ends = {pair.source.name, pair.target.name}
    told = [one for one in found.attributes if one.statement == statement and one.entity in ends]
    certainty = Certainty(told[0].confidence / PLAIN, told[0].basis) if told else certainty_of(words, (), "user")
    read = "read by a rule" if pair.ruled else "judged by its words"
    why = "; ".join(filter(None, (f"{read}, clarity {clarity:.2f}", certainty.why)))
    return {"confidence": edge_confidence(clarity, certainty), "basis": why}


def _asserts(sentence: Sentence, pair: Pair, served: Collection[tuple[SourceSpan, str]]) -> bool:
    """Whether a sentence says what holds now: no guess, nothing denied, over or still open; and the rules have not read
    there who needs it."""
    source = SourceSpan(message=sentence.message, start=sentence.start, end=sentence.end)
    if (source, pair.target.name) in served or _UNSETTLED.search(sentence.words) or noise(sentence.words):
        return False
    if any(token.tag == "VBD" and token.lemma not in _LEADS_TO_NOW for token in sentence.tokens):
        return False
    left = _LEFT.findall(sentence.words)
    names = {canonical_name(name) for name in (pair.target.name, *pair.target.aliases)}
    return not any(canonical_name(name) in names for name in left)


def _claims(sentence: Sentence, pair: Pair, claimed: Mapping[tuple[int, int], Sequence[Claim]]) -> bool:
    claims = claimed.get((sentence.message, sentence.start), ())
    return standing([pair.target.name], [pair.source.name], claims) == "stated"


_UNSETTLED = re.compile(
    r"(?i)\b(?:not|never|no longer|might|maybe|could|would|will|plan(?:s|ned|ning)?|used to|was|were|instead|dropped|"
    r"staging|candidates?|wants?|hopes?|tr(?:y|ies)|considers?|(?:do|does|did|is|are)n['’]t)\b|['’]ll\b|\?\s*$"
)
_LEADS_TO_NOW = CHANGES | {"decide", "choose", "pick", "settle", "go", "take", "add"}
"""What was done and still holds."""
_LEFT = re.compile(r"\bfrom (?:the |our )?([\w.-]+)(?= (?:to|over)\b)")


def _pairs(found: Extraction, sentences: Sequence[Sentence], project: str | None) -> Iterable[Pair]:
    entities = {canonical_name(one.name): one for one in found.entities}
    ruled = {(one.source, one.target): one for one in found.dependencies}
    told = {(one.source.message, one.source.start) for one in found.statements}
    own = entities.get(canonical_name(project)) if project else None
    pairs: dict[tuple[str, str], Pair] = {}
    for key, rule in ruled.items():
        needing, needed = (entities[canonical_name(name)] for name in key)
        pairs[key] = Pair(needing, needed, rule, {f"ruled {rule.type}": None, "ruled": None})
    spans = _spans(found.entities)
    subjects = _subjects(found)
    echoes = Echoes((one.name, (one.name, *one.aliases)) for one in found.entities)
    recent: list[ExtractedEntity] = []
    for index, sentence in enumerate(sentences):
        named = _named(sentence, entities, spans.get(sentence.message, ()))
        named = sorted([*named, *_echoed(sentence, named, entities, echoes)], key=lambda one: one.at)
        if sentence.tokens and 0 < len(named) <= _MAX_NAMED:
            here = {one.entity.name for one in named}
            meant = {
                entities[canonical_name(name)].name: Named(entities[canonical_name(name)], -1, -1, "about")
                for place, name in subjects.get(sentence.message, ())
                if sentence.start <= place < sentence.end and canonical_name(name) in entities
            }
            for place, one in enumerate(recent):
                meant.setdefault(one.name, Named(one, -1, -1, f"topic{place}"))
            if own is not None:
                meant.setdefault(own.name, Named(own, -1, -1, "project"))
            unnamed = [one for name, one in meant.items() if name not in here]
            about = _About(sentence, named, (sentence.message, sentence.start) in told)
            for source in (*named, *unnamed):
                for target in named:
                    if source.entity is target.entity or source.entity.type in _NEEDING_NOTHING:
                        continue
                    places = sorted((source.at, target.at))
                    if source.at >= 0 and (_in_two_clauses(sentence.tokens, *places) or _are_listed(sentence, *places)):
                        continue
                    key = (source.entity.name, target.entity.name)
                    pair = pairs.setdefault(key, Pair(source.entity, target.entity))
                    pair.features.update(dict.fromkeys(_features(about, source, target, pair.ruled)))
                    pair.said.append((abs(target.at - source.at) if source.at >= 0 else 100, index))
        things = [one.entity for one in named if _coarse(one) in ("thing", "name", "tool")]
        things.sort(key=lambda one: one.type is EntityType.TOOL)
        if things:
            recent = list({id(one): one for one in (*things[:_RECENT], *recent)}.values())[:_RECENT]
    return pairs.values()


def _in_two_clauses(words: Sequence[Token], first: int, last: int) -> bool:
    """Whether a new subject stands between: "A depends on B, and the decision relies on C"."""
    return any(
        words[at].text == "," and words[at + 1].text.lower() in ("and", "but", "while") and words[at + 2].tag == "DT"
        for at in range(first, last - 2)
    )


def _are_listed(sentence: Sentence, first: int, last: int) -> bool:
    """Whether the two stand in one list: "mail-worker and sms-worker write to event-store"."""
    word, head = sentence.tokens[last], sentence.tokens[first]
    while word is not head and word.dep == "conj" and (above := sentence.at(word.head)) is not None:
        word = above
    return word is head


def _echoed(
    sentence: Sentence, named: Sequence[Named], entities: dict[str, ExtractedEntity], echoes: Echoes
) -> Iterator[Named]:
    """What the nouns of a sentence mean that are the end of one name alone."""
    met = {one.entity.name for one in named}
    for at, token in enumerate(sentence.tokens):
        heard = echoes.headed(token)
        if len(heard) != 1 or heard[0] in met or any(one.first <= at <= one.at for one in named):
            continue
        met.add(heard[0])
        yield Named(entities[canonical_name(heard[0])], at, at, "echo")


def _subjects(found: Extraction) -> dict[int, list[tuple[int, str]]]:
    """What is said of whom, by message: where it begins, and the entity."""
    subjects: dict[int, list[tuple[int, str]]] = {}
    for one in found.attributes:
        source = found.statements[one.statement].source
        subjects.setdefault(source.message, []).append((source.start, one.entity))
    return subjects


def _spans(entities: Iterable[ExtractedEntity]) -> dict[int, list[tuple[int, int, ExtractedEntity]]]:
    spans: dict[int, list[tuple[int, int, ExtractedEntity]]] = {}
    for entity in entities:
        for span in entity.mentions:
            spans.setdefault(span.message, []).append((span.start, span.end, entity))
    return spans


def _named(
    sentence: Sentence,
    entities: dict[str, ExtractedEntity],
    spans: Sequence[tuple[int, int, ExtractedEntity]],
) -> list[Named]:
    """The entities of a sentence in the order it names them; a longer name goes before one inside it."""
    ends = {token.end: at for at, token in enumerate(sentence.tokens)}
    starts = {token.start: at for at, token in enumerate(sentence.tokens)}
    places: list[tuple[int, int, ExtractedEntity, str]] = []
    for mention in sentence.mentions:
        entity = entities.get(canonical_name(mention.name))
        if entity is not None:
            places.append((mention.start, mention.end, entity, "poss" if mention.possessive else mention.found))
    places += [
        (start, end, entity, "new") for start, end, entity in spans if sentence.start <= start and end <= sentence.end
    ]
    named: list[Named] = []
    taken: list[tuple[int, int]] = []
    for start, end, entity, how in sorted(places, key=lambda place: place[0] - place[1]):
        inside = not sentence.tokens or (end in ends and start in starts)
        if inside and not any(start < last and first < end for first, last in taken):
            taken.append((start, end))
            named.append(Named(entity, ends.get(end, 0), starts.get(start, 0), how))
    return sorted(named, key=lambda one: one.at)


@dataclass(frozen=True, slots=True)
class _About:
    sentence: Sentence
    named: Sequence[Named]
    told: bool

    @property
    def tokens(self) -> Sequence[Token]:
        return self.sentence.tokens


_MEANT = frozenset({"about", "echo", "speaker", "topic0", "topic1", "project", "pronoun", "poss"})
_COARSE = {
    EntityType.PERSON: "somebody",
    EntityType.ORGANISATION: "somebody",
    EntityType.PLACE: "place",
    EntityType.TOOL: "tool",
    EntityType.UNKNOWN: "name",
    EntityType.CONCEPT: "concept",
    EntityType.TASK: "concept",
}


def _coarse(named: Named) -> str:
    return _COARSE.get(named.entity.type, "thing")


def _kind(named: Named) -> str:
    return named.how if named.how in _MEANT else str(named.entity.type)


def _features(about: _About, source: Named, target: Named, ruled: ExtractedDependency | None) -> Iterator[str]:
    kinds = f"{_kind(source)}>{_kind(target)}"
    types = f"{source.entity.type}>{target.entity.type}"
    coarse = f"{_coarse(source)}>{_coarse(target)}"
    yield f"coarse {coarse}"
    yield f"coarse {coarse} {about.told} {source.how if source.at < 0 else 'named'}"
    yield f"kinds {kinds}"
    yield f"types {types}"
    yield f"target {target.entity.type}"
    yield f"source {source.entity.type}"
    yield f"how {source.how}"
    yield f"how {target.how}"
    yield f"told {about.told} {bool(ruled)}"
    yield f"named {min(len(about.named), 5)}"
    words = about.tokens
    last = words[-1].text if words else ""
    if last == "?":
        yield "question"
    for word in words:
        lower = word.text.lower()
        if lower in _TELLING:
            yield f"says {lower}"
    if source.at < 0:
        yield from _alone(about, source, target, kinds)
        return
    order = "before" if source.at < target.at else "behind"
    first, second = (source, target) if source.at < target.at else (target, source)
    between = words[first.at + 1 : second.first]
    others = sum(first.at < one.at < second.at for one in about.named)
    yield f"order {order} {types}"
    yield f"others {min(others, 3)} {order}"
    yield f"far {min(len(between) // 3, 4)} {order}"
    said = [word.text.lower() for word in between]
    links = [VERBS[one].lemma for one in said if one in VERBS]
    yield f"links {min(len(links), 2)} {order} {min(others, 2)} {coarse}"
    yield f"links {min(len(links), 2)} {order} {min(others, 2)} {min(len(said) // 2, 4)}"
    yield f"last word {order} {said[-1] if said and said[-1] in _LEADING else 'else'} {coarse}"
    if links:
        yield f"link {links[-1]} {order} {min(others, 1)}"
    else:
        yield f"no link {order} {' '.join(said) if len(said) < 3 else 'far'} {coarse}"
    if len(said) <= _BETWEEN:
        yield f"between {order} {' '.join(said)}"
        yield f"bare {order} {' '.join(one for one in said if one not in _SLIGHT)}"
    for word in between:
        lower = word.text.lower()
        if lower in VERBS:
            yield f"verb {order} {VERBS[lower].lemma}"
            yield f"verb {order} {VERBS[lower].lemma} {others == 0} {types}"
        elif word.tag in ("IN", "TO", "RP") or word.tag[:1] == "V":
            yield f"has {order} {word.lemma.lower()}"
            yield f"has {order} {word.lemma.lower()} {others == 0}"
    if said:
        yield f"next to target {order} {said[-1] if order == 'before' else said[0]} {types}"
        yield f"pair of words {order} {said[0]} {said[-1]}"
    path = _path(about, source, target)
    if path:
        up, top, down = path
        yield f"path {'^'.join(up)} {top} {'v'.join(down)}"
        yield f"shape of path {'^'.join(up)} {'v'.join(down)} {order}"
        yield f"top {top} {order}"
        yield f"top {top} {up[-1:]} {down[:1]}"
        yield f"top {top} {order} {types}"


def _alone(about: _About, source: Named, target: Named, kinds: str) -> Iterator[str]:
    words = about.tokens
    near = words[target.first - 1].text.lower() if target.first else "^"
    if near in ("the", "a", "an", "our", "plain") and target.first > 1:
        near = words[target.first - 2].text.lower()
    near = near if near in _LEADING else "else"
    yield f"{source.how} {near} {_coarse(target)}"
    yield f"{source.how} {near}"
    yield f"{source.how} {len(words) // 4 if len(words) < 16 else 4} {_coarse(target)}"
    links = [word for word in words if word.text.lower() in VERBS]
    yield f"{source.how} links {min(len(links), 2)} {_coarse(target)} {about.told}"
    yield f"{source.how} other names {min(len(about.named) - 1, 3)} {_coarse(target)}"
    earlier = any(one.at < target.at and one.entity.type is not EntityType.TOOL for one in about.named)
    yield f"{source.how} earlier {earlier} {_coarse(target)}"
    yield f"alone {kinds} {min(len(about.named), 3)}"
    if target.first == 0:
        yield "alone first"
    before = [word.text.lower() for word in words[max(0, target.first - 3) : target.first]]
    for size in (1, 2, 3):
        if len(before) >= size:
            yield f"alone before {' '.join(before[-size:])}"
    if target.at + 1 < len(words):
        yield f"alone after {words[target.at + 1].text.lower()}"
    chain = _chain(about, target.at)
    for step, (dep, token) in enumerate(chain[:3]):
        yield f"alone up {step} {dep} {token.lemma.lower()}"
    yield f"alone path {' '.join(dep for dep, _ in chain[:3])}"
    root = chain[-1][1] if chain else words[target.at]
    subject = next(
        (word for word in words if word.dep in ("nsubj", "nsubjpass") and about.sentence.at(word.head) is root), None
    )
    told = (
        subject.text.lower()
        if subject is not None and subject.tag in ("PRP", "DT")
        else subject.tag
        if subject
        else "none"
    )
    yield f"alone subject {told}"
    yield f"alone subject {told} {root.lemma.lower()} {kinds}"
    yield f"alone root {root.lemma.lower()}"
    for word in words[: target.first]:
        if word.text.lower() in VERBS:
            yield f"alone verb {VERBS[word.text.lower()].lemma} {kinds}"


def _chain(about: _About, at: int) -> list[tuple[str, Token]]:
    """The words above one, each with how the one below hangs on it."""
    chain: list[tuple[str, Token]] = []
    token = about.tokens[at]
    for _ in range(_PATH):
        head = about.sentence.at(token.head)
        if head is None or head is token:
            break
        chain.append((token.dep, head))
        token = head
    return chain


def _path(about: _About, source: Named, target: Named) -> tuple[list[str], str, list[str]] | None:
    """How two words hang together: up from the source, the word at the top, down to the target."""
    up, down = _chain(about, source.at), _chain(about, target.at)
    above = [about.tokens[source.at], *(token for _, token in up)]
    below = [about.tokens[target.at], *(token for _, token in down)]
    for high, token in enumerate(above):
        for low, other in enumerate(below):
            if token is other:
                return _steps(up[:high]), token.lemma.lower(), _steps(down[:low])[::-1]
    return None


def _steps(chain: Sequence[tuple[str, Token]]) -> list[str]:
    return [f"{dep}:{head.lemma.lower()}" if head.tag in ("IN", "TO") else dep for dep, head in chain]


_LEADING = frozenset(
    {
        "on",
        "in",
        "with",
        "to",
        "from",
        "by",
        "behind",
        "through",
        "via",
        "over",
        "uses",
        "use",
        "of",
        "for",
        "at",
        "into",
        ",",
        "is",
        "and",
        "^",
        ":",
        "'s",
        "it",
        "as",
        "than",
        "against",
        "without",
    }
)
_SLIGHT = frozenset(
    {
        "the",
        "a",
        "an",
        "our",
        "also",
        "now",
        "still",
        "only",
        "just",
        "new",
        "own",
        "currently",
        "already",
        "directly",
        "both",
    }
)
_TELLING = frozenset(
    {
        "not",
        "n't",
        "never",
        "no",
        "must",
        "should",
        "could",
        "would",
        "may",
        "might",
        "can",
        "will",
        "if",
        "was",
        "were",
        "used",
        "until",
        "instead",
        "without",
        "maybe",
        "think",
        "moved",
        "dropped",
        "gone",
        "replaced",
        "longer",
        "owns",
        "owner",
    }
)
