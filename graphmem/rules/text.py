"""Words, names and sizes: the few ways in which graphmem reads a text without understanding it."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

TOKEN_COUNTER = "chars4-cjk1"  # noqa: S105 - tokens of text
"""Name of the token counter, given in every answer that has a budget."""

MAX_NAME_CHARS = 300
"""Longest name an entity may have, in characters: longer values can't be kept in a unique index."""

_STOP_WORDS = """
a about above after again against all also am an and any are as at be because been before being below between both
but by can could did do does doing down during each few for from further had has have having he her here hers
herself him himself his how i if in into is it its itself just me more most my myself now of off on once only or
other our ours ourselves out over own same she should so some such than that the their theirs them themselves then
there these they this those through to too under until up very was we were what when where which while who whom why
will with would you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")
_POSSESSIVE = re.compile(r"'s?$")
_JOINERS = re.compile(r"[\s_\-‐‑‒–—]+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})
# Combining marks (İ folded, Hindi and Thai vowels) belong to their letter, though `\w` leaves them out.
_LETTER = r"(?:[^\W_]|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_LETTER += r"\u0610-\u061a\u064b-\u065f\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
_LETTER += r"\u0900-\u0963\u0971-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ece\u0f71-\u0fbc\u102b-\u103e])"
_WORD = re.compile(rf"[^\W\d_]*\d+(?:[.,:]\d+)+|{_LETTER}+(?:'{_LETTER}+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
# Scripts written without spaces, and pictographs: one token each.
_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)


def fold(text: str) -> str:
    """The text with compatibility forms, curly quotes and case folded: what comparisons look at."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold())


@lru_cache(maxsize=20_000)
def canonical_name(name: str) -> str:
    """The one spelling under which a name is looked up.

    Folds compatibility forms and case, spaces, hyphens and underscores, a leading article and a trailing possessive.
    Plurals and type words stay: Redis is not Redi, and "billing service" may be another thing than "billing".
    Applying it twice changes nothing. Empty only for a name of joiners alone.

    >>> canonical_name("The Billing_Service’s")
    'billing service'
    """
    folded = fold(name)
    while True:
        spaced = _JOINERS.sub(" ", folded).strip(" .,;:!?\"'`()[]{}<>") if folded.strip() else ""
        shorter = _POSSESSIVE.sub("", _ARTICLE.sub("", spaced)).strip()
        if shorter == folded or not shorter:
            return shorter or spaced
        folded = fold(shorter)


def words(text: str) -> list[str]:
    """The words of a text, folded, in order. Apostrophes stay inside a word, and versions and times stay whole.

    >>> words("Doesn’t run on 1.5, port 8080")
    ["doesn't", 'run', 'on', '1.5', 'port', '8080']
    """
    return _WORD.findall(fold(text))


def content_words(text: str) -> list[str]:
    """`words` without stop words, in order."""
    return [word for word in words(text) if word not in STOP_WORDS]


def count_tokens(text: str) -> int:
    """An estimate of a text's tokens: a quarter of its characters, rounded up; CJK and emoji count 1 each.

    Pure and offline; named `TOKEN_COUNTER`. Source: the usual rule of thumb of four characters a token for English.

    >>> count_tokens("four"), count_tokens("五言絶句"), count_tokens("")
    (1, 4, 0)
    """
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // 4)


def parts_text(parts: Sequence[Mapping[str, object]]) -> str:
    """The text parts of a structured content, joined by line ends; what is searched and read in it."""
    return "\n".join(text for part in parts if isinstance(text := part.get("text"), str))


def sentences(text: str) -> list[str]:
    """The text cut behind sentence marks and at line ends; nothing but white space is lost."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def fit_tokens(text: str, max_tokens: int) -> str:
    """The longest beginning of the text that has at most `max_tokens`, cut behind a sentence where one fits, else
    behind a word, else anywhere."""
    if count_tokens(text) <= max_tokens:
        return text
    low, high = 0, len(text)
    while low < high:  # count_tokens never shrinks when a text grows
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) <= max_tokens else (low, middle - 1)
    head = text[:low]
    ends = [match.start() for match in _SENTENCE_END.finditer(text) if match.start() <= low]
    if ends and ends[-1] > 0:
        return head[: ends[-1]].rstrip()
    cut = head.rfind(" ")
    return (head[:cut] if cut > 0 else head).rstrip()
