"""Turns of speech in plain words: "on Saturdays and Sundays", "for the last time", "was laid off by".

What is told by a turn of speech shares no word with what is told plainly, so the rules that compare words would see
nothing in common. Each turn here is one that any topic may take; names keep their capitals.
"""

import re

_USUAL = tuple(
    (mark, re.compile(pattern, re.IGNORECASE), plain)
    for mark, pattern, plain in (
        ("riday", r"\b(?:from |on )?Mondays? (?:to|through|till|until) Fridays?\b", "on weekdays"),
        ("ecause of ", r"^because of [^,]{2,50}, ", ""),
        (" name ", r"\b(?:bears|goes by|carries) the (?:new )?name (?:of )?(?=(?-i:[A-ZÀ-Þ]))", "is named "),
        (" home in ", r"\b(?:makes?|has|have) (?:his|her|their) home in\b", "lives in"),
        (
            " comes from ",
            r"(^|: |, )((?-i:(?!The\b|Our\b|My\b|His\b|Her\b)[A-ZÀ-Þ])[\w-]+) comes from (?=(?-i:[A-ZÀ-Þ]))",
            r"\1\2 is from ",
        ),
        ("'s ", r" in (?-i:[A-ZÀ-Þ])[\w-]+'s (?:place|stead)[.!]?$", ""),
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
            " bring ",
            r"^(?:You|Visitors|Guests|Staff|Employees|People) (?:may|are allowed to|can) not bring ([\w' -]+?) (?:to"
            r"|into|in) ",
            r"\1 are not allowed in ",
        ),
        ("smoker", r"\bis an? (?:ex|former)[- ]smoker\b", "no longer smokes"),
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


def in_plain_words(text: str) -> str:
    """The text with turns of speech told plainly.

    >>> in_plain_words("Ana makes her home in Rome.")
    'Ana lives in Rome.'
    """
    for mark, pattern, plain in _USUAL:
        if mark in text:
            text = pattern.sub(plain, text)
    if "who" in text and (cleft := _LEAD_CLEFT.match(text)):
        text = f"{cleft['who']} {cleft['does']} {cleft['when'][:1].lower()}{cleft['when'][1:]}"
    return text
