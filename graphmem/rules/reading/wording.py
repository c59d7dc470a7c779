"""A sentence in words that stay true when the conversation is gone: names for pronouns, dates for "yesterday"."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import Token
from graphmem.rules.language.relative_dates import FoundDate
from graphmem.rules.language.stems import word_set
from graphmem.rules.reading.mentions import THINGS, Mention, Voice, free

_THIRD_PERSON = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "were": "was",
    "aren't": "isn't",
    "haven't": "hasn't",
    "go": "goes",
    "ain't": "isn't",
    "weren't": "wasn't",
}
_MODALS = word_set("will would can could may might must shall should did had was is has does ought")
_SHORT_FORMS = {
    "I": {"m": " is", "ve": " has", "ll": " will", "d": " would"},
    "we": {"re": " is", "ve": " has", "ll": " will", "d": " would"},
    "others": {"re": " are", "ve": " have", "ll": " will", "d": " would"},
    "it": {"s": " is", "ll": " will", "d": " would", "re": " are", "ve": " have"},
}
_SHORT = re.compile(r"['’](m|re|ve|ll|d|s)\b", re.IGNORECASE)
PRESENT_VERBS = word_set(
    """are have do were don't haven't aren't use depend rely require need call invoke query talk run read write store
    consume produce publish emit import inherit extend belong live work own maintain lead manage block inform
    feed connect listen subscribe send persist save keep handle prefer love like enjoy hate dislike contain
    include integrate communicate share sit speak study report poll log deploy"""
)
"""Verbs whose form for several subjects is surely a verb where one stands at the start of a clause."""
_DAY_FIRST = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?([A-Z][a-z]{2,8})(?:,? \d{4})?$")
_IS_NOW = re.compile(r"(?i)\b(?:is|are|was) (?:now|still|currently) $")
_IS_THE = re.compile(r" (?:is|was|remains|becomes)(?: now)? (?:the|our)\b")
_SPACES = re.compile(r"\s+")
_MARKUP = re.compile(
    r"\*\*(?!/)|(?<![\w/.*])\*(?![\s./*])|(?<=[^\s/*])\*(?![\w./*])|(?<!\w)`+|`+(?!\w)"
    r"|(?<![\w/\\.:-])_(?=[^\s_])(?P<stressed>[^_\n`]*[^\s_])_(?![\w./(-])"
    r"|(?<![\w/\\.:-])__(?=[^\s_])(?P<bold>[^_\n`]* [^_\n`]*[^\s_])__(?![\w./(-])"
)
"""Marks of stress and code around words. Underscores and stars of names, paths and patterns are no marks."""


_FILLER = re.compile(
    r"(?i)(?:,? (?:too|as well|either|at last|by the way|btw|of course|you know|as you know|after all|so far|"
    r"obviously|luckily|fortunately|unfortunately|"
    r"as (?:the|our|[\w' -]{2,30}'s|their) (?:very )?(?:last|first|next|final) (?:one|step|thing)|"
    r"(?:first|last) of all|for what it's worth)|,? -+)+$"
)


def trimmed(said: str) -> str:
    """A clause without the fillers that trail behind it.

    >>> trimmed("uses Kafka as well, by the way")
    'uses Kafka'
    """
    return _FILLER.sub("", said).rstrip(" ,;:")


@dataclass(frozen=True, slots=True)
class Wording:
    """The changes that make one sentence absolute: [start, end) of the message becomes the text."""

    text: str
    changes: tuple[tuple[int, int, str], ...]

    def render(self, start: int, end: int) -> str:
        """The words of [start, end), made absolute, on one line, without marks at the edges."""
        parts, position = [], start
        for first, last, new in self.changes:
            if first < position or last > end:
                continue
            parts += [self.text[position:first], new]
            position = last
        parts.append(self.text[position:end])
        joined = _MARKUP.sub(lambda mark: mark["stressed"] or mark["bold"] or "", "".join(parts))
        return _SPACES.sub(" ", joined).strip(' .!,;:–—-"“”')

    def naming(self, start: int, end: int, words: str) -> "Wording":
        """The same with `words` for the pronoun [start, end), unless that has got other ones."""
        if any(first < end and start < last for first, last, _ in self.changes):
            return self
        changes = [*self.changes, (start, end, words)]
        short = _SHORT.match(self.text, end)
        if short and (full := _SHORT_FORMS["it"].get(short[1].lower())):
            changes.append((short.start(), short.end(), full))
        return Wording(self.text, tuple(sorted(changes)))


def wording_of(
    text: str, mentions: Sequence[Mention], dates: Sequence[FoundDate], tokens: Sequence[Token], *, technical: bool
) -> Wording:
    """How a sentence is made absolute. `technical` decides what we stands for: a team at work, or people together."""
    changes: list[tuple[int, int, str]] = [(date.start, date.end, _day(text, date)) for date in dates]
    said_i = False
    for mention in mentions:
        new = _said(text, mention, technical, said_i, [m.name for m in mentions if m.end <= mention.start])
        if new is not None:
            changes.append((mention.start, mention.end, new))
        if mention.found in ("speaker", "pronoun") and not mention.possessive:
            said_i = said_i or mention.found == "speaker"
            changes += _agreements(text, mention, tokens, technical)
    kept: list[tuple[int, int, str]] = []
    for change in sorted(changes):
        if not kept or change[0] >= kept[-1][1]:
            kept.append(change)
    return Wording(text, tuple(kept))


def _day(text: str, date: FoundDate) -> str:
    """A date in absolute words; one said day first ("17 April") keeps its words, by which it is looked for."""
    day = f"{date.begins:%Y-%m-%d}"
    if not date.wording.endswith(day):
        return date.wording
    lead = date.wording.removesuffix(day)
    bare = _IS_NOW.search(text, 0, date.start) or _IS_THE.match(text, date.end)
    lead = "" if lead == "on " and bare and text[date.start].isdigit() else lead
    said = _DAY_FIRST.search(text, date.start, date.end)
    return f"{lead}{said[1]} {said[2]} {date.begins.year}" if said else lead + day


def speaker_name(mention: Mention, *, technical: bool) -> str:
    """How the speaker is written: Alice, Alice's team, Alice and others; an unnamed one is "the user"."""
    name = f"the {mention.name}" if mention.name in ("user", "assistant") else mention.name
    if not mention.group:
        return name
    return f"{name}'s team" if technical else f"{name} and others"


