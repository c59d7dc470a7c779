"""The kind of thing a question asks for, and whether a sentence contains one."""

import re
from datetime import datetime
from typing import Literal

from graphmem.rules.language.relative_dates import find_dates
from graphmem.rules.language.text import fold, words

AnswerType = Literal["person", "time", "place", "age", "number", "reason", "any"]

_NUMBER_WORD = (
    r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million"
    r"|twice|dozen|fortnight|none)"
)
_NUMBER = re.compile(rf"(?i)\d|\b{_NUMBER_WORD}(?:-\w+)?\b")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?"
    r"|Dec(?:ember)?)"
)
_TIME = re.compile(
    rf"\b{_MONTH}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:19|20)\d\d\b|\b\d{{1,2}}:\d\d\b"
    r"|\b\d{1,2} ?(?:a\.?m|p\.?m|o'clock)\b|\b(?i:today|tomorrow|yesterday|tonight|morning|noon|midnight|spring|summer"
    r"|autumn|winter|christmas|easter|whitsun|week|month|year|day|ago|daily|nightly|weekly|half past|o'clock"
    rf"|at {_NUMBER_WORD})\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
)
_PLACE = re.compile(
    r"\b(?i:in|at|to|from|near|on|under|below|behind|beside|above|between|along|next to|around|inside|outside|off)\s+"
    r"(?:(?i:the|a|an|my|our|his|her|their|its)\s+)?\w"
)
_NAME = re.compile(r"(?:^|(?<=[\s(\"'“]))(?:[A-ZÀ-Þ][\w'’-]*[a-zà-ÿ0-9]|[a-z]+[-_.][\w.-]+)")
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i'm|i've|i'll|i'd|me|my|myself|we|we're|we've|our|us)\b")
_REASON = re.compile(
    r"(?i)\b(?:because|since|so that|so as|due to|thanks to|therefore|reason|caus\w+|in order|otherwise|hence|as the"
    r"|why|to (?:avoid|keep|save|prevent|make|stop|let|have))\b|:"
)
_AGE = re.compile(
    rf"(?i)\b(?:aged?|years? old|months? old|born|birthday|turn(?:s|ed|ing)?)\b"
    rf"|(?:\b(?:is|am|are|was|were)|['’](?:s|m|re)) (?:only |just |about |nearly |almost |already )?"
    rf"(?:\d|{_NUMBER_WORD}\b)(?!\S* (?:of|in|at)\b)"
)
_ASKED: tuple[tuple[AnswerType, re.Pattern[str]], ...] = (
    ("age", re.compile(r"\bhow old\b|\bwhat age\b")),
    ("number", re.compile(r"\bhow (?:many|much|long|big|large|tall|high|deep|far|fast|often|heavy|wide|expensive)\b")),
    ("number", re.compile(r"\bwhat(?:'s| is| was)? (?:the )?(?:price|cost|rent|salary|age|version|port|size|speed)\b")),
    ("number", re.compile(r"\b(?:which|what) (?:version|port|number|frequency|size|speed)\b")),
    ("time", re.compile(r"\bwhen\b|\b(?:what|which) (?:time|day|date|year|month|week|weekday)\b|\bsince when\b")),
    ("place", re.compile(r"\bwhere\b|\b(?:in|to|from) (?:which|what) (?:city|town|country|place|village)\b")),
    ("person", re.compile(r"\bwho(?:m|se)?\b|\bwho's\b|\bwhich (?:person|doctor|colleague|friend)\b")),
    ("reason", re.compile(r"\bwhy\b|\bwhat (?:for|caused)\b|\bfor what reason\b")),
)
_MEASURES = """
long old big large tall high deep far fast often heavy wide many much name named called kind sort type currently
current now exactly there
"""
MEASURES = frozenset(_MEASURES.split())
"""Words of a question that only say what kind of thing is wanted: answers do not repeat them."""
_PAST = re.compile(
    r"\b(?:used to|previous(?:ly)?|former(?:ly)?|originally|at first|earlier|in the past|back then|no longer|until now"
    r"|before)\b"
)


