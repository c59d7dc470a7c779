"""Why two values that differ in words may both hold: the same hour, the same place told more closely, another month,
what was so at first."""

import re
from itertools import pairwise

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.antonyms import key, respell
from graphmem.rules.contradiction.essence import unaccented
from graphmem.rules.contradiction.laying import is_participle
from graphmem.rules.language.stems import entries, stem, word_set
from graphmem.rules.language.text import fold, words

_HOLDS = entries(
    """germany = berlin hamburg munich cologne frankfurt stuttgart leipzig dresden bremen hanover nuremberg bonn
    essen dortmund freiburg mainz kiel lubeck bavaria saxony; france = paris lyon marseille toulouse nice nantes
    strasbourg bordeaux lille rennes grenoble brittany provence normandy; italy = rome milan turin naples
    florence bologna genoa venice verona palermo bari trieste sicily tuscany sardinia; spain = madrid barcelona
    valencia seville bilbao malaga zaragoza granada andalusia catalonia; portugal = lisbon porto braga coimbra
    faro algarve; switzerland = zurich geneva basel bern lausanne lucerne winterthur lugano; austria = vienna
    graz linz salzburg innsbruck klagenfurt bregenz tyrol; netherlands = amsterdam rotterdam utrecht eindhoven
    groningen leiden haarlem delft; belgium = brussels antwerp ghent bruges liege leuven namur flanders;
    poland = warsaw krakow gdansk wroclaw poznan lodz lublin; czechia = prague brno ostrava; hungary = budapest
    pecs szeged debrecen; denmark = copenhagen aarhus odense aalborg; sweden = stockholm gothenburg malmo
    uppsala lund umea kiruna; norway = oslo bergen trondheim stavanger tromso; finland = helsinki tampere turku
    oulu espoo; ireland = dublin cork galway limerick; greece = athens thessaloniki patras crete; turkey =
    istanbul ankara izmir antalya; ukraine = kyiv kiev lviv odesa kharkiv; russia = moscow kazan samara omsk;
    england = london manchester birmingham leeds liverpool bristol sheffield oxford cambridge york brighton
    nottingham newcastle exeter norwich cornwall kent; scotland = edinburgh glasgow aberdeen dundee inverness;
    wales = cardiff swansea; uk = london manchester birmingham leeds liverpool bristol edinburgh glasgow cardiff
    england scotland wales; britain = london manchester leeds edinburgh cardiff england scotland wales; japan =
    tokyo osaka kyoto nagoya sapporo kobe fukuoka yokohama; china = beijing shanghai shenzhen guangzhou chengdu;
    india = delhi mumbai bangalore chennai kolkata pune hyderabad jaipur; brazil = recife salvador brasilia
    curitiba; argentina = rosario cordoba mendoza; chile = santiago valparaiso; mexico = guadalajara monterrey
    oaxaca puebla; canada = toronto montreal vancouver ottawa calgary quebec ontario; usa = nyc la sf boston
    chicago seattle austin denver houston miami portland atlanta dallas california texas florida oregon brooklyn;
    california = la sf oakland berkeley sacramento; texas = austin houston dallas; australia = sydney melbourne
    brisbane perth adelaide; egypt = cairo alexandria; kenya = nairobi mombasa; nigeria = lagos abuja ibadan;
    morocco = rabat casablanca fez; ghana = accra kumasi; korea = seoul busan; thailand = bangkok; vietnam =
    hanoi saigon; slovenia = ljubljana maribor; croatia = zagreb split; serbia = belgrade; romania = bucharest
    cluj; bulgaria = sofia plovdiv; estonia = tallinn tartu; latvia = riga; lithuania = vilnius kaunas; israel =
    haifa jerusalem; europe = germany france italy spain portugal switzerland austria netherlands belgium poland
    denmark sweden norway finland ireland greece; nyc = brooklyn manhattan queens bronx; london = camden hackney
    brixton; berlin = kreuzberg neukolln pankow"""
)
WITHIN: dict[str, frozenset[str]] = {}
"""By place, the wider ones that it lies in."""
for _entry in _HOLDS:
    _wide, _places = _entry.split(" = ")
    for _place in _places.split():
        WITHIN[key(_place)] = WITHIN.get(key(_place), frozenset()) | {key(_wide)} | WITHIN.get(key(_wide), frozenset())
