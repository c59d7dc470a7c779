"""What proves that erased words are gone: the words and runs of words that nothing else says, and where they are met.

A word of its own proves something where it is telling: a name, a number, a word of letters and digits, or of a script
without capitals. Other words prove something in runs of three, for each of them is said everywhere.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

RUN = 3
MIN_TELLING, MIN_DIGITS, MIN_ALONE = 3, 6, 6
WITHOUT_SPACES = 0x2E80
"""From here on in Unicode are the scripts that put no blanks between words."""
_WORD = re.compile(r"\w+")
_COMPOUND = re.compile(r"(?=\S*[\d@./])(?=\S*[^\W\d])\w+(?:[-.@/:+]\w+)+")
"""An address, a host, a path, a code: words that no blank parts, with a mark or a digit among letters."""
_ENDS = ".!?:\n"


@dataclass(frozen=True)
class Canaries:
    """Phrases of one or more words, folded, with single blanks; `parts` are of scripts without blanks, and looked for
    within words. `telling` are those that mean one thing: names, numbers, codes and the like."""

    phrases: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    telling: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.phrases or self.parts)

    def __sub__(self, other: "Canaries") -> "Canaries":
        return Canaries(self.phrases - other.phrases, self.parts - other.parts, self.telling - other.phrases)

    def __or__(self, other: "Canaries") -> "Canaries":
        return Canaries(self.phrases | other.phrases, self.parts | other.parts, self.telling | other.telling)

    def alone(self) -> "Canaries":
        """Those that prove something wherever they are met."""
        return Canaries(self.telling, self.parts, self.telling)


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def canaries_of(texts: Iterable[str]) -> Canaries:
    """Whatever in these texts can be told again.

    >>> sorted(canaries_of(["My code is QX-7731."]).phrases)
    ['code is qx', 'is qx 7731', 'my code is', 'qx 7731']
    >>> sorted(canaries_of(["Our pin is 731942, says Zoltan"]).telling)
    ['731942', 'zoltan']
    """
    phrases: set[str] = set()
    telling: set[str] = set()
    for text in texts:
        for said in spoken(text):
            words = [folded(word[0]) for word in _WORD.finditer(said)]
            telling |= {folded(word[0]) for word in _WORD.finditer(said) if _tells(word[0], said, word.start())}
            telling |= {" ".join(_WORD.findall(folded(found[0]))) for found in _COMPOUND.finditer(said)}
            phrases |= set(_runs(words, RUN))
            if 0 < len(words) < RUN and sum(map(len, words)) >= MIN_ALONE:
                phrases.add(" ".join(words))
    return Canaries(frozenset(phrases | telling), frozenset(), frozenset(telling))


def canaries_of_names(names: Iterable[str]) -> Canaries:
    """The names themselves, whole."""
    phrases = {" ".join(words) for name in names if (words := _WORD.findall(folded(name)))}
    parts = {phrase for phrase in phrases if any(ord(letter) >= WITHOUT_SPACES for letter in phrase)}
    return Canaries(frozenset(phrases - parts), frozenset(parts), frozenset(phrases - parts))


def met(texts: Iterable[str], sought: Canaries) -> Canaries:
    """Those of the canaries that the texts hold.

    >>> sorted(met(['{"note": "he said: My code is QX"}'], canaries_of(["My code is QX-7731."])).phrases)
    ['code is qx', 'my code is']
    """
    lengths = {phrase.count(" ") + 1 for phrase in sought.phrases}
    phrases: set[str] = set()
    parts: set[str] = set()
    for text in texts:
        for said in spoken(text):
            words = _WORD.findall(folded(said))
            for length in lengths:
                phrases |= sought.phrases.intersection(_runs(words, length))
            if sought.parts:
                whole = " ".join(words)
                parts |= {part for part in sought.parts if part in whole}
    return Canaries(frozenset(phrases), frozenset(parts), sought.telling & phrases)


def as_written(texts: Iterable[str], canaries: Canaries, limit: int) -> list[str]:
    """The canaries as these texts write them, at most so many, the telling ones first: what files are searched for.
    None is so short that a file may hold it by chance.

    >>> as_written(["My code is QX-7731, says Zoltan."], canaries_of(["My code is QX-7731, says Zoltan."]), 3)
    ['QX-7731', 'Zoltan', 'My code is']
    """
    telling: dict[str, None] = {}
    runs: dict[str, None] = {}
    for text in texts:
        words = list(_WORD.finditer(text))
        for length, found in ((1, telling), (2, telling), (RUN, runs)):
            for first, last in zip(words, words[length - 1 :], strict=False):
                piece = text[first.start() : last.end()]
                phrase = " ".join(_WORD.findall(folded(piece)))
                if len(piece) >= MIN_ALONE and phrase in (canaries.telling if found is telling else canaries.phrases):
                    found.setdefault(piece)
    return [*sorted(telling), *runs][:limit]


def spoken(text: str) -> Iterator[str]:
    """What a stored text says: of JSON the texts in it, without its keys and without codes, such as `active`."""
    if text[:1] in '{["':
        try:
            leaves = list(_leaves(json.loads(text)))
        except (ValueError, RecursionError):
            yield text
            return
        yield from (leaf for leaf in leaves if not (leaf.isascii() and leaf.islower() and leaf.isidentifier()))
        return
    yield text


def _leaves(held: Any) -> Iterator[str]:
    if isinstance(held, str):
        yield from _leaves_of_text(held)
    elif isinstance(held, dict):
        for value in held.values():
            yield from _leaves(value)
    elif isinstance(held, list):
        for value in held:
            yield from _leaves(value)


def _leaves_of_text(held: str) -> Iterator[str]:
    """JSON may lie in JSON: a tool's arguments are a text."""
    if held[:1] in ("{", "["):
        try:
            leaves = list(_leaves(json.loads(held)))
        except (ValueError, RecursionError):
            leaves = [held]
        yield from leaves
        return
    yield held


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    return (" ".join(words[start : start + length]) for start in range(len(words) - length + 1))


def _tells(word: str, text: str, start: int) -> bool:
    if word.isdigit():
        return len(word) >= MIN_DIGITS
    if len(word) < MIN_TELLING - 1 or (word.isascii() and len(word) < MIN_TELLING):
        return not word.isascii() and len(word) > 1
    if any(letter.isdigit() for letter in word):
        return len(word) > MIN_TELLING and not _hexadecimal(word)
    if not word.isascii():
        return True
    if word.isupper() or (word[0].islower() and not word.islower()):
        return True
    before = text[:start].rstrip(" \"'([*_#-")
    return word[0].isupper() and bool(before) and before[-1] not in _ENDS


def _hexadecimal(word: str) -> bool:
    """A part of an id: ids are no words."""
    return all(letter in "0123456789abcdef" for letter in word)
