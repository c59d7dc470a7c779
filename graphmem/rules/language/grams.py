"""Grams: the short pieces under which a text is found by any part of it.

Each word of the folded text gives the three characters that begin at each of its places; at the last two places fewer
are left. So three characters of a word are a gram, one or two are the beginning of a gram, and nothing needs to be
stored for them. Where one word follows another, the last character of the one and the first of the other are a gram
too: phrases of words that every text has would lead to every text.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from graphmem.rules.language.text import fold

SIZE = 3
MOST = 20_000
"""Grams a text is given at most, about those of 200,000 characters of prose. One with more is looked at by every
search."""
EVERYTHING = "everything"
"""What stands for the grams of a text that has too many: no gram is as long."""
_BREAK = "_"
_CACHED_CHARS = 30
_STRETCH = 10_000


def spoken(search_text: str, tool_calls: str | None = None, parts: str | None = None) -> str:
    """All that is said in a message: its searchable text, then a line for each value of its tool calls and of the
    parts that are no text. `tool_calls` and `parts` are the JSON that is stored.

    >>> print(spoken("Ada: look", '[{"name":"read","arguments":"{\\\\"path\\\\":\\\\"/etc/hosts\\\\"}"}]'))
    Ada: look
    name: read
    path: /etc/hosts
    """
    if not tool_calls and not parts:
        return search_text
    other = [part for part in json.loads(parts) if not isinstance(part.get("text"), str)] if parts else []
    return "\n".join([search_text, *_lines(other), *(_lines(json.loads(tool_calls)) if tool_calls else ())])


def grams(text: str) -> str:
    """The distinct grams of a text, parted by spaces; `EVERYTHING` for one with more than `MOST`.

    >>> sorted(grams("To Tom").split())
    ['m', 'o', 'o_t', 'om', 'to', 'tom']
    """
    in_order = fold(text).split()
    words, found = set(in_order), set(breaks(in_order))
    if not text.isascii():
        words.update(loose(text).split())
    for word in words:
        if len(word) <= _CACHED_CHARS:
            found.update(_grams_of_word(word))
            continue
        for start in range(0, len(word), _STRETCH):
            found.update(word[at : at + SIZE] for at in range(start, min(start + _STRETCH, len(word))))
            if len(found) > MOST:
                return EVERYTHING
    return " ".join(found) if len(found) <= MOST else EVERYTHING


def breaks(words: Sequence[str]) -> list[str]:
    """The grams of words that follow each other.

    >>> breaks(["to", "in", "great"])
    ['o_i', 'n_g']
    """
    return [f"{before[-1]}{_BREAK}{behind[0]}" for before, behind in pairwise(words)]


def needed(piece: str) -> list[str]:
    """The grams, or beginnings of grams, that every text with this piece of a folded word has.

    >>> needed("ports"), needed("c+")
    (['por', 'ort', 'rts'], ['c+'])
    """
    return list(dict.fromkeys(piece[at : at + SIZE] for at in range(max(1, len(piece) - SIZE + 1)))) if piece else []


def loose(text: str) -> str:
    """The text folded letter by letter, so that a part of it stays a part; all forms of i are one.

    `fold` puts a letter and the mark behind it together: `cafe` is not in a folded `café` of five characters, though
    a regular expression finds it there, and it takes `İ` and `ı` for `i` when case does not count.
    """
    return text.lower() if text.isascii() else "".join(map(_loose_letter, text))


@lru_cache(maxsize=10_000)
def _grams_of_word(word: str) -> tuple[str, ...]:
    return tuple(word[at : at + SIZE] for at in range(len(word)))


@lru_cache(maxsize=4_000)
def _loose_letter(letter: str) -> str:
    return "i" if letter in "İı" else fold(letter)


def _lines(values: Iterable[object]) -> Iterator[str]:
    """A line for each value in nested JSON, with its name; JSON in a text is read too."""
    waiting: list[tuple[str, object]] = [("", value) for value in reversed(list(values))]
    while waiting:
        name, value = waiting.pop()
        value = _inner(value) if isinstance(value, str) else value
        if isinstance(value, Mapping):
            waiting += [(str(key), item) for key, item in reversed(list(value.items()))]
        elif isinstance(value, list):
            waiting += [(name, item) for item in reversed(value)]
        elif value is not None and value != "":
            said = value if isinstance(value, str) else json.dumps(value)
            yield f"{name}: {said}" if name else said


def _inner(text: str) -> object:
    """What a text is that holds a JSON object or list; any other text itself."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        found: object = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()  # JSON can spell halves of characters, which nothing can store
    except (ValueError, RecursionError):
        return text
    return found