_SPOKEN = re.compile(r"\b(?:half|quarter|o'clock|past)\b")
_AM_PM = re.compile(r"\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b(?:morning|afternoon|evening|night)\b")
_DATE = re.compile(
    r"\b\d{1,2}(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)(?: \d{4})?"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december) \d{1,2}\b(?:,? \d{4})?"
    r"|\b(?:19|20)\d\d\b"
)
_MONTHS = word_set(
    "january february march april june july august september october november december spring summer autumn winter"
)
_AT_FIRST = re.compile(
    r"\b(?:originally|initially|at first|in the beginning|to begin with|in those days|back then|at (?:that|the) time"
    r"|(?:many |some |\w+ )?years ago|(?:long|ages|months|weeks) ago|in the (?:\w+ ?){0,2}(?:past|nineties|eighties"
    r"|seventies|sixties|fifties"
    r"|war|old days)|as a (?:child|boy|girl|student|teenager|young \w+)|in (?:his|her|their|its) (?:\w+ )?(?:youth"
    r"|childhood|twenties|thirties|first \w+|early \w+|school days|days)|when (?:it|he|she|they|the \w+) (?:was|were"
    r"|opened|started|began|moved|first)"
    r"|before (?:it|he|she|they|that|becoming|moving|(?:the|his|her|its|their|our) [\w -]{2,30}? (?:was|were|had))"
    r"|during (?:the war|her|his|their)|formerly|previously|once"
    r"|in (?:19|20)\d\d)\b"
)
_WAS = re.compile(
    r"\b(?:was|were|had|did|wasn't|weren't|\w+ed|ran|lived|wore|made|drove|wrote|sang|taught|sold|kept|held|led|ate)\b"
)
_NOW = re.compile(r"\b(?:now|no longer|since then|today|currently|instead)\b")
_UNTIL = re.compile(r"\b(?:until|till|used to)\b")
_SOME_OF = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+|some|several|a few|a couple|both|parts?|most|many) of "
    r"(?:the|our|my|his|her|its|their|these|those)\b"
)
"""A number of those that are spoken of: told more closely."""
_OPEN_AT = re.compile(
    r"\b(?:is|are) (?:\w+ )?(?:open|closed) at (?:\d"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b)"
)
"""How it stands at an hour, not from when on."""


def may_both_hold(old: str, new: str) -> bool:
    """Whether two statements that give different values need not exclude each other.

    >>> may_both_hold("Ana lives in Germany.", "Ana lives in Berlin.")
    True
    >>> may_both_hold("Ana lives in Rome.", "Ana lives in Berlin.")
    False
    """
    before, after = (respell(unaccented(fold(text))) for text in (old, new))
    mine, yours = {key(word) for word in words(before)}, {key(word) for word in words(after)}
    gone, more = mine - yours, yours - mine
    return (
        _same_hour(old, new, gone, more)
        or _within(gone, more)
        or _as_long(gone, more)
        or _other_month(gone, more, before, after)
        or _was_so(before, after)
        or _moved_within(before, after)
        or (not gone and bool(_SOME_OF.search(after)) and not _SOME_OF.search(before))
        or bool(_OPEN_AT.search(before)) != bool(_OPEN_AT.search(after))
        or _has_room(before, after)
        or _is_bounded(before, after)
        or bool(_SOME_KIND.search(before) and not _SOME_KIND.search(after) and not _NOW.search(after))
    )


def _has_room(before: str, after: str) -> bool:
    """Whether both tell on what a program runs or on which board somebody sits, of which there may be several."""
    return any(all(pattern.search(text) for text in (before, after)) for pattern in _SEVERAL)


_SEVERAL = (
    re.compile(
        r"\b(?:plugin|extension|add-?on|app|game|client|tool|program|script|library|editor|software|player|website"
        r"|page)"
        r" (?:runs?|works?|is running) (?:on|in) (?:chrome|chromium|firefox|edge|safari|opera|brave|windows|linux"
        r"|mac|macos"
        r"|ios|android|ipads?|iphones?|tablets?)\b"
    ),
    re.compile(
        r"\b(?:sits?|sitting|serves?|serving|is) on the (?:[\w-]+ )?(?:board|committee|council|jury|panel|commission)"
        r" (?:of|for|at)\b"
    ),
)


