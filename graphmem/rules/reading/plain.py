"""What a clause says plainly, outside of every template: who or what it is about, by its grammar.

The subject decides: a thing or person that is named, or what a pronoun stands for, is what the fact is about; a common
noun ("the budget") is the project's. The verb decides whether it lasts: what is, has or was decided and what happened
to a thing is kept; what somebody is doing, feels, thinks or merely says is not.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import canonical_name
from graphmem.rules.reading import phrases
from graphmem.rules.reading.clauses import Fact, Mood
from graphmem.rules.reading.facts import WE_EVER, Sentence
from graphmem.rules.reading.frames import CHANGES
from graphmem.rules.reading.mentions import THINGS, Mention, Voice, is_system_noun
from graphmem.rules.reading.needs import OF_SYSTEMS, is_misnamed, needs_of

MIN_WORDS, MAX_WORDS = 4, 60
"""Shorter clauses say too little to stand alone; longer ones are no clauses."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
_HANGING = frozenset({"relcl", "acl", "csubj", "pcomp"})
_AUXILIARIES = frozenset({"aux", "auxpass", "cop", "neg"})
_PRESENT, _PAST = frozenset({"VBZ", "VBP"}), frozenset({"VBD"})
_BEHIND_VERBS = frozenset({"IN", "TO", "DT", "PRP$", "CD", "RB", "RP", "NNP"})
_FORMS_OF_BE = frozenset({"is", "are", "was", "were", "am", "'s", "’s", "'re", "’re"})
_NO_SUBJECTS = frozenset({"you", "your", "who", "that", "which", "what", "there", "this"})
_UNSURE = word_set("can ca could may might would should shall ought 'd")
_MENTAL = word_set(
    """think guess hope feel want wish wonder mean know see look seem sound hear remember forget understand agree
    believe suppose doubt expect imagine assume bet suspect say ask tell mention promise swear worry care mind try
    thank let notice realize realise appear need plan intend figure reckon beg vote appreciate apologize apologise
    regret miss smell taste"""
)
_EVALUATED = word_set(
    """great good nice fine ok okay cool sweet weird strange odd crazy funny lovely amazing awesome perfect beautiful
    cute sad bad terrible horrible awful annoying ugly scary hard tough easy fun interesting boring happy tired busy
    late early ready done here there back off down away sure afraid sorry glad wrong right true possible impossible
    hungry sick drunk asleep awake excited curious worried surprised stuck lost gone weird brilliant wonderful hot
    cold warm dark quiet loud fair enough welcome stupid silly ridiculous messy painful chaos hell nightmare mess shame
    pity joke problem question idea thing point better worse best worst"""
)
_PASSING = re.compile(
    r"(?i)\b(?:right now|at the moment|just now|today|tonight|this (?:morning|afternoon|evening|minute)|tomorrow|"
    r"in a (?:bit|minute|sec|moment)|a (?:sec|second|moment|minute)|again|brb|lol|haha)\b"
)
_LIFE = word_set(
    """move join quit leave marry adopt graduate buy sell start retire hire promote break die bear turn switch change
    become found open launch win get lose take pass finish sign rent settle divorce separate stop give register enrol
    enroll resign accept"""
)
"""What people look back to when no day is named."""

