"""Who and what a message names.

Software is found by the gazetteer, people and places by the parser; a pronoun means what was named before it.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.language.gazetteer import HEAD_NOUNS, LONE_HEADS, NOT_NAMING, TEAM_HEADS
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import STOP_WORDS, canonical_name
from graphmem.rules.reading import phrases
from graphmem.rules.reading.bare_names import things_in
from graphmem.rules.reading.medicines import medicines
from graphmem.rules.reading.naming import THINGS, Mention, Voice, free, is_misread, is_thing
from graphmem.rules.reading.proper_names import proper_names, speaker_called
from graphmem.rules.reading.statements import MAX_READ_CHARS, RULE_VERB

__all__ = ["THINGS", "Mention", "Voice", "find_mentions", "free", "is_misread", "is_system_noun", "is_thing"]
_MODIFIER_TAGS = frozenset({"NN", "NNP", "NNS", "NNPS", "VBG", "AFX"})


_NAMING_ADJECTIVES = word_set(
    "archive nightly daily weekly front internal mobile core backup raw upload download export import audit admin "
    "partner"
)


_TASK = r"(?P<task>(?:[a-z][\w-]*\s){1,2}?[a-z][a-z-]{2,})"
_DATED = r"(?:deadline|due date|release date|launch date|end date|start date|status|budget|schedule|owner|goal)"
_SLOT_OF_TASK = re.compile(
    rf"(?i:\b{_DATED} (?:of|for) (?:the|our)) {_TASK}"
    r"(?=\s(?:is|are|was|will|has|had|moved|changed|slipped|remains|got)\b|:|'s|[.]?$)"
)
_TASK_WITH_SLOT = re.compile(rf"(?i:\b(?:the|our)) {_TASK}(?='s {_DATED}\b)")
_RELIES = (
    r"depends? (?:up)?on|rel(?:ies|y) (?:up)?on|calls?|invokes?|quer(?:ies|y)|talks? to|reads?(?: \w+)? from|"
    r"receives?|is (?:based|built) on|is written in|writes?(?: \w+)? to|connects? to|subscribes? to|"
    r"publishes(?: \w+)? to|runs? on|is (?:backed|powered) by"
)
_NEEDING = re.compile(
    r"\s(?:(?:also|now|still|directly|only|currently|already|no longer) )?"
    rf"(?:(?P<relies>{_RELIES})|uses|needs|requires|consumes|is (?:blocked|owned|maintained|run) by|is part of)\b"
)
_NEEDED = re.compile(
    rf"(?i)\b(?:{_RELIES}|uses|requires|needs|consumes|(?:used|needed|called|required) by|part of|blocks|blocked by)\s$"
)
_MORE_OF_NAME = re.compile(r"\s(?:of|that|which)\b|\s?-|\s[a-z]+(?:s|er|ing)\b")
_SYSTEM_NOUN = re.compile(
    r"(?:store|shop|web|micro)?(?:front|lith)|(?:front|back)-?end|back-?office|(?:dash|leader|switch)board|(?:web)?shop|"
    r"(?:web|micro)site|helpdesk|portal|middleware|firmware|ledger|catalog(?:ue)?|storage|bot|console|kiosk|intranet|"
    r"collector|detector|connector|aggregator|generator|emulator|validator|calculator|editor|mixer|"
    r"checkout|warehouse|parser|loader|renderer|scraper|planner|scanner|mailer|tracker|worker|broker|proxy|daemon|"
    r"resolver|observer|balancer|dispatcher|watcher|fetcher|(?!quar|let|mat|fil|news|para|chap|win|comp|coun|trig|dan|"
    r"sel|mana|cen|char|wa|clu|star|wri|set|get|poin|prin|pass|fin|sis|daugh|minis|disas|mon|mas|reg|tes|repor|pos|"
    r"deal|travel|cal)\w{3,}(?:dler|xer|ler|ter|ger|izer|iser)"
)
_NO_SYSTEM = re.compile(
    rf"{RULE_VERB}|\w*(?:tion|sion|ment|ness|ity|ance|ence|ing|ism|ship|age|ure|sis|sal|val|ist|ian|er|or|ful|ogy|cy|fix|map|put|up|mail|log|load|"
    r"date|time|day|week|month|year|man|person|side|work|thing|code|line|over|back|down)|"
    r"agreement|answer|approach|area|argument|army|aspect|audit|baby|ball|bank|bill|body|book|boss|brand|budget|business|camp|"
    r"campaign|case|cause|chance|chart|child|choice|church|city|class|client|club|column|command|company|concept|"
    r"contract|cost|country|couple|course|crew|crowd|data|deal|decree|default|demo|design|detail|diff|draft|dream|drill|"
    r"effort|event|example|fact|family|fault|feature|fee|field|file|film|firm|flag|flow|form|format|friend|front|game|"
    r"goal|graph|group|guest|guide|half|hand|head|hint|host|house|idea|impact|input|issue|item|kid|kind|launch|law|layout|rollout|timeout|agenda|milestone|calendar|lunch|dinner|exam|flight|lead|"
    r"level|life|limit|list|logic|login|look|loop|mail|method|model|mood|name|network|note|number|offer|order|output|"
    r"page|pair|parent|part|party|past|path|patch|people|phase|phone|piece|place|plan|point|pool|post|price|problem|"
    r"process|product|profit|project|proof|prop|proposal|quarter|query|quiz|quote|rate|reason|recipe|record|refund|"
    r"regime|report|rest|result|risk|role|room|root|route|rule|sale|scene|schema|school|scope|script|section|sense|set|"
    r"shape|shift|show|size|skill|solo|song|source|space|speech|sprint|staff|stage|state|step|story|study|stuff|style|"
    r"success|sum|summit|survey|table|talk|target|task|tax|team|text|theme|theory|ticket|title|token|tool|topic|total|"
    r"town|trade|trick|trip|truth|type|unit|usage|value|view|visit|voice|vote|wait|wall|week|weekend|whole|wife|window|"
    r"word|world|workshop"
)
"""Nouns for what people do, are and talk about: "the migration depends on billing-service"."""


def find_mentions(parsed: ParsedText, sentences: Sequence[tuple[int, int]], voice: Voice) -> list[list[Mention]]:
    """The names of each sentence, in order and without overlap."""
    named: list[list[Mention]] = []
    software = _software(parsed.text[:MAX_READ_CHARS], voice)
    tokens = _tokens_by_sentence(parsed, sentences)
    openings = {name.partition(" ")[0] for name in voice.known}
    for (start, end), inside in zip(sentences, tokens, strict=True):
        found = _tasks(parsed.text, start, end)
        found += free([m for m in software if start <= m.start and m.end <= end], found)
        found += free(_project(parsed.text, start, end, voice), found)
        found += free(proper_names(parsed, inside, voice), found)
        found += free(_phrases(inside), found)
        found += free(_known(inside, voice, openings), found)
        found += free(_compounds(inside, found), found)
        found += free(medicines(parsed.text, start, end), found)
        found += free(_definite(parsed.text, inside, found), found)
        named.append(sorted(found, key=lambda mention: mention.start))
    return _in_full([_without_appositions(parsed.text, mentions) for mentions in named], voice)


_APPOSED = re.compile(r" \((?:the|our|a|an) ")


def _without_appositions(text: str, named: Sequence[Mention]) -> list[Mention]:
    """The mentions without what only explains a name: "Pebble (the label printer daemon)" names Pebble, a system."""
    kept: list[Mention] = []
    for mention in named:
        last = kept[-1] if kept else None
        if (
            last
            and mention.found == "phrase"
            and last.found in ("name", "known", "software")
            and _APPOSED.fullmatch(text, last.end, mention.start)
        ):
            kept[-1] = replace(last, type=mention.type) if last.type not in THINGS and not last.certain else last
        else:
            kept.append(mention)
    return kept


def _in_full(named: Sequence[Sequence[Mention]], voice: Voice) -> list[list[Mention]]:
    """The mentions with heads that stand for a longer name said before: "the exporter" for "the payroll exporter"."""
    said = [m.name for mentions in named for m in mentions if m.found == "phrase"]
    longer = {name.lower(): name for name in (*sorted(voice.known), *said) if " " in name}

    def full(mention: Mention) -> Mention:
        if mention.found != "phrase" or " " in mention.name:
            return mention
        meant = [name for key, name in longer.items() if key.endswith(f" {mention.name.lower()}")]
        return replace(mention, name=meant[0]) if len(meant) == 1 else mention

    return [[full(mention) for mention in mentions] for mentions in named]


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


def _software(text: str, voice: Voice) -> list[Mention]:
    return [
        Mention(found.start, found.end, found.known.name, found.known.type, "software", found.known.role)
        for found in things_in(text, voice.systems)
        if found.known.name
    ]


def _phrases(inside: Sequence[tuple[int, Token]]) -> list[Mention]:
    """Names such as "the auth service", "the gateway" and "the platform team"; the article is left out."""
    found = []
    for position, (_, token) in enumerate(inside):
        head = token.text.lower()
        team = head in TEAM_HEADS
        owned = token.tag in ("NN", "NNS") and bool(_OWNED.search(_before(inside, position)))
        if not team and head not in HEAD_NOUNS and head not in LONE_HEADS and not owned:
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
        if first == position and _goes_on(inside, position):
            continue
        if before in ("a", "an") and first > 1 and inside[first - 2][1].text.lower() in ("is", "was", "'s", "as"):
            continue
        start, end = inside[first][1].start, token.end
        if (
            owned
            and head not in HEAD_NOUNS | LONE_HEADS | TEAM_HEADS
            and (first == position or _goes_on(inside, position))
        ):
            continue
        words = " ".join(part.text for _, part in inside[first : position + 1])
        kind = EntityType.ORGANISATION if team else EntityType.SYSTEM
        found.append(Mention(start, end, words, kind, "phrase"))
    return found


def _compounds(inside: Sequence[tuple[int, Token]], named: Sequence[Mention]) -> list[Mention]:
    """Things with a name of two or three nouns: "the event spool", "the DNS token", "the nightly export"."""
    found = []
    position = 0
    while position < len(inside):
        first = position + 1
        if inside[position][1].text.lower() not in ("the", "our"):
            position += 1
            continue
        last = first
        while last < len(inside) and last - first < 3 and _in_compound(inside[last][1]):
            last += 1
        position = max(first, last)
        words = [token for _, token in inside[first:last]]
        if not 2 <= len(words) <= 3 or words[-1].tag not in _HEAD_TAGS or not words[-1].text.islower():
            continue
        after = inside[last][1].text.lower() if last < len(inside) else ""
        head = words[-1].text.lower()
        if _ROLE.fullmatch(" ".join(w.text.lower() for w in words)):
            continue
        if after in ("of", "-", "/", "that") or head in _NO_THING or any(w.text.lower() in NOT_NAMING for w in words):
            continue
        if any(_TIME.fullmatch(word.text.lower()) for word in words):
            continue
        system = is_system_noun(head) or head in HEAD_NOUNS | _SYSTEM_HEADS
        made = words[-1].dep == "nsubjpass" and any(m.type is EntityType.TOOL for m in named)
        if not system and ((words[-1].tag == "NNS" and not made) or words[-1].dep == "pobj"):
            continue  # "announced in the release notes" names where, and no thing
        kind = EntityType.SYSTEM if system else EntityType.CONCEPT
        found.append(Mention(words[0].start, words[-1].end, " ".join(w.text for w in words), kind, "phrase"))
    return found


_SYSTEM_HEADS = word_set(
    """runner export import spool feed sync job hub vault relay mirror tier stack farm node host controller collector
    forwarder uploader downloader checker builder mixer editor sender receiver archive log console token"""
)
_TIME = re.compile(r"\w*(?:day|week|weekend|month|year|time|morning|evening|night|hour|minute|moment|noon)")
_NO_THING = word_set(
    """way thing kind sort lot bit problem issue question idea point reason part side end start beginning rest case fact
    team people person guy man woman change fix bug error cause story mistake answer decision meeting call version owner
    vendor contact maintainer lead manager list build file folder revision data info information content grounds area
    place name number update summary overview recap news"""
)


def _in_compound(token: Token) -> bool:
    word = token.text
    if not word.isalnum() or word.lower() in STOP_WORDS or word[0].isdigit():
        return False
    if token.tag in ("NN", "NNS", "VBG"):
        return word.islower() or word.isupper()
    return (token.tag == "NNP" and (word.isupper() or word.islower())) or word in _NAMING_TIMES


_HEAD_TAGS = frozenset({"NN", "NNS"})
_ROLE = re.compile(f"(?:{phrases.ROLES}|{phrases.SLOTS})")
_NAMING_TIMES = word_set("nightly daily weekly monthly quarterly annual yearly hourly")


_OWNED = re.compile(
    r"(?i)\b(?:owns?|looks? after|maintains?|responsible for|in charge of|owner of|takes? over|took over) (?:the|our) "
    r"(?:[\w-]+ ){1,2}$"
)
"""What somebody owns is a thing, whatever it is called: "Paloma owns the DNS token"."""


def _before(inside: Sequence[tuple[int, Token]], position: int) -> str:
    return "".join(f"{part.text} " for _, part in inside[max(0, position - 7) : position])


def _goes_on(inside: Sequence[tuple[int, Token]], position: int) -> bool:
    return position + 1 < len(inside) and inside[position + 1][1].tag in ("NN", "NNS")


_VERSION = re.compile(r"v?\d+")


def _is_modifier(token: Token) -> bool:
    word = token.text.lower()
    if (
        _VERSION.fullmatch(word)
        or not word.replace("-", "").isalnum()
        or word in NOT_NAMING
        or word in STOP_WORDS
        or word[:1].isdigit()
    ):
        return False
    return token.tag in _MODIFIER_TAGS or (token.tag == "JJ" and word in _NAMING_ADJECTIVES)


def _tasks(text: str, start: int, end: int) -> list[Mention]:
    """What has a date or a state without being a system: "the deadline of the search rewrite"."""
    found = []
    for match in (*_SLOT_OF_TASK.finditer(text, start, end), *_TASK_WITH_SLOT.finditer(text, start, end)):
        *modifiers, head = match["task"].split()
        plain = not set(modifiers) & NOT_NAMING and not STOP_WORDS & {*modifiers, head}
        if plain and head not in HEAD_NOUNS | TEAM_HEADS | LONE_HEADS and head.islower():
            found.append(Mention(match.start("task"), match.end("task"), match["task"], EntityType.TASK, "phrase"))
    return free(found, [])


def _project(text: str, start: int, end: int, voice: Voice) -> list[Mention]:
    """The project by its name; a name of one plain word counts only as it is written, and without an article."""
    words = canonical_name(voice.project or "").split()
    if not words:
        return []
    plain = len(words) == 1 and words[0].isalpha()
    pattern = (
        f"(?:{words[0]}|{words[0].capitalize()}|{re.escape(voice.project or '')})"
        if plain
        else "(?i:" + r"[\s_-]?".join(map(re.escape, words)) + ")"
    )
    before = r"(?<!\b[Tt]he )(?<!\b[Aa] )(?<!\b[Oo]ur )(?<!\b[Tt]his )" if plain else ""
    return [
        Mention(match.start(), match.end(), voice.project or "", EntityType.PROJECT, "known")
        for match in re.compile(rf"{before}(?<![\w/.@-]){pattern}(?![\w/@-])").finditer(text, start, end)
    ]


def _definite(text: str, inside: Sequence[tuple[int, Token]], named: Sequence[Mention]) -> list[Mention]:
    """One-word systems such as "the storefront", only as an end of a dependency whose other end is a software name."""
    anchors = [m for m in named if m.found in ("software", "phrase", "known") and m.type in THINGS]
    found = []
    for position, (_, token) in enumerate(inside[1:] if anchors else (), 1):
        word = token.text.lower()
        if inside[position - 1][1].text.lower() not in ("the", "our"):
            continue
        needs = _NEEDING.match(text, token.end)
        before = text[max(0, inside[0][1].start) : inside[position - 1][1].start]
        needed = _NEEDED.search(before) and any(m.end <= token.start for m in anchors)
        system = bool(_SYSTEM_NOUN.fullmatch(word))
        subject = needs and any(m.start > token.end for m in anchors)
        other = any(m.start > token.end and m.type is EntityType.SYSTEM for m in anchors)
        if (subject and (system or (other and needs and needs["relies"] and _may_be_system(token)))) or (
            system and needed and not _MORE_OF_NAME.match(text, token.end)
        ):
            found.append(Mention(token.start, token.end, token.text, EntityType.SYSTEM, "phrase"))
    return found


def is_system_noun(word: str) -> bool:
    """Whether a word alone tells a system: storefront, thumbnailer."""
    return bool(_SYSTEM_NOUN.fullmatch(word)) or word in LONE_HEADS


def _may_be_system(token: Token) -> bool:
    word = token.text.lower()
    return token.tag == "NN" and word.isalpha() and len(word) > 3 and not _NO_SYSTEM.fullmatch(word)


def _known(inside: Sequence[tuple[int, Token]], voice: Voice, openings: Collection[str]) -> list[Mention]:
    """Names the graph already has, in whatever case; single common words only where they are a noun."""
    found = []
    for first, (_, token) in enumerate(inside):
        # Most words open no known name, and are not worth three look-ups.
        if canonical_name(token.text).partition(" ")[0] not in openings:
            continue
        for last in range(min(first + 3, len(inside)), first, -1):
            name = " ".join(part.text for _, part in inside[first:last])
            ends = inside[last - 1][1].pos == "PUNCT"
            if len(name) < 3 or ends or canonical_name(name) not in voice.known or name.lower() in STOP_WORDS:
                continue
            if last - first > 1 or token.tag.startswith("NN"):
                person = speaker_called(canonical_name(name), voice)
                kind = EntityType.PERSON if person else EntityType.UNKNOWN
                found.append(Mention(token.start, inside[last - 1][1].end, person or name, kind, "known"))
                break
    return found