def third_person(verb: str) -> str:
    """The verb as he, she or it takes it.

    >>> third_person("use"), third_person("rely"), third_person("don't"), third_person("push")
    ('uses', 'relies', "doesn't", 'pushes')
    """
    lower = verb.lower().replace("’", "'")
    if lower in _THIRD_PERSON:
        return _THIRD_PERSON[lower]
    if lower in _MODALS or lower.endswith(("ing", "ed", "n't")):
        return verb
    if re.search(r"[^aeiou]y$", lower):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|[^aeiouo]o)$", lower) else "s")


def _said(text: str, mention: Mention, technical: bool, said_i: bool, earlier: Collection[str]) -> str | None:
    if mention.found == "software":
        written = text[mention.start : mention.end]
        return mention.name if mention.type is EntityType.TOOL and written != mention.name else None
    if mention.found == "speaker":
        if said_i and text[mention.start : mention.end].lower() == "myself":
            return "themselves"
        if not mention.possessive:
            return speaker_name(mention, technical=technical)
        if said_i:
            return "their"
        mention = mention if technical else replace(mention, group=False)
        return _possessive(speaker_name(mention, technical=technical))
    if mention.found == "pronoun":
        if mention.possessive:
            return None if mention.name in earlier else _possessive(mention.name)
        return mention.name
    return None


def _possessive(name: str) -> str:
    return f"{name}'s"


def _agreements(text: str, mention: Mention, tokens: Sequence[Token], technical: bool) -> list[tuple[int, int, str]]:
    """The verbs that go with a replaced pronoun, in the form that the name takes."""
    word = text[mention.start : mention.end].lower()
    short = _SHORT.match(text, mention.end)
    plural = mention.group and not technical
    if short:
        forms = _SHORT_FORMS["I" if word == "i" else ("others" if plural else "we") if word == "we" else "it"]
        new = forms.get(short[1].lower())
        return [(short.start(), short.end(), new)] if new else []
    if word not in ("i", "we", "they") or plural:
        return []
    at = next((i for i, token in enumerate(tokens) if token.start >= mention.end), len(tokens))
    changes = []
    for index in range(at, min(at + 4, len(tokens))):
        token = tokens[index]
        joined = index + 1 < len(tokens) and tokens[index + 1].text.lower() in ("n't", "n’t")
        if (token.tag in ("VBP", "VB") and token.text.lower() not in _MODALS) or token.text.lower() in (
            "am",
            "are",
            "have",
            "do",
        ):
            changes.append((token.start, token.end, third_person(token.text)))
            break
        if token.text.lower() == "were":
            changes.append((token.start, token.end, "was"))
            break
        if token.tag not in ("RB", "RBR", "RBS") or joined:
            break
    return changes + _later_verbs(tokens, at, changes)


