"""Who needs whom: every pair of entities that a sentence brings together, judged by how it does."""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.model.extraction import ExtractedDependency, ExtractedEntity, Extraction, Statement
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.facts import Sentence
from graphmem.rules.frames import CHANGES, VERBS
from graphmem.rules.scoring import Scoring
from graphmem.rules.statements import noise
from graphmem.rules.text import canonical_name

_NEEDING_NOTHING = (EntityType.PERSON, EntityType.PLACE)
_RULED_LEAST = 0.3
"""A dependency that the rules read goes only where the scorer is this sure that it is none."""
_LEAST = 0.4
"""So sure one must be of a dependency that no rule has read."""
_RECENT = 2
_TOPICS = 3
"""So many things talked about before a sentence may need what it names."""
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
    """Two entities of which one may need the other, and what the rules have read of them."""

    source: ExtractedEntity
    target: ExtractedEntity
    ruled: ExtractedDependency | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """One place where the two of a pair come together: a sentence by its index, -1 where the rules alone link them;
    how the source stands in it, and what speaks for the need."""

    pair: Pair
    sentence: int
    meant: bool
    features: Sequence[str]


def settle_dependencies(
    found: Extraction,
    sentences: Sequence[Sentence],
    project: str | None,
    stated: Callable[[Sentence], Statement],
    scoring: Scoring,
) -> Extraction:
    """What was found, with the dependencies between its entities that the scorer keeps, and a statement for each.

    `sentences` are all of the chunk in the order they are said; `stated` makes a statement of one.
    """
    statements = list(found.statements)
    places = {(one.source.message, one.source.start): index for index, one in enumerate(statements)}
    best = _best(_links(found, sentences, project), scoring)
    kept: list[ExtractedDependency] = []
    for (source, target), (share, link) in best.items():
        turned = best.get((target, source), (0.0, link))[0]
        if link.pair.ruled is not None:
            kept += [link.pair.ruled] if share > _RULED_LEAST and turned <= max(share, 0.5) else []
            continue
        if share < _LEAST or turned > share or link.sentence < 0:
            continue
        kind = DependencyType(scoring.judge("dependency-types", link, link.features)[0])
        sentence = sentences[link.sentence]
        place = (sentence.message, sentence.start)
        if place not in places:
            places[place] = len(statements)
            statements.append(stated(sentence))
        kept.append(
            ExtractedDependency(
                source=source,
                target=target,
                type=kind,
                confidence=0.7,
                strength=0.5,
                reason="single-memory",
                statement=places[place],
                valid_from=statements[places[place]].valid_from,
            )
        )
    return found.model_copy(update={"statements": tuple(statements), "dependencies": tuple(kept)})


def _best(links: Iterable[Link], scoring: Scoring) -> dict[tuple[str, str], tuple[float, Link]]:
    """By source and target: where they come together best, and how sure that is a need. Of several things that a
    sentence may mean without naming them, only the likeliest needs what it names."""
    judged = [(scoring.judge("dependencies", link, link.features)[1], link) for link in links]
    meant: dict[tuple[int, str], float] = {}
    for share, link in judged:
        if link.meant:
            place = (link.sentence, link.pair.target.name)
            meant[place] = max(share, meant.get(place, 0.0))
    best: dict[tuple[str, str], tuple[float, Link]] = {}
    for share, link in judged:
        key = (link.pair.source.name, link.pair.target.name)
        if link.meant and share < meant[(link.sentence, link.pair.target.name)]:
            continue
        if key not in best or share > best[key][0]:
            best[key] = (share, link)
    return best


def _settledness(sentence: Sentence) -> Iterator[str]:
    """What speaks against that a sentence says what holds now."""
    words = sentence.words
    yield f"noise {noise(words)}"
    for word in {one.lower() for one in _UNSETTLED.findall(words)}:
        yield f"unsettled {word}"
        yield "unsettled"
    if any(token.tag == "VBD" and token.lemma not in _LEADS_TO_NOW for token in sentence.tokens):
        yield "past"


def _asserts(sentence: Sentence, source: Named, target: Named) -> bool:
    """Whether the clause that names the two says what holds now: no guess, nothing denied, over or still open, and
    they are no more than listed together."""
    words = sentence.tokens
    both = [one for one in (source, target) if one.at >= 0]
    if len(both) > 1 and _in_two_clauses(words, *sorted(one.at for one in both)):
        return False
    first, last = min(one.first for one in both), max(one.at for one in both)
    between = words[min(one.at for one in both) + 1 : max(one.first for one in both)]
    if len(both) > 1 and all(one.text.lower() in _LISTING for one in between):
        return False
    start = max(
        (joint.end() for joint in _JOINT.finditer(sentence.text, sentence.start, words[first].start)), default=-1
    )
    start = max(start, sentence.start)
    joint = _JOINT.search(sentence.text, words[last].end, sentence.end)
    end = joint.start() if joint else sentence.end
    clause = sentence.text[start:end]
    if _UNSETTLED.search(clause) or noise(clause) in _SAYING_NOTHING or sentence.words.rstrip().endswith("?"):
        return False
    if any(token.tag == "VBD" and token.lemma not in _LEADS_TO_NOW for token in words if start <= token.start < end):
        return False
    names = {canonical_name(name) for name in (target.entity.name, *target.entity.aliases)}
    return not any(canonical_name(name) in names for name in _LEFT.findall(sentence.words))