def _is_bounded(before: str, after: str) -> bool:
    """Whether one tells a number, and the other one a bound that it is within, or about that number: more than ten,
    fourteen; roughly two million, 1,987,204; at least four, at most nine."""
    sides = [_MILLIONS.sub(_in_digits, " ".join(_number(word) for word in words(text))) for text in (before, after)]
    bounds = [_BOUND.search(side) for side in sides]
    if bounds[0] and bounds[1]:
        return bool(bounds[0]["upper"]) != bool(bounds[1]["upper"])
    for bound, other, side in ((bounds[0], sides[1], sides[0]), (bounds[1], sides[0], sides[1])):
        told = [float(number) for number in _COUNT.findall(other)]
        if len(told) != 1:
            continue
        if bound and told[0] != (limit := float(bound["limit"])) and (told[0] < limit) == bool(bound["upper"]):
            return True
        if (about := _ROUGHLY.search(side)) and 0.93 < told[0] / (float(about["limit"]) or 1) < 1.07:
            return True
    return False


def _number(word: str) -> str:
    told = key(word)
    return told if _COUNT.fullmatch(told) else word


def _in_digits(found: re.Match[str]) -> str:
    return str(round(float(found["count"]) * {"thousand": 1e3, "million": 1e6, "billion": 1e9}[found["size"]]))


_SOME_KIND = re.compile(
    r"\b(?:in|on|with|by) an? (?:[\w-]+ )?(?:database|server|cloud|service|tool|system|language|framework|store|library"
    r"|queue|bucket|provider|vendor|spreadsheet|wiki|tracker)[.!]?$"
)
"""A kind of thing, which the other one may name: in a relational database."""
_MILLIONS = re.compile(r"\b(?P<count>\d+(?:\.\d+)?) (?P<size>thousand|million|billion)\b")
_BOUND = re.compile(
    r"\b(?:(?:more than|over|above|at least|upwards of|no fewer than|not less than)"
    r"|(?P<upper>fewer than|less than|under|below|at most|no more than"
    r"|(?:can|may) (?:go|grow|scale|hold|take|have|be)(?: up)? to|(?:can|may) \w+ up to))"
    r" (?P<limit>\d+(?:\.\d+)?)(?=[a-z]*\b)(?!:)"
)
_ROUGHLY = re.compile(
    r"\b(?:roughly|about|around|approximately|almost|nearly|close to|some|circa) (?P<limit>\d+(?:\.\d+)?)\b(?!:)"
)
_COUNT = re.compile(r"(?<![\w.:-])(\d+(?:\.\d+)?)(?:[a-z]{1,3}\b)?(?![\w.:-])")


def _moved_within(before: str, after: str) -> bool:
    """Whether somebody moved to another house of the town that they live in."""
    moved = _TO_ANOTHER.search(after)
    return moved is not None and re.search(rf"\b{re.escape(moved['where'])}\b", before) is not None


_TO_ANOTHER = re.compile(
    r"\bmoved? (?:\w+ )?(?:in)?to (?:an?|another|his|her|their|its) (?:[\w-]+ ){0,3}?[\w-]+ (?P<where>(?:in|on"
    r"|at) [\w-]+)"
)


def _same_hour(old: str, new: str, gone: set[str], more: set[str]) -> bool:
    """Whether a time told in words is the other one, of the morning or the afternoon."""
    clocks = [{word for word in side if _CLOCK.fullmatch(word)} for side in (gone, more)]
    for mine, yours, side in ((clocks[0], clocks[1], more), (clocks[1], clocks[0], gone)):
        if mine and not yours:
            whole = {f"{word}:00" for word in side if _HOUR.fullmatch(word)}
            return _of_half_day(mine) == _of_half_day(whole)
    if not all(clocks):
        return False
    spoken = [bool(_SPOKEN.search(fold(text)) and not _AM_PM.search(fold(text))) for text in (old, new)]
    return any(spoken) and _of_half_day(clocks[0]) == _of_half_day(clocks[1])


_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_HOUR = re.compile(r"[1-9]|1[0-2]")


def _of_half_day(clocks: set[str]) -> set[str]:
    return {f"{int(hour) % 12}:{rest}" for hour, _, rest in (one.partition(":") for one in clocks)}


def _within(gone: set[str], more: set[str]) -> bool:
    """Whether one names a place that the other's lies in."""
    return any(WITHIN.get(one, frozenset()) & other for side, other in ((gone, more), (more, gone)) for one in side)


def _as_long(gone: set[str], more: set[str]) -> bool:
    """Whether a size is told in units that do not go into each other evenly, and is about as large."""
    sizes = [[found for word in side if (found := _SIZE.fullmatch(word))] for side in (gone, more)]
    if not all(sizes):
        return False
    one, other = sizes[0][0], sizes[1][0]
    if one[2] != other[2] or not ("." in one[1] or "." in other[1]):
        return False
    return 0.97 < float(one[1]) / (float(other[1]) or 1) < 1.03