def _later_verbs(
    tokens: Sequence[Token], at: int, changes: Sequence[tuple[int, int, str]]
) -> list[tuple[int, int, str]]:
    """Verbs that share the subject: "I love tea and hate coffee"."""
    if not changes:
        return []
    found = []
    for index in range(at + 1, len(tokens) - 1):
        verb = tokens[index + 1]
        if tokens[index].text.lower() not in ("and", "but"):
            continue
        after = tokens[index + 2].tag if index + 2 < len(tokens) else ""
        tagged = verb.tag in ("VBP", "VB") and verb.dep == "conj"
        if tagged or (verb.text in PRESENT_VERBS and after in ("IN", "TO", "DT", "PRP$", "NNP")):
            found.append((verb.start, verb.end, third_person(verb.text)))
    return found


def is_technical(mentions: Sequence[Mention], sentence: str) -> bool:
    """Whether a sentence is about work on software or another project, so that we means a team."""
    return any(mention.type in THINGS for mention in mentions) or bool(_WORK.search(sentence))


_WORK = re.compile(
    r"(?i)\b(?:branch|deploy\w*|releases?|service|database|api|code|commit|merge|pull request|tests?|"
    r"sprint|production|staging|"
    r"server|backend|frontend|repo|pipeline|migrat\w+|schema|cluster|incident|customers?|feature|"
    r"architecture|version|engineer\w*|sre|devops|on-call|developer|lead|teams?|roadmap|quarter|"
    r"stand-?up|reviews?|PRs?|tool)\b"
)


_PRONOUN = re.compile(
    r"\b(?:I|we|me|us|myself|ourselves)\b(?!-)|\b(?:it|he|she|they|him|them)\b|\b(?:this|that|the|"
    r"this same) (?:service|system|"
    r"database|project|repo|repository|app|application|tool|library|package|module|api|component|"
    r"worker|team|file|one)\b|"
    r"\b(?:my|our|mine|ours|its|their|his|her)\b",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"(?i)(?:['’]s| is| was|(?: is| was|is|was)n['’]t| seems| looks)(?: \w+ly| not)? [\w-]+ (?:that|whether|if)\b"
)
"""What follows "it" that means nothing: "it is true that", "it isn't clear whether"."""
_POSSESSIVES = word_set("my our mine ours its their his her")
_IS_SUBJECT = re.compile(r" (?:also |now |currently )?(?:is|was|has|will|[a-z]+s) (?!when\b)")
_OPENS = re.compile(r"(?i)(?:[,;:(] |\b(?:and|but|so|that|fyi|btw|then|because|since) |[`*])$")
_ENDS_CLAUSE = re.compile(r"\s*(?:[.,;:!?)]|$|(?:and|or|but|for|in|on|at|to|with|from|as|by)\b)")
_LOOK_BACK_SENTENCES = 2


def with_pronouns(
    text: str,
    sentences: Sequence[tuple[int, int]],
    named: Sequence[Sequence[Mention]],
    voice: Voice,
    topic: Mention | None = None,
) -> list[list[Mention]]:
    """The mentions of each sentence with its pronouns, each only where it is clear what it means.

    `topic` is the thing talked about before: what "it" means in a message that names no thing before, where the
    sentence goes on to name one.
    """
    return [
        sorted([*found, *free(_pronouns(text, sentences, named, index, voice, topic), found)], key=lambda m: m.start)
        for index, found in enumerate(named)
    ]


