"""Who and what a message names.

Software is found by the gazetteer, people and places by the parser; a pronoun means what was named before it.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.gazetteer import HEAD_NOUNS, LONE_HEADS, NOT_NAMING, TEAM_HEADS, identify, word_set
from graphmem.rules.statements import MAX_READ_CHARS
from graphmem.rules.text import STOP_WORDS, canonical_name

THINGS = frozenset(
    {
        EntityType.PROJECT,
        EntityType.SYSTEM,
        EntityType.TOOL,
        EntityType.FILE,
        EntityType.MODULE,
        EntityType.SYMBOL,
        EntityType.PACKAGE,
    }
)
"""What "it" can mean and what depends on other things."""

_LABELS = {
    "PERSON": EntityType.PERSON,
    "ORG": EntityType.ORGANISATION,
    "GPE": EntityType.PLACE,
    "LOC": EntityType.PLACE,
    "FAC": EntityType.PLACE,
    "PRODUCT": EntityType.UNKNOWN,
}
_NOT_A_NAME = word_set(
    """woah whoa yum yay hooray
    hey hi hello thanks thank yeah yes yep no nope ok okay wow oh ah aw aww haha lol sure great cool nice awesome
    amazing congrats congratulations sorry please bye goodbye morning evening night today tomorrow yesterday
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december mom dad mum sis bro hmm ugh yay well so and but or if when while then
    also actually btw fyi lgtm pr prs tbh imo imho afaik eod eta asap todo api apis cpu ram http https url
    json yaml xml html css ui ux ci cd qa ops sre cto ceo cfo vp hr id sla slo p0 p1 p2 ssl tls tcp udp ip dns
    crud sql db note update reminder team everyone folks guys god jesus christmas easter halloween
    thanksgiving absolutely definitely exactly totally glad happy good bad best love mel's never always only
    all every each must no nobody everyone everybody anyone someone something anything nothing here there this
    that these those we i you he she it they let's let don't keep use make sure check decision decided
    deadline status owner version port plan rule policy root cause info warning error fri mon tue tues wed thu
    thur thurs sat sun q1 q2 q3 q4 pm am utc gmt pst est cet cest english new old big since starting before
    after until during because however therefore meanwhile finally first second third next last both either
    neither what which who whose why how where unless suppose maybe perhaps another other some any most many"""
)
_NAME_LINKS = frozenset({"of", "the", "and", "&", "-", "de", "van", "von", "der", "del", "la", "'s", "’s", "."})
_PRONOUN = re.compile(
    r"\b(?:I|we|me|us|myself|ourselves)\b(?!-)|\b(?:it|he|she|they|him|them)\b|\b(?:this|that|the|"
    r"this same) (?:service|system|"
    r"database|project|repo|repository|app|application|tool|library|package|module|api|component|"
    r"worker|team|file|one)\b|"
    r"\b(?:my|our|mine|ours|its|their|his|her)\b",
    re.IGNORECASE,
)
_POSSESSIVES = word_set("my our mine ours its their his her")
_IS_SUBJECT = re.compile(r" (?:also |now |currently )?(?:is|was|has|will|[a-z]+s) (?!when\b)")
_ENDS_CLAUSE = re.compile(r"\s*(?:[.,;:!?)]|$|(?:and|or|but|for|in|on|at|to|with|from|as|by)\b)")
_PROJECT_BEFORE = re.compile(r"(?i)\bproject\s+$")
_PROJECT_AFTER = re.compile(r"(?i)\s+project\b")
_MODIFIER_TAGS = frozenset({"NN", "NNP", "NNS", "NNPS", "VBG", "AFX"})
_LOOK_BACK_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A place [start, end) where an entity is named.

    `found` says how it was found: 'software', 'name', 'phrase', 'known', 'speaker', or 'pronoun' for a word that stands
    for an entity named before. `certain` marks the name of somebody who speaks,
    `group` marks we and our, and `possessive` my, its and the like.
    """

    start: int
    end: int
    name: str
    type: EntityType
    found: str
    role: str = ""
    certain: bool = False
    group: bool = False
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks. `person` is the name that I and my stand for, '' where nobody's; `group` is what we stands for."""

    person: str
    project: str | None
    people: frozenset[str]
    known: frozenset[str]


