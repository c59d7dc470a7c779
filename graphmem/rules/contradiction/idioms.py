"""Turns of speech in plain words: "on Saturdays and Sundays", "for the last time", "was laid off by".

What is told by a turn of speech shares no word with what is told plainly, so the rules that compare words would see
nothing in common. Each turn here is one that any topic may take; names keep their capitals.
"""

import re

_USUAL = tuple(
    (mark, re.compile(pattern, re.IGNORECASE), plain)
    for mark, pattern, plain in (
        ("riday", r"\b(?:from |on )?Mondays? (?:to|through|till|until) Fridays?\b", "on weekdays"),
        ("unday", r"\b(?:on )?Saturdays? and Sundays?\b", "on weekends"),
        ("eekend", r"\b(?:at|on) (?:the )?weekends?\b", "on weekends"),
        ("orking days", r"\bon working days\b", "on weekdays"),
        ("ecause of ", r"^because of [^,]{2,50}, ", ""),
        ("ue to ", r"^due to [^,]{2,50}, ", ""),
        ("hanks to ", r"^thanks to [^,]{2,50}, ", ""),
        ("wing to ", r"^owing to [^,]{2,50}, ", ""),
        (
            "here ",
            r"^there (?:is|are) (?:nobody|no one|no-one|none)(?P<where> (?:in|at|on"
            r"|among) [\w' -]{2,40}?)? who (?:can't"
            r"|cannot) ",
            r"everybody\g<where> can ",
        ),
        (
            "here ",
            r"^there (?:is|are) (?:nobody|no one|no-one|none)(?P<where> (?:in|at|on|among) [\w' -]{2,40}?)? who (?:does"
            r"|do)(?:n't| not) ",
            r"everybody\g<where> does ",
        ),
        (" old days", r",? (?:back )?in the old days,? (?=before|until)", " "),
        (
            " by ",
            r"^(.+?) (?:was|were|has been|have been) (abandoned|dropped|ditched|given up|cancelled|canceled"
            r"|scrapped) by "
            r"(.+?)(?: in favou?r of (.+?))?[.!]?$",
            r"\3 \2 \1",
        ),
        (
            "",
            r"\b(?:was|were|got|has been|have been) (?:laid off|let go|fired|sacked|dismissed|made redundant) (?:by"
            r"|from|at)\b",
            "no longer works at",
        ),
        (
            " let ",
            r"\blet ((?:his|her|their|its|our|my) \w+) (of|to|with|in|at|for) (.+?) (?:lapse|expire|run out)\b",
            r"gave up \1 \2 \3",
        ),
        (" married", r"^(\w+) and (\w+) (?:have |has )?(?:just |recently )?got married\b", r"\1 got married to \2"),
        (
            " year of ",
            r"^(?:The )?(?:founding|foundation) year of (.+?) is (\d{4})[.!]?$",
            r"\1 was founded in \2",
        ),
        (" name ", r"\b(?:bears|goes by|carries) the (?:new )?name (?:of )?(?=(?-i:[A-ZÀ-Þ]))", "is named "),
        (" living as ", r"\b(?:earns?|makes?) (?:his|her|their) living as\b", "works as"),
        (", too", r", (too)(?=[.!]?$)", r" \1"),
        (", as well", r", as well(?=[.!]?$)", " as well"),
        ("days, ", r"^On (\w+days), (.+?) (too|as well)[.!]?$", r"\2 on \1 \3"),
        (" home in ", r"\b(?:makes?|has|have) (?:his|her|their) home in\b", "lives in"),
        (" base in ", r"\b(?:has|have) (?:its|their) (?:main |own )?base in\b", "is based in"),
        (" one ", r"^(?:Just|Only|Exactly) one [\w-]+, ([^,]{2,40}), ", r"Only \1 "),
        (" up to ", r"\bup to (?=\w+ times\b)", ""),
        ("n ", r"^In (production|staging|testing|development|QA), (?:the|our) ", r"The \1 "),
        (
            "un",
            r"^((?-i:[A-ZÀ-Þ])[\w.]+ \d[\w.]*) (?:is running|runs) on ((?:the|our) [\w -]+?)[.!]?$",
            r"\2 runs \1",
        ),
        (" going to be ", r"\b(?:is|are|am) going to be\b", "will be"),
        ("ill take place", r"\bwill take place\b", "will be"),
        (
            "n't ",
            r"\b(?:doesn't|don't|won't) (open|start|begin|close|end|arrive|leave|finish) (?:before|until|till) (?=\d"
            r"|[a-z]+[.!]?$)",
            r"\1s at ",
        ),
        (
            " comes from ",
            r"(^|: |, )((?-i:(?!The\b|Our\b|My\b|His\b|Her\b)[A-ZÀ-Þ])[\w-]+) comes from (?=(?-i:[A-ZÀ-Þ]))",
            r"\1\2 is from ",
        ),
        (" only child", r"\bis an only child\b", "has no sibling"),
        (
            " since ",
            r" since [^,;]{2,40}? (?:retired|left|closed|resigned|died|moved|stopped|quit|gave up|stepped down"
            r"|sold)\b.*$",
            "",
        ),
        (
            " after ",
            r"^(.+? (?:became|has become|took over as|was (?:named|appointed|elected"
            r"|chosen)) .+?) after (?:Mrs?\.? |Dr\.? )?"
            r"(?-i:[A-ZÀ-Þ])[\w-]+[.!]?$",
            r"\1",
        ),
        ("'s ", r" in (?-i:[A-ZÀ-Þ])[\w-]+'s (?:place|stead)[.!]?$", ""),
        (
            "een ",
            r"^(?:Lately|These days|Recently|Nowadays|Since [\w ]{3,20}?),? (.+?) (?:has|have) been (\w+ing) (.+?)"
            r"(?: instead| now)?[.!]?$",
            r"\1 is now \2 \3",
        ),
        (
            " to ",
            r"^(?:Please )?(?:[Ss]end|[Aa]ddress|[Dd]irect|[Ff]orward|[Bb]ring) ((?!me\b|him\b|her\b|it\b|them\b"
            r"|us\b)[\w' -]+?)"
            r" to ([^,;]+?)(?:, .*| now)?[.!]?$",
            r"\1 go to \2",
        ),
        (
            "e ",
            r"^(?:We|They|I)(?: have|'ve)? (?:ditched|dropped|left|abandoned|given up|gave up|changed|switched"
            r"|replaced|got rid"
            r" of|parted with) [^,;]{2,40}, (?:and |so )?(?=(?:the |our |my )?[\w.' -]+? (?:is|are|has|have|does|do"
            r"|go|goes"
            r"|run|runs|live|lives|use|uses|handles?|takes?)\b)",
            "",
        ),
        (
            ": ",
            r"^(?:The |Our )?((?:[\w'-]+ ){0,4}?(?:password|passcode|pin|code|number|address|port|version|deadline"
            r"|owner|status"
            r"|limit|price|licen[cs]e|colour|color|size|birthday|manager|lead|currency|language|username))"
            r"( (?:of|for) [\w' -]+)?: (\S+(?: \S+){0,2})[.!]?$",
            r"The \1\2 is \3",
        ),
        (
            "een ",
            r"\b(?:has|have) been (\w+ing) ([^,;]*?) ?(?:lately|these days|recently|nowadays|for (?:\w+ )?(?:weeks"
            r"|months"
            r"|years))(?: now| instead)?[.!]?$",
            r"is now \1 \2",
        ),
        (" its doors", r"\b(closed|shut) (?:its|their) doors(?: for good| for ever| forever)?\b", r"\1 down"),
        (" had to sell", r"\bhad to sell\b", "sold"),
        (" had to close", r"\bhad to close\b", "closed"),
        (" had to leave", r"\bhad to leave\b", "left"),
        (" had to give", r"\bhad to give\b", "gave"),
        (" had to stop", r"\bhad to stop\b", "stopped"),
        (" had to cancel", r"\bhad to cancel\b", "cancelled"),
        (" the last time", r"^(.+?) for the (?:very )?last time\b.*$", r"\1 no longer"),
        (
            " and ",
            r",? and [\w ]{2,20} (?:does|has|is doing|will do|takes|took) (?:it|that|this|over|them)( now"
            r"| instead)?[.!]?$",
            "",
        ),
        (
            "n't ",
            r"\b(?:hasn't|haven't|has not|have not) (?!been\b|had\b)(\w+?)(?:ed)? ([^,;]*?) ?(?:(?:for"
            r"|in) (?:\w+ )?(?:days|weeks|months|years|ages)|since .+?)[.!]?$",
            r"doesn't \1 \2",
        ),
        ("ill set ", r"\bwill set you back\b", "costs"),
        ("upposed to ", r"\b(?:is|are) supposed to\b", "is going to"),
        (
            " left ",
            r"\b(left (?:the|his|her|their|our) [\w' -]{2,40}?) for (?:an?|another|the|his|her|their|greener) [^,;]+$",
            r"\1",
        ),
        ("St. ", r"\b(?-i:St)\. (?=(?-i:[A-ZÀ-Þ]))", "St "),
        (" player", r"\bwas an? ([\w-]+(?: [\w-]+)?) player (?=until\b|before\b)", r"played \1 "),
        (
            " made ",
            r"\b(?:was|were|has been|have been) made (public|private|optional|mandatory|compulsory|free|available"
            r"|editable"
            r"|read-only)\b",
            r"is now \1",
        ),
        (
            " turned ",
            r"\b(?:has |have )?(?:just )?turned (\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
            r"|thirteen"
            r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
            r"|ninety)"
            r"(?= |[.!]?$)(?! (?:percent|degrees|of|pages|into|out))",
            r"is now \1 years old",
        ),
        (
            " to ",
            r"\b(?:(?:was|were|has been|have been) (?:enlarged|extended|expanded|raised|lowered|increased|reduced|cut)"
            r"|(?:has|have) (?:gone|risen|climbed|dropped|fallen)(?: up| down)?) to (?=\d)",
            "is now ",
        ),
        (
            " is the ",
            r"^((?-i:[A-ZÀ-Þ])[\w+-]*(?: (?-i:[A-ZÀ-Þ])[\w+-]*)?) (v?\d[\w.]*) is the "
            r"((?:(?:current|latest|newest|stable|supported|installed) )+(?:release|version))[.!]?$",
            r"The \3 of \1 is \2",
        ),
        (
            "version ",
            r"^((?-i:[A-ZÀ-Þ])[\w+-]*) (\d[\d.]*) is the (?:oldest|lowest|minimum) version (?:that |which )?(.+?) "
            r"(?:runs on|supports|needs|works on|works with|requires)[.!]?$",
            r"\3 needs at least \1 \2",
        ),
        (
            " bring ",
            r"^(?:You|Visitors|Guests|Staff|Employees|People) (?:may|are allowed to|can) not bring ([\w' -]+?) (?:to"
            r"|into|in) ",
            r"\1 are not allowed in ",
        ),
        ("smoker", r"\bis an? (?:ex|former)[- ]smoker\b", "no longer smokes"),
        ("smoker", r"\bis a non-smoker\b", "doesn't smoke"),
        ("smoker", r"\bis an? (?:heavy |chain |regular )?smoker\b", "smokes"),
        ("smoker", r"\bwas an? (?:heavy |chain |regular )?smoker\b", "smoked"),
        ("ack when ", r"^back when ((?:(?!\b(?:was|were|had)\b)[^,])+?), .+$", r"\1 until recently"),
        (
            "employer",
            r"^(.+?) is ((?-i:[A-ZÀ-Þ])[\w-]+)'s (?:former|ex|old|previous|last)[ -]employer\b.*$",
            r"\2 no longer works at \1",
        ),
        (
            " up",
            r"\b(gave|given) ((?:the|his|her|their|its|our|my) [\w' -]{2,30}?) up\b(?: for .+?)?(?=[.,;!]|$)",
            r"\1 up \2",
        ),
        (
            " spends ",
            r"^(.+?) spends (?:his|her|their|the|its) (winter|summer|autumn|spring|weekend|night)s? (in|at|on|with) ",
            r"In \2 \1 lives \3 ",
        ),
        (" favo", r"\b(?:is|are) (?:strongly |all |still )?in favou?r of\b", "supports"),
        (" against", r"\b(?:is|are) (?:strongly |firmly |now )?against\b", "opposes"),
        (" profit", r"\bmakes? a (?:small |good |healthy |big )?profit\b", "is profitable"),
        (" loss", r"\bmakes? a (?:small |big |heavy )?loss\b", "is unprofitable"),
        (" stand", r"\bstands? (open|empty|unlocked|ajar|idle|vacant|unused|alone)\b", r"is \1"),
        (" left ", r"\b(is|are) (never |always |often )?left (?=(?:un)?locked\b|open\b|empty\b|ajar\b|on\b)", r"\1 \2"),
        (
            "synchronously",
            r"\b(?:runs?|works?|operates?|happens?|is done|are done|is run) (a?synchronous)ly\b",
            r"is \1",
        ),
        (
            "icen",
            r"^(.+?) (?:is|are) (?:now )?(?:licen[cs]ed |published |released |distributed )?under (?:the |an? )?"
            r"([\w.+-]+(?: \d[\d.]*)?)(?: licen[cs]e)?(?: only)?[.!]?$",
            r"\1's licence is \2",
        ),
        (
            " has ",
            r"^(.+?) (?:has|have) (?!been\b)((?:(?!called\b|taken\b|put\b|broken\b|come\b)[\w-]+ ){1,3}?)"
            r"(?:switched |turned )?(on|off)[.!]?$",
            r"\2is \3 for \1",
        ),
        (
            " has no ",
            r"^(?:the|our) (Android|iOS|Windows|Linux|Mac|macOS|web|desktop|mobile|iPad|iPhone) (?:app|version|client"
            r"|build|edition)(?: of [\w' -]+?)? (?=has no\b)",
            r"\1 ",
        ),
        (" date ", r"^the (?:date|day) (?:of|for) (.+?) is (?:on )?(?=\d|the \d|\w+day)", r"\1 is on "),
        (
            " for ",
            r"\b(?:has|have) ([^,;]{2,40}?) (?:for|as) (?:its|their|his|her|our|the) (?:new )?"
            r"(?=(?:\w+ )?(?:teacher|tutor|trainer|coach|manager|head|headteacher|principal|captain|chair|treasurer"
            r"|secretary|president|leader|lead|director|owner|guide|doctor|lawyer|landlord|mentor)[.!]?$)",
            r"has \1 as its ",
        ),
        (
            "hat ",
            r"^(.+?) (?:is|are) what (.+?) (runs?|uses?|drives?|plays?|speaks?|wears?|needs?|eats?|drinks?)"
            r"(?: now| these days)?[.!]?$",
            r"\2 \3 \1",
        ),
    )
)
"""What is told by a turn of speech, in plain words; each with words without which it is not there."""
_LEAD_CLEFT = re.compile(
    r"^(?P<when>(?:On|In|At|For|During) [^,]{2,30}?),? it(?:'s| is) (?P<who>[^,]{2,40}?) who (?P<does>\w+.*?)[.!]?$"
)
_OF_US = re.compile(
    r"^(?:We|You|People|One) (?P<will>(?:will|can|must|should|are going to|plan to|intend to|want to|hope to) )?"
    r"(?:always |usually |normally |now )?(?P<verb>(?!are\b|is\b|have\b|had\b|need\b|want\b|like\b|love\b)[a-z]{3,}) "
    r"(?P<what>(?:the|our|my|their|his|her|this|these|all)\b[\w' -]+?) (?P<where>(?:in|at|on|to|with|from|under|into)"
    r" .+?)[.!]?$"
)
"""What people do with something, which is told without them by "is done"."""


