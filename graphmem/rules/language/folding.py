"""The form in which grep compares texts: without what people leave out or do not see when they write a word."""

import unicodedata
from functools import lru_cache

import regex

from graphmem.rules.language.text import fold

_MARKS = regex.compile(
    r"(?<!\p{Cyrillic})\u0306|\u0640|(?!\u0306)[\p{Mn}&&[\u0483-\u0487\u064b-\u0655\u0670"
    r"\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Block=Combining_Half_Marks}"
    r"\p{Block=Combining_Diacritical_Marks}\p{Block=Combining_Diacritical_Marks_Extended}"
    r"\p{Block=Combining_Diacritical_Marks_Supplement}]]",
    regex.VERSION1,
)
"""Accents, vowel points, harakat and tatweel. Vowel signs of Indic and Thai scripts and the voicing marks of kana make
other words, and so does the breve of й."""
_UNSEEN = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "\u0671": "\u0627"}
)
"""Letters with a stroke, a ligature or a mark that Unicode does not take apart."""


def fold_marks(text: str) -> str:
    """The text as `text.fold` gives it, without accents and vowel marks, and without format characters such as zero
    width spaces and soft hyphens.

    >>> fold_marks("Café, re\u0301sume\u0301, Smørrebrød, zero\u200bwidth, sof\u00adt")
    'cafe, resume, smorrebrod, zerowidth, soft'
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", fold(text))
    return _UNSEEN.sub("", unicodedata.normalize("NFC", _MARKS.sub("", apart)).translate(_LETTERS))


@lru_cache(maxsize=4_000)
def fold_letter(letter: str) -> str:
    """The same of a single character."""
    return fold_marks(letter)