_JOINT = re.compile(r"[;:,—]\s+|\s-\s|\b(?:but|because|so)\s+")
_LISTING = frozenset({"and", "or", ",", "&", "/", "the", "both", "a", "an"})
_SAYING_NOTHING = frozenset({"question", "guess", "condition", "request"})
_UNSETTLED = re.compile(
    r"(?i)\b(?:not|no longer|never|might|may|maybe|could|would|should|will|plan(?:s|ned|ning)?|used|was|were|if|unless|"
    r"instead|dropped|until|staging|candidates?|wants?|hopes?|tr(?:y|ies)|considers?)\b|n['’]t\b|['’]ll\b|\?\s*$"
)
_LEADS_TO_NOW = CHANGES | {"decide", "choose", "pick", "settle", "go", "take", "add"}
"""What was done and still holds."""
_LEFT = re.compile(r"\bfrom (?:the |our )?([\w.-]+)(?= (?:to|over)\b)")


def _links(found: Extraction, sentences: Sequence[Sentence], project: str | None) -> Iterable[Link]:
    entities = {canonical_name(one.name): one for one in found.entities}
    ruled = {(one.source, one.target): one for one in found.dependencies}
    told = {(one.source.message, one.source.start) for one in found.statements}
    served = {
        (found.statements[one.statement].source.message, found.statements[one.statement].source.start, one.target)
        for one in found.dependencies
    }
    about = _about(found, entities)
    own = entities.get(canonical_name(project)) if project else None
    pairs: dict[tuple[str, str], Pair] = {}
    for key, rule in ruled.items():
        pairs[key] = Pair(entities[canonical_name(key[0])], entities[canonical_name(key[1])], rule)
    places: set[tuple[str, str]] = set()
    spans = _spans(found.entities)
    recent: list[ExtractedEntity] = []
    for index, sentence in enumerate(sentences):
        named = _named(sentence, entities, spans.get(sentence.message, ()))
        place = (sentence.message, sentence.start)
        if sentence.tokens and 0 < len(named) <= _MAX_NAMED:
            meant = [Named(one, -1, -1, f"topic{rank}") for rank, one in enumerate(recent)]
            if own is not None and all(one.entity is not own for one in (*named, *meant)):
                meant.append(Named(own, -1, -1, "project"))
            here = {one.entity.name for one in named}
            ground = _About(sentence, named, place in told, about.get(place, ()), own)
            for source in (*named, *(one for one in meant if one.entity.name not in here)):
                for target in named:
                    if source.entity is target.entity or source.entity.type in _NEEDING_NOTHING:
                        continue
                    key = (source.entity.name, target.entity.name)
                    if key not in ruled and (
                        (*place, target.entity.name) in served or not _asserts(sentence, source, target)
                    ):
                        continue
                    pair = pairs.setdefault(key, Pair(source.entity, target.entity))
                    features = dict.fromkeys(_features(ground, source, target, pair.ruled))
                    features.update(dict.fromkeys(_settledness(sentence)))
                    features.update(dict.fromkeys(_rulings(pair, ruled)))
                    places.add(key)
                    yield Link(pair, index, source.at < 0, tuple(features))
        things = [one.entity for one in named if _coarse(one) in ("thing", "name", "tool")]
        things.sort(key=lambda one: one.type is EntityType.TOOL)
        if things:
            recent = list({id(one): one for one in (*things[:_RECENT], *recent)}.values())[:_TOPICS]
    for key, pair in pairs.items():
        if pair.ruled is not None and key not in places:
            yield Link(pair, -1, False, tuple(_rulings(pair, ruled)))


def _rulings(pair: Pair, ruled: Container[tuple[str, str]]) -> Iterator[str]:
    """What the rules made of the pair, and of the two the other way round."""
    if pair.ruled is not None:
        yield "ruled"
        yield f"ruled {pair.ruled.type}"
    elif (pair.target.name, pair.source.name) in ruled:
        yield "ruled the other way"


def _about(found: Extraction, entities: dict[str, ExtractedEntity]) -> dict[tuple[int, int], set[str]]:
    """Whom what is kept of each sentence is about."""
    about: dict[tuple[int, int], set[str]] = {}
    for one in found.attributes:
        source = found.statements[one.statement].source
        entity = entities.get(canonical_name(one.entity))
        if entity is not None:
            about.setdefault((source.message, source.start), set()).add(entity.name)
    return about


def _in_two_clauses(words: Sequence[Token], first: int, last: int) -> bool:
    """Whether a new subject stands between: "A depends on B, and the decision relies on C"."""
    return any(
        words[at].text == "," and words[at + 1].text.lower() in ("and", "but", "while") and words[at + 2].tag == "DT"
        for at in range(first, last - 2)
    )


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
    subjects: Collection[str]
    own: ExtractedEntity | None

    @property
    def tokens(self) -> Sequence[Token]:
        return self.sentence.tokens


_MEANT = frozenset({"speaker", "topic0", "topic1", "topic2", "project", "pronoun", "poss"})
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
    if about.subjects:
        is_about = source.entity.name in about.subjects
        said_of = "source" if is_about else "target" if target.entity.name in about.subjects else "other"
        yield f"said of {said_of}"
        yield f"said of {said_of} {source.how if source.at < 0 else 'named'} {coarse}"
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
