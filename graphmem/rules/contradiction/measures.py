"""Amounts, times, colours and opposites that two statements tell of the same, by whatever verb and in whatever order.

`rules.contradiction.exclusion` looks at where the verb stands. Here a statement is its values by sort (a span, a price,
a time of day, a count of people, a colour), and its topic: all other words, but for those that any value of that sort
has ("takes", "lasts" and "journey" of a span). Two statements with one topic and another value of one sort cannot both
hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import KINDS, LIGHT, MOVERS, SAME
from graphmem.rules.contradiction.antonyms import key, opposites, respell, sides
from graphmem.rules.contradiction.concepts import concept
from graphmem.rules.contradiction.laying import Laid, lay
from graphmem.rules.language.stems import stem, stems, word_set
from graphmem.rules.language.text import fold, words

_CURRENCIES = frozenset(
    map(key, ("euros", "dollars", "pounds", "francs", "crowns", "zloty", "yen", "rupees", "kronor"))
)
_UNITS = {"s": "span", "mo": "span", "ms": "span", "b": "b", "celsius": "celsius", "m": "length", "mm": "length"}
_SIZE = re.compile(r"(-?\d+(?:\.\d+)?)([a-z]+)")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTHS = word_set("january february march april june july august september october november december")
_PEOPLE = stems(
    """people person member nurse engineer developer employee doctor teacher player colleague volunteer guard worker
    assistant clerk waiter cook driver technician analyst officer carer"""
)
_LABELS = stems("size")
_DIRECTED = word_set("from to into before after above below without until under over")
"""Prepositions of which another one makes it another thing: the train from Rome, the train to Rome."""
_NOT_SURE = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|neither|used to|if|unless|only|also|too|both|either|once|or|another|most"
    r"|some"
    r"|many|half|few|several|sometimes|often|least|most|more|less|than|except|usually|additional|plus|without"
    r"|extra|(?:is|are) closed (?:at|after|before|from|until))\b|n't\b"
)
_HAVING = re.compile(
    r"\b(?:has|have|got|gets?|comes? with|ships? with|with|keeps?|leaves?) (?!(?:the|his|her|its|their|our|my|this"
    r"|that)\b)"
    r"([\w' -]+)"
)
_BEING = re.compile(r"\b(?:is|are|am|been|became|becomes?|stays?|remains?|turned)\b ([\w' -]+)")
_PREPOSITION = re.compile(rf" (?:{'|'.join(sorted(table.PREPOSITIONS))}|and|but|because|since|after|when)\b.*")
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|almost|nearly|approximately|some|circa|close to|just over|just under)\b"
)
_FAR_APART = 1.3
"""How many times larger one of two rough amounts is, so that they differ."""


@dataclass(frozen=True)
class Measured:
    """A statement as its values by sort, the words it says of its subject (`told`), and all its other words with the
    directed preposition before each. `rough`: the amounts are."""

    values: Mapping[str, str]
    told: tuple[str, ...]
    topic: Mapping[str, str]
    rough: bool


@lru_cache(maxsize=4_096)
def measured(content: str) -> Measured | None:
    """The statement read so; None where it denies, doubts, limits or tells of the past.

    >>> one = measured("The journey to the mill takes an hour.")
    >>> one and (dict(one.values), sorted(one.topic))
    ({'span': '3600s'}, ['journey', 'mil', 'tak'])
    """
    text = fold(content)
    text = respell((_YEAR_LONG.sub(r"\1 \2s", text) if "-" in text else text).rstrip(" .!"))
    for mark, pattern, form in _FORMS:
        if mark in text:
            text = pattern.sub(form, text)
    laid = lay(text)
    releases = {fold(name) for name in _RELEASE.findall(content)} if _DIGIT.search(content) else set()
    releases.update(_LEAST_RELEASE.findall(text))
    if laid.past or laid.denied or _NOT_SURE.search(laid.raw):
        return None
    values: dict[str, str] = {}
    topic: dict[str, str] = {}
    before = ""
    for index, (said, one) in enumerate(zip(laid.said, laid.keys, strict=True)):
        if said in table.PREPOSITIONS or said in _DIRECTED:
            before = said if said in _DIRECTED else ""
            continue
        if one == "be" or said in table.EMPTY or said in table.AUX or one in _CURRENCIES:
            continue
        if laid.said[index - 1 : index] and laid.said[index - 1] in releases and one[0].isdigit():
            topic.pop(_concept(laid.keys[index - 1]), None)
            values[f"release {laid.said[index - 1]}"] = one
            continue
        if told := _value(laid, index):
            if values.setdefault(*told) != told[1]:
                return None  # two of one sort
            continue
        topic.setdefault(_concept(one), before)
    if not values and (every := _EVERY.search(text)):
        rest = measured(_EVERY.sub("", text, count=1))
        return rest and Measured({"interval": _interval(every)}, rest.told, rest.topic, rest.rough)
    if day := values.pop("day", ""):
        values |= {"date": f"{values['date']}.{day}"} if "date" in values else {"count": day}
    if "date" in values and "year" in values:
        values["date"] += f"/{values.pop('year')}"
    return Measured(values, _told(laid.raw), topic, bool(_ABOUT.search(laid.raw)))


_RELEASE = re.compile(
    r"\b((?!(?:January|February|March|April|May|June|July|August|September|October|November|December|Room|Hall|Gate"
    r"|Line"
    r"|Floor|Level|Platform|Track|House|Number|No|Chapter|Page|Week|Day|Year|Class|Grade|Unit|Bus|Tram|Team|Group|Ward"
    r"|Route|Highway|Road|Street|Section|Article|Part|Phase|Round|Season|Episode|Volume|Block|Building|Court|Box|Slot"
    r"|Port|Version|Only|About|At|In|On|By|To|From|For|Until|Since|Of|The|And|With|Every|After|Before|Under|Over"
    r"|Than)\b)"
    r"[A-Za-z]*[A-Z][A-Za-z.+#]*|[Ff]irmware) (?:version |release |v)?\d+(?:\.\d+){0,3}\b(?!%|[:,]\d|\d)"
    r"(?! (?!(?:or|and|is|was|are|as|at|on|in|to|for|from|by|since|with|only|now|instead|upwards|has|will|can"
    r"|next|this|last|soon|later|today|throughout|alone)\b)[a-z])"
)
"""What has a name and releases that are counted: PostgreSQL 16, iOS 17, firmware 2.8. Not what a number names, as a
room or a house: "Node 3 kitchen"."""
_EVERY = re.compile(
    r"\b(?:every|each|once an?) (?:(?P<count>\d+|two|three|four|five|six|eight|ten|twelve|fifteen|thirty|other"
    r"|half(?: an?)?) )?"
    r"(?P<unit>second|minute|hour|day|night|evening|morning|week|fortnight|month|year)s?\b(?! (?:at|on|in)\b)"
    r"|\b(?P<often>hourly|daily|nightly|weekly|fortnightly|biweekly|monthly|yearly|annually)$"
)
_OFTEN = {"dai": "day", "night": "day", "evening": "day", "morning": "day", "annual": "year", "fortnight": "2 week"}


def _interval(found: re.Match[str]) -> str:
    """How often, as a count of the longest unit that was told."""
    unit = found["unit"] or found["often"].removesuffix("ly").removeprefix("bi")
    if found["often"] == "biweekly":
        return "2 week"
    unit = _OFTEN.get(unit, unit)
    count = found["count"] or "1"
    return unit if " " in unit else f"{ {'other': '2'}.get(count, key(count)) } {unit}"


_LEAST_RELEASE = re.compile(r"minimum ([a-z.+#]+) \d")
_YEAR_LONG = re.compile(r"\b([a-z]+|\d+)-(hour|minute|day|week|month|year)\b")
_FORMS = tuple(
    (mark, re.compile(pattern), form)
    for mark, pattern, form in (
        (" at least ", r"\bat least (?=[a-z.+#]+ \d)", "minimum "),
        (" or ", r"\b([a-z.+#]+ \d[\d.]*) or (?:later|higher|newer|above|up)\b", r"minimum \1"),
        (
            "minimum ",
            r"^(?:the )?minimum ([a-z.+#]+) version (?:for|of) (.+?) is (?:now )?(?=\d)",
            r"\2 needs minimum \1 ",
        ),
        ("minimum ", r"'s minimum ([a-z.+#]+) version is (?:now )?(?=\d)", r" needs minimum \1 "),
        (
            "ing time",
            r"^(?:(?:the|our) )?(?:(\w+) )?(open|clos)(?:e)?ing time (?:of|at|for) (.+?) is (?:at )?",
            r"\3 \2s on \1 at ",
        ),
        ("bedtime", r"^(.+?)'s bedtime(?: on ([\w ]+?))? is (?:at )?", r"\1 go to bed on \2 at "),
        (" backed up", r"\b(?:is|are) backed up\b", "backup"),
        (" born", r"\b(?:was|were) born\b", "is born"),
        (" founded", r"\b(?:was|were) founded\b", "is founded"),
        (" runs until", r"\bruns (?:until|till) (?=(?:the end of )?[a-z\d ]*?\d|the end of)", "ends on "),
        (" expires ", r"\bexpires (?:on|in|at)\b", "ends on"),
        (
            " a",
            r"\b(takes?|lasts?|needs?|about|roughly|around|nearly|almost)( [\w']+)?( about| roughly| around| nearly"
            r"| almost)?"
            r" an? (hour|minute|day|week|month|year)\b",
            r"\1\2\3 1 \4",
        ),
        (" time", r"\btimes? out after (?:an?\b)?", "timeout is 1 "),
        (
            " timeout is 1 ",
            r"\btimeout is 1  ?(?=\d|two|three|four|five|six|ten|twelve|fifteen|twenty|thirty)",
            "timeout is ",
        ),
        (" good for", r"\b(?:is|are) (?:now )?good for\b", "is valid for"),
        (" expire", r"\bexpires? (?:every|after) (?=\d|\w+ (?:days|weeks|months|years|hours))", "is valid for "),
        (" open ", r"\b(?:is|are|stays?|remains?) open (?:until|till)\b", "closes at"),
        ("population", r"\bpopulation (?:of|in) (.+?) (?:is|numbers|stands at|comes to) (\d+)$", r"\1 has \2 people"),
        ("once ", r"\bonce (?=an?\b|per\b|every\b|each\b)", "1 times "),
        ("twice ", r"\btwice (?=an?\b|per\b|every\b|each\b)", "2 times "),
        ("thrice ", r"\bthrice (?=an?\b|per\b|every\b|each\b)", "3 times "),
        ("get", r"\bgets? in at\b", "arrives at"),
        ("plane", r"\bplanes?\b", "flight"),
        (
            "ly ",
            r"\b(annual|yearly|monthly|weekly|daily|hourly) ((?:\w+ ){1,2}?)(?:of|is) (\d[\d.]* \w+)",
            r"\2 of \3 per \1",
        ),
        ("annual ", r"\bannual ((?:\w+ ){1,2}?)(?:of|is) (\d[\d.]* \w+)", r"\1 of \2 per year"),
        (
            "abled",
            r"^(.+?) (?:has|have) (?:the |their |its )?([\w -]{2,40}?) (enabled|disabled)$",
            r"\2 is \3 for \1",
        ),
        (" free", r"\b(?:is|are) (?:free of charge|free of cost|gratis|complimentary)\b", "costs 0 eur"),
        (" free", r"\b(admission|entry|entrance|tickets?) (?:is|are) free\b", r"\1 costs 0 eur"),
        (" charge", r"\bat no (?:charge|cost)\b", "costs 0 eur"),
        (" per ", r"\bper (?:annual|yearly)\b", "per year"),
        (" per ", r"\bper monthly\b", "per month"),
        (" per ", r"\bper weekly\b", "per week"),
        (" per ", r"\bper daily\b", "per day"),
        (" per ", r"\bper hourly\b", "per hour"),
    )
)
"""Ways to tell a value, brought to one; each with words without which it cannot match."""


_SIZES = {"high": "height", "tal": "height", "wid": "width", "deep": "depth", "heavi": "weight", "wide": "width"}
_DEMONYMS = {
    stem(people): stem(land)
    for land, people in (
        pair.split("=")
        for pair in word_set(
            """belgium=belgian asia=asian europe=european africa=african america=american australia=australian
            austria=austrian germany=german france=french italy=italian spain=spanish portugal=portuguese
            netherlands=dutch switzerland=swiss sweden=swedish norway=norwegian denmark=danish finland=finnish
            iceland=icelandic ireland=irish britain=british england=english scotland=scottish wales=welsh
            poland=polish czechia=czech slovakia=slovak hungary=hungarian romania=romanian bulgaria=bulgarian
            greece=greek turkey=turkish russia=russian ukraine=ukrainian serbia=serbian croatia=croatian
            slovenia=slovenian estonia=estonian latvia=latvian lithuania=lithuanian japan=japanese china=chinese
            korea=korean india=indian pakistan=pakistani vietnam=vietnamese thailand=thai indonesia=indonesian
            brazil=brazilian mexico=mexican argentina=argentinian chile=chilean peru=peruvian canada=canadian
            egypt=egyptian morocco=moroccan nigeria=nigerian kenya=kenyan ghana=ghanaian israel=israeli iran=iranian
            iraq=iraqi"""
        )
    )
}
"""By what is called after a land, the land."""


@lru_cache(maxsize=20_000)
def _concept(one: str) -> str:
    same = _SIZES.get(one) or _DEMONYMS.get(one) or SAME.get(one, one)
    return same if same in KINDS else concept(same)


_GENERIC = {
    sort: frozenset(_concept(one) for word in text.split() for one in (stem(word), key(word), stem(f"{word}s")))
    for sort, text in {
        "span": """come get include offer give last take need require long duration journey trip way ride drive
            get reach go travel length time wait whole full spend require requirement""",
        "money": """entry ticket cost price fee pay charge rate come ask want amount set back customer visitor guest
            person people you tuition salary""",
        "clock": "start begin get",
        "celsius": "keep hold store set maintain steady temperature degree celsius stay",
        "b": "get come include offer contain provide customer user give allow space volume",
        "people": """population inhabitant live resident staff work cover man run handle consist count number strong
            include employ do""",
        "colour": "paint colour dark pale light bright deep",
        "year": "born birth year",
        "date": "put plan schedule week weekend early late mid middle end beginning first day",
        "ip": "address reach ip host find at get under",
        "number": "size number wear take have",
        "release": "run use install have get need require version release stand",
        "interval": "take make do run happen get",
        "length": "long length far away measure",
        "times": "time run go come happen take do",
        "share": "get have give offer rate percent",
        "count": """long have allow limit permit get come include offer contain provide let take need give number count
            belong hold own""",
        "state": "default keep leave ship come status",
    }.items()
}
"""By sort, the words that say nothing but that there is such a value."""


def _value(laid: Laid, index: int) -> tuple[str, str] | None:
    """The sort and the value of a word, if it is one."""
    said, one = laid.said[index], laid.keys[index]
    last = laid.said[index - 1] if index else ""
    after = laid.keys[index + 1] if index + 1 < len(laid.keys) else ""
    if _is_month(laid, index):
        return "date", one
    if stem(said) in _COLOURS:
        return "colour", one
    if not one[0].isdigit() and not (one[0] == "-" and len(one) > 1):
        return None
    if last in _NAMING:
        return None
    if size := _SIZE.fullmatch(one):
        return (_UNITS[size[2]], one) if size[2] in _UNITS else None
    if _IP.fullmatch(one):
        return "ip", one
    if ":" in one or (last == "at" and one.isdigit() and int(one) <= 24 and (not after or after in table.PREPOSITIONS)):
        return "clock", one if ":" in one else f"{one}:00"
    if after in _CURRENCIES or last in ("eur", "usd", "gbp", "chf"):
        return "money", one
    if last == "minus":
        return "celsius", f"-{one}celsius"
    if after == "degre":
        return "celsius", f"{one}celsius"
    if after == "time":
        return "times", one
    if after in _PEOPLE:
        return "people", one
    months = [_is_month(laid, place) for place in (index - 2, index - 1, index + 1, index + 2)]
    if _DAY.fullmatch(one) and any(months[1:]):
        return "day", one
    if _YEAR.fullmatch(one) and any(months[:2]):
        return "year", one
    if one.startswith("0."):
        return "share", one
    if _YEAR.fullmatch(one) and not after:
        return "year", one
    if stem(last) in _LABELS or (last in ("a", "take", "takes", "wear", "wears") and after in ("in", "")):
        return "number", one
    if after and (
        not last or last in table.PREPOSITIONS or _concept(laid.keys[index - 1]) in _COUNTING or last in table.AUX
    ):
        return "count", one
    return None


def _is_month(laid: Laid, index: int) -> bool:
    """Whether the word names a month; May is 5 where it stands as one (`rules.contradiction.laying`)."""
    if not 0 <= index < len(laid.said):
        return False
    said, after = laid.said[index], laid.said[index + 1 : index + 2]
    if said in _MONTHS or (said.startswith("month") and _NUMBERED_MONTH.fullmatch(said)):
        return True
    if said != "5":
        return False
    before = laid.said[index - 1] if index else ""
    whole = not after or bool(_YEAR.fullmatch(after[0]))
    return whole and (before in _BEFORE_MAY or bool(_DAY.fullmatch(before)))


_DAY = re.compile(r"0?[1-9]|[12]\d|3[01]")
_NUMBERED_MONTH = re.compile(r"month\d\d")
_BEFORE_MAY = frozenset({"in", "to", "for", "of", "until", "on", "by", "since"})
_DIGIT = re.compile(r"\d")
_COLOURS = frozenset(word for word, kinds in KINDS.items() if any(kind == 0 for kind, _ in kinds))
_COUNTING = _GENERIC["count"] | {"be"}
_NAMING = frozenset({"number", "no", "nr"})
"""Behind these a number is a name: number 7 is full, and so is number 9."""


def _told(raw: str) -> tuple[str, ...]:
    """The words said of the subject behind "is", or had by it without an article that names a known one."""
    found = [_PREPOSITION.sub("", match[1]) for pattern in (_BEING, _HAVING) for match in pattern.finditer(raw)]
    return tuple(word for part in found for word in words(part))


def differ(old: str, new: str) -> tuple[str, str] | None:
    """What both statements tell of the same and cannot both be: the two values, or None."""
    before, after = measured(old), measured(new)
    if before is None or after is None:
        return None
    sorts = [sort for sort in before.values if before.values[sort] != after.values.get(sort)]
    if [sort for sort in after.values if before.values.get(sort) != after.values[sort]] != sorts or len(sorts) > 1:
        return None
    if not sorts:
        return _opposed(before, after)
    sort = sorts[0]
    one, other = before.values[sort], after.values[sort]
    if sort.startswith("release ") and (
        one.startswith(f"{other}.")
        or other.startswith(f"{one}.")  # 3.11 is a 3
        or not _ANY_RELEASE.isdisjoint((*before.topic, *after.topic))
    ):
        return None
    if sort == "money" and _period(old) != _period(new):
        return None
    if not _same_topic(before, after, sort, frozenset()):
        return None
    if sort == "colour" and not all(value in map(key, side.told) for value, side in ((one, before), (other, after))):
        return None  # the red car is not the blue one
    if sort == "date" and _may_be_one_day(one, other):
        return None
    if (before.rough or after.rough) and _ratio(one, other) < _FAR_APART:
        return None
    return one, other


def _may_be_one_day(one: str, other: str) -> bool:
    """Whether what both dates tell of month, day and year is the same: 14 May, May 2026."""
    return all(mine == yours or not (mine and yours) for mine, yours in zip(_parts(one), _parts(other), strict=True))


def _parts(date: str) -> tuple[str, str, str]:
    rest, _, year = date.partition("/")
    month, _, day = rest.partition(".")
    return month, day, year


_EACH = re.compile(
    r"\b(?:per|an?|each|every) (hour|day|night|week|month|year)\b|\b(annual|hour|dai|night|week|month|year)(?:ly)?\b"
)


def _period(content: str) -> set[str]:
    """For how long the price is paid."""
    found = {match[1] or match[2] for match in _EACH.finditer(fold(content))}
    return {{"annual": "year", "dai": "day"}.get(one, one) for one in found}


def _ratio(one: str, other: str) -> float:
    sizes = [float(found[1]) for value in (one, other) if (found := re.match(r"(\d+(?:\.\d+)?)", value))]
    return max(sizes) / (min(sizes) or 1) if len(sizes) == 2 and one[-1] == other[-1] else 1.0


def _opposed(before: Measured, after: Measured) -> tuple[str, str] | None:
    """Two words that exclude each other, each told of the subject, all else being the same."""
    pairs = [(one, other) for one in before.told for other in after.told if _of_one_kind(one, other)]
    for one, other in (*opposites(before.told, after.told), *pairs):
        if _same_topic(before, after, "state", frozenset({_concept(key(one)), _concept(key(other))})):
            return one, other
    return None


def _of_one_kind(one: str, other: str) -> bool:
    """Whether a thing is at most one of the two at a time."""
    mine, yours = (KINDS.get(stem(word), ()) for word in (one, other))
    kinds = {kind for kind, _ in mine} & {kind for kind, _ in yours}
    return bool(kinds) and not {*mine} & {*yours}


def _same_topic(before: Measured, after: Measured, sort: str, apart: frozenset[str]) -> bool:
    """Whether both speak of the same but for the words that any value of the sort has."""
    mine, yours = (topic_of(side, sort) - apart for side in (before, after))
    if sort == "money":
        mine, yours = (side - _PAID if not other & _PAID else side for side, other in ((mine, yours), (yours, mine)))
    if not mine or mine != yours:
        return False
    leads = [(before.topic[word], after.topic[word]) for word in mine]
    return not any(one and other and one != other for one, other in leads)


_ANY_RELEASE = frozenset(
    map(
        _concept,
        stems("support work compatible test schedule plan available allow accept read understand write handle build"),
    )
)
"""What may be said of several releases at a time."""
_PAID = frozenset(map(_concept, map(key, ("rent", "subscription", "membership", "admission"))))
"""What is paid for where only one side says so: the rent for the flat."""


def topic_of(side: Measured, sort: str) -> frozenset[str]:
    """What the statement measures by a value of the sort."""
    return frozenset(side.topic) - _GENERIC.get(sort.partition(" ")[0], frozenset()) - _IDLE


_IDLE = (
    LIGHT
    | MOVERS
    | {SAME.get(one, one) for one in MOVERS}
    | frozenset(
        map(
            _concept,
            map(key, ("minus", "roughly", "approximately", "nearly", "almost", "around", "steady", "within", "whole")),
        )
    )
)


def sided_of(side: Measured) -> frozenset[str]:
    """The words told of the subject that have an opposite."""
    told = {word for by_side in sides(side.told).values() for word in by_side.values()}
    return frozenset(_concept(key(word)) for word in side.told if word in told or stem(word) in KINDS)
