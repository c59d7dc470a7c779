"""What a newer statement says is over by a noun, where the older one tells it by a verb.

"Ana's time as a goalkeeper is over", "the dependency on Qt is a thing of the past", "there will be no fair this year":
what is over is told with all its words by the older statement, in whatever form, or it is something else that is over.
"""

import re
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.essence import unaccented
from graphmem.rules.language.stems import stems
from graphmem.rules.language.text import fold, words

_BE = r"(?:is|are|was|were|has been|have been)"
_WHEN = r"(?: (?:since|as of|after|from|in|on|this|last|next|for) .*| now)?[.!]?"
_GONE_FOR_GOOD = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("a thing of the past", rf"^(?P<what>.+?) {_BE} (?:now )?a thing of the past{_WHEN}$"),
        ("is history", rf"^(?P<what>.+?) is (?:now )?history{_WHEN}$"),
        (
            " up",
            r"^(?P<what>.+? (?:was|were) .+?),? but (?:(?:he|she|it|they) )?(?:has|have) (?:since )?given (?:it"
            r"|that) up",
        ),
        (
            " but ",
            r"^(?P<what>.+? (?:was|were|had) .+?)(?: in (?:earlier|former|past|the old) (?:days|times|years)| once"
            r"| formerly)?,? but (?:(?:he|she|it|they) )?(?:isn't|is not|aren't|are not|hasn't|haven't|doesn't|don't"
            r"|not|no longer is)(?: any ?more| any longer)?[.!]?$",
        ),
        (
            " off ",
            r"^(?P<what>.+? (?:has|have) (?:now |since )?(?:come|gone|been taken) off (?:his|her|their|the) .+?)[.!]?$",
        ),
    )
)
"""What is over for good."""
_ENDED = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("over", rf"^(?P<what>.+?) (?:is|are) (?:now |finally )?over{_WHEN}$"),
        ("ended", rf"^(?P<what>.+?) (?:has|have) (?:now |finally )?(?:ended|come to an end){_WHEN}$"),
    )
)
"""What is over, and may be again, where it is done every week."""
_OFF = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("will be no ", r"^there will be no (?P<what>.+?)(?: (?:(?:this|next) \w+|after all|now))?[.!]?$"),
        (
            "from the ",
            r"^(?P<what>.+?) (?:has|have|was|were) (?:been )?(?:struck|cut|removed|dropped|deleted|taken) (?:from"
            r"|out of)"
            r" (?:the|our) (?:[\w-]+ )?(?:budget|plans?|list|agenda|programme|program|schedule|roadmap)[.!]?$",
        ),
    )
)
"""What was to be, and is not going to."""
_PLANNED = re.compile(
    r"\b(?:is|are) (?:planned|scheduled|due|booked|set|budgeted|slated|earmarked|to be|on the (?:agenda|list"
    r"|roadmap))\b"
)
_AGAIN = re.compile(r"\b(?:every|each|always|weekly|daily|monthly|yearly|\w+days|once a|twice a)\b")
_SIDE = stems(
    """time times days day years stint spell career era reign life period phase come gone off taken been was were had
    now"""
)
"""Words by which it is told that something went on for a time."""
_DENIED = re.compile(r"\b(?:not|never|no|nobody|nothing|nearly|almost|if|unless|half|part)\b|n't\b")
_SHORT = 4
"""Letters by which a verb and its noun are met: play, player."""


@lru_cache(maxsize=4_096)
def bygone(content: str) -> tuple[str, tuple[str, ...], str]:
    """By which words the statement says that something is over, the words for what is, and how: for good, for now, or
    before it was; all empty where it says nothing of the kind.

    >>> bygone("Ana's time as a goalkeeper is over.")
    ('over', ('ana', 'goalkeeper'), 'ended')
    """
    text = fold(unaccented(content)).strip()
    for patterns, how in ((_GONE_FOR_GOOD, "good"), (_ENDED, "ended"), (_OFF, "off")):
        for mark, pattern in patterns:
            if mark in text and (found := pattern.match(text)):
                what = _told(found["what"])
                return (mark.strip(), what, how) if what and not _DENIED.search(found["what"]) else ("", (), "")
    return "", (), ""


def _told(text: str) -> tuple[str, ...]:
    said = (word.removesuffix("'s") for word in words(text) if word not in table.EMPTY | table.PREPOSITIONS)
    return tuple(dict.fromkeys(one for one in map(key, said) if one not in _SIDE))


def is_bygone(old: str, new: str) -> str | None:
    """By which words the newer statement says that what the older one tells is over; None where it does not.

    >>> is_bygone("Ana plays in goal for the Owls.", "Ana's time in goal for the Owls is over.")
    'over'
    >>> is_bygone("Ana plays in goal for the Owls.", "Ana's time in goal for the Hawks is over.") is None
    True
    """
    mark, what, how = bygone(new)
    if not mark or _DENIED.search(fold(old)) or bygone(old)[0]:
        return None
    before = fold(unaccented(old))
    planned = bool(table.PLAN.search(before) or _PLANNED.search(before))
    if planned != (how == "off") or (how == "ended" and _AGAIN.search(before)):
        return None
    known = _told(before)
    if not known or not all(any(_same(one, other) for other in known) for one in what):
        return None
    headed = any(one in what for one in _subject(known, before)) and {*what} & {*known}
    return mark if headed and (len(what) > 1 or how == "off") else None


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _SHORT and long.startswith(short) and short.isalpha())


def _subject(known: tuple[str, ...], before: str) -> tuple[str, ...]:
    """The words that the statement begins with, up to its verb; all where that is not seen."""
    head = _VERB.split(before, maxsplit=1)[0]
    return _told(head) or known


_VERB = re.compile(r" (?:is|are|has|have|will|plans?|wants?|\w+s)\b(?! (?:is|are|has|have|will)\b)")
