"""Where the sentences of a text begin and end: the one cutter for texts that no parser reads.

It knows marks, not grammar: abbreviations, initials, numbers of lists, file names, addresses, versions and amounts have
full stops within them, three dots are a pause, and a line that is merely wrapped goes on in the next.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

Span = tuple[int, int]
_CLOSING = "\"'”’»)\\]*_`"
_END = re.compile(
    rf"(?P<wide>[。！？]+)[\"'”’»)\]」』】]*|(?P<mark>(?<![.!?…؟।])[.!?…؟।]++)[{_CLOSING}]*+(?=\s|\Z)|(?P<line>\n\s*)"
)
_PAUSE = re.compile(r"…|\.{2,}\Z")
_LAST_WORD = re.compile(r"[^\s\"'“”‘’«»()\[\]{}*_`,;:/]+\Z")
_LONGEST_LIST = 1_000
"""Characters of a sentence in which a list may begin."""
_LONGEST_WORD = 40
"""Characters before a full stop that are read: more than the longest abbreviation."""
_NUMBER_OF_LIST = re.compile(r"[\s>#*_(\[]*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})\Z")
_FIRST_OF_LIST = re.compile(r"[:;,]\s+\(?1\Z")
_NUMBERED = re.compile(r"(?<!\S)\(?(\d{1,3})[.)](?=\s)")
_NUMBER_AT_END = re.compile(r"\s(\d{1,3})\Z")
_LIST_ITEM = re.compile(r"(?:[-*•+·–—]|\d{1,3}[.)]|[#>|]+|```|~~~|\[[ xX]\])(?:\s|\Z)|[|>]")
_NEXT_WORD = re.compile(r"\S{1,80}")
_NARROWEST, _WRAPPED_AT, _WIDEST = 50, 72, 200
"""Characters of a wrapped line: at least, with the next word, and at most."""
_WRAPPED_WORDS = 7
_FENCED = re.compile(r"^[ \t]{0,3}(```|~~~).*?(?:^[ \t]{0,3}\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order; only white space between them is lost.

    >>> sentences("Ask Dr. Ode, e.g. about v2.1… or later. 1. Stop it. 2. Copy a.py!\\nIt works.")
    ['Ask Dr. Ode, e.g. about v2.1… or later.', '1. Stop it.', '2. Copy a.py!', 'It works.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Where the sentences of text[start:end] begin and end, in order; only white space is left out."""
    last = len(text) if end is None else end
    spans: list[Span] = []
    first = _skip(text, start, last)
    for found in _END.finditer(text, start, last):
        stop, following = found.start(), found.end()
        if stop <= first:
            continue
        if found.lastgroup == "line":
            if following < last and "\n" not in text[stop + 1 : following] and _wraps(text, first, stop, following):
                continue
            while text[stop - 1].isspace():
                stop -= 1
            spans.append((first, stop))
        else:
            after = _skip(text, following, last)
            if after < last and not _ends(text, first, found, after):
                continue
            spans.append((first, following))
        first = _skip(text, following, last)
    if first < last and (rest := text[first:last].rstrip()):
        spans.append((first, first + len(rest)))
    return spans


def code_blocks(text: str) -> list[str]:
    """The fenced blocks of a text, without their fences."""
    return [found[0].strip().strip("`~").partition("\n")[2] for found in _FENCED.finditer(text)]


def without_code(text: str) -> str:
    """A text without its fenced blocks of code."""
    return _FENCED.sub("\n", text)


def _skip(text: str, start: int, last: int) -> int:
    while start < last and text[start].isspace():
        start += 1
    return start


def _ends(text: str, first: int, found: re.Match[str], after: int) -> bool:
    """Whether a sentence that began at `first` ends at a mark, with more of the text at `after`."""
    mark = found["mark"]
    if mark is None:
        return True
    if _PAUSE.search(mark):
        return text[found.end()] == "\n"
    return mark != "." or not _within(text, first, found.start("mark"), text[after])


def _within(text: str, first: int, stop: int, after: str) -> bool:
    """Whether a full stop at `stop` is within a sentence."""
    begun = text[max(first, stop - _LONGEST_WORD) : stop]
    if stop - first <= _LONGEST_WORD and _NUMBER_OF_LIST.match(begun):
        return True
    if _FIRST_OF_LIST.search(begun) or _is_next_number(text, first, stop):
        return True
    found = _LAST_WORD.search(begun)
    if found is None:
        return False
    word = found[0]
    if len(word) == 1 and word.isalpha() and word.isupper():
        return True
    folded, kinds = word.lower(), _table()
    if folded in kinds["within"]:
        return True
    if folded in kinds["before_number"] and after.isdigit():
        return True
    if folded in kinds["before_capital"] and not (after.isupper() or after in "\"'“‘«([*_`-•#"):
        return True
    if not word.isdigit() or len(word) > 2:
        return False
    following = re.match(r"\s+(\w+)", text[stop + 1 : stop + 24])
    if following and following[1].lower() in kinds["months"]:
        return True
    before = _LAST_WORD.search(begun[: found.start()].rstrip())
    return bool(before and before[0].lower() in kinds["before_ordinal"])


def _is_next_number(text: str, first: int, stop: int) -> bool:
    """Whether a sentence with a number of a list comes to the next one: "1. Stop it 2. Copy it"."""
    reached = _NUMBER_AT_END.search(text, max(first, stop - 4), stop)
    if reached is None:
        return False
    listed = _NUMBERED.findall(text, first, min(stop, first + _LONGEST_LIST))
    return str(int(reached[1]) - 1) in listed


def _wraps(text: str, first: int, stop: int, following: int) -> bool:
    """Whether a sentence goes on behind a line end: its line ends in the middle of it."""
    after = text[following]
    if text[stop - 1] in ":.!?…;|>" or _LIST_ITEM.match(text, following):
        return False
    word = _LAST_WORD.search(text[max(first, stop - _LONGEST_WORD) : stop])
    joins = text[stop - 1] == "," or bool(word and word[0].lower() in _table()["joining"])
    return (joins and after.isalnum()) or after.islower() or (after.isalnum() and _is_full(text, stop, following))


def _is_full(text: str, stop: int, following: int) -> bool:
    """Whether a line is as long as lines that are wrapped, and had no room for the next word."""
    begun = text.rfind("\n", max(0, stop - _WIDEST), stop) + 1
    word = _NEXT_WORD.match(text, following)
    if stop - begun < _NARROWEST or word is None or ":" in text[following : following + 30]:
        return False
    return stop - begun + len(word[0]) >= _WRAPPED_AT and text.count(" ", begun, stop) >= _WRAPPED_WORDS


@cache
def _table() -> dict[str, frozenset[str]]:
    given = tomllib.loads(files(__package__).joinpath("abbreviations.toml").read_text(encoding="utf-8"))
    return {kind: frozenset(words.split()) for kind, words in given.items()}
