"""Grams: the short pieces by which any part of a text is found.

Each word of the folded text (`folding.fold_marks`) gives the three characters that begin at each of its positions; at
the last two positions fewer are left. So three characters of a word are a gram, and one or two are the prefix of a
gram, for which nothing extra is stored. Between two words, the last character of the one and the first of the other are
a gram too: otherwise phrases of common words would match every text. `MADE_BY` is the first of all: by it texts are
found whose grams were made in another way.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from graphmem.rules.language.folding import fold_letter, fold_marks

SIZE = 3
MOST = 20_000
"""Most grams of a text, about those of 200,000 characters of prose. Every search checks a text with more."""
EVERYTHING = "everything"
"""Replaces the grams of a text that has too many: no gram is as long."""
MADE_BY = "V2"
"""The way in which grams are made, as one of them. No search meets it: a folded text has no capitals."""
MADE_OTHERWISE = f"*:* -grams:{MADE_BY}"
"""The full-text query for texts whose grams were made in another way."""
_BREAK = "_"
_CACHED_CHARS = 30
_STRETCH = 10_000


def spoken(search_text: str, tool_calls: str | None = None, parts: str | None = None) -> str:
    """The whole content of a message: its searchable text, then a line for each value of its tool calls and of the
    parts that are not text. `tool_calls` and `parts` are the stored JSON.

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
    """The distinct grams of a text, separated by spaces, behind `MADE_BY`; `EVERYTHING` for a text with more than
    `MOST`.

    >>> sorted(grams("To Tóm").split())
    ['V2', 'm', 'o', 'o_t', 'om', 'to', 'tom']
    """
    found = _grams(text)
    return f"{MADE_BY} {' '.join(found) if len(found) <= MOST else EVERYTHING}"


def _grams(text: str) -> set[str]:
    """The distinct grams of a text; where there are more than `MOST`, as many as it takes to know that."""
    in_order = fold_marks(text).split()
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
                return found
    return found


def breaks(words: Sequence[str]) -> list[str]:
    """The grams between consecutive words.

    >>> breaks(["to", "in", "great"])
    ['o_i', 'n_g']
    """
    return [f"{before[-1]}{_BREAK}{behind[0]}" for before, behind in pairwise(words)]


def needed(piece: str) -> list[str]:
    """The grams, or prefixes of grams, of every text with this piece of a folded word.

    >>> needed("ports"), needed("c+")
    (['por', 'ort', 'rts'], ['c+'])
    """
    return list(dict.fromkeys(piece[at : at + SIZE] for at in range(max(1, len(piece) - SIZE + 1)))) if piece else []


def loose(text: str) -> str:
    """The text folded letter by letter, so that a substring stays one.

    `fold_marks` combines some letters with the mark after them: か is not in a folded が of two characters, though a
    regular expression finds it there.
    """
    return text.lower() if text.isascii() else "".join(map(fold_letter, text))


@lru_cache(maxsize=10_000)
def _grams_of_word(word: str) -> tuple[str, ...]:
    return tuple(word[at : at + SIZE] for at in range(len(word)))


def _lines(values: Iterable[object]) -> Iterator[str]:
    """A line for each value in nested JSON, with its name; JSON inside a text is parsed too."""
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
    """The JSON object or list in a text; any other text unchanged."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        found: object = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()  # JSON can encode lone surrogates, which cannot be stored
    except (ValueError, RecursionError):
        return text
    return found
