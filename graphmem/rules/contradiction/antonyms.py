"""The words by which contradictions are read: opposites, negations, verbs, scopes; and keys to compare them."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from graphmem.rules.claims import CURRENCIES, UNITS
from graphmem.rules.language.stems import entries, stem, stems, word_set
from graphmem.rules.language.text import STOP_WORDS

# Each side lists words that say the same; a word stands for all its forms (enables, enabled, enabling).
# Kept out on purpose: before/after, first/last, left/right, always/never (the latter is a negation).
PAIRS = entries(
    """enable / disable; activate / deactivate; active / inactive terminated expired; allow permit / deny forbid
    prohibit
    disallow; open / close shut; start / stop; begin / end; include / exclude; accept approve / reject
    decline; true / false; add / remove delete; online / offline; public / private confidential secret; available /
    unavailable; connect / disconnect; install / uninstall; lock / unlock; show visible / hide
    invisible; valid / invalid; stable / unstable; secure safe / insecure unsafe; encrypt / unencrypted
    decrypt; supported / unsupported; mandatory required compulsory / optional; supports / opposes; manual manually /
    automatic automatically; synchronous sync / asynchronous async; pass / fail; increase / decrease;
    upgrade / downgrade; subscribe / unsubscribe; mute / unmute; grant / revoke; pause / resume; attach
    / detach; mutable / immutable; stateful / stateless; love like enjoy / hate dislike; married /
    single divorced unmarried; employed / unemployed; hire / fire; buy / sell; win / lose; alive / dead;
    present / absent; full / empty; free / paid; dark / light; known / unknown; guilty / innocent; legal
    / illegal; hot / cold; raise / lower; rise / fall; exact precise / approximate; intact undamaged / broken
    damaged; wet / dry; clean / dirty; high / low; fast quick / slow; cheap / expensive; strong / weak; easy /
    difficult hard; long / short; big large / small; healthy / sick ill; occupied / vacant; voluntary /
    mandatory compulsory; permanent / temporary; internal / external; fresh / stale; loud / quiet silent;
    awake / asleep; static / dynamic; early / late; deprecated / supported; asc ascending / desc descending;
    inbound incoming / outbound outgoing; forward / backward; safe / dangerous; busy / idle; frozen / thawed;
    success successful / failure; junior / senior; succeed / fail; rich / poor; solvent / bankrupt; blocked /
    unblocked; serial sequential /
    parallel concurrent; maximum / minimum"""
)
"""Opposites, each side one or more words; they exclude each other in both directions. *Source*: seed 004."""
PARTICLES: tuple[tuple[str, str], ...] = (("on", "off"), ("up", "down"))
"""Pairs whose words are mostly prepositions: they count only as a state ("is off", "turned off the lamp")."""

_STATE_VERBS = word_set(
    "is are was were be been being remains remain stays stay keeps keep currently now back it's went go goes"
)
_SWITCHES = word_set("turn turned turns turning switch switched switches switching toggle toggled toggles set")
_AFTER_STATE = word_set("now again since for in by during because until at after and but today here permanently")
_COMPOUNDS = frozenset(
    {("open", "source"), ("open", "sourced"), ("free", "software"), ("light", "weight"), ("single", "page")}
)
# Seed 004's twenty, and the contractions it leaves out; without an apostrophe they are met too (doesnt).
CONTRACTED = word_set(
    """don't doesn't won't can't isn't aren't wasn't weren't haven't hasn't hadn't couldn't shouldn't
    wouldn't didn't mustn't needn't mightn't ain't"""
)
CONTRACTED |= {word.replace("'", "") for word in CONTRACTED}
NEGATIONS = CONTRACTED | word_set("not no never nor neither cannot none nobody")
"""Words that turn a statement round. *Source*: seed 004, signal 1."""

_ALIASES = dict(
    pair.split("=")
    for pair in word_set("""january=1 february=2 march=3 april=4 may=5 june=6 july=7 august=8 september=9 october=10
    november=11 december=12 month01=1 month02=2 month03=3 month04=4 month05=5 month06=6 month07=7 month08=8 month09=9
    month10=10 month11=11 month12=12 feb=2 mar=3 apr=4 jun=6 jul=7 aug=8 sep=9 oct=10 nov=11 dec=12 one=1 two=2
    three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 postgres=postgresql psql=postgresql
    mongo=mongodb js=javascript ts=typescript k8s=kubernetes golang=go
    favourite=favorite colour=color prod=production us=usa""")
)
_MONEY = {word: unit for word, (unit, _) in UNITS.items() if unit in CURRENCIES}
_SIGNS = [(sign, unit) for sign, unit in _MONEY.items() if not sign.isalpha()]
_ALIASES |= {word: unit for word, unit in _MONEY.items() if word.isalpha()}
_UNITS = {
    name: (unit.split()[0], float(unit.split()[1]))
    for unit in entries(
        """b 1 b byte bytes; b 1024 kb kib; b 1048576 mb mib; b 1073741824 gb gib; b 1099511627776 tb tib; s
    0.001 ms millisecond milliseconds; s 1 s sec secs second seconds; s 60 min mins minute minutes; s
    3600 h hr hrs hour hours; s 86400 day days; s 604800 week weeks; mo 1 month months; mo 12 year years;
    m 1000 km kilometer kilometers kilometre kilometres; m 0.01 cm centimeter centimeters centimetre centimetres;
    m 1609.344 mile miles; m 0.001
    mm millimetre millimetres millimeter millimeters; m 1 m meter meters metre metres;
    g 1000 kg kilo kilos kilogram kilograms; g 1 g gram grams;
    g 1000000 tonne tonnes; m 0.3048 ft foot feet; m 0.0254 inch inches; m 0.9144 yard yards; g 453.592 lb lbs;
    g 28.3495 oz ounce ounces; ml 1 ml millilitre millilitres milliliter milliliters; ml 10 cl centilitre centilitres;
    ml 1000 l litre litres liter liters; ml 100 dl decilitre decilitres; w 1 w watt watts; w 1000 kw kilowatt
    kilowatts; hz 1 hz hertz; hz 1000 khz; hz 1000000 mhz; hz 1000000000 ghz; mbit 1 mbit mbps; mbit 1000 gbit gbps"""
    )
    for name in unit.split()[2:]
}
MONTH_NAMES = "january|february|march|april|may|june|july|august|september|october|november|december"
"""As a part of a pattern."""
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_QUANTITY = re.compile(rf"(\d{{1,12}})({_UNIT})")
_SMALL = {
    "b": ("b", 1),
    "s": ("ms", 1000),
    "mo": ("month", 1),
    "m": ("mm", 1000),
    "g": ("g", 1),
    "ml": ("ml", 1),
    "w": ("w", 1),
    "hz": ("hz", 1),
    "mbit": ("mbit", 1),
}
_ONES = {
    word: number
    for number, word in enumerate(
        entries(
            """zero;one;two;three;four;five;six;seven;eight;nine;ten;eleven;twelve;thirteen;fourteen;fifteen;sixteen;
            seventeen;eighteen;nineteen"""
        )
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(entries("twenty;thirty;forty;fifty;sixty;seventy;eighty;ninety"), start=2)
}
_BELOW_TEN = "|".join(list(_ONES)[1:10])
_IN_WORDS = re.compile(rf"\b({'|'.join(_TENS)})(?:[- ]({_BELOW_TEN}))?\b|\b({'|'.join(list(_ONES)[11:])})\b")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join((*_TENS, *_ONES))})")
_LONG_UNIT = "|".join(unit for unit in _UNITS if len(unit) > 2)
_ONES_OF_UNIT = re.compile(rf"\b({'|'.join(list(_ONES)[1:11])}) (?=(?:{_LONG_UNIT})\b)")
_PART = re.compile(rf"\b(half an?|an? (?:half|quarter) of an?|a quarter of an?) ({_UNIT})\b")
_DECIMAL = re.compile(rf"\b(\d{{1,9}}\.\d{{1,6}})\s*({_UNIT})\b")
_PERCENT = re.compile(rf"\b(\d{{1,6}}(?:\.\d{{1,6}})?|{_BELOW_TEN}) ?(?:percent\b|per cent\b)")
_SHARE = re.compile(
    rf"\b(\d{{1,3}}|{_BELOW_TEN}|ten) (?:in|out of|per) (?:(?:an?|1|every|one) )?(hundred|thousand|100|1000)\b"
)
_LARGE = re.compile(r"\b(\d{1,6}(?:\.\d{1,6})?)(?:(k)\b| (thousand|million|billion)\b)")
_POWERS = {"k": 3, "thousand": 3, "million": 6, "billion": 9}
_HUNDRED = re.compile(
    rf"\b(\d{{1,3}}|an?|{'|'.join(list(_ONES)[1:10])}) (hundred|dozen)(?: and)?(?: (\d{{1,2}}"
    rf"|{_BELOW_TEN}))?\b(?! thousand| million)"
)
_HALF_DOZEN = re.compile(r"\bhalf a dozen\b")
_HOUR = rf"(\d{{1,2}}|{'|'.join(list(_ONES)[1:13])})"
_SPOKEN = re.compile(
    rf"\b(?:((?:an? )?quarter|half|(?:(?<=at )|(?<=until )|(?<=by ))(?:5|five|10|ten|20|twenty|25|twenty-five)"
    rf"(?: minutes)?) (past|to)|(?:(?<=at )|(?<=until )|(?<=by ))half) {_HOUR}\b(?! (?:minutes|hours|days|euros"
    rf"|people)\b)"
)
_AND_A_HALF = re.compile(rf"\b(\d{{1,3}}|{_BELOW_TEN}) and a half (?={_UNIT})")
_OCLOCK = re.compile(rf"\b{_HOUR} o'clock\b")
_DAYTIME = re.compile(rf"\b{_HOUR}(?::(\d\d))? (?:in the (morning|afternoon|evening)|at (night))\b")
_LONG_SPAN = re.compile(
    rf"\b(\d{{1,3}}|an|one|{_BELOW_TEN}) ?(hours?|years?|h) ?(?:and )?(\d{{1,3}}|an?|{_BELOW_TEN}) ?(minutes?|min"
    rf"|months?)\b"
)
_ONE_SPAN = re.compile(
    r"(?:(?:(?<=lasts )|(?<=last )|(?<=takes )|(?<=take )|(?<=every ))an? (?=(?:hour|minute|day|week|month|year)\b)"
    r"|(?:(?<=for )|(?<=within )|(?<=after )|(?<=is )|(?<=just ))an? (?=(?:second|hour|minute|day|week|month|year)\b"
    r"(?= (?:and|or|in|at|on|after|with|to|since|from|by|during|when|if|now|only|instead)\b|[.,;!?]|$)))"
)
_YEARLY = re.compile(
    r"\b(\d{1,9}(?:\.\d+)?) (euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf) (?:an?|per|each|every) year\b"
)
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\s*([ap])\.?m\b\.?")
_ORDINAL = re.compile(r"\b(\d{1,4})(?:st|nd|rd|th)\b")
_FAHRENHEIT = re.compile(r"\b(\d{1,4})\s*(?:°\s*|degrees )f(?:ahrenheit)?\b")
_CELSIUS = re.compile(r"\b(\d{1,4})\s*(?:°\s*|degrees )c(?:elsius)?\b")


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")


def _in_digits(text: str) -> str:
    """Numbers in words, fractions and large numbers, as digits in one form; shares of a hundred as shares of one."""
    text = _THOUSANDS.sub("", text) if "," in text else text
    text = _ORDINAL.sub(r"\1", text)
    if "hundred" in text or "thousand" in text or "00" in text:
        text = _SHARE.sub(_share, text)
    if _NUMBER_WORD.search(text):
        text = _IN_WORDS.sub(lambda m: str(_TENS[m[1]] + _ONES.get(m[2] or "", 0)) if m[1] else str(_ONES[m[3]]), text)
        text = _ONES_OF_UNIT.sub(lambda m: f"{_ONES[m[1]]} ", text)
        if "hundred" in text or "dozen" in text:
            text = _HUNDRED.sub(_hundreds, _HALF_DOZEN.sub("6", text))
    elif "hundred" in text or "dozen" in text:
        text = _HUNDRED.sub(_hundreds, _HALF_DOZEN.sub("6", text))
    if " past " in text or " to " in text or "half " in text:
        text = _SPOKEN.sub(_spoken, text)
    if "o'clock" in text:
        text = _OCLOCK.sub(lambda m: f"{_number(m[1])}:00", text)
    if " in the " in text or " at night" in text:
        text = _DAYTIME.sub(_daytime, text)
    if "hour" in text or "year" in text or "h" in text:
        text = _LONG_SPAN.sub(_long_span, text)
    if " year" in text:
        text = _YEARLY.sub(lambda m: f"{_plain(round(Decimal(m[1]) / 12, 2))} {m[2]} a month", text)
    if "half" in text or "quarter" in text:
        text = _AND_A_HALF.sub(lambda m: f"{_number(m[1])}.5 ", text)
        text = _PART.sub(lambda m: _small(Decimal("0.25" if "quarter" in m[1] else "0.5"), m[2]), text)
    if "." in text:
        text = _DECIMAL.sub(lambda m: _small(Decimal(m[1]), m[2]), text)
    if "cent" in text:
        text = _PERCENT.sub(lambda m: _plain(Decimal(_ONES.get(m[1], m[1])) / 100), text)
    text = _LARGE.sub(lambda m: _plain(Decimal(m[1]).scaleb(_POWERS[m[2] or m[3]])), text)
    if ":" in text:
        text = _CLOCK.sub(lambda m: f"{int(m[1]) % 12 + (12 if m[3] == 'p' else 0)}:{m[2]}", text)
    if "°" in text or "degrees" in text:
        text = _FAHRENHEIT.sub(lambda m: f"{round((int(m[1]) - 32) / 1.8)}celsius", text)
        text = _CELSIUS.sub(r"\1celsius", text)
    return text


def _number(word: str) -> int:
    return 1 if word in ("a", "an") else _ONES.get(word) or int(word)


def _share(match: re.Match[str]) -> str:
    return _plain(Decimal(_number(match[1])) / (1000 if match[2] in ("thousand", "1000") else 100))


def _hundreds(match: re.Match[str]) -> str:
    return str(_number(match[1]) * (12 if match[2] == "dozen" else 100) + (_number(match[3]) if match[3] else 0))


def _spoken(match: re.Match[str]) -> str:
    """A time of day in words in figures; "half eight" is said for half past eight."""
    hour = _number(match[3])
    part = (match[1] or "half").removeprefix("a ").removesuffix(" minutes")
    minutes = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}.get(part)
    minutes = int(part) if minutes is None else minutes
    return f"{hour}:{minutes:02}" if match[2] != "to" else f"{(hour - 1) or 12}:{60 - minutes:02}"


def _daytime(match: re.Match[str]) -> str:
    hour = _number(match[1])
    late = match[3] in ("afternoon", "evening") or (match[4] and hour > 6)
    return f"{hour % 12 + 12 if late and hour <= 12 else hour}:{match[2] or '00'}"


def _long_span(match: re.Match[str]) -> str:
    one, other = _number(match[1]), _number(match[3])
    if match[2].startswith("y") != match[4].startswith("mo"):
        return match[0]
    return f"{12 * one + other} months" if match[2].startswith("y") else f"{60 * one + other} minutes"


def _small(number: Decimal, unit: str) -> str:
    """A fraction of a unit as a whole number of a smaller one."""
    base, factor = _UNITS[unit]
    name, parts = _SMALL[base]
    return f"{round(float(number) * factor * parts)}{name}"


_ALIASED_SIGN = re.compile(r"(\d)\s*%")
_DIGIT = re.compile(r"\d")
_NUMERIC = re.compile(rf"\d|\b(?:{'|'.join(_TENS)}|{'|'.join(_ONES)}|half|quarter)")
_SHORT_MONTHS = dict(
    zip(
        ["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"],
        [
            "january",
            "february",
            "march",
            "april",
            "june",
            "july",
            "august",
            "september",
            "september",
            "october",
            "november",
            "december",
        ],
        strict=True,
    )
)


def _numbered(match: re.Match[str]) -> str:
    return f"{match[1]} month{match[2]:0>2} {match[3]}"


def _money(match: re.Match[str]) -> str:
    """Sums have a comma, so that 3.50 is no closer 3, as 3.11 is of a version; 3.00 is 3."""
    return f"{match[1]},{match[2]:0<2}" if int(match[2]) else match[1]


def _month(match: re.Match[str]) -> str:
    return _SHORT_MONTHS[match[1] or match[2]] + ("" if match[1] else " ")


SPELLINGS = tuple(
    (mark, re.compile(pattern), spelling)
    for mark, pattern, spelling in (
        ("and a half", r"\b(?:an|one|1) hour and a half\b", "90 minutes"),
        ("the ", r"\bthe (?:city|town|village|municipality|borough|state|province|island|hamlet) of (?=[a-z])", ""),
        (
            "not ",
            r"\bnot (?:one|a single)(?: one)?(?= (?:of|\w+))(?! (?:way|sided|time|off|piece|size|storey|legged)\b)",
            "no",
        ),
        ("ing", r"\b(?:has|have|had)(?: not|n't)(?: yet)? (?:stopped|quit|ceased|given up) (?=\w+ing\b)", "still "),
        ("-", r"\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b", r"\3 month\2 \1"),
        (".", r"\b0?([1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.((?:19|20)\d\d)\b", _numbered),
        ("/", r"\b(1[3-9]|2\d|3[01])/(0?[1-9]|1[0-2])/((?:19|20)\d\d)\b", _numbered),
        (":", r"\b0(?=\d:\d\d\b)", ""),
        ("may ", r"\bmay (\d{1,2})\b(?!:)", r"\1 may"),
        (
            "",
            r"\b(?:(?<=\d )(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|(jan|feb|mar|apr|jun|jul|aug|sept?|oct"
            r"|nov|dec)\.? (?=\d))\.?",
            _month,
        ),
        ("noon", r"\bnoon\b", "12:00"),
        ("midnight", r"\bmidnight\b", "0:00"),
        ("new york", r"\bnew york(?: city)?\b", "nyc"),
        ("los angeles", r"\blos angeles\b", "la"),
        ("san francisco", r"\bsan francisco\b", "sf"),
        ("united states", r"\bunited states\b", "usa"),
        ("c++", r"\bc\+\+", "cplusplus"),
        ("#", r"\b([cf])#", r"\1sharp"),
    )
)
"""A text without the mark cannot match the pattern."""
_SPELLINGS_OF_MONEY = tuple(
    (sign, re.compile(pattern), rf"\1 {unit}")
    for sign, unit in _SIGNS
    for pattern in (rf"{re.escape(sign)}\s*(\d[\d.,]*)", rf"(\d)\s*{re.escape(sign)}")
)
_SPELLINGS_OF_NUMBERS = tuple(
    (mark, re.compile(pattern), spelling)
    for mark, pattern, spelling in (
        ("", rf"\b(\d{{1,12}})\s+({_UNIT})\b", r"\1\2"),
        ("m", r"\b(\d{1,2})(?::00)?\s*([ap])\.?m\b\.?", r"\1\2m"),
        (".", r"\b(\d+)\.(\d{1,2})(?= (?:eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?)\b)", _money),
    )
)


@lru_cache(maxsize=4_096)
def respell(folded: str) -> str:
    """A folded text (`rules.language.text.fold`) with signs and longer names in the one spelling that `key` knows.

    >>> respell("8 gb in new york for $5")
    '8gb in nyc for 5 usd'
    """
    if " a" in folded:
        folded = _ONE_SPAN.sub("1 ", folded)
    if "%" in folded:
        folded = _ALIASED_SIGN.sub(r"\1 percent", folded)
    if _NUMERIC.search(folded):
        folded = _in_digits(folded)
    for mark, pattern, spelling in SPELLINGS:
        if mark in folded:
            folded = pattern.sub(spelling, folded)
    if _DIGIT.search(folded):
        for sign, amount, currency in _SPELLINGS_OF_MONEY:
            if sign in folded:
                folded = amount.sub(currency, folded)
        for mark, pattern, spelling in _SPELLINGS_OF_NUMBERS:
            if mark in folded:
                folded = pattern.sub(spelling, folded)
    return folded


@lru_cache(maxsize=20_000)
def key(word: str) -> str:
    """What the spellings of one word, number or quantity share: `stem`, and one way to write numbers, units.

    >>> [key(word) for word in ("60min", "1h", "v1.5", "1,000", "3pm", "Postgres".lower())]
    ['3600s', '3600s', '1.5', '1000', '15:00', 'postgresql']
    """
    word = _ALIASES.get(word, word)
    if quantity := _QUANTITY.fullmatch(word):
        base, factor = _UNITS[quantity[2]]
        if base == "b":
            return f"{_bytes(int(quantity[1]) * int(factor))}b"
        return f"{int(quantity[1]) * factor:.12g}{base}"
    if clock := re.fullmatch(r"(\d{1,2})([ap])m", word):
        return f"{int(clock[1]) % 12 + (12 if clock[2] == 'p' else 0)}:00"
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", word):
        return word.replace(",", "")
    if re.fullmatch(r"v\d[\d.]*|0[1-9]", word):
        return word.lstrip("v") if word[0] == "v" else word[1:]
    return stem(word)


def _bytes(size: int) -> int:
    """The size without the thousands that were meant as 1024: 4000 GB and 4 TB are the same to who says it."""
    power = 0
    while size and size % 1024 == 0:
        size, power = size // 1024, power + 1
    while size and size % 1000 == 0:
        size, power = size // 1000, power + 1
    return int(size * 1024**power)


def _places() -> dict[str, tuple[tuple[int, int], ...]]:
    """For each stem the pairs in which it stands, and on which side."""
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for place, pair in enumerate(PAIRS):
        for side, listed in enumerate(pair.split("/")):
            for one in stems(listed):
                found[one] = (*found.get(one, ()), (place, side))
    return found


_PAIR_SIDES = _places()
_PARTICLE_SIDES = {
    word: ((place, side),) for place, pair in enumerate(PARTICLES, start=len(PAIRS)) for side, word in enumerate(pair)
}


def _is_state(words: Sequence[str], index: int) -> bool:
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    return before in _SWITCHES or (before in _STATE_VERBS and (not after or after in _AFTER_STATE))


def _is_compound(words: Sequence[str], index: int) -> bool:
    return index + 1 < len(words) and (words[index], words[index + 1]) in _COMPOUNDS


def opposites(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairs (word of `old`, word of `new`) that exclude each other, in the order of the table.

    Takes words as `rules.language.text.words` gives them, in order. A text that has both sides of a pair fires nothing
    for it.

    *Source*: seed 004, signal 2 (about thirty bidirectional pairs); unlike Signet's antonyms.ts, the forms of
    a word are met by stem, and on/off and up/down count only where they are a state, not a preposition.

    >>> opposites(["auth", "is", "enabled"], ["disables", "auth"])
    (('enabled', 'disables'),)
    >>> opposites(["runs", "on", "port", "80"], ["turned", "off"])
    ()
    """
    before, after = sides(old), sides(new)
    found = []
    for pair in sorted(before.keys() & after.keys()):
        mine, yours = before[pair], after[pair]
        if len(mine) == len(yours) == 1 and mine.keys() != yours.keys():
            found.append((next(iter(mine.values())), next(iter(yours.values()))))
    return tuple(found)