def _pronouns(
    text: str,
    sentences: Sequence[tuple[int, int]],
    named: Sequence[Sequence[Mention]],
    index: int,
    voice: Voice,
    topic: Mention | None,
) -> list[Mention]:
    start, end = sentences[index]
    found = []
    # A capitalised word is a thing that "it" can mean only where it is the subject of its sentence.
    openings = {m.start for group in named for m in group if _IS_SUBJECT.match(text, m.end)}
    opened = {start for start, _ in sentences}
    openings = {start for start in openings if start in opened or _OPENS.search(text, max(0, start - 12), start)}
    found += _heads(text, start, end, [m for group in named[: index + 1] for m in group])
    passed = _objects(text, sentences, named)
    for match in _PRONOUN.finditer(text, start, end):
        word = match[0].lower()
        if word == "it" and _EXPLETIVE.match(text, match.end(), end):
            continue
        if match[0] == "US" or (word == "i" and match[0] == "i" and text[match.end() : match.end() + 1] == "."):
            continue
        clear = [[m for m in group if word != "it" or m.start not in passed] for group in named]
        meant = _meaning(text, word, match.start(), openings, clear, index, voice)
        if meant is not None and word in ("it", "them") and _ENDS_CLAUSE.match(text, match.end(), end):
            # As an object, "it" may be anything named before, so that one thing alone must have been.
            near = {m.name for group in named[max(0, index - 1) : index + 1] for m in group if m.start < match.start()}
            meant = meant if near == {meant.name} else None
        if meant is None and topic is not None and topic.type in THINGS and word == "it":
            things = [m for group in named[: index + 1] for m in group if m.start < match.start() and m.type in THINGS]
            goes_on = any(m.start > match.start() for m in named[index])
            meant = topic if goes_on and not things else None
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


_OF_PEOPLE = re.compile(
    r"(?i)(?:\W|\b(?:so|and|but|yes|no|ok|also|btw|for|in|on|at) )*(?:we|i|you|they|let's|use|using)\b"
)


def _objects(text: str, sentences: Sequence[tuple[int, int]], named: Sequence[Sequence[Mention]]) -> frozenset[int]:
    """Where names stand that a sentence about something else leads to: "it" goes on about what that is."""
    found: set[int] = set()
    for (start, end), group in zip(sentences, named, strict=True):
        if not _OF_PEOPLE.match(text, start, end):
            tools = (m for m in group if m.found in ("software", "name") and m.start - start > _ARTICLE_CHARS)
            found.update(m.start for m in tools if not _OPENS.search(text, max(0, m.start - 12), m.start))
    return frozenset(found)


_ARTICLE_CHARS = 4
"""So far behind its start a sentence may still open with a name: "The Redis …"."""
_HEAD = re.compile(
    r"(?i)\b(?:the|this|that) ([a-z]+)\b(?! (?:of|that|which|for)\b)(?! [a-z]+ (?:is|was|has|runs|uses)\b)"
)


def _heads(text: str, start: int, end: int, named: Sequence[Mention]) -> list[Mention]:
    """The head of a name that was said before: "the store" behind "the session store"."""
    found = []
    for match in _HEAD.finditer(text, start, end):
        word = match[1].lower()
        meant = {
            m.name: m
            for m in named
            if m.end <= match.start() and m.found == "phrase" and m.name.lower().split()[-1] == word and " " in m.name
        }
        if len(meant) == 1:
            (one,) = meant.values()
            found.append(replace(one, start=match.start(), end=match.end(), found="pronoun"))
    return found


_FIRST_PERSON = word_set("i me my mine myself")


_KIN = r"(?i)\b(?:{}),?(?: (?:called|named))? $"
_MAN_BEFORE = re.compile(
    _KIN.format(
        r"mr\.?|(?:grand|step)?(?:father|son)s?|(?:step)?brother|husband|uncle|nephew|dad|daddy|grandpa|granddad|boyfriend"
    )
)
_WOMAN_BEFORE = re.compile(
    _KIN.format(
        r"m(?:r?s|iss)\.?|(?:grand|step)?(?:mother|daughter)s?|(?:step)?sister|wife|aunt|niece|mum|mom|mama|grandma|"
        r"granny|girlfriend"
    )
)
"""What a name follows that tells whether "he" or "she" goes on about it."""


def _meaning(
    text: str,
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
        other = _WOMAN_BEFORE if word in ("he", "him", "his") else _MAN_BEFORE
        people = {name: m for name, m in people.items() if not other.search(text, max(0, m.start - 24), m.start)}
        return replace(next(iter(people.values())), type=EntityType.PERSON) if len(people) == 1 else None
    wanted = _compatible(word)
    # A second definite noun is another thing than what its sentence names: "the app calls the API".
    for group in (*([] if " " in word else [earlier]), *reversed(before)):
        # The first thing named in a sentence is mostly its subject, and what "it" goes on about.
        for mention in group:
            if mention.type in wanted and (
                mention.start in openings
                or (
                    (mention.found != "name" or mention.type in THINGS)
                    and not (word == "it" and mention.type is EntityType.TOOL)
                )
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