def find_mentions(parsed: ParsedText, sentences: Sequence[tuple[int, int]], voice: Voice) -> list[list[Mention]]:
    """The mentions of each sentence, in order and without overlap; pronouns only where it is clear what they mean."""
    named: list[list[Mention]] = []
    software = _software(parsed.text[:MAX_READ_CHARS])
    tokens = _tokens_by_sentence(parsed, sentences)
    for (start, end), inside in zip(sentences, tokens, strict=True):
        found = [mention for mention in software if start <= mention.start and mention.end <= end]
        found += _free(_names(parsed, inside, voice), found)
        found += _free(_phrases(inside), found)
        found += _free(_known(inside, voice), found)
        named.append(sorted(found, key=lambda mention: mention.start))
    return [
        sorted(found + _free(_pronouns(parsed.text, sentences, named, index, voice), found), key=lambda m: m.start)
        for index, found in enumerate(named)
    ]


def _tokens_by_sentence(parsed: ParsedText, sentences: Sequence[tuple[int, int]]) -> list[list[tuple[int, Token]]]:
    grouped: list[list[tuple[int, Token]]] = [[] for _ in sentences]
    current = 0
    for index, token in enumerate(parsed.tokens):
        while current < len(sentences) and token.start >= sentences[current][1]:
            current += 1
        if current == len(sentences):
            break
        if token.start >= sentences[current][0] and token.end <= sentences[current][1]:
            grouped[current].append((index, token))
    return grouped


def _free(candidates: Sequence[Mention], taken: Sequence[Mention]) -> list[Mention]:
    """The candidates that overlap neither what is taken nor one another; longer ones first."""
    kept: list[Mention] = []
    for mention in sorted(candidates, key=lambda m: (m.start - m.end, m.start)):
        if not any(m.start < mention.end and mention.start < m.end for m in (*taken, *kept)):
            kept.append(mention)
    return kept


def _software(text: str) -> list[Mention]:
    return [
        Mention(found.start, found.end, found.known.name, found.known.type, "software", found.known.role)
        for found in identify(text)
        if found.known.name
    ]


def _names(parsed: ParsedText, inside: Sequence[tuple[int, Token]], voice: Voice) -> list[Mention]:
    """Proper names: runs of capitalised proper nouns, typed by the parser's label where it has one."""
    runs: list[list[Token]] = []
    open_run = False
    for position, (_, token) in enumerate(inside):
        if _is_name_part(token, position == 0 or inside[position - 1][1].text in ('"', "“", ":", "*")):
            adjoins = open_run and parsed.text[runs[-1][-1].end : token.start] in (" ", "")
            if adjoins and (runs[-1][-1].entity == token.entity or not (runs[-1][-1].entity and token.entity)):
                runs[-1].append(token)
            else:
                runs.append([token])
            open_run = True
        else:
            open_run = False
    return [mention for run in runs if (mention := _named(parsed.text, run, voice)) is not None]


def _is_name_part(token: Token, first: bool) -> bool:
    word = token.text
    if not word[:1].isupper() or word.lower() in _NOT_A_NAME or word.lower() in STOP_WORDS or len(word) < 2:
        return False
    if not word.replace("-", "").replace(".", "").replace("'", "").isalnum():
        return False
    if token.entity in ("DATE", "TIME", "MONEY", "PERCENT", "CARDINAL", "ORDINAL", "QUANTITY", "NORP", "LANGUAGE"):
        return False
    if token.tag in ("NNP", "NNPS"):
        return True
    return (not first and token.entity in _LABELS) or (
        first and token.entity in ("PERSON", "GPE") and token.tag == "NN"
    )