def sides(said: Sequence[str]) -> dict[int, dict[int, str]]:
    """By place of the pair in the table, and by side: the first word of the text that stands there."""
    found: dict[int, dict[int, str]] = {}
    for index, word in enumerate(said):
        places = _PARTICLE_SIDES.get(word, ()) if word in _PARTICLE_SIDES else _PAIR_SIDES.get(stem(word), ())
        if not places or _is_compound(said, index) or (word in _PARTICLE_SIDES and not _is_state(said, index)):
            continue
        for pair, side in places:
            found.setdefault(pair, {}).setdefault(side, word)
    return found


# What the clauses of a statement are read by (rules/contradiction/assertions.py); all verbs are stems.
BE = word_set("is are was were be been being am isn't aren't wasn't weren't ain't it's he's she's i'm")
WAS = word_set("was were wasn't wasnt weren't werent had hadn't hadnt did didn't didnt")
REFUSED = word_set("won't wont wouldn't wouldnt couldn't couldnt can't cannot")
"""Negations of a plan in one word: "won't come" denies "will come"."""
AUX = BE | word_set("has have had do does did will would can could may might must should shall cannot") | CONTRACTED
PRONOUNS = word_set(
    "i we you they to who that do does did can will must should don't doesn't didn't can't won't cannot"
)
FILLERS = word_set(
    """now currently recently actually still already just also always usually often today nowadays
    anymore any longer finally probably correction every each all more yet again however mainly
    mostly only current latest ever else too formerly previously originally please simply fully
    completely longer at"""
) - {"at"}
EMPTY = (STOP_WORDS - {"own"}) | FILLERS | NEGATIONS | AUX
TYPE_WORDS = stems("service server app application system project team module component feature setting option")
PREPOSITIONS = word_set(
    """in on at for to from with by as of near via over into onto under about between during through
    per against until behind inside without insteadof"""
)
TAIL = word_set("because since after when which who where if unless although due despite whereas while so")
ENDINGS = stems("stop quit cease")
LIGHT_VERBS = ENDINGS | stems(
    "start begin decide continue keep choose finish plan intend want hope consider propose expect aim"
)
MOVES = stems("move relocate migrate switch change transition convert upgrade downgrade")
SETTERS = stems("change set update raise lower increase decrease bump reduce")
LETS_GO = stems("drop abandon retire deprecate leave replace remove sell")
ADDITIVE = stems("use like love enjoy know have own visit play speak learn support read watch eat drink study meet")
EVENTS = LIGHT_VERBS | MOVES | SETTERS | LETS_GO
EVENTS |= stems(
    """join break become adopt marry divorce reschedule postpone turn enable disable activate
    deactivate open close shut add delete accept approve reject decline connect disconnect install
    uninstall lock unlock subscribe grant revoke pause resume attach detach hire buy engage name
    call schedule publish forbid allow permit deny prohibit base locate encrypt hide include
    exclude host own write build store manage maintain lead employ deploy"""
)
"""Verbs whose past tense tells what holds since then, not what is over."""
HOLDS = stems(
    """use run host work live drive depend rely build write deploy store be prefer require base employ
    subscribe have own move join"""
)
MEASURED = stems(
    """be use run require have own cost weigh listen set default expire start end open close begin
    take last limit allow pin target need contain serve handle charge earn pay scale hold store
    sleep wake upgrade downgrade"""
)
SCHEDULED = stems("be schedule hold take meet move reschedule postpone happen occur")
VERBS = EVENTS | ADDITIVE | HOLDS | MEASURED | SCHEDULED
VERBS |= stems(
    """reside report date expire major return send teach train wear cook share travel ship validate
    review log cache smoke exercise show pass fail process listen"""
)
"""Verbs that end the subject, by stem. No grammar is read: a verb that is missing here is read as a value."""


