"""Words, names and sizes: the basic text operations, without parsing."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from graphmem.rules.language.sentences import sentence_spans

TOKEN_COUNTER = "pieces-1"  # noqa: S105 - tokens of text
"""Name and version of the token counter, given in every answer that has a budget."""

MAX_NAME_CHARS = 300
"""Longest name of an entity, in characters: longer values cannot be stored in a unique index."""

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
_SIMPLE_NAME = re.compile(r"(?!(?:the|a|an)[\s_-])[a-z0-9]+(?:[\s_./:-]+[a-z0-9]+)*")
"""Folded names with nothing to strip at their ends."""
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})
# Combining marks (İ folded, Hindi and Thai vowels) belong to their letter, though `\w` excludes them.
_LETTER = r"(?:[^\W_]|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_LETTER += r"\u0610-\u061a\u064b-\u065f\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
_LETTER += r"\u0900-\u0963\u0971-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ece\u0f71-\u0fbc\u102b-\u103e])"
_WORD = re.compile(rf"[^\W\d_]*+\d++(?:[.,:]\d+)+|{_LETTER}++(?:'{_LETTER}++)*+")
_ASCII_WORD = re.compile(r"[a-z]*+[0-9]++(?:[.,:][0-9]+)+|[a-z0-9]++(?:'[a-z0-9]++)*+")
"""The same for folded ASCII texts, which most are, in a third of the time."""
_UNSPACED_LETTER = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff"  # kana, Han, Hangul
)
_UNSPACED = re.compile(f"[{_UNSPACED_LETTER}]+")
_RUN = re.compile(f"[{_UNSPACED_LETTER}]+|[^{_UNSPACED_LETTER}]+")
# Scripts written without spaces, and pictographs. White space of any script is a separate piece.
_WIDE = (
    "\u1100-\u11ff\u2e80-\u2fff\u3001-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\U00020000-\U0003ffff"
)
_NEAR_LATIN = "\u00a1-\u052f\u1e00-\u1fff"
# Each match is one token. No piece looks ahead or behind, and the rest of a piece without its beginning is a piece too:
# so a text never has fewer tokens than its beginning, nor more than its parts together.
_PIECE = re.compile(
    r"[ ._/(\-]?[A-Z]?[a-z]{1,7}|[ ._/(\-]?[A-Z]{1,3}|[0-9]{1,3}"  # words, cut where long; numbers
    r"| ?[!-/:-@\[-`{-~]{1,3}\n{0,4}"  # marks
    rf"| ?[{_NEAR_LATIN}]{{1,3}}| ?[{_WIDE}]| ?[^\x00-\x7f\s{_NEAR_LATIN}{_WIDE}]{{1,2}}"
    r"|\n{1,4}|[^\S\n]{1,16}|.",
    re.DOTALL,
)
_AHEAD = 80
"""Characters behind a cut that show whether a sentence ends there."""
_PICTOGRAPH = re.compile("[\U0001f000-\U0001faff]")
LONGEST_PIECE = 16
"""Most characters of one token: a text of more than `LONGEST_PIECE * n` characters has more than n tokens."""


def fold(text: str) -> str:
    """The text with compatibility forms, curly quotes and case folded, for comparisons."""
    if text.isascii():  # only case to fold; true for most texts
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold())


@lru_cache(maxsize=20_000)
def canonical_name(name: str) -> str:
    """The spelling under which a name is looked up.

    Folds compatibility forms and case, spaces, hyphens and underscores, a leading article and a trailing possessive.
    Plurals and type words stay: Redis is not Redi, and "billing service" may not be the same as "billing". Applying it
    twice changes nothing. Empty only for a name of joiners alone.

    >>> canonical_name("The Billing_Service’s")
    'billing service'
    """
    folded = fold(name)
    if _SIMPLE_NAME.fullmatch(folded):
        return _JOINERS.sub(" ", folded)
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
    folded = fold(text)
    return (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)


def pieces(word: str) -> list[str]:
    """The search terms for a word: itself, or, in a script without spaces, each two consecutive letters, since word
    boundaries are unknown there. Hangul has spaces, but also particles without.

    >>> pieces("ports"), pieces("redis端口号")
    (['ports'], ['redis', '端口', '口号'])
    """
    if word.isascii():
        return [word]
    found: list[str] = []
    for run in _RUN.findall(word):
        pairs = _UNSPACED.match(run) and len(run) > 2
        found += [run[at : at + 2] for at in range(len(run) - 1)] if pairs else [run]
    return found


def is_unspaced(piece: str) -> bool:
    """Whether it is of a script whose words `pieces` cuts."""
    return bool(_UNSPACED.match(piece))


def content_words(text: str) -> list[str]:
    """`words` without stop words, in order."""
    return [word for word in words(text) if word not in STOP_WORDS]


def count_tokens(text: str) -> int:
    """An estimate of a text's tokens: its words, marks and numbers, long ones in pieces; CJK 1 each, emoji 2.

    Pure and offline; named `TOKEN_COUNTER`. How far it is off, by kind of text:
    docs/decisions/0017-count-tokens-with-our-own-counter.md.

    >>> count_tokens("Four words and a mark."), count_tokens("五言絶句"), count_tokens("")
    (6, 4, 0)
    """
    return len(_PIECE.findall(text)) + (0 if text.isascii() else len(_PICTOGRAPH.findall(text)))


def parts_text(parts: Sequence[Mapping[str, object]] | None) -> str:
    """The text parts of a structured content, joined by line ends, for search and reading. No content has no text."""
    return "\n".join(text for part in parts or () if isinstance(text := part.get("text"), str))


def fit_tokens(text: str, max_tokens: int) -> str:
    """The longest beginning of the text that has at most `max_tokens`, cut after a sentence where one fits, else after
    a word, else anywhere."""
    end = _end_within(text, max_tokens)
    if end == len(text):
        return text
    head = text[:end]
    sentence_ends = [stop for _, stop in sentence_spans(text, 0, min(len(text), end + _AHEAD)) if stop <= end]
    if sentence_ends:
        return text[: sentence_ends[-1]]
    cut = end if text[end].isspace() else head.rfind(" ")
    # Reading that continues after the head would never get past white space that does not count as shown.
    return (head[:cut] if cut > 0 else head).rstrip() or head


def _end_within(text: str, max_tokens: int) -> int:
    """Where the longest beginning of at most `max_tokens` ends."""
    used = end = 0
    for piece in _PIECE.finditer(text):
        used += 2 if _PICTOGRAPH.search(piece[0]) else 1
        if used > max_tokens:
            break
        end = piece.end()
    return end