def answer_type(question: str) -> AnswerType:
    """The type of answer that is asked for.

    >>> [answer_type(q) for q in ("Who owns it?", "How long did it take?", "What time is it?", "Which colour?")]
    ['person', 'number', 'time', 'any']
    """
    folded = fold(question)
    found = [(match.start(), kind) for kind, pattern in _ASKED if (match := pattern.search(folded))]
    return min(found, key=lambda one: one[0])[1] if found else "any"


def asks_about_past(question: str) -> bool:
    """Whether a question is about the past.

    >>> asks_about_past("Where did Ana work before?"), asks_about_past("Where does Ana work?")
    (True, False)
    """
    return bool(_PAST.search(fold(question)))


def holds(kind: AnswerType, sentence: str, said_at: datetime | None, question: str) -> bool:
    """Whether a sentence contains the requested kind of thing; what the question itself names does not count.

    >>> holds("person", "Bo owns it.", None, "Who owns it?"), holds("number", "It is blue.", None, "How many?")
    (True, False)
    """
    if kind == "any":
        return True
    if kind == "person":
        asked = set(words(question))
        named = any(not set(words(match[0])) <= asked for match in _NAME.finditer(sentence))
        return named or bool(_FIRST_PERSON.search(sentence))
    if kind == "time":
        return bool(_TIME.search(sentence)) or bool(find_dates(sentence, said_at))
    return bool({"place": _PLACE, "age": _AGE, "number": _NUMBER, "reason": _REASON}[kind].search(sentence))


_FOCUS = re.compile(r"\b(?:which|what|whose) (?!(?:is|are|was|were|do|does|did|has|have|will|would|can|s)\b)(\w+)")
_NOW = re.compile(r"\b(?:now|current(?:ly)?|latest|newest|today|these days|at the moment|at present)\b")
_COUNTED = re.compile(r"\bhow many (?:\w+ of )?(?:the |new |old |different )?(\w+)")
_BACK = re.compile(
    r"\b(?:he|she|it|they|them|him|her|his|its|it's|he's|she's|they're|this|those|these|one|ones|two|three|four)\b"
    r"|^(?:that|that's|because|no|yes|yeah|yep|so)\b"
)
_SECOND_PERSON = re.compile(r"\b(?:you|you're|you've|you'll|your|yours)\b")


def counted_thing(question: str) -> str | None:
    """What "how many" counts.

    >>> counted_thing("How many tickets did we print?"), counted_thing("How long?")
    ('tickets', None)
    """
    match = _COUNTED.search(fold(question))
    return match[1] if match else None


def named_kind(question: str) -> str | None:
    """The noun after "which".

    >>> named_kind("Which hotel is it?"), named_kind("What is it?")
    ('hotel', None)
    """
    match = _FOCUS.search(fold(question))
    return match[1] if match else None


def asks_about_now(question: str) -> bool:
    """Whether a question explicitly asks about the present."""
    return bool(_NOW.search(fold(question)))


def points_back(sentence: str) -> bool:
    """Whether a sentence refers to something before it.

    >>> points_back("She is nine."), points_back("Leila is nine.")
    (True, False)
    """
    return bool(_BACK.search(fold(sentence)))


def speaks_to(sentence: str) -> bool:
    """Whether the second person occurs."""
    return bool(_SECOND_PERSON.search(fold(sentence)))


def speaks_of_self(sentence: str) -> bool:
    """Whether the first person occurs."""
    return bool(_FIRST_PERSON.search(sentence))


def is_name(word: str) -> bool:
    """Whether a word of a question looks like a name: a capital, or punctuation and digits as in identifiers.

    >>> [is_name(word) for word in ("Noor", "ledger-api", "ERR_LOCK_4410", "garden", "14")]
    [True, True, True, False, False]
    """
    return bool(re.match(r"[A-ZÀ-Þ]", word)) or bool(re.search(r"\w[-_./]\w|[A-Za-z]\d", word))
