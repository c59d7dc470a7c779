"""Slots: what an entity has one of at a time, such as a port, an owner, a primary database or a manager."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules.language.stems import word_set
from graphmem.rules.reading.clauses import Fact, Mood, Reading, end_of, matches
from graphmem.rules.reading.mentions import THINGS, Mention
from graphmem.rules.reading.phrases import NODE, ROLES, SLOTS, M, P

ROLE_NAMES = {
    "database": "primary database",
    "datastore": "primary database",
    "data store": "primary database",
    "db": "primary database",
    "caching layer": "cache",
    "caching": "cache",
    "broker": "message broker",
    "message queue": "message broker",
    "queue": "message broker",
    "event bus": "message broker",
    "ci": "CI system",
    "ci system": "CI system",
    "cloud": "cloud provider",
    "hosting provider": "cloud provider",
    "ide": "editor",
    "framework": "web framework",
    "data warehouse": "warehouse",
    "job queue": "task queue",
    "test runner": "test framework",
    "auth provider": "identity provider",
    "messaging": "message broker",
    "event streaming": "message broker",
}
IN_OR_FOR = re.compile(rf" (?:in|for) (?P<target>{NODE})")
"""Where a change was made: "replaced A with B in X"."""
AS_ROLE = re.compile(
    rf"\s(?:as|for)\s(?:(?:the|a|an|our|its|their|my|{P})\s)?(?:(?:primary|main|default|new|only|sole|"
    rf"production)\s)*"
    rf"(?P<role>{ROLES}|caching|messaging|event streaming)\b(?! \w*(?:data|logs|requests))",
    re.IGNORECASE,
)
_RANK = r"(?:(?:primary|main|default|production|new|current|official|final)\s)*"
_NOW = r"(?: now| currently| still| actually)?"
_BECOMES = (
    rf"(?: was| were| is| are| has been| have been| got| has| have| just| recently)*{_NOW} (?:changed|moved|set|"
    r"pushed|bumped|postponed|raised|lowered|extended|shifted|slipped|delayed|rescheduled|increased|reduced|renamed|"
    r"switched|transferred|updated|brought|went|migrated|passed|handed)(?: back| out| forward| over| up| down)?"
    rf"(?: from (?P<old>{NODE}|[\w./ -]{{1,30}}?))? to"
)
_IS = rf"(?: is| are| was| were| remains| will be| has been|'s){_NOW}(?: not| no longer)?{_NOW}|:| ="
_SAID = rf"(?P<body>(?:{_BECOMES}|{_IS}) (?P<value>[^;]+))"
# "the staging database of X" is another slot than "the database of X".
_STARTS = r"(?:^|(?<=[,:;(] )|(?<=\bthe )|(?<=\bour )|(?<=[\uf000-\uf8ff] )|(?<=\band ))"
_NAMED = rf"(?P<said>{_RANK}(?:(?P<slot>{SLOTS})|(?P<role>{ROLES})))"
_OUTAGE = r"(?: (?:outage|incident|failure|crash|downtime|error|issue|bug|problem))?"
_FILLED = (
    rf"(?:^|(?<=[,:;] ))(?P<value>{M}|(?:\d{{1,2}} )?[\w./-]+(?: \d{{1,2}})?)"
    rf"(?P<body> (?:is|was|remains|becomes|became){_NOW}"
)
SLOT_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_STARTS}{_NAMED} (?:of|for|on|in|behind) (?P<subj>{NODE}){_OUTAGE}{_SAID}",
        rf"(?:(?P<subj>{M})(?:'s?)?|(?P<own>{P})) {_NAMED}{_SAID}",
        rf"{_FILLED} (?:the |our )?{_NAMED} (?:of|for) (?P<subj>{NODE}))",
        rf"{_FILLED} (?:(?P<subj>{M})'s?|(?P<own>{P})) {_NAMED})",
    )
)
"""The port of X is 80; X's port is 80; 80 is the port of X; 80 is X's port."""
SLOT_ALONE = re.compile(
    rf"^(?:the |our )?(?P<said>(?:new |current )?"
    rf"(?P<slot>default branch|main branch|release date|deadline|launch date)|"
    rf"(?=primary|main|default|message broker|ci system|cloud provider|package manager|issue tracker)"
    rf"{_RANK}(?P<role>{ROLES})){_SAID}",
    re.IGNORECASE,
)
"""The default branch is main: of the project."""
KIN = (
    "sister|brother|mother|father|mom|mum|dad|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|"
    "son|daughter|cousin|aunt|uncle|grandmother|grandfather|"
    "grandma|grandpa|niece|nephew|boss|manager|colleague|coworker|roommate|best friend|friend|"
    "neighbou?r|dog|cat|puppy|kitten|mentor|therapist"
)
KIN_NAMED = re.compile(
    rf"(?:(?P<subj>{M})'s|(?P<own>{P})) (?:older |younger |little |big |new |"
    rf"twin )?(?P<kin>{KIN}),? ?(?:is |named |called |'s name is |is named |"
    rf"is called )?(?P<obj>{M})",
    re.IGNORECASE,
)
KIN_CALLED = re.compile(
    rf"(?P<obj>{M}) is (?:(?P<subj>{M})'s|(?P<own>{P})) (?:older |younger |little |big |new |"
    rf"twin )?(?P<kin>{KIN})\b",
    re.IGNORECASE,
)
KIN_DOES = re.compile(
    rf"(?:(?P<subj>{M})'s|(?P<own>{P})) (?:older |younger |little |big |"
    rf"twin )?(?P<kin>{KIN})(?P<body> (?:lives|works|moved|is an?|plays|studies|"
    rf"teaches|loves|prefers|owns|has (?:a|an|two|three)) [^;,]+)",
    re.IGNORECASE,
)

OWNER_SLOTS = {
    "owned": "owned_by",
    "maintained": "maintained_by",
    "led": "led_by",
    "managed": "managed_by",
    "overseen": "overseen_by",
}
SLOT_KEYS = {
    "owner": "owned_by",
    "maintainer": "maintained_by",
    "lead": "led_by",
    "tech lead": "led_by",
    "team lead": "led_by",
    "due date": "deadline",
    "main branch": "default_branch",
    "licence": "license",
    "title": "job_title",
}
SINGLE_KIN = {
    "wife": "partner",
    "husband": "partner",
    "partner": "partner",
    "girlfriend": "partner",
    "boyfriend": "partner",
    "fiance": "partner",
    "fiancé": "partner",
    "fiancée": "partner",
    "fiancee": "partner",
    "boss": "manager",
    "manager": "manager",
    "mother": "mother",
    "father": "father",
    "mom": "mother",
    "mum": "mother",
    "dad": "father",
}

_PETS = word_set("dog cat puppy kitten")
_SLOT_ASPECTS = {
    "owned_by": "ownership",
    "maintained_by": "ownership",
    "led_by": "ownership",
    "status": "status",
    "deadline": "status",
    "release_date": "status",
    "launch_date": "status",
    "birthday": "general",
    "anniversary": "general",
    "hometown": "location",
    "address": "location",
    "job_title": "work",
    "role": "work",
    "email": "general",
    "phone_number": "general",
    "nickname": "general",
    "middle_name": "general",
    "root_cause": "general",
    "goal": "general",
}
_DAY = (
    r"(?i)[^,]*(?:\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\b(?:today|tomorrow|tonight|week|month|quarter|year|easter|christmas)\b)"
)
_VALUES = {
    "port": re.compile(r"(?:tcp )?(?:port )?\d{2,5}\b"),
    "version": re.compile(rf"(?:version |v)?\d|{M}"),
    "deadline": re.compile(_DAY),
    "release_date": re.compile(_DAY),
    "launch_date": re.compile(_DAY),
    "owned_by": re.compile(NODE),
    "maintained_by": re.compile(NODE),
    "led_by": re.compile(NODE),
    "default_branch": re.compile(
        r"['\"]?(?!\w+ed\b|(?:broken|red|green|fine|ok|open|stable|unstable|ready|out|behind|ahead|frozen|clean|the|a|an|"
        rf"in|on|at)\b)(?:[\w./-]+|{M})['\"]?(?=$|[ ,.](?!\w+ed\b))"
    ),
}
"""What a value must look like: "the deadline is tight" says nothing about when."""
_ENDS_VALUE = re.compile(rf",(?! (?:and )?{M}|\s?\d{{4}}\b)| (?:until|since|because|although)\b| \(")
_DENIED = re.compile(r"\b(?:not|no longer)\b")
_UNSURE = frozenset({EntityType.UNKNOWN, EntityType.ORGANISATION})
_OPEN_ENDED = frozenset({"goal", "root_cause", "status", "role", "schedule"})


def role_name(word: str) -> str:
    """The one name of a role: "db" and "datastore" are the primary database."""
    lower = " ".join(word.lower().split())
    return ROLE_NAMES.get(lower, lower)


def read_slots(reading: Reading) -> list[Fact]:
    """ "The port of X is 80", "X's owner is P", "our database is Y", "Y is the message broker of X"."""
    patterns = (*SLOT_PATTERNS, SLOT_ALONE) if reading.project else SLOT_PATTERNS
    facts = []
    for pattern in patterns:
        for match in matches(pattern, reading.masked.text):
            names = match.groupdict()
            holders = reading.masked.named_in((names.get("subj") or "") + (names.get("own") or ""))
            holders = [reading.project] if pattern is SLOT_ALONE and reading.project else holders
            fact = _slot(reading, match, replace(holders[0], possessive=False)) if holders else None
            if fact is not None:
                facts.append(replace(fact, span=reading.masked.span(match.start("body"), match.end())))
    return facts


def _slot(reading: Reading, match: re.Match[str], holder: Mention) -> Fact | None:
    filled = match.start("value") < match.start("body")
    key = _key(match["slot"] or "")
    start, end = match.start("value"), match.end("value") if filled else _value_end(reading, match, key)
    value = reading.masked.text[start:end]
    shape = _VALUES.get(key) or (re.compile(NODE) if match["role"] else None)
    fits = shape.match(value) if shape else None
    if (shape and not fits) or (filled and (not shape or key.endswith("ed_by"))):
        return None
    verb = match["body"] if filled else reading.masked.text[match.start("body") : start]
    said = f"is {reading.words(start, end)}"
    if not filled and verb.strip() not in (":", "="):
        said = reading.words(match.start("body"), end)
    mood: Mood = "denied" if _DENIED.search(verb) else "planned" if "will be" in verb else "stated"
    values = reading.masked.named_in(fits[0] if fits and match["role"] else value)
    if match["role"]:
        fact = _role_fact(holder, match["role"], _content(reading, match, holder, said), mood, values)
    else:
        fact = slot_fact(holder, match["slot"], _content(reading, match, holder, said), mood, values)
    if fact is None:
        return None
    told = " ".join(sorted(m.name for m in values)) or reading.words(start, end)
    # "was" tells what it was once; the cause of what is over stays its cause.
    over = verb.split()[:1] in (["was"], ["were"]) and not verb.rstrip().endswith(" to") and key != "root_cause"
    return replace(fact, claim_key=None, needs=()) if over else replace(fact, value=told)


def _content(reading: Reading, match: re.Match[str], holder: Mention, said: str) -> str:
    word = match["said"] if match["said"][:2].isupper() else match["said"][:1].lower() + match["said"][1:]
    if match["role"] and match.groupdict().get("subj") and match.start("said") < match.start("subj"):
        return f"The {word} of {reading.show(holder)} {said}"
    return f"{reading.show(holder)}'s {word} {said}"


def _value_end(reading: Reading, match: re.Match[str], key: str) -> int:
    text = reading.masked.text
    end = min(end_of(reading.masked, match.start("value")), match.end("value"))
    stop = None if key in _OPEN_ENDED else _ENDS_VALUE.search(text, match.start("value") + 1, end)
    return stop.start() if stop else end


def _key(slot: str) -> str:
    word = slot.lower().replace("favourite", "favorite")
    return SLOT_KEYS.get(word, word.replace(" ", "_"))


def _role_fact(holder: Mention, role: str, content: str, mood: Mood, values: Sequence[Mention]) -> Fact | None:
    things = tuple(m for m in values if m.type in THINGS or (m.type in _UNSURE and m.found == "name"))
    if not things:
        return None
    stated = mood == "stated"
    needs = _uses(holder, things) if stated else ()
    claim = f"uses:{role_name(role)}" if stated else None
    return Fact("uses", holder, "architecture", content, mood, claim, needs, things)


def _uses(holder: Mention, things: Sequence[Mention]) -> tuple[tuple[Mention, Mention, DependencyType], ...]:
    needing = holder.type in THINGS or holder.type is EntityType.UNKNOWN
    return tuple((holder, thing, DependencyType.USES) for thing in things) if needing else ()


def slot_fact(holder: Mention, slot: str, content: str, mood: Mood, values: Sequence[Mention] = ()) -> Fact:
    """The fact that a slot of the holder has these values; an owner is a dependency too."""
    key = _key(slot)
    aspect = "preferences" if key.startswith("favorite") else _SLOT_ASPECTS.get(key, "configuration")
    # The small model takes Nadia for a place as often as not.
    owners = [m for m in values if m.type not in THINGS | {EntityType.TASK}]
    owners = owners if aspect == "ownership" else []
    stated = mood == "stated"
    needs: tuple[tuple[Mention, Mention, DependencyType], ...] = ()
    if stated and holder.type is not EntityType.PERSON:
        needs = tuple((holder, owner, DependencyType.OWNED_BY) for owner in owners)
    if stated and key == "primary_language":
        needs = _uses(holder, [m for m in values if m.type is EntityType.TOOL])
    types = tuple(
        (m.name, EntityType.PERSON) for m in owners if m.type is not EntityType.ORGANISATION or m.found == "name"
    )
    return Fact(f"slot:{key}", holder, aspect, content, mood, key if stated else None, needs, tuple(values), types)


def read_kin(reading: Reading) -> list[Fact]:
    """ "My sister Anna …", "my wife works at …": facts about the one whose sister she is."""
    return [
        fact
        for pattern in (KIN_NAMED, KIN_CALLED, KIN_DOES)
        for match in pattern.finditer(reading.masked.text)
        if (fact := _kin(reading, match)) is not None
    ]


def _kin(reading: Reading, match: re.Match[str]) -> Fact | None:
    holders = reading.masked.named_in((match["subj"] or "") + (match["own"] or ""))
    if not holders or holders[0].type is not EntityType.PERSON or holders[0].group:
        return None
    holder, word = replace(holders[0], possessive=False), match["kin"].lower()
    if "body" in match.groupdict():
        said = reading.words(match.start("body"), end_of(reading.masked, match.start("body") + 1))
        content, span = f"{reading.show(holder)}'s {word} {said}", reading.masked.span(*match.span("body"))
        return Fact("kin", holder, "relationships", content, "stated", span=span)
    other = reading.masked.named_in(match["obj"])[0]
    if other.found != "name" or other.name == holder.name:
        return None
    types = () if word in _PETS else ((other.name, EntityType.PERSON),)
    content = f"{reading.show(holder)}'s {word} is {other.name}"
    span, slot = reading.masked.span(*match.span()), SINGLE_KIN.get(word)
    return Fact("kin", holder, "relationships", content, "stated", slot, (), (other,), types, other.name, span)
