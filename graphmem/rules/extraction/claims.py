"""Which clauses of a chunk are kept as lasting facts or as rules, and which entity each is about.

The rules of `facts` and `plain` propose; two trained scorers decide: "claims", whether a clause states what lasts, lays
down a rule or neither, and "subjects", whom it is about. What no rule has read is kept in its own words.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import pairwise

from graphmem.model.claims import Claim, ClaimValue, Held
from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    SourceSpan,
    Statement,
)
from graphmem.model.knowledge import AttributeKind, EntityType, MemoryType
from graphmem.model.parsed import Token
from graphmem.rules.claims import equal, given, tells_value
from graphmem.rules.extraction.certainty import PLAIN, certainty_of, fact_confidence
from graphmem.rules.extraction.echoes import Echoes
from graphmem.rules.extraction.scoring import Scoring
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import canonical_name, words
from graphmem.rules.reading.attribution import is_quoted, reports
from graphmem.rules.reading.facts import Sentence
from graphmem.rules.reading.naming import THINGS
from graphmem.rules.reading.statements import is_advice, is_constraint, is_decision, kind_of, noise

IMPORTANCE: dict[MemoryType, float] = {
    "constraint": 0.9,
    "decision": 0.8,
    "preference": 0.6,
    "fact": 0.6,
    "event": 0.5,
}
_ALSO = 0.6
"""So sure one must be that a clause is about a second entity too."""
_SURELY = 0.9
_AT_ALL = 0.1
"""So sure one must be whom a clause is about, else it is not kept."""
_UNHEARD = 0.75
"""So sure one must be of a clause among others in none of which the rules hear anything: most of that is small talk."""
_NOTHING = 0.97
"""So sure one may be that a clause tells nothing lasting, and it is kept for a value that it states."""
_UNSURE = frozenset({"stated", "event", "decided", "rule"})
"""Readings that ask a scorer; the others are templates."""
_NEVER = frozenset({"question", "guess", "condition", "request", "short"})
"""What states nothing, whatever its words are."""
_FARTHEST = 12
"""So many entities named before a clause may be what it is about."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_PRONOUNS = frozenset({"it", "they", "that", "this", "he", "she", "we", "i", "you", "those", "these", "who", "which"})
_HELPERS = frozenset({"aux", "auxpass", "neg", "cop"})
_OBJECTS = frozenset({"dobj", "attr", "acomp", "oprd", "prep", "prt", "xcomp", "ccomp", "advmod", "agent"})
_WORD = re.compile(r"\w")
_PASSES = re.compile(
    r"(?i)\b(?:is|are|am|'s|'m|'re) (?:still )?on (?:the|a|my|his|her) "
    r"(?:train|bus|way|phone|plane|road|\d[\d:.]*)\b|\blater$"
)
_BE_YOU = re.compile(r"(?i)^you(?:['’]re| are)\b")
_YOUR = re.compile(r"(?i)^your\b")
_YOU = re.compile(r"(?i)\byou(?:rs?)?\b")
_MOST = 0.6
"""So much of what an assistant says must have been told for it to be no more than that."""
_SHORTLY = 3
"""So many messages later something may be acknowledged."""
_MUST = re.compile(r"(?i)\bmust\b")


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that the rules read: about whom, in which words, of which kind, by which of them. `names_only`: it says
    who somebody is, beside what its clause tells ("my brother Ivo moved to Split"). `span`: where in the message its
    words are, None where they are those of the whole clause, and `worded` where in those of the sentence. `claims`: the
    ones in them, None where it has all of the clause."""

    entity: str
    content: str
    kind: AttributeKind
    relation: str
    names_only: bool = False
    span: tuple[int, int] | None = None
    claims: tuple[Claim, ...] | None = None
    worded: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Saying:
    """One clause [start, end) of a sentence, as the rules read it.

    `content` is the clause made absolute and `whole` its sentence; `joint` joins it to the clause before. `quiet`: the
    rules hear nothing in it; `announced`: what stands before it announces a rule. `person` is who says it, '' where
    nobody is named. `asked`: the message before ends with a question. `held`: when what its claims say holds. `hedged`:
    the clauses before, whose doubt goes on in this one. `heard`: the words that an assistant was told last. `parts` are
    the predicates of the clause, each as a saying of its own and, where there are several, `partial`. `worded` is where
    in `whole` it is.
    """

    sentence: Sentence
    start: int
    end: int
    joint: str
    content: str
    whole: str
    told: tuple[Told, ...]
    quiet: bool
    announced: bool
    person: str
    role: str
    asked: bool
    held: Held = field(default_factory=Held)
    hedged: str = ""
    claims: tuple[Claim, ...] = ()
    heard: frozenset[str] = frozenset()
    parts: tuple["Saying", ...] = ()
    partial: bool = False
    worded: tuple[int, int] | None = None

    @property
    def words(self) -> str:
        return self.sentence.text[self.start : self.end]

    def told_of(self, name: str, kind: AttributeKind) -> list[Told]:
        """The facts of this kind that the rules read about an entity."""
        return [one for one in self.told if one.kind == kind and canonical_name(one.entity) == canonical_name(name)]


@dataclass(frozen=True, slots=True)
class Subject:
    """An entity that a clause may be about."""

    saying: Saying
    entity: str


def settle_facts(
    found: Extraction,
    read: Extraction,
    sayings: Sequence[Saying],
    project: str | None,
    sighted: Sequence[ExtractedEntity],
    scoring: Scoring,
) -> Extraction:
    """What was found, with the facts and rules that the scorers keep, each about the entity that they choose.

    `read` is what the rules alone have read. Who speaks, and the project, is among the entities where something is said
    of it; `sighted` has where it is named. What a template has read is kept as it is: it is right nearly always.
    """
    settled = _Settled(found, read)
    ground = _Ground(found.entities, project)
    ground.alone = len({saying.sentence.message for saying in sayings}) == 1
    heard = any(saying.told for saying in sayings)
    for saying in sayings:
        view = _View(saying, ground)
        judged, share = scoring.judge("claims", saying, tuple(_claim_features(view)))
        if not heard and share < _UNHEARD:
            judged = ""
        sure = [name for told in saying.told if told.relation not in _UNSURE and (name := ground.name_of(told.entity))]
        sure = [] if _is_quoted(saying) else sure
        kind: AttributeKind = "constraint" if judged == "constraint" and not sure else "attribute"
        chosen = _chosen(view, kind, scoring, bool(sure)) if judged and not _is_none(saying, kind) else []
        chosen = list(dict.fromkeys([*sure, *chosen]))
        again = [claim for claim in saying.claims if _says_again(claim, saying)]
        if saying.heard and not sure and (settled.confirm(saying, again) or (not chosen and settled.repeat(saying))):
            ground.pass_by(view)
            continue
        if again and not chosen and kind == "attribute" and not _is_none(saying, kind):
            chosen = [view.holder(_addressed(saying) or ground.listener)]
        if not chosen and kind == "attribute" and (judged or share < _NOTHING) and _claims_something(saying):
            chosen = [view.holder(saying.person or _addressed(saying))]
            if not saying.person:
                saying = replace(saying, content=in_third_person(saying.content, chosen[0]), told=(), parts=())
                chosen = chosen if saying.content else []
        settled.keep(saying, kind, chosen)
        for part in saying.parts if sure else ():
            if _says_more(part) or (part.partial and not part.told and not _is_none(part, "attribute")):
                whom = _chosen(view, "attribute", scoring, told=False)[:1] or sure[:1]
                settled.keep(replace(part, told=(), parts=()), "attribute", whom)
        if saying.person:
            ground.listener = saying.person
        if chosen:
            ground.last, ground.last_message = chosen[:1], saying.sentence.message
        ground.pass_by(view)
    return _with_unnamed(settled.finish(), ground, sighted)


def _with_unnamed(found: Extraction, ground: "_Ground", sighted: Sequence[ExtractedEntity]) -> Extraction:
    """What was found, with entities that nobody had to name for something to be said of them; none where nothing
    is said."""
    known = {entity.name for entity in found.entities}
    seen = {canonical_name(entity.name): entity for entity in sighted}
    unnamed = dict.fromkeys(one.entity for one in found.attributes if one.entity not in known)
    added = [
        seen.get(canonical_name(name)) or ExtractedEntity(name=name, type=ground.types[name], mentions=())
        for name in unnamed
    ]
    kept = (*found.entities, *added) if found.statements else ()
    return found.model_copy(update={"entities": kept})


def _is_quoted(saying: Saying) -> bool:
    return is_quoted(saying.sentence.text, saying.sentence.start, saying.start, saying.end)


def _is_none(saying: Saying, kind: AttributeKind) -> bool:
    """Whether a clause is none that is kept, whatever a scorer says: a question, a guess, what passes, a rule that is
    only advice or whose "must" lays nothing down."""
    if _is_quoted(saying):
        return True
    if noise(saying.words) in _NEVER or _PASSES.search(saying.words.rstrip(" .!")):
        return True
    ruled = bool(_MUST.search(saying.words)) and not is_constraint(saying.words)
    return kind == "constraint" and (ruled or is_advice(saying.sentence.words))


def _claims_something(saying: Saying) -> bool:
    """Whether somebody states a value of something in it, or that one holds no more; an assistant, of whom it talks
    to."""
    if saying.role not in ("user", "assistant") or _is_none(saying, "attribute"):
        return False
    told = [claim for claim in saying.claims if tells_value(claim)]
    return any(saying.person or claim.speaker for claim in told)


def _says_more(saying: Saying) -> bool:
    """Whether a clause that says who somebody is gives amounts of them too: "my dog Rex weighs 12 kg"."""
    if not all(told.relation == "kin" for told in saying.told) or _is_none(saying, "attribute"):
        return False
    return any(value.kind == "amount" for claim in saying.claims if tells_value(claim) for value in given(claim))


def _says_again(claim: Claim, saying: Saying) -> bool:
    """Whether an assistant only says again what it was told: the value is one that the user gave."""
    if not saying.heard or not tells_value(claim):
        return False
    return all(set(words(value.words)) <= saying.heard for value in given(claim))


def _narrowed(claim: Claim, values: Sequence[ClaimValue]) -> Claim:
    """A claim that says again what a fact says, without the values that the fact does not give."""
    told = given(claim)
    kept = (one for one in claim.values if one not in told or any(equal(one, value) for value in values))
    return claim.model_copy(update={"values": tuple(kept)})


def _addressed(saying: Saying) -> str:
    """Whom an assistant tells something of themselves."""
    return next((claim.speaker for claim in saying.claims if claim.speaker), "")


def in_third_person(content: str, name: str) -> str:
    """What an assistant says to somebody, said of them; '' where it does not begin with them.

    >>> in_third_person("You're on the Solo plan", "Piotr"), in_third_person("Your plan ends today", "Piotr")
    ('Piotr is on the Solo plan', "Piotr's plan ends today")
    """
    said, count = _BE_YOU.subn(f"{name} is", content, count=1)
    if not count:
        said, count = _YOUR.subn(f"{name}'s", content, count=1)
    return said if count and not _YOU.search(said) else ""


def _chosen(view: "_View", kind: AttributeKind, scoring: Scoring, told: bool) -> list[str]:
    """Whom a clause is about: the likeliest, and a second one if likely; where templates have `told` of
    somebody, only who is it surely."""
    if kind == "constraint" and view.saying.announced and (announced := _announced_for(view)):
        return [announced]
    judged = []
    said_by = _reporters(view) if kind == "constraint" else ()
    for place, (name, where) in enumerate(view.candidates()):
        if name in said_by:
            continue
        features = tuple(_subject_features(view, name, where, kind))
        _, share = scoring.judge("subjects", Subject(view.saying, name), features)
        judged.append((-share, place, name))
    judged.sort()
    most = 1 if any(one.kind == "constraint" for one in view.saying.told) else 2
    least = (_SURELY, _SURELY) if told else (_AT_ALL, _ALSO)
    return [name for (share, _, name), enough in zip(judged[:most], least, strict=False) if -share > enough]


def _announced_for(view: "_View") -> str | None:
    """The thing that an announcement names, where the rule behind it names none: "one rule for payments-api: …"."""
    if any(view.kind(one.name) == "thing" for one in view.inside):
        return None
    before = [one for one in view.around if one.start < view.saying.start and one.how == "name"]
    led = [one.name for one in before if view.kind(one.name) == "thing"]
    return led[-1] if led else None


def _reporters(view: "_View") -> Collection[str]:
    """Who is named only as the one who says so: "Doc says the pen has to be swapped" lays nothing on the doctor."""
    text, end = view.saying.sentence.text, view.saying.end
    return {one.name for one in view.inside if one.how == "name" and reports(text, one.end, end)}


@dataclass(frozen=True, slots=True)
class _Named:
    """Where an entity is named: in a clause as a word of some role, or by a pronoun."""

    start: int
    end: int
    name: str
    how: str


class _Ground:
    """What is known when a clause is read: the entities, where they are named, and what was talked about last."""

    def __init__(self, entities: Sequence[ExtractedEntity], project: str | None) -> None:
        self.project = project
        self.types: dict[str, EntityType] = {entity.name: entity.type for entity in entities}
        self._names: dict[str, str] = {}
        self.echoes = Echoes((entity.name, (entity.name, *entity.aliases)) for entity in entities)
        for entity in entities:
            for form in (entity.name, *entity.aliases):
                self._names.setdefault(canonical_name(form), entity.name)
        if project:
            self.types.setdefault(self.name_of(project) or project, EntityType.PROJECT)
            self._names.setdefault(canonical_name(project), project)
        self._forms = [form for entity in entities for form in (entity.name, *entity.aliases) if len(form) > 2]
        self._named: dict[int, list[_Named]] = {}
        for entity in entities:
            for span in entity.mentions:
                self._named.setdefault(span.message, []).append(_Named(span.start, span.end, entity.name, "name"))
        self.alone = False
        """Whether all is said in one message: then nobody opens a talk with it."""
        self.counts: Counter[str] = Counter()
        self.recent: list[str] = []
        self.last: list[str] = []
        self.last_message = -1
        self.listener = "user"
        """Who spoke last, and whom an assistant answers."""
        self.topic = ""
        """What was the subject of the clause before that had a named one."""

    @cached_property
    def _spelled(self) -> re.Pattern[str] | None:
        spelled = "|".join(re.escape(form) for form in sorted(self._forms, key=len, reverse=True))
        return re.compile(rf"(?i)(?<!\w)(?:{spelled})(?!\w)") if spelled else None

    def name_of(self, name: str) -> str | None:
        return self._names.get(canonical_name(name))

    def named(self, sentence: Sentence) -> list[_Named]:
        """What is named in a sentence, in order; of two names in one place the longer."""
        found = [
            _Named(m.start, m.end, name, _how(m.found, group=m.group, possessive=m.possessive))
            for m in sentence.mentions
            if m.found in ("speaker", "pronoun") and (name := self._spoken(m.name, m.type))
        ]
        taken = {(one.start, one.end) for one in found}
        found += [
            one
            for one in self._named.get(sentence.message, ())
            if sentence.start <= one.start and one.end <= sentence.end and (one.start, one.end) not in taken
        ]
        if not sentence.tokens and self._spelled:  # a question, which the parser passes over, may ask about it
            found += [
                _Named(spelled.start(), spelled.end(), known, "name")
                for spelled in self._spelled.finditer(sentence.text, sentence.start, sentence.end)
                if (known := self.name_of(spelled[0]))
            ]
        found.sort(key=lambda one: (one.start, one.start - one.end))
        kept: list[_Named] = []
        for one in found:
            if not kept or one.start >= kept[-1].end:
                kept.append(one)
        return kept

    def _spoken(self, name: str, kind: EntityType) -> str:
        known = self.name_of(name)
        if known is None:
            self._names[canonical_name(name)] = known = name
            self.types[name] = kind
        return known

    def speaker(self, person: str) -> str:
        return self._spoken(person, EntityType.PERSON)

    def pass_by(self, view: "_View") -> None:
        """Note what a clause names, for those behind it."""
        for one in view.inside:
            if one.name in self.recent:
                self.recent.remove(one.name)
            self.recent.append(one.name)
            self.counts[one.name] += 1
        self.topic = view.subject_name or self.topic


def _how(found: str, *, group: bool, possessive: bool) -> str:
    word = "we" if group else "I" if found == "speaker" else "pronoun"
    return f"{word}'s" if possessive else word


class _View:
    """A clause with what it names, and its grammar."""

    def __init__(self, saying: Saying, ground: _Ground) -> None:
        self.saying, self.ground = saying, ground
        sentence = saying.sentence
        self.around = ground.named(sentence)
        self.inside = [one for one in self.around if saying.start <= one.start and one.end <= saying.end]
        self.tokens = [t for t in sentence.tokens if saying.start <= t.start < saying.end]
        self.root, self.subject = _grammar(self.tokens, sentence)
        self.helpers = [t for t in self.tokens if self.root and t.dep in _HELPERS and sentence.at(t.head) is self.root]
        self.subject_name = next(
            (one.name for one in self.inside if self.subject and one.start <= self.subject.start < one.end), ""
        )
        self.echoes = self._echoes()
        self.most_named = max(self.ground.counts.values(), default=0)
        self.subject_is = self._subject_is()

    def _echoes(self) -> dict[str, str]:
        """Which entities may be meant by a noun that names none, and how."""
        found: dict[str, str] = {}
        for token in self.tokens:
            if self.category(token):
                continue
            role = "subject" if token is self.subject else "other"
            for name in self.ground.echoes.headed(token):
                found.setdefault(name, f"head {role}")
            for name in self.ground.echoes.named_with(token):
                found.setdefault(name, f"word {role}")
        return found

    def holder(self, person: str) -> str:
        """Whom a clause with a value in it is about: its subject where that is an entity, else the person, whose words
        tell of it."""
        return self.subject_name or self.ground.speaker(person)

    def category(self, token: Token) -> str:
        """What a word is where it names an entity, else ''."""
        for one in self.inside:
            if one.start <= token.start < one.end:
                return self.kind(one.name)
        return ""

    def kind(self, name: str) -> str:
        found = self.ground.types.get(name, EntityType.UNKNOWN)
        return "thing" if found in THINGS and found is not EntityType.TOOL else str(found)

    def _subject_is(self) -> str:
        if self.subject is None:
            return "none"
        word = self.subject.text.lower()
        named = self.category(self.subject)
        if word in _PRONOUNS:
            return word
        return named or ("echo" if "head subject" in self.echoes.values() else "noun")

    def candidates(self) -> list[tuple[str, str]]:
        """Whom the clause may be about, and where each stands: in it, around it, before it, or nowhere."""
        found: dict[str, str] = {}
        for one in self.inside:
            found.setdefault(one.name, "in")
        for told in self.saying.told:
            if name := self.ground.name_of(told.entity):
                found.setdefault(name, "told")
        for one in self.around:
            found.setdefault(one.name, "before" if one.start < self.saying.start else "behind")
        for rank, name in enumerate(reversed(self.ground.recent[-_FARTHEST:])):
            found.setdefault(name, f"recent {min(rank, 5)}")
        if self.ground.project:
            found.setdefault(self.ground.name_of(self.ground.project) or self.ground.project, "project")
        if self.saying.person:
            found.setdefault(self.ground.speaker(self.saying.person), "speaker")
        return list(found.items())


def _grammar(tokens: Sequence[Token], sentence: Sentence) -> tuple[Token | None, Token | None]:
    """The verb that a clause hangs on, and its subject."""
    inside = {id(token) for token in tokens}
    root = next((t for t in tokens if t.dep == "ROOT" or id(sentence.at(t.head)) not in inside), None)
    tops = [t for t in tokens if t.dep == "ROOT" or id(sentence.at(t.head)) not in inside]
    root = next((t for t in tops if t.tag[:1] == "V" or t.pos in ("VERB", "AUX")), root)
    subject = next((t for t in tokens if t.dep in _SUBJECTS and sentence.at(t.head) is root), None)
    return root, subject


def _claim_features(view: _View) -> Iterator[str]:
    saying = view.saying
    yield from _rule_features(view)
    yield from _word_features(view)
    words = saying.words
    sentence = saying.sentence
    text = sentence.text
    last = text[sentence.start : sentence.end].rstrip()[-1:]
    mark = last if last in "?!.:" else "…" if last == "…" else "none"
    speaker = saying.role if saying.role != "user" else ("named" if saying.person != "user" else "user")
    yield f"speaker {speaker}"
    yield f"mark {mark}"
    yield f"mark {mark} {speaker}"
    size = min(len(view.tokens) // 4, 6)
    yield f"size {size}"
    yield f"joint {saying.joint.strip()[:4]}"
    yield f"subject {view.subject_is}"
    yield f"subject {view.subject_is} {speaker}"
    kinds = sorted({view.kind(one.name) for one in view.inside if one.how == "name"})
    yield f"names {'+'.join(kinds)}"
    yield f"names {min(len(kinds), 3)} {speaker}"
    for kind in kinds:
        yield f"names {kind}"
    if not kinds and not any(view.kind(one.name) for one in view.around):
        yield "names nothing around"
    for one in view.inside:
        yield f"how {one.how}"
    if sentence.dates:
        yield "dated"
        yield f"dated {view.subject_is}"
    if any(char.isdigit() for char in words):
        yield "digits"
    if saying.asked:
        yield "asked"
        yield f"asked {min(size, 3)}"
    if sentence.message == 0 and not view.ground.alone:
        yield "first message"
    yield "project" if view.ground.project else "no project"


def _rule_features(view: _View) -> Iterator[str]:
    saying = view.saying
    kinds: list[str] = sorted({told.kind for told in saying.told}) or ["nothing"]
    for told in saying.told:
        yield f"told {told.relation.partition(':')[0]}"
        yield f"told {told.kind} {saying.role}"
    yield f"told {'+'.join(kinds)}"
    yield f"told {'+'.join(kinds)} subject {view.subject_is}"
    why = noise(saying.words)
    yield f"noise {why}"
    yield f"noise {why} told {kinds[0]}"
    if saying.quiet:
        yield f"quiet told {kinds[0]}"
    if saying.announced:
        yield "announced"
    if is_constraint(saying.words):
        yield "rule-like"
        yield f"rule-like {view.subject_is}"
    if is_decision(saying.words):
        yield "decision-like"
    if is_advice(saying.sentence.words):
        yield "advice-like"
    yield f"kind {kind_of(saying.words)}"


def _word_features(view: _View) -> Iterator[str]:
    tokens = [t for t in view.tokens if _WORD.search(t.text) or t.text in ("?", "!")]
    masked: list[str] = []
    for token in tokens:
        named = view.category(token)
        word = f"<{named}>" if named else "<n>" if token.text[0].isdigit() else token.lemma.lower()
        if not (named and masked and masked[-1] == word):
            masked.append(word)
        if not named:
            yield f"form {token.text.lower()}"
    for word in masked:
        yield f"word {word}"
    for first, second in pairwise(masked):
        yield f"pair {first} {second}"
    yield f"opens {' '.join(masked[:1])}"
    yield f"opens {' '.join(masked[:2])}"
    yield f"opens {' '.join(masked[:3])}"
    yield f"ends {' '.join(masked[-1:])}"
    root = view.root
    if root is not None:
        lemma = root.lemma.lower()
        yield f"root {root.tag}"
        yield f"root {lemma}"
        yield f"root {lemma} {root.tag}"
        yield f"root {root.tag} {view.subject_is}"
        yield f"root {lemma} {view.subject_is}"
        helpers = " ".join(t.text.lower() for t in view.helpers)
        yield f"helpers {helpers}"
        yield f"helpers {helpers} {view.subject_is}"
        for token in view.tokens:
            if token.dep in _OBJECTS and view.saying.sentence.at(token.head) is root:
                yield f"arc {token.dep} {view.category(token) or token.tag}"
                yield f"arc {lemma} {token.dep} {token.text.lower() if token.dep == 'prep' else ''}"
    if view.subject is not None and not view.category(view.subject):
        yield f"subject word {view.subject.lemma.lower()}"
        yield f"subject tag {view.subject.tag}"


def _subject_features(view: _View, name: str, where: str, kind: AttributeKind) -> Iterator[str]:
    ground, saying = view.ground, view.saying
    what = view.kind(name)
    here = [one for one in view.inside if one.name == name]
    place, how = where, "absent"
    if here:
        place, how = _role(view, here[0]), here[0].how
    told = next((one for one in saying.told if ground.name_of(one.entity) == name), None)
    said = "told" if told else "others told" if saying.told else "none told"
    things = sum(view.kind(one.name) == "thing" for one in {o.name: o for o in view.inside}.values())
    named = len({one.name for one in view.inside})
    subject = view.subject_is
    last = "last" if name in ground.last else "else"
    near = "near" if ground.last_message == saying.sentence.message else "far"
    rank = ground.recent[::-1].index(name) if name in ground.recent else 9
    for one in (
        f"place {place}",
        f"what {what}",
        f"how {how}",
        said,
        f"last {last} {near}",
        f"rank {min(rank, 6)}",
        f"named {min(named, 3)}",
        f"count {min(ground.counts[name], 4)}",
    ):
        yield one
        yield f"{one} {kind}"
        yield f"{one} what {what}"
        yield f"{one} subject {subject}"
        yield f"{one} place {place.split()[0]} {said}"
    if view.echoes:
        echo = view.echoes.get(name, "of another")
        yield f"echo {echo}"
        yield f"echo {echo} what {what}"
        yield f"echo {echo} place {place.split()[0]}"
        yield f"echo {echo} {said}"
        yield f"echo {echo} subject {subject}"
    topic = "topic" if name == ground.topic else "no topic"
    yield topic
    yield f"{topic} subject {subject} place {place.split()[0]}"
    yield f"{topic} what {what}"
    yield f"{topic} {said} place {place.split()[0]}"
    most = "most" if view.most_named and ground.counts[name] == view.most_named else "fewer"
    yield f"{most} place {place.split()[0]}"
    yield f"{most} subject {subject} place {place.split()[0]}"
    if subject in ("noun", "echo") and view.subject is not None:
        noun = view.subject.lemma.lower()
        yield f"noun {noun} what {what} place {place.split()[0]}"
        yield f"noun {noun} what {what}"
        yield f"noun {noun} rank {min(rank, 2)} place {place.split()[0]}"
    yield f"place {place} what {what} subject {subject}"
    yield f"place {place} what {what} {said}"
    yield f"place {place} what {what} named {min(named, 3)}"
    yield f"place {place} things {min(things, 2)} what {what}"
    yield f"place {place.split()[0]} things {min(things, 2)} {kind}"
    yield f"last {last} {near} rank {min(rank, 6)} subject {subject}"
    yield f"last {last} {near} named {min(named, 3)} place {place.split()[0]}"
    yield f"rank {min(rank, 6)} named {min(named, 3)} place {place.split()[0]}"
    if told:
        yield f"told {told.relation.partition(':')[0]}"
        yield f"told {told.relation.partition(':')[0]} what {what}"
        yield f"told {told.kind} as {kind}"
    if here:
        first = min(one.start for one in view.inside)
        order = "first" if here[0].start == first else "later"
        yield f"order {order} what {what}"
        yield f"order {order} place {place}"
        yield f"order {order} things {min(things, 2)} what {what}"
        if not saying.sentence.text[saying.start : here[0].start].strip(" *`\"'("):
            yield "opens"
            yield f"opens what {what}"
    if view.root is not None:
        lemma = view.root.lemma.lower()
        yield f"root {lemma} place {place.split()[0]}"
        yield f"root {lemma} place {place.split()[0]} what {what}"
    if ground.project and name == ground.name_of(ground.project):
        yield "is project"
        yield f"is project named {min(named, 3)} subject {subject}"
        yield f"is project things {min(things, 2)} {kind}"
    if saying.person and name == ground.name_of(saying.person):
        yield "is speaker"
        yield f"is speaker how {how} subject {subject}"
        yield f"is speaker named {min(named, 3)} {kind}"
        yield f"is speaker {'project' if ground.project else 'no project'} how {how}"


def _role(view: _View, one: _Named) -> str:
    """What part a name has in its clause."""
    tokens = [t for t in view.tokens if one.start <= t.start < one.end]
    if not tokens:
        return "in"
    head = next((t for t in reversed(tokens) if t.dep not in ("punct", "case")), tokens[-1])
    over = view.saying.sentence.at(head.head)
    if view.subject is not None and any(t is view.subject for t in tokens):
        return f"subject {view.subject.dep}"
    if head.dep in _SUBJECTS:
        return "inner subject"
    if head.dep == "pobj" and over is not None:
        above = view.saying.sentence.at(over.head)
        side = "of subject" if above is not None and above is view.subject else "of root" if above is view.root else ""
        return f"behind {over.text.lower()} {side}"
    if head.dep == "conj" and over is not None and view.subject is over:
        return "subject too"
    if head.dep == "poss" or one.how.endswith("'s"):
        return "owner of subject" if over is not None and over is view.subject else "owner"
    if over is not None and over is view.root:
        return f"root {head.dep}"
    if over is not None and over is view.subject:
        return f"with subject {head.dep}"
    return f"other {head.dep}"


@dataclass(slots=True)
class _Draw:
    """A statement with what is said in it."""

    statement: Statement
    attributes: list[ExtractedAttribute] = field(default_factory=list)
    stays: bool = False
    read: bool = False
    old: int | None = None

    def dated(self) -> Statement:
        """The statement, which holds since the first of its facts does."""
        since = [one.valid_from for one in self.attributes]
        first = min((at for at in since if at), default=None) if all(since) else None
        return self.statement.model_copy(update={"valid_from": first}) if since else self.statement

    def say_again(self, sentence: Sentence) -> None:
        """Note a second place where it is said."""
        span = SourceSpan(message=sentence.message, start=sentence.start, end=sentence.end)
        again = tuple(dict.fromkeys((*self.statement.again, span)))
        self.statement = self.statement.model_copy(update={"again": again})


def _timed(fact: ExtractedAttribute, saying: Saying, *, at_all: bool = True) -> ExtractedAttribute:
    """A fact with the claims of its clause, which say when it holds; `at_all`: that these are of what it says."""
    held = saying.held if at_all else Held()
    certainty = certainty_of(saying.hedged + saying.words, saying.claims, saying.role)
    times = {"valid_from": held.since, "valid_to": held.until, "still": held.still}
    sure = {"confidence": fact_confidence(certainty), "basis": certainty.why}
    if (told := [one for one in saying.claims if given(one)]) and not any(one.mood == "stated" for one in told):
        sure["claim_key"] = None  # what somebody else says, or plans, fills no slot
    place = {"clause": (saying.start, saying.end), "worded": saying.worded}
    return fact.model_copy(update={"claims": saying.claims} | place | times | sure)


def _read(fact: ExtractedAttribute, told: Told, saying: Saying) -> ExtractedAttribute:
    """A fact as the rules read it, with the claims of its clause or of its own words."""
    if told.claims is not None and told.span is not None:
        saying = replace(saying, claims=told.claims, start=told.span[0], end=told.span[1], worded=told.worded)
    elif told.span is None and saying.partial:
        fact = fact.model_copy(update={"content": saying.content})
    return _timed(fact, saying, at_all=not told.names_only)


def _loses_value(saying: Saying, told: Collection[str]) -> bool:
    """Whether what templates have read of a change leaves out what came of it: "is no longer A but B"."""
    changed = [one for claim in saying.claims if claim.former and claim.mood == "stated" for one in given(claim)]
    return bool(changed) and not any(one.words in content for one in changed for content in told)


_TELLING = ("NOUN", "PROPN", "NUM", "ADJ", "X")


def _keys(tokens: Iterable[Token]) -> Iterator[tuple[Token, str]]:
    """The words that tell something, each with what all its forms share."""
    for token in tokens:
        if token.pos in _TELLING and token.text[:1].isalnum():
            yield token, stem((token.text if token.pos in ("PROPN", "NUM") else token.lemma).lower())


class _Settled:
    """The statements and facts that stay, as they are chosen."""

    def __init__(self, found: Extraction, read: Extraction) -> None:
        self._found = found
        self._read = {(one.source.message, one.source.start): place for place, one in enumerate(read.statements)}
        self._written = read.statements
        self._draws: dict[tuple[int, int], _Draw] = {
            (one.source.message, one.source.start): _Draw(one, old=place) for place, one in enumerate(found.statements)
        }
        self._facts: dict[tuple[int, str], list[ExtractedAttribute]] = {}
        for one in read.attributes:
            self._facts.setdefault((one.statement, canonical_name(one.entity)), []).append(one)
        self._said: set[tuple[str, str]] = set()

    def keep(self, saying: Saying, kind: AttributeKind, about: Collection[str]) -> None:
        """Take a clause as a fact of this kind about these entities, in the words of the rules where they have some."""
        sentence = saying.sentence
        place = (sentence.message, sentence.start)
        draw, read = self._draws.get(place), self._read.get(place)
        if draw is None and read is not None:
            draw = self._draws[place] = _Draw(self._written[read])
        if draw is not None:
            draw.read = read is not None
        if draw is None:
            said = kind_of(saying.words)
            memory: MemoryType = "constraint" if kind == "constraint" else "fact" if said == "constraint" else said
            span = SourceSpan(message=sentence.message, start=sentence.start, end=sentence.end)
            content = saying.whole or saying.content
            draw = self._draws[place] = _Draw(
                Statement(content=content, type=memory, importance=IMPORTANCE[memory], source=span)
            )
        draw.stays = draw.stays or bool(about)
        parts = (saying,) if kind == "constraint" or not saying.parts else saying.parts
        for name in about:
            told = [part for part in parts if read is not None and part.told_of(name, kind)]
            for part in told or parts:
                for one in self._worded(part, read, kind, name):
                    if (one.entity, one.content) not in self._said:
                        self._said.add((one.entity, one.content))
                        draw.attributes.append(one)

    def confirm(self, saying: Saying, claims: Sequence[Claim]) -> bool:
        """Take what an assistant says again as said in a second place, in words that may tell more; whether somebody
        said it shortly before."""
        sentence = saying.sentence
        said = [value for claim in claims for value in given(claim)]
        found = False
        for draw in self._draws.values():
            source = draw.statement.source
            if not 0 < sentence.message - source.message <= _SHORTLY:
                continue
            for place, one in enumerate(draw.attributes):
                values = [value for claim in one.claims for value in given(claim)]
                if any(equal(value, other) for value in values for other in said):
                    again = tuple(_narrowed(claim, values) for claim in claims)
                    draw.attributes[place] = one.model_copy(update={"claims": (*one.claims, *again)})
                    draw.say_again(sentence)
                    found = True
        return found

    def repeat(self, saying: Saying) -> bool:
        """Take what an assistant says again with most of the words of what it was told, and no other name or number;
        whether there is such."""
        told = {key: token.pos in ("PROPN", "NUM") for token, key in _keys(saying.sentence.tokens)}
        if any(new and key not in self._keys_of(saying.heard) for key, new in told.items()):
            return False
        found = False
        for draw in self._draws.values():
            near = 0 < saying.sentence.message - draw.statement.source.message <= _SHORTLY
            mine = self._keys_of(words(draw.statement.content)) if near else frozenset()
            if draw.attributes and len(told.keys() & mine) >= max(2, _MOST * len(told)):
                draw.say_again(saying.sentence)
                found = True
        return found

    @staticmethod
    def _keys_of(said: Iterable[str]) -> frozenset[str]:
        return frozenset(stem(word) for word in said)

    def _worded(self, saying: Saying, read: int | None, kind: AttributeKind, name: str) -> Iterable[ExtractedAttribute]:
        told = {one.content: one for one in saying.told_of(name, kind)}
        if read is not None and told:  # none is left where the same was said before
            facts = self._facts.get((read, canonical_name(name)), ())
            mine_here = [one for one in facts if one.content in told and one.kind == kind]
            if mine_here and saying.content and _loses_value(saying, told):
                return [_timed(mine_here[0].model_copy(update={"content": saying.content}), saying)]
            return [_read(one, told[one.content], saying) for one in mine_here]
        if not saying.content:
            return []
        said: MemoryType = "constraint" if kind == "constraint" else "fact"
        aspect = "rules" if kind == "constraint" else "decisions" if is_decision(saying.words) else "general"
        fact = ExtractedAttribute(
            entity=name,
            aspect=aspect,
            content=saying.content,
            kind=kind,
            confidence=PLAIN,
            importance=IMPORTANCE[said],
            statement=0,
        )
        return [_timed(fact, saying)]

    def _since(self, edge: ExtractedDependency) -> datetime | None:
        """Since when the facts about its ends say that an edge is."""
        draw = next((one for one in self._draws.values() if one.old == edge.statement), None)
        told = [one for one in draw.attributes if one.entity in (edge.source, edge.target)] if draw else []
        return next((one.valid_from for one in told if one.valid_from), edge.valid_from)

    def finish(self) -> Extraction:
        """What stays, in the order in which it is said."""
        linked = {place for one in self._found.dependencies for place in (one.statement, *one.also)}
        draws = [self._draws[place] for place in sorted(self._draws)]
        draws = [one for one in draws if one.attributes or (one.stays and one.read) or one.old in linked]
        places = {draw.old: place for place, draw in enumerate(draws) if draw.old is not None}
        return self._found.model_copy(
            update={
                "statements": tuple(draw.dated() for draw in draws),
                "attributes": tuple(
                    one.model_copy(update={"statement": place})
                    for place, draw in enumerate(draws)
                    for one in draw.attributes
                ),
                "dependencies": tuple(
                    one.model_copy(
                        update={
                            "statement": places[one.statement],
                            "also": tuple(places[at] for at in one.also if at in places),
                            "valid_from": self._since(one),
                        }
                    )
                    for one in self._found.dependencies
                ),
            }
        )
