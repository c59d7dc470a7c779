"""Whether a newer statement tells of a time that is not that of the older one: of what is yet to come, of what was in
somebody's youth, of what is so just for once.

Search that is due in April is not there yet, and who was married in her twenties may be married to somebody else: what
holds now is neither denied nor changed by it.
"""

import re

from graphmem.rules.contradiction.antonyms import MONTH_NAMES
from graphmem.rules.language.stems import stem
from graphmem.rules.language.text import fold, words

_SOON = (
    r"(?:due|slated|expected|pencilled in|penciled in|planned|proposed|envisaged|foreseen|budgeted|on order"
    r"|on the (?:roadmap|agenda|wish ?list|drawing board|to-?do list)|in the (?:works|pipeline|making|backlog)"
    r"|in (?:development|preparation|planning)|on (?:its|the|their) way)"
)
_BE = r"(?:is|are|'s|'re|has been|have been)"
_MONTH = rf"(?:{MONTH_NAMES}|spring|summer|autumn|winter)"
_WHEN = (
    rf"(?:in (?:the )?{_MONTH}|next \w+|soon|tomorrow|by (?:{_MONTH}|\w+day)|at the (?:weekend|end)|on (?:\w+day"
    rf"|\d+)|later this \w+)\b"
)
_INTENDED = re.compile(
    rf"\b{_BE} (?:also |now |soon )?(?:(?:due|slated|expected|about|meant|pencilled in) to"
    r"|to (?:be|get|have|become|receive|cost|run|open|close|move|start|stop|use|serve|sell|offer|support))\b"
    r"|\b(?:intends|means|wishes|aims) to\b"
    r"|\b(?:has|have) (?:also |now |already )?(?:applied for|ordered|requested|put in for|commissioned|asked for"
    r"|signed up for) (?:an?|the|one|two|three|four|five|six|ten|\d+|new|more|some)\b"
    r"|\bshould be [\w ]{2,30} by (?!the\b)\w+"
    rf"|\b{_BE} (?:soon )?getting married\b|\b{_BE} moving (?:in)?to [\w' -]+? {_WHEN}"
    r"|\b(?:has|have) (?:applied|offered|agreed|promised|volunteered|been (?:asked|told|invited)) to\b"
    rf"|\b{_BE} (?:ready|willing|happy) to \w+|\bcan be (?:switched|turned) (?:on|off)\b"
)
"""What somebody is going to do, told by the verb."""
_AHEAD = re.compile(
    rf"\b{_BE} (?:also |now |still |already )?(?:{_SOON}\b(?! to\b)|scheduled to (?:be|go|get|have|become)\b"
    rf"|coming (?:in|on|soon|next|later)\b"
    r"|(?:[\w'-]+ ){0,5}?(?:goal|aim|target|ambition|ask|priority|idea)\b(?= for\b|[.!]?$)"
    r"|being (?:written|built|developed|drafted|prepared|planned|discussed|considered|designed|sought|set up|made"
    r"|debated|negotiated|tested)\b|under (?:way|construction|discussion|consideration)\b|underway\b)"
    r"|\b(?:has|have) been (?:ordered|requested|approved|applied for|commissioned|proposed|announced|promised|budgeted"
    r"|granted|suggested)\b|\b(?:is|are|was|were) (?:promised|offered|proposed|announced|requested"
    r"|ordered|considered|discussed|suggested)\b|\bis yet to\b|\bare yet to\b|\bstill (?:has|have|needs?) to\b"
    rf"|\b(?:becomes?|gets?|goes|go|arrives?|comes?|starts?|begins?|{_BE} (?:getting|going|coming|arriving|starting)) "
    rf"(?:[\w'-]+ )*?{_WHEN}|\b{_BE} (?:getting|going) (?=an?\b|public\b|live\b|online\b)"
)
"""What there is to be, told of the thing."""
_LACKING = re.compile(
    rf"\b{_BE} (?:still |also )?(?:missing|lacking|absent|needed|wanted|looking for|searching for|seeking|hiring"
    r"|recruiting|saving (?:up )?for|asking for|learning"
    r"|expecting|taking \w+ (?:lessons|classes))\b|\bthere (?:is|are) (?:\w+ )?(?:money|funding|room|space|demand"
    r"|need|hope|plans?|ideas?|ticket|request|proposal|wish|offer) (?:for|to)\b"
    r"|\b(?:must|should|ought to) (?:be|have|get|use|support|run)\b|\ba (?:share|stake) in\b|\bqualif(?:y|ies) for\b"
    r"|\b(?:is|are) (?:eligible for|entitled to)\b"
    r"|\b(?:lacks?|needs?|misses|expects?|awaits?|wants?"
    r"|would like|dreams of|hopes for|longs for|calls for|wishes for|asks for) (?:an?|the|some|to)\b"
)
"""What there is not, told without a denial."""
_NO = re.compile(r"\b(?:no|not|never|nobody|none|nothing|cannot)\b|n't\b")
_OF_DUTIES = re.compile(r"\b(?:without|needs?|must|may|can|cannot|should|has to|have to|required?|requires|allowed)\b")
"""Where it is told what need not be, what must be is told of the same."""
_TELLING = frozenset(
    stem(word) for pattern in (_INTENDED, _AHEAD, _LACKING) for word in re.findall(r"[a-z]{3,}", pattern.pattern)
) - {
    stem(word) for word in ("are", "has", "have", "been", "the", "switched", "turned", "public", "open", "close", "run")
}
"""The words by which it is told: who had not ordered it, and has now, plans nothing."""