def _named(text: str, run: Sequence[Token], voice: Voice) -> Mention | None:
    titled = len(run) > 1 and run[0].text == "Project"
    start, end = run[titled].start, run[-1].end
    name = text[start:end]
    canonical = canonical_name(name)
    speaker = _speaker(canonical, voice)
    if speaker:
        return Mention(start, end, speaker, EntityType.PERSON, "name", certain=True)
    label = next((token.entity for token in run if token.entity in _LABELS), "")
    entity_type = _LABELS.get(label, EntityType.UNKNOWN)
    if titled or _PROJECT_BEFORE.search(text, max(0, start - 12), start) or _PROJECT_AFTER.match(text, end):
        entity_type = EntityType.PROJECT
    if name.isupper() and len(name) <= 5 and entity_type is EntityType.PERSON:
        entity_type = EntityType.UNKNOWN
    return Mention(start, end, name, entity_type, "name")


def _speaker(canonical: str, voice: Voice) -> str:
    """The speaker that a name means: by the whole name, or by the first name if only one has it."""
    firsts = [
        person
        for person in sorted(voice.people)
        if canonical in (canonical_name(person), canonical_name(person).split()[0])
    ]
    return firsts[0] if len(firsts) == 1 else ""


def _phrases(inside: Sequence[tuple[int, Token]]) -> list[Mention]:
    """Names such as "the auth service", "the gateway" and "the platform team"; the article is left out."""
    found = []
    for position, (_, token) in enumerate(inside):
        head = token.text.lower()
        team = head in TEAM_HEADS
        if not team and head not in HEAD_NOUNS and head not in LONE_HEADS:
            continue
        first = position
        while first > 0 and position - first < 2 and _is_modifier(inside[first - 1][1]):
            first -= 1
        before = inside[first - 1][1].text.lower() if first > 0 else ""
        if (
            first > 0
            and before in NOT_NAMING - {"our", "your", "their", "its", "his", "her", "this", "that", "legacy", "old"}
            and first == position
        ):
            continue
        if first == position and not (head in LONE_HEADS and before in ("the", "our", "legacy", "old")):
            continue
        if first > 0 and before in ("-", "'s", "’s", "/"):
            continue
        start, end = inside[first][1].start, token.end
        words = " ".join(part.text for _, part in inside[first : position + 1])
        kind = EntityType.ORGANISATION if team else EntityType.SYSTEM
        found.append(Mention(start, end, words, kind, "phrase"))
    return found


def _is_modifier(token: Token) -> bool:
    word = token.text.lower()
    if not word.replace("-", "").isalnum() or word in NOT_NAMING or word in STOP_WORDS or word[:1].isdigit():
        return False
    return token.tag in _MODIFIER_TAGS or (token.tag == "JJ" and word in ("front", "internal", "mobile", "core"))


def _known(inside: Sequence[tuple[int, Token]], voice: Voice) -> list[Mention]:
    """Names the graph already has, in whatever case; single common words only where they are a noun."""
    found = []
    for first, (_, token) in enumerate(inside):
        for last in range(min(first + 3, len(inside)), first, -1):
            name = " ".join(part.text for _, part in inside[first:last])
            if len(name) < 3 or canonical_name(name) not in voice.known or name.lower() in STOP_WORDS:
                continue
            if last - first > 1 or token.tag.startswith("NN"):
                person = _speaker(canonical_name(name), voice)
                kind = EntityType.PERSON if person else EntityType.UNKNOWN
                found.append(Mention(token.start, inside[last - 1][1].end, person or name, kind, "known"))
                break
    return found


