"""Where a name may stand: runs of nouns, words with capitals, identifiers; far more than are names."""

import re
from collections.abc import Iterator, Sequence

from graphmem.model.parsed import Token
from graphmem.rules.language.text import STOP_WORDS

Words = Sequence[Token]
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_IN_NAME = frozenset({"NN", "NNS", "NNP", "NNPS", "FW", "ADD", "AFX", "CD", "VBG"})
_LOOSE = frozenset({"JJ", "VBN", "VBD", "VB", "VBP", "VBZ", "UH", "RB", "IN", "XX", "JJS", "JJR", "NFP"})
"""Tags that the parser gives names it does not know."""
_NAME_LIKE = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][\w.+#&/'’-]*")
_MAX_WORDS = 4


def name_spans(words: Words) -> list[tuple[int, int]]:
    """Runs of words [first, last) of a sentence that may name something, in order; they may overlap."""
    spans: dict[tuple[int, int], None] = {}
    first = 0
    while first < len(words):
        last = first
        while last < len(words) and _goes_into_name(words, last):
            last += 1
        if last > first:
            for start, end in _within(words, first, last):
                if 0 < end - start <= _MAX_WORDS and not _is_plain(words, start, end):
                    spans[(start, end)] = None
        first = max(last, first + 1)
    return list(spans)


def _goes_into_name(words: Words, at: int) -> bool:
    token = words[at]
    text = token.text
    if not _NAME_LIKE.fullmatch(text):
        return text in "-/&" and 0 < at < len(words) - 1 and _adjoins(words, at)
    if text.lower() in STOP_WORDS:
        return False
    return token.tag in _IN_NAME or text[0].isupper() or (token.tag in _LOOSE and _alone(words, at))


def _adjoins(words: Words, at: int) -> bool:
    return words[at - 1].end == words[at].start and words[at].end == words[at + 1].start


def _alone(words: Words, at: int) -> bool:
    """Whether a word stands where only a noun can: "stork is down" though the parser takes stork for an adjective."""
    token = words[at]
    return token.dep in ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "appos", "ROOT") and token.text.isalpha()


def _within(words: Words, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The run, and what of it may be the name: the words with capitals, all behind the first, the last one."""
    while last > first and (words[last - 1].tag in ("CD", "VBG") or words[last - 1].text in "-/&"):
        if words[last - 1].text[0].isupper():
            break
        last -= 1
    if last <= first:
        return
    yield first, last
    if last - first == 1:
        return
    marked = [at for at in range(first, last) if is_marked(words[at].text)]
    if marked and marked[-1] - marked[0] + 1 == len(marked):
        yield marked[0], marked[-1] + 1
        if len(marked) > 1:
            yield marked[0] + 1, marked[-1] + 1
    elif not marked:
        yield last - 2, last
        yield last - 1, last
        yield from ((first, end) for end in range(first + 1, last))


def is_marked(word: str) -> bool:
    """Whether a word is written as a name: a capital, a digit or a sign in it."""
    return not word.isalpha() or not word.islower()


def _is_plain(words: Words, first: int, last: int) -> bool:
    """Whether a single word in small letters is no name by what stands before it: "a dog", "my dog"; or is several."""
    token = words[last - 1]
    if last - first > 1 or is_marked(token.text):
        return False
    before = words[first - 1] if first else None
    if before is not None and (
        before.tag in ("PRP$", "CD", "JJ", "PDT", "POS") or before.text.lower() in _NO_NAME_BEHIND
    ):
        return True
    return token.tag in ("NNS", "VBG", "RB", "IN") or len(token.text) < 3


_NO_NAME_BEHIND = frozenset(
    {"a", "an", "this", "that", "these", "those", "any", "some", "every", "each", "no", "another"}
)