def is_to_come(old: str, new: str, of_values: bool) -> bool:
    """Whether the newer statement tells what is yet to come, and the older one what is so today.

    `of_values`: the two seem to give two values, and not to deny each other.

    >>> is_to_come("The shop has no lift.", "A lift for the shop is on order.", False)
    True
    >>> is_to_come("The shop has no lift.", "A lift for the shop is in use.", False)
    False
    """
    before, after = fold(old), fold(new)
    patterns = [_INTENDED]
    if not of_values and not _NO.search(after):
        lacks = _NO.search(before) and not _OF_DUTIES.search(before)
        patterns += [_AHEAD, _LACKING] if lacks else [_AHEAD]
    known = {stem(word) for word in words(before)}
    return any(
        not {stem(word) for word in words(found[0])} & known & _TELLING
        for pattern in patterns
        if not pattern.search(before)
        for found in [pattern.search(after)]
        if found
    )


_THEN = re.compile(
    r"\b(?:for a (?:while|time|bit|year|month|summer|winter)(?! now)|back then|in those days|at (?:that|the) time"
    r"|as an? (?:\w+ )?(?:child|boy|girl|student|teenager|teen|soldier|apprentice|trainee|kid|youngster|young \w+)"
    r"|in (?:his|her|their|its) (?:\w+ )?(?:youth|childhood|teens|twenties|thirties|forties|fifties|school days"
    r"|student days)"
    r"|during (?:the (?:war|strike|pandemic|flood|renovation|construction|works?)|his|her|their|its)\b"
    r"|at (?:school|university|college)|in the (?:middle ages|(?:nineteen |eighteen )?\w+ties|war|old days"
    r"|early (?:days|years)|first years?|beginning)"
    r"|in (?:his|her|their|its) (?:first|early|old|former|previous) (?:\w+)|when (?:he|she|they|it) (?:was|were)"
    r" (?:small|little|young|new|a \w+|at \w+)"
    r"|at (?:his|her|their|its|the) (?:old|former|previous|first|last) \w+|on the (?:day|night|morning|evening) of)\b"
)
"""A time that is over, told by itself."""
_WAS = re.compile(
    r"\b(?:was|were|had|did|wasn't|weren't|didn't|couldn't|\w+ed|ran|drove|wore|sang|taught|kept|led"
    r"|cost)\b"
)
_STANDS = re.compile(r"\b(?:is|are|has|have|does|do|can|will|now|no longer|until|till|used to|any ?more|since)\b")


def is_of_a_past(old: str, new: str) -> bool:
    """Whether one tells how it was in a time that is over, and the other how it is.

    >>> is_of_a_past("Ida was married to a sailor in her twenties.", "Ida is married to a baker.")
    True
    >>> is_of_a_past("Ida is married to a baker.", "Ida is divorced.")
    False
    """
    sides = fold(old), fold(new)
    past = [
        bool(_THEN.search(side)) and bool(_WAS.search(side)) and not _STANDS.search(_THEN.sub("", side))
        for side in sides
    ]
    if _NOT_BEFORE.search(sides[1]) and not _NO.search(sides[0]):
        return True
    if _SINCE_GONE.search(sides[1]):
        return False
    return past[0] != past[1] and not _WAS_TOO.search(sides[past.index(False)])


_SINCE_GONE = re.compile(r"\bbefore (?:we|they|he|she|it) (?:went|moved|switched|changed|turned|got|came|bought)\b")
"""It is told what came after it: then it is over."""
_NOT_BEFORE = re.compile(
    r"\b(?:had no|did not|didn't|was not|wasn't|were not|weren't|was no)\b.*\b(?:before|until|till)\b"
)
_WAS_TOO = re.compile(r"\b(?:was|were|had|did|used to|no longer|any ?more|never)\b")
_AS_A_RULE = re.compile(
    r"\b(?:on average|usually|normally|typically|as a rule|generally|in general|most of the time)\b"
)
_JUST_NOW = re.compile(
    r"\b(?:currently|at the moment|right now|today|just now|this (?:week|morning|afternoon|evening))\b"
)
_MEANWHILE = re.compile(
    r"\bwhile (?:the|his|her|its|their|our|my|she|he|it|they)\b[\w' -]*? ?(?:is|are) (?:being )?(?:\w+ed|away|ill|sick"
    r"|in (?:the )?(?:hospital|repair|workshop|garage)|at the (?:garage|workshop|mechanic's)|on \w+|under \w+)\b"
)
"""For how long: until something is as it was."""


def is_for_now(old: str, new: str) -> bool:
    """Whether the newer statement tells how it is for now, and the older one how it is as a rule.

    >>> is_for_now("The queue holds ten jobs on average.", "The queue currently holds ninety jobs.")
    True
    >>> is_for_now("The queue holds ten jobs.", "The queue currently holds ninety jobs.")
    False
    """
    before, after = fold(old), fold(new)
    if _MEANWHILE.search(after) and not _MEANWHILE.search(before):
        return True
    return bool(_AS_A_RULE.search(before) and _JUST_NOW.search(after)) and not _AS_A_RULE.search(after)