def verb_keys(text: str) -> list[str]:
    return [" ".join([stem(entry.split()[0]), *entry.split()[1:]]) for entry in entries(text, ",")]


SAME_VERB = {
    verb: same
    for entry in entries(
        """reside in=live in, move to=live in, relocate to=live in, work for=work at, employ by=work at,
    employ at=work at, join=work at, base in=locate in, marry=marry to, date with=date, change
    to=be, set to=be, raise to=be, lower to=be, increase to=be, decrease to=be, bump to=be, reduce
    to=be, update to=be, become=be, upgrade to=use, downgrade to=use, run on=use""",
        ",",
    )
    for verb, same in [verb_keys(entry.replace("=", ","))]
}
"""Verbs that fill the same slot. "Runs on Node 18" and "was upgraded to Node 20" are told apart by number."""
SCOPING = word_set("in on during at under via")
SCOPES = stems(
    """staging production dev development test testing ci qa local laptop plan tier account branch
    platform weekday weekend winter summer night home linux windows macos android ios desktop
    mobile europe eu us region holiday meeting monday tuesday wednesday thursday friday saturday
    sunday"""
)
RELATION = stems(
    """date marry engage girlfriend boyfriend partner wife husband fiance fiancee spouse relationship
    together apartment flat house wedding honeymoon anniversary live couple"""
)
WEEKDAYS = stems("monday tuesday wednesday thursday friday saturday sunday")
NOT_PLACES = stems("team department role position office desk group squad project")

INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of|as opposed to)\b|(?:,|\band|\bbut)\s+not\s+(?=\S+[^,]*$)"
)
NOT_NEGATING = re.compile(r"\b(?:not (?:only|just|least)|no (?:doubt|problem|later than|(?:more|less) than|(?=\d)))")
QUESTION = re.compile(r"\?\W*$|\b(?:wonder(?:s|ed|ing)?|asks|asked (?:if|whether)|unsure|unclear|not sure)\b")
QUOTE = re.compile(
    r"\b(?:said|says|saying|claim(?:s|ed)|told|heard|reportedly|allegedly|according to|thinks|believes"
    r"|rumou?red|suggest(?:s|ed)|quot(?:e|ed|es)|supposedly)\b|[\"«„「『]\w\S*\s+\S+\s[^\"»“」』]*[\"»“」』]"
)
PLAN = re.compile(
    r"\b(?:plan(?:s|ned|ning)? (?:to|on|for)|will|gonna"
    r"|(?<!stopped )(?<!quit )(?<!started )going to(?! (?:the|an?|his|her|their|my|our|school|work|bed|church"
    r"|college)\b)|intend(?:s|ing)? to"
    r"|wants? to|hop(?:es|ing) to"
    r"|might|may (?:be|use|move|switch|change|migrate|close|sell|join|become|cancel|retire|buy|drop)|consider(?:s"
    r"|ing)|thinking (?:about|of)|could|would|if"
    r"|(?:i|he|she|we|they|you|it)'d (?:love|like|rather|prefer)|propos(?:es|ed|al)|maybe|perhaps|possibly"
    r"|should (?:change|move|switch|migrate|upgrade|replace|raise|lower)"
    r"|(?:is|are) to (?:become|take over|succeed|replace|move|start|begin|open|launch|end|take place)"
    r"|means? to|(?:plans|(?:is|are) planning) an?"
    r"|(?:is|are) back (?:in|by) (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december|spring|summer|autumn|winter)"
    r"|next (?:week|month|year|quarter)|tomorrow|(?:aim|expect)s? to)"
    r"\b(?!')"
)
OVER = re.compile(r"(?<!is )(?<!are )(?<!get )\bused to\b|\b(?:formerly|previously)\b")
PAST = re.compile(
    r"\b(?:originally|in the past|ago|back then|at first|until (?:19|20)\d\d|once (?:used|lived|worked)"
    r"|last (?:week|month|year|summer|winter))\b"
)
DATED = re.compile(r"\b(?:in|between|from|during|until) (?:19|20)\d\d\b")
OWNER = re.compile(r"(\w+)'s \w")
TELLING = {
    word: place
    for place, said in enumerate(
        entries("i we my our me us; you your; he his him; she her; they their; it its; other; same; this; that")
    )
    for word in said.split()
}
"""Small words that, at one place at the beginning of two statements, tell their subjects apart."""
LIMITING = word_set("in on at for during under within outside")
_SPLIT = r"(?:(?:broke|split|broken) up|parted ways|separated|divorced)"
PARTED = re.compile(
    rf"\b{_SPLIT}(?: with| from)? (?!(?:in|on|at|after|before|last|this|by|over|since|again|when|because|years?|a"
    rf"|the)\b)"
    r"(?P<from>[^\W\d_]+)"
    rf"|(?P<one>[^\W\d_]+) and (?P<other>[^\W\d_]+) (?:have |had |are |were |got )?(?:now |recently |just )?{_SPLIT}"
)
"""The end of a couple, and who they were."""
TOGETHER = stems(
    "work collaborate colleague project team office study business company pair code compete share meeting"
)
"""Words of what people do with one another without being a couple."""
LEFT = r"(?<!\bher )(?<!\bhis )(?<!\bits )(?<!\btheir )(?<!\bthe )(?<!\bmy )(?<!\bour )(?<!\byour )(?<!'s )left"
"""The verb: behind what tells whose or which, it is the side."""
NOT_SO = re.compile(r"(?:\b(?:not|never)|n't)(?: (?:yet|ever|been))? *$")
"""Before what ends something: that goes on."""
NOT_BUT = re.compile(r"\bnot (?P<gone>\S+(?: \S+){0,2}?),? but (?P<there>[^\s,;]+(?: [^\s,;]+){0,2}?)(?P<end>[.!]?)$")
"""A correction: "is not red but blue"."""
CLAUSES = re.compile(r"\s*;\s*|\s+[—–-]\s+|,\s+(?:(?:and|but|so|then)\s+)?|\s+but\s+|\s+and\s+(?=now\b|is\b|has\b)")