_SIZE = re.compile(r"(\d+(?:\.\d+)?)(m|g|celsius)")


def _other_month(gone: set[str], more: set[str], before: str, after: str) -> bool:
    """Whether both tell what happened, each in another month or season, with a value besides."""
    before, after = (_DATE.sub("", text) for text in (before, after))
    months = [{word for word in words(text) if word in _MONTHS} for text in (before, after)]
    if not all(months) or months[0] & months[1]:
        return False
    named = {key(word) for side in months for word in side}
    gone, more = gone & {key(word) for word in words(before)}, more & {key(word) for word in words(after)}
    return bool(gone - named) and bool(more - named) and any(word[0].isdigit() for word in (gone | more) - named)


def _was_so(before: str, after: str) -> bool:
    """Whether the newer one tells how it was at first, or was once."""
    return bool(
        _AT_FIRST.search(after)
        and _WAS.search(after)
        and not _AT_FIRST.search(before)
        and not _NOW.search(after)
        and not _UNTIL.search(after)
    )


def is_exception(old: str, new: str) -> bool:
    """Whether the newer one tells what was done once, and the older one what is done as a rule.

    >>> is_exception("Ana walks to work.", "Yesterday Ana drove to work.")
    False
    >>> is_exception("Ana walks to work.", "Yesterday Ana walked home from work instead of taking the bus.")
    True
    """
    before, after = fold(old), fold(new)
    if _PASSING_CAUSE.search(after):
        return True
    if not _THIS_TIME.search(after) or _THIS_TIME.search(before):
        return False
    if _AS_AN_EXCEPTION.search(after):
        return True
    usual = {stem(word) for word in words(before) if word not in table.AUX}
    told = words(after)
    return any(
        stem(word) in usual and is_participle(word) and word not in words(before) and last not in table.AUX
        for last, word in pairwise(("", *told))
    )


_AS_AN_EXCEPTION = re.compile(
    r"\b(?:just this once|this once|for once|(?:just )?this time|exceptionally|as an exception"
    r"|by way of exception|on (?:that|this|one) (?:one )?occasion|only for (?:today|tonight|now|this \w+)"
    r"|(?:just|only) (?:today|tonight))\b"
)
_THIS_TIME = re.compile(
    rf"{_AS_AN_EXCEPTION.pattern}|\b(?:(?:this|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|last night"
    r"|today|tonight|this (?:morning|afternoon|evening)|the other day|one (?:day|night|evening|morning))\b"
)
"""What says that it was done at one time."""


def is_of_other_hours(old: str, new: str) -> bool:
    """Whether the newer one denies something of some hours, and the older one says nothing of those.

    >>> is_of_other_hours("Ana drinks tea in the morning.", "Ana never drinks tea after five.")
    True
    """
    found = _HOURS.search(respell(fold(new)))
    return bool(found and _DENIES.search(new) and not _HOURS.search(respell(fold(old))) and not _CLOCK.search(old))


_HOURS = re.compile(
    r"\b(?:after|before|between|past) (?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"|noon|midnight|midday|lunch|dinner|supper|breakfast|bedtime|dark|dusk|dawn"
    r"|sunset|sunrise|work|school|hours)"
)
_DENIES = re.compile(
    r"(?:\b(?:not|never|no|nobody)\b|n't\b)(?! (?:open|start|begin|close|end|arrive|leave|finish|come)\b)"
)
_PASSING_CAUSE = re.compile(
    r"\b(?:stopped|stops|quit|paused|left|closed)\b.*\b(?:because of|due to) (?:the |a |an )?(?:\w+ )?(?:rain"
    r"|weather|storm"
    r"|snow|heat|fog|noise|wind|ice|smoke|power cut|fire alarm|thunder\w*)\b"
    r"|\b(?:closed|shut|left|opened|started|finished|ended) (?:early|late) (?:today|yesterday|tonight|last|on|this)\b"
    r"|\bleft (?:the|his|her|their|our) [\w -]+? at (?:\d|noon|midnight|lunchtime|dusk"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)\b)"
    r"|\bstopped \w+ing (?:early|halfway|for (?:lunch|dinner|a (?:moment|while|bit|break|minute)|the (?:day|night"
    r"|evening)))\b"
)
"""What stops somebody for a while."""
