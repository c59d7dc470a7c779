"""The most relevant passage of a text for a question: whole sentences around the best one."""

from collections.abc import Iterable

from graphmem.rules.language.sentences import sentence_spans, sentences
from graphmem.rules.language.text import STOP_WORDS, fold, words

CUT = "…"
_ASKS = ("?", "？", "؟")
_FEWEST = 2
"""Least content words of a question that can be understood alone."""
_BEGINNING = 5
"""Letters of a word that must agree; its ending may differ."""

Span = tuple[int, int]


LONG = 1_200
"""Characters of a message above which a hit is its best passage."""
PASSAGE = 800
"""Characters of such a passage, at most."""


def passage(text: str, question: str, most_chars: int) -> str:
    """A part of the text within a number of characters: the sentence with most words of the question, with those after
    and before it that fit; `…` marks omissions.

    >>> passage("We met. Ledger listens on port 7171 now. It rained.", "Which port does Ledger use?", 40)
    '…Ledger listens on port 7171 now.…'
    """
    if len(text) <= most_chars:
        return text
    start, end = best_span(text, question, most_chars - 2 * len(CUT))
    return f"{CUT if text[:start].strip() else ''}{text[start:end]}{CUT if text[end:].strip() else ''}"


def best_span(text: str, question: str, most_chars: int) -> Span:
    """Where the passage for a question stands in a text, [start, end), within a number of characters.

    >>> best_span("We met. Ledger listens on port 7171 now. It rained.", "Which port does Ledger use?", 38)
    (8, 40)
    """
    spans = _pieces(text, max(most_chars, 1))
    asked = _beginnings(question)
    met = [len(asked & {_beginning(word) for word in words(text[start:end])}) for start, end in spans]
    first = last = max(range(len(spans)), key=lambda place: (met[place], -place))
    growing = True
    while growing:
        growing = False
        if last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= most_chars:
            last, growing = last + 1, True
        if first > 0 and spans[last][1] - spans[first - 1][0] <= most_chars:
            first, growing = first - 1, True
    return spans[first][0], spans[last][1]


def shown(text: str, question: str) -> Span:
    """Where the part of a message stands that a hit shows: all of it, or the best passage of a long one."""
    return (0, len(text)) if len(text) <= LONG else best_span(text, question, PASSAGE)


def only_asks(text: str, question: str) -> bool:
    """Whether a text only asks about the topic of the question, without a statement.

    >>> asked = "Who owns the printer?"
    >>> [only_asks(text, asked) for text in ("Morning! Who owns that printer?", "Ada owns it. The printer, you mean?")]
    [True, False]
    """
    asking = [sentence for sentence in sentences(text) if sentence.endswith(_ASKS)]
    saying = [sentence for sentence in sentences(text) if not sentence.endswith(_ASKS)]
    about = _beginnings(question)
    return not saying or (_takes_up(asking, about) and not _takes_up(saying, about))


def what_asks(text: str) -> str:
    """The questions in a text, if they name something; else all of it.

    >>> what_asks("Good morning! One more thing. Who owns Ledger? Thanks."), what_asks("Ledger moved to Oslo. Why?")
    ('Who owns Ledger?', 'Ledger moved to Oslo. Why?')
    """
    asking = " ".join(sentence for sentence in sentences(text) if sentence.endswith(_ASKS))
    telling = [word for word in words(asking) if word not in STOP_WORDS]
    return asking if len(telling) >= _FEWEST else text


def _beginnings(question: str) -> set[str]:
    return {_beginning(word) for word in words(question) if word not in STOP_WORDS}


def _takes_up(said: Iterable[str], about: set[str]) -> bool:
    return any(_beginning(word) in about for sentence in said for word in words(sentence))


def plain(text: str) -> str:
    """A key for texts with the same words: case, width and white space do not count."""
    return " ".join(fold(text.strip(CUT)).split())


def _pieces(text: str, most: int) -> list[Span]:
    """The sentences of a text, long ones in pieces up to a number of characters, cut between words where possible."""
    found: list[Span] = []
    for start, end in sentence_spans(text):
        while end - start > most:
            blank = text.rfind(" ", start + 1, start + most + 1)
            cut = blank if blank > start else start + most
            found.append((start, cut))
            start = cut + 1 if blank > start else cut
        if start < end:
            found.append((start, end))
    return found or [(0, min(most, len(text)))]


def _beginning(word: str) -> str:
    return word[:_BEGINNING]