def in_plain_words(text: str) -> str:
    """The text with turns of speech told plainly.

    >>> in_plain_words("Ana taught the course for the last time in May.")
    'Ana taught the course no longer'
    """
    for mark, pattern, plain in _USUAL:
        if mark in text:
            text = pattern.sub(plain, text)
    if "who" in text and (cleft := _LEAD_CLEFT.match(text)):
        text = f"{cleft['who']} {cleft['does']} {cleft['when'][:1].lower()}{cleft['when'][1:]}"
    return text


def as_done(text: str) -> str | None:
    """What people do with something as what is done with it; None where the text tells nothing of the kind.

    >>> as_done("We keep the samples in the freezer.")
    'The samples is keeped in the freezer'
    """
    done = _OF_US.match(text) if " " in text[:7] else None
    if done is None:
        return _done_since(text)
    ended = f"{done['verb']}d" if done["verb"].endswith("e") else f"{done['verb']}ed"
    what = f"{done['what'][:1].upper()}{done['what'][1:]}"
    return f"{what} {'will be' if done['will'] else 'is'} {ended} {done['where']}"


_SINCE_OF_US = re.compile(
    r"^(?:We|They|I|People)(?: have|'ve) been (?:now )?(?P<verb>[a-z]{3,})ing (?P<what>(?:the|our|my|their"
    r"|all)\b[\w' -]+?)"
    r" (?P<where>(?:in|at|on|to|with|from|under|into|via) [^,;]+?) (?:since|for) [^,;]+$"
)


def _done_since(text: str) -> str | None:
    """What people have been doing with something since a day, as what is done with it now."""
    done = _SINCE_OF_US.match(text)
    if done is None:
        return None
    what = re.sub(r"^[Aa]ll (?:the |our |my )?", "", done["what"])
    return f"{what[:1].upper()}{what[1:]} is now {done['verb']}ed {done['where']}"