def _pronouns(
    text: str, sentences: Sequence[tuple[int, int]], named: Sequence[Sequence[Mention]], index: int, voice: Voice
) -> list[Mention]:
    start, end = sentences[index]
    found = []
    # A capitalised word is a thing that "it" can mean only where it is the subject of its sentence.
    openings = {m.start for group in named for m in group if _IS_SUBJECT.match(text, m.end)}
    openings &= {start for start, _ in sentences}
    for match in _PRONOUN.finditer(text, start, end):
        word = match[0].lower()
        if match[0] == "US" or (word == "i" and match[0] == "i" and text[match.end() : match.end() + 1] == "."):
            continue
        meant = _meaning(word, match.start(), openings, named, index, voice)
        if meant is not None and word in ("it", "them") and _ENDS_CLAUSE.match(text, match.end(), end):
            # As an object, "it" may be anything named before, so that one thing alone must have been.
            near = {m.name for group in named[max(0, index - 1) : index + 1] for m in group if m.start < match.start()}
            meant = meant if near == {meant.name} else None
        if meant is not None:
            possessive = word in _POSSESSIVES
            group = word in ("we", "us", "our", "ours", "ourselves")
            found.append(
                replace(
                    meant,
                    start=match.start(),
                    end=match.end(),
                    found="speaker" if group or word in _FIRST_PERSON else "pronoun",
                    group=group and meant.type is EntityType.PERSON,
                    possessive=possessive,
                )
            )
    return found


_FIRST_PERSON = word_set("i me my mine myself")


def _meaning(
    word: str,
    position: int,
    openings: Collection[int],
    named: Sequence[Sequence[Mention]],
    index: int,
    voice: Voice,
) -> Mention | None:
    if word in _FIRST_PERSON:
        return Mention(0, 0, voice.person, EntityType.PERSON, "speaker") if voice.person else None
    if word in ("we", "us", "our", "ours", "ourselves"):
        if voice.project:
            return Mention(0, 0, voice.project, EntityType.PROJECT, "speaker")
        return Mention(0, 0, voice.person, EntityType.PERSON, "speaker") if voice.person else None
    earlier = [m for m in named[index] if m.end <= position]
    before = [list(mentions) for mentions in named[max(0, index - _LOOK_BACK_SENTENCES) : index]]
    if word in ("he", "she", "him", "his", "her"):
        named_before = [m for group in (*before, earlier) for m in group if m.name != voice.person]
        people = {m.name: m for m in named_before if m.type is EntityType.PERSON}
        # The small model takes Alice for a company as often as not.
        people = people or {
            m.name: m for m in named_before if m.found == "name" and m.type not in THINGS and m.name.isalpha()
        }
        people = {name: m for name, m in people.items() if m.type is not EntityType.PLACE}
        return replace(next(iter(people.values())), type=EntityType.PERSON) if len(people) == 1 else None
    wanted = _compatible(word)
    for group in (earlier, *reversed(before)):
        # The first thing named in a sentence is mostly its subject, and what "it" goes on about.
        for mention in group:
            if mention.type in wanted and (
                mention.found != "name" or mention.type in THINGS or mention.start in openings
            ):
                return mention
    return None


def _compatible(word: str) -> frozenset[EntityType]:
    noun = word.split()[-1]
    if noun in ("they", "them", "their", "team"):
        return frozenset({EntityType.ORGANISATION})
    if noun == "database":
        return frozenset({EntityType.TOOL, EntityType.SYSTEM})
    if noun in ("file", "module", "package", "library"):
        return frozenset({EntityType.FILE, EntityType.MODULE, EntityType.PACKAGE, EntityType.TOOL, EntityType.SYMBOL})
    if noun in ("service", "system", "worker", "api", "app", "application", "component"):
        return frozenset({EntityType.SYSTEM, EntityType.UNKNOWN, EntityType.PROJECT, EntityType.SYMBOL})
    if noun in ("project", "repo", "repository"):
        return frozenset({EntityType.PROJECT, EntityType.SYSTEM, EntityType.UNKNOWN})
    return THINGS | {EntityType.UNKNOWN}
