"""Sentences in capitals, spelled as they would be said quietly: "MY SISTER LIVES IN OSLO"."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from graphmem.rules.language.foreign import is_english_word
from graphmem.rules.language.gazetteer import lookup
from graphmem.rules.language.software_names import AMBIGUOUS
from graphmem.rules.language.text import fold

Span = tuple[int, int]
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)*")
_FEWEST = 3
_AMBIGUOUS = frozenset(AMBIGUOUS.split())
_I = re.compile(r"i(?:['’].*)?")


def is_shouted(sentence: str) -> bool:
    """Whether a sentence is in capitals throughout, and not a row of abbreviations.

    >>> is_shouted("MY SISTER LIVES IN OSLO"), is_shouted("AWS, EKS and RDS"), is_shouted("NASA ESA JAXA")
    (True, False, False)
    """
    words = _WORD.findall(sentence)
    small = any(letter.islower() for letter in sentence)
    return len(words) >= _FEWEST and not small and any(len(w) > 1 and is_english_word(fold(w)) for w in words)


def quiet(sentence: str) -> str:
    """A sentence in small letters, each in the place of its capital.

    >>> quiet("MY SISTER")
    'my sister'
    """
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in sentence)


def titled(sentence: str) -> str:
    """A sentence with a capital at each word.

    >>> titled("MY SISTER'S CAT")
    "My Sister's Cat"
    """
    return _WORD.sub(lambda word: _with_capital(word[0]), quiet(sentence))


def spelled_words(texts: Iterable[str]) -> dict[str, str]:
    """How words with a capital or a sign of their own are spelled in texts that are not in capitals, by their small
    letters; those that also stand in small letters are left out.

    >>> spelled_words(["I met Quentin at NATS. met him"])["quentin"]
    'Quentin'
    """
    words = [word for text in texts for word in _WORD.findall(text)]
    small = {word for word in words if word.islower()}
    return {word.lower(): word for word in words if not word.islower() and word.lower() not in small}


def restored(sentence: str, names: Collection[Span], spelled: Mapping[str, str]) -> str:
    """A sentence in capitals in its ordinary spelling, of the same length; `names` are the places of its names, and
    `spelled` how words are spelled elsewhere.

    >>> restored("ANA USES POSTGRESQL IN OSLO", {(0, 3), (23, 27)}, {})
    'Ana uses PostgreSQL in Oslo'
    """

    def spell(match: re.Match[str]) -> str:
        word = quiet(match[0])
        known = lookup(word) if word not in _AMBIGUOUS else None
        if known and known.name.lower() == word:
            return known.name
        if word in spelled:
            return spelled[word]
        if _I.fullmatch(word) or match.span() in names:
            return _with_capital(word)
        return word

    return _sentence_case(_WORD.sub(spell, sentence))


def shouted(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Those of the sentences of a text that are in capitals."""
    return [(start, end) for start, end in sentences if is_shouted(text[start:end])]


def _with_capital(word: str) -> str:
    upper = word[:1].upper()
    return upper + word[1:] if len(upper) == 1 else word


def _sentence_case(sentence: str) -> str:
    first = _WORD.search(sentence)
    if first is None or not first[0].islower():
        return sentence
    return sentence[: first.start()] + _with_capital(sentence[first.start() :])