_TAKEN_ON = word_set(
    "lead own handle join leave marry start move become manage run organise organize host chair present"
)
_LASTING_VERBS = word_set(
    """live work run own teach study speak play have lead handle use prefer avoid eat drink belong manage maintain
    collect breed coach volunteer commute rent share practise practice train suffer love hate like dislike enjoy raise
    cover represent attend support pay report sing paint write take bring look care cut review go depend own"""
)
_DIET = word_set("eat drink tolerate have take swim drive climb")
"""What somebody who can't will not be able to tomorrow."""
_AS_A_RULE = re.compile(
    r"(?i)\b(?:every|each|always|usually|never|weekly|daily|monthly|since|(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
_PASSING_PLACE = re.compile(
    r"(?i)\b(?:on|at|in) (?:the|a|my|his|her) (?!team\b|board\b|committee\b|group\b)|\b\d{1,2}:\d\d\b"
)
_WITHOUT = re.compile(r"(?i)\b(?:without|until|unless|before)\b")
_ROLE = re.compile(f"(?:{phrases.ROLES}|{phrases.SLOTS})")
"""What a thing has one of: "the message broker" is no thing of its own."""
_GENERIC = word_set(
    """everything all rest most data code tests test app stuff things it this that production staging work plan idea
    which version release team people users customers one ones both they money budget date meeting"""
)

_ENTRY = re.compile(r"\s*(?:\([^()]*\))?\s*(?::|—|–|-{1,2})\s+")
_KEYED = re.compile(r"(?:the |our )?(?P<key>[\w-]+(?: [\w-]+){0,3}): ")


def read_plain(clause: Sentence, content: str, voice: Voice, earlier: Sequence[Mention] = ()) -> Fact | None:
    """What the clause says, about what its subject names; None where it says nothing that lasts. `earlier` is named
    in the sentence before the clause."""
    size = len(content.split())
    if not MIN_WORDS <= size <= MAX_WORDS or not clause.tokens:
        return None
    grammar = _grammar(clause) or _word_order(clause)
    if grammar is None:
        return None
    subject, verb = grammar
    mood = _mood(clause, subject, verb)
    if mood is None:
        return None
    about = _about(clause, subject, verb, voice, earlier)
    if about is None or not _lasts(clause, subject, verb, about, voice):
        return None
    subject_span = _phrase(clause, subject)
    stands = subject_span[0] <= about.start and about.end <= subject_span[1]
    holds = verb.tag not in _PAST or verb.lemma in CHANGES
    needs = needs_of(clause, verb, about) if mood == "stated" and stands and holds else ()
    types: tuple[tuple[str, EntityType], ...] = ()
    if not needs and mood == "stated" and is_misnamed(about) and verb.lemma in OF_SYSTEMS:
        needs = needs_of(clause, verb, replace(about, type=EntityType.SYSTEM))
        types = ((about.name, EntityType.SYSTEM),) if needs else ()
    aspect = "events" if verb.tag in _PAST and not _is_be(verb) else "architecture" if needs else "general"
    others = tuple(m for m in clause.mentions if m is not about)
    return Fact("stated", about, aspect, content, mood, needs=needs, others=others, types=types)


def _grammar(clause: Sentence) -> tuple[Token, Token] | None:
    """The head of the first subject, and the finite verb that it goes with."""
    for token in clause.tokens:
        if token.dep not in _SUBJECTS:
            continue
        verb = clause.at(token.head)
        if verb is None:
            return None
        if verb.dep in _HANGING or any(clause.at(t.head) is verb and t.dep == "mark" for t in clause.tokens):
            continue
        finite = any(t.tag in _PRESENT | _PAST | {"MD"} for t in (verb, *_helpers(clause, verb)))
        return (token, verb) if finite else None
    return None


def _word_order(clause: Sentence) -> tuple[Token, Token] | None:
    """The same by the order of words, where the parser finds no subject: a noun, and a verb directly behind it."""
    for index, token in enumerate(clause.tokens[1:-1], 1):
        before, after = clause.tokens[index - 1], clause.tokens[index + 1]
        if token.tag in ("WDT", "WP", "WRB") or (token.tag == "IN" and token.dep == "mark"):
            return None
        named = any(m.start <= before.start < m.end and not m.possessive for m in clause.mentions)
        if any(m.start <= token.start < m.end for m in clause.mentions) or not (named or before.tag[:2] == "NN"):
            continue
        ended = token.tag in ("VBD", "VBN") and token.text.endswith("ed") and after.tag in _BEHIND_VERBS
        shown = token.tag in ("NNS", "VB", "NNP") and token.text.endswith("s") and token.text.islower()
        if token.tag in _PRESENT | _PAST or ended or (shown and named and after.tag in _BEHIND_VERBS):
            tag = "VBD" if ended else "VBZ" if shown else token.tag
            lemma = token.lemma if tag == token.tag else token.text.removesuffix("s")
            return before, replace(token, tag=tag, lemma=lemma)
    return None


def _helpers(clause: Sentence, verb: Token) -> list[Token]:
    return [t for t in clause.tokens if clause.at(t.head) is verb and t.dep in _AUXILIARIES]


def _is_be(verb: Token) -> bool:
    return verb.lemma == "be" or verb.text.lower() in _FORMS_OF_BE


def _mood(clause: Sentence, subject: Token, verb: Token) -> Mood | None:
    helpers = _helpers(clause, verb)
    words = {t.text.lower() for t in helpers}
    if any(t.dep in _SUBJECTS and t.text.lower() == "you" for t in clause.tokens):
        return None
    negated = any(t.dep == "neg" for t in helpers)
    # "couldn't renew it" happened; "can't start without it" lasts.
    lasting = "could" in words or verb.lemma in _DIET or bool(_WITHOUT.search(clause.words))
    unable = negated and bool(words & _UNSURE) and lasting
    if (words & _UNSURE and not unable) or subject.text.lower() in _NO_SUBJECTS:
        return None
    looks_after = verb.lemma == "look" and " after " in clause.words
    if (verb.lemma in _MENTAL and not looks_after) or (verb.tag == "VBG" and not words & {"been"}):
        return None
    if words & {"will", "'ll", "wo", "’ll"}:
        return None if subject.text.lower() == "i" and not clause.dates else "planned"
    return "denied" if negated and not unable else "stated"


def _about(clause: Sentence, subject: Token, verb: Token, voice: Voice, earlier: Sequence[Mention]) -> Mention | None:
    """What the subject names; else what stands behind it ("migrations of ledger-api"), or before; else the project."""
    span = _phrase(clause, subject)
    inside = [m for m in clause.mentions if m.start < span[1] and span[0] < m.end]
    things = [m for m in clause.mentions if m.type in THINGS and m.type is not EntityType.TOOL]
    head = next((m for m in inside if m.start <= subject.start < m.end and not m.possessive), None)
    if head and head.found == "name" and head.name.isupper() and len(head.name) <= 4 and len(inside) > 1:
        head = next(m for m in reversed(inside) if m is not head)  # "the TTL of geo-cache"
    if head:
        # What we do to a thing is about the thing.
        spoken = head.found == "speaker" and (head.group or head.type is EntityType.PROJECT)
        return next((m for m in things if m.name != head.name), head) if spoken else head
    named = [m for m in inside if not m.possessive]
    if named:
        return named[-1]
    if owners := [m for m in inside if m.possessive]:
        return owners[0]
    if subject.tag == "PRP":
        return None
    named_project = bool(voice.project) and canonical_name(voice.project or "") in canonical_name(
        clause.text[slice(*span)]
    )
    if new := _new_system(clause, span, verb) or (not named_project and _definite(clause, span, subject)):
        return new
    things += [m for m in earlier if m.type in (THINGS - {EntityType.TOOL}) | {EntityType.ORGANISATION}]
    if things:
        return things[0]
    if voice.project and not named_project:
        return Mention(0, 0, voice.project, EntityType.PROJECT, "speaker")
    if voice.person and clause.dates and not voice.project:
        return Mention(0, 0, voice.person, EntityType.PERSON, "speaker")
    return None


def _new_system(clause: Sentence, span: tuple[int, int], verb: Token) -> Mention | None:
    """A thing nobody has named as one yet, because it runs on something: "ingest runs on Dagster"."""
    words = [t for t in clause.tokens if span[0] <= t.start < span[1]]
    words = [t for t in words if t.tag not in ("DT", "PRP$") and t.text not in "`*\"'"]
    if not 1 <= len(words) <= 3 or not all(t.tag[:2] in ("NN", "JJ") and t.text.isalpha() for t in words):
        return None
    if words[-1].text.lower() in _GENERIC or words[-1].tag in ("NNP", "NNPS", "NNS"):
        return None
    start, end = words[0].start, words[-1].end
    found = Mention(start, end, clause.text[start:end], EntityType.SYSTEM, "phrase")
    return found if any(other.type is EntityType.TOOL for _, other, _ in needs_of(clause, verb, found)) else None


def _definite(clause: Sentence, span: tuple[int, int], subject: Token) -> Mention | None:
    """A thing with a name of two or three nouns, or a system of one: "the bird count", "the thumbnailer"."""
    words = [t for t in clause.tokens if span[0] <= t.start < span[1]]
    if len(words) < 2 or words[0].text.lower() not in ("the", "our") or words[-1] is not subject:
        return None
    nouns = words[1:]
    if not all(t.tag in ("NN", "VBG") and t.text.isalpha() and t.text.islower() for t in nouns) or len(nouns) > 3:
        return None
    if nouns[-1].text in _GENERIC or not (len(nouns) > 1 or is_system_noun(nouns[0].text)):
        return None
    if _ROLE.fullmatch(" ".join(t.text for t in nouns)):
        return None
    kind = EntityType.SYSTEM if clause.technical or len(nouns) == 1 else EntityType.CONCEPT
    return Mention(nouns[0].start, subject.end, clause.text[nouns[0].start : subject.end], kind, "phrase")


def _phrase(clause: Sentence, head: Token) -> tuple[int, int]:
    """Where the words stand that hang on this one."""
    inside = {clause.place(head)}
    for index, token in enumerate(clause.tokens, clause.base):
        if index not in inside and token.head in inside and token.start > head.start and token.dep != "punct":
            inside.add(index)
    for index, token in reversed(list(enumerate(clause.tokens, clause.base))):
        if token.head in inside:
            inside.add(index)
    spans = [(word.start, word.end) for index in inside if (word := clause.at(index))]
    return min(first for first, _ in spans), max(last for _, last in spans)


def _lasts(clause: Sentence, subject: Token, verb: Token, about: Mention, voice: Voice) -> bool:
    if not voice.person and (about.type not in THINGS or about.type is EntityType.TOOL or about.found == "speaker"):
        return False  # what an assistant says of the world is no news
    if not any(t.start > subject.start and t.tag[:2] in ("NN", "CD") for t in clause.tokens):
        return False
    if _is_be(verb):
        predicate = [t for t in clause.tokens if clause.at(t.head) is verb and t.dep in ("acomp", "attr", "advmod")]
        if any(t.text.lower() in _EVALUATED for t in predicate):
            return False
    if about.group and WE_EVER.search(clause.words):
        return False  # what friends always do is their habit
    person = about.type not in THINGS and about.found in ("name", "speaker", "pronoun")
    helpers = {t.text.lower() for t in _helpers(clause, verb)}
    dated = any(date.starts_fact for date in clause.dates)
    if verb.tag in _PAST or helpers & {"has", "have", "had", "was", "were", "'ve", "got"}:
        if person:
            return verb.lemma in _LIFE
        return about.type in THINGS or dated
    if _PASSING.search(clause.words):
        return False
    return not person or _lasting_of_person(clause, verb, about, helpers)


def _lasting_of_person(clause: Sentence, verb: Token, about: Mention, helpers: set[str]) -> bool:
    """Whether what somebody is or does now, or will, lasts: who they are, what they do as a rule, what they take on."""
    if helpers & {"ca", "can", "could"} and verb.lemma in _DIET:
        return True
    if clause.dates and not _is_be(verb):
        return True  # what is fixed for a day
    if helpers & {"ca", "can", "could", "'ll", "will", "wo"}:
        return verb.lemma in _TAKEN_ON
    if _is_be(verb):
        below = [t for t in clause.tokens if clause.at(t.head) is verb]
        somewhere = any(t.text.lower() in ("from", "in", "at", "on") for t in below)
        return any(t.dep == "attr" for t in below) or (somewhere and not _PASSING_PLACE.search(clause.words))
    habit = about.found in ("name", "pronoun") and not about.certain and verb.tag == "VBZ"
    return habit or verb.lemma in _LASTING_VERBS or bool(_AS_A_RULE.search(clause.words))


def read_entry(clause: Sentence, content: str) -> Fact | None:
    """What a list says of a thing or of who has it: "tides — computes forecasts", "press kit: Chiara"."""
    first = clause.mentions[0] if clause.mentions else None
    text = clause.text[clause.start : clause.end]
    if first is not None and not first.possessive and not clause.text[clause.start : first.start].strip("`*\"' "):
        behind = _ENTRY.match(clause.text, first.end + (clause.text[first.end : first.end + 1] in "`*"), clause.end)
        if behind and first.type in THINGS | {EntityType.CONCEPT, EntityType.TASK, EntityType.UNKNOWN}:
            owner = next((m for m in clause.mentions if m.start == behind.end()), None)
            return _entry_fact(first, owner, content, clause)
    keyed = _KEYED.match(text)
    if keyed is None:
        return None
    owner = next((m for m in clause.mentions if m.start == clause.start + keyed.end()), None)
    if owner is None or owner.type is not EntityType.PERSON or _ROLE.search(keyed["key"].lower()):
        return None
    start = clause.start + keyed.start("key")
    about = Mention(start, start + len(keyed["key"]), keyed["key"], EntityType.CONCEPT, "phrase")
    return _entry_fact(about, owner, content, clause)


def _entry_fact(about: Mention, owner: Mention | None, content: str, clause: Sentence) -> Fact | None:
    if owner is None and len(content.split()) < MIN_WORDS - 1:
        return None
    owned = owner is not None and owner.type is EntityType.PERSON and about.type is not EntityType.TOOL
    needs = ((about, owner, DependencyType.OWNED_BY),) if owner is not None and owned else ()
    others = tuple(m for m in clause.mentions if m is not about)
    return Fact("entry", about, "ownership" if owned else "general", content, "stated", needs=needs, others=others)
